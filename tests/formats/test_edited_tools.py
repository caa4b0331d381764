"""Documents edited by programs, and what depended on what these removed. Judged by MuJoCo."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import mujoco
import pytest

from converters.convert import convert
from converters.report.model import Report
from tests.files import saved
from tests.oracles.in_mujoco import mujoco_model

MODEL = """<mujoco model="m"><worldbody><body name="base"><geom name="b" size=".1"/>
<body name="arm" pos="0 0 .2"><joint name="a" axis="0 1 0"/><geom name="g" size=".1"/><inertial pos="0 0 .1" mass="1"
 diaginertia=".01 .01 .01"/><body name="hand" pos="0 0 .3"><joint name="h"/><geom name="k" size=".1"/></body></body>
<body name="other" pos="1 0 0"><joint name="o" type="slide"/><geom name="l" size=".1"/></body></body></worldbody>
<sensor><framepos name="s" objtype="body" objname="arm" reftype="body" refname="other"/><jointpos name="p" joint="h"/>
<jointpos name="q" joint="a"/></sensor></mujoco>"""
Edit = Callable[[ElementTree.Element], None]


def _mass(root: ElementTree.Element) -> None:
    (link,) = (each for each in root.iter("link") if each.get("name") == "arm")
    mass = link.find("inertial/mass")
    assert mass is not None
    mass.attrib |= {"value": "3"} if mass.get("value") else {}
    mass.text = None if mass.get("value") else "3"


def _without_other(root: ElementTree.Element) -> None:
    for holder in [*root.iter()]:
        for each in [*holder]:
            if each.tag in ("link", "joint") and each.get("name") in ("other", "o"):
                holder.remove(each)


def _fixed(root: ElementTree.Element) -> None:
    (joint,) = (each for each in root.iter("joint") if each.get("name") == "h" and each.get("type"))
    joint.set("type", "fixed")
    for axis in joint.findall("axis"):
        joint.remove(axis)


def _back(folder: Path, through: str, edit: Edit) -> tuple[mujoco.MjModel, Report]:
    """Convert the model to a format, edit it with a program that changes namespace prefixes, and convert it back."""
    convert(saved(folder / "in.xml", MODEL), folder / f"out.{through}")
    document = ElementTree.parse(folder / f"out.{through}")
    edit(document.getroot())
    document.write(folder / f"out.{through}")
    report = convert(folder / f"out.{through}", folder / "back.xml")
    return mujoco_model(folder / "back.xml"), report


@pytest.mark.parametrize("through", ["urdf", "sdf"])
def test_what_is_carried_is_known_by_any_prefix_and_an_edit_moves_nothing_else(tmp_path: Path, through: str) -> None:
    model, _ = _back(tmp_path, through, _mass)
    assert model.body("arm").mass[0] == 3.0
    assert (model.nsensor, model.ngeom, model.nexclude) == (3, 4, 0)


@pytest.mark.parametrize("through", ["urdf", "sdf"])
@pytest.mark.parametrize(("edit", "left", "lost"), [(_without_other, ["p", "q"], "s"), (_fixed, ["s", "q"], "p")])
def test_a_sensor_goes_with_what_it_measures(
    tmp_path: Path, through: str, edit: Edit, left: list[str], lost: str
) -> None:
    model, report = _back(tmp_path, through, edit)
    assert [model.sensor(index).name for index in range(model.nsensor)] == left
    assert "mjcf/sensor" in {each.rule for each in report.findings if each.where == f"sensor/{lost}"}
