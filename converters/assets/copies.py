"""Decide whether MuJoCo accepts a mesh file as it is, reading no more of it than the decision needs."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from converters.assets.folders import SIZE_LIMIT
from converters.assets.meshes.extent import dimensions, soup_area, surface_area
from converters.assets.meshes.files import real
from converters.assets.meshes.parts import MeshFile, MeshPart, PartMaterial
from converters.assets.meshes.sampled import record_samples
from converters.assets.meshes.stl_head import HEADER, binary_faces
from converters.context import InputError
from ir.arrays import Array, Floats, column_bounds, np
from ir.types import Vec3

SUFFIXES = frozenset({".stl", ".obj", ".msh"})
MOST_FACES = 200_000
"""Most faces of an STL that MuJoCo accepts."""
_LARGEST = float(1 << 30)
ENOUGH = 1e-6
"""Unscaled surface in square metres that is clearly enough; a mesh with less is measured in full."""


class Copied(Struct, frozen=True, kw_only=True):
    """Properties of a file that can be copied; surface is a lower bound in square metres, unscaled."""

    faces: int
    vertices: int
    bounds: tuple[Vec3, Vec3]
    flat: bool
    surface: float
    material: PartMaterial | None = None
    content: MeshFile | None = None
    """The decoded content, where it had to be read."""


def as_it_is(path: Path) -> Copied | MeshFile | None:
    """Return Copied if the file can be copied; else its content if that had to be read, or None. Raises InputError."""
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        return None
    try:
        size = path.stat().st_size
        if size > SIZE_LIMIT:
            raise InputError(f"{path}: the mesh is larger than {SIZE_LIMIT >> 30} GiB")
        if suffix == ".stl":
            return _stl(path, size)
        data = path.read_bytes()
        real(path, data)
        return _obj(path, data) if suffix == ".obj" else _msh(path, data)
    except OSError as error:
        raise InputError(f"{path}: the mesh cannot be read: {error.strerror or error}") from None


def _stl(path: Path, size: int) -> Copied | None:
    """Return Copied for a binary STL of the declared size with finite coordinates; else None."""
    from converters.assets.meshes.stl import records

    with path.open("rb", buffering=0) as file:  # a buffered reader would copy what follows the header
        count = binary_faces(file.read(HEADER), size)
        if not count or count > MOST_FACES:
            return None
        file.seek(0)
        data = file.readall()
    if len(data) != size:
        raise InputError(f"{path}: the mesh changed while it was read")
    corners = records(data, count)["corners"]
    points = np.array(corners.transpose(2, 0, 1), order="C").reshape(3, -1).T
    low, high = column_bounds(points)
    if not (np.isfinite(low).all() and np.isfinite(high).all()) or max(abs(low).max(), abs(high).max()) >= _LARGEST:
        return None
    flat = dimensions(points) < 3
    return Copied(
        faces=count,
        vertices=len(np.unique(points, axis=0)) if flat else 3 * count,
        bounds=bounds_of(points),
        flat=flat,
        surface=_surface(corners),
    )


def _surface(corners: Floats) -> float:
    """Return the area of the first faces if it is enough, else that of all."""
    some = soup_area(corners[:64])
    return some if some > ENOUGH else soup_area(corners)


def _obj(path: Path, data: bytes) -> Copied | MeshFile:
    from converters.assets.meshes import wavefront

    content, plain = wavefront.survey(path, data)
    record_samples(content, str(path))
    if not plain or len(content.parts) != 1:
        return content
    part = content.parts[0]
    return _copied_part(part, surface_area(part.vertices, part.faces, ENOUGH), content)


def _msh(path: Path, data: bytes) -> Copied:
    from converters.assets.meshes import msh

    return _copied_part(msh.load(path, data).parts[0], float("inf"))


def _copied_part(part: MeshPart, surface: float, content: MeshFile | None = None) -> Copied:
    return Copied(
        faces=len(part.faces),
        vertices=len(part.vertices),
        bounds=bounds_of(part.vertices),
        flat=dimensions(part.vertices) < 3,
        surface=surface,
        material=part.material,
        content=content,
    )


def bounds_of(points: Array) -> tuple[Vec3, Vec3]:
    """Return opposite corners of the box around points (n, 3)."""
    least, most = (corner.tolist() for corner in column_bounds(points))
    return (least[0], least[1], least[2]), (most[0], most[1], most[2])
