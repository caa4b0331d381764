"""What an edit removed from an output, or added to it, is removed or added in the source format as well."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree

from converters import convert
from tests.formats.test_edited import meeting, touching
from tests.formats.test_edited_parts import back
from tests.oracles.in_drake import drake_reads
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.in_pinocchio import pinocchio_model
from tests.oracles.in_sdformat import sdformat_reads
from tests.oracles.in_urdfdom import check_urdf
from tests.reports import explained, of_rule, stale

LOOKS = """<mujoco><worldbody><body name="b"><freejoint/>
<geom name="ball" size="0.1" rgba="1 0 0 1"/></body></worldbody></mujoco>"""


@pytest.mark.parametrize(
    ("edit", "colour"),
    [
        ((r'<material name="[^"]*">\s*<color[^>]*/>\s*</material>', "<material/>"), "0.5 0.5 0.5 1"),
        ((r' rgba="[^"]*"', ""), "1 1 1 1"),
    ],
)
def test_a_visual_whose_material_is_none_has_the_one_it_gets_instead(
    edit: tuple[str, str], colour: str, tmp_path: Path
) -> None:
    """urdfdom uses the first <material> of a visual."""
    (tmp_path / "s.xml").write_text(LOOKS)
    written, report = back(tmp_path, tmp_path / "s.xml", "w.urdf", [edit], "t.urdf")
    assert check_urdf(written) is None
    root = etree.parse(str(written)).getroot()
    name = root.find(".//visual/material").get("name")
    assert {each.get("rgba") for each in root.iterfind(f".//material[@name='{name}']/color")} == {colour}
    assert len(root.findall(".//visual/material")) == 1
    assert "urdf/no-material" in {each.rule for each in report.findings}


def test_of_several_trees_one_may_be_deleted(made: Path, tmp_path: Path) -> None:
    """The source does not define how its trees are placed in the world, nor does the document that comes back."""
    source = made / "feature_unreferenced_link.urdf"
    convert(source, tmp_path / "w.sdf")
    convert(tmp_path / "w.sdf", tmp_path / "same.urdf")
    assert (tmp_path / "same.urdf").read_bytes() == source.read_bytes()
    edit = r'<link name="alone">.*?</link>', ""
    written, report = back(tmp_path, source, "w.sdf", [edit], "t.urdf")
    assert check_urdf(written) is None
    assert pinocchio_model(written).nv == 2
    assert stale(report) == {"body/alone"}


ARM = "<sdf version='1.9'><model name='m'>{}</model></sdf>".format(
    "".join(
        f"<link name='{name}'><collision name='{name}c'><geometry><sphere><radius>1</radius></sphere></geometry>"
        "</collision></link>"
        for name in "abc"
    )
)
AC, BC, AB = (frozenset(pair) for pair in (("ac", "cc"), ("bc", "cc"), ("ac", "bc")))


@pytest.mark.parametrize(
    ("edit", "left"),
    [
        ((' conaffinity="[0-9]+"', ""), {AB, AC, BC}),
        (('<geom name="ac"', '<geom name="ac" contype="3" conaffinity="0"'), {AB, AC}),
        (('<geom name="ac"', '<geom name="ac" contype="1" conaffinity="1"'), {AB, AC}),
        (('<geom name="ac"', '<geom name="ac" rgba="1 0 0 1"'), set()),
        (('<geom name="ac"', '<geom name="ac" contype="4" conaffinity="0"'), {AB, AC}),
        (('<geom name="ac"', '<geom name="ac2"'), set()),
    ],
)
def test_masks_that_kept_links_of_a_model_apart_and_are_edited_say_who_collides(
    edit: tuple[str, str], left: set[frozenset[str]], tmp_path: Path
) -> None:
    """mj_collideGeoms: two geoms collide if the contype of one and the conaffinity of the other share a bit."""
    (tmp_path / "s.sdf").write_text(ARM)
    home, _ = back(tmp_path, tmp_path / "s.sdf", "w.xml", [edit], "t.sdf")
    assert touching(tmp_path / "w.xml") == left
    assert sdformat_reads(home)["errors"] == []
    said = etree.parse(str(home)).findtext("model/self_collide")
    assert (meeting(home) if said == "true" else set()) == left
    convert(tmp_path / "w.xml", tmp_path / "same.xml")
    convert(home, tmp_path / "again.xml")
    assert touching(tmp_path / "same.xml") == touching(tmp_path / "again.xml") == left


UNWEIGHED = """<mujoco><compiler inertiafromgeom="true"/><worldbody><body name="b"><joint name="j"/>
<geom name="g" size="0.1"/><body name="c" pos="0 0 1"><geom name="h" size="0.1" density="0"/></body></body></worldbody>
</mujoco>"""
MASSES = {
    "w.urdf": '<inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>',
    "w.sdf": "<inertial><mass>2</mass></inertial>",
}


@pytest.mark.parametrize("through", [*MASSES])
def test_a_link_that_weighed_nothing_weighs_what_an_edit_says(through: str, tmp_path: Path) -> None:
    """MuJoCo ignores <inertial> where inertiafromgeom is true and there are geoms."""
    edit = r'(<link name="c">)(.*?<pose[^<]*</pose>)?(\s*<inertial>.*?</inertial>)?'
    told = [(edit, rf"\1\2{MASSES[through]}")]
    written, report = back(tmp_path, UNWEIGHED, through, told)
    model = mujoco_model(written)
    assert model.body("c").mass[0] == 2
    assert model.body("b").mass[0] == pytest.approx(4.18879)
    assert stale(report)
    plain, report = back(tmp_path, UNWEIGHED, f"p{through}", [], "plain.xml")
    assert "inertiafromgeom" in plain.read_text()
    assert stale(report) == set()


GREEN = {
    "s.urdf": """<robot name="r"><material name="m"><color rgba="0 1 0 1"/></material><link name="b"><visual name="v">
<geometry><sphere radius="1"/></geometry><material name="m"/></visual></link></robot>""",
    "s.sdf": """<sdf version="1.9"><model name="m"><link name="b"><visual name="v"><geometry><sphere><radius>1</radius>
</sphere></geometry><material><diffuse>0 1 0 1</diffuse></material></visual></link></model></sdf>""",
}


@pytest.mark.parametrize("source", [*GREEN])
@pytest.mark.parametrize("target", ["t.urdf", "t.sdf"])
def test_a_colour_beyond_1_that_mujoco_takes_is_the_nearest_elsewhere(source: str, target: str, tmp_path: Path) -> None:
    (tmp_path / source).write_text(GREEN[source])
    written, report = back(tmp_path, tmp_path / source, "w.xml", [('rgba="0 1 0 1"', 'rgba="-1 2 0.5 1"')], target)
    assert mujoco_model(tmp_path / "w.xml").mat_rgba.max() == 2
    told = {each.after for each in of_rule(report, "looks/colour")}
    assert told == {"0 1 0.5 1"}
    for document in (written, tmp_path / "again.urdf", tmp_path / "again.sdf"):
        if document != written:
            convert(written, document)
        if document.suffix == ".sdf":
            assert sdformat_reads(document)["errors"] == []
        found = etree.parse(str(document)).xpath("//diffuse/text() | //color/@rgba")
        assert found == ["0 1 0.5 1"]
    convert(written, tmp_path / "same.xml")
    assert mujoco_model(tmp_path / "same.xml").mat_rgba.max() == 2


TURNING = """<sdf version="1.9"><model name="r"><link name="a"/><link name="b"><pose>1 0 0 0 0 0</pose></link>
<joint name="j" type="revolute"><parent>a</parent><child>b</child>
<axis><xyz>0 0 1</xyz><limit><lower>-1</lower><upper>1</upper></limit></axis></joint></model></sdf>"""


def test_a_joint_that_is_made_planar_is_three_whose_limits_are_none(tmp_path: Path) -> None:
    """urdf.xsd: only revolute and prismatic joints have limits."""
    (tmp_path / "s.sdf").write_text(TURNING)
    written, report = back(tmp_path, tmp_path / "s.sdf", "w.urdf", [('type="revolute"', 'type="planar"')], "t.urdf")
    assert check_urdf(written) is None
    model = pinocchio_model(written)
    assert model.nv == 3
    assert not etree.parse(str(written)).xpath("//limit[@lower='-1']")
    assert any(each.where.startswith("joint/j.extras.limit") for each in report.findings)
    home, _ = back(tmp_path, tmp_path / "s.sdf", "w.urdf", [('type="revolute"', 'type="planar"')], "t.sdf")
    assert sorted(each["type"] for each in sdformat_reads(home)["joints"].values()) == [
        "continuous",
        "prismatic",
        "prismatic",
    ]


SENSING = """<sdf version="1.9"><model name="r"><link name="a"><sensor name="ra" type="gpu_lidar"/></link>
<link name="b"><pose>0 0 1 0 0 0</pose><sensor name="s" type="imu"/></link>
<joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint>
<plugin name="p" filename="one.so"/></model></sdf>"""


@pytest.mark.parametrize(("taken", "left"), [("a", ["s", "p"]), ("b", ["ra", "p"])])
def test_a_block_may_be_deleted_before_others(taken: str, left: list[str], tmp_path: Path) -> None:
    (tmp_path / "s.sdf").write_text(SENSING)
    edit = rf'<gazebo reference="{taken}">.*?</gazebo>', ""
    home, report = back(tmp_path, tmp_path / "s.sdf", "w.urdf", [edit], "t.sdf")
    assert sdformat_reads(home)["errors"] == []
    assert etree.parse(str(home)).xpath("//sensor/@name | //plugin/@name") == left
    assert {each.rule for each in report.findings} == {"carried/stale"}
    assert f"block/gazebo_{taken}" in stale(report)
    assert "carried" not in home.read_text()


@pytest.mark.parametrize("through", ["w.sdf", "w.urdf"])
def test_an_element_of_a_name_space_that_is_added_keeps_what_it_is(through: str, tmp_path: Path) -> None:
    (tmp_path / "s.xml").write_text(LOOKS)
    edit = "</link>", '<my:thing xmlns:my="urn:mine"><my:part/></my:thing></link>'
    written, _ = back(tmp_path, tmp_path / "s.xml", through, [edit], f"t{Path(through).suffix}")
    assert [each.tag for each in etree.parse(str(written)).iter("{urn:mine}*")][:2] == [
        "{urn:mine}thing",
        "{urn:mine}part",
    ]
    back(tmp_path, tmp_path / "s.xml", through, [], f"plain{Path(through).suffix}")
    assert "urn:mine" not in (tmp_path / f"plain{Path(through).suffix}").read_text()


FIXED = """<robot name="r"><link name="base"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link><link name="f">
<visual><geometry><box size="1 1 1"/></geometry></visual><collision><geometry><box size="1 1 1"/></geometry></collision>
</link><joint name="j" type="fixed"><parent link="base"/><child link="f"/></joint></robot>"""


def mass(path: Path, other: str) -> float:
    """Return the total mass of a document after conversion to another format."""
    convert(path, path.with_name(other))
    return sum(map(float, etree.parse(str(path.with_name(other))).xpath("//mass/@value | //mass/text()")))


@pytest.mark.parametrize("target", ["t.urdf", "t.sdf", "t.xml"])
def test_a_link_without_inertia_weighs_what_its_geoms_are_told_to(target: str, tmp_path: Path) -> None:
    (tmp_path / "s.urdf").write_text(FIXED)
    written, _ = back(tmp_path, tmp_path / "s.urdf", "w.xml", [('(<geom name="f[^/]*)/>', r'\1 mass="5"/>')], target)
    whole = sum(mujoco_model(tmp_path / "w.xml").body_mass)
    assert whole == 11
    if target == "t.sdf":
        assert sum(each["mass"] for each in sdformat_reads(written)["links"].values()) == pytest.approx(whole)
    if target == "t.urdf":
        assert sum(each.mass for each in pinocchio_model(written).inertias) == pytest.approx(whole)
        assert mass(written, "again.sdf") == mass(written, "again.urdf") == pytest.approx(whole)
        convert(written, written := tmp_path / "again.xml")
    if target != "t.sdf":
        assert sum(mujoco_model(written).body_mass) == pytest.approx(whole)


# --------------------------------------------------------------------------------------------------- masks of an edit

SURFACE = "<surface><contact><collide_bitmask>{}</collide_bitmask></contact></surface>"
ROUND = "<geometry><sphere><radius>1</radius></sphere></geometry>"
BALL = f"<link name='{{0}}'><collision name='{{0}}'>{ROUND}{{1}}</collision></link>"
MASKED = {
    ".sdf": f"<sdf version='1.9'><model name='m'><self_collide>true</self_collide>{BALL.format('a', SURFACE.format(6))}"
    f"{BALL.format('b', SURFACE.format(8))}{BALL.format('c', '')}</model></sdf>",
    ".xml": "<mujoco><worldbody><body name='a'><freejoint/><geom name='a' size='1' contype='6' conaffinity='6'/></body>"
    "<body name='b'><freejoint/><geom name='b' size='1' contype='8' conaffinity='8'/></body>"
    "<body name='c'><freejoint/><geom name='c' size='1'/></body></worldbody></mujoco>",
}


def unmasked(path: Path, words: tuple[str, ...]) -> None:
    """Remove these attributes or elements from the first geom that has masks."""
    tree = etree.parse(path)
    if path.suffix == ".xml":
        for word in words:
            del tree.find(".//body/geom").attrib[word]
    else:
        (contact,) = tree.xpath("//collision[@name='a']/surface/contact")
        for each in list(contact):
            contact.remove(each)
    tree.write(path)


def masks(path: Path) -> dict[str, tuple[int, int]]:
    model = mujoco_model(path)
    names = (model.geom(at).name for at in range(model.ngeom))
    return dict(zip(names, zip(model.geom_contype.tolist(), model.geom_conaffinity.tolist(), strict=True), strict=True))


@pytest.mark.parametrize("words", [("conaffinity",), ("contype", "conaffinity")], ids=["one", "both"])
def test_masks_that_an_edit_takes_away_are_then_those_of_mujoco(words: tuple[str, ...], tmp_path: Path) -> None:
    source, between = tmp_path / "in.sdf", tmp_path / "there.xml"
    source.write_text(MASKED[".sdf"])
    explained(convert(source, between))
    unmasked(between, words)
    edited = {"a": (6, 1) if len(words) == 1 else (1, 1), "b": (8, 8), "c": (65535, 65535)}
    assert masks(between) == edited
    explained(convert(between, tmp_path / "back.sdf"))
    assert sdformat_reads(tmp_path / "back.sdf")["errors"] == []
    (last,) = etree.parse(tmp_path / "back.sdf").xpath("//collision[@name='c']")
    assert last.find("surface") is None  # Gazebo takes it for 65535 and 65535
    for name, start in (("again.xml", "back.sdf"), ("same.xml", "there.xml")):
        explained(convert(tmp_path / start, tmp_path / name))
        assert masks(tmp_path / name) == edited


def test_masks_that_an_edit_takes_away_are_then_those_of_gazebo(tmp_path: Path) -> None:
    source, between = tmp_path / "in.xml", tmp_path / "there.sdf"
    source.write_text(MASKED[".xml"])
    explained(convert(source, between))
    unmasked(between, ())
    assert sdformat_reads(between)["errors"] == []
    report = explained(convert(between, tmp_path / "back.xml"))
    assert masks(tmp_path / "back.xml") == {"a": (65535, 65535), "b": (8, 8), "c": (1, 1)}
    assert [each.where for each in of_rule(report, "sdf/default-masks")] == ["body/a.geoms.a.surface"]


# ---------------------------------------------------------------------------------------- two definitions of one look

LOOK = '<material name="{0}"><color rgba="1 0 0 1"/><{1}/></material>'
SEEN = '<visual name="{0}"><geometry><sphere radius="{1}"/></geometry>{2}</visual>'


@pytest.mark.parametrize("name", ["", "red"])
@pytest.mark.parametrize(
    ("path", "attribute", "value", "found", "told"),
    [
        ("//body", "name", "m", "xy", ""),
        ("//geom[@name='w']", "material", None, "x", "body/b.geoms.w.extras.material[1]/y[1]"),
        ("//asset/material", "rgba", None, "y", "material/{}.extras.x[1]"),
        ("//geom[@name='u']", "rgba", "0 1 0 1", "x", "body/b.geoms.w.extras.material[1]/y[1]"),
        ("//geom[@name='u']", "size", "2", "xy", ""),
    ],
)
def test_what_stands_in_two_definitions_of_one_material_is_there_or_told(
    name: str, path: str, attribute: str, value: str | None, found: str, told: str, tmp_path: Path
) -> None:
    seen = (SEEN.format(geom, size, LOOK.format(name, tag)) for geom, size, tag in (("u", 1, "x"), ("w", 3, "y")))
    (tmp_path / "s.urdf").write_text(f'<robot name="r"><link name="b">{"".join(seen)}</link></robot>')
    explained(convert(tmp_path / "s.urdf", tmp_path / "w.xml"))
    tree = etree.parse(tmp_path / "w.xml")
    (place,) = tree.xpath(path)
    place.set(attribute, value or "")
    if value is None:
        del place.attrib[attribute]
    tree.write(tmp_path / "w.xml")
    assert mujoco_model(tmp_path / "w.xml").ngeom == 2
    report = explained(convert(tmp_path / "w.xml", tmp_path / "t.urdf"))
    assert check_urdf(tmp_path / "t.urdf") is None
    assert [each.tag for each in etree.parse(tmp_path / "t.urdf").xpath("//material/x | //material/y")] == [*found]
    assert not told or told.format(name or "anonymous") in {each.where for each in report.findings}


BLOCKS = {
    "arm": """<gazebo reference="arm"><mu1>0.25</mu1><mu2>0.25</mu2><sensor name="imu" type="imu">
<update_rate>50</update_rate><plugin name="p" filename="libp.so"><topicName>imu</topicName></plugin>
</sensor></gazebo>""".replace("\n", ""),
    "j": """<gazebo reference="j"><springStiffness>5</springStiffness><fudgeFactor>0.9</fudgeFactor>
<sensor name="ft" type="force_torque"><update_rate>9</update_rate></sensor></gazebo>""".replace("\n", ""),
}


@pytest.mark.parametrize("edited", ["j", "arm"])
def test_what_is_said_of_a_joint_outlives_an_edit_of_its_link(edited: str, tmp_path: Path) -> None:
    """Likewise the other way round: the edited value also changes in its block. A block that cannot express the value
    (MuJoCo's torsional contact friction) does not come back, and is reported in full."""
    mass = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    shape = '<collision><geometry><sphere radius="1"/></geometry></collision>'
    links = "".join(f'<link name="{name}">{mass}{shape}</link>' for name in ("base", "arm"))
    joint = '<joint name="j" type="continuous"><parent link="base"/><child link="arm"/></joint>'
    (tmp_path / "s.urdf").write_text(f'<robot name="r">{links}{joint}{"".join(BLOCKS.values())}</robot>')
    edit = {"j": ('stiffness="5"', 'stiffness="77"'), "arm": ('friction="0.25[^"]*"', 'friction="3 0.1 0.1"')}[edited]
    written, report = back(tmp_path, tmp_path / "s.urdf", "w.xml", [edit], "t.urdf")
    assert check_urdf(written) is None
    said = {each.get("reference"): etree.tostring(each, with_tail=False).decode() for each in blocks(written)}
    said = {name: text.replace(' xmlns:kinegraph="https://kinegraph.dev/carried"', "") for name, text in said.items()}
    assert said["j"] == BLOCKS["j"].replace(">5<", ">77<" if edited == "j" else ">5<")
    assert (said["arm"] == BLOCKS["arm"]) == (edited == "j")
    told = {each.where: each.before for each in of_rule(report, "carried/stale")}
    assert "block/gazebo_j" not in told
    assert told.get("block/gazebo_arm") == (BLOCKS["arm"] if edited == "arm" else None)


def blocks(path: Path) -> list[etree._Element]:
    """Return the <gazebo> blocks of a URDF, without white space between elements."""
    return etree.parse(str(path), etree.XMLParser(remove_blank_text=True)).findall("gazebo")


BALL = """<drake:ball_constraint><drake:ball_constraint_body_A name="a"/><drake:ball_constraint_body_B name="b"/>
<drake:ball_constraint_p_AP value="0 0 0"/><drake:ball_constraint_p_BQ value="0 0 1"/></drake:ball_constraint>"""
SPRING = """<drake:linear_bushing_rpy><drake:bushing_frameA name="tool"/><drake:bushing_frameC name="b"/>
<drake:bushing_torque_stiffness value="1 1 1"/><drake:bushing_torque_damping value="1 1 1"/>
<drake:bushing_force_stiffness value="1 1 1"/><drake:bushing_force_damping value="1 1 1"/></drake:linear_bushing_rpy>
<drake:collision_filter_group name="g"><drake:member link="b"/></drake:collision_filter_group>"""


@pytest.mark.parametrize("through", ["w.sdf", "w.xml"])
@pytest.mark.parametrize(
    ("said", "lost"), [(BALL, ["link b"]), (SPRING, ["frame b", "link b"])], ids=["constraint", "bushing"]
)
def test_a_block_of_drake_that_means_a_link_of_another_name_is_told(
    through: str, said: str, lost: list[str], tmp_path: Path
) -> None:
    """A block is text with the old names, and Drake refuses a document that lacks them."""
    mass = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    links = "".join(f'<link name="{name}">{mass}</link>' for name in ("a", "b"))
    joint = '<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint>'
    frame = '<frame name="tool" link="a" xyz="0 0 0" rpy="0 0 0"/>'
    head = '<robot name="r" xmlns:drake="http://drake.mit.edu">'
    (tmp_path / "s.urdf").write_text(f"{head}{links}{joint}{frame}{said}</robot>")
    written, report = back(tmp_path, tmp_path / "s.urdf", through, [], "same.urdf")
    assert not of_rule(report, "urdf/lost-name")
    assert drake_reads(written)["mass"] == 2
    edit = r"(?<=[\"'>])b(?=[\"'<])", "bb"
    written, report = back(tmp_path, tmp_path / "s.urdf", through, [edit], "t.urdf")
    assert sorted(each.before for each in of_rule(report, "urdf/lost-name")) == lost
    with pytest.raises(RuntimeError, match="Drake"):
        drake_reads(written)
