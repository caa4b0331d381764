"""Total mass, mass matrix, and the forces that hold a scene against gravity.

Velocity coordinates have the order of kinematics.velocity_names and the meaning of kinematics.motions (BALL: angular
velocity in the frame of the child; FREE: velocity of its origin along the axes of the parent, then angular velocity in
the frame of the child). A dof that mimics another is a coordinate of its own here, as in engines that treat the mimic
as a constraint. Joints that close a loop and constraints are not applied.

Algorithms: Featherstone, Rigid Body Dynamics Algorithms (2008), composite rigid bodies (table 6.2) and inverse dynamics
at rest (table 5.1), in world axes about the centre of mass of each kinematic tree, where long chains lose the fewest
digits.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from msgspec import Struct

from ir.arrays import Floats, Ints, np
from ir.kinematics import (
    NOWHERE,
    Coordinate,
    configuration,
    forward,
    motions,
    velocity_dofs,
    velocity_names,
    velocity_size,
)
from ir.pose import body_tensor, rotate_tensor, transform
from ir.scene import Scene
from ir.types import WORLD, Pose, Vec3

GRAVITY: Vec3 = (0.0, 0.0, -9.81)
"""m/s^2."""


def total_mass(scene: Scene) -> float:
    """The mass of all bodies in kg, without what is fixed to the world itself."""
    bodies = (body for name, body in scene.bodies.items() if name != WORLD)
    return math.fsum(body.inertial.mass for body in bodies if body.inertial is not None)


def mass_matrix(scene: Scene, positions: Mapping[str, Coordinate] = NOWHERE) -> tuple[list[str], Floats]:
    """Names of the n velocity coordinates and the symmetric (n, n) matrix M with kinetic energy v^T M v / 2.

    The inertia of rotors (Dof.armature) is on the diagonal. Time is linear in bodies and in nonzero entries. Raises
    ValueError as kinematics.forward does.
    """
    state = _state(scene, positions)
    return state.names, _momenta(state).dense()


class Momenta(Struct, frozen=True):
    """A mass matrix of n coordinates in O(n) numbers: 10 000 links have 800 MB of entries."""

    motion: Floats
    """(n, 6) spatial velocity of each coordinate at unit rate."""
    momentum: Floats
    """(n, 6) spatial momentum of all bodies that it moves at unit rate."""
    armature: Floats
    """(n,) inertia of rotors."""
    end: Ints
    """(n,) one past the last coordinate that moves with this one."""

    def diagonal(self) -> Floats:
        """(n,)"""
        diagonal: Floats = np.einsum("ni,ni->n", self.momentum, self.motion) + self.armature
        return diagonal

    def column(self, place: int) -> Floats:
        """(n,) column of the matrix: 0 for coordinates of which neither moves the other."""
        column = self.below(place)
        above = np.flatnonzero(self.end[:place] > place)
        column[above] = self.motion[above] @ self.momentum[place]
        return column

    def below(self, place: int) -> Floats:
        """(n,) column of the matrix from the diagonal on, 0 before it."""
        column = np.zeros(len(self.end))
        end = self.end[place]
        column[place:end] = self.momentum[place:end] @ self.motion[place]
        column[place] += self.armature[place]
        return column

    def dense(self) -> Floats:
        """(n, n)"""
        matrix = np.zeros((len(self.end), len(self.end)))
        for place, end in enumerate(self.end):
            matrix[place:end, place] = matrix[place, place:end] = self.below(place)[place:end]
        return matrix


class Still(NamedTuple):
    """A scene at rest in one configuration: body poses, mass matrix, and the forces that hold it."""

    poses: dict[str, Pose]
    names: list[str]
    momenta: Momenta
    torques: Floats
    """(n,) the generalised forces against gravity, N m and N, positive along the dof: g(q) in M a + c + g = tau.
    Body.gravity scales the weight of a body."""


def still(scene: Scene, positions: Mapping[str, Coordinate] = NOWHERE, gravity: Vec3 = GRAVITY) -> Still:
    """All of it at once, which takes half the time of separate calls. Raises ValueError as kinematics.forward does."""
    state = _state(scene, positions)
    return Still(state.poses, state.names, _momenta(state), _torques(state, gravity))


class _Moving(Struct, frozen=True):
    """Bodies in the order of Scene.walk and velocity coordinates in that of velocity_names, in world axes about the
    reference points."""

    poses: dict[str, Pose]
    """Poses in the world by names of bodies."""
    names: list[str]
    """(n,) names of the coordinates."""
    armature: Floats
    """(n,) inertia of rotors."""
    parent: Ints
    """(bodies,) index of the parent, -1 if there is none but the world."""
    inertia: Floats
    """(bodies, 10) mass, mass * centre, second moments xx yy zz xy xz yz."""
    weight: Floats
    """(bodies,) factor of gravity."""
    body: Ints
    """(n,) index of the first body that a coordinate moves."""
    motion: Floats
    """(n, 6) angular velocity, and velocity at the reference point."""
    end: Ints
    """(n,) one past the last coordinate that moves with this one: coordinates are in depth-first order."""


def _state(scene: Scene, positions: Mapping[str, Coordinate]) -> _Moving:
    poses = forward(scene, positions)
    walk = [(joint, body) for joint, body in scene.walk() if body.name != WORLD]
    index = {body.name: number for number, (_, body) in enumerate(walk)}
    parent = np.array([index.get(joint.parent, -1) if joint else -1 for joint, _ in walk], dtype=np.int64)
    centres, tensors, masses = np.zeros((len(walk), 3)), np.zeros((len(walk), 6)), np.zeros(len(walk))
    for number, (_, body) in enumerate(walk):
        if body.inertial is not None:
            pose = poses[body.name]
            masses[number] = body.inertial.mass
            centres[number] = transform(pose, body.inertial.pose.pos)
            tensors[number] = rotate_tensor(pose.rot, body_tensor(body.inertial))
    reference = _reference(parent, masses, centres)
    arms = centres - reference
    inertia = np.hstack([masses[:, None], masses[:, None] * arms, tensors + masses[:, None] * _parallel(arms)])

    twists = motions(scene, poses, configuration(scene, positions))
    body_of = np.array([index[twist.body] for twist in twists], dtype=np.int64)
    angular = np.array([twist.angular for twist in twists]).reshape(-1, 3)
    points = np.array([twist.point for twist in twists]).reshape(-1, 3)
    linear = np.array([twist.linear for twist in twists]).reshape(-1, 3)
    motion = np.hstack([angular, linear + np.cross(angular, reference[body_of] - points)])
    weight = np.array([body.gravity for _, body in walk], dtype=np.float64)
    armature = [dof.armature for _, dof, _ in velocity_dofs(scene) for _ in range(velocity_size(dof))]
    rotors, ends = np.array(armature, dtype=np.float64), _ends(parent, body_of)
    return _Moving(poses, velocity_names(scene), rotors, parent, inertia, weight, body_of, motion, ends)


def _momenta(state: _Moving) -> Momenta:
    composite = _gathered(state, state.inertia)
    momentum = np.einsum("nij,nj->ni", _spatial(composite[state.body]), state.motion)
    return Momenta(state.motion, momentum, state.armature, state.end)


def _torques(state: _Moving, gravity: Vec3) -> Floats:
    field = np.asarray(gravity, dtype=np.float64)
    force = (state.inertia[:, 0] * state.weight)[:, None] * field
    torque = np.cross(state.inertia[:, 1:4] * state.weight[:, None], field)
    wrench = _gathered(state, np.hstack([torque, force]))
    torques: Floats = -np.einsum("ni,ni->n", wrench[state.body], state.motion)
    return torques


def _parallel(arms: Floats) -> Floats:
    """(n, 6) the contribution of a unit mass at each arm (n, 3) to an inertia tensor."""
    x, y, z = arms.T
    return np.stack([y * y + z * z, x * x + z * z, x * x + y * y, -x * y, -x * z, -y * z], axis=1)


def _reference(parent: Ints, masses: Floats, centres: Floats) -> Floats:
    """(bodies, 3) for each body the centre of mass of its kinematic tree."""
    root = np.arange(len(parent))
    for number, above in enumerate(parent.tolist()):
        if above >= 0:
            root[number] = root[above]
    mass, moment = np.zeros(len(parent)), np.zeros((len(parent), 3))
    np.add.at(mass, root, masses)
    np.add.at(moment, root, masses[:, None] * centres)
    return (moment / np.where(mass > 0.0, mass, 1.0)[:, None])[root]


def _gathered(state: _Moving, own: Floats) -> Floats:
    """(bodies, k) the sum of the rows of each body and of all bodies below it."""
    total = own.copy()
    for number in range(len(total) - 1, -1, -1):
        above = state.parent[number]
        if above >= 0:
            total[above] += total[number]
    return total


def _ends(parent: Ints, body_of: Ints) -> Ints:
    """For each coordinate one past the last coordinate of its body and of the bodies below it."""
    last = np.arange(len(parent))
    for number in range(len(parent) - 1, -1, -1):
        above = parent[number]
        if above >= 0:
            last[above] = max(last[above], last[number])
    found: Ints = np.searchsorted(body_of, last[body_of], side="right")
    return found


def _spatial(rows: Floats) -> Floats:
    """(n, 6, 6) from rows (n, 10): maps (angular, linear) velocity to (angular, linear) momentum, all at the reference
    point."""
    mass, x, y, z, xx, yy, zz, xy, xz, yz = rows.T
    none = np.zeros_like(mass)
    entries = [
        [xx, xy, xz, none, -z, y],
        [xy, yy, yz, z, none, -x],
        [xz, yz, zz, -y, x, none],
        [none, z, -y, mass, none, none],
        [-z, none, x, none, mass, none],
        [y, -x, none, none, none, mass],
    ]
    return np.stack([np.stack(row, axis=1) for row in entries], axis=1)
