"""The poses of nodes over the samples of a clip, each computed once for all samples in a row that share it: in most
samples of a clip most nodes rest."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from converters.gltf.scene.layout import Moving, Values
from ir.arrays import Flags, Floats, Ints, np
from ir.kinematics import placement
from ir.pose import multiply, rotate
from ir.scene import Scene
from ir.types import Pose


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
            own = _track(partial(placement, joint), tuple(dof.name for dof in joint.dofs), values)
            found[body.name] = _composed(found[joint.parent], own)
        else:
            found[body.name] = _composed(found[joint.parent], _as_track([joint.pose], still.at))
    return found


def _composed(above: Track, own: Track) -> Track:
    """Return the track of a frame given in another one, in the frame of that."""
    new = _changed(above.at[:, None], own.at[:, None])
    outer, inner = above.at[new], own.at[new]
    (ax, ay, az, aw), (bx, by, bz, bw) = above.turns[outer].T, own.turns[inner].T
    x, y, z = own.places[inner].T
    moved = rotate((aw, ax, ay, az), (x, y, z))
    w, x, y, z = multiply((aw, ax, ay, az), (bw, bx, by, bz))
    return Track(above.places[outer] + np.stack(moved, axis=1), np.stack([x, y, z, w], axis=1), np.cumsum(new) - 1)


def _track(pose: Callable[[Values], Pose], dofs: Sequence[str], values: Mapping[str, Floats]) -> Track:
    """Return the track of a pose that depends on some dofs."""
    own = {name: values[name] for name in dofs}
    new = _changed(*own.values())
    rows = np.flatnonzero(new)
    poses = [pose(dict(zip(own, each, strict=True))) for each in zip(*_tuples(own, rows), strict=True)]
    return _as_track(poses, np.cumsum(new) - 1)


def _tuples(own: Mapping[str, Floats], rows: Ints) -> Iterator[list[tuple[float, ...]]]:
    """Yield the values of each dof in these samples."""
    for track in own.values():
        yield [*map(tuple, track[rows].tolist())]


def _changed(*tracks: Floats | Ints) -> Flags:
    """Return whether a sample differs in any of these tracks (n, k) from the one before (n,); the first one does."""
    new = np.ones(len(tracks[0]), dtype=bool)
    new[1:] = np.any([(track[1:] != track[:-1]).any(axis=1) for track in tracks], axis=0)
    return new


def _as_track(poses: Sequence[Pose], at: Ints) -> Track:
    turns = np.array([(*pose.rot[1:], pose.rot[0]) for pose in poses])
    sides = np.sign(np.einsum("ij,ij->i", turns[1:], turns[:-1]))
    sides[sides == 0] = 1.0
    turns[1:] *= np.cumprod(sides)[:, None]
    return Track(np.array([pose.pos for pose in poses]), turns / np.linalg.norm(turns, axis=1, keepdims=True), at)
