"""Names that are valid in other formats, but not in SDFormat."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree

import converters
from converters.context import Options
from converters.report.model import Action, exit_code
from tests.files import saved
from tests.oracles.in_drake import drake_reads
from tests.oracles.in_pinocchio import reads
from tests.oracles.in_sdformat import sdformat_expands, sdformat_reads
from tests.oracles.in_urdfdom import check_urdf
from tests.reports import of_rule


@pytest.mark.parametrize("name", ["a::b", "__model__", "__x__", "world"])
def test_names_that_sdformat_keeps_for_itself_are_others_there(name: str, tmp_path: Path) -> None:
    mass = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
    link = "arm" if name == "world" else name
    source = tmp_path / "named.urdf"
    source.write_text(
        f'<robot name="{name}"><link name="base">{mass}</link><link name="{link}">{mass}</link><joint name="{name}" '
        f'type="continuous"><parent link="base"/><child link="{link}"/></joint></robot>'
    )
    report = converters.convert(source, tmp_path / "named.sdf")
    assert exit_code(report) == 0
    assert {found.rule for found in report.findings if name in found.before} == {"names/shared"}
    assert sdformat_reads(tmp_path / "named.sdf")["errors"] == []
    converters.convert(tmp_path / "named.sdf", tmp_path / "back.urdf")
    converters.convert(source, tmp_path / "same.urdf")
    assert (tmp_path / "back.urdf").read_bytes() == (tmp_path / "same.urdf").read_bytes()


@pytest.mark.parametrize("name", ["a::b", "__model__", "world"])
def test_so_are_those_of_worlds(name: str, tmp_path: Path) -> None:
    body = '<body name="%s"><joint/><geom size="1"/></body>'
    source = tmp_path / "named.xml"
    source.write_text(
        f'<mujoco model="{name}"><worldbody><geom size="1"/>{body % "a"}{body % "b"}</worldbody></mujoco>'
    )
    report = converters.convert(source, tmp_path / "named.sdf")
    assert {found.rule for found in report.findings if name in found.before} == {"names/shared"}
    assert sdformat_reads(tmp_path / "named.sdf")["errors"] == []
    converters.convert(tmp_path / "named.sdf", tmp_path / "back.xml")
    converters.convert(source, tmp_path / "same.xml")
    assert (tmp_path / "back.xml").read_bytes() == (tmp_path / "same.xml").read_bytes()


NESTED = """<sdf version="1.9"><model name="top"><link name="base"/>
<model name="arm"><link name="up"/><link name="low"/><frame name="tip" attached_to="low"/>
<joint name="elbow" type="revolute"><parent>up</parent><child>low</child><axis><xyz>0 1 0</xyz></axis></joint></model>
<joint name="shoulder" type="revolute"><parent>base</parent><child>arm::up</child><axis><xyz>0 0 1</xyz></axis></joint>
</model></sdf>"""


def test_a_link_that_loses_the_name_of_its_nested_model_stays_in_it(tmp_path: Path) -> None:
    """So do the joint that attaches it and its frames; the name that it has in SDFormat is reported."""
    source, path = tmp_path / "nested.sdf", tmp_path / "nested.xml"
    source.write_text(NESTED)
    converters.convert(source, path)
    path.write_text(path.read_text().replace('"arm::low"', '"forearm"'))
    report = converters.convert(path, tmp_path / "back.sdf")
    seen = sdformat_reads(tmp_path / "back.sdf")
    assert seen["errors"] == []
    top = etree.parse(str(tmp_path / "back.sdf")).find("model")
    assert [each.get("name") for each in top.findall("link")] == ["base"]
    arm = top.find("model")
    assert [each.get("name") for each in arm.findall("link")] == ["up", "forearm"]
    assert [(each.get("name"), each.findtext("child")) for each in arm.findall("joint")] == [("elbow", "forearm")]
    assert [(each.get("name"), each.get("attached_to")) for each in arm.findall("frame")] == [("tip", "forearm")]
    told = [found.where for found in of_rule(report, "names/shared")]
    assert "body/forearm" in told


@pytest.mark.parametrize("name", ["world", "__x__", " ", "a::b"])
@pytest.mark.parametrize("tag", ["geom", "camera", "light", "site", "gyro"])
def test_so_are_those_of_what_is_inside_links(tag: str, name: str, tmp_path: Path) -> None:
    inner = {"geom": f'<geom name="{name}" size="1"/>', "gyro": '<geom size="1"/><site name="s"/>'}.get(
        tag, f'<geom size="1"/><{tag} name="{name}"/>'
    )
    beside = f'<sensor><gyro name="{name}" site="s"/></sensor>' if tag == "gyro" else ""
    source, path = tmp_path / "named.xml", tmp_path / "named.sdf"
    source.write_text(f'<mujoco><worldbody><body name="b"><freejoint/>{inner}</body></worldbody>{beside}</mujoco>')
    report = converters.convert(source, path)
    assert exit_code(report) == 0
    assert "names/shared" in {found.rule for found in report.findings if name in found.before}
    assert sdformat_reads(path)["errors"] == []
    converters.convert(path, tmp_path / "back.xml")
    converters.convert(source, tmp_path / "same.xml")
    assert (tmp_path / "back.xml").read_bytes() == (tmp_path / "same.xml").read_bytes()


def test_names_of_older_versions_that_newer_ones_keep_are_others_there(tmp_path: Path) -> None:
    """Found by mutating old files: a label was written instead of the name."""
    box = "<geometry><box><size>1 1 1</size></box></geometry>"
    inside = (
        f'<visual name="a::b">{box}</visual><collision name="a::b">{box}</collision><sensor name="s::t" type="imu"/>'
    )
    inside += '<light name="l::m" type="point"/>'
    joint = (
        '<joint name="j::k" type="revolute"><parent>l</parent><child>x::y</child><axis><xyz>0 0 1</xyz></axis></joint>'
    )
    links = f'<link name="l">{inside}</link><link name="x::y">{inside}</link>{joint}<plugin name="p::q" filename="f"/>'
    source = saved(tmp_path / "old.sdf", f'<sdf version="1.6"><model name="m">{links}</model></sdf>')
    assert sdformat_reads(source)["errors"] == []
    report = converters.convert(source, tmp_path / "new.sdf", options=Options(sdf_version="1.9"))
    assert sdformat_reads(tmp_path / "new.sdf")["errors"] == []
    assert report.total(Action.UNEXPLAINED) == 0
    converters.convert(tmp_path / "new.sdf", tmp_path / "back.sdf", options=Options(sdf_version="1.6"))
    names = [
        [each.get("name") for each in etree.parse(path).iter() if each.get("name")]
        for path in (source, tmp_path / "back.sdf")
    ]
    assert sorted(names[0]) == sorted(names[1])


@pytest.mark.parametrize(
    ("version", "name"), [("1.9", "a::b"), ("1.9", "__x__"), ("1.7", "__x__"), ("1.12", "a::__x__")]
)
def test_so_are_those_of_models(version: str, name: str, tmp_path: Path) -> None:
    joint = '<joint name="j" type="revolute"><parent>l</parent><child>m</child><axis/></joint>'
    inner = '<link name="l"/><link name="m"/>'
    nested = f'<model name="{name}"><link name="k"/></model>'
    source = tmp_path / "old.sdf"
    source.write_text(
        f'<sdf version="1.6"><world name="w"><model name="{name}">{inner}{joint}{nested}</model>'
        '<model name="a_b"><link name="l"/></model></world></sdf>'
    )
    report = converters.convert(source, tmp_path / "new.sdf", options=Options(sdf_version=version))
    assert exit_code(report) == 0
    assert name in {found.before.removeprefix("scope ") for found in of_rule(report, "sdf/shared-name")}
    seen = sdformat_reads(tmp_path / "new.sdf")
    assert seen["errors"] == []
    assert len(seen["links"]) == 4
    converters.convert(tmp_path / "new.sdf", tmp_path / "back.sdf", options=Options(sdf_version="1.6"))
    assert etree.parse(tmp_path / "back.sdf").xpath("//model/@name") == [name, name, "a_b"]


def test_a_sensor_of_a_gazebo_block_is_no_world(tmp_path: Path) -> None:
    source, path = tmp_path / "named.urdf", tmp_path / "named.sdf"
    block = '<gazebo reference="a"><sensor name="world" type="imu"/></gazebo>'
    source.write_text(f'<robot name="r"><link name="a"/>{block}</robot>')
    converters.convert(source, path)
    assert [each.get("name") for each in etree.parse(str(path)).iter("sensor")] == ["worldx"]
    assert sdformat_reads(path)["errors"] == []


BLANKS = """<robot name=" r "><link name=" base"/><link name="arm "/><link name="arm"/><link name="tool  tip"/>
<joint name=" j" type="continuous"><parent link=" base"/><child link="arm "/></joint>
<joint name="k " type="planar"><parent link="arm "/><child link="tool  tip"/></joint>
<joint name="l" type="fixed"><parent link="arm "/><child link="arm"/></joint></robot>"""


def test_blanks_at_the_ends_of_names_and_several_in_a_row_are_not_written(tmp_path: Path) -> None:
    """libsdformat trims names, and collapses blanks in texts, which name parents and children."""
    report = converters.convert(saved(tmp_path / "r.urdf", BLANKS), tmp_path / "r.sdf")
    assert exit_code(report) == 0
    found = sdformat_reads(tmp_path / "r.sdf")
    assert not found["errors"]
    assert {"base", "arm_1", "tool tip"} <= found["links"].keys()
    assert "arm" in found["frames"]
    assert (found["joints"]["j"]["parent"], found["joints"]["j"]["child"]) == ("base", "arm_1")
    converters.convert(tmp_path / "r.sdf", tmp_path / "back.urdf")
    converters.convert(tmp_path / "r.urdf", tmp_path / "same.urdf")
    assert (tmp_path / "back.urdf").read_bytes() == (tmp_path / "same.urdf").read_bytes()


def test_blanks_around_names_and_what_refers_to_them_mean_nothing(tmp_path: Path) -> None:
    source = tmp_path / "m.sdf"
    source.write_text("""<sdf version=" 1.9 "><model name=" m " canonical_link=" a"><link name="a "/><link name=" b">
      <pose relative_to=" F ">1 0 0 0 0 0</pose></link>
      <frame name="F " attached_to="a  "><pose>0 1 0 0 0 0</pose></frame>
      <joint name=" j " type=" revolute "><parent> a </parent><child>b</child>
      <axis><xyz expressed_in=" F">0 0 1</xyz></axis></joint><plugin name="p" filename="f"><x y=" z "/></plugin></model>
      </sdf>""")
    converters.convert(source, tmp_path / "again.sdf")
    first, second = (sdformat_reads(path) for path in (source, tmp_path / "again.sdf"))
    assert not first["errors"]
    assert {key: first[key] for key in ("links", "joints", "frames")} == {
        key: second[key] for key in ("links", "joints", "frames")
    }
    assert '<x y=" z "/>' in (tmp_path / "again.sdf").read_text()


SHAPE = "<geometry><sphere><radius>{}</radius></sphere></geometry>"
SEEN = f'<visual name="v">{SHAPE}</visual>'
LAMP = '<light name="v" type="point"/>'
ALIKE = (
    f'<model name="p"><link name="a"/><model name="q"><link name="b">{SEEN.format(1)}</link></model></model>'
    f'<model name="r"><link name="c">{SEEN.format(2)}</link></model>',
    f'<link name="a">{LAMP}{SEEN.format(1)}</link><link name="b">{SEEN.format(2)}{LAMP}</link>',
)


@pytest.mark.parametrize("inner", ALIKE, ids=["models-inside", "lights"])
@pytest.mark.parametrize("via", ["sdf", "xml"])
def test_parts_of_one_name_are_told_apart_alike_in_whatever_is_read(via: str, inner: str, tmp_path: Path) -> None:
    """Otherwise the report confuses them, and says that one is gone."""
    source = saved(tmp_path / "source.sdf", f'<sdf version="1.9"><model name="m">{inner}</model></sdf>')
    converters.convert(source, tmp_path / f"between.{via}")
    report = converters.convert(tmp_path / f"between.{via}", tmp_path / "out.sdf")
    assert [found.rule for found in report.findings if found.action not in ("noted", "ignored")] == []
    assert etree.canonicalize(from_file=str(tmp_path / "out.sdf"), strip_text=True) == etree.canonicalize(
        source.read_text(), strip_text=True
    )


def test_parts_of_several_links_keep_their_names_in_a_urdf(tmp_path: Path) -> None:
    """URDF readers accept duplicates; only in MJCF the second one of a name has none."""
    shape = "<geometry><box><size>1 1 {}</size></box></geometry>"
    round_ = "<geometry><capsule><radius>1</radius><length>2</length></capsule></geometry>"
    inside = f'<collision name="c">{shape.format(1)}</collision><visual name="c">{shape.format(1)}</visual>'
    links = f'<link name="a">{inside}</link><link name="b">{inside}<collision name="d">{round_}</collision></link>'
    links += f'<link name="e"><collision name="c">{round_}</collision></link>'
    joints = "".join(
        f'<joint name="to_{name}" type="fixed"><parent>a</parent><child>{name}</child></joint>' for name in "be"
    )
    source = saved(tmp_path / "m.sdf", f'<sdf version="1.9"><model name="m">{links}{joints}</model></sdf>')
    report = converters.convert(source, tmp_path / "m.urdf")
    assert not [each for each in report.findings if each.where.endswith((".name", ".label"))]
    made = etree.parse(tmp_path / "m.urdf")
    assert [str(each) for each in made.xpath("//link/*/@name")][:5] == ["c", "c", "c", "c", "d"]
    assert check_urdf(tmp_path / "m.urdf") is None and reads(tmp_path / "m.urdf") is None
    assert set(drake_reads(tmp_path / "m.urdf", meshes=True)["masses"]) >= {"a", "b", "e"}
    assert sdformat_expands(tmp_path / "m.urdf")["errors"] == []
    converters.convert(tmp_path / "m.urdf", tmp_path / "m.xml")
    for via in ("m.urdf", "m.xml"):
        converters.convert(tmp_path / via, tmp_path / "back.sdf")
        assert etree.canonicalize((tmp_path / "back.sdf").read_text(), strip_text=True) == etree.canonicalize(
            source.read_text(), strip_text=True
        )


FLATTENED = """<sdf version="1.7"><world name="w"><model name="top">
  <frame name="arm::__model__" attached_to="arm::up"><pose relative_to="__model__">0 1 0 0 0 0</pose></frame>
  <link name="arm::up"><pose relative_to="arm::__model__">0 0 1 0 0 0</pose></link></model></world></sdf>"""


def test_a_model_that_libsdformat_10_made_flat_stands_fixed_in_libsdformat_12(tmp_path: Path) -> None:
    source = saved(tmp_path / "in.sdf", FLATTENED)
    converters.convert(source, tmp_path / "out.sdf", options=Options(base="fixed"))
    read = sdformat_reads(tmp_path / "out.sdf")
    assert read["errors"] == []
    assert read["links"]["top::arm::up"]["pose"][:3] == [0, 1, 1]
    assert [(joint["parent"], joint["child"]) for joint in read["joints"].values()] == [("world", "top::arm::up")]


QUOTED = """<robot name="r"><link name="b"/><link name="c"/><joint name="j" type="revolute"><parent link="b"/>
  <child link="c"/><limit effort="1" velocity="1" lower="0" upper="1"/><safety_controller k_velocity="1"/></joint>
  <gazebo reference="c"><odd say="it's &lt; 1 &amp; \\u003c" two='"'>a &lt; b &amp; it's \\'\\\\&lt;</odd></gazebo>
  </robot>"""


def test_what_libsdformat_prints_of_a_document_of_ours_carries_the_same(tmp_path: Path) -> None:
    """It escapes nothing in attributes, which it puts between single quotes."""
    source = saved(tmp_path / "in.urdf", QUOTED)
    converters.convert(source, tmp_path / "out.sdf")
    saved(tmp_path / "printed.sdf", sdformat_expands(tmp_path / "out.sdf")["document"])
    for name in ("out", "printed"):
        converters.convert(tmp_path / f"{name}.sdf", tmp_path / f"{name}.urdf")
    converters.convert(source, tmp_path / "same.urdf")
    same = (tmp_path / "same.urdf").read_bytes()
    assert b"it's" in same and b"k_velocity" in same
    assert (tmp_path / "out.urdf").read_bytes() == same
    odd, theirs = (etree.parse(tmp_path / f"{name}.urdf").find(".//odd") for name in ("printed", "same"))
    assert (dict(odd.attrib), odd.text) == (dict(theirs.attrib), theirs.text)


@pytest.mark.parametrize("name", ["root", "b"])
def test_a_free_joint_has_no_name_in_sdf_which_is_a_note(name: str, tmp_path: Path):
    """Even where it is that of its link: a link that moves freely has no joint whose name could be taken."""
    body = f'<body name="b"><freejoint name="{name}"/><geom size=".1"/></body>'
    source = saved(tmp_path / "m.xml", f'<mujoco model="m"><worldbody>{body}</worldbody></mujoco>')
    report = converters.convert(source, tmp_path / "m.sdf")
    told = [each for each in report.findings if each.where.startswith("joint/")]
    assert {(each.rule, each.action, each.severity) for each in told} == {("sdf/name", "carried", "note")}
    converters.convert(tmp_path / "m.sdf", tmp_path / "back.xml")
    assert f'<freejoint name="{name}"/>' in (tmp_path / "back.xml").read_text()
