"""What the MJCF reader and writer share: names, groups and scalar fields."""

from __future__ import annotations

from collections.abc import Mapping

from ir.types import Role

FORMAT = "mjcf"
SPELLING = "mjcf:spelling"
"""Key of the notation of a scene that came from MJCF: how its author spelled the document."""

COMPILERS = "mjcf:compilers"
"""Key of the notation of a scene with bodies of attached models, whose inertia follows the settings of those: body ->
attributes of <compiler>, as JSON."""

TEXT_PREFIX = "kinegraph:"
"""Names of <custom><text> elements that carry what MJCF has no place for."""

SECTIONS: Mapping[str, str] = {"text": "data"}
"""Attributes that MuJoCo reads of a CDATA section as well, and of no other text, by element."""

PHYSICS = "physics"
"""Name in the graph of what <option> says."""

FAR = 1e10
"""Radians or metres: stands for the side of a range that has no limit, since MuJoCo wants both."""

CONTENT: Mapping[str, str] = {
    "obj": "model/obj",
    "stl": "model/stl",
    "msh": "model/vnd.mujoco.msh",
    "png": "image/png",
    "ktx": "image/ktx",
}
"""What MuJoCo takes a file for by its suffix: the type of content that a document need not name."""

ASSETS: Mapping[str, tuple[str, ...]] = {
    "mesh": ("scale", "inertia", "refpos", "refquat"),
    "hfield": ("size",),
    "texture": ("type",),
    "skin": (),
}
"""Assets made of a file, and what is read of each besides."""

FACES = ("fileright", "fileleft", "fileup", "filedown", "filefront", "fileback")
"""Attributes of a texture that name the image of one side of a cube: each is an asset, of this kind."""
FLEX = "flexcomp"
"""Kind of an asset: the file of a <flexcomp>, which is kept as it is written and names it."""
FIELDS = ("hfield", "heightmap")
"""Kinds of assets that are height fields: of MJCF, and of what comes to the model in other formats."""
FACE = "face"
INCLUDED = "included"
"""Parameter of a model that a document includes, and does not name: its file comes along."""

GROUPS = {Role.VISUAL: 2, Role.COLLISION: 3, Role.BOTH: 0, "": 4}
"""Visualiser group of each role, as in the Menagerie; "" is every custom role."""

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
"""Attribute of <joint>, field of a dof, default of both: all that is needed to read and write it."""

ANGLES = frozenset({"ref", "springref"})
"""Those of DOF_NUMBERS that follow compiler/angle on a hinge."""


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
"""Attributes that the writer puts on the elements themselves. Left over in a default class, where no element needed
them, they must not come back as defaults: there they would reach every element that has the built-in value."""
