"""The tokens of SDFormat, with its own rules: values are the text of child elements, or attributes as in SDF 1.0.

What a value must look like is checked here, with the name that libsdformat gives to the fault.
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
"""A bound of this size or more means that there is none: files write 1e16 for it."""
FARTHEST = 1e100
"""Metres; what is farther away would be lost to overflow as soon as poses are composed."""
FIRST = "1.0"
WORDS = ("rgba", "xyz", "angle", "enabled")
"""Attributes that hold the value of an element in SDF 1.0: <diffuse rgba="1 0 0 1"/> (1_0.convert of libsdformat)."""
_INF = re.compile(r"[+-]?inf(inity)?\Z", re.IGNORECASE)
_WHOLE = re.compile(r"0[xX][0-9a-fA-F]+\Z|[+-]?\d+\Z", re.ASCII)
_TRUE, _FALSE = ("1", "true"), ("0", "false")
LEAST_SINGLE = 2.0**-126
"""The least normal number of single precision."""
NEAR_POLE = 1e-3
"""Radians from a pitch of 90 degrees within which angles lose digits: a quaternion is written there."""


def merges(include: Element) -> bool:
    """Whether an <include> merges what it brings; looking is not reading."""
    return (include.attrs.get("merge") or "").strip().lower() in _TRUE


def in_attributes(node: Node) -> bool:
    """Whether the document is of SDF 1.0, whose values are attributes: libsdformat passes over those of a later one."""
    root = node.document.root
    return (root.attrs.get("version") or FIRST).strip() == FIRST


def text(node: Node, tag: str) -> str | None:
    """The text of the first child of that name (in SDF 1.0 an attribute of it), else the attribute of SDF 1.0, else
    None. Of a @name the attribute."""
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
    """1, 0, true or false in any case; an empty element says the default. Refuses others."""
    value = text(node, tag)
    if not value:
        return default
    word = value.lower()
    if word in _TRUE or word in _FALSE:
        return word in _TRUE
    refuse(node, tag, f"{value!r} is neither true nor false (write 1, 0, true or false)")
    return default


def scalar(node: Node, tag: str) -> float | None:
    """A finite number; None when absent or empty. Refuses others."""
    value = text(node, tag)
    return parse(node, tag, value) if value else None


def real(node: Node, tag: str, default: float) -> float:
    """A number with a default."""
    value = scalar(node, tag)
    return default if value is None else value


def integer(node: Node, tag: str) -> int:
    """A whole number, also in hexadecimal digits (0x01); 0 when absent. Refuses others."""
    value = text(node, tag) or "0"
    try:
        if _WHOLE.match(value):
            return int(value, 16 if value[:2].lower() == "0x" else 10)
    except ValueError:  # more digits than Python makes a number of
        pass
    refuse(node, tag, f"{value!r} is not a whole number")
    return 0


def bound(node: Node, tag: str) -> float | None:
    """A bound as it is said, which may be infinite; None when absent or empty. Refuses others."""
    word = text(node, tag)
    return _number(node, tag, word) if word else None


def finite(node: Node, tag: str) -> float | None:
    """A bound that says something: None for one that is absent, infinite, or as large as people write for infinite."""
    value = bound(node, tag)
    return None if value is None or abs(value) >= INFINITE else value


def vector(node: Node, tag: str, size: int) -> tuple[float, ...] | None:
    """That many numbers; None when absent or empty. Refuses others."""
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
    """Three or four numbers from 0 to 1, the fourth 1 where absent. Refuses others."""
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
    """Finite numbers; None where one of them is none."""
    values = [parse(node, tag, word) for word in words]
    found = tuple(value for value in values if value is not None)
    return found if len(found) == len(values) else None


def parse(node: Node, tag: str, word: str) -> float | None:
    """One finite number; refuses others."""
    value = _number(node, tag, word)
    if value is not None and math.isinf(value):
        refuse(node, tag, f"{word!r} is not finite")
        return None
    return value


def _number(node: Node, tag: str, word: str) -> float | None:
    """One number, which may be infinite; refuses others, NaN too."""
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
    """Refuse what an element, or an attribute of that name, says; node itself where there is neither."""
    child, name = node.peek(tag), tag.removeprefix("@")
    if child is None and name in node.attrs:
        node.wrong(name, f"<{node.tag} {name}>: {problem} (ATTRIBUTE_INVALID)")
    else:
        (child or node).refuse(f"<{tag}>: {problem} (ELEMENT_INVALID)")


# ---------------------------------------------------------------------------------------------------------------- poses


def pose_node(node: Node) -> Node | None:
    """The element that holds the pose: <pose>, or <origin pose> of SDF 1.0 and 1.2."""
    return node.child("pose") or node.child("origin")


def raw_pose(node: Node, version: Version) -> tuple[Pose, str]:
    """The pose of an element as written, and the name of the frame that its numbers are in ("" for the default).

    version: of the document. Up to 1.6 @frame names the frame, over any @relative_to (1_7.convert renames it), and from
    1.7 on it is no attribute of a pose.

    Angles are roll, pitch, yaw about fixed axes, in degrees where @degrees says so; @rotation_format="quat_xyzw" takes
    seven numbers. Refuses others.
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
    """As number; what is too small for a normal double is 0: libsdformat refuses a document for it."""
    return number(value if abs(value) >= sys.float_info.min else 0.0)


def _number_texts(values: Iterable[float]) -> str:
    return " ".join(map(_number_text, values))


def put(parent: Element, tag: str, value: object) -> Element:
    """Append an element with a value as its text: a word, a truth value, a number or numbers."""
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
    """Append a colour. Its numbers are of single precision (gz::math::Color): what is too small for a normal one is 0,
    since libsdformat refuses a document for it."""
    put(parent, tag, tuple(value if value >= LEAST_SINGLE else 0.0 for value in rgba))


BLANKS = re.compile(f"[{BLANK}]+")


KEEPING, PARTING = (1, 7), (1, 8)
"""Versions since which SDFormat keeps names for itself, and since which `::` parts those of nested models."""


def reserved(name: str) -> bool:
    """Whether SDFormat keeps a name for itself (proposal of 1.7: two underscores at both ends)."""
    return len(name) > 4 and name.startswith("__") and name.endswith("__")


def spare_name(name: str) -> str:
    """A name that anything may have: without `::`, which parts the names of nested models, not reserved, and with no
    blanks but single ones inside: libsdformat trims names, and makes one of several where a name is the text of an
    element."""
    return unreserved(BLANKS.sub(" ", name).strip(BLANK).replace("::", "_") or (name and "_"))


def unreserved(name: str) -> str:
    """A name that SDFormat does not keep for itself."""
    return f"{name}x" if reserved(name) or name == WORLD else name
