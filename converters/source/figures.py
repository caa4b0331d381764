"""The numbers of a JSON document by their pointers."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any


def escaped(key: str) -> str:
    """A member's name as a step of a JSON pointer (RFC 6901)."""
    return key.replace("~", "~0").replace("/", "~1")


def figures(value: Any) -> Iterator[tuple[str, tuple[float, ...]]]:
    """Every number and array of numbers inside of a value, with the pointer to it."""
    stack: list[tuple[str, Any]] = [("", value)]
    while stack:
        pointer, each = stack.pop()
        if isinstance(each, dict):
            stack += ((f"{pointer}/{escaped(key)}", inner) for key, inner in each.items())
            continue
        values = each if isinstance(each, list) else [each]
        known = [item for item in values if isinstance(item, (int, float)) and not isinstance(item, bool)]
        said = [float(item) for item in known if abs(item) <= sys.float_info.max]
        if said and len(said) == len(values):
            yield pointer, tuple(said)
        elif isinstance(each, list):
            stack += ((f"{pointer}/{index}", inner) for index, inner in enumerate(each))
