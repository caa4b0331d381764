"""PLY and OFF: text and binary content, judged by trimesh, and files with false information."""

import io
import struct
from pathlib import Path

import numpy as np
import pytest
import trimesh

from converters.assets.meshes.files import load
from converters.context import InputError
from tests.files import saved

PLY = """ply
format ascii 1.0
element vertex 4
property float x
property float y
property float z
element face {}
property list uchar int vertex_indices
{}end_header
0 0 0
1 0 0
0 1 0
0 0 1
"""
OFF = "OFF\n4 {} 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n"
POINTS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0]], dtype=float)
POLYGONS = [(0, 2, 1), (0, 1, 4, 2), (1, 2, 3), (0, 1, 4, 2, 3)]
LETTERS = {"char": "b", "uchar": "B", "short": "h", "int": "i", "uint": "I", "float": "f", "double": "d"}


def binary(order: str, number: str, count: str, corner: str) -> bytes:
    """Return the polygons as a binary PLY whose faces have one property before and one after the list."""
    kind = {"<": "little", ">": "big"}[order]
    head = f"ply\nformat binary_{kind}_endian 1.0\ncomment of {number}\nelement vertex {len(POINTS)}\n"
    head += "".join(f"property {number} {axis}\n" for axis in "xyz")
    head += f"element face {len(POLYGONS)}\nproperty short flag\nproperty list {count} {corner} vertex_index\n"
    body = struct.pack(f"{order}{POINTS.size}{LETTERS[number]}", *POINTS.ravel())
    for polygon in POLYGONS:
        kinds = f"{order}h{LETTERS[count]}{len(polygon)}{LETTERS[corner]}B"
        body += struct.pack(kinds, 7, len(polygon), *polygon, 9)
    return f"{head}property uchar rank\nend_header\n".encode() + body


@pytest.mark.parametrize("order", "<>")
@pytest.mark.parametrize(("number", "count", "corner"), [("float", "uchar", "int"), ("double", "int", "uint")])
def test_a_binary_ply_of_polygons_of_any_kind(tmp_path: Path, order: str, number: str, count: str, corner: str) -> None:
    content = load(saved(tmp_path / "a.ply", binary(order, number, count, corner)))
    fans = [(polygon[0], *polygon[n : n + 2]) for polygon in POLYGONS for n in range(1, len(polygon) - 1)]
    assert np.array_equal(content.parts[0].vertices, POINTS)
    assert content.parts[0].faces.tolist() == [[*each] for each in fans]
    assert content.lost == ()


@pytest.mark.parametrize("kind", ["ply", "off"])
@pytest.mark.parametrize("shape", [trimesh.creation.icosphere(), trimesh.creation.box()])
def test_as_trimesh_reads_it(tmp_path: Path, kind: str, shape: trimesh.Trimesh) -> None:
    for encoding in ("ascii", "binary") if kind == "ply" else ("ascii",):
        more = {"encoding": encoding} if kind == "ply" else {}
        data = shape.export(file_type=kind, **more)
        path = saved(tmp_path / f"{encoding}.{kind}", data)
        judged = trimesh.load_mesh(io.BytesIO(path.read_bytes()), file_type=kind, process=False)
        (part,) = load(path).parts
        assert np.array_equal(part.faces, judged.faces)
        assert part.vertices == pytest.approx(judged.vertices, rel=1e-7, abs=1e-9)


def test_texture_coordinates_of_the_corners_of_a_ply_stay_at_their_corners(tmp_path: Path) -> None:
    text = (
        PLY.format(2, "property list uchar float texcoord\n") + "3 0 1 2 6 0 0 1 0 0 1\n4 0 1 2 3 8 1 1 2 2 3 3 4 4\n"
    )
    (part,) = load(saved(tmp_path / "a.ply", text)).parts
    assert part.faces.tolist() == [[0, 1, 2], [0, 1, 2], [0, 2, 3]]
    assert part.uvs is not None
    corners = part.uvs[part.uv_faces].tolist()
    assert corners == [[[0, 0], [1, 0], [0, 1]], [[1, 1], [2, 2], [3, 3]], [[1, 1], [3, 3], [4, 4]]]


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.ply", PLY.format(1, "") + "3 0 1\n", "a.ply:14: .*fewer numbers than it declares"),
        ("a.ply", PLY.format(1, "") + "-3 0 1 2\n", "a.ply:14: -3 is no valid count"),
        ("a.ply", PLY.format(1, "") + "3 0 1.5 2\n", "face index 1.5"),
        ("a.ply", PLY.format(1, "").replace("1 0 0", "1 o 0") + "3 0 1 2\n", "a.ply:11: 'o' is no number"),
        ("a.ply", PLY.format(1, "").replace("1 0 0", "1 0") + "3 0 1 2\n", "a.ply:11: the line ends before"),
        ("a.ply", PLY.format(1, "").replace("float z", "int128 z") + "3 0 1 2\n", "a.ply:6: .*property int128 z"),
        ("a.ply", PLY.format(1, "property list uchar float texcoord\n") + "3 0 1 -2 6 0 0 1 0 0 1\n", "index -2"),
        ("a.ply", PLY.format(1, "property float s\n") + "3 0 1 -2 0\n", "index -2"),
        ("a.ply", binary("<", "float", "uchar", "int")[:-9], "ends in row 4 of 4 of its 'face'"),
        ("a.ply", binary("<", "float", "char", "int").replace(b"\x03", b"\xfd"), "wrong numbers"),
        ("a.ply", binary("<", "float", "uchar", "int").replace(b"vertex 5", b"vertex 5000000000"), "ends in row"),
        ("a.ply", PLY.format(1, "").replace("1 0 0", "1 0,5 0") + "3 0 1 2\n", "'0,5' is no number.*0.5 is meant"),
        ("a.off", OFF.format(1) + "3 0 1\n", "a.off:7: .*fewer numbers than it declares"),
        ("a.off", OFF.format(1) + "4 0 1 2\n", "a.off:7: .*fewer numbers than it declares"),
        ("a.off", OFF.format(1) + "3 0 1 -1\n", "index -1"),
        ("a.off", OFF.format(1) + "3 0 1 4\n", "index 4"),
        ("a.off", OFF.format("x"), "a.off:2: 'x' is no number"),
        ("a.off", OFF.format("-1"), "a.off:2: .*no valid numbers of"),
        ("a.off", OFF.format(1).replace("4", "5000000000"), "cut off"),
        ("a.off", "OFF BINARY\n\0\0", "is no number"),
        ("a.off", "solid", "not an OFF"),
        ("a.off", "OFF\n", "ends before"),
    ],
)
def test_a_file_that_lies_is_refused_where_it_does(tmp_path: Path, name: str, text: str | bytes, words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        load(saved(tmp_path / name, text))
    assert str(tmp_path / name) in caught.value.message


@pytest.mark.parametrize(
    ("name", "text", "lost"),
    [
        ("a.ply", PLY.format(1, "") + "3 0 1 2 3\n", "numbers of 1 rows beyond those that its header names"),
        ("a.ply", PLY.format(1, "") + "3 0 1 2\n3 0 1 3\n", "1 rows after those that its header declares"),
        ("a.ply", PLY.format(2, "") + "3 0 1 2\n2 0 1\n", "1 faces with fewer than three corners"),
        ("a.ply", binary("<", "float", "uchar", "int") + b"xx", "2 bytes after the rows that its header declares"),
        ("a.ply", PLY.format(1, "Created by hand\n") + "3 0 1 2\n", "line 9 of its header"),
        ("a.ply", PLY.format(1, "comment TextureFile a.png\n") + "3 0 1 2\n", "image 'a.png'"),
        ("a.ply", PLY.format(1, "element edge 1\nproperty int vertex1\n") + "3 0 1 2\n1\n", "its 'edge'"),
        ("a.off", OFF.format(2) + "3 0 1 2\n", "1 faces that it declares and does not have"),
        ("a.off", OFF.format(1) + "3 0 1 2 255 0 0\n", "colours of faces"),
        ("a.off", OFF.format(1) + "3 0 1 2\n3 0 1 3\n", "1 lines after the faces that it declares"),
        ("a.off", "C" + OFF.format(1).replace(" 0 0\n1", " 0 0 9 9 9\n1") + "3 0 1 2\n", "vertex colours"),
    ],
)
def test_what_is_not_taken_is_told(tmp_path: Path, name: str, text: str | bytes, lost: str) -> None:
    content = load(saved(tmp_path / name, text))
    assert content.lost == (lost,)
    assert len(content.parts[0].faces)
