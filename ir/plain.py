"""Payloads to plain JSON values and back.

Fields at their default are left out; sources and found files are not part of a value.
"""

from __future__ import annotations

import json
import math
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from functools import cache
from types import MappingProxyType
from typing import Any, get_args

from msgspec import ValidationError, convert
from msgspec.structs import replace

from ir.types import REQUIRED, Actuator, Couple, Entity, Extra, Mark, Pose, Slot, Value, slots, values_of

Plain = Any
"""None, bool, int, float, str, list or dict of such."""

_SCALARS = frozenset({str, float, int, bool, type(None)})

as_json = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False, check_circular=False).encode
"""A plain value as compact JSON text."""


@cache
def carried_fields(cls: type[Value]) -> tuple[Slot, ...]:
    """The fields of a payload class that make up its value or its notation."""
    return tuple(slot for slot in slots(cls) if slot.mark is not Mark.ASIDE)


@cache
def carried_by_name(cls: type[Value]) -> Mapping[str, Slot]:
    """The same fields by name."""
    return MappingProxyType({slot.name: slot for slot in carried_fields(cls)})


def to_plain(value: Any) -> Plain:
    """A payload as JSON values.

    A class that is a member of a union (shapes, constraint kinds) gives its name under "type".
    """
    cls: type = value.__class__
    if cls in _SCALARS:  # the most frequent case
        return value
    if cls is tuple:
        return [item if item.__class__ in _SCALARS else to_plain(item) for item in value]
    if not issubclass(cls, Value):
        return _foreign(value)
    tagged, values, fields = _form(cls)
    plain: dict[str, Plain] = {"type": cls.__name__} if tagged else {}
    for (name, default), item in zip(fields, values(value), strict=True):
        if item is default:
            continue
        if default is REQUIRED or item != default:
            plain[name] = item if item.__class__ in _SCALARS else to_plain(item)
        elif isinstance(item, Value) and (inner := to_plain(item)):  # equal to the default, but with its own spelling
            plain[name] = inner
    return plain


def _foreign(value: Any) -> Plain:
    """A value in a payload that is itself no payload, as a JSON value."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, float):  # a float of numpy
        return float(value)
    return [to_plain(item) for item in value] if isinstance(value, tuple) else value


@cache
def _form(cls: type[Value]) -> tuple[bool, Callable[[Value], tuple[Any, ...]], tuple[tuple[str, Any], ...]]:
    """Whether a payload class gives its name, a getter of the fields that are carried, and their names and defaults."""
    fields = tuple((slot.name, slot.default) for slot in carried_fields(cls))
    return cls.__struct_config__.tag is not None, values_of(*(name for name, _ in fields)), fields


_ATTRIBUTE = r""" [^\s=<>"'\\]+=(?:'[^']*'|\\?"(?:[^"\\]|\\[^"])*?\\?")"""
_TAG = re.compile(rf"(<[^\s<>/]+)((?:{_ATTRIBUTE}){{2,}})")
_ATTRIBUTES = re.compile(_ATTRIBUTE)


def ordered(text: str) -> str:
    """A text, or JSON that contains it, with the attributes of its elements sorted by name: their order has no meaning
    (XML 1.0, 3.1)."""
    return _TAG.sub(_sorted, text) if "=" in text and "<" in text else text


def _sorted(tag: re.Match[str]) -> str:
    return tag[1] + "".join(sorted(_ATTRIBUTES.findall(tag[2])))


def canonical_text(value: Any) -> str:
    """A payload as JSON text that is equal for payloads of equal meaning."""
    return ordered(as_json(to_plain(value)))


def sum_of(text: str) -> str:
    """The checksum of a text: eight characters."""
    return f"{zlib.crc32(text.encode()):08x}"


def checksum(value: Any) -> str:
    """The checksum of a payload, by which it is recognised as unchanged."""
    return sum_of(canonical_text(value))


LONG = re.compile(r"[1-9](?:\.?\d){5}[.0]*[1-9]")
"""A number with more than six significant digits, in JSON text."""
NEAR = 1e-5
"""Relative to the largest number beside it: the change by a tool that saves six digits."""


NOTHING = 1e-12
"""Metres, or components of a quaternion."""


def without_mesh_offset(pose: Pose) -> Pose:
    """A pose without rounding remains: MuJoCo moves a mesh to its middle, and saves the original pose of its geom."""
    if all(part == 0.0 or abs(part) > NOTHING for part in (*pose.pos, *pose.rot)):
        return pose
    (x, y, z), (w, a, b, c) = (
        tuple([part if abs(part) > NOTHING else 0.0 for part in parts]) for parts in (pose.pos, pose.rot)
    )
    return replace(pose, pos=(x, y, z), rot=(w, a, b, c))


def fingerprint(value: Any) -> Plain:
    """The fingerprint of a value that a tool with six digits may have saved: its checksum, or, if it contains longer
    numbers than such a tool keeps, the value itself to eight digits. A text always has a checksum: digits in names are
    no numbers."""
    text = canonical_text(value)
    return _short(value) if LONG.search(text) and not isinstance(value, str) else sum_of(text)


def fingerprint_of_replaced(value: Any, by: Any) -> Plain:
    """The fingerprint of a thing that is replaced by another one. If both are equal apart from digits, an edit of
    digits is an edit."""
    kept = fingerprint(value)
    return checksum(value) if not isinstance(kept, str) and by is not None and has_fingerprint(by, kept) else kept


def has_fingerprint(value: Any, kept: Plain) -> bool:
    """Whether a value has this fingerprint, apart from lost digits and the rounding remains of poses."""
    if isinstance(kept, str):
        return kept == checksum(value) or kept == checksum(_mended(value, float))
    return _near([_short(value)], [kept])


def _short(value: Any) -> Plain:
    """A value to eight digits; a number may equal a default then, and is left out."""
    return to_plain(_mended(value, _eight))


def _eight(value: float) -> float:
    return float(f"{value:.8g}")


def _mended(value: Any, number: Callable[[float], float]) -> Any:
    """A value with texts and poses as they are compared, and numbers changed by this function."""
    if isinstance(value, float):
        return number(value)
    if isinstance(value, str):
        return ordered(value)
    if isinstance(value, tuple):
        return tuple([_mended(item, number) for item in value])
    if isinstance(value, list):
        return [_mended(item, number) for item in value]
    if isinstance(value, dict):
        return {name: _mended(item, number) for name, item in value.items()}
    if isinstance(value, Pose):
        value = without_mesh_offset(value)
    if isinstance(value, Value):
        items = {slot.name: getattr(value, slot.name) for slot in carried_fields(type(value))}
        return replace(
            value, **{name: cut for name, item in items.items() if (cut := _mended(item, number)) is not item}
        )
    return value


def _near(ours: Plain, theirs: Plain) -> bool:
    if ours == theirs:
        return True
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return ours.keys() == theirs.keys() and all(
            _near(_beside(item), _beside(theirs[name])) for name, item in ours.items()
        )
    if not isinstance(ours, list) or not isinstance(theirs, list) or len(ours) != len(theirs):
        return False
    least = NEAR * max((abs(item) for item in theirs if isinstance(item, float | int)), default=0.0)
    return all(
        abs(a - b) <= least if isinstance(a, float | int) and isinstance(b, float | int) else _near(a, b)
        for a, b in zip(ours, theirs, strict=True)
    )


def _beside(plain: Plain) -> Plain:
    """A value for _near, which compares numbers relative to the largest in their list: a number alone gets its own."""
    return plain if isinstance(plain, dict | list) else [plain]


def from_plain(hint: Any, plain: Plain) -> Any:
    """The value of a type (a payload class or an annotation of one of its fields) from its plain form. Raises
    ValueError when the plain form does not fit."""
    try:
        return _checked(convert(plain, hint))
    except (ValidationError, OverflowError) as error:
        raise ValueError(str(error)) from None


def _checked(value: Any) -> Any:
    """The value. Raises ValueError for values in it that no reader could have made, or that are not carried."""
    if isinstance(value, Value):
        for slot in slots(value.__class__):
            item = getattr(value, slot.name)
            if item is slot.default:
                continue
            if slot.mark is Mark.ASIDE:
                raise ValueError(f"{value.__class__.__name__} has no field {slot.name!r}")
            _checked(item)
        checked_payload(value)
    elif isinstance(value, tuple):
        for item in value:
            _checked(item)
    elif isinstance(value, float | int) and not math.isfinite(value):  # OverflowError if too large for a double
        raise ValueError(f"{value!r} is no finite number")
    return value


def checked_payload(value: Any) -> Any:
    """The payload, if a reader could have made it. Raises ValueError for a meaningless one."""
    match value:
        case Pose(rot=rot) if not 0.5 < sum(part * part for part in rot) < 2.0:
            raise ValueError(f"{rot} is no rotation")
        case Actuator(gear=()):
            raise ValueError(f"the actuator {value.name!r} has no gear")
        case Couple(coefficients=coefficients) if len(coefficients) < 2:
            raise ValueError(f"{coefficients} is no polynomial that couples two joints")
    return value


def extras_in(value: Value, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Value, Extra]]:
    """Every extra of a payload and of its parts: path of a difference in it, without the last step; owner; extra."""
    cls: Any = value.__class__
    for name in holders(cls):
        inner = getattr(value, name)
        if name == "extras":
            for extra in inner:
                yield (*path, name), value, extra
        elif inner.__class__ is tuple:
            for index, item in enumerate(inner):
                if isinstance(item, Value):
                    yield from extras_in(item, (*path, name, item.name if isinstance(item, Entity) else str(index)))
        elif inner is not None:
            yield from extras_in(inner, (*path, name))


@cache
def holders(cls: type) -> tuple[str, ...]:
    """The fields of a payload class that may contain extras, at any depth."""
    return tuple(slot.name for slot in slots(cls) if slot.name == "extras" or any(map(holders, _classes(slot.hint))))


def _classes(hint: Any) -> Iterator[Any]:
    """The payload classes in an annotation."""
    if isinstance(hint, type) and issubclass(hint, Value):
        yield hint
    for part in get_args(hint):
        yield from _classes(part)
