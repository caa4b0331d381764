"""Mesh files with missing, excess or unusual content, and what is reported about it."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

from converters.assets.meshes.files import load
from converters.context import InputError
from tests.converters.meshes import TETRAHEDRON, write
from tests.converters.test_assets_ply_off import PLY, binary

SQUARE = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"
FACET = "facet normal 0 0 1\nouter loop\n{}endloop\nendfacet\n"


def msh(counts: tuple[int, int, int, int], faces: list[int]) -> bytes:
    vertices, normals, texcoords, _ = counts
    tables = np.concatenate([TETRAHEDRON[:vertices].ravel(), np.zeros(3 * normals + 2 * texcoords)])
    return struct.pack("<4i", *counts) + tables.astype("<f4").tobytes() + np.array(faces, "<i4").tobytes()


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_of_every_kind_part_the_lines_of_an_obj(tmp_path: Path, end: str) -> None:
    text = f"{SQUARE}f 1 2 3 4\nf 1 2 # two\n".replace("\n", end)
    content = load(write(tmp_path / "a.obj", text))
    assert content.parts[0].faces.tolist() == [[0, 1, 2], [0, 2, 3]]
    assert content.lost == ("1 faces with fewer than three corners",)


def test_a_colour_of_an_obj_that_is_no_number_is_white_there(tmp_path: Path) -> None:
    text = SQUARE.replace("v 0 0 0\n", "v 0 0 0 1 0 blue\n")
    (part,) = load(write(tmp_path / "a.obj", f"{text}f 1 2 3\n")).parts
    assert part.colours is not None and part.colour_faces is not None
    assert part.colours[part.colour_faces][0].tolist() == [[1, 0, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1]]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.obj", f"{SQUARE}f 1 2 3 \x0b 1_0\n", "this OBJ cannot be read"),
        ("a.obj", f"{SQUARE}f 1/1 2/1 1_0/1\n", "this OBJ cannot be read"),
        ("a.stl", "solid a\n" + FACET.format("vertex 0 0 0\nvertex 1 0 0\n") + "endsolid\n", "a facet without three"),
        ("a.ply", PLY.format(0, "").replace("format ascii 1.0\n", ""), "does not say its format"),
        ("a.ply", PLY.format(0, "").replace("property float z\n", ""), "no vertices with x, y and z"),
        ("a.msh", msh((3, 0, 0, 1), [0, 1]), "not an MSH file, or a truncated one"),
        ("a.msh", msh((3, 0, 0, 1), [0, 1, 3]), "a face names a vertex that is not there"),
        ("a.msh", msh((3, 0, 0, 1), [0, 1, 2]).replace(struct.pack("<f", 1), struct.pack("<f", np.nan)), "not finite"),
    ],
)
def test_what_is_wrong_with_a_mesh_file_is_said(name: str, content: str | bytes, words: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=words) as caught:
        load(write(tmp_path / name, content))
    assert str(tmp_path / name) in str(caught.value)


def test_a_list_that_is_cut_off_before_its_length_is_said(tmp_path: Path) -> None:
    whole = binary("<", "float", "uchar", "int")
    at = whole.index(b"end_header\n") + len(b"end_header\n") + 5 * 12 + 2
    with pytest.raises(InputError, match=r"a\.ply"):
        load(write(tmp_path / "a.ply", whole[:at]))


def test_colours_of_faces_beside_those_of_vertices_are_told(tmp_path: Path) -> None:
    dyed = "property uchar red\nproperty uchar green\nproperty uchar blue\n"
    text = PLY.format(1, dyed).replace("property float z\n", f"property float z\n{dyed}")
    for corner in ("0 0 0", "1 0 0", "0 1 0", "0 0 1"):
        text = text.replace(f"\n{corner}\n", f"\n{corner} 255 0 0\n", 1)
    content = load(write(tmp_path / "a.ply", f"{text}3 0 1 2 0 0 255\n"))
    assert content.unlit == ("colours of faces beside those of vertices",)
    assert content.parts[0].material is not None
    assert content.parts[0].material.rgba == (1, 0, 0, 1)
