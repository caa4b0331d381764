"""What MuJoCo asks of bodies and of relations: told where it refuses a model."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.validating import demands_of_bodies as bodies, demands_of_relations as relations
from tests.validating.by_mujoco import refused, taken


@pytest.mark.parametrize(("rule", "text"), [*bodies.REFUSED, *relations.REFUSED])
def test_what_mujoco_refuses_is_told_once(rule: str, text: str, tmp_path: Path) -> None:
    assert refused(text, tmp_path) == [rule]


@pytest.mark.parametrize("text", [*bodies.TAKEN, *relations.TAKEN])
def test_what_mujoco_takes_is_no_error(text: str, tmp_path: Path) -> None:
    assert taken(text, tmp_path) == []
