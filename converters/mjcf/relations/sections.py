"""Read and write the sections of a document that reference bodies and joints from outside the tree, in order."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType

from converters.mjcf.document.attributes import ElementNames, Things, declared_names
from converters.mjcf.document.copies import SECTIONS, kind_of, relations
from converters.mjcf.document.flexible import flexcomp_names, ties_soft
from converters.mjcf.document.loading import MjcfLoading, Part
from converters.mjcf.relations import actuators, contacts, sensors, tendons
from converters.mjcf.relations.constraints import Followed, read_constraints, write_constraints
from converters.mjcf.relations.grounds import Grounds
from converters.mjcf.relations.keyframes import write_keyframes
from converters.mjcf.relations.option import write_option
from converters.mjcf.relations.shortcuts import OWN
from converters.mjcf.tables import FORMAT
from converters.source.tree import Element
from converters.source.xml import Node
from ir.scene import Scene
from ir.types import Entity

UNSIZED = "mjcf/frame-scale-relation"
LISTING = ("flex",)
"""Elements with an attribute that references several bodies."""
TABLES: Mapping[str, tuple[Collection[str], Callable[[Node, ElementNames, Part, Things], Entity]]] = {
    "contact": (contacts.KINDS, contacts.read_contact),
    "tendon": (tendons.KINDS, tendons.read_tendon),
    "actuator": (OWN, actuators.read_actuator),
    "sensor": (sensors.TARGETS, sensors.read_sensor),
}
"""Section, which is a table of the scene -> its elements, and the function that reads one."""


def read_relations(loading: MjcfLoading, part: Part, mimics: dict[str, Followed]) -> None:
    """Read the sections that reference bodies and joints from outside the tree."""
    scene = loading.scene
    for each in (part, *loading.parts):
        if any(section.content for section in each.root.children("tendon", "actuator")):
            each.settings.used.add("autolimits")
    found = relations(loading, part)
    if loading.sized:
        keys = [section for each in (part, *loading.parts) for section in each.root.children("keyframe")]
        spoken = (section for tag, sections in found.items() if tag != "sensor" for _, section in sections)
        _tell_unsized(loading, [*spoken, *keys])
        for each in (part, *loading.parts):
            _tell_unsized(loading, each.root.children("deformable", "asset"), each.prefix)
    there, flexible = declared_names(scene), flexcomp_names(scene)
    nameless = [geom.name for geom in scene.geoms() if geom.label == ""]
    for tag in SECTIONS:
        for each, section in found[tag]:
            each.nameless = nameless[-1] if nameless else ""
            if tag == "equality":
                read_constraints(section, scene, each.defaults, there, flexible, mimics)
            else:
                _read_section(section, scene, each, there, flexible)


def _read_section(section: Node, scene: Scene, part: Part, there: Things, flexible: Collection[str]) -> None:
    """Add the elements of a section to its table, in file order, which is that of controls and readings."""
    tags, read = TABLES[section.tag]
    names = ElementNames([section], scene.tables[section.tag])
    for node in section.elements():
        if node.tag not in tags or ties_soft(node, flexible):
            continue
        made = node.visit().attempt(read, node, names, part, there)
        if made is not None:
            scene.add(section.tag, made)


def _tell_unsized(loading: MjcfLoading, found: Sequence[Node], prefix: str = "") -> None:
    """Report elements outside the tree that MuJoCo scales: those that reference an object in a scaled frame (scaling).

    prefix: the prefix of the names that are written there.
    """
    for node in (each for section in found for each in section.elements() if each.tag != "exclude"):
        said = ((each, name, value) for each in node.below() for name, value in each.attrs.items())
        named = {
            (kind_of(each.attrs, name), f"{prefix}{word}")
            for each, name, value in said
            for word in (value, *(value.split() if node.tag in LISTING else ()))
        }
        if node.tag == "key" or named & loading.sized:
            loading.context.note(
                UNSIZED,
                "document",
                "MuJoCo also scales lengths, forces and gains of elements that refer to something in a scaled "
                "frame; here they are read as written",
                node.source,
                before=f"<{node.tag}>",
                action="approximated",
                elsewhere=True,
            )


def write_relations(
    root: Element,
    scene: Scene,
    bodies: Mapping[str, Element],
    source: str,
    folds: Mapping[str, Mapping[str, list[str]]] = MappingProxyType({}),
) -> dict[str, dict[str, list[str]]]:
    """Write the sections outside the body tree, whose elements are given by name. Return the folds, including those of
    sensors.

    source: the format of the document that was read.
    """
    write_option(root, scene)
    grounds = Grounds(root, scene)
    made = {kind: {**group} for kind, group in folds.items()}
    grounds.release()
    grounds.write("contact", contacts.write_contacts(scene))
    grounds.write("tendon", tendons.write_tendons(scene))
    grounds.write("equality", write_constraints(scene))
    grounds.write("actuator", actuators.write_actuators(scene))
    grounds.write("sensor", sensors.write_sensors(scene, bodies, made, source == FORMAT))
    write_keyframes(root, scene, grounds)
    return made
