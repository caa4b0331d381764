"""Conversion of cameras and lights. They look along -z in the graph and in glTF (3.10, KHR_lights_punctual)."""

from __future__ import annotations

import math
from typing import Any

from pygltflib import Camera, Orthographic, Perspective

from converters.gltf.data.colours import to_linear
from converters.gltf.data.extensions import LIGHTS, extension, table
from converters.gltf.scene.materials import colour
from converters.source.json import JsonObject
from ir.optics import FLAT
from ir.types import Camera as View, Light, Pose

NEAR, FAR = 0.01, 100.0
KINDS = frozenset({"directional", "point", "spot"})
ITEM = "item/"
"""Path prefix of extras from the entry of a camera or light, as opposed to those of its node."""
ACTIVE = "active"
"""Parameter of a light that tells whether it is switched on."""


def camera(view: View) -> Camera:
    """Convert a camera of the graph; an orthographic one without a span shows one metre to each side."""
    near = view.near if view.near is not None and view.near > 0 else NEAR
    far = view.far if view.far is not None and view.far > near else None
    shape = view.width / view.height if view.width and view.height else None
    if view.orthographic:
        half = view.span / 2 if view.span is not None and view.span > 0 else 1.0
        flat = Orthographic(xmag=half * (shape or 1.0), ymag=half, znear=near, zfar=far or max(FAR, 2 * near))
        return Camera(name=view.name, type="orthographic", orthographic=flat)
    fov = min(view.fov_y, FLAT) if view.fov_y > 0.0 else View(name="").fov_y
    seen = Perspective(yfov=fov, aspectRatio=view.aspect or shape, znear=near, zfar=far)
    return Camera(name=view.name, type="perspective", perspective=seen)


def switched_off(source: Light) -> bool:
    """Whether a light is switched off; those of KHR_lights_punctual have no switch."""
    return dict(source.parameters).get(ACTIVE) == "false"


def light(source: Light) -> dict[str, Any] | None:
    """Return an entry of KHR_lights_punctual; None for a kind it does not have."""
    if source.kind not in KINDS:
        return None
    found: dict[str, Any] = {"name": source.name, "type": source.kind, "color": list(to_linear(source.diffuse))}
    if switched_off(source):
        found["intensity"] = 0.0
    elif source.intensity is not None:
        found["intensity"] = max(source.intensity, 0.0)
    if source.range is not None and source.range > 0 and source.kind != "directional":
        found["range"] = source.range
    if source.kind == "spot":
        outer = min(max(source.outer if source.outer is not None else math.pi / 4, 1e-3), math.pi / 2)
        found["spot"] = {"outerConeAngle": outer, "innerConeAngle": min(source.inner or 0.0, outer * 0.999)}
    return found


def camera_of(node: JsonObject, root: JsonObject) -> JsonObject | None:
    """Return the camera entry of a node."""
    cameras = root.children("cameras")
    number = node.index("camera", len(cameras))
    return cameras[number] if number is not None else None


def lamp_of(node: JsonObject, root: JsonObject) -> JsonObject | None:
    """Return the light entry of a node."""
    own = extension(node, LIGHTS)
    lamps = table(root, LIGHTS, "lights") if own is not None else []
    number = own.index("light", len(lamps)) if own is not None else None
    return lamps[number] if number is not None else None


def read_camera(node: JsonObject, name: str, label: str | None, pose: Pose) -> View:
    """Read a camera of a document at a pose. Raises InputError for an unknown kind."""
    kind = node.given("type", node.text("type"))
    seen = node.child("orthographic" if kind == "orthographic" else "perspective")
    if kind not in ("perspective", "orthographic") or seen is None:
        raise node.fail("type", "must be perspective or orthographic, and the camera must have that member")
    near, far = seen.number("znear"), seen.number("zfar")
    if kind == "orthographic":
        half = seen.members.get("ymag")  # half of the height (3.10.3); negative (upside down) is not reported here
        span = 2 * (seen.number("ymag") or 0.0) if isinstance(half, (int, float)) and half > 0 else None
        return View(
            name=name, label=label, pose=pose, near=near, far=far, orthographic=True, span=span, source=node.source
        )
    said = seen.members.get("yfov")
    if isinstance(said, (int, float)) and FLAT <= said < math.inf:  # 3.10.3: "SHOULD be less than pi"; it stays unread
        return View(name=name, label=label, pose=pose, fov_y=FLAT, near=near, far=far, source=node.source)
    angle = seen.given("yfov", seen.number("yfov"))
    if angle is None or not angle > 0.0:
        raise seen.fail("yfov", "must be an angle above zero")
    return View(name=name, label=label, pose=pose, fov_y=angle, near=near, far=far, source=node.source)


def read_light(node: JsonObject, name: str, label: str | None, pose: Pose) -> Light:
    """Read a light of KHR_lights_punctual at a pose; its angles are half angles, as here. Raises InputError."""
    kind = node.given("type", node.text("type"))
    if kind not in ("directional", "point", "spot"):
        raise node.fail("type", "must be directional, point or spot")
    spot = node.child("spot")
    shade = colour(node, "color", 3) or (1.0, 1.0, 1.0)
    return Light(
        name=name,
        label=label,
        kind=kind,
        pose=pose,
        diffuse=(shade[0], shade[1], shade[2]),
        intensity=node.number("intensity"),
        range=node.number("range"),
        inner=_half_angle(spot, "innerConeAngle"),
        outer=_half_angle(spot, "outerConeAngle"),
        source=node.source,
    )


def _half_angle(spot: JsonObject | None, key: str) -> float | None:
    """Return the half angle of a cone, from 0 to a quarter of a turn (KHR_lights_punctual, light.spot.schema.json)."""
    angle = spot.number(key) if spot is not None else None
    if spot is not None and angle is not None and not 0.0 <= angle <= 1.5708:
        spot.refuse(key, "must be an angle of at most a quarter of a turn")
        return None
    return angle
