"""The output does not depend on the spelling of the paths of source and target."""

from __future__ import annotations

from pathlib import Path

import pytest
import trimesh

from converters.convert import convert
from converters.report.model import Action
from tests.oracles.in_sdformat import sdformat_reads

GADGET = (
    '<sdf version="1.9"><model name="gadget"><link name="g1"><visual name="v"><geometry><mesh><uri>meshes/b.stl</uri>'
    "</mesh></geometry></visual></link></model></sdf>"
)
SOURCES = {
    "inc.sdf": '<sdf version="1.9"><model name="m"><link name="base"/>'
    "<include><uri>gadget</uri><name>g</name></include>"
    '<joint name="w" type="fixed"><parent>base</parent><child>g::g1</child></joint></model></sdf>',
    "mesh.urdf": '<robot name="r"><link name="a"><visual><geometry><mesh filename="gadget/meshes/b.stl"/></geometry>'
    "</visual></link></robot>",
    "mesh.sdf": '<sdf version="1.9"><model name="m"><link name="a"><visual name="v"><geometry><mesh>'
    "<uri>gadget/meshes/b.stl</uri></mesh></geometry></visual></link></model></sdf>",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    meshes = tmp_path / "src" / "gadget" / "meshes"
    meshes.mkdir(parents=True)
    trimesh.creation.box().export(meshes / "b.stl")
    (meshes.parent / "model.sdf").write_text(GADGET)
    (meshes.parent / "model.config").write_text('<model><name>gadget</name><sdf version="1.9">model.sdf</sdf></model>')
    for name, text in SOURCES.items():
        (tmp_path / "src" / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("target", ["sdf", "urdf", "xml"])
@pytest.mark.parametrize("place", ["out", "src"])
@pytest.mark.parametrize("name", SOURCES)
def test_outputs_are_the_same(folder: Path, name: str, place: str, target: str, monkeypatch: pytest.MonkeyPatch):
    written = folder / place / f"made.{target}"
    found: set[tuple[bytes, ...]] = set()
    for here, source, out in (
        (folder, folder / "src" / name, written),
        (folder, Path("src", name), Path(place, f"made.{target}")),
        (folder, folder / "src" / name, Path(place, f"made.{target}")),
        (folder, Path("src", name), written),
        (folder / "src", Path(name), Path("..", place, f"made.{target}")),
    ):
        monkeypatch.chdir(here)
        convert(source, out)
        found.add(
            tuple(path.read_bytes() for path in sorted(folder.rglob("*")) if "made" in str(path) and path.is_file())
        )
    assert len(found) == 1
    if target == "sdf":
        assert sdformat_reads(written)["errors"] == []


@pytest.mark.parametrize("suffix", ["urdf", "sdf"])
def test_two_spellings_of_one_file_are_no_difference(tmp_path: Path, suffix: str):
    """A file is found whatever the case of its name, and by several paths; in another folder it has one path."""
    uris = ["meshes/Box.stl", "meshes/Plate.STL", "./meshes/Plate.STL"]
    (tmp_path / "meshes").mkdir()
    trimesh.creation.box().export(tmp_path / "meshes" / "box.stl")
    trimesh.creation.box((1, 1, 0.1)).export(tmp_path / "meshes" / "Plate.STL")
    shapes = {
        "urdf": '<visual><geometry><mesh filename="{}"/></geometry></visual>',
        "sdf": '<visual name="{}"><geometry><mesh><uri>{}</uri></mesh></geometry></visual>',
    }[suffix]
    visuals = "".join(shapes.format(*([uri] if suffix == "urdf" else [f"v{at}", uri])) for at, uri in enumerate(uris))
    link = f'<link name="l">{visuals}</link>'
    head = f'<robot name="r">{link}</robot>'
    model = f'<sdf version="1.9"><model name="m">{link}</model></sdf>'
    (tmp_path / f"m.{suffix}").write_text(head if suffix == "urdf" else model)
    report = convert(tmp_path / f"m.{suffix}", tmp_path / "out" / f"m.{suffix}")
    lost = (Action.APPROXIMATED, Action.DROPPED)
    assert not [each for each in report.findings if each.action in lost or each.where.endswith(".shape.asset")]
    assert {path.name for path in (tmp_path / "out").rglob("*") if path.suffix.lower() == ".stl"} == {
        "box.stl",
        "Plate.STL",
    }
    convert(tmp_path / "out" / f"m.{suffix}", tmp_path / "again" / f"m.{suffix}")
    first, second = ((tmp_path / place / f"m.{suffix}").read_bytes() for place in ("out", "again"))
    assert first == second
