"""SDF in a version that does not support all of its source: libsdformat's reading, the report, and the way back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from lxml import etree

from converters.comparing import compare
from converters.context import Options
from converters.report.model import Report
from converters.sdf.document import vocabulary
from tests.conftest import MADE
from tests.formats.sdf_text import BOX, axis, converted, faults, joint, limit, link, matrix, put, rules, sdf, seen, xml
from tests.oracles.in_sdformat import sdformat_reads
from tests.reports import explained, of_rule

VERSIONS = ("1.6", "1.7", "1.9")
FRAME = '<frame name="tcp" attached_to="a"><pose>0 0 1 0 0 0</pose></frame>'
INSIDE = '<frame name="fr" attached_to="sub::k"><pose>0 0 1 0 0 0</pose></frame>'
SUB = f'<model name="sub">{link("k")}</model>'


def written(folder: Path, text: str, version: str) -> tuple[Report, Path]:
    """Return the report and the document in that version; the way back gives the source, element by element."""
    report, path = converted(folder, put(folder, text), "out.sdf", Options(sdf_version=version))
    assert xml(path).get("version") == version
    assert plain(xml(folder / "source.sdf")) == plain(xml(back(folder, path)))
    assert compare(folder / "source.sdf", folder / "back.sdf") == []
    return report, path


def plain(element: etree._Element) -> tuple[Any, ...]:
    """Return tag, attributes, text and children."""
    text = (element.text or "").strip()
    return element.tag, dict(element.attrib), text, [plain(child) for child in element]


def back(folder: Path, path: Path) -> Path:
    version = xml(folder / "source.sdf").get("version")
    _, again = converted(folder, path, "back.sdf", Options(sdf_version=version))
    return again


# --------------------------------------------------------------------------------------------------------------- frames


def test_a_frame_has_no_place_in_1_6(tmp_path: Path):
    report, path = written(tmp_path, sdf(link("a") + FRAME), "1.6")
    assert seen(path)["frames"] == {}
    (finding,) = of_rule(report, "sdf/frame-version")
    assert (finding.action, finding.where) == ("carried", "body/a.frames.tcp")


def test_a_frame_of_a_world_neither(tmp_path: Path):
    text = f'<sdf version="1.9"><world name="w"><frame name="f"/><model name="m">{link("a")}</model></world></sdf>'
    report, path = written(tmp_path, text, "1.6")
    assert xml(path).find(".//frame") is None
    assert {each.where for each in of_rule(report, "sdf/frame-version")} == {"body/world.frames.f"}


def test_a_frame_on_a_link_inside_stands_there_in_1_7(tmp_path: Path):
    report, path = written(tmp_path, sdf(link("a") + INSIDE + SUB), "1.7")
    assert set(seen(path)["frames"]) == {"sub::fr"}
    assert {each.action for each in of_rule(report, "sdf/frame-version")} == {"carried", "derived"}
    report, path = written(tmp_path, sdf(link("a") + INSIDE + SUB), "1.8")
    assert set(seen(path)["frames"]) == {"fr"}
    assert "sdf/frame-version" not in rules(report)


def test_it_takes_another_name_where_that_is_one(tmp_path: Path):
    sub = f'<model name="sub">{link("k")}<frame name="fr"/></model>'
    _, path = written(tmp_path, sdf(link("a") + INSIDE + sub), "1.7")
    assert len(seen(path)["frames"]) == 2


def test_an_empty_link_stays_one_where_there_are_no_frames(tmp_path: Path):
    inertial = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
    fixed = '<joint name="j" type="fixed"><parent link="a"/><child link="tip"/></joint>'
    source = put(
        tmp_path, f'<robot name="r"><link name="a">{inertial}</link><link name="tip"/>{fixed}</robot>', "s.urdf"
    )
    _, path = converted(tmp_path, source, "out.sdf", Options(sdf_version="1.6"))
    assert set(seen(path)["links"]) == {"a", "tip"}
    _, path = converted(tmp_path, source, "out.sdf")
    assert set(seen(path)["frames"]) == {"tip", "j"}


# --------------------------------------------------------------------------------------------------------------- joints


def two(static: bool, said: str) -> str:
    other = f'<model name="o"><static>{str(static).lower()}</static>{link("l", "0 2 0 0 0 0")}</model>'
    model = f'<model name="m"><pose>0 0 1 0 0 0</pose>{link("b")}</model>'
    return f'<sdf version="1.10">\n<world name="w">{model}{other}{said}</world>\n</sdf>\n'


HINGE = joint("wj", "o::l", "m::b", axis("0 1 0"))


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("said", [HINGE, HINGE.replace("o::l", "world"), joint("wj", "o::l", "m::b", "", "fixed")])
def test_what_holds_a_model_to_the_ground_is_said_in_it(version: str, said: str, tmp_path: Path):
    report, path = written(tmp_path, two(True, said), version)
    found = seen(path)["joints"]
    assert {name: (each["parent"], each["child"]) for name, each in found.items()} == {"m::wj": ("world", "m::b")}
    assert np.allclose(seen(path)["links"]["m::b"]["pose"][:3], [0, 0, 1], rtol=0, atol=1e-12)
    assert {each.where.partition(".")[0] for each in of_rule(report, "sdf/world-joint")} == {"joint/wj"}
    assert rules(report).isdisjoint({"sdf/joint-chain", "sdf/joint-zero", "sdf/name", "sdf/joint-between-models"})


def test_what_holds_two_models_together_is_told_where_it_cannot_be_said(tmp_path: Path):
    report, path = written(tmp_path, two(False, HINGE), "1.9")
    assert seen(path)["joints"] == {}
    assert {each.where for each in of_rule(report, "sdf/joint-between-models")} >= {"joint/wj.parent"}
    assert rules(report).isdisjoint({"sdf/joint-chain", "sdf/joint-zero", "sdf/name", "sdf/world-joint"})


@pytest.mark.parametrize("static", [True, False])
def test_a_newer_version_has_joints_between_models_in_the_world(static: bool, tmp_path: Path):
    report, path = written(tmp_path, two(static, HINGE), "1.11")
    (found,) = xml(path).findall("world/joint")
    assert (found.get("name"), found.findtext("parent"), found.findtext("child")) == ("wj", "o::l", "m::b")
    assert {each.action for each in report.findings} <= {"noted"}


# --------------------------------------------------------------------------------------------------------------- shapes

SHAPES = {
    "cone": ("<cone><radius>0.3</radius><length>1</length></cone>", "1.9", ["mesh"]),
    "capsule": ("<capsule><radius>0.3</radius><length>1</length></capsule>", "1.7", ["cylinder", "sphere", "sphere"]),
    "ellipsoid": ("<ellipsoid><radii>1 2 3</radii></ellipsoid>", "1.6", ["mesh"]),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_others_stand_for_a_shape_that_came_later(shape: str, tmp_path: Path):
    said, version, standing = SHAPES[shape]
    geometry = f"<pose>0 0 2 0 0 0</pose><geometry>{said}</geometry>"
    inner = f'<visual name="v">{geometry}</visual><collision name="v">{geometry}</collision>'
    report, path = written(tmp_path, sdf(link("a", inner=inner), "1.11"), version)
    assert seen(path)["links"].keys() == {"a"}
    for tag in ("visual", "collision"):
        assert [each.tag for each in xml(path).findall(f".//{tag}/geometry/*")] == standing
    for uri in xml(path).iterfind(".//uri"):
        assert (tmp_path / str(uri.text)).is_file()
    assert {each.action for each in of_rule(report, "sdf/shape")} == {"approximated"}
    assert "sdf/geom" not in rules(report)


def test_a_mesh_of_the_same_name_keeps_its_place(tmp_path: Path):
    put(tmp_path, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n", "cone.obj")
    geometries = (SHAPES["cone"][0], "<mesh><uri>cone.obj</uri></mesh>")
    inner = "".join(f'<visual name="v{i}"><geometry>{each}</geometry></visual>' for i, each in enumerate(geometries))
    _, path = written(tmp_path, sdf(link("a", inner=inner), "1.11"), "1.9")
    files = [(tmp_path / str(uri.text)).read_bytes() for uri in xml(path).iterfind(".//uri")]
    assert len(set(files)) == 2


# ---------------------------------------------------------------------------------------------------- newer elements

INERTIAL = "<mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia>"
NEWER: dict[str, tuple[str, str, str]] = {
    "fluid_added_mass": ("1.9", f"<inertial>{INERTIAL}<fluid_added_mass><xx>1</xx></fluid_added_mass></inertial>", ""),
    "air_speed": ("1.9", '<sensor name="s" type="air_speed"><air_speed/></sensor>', ""),
    "segmentation_camera": ("1.8", '<sensor name="s" type="segmentation_camera"><camera/></sensor>', ""),
    "frame_id": ("1.11", '<sensor name="s" type="imu"><frame_id>f</frame_id></sensor>', ""),
    "model_state": ("1.11", "", '<model_state name="x"/>'),
    "double_sided": ("1.6", f'<visual name="v">{BOX}<material><double_sided>1</double_sided></material></visual>', ""),
    "auto": ("1.10", f'<inertial auto="true">{INERTIAL}</inertial><collision name="c">{BOX}</collision>', ""),
}


@pytest.mark.parametrize("word", NEWER)
def test_what_came_later_is_not_in_an_older_file(word: str, tmp_path: Path):
    version, inner, beside = NEWER[word]
    report, path = written(tmp_path, sdf(link("a", inner=inner) + beside, "1.12"), version)
    bare = b"".join(line for line in path.read_bytes().splitlines() if b"kinegraph:carried" not in line)
    assert word.encode() not in bare
    assert seen(path)["links"].keys() == {"a"}
    assert rules(report) & {"sdf/version", "sdf/sensor", "sdf/material-version", "sdf/auto-numbers"}


def test_what_auto_overwrites_does_not_count_in_an_older_file_either(tmp_path: Path):
    said = "<mass>6</mass><pose>1 2 3 0 0 0</pose><inertia><ixx>5</ixx></inertia>"
    inner = f'<inertial auto="true">{said}</inertial><collision name="c">{BOX}</collision>'
    _, path = written(tmp_path, sdf(link("a", inner=inner), "1.12"), "1.10")
    (found,) = xml(path).iterfind(".//inertial")
    assert found.find("pose") is None
    assert [float(text) for text in found.xpath("inertia/ixx/text()")] == pytest.approx([6.5])


def test_a_source_that_holds_what_its_version_does_not_know_keeps_it(tmp_path: Path):
    """libsdformat reads every version with the elements of the newest."""
    inner = f'<visual name="v"><geometry>{SHAPES["capsule"][0]}</geometry></visual>{NEWER["fluid_added_mass"][1]}'
    source = put(tmp_path, sdf(link("a", inner=inner) + '<plugin filename="f"/>' + INSIDE + SUB, "1.7"))
    report, path = converted(tmp_path, source, "out.sdf")
    assert plain(xml(source)) == plain(xml(path))
    assert [each.get("name") for each in xml(path).iter("plugin")] == [None]
    assert {each.action for each in report.findings} <= {"noted"}


def test_angles_of_a_pose_that_is_kept_are_those_of_the_version(tmp_path: Path):
    posed = '<pose degrees="true">1 2 3 0 0 90</pose>', '<pose rotation_format="quat_xyzw">0 0 0 0 0 1 0</pose>'
    for pose, expected in zip(posed, ([1, 2, 3, 0, 0, np.pi / 2], [0, 0, 0, 0, 0, np.pi]), strict=True):
        emitter = f'<particle_emitter name="e" type="point">{pose}</particle_emitter>'
        _, path = written(tmp_path, sdf(link("a", inner=emitter)), "1.8")
        (found,) = xml(path).iterfind(".//particle_emitter/pose")
        assert not found.attrib
        assert np.allclose([float(word) for word in str(found.text).split()], expected, rtol=0, atol=1e-12)


def test_the_versions_of_words_are_those_of_the_specification():
    """Versions are kept for each element or attribute within its parent element."""
    brought = [each for words in vocabulary.words().values() for each in words.items() if each[1].since != (1, 0)]
    assert len(brought) > 60
    for name, word in brought:
        assert not word.gone, name
        assert (1, 7) <= word.since <= (1, 12)


# -------------------------------------------------------------------------------------------------------------- plugins


def names(root: etree._Element) -> list[Any]:
    return [each.get("name") for each in root.iter("plugin")]


def test_a_plugin_of_a_urdf_gets_the_name_of_its_file(tmp_path: Path):
    plugin = '<plugin filename="libfoo.so"><a>1</a></plugin>'
    text = f'<robot name="r"><link name="b"/><gazebo>{plugin}{plugin}</gazebo></robot>'
    source = put(tmp_path, text, "source.urdf")
    report, path = converted(tmp_path, source, "out.sdf")
    assert seen(path)["links"].keys() == {"b"}
    assert names(xml(path)) == ["libfoo.so", "libfoo.so_1"]
    assert of_rule(report, "sdf/plugin-name")
    _, again = converted(tmp_path, path, "back.urdf")
    assert plain(xml(again)) == plain(xml(source))
    assert {each.where for each in converted(tmp_path, again, "again.urdf")[0].findings} == set()
    _, newer = converted(tmp_path, source, "out.sdf", Options(sdf_version="1.10"))
    assert names(xml(newer)) == [None, None]


def test_a_sensor_that_came_later_has_the_version_that_knows_it(tmp_path: Path):
    text = '<robot name="r"><link name="b"/><gazebo reference="b"><sensor name="s" type="{}"/></gazebo></robot>'
    for kind, version in (("air_speed", "1.10"), ("imu", "1.9")):
        report, path = converted(tmp_path, put(tmp_path, text.format(kind), "source.urdf"), "out.sdf")
        explained(report)
        assert (xml(path).get("version"), [each.get("type") for each in xml(path).iter("sensor")]) == (version, [kind])


@pytest.mark.parametrize("version", VERSIONS)
def test_so_does_one_of_a_newer_sdf_wherever_it_stands(version: str, tmp_path: Path):
    plugin = '<plugin filename="f.so"/>'
    sensor = f'<sensor name="s" type="imu">{plugin}</sensor>'
    visual = f'<visual name="v">{BOX}{plugin}</visual>'
    text = sdf(link("a", inner=sensor + visual) + plugin, "1.10")
    report, path = written(tmp_path, text, version)
    assert names(xml(path)) == ["f.so"] * 3
    assert seen(path)["links"].keys() == {"a"}
    assert {"sdf/plugin-name", "sdf/version"} <= rules(report)


# ------------------------------------------------------------------------------------------------ what a file includes


def test_a_model_that_the_file_itself_includes_is_the_model_of_the_file(tmp_path: Path):
    """From SDFormat 1.8: an <include> in <sdf> adds its only model, with the name and the pose that it gives."""
    other = tmp_path / "other"
    other.mkdir()
    (other / "model.config").write_text('<model><name>o</name><sdf version="1.8">model.sdf</sdf></model>')
    put(other, sdf(link("a") + link("b") + joint("j", "a", "b"), version="1.8")).rename(other / "model.sdf")
    text = '<sdf version="1.8"><include><uri>other</uri><name>own</name><pose>1 2 3 0 0 0</pose></include></sdf>'
    for version in VERSIONS:
        report, path = written(tmp_path, text, version)
        (told,) = of_rule(report, "sdf/plain")
        assert (told.action, told.before, told.after) == ("derived", "1.8", version)
        found, source = seen(path), seen(tmp_path / "source.sdf")
        assert found["links"].keys() == {"a", "b"}
        assert (found["links"], found["joints"]["j"]["pose"]) == (source["links"], source["joints"]["j"]["pose"])
        assert xml(path).find("model").get("name") == "own"


@pytest.mark.parametrize("version", ["1.6", "1.9"])
@pytest.mark.parametrize("own", ["1.4", "1.5", "1.6", "1.7", "1.8", "1.9"])
def test_words_that_hold_in_their_own_version_alone_are_said_plainly(tmp_path: Path, own: str, version: str):
    turned = "<use_parent_model_frame>1</use_parent_model_frame>" if own in ("1.5", "1.6") else ""
    moved = joint("j", "a", "b", axis("0 1 0", turned + limit(-1, 1)))
    source = put(tmp_path, sdf(link("a") + link("b", "1 0 0 0 0 1") + moved, own))
    report, path = converted(tmp_path, source, "out.sdf", Options(sdf_version=version))
    _, again = converted(tmp_path, path, "back.sdf")
    assert plain(xml(again)) == plain(xml(source)) and xml(path).get("version") == version
    assert len(of_rule(report, "sdf/plain")) == (own < "1.7" and own != version)
    assert seen(path)["joints"] == seen(tmp_path / "source.sdf")["joints"]
    assert seen(path)["links"] == seen(tmp_path / "source.sdf")["links"]


# ----------------------------------------------------------------------------------------------------------- its words


@pytest.mark.parametrize("version", ["1.6", "1.8", "1.10", "1.11", "1.12"])
@pytest.mark.parametrize("name", ["feature_sdf_gearbox", "feature_sdf_joint_types"])
def test_joints_keep_the_type_that_their_author_says(tmp_path: Path, name: str, version: str):
    source = MADE / f"{name}.sdf"
    report, path = written(tmp_path, source.read_text(), version)
    types = [{each.get("name"): each.get("type") for each in xml(it).iter("joint")} for it in (source, path)]
    assert types[0] == types[1]
    assert not {"sdf/constraint", "sdf/gearbox"} & set(rules(report))
    words = [
        {each.tag: each.text for each in xml(it).iter() if each.tag.startswith("gearbox")} for it in (source, path)
    ]
    assert words[0] == words[1]
    if version in ("1.6", "1.8"):
        assert seen(path)["joints"].keys() == seen(source)["joints"].keys()


IN_STATIC = (
    '<model name="m"><pose>1 0 0 0 0 1.5</pose>{}<model name="in"><static>1</static><link name="k"/>'
    '<frame name="f"><pose>0 2 0 0 0 0</pose></frame></model><include><uri>other</uri></include></model>'
)


@pytest.mark.parametrize("whole", ["{}", '<world name="w">{}</world>'])
def test_a_frame_of_a_static_model_stays_in_it(tmp_path: Path, whole: str):
    """It is attached to the world, and needs neither to leave its model nor another name."""
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "model.config").write_text('<model><name>o</name><sdf version="1.7">model.sdf</sdf></model>')
    put(tmp_path / "other", sdf(link("x"), version="1.7")).rename(tmp_path / "other" / "model.sdf")
    text = f'<sdf version="1.7">{whole.format(IN_STATIC.format(link("a")))}</sdf>'
    report, path = written(tmp_path, text, "1.9")
    assert {"sdf/plain"} == set(rules(report)) - {"sdf/inertial-default"}
    found, source = seen(path)["frames"], seen(tmp_path / "source.sdf")["frames"]
    assert found.keys() == source.keys() and len(found) == 1
    for name, frame in found.items():
        assert (frame["body"], frame["pose"]) == (source[name]["body"], pytest.approx(source[name]["pose"]))


TWO_AXES = """<joint name="j" type="{}"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis>
<axis2><xyz>{}</xyz></axis2></joint>"""


@pytest.mark.parametrize("kind", ["universal", "revolute2"])
@pytest.mark.parametrize("second", ["0 1 1", "0 1 0"])
def test_two_axes_keep_their_word_where_notes_on_words_do_not_hold(tmp_path: Path, kind: str, second: str):
    """A joint of an SDFormat source is not written as a chain in another version."""
    _, path = written(tmp_path, sdf(link("a") + link("b") + TWO_AXES.format(kind, second), "1.6"), "1.9")
    (ours,), (theirs,) = (seen(it)["joints"].values() for it in (path, tmp_path / "source.sdf"))
    assert (ours["type"], ours["child"]) == (theirs["type"], theirs["child"]) == (kind, "b")
    assert [each["xyz"] for each in ours["axes"]] == [pytest.approx(each["xyz"]) for each in theirs["axes"]]


SHARED = link("base") + link("arm") + joint("arm", "base", "arm")


@pytest.mark.parametrize("whole", ["{}", '<world name="w">{}</world>'])
@pytest.mark.parametrize("version", ["1.7", "1.8", "1.9"])
def test_siblings_of_one_name_have_names_of_their_own_since_1_7(tmp_path: Path, version: str, whole: str):
    model = whole.format(f'<model name="m">{SHARED}</model>')
    report, path = written(tmp_path, f'<sdf version="1.6">{model}</sdf>', version)
    assert [each.rpartition("::")[2] for each in seen(path)["joints"]] == ["arm_joint"]
    (finding,) = of_rule(report, "sdf/shared-name")
    assert (finding.action, finding.before, finding.after) == (
        "approximated",
        finding.before,
        f"{finding.before}_joint",
    )
    report, _ = written(tmp_path, f'<sdf version="1.6">{model}</sdf>', "1.6")
    assert "sdf/shared-name" not in rules(report)


def test_a_root_that_libsdformat_no_longer_reads_is_told(tmp_path: Path):
    text = sdf(link("a")).replace("<sdf ", "<gazebo ").replace("</sdf>", "</gazebo>")
    assert not sdformat_reads(put(tmp_path, text))["links"]
    report, _ = converted(tmp_path, put(tmp_path, text), "out.urdf")
    (told,) = of_rule(report, "sdf/file-read")
    assert str(told.before).startswith("<gazebo ") and told.sources[0].line == 1


def still(source: Path, path: Path, kind: str = "links") -> None:
    """Check that libsdformat finds the items of the source at the same poses; the output may have more."""
    ours, theirs = seen(path)[kind], seen(source)[kind]
    for name, thing in theirs.items():
        assert np.allclose(matrix(ours[name]["pose"]), matrix(thing["pose"]), atol=1e-9), name


def test_what_the_first_version_says_in_attributes_is_said(tmp_path: Path):
    made = Path(__file__).parents[2] / "corpus" / "made" / "feature_sdf_1_0.sdf"
    report, path = converted(tmp_path, made, "new.sdf", Options(sdf_version="1.9"))
    assert faults(report) == ["sdf/file-read"]
    assert sdformat_reads(path)["errors"] == []
    assert [each["mass"] for each in sdformat_reads(path)["links"].values()] == [2.0, 1.0]


def test_what_a_placement_frame_places_stays_where_the_version_has_none(tmp_path: Path):
    inner = f'<model name="arm" placement_frame="k"><pose>1 2 3 0 0 1</pose>{link("k", "0 1 0 0.5 0 0")}</model>'
    text = f'<sdf version="1.9"><model name="m" placement_frame="a"><pose>0 0 5 0 1 0</pose>{link("a", "3 0 0 0 0 0")}'
    _, path = written(tmp_path, f"{text}{inner}</model></sdf>", "1.7")
    assert not [each for each in xml(path).iter("model") if "placement_frame" in each.attrib]
    still(tmp_path / "source.sdf", path)


def test_a_frame_that_moves_into_a_model_has_a_name_there(tmp_path: Path):
    """`::` in a name refers to a nested model in 1.7: libsdformat crashes if it does not exist."""
    frames = '<frame name="f" attached_to="q::k"><pose>0 0 1 0 0 0</pose></frame>'
    deep = f'<model name="p"><model name="q">{link("k")}<frame name="f"/></model>{frames}</model>'
    high = '<frame name="f" attached_to="p::q::k"/>'
    _, path = written(tmp_path, f'<sdf version="1.9"><model name="m">{deep}{high}</model></sdf>', "1.7")
    assert sorted(seen(path)["frames"]) == ["p::q::f", "p::q::f_1", "p::q::f_2"]


def test_a_frame_of_the_world_on_a_link_stays_in_the_world_since_1_8(tmp_path: Path):
    model = f'<model name="m">{link("k")}<frame name="f"><pose>1 0 0 0 0 0</pose></frame></model>'
    high = '<frame name="f" attached_to="m::k"><pose>0 0 1 0 0 0</pose></frame>'
    report, path = written(tmp_path, f'<sdf version="1.9"><world name="w">{model}{high}</world></sdf>', "1.8")
    assert set(rules(report)) == {"sdf/inertial-default"}
    assert seen(path)["frames"] == seen(tmp_path / "source.sdf")["frames"]


def test_an_axis_is_said_in_no_frame_that_is_gone(tmp_path: Path):
    """The author's spelling is kept if libsdformat finds no errors that were not there before."""
    turned = '<frame name="f" attached_to="sub::k"><pose>0 0 0 0.5 0.4 0</pose></frame>'
    held = joint("j", "a", "sub::k", axis("1 0 0", attrs=' expressed_in="f"'))
    _, path = written(tmp_path, sdf(link("a") + SUB + turned + held), "1.7")
    (ours,), (theirs,) = (seen(each)["joints"]["j"]["axes"] for each in (path, tmp_path / "source.sdf"))
    assert np.allclose(ours["xyz"], theirs["xyz"])


def test_what_is_wrong_in_the_source_itself_comes_back(tmp_path: Path):
    text = sdf(link("a") + link("b") + joint("j", "a", "b", axis("1 0 0", attrs=' expressed_in="nobody"')))
    report, path = converted(tmp_path, text, "out.sdf")
    assert "sdf/joint-axis-expressed-in-invalid" in rules(report)
    assert plain(xml(tmp_path / "source.sdf")) == plain(xml(path))


def test_of_a_block_that_is_kept_what_is_newer_is_left_out(tmp_path: Path):
    scene = "<scene><ambient>0.3 0.4 0.5</ambient><sky><time>3</time><cubemap_uri>c.dds</cubemap_uri></sky></scene>"
    source = put(tmp_path, f'<sdf version="1.7"><world name="w">{scene}</world></sdf>', "s.sdf")
    report, path = converted(tmp_path, source, "out.sdf", Options(sdf_version="1.6"))
    explained(report)
    assert "<time>3</time>" in path.read_text() and "<cubemap_uri>" not in path.read_text().partition("kinegraph:c")[0]
