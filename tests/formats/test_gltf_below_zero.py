"""Physics in glTF that cannot be is refused."""

from __future__ import annotations

from typing import Any

import pytest

from converters.context import InputError
from tests.formats.gltf_bodies import body, world
from tests.formats.gltf_made import scene_of

BELOW_ZERO: dict[str, dict[str, Any]] = {
    "mass": {"mass": -1},
    "inertiaDiagonal": {"mass": 1, "inertiaDiagonal": [1, -1, 1]},
    "inertiaOrientation": {"mass": 1, "inertiaDiagonal": [1, 1, 1], "inertiaOrientation": [0, 0, 0, 0]},
}


@pytest.mark.parametrize("key", BELOW_ZERO)
def test_a_motion_that_cannot_be_is_refused(key: str):
    made = world()
    made.scene(body(made, {"motion": BELOW_ZERO[key]}, name="it"))
    with pytest.raises(InputError, match=f"{key}.* is (negative|no rotation)"):
        scene_of(made)


@pytest.mark.parametrize("kind", ["sphere", "cylinder", "capsule"])
def test_a_shape_below_zero_is_refused(kind: str):
    key = "radius" if kind == "sphere" else "radiusTop"
    made = world({"type": kind, kind: {key: -1}})
    made.scene(body(made, {"collider": {"geometry": {"shape": 0}}}, name="it"))
    with pytest.raises(InputError, match=f"{key} is negative"):
        scene_of(made)
