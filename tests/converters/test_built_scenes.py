"""Scenes that a program has built incorrectly: converters.write reports error and place, and raises nothing else."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from converters import InputError, read, write
from ir.scene import Scene
from ir.types import Body, Box, DofKind, Joint, Keyframe, Light, Material, Mesh, Pose, Quat, Scope, Tendon, TendonPoint
from tests.reports import explained, of_rule

URDF = """<robot name="r"><link name="a"><inertial><mass value="1"/>
  <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
  <visual><geometry><box size="1 1 1"/></geometry></visual></link><link name="b"/>
  <joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint></robot>"""
TARGETS = ("r.urdf", "r.xml", "r.sdf", "r.glb")


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    (tmp_path / "source.urdf").write_text(URDF)
    return read(tmp_path / "source.urdf")


def body(scene: Scene, **values: Any) -> Scene:
    first: Body = replace(scene.bodies["a"], **values)
    return scene.evolve(bodies=[first, scene.bodies["b"], scene.bodies["world"]], joints=[])


def mass(scene: Scene, value: Any) -> Scene:
    return body(scene, inertial=replace(scene.bodies["a"].inertial, mass=value))


def geom(scene: Scene, **values: Any) -> Scene:
    return body(scene, geoms=(replace(scene.bodies["a"].geoms[0], **values),))


def dof(scene: Scene, **values: Any) -> Scene:
    joint: Joint = scene.joints["j"]
    return scene.evolve(joints=[replace(joint, dofs=(replace(joint.dofs[0], **values),))])


def few(count: int) -> Any:
    return (1.0,) * count


def cycle(scene: Scene) -> Scene:
    joint = scene.joints["j"]
    return scene.evolve(joints=[joint, replace(joint, name="k", parent="b", child="a", dofs=())])


WRONG: dict[str, tuple[Callable[[Scene], Scene], str]] = {
    "nan": (lambda scene: mass(scene, float("nan")), "body/a: nan is no finite number"),
    "text": (lambda scene: mass(scene, "1"), r"body/a: Expected `float`, got `str` - at `\$.inertial.mass`"),
    "name": (lambda scene: body(scene, name=5), r"body/5: Expected `str`, got `int` - at `\$.name`"),
    "surrogate": (lambda scene: body(scene, name="\ud800"), "body/.: a text has half of a character"),
    "title": (lambda scene: scene.evolve(notation={"version": 5}), "scene: 5 is no text"),
    "unnamed": (lambda scene: body(scene, name=""), "body/: a body without a name: give it one"),
    "unnamed joint": (
        lambda scene: scene.evolve(joints=[replace(scene.joints["j"], name="")]),
        "joint/: a joint without a name: give it one",
    ),
    "control": (lambda scene: body(scene, name="a\x01"), r"a name has the character '\\x01', which no document of XML"),
    "control inside": (lambda scene: geom(scene, name="\x0c"), "body/a: a name has the character '.x0c', which no"),
    "list": (lambda scene: body(scene, geoms=[*scene.bodies["a"].geoms]), "body/a: geoms is a list, and no tuple: "),
    "short": (lambda scene: geom(scene, shape=Box(size=few(1))), r"body/a: .* of length 3, got 1 - at `\$.geoms"),
    "mesh": (lambda scene: geom(scene, shape=Mesh(asset="q")), "shape.asset: there is no asset named 'q'"),
    "material": (lambda scene: geom(scene, material="q"), "material: there is no material named 'q'"),
    "axis": (lambda scene: dof(scene, axis=(0.0, 0.0, 0.0)), "joint/j.dofs.0.axis: the direction has length 0"),
    "long axis": (lambda scene: dof(scene, axis=(1.0, 1.0, 0.0)), "axis: the direction has length 1.41421356, not 1"),
    "rotation": (
        lambda scene: scene.evolve(joints=[replace(scene.joints["j"], pose=Pose(rot=(0.7071, 0.0, 0.7071, 0.0)))]),
        "joint/j.pose.rot: the quaternion has length 0.99999",
    ),
    "array": (
        lambda scene: dof(scene, axis=np.array([0.0, 0.0, 1.0])),
        "joint/j: dofs.0.axis cannot be array.*: a field holds what its type says",
    ),
    "narrow": (lambda scene: dof(scene, lower=np.float32(1)), "joint/j: dofs.0.lower cannot be .*1.0"),
    "word": (lambda scene: dof(scene, kind="hinge"), "joint/j: 'hinge' is no DofKind: a field holds what its type"),
    "list of numbers": (lambda scene: geom(scene, shape=Box(size=[1.0] * 3)), r"body/a: \[1.0, 1.0, 1.0\] is no tuple"),
    "ball": (lambda scene: dof(scene, kind=DofKind.BALL, axis=(0.0, 1.0, 0.0)), "axis: a dof that is ball has no axis"),
    "cycle": (cycle, "bodies in a cycle: a <- b <- a"),
    "dofs": (
        lambda scene: scene.evolve(joints=[replace(scene.joints["j"], dofs=scene.joints["j"].dofs * 2)]),
        "joint/j.dofs.1.name: several dofs are named 'j'",
    ),
    "table": (
        lambda scene: scene.evolve(tables={"material": [Material(name="m", rgba=few(2))]}),
        r"material/m: .* of length 4, got 2 - at `\$.rgba`",
    ),
    "stop": (
        lambda scene: scene.evolve(
            tables={"tendon": [Tendon(name="t", kind="fixed", points=(TendonPoint(kind="dof", target="j"),))]}
        ),
        "tendon/t.points.0.kind: 'dof' is none of site, geom, joint, pulley",
    ),
    "keyframe": (
        lambda scene: scene.evolve(tables={"keyframe": [Keyframe(name="k", positions=(("j", (0.0, 1.0)),))]}),
        "keyframe/k.positions: 'j' has 1 coordinate, and not 2",
    ),
}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("what", WRONG)
def test_what_no_model_says_is_refused_where_it_is(tmp_path: Path, scene: Scene, what: str, target: str) -> None:
    change, said = WRONG[what]
    with pytest.raises(InputError, match=said):
        write(change(scene), tmp_path / target)
    assert not (tmp_path / target).exists()


@pytest.mark.parametrize("target", TARGETS)
def test_a_number_of_numpy_is_a_number(tmp_path: Path, scene: Scene, target: str) -> None:
    write(mass(scene, np.float64(2.0)), tmp_path / target)
    inertial = read(tmp_path / target).bodies["a"].inertial
    assert inertial is not None
    assert inertial.mass == 2.0


@pytest.mark.parametrize("suffix", ["urdf", "sdf", "xml", "glb", "png"])
def test_a_mesh_that_is_gone_when_its_scene_is_written_is_told_like_one_that_is_not_found(suffix: str, tmp_path: Path):
    robot, mesh = tmp_path / "robot.urdf", tmp_path / "mesh.stl"
    shape = '<geometry><mesh filename="mesh.stl"/></geometry>'
    robot.write_text(f'<robot name="r"><link name="a"><visual>{shape}</visual></link></robot>')
    mesh.write_bytes(bytes(84))
    scene = read(robot)
    mesh.unlink()
    report = write(scene, tmp_path / "out" / f"out.{suffix}")
    (missing,) = (finding for finding in report.findings if finding.rule == "assets/missing")
    assert missing.reason == f"{mesh} is not there any more"
    assert missing.sources[0].file == str(robot)
    assert report.missing() == 1


def test_what_a_format_requires_in_a_part_of_a_renamed_body_has_its_reason(tmp_path: Path):
    """A body that the output names otherwise is in it as a whole: its light has a <falloff>, as SDFormat asks for."""
    scene = Scene("r")
    scene.add_body(Body(name="b", scope="arm", lights=(Light(name="lamp", kind="spot", outer=0.5),)))
    report = write(scene.evolve(tables={"scope": [Scope(name="arm")]}), tmp_path / "r.sdf")
    explained(report)
    places = [each.where for each in of_rule(report, "sdf/required")]
    assert places == ["body/arm::b.lights.lamp.extras.spot[1]/falloff[1]"]


def test_a_spring_of_a_ball_has_no_reference_in_mujoco(scene: Scene, tmp_path: Path):
    pulled = dof(scene, kind=DofKind.BALL, stiffness=2.0, spring_reference=0.3)
    report = explained(write(pulled, tmp_path / "r.xml"))
    assert "springref" not in (tmp_path / "r.xml").read_text().partition("<custom>")[0]
    (told,) = of_rule(report, "mjcf/spring-reference")
    assert (told.action, told.where) == ("carried", "joint/j.dofs.0.spring_reference")


@pytest.mark.parametrize("rot, where", [((1.0, 0.0, 0.0, 0.0), "mount"), ((0.6, 0.8, 0.0, 0.0), "mount.pos")])
def test_the_frame_of_a_rotating_joint_beside_its_axis_is_moved_onto_it(
    rot: Quat, where: str, scene: Scene, tmp_path: Path
):
    joint = scene.joints["j"]
    turning = (replace(joint.dofs[0], anchor=(0.0, 0.1, 0.0)),)
    moved = replace(joint, dofs=turning, mount=Pose((0.0, 0.0, 0.5), rot))
    report = explained(write(scene.evolve(joints=[moved]), tmp_path / "r.sdf"))
    assert [each.where for each in of_rule(report, "sdf/joint-frame")] == [f"joint/j.{where}"]
