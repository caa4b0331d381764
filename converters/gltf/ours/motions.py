"""Animations of a document of ours as motions of its joints: the inverse of writing.animation."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import product

from converters.context import Motion, ReaderContext
from converters.gltf.data.accessors import Accessors
from converters.gltf.ours.marks import Tree, mark
from converters.gltf.scene.nodes import PLAIN, LocalTransform, forest, local_transform
from converters.gltf.scene.positions import positions_over
from converters.posing.coordinates import SLACK, bounds
from converters.posing.keyframe import PREFIX
from converters.posing.sampling import MOST_NUMBERS, slerp
from converters.source.json import JsonObject
from ir.arrays import Array, Floats, Ints, np
from ir.pose import compose, invert
from ir.scene import Scene
from ir.tracks import pose_over
from ir.types import IDENTITY, DofKind, Joint, Pose

STILL = 1e-5
"""Tolerance for no motion (rad, m, quaternion components): single precision over several bodies."""
PATHS = ("translation", "rotation")
Chain = tuple[list[int], list[int]]
"""The nodes from the last common ancestor down to the body above a joint, and down to the body below it."""
Channels = Mapping[tuple[int, str], Array]
"""(node, path) -> one row per time."""


class UntoldError(ValueError):
    """The motion of a joint cannot be determined from nodes in single precision, e.g. where two axes coincide."""


def motions(
    root: JsonObject, tree: Tree, scene: Scene, buffers: Sequence[memoryview], context: ReaderContext
) -> list[Motion]:
    """Return the animations that are motions of joints, in joint coordinates; a note reports the others as dropped.

    Clips of keyframes are restored with the keyframes and skipped here, except while an output is read back; in that
    case a clip whose joint motion cannot be determined has no tracks. Raises InputError for invalid data.
    """
    animations = [
        each
        for each in root.children("animations")
        if context.written or not (each.text("name") or "").startswith(PREFIX)
    ]
    if not animations:
        return []
    nodes = root.children("nodes")
    parents = forest(nodes)
    ways = {name: _nodes_down_to(int(node.pointer.rpartition("/")[2]), parents) for name, node in tree.nodes.items()}
    chains = {
        joint.name: _chain_between(
            ways[joint.parent] if joint.parent in ways else _above_bodies(ways[joint.child], nodes), ways[joint.child]
        )
        for joint in scene.joints.values()
        if not joint.closes_loop and joint.child in ways
    }
    accessors = Accessors(root, buffers)
    found = []
    for each in animations:
        name = each.text("name") or "motion"
        times = None
        try:
            times, channels = _times_and_channels(each, accessors, len(nodes))
            found.append(Motion(name, times, _tracks_of_dofs(channels, chains, nodes, scene, context)))
        except ValueError as error:
            if context.written:  # reading an output again: what is missing is reported by the caller
                found += [Motion(name, times, {})] if isinstance(error, UntoldError) and times is not None else []
                continue
            reason = f"an animation is read as a motion of the joints; {error}"
            context.note("gltf/motion", "document", reason, each.source, before=name, action="dropped")
    return found


def _nodes_down_to(number: int, parents: Sequence[int | None]) -> list[int]:
    """Return the nodes from the root of the scene down to one node."""
    way = [number]
    while (above := parents[way[0]]) is not None:
        way.insert(0, above)
    return way


def _above_bodies(way: Sequence[int], nodes: Sequence[JsonObject]) -> list[int]:
    """Return the part of a path above the bodies: down to the model node."""
    marks = [mark(nodes[number])[0] for number in way]
    return [*way[: marks.index("model") + 1]] if "model" in marks else []


def _chain_between(holder: Sequence[int], child: Sequence[int]) -> Chain:
    """Split the paths to a parent and a child body where they diverge: the nodes down to each of them."""
    common = next(
        (n for n, (a, b) in enumerate(zip(holder, child, strict=False)) if a != b), min(len(holder), len(child))
    )
    return [*holder[common:]], [*child[common:]]


def _times_and_channels(animation: JsonObject, accessors: Accessors, nodes: int) -> tuple[Array, Channels]:
    """Return the times (n,) in seconds and the values of the channels at these times. Raises ValueError for anything
    but a clip of ours; another program may have thinned it out, so that each channel has times of its own."""
    samplers = animation.children("samplers")
    inputs: dict[int, Array] = {}
    found: dict[tuple[int, str], tuple[int, Array]] = {}
    for channel in animation.children("channels"):
        number, target = channel.index("sampler", len(samplers)), channel.child("target")
        node = target.index("node", nodes) if target is not None else None
        path = target.text("path") if target is not None else None
        if number is None or node is None or path not in PATHS:
            raise ValueError("this one moves more than the places of nodes")
        sampler = samplers[number]
        if (sampler.text("interpolation") or "LINEAR") != "LINEAR":
            raise ValueError(f"this one goes from sample to sample by {sampler.text('interpolation')}")
        source, output = (sampler.index(key, len(accessors.nodes)) for key in ("input", "output"))
        if source is None or output is None:
            raise sampler.fail(None, "has no input or no output")
        if source not in inputs:
            inputs[source] = accessors.array(source)[:, 0]
        keys, rows = inputs[source], accessors.array(output)
        if rows.shape != (len(keys), 4 if path == "rotation" else 3):
            raise ValueError("the samples of this one are not as many as its times")
        if keys[0] < 0 or bool((np.diff(keys) <= 0).any()):
            raise ValueError("the times of this one do not increase")
        found[node, path] = source, rows
    if not inputs:
        raise ValueError("this one has no channels")
    times = np.unique(np.concatenate([*inputs.values()]))
    if len(times) * len(found) > MOST_NUMBERS:
        raise ValueError(f"this one has {len(found)} channels that move at {len(times)} times: they are too many")
    return times, {key: _at_times(times, inputs[source], rows) for key, (source, rows) in found.items()}


def _at_times(times: Array, keys: Array, rows: Array) -> Array:
    """Return the values of a channel at some times (n,): the first or last sample outside its range, linear
    interpolation within (C.3, C.4 of glTF 2.0)."""
    if len(times) == len(keys):
        return rows
    if len(keys) == 1:
        return np.repeat(rows, len(times), axis=0)
    first = np.clip(np.searchsorted(keys, times, side="right") - 1, 0, len(keys) - 2)
    part = np.clip((times - keys[first]) / (keys[first + 1] - keys[first]), 0.0, 1.0)[:, None]
    before, after = rows[first], rows[first + 1]
    if rows.shape[1] == 4:
        after = after * np.where(np.einsum("ij,ij->i", before, after) < 0, -1.0, 1.0)[:, None]
        resting = (before == after).all(axis=1, keepdims=True)  # slerp of single precision is not exact there
        return np.where(resting, before, slerp(before, after, part))
    found: Array = before + (after - before) * part
    return found


def _tracks_of_dofs(
    channels: Channels, chains: Mapping[str, Chain], nodes: Sequence[JsonObject], scene: Scene, context: ReaderContext
) -> dict[str, Array]:
    """Coordinates (n, k) by dof. Raises ValueError where nodes move in a way no joint permits."""
    moved = {node for node, _ in channels}
    if moved - {node for _, below in chains.values() for node in below}:
        raise ValueError("this one moves nodes that no joint moves")
    tracks: dict[str, Array] = {}
    for name, (above, below) in chains.items():
        if moved.isdisjoint((*above, *below)):
            continue
        joint = scene.joints[name]
        places = {node: local_transform(nodes[node], f"joint/{name}", context) for node in (*above, *below)}
        if any(place.linear is not PLAIN for place in places.values()):
            raise ValueError("this one moves nodes that have a scale")
        found, at = _coordinates_of_joint(joint, (above, below), places, channels)
        for dof in joint.dofs:
            if dof.mimic is None:
                still, track = found[dof.name][0], found[dof.name][at]
                if not above or np.abs(track - still).max() > STILL:
                    tracks[dof.name] = _unwound(track, *bounds(dof)) if dof.kind is DofKind.HINGE else track
    return tracks


def _coordinates_of_joint(
    joint: Joint, chain: Chain, places: Mapping[int, LocalTransform], channels: Channels
) -> tuple[dict[str, Floats], Ints]:
    """Return the coordinates (m, k) of the dofs of a joint at the static poses of its nodes, in the first row, and
    during the motion; and for each time (n,) the row."""
    tracks = {key: channels[key] for key in product(places, PATHS) if key in channels}
    new = np.any([(track[1:] != track[:-1]).any(axis=1) for track in tracks.values()], axis=0)
    new = np.concatenate([[True], new])
    above, below = (_drawn(side, places, {key: track[new] for key, track in tracks.items()}) for side in chain)
    place = compose(invert(above), below) if chain[0] else below
    found = positions_over(joint, place)
    if found is None:
        raise UntoldError(f"in this one {joint.name!r} moves as it cannot")
    return found, np.cumsum(new)


def _drawn(side: Sequence[int], places: Mapping[int, LocalTransform], tracks: Channels) -> Pose:
    """Return the poses of the last of some nodes in the parent of the first (ir.tracks): as they are without an
    animation, and at each sample of the tracks."""
    pose = IDENTITY
    for node in side:
        w, x, y, z = places[node].rot
        still = (places[node].pos, (x, y, z, w))
        own = [[tracks[node, path]] if (node, path) in tracks else [] for path in PATHS]
        pose = compose(pose, pose_over(*(np.vstack([each, *rows]) for each, rows in zip(still, own, strict=True))))
    return pose


def _unwound(track: Array, lower: float, upper: float) -> Array:
    """Return angles without jumps of whole turns, shifted by full turns to fit the limits if needed."""
    angles = np.unwrap(track[:, 0])
    for turns in (0, 1, -1, 2, -2):
        moved = angles + turns * math.tau
        if moved.min() >= lower - SLACK and moved.max() <= upper + SLACK:
            return moved[:, None]
    return angles[:, None]
