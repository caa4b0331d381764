"""A mesh part as OBJ text: one object, triangles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from converters.assets.parts import MeshPart

if TYPE_CHECKING:
    from converters.assets.parts import Floats, Ints

DIGITS = 9
"""Significant digits: enough for any single-precision number, which is what MuJoCo makes of OBJ text."""

NORMAL_DIGITS = 7

_BLOCK = 1 << 18


def obj_text(part: MeshPart, vertices_at_least: int = 0) -> bytes:
    """vertices_at_least repeats the last vertex, which no face uses, until there are so many: nothing seen changes."""
    import numpy as np

    vertices = part.vertices
    short = vertices_at_least - len(vertices)
    if short > 0:
        vertices = np.concatenate([vertices, np.repeat(vertices[-1:], short, axis=0)])
    text = [_rows("v", vertices, DIGITS)]
    tables = [part.faces]
    corner = "%d"
    if part.uvs is not None and part.uv_faces is not None:
        text.append(_rows("vt", part.uvs, DIGITS))
        tables.append(part.uv_faces)
        corner = "%d/%d"
    if part.normals is not None and part.normal_faces is not None:
        text.append(_rows("vn", part.normals, NORMAL_DIGITS))
        tables.append(part.normal_faces)
        corner += "/%d" if len(tables) == 3 else "//%d"
    return b"".join([*text, _faces(tables, corner)])


def _rows(word: str, table: Floats, digits: int) -> bytes:
    line = word + f" %.{digits}g" * table.shape[1] + "\n"
    rows = [
        (line * len(block)) % tuple((block + 0.0).ravel().tolist())
        for block in (table[start : start + _BLOCK] for start in range(0, len(table), _BLOCK))
    ]
    return "".join(rows).encode()


def _faces(tables: list[Ints], corner: str) -> bytes:
    """Lines `f a/b/c a/b/c a/b/c`, numbers from one."""
    import numpy as np

    line = "f" + f" {corner}" * 3 + "\n"
    numbers = np.stack(tables, axis=2) + 1
    blocks = (numbers[start : start + _BLOCK] for start in range(0, len(numbers), _BLOCK))
    rows: list[str] = [(line * len(block)) % tuple(block.ravel().tolist()) for block in blocks]
    return "".join(rows).encode()
