"""Faults found by fuzzing stay fixed; and a short deterministic run of it (`python -m tests.fuzz` runs longer)."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.fuzz.mutations import mutated
from tests.fuzz.runs import run
from tests.fuzz.seeds import FORMATS, seeds

FINE = ("converted", "refused")
FOUND = sorted((Path(__file__).parent / "found").iterdir())
COUNTS = {"urdf": 25, "sdf": 10, "mjcf": 15, "gltf": 15, "xacro": 2}
"""Each xacro is a process of its own."""


def _format(path: Path) -> str:
    form = path.name.partition("-")[0]
    assert form in FORMATS
    return form


@pytest.mark.parametrize("path", FOUND, ids=[path.stem for path in FOUND])
def test_what_was_found_is_a_result_or_an_error_of_the_file(path: Path):
    assert run(path.read_bytes(), _format(path)) in FINE


@pytest.mark.parametrize("form", FORMATS)
def test_spoilt_documents_are_converted_or_refused(form: str):
    known = seeds(form, real=False)
    outcomes = {}
    for number in range(COUNTS[form]):
        dice = random.Random(f"slice/{form}/{number}")
        outcomes[number] = run(mutated(dice.choice(known), form, known, dice), form)
    assert {number: outcome for number, outcome in outcomes.items() if outcome not in FINE} == {}
