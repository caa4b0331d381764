"""Meshes that are only seen, and that a format marks as such, because its programs refuse a flat one otherwise."""

from __future__ import annotations

from collections.abc import Iterator

from converters.audit.readback import ReadBack
from ir.diff import Difference
from ir.types import Asset, Role


def unmarked_meshes(back: ReadBack, mark: tuple[str, str]) -> Iterator[Difference]:
    """Mesh files of the output without this parameter (format.Fits.seen_mesh), though none of the geoms that stand for
    a colliding one has them."""
    solid: set[str] = set()
    seen: dict[str, Asset] = {}
    for geom in back.fitted.geoms():
        for part in back.parts(geom.name):
            asset = back.again.mesh_of(part.shape)
            if asset is None or not asset.uri:
                continue
            if geom.role in Role.COLLIDING:
                solid.add(asset.name)
            elif mark not in asset.parameters:
                seen[asset.name] = asset
    for name, asset in seen.items():
        if name not in solid:
            path = ("asset", name, "parameters")
            yield Difference(path, "beside.parameters", "different", (mark,), asset.parameters, asset.source)
