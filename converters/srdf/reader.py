"""SRDF -> the tables and joint fields of the scene of its robot.

Like other readers of SRDF, this one ignores an element that it cannot use: it notes why, and the element is kept in the
extras of the scene. An element is marked as read only once something was made of it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from graphlib import CycleError, TopologicalSorter
from typing import cast

from msgspec.structs import replace

from converters.context import InputError, ReaderContext
from converters.faults import Faults
from converters.source.parsing import parse
from converters.source.spelling import spell
from converters.source.xml import Document, Node
from converters.srdf.loading import MissingError, SrdfLoading
from converters.srdf.rendering import labels, render
from converters.srdf.states import FLOATING, outside, read_coordinates
from converters.srdf.tables import ENDS, FORMAT, NAMESPACES, SPELLING, VIRTUAL, virtual_dofs
from ir.kinematics import rest
from ir.mapping import map_joints
from ir.names import unique
from ir.scene import Scene
from ir.types import WORLD, Approximation, Ball, ContactRule, EndEffector, Group, Joint, Keyframe, Vec3

MOST_UNUSABLE = 4000
"""Limits the running time: elements that are kept are restored one by one."""


def read_document(data: bytes, scene: Scene, context: ReaderContext) -> Scene:
    """Return the scene with the data of an SRDF; scene itself is not changed. Raises InputError if it is no SRDF."""
    scene = scene.evolve()
    alone = replace(context, faults=Faults())  # faults in it are reported as notes
    document = parse(data, alone, FORMAT, root="robot")
    root = document.root
    if root.peek("link") and not READERS.keys() & {node.tag for node in root.elements()}:
        raise root.fail("it is a URDF, not an SRDF: it has links, and neither groups, states nor rules")
    bodies = [scene.body(WORLD), *scene.bodies.values()]
    links = {body.label or body.name: body.name for body in bodies[:-1]}
    loading = SrdfLoading(scene, context, links, taken={*scene.joints, *scene.dofs()})
    loading.bases = [joint for joint in scene.joints.values() if _is_floating(joint)]
    for node in root.elements():
        if node.tag == "group":
            loading.groups.add(node.attrs.get("name", ""))
        elif node.tag == "group_state":
            loading.states[node.attrs.get("group", ""), node.attrs.get("name", "")] = node
    _robot_name(root, loading)
    _read_elements(root, loading)
    _check_groups(loading)
    scene = map_joints(scene, lambda joint: loading.joints.get(joint.name, joint))
    scene.extras = (*scene.extras, *root.rest())
    if not context.again:
        _note_spelling(scene, document)
    return scene


def _robot_name(root: Node, loading: SrdfLoading) -> None:
    name = root.attrs.get("name")
    if name in (None, loading.scene.name):
        root.get("name")
        return
    reason = f"the robot is named {loading.scene.name!r}; both are taken for the same robot"
    loading.note("srdf/robot-name", "scene/name", name or "", reason, root.place("name"))


def _read_elements(root: Node, loading: SrdfLoading) -> None:
    """Read all elements; virtual joints first, because states refer to them. Raises InputError if too many cannot be
    used."""
    unusable = 0
    for node in sorted(root.elements(), key=lambda node: node.tag != "virtual_joint"):
        read = READERS.get(node.tag)
        try:
            if read is not None:
                read(node, loading)
        except InputError as error:
            unusable += 1
            if unusable > MOST_UNUSABLE:
                message = f"more than {MOST_UNUSABLE} elements cannot be used: it seems to be about another robot"
                raise root.fail(message) from None
            _note_unusable(node, error, loading)


def _note_unusable(node: Node, error: InputError, loading: SrdfLoading) -> None:
    source = error.source or node.source
    if isinstance(error, MissingError):
        reason = "what it is about does not exist: it is not used, and kept as it is"
        loading.note("srdf/reference", f"srdf/{node.tag}", error.message, reason, source)
    else:
        before = f"<{node.tag} {node.attrs.get('name', '')}".rstrip() + ">"
        loading.note("srdf/element", f"srdf/{node.tag}", before, f"{error.message}; kept as it is", source)


def _note_spelling(scene: Scene, document: Document) -> None:
    scene.notation[SPELLING] = spell(document.root, render(scene, scene, labels(scene)))
    if document.namespaces:
        scene.notation[NAMESPACES] = json.dumps(document.namespaces, ensure_ascii=False)


# ---------------------------------------------------------------------------------------------- the robot in the world


def _virtual_joint(node: Node, loading: SrdfLoading) -> None:
    """Read how the root is attached to the world: a joint of the graph, as in any other format."""
    name, word, child = node.need("name"), node.need("type"), loading.body(node.need("child_link"), node)
    scene = loading.scene
    if word not in VIRTUAL:
        raise node.fail(f"there is no virtual joint of the type {word!r}; types are {', '.join(VIRTUAL)}")
    if child == WORLD or scene.joint_of(child) is not None:
        raise node.fail(f"the link {child!r} already has a place, and only a root can be put into the world")
    dofs = virtual_dofs(name, word)
    names = {name, *(dof.name for dof in dofs)}
    if not names.isdisjoint(loading.taken):
        raise node.fail(f"the robot has a joint {name!r} already")
    node.visit()
    joint = Joint(
        name=name, parent=WORLD, child=child, dofs=dofs, frame=node.get("parent_frame") or "", source=node.source
    )
    joint = replace(joint, extras=node.rest())
    scene.add_joint(joint)
    loading.taken |= names
    if _is_floating(joint):
        loading.bases.append(joint)


def _joint_named(node: Node, attribute: str, loading: SrdfLoading) -> Joint:
    name = node.need(attribute)
    joint = loading.joint(name)
    if joint is None:
        raise MissingError(f"there is no joint {name!r}", node.source)
    return joint


def _passive_joint(node: Node, loading: SrdfLoading) -> None:
    joint = _joint_named(node, "name", loading)
    if joint.passive:
        raise node.fail(f"the joint {joint.name!r} is passive already")
    node.visit()
    loading.joints[joint.name] = _with_said(joint, "passive", True, node)


def _with_said(joint: Joint, field: str, value: object, node: Node) -> Joint:
    """Return a joint with a field set by the SRDF, and the location where it was first set."""
    places = {field: node.source} | dict(joint.places)
    return replace(joint, **{field: value}, places=tuple(places.items()))


def _joint_property(node: Node, loading: SrdfLoading) -> None:
    joint = _joint_named(node, "joint_name", loading)
    given = (node.need("property_name"), node.get("value") or "")
    if "value" not in node.attrs:
        raise node.fail("<joint_property> has no attribute 'value'")
    node.visit()
    loading.joints[joint.name] = _with_said(joint, "properties", (*joint.properties, given), node)


# ------------------------------------------------------------------------------------------------------------- groups


def _name_of(node: Node, kind: str, loading: SrdfLoading) -> str:
    name = node.need("name")
    if name in loading.scene.tables[kind]:
        raise node.fail(f"there is a <{node.tag}> named {name!r} already")
    return name


def _read_group(node: Node, loading: SrdfLoading) -> None:
    """Read a group. Members that do not exist stay members, so that the group is written as it was."""
    name = _name_of(node, "group", loading)
    members: dict[str, list[str]] = {"link": [], "joint": [], "group": []}
    chains: list[tuple[str, str]] = []
    used: list[Node] = []
    where = f"group/{name}"
    for child in node.elements():
        if child.tag == "chain" and child.attrs.get("base_link") and child.attrs.get("tip_link"):
            base, tip = child.need("base_link"), child.need("tip_link")
            for link in (base, tip):
                if link not in loading.links:
                    _tell_missing(loading, "link", link, where, child)
            chains.append((loading.links.get(base, base), loading.links.get(tip, tip)))
        elif child.tag in members and child.attrs.get("name"):
            member = child.need("name")
            if child.tag == "link" and member not in loading.links:
                _tell_missing(loading, "link", member, where, child)
            if child.tag == "joint" and loading.joint(member) is None:
                _tell_missing(loading, "joint", member, where, child)
            members[child.tag].append(loading.links.get(member, member) if child.tag == "link" else member)
        else:
            reason = "not a member of a group (a link, a joint, a chain or a group); kept as it is"
            loading.note("srdf/element", where, f"<{child.tag}>", reason, child.source)
            continue
        used.append(child)
    for each in (node, *used):
        each.visit()
    loading.scene.add(
        "group",
        Group(
            name=name,
            bodies=tuple(members["link"]),
            joints=tuple(members["joint"]),
            chains=tuple(chains),
            groups=tuple(members["group"]),
            source=node.source,
            extras=node.rest(),
        ),
    )


def _tell_missing(loading: SrdfLoading, kind: str, name: str, where: str, node: Node) -> None:
    reason = f"the robot has no {kind} of this name; kept as it is"
    loading.note("srdf/reference", where, f"{kind} {name}", reason, node.source)


def _check_groups(loading: SrdfLoading) -> None:
    """Check that groups used as members exist, and that no group contains itself, directly or indirectly."""
    groups: dict[str, Group] = loading.scene.tables["group"]
    for group in groups.values():
        for member in group.groups:
            if member not in groups and group.source is not None:
                reason = "the SRDF has no group of this name; kept as it is"
                loading.note("srdf/reference", f"group/{group.name}", f"group {member}", reason, group.source)
    left = {name: {member for member in group.groups if member in groups} for name, group in groups.items()}
    sorter = TopologicalSorter(left)
    with suppress(CycleError):  # groups outside cycles are sorted anyway
        sorter.prepare()
    while free := sorter.get_ready():
        sorter.done(*free)
        for name in free:
            del left[name]
    for name in left:
        source = groups[name].source
        if source is not None:
            reason = "the group contains itself, directly or through others, or a group that does; kept as it is"
            loading.note("srdf/group-cycle", f"group/{name}", name, reason, source)


def _end_effector(node: Node, loading: SrdfLoading) -> None:
    name = _name_of(node, "end_effector", loading)
    group, link = node.need("group"), node.need("parent_link")
    where = f"end_effector/{name}"
    if link not in loading.links:
        _tell_missing(loading, "link", link, where, node)
    above = node.get("parent_group")
    for each in (group, above):
        if each and each not in loading.groups:
            _tell_missing(loading, "group", each, where, node)
    node.visit()
    made = EndEffector(
        name=name, group=group, parent=loading.links.get(link, link), parent_group=above, source=node.source
    )
    loading.scene.add("end_effector", replace(made, extras=node.rest()))


# ------------------------------------------------------------------------------------------------------------- states


_Posed = tuple[Node, Joint, dict[str, tuple[float, ...]]]
"""The element of a joint in a state, the joint, and the coordinates of each of its dofs."""


def _group_state(node: Node, loading: SrdfLoading) -> None:
    """Read a keyframe of the joints that it names. The last entry of a joint is used, as in MoveIt and Pinocchio."""
    given, group = node.need("name"), node.get("group")
    if loading.states[group or "", given] is not node:
        raise node.fail(f"the state {given!r} is defined again later, and that definition is used")
    table = loading.scene.tables["keyframe"]
    name = unique(given if given not in table or not group else f"{group}_{given}", table)
    where = f"keyframe/{name}"
    if group and group not in loading.groups:
        _tell_missing(loading, "group", group, where, node)
    used = _coordinates(node, where, loading)
    node.visit()
    positions: list[tuple[str, tuple[float, ...]]] = []
    names: list[str] = []
    for child, joint, values in used.values():
        child.visit()
        for dof in joint.dofs:
            names.append(dof.name)
            if values[dof.name] != rest(joint, dof):
                positions.append((dof.name, values[dof.name]))
    key = Keyframe(
        name=name,
        label=None if name == given else given,
        positions=tuple(sorted(positions, key=lambda item: loading.ranks()[item[0]])),
        dofs=tuple(names),
        group=group,
        source=node.source,
        extras=node.rest(),
    )
    loading.scene.add("keyframe", key)


def _coordinates(node: Node, where: str, loading: SrdfLoading) -> dict[str, _Posed]:
    """Return the coordinates in a state by joint name; the last entry for a joint is used."""
    used: dict[str, _Posed] = {}
    for child in node.elements():
        if child.tag != "joint":
            continue
        try:
            joint = _joint_of_state(child, loading)
            values = read_coordinates(joint, child.get("value") or "")
        except (InputError, ValueError) as error:
            rule = "srdf/reference" if isinstance(error, MissingError) else "srdf/state"
            before = f"{child.attrs.get('name', '')} {child.attrs.get('value', '')}".strip()
            message = error.message if isinstance(error, InputError) else str(error)
            loading.note(rule, where, before, f"{message}; kept as it is", child.source)
            continue
        if joint.name in used:
            reason = "the joint is set again later, and that value is used; kept as it is"
            loading.note("srdf/state", where, joint.name, reason, used[joint.name][0].source)
            del used[joint.name]
        used[joint.name] = (child, joint, values)
        for before, reason in outside(joint, values):
            loading.note("srdf/state-limits", where, before, reason, child.source)
    return used


def _joint_of_state(node: Node, loading: SrdfLoading) -> Joint:
    """Return the joint of an entry in a state. Pinocchio's name for the floating base is root_joint, not the SRDF's."""
    name = node.need("name")
    joint = loading.joint(name)
    of_base = joint is None and len((node.attrs.get("value") or "").split()) == FLOATING
    if of_base and len(loading.bases) == 1:
        joint = loading.bases[0]
    if joint is None:
        advice = ": it has an effect if the base floats (--base, or a <virtual_joint>)" if of_base else ""
        raise MissingError(f"there is no joint {name!r}{advice}", node.source)
    if not joint.dofs:
        raise node.fail(f"the joint {name!r} is fixed and has no position")
    return joint


def _is_floating(joint: Joint) -> bool:
    return joint.parent == WORLD and joint.free


# --------------------------------------------------------------------------------------------------------- collisions


def _read_rule(node: Node, loading: SrdfLoading) -> None:
    """Read a rule that two links may not collide, or may although collisions of one are disabled."""
    first, second = (loading.body(node.need(end), node) for end in ENDS)
    if first == second:
        raise node.fail(f"{first!r} is named twice: a link does not collide with itself")
    if (node.tag, first, second) in loading.rules:
        raise node.fail(f"there is such a rule about {first!r} and {second!r} already")
    loading.rules.add((node.tag, first, second))
    allow = node.tag == "enable_collisions"
    table = loading.scene.tables["contact"]
    node.visit()
    rule = ContactRule(
        name=unique(f"{'allow' if allow else 'exclude'}_{first}_{second}", table),
        label="",
        first=first,
        second=second,
        allow=allow,
        reason=node.get("reason"),
        source=node.source,
        extras=node.rest(),
    )
    loading.scene.add("contact", rule)


def _no_collisions(node: Node, loading: SrdfLoading) -> None:
    body = loading.body(node.need("link"), node)
    if (node.tag, body, "") in loading.rules:
        raise node.fail(f"there is such a rule about {body!r} already")
    loading.rules.add((node.tag, body, ""))
    node.visit()
    name = unique(f"exclude_{body}", loading.scene.tables["contact"])
    rule = ContactRule(name=name, label="", first=body, source=node.source, extras=node.rest())
    loading.scene.add("contact", rule)


def _approximation(node: Node, loading: SrdfLoading) -> None:
    link = node.need("link")
    body = loading.body(link, node)
    if body in loading.scene.tables["approximation"]:
        raise node.fail(f"the link {link!r} has its spheres already")
    spheres = node.findall("sphere")
    balls = []
    for sphere in spheres:
        centre, radius = sphere.vector("center", 3), sphere.number("radius")
        if centre is None or radius is None or radius < 0.0:
            raise sphere.fail("a sphere has a center of three numbers and a radius that is not negative")
        balls.append((cast("Vec3", centre), radius, sphere))
    node.visit()
    made = tuple(Ball(centre=centre, radius=radius, extras=sphere.visit().rest()) for centre, radius, sphere in balls)
    loading.scene.add(
        "approximation", Approximation(name=body, body=body, balls=made, source=node.source, extras=node.rest())
    )


READERS: dict[str, Callable[[Node, SrdfLoading], None]] = {
    "virtual_joint": _virtual_joint,
    "passive_joint": _passive_joint,
    "joint_property": _joint_property,
    "group": _read_group,
    "end_effector": _end_effector,
    "group_state": _group_state,
    "disable_collisions": _read_rule,
    "enable_collisions": _read_rule,
    "disable_default_collisions": _no_collisions,
    "link_sphere_approximation": _approximation,
}
"""Any other element is kept as it is, as all unread content."""
