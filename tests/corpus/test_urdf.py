"""Every real URDF that Pinocchio reads becomes an MJCF that MuJoCo loads, with the same motion and masses. Read and
written again, directly or through MJCF, it is the same; all of it is counted, and places in the report exist."""

from __future__ import annotations

import pytest

from tests.corpus.checks import CRITERIA, failures
from tests.corpus.models import Model
from tests.oracles.server import Server

pytestmark = pytest.mark.corpus


def test_a_urdf_becomes_an_mjcf_that_is_the_same_and_comes_back(model: Model, worker: Server):
    answer = worker.ask("everything", path=str(model.path))
    assert failures(answer, CRITERIA) == []
