"""What a conversion costs grows with the model, not with its square."""

from __future__ import annotations

from pathlib import Path

import pytest

from converters.convert import convert
from converters.source.xml import Node
from tests.bench.mjcf import chain


@pytest.mark.parametrize("target", ["robot.urdf", "robot.sdf", "robot.xml"])
def test_ways_to_elements_are_not_spelled_out_for_each(
    target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The way to the last of n nested bodies is n steps long, and all of them stand on one line here."""
    source = tmp_path / "chain.xml"
    source.write_text(chain(150))
    asked = 0
    spelled = Node.__str__

    def counting(node: Node) -> str:
        nonlocal asked
        asked += 1
        return spelled(node)

    monkeypatch.setattr(Node, "__str__", counting)
    report = convert(source, tmp_path / "out" / target)
    assert report.total("unexplained") == 0
    assert asked < 50
