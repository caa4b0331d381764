"""Real URDFs become SDF that libsdformat and Drake load, with the same motion and masses, and can be converted back."""

from __future__ import annotations

import pytest

from tests.corpus.checks import failures
from tests.corpus.models import Model
from tests.corpus.urdf_sdf_checks import URDF_SDF
from tests.oracles.server import Server

pytestmark = pytest.mark.corpus


def test_a_urdf_becomes_an_sdf_that_moves_and_weighs_the_same(sampled: Model, worker: Server):
    answer = worker.ask("urdf_to_sdf", path=str(sampled.path))
    assert failures(answer, URDF_SDF) == []
