"""What an edit adds to an output is made to fit where it goes, and what it hangs on stays."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest

from converters import convert
from converters.context import Options
from tests.formats.test_edited_parts import back, stale
from tests.oracles.in_sdformat import sdformat_reads
from tests.oracles.in_urdfdom import check_urdf

FRAMES = """<sdf version="1.9"><model name="m">
<link name="a"/><link name="b"><pose>1 0 0 0 0 0</pose></link>
<joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint>
<frame name="f" attached_to="a"><pose>0 0 0.3 0 0 0</pose></frame>
<frame name="tool0" attached_to="b"><pose>0 0 0.1 0 0 0</pose></frame></model></sdf>"""
SITE = """<mujoco><worldbody><body name="a"/><body name="b" pos="1 0 0"><joint name="j"/><geom size="0.1"/>
<site name="tool0" pos="0 0 0.1"/></body></worldbody></mujoco>"""
PART = """<link name="cam"><inertial><mass value="0.2"/>
<inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="cj" type="fixed"><parent link="tool0"/><child link="cam"/></joint></robot>"""
HUNG = ("</robot>", PART)
MOVED = (r'(<joint name="f_joint".*?<parent link=)"a"', r'\1"tool0"')


def where(path: Path, body: str) -> list[float]:
    """Where a body stands in the world, as MuJoCo or libsdformat has it."""
    if path.suffix == ".sdf":
        found = sdformat_reads(path)
        assert found["errors"] == []
        return list({name.rpartition("::")[2]: link for name, link in found["links"].items()}[body]["pose"][:3])
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    return list(data.body(body).xpos)


@pytest.mark.parametrize(
    ("source", "edit", "body", "place"),
    [
        ("s.sdf", HUNG, "cam", [1, 0, 0.1]),
        ("s.sdf", MOVED, "f", [1, 0, 0.4]),
        ("s.xml", HUNG, "cam", [1, 0, 0.1]),
    ],
)
@pytest.mark.parametrize("target", ["t.xml", "t.sdf", "t.urdf"])
def test_what_hangs_on_the_link_of_a_frame_is_where_it_hangs(
    source: str, edit: tuple[str, str], body: str, place: list[float], target: str, tmp_path: Path
) -> None:
    (tmp_path / source).write_text(FRAMES if source.endswith("sdf") else SITE)
    written, report = back(tmp_path, tmp_path / source, "w.urdf", [edit], target, Options(sites="links"))
    if target == "t.urdf":
        assert check_urdf(written) is None
        convert(written, written := tmp_path / "u.xml")
    np.testing.assert_allclose(where(written, body), place, atol=1e-9)
    assert stale(report)[0].split(".frames.")[0] in ("body/a", "body/b")
