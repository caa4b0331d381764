"""Flags of <option> that disable parts of the model: these are given in the model, but have no effect."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TypeVar

from msgspec.structs import replace

from converters.format import Pass, Target
from converters.mjcf.relations.option import FLAG, GROUPS
from converters.mjcf.tables import PHYSICS
from converters.passes.contacts import collides
from converters.source.text import counted, so_many_numbers
from ir.mapping import map_bodies, map_dofs, map_geoms, map_table
from ir.names import unique
from ir.scene import Scene
from ir.types import WORLD, Actuator, Body, ContactRule, Dof, Geom, Physics, Surface, Tendon

SWITCHES = ("gravity", "contact", "limit", "frictionloss", "spring", "damper", "equality", "actuation")
"""Flags that are applied here. clampctrl matters to the efforts of joints (drives); others, of the solver, have a
meaning only in MuJoCo."""
ALL = "constraint"
"""Disables all constraints (HELD)."""
HELD = ("contact", "limit", "frictionloss", "equality")
FIELDS: Mapping[str, tuple[tuple[str, float | None], ...]] = {
    "equality": (("mimic", None),),
    "limit": (("lower", None), ("upper", None)),
    "frictionloss": (("friction", 0.0),),
    "damper": (("damping", 0.0),),
    "spring": (("stiffness", 0.0),),
}
"""Fields of dofs and tendons, and their values if the flag disables them."""
Slack = TypeVar("Slack", Dof, Tendon)


def is_off(scene: Scene, flag: str) -> bool:
    """Return whether <option> disables this flag."""
    physics: Physics | None = scene.tables["physics"].get(PHYSICS)
    return physics is not None and (FLAG + flag, "disable") in physics.parameters


def _flags_off(physics: Physics) -> frozenset[str]:
    said = {name.removeprefix(FLAG) for name, word in physics.parameters if word == "disable" and FLAG in name}
    return frozenset((*said, *HELD) if ALL in said else said) & frozenset(SWITCHES)


def _without_disabled(scene: Scene, target: Target) -> Scene:
    physics: Physics | None = scene.tables["physics"].get(PHYSICS)
    off = _flags_off(physics) if physics is not None else frozenset()
    groups = _disabled_groups(scene)
    if physics is None or not (off or groups):
        return scene
    gone = {(FLAG + name, "disable") for name in (*off, ALL)}
    left = tuple(each for each in physics.parameters if each not in gone and each[0] != GROUPS)
    settings = replace(physics, parameters=left)
    if "gravity" in off:
        settings = replace(settings, gravity=(0.0, 0.0, 0.0))
        if not target.fits.worlds:
            scene = map_bodies(scene, _weightless)
    if "contact" in off:
        scene = _without_contacts(scene) if target.fits.bodies_collide is None else map_geoms(scene, _untouched)
    scene = map_dofs(scene, lambda dof: _without_springs(dof, off))
    scene = map_table(scene, "tendon", lambda tendon: _without_springs(tendon, off))
    if "equality" in off and any(each.active for each in scene.constraints.values()):
        scene = scene.evolve(constraints=[replace(each, active=False) for each in scene.constraints.values()])
    scene = _without_actuators(scene, None if "actuation" in off else groups)
    return scene.evolve(tables={"physics": [settings if each is physics else each for each in _physics_rows(scene)]})


def _disabled_groups(scene: Scene) -> frozenset[float]:
    """Return the groups of actuators that <option> disables."""
    physics: Physics | None = scene.tables["physics"].get(PHYSICS)
    said = dict(physics.parameters) if physics is not None else {}
    return frozenset(counted(said.get(GROUPS)))


def _without_actuators(scene: Scene, groups: frozenset[float] | None) -> Scene:
    """Return the scene without the actuators of these groups; None: without any."""
    table: dict[str, Actuator] = scene.tables["actuator"]
    left = [each for each in table.values() if groups is not None and _group_of(each) not in groups]
    return scene.evolve(tables={"actuator": left}) if len(left) < len(table) else scene


def _group_of(actuator: Actuator) -> float:
    (group,) = so_many_numbers(dict(actuator.parameters).get("group"), 1) or (0.0,)
    return group


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
    fields = (pair for name in off for pair in FIELDS.get(name, ()))
    less = {field: none for field, none in fields if getattr(item, field, none) != none}
    return replace(item, **less) if less else item


FLAGS = Pass(
    rule="mjcf/flag",
    reason="the <option> of the source disables it, by a <flag> (gravity, contact, limit, frictionloss, spring, "
    "damper, equality, actuation; constraint means contact, limit, frictionloss and equality) or by "
    "actuatorgroupdisable: it has no effect there, and so it has none in the output",
    severity="note",
    apply=_without_disabled,
    lacking=True,
    whole=True,
    values=True,
)
