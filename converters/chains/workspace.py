"""The pose of a chain's tip, its reach from the root of the chain, and the dofs between them."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import product
from typing import Any

from converters.chains.denavit_hartenberg import square
from ir.arrays import Floats, np
from ir.kinematics import COORDINATES
from ir.pose import compose, invert, matrix, pose_rpy, transform
from ir.scene import Scene
from ir.types import IDENTITY, WORLD, Dof, DofKind, Joint, Pose

SAMPLES = 4096
LEAST, MOST = 128, 400_000
"""Least samples of a long chain, and the limit on joints times samples above which there are fewer."""
CORNERS = 8
"""Most consecutive slides whose ends are tried together; for more of them lengths are added up."""


def chain_to(scene: Scene, tip: str) -> tuple[str, list[Joint]]:
    """Return the root of the tree that contains tip, and the joints from it to tip."""
    joints: list[Joint] = []
    while (joint := scene.joint_of(tip)) is not None and joint.parent != WORLD:
        joints.append(joint)
        tip = joint.parent
    return tip, joints[::-1]


def tip_pose(poses: Mapping[str, Pose], root: str, tip: str) -> dict[str, Any]:
    """Return the pose of tip in the frame of root, where poses are those of bodies in the world
    (ir.kinematics.forward).

    matrix (4, 4) row by row; xyz in metres; rpy in radians about fixed axes, Rz(yaw) Ry(pitch) Rx(roll); quaternion w x
    y z.
    """
    pose = compose(invert(poses[root]), poses[tip])
    return {
        "matrix": square(pose).tolist(),
        "xyz": list(pose.pos),
        "rpy": list(pose_rpy(pose)),
        "quaternion": list(pose.rot),
    }


def dof_rows(joints: Sequence[Joint]) -> list[dict[str, Any]]:
    """Return a row for each dof, and one for a weld: axes in the frame of the child, radians and metres."""
    found: list[dict[str, Any]] = []
    for joint in joints:
        between = {"joint": joint.name, "parent": joint.parent, "child": joint.child}
        if not joint.dofs:
            found.append(between | {"dof": None, "type": "weld"})
        for dof in joint.dofs:
            limits = {name: getattr(dof, name) for name in ("lower", "upper", "velocity", "effort")}
            axis = list(dof.axis) if dof.kind not in COORDINATES else None
            found.append(
                between | {"dof": dof.name, "type": str(dof.kind), "axis": axis} | limits | {"follows": follows(dof)}
            )
    return found


def follows(dof: Dof) -> list[Any] | None:
    """Return leader, multiplier and offset of a dof that mimics another, else None."""
    mimic = dof.mimic
    return None if mimic is None else [mimic.dof, mimic.multiplier, mimic.constant]


def reach(leaders: Mapping[str, Dof], joints: Sequence[Joint]) -> dict[str, Any]:
    """Return how far the origin of the tip can get from the origin of the root, in metres; leaders are all dofs of the
    scene.

    bound: no configuration within the limits is farther. The distances between consecutive rotation axes, with slides
    at the end that makes them longest, are added up as if the chain could be stretched out. None where nothing limits
    it. seen: the farthest of `samples` random configurations, half of them with each joint at zero or at an end of its
    range; an axis without limits makes one turn. None where a coordinate is an orientation or a pose.
    """
    dofs = [dof for joint in joints for dof in joint.dofs]
    ranges = _ranges(leaders, dofs)
    bound = _bound(joints, ranges)
    if not math.isfinite(bound):
        return {"bound": None, "seen": None, "samples": 0}
    if any(dof.kind is DofKind.BALL for dof in dofs):
        return {"bound": bound, "seen": None, "samples": 0}
    samples = max(LEAST, min(SAMPLES, MOST // max(1, len(joints))))
    seen = _poses_of_tip(leaders, joints, ranges, samples)
    if not math.isfinite(seen):  # coordinates too large for a double
        return {"bound": bound, "seen": None, "samples": 0}
    return {"bound": bound, "seen": seen, "samples": samples}


def _ranges(leaders: Mapping[str, Dof], dofs: Iterable[Dof]) -> dict[str, tuple[float, float]]:
    """Return the limits of dofs and of all their leaders, infinite where there are none; a mimic is also limited by the
    range of its leader."""
    ranges: dict[str, tuple[float, float]] = {}
    for dof in dofs:
        for each in reversed(_led(leaders, dof, ranges)):
            low, high = each.range
            high, mimic = max(high, low), each.mimic
            if mimic is not None and mimic.dof in ranges:
                ends = ranges[mimic.dof]
                led = sorted(
                    mimic.multiplier * end + mimic.constant if mimic.multiplier else mimic.constant for end in ends
                )
                apart = led[0] > high or low > led[1]
                low, high = (led[0], led[1]) if apart else (max(low, led[0]), min(high, led[1]))
            ranges[each.name] = low, high
    return ranges


def _led(leaders: Mapping[str, Dof], dof: Dof, known: Container[str]) -> list[Dof]:
    """Return a dof, its leader, the leader of that and so on, up to a known one or the end of a cycle."""
    met: dict[str, Dof] = {}
    each: Dof | None = dof
    while each is not None and each.name not in known and each.name not in met:
        met[each.name] = each
        each = leaders.get(each.mimic.dof) if each.mimic is not None else None
    return list(met.values())


def _bound(joints: Sequence[Joint], ranges: Mapping[str, tuple[float, float]]) -> float:
    here, last = IDENTITY, (0.0, 0.0, 0.0)
    total = 0.0
    slides: list[tuple[Floats, tuple[float, float]]] = []
    for joint in joints:
        here = compose(here, joint.pose)
        for dof in joint.dofs:
            if dof.kind is DofKind.FREE:
                return math.inf
            axis = matrix(here.rot) @ np.array(dof.axis)
            low, high = (end - dof.zero for end in ranges[dof.name])
            if dof.kind is not DofKind.SLIDE:
                place = transform(here, dof.anchor)
                total += _longest(np.subtract(place, last), slides)
                last, slides = place, []
            if dof.kind is DofKind.SLIDE or (dof.kind is DofKind.SCREW and dof.pitch):
                pitch = 1.0 if dof.kind is DofKind.SLIDE else float(dof.pitch or 0.0)
                slides.append((axis, (min(low * pitch, high * pitch), max(low * pitch, high * pitch))))
    return total + _longest(np.subtract(here.pos, last), slides)


def _longest(way: Floats, slides: Sequence[tuple[Floats, tuple[float, float]]]) -> float:
    """Return the longest distance between two rotation axes: it is convex in the slides, so largest at their ends."""
    if any(not math.isfinite(end) for _, ends in slides for end in ends):
        return math.inf
    if len(slides) > CORNERS:
        return float(np.linalg.norm(way)) + sum(max(map(abs, ends)) for _, ends in slides)
    at = [[axis * end for end in ends] for axis, ends in slides]
    return max(float(np.linalg.norm(way + sum(chosen, start=np.zeros(3)))) for chosen in product(*at))


def _poses_of_tip(
    leaders: Mapping[str, Dof], joints: Sequence[Joint], ranges: Mapping[str, tuple[float, float]], samples: int
) -> float:
    """Compute all configurations at once: rotations (n, 3, 3) and positions (n, 3) of the tip, link by link."""
    dice = np.random.default_rng(0)
    values: dict[str, Floats] = {}

    def drawn(dof: Dof) -> Floats:
        for each in reversed(_led(leaders, dof, values)):
            (low, high), mimic = ranges[each.name], each.mimic
            if mimic is not None and mimic.dof in values:
                led = values[mimic.dof] - mimic.reference
                values[each.name] = np.clip(led * mimic.multiplier + mimic.offset, low, high)
            else:
                values[each.name] = _spread(dice, low, high, samples)
        return values[dof.name]

    turn, place = np.tile(np.eye(3), (samples, 1, 1)), np.zeros((samples, 3))
    for joint in joints:
        place = place + turn @ np.array(joint.pose.pos)
        turn = turn @ matrix(joint.pose.rot)
        for dof in joint.dofs:
            amount, axis = drawn(dof) - dof.zero, np.array(dof.axis)
            along = {DofKind.SLIDE: 1.0, DofKind.SCREW: dof.pitch or 0.0}.get(dof.kind, 0.0)
            place = place + (turn @ axis) * (amount * along)[:, None]
            if dof.kind is not DofKind.SLIDE:
                anchor = np.array(dof.anchor)
                place = place + turn @ anchor
                turn = turn @ _about(axis, amount)
                place = place - turn @ anchor
    return float(np.linalg.norm(place, axis=1).max())


def _spread(dice: np.random.Generator, low: float, high: float, samples: int) -> Floats:
    """Return random values in a range, half of them at zero or at an end; a missing end is that of one turn."""
    first = low if math.isfinite(low) else min(-math.pi, high)
    last = high if math.isfinite(high) else max(math.pi, low)
    share = dice.random(samples)
    some: Floats = first * (1.0 - share) + last * share  # last - first could overflow
    ends = np.array([first, last, min(max(0.0, first), last)])
    some[samples // 2 :] = ends[dice.integers(0, 3, samples - samples // 2)]
    return some


def _about(axis: Floats, angles: Floats) -> Floats:
    """Return rotations (n, 3, 3) about a unit axis, by Rodrigues' formula."""
    x, y, z = axis
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    made: Floats = (
        np.eye(3) + np.sin(angles)[:, None, None] * cross + (1 - np.cos(angles))[:, None, None] * (cross @ cross)
    )
    return made
