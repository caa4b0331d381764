"""Joints that follow others, in SDFormat: <mimic> of 1.11, and drake:mimic, the only spelling that Drake reads.

Judged by Drake, in whose simulation the follower must obey its leader, and by MuJoCo.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import AddMultibodyPlantSceneGraph, DiscreteContactApproximation, MultibodyPlant
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder

from converters import convert
from converters.context import Options
from tests.files import saved
from tests.oracles.in_mujoco import mujoco_model
from tests.reports import comes_back, of_rule

DRAKE = "{http://drake.mit.edu}mimic"
LINK = (
    '<link name="{}"><inertial><origin xyz="0.1 0 0"/><mass value="1"/>'
    '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>'
)
HINGE = (
    '<joint name="{}" type="revolute"><parent link="{}"/><child link="{}"/><axis xyz="0 1 0"/>'
    '<limit lower="-3" upper="3" effort="9" velocity="9"/>{}</joint>'
)
MIMIC = '<mimic joint="lead" multiplier="-2" offset="0.1"/>'
URDF = (
    f'<robot name="m"><link name="world"/>{LINK.format("a")}{LINK.format("b")}{LINK.format("c")}'
    '<joint name="base" type="fixed"><parent link="world"/><child link="a"/></joint>'
    f"{HINGE.format('lead', 'a', 'b', '')}{HINGE.format('follow', 'b', 'c', MIMIC)}</robot>"
)
MJCF = """<mujoco model="m"><worldbody><body name="b"><inertial pos=".1 0 0" mass="1" diaginertia="1 1 1"/>
<joint name="lead" axis="0 1 0"/><body name="c"><inertial pos=".1 0 0" mass="1" diaginertia="1 1 1"/>
<joint name="follow" axis="0 1 0"/></body></body></worldbody>
<equality><joint joint1="follow" joint2="lead" polycoef="0.1 -2 0 0 0"/></equality></mujoco>"""
SDF = """<sdf version="{version}" xmlns:drake="http://drake.mit.edu"><model name="m">
<link name="a"/><link name="b"/><link name="c"/>
<joint name="base" type="fixed"><parent>world</parent><child>a</child></joint>
<joint name="lead" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 1 0</xyz></axis></joint>
<joint name="follow" type="revolute"><parent>b</parent><child>c</child><axis><xyz>0 1 0</xyz>{axis}</axis>{joint}
</joint></model></sdf>"""
WORD = '<drake:mimic joint="lead" multiplier="-2" offset="0.1"/>'
OWN = (
    '<mimic joint="lead" axis="axis"><multiplier>-2</multiplier><offset>0.5</offset><reference>0.2</reference></mimic>'
)


def sdf(folder: Path, axis: str = "", joint: str = "", version: str = "1.9") -> Path:
    return saved(folder / "in.sdf", SDF.format(version=version, axis=axis, joint=joint))


def simulated(path: Path) -> tuple[float, float]:
    """Return the positions of the leader and its follower in Drake, some time after they are released."""
    builder = DiagramBuilder()
    plant, _ = AddMultibodyPlantSceneGraph(builder, 0.001)
    plant.set_discrete_contact_approximation(DiscreteContactApproximation.kSap)
    Parser(plant).AddModels(str(path))
    plant.Finalize()
    diagram = builder.Build()
    simulator = Simulator(diagram)
    context = plant.GetMyMutableContextFromRoot(simulator.get_mutable_context())
    plant.GetJointByName("lead").set_angle(context, 0.2)  # and the follower where it does not belong
    simulator.AdvanceTo(0.3)
    lead, follow = (plant.GetJointByName(name).get_angle(context) for name in ("lead", "follow"))
    return lead, follow


def followed(path: Path) -> tuple[float, float]:
    """Return offset and multiplier of the only equation in MuJoCo's model, that of follow by lead."""
    model = mujoco_model(path)
    assert model.neq == 1 and model.joint("follow").id == model.eq_obj1id[0]
    return float(model.eq_data[0][0]), float(model.eq_data[0][1])


@pytest.mark.parametrize(("name", "text"), [("in.urdf", URDF), ("in.xml", MJCF)], ids=["urdf", "mjcf"])
def test_what_follows_in_another_format_follows_in_sdf(tmp_path: Path, name: str, text: str) -> None:
    report = convert(saved(tmp_path / name, text), tmp_path / "out.sdf")
    root = etree.parse(tmp_path / "out.sdf").getroot()
    assert root.get("version") == "1.11"  # the first one with <mimic>
    values = {each.tag: each.text for each in root.find(".//axis/mimic")}
    assert (root.find(".//axis/mimic").get("joint"), values["multiplier"], values["offset"]) == ("lead", "-2", "0.1")
    lead, follow = simulated(tmp_path / "out.sdf")
    assert abs(lead) > 1e-3
    assert follow == pytest.approx(0.1 - 2 * lead, abs=1e-3)
    assert not [each for each in report.findings if "mimic" in each.aspect and each.action != "derived"]
    comes_back(tmp_path / name, tmp_path / "out.sdf")


def test_a_version_that_is_asked_for_is_written_and_what_it_lacks_is_carried(tmp_path: Path) -> None:
    report = convert(saved(tmp_path / "in.urdf", URDF), tmp_path / "out.sdf", options=Options(sdf_version="1.9"))
    assert "mimic joint" not in (tmp_path / "out.sdf").read_text()
    assert [each.action for each in report.findings if each.aspect == "joint.mimic"] == ["carried"]
    plain = convert(saved(tmp_path / "no.urdf", URDF.replace("<mimic ", "<mimick ")), tmp_path / "no.sdf")
    assert etree.parse(tmp_path / "no.sdf").getroot().get("version") == "1.9"  # what most programs read
    assert not [each for each in plain.findings if each.aspect == "joint.mimic"]


@pytest.mark.parametrize("version", ["1.9", "1.11"])
def test_the_word_of_drake_alone_is_read_and_edited(tmp_path: Path, version: str) -> None:
    source = sdf(tmp_path, joint=WORD, version=version)
    lead, follow = simulated(source)
    assert follow == pytest.approx(0.1 - 2 * lead, abs=1e-3)
    convert(source, tmp_path / "m.xml")
    assert followed(tmp_path / "m.xml") == (0.1, -2.0)
    convert(source, tmp_path / "m.urdf")
    (mimic,) = etree.parse(tmp_path / "m.urdf").iter("mimic")
    assert dict(mimic.attrib) == {"joint": "lead", "multiplier": "-2", "offset": "0.1"}
    for way in ("m.xml", "m.urdf"):
        convert(tmp_path / way, tmp_path / "back.sdf")
        root = etree.parse(tmp_path / "back.sdf").getroot()
        assert [dict(each.attrib) for each in root.iter(DRAKE)] == [dict(mimic.attrib)]
        assert not list(root.iter("mimic"))  # as the author has it
    saved(tmp_path / "m.xml", (tmp_path / "m.xml").read_text().replace('"0.1 -2', '"0.1 -3'))
    assert followed(tmp_path / "m.xml") == (0.1, -3.0)
    convert(tmp_path / "m.xml", tmp_path / "edited.sdf")
    lead, follow = simulated(tmp_path / "edited.sdf")
    assert follow == pytest.approx(0.1 - 3 * lead, abs=1e-3)


def test_both_words_that_say_the_same_change_together(tmp_path: Path) -> None:
    source = sdf(tmp_path, OWN, '<drake:mimic joint="lead" multiplier="-2" offset="0.9"/>', "1.11")
    report = convert(source, tmp_path / "m.xml")
    assert followed(tmp_path / "m.xml") == (0.9, -2.0)
    assert not [each for each in report.findings if "drake:mimic" in each.aspect]
    saved(tmp_path / "m.xml", (tmp_path / "m.xml").read_text().replace('"0.9 -2', '"0.9 -3'))
    convert(tmp_path / "m.xml", tmp_path / "edited.sdf")
    root = etree.parse(tmp_path / "edited.sdf").getroot()
    assert [each.text for each in root.iter("multiplier")] == ["-3"]
    assert [each.get("multiplier") for each in root.iter(DRAKE)] == ["-3"]


@pytest.mark.parametrize(
    "word",
    [
        '<drake:mimic joint="lead" multiplier="5" offset="0.9"/>',
        '<drake:mimic joint="nobody" multiplier="-2" offset="0.9"/>',
        '<drake:mimic joint="lead" multiplier="-2"/>',
        '<drake:mimic joint="lead" multiplier="two" offset="0.9"/>',
        '<drake:mimic joint="follow" multiplier="-2" offset="0.9"/>',
    ],
    ids=["another", "of nobody", "without offset", "no number", "itself"],
)
def test_a_word_of_drake_that_says_otherwise_stays_and_is_told(tmp_path: Path, word: str) -> None:
    report = convert(sdf(tmp_path, OWN, word, "1.11"), tmp_path / "m.xml")
    assert followed(tmp_path / "m.xml") == (0.9, -2.0)
    assert [each.action for each in report.findings if "drake:mimic" in each.aspect] == ["carried"]
    assert [each.where for each in of_rule(report, "sdf/drake-mimic")] == ["joint/follow"]
    convert(tmp_path / "m.xml", tmp_path / "back.sdf")
    assert (tmp_path / "back.sdf").read_text().count("drake:mimic ") == 1
    assert word in (tmp_path / "back.sdf").read_text()


def test_drake_loads_a_follower_of_a_joint_in_another_model(tmp_path: Path) -> None:
    inner = """<model name="n"><link name="x"/><link name="y"/><joint name="lead" type="revolute"><parent>x</parent>
    <child>y</child><axis><xyz>0 1 0</xyz></axis></joint></model></model>"""
    text = SDF.format(version="1.11", axis=OWN.replace('"lead"', '"n::lead"'), joint="").replace("</model>", inner)
    report = convert(saved(tmp_path / "in.sdf", text), tmp_path / "out.sdf", options=Options(sdf_version="1.12"))
    assert not [each for each in report.findings if each.aspect == "joint.mimic"]
    assert 'mimic joint="n::lead"' in (tmp_path / "out.sdf").read_text()
    plant = MultibodyPlant(0.0)
    Parser(plant).AddModels(str(tmp_path / "out.sdf"))  # it refuses its own word about a joint in another model
    assert plant.HasJointNamed("follow")


def test_how_hard_mujoco_holds_a_follower_is_told_as_that(tmp_path: Path) -> None:
    report = convert(
        saved(tmp_path / "in.xml", MJCF.replace("polycoef", 'solref="0.005 1" polycoef')), tmp_path / "o.sdf"
    )
    assert [each.rule for each in report.findings if each.aspect.startswith("joint.mimic")] == ["sdf/mimic-solver"]


NESTED = """<sdf version="1.11"><model name="m"><link name="a"/><link name="b"/>
<joint name="base" type="fixed"><parent>world</parent><child>a</child></joint>
<joint name="lead" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 1 0</xyz></axis></joint>
<joint name="hold" type="fixed"><parent>b</parent><child>n::x</child></joint><model name="n"><link name="x"/>
<link name="y"/><joint name="inner" type="revolute"><parent>x</parent><child>y</child>
<axis><xyz>0 1 0</xyz></axis></joint>
</model></model></sdf>"""


@pytest.mark.parametrize(("follower", "leader", "said"), [("lead", "n::inner", 1), ("n::inner", "lead", 0)])
def test_a_joint_that_cannot_name_its_leader_is_told(tmp_path: Path, follower: str, leader: str, said: int) -> None:
    """Drake and libsdformat refuse a model with such a reference."""
    convert(saved(tmp_path / "in.sdf", NESTED), tmp_path / "m.xml")
    equation = f'<equality><joint joint1="{follower}" joint2="{leader}"/></equality></mujoco>'
    saved(tmp_path / "m.xml", (tmp_path / "m.xml").read_text().replace("</mujoco>", equation))
    report = convert(tmp_path / "m.xml", tmp_path / "back.sdf")
    assert len(list(etree.parse(tmp_path / "back.sdf").iter("mimic"))) == said
    assert [each.action for each in report.findings if each.rule == "sdf/mimic"] == ["carried"] * (1 - said)
    plant = MultibodyPlant(0.0)
    Parser(plant).AddModels(str(tmp_path / "back.sdf"))
    assert plant.HasJointNamed("inner")
