"""Physics joints that are added to a document of Kinegraph connect the same in MuJoCo."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest

from converters.context import Options
from converters.convert import convert, read
from ir.types import DofKind, Stop
from tests.files import saved
from tests.formats.gltf_arm import BODIES, back, by_name, edited, told
from tests.formats.gltf_bodies import HINGE, LOCKED
from tests.oracles.in_khronos import complaints, khronos_reads
from tests.oracles.in_mujoco import at_rest, drawn, mujoco_model
from tests.reports import explained

PIN = {"limits": [{"linearAxes": [0, 1, 2], **LOCKED}]}
URDF = """<robot name="r"><link name="a"><visual><geometry><box size="1 1 1"/></geometry></visual></link>
<link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<visual><geometry><box size="1 1 1"/></geometry></visual></link>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/><origin xyz="0 0 1"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>"""


APART = ([0.25, 0, 0], [0, 0, 0.5])
MEETING = ([0, 0, 0.75], [0, 0, 0.25])
"""Positions of the two ends of a joint that coincide in the initial pose."""


def tie(
    document: dict[str, Any], joint: dict[str, Any], ends: tuple[str, str], places: Any = APART, **more: Any
) -> None:
    """Add a joint between a new child node of one node and a new child node of another."""
    near, far = ends
    table = document["extensions"][BODIES].setdefault("physicsJoints", [])
    table.append(joint)
    nodes = document["nodes"]
    tied = {"joint": len(table) - 1, "connectedNode": len(nodes)} | more
    by_name(document, far).setdefault("children", []).append(len(nodes))
    nodes.append({"name": "far", "translation": places[1]})
    by_name(document, near).setdefault("children", []).append(len(nodes))
    nodes.append({"name": "near", "translation": places[0], "extensions": {BODIES: {"joint": tied}}})


@pytest.fixture
def chain(tmp_path: Path) -> Path:
    convert(saved(tmp_path / "robot.urdf", URDF), tmp_path / "robot.gltf")
    return tmp_path / "robot.gltf"


def test_a_joint_between_bodies_that_are_held_closes_a_loop(arm: Path) -> None:
    changed = edited(arm, lambda document: tie(document, PIN, ("base", "upper"), MEETING, enableCollision=True))
    assert complaints(khronos_reads([changed])[0]) == []
    found = told(changed, arm.with_name("back.xml"))
    assert {where: each.action for where, each in found.items()} == {"joint/near": "derived", "frame/far": "derived"}
    model = back(arm.with_name("back.xml"))
    (equality,) = [n for n in range(model.neq) if model.equality(n).type[0] == mujoco.mjtEq.mjEQ_CONNECT]
    assert model.eq_data[equality][:6] == pytest.approx([0, 0, 0.75, 0, 0, 0.25])
    told(changed, arm.with_name("again.gltf"))
    convert(arm.with_name("again.gltf"), arm.with_name("last.xml"))
    assert back(arm.with_name("last.xml")).neq == model.neq


def test_a_joint_holds_a_root_that_nothing_holds(chain: Path) -> None:
    """A URDF does not define how its root is attached."""
    joint = {
        "limits": [*HINGE, {"angularAxes": [0], "min": -0.5, "max": 0.75}],
        "drives": [
            {"type": "angular", "mode": "force", "axis": 0, "stiffness": 3.0, "positionTarget": 0.25, "maxForce": 2}
        ],
    }
    changed = edited(chain, lambda document: tie(document, joint, ("r", "a")))
    found = told(changed, chain.with_name("back.xml"))
    assert {where: each.action for where, each in found.items()} == {"joint/near": "derived", "frame/far": "derived"}
    model = back(chain.with_name("back.xml"))
    held = model.joint("near")
    assert model.body("a").id == model.jnt_bodyid[held.id] and held.axis == pytest.approx([1, 0, 0])
    assert held.range == pytest.approx([-0.5, 0.75]) and held.pos == pytest.approx([0, 0, 0.5])
    data = at_rest(model)
    assert data.body("a").xpos == pytest.approx([0.25, 0, -0.5])  # the two frames are one
    (actuator,) = [n for n in range(model.nu) if model.actuator_trnid[n][0] == held.id]
    assert model.actuator_gainprm[actuator][0] == 3.0
    assert model.actuator_forcerange[actuator] == pytest.approx([-2, 2])
    assert model.key_ctrl[0][actuator] == 0.25


def test_the_other_way_round_it_is_the_same_motion_backwards(chain: Path) -> None:
    joint = {"limits": [*HINGE, {"angularAxes": [0], "min": -0.5, "max": 0.75}]}
    scenes = []
    for ends in (("r", "a"), ("a", "r")):
        changed = edited(chain, lambda document, ends=ends: tie(document, joint, ends))
        scenes.append(read(changed))
    (one,), (other,) = (scene.joint_of("a").dofs for scene in scenes)
    assert one.kind is other.kind is DofKind.HINGE
    assert (one.lower, one.upper) == (other.lower, other.upper) == (-0.5, 0.75)
    assert np.array(one.axis) == pytest.approx(-np.array(other.axis))


@pytest.mark.parametrize(
    ("joint", "far", "words"),
    [(PIN, "base", "connects a body to itself"), ({"limits": []}, "upper", "restricts no motion")],
)
def test_what_ties_nothing_is_told(arm: Path, joint: dict[str, Any], far: str, words: str) -> None:
    changed = edited(arm, lambda document: tie(document, joint, ("base", far)))
    found = told(changed, arm.with_name("back.xml"))
    assert found["scene"].action == "ignored" and words in found["scene"].reason
    assert back(arm.with_name("back.xml")).neq == 0


def test_a_node_of_ours_may_say_it(arm: Path) -> None:
    """Any other change of that node is handled as usual."""

    def change(document: dict[str, Any]) -> None:
        table = document["extensions"][BODIES]["physicsJoints"]
        table.append(PIN)
        upper, base = by_name(document, "upper"), by_name(document, "base")
        said = base.setdefault("extensions", {}).setdefault(BODIES, {})
        said["joint"] = {"joint": len(table) - 1, "connectedNode": document["nodes"].index(upper)}

    found = told(edited(arm, change), arm.with_name("back.xml"))
    assert [*found] == ["joint/base"] and "closes a loop" in found["joint/base"].reason
    model = back(arm.with_name("back.xml"))
    assert model.neq == 1 and model.eq_data[0][:3] == pytest.approx([0, 0, 0])

    def more(document: dict[str, Any]) -> None:
        change(document)
        by_name(document, "base")["weights"] = [1.0]

    assert "scene" in told(edited(arm, more), arm.with_name("back.xml"))


def test_what_has_no_place_in_a_joint_stays_with_it_and_is_told(arm: Path) -> None:
    """This holds for a drive by acceleration, but not for a soft limit, which has a place."""
    soft = {"angularAxes": [0], "min": -1, "max": 1, "stiffness": 5.0}
    drive = {"type": "angular", "mode": "acceleration", "axis": 0, "velocityTarget": 1.0, "damping": 2.0}
    joint = {"limits": [*HINGE, soft], "drives": [drive]}
    changed = edited(arm, lambda document: tie(document, joint, ("base", "upper"), MEETING))
    report = explained(convert(changed, arm.with_name("again.gltf")))
    (loop,) = read(arm.with_name("again.gltf")).loops.values()
    assert {extra.path: extra.text for extra in loop.extras} == {"drives/0/mode": '"acceleration"'}
    assert [dof.stop for dof in loop.dofs] == [Stop(stiffness=5.0)]
    report = convert(changed, arm.with_name("back.xml"))
    assert any("acceleration" in each.before for each in report.findings if each.rule != "gltf/edited")


@pytest.mark.parametrize("names", [("turn/child",), ("turn/parent",), ("turn/child", "turn/parent", "bar/collider")])
def test_nodes_of_physics_that_lost_their_marks_are_what_they_are_called(arm: Path, names: tuple[str, ...]) -> None:
    """They are neither new frames nor new joints, and what changed in their joint arrives."""

    def change(document: dict[str, Any]) -> None:
        for name in names:
            del by_name(document, name)["extras"]
        document["extensions"][BODIES]["physicsJoints"][0]["limits"][-1]["max"] = 1.25

    found = told(edited(arm, change), arm.with_name("back.xml"))
    assert found["joint/turn"].action == "derived" and not {where for where in found if where.startswith("frame")}
    model = back(arm.with_name("back.xml"))
    assert (model.nsite, model.neq) == (1, 0)
    assert model.jnt_range[0] == pytest.approx([-1, 1.25])


@pytest.mark.parametrize(("joint", "points"), [(PIN, 1), ({"limits": HINGE}, 2)])
def test_ends_that_are_apart_as_the_model_is_drawn_are_sites(arm: Path, joint: dict[str, Any], points: int) -> None:
    """One point would keep together what coincides initially; here it would pull one end to the other."""
    changed = edited(arm, lambda document: tie(document, joint, ("base", "upper")))
    assert set(told(changed, arm.with_name("back.xml"))) == {"joint/near", "frame/far"}
    model, data = drawn(arm.with_name("back.xml"))
    assert model.neq == points
    gaps = data.efc_pos[: 3 * points].reshape(-1, 3)
    base, upper = data.body("base").xpos, data.body("upper").xpos
    assert gaps == pytest.approx(np.tile(base + [0.25, 0, 0] - (upper + [0, 0, 0.5]), (points, 1)))  # noqa: RUF005
    explained(convert(arm.with_name("back.xml"), arm.with_name("again.gltf")))
    scenes = [read(path) for path in (changed, arm.with_name("again.gltf"))]
    assert [[*scene.loops] for scene in scenes] == [["near"], ["near"]]
    frames = [{frame.name for body in scene.bodies.values() for frame in body.frames} for scene in scenes]
    assert frames == [{"tip", "far"}] * 2
    assert all(not scene.constraints for scene in scenes)


LOOP = """<mujoco><worldbody><body name="base"><geom size=".1"/>
<body name="one" pos="0 0 1"><joint name="j1" axis="0 1 0"/><geom size=".1"/>
<body name="two" pos="0 0 1"><joint name="j2" axis="0 1 0"/><geom size=".1"/></body></body></body>
<body name="held" mocap="true" pos="0 0 2"/></worldbody><equality>%s</equality></mujoco>"""


@pytest.mark.parametrize(
    "tied", ['<connect body1="base" body2="two" anchor="0 0 2"/>', '<weld body1="held" body2="two"/>']
)
def test_a_body_hangs_where_its_node_does_and_other_joints_close_loops(tied: str, tmp_path: Path) -> None:
    """The tie is nearer to the world than the chain is."""
    convert(saved(tmp_path / "in.xml", LOOP % tied), tmp_path / "there.glb")
    explained(convert(tmp_path / "there.glb", tmp_path / "out.xml", options=Options(carried=False)))
    model = mujoco_model(tmp_path / "out.xml")
    assert model.body(model.body("two").parentid[0]).name == "one"
    assert [model.joint(name).type[0] for name in ("j1", "j2")] == [mujoco.mjtJoint.mjJNT_HINGE] * 2
    assert model.neq == 1
