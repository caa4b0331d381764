"""A lidar of other formats as sensors of one ray each (ir.rays)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeGuard

from converters.mjcf.document.attributes import pose_attributes
from converters.source.text import number, numbers
from converters.source.tree import Element
from ir.names import Spares
from ir.rays import KIND, RAY, REACH, angles_of_rays, copy_names, is_even, pointing
from ir.types import Scan, Sensor

MOST = 2048
"""Rays of a lidar: for each MuJoCo looks through all geoms at every step."""
FEW = 64
"""Rays up to which MuJoCo is asked to copy one, and to measure at every step (MuJoCo 4.0.0). For a <replicate> that
sensors look at it takes a time that grows faster than the square of the count: 818 take 13 s, written out a fifth of
one. Of a robot with 1636 rays a step takes 9 ms, .2 ms without them."""
SEPARATOR = "_"


def writable(scan: Scan | None) -> TypeGuard[Scan]:
    """Whether sensors of one ray can stand for a lidar."""
    return scan is not None and scan.count * scan.rows <= MOST and is_even(scan)


def measures_rarely(scan: Scan | None) -> bool:
    """Whether a lidar measures so much that it does so only as often as it should."""
    return scan is not None and scan.count * scan.rows > FEW


def rays(
    sensor: Sensor, scan: Scan, body: Element, spares: Mapping[str, Spares], often: Mapping[str, str]
) -> tuple[list[Element], list[str]]:
    """What measures the rays, and what MuJoCo calls each of them. The body gets a site at the pose, and those of the
    rays around it. often: the attributes that say how often."""
    mark = spares["site"].of(sensor.name)
    body.add("site", {"name": mark, **pose_attributes(sensor.pose)})
    frame = body.add("frame", pose_attributes(sensor.pose))
    said = {REACH: number(scan.far), **often}
    if sensor.noise:
        said["noise"] = number(sensor.noise[0])
    (start, step), (tilt, rise) = angles_of_rays(scan.angles, scan.count), angles_of_rays(scan.tilts, scan.rows)
    made: list[Element] = []
    called: list[str] = []
    for row in range(scan.rows):
        end = f"_{row}" if scan.rows > 1 else ""
        site, sites = _claimed_names(spares["site"], f"{mark}{RAY}{end}", scan.count)
        name, copies = _claimed_names(spares["sensor"], f"{sensor.name}{end}", scan.count, own=sensor.name)
        called += copies
        holder, pairs = frame, [*zip(sites, copies, strict=True)]
        if 1 < scan.count <= FEW:
            several = {"count": str(scan.count), "euler": numbers((0.0, 0.0, step)), "sep": SEPARATOR}
            holder, pairs = frame.add("replicate", several), [(site, name)]
        for index, (place, measure) in enumerate(pairs):
            holder.add("site", {"name": place, "quat": numbers(pointing(start + step * index, tilt + rise * row))})
            made.append(Element(KIND, {"name": measure, "site": place, **said}))
    return made, called


def _claimed_names(spares: Spares, wanted: str, count: int, own: str = "") -> tuple[str, list[str]]:
    """The name wanted, with a number behind it where that or what MuJoCo makes of it is taken, and what it calls the
    copies. own: what is taken by the sensor itself."""
    name, number = wanted, 0
    while any(each in spares for each in (name, *_names_of_copies(name, count)) if each != own):
        number += 1
        name = f"{wanted}_{number}"
    copies = _names_of_copies(name, count)
    for each in {name, *copies} - {own}:
        spares.of(each)
    return name, copies


def _names_of_copies(name: str, count: int) -> list[str]:
    return [*copy_names(name, SEPARATOR, count)] if count > 1 else [name]
