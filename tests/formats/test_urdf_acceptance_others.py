"""Requirements for a URDF in other formats and on the way back: limits, inertia, mimics, names, meshes, blocks."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest
import trimesh

from converters.context import Options
from converters.convert import convert, read
from converters.report.model import Report
from ir.kinematics import forward
from ir.types import DofKind
from tests.formats.test_urdf_acceptance_reading import file
from tests.formats.urdf_text import arm, robot, stable
from tests.oracles.in_drake import drake_reads
from tests.oracles.in_mujoco import at_rest, body_tensor, mass_matrix, mujoco_model
from tests.oracles.in_pinocchio import configuration, mass_matrix as pinocchio_matrix, pinocchio_model
from tests.oracles.in_sdformat import sdformat_expands, sdformat_reads
from tests.oracles.in_urdfdom import check_urdf, check_urdf_3
from tests.oracles.plain_gltf import plain_gltf
from tests.reports import comes_back

MASS = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
LIMIT = '<limit lower="-1" upper="1" effort="1" velocity="1"/>'
BALL = '<collision><geometry><sphere radius="0.1"/></geometry></collision>'


def heavy(text: str) -> str:
    """Return the text with a mass and a ball in every empty link."""
    for name in "abcde":
        text = text.replace(f'<link name="{name}"/>', f'<link name="{name}">{MASS}{BALL}</link>')
    return text


def rules(report: Report, where: str = "") -> set[str]:
    return {finding.rule for finding in report.findings if where in finding.where}


def shown(path: Path) -> str:
    """Return the document as other tools see it."""
    return path.read_text().partition("<kinegraph:carried")[0].partition("<custom>")[0]


# ------------------------------------------------------------------------------------------------------------- limits


def test_what_is_unlimited_elsewhere_loads_in_every_tool(tmp_path: Path):
    """acceptance 19: urdfdom, Drake and libsdformat do not accept inf; the value used instead is reported."""
    source = file(
        tmp_path,
        '<mujoco model="m"><worldbody><body name="a"><geom type="box" size="1 1 1"/><body name="b">'
        '<joint name="j" type="slide" axis="0 0 1"/><geom size="0.1"/></body></body></worldbody></mujoco>',
        "source.xml",
    )
    path = tmp_path / "robot.urdf"
    report = convert(source, path)
    assert check_urdf(path) is None and check_urdf_3(path) is None
    assert sdformat_reads(path)["errors"] == []
    assert set(drake_reads(path)["joints"]) >= {"j"}
    assert pinocchio_model(path).existJointName("j")
    assert mujoco_model(path).njnt == 1
    assert rules(report, "joint/j") and "1e+16" in shown(path).replace("10000000000000000", "1e+16")
    (dof,) = read(path).joints["j"].dofs
    assert (dof.lower, dof.upper, dof.effort, dof.velocity) == (None, None, None, None)


def test_a_limit_of_one_side_is_a_range_in_mujoco(tmp_path: Path):
    """acceptance 20: MuJoCo's own import makes such a joint unlimited."""
    source = file(tmp_path, heavy(arm('<limit upper="1" effort="1" velocity="1"/>')))
    report = convert(source, tmp_path / "other.xml")
    model = mujoco_model(tmp_path / "other.xml")
    assert model.jnt_limited[0] == 1 and model.jnt_range[0].tolist() == [0.0, 1.0]
    assert "urdf/limit-missing" in rules(report)


def test_bounds_of_a_continuous_joint_bind_nobody_and_come_back(tmp_path: Path):
    """acceptance 21"""
    source = file(tmp_path, heavy(arm(LIMIT, "continuous")))
    report = convert(source, tmp_path / "other.xml")
    assert mujoco_model(tmp_path / "other.xml").jnt_limited[0] == 0
    assert any("limit" in finding.rule or "limit" in finding.where for finding in report.findings)
    convert(tmp_path / "other.xml", tmp_path / "back.urdf")
    assert 'lower="-1"' in shown(tmp_path / "back.urdf")


def test_an_effort_of_zero_is_no_bound_in_mujoco_and_stays_zero_elsewhere(tmp_path: Path):
    """acceptance 22: a quarter of published files write 0 for unknown. Gazebo's own import keeps the 0, too."""
    source = file(tmp_path, heavy(arm('<limit lower="-1" upper="1" effort="0" velocity="1"/>')))
    told = {name: convert(source, tmp_path / name) for name in ("other.xml", "other.sdf", "again.urdf")}
    assert mujoco_model(tmp_path / "other.xml").jnt_actfrclimited[0] == 0
    assert "mjcf/effort" in rules(told["other.xml"])
    for name, report in told.items():
        assert "urdf/zero-effort" in rules(report, "joint/j"), name
    assert "<effort>0<" in shown(tmp_path / "other.sdf") and "<effort>0<" in sdformat_expands(source)["document"]
    assert 'effort="0"' in shown(tmp_path / "again.urdf")
    for name in ("other.xml", "other.sdf"):
        assert read(tmp_path / name).joints["j"].dofs[0].effort == 0.0, name


def test_a_velocity_of_zero_is_told_in_every_target_and_stays_zero(tmp_path: Path):
    source = file(tmp_path, heavy(arm('<limit lower="-1" upper="1" effort="1" velocity="0"/>')))
    for name in ("other.xml", "other.sdf", "again.urdf", "other.glb"):
        assert "urdf/zero-velocity" in rules(convert(source, tmp_path / name), "joint/j"), name
    assert "sdf/zero-velocity" in rules(convert(tmp_path / "other.sdf", tmp_path / "next.xml"), "joint/j")
    assert read(tmp_path / "other.sdf").joints["j"].dofs[0].velocity == 0.0


# ------------------------------------------------------------------------------------------------------------ inertia

ROTATED = """<inertial><origin xyz="0.1 -0.2 0.3" rpy="0.4 -0.5 0.6"/><mass value="2.5"/>
<inertia ixx="0.3" iyy="0.4" izz="0.5" ixy="0.02" ixz="-0.03" iyz="0.04"/></inertial>"""


def test_a_turned_inertia_is_the_same_everywhere(tmp_path: Path):
    """acceptance 25: the tensor in the axes of the body is R I R^T, with every sign right."""
    text = heavy(arm(LIMIT).replace('<link name="b"/>', f'<link name="b">{ROTATED}{BALL}</link>'))
    source = file(tmp_path, text)
    model = pinocchio_model(source)
    wanted = [pinocchio_matrix(model, configuration(model, {"j": (q,)})) for q in (0.0, 0.7)]
    roll, pitch, yaw = 0.4, -0.5, 0.6
    turn = trimesh.transformations.euler_matrix(roll, pitch, yaw, "sxyz")[:3, :3]
    tensor = turn @ np.array([[0.3, 0.02, -0.03], [0.02, 0.4, 0.04], [-0.03, 0.04, 0.5]]) @ turn.T
    for name in ("other.xml", "other.sdf", "again.urdf", "other.glb"):
        convert(source, tmp_path / name)
        convert(tmp_path / name, tmp_path / f"{name}.urdf")
        again = pinocchio_model(tmp_path / f"{name}.urdf")
        found = [pinocchio_matrix(again, configuration(again, {"j": (q,)})) for q in (0.0, 0.7)]
        assert np.abs(np.array(found) - np.array(wanted)).max() < 1e-12, name
    compiled = mujoco_model(tmp_path / "other.xml")
    index = mujoco.mj_name2id(compiled, mujoco.mjtObj.mjOBJ_BODY, "b")
    assert np.abs(body_tensor(compiled, index) - tensor).max() < 1e-9
    data = mujoco.MjData(compiled)
    data.qpos[0] = 0.7
    assert np.abs(mass_matrix(compiled, data) - wanted[1]).max() < 1e-9
    (state,) = drake_reads(tmp_path / "other.sdf", at=[{"j": 0.7}])["at"]
    column = state["columns"]["j"] if isinstance(state["columns"], dict) else state["columns"].index("j")
    assert np.array(state["matrix"])[column][column] == pytest.approx(wanted[1][0, 0], abs=1e-9)
    motion = _motion(tmp_path / "other.glb", "b")
    x, y, z, w = motion.get("inertiaOrientation", (0, 0, 0, 1))
    axes = trimesh.transformations.quaternion_matrix((w, x, y, z))[:3, :3]
    # glTF has y upwards: its axes are those of the robot, turned by a quarter about x
    upright = np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]])
    moments = axes @ np.diag(motion["inertiaDiagonal"]) @ axes.T
    assert min(np.abs(moments - tensor).max(), np.abs(moments - upright @ tensor @ upright.T).max()) < 1e-12


def _motion(path: Path, name: str) -> dict:
    root = plain_gltf(path).document
    said = [each.get("extensions", {}) for each in root["nodes"] if each.get("name") == name]
    return next(each["KHR_physics_rigid_bodies"]["motion"] for each in said if "KHR_physics_rigid_bodies" in each)


@pytest.mark.parametrize(("third", "repaired"), [(2.0, False), (2.0 * (1 + 1e-3), True)])
def test_moments_on_the_boundary_pass_and_beyond_it_are_repaired(tmp_path: Path, third: float, repaired: bool):
    """acceptance 26: 1 + 1 = 2 is a flat plate, as in the tutorials; a thousandth more is impossible."""
    inertia = f'<inertia ixx="1" iyy="1" izz="{third!r}" ixy="0" ixz="0" iyz="0"/>'
    text = arm(LIMIT).replace(
        '<link name="b"/>', f'<link name="b"><inertial><mass value="1"/>{inertia}</inertial></link>'
    )
    source = file(tmp_path, heavy(text))
    report = convert(source, tmp_path / "other.xml")
    model = mujoco_model(tmp_path / "other.xml")
    assert ("repaired" in {str(finding.action) for finding in report.findings if "body/b" in finding.where}) is repaired
    index = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, "b")
    assert sorted(model.body_inertia[index].tolist())[2] == pytest.approx(2.0, rel=2e-3)


# ---------------------------------------------------------------------------------------------------- mimics and names


def test_a_mimic_is_one_in_every_format(tmp_path: Path):
    """acceptance 27: also a mimic of another mimic; converting back gives the same document."""
    joints = [
        f'<joint name="{name}" type="revolute"><parent link="a"/><child link="{child}"/>{LIMIT}{mimic}</joint>'
        for name, child, mimic in (
            ("lead", "b", ""),
            ("first", "c", '<mimic joint="lead" multiplier="-2" offset=".1"/>'),
            ("second", "d", '<mimic joint="first" multiplier="3"/>'),
        )
    ]
    source = file(tmp_path, heavy(robot(*(f'<link name="{name}"/>' for name in "abcd"), *joints)))
    convert(source, tmp_path / "again.urdf")
    convert(source, tmp_path / "other.xml")
    model = mujoco_model(tmp_path / "other.xml")
    rows = {
        mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_JOINT, int(model.eq_obj1id[index])): model.eq_data[index][:5]
        for index in range(model.neq)
    }
    assert rows["first"].tolist() == pytest.approx([0.1, -2, 0, 0, 0])
    convert(source, tmp_path / "other.sdf", options=Options(sdf_version="1.11"))
    assert "<mimic" in shown(tmp_path / "other.sdf")
    for name in ("other.xml", "other.sdf"):
        again = read(tmp_path / name)
        assert forward(again, {"lead": 0.1}).keys() == forward(read(source), {"lead": 0.1}).keys()
        convert(tmp_path / name, tmp_path / "back.urdf")
        assert (tmp_path / "back.urdf").read_bytes() == (tmp_path / "again.urdf").read_bytes(), name


def test_a_link_and_a_joint_of_one_name_are_told_apart_in_sdf(tmp_path: Path):
    """acceptance 28: SDF has one namespace; libsdformat refuses duplicates."""
    source = file(tmp_path, heavy(arm(LIMIT, name="b")))
    convert(source, tmp_path / "again.urdf")
    report = convert(source, tmp_path / "other.sdf")
    answer = sdformat_reads(tmp_path / "other.sdf")
    assert answer["errors"] == [] and len(answer["links"]) == 2 and len(answer["joints"]) == 1
    assert any("name" in finding.rule for finding in report.findings)
    assert set(read(tmp_path / "other.sdf").joints) == {"b"}
    convert(tmp_path / "other.sdf", tmp_path / "back.urdf")
    assert (tmp_path / "back.urdf").read_bytes() == (tmp_path / "again.urdf").read_bytes()


# ------------------------------------------------------------------------------------------------------------- meshes


@pytest.mark.parametrize(
    "scale", ["0.001 0.001 -0.001", "-0.002 0.001 0.003", "-0.001 -0.001 -0.001", "0.001 0.002 0.001"]
)
def test_a_mirrored_mesh_is_still_outside_out(tmp_path: Path, scale: str):
    """acceptance 36"""
    trimesh.creation.box((100.0, 200.0, 300.0)).apply_translation((50, 0, 10)).export(tmp_path / "box.stl")
    mesh = f'<geometry><mesh filename="box.stl" scale="{scale}"/></geometry>'
    link = f'<link name="a"><visual>{mesh}</visual><collision>{mesh}</collision></link>'
    source = file(tmp_path, robot(link))
    x, y, z = map(float, scale.split())
    wanted = abs(x * y * z) * 100 * 200 * 300
    (made,) = [trimesh.load_mesh(tmp_path / "box.stl")]
    low, high = sorted_bounds(made.bounds * np.array([x, y, z]))
    convert(source, tmp_path / "other.glb")
    shown_ = trimesh.load_scene(tmp_path / "other.glb").to_geometry()
    assert shown_.volume == pytest.approx(wanted, rel=1e-5)
    convert(source, tmp_path / "other.xml")
    model = mujoco_model(tmp_path / "other.xml")
    assert model.ngeom == 2
    corners = np.array([_corners(model, index) for index in range(2)])
    assert corners[:, 0] == pytest.approx(np.array([low, low]), abs=1e-6)
    assert corners[:, 1] == pytest.approx(np.array([high, high]), abs=1e-6)


def sorted_bounds(bounds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return bounds.min(axis=0), bounds.max(axis=0)


def _corners(model: mujoco.MjModel, geom: int) -> tuple[np.ndarray, np.ndarray]:
    data = at_rest(model)
    mesh = model.geom_dataid[geom]
    start, count = model.mesh_vertadr[mesh], model.mesh_vertnum[mesh]
    points = model.mesh_vert[start : start + count] @ data.geom_xmat[geom].reshape(3, 3).T + data.geom_xpos[geom]
    return points.min(axis=0), points.max(axis=0)


DAE = """<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit meter="0.0254"/><up_axis>Y_UP</up_axis></asset><library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="q" count="12">0 0 0 10 0 0 0 20 0 0 0 30</float_array><technique_common>
<accessor source="#q" count="4" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>
<param name="Z" type="float"/></accessor></technique_common></source><vertices id="v"><input semantic="POSITION"
source="#p"/></vertices><triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/>
<p>0 2 1 0 1 3 1 2 3 0 3 2</p></triangles></mesh></geometry></library_geometries><library_visual_scenes>
<visual_scene id="s"><node id="n"><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>"""


def test_unit_and_scale_of_a_mesh_count_once_each(tmp_path: Path):
    """acceptance 36: inches in the file, and a scale in the URDF; the declared up axis has no effect."""
    (tmp_path / "part.dae").write_text(DAE)
    mesh = '<geometry><mesh filename="part.dae" scale="0.1 0.1 0.1"/></geometry>'
    source = file(tmp_path, robot(f'<link name="a"><visual>{mesh}</visual></link>'))
    convert(source, tmp_path / "other.xml")
    model = mujoco_model(tmp_path / "other.xml")
    low, high = _corners(model, 0)
    assert low == pytest.approx(np.zeros(3), abs=1e-9)
    assert high == pytest.approx(np.array([1.0, 2.0, 3.0]) * 0.0254, rel=1e-6)
    convert(source, tmp_path / "other.glb")
    extents = trimesh.load_scene(tmp_path / "other.glb").to_geometry().extents
    assert sorted(extents) == pytest.approx([0.0254, 0.0508, 0.0762], rel=1e-6)


# ------------------------------------------------------------------------------------------------------------- blocks

GAZEBO = """<gazebo><self_collide>true</self_collide>
<plugin name="p" filename="libp.so"><rate>10</rate></plugin></gazebo>
<gazebo reference="b"><mu1>0.3</mu1><mu2>0.4</mu2><kp>1000</kp><kd>5</kd><minDepth>0.002</minDepth><maxVel>0.1</maxVel>
<selfCollide>yes</selfCollide><turnGravityOff>1</turnGravityOff><own_word><x>1</x></own_word></gazebo>
<gazebo reference="j"><provideFeedback>TRUE</provideFeedback><implicitSpringDamper>1</implicitSpringDamper>
<fudgeFactor>0.5</fudgeFactor><stopCfm>0.25</stopCfm></gazebo>
<gazebo reference="j"><stopErp>0.125</stopErp><provideFeedback>0</provideFeedback></gazebo>
<gazebo reference="nowhere"><mu1>1</mu1></gazebo>"""


def test_blocks_of_gazebo_go_where_libsdformat_puts_them(tmp_path: Path):
    """acceptance 37: every spelling of true; unknown elements are kept; a missing reference is reported."""
    source = file(tmp_path, heavy(arm(LIMIT)).replace("</robot>", GAZEBO + "</robot>"))
    report = convert(source, tmp_path / "other.sdf")
    ours = _placed(shown(tmp_path / "other.sdf"))
    theirs = _placed(sdformat_expands(source)["document"])
    engine = ("implicit_spring_damper", "cfm_damping", "fudge_factor", "cfm", "erp")
    for key in ("mu", "mu2", "kp", "kd", "min_depth", "max_vel", "gravity", *engine):
        assert ours[key] == theirs[key], key
    assert set(ours["provide_feedback"]) == set(theirs["provide_feedback"])  # theirs repeats it where no schema has it
    assert ("link", 1.0) in ours["self_collide"] and ("link", 1.0) in theirs["self_collide"]
    assert any("nowhere" in finding.where + finding.before + finding.reason for finding in report.findings)
    convert(source, tmp_path / "again.urdf")
    convert(tmp_path / "other.sdf", tmp_path / "back.urdf")
    assert "<own_word>" in shown(tmp_path / "back.urdf")
    assert (tmp_path / "back.urdf").read_bytes() == (tmp_path / "again.urdf").read_bytes()


def _placed(text: str) -> dict[str, list[tuple[str, object]]]:
    """Return element -> the named elements above it, and its value."""
    from lxml import etree

    root = etree.fromstring(text.encode(), etree.XMLParser(recover=True))
    found: dict[str, list[tuple[str, object]]] = {}
    for element in root.iter():
        if not isinstance(element.tag, str) or len(element) or not (element.text or "").strip():
            continue
        above = [
            each.tag for each in element.iterancestors() if each.get("name") and each.tag in ("link", "joint", "model")
        ]
        words = {"true": 1.0, "false": 0.0}
        said = str(element.text).strip()
        value = words[said] if said in words else _number(said)
        found.setdefault(element.tag, []).append((above[0] if above else "", value))
    return {tag: sorted(places, key=str) for tag, places in found.items()}


def _number(text: str) -> object:
    try:
        return float(text)
    except ValueError:
        return text


SIMPLE = """<transmission name="t"><type>transmission_interface/SimpleTransmission</type>
<joint name="j"><hardwareInterface>hardware_interface/EffortJointInterface</hardwareInterface></joint>
<actuator name="m"><mechanicalReduction>{}</mechanicalReduction></actuator></transmission>"""
PR2 = """<transmission type="pr2_mechanism_model/SimpleTransmission" name="t"><actuator name="m"/><joint name="j"/>
<mechanicalReduction>{}</mechanicalReduction><motorTorqueConstant>1</motorTorqueConstant></transmission>"""


@pytest.mark.parametrize("text", [SIMPLE, PR2])
@pytest.mark.parametrize("reduction", ["50", "-79.24"])
def test_a_transmission_is_an_actuator_of_mujoco(tmp_path: Path, text: str, reduction: str):
    """acceptance 38: its sign matters."""
    whole = heavy(arm(LIMIT)).replace("</robot>", text.format(reduction) + "</robot>")
    stable(whole)
    source = file(tmp_path, whole)
    convert(source, tmp_path / "other.xml")
    model = mujoco_model(tmp_path / "other.xml")
    assert model.nu == 1 and model.actuator_gear[0][0] == pytest.approx(float(reduction))
    assert mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_ACTUATOR, 0) == "m"
    comes_back(source, tmp_path / "other.xml")


def test_every_kind_of_joint_is_written_for_every_format(tmp_path: Path):
    """The number of dofs of each joint type is the same in each format."""
    kinds = {"revolute": 1, "continuous": 1, "prismatic": 1, "fixed": 0, "floating": 1, "planar": 3}
    for kind, count in kinds.items():
        source = file(tmp_path, heavy(arm(LIMIT if kind in ("revolute", "prismatic") else "", kind)))
        for name in ("other.xml", "other.sdf", "other.glb"):
            convert(source, tmp_path / name)
            found = [dof for joint in read(tmp_path / name).joints.values() for dof in joint.dofs]
            assert len([dof for dof in found if dof.name.startswith("j")]) == count, (kind, name)
            assert all(isinstance(dof.kind, DofKind) for dof in found)
