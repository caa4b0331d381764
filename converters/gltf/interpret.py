"""What a document means where it is silent, said in the terms of the graph when a scene goes to another format."""

from __future__ import annotations

from msgspec.structs import replace

from converters.format import Pass, Target
from converters.gltf.parted import PARTED
from converters.passes.contacts import colliding
from converters.passes.friction import PLAIN, combining, differing
from converters.passes.looks import coloured
from ir.mapping import map_bodies
from ir.scene import Scene
from ir.types import WHITE

DEFAULT = "white"
"""What the material of that which has none is called, in a document and on the way to another format."""


def _touching(scene: Scene, _: Target) -> Scene:
    return map_bodies(scene, lambda body: replace(body, self_collide=True) if body.self_collide is None else body)


TOUCHING = Pass(
    rule="gltf/self-collide",
    reason="colliders that no filter keeps apart collide, but for those of the two bodies of a joint",
    severity="note",
    wanted=lambda target: target.fits.parent_child_collide,
    apply=_touching,
)


def passes() -> tuple[Pass, ...]:
    """What has no material is white (3.7.2.1); colliders that no filter keeps apart collide."""
    white = coloured(DEFAULT, WHITE, "gltf/default-material", "the default material of glTF is white")
    average = "materials of KHR_physics_rigid_bodies rub by the mean of two frictions unless they say another rule"
    return (
        white,
        TOUCHING,
        colliding("gltf/self-collide"),
        *combining("gltf/friction-combine", average, differing),
        PLAIN,
        PARTED,
    )
