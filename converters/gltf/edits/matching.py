"""Find the nodes of an edited document that show geoms of the graph whose marks are lost.

Programs flatten trees and create instances of repeated meshes: for a geom without a node, the nodes with the same
triangles at the same place are searched.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, partial
from typing import Any

from msgspec.structs import replace

from converters.gltf.ours.graph import Inside
from converters.gltf.ours.marks import Leaf, Tree
from converters.gltf.scene.primitives import Surfaces
from converters.gltf.writing.geometry import MEASURES, Moments, measured, moments, same_moments, total
from ir.arrays import np
from ir.kinematics import configuration, forward
from ir.pose import compose, invert, transform
from ir.types import WORLD, Geom, Pose, Role

LostGeom = tuple[str, Geom, bool]
MeshMoments = Mapping[int, Moments]
"""Moments of the meshes of the document, each in its own frame."""


def adopt_unmarked_nodes(tree: Tree, inside: Inside, surfaces: Surfaces) -> None:
    """Assign to the geoms of the embedded graph without a node those nodes of the tree that show the same at the same
    place; these are no longer strangers. Geoms whose nodes were detached from their bodies are put below these again.
    Then determine whether the remaining meshes were merged or cut (Tree.merged, Tree.whole)."""
    stood = cache(partial(_world_poses, tree, inside))
    for body in inside.scene.bodies.values():
        for geom in body.geoms if body.name != WORLD else ():
            leaf = tree.leaves.get(("geom", geom.name))
            apart = leaf is not None and leaf.body != body.name
            if leaf is not None and apart and (leaf.body == WORLD or body.name not in tree.bodies):
                tree.leaves["geom", geom.name] = replace(
                    leaf, body=body.name, pose=_pose_on_body(leaf, body.name, stood())
                )
    lost = _lost_geoms(tree, inside)
    strangers = [leaf for leaf in tree.strangers if leaf.mesh is not None]
    if not lost and not strangers:
        return
    shown = [*strangers, *(leaf for (kind, _), leaf in tree.leaves.items() if kind == "geom" and leaf.mesh is not None)]
    known = {
        mesh: moments(triangles_of_mesh(surfaces, mesh))
        for mesh in {leaf.mesh for leaf in shown if leaf.mesh is not None}
    }
    taken = _match_strangers(tree, inside, lost, strangers, known, stood()) if lost and strangers else set()
    tree.strangers = [leaf for leaf in tree.strangers if id(leaf) not in taken]
    scenes = {leaf.apart for leaf in shown}  # some programs drop the second scene entirely, which joins no meshes
    lost = [each for each in _lost_geoms(tree, inside) if each[2] in scenes]
    if lost or len(taken) < len(strangers):
        tree.whole = _triangles_conserved(inside, shown, known, stood())
        tree.merged = tree.whole or (len(lost) > 0 and _some_geom_has_grown(inside, lost, shown, known))


def _match_strangers(
    tree: Tree,
    inside: Inside,
    lost: Iterable[LostGeom],
    strangers: Sequence[Leaf],
    known: MeshMoments,
    stood: Mapping[str, Pose],
) -> set[int]:
    """Make strangers that show what lost geoms did into leaves; return the id() of each stranger used."""
    free: dict[tuple[bool, float], list[Leaf]] = {}
    for leaf in strangers:
        free.setdefault((leaf.apart, _moments_of_leaf(leaf, known).triangles), []).append(leaf)
    centres = {
        key: np.array([_moments_on_body(leaf, WORLD, known, stood)[1:4] for leaf in leaves])
        for key, leaves in free.items()
    }
    taken: set[int] = set()
    for body, geom, apart in lost:
        then = inside.measures[geom.name]
        key = (apart, then[0])
        if key not in free:
            continue
        away = np.linalg.norm(centres[key] - transform(stood[body], (then[1], then[2], then[3])), axis=1)
        for number in np.argsort(away, kind="stable")[:SEVERAL].tolist():
            leaf = free[key][number]
            if id(leaf) in taken or not same_moments(_moments_on_body(leaf, body, known, stood), then):
                continue
            taken.add(id(leaf))
            pose = _pose_on_body(leaf, body, stood)
            tree.leaves["geom", geom.name] = replace(
                leaf, kind="geom", name=geom.name, role=geom.role, body=body, pose=pose
            )
            break
    return taken


def _triangles_conserved(inside: Inside, shown: Iterable[Leaf], known: MeshMoments, stood: Mapping[str, Pose]) -> bool:
    """Whether all triangles of a scene together are still those of all geoms: merging meshes preserves the sums of the
    vertices and of their products."""
    now: dict[bool, list[Moments]] = {}
    then: dict[bool, list[Moments]] = {}
    for leaf in shown:
        now.setdefault(leaf.apart, []).append(
            _moments_of_leaf(leaf, known).moved(_pose_on_body(leaf, WORLD, stood), leaf.scale)
        )
    for body in inside.scene.bodies.values():
        for geom in body.geoms:
            if len(inside.measures.get(geom.name, ())) == MEASURES:
                each = measured(inside.measures[geom.name]).moved(stood[body.name])
                for apart in (False,) * (geom.seen) + (True,) * (geom.role != Role.VISUAL):
                    then.setdefault(apart, []).append(each)
    if True not in now:  # second scene dropped entirely
        then.pop(True, None)
    return (
        bool(now)
        and now.keys() == then.keys()
        and all(same_moments(total(now[apart]).at(), total(then[apart]).at()) for apart in now)
    )


def _some_geom_has_grown(inside: Inside, lost: Sequence[LostGeom], shown: Iterable[Leaf], known: MeshMoments) -> bool:
    """Whether some geom shows so many more triangles that they may include those of lost geoms."""
    least = min(inside.measures[geom.name][0] for _, geom, _ in lost)
    stored = ((leaf, inside.measures.get(leaf.name, ())) for leaf in shown if leaf.kind == "geom")
    return any(
        len(then) == MEASURES and _moments_of_leaf(leaf, known).triangles >= then[0] + least for leaf, then in stored
    )


SEVERAL = 8
"""Maximum number of candidate nodes near a point: there may be copies of a thing, or several around one centre."""


def triangles_of_mesh(surfaces: Surfaces, mesh: int) -> list[tuple[Any, Any]]:
    """Return the positions (n, 3) and faces (m, 3) of each primitive of a mesh that has triangles."""
    primitives = surfaces.meshes[mesh].children("primitives")
    found = [surfaces.arrays(primitive, f"mesh/{mesh}") for primitive in primitives]
    return [(arrays.positions, arrays.faces) for arrays in found if arrays is not None and len(arrays.faces)]


def _lost_geoms(tree: Tree, inside: Inside) -> list[LostGeom]:
    """Return the geoms that were shown and have no node, each with its body and whether it was in the second scene,
    which is not displayed."""
    return [
        (body.name, geom, not geom.seen)
        for body in inside.scene.bodies.values()
        for geom in body.geoms
        if len(inside.measures.get(geom.name, ())) == MEASURES and not _has_node_with_mesh(tree, geom.name)
    ]


def _has_node_with_mesh(tree: Tree, name: str) -> bool:
    """Whether the node of a geom itself shows a mesh: some programs move the mesh to a child node."""
    leaf = tree.leaves.get(("geom", name))
    return leaf is not None and leaf.mesh is not None


def _world_poses(tree: Tree, inside: Inside) -> dict[str, Pose]:
    """Return the poses of all bodies in the world: from their nodes, or from the graph where they have none."""
    scene = inside.scene
    dofs = scene.dofs()
    values = {name: value for name, value in inside.positions.items() if name in dofs}
    stood = forward(scene, configuration(scene, values))
    return {name: compose(tree.stand, pose) for name, pose in stood.items()} | tree.bodies | {WORLD: Pose()}


def _moments_of_leaf(leaf: Leaf, known: MeshMoments) -> Moments:
    assert leaf.mesh is not None
    return known[leaf.mesh]


def _pose_on_body(leaf: Leaf, body: str, stood: Mapping[str, Pose]) -> Pose:
    return compose(invert(stood[body]), compose(stood[leaf.body], leaf.pose))


def _moments_on_body(leaf: Leaf, body: str, known: MeshMoments, stood: Mapping[str, Pose]) -> list[float]:
    return _moments_of_leaf(leaf, known).at(_pose_on_body(leaf, body, stood), leaf.scale)
