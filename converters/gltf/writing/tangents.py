"""Tangents for normal maps (glTF 2.0, 3.7.2.1): without them each program computes its own, with different results."""

from __future__ import annotations

from msgspec.structs import replace

from converters.gltf.writing.geometry import GeomPrimitive
from ir.arrays import Floats, Indices, Ints, Singles, np

LEAST = 1e-20
"""Length, or squared length, below which a vector has no direction."""


def with_tangents(piece: GeomPrimitive) -> GeomPrimitive:
    """Return the piece with tangents, if it has texture coordinates; for flat shading, it gets explicit normals.

    A vertex shared by faces of opposite handedness, as where half of an image is mirrored, is split.
    """
    if piece.uvs is None:
        return piece
    piece = piece if piece.normals is not None else _with_flat_normals(piece)
    assert piece.normals is not None
    assert piece.uvs is not None
    along, mirrored = _directions_of_faces(piece.positions, piece.uvs, piece.faces)
    corners = np.unique(piece.faces.astype(np.int64) * 2 + mirrored[:, None])
    rows, left = corners >> 1, (corners & 1).astype(bool)
    faces = np.searchsorted(corners, piece.faces.astype(np.int64) * 2 + mirrored[:, None]).astype(np.uint32)
    positions, normals = piece.positions.take(rows, axis=0), piece.normals.take(rows, axis=0)
    tangents = np.empty((len(rows), 4), dtype=np.float32)
    tangents[:, :3] = _tangents_of_corners(positions, normals.astype(np.float64), faces, along)
    tangents[:, 3] = np.where(left, -1.0, 1.0)
    return replace(
        piece,
        positions=positions,
        normals=normals,
        uvs=piece.uvs.take(rows, axis=0),
        colours=None if piece.colours is None else piece.colours.take(rows, axis=0),
        faces=faces,
        tangents=tangents,
    )


def _with_flat_normals(piece: GeomPrimitive) -> GeomPrimitive:
    """Return the piece with a normal and separate vertices for each face."""
    assert piece.uvs is not None
    rows = piece.faces.reshape(-1)
    positions = piece.positions.take(rows, axis=0)
    a, b, c = positions.astype(np.float64).reshape(-1, 3, 3).swapaxes(0, 1)
    normals = np.repeat(_unit(np.cross(b - a, c - a), (0.0, 0.0, 1.0)), 3, axis=0).astype(np.float32)
    faces = np.arange(len(rows), dtype=np.uint32).reshape(-1, 3)
    colours = None if piece.colours is None else piece.colours.take(rows, axis=0)
    uvs = piece.uvs.take(rows, axis=0)
    return replace(piece, positions=positions, normals=normals, uvs=uvs, colours=colours, faces=faces)


def _directions_of_faces(positions: Singles, uvs: Singles, faces: Indices) -> tuple[Floats, Ints]:
    """Return by face the direction of u, a unit vector or zero (m, 3), and 1 if the image is mirrored there (m,)."""
    a, b, c = positions.astype(np.float64)[faces].swapaxes(0, 1)
    p, q, r = uvs.astype(np.float64)[faces].swapaxes(0, 1)
    (u1, v1), (u2, v2) = (q - p).T, (r - p).T
    area = u1 * v2 - u2 * v1  # below 0 where the image is seen from its face: v counts downwards
    along = (v2[:, None] * (b - a) - v1[:, None] * (c - a)) * np.sign(area)[:, None]
    return _unit(along, (0.0, 0.0, 0.0)), (area > 0.0).astype(np.int64)


def _tangents_of_corners(positions: Singles, normals: Floats, faces: Indices, along: Floats) -> Floats:
    """Return unit tangents of vertices (n, 3), perpendicular to the normals: means of the faces weighted by angle."""
    total = np.zeros((len(positions), 3))
    points = positions.astype(np.float64)[faces]
    for number in range(3):
        at = faces[:, number]
        one, two = (_unit(points[:, number - side] - points[:, number], (1.0, 0.0, 0.0)) for side in (1, 2))
        angle = np.arccos(np.clip(np.einsum("ij,ij->i", one, two), -1.0, 1.0))
        np.add.at(total, at, angle[:, None] * _unit(_square_to(along, normals[at]), (0.0, 0.0, 0.0)))
    any_one = _square_to(np.where(np.abs(normals[:, :1]) < 0.9, (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)), normals)
    total = _square_to(total, normals)
    short = np.einsum("ij,ij->i", total, total) < LEAST
    return _unit(np.where(short[:, None], any_one, total), (1.0, 0.0, 0.0))


def _square_to(vectors: Floats, normals: Floats) -> Floats:
    """Return the components of vectors perpendicular to normals."""
    found: Floats = vectors - np.einsum("ij,ij->i", vectors, normals)[:, None] * normals
    return found


def _unit(vectors: Floats, otherwise: tuple[float, float, float]) -> Floats:
    length = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))[:, None]
    poor = length < LEAST
    found: Floats = np.where(poor, otherwise, vectors / np.where(poor, 1.0, length))
    return found
