"""What a document carries for the way back, changed by somebody: that is told, whatever comes of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from converters.convert import convert
from tests.formats.gltf_written import ARM
from tests.reports import of_rule

ARMS = ARM.replace('<link name="base">', '<link name="base"><own thing="1"/>')
RULE = "carried/changed"


def _line(key: str) -> Callable[[str], str]:
    """The place of a document that carries this taken out of it."""
    return lambda text: re.sub(rf'\n[^\n]*"(kinegraph:)?{key}"[^\n]*', "", text)


@pytest.mark.parametrize("suffix", ["xml", "sdf"])
@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda text: text, 0),
        (lambda text: text.replace("thing=", "thong="), 1),
        (_line("body/base"), 1),
        (_line("sum"), 0),
    ],
    ids=["nothing", "changed", "taken out", "written by an earlier version"],
)
def test_carried_data_that_somebody_changed_is_told(
    tmp_path: Path, suffix: str, change: Callable[[str], str], told: int
) -> None:
    (tmp_path / "r.urdf").write_text(ARMS)
    there, back = tmp_path / f"there.{suffix}", tmp_path / "back.urdf"
    convert(tmp_path / "r.urdf", there)
    there.write_text(change(there.read_text()))
    report = convert(there, back)
    assert len(of_rule(report, RULE)) == told
    assert ("<own thing=" in back.read_text()) == (told == 0)


@pytest.mark.parametrize(("old", "new", "told"), [("", "", 0), ("thing=", "thong=", 1)])
def test_a_graph_in_a_gltf_that_somebody_changed_is_told(tmp_path: Path, old: str, new: str, told: int) -> None:
    (tmp_path / "r.urdf").write_text(ARMS)
    there, back = tmp_path / "there.gltf", tmp_path / "back.urdf"
    convert(tmp_path / "r.urdf", there)
    there.write_text(there.read_text().replace(old, new))
    assert len(of_rule(convert(there, back), RULE)) == told
    assert ("<own thing=" in back.read_text()) == (told == 0)
