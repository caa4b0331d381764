"""Numbers read and written by numpy are compared with those of Python."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from converters.assets.meshes import distinct, numerals, regular
from converters.assets.meshes.obj_text import obj_text
from converters.assets.meshes.parts import MeshPart

FORMATS = ("%.6f", "%g", "%.9g", "%e", "%d", "%.12e", "%+.3f", "%r", "%.0f.", "%.22f")
LONG = " 0.5" * 400 + "\n"
"""A text long enough for the fast path."""

values = st.one_of(
    st.floats(-1e4, 1e4), st.floats(allow_nan=False, allow_infinity=False), st.integers(-9, 9).map(float)
)


@given(
    st.lists(st.tuples(values, st.sampled_from(FORMATS)), max_size=30), st.sampled_from([" ", "\n", " \t", "\r\n  "])
)
def test_every_number_is_what_python_reads(items: list[tuple[float, str]], blank: str) -> None:
    text = blank.join(form % number for number, form in items) + blank
    expected = [float(word) for word in text.split()]
    for front in ("", LONG):
        read = numerals.numbers(front + text).tolist()
        assert read == [0.5] * (400 if front else 0) + expected
        assert numerals.numbers((front + text).encode()).tolist() == read


@pytest.mark.parametrize(
    "wrong",
    ["1..5", "1.5.2", ".", "1 . 2", "x", "1e", "1e 5", "e5", "1e5.5", "1e5e5", "1e+ 5", "1-5 .", "--1", "1,5", "+ 1"],
)
@pytest.mark.parametrize("front", ["", LONG], ids=["short", "long"])
def test_what_is_no_number_raises(wrong: str, front: str) -> None:
    for text in (f"{wrong} {front}", f"{front} {wrong}", f"{front} {wrong} 1"):
        with pytest.raises(ValueError, match=r"."):
            numerals.numbers(text)


def test_rows_say_how_many_numbers_a_line_has() -> None:
    values, counts = numerals.number_rows(b" 1 2.5e1 3\n\n -4. .5\n6\n")
    assert values.tolist() == [1, 25, 3, -4, 0.5, 6]
    assert counts.tolist() == [3, 0, 2, 1]


@pytest.mark.parametrize("size", [1e-30, 1e-5, 0.01, 1.0, 30.0, 899.0, 901.0, 1e9])
def test_vertices_keep_nine_digits_and_normals_seven(size: float) -> None:
    generator = np.random.default_rng(4)
    vertices = generator.uniform(-size, size, (300, 3)) * 10.0 ** -generator.integers(0, 5, (300, 3))
    vertices[:2] = [[0, -0.0, size], [size / 10, size / 1000, -size]]
    normals = generator.uniform(-1, 1, (7, 3))
    faces = np.arange(300).reshape(-1, 3)
    part = MeshPart(name="x", vertices=vertices, faces=faces, normals=normals, normal_faces=faces % 7)
    lines = obj_text(part).decode().splitlines()
    written = np.array([[float(word) for word in line.split()[1:]] for line in lines if line.startswith("v ")])
    small = np.maximum(np.abs(vertices), 1e-6 * size)
    assert (np.abs(written - vertices) <= 5.01e-9 * small).all()
    assert "-0" not in lines[0].split()
    written = np.array([[float(word) for word in line.split()[1:]] for line in lines if line.startswith("vn ")])
    assert np.allclose(written, normals, rtol=0, atol=5.1e-8)


@pytest.mark.parametrize("count", [3, 9, 10, 99, 100, 101, 9_999, 99_999, 999_999, 1_000_000])
@pytest.mark.parametrize("kind", ["%d", "%d/%d", "%d//%d", "%d/%d/%d"])
def test_faces_are_numbered_from_one(count: int, kind: str) -> None:
    faces = np.array([[0, 1, 2], [count - 1, count // 2, count // 10]])
    some = np.zeros((count, 3))
    with_uvs, with_normals = kind in ("%d/%d", "%d/%d/%d"), kind in ("%d//%d", "%d/%d/%d")
    part = MeshPart(
        name="x",
        vertices=some,
        faces=faces,
        uvs=some[:3, :2] if with_uvs else None,
        uv_faces=np.array([[0, 1, 2], [2, 1, 0]]) if with_uvs else None,
        normals=some[:3] if with_normals else None,
        normal_faces=np.array([[0, 1, 2], [2, 1, 0]]) if with_normals else None,
    )
    last = obj_text(part).decode().splitlines()[-1]
    columns = [faces[1] + 1] + [np.array([3, 2, 1])] * (with_uvs + with_normals)
    assert last == "f " + " ".join([kind] * 3) % tuple(np.stack(columns, axis=1).ravel().tolist())


corner = st.integers(1, 99999)
KINDS_OF_CORNER = ("%d", "%d/%d", "%d//%d", "%d/%d/%d")


@given(st.lists(st.lists(st.tuples(corner, corner, corner, st.sampled_from(KINDS_OF_CORNER)), min_size=1, max_size=5)))
def test_corners_of_every_kind_are_read_by_their_digits(faces: list[list[tuple[int, int, int, str]]]) -> None:
    words = [[kind % (a, b, c)[: kind.count("%")] for a, b, c, kind in face] for face in faces]
    found = regular.corners("".join(f"f {' '.join(face)}\n" for face in words).encode())
    if not faces:
        assert found is None
        return
    assert found is not None
    assert found[0].tolist() == [len(face) for face in faces]
    expected = [[int(text or 0) for text in (word + "//").split("/")[:3]] for face in words for word in face]
    assert found[1].tolist() == expected


@pytest.mark.parametrize(
    "text",
    [
        "f 1 2  3",
        "f 1 2 3 ",
        "f 1/2/3/4 1 2",
        "f 1/ 2 3",
        "f /1 2 3",
        "f 1 -2 3",
        "f 1///2 1 1",
        "f",
        "f 1 2 x",
        "f 1.5 2 3",
    ],
)
def test_other_faces_are_left_to_others(text: str) -> None:
    assert regular.corners(f"f 1 2 3\n{text}\nf 1 2 3\n".encode()) is None


@given(st.lists(st.tuples(values, values, values), min_size=1, max_size=9), st.integers(1, 9))
def test_decimals_are_what_python_reads(table: list[tuple[float, float, float]], places: int) -> None:
    rows = [[f"{value:.{places}f}" for value in row] for row in table]
    found = regular.decimals("".join(f"v {' '.join(row)}\n" for row in rows).encode(), b"v")
    if any(sum(map(str.isdigit, word)) > regular.EXACT for row in rows for word in row):
        assert found is None
    else:
        assert found is not None
        assert found.tolist() == [[float(word) for word in row] for row in rows]


@pytest.mark.parametrize(
    "text",
    [
        "v 1 2.0 3.0",
        "v 1. 2.0 3.0",
        "v .5 2.0 3.0",
        "v 1.0e5 2.0 3.0",
        "v 1.0 2.0",
        "v 1.0  2.0 3.0",
        "v 1.2.3 2.0 3.0",
    ],
)
def test_other_numbers_are_left_to_others(text: str) -> None:
    assert regular.decimals(f"v 1.0 2.0 3.0\n{text}\nv 1.0 -2.0 3.0\n".encode(), b"v") is None


def test_blocks_do_not_show() -> None:
    lines = [f"v {n / 8:.3f} {-n / 4:.2f} {n:.1f}" for n in range(40_000)]
    found = regular.decimals("".join(f"{line}\n" for line in lines).encode(), b"v")
    assert found is not None
    assert found.tolist() == [[float(word) for word in line.split()[1:]] for line in lines]


@pytest.mark.parametrize("blank", [" ", "\n", "\t", "  ", " \r\n"])
@pytest.mark.parametrize("count", [1, 7, 400, 90_000])
def test_whole_numbers_are_what_python_reads(blank: str, count: int) -> None:
    expected = [n * 7919 % 100_003 for n in range(count)]
    text = blank.join(map(str, expected))
    for part in (text, blank + text + blank):
        assert numerals.whole_numbers(part).tolist() == expected
        found = regular.wholes(part.encode())
        assert found is not None
        assert found.tolist() == expected


@pytest.mark.parametrize("wrong", ["1.5", "-1", "x", "1e5", "1,2", "9999999999999999"])
def test_other_whole_numbers_are_left_to_others(wrong: str) -> None:
    assert regular.wholes(f"1 2 {wrong} 3".encode()) is None


@pytest.mark.parametrize("rounds", [1, 2, 6])
@pytest.mark.parametrize(("count", "most"), [(0, 1), (1, 1), (5_000, 3), (5_000, 1_000), (5_000, 1 << 62)])
def test_equal_numbers_are_those_that_sorting_finds(
    count: int, most: int, rounds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(distinct, "_ROUNDS", rounds)
    keys = np.random.default_rng(count).integers(0, most, count)
    first, number = distinct.unique_rows(keys)
    said, where = np.unique(keys, return_index=True)
    assert first.tolist() == sorted(where.tolist())
    assert sorted(keys[first].tolist()) == said.tolist()
    assert keys[first][number].tolist() == keys.tolist()
