"""Tables used in both directions: elements and fields of URDF."""

from __future__ import annotations

import re
from collections.abc import Mapping

from converters.srdf.tables import PLANAR
from ir.types import Box, Capsule, Cone, Cylinder, DofKind, Plane, Role, Sphere

FORMAT = "urdf"

UNLIMITED = 1e16
"""Written for a missing limit: libsdformat reads it as unlimited, and no reader accepts inf."""
UNKNOWN = 1e9
"""Written for a missing effort or velocity limit: urdfdom up to 1.1 requires both."""

# ------------------------------------------------------------------------------------------------------------- versions

NEWEST = (1, 2)
"""The newest version read and written (converters.choices lists them for the command line)."""
CAPSULES = (1, 1)
"""The first version with <capsule>, and with quat_xyzw of <origin>."""
RATED = (1, 2)
"""The first version whose <limit> may be silent about effort and velocity, and knows more rates (RATES); urdfdom
refuses a robot of it in which a shape has no size."""
_VERSION = re.compile(r"(\d{1,9})\.(\d{1,9})")


def version_of(text: str) -> tuple[int, int] | None:
    """Parse robot/@version; None for an invalid one, which is read as 1.0."""
    match = _VERSION.fullmatch(text.strip())
    version = (int(match[1]), int(match[2])) if match else None
    return version if version is not None and (1, 0) <= version <= NEWEST else None


# ------------------------------------------------------------------------------------------------------- scene.notation

VERSION = "urdf_version"
"""Text of robot/@version, "" if missing. The key exists only if the scene was read from URDF."""
ORDER = "order"
"""Kinds of the top-level elements in document order, run-length coded (m2l1j1), when it is not that of KINDS."""
WORLD_LINK = "world"
"""Index of a declared root link named world among the links."""
GLOBALS = "global_materials"
"""JSON list of the materials defined under <robot>, if the geoms do not determine it."""
SPELLING = "spelling"
"""JSON object, address -> the word of a dialect in the source, if the writer would use another one."""

KINDS: Mapping[str, str] = {
    "material": "m",
    "link": "l",
    "joint": "j",
    "transmission": "t",
    "ros2_control": "h",
    "sensor": "s",
    "frame": "f",
    "block": "b",
}
"""Top-level elements that become entities, in the order in which they are written."""

# ---------------------------------------------------------------------------------------------------------------- links

ROLES = {"visual": Role.VISUAL, "collision": Role.COLLISION}

SHAPES: Mapping[str, tuple[type, tuple[tuple[str, int], ...]]] = {
    "box": (Box, (("size", 3),)),
    "sphere": (Sphere, (("radius", 1),)),
    "cylinder": (Cylinder, (("radius", 1), ("length", 1))),
    "capsule": (Capsule, (("radius", 1), ("length", 1))),
    "drake:capsule": (Capsule, (("radius", 1), ("length", 1))),
    "cone": (Cone, (("radius", 1), ("length", 1))),
    "plane": (Plane, (("normal", 3),)),
}
"""Element -> shape, and its attributes, named as the fields, with their counts; meshes and ellipsoids are separate."""

SHAPE_TAGS: Mapping[type, str] = {shape: tag for tag, (shape, _) in reversed(list(SHAPES.items()))}

ELLIPSOID_TAGS = ("drake:ellipsoid", "ellipsoid")

STANDARD = frozenset({"box", "sphere", "cylinder", "capsule", "mesh"})
"""Shapes that urdfdom knows: a fault in one is an error. Any other unreadable shape is treated as unknown."""

INERTIA = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
"""Attributes in the order of ir.types.Tensor."""

CONTACT: Mapping[str, str] = {
    "lateral_friction": "mu",
    "rolling_friction": "rolling",
    "spinning_friction": "torsional",
    "restitution": "restitution",
    "stiffness": "stiffness",
    "damping": "damping",
}
"""Children of Bullet's link/contact -> fields of Surface."""

# --------------------------------------------------------------------------------------------------------------- joints

JOINT_TYPES: Mapping[str, tuple[DofKind, ...]] = {
    "revolute": (DofKind.HINGE,),
    "continuous": (DofKind.HINGE,),
    "prismatic": (DofKind.SLIDE,),
    "fixed": (),
    "floating": (DofKind.FREE,),
    "planar": (DofKind.SLIDE, DofKind.SLIDE, DofKind.HINGE),
    "spherical": (DofKind.BALL,),
    "ball": (DofKind.BALL,),
    "universal": (DofKind.HINGE, DofKind.HINGE),
    "screw": (DofKind.SCREW,),
}

WITHOUT_AXIS = ("fixed", "floating", "spherical", "ball", "universal")
WITH_LIMITS = ("revolute", "continuous", "prismatic", "screw")

SUFFIXES: Mapping[str, tuple[str, ...]] = {"planar": PLANAR, "universal": ("_RX", "_RY")}
"""Suffixes of the names of the dofs of a joint that has several."""

RATES = ("acceleration", "deceleration", "jerk")
"""Attributes of a limit in RATED versions, and fields of a dof."""
DRAKE_RATE = "drake:acceleration"
"""Drake's attribute for acceleration, in any version."""

CALIBRATION: Mapping[str, str] = {"rising": "rising", "falling": "falling", "reference_position": "reference"}

_WRITTEN = (
    "origin parent child axis calibration dynamics limit mimic safety_controller "
    "geometry material mass inertia type joint actuator mechanicalReduction"
)
CHILD_ORDER: Mapping[str, int] = {tag: rank for rank, tag in enumerate(_WRITTEN.split())}
"""Rank of a child element within its parent as written; others come last."""

BLOCKS = ("gazebo", "mujoco")
"""Top-level elements for one simulator; those with the prefix drake: are blocks too."""
