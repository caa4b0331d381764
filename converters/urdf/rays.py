"""<ray> of a <sensor>, in both directions (proposed in urdf/XML/sensor of the ROS wiki)."""

from __future__ import annotations

from collections.abc import Iterable

from converters.source.lidars import scan_of
from converters.source.text import number
from converters.source.tree import Element
from converters.source.xml import Node
from ir.types import Scan

SCAN = {
    f"{sweep}/{word}": default
    for sweep in ("horizontal", "vertical")
    for word, default in (("samples", 1.0), ("resolution", 1.0), ("min_angle", 0.0), ("max_angle", 0.0))
}
"""Path of a number in the element -> its default."""


def read_ray(node: Node) -> tuple[Scan, list[str]] | None:
    """Return the scan of a sensor, without range limits, and the paths of SCAN that are given; None, with nothing read,
    if it is missing, invalid or of a resolution other than 1 (scan_of)."""
    ray = node.peek("ray")
    sweeps = {path: ray.peek(path.partition("/")[0]) if ray is not None else None for path in SCAN}
    said = {path: sweep for path, sweep in sweeps.items() if sweep is not None and _word_of_path(path) in sweep.attrs}
    words = {path: sweep.attrs[_word_of_path(path)] for path, sweep in said.items()}
    scan = scan_of(words, SCAN)
    if ray is None or not said or scan is None:
        return None
    ray.visit()
    for path, sweep in said.items():
        sweep.visit()
        sweep.get(_word_of_path(path))
    return scan, [*said]


def write_ray(parent: Element, scan: Scan, said: Iterable[str]) -> None:
    """Append the element of a scan. said: paths of SCAN that are written even if they have the default."""
    values = (scan.count, 1.0, *scan.angles, scan.rows, 1.0, *scan.tilts)
    words = {
        path: number(value)
        for (path, default), value in zip(SCAN.items(), values, strict=True)
        if value != default or path in said
    }
    ray = parent.add("ray")
    for sweep in ("horizontal", "vertical"):
        attrs = {_word_of_path(path): word for path, word in words.items() if path.startswith(sweep)}
        if attrs:
            ray.add(sweep, attrs)


def _word_of_path(path: str) -> str:
    return path.partition("/")[2]
