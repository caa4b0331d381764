"""Names of links and joints, and roots: what remains to be checked once a reader has built a tree."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from converters.validating.model import Breach, CheckedModel, broken_rule
from ir.scopes import DELIMITER, paths
from ir.types import WORLD, Entity

PORTABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*\Z")
"""Names that ROS, Gazebo, MuJoCo and USD all accept in some form."""
RESERVED = re.compile(r"__.*__\Z")
ROOTS = ("base_link", "base_footprint", "world", "base")


def check(model: CheckedModel) -> Iterator[Breach]:
    yield from _names(model)
    scene = model.scene
    if model.format != "urdf":
        return
    for name in scene.roots():
        body = scene.body(name)
        if body.inertial is not None and body.inertial.mass > 0.0:
            message = f"the root {name!r} has {body.inertial.mass:g} kg"
            yield broken_rule("TREE-ROOT-INERTIA", "body", body, message)
        if name not in ROOTS:
            yield broken_rule("TREE-ROOT-NAME", "body", body, f"the root is {name!r}")


def _names(model: CheckedModel) -> Iterator[Breach]:
    scene = model.scene
    known = paths(scene)
    for kind, entities in (("body", scene.bodies), ("joint", scene.joints)):
        for name, entity in entities.items():
            written = name if entity.label is None else entity.label
            if name != WORLD and written and model.format != "gltf":
                yield from _characters(kind, entity, written, known)
    if model.format in ("urdf", "mjcf", "sdf"):
        for name, joint in scene.joints.items():
            authored = model.format == "urdf" and joint.label != ""
            if authored and name in scene.bodies and name != WORLD:
                yield broken_rule("NAME-CLASH", "joint", joint, f"a link and a joint are both named {name!r}")


def _characters(kind: str, entity: Entity, name: str, known: Collection[str]) -> Iterator[Breach]:
    """known: paths of nested models, with which a name in SDFormat may begin."""
    path, _, own = name.rpartition(DELIMITER)
    parts = name.split(DELIMITER) if path in known else [name]
    if all(map(PORTABLE.match, parts)) and not RESERVED.match(own):
        return
    odd = sorted({char for char in name if not re.match(r"[A-Za-z0-9_.-]", char)})
    what = f"holds {' '.join(map(repr, odd))}" if odd else "begins with a digit, or is reserved by SDFormat"
    yield broken_rule("NAME-CHARS", kind, entity, f"the name {name!r} {what}")
