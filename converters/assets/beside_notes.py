"""Notes on files beside an output: whose looks are shown, and addresses that lead nowhere from there."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from pathlib import Path

from converters.assets import inside
from converters.assets.shown import veiled_geoms
from converters.context import WriterContext
from ir.scene import Scene
from ir.types import Asset


def tell_own(asset: Asset, context: WriterContext) -> None:
    """Note that a mesh file is still shown with its own materials."""
    context.note(
        "assets/own-looks",
        f"asset/{asset.name}",
        "the mesh file has looks of its own, which readers of the target show; in the source the looks of "
        "the model are shown, where it has some",
        asset.source,
        before="looks of the model",
        after=f"looks of {posixpath.basename(asset.uri) if inside.part_of(asset) else Path(str(asset.file)).name}",
        action="approximated",
    )


def tell_veiled(scene: Scene, context: WriterContext) -> None:
    """Note transparency of the source that is lost where readers show the materials of the mesh file instead."""
    for body, geom, file in veiled_geoms(scene, context.looks):
        veil = scene.materials[geom.material or ""].veil
        context.note(
            "assets/own-looks",
            f"body/{body}.geoms.{geom.name}.transparency",
            "the mesh file has looks of its own, which readers of the target show without the transparency that "
            "the source has",
            geom.source,
            before=f"{1 - veil:.12g}",
            after=f"looks of {file.name}",
            action="approximated",
        )


def tell_far(assets: Iterable[Asset], context: WriterContext) -> None:
    """Note the files whose addresses are kept but cannot be resolved from the folder of the output."""
    from converters.assets.resolve import Resolver

    assert context.target is not None
    resolver: Resolver | None = None
    for asset in assets:
        scheme, lookup, _ = asset.uri.partition("://")
        if asset.file is None or not lookup or scheme == "file" or inside.part_of(asset):
            continue
        resolver = resolver or Resolver(context.target, context.options)
        if resolver.find(asset.uri)[0] is None:
            context.note(
                "assets/far",
                f"asset/{asset.name}",
                "this address does not lead to the file from the folder of the output: programs that read it there "
                "must know the package or model (--meshes copy puts the file beside the output)",
                asset.source,
                before=asset.uri,
                action="noted",
                severity="note",
            )
