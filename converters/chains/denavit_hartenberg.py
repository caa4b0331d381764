"""Serial chains as elementary transforms and as Denavit-Hartenberg rows with base and tool.

Angles are radians, lengths metres. A chain of hinges and slides always has rows, given a base and a tool transform.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from itertools import pairwise

from msgspec import Struct

from ir.arrays import Floats, Wide, np
from ir.kinematics import configuration, forward, random_configuration
from ir.pose import compose, from_z_to, invert, matrix, pose_rpy, transform
from ir.scene import Scene
from ir.types import IDENTITY, SCALAR, Dof, DofKind, Joint, Pose

TINY = 1e-12
PARALLEL = 1e-6
"""Sine of the angle below which two axes may be considered parallel."""
ROUNDING = 1e-16
"""Rounding of a length in a row, relative to it."""
WIDE = np.longdouble
"""Type of products: axes parallel but for 1e-8 have a common normal 1e6 m away; doubles round too coarsely."""
FAR = 100.0
"""Metres along an axis beyond which the origin follows to the next one: the tilt of parallel axes has that lever."""


Configuration = tuple[Mapping[str, tuple[float, ...]], Mapping[str, Pose]]
"""Coordinates by dof, and the poses of all bodies in the world at these."""


class NoChainError(Exception):
    """Its message is the reason why a chain has no such form."""


class DhRow(Struct, frozen=True, kw_only=True):
    """Rz(theta) Tz(d) Tx(a) Rx(alpha), standard; Rx(alpha) Tx(a) Rz(theta) Tz(d), modified.

    The coordinate of dof is added to d for a slide, else to theta.
    """

    dof: Dof
    theta: float
    d: float
    a: float
    alpha: float


class DhTable(Struct, frozen=True, kw_only=True):
    """base (4, 4), rows, tool (4, 4): from the frame of the first body to that of the last."""

    base: Floats
    rows: tuple[DhRow, ...]
    tool: Floats
    sine: float = math.inf
    """Sine of the smallest angle between neighbouring, not exactly parallel axes: limits the rows' accuracy."""
    modified: bool = False


def chain(joints: Iterable[Joint]) -> list[Pose | Dof]:
    """Return the poses and dofs along these joints, each below the one before it. Raises NoChainError."""
    steps: list[Pose | Dof] = []
    for joint in joints:
        if any(dof.kind not in SCALAR for dof in joint.dofs):
            raise NoChainError(f"joint {joint.name!r} is neither a hinge nor a slide ({joint.dofs[0].kind})")
        steps += [joint.pose, *joint.dofs]
    return steps


def elementary(steps: list[Pose | Dof]) -> list[tuple[str, float | str]]:
    """Return tx ty tz Rx Ry Rz, each with a constant or the name of its dof (-name: against the axis)."""
    found: list[tuple[str, float | str]] = []
    for step in steps:
        if isinstance(step, Pose):
            _constant(step, found)
            continue
        letter = "R" if step.kind is DofKind.HINGE else "t"
        at = Pose(step.anchor)
        axis = [(index, value) for index, value in enumerate(step.axis) if abs(value) > TINY]
        turn = Pose() if len(axis) == 1 else Pose(rot=from_z_to(step.axis))
        name, sign = ("xyz"[axis[0][0]], axis[0][1]) if len(axis) == 1 else ("z", 1.0)
        _constant(compose(at, turn), found)
        if step.zero:
            found.append((letter + name, -step.zero * (1 if sign > 0 else -1)))
        found.append((letter + name, step.name if sign > 0 else f"-{step.name}"))
        _constant(invert(compose(at, turn)), found)
    return found


def _constant(pose: Pose, found: list[tuple[str, float | str]]) -> None:
    roll, pitch, yaw = pose_rpy(pose)
    parts = zip(("tx", "ty", "tz", "Rz", "Ry", "Rx"), (*pose.pos, yaw, pitch, roll), strict=True)
    for kind, value in parts:
        if abs(value) <= TINY:
            continue
        before = found[-1] if found else ("", "")
        if before[0] == kind and isinstance(before[1], float):
            found[-1] = (kind, before[1] + value)
        else:
            found.append((kind, value))


def standard(steps: list[Pose | Dof]) -> DhTable:
    """Return the standard rows of a chain. Raises NoChainError where nothing in it moves."""
    here = IDENTITY
    axes: list[tuple[Dof, Wide, Wide]] = []
    for step in steps:
        if isinstance(step, Pose):
            here = compose(here, step)
        else:
            place, turn = transform(here, step.anchor), matrix(here.rot).astype(WIDE)
            axis = turn @ np.array(step.axis, WIDE)
            axes.append((step, np.array(place, WIDE), axis / WIDE(np.linalg.norm(axis))))
    if not axes:
        raise NoChainError("nothing in the chain moves")
    tip, base = square(here).astype(WIDE), _first(axes[0]).astype(float)
    frame, rows = base.astype(WIDE), []
    for (before, _, _), (dof, point, onward) in pairwise(axes):
        origin, x, z = frame[:3, 3], frame[:3, 0], frame[:3, 2]
        goal = _next(origin, x, z, origin if dof.kind is DofKind.SLIDE else point, onward)
        rows.append(_row(before, _inverse(frame) @ goal))
        # follow the rounded row, so that the next row compensates its error
        frame = frame @ _product(rows[-1], before.zero)
    last = _inverse(frame) @ tip
    out = last[:2, 3] - last[:2, 0] * (last[:2, 0] @ last[:2, 3])
    folds = abs(last[2, 0]) < TINY and float(np.abs(out).max()) < TINY
    final = axes[-1][0]
    rows.append(_row(final, last if folds else np.eye(4, dtype=WIDE)))
    tool = _inverse(frame @ _product(rows[-1], final.zero)) @ tip
    sines = [float(np.linalg.norm(np.cross(z, onward))) for (_, _, z), (_, _, onward) in pairwise(axes)]
    sine = min((each for each in sines if each > TINY), default=math.inf)
    return DhTable(base=base, rows=tuple(rows), tool=tool.astype(float), sine=sine)


def modified(table: DhTable) -> DhTable:
    """Return the same factors, grouped by Craig's convention."""
    rows = []
    a = alpha = 0.0
    for row in table.rows:
        rows.append(DhRow(dof=row.dof, theta=row.theta, d=row.d, a=a, alpha=alpha))
        a, alpha = row.a, row.alpha
    tool = (_across(a, alpha) @ table.tool).astype(float)
    return DhTable(base=table.base, rows=tuple(rows), tool=tool, sine=table.sine, modified=True)


def reached(table: DhTable, values: Mapping[str, tuple[float, ...]]) -> Floats:
    """Return the tip in the frame of the root, (4, 4), at coordinates as given by ir.kinematics.configuration."""
    pose = table.base.astype(WIDE)
    for row in table.rows:
        pose = pose @ _product(row, values[row.dof.name][0], table.modified)
    return (pose @ table.tool).astype(float)


def _product(row: DhRow, amount: float, modified: bool = False) -> Wide:
    slides = row.dof.kind is DofKind.SLIDE
    along = _along(row.theta + (0 if slides else amount), row.d + (amount if slides else 0))
    across = _across(row.a, row.alpha)
    product: Wide = across @ along if modified else along @ across
    return product


def drawn(scene: Scene, samples: int = 5) -> list[Configuration]:
    """Return random configurations of a whole scene."""
    given = [random_configuration(scene, seed) for seed in range(samples)]
    return [(configuration(scene, values), forward(scene, values)) for values in given]


def residual(states: Iterable[Configuration], root: str, tip: str, table: DhTable) -> float:
    """Return the largest difference of a matrix element from the tip's pose by ir.kinematics.forward in these states;
    nan if any of them is not a number."""
    gaps = [reached(table, values) - square(compose(invert(poses[root]), poses[tip])) for values, poses in states]
    return float(np.abs(gaps).max())


def _first(axis: tuple[Dof, Wide, Wide]) -> Wide:
    """Return the first frame: on the first axis, as close to the frame of the root as possible."""
    dof, point, z = axis
    origin = np.zeros(3, WIDE) if dof.kind is DofKind.SLIDE else point - z * (z @ point)
    x = np.eye(3, dtype=WIDE)[0] - z * z[0]
    if np.linalg.norm(x) < PARALLEL:
        x = np.eye(3, dtype=WIDE)[1] - z * z[1]
    return _frame(origin, x / np.linalg.norm(x), z)


def _next(origin: Wide, x: Wide, z: Wide, point: Wide, onward: Wide) -> Wide:
    """Return the frame on the next axis, with x along the common normal."""
    normal = np.cross(z, onward)
    sine = float(np.linalg.norm(normal))
    between = point - origin
    if sine < PARALLEL:
        along = z * (z @ between)
        away = between - along
        if np.linalg.norm(along) > FAR:
            origin = origin + along
        distance = float(np.linalg.norm(away))
        if sine <= TINY and distance <= TINY:
            return _frame(origin + away, x, onward)
        # lost: the tilt that a row cannot express; the bound: the rounding of a common normal that is far away
        lost = abs(float(onward @ away)) / distance if distance > TINY else math.inf
        if sine <= TINY or lost <= ROUNDING * (1.0 + distance / sine):
            return _frame(origin + away, away / WIDE(distance), onward)
    normal /= sine
    foot = point + onward * float(np.cross(between, z) @ normal) / sine
    distance = float(between @ normal)
    if abs(distance) > TINY:
        normal *= math.copysign(1.0, distance)
    elif normal @ x < 0:
        normal = -normal
    return _frame(foot, normal, onward)


def _frame(origin: Wide, x: Wide, z: Wide) -> Wide:
    x = x - z * (z @ x)
    x = x / np.linalg.norm(x)
    made = np.eye(4, dtype=WIDE)
    made[:3, 0], made[:3, 1], made[:3, 2], made[:3, 3] = x, np.cross(z, x), z, origin
    return made


def _row(dof: Dof, m: Wide) -> DhRow:
    """Return the row equal to m (4, 4) where the coordinate of its dof is Dof.zero."""
    theta = np.arctan2(m[1, 0], m[0, 0])
    a, alpha = m[0, 3] * np.cos(theta) + m[1, 3] * np.sin(theta), np.arctan2(m[2, 1], m[2, 2])
    turned, moved = (0.0, dof.zero) if dof.kind is DofKind.SLIDE else (dof.zero, 0.0)
    return DhRow(dof=dof, theta=float(theta) - turned, d=float(m[2, 3]) - moved, a=float(a), alpha=float(alpha))


def _inverse(m: Wide) -> Wide:
    """Return the inverse of a rigid transform (4, 4)."""
    made = np.eye(4, dtype=WIDE)
    made[:3, :3] = m[:3, :3].T
    made[:3, 3] = -m[:3, :3].T @ m[:3, 3]
    return made


def _along(theta: float, d: float) -> Wide:
    c, s = np.cos(WIDE(theta)), np.sin(WIDE(theta))
    return np.array([[c, -s, 0, 0], [s, c, 0, 0], [0, 0, 1, d], [0, 0, 0, 1]], WIDE)


def _across(a: float, alpha: float) -> Wide:
    c, s = np.cos(WIDE(alpha)), np.sin(WIDE(alpha))
    return np.array([[1, 0, 0, a], [0, c, -s, 0], [0, s, c, 0], [0, 0, 0, 1]], WIDE)


def square(pose: Pose) -> Floats:
    """Return the homogeneous matrix (4, 4)."""
    made = np.eye(4)
    made[:3, :3], made[:3, 3] = matrix(pose.rot), pose.pos
    return made
