"""Read and write <keyframe>: one vector in the file, coordinates by name in the graph."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from itertools import islice

from msgspec.structs import replace

from converters.mjcf.document.attributes import ElementNames, name_attribute, put
from converters.mjcf.document.flexible import before_soft
from converters.mjcf.relations.actuators import activation_count, control_count
from converters.mjcf.relations.grounds import Grounds
from converters.mjcf.tables import FORMAT
from converters.source.text import numbers
from converters.source.tree import Element, restore
from converters.source.xml import Node
from ir.kinematics import rest, velocity_size
from ir.names import unique
from ir.pose import normalise
from ir.scene import Scene
from ir.types import IDENTITY, WORLD, Actuator, Body, Joint, Keyframe, Pose

TURNING = ("qpos", "mquat")
"""Vectors of a keyframe that contain rotations."""
NamedValues = tuple[tuple[str, tuple[float, ...]], ...]


def layout(scene: Scene, whole: bool = False) -> list[tuple[str, tuple[float, ...], int]]:
    """Return name, coordinates as the model is drawn, and number of velocities of each dof, in MuJoCo's order.

    whole: also of those after a <flexcomp>; only MuJoCo knows how many coordinates precede theirs.
    """
    found = []
    for joint, _ in islice(scene.walk(), None if whole else before_soft(scene)):
        if joint is not None:
            found += [(dof.name, rest(joint, dof), velocity_size(dof)) for dof in joint.dofs]
    return found


def vectors(scene: Scene) -> dict[str, int]:
    """Return the lengths of the vectors of a keyframe, except qpos; without those that only MuJoCo knows."""
    dofs = layout(scene)
    actuators: list[Actuator] = list(scene.tables["actuator"].values())
    bodies = len(list(_mocap_bodies(scene)))
    found = {} if before_soft(scene) is not None else {"qvel": sum(count for *_, count in dofs)}
    for name, counts in (("act", [*map(activation_count, actuators)]), ("ctrl", [*map(control_count, actuators)])):
        known = [count for count in counts if count is not None]
        if len(known) == len(counts):
            found[name] = sum(known)
    return found | {"mpos": 3 * bodies, "mquat": 4 * bodies}


def read_keyframes(sections: Sequence[Node], scene: Scene) -> None:
    """Add the keyframes to the scene. Values as drawn are omitted; vectors that are too long are kept as written."""
    names = ElementNames(sections, scene.tables["keyframe"])
    dofs = layout(scene)
    mocap = list(_mocap_bodies(scene))
    actuators: list[Actuator] = list(scene.tables["actuator"].values())
    for node in (node for section in sections for node in section.findall("key")):
        node.visit()
        loose: list[tuple[str, str]] = []
        positions = _split_vector(node, "qpos", [(name, values) for name, values, _ in dofs], loose)
        velocities = _split_vector(node, "qvel", [(name, (0.0,) * count) for name, _, count in dofs], loose)
        controls = _split_vector(node, "ctrl", _zeros_of_actuators(actuators, control_count), loose)
        active = _split_vector(node, "act", _zeros_of_actuators(actuators, activation_count), loose)
        places = dict(_split_vector(node, "mpos", [(body.name, pose.pos) for body, pose in mocap], loose, whole=True))
        turns = dict(_split_vector(node, "mquat", [(body.name, pose.rot) for body, pose in mocap], loose, whole=True))
        if "plastic" in node.attrs:
            loose.append(("plastic", node.attempt(node.need, "plastic") or ""))
        name, label = names.of(node, "key")
        scene.add(
            "keyframe",
            Keyframe(
                name=name,
                label=label,
                time=node.number("time") or 0.0,
                positions=positions,
                velocities=velocities,
                controls=controls,
                activations=active,
                poses=tuple(
                    (body.name, (*places.get(body.name, pose.pos), *turns.get(body.name, pose.rot)))
                    for body, pose in mocap
                    if body.name in places or body.name in turns
                ),
                parameters=tuple(loose),
                source=node.source,
                extras=node.rest(),
            ),
        )


def read_attached(scene: Scene, own: Scene, prefix: str, called: Callable[[str, str], str]) -> None:
    """Add the keyframes of a model attached under a prefix; own is that model by itself, called returns the name of an
    object in the scene: of several copies that of the first.

    What is not attached is omitted; the rest of the scene is as drawn, and a nameless keyframe has the prefix as its
    name, as in MuJoCo.
    """
    table = scene.tables["keyframe"]
    alone = {name: usual for name, usual, _ in layout(own, whole=True)}
    usual = {name: rest for name, rest, _ in layout(scene, whole=True)}
    places = {body.name: (*pose.pos, *pose.rot) for body, pose in _mocap_bodies(scene)}
    alone_places = {body.name: (*pose.pos, *pose.rot) for body, pose in _mocap_bodies(own)}
    driven = _actuator_names(scene, own, prefix, called)
    key: Keyframe
    for key in own.tables["keyframe"].values():
        whole = alone | dict(key.positions) if _says_joints(key) else {}
        held = alone_places | dict(key.poses) if key.poses else {}
        name = f"{prefix}{key.name}" if key.label is None else prefix
        moved = replace(
            key,
            name=unique(name or "key", table),
            label="" if not name or name in table else None,
            positions=_renamed_values("joint", whole, called, usual, usual),
            velocities=_renamed_values("joint", dict(key.velocities), called, usual, {}),
            controls=tuple((driven[name], values) for name, values in key.controls if name in driven),
            activations=tuple((driven[name], values) for name, values in key.activations if name in driven),
            poses=_renamed_values("body", held, called, places, places),
            parameters=tuple(item for item in key.parameters if item[0] == "plastic"),
        )
        scene.add("keyframe", moved)


def _actuator_names(scene: Scene, own: Scene, prefix: str, called: Callable[[str, str], str]) -> dict[str, str]:
    """Return the name in the scene of each actuator of an attached model that can be identified by its target."""
    there: dict[tuple[str, str, str], list[Actuator]] = {}
    each: Actuator
    for each in scene.tables["actuator"].values():
        there.setdefault((each.kind, each.transmission, each.dof or each.target or ""), []).append(each)
    found: dict[str, str] = {}
    for each in own.tables["actuator"].values():
        kind = "joint" if each.dof is not None else each.transmission.replace("slidercrank", "site")
        alike = there.get((each.kind, each.transmission, called(kind, each.dof or each.target or "")), [])
        stem = f"{prefix}{each.name}" if each.label is None else ""
        same = [one for one in alike if (one.label is None) is bool(stem) and one.name.startswith(stem)]
        if same:
            found[each.name] = same[0].name
            alike.remove(same[0])
    return found


def _says_joints(key: Keyframe) -> bool:
    return key.source is not None and isinstance(key.source.at, Node) and "qpos" in key.source.at.attrs


def _renamed_values(
    kind: str,
    said: Mapping[str, tuple[float, ...]],
    called: Callable[[str, str], str],
    known: Container[str],
    usual: Mapping[str, tuple[float, ...]],
) -> NamedValues:
    """Return values by the names of objects after attachment, without defaults."""
    whole = ((called(kind, name), values) for name, values in said.items())
    return tuple((name, values) for name, values in whole if name in known and usual.get(name) != values)


def is_mocap(body: Body, joint: Joint) -> bool:
    """Whether MuJoCo treats a body as a mocap body: kinematic, and attached to the world without joints."""
    return body.kinematic and joint.parent == WORLD and not joint.dofs


def _mocap_bodies(scene: Scene) -> Iterator[tuple[Body, Pose]]:
    for joint, body in scene.walk():
        if joint is not None and is_mocap(body, joint):
            yield body, joint.pose


def _zeros_of_actuators(
    actuators: Sequence[Actuator], count_of: Callable[[Actuator], int | None]
) -> list[tuple[str, tuple[float, ...]]]:
    """Return zeros for each actuator that has such values; an empty list if the count of one is unknown: all of them
    are then kept as written."""
    counts = [count_of(actuator) for actuator in actuators]
    if None in counts:
        return []
    return [(actuator.name, (0.0,) * count) for actuator, count in zip(actuators, counts, strict=True) if count]


def _split_vector(
    node: Node,
    attribute: str,
    parts: Sequence[tuple[str, tuple[float, ...]]],
    loose: list[tuple[str, str]],
    whole: bool = False,
) -> NamedValues:
    """Return the parts of the vector that differ from their defaults. Missing values have their defaults; whole: an
    incomplete part has only defaults (measured, MuJoCo 4)."""
    values = node.vector(attribute)
    if values is None:
        return ()
    if len(values) > sum(len(usual) for _, usual in parts):
        loose.append((attribute, numbers(values)))
        return ()
    found, start = [], 0
    for name, usual in parts:
        piece = values[start : start + len(usual)]
        start += len(usual)
        piece = usual if whole and len(piece) < len(usual) else piece + usual[len(piece) :]
        piece = _with_unit_rotation(piece) if attribute in TURNING and len(usual) in (4, 7) else piece
        if piece != usual:
            found.append((name, piece))
    return tuple(found)


def _with_unit_rotation(piece: tuple[float, ...]) -> tuple[float, ...]:
    """Return the coordinates of a free or ball joint with a unit rotation; a zero one becomes the identity."""
    *place, w, x, y, z = piece
    return (*place, *(normalise((w, x, y, z)) if any((w, x, y, z)) else IDENTITY.rot))


def write_keyframes(root: Element, scene: Scene, grounds: Grounds) -> None:
    """Append <keyframe>; joints that a state does not contain are as drawn."""
    table = scene.tables["keyframe"]
    if not table:
        return
    section = root.add("keyframe")
    dofs = layout(scene)
    mocap = list(_mocap_bodies(scene))
    table_of_actuators: Mapping[str, Actuator] = scene.tables["actuator"]
    actuators = [each for name, each in table_of_actuators.items() if ("actuator", name) in grounds.written]
    key: Keyframe
    for key in table.values():
        attrs = name_attribute(key)
        put(attrs, "time", key.time, 0.0)
        _join_vector(attrs, "qpos", [(name, values) for name, values, _ in dofs], dict(key.positions))
        _join_vector(attrs, "qvel", [(name, (0.0,) * count) for name, _, count in dofs], dict(key.velocities))
        _join_vector(attrs, "act", _zeros_of_actuators(actuators, activation_count), dict(key.activations))
        _join_vector(attrs, "ctrl", _zeros_of_actuators(actuators, control_count), dict(key.controls))
        poses = dict(key.poses)
        _join_vector(
            attrs, "mpos", [(body.name, pose.pos) for body, pose in mocap], {n: p[:3] for n, p in poses.items()}
        )
        _join_vector(
            attrs, "mquat", [(body.name, pose.rot) for body, pose in mocap], {n: p[3:] for n, p in poses.items()}
        )
        restore(section.add("key", attrs | dict(key.parameters)), key.extras, FORMAT)


def _join_vector(
    attrs: dict[str, str],
    attribute: str,
    parts: Sequence[tuple[str, tuple[float, ...]]],
    said: Mapping[str, tuple[float, ...]],
) -> None:
    if any(name in said and len(said[name]) == len(usual) for name, usual in parts):
        pieces = [said[name] if len(said.get(name, ())) == len(usual) else usual for name, usual in parts]
        attrs[attribute] = numbers(value for piece in pieces for value in piece)
