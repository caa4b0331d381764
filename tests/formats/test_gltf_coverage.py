"""Executable coverage of glTF: each member of the schema, of ratified extensions and of the physics drafts is mapped,
or carried and restored. tests/golden/coverage_gltf.txt contains the class of each member."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import converters
from converters.context import ReaderContext
from converters.gltf.reader import read
from converters.source.json import JsonDocument
from tests.corpus.mutation_gltf import mutate_gltf
from tests.files import saved
from tests.formats.coverage import golden, listed
from tests.formats.gltf_items import account, best, items, named
from tests.formats.gltf_made import left
from tests.formats.gltf_whole import held, seen


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("coverage")
    return {
        "seen": saved(folder / "seen" / "seen.gltf", json.dumps(seen())),
        "held": saved(folder / "held" / "held.glb", held().glb()),
    }


def documents(models: dict[str, Path]) -> list[JsonDocument]:
    """The documents after reading, with every member accounted for."""
    found: list[JsonDocument] = []
    for path in models.values():
        context = ReaderContext(file=str(path), folder=path.parent)
        read(path.read_bytes(), context)
        (document,) = context.documents
        assert isinstance(document, JsonDocument)
        document.totals()
        found.append(document)
    return found


def test_two_documents_say_every_item(models: dict[str, Path]):
    said = {path for document in documents(models) for path in named(document.root.members)}
    assert sorted({*items()} - said) == []


def test_the_coverage_of_gltf_is_the_recorded_one(models: dict[str, Path], update: bool):
    found = best(account(document.root) for document in documents(models))
    coverage = {path: found[path] for path in items()}
    assert listed(coverage) == golden("gltf", coverage, update)


@pytest.mark.parametrize(("name", "target"), [("seen", "mjcf"), ("held", "gltf"), ("held", "sdf")])
def test_no_member_says_another_thing_unheard(name: str, target: str, models: dict[str, Path]):
    found: dict[str, Any] = mutate_gltf(str(models[name]), target, limit=200)
    assert found["places"] > 100
    assert found["silent"] == []


@pytest.mark.parametrize("name", ["seen", "held"])
def test_what_is_carried_comes_back(name: str, models: dict[str, Path], tmp_path: Path):
    scene = converters.read(models[name])
    report = converters.convert(models[name], tmp_path / f"again{models[name].suffix}")
    assert [each.rule for each in report.findings if each.action == "unexplained"] == []
    again = left(converters.read(tmp_path / f"again{models[name].suffix}"))
    assert left(scene)
    assert {path: text for path, text in left(scene).items() if again.get(path) != text} == {}
