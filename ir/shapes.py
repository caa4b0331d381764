"""Shapes, what contact does on them, and geoms: a shape at a place on a body."""

import math

from ir.base import IDENTITY, AssetRef, Entity, MaterialRef, Notation, Parameters, Pose, Tagged, Value, Vec2, Vec3


class Box(Tagged, kw_only=True):
    """Full edge lengths, centred."""

    size: Vec3


class Sphere(Tagged, kw_only=True):
    """Centred."""

    radius: float


class Cylinder(Tagged, kw_only=True):
    """Along z, centred, full length."""

    radius: float
    length: float


class Capsule(Tagged, kw_only=True):
    """Along z, centred; length is that of the cylindrical part (between the centres of the caps)."""

    radius: float
    length: float


class Ellipsoid(Tagged, kw_only=True):
    """Centred; half lengths along x, y and z."""

    radii: Vec3


class Cone(Tagged, kw_only=True):
    """Along z, centred at half height, base at -length/2."""

    radius: float
    length: float


class Plane(Tagged, kw_only=True):
    """Infinite where a size is 0; the normal is in the frame of the geom. spacing: of the grid that is drawn on it.

    bounded: it collides no further than its size either, which else is for the eye alone (as in MJCF and SDFormat).
    """

    normal: Vec3 = (0.0, 0.0, 1.0)
    size: Vec2 = (0.0, 0.0)
    spacing: float = 1.0
    bounded: bool = False


class Mesh(Tagged, kw_only=True):
    """An asset, scaled along its own axes. submesh picks a part by name; centred puts the middle of its box at the
    origin; hull says that its convex hull is meant.

    fit: not the mesh is meant but a shape of this kind (sphere, capsule, cylinder, ellipsoid, box) fitted to it; or
    sdf, the distance to its surface, which need not be convex to collide.
    """

    asset: AssetRef
    scale: Vec3 = (1.0, 1.0, 1.0)
    submesh: str | None = None
    centred: bool = False
    hull: bool = False
    fit: str = ""


class HeightField(Tagged, kw_only=True):
    """A grid of heights over full extents x, y and z, with a base of thickness `base` below zero."""

    asset: AssetRef
    size: Vec3
    base: float = 0.0


class Polyline(Tagged, kw_only=True):
    """A polygon in the xy plane extruded along z."""

    points: tuple[Vec2, ...]
    height: float


Shape = Box | Sphere | Cylinder | Capsule | Ellipsoid | Cone | Plane | Mesh | HeightField | Polyline


TWIST = 3 * math.pi / 16
"""Torque over coefficient, normal force and radius of the patch of a sphere (Gazebo: torsional friction)."""


class Surface(Value, kw_only=True):
    """Contact properties; None where the source is silent.

    mu is along fdir1, mu2 across it. combine: how mu and that of what it touches make one (average, minimum, maximum or
    multiply: the words of KHR_physics_rigid_bodies; harmonic: 2ab/(a+b)). torsional and rolling are in metres: torque
    over normal force.
    Where a source says the former by a coefficient and the radius of the patch that touches (metres), torsional is
    None, and would be TWIST times their product. masks are as in MuJoCo and SDFormat. contactless: what touches it is
    noticed and goes through. parameters are attributes of a geom or a pair of MuJoCo.
    """

    mu: float | None = None
    mu2: float | None = None
    torsional: float | None = None
    torsional_coefficient: float | None = None
    patch_radius: float | None = None
    rolling: float | None = None
    combine: str | None = None
    fdir1: Vec3 | None = None
    slip1: float | None = None
    slip2: float | None = None
    restitution: float | None = None
    stiffness: float | None = None
    damping: float | None = None
    max_velocity: float | None = None
    min_depth: float | None = None
    category: int | None = None
    collide: int | None = None
    contactless: bool = False
    parameters: Parameters = ()


class Role:
    """What a geom is for. Any other string is a custom role, such as collision_checking."""

    VISUAL = "visual"
    COLLISION = "collision"
    BOTH = "both"
    SEEN = (VISUAL, BOTH)
    COLLIDING = (COLLISION, BOTH)


class Geom(Entity, kw_only=True):
    """A shape on a body. Names are unique in the scene.

    inline: the material was defined on the spot, not in a shared place. transparency: 0 to 1, on top of the alpha of
    the material. mass (kg) or density (kg/m^3): its share of a body that says no inertia. group: that of MuJoCo, which
    is shown or not.
    """

    role: str
    shape: Shape | None
    pose: Pose = IDENTITY
    material: MaterialRef | None = None
    surface: Surface | None = None
    mass: float | None = None
    density: float | None = None
    group: int | None = None
    transparency: float = 0.0
    inline: Notation[bool] = False
