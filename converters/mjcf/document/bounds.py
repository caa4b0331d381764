"""Bounds that MuJoCo 4 sets for numbers and words beyond their syntax (measured): it refuses other models."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePosixPath

from converters.source.text import plain_numbers, words

Test = Callable[[Sequence[float]], bool]
Bounds = Mapping[str, Mapping[str, tuple[Test, str]]]
"""Element -> attribute -> a test of its numbers, and its description."""


def _bounds_test(least: float, most: float = float("inf"), beyond: bool = False) -> Test:
    return lambda found: all(least < value <= most if beyond else least <= value <= most for value in found)


NOT_BELOW, POSITIVE = (_bounds_test(0.0), "must not be below 0"), (_bounds_test(0.0, beyond=True), "must be above 0")
CONDIM = (lambda found: {*found} <= {1.0, 3.0, 4.0, 6.0}, "must be 1, 3, 4 or 6")
DAMPED = {"kv": NOT_BELOW, "dampratio": NOT_BELOW}
WIRE = {
    "springyield": NOT_BELOW,
    "armature": NOT_BELOW,
    "springlength": (lambda found: list(found) == sorted(found), "must be increasing"),
}

ONE_SIDED = (lambda found: found[0] >= 0.0, "must not be below 0")
KINDS = ("body", "jnt", "geom", "site", "cam", "tendon", "actuator", "sensor")
SIZES = ("njmax", "nconmax", "nstack", *(f"nuser_{kind}" for kind in KINDS))
NEAR = 1e-7
"""Metres: MuJoCo treats two points within this distance as identical."""

WRITTEN: Bounds = {
    "size": dict.fromkeys(SIZES, (_bounds_test(-1.0), "must not be below -1")) | {"nuserdata": NOT_BELOW},
    "option": {"actuatorgroupdisable": (_bounds_test(0.0, 30.0), "must name groups from 0 to 30")},
    "global": {"realtime": POSITIVE},
    "map": {"znear": POSITIVE},
    "mesh": {
        "maxhullvert": (lambda found: all(value == -1.0 or value > 3.0 for value in found), "must be -1 or above 3")
    },
    "position": DAMPED | {"timeconst": NOT_BELOW},
    "pid": DAMPED | {"slewmax": NOT_BELOW},
    "intvelocity": DAMPED,
    "orientation": DAMPED,
    "damper": {"kv": NOT_BELOW, "ctrlrange": ONE_SIDED},
    "adhesion": {"gain": NOT_BELOW, "ctrlrange": ONE_SIDED},
    "pulley": {"divisor": POSITIVE},
}
"""Bounds of attributes as written, also in a default class."""
APART = (lambda found: len(found) != 6 or math.dist(found[:3], found[3:]) > NEAR, "must be two different points")
MEANT: Bounds = {
    "geom": {"condim": CONDIM, "fromto": APART},
    "site": {"fromto": APART},
    "pair": {"condim": CONDIM},
    "joint": {
        "springyield": NOT_BELOW,
        "springdamper": (lambda found: not any(found) or min(found) > 0.0, "must be two numbers above 0"),
    },
    "light": {"softness": (_bounds_test(0.0, 1.0), "must be between 0 and 1")},
    "camera": {"fovy": (lambda found: max(found) < 180.0, "must be below 180")},
    "fixed": WIRE,
    "spatial": WIRE | {"width": POSITIVE},
}
"""Bounds of attributes with defaults applied."""
WORDS: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "size": {
        "memory": (
            r"\s*(-1|(?=0*[1-9])\d{1,19}[kmgtpeKMGTPE]?)\s*",
            "must be a whole number above 0, optionally with K, M, G, T, P or E",
        )
    },
    "headlight": {"active": (r"\s*(\+?0*[0-2]|-0+|true|false|auto)\s*", "must be 0 or 1")},
    "freejoint": {"group": (r".*\S.*", "must not be empty")},
    "layer": {
        "role": (
            "rgb|normal|occlusion|roughness|metallic|opacity|emissive|orm|rgba",
            "must be a channel that MuJoCo knows",
        )
    },
    "mesh": {"maxhullvert": (r".*\S.*", "must not be empty")},
}
"""Element -> attribute -> a regular expression for its text, and its description."""
IMAGES = (".png", ".ktx")
TYPES = ("image/png", "image/ktx")
MESHES = (".stl", ".obj", ".msh")
HEIGHTS = ("image/png", "image/vnd.mujoco.hfield")
PICTURES = (".jpg", ".jpeg", ".bmp", ".tga", ".gif", ".tif", ".tiff", ".webp")
"""Image suffixes that are not accepted for height fields."""
GROUPED = {"vertex": 3, "face": 3, "normal": 3, "texcoord": 2}
"""Lists of a mesh -> how many of their numbers form one entry."""


def beyond_bounds(bounds: Bounds, tag: str, said: Callable[[str], str | None]) -> list[tuple[str, str]]:
    """Return the attributes of an element that violate their bounds, each with the requirement."""
    found: list[tuple[str, str]] = []
    for name, (holds, words_) in bounds.get(tag, {}).items():
        values = plain_numbers(said(name) or "")
        if values and not holds(values):
            found.append((name, f"{name} {words_}"))
    return found


def misspelt(tag: str, attrs: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the attributes whose text MuJoCo does not accept, each with the requirement."""
    known = WORDS.get(tag, {}).items()
    return [
        (name, f"{name} {said}")
        for name, (text, said) in known
        if name in attrs and not re.fullmatch(text, attrs[name], re.ASCII)
    ]


def broken_off_lists(attrs: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the lists of a mesh whose last entry is incomplete."""
    return [
        (name, f"the numbers of {name} must come in groups of {count}")
        for name, count in GROUPED.items()
        if len(words(attrs.get(name, ""))) % count
    ]


def unreadable_image(attrs: Mapping[str, str]) -> str:
    """Return the attribute of a texture that gives a file type which MuJoCo does not read; "" if there is none."""
    kind = attrs.get("content_type")
    if attrs.get("builtin", "none") != "none":
        return ""
    if kind:
        return "" if kind in TYPES else "content_type"
    return "" if _file_suffix(attrs) in (None, *IMAGES) else "file"


def reads_mesh_file(attrs: Mapping[str, str]) -> bool:
    """Whether MuJoCo reads the file of a mesh: only the suffix of its name matters, not content_type."""
    return _file_suffix(attrs) in (None, *MESHES)


def unreadable_heights(attrs: Mapping[str, str]) -> str:
    """Return the attribute of a height field that gives a file type which MuJoCo does not read; "" if there is none.
    Files that are not declared as images are read as the custom format of MuJoCo."""
    kind = attrs.get("content_type")
    if kind:
        return "" if kind in HEIGHTS else "content_type"
    return "file" if _file_suffix(attrs) in PICTURES else ""


def _file_suffix(attrs: Mapping[str, str]) -> str | None:
    """Return the suffix of the file name in lower case; None if no file is given."""
    file = attrs.get("file")
    return PurePosixPath(file).suffix.lower() if file else None
