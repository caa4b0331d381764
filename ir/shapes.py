"""Shapes, contact properties (Surface), and geoms: a shape at a pose on a body. Lengths are in metres."""

import math
import sys

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
    """size: full edge lengths along x and y, 0 for infinite; the normal is in the frame of the geom. spacing: of the
    grid that is drawn on it.

    bounded: the size bounds collisions as well. In MJCF and SDFormat it bounds only what is drawn.
    """

    normal: Vec3 = (0.0, 0.0, 1.0)
    size: Vec2 = (0.0, 0.0)
    spacing: float = 1.0
    bounded: bool = False


class Mesh(Tagged, kw_only=True):
    """An asset, scaled along its own axes. submesh picks a part by name; centred moves the middle of its bounding box
    to the origin; hull: its convex hull is meant.

    fit: a shape of this kind (sphere, capsule, cylinder, ellipsoid, box) that is fitted to the mesh is meant; or sdf:
    it collides by its signed distance field (MuJoCo), and need not be convex.
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


HEIGHT_KINDS = ("hfield", "heightmap")
"""Kinds of the asset of a height field, whose image is no look: in MJCF, and in other formats."""


class Polyline(Tagged, kw_only=True):
    """A polygon in the xy plane extruded along z."""

    points: tuple[Vec2, ...]
    height: float


Shape = Box | Sphere | Cylinder | Capsule | Ellipsoid | Cone | Plane | Mesh | HeightField | Polyline


def sizeless(shape: Shape | None) -> bool:
    """Whether nothing is of the size that it has: half of a subnormal number may be 0. A plane of 0 is endless."""
    if isinstance(shape, Plane):
        return False
    sizes = (getattr(shape, name, 1.0) for name in ("size", "radii", "radius", "length"))
    return any((min(size) if isinstance(size, tuple) else size) < sys.float_info.min for size in sizes)


TWIST = 3 * math.pi / 16
"""Torque over coefficient, normal force and radius of the patch of a sphere (Gazebo: torsional friction)."""


class Surface(Value, kw_only=True):
    """Contact properties; None where the source is silent.

    mu is the friction along fdir1, mu2 that across it. combine: how two frictions are combined (average, minimum,
    maximum or multiply, as in KHR_physics_rigid_bodies; harmonic: 2ab/(a+b)). torsional and rolling friction
    are in metres: torque over normal force. Where a source gives torsional friction by a coefficient and the radius of
    the contact patch (metres), torsional is None; it would be TWIST times their product. slip: m/s per N; stiffness:
    N/m; damping: N s/m; max_velocity: m/s; min_depth: m. category and collide are bit masks as in MuJoCo and SDFormat.
    contactless: contacts are detected and exert no force. parameters are attributes of a geom or a pair of MuJoCo.
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

    inline: the material is defined at the geom, not in a shared place. transparency: 0 to 1, on top of the alpha of the
    material. mass (kg) or density (kg/m^3): what it adds to a body without an inertial. group: visualiser group of
    MuJoCo.
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

    @property
    def seen(self) -> bool:
        """Whether it is a visual (which may collide as well)."""
        return self.role in Role.SEEN

    @property
    def collides(self) -> bool:
        """Whether it is a collision (which may be visible as well)."""
        return self.role in Role.COLLIDING
