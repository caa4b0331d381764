"""Every payload of the graph: frozen values made of floats, strings and tuples, in SI units, radians, z up, quaternion w x y z."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, Any

Vec2 = tuple[float, float]
Vec3 = tuple[float, float, float]
Vec4 = tuple[float, float, float, float]
Quat = tuple[float, float, float, float]
Tensor = tuple[float, float, float, float, float, float]
"""Symmetric 3x3 matrix as (xx, yy, zz, xy, xz, yz)."""

Parameters = tuple[tuple[str, str], ...]
"""Named settings of an engine, kept in document order; a tuple so that payloads stay hashable."""


@dataclass(frozen=True, slots=True)
class Ref:
    """Marks a field that holds the name of another entity, so that check, rename and prefix are written once (ir.refs).

    On a payload it says that the name of the payload is such a reference. What a field names may also hang on another
    field of its owner, or be one of several kinds: those fields are listed in ir.refs.
    """

    kind: str


BodyRef = Annotated[str, Ref("body")]
JointRef = Annotated[str, Ref("joint")]
DofRef = Annotated[str, Ref("dof")]
GeomRef = Annotated[str, Ref("geom")]
FrameRef = Annotated[str, Ref("frame")]
MaterialRef = Annotated[str, Ref("material")]
AssetRef = Annotated[str, Ref("asset")]
ScopeRef = Annotated[str, Ref("scope")]
ActuatorRef = Annotated[str, Ref("actuator")]

WORLD = "world"
"""The reserved node: the inertial frame. A body welded to it is fixed, one with a FREE edge floats, one with no edge is unspecified."""


def notation(default: Any = None) -> Any:
    """A field that says how a value was written, not what it is: never compared, never reported, carried for the way back."""
    return field(default=default, compare=False, metadata=_NOTATION)


_NOTATION: Mapping[str, bool] = MappingProxyType({"notation": True})


def is_notation(item: Field[Any]) -> bool:
    return bool(item.metadata.get("notation"))


@dataclass(frozen=True, slots=True)
class Source:
    """Where something stands in a source document: path is an absolute XPath with positions (a JSON pointer in glTF)."""

    file: str
    line: int
    at: object
    """The path, or a node of the document that knows it: asked only when somebody reads it, since paths of deep trees are long."""

    @property
    def path(self) -> str:
        return str(self.at)


@dataclass(frozen=True, slots=True, kw_only=True)
class Extra:
    """What had no neutral meaning, verbatim: an element, an attribute (path ends in /@name) or a text (path ends in text()).

    path is relative to the element of the entity that owns it; index is the position among the child elements of its parent
    (notation: a writer may put other elements before it).
    rule names why the format itself ignores it ("" when it is simply not understood); items counts the source items it holds.
    """

    format: str
    path: str
    text: str
    index: int = notation(0)
    rule: str = field(default="", compare=False)
    items: int = field(default=1, compare=False)
    source: Source | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """What every named thing has. label is the name as the author wrote it, where the graph needed another one."""

    name: str
    label: str | None = notation()
    source: Source | None = field(default=None, compare=False, repr=False)
    extras: tuple[Extra, ...] = ()


@dataclass(frozen=True, slots=True)
class Pose:
    """A frame in its parent frame: position in metres, unit quaternion w x y z. rpy keeps the angles that an author wrote."""

    pos: Vec3 = (0.0, 0.0, 0.0)
    rot: Quat = (1.0, 0.0, 0.0, 0.0)
    rpy: Vec3 | None = notation()


IDENTITY = Pose()


@dataclass(frozen=True, slots=True, kw_only=True)
class Inertial:
    """Mass in kg, centre of mass and axes as a pose in the body frame, tensor about the centre of mass in those axes (kg m^2)."""

    mass: float
    tensor: Tensor
    pose: Pose = IDENTITY
    extras: tuple[Extra, ...] = ()


# ------------------------------------------------------------------------------------------------------------- shapes


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """Full edge lengths, centred."""

    size: Vec3


@dataclass(frozen=True, slots=True, kw_only=True)
class Sphere:
    radius: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Cylinder:
    """Along z, centred, full length."""

    radius: float
    length: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Capsule:
    """Along z, centred; length is that of the cylindrical part (between the centres of the caps)."""

    radius: float
    length: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Ellipsoid:
    radii: Vec3


@dataclass(frozen=True, slots=True, kw_only=True)
class Cone:
    """Along z, centred at half height, base at -length/2."""

    radius: float
    length: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Plane:
    """Infinite where a size is 0; the normal is in the frame of the geom."""

    normal: Vec3 = (0.0, 0.0, 1.0)
    size: Vec2 = (0.0, 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mesh:
    """An asset, scaled along its own axes. submesh picks a part by name; hull says that its convex hull is meant."""

    asset: AssetRef
    scale: Vec3 = (1.0, 1.0, 1.0)
    submesh: str | None = None
    centred: bool = False
    hull: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HeightField:
    """A grid of heights over full extents x, y and z, with a base of thickness `base` below zero."""

    asset: AssetRef
    size: Vec3
    base: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Polyline:
    """A polygon in the xy plane extruded along z."""

    points: tuple[Vec2, ...]
    height: float


Shape = Box | Sphere | Cylinder | Capsule | Ellipsoid | Cone | Plane | Mesh | HeightField | Polyline


@dataclass(frozen=True, slots=True, kw_only=True)
class Surface:
    """Contact properties; None where the source is silent. mu along fdir1, mu2 across it; masks as in MuJoCo and SDFormat."""

    mu: float | None = None
    mu2: float | None = None
    torsional: float | None = None
    rolling: float | None = None
    fdir1: Vec3 | None = None
    slip1: float | None = None
    slip2: float | None = None
    restitution: float | None = None
    stiffness: float | None = None
    damping: float | None = None
    max_velocity: float | None = None
    min_depth: float | None = None
    max_contacts: int | None = None
    category: int | None = None
    collide: int | None = None
    parameters: Parameters = ()


class Role:
    """What a geom is for. Any other string is a custom role, such as collision_checking."""

    VISUAL = "visual"
    COLLISION = "collision"
    BOTH = "both"


@dataclass(frozen=True, slots=True, kw_only=True)
class Geom(Entity):
    """A shape on a body. Names are unique in the scene. inline: the material was defined on the spot, not in a shared place."""

    role: str
    shape: Shape | None
    pose: Pose = IDENTITY
    material: MaterialRef | None = None
    surface: Surface | None = None
    mass: float | None = None
    density: float | None = None
    group: int | None = None
    inline: bool = notation(False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame(Entity):
    """A named pose on a body: a site, a mount, an SDF frame."""

    pose: Pose = IDENTITY
    role: str = notation("frame")


@dataclass(frozen=True, slots=True, kw_only=True)
class Camera(Entity):
    """Looks along -z with +y up. fov_y in radians; near and far in metres."""

    pose: Pose = IDENTITY
    fov_y: float = 0.7853981633974483
    width: int | None = None
    height: int | None = None
    near: float | None = None
    far: float | None = None
    pixel_format: str | None = None
    orthographic: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Light(Entity):
    """Shines along -z. Angles are half angles in radians."""

    kind: str
    pose: Pose = IDENTITY
    diffuse: Vec3 = (1.0, 1.0, 1.0)
    specular: Vec3 = (0.0, 0.0, 0.0)
    intensity: float | None = None
    range: float | None = None
    attenuation: Vec3 | None = None
    inner: float | None = None
    outer: float | None = None
    cast_shadows: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Body(Entity):
    """A rigid body. It has no pose of its own: placement belongs to the edge. surface is the default of its collision geoms."""

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


# ------------------------------------------------------------------------------------------------------------- joints


class DofKind(StrEnum):
    HINGE = "hinge"
    SLIDE = "slide"
    SCREW = "screw"
    BALL = "ball"
    FREE = "free"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mimic:
    """q = multiplier * (q_leader - reference) + offset."""

    dof: DofRef
    multiplier: float = 1.0
    offset: float = 0.0
    reference: float = 0.0
    parameters: Parameters = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SoftLimits:
    """URDF safety_controller: position bounds inside the hard ones, and the gains that enforce them."""

    k_velocity: float
    k_position: float = 0.0
    lower: float = 0.0
    upper: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """Positions at which a reference switch rises or falls."""

    rising: float | None = None
    falling: float | None = None
    reference: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Dof:
    """One degree of freedom (BALL has three, FREE six). axis (unit) and anchor are in the child body frame.

    None means unlimited or unspecified. zero is the coordinate at which the joint pose holds. SCREW: pitch in metres per radian.
    """

    name: str
    kind: DofKind
    axis: Vec3 = (0.0, 0.0, 1.0)
    anchor: Vec3 = (0.0, 0.0, 0.0)
    lower: float | None = None
    upper: float | None = None
    zero: float = 0.0
    effort: float | None = None
    velocity: float | None = None
    acceleration: float | None = None
    deceleration: float | None = None
    jerk: float | None = None
    damping: float = 0.0
    friction: float = 0.0
    armature: float = 0.0
    stiffness: float = 0.0
    spring_reference: float = 0.0
    pitch: float | None = None
    mimic: Mimic | None = None
    soft: SoftLimits | None = None
    calibration: Calibration | None = None
    parameters: Parameters = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Joint(Entity):
    """Edge parent -> child. pose is the child frame in the parent frame with every dof at its zero. No dofs = weld."""

    parent: BodyRef
    child: BodyRef
    pose: Pose = IDENTITY
    dofs: tuple[Dof, ...] = ()
    closes_loop: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Connect:
    """A point of the first body (its frame) stays on the second body."""

    anchor: Vec3 = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class WeldTo:
    """The second body keeps this pose in the frame of the first."""

    pose: Pose = IDENTITY
    anchor: Vec3 = (0.0, 0.0, 0.0)
    torque_scale: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Couple:
    """q_first - zero = sum a_i (q_second - zero)^i; without a second dof the first one is locked."""

    first: DofRef
    second: DofRef | None = None
    coefficients: tuple[float, ...] = (0.0, 1.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Distance:
    """Two points, one on each body, keep their distance."""

    first: Vec3
    second: Vec3
    distance: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Constraint(Entity):
    """Edge between two bodies (for a Couple: the children of its dofs) that is not part of the tree."""

    parent: BodyRef
    child: BodyRef
    spec: Connect | WeldTo | Couple | Distance
    active: bool = True
    parameters: Parameters = ()


# ------------------------------------------------------------------------------------------------------------- tables


@dataclass(frozen=True, slots=True, kw_only=True)
class Material(Entity):
    """Colours are display (sRGB) values in [0, 1], alpha last. metallic and roughness as in glTF."""

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
    parameters: Parameters = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Asset(Entity):
    """A file outside the model. uri as written; file is where it was found (None: not found) and rule how (assets.resolve)."""

    uri: str
    kind: str = "mesh"
    file: str | None = field(default=None, compare=False)
    rule: str = field(default="", compare=False)
    parameters: Parameters = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Actuator(Entity):
    """kind: motor, position, velocity or an engine's own word. gear multiplies length and force."""

    kind: str
    dof: DofRef | None = None
    target: str | None = None
    gear: tuple[float, ...] = (1.0,)
    kp: float | None = None
    kv: float | None = None
    control_range: Vec2 | None = None
    force_range: Vec2 | None = None
    parameters: Parameters = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TransmissionEnd:
    """One joint or one actuator of a transmission."""

    name: str
    interfaces: tuple[str, ...] = ()
    role: str | None = None
    reduction: float | None = None
    offset: float | None = None
    extras: tuple[Extra, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Transmission(Entity):
    """How actuators drive joints. kind is the plugin or class that the source names; joints are named by dof."""

    kind: str
    joints: tuple[Annotated[TransmissionEnd, Ref("dof")], ...] = ()
    actuators: tuple[TransmissionEnd, ...] = ()
    reduction: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Interface:
    """A ros2_control command or state interface: position, velocity, effort or a custom word."""

    name: str
    minimum: float | None = None
    maximum: float | None = None
    initial: float | None = None
    extras: tuple[Extra, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """A joint, sensor or gpio of a hardware component, with its interfaces."""

    name: str
    kind: str = "joint"
    commands: tuple[Interface, ...] = ()
    states: tuple[Interface, ...] = ()
    extras: tuple[Extra, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Hardware(Entity):
    """A ros2_control component: kind is system, sensor or actuator."""

    kind: str
    plugin: str | None = None
    channels: tuple[Channel, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sensor(Entity):
    """On a body at a pose; kind is the neutral word (camera, lidar, imu, force_torque, contact ...)."""

    kind: str
    body: BodyRef | None = None
    target: str | None = None
    pose: Pose = IDENTITY
    rate: float | None = None
    camera: Camera | None = None
    parameters: Parameters = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TendonPoint:
    """A stop on a tendon: a frame, a wrapping geom, a pulley (divisor), or a dof with its coefficient."""

    kind: str
    target: str = ""
    value: float | None = None
    side: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tendon(Entity):
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


@dataclass(frozen=True, slots=True, kw_only=True)
class ContactRule(Entity):
    """include = False: these two bodies never collide; True: these two geoms do, with this surface."""

    first: str
    second: str
    include: bool = False
    reason: str | None = None
    surface: Surface | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Keyframe(Entity):
    """A named state. positions and velocities by dof name; a FREE dof has xyz + wxyz, a BALL wxyz."""

    time: float = 0.0
    positions: tuple[tuple[DofRef, tuple[float, ...]], ...] = ()
    velocities: tuple[tuple[DofRef, tuple[float, ...]], ...] = ()
    controls: tuple[tuple[ActuatorRef, float], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Physics(Entity):
    """Settings of the world. gravity in m/s^2."""

    gravity: Vec3 = (0.0, 0.0, -9.81)
    timestep: float | None = None
    magnetic: Vec3 | None = None
    wind: Vec3 | None = None
    parameters: Parameters = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope(Entity):
    """A nested model, named by its path (arm::gripper). pose is its frame in that of its parent scope."""

    parent: ScopeRef = ""
    pose: Pose = IDENTITY
    static: bool = False
    canonical: BodyRef | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Block(Entity):
    """A stretch of source for one simulator, verbatim in its single extra, about `target` (a body, a joint or the whole model)."""

    dialect: str
    target: str = ""
