"""Springs, dampers and rotors of MJCF joints in other formats, as MuJoCo's compiler has them."""

from __future__ import annotations

from pathlib import Path

import mujoco
import pytest
from lxml import etree

from converters import convert
from converters.convert import read
from converters.report.model import Action
from tests.reports import complete, of_rule

BOX = '<geom type="box" size=".1 .2 .3" pos=".2 0 .1" mass="3"/>'
DAMPED = f"""<body name="a"><joint name="s" type="slide" axis="0 1 0" springdamper=".3 .8" stiffness="100" damping=".5"
    armature="1.5" group="3"/>{BOX}
  <body name="b" pos=".3 0 .1"><joint name="h" axis="0 1 0" ref=".4" springdamper=".2 .5" springref=".1"/>{BOX}
   <body name="c"><joint name="plain" axis="0 0 1" stiffness="7" damping="2"/>{BOX}</body></body></body>
  <body name="f" pos="3 0 0"><freejoint name="free"/>{BOX}
   <body name="g"><joint name="tail" axis="0 0 1" springdamper=".1 1" frictionloss="2"/>{BOX}</body></body>"""
NAMES = ("s", "h", "plain", "tail")
COMPILERS = {
    "": "",
    "settotalmass": 'settotalmass="100"',
    "bounds": 'boundmass="4" boundinertia=".5"',
}


def written(folder: Path, bodies: str, compiler: str = "", more: str = "") -> Path:
    path = folder / "m.xml"
    path.write_text(
        f'<mujoco><compiler angle="radian" {compiler}/><worldbody>{bodies}</worldbody>{more}</mujoco>', "utf-8"
    )
    return path


def compiled(path: Path) -> dict[str, tuple[float, float]]:
    """Joint -> stiffness and damping that MuJoCo has."""
    model = mujoco.MjModel.from_xml_path(str(path))
    joints = [model.joint(number) for number in range(model.njnt)]
    return {each.name: (each.stiffness[0], model.dof_damping[each.dofadr[0]]) for each in joints}


def in_sdf(path: Path) -> dict[str, tuple[float, float]]:
    joints = etree.parse(path).iter("joint")
    said = {each.get("name"): each.find("axis/dynamics") for each in joints if each.find("axis") is not None}
    words = ("spring_stiffness", "damping")
    return {
        name: tuple(float(each.findtext(word, "0")) if each is not None else 0.0 for word in words)
        for name, each in said.items()
    }


def in_urdf(path: Path) -> dict[str, tuple[float, float]]:
    """The spring is in the block of the joint."""
    root = etree.parse(path).getroot()
    blocks = {each.get("reference"): each for each in root.findall("gazebo")}
    return {
        each.get("name"): (
            float(blocks[each.get("name")].findtext("springStiffness", "0")) if each.get("name") in blocks else 0.0,
            float(each.find("dynamics").get("damping")) if each.find("dynamics") is not None else 0.0,
        )
        for each in root.findall("joint")
    }


@pytest.mark.parametrize("compiler", COMPILERS.values(), ids=COMPILERS.keys())
def test_springdamper_is_what_mujoco_compiles(tmp_path: Path, compiler: str) -> None:
    source = written(tmp_path, DAMPED, compiler)
    expected = compiled(source)
    assert expected["s"][0] != 100
    for target, found in (("m.sdf", in_sdf), ("m.urdf", in_urdf)):
        report = complete(convert(source, tmp_path / target))
        said = found(tmp_path / target)
        assert [said[name] for name in NAMES] == [pytest.approx(expected[name], rel=1e-9) for name in NAMES]
        told = of_rule(report, "mjcf/springdamper")
        assert {finding.action for finding in told} == {Action.DERIVED}
        assert not [each for each in report.findings if each not in told and "springdamper" in each.before]


def test_a_model_with_springdamper_comes_back_as_it_was(tmp_path: Path) -> None:
    source = written(tmp_path, DAMPED)
    for through in ("m.sdf", "m.urdf", "m.glb", "m2.xml"):
        convert(source, tmp_path / through)
        complete(convert(tmp_path / through, tmp_path / "back.xml"))
        assert read(tmp_path / "back.xml") == read(source)
        back = etree.parse(tmp_path / "back.xml")
        assert [each.get("springdamper") for each in back.iter("joint")] == [".3 .8", ".2 .5", None, ".1 1"]


@pytest.mark.parametrize(
    ("through", "path", "word"),
    [
        ("m.sdf", "//joint[@name='s']/axis/dynamics/spring_stiffness", ""),
        ("m.urdf", "//gazebo[@reference='s']/springStiffness", ""),
        ("m.urdf", "//joint[@name='s']/dynamics", "damping"),
    ],
)
def test_an_edited_spring_is_one_that_acts(tmp_path: Path, through: str, path: str, word: str) -> None:
    source = written(tmp_path, DAMPED)
    convert(source, tmp_path / through)
    tree = etree.parse(tmp_path / through)
    (element,) = tree.xpath(path)
    if word:
        element.set(word, "7")
    else:
        element.text = "7"
    tree.write(tmp_path / through)
    report = convert(tmp_path / through, tmp_path / "back.xml")
    assert any("joint/a.dofs.0" in each.where or "gazebo" in each.where for each in of_rule(report, "carried/stale"))
    before, after = compiled(source), compiled(tmp_path / "back.xml")
    stiffness, damping = before["s"]
    assert after["s"] == pytest.approx((stiffness, 7.0) if word else (7.0, damping), rel=1e-9)
    assert after["h"] == pytest.approx(before["h"], rel=1e-9)
    joint = etree.parse(tmp_path / "back.xml").find(".//joint[@name='s']")
    assert joint.get("springdamper") is None


ARMED = {
    "tendon": '<tendon><fixed armature="2"><joint joint="s" coef="1"/></fixed></tendon>',
    "actuator": '<actuator><motor joint="s" armature="2"/></actuator>',
}


@pytest.mark.parametrize("more", ARMED.values(), ids=ARMED.keys())
def test_springdamper_is_kept_where_the_graph_does_not_know_all_of_the_inertia(tmp_path: Path, more: str) -> None:
    source = written(tmp_path, DAMPED, more=more)
    mujoco.MjModel.from_xml_path(str(source))
    report = complete(convert(source, tmp_path / "m.sdf"))
    assert of_rule(report, "mjcf/springdamper") == []
    assert sum("springdamper" in finding.before for finding in of_rule(report, "sdf/joint-parameters")) == 3
    assert read(tmp_path / "m.sdf") == read(source)
