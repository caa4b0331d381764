"""Removing bodies from a scene, together with everything that depends on them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from msgspec.structs import replace

from ir.refs import declarations, declared, entities, references, resolve
from ir.scene import Scene
from ir.types import Entity, Joint, Scope

LISTS: Mapping[str, tuple[str, ...]] = {
    "keyframe": ("positions", "velocities", "controls", "activations", "poses", "dofs"),
    "group": ("bodies", "joints", "chains", "groups"),
    "hardware": ("channels",),
}
"""Fields with lists of names: their owner stays when one of these is removed."""
SHOWN = ("material", "asset")
"""Tables of things that exist as long as anything uses them."""

Names = set[tuple[str, str]]
"""Kinds and names."""


def without_bodies(scene: Scene, bodies: Collection[str]) -> Scene:
    """The scene without these bodies, which include all bodies below them in the tree, and without their joints and
    everything else that refers to them.

    Lists get shorter (LISTS), a dof whose leader is gone follows none, and a model without bodies is removed.
    """
    gone: Names = {
        (each.kind, each.name)
        for kind, entity in entities(scene)
        if (kind == "body" and entity.name in bodies)
        or (isinstance(entity, Joint) and (entity.parent in bodies or entity.child in bodies))
        for each in declarations(entity)
    }
    return without(scene, gone | {("scope", name) for name in _emptied(scene, bodies)})


def without(scene: Scene, named: Names) -> Scene:
    """The scene without the entities of these kinds and names, and without everything else that refers to them.

    A joint stays if one of its dofs is named here: what refers to that dof is removed or becomes shorter (LISTS).
    """
    names, gone = declared(scene), set(named)
    left: dict[str, list[Any]] = {}
    size = -1
    while size < len(gone):
        size, left = len(gone), {kind: [] for kind in ("body", "joint", "constraint", *scene.tables)}
        for kind, entity in entities(scene):
            stays = None if (kind, entity.name) in gone else trimmed(kind, entity, names, gone)
            if stays is not None:
                left[kind].append(stays)
            else:
                gone |= {(each.kind, each.name) for each in declarations(entity)}
    tables = {kind: left[kind] for kind in scene.tables}
    made = scene.evolve(bodies=left["body"], joints=left["joint"], constraints=left["constraint"], tables=tables)
    return without_unshown(scene, made)


def without_unshown(before: Scene, after: Scene, kinds: Collection[str] = SHOWN) -> Scene:
    """The second scene without shared things that are used in the first scene and not in the second."""
    for kind in kinds:
        lost = (_used(before, kind) - _used(after, kind)) & after.tables[kind].keys()
        if lost:
            left = [each for name, each in after.tables[kind].items() if name not in lost]
            after = after.evolve(tables={kind: left})
    return after


def trimmed(kind: str, entity: Entity, names: Mapping[str, set[str]], gone: Names) -> Entity | None:
    """The entity without references to things that are gone; None if nothing is left of it. names are those of
    refs.declared."""
    lost = [each for each in references(entity) if (resolve(names, each.kind, each.name), each.name) in gone]
    if not lost:
        return entity
    if isinstance(entity, Joint):
        return without_lost_leaders(entity, gone)
    if isinstance(entity, Scope):
        return replace(entity, canonical=None)
    places = [each.path.split(".") for each in lost]
    if any(place[0] not in LISTS.get(kind, ()) for place in places):
        return None
    out = {(place[0], int(place[1])) for place in places}
    fields = {
        field: tuple(item for number, item in enumerate(getattr(entity, field)) if (field, number) not in out)
        for field in LISTS[kind]
    }
    return replace(entity, **fields) if any(fields.values()) else None


def without_lost_leaders(joint: Joint, gone: Names) -> Joint:
    """The joint without the mimics of dofs whose leader is gone."""
    led = [dof.mimic is not None and ("dof", dof.mimic.dof) in gone for dof in joint.dofs]
    if not any(led):
        return joint
    dofs = (replace(dof, mimic=None) if lost else dof for dof, lost in zip(joint.dofs, led, strict=True))
    return replace(joint, dofs=tuple(dofs))


def _emptied(scene: Scene, bodies: Collection[str]) -> set[str]:
    """Models whose bodies are all among these, except the outermost one, which stays."""
    left: set[str] = set()
    lost: set[str] = set()
    for body in scene.bodies.values():
        above = lost if body.name in bodies else left
        name = body.scope
        while name:
            above.add(name)
            name = scene.tables["scope"][name].parent if name in scene.tables["scope"] else ""
    return lost - left


def _used(scene: Scene, kind: str) -> set[str]:
    return {each.name for _, entity in entities(scene) for each in references(entity) if each.kind == kind}
