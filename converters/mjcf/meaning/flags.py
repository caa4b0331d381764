"""Flags of <option> that disable parts of the model: these are given in the model, but have no effect."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TypeVar

from msgspec.structs import replace

from converters.format import Pass, Target
from converters.mjcf.relations.option import FLAG
from converters.mjcf.tables import PHYSICS
from converters.passes.contacts import collides
from ir.kinematics import mimics
from ir.mapping import map_bodies, map_dofs, map_geoms, map_table
from ir.names import unique
from ir.scene import Scene
from ir.types import WORLD, Body, ContactRule, Dof, Geom, Physics, Surface, Tendon

SWITCHES = ("gravity", "contact", "limit", "frictionloss", "spring", "damper")
"""Flags that are applied here. Others (of the solver, of actuators) have a meaning only in MuJoCo."""
ALL = "constraint"
"""Disables all constraints: contact, limit and frictionloss (HELD), and EQUALITY, which is not applied here."""
EQUALITY = (f"{FLAG}equality", "disable")
HELD = ("contact", "limit", "frictionloss")
FIELDS: Mapping[str, tuple[tuple[str, float | None], ...]] = {
    "limit": (("lower", None), ("upper", None)),
    "frictionloss": (("friction", 0.0),),
    "damper": (("damping", 0.0),),
    "spring": (("stiffness", 0.0),),
}
"""Fields of dofs and tendons, and their values if the flag disables them."""
Slack = TypeVar("Slack", Dof, Tendon)


def _flags_off(physics: Physics) -> frozenset[str]:
    said = {name.removeprefix(FLAG) for name, word in physics.parameters if word == "disable" and FLAG in name}
    return frozenset((*said, *HELD) if ALL in said else said) & frozenset(SWITCHES)


def _without_disabled(scene: Scene, target: Target) -> Scene:
    physics: Physics | None = scene.tables["physics"].get(PHYSICS)
    off = _flags_off(physics) if physics is not None else frozenset()
    if physics is None or not off:
        return scene
    gone = {(FLAG + name, "disable") for name in (*off, ALL)}
    left = tuple(each for each in physics.parameters if each not in gone)
    if (FLAG + ALL, "disable") in physics.parameters and EQUALITY not in left and (scene.constraints or mimics(scene)):
        left += (EQUALITY,)
    settings = replace(physics, parameters=left)
    if "gravity" in off:
        settings = replace(settings, gravity=(0.0, 0.0, 0.0))
        if not target.fits.worlds:
            scene = map_bodies(scene, _weightless)
    if "contact" in off:
        scene = _without_contacts(scene) if target.fits.bodies_collide is None else map_geoms(scene, _untouched)
    scene = map_dofs(scene, lambda dof: _without_springs(dof, off))
    scene = map_table(scene, "tendon", lambda tendon: _without_springs(tendon, off))
    return scene.evolve(tables={"physics": [settings if each is physics else each for each in _physics_rows(scene)]})


def _physics_rows(scene: Scene) -> Collection[Physics]:
    found: dict[str, Physics] = scene.tables["physics"]
    return found.values()


def _weightless(body: Body) -> Body:
    return body if body.name == WORLD or body.gravity == 0.0 else replace(body, gravity=0.0)


def _untouched(geom: Geom) -> Geom:
    """Return the geom with empty collision masks."""
    if not geom.collides:
        return geom
    return replace(geom, surface=replace(geom.surface or Surface(), category=0, collide=0))


def _without_contacts(scene: Scene) -> Scene:
    """Exclude each body from all collisions."""
    table: dict[str, ContactRule] = dict(scene.tables["contact"])
    for body in scene.bodies.values():
        if collides(body):
            name = unique(f"exclude_{body.name}", table)
            table[name] = ContactRule(name=name, first=body.name, reason="contact disabled")
    return scene.evolve(tables={"contact": table.values()})


def _without_springs(item: Slack, off: frozenset[str]) -> Slack:
    """Return a dof or tendon without the disabled fields."""
    less = {field: none for name in off for field, none in FIELDS.get(name, ()) if getattr(item, field) != none}
    return replace(item, **less) if less else item


FLAGS = Pass(
    rule="mjcf/flag",
    reason="a <flag> of the source's <option> disables it (gravity, contact, limit, frictionloss, spring, "
    "damper; constraint means contact, limit and frictionloss): it has no effect there, and so it has "
    "none in the output",
    severity="note",
    apply=_without_disabled,
    lacking=True,
    whole=True,
    values=True,
)
