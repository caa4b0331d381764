"""Elements that count more than once: copies that <replicate> and <attach> make, and what refers to them elsewhere."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from operator import itemgetter

from converters.mjcf.document.loading import Copy, Loading, Part, Place, whole_tree
from converters.source.shadow import shadow
from converters.source.xml import Node
from ir.types import WORLD

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
"""Attributes that name something which may be copied, and what it is."""
KINDS = {"objname": "objtype", "refname": "reftype"}
"""Attributes that name something, and those that say what it is."""
PARTED = "mjcf/copies-apart"
MET: Mapping[str, Container[str]] = {
    "equality": frozenset(NAMED),
    "actuator": frozenset(("site", "refsite", "cranksite", "slidersite")),
}
"""Sections of elements of which there is a copy only if all is copied that these attributes name."""
COPIED = ("tendon", "actuator")
"""Sections whose elements others speak of."""


def sections(loading: Loading, part: Part, *tags: str) -> list[Node]:
    """The sections of these names; in place of elements that speak of copied things stand as many copies of them."""
    found = part.root.children(*tags)
    if not loading.suffixes and not part.prefix:
        return found
    return [_expanded(loading, part, node) for node in found]


def _expanded(loading: Loading, part: Part, section: Node) -> Node:
    """A stand-in for the section with the same elements; those that are copied do not come themselves.

    As MuJoCo compiles it: first what is not copied, then copy after copy with all that belongs to it.
    """
    place = (section.line, section.position, section.turn)
    whole = Node(section.tag, section.attrs, section.document, section.parent, *place)
    found: list[tuple[Copy, Node]] = []
    for item in section.content:
        if not isinstance(item, Node):
            continue
        if section.tag in MET and _parted(loading, part, section.tag, item):
            _tell_parted(loading, item)
            continue
        copies = list(_copies(loading, part, item))
        if [each for _, each in copies] != [item]:
            mark(item)
        found += copies
        if section.tag in COPIED:
            _register(loading, part, section.tag, item, copies)
    whole.content += [each for _, each in sorted(found, key=itemgetter(0))]
    return whole


def _parted(loading: Loading, part: Part, section: str, node: Node) -> bool:
    """Whether one thing that an equation or an actuator names is copied and another is not, or not as often."""
    named = {name: (kind_of(node, name), part.prefix + node.attrs[name]) for name in node.attrs if name in MET[section]}
    found = [loading.suffixes.get(whole, {}) for name, whole in named.items() if node.attrs[name] != WORLD]
    return len({max(map(len, copies.values()), default=0) for copies in found}) > 1


def _tell_parted(loading: Loading, node: Node) -> None:
    mark(node)
    loading.context.note(
        PARTED,
        "document",
        before=f"<{node.tag}>",
        reason="MuJoCo has none between a copy that <replicate> makes and what stands outside of it",
        action="ignored",
        source=node.source,
        elsewhere=True,
    )


def _register(loading: Loading, part: Part, kind: str, node: Node, copies: Sequence[tuple[Copy, Node]]) -> None:
    """Let others speak of the copies of an element."""
    name = f"{part.prefix}{node.attrs['name']}" if "name" in node.attrs else ""
    for path, copy in copies if name else ():
        called = copy.attrs["name"]
        loading.taken.setdefault(f"{kind} given", set()).add(called)
        if path:
            loading.suffixes.setdefault((kind, name), {})[called.removeprefix(name)] = path


def _copies(loading: Loading, part: Part, node: Node) -> Iterator[tuple[Copy, Node]]:
    """The element as often as it counts, each with the copy that it belongs to.

    Where replications lie in each other the innermost thing that it names says which copies of the others are meant.
    """
    named = [
        (kind_of(each, name), part.prefix + value) for each in whole_tree(node) for name, value in each.attrs.items()
    ]
    known = {whole: loading.suffixes[whole] for whole in named if whole in loading.suffixes}
    if not known and not part.prefix:
        yield (), node
        return
    innermost = max(known.values(), key=lambda copies: max(map(len, copies.values())), default={"": ()})
    loading.count(node, len(innermost))
    suffixes = {whole: {path: suffix for suffix, path in copies.items()} for whole, copies in known.items()}
    for suffix, path in innermost.items():
        copy = _renamed(node, part.prefix, suffix, path, suffixes)
        if not part.prefix or _is_attached(loading, copy):
            yield path, copy


def _renamed(
    node: Node, prefix: str, suffix: str, path: Copy, suffixes: Mapping[tuple[str, str], Mapping[Copy, str]]
) -> Node:
    """A copy of an element whose own name ends with the suffix of its path; of what it names that of the nearest copy
    around it (suffixes: kind and name -> path -> suffix)."""
    around = [path[:end] for end in range(len(path), 0, -2)]
    copy = shadow(node)
    for each in whole_tree(copy):
        for name in [name for name in each.attrs if name in NAMED or name in KINDS or name == "name"]:
            kind = kind_of(each, name)
            if kind == "body" and each.attrs[name] == WORLD:
                continue  # there is one, whatever is attached to it
            value = prefix + each.attrs[name]
            known = suffixes.get((kind, value), {})
            put = next((known[at] for at in around if at in known), "")
            each.attrs[name] = value + (suffix if each is copy and name == "name" else put)
    return copy


def _is_attached(loading: Loading, copy: Node) -> bool:
    """Whether all that an element of an attached model names in the tree has been attached with it.

    The world has been, but what a sensor measures of it is left out (MuJoCo 4.0.0).
    """
    return all(
        value in loading.taken.get(f"{kind} given", ())
        for each in whole_tree(copy)
        for name, value in each.attrs.items()
        if (kind := kind_of(each, name)) and not (value == WORLD and kind == "body" and name not in ("objname", "body"))
    )


def mark(node: Node) -> None:
    """The element and all inside it count as read: copies of it are what is read."""
    for each in whole_tree(node):
        each.visit()
        for name in each.attrs:
            each.get(name)


def kind_of(node: Node, name: str) -> str:
    """What an attribute names; "" where it names nothing that is copied."""
    return NAMED.get(name) or node.attrs.get(KINDS.get(name, ""), "").removeprefix("x")


def copied(loading: Loading, place: Place, kind: str, name: str) -> str:
    """What a thing is called that is named at a place in the tree, under a prefix or in a copy."""
    whole = place.part.prefix + name
    paths = {path: suffix for suffix, path in loading.suffixes.get((kind, whole), {}).items()}
    around = (place.copy[:end] for end in range(len(place.copy), 0, -2))
    return whole + next((paths[at] for at in around if at in paths), "")
