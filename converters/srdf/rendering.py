"""The SRDF of a scene in plain spelling, in the order of MoveIt's setup assistant."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

from converters.source.text import number, numbers
from converters.source.tree import Element, restore
from converters.srdf.states import write_coordinates
from converters.srdf.tables import ENDS, FORMAT, NAMESPACES, SPELLING, virtual_type
from ir.scene import Scene
from ir.types import WORLD, Approximation, Body, ContactRule, EndEffector, Group, Joint, Keyframe


def labels(scene: Scene) -> dict[str, str]:
    """Return the link names in a URDF of bodies that have another name in the graph."""
    return {body.name: body.label for body in scene.bodies.values() if body.label}


def render(scene: Scene, written: Scene, names: Mapping[str, str]) -> Element:
    """Return the document in plain spelling."""
    named = any(extra.format == FORMAT and extra.path == "@name" for extra in scene.extras)
    root = Element("robot", {} if named else {"name": scene.name})
    root.attrs |= json.loads(scene.notation.get(NAMESPACES, "{}"))
    tables, parts = scene.tables, _parts_of_joints(scene, written)
    root.content.extend(_write_group(each, names, parts) for each in tables["group"].values())
    root.content.extend(_write_states(scene, written))
    root.content.extend(_end_effector(each, names) for each in tables["end_effector"].values())
    joints = [*scene.joints.values()]
    root.content.extend(
        _virtual_joint(joint, word, names) for joint in joints if (word := virtual_type(joint)) is not None
    )
    root.content.extend(
        Element("passive_joint", {"name": name}) for joint in joints if joint.passive for name in parts[joint.name]
    )
    root.content.extend(
        Element("joint_property", {"joint_name": name, "property_name": key, "value": value})
        for joint in joints
        for name in parts[joint.name]
        for key, value in joint.properties
    )
    root.content.extend(_approximation(each, names) for each in tables["approximation"].values())
    held = SPELLING in scene.notation or next(written.child_joints(WORLD), None) is not None
    known = held or written.body(WORLD) != Body(name=WORLD)  # otherwise the URDF has no link for the world
    rules: list[ContactRule] = [
        rule
        for rule in tables["contact"].values()
        if not rule.include and rule.first != rule.second and (known or WORLD not in (rule.first, rule.second))
    ]
    root.content.extend(
        _write_rule(rule, names)
        for rule in sorted(_first_of_each_pair(rules), key=lambda rule: (bool(rule.second), not rule.allow))
    )
    restore(root, scene.extras, FORMAT)
    return root


def _parts_of_joints(scene: Scene, written: Scene) -> dict[str, tuple[str, ...]]:
    """Return joint -> the joints of the URDF with its motions: itself, or a chain; none if it closes a loop."""
    there = {dof: joint.name for dof, (joint, _) in written.dofs().items() if not joint.closes_loop}
    found: dict[str, tuple[str, ...]] = {}
    for joint in scene.joints.values():
        if virtual_type(joint) is not None or not (joint.dofs or joint.closes_loop):
            found[joint.name] = (joint.name,)
        else:
            found[joint.name] = tuple(dict.fromkeys(there[dof.name] for dof in joint.dofs if dof.name in there))
    return found


def _write_group(group: Group, names: Mapping[str, str], parts: Mapping[str, tuple[str, ...]]) -> Element:
    element = Element("group", {"name": group.name})
    for body in group.bodies:
        element.add("link", {"name": names.get(body, body)})
    for joint in group.joints:
        for part in parts.get(joint, (joint,)):
            element.add("joint", {"name": part})
    for base, tip in group.chains:
        element.add("chain", {"base_link": names.get(base, base), "tip_link": names.get(tip, tip)})
    for member in group.groups:
        element.add("group", {"name": member})
    restore(element, group.extras, FORMAT)
    return element


def _write_states(scene: Scene, written: Scene) -> Iterator[Element]:
    """Yield the states with their joints; a keyframe of another format has all joints."""
    joints = {dof: joint for dof, (joint, _) in written.dofs().items()}
    joints |= {dof: joint for dof, (joint, _) in scene.dofs().items() if virtual_type(joint) is not None}
    rests = {name: dof.zero for name, (_, dof) in scene.dofs().items()}
    key: Keyframe
    for key in scene.tables["keyframe"].values():
        element = Element("group_state", {"name": key.label or key.name})
        if key.group is not None:
            element.attrs["group"] = key.group
        positions = dict(key.positions)
        said: dict[str, Joint] = {}
        for dof in key.dofs or joints:
            joint = joints.get(dof)
            if joint is not None and not joint.closes_loop:
                said[joint.name] = joint
        for joint in said.values():
            element.add("joint", {"name": joint.name, "value": write_coordinates(joint, positions, rests)})
        restore(element, key.extras, FORMAT)
        yield element


def _end_effector(effector: EndEffector, names: Mapping[str, str]) -> Element:
    attrs = {"name": effector.name, "parent_link": names.get(effector.parent, effector.parent), "group": effector.group}
    if effector.parent_group is not None:
        attrs["parent_group"] = effector.parent_group
    element = Element("end_effector", attrs)
    restore(element, effector.extras, FORMAT)
    return element


def _virtual_joint(joint: Joint, word: str, names: Mapping[str, str]) -> Element:
    attrs = {"name": joint.name, "type": word, "parent_frame": joint.frame or ""}
    element = Element("virtual_joint", attrs | {"child_link": names.get(joint.child, joint.child)})
    restore(element, joint.extras, FORMAT)
    return element


def _approximation(item: Approximation, names: Mapping[str, str]) -> Element:
    element = Element("link_sphere_approximation", {"link": names.get(item.body, item.body)})
    for ball in item.balls:
        sphere = element.add("sphere", {"center": numbers(ball.centre), "radius": number(ball.radius)})
        restore(sphere, ball.extras, FORMAT)
    restore(element, item.extras, FORMAT)
    return element


def _first_of_each_pair(rules: Iterable[ContactRule]) -> Iterable[ContactRule]:
    """Return the first rule about each pair: SRDF has no names to distinguish several."""
    found: dict[object, ContactRule] = {}
    for rule in rules:
        found.setdefault((rule.pair, rule.allow), rule)
    return found.values()


def _write_rule(rule: ContactRule, names: Mapping[str, str]) -> Element:
    first, second = (names.get(body, body) for body in (rule.first, rule.second))
    if not rule.second:
        element = Element("disable_default_collisions", {"link": first})
    else:
        element = Element(
            "enable_collisions" if rule.allow else "disable_collisions", dict(zip(ENDS, (first, second), strict=True))
        )
    if rule.reason is not None:
        element.attrs["reason"] = rule.reason
    restore(element, rule.extras, FORMAT)
    return element
