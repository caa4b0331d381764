"""The values of options: words, for the command line, for Options and for type checkers; and checks of all others."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from numbers import Integral, Real
from pathlib import Path
from typing import Any, Literal, get_args

Base = Literal["keep", "fixed", "floating", "open"]
MissingInertia = Literal["minimal", "geometry"]
Meshes = Literal["auto", "copy", "reference", "embed"]
Sites = Literal["keep", "links"]
UrdfVersion = Literal["1.0", "1.1", "1.2"]
Compress = Literal["none", "quantize", "draco"]
Physics = Literal["khr", "khr-2025", "omi", "none"]
Hierarchy = Literal["nested", "flat"]
View = Literal["iso", "front", "back", "left", "right", "top"]
Show = Literal["visual", "collision", "both"]

CHOICES: Mapping[str, tuple[str, ...]] = {
    "base": get_args(Base),
    "missing_inertia": get_args(MissingInertia),
    "meshes": get_args(Meshes),
    "sites": get_args(Sites),
    "urdf_version": get_args(UrdfVersion),
    "compress": get_args(Compress),
    "physics": get_args(Physics),
    "hierarchy": get_args(Hierarchy),
    "view": get_args(View),
    "show": get_args(Show),
}
"""Name of an option -> its words."""

ELSEWHERE: Mapping[str, str] = {
    **dict.fromkeys(("to", "target"), "target='mjcf' to convert or write"),
    **dict.fromkeys(("from", "source"), "source='urdf' to convert or read"),
    "report": "convert(…).save('loss.html')",
    "arg": "arguments={'NAME': 'VALUE'}",
    "no_srdf": "find_srdf=False",
    "no_carry": "carry=False",
    "no_audit": "audit=False",
    "native": "carried=False",
}
"""Names of the command line that are no options in Python -> what to write instead."""

LARGEST_PICTURE = 4096
"""Largest width and height of a picture in pixels."""
UNWRITABLE = re.compile("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\ud800-\\udfff\\ufffe\\uffff]")
"""Characters that XML cannot contain (1.0, production 2)."""
MOST_SEGMENTS = 1024
"""Largest number of corners of a circle."""

Kind = tuple[str, Callable[[Any], object]]
"""The description of valid values, and a function that tells whether a value is valid."""


def _words(name: str) -> Kind:
    words = CHOICES[name]
    what = f"{', '.join(map(repr, words[:-1]))} or {words[-1]!r}"
    return what, lambda value: isinstance(value, str) and value in words


def _maybe(kind: Kind) -> Kind:
    return f"{kind[0]}, or None", lambda value: value is None or kind[1](value)


def _several(what: str, *kinds: type) -> Kind:
    """The kind of one or several values of these types; a text is one value."""

    def several(value: Any) -> bool:
        some = value if isinstance(value, Sequence) and not isinstance(value, (str, bytes)) else [value]
        return all(isinstance(each, kinds) for each in some)

    return what, several


def _mapping(what: str, *kinds: type) -> Kind:
    def maps(value: Any) -> bool:
        pairs = value.items() if isinstance(value, Mapping) else [(None, None)]
        return all(isinstance(key, str) and isinstance(each, kinds) for key, each in pairs)

    return what, maps


def _size(value: Any) -> bool:
    pair = isinstance(value, (tuple, list)) and len(value) == 2
    return pair and all(isinstance(each, Integral) and 0 < int(each) <= LARGEST_PICTURE for each in value)


_FLAG: Kind = ("True or False", lambda value: isinstance(value, bool))
_TEXT: Kind = ("a text", lambda value: isinstance(value, str))
_NAME: Kind = (
    "a name without control characters",
    lambda value: isinstance(value, str) and value.strip() and not UNWRITABLE.search(value),
)
_POSITIVE: Kind = ("a number above 0", lambda value: isinstance(value, Real) and isfinite(value) and float(value) > 0)
_FLAGS = ("scene", "urdfdom_materials", "clamp", "find_srdf", "audit", "carry", "carried")

KINDS: Mapping[str, Kind] = {
    **{name: _words(name) for name in CHOICES},
    **dict.fromkeys(_FLAGS, _FLAG),
    "urdf_version": _maybe(_words("urdf_version")),
    "sdf_version": _maybe(_TEXT),
    "model": _maybe(_TEXT),
    "pose_name": _maybe(_NAME),
    "separator": _TEXT,
    "ros_package": (
        "the name of a ROS package (letters, digits, _ and -), or None",
        lambda value: value is None or (isinstance(value, str) and re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]*", value)),
    ),
    "packages": _mapping("a mapping of names to folders, as {'NAME': 'DIR'}", str, Path),
    "arguments": _mapping("a mapping of names to texts, as {'NAME': 'VALUE'}", str),
    "resource_paths": _several("a folder, or several", str, Path),
    "srdf": _maybe(("the path of a file", lambda value: isinstance(value, (str, Path)))),
    "pose": _several("a text or several, as 'elbow=30deg'", str),
    "trajectory": _several("a text or several, as 'NAME=FILE'", str),
    "density": _POSITIVE,
    "total_mass": _maybe(_POSITIVE),
    "segments": (
        f"a whole number from 3 to {MOST_SEGMENTS}",
        lambda value: isinstance(value, Integral) and 3 <= int(value) <= MOST_SEGMENTS,
    ),
    "size": (f"two whole numbers of pixels from 1 to {LARGEST_PICTURE}, as (800, 600)", _size),
}
"""Name of an option -> its valid values."""
