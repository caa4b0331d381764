"""The parts of all payloads: plain tuples, field markers, names, sources, extras, poses and masses."""

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
"""The scale of something at its original size."""
AXES: tuple[Vec3, Vec3, Vec3] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
WHITE: Vec4 = (1.0, 1.0, 1.0, 1.0)

BodyPair = frozenset[str]
"""Two bodies in no particular order. A single name: a body and itself; with "": a body and all others."""
Parameters = tuple[tuple[str, str], ...]
"""Named settings of an engine in document order; a tuple, so that payloads stay hashable."""


class Mark(Enum):
    """Marks of fields that are not part of the value of their payload."""

    NOTATION = "notation"
    ASIDE = "aside"


T = TypeVar("T")

Notation = Annotated[T, Mark.NOTATION]
"""How a value was written, not what it is: never compared or reported, but carried for the way back."""

Aside = Annotated[T, Mark.ASIDE]
"""Information about a value: neither compared nor carried."""

Naming = Annotated[Parameters, Mark.NOTATION]
"""Parameters of a payload that contain names (for a sensor also its target), each with the kind of the named thing, as
in ir.refs.KINDS; set by readers. They follow renamings, but nothing depends on them."""


@dataclass_transform(frozen_default=True)
class Value(Struct, frozen=True, eq=False, forbid_unknown_fields=True):
    """Payloads are frozen; two are equal if they have the same class and all unmarked fields are equal."""

    def __eq__(self, other: object) -> bool:
        if other is self:
            return True
        if other.__class__ is not self.__class__:
            return NotImplemented
        compared = _compared(self.__class__)
        return bool(compared(self) == compared(other))

    def __ne__(self, other: object) -> bool:  # Struct's own __ne__ compares identity
        return other is not self and not self == other

    def __hash__(self) -> int:
        return hash(_compared(self.__class__)(self))


class Tagged(Value, tag=True, tag_field="type"):
    """One of several payload classes allowed in a field (shapes, kinds of constraints): its plain form names it."""


@cache
def _hints(cls: type) -> Mapping[str, Any]:
    """Field -> its evaluated annotation, including metadata (Ref).

    typing.get_type_hints evaluates the annotations of a base class again for each subclass. The modules of payloads do
    not postpone their annotations, since evaluating text takes ten times as long.
    """
    found: dict[str, Any] = {}
    for base in reversed(cls.__bases__):
        found |= _hints(base)
    return MappingProxyType(found | get_annotations(cls, eval_str=True))


REQUIRED = object()
"""The default of a field that has none: equal to no value."""


class Slot(Struct, frozen=True, eq=False):
    """One field of a payload class: its evaluated annotation and its default."""

    name: str
    default: Any
    hint: Any
    mark: Mark | None


@cache
def slots(cls: type[Value]) -> tuple[Slot, ...]:
    """The fields of a payload class, inherited ones first."""
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
    """A getter of those fields of a payload that are compared."""
    return values_of(*(slot.name for slot in slots(cls) if slot.mark is None))


def values_of(*names: str) -> Callable[[object], tuple[Any, ...]]:
    """A getter of the values of these fields of a payload, always as a tuple."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda value: tuple([getattr(value, name) for name in names])


class Ref(Value):
    """Marks a field that contains the name of another entity, so that checking and renaming are implemented once
    (ir.refs).

    On a payload it marks the name of the payload itself as such a reference. Fields whose kind depends on another field
    of their owner, or that may name one of several kinds, are listed in ir.refs.
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

A body welded to it is fixed, a body on a FREE joint floats, a body without a joint is unspecified.
"""


class NotFiniteError(ValueError):
    """A number computed from the numbers of a model is not finite: they were too large."""


class Source(Value):
    """A place in a source document.

    path is an absolute XPath with positions (a JSON pointer in glTF).
    """

    file: str
    line: int
    at: object
    """The path, or a document node that can compute it. It is only computed when it is read: paths in deep trees are
    long."""

    @property
    def path(self) -> str:
        return str(self.at)

    @property
    def others(self) -> tuple[Source, ...]:
        """Other places that contribute to it: default classes that apply to it."""
        return getattr(self.at, "others", ())

    @property
    def turn(self) -> tuple[int, str]:
        """A key to distinguish and sort places on one line; equal for equal paths, made without them if possible."""
        turn = getattr(self.at, "turn", None)
        if isinstance(turn, int):
            return turn, ""
        return (0, self.path) if turn is None else turn


class Extra(Value, kw_only=True):
    """Source text without a neutral meaning, verbatim.

    It is an element, an attribute (path ends in /@name) or a text (path ends in text(), or in text()[N] for the Nth
    text of an element, if it is not the one that is used). path is relative to the element of the entity that owns it.
    index is the position among the child elements of its parent (notation: a writer may put other elements before it).
    rule names the reason why the format itself ignores it ("" when it is simply not understood); items is the number of
    source items in it.
    """

    format: str
    path: str
    text: str
    index: Notation[int] = 0
    rule: Aside[str] = ""
    items: Aside[int] = 1
    source: Aside[Source | None] = None


class Entity(Value, kw_only=True):
    """The base of every named thing. label is the name as the author wrote it, if the graph needed another one."""

    name: str
    label: Notation[str | None] = None
    source: Aside[Source | None] = None
    extras: tuple[Extra, ...] = ()


class Pose(Value):
    """A frame in its parent frame: position in metres, unit quaternion w x y z.

    rpy keeps the angles that the author wrote.
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
