"""Names and versions that the reader and the writer of SDFormat share."""

from __future__ import annotations

import re

FORMAT = "sdf"
BARE = "kinegraph:bare"
"""Attribute of a model in a world whose contents are not named as in a nested scope: the world was made around it. Its
value is the name given to the model, or UNNAMED."""
UNNAMED = "true"
VERSION, ROOT, TOP, SPELLING = "sdf:version", "sdf:root", "sdf:top", "sdf:spelling"
"""Keys of the notation of a scene: version, root and kind of the document, and its spelling notes."""
FAULTS = "sdf:faults"
"""Notation: errors in the document itself, each as [rule, where, before]: its original spelling may repeat them."""
JOINTS = "sdf:joints"
"""Notation: the order of all joints if some close loops; without them the tree gives the order."""
TYPES = "sdf:types"
"""Notation: the types of two-axis joints for which the source has another type than their axes suggest."""
Version = tuple[int, int]

DEFAULT_VERSION: Version = (1, 9)
OLDEST: Version = (1, 0)
NEWEST: Version = (1, 12)
"""The oldest and newest versions that are read."""
OLDEST_WRITTEN: Version = (1, 6)
FRAMES: Version = (1, 7)
"""The first version with named frames: poses and axes can name the frame they are expressed in."""
NAMELESS: Version = (1, 10)
"""From this version on a plugin needs no name."""
MIMICS: Version = (1, 11)
"""The first version with <mimic>."""
HULLS: Version = (1, 11)
DENSITIES: Version = (1, 11)
"""The first versions with the convex hull of a mesh, and with the density of a collision."""
PITCHES: Version = (1, 10)
"""The first version in which the pitch of a screw is a length."""
_VERSION = re.compile(r"(\d{1,3})\.(\d{1,3})")


def version_of(text: str | None) -> Version | None:
    """Parse a version; None if the text is not one."""
    match = _VERSION.fullmatch((text or "").strip())
    return (int(match[1]), int(match[2])) if match else None


def version_text(version: Version) -> str:
    """Format a version."""
    return f"{version[0]}.{version[1]}"
