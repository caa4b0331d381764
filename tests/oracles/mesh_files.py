"""Triangles, extent and colours of STL, OBJ and DAE files, counted without the product (and without trimesh)."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np

from tests.oracles.collada_file import Collada
from tests.oracles.mesh_file import Colour, MeshFile


@lru_cache(maxsize=256)
def read(path: Path) -> MeshFile:
    """Return the content of a mesh file; a MeshFile with a problem if it cannot be read."""
    readers = {".stl": _stl, ".obj": _obj, ".dae": _dae}
    reader = readers.get(path.suffix.lower())
    if reader is None:
        return MeshFile(problem=f"{path.suffix} files are not counted")
    try:
        return reader(path)
    except Exception as error:
        return MeshFile(problem=f"{path.name}: {type(error).__name__}: {error}")


def _stl(path: Path) -> MeshFile:
    data = path.read_bytes()
    count = int.from_bytes(data[80:84], "little") if len(data) >= 84 else -1
    if len(data) >= 84 + 50 * count >= 84 and (not data.startswith(b"solid") or len(data) == 84 + 50 * count):
        record = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
        corners = np.frombuffer(data, record, count, 84)["corners"].reshape(-1, 3).astype(float)
        return MeshFile(triangles=count, points=corners)
    tokens = data.split()
    places = [index for index, token in enumerate(tokens) if token.lower() == b"vertex"]
    corners = np.array([[float(value) for value in tokens[index + 1 : index + 4]] for index in places]).reshape(-1, 3)
    return MeshFile(triangles=len(places) // 3, points=corners)


def _obj(path: Path) -> MeshFile:
    points: list[list[float]] = []
    used: set[int] = set()
    triangles = 0
    library: dict[str, tuple[Colour | None, bool]] = {}
    materials: dict[str, None] = {}
    material = ""
    text = path.read_text(encoding="utf-8", errors="replace").replace("\\\n", " ")
    for line in text.splitlines():
        words = line.split()
        if not words:
            continue
        if words[0] == "v":
            points.append([float(value) for value in words[1:4]])
        elif words[0] == "f":
            corners = [int(word.partition("/")[0]) for word in words[1:]]
            used.update(index - 1 if index > 0 else len(points) + index for index in corners)
            triangles += max(0, len(corners) - 2)
            materials[material] = None
        elif words[0] == "usemtl":
            material = line.partition("usemtl")[2].strip()
        elif words[0] == "mtllib":
            library |= _mtl(path.parent / line.partition("mtllib")[2].strip())
    looks = [library[name] for name in materials if name in library]
    return MeshFile(
        triangles=triangles,
        points=np.array(points)[sorted(used)] if used else np.zeros((0, 3)),
        colours=tuple(dict.fromkeys(colour for colour, textured in looks if colour is not None and not textured)),
        textured=any(textured for _, textured in looks),
    )


def _mtl(path: Path) -> dict[str, tuple[Colour | None, bool]]:
    found: dict[str, tuple[Colour | None, bool]] = {}
    name = None
    if not path.is_file():
        return found
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        words = line.split()
        if not words:
            continue
        if words[0] == "newmtl":
            name = line.strip()[len("newmtl") :].strip()
            found[name] = (None, False)
        elif name is not None and words[0] == "Kd":
            try:
                found[name] = (tuple(float(value) for value in words[1:4]), found[name][1])
            except ValueError:
                continue
        elif name is not None and words[0] == "map_Kd" and (path.parent / words[-1]).is_file():
            found[name] = (found[name][0], True)
    return found


def _dae(path: Path) -> MeshFile:
    return Collada(path).read()
