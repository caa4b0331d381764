"""Names of SRDF and their counterparts in the graph, used in both directions."""

from __future__ import annotations

from collections.abc import Mapping

from ir.types import AXES, IDENTITY, WORLD, Dof, DofKind, Joint

FORMAT = "srdf"
SUFFIX = ".srdf"

SPELLING = "srdf:spelling"
"""Key of the notation of a scene read with an SRDF: the spelling notes of the SRDF (converters.source.spelling)."""
NAMESPACES = "srdf:namespaces"
"""JSON object of the prefixes that the SRDF declares."""

PLANAR = ("_TX", "_TY", "_RZ")
"""Suffixes of the names of the dofs of a planar joint."""

VIRTUAL: Mapping[str, tuple[DofKind, ...]] = {
    "fixed": (),
    "floating": (DofKind.FREE,),
    "planar": (DofKind.SLIDE, DofKind.SLIDE, DofKind.HINGE),
}
"""Types of a virtual joint."""

ENDS = ("link1", "link2")
"""Attributes of a rule about two links."""


def virtual_dofs(name: str, word: str) -> tuple[Dof, ...]:
    """Return the dofs of a virtual joint of this type: a planar one slides along x and y and rotates about z."""
    kinds = VIRTUAL[word]
    if len(kinds) < 2:
        return tuple(Dof(name=name, kind=kind) for kind in kinds)
    return tuple(
        Dof(name=f"{name}{suffix}", kind=kind, axis=axis)
        for suffix, kind, axis in zip(PLANAR, kinds, AXES, strict=True)
    )


def virtual_type(joint: Joint) -> str | None:
    """Return the type of the virtual joint that a joint to the world represents; None if it is not one."""
    if joint.frame is None or joint.parent != WORLD or joint.pose != IDENTITY or joint.closes_loop:
        return None
    return next((word for word in VIRTUAL if virtual_dofs(joint.name, word) == joint.dofs), None)
