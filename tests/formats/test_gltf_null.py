"""A null has no meaning and is not reported: no member of glTF's schema accepts one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from converters.convert import convert
from tests.formats.gltf_arm import ARM, as_gltf, edited
from tests.formats.gltf_made import left, noted, scene_of, shown
from tests.reports import explained

SILENT = ["asset/extras", "extras", "scenes/0/extras", "nodes/0/extras", "nodes/0/skin", "meshes/0/weights", "other"]
LAYOUT = ["accessors/0/normalized", "bufferViews/0/byteStride", "cameras/0/extras"]


def silence(document: dict[str, Any], path: str) -> None:
    *above, key = path.split("/")
    place: Any = document
    for step in above:
        place = place[int(step)] if step.isdecimal() else place[step]
    place[key] = None


@pytest.mark.parametrize("path", SILENT)
def test_a_null_is_as_good_as_silence(path: str):
    made, plain = shown(), shown()
    silence(made.root, path)
    assert not left(scene_of(made))
    assert noted(made) == noted(plain)


@pytest.mark.parametrize("path", [*SILENT[:3], *SILENT[4:], *LAYOUT])
def test_a_null_in_a_document_of_ours_is_no_edit(tmp_path: Path, path: str):
    source = as_gltf(ARM, tmp_path / "a.gltf")
    quiet = explained(convert(source, tmp_path / "b.xml"))
    report = explained(convert(edited(source, lambda each: silence(each, path)), tmp_path / "c.xml"))
    assert {each.rule for each in report.findings} - {each.rule for each in quiet.findings} <= {"gltf/saved"}
    assert (tmp_path / "b.xml").read_bytes() == (tmp_path / "c.xml").read_bytes()
