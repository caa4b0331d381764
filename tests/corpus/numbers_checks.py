"""Numbers of a real model, each changed by 1/10 000 in turn: `kinegraph compare` names the changed one."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from converters.comparing.models import differences
from converters.context import InputError, Options
from converters.convert import load
from converters.reading import interpreted
from ir.pose import multiply
from ir.scene import Scene
from ir.types import WORLD, Body, Dof, DofKind, Entity, Extra, Inertial, Material, Pose, Value, slots
from tests.oracles.verdict import Verdicts

SHARE = 1e-4
MOST = 4
"""Number of changes of each field of a model."""
MANY = 100
"""Number of bodies from which on one change of each field is enough."""

SILENT = {
    r"body\.(cameras|lights)\b": "sensors, cameras, lights",
    r"body\.geoms\.(mass|density)": "mass and density of a geom",
    r"body(\.geoms)?\.surface": "friction and stiffness of contacts",
    r"joint\.dofs\.(acceleration|deceleration|jerk|soft|calibration)": (
        "soft limits, calibration, limits of acceleration and jerk"
    ),
}
"""Maps numbers that are not compared to the reason in NOT_COMPARED."""

SMALL = 1e-3
"""Fraction of the largest number of a row; smaller ones change by a fraction of the largest: 1e-17 means zero."""
TINY = 1e-5
"""A row whose numbers are all smaller is zero."""
TURN = (1.0, 0.1 * SHARE, 0.2 * SHARE, 0.4 * SHARE)
"""A rotation about an axis about which no shape is symmetric."""

Spot = tuple[str, Callable[[], Any]]
"""(field, a function that returns the containing value with this number changed)."""


def named(path: str, folders: list[str], source: str) -> dict[str, Any]:
    """Return the verdicts of one model, and the number of changes: {"criteria", "seconds", "changes"}."""
    verdicts = Verdicts()
    options = Options(resource_paths=tuple(map(Path, folders)), find_srdf=False)
    changes = 0
    try:
        scene = interpreted(load(path, source=source, options=options))
    except InputError as error:
        verdicts.excuse("converts", str(error))
        return {"criteria": verdicts.criteria, "seconds": {}, "changes": 0}
    verdicts.good("converts")
    most = MOST if len(scene.bodies) < MANY else 1
    for field, place, words, change in _chosen(scene, most, random.Random(Path(path).name)):
        if any(re.match(pattern, field) for pattern in SILENT):
            continue
        verdicts.good("named")
        changes += 1
        if not any(words & set(_words(each.where)) for each in differences(scene, change(), samples=1)):
            verdicts.fail("named", f"{field} of {place}")
    return {"criteria": verdicts.criteria, "seconds": {}, "changes": changes}


def _words(where: str) -> Iterator[str]:
    """Yield the names of bodies and joints in a place; for an item of a body also the body."""
    for part in where.split(", "):
        yield part
        for end in range(len(part)):
            if part[end] == ".":
                yield part[:end]


Change = tuple[str, str, set[str], Callable[[], Scene]]
"""(field, entity, the places where it is visible, a function that returns the changed scene)."""


def _chosen(scene: Scene, most: int, dice: random.Random) -> Iterator[Change]:
    """Yield at most that many changes of each field."""
    every: dict[str, list[Change]] = defaultdict(list)
    for change in _changes(scene):
        every[change[0]].append(change)
    for changes in every.values():
        yield from dice.sample(changes, min(most, len(changes)))


def _changes(scene: Scene) -> Iterator[Change]:
    for body in scene.bodies.values():
        for field, make in _spots(body, "body"):
            if body.name == WORLD and not field.startswith("body.geoms"):
                continue
            if field != "body.geoms.transparency" or not _hidden(scene, body):
                yield field, body.name, {f"body/{body.name}"}, partial(_put, scene, "bodies", body, make)
    for joint in scene.joints.values():
        places = {f"joint/{joint.name}", f"body/{joint.child}", *(f"joint/{dof.name}" for dof in joint.dofs)}
        for field, make in _spots(joint, "joint") if not joint.closes_loop else ():
            yield field, joint.name, places, partial(_put, scene, "joints", joint, make)
    worn: dict[str, set[str]] = defaultdict(set)
    for body in scene.bodies.values():
        for geom in body.geoms:
            if geom.material is not None:
                worn[geom.material].add(f"body/{body.name}")
    for name, material in scene.materials.items():
        for index, number in enumerate(material.rgba or () if name in worn else ()):
            other = number * (1 - SHARE) if number else SHARE
            yield "material.rgba", name, worn[name], partial(_painted, scene, material, index, other)


def _put(scene: Scene, field: str, item: Entity, make: Callable[[], Any]) -> Scene:
    """Return the scene with one of its bodies or joints (field) replaced."""
    changed: dict[str, Any] = {field: [make() if each is item else each for each in getattr(scene, field).values()]}
    return scene.evolve(**changed)


def _painted(scene: Scene, material: Material, index: int, value: float) -> Scene:
    rgba = list(material.rgba or ())
    rgba[index] = value
    table = {**scene.materials, material.name: replace(material, rgba=tuple(rgba))}
    return scene.evolve(tables={"material": table.values()})


def _hidden(scene: Scene, body: Body) -> bool:
    """Whether a geom of the body is invisible because of its colour, so that it cannot become more transparent."""
    colours = (scene.materials[geom.material].rgba for geom in body.geoms if geom.material is not None)
    return any(colour is not None and colour[3] == 0.0 for colour in colours)


def _spots(value: Any, field: str) -> Iterator[Spot]:
    """Yield every number that is part of the value of a payload; a rotation and an axis are rotated by the share."""
    if isinstance(value, Pose):
        yield from ((f"{field}.pos", make) for _, make in _numbers(value.pos, lambda new: replace(value, pos=new)))
        yield f"{field}.rot", lambda: replace(value, rot=_normal(multiply(value.rot, TURN)))
        return
    for item in slots(value.__class__):
        if item.mark is not None or item.name in ("extras", "parameters", "properties"):
            continue
        if _says_nothing(value, item.name):
            continue
        held = getattr(value, item.name)
        where = f"{field}.{item.name}"

        def put(new: Any, name: str = item.name) -> Any:
            return replace(value, **{name: new})

        if item.name in ("axis", "anchor"):
            across = min(range(3), key=lambda index: abs(value.axis[index]))
            moved = tuple(number + SHARE * (index == across) for index, number in enumerate(held))
            yield where, lambda put=put, moved=moved, unit=item.name == "axis": put(_normal(moved) if unit else moved)
        elif isinstance(held, float):
            yield where, lambda put=put, held=held: put(held * (1 - SHARE) if held else SHARE)
        elif isinstance(held, tuple) and held and all(isinstance(each, float) for each in held):
            yield from ((where, make) for _, make in _numbers(held, put))
        elif isinstance(held, tuple):
            for index, each in enumerate(held):
                if isinstance(each, Value) and not isinstance(each, Extra):
                    for inner, make in _spots(each, where):
                        yield (
                            inner,
                            lambda put=put, held=held, index=index, make=make: put(
                                (*held[:index], make(), *held[index + 1 :])
                            ),
                        )
        elif isinstance(held, Value) and not isinstance(held, Entity):
            yield from ((inner, lambda put=put, make=make: put(make())) for inner, make in _spots(held, where))


def _says_nothing(value: Any, name: str) -> bool:
    """Whether a number has no effect: the axis of a ball, the anchor of a slide, the rotation of a round inertia."""
    if isinstance(value, Dof):
        silent = {DofKind.FREE: ("axis", "anchor", "zero"), DofKind.BALL: ("axis", "zero"), DofKind.SLIDE: ("anchor",)}
        return name in silent.get(value.kind, ())
    return isinstance(value, Inertial) and name == "pose" and (not value.mass or _round(value.tensor))


def _round(tensor: tuple[float, ...]) -> bool:
    around, across = tensor[:3], tensor[3:]
    return max(max(around) - min(around), *map(abs, across)) <= SHARE * max(around)


def _numbers(row: tuple[float, ...], put: Callable[[Any], Any]) -> Iterator[Spot]:
    size = max(map(abs, row))
    size = size if size > TINY else 1.0
    for index, number in enumerate(row):
        other = number * (1 - SHARE) if abs(number) > SMALL * size else number + SHARE * size
        yield "", lambda index=index, other=other: put((*row[:index], other, *row[index + 1 :]))


def _normal(row: tuple[float, ...]) -> tuple[float, ...]:
    size = sum(number * number for number in row) ** 0.5
    return tuple(number / size for number in row)
