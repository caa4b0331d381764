"""A document of ours as seen by an engine that reads its physics, but not the embedded graph."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from converters.context import ReaderContext
from converters.gltf.audit.joints import wrong_pairs
from converters.gltf.data.extensions import BODIES, SHAPES, extension, table
from converters.gltf.foreign.limits import AxisLimit, axis_limits, turn_limits
from converters.gltf.foreign.physics import KHR, motion_of, shape_of
from converters.gltf.ours.graph import nearly_equal
from converters.gltf.ours.marks import Leaf, Tree
from converters.gltf.scene.forms import Form, collides_as_hull
from converters.gltf.writing.physics import attached, is_own_body
from converters.passes.actuators import gains
from converters.passes.friction import USUAL
from converters.source.json import JsonObject
from ir.inertia import principal
from ir.kinematics import moving_bodies
from ir.pose import body_tensor, compose, invert, rotate
from ir.scene import Scene
from ir.types import (
    AXES,
    WORLD,
    Body,
    Capsule,
    ContactRule,
    Dof,
    DofKind,
    Geom,
    Inertial,
    Joint,
    Plane,
    Pose,
    Role,
    Shape,
    Sphere,
    Surface,
    Vec2,
    Vec3,
)

ROUNDING = 1e-9
"""Relative tolerance, absolute (m, rad) below 1."""
RUBBING = ("staticFriction", "dynamicFriction", "restitution", "frictionCombine")


def as_engines_see(
    root: JsonObject, tree: Tree, context: ReaderContext, source: Scene, form: Form, scene: Scene
) -> Scene:
    """Return the written scene as such an engine sees it, where that differs: mass properties, poses and surfaces of
    colliders, poses, axes, limits and springs of joints, and FREE for joints that the extension lacks, unless the
    source has FREE too. What it reads unchanged stays as it is. Of a mesh, only whether it collides, and whether as its
    hull, is checked. form: that in which the physics was written."""
    if BODIES not in root.members.get("extensionsUsed", ()):
        tree = Tree()
    moving = moving_bodies(scene)
    colliders = _PhysicsTables(table(root, SHAPES, "shapes"), table(root, BODIES, "physicsMaterials"), context, form)
    bodies = [
        _body_as_seen(_with_colliders_as_seen(body, tree, colliders), tree.nodes.get(body.name), body.name in moving)
        for body in scene.bodies.values()
    ]
    entries = table(root, BODIES, "physicsJoints")
    servos = _gains_of_servos(scene)
    free = {joint.name for joint in source.joints.values() if joint.free}
    joined = {name for name in moving if is_own_body(scene, name)}
    joints = [
        joint if joint.name in free else _joint_as_seen(joint, tree, entries, joined, servos)
        for joint in scene.joints.values()
    ]
    if form.absent:
        joints = [replace(joint, dofs=()) for joint in scene.joints.values()]
    contacts = dict(scene.tables["contact"])
    contacts |= {rule.name: rule for rule in (*wrong_pairs(root, tree, scene), *_wrong_touches_of_joints(scene, tree))}
    return scene.evolve(bodies=bodies, joints=joints, tables={"contact": contacts.values()})


def _near(ours: Sequence[float], theirs: Sequence[float], least: float = 1.0) -> bool:
    scale = max(least, *map(abs, theirs))
    return all(abs(one - other) <= ROUNDING * scale for one, other in zip(ours, theirs, strict=True))


# --------------------------------------------------------------------------------------------------------------- bodies


def _body_as_seen(body: Body, node: JsonObject | None, moves: bool) -> Body:
    said = extension(node, BODIES, "motion")
    own = body.inertial if body.name != WORLD else None
    if said is None:
        return body if own is None else replace(body, inertial=None)
    motion = motion_of(said, KHR)
    seen: dict[str, Any] = {"gravity": motion.gravity, "kinematic": motion.kinematic if moves else body.kinematic}
    if motion.mass is not None or (own is not None and own.mass > 0.0):
        there = Inertial(
            mass=motion.mass or 0.0,
            pose=Pose(motion.centre or (0.0, 0.0, 0.0), motion.axes),
            tensor=(*(motion.moments or (0.0, 0.0, 0.0)), 0.0, 0.0, 0.0),
        )
        if own is None or not _same_weight(there, own):
            seen["inertial"] = there
    changed = any(getattr(body, name) != value for name, value in seen.items())
    return replace(body, **seen) if changed else body


def _same_weight(there: Inertial, own: Inertial) -> bool:
    """Whether two mass properties are equal. If one of the moments is not positive, the extension has none."""
    tensor = body_tensor(own)
    none = there.tensor == (0.0,) * 6 and min(principal(tensor)[1]) <= 0.0
    same = none or _near(body_tensor(there), tensor, 0.0)
    return same and there.mass == own.mass and there.pose.pos == own.pose.pos


# ------------------------------------------------------------------------------------------------------------ colliders


class _PhysicsTables(NamedTuple):
    shapes: list[JsonObject]
    materials: list[JsonObject]
    context: ReaderContext
    form: Form


def _with_colliders_as_seen(body: Body, tree: Tree, tables: _PhysicsTables) -> Body:
    geoms = tuple(
        _collider_as_seen(geom, body, tree, tables)
        if geom.role in Role.COLLIDING and geom.shape is not None and not _negative(geom.shape)
        else geom
        for geom in body.geoms
    )
    same = all(one is other for one, other in zip(geoms, body.geoms, strict=True))
    return body if same else replace(body, geoms=geoms)


def _negative(shape: Shape) -> bool:
    """Whether a size is negative: the extension does not define that, and the report mentions it."""
    sizes = (getattr(shape, name, 0.0) for name in ("size", "radius", "length"))
    return any(min(size) < 0.0 if isinstance(size, tuple) else size < 0.0 for size in sizes)


def _collider_as_seen(geom: Geom, body: Body, tree: Tree, tables: _PhysicsTables) -> Geom:
    """Return the geom as its collider is; without a shape if there is none."""
    leaf = tree.leaves.get(("collider", geom.name))
    said = extension(leaf.node, BODIES, "collider") if leaf is not None and leaf.body == body.name else None
    geometry = said.child("geometry") if said is not None else None
    number = geometry.index("shape", len(tables.shapes)) if geometry is not None else None
    surface = _surface_as_seen(geom.surface or body.surface, said, tables) if said is not None else None
    if not isinstance(geom.shape, tables.form.shapes):
        there = _mesh_as_seen(geom, geometry, tree.leaves.get(("geom", geom.name)))
        return there if surface is None or there.shape is None else replace(there, surface=surface)
    if leaf is None or said is None or number is None:
        return replace(geom, shape=None)
    shape, turn = shape_of(tables.shapes[number], KHR, leaf.linear, replace(tables.context, notes=[]), "")
    there = replace(geom, shape=shape, pose=compose(leaf.pose, turn))
    seen: dict[str, Any] = {}
    if not _same_size(there, geom):
        seen["shape"] = shape
    elif not all(map(_near, _place_and_directions(there), _place_and_directions(geom))):
        seen["pose"] = there.pose
    if surface is not None:
        seen["surface"] = surface
    return replace(geom, **seen) if seen else geom


def _mesh_as_seen(geom: Geom, geometry: JsonObject | None, shown: Leaf | None) -> Geom:
    """Return a geom that collides by the triangles shown for it, or by their hull."""
    if shown is None or shown.mesh is None:
        return geom
    if geometry is None or "mesh" not in geometry or geometry.boolean("convexHull") != collides_as_hull(geom.shape):
        return replace(geom, shape=None)
    if isinstance(geom.shape, Plane) and not geom.shape.bounded:
        return replace(geom, shape=replace(geom.shape, bounded=True))  # a triangle mesh is finite
    return geom


def _same_size(there: Geom, own: Geom) -> bool:
    """Whether two shapes have equal sizes. A capsule may be a sphere; its height in OMI includes caps: it rounds."""
    if isinstance(there.shape, Capsule) and isinstance(own.shape, Capsule):
        return _near((there.shape.radius, there.shape.length), (own.shape.radius, own.shape.length))
    return _size_as_seen(there) == _size_as_seen(own)


def _size_as_seen(geom: Geom) -> object:
    """Return the size of a shape; in the extension, a plane has one only if bounded, and a capsule may be a sphere."""
    match geom.shape:
        case Plane(size=size, bounded=bounded):
            return size if bounded else (0.0, 0.0)
        case Capsule(radius=radius, length=0.0):
            return Sphere(radius=radius)
    return geom.shape


def _place_and_directions(geom: Geom) -> tuple[Vec3, Vec3, Vec3]:
    """Return the position of a shape, and two directions that determine its orientation, as far as it matters."""
    along, across = ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0))
    match geom.shape:
        case Plane(normal=normal):
            along = across = normal
        case Sphere() | Capsule(length=0.0):
            return geom.pose.pos, geom.pose.pos, geom.pose.pos
    return geom.pose.pos, rotate(geom.pose.rot, along), rotate(geom.pose.rot, across)


def _surface_as_seen(surface: Surface | None, collider: JsonObject, tables: _PhysicsTables) -> Surface | None:
    """Return the surface that a collider declares; None if that is the one the geom has."""
    number = collider.index("physicsMaterial", len(tables.materials))
    own, said = surface or Surface(), tables.materials[number].members if number is not None else {}
    mu = None if own.mu is None and own.combine is None else USUAL if own.mu is None else max(own.mu, 0.0)
    bounce = None if own.restitution is None else min(max(own.restitution, 0.0), 1.0)
    if (mu, mu, bounce, own.combine) == tuple(map(said.get, RUBBING)):
        return None
    rests, slides = (said.get(word, tables.form.friction) for word in RUBBING[:2])
    return replace(own, mu=rests, mu2=slides, restitution=said.get(RUBBING[2]), combine=said.get(RUBBING[3]))


# --------------------------------------------------------------------------------------------------------------- joints


def _joint_as_seen(
    joint: Joint, tree: Tree, entries: list[JsonObject], joined: Collection[str], servos: Mapping[str, Vec2]
) -> Joint:
    """joined: moving bodies that such an engine treats as bodies; servos: dof -> stiffness and damping of actuators,
    which the drives of a ball do not include."""
    node, frame = tree.ties.get(joint.name), attached(joint.dofs)
    if frame is None:
        unsaid = node is None and joint.dofs[0].kind is not DofKind.FREE
        return replace(joint, dofs=(replace(joint.dofs[0], kind=DofKind.FREE),)) if unsaid else joint
    tie = extension(node, BODIES, "joint")
    number = tie.index("joint", len(entries)) if tie is not None else None
    ends = {leaf.body: leaf.pose for leaf in tree.ends.get(joint.name, ())}
    if number is None or ends.keys() != {joint.parent, joint.child}:
        lost = number is not None or joint.child in joined
        return replace(joint, dofs=(Dof(name=joint.name, kind=DofKind.FREE),)) if lost else joint
    above, below = ends[joint.parent], ends[joint.child]
    drives = {(each.members.get("type"), each.members.get("axis")): each for each in entries[number].children("drives")}
    both = axis_limits(entries[number])
    dofs = []
    for dof, axis in zip(joint.dofs, frame[1], strict=True):
        slides = dof.kind is DofKind.SLIDE
        way = both[0][axis] if slides else turn_limits(both[1][axis])
        if dof.kind is DofKind.BALL:  # limited by a cone angle
            other = [turn.upper for turn in both[1] if turn.upper != (dof.upper or None)]
            seen = replace(dof, upper=other[0]) if other else dof
        else:
            seen = _with_bounds_as_seen(dof, way.lower, way.upper)
        hard = seen.stop is None or (seen.lower is None and seen.upper is None)
        seen = seen if hard or seen.stop == way.stop else replace(seen, stop=way.stop)
        seen = _with_axis_as_seen(seen, below, axis)
        drive = drives.get(("linear" if slides else "angular", axis))
        added = servos.get(dof.name, (0.0, 0.0)) if dof.kind is not DofKind.BALL else (0.0, 0.0)
        dofs.append(_with_spring_as_seen(seen, drive, added))
    dofs += _dofs_beside(joint, both, frame[1], below)
    pose = compose(above, invert(below))
    stands = all(_near(rotate(pose.rot, each), rotate(joint.pose.rot, each)) for each in AXES)
    if not stands or not _near(pose.pos, joint.pose.pos, max(1.0, *map(abs, (*above.pos, *below.pos)))):
        joint = replace(joint, pose=pose)
    same = len(dofs) == len(joint.dofs) and all(one is other for one, other in zip(dofs, joint.dofs, strict=True))
    return joint if same else replace(joint, dofs=tuple(dofs))


def _dofs_beside(
    joint: Joint, both: tuple[Sequence[AxisLimit], Sequence[AxisLimit]], axes: Sequence[int], frame: Pose
) -> Iterator[Dof]:
    """Yield a dof for each axis that a joint leaves free beyond its dofs."""
    own = {(dof.kind is not DofKind.SLIDE, axis) for dof, axis in zip(joint.dofs, axes, strict=True)}
    if any(dof.kind is DofKind.BALL for dof in joint.dofs):
        own |= {(True, axis) for axis in range(3)}
    for turns, kind in enumerate((DofKind.SLIDE, DofKind.HINGE)):
        for axis, way in enumerate(both[turns]):
            if (bool(turns), axis) not in own and way.locked is None:
                yield Dof(name=joint.name, kind=kind, axis=rotate(frame.rot, AXES[axis]))


def _with_axis_as_seen(dof: Dof, frame: Pose, axis: int) -> Dof:
    """Return the dof on an axis of its attachment frame. A ball has no axis, and a slide no anchor."""
    along = rotate(frame.rot, AXES[axis])
    if dof.kind is not DofKind.BALL and not _near(along, dof.axis):
        dof = replace(dof, axis=along)
    if dof.kind is not DofKind.SLIDE and not _near(frame.pos, dof.anchor):
        dof = replace(dof, anchor=frame.pos)
    return dof


def _gains_of_servos(scene: Scene) -> dict[str, Vec2]:
    """Return dof -> the stiffness and damping that actuators add to it: a gear scales both length and force."""
    found: dict[str, Vec2] = {}
    for each in scene.tables["actuator"].values():
        if each.dof is not None and each.kind in ("position", "velocity"):
            stiffness, damping = found.get(each.dof, (0.0, 0.0))
            more = [gain * each.gear[0] ** 2 for gain in gains(each)]
            found[each.dof] = (stiffness + more[0], damping + more[1])
    return found


def _with_spring_as_seen(dof: Dof, drive: JsonObject | None, servos: Vec2) -> Dof:
    """Return the dof with the spring and damper of a drive, without what actuators add to them."""
    said = drive.members if drive is not None else {}
    stiffness, damping = said.get("stiffness", 0.0) - servos[0], said.get("damping", 0.0) - servos[1]
    seen: dict[str, Any] = {}
    if not _near((stiffness,), (max(dof.stiffness or 0.0, -servos[0]),), servos[0]):
        seen["stiffness"] = stiffness
    elif stiffness and not servos[0]:
        rest = said.get("positionTarget", 0.0) + dof.zero
        if not _near((rest,), (dof.spring_reference or 0.0,)):
            seen["spring_reference"] = rest
    if not _near((damping,), (max(dof.damping or 0.0, -servos[1]),), servos[1]):
        seen["damping"] = damping
    return replace(dof, **seen) if seen else dof


def _wrong_touches_of_joints(scene: Scene, tree: Tree) -> Iterator[ContactRule]:
    """Yield rules for connected bodies for which the rules of the scene contradict the joint on whether they may touch,
    as the joint has it."""
    allowed = {rule.pair for rule in scene.tables["contact"].values() if rule.allow and not rule.include}
    for joint in scene.joints.values():
        tie = extension(tree.ties.get(joint.name), BODIES, "joint")
        allow = joint.pair in allowed
        if tie is not None and tie.boolean("enableCollision") != allow:
            yield ContactRule(name=joint.name, first=joint.parent, second=joint.child, allow=not allow)


def _with_bounds_as_seen(dof: Dof, lower: float | None, upper: float | None) -> Dof:
    """Return the dof with these bounds, which are relative to where its frames coincide."""
    bounds: dict[str, Any] = {}
    for key, value, own in (("lower", lower, dof.lower), ("upper", upper, dof.upper)):
        found = None if value is None else value + dof.zero
        if not (found is own is None or (found is not None and own is not None and nearly_equal(found, own))):
            bounds[key] = found
    return replace(dof, **bounds) if bounds else dof
