"""Real models: validate agrees with the reader of the format, or gives a reason (all of them: validate_table)."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.corpus.models import Model
from tests.oracles.server import Server


def test_a_urdf_is_judged_as_by_urdfdom(sampled: Model, worker: Server):
    answer = worker.ask("validate", timeout=120.0, path=str(sampled.path), kind="urdf")
    assert answer["class"].startswith("both") or answer["reason"], answer


def test_a_urdf_that_is_repaired_passes(sampled: Model, worker: Server):
    answer = worker.ask("repaired", timeout=200.0, path=str(sampled.path))
    answer.pop("left to its author", None)
    assert {criterion: complaint for criterion, complaint in answer.items() if complaint} == {}


@pytest.mark.parametrize(("suffix", "kind"), [(".urdf", "urdf"), (".sdf", "sdf"), (".xml", "mjcf")])
def test_made_models_are_judged_as_by_others(suffix: str, kind: str, made: Path, worker: Server):
    """Small models that were made to be invalid: no judge refuses one in which validate finds nothing."""
    counts: Counter[str] = Counter()
    for path in sorted(made.glob(f"*{suffix}")):
        answer = worker.ask("validate", timeout=60.0, path=str(path), kind=kind, folders=[])
        counts[answer["class"]] += 1
        assert answer["class"] != "judge alone" or answer["reason"], (path.name, answer)
    assert counts["both accept"] and counts["both refuse"]
