"""Meshes in MuJoCo's format MSH: other programs get an OBJ, and the author's file comes back."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest
import trimesh

from converters.context import Options
from converters.convert import convert, read
from tests.files import saved
from tests.oracles.in_mujoco import mujoco_model
from tests.reports import complete, explained, of_rule

POINTS = np.array([(0, 0, 0), (1, 0, 0), (0, 2, 0), (0, 0, 3)], "<f4")
FACES = np.array([(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)], "<i4")
MSH = struct.pack("<4i", 4, 0, 0, 4) + POINTS.tobytes() + FACES.tobytes()
MODEL = """<mujoco model="m"><compiler meshdir="parts"/><asset><mesh name="t" file="t.msh"/></asset>
<worldbody><body name="b"><geom type="mesh" mesh="t"/></body></worldbody></mujoco>"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "t.msh").write_bytes(MSH)
    return saved(tmp_path / "m.xml", MODEL)


@pytest.mark.parametrize("folder", [".", "out"])
@pytest.mark.parametrize("target", ["robot.urdf", "robot.sdf"])
def test_it_is_converted_for_programs_that_do_not_read_it(source: Path, folder: str, target: str) -> None:
    path = source.parent / folder / target
    report = complete(convert(source, path))
    assert [(each.before, each.after) for each in of_rule(report, "assets/transcoded")] == [("t.msh", "t.obj")]
    assert ".msh</uri>" not in path.read_text()
    files = {asset.file for asset in read(path).assets.values()}
    assert [Path(str(file)).suffix for file in files] == [".msh"]  # the author's, where it is found
    made = path.parent / "robot_assets" / "t.obj"
    assert np.allclose(trimesh.load(made).bounds, [[0, 0, 0], [1, 2, 3]])
    assert trimesh.load(made).volume == pytest.approx(1)
    back = source.parent / "back" / "m.xml"
    explained(convert(path, back))
    assert mujoco_model(back).body("b").mass == pytest.approx(mujoco_model(source).body("b").mass)


def test_an_obj_of_its_name_stays_beside_it(source: Path) -> None:
    box = trimesh.creation.box().export(file_type="obj")
    saved(source.with_name("parts") / "t.obj", box)
    source.write_text(
        MODEL.replace("</asset>", '<mesh name="u" file="t.obj"/></asset>').replace(
            "</body>", '<geom type="mesh" mesh="u"/></body>'
        )
    )
    path = source.parent / "out" / "robot.urdf"
    complete(convert(source, path))
    found = {each.name: trimesh.load(each).volume for each in (path.parent / "robot_assets").iterdir()}
    assert found == {"t.obj": pytest.approx(1), "t_msh.obj": pytest.approx(1)}
    assert path.read_text().count("t_msh.obj") >= 1


def test_one_that_is_damaged_is_told_and_stays_as_it_is(source: Path) -> None:
    (source.with_name("parts") / "t.msh").write_bytes(MSH[:-1])
    path = source.parent / "out" / "robot.urdf"
    report = explained(convert(source, path))
    assert of_rule(report, "assets/unreadable")
    assert (path.parent / "robot_assets" / "t.msh").read_bytes() == MSH[:-1]


@pytest.mark.parametrize("target", ["robot.urdf", "robot.sdf"])
def test_one_that_is_referred_to_where_it_lies_is_told(source: Path, target: str) -> None:
    path = source.parent / "out" / target
    report = complete(convert(source, path, options=Options(meshes="reference")))
    assert [each.before for each in of_rule(report, "assets/alien")] == ["t.msh"]
    assert "../parts/t.msh" in path.read_text() and not (path.parent / "robot_assets").exists()
    back = convert(path, source.parent / "back.xml", options=Options(meshes="reference"))
    assert not of_rule(back, "assets/alien"), "MuJoCo reads it"
