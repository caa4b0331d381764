"""The parts of a geom that an output has as several geoms, compared with what was to be written. Folding (ir.folds)
trusts the first of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from converters.audit.readback import ReadBack
from ir.diff import Difference, Said
from ir.folds import common_look
from ir.pose import same_pose, transform
from ir.scene import Scene
from ir.seals import differing_fields, wholes
from ir.types import IDENTITY, Capsule, Cylinder, Geom, Mesh, Plane, Pose, Role, Shape, Sphere

Piece = tuple[Shape | None, Pose]


def wrong_parts(back: ReadBack) -> Iterator[Difference]:
    """Geoms whose parts have other shapes or poses than expected, differ in other fields, or are seen alone or collide
    alone where the geom does both. A mesh in several files is whole if each part file is used once."""
    several = {whole for whole, parts in back.folds.get("geom", {}).items() if len(parts) > 1}
    assets = wholes(back.folds, "asset")
    for body in back.fitted.bodies.values() if several else ():
        for geom in body.geoms:
            parts = back.parts(geom.name) if geom.name in several else []
            roles = [*{part.role: None for part in parts}]
            said: list[Said] = []
            if geom.role == Role.BOTH and roles in ([Role.VISUAL], [Role.COLLISION]):
                said = [("parts", geom.role, roles[0])]
            elif geom.role != Role.BOTH and len(roles) > 1:
                said = [("role", geom.role, " ".join(roles))]
            alike = [[part for part in parts if part.role == role] for role in roles]
            for pieces in alike:
                said += _wrong_pieces(geom, pieces, assets, back.again) if len(pieces) > 1 else ()
            said += _wrong_collision([pieces[0] for pieces in alike if len(pieces) == 1], assets)
            for field, before, after in said:
                path = ("body", body.name, "geoms", geom.name, field)
                yield Difference(path, f"body.geoms.{field}", "different", before, after, geom.source)


def _wrong_pieces(geom: Geom, parts: list[Geom], assets: Mapping[str, str], again: Scene) -> Iterator[Said]:
    meant, found = _expected_pieces(geom, len(parts)), [_piece(part, assets) for part in parts]
    if not (_same_pieces(meant, found) and _have_own_files(parts)):
        yield "parts", _shapes_and_poses(meant), _shapes_and_poses(found)
    for slot, values in differing_fields(parts):
        if slot.name == "material":  # each part of a mesh may have its own material
            looks = [again.materials[name] for name in values if name is not None]
            if isinstance(geom.shape, Mesh) or (len(looks) == len(values) and common_look(looks) is not None):
                continue
        if slot.name not in ("shape", "pose", "extras"):  # the joined geom has the extras of all parts
            yield slot.name, values[0], next(value for value in values if value != values[0])


def _wrong_collision(parts: list[Geom], assets: Mapping[str, str]) -> Iterator[Said]:
    """Geoms whose collision part has another shape or pose than the visible one. The size of a plane is ignored, since
    it is only drawn; files of meshes are compared in audit.files."""
    first, *others = [_piece(part, assets) for part in parts] or [(None, IDENTITY)]
    for other in others:
        if not _same_pieces([(_comparable_shape(first[0]), first[1])], [(_comparable_shape(other[0]), other[1])]):
            yield "parts", _shapes_and_poses([first]), _shapes_and_poses([other])


def _comparable_shape(shape: Shape | None) -> Shape | None:
    if isinstance(shape, Mesh):
        return Mesh(asset="", scale=shape.scale, fit=shape.fit)
    return Plane(normal=shape.normal) if isinstance(shape, Plane) else shape


def _expected_pieces(geom: Geom, count: int) -> list[Piece]:
    """The pieces (shape, pose) that should stand for a geom, computed independently of the writers."""
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


def _same_pieces(meant: list[Piece], found: list[Piece]) -> bool:
    return len(meant) == len(found) and all(
        shape == other and same_pose(pose, there) for (shape, pose), (other, there) in zip(meant, found, strict=True)
    )


def _have_own_files(parts: list[Geom]) -> bool:
    files = [part.shape.asset for part in parts if isinstance(part.shape, Mesh)]
    return len(files) == len(set(files))


def _shapes_and_poses(pieces: list[Piece]) -> tuple[Shape | Pose | None, ...]:
    return tuple(each for piece in pieces for each in piece)
