"""How bodies hang together: what is left to say once a reader has made a tree of them."""

from __future__ import annotations

from collections.abc import Iterator

from converters.validating.model import Breach, CheckedModel
from ir.types import WORLD, DofKind

ROOTS = ("base_link", "base_footprint", "world", "base")


def check(model: CheckedModel) -> Iterator[Breach]:
    scene = model.scene
    if model.format == "mjcf":
        for joint in scene.joints.values():
            if joint.parent != WORLD and any(dof.kind is DofKind.FREE for dof in joint.dofs):
                message = f"the body {joint.child!r} moves freely, but hangs on {joint.parent!r}"
                yield Breach(rule="TREE-FREE", where=f"joint/{joint.name}", message=message, source=joint.source)
    if model.format != "urdf":
        return
    for name in scene.roots():
        body = scene.body(name)
        if body.inertial is not None and body.inertial.mass > 0.0:
            message = f"the root {name!r} has {body.inertial.mass:g} kg"
            yield Breach(rule="TREE-ROOT-INERTIA", where=f"body/{name}", message=message, source=body.source)
        if name not in ROOTS:
            yield Breach(
                rule="TREE-ROOT-NAME", where=f"body/{name}", message=f"the root is {name!r}", source=body.source
            )
