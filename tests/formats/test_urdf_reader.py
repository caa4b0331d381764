"""What URDF means in the graph."""

from __future__ import annotations

import math

import pytest

from ir.pose import rotate
from ir.types import (
    Box,
    Calibration,
    Capsule,
    Cone,
    Cylinder,
    DofKind,
    Ellipsoid,
    Inertial,
    Mesh,
    Mimic,
    Plane,
    SoftLimits,
    Sphere,
    Surface,
)
from tests.formats.urdf_text import arm, noted, robot, scene_of

LIMIT = '<limit lower="-1" upper="2" effort="3" velocity="4"/>'


def test_a_link_without_a_parent_has_no_edge():
    assert scene_of(robot('<link name="base"/>')).roots() == ["base"]


def test_a_root_link_named_world_is_the_world():
    text = robot(
        '<link name="base"/><link name="world"/>',
        '<joint name="j" type="fixed"><parent link="world"/><child link="base"/></joint>',
    )
    scene = scene_of(text)
    assert scene.roots() == []
    assert scene.joint_of("base").parent == "world"
    assert list(scene.bodies) == ["base", "world"]


def test_an_undeclared_world_is_the_world_with_a_note():
    text = robot(
        '<link name="base"/>', '<joint name="j" type="fixed"><parent link="world"/><child link="base"/></joint>'
    )
    scene, notes = noted(text)
    assert scene.joint_of("base").parent == "world"
    assert notes == ["urdf/world"]


def test_a_link_named_world_inside_the_tree_gets_another_name():
    text = robot(
        '<link name="base"/><link name="world"/><link name="tip"/>',
        '<joint name="j" type="fixed"><parent link="base"/><child link="world"/></joint>',
        '<joint name="k" type="fixed"><parent link="world"/><child link="tip"/></joint>',
    )
    scene = scene_of(text)
    assert scene.body("world_1").label == "world"
    assert scene.joint_of("tip").parent == "world_1"


@pytest.mark.parametrize(
    ("kind", "kinds"),
    [
        ("fixed", []),
        ("revolute", [DofKind.HINGE]),
        ("continuous", [DofKind.HINGE]),
        ("prismatic", [DofKind.SLIDE]),
        ("floating", [DofKind.FREE]),
        ("spherical", [DofKind.BALL]),
        ("planar", [DofKind.SLIDE, DofKind.SLIDE, DofKind.HINGE]),
    ],
)
def test_each_type_of_joint_has_its_degrees_of_freedom(kind: str, kinds: list[DofKind]):
    scene = scene_of(arm(LIMIT, kind))
    assert [dof.kind for dof in scene.joints["j"].dofs] == kinds


def test_a_dof_has_the_name_of_its_joint():
    assert scene_of(arm(LIMIT, name="elbow")).joints["elbow"].dofs[0].name == "elbow"


def test_the_axis_is_x_when_it_is_not_given():
    assert scene_of(arm(LIMIT)).joints["j"].dofs[0].axis == (1.0, 0.0, 0.0)


def test_the_axis_is_in_the_frame_of_the_joint():
    """Yaw by 90 degrees: the x axis of the joint is the y axis of the parent (Corke's note says otherwise)."""
    scene = scene_of(arm('<origin rpy="0 0 1.5707963267948966"/><axis xyz="1 0 0"/>' + LIMIT, "prismatic"))
    joint = scene.joints["j"]
    moved = rotate(joint.pose.rot, joint.dofs[0].axis)
    assert moved == pytest.approx((0.0, 1.0, 0.0), abs=1e-15)


def test_a_planar_joint_moves_in_the_plane_normal_to_its_axis():
    dofs = scene_of(arm('<axis xyz="0 1 0"/>', "planar")).joints["j"].dofs
    assert [dof.name for dof in dofs] == ["j_TX", "j_TY", "j_RZ"]
    assert dofs[2].axis == (0.0, 1.0, 0.0)
    for slide in dofs[:2]:
        assert sum(a * b for a, b in zip(slide.axis, dofs[2].axis, strict=True)) == pytest.approx(0.0)
        assert math.hypot(*slide.axis) == pytest.approx(1.0)


def test_limits_and_rates_of_a_joint_are_read():
    dof = scene_of(arm(LIMIT)).joints["j"].dofs[0]
    assert (dof.lower, dof.upper, dof.effort, dof.velocity) == (-1.0, 2.0, 3.0, 4.0)


def test_an_effort_of_zero_stays_zero():
    dof = scene_of(arm('<limit lower="0" upper="0" effort="0" velocity="0"/>')).joints["j"].dofs[0]
    assert (dof.lower, dof.upper, dof.effort, dof.velocity) == (0.0, 0.0, 0.0, 0.0)


def test_a_continuous_joint_has_no_bounds_and_keeps_what_was_said():
    joint = scene_of(arm(LIMIT, "continuous")).joints["j"]
    assert (joint.dofs[0].lower, joint.dofs[0].upper, joint.dofs[0].effort) == (None, None, 3.0)
    assert [(extra.path, extra.text, extra.rule) for extra in joint.extras] == [
        ("limit[1]/@lower", "-1", "urdf/continuous-limit"),
        ("limit[1]/@upper", "2", "urdf/continuous-limit"),
    ]


def test_what_means_nothing_on_a_fixed_joint_is_kept_as_ignored():
    joint = scene_of(arm('<axis xyz="0 0 1"/>' + LIMIT, "fixed")).joints["j"]
    assert [(extra.path, extra.rule) for extra in joint.extras] == [
        ("axis[1]", "urdf/fixed-joint"),
        ("limit[1]", "urdf/fixed-joint"),
    ]


def test_dynamics_mimic_safety_and_calibration_are_read():
    more = (
        '<dynamics damping="0.5" friction="0.25"/><mimic joint="k" multiplier="-2" offset="0.1"/>'
        '<safety_controller k_velocity="7" k_position="8" soft_lower_limit="-0.5" soft_upper_limit="0.5"/>'
        '<calibration rising="0.25"/>'
    )
    dof = scene_of(arm(LIMIT + more)).joints["j"].dofs[0]
    assert (dof.damping, dof.friction) == (0.5, 0.25)
    assert dof.mimic == Mimic(dof="k", multiplier=-2.0, offset=0.1)
    assert dof.soft == SoftLimits(k_velocity=7.0, k_position=8.0, lower=-0.5, upper=0.5)
    assert dof.calibration == Calibration(rising=0.25)


def test_rates_of_urdf_1_2_are_read_there_and_kept_elsewhere():
    text = arm('<limit lower="0" upper="1" effort="1" velocity="1" acceleration="5" jerk="6"/>')
    new = scene_of(text.replace('name="r"', 'name="r" version="1.2"')).joints["j"]
    assert (new.dofs[0].acceleration, new.dofs[0].jerk, new.extras) == (5.0, 6.0, ())
    old = scene_of(text).joints["j"]
    assert old.dofs[0].acceleration is None
    assert [extra.path for extra in old.extras] == ["limit[1]/@acceleration", "limit[1]/@jerk"]


def test_the_joints_of_drake_are_read():
    ends = '<parent link="a"/><child link="b"/>'
    screw = f'<drake:joint name="s" type="screw">{ends}<drake:screw_thread_pitch value="0.5"/></drake:joint>'
    text = robot('<link name="a"/><link name="b"/>', screw, head='name="r" xmlns:drake="http://drake.mit.edu"')
    dof = scene_of(text).joints["s"].dofs[0]
    assert dof.kind is DofKind.SCREW
    assert dof.pitch == 0.5 / (2 * math.pi)


def test_an_inertial_is_kept_as_authored():
    inertial = (
        '<inertial><origin xyz="1 2 3" rpy="0.1 0.2 0.3"/><mass value="2"/>'
        '<inertia ixx="1" iyy="2" izz="2.5" ixy="0.1" ixz="0.2" iyz="0.3"/></inertial>'
    )
    found = scene_of(robot(f'<link name="a">{inertial}</link>')).body("a").inertial
    assert isinstance(found, Inertial)
    assert found.tensor == (1.0, 2.0, 2.5, 0.1, 0.2, 0.3)
    assert found.pose.pos == (1.0, 2.0, 3.0)
    assert found.pose.rpy == (0.1, 0.2, 0.3)


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ('<box size="1 2 3"/>', Box(size=(1.0, 2.0, 3.0))),
        ('<sphere radius="1"/>', Sphere(radius=1.0)),
        ('<cylinder radius="1" length="2"/>', Cylinder(radius=1.0, length=2.0)),
        ('<capsule radius="1" length="2"/>', Capsule(radius=1.0, length=2.0)),
        ('<drake:capsule radius="1" length="2"/>', Capsule(radius=1.0, length=2.0)),
        ('<drake:ellipsoid a="1" b="2" c="3"/>', Ellipsoid(radii=(1.0, 2.0, 3.0))),
        ('<cone radius="1" length="2"/>', Cone(radius=1.0, length=2.0)),
        ('<plane normal="0 1 0"/>', Plane(normal=(0.0, 1.0, 0.0))),
        ('<mesh filename="m/part.stl" scale="1 2 3"/>', Mesh(asset="part", scale=(1.0, 2.0, 3.0))),
        ('<mesh filename="part.obj"><drake:declare_convex/></mesh>', Mesh(asset="part", hull=True)),
    ],
)
def test_each_shape_is_read(text: str, shape: object):
    scene = scene_of(robot(f'<link name="a"><collision><geometry>{text}</geometry></collision></link>'))
    assert scene.body("a").geoms[0].shape == shape


def test_files_of_the_same_stem_are_told_apart_and_one_file_is_one_asset():
    visuals = "".join(
        f'<visual><geometry><mesh filename="{file}"/></geometry></visual>' for file in ("x/p.stl", "y/p.stl", "x/p.stl")
    )
    scene = scene_of(robot(f'<link name="a">{visuals}</link>'))
    assert {name: asset.uri for name, asset in scene.assets.items()} == {"p": "x/p.stl", "p_1": "y/p.stl"}
    assert [geom.shape.asset for geom in scene.body("a").geoms] == ["p", "p_1", "p"]


def test_geoms_stand_in_document_order_with_custom_roles_among_them():
    geometry = '<geometry><sphere radius="1"/></geometry>'
    text = robot(
        f'<link name="a"><collision>{geometry}</collision><collision_checking>{geometry}</collision_checking>'
        f"<visual>{geometry}</visual></link>"
    )
    geoms = scene_of(text).body("a").geoms
    assert [geom.role for geom in geoms] == ["collision", "collision_checking", "visual"]
    assert [geom.name for geom in geoms] == ["a_collision_0", "a_collision_checking_0", "a_visual_0"]
    assert {geom.label for geom in geoms} == {""}


def test_a_name_given_twice_to_geoms_is_made_unique():
    geometry = '<geometry><sphere radius="1"/></geometry>'
    visual = f'<visual name="shell">{geometry}</visual>'
    scene = scene_of(robot(f'<link name="a">{visual}</link><link name="b">{visual}</link>'))
    assert scene.body("a").geoms[0].name == "shell"
    geom = scene.body("b").geoms[0]
    assert (geom.name, geom.label) == ("shell_1", "shell")


def test_the_material_of_a_collision_is_ignored_and_kept():
    text = robot(
        '<link name="a"><collision><geometry><sphere radius="1"/></geometry><material name="x"/></collision></link>'
    )
    geom = scene_of(text).body("a").geoms[0]
    assert geom.material is None
    assert [extra.rule for extra in geom.extras] == ["urdf/collision-material"]


def test_the_contact_of_bullet_is_the_surface_of_the_body():
    contact = '<contact><lateral_friction value="0.8"/><stiffness value="3"/><contact_cfm value="0"/></contact>'
    body = scene_of(robot(f'<link name="a">{contact}</link>')).body("a")
    assert body.surface == Surface(mu=0.8, stiffness=3.0)
    assert [extra.path for extra in body.extras] == ["contact[1]/contact_cfm[1]"]


def test_the_frames_of_drake_and_isaac_hang_on_their_bodies():
    frames = (
        '<frame name="hand" link="a" xyz="1 0 0" rpy="0 0 0"/>'
        '<fixed_frame name="eye"><parent link="a"/><origin xyz="0 1 0"/></fixed_frame>'
    )
    body = scene_of(robot('<link name="a"/>', frames)).body("a")
    assert [(frame.name, frame.role) for frame in body.frames] == [
        ("hand", "drake:frame"),
        ("eye", "isaac:fixed_frame"),
    ]
    assert body.frames[1].pose.pos == (0.0, 1.0, 0.0)


def test_blocks_for_simulators_are_kept_whole_with_what_they_are_about():
    blocks = (
        '<gazebo reference="a"><mu1>0.5</mu1></gazebo><gazebo><plugin name="p"/></gazebo><mujoco><compiler/></mujoco>'
    )
    table = scene_of(robot('<link name="a"/>', blocks)).tables["block"]
    assert [(block.dialect, block.target) for block in table.values()] == [
        ("gazebo", "a"),
        ("gazebo", ""),
        ("mujoco", ""),
    ]
    assert next(iter(table.values())).extras[0].text == '<gazebo reference="a"><mu1>0.5</mu1></gazebo>'


def test_a_transmission_of_ros_is_read():
    text = robot(
        '<link name="a"/><transmission name="t"><type>transmission_interface/SimpleTransmission</type>'
        '<joint name="j"><hardwareInterface>EffortJointInterface</hardwareInterface><role>joint1</role></joint>'
        '<actuator name="m"><mechanicalReduction>-79.24</mechanicalReduction><node name="x"/></actuator></transmission>'
    )
    found = scene_of(text).tables["transmission"]["t"]
    assert found.kind == "transmission_interface/SimpleTransmission"
    assert (found.joints[0].name, found.joints[0].interfaces, found.joints[0].role) == (
        "j",
        ("EffortJointInterface",),
        "joint1",
    )
    assert found.actuators[0].reduction == -79.24
    assert [extra.path for extra in found.actuators[0].extras] == ["node[1]"]


def test_a_transmission_of_the_pr2_is_read():
    text = robot(
        '<link name="a"/><transmission type="pr2_mechanism_model/SimpleTransmission" name="t"><actuator name="m"/>'
        '<joint name="j"/><mechanicalReduction>6.05</mechanicalReduction><gap_joint L0="1"/></transmission>'
    )
    found = scene_of(text).tables["transmission"]["t"]
    assert (found.kind, found.reduction) == ("pr2_mechanism_model/SimpleTransmission", 6.05)
    assert [extra.path for extra in found.extras] == ["gap_joint[1]"]


def test_a_component_of_ros2_control_is_read():
    text = robot(
        '<link name="a"/><ros2_control name="c" type="system" rw_rate="100"><hardware><plugin>mock/System</plugin>'
        '<param name="port">1</param></hardware><joint name="j"><command_interface name="position">'
        '<param name="min">-1</param><param name="max">1</param><param name="gain">9</param></command_interface>'
        '<state_interface name="velocity"/></joint></ros2_control>'
    )
    found = scene_of(text).tables["hardware"]["c"]
    assert (found.kind, found.plugin) == ("system", "mock/System")
    command = found.channels[0].commands[0]
    assert (command.name, command.minimum, command.maximum) == ("position", -1.0, 1.0)
    assert [extra.path for extra in command.extras] == ["param[3]"]
    assert [extra.path for extra in found.extras] == ["@rw_rate", "hardware[1]/param[1]"]


def test_a_sensor_with_its_camera_is_read():
    text = robot(
        '<link name="a"/><sensor name="eye" update_rate="20"><parent link="a"/><origin xyz="1 2 3"/><camera>'
        '<image width="640" height="480" format="RGB8" hfov="1.5708" near="0.01" far="50"/></camera></sensor>'
    )
    sensor = scene_of(text).tables["sensor"]["eye"]
    assert (sensor.kind, sensor.body, sensor.rate, sensor.pose.pos) == ("camera", "a", 20.0, (1.0, 2.0, 3.0))
    assert sensor.camera.fov_y == pytest.approx(2 * math.atan(math.tan(1.5708 / 2) * 480 / 640))
    assert sensor.camera.far == 50.0


def test_carried_data_is_found_and_is_no_extra():
    carried = '<kinegraph:carried xmlns:kinegraph="https://kinegraph.dev/carried" key="joint/j" value="{}"/>'
    scene = scene_of(robot('<link name="a"/>', carried))
    assert scene.carried == {"joint/j": "{}"}
    assert scene.extras == ()


def test_a_default_namespace_changes_nothing():
    assert list(scene_of(robot('<link name="a"/>', head='name="r" xmlns="http://www.ros.org"')).bodies) == [
        "a",
        "world",
    ]


def test_a_quaternion_is_read_from_urdf_1_1_and_ignored_before():
    origin = '<origin xyz="1 0 0" quat_xyzw="0 0 2 2"/>'
    new = scene_of(arm(origin, "fixed").replace('name="r"', 'name="r" version="1.1"')).joints["j"]
    assert new.pose.rot == pytest.approx((math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5)))
    old = scene_of(arm(origin, "fixed")).joints["j"]
    assert old.pose.rot == (1.0, 0.0, 0.0, 0.0)
    assert [extra.rule for extra in old.extras] == ["urdf/quaternion-version"]


def test_every_entity_knows_its_line():
    scene = scene_of('<robot name="r">\n<link name="a"/>\n<link name="b"/>\n</robot>')
    source = scene.body("b").source
    assert (source.line, source.path) == (3, "/robot/link[2]")
