"""Real URDFs become valid GLB according to Khronos, with the poses of Pinocchio, and can be converted back."""

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
