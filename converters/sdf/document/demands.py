"""Requirements of libsdformat 12 beyond those of our reader: it refuses a file that breaks them, and a note says so."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from converters.context import Note, ReaderContext
from converters.sdf.document.values import KEEPING, PARTING, unreserved
from converters.sdf.document.vocabulary import FREE, knows, since
from converters.sdf.tables import NAMELESS
from converters.source.text import BLANK, NUMBER
from converters.source.tree import Element
from converters.source.xml import Node
from ir.scopes import DELIMITER

MISSING, INVALID, UNREADABLE, RESERVED = "ATTRIBUTE_MISSING", "ELEMENT_INVALID", "FILE_READ", "RESERVED_NAME"
REQUIRED: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("link/visual", "link/collision", "gui/camera", "actor/animation", "world/road"), ("name",)),
    **dict.fromkeys(("sensor", "actor", "population", "gripper", "projector", "battery"), ("name",)),
    **dict.fromkeys(("light", "particle_emitter"), ("name", "type")),
    "plugin": ("filename",),
    **dict.fromkeys(("world/atmosphere", "world/physics"), ("type",)),
    "world/state": ("world_name",),
    "material/shader": ("type",),
    "script/trajectory": ("id", "type"),
    "camera/save": ("enabled",),
    **dict.fromkeys((f"{each}/noise" for each in (*"xyz", "horizontal", "vertical", "pressure")), ("type",)),
    **dict.fromkeys((f"vertical_{each}/noise" for each in ("position", "velocity")), ("type",)),
}
"""Attributes that must be given and not empty, by element; with the parent element where the same name also denotes
text or another kind of element. Attributes that our reader needs are checked by the reader itself."""
NOISES = ("none", "gaussian", "gaussian_quantized")
FORMATS = frozenset(
    (
        *("L8", "L16", "R8G8B8", "B8G8R8", "L_INT8", "L_INT16", "RGBA_INT8", "BGRA_INT8"),
        *(f"{order}_{depth}" for order in ("RGB", "BGR") for depth in ("INT8", "INT16", "INT32")),
        *(f"{order}_{depth}" for order in ("R", "RGB") for depth in ("FLOAT16", "FLOAT32")),
        *(f"BAYER_{order}8" for order in ("RGGB", "BGGR", "GBRG", "GRBG")),
    )
)
"""Pixel formats of a camera that libsdformat accepts; more than camera.sdf lists."""
CHECKED = frozenset(("model", "link", "joint", "frame", "world"))
"""Elements whose names our reader checks itself: reserved names since 1.7, names with `::` since 1.8."""
SPARING = CHECKED | {"include", "visual", "collision", "sensor", "light", "particle_emitter", "physics"}
"""Elements for which libsdformat refuses reserved names in every version."""
QUATERNION, SLACK = 7, 1e-5
"""The number of values in a pose with a quaternion, and the tolerance of the quaternion's length (six digits)."""
BLANKS = tuple(BLANK)
ROOT = "sdf"
"""Up to 1.2 the root element is <gazebo>."""


class SdfFault(NamedTuple):
    """A fault for which libsdformat refuses an element, with the name of its error code."""

    element: Element
    code: str
    said: str

    def note(self) -> Note:
        """Return the note. It has a location only if the element was read; an element still to be written has none."""
        node = self.element
        return Note(
            rule=f"sdf/{self.code.lower().replace('_', '-')}",
            where="document",
            before=f"<{' '.join([node.tag, *(f'{key}={text!r}' for key, text in node.attrs.items())])}>",
            reason=f"{self.said} ({self.code}): libsdformat 12 refuses the file",
            action="noted",
            severity="error",
            source=node.source if isinstance(node, Node) else None,
        )


def note_refused(root: Element, version: tuple[int, int], context: ReaderContext) -> None:
    """Note what libsdformat refuses or misinterprets in a document that was read (its version is given)."""
    if context.strict:
        context.notes += [fault.note() for fault in faults(root, version)]
        for node, _ in described(root):
            if node.tag == "pose" and "quat_xyzw" in node.attrs.values() and isinstance(node, Node):
                _tell_length(node, context)


def _tell_length(pose: Node, context: ReaderContext) -> None:
    words = pose.own_text().split()
    if len(words) == QUATERNION and all(map(NUMBER.match, words)):
        length = math.hypot(*map(float, words[3:]))
        if length and abs(length - 1.0) > SLACK:
            reason = (
                "a quaternion must have length one: libsdformat does not normalise it, so that whatever depends on "
                "this pose ends up elsewhere"
            )
            context.note("sdf/quaternion", "document", reason, pose.source, before=" ".join(words[3:]), action="noted")


def trim(root: Element) -> None:
    """Strip blanks around attribute values, as libsdformat does; it also trims the names that refer to them."""
    for node, _ in described(root):
        for name, value in node.attrs.items():
            if value[:1] in BLANKS or value[-1:] in BLANKS:
                node.attrs[name] = value.strip(BLANK)


def faults(root: Element, version: tuple[int, int]) -> Iterator[SdfFault]:
    """Yield faults in document order. Elements unknown to the specification may contain anything."""
    if root.tag != ROOT:
        yield SdfFault(root, UNREADABLE, f"the root is <{root.tag}>, that of the first versions, not <{ROOT}>")
    for node, owner in described(root):
        if said := _unfit(node, owner, version):
            yield SdfFault(node, RESERVED, said)
        wanted = REQUIRED.get(f"{owner}/{node.tag}") or REQUIRED.get(node.tag, ())
        for name in ("name", *wanted) if node.tag == "plugin" and version < NAMELESS else wanted:
            if not node.attrs.get(name):
                said = "has an empty" if name in node.attrs else "has no"
                yield SdfFault(node, MISSING, f"<{node.tag}> {said} attribute {name!r}")
        if node.tag not in FREE and not knows(node.tag, "include"):
            for each in node.elements():
                if each.tag == "include" and not any(item.tag == "uri" for item in each.elements()):
                    yield SdfFault(each, MISSING, f"the <include> of a <{node.tag}> has no <uri>")
        if node.tag == "uri" and owner == "mesh" and not node.own_text():
            yield SdfFault(node, INVALID, "the <uri> of a mesh is empty")
        elif node.tag == "type" and owner == "noise" and (text := node.own_text()) not in NOISES:
            yield SdfFault(node, INVALID, f"there is no <noise> type {text!r}")
        elif node.tag == "atmosphere" and node.attrs.get("type", "") not in ("", "adiabatic"):
            yield SdfFault(node, INVALID, f"there is no <atmosphere> type {node.attrs['type']!r}")
        elif node.tag == "format" and owner == "image" and (text := node.own_text()) not in FORMATS:
            yield SdfFault(node, INVALID, f"a camera has no image format {text!r}")


def _unfit(node: Element, owner: str, version: tuple[int, int]) -> str:
    """Return why libsdformat refuses the name of an element that our reader accepts; "" if it does not."""
    kind, name = (owner, node.own_text()) if owner == "include" else (node.tag, node.attrs.get("name", ""))
    if not name or (owner == "include") != (node.tag == "name"):
        return ""
    checked = kind in CHECKED
    if kind in SPARING and unreserved(name) != name and (version < KEEPING or not checked):
        return f"{name!r} is a name that SDFormat reserves"
    if DELIMITER in name and version >= PARTING and not checked and kind not in FREE:
        return f"the name {name!r} contains '::', which separates the names of nested models"
    return ""


def described(root: Element, newest: tuple[int, int] = (99, 0)) -> Iterator[tuple[Element, str]]:
    """Yield the elements that SDFormat describes, up to the version `newest`, each with the tag of its parent."""
    stack = [(root, "")]
    while stack:
        node, owner = stack.pop()
        yield node, owner
        if node.tag not in FREE:
            kind = ROOT if node is root else node.tag
            there = (item for item in reversed(node.elements()) if knows(kind, item.tag))
            stack += [(item, kind) for item in there if since(kind, item.tag) <= newest]
