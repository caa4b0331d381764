"""Sites as links of their own, as an option."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pinocchio as pin
import pytest

from converters.context import Options
from converters.convert import convert, read
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.in_pinocchio import configuration, link_poses, pinocchio_model
from tests.reports import explained

MODEL = """<mujoco model="arm"><worldbody><site name="target" pos="3 0 1" euler="0 0 90"/>
<body name="a"><joint name="j" axis="0 1 0"/><geom size=".1"/>
<site name="tool" pos=".1 .2 .3" euler="10 20 30"/><site name="a" pos="1 0 0"/><site pos="0 1 0"/>
<body name="b" pos="0 0 1"><geom size=".1"/><site name="tip" fromto="0 0 0 0 .1 .1" size=".01" type="capsule"/></body>
</body></worldbody><sensor><gyro name="gyro" site="tool"/></sensor></mujoco>"""


def test_sites_are_links_on_request(tmp_path: Path) -> None:
    source, urdf = tmp_path / "arm.xml", tmp_path / "arm.urdf"
    source.write_text(MODEL)
    explained(convert(source, urdf, options=Options(sites="links")))
    assert {"tool", "tip"} <= set(pinocchio_model(urdf).names) | {frame.name for frame in pinocchio_model(urdf).frames}
    model = mujoco_model(source)
    data = mujoco.MjData(model)
    data.qpos[:] = 0.4
    mujoco.mj_kinematics(model, data)
    pinocchio = pinocchio_model(urdf)
    poses = link_poses(pinocchio, configuration(pinocchio, {"j": (0.4,)}))
    links = [name for name in poses if name not in ("a", "b", "world")]
    assert len(links) == model.nsite
    for name in ("tool", "tip", "target"):
        site = model.site(name).id
        assert np.abs(poses[name][:3, 3] - data.site_xpos[site]).max() < 1e-9
        assert np.abs(poses[name][:3, :3] - data.site_xmat[site].reshape(3, 3)).max() < 1e-9
    assert isinstance(pinocchio, pin.Model)


def test_without_the_request_sites_are_kept_for_the_way_back(tmp_path: Path) -> None:
    source, urdf = tmp_path / "arm.xml", tmp_path / "arm.urdf"
    source.write_text(MODEL)
    convert(source, urdf)
    assert {frame.name for frame in pinocchio_model(urdf).frames}.isdisjoint({"tool", "tip"})


@pytest.mark.parametrize("sites", ["keep", "links"])
def test_the_way_back_has_sites_and_no_links_more(sites: str, tmp_path: Path) -> None:
    source, urdf, back = tmp_path / "arm.xml", tmp_path / "arm.urdf", tmp_path / "back.xml"
    source.write_text(MODEL)
    convert(source, urdf, options=Options(sites=sites))
    convert(urdf, back)
    one, other = (mujoco_model(path) for path in (source, back))
    assert (one.nbody, one.nsite, one.nsensor) == (other.nbody, other.nsite, other.nsensor)
    assert list(read(back).bodies) == list(read(source).bodies)
