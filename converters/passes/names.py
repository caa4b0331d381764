"""Names where links, joints and frames share one space: a joint that is named as a link is gets another name."""

from __future__ import annotations

from converters.context import Options
from converters.registry import Fits, Load, Loss, Pass
from ir.names import unique
from ir.refs import rename
from ir.scene import Scene
from ir.types import WORLD


def _apply(scene: Scene, fits: Fits, options: Options, load: Load) -> Scene:
    taken = {name for name in scene.bodies if name != WORLD}
    frames: dict[str, str] = {}
    joints: dict[str, str] = {}
    for name in scene.joints:
        if name in taken:
            joints[name] = unique(f"{name}_joint", taken | scene.joints.keys())
        taken.add(joints.get(name, name))
    for body in scene.bodies.values():
        for frame in body.frames:
            if frame.name in taken:
                frames[frame.name] = unique(f"{frame.name}_frame", taken)
            taken.add(frames.get(frame.name, frame.name))
    dofs = scene.dofs()
    for kind, mapping in (
        ("joint", joints),
        ("dof", {name: new for name, new in joints.items() if name in dofs and new not in dofs}),
        ("frame", frames),
    ):
        if mapping:
            scene = rename(scene, kind, mapping)
    return scene


PASS = Pass(
    loss=Loss(
        field="joint",
        rule="names/shared",
        reason="links, joints and frames of the target share their names",
    ),
    wanted=lambda fits, options: fits.names_are_shared,
    apply=_apply,
)
