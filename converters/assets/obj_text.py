"""A mesh part as OBJ text: one object, triangles, numbers in the shortest form that reads back to the same double."""

from __future__ import annotations

from typing import TYPE_CHECKING

from converters.assets.parts import MeshPart

if TYPE_CHECKING:
    from converters.assets.parts import Floats


def obj_text(part: MeshPart, vertices_at_least: int = 0) -> bytes:
    """vertices_at_least repeats the last vertex, which no face uses, until there are so many: nothing to be seen changes."""
    import numpy as np

    vertices = part.vertices
    short = vertices_at_least - len(vertices)
    if short > 0:
        vertices = np.concatenate([vertices, np.repeat(vertices[-1:], short, axis=0)])
    text = [_rows("v", vertices)]
    tables = [part.faces]
    slots = ["%d"]
    if part.uvs is not None and part.uv_faces is not None:
        text.append(_rows("vt", part.uvs))
        tables.append(part.uv_faces)
        slots.append("/%d")
    if part.normals is not None and part.normal_faces is not None:
        text.append(_rows("vn", part.normals))
        tables.append(part.normal_faces)
        slots.append("/%d" if len(tables) == 3 else "//%d")
    corners = np.stack(tables, axis=2).reshape(-1) + 1
    line = "f" + (" " + "".join(slots)) * 3 + "\n"
    text.append((line * len(part.faces)) % tuple(corners.tolist()))
    return "".join(text).encode()


def _rows(word: str, table: Floats) -> str:
    line = word + " %r" * table.shape[1] + "\n"
    return (line * len(table)) % tuple((table + 0.0).ravel().tolist())
