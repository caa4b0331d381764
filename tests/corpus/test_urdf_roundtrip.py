"""A real URDF that is read and written again, directly or through MJCF, says the same."""

from __future__ import annotations

import pytest

from tests.corpus.checks import TRIP, failures
from tests.corpus.models import Model
from tests.oracles.server import Server

pytestmark = pytest.mark.corpus


def test_a_urdf_comes_back_element_for_element_also_through_mjcf(model: Model, worker: Server):
    answer = worker.ask("round_trip", path=str(model.path))
    assert failures(answer, TRIP) == []
