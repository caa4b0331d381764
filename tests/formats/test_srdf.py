"""SRDF: what is read from it, where it is found, that it comes back, and what is reported for a bad one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import mujoco
import numpy as np
import pytest
from lxml import etree
from scipy.spatial.transform import Rotation

from converters.context import Options
from converters.convert import convert, load, read
from converters.report.model import Action, Report
from ir.refs import rename
from ir.scene import Scene
from ir.types import Approximation, Ball, ContactRule, Dof, DofKind, EndEffector, Group, Joint, Keyframe
from tests.files import saved
from tests.formats.srdf_text import LINKS, SRDF, URDF, placed, plain, reading_of
from tests.oracles.in_mujoco import at_rest, mujoco_model, touching
from tests.oracles.in_pinocchio import configuration, link_poses, pinocchio_model
from tests.oracles.in_sdformat import sdformat_reads
from tests.reports import complete, of_rule

CONVERTIBLE = ("xml", "sdf", "glb")


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return read(placed(tmp_path))


def rules(report: Report) -> list[tuple[str, str]]:
    return [(finding.rule, finding.action.value) for finding in report.findings if finding.rule.startswith("srdf/")]


# ------------------------------------------------------------------------------------------------------------ reading


def test_groups_have_links_joints_chains_and_groups(scene: Scene) -> None:
    assert list(scene.tables["group"].values()) == [
        Group(name="arm", chains=(("base", "hand"),)),
        Group(name="hand", bodies=("thumb", "finger"), joints=("left", "right")),
        Group(name="all", joints=("stand",), groups=("arm", "hand")),
    ]
    assert scene.tables["end_effector"] == {
        "gripper": EndEffector(name="gripper", group="hand", parent="hand", parent_group="arm")
    }


def test_a_state_is_a_keyframe_about_the_joints_that_it_names(scene: Scene) -> None:
    home, up, hand = scene.tables["keyframe"].values()
    assert home == Keyframe(name="home", group="arm", dofs=("shoulder", "elbow"), positions=(("shoulder", (0.5,)),))
    stands = ("stand", (1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0))
    assert up == Keyframe(name="up", group="all", dofs=("left", "stand"), positions=(stands, ("left", (0.1,))))
    assert (hand.name, hand.label, hand.group) == ("hand_home", "home", "hand")


def test_a_virtual_joint_holds_the_robot_in_the_world(scene: Scene) -> None:
    joint = scene.joint_of("base")
    assert joint == Joint(
        name="stand", parent="world", child="base", dofs=(Dof(name="stand", kind=DofKind.FREE),), frame="odom"
    )
    assert scene.roots() == []


@pytest.mark.parametrize(
    ("word", "kinds"),
    [("fixed", []), ("planar", [("b_TX", DofKind.SLIDE), ("b_TY", DofKind.SLIDE), ("b_RZ", DofKind.HINGE)])],
)
def test_a_virtual_joint_is_fixed_or_moves_in_a_plane(
    tmp_path: Path, word: str, kinds: list[tuple[str, DofKind]]
) -> None:
    text = f'<virtual_joint name="b" type="{word}" parent_frame="world" child_link="base"/>'
    state = '<group_state name="s" group="g"><joint name="b" value="1 2 3"/></group_state>'
    scene = reading_of(tmp_path, text, '<group name="g"><joint name="b"/></group>', state).scene
    joint = scene.joint_of("base")
    assert joint is not None
    assert [(dof.name, dof.kind) for dof in joint.dofs] == kinds
    assert dict(scene.tables["keyframe"]["s"].positions) == {
        name: (value,) for (name, _), value in zip(kinds, (1.0, 2.0, 3.0), strict=False)
    }


def test_joints_have_marks_and_bodies_have_balls(scene: Scene) -> None:
    assert [joint.name for joint in scene.joints.values() if joint.passive] == ["right"]
    assert scene.joints["elbow"].properties == (("weight", "0.3"), ("kind", "soft"))
    balls = (Ball(centre=(0.0, 0.0, 0.1), radius=0.05), Ball(centre=(0.0, 0.0, 0.0), radius=0.1))
    assert scene.tables["approximation"] == {"upper": Approximation(name="upper", body="upper", balls=balls)}


def test_who_may_not_touch_whom_is_a_rule(scene: Scene) -> None:
    assert list(scene.tables["contact"].values()) == [
        ContactRule(name="exclude_base_upper", first="base", second="upper", reason="Adjacent"),
        ContactRule(name="exclude_finger", first="finger"),
        ContactRule(name="exclude_base_hand", first="base", second="hand", reason="Never"),
        ContactRule(name="allow_finger_base", first="finger", second="base", allow=True),
        ContactRule(name="exclude_thumb_hand", first="thumb", second="hand"),
    ]


def test_what_is_not_srdf_is_kept_and_every_item_is_counted(tmp_path: Path) -> None:
    reading = load(placed(tmp_path))
    assert [(extra.format, extra.path) for extra in reading.scene.extras] == [("srdf", "rotor_params[1]")]
    urdf, srdf = reading.context.documents
    assert srdf.totals()[3] == 5
    report = convert(placed(tmp_path), tmp_path / "out.xml")
    assert report.source_items == urdf.totals()[0] + srdf.totals()[0]
    assert report.source_items == report.read + report.ignored + report.unread
    assert [Path(file).name for file in report.source.files] == ["arm.urdf", "arm.srdf"]


def test_names_follow(scene: Scene) -> None:
    renamed = rename(rename(scene, "joint", {"elbow": "e"}), "dof", {"elbow": "f"})
    renamed = rename(rename(renamed, "body", {"hand": "palm"}), "group", {"hand": "fingers"})
    tables = renamed.tables
    assert tables["keyframe"]["home"].dofs == ("shoulder", "f")
    assert tables["group"]["arm"].chains == (("base", "palm"),)
    assert tables["group"]["all"].groups == ("arm", "fingers")
    assert tables["end_effector"]["gripper"] == EndEffector(
        name="gripper", group="fingers", parent="palm", parent_group="arm"
    )
    assert tables["keyframe"]["hand_home"].group == "fingers"
    assert tables["contact"]["exclude_base_hand"].second == "palm"
    alone = rename(scene, "body", {"finger": "nail"}).tables["contact"]["exclude_finger"]
    assert alone == ContactRule(name="exclude_finger", first="nail")


def test_a_link_of_another_name_in_the_graph_is_meant_by_its_own(tmp_path: Path) -> None:
    urdf = URDF.replace('"upper"', '"world"')
    element = '<disable_collisions link1="world" link2="hand"/>'
    path = placed(tmp_path, f'<robot name="arm">{element}<group name="g"><link name="world"/></group></robot>', urdf)
    found = read(path)
    assert found.tables["contact"]["exclude_world_1_hand"].first == "world_1"
    assert found.tables["group"]["g"].bodies == ("world_1",)
    convert(path, tmp_path / "out.urdf")
    assert plain(tmp_path / "out.srdf") == plain(path.with_suffix(".srdf"))


# ------------------------------------------------------------------------------------------------------------ writing


def test_it_comes_back_element_for_element_and_the_same_a_second_time(tmp_path: Path) -> None:
    path = placed(tmp_path)
    report = convert(path, tmp_path / "once" / "out.urdf")
    assert report.total(Action.UNEXPLAINED) == report.total(Action.DROPPED) == report.total(Action.CARRIED) == 0
    assert b"kinegraph" not in (tmp_path / "once" / "out.urdf").read_bytes()
    assert plain(tmp_path / "once" / "out.srdf") == plain(path.with_suffix(".srdf"))
    assert plain(tmp_path / "once" / "out.urdf") == plain(path)
    convert(tmp_path / "once" / "out.urdf", tmp_path / "twice" / "out.urdf")
    for name in ("out.urdf", "out.srdf"):
        assert (tmp_path / "twice" / name).read_bytes() == (tmp_path / "once" / name).read_bytes()
    assert read(tmp_path / "once" / "out.urdf") == read(path)


@pytest.mark.parametrize("suffix", CONVERTIBLE)
def test_it_comes_back_from_every_format(tmp_path: Path, suffix: str) -> None:
    path = placed(tmp_path)
    convert(path, tmp_path / "straight.urdf")
    complete(convert(path, tmp_path / f"out.{suffix}"))
    convert(tmp_path / f"out.{suffix}", tmp_path / "back" / "straight.urdf")
    assert (tmp_path / "back/straight.srdf").read_bytes() == (tmp_path / "straight.srdf").read_bytes()
    assert (tmp_path / "back/straight.urdf").read_bytes() == (tmp_path / "straight.urdf").read_bytes()
    assert read(tmp_path / f"out.{suffix}") == read(path)


@pytest.mark.parametrize("suffix", CONVERTIBLE)
def test_what_a_target_does_not_hold_is_accounted_for(tmp_path: Path, suffix: str) -> None:
    report = convert(placed(tmp_path), tmp_path / f"out.{suffix}")
    told = {finding.where for finding in report.findings if finding.action is Action.CARRIED}
    lines = {source.line for finding in report.findings for source in finding.sources if source.file.endswith(".srdf")}
    assert {"end_effector/gripper", "approximation/upper"} <= told
    for tag in ("group name", "end_effector", "link_sphere", "enable_coll", "disable_default", "rotor_params"):
        assert {number for number, line in enumerate(SRDF.splitlines(), 1) if f"<{tag}" in line} <= lines, tag


def test_without_an_srdf_its_content_is_carried_in_the_urdf(tmp_path: Path) -> None:
    given = placed(tmp_path)
    options = Options(srdf=given.with_suffix(".srdf"), find_srdf=False)
    report = convert(given, tmp_path / "one.urdf", options=options)
    assert not (tmp_path / "one.srdf").exists()
    complete(report)
    assert read(tmp_path / "one.urdf") == read(given)


def test_states_and_excludes_of_mjcf_stand_in_an_srdf(tmp_path: Path) -> None:
    text = """<mujoco><worldbody><body name="a"><freejoint name="f"/><geom size="1"/>
      <body name="b"><joint name="j"/><geom size="1"/></body></body></worldbody>
      <contact><exclude body1="a" body2="b"/></contact>
      <keyframe><key name="k" qpos="1 2 3 0 1 0 0 0.5"/></keyframe></mujoco>"""
    report = complete(convert(saved(tmp_path / "m.xml", text), tmp_path / "m.urdf"))
    joints = (("joint", (("name", "f"), ("value", (1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0))), "", ()),)
    joints += (("joint", (("name", "j"), ("value", (0.5,))), "", ()),)
    assert plain(tmp_path / "m.srdf")[3] == (
        ("group_state", (("name", "k"),), "", joints),
        ("disable_collisions", (("link1", "a"), ("link2", "b")), "", ()),
    )
    told = {finding.where for finding in of_rule(report, "urdf/keyframe-joints")}
    assert told == {"keyframe/k.dofs"}
    assert read(tmp_path / "m.urdf") == read(tmp_path / "m.xml")
    robots = [etree.parse(tmp_path / name).getroot().get("name") for name in ("m.urdf", "m.srdf")]
    assert robots == ["m", "m"]  # planners refuse two names; the model has none


def test_a_state_of_a_ball_turns_the_hinges_that_stand_for_it(tmp_path: Path) -> None:
    turned = np.array([0.5, -0.1, 0.7, 0.5])
    (tmp_path / "m.xml").write_text(
        '<mujoco><worldbody><body name="b"><joint name="j" type="ball"/><geom size="1"/></body></worldbody>'
        f'<keyframe><key name="k" qpos="{" ".join(map(str, turned))}"/></keyframe></mujoco>'
    )
    complete(convert(tmp_path / "m.xml", tmp_path / "m.urdf"))
    document = etree.parse(tmp_path / "m.urdf")
    states = {each.get("name"): float(each.get("value")) for each in etree.parse(tmp_path / "m.srdf").iter("joint")}
    whole = Rotation.identity()
    for name, angle in states.items():  # from the first link to the last
        axis = document.xpath("//joint[@name=$name]/axis/@xyz", name=name)[0]
        whole *= Rotation.from_rotvec(angle * np.array(axis.split(), dtype=float))
    assert len(states) == 3
    assert whole.as_quat(scalar_first=True) == pytest.approx(turned)


def test_the_srdf_of_the_source_is_never_written_over(tmp_path: Path) -> None:
    path = placed(tmp_path)
    path.rename(tmp_path / "arm.urdf.xacro")
    before = (tmp_path / "arm.srdf").read_bytes()
    report = convert(tmp_path / "arm.urdf.xacro", tmp_path / "arm.urdf")
    assert ("srdf/kept", "derived") in rules(report)
    assert (tmp_path / "arm.srdf").read_bytes() == before
    assert str(tmp_path / "arm.srdf") not in report.target.files
    assert read(tmp_path / "arm.urdf") == read(tmp_path / "arm.urdf.xacro")


def test_an_older_srdf_beside_the_output_is_told(tmp_path: Path) -> None:
    path = placed(tmp_path, None)
    (tmp_path / "out.srdf").write_text('<robot name="leg"/>')
    report = convert(path, tmp_path / "out.urdf")
    assert rules(report) == [("srdf/left", "approximated")]
    assert (tmp_path / "out.srdf").read_text() == '<robot name="leg"/>'


# ------------------------------------------------------------------------------------------------------------- engines


@pytest.fixture
def compiled(tmp_path: Path) -> Callable[..., mujoco.MjModel]:
    def model(srdf: str | None = SRDF, **options: object) -> mujoco.MjModel:
        convert(placed(tmp_path, srdf), tmp_path / "out.xml", options=Options(**options))
        return mujoco_model(tmp_path / "out.xml")

    return model


def test_mujoco_has_the_states_and_the_free_base(compiled: Callable[..., mujoco.MjModel]) -> None:
    model = compiled()
    assert model.joint("stand").type[0] == mujoco.mjtJoint.mjJNT_FREE
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, model.key("up").id)
    assert data.joint("stand").qpos.tolist() == [1, 2, 3, 1, 0, 0, 0]
    assert data.joint("left").qpos[0] == 0.1
    mujoco.mj_resetDataKeyframe(model, data, model.key("home").id)
    assert (data.joint("shoulder").qpos[0], data.joint("elbow").qpos[0]) == (0.5, 0)


def test_mujoco_lets_touch_who_may(compiled: Callable[..., mujoco.MjModel]) -> None:
    """hand is welded to lower, whose children are thumb and finger: parents and children never collide."""
    without = touching(at_rest(compiled(None)))
    assert {frozenset(pair) for pair in (("base", "lower"), ("base", "hand"), ("finger", "base"))} <= without
    found = touching(at_rest(compiled()))
    forbidden = [
        ("base", "upper"),
        ("base", "hand"),
        ("thumb", "hand"),
        *(("finger", name) for name in LINKS if name != "base"),
    ]
    assert without - found == {frozenset(pair) for pair in forbidden} & without
    assert frozenset(("finger", "base")) in found


@pytest.mark.parametrize("base", ["fixed", "floating"])
def test_the_base_that_is_asked_for_wins(compiled: Callable[..., mujoco.MjModel], base: str) -> None:
    planar = '<robot name="arm"><virtual_joint name="v" type="{}" parent_frame="w" child_link="base"/></robot>'
    other = "floating" if base == "fixed" else "fixed"
    assert compiled(planar.format(other), base=base).nq == compiled(planar.format(base)).nq


def test_a_pair_named_twice_is_no_fault_for_mujoco(compiled: Callable[..., mujoco.MjModel]) -> None:
    twice = '<disable_collisions link1="base" link2="hand"/><disable_collisions link1="hand" link2="base"/>'
    model = compiled(f'<robot name="arm">{twice}</robot>')
    assert frozenset(("base", "hand")) not in touching(at_rest(model))


def test_links_without_mass_that_an_srdf_names_are_frames_to_gazebo(tmp_path: Path) -> None:
    heavy = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    origin = '<origin xyz="0 .1 .2" rpy="{1} .2 .3"/>'
    fixed = f'<joint name="{{0}}_joint" type="fixed">{origin}<parent link="{{2}}"/><child link="{{0}}"/></joint>'
    (tmp_path / "r.urdf").write_text(
        f"""<robot name="r"><link name="base">{heavy}</link><link name="arm">{heavy}</link><link name="flange"/>
        <link name="tool0"/><joint name="j" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>
        <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>{fixed.format("flange", 0.4, "arm")}
        {fixed.format("tool0", 0.5, "flange")}</robot>"""
    )
    (tmp_path / "r.srdf").write_text(
        """<robot name="r"><group name="arm"><chain base_link="base" tip_link="tool0"/></group>
        <group name="tip"><link name="tool0"/><joint name="tool0_joint"/></group>
        <end_effector name="ee" parent_link="tool0" group="tip"/>
        <disable_collisions link1="base" link2="tool0" reason="Never"/></robot>"""
    )
    complete(convert(tmp_path / "r.urdf", tmp_path / "out" / "r.sdf"))
    found = sdformat_reads(tmp_path / "out" / "r.sdf")
    assert (found["errors"], list(found["links"])) == ([], ["base", "arm"])
    model = pinocchio_model(tmp_path / "r.urdf")
    places = link_poses(model, configuration(model, {}))
    for name in ("flange", "tool0"):
        place, turn = np.split(np.array(found["frames"][name]["pose"]), [3])
        assert np.allclose(place, places[name][:3, 3], rtol=0, atol=1e-9)
        turned = Rotation.from_quat(turn, scalar_first=True).as_matrix()
        assert np.allclose(turned, places[name][:3, :3], rtol=0, atol=1e-9)
    convert(tmp_path / "out" / "r.sdf", tmp_path / "back" / "r.urdf")
    assert read(tmp_path / "back" / "r.urdf") == read(tmp_path / "r.urdf")
