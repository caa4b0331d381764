"""Sampled triangles and checksums of each mesh file that is opened, by which it is recognised in the outputs made from
it, because decoding a file again takes as long as the conversion."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, NamedTuple

from converters.context import Ledger, Sample, SampledCorners, SampledTables
from ir.arrays import Array, column_bounds, np

if TYPE_CHECKING:
    from converters.assets.meshes.parts import MeshFile, MeshPart

MOST, END = 16, 4
"""Triangles sampled per part (at least, and less than twice that), and rows from either end of its tables."""
NEAR = 1e-6
"""Tolerance for equal corners, relative to the largest coordinate: single precision, or nine digits."""
TOGETHER, ONCE = 48, 1 << 17
"""Points per checksum, and about how many are processed at once."""


class _Recording(NamedTuple):
    """A ledger, and what its samples have."""

    opened: Ledger
    corners: bool
    tables: bool


_ledger: ContextVar[_Recording | None] = ContextVar("ledger", default=None)


@contextmanager
def ledger(corners: bool = True, tables: bool = True) -> Iterator[Ledger]:
    """Context manager giving a table that records samples of every mesh file that is opened: of its corners, of its
    tables, or of both."""
    recording = _Recording({}, corners, tables)
    outer = _ledger.set(recording)
    try:
        yield recording.opened
    finally:
        _ledger.reset(outer)


def record_samples(content: MeshFile, path: str, part: str = "") -> MeshFile:
    """Return the content after recording its samples in the ledger, if there is one."""
    recording = _ledger.get()
    if recording is not None and (path, part) not in recording.opened:
        recording.opened[path, part] = tuple([_sample(each, recording) for each in content.parts])
    return content


def places(triangles: int) -> slice:
    """Return a slice of the triangles to sample."""
    return slice(None, None, max(1, triangles // MOST))


def outer(rows: int) -> list[int]:
    """Return the indices of the first and the last rows, at most END of each."""
    return [*range(min(rows, END)), *range(max(rows - END, END), rows)]


def same(ours: Array, theirs: Array, share: float = NEAR) -> bool:
    """Whether two samples have the same corners in the same order, within the tolerance."""
    if ours.shape != theirs.shape:
        return False
    return bool(len(ours) == 0 or np.abs(ours - theirs).max() <= share * np.abs(theirs).max())


def sums(points: Array, faces: Array | None = None) -> Array:
    """Return (s, 4): for each group of TOGETHER points (n, 3), or corners (m, 3) of faces, the weighted sum and the sum
    of weights.

    The weights all differ, so that swapped points are detected.
    """
    rows = None if faces is None else faces.reshape(-1)
    weights = 1.0 + 0.5 * np.cos(np.arange(TOGETHER))
    count = len(points) if rows is None else len(rows)
    found = np.empty((-(-count // TOGETHER), 4))
    found[:, 3] = weights.sum()
    step = ONCE - ONCE % TOGETHER
    for start in range(0, count, step):
        place = slice(start, start + step)
        some = points[place] if rows is None else np.take(points, rows[place], axis=0)
        first, whole = start // TOGETHER, len(some) // TOGETHER
        held = some[: whole * TOGETHER].reshape(whole, TOGETHER, 3)
        found[first : first + whole, :3] = np.einsum("skc,k->sc", held, weights)
        rest = some[whole * TOGETHER :]
        if len(rest):
            found[first + whole] = *(weights[: len(rest)] @ rest), weights[: len(rest)].sum()
    return found


def _sample(part: MeshPart, wanted: _Recording) -> Sample:
    corners = _corners(part) if wanted.corners else None
    tables = _tables(part) if wanted.tables else None
    return Sample(part.name, len(part.faces), len(part.vertices), part.material, corners, tables)


def _corners(part: MeshPart) -> SampledCorners:
    some = places(len(part.faces))
    corners = part.vertices[part.faces[some]]
    reach = float(np.abs(corners).max(initial=0.0))
    tables = (part.normals, part.normal_faces), (part.uvs, part.uv_faces), (part.colours, part.colour_faces)
    beside = (None if table is None or faces is None else table[faces[some]] for table, faces in tables)
    return SampledCorners(corners, reach, sums(part.vertices, part.faces), *beside)


def _tables(part: MeshPart) -> SampledTables:
    rows = (None if table is None else table[outer(len(table))] for table in (part.normals, part.uvs))
    low, high = column_bounds(part.vertices)
    return SampledTables(sums(part.vertices), high - low, part.faces[outer(len(part.faces))], *rows)
