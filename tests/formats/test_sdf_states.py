"""Initial joint positions of an SDFormat document become a state of the target; MuJoCo gives the poses of bodies."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest

from converters import convert, read
from tests.files import saved
from tests.oracles.in_mujoco import mujoco_model
from tests.reports import complete, of_rule

JOINT = '<joint name="{}" type="{}"><parent>a</parent><child>{}</child><axis><xyz>0 1 0</xyz>{}</axis></joint>'


def model(said: str = "", hinge: str = "", slide: str = "", pose: str = "1 0 0 0 0 0") -> str:
    return f"""<model name="m"><pose>{pose}</pose><link name="a"><pose>0 0 2 0 0 0</pose></link>
    <link name="b"><pose>0 0 1 0 0 0</pose></link><link name="c"><pose>0 1 0 0 0 0</pose></link>
    {JOINT.format("j", "revolute", "b", hinge)}{JOINT.format("k", "prismatic", "c", slide)}{said}</model>"""


def written(folder: Path, content: str, version: str = "1.12") -> Path:
    return saved(folder / "in.sdf", f'<sdf version="{version}">{content}</sdf>')


def keys(model: mujoco.MjModel) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return positions (n,) and velocities of each keyframe."""
    return {model.key(index).name: (model.key_qpos[index], model.key_qvel[index]) for index in range(model.nkey)}


def converted(source: Path) -> mujoco.MjModel:
    complete(convert(source, source.with_suffix(".xml")))
    back = source.with_name("back.sdf")
    convert(source.with_suffix(".xml"), back)
    assert read(back) == read(source)
    assert back.read_text().count("<keyframe") == 0
    return mujoco_model(source.with_suffix(".xml"))


HALF = np.pi / 6
MODEL_STATE = """<model_state name="m"><joint_state name="j"><axis_state><position degrees="true">30</position>
<velocity>2</velocity></axis_state></joint_state><joint_state name="k"><axis_state>
<position degrees="true">.3</position></axis_state></joint_state></model_state>"""


def test_the_state_of_a_model_is_a_keyframe(tmp_path: Path) -> None:
    found = keys(converted(written(tmp_path, model(MODEL_STATE))))
    assert [*found] == ["initial"]
    assert found["initial"][0] == pytest.approx([1, 0, 2, 1, 0, 0, 0, HALF, 0.3], abs=1e-12)
    assert found["initial"][1] == pytest.approx([0] * 6 + [2, 0])


def test_initial_positions_of_axes_are_one_keyframe(tmp_path: Path) -> None:
    said = "<initial_position>{}</initial_position>"
    source = written(tmp_path, model(hinge=said.format(0.4), slide=said.format(0)), "1.6")
    assert keys(converted(source))["initial"][0] == pytest.approx([1, 0, 2, 1, 0, 0, 0, 0.4, 0])


@pytest.mark.parametrize("version", ["1.6", "1.12"])
def test_the_state_of_a_world_places_its_models(tmp_path: Path, version: str) -> None:
    name = "_state" if version == "1.12" else ""
    said = f"""<world name="w">{model(pose="1 0 0 0 0 1.5707963267948966")}<state world_name="w">
    <sim_time>3 500000000</sim_time><iterations>7</iterations><model{name} name="m"><pose>2 5 0 0 0 0</pose>
    <link{name} name="a"><pose>2 5 2 0 0 0</pose></link{name}>
    <joint{name} name="j"><angle axis="0">0.3</angle></joint{name}></model{name}></state></world>"""
    model_ = converted(written(tmp_path, said, version))
    assert keys(model_)["state"][0] == pytest.approx([2, 5, 2, 1, 0, 0, 0, 0.3, 0], abs=1e-12)
    assert model_.key_time[0] == 3.5


@pytest.mark.parametrize(
    "said",
    [
        '<link name="b"><pose>7 7 7 0 0 0</pose></link>',  # not where the joints put it
        "<scale>1 2 1</scale>",
        '<joint name="no"><angle axis="0">1</angle></joint>',
        '<joint name="j"><angle axis="0">much</angle></joint>',
        '<joint name="j"><angle axis="5">1</angle></joint>',
        '<pose frame="f">2 5 0 0 0 0</pose>',
        '<model name="n"><pose>1 0 0 0 0 0</pose></model>',
    ],
)
def test_a_state_that_cannot_be_stays_as_it_is(tmp_path: Path, said: str) -> None:
    state = f'<state world_name="w"><model name="m">{said}</model></state>'
    source = written(tmp_path, f'<world name="w">{model()}{state}</world>', "1.6")
    assert not keys(converted(source))


def test_the_state_of_what_stands_still_is_where_it_stands(tmp_path: Path) -> None:
    held = """<model name="s"><static>true</static><pose>1 2 3 0 0 0</pose><link name="l"><pose>0 0 1 0 0 0</pose>
    </link></model>"""
    said = """<state world_name="w"><model name="s"><pose>1 2 3 0 0 0</pose><scale>1 1 1</scale>
    <link name="l"><pose>1 2 {} 0 0 0</pose></link></model><model name="m"><joint name="j"><angle>0.3</angle></joint>
    </model></state>"""
    for height, states in ((4, 1), (5, 0)):
        source = written(tmp_path, f'<world name="w">{held}{model()}{said.format(height)}</world>', "1.6")
        assert len(keys(converted(source))) == states


POSITION = """<plugin filename="gz-sim-joint-position-controller-system"
name="gz::sim::systems::JointPositionController"><joint_name>j</joint_name><initial_position>0.7</initial_position>
</plugin>"""


def test_where_a_controller_drives_its_joint_first_is_a_command(tmp_path: Path) -> None:
    found = converted(written(tmp_path, model(POSITION), "1.9"))
    assert keys(found)["initial"][0] == pytest.approx([1, 0, 2, 1, 0, 0, 0, 0, 0])
    assert found.key_ctrl[0] == pytest.approx([0.7])


def test_so_does_one_in_a_urdf(tmp_path: Path) -> None:
    heavy = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    (tmp_path / "in.urdf").write_text(
        f"""<robot name="r"><link name="a"/><link name="b">{heavy}</link><joint name="j" type="continuous">
        <parent link="a"/><child link="b"/></joint><gazebo>{POSITION}</gazebo></robot>"""
    )
    convert(tmp_path / "in.urdf", tmp_path / "out.xml")
    assert mujoco_model(tmp_path / "out.xml").key_ctrl[0] == pytest.approx([0.7])


def test_a_pose_is_asked_for_by_its_name(tmp_path: Path) -> None:
    from converters.context import Options

    source = written(tmp_path, model(MODEL_STATE))
    report = convert(source, tmp_path / "out.xml", options=Options(pose=("initial",)))
    assert "j 0.523599" in of_rule(report, "pose/keyframe")[0].after
