"""A model that goes to its target by way of another format: the tools of the target load it, and nothing is missing."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from converters.comparing import compare
from converters.context import InputError, Options
from converters.convert import convert
from converters.report.model import Action, Report
from tests.oracles import in_pinocchio, in_sdformat, in_urdfdom
from tests.oracles.mjcf_against_mjcf import differences, loads
from tests.oracles.verdict import Verdicts

COMPILED = ("counts", "names", "inertia", "poses", "matrix")
"""What the models that MuJoCo compiles of the source and of what arrives have in common."""
NAMES = {"urdf": "model.urdf", "sdf": "model.sdf", "mjcf": "model.xml", "gltf": "model.glb"}


def went(path: str, folders: list[str], source: str) -> dict[str, Any]:
    """Verdicts of one model: "urdf by gltf" is what became of it in URDF when it had been glTF before."""
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
            direct[target] = _loaded(place, target)
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
    complaint = _loaded(place, target[0])
    if complaint and direct[target[0]]:
        verdicts.excuse(criterion, f"nor does it load when it comes at once: {complaint}")
    elif complaint:
        verdicts.fail(criterion, complaint)
    for each in compare(path, place, options=options, samples=1)[:3]:
        verdicts.fail(criterion, f"{each.what} of {each.where}: {each.first} {each.second} {each.by}")
    if source == target[0] == "mjcf" and not complaint:
        compiled = [loads(each) for each in (path, place)]
        if not isinstance(compiled[0], str) and not isinstance(compiled[1], str):
            for what, found in differences(*compiled, rollout=False):
                for each in found[:2] if what in COMPILED else ():
                    verdicts.fail(criterion, f"{what}: {each}")


def _unexplained(report: Report) -> list[str]:
    return [f"{each.where} {each.before}" for each in report.findings if each.action is Action.UNEXPLAINED]


def _loaded(place: Path, target: str) -> str:
    """What the tools of a format complain of, "" where they load it."""
    if target == "mjcf":
        found = loads(place)
        return found if isinstance(found, str) else ""
    if target == "urdf":
        return in_urdfdom.check_urdf(place) or in_pinocchio.reads(place) or ""
    if target == "sdf":
        return "; ".join(map(str, in_sdformat.sdformat_reads(place).get("errors", ())))
    return ""
