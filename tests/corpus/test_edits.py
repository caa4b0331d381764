"""Edits survive: what is changed or deleted in an output arrives when it is converted back, or the report names it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.corpus.edits import FORMATS, edit, made

EDITS = 2
"""Number of edits in each document; python -m tests.corpus.edit makes all of them, through every format."""
TURNS = [(path, FORMATS[turn % 3]) for turn, path in enumerate(made())] + [(path, "gltf") for path in made()[1::2]]


@pytest.mark.parametrize(("edited", "through"), TURNS, ids=[f"{path.stem}-{form}" for path, form in TURNS])
def test_no_edit_of_an_output_is_lost_silently(edited: Path, through: str) -> None:
    answer = edit(str(edited), through, limit=EDITS)
    assert answer["wrong"] == []
    assert answer["edits"] > 0, answer["outcomes"]
