"""Selection of elements outside the tree that are written: none that references a missing object. Cameras and lights do
not follow one either."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from converters.mjcf.document.attributes import Things, declared_names, say_names
from converters.mjcf.document.copies import SPOKEN, kind_of
from converters.mjcf.document.flexible import AllNamed, is_soft
from converters.mjcf.document.loading import KINDS
from converters.mjcf.relations.target_demands import JOINED, Known, known_of
from converters.mjcf.tables import FORMAT
from converters.source.tree import Element, restore
from ir.scene import Scene
from ir.types import WORLD, Entity

VIEWS = ("camera", "light")
AIMED = ("targetbody", "targetbodycom")
"""Modes of a view that point it at a body."""
NAMED = frozenset([*KINDS.values(), *SPOKEN])
ASKING = {"equality": "constraint"}
"""Section -> kind of entity (JOINED), if its name differs."""
SectionElements = Iterable[tuple[Element, Entity | None, str]]
"""Elements of a section, each with its entity in the scene (None: the element was made for other entities), and the
stem of the name that a reader generates for it (say_names; "": not needed)."""


class Grounds:
    """The content of a document so far. Dangling references of the source are kept, unless it was edited."""

    def __init__(self, root: Element, scene: Scene) -> None:
        self.root, self.scene = root, scene
        self.written: set[tuple[str, str]] = set()
        """Sections and names of the elements written so far."""

    def write(self, section: str, elements: SectionElements) -> None:
        """Append a section with those of its elements whose references are valid."""
        element = Element(section)
        called: list[tuple[Element, Entity, str]] = []
        for each, entity, stem in elements:
            if entity is None:
                element.content.append(each)
            elif self.hold(each, ASKING.get(section, section), entity):
                element.content.append(each)
                restore(each, entity.extras, FORMAT)
                self.written.add((section, entity.name))
                called += [(each, entity, stem)] if stem else []
        say_names(called)
        if element.content:
            self.root.content.append(element)

    @cached_property
    def soft(self) -> frozenset[str]:
        """Names of the <flexcomp> elements in the tree."""
        trees = self.root.findall("worldbody")
        return frozenset(
            each.attrs.get("name", "") for tree in trees for each in tree.below() if each.tag == "flexcomp"
        )

    @cached_property
    def there(self) -> set[tuple[str, str]]:
        """Kinds and names of all objects in the tree."""
        found = {("body", WORLD)}
        for section in self.root.elements():
            if section.tag == "worldbody":
                found |= {
                    (KINDS[each.tag], each.attrs.get("name", "")) for each in section.below() if each.tag in KINDS
                }
        return found

    @cached_property
    def known(self) -> Things:
        """Names of these kinds in the scene."""
        joints = {*self.scene.joints, *self.scene.dofs()}
        return declared_names(self.scene) | {"joint": AllNamed("joint", joints, self.soft)}

    def hold(self, element: Element, kind: str = "", entity: object = None) -> bool:
        """Whether all references of the element are valid and, after an edit, MuJoCo's requirements for an entity of
        this kind."""
        asked = JOINED.get(kind)
        if asked is not None and self.scene.brought and any(asked(entity, self._joints)):
            return False
        for each in element.below():
            for attribute, name in each.attrs.items():
                kind = kind_of(each.attrs, attribute)
                if kind in NAMED and not self._holds(kind, name):
                    return False
        return True

    @cached_property
    def _joints(self) -> Known:
        return known_of(self.scene)

    def release(self) -> None:
        """Remove the target of each camera and light that would follow a missing body."""
        for section in self.root.elements():
            for view in section.below() if section.tag == "worldbody" else ():
                if view.tag in VIEWS and "target" in view.attrs and not self.hold(view):
                    del view.attrs["target"]
                    if view.attrs.get("mode") in AIMED:
                        del view.attrs["mode"]

    def _holds(self, kind: str, name: str) -> bool:
        known = name in self.known.get(kind, ())
        there = (kind, name) in (self.written if kind in SPOKEN else self.there)
        there |= is_soft(kind, name, self.soft)
        return (there and known) or not (known or self.scene.brought)
