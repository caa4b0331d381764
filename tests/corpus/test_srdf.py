"""Real SRDFs come back through every format, and engines read the same from the outputs as from the source."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.corpus.checks import failures
from tests.corpus.models import Model
from tests.corpus.srdf_checks import SRDF_ROBOT
from tests.oracles.server import Server

pytestmark = pytest.mark.corpus

PLACES = 9
"""Places changed in each SRDF; python -m tests.corpus.srdf_table --mutate changes all of them."""


def test_an_srdf_is_kept_and_engines_see_it(srdf_pair: tuple[Model, Path], worker: Server):
    """With small meshes, which do not affect an SRDF. python -m tests.corpus.srdf_table uses those of the robots."""
    model, srdf = srdf_pair
    answer = worker.ask("srdf_robot", timeout=180, path=str(model.path), srdf=str(srdf), light=True)
    assert failures(answer, SRDF_ROBOT) == []


@pytest.mark.parametrize("target", ["urdf", "mjcf", "sdf"])
def test_no_change_of_an_srdf_is_lost_silently(small_srdf: tuple[Model, Path], target: str, worker: Server):
    model, srdf = small_srdf
    answer = worker.ask("mutate", path=str(model.path), srdf=str(srdf), target=target, limit=PLACES)
    assert answer["places"] > 0, answer["silent"]
    assert answer["silent"] == []
