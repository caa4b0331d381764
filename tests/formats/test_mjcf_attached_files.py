"""Files of attached models are found as MuJoCo finds them, next to the source and next to the output."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from converters import Options, convert
from tests.oracles.in_mujoco import mujoco_model
from tests.reports import explained, of_rule

PARENT = """<mujoco><compiler {0}/><asset><model name="k" file="kid.xml"/></asset>
  <worldbody><geom size="1"/><attach model="k" prefix="k_"/></worldbody></mujoco>"""
KID = """<mujoco model="kid"><compiler {0}/>{1}<asset>{2}</asset><worldbody><body name="b">
  <geom type="mesh" mesh="a"/><geom type="mesh" mesh="b"/></body></worldbody></mujoco>"""
MESHES = '<mesh name="a" file="{}"/><mesh name="b" file="{}"/>'


def obj(size: int) -> str:
    return f"v 0 0 0\nv {size} 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


def sizes(path: Path) -> list[float]:
    model = mujoco_model(path)
    starts = zip(model.mesh_vertadr, model.mesh_vertnum, strict=True)
    return [float(np.ptp(model.mesh_vert[at : at + count], axis=0).max()) for at, count in starts]


@pytest.mark.parametrize(
    ("parent", "kid", "include", "files"),
    [
        ("", "", False, ("x.obj", "x.OBJ")),
        ('strippath="true"', 'meshdir="deep"', False, ("far/x.obj", "near/y.obj")),
        ("", 'meshdir="deep" strippath="true"', False, ("far/x.obj", "y.obj")),
        ("", 'meshdir="{here}/deep"', True, ("y.obj", "../z.obj")),
    ],
    ids=["names that case tells apart", "path of the whole", "path of the part", "beside what is included"],
)
def test_an_output_shows_the_meshes_that_mujoco_shows(
    parent: str, kid: str, include: bool, files: tuple[str, str], tmp_path: Path
) -> None:
    here = tmp_path / "here" / "model"
    places = ("x.obj", "x.OBJ", "y.obj", "deep/x.obj", "deep/y.obj", "deep/far/x.obj", "near/y.obj", "../z.obj")
    for number, place in enumerate(places, 3):
        (here / place).parent.mkdir(parents=True, exist_ok=True)
        (here / place).write_text(obj(number))
    kid, meshes = kid.format(here=here), MESHES.format(*files)
    (here / "part.xml").write_text(f"<mujoco><asset>{meshes}</asset></mujoco>")
    included = '<include file="part.xml"/>' if include else ""
    (here / "kid.xml").write_text(KID.format(kid, included, "" if include else meshes))
    source, out = here / "model.xml", tmp_path / "out" / "o.xml"
    source.write_text(PARENT.format(parent))
    wanted = sizes(source)
    explained(convert(source, out))
    if not include:  # that names a folder of this machine
        (tmp_path / "here").rename(tmp_path / "gone")
    assert sizes(out) == wanted


def test_a_model_that_is_attached_may_stay_where_it_lies(tmp_path: Path) -> None:
    here = tmp_path / "here"
    here.mkdir()
    for name in ("x.obj", "y.obj"):
        (here / name).write_text(obj(3))
    (here / "kid.xml").write_text(KID.format("", "", MESHES.format("x.obj", "y.obj")))
    (here / "model.xml").write_text(PARENT.format(""))
    out = tmp_path / "out" / "deep" / "o.xml"
    explained(convert(here / "model.xml", out, options=Options(meshes="reference")))
    assert sizes(out) == sizes(here / "model.xml")
    assert [each.name for each in out.parent.iterdir()] == ["o.xml"]


def test_a_model_whose_name_is_too_long_for_a_file_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "m.xml").write_text(PARENT.format("").replace("kid.xml", "k" * 5000))
    report = convert(tmp_path / "m.xml", tmp_path / "out" / "o.xml")
    assert of_rule(report, "mjcf/attach-missing")
