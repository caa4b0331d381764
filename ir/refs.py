"""References between entities: finding them, and renaming what they name.

Written once for all payloads: the annotations of ir.types tell which field names what. Text inside extras is verbatim
source and is never searched.
"""

from __future__ import annotations

import types as python_types
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Annotated, Any, NamedTuple, TypeVar, Union, get_args, get_origin

from msgspec.structs import replace

from ir.plain import extras_in
from ir.scene import TABLES, Scene
from ir.types import (
    WORLD,
    Actuator,
    Block,
    Body,
    Camera,
    Channel,
    Constraint,
    ContactRule,
    Couple,
    Dof,
    Entity,
    Extra,
    Frame,
    Geom,
    Joint,
    Light,
    Ref,
    Sensor,
    TendonPoint,
    Value,
    slots,
)

KINDS: Mapping[type, str] = MappingProxyType(
    {
        Body: "body",
        Joint: "joint",
        Dof: "dof",
        Constraint: "constraint",
        Geom: "geom",
        Frame: "frame",
        Camera: "camera",
        Light: "light",
        **{cls: kind for kind, cls in TABLES.items()},
    }
)
"""Payload class -> the kind of thing its name declares."""

TENDON_KINDS = {"site": "frame", "geom": "geom", "joint": "dof", "pulley": ""}
"""Kind of a point of a tendon -> the kind of thing that it names."""

_TRANSMISSIONS = {"tendon": "tendon", "site": "frame", "slidercrank": "frame", "body": "body"}


_ANYTHING = "dof|joint|frame|geom|body|camera|tendon|actuator|sensor"

_BY_OWNER: Mapping[tuple[type, str], Callable[[Any], str]] = MappingProxyType(
    {
        (ContactRule, "first"): lambda rule: "geom" if rule.include else "body",
        (ContactRule, "second"): lambda rule: "geom" if rule.include else "body",
        (Channel, "name"): lambda channel: "dof" if channel.kind == "joint" else "",
        (TendonPoint, "target"): lambda point: TENDON_KINDS.get(point.kind, ""),
        (Actuator, "target"): lambda actuator: _TRANSMISSIONS.get(actuator.transmission, "frame|tendon|body|joint"),
        (Couple, "first"): lambda couple: couple.of,
        (Couple, "second"): lambda couple: couple.of,
        (Sensor, "target"): lambda sensor: dict(sensor.naming).get("target", _ANYTHING),
        (Block, "target"): lambda _: "body|joint",
    }
)
"""Fields whose kind depends on their owner. Of several kinds, separated by |, the first that has the name is meant."""


class Reference(NamedTuple):
    """path leads from the entity to the name (geoms.base_visual.material); kind as in KINDS, or several with |
    between."""

    path: str
    kind: str
    name: str


class Occurrence(NamedTuple):
    """A name in a payload: its path, its kind, and whether it declares the thing or refers to it; loose: in a
    parameter, on which nothing depends."""

    path: str
    kind: str
    declares: bool
    loose: bool = False


Renames = Mapping[str, Mapping[str, str]]
"""New names, by kind and by old name."""
Visit = Callable[[Occurrence, str], str]
"""A function that maps a place and the name there to the new name."""

_Visitor = Callable[[Any, Any, str, Visit], Any]
"""(value, owner, path, visit) -> the value with its names visited; the same object if no name has changed."""

P = TypeVar("P", bound=Value)


def entities(scene: Scene) -> Iterator[tuple[str, Entity]]:
    """Every entity of the scene with its kind: bodies, joints, constraints, then the tables. Geoms and other parts are
    inside their body."""
    yield from (("body", body) for body in scene.bodies.values())
    yield from (("joint", joint) for joint in scene.joints.values())
    yield from (("constraint", constraint) for constraint in scene.constraints.values())
    for kind, table in scene.tables.items():
        yield from ((kind, entity) for entity in table.values())


def extras(scene: Scene) -> Iterator[tuple[tuple[str, ...], Any, Extra]]:
    """Everything in a scene that was not understood, as ir.plain.extras_in gives it."""
    yield from ((("scene", "extras"), scene, extra) for extra in scene.extras)
    for kind, entity in entities(scene):
        yield from extras_in(entity, (kind, entity.name))


def references(entity: Value) -> list[Reference]:
    """The references of a payload, in the order of its fields. Empty names (the root scope) refer to nothing."""
    return names_in(entity)[1]


def declarations(entity: Value) -> list[Reference]:
    """The names that a payload declares: its own, and those of geoms, frames, dofs ... inside it."""
    return names_in(entity)[0]


def names_in(entity: Value) -> tuple[list[Reference], list[Reference]]:
    """The names that a payload declares, and those to which it refers."""
    given: list[Reference] = []
    meant: list[Reference] = []

    def visit(place: Occurrence, name: str) -> str:
        if not place.loose:
            (given if place.declares else meant).append(Reference(place.path, place.kind, name))
        return name

    visited(entity, visit)
    return given, meant


def declared(scene: Scene) -> dict[str, set[str]]:
    """The names that exist in a scene, by kind; every kind has a set."""
    return collected(each for _, entity in entities(scene) for each in declarations(entity))


def collected(given: Iterable[Reference]) -> dict[str, set[str]]:
    """Names by their kinds; every kind has a set."""
    names: dict[str, set[str]] = {kind: set() for kind in KINDS.values()}
    for _, kind, name in given:
        names[kind].add(name)
    return names


def resolve(names: Mapping[str, set[str]], kind: str, name: str) -> str | None:
    """The kind of the thing that a reference names, None if there is no such thing; names as from declared."""
    return next((each for each in kind.split("|") if name in names[each]), None)


def rename(scene: Scene, kind: str, mapping: Mapping[str, str]) -> Scene:
    """Rename entities of one kind, and every reference to them; unchanged payloads are shared.

    A joint and its dof are named independently: rename both kinds if both names shall change. Raises ValueError for an
    unknown kind or name, for the world, and if two entities would get one name.
    """
    names = declared(scene)
    _check(names, kind, mapping)

    def visit(place: Occurrence, name: str) -> str:
        meant = place.kind if place.kind in names else resolve(names, place.kind, name)
        return mapping.get(name, name) if meant == kind else name

    return scene.evolve(
        bodies=[visited(body, visit) for body in scene.bodies.values()],
        joints=[visited(joint, visit) for joint in scene.joints.values()],
        constraints=[visited(constraint, visit) for constraint in scene.constraints.values()],
        tables={kind: [visited(entity, visit) for entity in table.values()] for kind, table in scene.tables.items()},
    )


def _check(names: Mapping[str, set[str]], kind: str, mapping: Mapping[str, str]) -> None:
    if kind not in names:
        raise ValueError(f"no kind {kind!r}; there are {', '.join(sorted(names))}")
    unknown = sorted(set(mapping) - names[kind])
    if unknown:
        raise ValueError(f"no {kind} named {', '.join(map(repr, unknown))}")
    if kind == "body" and WORLD in mapping:
        raise ValueError("the world cannot be renamed")
    after: dict[str, str] = {}
    for name in sorted(names[kind]):
        other = after.setdefault(mapping.get(name, name), name)
        if other != name:
            raise ValueError(f"{kind} {other!r} and {name!r} would both be named {mapping.get(name, name)!r}")


# ---------------------------------------------------------------------------------------------------- the generic walk


def visited(payload: P, visit: Visit, path: str = "") -> P:
    """The payload with every name in it passed through visit; the same object if no name changes."""
    changes: dict[str, Any] = {}
    cls: Any = type(payload)
    for field, step in _steps(cls):
        old = getattr(payload, field)
        if old is None or old == () or old == "":
            continue
        new = step(old, payload, f"{path}.{field}" if path else field, visit)
        if new is not old:
            changes[field] = new
    return replace(payload, **changes) if changes else payload


@cache
def _steps(cls: type) -> tuple[tuple[str, _Visitor], ...]:
    """The fields of a payload class that contain names, at any depth."""
    if not issubclass(cls, Value):
        return ()
    found: list[tuple[str, _Visitor]] = []
    for slot in slots(cls):
        field, hint = slot.name, slot.hint
        step: _Visitor | None
        if (cls, field) in _BY_OWNER:
            step = _by_owner(_BY_OWNER[cls, field])
        elif field == "parameters" and "naming" in cls.__struct_fields__:
            step = _parameters
        elif field == "name" and cls in KINDS:
            step = _leaf(KINDS[cls], declares=True)
        else:
            step = _step(hint)
        if step is not None:
            found.append((field, step))
    return tuple(found)


def _step(hint: Any) -> _Visitor | None:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        kind = next((mark.kind for mark in arguments[1:] if isinstance(mark, Ref)), None)
        if kind is None:
            return _step(arguments[0])
        return _leaf(kind) if arguments[0] is str else _named(kind)
    if origin in (Union, python_types.UnionType):
        return next((step for step in map(_step, arguments) if step is not None), None)
    if origin is tuple:
        if arguments[-1] is Ellipsis:
            item = _step(arguments[0])
            return _sequence(item) if item is not None else None
        items = [_step(argument) for argument in arguments]
        return _row(items) if any(items) else None
    return _payload if isinstance(hint, type) and _steps(hint) else None


def _leaf(kind: str, *, declares: bool = False) -> _Visitor:
    def step(value: Any, owner: Any, path: str, visit: Visit) -> Any:
        return _same(visit(Occurrence(path, kind, declares), value), value)

    return step


def _by_owner(kind_of: Callable[[Any], str]) -> _Visitor:
    def step(value: Any, owner: Any, path: str, visit: Visit) -> Any:
        kind = kind_of(owner)
        return _same(visit(Occurrence(path, kind, False), value), value) if kind else value

    return step


def _parameters(value: Any, owner: Any, path: str, visit: Visit) -> Any:
    said = dict(value)
    for name, kind in owner.naming:
        if name in said:
            said[name] = visit(Occurrence(f"{path}.{name}", kind, False, True), said[name])
    new = tuple(said.items())
    return value if new == value else new


def _same(new: str, old: str) -> str:
    """The old object if the text is equal, so that unchanged payloads stay shared."""
    return old if new == old else new


def _named(kind: str) -> _Visitor:
    """A payload whose name is the reference."""

    def step(value: Any, owner: Any, path: str, visit: Visit) -> Any:
        new = visit(Occurrence(f"{path}.name", kind, False), value.name)
        return value if new == value.name else replace(value, name=new)

    return step


def _payload(value: Any, owner: Any, path: str, visit: Visit) -> Any:
    return visited(value, visit, path)


def _sequence(item: _Visitor) -> _Visitor:
    def step(value: Any, owner: Any, path: str, visit: Visit) -> Any:
        new = [
            item(part, owner, f"{path}.{part.name if isinstance(part, Entity) else index}", visit)
            for index, part in enumerate(value)
        ]
        return value if all(a is b for a, b in zip(new, value, strict=True)) else tuple(new)

    return step


def _row(items: list[_Visitor | None]) -> _Visitor:
    def step(value: Any, owner: Any, path: str, visit: Visit) -> Any:
        new = [
            part if item is None else item(part, owner, f"{path}.{index}", visit)
            for index, (item, part) in enumerate(zip(items, value, strict=True))
        ]
        return value if all(a is b for a, b in zip(new, value, strict=True)) else tuple(new)

    return step
