"""Names and versions that the reader and the writer of SDFormat share."""

from __future__ import annotations

import re

FORMAT = "sdf"
BARE = "kinegraph:bare"
"""Attribute of a model in a world whose names are not those of a nested scope: the world was made around it. It
says the name that the model was given, or UNNAMED."""
UNNAMED = "true"
VERSION, ROOT, TOP, SPELLING = "sdf:version", "sdf:root", "sdf:top", "sdf:spelling"
"""Keys of the notation of a scene: version, root and kind of the document, and how its author spelled it."""
FAULTS = "sdf:faults"
"""Notation: what is wrong with the document itself, each as [rule, where, before]: its words may say it again."""
JOINTS = "sdf:joints"
"""Notation: the order of all joints where some of them close loops; elsewhere those of the tree are counted alone."""
TYPES = "sdf:types"
"""Notation: the types of joints of two axes, where the author has another word than their angle suggests."""
Version = tuple[int, int]

DEFAULT_VERSION: Version = (1, 9)
OLDEST: Version = (1, 0)
NEWEST: Version = (1, 12)
"""Of the versions that are read."""
OLDEST_WRITTEN: Version = (1, 6)
FRAMES: Version = (1, 7)
"""The first version with frames that have names: whose poses and axes say in which of them they are."""
NAMELESS: Version = (1, 10)
"""From this version on a plugin needs no name."""
MIMICS: Version = (1, 11)
"""The first version that knows <mimic>."""
HULLS: Version = (1, 11)
DENSITIES: Version = (1, 11)
"""The first versions in which a mesh says that its hull is meant, and a collision how dense it is."""
PITCHES: Version = (1, 10)
"""The first version in which the pitch of a screw is a length."""
_VERSION = re.compile(r"(\d{1,3})\.(\d{1,3})")


def version_of(text: str | None) -> Version | None:
    """The version that a text names; None for one that names none."""
    match = _VERSION.fullmatch((text or "").strip())
    return (int(match[1]), int(match[2])) if match else None


def version_text(version: Version) -> str:
    """The text that names a version."""
    return f"{version[0]}.{version[1]}"
