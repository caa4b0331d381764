"""All faults of a document in one run: none hides another, and none is reported only as a consequence of another."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from converters import convert
from converters.context import InputError, ReaderContext
from converters.convert import read
from converters.faults import MOST_FAULTS
from converters.gltf.data.container import unpack
from converters.source.parsing import parse
from converters.validating import Verdict, validate
from converters.validating.fixing import repair
from converters.validating.rules import ERROR, INFO, WARNING
from converters.validating.run import severity
from converters.validating.show import lines, summary, text
from tests.files import saved
from tests.oracles.in_khronos import khronos_reads
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.in_sdformat import sdformat_reads
from tests.oracles.in_urdfdom import check_urdf
from tests.validating import more_faults

Fault = tuple[int, str]
"""The line and the rule."""

URDF = """<robot name="r">
  <link name="base"/>
  <link name="arm">
    <inertial>
      <origin xyz="0 0{ 0| NUM-COUNT}"/>
      <mass value="{1|heavy NUM-PARSE}"/>
      <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="{1|1,5 NUM-PARSE}"/>
    </inertial>
    <visual><geometry><box size="1 1 {1|nan NUM-NONFINITE}"/></geometry></visual>
    <collision><geometry>
      <cylinder radius="1"{ length="1"| XML-REQUIRED}/></geometry></collision>
  </link>
  <link name="hand"/>
  {|<link name="arm"/> NAME-DUP-LINK}
  <link name="tip"/>
  <joint name="a" type="{revolute|hinge JOINT-TYPE}"><parent link="base"/><child link="arm"/>
    <axis xyz="0 0 {1|0 JOINT-AXIS-ZERO}"/>
    <limit lower="-1" upper="{1|high NUM-PARSE}" effort="1" velocity="1"/></joint>
  <joint name="b" type="revolute"><parent link="arm"/><child link="tip"/><mimic joint="{a|nobody MIMIC-MISSING}"/>
    <limit lower="-1" upper="1" effort="{1|x NUM-PARSE}" velocity="1"/></joint>
  <joint name="{c|b NAME-DUP-JOINT}" type="fixed"><parent link="arm"/><child link="hand"/></joint>
</robot>
"""
SDF = """<sdf version="1.9">
  <model name="m">
    <static>{false|perhaps SDF-ELEMENT-INVALID}</static>
    <link name="base"><pose>0 0 0 0 0 {0|zero SDF-ELEMENT-INVALID}</pose>
      <inertial><mass>{1|nan SDF-ELEMENT-INVALID}</mass></inertial>
      <visual name="v"><geometry>
        <box><size>1 1{ 1| SDF-ELEMENT-INVALID}</size></box></geometry></visual></link>
    <link name="{arm|base SDF-DUPLICATE-NAME}"/>
    <link{ name="hand"| SDF-ATTRIBUTE-MISSING}/>
    <link name="tip"><pose relative_to="{base|nothing SDF-POSE-RELATIVE-TO-INVALID}">0 0 0 0 0 0</pose></link>
    <link name="{end|__end__ SDF-RESERVED-NAME}"/>
    <frame name="f" attached_to="{base|g SDF-FRAME-ATTACHED-TO-CYCLE}"/>
    <frame name="g" attached_to="f"/>
    <joint name="a" type="fixed"><parent>base</parent><child>{far|nobody SDF-JOINT-CHILD-LINK-INVALID}</child></joint>
    <joint name="b" type="revolute"><parent>base</parent><child>last</child><axis><xyz>0 0 1</xyz>
      <limit><lower>{-1|low SDF-ELEMENT-INVALID}</lower>
      <upper>{1|1 2 SDF-ELEMENT-INVALID}</upper></limit></axis></joint>
    <link name="far"/>
    <link name="last"/>
  </model>
</sdf>
"""
MJCF = """<mujoco>
  <compiler angle="radian" eulerseq="{xyz|xy MJCF-KEYWORD}"/>
  <default>
    <default class="leg"><joint damping="{1|much NUM-PARSE}"/></default>
    <default class="{arm|leg MJCF-CLASS}"><geom rgba="1 0 0 1"/></default>
  </default>
  <asset>
    <texture name="t" type="2d" builtin="flat" width="2" height="2"/>
    <material name="m" texture="{t|wood REF-MISSING}"/>
    <material name="{n|m NAME-DUP}"/>
  </asset>
  <worldbody>
    <body name="a" pos="0 0 {1|nan NUM-NONFINITE}">
      <joint name="j" class="leg"
             range="-1 1{| 2 NUM-COUNT}"/>
      <geom name="g" size="{.1|small NUM-PARSE}"/>
      <body name="{b|a NAME-DUP}">
        <inertial pos="0 0 0" {mass="1"| XML-REQUIRED} diaginertia="1 1 1"/>
        <joint name="k" class="leg" axis="0 0 {1|0 ROT-ZERO}"/>
        <geom size=".1" quat="1 0 0 0" {|euler="0 0 0" XML-ONE-OF}/>
        <body name="c" childclass="{leg|foot MJCF-CLASS}"><geom size=".1"/></body>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor name="x" joint="{j|nobody REF-MISSING}" gear="1"/>
    <motor name="y" joint="k" ctrlrange="-1 {1|one NUM-PARSE}"/>
  </actuator>
  <contact><exclude body1="a" body2="{c|d REF-MISSING}"/></contact>
</mujoco>
"""
BASE64 = "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"
GLTF = f"""<"asset": <"version": "2.0">,
"scene": 0, "scenes": [<"nodes": [0]>],
"nodes": [
 <"name": "a", "children": [1, 2, 3{{|, 0 GLTF-INVALID}}]>,
 <"name": "b", "mesh": {{0|7 GLTF-INVALID}}>,
 <"name": "c", "mesh": 0, "rotation": [0, 0, 0, {{1|0 GLTF-INVALID}}],
  "translation": [0, 0{{, 0| GLTF-INVALID}}]>,
 <"name": "d", "camera": 0, "children": [4]>,
 <"name": "e", "mesh": 1, "scale": [1, 1, {{1|"one" GLTF-INVALID}}]>],
"cameras": [<"type": "perspective", "perspective": <"znear": 1, "yfov": {{1|-1 GLTF-INVALID}}>>],
"materials": [<"alphaMode": "{{BLEND|GLASS GLTF-INVALID}}",
  "pbrMetallicRoughness": <"metallicFactor": {{1|5 GLTF-INVALID}}>>],
"meshes": [
 <"primitives": [<"attributes": <"POSITION": 0>, "material": 0>]>,
 <"primitives": [<"attributes": <"POSITION": {{1|9 GLTF-INVALID}}>>]>],
"accessors": [
 <"bufferView": 0, "componentType": 5126, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0],
  "count": {{3|9 GLTF-INVALID}}>,
 <"bufferView": 1, "componentType": 5126, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0], "count": 3>],
"bufferViews": [<"buffer": 0, "byteLength": 36>, <"buffer": 1, "byteLength": 36>],
"buffers": [<"byteLength": 36, "uri": "data:application/octet-stream;base64,{BASE64}">,
 <"byteLength": 36, "uri": "data:application/octet-stream;base64,{BASE64}{{|! GLTF-INVALID}}">]>
""".replace("<", "{ ").replace(">", " }")
MODELS = {"m.urdf": URDF, "m.sdf": SDF, "m.xml": MJCF, "m.gltf": GLTF}
MODELS |= {"n.urdf": more_faults.URDF, "n.sdf": more_faults.SDF, "n.xml": more_faults.MJCF, "n.gltf": more_faults.GLTF}
_CHOICE = re.compile(r"\{([^{}|\n]*)\|([^{}\n]*) ([A-Z0-9-]+)\}")


def made(name: str, wrong: Callable[[int], bool], folder: Path) -> tuple[Path, list[Fault]]:
    """Write a model with the faults selected by number, and return them."""
    numbers = iter(range(1000))
    faults: list[Fault] = []
    model = MODELS[name]

    def choose(match: re.Match[str]) -> str:
        if not wrong(next(numbers)):
            return match[1]
        faults.append((model.count("\n", 0, match.start()) + 1, match[3]))
        return match[2]

    path = saved(folder / name, _CHOICE.sub(choose, model))
    return path, faults


def choices(name: str) -> int:
    return len(_CHOICE.findall(MODELS[name]))


def told(verdict: Verdict) -> list[Fault]:
    """Return the errors, with the line that is displayed."""
    shown = (line for line in lines(verdict) if ": error: " in line)
    found = (re.match(r".*?\.\w+:(\d+)(?::\d+)?: error: ([A-Z0-9-]+): ", line) for line in shown)
    return [(int(match[1]), match[2]) for match in found if match is not None]


def accepted(path: Path) -> bool:
    """Return whether an independent engine accepts the file."""
    match path.suffix:
        case ".urdf":
            return check_urdf(path) is None
        case ".sdf":
            return not sdformat_reads(path)["errors"]
        case ".gltf":
            return not khronos_reads([path])[0]["errors"]
    try:
        mujoco_model(path)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("name", MODELS)
def test_all_faults_are_told_at_once(name: str, tmp_path: Path):
    """Sorted by line, each once, all with the line and the rule of what is wrong there."""
    path, faults = made(name, lambda number: True, tmp_path)
    verdict = validate(path)
    assert sorted(told(verdict)) == sorted(faults)
    places = [each.source.line for each in verdict.breaches if severity(each) == ERROR and each.source is not None]
    assert places == sorted(places)
    assert len(faults) >= 3
    assert (verdict.complete, verdict.more, verdict.exit_code) == (True, 0, 1)
    with pytest.raises(InputError) as caught:
        convert(path, tmp_path / f"out{'.xml' if not name.endswith('.xml') else '.urdf'}")
    messages = {each.message for each in verdict.breaches}
    assert caught.value.message in messages, "convert refuses with one of them"


@pytest.mark.parametrize("name", MODELS)
def test_what_is_mended_is_taken(name: str, tmp_path: Path):
    path, faults = made(name, lambda number: False, tmp_path)
    assert (faults, told(validate(path))) == ([], [])
    assert accepted(path)
    convert(path, tmp_path / f"out{'.xml' if not name.endswith('.xml') else '.urdf'}")


def single() -> Iterator[tuple[str, int]]:
    return ((name, number) for name in MODELS for number in range(choices(name)))


@pytest.mark.parametrize(("name", "number"), [*single()])
def test_a_fault_alone_is_told_alone(name: str, number: int, tmp_path: Path):
    path, faults = made(name, lambda each: each == number, tmp_path)
    verdict = validate(path)
    assert told(verdict) == faults
    assert verdict.complete


FAR = "to the validator nothing is too far away"
TAKEN = {
    "m.urdf": {17: "urdfdom never looks", 19: "urdfdom never looks"},
    "m.sdf": {17: "libsdformat reads over what stands behind a number"},
    "m.xml": {13: "MuJoCo warns of nan and takes it"},
    "m.gltf": {11: "to the validator an angle of view below zero is a warning"},
    "n.urdf": {11: "urdfdom has no sensors"},
    "n.sdf": {4: "libsdformat has masses without end", 9: "its masks are texts", 15: "it looks at no angle of view"},
    "n.gltf": {6: FAR, 8: FAR} | dict.fromkeys((10, 11, 22, 23), "the validator does not know the extensions"),
}
"""Line of a fault that the engine of the format accepts -> why."""


@pytest.mark.parametrize("name", MODELS)
def test_engines_refuse_what_has_faults(name: str, tmp_path: Path):
    path, _ = made(name, lambda number: True, tmp_path)
    assert not accepted(path)
    taken = []
    for number in range(choices(name)):
        path, (fault,) = made(name, lambda each, number=number: each == number, tmp_path)
        taken += [fault[0]] if accepted(path) else []
    assert [*dict.fromkeys(taken)] == [*TAKEN.get(name, {})]


def test_what_can_be_repaired_is_in_one_run(tmp_path: Path):
    names = ("n", "b")
    mjcf = saved(tmp_path / "m.xml", _CHOICE.sub(lambda match: match[2 if match[1] in names else 1], MJCF))
    sdf = saved(tmp_path / "m.sdf", _CHOICE.sub(lambda match: match[2 if match[1] == "arm" else 1], SDF))
    for path, count in ((mjcf, 2), (sdf, 1)):
        verdict = validate(path)
        assert len(told(verdict)) == count
        fixed = repair(verdict, tmp_path / f"out{path.suffix}", everything=True)
        assert told(fixed.after) == []
        assert accepted(tmp_path / f"out{path.suffix}")
    written = (tmp_path / "out.xml").read_text()
    assert 'class="leg"' in written, "as its author spelled it"


def test_an_included_file_tells_its_own_lines(tmp_path: Path):
    (tmp_path / "part.xml").write_text(
        "<mujoco>\n<worldbody>\n<body><geom size='x'/>\n<geom rgba='1 2'/></body></worldbody></mujoco>"
    )
    (tmp_path / "bad.xml").write_text("<mujoco><worldbody>")
    path = tmp_path / "m.xml"
    path.write_text(
        "<mujoco>\n<include file='part.xml'/>\n<include file='bad.xml'/>\n"
        "<worldbody><body pos='1 2'><geom name='g' size='.1'/></body></worldbody>\n"
        "<actuator><motor joint='j'/></actuator></mujoco>"
    )
    verdict = validate(path)
    places = {(Path(each.source.file).name, each.source.line) for each in verdict.breaches if each.source is not None}
    assert {("part.xml", 3), ("part.xml", 4), ("bad.xml", 1), ("m.xml", 4)} <= places
    assert verdict.exit_code == 1, "the model itself can be read"


def test_names_that_a_missing_file_may_have_are_marked(tmp_path: Path):
    path = tmp_path / "m.xml"
    path.write_text(
        "<mujoco>\n<include file='robot.xml'/>\n<worldbody><geom class='c' size='1'/></worldbody>\n"
        "<actuator>\n<motor joint='j'/>\n<motor joint='k'/></actuator></mujoco>"
    )
    verdict = validate(path)
    names = [(3, "MJCF-CLASS"), (5, "REF-MISSING"), (6, "REF-MISSING")]
    mark = "(unless it is in a file that was not read)"
    assert told(verdict) == [(2, "MJCF-INCLUDE"), *names]
    assert [mark in line for line in lines(verdict)] == [False, True, True, True]
    path.write_text(path.read_text().replace("<include file='robot.xml'/>", ""))
    assert told(validate(path)) == names
    assert not [line for line in lines(validate(path)) if mark in line]


def test_what_follows_is_set_apart(tmp_path: Path):
    """A body without a size has no mass; only its size is reported, and nothing is withheld."""
    path = tmp_path / "m.xml"
    path.write_text(
        "<mujoco>\n<worldbody>\n<body><freejoint/>\n<geom type='box' size='1 1 one'/></body></worldbody></mujoco>"
    )
    verdict = validate(path)
    assert told(verdict) == [(4, "NUM-PARSE")]
    assert summary(verdict)[1] == "  … and 2 more errors that may follow from these (--format json tells all)"
    document = json.loads(text("json", verdict))
    assert [each["rule"] for each in document["following"]] == ["MJCF-MASSLESS", "GEOM-DIM"]


def test_a_misspelt_element_is_named(tmp_path: Path):
    """Its siblings are valid, although they were not read."""
    joint = '<joint name="j" type="fixed"><parrent link="a"/><child link="b"/><origin xyz="0 0 1"/></joint>'
    path = saved(tmp_path / "m.urdf", f'<robot name="r"><link name="a"/><link name="b"/>{joint}</robot>')
    verdict = validate(path)
    (found,) = (breach for breach in verdict.breaches if severity(breach) != INFO)
    assert found.message == "joint 'j' has no <parent>, but <parrent>"


def test_a_word_close_to_a_known_one_is_a_warning(tmp_path: Path):
    """The joint rotates about another axis than its author intended."""
    path = tmp_path / "m.urdf"
    axis = '<joint name="j" type="continuous"><parent link="a"/><child link="b"/><{} xyz="0 0 1"/></joint>'
    for word, grade, hint in (("axes", WARNING, True), ("strange", INFO, False)):
        path.write_text(f'<robot name="r"><link name="a"/><link name="b"/>{axis.format(word)}</robot>')
        (found,) = (breach for breach in validate(path).breaches if breach.rule == "XML-UNKNOWN")
        assert severity(found) == grade and ("(<axis> is)" in found.message) is hint


@pytest.mark.parametrize(
    ("inside", "told"),
    [
        (
            '<collision><geometry><cylinder radius="1" lenght="2"/></geometry></collision>',
            "<cylinder> has no attribute 'length', but 'lenght'",
        ),
        ('<visual><geometry><Box size="1 1 1"/></geometry></visual>', "<Box> is of no dialect known here (<box> is)"),
        (
            '<visual><geometry><mesh filename="m.stl" scales="1 1 1"/></geometry></visual>',
            "@scales is of no dialect known here (@scale is)",
        ),
        (
            '<visuel><geometry><box size="1 1 1"/></geometry></visuel>',
            "<visuel> is neither visual nor collision: it is a shape for programs of its own (<visual> is drawn)",
        ),
        (
            '<Collision><geometry><box size="1 1 1"/></geometry></Collision>',
            "<Collision> is neither visual nor collision: it is a shape for programs of its own (<collision> collides)",
        ),
        ('</link><jiont name="j"/><link name="b">', "<jiont> is of no dialect known here (<joint> is)"),
    ],
)
def test_what_a_misspelt_word_may_have_meant_is_told(tmp_path: Path, inside: str, told: str):
    path = saved(tmp_path / "m.urdf", f'<robot name="r"><link name="a">{inside}</link></robot>')
    assert told in [breach.message for breach in validate(path).breaches if severity(breach) != INFO]


@pytest.mark.parametrize(
    ("axis", "transmission", "told", "grade"),
    [
        ('rpy="0 0 0"', "", "@rpy is of no dialect known here", INFO),
        ("", 'type="SimpleTransmission"', "@type is of no dialect known here (<type> is)", WARNING),
    ],
)
def test_an_attribute_of_another_place_is_not_told_to_be_meant_for_itself(
    tmp_path: Path, axis: str, transmission: str, told: str, grade: str
):
    joint = f'<joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1" {axis}/></joint>'
    wheel = f'<transmission name="t" {transmission}><type>x/SimpleTransmission</type><joint name="j"/></transmission>'
    path = saved(tmp_path / "m.urdf", f'<robot name="r"><link name="a"/><link name="b"/>{joint}{wheel}</robot>')
    found = [(breach.message, severity(breach)) for breach in validate(path).breaches]
    assert (told, grade) in found


def test_a_shape_of_another_kind_is_no_misspelling(tmp_path: Path):
    path = tmp_path / "m.urdf"
    shape = '<geometry><box size="1 1 1"/></geometry>'
    path.write_text(f'<robot name="r"><link name="a"><collision_checking>{shape}</collision_checking></link></robot>')
    assert [breach for breach in validate(path).breaches if severity(breach) != INFO] == []


def test_a_wrong_default_is_one_fault(tmp_path: Path):
    path = tmp_path / "m.xml"
    geoms = "\n<geom size='.1'/>" * 50
    path.write_text(f"<mujoco><default>\n<geom friction='x'/></default><worldbody>{geoms}</worldbody></mujoco>")
    assert told(validate(path)) == [(2, "NUM-PARSE")]


@pytest.mark.parametrize(
    ("name", "head", "line", "tail"),
    [
        ("m.urdf", "<robot name='r'>", "<link name='a'><inertial><mass value='{}x'/></inertial></link>", "</robot>"),
        ("m.sdf", "<sdf version='1.9'><model name='m'>", "<link name='a'><pose>{}x</pose></link>", "</model></sdf>"),
        ("m.xml", "<mujoco><worldbody>", "<geom name='g' size='{}x'/>", "</worldbody></mujoco>"),
    ],
)
def test_a_file_of_faults_is_counted(name: str, head: str, line: str, tail: str, tmp_path: Path):
    """Many duplicate names and invalid numbers: the first are listed, and the rest is counted."""
    count = 3 * MOST_FAULTS
    path = saved(tmp_path / name, "\n".join([head, *(line.format(number) for number in range(count)), tail]))
    verdict = validate(path)
    assert len([each for each in verdict.breaches if severity(each) == ERROR]) == MOST_FAULTS
    assert verdict.more == 2 * count - 1 - MOST_FAULTS
    assert f"{verdict.more} more errors" in summary(verdict)[-1]
    assert json.loads(text("json", verdict))["more"] == verdict.more
    assert len(lines(verdict)) < 250


def test_json_tells_numbers_and_members_by_line(tmp_path: Path):
    """RFC 8259: NaN is not a number; a duplicate member has no meaning that all readers agree on."""
    path = tmp_path / "m.gltf"
    path.write_text(
        '{"asset": {"version": "2.0"},\n"nodes": [{"name": "a", "name": "b",\n"scale": [1, NaN, Infinity]}],\n'
        '"cameras": [], "cameras": [{"name": "NaN"}]}'
    )
    found = [(each.source.line, each.message) for each in validate(path).breaches if each.source is not None]
    assert found == [
        (2, "an object has the member 'name' twice"),
        (3, "Infinity is no number of JSON"),
        (3, "NaN is no number of JSON"),
        (4, "an object has the member 'cameras' twice"),
    ]
    with pytest.raises(InputError, match=r"m\.gltf:2: .*twice"):
        unpack(path.read_bytes(), ReaderContext(file=str(path), folder=tmp_path))


def test_a_conversion_stops_at_the_first(tmp_path: Path):
    context = ReaderContext(file="m.urdf", folder=tmp_path)
    root = parse(b"<a>\n<b c='x'/><b c='y'/></a>", context, "urdf").root
    with pytest.raises(InputError, match=r"m\.urdf:2: <b c>: 'x' is not a number"):
        [node.number("c") for node in root.children("b")]
    assert context.faults.found == []


def test_a_state_of_an_srdf_that_names_one_of_two_joints_of_a_link_is_read(tmp_path: Path):
    ends = '<parent link="%s"/><child link="c"/><axis xyz="0 0 1"/>'
    joints = "".join(f'<joint name="{n}" type="continuous">{ends % p}</joint>' for n, p in (("i", "a"), ("j", "b")))
    (tmp_path / "r.urdf").write_text(
        f'<robot name="r"><link name="a"/><link name="b"/><link name="c"/>{joints}</robot>'
    )
    values = '<joint name="j" value="1"/><joint name="i" value="1"/>'
    state = f'<group_state name="s" group="g">{values}</group_state>'
    (tmp_path / "r.srdf").write_text(f'<robot name="r"><group name="g"><joint name="i"/></group>{state}</robot>')
    assert [each.rule for each in validate(tmp_path / "r.urdf").breaches if severity(each) is ERROR] == [
        "TREE-2PARENTS"
    ]


def test_numbers_that_commas_separate_are_told_so(tmp_path: Path):
    path = saved(
        tmp_path / "m.urdf", '<robot name="r"><link name="a">\n<visual><origin xyz="1, 2, 3"/></visual></link></robot>'
    )
    with pytest.raises(InputError, match=r"m\.urdf:2: .*'1,' is not a number: blanks separate numbers, no commas"):
        read(path)
