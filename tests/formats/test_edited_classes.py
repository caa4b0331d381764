"""MJCF default classes stay where an edit in another format adds, changes or removes something."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest
from lxml import etree

from converters.convert import convert
from converters.mjcf.writing.silence import SILENCE
from tests.files import saved
from tests.formats.gltf_arm import by_name, edited
from tests.oracles.in_mujoco import mujoco_model
from tests.reports import explained, of_rule

ARM = """<mujoco model="m"><default><material specular="0.3" shininess="0.2" rgba="0.2 0.4 0.6 1"/>
<geom material="paint"/><default class="arm"><geom friction="0.7" material="steel" group="2"/>
<joint damping="2" range="-60 60"/><material specular="0.5" metallic="0.4"/>
<default class="hand"><geom type="sphere" size="0.1" material="rubber"/></default></default></default>
<asset><material name="paint"/><material name="steel" class="arm" rgba="0.3 0.3 0.3 1"/>
<material name="rubber" class="arm"/></asset>
<worldbody><geom name="floor" type="plane" size="1 1 1"/>
<body name="a" childclass="arm"><joint name="j" axis="0 1 0"/><geom name="g" class="hand"/>
<body name="b" pos="0 0 1"><joint name="k"/><geom name="h" type="box" size="0.1 0.2 0.3"/></body></body>
</worldbody></mujoco>"""
PART = """<link name="new"><visual name="seen"><geometry><box size="1 1 1"/></geometry></visual>
<inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="turn" type="revolute"><parent link="b"/><child link="new"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="1.25" effort="3" velocity="1"/></joint></robot>"""


@pytest.fixture
def arm(tmp_path: Path) -> Path:
    return saved(tmp_path / "arm.xml", ARM)


def classes(path: Path) -> list[str]:
    """Return the default classes of a document, and the class of each element."""
    root = etree.parse(path).getroot()
    return [
        each.get("class") or each.get("childclass") for each in root.iter() if {"class", "childclass"} & {*each.attrib}
    ]


def test_a_link_that_was_added_is_what_it_is_among_classes(arm: Path) -> None:
    """Unset values of added elements are MuJoCo's, not those of classes around; angles are in the author's unit."""
    urdf, back = arm.with_name("arm.urdf"), arm.with_name("back.xml")
    convert(arm, urdf)
    urdf.write_text(urdf.read_text().replace("</robot>", PART))
    explained(convert(urdf, back))
    assert classes(back) == classes(arm)
    model = mujoco_model(back)
    then = mujoco_model(arm)
    assert model.joint("turn").range == pytest.approx([-1, 1.25], abs=0)
    assert model.joint("turn").damping == 0 and model.joint("k").damping == 2
    assert model.geom("seen").matid == -1 and model.geom("seen").friction[0] == 1
    for name in ("g", "h", "floor"):
        assert (model.geom(name).friction == then.geom(name).friction).all()
        assert model.mat(model.geom(name).matid[0]).name == then.mat(then.geom(name).matid[0]).name
    assert (model.joint("k").range == then.joint("k").range).all()


def test_a_material_that_was_added_is_what_it_is_among_classes(arm: Path) -> None:
    """No element uses the material of its class any more: the class keeps it without effect."""
    glb, back = arm.with_name("arm.gltf"), arm.with_name("back.xml")
    convert(arm, glb)

    def add(document: dict[str, Any]) -> None:
        pbr = {"baseColorFactor": [0.1, 0.9, 0.1, 1], "metallicFactor": 0}
        document["materials"].append({"name": "new", "pbrMetallicRoughness": pbr})
        shown = document["meshes"][by_name(document, "h")["mesh"]]
        shown["primitives"][0]["material"] = len(document["materials"]) - 1

    explained(convert(edited(glb, add), back))
    assert classes(back) == classes(arm)
    model = mujoco_model(back)
    new = model.mat(model.geom("h").matid[0])
    assert new.name == "new" and (new.specular, new.shininess) == (0.5, 0.5)
    assert model.mat_metallic[model.mat("steel").id] == pytest.approx(0.4) and model.mat(
        "paint"
    ).specular == pytest.approx(0.3)


def test_silence_of_what_was_added_has_its_reason(tmp_path: Path) -> None:
    """Classes set a density and material properties; added elements state MuJoCo's value for what is not set."""
    shine = dict.fromkeys(("metallic", "roughness", "reflectance"), 0.25)
    words = " ".join(f'{name}="{value}"' for name, value in shine.items())
    text = f"""<mujoco><default><geom density="100"/><material {words}/></default><worldbody><body name="a">
    <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><joint name="j"/><geom name="g" size=".1"/></body></worldbody>
    </mujoco>"""
    convert(saved(tmp_path / "m.xml", text), tmp_path / "m.urdf")
    seen = """<visual name="seen"><geometry><box size="1 1 1"/></geometry><material name="green">
    <color rgba="0 1 0 1"/></material></visual></link>"""
    urdf = (tmp_path / "m.urdf").read_text().replace("</link>", seen)
    report = explained(convert(saved(tmp_path / "m.urdf", urdf), tmp_path / "back.xml"))
    assert {each.where for each in of_rule(report, "mjcf/silence")} == {
        "body/a.geoms.seen.density",
        *(f"material/green.{name}" for name in shine),
    }
    model, then = mujoco_model(tmp_path / "back.xml"), mujoco_model(tmp_path / "m.xml")
    green = int(model.geom("seen").matid[0])
    assert (model.mat_metallic[green], model.mat_roughness[green], model.mat_reflectance[green]) == (-1, -1, 0)
    assert model.body("a").mass == then.body("a").mass


@pytest.mark.parametrize("name", ["paint", "steel", "rubber"])
def test_a_colour_that_was_changed_is_all_that_changes(arm: Path, name: str) -> None:
    """Roughness in glTF is derived from the shininess in MJCF: editing the colour does not change it."""
    glb, back = arm.with_name("arm.gltf"), arm.with_name("back.xml")
    convert(arm, glb)

    def paint(document: dict[str, Any]) -> None:
        found = next(each for each in document["materials"] if each["name"] == name)
        found["pbrMetallicRoughness"]["baseColorFactor"] = [0.5, 0.1, 0.1, 1]

    report = explained(convert(edited(glb, paint), back))
    (told,) = of_rule(report, "gltf/edited")
    assert told.where == f"material/{name}" and told.reason == "the colour was changed"
    assert classes(back) == classes(arm)
    now, then = (mujoco_model(path) for path in (back, arm))
    assert now.mat(name).rgba == pytest.approx([0.735357, 0.34919, 0.34919, 1], abs=1e-6)
    for key in ("specular", "shininess", "metallic", "roughness", "reflectance", "emission"):
        assert getattr(now, f"mat_{key}") == pytest.approx(getattr(then, f"mat_{key}"))


OTHER = {
    "pos": "1 2 3",
    "quat": "0 1 0 0",
    "type": "box",
    "group": "3",
    "rgba": "1 0 0 1",
    "material": "m",
    "friction": "2 0.1 0.1",
    "fluidshape": "ellipsoid",
    "axis": "1 0 0",
    "size": "0.3",
    "range": "-1 1",
    "solref": "0.1 2",
    "solimp": "0.5 0.6 0.1 0.3 3",
    "limited": "true",
    "actuatorfrclimited": "true",
    "actuatorfrcrange": "-1 1",
    "texture": "t",
    "texrepeat": "2 3",
    "texuniform": "true",
    "contype": "2",
    "conaffinity": "4",
    "condim": "4",
    "priority": "5",
}
"""Other values for attributes; "0.25" for those not listed here."""


@pytest.mark.parametrize(("tag", "name"), [(tag, name) for tag, said in SILENCE.items() for name in said])
def test_silence_is_what_mujoco_makes_of_it(tag: str, name: str) -> None:
    """An attribute on the element overrides its class, and gives the same model as without a class."""
    other = OTHER.get(name) or (
        OTHER["solref"] if "solref" in name else OTHER["solimp"] if "solimp" in name else "0.25"
    )
    if tag == "joint" and name == "type":
        other = "slide"
    also = {"limited": 'range="-1 1"', "actuatorfrclimited": 'actuatorfrcrange="-1 1"'}.get(name, "")
    models = []
    for said, classed in ((f'{name}="{SILENCE[tag][name]}"', f'{name}="{other}"'), ("", "")):
        here = {each: f"{said} {also}" if each == tag else "" for each in SILENCE}
        body = f"<joint {here['joint']}/><geom {here['geom']} {SIZE}/>"
        site = f'<site name="s" {here["site"]}/>'
        looks = (
            f'<texture name="t" type="2d" builtin="flat" width="8" height="8"/><material name="m" {here["material"]}/>'
        )
        text = f"""<mujoco><compiler angle="radian"/><default><{tag} {classed}/></default><asset>{looks}</asset>
        <worldbody><body><inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/>{body}{site}</body></worldbody></mujoco>"""
        models.append(mujoco.MjModel.from_xml_string(text))
    fields = [each for each in dir(models[0]) if each.startswith(("geom_", "jnt_", "dof_", "mat_", "site_", "qpos"))]
    for field in fields:
        assert np.array_equal(getattr(models[0], field), getattr(models[1], field)), field


SIZE = 'size="0.1 0.1 0.1"'


CLASSED = """<mujoco><default><joint axis="0 1 0"/></default><worldbody><body name="a"><joint name="j"/>
<geom name="g" size=".1"/><body name="b" pos="0 0 .5"><joint name="k"/><geom name="h" size=".1"/></body></body>
</worldbody></mujoco>"""


@pytest.mark.parametrize(
    ("edits", "through"),
    [
        ({'"b"': '"c"', "0 0 0.5": "0 0 0.75"}, ""),
        ({"0 0 0.5": "0 0 0.75"}, "far.sdf"),
        ({"0 0 0.5": "0 0 0.75"}, "far.gltf"),
    ],
    ids=["its link has another name", "by SDFormat", "by glTF"],
)
def test_what_a_class_says_of_a_joint_that_was_edited_is_what_it_says_itself(
    tmp_path: Path, edits: dict[str, str], through: str
) -> None:
    """A joint uses the axis of its class, wherever its link was moved."""
    convert(saved(tmp_path / "m.xml", CLASSED), tmp_path / "w.urdf")
    text = (tmp_path / "w.urdf").read_text().partition("<kinegraph:carried")
    document = text[0]
    for old, new in edits.items():
        document = document.replace(old, new)
    (tmp_path / "w.urdf").write_text("".join([document, *text[1:]]))
    if through:
        convert(tmp_path / "w.urdf", tmp_path / through)
    explained(convert(tmp_path / (through or "w.urdf"), tmp_path / "back.xml"))
    model = mujoco_model(tmp_path / "back.xml")
    assert model.jnt_axis.tolist() == [[0, 1, 0], [0, 1, 0]]
    assert model.body_pos[2].tolist() == [0, 0, 0.75]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('<origin xyz="0 0 1"', '<origin xyz="0 0 2"'),
        ("</robot>", PART),
        ('<box size="0.2 0.4 0.6"/>', '<box size="0.2 0.4 1"/>'),
    ],
)
def test_sections_of_several_documents_stay_several(arm: Path, old: str, new: str) -> None:
    """Sections as <include> creates them: an edit in one leaves the spelling of all others and of its own remainder."""
    text = ARM.replace('<body name="a"', '</worldbody><worldbody><body name="a"')
    text = text.replace('<material name="steel"', '</asset><asset><material name="steel"')
    arm.write_text(text)
    urdf, back = arm.with_name("arm.urdf"), arm.with_name("back.xml")
    convert(arm, urdf)
    assert old in urdf.read_text()
    urdf.write_text(urdf.read_text().replace(old, new))
    explained(convert(urdf, back))
    sections = [[each.tag for each in etree.parse(path).getroot()] for path in (arm, back)]
    assert [tag for tag in sections[1] if tag not in ("compiler", "custom")] == sections[0]
    assert classes(back) == classes(arm)
    assert mujoco_model(back).joint("j").range == pytest.approx(np.radians([-60, 60]))


def test_what_an_edit_leaves_stands_as_it_did_in_a_further_section(arm: Path) -> None:
    """This includes comments in it and the spelling of its numbers."""
    text = ARM.replace('<body name="a"', '</worldbody><worldbody><!-- arm --><body name="a"')
    arm.write_text(text.replace('0.3"/>', '.3"/>'))
    convert(arm, arm.with_name("same.xml"))
    urdf, back = arm.with_name("arm.urdf"), arm.with_name("back.xml")
    convert(arm, urdf)
    urdf.write_text(urdf.read_text().replace('<origin xyz="0 0 1"', '<origin xyz="0 0 2"'))
    explained(convert(urdf, back))
    before, after = (path.read_text().splitlines() for path in (arm.with_name("same.xml"), back))
    assert "<!-- arm -->" in back.read_text() and 'size="0.1 0.2 .3"' in back.read_text()
    assert [line.strip() for line in before if line not in after] == ['<body name="b" pos="0 0 1">']


@pytest.mark.parametrize(("old", "new"), [('"a"', '"torso"'), ('"j"', '"waist"')])
def test_the_words_below_something_with_a_new_name_stay(arm: Path, old: str, new: str) -> None:
    """This includes its own spelling: the childclass, and angles in degrees."""
    convert(arm, arm.with_name("same.xml"))
    urdf, back = arm.with_name("arm.urdf"), arm.with_name("back.xml")
    convert(arm, urdf)
    urdf.write_text(urdf.read_text().replace(old, new))
    explained(convert(urdf, back))
    assert classes(back) == classes(arm)
    assert etree.parse(back).find("compiler") is None


def test_a_joint_that_was_renamed_is_driven_from_another_section(arm: Path) -> None:
    """Sections as <include> creates them: the joint has its new name there, and the rest is as the author wrote it."""
    drives = '<actuator><motor joint="k"/></actuator><actuator><motor name="m" joint="j" gear="3"/></actuator></mujoco>'
    said = ('range="-60 60"', 'euler="0 0 45"', 'joint="hip" gear="3"')
    arm.write_text(ARM.replace("</mujoco>", drives).replace('<geom name="g"', f'<geom name="g" {said[1]}'))
    sdf, back = arm.with_name("arm.sdf"), arm.with_name("back.xml")
    convert(arm, sdf)
    sdf.write_text(re.sub(r'(name="|<joint_name>)j(?=["<])', r"\1hip", sdf.read_text()))
    explained(convert(sdf, back))
    assert [text for text in said if text not in back.read_text()] == []
    assert back.read_text().count("<actuator>") == 2
    assert classes(back) == classes(arm)


@pytest.mark.parametrize(("edited", "left"), [("r1", "frame"), ("f2", "replicate")])
def test_of_what_holds_copies_and_frames_only_that_is_written_out_which_was_edited(
    arm: Path, edited: str, left: str
) -> None:
    """All else keeps the author's spelling, including degrees and classes."""
    ball = '<body name="{}" pos="0 1 0"><joint name="j{}" axis="0 1 0"/><geom name="g{}" size=".1"/></body>'
    copies = f'<replicate count="3" offset="1 0 0" euler="0 0 9">{ball.format("r", "r", "r")}</replicate>'
    frames = f'<frame euler="0 0 45">{ball.format("f", "f", "f")}{ball.format("f2", "f2", "f2")}</frame>'
    arm.write_text(ARM.replace('<body name="a"', f'{copies}{frames}<body name="a"'))
    urdf, back = arm.with_name("arm.urdf"), arm.with_name("back.xml")
    convert(arm, urdf)
    before, mark, after = urdf.read_text().partition(f'<link name="{edited}"')
    link, end, after = after.partition("</link>")
    urdf.write_text(before + mark + link.replace('radius="0.1"', 'radius="0.25"') + end + after)
    explained(convert(urdf, back))
    root = etree.parse(back).getroot()
    assert [each.tag for each in root.iter("replicate", "frame")] == [left]
    assert classes(back) == classes(arm)
    ours, theirs = mujoco_model(back), mujoco_model(arm)
    assert ours.jnt_range == pytest.approx(theirs.jnt_range) and ours.body_pos == pytest.approx(theirs.body_pos)
    assert (ours.geom_size != theirs.geom_size).any(axis=1).sum() == 1


def test_copies_in_copies_stay_what_they_are(arm: Path) -> None:
    """Also where the names of one copy start like those of another."""
    ball = '<replicate count="2" offset="1 0 0"><body name="{}"><geom name="g{}" size=".1"/></body></replicate>'
    copies = f'<replicate count="11" offset="0 0 2">{ball.format("r", "r")}{ball.format("r0", "q")}</replicate>'
    arm.write_text(ARM.replace('<body name="a"', f'{copies}<body name="a"'))
    report = convert(arm, arm.with_name("back.xml"))
    assert not report.findings
    assert len([*etree.parse(arm.with_name("back.xml")).iter("replicate")]) == 3


def test_what_of_a_class_nothing_takes_any_more_is_told_then_and_whenever_it_is_written_again(tmp_path: Path) -> None:
    """The class stays as its author wrote it; the edited size is written on the geom."""
    leaf = '<geom type="box" size=".1 .05 .02" rgba="0 .4 0 1"/>'
    source = saved(
        tmp_path / "m.xml",
        f'<mujoco model="m"><default><default class="leaf">{leaf}</default></default><worldbody><body name="b">'
        '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><joint name="j"/><geom name="g" class="leaf"/></body>'
        "</worldbody></mujoco>",
    )
    convert(source, tmp_path / "m.urdf")
    text = (tmp_path / "m.urdf").read_text().replace("0.2 0.1 0.04", "0.2 0.1 0.05").replace("0 0.4 0 1", "0 0.5 0 1")
    saved(tmp_path / "m.urdf", text)
    for start, end in (("m.urdf", "back.xml"), ("back.xml", "again.xml")):
        report = explained(convert(tmp_path / start, tmp_path / end))
        said = {each.after for each in report.findings if each.where.startswith("scene/extras.default")}
        assert said == {".1 .05 .02", "0 .4 0 1"} and len(of_rule(report, "mjcf/class")) == 2, end
        assert leaf in (tmp_path / end).read_text()
        assert mujoco_model(tmp_path / end).geom("g").size == pytest.approx([0.1, 0.05, 0.025])
