"""Carried data that an edit of the document made invalid, together with everything that belongs to it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence, Set

from msgspec.structs import replace

from converters.carried.pieces import derivations, entry, piece
from converters.passes.contacts import with_missing_masks
from converters.registry import marked_format
from ir.addresses import exists, self_and_enclosing
from ir.derivations import Derivation, denied, overtaken
from ir.mapping import map_geoms
from ir.patches import EITHER, beneath, patch_at, removal, removes, without_places
from ir.plain import Plain, as_json, has_fingerprint
from ir.scene import Address, Scene
from ir.seals import SENSOR
from ir.types import WORLD, Scope


def set_aside(
    scene: Scene, folded: Scene, restored: Scene, stale: list[Address], edits: Collection[str]
) -> tuple[dict[str, str], list[str]]:
    """(carried data without what edits made invalid, empty if nothing had to be removed; the keys, as in ir.brought, of
    what therefore stays in the document in terms of its own format).

    Three things are removed, and their addresses are added to stale:

    - what a pass had moved to another place in the document, if it was edited there;

    - what is only valid together with something that was edited (a pose, and the zeros of its joint);

    - what a thing in the document was made of, if that thing was edited or deleted (an actuator, of which a
    transmission was made).

    folded is the document with its folds made, restored that with all carried data applied; edits are the keys of what
    was edited.
    """
    carried, own = _without_edited_groups(scene, folded, stale)
    if rooted := _root_joints_to_keep(scene, restored, edits):
        stale += [place for place in rooted if place not in stale]
        carried = without_places(carried or scene.carried, rooted)
    cut, origins = overtaken(folded, derivations(scene.carried), {*stale})
    if cut:
        stale += [place for place in origins if place not in stale]
        carried = without_places(carried or scene.carried, cut, within=True)
        own += _kept_keys(cut, scene.carried)
    return _without_folds_of(carried, own)


def _kept_keys(places: Iterable[Sequence[str]], carried: Mapping[str, str]) -> list[str]:
    """The keys (ir.brought) of those places at which the conversion added something to the document."""
    put = [place for place in places if _is_removal(place, carried)]
    return [f"geom/{place[2]}" if len(place) > 1 else place[0] for place in put if not place[1:] or place[1] == "geoms"]


def _without_folds_of(carried: Mapping[str, str], own: Collection[str]) -> tuple[dict[str, str], list[str]]:
    """Carried data without the folds of sensors that stay: their parts are sensors of their own now."""
    folds: Mapping[str, Mapping[str, list[str]]] = piece(carried, "folds")
    parts: dict[str, list[str]] = {}
    for kind in folds:
        if kind.startswith(SENSOR):
            parts |= {f"sensor/{whole}": names for whole, names in folds[kind].items() if f"sensor/{whole}" in own}
    if not parts:
        return {**carried}, [*own]
    left = {
        kind: {whole: names for whole, names in group.items() if f"{kind.partition('/')[0]}/{whole}" not in parts}
        for kind, group in folds.items()
    }
    keys = [key for key in own if key not in parts]
    keys += [f"sensor/{name}" for names in parts.values() for name in names]
    return {**carried, "folds": as_json(left)}, keys


def _root_joints_to_keep(scene: Scene, restored: Scene, edits: Collection[str]) -> list[tuple[str]]:
    """If the author's format leaves its root open (URDF): the entries that remove the joint of the root, if an edit has
    put something into the world. Then the root must have a joint to it."""
    own = marked_format(restored.notation)
    if own is None or not own.fits.open_root:
        return []
    things = (f"geom/{geom.name}" for geom in restored.body(WORLD).geoms)
    joints = (f"joint/{joint.child}" for joint in restored.child_joints(WORLD))
    held = any(key in edits for key in (f"body/{WORLD}", *things, *joints))
    places = [(f"joint/{root}",) for root in restored.roots()]
    removed = [place for place in places if removal(scene.carried.get(place[0], ""))]
    return removed if held else []


def _without_edited_groups(scene: Scene, folded: Scene, stale: list[Address]) -> tuple[dict[str, str], list[str]]:
    """(carried data without each group of places of which one was edited; the keys of what a pass had moved and that
    now stays there, in terms of the format of the document)."""
    moved, together = piece(scene.carried, "moved"), piece(scene.carried, "together")
    told = {*stale}
    others = [
        tuple(place)
        for place, address, check in piece(scene.carried, "beside")
        if not _companion_is_there(folded, address, check, told)
    ]
    gone: dict[Address, None] = dict.fromkeys(others)
    stale += _new_places(gone, stale)
    waiting = [*moved, *together]
    while True:
        touched = {place for where in stale for place in self_and_enclosing(where)}
        edited = [group for group in waiting if _is_edited(group, scene.carried, folded, {*stale}, touched)]
        if not edited:
            break
        waiting = [group for group in waiting if group not in edited]
        gone |= {tuple(place): None for group in edited for place in group}
        stale += sorted(_new_places(gone.keys() - touched, stale))
    if not gone:
        return {}, []
    own = _kept_keys((place for group in moved if group not in waiting for place in group), scene.carried)
    carried = without_places(scene.carried, (place for place in gone if place not in others))
    return without_places(carried, others, within=True), own


def _companion_is_there(folded: Scene, address: Sequence[str], check: Plain, stale: Set[Address]) -> bool:
    """Whether what must exist beside a place (ir.patches.Companion) is there."""
    if check is None:
        return exists(folded, address)
    checks = check[EITHER] if isinstance(check, dict) and EITHER in check else [check]
    there = any(map(has_fingerprint, beneath(folded, address), checks))
    return there and stale.isdisjoint(self_and_enclosing(address))


def _new_places(places: Iterable[Address], stale: Iterable[Address]) -> list[Address]:
    """Those places that are not stale already, and not below a stale one."""
    told = {*stale}
    return [place for place in places if told.isdisjoint(self_and_enclosing(place))]


def _is_edited(
    group: Sequence[Sequence[str]],
    carried: Mapping[str, str],
    folded: Scene,
    stale: Collection[Address],
    touched: Collection[Address],
) -> bool:
    if not all(place[0] in carried and _stands_there(place, carried, folded) for place in group):
        return True
    return any(tuple(place) in touched or any(each in stale for each in self_and_enclosing(place)) for place in group)


def _stands_there(place: Sequence[str], carried: Mapping[str, str], folded: Scene) -> bool:
    """Whether what was put at a place of the document is still there."""
    return not _is_removal(place, carried) or exists(folded, place)


def _is_removal(place: Sequence[str], carried: Mapping[str, str]) -> bool:
    return removes(patch_at(entry(carried, place[0]), place[1:]))


def deny_silence(scene: Scene, folded: Scene, groups: Sequence[Derivation], masks: tuple[int, int] | None) -> Scene:
    """The scene with edits of defaults that the document had to write out (groups) applied as their opposite.

    If the statement that bodies of a model collide is deleted, they do not. If contact masks that excluded contacts are
    edited, the masks decide from then on. masks are the default ones of a geom, in the format of the document.
    """
    colliding: dict[str, bool] = {}
    given: set[str] = set()
    for kind, *path in denied(folded, groups):
        table, _, name = kind.partition("/")
        if (table, path) == ("scope", ["self_collide"]):
            colliding[name] = False
        elif masks is not None and path[2:3] == ["surface"] and name in scene.bodies:
            colliding[scene.body(name).scope] = True
            given.add(path[1])
    if not colliding:
        return scene
    scopes: dict[str, Scope] = dict(scene.tables["scope"])
    for name, said in colliding.items():
        scopes[name] = replace(scopes.get(name, Scope(name=name)), self_collide=said)
    scene = scene.evolve(tables={"scope": scopes.values()})
    return map_geoms(scene, lambda geom: with_missing_masks(geom, *masks) if masks and geom.name in given else geom)
