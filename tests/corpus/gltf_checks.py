"""What is promised for every real glTF file: each promise is a criterion with a verdict; trimesh is the reference."""

from __future__ import annotations

import json
import struct
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from converters.assets.inside import mesh
from converters.context import InputError, ReaderContext
from converters.gltf.reader import read
from ir.kinematics import forward
from ir.pose import compose, matrix
from ir.scene import Scene
from ir.types import Mesh
from tests.corpus.checks import Case, judged
from tests.oracles import in_pinocchio
from tests.oracles.in_khronos import complaints, khronos_reads
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.in_urdfdom import check_urdf

FAN = 6
TOLERANCE = 1e-5
"""Relative to the extent: single precision, accumulated along a chain of nodes."""
NOT_READ_BY_TRIMESH = {
    "sparse": "trimesh takes no notice of sparse values",
    "normalized": "trimesh takes quantised values as they are",
    "extensionsRequired": "an extension that trimesh takes no notice of",
    "KHR_draco_mesh_compression": "trimesh takes the compressed mesh for an empty one",
}
"""Maps a word in the document to the reason why its geometry is not compared."""


def read_gltf(path: str) -> dict[str, Any]:
    """Compare reading with trimesh and a recount, then check the conversions to URDF, SDF, MJCF and GLB."""
    return judged(path, [_read, _others])


def _read(case: Case) -> None:
    context = ReaderContext(file=str(case.path), folder=case.path.parent)
    case.verdicts.good("reads")
    try:
        scene = read(case.path.read_bytes(), context)
    except InputError as error:
        place = f"{case.path}:"
        if str(error).startswith(place):
            case.verdicts.excuse("reads", f"refused: {str(error)[len(place) :]}")
        else:
            case.verdicts.fail("reads", f"refused without a place: {error}")
        return
    _conservation(case, context)
    _geometry(case, scene)


def document_of(path: Path) -> bytes:
    """Return the JSON of a file."""
    data = path.read_bytes()
    return data[20 : 20 + struct.unpack_from("<I", data, 12)[0]] if data[:4] == b"glTF" else data


def items(text: bytes) -> int:
    """Return the number of members of all objects of a document."""
    count = 0

    def counted(pairs: list[tuple[str, Any]]) -> None:
        nonlocal count
        count += len(pairs)

    json.loads(text.decode("utf-8-sig").rstrip("\0"), object_pairs_hook=counted)
    return count


def _conservation(case: Case, context: ReaderContext) -> None:
    case.verdicts.good("conservation")
    expected = items(document_of(case.path))
    (document,) = context.documents
    total, *parts = document.totals()
    if not expected == total == sum(parts):
        case.verdicts.fail("conservation", f"json counts {expected} items, the reader {total} = {parts}")


def world(scene: Scene) -> tuple[int, np.ndarray | None]:
    """Return the number of triangles of all meshes of a scene, and their bounding box (2, 3) in the world."""
    poses = forward(scene)
    count, low, high = 0, [], []
    for body in scene.bodies.values():
        for geom in body.geoms:
            if isinstance(geom.shape, Mesh) and geom.role == "visual":
                pose = compose(poses[body.name], geom.pose)
                for part in mesh(scene.assets[geom.shape.asset]).parts:
                    count += len(part.faces)
                    points = part.vertices * geom.shape.scale @ matrix(pose.rot).T + pose.pos
                    low.append(points.min(axis=0))
                    high.append(points.max(axis=0))
    return count, np.array([np.min(low, axis=0), np.max(high, axis=0)]) if low else None


def _geometry(case: Case, scene: Scene) -> None:
    text = document_of(case.path).decode("utf-8", "replace")
    for word, why in NOT_READ_BY_TRIMESH.items():
        if f'"{word}"' in text:
            case.verdicts.excuse("triangles", why)
            return
    shapes = json.loads(text).get("meshes", ())
    if any(each.get("mode") == FAN for shape in shapes for each in shape["primitives"]):
        case.verdicts.excuse("triangles", "trimesh passes over fans")
        return
    try:
        count, box = _trimesh(case.path)
    except Exception as error:  # whatever trimesh raises
        case.verdicts.excuse("triangles", f"trimesh cannot read it: {type(error).__name__}: {str(error)[:80]}")
        return
    ours, own = world(scene)
    case.verdicts.good("triangles")
    if ours != count:
        case.verdicts.fail("triangles", f"{ours} triangles; trimesh has {count}")
    elif own is not None and box is not None:
        case.verdicts.good("bounds")
        extent = max(float(np.abs(box).max()), 1e-9)
        if not np.allclose(own, box, rtol=0, atol=TOLERANCE * extent):
            case.verdicts.fail("bounds", f"{own.round(5).tolist()}; trimesh has {box.round(5).tolist()}")


def _trimesh(path: Path) -> tuple[int, np.ndarray | None]:
    """Return the number of triangles by trimesh, and their bounding box with y turned to z."""
    import trimesh

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        scene = trimesh.load_scene(path, process=False)
    count, points = 0, []
    for node in scene.graph.nodes_geometry:
        place, name = scene.graph[node]
        shape = scene.geometry[name]
        if hasattr(shape, "faces") and len(shape.faces):
            count += len(shape.faces)
            corners = shape.vertices[np.unique(shape.faces)]
            points.append(trimesh.transformations.transform_points(corners, place))
    if not points:
        return count, None
    x, y, z = np.concatenate(points).T
    turned = np.stack([x, -z, y], axis=1)
    return count, np.array([turned.min(axis=0), turned.max(axis=0)])


def _others(case: Case) -> None:
    """Convert the file to every other format, each judged by an engine."""
    if case.verdicts.criteria["reads"]["verdict"] != "good":
        return
    for target in ("urdf", "sdf", "mjcf", "glb"):
        written = case.work / target / f"model{'.xml' if target == 'mjcf' else f'.{target}'}"
        report = case.convert(target, case.path, written)
        if report is not None:
            case.explained(target, report)
            if target == "urdf":
                _links(case, written)
            elif target == "mjcf":
                _loads(case, written)
            elif target == "glb":
                case.verdicts.good("validator")
                for complaint in complaints(khronos_reads([written])[0]):
                    case.verdicts.fail("validator", complaint)


def _links(case: Case, path: Path) -> None:
    case.verdicts.good("links")
    complaint = check_urdf(path)
    if complaint:
        case.verdicts.fail("links", complaint)
        return
    try:
        in_pinocchio.pinocchio_model(path)
    except ValueError as error:
        case.verdicts.fail("links", str(error)[-200:])


def _loads(case: Case, path: Path) -> None:
    case.verdicts.good("loads")
    try:
        mujoco_model(path)
    except ValueError as error:
        case.verdicts.fail("loads", str(error)[-200:])
