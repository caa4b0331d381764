"""New names, where the target has one space of names for links, joints and frames, or keeps some for itself."""

from __future__ import annotations

from collections.abc import Callable

from converters.registry import Pass, Target
from ir.names import Spares
from ir.refs import rename
from ir.scene import Address, Scene
from ir.scopes import bare, join, of_frame, of_joint, paths
from ir.types import WORLD


def _apply(scene: Scene, target: Target) -> Scene:
    known = paths(scene)
    taken = {WORLD, *scene.bodies}
    given = [frame.name for body in scene.bodies.values() for frame in body.frames]
    spares = Spares((WORLD, *scene.bodies, *scene.joints, *given))

    def spare(name: str, path: str) -> str:
        return join(path, target.fits.spare(bare(name, path)))

    def another(plain: str, suffix: str) -> str:
        return spares.of(plain if plain not in taken else f"{plain}{suffix}")

    bodies: dict[str, str] = {}
    joints: dict[str, str] = {}
    frames: dict[str, str] = {}
    origins: dict[Address, tuple[Address, ...]] = {}
    for name, body in scene.bodies.items():
        plain = spare(name, body.scope) if name != WORLD else name
        if plain != name:
            bodies[name] = another(plain, "")
            taken.add(bodies[name])
    for name, joint in scene.joints.items():
        plain = spare(name, of_joint(joint, scene, known))
        if name in taken or plain != name:
            joints[name] = another(plain, "_joint")
            origins["loop/" + joints[name],] = (("loop/" + name,),)
        taken.add(joints.get(name, name))
    for body in scene.bodies.values():
        for frame in body.frames:
            plain = spare(frame.name, of_frame(frame, body, known))
            if frame.name in taken or plain != frame.name:
                frames[frame.name] = another(plain, "_frame")
                origins[f"body/{body.name}", "frames", frames[frame.name]] = (
                    (f"body/{body.name}", "frames", frame.name),
                )
            taken.add(frames.get(frame.name, frame.name))
    dofs = scene.dofs()
    turned = {name: new for name, new in joints.items() if name in dofs and new not in dofs}
    others = Spares((*dofs, *turned.values()))
    for joint in scene.joints.values():  # where the target has no such joint, parts of it are named by them
        for dof in joint.dofs if not joint.free else ():
            plain = spare(dof.name, of_joint(joint, scene, known))
            if plain != dof.name and dof.name not in turned:
                turned[dof.name] = others.of(plain)
    for kind, mapping in (
        ("body", bodies),
        ("joint", joints),
        ("dof", turned),
        ("frame", frames),
    ):
        if mapping:
            scene = rename(scene, kind, mapping)
    scene = _inside(scene, target.fits.spare)
    model = f"{WORLD}_model" if scene.name == WORLD else target.fits.spare(scene.name)
    return scene.evolve(name=model, origins=origins) if origins or model != scene.name else scene


def _inside(scene: Scene, spare: Callable[[str], str]) -> Scene:
    """Names of what is inside of links: geoms, cameras, lights and sensors."""
    for kind, names in (
        ("geom", [geom.name for body in scene.bodies.values() for geom in body.geoms]),
        ("camera", [camera.name for body in scene.bodies.values() for camera in body.cameras]),
        ("light", [light.name for body in scene.bodies.values() for light in body.lights]),
        ("sensor", [*scene.tables["sensor"]]),
    ):
        unfit = [name for name in names if spare(name) != name]
        if unfit:
            spares = Spares(names)
            scene = rename(scene, kind, {name: spares.of(spare(name)) for name in unfit})
    return scene


PASS = Pass(
    rule="names/shared",
    reason="links, joints and frames of the target share their names, some names it keeps for itself, and blanks at "
    "the ends of a name, or several in a row, are nothing to it",
    wanted=lambda target: target.fits.names_are_shared,
    apply=_apply,
)
