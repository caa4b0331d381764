"""Systems of Gazebo that drive joints (gz-sim and Ignition), as actuators; the other way is passes.controllers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from converters.source.text import so_many_numbers
from converters.source.tree import Element
from ir.types import Actuator

SYSTEM = re.compile(r"(?:lib)?(?:gz-sim|ignition-gazebo)\d*-(.+?)-system(?:\.so)?\Z")
"""The file name of a plugin, and in it which system it is."""
POSITION, VELOCITY, FORCE, WHEELS = "joint-position-controller", "joint-controller", "apply-joint-force", "diff-drive"
JOINTS = {
    POSITION: ("joint_name",),
    VELOCITY: ("joint_name",),
    FORCE: ("joint_name",),
    WHEELS: ("left_joint", "right_joint"),
}
"""System -> its parameters that name joints, of which each may stand there several times."""
LIMITS = {"cmd_min": -1000.0, "cmd_max": 1000.0}
TRUE = ("1", "true")
ENDLESS = 1e16
"""N m, or N: what says that nothing bounds a force, as elsewhere in SDFormat."""


def drives(element: Element) -> Iterator[tuple[str, int, Actuator]]:
    """(joint, index of its axis, what drives it, without a name) of each axis that a system among an element and its
    children drives.

    By the parameters that gz-sim documents for its systems: JointPositionController (p_gain 1, d_gain 0.01),
    JointController (p_gain 1 with use_force_commands), ApplyJointForce, DiffDrive. A command of velocity that is no
    force is met at once: that has no gains. Gains in N m/rad and N m s/rad, or N/m and N s/m; force limits in N m or N
    (cmd_min -1000, cmd_max 1000).
    """
    for item in (element, *element.elements()):
        match = SYSTEM.match(item.attrs.get("filename", "").strip()) if item.tag == "plugin" else None
        if match is None or match[1] not in JOINTS:
            continue
        actuator, axis = _actuator(match[1], item), _number(item, "joint_index", 0.0)
        if actuator is not None and axis in (0.0, 1.0):
            named = (said for tag in JOINTS[match[1]] for said in item.findall(tag))
            yield from ((said.own_text().strip(), int(axis), actuator) for said in named)


def _actuator(system: str, plugin: Element) -> Actuator | None:
    """None where its numbers are none."""
    if system == FORCE:
        return Actuator(name="", kind="motor")
    kind = "position" if system == POSITION else "velocity"
    forced = not _flag(plugin, "use_velocity_commands") if kind == "position" else _flag(plugin, "use_force_commands")
    if not forced or system == WHEELS:
        return Actuator(name="", kind=kind)
    gain, damping = _number(plugin, "p_gain", 1.0), _number(plugin, "d_gain", 0.01)
    low, high = (_number(plugin, name, default) for name, default in LIMITS.items())
    if gain is None or damping is None or low is None or high is None:
        return None
    bounds = (low, high) if low < high and (low > -ENDLESS or high < ENDLESS) else None
    if kind == "position":
        return Actuator(name="", kind=kind, kp=gain, kv=damping, force_range=bounds)
    return Actuator(name="", kind=kind, kv=gain, force_range=bounds)


def _flag(plugin: Element, tag: str) -> bool:
    found = plugin.find(tag)
    return found is not None and found.own_text().strip().lower() in TRUE


def _number(plugin: Element, tag: str, default: float) -> float | None:
    """What the first parameter of that name says; None where that is no number."""
    found = plugin.find(tag)
    values = so_many_numbers(found.own_text(), 1) if found is not None else (default,)
    return values[0] if values is not None else None
