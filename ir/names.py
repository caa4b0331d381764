"""Making names that are not taken."""

from __future__ import annotations

from collections.abc import Container


def unique(name: str, taken: Container[str], first: int = 1) -> str:
    """The name itself or, when it is taken, with the first free number behind it: name_1, name_2 ..."""
    if name not in taken:
        return name
    number = first
    while f"{name}_{number}" in taken:
        number += 1
    return f"{name}_{number}"
