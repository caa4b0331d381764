"""Repairs of a scene, as data: the rules that each addresses, whether it is safe, and the function.

Anything repaired by reading and writing alone (numbers, encodings, defaults) needs no row. The functions return the
identical scene where there is nothing to do.
"""

from __future__ import annotations

from converters.validating.repairs import documents, geometry, inertia, joints, tree
from converters.validating.repairs.job import Repair
from converters.validating.rules import OPT_IN, SAFE, URDF

NAMED = ("urdf", "mjcf", "gltf")
"""Formats in which names may be changed freely: in SDFormat, :: separates the names of nested models."""

REPAIRS = (
    Repair(documents.SURPLUS, SAFE, documents.without_surplus),
    Repair(("PORT-VERSION-TEXT",), SAFE, documents.version, formats=URDF),
    Repair(("JOINT-AXIS-NORM",), SAFE, documents.unit_axes),
    Repair(("MAT-UNDEF", "MAT-NOVALUE", "MAT-CONFLICT"), SAFE, documents.materials, formats=URDF),
    Repair(("MIMIC-CHAIN",), SAFE, joints.flat_followers),
    Repair(("MESH-HEUR", "MESH-CASE"), SAFE, documents.addresses),
    Repair(("NAME-CHARS",), OPT_IN, tree.portable, formats=NAMED),
    Repair(("NAME-CLASH",), OPT_IN, tree.apart, formats=URDF),
    Repair(
        ("LIMIT-ORDER", "LIMIT-NEG", "LIMIT-ZERO-EFF", "LIMIT-ZERO-VEL", "LIMIT-CONT", "JOINT-DYN-NEG"),
        OPT_IN,
        joints.limits,
    ),
    Repair(("LIMIT-EMPTY",), OPT_IN, joints.immobile),
    Repair(("MIMIC-FIXED",), OPT_IN, joints.own_masters),
    Repair(("ROT-SNAP",), OPT_IN, joints.snapped),
    Repair(("EXT-TR-JOINT", "EXT-TR-EMPTY"), OPT_IN, tree.known_joints),
    Repair(("NAME-DUP-ACTUATOR",), OPT_IN, tree.own_actuators),
    Repair(("GEOM-EMPTY", "GEOM-DIM"), OPT_IN, geometry.solid_geoms),
    Repair(("GEOM-DIALECT",), OPT_IN, geometry.known_shapes, formats=URDF),
    Repair(("GEOM-NOVIS", "GEOM-NOCOL"), OPT_IN, geometry.both_seen_and_touched),
    Repair(("JOINT-DIALECT",), OPT_IN, joints.known_types, formats=URDF),
    Repair(
        inertia.INERTIA, OPT_IN, inertia.from_hulls, "from its geometry; with the convex hull of a mesh that is open"
    ),
    Repair(inertia.INERTIA, OPT_IN, inertia.from_solids, "from its geometry"),
    Repair(
        inertia.INERTIA, OPT_IN, inertia.possible, "the nearest that a body can have, or the least that engines take"
    ),
    Repair(("PORT-CAPSULE",), OPT_IN, geometry.no_capsules, formats=URDF),
    Repair(("TREE-ROOTS", "TREE-CYCLE"), OPT_IN, tree.one_root, formats=URDF),
    Repair(("TREE-ROOT-INERTIA",), OPT_IN, tree.light_root, formats=URDF),
)
"""In order of execution: repairs that remove something come first, so that nothing is computed for what is removed."""
