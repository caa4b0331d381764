"""What all payloads are made of: plain tuples, marks on fields, names, sources, extras, poses and masses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, field, fields
from functools import cache
from inspect import get_annotations
from operator import attrgetter
from types import MappingProxyType
from typing import Annotated, Any

Vec2 = tuple[float, float]
Vec3 = tuple[float, float, float]
Vec4 = tuple[float, float, float, float]
Quat = tuple[float, float, float, float]
Tensor = tuple[float, float, float, float, float, float]
"""Symmetric 3x3 matrix as (xx, yy, zz, xy, xz, yz)."""

Parameters = tuple[tuple[str, str], ...]
"""Named settings of an engine, kept in document order; a tuple so that payloads stay hashable."""


class Value:
    """Payloads are equal when they are of one class and all fields that are compared are.

    dataclass would write and compile these functions for each of sixty classes, a good part of what a start takes.
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        cls: Any = self.__class__
        compared = _compared(cls)
        return bool(compared(self) == compared(other))

    def __hash__(self) -> int:
        cls: Any = self.__class__
        return hash(_compared(cls)(self))

    def __repr__(self) -> str:
        cls: Any = self.__class__
        shown = (f"{item.name}={getattr(self, item.name)!r}" for item in fields(cls) if item.repr)
        return f"{self.__class__.__name__}({', '.join(shown)})"


@cache
def hints(cls: type) -> Mapping[str, Any]:
    """Field -> its annotation, evaluated, with what is noted beside it (Ref).

    typing.get_type_hints evaluates those of a base class again for each class that has it.
    """
    found: dict[str, Any] = {}
    for base in reversed(cls.__bases__):
        found |= hints(base)
    return MappingProxyType(found | get_annotations(cls, eval_str=True))


@cache
def _compared(cls: Any) -> Callable[[object], object]:
    """What gives the fields of a payload that are compared."""
    return attrgetter(*(item.name for item in fields(cls) if item.compare))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Ref(Value):
    """Marks a field that holds the name of another entity, so that check, rename and prefix are written once (ir.refs).

    On a payload it says that the name of the payload is such a reference. What a field names may also hang on another
    field of its owner, or be one of several kinds: those fields are listed in ir.refs.
    """

    kind: str


BodyRef = Annotated[str, Ref("body")]
JointRef = Annotated[str, Ref("joint")]
DofRef = Annotated[str, Ref("dof")]
GeomRef = Annotated[str, Ref("geom")]
FrameRef = Annotated[str, Ref("frame")]
MaterialRef = Annotated[str, Ref("material")]
AssetRef = Annotated[str, Ref("asset")]
ScopeRef = Annotated[str, Ref("scope")]
ActuatorRef = Annotated[str, Ref("actuator")]
GroupRef = Annotated[str, Ref("group")]

WORLD = "world"
"""The reserved node: the inertial frame.

A body welded to it is fixed, one with a FREE edge floats, one with no edge is unspecified.
"""


def notation(default: Any = None) -> Any:
    """A field that says how a value was written, not what it is.

    It is never compared and never reported, but carried for the way back.
    """
    return field(default=default, compare=False, metadata=_NOTATION)


_NOTATION: Mapping[str, bool] = MappingProxyType({"notation": True})


def is_notation(item: Field[Any]) -> bool:
    return bool(item.metadata.get("notation"))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
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
    def turn(self) -> tuple[int, str]:
        """Tells places on one line apart, and sorts them; equal for equal paths, but made without them if need be."""
        turn = getattr(self.at, "turn", None)
        if isinstance(turn, int):
            return turn, ""
        return (0, self.path) if turn is None else turn


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Extra(Value):
    """What had no neutral meaning, verbatim.

    It is an element, an attribute (path ends in /@name) or a text (path ends in text()).
    path is relative to the element of the entity that owns it. index is the position among the child elements of its
    parent (notation: a writer may put other elements before it). rule names why the format itself ignores it ("" when
    it is simply not understood); items counts the source items it holds.
    """

    format: str
    path: str
    text: str
    index: int = notation(0)
    rule: str = field(default="", compare=False)
    items: int = field(default=1, compare=False)
    source: Source | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Entity(Value):
    """What every named thing has. label is the name as the author wrote it, where the graph needed another one."""

    name: str
    label: str | None = notation()
    source: Source | None = field(default=None, compare=False, repr=False)
    extras: tuple[Extra, ...] = ()


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Pose(Value):
    """A frame in its parent frame: position in metres, unit quaternion w x y z.

    rpy keeps the angles that an author wrote.
    """

    pos: Vec3 = (0.0, 0.0, 0.0)
    rot: Quat = (1.0, 0.0, 0.0, 0.0)
    rpy: Vec3 | None = notation()


IDENTITY = Pose()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Inertial(Value):
    """Mass in kg, centre of mass and axes as a pose in the body frame.

    The tensor is about the centre of mass in those axes (kg m^2).
    """

    mass: float
    tensor: Tensor
    pose: Pose = IDENTITY
    extras: tuple[Extra, ...] = ()
