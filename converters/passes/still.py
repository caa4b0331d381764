"""Static models, for a target in which only joints determine what moves; and bodies that are moved without forces
(mocap bodies of MJCF), for a target in which such a body is a child of the world without a joint."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from converters.format import Pass, Target
from converters.passes.base import afloat
from ir.mapping import map_joints
from ir.names import Spares
from ir.removal import without
from ir.scene import Scene
from ir.types import WORLD, Dof, DofKind, Joint


def held(scene: Scene, target: Target, whole: bool = False) -> Scene:
    """The scene in which joints between bodies of static models move nothing, and nothing refers to their motion.

    whole: all of it is one such model, whatever its scopes say. A model that is to float (--base) is not static.
    """
    floats = target.options.base == "floating"
    loose = afloat(scene) if floats else set[str]()
    still = {name for name, scope in scene.tables["scope"].items() if scope.static and name not in loose}
    whole = whole and not floats
    if not still and not whole:
        return scene
    names = {body.name for body in scene.bodies.values() if whole or body.scope in still} | {WORLD}
    joints = {each.name: each for each in scene.joints.values() if each.dofs and {each.parent, each.child} <= names}
    return fixed(scene, joints)


def fixed(scene: Scene, joints: Mapping[str, Joint]) -> Scene:
    """The scene in which these joints, by name, move nothing, and nothing refers to their motion."""
    if not joints:
        return scene
    scene = without(scene, {("dof", dof.name) for joint in joints.values() for dof in joint.dofs})
    return map_joints(scene, lambda joint: replace(joint, dofs=()) if joint.name in joints else joint)


STATIC = Pass(
    rule="joints/static",
    reason="the source says that this model is static, so its joints do not move: the target has no static "
    "models, and gets fixed joints",
    severity="note",
    action="derived",
    wanted=lambda target: not target.fits.static,
    apply=held,
)


def _moved(scene: Scene, is_one: Callable[[Joint], bool]) -> dict[str, Joint]:
    """Joints from the world to kinematic bodies, by their names."""
    return {
        joint.name: joint for joint in scene.child_joints(WORLD) if scene.body(joint.child).kinematic and is_one(joint)
    }


def _unjointed(scene: Scene, _: Target) -> Scene:
    return fixed(scene, _moved(scene, lambda joint: joint.free))


def freed(scene: Scene, _: Target) -> Scene:
    """The scene in which welds to the world float instead."""
    welded = _moved(scene, lambda joint: not joint.dofs)
    spares = Spares(scene.dofs())
    names = {name: spares.of(f"{joint.child}_free") for name, joint in welded.items()}

    def changed(joint: Joint) -> Joint:
        return replace(joint, dofs=(Dof(name=names[joint.name], kind=DofKind.FREE),)) if joint.name in names else joint

    return map_joints(scene, changed)


MOCAP = Pass(
    rule="kinematic/held",
    reason="in the target a body that is moved without forces (mocap) is a child of the world and has no joint",
    severity="note",
    wanted=lambda target: target.fits.moved_without_joint,
    apply=_unjointed,
)
