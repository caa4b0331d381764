"""Spellings that MuJoCo 4 refuses: those of older versions are updated, and unknown ones are reported."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple, Unpack

from converters.context import NoteDetails, ReaderContext
from converters.mjcf.document.attributes import inherited
from converters.mjcf.document.bounds import misspelt
from converters.mjcf.document.defaults import MAIN, Defaults
from converters.mjcf.document.faults import REFUSED
from converters.mjcf.document.schema import inner, misread, once, places, unknown, wrong
from converters.source.text import counted, plain_numbers, words
from converters.source.xml import Node

UNCHECKED = ("frame", "replicate")
"""Elements whose content MuJoCo does not check against its schema: it ignores what it does not know."""
LEFT = ("body", "frame")
"""Elements that MuJoCo checks against its schema beside <worldbody>, but ignores (measured, MuJoCo 4.0)."""
SAME = "="
"""The new attribute has the value of the old one."""
ANY = "*"


class Old(NamedTuple):
    """A spelling that a version of MuJoCo removed; now: its replacement by value (kept if there is no entry)."""

    gone: str
    reason: str
    now: Mapping[str, Mapping[str, str]] = {}


NOTHING: Mapping[str, Mapping[str, str]] = {ANY: {}}
JOINT_FORCE = "it is now actuatorfrcrange and actuatorfrclimited"
CAMERA = Old(
    "3.5", "it is now projection", {"true": {"projection": "orthographic"}, "false": {"projection": "perspective"}}
)
FLEX = Old("3.15", "nothing replaces it")

ATTRIBUTES: Mapping[tuple[str, str], Old] = {
    ("compiler", "exactmeshinertia"): Old("3.2.5", "now each mesh sets inertia='exact'", {"true": {}, "false": {}}),
    ("compiler", "convexhull"): Old("3.2.5", "now every colliding mesh has a convex hull", NOTHING),
    ("option", "collision"): Old(
        "3.0", "now only contype, conaffinity and <pair> determine what collides", {"all": {}}
    ),
    ("option", "apirate"): Old("3.3.7", "nothing used it", NOTHING),
    ("option", "mpr_iterations"): Old("3.2.3", "it is now ccd_iterations", {ANY: {"ccd_iterations": SAME}}),
    ("option", "mpr_tolerance"): Old("3.2.3", "it is now ccd_tolerance", {ANY: {"ccd_tolerance": SAME}}),
    ("option/flag", "passive"): Old(
        "3.3.6", "it is now spring and damper", {"enable": {}, "disable": {"spring": "disable", "damper": "disable"}}
    ),
    ("option/flag", "sensornoise"): Old("3.1.4", "MuJoCo does not generate noise any more", NOTHING),
    ("body/camera", "orthographic"): CAMERA,
    ("default/camera", "orthographic"): CAMERA,
    **{
        (path, f"actuatorforce{end}"): Old("3.0", JOINT_FORCE, {ANY: {f"actuatorfrc{end}": SAME}})
        for path in ("body/joint", "default/joint")
        for end in ("range", "limited")
    },
    ("deformable/flex/contact", "internal"): FLEX,
    ("body/flexcomp/contact", "internal"): FLEX,
}
"""Removed attributes, by path and name."""

ELEMENTS: Mapping[str, Old] = {
    "body/composite": Old("4.0", "a <flexcomp> replaces it"),
    "equality/flexvert": Old("4.0", "the elasticity of a <flex> replaces it"),
    "equality/distance": Old("2.2.2", "nothing replaces it"),
}

WANING: Mapping[tuple[str, str], str] = {("compiler", "settotalmass"): "3.16", ("statistic", "meaninertia"): "3.17"}
"""Attributes that MuJoCo accepts with a warning, and the version that deprecated them."""

LIMITED: Mapping[str, Mapping[str, str]] = {
    "joint": {"range": "limited", "actuatorfrcrange": "actuatorfrclimited"},
    "tendon": {"range": "limited", "actuatorfrcrange": "actuatorfrclimited"},
    "actuator": {"ctrlrange": "ctrllimited", "forcerange": "forcelimited", "actrange": "actlimited"},
}
"""Ranges, and the flag that tells whether they limit."""

INHERITED = {"tendon": "tendon", "actuator": "general"}
"""Element whose defaults apply in a section."""

OLD, UNKNOWN, KEYWORD, NUMBER = "mjcf/old-spelling", "mjcf/unknown", "mjcf/keyword", "mjcf/number"
REMOVED, DEPRECATED, GAP, UNLIMITED = "mjcf/removed", "mjcf/deprecated", "mjcf/gap", "mjcf/limited"
EMPTY = "mjcf/empty"


def to_current_words(root: Node, context: ReaderContext, attached: bool = False) -> None:
    """Update a document in place to the spellings of MuJoCo 4, and report whatever is replaced or unknown.

    Unknown content is kept as written: a newer version may know it. attached: the file itself is kept as well. Refuses
    invalid numbers in defaults.
    """
    if context.again and not context.strict:
        return
    exact = False
    meshes: list[Node] = []
    stack = [(root, ".", False)]
    while stack:
        node, path, mild = stack.pop()
        mild = mild or (path == "body" and node.tag in UNCHECKED)
        exact = exact or (path == "compiler" and node.attrs.get("exactmeshinertia") == "true")
        if path == "asset/mesh":
            meshes.append(node)
        if node.attrs:
            _renew_attributes(node, path, mild, attached, context)
        stack.extend(_known_children(node, path, mild, context))
    for node in meshes if exact else ():
        if "inertia" not in node.attrs:
            _put_attributes(node, {"inertia": "exact"})
    _rename_main(root, attached, context)


def _renew_attributes(node: Node, path: str, mild: bool, attached: bool, context: ReaderContext) -> None:
    """Check the names and values of all attributes of an element. mild: MuJoCo ignores unknown attributes here."""
    here = places()[path]
    for name in sorted(node.attrs.keys() & here.figures.keys()):
        if not words(node.attrs[name]) and not misspelt(node.tag, {name: ""}):
            _note(
                context,
                EMPTY,
                node,
                name,
                "MuJoCo takes an empty list of numbers as not given; left out",
                severity="note",
            )
            del node.attrs[name]
            node.document.account.reworded += 1
    names = frozenset(node.attrs)
    for name in sorted(unknown(path, node.tag, names)):
        if path != "." or ":" not in name:  # otherwise it gives the place of the schema, which MuJoCo ignores
            _renew_attribute(node, name, ATTRIBUTES.get((path, name)), mild, attached, context)
    for name in sorted(names & here.words.keys()):
        _renew_word(node, path, name, context)
    for name in sorted(names & here.figures.keys()):
        if plain_numbers(node.attrs[name]) is None or path.startswith("default/") or here.figures[name].whole:
            _renew_number(node, path, name, context)
    for name in names:
        if (path, name) in WANING:
            reason = f"deprecated since MuJoCo {WANING[path, name]}, which accepts it with a warning"
            _note(context, DEPRECATED, node, name, reason, severity="note")
    if "gap" in names:
        _renew_gap(node, context)


def _known_children(node: Node, path: str, mild: bool, context: ReaderContext) -> Iterator[tuple[Node, str, bool]]:
    """Yield the child elements that are allowed, last one first, with their paths; others are reported."""
    before = Counter(node.tags())
    for child in reversed(node.elements()):
        if child.tag == "include":
            continue
        below = inner(path, child.tag)
        before[child.tag] -= 1
        if before[child.tag] and below in once() and not mild:
            reason = f"MuJoCo allows one <{child.tag}> in <{node.tag}>, and refuses the model; kept as it is"
            _note(context, REFUSED, child, "", reason)
        if path == "." and child.tag in LEFT:
            _renew_element(child, node, None, True, context)
            yield child, "body", mild
        elif below in places():
            yield child, below, mild
        else:
            _renew_element(child, node, ELEMENTS.get(below), mild and path != "body", context)


def _note(context: ReaderContext, rule: str, node: Node, name: str, reason: str, **more: Unpack[NoteDetails]) -> None:
    """Report an attribute, or ("") the element: an error for which MuJoCo refuses the model, unless `more` differs."""
    before = f"<{node.tag} {name}={node.attrs[name]!r}>" if name else f"<{node.tag}>"
    place = node.place(name) if name else node.source
    said: NoteDetails = {"before": before, "action": "ignored", "severity": "error"}
    said.update(more)
    context.note(rule, "document", reason, place, **said)


def _renew_attribute(
    node: Node, name: str, old: Old | None, mild: bool, attached: bool, context: ReaderContext
) -> None:
    if old is None:
        reason = "MuJoCo allows no such attribute here, and refuses the model; it is kept as it is"
        if mild:
            reason = "MuJoCo allows no such attribute here, and ignores it inside <frame> and <replicate>; it is kept"
        _note(context, UNKNOWN, node, name, reason, severity="warning" if mild else "error")
        return
    text = node.attrs[name]
    now = old.now.get(text, old.now.get(ANY))
    reason = f"removed in MuJoCo {old.gone}: {old.reason}"
    if now is None:
        _note(context, REMOVED, node, name, f"{reason}; MuJoCo 4 refuses it, and an MJCF that is written keeps it")
        return
    said = {key: text if value == SAME else value for key, value in now.items() if key not in node.attrs}
    after = " ".join(f"{key}={value!r}" for key, value in said.items())
    _tell_replaced(node, name, reason, after, attached, context)
    del node.attrs[name]
    node.document.account.reworded += 1
    _put_attributes(node, said)


def _tell_replaced(node: Node, name: str, reason: str, after: str, attached: bool, context: ReaderContext) -> None:
    if attached:
        reason = f"{reason}; converted accordingly, but the attached file stays as it is, and MuJoCo 4 refuses it"
        _note(context, REMOVED, node, name, reason)
    else:
        _note(context, OLD, node, name, reason, after=after, action="repaired", severity="note")


def _put_attributes(node: Node, attrs: Mapping[str, str]) -> None:
    node.attrs |= attrs
    node.document.account.reworded -= len(attrs)


def _renew_word(node: Node, path: str, name: str, context: ReaderContext) -> None:
    words = wrong(path, name, node.attrs[name])
    if words:
        reason = f"MuJoCo allows one of {', '.join(sorted(words))} here, and refuses the model; kept as it is"
        _note(context, KEYWORD, node, name, reason)


def _renew_number(node: Node, path: str, name: str, context: ReaderContext) -> None:
    """Report an invalid number. In an element its reader refuses it, but unused defaults are never read."""
    fault, rule = misread(path, name, node.attrs[name])
    if fault and path.startswith("default/"):
        node.wrong(name, f"<{node.tag} {name}={node.attrs[name]!r}>: {fault}", rule)
    elif fault:
        _note(context, NUMBER, node, name, f"{fault}, and MuJoCo refuses the model; kept as it is")


def _renew_gap(node: Node, context: ReaderContext) -> None:
    """Report a gap within the margin: before MuJoCo 3.9 it was a part of the margin, and larger ones were not used."""
    gap, margin = (plain_numbers(node.attrs.get(name, "")) or (0.0,) for name in ("gap", "margin"))
    if node.tag in ("geom", "pair") and 0 < gap[0] <= margin[0]:
        reason = "since MuJoCo 3.9 contacts act below margin, before that below margin - gap; read as in MuJoCo 3.9"
        _note(context, GAP, node, "gap", reason, action="noted", severity="note")


def _renew_element(child: Node, parent: Node, old: Old | None, mild: bool, context: ReaderContext) -> None:
    if old is not None:
        reason = (
            f"removed in MuJoCo {old.gone}: {old.reason}; MuJoCo 4 refuses it, and an MJCF that is written keeps it"
        )
        _note(context, REMOVED, child, "", reason)
        return
    reason = f"MuJoCo allows no such element in <{parent.tag}>, and refuses the model; it is kept as it is"
    if mild:
        reason = f"MuJoCo allows no such element in <{parent.tag}>, and ignores it there; it is kept"
    if parent.tag == "mujoco" and (child.tag in LEFT or inner("body", child.tag) in places()):
        reason += "; if another file includes this one in a body, convert that one"
    _note(context, UNKNOWN, child, "", reason, severity="warning" if mild else "error")


def _rename_main(root: Node, attached: bool, context: ReaderContext) -> None:
    """Rename the outermost default class to main: MuJoCo 2 allowed another name."""
    tops = [node for node in root.findall("default") if node.attrs.get("class", MAIN) != MAIN]
    if not tops:
        return
    names = {node.attrs["class"] for node in tops}
    for node in tops:
        reason = "the outermost default class is main since MuJoCo 3"
        _tell_replaced(node, "class", reason, f"class={MAIN!r}", attached, context)
    for node in root.below():
        for name in ("class", "childclass"):
            if node.attrs.get(name) in names:
                node.attrs[name] = MAIN


def note_unlimited_ranges(root: Node, defaults: Defaults, context: ReaderContext) -> None:
    """Report each range without a flag that tells whether it limits, in a document with autolimits disabled."""
    stack = [(root, MAIN, "")]
    while stack:
        node, childclass, section = stack.pop()
        kind = "joint" if node.tag == "joint" and section == "worldbody" else section
        if kind in LIMITED and node.parent is not root and (node.tag != "joint" or kind == "joint"):
            element = defaults.of(node, childclass) if kind == "joint" else inherited(defaults, node, INHERITED[kind])
            for name, flag in LIMITED[kind].items():
                text = element.look(name)
                if text is None or element.look(flag) not in (None, "auto") or not any(counted(text)):
                    continue
                reason = (
                    f"a range without {flag}, and autolimits is false: MuJoCo (since 2.2.2) refuses the model; "
                    "taken as no limit, as in older versions"
                )
                _note(context, UNLIMITED, node, "", reason, before=f"<{node.tag} {name}={text!r}>")
        childclass = node.attrs.get("childclass", childclass)
        for child in node.elements():
            if child.tag != "default" or section:
                stack.append((child, childclass, section or (child.tag if node is root else "")))
