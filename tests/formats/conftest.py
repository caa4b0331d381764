"""Fixtures shared by several test modules."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.formats.gltf_arm import ARM, as_gltf


@pytest.fixture
def arm(tmp_path: Path) -> Path:
    return as_gltf(ARM, tmp_path / "arm.gltf")
