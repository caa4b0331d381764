"""Scenes of one arm with one property that a format cannot express: the report names the corresponding row of its
table, and nothing is unexplained."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import mujoco
import pytest
from msgspec.structs import replace

from converters import Options, write
from ir.scene import Scene
from ir.types import (
    Actuator,
    Asset,
    Body,
    Calibration,
    Camera,
    Dof,
    DofKind,
    Geom,
    Inertial,
    Joint,
    Keyframe,
    Light,
    Material,
    Mesh,
    Mimic,
    Plane,
    Pose,
    Sensor,
    SoftLimits,
    Sphere,
    Surface,
    Tendon,
    TendonPoint,
)
from tests.reports import explained

SOLID = Inertial(mass=1.0, tensor=(1.0, 1.0, 1.0, 0.0, 0.0, 0.0))
TURNED = Pose((0.1, 0.2, 0.3), (0.8, 0.0, 0.6, 0.0))
Edit = Callable[[Scene], Scene]


def arm(role: str = "both") -> Scene:
    """Return a base, a link that turns on it and has a geom, and another turning link for others to follow."""
    scene = Scene("arm")
    scene.add("material", Material(name="m", rgba=(0.5, 0.5, 0.5, 1.0)))
    geom = Geom(name="g", role=role, shape=Sphere(radius=0.5), material="m")
    for name, geoms in (("a", ()), ("b", (geom,)), ("c", ())):
        scene.add_body(Body(name=name, inertial=SOLID, geoms=geoms))
    for name, child in (("j", "b"), ("k", "c")):
        scene.add_joint(Joint(name=name, parent="a", child=child, dofs=(Dof(name=name, kind=DofKind.HINGE),)))
    return scene


def dof(kind: DofKind, **values: Any) -> Edit:
    return joint(kind, dofs=(Dof(name="j", kind=kind, pitch=0.1 if kind is DofKind.SCREW else None, **values),))


def joint(*kinds: DofKind, **values: Any) -> Edit:
    def edit(scene: Scene) -> Scene:
        dofs = tuple(Dof(name="j" * (place + 1), kind=kind) for place, kind in enumerate(kinds))
        changed = replace(scene.joints["j"], **{"dofs": dofs, **values})
        return scene.evolve(joints=[changed if each.name == "j" else each for each in scene.joints.values()])

    return edit


def body(name: str, **values: Any) -> Edit:
    return lambda scene: scene.evolve(
        bodies=[replace(each, **values) if each.name == name else each for each in scene.bodies.values()]
    )


def geom(role: str, **values: Any) -> Edit:
    changed = Geom(name="g", shape=Sphere(radius=0.5), material=None if role == "collision" else "m", role=role)
    return body("b", geoms=(replace(changed, **values),))


def row(kind: str, entity: Any) -> Edit:
    return lambda scene: scene.evolve(tables={kind: [entity]})


def file(shape: Mesh) -> Edit:
    seen = geom("visual", shape=shape)
    return lambda scene: row("asset", Asset(name=shape.asset, uri="f.obj", made=CORNER, file="here"))(seen(scene))


def loop(kind: DofKind, **values: Any) -> Edit:
    closing = Joint(name="l", parent="b", child="c", dofs=(Dof(name="l", kind=kind, **values),), closes_loop=True)
    return lambda scene: scene.evolve(joints=[*scene.joints.values(), closing])


def state(**values: Any) -> Edit:
    tables = {"actuator": [Actuator(name="m", kind="motor", dof="j")], "keyframe": [Keyframe(name="k", **values)]}
    return lambda scene: scene.evolve(tables=tables)


CORNER = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
WIDE, PLACE = (0.02, 0.01), (0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0)
FREE, SCREW, HINGE = DofKind.FREE, DofKind.SCREW, DofKind.HINGE
LEADER = Mimic(dof="k", multiplier=2.0)
LENGTH = Tendon(name="t", kind="fixed", points=(TendonPoint(kind="joint", target="j", value=1.0),))

ROWS: list[tuple[str, str, Edit]] = [
    ("urdf", "joint.jerk urdf/version", dof(HINGE, jerk=2.0)),
    ("urdf", "joint.deceleration urdf/version", dof(HINGE, deceleration=2.0)),
    ("urdf", "joint.stiffness urdf/joint-dynamics", dof(FREE, stiffness=2.0)),
    ("urdf", "joint.spring_reference urdf/joint-dynamics", dof(FREE, spring_reference=2.0)),
    ("urdf", "joint.calibration urdf/joint-limits", dof(FREE, calibration=Calibration(rising=0.1))),
    ("urdf", "joint.soft urdf/joint-limits", dof(FREE, soft=SoftLimits(k_velocity=1.0, lower=-0.5))),
    ("urdf", "joint.mimic urdf/joint-mimic", dof(FREE, mimic=LEADER)),
    ("urdf", "body.self_collide urdf/body", body("world", self_collide=False)),
    ("urdf", "body.kinematic urdf/body", body("world", kinematic=True)),
    ("urdf", "body.surface urdf/surface", body("b", surface=Surface(slip1=0.5))),
    ("urdf", "material.repeat urdf/material", row("material", Material(name="m", repeat=(2.0, 3.0)))),
    ("sdf", "body.self_collide sdf/world", body("world", self_collide=True)),
    ("sdf", "body.inertial sdf/world-inertia", body("world", inertial=SOLID)),
    ("sdf", "body.linear_damping sdf/velocity-decay", body("world", linear_damping=0.1)),
    ("sdf", "body.kinematic sdf/kinematic", body("world", kinematic=True)),
    ("sdf", "body.geoms.transparency sdf/transparency", geom("collision", transparency=0.5)),
    ("sdf", "joint.mount sdf/joint-chain", joint(HINGE, HINGE, HINGE, mount=TURNED)),
    ("sdf", "body.geoms.shape.normal sdf/plane-normal", geom("both", shape=Plane(normal=(0.0, 0.0, 2.0)))),
    ("sdf 1.6", "material.shininess sdf/material-version", row("material", Material(name="m", shininess=9.0))),
    ("sdf", "body.geoms.shape.centred sdf/centred", file(Mesh(asset="f", centred=True))),
    ("xml", "body.gravity mjcf/world-gravity", body("world", gravity=0.5)),
    ("xml", "tendon.lower mjcf/tendon-range", row("tendon", replace(LENGTH, lower=-1.0))),
    ("xml", "tendon.upper mjcf/tendon-range", row("tendon", replace(LENGTH, upper=1.0))),
    ("xml", "sensor mjcf/sensor", row("sensor", Sensor(name="s", kind="gyro"))),
    ("xml", "sensor mjcf/sensor", row("sensor", Sensor(name="s", kind="jointpos"))),
    ("xml", "sensor mjcf/sensor", row("sensor", Sensor(name="s", kind="rangefinder"))),
    ("xml", "joint.name mjcf/joint-name", joint(dofs=(Dof(name="axle", kind=HINGE),))),
    ("sdf", "joint.pitch sdf/screw-pitch", joint(dofs=(Dof(name="j", kind=SCREW, pitch=0.001617),))),
    ("sdf", "loop.soft sdf/soft-limits", loop(HINGE, soft=SoftLimits(k_velocity=1.0, lower=-1.0))),
    ("sdf", "joint.name sdf/name", joint(dofs=(Dof(name="axle", kind=HINGE),))),
    ("xml", "joint.pitch mjcf/pitch", joint(dofs=(Dof(name="j", kind=HINGE, pitch=0.1),))),
    ("xml", "body.cameras.width mjcf/camera-size", body("b", cameras=(Camera(name="c", width=64, sensor_size=WIDE),))),
    ("xml", "body.cameras.height mjcf/camera-size", body("b", cameras=(Camera(name="c", height=48),))),
    ("xml", "body.lights.kind mjcf/light-kind", body("b", lights=(Light(name="l", kind="area"),))),
    ("xml", "actuator.kp mjcf/gain", row("actuator", Actuator(name="m", kind="velocity", dof="j", kp=0.1, kv=2.0))),
    ("xml", "actuator.kv mjcf/gain", row("actuator", Actuator(name="m", kind="motor", dof="j", kv=0.1))),
    ("xml", "keyframe.poses mjcf/keyframe-poses", row("keyframe", Keyframe(name="k", poses=(("b", PLACE),)))),
    ("xml", "keyframe.activations mjcf/keyframe-activations", state(activations=(("m", (0.5,)),))),
    ("glb", "draft.loop.kind gltf/no-draft", loop(SCREW, pitch=0.1)),
    ("glb", "body.surface gltf/contact", body("b", surface=Surface(restitution=0.5))),
    ("glb", "material.repeat gltf/texture", row("material", Material(name="m", repeat=(2.0, 3.0)))),
]


OPTIONS = {"urdf": Options(urdf_version="1.0"), "sdf 1.6": Options(sdf_version="1.6")}


@pytest.mark.parametrize(("target", "said", "edit"), ROWS, ids=[f"{target} {said}" for target, said, _ in ROWS])
def test_what_has_no_place_is_in_the_table(target: str, said: str, edit: Edit, tmp_path: Path) -> None:
    path = tmp_path / f"o.{target.split()[0]}"
    found = [
        f"{each.aspect} {each.rule}"
        for each in explained(write(edit(arm()), path, options=OPTIONS.get(target))).findings
    ]
    assert said in found
    if target == "xml":
        mujoco.MjModel.from_xml_path(str(path))
