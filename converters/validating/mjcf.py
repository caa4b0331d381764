"""What MuJoCo refuses although each word of it is known: dangling names, long keyframes, ranges that do not grow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from converters.mjcf.sensors import TARGETS
from converters.validating.model import Breach, Model
from ir.kinematics import COORDINATES
from ir.scene import Scene
from ir.types import WORLD, DofKind


def check(model: Model) -> Iterator[Breach]:
    if model.format != "mjcf":
        return
    documents: list[Any] = [*model.reading.context.documents]
    for document in documents:
        yield from _keyframes(document.root, model.scene)
    yield from _sensors(model.scene)
    yield from _tendons(model.scene)
    for joint in model.scene.joints.values():
        kinds = [dof.kind for dof in joint.dofs]
        weights = {DofKind.FREE: 6, DofKind.BALL: 3}
        total = sum(weights.get(kind, 1) for kind in kinds)
        behind = DofKind.BALL in kinds and DofKind.HINGE in kinds[kinds.index(DofKind.BALL) :]
        if total > 6 or behind:
            message = f"{total} degrees of freedom" if total > 6 else "a hinge behind a ball"
            yield Breach(rule="MJCF-DOFS", where=f"joint/{joint.name}", message=message, source=joint.source)


MEASURED = {"subtree1": "body", "subtree2": "body", "xbody": "body"} | {
    f"{kind}{end}": kind for kind in ("body", "geom", "site", "camera", "mesh") for end in ("", "1", "2")
}
"""Attribute of a sensor, or type of object, -> what it names."""
REFERENCE = ("refname", "reftype")


def _sensors(scene: Scene) -> Iterator[Breach]:
    """Names in a sensor beside that of what it is mounted on."""
    if not scene.tables["sensor"]:
        return
    bodies = scene.bodies.values()
    known = {
        "body": {*scene.bodies, WORLD},
        "geom": {geom.name for body in bodies for geom in body.geoms},
        "site": {frame.name for body in bodies for frame in body.frames},
        "camera": {camera.name for body in bodies for camera in body.cameras},
        "mesh": set(scene.assets),
    }
    anything = set().union(*known.values())
    for sensor in scene.tables["sensor"].values():
        said = dict(sensor.parameters)
        named = [(MEASURED[key], name) for key, name in said.items() if key in MEASURED]
        if REFERENCE[0] in said:
            named.append((MEASURED.get(said.get(REFERENCE[1], ""), ""), said[REFERENCE[0]]))
        if sensor.target in anything:  # what nothing at all is called is told of every format
            own = TARGETS.get(sensor.kind, "")
            named.append((MEASURED.get(said.get("objtype", "") if own == "objname" else own, ""), sensor.target))
        for kind, name in named:
            if kind and name and name not in known[kind]:
                message = f"<{sensor.kind}> names the {kind} {name!r}, which does not exist"
                yield Breach(rule="REF-MISSING", where=f"sensor/{sensor.name}", message=message, source=sensor.source)


def _tendons(scene: Scene) -> Iterator[Breach]:
    """A sum of coordinates has no place for a joint that has more than one."""
    dofs = scene.dofs()
    for tendon in scene.tables["tendon"].values():
        for point in tendon.points:
            found = dofs.get(point.target) if point.kind == "joint" else None
            if found is not None and found[1].kind in (DofKind.BALL, DofKind.FREE):
                message = f"the joint {point.target!r} is neither a hinge nor a slide"
                yield Breach(rule="MJCF-TENDON", where=f"tendon/{tendon.name}", message=message, source=tendon.source)


def _keyframes(root: Any, scene: Scene) -> Iterator[Breach]:
    """MuJoCo fills up what is short, and refuses what is long."""
    count = sum(COORDINATES.get(dof.kind, 1) for joint in scene.joints.values() for dof in joint.dofs)
    for section in root.elements():
        for key in section.elements() if section.tag == "keyframe" else ():
            given = len(key.attrs.get("qpos", "").split())
            if given > count:
                message = f"qpos has {given} numbers, the model {count}"
                where = f"keyframe/{key.attrs.get('name', '')}"
                yield Breach(rule="MJCF-KEYFRAME", where=where, message=message, source=key.place("qpos"))
