"""Nested models in an edited output: chains of joints inside them, and models of which nothing is left."""

from __future__ import annotations

from pathlib import Path

import pinocchio
import pytest
from lxml import etree

from converters import convert
from converters.context import Options
from tests.files import saved
from tests.oracles.in_sdformat import sdformat_reads
from tests.reports import explained

INERTIAL = "<inertial><mass>2</mass></inertial>"
NESTED = f"""<sdf version="1.9"><model name="top"><link name="base">{INERTIAL}</link><model name="arm">
<pose>1 0 0 0 0 0.3</pose><link name="up">{INERTIAL}</link><model name="hand"><link name="palm">{INERTIAL}</link>
<link name="tip">{INERTIAL}</link><joint name="wrist" type="universal"><pose>0 0 -0.2 0 0 0</pose><parent>palm</parent>
<child>tip</child><axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2></joint></model>
<joint name="elbow" type="ball"><pose>0 0 0.1 0 0 0</pose><parent>up</parent><child>hand::palm</child></joint></model>
<joint name="shoulder" type="ball"><pose>0 0 0.1 0 0 0</pose><parent>base</parent><child>arm::up</child></joint>
</model></sdf>"""


def written(folder: Path, through: str) -> etree._ElementTree:
    explained(convert(saved(folder / "m.sdf", NESTED), folder / through))
    return etree.parse(folder / through)


def back(folder: Path, tree: etree._ElementTree, through: str) -> etree._ElementTree:
    """Convert the edited document to SDFormat and return the result."""
    tree.write(folder / through)
    explained(convert(folder / through, folder / "back.sdf"))
    assert sdformat_reads(folder / "back.sdf")["errors"] == []
    return etree.parse(folder / "back.sdf")


def path_of(element: etree._Element) -> str:
    """Return the names of the models that contain an element, and its own, joined by ::."""
    models = [each.get("name") for each in element.iterancestors("model")]
    return "::".join([*models[::-1], element.get("name")])


@pytest.mark.parametrize(
    ("joint", "links"),
    [
        ("shoulder_offset", {"top::shoulder_RX_link", "top::shoulder_RY_link"}),
        ("arm::elbow_offset", {"top::arm::elbow_RX_link", "top::arm::elbow_RY_link"}),
        ("arm::hand::wrist_offset", set()),
    ],
)
def test_the_links_of_a_chain_stand_in_the_model_of_its_joint(joint: str, links: set[str], tmp_path: Path) -> None:
    tree = written(tmp_path, "w.urdf")
    (origin,) = tree.xpath(f"//joint[@name='{joint}']/origin")
    origin.set("xyz", "0 0 -2")
    again = back(tmp_path, tree, "w.urdf")
    assert {path_of(each) for each in again.xpath("//link[contains(@name, '_R')]")} == links
    convert(tmp_path / "back.sdf", tmp_path / "again.urdf")
    models = [pinocchio.buildModelFromUrdf(str(tmp_path / name)) for name in ("w.urdf", "again.urdf")]
    for link in ("arm::up", "arm::hand::palm", "arm::hand::tip"):
        places = []
        for model in models:
            data = model.createData()
            pinocchio.framesForwardKinematics(model, data, pinocchio.neutral(model))
            root, own = (data.oMf[model.getFrameId(name)] for name in ("base", link))
            places.append(root.inverse() * own)
        assert places[0].isApprox(places[1], 1e-9)


@pytest.mark.parametrize("name", ["other", "o::x"])
def test_a_joint_of_a_chain_may_be_renamed_out_of_its_model(name: str, tmp_path: Path) -> None:
    tree = written(tmp_path, "w.urdf")
    tree.xpath("//joint[@name='arm::elbow_offset']")[0].set("name", name)
    again = back(tmp_path, tree, "w.urdf")
    assert {path_of(each).rpartition("::")[2] for each in again.xpath("//link")} >= {"base", "up", "palm", "tip"}


@pytest.mark.parametrize(("body", "left"), [("arm::hand::palm", ["top", "arm"]), ("arm::up", ["top"]), ("base", [])])
def test_a_model_of_which_nothing_is_left_is_gone(body: str, left: list[str], tmp_path: Path) -> None:
    tree = written(tmp_path, "w.xml")
    (found,) = tree.xpath(f"//body[@name='{body}']")
    found.getparent().remove(found)
    assert back(tmp_path, tree, "w.xml").xpath("//model/@name") == left


def test_what_stands_in_no_nested_model_has_names_that_do_not_part(tmp_path: Path) -> None:
    """A chain derives the names of its links from those of its axes, in which MJCF allows `::`."""
    solid = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
    (tmp_path / "m.xml").write_text(f"""<mujoco><worldbody><body name="a">{solid}<joint name="q::h"/><body name="b">
<joint name="z::x" type="slide" axis="1 0 0"/><joint name="z::y" axis="0 1 0" pos="0.1 0 0"/>{solid}</body></body>
</worldbody><equality><joint joint1="q::h" joint2="z::y"/></equality></mujoco>""")
    explained(convert(tmp_path / "m.xml", tmp_path / "w.sdf", options=Options(sdf_version="1.11")))
    tree = etree.parse(tmp_path / "w.sdf")
    assert tree.xpath("//joint/@name") == ["q_h", "z_x", "z_y"]
    assert tree.xpath("//joint[@name='q_h']//mimic/@joint") == ["z_y"]
    convert(tmp_path / "w.sdf", tmp_path / "back.xml")
    assert etree.parse(tmp_path / "back.xml").xpath("//body/joint/@name") == ["q::h", "z::x", "z::y"]


GROUNDED = """<mujoco model="bot"><worldbody><geom name="floor" type="plane" size="1 1 .1"/><body name="a"><freejoint/>
<geom size=".1"/></body></worldbody></mujoco>"""
CRATE = f'<model name="crate"><pose>1 0 1 0 0 0</pose><link name="c">{INERTIAL}</link></model></world>'
HELD = '<joint name="hold" type="fixed"><parent>bot::a</parent><child>crate::c</child></joint></world>'


@pytest.mark.parametrize(
    ("added", "holder"), [((CRATE,), "world"), ((CRATE, HELD), "model")], ids=["by-itself", "held-by-a-joint"]
)
@pytest.mark.parametrize("through", ["on.sdf", "on.xml"])
def test_a_model_that_is_put_beside_a_robot_stays_beside_it(
    added: tuple[str, ...], holder: str, through: str, tmp_path: Path
) -> None:
    (tmp_path / "m.xml").write_text(GROUNDED)
    convert(tmp_path / "m.xml", tmp_path / "w.sdf", options=Options(sdf_version="1.10"))
    text = (tmp_path / "w.sdf").read_text()
    for each in added:
        text = text.replace("</world>", each)
    (tmp_path / "w.sdf").write_text(text)
    explained(convert(tmp_path / "w.sdf", tmp_path / through, options=Options(sdf_version="1.10")))
    explained(convert(tmp_path / through, tmp_path / "back.sdf", options=Options(sdf_version="1.10")))
    (crate,) = etree.parse(tmp_path / "back.sdf").iterfind(".//model[@name='crate']")
    assert crate.getparent().tag == holder
    read = sdformat_reads(tmp_path / "back.sdf")
    assert read["errors"] == [] and len(read["links"]) == 3


DRIVING = f"""<sdf version="1.9"><model name="m"><link name="base">{INERTIAL}</link><model name="arm">
<link name="a">{INERTIAL}</link><link name="b">{INERTIAL}</link>
<joint name="j" type="revolute"><parent>a</parent><child>b</child><axis>
<xyz>0 0 1</xyz></axis></joint><plugin filename="gz-sim-joint-position-controller-system"
name="gz::sim::systems::JointPositionController"><joint_name>j</joint_name><p_gain>10</p_gain></plugin></model>
<joint name="k" type="fixed"><parent>base</parent><child>arm::a</child></joint></model></sdf>"""


def test_a_controller_in_a_nested_model_follows_another_name_of_its_joint(tmp_path: Path) -> None:
    """It is carried, and its text uses the name of the joint within the model."""
    convert(saved(tmp_path / "s.sdf", DRIVING), tmp_path / "w.urdf")
    tree = etree.parse(tmp_path / "w.urdf")
    tree.xpath("//joint[@name='arm::j']")[0].set("name", "arm::elbow")
    tree.write(tmp_path / "w.urdf")
    report = explained(convert(tmp_path / "w.urdf", tmp_path / "back.sdf"))
    assert not report.findings
    seen = sdformat_reads(tmp_path / "back.sdf")
    assert seen["errors"] == []
    home = etree.parse(tmp_path / "back.sdf")
    assert home.xpath("//model[@name='arm']/joint/@name") == ["elbow"]
    assert home.findtext(".//plugin/joint_name") == "elbow"
