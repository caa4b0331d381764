"""What makes a scene valid. problems() raises nothing: the caller decides what to do about each problem."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Container, Iterator
from enum import Enum
from functools import cache
from itertools import chain
from typing import Any

from msgspec import Struct

from ir.bounds import faults_of
from ir.inertia import principal
from ir.kinematics import COORDINATES, circles, coordinate_size, mimics
from ir.names import so_many
from ir.plain import as_json, carried_fields, from_plain, to_plain
from ir.refs import TENDON_KINDS, declarations, declared, entities, references, resolve
from ir.scene import Scene
from ir.types import UP, WORLD, Body, Dof, DofKind, Entity, Inertial, Joint, Plane, Pose, Source, Value, slots

UNIT = 1e-9
"""Tolerance of the squared length of an axis or a quaternion, which must be 1."""
ROUNDING = 1e-9
"""Relative to the largest moment: a smaller violation of the triangle inequality is rounding of the written number."""

_TYPED = "a field holds what its type says, in floats, texts and tuples of Python"
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""Characters that no XML document can contain (XML 1.0, 2.2)."""
_STRUCTURE = {"body", "dof", "scope"}
"""Kinds without which a scene cannot be posed; a missing material or actuator is less severe."""


class Problem(Struct, frozen=True, kw_only=True):
    """One problem. where is the neutral address (joint/elbow.dofs.0.axis); severity is error, warning or note."""

    rule: str
    where: str
    message: str
    severity: str = "error"
    source: Source | None = None
    name: str = ""
    """The missing name of a dangling reference."""


def problems(scene: Scene) -> list[Problem]:
    """All problems of a scene, in the order of its entities within each group of rules. Linear in the scene."""
    return [
        *_numbers(scene),
        *_references(scene),
        *_names(scene),
        *_tree(scene),
        *_dofs(scene),
        *_mimics(scene),
        *_inertias(scene),
        *_massless(scene),
    ]


def impossible(scene: Scene) -> Iterator[Problem]:
    """The problems that no reader may leave in a scene: non-finite numbers, axes and rotations that are not of length
    1, bodies that do not form a tree, names of missing assets and materials. Linear in the scene."""
    yield from _numbers(scene)
    yield from _tree(scene)
    yield from _references(scene, ("asset", "material"))


def mistakes(scene: Scene) -> Iterator[Problem]:
    """The problems that a program may leave in a scene and that writers cannot handle: values of the wrong type, else
    non-finite numbers, axes and rotations that are not of length 1, bodies that do not form a tree, names of missing
    assets and materials, duplicate names of dofs, tendons over missing things, axes of balls. Linear in the scene."""
    whole = True
    texts = (scene.name, *scene.notation.values())
    for wrong in (text for text in texts if not isinstance(text, str)):
        yield Problem(rule="model/mistyped", where="scene", message=f"{wrong!r} is no text: {_TYPED}")
    for kind, entity in entities(scene):
        try:
            plain = to_plain(entity)
            as_json(plain).encode()
            made = from_plain(entity.__class__, plain)
        except UnicodeEncodeError:
            message = "a text has half of a character (a lone surrogate)"
        except (TypeError, ValueError, AttributeError) as error:
            message = f"{next(_foreign(entity), error)}: {_TYPED}"
        else:
            stray = next(_strays(entity, made), None)
            if not (message := f"{stray}: {_TYPED}" if stray else _unnamed(kind, entity)):
                continue
        whole = False
        where = f"{kind}/{entity.name}".encode(errors="replace").decode()
        yield Problem(rule="model/mistyped", where=where, message=message, source=entity.source)
    if whole:
        yield from _numbers(scene, _unmeant)
        yield from _tree(scene)
        yield from _references(scene, ("asset", "material"))
        yield from (each for each in _names(scene) if each.where.startswith("joint/"))
        yield from _positions(scene)
        yield from _stops(scene)
        yield from _turned(scene)


def _foreign(value: Any, path: str = "") -> Iterator[str]:
    """The parts of a payload that are of a type that no payload may contain, such as a numpy array."""
    if isinstance(value, Value):
        for slot in carried_fields(value.__class__):
            yield from _foreign(getattr(value, slot.name), f"{path}.{slot.name}".lstrip("."))
    elif isinstance(value, tuple):
        for index, part in enumerate(value):
            yield from _foreign(part, f"{path}.{index}")
    elif isinstance(value, list):
        yield f"{path} is a list, and no tuple"
    elif value is not None and not isinstance(value, (str, int, float, Enum)):
        yield f"{path} cannot be {value!r}"


def _strays(given: Any, made: Any) -> Iterator[str]:
    """The parts of a payload whose class differs from that in the same payload rebuilt from JSON values (where a list
    becomes a tuple, and the text of an enumeration its member)."""
    if isinstance(made, float):
        return
    if not isinstance(given, made.__class__):
        yield f"{given!r} is no {made.__class__.__name__}"
    elif isinstance(made, tuple):
        yield from chain.from_iterable(map(_strays, given, made))
    elif isinstance(made, Value):
        for slot in carried_fields(made.__class__):
            yield from _strays(getattr(given, slot.name), getattr(made, slot.name))


def _unnamed(kind: str, entity: Entity) -> str:
    """Why the name of an entity is not valid; "" if it is."""
    if kind in ("body", "joint") and not entity.name:
        return f"a {kind} without a name: give it one, for whatever refers to it"
    inner = (each for field in ("geoms", "frames", "cameras", "lights") for each in getattr(entity, field, ()))
    bad = next((found for each in (entity, *inner) if (found := _CONTROL.search(each.name))), None)
    return f"a name has the character {bad[0]!r}, which no document of XML can hold: take it out" if bad else ""


def _positions(scene: Scene) -> Iterator[Problem]:
    dofs = scene.dofs()
    for key in scene.tables["keyframe"].values():
        for name, value in key.positions:
            if name in dofs and len(value) != (wanted := coordinate_size(dofs[name][1])):
                message = f"{name!r} has {so_many(wanted, 'coordinates')}, and not {len(value)}"
                where = f"keyframe/{key.name}.positions"
                yield Problem(rule="model/coordinates", where=where, message=message, source=key.source)


def _stops(scene: Scene) -> Iterator[Problem]:
    for tendon in scene.tables["tendon"].values():
        for number, point in enumerate(tendon.points):
            if point.kind not in TENDON_KINDS:
                message = f"{point.kind!r} is none of {', '.join(TENDON_KINDS)}"
                where = f"tendon/{tendon.name}.points.{number}.kind"
                yield Problem(rule="model/word", where=where, message=message, source=tendon.source)


def _turned(scene: Scene) -> Iterator[Problem]:
    for joint, dof in scene.dofs().values():
        if dof.kind in COORDINATES and dof.axis != UP:
            message = f"a dof that is {dof.kind.value} has no axis: leave it out"
            where = f"joint/{joint.name}.dofs.{joint.dofs.index(dof)}.axis"
            yield Problem(rule="model/no-axis", where=where, message=message, source=dof.source or joint.source)


# ------------------------------------------------------------------------------------------------------------- numbers


def _off(path: str, square: float) -> bool:
    return abs(square - 1.0) > UNIT


def _unmeant(path: str, square: float) -> bool:
    """Whether a squared length is not 1; for a normal, which writers normalise, only whether it is zero."""
    return square < UNIT if path.endswith(".normal") else _off(path, square)


def _numbers(scene: Scene, wrong: Callable[[str, float], bool] = _off) -> Iterator[Problem]:
    """Non-finite numbers, and axes and rotations whose squared length is wrong."""
    for kind, entity in entities(scene):
        for path, value, source in _values(entity, f"{kind}/{entity.name}", entity.source):
            if isinstance(value, float):
                if not math.isfinite(value):
                    message = f"{value} is no finite number"
                    yield Problem(rule="model/not-finite", where=path, message=message, source=source)
            elif wrong(path, square := math.fsum(part * part for part in value)):
                what = "quaternion" if len(value) == 4 else "direction"
                message = f"the {what} has length {math.sqrt(square):.9g}, not 1"
                yield Problem(rule="model/not-unit", where=path, message=message, source=source)


def _values(value: Any, path: str, source: Source | None) -> Iterator[tuple[str, Any, Source | None]]:
    """Every float in a payload, and every tuple that must have length 1, with its address and nearest source."""
    if isinstance(value, float):
        yield path, value, source
    elif isinstance(value, tuple):
        for index, part in enumerate(value):
            name = part.name if isinstance(part, Entity) else index
            yield from _values(part, f"{path}.{name}", source)
    elif isinstance(value, Value):
        if isinstance(value, Entity):
            source = value.source or source
        unit = _unit_field(value)
        if unit and all(map(math.isfinite, getattr(value, unit))):
            yield f"{path}.{unit}", getattr(value, unit), source
        cls: Any = type(value)
        for name in _fields(cls):
            yield from _values(getattr(value, name), f"{path}.{name}", source)


@cache
def _fields(cls: type) -> tuple[str, ...]:
    """Fields of a payload class that can contain numbers of the model."""
    return tuple(slot.name for slot in slots(cls) if slot.name not in ("source", "extras"))


def _unit_field(payload: object) -> str | None:
    match payload:
        case Pose():
            return "rot"
        case Dof(kind=DofKind.HINGE | DofKind.SLIDE | DofKind.SCREW):
            return "axis"
        case Plane():
            return "normal"
    return None


# ------------------------------------------------------------------------------------------------- names and structure


def _references(scene: Scene, kinds: Container[str] | None = None) -> Iterator[Problem]:
    """The references that lead nowhere; kinds: only those of these kinds (None: all)."""
    names = declared(scene)
    for kind, entity in entities(scene):
        for path, wanted, name in references(entity):
            if (kinds is None or wanted in kinds) and resolve(names, wanted, name) is None:
                yield Problem(
                    rule="model/dangling-reference",
                    where=f"{kind}/{entity.name}.{path}",
                    message=f"there is no {wanted.replace('|', ' or ')} named {name!r}",
                    severity="error" if wanted in _STRUCTURE and kind in ("body", "joint", "constraint") else "warning",
                    source=entity.source,
                    name=name,
                )


def _names(scene: Scene) -> Iterator[Problem]:
    """Duplicate names of dofs and geoms, chosen by their creators; bodies, joints and tables cannot have any."""
    count: Counter[tuple[str, str]] = Counter()
    for kind, entity in entities(scene):
        for path, what, name in declarations(entity):
            if what not in ("dof", "geom"):
                continue
            count[what, name] += 1
            if count[what, name] == 2:
                message = f"several {what}s are named {name!r}"
                where = f"{kind}/{entity.name}.{path}"
                yield Problem(rule="model/duplicate-name", where=where, message=message, source=entity.source)


def _tree(scene: Scene) -> Iterator[Problem]:
    parents: dict[str, list[Joint]] = {name: [] for name in scene.bodies}
    for joint in scene.joints.values():
        if not joint.closes_loop:
            parents[joint.child].append(joint)
    for name, joints in parents.items():
        if len(joints) > 1 or (name == WORLD and joints):
            listed = ", ".join(joint.name for joint in joints)
            message = "the world is the child of" if name == WORLD else "several tree joints hold this body:"
            yield Problem(
                rule="model/several-parents",
                where=f"body/{name}",
                message=f"{message} {listed}",
                source=joints[-1].source,
            )
    done: set[str] = set()
    for start in parents:
        path: dict[str, None] = {}
        above: str | None = start
        while above is not None and above not in done and above not in path:
            path[above] = None
            above = parents[above][0].parent if parents[above] else None
        if above is not None and above in path:
            cycle = [*path][[*path].index(above) :]
            message = f"bodies in a cycle: {' <- '.join([*cycle, above])}"
            yield Problem(rule="model/cycle", where=f"body/{above}", message=message, source=scene.body(above).source)
        done.update(path)


# ---------------------------------------------------------------------------------------------------------------- dofs


def _dofs(scene: Scene) -> Iterator[Problem]:
    for joint in scene.joints.values():
        for index, dof in enumerate(joint.dofs):
            where = f"joint/{joint.name}.dofs.{index}"
            for found in faults_of(dof, where, joint.source):
                rule, message = "model/negative", f"the {found.where.rpartition('.')[2]} {found.value} is negative"
                if found.grave:
                    rule = "model/limits-reversed"
                    message = f"the lower limit {dof.lower} is above the upper limit {dof.upper}"
                severity = "error" if found.grave else "warning"
                yield Problem(rule=rule, where=found.where, message=message, severity=severity, source=found.source)
            if dof.kind is DofKind.FREE and len(joint.dofs) > 1:
                message = "a free dof places its body whatever the other dofs of the joint do"
                yield Problem(rule="model/free-not-alone", where=where, message=message, source=joint.source)


def _mimics(scene: Scene) -> Iterator[Problem]:
    dofs = scene.dofs()
    for circle in circles(scene):
        message = f"mimic cycle: {' -> '.join([*circle, circle[0]])}"
        yield _mimic(*dofs[circle[0]], "model/mimic-cycle", message)
    for name, mimic in mimics(scene).items():
        kinds = {dofs[each][1].kind for each in (name, mimic.dof) if each in dofs}
        if kinds & COORDINATES.keys():
            message = "only dofs with one coordinate can lead or follow"
            yield _mimic(*dofs[name], "model/mimic-kind", message)


def _mimic(joint: Joint, dof: Dof, rule: str, message: str) -> Problem:
    where = f"joint/{joint.name}.dofs.{joint.dofs.index(dof)}.mimic"
    return Problem(rule=rule, where=where, message=message, source=joint.source)


# ---------------------------------------------------------------------------------------------------------------- mass


def _inertias(scene: Scene) -> Iterator[Problem]:
    for body in scene.bodies.values():
        inertial = body.inertial
        if inertial is None or not all(map(math.isfinite, (inertial.mass, *inertial.tensor))):
            continue
        where = f"body/{body.name}.inertial"
        if inertial.mass < 0.0:
            message = f"the mass {inertial.mass} is negative"
            yield Problem(rule="model/negative-mass", where=f"{where}.mass", message=message, source=body.source)
        yield from _moments(body, inertial, f"{where}.tensor")


def _moments(body: Body, inertial: Inertial, where: str) -> Iterator[Problem]:
    a, b, c = sorted(principal(inertial.tensor)[1])
    largest = max(abs(a), abs(c))
    shown = f"principal moments {a:.6g}, {b:.6g}, {c:.6g}"
    if a < -ROUNDING * largest:
        message = f"{shown}: one is negative"
        yield Problem(rule="model/not-positive-definite", where=where, message=message, source=body.source)
    elif inertial.mass > 0.0 and a <= 0.0:
        message = f"{shown}: a body with mass and extent has none that is zero"
        yield Problem(
            rule="model/not-positive-definite", where=where, message=message, severity="warning", source=body.source
        )
    elif c - a - b > ROUNDING * largest:
        message = f"{shown}: the largest exceeds the sum of the others by {(c - a - b) / c:.2g} of itself"
        yield Problem(
            rule="model/triangle-inequality", where=where, message=message, severity="warning", source=body.source
        )


def _massless(scene: Scene) -> Iterator[Problem]:
    """A moving body that has no mass, and nothing with mass welded to it: most engines refuse it."""
    walk = list(scene.walk())
    heavy = {body.name for _, body in walk if body.inertial is not None and body.inertial.mass > 0.0}
    for joint, body in reversed(walk):
        if joint is not None and not joint.dofs and body.name in heavy:
            heavy.add(joint.parent)
    for joint, body in walk:
        if joint is not None and joint.dofs and body.name not in heavy:
            message = "the body moves but has no mass"
            where = f"body/{body.name}.inertial"
            yield Problem(rule="model/massless", where=where, message=message, severity="note", source=body.source)
