"""Files on other file systems: behind links, on another drive, and names that Windows reserves for devices."""

from __future__ import annotations

import ntpath
import os
from pathlib import Path

import numpy as np
import pytest

from converters import convert, read
from converters.assets.resolve import Resolver
from converters.context import Options
from converters.paths import tidied, way_to
from tests.converters.meshes import stl, write
from tests.reports import explained


def test_the_way_up_from_a_linked_folder_begins_where_that_is(tmp_path: Path):
    file = tmp_path / "real" / "meshes" / "a.stl"
    (tmp_path / "real" / "deep" / "out").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "real" / "deep" / "out")
    assert way_to(file, tmp_path / "link") == "../../meshes/a.stl"
    assert way_to(tmp_path / "link" / "a.stl", tmp_path / "link") == "a.stl"


@pytest.mark.parametrize("uri", ["../meshes/a.stl", "b.stl", "package://arm/meshes/a.stl"])
def test_a_link_to_the_folder_of_a_model_leads_to_what_is_around_it_there(tmp_path: Path, uri: str):
    """Operating systems resolve `..` from the target of the link (POSIX.1-2017, 4.13)."""
    package, link = tmp_path / "there" / "arm", tmp_path / "here" / "on" / "robot"
    meshes = [write(package / name) for name in ("meshes/a.stl", "urdf/b.stl")]
    write(package / "package.xml", "<package><name>arm</name></package>")
    robot = write(package / "urdf" / "arm.urdf")
    link.parent.mkdir(parents=True)
    link.symlink_to(robot.parent)
    path, _ = Resolver(link / "arm.urdf", Options(), {}).find(uri)
    assert path is not None and os.path.realpath(path) == str(meshes[uri == "b.stl"])


def test_the_way_to_another_drive_is_the_whole_one(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(os, "path", ntpath)
    monkeypatch.setattr(os, "sep", ntpath.sep)
    assert way_to(r"C:\robots\meshes\a.stl", r"C:\out") == "../robots/meshes/a.stl"
    assert way_to(r"C:\robots\meshes\a.stl", r"D:\out") == "C:/robots/meshes/a.stl"


def test_what_lies_on_another_drive_is_held_by_its_own_folder(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(os, "path", ntpath)
    resolver = object.__new__(Resolver)
    resolver.folder = Path(r"C:\robots")
    assert resolver.holding(r"D:\meshes\a.stl") == r"D:\meshes"


@pytest.mark.parametrize(
    ("stem", "expected"),
    [("con", "_con"), ("NUL.tar", "_NUL.tar"), ("com1", "_com1"), ("console", "console"), ("a:b", "a_b"), ("..", "x")],
)
def test_no_file_is_called_as_a_device_of_windows(stem: str, expected: str):
    assert tidied(stem, "x") == expected


def test_a_mesh_that_is_called_as_a_device_becomes_a_file_that_windows_takes(tmp_path: Path):
    (tmp_path / "con.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    link = '<link name="a"><visual><geometry><mesh filename="con.obj"/></geometry></visual></link>'
    (tmp_path / "robot.urdf").write_text(f'<robot name="r">{link}</robot>')
    convert(tmp_path / "robot.urdf", tmp_path / "out" / "robot.xml")
    assert [each.name for each in (tmp_path / "out" / "robot_assets").iterdir()] == ["_con.obj"]


@pytest.mark.parametrize("target", ["urdf", "sdf", "xml", "gltf"])
@pytest.mark.parametrize("stem", ["a b", "a:b", " a", "a\\b", "a\nb", "100%", "a#b", "a%20b", "\u65e5"])
def test_an_output_of_any_name_finds_its_files(tmp_path: Path, stem: str, target: str):
    write(tmp_path / "a b.stl", stl(np.eye(3)))
    mesh = '<visual><geometry><mesh filename="a b.stl"/></geometry></visual>'
    (tmp_path / "r.urdf").write_text(f'<robot name="r"><link name="a">{mesh}</link></robot>')
    out = tmp_path / "out" / f"{stem}.{target}"
    explained(convert(tmp_path / "r.urdf", out))
    found = [asset for asset in read(out).assets.values() if asset.kind == "mesh"]
    assert found and all(asset.file or asset.made for asset in found)
