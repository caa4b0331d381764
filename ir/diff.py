"""The differences between two scenes, as findings need them, and the patch that turns one into the other.

The patch of an entity is a tree of JSON values. A dict goes deeper (field name, entity name or index), a list is a
leaf: [value, check] replaces the present value if that is unchanged since the patch was made (check: its fingerprint,
ir.plain; none: it was the default). A value of null removes an entity. The key "" of a named collection contains the
order of its names, that of a joint the kinds of its dofs, without which a patch does not apply to another joint.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any

from msgspec import Struct

from ir.plain import as_json, carried_fields, checksum, fingerprint_of_replaced, to_plain
from ir.pose import body_tensor, same_place, same_rotation
from ir.scene import TABLES, Scene
from ir.types import REQUIRED, Dof, Entity, Extra, Inertial, Joint, Mark, Pose, Source, Value

Patch = Any
"""The patch of an entity or of a part of it, as JSON values (above)."""


class Difference(Struct, frozen=True):
    """One difference of b from a. kind: absent (only a has it), extra (only b), different.

    path starts with the kind and the key of the entity; field is the same without names: joint.dofs.velocity.
    """

    path: tuple[str, ...]
    field: str
    kind: str
    before: Any
    after: Any
    source: Source | None

    @property
    def where(self) -> str:
        """The address as text: joint/elbow.dofs.0.velocity."""
        return ".".join(["/".join(self.path[:2]), *self.path[2:]])


Said = tuple[str, object, object]
"""Of one thing: the differing part, its expected value, and its present value."""


class _Walk:
    """The differences found so far, and the source of the entity being compared. patching: make patches, not only their
    keys. among: the entities to compare (None: all)."""

    __slots__ = ("among", "found", "patches", "patching", "source")

    def __init__(self, patching: bool, among: Container[tuple[str, ...]] | None = None) -> None:
        self.found: list[Difference] = []
        self.patching = patching
        self.among = among
        self.patches: dict[str, str] = {}
        self.source: Source | None = None

    def note(self, path: tuple[str, ...], field: str, before: Any, after: Any, default: Any) -> None:
        kind = "absent" if _unsaid(after, default) else "extra" if _unsaid(before, default) else "different"
        self.found.append(Difference(path, field, kind, before, after, self.source))

    def patch(self, key: str, patch: Patch) -> None:
        """Add the patch of an entity, as text at once: ten thousand trees would take many times the memory."""
        self.patches[key] = as_json(patch) if self.patching else ""

    def leaf(self, value: Any, current: Any, default: Any = None) -> Patch:
        """The leaf that replaces current by value; its checksum lets restore notice edits made in between."""
        if not self.patching:
            return _NO_LEAF
        plain = to_plain(value)
        return [plain] if current is None or current == default else [plain, fingerprint_of_replaced(current, value)]


_NO_LEAF: Patch = [None]
_PLAIN = frozenset({str, float, int, bool})


def _unsaid(value: Any, default: Any) -> bool:
    """Whether a value is nothing, or only states the default."""
    return value is None or (default is not REQUIRED and bool(value == default))


def compare(a: Scene, b: Scene, patching: bool = True) -> tuple[list[Difference], dict[str, str]]:
    """The differences of b from a, and the patch that turns b into a.

    The patch maps the key of an entity to JSON text; ir.restore applies it. Without patching the texts are empty.
    """
    walk = _Walk(patching)
    _compare(walk, a, b)
    return walk.found, walk.patches


def differences(a: Scene, b: Scene, among: Container[tuple[str, ...]] | None = None) -> list[Difference]:
    """The differences of b from a, without a patch. among: kinds and keys of the entities of a to compare; others are
    ignored."""
    walk = _Walk(False, among)
    _compare(walk, a, b)
    return walk.found


def _compare(walk: _Walk, a: Scene, b: Scene) -> None:
    top: dict[str, Patch] = {}
    if a.name != b.name:
        walk.note(("scene", "name"), "scene.name", a.name, b.name, "")
        top["name"] = walk.leaf(a.name, b.name, "")
    if a.extras != b.extras:
        _extras(walk, a.extras, b.extras, ("scene", "extras"), "scene.extras")
        top["extras"] = walk.leaf(a.extras, b.extras, ())
    if a.notation != b.notation:
        top["notation"] = notation_patch(a.notation, b.notation)
    if top:
        walk.patch("scene", top)
    for kind, ours, theirs in _collections(a, b):
        if ours or theirs:
            _entities(walk, kind, ours, theirs)


def notation_patch(before: Mapping[str, str], now: Mapping[str, str]) -> Patch:
    """The notation that takes the place of another, with checksums of what that has of it: what a document says
    otherwise since, it says so itself."""
    return [before, {key: checksum(now[key]) for key in sorted(before.keys() & now.keys())}]


def _collections(a: Scene, b: Scene) -> list[tuple[str, Mapping[str, Entity], Mapping[str, Entity]]]:
    """Every collection of a scene, with keys that survive a conversion.

    The key of a joint is its child body, since welds lose their names.
    """
    collections: list[tuple[str, Mapping[str, Entity], Mapping[str, Entity]]] = [
        ("body", a.bodies, b.bodies),
        ("joint", by_child(a), by_child(b)),
        ("loop", a.loops, b.loops),
        ("constraint", a.constraints, b.constraints),
    ]
    return collections + [(kind, a.tables[kind], b.tables[kind]) for kind in TABLES]


def by_child(scene: Scene) -> dict[str, Joint]:
    """The tree joints by child body."""
    return {joint.child: joint for joint in scene.joints.values() if not joint.closes_loop}


def _entities(walk: _Walk, kind: str, ours: Mapping[str, Entity], theirs: Mapping[str, Entity]) -> None:
    for key, entity in ours.items():
        other = theirs.get(key)
        walk.source = entity.source
        address = entity.name if kind == "joint" else key
        if walk.among is not None and (kind, address) not in walk.among:
            continue
        if other is None:
            walk.note((kind, address), kind, entity, None, None)
            walk.patch(f"{kind}/{key}", walk.leaf(entity, None))
        elif entity is not other:
            patch = _fields(walk, entity, other, (kind, address), kind)
            if patch:
                if isinstance(other, Joint) and not patch.keys().isdisjoint(("extras", "dofs")):
                    patch[""] = kinds(other)
                walk.patch(f"{kind}/{key}", patch)
    for key, other in theirs.items():
        if key not in ours:
            walk.source = None
            walk.note((kind, other.name if kind == "joint" else key), kind, None, other, None)
            walk.patch(f"{kind}/{key}", walk.leaf(None, other))
    order, other_order = list(ours), list(theirs)
    if order != other_order and order != [
        *(key for key in other_order if key in ours),
        *(key for key in order if key not in theirs),
    ]:
        walk.patch(f"order/{kind}", order)


def kinds(joint: Joint) -> str:
    """The kinds of the dofs of a joint, which tell it from another joint of the same body."""
    return " ".join(dof.kind for dof in joint.dofs)


def _fields(walk: _Walk, a: Any, b: Any, path: tuple[str, ...], field: str) -> Patch | None:
    """The patch of a payload; None when nothing differs. Both payloads have the same class."""
    if a.__class__ is Pose:
        return _pose(walk, a, b, path, field)
    if a.__class__ is Inertial:
        return _inertial(walk, a, b, path, field)
    patch: dict[str, Patch] = {}
    for slot in carried_fields(a.__class__):
        name = slot.name
        ours, theirs = getattr(a, name), getattr(b, name)
        if ours is theirs or (ours.__class__ in _PLAIN and ours.__class__ is theirs.__class__ and ours == theirs):
            continue
        if slot.mark is Mark.NOTATION:
            if ours != theirs:
                patch[name] = walk.leaf(ours, None)
                if name == "label" and ours and not a.name.endswith(ours):  # other programs see only its name
                    walk.note((*path, "name"), f"{field}.{name}", ours, a.name, REQUIRED)
                if name == "label" and walk.patching and a.__class__ in (Joint, Dof):  # these are not found by name
                    patch[name].append(checksum(b.name))
            continue
        if name == "name" and nameless(a):  # unnamed by its author, so no name is lost
            patch[name] = walk.leaf(ours, theirs, slot.default)
            continue
        outer = walk.source
        if a.__class__ is Joint and a.places:
            walk.source = dict(a.places).get(name, outer)
        inner = _value(walk, ours, theirs, (*path, name), f"{field}.{name}", slot.default)
        walk.source = outer
        if inner is not None:
            patch[name] = inner
    return patch or None


def nameless(a: Any) -> bool:
    """Whether the name was made up for the graph; a joint may have the name of its dof."""
    if a.__class__ is Joint:
        return any(dof.label == "" and dof.name == a.name for dof in a.dofs)
    return getattr(a, "label", None) == ""


def _value(walk: _Walk, a: Any, b: Any, path: tuple[str, ...], field: str, default: Any) -> Patch | None:
    if a.__class__ is b.__class__:
        if isinstance(a, Value):
            return _fields(walk, a, b, path, field)
        if a.__class__ is tuple:
            if (a and a[0].__class__ is Extra) or (b and b[0].__class__ is Extra):
                if a == b:
                    return None
                _extras(walk, a, b, path, field)
                return walk.leaf(a, b, ())
            if (a and isinstance(a[0], Entity)) or (b and isinstance(b[0], Entity)):
                return _named(walk, a, b, path, field)
            if a and b and len(a) == len(b) and isinstance(a[0], Value):
                return _indexed(walk, a, b, path, field)
    if a == b:
        return None
    walk.note(path, field, a, b, default)
    return walk.leaf(a, b, default)


def _named(
    walk: _Walk, a: tuple[Entity, ...], b: tuple[Entity, ...], path: tuple[str, ...], field: str
) -> Patch | None:
    patch: dict[str, Patch] = {}
    theirs = {entity.name: entity for entity in b}
    outer = walk.source
    for entity in a:
        other = theirs.pop(entity.name, None)
        walk.source = entity.source or outer
        if other is None:
            walk.note((*path, entity.name), field, entity, None, None)
            patch[entity.name] = walk.leaf(entity, None)
        elif entity is not other:
            inner = _fields(walk, entity, other, (*path, entity.name), field)
            if inner is not None:
                patch[entity.name] = inner
    for name, other in theirs.items():
        walk.source = outer
        walk.note((*path, name), field, None, other, None)
        patch[name] = walk.leaf(None, other)
    walk.source = outer
    order = [entity.name for entity in a]
    present = {entity.name for entity in a}
    common = [entity.name for entity in b if entity.name in present]
    shared = set(common)
    if order != common + [name for name in order if name not in shared]:
        patch[""] = order
    return patch or None


def _indexed(walk: _Walk, a: tuple[Any, ...], b: tuple[Any, ...], path: tuple[str, ...], field: str) -> Patch | None:
    patch: dict[str, Patch] = {}
    outer = walk.source
    for index, (ours, theirs) in enumerate(zip(a, b, strict=True)):
        walk.source = getattr(ours, "source", None) or outer
        inner = _fields(walk, ours, theirs, (*path, str(index)), field)
        if inner is not None:
            patch[str(index)] = inner
    walk.source = outer
    return patch or None


def _extras(walk: _Walk, a: tuple[Extra, ...], b: tuple[Extra, ...], path: tuple[str, ...], field: str) -> None:
    remaining = list(b)
    outer = walk.source
    for extra in a:
        if extra in remaining:
            remaining.remove(extra)
            continue
        again = next((other for other in remaining if _respelt(extra, other)), None)
        if again is not None:
            remaining.remove(again)
            continue
        walk.source = extra.source or outer
        walk.note((*path, extra.path), f"{field}.{extra.format}", extra, None, None)
    walk.source = outer
    for extra in remaining:
        walk.note((*path, extra.path), f"{field}.{extra.format}", None, extra, None)


def _respelt(a: Extra, b: Extra) -> bool:
    """Whether an attribute has the same numbers in another spelling (.1 and 0.1)."""
    if (a.format, a.path) != (b.format, b.path) or "@" not in a.path:
        return False
    ours, theirs = a.text.split(), b.text.split()
    try:
        return len(ours) == len(theirs) and all(
            x == y or float(x) == float(y) for x, y in zip(ours, theirs, strict=True)
        )
    except ValueError:
        return False


# --------------------------------------------------------------------------------------------------- values by meaning


def _pose(walk: _Walk, a: Pose, b: Pose, path: tuple[str, ...], field: str) -> Patch | None:
    if a == b:
        return None if a.rpy == b.rpy else {"rpy": [a.rpy]}
    if not same_place(a.pos, b.pos):
        walk.note((*path, "pos"), f"{field}.pos", a.pos, b.pos, REQUIRED)
    if not same_rotation(a.rot, b.rot):
        walk.note((*path, "rot"), f"{field}.rot", a.rot, b.rot, REQUIRED)
    return walk.leaf(a, b)


def _inertial(walk: _Walk, a: Inertial, b: Inertial, path: tuple[str, ...], field: str) -> Patch | None:
    """Tensors are compared in the frame of the body, since the same mass distribution may be given in other axes."""
    if a.mass != b.mass:
        walk.note((*path, "mass"), f"{field}.mass", a.mass, b.mass, REQUIRED)
    if a.pose.pos != b.pose.pos:
        walk.note((*path, "pose"), f"{field}.pose", a.pose.pos, b.pose.pos, REQUIRED)
    ours, theirs = body_tensor(a), body_tensor(b)
    scale = max(map(abs, ours))
    if any(abs(x - y) > 1e-13 * scale for x, y in zip(ours, theirs, strict=True)):
        walk.note((*path, "tensor"), f"{field}.tensor", ours, theirs, REQUIRED)
    if a.extras != b.extras:
        _extras(walk, a.extras, b.extras, (*path, "extras"), f"{field}.extras")
    return None if a == b and a.pose.rpy == b.pose.rpy else walk.leaf(a, b)


COUNTED = ("tendon", "actuator", "sensor", "keyframe")
"""Tables whose order matters."""


def orders(scene: Scene) -> dict[str, list[str]]:
    """Kind -> the names of its entities as they are numbered: bodies depth first (Scene.walk), cameras body by body."""
    bodies = [body.name for _, body in scene.walk()]
    cameras = [camera.name for name in sorted(bodies) for camera in scene.body(name).cameras]
    found = {"body": bodies, "camera": cameras, "constraint": [*scene.constraints]}
    return found | {kind: [*scene.tables[kind]] for kind in COUNTED}


def reordered(scene: Scene, found: Scene) -> list[Difference]:
    """The kinds whose common entities have another order in the second scene, each with the names in order."""
    ours, theirs = orders(scene), orders(found)
    wrong: list[Difference] = []
    for kind, names in ours.items():
        if names == theirs[kind]:
            continue
        here, there = {*names}, {*theirs[kind]}
        before, after = (name for name in names if name in there), (name for name in theirs[kind] if name in here)
        if (one := tuple(before)) != (other := tuple(after)):
            wrong.append(Difference(("order", kind), f"order.{kind}", "different", one, other, None))
    return wrong
