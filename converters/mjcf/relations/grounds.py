"""What an element beside the tree stands on: it is not written where a thing that it names is not in the document."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from converters.mjcf.document.attributes import Things, things
from converters.mjcf.document.copies import SPOKEN, kind_of
from converters.mjcf.document.loading import KINDS
from converters.mjcf.tables import FORMAT
from converters.source.tree import Element, restore
from ir.scene import Scene
from ir.types import WORLD, Entity

NAMED = frozenset([*KINDS.values(), *SPOKEN])
Written = Iterable[tuple[Element, Entity | None]]
"""Elements of a section, each with what it says of the scene; None: it is made here, of what is there."""


class Grounds:
    """What is in a document so far. What the source itself says in vain is written as it is, unless it was edited."""

    def __init__(self, root: Element, scene: Scene) -> None:
        self.root, self.scene = root, scene
        self.written: set[tuple[str, str]] = set()
        """Sections and names of what stands in them so far."""

    def write(self, section: str, elements: Written) -> None:
        """Append a section, with those of its elements that hold."""
        element = Element(section)
        for each, entity in elements:
            if entity is None:
                element.content.append(each)
            elif self.hold(each):
                element.content.append(each)
                restore(each, entity.extras, FORMAT)
                self.written.add((section, entity.name))
        if element.content:
            self.root.content.append(element)

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
    def known(self) -> Things:
        """What the scene has of these kinds."""
        return things(self.scene) | {"joint": {*self.scene.joints, *self.scene.dofs()}}

    def hold(self, element: Element) -> bool:
        """Whether all is there that the element names."""
        for each in element.below():
            for attribute, name in each.attrs.items():
                kind = kind_of(each.attrs, attribute)
                if kind in NAMED and not self._holds(kind, name):
                    return False
        return True

    def _holds(self, kind: str, name: str) -> bool:
        known = name in self.known.get(kind, ())
        there = (kind, name) in (self.written if kind in SPOKEN else self.there)
        return (there and known) or not (known or self.scene.brought)
