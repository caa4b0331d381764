"""SDF links that are read, written and refused."""

from __future__ import annotations

from pathlib import Path

import pytest

import converters
from converters.context import InputError, Options
from converters.report.model import Report
from ir.diff import compare
from ir.scene import Scene
from ir.types import Body, Geom
from tests.formats.sdf_text import converted, link, put, sdf

TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
BOX = "<geometry><box><size>1 2 3</size></box></geometry>"


def scene_of(folder: Path, inner: str, version: str = "1.9") -> Scene:
    return converters.read(put(folder, sdf(link("a", inner=inner), version)))


def body_of(folder: Path, inner: str, version: str = "1.9") -> Body:
    return scene_of(folder, inner, version).bodies["a"]


def geom_of(folder: Path, inner: str, kind: str = "visual", version: str = "1.9") -> Geom:
    (geom,) = body_of(folder, f'<{kind} name="g">{inner}</{kind}>', version).geoms
    return geom


def told(folder: Path, inner: str, version: str = "1.9") -> Report:
    """Return the report of writing the link as SDF again."""
    return converted(folder, sdf(link("a", inner=inner), version), "again.sdf")[0]


def survives(folder: Path, inner: str, version: str = "1.9") -> None:
    """Check that the link reads as before with the author's spelling and with plain spelling. Nothing is lost."""
    _, path = converted(folder, sdf(link("a", inner=inner), version), "again.sdf")
    scene = converters.read(folder / "source.sdf")
    assert compare(scene, converters.read(path))[0] == []
    scene.notation.clear()
    converters.write(scene, folder / "plain.sdf", options=Options(sdf_version=version))
    plain = converters.read(folder / "plain.sdf")
    assert plain.bodies["a"] == scene.bodies["a"]
    assert plain.tables["sensor"] == scene.tables["sensor"]


def survives_as_text(folder: Path) -> None:
    """Check that the file is written back as it was, whatever it means."""
    assert compare(converters.read(folder / "source.sdf"), converters.read(folder / "again.sdf"))[0] == []


def refusal(folder: Path, inner: str) -> str:
    """Return the message for a link whose content, on line 4, is refused."""
    with pytest.raises(InputError) as caught:
        scene_of(folder, f"\n{inner}\n")
    assert caught.value.source is not None
    assert caught.value.source.line == 4
    assert caught.value.source.file == str(folder / "source.sdf")
    return caught.value.message
