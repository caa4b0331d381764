"""The parts of the bench run; their results are not tested."""

from __future__ import annotations

from pathlib import Path

from converters.convert import convert
from tests.bench import measures
from tests.bench.robots import chain
from tests.bench.sides import Measured, Row
from tests.files import saved
from tests.oracles.in_mujoco import mujoco_model


def test_every_measure_yields_rows_of_a_tiny_case(tmp_path: Path):
    source = saved(tmp_path / "chain.urdf", chain(3))
    rows = [*measures.start_up(1), *measures.whole_process(source, "chain", 1)]
    rows += [*measures.in_process(source, "chain", 1), *measures.growth((2, 4), 1)]
    assert len(rows) == 2 + 1 + 3 + 2
    assert all(str(row).count("|") == 7 for row in rows)


def test_a_chain_is_a_robot_of_that_many_links(tmp_path: Path):
    convert(saved(tmp_path / "chain.urdf", chain(5)), tmp_path / "chain.xml")
    assert mujoco_model(tmp_path / "chain.xml").nbody == 1 + 5


def test_a_goal_is_judged_by_the_least_times():
    row = Row("x", Measured((2.0, 9.0, 9.0)), Measured((1.0, 1.0, 1.0)), goal=2)
    assert "met" in str(row)
    assert "**missed**" in str(Row("x", Measured((2.2,)), Measured((1.0,)), goal=2))
