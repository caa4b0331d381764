"""Random robots with many features at once arrive unchanged, through any format (structured_table.py)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.corpus.structured import ROBOTS, written
from tests.corpus.structured_table import complaints

SEEDS = {"urdf": (0, 301), "sdf": (1, 403), "mjcf": (2, 302)}


@pytest.mark.parametrize(("kind", "seed"), [(kind, seed) for kind, seeds in SEEDS.items() for seed in seeds])
def test_a_random_robot_arrives(kind: str, seed: int, tmp_path: Path) -> None:
    assert complaints(kind, seed, tmp_path) == []


@pytest.mark.parametrize("kind", ROBOTS)
def test_a_seed_is_a_robot(kind: str, tmp_path: Path) -> None:
    first, second = (written(kind, 7, tmp_path / name).read_text() for name in "ab")
    assert first == second != written(kind, 8, tmp_path / "c").read_text()


def test_a_number_that_changes_on_the_way_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.corpus.structured_table.NEAR", -1.0)
    assert any("poses are apart" in each for each in complaints("urdf", 0, tmp_path))
