"""Systems of Gazebo that drive joints (gz-sim and Ignition), as actuators; passes.controllers is the other way."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from converters.source.text import so_many_numbers
from converters.source.tree import Element
from ir.types import Actuator

SYSTEM = re.compile(r"(?:lib)?(?:gz-sim|ignition-gazebo)\d*-(.+?)-system(?:\.so)?\Z")
"""The file name of a plugin, with the name of the system."""
POSITION, VELOCITY = "joint-position-controller", "joint-controller"
JOINTS = {
    POSITION: {"joint_name": "position"},
    VELOCITY: {"joint_name": "velocity"},
    "apply-joint-force": {"joint_name": "motor"},
    "diff-drive": {"left_joint": "velocity", "right_joint": "velocity"},
    "mecanum-drive": {f"{end}_{side}_joint": "velocity" for end in ("front", "back") for side in ("left", "right")},
    "ackermann-steering": {f"{side}_joint": "velocity" for side in ("left", "right")}
    | {f"{side}_steering_joint": "position" for side in ("left", "right")},
}
"""System -> its parameters that name joints, which may be repeated -> the actuator of these joints."""
INITIAL = {POSITION: "initial_position", VELOCITY: "initial_velocity"}
"""System -> its parameter with the first command."""
SUMMED = {"i_min": -1.0, "i_max": 1.0}
"""Limits of the force of an integral gain, with their defaults."""
TRAJECTORY = "joint-trajectory-controller"
"""A system of any number of joints: the n-th of each parameter is about the n-th joint."""
LIMITS = {"cmd_min": -1000.0, "cmd_max": 1000.0}
PID = {"position_p_gain": 0.0, "position_d_gain": 0.0, "velocity_p_gain": 0.0} | {
    f"{kind}_cmd_{end}": default for kind in ("position", "velocity") for end, default in (("min", 0.0), ("max", -1.0))
}
"""Parameters of a trajectory with their defaults: limits in the wrong order are no limits."""
TRUE = ("1", "true")
ENDLESS = 1e16
"""N m, or N: no limit of a force, as elsewhere in SDFormat."""


def drives(element: Element, single: Iterable[str]) -> Iterator[tuple[str, int, Actuator]]:
    """(joint, index of its axis, actuator without a name) of each axis that is driven by a system among an element and
    its children. single: the joints of its model that have one axis.

    By the parameters that gz-sim documents for its systems: JointPositionController (p_gain 1, d_gain 0.01),
    JointController (p_gain 1 with use_force_commands), ApplyJointForce, DiffDrive, MecanumDrive, AckermannSteering,
    JointTrajectoryController. A velocity command that is no force is met at once: it has no gains; with an unlimited
    integral gain the force is that of an intvelocity of MuJoCo. Gains in N m/rad and
    N m s/rad, or N/m and N s/m; force limits in N m or N (cmd_min -1000, cmd_max 1000; of trajectories none).
    """
    for system, item in _systems(element):
        if system == TRAJECTORY:
            yield from _along(item, single)
            continue
        kinds, axis = JOINTS.get(system, {}), _number(item, "joint_index", 0.0)
        for said in item.elements():
            actuator = _actuator(system, kinds[said.tag], item) if said.tag in kinds else None
            if actuator is not None and axis in (0.0, 1.0):
                yield said.own_text().strip(), int(axis == 1.0), actuator


def starts(element: Element) -> Iterator[tuple[str, int, str, float]]:
    """(joint, index of its axis, kind of servo, radians or metres, or these per second) of each axis with an initial
    command: <initial_position> of a JointPositionController of gz-sim, <initial_velocity> of a JointController, and
    the n-th <initial_position> of the n-th joint that a JointTrajectoryController names, among an element and its
    children."""
    for system, item in _systems(element):
        if system == TRAJECTORY:
            pairs = zip(item.findall("joint_name"), item.findall("initial_position"), strict=False)
            places = ((said.own_text().strip(), _value((given,), 0.0)) for said, given in pairs)
            yield from ((joint, 0, "position", place) for joint, place in places if place is not None)
        value = _number(item, INITIAL[system], 0.0) if system in INITIAL else None
        axis = _number(item, "joint_index", 0.0)
        if value is not None and axis in (0.0, 1.0):
            joints, kind = item.findall("joint_name"), JOINTS[system]["joint_name"]
            yield from ((said.own_text().strip(), int(axis == 1.0), kind, value) for said in joints)


def _systems(element: Element) -> Iterator[tuple[str, Element]]:
    """Each plugin among an element and its children that is a known system of Gazebo, with that system."""
    for item in (element, *element.elements()):
        match = SYSTEM.match(item.attrs.get("filename", "").strip()) if item.tag == "plugin" else None
        if match is not None:
            yield match[1], item


def _along(plugin: Element, single: Iterable[str]) -> Iterator[tuple[str, int, Actuator]]:
    """The actuators that follow a trajectory, of the named joints, or of all joints of one axis if none is named: a
    servo if there are gains (of the position, or only of the velocity), else a motor. With both gains it damps as long
    as the commanded velocity is 0."""
    names = [said.own_text().strip() for said in plugin.findall("joint_name")] or single
    given = {tag: plugin.findall(tag) for tag in PID}
    for index, name in enumerate(names):
        found = {tag: _value(given[tag][index : index + 1], default) for tag, default in PID.items()}
        said = {tag: value for tag, value in found.items() if value is not None}
        if len(said) < len(found):
            continue
        stiffness, damping, gain = (said[tag] for tag in ("position_p_gain", "position_d_gain", "velocity_p_gain"))
        kind = "position" if stiffness else "velocity" if gain else "motor"
        low, high = said.get(f"{kind}_cmd_min", 0.0), said.get(f"{kind}_cmd_max", -1.0)
        bounds = (low, high) if low < high and not (stiffness and gain) else None
        if kind == "position" and damping + gain >= 0.0:
            yield name, 0, Actuator(name="", kind=kind, kp=stiffness, kv=damping + gain, force_range=bounds)
        elif kind != "position":
            yield name, 0, Actuator(name="", kind=kind, kv=gain or None, force_range=bounds)


def _actuator(system: str, kind: str, plugin: Element) -> Actuator | None:
    """The actuator of a system; None if its numbers are invalid: a servo with negative damping would accelerate."""
    forced = not _flag(plugin, "use_velocity_commands") if system == POSITION else _flag(plugin, "use_force_commands")
    if system not in (POSITION, VELOCITY) or not forced:
        return Actuator(name="", kind=kind)
    gain, damping = _number(plugin, "p_gain", 1.0), _number(plugin, "d_gain", 0.01)
    low, high = (_number(plugin, name, default) for name, default in LIMITS.items())
    if gain is None or damping is None or low is None or high is None:
        return None
    bounds = (low, high) if low < high and (low > -ENDLESS or high < ENDLESS) else None
    if kind == "position":
        return Actuator(name="", kind=kind, kp=gain, kv=damping, force_range=bounds) if damping >= 0.0 else None
    integral = _number(plugin, "i_gain", 0.0)
    summed = [_number(plugin, name, default) for name, default in SUMMED.items()]
    if integral and integral > 0.0 and gain >= 0.0 and all(end is not None and abs(end) >= ENDLESS for end in summed):
        return Actuator(name="", kind="intvelocity", kp=integral, kv=gain, force_range=bounds)
    return Actuator(name="", kind=kind, kv=gain, force_range=bounds)


def _flag(plugin: Element, tag: str) -> bool:
    found = plugin.find(tag)
    return found is not None and found.own_text().strip().lower() in TRUE


def _number(plugin: Element, tag: str, default: float) -> float | None:
    """The value of the first parameter of that name; None if it is not a number."""
    return _value(plugin.findall(tag), default)


def _value(given: Sequence[Element], default: float) -> float | None:
    values = so_many_numbers(given[0].own_text(), 1) if given else (default,)
    return values[0] if values is not None else None
