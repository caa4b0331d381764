"""Contents of a <world> beside its models, in both directions: gravity, fields and physics profiles."""

from __future__ import annotations

from typing import cast

from converters.sdf.document.loading import SdfLoading
from converters.sdf.document.values import boolean, put, scalar, triple, vector
from converters.sdf.tables import FORMAT
from converters.source.tree import Element, restore
from converters.source.xml import Node
from ir.names import unique
from ir.types import Physics, Vec3

STEPS = (("max_step_size",),)
OLD_STEPS = (*STEPS, ("ode", "solver", "dt"), ("bullet", "dt"))
"""Paths of the time step in a profile, and those up to 1.3 (1_3.convert of libsdformat)."""
GRAVITY: Vec3 = (0.0, 0.0, -9.8)
DEFAULT = "physics"
"""Name in the graph of the profile in use."""


def read_world(world: Node, version: tuple[int, int], loading: SdfLoading) -> None:
    """Add one row for each physics profile; the one in use also has the world's gravity and fields."""
    profiles = world.children("physics")
    chosen = next((item for item in profiles if boolean(item, "@default", False)), profiles[0] if profiles else None)
    holder = chosen if chosen is not None and version < (1, 6) else world
    wind = world.child("wind")
    magnetic = vector(holder, "magnetic_field", 3)
    table = loading.scene.tables["physics"]
    table[DEFAULT] = Physics(
        name=DEFAULT,
        gravity=triple(holder, "gravity", GRAVITY),
        magnetic=cast("Vec3", magnetic) if magnetic else None,
        wind=cast("Vec3", vector(wind, "linear_velocity", 3)) if wind is not None else None,
        timestep=_time_step(chosen, version),
        source=world.source,
        extras=chosen.rest() if chosen is not None else (),
    )
    for item in profiles:
        if item is not chosen:
            authored = item.get("name") or ""
            name = unique(authored or f"{DEFAULT}_2", table)
            table[name] = Physics(
                name=name, label=authored, timestep=_time_step(item, version), source=item.source, extras=item.rest()
            )


def _time_step(profile: Node | None, version: tuple[int, int]) -> float | None:
    """Return the time step of a profile in seconds; None if not given."""
    for path in OLD_STEPS if version < (1, 4) else STEPS:
        at = profile.inner(path[:-1]) if profile is not None else None
        if at is not None and (said := scalar(at, path[-1])) is not None:
            return said
    return None


def write_world(world: Element, profiles: dict[str, Physics]) -> None:
    """Append gravity, fields and profiles. Without profiles, gravity is the graph's default, not that of SDFormat."""
    main = profiles.get(DEFAULT) or next(iter(profiles.values()), None)
    put(world, "gravity", main.gravity if main is not None else Physics(name=DEFAULT).gravity)
    if main is None:
        return
    if main.magnetic is not None:
        put(world, "magnetic_field", main.magnetic)
    if main.wind is not None:
        put(world.add("wind"), "linear_velocity", main.wind)
    for profile in profiles.values():
        said = {extra.path[1:]: extra.text for extra in profile.extras if extra.path in ("@name", "@type")}
        if profile is main and profile.timestep is None and not said:
            continue
        element = world.add("physics", {"name": profile.label or profile.name, "type": "ode", **said})
        if profile is main:
            element.attrs["default"] = "true"
        if profile.timestep is not None:
            put(element, "max_step_size", profile.timestep)
        restore(element, profile.extras, FORMAT)
