"""<contact>, in both directions: pairs that never collide, and pairs of geoms that do."""

from __future__ import annotations

from collections.abc import Sequence

from converters.mjcf.document.attributes import Names, named, reference, settings
from converters.mjcf.document.defaults import MAIN, Defaults, Resolved
from converters.mjcf.relations.grounds import Grounds
from converters.source.tree import Element, restore
from converters.source.xml import Node
from ir.names import Spares
from ir.scene import Scene
from ir.types import ContactRule, Surface

FORMAT = "mjcf"
SETTINGS = ("condim", "friction", "solref", "solreffriction", "solimp", "margin", "gap", "adhesion")


def read_contacts(sections: Sequence[Node], scene: Scene, defaults: Defaults) -> None:
    """Fill the table of contact rules."""
    geoms = {geom.name for geom in scene.geoms()}
    names = Names(sections, scene.tables["contact"])

    def read(node: Node) -> None:
        node.visit()
        surface = None
        element = defaults.of(node) if node.tag == "pair" else Resolved(node, [], MAIN)
        if node.tag == "pair":
            first, second = (reference(node, f"geom{which}", geoms, "geom") for which in (1, 2))
            parameters = settings(element, SETTINGS)
            surface = Surface(parameters=parameters) if parameters else None
        else:
            first, second = (reference(node, f"body{which}", scene.graph, "body") for which in (1, 2))
        name, label = names.of(node, f"{node.tag}_{first}_{second}")
        rule = ContactRule(
            name=name,
            label=label,
            first=first,
            second=second,
            include=node.tag == "pair",
            surface=surface,
            source=element.source,
            extras=node.rest(),
        )
        scene.add("contact", rule)

    for node in (node for section in sections for node in section.elements() if node.tag in ("exclude", "pair")):
        node.attempt(read, node)


def write_contacts(root: Element, scene: Scene, grounds: Grounds) -> None:
    """Append <contact>, where there is any rule. One without a name whose pair had another rule before has its name
    said: a reader would make up that of the other."""
    section = Element("contact")
    rules: list[ContactRule] = list(scene.tables["contact"].values())
    spares = Spares(rule.name for rule in rules if rule.label != "" and rule.reason is None)
    for rule in rules:
        if rule.allow or not rule.second:
            continue
        ends = ("geom1", "geom2") if rule.include else ("body1", "body2")
        tag = "pair" if rule.include else "exclude"
        made = spares.of(f"{tag}_{rule.first}_{rule.second}")
        attrs = {"name": rule.name} if made != rule.name else {} if rule.reason is not None else named(rule)
        attrs |= dict(zip(ends, (rule.first, rule.second), strict=True))
        if rule.surface is not None:
            attrs |= {name: text for name, text in rule.surface.parameters if name in SETTINGS}
        element = Element(tag, attrs)
        if grounds.hold(element):
            section.content.append(element)
            restore(element, rule.extras, FORMAT)
    if section.content:
        root.content.append(section)
