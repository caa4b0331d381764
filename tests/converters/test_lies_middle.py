"""One wrong number in the middle of a large generated mesh is detected, although samples of triangles would miss it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from converters import convert
from converters.context import Options, Output
from converters.gltf.writing import encoding
from tests.converters.lying import lying_with, rules
from tests.files import saved
from tests.reports import explained

SIDE = 40
MESH = '<visual><origin rpy="0 0 1"/><geometry><mesh filename="m.obj" scale="1 2 -1"/></geometry></visual>'


@pytest.fixture
def robot(tmp_path: Path) -> Path:
    """Two curved sheets, for which MJCF needs files of their own."""
    lines = []
    for sheet in range(2):
        lines.append(f"o sheet{sheet}")
        lines += [f"v {x} {y} {sheet + (x * y) % 7}" for y in range(SIDE) for x in range(SIDE)]
        first = 1 + sheet * SIDE * SIDE
        for corner in (first + x + SIDE * y for y in range(SIDE - 1) for x in range(SIDE - 1)):
            lines += [f"f {corner} {corner + 1} {corner + SIDE}", f"f {corner + 1} {corner + SIDE + 1} {corner + SIDE}"]
    (tmp_path / "m.obj").write_text("\n".join(lines))
    return saved(tmp_path / "r.urdf", f'<robot name="r"><link name="a">{MESH}</link></robot>')


def test_a_vertex_of_an_obj_is_heard(robot: Path, monkeypatch: pytest.MonkeyPatch):
    def change(output: Output) -> Output:
        place = next(name for name in output.files if name.endswith("_1.obj"))
        lines = bytes(output.files[place]).split(b"\n")
        lines[SIDE * SIDE // 2] = lines[SIDE * SIDE // 2].replace(b"v 0", b"v 0.01")
        assert b"\n".join(lines) != output.files[place]
        return replace(output, files={**output.files, place: b"\n".join(lines)})

    explained(convert(robot, robot.parent / "right" / "out.xml"))
    lying_with(change, "mjcf", monkeypatch)
    assert "beside.content" in rules(convert(robot, robot.parent / "wrong" / "out.xml"))


@pytest.mark.parametrize("compress", ["none", "quantize"])
@pytest.mark.parametrize("wrong", ["vertex", "face"])
def test_a_vertex_or_a_face_of_a_glb_is_heard(wrong: str, compress: Any, robot: Path, monkeypatch: pytest.MonkeyPatch):
    options = Options(compress=compress)
    explained(convert(robot, robot.with_name("right.glb"), options=options))
    own = encoding.Binary.array

    def lying(self: Any, values: Any, target: int | None = None, **more: Any) -> int:
        values = np.array(values)
        if wrong == "vertex" and more.get("bounds"):
            values[len(values) // 2] = values[len(values) // 2 + 1]
        if wrong == "face" and target == encoding.INDICES:
            middle = values.reshape(-1)[len(values.reshape(-1)) // 2 :]
            middle[1:3] = middle[[2, 1]]
        return own(self, values, target, **more)

    monkeypatch.setattr(encoding.Binary, "array", lying)
    assert "shown.body.geoms.triangles" in rules(convert(robot, robot.with_name("wrong.glb"), options=options))
