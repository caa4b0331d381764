"""Edges between bodies: joints with their degrees of freedom, and constraints that are not part of the tree."""

import math
from enum import StrEnum

from ir.base import (
    IDENTITY,
    Aside,
    BodyPair,
    BodyRef,
    DofRef,
    Entity,
    Naming,
    Notation,
    Parameters,
    Pose,
    Source,
    Tagged,
    Value,
    Vec3,
)


class DofKind(StrEnum):
    """How a dof moves: about or along its axis, both at once (screw), in any way about its anchor (ball), or freely."""

    HINGE = "hinge"
    SLIDE = "slide"
    SCREW = "screw"
    BALL = "ball"
    FREE = "free"


SCALAR = (DofKind.HINGE, DofKind.SLIDE)
"""Kinds whose coordinate is a single angle or length."""


class Mimic(Value, kw_only=True):
    """This dof follows another one (dof): q = multiplier * (q_leader - reference) + offset."""

    dof: DofRef
    multiplier: float = 1.0
    offset: float = 0.0
    reference: float = 0.0
    parameters: Parameters = ()

    @property
    def constant(self) -> float:
        """The coordinate of the follower when that of the leader is 0."""
        return self.offset - self.multiplier * self.reference

    def led(self, leader: float) -> float:
        """The coordinate of the follower when the leader has this one."""
        return self.multiplier * (leader - self.reference) + self.offset


class SoftLimits(Value, kw_only=True):
    """URDF safety_controller: position bounds inside the limits, and the gains of the controller that enforces them:
    k_position (1/s), k_velocity (N s/m or N m s/rad)."""

    k_velocity: float
    k_position: float = 0.0
    lower: float = 0.0
    upper: float = 0.0


class Stop(Value, kw_only=True):
    """The compliance of the limits of a dof.

    Beyond a limit by x, and moving on at speed v, the force is stiffness * x * (1 + dissipation * v) + damping * v.
    stiffness: N/m or N m/rad; damping: N s/m or N m s/rad; dissipation, of Hunt and Crossley: s/m or s/rad.
    """

    stiffness: float
    damping: float = 0.0
    dissipation: float = 0.0


class Calibration(Value, kw_only=True):
    """Positions at which a reference switch rises or falls, in radians or metres."""

    rising: float | None = None
    falling: float | None = None
    reference: float | None = None


class Dof(Value, kw_only=True):
    """One degree of freedom (BALL has three, FREE six). axis (unit vector) and anchor are in the child body frame.

    Coordinates are radians or metres, and all derived quantities are in SI units: limits (None: unlimited), zero (the
    coordinate at which Joint.pose holds), spring_reference; effort and friction (N m or N); velocity, acceleration,
    deceleration, jerk; damping (N m s/rad or N s/m), stiffness (N m/rad or N/m), armature (kg m^2 or kg). SCREW: pitch
    in metres per radian. None: not given in the source. label is the name as the author wrote it, if the graph needed
    another one ("": there was none). source is set for a dof that is written in another place than its joint.
    """

    name: str
    label: Notation[str | None] = None
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
    stop: Stop | None = None
    calibration: Calibration | None = None
    parameters: Parameters = ()
    source: Aside[Source | None] = None

    @property
    def range(self) -> tuple[float, float]:
        """The limits, infinite where there are none."""
        return (-math.inf if self.lower is None else self.lower, math.inf if self.upper is None else self.upper)

    @property
    def crossed(self) -> bool:
        """Whether its lower limit is above the upper one."""
        return self.range[0] > self.range[1]


class Edge(Entity, kw_only=True):
    """Something between two bodies: a joint or a constraint."""

    parent: BodyRef
    child: BodyRef

    @property
    def pair(self) -> BodyPair:
        """The two bodies, whichever is the parent."""
        return frozenset((self.parent, self.child))


class Joint(Edge, kw_only=True):
    """Edge parent -> child. pose is the child frame in the parent frame with every dof at its zero. No dofs: a weld.

    mount: the joint's own frame (ir.pose.joint_frame), which affects no motion, relative to the anchor in axes of the
    child; None where the two are the same. frame: the name of the world in a virtual joint of an SRDF. passive:
    planners do not move it. properties: further settings for planners. places: the sources of fields that are given in
    another document or element.
    """

    pose: Pose = IDENTITY
    dofs: tuple[Dof, ...] = ()
    mount: Pose | None = None
    closes_loop: bool = False
    frame: str | None = None
    passive: bool = False
    properties: Parameters = ()
    places: Aside[tuple[tuple[str, Source], ...]] = ()

    @property
    def free(self) -> bool:
        """Whether its child floats: one FREE dof."""
        return len(self.dofs) == 1 and self.dofs[0].kind is DofKind.FREE


class Connect(Tagged, kw_only=True):
    """Ball joint constraint: a point of the first body (anchor, in its frame, metres) stays on the second body."""

    anchor: Vec3 = (0.0, 0.0, 0.0)


class WeldTo(Tagged, kw_only=True):
    """Weld constraint: the second body keeps this pose in the frame of the first. anchor: on the second body, in
    metres, as in MJCF; torque_scale (metres) weighs rotation against translation."""

    pose: Pose = IDENTITY
    anchor: Vec3 = (0.0, 0.0, 0.0)
    torque_scale: float = 1.0


class Couple(Tagged, kw_only=True):
    """Coupling: q_first - zero = sum a_i (q_second - zero)^i; without a second dof the first one is locked.

    of: "dof", or "tendon", whose zero is its length with every dof at its zero.
    """

    first: str
    second: str | None = None
    coefficients: tuple[float, ...] = (0.0, 1.0, 0.0, 0.0, 0.0)
    of: str = "dof"


class Constraint(Edge, kw_only=True):
    """Edge between two bodies (for a Couple: the children of its dofs) that is not part of the tree."""

    spec: Connect | WeldTo | Couple
    active: bool = True
    parameters: Parameters = ()
    naming: Naming = ()
