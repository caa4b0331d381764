"""Further requirements of an MJCF reader: poses, masks, materials and views, in every other format."""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import mujoco
import numpy as np
import pinocchio as pin
import pytest

from converters.context import Options
from converters.convert import convert, read
from ir.kinematics import forward
from ir.pose import compose, matrix
from ir.scene import Scene
from ir.types import IDENTITY, WORLD, DofKind
from tests.formats.requirements import asserted
from tests.oracles.in_drake import drake_reads
from tests.oracles.in_mujoco import drawn, mujoco_model
from tests.oracles.in_pinocchio import configuration, link_poses, pinocchio_model
from tests.reports import complete

WHERE = {
    1: "mjcf_acceptance_tree:test_angles_follow_the_sequence_and_are_no_roll_pitch_yaw",
    2: "mjcf_acceptance_tree:test_angles_follow_the_sequence_and_are_no_roll_pitch_yaw",
    3: "mjcf_acceptance_list:test_degrees_are_of_hinges_alone",
    4: "mjcf_acceptance_tree:test_the_last_compiler_counts_also_when_it_is_included",
    5: "mjcf_acceptance_tree:test_classes_nest_and_frames_hand_them_on",
    6: "mjcf_acceptance_list:test_a_short_list_leaves_the_tail_to_its_class",
    7: "mjcf_acceptance_tree:test_several_joints_of_a_body_with_anchors_and_references",
    8: "mjcf_acceptance_list:test_an_anchor_beside_the_body_moves_what_hangs_there",
    9: "mjcf_acceptance_mass:test_a_geom_that_names_a_mesh_and_no_type_is_a_sphere",
    10: "mjcf_acceptance_mass:test_a_mesh_stands_where_its_author_put_its_file",
    11: "mjcf_acceptance_inertia:test_a_mesh_that_its_asset_moves_stands_there_in_urdf",
    12: "mjcf_acceptance_mass:test_what_is_seen_weighs_as_well_unless_its_group_is_left_out",
    13: "mjcf_acceptance_inertia:test_inertia_of_a_single_geom",
    14: "mjcf_acceptance_mass:test_a_prism_weighs_what_its_mode_says",
    15: "mjcf_acceptance_mass:test_a_mass_of_the_class_wins_over_a_density_of_the_element",
    16: "mjcf_acceptance_inertia:test_the_order_of_a_full_inertia",
    17: "mjcf_acceptance_tree:test_frames_around_everything",
    18: "mjcf_acceptance_tree:test_copies_are_counted_named_and_driven",
    19: "mjcf_acceptance_tree:test_a_model_is_attached_twice_with_its_own_angles",
    20: "mjcf_acceptance_tree:test_an_include_in_a_folder_finds_its_files",
    21: "mjcf_acceptance_tree:test_a_limit_needs_autolimits_or_to_be_said",
    22: "mjcf_acceptance_list:test_two_ends_give_size_place_and_direction",
    23: "mjcf_acceptance_tree:test_free_joints_take_defaults_only_where_they_are_joints",
    24: "mjcf_acceptance_list:test_a_gripper_with_a_loop_a_tendon_and_a_follower",
    25: "mjcf_acceptance_list:test_a_linear_equation_is_a_follower_whatever_the_references",
    26: "mjcf_acceptance_list:test_masks_meet_as_they_did",
    27: "mjcf_acceptance_list:test_a_ball_is_a_ball_or_is_told",
    28: "mjcf_acceptance_tree:test_several_trees_and_a_floor_lose_nothing",
    29: "mjcf_acceptance_tree:test_what_newer_and_older_versions_say_is_kept",
    30: "mjcf_acceptance_list:test_textures_are_seen_elsewhere_or_told",
    31: "mjcf_acceptance_list:test_cameras_see_the_same",
    32: "passes:test_a_massless_body_between_moving_joints_gets_a_minimal_mass_and_says_so",
    33: "urdf:test_a_urdf_becomes_an_mjcf_that_is_the_same_and_comes_back",
    34: "passes:test_a_planar_tensor_loads_whatever_its_orientation",
    35: "passes:test_neighbours_of_a_fixed_base_do_not_collide_and_others_still_do",
    36: "assets_pack:test_what_mujoco_would_refuse_or_misread_is_written_anew",
    37: "assets_pack:test_a_flat_mesh_is_marked_and_loads_for_looks_alone",
    38: "passes:test_a_mimic_follows_in_the_right_direction",
    39: "mjcf_acceptance_list:test_a_written_model_runs_without_a_warning_and_weighs_the_same_in_other_engines",
    40: "mjcf_acceptance_rest:test_the_second_write_is_the_first",
}
"""Maps a number in the list of requirements to the test that covers it."""


@pytest.mark.parametrize("number", WHERE)
def test_every_requirement_has_its_test(number: int) -> None:
    assert asserted(WHERE[number], {"check", "check_inertia"})
    assert set(WHERE) == set(range(1, 41))


def saved(folder: Path, text: str) -> Path:
    path = folder / "in.xml"
    path.write_text(f'<mujoco model="m">{text}</mujoco>')
    return path


def uncarried(path: Path) -> Scene:
    """Return the scene of a text file as other programs read it."""
    bare = path.with_name(f"bare{path.suffix}")
    bare.write_text(path.read_text().replace("kinegraph:", "other:"))
    return read(bare)


def test_degrees_are_of_hinges_alone(tmp_path: Path) -> None:
    path = saved(
        tmp_path,
        """<worldbody><body name="b"><joint name="h" range="-90 90" margin="5"/>
        <joint name="s" type="slide" range="-90 90"/><geom size="1"/></body></worldbody>
        <actuator><position joint="h" ctrlrange="-90 90"/></actuator>""",
    )
    hinge, slide = read(path).joint_of("b").dofs
    assert (hinge.lower, hinge.upper) == pytest.approx((-math.pi / 2, math.pi / 2))
    assert (slide.lower, slide.upper) == (-90, 90)
    convert(path, tmp_path / "out.xml")
    model = mujoco_model(tmp_path / "out.xml")
    assert model.jnt_margin[0] == 5
    assert model.actuator_ctrlrange[0].tolist() == [-90, 90]


def test_a_short_list_leaves_the_tail_to_its_class(tmp_path: Path) -> None:
    path = saved(
        tmp_path,
        """<default><geom size=".1 .2 .3" friction=".5 .6 .7" solref=".1 .2" solimp=".5 .6 .7 .4 3"/></default>
        <worldbody><geom name="g" type="box" size=".9" friction=".8" solref=".3" solimp=".55"/></worldbody>""",
    )
    for out in ("a.xml", "a.urdf", "a.sdf"):
        convert(path, tmp_path / out)
        convert(tmp_path / out, tmp_path / "back.xml")
        model = mujoco_model(tmp_path / "back.xml")
        for array in ("geom_size", "geom_friction", "geom_solref", "geom_solimp"):
            assert np.array_equal(getattr(model, array), getattr(mujoco_model(path), array))
    assert model.geom_size[0].tolist() == [0.9, 0.2, 0.3]


ANCHOR = """<worldbody><body name="a" pos="1 2 3" euler="10 20 30"><joint name="j" pos=".3 .2 .1" axis="1 2 3"/>
  <geom name="g" size=".1" pos="0 .4 0"/><body name="b" pos="0 0 .5"><joint name="k" axis="0 1 0" pos="0 0 .2"/>
  <geom size=".1"/></body></body></worldbody>"""


@pytest.mark.parametrize("target", ["out.urdf", "out.sdf", "out.glb"])
def test_an_anchor_beside_the_body_moves_what_hangs_there(target: str, tmp_path: Path) -> None:
    path = saved(tmp_path, ANCHOR)
    convert(path, tmp_path / target)
    model = mujoco_model(path)
    data = mujoco.MjData(model)
    scene = read(tmp_path / target) if target.endswith("glb") else uncarried(tmp_path / target)
    for angles in ((0.0, 0.0), (0.7, -0.4), (-1.2, 0.9)):
        data.qpos[:] = angles
        mujoco.mj_kinematics(model, data)
        at = dict(zip("jk", angles, strict=True))
        poses = forward(scene, {name: (value,) for name, value in at.items()})
        for name in "ab":
            assert np.allclose(poses[name].pos, data.body(name).xpos, atol=1e-9)
            assert np.allclose(matrix(poses[name].rot), data.body(name).xmat.reshape(3, 3), atol=1e-9)
        geom = compose(poses["a"], scene.body("a").geoms[0].pose)
        assert np.allclose(geom.pos, data.geom("g").xpos, atol=1e-9)
        if target == "out.urdf":
            urdf = pinocchio_model(tmp_path / target)
            found = link_poses(urdf, configuration(urdf, {name: (value,) for name, value in at.items()}))
            assert np.allclose(found["b"][:3, 3], data.body("b").xpos, atol=1e-9)
        if target == "out.sdf":
            (seen,) = drake_reads(tmp_path / target, at=[at])["at"]
            place = next(np.reshape(pose, (4, 4)) for name, pose in seen["bodies"].items() if name.endswith("b"))
            assert np.allclose(place[:3, 3], data.body("b").xpos, atol=1e-9)


@pytest.mark.parametrize("kind", ["capsule", "cylinder", "box", "ellipsoid"])
@pytest.mark.parametrize("ends", ["1 2 3 2 4 7", "0 0 1 0 0 0", "0 0 0 0 0 1"])
def test_two_ends_give_size_place_and_direction(kind: str, ends: str, tmp_path: Path) -> None:
    said = f'type="{kind}" size=".1 .2 .3" fromto="{ends}"'
    path = saved(tmp_path, f'<worldbody><geom {said}/><site name="s" {said}/></worldbody>')
    convert(path, tmp_path / "out.xml")
    convert(path, tmp_path / "out.sdf")
    convert(tmp_path / "out.sdf", tmp_path / "back.xml")
    source = mujoco_model(path)
    for other in ("out.xml", "back.xml"):
        model = mujoco_model(tmp_path / other)
        for array in ("geom_size", "geom_pos", "geom_quat", "site_size", "site_pos", "site_quat"):
            assert np.allclose(getattr(model, array), getattr(source, array), atol=1e-15), array
    (frame,) = read(path).body(WORLD).frames
    turned = np.zeros(9)
    mujoco.mju_quat2Mat(turned, source.site_quat[0])
    assert np.allclose(np.array(matrix(frame.pose.rot))[:, 2], turned.reshape(3, 3)[:, 2])


GRIPPER = """<compiler angle="radian"/><default><joint range="0 .8" armature=".005" damping=".1"/></default>
<worldbody><body name="base"><geom size=".05" mass=".3"/>
<body name="left" pos="0 .03 .05"><joint name="left" axis="1 0 0"/><geom size=".01" mass=".1"/>
 <body name="pad_l" pos="0 .04 .04"><joint name="pad_l" axis="1 0 0" range="-.3 .8"/><geom size=".01" mass=".1"/></body>
</body>
<body name="rod_l" pos="0 .01 .06"><joint name="rod_l" axis="1 0 0"/><geom size=".01" mass=".1"/></body>
<body name="right" pos="0 -.03 .05"><joint name="right" axis="-1 0 0"/><geom size=".01" mass=".1"/></body>
</body></worldbody>
<equality><connect name="loop" body1="rod_l" body2="pad_l" anchor="0 .04 .04"/>
<joint name="together" joint1="left" joint2="right" polycoef="0 1 0 0 0"/></equality>
<tendon><fixed name="split"><joint joint="right" coef=".5"/><joint joint="left" coef=".5"/></fixed></tendon>
<actuator><general name="fingers" tendon="split" ctrlrange="0 255" gainprm=".3" biasprm="0 -100 -10"
 biastype="affine" forcerange="-5 5"/></actuator>"""


def test_a_gripper_with_a_loop_a_tendon_and_a_follower(tmp_path: Path) -> None:
    path = saved(tmp_path, GRIPPER)
    report = convert(path, tmp_path / "out.urdf")
    text = (tmp_path / "out.urdf").read_text()
    assert '<mimic joint="right"' in text
    told = {finding.where.partition("/")[0] for finding in report.findings}
    assert {"constraint", "tendon"} <= told
    complete(report)
    again = convert(path, tmp_path / "again.urdf")
    assert {finding.rule for finding in again.findings} == {finding.rule for finding in report.findings}
    convert(tmp_path / "out.urdf", tmp_path / "back.xml")
    source, model = mujoco_model(path), mujoco_model(tmp_path / "back.xml")
    assert (model.neq, model.ntendon, model.nu) == (2, 1, 1)
    assert np.array_equal(model.eq_data, source.eq_data)


@pytest.mark.parametrize("target", ["out.urdf", "out.sdf"])
@pytest.mark.parametrize(("coefficients", "linear"), [(".1 -2", True), (".1 -2 0 0 .5", False)])
def test_a_linear_equation_is_a_follower_whatever_the_references(
    coefficients: str, linear: bool, target: str, tmp_path: Path
) -> None:
    path = saved(
        tmp_path,
        f"""<compiler angle="radian"/><worldbody><body name="a"><joint name="k" ref=".3"/><geom size=".1"/>
        <body name="b"><joint name="j" ref=".2"/><geom size=".1"/></body></body></worldbody>
        <equality><joint joint1="k" joint2="j" polycoef="{coefficients}"/></equality>""",
    )
    convert(path, tmp_path / target, options=Options(sdf_version="1.11"))
    scene = uncarried(tmp_path / target)
    mimic = next(dof.mimic for joint in scene.joints.values() for dof in joint.dofs if dof.name == "k")
    if not linear:
        assert mimic is None
        return
    assert mimic is not None
    model = mujoco_model(path)
    data = mujoco.MjData(model)
    for leader in (0.2, 0.9, -0.5):
        data.joint("j").qpos = leader
        follower = 0.3 + 0.1 - 2 * (leader - 0.2)
        data.joint("k").qpos = follower
        mujoco.mj_forward(model, data)
        assert abs(data.efc_pos[0]) < 1e-12
        assert mimic.multiplier * (leader - mimic.reference) + mimic.offset == pytest.approx(follower, abs=1e-12)


def test_masks_meet_as_they_did(tmp_path: Path) -> None:
    """Whether two geoms collide: (contype of one and conaffinity of the other), or the reverse."""
    masks = [(1, 0), (0, 1), (1, 1), (2, 1), (2, 4), (4, 2), (6, 8), (8, 0), (3, 3)]
    bodies = "".join(
        f'<body name="b{i}"><freejoint/><geom name="g{i}" size=".1" contype="{a}" conaffinity="{b}"/></body>'
        for i, (a, b) in enumerate(masks)
    )
    path = saved(tmp_path, f"<worldbody>{bodies}</worldbody>")
    convert(path, tmp_path / "out.sdf")
    scene = uncarried(tmp_path / "out.sdf")
    found = []
    for index in range(len(masks)):
        body = next(body for name, body in scene.bodies.items() if name.rpartition("::")[2] == f"b{index}")
        surface = next(geom.surface for geom in body.geoms if geom.role != "visual")
        assert surface is not None
        assert surface.category is not None
        assert surface.collide is not None
        found.append((surface.category, surface.collide))
    for one, other in itertools.combinations(range(len(masks)), 2):
        (a, b), (c, d) = masks[one], masks[other]
        (e, f), (g, h) = found[one], found[other]
        assert bool(a & d or c & b) == bool(e & h or g & f), (masks[one], masks[other])


def test_masks_of_sdf_meet_in_mujoco_as_they_did(tmp_path: Path) -> None:
    """A collision without masks belongs to every category there, and collides with all."""
    masks = [(1, 2), (2, 1), (4, 4), (2, 2), None, (8, 0)]
    models = "".join(
        f"""<model name="m{i}"><link name="l{i}"><collision name="c{i}"><geometry><sphere><radius>.1</radius></sphere>
        </geometry>{_contact(mask)}</collision></link></model>"""
        for i, mask in enumerate(masks)
    )
    (tmp_path / "in.sdf").write_text(f'<sdf version="1.9"><world name="w">{models}</world></sdf>')
    convert(tmp_path / "in.sdf", tmp_path / "out.xml")
    model = mujoco_model(tmp_path / "out.xml")
    order = {model.geom(index).name.rpartition("c")[2]: index for index in range(model.ngeom)}
    for one, other in itertools.combinations(range(len(masks)), 2):
        (a, b), (c, d) = (masks[one] or (0xFFFF, 0xFFFF)), (masks[other] or (0xFFFF, 0xFFFF))
        first, second = order[str(one)], order[str(other)]
        meet = model.geom_contype[first] & model.geom_conaffinity[second]
        meet |= model.geom_contype[second] & model.geom_conaffinity[first]
        assert bool(a & d or c & b) == bool(meet), (masks[one], masks[other])


def _contact(mask: tuple[int, int] | None) -> str:
    if mask is None:
        return ""
    category, collide = mask
    inside = f"<collide_bitmask>{collide}</collide_bitmask><category_bitmask>{category}</category_bitmask>"
    return f"<surface><contact>{inside}</contact></surface>"


def test_a_ball_is_a_ball_or_is_told(tmp_path: Path) -> None:
    path = saved(tmp_path, '<worldbody><body name="b"><joint name="j" type="ball"/><geom size="1"/></body></worldbody>')
    convert(path, tmp_path / "out.sdf")
    joint = uncarried(tmp_path / "out.sdf").joint_of("b")
    assert joint is not None
    assert [dof.kind for dof in joint.dofs] == [DofKind.BALL]
    report = convert(path, tmp_path / "out.urdf")
    assert any(finding.where.startswith("joint/j") for finding in report.findings)
    assert drake_reads(tmp_path / "out.sdf")["joints"]["j"][0].startswith("ball")


def test_textures_are_seen_elsewhere_or_told(tmp_path: Path) -> None:
    from PIL import Image

    Image.new("RGB", (4, 4), (200, 30, 30)).save(tmp_path / "flat.png")
    Image.new("RGB", (4, 4), (30, 30, 200)).save(tmp_path / "cube.png")
    path = saved(
        tmp_path,
        """<asset><texture name="t" type="2d" file="flat.png"/><texture name="c" file="cube.png"/>
        <texture name="k" type="2d" builtin="checker" width="8" height="8" rgb1="1 0 0" rgb2="0 0 1"/>
        <material name="t" texture="t"/><material name="c" texture="c"/><material name="k" texture="k"/></asset>
        <worldbody><geom name="t" type="box" size="1 1 1" material="t"/>
        <geom name="c" type="box" size="1 1 1" material="c"/><geom name="k" type="box" size="1 1 1" material="k"/>
        </worldbody>""",
    )
    report = complete(convert(path, tmp_path / "out.glb"))
    content = (tmp_path / "out.glb").read_bytes()
    assert content.count(b"\x89PNG") >= 1
    told = " ".join(finding.where for finding in report.findings)
    for kind in ("c", "k"):
        assert f"/{kind}" in told


def test_cameras_see_the_same(tmp_path: Path) -> None:
    path = saved(
        tmp_path,
        """<worldbody><body name="b" pos="1 2 3" euler="10 20 30"><geom size=".1"/>
        <camera name="eye" pos=".1 .2 .3" euler="40 50 60" fovy="60" resolution="640 480"/></body></worldbody>""",
    )
    _, data = drawn(path)
    for target in ("out.sdf", "out.glb"):
        convert(path, tmp_path / target)
        scene = uncarried(tmp_path / target) if target.endswith("sdf") else read(tmp_path / target)
        sensors = scene.tables["sensor"].values() if target == "out.sdf" else ()
        views = [(sensor.pose, sensor.camera) for sensor in sensors]
        ((stand, camera),) = (*((IDENTITY, each) for each in scene.body("b").cameras), *views)
        at = compose(compose(forward(scene)["b"], stand), camera.pose)
        assert np.allclose(at.pos, data.cam_xpos[0], atol=1e-9)
        assert np.allclose(matrix(at.rot), data.cam_xmat[0].reshape(3, 3), atol=1e-9)
        assert camera.fov_y == pytest.approx(math.radians(60), abs=1e-9)
    across = 2 * math.atan(math.tan(math.radians(30)) * 640 / 480)
    assert f"{across:.12f}"[:12] in (tmp_path / "out.sdf").read_text()


def test_a_written_model_runs_without_a_warning_and_weighs_the_same_in_other_engines(tmp_path: Path) -> None:
    urdf = """<robot name="arm"><link name="base"/>{}</robot>"""
    inertia = '<inertial><origin xyz="0 0 .1" rpy=".1 .2 .3"/><mass value="{}"/><inertia ixx=".02" iyy=".03" izz=".025"'
    inertia += ' ixy=".001" ixz=".002" iyz="-.001"/></inertial>'
    parts = "".join(
        f"""<link name="l{i}">{inertia.format(i + 1)}<collision><geometry><sphere radius=".02"/></geometry></collision>
        </link><joint name="j{i}" type="revolute"><parent link="{f"l{i - 1}" if i else "base"}"/><child link="l{i}"/>
        <origin xyz="0 0 .3"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="5" velocity="2"/></joint>"""
        for i in range(4)
    )
    (tmp_path / "in.urdf").write_text(urdf.format(parts))
    convert(tmp_path / "in.urdf", tmp_path / "out.xml")
    model = mujoco_model(tmp_path / "out.xml")
    data = mujoco.MjData(model)
    dice = np.random.default_rng(1)
    while data.time < 1:
        data.ctrl[:] = dice.normal(size=model.nu)
        mujoco.mj_step(model, data)
    assert not data.warning.number.any()
    drake = drake_reads(tmp_path / "out.xml")
    assert drake["mass"] == pytest.approx(model.body_mass.sum(), rel=1e-9)
    theirs = pin.buildModelFromMJCF(str(tmp_path / "out.xml"))
    assert theirs.nv == model.nv == 4
    assert sum(each.mass for each in theirs.inertias) == pytest.approx(10, rel=1e-9)
