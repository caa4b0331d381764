"""The physics that a GLB contains for other programs is compared with the intended one: the embedded graph has no
influence."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from converters import Options, convert
from converters.gltf.writing import physics
from converters.gltf.writing.physics import PhysicsTables
from converters.report.model import Action
from ir.pose import compose
from ir.types import Pose

ROBOT = """<robot name="r">
  <link name="a"><inertial><mass value="3"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
  <link name="b">
    <inertial><origin xyz="0.1 0 0" rpy="0.3 0.2 0.1"/><mass value="2"/>
      <inertia ixx="0.02" ixy="0.001" ixz="0" iyy="0.03" iyz="0" izz="0.04"/></inertial>
    <collision name="c"><origin xyz="0.1 0.2 0.3" rpy="0.5 0 0"/>
      <geometry><cylinder radius="0.1" length="0.4"/></geometry></collision>
  </link>
  <link name="d">
    <inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
    <collision name="e"><geometry><box size="1 1 1"/></geometry></collision>
  </link>
  <joint name="k" type="continuous"><parent link="a"/><child link="d"/></joint>
  <drake:collision_filter_group xmlns:drake="http://drake.mit.edu" name="g">
    <drake:member link="b"/><drake:member link="d"/><drake:ignored_collision_filter_group name="g"/>
  </drake:collision_filter_group>
  <joint name="j" type="revolute"><origin xyz="0.1 0.2 0.3"/><parent link="a"/><child link="b"/><axis xyz="0 0.6 0.8"/>
    <dynamics damping="0.3"/><limit lower="-1.5" upper="0.5" effort="30" velocity="2"/></joint>
</robot>
"""
BALL = """<robot name="r"><link name="a"><inertial><mass value="3"/>
<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
<collision><geometry><capsule radius="0.1" length="0"/></geometry></collision></link></robot>"""
AWAY = Pose((0.0, 0.1, 0.0), (0.6, 0.8, 0.0, 0.0))


def _without(key: str) -> Callable[[Any], Any]:
    return lambda said: {name: value for name, value in said.items() if name != key}


@pytest.mark.parametrize(
    ("owner", "function", "wrong", "address"),
    [
        (PhysicsTables, "motion", lambda said: said | {"mass": 2.5}, "body.inertial.mass"),
        (PhysicsTables, "motion", _without("centerOfMass"), "body.inertial.pose"),
        (PhysicsTables, "motion", _without("inertiaOrientation"), "body.inertial.tensor"),
        (PhysicsTables, "motion", lambda said: said | {"isKinematic": True}, "body.kinematic"),
        (PhysicsTables, "motion", lambda said: None, "body.inertial"),
        (PhysicsTables, "collider", lambda found: None, "body.geoms.shape"),
        (PhysicsTables, "collider", lambda found: (found[0], compose(AWAY, found[1])), "body.geoms.pose.pos"),
        (PhysicsTables, "_rubbing", lambda entry: entry | {"restitution": 1.0}, "body.geoms.surface"),
        (PhysicsTables, "_rubbing", lambda entry: {"staticFriction": 0.2}, "body.geoms.surface"),
        (PhysicsTables, "joint", lambda found: None, "joint.dofs.kind"),
        (PhysicsTables, "joint", lambda found: (found[0], AWAY, found[2]), "joint.pose.pos"),
        (PhysicsTables, "joint", lambda found: (found[0], found[1], AWAY), "joint.dofs.axis"),
        (physics, "_limits_of_dofs", lambda limits: limits[1:], "joint.dofs"),
        (physics, "_limits_of_dofs", lambda limits: limits[:-1], "joint.dofs.lower"),
        (physics, "_drive_members", _without("damping"), "joint.dofs.damping"),
        (physics, "_drive_members", lambda drive: drive | {"stiffness": 1.0}, "joint.dofs.stiffness"),
        (PhysicsTables, "touch", lambda touch: not touch, "contact"),
        (PhysicsTables, "_apart", lambda apart: set(), "contact"),
        (PhysicsTables, "tables", lambda tables: {}, "body.inertial"),
    ],
)
def test_what_the_physics_of_a_glb_says_otherwise_has_no_reason(
    owner: Any,
    function: str,
    wrong: Callable[[Any], Any],
    address: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own = getattr(owner, function)

    def lying(*arguments: Any) -> Any:
        said = own(*arguments)
        return wrong(said) if said is not None else said

    (tmp_path / "r.urdf").write_text(ROBOT)
    assert "unexplained" not in str(convert(tmp_path / "r.urdf", tmp_path / "r.glb"))
    monkeypatch.setattr(owner, function, lying)
    report = convert(tmp_path / "r.urdf", tmp_path / "wrong.glb")
    found = {finding.rule for finding in report.findings if finding.action is Action.UNEXPLAINED}
    assert f"unexplained/draft.{address}" in found


@pytest.mark.parametrize("form", ["khr", "khr-2025", "omi"])
def test_a_capsule_without_a_length_is_the_ball_that_it_is(tmp_path: Path, form: str):
    (tmp_path / "r.urdf").write_text(BALL)
    report = convert(tmp_path / "r.urdf", tmp_path / "r.glb", options=Options(physics=form))
    assert [each for each in report.findings if (each.aspect or "").startswith("draft")] == []
