"""What sensors, cameras and lights name in a scene that was read: MuJoCo 4 refuses a model that lacks it (measured)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from converters.context import Context
from converters.mjcf.document.attributes import things
from converters.mjcf.document.demands import REFUSES
from converters.mjcf.document.faults import NAME
from converters.mjcf.relations.sensors import TARGETS
from ir.scene import Scene
from ir.types import WORLD, Sensor, Source

MEASURED = {"subtree1": "body", "subtree2": "body", "xbody": "body"} | {
    f"{kind}{end}": kind for kind in ("body", "geom", "site", "camera", "mesh") for end in ("", "1", "2")
}
"""Attribute of a sensor, or type of object, -> what it names."""
OTHERS = ("joint", "tendon", "actuator")
"""Types of objects that only a sensor of the user, or of a plugin, can be about."""
OBJECT = (("objname", "objtype"), ("refname", "reftype"))


def pointed(scene: Scene, context: Context) -> None:
    """Note each name that leads nowhere. It is kept as it is written."""
    if context.again:
        return
    for where, said, source in (*_views(scene), *_sensors(scene)):
        context.note(NAME, where, f"{said}: {REFUSES}", source, action="noted", severity="error")


def _views(scene: Scene) -> Iterator[tuple[str, str, Source | None]]:
    for body in scene.bodies.values():
        for tag, views in (("camera", body.cameras), ("light", body.lights)):
            for view in views:
                target = dict(view.parameters).get("target")
                if target and target != WORLD and target not in scene.bodies:
                    yield f"body/{body.name}", _absent(tag, "body", target), view.source


def _sensors(scene: Scene) -> Iterator[tuple[str, str, Source | None]]:
    if not scene.tables["sensor"]:
        return
    there = things(scene) | {"joint": {*scene.joints, *scene.dofs()}, "mesh": scene.assets}
    for sensor in scene.tables["sensor"].values():
        for kind, name in _named(sensor, dict(sensor.parameters)):
            if kind and name not in there[kind]:
                yield f"sensor/{sensor.name}", _absent(sensor.kind, kind, name), sensor.source


def _named(sensor: Sensor, said: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """What a sensor names, each with the kind of thing that it is ("": none that is known here)."""
    yield from ((MEASURED[key], name) for key, name in said.items() if key in MEASURED)
    for name, kind in OBJECT:
        if name in said:
            yield _kind(said.get(kind, "")), said[name]
    if sensor.target is not None:
        own = TARGETS.get(sensor.kind, "")
        yield _kind(said.get("objtype", "") if own == "objname" else own), sensor.target


def _kind(word: str) -> str:
    return word if word in OTHERS else MEASURED.get(word, "")


def _absent(tag: str, kind: str, name: str) -> str:
    return f"<{tag}> names the {kind} {name!r}, which does not exist"
