"""A file that was made of another one, where that is not found on the way back: it stands for it, and that is told."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from converters import convert
from converters.report.model import Report
from tests.converters.meshes import INSTANCE, dae
from tests.reports import of_rule

ROBOT = """<robot name="r"><link name="a"><visual><geometry><mesh filename="meshes/{0}"/></geometry></visual>
<collision><geometry><mesh filename="meshes/{0}"/></geometry></collision></link></robot>"""
INPUT = '<input semantic="VERTEX" source="#v" offset="0"/>'
FACES = f'<triangles count="4">{INPUT}<p>0 1 2 0 1 3 0 2 3 1 2 3</p></triangles>'
OBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
MADE = "carried/made-file"


def moved(folder: Path, name: str, content: str) -> Path:
    """The MJCF of a robot with this mesh and what lies beside it, in a folder from where nothing else is found."""
    (folder / "source" / "meshes").mkdir(parents=True)
    (folder / "source" / "meshes" / name).write_text(content)
    (folder / "source" / "r.urdf").write_text(ROBOT.format(name))
    convert(folder / "source" / "r.urdf", folder / "out" / "r.xml")
    shutil.copytree(folder / "out", folder / "far" / "moved")
    return folder / "far" / "moved" / "r.xml"


def told(report: Report) -> list[tuple[str, str]]:
    return [(each.where, each.before) for each in of_rule(report, MADE)]


@pytest.mark.parametrize("target", ["back.urdf", "back.sdf", "back.glb", "back.xml"])
def test_a_mesh_that_was_made_of_one_that_is_gone_stands_for_it(target: str, tmp_path: Path) -> None:
    source = moved(tmp_path, "m.dae", dae(f"<node>{INSTANCE}</node>", primitives=FACES))
    shutil.rmtree(tmp_path / "source")
    report = convert(source, tmp_path / "back" / target)
    assert told(report) == [("asset/m", "meshes/m.dae")]
    (found,) = of_rule(report, MADE)
    assert "not found from here" in found.reason and found.after.endswith("m.obj")


def test_a_copy_is_the_mesh(tmp_path: Path) -> None:
    source = moved(tmp_path, "m.obj", OBJ)
    shutil.rmtree(tmp_path / "source")
    report = convert(source, tmp_path / "back" / "back.urdf")
    assert (source.parent / "r_assets" / "m.obj").read_text() == OBJ
    assert told(report) == []


def test_nothing_is_told_of_a_mesh_that_is_found(tmp_path: Path) -> None:
    source = moved(tmp_path, "m.dae", dae(f"<node>{INSTANCE}</node>", primitives=FACES))
    shutil.copytree(tmp_path / "source" / "meshes", source.parent / "meshes")
    assert told(convert(source, tmp_path / "back" / "back.urdf")) == []


def test_another_mesh_at_its_address_is_not_the_mesh(tmp_path: Path) -> None:
    source = moved(tmp_path, "m.dae", dae(f"<node>{INSTANCE}</node>", primitives=FACES))
    other = source.parent / "meshes" / "m.dae"
    other.parent.mkdir()
    other.write_text(dae(f"<node>{INSTANCE}</node>", primitives=FACES, unit='<unit name="inch" meter="1"/>'))
    report = convert(source, source.parent / "back.urdf")
    assert told(report) == [("asset/m", "meshes/m.dae")]
    assert "another one than was converted" in of_rule(report, MADE)[0].reason
    assert "_assets/m.obj" in (source.parent / "back.urdf").read_text()
