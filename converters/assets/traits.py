"""Properties of mesh file materials besides colour and image, and which of them a target does not represent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from functools import cache
from typing import TYPE_CHECKING

from converters.context import MESH_LOOK, Note
from converters.format import Loss
from ir.types import Asset, Material, Vec4

if TYPE_CHECKING:
    from converters.assets.meshes.parts import PartMaterial

TRAITS = ("ambient", "emissive", "specular", "shininess", "metallic", "roughness", "double_sided")
"""Fields common to PartMaterial and Material; black, zero and False mean "not given" in all of them except
roughness."""
SHINE = ("specular", "shininess", "metallic", "roughness")
"""Those for which MuJoCo has defaults if they are not given."""
NEAR = 1e-6

Brought = tuple[Asset, "PartMaterial", Material]
"""A mesh, a material that its file gives to a part of it, and the target's material for that part."""


def as_material(own: PartMaterial, name: str, texture: str | None = None) -> Material:
    """Return the look as a material of the graph. An exponent without a highlight has no effect, and is omitted.

    An exponent of 0, which exporters write for lack of one, means no highlight (as OGRE renders it, and therefore
    RViz).
    """
    specular = own.specular if own.shininess != 0 or own.specular is None else (0.0, 0.0, 0.0)
    return Material(
        name=name,
        rgba=own.rgba,
        texture=texture,
        ambient=_opaque(own.ambient),
        emissive=_opaque(own.emissive) if any(own.emissive or ()) else None,
        specular=_opaque(specular),
        shininess=own.shininess or None if specular is not None else None,
        metallic=own.metallic,
        roughness=own.roughness,
        double_sided=own.double_sided,
    )


def untold(brought: Iterable[Brought], losses: Iterable[Loss]) -> Iterator[Note]:
    """Yield notes on shown properties that the target does not represent, with the reason in its loss table: one for
    each file, trait and value.

    Rows of notes come last: they are about values that show nothing, which are not among these properties.
    """
    rows = sorted(losses, key=lambda loss: loss.severity == "note")
    reasons = [(pattern, loss.reason) for loss in rows for pattern in loss.patterns()]

    @cache
    def why(trait: str, kind: str) -> str:
        addresses = (f"material.{trait}", f"material.{trait} {kind}")
        return next(reason for pattern, reason in reasons if any(fnmatchcase(each, pattern) for each in addresses))

    told: set[tuple[str, str, str, str]] = set()
    for asset, own, held in brought:
        for trait, said, shown in unlike(as_material(own, own.name), held):
            if (asset.name, trait, said, shown) in told:
                continue
            told.add((asset.name, trait, said, shown))
            yield Note(
                rule=MESH_LOOK,
                where=f"asset/{asset.name}",
                before=said,
                after=shown,
                reason=f"of a look that a mesh file gives: {why(trait, 'different' if shown else 'absent')}",
                action="approximated" if shown else "dropped",
                severity="note",
                source=asset.source,
            )


def unlike(own: Material, held: Material, meant: bool = False) -> Iterator[tuple[str, str, str]]:
    """Yield the traits by which two looks differ visibly: the trait, the value of the first, and that of the second if
    it has one, in words. meant: held is a MuJoCo material, for which black and not given differ (SHINE), and which must
    not set anything that the look does not."""
    dull = not any((own.specular or (0.0,))[:3]) and not (meant and own.specular is None)
    for trait in TRAITS:
        said, shown = _numbers(getattr(own, trait)), _numbers(getattr(held, trait))
        silent = not any(said) and not (trait == "roughness" and said)
        if meant:
            silent = said == shown if trait in SHINE else silent and not any(shown)
        if silent or (trait == "shininess" and dull):
            continue
        if len(said) != len(shown) or any(
            abs(a - b) > NEAR * max(1.0, abs(a)) for a, b in zip(said, shown, strict=True)
        ):
            lacking = getattr(held, trait) is None or getattr(held, trait) is False
            yield trait, _trait_text(trait, said), "" if lacking else _trait_text(trait, shown)


def _numbers(value: Vec4 | float | None) -> tuple[float, ...]:
    if value is None:
        return ()
    return tuple(value[:3]) if isinstance(value, tuple) else (float(value),)


def _trait_text(trait: str, values: tuple[float, ...]) -> str:
    return " ".join([trait.replace("_", " "), *(f"{value:.6g}" for value in values)])


def _opaque(colour: tuple[float, float, float] | None) -> Vec4 | None:
    return None if colour is None else (*colour, 1.0)
