"""One model of several, if the user names it: the result is as if nothing else had been read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from converters.context import InputError, ReaderContext
from converters.format import Format
from ir.addresses import prefixes
from ir.names import Spares
from ir.pose import compose
from ir.refs import declarations, declared, entities, references, rename, resolve
from ir.removal import SHOWN, Names, trimmed, without_lost_leaders, without_unshown
from ir.scene import Scene
from ir.scenery import world_as_body
from ir.scopes import DELIMITER, within
from ir.types import WORLD, Block, Dof, DofKind, Entity, Extra, Frame, Joint, Keyframe, Pose, Scope, Source

RULE, REASON = "models/chosen", "not part of the model that was asked for (--model)"
SETTINGS = ("physics",)
"""Tables of things that apply to every model alike."""

E = TypeVar("E", bound=Entity)


class _Choice(Struct):
    """The requested model. holds: whether a path is that of the model or of one nested in it; None if it is no model,
    but everything below a root. start: the prefix of its names."""

    name: str
    holds: Callable[[str], bool] | None
    start: str
    kept: set[str]
    """The bodies of the model, or those below the root of that name."""
    beside: frozenset[Source] = frozenset()
    """Places of things that do not belong to the model, although their names do not tell."""


def choose_model(scene: Scene, context: ReaderContext, origin: Format, document: Format) -> Scene:
    """Only the model (or the bodies below a root) that the user names; a note for everything that is left out.

    origin: the format of the scene before an earlier conversion; document: that of the file.

    A model keeps its place in the world, and the joints that hold it there. Names lose the path of the model. Raises
    InputError for a name that no model and no root has.
    """
    name = context.options.model
    if name is None:
        return scene
    link = context.grounds.get(name)
    if link is not None and link not in scene.bodies:
        scene = world_as_body(scene, link)
    wanted = _wanted(scene, name, context)
    if wanted is None:
        return scene
    gone = _left_out(scene, wanted)
    rest = without_unshown(scene, _without(scene, gone, wanted, document))
    gone |= {(kind, name) for kind in SHOWN for name in scene.tables[kind].keys() - rest.tables[kind].keys()}
    reason = f"{REASON}{_others(scene, wanted, context)}"
    context.notes[:] = [note for note in context.notes if not _is_about(note.where, gone)]
    for where, source in _places_left_out(scene, rest, gone):
        context.note(RULE, where, reason, source, action="ignored", severity="note")
    if wanted.holds is None:
        rest = rest.evolve(name=name)
        return rest if link is None else origin.alone(rest, "")
    if not wanted.start:
        return origin.alone(_freed(rest, scene).evolve(name=name), "")
    return origin.alone(_with_bare_names(_freed(_standing(rest, scene, name), scene), name), wanted.start)


def _wanted(scene: Scene, name: str, context: ReaderContext) -> _Choice | None:
    """What a name refers to; None: the document as a whole."""
    beside = context.unscoped.get(name)
    if beside is not None:

        def holds(path: str) -> bool:
            return not any(within(path, other) for other in beside.models)

        own = [body for body in scene.bodies.values() if holds(body.scope) and body.source not in beside.places]
        return _Choice(name, holds, "", {body.name for body in own} - {WORLD}, beside.places)
    if name in scene.tables["scope"] or any(body.scope == name for body in scene.bodies.values()):
        kept = {body.name for body in scene.bodies.values() if within(body.scope, name)}
        return _Choice(name, lambda path: within(path, name), name + DELIMITER, kept)
    root = context.grounds.get(name, name)
    if name == scene.name and root not in _roots(scene):
        return None
    return _Choice(name, None, "", _below(scene, root, context))


def _below(scene: Scene, name: str, context: ReaderContext) -> set[str]:
    """The root of that name and the bodies below it. Raises InputError if there is none."""
    kept = {root for root in _roots(scene) if root == name}
    for joint, body in scene.walk():
        if joint is not None and joint.parent in kept:
            kept.add(body.name)
    if not kept:
        names = _names(scene, context)
        there = f"there {'is' if len(names) == 1 else 'are'} {', '.join(names) or 'none'}"
        said = f"--model {name}: there is no such model; {there}"
        raise InputError(said, Source(context.file, 1, "/"))
    return kept


def _roots(scene: Scene) -> list[str]:
    """Bodies with a joint to the world."""
    return [joint.child for joint in scene.joints.values() if joint.parent == WORLD]


def _names(scene: Scene, context: ReaderContext) -> list[str]:
    """The names that can be requested."""
    models = [*context.unscoped, *context.grounds, *(path for path in scene.tables["scope"] if path)]
    return [name for name in dict.fromkeys((scene.name, *(models or _roots(scene)))) if name]


def _others(scene: Scene, wanted: _Choice, context: ReaderContext) -> str:
    """The models that are left out whole, as the end of a sentence; "" if there are none."""
    name, holds = wanted.name, wanted.holds
    there = [each for each in _names(scene, context) if each in context.unscoped or each != scene.name]
    there = [each for each in there if each not in context.grounds]
    whole = [each for each in there if not within(each, name) and not within(name, each)]
    if holds is not None and not wanted.start:
        whole = [path for path in scene.tables["scope"] if not holds(path)]
    said = [each for each in whole if not any(each != other and within(each, other) for other in whole)]
    return f"; left out: {', '.join(said[:8])}{', ...' if len(said) > 8 else ''}" if said else ""


def _is_about(where: str, gone: Names) -> bool:
    """Whether an address is that of something that is left out, or of a part of it."""
    kind = where.partition("/")[0]
    return any((kind, each.partition("/")[2]) in gone for each in prefixes(where) if "/" in each)


def _places_left_out(scene: Scene, rest: Scene, gone: Names) -> Iterator[tuple[str, Source | None]]:
    """Address and source of everything that is left out, in whole or in part."""
    yield from (("scene", extra.source) for extra in scene.extras if extra not in rest.extras)
    world, bare = scene.body(WORLD), rest.body(WORLD)
    for field in ("geoms", "lights", "cameras", "frames"):
        left = getattr(bare, field)
        yield from ((f"body/{WORLD}.{field}", item.source) for item in getattr(world, field) if item not in left)
    for kind, entity in entities(scene):
        shorter = kind == "keyframe" and rest.tables[kind].get(entity.name) != entity
        led = kind == "joint" and rest.joints.get(entity.name) != entity
        if shorter or led or (kind, entity.name) in gone:
            yield f"{kind}/{entity.name}", entity.source


# ---------------------------------------------------------------------------------------------------- what is left out


def _left_out(scene: Scene, wanted: _Choice) -> Names:
    """Everything in the scene that is not part of the model, or depends on such things."""
    gone = _declared(_outside_of_model(scene, wanted))
    return gone | _speaking_of(scene, gone)


def _declared(items: Iterable[Entity]) -> Names:
    return {(kind, name) for item in items for _, kind, name in declarations(item)}


def _outside_of_model(scene: Scene, wanted: _Choice) -> Iterator[Entity]:
    """Things that are not part of the model because of their place in the document."""
    kept, holds = wanted.kept, wanted.holds
    yield from (body for body in scene.bodies.values() if body.name not in kept and body.name != WORLD)
    world = scene.body(WORLD)
    yield from (*world.geoms, *world.lights, *world.cameras)
    for body in scene.bodies.values():  # a frame may be attached to a body of another model
        if body.name == WORLD or body.name in kept:
            yield from (frame for frame in body.frames if not _framed(frame, body.name, wanted))
    for joint in scene.joints.values():
        if joint.child not in kept or (joint.parent not in kept and joint.parent != WORLD):
            yield joint
    if holds is not None:
        yield from (scope for path, scope in scene.tables["scope"].items() if not holds(path))
        yield from (block for block in scene.tables["block"].values() if not _is_about_model(block, scene, wanted))


def _framed(frame: Frame, body: str, wanted: _Choice) -> bool:
    """Whether a frame of a body that stays, or of the world, belongs to the model."""
    if wanted.holds is None:
        return body != WORLD
    if wanted.start:
        return frame.name.startswith(wanted.start)
    return wanted.holds(frame.name.rpartition(DELIMITER)[0]) and frame.source not in wanted.beside


def _speaking_of(scene: Scene, gone: Names) -> Names:
    """Things that refer to left out things, directly or indirectly."""
    names = declared(scene)
    settled = ("body", "joint", "scope", *SHOWN, *SETTINGS)  # a model may be nested in one that is left out
    speaking = [(kind, entity) for kind, entity in entities(scene) if kind not in settled]
    found: Names = set()
    while True:
        lost = gone | found
        left = (entity for kind, entity in speaking if (kind, entity.name) not in lost)
        more = _declared(entity for entity in left if _refers_to(entity, lost, names))
        if more <= found:
            return found
        found |= more


def _is_about_model(block: Block, scene: Scene, wanted: _Choice) -> bool:
    """Whether a block is about the model, or about a body or joint (these are checked separately)."""
    if block.target in scene.bodies or block.target in scene.joints:
        return True
    return wanted.holds is not None and wanted.holds(block.target) and block.source not in wanted.beside


def _refers_to(entity: Entity, gone: Names, names: dict[str, set[str]]) -> bool:
    """Whether an entity refers to something that is left out; for a keyframe, whether it refers to nothing else."""
    refs = references(entity)
    lost = [(resolve(names, ref.kind, ref.name), ref.name) in gone for ref in refs]
    return bool(lost) and all(lost) if isinstance(entity, Keyframe) else any(lost)


def _without(scene: Scene, gone: Names, wanted: _Choice, document: Format) -> Scene:
    def stays(kind: str, items: Iterable[Any]) -> list[Any]:
        return [item for item in items if (kind, item.name) not in gone]

    bodies = [replace(body, frames=tuple(stays("frame", body.frames))) for body in stays("body", scene.bodies.values())]
    tables = {kind: stays(kind, table.values()) for kind, table in scene.tables.items()}
    names = declared(scene) if tables["keyframe"] else {}
    tables["keyframe"] = [trimmed("keyframe", keyframe, names, gone) for keyframe in tables["keyframe"]]
    return scene.evolve(
        bodies=[replace(body, geoms=(), lights=(), cameras=()) if body.name == WORLD else body for body in bodies],
        joints=[without_lost_leaders(joint, gone) for joint in stays("joint", scene.joints.values())],
        constraints=stays("constraint", scene.constraints.values()),
        tables=tables,
        extras=_extras(scene, wanted, document),
    )


def _extras(scene: Scene, wanted: _Choice, document: Format) -> tuple[Extra, ...]:
    """Extras of the document that are about the model: none of a world whose models have paths."""
    if wanted.start:
        return ()
    own = [extra for extra in scene.extras if extra.format.partition(":")[0] != document.name]
    return scene.extras if wanted.holds is None else tuple(own)


# ---------------------------------------------------------------------------------------------------- what stands alone


def _standing(scene: Scene, whole: Scene, model: str) -> Scene:
    """The model as the outermost scope, at its place."""
    scopes = {path: scope for path, scope in scene.tables["scope"].items() if path}  # "" is the enclosing model
    own = scopes.get(model) or Scope(name=model)
    pose, above = own.pose, whole.tables["scope"].get(own.parent) if own.parent else None
    while above is not None:
        pose = compose(above.pose, pose)
        above = whole.tables["scope"].get(above.parent) if above.parent else None
    scopes[model] = replace(own, parent="", pose=pose, label=None)
    blocks = [replace(block, target="") if block.target == model else block for block in scene.tables["block"].values()]
    return scene.evolve(tables={"scope": scopes.values(), "block": blocks})


def _freed(scene: Scene, whole: Scene) -> Scene:
    """The scene in which bodies that were held by left out joints are free, or fixed if their model is static."""
    held = {joint.child for joint in scene.joints.values() if not joint.closes_loop}
    lost = [name for name in scene.bodies if name != WORLD and name not in held and whole.joint_of(name) is not None]
    if not lost:
        return scene
    from ir.kinematics import forward

    places, scopes = forward(whole), scene.tables["scope"]
    spares = Spares((*scene.joints, *scene.dofs()))
    joints = [_root(name, places[name], scopes.get(scene.body(name).scope), spares) for name in lost]
    return scene.evolve(joints=(*scene.joints.values(), *joints))


def _root(body: str, pose: Pose, scope: Scope | None, spares: Spares) -> Joint:
    static = scope is not None and scope.static
    name = spares.of(f"{body}_{'weld' if static else 'free'}")
    dofs = () if static else (Dof(name=name, kind=DofKind.FREE),)
    return Joint(name=name, parent=WORLD, child=body, pose=pose, dofs=dofs)


def _with_bare_names(scene: Scene, model: str) -> Scene:
    """The scene with short names: without the path of the model, and without a number if they occur only once."""
    start = model + DELIMITER
    labels: dict[str, dict[str, str | None]] = {
        "geom": {geom.name: geom.label for geom in scene.geoms()},
        "sensor": {sensor.name: sensor.label for sensor in scene.tables["sensor"].values()},
    }
    for kind, found in declared(scene).items():
        spares = Spares()
        mapping: dict[str, str] = {}
        for name in labels.get(kind) or sorted(found):
            new = labels.get(kind, {}).get(name) or name.removeprefix(start)
            mapping[name] = "" if kind == "scope" and name == model else spares.of(new)
        mapping = {name: new for name, new in mapping.items() if name != new}
        if mapping and kind not in (*SHOWN, *SETTINGS, "block"):
            scene = rename(scene, kind, mapping)
    blocks = [replace(block, target=block.target.removeprefix(start)) for block in scene.tables["block"].values()]
    scopes = [scope for name, scope in scene.tables["scope"].items() if name or scope != Scope(name="")]
    return scene.evolve(
        name=model.rpartition(DELIMITER)[2],
        bodies=[replace(_bare(body), frames=tuple(map(_bare, body.frames))) for body in scene.bodies.values()],
        joints=map(_bare, scene.joints.values()),
        tables={"block": blocks, "scope": scopes},
    )


def _bare(item: E) -> E:
    """The item without a label that repeats its name."""
    return replace(item, label=None) if item.label == item.name else item
