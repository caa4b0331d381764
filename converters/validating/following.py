"""Breaches that only follow from a listed fault: they disappear when it is repaired, and are not reported."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from converters.faults import Faults
from converters.source.xml import Node
from converters.validating.model import Breach
from ir.types import Source

ABSENT = frozenset(
    [
        *("XML-UNKNOWN", "XML-MISPLACED", "XML-DUP", "MJCF-UNKNOWN-ELEMENT", "NAME-CHARS"),
        *("JOINT-AXIS-MISSING", "JOINT-AXIS-EMPTY"),
        *("LIMIT-REQ", "LIMIT-PARTIAL", "LIMIT-EFFVEL", "LIMIT-EMPTY", "LIMIT-RANGE", "SAFETY-KVEL", "SAFETY-RANGE"),
        *("INERTIA-NONE", "INERTIA-MASS", "INERTIA-PARTIAL", "INERTIA-PD", "INERTIA-TRI", "INERTIA-DENSITY"),
        *("INERTIA-PLACEHOLDER", "INERTIA-DEFAULT", "MJCF-MASSLESS", "GEOM-EMPTY", "GEOM-DIM", "GEOM-NOVIS"),
        *("GEOM-NOCOL", "MAT-NOVALUE", "MAT-RGBA", "MIMIC-USELESS", "EXT-TR-EMPTY", "GLTF-SURFACE", "GLTF-PHYSICS"),
        *("GLTF-IMAGE", "GLTF-SLACK", "SDF-MATERIAL-BLACK", "SDF-LINK-INERTIA-INVALID", "SDF-MODEL-WITHOUT-LINK"),
    ]
)
"""Rules about missing content, or about numbers: broken by what is read instead of something faulty."""
REFERENCES = frozenset(
    [
        *("REF-MISSING", "TREE-MISSING-LINK", "MIMIC-MISSING", "MAT-UNDEF", "EXT-GZ-REF", "EXT-TR-JOINT"),
        *("EXT-HW-JOINT", "MJCF-CLASS", "MJCF-TENDON", "SDF-JOINT-CHILD-LINK-INVALID", "SDF-JOINT-PARENT-LINK-INVALID"),
        *("SDF-JOINT-AXIS-EXPRESSED-IN-INVALID", "SDF-JOINT-AXIS-MIMIC-INVALID", "SDF-FRAME-ATTACHED-TO-INVALID"),
        *("SDF-POSE-RELATIVE-TO-INVALID", "SDF-MODEL-PLACEMENT-FRAME-INVALID", "SDF-MODEL-CANONICAL-LINK-INVALID"),
        "SDF-GEARBOX",
    ]
)
"""Rules about names that do not exist."""
WHOLE = frozenset(("MJCF-KEYFRAME", "TREE-ROOTS", "TREE-ROOT-NAME"))
"""Rules about the tree as a whole: broken by each joint that is omitted, or read as one of another type."""
JOINTS = frozenset(("joint", "freejoint", "body", "include", "attach", "replicate", "model", "link"))
SKIPPED = frozenset(
    [
        *("SDF-JOINT-CHILD-LINK-INVALID", "SDF-JOINT-PARENT-LINK-INVALID", "SDF-JOINT-PARENT-SAME-AS-CHILD"),
        *("SDF-FRAME-ATTACHED-TO-INVALID", "SDF-FRAME-ATTACHED-TO-CYCLE", "SDF-POSE-RELATIVE-TO-INVALID"),
        *("SDF-POSE-RELATIVE-TO-CYCLE", "SDF-ATTRIBUTE-INVALID", "SDF-ELEMENT-MISSING"),
    ]
)
"""Rules whose breaches readers report without stopping, omitting the element."""
UNOPENED = frozenset(("MJCF-INCLUDE", "MJCF-ATTACH", "SDF-URI-LOOKUP"))
"""Rules about files that were not read, whose names are therefore unknown."""
OWNERS = frozenset(("link", "body", "joint", "freejoint", "model", "worldbody", "world", "robot", "sdf", "mujoco"))
PARTS = {
    "INERTIA": frozenset(("inertial", "geom", "collision", "attach", "include", "replicate", "frame")),
    "MJCF-MASSLESS": frozenset(("inertial", "geom", "attach", "include", "replicate", "frame")),
    "SDF-LINK-INERTIA": frozenset(("inertial", "collision")),
    "SDF-MODEL-WITHOUT": frozenset(("static",)),
    "GEOM": frozenset(("visual", "collision", "geom")),
    "LIMIT": frozenset(("limit", "axis")),
    "JOINT-AXIS": frozenset(("axis",)),
    "SAFETY": frozenset(("safety_controller", "limit")),
}
"""Prefix of a rule about a link, body or joint -> the parts whose faults may cause a breach (others: all)."""
_QUOTED = re.compile(r"'([^']*)'")


class Following:
    """Elements with faults, and names that are missing because of them."""

    def __init__(self, faults: Faults, breaches: list[Breach]) -> None:
        """breaches: the faults, in their order, followed by all other breaches."""
        said = breaches[: len(faults.found)]
        self._said = set(map(id, said))
        self._messages = [breach.message for breach in said]
        self._told = {(breach.rule, *_line(breach)) for breach in said}
        passed = [breach for breach in breaches[len(said) :] if breach.rule in SKIPPED | UNOPENED]
        skipped = [breach.source for breach in passed if breach.source is not None]
        wrong = [error.source for error in faults.found if error.source is not None]
        out = [place for place, _ in faults.left]
        lost = [place for place, error in faults.left if error.rule not in REFERENCES]
        named = [error.source for error in faults.found if error.source is not None and error.rule not in REFERENCES]
        self._more = bool(faults.more)
        self._unopened = any(breach.rule in UNOPENED for breach in breaches)
        self._joints = any(_tag(place) in JOINTS for place in (*wrong, *out, *skipped))
        self._left = {_key(place) for place in (*out, *skipped)}
        self._parts: dict[object, set[str]] = {}
        """Elements with a fault and their ancestors up to the owner -> the faulty parts of that link, body or joint."""
        for place in (*wrong, *out, *skipped):
            for outer, part in _outwards(_element(place)):
                self._parts.setdefault(outer, set()).add(part)
        self._names = {name for place in (*lost, *skipped) for name in _names(_element(place))}
        self._names |= {name for place in named for name in _names_of_place(_element(place))}

    def _of(self, breach: Breach) -> set[str]:
        """Return the faulty parts of the element that a breach is about."""
        return self._parts.get(_key(breach.source), set()) if breach.source is not None else set()

    def __bool__(self) -> bool:
        return bool(self._parts) or self._more or self._unopened

    def marked(self, breach: Breach) -> Breach:
        """Return the breach, with a remark if its name may be in a file that was not read."""
        if not self._unopened or breach.rule not in REFERENCES | WHOLE:
            return breach
        return replace(breach, message=f"{breach.message} (unless it is in a file that was not read)")

    def has(self, breach: Breach) -> bool:
        """Whether a breach is a consequence or a duplicate of a fault."""
        if breach.rule in REFERENCES and self._unnamed(breach):
            return True
        if breach.rule in SKIPPED | UNOPENED:
            return False
        if id(breach) in self._said:  # the element itself has a fault
            return breach.rule in ABSENT and not _wanted(breach.rule).isdisjoint(self._of(breach) - {""})
        if (breach.rule, *_line(breach)) in self._told:
            return True
        if breach.rule == "MESH-READ":  # a mesh inside the document
            return any(breach.message.endswith(message) for message in self._messages)
        if breach.rule in WHOLE:
            return self._joints or self._more
        if breach.rule not in ABSENT or breach.source is None:
            return False
        if self._more:
            return True
        parts = self._of(breach)
        if parts and ("" in parts or not (_wanted(breach.rule) or parts).isdisjoint(parts)):
            return True
        return any(_identity(outer) in self._left for outer in _all_above(_element(breach.source)))

    def _unnamed(self, breach: Breach) -> bool:
        """Whether a name that a breach reports as missing is missing because of a fault."""
        if self._more and id(breach) not in self._said:
            return True  # possibly because of a fault that is not listed
        own = set(_names_of_place(_element(breach.source))) if breach.source is not None else set()
        return not self._names.isdisjoint(set(_QUOTED.findall(breach.message)) - own)


def _wanted(rule: str) -> frozenset[str]:
    """Return the parts whose faults may break a rule, empty for all."""
    return next((parts for start, parts in PARTS.items() if rule.startswith(start)), frozenset())


def _line(breach: Breach) -> tuple[str, int]:
    return (breach.source.file, breach.source.line) if breach.source is not None else ("", 0)


def _element(place: Source) -> Node | str:
    """Return the element of a place, or of one of its attributes; a pointer in JSON."""
    at = getattr(place.at, "node", place.at)
    return at if isinstance(at, Node) else str(at)


def _identity(at: Node | str) -> object:
    """Return a key that is equal for an element and its copies."""
    return (at.file, at.turn) if isinstance(at, Node) else at


def _key(place: Source) -> object:
    return _identity(_element(place))


def _tag(place: Source) -> str:
    at = _element(place)
    return at.tag if isinstance(at, Node) else ""


def _names_of_place(at: Node | str) -> Iterator[str]:
    if isinstance(at, Node):
        yield from (at.attrs[key] for key in ("name", "class") if at.attrs.get(key))


def _names(at: Node | str) -> Iterator[str]:
    for node in at.below() if isinstance(at, Node) else ():
        yield from _names_of_place(node)


def _all_above(at: Node | str) -> Iterator[Node | str]:
    """Yield the element and its ancestors."""
    if isinstance(at, str):
        while at:
            yield at
            at = at.rpartition("/")[0]
        return
    yield from (at, *at.above())


def _outwards(at: Node | str) -> Iterator[tuple[object, str]]:
    """Yield the element and its ancestors up to its owner, the latter with the tag of its part on that path."""
    part = ""
    for outer in _all_above(at):
        owner = isinstance(outer, Node) and outer.tag in OWNERS
        yield _identity(outer), part if owner else ""
        if owner or (isinstance(outer, str) and outer.count("/") <= 2):
            return
        part = outer.tag if isinstance(outer, Node) else ""
