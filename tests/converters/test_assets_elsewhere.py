"""A file that is not at its address, and one of its name that is elsewhere: told, and not used."""

from __future__ import annotations

from pathlib import Path

import pytest

from converters.assets.resolve import Resolver
from converters.context import Options
from tests.converters.meshes import write

PACKAGE = "<package><name>arm</name></package>"


@pytest.mark.parametrize("uri", ["package://arm/meshes/stl/a.stl", "stl/a.stl", "../meshes/stl/a.stl"])
def test_the_only_file_of_that_name_in_the_package_is_told(tmp_path: Path, uri: str) -> None:
    (tmp_path / "arm").mkdir()
    (tmp_path / "arm" / "package.xml").write_text(PACKAGE)
    robot, mesh = write(tmp_path / "arm" / "urdf" / "arm.urdf"), write(tmp_path / "arm" / "meshes" / "a.stl")
    path, reason = Resolver(robot, Options(), {}).find(uri)
    assert path is None
    assert reason.endswith(f"; a file of that name is in {mesh.parent}: correct the address if it is meant")
    write(tmp_path / "arm" / "old" / "a.stl")  # which of two is meant is not known
    path, reason = Resolver(robot, Options(), {}).find(uri)
    assert path is None
    assert "of that name" not in reason


def test_another_package_is_not_searched(tmp_path: Path) -> None:
    for name in ("arm", "leg"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "package.xml").write_text(PACKAGE.replace("arm", name))
    robot = write(tmp_path / "arm" / "urdf" / "arm.urdf")
    write(tmp_path / "leg" / "meshes" / "a.stl")
    for uri in ("package://arm/a.stl", "a.stl", "package://gone/a.stl"):
        path, reason = Resolver(robot, Options(), {}).find(uri)
        assert path is None
        assert "of that name" not in reason
