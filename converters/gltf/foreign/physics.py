"""Physics extensions of nodes: motions, colliders, contacts, filters. Each draft is one row of DIALECTS.

KHR_physics_rigid_bodies with KHR_implicit_shapes, as of January 2026 (a collider refers to a mesh) and before (to a
node); glTF 2.1's shapes at the root; their predecessors OMI_physics_body, _shape and _joint.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from converters.context import ReaderContext
from converters.gltf.data.extensions import BODIES, OMI_BODIES, OMI_JOINTS, OMI_SHAPES, SHAPES, extension
from converters.gltf.data.raw import member
from converters.gltf.foreign.filters import Filter, filter_of
from converters.gltf.scene.nodes import SHEAR, Linear
from converters.passes.friction import WORDS
from converters.source.json import JsonObject
from ir.arrays import np
from ir.plain import as_json
from ir.pose import invert, normalise
from ir.types import Box, Capsule, Cone, Cylinder, Ellipsoid, Plane, Pose, Quat, Shape, Sphere, Surface, Vec3


class Dialect(Struct, frozen=True, kw_only=True):
    """A draft: the names of its extensions and tables.

    defaults: of the members of shapes. friction: of a collider without one; None if engine-specific. whole_capsule: the
    height of a capsule includes its caps. free: a mass or moments of zero are to be computed, not infinite.
    """

    bodies: str
    shapes: str
    joints: str
    tables: tuple[str, ...] = ("physicsJoints",)
    defaults: Mapping[str, float] = field(default_factory=dict)
    friction: float | None = None
    whole_capsule: bool = False
    free: bool = False


KHR = Dialect(
    bodies=BODIES,
    shapes=SHAPES,
    joints=BODIES,
    defaults=MappingProxyType({"radius": 0.5, "height": 0.5, "radiusTop": 0.25, "radiusBottom": 0.25}),
    friction=0.6,
)
OMI = Dialect(
    bodies=OMI_BODIES,
    shapes=OMI_SHAPES,
    joints=OMI_JOINTS,
    tables=("physicsJoints", "joints"),
    defaults=MappingProxyType({"radius": 0.5, "height": 2.0, "radiusTop": 0.5, "radiusBottom": 0.5}),
    whole_capsule=True,
    free=True,
)
DIALECTS = (KHR, OMI)
SIDEWAYS = Pose(rot=(0.5**0.5, -(0.5**0.5), 0.0, 0.0))
"""Rotates the z axis of a shape of the graph to the y axis of a glTF shape."""
KINDS = ("box", "sphere", "cylinder", "capsule", "plane")
"""Shapes of the tables that the graph has."""
MESHES = ("convex", "trimesh")
"""Shapes of OMI that refer to a mesh."""


AWAY = 1000.0
"""Distance in metres of the mass that approximates an infinite moment of inertia."""


class RigidMotion(Struct, frozen=True, kw_only=True):
    """The motion of a node. Moments and axes are None if an engine computes them.

    kinematic: no force moves it; still: nothing does. endless: a moment that is infinite in the document is replaced by
    a large one. turn: the axes as given, x y z w.
    """

    kinematic: bool = False
    still: bool = False
    mass: float | None = None
    centre: Vec3 | None = None
    moments: Vec3 | None = None
    endless: bool = False
    axes: Quat = (1.0, 0.0, 0.0, 0.0)
    turn: Quat = (0.0, 0.0, 0.0, 1.0)
    gravity: float = 1.0


class Collider(Struct, frozen=True, kw_only=True):
    """A shape of the table, a mesh, or the mesh of another node, in the axes of the collider's node."""

    shape: JsonObject | None = None
    mesh: int | None = None
    other: int | None = None
    hull: bool = False
    surface: Surface | None = None
    rule: Filter = Filter()


class Tie(Struct, frozen=True, kw_only=True):
    """A joint between the frames of two nodes. collide: its bodies may touch each other."""

    node: int
    other: int
    joint: JsonObject
    collide: bool = False


class Rigid(Struct):
    """The physics of a document, read node by node as the scene is walked."""

    root: JsonObject
    motions: dict[int, RigidMotion] = field(default_factory=dict)
    colliders: dict[int, tuple[Dialect, Collider]] = field(default_factory=dict)
    ties: list[Tie] = field(default_factory=list)
    filters: dict[int, JsonObject] = field(default_factory=dict)
    """Entries of collisionFilters that colliders use, in order of first use."""
    unsaid: dict[int, JsonObject] = field(default_factory=dict)
    """Entries of physicsMaterials that set the dynamic friction and whose default static friction differs from it."""

    # ---------------------------------------------------------------- looking

    @staticmethod
    def moves(node: JsonObject) -> bool:
        """Whether a node is a rigid body of its own, without marking anything as read."""
        return any(_said_by_dialects(node, "motion"))

    def touches(self, node: JsonObject) -> bool:
        """Whether a node is a collider of a known shape; any other stays with the node, unread."""
        return any(self._known(collider, dialect) for dialect, collider in _said_by_dialects(node, "collider"))

    def _known(self, collider: Mapping[str, Any], dialect: Dialect) -> bool:
        index = member(collider.get("geometry", collider), "shape")
        shapes = self._shapes(dialect)
        if type(index) is not int or not 0 <= index < len(shapes):
            return True  # an invalid index is reported when it is read
        kind = shapes[index].members.get("type")
        return kind is not None and (not isinstance(kind, str) or kind in KINDS + MESHES)

    @property
    def dynamic(self) -> frozenset[int]:
        """Nodes that forces move."""
        return frozenset(number for number, motion in self.motions.items() if not motion.kinematic)

    # ---------------------------------------------------------------- reading

    def read(self, number: int, node: JsonObject) -> None:
        """Read everything in the extensions of a node that has a place in the graph. Raises InputError.

        If two drafts describe the same of a node, the first takes precedence: the other stays with the node, unread.
        """
        held = False
        for dialect in DIALECTS:
            said = extension(node, dialect.bodies)
            if said is not None:
                motion = said.child("motion") if number not in self.motions else None
                collider = said.child("collider") if number not in self.colliders and self.touches(node) else None
                if motion is not None:
                    self.motions[number] = motion_of(motion, dialect)
                if collider is not None:
                    self.colliders[number] = (dialect, self._collider(collider, dialect))
            tied = extension(node, dialect.joints)
            joint = tied.child("joint") if tied is not None and isinstance(tied.members.get("joint"), dict) else tied
            if joint is not None and "connectedNode" in joint and not held:
                held = True
                self.ties.append(self._tie(number, joint, dialect))

    def _tie(self, number: int, node: JsonObject, dialect: Dialect) -> Tie:
        table = self._table(dialect.joints, *dialect.tables)
        index = node.given("joint", node.index("joint", len(table)))
        other = node.given("connectedNode", node.index("connectedNode", len(self.root.children("nodes"))))
        if index is None or other is None:
            raise node.fail(None, "must name a joint and a connectedNode")
        collide = dialect is KHR and node.boolean("enableCollision")
        return Tie(node=number, other=other, joint=table[index], collide=collide)

    def _table(self, name: str, *keys: str) -> list[JsonObject]:
        owner = extension(self.root, name)
        return next((owner.children(key) for key in keys if key in owner), []) if owner is not None else []

    def _shapes(self, dialect: Dialect) -> list[JsonObject]:
        return self._table(dialect.shapes, "shapes") or self.root.children("shapes")

    def _collider(self, node: JsonObject, dialect: Dialect) -> Collider:
        geometry = node.child("geometry") or node
        shapes = self._shapes(dialect)
        tables = {"shape": shapes, "mesh": self.root.children("meshes"), "node": self.root.children("nodes")}
        index, mesh, other = (geometry.given(key, geometry.index(key, len(table))) for key, table in tables.items())
        if index is None and mesh is None and other is None:
            raise geometry.fail(None, "names no shape, mesh or node")
        hull = geometry.boolean("convexHull")
        shape = shapes[index] if index is not None else None
        if shape is not None and shape.members.get("type") in MESHES:
            hull = shape.text("type") == "convex"
            inner = shape.child(shape.members["type"]) or shape
            mesh, shape = inner.index("mesh", len(self.root.children("meshes"))), None
            if mesh is None:
                raise inner.fail("mesh", "is missing")
        surface, rule = self._surface(node, dialect), self._filter(node, dialect)
        return Collider(shape=shape, mesh=mesh, other=other, hull=hull, surface=surface, rule=rule)

    def _surface(self, node: JsonObject, dialect: Dialect) -> Surface | None:
        """Return the friction and restitution of a collider."""
        table = self._table(dialect.bodies, "physicsMaterials")
        index = node.index("physicsMaterial", len(table))
        found = Surface(mu=dialect.friction)
        if index is not None:
            material = table[index]
            sliding = material.number("dynamicFriction", dialect.friction)
            if material.members.get("staticFriction", sliding) == sliding:
                material.number("staticFriction")  # another value has no place in the graph, so it stays unread
            if "staticFriction" not in material.members and sliding != dialect.friction is not None:
                self.unsaid[index] = material
            found = replace(found, mu=sliding, restitution=material.number("restitution", 0.0))
            if material.members.get("frictionCombine") in WORDS:
                found = replace(found, combine=material.text("frictionCombine"))
        return found if found != Surface() else None

    def _filter(self, node: JsonObject, dialect: Dialect) -> Filter:
        """Return the filter of a collider; without one, everything may touch it."""
        table = self._table(dialect.bodies, "collisionFilters")
        index = node.index("collisionFilter", len(table))
        if index is None:
            return Filter()
        found = filter_of(table[index])
        self.filters[index] = table[index]
        return found


def shape_of(
    node: JsonObject, dialect: Dialect, linear: Linear, context: ReaderContext, where: str
) -> tuple[Shape | None, Pose]:
    """Return a shape with the scale of its node applied (its absolute value), and the pose of its axes in those of the
    node. None for a kind not in KINDS."""
    kind = node.text("type") or ""
    inner = node.child(kind) or JsonObject({}, node.document, node.pointer)
    x, y, z = sizes_of(linear)
    exact = linear.matrix is None

    def number(key: str) -> float:
        given = inner.number(key)
        value = given if given is not None else inner.number("radius") if key.startswith("radius") else None
        value = dialect.defaults[key] if value is None else value
        if value < 0:
            raise inner.fail(key, "is negative")
        return value

    shape: Shape | None = None
    turn = Pose()
    match kind:
        case "box":
            a, b, c = inner.vector("size", 3) or (1.0, 1.0, 1.0)
            if min(a, b, c) < 0:
                raise inner.fail("size", "is negative")
            shape = Box(size=(a * x, b * y, c * z))
        case "sphere":
            r = number("radius")
            shape = Sphere(radius=r * x) if x == y == z else Ellipsoid(radii=(r * x, r * y, r * z))
        case "cylinder" | "capsule":
            top, bottom = number("radiusTop"), number("radiusBottom")
            shape = _round_shape(kind, (top, bottom), number("height"), (x, y, z), dialect)
            turn = invert(SIDEWAYS) if isinstance(shape, Cone) and bottom == 0.0 else SIDEWAYS
            straight = isinstance(shape, Cone) or top == bottom
            exact = exact and straight and x == z and (kind == "cylinder" or x == y)
            if (
                isinstance(shape, Sphere)
                and dialect.whole_capsule
                and (least := 2 * max(top, bottom)) > number("height")
            ):
                _tell_low(inner, number("height"), least, context, where)
        case "plane":
            sides = ((inner.number("sizeX") or 0.0) * x, (inner.number("sizeZ") or 0.0) * z)
            shape, turn = Plane(size=sides, bounded=any(sides)), SIDEWAYS
    if shape is not None and not exact:
        reason = "a tapered shape, or one that its node scales unevenly or obliquely, is read at its largest width"
        before = f"{kind} {as_json(inner.members)}"
        context.note("gltf/shape", where, reason, node.source, action="approximated", before=before)
    return shape, turn


def _tell_low(node: JsonObject, height: float, least: float, context: ReaderContext, where: str) -> None:
    """Note a capsule whose height is less than that of its caps."""
    reason, place = "a capsule is at least as high as its caps", node.place("height" if "height" in node else None)
    context.note("gltf/shape", where, reason, place, before=f"{height:g}", after=f"{least:g}", action="approximated")


def _round_shape(kind: str, ends: tuple[float, float], height: float, scale: Vec3, dialect: Dialect) -> Shape:
    """Return a cylinder, cone or capsule about y, given by its end radii, as one about z with the largest radius; a
    sphere if a capsule has no length between its caps."""
    x, y, z = scale
    radius, length = max(ends) * max(x, z), height * y
    if kind == "capsule":
        length -= 2 * radius if dialect.whole_capsule else 0.0
        return Capsule(radius=radius, length=length) if length > 0.0 else Sphere(radius=radius)
    pointed = min(ends) == 0.0 < max(ends)
    return Cone(radius=radius, length=length) if pointed else Cylinder(radius=radius, length=length)


def _said_by_dialects(node: JsonObject, key: str) -> Iterator[tuple[Dialect, dict[str, Any]]]:
    """Yield the value that each draft has under a key of a node, without marking it as read."""
    for dialect in DIALECTS:
        said = member(node.members, "extensions", dialect.bodies, key)
        if isinstance(said, dict):
            yield dialect, said


def motion_of(node: JsonObject, dialect: Dialect) -> RigidMotion:
    """Return the mass (kg), centre of mass (m) and principal moments (kg m^2) of a node, in its own frame.

    Refuses negative values, an orientation that is not a rotation, and an unknown kind of body.
    """
    word = node.text("type") if dialect is OMI else None
    if word not in (None, "dynamic", "kinematic", "static"):
        node.refuse("type", "must be static, kinematic or dynamic")
    kinematic = node.boolean("isKinematic") or word in ("kinematic", "static")
    mass = node.number("mass", 1.0 if dialect is OMI and not kinematic else None)
    if mass is not None and mass < 0:
        node.refuse("mass", "is negative")
        mass = 1.0
    infinite = mass == 0.0 and not dialect.free
    if not mass:  # where an engine makes up the mass, centre of mass and inertia stay unread
        gravity = _one_if_unsaid(node.number("gravityFactor", 1.0))
        return RigidMotion(kinematic=kinematic or infinite, still=word == "static", gravity=gravity)
    centre, moments = node.vector("centerOfMass", 3), node.vector("inertiaDiagonal", 3)
    if moments is not None and min(moments) < 0:
        node.refuse("inertiaDiagonal", "is negative")
        moments = None
    turn = node.vector("inertiaOrientation", 4) if moments is not None else None
    x, y, z, w = turn or (0.0, 0.0, 0.0, 1.0)
    try:
        axes = normalise((w, x, y, z))
    except ValueError:
        raise node.fail("inertiaOrientation", "is no rotation") from None
    given: Vec3 | None = None
    if moments is not None and (max(moments) > 0 or not dialect.free):
        given = (moments[0], moments[1], moments[2])
    endless = given is not None and min(given) == 0 and not dialect.free
    return RigidMotion(
        kinematic=kinematic,
        still=word == "static",
        mass=mass,
        centre=(centre[0], centre[1], centre[2]) if centre is not None else None,
        moments=_finite_moments(given, mass) if given is not None and endless else given,
        endless=endless,
        axes=axes,
        turn=(x, y, z, w),
        gravity=_one_if_unsaid(node.number("gravityFactor", 1.0)),
    )


def _finite_moments(moments: Vec3, mass: float) -> Vec3:
    """Replace infinite moments (0) by finite ones: the sum of two given ones is the maximum for a real body."""
    rest = [value for value in moments if value > 0]
    most = sum(rest) if len(rest) == 2 else max([mass * AWAY**2, *rest])
    a, b, c = (value or most for value in moments)
    return (a, b, c)


def _one_if_unsaid(value: float | None) -> float:
    return 1.0 if value is None else value


def sizes_of(linear: Linear) -> Vec3:
    """Return the lengths of the axes of a node; lengths that differ only by rounding are made equal."""
    x, y, z = map(abs, linear.scale)
    if linear.matrix is not None:
        x, y, z = np.linalg.norm(linear.matrix, axis=0).tolist()
    most = max(x, y, z)
    x, y, z = (most if most - size <= SHEAR * most else size for size in (x, y, z))
    return (x, y, z)
