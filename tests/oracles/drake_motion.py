"""How a URDF or SDF file moves as Drake reads it: every name with the path of its model, without meshes.

A served module: Drake is imported once, and a file on which it aborts costs only one answer.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tests.oracles.in_drake import row
from tests.oracles.plain_urdf import gazebo_place
from tests.oracles.server import lasting, serve


class Refused(Exception):  # noqa: N818 (an answer of Drake, not a fault of ours)
    """Drake does not read the file; the message is the end of its error message."""


def drake_moves(path: Path, folders: list[Path], at: list[dict[str, list[float]]]) -> dict[str, Any]:
    """Return {"joints": {path: {type, parent, child, before, after, position, velocity}}, "masses": {path: kg}, "at":
    [{"bodies": {path: 16 numbers of its pose}, "matrix"}]}.

    position and velocity are [first index, count]; before and after the 16 numbers of the frame of the joint in its
    parent and its child. folders: where `model://name` and `package://name` are searched. at: configurations, joint ->
    coordinates; for a ball nine numbers, the rotation of the child along its own axes at zero. Joints that are not
    named are at rest. Raises Refused.
    """
    try:
        answer: dict[str, Any] = lasting(__name__).ask(
            "moves", timeout=120, path=str(path), folders=[str(folder) for folder in folders], at=at
        )
    except Exception as error:  # whatever Drake raises, or the death of its process
        raise Refused(str(error).strip().splitlines()[-1][-300:]) from error
    return answer


def _moves(path: str, folders: list[str], at: list[dict[str, list[float]]]) -> dict[str, Any]:
    from pydrake.multibody.parsing import Parser
    from pydrake.multibody.plant import MultibodyPlant

    plant = MultibodyPlant(0.0)
    parser = Parser(plant)
    for folder in folders:
        for model in Path(folder).iterdir():
            if (model / "model.config").is_file() and not parser.package_map().Contains(model.name):
                parser.package_map().Add(model.name, model)
    models = parser.AddModels(Path(path))
    if path.endswith(".urdf"):
        _hold_roots(plant, models[0], path)
    plant.Finalize()
    bare = _bare(plant, models, path)
    bodies = {bare(item): item for index in _all(plant.num_bodies()) if (item := _body(plant, index)) is not None}
    joints = {bare(item): item for index in plant.GetJointIndices() if (item := plant.get_joint(index)) is not None}
    context = plant.CreateDefaultContext()
    return {
        "joints": {name: _joint(joint, bare, context) for name, joint in joints.items()},
        "masses": {name: body.default_mass() for name, body in bodies.items()},
        "at": [_placed(plant, bodies, joints, q) for q in at],
    }


def _all(count: int) -> range:
    return range(1, count)  # the first body is the world


def _body(plant: Any, index: int) -> Any:
    from pydrake.multibody.tree import BodyIndex

    return plant.get_body(BodyIndex(index))


def _hold_roots(plant: Any, model: Any, path: str) -> None:
    """Drake ignores floating joints: their children are free, and are placed at the joint's origin.

    URDF does not define a root without a joint; Pinocchio and MuJoCo weld it: here it has Gazebo's pose.
    """
    from lxml import etree
    from pydrake.math import RigidTransform, RollPitchYaw

    free = {}
    for joint in etree.parse(path).getroot().iterfind("joint[@type='floating']"):
        origin = joint.find("origin")
        said = origin.attrib if origin is not None else {}
        xyz, rpy = ([float(x) for x in said.get(key, "0 0 0").split()] for key in ("xyz", "rpy"))
        free[joint.find("child").get("link")] = RigidTransform(RollPitchYaw(rpy), xyz)
    place = RigidTransform(gazebo_place(Path(path)))
    held = {plant.get_joint(index).child_body().index() for index in plant.GetJointIndices(model)}
    for index in plant.GetBodyIndices(model):
        body = plant.get_body(index)
        if body.name() in free:
            plant.SetDefaultFloatingBaseBodyPose(body, free[body.name()])
        elif index not in held:
            plant.WeldFrames(plant.world_frame(), body.body_frame(), place)


def _bare(plant: Any, models: list[Any], path: str) -> Any:
    """Return a function: the name of an element with the path of its model, scoped as SDFormat does from the root."""
    from lxml import etree

    world = not path.endswith(".urdf") and etree.parse(path, etree.XMLParser(recover=True)).find("world") is not None
    top = "" if world or not models else plant.GetModelInstanceName(models[0])

    def name(item: Any) -> str:
        model = plant.GetModelInstanceName(item.model_instance())
        if model == "WorldModelInstance" or item.model_instance() == plant.world_body().model_instance():
            return str(item.name())
        inner = model if world else model.removeprefix(top).removeprefix("::")
        return f"{inner}::{item.name()}" if inner else str(item.name())

    return name


def _joint(joint: Any, bare: Any, context: Any) -> dict[str, Any]:
    return {
        "type": joint.type_name(),
        "parent": bare(joint.parent_body()),
        "child": bare(joint.child_body()),
        "before": row(joint.frame_on_parent().CalcPoseInBodyFrame(context)),
        "after": row(joint.frame_on_child().CalcPoseInBodyFrame(context)),
        "position": [joint.position_start(), joint.num_positions()],
        "velocity": [joint.velocity_start(), joint.num_velocities()],
    }


def _placed(plant: Any, bodies: Any, joints: Any, q: dict[str, list[float]]) -> dict[str, Any]:
    context = plant.CreateDefaultContext()
    positions = plant.GetPositions(context).copy()
    for name, values in q.items():
        joint = joints[name]
        start, count = joint.position_start(), joint.num_positions()
        positions[start : start + count] = values if len(values) < 9 else _angles(joint, values, context)
    plant.SetPositions(context, positions)
    return {
        "bodies": {name: row(plant.EvalBodyPoseInWorld(context, body)) for name, body in bodies.items()},
        "matrix": [[float(value) for value in row] for row in plant.CalcMassMatrixViaInverseDynamics(context)],
    }


def _angles(joint: Any, rotation: list[float], context: Any) -> np.ndarray:
    """Return roll, pitch, yaw of a ball whose child is rotated along its own axes at zero."""
    from pydrake.math import RollPitchYaw, RotationMatrix

    after = joint.frame_on_child().CalcPoseInBodyFrame(context).rotation().matrix()
    return np.array(RollPitchYaw(RotationMatrix(after.T @ np.reshape(rotation, (3, 3)) @ after)).vector())


if __name__ == "__main__":
    serve({"moves": _moves})
