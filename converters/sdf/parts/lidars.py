"""<lidar> (<ray> until SDFormat 1.5) of a sensor, in both directions."""

from __future__ import annotations

from converters.sdf.document.values import in_attributes, put, text
from converters.sdf.tables import FORMAT
from converters.source.lidars import scan_of
from converters.source.text import NUMBER
from converters.source.tree import Element
from converters.source.xml import Node
from ir.types import Scan, Sensor

TAGS = LIDAR, RAY = "lidar", "ray"
OLD = (1, 5)
"""The last version that only knows the name <ray>."""
SCAN = {
    "scan/horizontal/samples": 640.0,
    "scan/horizontal/resolution": 1.0,
    "scan/horizontal/min_angle": 0.0,
    "scan/horizontal/max_angle": 0.0,
    "scan/vertical/samples": 1.0,
    "scan/vertical/resolution": 1.0,
    "scan/vertical/min_angle": 0.0,
    "scan/vertical/max_angle": 0.0,
    "range/min": 0.0,
    "range/max": 0.0,
}
"""Path of a number in the element -> its default (lidar.sdf)."""
FARTHEST = 1000.0
"""Maximum range in metres written for a lidar that has none in the source."""


def read_scan(node: Node) -> Scan | None:
    """Read the scan of a sensor; None, with nothing read, if it is missing, invalid or of another resolution
    (scan_of)."""
    outer = node.peek(*TAGS)
    said = {path: word for path in SCAN if outer is not None and (word := _text_at(outer, path)) is not None}
    scan = scan_of(said, SCAN)
    if outer is None or scan is None:
        return None
    outer.visit()
    for path in said:
        *way, word = path.split("/")
        inner = outer.inner(way)
        assert inner is not None
        text(inner, word)
    return scan


def read_noise(node: Node) -> tuple[float, ...]:
    """Read the standard deviation of the distances measured by a lidar; noise with a mean other than 0, or of another
    type, remains as an extra."""
    outer = node.peek(*TAGS)
    noise = outer.peek("noise") if outer is not None else None
    if outer is None or noise is None:
        return ()
    said = {tag: item.own_text() for tag in ("type", "mean", "stddev") if (item := noise.peek(tag)) is not None}
    deviation = said.get("stddev", "")
    if (
        said.get("type") != "gaussian"
        or not is_naught(said.get("mean", "0"))
        or not NUMBER.match(deviation)
        or not float(deviation) > 0.0
    ):
        return ()
    outer.visit()
    noise.visit()
    for tag in said:
        inner = noise.child(tag)
        assert inner is not None
        inner.text()
    return (float(deviation),)


def is_naught(word: str) -> bool:
    """Whether a text is a number equal to 0."""
    return bool(NUMBER.match(word)) and not float(word)


def _text_at(outer: Node, path: str) -> str | None:
    """Return the text of the element at path, or the attribute in SDF 1.0; None if missing."""
    *way, word = path.split("/")
    at: Node | None = outer
    for tag in way:
        at = at.peek(tag) if at is not None else None
    if at is None:
        return None
    inner = at.peek(word)
    if inner is not None:
        return inner.own_text()
    return at.attrs.get(word) if in_attributes(at) else None


def _ray_tag(sensor: Sensor, version: tuple[int, int]) -> str:
    """Return the tag of the sensor's extras inside the element: libsdformat reads only one of the two elements."""
    if version <= OLD:
        return RAY
    rest = (extra.path.partition("[")[0] for extra in sensor.extras if extra.format == FORMAT)
    return next((tag for tag in rest if tag in TAGS), RAY if RAY in sensor.word else LIDAR)


def write_scan(parent: Element, sensor: Sensor, version: tuple[int, int]) -> None:
    """Append the element of a sensor that has a scan."""
    scan = sensor.scan
    assert scan is not None
    element = parent.add(_ray_tag(sensor, version))
    scanned = element.add("scan")
    sweeps = [("horizontal", scan.count, scan.angles), ("vertical", scan.rows, scan.tilts)]
    for tag, count, (first, last) in sweeps[: 1 if (scan.rows, scan.tilts) == (1, (0.0, 0.0)) else 2]:
        inner = scanned.add(tag)
        put(inner, "samples", count)
        put(inner, "resolution", 1)
        put(inner, "min_angle", first)
        put(inner, "max_angle", last)
    reach = element.add("range")
    put(reach, "min", scan.near)
    put(reach, "max", scan.far or FARTHEST)
    for deviation in sensor.noise[:1]:
        noise = element.add("noise")
        put(noise, "type", "gaussian")
        put(noise, "stddev", deviation)
