"""Camera sensors that an output has in place of the cameras of bodies, compared with those cameras."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from converters.audit.readback import ReadBack
from ir.diff import Difference, Said
from ir.optics import FLAT
from ir.pose import compose, field_across, rotation_gap
from ir.scene import Address
from ir.types import WORLD, Camera

SEEN = 1e-6
"""Relative tolerance of numbers of cameras, and radians: they are converted through angles and focal lengths."""
LEAST = 0.1
"""Horizontal field of view in radians, below which some formats have no camera."""


def wrong_cameras(back: ReadBack, origins: Mapping[Address, tuple[Address, ...]]) -> Iterator[Difference]:
    """Sensors for cameras whose pose, size in pixels, field of view or clip distances differ, as far as any format has
    such a camera."""
    bodies = back.fitted.bodies.values()
    views = {(f"body/{body.name}", view.name): (body, view) for body in bodies for view in body.cameras}
    for (made, *_), ends in origins.items():
        sensor = back.again.tables["sensor"].get(made.removeprefix("sensor/"))
        known = views.get((ends[0][0], ends[0][-1])) if len(ends) == 1 and ends[0][1:2] == ("cameras",) else None
        if sensor is None or sensor.camera is None or known is None:
            continue
        body, view = known
        there = replace(sensor.camera, pose=compose(sensor.pose, sensor.camera.pose))
        for name, before, after in _otherwise(view, there):
            path = ("body", body.name, "cameras", view.name, name)
            yield Difference(path, f"beside.cameras.{name}", "different", before, after, view.source)
        if body.name != WORLD and sensor.body != body.name:
            path = ("body", body.name, "cameras", view.name, "body")
            yield Difference(path, "beside.cameras.body", "different", body.name, sensor.body, view.source)


def _otherwise(view: Camera, there: Camera) -> Iterator[Said]:
    far = math.dist(view.pose.pos, there.pose.pos) > SEEN * max(1.0, *map(abs, view.pose.pos))
    if far or rotation_gap(view.pose.rot, there.pose.rot) > SEEN:
        yield "pose", view.pose, there.pose
    sizes = (view.width, there.width), (view.height, there.height)
    if all(own is not None and own >= 1 for own, _ in sizes):
        yield from ((name, *each) for name, each in zip(("width", "height"), sizes, strict=True) if each[0] != each[1])
    square = (there.width or 1) / (there.height or 1)
    usual = not view.orthographic and view.principal == (0.0, 0.0) and 0.0 < view.fov_y < FLAT
    if usual and LEAST < field_across(view.fov_y, view.aspect or square) < FLAT:
        yield from _number("fov_y", view.fov_y, there.fov_y)
    if view.near is not None and view.near > 0.0:
        yield from _number("near", view.near, there.near)
        if view.far is not None and view.far > view.near:
            yield from _number("far", view.far, there.far)


def _number(name: str, before: float, after: float | None) -> Iterator[Said]:
    if after is None or not math.isclose(before, after, rel_tol=SEEN):
        yield name, before, after
