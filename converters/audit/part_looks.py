"""Looks that a mesh file gives to its parts, and that a document gives to geoms, compared with those of the file."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from converters.assets import pictures
from converters.assets.inside import looking
from converters.assets.meshes.parts import PartMaterial, as_number
from converters.assets.shown import shown_file_look
from converters.assets.traits import as_material, unlike
from converters.audit.readback import ReadBack
from converters.context import MESH_LOOK, InputError, Note
from ir.diff import Difference
from ir.gathering import gathered
from ir.refs import entities, references
from ir.types import WHITE, Geom, Material, Mesh

NEAR = 1e-5


def wrong_part_looks(back: ReadBack, notes: Iterable[Note]) -> Iterator[Difference]:
    """Parts of a geom that look like no part of its mesh file, but for traits that the writer has reported (notes)."""
    told = gathered(((note.where, note.before), note.after) for note in notes if note.rule == MESH_LOOK)
    for body in back.fitted.bodies.values():
        for geom in body.geoms:
            looks = _looks_of_parts(geom, back)
            for trait, before, after in _wrong_looks(geom, looks, back, told) if looks else ():
                path = ("body", body.name, "geoms", geom.name, "look", *trait)
                yield Difference(path, "beside.look", "different", before, after, geom.source)


def _wrong_looks(
    geom: Geom, looks: list[PartMaterial | None], back: ReadBack, told: Mapping[tuple[str, str], Sequence[str]]
) -> Iterator[tuple[tuple[str, ...], object, object]]:
    """(the trait that differs, () for the look as a whole, what the mesh file says, what the output says) for each part
    of a geom in the output. Parts are paired with the looks of the file where there are as many of them."""
    look_of_geom, asset = back.fitted.look_of(geom), back.fitted.mesh_of(geom.shape)
    through = (1.0 - geom.transparency) * (look_of_geom.veil if look_of_geom is not None else 1.0)
    parts = [part for part in back.parts(geom.name) if part.seen and isinstance(part.shape, Mesh)]
    paired = len(parts) == len(looks)
    for number, part in enumerate(parts):
        said = back.again.materials.get(part.material or "")
        meant = [looks[number]] if paired else looks
        first = meant[0]
        if not any(look is None or _looks_like(said, look, through, back) for look in meant):
            yield (), first and first.rgba, said and said.rgba
        elif paired and first is not None and said is not None and asset is not None:
            for trait, ours, theirs in unlike(as_material(first, ""), said, True):
                if not any(_same_words(each, theirs) for each in told.get((f"asset/{asset.name}", ours), ())):
                    yield (trait,), ours, theirs


def unused(back: ReadBack) -> Iterator[Difference]:
    """Materials and assets that only the output has, and to which nothing refers: no row of losses.txt is meant for
    them."""
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
    """Whether two values of a trait, as text, are the same but for rounding."""
    ours, theirs = told.split(), read.split()
    numbers = [(as_number(one), as_number(other)) for one, other in zip(ours, theirs, strict=False)]
    return len(ours) == len(theirs) and all(
        math.isclose(a, b, rel_tol=NEAR, abs_tol=NEAR) if a is not None and b is not None else one == other
        for (a, b), one, other in zip(numbers, ours, theirs, strict=True)
    )


def _looks_of_parts(geom: Geom, back: ReadBack) -> list[PartMaterial | None]:
    """The look of each part of the mesh file of a geom (None: that of the model shows); empty if no look of the file
    shows."""
    asset = back.fitted.mesh_of(geom.shape)
    if asset is None or not asset.file or not geom.seen or not looking(asset):
        return []
    samples = [each for each in back.samples(asset) or () if each.triangles]
    if isinstance(geom.shape, Mesh) and geom.shape.submesh is not None:
        samples = [each for each in samples if each.name == geom.shape.submesh] or samples
    looks = [shown_file_look(each.material, geom, back.fitted, back.looks) for each in samples]
    return looks if any(look is not None for look in looks) else []


def _looks_like(said: Material | None, look: PartMaterial, through: float, back: ReadBack) -> bool:
    """Whether a material looks like that of a mesh file; through is the alpha that the model adds."""
    if said is None:
        return False
    red, green, blue, alpha = look.rgba
    meant, there = (red, green, blue, alpha * through), said.rgba or WHITE
    if any(abs(one - other) > NEAR for one, other in zip(meant, there, strict=True)):
        return False
    asset, picture = back.again.assets.get(said.texture or ""), look.picture
    if asset is None or picture is None:
        return asset is None and (picture is None or not pictures.readable(picture))
    held = back.files.content(asset.uri)
    try:
        if held is None:
            return bool(asset.uri or asset.made)
        return held == picture or pictures.same(pictures.content(held), pictures.content(picture))
    except (InputError, OSError):
        return False
