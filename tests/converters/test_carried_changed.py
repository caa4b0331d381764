"""Data that a document carries for the way back, changed by an edit: this is reported, whatever comes of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from converters.convert import convert
from tests.formats.gltf_written import ARM
from tests.reports import of_rule

ARMS = ARM.replace('<link name="base">', '<link name="base"><own thing="1"/>')
RULE = "carried/changed"


def _line(key: str) -> Callable[[str], str]:
    """Return an edit that removes the line of the document that carries this."""
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


SKIN = b"".join(
    each.tobytes()
    for each in (
        np.array([3, 0, 1, 1], "<i4"),
        np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], "<f4"),
        np.array([0, 1, 2], "<i4"),
        np.frombuffer(b"a".ljust(40, b"\0"), np.uint8),
        np.array([0, 0, 0, 1, 0, 0, 0], "<f4"),
        np.array([3, 0, 1, 2], "<i4"),
        np.ones(3, "<f4"),
    )
)
"""A skin of MuJoCo: sizes, corners, a face, and a bone with its place and weights."""
SKINNED = """<mujoco><worldbody><body name="a"><geom size="1"/></body></worldbody>
<deformable><skin name="s" file="s.skn"/></deformable></mujoco>"""


@pytest.mark.parametrize("suffix", ["urdf", "sdf"])
@pytest.mark.parametrize("hidden", [True, False])
@pytest.mark.parametrize("changed", [True, False])
def test_a_copy_for_the_way_back_that_is_another_file_since_is_told(
    tmp_path: Path, suffix: str, hidden: bool, changed: bool
) -> None:
    """The copy is used, whether the file it was made of still exists or not (hidden)."""
    (tmp_path / "r.xml").write_text(SKINNED)
    (tmp_path / "s.skn").write_bytes(SKIN)
    convert(tmp_path / "r.xml", tmp_path / "there" / f"r.{suffix}")
    (copy,) = (tmp_path / "there").rglob("s.skn")
    meant = SKIN.replace(b"\x80?", b"\x00@") if changed else SKIN
    copy.write_bytes(meant)
    if hidden:
        (tmp_path / "s.skn").unlink()
    report = convert(tmp_path / "there" / f"r.{suffix}", tmp_path / "back" / "r.xml")
    assert [each.where for each in of_rule(report, RULE)] == ["asset/s"] * changed
    assert (tmp_path / "back" / "r_assets" / "s.skn").read_bytes() == meant
