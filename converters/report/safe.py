"""Text of a model made safe to show."""

from __future__ import annotations


def printable(value: str) -> str:
    """One line without control characters: a terminal would obey those in names of a model."""
    if value.isprintable():
        return value
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in value)
