"""Tables that the MJCF reader and writer share: names, groups and scalar fields."""

from __future__ import annotations

from collections.abc import Mapping

from ir.types import Role

FORMAT = "mjcf"
SPELLING = "mjcf:spelling"
"""Notation key of a scene that came from MJCF: the spelling of its author's document."""

COMPILERS = "mjcf:compilers"
"""Notation key of a scene with attached models whose compilers differ in their rules of inertia: body -> attributes of
<compiler>, as JSON."""

TEXT_PREFIX = "kinegraph:"
"""Name prefix of the <custom><text> elements that carry content which MJCF cannot express."""

SECTIONS: Mapping[str, str] = {"text": "data"}
"""Attributes that MuJoCo also reads from a CDATA section, but not from other text, by element."""

PHYSICS = "physics"
"""Name in the graph of the settings of <option>."""

FAR = 1e10
"""Radians or metres: used as the missing limit of a one-sided range, because MuJoCo requires both."""

CONTENT: Mapping[str, str] = {
    "obj": "model/obj",
    "stl": "model/stl",
    "msh": "model/vnd.mujoco.msh",
    "png": "image/png",
    "ktx": "image/ktx",
}
"""Content type that MuJoCo infers from a file suffix, and which a document may omit."""

ASSETS: Mapping[str, tuple[str, ...]] = {
    "mesh": ("scale", "inertia", "refpos", "refquat"),
    "hfield": ("size",),
    "texture": ("type",),
    "skin": (),
}
"""Asset elements with a file, and the other attributes that are read as parameters."""

FACES = ("fileright", "fileleft", "fileup", "filedown", "filefront", "fileback")
"""Attributes of a texture that name the image of one side of a cube: each becomes an asset of kind FACE."""
FLEX = "flexcomp"
"""Asset kind of the file of a <flexcomp>; the element is kept as written and references it."""
FACE = "face"
INCLUDED = "included"
"""Parameter of a model file that is included without being referenced by the document: it is copied as well."""

GROUPS = {Role.VISUAL: 2, Role.COLLISION: 3, Role.BOTH: 0, "": 4}
"""Visualiser group of each role, as in the Menagerie; "" applies to custom roles."""

SURFACE = ("solref", "solimp", "condim", "priority", "margin", "gap")
"""Attributes of a geom that are parameters of its surface."""

DOF_NUMBERS = (
    ("ref", "zero", 0.0),
    ("damping", "damping", 0.0),
    ("frictionloss", "friction", 0.0),
    ("armature", "armature", 0.0),
    ("stiffness", "stiffness", 0.0),
    ("springref", "spring_reference", 0.0),
)
"""Attribute of <joint>, field of a dof, and their common default, for reading and writing."""

ANGLES = frozenset({"ref", "springref"})
"""Attributes in DOF_NUMBERS that are affected by compiler/angle on a hinge."""


_MAPPED = {
    "joint": " ".join(["type axis pos range limited actuatorfrcrange", *(name for name, *_ in DOF_NUMBERS)]),
    "geom": "type size fromto pos quat axisangle euler xyaxes zaxis mesh hfield material rgba contype conaffinity "
    "group density mass friction solref solimp condim priority margin gap",
    "site": "pos quat axisangle euler xyaxes zaxis fromto",
    "mesh": "scale inertia refpos refquat file",
    "texture": " ".join(("type", "file", *FACES)),
    "material": "texture rgba emission specular shininess reflectance metallic roughness",
    "equality": "active polycoef solref solimp",
    "option": "gravity timestep magnetic wind",
}
MAPPED: Mapping[str, frozenset[str]] = {tag: frozenset(words.split()) for tag, words in _MAPPED.items()}
"""Attributes that the writer puts on the elements themselves. If they remain in a default class because no element
needed them, they must not be written as defaults: they would apply to every element that has the built-in value."""
