"""Chains of joints, and other objects that belong together, in an edited output."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pinocchio
import pytest
from lxml import etree

from converters import convert
from converters.report.model import Action, Report
from tests.files import saved
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.in_sdformat import sdformat_reads
from tests.reports import explained, of_rule, stale

ARM = """<mujoco><compiler angle="radian" autolimits="true"/><worldbody><body name="a" pos="0 0 1">
<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><body name="b" pos="0.5 0 0" quat="0.8 0 0 0.6">
<joint name="x" type="slide" axis="1 0 0" range="-1 1"/><joint name="y" axis="0 1 0" pos="0.1 0 0.2" range="-1 1"/>
<joint name="z" axis="0 0 1" pos="0 0.3 0" damping="2"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
</body></body></worldbody><actuator><motor name="m" joint="y"/></actuator></mujoco>"""
SHIFTED = """<mujoco><compiler angle="radian" autolimits="true"/><worldbody><body name="a">
<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><body name="b" pos="0.5 0 0">
<joint name="j" axis="0 0 1" ref="0.4"/><inertial pos="0.2 0 0" mass="1" diaginertia="1 1 1"/>
</body></body></worldbody></mujoco>"""
THROUGH = pytest.mark.parametrize("through", ["w.urdf", "w.sdf"])


def written(folder: Path, source: str | Path, through: str) -> etree._ElementTree:
    """Return the output of a model; check that the report explains everything and that it comes back unchanged."""
    if isinstance(source, str):
        (folder / "m.xml").write_text(source)
        source = folder / "m.xml"
    explained(convert(source, folder / through))
    same = convert(folder / through, folder / f"same{source.suffix}")
    assert {finding.rule for finding in same.findings} <= {"sdf/asset-place", "carried/made-file"}
    return etree.parse(folder / through)


def back(folder: Path, tree: etree._ElementTree, through: str, target: str) -> Report:
    """Convert the edited document to another format and to its own; return the report of the former."""
    tree.write(folder / through)
    again = convert(folder / through, folder / f"again{Path(through).suffix}")
    report = convert(folder / through, folder / target)
    assert [each.total(Action.UNEXPLAINED) for each in (again, report)] == [0, 0]
    return report


def of(tree: etree._ElementTree, path: str) -> etree._Element:
    (found,) = tree.xpath(path)
    return found


def stands(found: mujoco.MjModel, body: str, positions: dict[str, float]) -> np.ndarray:
    """Return the pose of a body in the world, as a matrix (3, 4)."""
    data = mujoco.MjData(found)
    for name, value in positions.items():
        data.qpos[found.jnt_qposadr[found.joint(name).id]] = value
    mujoco.mj_kinematics(found, data)
    place = found.body(body).id
    return np.column_stack([data.xmat[place].reshape(3, 3), data.xpos[place]])


@THROUGH
def test_a_joint_of_a_chain_that_is_edited_is_one_of_several_again(through: str, tmp_path: Path) -> None:
    tree = written(tmp_path, ARM, through)
    urdf = through.endswith("urdf")
    if urdf:
        of(tree, "//joint[@name='y']/limit").set("upper", "0.5")
    else:
        of(tree, "//joint[@name='y']/axis/limit/upper").text = "0.5"
        assert sdformat_reads(tmp_path / through)["errors"] == []
    report = back(tmp_path, tree, through, "back.xml")
    found = mujoco_model(tmp_path / "back.xml")
    assert [found.joint(index).name for index in range(found.njnt)] == ["x", "y", "z"]
    assert found.nbody == mujoco_model(tmp_path / "m.xml").nbody
    assert found.joint("y").range.tolist() == [-1, 0.5]
    assert (found.joint("x").range.tolist(), found.dof_damping[2], found.nu) == ([-1, 1], 2, 1)
    assert {where.partition(".")[0] for where in stale(report)} <= {"joint/b"}
    motion = {"x": 0.1, "y": 0.3, "z": -0.7}
    before = stands(mujoco_model(tmp_path / "m.xml"), "b", motion)
    np.testing.assert_allclose(stands(found, "b", motion), before, atol=1e-12)


def test_a_chain_that_is_moved_in_the_middle_makes_the_motions_of_the_document(tmp_path: Path) -> None:
    tree = written(tmp_path, ARM, "w.urdf")
    for name, place in (("y", "0.1 0.2 0.3"), ("z", "0.3 0 0")):
        of(tree, f"//joint[@name='{name}']/origin").set("xyz", place)
        of(tree, f"//joint[@name='{name}']/origin").set("rpy", "0.3 0.2 0.1")
    back(tmp_path, tree, "w.urdf", "back.xml")
    motion = {"x": 0.1, "y": 0.3, "z": -0.7}
    theirs = in_pinocchio(tmp_path / "w.urdf", "b", motion)
    np.testing.assert_allclose(in_pinocchio(tmp_path / "again.urdf", "b", motion), theirs, atol=1e-9)
    found = mujoco_model(tmp_path / "back.xml")
    assert found.nbody == mujoco_model(tmp_path / "m.xml").nbody
    ours = np.linalg.inv(square(stands(found, "a", {}))) @ square(stands(found, "b", motion))
    np.testing.assert_allclose(ours[:3], theirs, atol=1e-9)


def square(pose: np.ndarray) -> np.ndarray:
    return np.vstack([pose, [0, 0, 0, 1]])


def in_pinocchio(path: Path, body: str, positions: dict[str, float]) -> np.ndarray:
    """Return the pose of a link relative to the root."""
    found = pinocchio.buildModelFromUrdf(str(path))
    q = pinocchio.neutral(found)
    for name, value in positions.items():
        joint = found.joints[found.getJointId(name)]
        q[joint.idx_q : joint.idx_q + joint.nq] = (np.cos(value), np.sin(value)) if joint.nq == 2 else value
    data = found.createData()
    pinocchio.framesForwardKinematics(found, data, q)
    place = data.oMf[found.getFrameId("a")].inverse() * data.oMf[found.getFrameId(body)]
    return np.column_stack([place.rotation, place.translation])


def test_a_joint_of_a_chain_may_be_renamed_and_a_link_of_it_filled(tmp_path: Path) -> None:
    tree = written(tmp_path, ARM, "w.urdf")
    of(tree, "//joint[@name='z']").set("name", "turn")
    report = back(tmp_path, tree, "w.urdf", "back.xml")
    found = mujoco_model(tmp_path / "back.xml")
    assert [found.joint(index).name for index in range(found.njnt)] == ["x", "y", "turn"]
    assert found.nbody == 3
    link = of(tree, "//joint[@name='x']/child").get("link")
    of(tree, f"//link[@name='{link}']").append(
        etree.fromstring('<visual><geometry><sphere radius="0.1"/></geometry></visual>')
    )
    report = back(tmp_path, tree, "w.urdf", "back.xml")
    found = mujoco_model(tmp_path / "back.xml")
    assert (found.njnt, found.ngeom, found.body(link).geomnum[0]) == (3, 1, 1), "the chain is what the document says"
    assert "joint/b" in stale(report)


@pytest.mark.parametrize("place", ["0.7 0 0", "0.5 0.1 0"])
def test_the_pose_of_a_joint_holds_at_its_zero(place: str, tmp_path: Path) -> None:
    tree = written(tmp_path, SHIFTED, "w.urdf")
    of(tree, "//joint[@name='j']/origin").set("xyz", place)
    report = back(tmp_path, tree, "w.urdf", "back.xml")
    assert "joint/b.dofs.0.zero" in stale(report)
    theirs = in_pinocchio(tmp_path / "w.urdf", "b", {"j": 0.9})
    np.testing.assert_allclose(stands(mujoco_model(tmp_path / "back.xml"), "b", {"j": 0.9}), theirs, atol=1e-9)


# ------------------------------------------------------------------------------------------------- counted together


SOLID = """<link name="{}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>
</inertial></link>"""
SENSING = (
    """<robot name="r">{}<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint>{}</robot>"""
)
BLOCK = """<gazebo reference="{0}"><sensor name="s_{0}" type="imu"><update_rate>50</update_rate></sensor></gazebo>"""


def test_of_two_blocks_the_one_that_was_not_edited_stays(tmp_path: Path) -> None:
    source = tmp_path / "m.urdf"
    source.write_text(SENSING.format(SOLID.format("a") + SOLID.format("b"), BLOCK.format("a") + BLOCK.format("b")))
    tree = written(tmp_path, source, "w.sdf")
    of(tree, "//sensor[@name='s_b']/update_rate").text = "30"
    report = back(tmp_path, tree, "w.sdf", "back.urdf")
    found = etree.parse(tmp_path / "back.urdf")
    assert found.xpath("//gazebo[@reference='a']/sensor/update_rate/text()") == ["50"]
    assert [float(rate) for rate in found.xpath("//gazebo[@reference='b']/sensor/update_rate/text()")] == [30.0]
    assert len(found.xpath("//sensor")) == 2
    assert not any("gazebo_a" in where for where in stale(report))


SEEING = """<mujoco model="m"><worldbody><body name="a"><joint name="ja" axis="0 1 0"/>
<geom name="ga" type="box" size=".3 .3 .3"/><camera name="eye" pos="0 0 1"/></body><body name="b" pos="1 0 0">
<joint name="jb" axis="0 1 0"/><geom name="gb" type="box" size=".1 .1 .1" rgba="1 0 0 1"/></body></worldbody>
<equality><weld name="w" body1="a" body2="b"/></equality></mujoco>"""


@pytest.mark.parametrize(
    ("through", "path", "value"),
    [
        ("w.urdf", "//gazebo/sensor//near", "0.5"),
        ("w.sdf", "//sensor//near", "0.5"),
        ("w.sdf", "//joint[3]/@name", "k"),
    ],
)
def test_what_is_not_about_an_edit_stays_in_the_terms_of_the_source(
    through: str, path: str, value: str, tmp_path: Path
) -> None:
    """MuJoCo's defaults (masses, contacts, materials) are written as if no camera had been edited."""
    (tmp_path / "m.xml").write_text(SEEING)
    plain = {}
    for edited in (False, True):
        convert(tmp_path / "m.xml", tmp_path / through)
        tree = etree.parse(tmp_path / through)
        if edited and path.endswith("/@name"):
            of(tree, path.removesuffix("/@name")).set("name", value)
        elif edited:
            of(tree, path).text = value
        back(tmp_path, tree, through, "back.urdf")
        again = etree.parse(tmp_path / f"again{Path(through).suffix}")
        assert again.xpath(f"{path} = '{value}'" if edited else path)
        explained(convert(tmp_path / through, tmp_path / "back.xml"))
        explained(convert(tmp_path / through, tmp_path / "other.sdf"))
        assert sdformat_reads(tmp_path / "other.sdf")["errors"] == []
        found = mujoco_model(tmp_path / "back.xml")
        assert (found.neq, found.ncam) == (1, 1)
        weighed = [each.mass for each in pinocchio.buildModelFromUrdf(str(tmp_path / "back.urdf")).inertias]
        sdf, urdf = etree.parse(tmp_path / "other.sdf"), etree.parse(tmp_path / "back.urdf")
        looks = [etree.tostring(each) for each in (*sdf.xpath("//visual | //collision"), *urdf.xpath("//visual"))]
        collide = [*sdf.xpath("//self_collide/text()"), *urdf.xpath("//self_collide/text()")]
        plain[edited] = [*found.body_mass, *weighed, *sdf.xpath("//mass/text()"), *looks, *collide]
    assert plain[True] == plain[False]
    assert plain[True][1:3] == pytest.approx([216, 8])


def test_an_edited_block_leaves_the_names_of_the_source_alone(tmp_path: Path) -> None:
    source = tmp_path / "m.sdf"
    source.write_text("""<sdf version="1.5"><model name="m"><link name="a"><inertial><mass>2</mass></inertial>
<collision name="collision"><geometry><box><size>1 1 1</size></box></geometry><surface><friction><ode><mu>0.1</mu>
<mu2>0.2</mu2></ode></friction></surface></collision><visual name="visual"><geometry><box><size>1 1 1</size></box>
</geometry></visual></link><link name="b"><pose>1 0 0 0 0 0</pose><collision name="collision"><geometry><box>
<size>1 1 1</size></box></geometry></collision></link><joint name="j" type="revolute"><parent>a</parent>
<child>b</child><axis><xyz>0 0 1</xyz></axis></joint></model></sdf>""")
    tree = written(tmp_path, source, "w.urdf")
    of(tree, "//gazebo/mu2").text = "0.7"
    back(tmp_path, tree, "w.urdf", "back.sdf")
    found = etree.parse(tmp_path / "back.sdf")
    assert [float(each) for each in found.xpath("//mu/text() | //mu2/text()")] == [0.1, 0.7]
    for path in ("/sdf/@version", "//*/@name"):
        assert found.xpath(path) == etree.parse(source).xpath(path)
    assert sdformat_reads(tmp_path / "back.sdf")["errors"] == []


def test_what_was_made_for_the_target_and_edited_is_one_thing(made: Path, tmp_path: Path) -> None:
    tree = written(tmp_path, made / "feature_sdf_loop.sdf", "w.xml")
    first = tree.xpath("//equality/*")[0]
    first.set("anchor", " ".join(str(float(each) + 0.25) for each in first.get("anchor").split()))
    report = back(tmp_path, tree, "w.xml", "back.sdf")
    assert stale(report) & {"constraint/d", "loop/d"}
    assert etree.parse(tmp_path / "back.sdf").xpath("//joint[@name='d']/@type") != ["revolute"]
    assert mujoco_model(tmp_path / "again.xml").neq == mujoco_model(tmp_path / "w.xml").neq


def test_a_document_of_which_a_block_was_edited_has_only_what_its_format_has(made: Path, tmp_path: Path) -> None:
    tree = written(tmp_path, made / "feature_sdf_standing.sdf", "w.urdf")
    of(tree, "//gazebo/sensor/pose").text = "0.5 0 0 0 0 0"
    back(tmp_path, tree, "w.urdf", "back.sdf")
    for name in ("w.urdf", "again.urdf"):
        shapes = [each.tag for each in etree.parse(tmp_path / name).xpath("//geometry/*")]
        assert set(shapes) <= {"box", "mesh", "cylinder", "sphere"}, "no cone, and no capsule before 1.1"
    assert etree.parse(tmp_path / "back.sdf").xpath("//visual/geometry/capsule")
    assert etree.parse(tmp_path / "back.sdf").xpath("//sensor/pose/text()") == ["0.5 0 0 0 0 0"]


def test_what_blocks_say_counts_as_it_was_edited(made: Path, tmp_path: Path) -> None:
    tree = written(tmp_path, made / "feature_gazebo_link.urdf", "w.xml")
    of(tree, "//joint[@name='left']").set("stiffness", "7")
    report = back(tmp_path, tree, "w.xml", "back.urdf")
    assert mujoco_model(tmp_path / "again.xml").jnt_stiffness.tolist() == [7, 0]
    assert not stale(report)
    found = etree.parse(tmp_path / "back.urdf")
    assert found.xpath("//gazebo[@reference='left']/springStiffness/text()") == ["7"]
    assert found.xpath("//gazebo[@reference='base']/mu1")


TWO = """<mujoco><worldbody><body name="a"><joint name="j" axis="0 0 1"/><geom size=".1"/><body name="b" pos="1 0 0">
<joint name="k" axis="0 0 1"/><geom size=".1"/></body></body></worldbody><actuator><motor name="m" joint="j"/>
<motor name="n" joint="k" gear="3"/></actuator></mujoco>"""


def test_a_drive_without_a_name_stays_beside_the_others(tmp_path: Path) -> None:
    tree = written(tmp_path, TWO, "w.urdf")
    del of(tree, "//transmission[joint/@name='k']").attrib["name"]
    report = back(tmp_path, tree, "w.urdf", "back.xml")
    again = etree.parse(tmp_path / "again.urdf")
    assert sorted(again.xpath("//transmission/joint/@name")) == ["j", "k"]
    assert all(again.xpath("//transmission/@name"))
    assert mujoco_model(tmp_path / "back.xml").actuator_gear[:, 0].tolist() == [1, 3]
    assert "actuator/n" in stale(report)


def test_who_no_longer_says_that_bodies_collide_is_heard(tmp_path: Path) -> None:
    tree = written(tmp_path, TWO, "w.sdf")
    flag = of(tree, "//self_collide")
    flag.getparent().remove(flag)
    back(tmp_path, tree, "w.sdf", "back.xml")
    assert etree.parse(tmp_path / "again.sdf").xpath("//self_collide/text()") == ["false"]
    assert sdformat_reads(tmp_path / "again.sdf")["errors"] == []


def test_an_attribute_that_comes_to_those_that_are_carried_is_told(made: Path, tmp_path: Path) -> None:
    tree = written(tmp_path, made / "feature_isaac.urdf", "w.xml")
    of(tree, "//compiler").set("autolimits", "false")
    report = back(tmp_path, tree, "w.xml", "back.urdf")
    told = {source.path for finding in report.findings for source in finding.sources}
    assert "/mujoco/compiler[1]/@autolimits" in told


def test_one_scale_of_two_may_be_edited(made: Path, tmp_path: Path) -> None:
    tree = written(tmp_path, made / "feature_mjcf_multi_joint.xml", "w.urdf")
    of(tree, "//link[@name='hip']/collision//mesh").set("scale", "0.1 0.1 0.1")
    back(tmp_path, tree, "w.urdf", "back.xml")
    found = mujoco_model(tmp_path / "back.xml")
    sizes = sorted(
        found.geom_aabb[index, 3:].max().round(3)
        for index in range(found.ngeom)
        if found.geom_bodyid[index] == found.body("hip").id
    )
    assert sizes == [0.1, 0.2]
    explained(convert(tmp_path / "back.xml", tmp_path / "once.urdf"))


def test_a_shape_that_is_fitted_to_a_mesh_since_stays_fitted(made: Path, tmp_path: Path) -> None:
    tree = written(tmp_path, made / "feature_sdf_mesh.sdf", "w.xml")
    for geom in tree.xpath("//body//geom[@mesh]"):
        geom.set("type", "sphere")
    report = back(tmp_path, tree, "w.xml", "back.sdf")
    found = mujoco_model(tmp_path / "again.xml")
    assert {int(kind) for kind in found.geom_type} == {int(mujoco.mjtGeom.mjGEOM_SPHERE)}
    assert of_rule(report, "sdf/fit")


def test_a_joint_in_the_words_of_its_author_is_no_chain(tmp_path: Path) -> None:
    """One axis for a joint of two dofs: plain spelling would make it a chain, but the author's spelling is kept."""
    links = '<link name="a"/><link name="b"/>'
    joint = '<joint name="j" type="universal"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint>'
    (tmp_path / "m.sdf").write_text(f'<sdf version="1.9"><model name="m">{links}{joint}</model></sdf>')
    convert(tmp_path / "m.sdf", tmp_path / "same.sdf")
    convert(tmp_path / "m.sdf", tmp_path / "m.urdf")
    convert(tmp_path / "m.urdf", tmp_path / "back.sdf")
    assert "kinegraph" not in (tmp_path / "same.sdf").read_text()
    assert (tmp_path / "back.sdf").read_bytes() == (tmp_path / "same.sdf").read_bytes()


# ------------------------------------------------------------------------------------------------ what lost its ground


def told(report: Report) -> int:
    return sum(finding.count for finding in of_rule(report, "carried/stale"))


SLID = """<sdf version="1.9"><model name="r"><link name="a"/><link name="b"><pose>0 0 1 0 0 0</pose></link>
<joint name="w" type="fixed"><parent>world</parent><child>a</child></joint><joint name="j" type="prismatic">
<pose>0.1 0.2 0.3 0 0.4 0</pose><parent>a</parent><child>b</child><axis><xyz>0 1 0</xyz></axis></joint></model></sdf>"""


def test_a_slide_that_is_edited_to_turn_turns_where_the_edit_says(tmp_path: Path) -> None:
    """SDFormat gives a joint frame, which has no effect for a slide but places the axis of a hinge."""
    explained(convert(saved(tmp_path / "m.sdf", SLID), tmp_path / "w.xml"))
    tree = etree.parse(tmp_path / "w.xml")
    of(tree, "//joint").set("type", "hinge")
    report = back(tmp_path, tree, "w.xml", "back.sdf")
    found = etree.parse(tmp_path / "back.sdf")
    assert of(found, "//joint[@name='j']").get("type") == "continuous"
    assert of(found, "//joint[@name='j']/pose").text == "0 0 0 0 0.4 0"
    assert [each.where for each in of_rule(report, "sdf/joint-frame")] == ["joint/j.mount.pos"]
