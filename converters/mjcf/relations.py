"""What speaks of bodies and joints from outside the tree, section by section."""

from __future__ import annotations

from collections.abc import Mapping

from converters.mjcf.actuators import read_actuators, write_actuators
from converters.mjcf.constraints import read_constraints, write_constraints
from converters.mjcf.contacts import read_contacts, write_contacts
from converters.mjcf.copies import sections
from converters.mjcf.keyframes import write_keyframes
from converters.mjcf.loading import Loading, Part
from converters.mjcf.sensors import read_sensors, write_sensors
from converters.mjcf.settings import write_option
from converters.mjcf.tendons import read_tendons, write_tendons
from converters.source.tree import Element
from ir.scene import Scene
from ir.types import Mimic


def read_relations(loading: Loading, part: Part, mimics: dict[str, Mimic]) -> None:
    """What speaks of bodies and joints from outside the tree."""
    scene, autolimits = loading.scene, part.settings.autolimits
    if any(section.content for section in part.root.children("tendon", "actuator")):
        part.settings.used.add("autolimits")
    read_contacts(sections(loading, part, "contact"), scene, part.defaults)
    read_tendons(sections(loading, part, "tendon"), scene, part.defaults, autolimits)
    mimics |= read_constraints(sections(loading, part, "equality"), scene, part.defaults)
    read_actuators(sections(loading, part, "actuator"), scene, part.defaults, autolimits)
    read_sensors(sections(loading, part, "sensor"), scene)


def write_relations(root: Element, scene: Scene, bodies: Mapping[str, Element]) -> dict[str, dict[str, list[str]]]:
    """What is said outside the tree of bodies, whose elements are given by name. Gives the folds of sensors."""
    write_option(root, scene)
    write_contacts(root, scene)
    write_tendons(root, scene)
    write_constraints(root, scene)
    write_actuators(root, scene)
    folds = write_sensors(root, scene, bodies)
    write_keyframes(root, scene)
    return folds
