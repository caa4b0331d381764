"""Initial joint positions of a document as keyframes: <initial_position>, <model_state>, the <state> of a world.

A state is used as a whole or not at all: only if a keyframe can express all of it, or it agrees with the keyframe.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from msgspec import Struct, field

from converters.passes.keys import INITIAL, Stated, commanded, stating
from converters.sdf.models.merged import INCLUDE
from converters.sdf.tables import FORMAT
from converters.source.controllers import starts
from converters.source.text import so_many_numbers
from converters.source.tree import Element, fragment
from ir.kinematics import COORDINATES, forward, rest
from ir.pose import compose, invert, pose_from_rpy, rotation_gap
from ir.scene import Address, Scene, address
from ir.scopes import join
from ir.types import SCALAR, WORLD, Block, Dof, DofKind, Extra, Joint, Keyframe, Pose, Scope

AXES = ("axis", "axis2")
NEAR = 1e-4
"""Metres and radians: Gazebo saves six digits."""


class _UnclearError(Exception):
    """A state contains what no keyframe can express, or is inconsistent."""


class _Statement(Struct):
    """Contents of a state: positions and velocities by dof, and world poses of links."""

    positions: dict[str, tuple[float, ...]] = field(default_factory=dict)
    velocities: dict[str, tuple[float, ...]] = field(default_factory=dict)
    links: dict[str, Pose] = field(default_factory=dict)


def _keyframes_of_states(scene: Scene) -> Iterator[Stated]:
    """Yield one keyframe for the initial state, and one for each state of a world."""
    start, places = _Statement(), [*_said_by_axes(scene), *_said_by_model_states(scene)]
    for said, _ in places:
        start.positions |= said.positions
        start.velocities |= said.velocities
    controls, systems = commanded(scene, _first_commands(scene))
    key = Keyframe(
        name=INITIAL,
        positions=_without_zeros(start.positions, scene),
        velocities=tuple(start.velocities.items()),
        controls=controls,
    )
    yield key, (*(at for _, at in places), *systems)
    for extra in scene.extras:
        owner, _, tag = extra.path.rpartition("/")
        if extra.format == FORMAT and owner.startswith("world[") and tag.startswith("state["):
            try:
                yield _keyframe_of_world(fragment(extra.text), scene), (("scene", "extras", extra.path),)
            except _UnclearError:
                continue


def _said_by_axes(scene: Scene) -> Iterator[tuple[_Statement, Address]]:
    """Yield <initial_position> of axes (1.6 to 1.8): radians or metres."""
    for joint in scene.joints.values():
        for extra in joint.extras:
            tag, _, word = extra.path.partition("/")
            axis = tag.partition("[")[0]
            if extra.format == FORMAT and axis in AXES and word == "initial_position[1]":
                value = so_many_numbers(fragment(extra.text).own_text(), 1)
                index = AXES.index(axis)
                if value is not None and index < len(joint.dofs) and joint.dofs[index].kind not in COORDINATES:
                    yield _Statement(positions={joint.dofs[index].name: value}), (*address(joint), "extras", extra.path)


def extras_of_models(scene: Scene) -> Iterator[tuple[str, Extra, Address]]:
    """Yield the extras of each model: the path of the model ("" for the model of the document), the extra, and its
    address."""
    for extra in scene.extras:
        if extra.path.startswith("model["):
            yield "", extra, ("scene", "extras", extra.path)
    scopes: dict[str, Scope] = scene.tables["scope"]
    for name, scope in scopes.items():
        yield from ((name, extra, (f"scope/{name}",)) for extra in scope.extras)


def _said_by_model_states(scene: Scene) -> Iterator[tuple[_Statement, Address]]:
    """Yield <model_state> of models and of the <include>s that include them; the latter come last and override
    (1.12)."""
    found = [
        each
        for each in extras_of_models(scene)
        if each[1].format in (FORMAT, INCLUDE) and each[1].path.rpartition("/")[2] == "model_state[1]"
    ]
    for path, extra, at in sorted(found, key=lambda each: each[1].format == INCLUDE):
        said = _Statement()
        try:
            _read_model_state(fragment(extra.text), path, scene, said)
        except _UnclearError:
            continue
        yield said, at


def _keyframe_of_world(state: Element, scene: Scene) -> Keyframe:
    """Return the keyframe of a world state. Raises _UnclearError."""
    said, time = _Statement(), 0.0
    for item in state.elements():
        if item.tag in ("model", "model_state"):
            path = item.attrs.get("name", "")
            _read_model_state(item, path, scene, said, placed=True)
        elif item.tag == "sim_time":
            seconds, nanoseconds = _numbers(item, 2)
            time = seconds + nanoseconds * 1e-9
        elif item.tag in ("insertions", "deletions") and item.elements():
            raise _UnclearError
        elif item.tag in ("joint", "joint_state"):
            _read_joint_state(item, "", scene, said)
    there = forward(scene, {**said.positions}) if said.links else {}
    for name, pose in said.links.items():
        found = there.get(name)
        if found is None or math.dist(found.pos, pose.pos) > NEAR or rotation_gap(found.rot, pose.rot) > NEAR:
            raise _UnclearError
    return Keyframe(
        name="state",
        time=time,
        positions=_without_zeros(said.positions, scene),
        velocities=tuple(said.velocities.items()),
    )


def _read_model_state(state: Element, path: str, scene: Scene, said: _Statement, placed: bool = False) -> None:
    """Read the state of a model into said. placed: the poses of the model and its links are world poses, as Gazebo
    saves them; the initial state that a model declares of itself has none. Raises _UnclearError."""
    for item in state.elements():
        match item.tag:
            case "joint" | "joint_state":
                _read_joint_state(item, path, scene, said)
            case "model" | "model_state":
                _read_model_state(item, join(path, item.attrs.get("name", "")), scene, said)
            case "scale" if _numbers(item, 3) == (1.0, 1.0, 1.0):
                pass
            case "pose" if placed:
                _place_model(_pose(item), path, scene, said)
            case "link" | "link_state" if placed:
                for pose in item.findall("pose"):
                    said.links[join(path, item.attrs.get("name", ""))] = _pose(pose)
            case _:
                raise _UnclearError


def _place_model(pose: Pose, path: str, scene: Scene, said: _Statement) -> None:
    """Set positions of a model's free roots, and expected poses of its other roots, for this pose of the model."""
    scope: Scope | None = scene.tables["scope"].get(path)
    if scope is None:
        raise _UnclearError
    move = compose(pose, invert(scope.pose))
    for joint in scene.joints.values():
        if joint.parent == WORLD and scene.bodies[joint.child].scope == path:
            there = compose(move, joint.pose)
            if joint.dofs and joint.dofs[0].kind is DofKind.FREE:
                said.positions[joint.dofs[0].name] = (*there.pos, *there.rot)
            else:
                said.links[joint.child] = there if not joint.dofs else joint.pose


def _read_joint_state(item: Element, path: str, scene: Scene, said: _Statement) -> None:
    joint = scene.joints.get(join(path, item.attrs.get("name", "")))
    if joint is None:
        raise _UnclearError
    for angle in item.findall("angle"):  # deprecated; the first axis is 0
        values = _numbers(angle, 1)
        said.positions[_dof_of_axis(joint, angle.attrs.get("axis", "0")).name] = values
    for index, axis in enumerate(AXES):
        for state in item.findall(f"{axis}_state"):
            dof = _dof_of_axis(joint, str(index))
            for word, known in (("position", said.positions), ("velocity", said.velocities)):
                for each in state.findall(word):
                    turned = each.attrs.get("degrees", "").strip().lower() in ("1", "true")
                    (value,) = _numbers(each, 1)
                    known[dof.name] = (math.radians(value) if turned and dof.kind is not DofKind.SLIDE else value,)


def _dof_of_axis(joint: Joint, index: str) -> Dof:
    dofs: Mapping[str, Dof] = {str(place): dof for place, dof in enumerate(joint.dofs) if dof.kind in SCALAR}
    if index.strip() not in dofs:
        raise _UnclearError
    return dofs[index.strip()]


def _numbers(item: Element, count: int) -> tuple[float, ...]:
    values = so_many_numbers(item.own_text(), count)
    if values is None:
        raise _UnclearError
    return values


def _pose(item: Element) -> Pose:
    """Return a pose in the default frame, in radians. Raises _UnclearError if it has attributes."""
    if any(value.strip() for value in item.attrs.values()):
        raise _UnclearError
    x, y, z, roll, pitch, yaw = _numbers(item, 6)
    return pose_from_rpy((x, y, z), (roll, pitch, yaw))


def _without_zeros(
    positions: Mapping[str, tuple[float, ...]], scene: Scene
) -> tuple[tuple[str, tuple[float, ...]], ...]:
    """Return the positions without those that equal the drawn pose, as in every keyframe."""
    dofs = scene.dofs()
    return tuple((name, value) for name, value in positions.items() if value != rest(*dofs[name]))


def _first_commands(scene: Scene) -> Iterator[tuple[str, str, float, Address]]:
    """Yield the initial commands of controllers of models: dof, kind of servo, value in radians or metres (or these per
    second), and its address."""
    block: Block
    for block in scene.tables["block"].values():
        if block.dialect == FORMAT and block.extras and block.target not in scene.bodies:
            for name, axis, kind, value in starts(fragment(block.extras[0].text)):
                joint = scene.joints.get(join(block.target, name))
                if joint is not None and axis < len(joint.dofs):
                    yield joint.dofs[axis].name, kind, value, (f"block/{block.name}",)


STATES = stating(_keyframes_of_states)
