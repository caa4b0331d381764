"""What an edit brought into a document: entities that differ from what was written there, and restricting a change of a
scene to them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from typing import Any

from msgspec.structs import replace

from ir.diff import by_child
from ir.gathering import gathered
from ir.patches import grouped
from ir.plain import canonical_text, sum_of
from ir.refs import names_in
from ir.scene import TABLES, Address, Scene, address
from ir.types import WORLD, Entity

DIGITS = 8
"""Length of a checksum (ir.plain.sum_of)."""
GONE = "-" * DIGITS
"""In place of the checksum of a value: an edit removed it from the document."""
CHANGED = "=" * DIGITS
"""In place of the checksum of a value: an edit changed it."""


def written_checksums(scene: Scene, edits: Mapping[str, bool]) -> str:
    """Checksums of the keys and values of all entities of a document, by which edited_entities recognises them later,
    except what an earlier edit added; and what that edit changed and removed. edits: as returned by edited_entities."""
    keyed = _keyed(scene).items()
    said = [
        sum_of(key) + (CHANGED if key in edits else sum_of(canonical_text(entity)))
        for key, entity in keyed
        if not edits.get(key, False)
    ]
    return "".join([*said, *sorted(key.removeprefix(GONE) + GONE for key in edits if key.startswith(GONE))])


def unseen_edits(scene: Scene, document: Scene) -> dict[str, bool]:
    """The edits of a scene (Scene.brought) of which the document contains no part, so that their checksums cannot be
    expected there."""
    if not scene.brought:
        return {}
    here, there = _keyed(scene), _keyed(document)
    return {key: added for key, added in scene.brought.items() if key in here and key not in there}


def edited_entities(scene: Scene, known: str) -> dict[str, bool]:
    """The keys (ir.scene.Address; a geom is geom/NAME) of the entities of a document that differ from what was written,
    with True for those that did not exist then; and removed ones (was_deleted). known is the result of
    written_checksums; without it nothing is an edit."""
    sums = sums_of(known)
    found: dict[str, bool] = {}
    for key, entity in _keyed(scene).items() if sums else ():
        then = sums.pop(sum_of(key), GONE)
        if then == GONE or then != sum_of(canonical_text(entity)):
            found[key] = then == GONE
    return found | {GONE + key: False for key in sums}


def sums_of(known: str) -> dict[str, str]:
    """Checksum of the key -> checksum of the value, of each entity that was written."""
    steps = range(0, len(known), 2 * DIGITS)
    return {known[start : start + DIGITS]: known[start + DIGITS : start + 2 * DIGITS] for start in steps}


def has_checksum(key: str, sums: Mapping[str, str]) -> bool:
    """Whether an entity with this key was written."""
    return sum_of(key) in sums


def was_written(key: str, entity: Entity, sums: Mapping[str, str]) -> bool:
    """Whether exactly this entity was written with this key; a body is compared without its geoms."""
    then = sums.get(sum_of(key))
    return then is not None and then == sum_of(canonical_text(entity))


def edits_between(then: Scene, now: Scene) -> dict[str, bool]:
    """What edited_entities returns for the edit that turned one scene into another."""
    known, found = _keyed(then), _keyed(now)
    changed = {key: key not in known for key, entity in found.items() if known.get(key) != entity}
    return changed | {GONE + sum_of(key): False for key in known if key not in found}


def was_deleted(scene: Scene, key: str) -> bool:
    """Whether an edit removed this from the document; then no pass creates it again."""
    return f"{GONE}{sum_of(key)}" in scene.brought if scene.brought else False


def used_texts(scene: Scene, words: Iterable[str]) -> list[str]:
    """The given words that occur in edited entities, or in extras of the scene itself."""
    keyed = _keyed(scene)
    texts = [extra.text for extra in scene.extras]
    texts += (canonical_text(keyed[key]) for key in scene.brought if key in keyed)
    return [word for word in words if any(word in text for text in texts)]


SHARED = ("material", "asset")
"""Kinds of things that many others use: a change that one user causes does not concern the other users."""


def _keyed(scene: Scene) -> dict[str, Entity]:
    """All entities of a scene by key; geoms are entries of their own, beside their bodies."""
    found: dict[str, Entity] = {}
    for name, body in scene.bodies.items():
        found[f"body/{name}"] = replace(body, geoms=()) if body.geoms else body
        found |= {f"geom/{geom.name}": geom for geom in body.geoms}
    found |= {address(joint)[0]: joint for joint in scene.joints.values()}
    found |= {f"constraint/{name}": each for name, each in scene.constraints.items()}
    for kind, table in scene.tables.items():
        found |= {f"{kind}/{name}": each for name, each in table.items()}
    return found


def limited_to_edits(scene: Scene, changed: Scene, new: bool, moves: bool) -> Scene:
    """The scene with only those changes that concern edited entities (new: only added ones); what these changes add
    counts as brought by the edit.

    Changes of entities that name each other are kept or dropped together; with moves, so are changes of other entities
    about the same body.
    """
    before, after = _keyed(scene), _keyed(changed)
    homes = scene.homes() | changed.homes()
    names = _differing(before, after, homes)
    brought = {key for key, added in scene.brought.items() if added or not new}
    declared = {name for key in brought if key in before for name in _Mentions([before[key]]).given}
    places = {_place(key, homes): key for key in names} if moves else {}
    beside = [[places[tuple(place)] for place in group] for group in grouped(places, (scene, changed))]
    kept = {
        key
        for group in _groups(names, beside)
        if any(_asked(_place(key, homes), brought, changed, names[key], declared, key not in before) for key in group)
        for key in group
    }
    if not kept:
        return scene
    kept |= _shared(kept, names)
    mixed = {
        key: after[key] if key in kept else each for key, each in before.items() if key in after or key not in kept
    }
    added = {key: each for key, each in after.items() if key in kept and key not in before}
    made = _assembled(scene, changed, mixed | added, homes)
    made.brought = {**scene.brought, **dict.fromkeys(added, True)}
    return made


def name_order(scene: Scene) -> dict[str, dict[str, int]]:
    """The places of the names of a scene, kind by kind; a joint of the tree has that of its body."""
    trees: Mapping[str, Mapping[str, Any]] = {
        "body": scene.bodies,
        "joint": scene.loops,
        "constraint": scene.constraints,
    }
    kinds = {**trees, **scene.tables}
    return {kind: {name: place for place, name in enumerate(table)} for kind, table in kinds.items() if len(table) > 1}


def in_order(scene: Scene, known: Mapping[str, Mapping[str, int]]) -> Scene:
    """The scene with entities of known positions (name_order) in that order; all others keep their places."""
    held, loops = by_child(scene), scene.loops
    kept: dict[str, Mapping[str, Any]] = {"body": scene.bodies, "constraint": scene.constraints, **scene.tables}
    found = {kind: _placed(table, known.get(kind, {})) for kind, table in kept.items()}
    changed = {kind: [kept[kind][name] for name in names] for kind, names in found.items() if names != [*kept[kind]]}
    tree, others = _placed(held, known.get("body", {})), _placed(loops, known.get("joint", {}))
    if tree != [*held] or others != [*loops]:
        changed["joint"] = [*map(held.__getitem__, tree), *map(loops.__getitem__, others)]
    if not changed:
        return scene
    return scene.evolve(
        bodies=changed.get("body"),
        joints=changed.get("joint"),
        constraints=changed.get("constraint"),
        tables={kind: each for kind, each in changed.items() if kind in TABLES},
    )


def _placed(names: Collection[str], stood: Mapping[str, int]) -> list[str]:
    """The names with those that stood somewhere in that order, in the places of these."""
    waiting = iter(sorted((name for name in names if name in stood), key=stood.__getitem__))
    return [next(waiting) if name in stood else name for name in names]


def _differing(
    before: Mapping[str, Entity], after: Mapping[str, Entity], homes: Mapping[str, str]
) -> dict[str, _Mentions]:
    """Keys of the entities that a change touches, with the names in them; homes: the bodies of geoms."""
    found: dict[str, _Mentions] = {}
    for key in {**before, **after}:
        then, now = before.get(key), after.get(key)
        if then is not now and then != now:
            found[key] = _Mentions(each for each in (then, now) if each)
            if key.startswith("geom/"):
                found[key].given.add(("geoms", homes[key.removeprefix("geom/")]))
    return found


def _shared(kept: Collection[str], names: Mapping[str, _Mentions]) -> set[str]:
    """The changed shared entities (SHARED) that these entities refer to, directly or indirectly."""
    found: set[str] = set()
    waiting = [*kept]
    while waiting:
        shared = {f"{kind}/{name}" for kind, name in names[waiting.pop()].meant if kind in SHARED} & names.keys()
        waiting += shared - found
        found |= shared
    return found


def _assembled(scene: Scene, changed: Scene, entities: Mapping[str, Entity], homes: Mapping[str, str]) -> Scene:
    """A scene of these entities by key; everything else is that of the first scene."""
    kinds: dict[str, list[Any]] = gathered((key.partition("/")[0], entity) for key, entity in entities.items())
    geoms = gathered((homes[geom.name], geom) for geom in kinds.get("geom", ()))
    return changed.evolve(
        bodies=[replace(body, geoms=tuple(geoms.get(body.name, ()))) for body in kinds["body"]],
        joints=(*kinds.get("joint", ()), *kinds.get("loop", ())),
        constraints=kinds.get("constraint", ()),
        tables={kind: kinds.get(kind, ()) for kind in TABLES},
        name=scene.name,
        extras=scene.extras,
        notation=scene.notation,
    )


class _Mentions:
    """The kinds and names that some entities declare, and those that they refer to."""

    def __init__(self, found: Iterable[Entity]) -> None:
        self.given: set[tuple[str, str]] = set()
        self.meant: set[tuple[str, str]] = set()
        for given, meant in map(names_in, found):
            self.given |= {(each.kind, each.name) for each in given}
            self.meant |= {(kind, each.name) for each in meant for kind in each.kind.split("|")}


def _place(key: str, homes: Mapping[str, str]) -> Address:
    """The address of a key in a patch."""
    kind, _, name = key.partition("/")
    return (f"body/{homes[name]}", "geoms", name) if kind == "geom" else (key,)


def _groups(names: Mapping[str, _Mentions], beside: Iterable[Sequence[str]]) -> list[list[str]]:
    """Groups of keys that belong together: one names what the other declares, both declare the same, or they are listed
    together."""
    import networkx as nx  # imported here because only an edited document needs it

    given = {name for each in names.values() for name in each.given if name[0] not in SHARED} - {("body", WORLD)}
    holders = gathered((name, key) for key, each in names.items() for name in (each.given | each.meant) & given)
    graph: nx.Graph[str] = nx.Graph()
    graph.add_nodes_from(names)
    for held in (*holders.values(), *beside):
        graph.add_edges_from((held[0], other) for other in held[1:])
    return [list(group) for group in nx.connected_components(graph)]


def _asked(
    place: Address,
    brought: Set[str],
    changed: Scene,
    names: _Mentions,
    declared: Collection[tuple[str, str]],
    new: bool,
) -> bool:
    """Whether a change of an entity concerns an edit: of the entity itself, of the joint that holds it, or, for a new
    entity, of what it was made of or depends on."""
    key = f"geom/{place[-1]}" if "geoms" in place else place[0]
    kind, _, name = key.partition("/")
    other = {"body": f"joint/{name}", "joint": f"body/{name}"}.get(kind, key)
    if key in brought or other in brought:
        return True
    made = [end[0] for at, ends in changed.origins.items() if at[: len(place)] == place for end in ends]
    return not brought.isdisjoint(made) or (new and not names.meant.isdisjoint(declared))
