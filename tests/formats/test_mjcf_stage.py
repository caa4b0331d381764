"""The optional scene (floor, light): MuJoCo compiles it, and it surrounds any model."""

from __future__ import annotations

from pathlib import Path

import mujoco
import pytest

from converters.context import Options
from converters.convert import convert
from tests.files import saved
from tests.oracles.in_mujoco import mujoco_model
from tests.reports import explained

URDF = """<robot name="ball"><link name="base"><inertial><mass value="1"/>
<inertia ixx=".01" iyy=".01" izz=".01" ixy="0" ixz="0" iyz="0"/></inertial>
<collision name="floor"><origin xyz="0 0 1"/><geometry><sphere radius=".2"/></geometry></collision></link></robot>"""
MJCF = """<mujoco model="ball"><compiler meshdir="far"/><default><geom contype="0" conaffinity="0" group="3"/></default>
<asset><texture name="skybox" type="skybox" builtin="flat" width="8" height="8"/>
<texture name="groundplane" type="2d" builtin="flat" width="8" height="8"/></asset>
<worldbody><body name="b" pos="0 0 1"><freejoint/><geom name="floor" size=".2" contype="1" conaffinity="1"/></body>
</worldbody></mujoco>"""


@pytest.mark.parametrize(("suffix", "text"), [(".urdf", URDF), (".xml", MJCF)])
@pytest.mark.parametrize("name", ["robot.xml", "scene.xml"])
def test_a_model_lies_on_the_floor_of_its_scene(suffix: str, text: str, name: str, tmp_path: Path) -> None:
    source, out = tmp_path / f"in{suffix}", tmp_path / "out" / name
    source.write_text(text)
    report = explained(convert(source, out, target="mjcf", options=Options(scene=True, base="floating")))
    stage = out.with_name(name.replace(".xml", "_scene.xml"))
    assert str(stage) in report.target.files
    alone, model = (mujoco_model(path) for path in (out, stage))
    assert (model.nbody, model.nq) == (alone.nbody, alone.nq)
    assert model.ngeom == alone.ngeom + 1
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, 2000)
    assert data.ncon >= 1
    assert not data.warning.number.any()
    assert -0.05 < data.geom("floor").xpos[2] < 0.3


def test_the_scene_of_another_robot_and_that_of_a_person_stay(tmp_path: Path) -> None:
    (tmp_path / "in.urdf").write_text(URDF)
    out = tmp_path / "out"
    out.mkdir()
    (out / "scene.xml").write_text("tuned by hand")
    for name in ("one", "two"):
        convert(tmp_path / "in.urdf", out / f"{name}.xml", options=Options(scene=True))
    assert (out / "scene.xml").read_text() == "tuned by hand"
    names = ["one.xml", "one_scene.xml", "scene.xml", "two.xml", "two_scene.xml"]
    assert sorted(path.name for path in out.iterdir()) == names
    for name in ("one", "two"):
        assert f'<include file="{name}.xml"/>' in (out / f"{name}_scene.xml").read_text()
        assert mujoco_model(out / f"{name}_scene.xml").nbody == 2


def test_no_scene_unless_it_is_asked_for(tmp_path: Path) -> None:
    convert(saved(tmp_path / "in.urdf", URDF), tmp_path / "out" / "robot.xml")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["robot.xml"]


@pytest.mark.parametrize("mask", [1, 2, 0x100])
def test_what_has_a_category_of_its_own_in_gazebo_does_not_fall_through_the_floor(mask: int, tmp_path: Path) -> None:
    surface = f"<surface><contact><collide_bitmask>{mask}</collide_bitmask></contact></surface>"
    ball = f'<collision name="c">{surface}<geometry><sphere><radius>.2</radius></sphere></geometry></collision>'
    text = f'<sdf version="1.9"><model name="m"><link name="b"><pose>0 0 .5 0 0 0</pose>{ball}</link></model></sdf>'
    convert(saved(tmp_path / "in.sdf", text), tmp_path / "m.xml", options=Options(scene=True))
    model = mujoco_model(tmp_path / "m_scene.xml")
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, 1000)
    assert 0.1 < data.qpos[2] < 0.3
