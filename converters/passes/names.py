"""New names, for a target with one name space for links, joints and frames, or with reserved names."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TypeVar

from msgspec.structs import replace

from converters.format import Fits, Pass
from converters.passes.controllers import ESCAPED
from ir.mapping import map_bodies, map_table
from ir.names import Spares
from ir.refs import Renames, declared, rename
from ir.scene import Origins, Scene
from ir.scopes import DELIMITER, bare, join, of_frame, of_joint, paths
from ir.types import WORLD, Block, Body, Entity, Joint, Scope

E = TypeVar("E", bound=Entity)
INSIDE = ("geoms", "cameras", "lights")
"""Fields of a body that contain named things."""
NAMING = re.compile(r"<(\w+)>([^<>]*)</\1>")
"""An element without attributes that has only text: a tag with one of these words names such a thing of its model, as
in systems of Gazebo."""
MEANS = {"joint": "joint", "link": "body"}


def fitted(scene: Scene, fit: Callable[[str], str], dialects: Collection[str]) -> Scene:
    """The scene with valid unique names: fit returns a valid name for any name (without the path of its model).
    dialects: of the blocks that programs other than this one read there."""
    scene = _scopes(scene, fit)
    known = paths(scene)
    bodies = [(body.name, body.scope) for body in scene.bodies.values() if body.name != WORLD]
    named = [joint for joint in scene.joints.values() if not joint.free]  # a free link has no joint in the target
    joints = [(joint.name, of_joint(joint, scene, known)) for joint in named]
    frames = [(f.name, of_frame(f, body, scene, known)) for body in scene.bodies.values() for f in body.frames]
    spares = Spares((WORLD, *(name for name, _ in (*bodies, *joints, *frames))))
    taken = {WORLD}

    def spare(name: str, path: str) -> str:
        return join(path, fit(bare(name, path)))

    def others(named: Iterable[tuple[str, str]], suffix: str = "") -> dict[str, str]:
        """Renamed things: those with invalid names, and those whose names another kind has taken."""
        found: dict[str, str] = {}
        for name, path in named:
            plain = spare(name, path)
            if plain != name or name in taken:
                found[name] = spares.of(plain if plain not in taken else f"{plain}{suffix}")
            taken.add(found.get(name, name))
        return found

    renamed = {"body": others(bodies), "joint": others(joints, "_joint")}
    renamed["dof"] = _dofs(scene, renamed["joint"], lambda joint, name: spare(name, of_joint(joint, scene, known)))
    renamed["frame"] = others(frames, "_frame")
    origins: Origins = {("loop/" + new,): (("loop/" + name,),) for name, new in renamed["joint"].items()}
    for body in scene.bodies.values():
        for frame in body.frames:
            if new := renamed["frame"].get(frame.name):
                owner = f"body/{body.name}"
                origins[owner, "frames", new] = ((owner, "frames", frame.name),)
    for kind, mapping in renamed.items():
        scene = rename(scene, kind, mapping) if mapping else scene
    scene = _inside(_with_names_in_blocks(scene, renamed, dialects), fit)
    model = f"{WORLD}_model" if scene.name == WORLD else fit(scene.name)
    return scene.evolve(name=model, origins=origins) if origins or model != scene.name else scene


def _with_names_in_blocks(scene: Scene, renamed: Renames, dialects: Collection[str]) -> Scene:
    """The scene with the new names in the texts of such blocks."""
    if not renamed["joint"] and not renamed["body"]:
        return scene
    naming = in_texts(scene, renamed)
    return map_table(scene, "block", lambda block: naming(block) if block.dialect in dialects else block)


def in_texts(scene: Scene, renamed: Renames) -> Callable[[Block], Block]:
    """A function that replaces names of joints and bodies in the text of a block about a model or a link of it."""
    called = {
        (word, old.translate(ESCAPED)): new.translate(ESCAPED)
        for word, kind in MEANS.items()
        for old, new in renamed.get(kind, {}).items()
    }

    def naming(block: Block) -> Block:
        path = scene.bodies[block.target].scope if block.target in scene.bodies else block.target
        path = path.translate(ESCAPED)

        def named(match: re.Match[str]) -> str:
            tag, text = match.groups()
            old = text.strip()
            new = called.get((max(MEANS, key=tag.rfind), join(path, old))) if any(map(tag.count, MEANS)) else None
            return match[0] if new is None else f"<{tag}>{text.replace(old, bare(new, path))}</{tag}>"

        extras = tuple(replace(extra, text=NAMING.sub(named, extra.text)) for extra in block.extras)
        return replace(block, extras=extras) if extras != block.extras else block

    return naming


def _scopes(scene: Scene, fit: Callable[[str], str]) -> Scene:
    """Nested models with valid names, and everything whose name has the path of one as a prefix."""
    called: dict[str, str] = {}
    nested: Mapping[str, Scope] = scene.tables["scope"]
    spares = Spares(nested)
    for path, scope in sorted(nested.items()):
        above: str = scope.parent
        around: str = called.get(above, above)
        plain = join(around, fit(bare(path, above)))
        if plain != path:
            called[path] = spares.of(plain)
    for kind, found in declared(scene).items() if called else ():
        scene = rename(scene, kind, {name: new for name in found if (new := _moved(name, called)) != name})
    made = set(called.values())
    return map_table(scene, "scope", lambda scope: replace(scope, label=None) if scope.name in made else scope)


def _moved(name: str, called: Mapping[str, str]) -> str:
    """A name with the new path of the innermost of these models that it belongs to, or is."""
    path = name
    while path and path not in called:
        path = path.rpartition(DELIMITER)[0]
    return called[path] + name[len(path) :] if path else name


def _dofs(scene: Scene, joints: Mapping[str, str], spare: Callable[[Joint, str], str]) -> dict[str, str]:
    """Degrees of freedom get the names of their joints, and if the target has no such joint, so do its parts."""
    dofs = scene.dofs()
    found = {name: new for name, new in joints.items() if name in dofs and new not in dofs}
    others = Spares((*dofs, *found.values()))
    for joint in scene.joints.values():
        for dof in joint.dofs if not joint.free else ():
            plain = spare(joint, dof.name)
            if plain != dof.name and dof.name not in found:
                found[dof.name] = others.of(plain)
    return found


def _inside(scene: Scene, spare: Callable[[str], str]) -> Scene:
    """Names of parts of links: geoms, cameras, lights and sensors."""
    for kind, names in (
        ("geom", [geom.name for geom in scene.geoms()]),
        ("camera", [camera.name for body in scene.bodies.values() for camera in body.cameras]),
        ("light", [light.name for body in scene.bodies.values() for light in body.lights]),
        ("sensor", [*scene.tables["sensor"]]),
    ):
        unfit = [name for name in names if spare(name) != name]
        if unfit:
            spares = Spares(names)
            scene = rename(scene, kind, {name: spares.of(spare(name)) for name in unfit})

    def labelled(item: E) -> E:
        """The entity without an invalid label, which would be written in place of the name."""
        return replace(item, label=None) if item.label and spare(item.label) != item.label else item

    def body(old: Body) -> Body:
        parts = {field: tuple(map(labelled, getattr(old, field))) for field in INSIDE}
        pairs = (pair for field in INSIDE for pair in zip(parts[field], getattr(old, field), strict=True))
        return old if all(new is own for new, own in pairs) else replace(old, **parts)

    return map_table(map_bodies(scene, body), "sensor", labelled)


def _heard(fits: Fits) -> tuple[str, ...]:
    """The dialects of the blocks of a target that Gazebo reads."""
    return (fits.gazebo,) if fits.gazebo else ("gazebo",) if fits.blocks else ()


SHARED_NAMES = Pass(
    rule="names/shared",
    reason="links, joints and frames of the target share one name space, some names are reserved, and white "
    "space at the ends of a name, or several blanks in a row, does not count",
    wanted=lambda target: target.fits.names_are_shared,
    apply=lambda scene, target: fitted(scene, target.fits.spare, _heard(target.fits)),
)
