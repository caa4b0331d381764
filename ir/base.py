"""What all payloads are made of: plain tuples, marks on fields, names, sources, extras, poses and masses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache
from inspect import get_annotations
from operator import attrgetter
from types import MappingProxyType
from typing import Annotated, Any, TypeVar, dataclass_transform, get_args

from msgspec import NODEFAULT, Struct

Vec2 = tuple[float, float]
Vec3 = tuple[float, float, float]
Vec4 = tuple[float, float, float, float]
Quat = tuple[float, float, float, float]
Tensor = tuple[float, float, float, float, float, float]
"""Symmetric 3x3 matrix as (xx, yy, zz, xy, xz, yz)."""

ORIGIN: Vec3 = (0.0, 0.0, 0.0)
UP: Vec3 = (0.0, 0.0, 1.0)
ONES: Vec3 = (1.0, 1.0, 1.0)
"""The scale of what is as large as it was made."""
AXES: tuple[Vec3, Vec3, Vec3] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
WHITE: Vec4 = (1.0, 1.0, 1.0, 1.0)

BodyPair = frozenset[str]
"""Two bodies, in no order; of one name: a body and itself, or all others."""
Parameters = tuple[tuple[str, str], ...]
"""Named settings of an engine, kept in document order; a tuple so that payloads stay hashable."""


class Mark(Enum):
    """What a field is that is no part of the value of its payload."""

    NOTATION = "notation"
    ASIDE = "aside"


T = TypeVar("T")

Notation = Annotated[T, Mark.NOTATION]
"""How a value was written, not what it is: never compared and never reported, but carried for the way back."""

Aside = Annotated[T, Mark.ASIDE]
"""What is known about a value beside it: neither compared nor carried."""

Naming = Annotated[Parameters, Mark.NOTATION]
"""Which parameters of a payload name something (and of a sensor its target), each with the kind of that as in
ir.refs.KINDS. Who reads a document knows it. They follow a new name; nothing stands on them."""


@dataclass_transform(frozen_default=True)
class Value(Struct, frozen=True, eq=False, forbid_unknown_fields=True):
    """Payloads are frozen; they are equal when they are of one class and all fields without a mark are."""

    def __eq__(self, other: object) -> bool:
        if other is self:
            return True
        if other.__class__ is not self.__class__:
            return NotImplemented
        compared = _compared(self.__class__)
        return bool(compared(self) == compared(other))

    def __ne__(self, other: object) -> bool:  # that of Struct asks whether they are one object
        return other is not self and not self == other

    def __hash__(self) -> int:
        return hash(_compared(self.__class__)(self))


class Tagged(Value, tag=True, tag_field="type"):
    """One of several payloads that may stand in a field (shapes, kinds of constraints): its plain form says which."""


@cache
def _hints(cls: type) -> Mapping[str, Any]:
    """Field -> its annotation, evaluated, with what is noted beside it (Ref).

    typing.get_type_hints evaluates those of a base class again for each class that has it. The modules of payloads do
    not postpone their annotations: to evaluate text takes ten times as long.
    """
    found: dict[str, Any] = {}
    for base in reversed(cls.__bases__):
        found |= _hints(base)
    return MappingProxyType(found | get_annotations(cls, eval_str=True))


REQUIRED = object()
"""Stands for the default of a field that has none: equal to no value."""


class Slot(Struct, frozen=True, eq=False):
    """One field of a payload class: its annotation, evaluated, and what it is when nothing says."""

    name: str
    default: Any
    hint: Any
    mark: Mark | None


@cache
def slots(cls: type[Value]) -> tuple[Slot, ...]:
    """The fields of a payload class, those of its bases first."""
    found = []
    for name, default in zip(cls.__struct_fields__, _defaults(cls), strict=True):
        hint = _hints(cls)[name]
        mark = next((item for item in get_args(hint) if isinstance(item, Mark)), None)
        found.append(Slot(name, default, hint, mark))
    return tuple(found)


def _defaults(cls: type[Value]) -> list[Any]:
    given = cls.__struct_defaults__
    padded = (*[NODEFAULT] * (len(cls.__struct_fields__) - len(given)), *given)
    return [REQUIRED if default is NODEFAULT else default for default in padded]


@cache
def _compared(cls: type[Value]) -> Callable[[object], tuple[Any, ...]]:
    """What gives the fields of a payload that are compared."""
    return values_of(*(slot.name for slot in slots(cls) if slot.mark is None))


def values_of(*names: str) -> Callable[[object], tuple[Any, ...]]:
    """What gives the values of these fields of a payload, always as a tuple."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda value: tuple([getattr(value, name) for name in names])


class Ref(Value):
    """Marks a field that holds the name of another entity, so that check and rename are written once (ir.refs).

    On a payload it says that the name of the payload is such a reference. What a field names may also hang on another
    field of its owner, or be one of several kinds: those fields are listed in ir.refs.
    """

    kind: str


BodyRef = Annotated[str, Ref("body")]
JointRef = Annotated[str, Ref("joint")]
DofRef = Annotated[str, Ref("dof")]
MaterialRef = Annotated[str, Ref("material")]
AssetRef = Annotated[str, Ref("asset")]
ScopeRef = Annotated[str, Ref("scope")]
ActuatorRef = Annotated[str, Ref("actuator")]
GeomRef = Annotated[str, Ref("geom")]
GroupRef = Annotated[str, Ref("group")]

WORLD = "world"
"""The reserved node: the inertial frame.

A body welded to it is fixed, one with a FREE edge floats, one with no edge is unspecified.
"""


class NotFiniteError(ValueError):
    """What was made of numbers of a model is none: they were too large."""


class Source(Value):
    """Where something stands in a source document.

    path is an absolute XPath with positions (a JSON pointer in glTF).
    """

    file: str
    line: int
    at: object
    """The path, or a node of the document that knows it. It is asked only when somebody reads it: deep trees have long
    paths."""

    @property
    def path(self) -> str:
        return str(self.at)

    @property
    def others(self) -> tuple[Source, ...]:
        """Where else something of it is said: in a default class that it has."""
        return getattr(self.at, "others", ())

    @property
    def turn(self) -> tuple[int, str]:
        """Tells places on one line apart, and sorts them; equal for equal paths, but made without them if need be."""
        turn = getattr(self.at, "turn", None)
        if isinstance(turn, int):
            return turn, ""
        return (0, self.path) if turn is None else turn


class Extra(Value, kw_only=True):
    """What had no neutral meaning, verbatim.

    It is an element, an attribute (path ends in /@name) or a text (path ends in text(), or in text()[N] where it is
    the Nth of an element and stands behind the one that counts).
    path is relative to the element of the entity that owns it. index is the position among the child elements of its
    parent (notation: a writer may put other elements before it). rule names why the format itself ignores it ("" when
    it is simply not understood); items counts the source items it holds.
    """

    format: str
    path: str
    text: str
    index: Notation[int] = 0
    rule: Aside[str] = ""
    items: Aside[int] = 1
    source: Aside[Source | None] = None


class Entity(Value, kw_only=True):
    """What every named thing has. label is the name as the author wrote it, where the graph needed another one."""

    name: str
    label: Notation[str | None] = None
    source: Aside[Source | None] = None
    extras: tuple[Extra, ...] = ()


class Pose(Value):
    """A frame in its parent frame: position in metres, unit quaternion w x y z.

    rpy keeps the angles that an author wrote.
    """

    pos: Vec3 = (0.0, 0.0, 0.0)
    rot: Quat = (1.0, 0.0, 0.0, 0.0)
    rpy: Notation[Vec3 | None] = None


IDENTITY = Pose()


class Inertial(Value, kw_only=True):
    """Mass in kg, centre of mass and axes as a pose in the body frame.

    The tensor is about the centre of mass in those axes (kg m^2).
    """

    mass: float
    tensor: Tensor
    pose: Pose = IDENTITY
    extras: tuple[Extra, ...] = ()
