"""References of actuators, sensors, cameras, lights, tuples and skins: MuJoCo 4 refuses missing ones (measured)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from converters.context import ReaderContext
from converters.mjcf.document.attributes import Things, declared_names
from converters.mjcf.document.faults import NAME, note_fault
from converters.mjcf.document.flexible import AllNamed, flexcomp_names
from converters.mjcf.relations.actuators import BESIDE
from converters.mjcf.relations.sensors import TARGETS
from converters.source.xml import Node
from ir.scene import Scene
from ir.types import WORLD, Sensor, Source

MEASURED = {"subtree1": "body", "subtree2": "body", "xbody": "body"} | {
    f"{kind}{end}": kind for kind in ("body", "geom", "site", "camera", "mesh") for end in ("", "1", "2")
}
"""Attribute of a sensor, or object type -> the kind that it references."""
OTHERS = ("joint", "tendon", "actuator")
"""Object types that only user and plugin sensors can reference."""
HOLDERS = ("custom", "deformable", "asset")
"""Sections that contain tuples and skins."""
OBJECT = (("objname", "objtype"), ("refname", "reftype"))


def note_dangling_names(scene: Scene, context: ReaderContext, hint: Callable[[], str]) -> None:
    """Report each reference to a missing object, with a hint at where it may be ("": none). It is kept as written."""
    found = [
        *_dangling_views(scene),
        *_dangling_tuples(scene),
        *_dangling_sensors(scene),
        *_dangling_objects(scene, context),
    ]
    more = f"; {said}" if found and (said := hint()) else ""
    for where, fault, source in found:
        note_fault(context, NAME, where, fault, source, hint=more)


def _dangling_views(scene: Scene) -> Iterator[tuple[str, str, Source | None]]:
    known = declared_names(scene)["body"]
    for body in scene.bodies.values():
        for tag, views in (("camera", body.cameras), ("light", body.lights)):
            for view in views:
                target = dict(view.parameters).get("target")
                if target and target != WORLD and target not in known:
                    yield f"body/{body.name}", _absence_text(tag, "body", target), view.source


def _dangling_tuples(scene: Scene) -> Iterator[tuple[str, str, Source | None]]:
    known = declared_names(scene)["site"]
    for actuator in scene.tables["actuator"].values():
        said = dict(actuator.parameters)
        for name in (said[key] for key in BESIDE if said.get(key)):
            if name not in known:
                yield f"actuator/{actuator.name}", _absence_text(actuator.kind, "site", name), actuator.source


def _dangling_sensors(scene: Scene) -> Iterator[tuple[str, str, Source | None]]:
    if not scene.tables["sensor"]:
        return
    known = _known_names(scene)
    for sensor in scene.tables["sensor"].values():
        for kind, name in _names_of_sensor(sensor, dict(sensor.parameters)):
            if kind and name not in known[kind]:
                yield f"sensor/{sensor.name}", _absence_text(sensor.kind, kind, name), sensor.source


def _known_names(scene: Scene) -> Things:
    """Return the existing names, by kind."""
    joints = AllNamed("joint", {*scene.joints, *scene.dofs()}, flexcomp_names(scene))
    return declared_names(scene) | {"joint": joints, "mesh": scene.assets}


def _dangling_objects(scene: Scene, context: ReaderContext) -> Iterator[tuple[str, str, Source | None]]:
    """Yield dangling references of tuples and skins, which are kept as written; none if the document copies parts."""
    documents: list[Any] = [*context.documents[:1]]
    root: Node | None = documents[0].root if documents else None
    sections = [each for each in root.elements() if each.tag in HOLDERS] if root is not None else []
    places = [node for section in sections for node in section.below() if node.tag in ("element", "bone")]
    if not places or root is None or any(node.tag in ("replicate", "attach") for node in root.below()):
        return
    known = _known_names(scene)
    for node in places:
        tag = "bone" if node.tag == "bone" else "tuple"
        kind = "body" if tag == "bone" else _kind_of_word(node.attrs.get("objtype", ""))
        name = node.attrs.get("body" if tag == "bone" else "objname")
        if kind and name and name not in known[kind]:
            yield "document", _absence_text(tag, kind, name), node.source


def _names_of_sensor(sensor: Sensor, said: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the references of a sensor, each with its kind ("": none that is known here)."""
    yield from ((MEASURED[key], name) for key, name in said.items() if key in MEASURED)
    for name, kind in OBJECT:
        if name in said:
            yield _kind_of_word(said.get(kind, "")), said[name]
    if sensor.target is not None:
        own = TARGETS.get(sensor.kind, "")
        yield _kind_of_word(said.get("objtype", "") if own == "objname" else own), sensor.target


def _kind_of_word(word: str) -> str:
    return word if word in OTHERS else MEASURED.get(word, "")


def _absence_text(tag: str, kind: str, name: str) -> str:
    return f"<{tag}> names the {kind} {name!r}, which does not exist"
