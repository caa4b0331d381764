"""Members of JSON values that may have any type: nothing is marked as read, and no fault is reported."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Members = dict[str, Any]


def member(value: Any, *keys: str) -> Any:
    """Return a member, or (several keys) a member of a member; None where there is none. No key: the value itself."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def members(value: Any, *keys: str) -> Members:
    """Return the object there (as member); an empty one where there is none."""
    found = member(value, *keys)
    return found if isinstance(found, dict) else {}


def listed(value: Any, *keys: str) -> list[Any]:
    """Return the array there (as member); an empty one where there is none."""
    found = member(value, *keys)
    return found if isinstance(found, list) else []


def objects(value: Any, *keys: str) -> Iterator[tuple[int, Members]]:
    """Yield the objects in the array there (as member), with their indices."""
    return ((number, each) for number, each in enumerate(listed(value, *keys)) if isinstance(each, dict))
