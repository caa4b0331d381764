"""New names, where the target has one space of names for links, joints and frames, or keeps some for itself."""

from __future__ import annotations

from converters.registry import Pass, Target
from ir.names import Spares
from ir.refs import rename
from ir.scene import Address, Scene
from ir.types import WORLD


def _apply(scene: Scene, target: Target) -> Scene:
    nested = bool(scene.tables["scope"]) or any(body.scope for body in scene.bodies.values())
    # names of nested models are paths, and written in parts
    spare = (lambda name: name) if nested else target.fits.spare
    taken = {WORLD, *scene.bodies}
    given = [frame.name for body in scene.bodies.values() for frame in body.frames]
    spares = Spares((WORLD, *scene.bodies, *scene.joints, *given))

    def another(name: str, suffix: str) -> str:
        plain = spare(name)
        return spares.of(plain if plain not in taken else f"{plain}{suffix}")

    bodies: dict[str, str] = {}
    joints: dict[str, str] = {}
    frames: dict[str, str] = {}
    origins: dict[Address, tuple[Address, ...]] = {}
    for name in scene.bodies:
        if spare(name) != name:
            bodies[name] = another(name, "")
            taken.add(bodies[name])
    for name in scene.joints:
        if name in taken or spare(name) != name:
            joints[name] = another(name, "_joint")
            origins["loop/" + joints[name],] = (("loop/" + name,),)
        taken.add(joints.get(name, name))
    for body in scene.bodies.values():
        for frame in body.frames:
            if frame.name in taken or spare(frame.name) != frame.name:
                frames[frame.name] = another(frame.name, "_frame")
                origins[f"body/{body.name}", "frames", frames[frame.name]] = (
                    (f"body/{body.name}", "frames", frame.name),
                )
            taken.add(frames.get(frame.name, frame.name))
    dofs = scene.dofs()
    for kind, mapping in (
        ("body", bodies),
        ("joint", joints),
        ("dof", {name: new for name, new in joints.items() if name in dofs and new not in dofs}),
        ("frame", frames),
    ):
        if mapping:
            scene = rename(scene, kind, mapping)
    model = f"{WORLD}_model" if scene.name == WORLD else target.fits.spare(scene.name)
    return scene.evolve(name=model, origins=origins) if origins or model != scene.name else scene


PASS = Pass(
    rule="names/shared",
    reason="links, joints and frames of the target share their names, and some names it keeps for itself",
    wanted=lambda target: target.fits.names_are_shared,
    apply=_apply,
)
