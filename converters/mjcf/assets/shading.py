"""How a material of MuJoCo shines: numbers where other formats have colours and an exponent."""

from __future__ import annotations

from msgspec.structs import replace

from ir.types import WHITE, Material, Vec4

EXPONENT = 128.0
"""The exponent that a shininess of 1 stands for, the highest of OpenGL (MuJoCo: XML reference, material/shininess)."""


def read_gloss(material: Material, specular: float | None, emission: float | None, shininess: float | None) -> Material:
    """The material with what these numbers mean: a grey, a share of its own colour, an exponent."""
    return glowing(
        replace(
            material,
            specular=(specular, specular, specular, 1.0) if specular is not None else None,
            shininess=shininess * EXPONENT if shininess is not None else None,
        ),
        emission,
    )


def painted_over(base: Material | None, name: str, rgba: Vec4) -> Material:
    """What a colour of a geom makes of its material, or where it has none: its label says which, or is empty."""
    if base is None:
        return Material(name=name, label="", rgba=rgba)
    made = replace(base, name=name, label=base.name, rgba=rgba, source=None, extras=())
    return glowing(made, emission(base))


def glowing(material: Material, emission: float | None) -> Material:
    """The material with an emission, which in MuJoCo is a share of its own colour."""
    if emission is None:
        return material
    red, green, blue, _ = material.rgba or WHITE
    return replace(material, emissive=(emission * red, emission * green, emission * blue, 1.0))


def emission(material: Material) -> float | None:
    """The share of its own colour that comes nearest to what a material emits; None where its colour is black."""
    if material.emissive is None:
        return None
    own, glow = (material.rgba or WHITE)[:3], material.emissive[:3]
    if not any(glow):
        return 0.0
    shares = [bright / colour for bright, colour in zip(glow, own, strict=True) if colour > 0]
    exact = [share for share in shares if glowing(material, share).emissive == material.emissive]
    return exact[0] if exact else sum(glow) / sum(own) if sum(own) > 0 else None


def gloss(material: Material) -> dict[str, float]:
    """The numbers of a material, by attribute."""
    found = {"emission": emission(material)}
    if material.specular is not None:
        red, green, blue, _ = material.specular
        found["specular"] = red if red == green == blue else (red + green + blue) / 3
    if material.shininess is not None:
        found["shininess"] = min(max(material.shininess / EXPONENT, 0.0), 1.0)
    return {name: value for name, value in found.items() if value is not None}


def shaded(material: Material) -> Material:
    """The material as MuJoCo has it."""
    numbers = gloss(material)
    plain = replace(material, ambient=None, emissive=None, double_sided=False)
    return read_gloss(plain, *(numbers.get(name) for name in ("specular", "emission", "shininess")))
