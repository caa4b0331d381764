"""Change every body, geom, joint, dof, extra of a scene, or every row of a table, by one function; add joints or rows.

Values that the function returns unchanged stay shared; if it changes nothing, the same scene object is returned. So the
function must return its argument itself, not a copy, where there is nothing to do. All of these raise ValueError if the
result is no valid scene (Scene.evolve).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from msgspec.structs import replace

from ir.plain import holders
from ir.scene import Origins, Scene
from ir.types import Body, Dof, Extra, Geom, Joint, Value

T = TypeVar("T")


def map_bodies(scene: Scene, change: Callable[[Body], Body]) -> Scene:
    """The scene with every body changed, including that of the world."""
    bodies, same = _mapped(scene.bodies.values(), change)
    return scene if same else scene.evolve(bodies=bodies)


def map_geoms(scene: Scene, change: Callable[[Geom], Geom]) -> Scene:
    """The scene with every geom of every body changed."""

    def changed(body: Body) -> Body:
        geoms, same = _mapped(body.geoms, change)
        return body if same else replace(body, geoms=geoms)

    return map_bodies(scene, changed)


def map_joints(scene: Scene, change: Callable[[Joint], Joint]) -> Scene:
    """The scene with every joint changed, including those that close a loop."""
    joints, same = _mapped(scene.joints.values(), change)
    return scene if same else scene.evolve(joints=joints)


def map_dofs(scene: Scene, change: Callable[[Dof], Dof]) -> Scene:
    """The scene with every dof of every joint changed."""

    def changed(joint: Joint) -> Joint:
        dofs, same = _mapped(joint.dofs, change)
        return joint if same else replace(joint, dofs=dofs)

    return map_joints(scene, changed)


def map_table(scene: Scene, kind: str, change: Callable[[Any], Any]) -> Scene:
    """The scene with every entity of a table (a kind of ir.scene.TABLES) changed."""
    entities, same = _mapped(scene.tables[kind].values(), change)
    return scene if same else scene.evolve(tables={kind: entities})


def map_extras(scene: Scene, change: Callable[[Extra], Extra]) -> Scene:
    """The scene with every extra of an entity, and of its parts, changed."""

    def changed(value: Any) -> Any:
        if isinstance(value, Extra):
            return change(value)
        if isinstance(value, tuple):
            items, same = _mapped(value, changed)
            return value if same else items
        if not isinstance(value, Value):
            return value
        inner = {name: getattr(value, name) for name in holders(value.__class__)}
        new = {name: made for name, old in inner.items() if (made := changed(old)) is not old}
        return replace(value, **new) if new else value

    whole = {kind: (*getattr(scene, kind).values(),) for kind in ("bodies", "joints", "constraints")}
    new = {kind: made for kind, old in whole.items() if (made := changed(old)) is not old}
    rows = {kind: (*table.values(),) for kind, table in scene.tables.items()}
    tables = {kind: made for kind, old in rows.items() if (made := changed(old)) is not old}
    extras = changed(scene.extras)
    same = not new and not tables and extras is scene.extras
    return scene if same else scene.evolve(**new, tables=tables, extras=extras)


def added(scene: Scene, kind: str, entities: Iterable[Any], origins: Origins | None = None) -> Scene:
    """The scene with more entities of a kind ("joint", "constraint", or one of ir.scene.TABLES), after the present
    ones. origins: as for Scene.evolve, of the added ones."""
    more = [*entities]
    if not more:
        return scene
    if kind == "joint":
        return scene.evolve(joints=[*scene.joints.values(), *more], origins=origins)
    if kind == "constraint":
        return scene.evolve(constraints=[*scene.constraints.values(), *more], origins=origins)
    return scene.evolve(tables={kind: [*scene.tables[kind].values(), *more]}, origins=origins)


def _mapped(values: Iterable[T], change: Callable[[T], T]) -> tuple[tuple[T, ...], bool]:
    """The results of a function, and whether all values are unchanged."""
    old = tuple(values)
    new = tuple(map(change, old))
    return new, all(a is b for a, b in zip(new, old, strict=True))
