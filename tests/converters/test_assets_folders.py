"""The cost of searching files: a model may be among thousands of folders and files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from converters.assets.resolve import Resolver
from converters.context import Options


def test_folders_are_looked_into_once_however_many_files_are_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(20):
        (tmp_path / f"d{number}" / "e").mkdir(parents=True)
    (tmp_path / "d0" / "meshes").mkdir()
    looked: list[str] = []
    for name in ("scandir", "listdir"):
        look = getattr(os, name)
        monkeypatch.setattr(os, name, lambda folder, look=look: (looked.append(str(folder)), look(folder))[1])
    resolver = Resolver(tmp_path / "d0" / "r.urdf", Options(), {})
    counts = []
    for number in range(30):
        assert resolver.find(f"package://p/meshes/{number}.stl")[0] is None
        counts.append(len(looked))
    assert counts[-1] == counts[0] > 20
