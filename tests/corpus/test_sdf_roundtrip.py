"""Every real SDF file is written as it was, and libsdformat and Drake read the same model from it."""

from __future__ import annotations

import pytest

from tests.corpus.checks import failures
from tests.corpus.models import Model
from tests.corpus.sdf_checks import CRITERIA
from tests.oracles.server import Server

pytestmark = pytest.mark.corpus


def test_sdf_comes_back_as_it_was(sdf_model: Model, worker: Server, search_folders: list[str]):
    answer = worker.ask("sdf", path=str(sdf_model.path), folders=search_folders)
    assert failures(answer, CRITERIA) == []
