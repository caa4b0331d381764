"""Read and write <option>: properties of the world, and solver settings."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import cast

from converters.context import ReaderContext
from converters.mjcf.document.attributes import put
from converters.mjcf.document.schema import attributes
from converters.mjcf.tables import FORMAT, PHYSICS
from converters.source.tree import Element, restore
from converters.source.xml import Node, joined_source
from ir.scene import Scene
from ir.types import Extra, Parameters, Physics, Vec3

GRAVITY: Vec3 = (0.0, 0.0, -9.81)
VECTORS = ("gravity", "magnetic", "wind")
OPTIONS = attributes("option").difference(("timestep", *VECTORS))
"""Solver settings, kept as written."""
PARTIAL = frozenset({"o_friction", "o_solimp", "o_solref"})
"""Vectors whose short form sets only the first numbers: the others are those of an earlier section."""
GROUPS = "actuatorgroupdisable"
"""Groups disabled by several sections are combined."""
REPEATED = ("compiler", "option")
FLAG = "flag/"
FLAGS = attributes("option/flag")


def tell_overridden(root: Node, context: ReaderContext) -> None:
    """Report attributes of <compiler> and <option> that a later one overrides."""
    last: dict[tuple[str, str], Node] = {}
    sections = [each for section in root.elements() if section.tag in REPEATED for each in section.below()]
    for node in reversed(sections):
        for name, text in node.attrs.items():
            if name in (*PARTIAL, GROUPS):
                continue
            counts = last.setdefault((node.tag, name), node)
            if counts is not node:
                how = "again" if counts.attrs[name] == text else "otherwise"
                context.note(
                    "mjcf/overridden",
                    "document",
                    f"a later <{node.tag}> sets this {how}, and the last one is used",
                    node.place(name),
                    before=f"<{node.tag} {name}={text!r}>",
                    action="ignored",
                    severity="note",
                    elsewhere=True,
                )


def read_option(sections: Sequence[Node], scene: Scene) -> None:
    """Combine several sections into one world: the last value of each attribute is used."""
    if not sections:
        return
    vectors: dict[str, Vec3] = {}
    words: dict[str, str] = {}
    timestep = None
    extras: list[Extra] = []
    for node in sections:
        for name in VECTORS:
            vector = node.vector(name, 3)
            if vector is not None:
                vectors[name] = cast("Vec3", vector)
        step = node.number("timestep")
        timestep = step if step is not None else timestep
        for name, text in _option_words(node, "", OPTIONS).items():
            words[name] = _earlier_value(name, words.get(name, ""), text)
        for flag in node.children("flag"):
            words |= _option_words(flag, FLAG, FLAGS)
        extras += node.rest()
    scene.add(
        "physics",
        Physics(
            name=PHYSICS,
            gravity=vectors.get("gravity", GRAVITY),
            timestep=timestep,
            magnetic=vectors.get("magnetic"),
            wind=vectors.get("wind"),
            parameters=tuple(words.items()),
            source=joined_source(*(node.source for node in sections)),
            extras=tuple(extras),
        ),
    )


def _earlier_value(name: str, before: str, text: str) -> str:
    """Return the value of an attribute that an earlier section also gives."""
    old, new = before.split(), text.split()
    if name == GROUPS and old:
        return " ".join(dict.fromkeys([*old, *new]))
    return " ".join([*new, *old[len(new) :]]) if name in PARTIAL and len(old) > len(new) else text


def _option_words(node: Node, prefix: str, known: Container[str]) -> dict[str, str]:
    said = {prefix + name: node.attempt(node.need, name) for name in node.attrs if name in known}
    return {name: word for name, word in said.items() if word is not None}


def write_option(root: Element, scene: Scene) -> None:
    """Append <option> if the scene has settings of its world."""
    physics: Physics | None = scene.tables["physics"].get(PHYSICS)
    if physics is None:
        return
    attrs: dict[str, str] = {}
    put(attrs, "timestep", physics.timestep)
    put(attrs, "gravity", physics.gravity, GRAVITY)
    put(attrs, "magnetic", physics.magnetic)
    put(attrs, "wind", physics.wind)
    parameters: Parameters = physics.parameters
    attrs |= {name: text for name, text in parameters if name in OPTIONS}
    element = root.add("option", attrs)
    flags = {name.removeprefix(FLAG): text for name, text in parameters if name.startswith(FLAG)}
    if flags:
        element.add("flag", flags)
    restore(element, physics.extras, FORMAT)
