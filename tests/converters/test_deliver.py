"""What lies on the disk already, byte for byte, is left alone; what differs gives way."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from converters.context import Output
from converters.deliver import deliver


def delivered(folder: Path, files: dict[str, bytes | Path]) -> dict[str, int]:
    """File -> its number on the disk."""
    deliver(Output(document=b"<robot/>", files=files), folder / "r.urdf")
    return {name: os.lstat(folder / name).st_ino for name in files}


@pytest.mark.parametrize("copied", [False, True])
def test_a_file_that_is_there_stays_and_another_gives_way(tmp_path: Path, copied: bool):
    def given(name: str, data: bytes) -> bytes | Path:
        place = tmp_path / f"{name}.bin"
        place.write_bytes(data)
        return place if copied else data

    out = tmp_path / "out"
    large = bytes(3 << 20)
    first = delivered(out, {"a/same": given("same", large), "a/other": given("other", large)})
    (tmp_path / "elsewhere").write_bytes(b"x")
    (out / "a" / "link").symlink_to(tmp_path / "elsewhere")
    files = {
        "a/same": given("same", large),
        "a/other": given("other", large[:-1] + b"1"),
        "a/link": given("link", b"x"),
    }
    second = delivered(out, files)
    assert second["a/same"] == first["a/same"]
    assert second["a/other"] != first["a/other"]
    assert (out / "a" / "other").read_bytes()[-1:] == b"1"
    assert not (out / "a" / "link").is_symlink()
    assert (tmp_path / "elsewhere").read_bytes() == b"x"
    assert sorted(path.name for path in out.iterdir()) == ["a", "r.urdf"]


def test_a_file_that_cannot_be_read_gives_way(tmp_path: Path):
    first = delivered(tmp_path / "out", {"a": b"1"})
    (tmp_path / "out" / "a").chmod(0)
    again = delivered(tmp_path / "out", {"a": b"1"})
    assert (tmp_path / "out" / "a").read_bytes() == b"1"
    assert again == first or os.geteuid() != 0
