"""What speaks of bodies and joints from outside the tree, section by section."""

from __future__ import annotations

from collections.abc import Mapping

from converters.mjcf.document.attributes import things
from converters.mjcf.document.copies import kind_of, relations
from converters.mjcf.document.loading import Loading, Part, whole_tree
from converters.mjcf.relations.actuators import read_actuators, write_actuators
from converters.mjcf.relations.constraints import Follower, read_constraints, write_constraints
from converters.mjcf.relations.contacts import read_contacts, write_contacts
from converters.mjcf.relations.grounds import Grounds
from converters.mjcf.relations.keyframes import write_keyframes
from converters.mjcf.relations.option import write_option
from converters.mjcf.relations.sensors import read_sensors, write_sensors
from converters.mjcf.relations.tendons import read_tendons, write_tendons
from converters.source.tree import Element
from converters.source.xml import Node
from ir.scene import Scene

UNSIZED = "mjcf/frame-scale-relation"


def read_relations(loading: Loading, part: Part, mimics: dict[str, Follower]) -> None:
    """What speaks of bodies and joints from outside the tree."""
    scene = loading.scene
    for each in (part, *loading.parts):
        if any(section.content for section in each.root.children("tendon", "actuator")):
            each.settings.used.add("autolimits")
    found = relations(loading, part)
    if loading.sized:
        keys = [section for each in (part, *loading.parts) for section in each.root.children("keyframe")]
        spoken = (section for tag, sections in found.items() if tag != "sensor" for _, section in sections)
        _tell_unsized(loading, [*spoken, *keys])
    there = things(scene)
    for each, section in found["contact"]:
        read_contacts(section, scene, each.defaults, there)
    for each, section in found["tendon"]:
        read_tendons(section, scene, each, there)
    for each, section in found["equality"]:
        mimics |= read_constraints(section, scene, each.defaults, there)
    for each, section in found["actuator"]:
        read_actuators(section, scene, each, there)
    for each, section in found["sensor"]:
        read_sensors(section, scene, each)


def _tell_unsized(loading: Loading, found: list[Node]) -> None:
    """Note what MuJoCo scales beside the tree: what speaks of a thing in a frame that has a size (scaling)."""
    for node in (each for section in found for each in section.elements() if each.tag != "exclude"):
        named = {(kind_of(each.attrs, name), value) for each in whole_tree(node) for name, value in each.attrs.items()}
        if node.tag == "key" or named & loading.sized:
            loading.context.note(
                UNSIZED,
                "document",
                "MuJoCo scales lengths, forces and gains also of what speaks of a thing in a scaled frame; here "
                "they are read as they are written",
                node.source,
                before=f"<{node.tag}>",
                action="approximated",
                elsewhere=True,
            )


def write_relations(root: Element, scene: Scene, bodies: Mapping[str, Element]) -> dict[str, dict[str, list[str]]]:
    """What is said outside the tree of bodies, whose elements are given by name. Gives the folds of sensors."""
    write_option(root, scene)
    grounds = Grounds(root, scene)
    folds: dict[str, dict[str, list[str]]] = {}
    grounds.write("contact", write_contacts(scene))
    grounds.write("tendon", write_tendons(scene))
    grounds.write("equality", write_constraints(scene))
    grounds.write("actuator", write_actuators(scene))
    grounds.write("sensor", write_sensors(scene, bodies, folds))
    write_keyframes(root, scene, grounds)
    return folds
