"""Edited physics in a document of Kinegraph: engines read what the edit says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from lxml import etree

from converters.convert import convert
from tests.corpus.gltf_edits import _removing
from tests.files import saved
from tests.formats.gltf_arm import BODIES, as_gltf, by_name, edited, told
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.in_pinocchio import pinocchio_model
from tests.reports import of_rule

WEIGHED = """<mujoco model="m"><worldbody><body name="bar"><joint name="j" axis="0 1 0" damping="{}"/>
<geom name="box" type="box" size=".1 .2 .3" pos="0 0 .1"/></body></worldbody><actuator>{}</actuator></mujoco>"""
SERVO = '<position name="p" joint="j" kp="20"{}/>'


def drive(document: dict[str, Any]) -> dict[str, Any]:
    return document["extensions"][BODIES]["physicsJoints"][0]["drives"][0]


@pytest.mark.parametrize(
    ("kv", "now", "joint", "servo"),
    [("", 4.0, 4.0, 0.0), (' kv="3"', 11.0, 10.0, 1.0), (' kv="3"', 4.0, 4.0, 0.0), ("", 12.0, 10.0, 2.0)],
)
def test_a_damper_that_is_weaker_than_that_of_the_joint_is_that_of_the_joint(
    tmp_path: Path, kv: str, now: float, joint: float, servo: float
):
    source = as_gltf(WEIGHED.format("10", SERVO.format(kv)), tmp_path / "m.gltf")
    document = edited(source, lambda document: drive(document).update(damping=now))
    assert set(told(document, tmp_path / "back.xml")) == {"joint/j"}
    model = mujoco_model(tmp_path / "back.xml")
    assert (model.dof_damping[0], -model.actuator_biasprm[0][2]) == pytest.approx((joint, servo))
    assert model.actuator_gainprm[0][0] == 20.0


def test_a_drive_that_was_taken_out_holds_nothing(tmp_path: Path):
    source = as_gltf(WEIGHED.format("10", SERVO.format(' kv="3"')), tmp_path / "m.gltf")
    document = edited(source, lambda document: document["extensions"][BODIES]["physicsJoints"][0].pop("drives"))
    told(document, tmp_path / "back.xml")
    model = mujoco_model(tmp_path / "back.xml")
    assert model.dof_damping[0] == model.jnt_stiffness[0] == 0.0
    assert [*model.actuator_gainprm[0][:1], *model.actuator_biasprm[0][:3]] == [0.0, 0.0, 0.0, 0.0]


def test_a_spring_that_somebody_put_there_rests_where_it_says(tmp_path: Path):
    """KHR_physics_rigid_bodies, Joint drive: positionTarget is the position to which stiffness pulls."""
    said = {"type": "angular", "mode": "force", "axis": 0, "positionTarget": 0.4, "stiffness": 7.0}
    source = as_gltf(WEIGHED.format("0", "").replace('axis="0 1 0"', 'axis="0 1 0" ref="20"'), tmp_path / "m.gltf")
    document = edited(source, lambda each: each["extensions"][BODIES]["physicsJoints"][0].update(drives=[said]))
    assert set(told(document, tmp_path / "back.xml")) == {"joint/j"}
    model = mujoco_model(tmp_path / "back.xml")
    assert (model.jnt_stiffness[0], model.qpos_spring[0] - model.qpos0[0]) == pytest.approx((7.0, 0.4))


@pytest.mark.parametrize("change", [{"mass": 7.5}, {"inertiaDiagonal": [3.0, 2.0, 4.0]}, {"centerOfMass": [0, 0.1, 0]}])
def test_a_body_that_its_geoms_weigh_weighs_what_somebody_says(tmp_path: Path, change: dict[str, Any]):
    source = as_gltf(WEIGHED.format("0", ""), tmp_path / "m.gltf")
    motion = "bar", "extensions", BODIES, "motion"

    def said(document: dict[str, Any]) -> dict[str, Any]:
        found = by_name(document, motion[0])
        for key in motion[1:]:
            found = found[key]
        return found

    document = edited(source, lambda document: said(document).update(change))
    assert set(told(document, tmp_path / "back.xml")) == {"body/bar.inertial"}
    told(document, tmp_path / "back.urdf")
    before, after = mujoco_model(tmp_path / "m.xml").body("bar"), mujoco_model(tmp_path / "back.xml").body("bar")
    mass, centre = change.get("mass", before.mass[0]), change.get("centerOfMass", before.ipos)
    moments = change.get("inertiaDiagonal", before.inertia)
    assert after.mass[0] == pytest.approx(mass)
    assert after.ipos == pytest.approx(centre)
    assert sorted(after.inertia) == pytest.approx(sorted(moments))
    told_by = pinocchio_model(tmp_path / "back.urdf").inertias[1]
    assert told_by.mass == pytest.approx(mass)
    assert told_by.lever == pytest.approx(centre)
    assert np.linalg.eigvalsh(told_by.inertia) == pytest.approx(sorted(moments))


ROLES = """<robot name="r"><link name="a"><inertial><mass value="2"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<visual><geometry><box size="1 1 1"/></geometry></visual>
<collision name="one"><geometry><box size="1 1 1"/></geometry></collision>
<collision name="two"><origin xyz="0 0 2"/><geometry><sphere radius="0.5"/></geometry></collision></link></robot>"""


def without(name: str) -> Callable[[dict[str, Any]], None]:
    """Return a change that removes the node of a collider."""

    def change(document: dict[str, Any]) -> None:
        _removing("/nodes", [document["nodes"].index(by_name(document, name))])(document)

    return change


def bare(name: str) -> Callable[[dict[str, Any]], None]:
    """Return a change that removes the collider from its node."""
    return lambda document: by_name(document, name)["extensions"].pop(BODIES)


def hidden(name: str) -> Callable[[dict[str, Any]], None]:
    """Return a change that removes the node of a collider from all scenes."""

    def change(document: dict[str, Any]) -> None:
        number = document["nodes"].index(by_name(document, name))
        next(each for each in document["nodes"] if number in each.get("children", ()))["children"].remove(number)

    return change


@pytest.mark.parametrize("edit", [without, bare, hidden])
def test_a_collider_that_was_taken_out_collides_with_nothing(
    tmp_path: Path, edit: Callable[[str], Callable[[dict[str, Any]], None]]
):
    convert(saved(tmp_path / "r.urdf", ROLES), tmp_path / "r.gltf")
    document = edited(tmp_path / "r.gltf", edit("one/collider"))
    found = told(document, tmp_path / "back.urdf")
    assert {where: each.action for where, each in found.items()} == {"geom/one": "derived"}
    left = etree.parse(tmp_path / "back.urdf").findall(".//collision")
    assert [each.get("name") for each in left] == ["two"]
    told(document, tmp_path / "back.xml")
    model = mujoco_model(tmp_path / "back.xml")
    assert [model.geom(each).name for each in range(model.ngeom) if model.geom_contype[each]] == ["two"]


@pytest.mark.parametrize("edit", [without, bare])
def test_what_is_seen_and_collides_is_seen_without_its_collider(
    tmp_path: Path, edit: Callable[[str], Callable[[dict[str, Any]], None]]
):
    document = edited(as_gltf(WEIGHED.format("0", ""), tmp_path / "m.gltf"), edit("box/collider"))
    found = told(document, tmp_path / "back.xml")
    assert {where: each.action for where, each in found.items()} == {"geom/box": "derived"}
    before, model = mujoco_model(tmp_path / "m.xml"), mujoco_model(tmp_path / "back.xml")
    assert (model.ngeom, model.geom_contype[0], model.geom_conaffinity[0]) == (1, 0, 0)
    assert model.body("bar").mass[0] == pytest.approx(before.body("bar").mass[0])


@pytest.mark.parametrize("name", ["m.gltf", "r.gltf"])
def test_a_material_of_physics_that_was_added_is_told_once(tmp_path: Path, name: str):
    def change(document: dict[str, Any]) -> None:
        physics = document["extensions"].setdefault(BODIES, {})
        materials = physics.setdefault("physicsMaterials", [])
        materials.append({"staticFriction": 0.3, "dynamicFriction": 0.3})
        by_name(document, f"{geom}/collider")["extensions"][BODIES]["collider"]["physicsMaterial"] = len(materials) - 1

    as_gltf(WEIGHED.format("0", ""), tmp_path / "m.gltf")
    convert(saved(tmp_path / "r.urdf", ROLES), tmp_path / "r.gltf")
    geom = {"m.gltf": "box", "r.gltf": "one"}[name]
    document = edited(tmp_path / name, change)
    assert set(told(document, tmp_path / "back.xml")) == {f"geom/{geom}"}
    assert mujoco_model(tmp_path / "back.xml").geom(geom).friction[0] == 0.3


def test_physics_that_a_program_took_out_is_no_edit(tmp_path: Path):
    def change(document: dict[str, Any]) -> None:
        for node in document["nodes"]:
            node.pop("extensions", None)

    document = edited(as_gltf(WEIGHED.format("0", ""), tmp_path / "m.gltf"), change)
    report = convert(document, tmp_path / "back.xml")
    assert [each.action for each in of_rule(report, "gltf/edited")] == ["dropped"]
    assert mujoco_model(tmp_path / "back.xml").geom_contype[0] == 1
