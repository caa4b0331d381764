"""Models that are converted to each format through each other one (all of them: via_table)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.corpus.checks import failures
from tests.oracles.server import Server


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("feature_wheeled.urdf", "urdf"),
        ("feature_mesh_tetrahedron.urdf", "urdf"),
        ("feature_sdf_mesh.sdf", "sdf"),
        ("feature_mjcf_scene.xml", "mjcf"),
    ],
)
def test_what_arrives_by_any_way_loads_and_is_the_model(name: str, source: str, made: Path, worker: Server):
    answer = worker.ask("went", timeout=200.0, path=str(made / name), folders=[], source=source)
    assert len(answer["criteria"]) == 10
    assert failures(answer, tuple(answer["criteria"])) == []
