"""Every payload of the graph: frozen values made of floats, strings and tuples.

SI units, radians, z up, quaternions w x y z. Import all payloads from here; they are in ir.base, shapes, joints and
drives."""

from ir.base import (
    AXES as AXES,
    IDENTITY as IDENTITY,
    ONES as ONES,
    ORIGIN as ORIGIN,
    REQUIRED as REQUIRED,
    UP as UP,
    WHITE as WHITE,
    WORLD as WORLD,
    ActuatorRef as ActuatorRef,
    Aside as Aside,
    AssetRef as AssetRef,
    BodyPair as BodyPair,
    BodyRef as BodyRef,
    DofRef as DofRef,
    Entity as Entity,
    Extra as Extra,
    GeomRef as GeomRef,
    GroupRef as GroupRef,
    Inertial as Inertial,
    JointRef as JointRef,
    Mark as Mark,
    MaterialRef as MaterialRef,
    Naming as Naming,
    Notation as Notation,
    NotFiniteError as NotFiniteError,
    Parameters as Parameters,
    Pose as Pose,
    Quat as Quat,
    Ref as Ref,
    ScopeRef as ScopeRef,
    Slot as Slot,
    Source as Source,
    Tensor as Tensor,
    Value as Value,
    Vec2 as Vec2,
    Vec3 as Vec3,
    Vec4 as Vec4,
    slots as slots,
    values_of as values_of,
)
from ir.drives import (
    Actuator as Actuator,
    Channel as Channel,
    Hardware as Hardware,
    Interface as Interface,
    Transmission as Transmission,
    TransmissionEnd as TransmissionEnd,
)
from ir.joints import (
    SCALAR as SCALAR,
    Calibration as Calibration,
    Connect as Connect,
    Constraint as Constraint,
    Couple as Couple,
    Dof as Dof,
    DofKind as DofKind,
    Edge as Edge,
    Joint as Joint,
    Mimic as Mimic,
    SoftLimits as SoftLimits,
    Stop as Stop,
    WeldTo as WeldTo,
)
from ir.shapes import (
    TWIST as TWIST,
    Box as Box,
    Capsule as Capsule,
    Cone as Cone,
    Cylinder as Cylinder,
    Ellipsoid as Ellipsoid,
    Geom as Geom,
    HeightField as HeightField,
    Mesh as Mesh,
    Plane as Plane,
    Polyline as Polyline,
    Role as Role,
    Shape as Shape,
    Sphere as Sphere,
    Surface as Surface,
)


class Frame(Entity, kw_only=True):
    """A named pose on a body: a site, a mount, an SDF frame."""

    pose: Pose = IDENTITY
    role: Notation[str] = "frame"


class Camera(Entity, kw_only=True):
    """Looks along -z with +y up. fov_y: vertical field of view in radians; near, far: metres; width, height: pixels.

    span: height in metres of the view of an orthographic camera. aspect: tan(fov_x / 2) / tan(fov_y / 2) where pixels
    are not square (None: width / height). principal: offset of the principal point from the middle of the image, to the
    right and up, in widths and heights of the image; fov_y is that of a principal point in the middle. sensor_size:
    width and height of the image sensor in metres.
    """

    pose: Pose = IDENTITY
    fov_y: float = 0.7853981633974483
    width: int | None = None
    height: int | None = None
    near: float | None = None
    far: float | None = None
    pixel_format: str | None = None
    orthographic: bool = False
    span: float | None = None
    aspect: float | None = None
    principal: Vec2 = (0.0, 0.0)
    sensor_size: Vec2 | None = None
    parameters: Parameters = ()
    naming: Naming = ()


class Light(Entity, kw_only=True):
    """Shines along -z. kind: point, spot, directional or an engine's own word.

    intensity in candela, of a directional light in lux; power: a factor of its colours. range in metres; attenuation:
    constant, linear and quadratic factor of the distance in metres. inner and outer are half angles of the cone of a
    spot light in radians.
    """

    kind: str
    pose: Pose = IDENTITY
    diffuse: Vec3 = (1.0, 1.0, 1.0)
    specular: Vec3 = (0.0, 0.0, 0.0)
    intensity: float | None = None
    power: float | None = None
    range: float | None = None
    attenuation: Vec3 | None = None
    inner: float | None = None
    outer: float | None = None
    cast_shadows: bool = True
    parameters: Parameters = ()
    naming: Naming = ()


class Body(Entity, kw_only=True):
    """A rigid body. It has no pose of its own: placement belongs to the edge.

    surface is the default of its collision geoms. gravity: the factor by which gravity acts on it. kinematic: it is
    moved from outside, and no force moves it. self_collide: whether it collides with bodies of its own model (None: not
    said). linear_damping and angular_damping are the velocity_decay of SDFormat.
    """

    inertial: Inertial | None = None
    geoms: tuple[Geom, ...] = ()
    frames: tuple[Frame, ...] = ()
    cameras: tuple[Camera, ...] = ()
    lights: tuple[Light, ...] = ()
    scope: ScopeRef = ""
    gravity: float = 1.0
    kinematic: bool = False
    self_collide: bool | None = None
    surface: Surface | None = None
    linear_damping: float | None = None
    angular_damping: float | None = None


# ------------------------------------------------------------------------------------------------------------- tables


class Map(Value, kw_only=True):
    """An image of a material that is not its colour.

    role: normal, occlusion, roughness, metallic, opacity, emissive; metallicRoughness: roughness (green) and metal
    (blue) in one, as in glTF; orm: occlusion, roughness and metal in one.
    """

    role: str
    texture: AssetRef


class Material(Entity, kw_only=True):
    """Colours are display (sRGB) values in [0, 1], alpha last. metallic and roughness as in glTF.

    shininess is the exponent of the highlight (Phong, Blinn), as in OpenGL, SDFormat, COLLADA and OBJ (Ns).
    repeat: how often its images are tiled over u and v, from the upper left corner.
    blank: made for geoms without a material; the looks of a mesh file go before it.
    veil: the part of rgba's alpha that also applies to the looks of mesh files.
    """

    rgba: Vec4 | None = None
    texture: AssetRef | None = None
    ambient: Vec4 | None = None
    specular: Vec4 | None = None
    emissive: Vec4 | None = None
    metallic: float | None = None
    roughness: float | None = None
    shininess: float | None = None
    reflectance: float | None = None
    double_sided: bool = False
    maps: tuple[Map, ...] = ()
    repeat: Vec2 = (1.0, 1.0)
    blank: Aside[bool] = False
    veil: Aside[float] = 1.0
    parameters: Parameters = ()


class Asset(Entity, kw_only=True):
    """A file outside the model.

    uri is as written; file is where it was found (None: not found) and rule how (assets.resolve). made is the content
    of an asset that is in no file: a mesh as OBJ, an image as PNG; file is then the document that defines it.
    """

    uri: str
    kind: str = "mesh"
    file: Aside[str | None] = None
    rule: Aside[str] = ""
    made: Aside[bytes] = b""
    parameters: Parameters = ()


class Scan(Value, kw_only=True):
    """The rays of a lidar: rows of count rays each, from the first of the angles about z to the last, in radians; the
    rows are tilted from the first of the tilts up from the xy-plane to the last. One ray is at the angle 0, one row at
    the tilt 0. They measure what is not nearer than near and not farther than far, in metres; far 0 is no end."""

    count: int = 1
    angles: Vec2 = (0.0, 0.0)
    rows: int = 1
    tilts: Vec2 = (0.0, 0.0)
    near: float = 0.0
    far: float = 0.0


class Sensor(Entity, kw_only=True):
    """On a body at a pose; kind is the neutral word (camera, lidar, imu, force_torque, contact ...). rate in Hz.

    word is that of the author where it is another one ("" where not). A force_torque measures the wrench (N, N m) that
    the parent of the joint `target` exerts on its child, with reaction the opposite, about the origin of the joint, in
    the axes of the sensor, or (frame) of the "parent" or "child" link. noise: standard deviations of the quantities,
    without zeros at the end: acceleration and angular velocity of an imu, force and torque, a field, a distance.
    touching: geoms whose contacts a contact sensor measures.
    """

    kind: str
    word: Notation[str] = ""
    body: BodyRef | None = None
    target: str | None = None
    pose: Pose = IDENTITY
    rate: float | None = None
    frame: str = ""
    reaction: bool = False
    noise: tuple[float, ...] = ()
    touching: tuple[GeomRef, ...] = ()
    camera: Camera | None = None
    scan: Scan | None = None
    parameters: Parameters = ()
    naming: Naming = ()


class TendonPoint(Value, kw_only=True):
    """A part of the path of a tendon: a frame (site), a geom that it wraps, a pulley (value: divisor), or a dof (value:
    coefficient)."""

    kind: str
    target: str = ""
    value: float | None = None
    side: str | None = None


class Tendon(Entity, kw_only=True):
    """A cord along points, in metres, or a sum of dofs times coefficients, in the unit of that.

    rest: the length, or the range of lengths, at which its spring is slack; none: its length with every dof at zero.
    """

    kind: str
    points: tuple[TendonPoint, ...] = ()
    lower: float | None = None
    upper: float | None = None
    stiffness: float = 0.0
    damping: float = 0.0
    friction: float = 0.0
    armature: float = 0.0
    rest: tuple[float, ...] = ()
    parameters: Parameters = ()


class ContactRule(Entity, kw_only=True):
    """include False: these two bodies never collide; True: these two geoms do, with this surface. Without a second body
    the first collides with no other, except for those that a rule with allow names together with it."""

    first: str
    second: str = ""
    include: bool = False
    allow: bool = False
    reason: str | None = None
    surface: Surface | None = None

    @property
    def pair(self) -> BodyPair:
        """What it is about; of a rule without a second body that one and "" ."""
        return frozenset((self.first, self.second))

    @property
    def apart(self) -> bool:
        """Whether it says of two bodies that they never collide."""
        return bool(self.second) and not (self.include or self.allow)


class Keyframe(Entity, kw_only=True):
    """A named state at a time in seconds. positions and velocities by dof name; a FREE dof has xyz + wxyz, a BALL wxyz.

    A dof without a position is at rest (ir.kinematics.rest). dofs: what the state is about, in order (none: all), and
    their group. activations are states of actuators, poses (xyz + wxyz in the world) those of kinematic bodies.
    """

    time: float = 0.0
    positions: tuple[tuple[DofRef, tuple[float, ...]], ...] = ()
    velocities: tuple[tuple[DofRef, tuple[float, ...]], ...] = ()
    controls: tuple[tuple[ActuatorRef, tuple[float, ...]], ...] = ()
    activations: tuple[tuple[ActuatorRef, tuple[float, ...]], ...] = ()
    poses: tuple[tuple[BodyRef, tuple[float, ...]], ...] = ()
    dofs: tuple[DofRef, ...] = ()
    group: GroupRef | None = None
    parameters: Parameters = ()


class Group(Entity, kw_only=True):
    """A planning group: bodies, joints, chains from a base to a tip, and other groups."""

    bodies: tuple[BodyRef, ...] = ()
    joints: tuple[JointRef, ...] = ()
    chains: tuple[tuple[BodyRef, BodyRef], ...] = ()
    groups: tuple[GroupRef, ...] = ()


class EndEffector(Entity, kw_only=True):
    """The group of a hand or tool, the body that holds it, and the group that moves that body."""

    group: GroupRef
    parent: BodyRef
    parent_group: GroupRef | None = None


class Ball(Value, kw_only=True):
    """A sphere in the frame of its body, in metres."""

    centre: Vec3
    radius: float
    extras: tuple[Extra, ...] = ()


class Approximation(Entity, kw_only=True):
    """Spheres that approximate the collision geoms of a body in distance queries."""

    body: BodyRef
    balls: tuple[Ball, ...] = ()


class Physics(Entity, kw_only=True):
    """Settings of the world: gravity (m/s^2), timestep (s), magnetic (T), wind (m/s). The one named physics counts."""

    gravity: Vec3 = (0.0, 0.0, -9.81)
    timestep: float | None = None
    magnetic: Vec3 | None = None
    wind: Vec3 | None = None
    parameters: Parameters = ()


class Scope(Entity, kw_only=True):
    """A nested model, named by its path (arm::gripper). pose is its frame in that of its parent scope.

    self_collide: whether its bodies collide with each other (None: not said).
    """

    parent: ScopeRef = ""
    pose: Pose = IDENTITY
    static: bool = False
    canonical: BodyRef | None = None
    self_collide: bool | None = None


class Block(Entity, kw_only=True):
    """A part of the source for one simulator, verbatim in its single extra.

    It is about `target`: a body, a joint or the whole model.
    """

    dialect: str
    target: str = ""
