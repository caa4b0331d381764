"""Read and write <contact>: pairs of bodies that never collide, and pairs of geoms that do."""

from __future__ import annotations

from converters.mjcf.document.attributes import ElementNames, Things, name_attribute, name_reference, settings
from converters.mjcf.document.defaults import MAIN, Resolved
from converters.mjcf.document.loading import Part
from converters.mjcf.document.schema import attributes
from converters.mjcf.relations.grounds import SectionElements
from converters.source.tree import Element
from converters.source.xml import Node
from ir.names import Spares
from ir.scene import Scene
from ir.types import ContactRule, Surface

KINDS = ("exclude", "pair")
SETTINGS = attributes("contact/pair").difference(("name", "class", "geom1", "geom2"))


def read_contact(node: Node, names: ElementNames, part: Part, there: Things) -> ContactRule:
    """Read a pair of bodies that never collide, or of geoms that do."""
    surface = None
    element = part.defaults.of(node) if node.tag == "pair" else Resolved(node, [], MAIN)
    if node.tag == "pair":
        ends = ("geom1", "geom2")
        last = part.nameless
        first, second = (
            last if last and not node.get(end) else name_reference(node, end, there, "geom") for end in ends
        )
        parameters = settings(element, SETTINGS)
        surface = Surface(parameters=parameters) if parameters else None
    else:
        first, second = (name_reference(node, f"body{which}", there, "body") for which in (1, 2))
    name, label = names.of(node, f"{node.tag}_{first}_{second}")
    return ContactRule(
        name=name,
        label=label,
        first=first,
        second=second,
        include=node.tag == "pair",
        surface=surface,
        source=element.source,
        extras=node.rest(),
    )


def write_contacts(scene: Scene) -> SectionElements:
    """Yield the elements of <contact>. A nameless rule is written with its name if an earlier one has the same pair,
    because a reader would generate the name of that one."""
    rules: list[ContactRule] = list(scene.tables["contact"].values())
    spares = Spares(rule.name for rule in rules if rule.label != "" and rule.reason is None)
    for rule in rules:
        if rule.allow or not rule.second:
            continue
        ends = ("geom1", "geom2") if rule.include else ("body1", "body2")
        tag = "pair" if rule.include else "exclude"
        made = spares.of(f"{tag}_{rule.first}_{rule.second}")
        attrs = {"name": rule.name} if made != rule.name else {} if rule.reason is not None else name_attribute(rule)
        attrs |= dict(zip(ends, (rule.first, rule.second), strict=True))
        if rule.surface is not None:
            attrs |= {name: text for name, text in rule.surface.parameters if name in SETTINGS}
        yield Element(tag, attrs), rule, ""
