"""A lidar of other formats as sensors of one ray each (ir.rays)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeGuard

from converters.mjcf.document.attributes import pose_attributes
from converters.source.text import number, numbers
from converters.source.tree import Element
from ir.names import Spares
from ir.rays import KIND, RAY, REACH, even, names, pointing, turns
from ir.types import Scan, Sensor

MOST = 2048
"""Rays of a lidar: for each MuJoCo looks through all geoms at every step."""
SEPARATOR = "_"


def writable(scan: Scan | None) -> TypeGuard[Scan]:
    """Whether sensors of one ray can stand for a lidar."""
    return scan is not None and scan.count * scan.rows <= MOST and even(scan)


def rays(sensor: Sensor, scan: Scan, body: Element, spares: Mapping[str, Spares]) -> tuple[list[Element], list[str]]:
    """What measures the rays, a sensor for each row, and what MuJoCo calls the copies that it makes of them. The body
    gets a site at the pose, and those of the rays around it."""
    mark = spares["site"].of(sensor.name)
    body.add("site", {"name": mark, **pose_attributes(sensor.pose)})
    frame = body.add("frame", pose_attributes(sensor.pose))
    said = {REACH: number(scan.far)}
    if sensor.noise:
        said["noise"] = number(sensor.noise[0])
    (start, step), (tilt, rise) = turns(scan.angles, scan.count), turns(scan.tilts, scan.rows)
    made: list[Element] = []
    called: list[str] = []
    for row in range(scan.rows):
        end = f"_{row}" if scan.rows > 1 else ""
        site, name = f"{mark}{RAY}{end}", spares["sensor"].of(f"{sensor.name}{end}")
        several = {"count": str(scan.count), "euler": numbers((0.0, 0.0, step)), "sep": SEPARATOR}
        holder = frame.add("replicate", several) if scan.count > 1 else frame
        holder.add("site", {"name": site, "quat": numbers(pointing(start, tilt + rise * row))})
        made.append(Element(KIND, {"name": name, "site": site, **said}))
        called += names(name, SEPARATOR, scan.count) if scan.count > 1 else [name]
    return made, called
