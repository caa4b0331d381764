"""Things that have another name in a document than their author gave them. Our reader restores the names (ir.folds),
other programs do not."""

from __future__ import annotations

from collections.abc import Iterator

from ir.diff import Difference, nameless
from ir.folds import RENAMED
from ir.refs import declared
from ir.scene import Address, Scene
from ir.seals import Folds
from ir.types import Dof, Entity


def changed_names(scene: Scene, again: Scene, folds: Folds) -> Iterator[Difference]:
    """Things of scene with a name that somebody gave them, which have another one in again (read without its folds).

    What was written as several of which none has its name has that of the first.
    """
    given = {
        (kind, whole): parts[0]
        for kind in (*RENAMED, "geom")
        for whole, parts in folds.get(kind, {}).items()
        if whole not in parts
    }
    names = declared(again) if given else {}
    said = {("geom", geom.name): geom.label for geom in again.geoms()} if given else {}
    for path, kind, entity, owner in _things(scene) if given else ():
        new = given.get((kind, entity.name))
        if new in names[kind] and not nameless(entity):
            before = entity.name if entity.label is None or entity.name.endswith(entity.label) else entity.label
            after = said.get((kind, new)) or new  # the name in the document, not the one that its reader assigns
            if before != after:
                source = entity.source or owner.source
                yield Difference((*path, "name"), f"called.{kind}", "different", before, after, source)


def _things(scene: Scene) -> Iterator[tuple[Address, str, Entity | Dof, Entity]]:
    """What folds may rename: (address, kind of name, the thing, the body or joint that it belongs to). An axis named
    like its joint is left out."""
    for body in scene.bodies.values():
        yield ("body", body.name), "body", body, body
        yield from ((("body", body.name, "frames", each.name), "frame", each, body) for each in body.frames)
        yield from ((("body", body.name, "geoms", each.name), "geom", each, body) for each in body.geoms)
    for joint in scene.joints.values():
        yield ("joint", joint.name), "joint", joint, joint
        for index, dof in enumerate(joint.dofs):
            if dof.name != joint.name:
                yield ("joint", joint.name, "dofs", str(index)), "dof", dof, joint
