"""Links that Drake excludes from collision in an SDF, but not in its URDF, where a joint is written as a chain."""

from __future__ import annotations

from pathlib import Path

import pytest

from converters.convert import convert
from tests.files import saved
from tests.oracles.in_drake import drake_reads
from tests.reports import complete, of_rule

TOUCHING = "lets the links at the ends of the chain collide"


def sdf(path: Path, kind: str, more: str, solid: str = "ab") -> Path:
    def link(name: str) -> str:
        shape = "<geometry><sphere><radius>.1</radius></sphere></geometry>"
        return f'<link name="{name}">{f"<collision name={name!r}>{shape}</collision>" if name in solid else ""}</link>'

    axis = "" if kind == "ball" else "<axis><xyz>1 0 0</xyz></axis>"
    more += "<axis2><xyz>0 1 0</xyz></axis2>" if kind == "universal" else ""
    joint = f'<joint name="j" type="{kind}"><parent>a</parent><child>b</child>{axis}{more}</joint>'
    return saved(path, f'<sdf version="1.9"><model name="m">{link("a")}{link("b")}{joint}</model></sdf>')


AWAY = "<pose>.1 .2 .3 0 0 0</pose>"


@pytest.mark.parametrize(
    ("kind", "more", "solid", "told"),
    [
        ("revolute", "", "ab", False),
        ("revolute", AWAY, "ab", True),
        ("revolute", AWAY, "a", False),
        ("prismatic", AWAY, "ab", False),
        ("ball", "", "ab", True),
        ("screw", "<thread_pitch>-10</thread_pitch>", "ab", True),
        ("universal", "", "ab", True),
        ("fixed", AWAY, "ab", False),
    ],
)
def test_the_ends_of_a_chain_that_touch_in_drake_are_told(tmp_path: Path, kind, more, solid, told: bool) -> None:
    source, out = sdf(tmp_path / "r.sdf", kind, more, solid), tmp_path / "r.urdf"
    report = complete(convert(source, out))
    assert drake_reads(source, touch=True)["touch"] == []
    assert drake_reads(out, touch=True)["touch"] == ([["a", "b"]] if told else [])
    assert any(TOUCHING in finding.reason for finding in of_rule(report, "urdf/joint-split")) is told
