"""Names, roots and transmissions."""

from __future__ import annotations

import re

from msgspec.structs import replace

from converters.passes import base, names
from converters.validating.repairs.job import RepairJob
from converters.validating.transmissions import doubled
from converters.validating.tree import PORTABLE
from ir.names import Spares
from ir.refs import rename
from ir.scene import Scene
from ir.types import WORLD, Body, Joint


def portable(scene: Scene, job: RepairJob) -> Scene:
    """Restrict the names of links and joints to letters, digits, _, . and -; references are updated."""
    for kind, collection in (("body", scene.bodies), ("joint", scene.joints)):
        spares, mapping = Spares(collection), {}
        for name in collection:
            if name != WORLD and not PORTABLE.match(name):
                new = re.sub(r"[^A-Za-z0-9_.-]", "_", name)
                mapping[name] = spares.of(new if PORTABLE.match(new) else f"_{new}")
        dofs = scene.dofs()
        if mapping:
            scene = rename(scene, kind, mapping)
            if kind == "joint":
                own = {name: new for name, new in mapping.items() if name in dofs and new not in dofs}
                scene = rename(scene, "dof", own) if own else scene
    return scene


def apart(scene: Scene, job: RepairJob) -> Scene:
    """Rename a joint that has the name of a link."""
    return names.SHARED_NAMES.apply(scene, job.target)


def one_root(scene: Scene, job: RepairJob) -> Scene:
    """Attach several roots to the world."""
    if len(scene.roots()) + _count_held(scene) < 2:
        return scene
    return base.FIXED.apply(scene, replace(job.target, options=replace(job.target.options, base="fixed")))


def _count_held(scene: Scene) -> int:
    return 1 if next(scene.child_joints(WORLD), None) is not None else 0


def light_root(scene: Scene, job: RepairJob) -> Scene:
    """Add a root without inertia above each root that has inertia."""
    heavy = [name for name in scene.roots() if (inertial := scene.body(name).inertial) and inertial.mass > 0.0]
    if not heavy:
        return scene
    links, joints = Spares(scene.bodies), Spares(scene.joints)
    bodies: list[Body] = []
    made: list[Joint] = []
    for name in heavy:
        root = links.of(f"{name}_root")
        bodies.append(Body(name=root))
        made.append(Joint(name=joints.of(f"{root}_joint"), parent=root, child=name))
    return scene.evolve(bodies=[*bodies, *scene.bodies.values()], joints=[*made, *scene.joints.values()])


def known_joints(scene: Scene, job: RepairJob) -> Scene:
    """Remove transmissions that are empty, or reference joints that do not move."""
    dofs = scene.dofs()
    table = scene.tables["transmission"]
    whole = [each for each in table.values() if each.joints and each.actuators]
    kept = [each for each in whole if all(end.name in dofs for end in each.joints)]
    return scene if len(kept) == len(table) else scene.evolve(tables={"transmission": kept})


def own_actuators(scene: Scene, job: RepairJob) -> Scene:
    """Rename an actuator that another transmission also has."""
    table = dict(scene.tables["transmission"])
    spares = Spares(end.name for each in table.values() for end in each.actuators)
    for old, name in [*doubled(scene)]:
        new = spares.of(name)
        ends = [replace(end, name=new) if end.name == name else end for end in table[old.name].actuators]
        table[old.name] = replace(table[old.name], actuators=tuple(ends))
    return scene.evolve(tables={"transmission": table.values()}) if table != scene.tables["transmission"] else scene
