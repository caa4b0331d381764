"""GLBs of robots that other tools opened and saved: the graph is preserved, or changes are reported."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from converters.context import InputError, Options
from converters.convert import load
from converters.reading import Reading
from ir.diff import differences
from ir.scene import Scene
from ir.types import Mesh
from tests.corpus.checks import Case, judged
from tests.oracles.node import asked, installed

REWRITE = Path(__file__).parents[1] / "oracles" / "transform"
EDITED = "gltf/edited"
OVER_ALL = frozenset({"scene", "body"})
"""Places of notes that name no single entity."""


def saves(path: str) -> dict[str, Any]:
    """Convert a model of any format to GLB, saved by gltf-transform (in several ways), by trimesh and by pygltflib."""
    return judged(path, [_saves])


def _saves(case: Case) -> None:
    written = case.work / "robot.glb"
    if case.convert("glb", case.path, written) is None:
        return
    folders = Options(resource_paths=tuple(case.path.parents)[:6])
    before = load(written, options=folders)
    for tool, save in TOOLS.items():
        target = case.work / f"{tool}.glb"
        try:
            save(written, target)
        except Exception as error:  # whatever the tool raises
            case.verdicts.excuse(tool, f"the tool fails: {type(error).__name__}: {str(error)[:120]}")
            continue
        judge(case, tool, before, target, folders)


def judge(case: Case, criterion: str, before: Reading, saved: Path, options: Options | None = None) -> None:
    """Check that every difference of a saved file from the written one is reported, by a note that names its place.

    Meshes whose files are missing are shown as they are inside either file: their addresses differ. A mesh that only
    the saved file has belongs to a geom, which is reported where it shows it; the same holds for materials. One that is
    missing was shown by geoms that are all reported.
    """
    case.verdicts.good(criterion)
    inside = f"{Path(before.context.file).name}#"
    moved = {asset.name for asset in before.scene.assets.values() if asset.uri.startswith(inside)}
    try:
        after = load(saved, options=options)
    except InputError as error:
        case.verdicts.fail(criterion, f"refused: {error}")
        return
    told = {note.where for note in after.context.notes if note.rule == EDITED}
    names = {where.partition("/")[2] for where in told} - {""}
    showing = _showing(before.scene)
    for difference in differences(before.scene, after.scene):
        if difference.path[0] == "asset" and (difference.path[1] in moved or difference.kind == "extra"):
            continue
        if (
            difference.path[0] == "asset"
            and difference.kind == "absent"
            and set() < showing[difference.path[1]] <= names
        ):
            continue
        if difference.path[0] == "material" and difference.kind == "extra" and any("geom/" in where for where in told):
            continue
        if not (names & set(difference.path) or told & OVER_ALL & set(difference.path[:1])):
            change = f"{difference.before!s:.60} -> {difference.after!s:.60}"
            case.verdicts.fail(criterion, f"silent: {difference.where}: {change}")
    if told - OVER_ALL:
        case.verdicts.excuse(criterion, f"told: {', '.join(sorted({where.partition('/')[0] for where in told}))}")


def _showing(scene: Scene) -> dict[str, set[str]]:
    """Return assets -> the geoms that show them."""
    found = {asset: set[str]() for asset in scene.assets}
    for body in scene.bodies.values():
        for geom in body.geoms:
            if isinstance(geom.shape, Mesh):
                found[geom.shape.asset].add(geom.name)
    return found


def _transform(how: str) -> Callable[[Path, Path], None]:
    def save(source: Path, target: Path) -> None:
        request = {"source": str(source), "target": str(target), "how": how}
        asked(installed(REWRITE) / "rewrite.js", [json.dumps(request)])

    return save


def _trimesh(source: Path, target: Path) -> None:
    import trimesh

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        trimesh.load_scene(source).export(target)


def _pygltflib(source: Path, target: Path) -> None:
    import pygltflib

    pygltflib.GLTF2().load(str(source)).save(str(target))


TOOLS: dict[str, Callable[[Path, Path], None]] = {
    "copied": _transform("copy"),
    "pruned": _transform("prune"),
    "instances": _transform("instance"),
    "flattened": _transform("flatten"),
    "joined": _transform("join"),
    "welded": _transform("weld"),
    "quantised": _transform("quantize"),
    "trimesh": _trimesh,
    "pygltflib": _pygltflib,
}
