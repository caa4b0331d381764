"""The nested models of a document: the links, joints, frames and models of each scope, with includes resolved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct, field

from converters.context import Beside
from converters.sdf.document.loading import SdfLoading
from converters.sdf.document.values import KEEPING, PARTING, boolean, pose_node, raw_pose, reserved, text
from converters.sdf.include.resolve import UNMERGEABLE, find_include, unmergeable, uri_of
from converters.sdf.tables import BARE, FRAMES, UNNAMED, Version
from converters.source.xml import Node
from ir.scopes import DELIMITER, join
from ir.types import IDENTITY, WORLD, Pose

DEEPEST = 256
"""The maximum nesting depth of models; a path contains the names of all of them."""
MODEL = "__model__"


class Item(Struct, eq=False):
    """A link, joint or frame of a scope. base is the frame used instead of the model frame."""

    node: Node
    base: str
    version: Version


class Model(Struct, eq=False):
    """A <model>, its pose and contents. path is its name among the scopes: "" for the model of a model file."""

    node: Node | None
    path: str
    name: str
    version: Version
    parent: Model | None = None
    pose: Pose = IDENTITY
    relative_to: str = ""
    placement: str = ""
    placing: Node | None = None
    """The <include> that gives its pose; None if the model does."""
    static: bool = False
    canonical: str = ""
    include: Node | None = None
    beneath: str = MODEL
    """The frame used instead of the parent's model frame, for a model from one that was merged into the parent."""
    base: str = MODEL
    links: dict[str, Item] = field(default_factory=dict)
    joints: dict[str, Item] = field(default_factory=dict)
    frames: dict[str, Item] = field(default_factory=dict)
    proxies: dict[str, Model] = field(default_factory=dict)
    """Frames used instead of the model frames of merged models -> the merged models."""
    models: list[Model] = field(default_factory=list)
    nested: set[str] = field(default_factory=set)
    """Names of the nested models."""
    own: str = ""
    """The path of its frame, if its contents are named as if they were in the parent (tables.BARE)."""
    plugins: list[Node] = field(default_factory=list)
    lights: list[Node] = field(default_factory=list)
    beside: set[tuple[str, str]] = field(default_factory=set)
    """Tags and names of the lights and actors of a world."""

    @property
    def origin(self) -> str:
        """The vertex of the frame of this scope."""
        return join(self.own or self.path, self.base)


def collect(top: Node, world: bool, version: Version, loading: SdfLoading) -> Model:
    """Return the document's scope with all nested ones. Raises InputError if the document cannot be a model at all."""
    name = _name(top, version, loading) if top.parent is not None else ""
    root = Model(top, "", name, version, base=WORLD if world else MODEL)
    if not world:
        _read_settings(root, top)
    first = str(Path(top.document.file).resolve())
    stack = [Scoped(root, top, MODEL if not world else WORLD, version, (first,), 0)]
    while stack:
        content, below = stack.pop().content(), list[Scoped]()
        while content:
            step = content.pop()
            for found in _content_of_step(step, loading):
                if found.model is step.model:  # merged content takes the place of its <include>
                    content += found.content()
                else:
                    below.append(found)
        stack.extend(reversed(below))
    if top.parent is None and len(root.models) == 1 and root.models[0].path == "":
        root.models[0].parent = None
        return root.models[0]
    return root


UNMERGED = ("static", "self_collide", "enable_wind", "allow_auto_disable")
"""Children of a model that a merge drops."""
KINDS = {"link": "links", "joint": "joints", "frame": "frames"}
NAMED = (*KINDS, "model")


class Scoped(NamedTuple):
    """An element in the scope of a model: the model's own element, or one in it."""

    model: Model
    node: Node
    base: str
    version: Version
    files: tuple[str, ...]
    """The chain of including files that led to it."""
    depth: int

    def content(self) -> list[Scoped]:
        """Return the children of the element, last one first. Raises InputError."""
        model, node, base, version, files, depth = self
        if depth > DEEPEST:
            raise node.fail(f"models are nested deeper than {DEEPEST}")
        return [Scoped(model, item, base, version, files, depth) for item in reversed(node.elements())]


def _content_of_step(step: Scoped, loading: SdfLoading) -> Sequence[Scoped]:
    """Add an element to its scope; return the nested or included model, or the content that an <include> merges."""
    model, item, base, version, files, depth = step
    kind = KINDS.get(item.tag)
    if kind is not None:
        _add_item(getattr(model, kind), item, Item(item, base, version), model, loading)
    elif item.tag == "model":
        return [Scoped(_nested_model(model, item, base, version, loading), item, MODEL, version, files, depth + 1)]
    elif item.tag == "include":
        return item.attempt(_content_of_include, step, loading) or ()
    elif item.tag == "plugin":
        model.plugins.append(item)
    elif item.tag in ("light", "actor") and model.base == WORLD:
        _tell_twice(model, item, loading)
        if item.tag == "light":
            model.lights.append(item.visit())
    return ()


def static_element(model: Model) -> Node | None:
    """Return the <static> that applies to a model: its own, that of its <include>, or that of a model around it."""
    around: Model | None = model
    while around is not None and around.static:
        for node in (around.include, around.node):
            said = node.peek("static") if node is not None else None
            if said is not None:
                return said
        around = around.parent
    return None


def all_models(root: Model) -> Iterator[Model]:
    """Yield the model and all nested ones, parents first, in document order."""
    stack = [root]
    while stack:
        model = stack.pop()
        yield model
        stack.extend(reversed(model.models))


def unscoped_models(root: Model) -> Iterator[Model]:
    """Yield models that a world was made around: their contents have no path prefix."""
    return (model for model in root.models if model.own and not is_ground(model))


def ground_models(root: Model) -> Iterator[tuple[str, str]]:
    """Yield (name, first link) of models written for things that are attached to the world itself."""
    return ((model.name, next(iter(model.links))) for model in root.models if model.links and is_ground(model))


def is_ground(model: Model) -> bool:
    """Whether the model was written for things that are attached to the world itself."""
    return bool(model.own) and model.node is not None and model.node.attrs[BARE] == UNNAMED != model.name


def beside_model(root: Model, model: Model) -> Beside:
    """Return what is beside such a model in its world."""
    items = [item for each in root.models if each.own and each is not model for item in each.links.values()]
    nodes = [*(item.node for item in (*items, *root.frames.values())), *root.plugins]
    paths = tuple(each.path for each in root.models if each.path)
    return Beside(paths, frozenset(node.source for node in nodes))


def _name(node: Node, version: Version, loading: SdfLoading) -> str:
    """Return the name of an element; a generated one if it is missing or not allowed and errors are being collected."""
    name = node.get("name")
    if not name:
        node.refuse(f"<{node.tag}> has no name (ATTRIBUTE_MISSING)")
    elif check_name(name, node, version):
        return name
    return loading.name(f"nameless_{node.tag}")


def check_name(name: str, node: Node, version: Version) -> bool:
    """Whether a name is allowed; refuses reserved names."""
    if (reserved(name) and version >= KEEPING) or name == WORLD:
        node.refuse(f"{name!r} is a name that SDFormat reserves (RESERVED_NAME)")
        return False
    if DELIMITER in name and version >= PARTING:
        node.refuse(f"the name {name!r} contains '::', which separates the names of nested models (RESERVED_NAME)")
        return False
    return True


def _add_item(table: dict[str, Item], node: Node, item: Item, model: Model, loading: SdfLoading) -> None:
    name = _name(node, item.version, loading)
    taken = loading.claimed.setdefault((node.tag, model.path), set())
    if name in taken:
        node.refuse(f"two elements <{node.tag}> are named {name!r} in {model.name!r} (DUPLICATE_NAME)")
        name = node.attrs["name"] = loading.again(name, taken)
    taken.add(name)
    others = [kind for kind in KINDS.values() if name in getattr(model, kind)]
    others += ["models"] if name in model.nested and model.base != WORLD else []
    if others and item.version >= FRAMES:
        _tell_shared_name(f"{node.tag}/{join(model.path, name)}", name, others, node, loading)
    table[name] = item


def _tell_shared_name(where: str, name: str, others: list[str], node: Node, loading: SdfLoading) -> None:
    reason = f"the name already belongs to one of {', '.join(others)}; names in a model are unique"
    loading.fault("DUPLICATE_NAME", where, reason, node.source, before=name)


def _read_settings(model: Model, node: Node) -> None:
    model.pose, model.relative_to = raw_pose(node, model.version)
    model.placement = node.get("placement_frame") or ""
    model.canonical = node.get("canonical_link") or ""
    model.static = boolean(node, "static", False) or (model.parent is not None and model.parent.static)


def _nested_model(parent: Model, node: Node, base: str, version: Version, loading: SdfLoading) -> Model:
    name = _claim_name(parent, _name(node.visit(), version, loading), node, loading)
    own = join(parent.path, name)
    bare = node.get(BARE)
    bare = bare if bare and node in _models_beside(node, loading) else None
    model = Model(node, parent.path if bare else own, name, version, parent, beneath=base, own=own if bare else "")
    if bare not in (None, UNNAMED, name):  # the model was renamed by an edit
        loading.scene.name = name
    _read_settings(model, node)
    parent.models.append(model)
    return model


def _models_beside(node: Node, loading: SdfLoading) -> set[Node]:
    """Return this model and its siblings that the world was made around: those whose contents have unique names in it.

    A copy of such a model under another name is treated as an ordinary model.
    """
    around = node.parent
    assert around is not None
    if around not in loading.bare:
        taken = _names_in_scope(around)
        found = loading.bare[around] = set()
        models = [item for item in around.findall("model") if BARE in item.attrs]
        for model in sorted(models, key=lambda item: item.attrs[BARE] not in (UNNAMED, item.attrs.get("name"))):
            inside = _names_in_scope(model)
            if taken.isdisjoint(inside):
                taken |= inside
                found.add(model)
    return loading.bare[around]


def _names_in_scope(scope: Node) -> set[tuple[bool, str]]:
    """Return the names of a scope's direct children, each with whether it is that of a model."""
    return {(item.tag == "model", item.attrs.get("name", "")) for item in scope.elements() if item.tag in NAMED}


def _claim_name(parent: Model, name: str, node: Node, loading: SdfLoading) -> str:
    """Register and return the name of a nested model; refuses a duplicate."""
    taken = loading.claimed.setdefault(("model", parent.path), set())
    if name in taken:
        node.refuse(f"two models are named {name!r} in {parent.name!r} (DUPLICATE_NAME)")
        name = loading.again(name, taken)
        if node.attrs.get("name"):
            node.attrs["name"] = name
    taken.add(name)
    parent.nested.add(name)
    others = [kind for kind in KINDS.values() if name in getattr(parent, kind)]
    if others and parent.version >= FRAMES and parent.base != WORLD:  # libsdformat allows both in a world
        _tell_shared_name(f"scope/{join(parent.path, name)}", name, others, node, loading)
    return name


def _tell_twice(model: Model, node: Node, loading: SdfLoading) -> None:
    """Note two lights, or two actors, of one name; both are kept."""
    name = node.attrs.get("name", "")
    if (node.tag, name) in model.beside:
        reason = f"two elements <{node.tag}> of a world are named {name!r}; both are kept"
        loading.fault("DUPLICATE_NAME", f"{node.tag}/{name}", reason, node.source, before=name)
    model.beside.add((node.tag, name))


def _content_of_include(step: Scoped, loading: SdfLoading) -> list[Scoped]:
    """Return what an include adds: a nested model, or its content merged into the parent."""
    parent, node = step.model, step.node
    found = find_include(node, step.files, loading)
    if found is None:
        return []
    top = found.node
    merge = boolean(node, "@merge", False)
    if merge and (why := unmergeable(top, parent.base == WORLD, step.version)):
        loading.fault(UNMERGEABLE, f"include/{uri_of(node)}", why, node.source)
        merge = False
    if top.tag == "light":
        parent.lights.append(top)
        return []
    settled = found.settled  # then the model itself contains what the <include> declares
    name = text(node, "name") or _name(top, found.version, loading)
    name = _name(top, found.version, loading) if settled else name
    if not merge:
        name = _claim_name(parent, name, node, loading)
    whole = node.parent is not None and node.parent.parent is None and not parent.models
    path = "" if whole else join(parent.path, name)  # a top-level <include> gives the model of the document
    model = Model(top, path, name, found.version, parent, include=node, beneath=step.base)
    _read_settings(model, top)
    top.get("name")
    _tell_and_override(model, node, step.version, settled, loading)
    for plugin in model.plugins:
        plugin.visited = False
    if not merge:
        parent.models.append(model)
        return [Scoped(model, top, MODEL, found.version, found.files, step.depth + 1)]
    return [Scoped(parent, top, _merge_content(parent, model, loading), found.version, found.files, step.depth + 1)]


def tell_overridden(where: str, before: str, after: str, node: Node, loading: SdfLoading) -> None:
    """Note a value of a model or light that its <include> overrides."""
    if before == after:
        return
    loading.context.note(
        "sdf/include-overrides",
        where,
        "the <include> sets another value, which is used",
        node.source,
        before=before,
        after=after,
        action="ignored",
        severity="note",
        elsewhere=True,
    )


def pose_text(pose: Node) -> str:
    return " ".join([pose.own_text(), *(f"{name}={value}" for name, value in pose.attrs.items())])


def _tell_and_override(model: Model, node: Node, version: Version, settled: bool, loading: SdfLoading) -> None:
    """Apply the overrides and plugins of an include, in a document of that version; if settled, they have been applied
    already."""
    assert model.node is not None
    static = text(node, "static")
    placement = text(node, "placement_frame")
    if settled:
        return
    where = f"scope/{model.path}"
    tell_overridden(f"{where}.label", model.node.attrs.get("name") or model.name, model.name, model.node, loading)
    if static:
        own = model.node.child("static")
        model.static = boolean(node, "static", False) or (model.parent is not None and model.parent.static)
        if own is not None:
            tell_overridden(f"{where}.static", own.own_text(), static, own, loading)
    place = pose_node(node)
    if place is not None:
        own = pose_node(model.node)
        model.placing = node
        model.pose, model.relative_to = raw_pose(node, version)
        if own is not None:
            tell_overridden(f"{where}.pose", pose_text(own), pose_text(place), own, loading)
        if placement:
            tell_overridden(f"{where}.placement", model.placement or placement, placement, model.node, loading)
        model.placement = placement or model.placement  # an <include> without one keeps that of the model
    elif placement:
        reason = "a placement_frame needs a <pose>"
        node.refuse(f"{reason} (MODEL_PLACEMENT_FRAME_INVALID)")
    model.plugins.extend(node.children("plugin"))


def _merge_content(parent: Model, model: Model, loading: SdfLoading) -> str:
    """Merge a model into its parent; return the frame used instead of its model frame."""
    assert model.node is not None
    proxy = f"_merged__{model.name}__model__"
    if proxy in parent.proxies:
        place = model.include or model.node
        place.refuse(f"two models that are merged into {parent.name!r} are named {model.name!r} (DUPLICATE_NAME)")
        proxy = loading.again(proxy, parent.proxies)
    parent.proxies[proxy] = model
    parent.plugins.extend(model.plugins)
    for item in model.node.elements():
        if item.tag in UNMERGED:
            reason = "of a model that is merged into another one only its contents are kept"
            before = f"<{item.tag}> {text(model.node, item.tag)}"
            where = f"scope/{join(parent.path, model.name)}"
            loading.context.note(
                "sdf/merged-model", where, reason, item.source, before=before, action="ignored", severity="note"
            )
    return proxy


def need_links(root: Model) -> None:
    """Refuses an empty model that is not itself declared static."""
    for model in all_models(root):
        if model.node is None or model.base == WORLD or model.links or model.models:
            continue
        said = (node for node in (model.include, model.node) if node is not None)
        if model.static and any(boolean(node, "static", False) for node in said):
            continue
        if any(item.tag == "include" and not item.visited for item in model.node.elements()):
            continue  # reported already: what it includes was not found
        reason = "has no link; only a static model may be empty (MODEL_WITHOUT_LINK)"
        model.node.refuse(f"model {model.name!r} {reason}")
