"""Restoring a scene as it was before it was written: the patch of ir.diff.compare, applied to what is read again."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Container, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, get_args

from msgspec.structs import replace

from ir.diff import Patch, by_child, kinds
from ir.plain import carried_by_name, checked_payload, checksum, from_plain, has_fingerprint
from ir.pose import from_rpy, same_rotation
from ir.scene import TABLES, Address, Scene
from ir.types import REQUIRED, Body, Constraint, Couple, Dof, Entity, Extra, Joint, Mark, Pose, Value


def restore(scene: Scene, carried: Mapping[str, str]) -> tuple[Scene, list[Address]]:
    """Apply the patch of ir.diff.compare.

    Returns the scene as it was before it was written, and the addresses at which the file has been edited since (the
    edit wins). Raises ValueError for an invalid patch.
    """
    return apply_patches(scene, _parsed(carried))


def apply_patches(scene: Scene, patches: dict[str, Patch]) -> tuple[Scene, list[Address]]:
    """As restore, with the patches of the entities as JSON values, which are used up."""
    top, groups, orders = _by_kind(patches)
    back = _Restore(groups, orders)
    bodies = back.table("body", Body, scene.bodies)
    joints = [*back.edges("joint", Joint, by_child(scene), bodies), *back.edges("loop", Joint, scene.loops, bodies)]
    homes = {dof.name: joint.child for joint in joints for dof in joint.dofs}
    placed = partial(_coupling, bodies=bodies, homes=homes)
    said: dict[str, Any] = {}
    if "name" in top:
        said["name"] = back.value(scene.name, str, top["name"], ("scene", "name"), "")
    if "extras" in top:
        said["extras"] = back.value(scene.extras, tuple[Extra, ...], top["extras"], ("scene", "extras"), ())
    if "notation" in top:
        said["notation"] = _notation(scene.notation, *top["notation"])
    restored = scene.evolve(
        bodies=bodies.values(),
        joints=joints,
        constraints=back.edges("constraint", Constraint, scene.constraints, bodies, placed),
        tables={kind: back.table(kind, cls, scene.tables[kind]).values() for kind, cls in TABLES.items()},
        **said,
    )
    restored.carried = {}
    return restored, back.stale


def _parsed(carried: Mapping[str, str]) -> dict[str, Patch]:
    patches: dict[str, Patch] = {}
    for key, text in carried.items():
        try:
            patches[key] = json.loads(text)
        except ValueError as error:
            raise ValueError(f"carried data of {key!r} is no JSON: {error}") from error
    return patches


def _by_kind(patches: dict[str, Patch]) -> tuple[Patch, dict[str, dict[str, Patch]], dict[str, Any]]:
    """The patch of the scene itself, those of each kind of entities by name, and the orders of the kinds."""
    top = patches.pop("scene", {})
    if not isinstance(top, dict):
        raise ValueError("carried data of 'scene' is no object")
    groups: dict[str, dict[str, Patch]] = {}
    for key, patch in patches.items():
        kind, _, name = key.partition("/")
        groups.setdefault(kind, {})[name] = patch
    return top, groups, groups.pop("order", {})


def _notation(now: Mapping[str, str], before: Any, known: Mapping[str, str] = MappingProxyType({})) -> dict[str, str]:
    """The notation of before, and what a document says in its place that was edited since (known: ir.diff)."""
    edited = {key: now[key] for key, kept in known.items() if key in now and checksum(now[key]) != kept}
    return {**from_plain(dict[str, str], before), **edited}


def _coupling(constraint: Constraint, bodies: Container[str], homes: Mapping[str, str]) -> Constraint:
    """A coupling of joints, between their present bodies (homes) if these were renamed."""
    spec = constraint.spec
    if not isinstance(spec, Couple) or spec.of != "dof" or {spec.first, spec.second or spec.first} - homes.keys():
        return constraint
    if constraint.parent in bodies and constraint.child in bodies:
        return constraint
    return replace(constraint, parent=homes[spec.first], child=homes[spec.second or spec.first])


class _Restore:
    """Applies patches; stale collects the addresses at which the file has changed."""

    def __init__(self, groups: Mapping[str, dict[str, Patch]], orders: Mapping[str, Any]) -> None:
        self._groups = groups
        self._orders = orders
        self.stale: list[Address] = []

    def table(self, kind: str, cls: type, entities: Mapping[str, Any]) -> Mapping[str, Any]:
        """The entities of a kind."""
        if kind not in self._groups and kind not in self._orders:
            return entities
        result = self.named(dict(entities), cls, self._groups.get(kind, {}), kind=f"{kind}/")
        return _ordered(result, self._orders.get(kind, []), entities)

    def edges(
        self,
        kind: str,
        cls: type,
        edges: Mapping[str, Any],
        bodies: Container[str],
        placed: Callable[[Any], Any] = lambda edge: edge,
    ) -> Iterator[Any]:
        """The edges whose bodies exist; an edge that would lose a body stays as it is in the document."""
        for key, edge in ((key, placed(each)) for key, each in self.table(kind, cls, edges).items()):
            found = [each for each in (edge, edges.get(key)) if each and each.parent in bodies and each.child in bodies]
            if edge not in found:
                self.stale.append((f"{kind}/{edge.name}",))
            yield from found[:1]

    def value(self, value: Any, hint: Any, patch: Patch, where: Address, default: Any = None) -> Any:
        if isinstance(patch, list):
            return self._whole(value, hint, patch, where, default)
        if isinstance(value, tuple):
            return self._items(value, get_args(hint)[0], patch, where)
        if isinstance(value, Value):
            return self._fields(value, patch, where)
        self.stale.append(where)
        return value

    def _whole(self, value: Any, hint: Any, patch: list[Any], where: Address, default: Any) -> Any:
        """A value in place of another, if that is unchanged."""
        if hint == tuple[Extra, ...] and len(patch) == 1:  # extras of other formats are kept in addition
            restored = from_plain(hint, patch[0])
            formats = {extra.format for extra in restored}
            return (*restored, *(extra for extra in value if extra.format not in formats))
        if len(patch) > 2:
            raise ValueError(f"the carried data of {'.'.join(where)!r} is neither a value nor a value and its check")
        unchanged = has_fingerprint(value, patch[1]) if len(patch) > 1 else value is None or value == default
        if not unchanged:
            self.stale.append(where)
            return value
        return from_plain(hint, patch[0])

    def _items(self, value: tuple[Any, ...], item: Any, patch: dict[str, Any], where: Address) -> tuple[Any, ...]:
        """The items of a tuple, by name if they are entities, else by position; item is the annotation of each."""
        if isinstance(item, type) and issubclass(item, Entity):
            stood = {entity.name: entity for entity in value}
            named = self.named({**stood}, item, patch, where)
            return tuple(_ordered(named, patch.get("", []), stood).values())
        changed = list(value)
        for index, inner in patch.items():
            if int(index) < len(changed):
                changed[int(index)] = self.value(changed[int(index)], item, inner, (*where, index), REQUIRED)
            else:
                self.stale.append((*where, index))
        return tuple(changed)

    def _fields(self, value: Value, patch: dict[str, Any], where: Address) -> Any:
        cls: type = type(value)
        known = carried_by_name(cls)
        changes = {}
        now = kinds(value) if isinstance(value, Joint) else None
        if patch.pop("", None) not in (None, now) or not known.keys() >= patch.keys():
            self.stale.append(where)  # a patch for another kind of shape or joint cannot be applied
            return value
        for name, inner in patch.items():
            slot = known[name]
            if slot.mark is Mark.NOTATION:
                told = from_plain(slot.hint, inner[0])
                if _means(told, value, inner):
                    changes[name] = told
                else:
                    self.stale.append(where)
            else:
                changes[name] = self.value(getattr(value, name), slot.hint, inner, (*where, name), slot.default)
        return checked_payload(replace(value, **changes))

    def named(
        self, entities: dict[str, Any], cls: type, patch: Patch, where: Address = (), kind: str = ""
    ) -> dict[str, Any]:
        for name, inner in patch.items():
            if name == "" and isinstance(inner, list) and inner and isinstance(inner[0], str):
                continue  # the key "" gives the order of the others
            current, place = entities.get(name), (*where, f"{kind}{name}")
            if isinstance(inner, list) and inner[0] is None:
                if current is not None and not has_fingerprint(current, inner[1]):
                    self.stale.append(place)
                else:
                    entities.pop(name, None)
            elif current is not None:
                entities[name] = self.value(current, cls, inner, place)
            elif isinstance(inner, list):
                entities[name] = from_plain(cls, inner[0])
            else:
                self.stale.append(place)
        return entities


def _means(told: Any, value: Value, patch: Patch) -> bool:
    """Whether a spelling still fits the values of a file: angles of the rotation, a label of the name."""
    if isinstance(value, Pose):
        return told is None or same_rotation(from_rpy(told), value.rot)
    return len(patch) < 2 or (isinstance(value, Joint | Dof) and patch[1] == checksum(value.name))


def _ordered(entities: Mapping[str, Any], order: Sequence[str], stood: Collection[str]) -> dict[str, Any]:
    """Sort by an order of names. A name that is not in it stays before its successor in the document (stood), or goes
    to the end."""
    if not isinstance(order, list) or not all(isinstance(name, str) for name in order):
        raise ValueError(f"{order!r} is no order of names")
    if not order:
        return dict(entities)
    known, names, waiting = {*order}, [], []
    before: dict[str, list[str]] = {}
    for name in entities:
        if name not in known:
            waiting.append(name)
        elif waiting and name in stood:
            before[name], waiting = waiting, []
    for name in order:
        names += [*before.get(name, ()), name]
    return {name: entities[name] for name in [*names, *waiting] if name in entities}
