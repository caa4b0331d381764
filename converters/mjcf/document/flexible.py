"""Bodies that <flexcomp> makes: NAME_0, NAME_1 ... of its points, NAME_0_1_0 of a grid around them.

They are no part of the graph, as the element itself is none; what names one leads somewhere all the same.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Container

from converters.mjcf.tables import FLEX
from converters.source.xml import Node
from ir.scene import Scene

_NAME = re.compile(r'<flexcomp\b[^>]*?\sname="([^"]*)"')
_NUMBER = re.compile(r"\d+(?:_\d+_\d+)?")
ENDS = ("body1", "body2")


class Bodies(Container[str]):
    """All bodies that MuJoCo knows by name: those of the graph, and those of <flexcomp> of these names."""

    def __init__(self, bodies: Container[object], names: Collection[str]) -> None:
        self.bodies, self.names = bodies, names

    def __contains__(self, name: object) -> bool:
        return name in self.bodies or (isinstance(name, str) and is_soft(name, self.names))


def soft(scene: Scene) -> frozenset[str]:
    """The names of the <flexcomp> of a scene, which are kept as they are written."""
    texts = (extra.text for body in scene.bodies.values() for extra in body.extras if f"<{FLEX}" in extra.text)
    names = [name for text in texts for name in _NAME.findall(text)]
    if not names:
        return frozenset()
    from html import unescape

    return frozenset(map(unescape, names))


def is_soft(body: str, names: Collection[str]) -> bool:
    """Whether one of the <flexcomp> of these names makes this body."""
    return any(body.startswith(f"{name}_") and _NUMBER.fullmatch(body, len(name) + 1) is not None for name in names)


def ties_soft(node: Node, names: Collection[str]) -> bool:
    """Whether an element of two bodies names such a one: the graph has no such pair, and it stays as it is written."""
    return any(is_soft(node.attrs.get(end, ""), names) for end in ENDS)
