"""A model converted to its target through another format: the tools of the target load it, and nothing is missing."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from converters.assets import inside
from converters.assets.meshes.extent import dimensions
from converters.comparing import compare
from converters.context import InputError, Options
from converters.convert import convert, load
from converters.reading import interpreted, with_files
from converters.report.model import Action, Report
from ir.pose import matrix
from ir.scene import Scene
from ir.types import Mesh, Role
from tests.oracles import in_pinocchio, in_sdformat, in_urdfdom
from tests.oracles.mjcf_against_mjcf import differences, loads
from tests.oracles.verdict import Verdicts

COMPILED = ("counts", "names", "inertia", "poses", "matrix")
"""What the models that MuJoCo compiles from the source and from the result have in common."""
NAMES = {"urdf": "model.urdf", "sdf": "model.sdf", "mjcf": "model.xml", "gltf": "model.glb"}


def went(path: str, folders: list[str], source: str) -> dict[str, Any]:
    """Return the verdicts of one model: "urdf by gltf" is the result in URDF after it was glTF."""
    verdicts = Verdicts()
    options = Options(resource_paths=tuple(map(Path, folders)), find_srdf=False)
    with tempfile.TemporaryDirectory(prefix="kinegraph-via-") as text:
        folder = Path(text)
        direct: dict[str, str] = {}
        for target, name in NAMES.items():
            place = folder / "direct" / target / name
            try:
                convert(path, place, source=source, target=target, options=options)
            except InputError as error:
                verdicts.excuse("converts", str(error))
                return {"criteria": verdicts.criteria, "seconds": {}}
            verdicts.good("converts")
            direct[target] = loaded(place, target)
        for way, middle in NAMES.items():
            for target, name in NAMES.items():
                if target != way and way != source:
                    _arrives(verdicts, Path(path), source, folder, (way, middle), (target, name), direct, options)
    return {"criteria": verdicts.criteria, "seconds": {}}


def _arrives(
    verdicts: Verdicts,
    path: Path,
    source: str,
    folder: Path,
    way: tuple[str, str],
    target: tuple[str, str],
    direct: dict[str, str],
    options: Options,
) -> None:
    between = folder / "direct" / way[0] / way[1]
    place = folder / f"{way[0]}-{target[0]}" / target[1]
    criterion = f"{target[0]} by {way[0]}"
    try:
        report = convert(between, place, source=way[0], target=target[0], options=options)
    except InputError as error:
        verdicts.fail(criterion, f"refused: {error.message}")
        return
    verdicts.good(criterion)
    for each in _unexplained(report):
        verdicts.fail(criterion, f"unexplained: {each}")
    complaint = loaded(place, target[0])
    if complaint and direct[target[0]]:
        verdicts.excuse(criterion, f"nor does it load when it comes at once: {complaint}")
    elif complaint:
        verdicts.fail(criterion, complaint)
    unlike = compare(path, place, options=options, samples=1)
    shown = [each for each in unlike if each.what in ("geometry", "colours")]
    if shown and not _unlike_meshes(path, place, options):  # parts stand for a mesh: all in all they are the same
        unlike = [each for each in unlike if each not in shown]
    for each in unlike[:3]:
        verdicts.fail(criterion, f"{each.what} of {each.where}: {each.first} {each.second} {each.by}")
    if source == target[0] == "mjcf" and not complaint:
        compiled = [loads(each) for each in (path, place)]
        if not isinstance(compiled[0], str) and not isinstance(compiled[1], str):
            for what, found in differences(*compiled, rollout=False):
                for each in found[:2] if what in COMPILED else ():
                    verdicts.fail(criterion, f"{what}: {each}")


def _unlike_meshes(path: Path, place: Path, options: Options) -> bool:
    """Whether the meshes of any body, taken together, have other triangles or another extent.

    Except for flat colliding parts, for which MuJoCo has boxes.
    """
    first, second = (_meshes(interpreted(with_files(load(each, options=options)))) for each in (path, place))
    return any(not _near(first.get(key), second.get(key)) for key in {**first, **second})


Sum = tuple[int, np.ndarray]
"""Number of triangles, and the lowest and the highest corner (6,) in the frame of the body."""


def _meshes(scene: Scene) -> dict[tuple[str, str], Sum]:
    found: dict[tuple[str, str], Sum] = {}
    for body in scene.bodies.values():
        for geom in body.geoms:
            asset = scene.assets.get(geom.shape.asset) if isinstance(geom.shape, Mesh) else None
            if asset is None or asset.file is None or not isinstance(geom.shape, Mesh):
                continue
            parts = [
                part
                for part in inside.mesh(asset).parts
                if geom.role == Role.VISUAL or dimensions(part.vertices[np.unique(part.faces)]) == 3
            ]
            if not parts:
                continue
            points = np.concatenate([part.vertices[np.unique(part.faces)] for part in parts]) * geom.shape.scale
            points = points @ matrix(geom.pose.rot).T + geom.pose.pos
            count, bounds = sum(len(part.faces) for part in parts), np.array([points.min(0), points.max(0)])
            known = found.get((body.name, geom.role))
            if known is not None:
                count += known[0]
                bounds = np.array([np.minimum(bounds[0], known[1][0]), np.maximum(bounds[1], known[1][1])])
            found[body.name, geom.role] = (count, bounds)
    return found


def _near(first: Sum | None, second: Sum | None) -> bool:
    if first is None or second is None:
        return first is second
    return first[0] == second[0] and bool(np.abs(first[1] - second[1]).max() <= 1e-6 * max(1.0, np.abs(first[1]).max()))


def _unexplained(report: Report) -> list[str]:
    return [f"{each.where} {each.before}" for each in report.findings if each.action is Action.UNEXPLAINED]


def loaded(place: Path, target: str) -> str:
    """Return the complaints of the tools of a format, "" if they load it."""
    if target == "mjcf":
        found = loads(place)
        return found if isinstance(found, str) else ""
    if target == "urdf":
        return in_urdfdom.check_urdf(place) or in_pinocchio.reads(place) or ""
    if target == "sdf":
        return "; ".join(map(str, in_sdformat.sdformat_reads(place).get("errors", ())))
    return ""
