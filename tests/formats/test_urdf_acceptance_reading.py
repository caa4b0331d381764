"""Requirements for reading real URDF files: numbers, characters, structure, materials. Engines judge the output."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from converters.chains.describe import described
from converters.context import InputError, Options
from converters.convert import convert, load, read
from converters.failures import sentence
from converters.validating import validate
from converters.validating.fixing import repair
from converters.validating.show import place
from ir.kinematics import forward
from ir.pose import matrix
from ir.types import IDENTITY, Capsule
from tests.files import saved
from tests.formats.urdf_text import again, arm, noted, robot, scene_of, stable
from tests.oracles.in_drake import drake_reads
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.in_pinocchio import configuration, link_poses, pinocchio_model
from tests.oracles.in_sdformat import sdformat_reads
from tests.oracles.in_urdfdom import check_urdf, check_urdf_3

LIMIT = '<limit lower="-1" upper="1" effort="1" velocity="1"/>'
BOX = '<geometry><box size="1 1 1"/></geometry>'
VERSION_1_1 = ('name="r"', 'name="r" version="1.1"')


def file(folder: Path, text: str | bytes, name: str = "robot.urdf") -> Path:
    return saved(folder / name, text if isinstance(text, bytes) else text.encode())


# ---------------------------------------------------------------------------------------------------------- structure


def test_check_urdf_hangs_on_a_link_below_itself_and_its_wrapper_does_not(tmp_path: Path):
    """acceptance 4"""
    below = '<joint name="k" type="fixed"><parent link="b"/><child link="b"/></joint></robot>'
    path = file(tmp_path, arm("", "fixed").replace("</robot>", below))
    assert check_urdf(path, timeout=2) == "no answer after 2 s"
    with pytest.raises(InputError, match="has the link 'b' as parent and child"):
        read(path)


def test_a_cycle_beside_a_tree_is_found_although_check_urdf_accepts_it(tmp_path: Path):
    """acceptance 5"""
    links = "".join(f'<link name="{name}"/>' for name in "abcd")
    ends = (("a", "b"), ("c", "d"), ("d", "c"))
    joints = [f'<joint name="{a}{b}" type="fixed"><parent link="{a}"/><child link="{b}"/></joint>' for a, b in ends]
    path = file(tmp_path, robot(links, *joints))
    assert check_urdf(path) is None
    with pytest.raises(InputError, match="form a cycle"):
        read(path)


def test_a_link_with_two_parents_is_refused_and_both_joints_are_named(tmp_path: Path):
    """acceptance 6: Pinocchio, Drake and MuJoCo refuse it; Kinegraph does not choose which joint closes the loop."""
    links = "".join(f'<link name="{name}"/>' for name in "abc")
    joints = [f'<joint name="{a}" type="fixed"><parent link="{a}"/><child link="c"/></joint>' for a in "ab"]
    with pytest.raises(InputError, match="'c' has two parents: joints 'a' and 'b'"):
        read(file(tmp_path, robot(links, *joints)))


def test_a_link_with_two_parents_is_a_loop_once_it_is_repaired(tmp_path: Path):
    """acceptance 6: --fix all keeps the first; the other, which URDF cannot contain, exists in formats with loops."""
    links = "".join(f'<link name="{name}"/>' for name in "abc")
    turn = '<axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/>'
    joints = [
        f'<joint name="{a}{b}" type="revolute"><parent link="{a}"/><child link="{b}"/>{turn}</joint>'
        for a, b in ("ab", "ac", "bc")
    ]
    verdict = validate(file(tmp_path, robot(links, *joints)))
    fixed = repair(verdict, tmp_path / "fixed.urdf", everything=True)
    assert [change.where for change in fixed.changes if "TREE-2PARENTS" in change.rules] == ["loop/bc"]
    assert "TREE-2PARENTS" in {breach.rule for breach in fixed.repaired}
    assert check_urdf(tmp_path / "fixed.urdf") is None
    assert {name: joint.closes_loop for name, joint in read(tmp_path / "fixed.urdf").joints.items()} == {
        "ab": False,
        "ac": False,
        "bc": True,
    }
    convert(tmp_path / "fixed.urdf", tmp_path / "other.sdf")
    answer = sdformat_reads(tmp_path / "other.sdf")
    assert answer["errors"] == [] and len(answer["joints"]) == 3
    convert(tmp_path / "fixed.urdf", tmp_path / "other.xml")
    model = mujoco_model(tmp_path / "other.xml")
    assert model.njnt == 2 and model.neq == 2


def test_a_mesh_is_not_looked_for_in_the_folder_of_another_robot(tmp_path: Path):
    """acceptance 14: `visual` is the name of a folder of several robots, and not of a package of this one."""
    (tmp_path / ".git").mkdir()
    for other in ("atlas", "drake"):
        (tmp_path / other / "meshes" / "visual").mkdir(parents=True)
        (tmp_path / other / "meshes" / "visual" / "link_0.STL").write_bytes(b"solid x\nendsolid x\n")
    (tmp_path / "hand" / "urdf").mkdir(parents=True)
    mesh = '<link name="a"><visual><geometry><mesh filename="package://visual/link_0.STL"/></geometry></visual></link>'
    scene = read(file(tmp_path / "hand" / "urdf", robot(mesh)))
    (asset,) = scene.assets.values()
    assert asset.file is None


def test_what_stands_beside_a_shape_does_not_hide_the_next():
    """acceptance 31: urdfdom drops the rest of the link."""
    stray = '<geometry><origin xyz="0 0 1"/><sphere radius="1"/></geometry>'
    shapes = ["<geometry/>", '<geometry><cone radius="1" length="2"/></geometry>', stray, BOX]
    text = robot('<link name="a">', *(f"<collision>{shape}</collision>" for shape in shapes), "</link>")
    geoms = stable(text).body("a").geoms
    assert [type(geom.shape).__name__ for geom in geoms] == ["NoneType", "Cone", "Sphere", "Box"]
    assert len(again(text).findall(".//collision")) == 4


# ------------------------------------------------------------------------------------------------------------ numbers


@pytest.mark.parametrize("off", [0.0, 1e-9, -1e-9, 1e-6, -1e-6, 1e-3, -1e-3, 4e-3, -4e-3])
@pytest.mark.parametrize("sign", [1, -1])
def test_angles_near_the_pole_are_the_same_rotation_for_all(tmp_path: Path, off: float, sign: int):
    """acceptance 15: urdfdom's own conversion back is off by up to a third of a degree there."""
    roll, pitch, yaw = 0.3, sign * math.pi / 2 + off, -0.7
    source = file(tmp_path, arm(f'<origin xyz="1 2 3" rpy="{roll!r} {pitch!r} {yaw!r}"/>', "fixed"))
    x, y, z = (np.array(m) for m in (_about(0, roll), _about(1, pitch), _about(2, yaw)))
    wanted = z @ y @ x
    for name in ("again.urdf", "other.xml", "other.sdf", "other.glb"):
        convert(source, tmp_path / name)
        pose = forward(read(tmp_path / name))["b"]
        assert np.abs(np.array(matrix(pose.rot)) - wanted).max() < (1e-12 if name != "other.glb" else 1e-7), name
    model = pinocchio_model(tmp_path / "again.urdf")
    assert np.abs(link_poses(model, configuration(model, {}))["b"][:3, :3] - wanted).max() < 1e-12


def _about(axis: int, angle: float) -> list[list[float]]:
    turned = np.eye(3)
    a, b = (axis + 1) % 3, (axis + 2) % 3
    turned[a, a] = turned[b, b] = math.cos(angle)
    turned[a, b], turned[b, a] = -math.sin(angle), math.sin(angle)
    return turned.tolist()


def test_a_quaternion_counts_from_version_1_1(tmp_path: Path):
    """acceptance 16: normalised, zero is no rotation, both forms are an error, and before 1.1 it is ignored."""
    quarter = arm('<origin quat_xyzw="0 0 2 2"/>', "fixed")
    scene, notes = noted(quarter.replace(*VERSION_1_1))
    assert scene.joints["j"].pose.rot == pytest.approx((math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5)), abs=1e-15)
    assert notes == ["urdf/quaternion-length"]
    scene, notes = noted(arm('<origin quat_xyzw="0 0 0 0"/>', "fixed").replace(*VERSION_1_1))
    assert (scene.joints["j"].pose, notes) == (IDENTITY, ["urdf/quaternion"])
    with pytest.raises(InputError, match="both rpy and quat_xyzw"):
        scene_of(arm('<origin rpy="0 0 1" quat_xyzw="0 0 0 1"/>', "fixed").replace(*VERSION_1_1))
    assert noted(quarter)[0].joints["j"].pose == IDENTITY
    convert(file(tmp_path, quarter.replace(*VERSION_1_1)), tmp_path / "again.urdf")
    model = pinocchio_model(tmp_path / "again.urdf")
    turned = link_poses(model, configuration(model, {}))["b"]
    assert turned[:3, 0] == pytest.approx([0, 1, 0])


@pytest.mark.parametrize("word", ["inf", "INF", "1e400"])
def test_what_is_not_finite_is_never_written(tmp_path: Path, word: str):
    """acceptance 18"""
    text = arm(f'<limit lower="-{word}" upper="{word}" effort="{word}" velocity="{word}"/>', "prismatic")
    source = file(tmp_path, text)
    for name in ("again.urdf", "other.xml", "other.sdf"):
        convert(source, tmp_path / name)
        text = (tmp_path / name).read_text().partition("kinegraph:carried")[0].partition("<custom>")[0]
        assert word not in text and "inf" not in text.lower().replace("info", ""), name
    assert check_urdf_3(tmp_path / "again.urdf") is None
    with pytest.raises(InputError, match="'nan' is not a number"):
        scene_of(arm('<limit lower="0" upper="nan" effort="1" velocity="1"/>'))


SEPARATORS = {"a tab": "1\t2\t3", "a new line": "1\n2\n3", "two spaces": "1  2  3", "a space at the end": " 1 2 3 "}


@pytest.mark.parametrize("what", SEPARATORS)
def test_white_space_parts_numbers_and_one_space_is_written(tmp_path: Path, what: str):
    """acceptance 32"""
    text = arm(f'<origin xyz="{SEPARATORS[what]}"/>', "fixed")
    assert scene_of(text).joints["j"].pose.pos == (1.0, 2.0, 3.0)
    convert(file(tmp_path, text), tmp_path / "again.urdf")
    assert 'xyz="1 2 3"' in (tmp_path / "again.urdf").read_text()
    assert check_urdf(tmp_path / "again.urdf") is None and check_urdf_3(tmp_path / "again.urdf") is None


@pytest.mark.parametrize("word", ["1,2", "1\u00a02", "1_0", "\u0661"])
@pytest.mark.parametrize("attribute", ["xyz", "rpy"])
def test_a_word_that_is_no_number_is_refused_with_its_column(tmp_path: Path, word: str, attribute: str):
    """acceptance 32: also where the attributes of a tag stand on several lines."""
    other = "rpy" if attribute == "xyz" else "xyz"
    text = arm(f'\n  <origin {other}="0 0 0"\n     {attribute}="0 {word} 0"/>', "fixed")
    path = file(tmp_path, text)
    with pytest.raises(InputError) as caught:
        read(path)
    assert caught.value.rule in ("NUM-PARSE", "NUM-COUNT")
    assert sentence(caught.value).startswith(f"{path}:3:6: <origin {attribute}=")
    (breach,) = [breach for breach in validate(path).breaches if breach.rule == caught.value.rule]
    assert place(breach, str(path)) == (str(path), 3, 6)


@pytest.mark.parametrize("word", ["3\u00a0", "\u00a03", "3\u2003"])
def test_only_white_space_of_xml_may_stand_around_a_number(tmp_path: Path, word: str):
    path = file(tmp_path, arm(f'<limit lower="0" upper="1" velocity="1" effort="{word}"/>'))
    assert "not a valid float" in str(check_urdf(path))
    with pytest.raises(InputError, match=r"<limit effort>: .* is not a number") as caught:
        read(path)
    assert caught.value.rule == "NUM-PARSE"


# --------------------------------------------------------------------------------------------------------- characters

PLAIN = '<robot name="r"><!-- ü --><link name="a"/></robot>'
CHARACTERS: dict[str, tuple[bytes, list[str]]] = {
    "UTF-16": (PLAIN.encode("utf-16"), []),
    "UTF-16 without a mark": (PLAIN.encode("utf-16-le"), []),
    "UTF-16, the other way round": (PLAIN.encode("utf-16-be"), []),
    "a byte order mark": (PLAIN.encode("utf-8-sig"), []),
    "Latin-1, declared": (('<?xml version="1.0" encoding="ISO-8859-1"?>' + PLAIN).encode("latin-1"), []),
    "Latin-1, not declared": (PLAIN.encode("latin-1"), ["xml/encoding"]),
    "a blank line first": (b'\n<?xml version="1.0"?>' + PLAIN.encode(), ["xml/malformed"]),
    "two dashes in a comment": (PLAIN.replace("ü", "a -- b").encode(), ["xml/malformed"]),
    "NUL bytes at the end": (PLAIN.encode() + b"\0\0", ["xml/malformed"]),
}


@pytest.mark.parametrize("what", CHARACTERS)
def test_files_are_read_as_their_tools_wrote_them(what: str):
    """acceptance 33"""
    data, rules = CHARACTERS[what]
    scene, notes = noted(data)
    assert set(scene.bodies) == {"world", "a"}
    assert notes == rules


def test_utf_16_of_any_kind_keeps_what_is_declared():
    """Found by fuzzing: expat guessed the encoding, and what was declared on the root was not read."""
    text = '<robot name="r" xmlns:sensor="http://example.org/s"><link name="a"/></robot>'
    for encoding in ("utf-8", "utf-16", "utf-16-le", "utf-16-be"):
        assert scene_of(text.encode(encoding)).notation["xmlns:sensor"] == "http://example.org/s", encoding


def test_a_declared_prefix_of_xacro_is_no_xacro(tmp_path: Path):
    """acceptance 34: 151 of 322 published files declare it; xacro elements left in a URDF are reported."""
    declared = 'name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"'
    assert noted(robot('<link name="a"/>', head=declared))[1] == []
    leftover = robot('<link name="a"/><xacro:grey/>', head=declared)
    source = file(tmp_path, leftover)
    assert load(source).format.name == "urdf"
    report = convert(source, tmp_path / "other.xml")
    assert [finding.where for finding in report.findings if "grey" in finding.where]
    with pytest.raises(InputError, match="xacro"):
        read(file(tmp_path, arm('<origin xyz="${x} 0 0"/>', "fixed")))
    body = '<xacro:property name="x" value="2"/><link name="${2 * x}"/>'
    expanded = read(file(tmp_path, robot(body, head=declared), "robot.urdf.xacro"))
    assert set(expanded.bodies) == {"world", "4"}


# -------------------------------------------------------------------------------------------------------------- looks


def test_colours_that_real_files_get_wrong_are_read_with_a_note():
    """acceptance 29"""
    cases = {
        '<material name="m"><color rgba="1 0 0"/></material>': (1.0, 0.0, 0.0, 1.0),
        '<material name="m"><color rgba="255 0 0 255"/></material>': (1.0, 0.0, 0.0, 1.0),
        '<material name="m"><color rgb="1 0 0"/></material>': (1.0, 0.0, 0.0, 1.0),
        '<material><color rgba="1 0 0 1"/></material>': (1.0, 0.0, 0.0, 1.0),
        '<material name="m" rgba="1 0 0 1"/>': (1.0, 0.0, 0.0, 1.0),
        '<material name="m"/>': None,
    }
    for material, rgba in cases.items():
        scene, notes = noted(robot(f'<link name="a"><visual>{BOX}{material}</visual></link>'))
        assert [each.rgba for each in scene.materials.values()] == [rgba], material
        assert len(notes) == 1, material


def test_two_colours_of_one_name_stay_two(tmp_path: Path):
    """acceptance 30: urdfdom and RViz use the first for both, and so does Kinegraph with an option."""
    visuals = [
        f'<visual>{BOX}<material name="fibre"><color rgba="{red} 0 0 1"/></material></visual>' for red in ("1", "0.25")
    ]
    source = file(tmp_path, robot('<link name="a">', *visuals, "</link>"))
    assert _reds(source, tmp_path / "other.xml") == [0.25, 1.0]
    assert _reds(source, tmp_path / "first.xml", urdfdom_materials=True) == [1.0, 1.0]
    whole = '<material name="fibre"><color rgba="0.5 0 0 1"/></material>'
    source = file(tmp_path, robot(whole, '<link name="a">', *visuals, "</link>"))
    assert _reds(source, tmp_path / "whole.xml", urdfdom_materials=True) == [0.5, 0.5]


def _reds(source: Path, target: Path, **options: bool) -> list[float]:
    report = convert(source, target, options=Options(**options))
    assert "urdf/material-conflict" in {finding.rule for finding in report.findings}
    model = mujoco_model(target)
    shown = [model.geom_rgba[i] if m < 0 else model.mat_rgba[m] for i, m in enumerate(model.geom_matid)]
    return sorted(float(rgba[0]) for rgba in shown)


# ------------------------------------------------------------------------------------------------------------ capsule


def test_a_capsule_is_what_the_version_can_say(tmp_path: Path):
    """acceptance 17: two spheres and a cylinder for every reader, a capsule from 1.1; other formats have capsules."""
    text = robot(
        '<link name="a"><collision><geometry><capsule radius="0.1" length="0.5"/></geometry></collision></link>'
    )
    source = file(tmp_path, text.replace(*VERSION_1_1))
    convert(source, tmp_path / "other.xml")
    model = mujoco_model(tmp_path / "other.xml")
    assert [float(size) for size in model.geom_size[0][:2]] == [0.1, 0.25]
    convert(source, tmp_path / "other.sdf")
    assert sdformat_reads(tmp_path / "other.sdf")["errors"] == []
    assert read(tmp_path / "other.sdf").body("a").geoms[0].shape == Capsule(radius=0.1, length=0.5)
    convert(tmp_path / "other.xml", tmp_path / "old.urdf", options=Options(urdf_version="1.0"))
    assert check_urdf_3(tmp_path / "old.urdf") is None and check_urdf(tmp_path / "old.urdf") is None
    assert "capsule" not in (tmp_path / "old.urdf").read_text().partition("kinegraph:carried")[0]
    convert(tmp_path / "other.xml", tmp_path / "new.urdf", options=Options(urdf_version="1.1"))
    assert check_urdf(tmp_path / "new.urdf") is None
    assert '<capsule radius="0.1" length="0.5"/>' in (tmp_path / "new.urdf").read_text()


# --------------------------------------------------------------------------------------------------------- kinematics


def test_an_axis_is_normalised_as_pinocchio_does(tmp_path: Path):
    """acceptance 23: q moves a metre for each metre, whatever the length of the axis."""
    path = file(tmp_path, arm('<origin rpy="0 0 1"/><axis xyz="0 0 2"/>' + LIMIT, "prismatic"))
    model = pinocchio_model(path)
    wanted = link_poses(model, configuration(model, {"j": (0.5,)}))["b"][:3, 3]
    assert forward(read(path), {"j": 0.5})["b"].pos == pytest.approx(wanted.tolist(), abs=1e-15)
    assert wanted[2] == pytest.approx(0.5)


def test_an_axis_turns_with_its_joint_for_every_reader(tmp_path: Path):
    """acceptance 24: yaw by 90 degrees, axis x: along y of the parent."""
    origin = f'<origin rpy="0 0 {math.pi / 2!r}"/><axis xyz="1 0 0"/>'
    mass = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    text = arm(origin + LIMIT, "prismatic").replace('<link name="b"/>', f'<link name="b">{mass}</link>')
    source = file(tmp_path, text)
    for name in ("again.urdf", "other.sdf"):
        convert(source, tmp_path / name)
        (state,) = drake_reads(tmp_path / name, at=[{"j": 0.5}])["at"]
        pose = np.array(state["bodies"]["b"]).reshape(4, 4)
        assert pose[:3, 3] == pytest.approx([0, 0.5, 0], abs=1e-12), name


def test_nearly_parallel_axes_are_said_to_be_ill_conditioned(tmp_path: Path):
    """acceptance 39: a rounded pi puts the common normal far away; the rows are still exact, and the report warns."""
    text = robot(
        *(f'<link name="{name}"/>' for name in "abcd"),
        '<joint name="p" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint>',
        '<joint name="q" type="continuous"><parent link="b"/><child link="c"/><axis xyz="0 0 1"/>'
        '<origin xyz="1 0.2 0" rpy="3.1415 0 0"/></joint>',
        '<joint name="t" type="fixed"><parent link="c"/><child link="d"/><origin xyz="0.5 0 0"/></joint>',
    )
    (found,) = described(file(tmp_path, text))
    assert found["smallest_sine"] == pytest.approx(math.sin(3.1415), rel=1e-6)
    assert found["ill_conditioned"] is True
    assert found["residual"] < 1e-9
    assert max(abs(row["d"]) for row in found["standard"]["rows"]) > 1000 or found["pure"] is False
