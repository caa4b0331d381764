"""What stands in an output for one thing of the scene, held against what was to be written: parts of a geom that is
several, of which folding (ir.folds) takes the word of the first, and sensors for cameras of bodies."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from converters.carried.addressed import ReadBack
from ir.diff import Difference, Said
from ir.folds import common_look, wholes
from ir.optics import FLAT
from ir.pose import compose, field_across, rotation_gap, same_place, same_rotation, transform
from ir.scene import Address, Scene
from ir.seals import unlike
from ir.types import IDENTITY, WORLD, Camera, Capsule, Cylinder, Geom, Mesh, Plane, Pose, Role, Shape, Sphere

Piece = tuple[Shape | None, Pose]
SEEN = 1e-6
"""Share by which numbers of cameras may differ, and radians: they go through angles and lenses."""
LEAST = 0.1
"""Radians across, below which not every format has a camera."""


def amiss(back: ReadBack) -> Iterator[Difference]:
    """Where the parts of a geom are not its pieces, or say otherwise than the first of their role. A mesh in several
    files stands as a whole where each of them does, and none of them twice."""
    several = {whole for whole, parts in back.folds.get("geom", {}).items() if len(parts) > 1}
    assets = wholes(back.folds, "asset")
    for body in back.fitted.bodies.values() if several else ():
        for geom in body.geoms:
            parts = back.parts(geom.name) if geom.name in several else []
            roles = [*{part.role: None for part in parts}]
            said: list[Said]
            said = [] if len(roles) < 2 or geom.role == Role.BOTH else [("role", geom.role, " ".join(roles))]
            alike = [[part for part in parts if part.role == role] for role in roles]
            for pieces in alike:
                said += _odd(geom, pieces, assets, back.again) if len(pieces) > 1 else ()
            said += _beside([pieces[0] for pieces in alike if len(pieces) == 1], assets)
            for field, before, after in said:
                path = ("body", body.name, "geoms", geom.name, field)
                yield Difference(path, f"body.geoms.{field}", "different", before, after, geom.source)


def _odd(geom: Geom, parts: list[Geom], assets: Mapping[str, str], again: Scene) -> Iterator[Said]:
    meant, found = _meant(geom, len(parts)), [_piece(part, assets) for part in parts]
    if not (_same(meant, found) and _apart(parts)):
        yield "parts", _said(meant), _said(found)
    for slot, values in unlike(parts):
        if slot.name == "material":  # the parts of a mesh look each as the file says
            looks = [again.materials[name] for name in values if name is not None]
            if isinstance(geom.shape, Mesh) or (len(looks) == len(values) and common_look(looks) is not None):
                continue
        if slot.name not in ("shape", "pose", "extras"):  # the whole has all extras then
            yield slot.name, values[0], next(value for value in values if value != values[0])


def _beside(parts: list[Geom], assets: Mapping[str, str]) -> Iterator[Said]:
    """Where what collides is another shape, or elsewhere, than what is seen of the same geom. How far a plane goes is
    for the eye alone; which file a mesh is in, carried.meshed looks at."""
    first, *others = [_piece(part, assets) for part in parts] or [(None, IDENTITY)]
    for other in others:
        if not _same([(_plain(first[0]), first[1])], [(_plain(other[0]), other[1])]):
            yield "parts", _said([first]), _said([other])


def _plain(shape: Shape | None) -> Shape | None:
    if isinstance(shape, Mesh):
        return Mesh(asset="", scale=shape.scale, fit=shape.fit)
    return Plane(normal=shape.normal) if isinstance(shape, Plane) else shape


def _meant(geom: Geom, count: int) -> list[Piece]:
    """What several geoms show that are one; said anew, and not by what writers say it by."""
    if not isinstance(geom.shape, Capsule):
        return [_piece(geom, {})] * count
    radius, length = geom.shape.radius, geom.shape.length
    ends = [Pose(transform(geom.pose, (0.0, 0.0, z)), geom.pose.rot) for z in (length / 2, -length / 2)]
    return [(Cylinder(radius=radius, length=length), geom.pose), *((Sphere(radius=radius), end) for end in ends)]


def _piece(geom: Geom, assets: Mapping[str, str]) -> Piece:
    shape = geom.shape
    if isinstance(shape, Mesh):
        return Mesh(asset=assets.get(shape.asset, shape.asset), scale=shape.scale, fit=shape.fit), geom.pose
    return shape, geom.pose


def _same(meant: list[Piece], found: list[Piece]) -> bool:
    return len(meant) == len(found) and all(
        shape == other and same_place(pose.pos, there.pos) and same_rotation(pose.rot, there.rot)
        for (shape, pose), (other, there) in zip(meant, found, strict=True)
    )


def _apart(parts: list[Geom]) -> bool:
    files = [part.shape.asset for part in parts if isinstance(part.shape, Mesh)]
    return len(files) == len(set(files))


def _said(pieces: list[Piece]) -> tuple[Shape | Pose | None, ...]:
    return tuple(each for piece in pieces for each in piece)


def misseen(back: ReadBack, origins: Mapping[Address, tuple[Address, ...]]) -> Iterator[Difference]:
    """Where the sensor for a camera is elsewhere or sees otherwise, as far as any format has such a camera."""
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
