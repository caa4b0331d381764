"""The meshes of a page: what the buffer of a GLB becomes, in time that grows with it."""

from __future__ import annotations

from time import process_time
from typing import Any

import numpy as np

from converters.viewer.meshes import _lean, _rebuilt


def document(count: int) -> tuple[dict[str, Any], bytes]:
    """Meshes of one triangle each, corners and positions in views of their own."""
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
