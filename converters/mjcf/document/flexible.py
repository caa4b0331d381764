"""Objects that <flexcomp> makes: bodies NAME_0, NAME_1 ... of its points, NAME_0_1_0 of a surrounding grid, and for
twisting cables bodies and joints NAME_twist, NAME_twist_0 ... In a <replicate> these names have a suffix.

They are not in the graph, as the element itself is not, but references to them are valid.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Container

from converters.mjcf.tables import FLEX
from converters.source.xml import Node
from ir.scene import Scene

_NAME = re.compile(r'<flexcomp\b[^>]*?\sname="([^"]*)"')
_MADE = {"body": re.compile(r"\d|twist"), "joint": re.compile("twist")}
ENDS = {"body1": "body", "body2": "body", "joint1": "joint", "joint2": "joint"}


class AllNamed(Container[str]):
    """All bodies or joints that MuJoCo knows by name: of the graph, and those made by <flexcomp> of these names."""

    def __init__(self, kind: str, there: Container[object], names: Collection[str]) -> None:
        self.kind, self.there, self.names = kind, there, names

    def __contains__(self, name: object) -> bool:
        return name in self.there or (isinstance(name, str) and is_soft(self.kind, name, self.names))


def flexcomp_names(scene: Scene) -> frozenset[str]:
    """Return the names of the <flexcomp> elements of a scene, which are kept as written."""
    texts = (extra.text for body in scene.bodies.values() for extra in body.extras if f"<{FLEX}" in extra.text)
    names = [name for text in texts for name in _NAME.findall(text)]
    if not names:
        return frozenset()
    from html import unescape

    return frozenset(map(unescape, names))


def before_soft(scene: Scene) -> int | None:
    """Return how many bodies MuJoCo has before the first <flexcomp>, including the world; None if there is none."""
    if not flexcomp_names(scene):
        return None
    walked = list(scene.walk())
    number = {body.name: at for at, (_, body) in enumerate(walked)}
    children: list[list[int]] = [[] for _ in walked]
    for at, (joint, _) in enumerate(walked[1:], 1):
        children[number[joint.parent] if joint is not None else 0].append(at)
    ends = [*range(1, len(walked) + 1)]
    found: list[int] = []
    for at, (joint, body) in reversed([*enumerate(walked)]):
        if children[at]:
            ends[at] = ends[children[at][-1]]
        leaves = [*body.geoms, *body.frames, *body.cameras, *body.lights, *(joint.dofs if joint is not None else ())]
        before = len(leaves) + (body.inertial is not None)
        places = (max(extra.index - before, 0) for extra in body.extras if f"<{FLEX}" in extra.text)
        found += (children[at][place] if place < len(children[at]) else ends[at] for place in places)
    return min(found)


def is_soft(kind: str, made: str, names: Collection[str]) -> bool:
    """Whether one of the <flexcomp> of these names makes this body or joint."""
    pattern = _MADE.get(kind)
    if pattern is None:
        return False
    return any(made.startswith(f"{name}_") and pattern.match(made, len(name) + 1) is not None for name in names)


def ties_soft(node: Node, names: Collection[str]) -> bool:
    """Whether an element of two bodies or joints references one made by <flexcomp>: it is kept as written, because the
    graph lacks it."""
    return any(is_soft(kind, node.attrs.get(end, ""), names) for end, kind in ENDS.items())
