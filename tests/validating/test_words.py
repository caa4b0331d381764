"""The elements, attributes and keywords of SDFormat and MJCF, compared with their own readers."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pydrake
import pytest
from lxml import etree

from converters import convert
from converters.sdf.document import vocabulary
from converters.validating import validate
from converters.validating.fixing import repair
from converters.validating.rules import ERROR, INFO
from converters.validating.run import severity
from tests.files import saved
from tests.oracles.in_drake import drake_reads
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.in_sdformat import descriptions, sdformat_reads
from tests.validating.models import BOX, MJCF, SDF, URDF

RAY = '<ray><horizontal samples="9" resolution="1" min_angle="-1" max_angle="1"/></ray>'
NEWER = {("model", "@namespace"), ("include", "namespace")}
"""Items that neither of the two libraries has yet."""


def told(path: Path, rule: str) -> list[str]:
    return [severity(breach) for breach in validate(path).breaches if breach.rule.startswith(rule)]


# ------------------------------------------------------------------------------------------------------------- SDFormat


def installed() -> Iterator[tuple[str, etree._Element]]:
    """Yield the descriptions of libsdformat (file, root): 1.0 to 1.9."""
    for path in sorted(descriptions().glob("*/*.sdf")):
        yield path.name, etree.parse(path).getroot()


def built_in() -> Iterator[tuple[str, etree._Element]]:
    """Yield those inside the library of Drake, up to 1.12; their file names are unknown."""
    library = Path(pydrake.__file__).parent / "lib" / "libdrake.so"
    for text in re.findall(rb'\s<element name="[a-z_0-9]+" required="[\t\n\r\x20-\x7e]+', library.read_bytes()):
        yield "", etree.fromstring(text.strip())


def test_the_words_of_sdf_are_those_of_libsdformat():
    described = [*installed(), *built_in()]
    roots = {root.get("name") for _, root in described}
    of_file = defaultdict(set)
    for name, root in described:
        of_file[name].add(root.get("name"))
    found = set()
    for _, root in described:
        for element in root.iter("element"):
            for child in element if element.get("name") else ():
                if child.tag == "include":
                    stem = child.get("filename").removesuffix(".sdf")
                    names = of_file[child.get("filename")] | {stem, stem.removesuffix("_shape")} & roots
                elif child.tag in ("element", "attribute") and child.get("name"):
                    names = {("@" if child.tag == "attribute" else "") + child.get("name")}
                else:
                    continue
                found |= {(element.get("name"), name) for name in names}
    assert len(found) > 900
    ours = {(tag, word) for tag, words in vocabulary.words().items() for word in words if not word.startswith("=")}
    assert ours == found | NEWER


@pytest.mark.parametrize(
    ("old", "new", "count"),
    [
        ('<link name="base">', '<link name="base" colour="1"><thing/><gz:thing xmlns:gz="u" a="1"/>', 2),
        ('<link name="base">', '<link name="base"><projector name="p"><textur>a</textur></projector>', 1),
        ("</model>", '<plugin name="p" filename="f"><any a="1"/></plugin><enable_wind>1</enable_wind></model>', 0),
        ("</sdf>", "</sdf><!-- behind -->", 0),
        ("</link>", '<sensor name="s" type="imu"><gz_frame_id>base</gz_frame_id></sensor></link>', 0),
    ],
)
def test_unknown_words_of_sdf_are_worth_knowing(old: str, new: str, count: int, tmp_path: Path):
    """libsdformat copies them with a warning."""
    path = saved(tmp_path / "m.sdf", SDF.replace(old, new, 1))
    assert sdformat_reads(path)["errors"] == []
    assert told(path, "XML-UNKNOWN") == [INFO] * count
    assert validate(path).exit_code == 0


def test_what_an_include_changes_is_no_fault(tmp_path: Path):
    (tmp_path / "part.sdf").write_text(SDF)
    path = tmp_path / "m.sdf"
    change = '<experimental:params><visual element_id="base::v" action="remove"/></experimental:params>'
    path.write_text(f'<sdf version="1.9"><model name="m"><include><uri>part.sdf</uri>{change}</include></model></sdf>')
    assert told(path, "SDF-INCLUDE") == [INFO]


# ----------------------------------------------------------------------------------------------------------------- MJCF

BODY = '<body name="lower" pos="0 0 1">'


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("<worldbody>", "<worldbody><thing/>"),
        ("<worldbody>", '<worldbody gravcomp="1">'),
        ("<actuator>", '<actuator foo="1">'),
        (BODY, f"<frame><thing/></frame>{BODY}"),
        (BODY, f'{BODY}<geom size="1" colour="1"/>'),
        ("<worldbody>", '<include file="b.xml"><geom/></include><worldbody>'),
        ("<worldbody>", '<include file="b.xml"><!-- c --></include><worldbody>'),
    ],
)
def test_unknown_words_of_mjcf_are_errors_as_in_mujoco(old: str, new: str, tmp_path: Path):
    (tmp_path / "b.xml").write_text("<mujoco><asset/></mujoco>")
    path = saved(tmp_path / "m.xml", MJCF.replace(old, new, 1))
    with pytest.raises(ValueError):
        mujoco_model(path)
    assert told(path, "MJCF") == [ERROR]


@pytest.mark.parametrize(
    "inside",
    ['<frame colour="1"/>', '<frame><geom size="1" colour="1"><thing/></geom></frame>', '<replicate a="1" count="1"/>'],
)
def test_mujoco_passes_over_unknown_words_inside_a_frame(inside: str, tmp_path: Path):
    path = saved(tmp_path / "m.xml", MJCF.replace(BODY, f"{inside}{BODY}", 1))
    assert mujoco_model(path).nbody == 3
    assert ERROR not in told(path, "MJCF")
    assert told(path, "MJCF-UNKNOWN")


@pytest.mark.parametrize(
    ("sensor", "said"),
    [
        ('<touch site="none"/>', "'none'"),
        ('<touch site="b"/>', "<touch> names the site 'b'"),
        ('<framepos objtype="geom" objname="b"/>', "<framepos> names the geom 'b'"),
        ('<framepos objtype="body" objname="b" reftype="body" refname="none"/>', "<framepos> names the body 'none'"),
        ('<distance geom1="none" geom2="g"/>', "<distance> names the geom 'none'"),
        ('<contact subtree1="none"/>', "<contact> names the body 'none'"),
        ('<contact subtree1="world"/>', ""),
        ('<framepos objtype="xbody" objname="b" reftype="xbody" refname="b"/>', ""),
        ('<rangefinder site="s"/>', ""),
    ],
)
def test_what_a_sensor_of_mjcf_names_is_there(tmp_path: Path, sensor: str, said: str):
    body = '<body name="b"><geom name="g" size="1"/><site name="s"/></body>'
    source = saved(tmp_path / "m.xml", f"<mujoco><worldbody>{body}</worldbody><sensor>{sensor}</sensor></mujoco>")
    breaches = [breach for breach in validate(source).breaches if breach.rule == "REF-MISSING"]
    assert [severity(breach) for breach in breaches] == [ERROR] * bool(said)
    assert all(said in breach.message for breach in breaches)
    if said:
        with pytest.raises(ValueError, match=r"unrecognized name|not found|unknown"):
            mujoco_model(source)
    else:
        mujoco_model(source)


DIALECTS = (
    # (where it is put: in front of, words of a dialect)
    ("</robot>", '<loop_joint name="l" type="spherical"><link1 link="base"/><link2 link="lower"/></loop_joint>'),
    ("</collision>", '<drake:proximity_properties><drake:mu_static value="1"/></drake:proximity_properties>'),
    ("</collision>", '<contact_coefficients mu="1" kp="1" kd="1"/>'),
    ("</link>", '<contact><inertia_scaling value="3"/></contact><audio_source><uri filename="a.wav"/></audio_source>'),
    ("</joint>", '<controller_gains Kp="1"/><traits spring_k="2"/>'),
    (
        "</robot>",
        '<transmission name="pr2" type="pr2_mechanism_model/SimpleTransmission"><actuator name="m"/><joint name="{}"/>'
        '<mechanicalReduction>3</mechanicalReduction><compensator k_belt="1"/></transmission>',
    ),
    (
        "</robot>",
        '<transmission name="t"><type>transmission_interface/SimpleTransmission</type>'
        '<joint name="{}"><hardwareInterface>hardware_interface/EffortJointInterface</hardwareInterface></joint>'
        '<actuator name="m"><mechanicalReduction>3</mechanicalReduction><motorTorqueConstant>1</motorTorqueConstant>'
        '<drake:gear_ratio value="3"/><drake:rotor_inertia value="1"/></actuator></transmission>',
    ),
    (
        "</robot>",
        '<ros2_control name="c" type="system" rw_rate="10" is_async="true"><hardware><plugin>p</plugin>'
        '<param name="x">1</param></hardware><joint name="{}"><command_interface name="position" data_type="double" '
        'size="2"/></joint><sensor name="s"><state_interface name="x"/><param name="frame_id">a</param></sensor>'
        '<gpio name="g"><command_interface name="x" data_type="bool" size="3"/></gpio>'
        '<transmission name="u"><plugin>p</plugin></transmission></ros2_control>',
    ),
)


@pytest.mark.parametrize(("before", "words"), DIALECTS)
def test_words_of_a_dialect_are_known_where_they_belong_and_only_there(tmp_path: Path, before: str, words: str):
    joint = re.findall(r'<joint name="([^"]+)" type="revolute"', URDF)[0]
    path = saved(tmp_path / "in.urdf", URDF.replace(before, words.replace("{}", joint) + before, 1))
    assert told(path, "XML-UNKNOWN") == []
    elsewhere = tmp_path / "elsewhere.urdf"
    elsewhere.write_text(URDF.replace("</geometry>", "<rw_rate/><compensator/><traits/></geometry>", 1))
    assert sum(breach.count for breach in validate(elsewhere).breaches if breach.rule == "XML-UNKNOWN") == 3


def test_drake_takes_the_words_that_are_its_own(tmp_path: Path):
    """They are not faults: Drake reads them, with the rotor and the friction that they give."""
    before, words = DIALECTS[1]
    gear_place, gear = DIALECTS[6]
    joint = re.findall(r'<joint name="([^"]+)" type="revolute"', URDF)[0]
    text = URDF.replace(before, words + before, 1).replace(gear_place, gear.replace("{}", joint) + gear_place, 1)
    (tmp_path / "in.urdf").write_text(text)
    assert told(tmp_path / "in.urdf", "XML-UNKNOWN") == []
    assert joint in drake_reads(tmp_path / "in.urdf")["joints"]


# ----------------------------------------------------------------------------------------------------------------- URDF


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ('<mimic joint="turn"/>', '<mimic joint="" multiplier="0" offset="0"/>', "MIMIC-MISSING"),  # SolidWorks
        ("0.5 0.5 0.5 1", "[0.1 0.2 0.3 1. ]", "MAT-RGBA"),  # yourdfpy
        (BOX, '<geometry><mesh filename=""/></geometry>', "GEOM-EMPTY"),
    ],
)
def test_what_is_told_by_its_reader_is_told_once(old: str, new: str, rule: str, tmp_path: Path):
    """And is not reported as misplaced: its place is right, and its value is wrong."""
    path = saved(tmp_path / "m.urdf", URDF.replace(old, new))
    assert told(path, rule) and told(path, "XML-") == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("<robot", '<robot xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="a b.xsd"'),
        (f"<visual>{BOX}", f'<visual>{BOX}<drake:accepting_renderer name="r"/>'),
        ("<mimic", '<dynamics damping="1" coulomb_window="0.1"/><mimic'),
        ("<visual><geometry>", '<verbose value="Yes"/><visual><geometry name="g">'),  # PR2
        ("</robot>", '<map name="sensor" flag="gazebo"><verbatim key="x"/></map></robot>'),
        ("</robot>", f'<sensor name="s" type="ray"><parent link="tip"/>{RAY}</sensor></robot>'),  # of the ROS wiki
    ],
)
def test_words_of_dialects_are_known(old: str, new: str, tmp_path: Path):
    text = URDF.replace('<robot name="arm">', '<robot name="arm" xmlns:drake="http://drake.mit.edu">')
    path = saved(tmp_path / "m.urdf", text.replace(old, new))
    assert told(path, "XML-") == []


def test_an_ellipsoid_has_its_article(tmp_path: Path):
    path = saved(tmp_path / "m.urdf", URDF.replace(BOX, '<geometry><ellipsoid a="1" b="2" c="3"/></geometry>', 1))
    found = [each.message for each in validate(path).breaches if each.rule == "GEOM-DIALECT"]
    assert found == ["an ellipsoid is known to Drake and few others"]


# ----------------------------------------------------------------------------------------------------------------- MJCF


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("<worldbody>", '<option mpr_iterations="30"/><worldbody>', "MJCF-OLD"),
        ("<worldbody>", '<option collision="dynamic"/><worldbody>', "MJCF-GONE"),
        ("<worldbody>", '<worldbody><composite type="cable" count="3 1 1"/>', "MJCF-GONE"),
        ("<worldbody>", '<compiler settotalmass="14"/><worldbody>', "MJCF-GONE"),
    ],
)
def test_only_what_a_conversion_mends_is_told_to_be_mended_by_one(old: str, new: str, rule: str, tmp_path: Path):
    path = saved(tmp_path / "m.xml", MJCF.replace(old, new))
    assert [each.rule for each in validate(path).breaches if each.rule.startswith("MJCF-")] == [rule]
    convert(path, tmp_path / "out.xml")
    left = [each.rule for each in validate(tmp_path / "out.xml").breaches if each.rule.startswith("MJCF-")]
    assert left == ([] if rule == "MJCF-OLD" else [rule])
    repair(validate(path), tmp_path / "mended.xml")
    assert told(tmp_path / "mended.xml", rule) == told(tmp_path / "out.xml", rule), "written, with what stays"
