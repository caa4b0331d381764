"""Meshes that were written as several, and whose originals are not found, or of whose files one has changed: there the
document stays as it is."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from functools import cache

from converters.assets.stamps import stamp
from converters.carried.looks import without_looks_of
from converters.carried.pieces import entry, piece
from ir.patches import patch_items
from ir.plain import as_json
from ir.scene import Address, Scene
from ir.seals import wholes
from ir.types import WORLD, HeightField, Mesh

SHOWN = frozenset(("label", "shape", "material", "transparency", "inline"))
"""Fields that the parts of a geom have themselves, as geoms of their own."""
BROKEN = ""
"""A seal that never matches."""


def split_assets(scene: Scene) -> dict[str, list[str]]:
    """Assets that were written as several files, which all exist (one file for all is that of the asset: ir.folds)."""
    folds = piece(scene.carried, "folds").get("asset", {})
    there = {name for name, asset in scene.assets.items() if asset.file is not None}
    return {name: parts for name, parts in folds.items() if len(parts) > 1 and there.issuperset(parts)}


def drop_changed_files(scene: Scene, stamps: Mapping[str, str]) -> tuple[dict[str, str], list[Address]]:
    """The carried data of a scene, without what depends on files that were made and have changed; the geoms that lost
    something of it, and the materials whose images have changed.

    An asset of several files of which one has changed is used as in the document: its seal (ir.seals) is removed.
    stamps: asset -> stamp of its file ("": the source has no such asset), and of those that were made of it. A missing
    file has not changed.
    """
    carried = dict(scene.carried)
    folds, seals = piece(carried, "folds"), piece(carried, "seals")
    now = cache(stamp)
    alone: dict[str, list[str]] = {}
    for name, text in stamps.items():
        whole, *made = text.split(" ")
        parts = folds.get("asset", {}).get(name, [name])
        files = [scene.assets[part].file if part in scene.assets else None for part in parts]
        known = zip(files, made, strict=False) if not whole or len({*files}) > 1 else ()
        with suppress(OSError):  # reported when the file is read
            if any(file and wanted and now(file) != wanted for file, wanted in known):
                seals |= {f"asset/{name}": BROKEN} if whole else {}
                alone |= {} if whole else {name: parts}
    if BROKEN in seals.values():
        carried["seals"] = as_json(seals)
    whole_of = wholes(folds, "geom")
    looks = {name: look.texture for name, look in scene.materials.items() if look.texture in alone}
    edited: list[Address] = [(f"material/{name}",) for name in looks]
    painted: dict[str, str] = {}
    for body in scene.bodies.values():
        for geom in body.geoms:
            if geom.material in looks:
                painted[whole_of.get(geom.name, geom.name)] = body.name
            if isinstance(geom.shape, HeightField | Mesh) and geom.shape.asset in alone:
                edited.append((f"body/{body.name}", "geoms", geom.name))
    carried = without_looks_of(scene, carried, painted)
    for key in (*(f"material/{name}" for name in looks), *(f"asset/{name}" for name in alone)):
        carried.pop(key, None)
    return keep_split(scene, alone, carried) if alone else carried, edited


def keep_split(scene: Scene, lost: Mapping[str, list[str]], carried: Mapping[str, str] | None = None) -> dict[str, str]:
    """The carried data of a scene (None: all of it) without these assets and everything that shows them: there the
    document stays as it is."""
    carried = dict(scene.carried if carried is None else carried)
    folds = piece(carried, "folds")
    whole_of = wholes(folds, "geom")
    homes = dict.fromkeys(folds.get(WORLD, {}).get(WORLD, ()), WORLD)
    own = {part for parts in lost.values() for part in parts}
    looks: set[str | None] = set()
    for body in scene.bodies.values():
        shown = [geom for geom in body.geoms if isinstance(geom.shape, HeightField | Mesh) and geom.shape.asset in own]
        looks |= {geom.material for geom in shown}
        names = {whole_of.get(geom.name, geom.name) for geom in shown}
        parted = {name: folds.get("geom", {}).get(name, [name]) for name in names}
        carried |= _but_geoms(carried, f"body/{homes.get(body.name, body.name)}", parted)
        for name in names & folds.get("geom", {}).keys():
            del folds["geom"][name]
    textures = {material.texture for name, material in scene.materials.items() if name in looks}
    for kind, kept in (("material", looks), ("asset", own | textures | lost.keys())):
        for name in kept:
            carried.pop(f"{kind}/{name}", None)
    folds["asset"] = {name: parts for name, parts in folds.get("asset", {}).items() if name not in lost}
    return carried | {"folds": as_json(folds)}


def _but_geoms(carried: Mapping[str, str], body: str, parted: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """The carried data of a body without these geoms, which their parts (parted) represent, and without those that were
    made beside them (a box for a flat part); empty if it has no geoms. Properties of a geom other than shape and look
    apply to its parts."""
    patch = entry(carried, body)
    geoms = patch_items(patch, "geoms")
    if not parted or not geoms:
        return {}
    left = {name: geom for name, geom in geoms if name not in parted and not _beside(name, geom, parted)}
    for name, geom in geoms:
        said = {field: value for field, value in geom.items() if field not in SHOWN} if isinstance(geom, dict) else {}
        left |= dict.fromkeys(parted.get(name, ()), said) if said else {}
    return {body: as_json(patch | {"geoms": left})}


def _beside(name: str, geom: object, names: Collection[str]) -> bool:
    """Whether the source has no such geom, and its name is that of one of these with a number."""
    made = isinstance(geom, list) and len(geom) == 2 and geom[0] is None
    return made and any(
        name.startswith(f"{each}_") and name.removeprefix(f"{each}_").replace("_", "").isdigit() for each in names
    )
