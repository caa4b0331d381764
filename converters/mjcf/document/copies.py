"""The sections outside the body tree (contact, tendon, equality, actuator, sensor) where <replicate> and <attach> copy
parts of the tree: elements that reference such a part are copied with it.

As MuJoCo compiles it (measured): element by element in document order, by names. Each copy of a part of the tree copies
all elements that reference something in it, including copies; the original of a <replicate> is removed in the end, with
all elements that reference something in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from msgspec import Struct, field

from converters.mjcf.document.attributes import ACTED, target_attribute
from converters.mjcf.document.loading import KINDS, MOST, MOST_COPIES, MjcfLoading, Nesting, Part, too_many
from converters.source.shadow import shadow
from converters.source.xml import Node
from ir.types import WORLD, Parameters

NAMED = {
    name: kind
    for kind, names in {
        "joint": "joint joint1 joint2 jointinparent",
        "body": "body body1 body2 subtree1 subtree2 target",
        "geom": "geom geom1 geom2",
        "site": "site site1 site2 cranksite slidersite refsite sidesite",
        "camera": "camera",
        "tendon": "tendon tendon1 tendon2",
        "actuator": "actuator",
    }.items()
    for name in names.split()
}
"""Attributes that reference something that may be copied, and its kind."""
MEANT = {kind: kind for kind in ("body", "geom", "camera", "tendon", "actuator")} | {"joint": "dof", "site": "frame"}
"""Kind of MJCF object -> its kind in the graph."""
TYPES = {"objname": "objtype", "refname": "reftype"}
"""Attributes that reference an object, and those that give its type."""
PARTED, ALONE = "mjcf/copies-apart", "mjcf/copies-alone"
REASONS = {
    PARTED: "MuJoCo makes no such element between a copy that <replicate> makes and something outside of it",
    ALONE: "MuJoCo doubles sensors that refer to nothing whenever <replicate> makes a copy; here they are read once",
}
SECTIONS = ("contact", "tendon", "equality", "actuator", "sensor")
"""Sections in the order in which MuJoCo copies their elements."""
WHOLE = ("equality", "actuator")
"""Sections whose elements are copied only if all of their references are copied; others if any of them is."""
SPOKEN = ("tendon", "actuator")
"""Sections whose elements may be referenced by others."""
MEASURED = ("objname", "body")
"""Attributes with the measured object of a sensor, which cannot be the world in attached models (MuJoCo 4.0.0)."""

Name = tuple[str, str]
"""Kind and name of an object."""


class _SectionItem(NamedTuple):
    """An element outside the tree, or a copy of it."""

    section: str
    node: Node
    root: Node
    name: str
    names: tuple[tuple[int, str, Name], ...]
    """Its references: the index of the element within it, the attribute, the object."""
    stem: str
    """Name of the element of which it is a copy, in the same model."""
    suffix: str = ""
    prefix: str = ""
    """Prefix of the document that contains it, which is also the prefix of its assets."""


class _Walked(Struct):
    """A document as far as it has been traversed."""

    root: Node
    suffixes: frozenset[str]
    """Name suffixes of all copies that are made in it."""
    lengths: frozenset[int]
    """Lengths of those suffixes."""
    items: dict[str, dict[int, _SectionItem]] = field(default_factory=lambda: {tag: {} for tag in SECTIONS})
    speaking: dict[Name, set[int]] = field(default_factory=dict)
    """Object -> numbers of the items that reference it."""
    tree: list[Name] = field(default_factory=list)
    """Names of objects in tree order."""
    spans: dict[Name, tuple[int, int]] = field(default_factory=dict)
    """Body or frame -> its range in `tree`."""
    opened: dict[Name, int] = field(default_factory=dict)
    """Start of that range for bodies and frames that are still being traversed."""
    known: set[Name] = field(default_factory=set)
    ends: dict[str, set[Name]] = field(default_factory=dict)
    """Suffix -> the objects whose names end with it, without the suffix."""
    count: int = 0
    own: int = 0
    """Number of items that are not copies."""

    def bounded(self, node: Node) -> None:
        """Raise InputError if there are more copies than a model may have; half of them may be removed again."""
        if sum(map(len, self.items.values())) > self.own + 2 * MOST:
            raise too_many(node)

    def add(self, item: _SectionItem) -> None:
        """Add an item and index its references."""
        self.items[item.section][self.count] = item
        for *_, thing in item.names:
            self.speaking.setdefault(thing, set()).add(self.count)
        self.count += 1
        if item.section in SPOKEN and item.name:
            self.know((item.section, item.name))

    def know(self, thing: Name) -> None:
        """Register the name of an object."""
        self.known.add(thing)
        kind, name = thing
        for length in self.lengths:
            if name[-length:] in self.suffixes:
                self.ends.setdefault(name[-length:], set()).add((kind, name[:-length]))

    def copy(self, made: Sequence[Name], source: _Walked, before: int, prefix: str, suffix: str) -> None:
        """Add a part of a tree under other names, with all items that reference it, or an object with such a name by
        chance.

        before: only items of the source with lower numbers are copied.
        """
        for kind, name in made:
            self.tree.append((kind, f"{prefix}{name}{suffix}"))
            self.know(self.tree[-1])
        for section in SECTIONS:
            if suffix:
                things = self.ends.get(suffix, ())
                found = {number for thing in things for number in self.speaking.get(thing, ())}
                numbers = sorted(found & self.items[section].keys())
            else:
                numbers = list(source.items[section])
            for number in numbers:
                item = source.items[section][number]
                names = self._renamed(item, prefix, suffix) if number < before else None
                if names is not None:
                    name = f"{prefix}{item.name}{suffix}" if item.name else ""
                    stem = item.stem if suffix else name
                    assets = item.prefix if source is self else prefix + item.prefix
                    self.add(
                        _SectionItem(section, item.node, item.root, name, names, stem, item.suffix + suffix, assets)
                    )

    def _renamed(self, item: _SectionItem, prefix: str, suffix: str) -> tuple[tuple[int, str, Name], ...] | None:
        """Return the references of a copy of the item; None if it is not copied."""
        found: list[tuple[int, str, Name]] = []
        if item.section == "contact" and len(item.names) < 2:  # only where a <pair> is left as it is does it need both
            return None
        copied = item.root is not self.root and not item.names
        for at, attribute, thing in item.names:
            kind, name = thing
            there = (kind, f"{prefix}{name}{suffix}")
            if thing == ("body", WORLD) and not (item.section == "sensor" and attribute in MEASURED):
                there = thing
            elif there in self.known:
                copied = True
            elif item.section in WHOLE or thing not in self.known:
                return None
            else:
                there = thing
            found.append((at, attribute, there))
        return tuple(found) if copied else None

    def take(self, gone: Iterable[Name], suffixes: Iterable[str]) -> None:
        """Remove the original of a <replicate>, once its copies are made, with all items that reference something in
        it. Items that also reference a missing object stay, to be refused later."""
        lost = set(gone)
        for section in SECTIONS:
            found = {number for thing in lost for number in self.speaking.get(thing, ())}
            for number in found & self.items[section].keys():
                item = self.items[section][number]
                if all(thing in self.known for *_, thing in item.names):
                    del self.items[section][number]
                    for *_, thing in item.names:
                        self.speaking[thing].discard(number)
                    if section in SPOKEN and item.name:
                        lost.add((section, item.name))
        self.known -= lost
        for suffix in suffixes:
            self.ends.get(suffix, set()).difference_update(lost)


def relations(loading: MjcfLoading, part: Part) -> dict[str, list[tuple[Part, Node]]]:
    """Return for each section name the sections, copies included, each with the part that it comes from."""
    parts = {(each.root, each.prefix): each for each in (*loading.parts, part)}
    roots = {each.root: each for each in (part, *loading.parts)}
    sections = {tag: [(each, node) for each in roots.values() for node in each.root.children(tag)] for tag in SECTIONS}
    if not loading.replications and not loading.parts:
        return sections
    model = _walked_part(part, {})
    whole: dict[str, list[tuple[Part, Node]]] = {}
    for tag in SECTIONS:
        items = [item for item in model.items[tag].values() if (item.root, item.prefix) in parts]
        whole[tag] = [
            (parts[root, prefix], _section(loading, tag, section, group))
            for (root, prefix, section), group in groupby(
                items, lambda item: (item.root, item.prefix, item.node.parent)
            )
            if section is not None
        ]
        _tell_lost(loading, part, {item.node for item in items}, [section for _, section in sections[tag]])
        if loading.replications and tag == "sensor":
            for item in items:
                if not item.names:
                    _tell_left_out(loading, item.node, ALONE)
    return whole


def _tell_lost(loading: MjcfLoading, part: Part, kept: set[Node], sections: Sequence[Node]) -> None:
    """Report elements removed without a copy; those of an attached model are no part of the model then."""
    for section in sections:
        for node in section.elements():
            if node not in kept:
                mark(node)
                if section.parent is part.root:
                    _tell_left_out(loading, node, PARTED)


def _section(loading: MjcfLoading, tag: str, section: Node, items: Iterable[_SectionItem]) -> Node:
    """Return a replacement for a section, with copies in place of copied elements."""
    whole = Node(tag, section.attrs, section.document, section.parent, section.line, section.position, section.turn)
    for item in items:
        if tag in SPOKEN and item.name:
            loading.taken.setdefault(f"{tag} given", set()).add(item.name)
            if item.suffix:
                loading.suffixes.setdefault((tag, item.stem), {}).setdefault(item.suffix, ())
        whole.content.append(_with_copied_names(loading, item))
    return whole


def _with_copied_names(loading: MjcfLoading, item: _SectionItem) -> Node:
    elements = list(item.node.below())
    names = [(at, attribute, name) for at, attribute, (_, name) in item.names]
    if item.name:
        names.append((0, "name", item.name))
    if all(elements[at].attrs[attribute] == name for at, attribute, name in names):
        return item.node
    mark(item.node)
    loading.count(item.node)
    copy = shadow(item.node)
    inside = list(copy.below())
    for at, attribute, name in names:
        inside[at].attrs[attribute] = name
    return copy


def _tell_left_out(loading: MjcfLoading, node: Node, rule: str) -> None:
    loading.context.note(
        rule, "document", REASONS[rule], node.source, before=f"<{node.tag}>", action="ignored", elsewhere=True
    )


# ------------------------------------------------------------------------------------------------- through the document


def _walked_part(part: Part, done: dict[Node, _Walked]) -> _Walked:
    """Return the content of a document with all containers expanded, inner ones first."""
    root = part.root
    worlds = root.findall("worldbody")
    replicated = (node for world in worlds for node in world.below() if node.tag == "replicate")
    suffixes = frozenset(suffix for node in replicated for suffix in _copy_suffixes(node))
    model = _Walked(root, suffixes, frozenset(map(len, suffixes)))
    model.know(("body", WORLD))
    for section in (node for node in root.elements() if node.tag in SECTIONS):
        for node in section.elements():
            name = node.attrs.get("name", "")
            model.add(_SectionItem(section.tag, node, root, name, tuple(_names_in_section(node, section.tag)), name))
    model.own = model.count
    stack: list[tuple[Node, int | None]] = [(node, None) for node in reversed(worlds)]
    while stack:
        node, start = stack.pop()
        if start is not None:
            _close_container(model, node, start)
            continue
        if node.tag == "attach":
            _attach_model(model, part, node, done)
            continue
        start = len(model.tree)
        kind, name = KINDS.get(node.tag), node.attrs.get("name", "")
        if kind is not None and name:
            model.tree.append((kind, name))
            model.know((kind, name))
        if node.tag == "body" or node.content:
            if name:
                model.opened[node.tag, name] = start
            stack.append((node, start))
            stack += ((each, None) for each in reversed(node.elements()))
    return model


def _copy_suffixes(node: Node) -> list[str]:
    """Return the name suffixes of the copies of a <replicate>: as in MuJoCo, ten copies have 00 to 09.

    An invalid count is treated as 1, as where the tree is read.
    """
    text, separator = node.attrs.get("count", "").strip(), node.attrs.get("sep", "")
    asked = int(text) if text.isdecimal() and len(text) <= len(str(MOST_COPIES)) else 1
    count = asked if asked <= MOST_COPIES else 1
    return [f"{separator}{number:0{len(str(count))}d}" for number in range(count)]


def _names_in_section(node: Node, section: str) -> Iterator[tuple[int, str, Name]]:
    acted_on = target_attribute(node) if section == "actuator" else ""
    for at, each in enumerate(node.below()):
        for name, value in each.attrs.items():
            kind = kind_of(each.attrs, name)
            if kind and value and not (acted_on and name in ACTED and name != acted_on):
                yield at, name, (kind, value)


def _close_container(model: _Walked, node: Node, start: int) -> None:
    """Complete a body, frame or replication after its content."""
    if node.tag != "replicate":
        if "name" in node.attrs:
            model.spans[node.tag, node.attrs["name"]] = start, len(model.tree)
            model.opened.pop((node.tag, node.attrs["name"]), None)
        return
    part, spans = model.tree[start:], dict[Name, tuple[int, int]]()
    del model.tree[start:]
    while model.spans and next(reversed(model.spans.values()))[0] >= start:
        key, span = model.spans.popitem()
        spans[key] = span
    before = model.count
    suffixes = _copy_suffixes(node)
    for suffix in suffixes:
        moved = len(model.tree) - start
        model.spans |= {(tag, f"{name}{suffix}"): (a + moved, b + moved) for (tag, name), (a, b) in spans.items()}
        model.copy(part, model, before, "", suffix)
        model.bounded(node)
    model.take(part, suffixes)


def _attach_model(model: _Walked, part: Part, node: Node, done: dict[Node, _Walked]) -> None:
    said, prefix, source = node.attrs, node.attrs.get("prefix", ""), model
    if "model" in said:
        owner = part.models.get(f"{prefix}\0{said['model']}")
        if owner is None:
            return
        if owner.root not in done:
            done[owner.root] = _walked_part(owner, done)
        source = done[owner.root]
    target = ("body", said["body"]) if "body" in said else ("frame", said.get("frame", ""))
    start, end = source.spans.get(target, (0, 0)) if target[1] else (0, len(source.tree))
    opened = {target: (source.opened[target], len(source.tree))} if target in source.opened else {}
    start, end = opened.get(target, (start, end))  # the element is inside the one that it names
    moved = len(model.tree) - start
    spans = [each for each in (source.spans | opened).items() if start <= each[1][0] and each[1][1] <= end]
    model.copy(source.tree[start:end], source, source.count, prefix, "")
    model.bounded(node)
    model.spans |= {(tag, f"{prefix}{name}"): (a + moved, b + moved) for (tag, name), (a, b) in spans}


def mark(node: Node) -> None:
    """Mark the element and all its descendants as read, because copies of it are read instead."""
    for each in node.below():
        each.visit()
        for name in each.attrs:
            each.get(name)


def kind_of(attrs: Mapping[str, str], name: str) -> str:
    """Return the kind of object that an attribute references; "" for none that is copied. attrs: all of the element."""
    return NAMED.get(name) or attrs.get(TYPES.get(name, ""), "").removeprefix("x")


def named_parameters(parameters: Parameters, target: str = "") -> Parameters:
    """Return which parameters are references, and to what (ir.refs.KINDS); target: an attribute with its own field."""
    said = dict(parameters)
    kinds = {name: kind_of(said, name) for name in said} | ({"target": kind_of(said, target)} if target else {})
    return tuple((name, MEANT[kind]) for name, kind in kinds.items() if kind in MEANT)


def copy_name(loading: MjcfLoading, place: Nesting, kind: str, name: str) -> str:
    """Return the full name of an object that is referenced at a place in the tree, under a prefix or in a copy."""
    whole = place.part.prefix + name
    paths = {path: suffix for suffix, path in loading.suffixes.get((kind, whole), {}).items()}
    around = (place.copy[:end] for end in range(len(place.copy), 0, -2))
    return whole + next((paths[at] for at in around if at in paths), "")
