"""Damaged glTF, of Kinegraph and of others: what the Khronos validator calls an error is an error here."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import converters
from converters.context import InputError
from converters.validating import validate
from converters.validating.fixing import repair
from converters.validating.rules import ERROR
from converters.validating.run import severity
from tests.files import saved
from tests.oracles.in_khronos import khronos_reads
from tests.reports import explained
from tests.validating.cases import ROUND
from tests.validating.models import BOX, CLEAN, URDF
from tests.validating.other_cases import IDENTITY

Document = dict[str, Any]
Damage = Callable[[Document], None]


def unlit(node: Document) -> None:
    node["extensions"] = {"KHR_materials_unlit": {}}


def lamp(document: Document) -> None:
    document.setdefault("extensionsUsed", []).append("KHR_lights_punctual")
    document.setdefault("extensions", {})["KHR_lights_punctual"] = {"lights": [{"type": "spot"}]}


def root(document: Document) -> Document:
    """Return a root that has a child."""
    found: Document = document["nodes"][document["scenes"][0]["nodes"][0]]
    assert found["children"]
    return found


def position(document: Document) -> Document:
    found: Document = document["accessors"][document["meshes"][0]["primitives"][0]["attributes"]["POSITION"]]
    return found


REFUSED: dict[str, Damage] = {
    "a node twice in a scene": lambda it: it["scenes"][0]["nodes"].append(it["scenes"][0]["nodes"][0]),
    "a child in a scene": lambda it: it["scenes"][0]["nodes"].append(root(it)["children"][0]),
    "a node that is not there in a scene": lambda it: it["scenes"][0]["nodes"].append(999),
    "a scene that is not there": lambda it: it.update(scene=9),
    "no asset": lambda it: it.pop("asset"),
    "no version": lambda it: it["asset"].pop("version"),
}
"""Damages for which the conversion is refused."""
READ: dict[str, tuple[Damage, str]] = {
    "a matrix and a translation": (
        lambda it: it["nodes"][-1].update(matrix=IDENTITY, translation=[0, 0, 0]),
        "GLTF-MATRIX",
    ),
    "no max": (lambda it: position(it).pop("max"), "GLTF-NO-BOUNDS"),
    "no min and no max": (lambda it: (position(it).pop("min"), position(it).pop("max")), "GLTF-NO-BOUNDS"),
    "required and not used": (lambda it: it.update(extensionsRequired=["KHR_materials_unlit"]), "GLTF-UNDECLARED"),
    "used and not declared": (lambda it: unlit(it["materials"][0]), "GLTF-UNDECLARED"),
    "a spot light without a cone": (lamp, "GLTF-LIGHT"),
}
"""Damages for which a conversion yields what was intended, with the rule that reports each."""


def other_scene(document: Document) -> None:
    document["scenes"].append({"nodes": [document["scenes"][0]["nodes"][0]] * 2})


def plain(folder: Path) -> Path:
    document = json.loads(CLEAN["gltf"])
    document["nodes"][0]["children"] = [1]
    document["nodes"].append({"name": "b"})
    document["scenes"][0]["name"] = "robot"
    return saved(folder / "plain.gltf", json.dumps(document))


def ours(folder: Path) -> Path:
    source = saved(folder / "m.urdf", URDF)
    converters.convert(source, folder / "ours.gltf")
    return folder / "ours.gltf"


MADE = (plain, ours)


def damaged(path: Path, number: int, damage: Damage) -> Path:
    document = json.loads(path.read_bytes())
    damage(document)
    return saved(path.with_name(f"{path.stem}_{number}.gltf"), json.dumps(document, indent=1))


def errors(path: Path) -> set[str]:
    """Return the rules of the errors of a file."""
    return {breach.rule for breach in validate(path).breaches if severity(breach) == ERROR}


@pytest.mark.parametrize("made", MADE, ids=lambda made: made.__name__)
def test_what_khronos_calls_an_error_is_one(made: Callable[[Path], Path], tmp_path: Path):
    path = made(tmp_path)
    wanted = [(damage, "GLTF-INVALID") for damage in (*REFUSED.values(), other_scene)] + [*READ.values()]
    files = [damaged(path, number, damage) for number, (damage, _) in enumerate(wanted)]
    clean, *judged = khronos_reads([path, *files])
    assert clean["errors"] == 0
    assert errors(path) == set()
    for (_, rule), file, answer in zip(wanted, files, judged, strict=True):
        assert answer["errors"] > 0, file.name
        assert errors(file) == {rule}, file.name


@pytest.mark.parametrize("made", MADE, ids=lambda made: made.__name__)
@pytest.mark.parametrize("name", REFUSED)
def test_a_document_that_contradicts_itself_is_not_converted(made: Callable[[Path], Path], name: str, tmp_path: Path):
    file = damaged(made(tmp_path), 0, REFUSED[name])
    with pytest.raises(InputError):
        converters.convert(file, tmp_path / "out.urdf")
    assert not (tmp_path / "out.urdf").exists()


@pytest.mark.parametrize("made", MADE, ids=lambda made: made.__name__)
@pytest.mark.parametrize("name", READ)
def test_a_document_that_can_be_read_is_converted(made: Callable[[Path], Path], name: str, tmp_path: Path):
    path = made(tmp_path)
    file = damaged(path, 0, READ[name][0])
    report = converters.convert(file, tmp_path / "out.urdf")
    explained(report)
    assert {*converters.read(tmp_path / "out.urdf").bodies} >= {*converters.read(path).bodies}


@pytest.mark.parametrize("made", MADE, ids=lambda made: made.__name__)
def test_khronos_takes_what_was_repaired(made: Callable[[Path], Path], tmp_path: Path):
    path = made(tmp_path)
    names = [name for name, (_, rule) in READ.items() if rule != "GLTF-UNDECLARED"]
    files = [damaged(path, number, READ[name][0]) for number, name in enumerate(names)]
    repaired = [Path(repair(validate(file), tmp_path / f"fixed_{file.name}").files[0]) for file in files]
    for file, answer in zip(repaired, khronos_reads(repaired), strict=True):
        assert answer["errors"] == 0, file.name
        assert errors(file) == set(), file.name


def test_a_known_extension_is_named_and_another_is_left_to_its_author(tmp_path: Path):
    path = ours(tmp_path)
    file = damaged(path, 0, lambda it: it.pop("extensionsUsed"))
    fixed = repair(validate(file), tmp_path / "fixed.gltf")
    assert json.loads(Path(fixed.files[0]).read_bytes())["extensionsUsed"]
    assert khronos_reads([Path(fixed.files[0])])[0]["errors"] == 0
    with pytest.raises(InputError, match="KHR_materials_unlit"):
        other = damaged(path, 1, READ["used and not declared"][0])
        repair(validate(other), tmp_path / "other.gltf")


def test_triangles_that_were_changed_need_no_file_of_those_that_were_there(tmp_path: Path):
    """An accessor with fewer corners than before: the visible triangles are in the document."""
    (tmp_path / "b.obj").write_bytes(ROUND)
    source = saved(tmp_path / "m.urdf", URDF.replace(BOX, '<geometry><mesh filename="b.obj"/></geometry>', 1))
    out = tmp_path / "out" / "m.gltf"
    converters.convert(source, out)
    (tmp_path / "b.obj").unlink()
    document = json.loads(out.read_text())
    shown = next(node["mesh"] for node in document["nodes"] if node.get("name") == "base_link_visual_0")
    document["accessors"][document["meshes"][shown]["primitives"][0]["indices"]]["count"] -= 1
    out.write_text(json.dumps(document))
    rules = {breach.rule for breach in validate(out).breaches}
    assert "GLTF-EDITED" in rules
    assert "MESH-MISSING" not in rules
    report = converters.convert(out, tmp_path / "back.urdf")
    assert "assets/missing" not in {finding.rule for finding in report.findings}
    assert "b.obj" not in (tmp_path / "back.urdf").read_text()
