"""SDF -> Scene: the document, its scopes, and the order of reading."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial

from msgspec.structs import replace

from converters.context import ReaderContext
from converters.sdf.document.kinds import note_mistaken_values
from converters.sdf.document.loading import SdfLoading
from converters.sdf.document.values import boolean, in_attributes, real, scalar, spare_name, text
from converters.sdf.include.resolve import open_document
from converters.sdf.models.ends import Link, find_ends, tree_of
from converters.sdf.models.following import without_cycles
from converters.sdf.models.frames import Frames
from converters.sdf.models.joints import PAIRS, leaders_of, mount_of, read_dofs, turned_by, type_of
from converters.sdf.models.merged import (
    INCLUDE,
    include_steps,
    merged_rest,
    merging_includes,
    name_and_place_of_light,
    rest_of_document,
    rest_outside,
)
from converters.sdf.models.models import (
    Item,
    Model,
    all_models,
    beside_model,
    collect,
    ground_models,
    is_ground,
    need_links,
    static_element,
    unscoped_models,
)
from converters.sdf.models.top import choose_top
from converters.sdf.models.world import read_world
from converters.sdf.parts.geoms import read_geom
from converters.sdf.parts.inertial import read_inertial
from converters.sdf.parts.lights import read_light
from converters.sdf.parts.sensors import Mount, read_sensor
from converters.sdf.tables import FAULTS, FORMAT, JOINTS, ROOT, SPELLING, TOP, TYPES, VERSION
from converters.sdf.writing.rendering import spelling
from converters.source.carried import read_carried
from converters.source.parsing import NAMESPACE
from converters.source.tree import Element
from converters.source.xml import Node
from ir.names import unique
from ir.pose import compose
from ir.scene import Scene
from ir.scopes import DELIMITER, join
from ir.types import (
    IDENTITY,
    WORLD,
    Block,
    Body,
    Constraint,
    Couple,
    Dof,
    DofKind,
    Extra,
    Frame,
    Geom,
    Joint,
    Light,
    Pose,
    Scope,
)


def read(data: bytes, context: ReaderContext) -> Scene:
    """Return the model or world in an SDF document, with the notes on its spelling.

    Raises InputError, with the line, if it contains none.
    """
    scene, root, brings = parse_scene(data, context)
    if not context.again and all("(DUPLICATE_NAME)" in error.message for error in context.faults.found):
        scene.notation[SPELLING] = spelling(scene, root, brings(), context)
        if wrong := faults(context):
            scene.notation[FAULTS] = json.dumps(sorted(wrong))
    return scene


def faults(context: ReaderContext) -> set[tuple[str, str, str]]:
    """Return the errors found in a reading: rule, place in the graph, and the text concerned."""
    return {(note.rule, note.where, note.before) for note in context.notes if note.severity == "error"}


def parse_scene(data: bytes, context: ReaderContext) -> tuple[Scene, Node, Callable[[], dict[Element, list[str]]]]:
    """Return the scene of a document, without spelling notes; its root element; and a function that returns the steps
    of the contents of each <include>."""
    document, version = open_document(data, context)
    root = document.root
    top = choose_top(root, data, context)
    scene = Scene(_name_of_scene(top), notation={VERSION: root.attrs.get("version", ""), TOP: top.tag})
    if root.tag != FORMAT:
        scene.notation[ROOT] = root.tag
    scene.notation |= {name: uri for name, uri in document.namespaces.items() if uri != NAMESPACE}
    loading = SdfLoading(context, scene)
    model = collect(top.visit(), top.tag != "model", version, loading)
    if model.include is not None:
        scene.name, scene.notation[TOP] = model.name, "model"
    context.unscoped = {each.name: beside_model(model, each) for each in unscoped_models(model)}
    context.grounds = dict(ground_models(model))
    for each in context.unscoped:
        if each not in (scene.name, context.options.model):
            where, reason = "scene.name", "a model for which a world was made has the name of that world"
            context.note("sdf/model-name", where, reason, top.source, before=each, after=scene.name)
    need_links(model)
    frames = Frames(model, loading)
    if top.tag == "world":
        read_world(top, version, loading)
    _read_bodies(model, frames, loading)
    _read_joints(model, frames, loading)
    _read_scopes(model, frames, loading)
    read_carried(root, scene, context)
    note_mistaken_values(root, version, context)
    for included in filter(None, loading.brought.values()):
        note_mistaken_values(included.node.document.root, included.version, context)
    merged = [*rest_of_document(model, root)]
    inside = [extra for document in loading.included for extra in document.root.rest()]
    scene.extras = (*rest_outside(root.rest()), *merged, *(replace(extra, format=INCLUDE) for extra in inside))
    return scene, root, partial(include_steps, model, loading)


def _name_of_scene(top: Node) -> str:
    """Return the name of the model or world; for a document with only a light or an actor, the name of that."""
    named = top.get("name") if top.parent is not None else None
    return named or next((item.attrs["name"] for item in top.elements() if "name" in item.attrs), "")


# ---------------------------------------------------------------------------------------------------------------- links


def _read_bodies(root: Model, frames: Frames, loading: SdfLoading) -> None:
    placed = _read_frames(root, frames)
    scene = loading.scene
    for model in all_models(root):
        for name, item in model.links.items():
            vertex = join(model.path, name)
            if frames.pose(vertex) is None:
                continue
            scene.add_body(_read_link(model, name, item, tuple(placed.get(vertex, ())), frames, loading))
    lights = tuple(_world_lights(root, frames, loading))
    if lights or placed.get(WORLD):
        scene.add_body(Body(name=WORLD, frames=tuple(placed.get(WORLD, ())), lights=lights))


def _read_link(
    model: Model, name: str, item: Item, placed: tuple[Frame, ...], frames: Frames, loading: SdfLoading
) -> Body:
    node = item.node.visit()
    vertex = join(model.path, name)
    where = f"body/{vertex}"
    geoms: list[Geom] = []
    lights: list[Light] = []
    sensors: list[tuple[Node, str, Pose]] = []
    for part, index, label, pose in _parts_of_link(model, item, vertex, frames, loading):
        if part.tag == "light":
            lights.append(read_light(part, label or f"{vertex}_light_{index}", label, pose, loading))
        elif part.tag == "sensor":
            sensors.append((part, label, pose))
        else:
            geoms.append(read_geom(part, vertex, index, pose, loading))
    for part, label, pose in sensors:
        local = partial(frames.local, model, item, owner=vertex, where=where, base=pose)
        _add_sensor(part, label, Mount(vertex, pose, local, geoms=geoms), loading)
    inertial = read_inertial(node, item.version, f"{where}.inertial", geoms, model.static, loading)
    inner = node.child("inertial")
    if inner is not None:
        inertial = replace(inertial, extras=inner.rest())
    for plugin in node.findall("plugin"):
        _add_block(plugin, vertex, loading)
    decay = node.child("damping" if in_attributes(node) else "velocity_decay")
    return Body(
        name=vertex,
        label=name if model.path else None,
        inertial=inertial,
        geoms=tuple(geoms),
        frames=placed,
        lights=tuple(lights),
        scope=model.path,
        gravity=1.0 if boolean(node, "gravity", True) else 0.0,
        kinematic=boolean(node, "kinematic", False),
        self_collide=_self_collide(node, model),
        linear_damping=_velocity_decay(decay, "linear"),
        angular_damping=_velocity_decay(decay, "angular"),
        source=node.source,
        extras=node.rest(),
    )


def _parts_of_link(
    model: Model, item: Item, vertex: str, frames: Frames, loading: SdfLoading
) -> Iterator[tuple[Node, int, str, Pose]]:
    """What stands on a link, but for what hangs on a fault: each element with its number among those of its kind, its
    name, and its pose in the frame of the link."""
    where = f"body/{vertex}"
    counts: dict[str, int] = {}
    labels: set[tuple[str, str]] = set()
    for part in item.node.elements():
        if part.tag not in ("visual", "collision", "light", "sensor"):
            continue
        pose = frames.local(model, item, part, vertex, where)
        if pose is None:
            continue
        part.visit()
        index = counts[part.tag] = counts.get(part.tag, -1) + 1
        label = part.get("name") or ""
        if (part.tag, label) in labels:
            reason = f"two elements <{part.tag}> of one link are named {label!r}; both are kept"
            loading.fault("DUPLICATE_NAME", where, reason, part.source, before=label)
        labels.add((part.tag, label))
        yield part, index, label, pose


def _self_collide(node: Node, model: Model) -> bool | None:
    """Return self_collide of a link. What is attached to the world is a separate model, in the scope of another."""
    if text(node, "self_collide") is not None:
        return boolean(node, "self_collide", False)
    return True if is_ground(model) else None


def _velocity_decay(node: Node | None, tag: str) -> float | None:
    return scalar(node, tag) if node is not None else None


def _add_sensor(node: Node, label: str, mount: Mount, loading: SdfLoading) -> None:
    name = loading.name(label or f"{mount.body}_sensor", "sensor")
    loading.scene.tables["sensor"][name] = read_sensor(node, name, label, mount, loading)


def _add_block(node: Node, target: str, loading: SdfLoading) -> None:
    table = loading.scene.tables["block"]
    name = loading.name(node.attrs.get("name") or node.attrs.get("filename") or "plugin", "block")
    table[name] = Block(name=name, dialect=FORMAT, target=target, source=node.source, extras=(node.whole(),))


def _read_frames(root: Model, frames: Frames) -> dict[str, list[Frame]]:
    """Return the explicit frames of the document by the body that they are attached to."""
    placed: dict[str, list[Frame]] = {}
    for model in all_models(root):
        vertices: list[tuple[str, str, Node | None]] = [
            (name, join(model.path, name), item.node) for name, item in model.frames.items()
        ]
        vertices += [(name, join(model.path, name), None) for name in model.proxies]
        for name, vertex, node in vertices:
            body = frames.body(vertex)
            pose = frames.between(vertex, body) if body is not None else None
            if body is None or pose is None:
                continue
            if node is not None:
                node.visit()
            placed.setdefault(body, []).append(
                Frame(
                    name=vertex,
                    label=name if model.path else None,
                    pose=pose,
                    source=node.source if node is not None else None,
                    extras=node.rest() if node is not None else (),
                )
            )
    return placed


def _world_lights(root: Model, frames: Frames, loading: SdfLoading) -> list[Light]:
    found: list[Light] = []
    brought = merging_includes(loading)
    for node in root.lights:
        label, placing = name_and_place_of_light(node, brought, loading)
        pose = frames.local(root, Item(node, root.base, root.version), placing, WORLD, "body/world")
        if pose is not None:
            found.append(read_light(node, label or f"{WORLD}_light_{len(found)}", label, pose, loading))
    return found


# --------------------------------------------------------------------------------------------------------------- joints


def _read_joints(root: Model, frames: Frames, loading: SdfLoading) -> None:
    scene = loading.scene
    links = [
        link
        for model in all_models(root)
        for name, item in model.joints.items()
        if (link := find_ends(model, name, item, frames, loading)) is not None
    ]
    leaders = leaders_of(links)
    gears = [link for link in links if link.kind == "gearbox"]
    links = [link for link in links if link.kind != "gearbox"]
    read = {link.path: read_dofs(link, frames, leaders, loading) for link in links}
    dofs = without_cycles({dof.name: (dof, link.item.node) for link in links for dof in read[link.path]}, loading)
    tree, roots = tree_of(links, scene)
    for link in links:
        own = tuple(dofs[dof.name] for dof in read[link.path])
        scene.add_joint(_read_joint(link, own, tree.get(link.child) != link.path, frames, loading))
    if scene.loops:
        scene.notation[JOINTS] = json.dumps(list(scene.joints))
    words = {link.path: link.kind for link in links if link.kind in PAIRS}
    words = {name: word for name, word in words.items() if type_of(scene.joints[name].dofs, True) != word}
    if words:
        scene.notation[TYPES] = json.dumps(words)
    for name in roots:
        scene.add_joint(_root_joint(name, frames, scene))
    if gears:
        turning = turned_by(links, dofs)
        for link in gears:
            _read_gearbox(link, turning, loading)


def _read_joint(link: Link, dofs: tuple[Dof, ...], loop: bool, frames: Frames, loading: SdfLoading) -> Joint:
    node = link.item.node.visit()
    for sensor in node.children("sensor"):
        where = f"joint/{link.path}"
        pose = frames.local(link.model, link.item, sensor, link.vertex, where)
        if pose is None:
            sensor.visited = False
            continue
        label = sensor.get("name") or ""
        local = partial(frames.local, link.model, link.item, owner=link.vertex, where=where, base=pose)
        mount = Mount(link.child, compose(link.frame, pose), local, joint=link.path)
        _add_sensor(sensor, label, mount, loading)
    for plugin in node.findall("plugin"):
        _add_block(plugin, link.path, loading)
    pose = frames.between(link.child, link.parent)
    assert pose is not None
    return Joint(
        name=link.path,
        label=link.name if link.model.path else None,
        parent=link.parent,
        child=link.child,
        pose=pose,
        dofs=dofs,
        mount=mount_of(link, dofs),
        closes_loop=loop,
        source=node.source,
        places=(("mount", place.source),) if (place := node.child("pose")) is not None and place.source else (),
        extras=node.rest(),
    )


def _root_joint(name: str, frames: Frames, scene: Scene) -> Joint:
    """Return the root joint of a link without a parent joint: a weld if its model is static, else free. Its source is
    the element that decides this: the <static>, or the link."""
    model, bare = frames.links[name]
    link = model.links[bare].node
    pose = frames.pose(name)
    assert pose is not None
    word = "weld" if model.static else "free"
    # libsdformat 12 dies of a joint to the world that begins as a link `X::a` of 1.7 does (Converter, Unflatten)
    local = f"{word}_{spare_name(bare)}" if DELIMITER in bare else f"{bare}_{word}"
    own = unique(join(model.path, local), scene.joints)
    dofs = () if model.static else (Dof(name=own, kind=DofKind.FREE),)
    source = ((static_element(model) if model.static else None) or link).source
    return Joint(name=own, parent=WORLD, child=name, pose=pose, dofs=dofs, source=source)


def _read_gearbox(link: Link, turning: dict[frozenset[str], str], loading: SdfLoading) -> None:
    """theta2 = -ratio * theta1, measured from the reference body. turning: two bodies -> the joint between them."""
    node = link.item.node
    named = text(node, "gearbox_reference_body") or ""
    reference = join(link.model.path, named)
    first, second = (turning.get(frozenset((reference, body))) for body in (link.parent, link.child))
    if first is None or second is None:
        reason = f"no two joints connect its bodies to the reference body {named!r}; it is left as it is"
        loading.context.note("sdf/gearbox", f"joint/{link.path}", reason, node.source, action="ignored")
        return
    node.visit()
    ratio = real(node, "gearbox_ratio", 1.0)
    loading.scene.add_constraint(
        Constraint(
            name=link.path,
            parent=link.parent,
            child=link.child,
            spec=Couple(first=second, second=first, coefficients=(0.0, -ratio, 0.0, 0.0, 0.0)),
            source=node.source,
            extras=node.rest(),
        )
    )


# --------------------------------------------------------------------------------------------------------------- scopes


def _read_scopes(root: Model, frames: Frames, loading: SdfLoading) -> None:
    scene = loading.scene
    models = list(all_models(root))
    for model in models:
        for plugin in model.plugins:
            if not plugin.rested:
                _add_block(plugin, model.path, loading)
    found: dict[str, Scope] = {}
    for model in reversed(models):  # leftovers of a nested model belong to it, not to the enclosing one
        if model.base == WORLD or model.node is None:
            continue
        scope = _read_scope(model, frames, scene)
        if model is not root:
            scope = replace(
                scope, extras=(*rest_outside(model.node.rest()), *merged_rest(model), *_extras_of_include(model))
            )
        elif scope == Scope(name=""):
            continue
        found[model.path] = replace(scope, source=model.node.source)
    scene.tables["scope"] |= dict(reversed(found.items()))


def _read_scope(model: Model, frames: Frames, scene: Scene) -> Scope:
    assert model.node is not None
    above = model.parent.origin if model.parent is not None else WORLD
    pose = frames.between(model.origin, above)
    canonical = frames.vertex(model, model.canonical) if model.canonical else None
    canonical = frames.body(canonical) if canonical is not None else None
    collide = model.node.child("self_collide") is not None
    return Scope(
        name=model.path,
        label=model.name if model.path else None,
        parent=model.parent.path if model.parent is not None else "",
        pose=pose if pose is not None else IDENTITY,
        static=model.static,
        canonical=canonical if canonical != WORLD and canonical in scene.bodies else None,
        self_collide=boolean(model.node, "self_collide", False) if collide else None,
    )


def _extras_of_include(model: Model) -> tuple[Extra, ...]:
    """Return the unused contents of an <include>, as extras that are not part of the included model."""
    extras = model.include.rest() if model.include is not None else ()
    return tuple(replace(extra, format=INCLUDE) for extra in extras)
