"""More conditions of rows (converters.report.reasons): those about the files of assets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import PurePath

from converters.facts import Facts
from converters.report.reasons import Asked, geom_of
from ir.diff import Difference
from ir.gathering import gathered
from ir.types import Asset, HeightField, Mesh


def unfound(mark: str) -> Asked:
    """The condition that the geom uses a file that was not found, or cannot be read; in a document that its author
    wrote in this format, which has this mark (Fits.mark), one that no document can name."""

    def asked(difference: Difference, facts: Facts) -> bool:
        asset = _file_of(difference, facts)
        native = mark in facts.fitted.notation
        return asset is not None and (file_has_no_address(difference, facts) if native else nowhere(asset, facts))

    return asked


def file_has_no_address(difference: Difference, facts: Facts) -> bool:
    """Whether the geom uses a file that was not found, and that no document can name either: it has no address."""
    asset = _file_of(difference, facts)
    return asset is not None and nowhere(asset, facts) and (not asset.uri or f"asset/{asset.name}" in facts.noted)


def _file_of(difference: Difference, facts: Facts) -> Asset | None:
    """The asset of the shape of a geom of the source."""
    shape = getattr(geom_of(difference, facts), "shape", None)
    return facts.scene.assets.get(shape.asset) if isinstance(shape, (Mesh, HeightField)) else None


def nowhere(asset: Asset | None, facts: Facts) -> bool:
    """Whether there is no readable file, nor one that passes made (of an image that a compiler generates)."""
    made = facts.fitted.assets.get(asset.name, asset) if asset is not None else None
    return made is None or (made.file is None and not made.made) or f"asset/{made.name}" in facts.noted


def usable_image(texture: str | None, facts: Facts) -> bool:
    """Whether a texture is a single image in a file that was found, or that was made from it."""
    asset = facts.fitted.assets.get(texture or "")
    return asset is not None and not nowhere(asset, facts) and not asset.parameters


def has_no_usable_image_file(difference: Difference, facts: Facts) -> bool:
    """Whether a texture is no usable image (a cube map, or without a file)."""
    return not usable_image(difference.before, facts)


def file_exists_or_same_name(difference: Difference, facts: Facts) -> bool:
    """Whether the output has an address, and the file of an asset exists, or a part of another one (which other checks
    compare with the file at its new address), or the name of the file is unchanged."""
    asset = facts.fitted.assets.get(difference.path[1])
    known = asset is not None and bool(asset.file or asset.made or "#" in asset.uri)
    before, after = (str(each or "").rpartition("/")[2] for each in (difference.before, difference.after))
    return bool(difference.after) and (known or before == after)


def file_left_in_place(difference: Difference, facts: Facts) -> bool:
    """Whether files are to be named where they lie, and this is one: what is made of a file has another name."""
    asset = facts.fitted.assets.get(difference.path[1])
    file = asset.file if asset is not None and facts.options.meshes == "reference" else None
    return file is not None and PurePath(file).name == str(difference.after).rpartition("/")[2]


def files(facts: Facts) -> Mapping[str | None, int]:
    """File -> the number of assets in it."""
    return Counter(asset.file for asset in facts.scene.assets.values())


def same_file(difference: Difference, facts: Facts) -> bool:
    """Whether two meshes or textures are one file, or have the same address if none was found."""
    ours, theirs = (facts.scene.assets.get(str(name)) for name in (difference.before, difference.after))
    places = [asset.file or asset.uri for asset in (ours, theirs) if asset is not None]
    return len(places) == 2 and places[0] == places[1] != ""


def unused(difference: Difference, facts: Facts) -> bool:
    """Whether no geom of the output uses an asset of the source as its shape, and no material shows it."""
    name = difference.before.name
    places = facts.shaped.get(name, ())
    return all(place in facts.lost or (*place, "shape") in facts.lost for place in places) and all(
        ("material", look) in facts.lost for look in facts.once(_pictures).get(name, ())
    )


def _pictures(facts: Facts) -> Mapping[str, Sequence[str]]:
    """Image -> the materials with it as their colour image, the only one that some formats show."""
    return gathered((look.texture or "", look.name) for look in facts.fitted.materials.values())
