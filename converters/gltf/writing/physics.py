"""Bodies, colliders and joints in KHR_physics_rigid_bodies and KHR_implicit_shapes (drafts of January 2026), as far as
the form in which they are written can express them (scene.forms).

Nodes are nested like the bodies; a joint is a pair of attachment frames whose x (and y, z) are the axes of its dofs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from converters.gltf.data.extensions import BODIES, SHAPES
from converters.gltf.scene.forms import FORMS, Form, collides_as_hull
from converters.gltf.scene.nodes import UP
from converters.passes.actuators import gains
from converters.passes.friction import USUAL
from converters.posing import AS_DRAWN
from ir.arrays import np
from ir.gathering import gathered
from ir.inertia import principal
from ir.plain import as_json
from ir.pose import body_tensor, compose, cross, dot, from_matrix, from_z_to, invert, unit
from ir.scene import Scene
from ir.types import (
    IDENTITY,
    WORLD,
    Actuator,
    Body,
    BodyPair,
    Box,
    Capsule,
    Cone,
    Connect,
    Constraint,
    Cylinder,
    Dof,
    DofKind,
    Geom,
    Joint,
    Plane,
    Pose,
    Quat,
    Role,
    Shape,
    Sphere,
    Vec3,
    WeldTo,
)

LOCKED = {"min": 0.0, "max": 0.0}
LISTED = 32
"""Up to this number of systems, a filter lists those it collides with, for readers that support only this member;
above, it uses the shorter list: those it collides with, or those it does not."""
System = tuple[int, int, str]
"""Two masks, and a body (PhysicsTables.system)."""
Servo = tuple[Actuator, float]
"""An actuator and its target."""


class PhysicsTables(Struct):
    """The tables of the extensions, each distinct entry once."""

    scene: Scene
    form: Form = FORMS["khr"]
    shapes: list[dict[str, Any]] = field(default_factory=list)
    materials: list[dict[str, Any]] = field(default_factory=list)
    filters: list[dict[str, Any]] = field(default_factory=list)
    joints: list[dict[str, Any]] = field(default_factory=list)
    _known: dict[tuple[int, str], int] = field(default_factory=dict)
    _filter_of: dict[object, int] = field(default_factory=dict)
    _excluded: dict[str, set[str]] = field(default_factory=dict)
    _allowed: set[BodyPair] = field(default_factory=set)
    _joined: set[BodyPair] = field(default_factory=set)
    """The two bodies of each joint."""
    _systems: list[System] = field(default_factory=list)
    _bodies: dict[tuple[int, int], set[str]] = field(default_factory=dict)
    """Masks -> the bodies of systems that have them."""
    _servos: dict[str, list[Servo]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._servos = servos_of(self.scene)
        self._joined = self.scene.joined()
        for rule in self.scene.tables["contact"].values():
            if rule.allow and not rule.include:
                self._allowed.add(rule.pair)
            if rule.apart:
                self._excluded.setdefault(rule.first, set()).add(rule.second)
                self._excluded.setdefault(rule.second, set()).add(rule.first)
        found = {
            self.system(body, geom)
            for body in self.scene.bodies.values()
            for geom in body.geoms
            if geom.role in Role.COLLIDING
        }
        several = len(found) > 1 or any(system[:2] != (1, 1) for system in found)
        self._systems = sorted(found) if several and self.form.touch else []
        for category, collide, body in found:
            self._bodies.setdefault((category, collide), set()).add(body)

    def tables(self) -> dict[str, dict[str, Any]]:
        """Return the members of the document's extensions."""
        bodies = {"physicsMaterials": self.materials, "collisionFilters": self.filters, "physicsJoints": self.joints}
        found: dict[str, dict[str, Any]] = {}
        if self.shapes:
            found[SHAPES] = {"shapes": self.shapes}
        found[BODIES] = {name: table for name, table in bodies.items() if table}
        return found

    def fitted(self, original: Scene, moving: Collection[str]) -> dict[str, Any]:
        """Return the entries of things that passes changed relative to the original: KIND/NAME -> motion of a body,
        material of a geom, entry of a joint."""
        if self.scene is original or self.form.absent:
            return {}
        found: dict[str, Any] = {}
        for body in self.scene.bodies.values():
            before = original.body(body.name) if body.name in original.bodies else None
            if before == body:
                continue
            if body.name != WORLD:
                found[f"body/{body.name}"] = self.motion(body, body.name in moving)
            geoms = {geom.name: geom for geom in before.geoms} if before is not None else {}
            for geom in body.geoms:
                if geom.role in Role.COLLIDING and geoms.get(geom.name) != geom:
                    found[f"geom/{geom.name}"] = self._rubbing(body, geom)
        servos = servos_of(original)
        for joint in self.scene.joints.values():
            same = original.joints.get(joint.name) == joint
            if not same or any(servos.get(dof.name) != self._servos.get(dof.name) for dof in joint.dofs):
                made = self.joint(joint)
                found[f"joint/{joint.name}"] = self.joints[made[0]] if made is not None else None
        return {place: said for place, said in found.items() if said is not None}

    # ---------------------------------------------------------------- bodies

    def motion(self, body: Body, moves: bool) -> dict[str, Any] | None:
        """Return the motion of a body; a static body with inertia is kinematic, which preserves its mass."""
        if not moves and body.inertial is None:
            return None
        found: dict[str, Any] = {}
        if not moves or body.kinematic:
            found["isKinematic"] = True
        inertial = body.inertial
        if inertial is not None:
            if inertial.mass > 0:
                found["mass"] = inertial.mass
            if inertial.pose.pos != (0.0, 0.0, 0.0):
                found["centerOfMass"] = list(inertial.pose.pos)
            turn, moments = principal(body_tensor(inertial))
            if min(moments) > 0:
                found["inertiaDiagonal"] = list(moments)
                w, x, y, z = turn
                if (x, y, z) != (0.0, 0.0, 0.0):
                    found["inertiaOrientation"] = [x, y, z, w]
        if body.gravity != 1.0:
            found["gravityFactor"] = body.gravity
        return found

    # ---------------------------------------------------------------- colliders

    def collider(self, body: Body, geom: Geom, mesh: Callable[[], int | None]) -> tuple[dict[str, Any], Pose] | None:
        """Return the collider of a geom and the pose of its node; None if it has nothing to touch.

        mesh returns the mesh of the geom, for shapes that the extension does not have.
        """
        made = self._shape(geom.shape)
        pose = geom.pose
        if made is not None:
            found: dict[str, Any] = {"geometry": {"shape": made}}
            if isinstance(geom.shape, (Cylinder, Capsule, Cone, Plane)):
                plane = geom.shape if isinstance(geom.shape, Plane) else None
                pose = compose(pose, UP if plane is None else compose(Pose(rot=from_z_to(plane.normal)), UP))
        else:
            number = mesh()
            if number is None:
                return None
            found = {"geometry": {"mesh": number}}
            if collides_as_hull(geom.shape):
                found["geometry"]["convexHull"] = True
        if entry := self._rubbing(body, geom):
            found["physicsMaterial"] = self._entry(self.materials, entry)
        if self._systems:
            found["collisionFilter"] = self._filter(self.system(body, geom))
        return found, pose

    def entry_of(self, shape: Shape | None) -> Mapping[str, Any] | None:
        """Return the entry of a shape; None if the extension does not have it."""
        number = self._shape(shape)
        return self.shapes[number] if number is not None else None

    def _rubbing(self, body: Body, geom: Geom) -> dict[str, Any]:
        """Return the material entry for the contact properties of a geom; empty if none are given."""
        surface = geom.surface or body.surface
        entry: dict[str, Any] = {}
        if not self.form.touch:
            return entry
        if surface is not None and (surface.mu is not None or surface.combine is not None):
            mu = USUAL if surface.mu is None else max(surface.mu, 0.0)
            entry |= {"staticFriction": mu, "dynamicFriction": mu}
        if surface is not None and surface.combine is not None:
            entry["frictionCombine"] = surface.combine
        if surface is not None and surface.restitution is not None:
            entry["restitution"] = min(max(surface.restitution, 0.0), 1.0)
        return entry

    def _shape(self, shape: Shape | None) -> int | None:
        if not isinstance(shape, self.form.shapes):
            return None
        match shape:
            case Box(size=size):
                entry: dict[str, Any] = {"type": "box", "box": {"size": list(size)}}
            case Sphere(radius=r):
                entry = {"type": "sphere", "sphere": {"radius": r}}
            case Cylinder(radius=r, length=length):
                entry = {"type": "cylinder", "cylinder": {"height": length, "radiusBottom": r, "radiusTop": r}}
            case Cone(radius=r, length=length):
                entry = {"type": "cylinder", "cylinder": {"height": length, "radiusBottom": r, "radiusTop": 0.0}}
            case Capsule(radius=r, length=length):
                entry = {"type": "capsule", "capsule": {"height": length, "radiusBottom": r, "radiusTop": r}}
            case Plane(size=size, bounded=bounded):
                sides = {name: value for name, value in zip(("sizeX", "sizeZ"), size, strict=True) if bounded and value}
                entry = {"type": "plane", "plane": sides}
            case _:
                return None
        return self._entry(self.shapes, entry)

    def system(self, body: Body, geom: Geom) -> System:
        """Return what determines the contacts of a geom: two masks, and its body if pairs are excluded by name."""
        surface = geom.surface or body.surface
        category = surface.category if surface is not None and surface.category is not None else 1
        collide = surface.collide if surface is not None and surface.collide is not None else category
        return category, collide, body.name if body.name in self._excluded else ""

    def _filter(self, own: System) -> int:
        if own not in self._filter_of:
            entry = {"collisionSystems": [_system_name(own)]}
            apart = self._apart(own)
            if len(self._systems) > LISTED and 2 * len(apart) < len(self._systems):
                entry["notCollideWithSystems"] = [_system_name(other) for other in sorted(apart)]
            else:
                entry["collideWithSystems"] = [_system_name(other) for other in self._systems if other not in apart]
            self.filters.append(entry)
            self._filter_of[own] = len(self.filters) - 1
        return self._filter_of[own]

    def _apart(self, own: System) -> set[System]:
        """Return all systems with which one does not collide."""
        found: set[System] = set()
        for (category, collide), bodies in self._bodies.items():
            touch = own[0] & collide or category & own[1]
            found |= {
                (category, collide, body) for body in (bodies & self._excluded.get(own[2], set()) if touch else bodies)
            }
        return found

    # ---------------------------------------------------------------- joints

    def joint(self, joint: Joint) -> tuple[int, Pose, Pose] | None:
        """Return the index of the joint entry, and its frames on the parent and on the child; None if all degrees are
        free.

        None, too, if the axes of its dofs cannot be those of one frame.
        """
        if any(dof.kind is DofKind.FREE for dof in joint.dofs):
            return None
        frame = attached(joint.dofs)
        if frame is None:
            return None
        pose, axes = frame
        limits, drives = _limits_of_dofs(joint.dofs, axes), []
        for dof, axis in zip(joint.dofs, axes, strict=True):
            ball = dof.kind is DofKind.BALL
            drive = _drive_members(dof, () if ball else self._servos.get(dof.name, ()))
            drives += [drive | {"axis": each} for each in (range(3) if ball else (axis,))] if drive else []
        entry = {"limits": limits} | ({"drives": drives} if drives else {})
        return self._entry(self.joints, entry), compose(joint.pose, pose), pose

    def servo(self, dof: str) -> Actuator | None:
        """Return the first position or velocity actuator of a dof."""
        return self._servos[dof][0][0] if dof in self._servos else None

    def touch(self, edge: Joint | Constraint) -> bool:
        """Whether the bodies of a joint may collide, by default not; an equality constraint does not prevent it."""
        loose = isinstance(edge, Constraint) and edge.pair not in self._joined
        return self.form.touch and (loose or edge.pair in self._allowed)

    def held(self, constraint: Constraint, poses: Mapping[str, Pose]) -> tuple[int, Pose, Pose] | None:
        """Like joint, for a constraint that connects two bodies; poses are those of all bodies at rest."""
        spec = constraint.spec
        locked: list[dict[str, Any]] = [{"linearAxes": [0, 1, 2], **LOCKED}]
        if isinstance(spec, Connect):
            between = compose(invert(poses[constraint.child]), poses[constraint.parent])
            return self._entry(self.joints, {"limits": locked}), Pose(spec.anchor), compose(between, Pose(spec.anchor))
        if isinstance(spec, WeldTo):
            locked.append({"angularAxes": [0, 1, 2], **LOCKED})
            return self._entry(self.joints, {"limits": locked}), spec.pose, IDENTITY
        return None

    def _entry(self, table: list[dict[str, Any]], entry: dict[str, Any]) -> int:
        """Return the index of an entry of a table; equal entries are stored once."""
        key = (id(table), as_json(entry))
        if key not in self._known:
            table.append(entry)
            self._known[key] = len(table) - 1
        return self._known[key]


def _system_name(system: System) -> str:
    category, collide, body = system
    return f"{category:x}/{collide:x}" + (f" {body}" if body else "")


def is_own_body(scene: Scene, name: str) -> bool:
    """Whether an engine sees a moving body as a body of its own, rather than as part of its parent."""
    joint = scene.joint_of(name)
    return scene.body(name).inertial is not None or (joint is not None and bool(joint.dofs))


def attached(dofs: Sequence[Dof]) -> tuple[Pose, list[int]] | None:
    """Return the frame of an attachment in the child, and the index of its axis for each dof.

    None if dofs have no common anchor, axes that are neither equal nor at right angles, or use an axis twice.
    """
    if any(dof.kind in (DofKind.SCREW, DofKind.FREE) for dof in dofs):
        return None
    turning = [dof for dof in dofs if dof.kind is not DofKind.SLIDE]
    anchor = turning[0].anchor if turning else (0.0, 0.0, 0.0)
    if any(dof.anchor != anchor for dof in turning):
        return None
    if any(dof.kind is DofKind.BALL for dof in dofs):
        return (Pose(anchor), [0]) if len(dofs) == 1 else None
    columns: list[Vec3] = []
    axes: list[int] = []
    used: set[tuple[bool, int]] = set()
    for dof in dofs:
        near = [abs(dot(dof.axis, column)) for column in columns]
        if any(1e-12 < value < 1.0 - 1e-12 for value in near):
            return None
        index = next((i for i, value in enumerate(near) if value > 0.5), None)
        if index is None:
            columns.append(dof.axis)
            index = len(columns) - 1
        elif dot(dof.axis, columns[index]) < 0:
            return None
        key = (dof.kind is DofKind.SLIDE, index)
        if key in used:
            return None
        used.add(key)
        axes.append(index)
    if len(columns) == 3 and dot(cross(columns[0], columns[1]), columns[2]) < 0:  # a frame is right-handed
        columns[1], columns[2] = columns[2], columns[1]
        axes = [(0, 2, 1)[axis] for axis in axes]
    return Pose(anchor, _rotation_of_axes(columns)), axes


def _rotation_of_axes(columns: Sequence[Vec3]) -> Quat:
    """Return the rotation that takes x to the first axis, y to the second, and z to their cross product."""
    if not columns:
        return IDENTITY.rot
    x = columns[0]
    if len(columns) > 1:
        y = columns[1]
    else:
        least = min(range(3), key=lambda i: abs(x[i]))
        helper = tuple(1.0 if i == least else 0.0 for i in range(3))
        y = unit(cross((helper[0], helper[1], helper[2]), x))
    return from_matrix(np.array([x, y, cross(x, y)]).T)


def _limits_of_dofs(dofs: Sequence[Dof], axes: Sequence[int]) -> list[dict[str, Any]]:
    """Lock everything that no dof frees; bounds are relative to where the two frames coincide."""
    sliding = {axis for dof, axis in zip(dofs, axes, strict=True) if dof.kind is DofKind.SLIDE}
    turning = {axis for dof, axis in zip(dofs, axes, strict=True) if dof.kind is DofKind.HINGE}
    if any(dof.kind is DofKind.BALL for dof in dofs):
        turning = {0, 1, 2}
    limits: list[dict[str, Any]] = []
    for name, freed in (("linearAxes", sliding), ("angularAxes", turning)):
        locked = [axis for axis in range(3) if axis not in freed]
        if locked:
            limits.append({name: locked, **LOCKED})
    for dof, axis in zip(dofs, axes, strict=True):
        bounds = {"min": dof.lower, "max": dof.upper}
        entry = {key: value - dof.zero for key, value in bounds.items() if value is not None}
        if dof.kind is DofKind.BALL:  # one limit of several axes bounds the angle of a cone
            entry = {"max": dof.upper} if dof.upper else {}
            limits += [{"angularAxes": [0, 1, 2], **entry, **_stop_members(dof)}] if entry else []
        elif entry:
            axes_ = {"linearAxes" if dof.kind is DofKind.SLIDE else "angularAxes": [axis]}
            limits.append({**axes_, **entry, **_stop_members(dof)})
    return limits


def _stop_members(dof: Dof) -> dict[str, float]:
    """Return the softness of a limit; empty (a hard limit) if not given."""
    if dof.stop is None or not dof.stop.stiffness > 0:
        return {}
    damping = {"damping": dof.stop.damping} if dof.stop.damping > 0 else {}
    return {"stiffness": dof.stop.stiffness} | damping


def servos_of(scene: Scene) -> dict[str, list[Servo]]:
    """Return, by dof, its position and velocity actuators, and their targets in the keyframe AS_DRAWN."""
    key = scene.tables["keyframe"].get(AS_DRAWN)
    aims = dict(key.controls) if key is not None else {}
    return gathered(
        (each.dof, (each, (aims.get(each.name) or (0.0,))[0]))
        for each in scene.tables["actuator"].values()
        if each.dof is not None and each.kind in ("position", "velocity") and each.gear[0]
    )


def _drive_members(dof: Dof, servos: Sequence[Servo]) -> dict[str, Any]:
    """Return the drive of a dof for each of its axes: its spring and damper, and position or velocity actuators.

    Springs on one axis are combined into one, with a weighted rest position, and so are dampers. A gear scales both
    length and force.
    """
    stiffness, damping = dof.stiffness or 0.0, dof.damping or 0.0
    pull, speed = stiffness * ((dof.spring_reference or 0.0) - dof.zero), 0.0
    for servo, aim in servos:
        gear = servo.gear[0]
        spring, damper = (gain * gear**2 for gain in gains(servo))
        stiffness, damping = stiffness + spring, damping + damper
        if servo.kind == "position":
            pull += spring * (aim / gear - dof.zero)
        else:
            speed += damper * aim / gear
    found: dict[str, Any] = {}
    if stiffness > 0:
        found |= {"positionTarget": pull / stiffness, "stiffness": stiffness}
    if damping > 0:
        found |= {"velocityTarget": speed / damping, "damping": damping}
    if not found:
        return {}
    head: dict[str, Any] = {"type": "linear" if dof.kind is DofKind.SLIDE else "angular", "mode": "force"}
    ranges = [(servo.force_range, servo.gear[0]) for servo, _ in servos]
    most = [min(map(abs, each)) * abs(gear) for each, gear in ranges if each is not None]
    bounds = [sum(most)] if len(most) == len(servos) else []
    bounds += [dof.effort] if dof.effort is not None else []
    return head | ({"maxForce": min(bounds)} if servos and bounds else {}) | found
