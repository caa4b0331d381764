"""Parts of a patch (ir.diff.compare): where they stand, which of them belong to something derived, and a patch without
some of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ir.plain import as_json
from ir.scene import Address, Scene
from ir.types import Value

Patch = Any
Derived = Sequence[tuple[Sequence[Sequence[str]], Sequence[Sequence[str]]]]
"""Groups of addresses: what stands in a document because a pass made it, and the parts of the patch that bring back
what it was made of."""


def leaves(carried: Mapping[str, str]) -> Iterator[Address]:
    """The places of all that a patch of compare replaces: its key, and the names that lead there."""
    below: list[tuple[Address, Patch]] = [((key,), json.loads(text)) for key, text in carried.items()]
    while below:
        path, patch = below.pop()
        if isinstance(patch, dict):
            below += [((*path, name), inner) for name, inner in patch.items() if name]
        else:
            yield path


def without(carried: Mapping[str, str], places: Iterable[Sequence[str]], *, within: bool = False) -> dict[str, str]:
    """The patch without these replacements. One of which a place is a part goes whole, or (within) loses that part."""
    by_key: dict[str, list[Sequence[str]]] = {}
    for key, *path in places:
        if key in carried:
            by_key.setdefault(key, []).append(path)
    left = dict(carried)
    for key, paths in by_key.items():
        patch: Patch = json.loads(left.pop(key))
        whole = not isinstance(patch, dict) and not within
        if not whole and all(_cut(patch, path, within) for path in paths) and patch:
            left[key] = as_json(patch)
    return left


def _cut(patch: Patch, path: Sequence[str], within: bool) -> bool:
    """Take the replacement there out of a patch; False where that is all of it."""
    if not path:
        return False
    if not isinstance(patch, dict):
        _prune(patch[0], path)
        return True
    inner = patch.get(path[0])
    if inner is not None and not ((within or isinstance(inner, dict)) and _cut(inner, path[1:], within) and inner):
        del patch[path[0]]
    return True


def _prune(plain: Any, path: Sequence[str]) -> None:
    """Take a part out of a plain value (ir.plain)."""
    for name in path[:-1]:
        plain = _part(plain, name)
    if isinstance(plain, dict):
        plain.pop(path[-1], None)
    elif isinstance(plain, list) and (part := _part(plain, path[-1])) is not None:
        plain.remove(part)


def _part(plain: Any, name: str) -> Any:
    """What has that name in a plain value; an extra goes by its path, what has no name by its index."""
    if isinstance(plain, dict):
        return plain.get(name)
    if not isinstance(plain, list):
        return None
    if plain and not isinstance(plain[0], dict):
        return None
    if name.isdigit() and not any("name" in item or "path" in item for item in plain):
        return plain[int(name)] if int(name) < len(plain) else None
    return next((item for item in plain if name in (item.get("name"), item.get("path"))), None)


def _brings(patch: Patch, path: Sequence[str]) -> bool:
    """Whether a patch brings something back there."""
    for place, name in enumerate(path):
        if isinstance(patch, list):
            plain = patch[0]
            for step in path[place:]:
                plain = _part(plain, step)
            return plain is not None
        patch = patch.get(name)
        if patch is None:
            return False
    return isinstance(patch, dict) or patch[0] is not None


# ------------------------------------------------------------------------------------------------------------- derived


def derived(
    origins: Mapping[Address, tuple[Address, ...]], written: Scene, carried: Mapping[str, str]
) -> list[tuple[list[Address], list[Address]]]:
    """What was made of something else (Scene.origins) and is found in the output, with the parts of the patch that
    bring back what it was made of (Derived)."""
    patches: dict[str, Patch] = {}
    groups: dict[tuple[Address, ...], list[Address]] = {}
    for address in origins:
        found = []
        for first, *path in _ends(address, origins):
            if first in carried and first not in patches:
                patches[first] = json.loads(carried[first])
            if first in patches and _brings(patches[first], path):
                found.append((first, *path))
        if found and stands(written, address):
            groups.setdefault(tuple(found), []).append(address)
    return [(addresses, list(made_of)) for made_of, addresses in groups.items()]


def made(origins: Mapping[Address, tuple[Address, ...]], places: Iterable[Sequence[str]]) -> list[Address]:
    """What was made of what stands at some places, at any remove."""
    there = {tuple(place) for place in places}
    return [address for address in origins if not there.isdisjoint(_ends(address, origins))]


def _ends(address: Address, origins: Mapping[Address, tuple[Address, ...]]) -> Iterator[Address]:
    """All that something was made of, at any remove."""
    waiting, seen = [address], {address}
    while waiting:
        for origin in origins.get(waiting.pop(), ()):
            if origin not in seen:
                seen.add(origin)
                waiting.append(origin)
                yield origin


def deleted(scene: Scene, groups: Derived) -> tuple[list[Sequence[str]], list[Sequence[str]]]:
    """(parts of the patch that no longer count, those of them that would bring something back), since some of what was
    derived has been deleted from a document. The rest that was made of the same things is what the document says."""
    gone = {
        tuple(origin): origin
        for addresses, made_of in groups
        if not all(stands(scene, address) for address in addresses)
        for origin in made_of
    }
    origins = list(gone.values())
    kept = [each for addresses, made_of in groups if any(tuple(at) in gone for at in made_of) for each in addresses]
    return [*origins, *kept], origins


def stands(scene: Scene, address: Sequence[str]) -> bool:
    """Whether there is something in a scene at an address of a patch."""
    kind, _, name = address[0].partition("/")
    found: Any
    if kind == "body":
        found = scene.body(name) if name in scene.graph else None
    elif kind == "joint":
        found = scene.joint_of(name)
    elif kind == "loop":
        found = loop if (loop := scene.joints.get(name)) is not None and loop.closes_loop else None
    elif kind == "constraint":
        found = scene.constraints.get(name)
    else:
        found = scene.tables[kind].get(name) if kind in scene.tables else None
    for step in address[1:]:
        if isinstance(found, tuple):
            named = next((item for item in found if getattr(item, "name", None) == step), None)
            found = named or (found[int(step)] if step.isdigit() and int(step) < len(found) else None)
        else:
            found = getattr(found, step, None) if isinstance(found, Value) else None
    return found is not None
