"""Repairs of a scene, as data: the rules that each answers, whether it is safe, and the function.

What reading and writing repair by themselves (numbers, encodings, defaults) needs no row. Functions give back the very
same scene where there is nothing to do.
"""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any, TypeVar

from msgspec.structs import replace

from converters.assets.solids import capsule_parts, obj, solid
from converters.passes import base, names
from converters.passes.chains import unchained
from converters.passes.joints import COMPOUND
from converters.passes.shapes import SLABS
from converters.urdf.joints import word_of
from converters.urdf.tables import GLOBALS, VERSION
from converters.validating.controls import doubled
from converters.validating.geometry import sizes
from converters.validating.job import Job, Repair
from converters.validating.joints import DIALECT, EXACT, NEAR, QUARTER, is_fixed
from converters.validating.leftovers import rule_of_extra
from converters.validating.materials import empty
from converters.validating.meshes import CASELESS, guessed
from converters.validating.names import PORTABLE
from converters.validating.rules import OPT_IN, SAFE
from converters.validating.weighing import INERTIA, from_hulls, from_solids, possible
from ir.mapping import map_bodies, map_dofs, map_geoms, map_joints, map_table
from ir.names import unique
from ir.pose import from_rpy
from ir.refs import entities, references, rename
from ir.scene import Scene
from ir.types import (
    WORLD,
    Asset,
    Body,
    Capsule,
    Dof,
    Geom,
    Joint,
    Material,
    Mesh,
    Mimic,
    Pose,
    Role,
)

GREY = (0.5, 0.5, 0.5, 1.0)
Placed = TypeVar("Placed", Geom, Joint)


# ------------------------------------------------------------------------------------------------------------ leftovers

SURPLUS = (
    *("XML-DUP", "GEOM-COUNT", "JOINT-AXIS-USELESS", "LIMIT-FIXED", "MIMIC-USELESS"),
    *("MAT-COLLISION", "MAT-DUP", "MAT-NONAME"),
)


def _without_surplus(scene: Scene, job: Job) -> Scene:
    return _without_extras(scene, SURPLUS)


def _without_extras(scene: Scene, rules: tuple[str, ...]) -> Scene:
    """The scene without the leftovers that break these rules."""

    def cleaned(owner: Any, where: str) -> Any:
        kept = tuple(extra for extra in owner.extras if rule_of_extra(where, owner, extra) not in rules)
        return owner if len(kept) == len(owner.extras) else replace(owner, extras=kept)

    def body(old: Body) -> Body:
        inertial = cleaned(old.inertial, "") if old.inertial is not None else None
        geoms = tuple(cleaned(geom, "") for geom in old.geoms)
        new: Body = cleaned(old, "")
        if inertial is old.inertial and all(a is b for a, b in zip(geoms, old.geoms, strict=True)):
            return new
        return replace(new, inertial=inertial, geoms=geoms)

    kept = tuple(extra for extra in scene.extras if rule_of_extra("scene", scene, extra) not in rules)
    scene = map_joints(map_bodies(scene, body), lambda joint: cleaned(joint, ""))
    return scene if len(kept) == len(scene.extras) else scene.evolve(extras=kept)


# ------------------------------------------------------------------------------------------------------------ documents


def _version(scene: Scene, job: Job) -> Scene:
    if VERSION not in scene.notation or not any(breach.rule == "PORT-VERSION-TEXT" for breach in job.breaches):
        return scene
    return scene.evolve(notation={**scene.notation, VERSION: ""})


def _addresses(scene: Scene, job: Job) -> Scene:
    """A file that was found by guessing goes beside the output, and is named by its path."""

    def sure(asset: Asset) -> Asset:
        found = asset.file and (guessed(asset.rule) or asset.rule.endswith(CASELESS))
        return replace(asset, uri=Path(asset.file).name, rule="relative") if asset.file and found else asset

    return map_table(scene, "asset", sure)


def _materials(scene: Scene, job: Job) -> Scene:
    """A colour for what nobody defines, and the names of the graph where two have one."""
    if VERSION not in scene.notation:
        return scene
    labels = [material.name if material.label is None else material.label for material in scene.materials.values()]
    changed: dict[str, Material] = {}
    undefined = []
    for material in empty(scene):
        said = tuple(extra for extra in material.extras if not extra.path.startswith(("color[", "texture[")))
        changed[material.name] = replace(material, rgba=GREY, extras=said)
    for material in scene.materials.values():
        if material.name in changed:
            continue
        if material.label and labels.count(material.label) > 1:
            changed[material.name] = replace(material, label=None)
        elif material.rgba is None and material.texture is None and material.source and _named(scene, material.name):
            changed[material.name] = replace(material, rgba=GREY)
            undefined.append(material.name)
    if not changed:
        return scene
    notation = dict(scene.notation)
    if GLOBALS in notation:
        notation[GLOBALS] = json.dumps([*json.loads(notation[GLOBALS]), *undefined], ensure_ascii=False)
    materials = [changed.get(name, old) for name, old in scene.materials.items()]
    return scene.evolve(tables={"material": materials}, notation=notation)


def _named(scene: Scene, material: str) -> bool:
    geoms = (geom for body in scene.bodies.values() for geom in body.geoms)
    return any(geom.material == material and not geom.inline for geom in geoms)


# --------------------------------------------------------------------------------------------------------------- joints


def _flat_followers(scene: Scene, job: Job) -> Scene:
    """q = m1 (q2 - r1) + o1 with q2 = m2 (q3 - r2) + o2."""
    leaders = {name: dof.mimic for name, (_, dof) in scene.dofs().items() if dof.mimic is not None}

    def flat(dof: Dof) -> Dof:
        mimic, seen = dof.mimic, {dof.name}
        while mimic is not None and mimic.dof in leaders and mimic.dof not in seen:
            seen.add(mimic.dof)
            mimic = _joined(mimic, leaders[mimic.dof])
        circular = mimic is not None and mimic.dof in leaders
        return dof if circular or mimic is dof.mimic else replace(dof, mimic=mimic)

    return map_dofs(scene, flat)


def _joined(first: Mimic, second: Mimic) -> Mimic:
    offset = first.multiplier * (second.offset - first.reference) + first.offset
    return replace(second, multiplier=first.multiplier * second.multiplier, offset=offset)


def _own_masters(scene: Scene, job: Job) -> Scene:
    """What follows a fixed joint could never move; it is taken that its author meant a joint that does."""
    fixed = {joint.name for joint in scene.joints.values() if is_fixed(scene, joint.name)}
    return map_dofs(scene, lambda dof: replace(dof, mimic=None) if dof.mimic and dof.mimic.dof in fixed else dof)


def _known_types(scene: Scene, job: Job) -> Scene:
    """Joints of one coordinate each instead of those that URDF does not have; the links in between are given inertia
    by the repairs that follow."""
    apart = {name for joint in scene.joints.values() if word_of(joint.dofs) in DIALECT for name in _named_dofs(joint)}
    if job.format != "urdf" or not apart or apart & _used(scene):
        return scene
    known = scene.graph
    scene = COMPOUND.apply(scene, job.target)
    scene = unchained(scene, lambda dofs: word_of(dofs) not in (*DIALECT, None))
    return map_bodies(scene, lambda body: body if body.name in known else replace(body, inertial=None))


def _named_dofs(joint: Joint) -> tuple[str, ...]:
    return tuple(dof.name for dof in joint.dofs)


def _used(scene: Scene) -> set[str]:
    """Degrees of freedom of which something else speaks."""
    return {each.name for _, entity in entities(scene) for each in references(entity) if "dof" in each.kind}


def _limits(scene: Scene, job: Job) -> Scene:
    def sound(dof: Dof) -> Dof:
        values: dict[str, Any] = {}
        if dof.lower is not None and dof.upper is not None and dof.lower > dof.upper:
            values |= {"lower": dof.upper, "upper": dof.lower}
        for name in ("effort", "velocity", "damping", "friction", "armature"):
            value = getattr(dof, name)
            if value is not None and value < 0.0:
                values[name] = -value
        for name in ("effort", "velocity"):
            if getattr(dof, name) == 0.0:
                values[name] = None
        return replace(dof, **values) if values else dof

    return map_dofs(_without_extras(scene, ("LIMIT-CONT",)), sound)


def _immobile(scene: Scene, job: Job) -> Scene:
    """A joint that cannot move is a fixed one, unless somebody else speaks of its motion."""
    used = _used(scene)

    def held(joint: Joint) -> Joint:
        if len(joint.dofs) != 1 or joint.dofs[0].name in used:
            return joint
        lower, upper, zero = joint.dofs[0].lower, joint.dofs[0].upper, joint.dofs[0].zero
        return replace(joint, dofs=()) if lower is not None and lower == upper == zero == 0.0 else joint

    return map_joints(scene, held)


def _snapped(scene: Scene, job: Job) -> Scene:
    """Angles that are nearly quarter turns, made so."""

    def snapped(owner: Placed) -> Placed:
        pose = _snap(owner.pose)
        return owner if pose is owner.pose else replace(owner, pose=pose)

    return map_joints(map_geoms(scene, snapped), snapped)


def _snap(pose: Pose) -> Pose:
    if pose.rpy is None:
        return pose
    turns = [round(angle / QUARTER) * QUARTER for angle in pose.rpy]
    near = [
        turn if abs(angle) > NEAR and EXACT < abs(angle - turn) < NEAR else angle
        for angle, turn in zip(pose.rpy, turns, strict=True)
    ]
    rpy = (near[0], near[1], near[2])
    return pose if rpy == pose.rpy else Pose(pose.pos, from_rpy(rpy), rpy)


# --------------------------------------------------------------------------------------------------- names and the tree


def _portable(scene: Scene, job: Job) -> Scene:
    """Names of letters, digits and _ for links and joints; whatever refers to them follows."""
    if job.format == "sdf":  # :: parts the names of nested models there
        return scene
    for kind, collection in (("body", scene.bodies), ("joint", scene.joints)):
        taken, mapping = set(collection), {}
        for name in collection:
            if name != WORLD and not PORTABLE.match(name):
                new = re.sub(r"[^A-Za-z0-9_.-]", "_", name)
                new = unique(new if PORTABLE.match(new) else f"_{new}", taken)
                taken.add(new)
                mapping[name] = new
        dofs = scene.dofs()
        if mapping:
            scene = rename(scene, kind, mapping)
            if kind == "joint":
                own = {name: new for name, new in mapping.items() if name in dofs and new not in dofs}
                scene = rename(scene, "dof", own) if own else scene
    return scene


def _apart(scene: Scene, job: Job) -> Scene:
    """A joint that is named as a link gets another name."""
    return names.PASS.apply(scene, job.target) if job.format == "urdf" else scene


def _one_root(scene: Scene, job: Job) -> Scene:
    if job.format not in ("urdf", "xacro") or len(scene.roots()) + _held(scene) < 2:
        return scene
    return base.PASS.apply(scene, replace(job.target, options=replace(job.target.options, base="fixed")))


def _held(scene: Scene) -> int:
    return 1 if next(scene.child_joints(WORLD), None) is not None else 0


def _light_root(scene: Scene, job: Job) -> Scene:
    """A root without inertia above the one that has it."""
    heavy = [name for name in scene.roots() if (inertial := scene.body(name).inertial) and inertial.mass > 0.0]
    if job.format not in ("urdf", "xacro") or not heavy:
        return scene
    taken, joints = set(scene.graph), set(scene.joints)
    bodies: list[Body] = []
    made: list[Joint] = []
    for name in heavy:
        root = unique(f"{name}_root", taken)
        taken.add(root)
        bodies.append(Body(name=root))
        made.append(Joint(name=unique(f"{root}_joint", joints), parent=root, child=name))
        joints.add(made[-1].name)
    return scene.evolve(bodies=[*bodies, *scene.bodies.values()], joints=[*made, *scene.joints.values()])


def _known_joints(scene: Scene, job: Job) -> Scene:
    dofs = scene.dofs()
    table = scene.tables["transmission"]
    whole = [each for each in table.values() if each.joints and each.actuators]
    kept = [each for each in whole if all(end.name in dofs for end in each.joints)]
    return scene if len(kept) == len(table) else scene.evolve(tables={"transmission": kept})


def _own_actuators(scene: Scene, job: Job) -> Scene:
    """An actuator that another transmission has gets another name."""
    table = dict(scene.tables["transmission"])
    taken = {end.name for each in table.values() for end in each.actuators}
    for old, name in [*doubled(scene)]:
        new = unique(name, taken)
        taken.add(new)
        ends = [replace(end, name=new) if end.name == name else end for end in table[old.name].actuators]
        table[old.name] = replace(table[old.name], actuators=tuple(ends))
    return scene.evolve(tables={"transmission": table.values()}) if table != scene.tables["transmission"] else scene


# ------------------------------------------------------------------------------------------------------------- geometry


def _solid_geoms(scene: Scene, job: Job) -> Scene:
    """Without what has no shape, or no size."""

    def kept(geom: Geom) -> bool:
        return geom.shape is not None and all(math.isfinite(size) and size > 0.0 for size in sizes(geom.shape))

    return map_bodies(
        scene,
        lambda body: body if all(map(kept, body.geoms)) else replace(body, geoms=tuple(filter(kept, body.geoms))),
    )


def _known_shapes(scene: Scene, job: Job) -> Scene:
    """A thin box for a plane, a mesh for a cone or an ellipsoid."""
    if job.format != "urdf":
        return scene
    taken, made = set(scene.assets), dict[str, Asset]()

    def plain(geom: Geom) -> Geom:
        found = solid(geom.shape)
        if found is None or geom.role not in (Role.VISUAL, Role.COLLISION):
            return geom
        name, scale = found
        if name not in made:
            file = geom.source.file if geom.source is not None else name
            made[name] = Asset(name=unique(name, taken), uri="", made=obj(name), file=file)
        return replace(geom, shape=Mesh(asset=made[name].name, scale=scale))

    scene = SLABS.apply(scene, job.target)
    meshed = map_geoms(scene, plain)
    return meshed.evolve(tables={"asset": [*scene.assets.values(), *made.values()]}) if made else scene


def _no_capsules(scene: Scene, job: Job) -> Scene:
    """A cylinder and two spheres, where the version of URDF has no capsules."""
    if job.format not in ("urdf", "xacro") or not any(each.rule == "PORT-CAPSULE" for each in job.breaches):
        return scene

    def parts(geom: Geom) -> list[Geom]:
        if not isinstance(geom.shape, Capsule) or geom.role not in (Role.VISUAL, Role.COLLISION):
            return [geom]
        made = capsule_parts(geom.name, geom.shape, geom.pose)
        return [
            replace(geom, name=name, shape=shape, pose=pose, label=geom.label if name == geom.name else None)
            for name, shape, pose in made
        ]

    def parted(body: Body) -> Body:
        geoms = tuple(part for geom in body.geoms for part in parts(geom))
        return body if len(geoms) == len(body.geoms) else replace(body, geoms=geoms)

    return map_bodies(scene, parted)


def _both_seen_and_touched(scene: Scene, job: Job) -> Scene:
    """What is only seen collides as well, and the other way."""
    if job.format not in ("urdf", "sdf", "xacro"):
        return scene
    taken = {geom.name for body in scene.bodies.values() for geom in body.geoms}

    def copied(geom: Geom, role: str) -> Geom:
        name = unique(f"{geom.name}_{role}", taken)
        taken.add(name)
        material = geom.material if role == Role.VISUAL else None
        return replace(geom, name=name, label=None, role=role, material=material, inline=False, extras=())

    def whole(body: Body) -> Body:
        if not body.geoms or body.name == WORLD:
            return body
        roles = {geom.role for geom in body.geoms}
        for role, other, wanted in (
            (Role.VISUAL, Role.COLLISION, Role.SEEN),
            (Role.COLLISION, Role.VISUAL, Role.COLLIDING),
        ):
            if other in roles and roles.isdisjoint(wanted):
                more = [copied(geom, role) for geom in body.geoms if geom.role == other and geom.shape is not None]
                return replace(body, geoms=(*body.geoms, *more)) if more else body
        return body

    return map_bodies(scene, whole)


def _repairs() -> tuple[Repair, ...]:
    return (
        Repair(SURPLUS, SAFE, _without_surplus),
        Repair(("PORT-VERSION-TEXT",), SAFE, _version),
        Repair(("MAT-UNDEF", "MAT-NOVALUE", "MAT-CONFLICT"), SAFE, _materials),
        Repair(("MIMIC-CHAIN",), SAFE, _flat_followers),
        Repair(("MESH-HEUR", "MESH-CASE"), SAFE, _addresses),
        Repair(("NAME-CHARS",), OPT_IN, _portable),
        Repair(("NAME-CLASH",), OPT_IN, _apart),
        Repair(
            ("LIMIT-ORDER", "LIMIT-NEG", "LIMIT-ZERO-EFF", "LIMIT-ZERO-VEL", "LIMIT-CONT", "JOINT-DYN-NEG"),
            OPT_IN,
            _limits,
        ),
        Repair(("LIMIT-EMPTY",), OPT_IN, _immobile),
        Repair(("MIMIC-FIXED",), OPT_IN, _own_masters),
        Repair(("ROT-SNAP",), OPT_IN, _snapped),
        Repair(("EXT-TR-JOINT", "EXT-TR-EMPTY"), OPT_IN, _known_joints),
        Repair(("NAME-DUP-ACTUATOR",), OPT_IN, _own_actuators),
        Repair(("GEOM-EMPTY", "GEOM-DIM"), OPT_IN, _solid_geoms),
        Repair(("GEOM-DIALECT",), OPT_IN, _known_shapes),
        Repair(("GEOM-NOVIS", "GEOM-NOCOL"), OPT_IN, _both_seen_and_touched),
        Repair(("JOINT-DIALECT",), OPT_IN, _known_types),
        Repair(INERTIA, OPT_IN, from_hulls, "from its geometry; the convex hull stands for a mesh that is open"),
        Repair(INERTIA, OPT_IN, from_solids, "from its geometry"),
        Repair(INERTIA, OPT_IN, possible, "the nearest that a body can have, or the least that engines take"),
        Repair(("PORT-CAPSULE",), OPT_IN, _no_capsules),
        Repair(("TREE-ROOTS", "TREE-CYCLE"), OPT_IN, _one_root),
        Repair(("TREE-ROOT-INERTIA",), OPT_IN, _light_root),
    )


REPAIRS = _repairs()
"""In the order in which they run: what drops things first, so that nothing is computed of what goes."""
