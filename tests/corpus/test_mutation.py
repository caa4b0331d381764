"""A report never lies: whatever is changed in a source changes the output or is named in the report."""

from __future__ import annotations

import pytest

from tests.corpus.models import Model
from tests.oracles.server import Server

pytestmark = pytest.mark.corpus

PLACES = 250
"""Changed in each robot; python -m tests.corpus.mutate changes all of them in forty robots."""


@pytest.mark.parametrize("target", ["mjcf", "urdf"])
def test_no_change_of_a_source_is_lost_silently(mutated: Model, target: str, worker: Server):
    answer = worker.ask("mutate", path=str(mutated.path), target=target, limit=PLACES)
    assert answer["places"] > 0, answer["silent"]
    assert answer["silent"] == []


@pytest.mark.parametrize("target", ["sdf", "mjcf", "urdf"])
def test_no_change_of_an_sdf_source_is_lost_silently(
    mutated_sdf: Model, target: str, worker: Server, search_folders: list[str]
):
    answer = worker.ask("mutate", path=str(mutated_sdf.path), target=target, limit=PLACES, folders=search_folders)
    assert answer["places"] > 0, answer["silent"]
    assert answer["silent"] == []
