"""Real URDFs become GLB that Khronos finds nothing against, that stands where Pinocchio says, and that goes back."""

from __future__ import annotations

import pytest

from tests.corpus.checks import failures
from tests.corpus.glb_checks import GLB
from tests.corpus.models import Model
from tests.oracles.server import Server

pytestmark = pytest.mark.corpus


def test_a_urdf_becomes_a_glb_that_stands_and_looks_the_same(sampled: Model, worker: Server):
    answer = worker.ask("to_glb", path=str(sampled.path))
    assert failures(answer, GLB) == []
