"""Requirements of MuJoCo 4 for joints and tendons that are actuated, measured or summed (measured).

Violations in a document are reported; if an edit of a joint or tendon causes one, the element that requires it is not
written.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from typing import Any, NamedTuple

from converters.mjcf.document.faults import KIND, MISSING, RANGE, REFUSED
from converters.source.text import first
from ir.kinematics import COORDINATES
from ir.scene import Scene
from ir.types import SCALAR, Actuator, Constraint, Couple, Dof, DofKind, Joint, Parameters, Sensor, Shape, Tendon

Demand = tuple[str, str]
"""A rule, and the requirement as text."""


def delay_demands(said: Mapping[str, str]) -> Iterator[Demand]:
    """Yield requirements of the delay of an actuator or sensor. said: its attributes."""
    if first(said.get("delay")) > 0.0 and first(said.get("nsample")) <= 0.0:
        yield MISSING, "a delay needs nsample, the number of samples to keep"


class Known(NamedTuple):
    """The objects on which relations act, or that they measure."""

    dofs: Mapping[str, tuple[Joint, Dof]]
    tendons: Mapping[str, Tendon]
    sites: Container[str]
    shapes: Mapping[str, Shape | None]
    """Shapes of geoms, if a tendon wraps around any."""
    stretched: bool = True
    """Whether MuJoCo computes the lengths of muscles by pulling them."""

    def dof(self, name: str | None) -> Dof | None:
        """Return the dof with this name, None if there is none."""
        found = self.dofs.get(name or "")
        return found[1] if found is not None else None


SERVOS = ("position", "pid", "intvelocity")
"""Kinds of actuators that may inherit the range of their target."""
TURNS: Mapping[str, tuple[tuple[DofKind, ...], str]] = {
    **dict.fromkeys(("jointpos", "jointvel", "jointactuatorfrc"), (SCALAR, "a hinge or a slide")),
    **dict.fromkeys(("ballquat", "ballangvel"), ((DofKind.BALL,), "a ball")),
}
"""Kind of sensor -> kinds of dof that it measures, and their description."""


def known_of(scene: Scene) -> Known:
    """Return the objects of a scene."""
    tendons = scene.tables["tendon"]
    wrapped = any(point.kind == "geom" for tendon in tendons.values() for point in tendon.points)
    geoms = (geom for body in scene.bodies.values() for geom in body.geoms) if wrapped else ()
    return Known(scene.dofs(), tendons, scene.frames(), {geom.name: geom.shape for geom in geoms})


def _acted_demands(actuator: Actuator, known: Known) -> Iterator[Demand]:
    said = dict(actuator.parameters)
    if actuator.kind in SERVOS and first(said.get("inheritrange")) > 0.0:
        yield from _inherited_range_demands(actuator, known)
    dof = known.dof(actuator.dof)
    if actuator.kind == "orientation" and dof is not None and dof.kind is not DofKind.BALL:
        yield REFUSED, "it acts on a ball joint only"


def _inherited_range_demands(actuator: Actuator, known: Known) -> Iterator[Demand]:
    limits: Parameters
    dof = known.dof(actuator.dof)
    tendon = known.tendons.get(actuator.target or "") if actuator.transmission == "tendon" else None
    if dof is not None:
        if dof.kind not in SCALAR:
            yield REFUSED, "inheritrange needs the range of a hinge or slide joint"
            return
        lower, limits = dof.lower, dof.parameters
    elif tendon is not None:
        lower, limits = tendon.lower, tendon.parameters
    else:
        yield REFUSED, "inheritrange needs the range of a joint or tendon"
        return
    if lower is None and "range" not in dict(limits):
        yield RANGE, "inheritrange needs a range of what it acts on, which has none"


def _measured_demands(sensor: Sensor, known: Known) -> Iterator[Demand]:
    limits = "limit" in sensor.kind
    if sensor.kind.startswith("tendon") and limits:
        tendon = known.tendons.get(sensor.target or "")
        if tendon is not None and tendon.lower is None:
            yield RANGE, "it needs a tendon with limits"
    if sensor.kind not in TURNS and not (sensor.kind.startswith("joint") and limits):
        return
    dof = known.dof(sensor.target)
    if dof is None:
        return
    kinds, words = TURNS.get(sensor.kind, (tuple(DofKind), ""))
    if dof.kind not in kinds:
        yield REFUSED, f"it measures {words}"
    if limits and dof.lower is None and dof.upper is None:
        yield RANGE, "it needs a joint with limits"


def _tendon_demands(tendon: Tendon, known: Known) -> Iterator[Demand]:
    for point in tendon.points:
        if point.kind == "joint":
            yield from _scalar_demands(point.target, known)


def _coupling_demands(constraint: Constraint, known: Known) -> Iterator[Demand]:
    spec = constraint.spec
    if isinstance(spec, Couple) and spec.of == "dof":
        yield from _scalar_demands(spec.first, known)
        yield from _scalar_demands(spec.second, known)


def _scalar_demands(name: str | None, known: Known) -> Iterator[Demand]:
    """Yield a fault for a joint with several coordinates, which a sum or coupling cannot use."""
    dof = known.dof(name)
    if dof is not None and dof.kind in COORDINATES:
        yield KIND, f"the joint {name!r} is neither a hinge nor a slide"


JOINED: Mapping[str, Callable[[Any, Known], Iterator[Demand]]] = {
    "actuator": _acted_demands,
    "tendon": _tendon_demands,
    "sensor": _measured_demands,
    "constraint": _coupling_demands,
}
"""Kind of entity -> its requirements for joints and tendons."""
