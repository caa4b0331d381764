"""The output is accepted by every URDF reader in use."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from converters.context import Options
from converters.convert import convert
from converters.report.rows import losses
from converters.source.carried import carry
from converters.urdf.writer import write
from ir.diff import compare
from ir.folds import fold
from ir.mapping import map_joints
from ir.pose import compose, from_axis_angle
from ir.scene import Scene
from ir.types import (
    IDENTITY,
    Asset,
    Body,
    Box,
    Capsule,
    Cylinder,
    Dof,
    DofKind,
    Geom,
    Joint,
    Material,
    Mesh,
    Mimic,
    Pose,
    Role,
    Sphere,
)
from tests.files import saved
from tests.formats.urdf_text import again, arm, context, element_of, output_of, robot, scene_of
from tests.oracles.in_urdfdom import check_urdf
from tests.reports import of_rule

LIMIT = '<limit lower="-1" upper="1" effort="1" velocity="1"/>'


def built(*dofs: Dof, pose: Pose = IDENTITY, name: str = "j") -> Scene:
    """Return a scene that does not come from a file: bodies a and b and the joint between them."""
    scene = Scene("made")
    scene.add_body(Body(name="a"))
    scene.add_body(Body(name="b"))
    scene.add_joint(Joint(name=name, parent="a", child="b", pose=pose, dofs=dofs))
    return scene


def shown(*geoms: Geom) -> Scene:
    scene = Scene("made")
    scene.add_body(Body(name="a", geoms=geoms))
    return scene


def hinge(**values: object) -> Dof:
    return Dof(name="j", kind=DofKind.HINGE, **values)


def test_the_children_of_a_joint_stand_in_the_order_of_the_schema():
    more = '<safety_controller k_velocity="1"/><mimic joint="k"/><dynamics damping="1"/><calibration rising="1"/>'
    joint = again(arm(f'{more}{LIMIT}<axis xyz="0 0 1"/><origin xyz="1 0 0"/>')).find("joint")
    assert [child.tag for child in joint] == [
        "origin",
        "parent",
        "child",
        "axis",
        "calibration",
        "dynamics",
        "limit",
        "mimic",
        "safety_controller",
    ]


def test_a_limit_always_has_its_four_attributes():
    limit = element_of(built(hinge(lower=-1.0, upper=1.0))).find("joint/limit")
    assert dict(limit.attrib) == {"lower": "-1", "upper": "1", "effort": "1000000000", "velocity": "1000000000"}


def test_urdf_1_2_leaves_out_what_is_unknown():
    limit = element_of(built(hinge(lower=-1.0, upper=1.0)), urdf_version="1.2").find("joint/limit")
    assert dict(limit.attrib) == {"lower": "-1", "upper": "1"}


@pytest.mark.parametrize("nothing", ['sphere radius="0"', 'box size="1 -1 1"', 'cylinder radius="1" length="0"'])
def test_urdf_1_2_leaves_out_what_has_no_size(tmp_path: Path, nothing: str):
    link = f'<link name="a"><collision name="c"><geometry><{nothing}/></geometry></collision></link>'
    source = saved(tmp_path / "old.urdf", robot(link))
    for version in (None, "1.2"):
        report = convert(source, tmp_path / "robot.urdf", options=Options(urdf_version=version))
        assert check_urdf(tmp_path / "robot.urdf") is None
        told = [(each.action, each.where) for each in of_rule(report, "urdf/geom")]
        assert told == ([("carried", "body/a.geoms.c")] if version else [])


def test_an_unlimited_hinge_is_continuous():
    joint = element_of(built(hinge())).find("joint")
    assert joint.get("type") == "continuous"
    assert joint.find("limit") is None


def test_an_unlimited_slide_has_a_huge_range():
    limit = element_of(built(Dof(name="j", kind=DofKind.SLIDE))).find("joint/limit")
    assert (limit.get("lower"), limit.get("upper")) == ("-1e+16", "1e+16")


def test_an_axis_is_the_default_where_its_author_left_it_so():
    assert again(arm(LIMIT)).find("joint/axis") is None
    assert again(arm(LIMIT + '<axis xyz="1 0 0"/>')).find("joint/axis").get("xyz") == "1 0 0"

    def turned(joint: Joint) -> Joint:
        return replace(joint, dofs=tuple(replace(dof, axis=(0.0, 1.0, 0.0)) for dof in joint.dofs))

    assert element_of(map_joints(scene_of(arm(LIMIT)), turned)).find("joint/axis").get("xyz") == "0 1 0"


def test_an_inertia_always_has_its_six_attributes():
    inertia = again(robot('<link name="a"><inertial><mass value="1"/></inertial></link>')).find("link/inertial/inertia")
    assert set(inertia.attrib) == {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}


def test_angles_go_back_as_their_author_wrote_them():
    assert again(arm('<origin rpy="1.57 0 3.14159"/>', "fixed")).find("joint/origin").get("rpy") == "1.57 0 3.14159"


@pytest.mark.parametrize("off", [0.0, 1e-9, 1e-6, 1e-3, 4e-3, -1e-9])
def test_rotations_survive_near_a_pitch_of_90_degrees(off: float):
    quaternion = from_axis_angle((0.0, 1.0, 0.0), math.pi / 2 + off)
    turned = compose(Pose(rot=from_axis_angle((0.0, 0.0, 1.0), 0.3)), Pose(rot=quaternion))
    back = scene_of(output_of(built(pose=turned)).document).joints["j"].pose.rot
    sign = 1.0 if back[0] * turned.rot[0] + back[2] * turned.rot[2] >= 0 else -1.0
    assert tuple(sign * value for value in back) == pytest.approx(turned.rot, abs=1e-12)


def test_nothing_is_written_about_a_version_unless_the_source_or_the_user_says_so():
    assert again(robot('<link name="a"/>')).get("version") is None
    assert again(robot('<link name="a"/>', head='name="r" version="1.1"')).get("version") == "1.1"
    assert element_of(built(), urdf_version="1.2").get("version") == "1.2"


def test_the_document_starts_with_the_declaration_and_has_no_instructions_inside():
    document = output_of(scene_of(robot("<?php x?>", '<link name="a"/>'))).document
    assert document.startswith(b'<?xml version="1.0"?>\n')
    assert document.count(b"<?") == 1


def test_a_capsule_is_a_cylinder_and_two_spheres_before_urdf_1_1():
    scene = shown(
        Geom(name="g", role=Role.COLLISION, shape=Capsule(radius=0.1, length=0.4)),
        Geom(name="a_collision_1", label="", role=Role.COLLISION, shape=Sphere(radius=1.0)),
    )
    output = output_of(scene)
    assert output.folds["geom"] == {"g": ["g", "g_cap1", "g_cap2"]}
    read = scene_of(output.document)
    parts = read.body("a").geoms
    assert [geom.name for geom in parts] == ["g", "g_cap1", "g_cap2", "a_collision_1"]
    assert parts[0].shape == Cylinder(radius=0.1, length=0.4)
    assert [geom.pose.pos[2] for geom in parts[1:3]] == [0.2, -0.2]
    folded = fold(read, output.folds)
    assert [geom.name for geom in folded.body("a").geoms] == ["g", "a_collision_1"]


def test_a_capsule_stays_one_from_urdf_1_1():
    scene = shown(Geom(name="g", role=Role.COLLISION, shape=Capsule(radius=0.1, length=0.4)))
    capsule = element_of(scene, urdf_version="1.1").find("link/collision/geometry/capsule")
    assert dict(capsule.attrib) == {"radius": "0.1", "length": "0.4"}


@pytest.mark.parametrize("tag", ["capsule", "drake:capsule"])
def test_a_capsule_of_a_urdf_stays_as_it_was_spelled(tag: str):
    text = robot(f'<link name="a"><collision><geometry><{tag} radius="1" length="2"/></geometry></collision></link>')
    assert f"<{tag} ".encode() in output_of(scene_of(text)).document


def test_a_geom_that_is_both_is_written_twice_and_folded():
    scene = shown(Geom(name="g", role=Role.BOTH, shape=Box(size=(1.0, 1.0, 1.0))))
    output = output_of(scene)
    assert [geom.role for geom in scene_of(output.document).body("a").geoms] == ["visual", "collision"]
    assert output.folds["geom"] == {"g": ["g", "g_collision"]}


def test_names_of_materials_of_other_formats_are_global():
    scene = shown(Geom(name="g", role=Role.VISUAL, shape=Sphere(radius=1.0), material="red"))
    scene.add("material", Material(name="red", rgba=(1.0, 0.0, 0.0, 1.0)))
    root = element_of(scene)
    assert root.find("material/color").get("rgba") == "1 0 0 1"
    assert len(root.find("link/visual/material")) == 0


def test_names_of_assets_that_urdf_cannot_show_are_folded():
    scene = shown(Geom(name="g", role=Role.VISUAL, shape=Mesh(asset="upper")))
    scene.add("asset", Asset(name="upper", uri="meshes/part.stl"))
    output = output_of(scene)
    assert output.folds == {"asset": {"upper": ["part"]}}
    assert fold(scene_of(output.document), output.folds).assets == scene.assets


@pytest.fixture
def with_files(tmp_path):
    """A scene whose mesh is below in/, with a material library and an image for it."""
    meshes = tmp_path / "in" / "meshes"
    textures = tmp_path / "in" / "textures"
    meshes.mkdir(parents=True)
    textures.mkdir()
    (meshes / "part.obj").write_text("mtllib part.mtl\nv 0 0 0\n")
    (meshes / "part.mtl").write_text("newmtl m\nmap_Kd ../textures/wood.png\nmap_Ks ../../../secret.png\n")
    (textures / "wood.png").touch()
    (tmp_path.parent / "secret.png").touch()
    scene = shown(Geom(name="g", role=Role.VISUAL, shape=Mesh(asset="part")))
    scene.add("asset", Asset(name="part", uri="meshes/part.obj", file=str(meshes / "part.obj")))
    return scene


def written(scene: Scene, target, **options: object):
    used = context(**options)
    used.target = target
    used.asset_folder = "r_assets"
    return write(scene, used)


def test_files_that_a_relative_path_would_miss_are_copied_with_what_they_name(with_files, tmp_path):
    output = written(with_files, tmp_path / "out" / "r.urdf")
    assert b'filename="r_assets/meshes/part.obj"' in output.document
    assert sorted(output.files) == [
        "r_assets/meshes/part.mtl",
        "r_assets/meshes/part.obj",
        "r_assets/textures/wood.png",
    ]


def test_files_can_be_referred_to_where_they_lie(with_files, tmp_path):
    output = written(with_files, tmp_path / "out" / "r.urdf", meshes="reference")
    assert b'filename="../in/meshes/part.obj"' in output.document
    assert output.files == {}


def test_a_path_that_leads_from_the_output_stays(with_files, tmp_path):
    output = written(with_files, tmp_path / "in" / "r.urdf")
    assert b'filename="meshes/part.obj"' in output.document
    assert output.files == {}


def test_what_hangs_on_the_world_brings_a_link_for_it():
    scene = Scene("made")
    scene.add_body(Body(name="a"))
    scene.add_joint(Joint(name="base", parent="world", child="a"))
    root = element_of(scene)
    assert [link.get("name") for link in root.findall("link")] == ["world", "a"]


def test_a_joint_of_several_dofs_becomes_a_chain_of_the_same_motion():
    dofs = (
        Dof(name="x", kind=DofKind.SLIDE, axis=(1.0, 0.0, 0.0), lower=-1.0, upper=1.0, effort=1.0, velocity=1.0),
        Dof(name="t", kind=DofKind.HINGE, axis=(0.0, 1.0, 0.0), anchor=(0.0, 0.0, 0.5), zero=0.3),
    )
    root = element_of(built(*dofs, pose=Pose((1.0, 2.0, 3.0))))
    joints = [(joint.get("name"), joint.get("type")) for joint in root.findall("joint")]
    assert joints == [("x", "prismatic"), ("t", "continuous"), ("j_offset", "fixed")]
    scene = scene_of(output_of(built(*dofs, pose=Pose((1.0, 2.0, 3.0)))).document)
    place = Pose()
    for name, motion in (("x", Pose((0.25, 0.0, 0.0))), ("t", Pose(rot=from_axis_angle((0.0, 1.0, 0.0), 0.9)))):
        place = compose(compose(place, scene.joints[name].pose), motion)
    place = compose(place, scene.joints["j_offset"].pose)
    turn = from_axis_angle((0.0, 1.0, 0.0), 0.6)
    anchor = Pose((0.0, 0.0, 0.5))
    expected = compose(compose(compose(Pose((1.25, 2.0, 3.0)), anchor), Pose(rot=turn)), Pose((0.0, 0.0, -0.5)))
    assert place.pos == pytest.approx(expected.pos, abs=1e-14)
    assert place.rot == pytest.approx(expected.rot, abs=1e-14)


def test_a_ball_is_written_in_the_dialect_of_drake():
    joint = element_of(built(Dof(name="j", kind=DofKind.BALL))).find("{http://drake.mit.edu}joint")
    assert joint.get("type") == "ball"


def test_the_pitch_of_a_screw_survives():
    dof = Dof(name="j", kind=DofKind.SCREW, axis=(0.0, 0.0, 1.0), pitch=0.1 / (2 * math.pi))
    assert scene_of(output_of(built(dof)).document).joints["j"].dofs[0].pitch == dof.pitch


def test_numbers_are_plain_and_parted_by_single_spaces():
    document = output_of(scene_of(arm('<origin xyz=" +1.0  -0.0 1e-7"/>' + LIMIT))).document.decode()
    assert 'xyz="1 0 1e-07"' in document
    assert not re.search(r'="[^"]*(inf|nan)[^"]*"', document)


def test_carried_data_stands_at_the_end_and_is_found_again():
    output = carry(output_of(built()), {"joint/j": '["a<b", null]', "scene": "{'\"'}"})
    assert scene_of(output.document).carried == {"joint/j": '["a<b", null]', "scene": "{'\"'}"}
    assert output.document.rstrip().endswith(b"</robot>")
    assert output.document.count(b"xmlns:kinegraph") == 1


def test_carrying_does_not_disturb_what_was_read():
    scene = scene_of(arm(LIMIT))
    output = carry(output_of(scene), {"x": json.dumps([1])})
    assert scene_of(output.document) == scene


@pytest.mark.parametrize(
    "dof",
    [
        hinge(armature=1.0),
        hinge(stiffness=2.0, spring_reference=0.1),
        hinge(zero=0.5, lower=0.0, upper=1.0, effort=1.0, velocity=1.0),
        hinge(anchor=(1.0, 0.0, 0.0)),
        hinge(upper=1.0),
        hinge(mimic=Mimic(dof="k", reference=0.5)),
        Dof(name="j", kind=DofKind.SLIDE, acceleration=1.0, jerk=2.0),
        Dof(name="other", kind=DofKind.HINGE),
    ],
)
def test_every_loss_of_a_joint_has_a_reason(dof: Dof):
    scene = built(dof)
    output = output_of(scene)
    differences, _ = compare(scene, fold(scene_of(output.document), output.folds))
    from fnmatch import fnmatchcase

    assert differences
    patterns = [pattern for row in losses("urdf") for pattern in row.patterns()]
    fields = [(found.field, f"{found.field} {found.kind}") for found in differences]
    assert [each for each in fields if not any(fnmatchcase(it, pattern) for it in each for pattern in patterns)] == []


def test_a_material_that_urdf_can_say_nothing_of_is_white(tmp_path: Path):
    """urdfdom and Drake refuse a <material> without colour and texture; URDF cannot express this texture."""
    source = tmp_path / "m.xml"
    source.write_text(
        "<mujoco><asset><texture name='t' fileright='gone.png'/><material name='grid' texture='t'/>"
        "</asset><worldbody><body name='b'><geom size='1' material='grid'/></body></worldbody></mujoco>"
    )
    report = convert(source, tmp_path / "m.urdf")
    assert '<material name="grid">\n    <color rgba="1 1 1 1"/>' in (tmp_path / "m.urdf").read_text()
    assert [finding.after for finding in of_rule(report, "urdf/material-white")] == ["1 1 1 1"]
    assert check_urdf(tmp_path / "m.urdf") is None
    convert(tmp_path / "m.urdf", tmp_path / "back.xml")
    assert '<material name="grid" texture="t"/>' in (tmp_path / "back.xml").read_text()
