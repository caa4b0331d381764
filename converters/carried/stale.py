"""What no longer counts of what a document carries, as a person reads it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ir.patches import above
from ir.plain import as_json


def told(stale: Iterable[str], carried: Mapping[str, str]) -> Iterator[tuple[str, str, object]]:
    """(address, key of what is carried there, what that was) of each address that no longer counts; the last is None
    where the document was only to lose what stands in it."""
    for where in dict.fromkeys(stale):
        key = next((each for each in above(where) if each in carried), "")
        yield where, key, _text(_within(json.loads(carried[key]), where[len(key) + 1 :])) if key else None


def _within(patch: Any, path: str) -> Any:
    """What a patch puts at a path below its address; names may have dots in them."""
    while path and isinstance(patch, dict):
        name = next((each for each in above(path) if each in patch), path)
        patch, path = patch.get(name), path[len(name) + 1 :]
    return _value(patch)


def _value(patch: Any) -> Any:
    """What a patch puts in place, without the checksums by which an edit is known; None for nothing."""
    if not isinstance(patch, dict):
        return patch[0] if isinstance(patch, list) and patch else None
    found = {name: value for name, each in patch.items() if (value := _value(each)) not in (None, "", [])}
    return found or None


def _text(value: Any) -> object:
    if value is None or isinstance(value, (str, float, int)):
        return value
    extras = value.get("extras") if isinstance(value, dict) else None
    if isinstance(extras, list) and len(extras) == 1 and extras[0].get("path") == "":
        return extras[0]["text"]  # a block is what it says
    return as_json(value)
