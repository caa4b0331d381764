"""How a robot stands in the world.

A root that its source leaves open is welded or floats, as the target or the user says.
"""

from __future__ import annotations

from converters.registry import Pass, Target
from ir.scene import Scene
from ir.types import IDENTITY, WORLD, Dof, DofKind, Joint


def _apply(scene: Scene, target: Target) -> Scene:
    wanted = target.fits.needs_base if target.options.base == "keep" else target.options.base
    roots = scene.roots()
    changed = {root: _edge(root, wanted) for root in roots}
    if target.options.base != "keep":
        for joint in scene.child_joints(WORLD):
            if _state(joint) not in (wanted, None):
                changed[joint.child] = _edge(joint.child, wanted, joint)
    if not changed:
        return scene
    kept = [changed.pop(joint.child) if joint.child in changed else joint for joint in scene.joints.values()]
    return scene.evolve(joints=[*kept, *changed.values()])


def _state(joint: Joint) -> str | None:
    """fixed, floating, or None for an edge from the world that is a real joint."""
    if not joint.dofs:
        return "fixed"
    return "floating" if joint.dofs[0].kind is DofKind.FREE else None


def _edge(root: str, wanted: str | None, old: Joint | None = None) -> Joint:
    pose = old.pose if old is not None else IDENTITY
    if wanted == "floating":
        name = old.name if old is not None else f"{root}_free"
        return Joint(name=name, parent=WORLD, child=root, pose=pose, dofs=(Dof(name=name, kind=DofKind.FREE),))
    return Joint(name=old.name if old is not None else f"weld_{root}", parent=WORLD, child=root, pose=pose)


PASS = Pass(
    rule="base/chosen",
    reason="the source does not say how its root stands in the world; "
    "it is held as the target's users expect (see --base)",
    severity="note",
    wanted=lambda target: target.fits.needs_base is not None or target.options.base != "keep",
    apply=_apply,
    asked=True,
)
