"""Robots to GLB, judged by the Khronos validator, Pinocchio and MuJoCo, and by the content of the source files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from converters.context import InputError, Options
from converters.convert import load, make, write
from converters.srdf.tables import PLANAR
from ir.scene import Scene
from ir.types import WORLD, DofKind, Joint
from tests.corpus.checks import Case, first_difference, judged, placeless
from tests.corpus.sdf_drake import reading
from tests.oracles import in_mujoco, in_pinocchio, mesh_files, plain_urdf
from tests.oracles.in_khronos import complaints, khronos_reads
from tests.oracles.mesh_file import touched
from tests.oracles.plain_gltf import Plain, plain_gltf
from tests.oracles.shapes_against_mjcf import extent_off

GLB = ("glb", "explained", "khronos", "names", "poses", "triangles", "colours", "back")
TOLERANCE = 1e-6
SAMPLES = 10
KIND, NAME = "kinegraph_kind", "kinegraph_name"


def to_glb(path: str) -> dict[str, Any]:
    """Convert a model of any format to GLB, and back."""
    return judged(path, [_to_glb])


def _to_glb(case: Case) -> None:
    there = case.work / "there"
    there.mkdir()
    written = there / "robot.glb"
    report = case.convert("glb", case.path, written)
    if report is None:
        return
    case.explained("explained", report)
    case.verdicts.good("khronos")
    for text in complaints(khronos_reads([written])[0]):
        case.verdicts.fail("khronos", text)
    document = plain_gltf(written)
    suffix = case.path.suffix.lower()
    if suffix == ".urdf":
        robot = plain_urdf.load(case.path)
        _names(case, document, set(robot.links))
        _poses(case, _pinocchio(case.path))
        _shapes(case, document, robot)
    elif suffix in (".xml", ".mjcf"):
        _as_in_mujoco(case, document)
    else:
        drake_poses(case)
    _back(case, written)


def _as_in_mujoco(case: Case, document: Plain) -> None:
    try:
        model = in_mujoco.mujoco_model(case.path)
    except ValueError as error:
        for criterion in ("names", "poses"):
            case.verdicts.excuse(criterion, f"MuJoCo refuses the source: {str(error).strip()[:120]}")
        return
    named = {mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_BODY, index) for index in range(1, model.nbody)}
    _names(case, document, named - {"", None})
    _poses(case, _mujoco(model))


# -------------------------------------------------------------------------------------------------------------- names


def bodies(document: Plain, scene: int = 0) -> dict[str, np.ndarray]:
    """Return the 4x4 pose of every node that is marked as a body."""
    found = {}
    for node, world in document.nodes(scene):
        extras = node.get("extras", {})
        if extras.get(KIND) == "body":
            found[extras[NAME]] = world
    return found


def _names(case: Case, document: Plain, expected: set[str]) -> None:
    case.verdicts.good("names")
    found = {node.get("name") for node, _ in document.nodes()}
    for name in sorted(expected - found - {"world"}):
        case.verdicts.fail("names", f"no node {name!r}")


# -------------------------------------------------------------------------------------------------------------- poses


def _pinocchio(path: Path) -> Any:
    model = in_pinocchio.pinocchio_model(path)

    def poses(values: dict[str, tuple[float, ...]]) -> dict[str, np.ndarray]:
        known = (
            {  # Pinocchio has w last
                name: (*value[:3], *value[4:], value[3]) if len(value) == 7 else value
                for name, value in values.items()
                if model.existJointName(name)
            }
            | {
                str(name): tuple(values[f"{name}{suffix}"][0] for suffix in PLANAR)
                for name, joint in zip(model.names, model.joints, strict=True)
                if joint.shortname() == "JointModelPlanar"
            }
        )
        return in_pinocchio.link_poses(model, in_pinocchio.configuration(model, known))

    return poses


def _mujoco(model: mujoco.MjModel) -> Any:
    data = mujoco.MjData(model)

    def poses(values: dict[str, tuple[float, ...]]) -> dict[str, np.ndarray]:
        mujoco.mj_resetData(model, data)
        if len(values) != model.njnt:
            return {}
        for number, (name, value) in enumerate(values.items()):
            found = in_mujoco.joint(model, name)
            index = found if found is not None else number  # joints without a name, by their order
            start = model.jnt_qposadr[index]
            data.qpos[start : start + len(value)] = value
        found = in_mujoco.poses(model, data)
        return {
            str(mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_BODY, index)): found[index]
            for index in range(1, model.nbody)
        }

    return poses


def _poses(case: Case, engine: Any) -> None:
    """Compare nodes with an engine at random configurations, given as a user does, by --pose."""
    from ir.kinematics import configuration, random_configuration, velocity_dofs

    case.verdicts.good("poses")
    scene = load(case.path, options=case.options).scene
    bare = bones(scene)
    target = case.work / "posed.glb"
    dofs = scene.dofs()
    lost = {name: (0.0,) for name, (_, dof) in dofs.items() if dof.mimic is not None and dof.mimic.dof not in dofs}
    for seed in range(SAMPLES):
        asked = random_configuration(scene, seed)
        pose = tuple(f"{name}={','.join(map(repr, value))}" for name, value in asked.items())
        try:
            write(bare, target, options=Options(pose=pose, audit=False))
        except InputError as error:
            case.verdicts.fail("poses", f"refused: {error}")
            return
        values = configuration(scene, lost | asked)
        theirs = engine({dof.name: values[dof.name] for _, dof, _ in velocity_dofs(scene)})
        if not theirs:
            case.verdicts.excuse("poses", "the engine knows the joints by no name")
            return
        ours = bodies(plain_gltf(target))
        for name, at in ours.items():
            expected = theirs.get(name)
            if expected is not None and not np.abs(at - expected).max() <= TOLERANCE * max(1.0, np.abs(at).max()):
                case.verdicts.fail("poses", f"{name!r} is off by {np.abs(at - expected).max():.1e} at seed {seed}")
                return


def drake_poses(case: Case) -> None:
    """Compare nodes with Drake's reading of the SDF at random configurations; floating bodies stay at their start."""
    from ir.kinematics import configuration, random_configuration

    case.verdicts.good("poses")
    scene = load(case.path, options=case.options).scene
    bare = bones(scene)
    tree = [joint for joint in scene.joints.values() if not joint.closes_loop and joint.dofs]
    moving = {joint.name: joint for joint in tree if joint.dofs[0].kind is not DofKind.FREE}
    free = {dof.name for joint in tree if joint.name not in moving for dof in joint.dofs}
    dofs = scene.dofs()
    lost = {name: (0.0,) for name, (_, dof) in dofs.items() if dof.mimic is not None and dof.mimic.dof not in dofs}
    posed, samples = [], []
    for seed in range(SAMPLES):
        drawn = random_configuration(scene, seed)
        asked = {name: value for name, value in drawn.items() if name not in free}
        values = configuration(scene, lost | asked)
        samples.append({name: _in_joint(joint, values) for name, joint in moving.items()})
        posed.append(tuple(f"{name}={','.join(map(repr, value))}" for name, value in asked.items()))
    loops = {joint.name for joint in scene.joints.values() if joint.closes_loop}
    answer = reading(case, moving, loops, _model_folders(case), samples)
    if isinstance(answer, str):
        case.verdicts.excuse("poses", answer)
        return
    target = case.work / "posed.glb"
    for seed, (pose, theirs) in enumerate(zip(posed, answer["at"], strict=True)):
        try:
            write(bare, target, options=Options(pose=pose, audit=False))
        except InputError as error:
            case.verdicts.fail("poses", f"refused: {error}")
            return
        ours = bodies(plain_gltf(target))
        for name, said in theirs["bodies"].items():
            at, expected = ours.get(name), np.reshape(said, (4, 4))
            if at is None:
                case.verdicts.fail("poses", f"no node {name!r}")
            elif not np.abs(at - expected).max() <= TOLERANCE * max(1.0, np.abs(at).max()):
                case.verdicts.fail("poses", f"{name!r} is off by {np.abs(at - expected).max():.1e} at seed {seed}")
                return


def _in_joint(joint: Joint, values: Mapping[str, Sequence[float]]) -> list[float]:
    """Return the coordinates of a joint as drake_moves takes them."""
    if joint.dofs[0].kind is DofKind.BALL:
        return list(in_mujoco.matrix(np.array(values[joint.dofs[0].name])).ravel())
    return [values[dof.name][0] for dof in joint.dofs]


def _model_folders(case: Case) -> list[Path]:
    """Return where `model://name` is searched: parent folders that contain models, and the given folders."""
    above = [folder for folder in case.path.resolve().parents[:4] if any(folder.glob("*/model.config"))]
    return [*(case.options.resource_paths if case.options else ()), *above]


def bones(scene: Scene) -> Scene:
    """Return the scene without geoms, materials and assets, whose files would be written, too; body poses are
    unchanged."""
    from msgspec.structs import replace

    bodies = [replace(body, geoms=()) for body in scene.bodies.values()]
    return scene.evolve(bodies=bodies, tables={"asset": (), "material": ()})


# ------------------------------------------------------------------------------------------------------------- shapes


def _shapes(case: Case, document: Plain, robot: plain_urdf.Robot) -> None:
    """Compare triangles, extents and colours of the visuals of each link with the files that the URDF references."""
    case.verdicts.good("triangles")
    case.verdicts.good("colours")
    worlds = bodies(document)
    shown: dict[str, list[tuple[dict[str, Any], np.ndarray]]] = {}
    owner = ""
    for node, world in document.nodes():
        extras = node.get("extras", {})
        if extras.get(KIND) == "body":
            owner = extras[NAME]
        elif extras.get(KIND) == "geom" and "mesh" in node:
            shown.setdefault(owner, []).append((node, world))
    for name, link in robot.links.items():
        wanted = [shape for shape in link.visuals if shape.exists]
        found = shown.get("" if name == WORLD else name, [])  # what stands in the world hangs on no body
        files = [mesh_files.read(shape.file) if shape.file is not None else None for shape in wanted]
        if any(file is not None and file.problem for file in files):
            case.verdicts.excuse("triangles", f"{name}: a file that cannot be counted")
            continue
        kept = [(shape, file) for shape, file in zip(wanted, files, strict=True) if file is None or file.triangles]
        if len(kept) != len(found):
            case.verdicts.fail("triangles", f"{name}: {len(kept)} visuals, {len(found)} nodes with a mesh")
            continue
        inverse = np.linalg.inv(worlds[name]) if name in worlds else np.eye(4)
        for (shape, file), (node, world) in zip(kept, found, strict=True):
            if file is not None:
                _mesh(case, document, shape, file, node, inverse @ world)
            _colour(case, document, shape, file, node)


def _mesh(
    case: Case,
    document: Plain,
    shape: plain_urdf.Shape,
    file: mesh_files.MeshFile,
    node: dict[str, Any],
    at: np.ndarray,
) -> None:
    count, corners = 0, []
    for primitive in document.document["meshes"][node["mesh"]]["primitives"]:
        positions, faces = document.triangles(primitive)
        count += len(faces)
        corners.append(touched(positions, faces) @ at[:3, :3].T + at[:3, 3])
    if count != file.triangles:
        case.verdicts.fail("triangles", f"{shape.place}: expected {file.triangles} triangles, got {count}")
    assert file.points is not None
    ours = (file.points * np.array(shape.size)) @ shape.pose[:3, :3].T + shape.pose[:3, 3]
    if off := extent_off(ours, np.vstack(corners), TOLERANCE):
        case.verdicts.fail("triangles", f"{shape.place}: the extent is off by {off}")


def _colour(
    case: Case, document: Plain, shape: plain_urdf.Shape, file: mesh_files.MeshFile | None, node: dict[str, Any]
) -> None:
    materials = [
        document.document["materials"][primitive["material"]]
        for primitive in document.document["meshes"][node["mesh"]]["primitives"]
    ]
    looks = [material["pbrMetallicRoughness"] for material in materials]
    got = [_display(look.get("baseColorFactor", [1.0] * 4)) for look in looks]
    textured = any("baseColorTexture" in look for look in looks)
    if file is not None and (file.colours or file.textured):
        for colour in file.colours:
            if not any(np.abs(rgba[:3] - np.clip(colour[:3], 0, 1)).max() < 2e-3 for rgba in got):
                case.verdicts.fail("colours", f"{shape.place}: {shape.uri} has {colour}, got {got[0].round(3)}")
                return
        if file.textured and not textured and not _has_uvs(document, node):
            case.verdicts.excuse("colours", f"{shape.place}: {shape.uri} has a texture and no coordinates for it")
        elif file.textured and not textured:
            case.verdicts.fail("colours", f"{shape.place}: {shape.uri} has a texture, no primitive has")
    elif shape.textured and file is not None and not textured:
        case.verdicts.excuse("colours", f"{shape.place}: a texture on a mesh without coordinates for it")
    elif shape.colours and not any(np.abs(rgba - colour).max() < 2e-3 for rgba in got for colour in shape.colours):
        case.verdicts.fail("colours", f"{shape.place}: expected {shape.colours[0]}, got {got[0].round(3)}")


def _has_uvs(document: Plain, node: dict[str, Any]) -> bool:
    return any("TEXCOORD_0" in each["attributes"] for each in document.document["meshes"][node["mesh"]]["primitives"])


def _display(factor: list[float]) -> np.ndarray:
    """Return the sRGB values of linear colours (IEC 61966-2-1), with alpha unchanged."""
    rgb = np.array(factor[:3])
    return np.array([*np.where(rgb <= 0.0031308, rgb * 12.92, 1.055 * rgb ** (1 / 2.4) - 0.055), factor[3]])


# --------------------------------------------------------------------------------------------------------------- back


def _back(case: Case, written: Path) -> None:
    """Check that source -> GLB -> source equals source -> source, byte for byte, if files are found from both."""
    suffix = case.path.suffix
    target = case.work / "back" / f"robot{suffix}"
    name = {".urdf": "urdf", ".sdf": "sdf", ".world": "sdf"}.get(suffix, "mjcf")
    case.verdicts.good("back")
    folder = Options(resource_paths=tuple(case.path.parents)[:6], find_srdf=False)
    try:
        original = load(case.path, options=folder)
        straight = make(original, target, target=name, options=folder).output.document
        reading = load(written, options=folder)
        back = make(reading, target, target=name, options=folder).output.document
    except InputError as error:
        case.verdicts.fail("back", f"refused: {error}")
        return
    if straight == back:
        return
    if any(note.rule == "carried/inside" for note in reading.context.notes) or b"<include" in straight:
        case.verdicts.excuse("back", "files or included models are not found from the folder of the GLB")
        return
    one, other = case.work / "straight.txt", case.work / "back.txt"
    one.write_bytes(straight)
    other.write_bytes(back)
    told = first_difference(one, other)
    say = case.verdicts.excuse if name == "urdf" and placeless(one) == placeless(other) else case.verdicts.fail
    say("back", told)
