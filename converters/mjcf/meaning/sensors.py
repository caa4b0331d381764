"""Sensors at one site as one device of other formats: an accelerometer and a gyro become an IMU. relations.sensors has
the reverse."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import groupby

from msgspec.structs import replace

from converters.context import Options
from converters.format import Pass, Target
from converters.mjcf.relations.sensors import CONTACT, MADE, TARGETS, WRENCH
from ir.folds import noise_deviation, without_trailing_zeros
from ir.mapping import map_table
from ir.names import unique
from ir.pose import conjugate, multiply
from ir.rays import KIND, REACH, UP, fan, reach_of, site_of
from ir.scene import Address, Scene
from ir.seals import INTERVAL, colliding, contact_body, rate
from ir.types import WORLD, Body, DofKind, Frame, Joint, Pose, Scan, Sensor, Vec3

DEVICES = {kind: device for device, kinds in MADE.items() for kind in kinds if TARGETS[kind] == "site"}
"""Kind of sensor -> the device that measures it; an attitude (framequat) belongs to a device with another sensor."""
BETWEEN = frozenset({"geom2", "body2", "subtree1", "subtree2", "site"})
"""Parameters of a contact sensor that exclude some contacts of the object it measures."""
Apply = Callable[[Scene, Target], Scene]
Find = Callable[[Sensor], Sensor | None]
"""Returns the sensor that another format has instead of a sensor, with its place, or None."""
CLOSE = 1e-9
"""Metres within which a site and the origin of a joint are the same place."""


def _site_of(sensor: Sensor) -> str | None:
    """Return the site of a sensor if it has one and measures relative to the world."""
    if sensor.kind in DEVICES:
        return sensor.target
    said = dict(sensor.parameters)
    whole = sensor.kind in MADE["imu"] and said.get("objtype") == "site" and "reftype" not in said
    return sensor.target if whole else None


def _devices_at_sites(scene: Scene) -> Iterator[tuple[str, str, dict[str, Sensor]]]:
    """Yield site, device and its parts by kind, in file order."""
    found: dict[tuple[str, str, int], dict[str, Sensor]] = {}
    turns: Counter[tuple[str, str]] = Counter()
    for sensor in scene.tables["sensor"].values():
        site = _site_of(sensor)
        if site is not None:
            turn = turns[site, sensor.kind]
            turns[site, sensor.kind] += 1
            found.setdefault((site, DEVICES.get(sensor.kind, "imu"), turn), {})[sensor.kind] = sensor
    for (site, device, _), parts in found.items():
        if any(kind in DEVICES for kind in parts):
            yield site, device, parts


def _origin_of_joint(joint: Joint) -> Vec3:
    anchors = (dof.anchor for dof in joint.dofs if dof.kind is not DofKind.SLIDE)
    return next(anchors, (0.0, 0.0, 0.0))


def _can_measure(joint: Joint | None, options: Options) -> bool:
    """Whether the target has a joint at this place that transmits the whole wrench."""
    if joint is None or (joint.parent == WORLD and options.base == "floating"):
        return False
    return not joint.dofs or (len(joint.dofs) == 1 and joint.dofs[0].kind is not DofKind.FREE)


def _torque_is_elsewhere(joint: Joint | None, parts: Mapping[str, Sensor], frame: Frame) -> bool:
    """Whether a torque is measured, and not about the origin of the joint."""
    if joint is None or "torque" not in parts:
        return False
    return any(abs(a - b) > CLOSE for a, b in zip(_origin_of_joint(joint), frame.pose.pos, strict=True))


def _contact_finder(scene: Scene) -> Find:
    """Return a function that converts contact sensors which measure all contacts of geoms of one body."""
    owners = scene.homes()

    def find(sensor: Sensor) -> Sensor | None:
        apart = BETWEEN.isdisjoint(name for name, _ in sensor.parameters)
        found = contact_body(scene, owners, [sensor]) if apart else None
        if found is None or not found[1]:
            return None
        return Sensor(name="", kind=CONTACT, body=found[0], touching=found[1])

    return find


def _touch_finder(scene: Scene) -> Find:
    """Return a function that converts touch sensors to contact sensors of all colliding geoms of their body."""
    frames = scene.frames()

    def find(sensor: Sensor) -> Sensor | None:
        body = frames[sensor.target][0] if sensor.target in frames else None
        geoms = colliding(body) if body is not None else ()
        return Sensor(name="", kind=CONTACT, body=body.name, touching=geoms) if body is not None and geoms else None

    return find


def _ray_finder(scene: Scene) -> Find:
    """Return a function that converts rangefinders to lidars of one ray along x."""
    frames = scene.frames()

    def find(sensor: Sensor) -> Sensor | None:
        home = frames.get(site_of(sensor))
        if home is None or not _is_plain_ray(sensor):
            return None
        body, frame = home
        pose = Pose(frame.pose.pos, multiply(frame.pose.rot, conjugate(UP)))
        return _as_lidar(body, pose, Scan(far=reach_of(sensor)), sensor)

    return find


def _is_plain_ray(sensor: Sensor) -> bool:
    """Whether a sensor measures only a distance along a ray."""
    return {name for name, _ in sensor.parameters} <= {"site", REACH, "noise", *INTERVAL}


def _as_lidar(body: Body, pose: Pose, scan: Scan, part: Sensor) -> Sensor:
    return Sensor(
        name="",
        kind="gpu_lidar",
        body=body.name,
        pose=pose,
        scan=scan,
        noise=without_trailing_zeros([noise_deviation(part)]),
    )


def _with_lidars(scene: Scene, _: Target) -> Scene:
    """Combine consecutive rangefinders at one place of a body with evenly spaced directions into one lidar."""
    table: dict[str, Sensor] = scene.tables["sensor"]
    frames = scene.frames() if any(sensor.kind == KIND for sensor in table.values()) else {}

    def place(sensor: Sensor) -> tuple[str, Vec3] | None:
        home = (
            frames.get(site_of(sensor))
            if sensor.kind == KIND and _is_plain_ray(sensor) and sensor.body is None
            else None
        )
        return (home[0].name, home[1].pose.pos) if home is not None and home[0].name != WORLD else None

    left: list[Sensor] = []
    origins: dict[Address, tuple[Address, ...]] = {}
    for where, run in groupby(table.values(), place):
        parts = [*run]
        found = fan([frames[site_of(part)][1].pose for part in parts], parts) if where is not None else None
        if where is None or found is None:
            left += parts
            continue
        first = parts[0]
        made = _as_lidar(scene.body(where[0]), *found, first)
        left.append(replace(made, name=first.name, rate=rate(first), source=first.source))
        origins["sensor/" + first.name,] = tuple((f"sensor/{part.name}",) for part in parts)
    return scene.evolve(tables={"sensor": left}, origins=origins) if origins else scene


def _of_one_part(kind: str, of: Callable[[Scene], Find]) -> Apply:
    """Return a pass function that replaces each sensor of a kind by its equivalent, unless that is on the world."""

    def apply(scene: Scene, _: Target) -> Scene:
        if not any(sensor.kind == kind for sensor in scene.tables["sensor"].values()):
            return scene
        find = of(scene)

        def changed(sensor: Sensor) -> Sensor:
            found = find(sensor) if sensor.kind == kind and sensor.body is None else None
            if found is None or found.body == WORLD:
                return sensor
            return replace(found, name=sensor.name, label=sensor.label, rate=rate(sensor), source=sensor.source)

        return map_table(scene, "sensor", changed)

    return apply


def _with_devices(wanted: Callable[[bool], bool]) -> Apply:
    def apply(scene: Scene, target: Target) -> Scene:
        table: dict[str, Sensor] = scene.tables["sensor"]
        homes: dict[str, tuple[Body, Frame]] = {}
        if any(sensor.kind in DEVICES for sensor in table.values()):
            homes = scene.frames()
        gone: dict[str, Sensor | None] = {}
        origins: dict[Address, tuple[Address, ...]] = {}
        names = set(table)
        for site, device, parts in _devices_at_sites(scene):
            body, frame = homes.get(site, (None, None))
            if body is None or frame is None or body.name == WORLD:
                continue
            joint = scene.joint_of(body.name) if device == WRENCH else None
            if (device == WRENCH and not _can_measure(joint, target.options)) or not wanted(
                _torque_is_elsewhere(joint, parts, frame)
            ):
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
                noise=without_trailing_zeros(noise_deviation(parts[kind]) if kind in parts else 0.0 for kind in kinds),
                source=first.source,
            )
            gone |= {part.name: None for part in others} | {first.name: made}
            origins["sensor/" + name,] = tuple((f"sensor/{part.name}",) for part in parts.values())
        if not gone:
            return scene
        left = [gone.get(name, sensor) for name, sensor in table.items()]
        return scene.evolve(tables={"sensor": [sensor for sensor in left if sensor is not None]}, origins=origins)

    return apply


def _by_device(target: Target) -> bool:
    """Whether sensors of the target are devices, instead of one quantity each at a site."""
    return target.fits.sensors_see and not target.fits.wrench_sites


MOVED = Pass(
    rule="mjcf/torque-origin",
    reason="the target measures force and torque at a joint, with the torque about the origin of the joint; "
    "the site of this sensor is elsewhere",
    action="approximated",
    wanted=_by_device,
    apply=_with_devices(lambda far: far),
    moves=True,
)
DEVICE = Pass(
    rule="mjcf/device",
    reason="the sensors at a site become one device of the target, which measures all that its kind does: an "
    "IMU acceleration, angular velocity and attitude, a sensor at a joint force and torque; noise and a "
    "common interval are converted, other settings (cutoff, delay) are not",
    severity="note",
    wanted=_by_device,
    apply=_with_devices(lambda far: not far),
    moves=True,
)
TOUCHED = Pass(
    rule="mjcf/touch",
    reason="a touch sensor gives the normal force on its body inside its site; its nearest equivalent in the "
    "target measures the contacts of all collisions of the link",
    action="approximated",
    wanted=_by_device,
    apply=_of_one_part("touch", _touch_finder),
)
CONTACTS = Pass(
    rule="mjcf/contact-sensor",
    reason="a contact sensor of the target belongs to a link and reports all data of the contacts; other "
    "settings (data, num, reduce, cutoff, delay) are not converted",
    severity="note",
    wanted=_by_device,
    apply=_of_one_part(CONTACT, _contact_finder),
)
RAYS = Pass(
    rule="mjcf/one-ray",
    reason="a rangefinder becomes a lidar of one ray, which needs a maximum range: 1000 m where there is no "
    "cutoff; data other than the distance is not converted",
    severity="note",
    wanted=_by_device,
    apply=_of_one_part(KIND, _ray_finder),
)
FAN = Pass(
    rule="mjcf/fan",
    reason="rangefinders at one place with evenly spaced directions become one lidar, which needs a maximum "
    "range: 1000 m where there is no cutoff",
    severity="note",
    wanted=_by_device,
    apply=_with_lidars,
    moves=True,
)
