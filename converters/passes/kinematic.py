"""Bodies that are moved without forces (mocap bodies of MJCF), for a target where such a body hangs on the world by no
joint."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from converters.format import Pass, Target
from converters.passes.still import fixed
from ir.mapping import map_joints
from ir.names import Spares
from ir.scene import Scene
from ir.types import WORLD, Dof, DofKind, Joint


def _moved(scene: Scene, is_one: Callable[[Joint], bool]) -> dict[str, Joint]:
    """Joints from the world to kinematic bodies, by their names."""
    return {
        joint.name: joint for joint in scene.child_joints(WORLD) if scene.body(joint.child).kinematic and is_one(joint)
    }


def _held(scene: Scene, _: Target) -> Scene:
    return fixed(scene, _moved(scene, lambda joint: joint.free))


def freed(scene: Scene, _: Target) -> Scene:
    welded = _moved(scene, lambda joint: not joint.dofs)
    spares = Spares(scene.dofs())
    names = {name: spares.of(f"{joint.child}_free") for name, joint in welded.items()}

    def changed(joint: Joint) -> Joint:
        return replace(joint, dofs=(Dof(name=names[joint.name], kind=DofKind.FREE),)) if joint.name in names else joint

    return map_joints(scene, changed)


HELD = Pass(
    rule="kinematic/held",
    reason="in the target, what is moved without forces stands below the world and has no joint",
    severity="note",
    wanted=lambda target: target.fits.moved_without_joint,
    apply=_held,
)
