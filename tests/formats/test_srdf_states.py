"""Named states next to a URDF: Pinocchio gives the bodies the same poses as MuJoCo, whatever the coordinates."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pinocchio as pin
import pytest

from converters.context import Options
from converters.convert import convert, read
from ir.kinematics import forward
from tests.files import saved
from tests.formats.srdf_text import placed, plain, reading_of
from tests.oracles.in_mujoco import mujoco_model
from tests.reports import complete, of_rule

HEAVY = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
MODELS = {
    "ref": f"""<body name="a" pos="0 0 1"><joint name="j" axis="0 1 0" ref="20" range="-90 90"/>{HEAVY}
      <body name="b" pos="0 0 .5"><joint name="s" type="slide" ref=".3"/><joint name="k" axis="1 0 0" ref="10"
      pos=".1 0 0"/>{HEAVY}</body></body>|0.2 0.3 0.5|0 .1 .17453292519943295|.3490658503988659 .3
      .17453292519943295""",
    "ball": f"""<body name="a" pos="0 0 1"><joint name="j" type="ball"/>{HEAVY}
      <body name="b" pos="0 0 .5"><joint name="k" ref="10"/>{HEAVY}</body></body>|.5 .5 -.5 .5 .2|.6 0 .8 0 0""",
    "free": f"""<body name="a" pos="1 2 3" quat=".6 0 .8 0"><freejoint name="j"/>{HEAVY}
      <body name="b" pos="0 0 .5"><joint name="k"/>{HEAVY}</body></body>|4 5 6 .8 .6 0 0 .2|1 2 3 .6 0 .8 0 .4""",
}


def written(folder: Path, name: str) -> Path:
    bodies, *states = MODELS[name].split("|")
    keys = "".join(f'<key name="k{number}" qpos="{state}"/>' for number, state in enumerate(states))
    return saved(folder / "m.xml", f"<mujoco><worldbody>{bodies}</worldbody><keyframe>{keys}</keyframe></mujoco>")


def without_carried(path: Path) -> None:
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(line for line in lines if "<kinegraph:carried" not in line))


def in_mujoco(path: Path) -> dict[str, dict[str, np.ndarray]]:
    """Return the poses of the bodies for each keyframe."""
    model = mujoco_model(path)
    data = mujoco.MjData(model)
    found = {}
    for number in range(model.nkey):
        mujoco.mj_resetDataKeyframe(model, data, number)
        mujoco.mj_kinematics(model, data)
        bodies = [data.body(name) for name in ("a", "b")]
        found[model.key(number).name] = {
            body.name: np.vstack([np.column_stack([body.xmat.reshape(3, 3), body.xpos]), [0, 0, 0, 1]])
            for body in bodies
        }
    return found


def in_pinocchio(urdf: Path) -> dict[str, dict[str, np.ndarray]]:
    model = pin.buildModelFromUrdf(str(urdf))
    pin.loadReferenceConfigurations(model, str(urdf.with_suffix(".srdf")), False)
    data = model.createData()
    found = {}
    for each in model.referenceConfigurations:
        pin.framesForwardKinematics(model, data, each.data())
        found[each.key()] = {name: data.oMf[model.getFrameId(name)].homogeneous for name in ("a", "b")}
    return found


def alike(ours: dict[str, dict[str, np.ndarray]], theirs: dict[str, dict[str, np.ndarray]]) -> bool:
    assert ours.keys() == theirs.keys() != set()
    return all(
        np.allclose(ours[state][body], theirs[state][body], rtol=0, atol=1e-12)
        for state in ours
        for body in ours[state]
    )


@pytest.mark.parametrize("name", MODELS)
def test_pinocchio_has_the_keyframes_of_mujoco(tmp_path: Path, name: str) -> None:
    source = written(tmp_path, name)
    complete(convert(source, tmp_path / "m.urdf"))
    assert alike(in_mujoco(source), in_pinocchio(tmp_path / "m.urdf"))
    assert read(tmp_path / "m.urdf") == read(source)
    convert(tmp_path / "m.urdf", tmp_path / "back.xml")
    assert alike(in_mujoco(source), in_mujoco(tmp_path / "back.xml"))


@pytest.mark.parametrize("name", MODELS)
def test_so_does_what_reads_the_plain_files(tmp_path: Path, name: str) -> None:
    source = written(tmp_path, name)
    convert(source, tmp_path / "m.urdf")
    without_carried(tmp_path / "m.urdf")
    convert(tmp_path / "m.urdf", tmp_path / "back.xml")
    without = (tmp_path / "back.xml").read_text()
    assert "ref=" not in without
    assert alike(in_mujoco(source), in_mujoco(tmp_path / "back.xml"))
    before = plain(tmp_path / "m.srdf")
    convert(tmp_path / "m.urdf", tmp_path / "again.urdf")
    assert plain(tmp_path / "again.srdf") == before
    convert(tmp_path / "back.xml", tmp_path / "back.urdf")
    assert plain(tmp_path / "back.srdf") == before


def test_joints_that_an_attached_keyframe_does_not_name_stand_as_drawn(tmp_path: Path) -> None:
    (tmp_path / "arm.xml").write_text(
        f"""<mujoco><worldbody><body name="b"><joint name="k" ref="10"/>{HEAVY}</body></worldbody>
        <keyframe><key name="up" qpos=".5"/></keyframe></mujoco>"""
    )
    (tmp_path / "m.xml").write_text(
        f"""<mujoco><asset><model name="arm" file="arm.xml"/></asset><worldbody>
        <body name="a"><joint name="j" ref="20"/>{HEAVY}<attach model="arm" body="b" prefix="p_"/></body>
        </worldbody></mujoco>"""
    )
    convert(tmp_path / "m.xml", tmp_path / "m.urdf")
    model = mujoco_model(tmp_path / "m.xml")
    ((_, _, _, joints),) = plain(tmp_path / "m.srdf")[3]
    said = {dict(attributes)["name"]: dict(attributes)["value"][0] for _, attributes, _, _ in joints}
    assert said == pytest.approx(dict(zip(("j", "p_k"), model.key(0).qpos, strict=True)))


def test_what_a_report_says_of_states_with_another_zero(tmp_path: Path) -> None:
    report = convert(written(tmp_path, "ref"), tmp_path / "m.urdf")
    told = {finding.where: finding.after for finding in of_rule(report, "urdf/keyframe-zero")}
    assert told["keyframe/k0.positions"] == '[["j", [0.2]], ["s", [0.3]], ["k", [0.5]]]'
    assert set(told) == {f"keyframe/k{number}.positions" for number in range(3)}


def test_a_pose_of_a_screw_is_that_of_its_hinge_and_slide(tmp_path: Path) -> None:
    links = "".join(f'<link name="{name}"/>' for name in "ab")
    joint = """<joint name="j" type="screw"><parent>a</parent><child>b</child><pose>.1 0 0 0 0 0</pose>
      <axis><xyz>0 0 1</xyz></axis><screw_thread_pitch>.3</screw_thread_pitch></joint>"""
    (tmp_path / "m.sdf").write_text(f'<sdf version="1.11"><model name="m">{links}{joint}</model></sdf>')
    posed = ("j=0.7",)
    complete(convert(tmp_path / "m.sdf", tmp_path / "m.urdf", options=Options(base="fixed", pose=posed)))
    found = pin.buildModelFromUrdf(str(tmp_path / "m.urdf"))
    pin.loadReferenceConfigurations(found, str(tmp_path / "m.srdf"), False)
    data = found.createData()
    pin.framesForwardKinematics(found, data, found.referenceConfigurations["pose"])
    theirs = data.oMf[found.getFrameId("b")].homogeneous
    pose = forward(read(tmp_path / "m.sdf"), {"j": 0.7})["b"]
    assert theirs[:3, 3] == pytest.approx(pose.pos, abs=1e-12)
    assert theirs[0, 0] == pytest.approx(np.cos(0.7), abs=1e-12)


def test_a_state_of_a_floating_joint_may_be_asked_for(tmp_path: Path) -> None:
    """--pose FILE.srdf:STATE sets the state defined next to the model."""
    source = written(tmp_path, "free")
    convert(source, tmp_path / "m.urdf")
    options = Options(pose=(f"{tmp_path / 'm.srdf'}:k0",))
    convert(tmp_path / "m.urdf", tmp_path / "posed.xml", options=options)
    found = in_mujoco(tmp_path / "posed.xml")
    assert alike({"pose": found["k0"]}, {"pose": found["pose"]})


UNIT = '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
LINK = f'<link name="{{}}"><inertial><mass value="1"/>{UNIT}</inertial></link>'
JOINT = '<joint name="{}" type="{}"><parent link="{}"/><child link="{}"/>{}</joint>'
ORIGIN, AXIS, FOLLOWS = '<origin xyz="1 0 0" rpy="0 .2 1.5"/>', '<axis xyz="0 0 1"/>', '<mimic joint="j"/>'
STATE = """<robot name="r">{}<group name="g"><joint name="f"/><joint name="j"/></group><group_state name="s" group="g">
  <joint name="f" value="1 2 3 0 0.6 0 0.8"/><joint name="j" value="0.5"/></group_state></robot>"""


def with_state(folder: Path, *joints: tuple[str, str, str, str, str], virtual: str = "") -> Path:
    links = "".join(map(LINK.format, dict.fromkeys(end for joint in joints for end in joint[2:4])))
    made = "".join(JOINT.format(*joint) for joint in joints)
    (folder / "m.urdf").write_text(f'<robot name="r">{links}{made}</robot>')
    (folder / "m.srdf").write_text(STATE.format(virtual))
    return folder / "m.urdf"


@pytest.mark.parametrize("follows", ["", FOLLOWS])
@pytest.mark.parametrize("base", ["keep", "fixed"])
def test_a_state_of_what_floats_inside_the_tree_is_that_of_slides_and_a_ball(
    base: str, follows: str, tmp_path: Path
) -> None:
    joints = (("f", "floating", "base", "a", ORIGIN), ("j", "continuous", "a", "b", AXIS))
    source = with_state(tmp_path, *joints, ("k", "continuous", "b", "c", AXIS + follows))
    report = complete(convert(source, tmp_path / "m.xml", options=Options(base=base)))
    assert alike(in_mujoco(tmp_path / "m.xml"), in_pinocchio(source))
    assert len(of_rule(report, "keys/followers")) == len(follows[:1])
    assert "mjcf/keyframe-whole" not in {finding.rule for finding in report.findings}
    convert(tmp_path / "m.xml", tmp_path / "back.urdf")
    assert read(tmp_path / "back.urdf") == read(source)


def test_a_state_is_not_about_a_base_that_the_user_has_fixed(tmp_path: Path) -> None:
    virtual = '<virtual_joint name="f" type="floating" parent_frame="map" child_link="base"/>'
    joints = (("j", "continuous", "base", "a", AXIS), ("k", "continuous", "a", "b", AXIS + FOLLOWS))
    source = with_state(tmp_path, *joints, virtual=virtual)
    report = complete(convert(source, tmp_path / "m.xml", options=Options(base="fixed")))
    model = mujoco_model(tmp_path / "m.xml")
    assert model.key("s").qpos.tolist() == [0.5, 0.5]
    assert {finding.where for finding in of_rule(report, "base/asked")} == {"joint/f.dofs", "keyframe/s.dofs"}
    assert not of_rule(report, "base/chosen")
    convert(tmp_path / "m.xml", tmp_path / "back.urdf")
    assert read(tmp_path / "back.urdf") == read(source)


def test_a_quaternion_of_another_length_is_a_turn_and_what_else_a_state_holds_comes_back(tmp_path: Path) -> None:
    root = '<virtual_joint name="v" type="floating" parent_frame="w" child_link="base"/>'
    root += '<group name="g"><joint name="v"/></group>'
    state = '<group_state name="s" group="g"><note x="1"/><joint name="v" value="1 2 3 0 0 0.6 1.8"/></group_state>'
    reading = reading_of(tmp_path, root, state)
    (values,) = (value for name, value in reading.scene.tables["keyframe"]["s"].positions if len(value) == 7)
    assert values == pytest.approx((1, 2, 3, 0.9486832980505138, 0, 0, 0.31622776601683794))
    for name in ("again.urdf", "via.xml", "via.urdf"):
        convert(tmp_path / ("arm.urdf" if name != "via.urdf" else "via.xml"), tmp_path / name)
    for name in ("again.srdf", "via.srdf"):
        assert plain(tmp_path / name) == plain(tmp_path / "arm.srdf")


def test_the_namespaces_of_a_document_come_back(tmp_path: Path) -> None:
    path = placed(tmp_path, '<robot name="arm" xmlns:own="http://own"><own:word x="1"/></robot>')
    convert(path, tmp_path / "out.urdf")
    assert 'xmlns:own="http://own"' in (tmp_path / "out.srdf").read_text()


def test_where_a_base_stands_counts_as_soon_as_it_floats(tmp_path: Path) -> None:
    """The source has no such joint; root_joint is the name that Pinocchio would give it."""
    state = '<joint name="root_joint" value="1 2 3 0 0 0 1"/><joint name="elbow" value="0.5"/>'
    state = f'<group_state name="s" group="g">{state}</group_state>'
    source = reading_of(tmp_path, '<group name="g"><joint name="elbow"/></group>', state).context.file
    report = complete(convert(source, tmp_path / "to" / "r.urdf", options=Options(base="floating")))
    assert [(each.action, each.where) for each in of_rule(report, "urdf/keyframe-base")] == [
        ("derived", f"keyframe/s.{field}") for field in ("dofs", "extras.joint[1]", "positions")
    ]
    seen = read(tmp_path / "to" / "r.urdf", options=Options(carried=False))
    assert dict(seen.tables["keyframe"]["s"].positions) == {"base_free": (1, 2, 3, 1, 0, 0, 0), "elbow": (0.5,)}


@pytest.mark.parametrize("between", ["xml", "sdf"])
def test_where_a_base_stands_counts_in_other_formats_where_it_floats(between: str, tmp_path: Path) -> None:
    """Judged by MuJoCo, whose simulation would begin in the ground else."""
    state = '<joint name="root_joint" value="1 2 3 0 0 0 1"/><joint name="elbow" value="0.5"/>'
    state = f'<group_state name="s" group="g">{state}</group_state>'
    source = reading_of(tmp_path, '<group name="g"><joint name="elbow"/></group>', state).context.file
    output = tmp_path / "to" / f"r.{between}"
    report = complete(convert(source, output, options=Options(base="floating")))
    if between == "xml":
        assert [(each.action, each.where) for each in of_rule(report, "keys/base")] == [
            ("derived", f"keyframe/s.{field}") for field in ("dofs", "extras.joint[1]", "positions")
        ]
        assert mujoco_model(output).key("s").qpos[:7].tolist() == [1, 2, 3, 1, 0, 0, 0]
    for name, each in (("back", output), ("straight", source)):
        convert(each, tmp_path / name / "r.urdf")
    assert plain(tmp_path / "back" / "r.srdf") == plain(tmp_path / "straight" / "r.srdf")
