"""Frames as massless links, for a target without frames; and links that are merely frames as frames, for others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from msgspec.structs import replace

from converters.format import Pass, Target
from ir.names import Spares
from ir.pose import compose
from ir.refs import entities, references
from ir.removal import without
from ir.scene import Address, Origins, Scene, address
from ir.types import WORLD, Body, Frame, Joint, Pose, Sensor

ROLE = "frame"
"""Role of the frames that are meant to be known by name; sites and mounts of simulators have other roles."""
PLANNING = ("group", "end_effector", "approximation", "contact")
"""Tables for motion planning. A link without a shape never collides, whatever a rule says."""


def _as_links(scene: Scene, target: Target) -> Scene:
    taken = set(scene.bodies)
    spares = Spares(taken)
    names = Spares(scene.joints)
    bodies: list[Body] = []
    links: list[Body] = []
    joints: list[Joint] = []
    origins: Origins = {}
    grounded = any(joint.parent == WORLD for joint in scene.joints.values())  # otherwise no link represents the world
    asked = target.options.sites == "links"
    for body in scene.bodies.values():
        kept = []
        for frame in body.frames:
            named = frame.role == ROLE
            if (frame.name in taken if named else not asked) or (body.name == WORLD and (named or not grounded)):
                kept.append(frame)
                continue
            if not named:  # kept for what refers to the site
                kept.append(frame)
            link = spares.of(frame.name)
            taken.add(link)
            name = names.of(f"{link}_joint")
            origins["body/" + link,] = origins["joint/" + link,] = ((f"body/{body.name}", "frames", frame.name),)
            links.append(Body(name=link, source=frame.source))
            joints.append(Joint(name=name, parent=body.name, child=link, pose=frame.pose, source=frame.source))
        bodies.append(replace(body, frames=tuple(kept)) if len(kept) < len(body.frames) else body)
    if not links:
        return scene
    return scene.evolve(bodies=[*bodies, *links], joints=[*scene.joints.values(), *joints], origins=origins)


LINKS = Pass(
    rule="frames/link",
    reason="the target has no named frames: a link without mass on a fixed joint has the name",
    severity="note",
    wanted=lambda target: not target.fits.frames,
    apply=_as_links,
)


def _as_frames(scene: Scene, _: Target) -> Scene:
    """A sensor on such a link moves to the body that holds it, at the same place; one that measures a joint keeps the
    joint."""
    gone = _no_more_than_frames(scene)
    if not gone:
        return scene
    homes = _homes(gone)
    spares = Spares(scene.frames())
    made: dict[tuple[str, str], str] = {}
    added: dict[str, list[Frame]] = {}
    for link, joint in gone.items():
        body = scene.body(link)
        home, pose = homes[link]
        for entity in (body, joint) if joint.name != link else (body,):
            name = spares.of(entity.name)
            added.setdefault(home, []).append(Frame(name=name, pose=pose, source=entity.source))
            made[home, name] = link
    bodies = [
        replace(body, frames=(*body.frames, *reversed(added[body.name]))) if body.name in added else body
        for body in scene.bodies.values()
        if body.name not in gone
    ]
    joints = [joint for joint in scene.joints.values() if joint.child not in gone]
    sensors: dict[str, Sensor] = scene.tables["sensor"]
    moved = {name: _moved_to_holder(sensor, homes) for name, sensor in sensors.items()}
    there: dict[str | None, list[Address]] = {}
    for name, sensor in moved.items():
        if sensor is not sensors[name]:
            there.setdefault(sensors[name].body, []).extend(((f"sensor/{name}", "body"), (f"sensor/{name}", "pose")))
    origins: Origins = {
        (f"body/{parent}", "frames", name): (("body/" + body,), address(gone[body]), *there.get(body, ()))
        for (parent, name), body in made.items()
    }
    left = scene.evolve(bodies=bodies, joints=joints, tables={"sensor": moved.values()}, origins=origins)
    named = {("body", link) for link in gone} | {("joint", joint.name) for joint in gone.values()}
    return without(left, named) if any(scene.tables[kind] for kind in PLANNING) else left


def _no_more_than_frames(scene: Scene) -> dict[str, Joint]:
    """Links that are merely a place on the link that holds them, and their joints. Children of such a link may be of
    the same kind. References of planners keep none of them, since simulators ignore these."""
    used = {
        reference.name
        for kind, entity in entities(scene)
        if kind not in ("joint", *PLANNING)
        for reference in references(entity)
        if ("body" in reference.kind and not isinstance(entity, Sensor)) or "joint" in reference.kind
    }
    held = Counter(joint.parent for joint in scene.joints.values())
    found: dict[str, Joint] = {}
    for joint, body in reversed(list(scene.walk())):
        if joint is None or joint.dofs or joint.parent == WORLD or body.name in used or joint.name in used:
            continue
        if not held[body.name] and _is_empty(body):
            found[body.name] = joint
            held[joint.parent] -= 1
    return found


def _moved_to_holder(sensor: Sensor, homes: Mapping[str, tuple[str, Pose]]) -> Sensor:
    if sensor.body is None or sensor.body not in homes:
        return sensor
    home, pose = homes[sensor.body]
    return replace(sensor, body=home, pose=compose(pose, sensor.pose))


def _homes(gone: dict[str, Joint]) -> dict[str, tuple[str, Pose]]:
    """For each removed link (gone: children before their parents) the remaining body that holds it, and its pose in the
    frame of that."""
    homes: dict[str, tuple[str, Pose]] = {}
    for link, joint in reversed(gone.items()):
        home, pose = homes.get(joint.parent, (joint.parent, Pose()))
        homes[link] = home, compose(pose, joint.pose)
    return homes


def _is_empty(body: Body) -> bool:
    """Whether a link is merely a frame."""
    return replace(body, label=None, source=None, extras=()) == Body(name=body.name, scope=body.scope)


FRAMES = Pass(
    rule="frames/massless-link",
    reason="simulators need mass in each link: one that has none, and nothing else in it, becomes a frame of its name",
    wanted=lambda target: target.fits.empty_links_are_frames(target.options),
    apply=_as_frames,
)
