"""What a document means where it is silent, said in the terms of the graph when a scene goes to another format."""

from __future__ import annotations

from converters.passes.contacts import colliding
from converters.passes.friction import PLAIN, combining, differing
from converters.passes.looks import coloured
from converters.registry import Pass

WHITE = (1.0, 1.0, 1.0, 1.0)


def passes() -> tuple[Pass, ...]:
    """What has no material is white (3.7.2.1); colliders that no filter keeps apart collide."""
    white = coloured("white", WHITE, "gltf/default-material", "the default material of glTF is white")
    average = "materials of KHR_physics_rigid_bodies rub by the mean of two frictions unless they say another rule"
    return (
        white,
        colliding("gltf/self-collide"),
        *combining("gltf/friction-combine", average, differing),
        PLAIN,
    )
