"""Carried data of a document that is not valid any more, as text for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from converters.carried.pieces import entry
from ir.addresses import value_at
from ir.plain import as_json
from ir.scene import Address, Scene


def describe_stale(
    stale: Iterable[Address], carried: Mapping[str, str], scene: Scene
) -> Iterator[tuple[str, str, object, str]]:
    """(address, key of the carried data there, its value, what became of it) of each address that is not valid any
    more.

    The value is None if the document was only to lose something. It is "dropped" if it was a whole thing and the scene
    has nothing in its place, else "repaired": the edit replaces it, or has deleted what it was to change.
    """
    for key, *inside in dict.fromkeys(stale):
        where = ".".join([key, *inside])
        if key not in carried:
            yield where, "", None, "repaired"
            continue
        patch, steps = _value_and_steps(entry(carried, key), inside)
        gone = isinstance(patch, list) and value_at(scene, (key, *steps)) in (None, (), "")
        before = _as_text(_without_checksums(patch))
        yield where, key, before, "dropped" if gone and before is not None else "repaired"


def _value_and_steps(patch: Any, path: Iterable[str]) -> tuple[Any, list[str]]:
    """The value of a patch at a path below its key, and the known steps of the path."""
    steps: list[str] = []
    for name in path:
        if isinstance(patch, list) and len(patch) == 1 and isinstance(patch[0], dict):  # a whole entity
            patch = {name: [value] for name, value in patch[0].items()}
        elif isinstance(patch, list) and patch and isinstance(patch[0], list):  # all extras of an entity
            patch = {each["path"]: [each] for each in patch[0] if isinstance(each, dict) and "path" in each}
        if not isinstance(patch, dict):
            break
        patch = patch.get(name)
        steps.append(name)
    return patch, steps


def _without_checksums(patch: Any) -> Any:
    """The value that a patch restores, without the checksums by which edits are recognised; None for nothing."""
    if not isinstance(patch, dict):
        return patch[0] if isinstance(patch, list) and patch else None
    found = {name: value for name, each in patch.items() if (value := _without_checksums(each)) not in (None, "", [])}
    return found or None


def _as_text(value: Any) -> object:
    if value is None or isinstance(value, (str, float, int)):
        return value
    if isinstance(value, dict) and "path" in value and "text" in value:
        return value["text"]
    extras = value.get("extras") if isinstance(value, dict) else None
    if isinstance(extras, list) and len(extras) == 1 and extras[0].get("path") == "":
        return extras[0]["text"]  # a block is represented by its text
    return as_json(value)
