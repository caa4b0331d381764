"""Constraints between two sites, and welds without a pose: they hold the pose of the model as drawn, also after an edit
has moved it."""

from __future__ import annotations

from msgspec.structs import replace

from converters.format import Pass, Target
from converters.mjcf.meaning.inertia import APART, LET_GO
from converters.mjcf.relations.constraints import FREE
from ir.kinematics import forward
from ir.pose import compose, invert, same_pose
from ir.scene import Scene
from ir.types import Connect, Constraint, WeldTo


def _with_poses_in_ties(scene: Scene, target: Target) -> Scene:
    """Set the current poses of bodies and sites in constraints that give none, after an edit."""
    ties = [each for each in scene.constraints.values() if isinstance(each.spec, Connect | WeldTo)]
    if not scene.brought or target.fits.mark not in scene.notation or not ties:
        return scene
    poses = forward(scene)
    sites = {name: frame.pose for name, (_, frame) in scene.frames().items()}

    def held(tie: Constraint) -> Constraint:
        said, spec = dict(tie.parameters), tie.spec
        ends = [sites.get(said.get(f"site{which}", "")) for which in (1, 2)]
        here, there = ends
        if isinstance(spec, Connect):
            return tie if here is None else replace(tie, spec=replace(spec, anchor=here.pos))
        if not isinstance(spec, WeldTo):
            return tie
        if here is not None and there is not None:
            pose = compose(here, invert(there))
        elif said.get("relpose") == FREE:
            pose = compose(invert(poses[tie.parent]), poses[tie.child])
        else:
            return tie
        same = same_pose(pose, spec.pose)
        return tie if same else replace(tie, spec=replace(spec, pose=pose))

    made = {name: held(each) for name, each in scene.constraints.items()}
    return scene if made == scene.constraints else scene.evolve(constraints=made.values())


AS_DRAWN = Pass(
    rule="mjcf/tie-as-drawn",
    reason="a constraint between sites, and a weld without relpose, holds bodies as the model is drawn, and an "
    "edit has moved them",
    severity="note",
    action="derived",
    lacking=True,
    apply=_with_poses_in_ties,
)


def passes() -> tuple[Pass, ...]:
    """Return the passes for scenes that are MuJoCo's own."""
    return (AS_DRAWN, APART, LET_GO)
