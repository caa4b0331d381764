"""The state of reading an SRDF."""

from __future__ import annotations

from msgspec import Struct, field

from converters.context import InputError, ReaderContext
from converters.source.xml import Node
from ir.scene import Scene
from ir.types import Joint, Source


class MissingError(InputError):
    """A link or joint that the robot does not have."""


class SrdfLoading(Struct):
    """The scene being filled; links maps link names of the document to bodies, joints contains the changed ones."""

    scene: Scene
    context: ReaderContext
    links: dict[str, str]
    joints: dict[str, Joint] = field(default_factory=dict)
    ranked: dict[str, int] = field(default_factory=dict)
    groups: set[str] = field(default_factory=set)
    """Names of all groups of the document, read or not."""
    states: dict[tuple[str, str], Node] = field(default_factory=dict)
    """(group, name) -> the last state of that name."""
    rules: set[tuple[str, str, str]] = field(default_factory=set)
    taken: set[str] = field(default_factory=set)
    """Names of joints and dofs."""
    bases: list[Joint] = field(default_factory=list)
    """Joints by which a root floats in the world: virtual joints and others."""

    def joint(self, name: str) -> Joint | None:
        return self.joints.get(name) or self.scene.joints.get(name)

    def ranks(self) -> dict[str, int]:
        """Return dof -> its index in the order of simulators; those of joints that close a loop come last."""
        if not self.ranked:
            dofs = (dof.name for joint, _ in self.scene.walk() if joint is not None for dof in joint.dofs)
            self.ranked = {name: place for place, name in enumerate(dict.fromkeys((*dofs, *self.scene.dofs())))}
        return self.ranked

    def note(self, rule: str, where: str, before: str, reason: str, source: Source, severity: str = "warning") -> None:
        self.context.note(rule, where, reason, source, before=before[:200], action="ignored", severity=severity)

    def body(self, name: str, node: Node) -> str:
        """Return the body of a link. Raises InputError if there is none."""
        if name not in self.links:
            raise MissingError(f"there is no link {name!r}", node.source)
        return self.links[name]
