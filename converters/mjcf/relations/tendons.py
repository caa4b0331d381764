"""Read and write <tendon>. Ranges are lengths: no value here is in degrees."""

from __future__ import annotations

from converters.mjcf.document.attributes import (
    ElementNames,
    Things,
    completed_vector,
    inherited,
    linear_term,
    name_attribute,
    name_reference,
    put,
    range_attributes,
    settings,
)
from converters.mjcf.document.loading import Part
from converters.mjcf.document.schema import attributes
from converters.mjcf.relations.grounds import SectionElements
from converters.source.tree import Element
from converters.source.xml import Node
from ir.scene import Scene
from ir.types import Tendon, TendonPoint

KINDS = ("spatial", "fixed")
POINTS = ("site", "geom", "joint", "pulley")
READ = ("name", "class", "range", "limited", "stiffness", "damping", "frictionloss", "armature", "springlength")
SETTINGS = attributes("tendon/spatial").difference(READ)
"""Attributes that are kept as written."""
SEEN = ("width", "material", "rgba")
"""Attributes of visible tendons. Given to fixed ones by a class they have no effect, and stay in the class."""


def read_tendon(node: Node, names: ElementNames, part: Part, there: Things) -> Tendon:
    """Read a tendon with its path."""
    element = inherited(part.defaults, node, "tendon")
    bounds, loose = range_attributes(element, "range", part.settings.autolimits)
    stiffness, stiffer = linear_term(element, "stiffness")
    damping, damper = linear_term(element, "damping")
    rest = completed_vector(element, "springlength")
    length = (element.parsed("springlength", rest) if rest else None) or ()
    if node.tag == "fixed" and not (any(length) or stiffness or stiffer):
        length = ()  # without a spring, MuJoCo saves the length as the model is drawn
    name, label = names.of(node, node.tag)
    nodes = (each for each in node.elements() if each.tag in POINTS)
    points = tuple(point for each in nodes if (point := each.attempt(_read_point, each, there)) is not None)
    return Tendon(
        name=name,
        label=label,
        kind=node.tag,
        points=points,
        lower=bounds[0] if bounds else None,
        upper=bounds[1] if bounds else None,
        stiffness=stiffness,
        damping=damping,
        friction=element.number("frictionloss") or 0.0,
        armature=element.number("armature") or 0.0,
        rest=length,
        parameters=(
            *loose,
            *stiffer,
            *damper,
            *(
                (name, part.called(name, text))
                for name, text in settings(element, SETTINGS, SEEN if node.tag == "fixed" else ())
            ),
        ),
        source=element.source,
        extras=node.rest(),
    )


def _read_point(node: Node, there: Things) -> TendonPoint:
    tag = node.visit().tag
    if tag == "pulley":
        return TendonPoint(kind=tag, value=node.number("divisor"))
    target = name_reference(node, tag, there, tag)
    if tag == "joint":
        return TendonPoint(kind=tag, target=target, value=node.number("coef"))
    return TendonPoint(kind=tag, target=target, side=node.get("sidesite") if tag == "geom" else None)


def write_tendons(scene: Scene) -> SectionElements:
    """Yield the elements of <tendon>, for the kinds that MuJoCo has."""
    for tendon in scene.tables["tendon"].values():
        if tendon.kind not in KINDS:
            continue
        attrs = name_attribute(tendon)
        if tendon.lower is not None and tendon.upper is not None:
            put(attrs, "range", (tendon.lower, tendon.upper))
        for name in ("stiffness", "damping", "armature"):
            put(attrs, name, getattr(tendon, name), 0.0)
        put(attrs, "frictionloss", tendon.friction, 0.0)
        put(attrs, "springlength", tendon.rest, ())
        element = Element(tendon.kind, attrs | dict(tendon.parameters))
        for point in tendon.points:
            _write_point(element, point)
        yield element, tendon, tendon.kind


def _write_point(element: Element, point: TendonPoint) -> None:
    attrs = {} if point.kind == "pulley" else {point.kind: point.target}
    put(attrs, "divisor" if point.kind == "pulley" else "coef", point.value)
    if point.side is not None:
        attrs["sidesite"] = point.side
    element.add(point.kind, attrs)
