"""Lines of numbers, such as the body of a PLY or an OFF: parsed at once, and traversed in all lines simultaneously."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from converters.assets.meshes.numerals import number_rows, numbers
from converters.assets.meshes.parts import fan
from converters.context import InputError
from ir.arrays import Floats, Ints, np

CORNERS = 3


class Rows(NamedTuple):
    """Non-empty lines: all numbers, where those of each line begin and end in them, and its line number in the file."""

    values: Floats
    begins: Ints
    ends: Ints
    lines: Ints

    def some(self, first: int, count: int) -> Rows:
        """Return up to count rows from the first on."""
        part = slice(first, first + count)
        return Rows(self.values, self.begins[part], self.ends[part], self.lines[part])


def rows(path: Path, text: bytes, first: int) -> Rows:
    """Return the rows of a text that begins at line first of the file. Raises InputError, with the line, for what is
    not a number."""
    text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n") + b"\n"
    try:
        values, counts = number_rows(text)
    except ValueError:
        raise _stray(path, text, first) from None
    stops = np.cumsum(counts)
    full = np.flatnonzero(counts)
    return Rows(values, (stops - counts)[full], stops[full], full + first)


def _stray(path: Path, text: bytes, first: int) -> InputError:
    for number, line in enumerate(text.split(b"\n"), first):
        try:
            numbers(line)
        except ValueError as error:
            return InputError(f"{path}:{number}: {error}")
    return InputError(f"{path}: numbers run into each other")


class Walk:
    """Consumes the numbers of all rows from left to right."""

    def __init__(self, path: Path, table: Rows) -> None:
        self.path = path
        self.rows = table
        self.at = table.begins

    def one(self) -> Floats:
        """Return the next number of each row. Raises InputError where a row has none."""
        self._has(self.at + 1, "the line ends before all of its numbers")
        found, self.at = self.rows.values[self.at], self.at + 1
        return found

    def several(self) -> tuple[Ints, Floats]:
        """Read a count from each row, then that many numbers. Raises InputError for an invalid count or too few
        numbers."""
        said = self.one()
        bad = np.flatnonzero(~(np.isfinite(said) & (said >= 0) & (said == np.floor(said))))
        if len(bad):
            raise InputError(f"{self.path}:{self.rows.lines[bad[0]]}: {said[bad[0]]:g} is no valid count")
        counts = np.minimum(said, len(self.rows.values) + 1).astype(np.int64)
        self._has(self.at + counts, "the line has fewer numbers than it declares")
        first = np.cumsum(counts) - counts
        places = np.repeat(self.at - first, counts) + np.arange(int(counts.sum()))
        self.at = self.at + counts
        return counts, self.rows.values[places]

    def more(self) -> int:
        """Return the number of rows with numbers left."""
        return int((self.at < self.rows.ends).sum())

    def _has(self, upto: Ints, what: str) -> None:
        short = np.flatnonzero(upto > self.rows.ends)
        if len(short):
            raise InputError(f"{self.path}:{self.rows.lines[short[0]]}: {what}")


def polygons(path: Path, named: Floats, counts: Ints, vertices: int, lost: list[str]) -> tuple[Ints, Ints]:
    """Return triangles (m, 3) of polygons with these corner counts, as vertex indices and as corner indices.

    named are the vertex indices of all corners as given in the file. lost collects notes. Raises InputError for one
    that is not an integer or out of range.
    """
    bad = ~((named >= 0) & (named < vertices) & (named == np.floor(named)))
    if bad.any():
        wrong = f"{named[int(np.argmax(bad))]:.17g}"
        raise InputError(f"{path}: face index {wrong} is outside the {vertices} rows it points into (from 0 on)")
    short = int((counts < CORNERS).sum())
    if short:
        lost.append(f"{short} faces with fewer than three corners")
    corners = fan(np.arange(len(named))[:, None], counts)[:, :, 0]
    faces: Ints = named.astype(np.int64)[corners]
    return faces, corners
