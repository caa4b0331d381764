"""Each rule fires where it should, and is silent close by."""

from __future__ import annotations

from pathlib import Path

import pytest

from converters.validating import Verdict, validate
from converters.validating.rules import TABLE
from tests.validating.cases import CASES, CLEAN, SUFFIX, Case, Changes

PART = b"<sdf version='1.9'><model name='part'><link name='x'/></model></sdf>"
APART = {"FILE-READ", "CARRIED-STALE", "CARRIED-FILE", "GLTF-SLACK", "GLTF-SKIN", "GLTF-PHYSICS", "GLTF-EDITED"}
"""Rules that need more than a document changed: they have tests of their own."""


def judged(case: Case, changes: Changes, folder: Path) -> Verdict:
    """The verdict on a model with changes."""
    for name, data in {"part.sdf": PART, **case.files}.items():
        (folder / name).write_bytes(data)
    path = folder / f"m{SUFFIX[case.format]}"
    path.write_bytes(case.text(changes))
    return validate(path)


def rules(verdict: Verdict) -> list[str]:
    return [breach.rule for breach in verdict.breaches]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.rule)
def test_fires(case: Case, tmp_path: Path):
    verdict = judged(case, case.firing, tmp_path)
    assert case.rule in rules(verdict)
    breach = next(breach for breach in verdict.breaches if breach.rule == case.rule)
    assert breach.message
    assert breach.source is not None
    assert Path(breach.source.file).is_file()
    assert verdict.exit_code == 2 if TABLE[case.rule].unreadable else verdict.exit_code in (0, 1)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.rule)
def test_is_silent(case: Case, tmp_path: Path):
    assert case.rule not in rules(judged(case, case.silent, tmp_path))


@pytest.mark.parametrize("name", CLEAN)
def test_the_clean_models_are_clean(name: str, tmp_path: Path):
    path = tmp_path / f"m{SUFFIX[name]}"
    path.write_text(CLEAN[name])
    verdict = validate(path)
    assert [(breach.rule, breach.message) for breach in verdict.breaches] == []
    assert verdict.exit_code == 0


def test_every_rule_has_its_cases():
    assert {case.rule for case in CASES} | APART == set(TABLE)
