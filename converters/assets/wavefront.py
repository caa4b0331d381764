"""OBJ and its MTL: one part for each object and material, polygons cut into fans."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from converters.assets.parts import MeshFile, MeshPart, PartMaterial, check, compact, fan, opaque, side_files
from converters.context import InputError
from ir.types import Vec3

if TYPE_CHECKING:
    from converters.assets.parts import Floats, Ints

Finder = Callable[[str], Path | None]

_IGNORED = frozenset({b"s", b"mg", b"vp", b"lod", b"shadow_obj", b"trace_obj", b"c_interp", b"d_interp", b"bevel"})
_ARGUMENTS = {"-o": 3, "-s": 3, "-t": 3, "-mm": 2}
_BUMPS = frozenset({"bump", "map_bump", "norm", "disp"})


def load(path: Path, data: bytes) -> MeshFile:
    """Raises InputError for numbers that are none and for indices outside the file."""
    return survey(path, data)[0]


def survey(path: Path, data: bytes) -> tuple[MeshFile, bool]:
    """The content, and whether a simple reader gets all of it.

    That is: no continued lines, triangles and quads, every vertex used, vn and vt at every corner or at none.
    """
    lost: list[str] = []
    try:
        parts, plain = _parts(path, data, lost)
    except (ValueError, IndexError) as error:
        raise InputError(f"{path}: this OBJ cannot be read: {error}") from None
    return MeshFile(parts=check(parts, path, lost), lost=tuple(dict.fromkeys(lost))), plain


def lines_of(data: bytes) -> list[bytes]:
    """Lines with continuations joined and any line ending."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    if b"\\" in data:
        data = data.replace(b"\\\r\n", b" ").replace(b"\\\n", b" ")
    return data.splitlines()


def _parts(path: Path, data: bytes, lost: list[str]) -> tuple[list[MeshPart], bool]:
    import numpy as np

    rows: dict[bytes, list[bytes]] = {b"v": [], b"vt": [], b"vn": []}
    faces: list[list[bytes]] = []
    bases: list[tuple[int, int, int]] = []
    relative = b"-" in data and any(b"/-" in line or b" -" in line for line in data.splitlines() if line[:1] == b"f")
    key: tuple[bytes, bytes | None] = (b"", None)
    starts: list[tuple[int, tuple[bytes, bytes | None]]] = [(0, key)]
    libraries: list[str] = []
    for line in lines_of(data):
        words = line.split(None, 1)
        if len(words) < 2 or words[0][:1] == b"#":
            continue
        word, rest = words
        if word in rows:
            rows[word].append(rest)
        elif word == b"f":
            faces.append(rest.split(b"#", 1)[0].split())
            if relative:
                bases.append((len(rows[b"v"]), len(rows[b"vt"]), len(rows[b"vn"])))
        elif word in (b"o", b"g"):
            key = (rest.strip(), key[1])
            starts.append((len(faces), key))
        elif word == b"usemtl":
            key = (key[0], rest.strip())
            starts.append((len(faces), key))
        elif word == b"mtllib":
            libraries.append(rest.strip().decode("utf-8", "replace"))
        elif word not in _IGNORED:
            lost.append({b"l": "lines", b"p": "points"}.get(word, f"{word.decode('utf-8', 'replace')[:32]} statements"))
    short = sum(len(face) < 3 for face in faces)
    if short:
        lost.append(f"{short} faces with fewer than three corners")
    counts = np.array([len(face) for face in faces], dtype=np.int64)
    corners = _corners(faces, np.array(bases, dtype=np.int64) if relative else None, counts)
    triangles = fan(corners, counts)
    belongs = _belonging(starts, len(faces), np.maximum(counts - 2, 0))
    vertices, texture, normal = _table(rows[b"v"], 3), _table(rows[b"vt"], 2), _table(rows[b"vn"], 3)
    materials = _materials(libraries, path, lost) if len(starts) > 1 else {}
    parts = []
    for (group, used), number in belongs[0].items():
        chosen = triangles[belongs[1] == number]
        name = group.decode("utf-8", "replace") or path.stem
        points, renumbered = compact(vertices, chosen[:, :, 0])
        uvs, uv_faces = _optional(texture, chosen[:, :, 1])
        normals, normal_faces = _optional(normal, chosen[:, :, 2])
        label = None if used is None else used.decode("utf-8", "replace")
        if label is not None and label not in materials and libraries:
            lost.append(f"material {label!r}, which no material file defines")
        parts.append(
            MeshPart(
                name=name,
                vertices=points,
                faces=renumbered,
                uvs=uvs,
                uv_faces=uv_faces,
                normals=normals,
                normal_faces=normal_faces,
                material=None if label is None else materials.get(label),
            )
        )
    reached = sum(len(part.vertices) for part in parts)
    even = all(not len(table) or _everywhere(corners[:, column]) for table, column in ((texture, 1), (normal, 2)))
    simple = not short and b"\\" not in data and not data.startswith(b"\xef\xbb\xbf") and reached == len(vertices)
    return parts, simple and even and bool((counts <= 4).all())


def _everywhere(column: Ints) -> bool:
    return bool(len(column)) and int(column.min()) >= 0


def _table(rows: list[bytes], width: int) -> Floats:
    """Numbers of the lines of one kind; colours after coordinates are left out, missing ones are zero."""
    import numpy as np

    split = [row.split(None, width)[:width] for row in rows]
    if all(len(row) == width for row in split):
        return np.array([float(text) for row in split for text in row], dtype=np.float64).reshape(-1, width)
    return np.array([[float(text) for text in row] + [0.0] * (width - len(row)) for row in split], dtype=np.float64)


def _corners(faces: list[list[bytes]], bases: Ints | None, counts: Ints) -> Ints:
    """Vertex, texture and normal number of every corner (k, 3), from zero; -1 where a corner has none."""
    import numpy as np

    tokens = [token for face in faces for token in face]
    if not tokens:
        return np.zeros((0, 3), dtype=np.int64)
    slashes = tokens[0].count(b"/")
    if all(token.count(b"/") == slashes for token in tokens):
        text = b" ".join(tokens).replace(b"//", b"/0/")
        if slashes:
            text = text.replace(b"/ ", b"/0 ").replace(b"/", b" ")
        numbers = np.array([int(word) for word in text.split()], dtype=np.int64)
        if len(numbers) == len(tokens) * (slashes + 1):
            table = np.zeros((len(tokens), 3), dtype=np.int64)
            table[:, : slashes + 1] = numbers.reshape(-1, slashes + 1)[:, :3]
        else:
            table = _slowly(tokens)
    else:
        table = _slowly(tokens)
    if bases is not None:
        return np.where(table < 0, table + np.repeat(bases, counts, axis=0), table - 1)
    return table - 1


def _slowly(tokens: list[bytes]) -> Ints:
    import numpy as np

    rows = [[int(word or b"0") for word in token.split(b"/")[:3]] for token in tokens]
    return np.array([row + [0] * (3 - len(row)) for row in rows], dtype=np.int64)


def _belonging(
    starts: list[tuple[int, tuple[bytes, bytes | None]]], faces: int, triangles: Ints
) -> tuple[dict[tuple[bytes, bytes | None], int], Ints]:
    """Numbers of the (object, material) pairs in order of appearance, and the number of every triangle."""
    import numpy as np

    numbers: dict[tuple[bytes, bytes | None], int] = {}
    owner = np.zeros(faces, dtype=np.int64)
    for (first, key), (end, _) in zip(starts, [*starts[1:], (faces, None)], strict=True):
        if end > first:
            owner[first:end] = numbers.setdefault(key, len(numbers))
    return numbers, np.repeat(owner, triangles)


def _optional(table: Floats, faces: Ints) -> tuple[Floats | None, Ints | None]:
    """A table of normals or texture coordinates, or nothing unless every corner has one that is a number."""
    import numpy as np

    if not len(table) or not len(faces) or int(faces.min()) < 0:
        return None, None
    used, renumbered = compact(table, faces)
    return (used, renumbered) if np.isfinite(used).all() else (None, None)


# ------------------------------------------------------------------------------------------ materials


def _materials(libraries: list[str], path: Path, lost: list[str]) -> dict[str, PartMaterial]:
    found: dict[str, PartMaterial] = {}
    find = side_files(path.parent)
    for library in libraries:
        names = [library] if find(library) is not None else library.split()
        for name in names:
            file = find(name)
            if file is None:
                lost.append(f"material file {name!r}, which is not there")
            else:
                found = (
                    materials(file.read_bytes(), find if file.parent == path.parent else side_files(file.parent), lost)
                    | found
                )
    return found


def materials(data: bytes, find: Finder, lost: list[str]) -> dict[str, PartMaterial]:
    """Materials of an MTL file by name; textures are looked up with find."""
    found: dict[str, PartMaterial] = {}
    name: str | None = None
    fields: dict[str, str] = {}
    for line in [*lines_of(data), b"newmtl"]:
        words = line.decode("utf-8", "replace").split(None, 1)
        if not words:
            continue
        word, rest = words[0].lower(), words[1].strip() if len(words) > 1 else ""
        if word == "newmtl":
            if name is not None and name not in found:
                found[name] = _material(name, fields, find, lost)
            name, fields = rest, {}
        elif not word.startswith("#"):
            fields[word] = rest
    return found


def _material(name: str, fields: dict[str, str], find: Finder, lost: list[str]) -> PartMaterial:
    colour = _colour(fields.get("kd")) or (0.8, 0.8, 0.8)
    alpha = _number(fields.get("d", "").removeprefix("-halo"))
    if alpha is None:
        clear = _number(fields.get("tr"))
        alpha = 1.0 if clear is None else 1.0 - clear
    texture = None
    if fields.get("map_kd"):
        image = _image(fields["map_kd"], name, lost)
        texture = find(image) if image else None
        if texture is None:
            lost.append(f"texture {image!r} of material {name!r}, which is not there")
        elif colour == (0.0, 0.0, 0.0):
            colour = (1.0, 1.0, 1.0)
    lost += [
        f"{word} of material {name!r}"
        for word in fields
        if word in _BUMPS or (word.startswith("map_") and word != "map_kd")
    ]
    return PartMaterial(
        name=name,
        rgba=(*colour, opaque(alpha, name, lost)),
        texture=texture,
        emissive=_colour(fields.get("ke")),
        specular=_colour(fields.get("ks")),
        shininess=_number(fields.get("ns")),
    )


def _number(text: str | None) -> float | None:
    try:
        return float(text) if text else None
    except ValueError:
        return None


def _colour(text: str | None) -> Vec3 | None:
    """Three numbers in [0, 1]; one number stands for all three; spectral and xyz colours are not read."""
    values = [_number(word) for word in (text or "").split()[:3]]
    numbers = [min(max(value, 0.0), 1.0) for value in values if value is not None and value == value]
    if not numbers or len(numbers) != len(values):
        return None
    red, green, blue = (numbers * 3)[:3] if len(numbers) < 3 else numbers
    return red, green, blue


def _image(text: str, name: str, lost: list[str]) -> str:
    """The file name after the options of a map statement; it may hold blanks."""
    words = text.split(" ")
    while words and (words[0] == "" or words[0].startswith("-")):
        option = words.pop(0)
        if not option:
            continue
        limit = _ARGUMENTS.get(option, 1)
        taken = 0
        while words and taken < limit and len(words) > 1 and (limit == 1 or _number(words[0]) is not None):
            words.pop(0)
            taken += 1
        if option in ("-o", "-s", "-t"):
            lost.append(f"the texture's option {option} of material {name!r}")
    return " ".join(words).strip()
