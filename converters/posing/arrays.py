"""Tables of numpy as motions. Nothing is unpickled."""

from __future__ import annotations

import warnings
import zipfile
from pathlib import Path

from converters.context import InputError
from converters.failures import unaddressed
from converters.posing.coordinates import DofNames
from converters.posing.recorded import Recording
from converters.posing.sampling import MOST_SAMPLES
from converters.source.files import MAX_BYTES, content
from ir.arrays import Floats, np
from ir.kinematics import coordinate_size
from ir.types import Dof, Source

MEMBERS = ("t", "q", "names")


def of_archive(path: Path, names: DofNames) -> tuple[Recording, list[Dof]]:
    """An archive of t (n,) in seconds, q (n, k) and the names (k,) of the joints, each of one coordinate."""
    content(path, "named by --trajectory")
    try:
        with zipfile.ZipFile(path) as archive:
            if sum(each.file_size for each in archive.infolist()) > MAX_BYTES:
                raise InputError(f"{path}: holds more than {MAX_BYTES} bytes")
        with warnings.catch_warnings(action="ignore"), np.load(path, allow_pickle=False) as stored:
            t, q, named = (np.asarray(stored[key]) for key in MEMBERS)
            unused = {name: 1 for name in stored.files if name not in MEMBERS}
    except InputError:
        raise
    except Exception as error:  # whatever the parsers of zip and of headers raise
        raise _unlike(path, f"archive of {', '.join(MEMBERS)}", error) from None
    fits = q.ndim == 2 and t.shape == q.shape[:1] and named.shape == q.shape[1:] and named.dtype.kind == "U"
    if not fits or t.dtype.kind not in "fiu" or q.dtype.kind not in "fiu":
        shapes = f"{t.dtype} {t.shape}, {q.dtype} {q.shape} and {named.dtype} {named.shape}"
        raise InputError(f"{path}: t, q and names must be numbers (n,), numbers (n, k) and texts (k,), not {shapes}")
    if not 0 < len(q) <= MOST_SAMPLES or not len(named):
        raise InputError(f"{path}: holds no motion, or more than {MOST_SAMPLES} samples")
    times, values = t.astype(np.float64), q.astype(np.float64)
    if not (np.isfinite(times).all() and np.isfinite(values).all()):
        raise InputError(f"{path}: holds a number that is not finite")
    tracks: dict[str, Floats] = {}
    dofs = []
    for column, name in enumerate(named.tolist()):
        (dof, *more) = names.find(name, Source(str(path), 1, "/"))
        if more or coordinate_size(dof) != 1:
            raise InputError(f"{path}: {name[:200]!r} has several coordinates, and a column is one")
        if dof.name in tracks:
            raise InputError(f"{path}: {name[:200]!r} appears twice")
        tracks[dof.name] = values[:, column : column + 1].copy()
        dofs.append(dof)
    return Recording(str(path), times, tracks, unused=unused), dofs


def _unlike(path: Path, what: str, error: Exception) -> InputError:
    reason = " ".join(unaddressed(error).split()) or type(error).__name__
    return InputError(f"{path}: no {what}: {reason[:200]}")


def of_array(path: Path, names: DofNames) -> tuple[Recording, list[Dof]]:
    """A 2-D table of numbers: times, then the dofs that move by themselves in document order. Nothing is unpickled."""
    if content(path, "named by --trajectory")[:6] != b"\x93NUMPY":
        raise InputError(f"{path}: no table of numpy")
    try:
        with warnings.catch_warnings(action="ignore"):  # warnings about headers written by Python 2
            mapped = np.load(path, mmap_mode="r", allow_pickle=False)
    except Exception as error:  # the header is a Python literal: whatever its parser raises arrives here
        raise _unlike(path, "table of numpy", error) from None
    if not isinstance(mapped, np.ndarray) or mapped.ndim != 2 or mapped.dtype.kind not in "fiu":
        shape = getattr(mapped, "shape", None)
        raise InputError(f"{path}: must hold rows of numbers, not {getattr(mapped, 'dtype', type(mapped))} of {shape}")
    dofs = [dof for _, dof in names.movable().values()]
    columns = [(dof, part) for dof in dofs for part in range(coordinate_size(dof))]
    if mapped.shape[1] != len(columns) + 1:
        some = ", ".join(dof.name for dof in dofs[:10])
        raise InputError(
            f"{path}: has {mapped.shape[1]} columns; time and the {len(columns)} coordinates of this model would be "
            f"{len(columns) + 1} ({some}{' ...' if len(dofs) > 10 else ''})"
        )
    if not len(mapped) or not dofs:
        raise InputError(f"{path}: holds no motion")
    if len(mapped) > MOST_SAMPLES or mapped.size * 8 > 8 * MAX_BYTES:
        raise InputError(f"{path}: holds more than {MOST_SAMPLES} samples")
    data = np.array(mapped, dtype=np.float64)
    bad = np.argwhere(~np.isfinite(data))
    if len(bad):
        raise InputError(f"{path}: row {bad[0, 0] + 1}, column {bad[0, 1] + 1} is not a finite number")
    tracks: dict[str, Floats] = {}
    start = 1
    for dof in dofs:
        tracks[dof.name] = data[:, start : start + coordinate_size(dof)].copy()
        start += coordinate_size(dof)
    return Recording(str(path), data[:, 0].copy(), tracks), dofs
