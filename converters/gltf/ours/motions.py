"""Animations of a document of ours as motions of its joints: what the clips of writing.animation were made of."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from converters.context import Context, Motion
from converters.gltf.data.accessors import Accessors
from converters.gltf.ours.marks import Tree
from converters.gltf.scene.layout import KIND
from converters.gltf.scene.nodes import PLAIN, LocalTransform, forest, local
from converters.gltf.scene.positions import position
from converters.posing.coordinates import SLACK, bounds
from converters.posing.named import PREFIX
from converters.source.json import JsonObject
from ir.kinematics import configuration
from ir.pose import compose, normalise
from ir.scene import Scene
from ir.types import IDENTITY, DofKind, Joint, Pose

if TYPE_CHECKING:
    from numpy.typing import NDArray

Channels = Mapping[tuple[int, str], "NDArray[Any]"]
"""(node, path) -> a row for each time."""


class UntoldError(ValueError):
    """Nobody can tell from the nodes, in single precision, how a joint moves: two of its axes may fall together."""


def motions(
    root: JsonObject, tree: Tree, scene: Scene, buffers: Sequence[memoryview], context: Context
) -> list[Motion]:
    """The animations that are motions of joints, in the coordinates of these; a note says of others that they are lost.

    Clips of keyframes come back with the keyframes, but while an output is read back; then one of which nobody can tell
    how joints move in it has no tracks. Raises InputError for data that cannot be.
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
    chains = {
        joint.name: _chain(int(tree.nodes[joint.child].pointer.rpartition("/")[2]), nodes, parents)
        for joint in scene.joints.values()
        if joint.dofs and not joint.closes_loop and joint.child in tree.nodes
    }
    accessors = Accessors(root, buffers)
    found = []
    for each in animations:
        name = each.text("name") or "motion"
        times = None
        try:
            times, channels = _channels(each, accessors, len(nodes))
            found.append(Motion(name, times, _tracks(channels, chains, nodes, scene, context)))
        except ValueError as error:
            if context.written:  # what is not found is told by those who asked for it
                found += [Motion(name, times, {})] if isinstance(error, UntoldError) and times is not None else []
                continue
            reason = f"an animation is read as a motion of the joints; {error}"
            context.note("gltf/motion", "document", reason, each.source, before=name, action="dropped")
    return found


def _chain(number: int, nodes: Sequence[JsonObject], parents: Sequence[int | None]) -> list[int]:
    """The nodes of a joint, the outermost first: the body, and the pivots between it and the body above."""
    chain = [number]
    while (above := parents[chain[0]]) is not None:
        extras = nodes[above].members.get("extras")
        if not isinstance(extras, dict) or extras.get(KIND) in ("body", "model", None):
            break
        chain.insert(0, above)
    return chain


def _channels(animation: JsonObject, accessors: Accessors, nodes: int) -> tuple[NDArray[Any], Channels]:
    """Times (n,) in seconds and what the channels give each node. Raises ValueError for what is no clip of ours."""
    samplers = animation.children("samplers")
    inputs: dict[int, NDArray[Any]] = {}
    found: dict[tuple[int, str], NDArray[Any]] = {}
    for channel in animation.children("channels"):
        number, target = channel.index("sampler", len(samplers)), channel.child("target")
        node = target.index("node", nodes) if target is not None else None
        path = target.text("path") if target is not None else None
        if number is None or node is None or path not in ("translation", "rotation"):
            raise ValueError("this one moves more than the places of nodes")
        sampler = samplers[number]
        if (sampler.text("interpolation") or "LINEAR") != "LINEAR":
            raise ValueError(f"this one goes from sample to sample by {sampler.text('interpolation')}")
        source, output = (sampler.index(key, len(accessors.nodes)) for key in ("input", "output"))
        if source is None or output is None:
            raise sampler.fail(None, "has no input or no output")
        inputs[source] = accessors.array(source)[:, 0]
        found[node, path] = accessors.array(output)
    if not inputs:
        raise ValueError("this one has no channels")
    times, *others = inputs.values()
    if any(not np.array_equal(times, other) for other in others):
        raise ValueError("the channels of this one have different times")
    if times[0] < 0 or bool((np.diff(times) <= 0).any()):
        raise ValueError("the times of this one do not increase")
    for (_, path), rows in found.items():
        if rows.shape != (len(times), 4 if path == "rotation" else 3):
            raise ValueError("the samples of this one are not as many as its times")
    return times, found


def _tracks(
    channels: Channels, chains: Mapping[str, list[int]], nodes: Sequence[JsonObject], scene: Scene, context: Context
) -> dict[str, NDArray[Any]]:
    """Coordinates (n, k) by dof. Raises ValueError where nodes move as no joint lets them."""
    owner = {node: joint for joint, chain in chains.items() for node in chain}
    moved = dict.fromkeys(owner.get(node) for node, _ in channels)
    if None in moved:
        raise ValueError("this one moves nodes that no joint moves")
    tracks: dict[str, NDArray[Any]] = {}
    for name in moved:
        joint = scene.joints[str(name)]
        places = [local(nodes[node], f"joint/{name}", context) for node in chains[joint.name]]
        if any(place.linear is not PLAIN for place in places):
            raise ValueError("this one moves nodes that have a scale")
        rows = _rows(joint, chains[joint.name], places, channels, scene)
        for dof in joint.dofs:
            if dof.mimic is None:
                track = np.array([row[dof.name] for row in rows])
                tracks[dof.name] = _unwound(track, *bounds(dof)) if dof.kind is DofKind.HINGE else track
    return tracks


def _rows(
    joint: Joint, chain: Sequence[int], places: Sequence[LocalTransform], channels: Channels, scene: Scene
) -> list[Mapping[str, tuple[float, ...]]]:
    """The coordinates of a joint at each time; what stands still is worked out once."""
    values = configuration(scene, {})
    tracks = [(channels.get((node, "translation")), channels.get((node, "rotation"))) for node in chain]
    count = next(len(track) for pair in tracks for track in pair if track is not None)
    rows: list[Mapping[str, tuple[float, ...]]] = []
    last: list[list[float]] = []
    for index in range(count):
        now = [track[index].tolist() for pair in tracks for track in pair if track is not None]
        if now == last:
            rows.append(rows[-1])
            continue
        last, drawn = now, IDENTITY
        for (moves, turns), place in zip(tracks, places, strict=True):
            pos = tuple(moves[index].tolist()) if moves is not None else place.pos
            x, y, z, w = turns[index].tolist() if turns is not None else (*place.rot[1:], place.rot[0])
            drawn = compose(drawn, Pose((pos[0], pos[1], pos[2]), normalise((w, x, y, z))))
        found = position(joint, drawn, values)
        if found is None:
            raise UntoldError(f"in this one {joint.name!r} moves as it cannot")
        rows.append({dof.name: found[dof.name] for dof in joint.dofs})
    return rows


def _unwound(track: NDArray[Any], lower: float, upper: float) -> NDArray[Any]:
    """Angles without the jumps of whole turns, and by as many turns aside as the limits need."""
    angles = np.unwrap(track[:, 0])
    for turns in (0, 1, -1, 2, -2):
        moved = angles + turns * math.tau
        if moved.min() >= lower - SLACK and moved.max() <= upper + SLACK:
            return moved[:, None]
    return angles[:, None]
