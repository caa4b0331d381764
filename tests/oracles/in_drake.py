"""URDF, SDF and MJCF as Drake reads them, in a lasting process: Drake takes a second to import, and aborts on input
that others only refuse."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from tests.oracles.server import DiedError, HungError, lasting, serve


def drake_reads(
    path: Path,
    timeout: float = 60.0,
    at: Sequence[Mapping[str, float]] = (),
    packages: Mapping[str, Path] | None = None,
    meshes: bool | None = None,
    touch: bool = False,
) -> dict[str, Any]:
    """Return Drake's reading of a file: {"bodies": {name: [16 numbers of its pose at zero]}, "mass": total, "masses":
    {name: kg}, "joints": {name: [type, parent, child]}, "limits": {name: [lower, upper]}, "damping": {name: one number
    per velocity}, "driven": [joints with an actuator], "gains": {joint: [of the position, of the velocity] of its
    drive}, "at": [{"bodies", "frames", "matrix", "columns"}]}. Raises RuntimeError with the end of its error message,
    which starts with "Drake died" if it is not an exception of Drake; TimeoutError if it does not end.

    at: configurations, joint -> radians or metres (joints that are not named are at zero); for each the poses of the
    bodies and the mass matrix. packages: folders of `package://` and `model://`. meshes: whether they are read as well
    (None: those of SDF). touch: also return the pairs of bodies that no filter excludes ("touch").
    """
    folders = {name: str(folder) for name, folder in (packages or {}).items()}
    try:
        answer: dict[str, Any] = lasting(__name__).ask(
            "reads",
            timeout=timeout,
            path=str(path),
            at=[dict(q) for q in at],
            packages=folders,
            meshes=meshes,
            touch=touch,
        )
    except HungError as error:
        raise TimeoutError(f"Drake does not end on {path}") from error
    except DiedError as error:
        raise RuntimeError(f"Drake died on {path}: {error}") from error
    except RuntimeError as error:
        raise RuntimeError(f"Drake refuses {path}: {str(error).strip()[-500:]}") from error
    return answer


def _reads(
    path: str, at: list[dict[str, float]], packages: dict[str, str], meshes: bool | None, touch: bool
) -> dict[str, Any]:
    from pydrake.geometry import SceneGraph
    from pydrake.multibody.parsing import Parser
    from pydrake.multibody.plant import MultibodyPlant

    plant = MultibodyPlant(0.0)
    sdf = Path(path).suffix in (".sdf", ".world")
    scene_graph = SceneGraph()
    if (sdf if meshes is None else meshes) or touch:
        plant.RegisterAsSourceForSceneGraph(scene_graph)
    parser = Parser(plant)
    for name, folder in packages.items():
        parser.package_map().Add(name, Path(folder))
    models = parser.AddModels(Path(path))
    if path.endswith(".urdf"):
        _weld_roots(plant, models[0])
    plant.Finalize()
    context = plant.CreateDefaultContext()
    bodies = [plant.get_body(index) for model in models for index in plant.GetBodyIndices(model)]
    frames = [plant.get_frame(index) for model in models for index in plant.GetFrameIndices(model)]
    joints = [plant.get_joint(index) for model in models for index in plant.GetJointIndices(model)]
    actuators = [*map(plant.get_joint_actuator, plant.GetJointActuatorIndices())]
    names = [plant.GetModelInstanceName(model) for model in models] if sdf else []
    answer: dict[str, Any] = {
        "bodies": _poses(plant, context, bodies, names),
        "mass": sum(body.default_mass() for body in bodies),
        "masses": {_name(plant, body, names): body.default_mass() for body in bodies},
        "joints": {
            joint.name(): [joint.type_name(), joint.parent_body().name(), joint.child_body().name()] for joint in joints
        },
        "limits": {
            joint.name(): [*joint.position_lower_limits(), *joint.position_upper_limits()]
            for joint in joints
            if joint.num_positions() == 1
        },
        "damping": {joint.name(): joint.default_damping_vector().tolist() for joint in joints},
        "driven": [actuator.joint().name() for actuator in actuators],
        "gains": {
            actuator.joint().name(): [actuator.get_controller_gains().p, actuator.get_controller_gains().d]
            for actuator in actuators
            if actuator.has_controller()
        },
        "at": [],
    }
    if touch:
        answer["touch"] = _touching(plant, scene_graph, bodies)
    columns = {joint.name(): joint.velocity_start() for joint in joints if joint.num_velocities() == 1}
    for q in at:
        placed = _placed(plant, joints, q)
        matrix = plant.CalcMassMatrixViaInverseDynamics(placed)
        answer["at"].append(
            {
                "bodies": _poses(plant, placed, bodies, names),
                "frames": {frame.name(): row(frame.CalcPoseInWorld(placed)) for frame in frames},
                "matrix": [[float(value) for value in row] for row in matrix],
                "columns": columns,
            }
        )
    return answer


def _weld_roots(plant: Any, model: Any) -> None:
    """Weld bodies without a joint to the world; a root named `world` needs no weld, Drake takes it for its own."""
    held = {plant.get_joint(index).child_body().index() for index in plant.GetJointIndices(model)}
    for index in plant.GetBodyIndices(model):
        if index not in held:
            plant.WeldFrames(plant.world_frame(), plant.get_body(index).body_frame())


def _touching(plant: Any, scene_graph: Any, bodies: Sequence[Any]) -> list[list[str]]:
    """Return the pairs of bodies whose first collision geometries are not filtered."""
    inspector = scene_graph.model_inspector()
    first = [(body.name(), found[0]) for body in bodies if (found := plant.GetCollisionGeometriesForBody(body))]
    return [[one, other] for (one, a), (other, b) in combinations(first, 2) if not inspector.CollisionFiltered(a, b)]


def _placed(plant: Any, joints: Sequence[Any], q: Mapping[str, float]) -> Any:
    """Return a context in which the joints of one coordinate are at q (m, rad), by name."""
    context = plant.CreateDefaultContext()
    positions = plant.GetPositions(context).copy()
    for joint in joints:
        if joint.name() in q and joint.num_positions() == 1:
            positions[joint.position_start()] = q[joint.name()]
    plant.SetPositions(context, positions)
    return context


def row(pose: Any) -> list[float]:
    """Return the 4 by 4 matrix of a RigidTransform, row by row."""
    return [float(value) for value in pose.GetAsMatrix4().ravel()]


def _name(plant: Any, body: Any, names: list[str]) -> str:
    """Return the name, with the path of a nested model; for a single model only the name."""
    model = plant.GetModelInstanceName(body.model_instance())
    top = names[0] if names else model
    inner = model.removeprefix(top).removeprefix("::")
    return f"{inner}::{body.name()}" if inner and model != top else str(body.name())


def _poses(plant: Any, context: Any, bodies: list[Any], names: list[str]) -> dict[str, list[float]]:
    return {_name(plant, body, names): row(plant.EvalBodyPoseInWorld(context, body)) for body in bodies}


if __name__ == "__main__":
    serve({"reads": _reads})
