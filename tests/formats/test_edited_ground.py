"""Carried data of objects whose name or parent was removed by an edit of the output."""

from __future__ import annotations

import json
import re
from pathlib import Path

import mujoco
import numpy as np
import pytest
from lxml import etree

from converters import convert
from converters.report.model import Report
from tests.files import saved
from tests.formats.test_edited_joints import SOLID, back, told, written
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.in_sdformat import sdformat_reads
from tests.oracles.in_urdfdom import check_urdf
from tests.reports import explained, of_rule, stale

GEARED = """<sdf version="1.9"><model name="g"><link name="base"/><link name="s"/><link name="l"/>
<joint name="j1" type="revolute"><parent>base</parent><child>s</child><axis><xyz>0 0 1</xyz></axis></joint>
<joint name="j2" type="revolute"><parent>base</parent><child>l</child><axis><xyz>0 0 1</xyz></axis></joint>
<joint name="teeth" type="gearbox"><parent>s</parent><child>l</child><gearbox_ratio>3</gearbox_ratio>
<gearbox_reference_body>base</gearbox_reference_body><axis><xyz>0 0 1</xyz></axis><axis2><xyz>0 0 1</xyz></axis2>
</joint></model></sdf>"""


def of_xml(tree: etree._ElementTree, changes: list[tuple[str, str, str]]) -> etree._ElementTree:
    for path, name, value in changes:
        found = tree.xpath(path)
        assert found
        for element in found:
            element.set(name, value)
    return tree


def test_a_gearbox_stays_where_a_body_of_it_is_renamed(tmp_path: Path) -> None:
    source = saved(tmp_path / "m.sdf", GEARED)
    tree = of_xml(written(tmp_path, source, "w.xml"), [("//body[@name='l']", "name", "wheel")])
    report = back(tmp_path, tree, "w.xml", "back.urdf")
    found = mujoco_model(tmp_path / "again.xml")
    assert (found.neq, found.eq_data[0][1]) == (1, -3)
    assert etree.parse(tmp_path / "back.urdf").xpath("//mimic/@multiplier") == ["-3"]
    assert stale(report) == set()


WORKING = """<robot name="r"><link name="base"/><link name="a">{0}</link><link name="b">{0}</link>
<joint name="j1" type="revolute"><parent link="base"/><child link="a"/><limit lower="-1" upper="1" effort="5"
velocity="1"/></joint><joint name="j2" type="revolute"><parent link="a"/><child link="b"/>
<limit lower="-1" upper="1" effort="5" velocity="1"/></joint>
<gazebo reference="j1"><springStiffness>5</springStiffness></gazebo>
<gazebo reference="j1"><sensor name="ft" type="force_torque"/></gazebo>{1}{2}</robot>"""


DRIVE = """<transmission name="t{0}"><type>transmission_interface/SimpleTransmission</type><joint name="j{0}">
<hardwareInterface>hardware_interface/EffortJointInterface</hardwareInterface></joint><actuator name="m{0}">
<mechanicalReduction>2</mechanicalReduction></actuator></transmission>"""


def working(folder: Path) -> Path:
    """A URDF with two joints, each with a motor."""
    inertial = etree.tostring(etree.fromstring(SOLID.format("a"))[0]).decode()
    return saved(folder / "m.urdf", WORKING.format(inertial, DRIVE.format(1), DRIVE.format(2)))


def test_what_blocks_said_of_a_joint_stays_where_it_is_renamed(tmp_path: Path) -> None:
    tree = written(tmp_path, working(tmp_path), "w.xml")
    renamed = [("//joint[@name='j1']", "name", "jx"), ("//motor[@joint='j1']", "joint", "jx")]
    report = back(tmp_path, of_xml(tree, renamed), "w.xml", "back.urdf")
    assert stale(report) == set()
    found = mujoco_model(tmp_path / "again.xml")
    assert (found.joint("jx").stiffness[0], found.nu, found.nsensor) == (5, 2, 2)
    urdf = etree.parse(tmp_path / "back.urdf")
    assert urdf.xpath("//gazebo[@reference='jx']/springStiffness/text()") == ["5"]
    assert urdf.xpath("//gazebo[@reference='jx']/sensor/@type") == ["force_torque"]
    assert sorted(urdf.xpath("//transmission/joint/@name")) == ["j2", "jx"]
    explained(convert(tmp_path / "w.xml", tmp_path / "other.sdf"))
    sdf = etree.parse(tmp_path / "other.sdf")
    assert sdformat_reads(tmp_path / "other.sdf")["errors"] == []
    assert sdf.xpath("//joint[@name='jx']/sensor/@type") == ["force_torque"]
    assert [float(each) for each in sdf.xpath("//joint[@name='jx']//spring_stiffness/text()")] == [5]


def test_two_motors_may_drive_one_joint(tmp_path: Path) -> None:
    tree = written(tmp_path, working(tmp_path), "w.xml")
    report = back(tmp_path, of_xml(tree, [("//motor[@name='m2']", "joint", "j1")]), "w.xml", "back.urdf")
    assert told(report) == 2, "the motor and its transmission"
    found = mujoco_model(tmp_path / "again.xml")
    joint = found.joint("j1").id
    assert {found.actuator(index).name: found.actuator(index).trnid[0] for index in range(found.nu)} == {
        "m1": joint,
        "m2": joint,
    }
    assert len(etree.parse(tmp_path / "back.urdf").xpath("//transmission[joint/@name='j1']")) == 2


NAMELESS = """<mujoco model="m"><worldbody><body><joint name="j0" type="slide" axis="1 0 0"/>
<joint name="j1" axis="0 1 0"/><geom size=".3"/><body pos="0 0 1"><joint name="j2" axis="0 0 1"/><geom size=".1"/>
</body></body></worldbody></mujoco>"""


def edited(text: str, through: str, edit: tuple[str, str], folder: Path) -> tuple[Report, list[str]]:
    """Convert an MJCF to `through`, edit each line except Kinegraph's own, and convert that to back.xml; return the
    report and the lines before the edit."""
    convert(saved(folder / "m.xml", text), folder / through)
    lines = (folder / through).read_text().splitlines()
    changed = [line if "kinegraph:" in line else re.sub(*edit, line) for line in lines]
    assert changed != lines
    (folder / through).write_text("\n".join(changed))
    return convert(folder / through, folder / "back.xml"), lines


@pytest.mark.parametrize("through", ["w.sdf", "w.urdf"])
@pytest.mark.parametrize(
    ("edit", "motions", "bodies"),
    [
        (("world_body_0(?!_)", "cart"), 3, {"cart", "world_body_0_body_0"}),
        ((r'(name="j1" type=)"continuous"', r'\1"fixed"'), 2, set()),
        ((r'(name="j0" type=)"prismatic"', r'\1"fixed"'), 2, set()),
    ],
)
def test_bodies_without_names_may_hang_on_what_is_edited(
    through: str, edit: tuple[str, str], motions: int, bodies: set[str], tmp_path: Path
) -> None:
    report, lines = edited(NAMELESS, through, edit, tmp_path)
    explained(report)
    model = mujoco_model(tmp_path / "back.xml")
    assert model.nv == motions
    assert bodies <= {model.body(index).name for index in range(model.nbody)}
    convert(saved(tmp_path / through, "\n".join(lines)), tmp_path / "plain.xml")
    assert "<body>" in (tmp_path / "plain.xml").read_text()


FOLLOWING = """<mujoco model="m"><worldbody><light name="spot" mode="targetbodycom" target="b"/>
<camera name="track" mode="trackcom" target="b" pos="0 0 3"/><camera name="look" mode="targetbody" target="a"/>
<body name="a" pos="0 0 1"><joint/><geom size=".1"/><body name="b" pos="0 0 1"><joint/><geom size=".1"/></body></body>
</worldbody></mujoco>"""


@pytest.mark.parametrize("through", ["w.sdf", "w.urdf"])
def test_what_follows_a_body_follows_it_where_that_is_renamed(through: str, tmp_path: Path) -> None:
    report, _ = edited(FOLLOWING, through, (r'(?<=[">])b(?=["<])', "c"), tmp_path)
    explained(report)
    found = mujoco_model(tmp_path / "back.xml")
    assert [found.camera("look").mode[0], found.camera("look").targetbodyid[0]] == [3, found.body("a").id]
    assert (found.camera("track").targetbodyid[0], found.light("spot").targetbodyid[0]) == (found.body("c").id,) * 2
    assert not [finding.where for finding in of_rule(report, "mjcf/view-target")]


ASKING = """<mujoco model="m"><compiler autolimits="true"/><worldbody><body name="base"><geom size=".1"/>
<geom name="floor" type="plane" size="1 1 .1"/><body name="a" pos="0 0 1"><joint name="j" range="-9 9"/>
<geom size=".1"/><site name="s"/><body name="b" pos="0 0 1"><joint name="k" range="-9 9"/><geom size=".1"/>
<site name="t"/></body></body></body></worldbody><tendon><fixed name="f"><joint joint="j" coef="1"/>
<joint joint="k" coef="1"/></fixed></tendon><equality><joint name="e" joint1="k" joint2="j"/></equality><actuator>
<position name="p" joint="k" inheritrange="1"/><motor name="m" joint="k"/><motor name="v" tendon="f"/>
<general name="c" cranksite="s" slidersite="t" cranklength=".1"/></actuator><sensor>
<jointpos name="jp" joint="k"/><jointlimitpos name="jl" joint="k"/><jointpos name="jj" joint="j"/></sensor></mujoco>"""


BALL, FREE, FIXED = (
    (r'name="k" type="revolute"', f'name="k" type="{kind}"') for kind in ("ball", "continuous", "fixed")
)


@pytest.mark.parametrize(
    ("through", "edit", "left"),
    [
        ("w.sdf", BALL, "c jj m"),
        *((through, FREE, "c e f jj jp m v") for through in ("w.sdf", "w.urdf")),
        *((through, FIXED, "c jj") for through in ("w.sdf", "w.urdf")),
        ("w.sdf", (r'(?<=["> ])t(?=["<])', "d"), "e f jj jl jp m p v"),
    ],
)
def test_what_an_edited_joint_or_site_cannot_do_is_not_asked_of_it(
    through: str, edit: tuple[str, str], left: str, tmp_path: Path
) -> None:
    report, _ = edited(ASKING, through, edit, tmp_path)
    explained(report)
    found = mujoco_model(tmp_path / "back.xml")
    names = [found.actuator(index).name for index in range(found.nu)]
    names += [found.sensor(index).name for index in range(found.nsensor)]
    names += [found.equality(index).name for index in range(found.neq)]
    names += [found.tendon(index).name for index in range(found.ntendon)]
    assert sorted(names) == left.split()
    told = {finding.where.partition(".")[0].partition("/")[2] for finding in report.findings}
    assert {*"cefmpv", "jj", "jl", "jp"} - {*names} <= told


def test_an_equation_of_joints_stays_where_a_body_that_one_holds_is_renamed(tmp_path: Path) -> None:
    edited(ASKING, "w.sdf", (r'(?<=[">])b(?=["<])', "d"), tmp_path)
    found = mujoco_model(tmp_path / "back.xml")
    assert (found.equality("e").active0[0], found.nu, found.nsensor, found.body("d").id) == (1, 4, 3, 3)


def test_a_plane_stays_behind_where_what_holds_it_moves(tmp_path: Path) -> None:
    convert(saved(tmp_path / "m.xml", ASKING), tmp_path / "w.sdf")
    document = (tmp_path / "w.sdf").read_text()
    edited = re.sub(r'<joint name="[^"]*" type="fixed">.*?</joint>', "", document, flags=re.DOTALL)
    assert edited != document
    report = convert(saved(tmp_path / "w.sdf", edited), tmp_path / "back.xml")
    found = mujoco_model(tmp_path / "back.xml")
    assert found.jnt_type[0] == mujoco.mjtJoint.mjJNT_FREE
    assert found.ngeom == 3
    assert "mjcf/geom-not-written" in {finding.rule for finding in report.findings}


TIED = """<mujoco model="m"><worldbody><body name="a"><freejoint/><geom size=".1"/><site name="s" pos=".1 0 0"/></body>
<body name="b" pos="0 0 1"><freejoint/><geom size=".1"/><site name="t" pos="0 .1 0"/></body></worldbody><equality>
<weld name="drawn" body1="a" body2="b"/><weld name="said" body1="a" body2="b" relpose="0 0 2 1 0 0 0"/>
<weld name="sites" site1="s" site2="t"/><connect name="point" site1="s" site2="t"/></equality></mujoco>"""


@pytest.mark.parametrize(
    ("path", "value"), [("//link[@name='b']/pose", "0 .2 1 0 0 .3"), ("//frame[@name='s']/pose", "0 0 .4 0 0 0")]
)
def test_ties_that_say_no_pose_hold_what_was_moved_as_it_stands(path: str, value: str, tmp_path: Path) -> None:
    convert(saved(tmp_path / "m.xml", TIED), tmp_path / "w.sdf")
    tree = etree.parse(tmp_path / "w.sdf")
    (element,) = tree.xpath(path)
    element.text = value
    tree.write(tmp_path / "w.sdf")
    report = explained(convert(tmp_path / "w.sdf", tmp_path / "back.xml"))
    found, was = mujoco_model(tmp_path / "back.xml"), mujoco_model(tmp_path / "m.xml")
    moved = [not np.allclose(found.equality(name).data, was.equality(name).data) for name in ("drawn", "said")]
    assert moved == ["link" in path, False]
    assert {finding.where.partition(".")[0] for finding in of_rule(report, "mjcf/tie-as-drawn")} == (
        {"constraint/drawn"} if "link" in path else {"constraint/sites", "constraint/point"}
    )


def test_a_mesh_that_an_edit_left_without_a_file_is_told_in_sdf(tmp_path: Path) -> None:
    (tmp_path / "t.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n")
    mesh = "<geometry><mesh><uri>t.obj</uri></mesh></geometry>"
    (tmp_path / "m.sdf").write_text(
        f'<sdf version="1.9"><model name="m"><link name="a"><visual name="v">{mesh}</visual></link></model></sdf>'
    )
    convert(tmp_path / "m.sdf", tmp_path / "w.xml")
    text = (tmp_path / "w.xml").read_text()
    (tmp_path / "w.xml").write_text(re.sub(r'(<mesh [^>]*)file="[^"]*"', r"\1", text))
    report = explained(convert(tmp_path / "w.xml", tmp_path / "back.sdf"))
    assert {each.where for each in report.findings if each.rule == "sdf/geom"} == {"body/a.geoms.v"}
    assert sdformat_reads(tmp_path / "back.sdf")["errors"] == []


def test_a_visual_that_lost_its_mesh_elsewhere_is_no_visual_without_shape(tmp_path: Path) -> None:
    """URDF -> glTF, where a node loses its mesh, -> MJCF -> URDF: urdfdom refuses a geometry without a shape."""
    box = '<geometry><box size="1 1 1"/></geometry>'
    visuals = f'<visual name="one">{box}</visual><visual name="two">{box}</visual>'
    (tmp_path / "s.urdf").write_text(f'<robot name="r"><link name="a">{visuals}</link></robot>')
    convert(tmp_path / "s.urdf", tmp_path / "w.gltf")
    document = json.loads((tmp_path / "w.gltf").read_text())
    del next(node for node in document["nodes"] if node["name"] == "two")["mesh"]
    convert(saved(tmp_path / "w.gltf", json.dumps(document)), tmp_path / "far.xml")
    convert(tmp_path / "far.xml", tmp_path / "back.urdf")
    assert check_urdf(tmp_path / "back.urdf") is None


def test_what_looks_at_a_body_that_is_deleted_looks_where_it_did(tmp_path: Path) -> None:
    source = tmp_path / "m.xml"
    source.write_text("""<mujoco><worldbody><camera name="c" mode="targetbody" target="b" pos="1 1 1"/>
    <light name="l" mode="targetbodycom" target="b" pos="0 0 3"/><body name="a"><joint/><geom size=".1"/>
    <body name="b"><joint name="j"/><geom size=".2"/></body></body></worldbody></mujoco>""")
    tree = written(tmp_path, source, "w.urdf")
    for path in ("//link[@name='b']", "//joint[child/@link='b']"):
        (element,) = tree.xpath(path)
        element.getparent().remove(element)
    report = back(tmp_path, tree, "w.urdf", "back.xml")
    model = mujoco_model(tmp_path / "back.xml")
    assert (model.cam_mode[0], model.light_mode[0]) == (mujoco.mjtCamLight.mjCAMLIGHT_FIXED,) * 2
    assert {each.where for each in of_rule(report, "mjcf/view-target")} == {
        "body/world.cameras.c.parameters",
        "body/world.lights.l.parameters",
    }
