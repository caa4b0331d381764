"""Parts of a geom that an output says as several, of which folding (ir.folds) takes the word of the first. Here they
are held against what was to be written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ir.diff import Difference
from ir.pose import same_place, same_rotation, transform
from ir.scene import Scene
from ir.seals import unlike
from ir.types import Capsule, Cylinder, Geom, Mesh, Pose, Shape, Sphere

if TYPE_CHECKING:
    from ir.folds import Folds

Piece = tuple[Shape | None, Pose]


def amiss(fitted: Scene, again: Scene, folds: Folds) -> Iterator[Difference]:
    """Where the parts of a geom of fitted, which was written, are not its pieces in again (read without folds), or say
    otherwise than the first of their role. A mesh in several files stands as a whole where each of them does, and none
    of them twice."""
    groups = {whole: parts for whole, parts in folds.get("geom", {}).items() if len(parts) > 1}
    if not groups:
        return
    read = {geom.name: geom for geom in again.geoms()}
    assets = {part: whole for whole, parts in folds.get("asset", {}).items() for part in parts}
    for body in fitted.bodies.values():
        for geom in body.geoms:
            parts = [read[name] for name in groups.get(geom.name, ()) if name in read]
            for role in {part.role: None for part in parts}:
                alike = [part for part in parts if part.role == role]
                for field, before, after in _odd(geom, alike, assets) if len(alike) > 1 else ():
                    path = ("body", body.name, "geoms", geom.name, field)
                    yield Difference(path, f"body.geoms.{field}", "different", before, after, geom.source)


def _odd(geom: Geom, parts: list[Geom], assets: Mapping[str, str]) -> Iterator[tuple[str, object, object]]:
    meant, found = _meant(geom, len(parts)), [_piece(part, assets) for part in parts]
    if not (_same(meant, found) and _apart(parts)):
        yield "parts", _said(meant), _said(found)
    for slot, values in unlike(parts):
        if slot.name not in ("shape", "pose", "material", "extras"):  # the whole has no material or all extras then
            yield slot.name, values[0], next(value for value in values if value != values[0])


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
        return Mesh(asset=assets.get(shape.asset, shape.asset), scale=shape.scale), geom.pose
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
