"""What is only a consequence of a fault that is listed: it goes away when that one is mended, and is not told."""

from __future__ import annotations

import re
from collections.abc import Iterator

from converters.context import Faults
from converters.source.xml import Below, Node
from converters.validating.model import Breach
from ir.types import Source

ABSENT = frozenset(
    [
        *("XML-UNKNOWN", "XML-DUP", "MJCF-UNKNOWN-ELEMENT", "NAME-CHARS", "JOINT-AXIS-MISSING", "JOINT-AXIS-EMPTY"),
        *("LIMIT-REQ", "LIMIT-PARTIAL", "LIMIT-EFFVEL", "LIMIT-EMPTY", "LIMIT-RANGE", "SAFETY-KVEL", "SAFETY-RANGE"),
        *("INERTIA-NONE", "INERTIA-MASS", "INERTIA-PARTIAL", "INERTIA-PD", "INERTIA-TRI", "INERTIA-DENSITY"),
        *("INERTIA-PLACEHOLDER", "INERTIA-DEFAULT", "MJCF-MASSLESS", "GEOM-EMPTY", "GEOM-DIM", "GEOM-NOVIS"),
        *("GEOM-NOCOL", "MAT-NOVALUE", "MAT-RGBA", "MIMIC-USELESS", "EXT-TR-EMPTY", "GLTF-SURFACE", "GLTF-PHYSICS"),
        *("GLTF-IMAGE", "GLTF-SLACK", "SDF-MATERIAL-BLACK", "SDF-ELEMENT-MISSING", "SDF-MODEL-WITHOUT-LINK"),
    ]
)
"""Rules about what is not there, or about numbers: broken by what is read in the place of something wrong."""
REFERENCES = frozenset(
    [
        *("REF-MISSING", "TREE-MISSING-LINK", "MIMIC-MISSING", "MAT-UNDEF", "EXT-GZ-REF", "EXT-TR-JOINT"),
        *("EXT-HW-JOINT", "MJCF-CLASS", "MJCF-TENDON", "SDF-JOINT-CHILD-LINK-INVALID", "SDF-JOINT-PARENT-LINK-INVALID"),
        *("SDF-JOINT-AXIS-EXPRESSED-IN-INVALID", "SDF-JOINT-AXIS-MIMIC-INVALID", "SDF-FRAME-ATTACHED-TO-INVALID"),
        *("SDF-POSE-RELATIVE-TO-INVALID", "SDF-MODEL-PLACEMENT-FRAME-INVALID", "SDF-MODEL-CANONICAL-LINK-INVALID"),
        "SDF-GEARBOX",
    ]
)
"""Rules about names of what does not exist."""
WHOLE = frozenset(("MJCF-KEYFRAME", "TREE-ROOTS", "TREE-ROOT-NAME"))
"""Rules about the tree as a whole: broken by each joint that is left out, or read as one of another type."""
JOINTS = frozenset(("joint", "freejoint", "body", "include", "attach", "replicate", "model", "link"))
OWNERS = frozenset(("link", "body", "joint", "freejoint", "model", "worldbody", "world", "robot", "sdf", "mujoco"))
PARTS = {
    "INERTIA": frozenset(("inertial", "geom", "collision")),
    "MJCF-MASSLESS": frozenset(("inertial", "geom")),
    "GEOM": frozenset(("visual", "collision", "geom")),
    "LIMIT": frozenset(("limit", "axis")),
    "JOINT-AXIS": frozenset(("axis",)),
    "SAFETY": frozenset(("safety_controller", "limit")),
}
"""Beginning of a rule about a link, body or joint -> the parts of it whose faults may break it (others: all)."""
_QUOTED = re.compile(r"'([^']*)'")


class Following:
    """Elements that something is wrong with, and names that nothing has because of that."""

    def __init__(self, faults: Faults, breaches: list[Breach]) -> None:
        """breaches: the faults, in their order, and then what else was found."""
        said = breaches[: len(faults.found)]
        self._said = set(map(id, said))
        self._told = {(breach.rule, *_line(breach)) for breach in said}
        self._more = bool(faults.more)
        wrong = [(error.source, error) for error in faults.found if error.source is not None]
        self._joints = any(isinstance(at := _element(place), Node) and at.tag in JOINTS for place, _ in wrong)
        self._left = {_element(place) for place, _ in faults.left}
        self._parts: dict[object, set[str]] = {}
        """Elements with a fault, and what these stand in: the parts of a link, body or joint that have one."""
        self._names: set[str] = set()
        for place, error in (*wrong, *faults.left):
            at = _element(place)
            for outer, part in _outwards(at):
                self._parts.setdefault(outer, set()).add(part)
            if error.rule not in REFERENCES and isinstance(at, Node):
                self._names.update(_names(at) if at in self._left else filter(None, [at.attrs.get("name")]))

    def has(self, breach: Breach) -> bool:
        """Whether a breach is a consequence of a fault, or says it once more."""
        at = _element(breach.source) if breach.source is not None else None
        fault = id(breach) in self._said
        if breach.rule in REFERENCES:
            named = set(_QUOTED.findall(breach.message))
            own = at.attrs.get("name") if isinstance(at, Node) else None
            if not self._names.isdisjoint(named - {own}):
                return True
        if fault:
            return False
        if (breach.rule, *_line(breach)) in self._told:
            return True
        if self._more and breach.rule in ABSENT | REFERENCES | WHOLE:
            return True  # of a fault that is not listed, for all that is known
        if breach.rule in WHOLE:
            return self._joints
        if breach.rule not in ABSENT or at is None:
            return False
        parts = self._parts.get(at)
        wanted = next((parts for start, parts in PARTS.items() if breach.rule.startswith(start)), None)
        if parts and (wanted is None or "" in parts or not wanted.isdisjoint(parts)):
            return True
        return any(outer in self._left for outer in _all_above(at))


def _line(breach: Breach) -> tuple[str, int]:
    return (breach.source.file, breach.source.line) if breach.source is not None else ("", 0)


def _element(place: Source) -> object:
    at = place.at
    if isinstance(at, Below):
        return at.node
    return at


def _names(at: Node) -> Iterator[str]:
    stack = [at]
    while stack:
        node = stack.pop()
        yield from (node.attrs[key] for key in ("name", "class") if node.attrs.get(key))
        stack.extend(node.elements())


def _all_above(at: object) -> Iterator[object]:
    """The element and everything it stands in."""
    while isinstance(at, str) and at:
        yield at
        at = at.rpartition("/")[0]
    while isinstance(at, Node):
        yield at
        at = at.parent


def _outwards(at: object) -> Iterator[tuple[object, str]]:
    """The element and what it stands in, up to its owner, with the part of that in which it is."""
    part = ""
    for outer in _all_above(at):
        owner = isinstance(outer, Node) and outer.tag in OWNERS
        yield outer, part if owner else ""
        if owner or (isinstance(outer, str) and outer.count("/") <= 2):
            return
        part = outer.tag if isinstance(outer, Node) else ""
