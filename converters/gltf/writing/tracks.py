"""The poses of nodes over the samples of a clip, each computed once for all samples in a row that share it: in most
samples of a clip most nodes rest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from converters.gltf.scene.layout import Moving
from ir.arrays import Floats, Ints, np
from ir.pose import multiply, rotate
from ir.scene import Scene
from ir.tracks import changed, placements
from ir.types import Dof, Pose


class Track(NamedTuple):
    """Poses, as places (m, 3) and unit quaternions x y z w (m, 4), and the index of that of each sample (n,).

    A quaternion is on the side of the one before: q and -q interpolate differently.
    """

    places: Floats
    turns: Floats
    at: Ints


def tracks_of(steps: Sequence[Moving], scene: Scene, values: Mapping[str, Floats]) -> Iterator[tuple[Moving, Track]]:
    """Yield each step with its track; values (n, k) are those of every dof of the scene in n samples. Without dofs
    there is no motion."""
    worlds = _worlds(scene, values) if values and any(step.pose is None for step in steps) else {}
    for step in steps if values else ():
        yield step, worlds[step.body] if step.pose is None else _track(step.pose, step.dofs, values)


def _worlds(scene: Scene, values: Mapping[str, Floats]) -> dict[str, Track]:
    """Return the track of each body in the world (forward kinematics)."""
    count = len(next(iter(values.values())))
    still = Track(np.zeros((1, 3)), np.array([[0.0, 0.0, 0.0, 1.0]]), np.zeros(count, dtype=np.int64))
    found: dict[str, Track] = {}
    for joint, body in scene.walk():
        if joint is None:
            found[body.name] = still
        elif joint.dofs:
            found[body.name] = _composed(found[joint.parent], _track(joint.pose, joint.dofs, values))
        else:
            found[body.name] = _composed(found[joint.parent], _as_track(joint.pose, still.at))
    return found


def _composed(above: Track, own: Track) -> Track:
    """Return the track of a frame given in another one, in the frame of that."""
    new = changed(above.at[:, None], own.at[:, None])
    outer, inner = above.at[new], own.at[new]
    (ax, ay, az, aw), (bx, by, bz, bw) = above.turns[outer].T, own.turns[inner].T
    x, y, z = own.places[inner].T
    moved = rotate((aw, ax, ay, az), (x, y, z))
    w, x, y, z = multiply((aw, ax, ay, az), (bw, bx, by, bz))
    return Track(above.places[outer] + np.stack(moved, axis=1), np.stack([x, y, z, w], axis=1), np.cumsum(new) - 1)


def _track(pose: Pose, dofs: Sequence[Dof], values: Mapping[str, Floats]) -> Track:
    """Return the track of a frame that some dofs move (ir.tracks.placements)."""
    own = {dof.name: values[dof.name] for dof in dofs}
    new = changed(*own.values())
    return _as_track(placements(pose, dofs, {name: each[new] for name, each in own.items()}), np.cumsum(new) - 1)


def _as_track(pose: Pose, at: Ints) -> Track:
    """Return the track of a pose over samples (ir.tracks) or of one that does not change."""
    px, py, pz, w, x, y, z = map(np.atleast_1d, np.broadcast_arrays(*pose.pos, *pose.rot))
    turns = np.stack([x, y, z, w], axis=1)
    sides = np.sign(np.einsum("ij,ij->i", turns[1:], turns[:-1]))
    sides[sides == 0] = 1.0
    turns[1:] *= np.cumprod(sides)[:, None]
    return Track(np.stack([px, py, pz], axis=1), turns / np.linalg.norm(turns, axis=1, keepdims=True), at)
