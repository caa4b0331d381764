"""Mesh files with equal content under several paths are read once, and reported for each path."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from converters.assets.meshes import wavefront
from converters.assets.meshes.parts import MeshFile
from converters.assets.stamps import originals
from converters.convert import convert

TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
ROBOT = """<robot name="twins"><link name="a">
<visual><geometry><mesh filename="seen/part.obj"/></geometry></visual>
<collision><geometry><mesh filename="felt/part.obj"/></geometry></collision>
</link></robot>"""


def twins(folder: Path, name: str, content: str) -> tuple[str, str]:
    paths = folder / "seen" / name, folder / "felt" / name
    for path in paths:
        path.parent.mkdir(exist_ok=True)
        path.write_text(content)
    return str(paths[0]), str(paths[1])


@pytest.mark.parametrize("name", ["part.obj", "part.STL", "part.dae"])
def test_the_first_file_of_a_name_and_content_stands_for_all(tmp_path: Path, name: str) -> None:
    first, second = twins(tmp_path, name, "the same")
    find = originals()
    assert [find(file) for file in (first, second, first)] == [first] * 3


@pytest.mark.parametrize(
    ("name", "content"),
    [("part.obj", "mtllib a.mtl"), ("part.dae", "<init_from>a.png</init_from>"), ("part.glb", "glTF"), ("part", "")],
)
def test_files_that_lead_to_others_stand_for_themselves(tmp_path: Path, name: str, content: str) -> None:
    first, second = twins(tmp_path, name, content)
    find = originals()
    assert (find(first), find(second)) == (first, second)


def test_other_files_stand_for_themselves(tmp_path: Path) -> None:
    first, second = twins(tmp_path, "part.obj", "v 0 0 0\n")
    Path(second).write_text("v 0 0 1\n")
    renamed = str(shutil.copy(first, tmp_path / "other.obj"))
    find = originals()
    for file in (first, second, renamed, str(tmp_path / "none.obj")):
        assert find(file) == file


@pytest.mark.parametrize("target", ["robot.glb", "robot.xml"])
@pytest.mark.parametrize("content", [f"{TETRAHEDRON}l 1 2\n", "f 1 2 3\n"], ids=["lines", "unreadable"])
def test_what_is_told_of_a_file_is_told_of_each(
    tmp_path: Path, content: str, target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    survey = wavefront.survey

    def told(path: Path, data: bytes) -> tuple[MeshFile, bool]:
        opened.append(str(path))
        return survey(path, data)

    monkeypatch.setattr(wavefront, "survey", told)
    first, second = twins(tmp_path, "part.obj", content)
    (tmp_path / "robot.urdf").write_text(ROBOT)
    found = [
        each
        for each in convert(tmp_path / "robot.urdf", tmp_path / target).findings
        if each.rule in ("assets/mesh-content", "assets/unreadable")
    ]
    assert sorted(source.line for each in found for source in each.sources) == [2, 3]
    broken = content.startswith("f")
    assert opened == ([first, second] if broken else [first])


def test_a_file_whose_address_leads_nowhere_from_the_output_is_the_copy_of_its_twin_there(tmp_path: Path) -> None:
    source = tmp_path / "pkg" / "robot.urdf"
    source.parent.mkdir()
    twins(source.parent, "part.obj", TETRAHEDRON)
    (source.parent / "package.xml").write_text("<package><name>pkg</name></package>")
    source.write_text(ROBOT.replace("felt/", "package://pkg/seen/"))
    once, twice = (tmp_path / each / "robot.urdf" for each in ("once", "twice"))
    convert(source, once)
    shutil.rmtree(source.parent)
    convert(once, twice)
    assert twice.read_bytes() == once.read_bytes()
