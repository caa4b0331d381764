"""Elements that count more than once: copies that <replicate> and <attach> make, and what refers to them elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from operator import itemgetter

from converters.mjcf.document.loading import Copy, Loading, Part, whole_tree
from converters.source.shadow import shadow
from converters.source.xml import Node
from ir.types import WORLD

REFERENCES = frozenset(
    [
        *("joint", "joint1", "joint2", "jointinparent", "body", "body1", "body2", "geom", "geom1", "geom2", "site"),
        *(
            "site1",
            "site2",
            "tendon",
            "tendon1",
            "tendon2",
            "actuator",
            "cranksite",
            "slidersite",
            "refsite",
            "sidesite",
        ),
        *("objname", "refname", "target", "subtree1", "subtree2"),
    ]
)
"""Attributes that name something which may be copied."""


NAMED = {name: name.rstrip("12") for name in ("body1", "body2", "geom1", "geom2", "site1", "site2", "joint1", "joint2")}
NAMED |= {name: name for name in ("joint", "body", "geom", "site")} | {"jointinparent": "joint"}
"""Attributes that name something in the tree, and what it is."""
KINDS = {"objname": "objtype", "refname": "reftype"}
"""Attributes that name something, and those that say what it is."""


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
        copies = list(_copies(loading, part, item))
        if [each for _, each in copies] != [item]:
            mark(item)
        found += copies
    whole.content += [each for _, each in sorted(found, key=itemgetter(0))]
    return whole


def _copies(loading: Loading, part: Part, node: Node) -> Iterator[tuple[Copy, Node]]:
    """The element as often as it counts, each with the copy that it belongs to.

    Where replications lie in each other the innermost thing that it names says which copies of the others are meant.
    """
    named = [value for each in whole_tree(node) for name, value in each.attrs.items() if name in REFERENCES]
    known = {whole: loading.suffixes[whole] for value in named if (whole := part.prefix + value) in loading.suffixes}
    if not known and not part.prefix:
        yield (), node
        return
    innermost = max(known.values(), key=lambda copies: max(map(len, copies.values())), default={"": ()})
    loading.count(node, len(innermost))
    suffixes = {name: {path: suffix for suffix, path in copies.items()} for name, copies in known.items()}
    for suffix, path in innermost.items():
        copy = _renamed(node, part.prefix, suffix, path, suffixes)
        if not part.prefix or _is_attached(loading, copy):
            yield path, copy


def _renamed(node: Node, prefix: str, suffix: str, path: Copy, suffixes: Mapping[str, Mapping[Copy, str]]) -> Node:
    """A copy of an element whose own name ends with the suffix of its path; of what it names that of the nearest copy
    around it (suffixes: name -> path -> suffix)."""
    around = [path[:end] for end in range(len(path), 0, -2)]
    copy = shadow(node)
    for each in whole_tree(copy):
        for name in [name for name in each.attrs if name in REFERENCES or name == "name"]:
            if kind_of(each, name) == "body" and each.attrs[name] == WORLD:
                continue  # there is one, whatever is attached to it
            value = prefix + each.attrs[name]
            put = next((suffixes[value][at] for at in around if at in suffixes.get(value, ())), "")
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
    """What an attribute names in the tree; "" for others."""
    if name.endswith("site"):
        return "site"
    return (NAMED.get(name) or node.attrs.get(KINDS.get(name, ""), "")).removeprefix("x")
