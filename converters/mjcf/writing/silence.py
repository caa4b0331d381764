"""Defaults of MuJoCo, for elements that were added to a document whose classes give other values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set

from converters.mjcf.document.compiler import to_degrees
from converters.mjcf.tables import ANGLES
from converters.source.spelling import spell
from converters.source.text import numbers, parse_numbers
from converters.source.tree import Element

MAIN = "main"
SOLVER = {"solref": "0.02 1", "solimp": "0.9 0.95 0.001 0.5 2"}
STANDING = {"pos": "0 0 0", "quat": "1 0 0 0"}
SILENCE: Mapping[str, Mapping[str, str]] = {
    "geom": {
        **STANDING,
        **SOLVER,
        "type": "sphere",
        "contype": "1",
        "conaffinity": "1",
        "condim": "3",
        "group": "0",
        "priority": "0",
        "friction": "1 0.005 0.0001",
        "solmix": "1",
        "margin": "0",
        "gap": "0",
        "density": "1000",
        "rgba": "0.5 0.5 0.5 1",
        "material": "",
        "fluidshape": "none",
    },
    "joint": {
        "type": "hinge",
        "pos": "0 0 0",
        "axis": "0 0 1",
        "group": "0",
        "limited": "auto",
        "range": "0 0",
        "actuatorfrclimited": "auto",
        "actuatorfrcrange": "0 0",
        "solreflimit": SOLVER["solref"],
        "solimplimit": SOLVER["solimp"],
        "solreffriction": SOLVER["solref"],
        "solimpfriction": SOLVER["solimp"],
        **dict.fromkeys(("stiffness", "damping", "armature", "frictionloss", "ref", "springref", "margin"), "0"),
    },
    "material": {
        "rgba": "1 1 1 1",
        "texture": "",
        "texrepeat": "1 1",
        "texuniform": "false",
        "emission": "0",
        "specular": "0.5",
        "shininess": "0.5",
        "reflectance": "0",
        "metallic": "-1",
        "roughness": "-1",
    },
    "site": {**STANDING, "type": "sphere", "size": "0.005", "group": "0", "rgba": "0.5 0.5 0.5 1", "material": ""},
}
"""Default attributes by element, as in the compiler of MuJoCo 4; without those for which no value equals omission."""
Named = tuple[str, str]
"""Tag and name of an element."""


def with_meaning_of_silence(plain: Element, spelt: Element, added: Set[Named]) -> Element:
    """Return the plain document with explicit defaults on elements that were added to the author's one (spelt), if
    classes there give a value that the elements do not."""
    classes = _said_by_classes(spelt)
    lacking: dict[Named, dict[str, str]] = {}
    for element, name in _elements_with_class(spelt):
        key = (element.tag, element.attrs.get("name", ""))
        if key in added:
            said = classes.get(name, {}).get(element.tag, frozenset()) - element.attrs.keys()
            lacking[key] = {each: value for each, value in SILENCE.get(element.tag, {}).items() if each in said}
    if not any(lacking.values()):
        return plain
    made = plain.copy()
    for element in made.below():
        for name, value in lacking.get((element.tag, element.attrs.get("name", "")), {}).items():
            element.attrs.setdefault(name, value)  # given here even if spelt leaves it to a class
    return made


def angles(plain: Element, spelt: Element, added: Set[Named]) -> str:
    """Return notes (source.spelling) that write the angles of added joints in the author's unit (spelt)."""
    compilers = spelt.findall("compiler")
    if any(item.attrs.get("angle") == "radian" for item in compilers):
        return ""
    wanted = plain.copy()
    for element in wanted.below():
        if element.tag != "joint" or (element.tag, element.attrs.get("name", "")) not in added:
            continue
        if element.attrs.get("type", "hinge") not in ("hinge", "ball"):
            continue
        for name in (*ANGLES, "range"):
            if name in element.attrs:
                turned = (to_degrees(value) for value in parse_numbers(element.attrs[name]))
                element.attrs[name] = numbers(tuple(turned))
    return spell(wanted, plain)


def _said_by_classes(root: Element) -> dict[str, Mapping[str, frozenset[str]]]:
    """Return, by class and tag, the attributes that the class gives."""
    found: dict[str, Mapping[str, frozenset[str]]] = {MAIN: {}}
    stack = [(top, MAIN, MAIN) for top in reversed(root.findall("default"))]
    while stack:
        element, name, above = stack.pop()
        said = dict(found[above])
        for item in element.elements():
            if item.tag != "default":
                said[item.tag] = said.get(item.tag, frozenset()) | item.attrs.keys()
        found[name] = said
        found.setdefault(element.attrs.get("class", MAIN), said)
        inner = reversed(element.findall("default"))
        stack += [(item, item.attrs.get("class", ""), name) for item in inner]
    return found


def _elements_with_class(root: Element) -> Iterator[tuple[Element, str]]:
    """Yield all elements, each with its class."""
    stack = [(item, MAIN) for item in reversed(root.elements()) if item.tag != "default"]
    while stack:
        element, around = stack.pop()
        yield element, element.attrs.get("class", around)
        around = element.attrs.get("childclass", around)
        stack += [(item, around) for item in reversed(element.elements())]
