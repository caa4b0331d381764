"""The content of a mesh file as arrays, and the files beside it."""

from __future__ import annotations

import math
import os
import re
import stat
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from converters.assets.folders import SIZE_LIMIT, ancestors, any_case, package_name, workspace
from converters.context import InputError
from ir.arrays import Floats as Floats, Ints as Ints, column_bounds, np
from ir.types import Vec3, Vec4

Finder = Callable[[str], Path | None]
"""Return the path of a named file; None where it does not exist."""

ABOVE = 3
"""Levels above a mesh that may contain its textures when no package.xml marks the root of the package."""

SPARSE = 16
"""Ratio of rows to corners above which the used rows are found by sorting."""

NAMED = 3
"""Most omissions that are listed when nothing of a mesh is left."""

_FOREIGN = re.compile(r"(file:)|/*[A-Za-z]:[/\\]|[/\\]", re.IGNORECASE)
_BESIDE = (".", "textures", "../textures", "../materials/textures", "../../materials/textures", "images", "../images")


class PartMaterial(Struct, frozen=True, kw_only=True):
    """Material of a part: display (sRGB) colours in [0, 1]. A texture multiplies rgba; uv 0 0 is its lower left."""

    name: str
    rgba: Vec4
    texture: Path | str | None = None
    """Path of the image; in a PackedPart, relative to the output."""
    image: bytes | None = None
    """The content of the image file where the mesh file embeds it."""
    ambient: Vec3 | None = None
    """Reflectance of ambient light, where the file gives one that differs from its colour."""
    emissive: Vec3 | None = None
    specular: Vec3 | None = None
    shininess: float | None = None
    """The exponent of the highlight."""
    metallic: float | None = None
    roughness: float | None = None
    double_sided: bool = False

    @property
    def picture(self) -> Path | bytes | None:
        """The image: its path, or its content."""
        return self.image or (None if self.texture is None else Path(self.texture))


class MeshPart(Struct, frozen=True, kw_only=True, eq=False):
    """Triangles of one material. vertices (n, 3) in metres in the frame of the file, faces (m, 3) of vertex indices.

    normals (k, 3), uvs (l, 2) and colours (c, 4) have face tables of their own, normal_faces, uv_faces and colour_faces
    (m, 3): both None or neither. colours are display values in [0, 1] that multiply those of the material.
    """

    name: str
    vertices: Floats
    faces: Ints
    normals: Floats | None = None
    normal_faces: Ints | None = None
    uvs: Floats | None = None
    uv_faces: Ints | None = None
    colours: Floats | None = None
    colour_faces: Ints | None = None
    material: PartMaterial | None = None
    spelled: Callable[[], Mapping[str, bytes]] = dict
    """Returns the original OBJ lines of some of the tables, by keyword: v, vt, vn."""


COLOURS = "vertex colours"
"""Note on parts with colours for targets that do not use them."""
UP = (
    "an up axis other than z, which RViz and Gazebo ignore as well (where parts are rotated wrongly, "
    "export them again with z up)"
)
"""Note on a file that declares another up axis, which is not applied."""
MENDED = "; taken as"
"""In a sentence about an invalid value in a file, introduces the value used instead."""

NOT_BESIDE = "a file that a mesh names for its looks was not found beside it"
ABSENT = ", which is not there"
"""Ends a sentence about a referenced side file that is missing."""
_ROUNDING = 1e-6
"""Tolerance for rounding in sums of a file's own numbers."""


class Untold(NamedTuple):
    """A note on a mesh file: its subject ("": the file itself), rule and action."""

    reason: str
    action: str
    rule: str = "assets/mesh-content"
    about: str = ""


class MeshFile(Struct, frozen=True, kw_only=True):
    """The content of a mesh file; lost are sentences about content that the parts do not represent.

    unlit are those of them about appearance, relevant where that is shown; idle those about content irrelevant to a
    mesh.
    """

    parts: tuple[MeshPart, ...]
    lost: tuple[str, ...] = ()
    unlit: tuple[str, ...] = ()
    idle: tuple[str, ...] = ()

    def untold(self, hidden: bool, coloured: bool = False) -> Iterator[Untold]:
        """Yield the notes on it; hidden: the file's appearance is not shown; coloured: the target also uses vertex
        colours."""
        dyed = not coloured and any(part.colours is not None for part in self.parts)
        unseen = {*self.unlit, COLOURS} if hidden else set[str]()
        sentences: dict[str, None] = dict.fromkeys([*self.lost, *([COLOURS] if dyed else [])])
        for sentence in sentences:
            if sentence in unseen:
                continue
            if sentence.endswith(ABSENT):
                yield Untold(NOT_BESIDE, "noted", "assets/missing-look", sentence.removesuffix(ABSENT))
            elif MENDED in sentence:
                yield Untold(f"of the mesh file: {sentence}", "repaired")
            else:
                told = f"not taken from the mesh file: {sentence}"
                yield Untold(told, "ignored" if sentence in self.idle else "dropped")


class Sight(Struct, frozen=True):
    """A lookup of a file beside a mesh: the folder, the name, the path found, and its digest if it was read."""

    folder: Path
    name: str
    found: Path | None
    digest: str = ""


_seen: list[Sight] | None = None


@contextmanager
def watch_lookups() -> Iterator[list[Sight]]:
    """Context manager giving a list that records every lookup of a file beside a mesh."""
    global _seen
    outer, _seen = _seen, []
    try:
        yield _seen
    finally:
        _seen = outer


def submesh_of(parts: tuple[MeshPart, ...], submesh: str | None, centred: bool) -> tuple[MeshPart, ...]:
    """Return the parts used by a geom: those of that name, or all; optionally centred on their bounding box."""
    if submesh is not None:
        parts = tuple(part for part in parts if part.name == submesh) or parts
    if not centred:
        return parts
    lows, highs = zip(*(column_bounds(part.vertices) for part in parts), strict=True)
    low, high = np.min(lows, axis=0), np.max(highs, axis=0)
    return tuple(replace(part, vertices=part.vertices - (low + high) / 2, spelled=dict) for part in parts)


def compact(table: Floats, faces: Ints) -> tuple[Floats, Ints]:
    """Return the rows that faces use, in order, and the faces renumbered. Raises IndexError for a missing row."""
    corners = faces.ravel()
    within(len(table), corners)
    used = rows_used(len(table), corners)
    if len(used) < len(table):
        places = np.empty(len(table), dtype=np.int64)
        places[used] = np.arange(len(used))
        table, corners = table.take(used, axis=0), places.take(corners)
    return table, corners.reshape(faces.shape)


def rows_used(rows: int, corners: Ints) -> Ints:
    """Return the row indices that occur in corners (of any shape), in order."""
    if corners.size * SPARSE < rows:  # marking visits all rows for each part of a file with many parts
        return np.unique(corners)
    used = np.zeros(rows, dtype=bool)
    used[corners] = True
    return np.flatnonzero(used)


def within(rows: int, corners: Ints) -> None:
    """Raise IndexError where any of the corners, of any shape, is not a valid row index."""
    ends = (int(corners.min()), int(corners.max())) if corners.size else ()
    for outside in (end for end in ends if not 0 <= end < rows):
        raise IndexError(f"face index {outside} is outside the {rows} rows it points into")


def dyes(values: Floats, most: float = 1.0) -> Floats | None:
    """Return colours (c, 4) from rows of three or four display values between 0 and most; None where all are white."""
    found = np.ones((len(values), 4))
    found[:, : values.shape[1]] = np.clip(values[:, :4] / most, 0.0, 1.0)
    return None if bool((found == 1.0).all()) else found


def plainly(part: MeshPart, unlit: list[str]) -> MeshPart:
    """Return the part without vertex colours if it has a material: neither COLLADA nor OBJ declares that they apply in
    addition, and RViz and Gazebo ignore them. unlit records that."""
    if part.material is None or part.colours is None:
        return part
    unlit.append(COLOURS)
    return replace(part, colours=None, colour_faces=None)


def painted(part: MeshPart) -> MeshPart:
    """Return the part with a material instead of vertex colours if it has no material and all corners have one colour,
    for formats without vertex colours."""
    if part.colours is None or part.material is not None or bool((part.colours != part.colours[0]).any()):
        return part
    red, green, blue, alpha = part.colours[0].tolist()
    look = PartMaterial(name="vertex_colour", rgba=(red, green, blue, alpha))
    return replace(part, colours=None, colour_faces=None, material=look)


def fan(corners: Ints, counts: Ints) -> Ints:
    """Triangulate polygons, given corners (k, width) and corner counts, as fans (m, 3, width), in order."""
    counts = counts.astype(np.int64)
    if len(counts) and bool((counts == 3).all()):
        return corners.reshape(-1, 3, corners.shape[1])
    starts = np.cumsum(counts) - counts
    triangles = np.maximum(counts - 2, 0)
    total = int(triangles.sum())
    first = np.repeat(starts, triangles)
    step = np.arange(total) - np.repeat(np.cumsum(triangles) - triangles, triangles)
    triangulated: Ints = corners[np.stack([first, first + step + 1, first + step + 2], axis=1)]
    return triangulated


def strip(corners: Ints) -> Ints:
    """Triangulate a strip (k,) or (k, width) as (k - 2, 3) or (k - 2, 3, width), all with the same winding."""
    triangles = np.stack([corners[:-2], corners[1:-1], corners[2:]], axis=1)
    triangles[1::2] = triangles[1::2, [1, 0, 2]]
    return triangles


def mesh_file(
    parts: Iterable[MeshPart], path: Path, lost: Iterable[str], unlit: Collection[str] = (), idle: tuple[str, ...] = ()
) -> MeshFile:
    """Return the parts that have faces and finite coordinates, and notes on the rest (MeshFile; lost without unlit).

    Raises InputError when there are none.
    """
    kept = [part for part in parts if len(part.faces)]
    if not kept:
        left = ", ".join([*dict.fromkeys(lost)][:NAMED])
        raise InputError(f"{path}: the mesh has no faces{left and f'; left out: {left}'}")
    whole = [bool(np.isfinite(part.vertices).all()) for part in kept]
    finite = tuple(painted(part) for part, good in zip(kept, whole, strict=True) if good)
    broken = ", ".join(repr(part.name) for part, good in zip(kept, whole, strict=True) if not good)
    if not finite:
        raise InputError(f"{path}: a vertex coordinate of {broken} is not finite")
    told = [f"{broken}, with a vertex coordinate that is not finite"] if broken else []
    return MeshFile(parts=finite, lost=tuple(dict.fromkeys([*lost, *told, *unlit])), unlit=tuple(unlit), idle=idle)


def bounded(red: float, green: float, blue: float, *, name: str, lost: list[str]) -> Vec3:
    """Return a material colour clamped to [0, 1]; lost records a colour outside."""
    near = [min(max(value, 0.0), 1.0) for value in (red, green, blue)]
    if near != [red, green, blue]:
        lost.append(
            f"the colour {red:g} {green:g} {blue:g} of material {name!r}, which is beyond 0 and 1{MENDED} the nearest"
        )
    return near[0], near[1], near[2]


def as_number(text: str | None) -> float | None:
    """Parse a number; None where the text is not a finite number, or has underscores as only Python reads them."""
    try:
        value = float(text) if text and "_" not in text else None
    except ValueError:
        return None
    return value if value is not None and math.isfinite(value) else None


def surrounding(ambient: Vec3 | None, colour: Vec3) -> Vec3 | None:
    """Return the ambient colour of a file if it is meaningful: black and white are exporter defaults, and by default a
    surface reflects ambient light by its own colour."""
    return None if ambient in (None, (0.0, 0.0, 0.0), (1.0, 1.0, 1.0), colour) else ambient


def opaque(alpha: float, name: str, lost: list[str]) -> float:
    """Return alpha clamped to [0, 1]; full transparency, an exporter's mistake, becomes opaque, as lost records."""
    if alpha <= 0:
        lost.append(f"material {name!r} is entirely transparent, which exporters write by mistake{MENDED} opaque")
        return 1.0
    return share(alpha, "opacity", name, lost)


def share(value: float, what: str, name: str, lost: list[str]) -> float:
    """Return a factor of a material clamped to [0, 1]; lost records one outside by more than rounding."""
    near = min(max(value, 0.0), 1.0)
    if abs(near - value) > _ROUNDING:
        lost.append(f"{what} {value:g} of material {name!r}, which is beyond 0 and 1{MENDED} the nearest")
    return near


def side_files(base: Path, above: int = ABOVE) -> Finder:
    """Return a finder for files that a mesh in folder base names: within its package, or up to `above` levels up."""
    known: dict[str, Path | None] = {}

    def find(name: str) -> Path | None:
        if name not in known:
            roots = _reach(base, above)
            found = next((path for path in _places(base, name) if _allowed(path, roots)), None)
            known[name] = None if found is None else Path(os.path.normpath(found))
            if _seen is not None:
                _seen.append(Sight(base, name, known[name]))
        return known[name]

    return find


def side_content(base: Path, name: str, file: Path) -> bytes:
    """Return the bytes of a file that was found for a name. Raises OSError."""
    data = file.read_bytes()
    if _seen is not None:
        from hashlib import sha256

        _seen.append(Sight(base, name, file, sha256(data).hexdigest()))
    return data


@lru_cache(maxsize=64)
def _reach(base: Path, levels: int) -> tuple[str, ...]:
    """Return the folders, with links resolved, that contain all files a mesh in base may reference."""
    above = ancestors(base)
    package = next((folder for folder in above if package_name(folder) is not None), None)
    known = (package or above[: levels + 1][-1], *workspace(base))
    return tuple(os.path.join(os.path.realpath(each), "") for each in known)


def _places(base: Path, name: str) -> Iterator[Path]:
    """Yield the paths where a file of this name may be, likeliest first."""
    foreign = _FOREIGN.match(name) is not None
    parts = tuple(part for part in name.replace("\\", "/").split("/") if part not in ("", "."))
    if not parts or "\0" in name:
        return
    if not foreign:
        yield base.joinpath(*parts)
        if ".." not in parts:
            yield from any_case(base, parts)
    yield from (base / folder / parts[-1] for folder in _BESIDE)


def _allowed(path: Path, roots: tuple[str, ...]) -> bool:
    try:
        info = os.stat(path)
    except OSError:
        return False
    if not stat.S_ISREG(info.st_mode) or info.st_size > SIZE_LIMIT:
        return False
    return os.path.realpath(path).startswith(roots)
