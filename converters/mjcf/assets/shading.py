"""Shading of MuJoCo materials: numbers where other formats have colours and an exponent."""

from __future__ import annotations

from msgspec.structs import replace

from ir.types import WHITE, Material, Vec4

EXPONENT = 128.0
"""Specular exponent at a shininess of 1, the highest of OpenGL (MuJoCo: XML reference, material/shininess)."""


def read_gloss(material: Material, specular: float | None, emission: float | None, shininess: float | None) -> Material:
    """Return the material with the meaning of these numbers: a grey, a fraction of its own colour, an exponent."""
    return glowing(
        replace(
            material,
            specular=(specular, specular, specular, 1.0) if specular is not None else None,
            shininess=shininess * EXPONENT if shininess is not None else None,
        ),
        emission,
    )


def painted_over(base: Material | None, name: str, rgba: Vec4) -> Material:
    """Return the material of a geom with its own colour; the label names its base material, or is empty without one."""
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
    """Return the fraction of its own colour nearest to the emission of a material; None if its colour is black."""
    if material.emissive is None:
        return None
    own, glow = (material.rgba or WHITE)[:3], material.emissive[:3]
    if not any(glow):
        return 0.0
    shares = [bright / colour for bright, colour in zip(glow, own, strict=True) if colour > 0]
    exact = [share for share in shares if glowing(material, share).emissive == material.emissive]
    return exact[0] if exact else sum(glow) / sum(own) if sum(own) > 0 else None


def gloss(material: Material) -> dict[str, float]:
    """Return the shading numbers of a material, by attribute."""
    found = {"emission": emission(material)}
    if material.specular is not None:
        red, green, blue, _ = material.specular
        found["specular"] = red if red == green == blue else (red + green + blue) / 3
    if material.shininess is not None:
        found["shininess"] = min(max(material.shininess / EXPONENT, 0.0), 1.0)
    return {name: value for name, value in found.items() if value is not None}


def shaded(material: Material) -> Material:
    """Return the material as MuJoCo represents it."""
    numbers = gloss(material)
    plain = replace(material, ambient=None, emissive=None, double_sided=False)
    return read_gloss(plain, *(numbers.get(name) for name in ("specular", "emission", "shininess")))
