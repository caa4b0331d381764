"""Requirements 13, 14 and 20 to 22 of an SDFormat reader and writer: masses, contacts, gravity."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.formats.sdf_text import BOX, converted, joint, link, put, rules, sdf, seen, xml
from tests.oracles.in_mujoco import body_tensor, drawn, mujoco_model, touching
from tests.oracles.in_pinocchio import pinocchio_model


def inertia_in_urdf(path: Path) -> tuple[float, np.ndarray]:
    """Return mass and inertia of the child of joint j, by Pinocchio."""
    model = pinocchio_model(path)
    inertia = model.inertias[model.getJointId("j")]
    return float(inertia.mass), np.array(inertia.inertia)


def test_13_a_link_without_inertial_weighs_one_kilogram(tmp_path: Path):
    visual = f'<visual name="v">{BOX}</visual><collision name="c">{BOX}</collision>'
    source = put(tmp_path, sdf(link("a") + link("b", "0 0 1 0 0 0", visual) + joint("j", "a", "b")))
    assert seen(source)["links"]["b"]["mass"] == 1
    report, urdf = converted(tmp_path, source, "out.urdf")
    assert "sdf/inertial-default" in rules(report)
    mass, tensor = inertia_in_urdf(urdf)
    assert mass == 1
    assert tensor == pytest.approx(np.eye(3))
    assert len(xml(urdf).xpath("link/inertial")) == 2
    report, mjcf = converted(tmp_path, source, "out.xml")
    assert "sdf/inertial-default" in rules(report)
    model = mujoco_model(mjcf)
    assert model.body("b").mass == pytest.approx(1)
    assert body_tensor(model, model.body("b").id) == pytest.approx(np.eye(3))
    assert len(xml(mjcf).xpath("//body/inertial")) == 2


def test_14_products_and_moments_that_are_not_said(tmp_path: Path):
    inner = "<mass>2</mass><pose>0.1 0 0 0 0 1.5707963267948966</pose><inertia><ixx>0.5</ixx></inertia>"
    inner = f"<inertial>{inner}</inertial>"
    source = put(tmp_path, sdf(link("a") + link("b", "0 0 1 0 0 0", inner) + joint("j", "a", "b")))
    assert seen(source)["links"]["b"]["tensor"] == [0.5, 1, 1, 0, 0, 0]
    expected = np.diag([1.0, 0.5, 1.0])
    _, urdf = converted(tmp_path, source, "out.urdf")
    mass, tensor = inertia_in_urdf(urdf)
    assert mass == 2
    assert tensor == pytest.approx(expected, abs=1e-12)
    _, mjcf = converted(tmp_path, source, "out.xml")
    model = mujoco_model(mjcf)
    assert body_tensor(model, model.body("b").id) == pytest.approx(expected, abs=1e-12)
    assert model.body("b").ipos == pytest.approx([0.1, 0, 0])


@pytest.mark.parametrize(
    ("said", "category", "collide"),
    [
        ("<collide_bitmask>2</collide_bitmask>", 2, 2),
        ("<collide_bitmask>6</collide_bitmask><category_bitmask>4</category_bitmask>", 4, 6),
    ],
)
def test_20_bitmasks(said: str, category: int, collide: int, tmp_path: Path):
    inner = f'<collision name="c">{BOX}<surface><contact>{said}</contact></surface></collision>'
    _, mjcf = converted(tmp_path, sdf(link("a", inner=inner)), "out.xml")
    model = mujoco_model(mjcf)
    (geom,) = range(model.ngeom)
    assert (model.geom_contype[geom], model.geom_conaffinity[geom]) == (category, collide)


def overlapping(folder: Path, said: str) -> int:
    """Return the number of MuJoCo contacts between three boxes at one place, on a chain of links."""
    inner = f'<collision name="c">{BOX}</collision>'
    links = said + link("a", inner=inner) + link("b", inner=inner) + link("c", inner=inner)
    _, mjcf = converted(folder, sdf(links + joint("j", "a", "b") + joint("k", "b", "c")), "out.xml")
    _, data = drawn(mjcf)
    return len(touching(data))


def test_21_links_of_a_model_collide_only_when_it_says_so(tmp_path: Path):
    assert overlapping(tmp_path, "") == 0
    assert overlapping(tmp_path, "<self_collide>true</self_collide>\n") == 1


@pytest.mark.parametrize(
    ("version", "said", "expected"),
    [
        ("1.5", '<physics type="ode"><gravity>0 0 -1</gravity></physics>', -1),
        ("1.9", '<physics name="p" type="ode"/>', -9.8),
        ("1.9", "<gravity>0 0 -3</gravity>", -3),
        ("1.9", "", -9.8),
    ],
)
def test_22_gravity_of_a_world(version: str, said: str, expected: float, tmp_path: Path):
    models = "".join(f'<model name="{name}">{link("a")}</model>\n' for name in ("m", "n"))
    text = f'<sdf version="{version}">\n<world name="w">{said}\n{models}</world>\n</sdf>\n'
    _, mjcf = converted(tmp_path, text, "out.xml")
    model = mujoco_model(mjcf)
    assert model.opt.gravity == pytest.approx([0, 0, expected], abs=0)
    assert {model.body(index).name for index in range(model.nbody)} == {"world", "m::a", "n::a"}
