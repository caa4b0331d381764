"""Parsing of SDFormat values: the text of child elements, or attributes as in SDF 1.0.

Values are validated here; errors have the names of libsdformat's error codes.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterable, Sequence
from typing import cast

from converters.sdf.document.vocabulary import needs
from converters.sdf.tables import FRAMES, Version
from converters.source.text import BLANK, NUMBER, number, words
from converters.source.tree import Element
from converters.source.xml import Node
from ir.pose import from_rpy, normalise, pose_rpy
from ir.types import IDENTITY, WORLD, Pose, Vec3, Vec4

INFINITE = 1e15
"""A limit of this magnitude or more means unlimited: files use 1e16 for it."""
FARTHEST = 1e100
"""Metres; positions farther away would overflow when poses are composed."""
FIRST = "1.0"
WORDS = ("rgba", "xyz", "angle", "enabled")
"""Attributes with the value of an element in SDF 1.0: <diffuse rgba="1 0 0 1"/> (1_0.convert of libsdformat)."""
_INF = re.compile(r"[+-]?inf(inity)?\Z", re.IGNORECASE)
_WHOLE = re.compile(r"0[xX][0-9a-fA-F]+\Z|[+-]?\d+\Z", re.ASCII)
_TRUE, _FALSE = ("1", "true"), ("0", "false")
LEAST_SINGLE = 2.0**-126
"""The smallest normal single-precision number."""
NEAR_POLE = 1e-3
"""Radians; closer than this to a pitch of 90 degrees Euler angles lose digits, and a quaternion is written instead."""


def merges(include: Element) -> bool:
    """Whether an <include> merges the included model; does not mark the attribute as read."""
    return (include.attrs.get("merge") or "").strip().lower() in _TRUE


def in_attributes(node: Node) -> bool:
    """Whether the document is SDF 1.0, which has values in attributes; libsdformat ignores those in later versions."""
    root = node.document.root
    return (root.attrs.get("version") or FIRST).strip() == FIRST


def text(node: Node, tag: str) -> str | None:
    """Return the text of the first child named tag (in SDF 1.0 also its attribute), else the attribute of SDF 1.0, else
    None. For an @name, return the attribute."""
    child = node.child(tag)
    if child is not None:
        word = next((word for word in WORDS if word in child.attrs), "") if in_attributes(node) else ""
        said = child.text() or (word and (child.get(word) or "").strip(BLANK))
        if not said and needs(node.tag, tag):
            child.refuse(f"<{tag}> is empty and needs a value (ELEMENT_INVALID)")
        return said
    name = tag.removeprefix("@")
    value = node.get(name) if name in node.attrs and (name != tag or in_attributes(node)) else None
    return None if value is None else value.strip(BLANK)


def boolean(node: Node, tag: str, default: bool) -> bool:
    """Parse 1, 0, true or false in any case; an empty element means the default. Refuses other values."""
    value = text(node, tag)
    if not value:
        return default
    word = value.lower()
    if word in _TRUE or word in _FALSE:
        return word in _TRUE
    refuse(node, tag, f"{value!r} is neither true nor false (write 1, 0, true or false)")
    return default


def scalar(node: Node, tag: str) -> float | None:
    """Parse a finite number; None if missing or empty. Refuses other values."""
    value = text(node, tag)
    return parse(node, tag, value) if value else None


def real(node: Node, tag: str, default: float) -> float:
    """Parse a finite number; the default if missing or empty."""
    value = scalar(node, tag)
    return default if value is None else value


def integer(node: Node, tag: str) -> int:
    """Parse a whole number, decimal or hexadecimal (0x01); 0 if missing. Refuses other values."""
    value = text(node, tag) or "0"
    try:
        if _WHOLE.match(value):
            return int(value, 16 if value[:2].lower() == "0x" else 10)
    except ValueError:  # more digits than int() accepts
        pass
    refuse(node, tag, f"{value!r} is not a whole number")
    return 0


def bound(node: Node, tag: str) -> float | None:
    """Parse a limit as written, which may be infinite; None if missing or empty. Refuses other values."""
    word = text(node, tag)
    return _number(node, tag, word) if word else None


def finite(node: Node, tag: str) -> float | None:
    """Parse an effective limit: None if missing, infinite, or of magnitude INFINITE or more."""
    value = bound(node, tag)
    return None if value is None or abs(value) >= INFINITE else value


def vector(node: Node, tag: str, size: int) -> tuple[float, ...] | None:
    """Parse exactly size numbers; None if missing or empty. Refuses other values."""
    value = text(node, tag)
    if not value:
        return None
    found = words(value)
    if len(found) != size:
        refuse(node, tag, f"{value!r} needs {size} numbers, not {len(found)}")
        return None
    return _finite_numbers(node, tag, found)


def triple(node: Node, tag: str, default: Vec3) -> Vec3:
    """Three numbers, or the default."""
    return cast("Vec3", vector(node, tag, 3) or default)


def colour(node: Node, tag: str) -> Vec4 | None:
    """Parse three or four numbers from 0 to 1; the fourth defaults to 1. Refuses other values."""
    value = text(node, tag)
    if not value:
        return None
    found = words(value)
    if len(found) not in (3, 4):
        refuse(node, tag, f"{value!r} needs 3 or 4 numbers, not {len(found)}")
        return None
    values = _finite_numbers(node, tag, found)
    if values is None:
        return None
    if min(values) < 0 or max(values) > 1:
        refuse(node, tag, f"{value!r} is no colour: its numbers lie between 0 and 1")
        return None
    return cast("Vec4", (*values, 1.0) if len(values) == 3 else values)


def _finite_numbers(node: Node, tag: str, words: list[str]) -> tuple[float, ...] | None:
    """Parse finite numbers; None if one of them is invalid."""
    values = [parse(node, tag, word) for word in words]
    found = tuple(value for value in values if value is not None)
    return found if len(found) == len(values) else None


def parse(node: Node, tag: str, word: str) -> float | None:
    """Parse one finite number; refuses other values."""
    value = _number(node, tag, word)
    if value is not None and math.isinf(value):
        refuse(node, tag, f"{word!r} is not finite")
        return None
    return value


def _number(node: Node, tag: str, word: str) -> float | None:
    """Parse one number, which may be infinite; refuses other values, including NaN."""
    if NUMBER.match(word):
        value = float(word)
        if math.isinf(value):
            refuse(node, tag, f"{word!r} is not finite: it is beyond the range of a double")
            return None
        return value
    if _INF.match(word):
        return -math.inf if word.startswith("-") else math.inf
    refuse(node, tag, f"{word!r} is not a number")
    return None


def refuse(node: Node, tag: str, problem: str) -> None:
    """Refuse the value of the child element or attribute named tag; node itself if it has neither."""
    child, name = node.peek(tag), tag.removeprefix("@")
    if child is None and name in node.attrs:
        node.wrong(name, f"<{node.tag} {name}>: {problem} (ATTRIBUTE_INVALID)")
    else:
        (child or node).refuse(f"<{tag}>: {problem} (ELEMENT_INVALID)")


# ---------------------------------------------------------------------------------------------------------------- poses


def pose_node(node: Node) -> Node | None:
    """Return the element with the pose: <pose>, or <origin pose> of SDF 1.0 and 1.2."""
    return node.child("pose") or node.child("origin")


def raw_pose(node: Node, version: Version) -> tuple[Pose, str]:
    """Return the pose of an element as written, and the name of the frame it is expressed in ("" for the default).

    version: of the document. Up to 1.6 @frame names the frame and takes precedence over @relative_to (1_7.convert
    renames it); from 1.7 on, @frame is not an attribute of a pose.

    Angles are roll, pitch, yaw about fixed axes, in degrees if @degrees is true; @rotation_format="quat_xyzw" takes
    seven numbers. Refuses other values.
    """
    item = pose_node(node)
    if item is None:
        return IDENTITY, ""
    frame = item.get("relative_to") or ""
    if version >= FRAMES and item.attrs.get("frame"):
        item.ignore("@frame", "sdf/pose-frame")
    elif (older := item.get("frame")) is not None and version < FRAMES:
        frame = older
    given = words(item.text() or item.get("pose") or "")
    degrees = (item.get("degrees") or "false").strip().lower()
    if degrees not in (*_TRUE, *_FALSE):
        item.wrong("degrees", f"<pose degrees={degrees!r}> is neither true nor false (ATTRIBUTE_INVALID)")
    quaternion = (item.get("rotation_format") or "euler_rpy").strip()
    if quaternion not in ("euler_rpy", "quat_xyzw"):
        message = f"<pose rotation_format={quaternion!r}> is neither euler_rpy nor quat_xyzw (ATTRIBUTE_INVALID)"
        item.wrong("rotation_format", message)
        return IDENTITY, frame
    if not given:
        return IDENTITY, frame
    values = _finite_numbers(node, item.tag, given)
    if values is None:
        return IDENTITY, frame
    if max(map(abs, values)) > FARTHEST:
        item.refuse("<pose> holds a number that is too large for a place (ELEMENT_INVALID)")
        return IDENTITY, frame
    if quaternion == "quat_xyzw":
        if degrees in _TRUE:
            item.wrong("degrees", "<pose> says degrees beside a quaternion (ATTRIBUTE_INVALID)")
        return item.attempt(_from_quaternion, item, values) or IDENTITY, frame
    if len(values) != 6:
        item.refuse(f"<pose> needs 6 numbers, not {len(values)} (ELEMENT_INVALID)")
        return IDENTITY, frame
    x, y, z, *angles = values
    roll, pitch, yaw = map(math.radians, angles) if degrees in _TRUE else angles
    rpy = (roll, pitch, yaw)
    return Pose((x, y, z), from_rpy(rpy), None if rpy == (0.0, 0.0, 0.0) else rpy), frame


def _from_quaternion(item: Node, values: Sequence[float]) -> Pose:
    if len(values) != 7:
        raise item.fail(f"<pose> with a quaternion needs 7 numbers, not {len(values)} (ELEMENT_INVALID)")
    x, y, z, qx, qy, qz, qw = values
    if qx == qy == qz == qw == 0.0:
        raise item.fail("<pose> has a quaternion of zeros (ELEMENT_INVALID)")
    return Pose((x, y, z), normalise((qw, qx, qy, qz)))


# -------------------------------------------------------------------------------------------------------------- writing


def write_pose(parent: Element, pose: Pose, version: tuple[int, int], relative_to: str = "") -> None:
    """Append <pose>, unless it is the identity in the default frame."""
    if pose.pos == IDENTITY.pos and pose.rot == IDENTITY.rot and not relative_to:
        return
    attrs = {"relative_to": relative_to} if relative_to else {}
    rpy = pose_rpy(pose)
    if pose.rpy is None and abs(abs(rpy[1]) - math.pi / 2) < NEAR_POLE and version >= (1, 9):
        w, x, y, z = pose.rot
        attrs["rotation_format"] = "quat_xyzw"
        parent.add("pose", attrs).content.append(_number_texts((*pose.pos, x, y, z, w)))
    else:
        parent.add("pose", attrs).content.append(_number_texts((*pose.pos, *rpy)))


def _number_text(value: float) -> str:
    """Format a number; subnormal values become 0, because libsdformat refuses a document with them."""
    return number(value if abs(value) >= sys.float_info.min else 0.0)


def _number_texts(values: Iterable[float]) -> str:
    return " ".join(map(_number_text, values))


def put(parent: Element, tag: str, value: object) -> Element:
    """Append an element with a value as its text: a word, a boolean, a number or several numbers."""
    element = parent.add(tag)
    if isinstance(value, bool):
        element.content.append("true" if value else "false")
    elif isinstance(value, (int, float)):
        element.content.append(_number_text(value))
    elif isinstance(value, tuple):
        element.content.append(_number_texts(value))
    elif value:
        element.content.append(str(value))
    return element


def put_colour(parent: Element, tag: str, rgba: Vec4) -> None:
    """Append a colour. Its numbers are single precision (gz::math::Color): values that are subnormal there become 0,
    because libsdformat refuses a document with them."""
    put(parent, tag, tuple(value if value >= LEAST_SINGLE else 0.0 for value in rgba))


BLANKS = re.compile(f"[{BLANK}]+")


KEEPING, PARTING = (1, 7), (1, 8)
"""The versions since which SDFormat reserves names, and since which `::` separates the names of nested models."""


def reserved(name: str) -> bool:
    """Whether SDFormat reserves a name (proposal of 1.7: two underscores at both ends)."""
    return len(name) > 4 and name.startswith("__") and name.endswith("__")


def spare_name(name: str) -> str:
    """Return a name valid for any element: without `::`, which separates the names of nested models, not reserved, and
    with only single blanks inside: libsdformat trims names, and collapses blanks where a name is the text of an
    element."""
    return unreserved(BLANKS.sub(" ", name).strip(BLANK).replace("::", "_") or (name and "_"))


def unreserved(name: str) -> str:
    """Return name, changed if SDFormat reserves it."""
    return f"{name}x" if reserved(name) or name == WORLD else name
