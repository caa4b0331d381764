"""What MuJoCo 4 asks of sensors beyond its schema (measured)."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import NamedTuple

from converters.mjcf.document.faults import BOTH, MISSING, RANGE, REFUSED, counted
from converters.mjcf.relations.sensors import TARGETS
from ir.types import SCALAR, Dof, DofKind, Joint, Sensor, Tendon

FRAMES = tuple(kind for kind, attribute in TARGETS.items() if attribute == "objname")


class Known(NamedTuple):
    """What relations act on, and measure."""

    dofs: Mapping[str, tuple[Joint, Dof]]
    tendons: Mapping[str, Tendon]
    sites: Container[str]


NEEDED: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(FRAMES, ("objtype",)),
    "insidesite": ("site", "objtype", "objname"),
    "camprojection": ("site", "camera"),
    "tactile": ("geom", "mesh"),
    "user": ("dim",),
}
"""Kind of sensor -> attributes that it has to say, besides the one that names what it measures."""
BETWEEN = (("geom1", "body1"), ("geom2", "body2"))
ONE_OF: Mapping[str, tuple[tuple[str, ...], ...]] = {
    **dict.fromkeys(("distance", "normal", "fromto"), BETWEEN),
    "rangefinder": (("site", "camera"),),
}
"""Kind of sensor -> sets of attributes of which it has one each."""
APART: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "contact": (("geom1", "body1", "subtree1", "site"), ("geom2", "body2", "subtree2")),
}
"""Kind of sensor -> sets of attributes of which it has one at most."""
TOGETHER = (("reftype", "refname"), ("objtype", "objname"))
UNITS = ("framequat", "framexaxis", "frameyaxis", "framezaxis", "ballquat")
"""Kinds whose readings are rotations or directions, which nothing cuts off."""
TURNS: Mapping[str, tuple[tuple[DofKind, ...], str]] = {
    **dict.fromkeys(("jointpos", "jointvel", "jointactuatorfrc"), (SCALAR, "a hinge or a slide")),
    **dict.fromkeys(("ballquat", "ballangvel"), ((DofKind.BALL,), "a ball")),
}
"""Kind of sensor -> kinds of dof that it measures, and that as words."""


def sensing(sensor: Sensor, known: Known) -> Iterator[tuple[str, str]]:
    """What it lacks, each with the rule."""
    said = dict(sensor.parameters)
    for name in NEEDED.get(sensor.kind, ()):
        if name not in said:
            yield MISSING, f"it needs {name}"
    for names in (*ONE_OF.get(sensor.kind, ()), *APART.get(sensor.kind, ())):
        count = sum(name in said for name in names)
        if count > 1:
            yield BOTH, f"it says {' and '.join(name for name in names if name in said)}"
        elif not count and sensor.kind in ONE_OF:
            yield MISSING, f"it needs {' or '.join(names)}"
    for one, other in TOGETHER:
        named = other in said or (other == "objname" and sensor.kind in FRAMES)
        if named is not (one in said) and one not in NEEDED.get(sensor.kind, ()):
            yield MISSING, f"{one} and {other} go together"
    if sensor.kind in ONE_OF and any(said.get(f"{kind}1", "") == said.get(f"{kind}2") for kind in ("geom", "body")):
        yield REFUSED, "it is between two things, and names one twice"
    yield from _numbers(sensor, said)
    yield from _measured(sensor, known)


def _numbers(sensor: Sensor, said: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    first = {name: (counted(text) or (0.0,))[0] for name, text in said.items()}
    for name in ("noise", "cutoff", "interval", "dim"):
        if first.get(name, 0.0) < 0.0:
            yield REFUSED, f"{name} is not below 0"
    if max(counted(said.get("interval"))[1:], default=0.0) > 0.0:
        yield REFUSED, "the phase of an interval is not above 0"
    if first.get("cutoff", 0.0) > 0.0 and sensor.kind in UNITS:
        yield REFUSED, "a rotation and a direction have no cutoff"
    if first.get("delay", 0.0) > 0.0 and first.get("nsample", 0.0) <= 0.0:
        yield MISSING, "a delay needs nsample, the number of samples that are kept"
    if first.get("num", 1.0) <= 0.0:
        yield REFUSED, "num is above 0"
    if said.get("enclosed", "true") not in ("true", "false"):
        yield REFUSED, "enclosed is true or false"


def _measured(sensor: Sensor, known: Known) -> Iterator[tuple[str, str]]:
    """What is asked of what it measures."""
    limits = "limit" in sensor.kind
    if sensor.kind.startswith("tendon") and limits:
        tendon = known.tendons.get(sensor.target or "")
        if tendon is not None and tendon.lower is None:
            yield RANGE, "it measures a tendon with a range that limits"
    if sensor.kind not in TURNS and not (sensor.kind.startswith("joint") and limits):
        return
    found = known.dofs.get(sensor.target or "")
    if found is None:
        return
    dof = found[1]
    kinds, words = TURNS.get(sensor.kind, (tuple(DofKind), ""))
    if dof.kind not in kinds:
        yield REFUSED, f"it measures {words}"
    if limits and dof.lower is None and dof.upper is None:
        yield RANGE, "it measures a joint with a range that limits"
