"""An unchanged address that does not lead to its file from the folder of the output is reported."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import pytest

from converters.assets import folders
from converters.assets.resolve import Resolver
from converters.context import Options
from converters.convert import convert
from tests.conftest import ROOT
from tests.files import saved
from tests.reports import explained, of_rule

MESH = '<robot name="r"><link name="l"><visual><geometry><mesh filename="{}"/></geometry></visual></link></robot>'
FAR = Path(*"abcdefgh")
"""A path longer than the search for packages goes up."""
MANIFEST = '<package format="3"><name>{}</name></package>'


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A package with a model and its mesh."""
    folder = tmp_path / "here" / "bot"
    for name in ("urdf", "meshes"):
        (folder / name).mkdir(parents=True)
    shutil.copy(next((ROOT / "corpus" / "made").rglob("*.stl")), folder / "meshes" / "a.stl")
    (folder / "package.xml").write_text(MANIFEST.format("bot"))
    return saved(folder / "urdf" / "r.urdf", MESH.format("package://bot/meshes/a.stl"))


def test_an_output_far_from_its_meshes_is_told(source: Path, tmp_path: Path) -> None:
    report = explained(convert(source, tmp_path / FAR / "r.urdf"))
    (told,) = of_rule(report, "assets/far")
    assert (told.action, told.before) == ("noted", "package://bot/meshes/a.stl")
    assert "--meshes copy" in told.reason
    assert convert(tmp_path / FAR / "r.urdf", tmp_path / FAR / "r.xml").missing() == 1


@pytest.mark.parametrize("place", ["here/bot/urdf/same.urdf", "here/bot/robots/same.urdf", "here/same.urdf"])
def test_an_output_that_finds_them_is_not_told(source: Path, tmp_path: Path, place: str) -> None:
    assert not of_rule(convert(source, tmp_path / place), "assets/far")
    assert convert(tmp_path / place, (tmp_path / place).with_suffix(".xml")).missing() == 0


@pytest.mark.parametrize("name", ["r.xml", "r.sdf", "r.glb"])
def test_targets_that_have_their_files_beside_them_are_not_told(source: Path, tmp_path: Path, name: str) -> None:
    assert not of_rule(convert(source, tmp_path / FAR / name), "assets/far")


def test_copies_and_files_that_nobody_found_are_not_told(source: Path, tmp_path: Path) -> None:
    copied = convert(source, tmp_path / FAR / "copied.urdf", options=Options(meshes="copy"))
    assert not of_rule(copied, "assets/far")
    (source.parents[1] / "meshes" / "a.stl").unlink()
    report = convert(source, tmp_path / FAR / "gone.urdf")
    assert not of_rule(report, "assets/far")
    assert report.missing() == 1


def test_a_folder_is_looked_into_once_for_names_in_another_case(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many files are missing: the folder of a model may contain thousands."""
    looked: Counter[Path] = Counter()
    own = folders.children

    def children(folder: Path) -> list[str]:
        looked[folder] += 1
        return own(folder)

    monkeypatch.setattr(folders, "children", children)
    resolver = Resolver(tmp_path / "robot.urdf", Options(), {})
    assert all(resolver.find(f"package://arm/meshes/{number}.stl")[0] is None for number in range(9))
    assert looked and max(looked.values()) == 1


def test_a_package_without_a_name_is_where_the_model_is(source: Path) -> None:
    """As onshape-to-robot wrote addresses for years."""
    mesh = shutil.copy(source.parents[1] / "meshes" / "a.stl", source.parents[1] / "b.stl")
    beside = source.parents[1] / "r.urdf"
    for model, uri, rule in (
        (beside, "package:///b.stl", "relative"),
        (beside, "package:///meshes/a.stl", "relative"),
        (source, "package:///b.stl", "ancestor"),
    ):
        found, how = Resolver(model, Options(), {}).find(uri)
        assert (Path(found or "").name, how) == (uri.rpartition("/")[2], rule)
    assert Resolver(source, Options(), {}).find("package:///b.stl")[0] == str(mesh)
