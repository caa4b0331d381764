"""Forward kinematics over the tree, and the motion that each velocity coordinate gives to the bodies it moves.

Conventions, used by dynamics too:

- X(child) = X(parent) * joint.pose * M1(q1 - zero1) * M2(q2 - zero2) ..., the dofs in their order, each with axis and
anchor in the frame of the child after the dofs before it.

- HINGE turns about the axis through the anchor (radians), SLIDE moves along the axis (metres), SCREW does both: `pitch`
metres for each radian. BALL turns about the anchor by a unit quaternion w x y z.

- FREE replaces the pose: its coordinates x y z w x y z are the pose of the child in the frame of the parent, so
joint.pose is only its default.

- A root without a joint is at the origin of the world. Joints that close a loop, and constraints, move nothing: the
caller is responsible for coordinates that violate them.
"""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from ir.pose import about, add, compose, from_axis_angle, normalise, rotate, scale, transform, unit
from ir.scene import Scene
from ir.types import AXES, IDENTITY, WORLD, Dof, DofKind, Joint, Mimic, Pose, Quat, Vec3

Coordinate = float | Sequence[float]
"""A coordinate: a number, w x y z of a BALL, x y z w x y z of a FREE dof."""

COORDINATES: Mapping[DofKind, int] = MappingProxyType({DofKind.BALL: 4, DofKind.FREE: 7})
"""Numbers in the coordinate of a kind; 1 for those not listed."""

VELOCITIES: Mapping[DofKind, int] = MappingProxyType({DofKind.BALL: 3, DofKind.FREE: 6})
"""Numbers in the velocity of a kind; 1 for those not listed."""

NOWHERE: Mapping[str, Coordinate] = MappingProxyType({})
"""Every dof at its rest position."""


def forward(scene: Scene, positions: Mapping[str, Coordinate] = NOWHERE) -> dict[str, Pose]:
    """The pose of every body in the world, including the world itself.

    positions gives coordinates by dof name; a dof that is not named is at its rest position, or follows the one it
    mimics. Linear in bodies, and iterative. Raises ValueError for an unknown dof, a wrong number of coordinates, or
    bodies in a cycle.
    """
    values = configuration(scene, positions)
    poses: dict[str, Pose] = {}
    for joint, body in scene.walk():
        if joint is None:
            poses[body.name] = IDENTITY
            continue
        pose = compose(poses[joint.parent], joint.pose)
        for dof in joint.dofs:
            pose = _moved(poses[joint.parent], pose, dof, values[dof.name])
        poses[body.name] = Pose(pose.pos, normalise(pose.rot))
    if len(poses) != len(scene.bodies):
        lost = sorted(set(scene.bodies) - set(poses))
        raise ValueError(f"bodies in a cycle: {', '.join(lost)}")
    return poses


def poses_as_drawn(scene: Scene) -> dict[str, Pose]:
    """The pose of each body in the world as the model is drawn: every dof at its zero, including followers."""
    poses: dict[str, Pose] = {}
    for joint, body in scene.walk():
        poses[body.name] = compose(poses[joint.parent], joint.pose) if joint is not None else IDENTITY
    return poses


def placement(joint: Joint, values: Mapping[str, tuple[float, ...]]) -> Pose:
    """The pose of the child of a joint in its parent; values gives the coordinates of its dofs (configuration)."""
    pose = joint.pose
    for dof in joint.dofs:
        pose = _moved(IDENTITY, pose, dof, values[dof.name])
    return Pose(pose.pos, normalise(pose.rot))


def moving_bodies(scene: Scene) -> set[str]:
    """Bodies with a degree of freedom between them and the world. A root without a joint is not one of them."""
    found: set[str] = set()
    for joint, body in scene.walk():
        if joint is not None and (joint.dofs or joint.parent in found):
            found.add(body.name)
    return found


def still_bodies(scene: Scene) -> set[str]:
    """Bodies that never move: the world, and everything welded to it."""
    found = {WORLD}
    for joint, body in scene.walk():
        if joint is not None and not joint.dofs and joint.parent in found:
            found.add(body.name)
    return found


def _moved(parent: Pose, pose: Pose, dof: Dof, value: tuple[float, ...]) -> Pose:
    """The frame after a dof; parent is that of the joint, pose the frame before the dof."""
    step = motion(dof, value)
    return compose(parent if dof.kind is DofKind.FREE else pose, step)


def motion(dof: Dof, value: Coordinate) -> Pose:
    """M(q - zero) of one dof in the frame of the child; of a FREE dof the pose of the child in the frame of the parent.

    Raises ValueError for a wrong number of coordinates and for a quaternion without a direction.
    """
    return motion_by(dof, _numbers(dof, value), from_axis_angle, normalise)


def motion_by(
    dof: Dof, numbers: Sequence[Any], turned: Callable[[Vec3, Any], Quat], normalised: Callable[[Quat], Quat]
) -> Pose:
    """motion for the numbers of a coordinate, which may be arrays (ir.tracks), by functions that make a quaternion of
    an axis and an angle, and a unit quaternion of any."""
    if dof.kind is DofKind.FREE:
        x, y, z, *quaternion = numbers
        return Pose((x, y, z), normalised(_quaternion(quaternion)))
    if dof.kind is DofKind.BALL:
        return about(dof.anchor, normalised(_quaternion(numbers)))
    amount = numbers[0] - dof.zero
    if dof.kind is DofKind.SLIDE:
        return Pose(scale(dof.axis, amount))
    turn = about(dof.anchor, turned(dof.axis, amount))
    if dof.kind is DofKind.SCREW:
        return Pose(add(turn.pos, scale(dof.axis, amount * (dof.pitch or 0.0))), turn.rot)
    return turn


def coordinate_size(dof: Dof) -> int:
    """Numbers in the coordinate of a dof."""
    return COORDINATES.get(dof.kind, 1)


def velocity_size(dof: Dof) -> int:
    """Numbers in the velocity of a dof."""
    return VELOCITIES.get(dof.kind, 1)


def _numbers(dof: Dof, value: Coordinate) -> tuple[float, ...]:
    numbers = (float(value),) if isinstance(value, (int, float)) else tuple([float(number) for number in value])
    if len(numbers) != coordinate_size(dof):
        raise ValueError(f"dof {dof.name!r} ({dof.kind}) has {coordinate_size(dof)} coordinates, not {len(numbers)}")
    return numbers


def _quaternion(numbers: Sequence[Any]) -> Quat:
    w, x, y, z = numbers
    return (w, x, y, z)


# -------------------------------------------------------------------------------------------------------- coordinates


def configuration(scene: Scene, positions: Mapping[str, Coordinate] = NOWHERE) -> dict[str, tuple[float, ...]]:
    """The coordinates of every dof of the scene: given ones, then followers of a mimic, then the rest positions.

    The rest position of a scalar dof is its zero, of a BALL no rotation, of a FREE dof the pose of its joint. A
    follower with a given value gets that value: a recorded state names every dof, and real robots violate the mimic of
    a URDF. Chains of followers may be in any order; one without a leader is treated as any other dof. Raises ValueError
    for an unknown dof and for a wrong number of coordinates.
    """
    dofs = scene.dofs()
    for name in positions:
        if name not in dofs:
            raise ValueError(f"no dof named {name!r}")
    led = followers(scene)
    values: dict[str, tuple[float, ...]] = {}
    for name, (joint, dof) in dofs.items():
        if name in positions:
            values[name] = _numbers(dof, positions[name])
        elif name not in led:
            values[name] = rest(joint, dof)
    for name in dofs:
        if name not in values:
            _follow(name, dofs, values)
    return {name: values[name] for name in dofs}


def mimics(scene: Scene) -> dict[str, Mimic]:
    """The mimic of each dof that has one, by name."""
    return {name: dof.mimic for name, (_, dof) in scene.dofs().items() if dof.mimic is not None}


def followers(scene: Scene) -> set[str]:
    """Dofs that follow another. A mimic in a cycle, without a leader or with one of several coordinates is ignored."""
    dofs = scene.dofs()
    leaders = {name: mimic.dof for name, mimic in mimics(scene).items()}
    known: dict[str, bool] = {}
    for first in leaders:
        chain, name = _chain(first, leaders, known)
        leads = known.get(name, name in dofs and name not in leaders)
        for follower in reversed(chain):
            scalar = leaders[follower] in dofs and dofs[leaders[follower]][1].kind not in COORDINATES
            leads = leads and scalar and dofs[follower][1].kind not in COORDINATES
            known[follower] = leads
    return {name for name, leads in known.items() if leads}


def circles(scene: Scene) -> Iterator[list[str]]:
    """Cycles of dofs that follow each other, each cycle once, starting at the first one met."""
    yield from rings({name: mimic.dof for name, mimic in mimics(scene).items()})


def rings(leaders: Mapping[str, str]) -> Iterator[list[str]]:
    """Cycles of names that lead each other, each cycle once, starting at the first one met."""
    done: set[str] = set()
    for first in leaders:
        chain, name = _chain(first, leaders, done)
        if name in chain:
            yield chain[chain.index(name) :]
        done.update(chain)


def _chain(name: str, leaders: Mapping[str, str], known: Container[str]) -> tuple[list[str], str]:
    """A name and its chain of leaders, and the end of the chain: a first leader, a known follower, a member of the
    chain itself (a cycle), or a missing name."""
    chain: dict[str, None] = {}
    while name in leaders and name not in known and name not in chain:
        chain[name] = None
        name = leaders[name]
    return [*chain], name


def rest(joint: Joint, dof: Dof) -> tuple[float, ...]:
    """The coordinate of a dof at rest: its zero (radians or metres), no rotation, the pose of its joint."""
    if dof.kind is DofKind.FREE:
        return (*joint.pose.pos, *joint.pose.rot)
    return (1.0, 0.0, 0.0, 0.0) if dof.kind is DofKind.BALL else (dof.zero,)


def _follow(name: str, dofs: Mapping[str, tuple[Joint, Dof]], values: dict[str, tuple[float, ...]]) -> None:
    """Compute a follower and every follower between it and the first dof that has a value."""
    chain: list[tuple[str, Mimic]] = []
    while name not in values:
        mimic = dofs[name][1].mimic
        assert mimic is not None  # a dof without a mimic has a value
        chain.append((name, mimic))
        name = mimic.dof
    for follower, mimic in reversed(chain):
        values[follower] = (min(max(mimic.led(values[mimic.dof][0]), -MOST), MOST),)


MOST = sys.float_info.max
"""Radians or metres: the limit of the position of a follower, which would overflow otherwise."""


FAR = 1e4
"""Radians or metres between limits."""


def random_configuration(scene: Scene, seed: int) -> dict[str, tuple[float, ...]]:
    """Coordinates for every tree dof that is not a follower: uniform within its limits, the same for the same seed.

    Without limits: half a turn to either side of zero, a metre to either side; orientations uniform on the sphere, or
    as near to it as the limit of a ball allows. With one limit only, that width inside of it. Limits that are too far
    apart (FAR) are ignored: after 1e16 turns an angle has no digits left.
    """
    dice = random.Random(seed)
    led = followers(scene)
    return {dof.name: _random(dof, dice) for _, dof, _ in velocity_dofs(scene) if dof.name not in led}


def _random(dof: Dof, dice: random.Random) -> tuple[float, ...]:
    if dof.kind in COORDINATES:
        gauss = [dice.gauss(0.0, 1.0) for _ in range(4)]
        turn = _within(normalise(_quaternion(gauss)), dof.upper)
        return turn if dof.kind is DofKind.BALL else (*[dice.uniform(-1.0, 1.0) for _ in range(3)], *turn)
    reach = 1.0 if dof.kind is DofKind.SLIDE else math.pi
    far = dof.lower is not None and dof.upper is not None and dof.upper - dof.lower > FAR
    if far or (dof.lower is None and dof.upper is None):
        return (dice.uniform(dof.zero - reach, dof.zero + reach),)
    lower = dof.lower if dof.lower is not None else (dof.upper or 0.0) - 2 * reach
    return (dice.uniform(lower, dof.upper if dof.upper is not None else lower + 2 * reach),)


def _within(turn: Quat, most: float | None) -> Quat:
    """A rotation about the same axis, scaled down by the ratio of its limit to half a turn."""
    if most is None or most >= math.pi:
        return turn
    w, *axis = turn if turn[0] >= 0.0 else [-part for part in turn]
    return from_axis_angle(unit((axis[0], axis[1], axis[2])), 2.0 * math.acos(min(w, 1.0)) * most / math.pi)


# ----------------------------------------------------------------------------------------------------------- velocity


class Twist(Struct, frozen=True):
    """The motion of one velocity coordinate at unit rate, in world axes: the body and all below it turn with `angular`
    (rad/s) about `point` (metres, world), and their material point at `point` moves with `linear` (m/s)."""

    body: str
    angular: Vec3
    linear: Vec3
    point: Vec3


def velocity_dofs(scene: Scene) -> Iterator[tuple[Joint, Dof, int]]:
    """Tree dofs parents first, in the order of Scene.walk, each with the index of its first velocity coordinate."""
    index = 0
    for joint, _ in scene.walk():
        if joint is not None:
            for dof in joint.dofs:
                yield joint, dof, index
                index += velocity_size(dof)


def velocity_names(scene: Scene) -> list[str]:
    """One name for each velocity coordinate: that of the dof, followed by [0], [1] ... if the dof has several."""
    names: list[str] = []
    for _, dof, _ in velocity_dofs(scene):
        count = velocity_size(dof)
        names += [dof.name] if count == 1 else [f"{dof.name}[{number}]" for number in range(count)]
    return names


def motions(scene: Scene, poses: Mapping[str, Pose], values: Mapping[str, tuple[float, ...]]) -> list[Twist]:
    """The twist of every velocity coordinate, in the order of velocity_names; poses from forward, values from
    configuration.

    HINGE, SLIDE, SCREW: the rate of the coordinate. BALL: the angular velocity in the frame of the child (as the ball
    leaves it, before the dofs after it). FREE: first the velocity of the origin of the child along the axes of the
    parent (the rate of x y z), then the angular velocity in the frame of the child. These are the conventions of
    MuJoCo.
    """
    twists: list[Twist] = []
    for joint, body in scene.walk():
        if joint is None:
            continue
        parent = poses[joint.parent]
        pose = compose(parent, joint.pose)
        for dof in joint.dofs:
            if dof.kind in COORDINATES:
                pose = _moved(parent, pose, dof, values[dof.name])
                twists += _twists(body.name, dof, parent, pose)
            else:
                twists.append(_twist(body.name, dof, pose))
                pose = _moved(parent, pose, dof, values[dof.name])
    return twists


def _twist(body: str, dof: Dof, pose: Pose) -> Twist:
    axis = rotate(pose.rot, dof.axis)
    if dof.kind is DofKind.SLIDE:
        return Twist(body, (0.0, 0.0, 0.0), axis, pose.pos)
    point = transform(pose, dof.anchor)
    pitch = (dof.pitch or 0.0) if dof.kind is DofKind.SCREW else 0.0
    return Twist(body, axis, scale(axis, pitch), point)


def _twists(body: str, dof: Dof, parent: Pose, pose: Pose) -> Iterator[Twist]:
    """Of a BALL or FREE dof; pose is the frame after it."""
    still = (0.0, 0.0, 0.0)
    point = pose.pos
    if dof.kind is DofKind.FREE:
        for unit in AXES:
            yield Twist(body, still, rotate(parent.rot, unit), point)
    else:
        point = transform(pose, dof.anchor)
    for unit in AXES:
        yield Twist(body, rotate(pose.rot, unit), still, point)
