"""OGRE material scripts, as far as they give the look of a surface: colours and one texture.

The names Gazebo/* are those of the script that comes with Gazebo; its colours are given here as data.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from converters.source.text import parse_number
from ir.types import Vec4

LARGEST = 4 * 1024 * 1024
"""Bytes; a larger script is not read."""


class Script(Struct, frozen=True):
    """A material of a script; None for values that are not given."""

    ambient: Vec4 | None = None
    diffuse: Vec4 | None = None
    specular: Vec4 | None = None
    emissive: Vec4 | None = None
    texture: str | None = None
    parent: str | None = None


def _script_of_colour(red: float, green: float, blue: float, alpha: float = 1.0) -> Script:
    return Script(ambient=(red, green, blue, alpha), diffuse=(red, green, blue, alpha))


BUILTIN: Mapping[str, Script] = {
    f"Gazebo/{name}": script
    for name, script in {
        "Grey": Script(ambient=(0.3, 0.3, 0.3, 1.0), diffuse=(0.7, 0.7, 0.7, 1.0)),
        "Gray": Script(ambient=(0.3, 0.3, 0.3, 1.0), diffuse=(0.7, 0.7, 0.7, 1.0)),
        "DarkGrey": _script_of_colour(0.175, 0.175, 0.175),
        "DarkGray": _script_of_colour(0.175, 0.175, 0.175),
        "White": _script_of_colour(1.0, 1.0, 1.0),
        "FlatBlack": _script_of_colour(0.1, 0.1, 0.1),
        "Black": _script_of_colour(0.0, 0.0, 0.0),
        "Red": _script_of_colour(1.0, 0.0, 0.0),
        "RedBright": _script_of_colour(0.87, 0.26, 0.07),
        "Green": _script_of_colour(0.0, 1.0, 0.0),
        "Blue": _script_of_colour(0.0, 0.0, 1.0),
        "SkyBlue": _script_of_colour(0.13, 0.44, 0.7),
        "Yellow": _script_of_colour(1.0, 1.0, 0.0),
        "ZincYellow": _script_of_colour(0.9725, 0.9529, 0.2078),
        "DarkYellow": _script_of_colour(0.7, 0.7, 0.0),
        "Purple": _script_of_colour(1.0, 0.0, 1.0),
        "Turquoise": _script_of_colour(0.0, 1.0, 1.0),
        "Orange": _script_of_colour(1.0, 0.5088, 0.0468),
        "DarkOrange": _script_of_colour(0.49, 0.31, 0.07),
        "Indigo": _script_of_colour(0.33, 0.0, 0.5),
        "Gold": _script_of_colour(0.8, 0.64869, 0.120759),
        "RedGlow": _script_of_colour(1.0, 0.0, 0.0),
        "GreenGlow": _script_of_colour(0.0, 1.0, 0.0),
        "BlueGlow": _script_of_colour(0.0, 0.0, 1.0),
        "YellowGlow": _script_of_colour(1.0, 1.0, 0.0),
        "PurpleGlow": _script_of_colour(1.0, 0.0, 1.0),
        "TurquoiseGlow": _script_of_colour(0.0, 1.0, 1.0),
        "OrangeGlow": _script_of_colour(1.0, 0.5088, 0.0468),
        "WhiteGlow": _script_of_colour(1.0, 1.0, 1.0),
        "RedTransparent": _script_of_colour(1.0, 0.0, 0.0, 0.5),
        "GreenTransparent": _script_of_colour(0.0, 1.0, 0.0, 0.5),
        "BlueTransparent": _script_of_colour(0.0, 0.0, 1.0, 0.5),
        "YellowTransparent": _script_of_colour(1.0, 1.0, 0.0, 0.5),
        "PurpleTransparent": _script_of_colour(1.0, 0.0, 1.0, 0.5),
        "TurquoiseTransparent": _script_of_colour(0.0, 1.0, 1.0, 0.5),
        "OrangeTransparent": _script_of_colour(1.0, 0.5088, 0.0468, 0.5),
        "GreyTransparent": _script_of_colour(0.5, 0.5, 0.5, 0.5),
        "BlackTransparent": _script_of_colour(0.0, 0.0, 0.0, 0.5),
    }.items()
}
"""Plain colours only: materials with a texture have no single colour."""


def material_of_script(name: str, files: Iterable[Path]) -> Script | None:
    """Return the material from the first script that has it, with parents applied; else Gazebo's own; else None."""
    for file in files:
        materials = _materials(file)
        if name in materials:
            return _with_parents(materials, name)
    return BUILTIN.get(name)


def _with_parents(materials: Mapping[str, Script], name: str) -> Script:
    chain: list[str] = []
    step: str | None = name
    while step is not None and step in materials and step not in chain:
        chain.append(step)
        step = materials[step].parent
    found = Script()
    for step in reversed(chain):
        own = materials[step]
        said = {item: value for item in _COLOURS if (value := getattr(own, item)) is not None}
        if own.texture is not None:
            said["texture"] = own.texture
        found = replace(found, **said)
    return found


_COLOURS = ("ambient", "diffuse", "specular", "emissive")
_COMMENT = re.compile(r"//[^\n]*|/\*(?:.*?\*/|.*)", re.DOTALL)


@cache
def _materials(file: Path) -> Mapping[str, Script]:
    """Return the materials of a script file by name; none if it cannot be read."""
    try:
        if file.stat().st_size > LARGEST:
            return {}
        text = file.read_text("utf-8", "replace")
    except OSError:
        return {}
    found: dict[str, Script] = {}
    name: str | None = None
    depth = 0
    for line in _COMMENT.sub("", text).replace("{", "\n{\n").replace("}", "\n}\n").splitlines():
        words = line.split()
        if not words:
            continue
        if words[0] == "{":
            depth += 1
        elif words[0] == "}":
            depth = max(depth - 1, 0)
            name = name if depth else None
        elif words[0] in ("material", "abstract") and depth == 0:
            title, _, parent = line.partition("material")[2].partition(":")
            name = title.strip().strip('"')
            found[name] = Script(parent=parent.strip().strip('"') or None)
        elif name is not None:
            found[name] = _after_line(found[name], words)
    return found


def _after_line(script: Script, words: list[str]) -> Script:
    key, *values = words
    if key == "texture" and values and script.texture is None:
        return replace(script, texture=values[0].strip('"'))
    if key not in _COLOURS or getattr(script, key) is not None:
        return script
    try:
        numbers = [min(max(parse_number(value), 0.0), 1.0) for value in values[: 3 if key == "specular" else 4]]
    except ValueError:
        return script
    if len(numbers) < 3:
        return script
    red, green, blue, alpha = (*numbers, 1.0)[:4]
    said: dict[str, Any] = {key: (red, green, blue, alpha)}
    return replace(script, **said)
