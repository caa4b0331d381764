"""Models with random sequences of conversions (all of them: ways_table)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.corpus.checks import failures
from tests.oracles.server import Server


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("name", "source"),
    [("feature_wheeled.urdf", "urdf"), ("feature_sdf_mesh.sdf", "sdf"), ("feature_mjcf_scene.xml", "mjcf")],
)
def test_each_step_of_a_random_way_is_explained_and_loads(
    name: str, source: str, seed: int, made: Path, worker: Server
):
    answer = worker.ask("wander", timeout=200.0, path=str(made / name), folders=[], source=source, steps=4, seed=seed)
    assert [*answer["criteria"]] == ["step 1", "step 2", "step 3", "step 4"]
    assert failures(answer, tuple(answer["criteria"])) == []
