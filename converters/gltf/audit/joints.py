"""Physics of a document of ours as engines read it, beyond what audit.physics compares: which nodes joints connect,
targets and strengths of their drives, bodies that are static, and what colliders touch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations_with_replacement
from typing import Any

from msgspec import Struct, field

from converters.gltf.data.extensions import BODIES, extension, numbered, table
from converters.gltf.foreign.filters import MANY, Filter, Masks, filter_of
from converters.gltf.ours.marks import Leaf, Tree
from converters.gltf.writing.physics import Servo, servos_of
from converters.passes.actuators import gains
from converters.passes.contacts import masks_meet
from converters.source.json import JsonObject
from ir.diff import Said
from ir.kinematics import moving_bodies
from ir.pose import dot, rotate
from ir.scene import Scene
from ir.types import AXES, Body, Constraint, ContactRule, Dof, DofKind, Geom, Joint, Role

NEAR = 1e-9
ALONG = 0.999
"""Cosine above which two directions are considered equal."""


def wrong_joints(root: JsonObject, tree: Tree, scene: Scene, touch: bool) -> Iterator[tuple[Joint | Constraint, Said]]:
    """Yield the differences in what joints and constraints connect, and in their drives. touch: the physics can express
    that connected bodies may touch; for joints, that is compared elsewhere."""
    joined = scene.joined()
    entries, nodes = table(root, BODIES, "physicsJoints"), root.children("nodes")
    servos = servos_of(scene)
    for name, node in tree.ties.items():
        edge = scene.joints.get(name) or scene.constraints.get(name)
        tie = extension(node, BODIES, "joint")
        if edge is None or tie is None:
            continue
        ends, number = tree.ends.get(name, ()), tie.members.get("connectedNode")
        tied = numbered(nodes, number)
        if (_body_of_end(node, ends), _body_of_end(tied, ends)) != (edge.parent, edge.child):
            yield edge, ("ends", f"{edge.parent} {edge.child}", f"node {number}")
            continue
        entry = numbered(entries, tie.members.get("joint"))
        drives = entry.members.get("drives", ()) if entry is not None else ()
        if isinstance(edge, Joint):
            below = next(leaf for leaf in ends if leaf.body == edge.child)
            yield from ((edge, each) for each in _drive_differences(edge, drives, below, servos))
            continue
        if drives:
            yield edge, ("drives", None, drives)
        loose = touch and edge.pair not in joined
        if loose and tie.members.get("enableCollision") is not True:
            yield edge, ("touch", True, tie.members.get("enableCollision"))


def falling_bodies(tree: Tree, scene: Scene) -> Iterator[str]:
    """Yield static bodies that would fall."""
    moving = moving_bodies(scene)
    for name, node in tree.nodes.items():
        motion = extension(node, BODIES, "motion") if name in scene.bodies and name not in moving else None
        if motion is not None and motion.members.get("isKinematic") is not True:
            yield name


def _body_of_end(node: JsonObject | None, ends: Sequence[Leaf]) -> str | None:
    return next((leaf.body for leaf in ends if leaf.node is node), None)


def _drive_differences(
    joint: Joint, drives: Sequence[Mapping[str, Any]], below: Leaf, servos: Mapping[str, list[Servo]]
) -> Iterator[Said]:
    wanted = dict(_expected_drives(joint, below, servos))
    if not wanted and not drives:
        return
    found = {(each.get("type"), each.get("axis")): each for each in drives}
    if found.keys() != wanted.keys() or len(found) != len(drives):
        yield "drives", sorted(wanted), [*found]
        return
    for key, meant in wanted.items():
        said = found[key]
        if said.get("mode") != "force":
            yield "drive_mode", "force", said.get("mode")
        for name, number in meant.items():
            there = said.get(name, 0.0 if number is not None else None)
            if there is None or number is None:
                same = there is number
            else:
                same = abs(there - number) <= NEAR * max(1.0, abs(number))
            if not same:
                yield f"drive_{name}", number, there


def _expected_drives(
    joint: Joint, below: Leaf, servos: Mapping[str, list[Servo]]
) -> Iterator[tuple[tuple[str, int], dict[str, float | None]]]:
    """Yield the expected drives. Stiffness and damping are the sums over all springs and dampers."""
    for dof in joint.dofs:
        ball = dof.kind is DofKind.BALL
        own = [] if ball else servos.get(dof.name, [])
        if not own and not dof.stiffness and not dof.damping:
            continue
        parts = [(each, aim, each.gear[0], *gains(each)) for each, aim in own]
        spring = (dof.stiffness or 0.0) + sum(kp * gear * gear for _, _, gear, kp, _ in parts)
        damper = (dof.damping or 0.0) + sum(kv * gear * gear for _, _, gear, _, kv in parts)
        if max(spring, damper) <= 0.0:
            continue
        meant: dict[str, float | None] = {"maxForce": _largest_force(dof, own)}
        if spring > 0.0:
            rest = (dof.stiffness or 0.0) * (dof.spring_reference or 0.0)
            rest += sum(
                kp * gear * aim if each.kind == "position" else kp * gear**2 * dof.zero
                for each, aim, gear, kp, _ in parts
            )
            meant["positionTarget"] = rest / spring - dof.zero
        if damper > 0.0:
            meant["velocityTarget"] = (
                sum(kv * gear * aim for each, aim, gear, _, kv in parts if each.kind == "velocity") / damper
            )
        along = (at for at, axis in enumerate(AXES) if dot(rotate(below.pose.rot, axis), dof.axis) > ALONG)
        axes = range(3) if ball else [next(along, -1)]
        yield from ((("linear" if dof.kind is DofKind.SLIDE else "angular", axis), meant) for axis in axes)


def _largest_force(dof: Dof, servos: Sequence[Servo]) -> float | None:
    """Return the maximum force of a drive: that of all servos, if each has one, but at most the effort of the dof."""
    if not servos:
        return None
    bounds = [dof.effort] if dof.effort is not None else []
    ranges = [(each.force_range, abs(each.gear[0])) for each, _ in servos]
    if all(held is not None for held, _ in ranges):
        bounds.append(sum(min(map(abs, held)) * gear for held, gear in ranges if held is not None))
    return min(bounds, default=None)


class _Group(Struct):
    """Colliders with the same masks and filter. apart: all are of one body excluded from contact with others."""

    masks: Masks
    rule: Filter
    apart: bool
    bodies: set[str] = field(default_factory=set)


def wrong_pairs(root: JsonObject, tree: Tree, scene: Scene) -> Iterator[ContactRule]:
    """Yield rules for pairs of bodies for which masks and rules of the scene contradict the filters, as the filters
    have them. Bodies connected by a joint are handled elsewhere."""
    rules: Iterable[ContactRule] = scene.tables["contact"].values()
    excluded = {rule.pair for rule in rules if rule.apart}
    groups = [*_collider_groups(root, tree, scene, {name for pair in excluded for name in pair})]
    for one, other in combinations_with_replacement(groups if len(groups) <= MANY else (), 2):
        if len(one.bodies | other.bodies) < 2:
            continue
        touch = masks_meet(one.masks, other.masks)
        if one.apart and other.apart:
            touch = touch and frozenset(one.bodies | other.bodies) not in excluded
        if touch != one.rule.meets(other.rule):
            first, second = min(one.bodies), max(other.bodies)
            yield ContactRule(name=f"{first} {second}", first=first, second=second, allow=not touch)


def _collider_groups(root: JsonObject, tree: Tree, scene: Scene, named: set[str]) -> Iterable[_Group]:
    filters = [filter_of(entry) for entry in table(root, BODIES, "collisionFilters")]
    found: dict[tuple[Masks, Filter, str], _Group] = {}
    for body in scene.bodies.values():
        for geom in body.geoms:
            leaf = tree.leaves.get(("collider", geom.name)) if geom.role in Role.COLLIDING else None
            said = extension(leaf.node, BODIES, "collider") if leaf is not None else None
            if said is None:
                continue
            number = said.index("collisionFilter", len(filters))
            rule = filters[number] if number is not None else Filter()
            masks, apart = _masks_of_geom(body, geom), body.name in named
            key = (masks, rule, body.name if apart else "")
            found.setdefault(key, _Group(masks, rule, apart)).bodies.add(body.name)
    return found.values()


def _masks_of_geom(body: Body, geom: Geom) -> Masks:
    """Return the category of a geom and what it collides with; without masks, all of the same category."""
    surface = geom.surface or body.surface
    category = 1 if surface is None or surface.category is None else surface.category
    return category, category if surface is None or surface.collide is None else surface.collide
