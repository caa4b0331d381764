"""Extensions of Drake, Isaac, MuJoCo and ros2_control in a URDF, and states of SRDF: judged by MuJoCo and Drake."""

import re
from pathlib import Path

import mujoco
import numpy as np
import pytest
import trimesh
from lxml import etree

from converters.convert import convert
from converters.report.model import Report
from tests.files import saved
from tests.oracles.in_drake import drake_reads
from tests.oracles.in_mujoco import at_rest, mujoco_model
from tests.oracles.in_sdformat import sdformat_reads
from tests.reports import comes_back, explained, of_rule

INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
BALL = '<collision name="%s"><geometry><sphere radius="0.1"/></geometry>%s</collision>'
PROXIMITY = "<drake:proximity_properties>%s</drake:proximity_properties>"
ROBOT = f"""<robot name="r" xmlns:drake="http://drake.mit.edu">
<link name="base">{INERTIAL}</link>
<link name="a">{INERTIAL}{BALL}</link>
<link name="b">{INERTIAL}{BALL % ("cb", "")}</link>
<joint name="ja" type="revolute"><origin xyz="0 0 0.3"/><parent link="base"/><child link="a"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="1" effort="5" velocity="1"/></joint>
<joint name="jb" type="revolute"><origin xyz="0.1 0 0.3"/><parent link="base"/><child link="b"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="1" effort="5" velocity="1"/>%s</joint>
%s</robot>"""
GROUPS = """<drake:collision_filter_group name="left"><drake:member link="a"/><drake:member_group name="right"/>
%s</drake:collision_filter_group>
<drake:collision_filter_group name="right"><drake:member link="b"/></drake:collision_filter_group>"""
IGNORED = '<drake:ignored_collision_filter_group name="%s"/>'
LOOP = """<loop_joint name="lj" type="%s"><link1 link="a" xyz="0 0 0.5" rpy="0 0 0.2"/>
<link2 link="b" xyz="%s 0 0.5" rpy="0 0 0.2"/></loop_joint>"""


def robot(folder: Path, blocks: str = "", collision: str = "", joint: str = "") -> Path:
    return saved(folder / "robot.urdf", ROBOT % ("ca", collision, joint, blocks))


def converted(source: Path, target: Path) -> Report:
    """Return the report; check that the way back gives the URDF as if converted from itself, byte for byte."""
    report = convert(source, target)
    convert(source, source.with_name("same.urdf"))
    convert(target, source.with_name("back.urdf"))
    assert source.with_name("back.urdf").read_bytes() == source.with_name("same.urdf").read_bytes()
    return report


def in_mujoco(source: Path) -> tuple[mujoco.MjModel, Report]:
    target = source.with_suffix(".xml")
    report = converted(source, target)
    return mujoco_model(target), report


def where(report: Report, rule: str) -> list[str]:
    return [finding.where for finding in of_rule(report, rule)]


# --------------------------------------------------------------------------------------------------------------- MuJoCo


@pytest.mark.parametrize(
    "own", ["", INERTIAL, INERTIAL.replace('"1"', '"1e-6"'), INERTIAL.replace('izz="1"', 'izz="3"')]
)
@pytest.mark.parametrize(
    "compiler",
    [
        'boundmass="0.1" boundinertia="0.001"',
        'boundmass="0.1" boundinertia="0.001" balanceinertia="true"',
        'boundmass="0.01" balanceinertia="false"',
        'balanceinertia="true"',
    ],
)
def test_inertias_are_bounded_and_balanced_as_mujoco_does_in_the_urdf(tmp_path: Path, own: str, compiler: str):
    """Also for massless links; what MuJoCo refuses is repaired as everywhere."""
    block = f'<mujoco><compiler {compiler} fusestatic="false"/></mujoco>'
    turned = own.replace("<mass", '<origin xyz="0.1 0 0" rpy="0.3 0.2 0.1"/><mass')
    source = robot(tmp_path, block)
    text = source.read_text().replace(f'<link name="a">{INERTIAL}', f'<link name="a">{turned}')
    source.write_text(text if own else re.sub("<collision.*?</collision>", "", text, count=1))  # else that weighs
    ours, report = in_mujoco(source)
    explained(report)
    try:
        theirs = mujoco_model(source)
    except ValueError:
        assert "boundinertia" not in compiler if not own else 'izz="3"' in own and '"true"' not in compiler
    else:
        for field in ("body_mass", "body_ipos"):
            assert np.allclose(getattr(ours, field), getattr(theirs, field), rtol=1e-12, atol=1e-15)
        moments = (np.sort(each.body_inertia) for each in (ours, theirs))
        assert np.allclose(*moments, rtol=1e-9, atol=1e-15)
    comes_back(source, tmp_path / "robot.xml")


@pytest.mark.parametrize("compiler", [
    'settotalmass="10"', 'settotalmass="10" fusestatic="false"', 'inertiafromgeom="true"',
    'inertiafromgeom="true" boundmass="3" settotalmass="10"', 'inertiafromgeom="true" inertiagrouprange="1 5"',
])  # fmt: skip
def test_masses_are_those_that_mujoco_gives_the_urdf(tmp_path: Path, compiler: str):
    """Of its own import, which merges the root with the world where nothing else is said."""
    source = robot(tmp_path, f"<mujoco><compiler {compiler}/></mujoco>")
    box = '<collision name="box"><origin xyz=".1 0 .2"/><geometry><box size=".1 .2 .3"/></geometry></collision>'
    source.write_text(source.read_text().replace('<link name="b">', f'<link name="b">{box}'))
    ours, report = in_mujoco(source)
    explained(report)
    theirs = mujoco_model(source)
    for index in range(1, theirs.nbody):
        name = theirs.body(index).name
        assert np.allclose(ours.body(name).mass, theirs.body(index).mass, rtol=1e-12)
        assert np.allclose(np.sort(ours.body(name).inertia), np.sort(theirs.body(index).inertia), rtol=1e-9)
        assert np.allclose(ours.body(name).ipos, theirs.body(index).ipos, atol=1e-12)
    assert theirs.nbody > 1
    comes_back(source, tmp_path / "robot.xml")


def test_options_are_those_that_mujoco_takes_from_the_urdf(tmp_path: Path):
    options = """<mujoco><compiler balanceinertia="true"/><option timestep="0.001" gravity="0 0 -1.6"
    integrator="implicitfast" wind="1 0 0"><flag contact="disable"/></option></mujoco>"""
    source = robot(tmp_path, options)
    ours, report = in_mujoco(source)
    theirs = mujoco_model(source)
    for name in ("gravity", "timestep", "integrator", "wind", "disableflags"):
        assert np.array_equal(getattr(ours.opt, name), getattr(theirs.opt, name)), name
    assert where(report, "mujoco/option") == ["block/mujoco", "physics/physics"]
    assert where(report, "mjcf/simulator-block") == ["block/mujoco_rest"]


def test_options_that_mujoco_does_not_know_stay_in_their_block(tmp_path: Path):
    source = robot(tmp_path, '<mujoco><option timestep="0.001" pace="slow"/></mujoco>')
    ours, report = in_mujoco(source)
    assert ours.opt.timestep == 0.002
    assert where(report, "mjcf/simulator-block") == ["block/mujoco"]


def test_options_edited_in_the_mjcf_reach_the_urdf(tmp_path: Path):
    source = robot(tmp_path, '<mujoco><option timestep="0.001"/></mujoco>')
    target = tmp_path / "robot.xml"
    convert(source, target)
    target.write_text(target.read_text().replace('timestep="0.001"', 'timestep="0.005"'))
    convert(target, tmp_path / "edited.xml")
    convert(target, tmp_path / "edited.urdf")
    convert(tmp_path / "edited.urdf", tmp_path / "again.xml")
    assert 'timestep="0.001"' not in (tmp_path / "edited.urdf").read_text()
    assert mujoco_model(tmp_path / "again.xml").opt.timestep == 0.005


# ---------------------------------------------------------------------------------------------------------------- Drake


@pytest.mark.parametrize("ignored", ["left", "right", ""])
def test_groups_of_drake_are_pairs_that_do_not_collide(tmp_path: Path, ignored: str):
    """Drake itself gives the geometries that may still collide."""
    source = robot(tmp_path, GROUPS % (IGNORED % ignored if ignored else ""))
    ours, report = in_mujoco(source)
    kept_apart = {frozenset((signature >> 16, signature & 0xFFFF)) for signature in map(int, ours.exclude_signature)}
    pair = frozenset(mujoco.mj_name2id(ours, mujoco.mjtObj.mjOBJ_BODY, name) for name in "ab")
    assert (pair in kept_apart) == (not _meet_in_drake(source))
    assert bool(where(report, "drake/collision-filter")) == bool(ignored)


def _meet_in_drake(source: Path) -> bool:
    from pydrake.multibody.parsing import Parser
    from pydrake.multibody.plant import AddMultibodyPlantSceneGraph
    from pydrake.systems.framework import DiagramBuilder

    plant, graph = AddMultibodyPlantSceneGraph(DiagramBuilder(), 0.0)
    Parser(plant).AddModels(str(source))
    plant.Finalize()
    inspector = graph.model_inspector()
    pairs = inspector.GetCollisionCandidates()
    return any({inspector.GetName(one)[-2:], inspector.GetName(other)[-2:]} == {"ca", "cb"} for one, other in pairs)


@pytest.mark.parametrize(
    ("said", "friction"),
    [
        ('<drake:mu_static value="0.4"/><drake:mu_dynamic value="0.3"/>', 0.3),
        ('<drake:mu_static value="0.4"/>', 0.4),
        ('<drake:mu_static value="slippery"/>', 1.0),
        ("<drake:compliant_hydroelastic/>", 1.0),
    ],
)
def test_friction_of_proximity_properties(tmp_path: Path, said: str, friction: float):
    ours, report = in_mujoco(robot(tmp_path, collision=PROXIMITY % said))
    assert ours.geom("ca").friction[0] == friction
    assert bool(where(report, "drake/friction")) == (friction != 1.0)
    target = tmp_path / "robot.sdf"
    converted(tmp_path / "robot.urdf", target)
    assert not sdformat_reads(target)["errors"]
    mu = etree.parse(target).findtext(".//collision[@name='ca']//mu")
    assert mu == (str(friction) if friction != 1.0 else None)


# ---------------------------------------------------------------------------------------------------------------- Isaac


@pytest.mark.parametrize(
    ("kind", "equality"), [("spherical", mujoco.mjtEq.mjEQ_CONNECT), ("fixed", mujoco.mjtEq.mjEQ_WELD)]
)
def test_loop_joints_hold_their_links_together(tmp_path: Path, kind: str, equality: mujoco.mjtEq):
    ours, report = in_mujoco(robot(tmp_path, LOOP % (kind, "-0.1")))
    assert ours.eq_type.tolist() == [equality]
    data = at_rest(ours)
    assert np.abs(data.efc_pos[data.efc_type == mujoco.mjtConstraint.mjCNSTR_EQUALITY]).max() < 1e-12
    assert where(report, "loops/equation") == ["constraint/lj"]
    target = tmp_path / "robot.sdf"
    report = converted(tmp_path / "robot.urdf", target)
    read = sdformat_reads(target)
    assert not read["errors"]
    joint = etree.parse(target).find(".//joint[@name='lj']")
    assert (joint.get("type"), joint.findtext("parent"), joint.findtext("child")) == (
        {"spherical": "ball"}.get(kind, kind),
        "a",
        "b",
    )
    assert where(report, "isaac/loop-joint") == ["loop/lj"]


@pytest.mark.parametrize(("kind", "along"), [("spherical", "0.4"), ("hinge", "-0.1"), ("spherical", "far")])
def test_loop_joints_that_no_equation_says_stay_as_they_are(tmp_path: Path, kind: str, along: str):
    ours, report = in_mujoco(robot(tmp_path, LOOP % (kind, along)))
    assert not ours.neq
    assert any("loop_joint" in finding.where for finding in report.findings if finding.action == "carried")


# --------------------------------------------------------------------------------------------------------- ros2_control

CONTROL = """<ros2_control name="hw" type="system"><joint name="ja"><command_interface name="position">
<param name="min">-0.5</param><param name="max">0.25</param></command_interface>
<state_interface name="position"><param name="initial_value">0.3</param></state_interface></joint>
<joint name="jb"><command_interface name="velocity"><param name="min">-3</param>
<param name="max">2</param></command_interface>
<command_interface name="effort"><param name="min">-7</param><param name="max">4</param></command_interface></joint>
</ros2_control>"""


def test_ros2_control_bounds_its_commands_and_says_where_it_starts(tmp_path: Path):
    ours, report = in_mujoco(robot(tmp_path, CONTROL))
    assert ours.actuator("ja").ctrlrange.tolist() == [-0.5, 0.25]
    assert ours.actuator("jb").ctrlrange.tolist() == [-7, 4], "a drive that takes effort is a motor"
    assert ours.key("initial").qpos.tolist() == [0.3, 0.0]
    assert where(report, "keys/initial") == ["keyframe/initial"]


# ----------------------------------------------------------------------------------------------------------------- SRDF

STATES = """<robot name="r"><group name="g"><joint name="ja"/></group>
<group_state name="open" group="g"><joint name="ja" value="0.4"/></group_state>
<group_state name="bent" group="g"><joint name="ja" value="0.4"/><joint name="jb" value="0.3"/></group_state></robot>"""


def test_states_that_name_a_leader_have_its_followers_follow(tmp_path: Path):
    """A state that violates the equation would move the gripper by itself. A value that is given is kept."""
    source = robot(tmp_path, joint='<mimic joint="ja" multiplier="-2" offset="0.1"/>')
    (tmp_path / "robot.srdf").write_text(STATES)
    ours, report = in_mujoco(source)
    assert ours.key("open").qpos.tolist() == [0.4, -0.7000000000000001]
    assert ours.key("bent").qpos.tolist() == [0.4, 0.3]
    data = mujoco.MjData(ours)
    mujoco.mj_resetDataKeyframe(ours, data, ours.key("open").id)
    mujoco.mj_forward(ours, data)
    assert abs(data.efc_pos[0]) < 1e-15
    told = of_rule(report, "keys/followers")
    assert [(finding.where, finding.action) for finding in told] == [("keyframe/open.positions", "derived")]


@pytest.mark.parametrize(
    ("compiler", "name"),
    [('meshdir="../meshes"', "cube.stl"), ('meshdir="../meshes" strippath="true"', "../meshes/cube.stl")],
)
def test_meshes_lie_where_mujoco_looks_for_them(tmp_path: Path, compiler: str, name: str):
    (tmp_path / "meshes").mkdir()
    trimesh.creation.box((1, 2, 3)).export(tmp_path / "meshes" / "cube.stl")
    source, out = tmp_path / "urdf" / "r.urdf", tmp_path / "far" / "out"
    source.parent.mkdir()
    block = f'<mujoco>\n    <compiler {compiler} discardvisual="false"/>\n  </mujoco>\n  '
    shape = f'<visual><geometry><mesh filename="{name}"/></geometry></visual>'
    source.write_text(f'<robot name="r">\n  {block}<link name="a">{shape}{INERTIAL}</link></robot>')
    assert mujoco_model(source).nmesh == 1
    for target in (out / "r.xml", out / "r.urdf", tmp_path / "urdf" / "s.urdf"):
        report = convert(source, target)
        assert not [each for each in report.findings if each.rule == "assets/missing" or each.action == "unexplained"]
        model = mujoco_model(target)
        assert np.ptp(model.mesh_vert, axis=0) == pytest.approx((1, 2, 3))
    (told,) = {each.rule for each in convert(source, out / "r.urdf").findings if "meshdir" in each.before}
    assert told == "urdf/block-place"
    assert block in (tmp_path / "urdf" / "s.urdf").read_text()
    convert(out / "r.urdf", tmp_path / "back.xml")
    assert compiler.replace('"', '\\"') in (tmp_path / "back.xml").read_text(), "the block is the author's again"


def test_drake_words_of_sdf_are_told_as_what_becomes_of_them(tmp_path: Path):
    box = "<geometry><box><size>1 1 1</size></box></geometry>"
    rubs = PROXIMITY % "<drake:mu_static>0.3</drake:mu_static><drake:mu_dynamic>0.2</drake:mu_dynamic>"
    gear = "<drake:rotor_inertia>0.001</drake:rotor_inertia><drake:gear_ratio>100</drake:gear_ratio>"
    source = tmp_path / "robot.sdf"
    source.write_text(
        f"""<sdf version="1.9" xmlns:drake="http://drake.mit.edu"><model name="m"><link name="a"/>
        <link name="b"><pose>0 0 3 0 0 0</pose><collision name="cb">{box}{rubs}</collision></link>
        <link name="c"><pose>0 0 6 0 0 0</pose></link>
        <joint name="w" type="fixed"><parent>world</parent><child>a</child></joint>
        <joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis>{gear}</joint>
        <drake:joint name="p" type="planar"><drake:parent>b</drake:parent><drake:child>c</drake:child>
        <drake:damping>1 2 3</drake:damping></drake:joint></model></sdf>"""
    )
    ours, report = in_mujoco(source)
    assert ours.geom("cb").friction[0] == 0.2
    assert ours.joint("j").armature[0] == pytest.approx(10)
    assert ours.body("c").dofnum[0] == 6  # free, as the report says
    assert where(report, "drake/friction") == ["body/b.geoms.cb.surface"]
    assert where(report, "mjcf/drake-contact") == ["body/b.geoms.cb.extras.drake:proximity_properties[1]"]
    assert sorted(where(report, "mjcf/drake-rotor")) == [
        f"joint/j.extras.drake:{word}[1]" for word in ("gear_ratio", "rotor_inertia")
    ]
    assert where(report, "mjcf/drake-joint") == ["scene/extras.model[1]/drake:joint[1]"]
    assert where(report, "mjcf/foreign-element") == []
    for suffix in ("urdf", "glb"):
        report = convert(source, tmp_path / f"robot.{suffix}")
        assert where(report, f"{suffix.replace('glb', 'gltf')}/drake-joint") == ["scene/extras.model[1]/drake:joint[1]"]
    for suffix in ("xml", "urdf", "glb"):
        convert(tmp_path / f"robot.{suffix}", tmp_path / "back.sdf")
        texts = [etree.canonicalize(path.read_text(), strip_text=True) for path in (source, tmp_path / "back.sdf")]
        assert texts[0] == texts[1]


PIXELS = """<robot name="r"><link name="l"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0"
  izz="1"/></inertial></link><sensor name="s" update_rate="20"><parent link="l"/><origin xyz="0 0 0" rpy="0 0 0"/>
  <camera><image width="640" height="480" format="%s" hfov="1" near="0.05" far="10"/></camera></sensor></robot>"""


@pytest.mark.parametrize(("word", "written"), [("RGB8", "R8G8B8"), ("bayer_gbrg8", "BAYER_GBRG8"), ("L16", "L16")])
def test_pixels_that_ros_names_have_the_words_of_sdformat(tmp_path: Path, word: str, written: str):
    """urdfdom's sensors use sensor_msgs/image_encodings; libsdformat refuses a document with those names."""
    source = saved(tmp_path / "r.urdf", PIXELS % word)
    report = convert(source, tmp_path / "r.sdf")
    found = sdformat_reads(tmp_path / "r.sdf")
    assert not found["errors"]
    assert found["links"]["l"]["sensors"] == 1
    assert f"<format>{written}</format>" in (tmp_path / "r.sdf").read_text()
    assert [each.rule for each in report.findings if "pixel_format" in each.where] == ["sdf/pixels"] * (word != written)
    convert(tmp_path / "r.sdf", tmp_path / "back.urdf")
    assert etree.parse(tmp_path / "back.urdf").xpath("//image/@format") == [word]


def test_pixels_that_nobody_knows_are_told(tmp_path: Path):
    source = saved(tmp_path / "r.urdf", PIXELS % "RGB565")
    report = convert(source, tmp_path / "r.sdf")
    assert sdformat_reads(tmp_path / "r.sdf")["errors"]
    assert [each.reason for each in of_rule(report, "sdf/element-invalid")] == [
        "a camera has no image format 'RGB565' (ELEMENT_INVALID): libsdformat 12 refuses the file"
    ]


@pytest.mark.parametrize("through", ["again.urdf", "there.sdf", "there.xml", "there.glb"])
def test_drake_reads_the_acceleration_that_is_said_for_it(tmp_path: Path, through: str) -> None:
    """URDF 1.2 has an attribute of its own for it, which Drake does not know."""
    from pydrake.multibody.parsing import Parser
    from pydrake.multibody.plant import MultibodyPlant

    mass = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    limit = '<limit lower="-1" upper="1" effort="1" velocity="1" drake:acceleration="3"/>'
    (tmp_path / "s.urdf").write_text(
        f'<robot name="r" version="1.2" xmlns:drake="http://drake.mit.edu">'
        f'<link name="a">{mass}</link><link name="b">{mass}</link>'
        f'<joint name="j" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>{limit}</joint></robot>'
    )
    convert(tmp_path / "s.urdf", tmp_path / through)
    convert(tmp_path / through, tmp_path / "back.urdf")
    was, now = (etree.parse(tmp_path / name).find(".//limit").attrib for name in ("s.urdf", "back.urdf"))
    assert now == was
    plant = MultibodyPlant(0.0)
    Parser(plant).AddModels(str(tmp_path / "back.urdf"))
    assert plant.GetJointByName("j").acceleration_upper_limits().tolist() == [3.0]


@pytest.mark.parametrize("through", ["there.sdf", "there.xml", "there.glb"])
def test_the_namespace_of_a_urdf_is_not_that_of_an_sdf(tmp_path: Path, through: str) -> None:
    """Drake refuses an attribute xmlns of <sdf>."""
    source, sdf = robot(tmp_path), tmp_path / "r.sdf"
    source.write_text(source.read_text().replace('name="r"', 'name="r" xmlns="http://www.ros.org"', 1))
    explained(converted(source, tmp_path / through))
    assert 'xmlns="http://www.ros.org"' in (tmp_path / "back.urdf").read_text()
    convert(tmp_path / through, sdf)
    assert sorted(drake_reads(sdf)["bodies"]) == ["a", "b", "base"]
