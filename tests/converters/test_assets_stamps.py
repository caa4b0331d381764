"""What distinguishes a file from another one with its name."""

from __future__ import annotations

from pathlib import Path

from converters.assets.stamps import stamp, stamps
from ir.types import Asset
from tests.converters.meshes import write


def test_files_of_one_size_have_other_stamps_where_they_hold_something_else(tmp_path: Path) -> None:
    one, same, other = (
        str(write(tmp_path / name, text))
        for name, text in (("a.stl", "solid a"), ("b.stl", "solid a"), ("c", "solid c"))
    )
    assert stamp(one) == stamp(same) != stamp(other)


def test_only_what_can_be_looked_for_and_read_has_a_stamp(tmp_path: Path) -> None:
    file = str(write(tmp_path / "a.stl", "solid a"))
    assets = [
        Asset(name="there", kind="mesh", uri="a.stl", file=file),
        Asset(name="without an address", kind="mesh", uri="", file=file),
        Asset(name="not found", kind="mesh", uri="b.stl"),
        Asset(name="gone", kind="mesh", uri="c.stl", file=str(tmp_path / "c.stl")),
    ]
    assert stamps(assets) == {"there": stamp(file)}
