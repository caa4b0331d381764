"""Bodies that are moved without forces (mocap bodies of MJCF), for a target where such a body hangs on the world by no
joint."""

from __future__ import annotations

from msgspec.structs import replace

from converters.registry import Pass, Target
from ir.mapping import map_joints
from ir.scene import Scene
from ir.types import WORLD, Dof, DofKind, Joint


def _applied(scene: Scene, before: tuple[DofKind, ...], free: bool) -> Scene:
    """The scene where joints from the world to kinematic bodies have a FREE dof, or none, instead of dofs of these
    kinds (before)."""

    def changed(joint: Joint) -> Joint:
        if joint.parent != WORLD or not scene.body(joint.child).kinematic:
            return joint
        if tuple(dof.kind for dof in joint.dofs) != before:
            return joint
        return replace(joint, dofs=(Dof(name=f"{joint.child}_free", kind=DofKind.FREE),) if free else ())

    return map_joints(scene, changed)


def _held(scene: Scene, _: Target) -> Scene:
    return _applied(scene, (DofKind.FREE,), free=False)


def freed(scene: Scene, _: Target) -> Scene:
    return _applied(scene, (), free=True)


HELD = Pass(
    rule="kinematic/held",
    reason="in the target, what is moved without forces stands below the world and has no joint",
    severity="note",
    wanted=lambda target: target.fits.moved_without_joint,
    apply=_held,
)
