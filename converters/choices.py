"""The words that an option may have, for the command line, for Options and for type checkers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

Base = Literal["keep", "fixed", "floating"]
MissingInertia = Literal["minimal", "geometry"]
Meshes = Literal["auto", "copy", "reference", "embed"]
Sites = Literal["keep", "links"]
UrdfVersion = Literal["1.0", "1.1", "1.2"]
Compress = Literal["none", "quantize", "draco"]
View = Literal["iso", "front", "back", "left", "right", "top"]
Show = Literal["visual", "collision", "both"]

CHOICES: Mapping[str, tuple[str, ...]] = {
    "base": get_args(Base),
    "missing_inertia": get_args(MissingInertia),
    "meshes": get_args(Meshes),
    "sites": get_args(Sites),
    "urdf_version": get_args(UrdfVersion),
    "compress": get_args(Compress),
    "view": get_args(View),
    "show": get_args(Show),
}
"""Name of an option -> its words."""
