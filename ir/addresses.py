"""Looking up addresses of a scene, and taking addresses apart."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from ir.scene import Address, Scene
from ir.types import Value

_POSITION = re.compile(r"\[\d+\]")


def without_positions(path: str) -> str:
    """The path of an extra without positions ("[2]")."""
    return _POSITION.sub("", path)


def self_and_enclosing(place: Sequence[str]) -> Iterator[Address]:
    """An address and its enclosing addresses: (body/a, geoms, g), (body/a, geoms), (body/a,)."""
    return (tuple(place[:end]) for end in range(len(place), 0, -1))


def prefixes(where: str) -> Iterator[str]:
    """The text of an address and its prefixes that end before a dot, longest first: names may contain dots."""
    end = len(where)
    while end > 0:
        yield where[:end]
        end = where.rfind(".", 0, end)


def exists(scene: Scene, address: Sequence[str], names: Names | None = None) -> bool:
    """Whether a scene has something at an address of a patch (names: as in value_at)."""
    return value_at(scene, address, names) is not None


def value_at_text(scene: Scene, where: str) -> Any:
    """The value at an address given as text, as in a note (names may contain dots); None if there is none."""
    for key in prefixes(where):
        stands = value_at(scene, (key,)) if "/" in key else None
        if stands is not None:
            return _inside(stands, where[len(key) + 1 :])
    return None


def _inside(value: Any, path: str) -> Any:
    if not path:
        return value
    steps = ((name, _step(value, name, {})) for name in prefixes(path))
    inner = (_inside(each, path[len(name) + 1 :]) for name, each in steps if each is not None)
    return next((each for each in inner if each is not None), None)


Names = dict[int, tuple[Sequence[Any], dict[str, Any]]]
"""Cache for one scene: id of a tuple -> the tuple (kept alive by this) and its items by name."""


def value_at(scene: Scene, address: Sequence[str], names: Names | None = None) -> Any:
    """The value at an address of a patch; None if there is none. For many addresses of one scene pass the same names
    each time, so that long tuples are indexed only once."""
    kind, _, name = address[0].partition("/")
    found: Any
    if kind == "body":
        found = scene.body(name) if name in scene.bodies else None
    elif kind == "joint":
        found = scene.joint_of(name)
    elif kind == "loop":
        found = loop if (loop := scene.joints.get(name)) is not None and loop.closes_loop else None
    elif kind == "constraint":
        found = scene.constraints.get(name)
    else:
        found = scene.tables[kind].get(name) if kind in scene.tables else None
    for step in address[1:]:
        found = _step(found, step, {} if names is None else names)
    return found


def _step(value: Any, name: str, names: Names) -> Any:
    if not isinstance(value, tuple):
        return getattr(value, name, None) if isinstance(value, Value) else None
    if id(value) not in names:  # of several of one name the first is used
        called = ((getattr(item, key, None), item) for item in reversed(value) for key in ("path", "name"))
        names[id(value)] = value, {key: item for key, item in called if key is not None}
    named = names[id(value)][1].get(name)
    return named or (value[int(name)] if name.isdigit() and int(name) < len(value) else None)
