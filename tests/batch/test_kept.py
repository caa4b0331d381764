"""Results for a mesh are cached by content while a batch runs, but never where the result would differ."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from converters.assets.meshes import kept, obj_text as texts, wavefront
from converters.assets.meshes.files import MeshFile, load
from converters.convert import convert
from tests.batch.folders import batch, outputs, stl, urdf, write

OBJ = "mtllib looks.mtl\no part\nusemtl red\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\n"
MTL = "newmtl red\nKd {} 0 0\nmap_Kd paint.png\n"


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache folder in which everything is kept, however fast it is computed."""
    monkeypatch.setattr(kept, "WORTH", -1.0)
    folder = tmp_path / "shelf"
    folder.mkdir()
    kept.start_cache(folder)
    yield folder
    kept.start_cache(None)


@pytest.fixture
def decoded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The folders of the OBJ files that were decoded."""
    seen: list[str] = []
    whole = wavefront._surveyed

    def told(path: Path, data: bytes) -> tuple[MeshFile, bool]:
        seen.append(path.parent.name)
        return whole(path, data)

    monkeypatch.setattr(wavefront, "_surveyed", told)
    return seen


def looking(folder: Path, red: float = 1, paint: str | None = "paint.png") -> Path:
    write(folder, {"part.obj": OBJ, "looks.mtl": MTL.format(red)} | ({paint: "png"} if paint else {}))
    return folder / "part.obj"


def same(one: MeshFile, other: MeshFile) -> None:
    assert one.lost == other.lost
    assert len(one.parts) == len(other.parts)
    for a, b in zip(one.parts, other.parts, strict=True):
        assert a.name == b.name
        for field in kept.ARRAYS:
            first, second = getattr(a, field), getattr(b, field)
            assert (first is None) == (second is None)
            if first is not None:
                assert first.dtype == second.dtype and np.array_equal(first, second)
        assert a.spelled() == b.spelled()


def test_equal_content_with_equal_files_beside_it_is_decoded_once(shelf: Path, decoded: list[str], tmp_path: Path):
    one, other = looking(tmp_path / "one"), looking(tmp_path / "other")
    first, second = load(one), load(other)
    assert decoded == ["one"]
    same(first, second)
    looks = second.parts[0].material
    assert looks is not None and looks.rgba == (1.0, 0.0, 0.0, 1.0)
    assert looks.texture == other.parent / "paint.png"
    second.parts[0].vertices[0] = 5.0
    same(first, load(one))


@pytest.mark.parametrize(
    "unlike", [{"red": 0.5}, {"paint": None}, {"paint": "textures/paint.png"}], ids=["colour", "absent", "elsewhere"]
)
def test_what_lies_beside_it_counts(unlike: Mapping[str, Any], shelf: Path, decoded: list[str], tmp_path: Path):
    load(looking(tmp_path / "one"))
    other = looking(tmp_path / "other", **unlike)
    found = load(other)
    assert decoded == ["one", "other"]
    kept.start_cache(None)
    fresh = load(other)
    same(found, fresh)
    assert found.parts[0].material == fresh.parts[0].material


def test_another_name_or_content_is_another_mesh(shelf: Path, decoded: list[str], tmp_path: Path):
    one = looking(tmp_path / "one")
    load(one)
    one.rename(one.with_name("piece.obj"))
    load(one.with_name("piece.obj"))
    one.write_text(OBJ.replace("v 0 0 1", "v 0 0 2"))
    assert load(one).parts[0].vertices.max() == 2.0
    assert len(decoded) == 3


def test_lines_of_the_author_are_kept(shelf: Path, decoded: list[str], tmp_path: Path):
    content = OBJ.replace("v 0 0 1", "v 0 0 1\nvt 0.50 1.0\nvt 0.5 0.0").replace("f 1 2 3", "f 1/2 2/1 3/2")
    write(tmp_path, {"a.obj": content.replace("f 1 2 4", "f 1/1 2/2 4/2")})
    fresh, found = load(tmp_path / "a.obj"), load(tmp_path / "a.obj")
    assert len(decoded) == 1
    same(fresh, found)
    assert found.parts[0].spelled() == {"vt": b"vt 0.50 1.0\nvt 0.5 0.0\n"}
    assert texts.obj_text(found.parts[0]) == texts.obj_text(fresh.parts[0])


def test_text_is_made_once(shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    write(tmp_path, {"a.stl": stl(), "b.stl": stl(0.2)})
    one, other = (load(tmp_path / name).parts[0] for name in ("a.stl", "b.stl"))
    made = [texts.obj_text(one), texts.obj_text(other), texts.obj_text(one, 20)]
    kept.start_cache(None)
    assert made == [texts.obj_text(one), texts.obj_text(other), texts.obj_text(one, 20)]
    kept.start_cache(shelf)
    monkeypatch.setattr(texts, "_text_of_part", lambda *_: b"made again")
    assert texts.obj_text(one, 20) == made[2]
    assert texts.obj_text(other, 20) == b"made again"


def test_nothing_is_kept_where_there_is_no_room(shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    write(tmp_path, {"a.stl": stl()})
    with monkeypatch.context() as patch:
        patch.setattr(os, "statvfs", lambda _: SimpleNamespace(f_bavail=1, f_frsize=512))
        load(tmp_path / "a.stl")
        assert list(shelf.iterdir()) == []
    monkeypatch.setattr(kept, "MOST", 10)
    load(tmp_path / "a.stl")
    assert list(shelf.iterdir()) == []
    shelf.rmdir()
    assert len(load(tmp_path / "a.stl").parts[0].faces) == 4


def test_a_batch_writes_what_convert_writes_and_leaves_nothing_behind(tmp_path: Path):
    points = [f"vertex {i % 97} {i % 89} {i % 83}" for i in range(9000)]
    corners = ["\n".join(points[first : first + 3]) for first in range(0, 9000, 3)]
    facets = [f"facet normal 0 0 1\nouter loop\n{each}\nendloop\nendfacet" for each in corners]
    mesh = "\n".join(["solid big", *facets, "endsolid big\n"])
    names = ("a", "b", "c")
    write(tmp_path / "src", {f"{each}/meshes/link.stl": mesh for each in names})
    write(tmp_path / "src", {f"{each}/arm.urdf": urdf(each) for each in names})
    run = batch(tmp_path / "src", tmp_path / "out", "--to", "mjcf", "--jobs", "2")
    assert run.returncode == 0, run.stderr
    for each in names:
        convert(tmp_path / "src" / each / "arm.urdf", tmp_path / "alone" / each / "arm.xml")
    assert outputs(tmp_path / "out") == outputs(tmp_path / "alone")
    assert not (tmp_path / "out" / ".kinegraph" / "stage").exists()
