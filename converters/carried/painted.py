"""Looks that a mesh file gives to its parts, where a document gives them to geoms: held against those of the file."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from converters.assets import pictures
from converters.assets.inside import looking
from converters.assets.meshes.parts import PartMaterial, as_number
from converters.assets.shown import own
from converters.assets.traits import as_material, unlike
from converters.carried.addressed import ReadBack
from converters.context import MESH_LOOK, InputError, Note
from ir.diff import Difference
from ir.gathering import gathered
from ir.refs import entities, references
from ir.types import Geom, Material, Mesh, Role

NEAR = 1e-5


def mispainted(back: ReadBack, notes: Iterable[Note]) -> Iterator[Difference]:
    """Where parts of a geom look as no part of its mesh file does, but for what the writer tells of that (notes)."""
    fitted, again = back.fitted, back.again
    told = gathered(((note.where, note.before), note.after) for note in notes if note.rule == MESH_LOOK)
    for body in fitted.bodies.values():
        for geom in body.geoms:
            looks, own_look = _looks(geom, back), fitted.look_of(geom)
            through = (1.0 - geom.transparency) * (own_look.veil if own_look is not None else 1.0)
            parts = back.parts(geom.name) if looks else []
            parts = [part for part in parts if part.role in Role.SEEN and isinstance(part.shape, Mesh)]
            paired = len(parts) == len(looks)
            for number, part in enumerate(parts):
                said = again.materials.get(part.material or "")
                meant = [looks[number]] if paired else looks
                path, look = ("body", body.name, "geoms", geom.name, "look"), meant[0]
                if not any(look is None or _alike(said, look, through, back) for look in meant):
                    before = look.rgba if look is not None else None
                    yield Difference(path, "beside.look", "different", before, said and said.rgba, geom.source)
                elif paired and look is not None and said is not None and (asset := fitted.mesh_of(geom.shape)):
                    for trait, ours, theirs in unlike(as_material(look, ""), said, True):
                        if not any(_same_words(each, theirs) for each in told.get((f"asset/{asset.name}", ours), ())):
                            yield Difference((*path, trait), "beside.look", "different", ours, theirs, geom.source)


def unused(back: ReadBack) -> Iterator[Difference]:
    """Materials and files of the output that what was written does not have, and to which nothing there refers:
    nobody sees them, and what a reason says of others is not true of them."""
    fitted, again = back.fitted, back.again
    new = {kind: again.tables[kind].keys() - fitted.tables[kind].keys() for kind in ("asset", "material")}
    if any(new.values()):
        meant = {
            (kind, each.name) for _, one in entities(again) for each in references(one) for kind in each.kind.split("|")
        }
        for kind, names in new.items():
            for name in sorted(name for name in names if (kind, name) not in meant):
                yield Difference((kind, name), f"beside.{kind}", "extra", None, name, again.tables[kind][name].source)


def _same_words(told: str, read: str) -> bool:
    """Whether a writer tells of a trait what was read of it, but for rounding."""
    ours, theirs = told.split(), read.split()
    numbers = [(as_number(one), as_number(other)) for one, other in zip(ours, theirs, strict=False)]
    return len(ours) == len(theirs) and all(
        math.isclose(a, b, rel_tol=NEAR, abs_tol=NEAR) if a is not None and b is not None else one == other
        for (a, b), one, other in zip(numbers, ours, theirs, strict=True)
    )


def _looks(geom: Geom, back: ReadBack) -> list[PartMaterial | None]:
    """Of each part of the file of a geom the look that shows on it; nothing where none does."""
    asset = back.fitted.mesh_of(geom.shape)
    if asset is None or not asset.file or geom.role not in Role.SEEN or not looking(asset):
        return []
    samples = [each for each in back.samples(asset) or () if each.triangles]
    if isinstance(geom.shape, Mesh) and geom.shape.submesh is not None:
        samples = [each for each in samples if each.name == geom.shape.submesh] or samples
    looks = [own(each.material, geom, back.fitted, back.looks) for each in samples]
    return looks if any(look is not None for look in looks) else []


def _alike(said: Material | None, look: PartMaterial, through: float, back: ReadBack) -> bool:
    """through: the share of light that the model lets a look keep."""
    if said is None:
        return False
    red, green, blue, alpha = look.rgba
    meant, there = (red, green, blue, alpha * through), said.rgba or (1.0, 1.0, 1.0, 1.0)
    if any(abs(one - other) > NEAR for one, other in zip(meant, there, strict=True)):
        return False
    asset, picture = back.again.assets.get(said.texture or ""), look.picture
    if asset is None or picture is None:
        return asset is None and (picture is None or not pictures.readable(picture))
    held = back.plan.content(asset.uri)
    try:
        if held is None:
            return bool(asset.uri or asset.made)
        return held == picture or pictures.same(pictures.content(held), pictures.content(picture))
    except (InputError, OSError):
        return False
