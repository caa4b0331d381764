"""A sample of `python -m tests.corpus.chains_table`: the rows of every chain agree with the engines."""

from __future__ import annotations

import pytest

from tests.corpus.checks import failures
from tests.corpus.models import Model
from tests.oracles.server import Server

pytestmark = pytest.mark.corpus


def test_chains_of_real_robots(sampled: Model, worker: Server):
    answer = worker.ask("chains", path=str(sampled.path), folders=[])
    assert failures(answer, ("reads", "elementary", "standard", "modified", "engine")) == []
