"""Files of meshes and images in an output that are not what the files of the scene are for which they stand."""

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
from converters.context import InputError, Sample
from ir.arrays import Array, np
from ir.diff import Difference
from ir.scene import Scene
from ir.types import Asset, Geom, HeightField, Mesh, Role

Content = bytes | Path
FIELD = "beside.content"
WIDE = 1 << 11
"""Bytes in which so many lines (END) of an OBJ are."""
FACES = (b"f ", b"us")
BLOCKS = ((b"vt", b"vn", *FACES), (b"vn", *FACES), FACES)
"""How lines begin that stand behind the vertices, the texture coordinates and the normals."""
_PAINTED = re.compile(rb"^us.*\n", re.MULTILINE)
HEIGHTS = ("hfield", "heightmap")
"""Kinds of assets whose images are numbers."""
TURNED = 1e-5
"""Of the length of a normal, which has fewer digits there."""


def wrong_files(back: ReadBack) -> Iterator[Difference]:
    """Where a file that a mesh names has triangles that the one of what was written does not have, or the copy of a
    file is one of another."""
    for (name, uri), use in _addresses(back).items():
        asset, content = back.fitted.assets[name], back.files.content(uri)
        if asset.file is None or (content is None and uri):
            continue
        found = _unlike(asset, uri, content, back.samples(asset), use) if content is not None else "no file"
        if found:
            path, before = ("asset", name, "content"), asset.uri or asset.name
            yield Difference(path, FIELD, "different", before, f"{uri}: {found}", asset.source)


class _Use(NamedTuple):
    """How an address is used. seen: by what is seen; part: which of so many parts of a mesh lies there."""

    seen: bool
    part: tuple[int, int]


def _addresses(back: ReadBack) -> dict[tuple[str, str], _Use]:
    """Assets of meshes, and of images, with each address that geoms or materials have for them in an output."""
    found: dict[tuple[str, str], _Use] = {}
    for geom in back.fitted.geoms():
        own = _named(geom, back.fitted)
        parts = back.parts(geom.name) if own is not None else []
        shown = [part.name for part in parts if part.role in Role.SEEN]
        for part in parts:
            asset = _named(part, back.again)
            if own is None or asset is None or asset.kind != own.kind or asset.made:
                continue
            place, seen = (own.name, asset.uri), part.role in Role.SEEN
            number = (shown.index(part.name), len(shown)) if seen else (0, 1)
            if seen or place not in found:  # of what is seen as well, more is known
                found[place] = _Use(seen, number)
    for own, asset in _images(back):
        found.setdefault((own.name, asset.uri), _Use(False, (0, 1)))
    return found


def _images(back: ReadBack) -> Iterator[tuple[Asset, Asset]]:
    """Images that are called the same in an output, but those that share the name of their file with others."""
    assets = back.fitted.assets.values()
    images = [asset for asset in assets if asset.kind == "texture" and asset.file is not None]
    stems = Counter(Path(str(asset.file)).stem for asset in images)
    groups = back.folds.get("asset", {})
    for own in images:
        for name in groups.get(own.name, [own.name]):
            asset = back.again.assets.get(name)
            if asset is not None and asset.kind == own.kind and stems[Path(str(own.file)).stem] == 1:
                yield own, asset


def _named(geom: Geom, scene: Scene) -> Asset | None:
    """The mesh of a geom, or the image on any other shape: a mesh may have images of its own."""
    look = scene.look_of(geom)
    shaped = isinstance(geom.shape, (Mesh, HeightField))
    return scene.mesh_of(geom.shape) if shaped or look is None else scene.image_of(look)


def _unlike(asset: Asset, uri: str, content: Content, samples: Sequence[Sample] | None, use: _Use) -> str:
    """What is in a file in the stead of what the file of an asset (samples) has; "" for nothing."""
    own = Path(str(asset.file))
    if isinstance(content, Path):
        if part_of(asset) or _equal(content, own):
            return ""
        # what was made of it may be what another file holds already
        same = samples and content.suffix.lower() == ".obj" and not _unlike_mesh(content.read_bytes(), samples, use)
        return "" if same else f"the bytes of {content.name}"
    if asset.kind != "mesh":
        return "" if asset.kind in HEIGHTS or _same_image(asset, content) else "another image"
    if not uri.lower().endswith(".obj"):
        return "" if part_of(asset) or content == own.read_bytes() else "other bytes"
    found = "other bytes" if samples is None else _unlike_mesh(content, samples, use)
    if not found or part_of(asset) or own.suffix.lower() != ".obj":
        return found if samples is not None else ""
    return "" if content.endswith(without_looks(own)) or content == own.read_bytes() else found


def _same_image(asset: Asset, content: bytes) -> bool:
    """Whether the bytes of an image show what an asset does, as far as anybody can tell."""
    try:
        return pictures.same(content, pictures.content(picture(asset)))
    except (InputError, OSError):
        return not pictures.readable(picture(asset))


def _equal(one: Path, other: Path) -> bool:
    return os.path.abspath(one) == os.path.abspath(other) or one.read_bytes() == other.read_bytes()


def _unlike_mesh(text: bytes, samples: Sequence[Sample], use: _Use) -> str:
    """What the text of an OBJ of ours has that is neither all of a mesh nor a part of it; "" for nothing."""
    start = 0 if text.startswith(b"v ") else text.find(b"\nv ") + 1
    inside = range(start, len(text))
    stop, turns, faces = (
        start + bisect_left(inside, True, key=partial(_line_begins_with, text, words)) for words in BLOCKS
    )
    painted = text.startswith(b"us", faces)
    if painted:  # materials stand between the faces, and parts with texture coordinates beside others without
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
    """Whether the line at a place in an OBJ of ours begins with one of these. Lines of one kind follow one another."""
    start = text.rfind(b"\n", 0, at) + 1
    return text[start : start + 2] in words


def _has_tables_of(text: bytes, ends: tuple[int, int, int, int], seen: bool, samples: Sequence[Sample]) -> bool:
    """Whether the vertices in an OBJ of ours are those of several parts of a mesh, and its other tables begin as those
    of the first of these, and end as those of the last (ends: where vertices, texture coordinates, normals and faces
    begin). What is not seen needs no more than vertices and faces."""
    start, uvs, normals, faces = ends
    if not _has_vertices_and_faces_of(text, (start, uvs, faces), samples):
        return False
    try:
        return (uvs == faces and not seen) or (
            _has_rows_of(text, (uvs, normals), [each.uv_rows for each in samples], 2)
            and _has_rows_of(text, (normals, faces), [each.normal_rows for each in samples], 3)
        )
    except (ValueError, IndexError):
        return False


def _has_vertices_and_faces_of(text: bytes, ends: tuple[int, int, int], samples: Sequence[Sample]) -> bool:
    """As _holds, of vertices and faces alone (ends: where vertices begin and end, and where faces begin)."""
    start, stop, faces = ends
    first, last, before = samples[0], samples[-1], sum(each.vertices for each in samples[:-1])
    padded = last.vertices < LEAST_VERTICES and len(samples) == 1
    counts = {before + last.vertices, LEAST_VERTICES if padded else 0}
    try:
        points = numbers(text[start:stop].translate(None, b"v\n")).reshape(-1, 3)
        return (
            len(points) in counts
            and _has_vertices_of(points, samples)
            and same(_head(text, faces, len(first.face_rows)) - 1, first.face_rows[:END], 0.0)
            and same(_tail(text, len(text), len(last.face_rows)) - 1, last.face_rows[-END:] + before, 0.0)
        )
    except (ValueError, IndexError):
        return False


def _has_vertices_of(points: Array, samples: Sequence[Sample]) -> bool:
    """Whether points (n, 3) are the vertices of parts of a mesh, in order."""
    at = 0
    for each in samples:
        found, at = sums(points[at : at + each.vertices]), at + each.vertices
        near = TOGETHER * NEAR * float(np.abs(points).max(initial=0.0))
        if found.shape != each.vertex_sums.shape or (np.abs(found - each.vertex_sums) > near).any():
            return False
    return True


def _has_rows_of(text: bytes, ends: tuple[int, int], tables: Sequence[Array | None], width: int) -> bool:
    """Whether rows between two places are those of tables, of which there are none if one part has none."""
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
    """The first three numbers of each line, without what stands behind slashes."""
    return np.array([[float(word.partition(b"/")[0]) for word in line.split()[1:4]] for line in lines])
