"""Real xacro files: Kinegraph expands them to the same document as the package xacro (all of them: xacro_table)."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.corpus.xacro_table import verdict

SPEC = find_spec("rtbdata")
FOLDER = Path(next(iter((SPEC.submodule_search_locations if SPEC else None) or ["rtbdata"])))
EVERY = 4


@pytest.mark.corpus
@pytest.mark.parametrize("path", sorted(FOLDER.rglob("*.xacro"))[::EVERY], ids=lambda path: path.name)
def test_a_xacro_expands_as_the_reference_expands_it(path: Path):
    outcome, message = verdict(path)
    assert outcome in ("same", "both refuse"), message
