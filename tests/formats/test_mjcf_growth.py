"""The cost of a conversion is linear in the size of the model."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from converters.context import Options, ReaderContext
from converters.convert import convert
from converters.mjcf.document.defaults import Defaults
from converters.source.parsing import parse
from converters.source.xml import Node
from tests.bench.mjcf import chain
from tests.files import saved
from tests.reports import explained


@pytest.mark.parametrize("target", ["robot.urdf", "robot.sdf", "robot.xml"])
def test_ways_to_elements_are_not_spelled_out_for_each(
    target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The path to the last of n nested bodies has n steps, and all of them are on one line here."""
    source = saved(tmp_path / "chain.xml", chain(150))
    asked = 0
    spelled = Node.__str__

    def counting(node: Node) -> str:
        nonlocal asked
        asked += 1
        return spelled(node)

    monkeypatch.setattr(Node, "__str__", counting)
    explained(convert(source, tmp_path / "out" / target))
    assert asked < 50


def test_what_a_class_inherits_is_not_copied_into_it(tmp_path: Path) -> None:
    """MuJoCo reads at most 500 nested elements, but a file may contain 20 000."""
    rows = [f'<default class="c{number}"><geom size="{number + 1}"/>' for number in range(300)]
    text = f"<mujoco><default>{''.join(rows)}{'</default>' * 301}</mujoco>"
    context = ReaderContext(file="a.xml", folder=tmp_path)
    defaults = Defaults(parse(text.encode(), context, "mjcf").root)
    inner, outer = (defaults.classes[name]["geom"] for name in ("c299", "c298"))
    assert inner is not None
    assert inner[1] is outer
    assert [node.attrs["size"] for node in defaults.nodes("c299", "geom")] == [str(300 - at) for at in range(300)]


def wide(count: int, geoms: str = "", below: str = "", rest: str = "") -> str:
    """Return a document with many items of one kind; %d is the number of each. rest: a section and its content."""
    tag, _, each = rest.partition(" ")
    inner, bodies, after = ("".join(text.replace("%d", str(n)) for n in range(count)) for text in (geoms, below, each))
    root = f'<body name="root"><joint name="j"/><geom size=".1"/><site name="s"/>{inner}</body>'
    return f"<mujoco><worldbody>{root}{bodies}</worldbody>" + (f"<{tag}>{after}</{tag}>" if tag else "") + "</mujoco>"


FREE = '<body name="b%d" pos="0 0 %d"><joint name="j%d"/><geom size=".1"/></body>'
WIDE = {
    "geoms": {"geoms": '<geom size=".1"/>'},
    "sensors": {"rest": 'sensor <gyro site="s"/>'},
    "actuators": {"rest": 'actuator <motor joint="j"/>'},
    "keys": {"rest": 'keyframe <key qpos="1"/>'},
    "couplings": {"below": FREE, "rest": 'equality <joint joint1="j%d" joint2="j"/>'},
    "welds": {"below": FREE, "rest": 'equality <weld body1="b%d" body2="root"/>'},
    "materials": {"geoms": '<geom size=".1" material="m%d"/>', "rest": 'asset <material name="m%d"/>'},
}


def steps(source: Path, target: Path, options: Options | None = None) -> int:
    """Return the lines of Python that a conversion runs; one-line loops count per iteration."""
    count = 0

    def trace(frame: object, event: str, argument: object) -> object:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        convert(source, target, options=options)
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("target", ["robot.urdf", "robot.xml"])
@pytest.mark.parametrize("what", WIDE)
def test_four_times_as_many_cost_four_times_as_much(what: str, target: str, tmp_path: Path) -> None:
    """A constant part reduces the ratio; one quadratic walk increases it."""
    found = []
    for count in (60, 240):
        source = saved(tmp_path / f"wide_{count}.xml", wide(count, **WIDE[what]))
        if not found:
            convert(source, tmp_path / "first" / target)  # imports as well
        found.append(steps(source, tmp_path / str(count) / target))
    assert found[1] < 4.4 * found[0]
