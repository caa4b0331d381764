"""The meshes of a page: made from the buffer of a GLB, in linear time."""

from __future__ import annotations

import struct
from io import BytesIO
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from PIL import Image

from converters.viewer import view
from converters.viewer.meshes import _lean, _rebuilt, _shown_images


def document(count: int) -> tuple[dict[str, Any], bytes]:
    """Return meshes of one triangle each, with corners and positions in views of their own."""
    corners, points = np.arange(3, dtype="<u2").tobytes() + bytes(2), np.arange(9, dtype="<f4").tobytes()
    found: dict[str, Any] = {"meshes": [], "accessors": [], "bufferViews": [], "buffers": [{}]}
    for at in range(0, count * 44, 44):
        number = len(found["accessors"])
        found["meshes"].append({"primitives": [{"attributes": {"POSITION": number + 1}, "indices": number}]})
        found["accessors"] += [
            {"bufferView": number, "componentType": 5123, "count": 3},
            {"bufferView": number + 1, "componentType": 5126, "count": 3},
        ]
        found["bufferViews"] += [{"byteOffset": at, "byteLength": 6}, {"byteOffset": at + 8, "byteLength": 36}]
    return found, (corners + points) * count


def test_corners_become_differences_in_time() -> None:
    made, binary = document(30_000)
    started = process_time()
    rebuilt = _rebuilt(made, binary, _lean(made, binary))
    assert process_time() - started < 5
    assert made["extras"]["differences"] == [(number, 2) for number in range(0, 60_000, 2)]
    assert len(rebuilt) == len(binary)
    assert np.frombuffer(rebuilt[-44:-36], "<u2").tolist() == [0, 1, 1, 0]
    assert rebuilt[-36:] == binary[-36:]


def page(folder: Path, image: bytes) -> str:
    """Return the page of a model that shows an image and has a file that is not an image."""
    (folder / "seen.png").write_bytes(image)
    (folder / "broken.png").write_bytes(b"no image")
    (folder / "m.xml").write_text(
        '<mujoco><asset><texture name="t" type="2d" file="seen.png"/><material name="t" texture="t"/>'
        '<texture name="u" type="2d" file="broken.png"/></asset>'
        '<worldbody><geom type="box" size="1 1 1" material="t"/></worldbody></mujoco>'
    )
    return view(folder / "m.xml")[0]


def test_a_page_is_made_whatever_the_images_are(tmp_path: Path) -> None:
    small = BytesIO()
    Image.new("RGB", (3, 2), "red").save(small, "PNG")
    empty = small.getvalue().replace(struct.pack(">II", 3, 2), bytes(8))
    for image in (small.getvalue(), empty, small.getvalue()[:40]):
        assert "<canvas" in page(tmp_path, image)


def test_only_images_that_show_are_in_a_page() -> None:
    made = {
        "images": [{"name": "kept"}, {"name": "b"}, {"name": "a"}],
        "textures": [{"source": 2}, {"source": 1}, {"source": 2}],
    }
    found = _shown_images(made)
    assert [found["images"][each["source"]]["name"] for each in found["textures"]] == ["a", "b", "a"]
    assert len(found["images"]) == 2
