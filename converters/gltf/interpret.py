"""What a document means where it is silent, said in the terms of the graph when a scene goes to another format."""

from __future__ import annotations

from converters.passes.contacts import colliding
from converters.registry import Pass


def passes() -> tuple[Pass, ...]:
    """Colliders that no filter keeps apart collide (KHR_physics_rigid_bodies)."""
    return (colliding("gltf/self-collide"),)
