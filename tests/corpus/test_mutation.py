"""A report never lies: every change of a source changes the output or is named in the report."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from converters.convert import convert
from tests.corpus.items import LISTS, measured
from tests.corpus.models import Model
from tests.corpus.mutation import without_extras
from tests.oracles.server import Server

pytestmark = pytest.mark.corpus

TARGETS = ("mjcf", "urdf", "gltf", "sdf")
PLACES = 8
"""Number of places per robot, others for each target; python -m tests.corpus.mutate changes all in forty robots."""
CHANGES = 6
"""Number of structural changes of each (--structure)."""
MEMBERS = 4
"""Number of changed members of a glTF."""


@pytest.mark.parametrize("target", ["mjcf", "urdf", "gltf"])
def test_no_change_of_a_source_is_lost_silently(mutated: Model, target: str, worker: Server):
    seed = TARGETS.index(target)
    answer = worker.ask("mutate", path=str(mutated.path), target=target, limit=PLACES, seed=seed)
    assert answer["places"] > 0, answer["silent"]
    assert answer["silent"] == []


@pytest.mark.parametrize("target", ["sdf", "mjcf", "urdf"])
def test_no_change_of_an_sdf_source_is_lost_silently(
    mutated_sdf: Model, target: str, worker: Server, search_folders: list[str]
):
    asked = {"target": target, "limit": PLACES, "seed": TARGETS.index(target), "folders": search_folders}
    answer = worker.ask("mutate", path=str(mutated_sdf.path), **asked)
    assert answer["places"] > 0, answer["silent"]
    assert answer["silent"] == []


@pytest.mark.parametrize("target", ["mjcf", "sdf", "gltf"])
def test_no_change_of_the_structure_of_a_source_is_lost_silently(mutated: Model, target: str, worker: Server):
    answer = worker.ask("restructure", path=str(mutated.path), source="urdf", target=target, limit=CHANGES)
    assert answer["places"] > 0, answer["silent"]
    assert answer["silent"] == []


@pytest.mark.parametrize("target", ["mjcf", "urdf"])
def test_no_change_of_the_structure_of_an_sdf_source_is_lost_silently(
    mutated_sdf: Model, target: str, worker: Server, search_folders: list[str]
):
    asked = {"source": "sdf", "target": target, "limit": CHANGES, "folders": search_folders}
    answer = worker.ask("restructure", path=str(mutated_sdf.path), **asked)
    assert answer["places"] > 0, answer["silent"]
    assert answer["silent"] == []


@pytest.fixture(scope="module")
def as_gltf(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path, bool], Path]:
    """Return the glTF of a model, written once: as Kinegraph writes it, or without the embedded graph."""

    @cache
    def made(path: Path, inside: bool) -> Path:
        source = tmp_path_factory.mktemp("gltf") / "robot.gltf"
        convert(path, source)
        if not inside:
            source.write_text(json.dumps(without_extras(json.loads(source.read_text()))))
        return source

    return made


@pytest.mark.parametrize("inside", [True, False], ids=["graph inside", "physics alone"])
def test_no_change_of_the_structure_of_a_gltf_source_ends_in_a_crash(
    mutated: Model, inside: bool, worker: Server, as_gltf: Callable[[Path, bool], Path]
):
    """Silent losses, and errors found only by Khronos, are listed by python -m tests.corpus.mutate --structure."""
    source = as_gltf(mutated.path, inside)
    answer = worker.ask("restructure_gltf", path=str(source), target="mjcf", limit=MEMBERS)
    assert answer["places"] > 0
    assert [line for line in answer["silent"] if line.startswith("crashed")] == []


@pytest.mark.parametrize("target", ["urdf", "mjcf", "gltf"])
@pytest.mark.parametrize("inside", [True, False], ids=["graph inside", "physics alone"])
def test_no_change_of_a_gltf_source_is_lost_silently(
    mutated: Model, inside: bool, target: str, worker: Server, as_gltf: Callable[[Path, bool], Path]
):
    """inside: as Kinegraph writes it. Otherwise without the graph: nodes, meshes and KHR_physics_rigid_bodies only."""
    source = as_gltf(mutated.path, inside)
    answer = worker.ask("mutate_gltf", path=str(source), target=target, limit=MEMBERS)
    assert answer["places"] > 0
    assert answer["silent"] == []


WAYS = [(source, target, carry) for source in LISTS for target in TARGETS for carry in (True, False)]
EVERY = 240


@pytest.mark.parametrize(("source", "target", "carry"), WAYS)
def test_no_change_of_what_a_schema_has_is_lost_silently(source: str, target: str, carry: bool):
    """One item of 240, others for each conversion; python -m tests.corpus.items changes all of them."""
    paths = [*LISTS[source].items()][WAYS.index((source, target, carry)) :: EVERY]
    outcomes, wrong = measured(source, target, carry, paths=paths)
    assert outcomes.total() >= len(paths) // 2 > 0  # an element without attributes and text has nothing to change
    assert wrong == []
