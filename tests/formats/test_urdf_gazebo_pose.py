"""<pose> in a <gazebo> block about the whole robot."""

from pathlib import Path

import pytest

from converters.convert import convert
from tests.files import saved
from tests.oracles.in_mujoco import at_rest, mujoco_model
from tests.reports import comes_back, of_rule


@pytest.mark.parametrize("suffix", ["xml", "sdf"])
def test_a_pose_of_the_whole_robot_moves_its_root_and_the_report_says_so(tmp_path: Path, suffix: str):
    urdf = saved(
        tmp_path / "robot.urdf",
        """<robot name="r">
        <gazebo><pose>0 0 0.5 0 0 3</pose></gazebo>
        <link name="base"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>
        </inertial></link></robot>""",
    )
    report = convert(urdf, tmp_path / f"out.{suffix}")
    told = of_rule(report, "gazebo/pose")
    assert [(each.action, each.severity, each.before) for each in told] == [("derived", "note", "")]
    assert "0.5" in told[0].after and "name" not in told[0].after
    assert [source.line for source in told[0].sources] == [2]
    assert "places the robot there" in told[0].reason


def test_a_pose_of_the_whole_robot_moves_what_the_world_holds(tmp_path: Path):
    urdf = saved(
        tmp_path / "robot.urdf",
        """<robot name="r"><link name="world"/><gazebo><pose>0 0 2 0 0 0</pose></gazebo>
        <joint name="w" type="fixed"><parent link="world"/><child link="base"/><origin xyz="1 0 0"/></joint>
        <link name="base"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>
        </inertial></link></robot>""",
    )
    for suffix in ("xml", "sdf", "glb"):
        report = convert(urdf, tmp_path / f"out.{suffix}")
        moved = [each for each in of_rule(report, "gazebo/pose") if each.where == "joint/w.pose.pos"]
        assert [(each.action, each.before, each.after) for each in moved] == [("derived", "1 0 0", "1 0 2")], suffix
        comes_back(urdf, tmp_path / f"out.{suffix}")
    assert at_rest(mujoco_model(tmp_path / "out.xml")).body("base").xpos.tolist() == [1, 0, 2]
