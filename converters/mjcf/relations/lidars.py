"""A lidar of other formats as sensors of one ray each (ir.rays)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import TypeGuard

from converters.mjcf.document.attributes import pose_attributes
from converters.source.text import number, numbers
from converters.source.tree import Element
from ir.names import Spares
from ir.rays import KIND, RAY, REACH, angles_of_rays, copy_names, is_even, pointing
from ir.types import Scan, Sensor

MOST = 2048
"""Maximum number of rays of a lidar: for each one MuJoCo tests all geoms at every step."""
FEW = 64
"""Maximum number of rays for which <replicate> is used and every step is measured (MuJoCo 4.0.0). A <replicate> with
sensors takes a time that grows faster than the square of the count: 818 rays take 13 s, written out a fifth of a
second. A step of a robot with 1636 rays takes 9 ms, 0.2 ms without them."""
SEPARATOR = "_"


def writable(scan: Scan | None) -> TypeGuard[Scan]:
    """Whether a lidar can be written as sensors of one ray."""
    return scan is not None and scan.count * scan.rows <= MOST and is_even(scan)


def measures_rarely(scan: Scan | None) -> bool:
    """Whether a lidar has so many rays that it measures only at its own rate."""
    return scan is not None and scan.count * scan.rows > FEW


def ends_of_copies(names: Iterable[Iterable[str]]) -> set[str]:
    """Return the ends by which names, of one kind each, look like those of copies of others: MuJoCo copies whatever
    references something when a <replicate> makes a copy, if there is an object with the name of the other copy."""
    found: set[str] = set()
    for each in names:
        known = {*each}
        parts = (name.rpartition(SEPARATOR) for name in known)
        found |= {f"{SEPARATOR}{end}" for stem, _, end in parts if stem in known and end.isdigit()}
    return found


def rays(
    sensor: Sensor,
    scan: Scan,
    body: Element,
    spares: Mapping[str, Spares],
    often: Mapping[str, str],
    ends: Set[str] = frozenset(),
) -> tuple[list[Element], list[str]]:
    """Return the sensors of the rays, and the names of all rays in MuJoCo. The body gets a site at the pose, and around
    it those of the rays. often: the attributes of the rate. ends: those that copies must not have (ends_of_copies)."""
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
        if 1 < scan.count <= FEW and ends.isdisjoint(_names_of_copies("", scan.count)):
            several = {"count": str(scan.count), "euler": numbers((0.0, 0.0, step)), "sep": SEPARATOR}
            holder, pairs = frame.add("replicate", several), [(site, name)]
        for index, (place, measure) in enumerate(pairs):
            holder.add("site", {"name": place, "quat": numbers(pointing(start + step * index, tilt + rise * row))})
            made.append(Element(KIND, {"name": measure, "site": place, **said}))
    return made, called


def _claimed_names(spares: Spares, wanted: str, count: int, own: str = "") -> tuple[str, list[str]]:
    """Return an unused name based on the wanted one, numbered if it or a copy is taken, and the names of the copies.
    own: the name of the sensor itself, which may be used."""
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
