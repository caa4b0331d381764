"""<frame scale= scaling= massscale=> of MuJoCo 4: the content of a frame is larger and heavier than written."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from msgspec.structs import replace

from converters.mjcf.document.defaults import Defaults
from converters.mjcf.document.demands import SIZES
from converters.source.shadow import shadow
from converters.source.text import counted, numbers, plain_numbers, words
from converters.source.xml import Node
from ir.types import HeightField, Mesh, Pose, Shape, Vec3

STRETCHED = "mjcf/frame-scale"
ATTRIBUTES = ("scale", "scaling", "massscale")


class Scale(NamedTuple):
    """Factors of length and mass, and those that also apply to forces: of frames with scaling="similar".

    The documentation of MuJoCo 4.0.0 (XMLreference, frame) gives the rules.
    """

    length: float = 1.0
    mass: float = 1.0
    similar_length: float = 1.0
    similar_mass: float = 1.0

    def of(self, unit: str, turning: bool) -> float:
        """Return the factor of a unit. Q, F: the coordinate of a joint, an angle if turning, and its force."""
        length, mass = self.similar_length, self.similar_mass
        count = 1.0 if turning else length
        force = mass * length * (length if turning else 1.0)
        match unit:
            case "L" | "1/L" | "1/LL":
                return self.length ** {"L": 1, "1/L": -1, "1/LL": -2}[unit]
            case "M" | "MLL":
                return self.mass * (1.0 if unit == "M" else self.length**2)
            case "M/LL" | "M/LLL":
                return self.mass / self.length ** unit.count("L")
            case "N":
                return mass * length
            case "Q":
                return 1.0 if turning else self.length
            case "F" | "F/Q" | "F/QQ" | "F/QQQ":
                return force / count ** unit.count("Q")
        return 1.0


UNITS: Mapping[str, Mapping[str, str]] = {
    "geom": {
        **dict.fromkeys(("size", "fromto", "pos", "margin", "gap"), "L"),
        "mass": "M",
        "density": "M/LLL",
        "adhesion": "N",
        "friction": "1 L L",
        "solimp": "1 1 L 1 1",
        "surfacevel": "L L L 1 1 1",
    },
    "site": dict.fromkeys(("size", "fromto", "pos"), "L"),
    "inertial": {"pos": "L", "mass": "M", "diaginertia": "MLL", "fullinertia": "MLL"},
    "camera": dict.fromkeys(("pos", "ipd", "focal", "principal", "sensorsize"), "L"),
    "light": {"pos": "L", "range": "L", "bulbradius": "L", "attenuation": "1 1/L 1/LL"},
    "joint": {
        "pos": "L",
        **dict.fromkeys(("range", "margin", "ref", "springref", "springyield"), "Q"),
        **dict.fromkeys(("stiffness", "damping"), "F/Q F/QQ F/QQQ"),
        "armature": "F/Q",
        "frictionloss": "F",
        "actuatorfrcrange": "F",
        **dict.fromkeys(("solimplimit", "solimpfriction"), "1 1 Q 1 1"),
    },
    "freejoint": {},
}
"""Attributes of tree elements with a dimension; the last unit applies to all following numbers.

The fovy of an orthographic camera is a length, which MuJoCo 4.0.0 does not scale.
"""

UNSAID: Mapping[tuple[str, str], str] = {
    ("geom", "friction"): "1 0.005 0.0001",
    ("geom", "solimp"): "0.9 0.95 0.001 0.5 2",
    ("geom", "density"): "1000",
    ("site", "size"): "0.005 0.005 0.005",
    ("camera", "ipd"): "0.068",
    ("light", "range"): "10",
    ("light", "bulbradius"): "0.02",
    ("joint", "solimplimit"): "0.9 0.95 0.001 0.5 2",
    ("joint", "solimpfriction"): "0.9 0.95 0.001 0.5 2",
}
"""Defaults of MuJoCo, which it also scales."""


def read_size(node: Node, around: Scale | None) -> tuple[Scale | None, bool]:
    """Return the scale of the content of a frame (None: unscaled), and whether it is supported: it must be uniform."""
    factors = [*counted(node.attrs.get("scale", "1"))]
    given = [*counted(node.attrs.get("massscale", "0"))]
    word = node.attrs.get("scaling", "similar")
    if not node.attrs.keys() & {*ATTRIBUTES}:
        return around, True
    known = word in ("similar", "geometry") and len(given) == 1 and len(factors) in (1, 3) and given[0] >= 0
    if not known or min(factors) != max(factors) or not 0 < factors[0] < math.inf:
        return around, False
    for name in ATTRIBUTES:
        node.get(name)
    length, old = factors[0], around or Scale()
    mass = given[0] or length**3
    size = old._replace(length=old.length * length, mass=old.mass * mass)
    if word == "similar":
        size = size._replace(similar_length=old.similar_length * length, similar_mass=old.similar_mass * mass)
    return (size if size != Scale() else None), True


def scaled(node: Node, size: Scale, defaults: Defaults, childclass: str, shell: bool) -> Node:
    """Return a replacement for an element with its numbers scaled as in MuJoCo. shell: its density is per area."""
    element = defaults.of(shadow(node), childclass)  # unscaled attributes are read elsewhere, or stay unread
    kind = element.look("type") or ("hinge" if node.tag == "joint" else "")
    if node.tag not in UNITS or kind == "free":
        return node
    said: dict[str, str] = {}
    for name, row in UNITS[node.tag].items():
        usual = words(UNSAID.get((node.tag, name), ""))
        if name == "density" and element.look("mass") is not None:
            usual = []
        if name == "size":
            usual = usual[: SIZES.get(kind, 1)]
        text = words(element.merged(name) or "")
        values = plain_numbers(" ".join([*text, *usual[len(text) :]]))
        if not values:
            continue
        known = ["M/LL"] if shell and name == "density" else row.split()
        factors = [size.of(known[min(at, len(known) - 1)], kind != "slide") for at in range(len(values))]
        if any(factor != 1.0 for factor in factors):
            said[name] = numbers(value * factor for value, factor in zip(values, factors, strict=True))
    if not said:
        return node
    return shadow(node, node.attrs | said)


def sized_shape(shape: Shape | None, size: Scale | None) -> Shape | None:
    """Return a mesh or height field, whose size is not an attribute of the geom, scaled by the frame."""
    if size is None or not isinstance(shape, Mesh | HeightField):
        return shape
    if isinstance(shape, Mesh):
        return replace(shape, scale=times(shape.scale, size))
    return replace(shape, size=times(shape.size, size), base=shape.base * size.length)


def sized_pose(pose: Pose, size: Scale | None) -> Pose:
    """A pose in a frame of that scale: its place is scaled."""
    return pose if size is None else Pose(times(pose.pos, size), pose.rot)


def times(vector: Vec3, size: Scale | None) -> Vec3:
    """A vector of lengths in a frame of that scale."""
    x, y, z = vector
    return vector if size is None else (x * size.length, y * size.length, z * size.length)
