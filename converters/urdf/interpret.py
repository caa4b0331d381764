"""Elements of Drake, Isaac, MuJoCo and ros2_control in a URDF, as fields of the graph."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from converters.context import InputError, Options, ReaderContext
from converters.format import Pass, Target
from converters.passes.base import AS_ASKED
from converters.passes.contacts import collides, default_masks
from converters.passes.controllers import Drive, controller_drives
from converters.passes.filters import FilterGroup, group_exclusions
from converters.passes.followers import Follower, controller_followers
from converters.passes.friction import drake_friction
from converters.passes.inertia import computed, scaled
from converters.passes.keys import INITIAL, Stated, commanded, stating
from converters.registry import format_named
from converters.source.controllers import drives, starts
from converters.source.drake import filter_group, friction, servo
from converters.source.gazebo import factor_and_offset, mimics
from converters.source.rotors import drives as simple
from converters.source.text import so_many_numbers
from converters.source.tree import Element, fragment, serialise
from converters.srdf.states import read_coordinates
from converters.urdf.gazebo import COMBINING, GAZEBO, PLACED
from converters.urdf.looks import PARTLY, UNDEFINED, WHOLLY
from converters.urdf.tables import FORMAT
from ir.inertia import bounded
from ir.kinematics import forward
from ir.mapping import added, map_bodies, map_table
from ir.names import unique
from ir.pose import compose, invert, pose_from_rpy
from ir.scene import Origins, Scene, address
from ir.types import WORLD, Block, Body, Dof, DofKind, Extra, Hardware, Inertial, Joint, Keyframe, Mimic, Physics, Pose

MJCF = "mjcf"
LOOP = "loop_joint"
ENDS = ("link1", "link2")
GAP = 1e-6
"""Metres between the two ends of a ball joint in the drawn pose up to which they coincide."""


def _elements_of_dialect(scene: Scene, dialect: str, word: str = "") -> Iterator[tuple[Block, Element]]:
    """Yield the blocks of a dialect whose text contains a word, with their elements."""
    for block in scene.tables["block"].values():
        if block.dialect == dialect and block.extras and not block.extras[0].path and word in block.extras[0].text:
            yield block, fragment(block.extras[0].text)


# --------------------------------------------------------------------------------------------------------------- MuJoCo


def _with_mujoco_options(scene: Scene, _: Target) -> Scene:
    """Move <option> of a <mujoco> block to the physics table; the rest of the block stays."""
    if scene.tables["physics"]:
        return scene
    table: dict[str, Block] = dict(scene.tables["block"])
    sections: list[Element] = []
    for block, element in _elements_of_dialect(scene, "mujoco"):
        said = element.findall("option")
        if not said:
            continue
        sections += said
        element.content = [item for item in element.content if item not in said]
        if any(item.attrs or item.content for item in element.elements()):
            name = unique(f"{block.name}_rest", table)
            table[name] = replace(block, name=name, extras=(replace(block.extras[0], text=serialise(element)),))
        del table[block.name]
    physics = _physics_of_sections(sections)
    return scene if physics is None else scene.evolve(tables={"block": table.values(), "physics": [physics]})


def _physics_of_sections(sections: list[Element]) -> Physics | None:
    """Return the physics that the reader of MJCF makes of the sections; None if something is left over."""
    if not sections:
        return None
    root = Element("mujoco")
    root.content.extend(sections)
    reader = format_named(MJCF).read
    assert reader is not None
    try:
        scene = reader(serialise(root).encode(), ReaderContext(file=MJCF, folder=Path(), again=True, strict=False))
    except InputError:
        return None
    found: list[Physics] = list(scene.tables["physics"].values())
    return replace(found[0], source=None) if len(found) == 1 and not found[0].extras else None


def _with_mujoco_inertias(scene: Scene, target: Target) -> Scene:
    """Apply the <compiler> of a <mujoco> block to inertias; later attributes override earlier ones. First those of
    collision shapes replace all that is said, then the bounds, then the total mass (measured, MuJoCo 4).

    A body with neither mass nor shape gets its mass at the pose of its joint, taken relative to the body itself
    (measured, MuJoCo 4). For one with a shape but no mass, --missing-inertia decides.
    """
    said: dict[str, str] = {}
    for _block, element in _elements_of_dialect(scene, "mujoco", "<compiler"):
        for item in element.findall("compiler"):
            said |= item.attrs
    scene = _with_inertias_of_shapes(scene, said, target)
    return _with_total_mass(_with_bounds(scene, said), said)


def _with_inertias_of_shapes(scene: Scene, said: Mapping[str, str], target: Target) -> Scene:
    """Inertias of the collision shapes, of 1000 kg/m^3, where inertiafromgeom asks for them. In a URDF these shapes are
    of group 0."""
    first, last = so_many_numbers(said.get("inertiagrouprange", "0 5"), 2) or (0.0, 5.0)
    if said.get("inertiafromgeom") != "true" or not first <= 0.0 <= last:
        return scene
    solid = [body.name for body in scene.bodies.values() if body.name != WORLD and collides(body)]
    found = computed(scene, solid, Options(), target.load)
    return map_bodies(scene, lambda body: replace(body, inertial=found[body.name][0]) if body.name in found else body)


def _with_total_mass(scene: Scene, said: Mapping[str, str]) -> Scene:
    """Masses scaled to settotalmass, in kg: the sum of all but the bodies that MuJoCo's own import merges with the
    world, which are those that are welded to the root, unless it keeps them (fusestatic)."""
    total = (so_many_numbers(said.get("settotalmass", "-1"), 1) or (-1.0,))[0]
    merged = {WORLD}
    for joint, body in scene.walk():
        if said.get("fusestatic") != "false" and (joint is None or joint.parent == WORLD or _welded(joint, merged)):
            merged.add(body.name)
    known = {body.name: body.inertial for body in scene.bodies.values() if body.inertial is not None}
    weight = sum(inertial.mass for name, inertial in known.items() if name not in merged)
    if not 0.0 < total < math.inf or weight <= 0.0:
        return scene
    made = {name: scaled(each, each.mass * total / weight) for name, each in known.items() if each.mass > 0.0}
    return map_bodies(scene, lambda body: replace(body, inertial=made.get(body.name, body.inertial)))


def _welded(joint: Joint, still: Collection[str]) -> bool:
    return not joint.dofs and joint.parent in still


def _with_bounds(scene: Scene, said: Mapping[str, str]) -> Scene:
    least = [(so_many_numbers(said.get(name, "0"), 1) or (0.0,))[0] for name in ("boundmass", "boundinertia")]
    balance = said.get("balanceinertia") == "true"
    if not (balance or any(each > 0.0 for each in least)):
        return scene

    def weighed(body: Body) -> Body:
        if body.name == WORLD or (body.inertial is None and (collides(body) or not any(each > 0.0 for each in least))):
            return body
        joint = scene.joint_of(body.name)
        place = joint.pose if joint is not None else Pose()
        nothing = Inertial(mass=0.0, tensor=(0.0, 0.0, 0.0, 0.0, 0.0, 0.0), pose=place)
        return replace(body, inertial=bounded(body.inertial or nothing, least[0], least[1], balance))

    return map_bodies(scene, weighed)


BOUNDS = Pass(
    rule="mujoco/bounds",
    reason="when MuJoCo imports the URDF itself, it raises, balances or scales inertias, or computes them from "
    "shapes, as the <compiler> of the URDF's <mujoco> block says",
    severity="note",
    wanted=lambda target: target.fits.actuators,
    apply=_with_mujoco_inertias,
)
OPTIONS = Pass(
    rule="mujoco/option",
    reason="the <option> of the URDF's <mujoco> block, which MuJoCo takes when it imports the URDF itself",
    severity="note",
    wanted=lambda target: target.fits.actuators,
    apply=_with_mujoco_options,
    moves=True,
)

# ---------------------------------------------------------------------------------------------------------------- Drake


def _filter_groups(scene: Scene) -> Iterator[FilterGroup]:
    for block, element in _elements_of_dialect(scene, "drake"):
        group = filter_group(element)
        if group is not None:
            yield FilterGroup(*group, (f"block/{block.name}",))


FILTERS = group_exclusions(_filter_groups)


def _is_tag(extra: Extra, tag: str) -> bool:
    return extra.format == FORMAT and extra.path.partition("[")[0] == tag


FRICTION = drake_friction(friction)

# ---------------------------------------------------------------------------------------------------------------- Isaac


def _with_loop_joints(scene: Scene, _: Target) -> Scene:
    """Convert <loop_joint> to a joint that closes a loop; one whose ends do not meet in the drawn pose is left
    alone."""
    loops = [extra for extra in scene.extras if _is_tag(extra, LOOP)]
    if not loops:
        return scene
    poses = forward(scene)
    taken = set(scene.joints) | set(scene.dofs())
    made: list[Joint] = []
    origins: Origins = {}
    for extra in loops:
        joint = _loop_joint(fragment(extra.text), poses, taken)
        if joint is not None:
            taken.add(joint.name)
            made.append(joint)
            origins[address(joint)] = (("scene", "extras", extra.path),)
    return added(scene, "joint", made, origins)


def _loop_joint(element: Element, poses: Mapping[str, Pose], taken: set[str]) -> Joint | None:
    kind = element.attrs.get("type", "")
    ends = [element.find(tag) for tag in ENDS]
    first, second = (_end_of_loop(end) if end is not None else None for end in ends)
    if kind not in ("spherical", "fixed") or first is None or second is None:
        return None
    (parent, one), (child, other) = first, second
    if parent == child or not {parent, child} <= poses.keys():
        return None
    here, there = compose(poses[parent], one), compose(poses[child], other)
    if max(abs(a - b) for a, b in zip(here.pos, there.pos, strict=True)) > GAP:
        return None
    name = unique(element.attrs.get("name") or "loop", taken)
    dofs = () if kind == "fixed" else (Dof(name=name, kind=DofKind.BALL, anchor=other.pos),)
    return Joint(name=name, parent=parent, child=child, pose=compose(one, invert(other)), dofs=dofs, closes_loop=True)


def _end_of_loop(element: Element) -> tuple[str, Pose] | None:
    """Return (body, pose of the joint in it); None if it is invalid."""
    xyz, rpy = (so_many_numbers(element.attrs.get(name, "0 0 0"), 3) for name in ("xyz", "rpy"))
    if xyz is None or rpy is None:
        return None
    return element.attrs.get("link", ""), pose_from_rpy((xyz[0], xyz[1], xyz[2]), (rpy[0], rpy[1], rpy[2]))


LOOPS = Pass(
    rule="isaac/loop-joint",
    reason="a <loop_joint> of Isaac Sim closes a loop",
    severity="note",
    wanted=lambda target: target.fits.simulator_terms,
    apply=_with_loop_joints,
)


# ----------------------------------------------------------------------------------------------------------- Gazebo's


def _followers_by_control(scene: Scene, target: Target) -> Iterator[Follower]:
    """Yield what <param name="mimic"> of ros2_control declares, unless mimic="false" disables it, and Gazebo's mimic
    plugins if the target has no plugins."""
    hardware: Hardware
    for hardware in scene.tables["hardware"].values():
        for channel in hardware.channels:
            params: dict[str, str] = {}
            for extra in channel.extras:
                if _is_tag(extra, "param"):
                    element = fragment(extra.text)
                    params.setdefault(element.attrs.get("name", ""), element.own_text().strip())
            values = factor_and_offset(params.get("multiplier"), params.get("offset"))
            free = any(extra.path == "@mimic" and extra.text.lower() == "false" for extra in channel.extras)
            if channel.kind == "joint" and "mimic" in params and values is not None and not free:
                mimic = Mimic(dof=params["mimic"], multiplier=values[0], offset=values[1])
                yield Follower(channel.name, mimic, (f"hardware/{hardware.name}", "channels", channel.name, "extras"))
    for block, element in _elements_of_dialect(scene, "gazebo", "<plugin") if not target.fits.gazebo else ():
        for follower, leader, multiplier, offset in mimics(element):
            mimic = Mimic(dof=leader, multiplier=multiplier, offset=offset)
            yield Follower(follower, mimic, (f"block/{block.name}",))


FOLLOWERS = controller_followers(_followers_by_control)


def _drives_of_blocks(scene: Scene) -> Iterator[Drive]:
    single = [name for name, joint in scene.joints.items() if len(joint.dofs) == 1]
    for block, element in _elements_of_dialect(scene, "gazebo", "<plugin"):
        for joint, axis, actuator in drives(element, single):
            if not axis:
                yield Drive(joint, actuator, (f"block/{block.name}",))
    dofs = scene.dofs()
    for name, transmission in simple(scene).items():
        (end,) = transmission.actuators
        servant = servo(end.extras, dofs[name][1]) if name in dofs else None
        if servant is not None:
            at = (f"transmission/{transmission.name}", "actuators", "0", "extras")
            yield Drive(name, replace(servant, name=end.name), at)


CONTROLLERS = controller_drives(_drives_of_blocks)


def _states_of_controllers(scene: Scene) -> Iterator[Stated]:
    """Yield the initial commands of Gazebo controllers as a keyframe."""
    dofs = scene.dofs()
    said = (
        (joint, kind, value, (f"block/{block.name}",))
        for block, element in _elements_of_dialect(scene, "gazebo", "<plugin")
        for joint, axis, kind, value in starts(element)
        if not axis and joint in dofs
    )
    controls, places = commanded(scene, said)
    yield Keyframe(name=INITIAL, controls=controls), places


STATES = stating(_states_of_controllers)


def _standing(scene: Scene, _: Target) -> Scene:
    """The scene whose states put the one base that floats where they say, as words about a joint that nobody declares:
    Pinocchio calls it root_joint."""
    bases = [joint for joint in scene.child_joints(WORLD) if joint.free]
    return map_table(scene, "keyframe", lambda key: _put(key, bases[0])) if len(bases) == 1 else scene


def _put(key: Keyframe, base: Joint) -> Keyframe:
    for extra in key.extras if base.dofs[0].name not in dict(key.positions) else ():
        if extra.format == "srdf" and extra.path.startswith("joint["):
            with suppress(InputError, ValueError):  # it is about something else
                found = read_coordinates(base, fragment(extra.text).attrs.get("value", ""))
                left = tuple(each for each in key.extras if each is not extra)
                return replace(key, positions=(*found.items(), *key.positions), dofs=(*found, *key.dofs), extras=left)
    return key


STANDING = Pass(
    rule="keys/base",
    reason="the state contains the pose of the root, which has an effect now that the root floats (--base)",
    severity="note",
    action="derived",
    wanted=lambda target: target.options.base == "floating" and bool(target.fits.needs_base),  # glTF keeps the roots
    apply=_standing,
)


def passes() -> tuple[Pass, ...]:
    """Return the passes for data that a URDF has for one simulator, or that only one program shows."""
    return (
        FOLLOWERS,
        CONTROLLERS,
        STATES,
        UNDEFINED,
        PARTLY,
        WHOLLY,
        PLACED,
        GAZEBO,
        default_masks(0xFFFF, 0xFFFF, "gazebo/default-masks"),
        *COMBINING,
        BOUNDS,
        OPTIONS,
        FILTERS,
        *FRICTION,
        LOOPS,
        AS_ASKED,
        STANDING,
    )
