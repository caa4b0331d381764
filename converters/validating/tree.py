"""How bodies hang together: what is left to say once a reader has made a tree of them."""

from __future__ import annotations

from collections.abc import Iterator

from converters.validating.model import Breach, CheckedModel, broken

ROOTS = ("base_link", "base_footprint", "world", "base")


def check(model: CheckedModel) -> Iterator[Breach]:
    scene = model.scene
    if model.format != "urdf":
        return
    for name in scene.roots():
        body = scene.body(name)
        if body.inertial is not None and body.inertial.mass > 0.0:
            message = f"the root {name!r} has {body.inertial.mass:g} kg"
            yield broken("TREE-ROOT-INERTIA", "body", body, message)
        if name not in ROOTS:
            yield broken("TREE-ROOT-NAME", "body", body, f"the root is {name!r}")
