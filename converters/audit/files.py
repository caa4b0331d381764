"""Mesh and image files of an output, compared by content with the files of the scene."""

from __future__ import annotations

import os
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from converters.assets import pictures
from converters.assets.inside import part_of, picture
from converters.assets.meshes.numerals import numbers
from converters.assets.meshes.sampled import END, NEAR, TOGETHER, same, sums
from converters.assets.pack import LEAST_VERTICES
from converters.assets.shown import without_looks
from converters.audit.readback import ReadBack
from converters.context import InputError, Sample, SampledTables
from ir.arrays import Array, np
from ir.diff import Difference
from ir.scene import Scene
from ir.shapes import HEIGHT_KINDS
from ir.types import Asset, Geom, HeightField, Mesh

Content = bytes | Path
FIELD = "beside.content"
WIDE = 1 << 11
"""Bytes that hold END lines of an OBJ."""
FACES = (b"f ", b"us")
BLOCKS = ((b"vt", b"vn", *FACES), (b"vn", *FACES), FACES)
"""How lines begin that follow the vertices, the texture coordinates and the normals."""
_PAINTED = re.compile(rb"^us.*\n", re.MULTILINE)
TURNED = 1e-5
"""Tolerance of the components of normals, which are written with fewer digits."""


def wrong_files(back: ReadBack) -> Iterator[Difference]:
    """Assets at whose address in the output lies a file with other triangles than their own mesh has, or a copy of
    another file."""
    for (name, uri), use in _addresses(back).items():
        asset, content = back.fitted.assets[name], back.files.content(uri)
        if asset.file is None or (content is None and uri):
            continue
        found = _content_fault(asset, uri, content, back.samples(asset), use) if content is not None else "no file"
        if found:
            path, before = ("asset", name, "content"), asset.uri or asset.name
            yield Difference(path, FIELD, "different", before, f"{uri}: {found}", asset.source)


class _Use(NamedTuple):
    """How the file at an address is used. seen: by a visible geom; part: (index, count) if it is one of several parts
    of a mesh."""

    seen: bool
    part: tuple[int, int]


def _addresses(back: ReadBack) -> dict[tuple[str, str], _Use]:
    """(asset of the scene, address in the output that stands for it) -> how it is used."""
    found: dict[tuple[str, str], _Use] = {}
    for geom in back.fitted.geoms():
        own = _asset_of_geom(geom, back.fitted)
        parts = back.parts(geom.name) if own is not None else []
        shown = [part.name for part in parts if part.seen]
        for part in parts:
            asset = _asset_of_geom(part, back.again)
            if own is None or asset is None or asset.kind != own.kind or asset.made:
                continue
            place, seen = (own.name, asset.uri), part.seen
            number = (shown.index(part.name), len(shown)) if seen else (0, 1)
            if seen or place not in found:  # a visual part takes precedence: its number is known
                found[place] = _Use(seen, number)
    for own, asset in _same_named_images(back):
        found.setdefault((own.name, asset.uri), _Use(False, (0, 1)))
    return found


def _same_named_images(back: ReadBack) -> Iterator[tuple[Asset, Asset]]:
    """Images that have the same name in the output, except those whose file name is not unique."""
    assets = back.fitted.assets.values()
    images = [asset for asset in assets if asset.kind == "texture" and asset.file is not None]
    stems = Counter(Path(str(asset.file)).stem for asset in images)
    groups = back.folds.get("asset", {})
    for own in images:
        for name in groups.get(own.name, [own.name]):
            asset = back.again.assets.get(name)
            if asset is not None and asset.kind == own.kind and stems[Path(str(own.file)).stem] == 1:
                yield own, asset


def _asset_of_geom(geom: Geom, scene: Scene) -> Asset | None:
    """The mesh asset of a geom, or the image of its material if it has another shape."""
    look = scene.look_of(geom)
    shaped = isinstance(geom.shape, (Mesh, HeightField))
    return scene.mesh_of(geom.shape) if shaped or look is None else scene.image_of(look)


def _content_fault(asset: Asset, uri: str, content: Content, samples: Sequence[Sample] | None, use: _Use) -> str:
    """How the content of a file differs from that of the file of an asset (samples: of a mesh); "" if it does not."""
    own = Path(str(asset.file))
    if isinstance(content, Path):
        if part_of(asset) or _same_file(content, own):
            return ""
        # content made from it may already exist as another file of the output
        same = samples and content.suffix.lower() == ".obj" and not _unlike_mesh(content.read_bytes(), samples, use)
        return "" if same else f"the bytes of {content.name}"
    if asset.kind != "mesh":
        return "" if asset.kind in HEIGHT_KINDS or _same_image(asset, content) else "another image"
    if not uri.lower().endswith(".obj"):
        return "" if part_of(asset) or content == own.read_bytes() else "other bytes"
    found = "other bytes" if samples is None else _unlike_mesh(content, samples, use)
    if not found or part_of(asset) or own.suffix.lower() != ".obj":
        return found if samples is not None else ""
    return "" if content.endswith(without_looks(own)) or content == own.read_bytes() else found


def _same_image(asset: Asset, content: bytes) -> bool:
    """Whether image bytes show the same as the image of an asset; of bytes that cannot be decoded, whether that image
    cannot be decoded either."""
    try:
        return pictures.same(content, pictures.content(picture(asset)))
    except (InputError, OSError):
        return not pictures.readable(picture(asset))


def _same_file(one: Path, other: Path) -> bool:
    return os.path.abspath(one) == os.path.abspath(other) or one.read_bytes() == other.read_bytes()


def _unlike_mesh(text: bytes, samples: Sequence[Sample], use: _Use) -> str:
    """How an OBJ that was written here differs from a whole mesh, and from the part of it that was wanted; "" if it
    does not."""
    start = 0 if text.startswith(b"v ") else text.find(b"\nv ") + 1
    inside = range(start, len(text))
    stop, turns, faces = (
        start + bisect_left(inside, True, key=partial(_line_begins_with, text, words)) for words in BLOCKS
    )
    painted = text.startswith(b"us", faces)
    if painted:  # usemtl lines stand between the faces, and only some faces may have texture coordinates
        text = text[:faces] + _PAINTED.sub(b"", text[faces:])
    triangles, total = text.count(b"\nf ", faces - 1), sum(each.triangles for each in samples)
    shaped = partial(_has_vertices_and_faces_of, text, (start, stop, faces))
    holds = shaped if painted else partial(_has_tables_of, text, (start, stop, turns, faces), use.seen)
    if triangles == total and holds(samples):
        return ""
    number, parts = use.part
    some = samples[number : number + 1] if 1 < parts == len(samples) else samples
    if any(triangles == each.triangles and holds([each]) for each in some):
        return ""
    return f"{triangles} triangles, which are not the {total} of the mesh"


def _line_begins_with(text: bytes, words: Container[bytes], at: int) -> bool:
    """Whether the line at this offset of an OBJ begins with one of these words. Lines of one kind are adjacent, so it
    can be searched by bisection."""
    start = text.rfind(b"\n", 0, at) + 1
    return text[start : start + 2] in words


def _has_tables_of(text: bytes, ends: tuple[int, int, int, int], seen: bool, samples: Sequence[Sample]) -> bool:
    """Whether an OBJ that was written here has all vertices of these parts of a mesh, and the first and last rows of
    their other tables. ends: offsets of the vertices, texture coordinates, normals and faces. A mesh that is not
    visible needs only vertices and faces."""
    start, uvs, normals, faces = ends
    if not _has_vertices_and_faces_of(text, (start, uvs, faces), samples):
        return False
    try:
        tables = [*map(_tables, samples)]
        return (uvs == faces and not seen) or (
            _has_rows_of(text, (uvs, normals), [each.uvs for each in tables], 2)
            and _has_rows_of(text, (normals, faces), [each.normals for each in tables], 3)
        )
    except (ValueError, IndexError):
        return False


def _has_vertices_and_faces_of(text: bytes, ends: tuple[int, int, int], samples: Sequence[Sample]) -> bool:
    """As _has_tables_of, for vertices and faces alone. ends: offsets at which vertices begin and end, and at which
    faces begin."""
    start, stop, faces = ends
    before, last = sum(each.vertices for each in samples[:-1]), samples[-1].vertices
    padded = last < LEAST_VERTICES and len(samples) == 1
    counts = {before + last, LEAST_VERTICES if padded else 0}
    head, tail = _tables(samples[0]).faces, _tables(samples[-1]).faces
    try:
        points = numbers(text[start:stop].translate(None, b"v\n")).reshape(-1, 3)
        return (
            len(points) in counts
            and _has_vertices_of(points, samples)
            and same(_head(text, faces, len(head)) - 1, head[:END], 0.0)
            and same(_tail(text, len(text), len(tail)) - 1, tail[-END:] + before, 0.0)
        )
    except (ValueError, IndexError):
        return False


def _has_vertices_of(points: Array, samples: Sequence[Sample]) -> bool:
    """Whether points (n, 3) are the vertices of these parts of a mesh, in order (by sums)."""
    at = 0
    for each in samples:
        found, at = sums(points[at : at + each.vertices]), at + each.vertices
        near, wanted = TOGETHER * NEAR * float(np.abs(points).max(initial=0.0)), _tables(each).vertex_sums
        if found.shape != wanted.shape or (np.abs(found - wanted) > near).any():
            return False
    return True


def _tables(sample: Sample) -> SampledTables:
    assert sample.tables is not None, "no OBJ is expected of this format (Fits.one_file)"
    return sample.tables


def _has_rows_of(text: bytes, ends: tuple[int, int], tables: Sequence[Array | None], width: int) -> bool:
    """Whether the rows between two offsets are the first and last rows of these tables; no rows are expected if a part
    has no table."""
    first, last = tables[0], tables[-1]
    if first is None or last is None or any(table is None for table in tables):
        return ends[0] == ends[1]
    head, tail = _head(text, ends[0], len(first)), _tail(text, ends[1], len(last))
    return same(head[:, :width], first[:END, :width], TURNED) and same(tail[:, :width], last[-END:, :width], TURNED)


def _head(text: bytes, start: int, rows: int) -> Array:
    return _numbers(text[start : start + WIDE].split(b"\n", END)[: min(rows, END)])


def _tail(text: bytes, stop: int, rows: int) -> Array:
    return _numbers(text[max(stop - WIDE, 0) : stop - 1].split(b"\n")[-min(rows, END) :])


def _numbers(lines: list[bytes]) -> Array:
    """The first three numbers of each line, up to the first slash in each."""
    return np.array([[float(word.partition(b"/")[0]) for word in line.split()[1:4]] for line in lines])
