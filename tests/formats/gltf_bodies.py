"""Bodies and the joints between them, as the drafts of glTF physics spell them."""

from __future__ import annotations

from typing import Any

from ir.scene import Scene
from tests.formats.gltf_made import Made

BODIES, SHAPES = "KHR_physics_rigid_bodies", "KHR_implicit_shapes"
LOCKED = {"min": 0, "max": 0}
HINGE = [{"linearAxes": [0, 1, 2], **LOCKED}, {"angularAxes": [1, 2], **LOCKED}]


def body(made: Made, said: dict[str, Any], **members: Any) -> int:
    return made.node(**members, extensions={BODIES: said})


def world(*shapes: dict[str, Any], **tables: Any) -> Made:
    extensions = {BODIES: tables} if tables else {}
    return Made(extensionsUsed=[BODIES, SHAPES], extensions=extensions | {SHAPES: {"shapes": list(shapes)}})


def pendulum(joint: dict[str, Any], **bob: Any) -> Made:
    """A fixed stand, and a bob whose hinge is 1 m above it; both joint frames have the axes of the scene."""
    made = world({"type": "box", "box": {"size": [0.2, 0.4, 0.6]}}, physicsJoints=[joint])
    frame = made.node(name="far", translation=[0, 1, 0])
    motion = {"mass": 2, "inertiaDiagonal": [1, 2, 3]}
    said = {"motion": motion, "collider": {"geometry": {"shape": 0}}}
    made.scene(body(made, said, name="bob", children=[frame], **bob))
    stand = body(made, {"joint": {"joint": 0, "connectedNode": frame}}, name="swing", translation=[0, 1, 0])
    made.root["scenes"][0]["nodes"].append(stand)
    return made


def one(scene: Scene, name: str):
    """Return the joint of a body and its only dof."""
    joint = scene.joint_of(name)
    (dof,) = joint.dofs
    return joint, dof
