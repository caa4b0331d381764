"""Outputs edited since the conversion: the edit is kept on the way back, and what became stale is reported."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import mujoco
import numpy as np
import pytest
from lxml import etree

from converters import convert
from converters.report.model import Report
from tests.files import saved
from tests.oracles.in_mujoco import drawn, mujoco_model
from tests.oracles.in_sdformat import sdformat_reads
from tests.oracles.in_urdfdom import check_urdf
from tests.reports import explained, of_rule, stale

Edit = Callable[[etree._ElementTree], None]


def there(source: Path, between: Path, edit: Edit) -> etree._ElementTree:
    """Convert, edit the output, and return the edited tree."""
    explained(convert(source, between))
    tree = etree.parse(between)
    edit(tree)
    tree.write(between)
    return tree


def back(between: Path, target: Path) -> tuple[Report, etree._ElementTree]:
    report = explained(convert(between, target))
    return report, etree.parse(target)


def without(path: str) -> Edit:
    def edit(tree: etree._ElementTree) -> None:
        found = tree.xpath(path)
        assert found
        for element in found:
            element.getparent().remove(element)

    return edit


def put(path: str, name: str, value: str) -> Edit:
    def edit(tree: etree._ElementTree) -> None:
        (element,) = tree.xpath(path)
        element.set(name, value)

    return edit


LOCKED = """<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="revolute"><parent link="a"/>
<child link="b"/><axis xyz="0 0 1"/><limit lower="0" upper="0" effort="1" velocity="1"/></joint></robot>"""
FRAMED = """<sdf version="1.9"><model name="m"><link name="a"/><frame name="f" attached_to="a"><pose>1 0 0 0 0 0</pose>
</frame></model></sdf>"""
DRIVEN = """<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="continuous"><parent link="a"/>
<child link="b"/></joint><ros2_control name="s" type="system"><hardware><plugin>p/P</plugin></hardware><joint name="j">
<command_interface name="effort"/><state_interface name="position"><param name="initial_value">0.5</param>
</state_interface></joint></ros2_control></robot>"""
CASES = {
    "transmissions": ("feature_transmission_ros1.urdf", ".xml", "//actuator", "//transmission", "transmission/left_trans"),  # noqa: E501
    "camera of a block": ("feature_gazebo_sensors.urdf", ".xml", "//camera", "//sensor[@type='camera']", "block/gazebo_base"),  # noqa: E501
    "camera of a link": ("feature_sdf_sensors.sdf", ".xml", "//camera", "//sensor[@type='camera']", "sensor/eye"),
    "loop": ("feature_sdf_loop.sdf", ".xml", "//equality", "//joint[@name='d']", "loop/d"),
    "filter": ("feature_drake.urdf", ".xml", "//contact", "//*[contains(name(), 'filter')]", "block/drake"),
    "lock": (LOCKED, ".xml", "//equality", "//limit[@lower]", "joint/b.dofs.0.lower"),
    "frame": (FRAMED, ".urdf", "//link[@name='f'] | //joint[child/@link='f']", "//frame", "body/a.frames.f"),
    "command": (DRIVEN, ".xml", "//actuator", "//command_interface", "hardware/s.channels.j.commands"),
    "start": (DRIVEN, ".xml", "//keyframe", "//param", "hardware/s.channels.j.states.position.initial"),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_what_was_made_for_the_target_and_deleted_stays_away(case: str, made: Path, tmp_path: Path):
    source, through, deleted, path, told = CASES[case]
    home = ".sdf" if source.startswith("<sdf") else Path(source).suffix if source[0] != "<" else ".urdf"
    origin = made / source
    if source[0] == "<":
        origin = saved(tmp_path / f"source{home}", source)
    assert etree.parse(origin).xpath(path)
    between = tmp_path / f"between{through}"
    there(origin, between, lambda tree: None)
    report, tree = back(between, tmp_path / f"whole{home}")
    assert (tree.xpath(path) != [], report.findings) == (True, ())
    there(origin, between, without(deleted))
    report, tree = back(between, tmp_path / f"back{home}")
    assert tree.xpath(path) == []
    assert told in stale(report)
    if case == "command":
        assert tree.xpath("//plugin/text()") == ["p/P"], "the rest of the system is as it was"
        assert tree.xpath("//state_interface/@name") == ["position"]


BAR = """<mujoco><worldbody><body name="a"><joint name="j" axis="0 0 1"/><geom name="g" size=".1"/>
<camera name="eye" pos="0 0 1"/><body name="b" pos="1 0 0"><joint name="k" axis="0 0 1"/><geom name="h" size=".1"/>
</body></body></worldbody><equality><joint name="e" joint1="k" joint2="j"/></equality>
<actuator><motor name="m" joint="j"/><position name="p" joint="k" kp="7"/></actuator></mujoco>"""


@pytest.mark.parametrize(
    ("through", "deleted", "count", "told"),
    [
        (".urdf", "//mimic", "neq", "constraint/e"),
        (".urdf", "//transmission | //ros2_control", "nu", "actuator/m"),
        (".sdf", "//sensor", "ncam", "body/a.cameras.eye"),
    ],
)
def test_mujoco_no_longer_has_what_was_deleted_elsewhere(
    through: str, deleted: str, count: str, told: str, tmp_path: Path
):
    (tmp_path / "m.xml").write_text(BAR)
    assert getattr(mujoco_model(tmp_path / "m.xml"), count) > 0
    there(tmp_path / "m.xml", tmp_path / f"m{through}", without(deleted))
    report, _ = back(tmp_path / f"m{through}", tmp_path / "back.xml")
    assert getattr(mujoco_model(tmp_path / "back.xml"), count) == 0
    assert told in stale(report)


def test_of_two_drives_one_may_go(tmp_path: Path):
    (tmp_path / "m.xml").write_text(BAR)
    there(tmp_path / "m.xml", tmp_path / "m.urdf", without("//transmission[joint/@name='j']"))
    report, tree = back(tmp_path / "m.urdf", tmp_path / "back.xml")
    assert tree.xpath("//actuator/*/@name") == ["p"]
    assert tree.xpath("//actuator/*/@kp") == ["7"]
    assert "actuator/m" in stale(report)


def test_of_two_equations_of_a_hinge_the_other_stays(tmp_path: Path, made: Path):
    there(made / "feature_sdf_loop.sdf", tmp_path / "m.xml", without("//equality/*[2]"))
    report, tree = back(tmp_path / "m.xml", tmp_path / "back.sdf")
    assert tree.xpath("//joint[@name='d']/@type") != ["revolute"]
    assert "loop/d" in stale(report)
    convert(tmp_path / "back.sdf", tmp_path / "again.xml")
    assert mujoco_model(tmp_path / "again.xml").neq == 1


# ---------------------------------------------------------------------------------------------------------- the world

WORLD = """<mujoco model="m"><worldbody><geom name="floor" type="plane" size="5 5 .1"/>
<geom name="wall" type="box" size=".1 1 1" pos="3 0 0" rgba="1 0 0 1"/>
<body name="b" pos="0 0 1"><freejoint/><geom name="g" type="sphere" size=".1"/></body></worldbody></mujoco>"""


def world(folder: Path, edit: Edit) -> tuple[Report, mujoco.MjModel]:
    """Return what MuJoCo reads after the SDF was edited; check that SDF and URDF of it agree."""
    there(saved(folder / "m.xml", WORLD), folder / "m.sdf", edit)
    assert sdformat_reads(folder / "m.sdf")["errors"] == []
    report, _ = back(folder / "m.sdf", folder / "back.xml")
    back(folder / "m.sdf", folder / "again.sdf")
    links = [sdformat_reads(folder / name)["links"] for name in ("m.sdf", "again.sdf")]
    assert len({frozenset(path.rpartition("::")[2] for path in found) for found in links}) == 1
    for name in ("again.sdf", "m.sdf"):
        told, _ = back(folder / name, folder / "m.urdf")
        assert "urdf/geom" not in {finding.rule for finding in told.findings}
    return report, mujoco_model(folder / "back.xml")


def test_the_ground_of_a_world_may_be_deleted(tmp_path: Path):
    report, found = world(tmp_path, without("//model[@name='ground']"))
    assert [found.geom(index).name for index in range(found.ngeom)] == ["g"]
    assert "body/world.geoms.floor" in stale(report)
    assert sum(each.count for each in of_rule(report, "carried/stale")) == 3, "and the colour of the wall"


def test_what_stands_in_the_world_may_be_moved(tmp_path: Path):
    def moved(tree: etree._ElementTree) -> None:
        for pose in tree.xpath("//model[@name='ground']//*[@name='wall']/pose"):
            pose.text = "4 0 0 0 0 0"

    _, found = world(tmp_path, moved)
    assert found.ngeom == 3
    assert found.geom("wall").pos.tolist() == [4, 0, 0]
    assert found.geom("wall").bodyid[0] == 0, "it still is of the world"


def test_the_model_of_the_world_may_be_moved_as_a_whole(tmp_path: Path):
    def moved(tree: etree._ElementTree) -> None:
        (ground,) = tree.xpath("//model[@name='ground']")
        etree.SubElement(ground, "pose").text = "0 0 -2 0 0 0"

    _, found = world(tmp_path, moved)
    assert found.geom("wall").pos.tolist() == [3, 0, -2]
    assert found.geom("floor").pos.tolist() == [0, 0, -2]


def test_a_ground_that_holds_more_is_a_body(tmp_path: Path):
    def joined(tree: etree._ElementTree) -> None:
        (ground,) = tree.xpath("//model[@name='ground']")
        link = etree.SubElement(ground, "link", name="arm")
        etree.SubElement(link, "pose").text = "0 0 1 0 0 0"
        joint = etree.SubElement(ground, "joint", name="swing", type="ball")
        etree.SubElement(joint, "parent").text = "ground"
        etree.SubElement(joint, "child").text = "arm"

    _, found = world(tmp_path, joined)
    assert found.geom("wall").bodyid[0] == found.body("ground").id != 0
    assert found.body("arm").parentid[0] == found.body("ground").id


# --------------------------------------------------------------------------------------------------------- the spelling

TURNED = """<sdf version="1.9"><model name="m"><link name="l"><collision name="v"><pose>0 0 0 -1.570796 0 0</pose>
<geometry><box><size>1 2 3</size></box></geometry></collision></link></model></sdf>"""


@pytest.mark.parametrize(("quat", "yaw"), [("0.8 0 0 0.6", 1.2870022175865687), (None, 0.0), ("1 -1 0 0", None)])
def test_angles_count_while_they_mean_the_rotation(quat: str | None, yaw: float | None, tmp_path: Path):
    (tmp_path / "m.sdf").write_text(TURNED)

    def turned(tree: etree._ElementTree) -> None:
        (geom,) = tree.xpath("//geom[@name='v']")
        geom.set("pos", "1 2 3")
        geom.attrib.pop("quat")
        if quat is not None:
            geom.set("quat", quat)

    there(tmp_path / "m.sdf", tmp_path / "m.xml", turned)
    report, tree = back(tmp_path / "m.xml", tmp_path / "back.sdf")
    numbers = [float(word) for word in tree.findtext(".//collision/pose").split()]
    assert numbers == pytest.approx([1, 2, 3, *((0, 0, yaw) if yaw is not None else (-np.pi / 2, 0, 0))])
    assert stale(report) == {"body/l.geoms.v.pose"}


LOOKS = """<mujoco model="m"><worldbody><body name="a"><freejoint name="fa"/><site/><site pos="1 0 0"/>
<geom name="g" type="box" size="1 1 1" rgba="1 0 0 1"/><geom name="h" type="box" size="1 1 1" rgba="1 0 0 1"/></body>
<body name="b" pos="9 0 0"><freejoint/><geom name="k" type="box" size="1 1 1" rgba="0 1 0 1"/></body></worldbody>
</mujoco>"""


def named(tree: etree._ElementTree) -> None:
    for material in tree.xpath("//material[@name='rgba_0']"):
        material.set("name", "red")


def recoloured(tree: etree._ElementTree) -> None:
    for colour in tree.xpath("//visual[@name='h']/material/*[self::ambient or self::diffuse]"):
        colour.text = "0 0 1 1"


def swapped(tree: etree._ElementTree) -> None:
    first, second = tree.findall("joint")
    second.addnext(first)


@pytest.mark.parametrize(
    ("through", "edit", "colours"),
    [
        (".urdf", named, "rrg"),
        (".urdf", swapped, "rrg"),
        (".urdf", put("//joint[child/@link='b']", "name", "free"), "rrg"),
        (".sdf", put("//visual[@name='h']", "name", "hh"), "rrg"),
        (".sdf", recoloured, "rbg"),
        (".sdf", without("//frame[@name='a_site_0']"), "rrg"),
    ],
)
def test_looks_and_names_that_were_made_up_arrive(through: str, edit: Edit, colours: str, tmp_path: Path):
    there(saved(tmp_path / "m.xml", LOOKS), tmp_path / f"m{through}", edit)
    report, tree = back(tmp_path / f"m{through}", tmp_path / "back.xml")
    found = mujoco_model(tmp_path / "back.xml")
    seen = {found.geom(index).name: index for index in range(found.ngeom)}
    rgba = {"r": [1, 0, 0, 1], "g": [0, 1, 0, 1], "b": [0, 0, 1, 1]}
    for name, colour in zip(("g", "hh" if "hh" in seen else "h", "k"), colours, strict=True):
        geom = found.geom(name)
        look = found.mat(int(geom.matid[0])).rgba if geom.matid[0] >= 0 else geom.rgba
        assert look.tolist() == rgba[colour], name
    if edit is named:
        assert tree.xpath("//material/@name") == ["red"]
    if edit is swapped:
        assert report.findings == ()
    assert (found.nsite == 1) == ("a_site_1" in tree.xpath("//site/@name"))
    if through == ".urdf" and edit not in (named, swapped):
        assert tree.xpath("//freejoint/@name") == ["fa", "free"]


NAMELESS = """<robot name="r"><material name=""><color rgba="1 1 0 1"/></material>
<link name="a"><visual name="v"><geometry><box size="1 1 1"/></geometry>
<material name=""><color rgba="1 0 0 1"/></material></visual><visual name="w"><geometry><box size="1 1 1"/></geometry>
<material name=""><color rgba="0 1 0 1"/></material></visual></link></robot>"""


@pytest.mark.parametrize(
    ("through", "edit", "colours"),
    [
        (".xml", put("//geom[@name='v']", "name", "x"), ["1 0 0 1", "0 1 0 1"]),
        (".xml", without("//geom[@name='v']"), ["0 1 0 1"]),
        (".xml", put("//body[@name='a']", "name", "x"), ["1 0 0 1", "0 1 0 1"]),
        (".sdf", without("//visual[@name='v']"), ["0 1 0 1"]),
        (".sdf", without("//visual[@name='w']"), ["1 0 0 1"]),
    ],
)
def test_materials_without_a_name_stay_so(through: str, edit: Edit, colours: list[str], tmp_path: Path):
    there(saved(tmp_path / "m.urdf", NAMELESS), tmp_path / f"m{through}", edit)
    _, tree = back(tmp_path / f"m{through}", tmp_path / "back.urdf")
    assert tree.xpath("//visual/material/color/@rgba") == colours
    assert tree.xpath("/robot/material/color/@rgba") == ["1 1 0 1"]


def test_what_a_joint_said_is_not_said_of_another(tmp_path: Path):
    mass = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    joint = '<joint name="j" type="fixed"><parent link="a"/><child link="b"/><dynamics damping="0.5"/></joint>'
    links = "".join(f'<link name="{name}">{mass}</link>' for name in "ab")
    (tmp_path / "m.urdf").write_text(f'<robot name="r">{links}{joint}</robot>')
    there(tmp_path / "m.urdf", tmp_path / "m.sdf", without("//joint"))
    assert sdformat_reads(tmp_path / "m.sdf")["errors"] == []
    report, tree = back(tmp_path / "m.sdf", tmp_path / "back.urdf")
    assert tree.xpath("//joint[child/@link='b']/@type") == ["floating"]
    assert tree.xpath("//dynamics") == []
    assert check_urdf(tmp_path / "back.urdf") is None  # a stays as it stands in the world, since b does so now
    assert stale(report) == {"joint/a", "joint/b"}


def test_what_nobody_edited_is_not_stale(tmp_path: Path) -> None:
    """A shared material with unknown elements: SDFormat has no material names from which to recognise it."""
    look = '<material name="metal"><texture/><color rgba="0 0 0 1"/></material>'
    visual = f'<visual><geometry><box size="1 1 1"/></geometry>{look}</visual>'
    (tmp_path / "m.urdf").write_text(f'<robot name="r"><link name="l">{visual * 3}</link></robot>')
    convert(tmp_path / "m.urdf", tmp_path / "m.sdf")
    assert convert(tmp_path / "m.sdf", tmp_path / "back.urdf").findings == ()
    convert(tmp_path / "m.urdf", tmp_path / "same.urdf")
    assert (tmp_path / "back.urdf").read_bytes() == (tmp_path / "same.urdf").read_bytes()


LINKS = "".join(
    f'<link name="{name}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
    '</inertial><collision><geometry><box size="1 1 1"/></geometry></collision></link>'
    for name in "abc"
)
HINGES = "".join(
    f'<joint name="{child}" type="continuous"><parent link="{parent}"/><child link="{child}"/><axis xyz="0 0 1"/>'
    "</joint>"
    for parent, child in ("ab", "bc")
)


def apart(path: Path) -> list[set[str]]:
    """Return the pairs of bodies that MuJoCo excludes by name."""
    model = mujoco_model(path)
    return [{model.body(index).name for index in divmod(int(each), 1 << 16)} for each in model.exclude_signature]


@pytest.mark.parametrize(
    ("other", "pairs"),
    [
        ("", []),
        ('<exclude body1="a" body2="c"/>', [{"a", "c"}]),
        ('<exclude body1="a" body2="b"/>', [{"a", "b"}]),
        ('<exclude body1="a" body2="b"/><exclude body1="a" body2="b"/>', [{"a", "b"}]),
    ],
)
def test_a_pair_that_was_kept_apart_for_the_target_and_no_longer_is_stays_so(
    other: str, pairs: list[set[str]], tmp_path: Path
) -> None:
    (tmp_path / "s.urdf").write_text(f'<robot name="r">{LINKS}{HINGES}</robot>')
    convert(tmp_path / "s.urdf", tmp_path / "w.xml")
    assert apart(tmp_path / "w.xml") == [{"a", "b"}]
    (tmp_path / "e.xml").write_text(re.sub("<exclude[^>]*>", other, (tmp_path / "w.xml").read_text()))
    document = tmp_path / "e.xml"
    for name in ("same.xml", "again.xml", "between.sdf", "last.xml"):
        explained(convert(document, tmp_path / name))
        document = tmp_path / name
        assert document.suffix == ".sdf" or apart(document) == pairs
    assert (tmp_path / "same.xml").read_bytes() == (tmp_path / "again.xml").read_bytes()
    convert(tmp_path / "w.xml", tmp_path / "plain.xml")
    assert apart(tmp_path / "plain.xml") == [{"a", "b"}]


BALL = "<collision name='{0}'><geometry><sphere><radius>1</radius></sphere></geometry></collision>"
MODELS = "".join(f"<model name='{each}'><link name='{each}'>{BALL.format(each + 'c')}</link></model>" for each in "abc")


def touching(path: Path) -> set[frozenset[str]]:
    """Return the pairs of geoms in contact in MuJoCo."""
    model, data = drawn(path)
    return {frozenset(model.geom(each).name for each in pair) for pair in data.contact.geom}


def meeting(path: Path) -> set[frozenset[str]]:
    """Return the pairs of collisions whose masks let them collide (SDFormat: category_bitmask)."""
    found = {}
    for each in etree.parse(path).findall(".//collision"):
        category, collide = (int(each.findtext(f".//{name}_bitmask") or "65535") for name in ("category", "collide"))
        found[each.get("name")] = category, collide
    return {
        frozenset((a, b))
        for a in found
        for b in found
        if a < b and found[a][0] & found[b][1] | found[b][0] & found[a][1]
    }


def test_masks_that_are_given_count_on_what_the_others_mean_where_they_were_given(tmp_path: Path) -> None:
    (tmp_path / "s.sdf").write_text(f"<sdf version='1.9'><world name='w'>{MODELS}</world></sdf>")
    convert(tmp_path / "s.sdf", tmp_path / "w.xml")
    every = {frozenset(pair) for pair in (("ac", "bc"), ("ac", "cc"), ("bc", "cc"))}
    assert touching(tmp_path / "w.xml") == every
    text = (tmp_path / "w.xml").read_text()
    (tmp_path / "w.xml").write_text(text.replace('<geom name="ac"', '<geom name="ac" contype="2" conaffinity="0"'))
    left = {frozenset(("bc", "cc"))}
    assert touching(tmp_path / "w.xml") == left
    document = tmp_path / "w.xml"
    for name in ("same.xml", "back.sdf", "again.sdf", "last.xml"):
        report, _ = back(document, tmp_path / name)
        told = {each.where: each.count for each in of_rule(report, "mjcf/default-masks")}
        assert told == ({"body/b::b.geoms.bc.surface": 2} if name == "same.xml" else {})
        document = tmp_path / name
        assert (meeting(document) if document.suffix == ".sdf" else touching(document)) == left
    assert sdformat_reads(tmp_path / "back.sdf")["errors"] == []
    assert (tmp_path / "back.sdf").read_bytes() == (tmp_path / "again.sdf").read_bytes()
