"""The rays of a lidar, whose elements are the same in SDFormat and URDF, at different places."""

from __future__ import annotations

import math
from collections.abc import Mapping

from converters.source.text import NUMBER
from ir.types import Scan

LIDARS = ("lidar", "gpu_lidar")
"""Kinds of sensors that have rays."""
MOST = 1e6
"""Rays of a row, and rows."""


def scan_of(said: Mapping[str, str], defaults: Mapping[str, float]) -> Scan | None:
    """The rays, from those given elements that have a default: samples, resolution, first and last angle across, and
    then up; minimum and maximum distance (infinite if there is no place for it). None for invalid numbers, and if not
    all rays are measured (a resolution that is not 1)."""
    if not all(NUMBER.match(word) and math.isfinite(float(word)) for word in said.values()):
        return None
    numbers = {**defaults, **{path: float(word) for path, word in said.items()}}
    count, coarse, first, last, rows, rough, low, high, *reach = numbers.values()
    near, far = reach or (0.0, math.inf)
    whole = all(1 <= each <= MOST and each == int(each) for each in (count, rows))
    if not whole or (coarse, rough) != (1.0, 1.0) or not 0.0 <= near <= far or far == 0.0:
        return None
    end = far if reach else 0.0
    return Scan(count=int(count), angles=(first, last), rows=int(rows), tilts=(low, high), near=near, far=end)
