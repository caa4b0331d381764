"""Articulated SDF files move as URDF as they do in Drake; `sdf_table --drake` checks those of any folder."""

from __future__ import annotations

import pytest

from tests.corpus.checks import failures
from tests.corpus.models import Model
from tests.corpus.sdf_drake import DRAKE
from tests.oracles.server import Server

pytestmark = pytest.mark.corpus


def test_sdf_moves_as_urdf_as_drake_sees_it(sdf_model: Model, worker: Server, search_folders: list[str]):
    answer = worker.ask("sdf_to_urdf", path=str(sdf_model.path), folders=search_folders)
    assert failures(answer, DRAKE) == []
