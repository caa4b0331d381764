"""Animations of a document of ours as motions of its joints: the inverse of writing.animation."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from converters.context import Motion, ReaderContext
from converters.gltf.data.accessors import Accessors
from converters.gltf.ours.marks import Tree, mark
from converters.gltf.scene.layout import Values
from converters.gltf.scene.nodes import PLAIN, LocalTransform, forest, local_transform
from converters.gltf.scene.positions import positions_over
from converters.posing.coordinates import SLACK, bounds
from converters.posing.keyframe import PREFIX
from converters.posing.sampling import MOST_NUMBERS, slerp
from converters.source.json import JsonObject
from ir.arrays import Array, Flags, np
from ir.kinematics import configuration
from ir.pose import compose, invert
from ir.scene import Scene
from ir.tracks import changed, pose_over
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
    clips: dict[int, tuple[Array, Channels]] = {}
    faults: dict[int, ValueError] = {}
    for number, each in enumerate(animations):
        try:
            clips[number] = _times_and_channels(each, accessors, len(nodes))
        except ValueError as error:
            faults[number] = error
    tracks, impossible = _tracks_of_dofs({n: clip for n, (_, clip) in clips.items()}, chains, nodes, scene, context)
    faults |= impossible
    found = []
    for number, each in enumerate(animations):
        name, fault = each.text("name") or "motion", faults.get(number)
        if fault is None or (context.written and isinstance(fault, UntoldError)):
            found.append(Motion(name, clips[number][0], tracks[number] if fault is None else {}))
        elif not context.written:  # reading an output again: what is missing is reported by the caller
            reason = f"an animation is read as a motion of the joints; {fault}"
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
    clips: Mapping[int, Channels],
    chains: Mapping[str, Chain],
    nodes: Sequence[JsonObject],
    scene: Scene,
    context: ReaderContext,
) -> tuple[dict[int, dict[str, Array]], dict[int, ValueError]]:
    """Return the coordinates (n, k) by dof of each clip, and the clips whose nodes move in a way no joint permits, with
    the error. A joint is solved for the samples of all clips at once: many short ones (keyframes) are no rare case."""
    moved = {number: {node for node, _ in channels} for number, channels in clips.items()}
    movable = {node for _, below in chains.values() for node in below}
    strange = ValueError("this one moves nodes that no joint moves")
    faults: dict[int, ValueError] = {number: strange for number, each in moved.items() if each - movable}
    tracks: dict[int, dict[str, Array]] = {number: {} for number in clips}
    values = configuration(scene)
    for name, (above, below) in chains.items():
        own = {*above, *below}
        moving = [number for number, each in moved.items() if number not in faults and not own.isdisjoint(each)]
        if not moving:
            continue
        joint = scene.joints[name]
        places = {node: local_transform(nodes[node], f"joint/{name}", context) for node in (*above, *below)}
        if any(place.linear is not PLAIN for place in places.values()):
            faults |= dict.fromkeys(moving, ValueError("this one moves nodes that have a scale"))
            continue
        solved = _coordinates_of_joint(joint, (above, below), places, [clips[number] for number in moving], values)
        for number, coordinates in zip(moving, solved, strict=True):
            if coordinates is None:
                faults[number] = UntoldError(f"in this one {name!r} moves as it cannot")
            else:
                tracks[number] |= _tracks_of_joint(joint, coordinates, beside=bool(above))
    return tracks, faults


def _tracks_of_joint(joint: Joint, coordinates: Mapping[str, Array], beside: bool) -> Iterator[tuple[str, Array]]:
    """Yield the dofs that move, with their coordinates; those of the static poses are in the first row. beside: the
    nodes of its bodies are siblings, so that they also move where the joint does not."""
    for dof in joint.dofs:
        if dof.mimic is None:
            still, track = coordinates[dof.name][0], coordinates[dof.name][1:]
            if not beside or np.abs(track - still).max() > STILL:
                yield dof.name, _unwound(track, *bounds(dof)) if dof.kind is DofKind.HINGE else track


def _coordinates_of_joint(
    joint: Joint, chain: Chain, places: Mapping[int, LocalTransform], clips: Sequence[Channels], values: Values
) -> Iterator[dict[str, Array] | None]:
    """Yield for each clip the coordinates of the dofs of a joint, at the static poses of its nodes and then at each
    time of the clip (n + 1, k); None if the joint cannot bring its bodies there. Times in a row at which the nodes are
    at the same place are solved once."""
    own = [{key: each[key] for key in product(places, PATHS) if key in each} for each in clips]
    new = [changed(*each.values()) for each in own]
    above, below = (_drawn(side, places, own, new) for side in chain)
    found, possible = positions_over(joint, compose(invert(above), below) if chain[0] else below, values)
    start = 1
    for flags in new:
        rows = np.concatenate([[0], np.cumsum(flags) + start - 1])
        start = int(rows[-1]) + 1
        yield {name: track[rows] for name, track in found.items()} if possible[rows].all() else None


def _drawn(
    side: Sequence[int], places: Mapping[int, LocalTransform], clips: Sequence[Channels], kept: Sequence[Flags]
) -> Pose:
    """Return the poses of the last of some nodes in the parent of the first (ir.tracks): without an animation, and at
    those samples (n,) of each clip that are kept."""
    pose = IDENTITY
    for node in side:
        w, x, y, z = places[node].rot
        columns = []
        for still, path in zip((places[node].pos, (x, y, z, w)), PATHS, strict=True):
            tracks = (
                clip.get((node, path), np.array([still])[[0] * len(new)]) for clip, new in zip(clips, kept, strict=True)
            )
            columns.append(np.vstack([still, *(track[new] for track, new in zip(tracks, kept, strict=True))]))
        pose = compose(pose, pose_over(*columns))
    return pose


def _unwound(track: Array, lower: float, upper: float) -> Array:
    """Return angles without jumps of whole turns, shifted by full turns to fit the limits if needed."""
    angles = np.unwrap(track[:, 0])
    for turns in (0, 1, -1, 2, -2):
        moved = angles + turns * math.tau
        if moved.min() >= lower - SLACK and moved.max() <= upper + SLACK:
            return moved[:, None]
    return angles[:, None]
