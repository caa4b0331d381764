"""The rays of a lidar (ir.types.Scan), and the scan of sensors that measure single rays.

A ray at the angle a and the tilt t points along (cos a cos t, sin a cos t, sin t) in the frame of the sensor.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from ir.pose import conjugate, cross, dot, from_axis_angle, from_rows, multiply, rotate, scale, subtract, unit
from ir.types import Body, Frame, Pose, Quat, Scan, Sensor, Vec2

CLOSE = 1e-5
"""Radians, or metres: tolerance of a ray from the grid, since MuJoCo saves six digits."""
TURN = 2 * math.pi
UP = (math.sqrt(0.5), 0.0, math.sqrt(0.5), 0.0)
"""The rotation that takes z to x."""
RAY = "_ray"
"""Part of the names of frames of rays, after that of the frame of their sensor."""
KIND, REACH = "rangefinder", "cutoff"
"""The kind of a sensor of one ray, and its parameter: the maximum distance in metres that it measures."""


def is_even(scan: Scan) -> bool:
    """Whether the rays determine the scan: no two successive ones are equal, and none points straight up or down."""
    (_, step), (_, rise) = angles_of_rays(scan.angles, scan.count), angles_of_rays(scan.tilts, scan.rows)
    apart = CLOSE < step < TURN - CLOSE or scan.count == 1
    return apart and (abs(rise) > CLOSE or scan.rows == 1) and max(map(abs, scan.tilts)) < math.pi / 2 - 1e-6


def angles_of_rays(span: Vec2, count: int) -> Vec2:
    """Radians of the first of so many rays or rows, and the step to the next; both 0 for a single one."""
    return (span[0], (span[1] - span[0]) / (count - 1)) if count > 1 else (0.0, 0.0)


def pointing(angle: float, tilt: float) -> Quat:
    """The rotation that takes z to a ray."""
    turned = multiply(from_axis_angle((0.0, 0.0, 1.0), angle), from_axis_angle((0.0, -1.0, 0.0), tilt))
    return multiply(turned, UP)


def lidar_of(frames: Mapping[str, tuple[Body, Frame]], parts: Sequence[Sensor]) -> tuple[str, Pose, Scan] | None:
    """The body, the pose and the scan of the lidar that sensors of single rays form, in the order of its rays; None if
    they form none. frames: the frames of the scene by name, with their bodies."""
    sites = [site_of(part) for part in parts if part.kind == KIND]
    places = [frames.get(site) for site in sites]
    marks = {site.rpartition(RAY)[0] for site in sites}
    home = frames.get(marks.pop()) if len(marks) == 1 else None
    found = [place for place in places if place is not None and home is not None and place[0] is home[0]]
    if home is None or len(found) < len(parts):
        return None
    body, mark = home
    scan = _scan(mark.pose, [frame.pose for _, frame in found], parts)
    return (body.name, mark.pose, scan) if scan is not None else None


def fan(poses: Sequence[Pose], parts: Sequence[Sensor]) -> tuple[Pose, Scan] | None:
    """The pose and the scan of the lidar that sensors of single rays form, at sites of a body with these poses; None if
    they form none. Its first ray is at the angle 0."""
    pose, scan, step = None, None, 1
    while len(poses) >= 3:  # by the first three rays, and then by three that are far apart
        pose = _turned(poses[0 : 2 * step + 1 : step])
        scan = _scan(pose, poses, parts) if pose is not None else None
        if scan is None or scan.count // 3 <= step:
            break
        step = scan.count // 3
    if pose is None or scan is None or (scan.rows == 1 and abs(scan.tilts[0]) > CLOSE):
        return None
    return pose, scan if scan.rows > 1 else replace(scan, tilts=(0.0, 0.0))


def _turned(poses: Sequence[Pose]) -> Pose | None:
    """The frame about whose z axis three rays sweep, with the first of them above x; None if they do not rotate."""
    first, second, third = (rotate(pose.rot, (0.0, 0.0, 1.0)) for pose in poses)
    across = cross(subtract(second, first), subtract(third, second))
    if math.hypot(*across) < CLOSE**3:
        return None
    z = unit(across)
    x = unit(subtract(first, scale(z, dot(z, first))))
    return Pose(poses[0].pos, from_rows(tuple(zip(x, cross(z, x), z, strict=True))))


def _scan(at: Pose, poses: Sequence[Pose], parts: Sequence[Sensor]) -> Scan | None:
    """The scan of sensors at these poses relative to the pose of the lidar, if they form a regular grid of rays."""
    if any(math.dist(pose.pos, at.pos) > CLOSE for pose in poses):
        return None
    back = conjugate(at.rot)
    rays = [rotate(multiply(back, pose.rot), (0.0, 0.0, 1.0)) for pose in poses]
    grid = _grid([(math.atan2(y, x), math.asin(max(-1.0, min(1.0, z)))) for x, y, z in rays])
    said = {(reach_of(part), dict(part.parameters).get("noise")) for part in parts}
    if grid is None or len(said) > 1:
        return None
    count, angles, tilts = grid
    return Scan(count=count, angles=angles, rows=len(rays) // count, tilts=tilts, far=said.pop()[0])


def site_of(part: Sensor) -> str:
    """The frame of a sensor; "" for none."""
    return part.target or dict(part.parameters).get("site", "")


def reach_of(part: Sensor) -> float:
    """The cutoff distance of a sensor in metres; 0 for none."""
    try:
        return max(float(dict(part.parameters).get(REACH, 0.0)), 0.0)
    except ValueError:
        return 0.0


def _grid(rays: Sequence[Vec2]) -> tuple[int, Vec2, Vec2] | None:
    """The number of rays in a row, and the first and last angle and tilt, of rays that form a regular grid."""
    count = next((index for index, (_, tilt) in enumerate(rays) if abs(tilt - rays[0][1]) > CLOSE), len(rays))
    start, rows = rays[0][0], len(rays) // count
    start -= TURN if start > math.pi - CLOSE else 0.0
    step = (rays[1][0] - start) % TURN if count > 1 else 0.0
    step += math.remainder(rays[count - 1][0] - start - step * (count - 1), TURN) / max(count - 1, 1)
    angles = _rounded(start), _rounded(start + step * (count - 1))
    tilts = _rounded(rays[0][1]), _rounded(rays[-1][1])
    rise = (rays[-1][1] - rays[0][1]) / max(rows - 1, 1)
    wanted = [(start + step * column, rays[0][1] + rise * row) for row in range(rows) for column in range(count)]
    even = len(wanted) == len(rays) and all(_same(*each) for each in zip(rays, wanted, strict=True))
    return (count, angles, tilts) if even else None


def _same(one: Vec2, other: Vec2) -> bool:
    return abs(math.remainder(one[0] - other[0], TURN)) < CLOSE and abs(one[1] - other[1]) < CLOSE


def _rounded(angle: float) -> float:
    return float(f"{angle:.12g}") if abs(angle) > 1e-12 else 0.0


def copy_names(base: str, separator: str, count: int) -> Iterator[str]:
    """The names that MuJoCo gives the copies of something (<replicate>)."""
    width = len(str(count))
    yield from (f"{base}{separator}{index:0{width}d}" for index in range(count))
