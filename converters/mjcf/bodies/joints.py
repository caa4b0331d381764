"""Joints of an MJCF body: each element is one degree of freedom, in order."""

from __future__ import annotations

from typing import Any

from converters.mjcf.document.compiler import CompilerSettings, unit
from converters.mjcf.document.defaults import Resolved
from converters.mjcf.document.loading import MjcfLoading, Nesting
from converters.mjcf.tables import ANGLES, DOF_NUMBERS, FAR, MAPPED
from converters.source.text import numbers
from converters.source.xml import Node
from ir.pose import direction, rotate
from ir.types import SCALAR, Dof, DofKind, Parameters, Pose, Vec3

KINDS = {"hinge": DofKind.HINGE, "slide": DofKind.SLIDE, "ball": DofKind.BALL, "free": DofKind.FREE}
KNOWN = MAPPED["joint"] | {"name", "class", "springyield"}


def read_joint(loading: MjcfLoading, node: Node, body: str, place: Nesting) -> Dof:
    """Read a joint. Attributes that the graph does not have become parameters, with defaults resolved.

    Raises InputError.
    """
    node.visit()
    part = place.part
    if node.tag == "freejoint":
        name, label = loading.name(node, f"{body}_free", place)
        parameters = Resolved(node, [], "").rest(("name",))
        return Dof(name=name, label=label, kind=DofKind.FREE, parameters=parameters, source=node.source)
    element = part.defaults.of(node, place.childclass)
    word = element.get("type") or "hinge"
    if word not in KINDS:
        element.wrong("type", f"={word!r}> must be one of {', '.join(KINDS)}", "MJCF-KEYWORD")
    kind = KINDS.get(word, DofKind.HINGE)
    stem = "free" if kind is DofKind.FREE else "joint"  # like a <freejoint>, which may be written for it
    name, label = loading.name(node, f"{body}_{stem}", place)
    values, curves = _fields_and_parameters(element, part.settings, kind)
    lower, upper, parameters = _limits(element, part.settings, kind)
    effort, forces = _effort(element, part.settings.autolimits)
    axis: Vec3 = (0.0, 0.0, 1.0)
    given = element.triple("axis")
    if kind in SCALAR:
        axis = node.attempt(unit, element.giver("axis"), "axis", given or axis, direction) or axis
    anchor = element.triple("pos") or (0.0, 0.0, 0.0)
    if kind is DofKind.FREE:
        anchor = (0.0, 0.0, 0.0)
    else:
        axis = rotate(place.pose.rot, axis) if kind is not DofKind.BALL else axis
        anchor = place.inside(Pose(anchor)).pos
    return Dof(
        name=name,
        label=label,
        kind=kind,
        axis=axis,
        anchor=anchor,
        lower=lower,
        upper=upper,
        effort=effort,
        parameters=(*parameters, *curves, *forces, *element.rest(KNOWN)),
        source=element.source,
        **values,
    )


def _effort(element: Resolved, autolimits: bool) -> tuple[float | None, Parameters]:
    """Return the limit of the total actuator force on a joint (N or N m) if it is symmetric.

    Anything else that is given for it becomes parameters.
    """
    force = element.span("actuatorfrcrange")
    if force is None:
        return None, ()
    loose = not autolimits and element.look("actuatorfrclimited") is None
    said = (("actuatorfrclimited", "false"),) if loose else ()
    if -force[0] == force[1] and force[1] > 0:
        return force[1], said
    return None, (("actuatorfrcrange", element.get("actuatorfrcrange") or ""), *said)


def _fields_and_parameters(
    element: Resolved, settings: CompilerSettings, kind: DofKind
) -> tuple[dict[str, Any], Parameters]:
    """Return fields of the dof by name; polynomials of velocity or position (MuJoCo 3.7) also become parameters, and so
    do references without effect, of a ball or free joint."""
    turning = kind is not DofKind.SLIDE
    values: dict[str, Any] = {}
    curves: Parameters = ()
    for attribute, field, default in DOF_NUMBERS:
        text = element.merged(attribute)
        if text is None:
            values[field] = default
            continue
        given = element.parsed(attribute, text) or ()
        idle = attribute in ANGLES and kind not in SCALAR
        if len(given) > 1 or idle:
            curves += ((attribute, text),)
        value = given[0] if given and not idle else default
        values[field] = settings.angle(value) if turning and attribute in ANGLES else value
    given = element.vector("springyield", 1) or ()
    if given:
        curves += (("springyield", numbers(map(settings.angle, given) if turning else given)),)
    return values, curves


def _limits(
    element: Resolved, settings: CompilerSettings, kind: DofKind
) -> tuple[float | None, float | None, Parameters]:
    """Return lower, upper and parameters. Unless limits are disabled, MuJoCo limits a joint whose range is not empty,
    and which is not free; otherwise the range is a parameter, in the numbers of the file: MuJoCo does not convert its
    angles (measured)."""
    given = element.span("range")
    limited = element.flag("limited")
    said = (("limited", str(limited).lower()),) if limited is not None else ()
    if given is None:
        return None, None, said
    if kind is DofKind.FREE:
        return None, None, (*said, ("range", numbers(given)))
    settings.used.add("autolimits")  # a range that limits by itself needs no flag when it is written again
    if limited or (limited is None and settings.autolimits):
        lower, upper = given if kind is DofKind.SLIDE else map(settings.angle, given)
        if lower < upper:
            return (None if lower <= -FAR else lower, None if upper >= FAR else upper, ())
        return None, None, (("range", numbers(given)),)
    return None, None, (("limited", "false"), ("range", numbers(given)))
