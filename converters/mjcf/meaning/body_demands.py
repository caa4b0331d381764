"""Requirements of MuJoCo 4 for bodies that depend on their motion and inertia (measured)."""

from __future__ import annotations

from collections.abc import Iterator

from converters.context import ReaderContext
from converters.mjcf.document.extras import Rules
from converters.mjcf.document.faults import REFUSED, note_fault
from converters.mjcf.meaning.inertia import counting
from converters.source.text import so_many_numbers
from ir.inertia import principal
from ir.kinematics import moving_bodies
from ir.scene import Scene
from ir.types import WORLD, Body, Plane

LEAST = 1e-15
"""mjMINVAL: moments up to this value are treated as zero."""


def note_refused_bodies(scene: Scene, context: ReaderContext) -> None:
    """Report bodies of a scene that MuJoCo refuses. They are kept as written."""
    rules, moving = Rules(scene), moving_bodies(scene)
    for body in scene.bodies.values():
        if body.name == WORLD:
            continue
        compiler = rules.of(body)
        for said in (*_plane_faults(body, moving), *_inertia_faults(body, scene, compiler)):
            note_fault(context, REFUSED, f"body/{body.name}", said, body.source)
        for geom in counting(body, compiler):
            if (geom.mass if geom.mass is not None else geom.density or 0.0) < 0.0:
                where = f"body/{body.name}.geoms.{geom.name}"
                note_fault(context, REFUSED, where, "its mass is negative", geom.source)


def _plane_faults(body: Body, moving: set[str]) -> Iterator[str]:
    if body.name in moving and any(isinstance(geom.shape, Plane) for geom in body.geoms):
        yield "a plane must not be on a moving body"


def _inertia_faults(body: Body, scene: Scene, compiler: dict[str, str]) -> Iterator[str]:
    """Yield moments that are not positive; bodies welded to this one may provide the missing inertia."""
    joint, inertial = scene.joint_of(body.name), body.inertial
    if inertial is None or joint is None or not joint.dofs or compiler.get("inertiafromgeom") == "true":
        return
    bound = (so_many_numbers(compiler.get("boundinertia"), 1) or (0.0,))[0]
    welded = any(not each.dofs for each in scene.child_joints(body.name))
    if bound <= 0.0 and not welded and 0.0 <= min(principal(inertial.tensor)[1]) <= LEAST and inertial.mass > LEAST:
        yield "the moments of inertia of a moving body must be above 0"
