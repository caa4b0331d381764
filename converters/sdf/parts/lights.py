"""<light>, in both directions. SDFormat gives full cone angles, the graph half angles. Its <intensity> is a factor."""

from __future__ import annotations

from typing import Any

from converters.sdf.document.loading import SdfLoading
from converters.sdf.document.values import boolean, colour, put, put_colour, real, scalar, triple, write_pose
from converters.sdf.tables import FORMAT
from converters.source.text import numbers
from converters.source.tree import Element, restore
from converters.source.xml import Node
from ir.pose import down_to, multiply, rotate
from ir.types import Light, Pose, Vec3

KINDS = ("point", "spot", "directional")
DOWN: Vec3 = (0.0, 0.0, -1.0)
ON, ACTIVE = "light_on", "active"
"""Whether a light is on: the element, and its name in the graph, taken from MJCF."""


FALLOFF = "spot[1]/falloff[1]"
"""Its path among the extras of a light: the graph has no such field."""


def read_light(node: Node, wanted: str, label: str, pose: Pose, loading: SdfLoading) -> Light:
    """Read a light, named as wanted or similarly; its direction becomes part of its pose: it shines along -z."""
    kind = node.get("type") or "point"
    if kind not in KINDS:
        node.wrong("type", f"a light of type {kind!r}; known are {', '.join(KINDS)} (ATTRIBUTE_INVALID)")
        kind = "point"
    direction = triple(node, "direction", DOWN)
    if not any(direction):
        direction = DOWN
    attenuation = node.child("attenuation")
    spot = node.child("spot")
    values: dict[str, Any] = {}
    if attenuation is not None:
        values["range"] = scalar(attenuation, "range")
        values["attenuation"] = tuple(
            real(attenuation, tag, default) for tag, default in (("constant", 1.0), ("linear", 1.0), ("quadratic", 0.0))
        )
    if spot is not None:
        values["inner"] = _half_angle(scalar(spot, "inner_angle"))
        values["outer"] = _half_angle(scalar(spot, "outer_angle"))
    if node.child(ON) is not None:
        values["parameters"] = ((ACTIVE, str(boolean(node, ON, True)).lower()),)
    diffuse, specular = colour(node, "diffuse"), colour(node, "specular")
    for said in (diffuse, specular):
        if said is not None and said[3] != 1:
            reason = "a light has no transparency: the alpha of its colour has no effect"
            before = numbers(said)
            loading.context.note(
                "sdf/light-alpha", f"light/{label}", reason, node.source, before=before, action="ignored"
            )
    name = loading.name(wanted, "light")
    return Light(
        name=name,
        label=label,
        kind=kind,
        pose=Pose(pose.pos, multiply(pose.rot, down_to(direction))),
        diffuse=diffuse[:3] if diffuse else (1.0, 1.0, 1.0),
        specular=specular[:3] if specular else (0.1, 0.1, 0.1),
        power=scalar(node, "intensity"),
        cast_shadows=boolean(node, "cast_shadows", False),
        source=node.source,
        extras=node.rest(),
        **values,
    )


def _half_angle(angle: float | None) -> float | None:
    return None if angle is None else angle / 2


def write_light(parent: Element, light: Light, name: str, version: tuple[int, int]) -> None:
    """Append <light>, with its direction in the axes of the world or the link, and its other properties and extras."""
    element = parent.add("light", {"name": name, "type": light.kind if light.kind in KINDS else "directional"})
    write_pose(element, Pose(light.pose.pos), version=version)
    put(element, "cast_shadows", light.cast_shadows)
    if light.power is not None and version >= (1, 8):
        put(element, "intensity", light.power)
    active = dict(light.parameters).get(ACTIVE)
    if active is not None and version >= (1, 8):
        put(element, ON, active == "true")
    put_colour(element, "diffuse", (*light.diffuse, 1.0))
    put_colour(element, "specular", (*light.specular, 1.0))
    if light.range is not None or light.attenuation is not None:
        attenuation = element.add("attenuation")
        put(attenuation, "range", 10.0 if light.range is None else light.range)
        for tag, value in zip(("constant", "linear", "quadratic"), light.attenuation or (1.0, 1.0, 0.0), strict=True):
            put(attenuation, tag, value)
    put(element, "direction", rotate(light.pose.rot, DOWN))
    if light.outer is not None or light.inner is not None:
        spot = element.add("spot")
        outer = light.outer if light.outer is not None else light.inner or 0.0
        put(spot, "inner_angle", 2 * (light.inner if light.inner is not None else outer))
        put(spot, "outer_angle", 2 * outer)
        if not any(extra.path == FALLOFF for extra in light.extras):
            put(spot, "falloff", 0)
    restore(element, light.extras, FORMAT)
