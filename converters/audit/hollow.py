"""Meshes that are only seen, or tiny, and that a format marks as such, because its programs refuse a flat one
otherwise."""

from __future__ import annotations

import math
from collections.abc import Iterator

from converters.audit.readback import ReadBack
from ir.diff import Difference
from ir.types import Asset, Geom, Mesh, Role


def unmarked_meshes(back: ReadBack, mark: tuple[str, str], least: float) -> Iterator[Difference]:
    """Mesh files of the output without this parameter (format.Fits.seen_mesh), though none of the geoms that stand for
    a colliding one has them, or only one whose bounding box is smaller than least (cubic metres)."""
    solid: set[str] = set()
    hollow: dict[str, Asset] = {}
    for geom in back.fitted.geoms():
        parts = back.parts(geom.name)
        tiny = _tiny_parts(back, geom, least) if geom.role in Role.COLLIDING else []
        for index, part in enumerate(parts):
            asset = back.again.mesh_of(part.shape)
            if asset is None or not asset.uri:
                continue
            if geom.role in Role.COLLIDING and not (len(tiny) == len(parts) and tiny[index]):
                solid.add(asset.name)
            elif mark not in asset.parameters:
                hollow[asset.name] = asset
    for name, asset in hollow.items():
        if name not in solid:
            path = ("asset", name, "parameters")
            yield Difference(path, "beside.parameters", "different", (mark,), asset.parameters, asset.source)


def _tiny_parts(back: ReadBack, geom: Geom, least: float) -> list[bool]:
    """Whether each part of the mesh file of a geom is smaller than that; empty where it was not opened."""
    asset = back.fitted.mesh_of(geom.shape)
    samples = back.samples(asset) if asset is not None else None
    if samples is None or not isinstance(geom.shape, Mesh):
        return []
    scale = abs(math.prod(geom.shape.scale))
    return [each.tables is not None and scale * math.prod(each.tables.sides) < least for each in samples]
