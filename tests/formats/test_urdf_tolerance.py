"""What some real reader accepts, with a clear meaning, is read with a note; anything else is refused with its place."""

from __future__ import annotations

import re
from pathlib import Path

import pinocchio
import pytest

from converters.context import InputError
from converters.convert import convert
from ir.types import IDENTITY, Box, Inertial, Material, Mesh
from tests.files import saved
from tests.formats.urdf_text import arm, noted, robot, scene_of, stable
from tests.oracles.in_mujoco import drawn, mujoco_model
from tests.oracles.in_urdfdom import check_urdf
from tests.reports import explained, of_rule

LIMIT = '<limit lower="-1" upper="1" effort="1" velocity="1"/>'
BOX = '<geometry><box size="1 1 1"/></geometry>'


def visual(inside: str) -> str:
    return robot(f'<link name="a"><visual>{BOX}{inside}</visual></link>')


# ------------------------------------------------------------------------------------------------------------- repaired


def test_a_robot_without_a_name_is_named_after_its_file():
    scene, notes = noted(robot('<link name="a"/>', head=""))
    assert scene.name == "model"
    assert notes == ["urdf/robot-name"]


def test_an_unknown_version_is_kept_and_read_as_1_0():
    scene, notes = noted(robot('<link name="a"/>', head='name="r" version="v3"'))
    assert scene.notation["urdf_version"] == "v3"
    assert notes == ["urdf/version"]


def test_an_axis_is_made_unit():
    scene, notes = noted(arm('<axis xyz="0 0 2"/>' + LIMIT, "prismatic"))
    assert scene.joints["j"].dofs[0].axis == (0.0, 0.0, 1.0)
    assert notes == ["urdf/axis"]


def test_an_axis_without_xyz_is_the_default():
    scene, notes = noted(arm("<axis/>" + LIMIT))
    assert scene.joints["j"].dofs[0].axis == (1.0, 0.0, 0.0)
    assert notes == ["urdf/axis"]


def test_a_single_upper_limit_counts_from_zero():
    scene, notes = noted(arm('<limit upper="1" effort="1" velocity="1"/>'))
    dof = scene.joints["j"].dofs[0]
    assert (dof.lower, dof.upper) == (0.0, 1.0)
    assert notes == ["urdf/limit-missing"]


def test_a_revolute_joint_without_a_limit_is_unlimited():
    scene, notes = noted(arm(""))
    dof = scene.joints["j"].dofs[0]
    assert (dof.lower, dof.upper, dof.effort, dof.velocity) == (None, None, None, None)
    assert notes == ["urdf/limit-missing"]


@pytest.mark.parametrize("word", ["inf", "INF", "+Infinity", "1e400"])
def test_an_infinite_limit_is_none(word: str):
    scene, notes = noted(arm(f'<limit lower="-{word.lstrip("+")}" upper="{word}" effort="1" velocity="{word}"/>'))
    dof = scene.joints["j"].dofs[0]
    assert (dof.lower, dof.upper, dof.effort, dof.velocity) == (None, None, 1.0, None)
    assert notes == ["urdf/limit-infinite"] * 3


def test_missing_effort_and_velocity_are_unknown():
    scene, notes = noted(arm('<limit lower="0" upper="1"/>'))
    dof = scene.joints["j"].dofs[0]
    assert (dof.effort, dof.velocity) == (None, None)
    assert notes == ["urdf/limit-missing"] * 2


def test_urdf_1_2_may_leave_out_effort_and_velocity():
    text = arm('<limit lower="0" upper="1"/>').replace('name="r"', 'name="r" version="1.2"')
    assert noted(text)[1] == []


def test_empty_dynamics_say_nothing():
    scene, notes = noted(arm("<dynamics/>" + LIMIT))
    assert scene.joints["j"].dofs[0].damping == 0.0
    assert notes == ["urdf/dynamics"]


def test_a_safety_controller_without_k_velocity_has_zero():
    scene, notes = noted(arm('<safety_controller k_position="1"/>' + LIMIT))
    assert scene.joints["j"].dofs[0].soft.k_velocity == 0.0
    assert notes == ["urdf/safety-controller"]


@pytest.mark.parametrize("word", ["Revolute", "revolute ", " REVOLUTE"])
def test_the_type_of_a_joint_in_another_case_or_with_white_space_is_understood(tmp_path: Path, word: str):
    scene, notes = noted(arm(LIMIT, word))
    assert len(scene.joints["j"].dofs) == 1
    assert notes == ["urdf/joint-type"]
    source = saved(tmp_path / "r.urdf", arm(LIMIT, word))
    assert "no known type" in str(check_urdf(source))
    (told,) = of_rule(convert(source, tmp_path / "again.urdf"), "urdf/joint-type")
    assert (told.before, told.after) == (word, "revolute")
    assert told.reason == "joint types are written in lower case, without white space"
    assert check_urdf(tmp_path / "again.urdf") is None


def test_the_type_of_a_joint_with_a_no_break_space_is_unknown():
    with pytest.raises(InputError, match="has the unknown type"):
        noted(arm(LIMIT, "revolute\u00a0"))


def test_an_inertial_of_a_mass_alone_has_no_tensor():
    scene, notes = noted(robot('<link name="a"><inertial><mass value="2"/></inertial></link>'))
    assert scene.body("a").inertial == Inertial(mass=2.0, tensor=(0.0,) * 6, pose=IDENTITY)
    assert notes == ["urdf/inertial"]


@pytest.mark.parametrize(
    ("attribute", "rgba"),
    [
        ('rgba="1 0 0"', (1.0, 0.0, 0.0, 1.0)),
        ('rgba="255 0 51 1"', (1.0, 0.0, 0.2, 1.0)),
        ('rgb="0 1 0"', (0.0, 1.0, 0.0, 1.0)),
        ('rgba="1.5 -1 0 1"', (1.0, 0.0, 0.0, 1.0)),
        ('rgba="0.15 0.15 0.15 0 1"', (0.15, 0.15, 0.15, 1.0)),
    ],
)
def test_a_colour_of_another_make_is_understood(attribute: str, rgba: tuple[float, ...]):
    scene, notes = noted(visual(f'<material name="m"><color {attribute}/></material>'))
    assert scene.materials["m"].rgba == rgba
    assert notes == ["urdf/colour"]


@pytest.mark.parametrize("rgba", ["", "0.5", "0.1,0.2,0.3,1", "dark grey", "nan 0 0 1"])
@pytest.mark.parametrize("fallback", ["", '<material name="m"><color rgba="0 1 0 1"/></material>'])
def test_a_colour_that_is_none_keeps_nobody_from_the_robot(tmp_path: Path, rgba: str, fallback: str):
    source = tmp_path / "r.urdf"
    source.write_text(
        visual(f'<material name="m"><color rgba="{rgba}"/></material>').replace("</robot>", f"{fallback}</robot>")
    )
    assert pinocchio.buildModelsFromUrdf(str(source))[2].ngeoms == 1
    report = convert(source, tmp_path / "r.xml")
    (told,) = of_rule(report, "urdf/colour")
    assert (told.action, told.before, told.after) == ("repaired", rgba, "no colour")
    model = mujoco_model(tmp_path / "r.xml")
    shown = model.mat_rgba[model.geom_matid[0]] if model.geom_matid[0] >= 0 else model.geom_rgba[0]
    assert list(shown) == ([0, 1, 0, 1] if fallback else [0.5, 0.5, 0.5, 1]), "as a geom without a material"


def test_a_colour_on_the_material_itself_is_understood():
    scene, notes = noted(visual('<material name="m" rgba="1 0 0 1"/>'))
    assert scene.materials["m"].rgba == (1.0, 0.0, 0.0, 1.0)
    assert notes == ["urdf/colour"]


def test_a_material_without_a_name_is_one_of_its_own():
    scene, notes = noted(visual('<material><color rgba="1 0 0 1"/></material>'))
    assert scene.body("a").geoms[0].material == "anonymous"
    assert scene.materials["anonymous"].label == ""
    assert notes == ["urdf/material-name"]


def test_an_undefined_material_has_no_colour():
    scene, notes = noted(visual('<material name="ghost"/>'))
    assert scene.materials["ghost"] == Material(name="ghost")
    assert notes == ["urdf/material-undefined"]


def test_a_second_global_material_of_a_name_does_not_count_and_is_kept():
    red = '<material name="m"><color rgba="1 0 0 1"/></material>'
    scene, notes = noted(robot(red, red, '<link name="a"/>'))
    assert list(scene.materials) == ["m"]
    assert [extra.path for extra in scene.extras] == ["material[2]"]
    assert notes == ["urdf/material-duplicate"]


def test_two_colours_of_one_name_are_two_materials():
    visuals = "".join(
        f'<visual>{BOX}<material name="m"><color rgba="{red} 0 0 1"/></material></visual>' for red in ("1", "0.5", "1")
    )
    scene, notes = noted(robot(f'<link name="a">{visuals}</link>'))
    assert [geom.material for geom in scene.body("a").geoms] == ["m", "m_2", "m"]
    assert scene.materials["m_2"].label == "m"
    assert notes == ["urdf/material-conflict"]


@pytest.mark.parametrize(
    "geometry", ["<geometry/>", "<geometry><pyramid a='1'/></geometry>", "", "<geometry><mesh/></geometry>"]
)
def test_a_collision_without_a_known_shape_does_not_hide_the_next(geometry: str):
    text = robot(f'<link name="a"><collision>{geometry}</collision><collision>{BOX}</collision></link>')
    scene, notes = noted(text)
    assert [geom.shape is None for geom in scene.body("a").geoms] == [True, False]
    assert notes == ["urdf/geometry-empty"]
    stable(text)


FOREIGN = [
    "<ellipsoid/>",
    '<ellipsoid a="1" b="2"/>',
    '<ellipsoid radii="1 2 3"/>',
    '<drake:ellipsoid a="x" b="1" c="1"/>',
    '<drake:capsule radius="1" length=""/>',
    '<cone radius="1"/>',
    '<plane normal="0 0 0"/>',
    '<plane normal="0 1"/>',
]
STANDARD = ["<box/>", '<box size="1 1"/>', '<sphere radius="x"/>', '<cylinder radius="1"/>', '<capsule length="1"/>']


@pytest.mark.parametrize("shape", FOREIGN)
def test_a_shape_of_a_dialect_that_cannot_be_read_is_one_that_nobody_knows(shape: str):
    text = robot(
        f'<link name="a"><collision><geometry>{shape}</geometry></collision><collision>{BOX}</collision></link>'
    )
    scene, notes = noted(text)
    assert [geom.shape is None for geom in scene.body("a").geoms] == [True, False]
    assert notes == ["urdf/geometry-empty"]
    stable(text)
    other = scene_of(text.replace(f"<geometry>{shape}", f'<geometry>{shape}<box size="1 2 3"/>'))
    assert other.body("a").geoms[0].shape == Box(size=(1.0, 2.0, 3.0))


@pytest.mark.parametrize("shape", STANDARD)
def test_a_shape_of_urdf_itself_that_cannot_be_read_is_refused_at_its_line(shape: str):
    text = robot(f'<link name="a">\n<collision><geometry>\n{shape}</geometry></collision></link>')
    with pytest.raises(InputError, match=re.escape(f"<{shape[1:4]}")) as refused:
        scene_of(text)
    assert refused.value.source is not None and text.splitlines()[refused.value.source.line - 1].startswith(shape)


@pytest.mark.parametrize(("scale", "meant"), [("2", (2.0, 2.0, 2.0)), ("1 2 3 4", (1.0, 2.0, 3.0))])
def test_a_scale_of_another_count_is_understood(scale: str, meant: tuple[float, ...]):
    mesh = f'<geometry><mesh filename="p.stl" scale="{scale}"/></geometry>'
    scene, notes = noted(robot(f'<link name="a"><visual>{mesh}</visual></link>'))
    assert scene.body("a").geoms[0].shape == Mesh(asset="p", scale=meant)
    assert notes == ["urdf/mesh-scale"]


def test_several_roots_are_kept():
    scene, notes = noted(robot('<link name="a"/><link name="b"/>'))
    assert scene.roots() == ["a", "b"]
    assert notes == ["urdf/several-roots"]


def test_numbers_may_have_signs_and_any_white_space():
    scene = scene_of(arm('<origin xyz="&#9;+1  .5&#10;2. "/>' + LIMIT.replace('"-1"', '" -1 "')))
    assert scene.joints["j"].pose.pos == (1.0, 0.5, 2.0)
    assert scene.joints["j"].dofs[0].lower == -1.0


def test_a_zero_quaternion_is_no_rotation():
    text = arm('<origin quat_xyzw="0 0 0 0"/>', "fixed").replace('name="r"', 'name="r" version="1.1"')
    scene, notes = noted(text)
    assert scene.joints["j"].pose == IDENTITY
    assert notes == ["urdf/quaternion"]


@pytest.mark.parametrize(
    ("said", "meant"), [("1e-200 0 0 0", (0.0, 1.0, 0.0, 0.0)), ("0 0 1e200 1e200", (0.5**0.5, 0.0, 0.0, 0.5**0.5))]
)
def test_a_quaternion_of_any_length_is_a_rotation(said: str, meant: tuple[float, ...]):
    text = arm(f'<origin quat_xyzw="{said}"/>', "fixed").replace('name="r"', 'name="r" version="1.1"')
    scene, notes = noted(text)
    assert scene.joints["j"].pose.rot == pytest.approx(meant, rel=1e-15)
    assert notes == ["urdf/quaternion-length"]


def test_a_quaternion_of_seven_digits_has_length_one():
    text = arm('<origin quat_xyzw="0 0 0.7071068 0.7071068"/>', "fixed").replace('name="r"', 'name="r" version="1.1"')
    assert noted(text)[1] == []


def test_an_axis_of_any_length_is_a_direction():
    scene, notes = noted(arm(f'<axis xyz="1.7e308 1.7e308 0"/>{LIMIT}'))
    assert scene.joints["j"].dofs[0].axis == pytest.approx((0.5**0.5, 0.5**0.5, 0.0), rel=1e-15)
    assert notes == ["urdf/axis"]


def test_a_version_of_any_length_is_no_version():
    assert noted(robot('<link name="a"/>', head=f'name="r" version="{"1" * 5000}.0"'))[1] == ["urdf/version"]


@pytest.mark.parametrize("target", ["out.xml", "out.glb", "out.sdf"])
def test_the_normal_of_a_plane_has_any_length(tmp_path: Path, target: str):
    source = tmp_path / "plane.urdf"
    source.write_text(robot('<link name="a"><visual><geometry><plane normal="1e-200 0 0"/></geometry></visual></link>'))
    explained(convert(source, tmp_path / target))
    if target == "out.xml":
        _, data = drawn(tmp_path / target)
        assert data.geom_xmat[0].reshape(3, 3)[:, 2] == pytest.approx((1, 0, 0), abs=1e-12)


@pytest.mark.parametrize("tag", ["origin", "axis", "limit"])
def test_the_first_of_two_counts_and_the_second_is_kept(tag: str):
    one = {"origin": '<origin xyz="1 0 0"/>', "axis": '<axis xyz="0 1 0"/>', "limit": LIMIT}
    two = {"origin": '<origin xyz="9 0 0"/>', "axis": '<axis xyz="0 0 1"/>', "limit": LIMIT.replace("-1", "-9")}
    text = arm("".join(one.values()) + two[tag])
    joint = stable(text).joints["j"]
    assert joint.pose.pos == (1.0, 0.0, 0.0)
    assert joint.dofs[0].axis == (0.0, 1.0, 0.0)
    assert joint.dofs[0].lower == -1.0
    assert [extra.path for extra in joint.extras] == [f"{tag}[2]"]


# -------------------------------------------------------------------------------------------------------------- refused

PARTS = '<parent link="a"/><child link="b"/>'
AB = '<link name="a"/><link name="b"/>'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<sdf/>", "<sdf>, not <robot>"),
        (robot(), "no links"),
        (robot("<link/>"), "no attribute 'name'"),
        (robot('<link name="a"/><link name="a"/>'), "two links are named 'a'"),
        (robot(AB, f'<joint name="j" type="fixed">{PARTS}</joint>' * 2), "two joints are named 'j'"),
        (
            robot(AB, *(f'<joint name="{name}" type="fixed">{PARTS}</joint>' for name in "jk")),
            "'b' has two parents: joints 'j' and 'k'",
        ),
        (arm("", "fixed").replace('parent link="a"', 'parent link="c"'), "parent 'c', but no link"),
        (arm("", "fixed").replace('child link="b"', 'child link="world"'), "the world can only be a parent"),
        (arm("", "fixed").replace('parent link="a"', 'parent link="b"'), "has the link 'b' as parent and child"),
        (arm("", "fixed").replace('<parent link="a"/>', ""), "has no <parent>"),
        (robot(AB, "<joint/>"), "<joint> has no attribute 'name'"),
        (arm("", "fixed").replace('<parent link="a"/>', "<parent>a</parent>"), "no attribute 'link'"),
        (arm("", "hinge"), "unknown type 'hinge'"),
        (arm('<axis xyz="0 0 0"/>' + LIMIT), "no direction"),
        (arm('<origin xyz="1 2"/>', "fixed"), "needs 3 numbers, not 2"),
        (arm('<origin xyz="1,2,3"/>', "fixed"), "'1,2,3' is not a number"),
        (arm('<origin xyz="1\u00a02\u00a03"/>', "fixed"), "is not a number"),
        (arm('<origin xyz="1_0 0 0"/>', "fixed"), "'1_0' is not a number"),
        (arm('<origin xyz="\u0661 0 0"/>', "fixed"), "is not a number"),
        (arm('<origin xyz="0x1 0 0"/>', "fixed"), "'0x1' is not a number"),
        (arm('<origin xyz="${x} 0 0"/>', "fixed"), "is not a number"),
        (arm('<limit lower="nan" upper="1" effort="1" velocity="1"/>'), "'nan' is not a number"),
        (arm('<limit lower="inf" upper="1" effort="1" velocity="1"/>'), "'inf' is not a number"),
        (robot('<link name="a"><visual><geometry><box size="1 1"/></geometry></visual></link>'), "needs 3 numbers"),
        (robot('<link name="a"><visual><geometry><sphere/></geometry></visual></link>'), "no attribute 'radius'"),
        (
            arm('<origin rpy="0 0 0" quat_xyzw="0 0 0 1"/>', "fixed").replace('name="r"', 'name="r" version="1.1"'),
            "both rpy and quat_xyzw",
        ),
    ],
)
def test_what_has_no_plain_meaning_is_refused(text: str, message: str):
    with pytest.raises(InputError) as caught:
        scene_of(text)
    assert message in caught.value.message
    assert caught.value.source is not None


def test_a_cycle_beside_a_valid_tree_is_refused():
    links = "".join(f'<link name="{name}"/>' for name in "abcd")
    ends = (("a", "b"), ("c", "d"), ("d", "c"))
    joints = (
        f'<joint name="{one}{two}" type="fixed"><parent link="{one}"/><child link="{two}"/></joint>'
        for one, two in ends
    )
    with pytest.raises(InputError, match="'c', 'd' form a cycle"):
        scene_of(robot(links, *joints))


def test_an_error_names_file_and_line():
    text = '<robot name="r">\n<link name="a"/>\n<link name="a"/>\n</robot>'
    with pytest.raises(InputError, match=r"^model\.urdf:3: two links"):
        scene_of(text)
