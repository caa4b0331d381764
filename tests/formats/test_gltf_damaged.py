"""A damaged graph inside a glTF file: one sentence with advice, whatever the target format."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from converters.context import InputError
from converters.convert import convert, read
from tests.files import saved
from tests.formats.gltf_written import ARM


def edited(path: Path, change: Callable[[dict[str, Any]], None]) -> Path:
    """Convert a robot to glTF and change both copies of its graph."""
    there = path.with_suffix(".gltf")
    convert(path, there)
    document = json.loads(there.read_text())
    scene = document["scenes"][0]
    for holder in (scene, document["nodes"][scene["nodes"][0]]):
        inside = json.loads(holder["extras"]["kinegraph"])
        change(inside)
        holder["extras"]["kinegraph"] = json.dumps(inside)
    return saved(there, json.dumps(document))


@pytest.mark.parametrize("value", [[], [1e999], [1.0, 2.0], ["nan"]])
def test_coordinates_that_are_none_are_refused_with_advice(tmp_path: Path, value: list[Any]) -> None:
    (tmp_path / "r.urdf").write_text(ARM)
    there = edited(tmp_path / "r.urdf", lambda inside: inside["positions"].update(shoulder=value))
    with pytest.raises(InputError, match=r"'shoulder'.*take it out"):
        read(there)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"physics": "newton"}, "its physics is of a form that is not known: newton"),
        ({"made": [[["body/l", "cameras", "c"], []]]}, "a camera in it was made of nothing"),
        ({"made": [[["body/l", "geoms", "g"], [["sensor/s"]]]]}, "a camera in it was made of nothing"),
    ],
)
def test_a_word_of_the_graph_that_is_not_known_is_refused(tmp_path: Path, change: dict[str, Any], why: str) -> None:
    (tmp_path / "r.urdf").write_text(ARM)
    with pytest.raises(InputError, match=why):
        read(edited(tmp_path / "r.urdf", lambda inside: inside.update(change)))


@pytest.mark.parametrize("suffix", ["urdf", "sdf", "xml", "glb", "png"])
def test_a_graph_without_the_asset_that_a_geom_names_is_refused_with_advice(tmp_path: Path, suffix: str) -> None:
    (tmp_path / "m.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n")
    mesh = '<visual><geometry><mesh filename="m.obj"/></geometry></visual>'
    (tmp_path / "r.urdf").write_text(f'<robot name="r"><link name="l">{mesh}</link></robot>')
    there = edited(tmp_path / "r.urdf", lambda inside: inside["graph"].pop("asset/m"))
    with pytest.raises(InputError, match=r"there is no asset named 'm'.*take it out"):
        convert(there, tmp_path / f"out.{suffix}")


@pytest.mark.parametrize("suffix", ["urdf", "sdf", "xml", "glb", "png"])
def test_a_graph_without_the_material_that_a_geom_names_is_refused_with_advice(tmp_path: Path, suffix: str) -> None:
    (tmp_path / "r.urdf").write_text(ARM)
    there = edited(tmp_path / "r.urdf", lambda inside: inside["graph"].pop("material/glass"))
    with pytest.raises(InputError, match=r"there is no material named 'glass'.*take it out"):
        convert(there, tmp_path / f"out.{suffix}")


@pytest.mark.parametrize(
    "change", [{"version": 10**900}, {"graph": {"body/x": json.loads("[" * 800 + "]" * 800)}}], ids=["number", "depth"]
)
def test_what_is_said_of_a_damaged_graph_is_short(tmp_path: Path, change: dict[str, Any]) -> None:
    there = edited(saved(tmp_path / "r.urdf", ARM), lambda inside: inside.update(change))
    with pytest.raises(InputError) as told:
        read(there)
    assert len(told.value.message) < 500
