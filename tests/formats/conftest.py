"""Fixtures that several modules share."""

from __future__ import annotations

from pathlib import Path

import pytest

from converters.convert import convert
from tests.formats.gltf_arm import ARM


@pytest.fixture
def arm(tmp_path: Path) -> Path:
    (tmp_path / "arm.xml").write_text(ARM)
    convert(tmp_path / "arm.xml", tmp_path / "arm.gltf")
    return tmp_path / "arm.gltf"
