"""A smaller document with the same effect."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from typing import Any

from tests.fuzz.mutations import ATTRIBUTE, TOKEN, _spans

Holds = Callable[[bytes], bool]


def smaller(data: bytes, form: str, holds: Holds, seconds: float) -> bytes:
    """Remove elements, attributes or members, then runs of bytes, while `holds` is true and time is left."""
    until = time.monotonic() + seconds
    steps = _members if form == "gltf" and data[:4] != b"glTF" else _elements
    for candidates in (steps, _runs):
        changed = True
        while changed and time.monotonic() < until:
            changed = False
            for each in candidates(data):
                if time.monotonic() > until:
                    break
                if len(each) < len(data) and holds(each):
                    data, changed = each, True
                    break
    return data


def _elements(data: bytes) -> Iterator[bytes]:
    """Yield the document without one element, or one attribute; large ones first."""
    tokens = TOKEN.findall(data)
    spans = sorted(_spans(tokens), key=lambda span: span[0] - span[1])
    for start, end in spans:
        yield b"".join(tokens[:start] + tokens[end:])
    for index, token in enumerate(tokens):
        if token.startswith(b"<!--") or (not token.startswith(b"<") and not token.strip() and len(token) > 1):
            yield b"".join([*tokens[:index], *tokens[index + 1 :]])
        for match in ATTRIBUTE.finditer(token):
            less = token[: match.start()] + token[match.end() :]
            yield b"".join([*tokens[:index], less, *tokens[index + 1 :]])


def _members(data: bytes) -> Iterator[bytes]:
    try:
        root = json.loads(data)
    except ValueError:
        return
    places: list[tuple[Any, Any]] = []
    queue = [root]
    for each in queue:
        for key in list(each) if isinstance(each, dict) else range(len(each)) if isinstance(each, list) else ():
            places.append((each, key))
            queue.append(each[key])
    for owner, key in places:
        value = owner[key]
        order = list(owner.items()) if isinstance(owner, dict) else list(owner)
        del owner[key]
        yield json.dumps(root).encode()
        if isinstance(owner, dict):
            owner.clear()
            owner.update(order)
        else:
            owner.insert(key, value)


def _runs(data: bytes) -> Iterator[bytes]:
    size = len(data) // 2
    while size >= 1:
        for start in range(0, len(data), size):
            yield data[:start] + data[start + size :]
        size //= 4
