"""Poses of body nodes during the animations of a document of ours, compared with the motions to be played. The first,
the middle and the last sample of each are checked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from converters.context import Motion
from converters.gltf.data.accessors import Accessors
from converters.gltf.ours.marks import Tree
from converters.posing.clips import moves_bodies
from converters.source.json import JsonObject
from ir.arrays import np
from ir.diff import Said
from ir.kinematics import Coordinate, forward
from ir.pose import compose, normalise, same_pose
from ir.scene import Scene
from ir.types import IDENTITY, WORLD, Pose

FAR = 1e-5
"""Tolerance for positions (m, relative above 1 m) and quaternion components: single precision over several bodies."""
STILL = {"translation": (0.0, 0.0, 0.0), "rotation": (0.0, 0.0, 0.0, 1.0)}
Curve = tuple[Any, Any]


def wrong_motions(
    root: JsonObject,
    accessors: Accessors,
    tree: Tree,
    scene: Scene,
    values: Mapping[str, Coordinate],
    asked: Sequence[Motion],
) -> Iterator[tuple[str, Said]]:
    """Yield the name of a motion, with the body whose pose differs and both poses. values: the configuration that the
    nodes show without a motion."""
    if not asked:
        return
    said = {each.get("name"): each for each in root.members.get("animations", ())}
    nodes = [each.members for each in root.children("nodes")]
    numbers = {id(node): number for number, node in enumerate(nodes)}
    parents = {child: number for number, node in enumerate(nodes) for child in node.get("children", ())}
    bodies = {name: numbers[id(node.members)] for name, node in tree.nodes.items() if name in scene.bodies}
    stops = {numbers[id(node.members)] for node in tree.roots}
    for each in asked:
        if not moves_bodies(each.tracks, scene):
            continue
        try:
            curves = _curves(said[each.name], accessors)
        except (IndexError, KeyError, TypeError, ValueError):
            yield each.name, ("animation", each.name, None)
            continue
        last = float(each.times[-1])
        if any(abs(float(times[-1]) - last) > FAR * max(1.0, last) for times, _ in curves.values()):
            yield each.name, ("seconds", last, max(float(times[-1]) for times, _ in curves.values()))
            continue
        rows = {
            tuple(tuple(track[row]) for track in each.tracks.values()): row for row in (0, len(each.times) // 2, -1)
        }
        for row in rows.values():
            moved = {name: tuple(map(float, track[row])) for name, track in {**each.slight, **each.tracks}.items()}
            poses, known = forward(scene, {**values, **moved}), dict.fromkeys(stops, IDENTITY)
            step = partial(_local_pose_at, nodes, curves, float(each.times[row]))
            there = {
                name: _pose_in_model(number, parents, step, known) for name, number in bodies.items() if name != WORLD
            }
            other = next((name for name, pose in there.items() if not same_pose(poses[name], pose, FAR)), None)
            if other is not None:
                yield each.name, (other, poses[other], there[other])
                break


def _curves(animation: Mapping[str, Any], accessors: Accessors) -> dict[tuple[int, str], Curve]:
    """Return (node, path) -> times (n,) and the values of the node at these times (n, k)."""
    found: dict[tuple[int, str], Curve] = {}
    for channel in animation["channels"]:
        sampler = animation["samplers"][channel["sampler"]]
        times, rows = accessors.written(sampler["input"])[:, 0], accessors.written(sampler["output"])
        path = channel["target"]["path"]
        if rows.shape != (len(times), len(STILL[path])):
            raise ValueError("not as many samples as times")
        found[channel["target"]["node"], path] = times, rows
    return found


def _local_pose_at(
    nodes: Sequence[Mapping[str, Any]], curves: Mapping[tuple[int, str], Curve], time: float, number: int
) -> Pose:
    """Return the pose of a node in its parent at a time."""
    said = {path: nodes[number].get(path, still) for path, still in STILL.items()}
    for path in said:
        if (number, path) in curves:
            times, rows = curves[number, path]
            said[path] = rows[int(np.abs(times - time).argmin())].tolist()
    (a, b, c), (x, y, z, w) = said["translation"], said["rotation"]
    return Pose((a, b, c), normalise((w, x, y, z)))


def _pose_in_model(
    number: int, parents: Mapping[int, int], step: Callable[[int], Pose], known: dict[int, Pose]
) -> Pose:
    """Return the pose of a node in the model, whose own node is in known."""
    way = []
    while number not in known and number in parents:
        way.append(number)
        number = parents[number]
    pose = known.get(number, IDENTITY)
    for each in reversed(way):
        pose = known[each] = compose(pose, step(each))
    return pose
