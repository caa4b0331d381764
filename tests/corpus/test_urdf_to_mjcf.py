"""Every real URDF that Pinocchio reads becomes an MJCF that MuJoCo loads and that moves and weighs the same."""

from __future__ import annotations

import pytest

from tests.corpus.checks import MJCF, failures
from tests.corpus.models import Model
from tests.oracles.server import Server

pytestmark = pytest.mark.corpus


def test_a_urdf_becomes_an_mjcf_that_moves_and_weighs_the_same(model: Model, worker: Server):
    answer = worker.ask("to_mjcf", path=str(model.path))
    assert failures(answer, MJCF) == []
