"""Mesh files as text, and the triangles in them."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np

from converters.assets.meshes.files import MeshFile
from tests.files import saved

TETRAHEDRON = np.array([[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]], dtype=float)


def corners_of(content: MeshFile) -> np.ndarray:
    """Return all triangles (m, 3, 3), sorted, each starting at its smallest corner."""
    triangles = np.concatenate([part.vertices[part.faces] for part in content.parts])
    turned = [np.roll(triangle, -min(range(3), key=lambda i: tuple(triangle[i])), axis=0) for triangle in triangles]
    return np.array(sorted(turned, key=lambda triangle: triangle.ravel().tolist()))


def same_triangles(content: MeshFile, expected: np.ndarray) -> bool:
    given = MeshFile(parts=content.parts)
    turned = [np.roll(triangle, -min(range(3), key=lambda i: tuple(triangle[i])), axis=0) for triangle in expected]
    wanted = np.array(sorted(turned, key=lambda triangle: triangle.ravel().tolist()))
    return corners_of(given).shape == wanted.shape and bool(np.allclose(corners_of(given), wanted, atol=1e-12))


def write(path: Path, content: str | bytes = "mesh") -> Path:
    """Write the file, creating its folders."""
    return saved(path, content)


def stl(corners: np.ndarray, head: bytes = b"", tail: bytes = b"") -> bytes:
    """Return a binary STL of corners (m, 3, 3)."""
    table = np.zeros(len(corners), dtype=[("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
    table["corners"] = corners
    return head.ljust(80, b"\0") + struct.pack("<I", len(corners)) + table.tobytes() + tail


SOURCE = (
    '<source id="{0}"><float_array id="{0}-a" count="{1}">{2}</float_array>'
    '<technique_common><accessor source="#{0}-a" count="{3}" stride="{4}">{5}</accessor></technique_common></source>'
)


def source(name: str, numbers: str, parameters: str) -> str:
    """Return a float source whose accessor has these one-letter parameters."""
    width, count = len(parameters), len(numbers.split())
    listed = "".join(f'<param name="{letter}" type="float"/>' for letter in parameters)
    return SOURCE.format(name, count, numbers, count // width, width, listed)


def dae(
    scene: str,
    unit: str = '<unit name="inch" meter="0.0254"/>',
    libraries: str = "",
    up: str = "Z_UP",
    primitives: str = '<triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles>',
) -> str:
    positions = source("pos", "0 0 0 1 0 0 0 2 0 0 0 3", "XYZ")
    normals = source("nor", "0 0 1 1 0 0", "XYZ")
    uvs = source("uv", "0 0 1 0 0 1", "ST")
    return f"""<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset>{unit}<up_axis>{up}</up_axis></asset>{libraries}
<library_geometries><geometry id="g" name="shape"><mesh>{positions}{normals}{uvs}
<vertices id="v"><input semantic="POSITION" source="#pos"/></vertices>
{primitives}</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s">{scene}</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>"""


INSTANCE = '<instance_geometry url="#g"/>'
