"""Sets of names as numbers: they take the least memory as long as a document has few names."""

from __future__ import annotations

from converters.context import InputError
from ir.types import Source

MOST = 4096
"""Largest number of attribute names that readers ask a document for; all formats together have a quarter of it."""


class Bits(dict[str, int]):
    """A bit for each name that is asked for, in the order of first use. Raises InputError for too many: a set of n
    names takes n bits, and so does each name by itself."""

    def __init__(self, file: str) -> None:
        super().__init__()
        self.file = file

    def __missing__(self, name: str) -> int:
        if len(self) >= MOST:
            message = f"attributes of more than {MOST} names are read"
            raise InputError(message, Source(self.file, 1, "/"), "XML-SIZE")
        bit = self[name] = 1 << len(self)
        return bit
