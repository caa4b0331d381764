"""Cameras and lights. They look along -z in the graph and in glTF (3.10, KHR_lights_punctual)."""

from __future__ import annotations

import math
from typing import Any

from pygltflib import Camera, Orthographic, Perspective

from converters.gltf.materials import linear
from ir.types import Camera as View, Light

NEAR, FAR = 0.01, 100.0
KINDS = frozenset({"directional", "point", "spot"})


def camera(view: View) -> Camera:
    """A camera of the graph; an orthographic one sees a metre to each side, for the graph has no width of its own."""
    near = view.near if view.near is not None and view.near > 0 else NEAR
    far = view.far if view.far is not None and view.far > near else None
    if view.orthographic:
        flat = Orthographic(xmag=1.0, ymag=1.0, znear=near, zfar=far or max(FAR, 2 * near))
        return Camera(name=view.name, type="orthographic", orthographic=flat)
    shape = view.width / view.height if view.width and view.height else None
    fov = view.fov_y if 0.0 < view.fov_y < math.pi else View(name="").fov_y
    seen = Perspective(yfov=fov, aspectRatio=shape, znear=near, zfar=far)
    return Camera(name=view.name, type="perspective", perspective=seen)


def light(source: Light) -> dict[str, Any] | None:
    """An entry of KHR_lights_punctual; None for a kind that it does not have."""
    if source.kind not in KINDS:
        return None
    found: dict[str, Any] = {
        "name": source.name,
        "type": source.kind,
        "color": list(linear(source.diffuse)),
    }
    if source.intensity is not None:
        found["intensity"] = max(source.intensity, 0.0)
    if source.range is not None and source.range > 0 and source.kind != "directional":
        found["range"] = source.range
    if source.kind == "spot":
        outer = min(max(source.outer if source.outer is not None else math.pi / 4, 1e-3), math.pi / 2)
        found["spot"] = {"outerConeAngle": outer, "innerConeAngle": min(source.inner or 0.0, outer * 0.999)}
    return found
