"""Sensors at one site as the device that other formats have in their place: an accelerometer and a gyro are an IMU. The
way back is relations.sensors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from msgspec.structs import replace

from converters.context import Options
from converters.format import Pass, Target
from converters.mjcf.relations.sensors import CONTACT, MADE, TARGETS, WRENCH
from ir.folds import colliding, felt, noise, rate, trimmed
from ir.mapping import map_table
from ir.names import unique
from ir.scene import Address, Scene
from ir.types import WORLD, Body, DofKind, Frame, Joint, Sensor, Vec3

DEVICES = {kind: device for device, kinds in MADE.items() for kind in kinds if TARGETS[kind] == "site"}
"""Kind of sensor -> the device that measures this; an attitude (framequat) belongs to one that has something else."""
BETWEEN = frozenset({"geom2", "body2", "subtree1", "subtree2", "site"})
"""Parameters of a sensor of contact that leave out contacts of what it is about."""
Apply = Callable[[Scene, Target], Scene]
CLOSE = 1e-9
"""Metres between a site and the origin of a joint that are one place."""


def _site(sensor: Sensor) -> str | None:
    """Where it stands, if that is a site and it measures against the world."""
    if sensor.kind in DEVICES:
        return sensor.target
    said = dict(sensor.parameters)
    whole = sensor.kind in MADE["imu"] and said.get("objtype") == "site" and "reftype" not in said
    return sensor.target if whole else None


def _devices(scene: Scene) -> Iterator[tuple[str, str, dict[str, Sensor]]]:
    """Site, device and the parts of it by their kinds, in the order of the file."""
    found: dict[tuple[str, str, int], dict[str, Sensor]] = {}
    turns: Counter[tuple[str, str]] = Counter()
    for sensor in scene.tables["sensor"].values():
        site = _site(sensor)
        if site is not None:
            turn = turns[site, sensor.kind]
            turns[site, sensor.kind] += 1
            found.setdefault((site, DEVICES.get(sensor.kind, "imu"), turn), {})[sensor.kind] = sensor
    for (site, device, _), parts in found.items():
        if any(kind in DEVICES for kind in parts):
            yield site, device, parts


def _origin(joint: Joint) -> Vec3:
    anchors = (dof.anchor for dof in joint.dofs if dof.kind is not DofKind.SLIDE)
    return next(anchors, (0.0, 0.0, 0.0))


def _measurable(joint: Joint | None, options: Options) -> bool:
    """Whether a joint of the target stands for it, which all of what it transmits goes through."""
    if joint is None or (joint.parent == WORLD and options.base == "floating"):
        return False
    return not joint.dofs or (len(joint.dofs) == 1 and joint.dofs[0].kind is not DofKind.FREE)


def _far(joint: Joint | None, parts: Mapping[str, Sensor], frame: Frame) -> bool:
    """Whether there is a torque, and it is not about the origin of the joint."""
    if joint is None or "torque" not in parts:
        return False
    return any(abs(a - b) > CLOSE for a, b in zip(_origin(joint), frame.pose.pos, strict=True))


def _contacts(scene: Scene, sensor: Sensor, homes: Mapping[str, str]) -> tuple[str, tuple[str, ...]] | None:
    """The body and the geoms of it whose contacts with anything a sensor of contact measures."""
    said = {name for name, _ in sensor.parameters}
    return felt(scene, homes, [sensor]) if sensor.kind == CONTACT and said.isdisjoint(BETWEEN) else None


def _touches(scene: Scene, sensor: Sensor, homes: Mapping[str, str]) -> tuple[str, tuple[str, ...]] | None:
    """The body of the site at which a touch sensor is, and its geoms."""
    body = homes.get(sensor.target or "") if sensor.kind == "touch" else None
    return (body, colliding(scene.body(body))) if body is not None else None


def _feeling(of: Callable[[Scene, Sensor, Mapping[str, str]], tuple[str, tuple[str, ...]] | None]) -> Apply:
    def apply(scene: Scene, _: Target) -> Scene:
        homes = {frame.name: body.name for body in scene.bodies.values() for frame in (*body.frames, *body.geoms)}

        def changed(sensor: Sensor) -> Sensor:
            found = of(scene, sensor, homes) if sensor.body is None else None
            if found is None or found[0] == WORLD or not found[1]:
                return sensor
            made = Sensor(name=sensor.name, label=sensor.label, kind=CONTACT, source=sensor.source, rate=rate(sensor))
            return replace(made, body=found[0], geoms=found[1])

        return map_table(scene, "sensor", changed)

    return apply


def _applied(wanted: Callable[[bool], bool]) -> Apply:
    def apply(scene: Scene, target: Target) -> Scene:
        table: dict[str, Sensor] = scene.tables["sensor"]
        homes: dict[str, tuple[Body, Frame]] = {}
        if any(sensor.kind in DEVICES for sensor in table.values()):
            homes = scene.frames()
        gone: dict[str, Sensor | None] = {}
        origins: dict[Address, tuple[Address, ...]] = {}
        names = set(table)
        for site, device, parts in _devices(scene):
            body, frame = homes.get(site, (None, None))
            if body is None or frame is None or body.name == WORLD:
                continue
            joint = scene.joint_of(body.name) if device == WRENCH else None
            if (device == WRENCH and not _measurable(joint, target.options)) or not wanted(_far(joint, parts, frame)):
                continue
            first, *others = parts.values()
            names -= {part.name for part in parts.values()}
            name = unique(site, names) if others else first.name
            names.add(name)
            rates = {rate(part) for part in parts.values()}
            kinds = [kind for kind in MADE[device] if kind in DEVICES]
            made = Sensor(
                name=name,
                label=None if others else first.label,
                kind=device,
                body=body.name,
                target=joint.name if joint is not None else None,
                pose=frame.pose,
                rate=rates.pop() if len(rates) == 1 else None,
                noise=trimmed(noise(parts[kind]) if kind in parts else 0.0 for kind in kinds),
                source=first.source,
            )
            gone |= {part.name: None for part in others} | {first.name: made}
            origins["sensor/" + name,] = tuple((f"sensor/{part.name}",) for part in parts.values())
        if not gone:
            return scene
        left = [gone.get(name, sensor) for name, sensor in table.items()]
        return scene.evolve(tables={"sensor": [sensor for sensor in left if sensor is not None]}, origins=origins)

    return apply


MOVED = Pass(
    rule="mjcf/torque-origin",
    reason="the target measures force and torque at a joint, and a torque about the origin of that; here it is "
    "about a site that stands elsewhere",
    action="approximated",
    wanted=lambda target: target.fits.sensors_see and not target.fits.wrench_sites,
    apply=_applied(lambda far: far),
    moves=True,
)
DEVICE = Pass(
    rule="mjcf/device",
    reason="sensors of one site are one device in the target, which measures all that its kind does: an IMU "
    "acceleration, turning and attitude, a sensor of a joint force and torque; their noise goes with them, and "
    "the interval that all of them have; what else they say (cutoff, delay) does not",
    severity="note",
    wanted=lambda target: target.fits.sensors_see and not target.fits.wrench_sites,
    apply=_applied(lambda far: not far),
    moves=True,
)
TOUCHED = Pass(
    rule="mjcf/touch",
    reason="a touch sensor gives how hard its body is touched inside of its site; the nearest of the target measures "
    "the contacts of all collisions of the link",
    action="approximated",
    wanted=lambda target: target.fits.sensors_see and not target.fits.wrench_sites,
    apply=_feeling(_touches),
)
CONTACTS = Pass(
    rule="mjcf/contact-sensor",
    reason="a sensor of contact stands on its link in the target and measures all that there is of the contacts; "
    "what else it says (data, num, reduce, cutoff, delay) does not go with it",
    severity="note",
    wanted=lambda target: target.fits.sensors_see and not target.fits.wrench_sites,
    apply=_feeling(_contacts),
)
