"""What an element beside the tree stands on: it is not written where a thing that it names is not in the document.

Nor does what looks at things follow such a one.
"""

from __future__ import annotations

from functools import cached_property

from converters.mjcf.document.copies import kind_of
from converters.mjcf.document.loading import KINDS
from converters.mjcf.relations.joined import JOINED, Known, known_of
from converters.source.tree import Element
from ir.scene import Scene
from ir.types import WORLD

VIEWS = ("camera", "light")
AIMED = ("targetbody", "targetbodycom")
"""Modes of a view that turn it toward a body."""
NAMED = frozenset(KINDS.values()) | {"tendon", "actuator"}


class Grounds:
    """What is in a document so far. What the source itself says in vain is written as it is, unless it was edited."""

    def __init__(self, root: Element, scene: Scene) -> None:
        self.root, self.scene = root, scene
        self.left: set[tuple[str, str]] = set()
        """Tendons and actuators that are not written."""

    @cached_property
    def there(self) -> set[tuple[str, str]]:
        """Kinds and names of all that stands in the tree."""
        found = {("body", WORLD)}
        for section in self.root.elements():
            if section.tag == "worldbody":
                found |= {
                    (KINDS[each.tag], each.attrs.get("name", "")) for each in section.below() if each.tag in KINDS
                }
        return found

    @cached_property
    def known(self) -> set[tuple[str, str]]:
        """What the scene has of these kinds."""
        bodies = self.scene.bodies.values()
        found = {("body", body.name) for body in bodies} | {("joint", name) for name in self.scene.dofs()}
        found |= {("joint", name) for name in self.scene.joints}
        for kind in ("geom", "site", "camera"):
            field = {"geom": "geoms", "site": "frames", "camera": "cameras"}[kind]
            found |= {(kind, each.name) for body in bodies for each in getattr(body, field)}
        return found | {(kind, name) for kind in ("tendon", "actuator") for name in self.scene.tables[kind]}

    def hold(self, element: Element, kind: str = "", entity: object = None) -> bool:
        """Whether all is there that the element names, and, after an edit, what MuJoCo asks of it for an entity of this
        kind."""
        if kind and self.scene.brought and any(JOINED[kind](entity, self._joints)):
            return False
        for each in element.below():
            for attribute, name in each.attrs.items():
                thing = kind_of(each.attrs, attribute), name
                if thing[0] in NAMED and not self._holds(thing):
                    return False
        return True

    @cached_property
    def _joints(self) -> Known:
        return known_of(self.scene)

    def release(self) -> None:
        """Let each camera and light that would follow a body which is not there follow none."""
        for section in self.root.elements():
            for view in section.below() if section.tag == "worldbody" else ():
                if view.tag in VIEWS and "target" in view.attrs and not self.hold(view):
                    del view.attrs["target"]
                    if view.attrs.get("mode") in AIMED:
                        del view.attrs["mode"]

    def _holds(self, thing: tuple[str, str]) -> bool:
        there = thing not in self.left if thing[0] in ("tendon", "actuator") else thing in self.there
        return (there and thing in self.known) or not (thing in self.known or self.scene.brought)
