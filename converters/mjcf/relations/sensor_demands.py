"""Requirements of MuJoCo 4 for sensors beyond its schema (measured)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from converters.mjcf.document.faults import BOTH, MISSING, REFUSED
from converters.mjcf.relations.sensors import TARGETS
from converters.mjcf.relations.target_demands import JOINED, Demand, Known, delay_demands
from converters.source.text import counted, first
from ir.types import Sensor

FRAMES = tuple(kind for kind, attribute in TARGETS.items() if attribute == "objname")


NEEDED: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(FRAMES, ("objtype",)),
    "insidesite": ("site", "objtype", "objname"),
    "camprojection": ("site", "camera"),
    "tactile": ("geom", "mesh"),
    "user": ("dim",),
}
"""Kind of sensor -> required attributes, besides the one that references the measured object."""
BETWEEN = (("geom1", "body1"), ("geom2", "body2"))
ONE_OF: Mapping[str, tuple[tuple[str, ...], ...]] = {
    **dict.fromkeys(("distance", "normal", "fromto"), BETWEEN),
    "rangefinder": (("site", "camera"),),
}
"""Kind of sensor -> sets of attributes of which it needs exactly one each."""
APART: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "contact": (("geom1", "body1", "subtree1", "site"), ("geom2", "body2", "subtree2"))
}
"""Kind of sensor -> sets of attributes of which it may have at most one each."""
TOGETHER = (("reftype", "refname"), ("objtype", "objname"))
UNITS = ("framequat", "framexaxis", "frameyaxis", "framezaxis", "ballquat")
"""Kinds whose readings are rotations or directions, which cannot have a cutoff."""


def sensor_demands(sensor: Sensor, known: Known) -> Iterator[Demand]:
    """Yield violated requirements of a sensor, each with its rule."""
    said = dict(sensor.parameters)
    for name in NEEDED.get(sensor.kind, ()):
        if name not in said:
            yield MISSING, f"it needs {name}"
    for names in (*ONE_OF.get(sensor.kind, ()), *APART.get(sensor.kind, ())):
        count = sum(name in said for name in names)
        if count > 1:
            yield BOTH, f"it has {' and '.join(name for name in names if name in said)}, of which only one is allowed"
        elif not count and sensor.kind in ONE_OF:
            yield MISSING, f"it needs {' or '.join(names)}"
    for one, other in TOGETHER:
        named = other in said or (other == "objname" and sensor.kind in FRAMES)
        if named is not (one in said) and one not in NEEDED.get(sensor.kind, ()):
            yield MISSING, f"{one} and {other} must be given together"
    if sensor.kind in ONE_OF and any(said.get(f"{kind}1", "") == said.get(f"{kind}2") for kind in ("geom", "body")):
        yield REFUSED, "it measures between two things, and names one twice"
    yield from _numbers(sensor, said)
    yield from JOINED["sensor"](sensor, known)


def _numbers(sensor: Sensor, said: Mapping[str, str]) -> Iterator[Demand]:
    for name in ("noise", "cutoff", "interval", "dim"):
        if first(said.get(name)) < 0.0:
            yield REFUSED, f"{name} must not be below 0"
    if max(counted(said.get("interval"))[1:], default=0.0) > 0.0:
        yield REFUSED, "the phase of an interval must not be above 0"
    if first(said.get("cutoff")) > 0.0 and sensor.kind in UNITS:
        yield REFUSED, "a rotation or direction cannot have a cutoff"
    yield from delay_demands(said)
    if "num" in said and first(said["num"]) <= 0.0:
        yield REFUSED, "num must be above 0"
    if said.get("enclosed", "true") not in ("true", "false"):
        yield REFUSED, "enclosed must be true or false"
