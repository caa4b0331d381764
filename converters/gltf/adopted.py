"""Geoms of ours whose nodes somebody has taken out, and whose triangles other nodes show at the same place: programs
flatten trees, and make instances of what is there often. What a node shows says which geom it is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec.structs import replace

from converters.gltf.geometry import MEASURES, Moments, alike, moments
from converters.gltf.marks import Leaf, Tree
from converters.gltf.surfaces import Surfaces
from ir.kinematics import configuration, forward
from ir.pose import compose, invert
from ir.types import WORLD, Geom, Pose, Role

if TYPE_CHECKING:
    from converters.gltf.whole import Inside


def adopt(tree: Tree, inside: Inside, surfaces: Surfaces) -> None:
    """Make leaves of the strangers of a tree that show what geoms of the graph inside showed, where these did."""
    strangers = [leaf for leaf in tree.strangers if leaf.mesh is not None]
    lost = [*_lost(tree, inside)] if strangers else []
    if not lost:
        return
    stood = _stood(tree, inside)
    known: dict[int, Moments] = {}
    free: dict[tuple[bool, float], list[Leaf]] = {}
    for leaf in strangers:
        assert leaf.mesh is not None
        if leaf.mesh not in known:
            known[leaf.mesh] = moments(pieces(surfaces, leaf.mesh))
        free.setdefault((leaf.apart, known[leaf.mesh].triangles), []).append(leaf)
    centres = {key: np.array([_at(leaf, WORLD, known, stood)[1:4] for leaf in leaves]) for key, leaves in free.items()}
    taken: set[int] = set()
    for body, geom, apart in lost:
        then = inside.measures[geom.name]
        key = (apart, then[0])
        if key not in free:
            continue
        away = np.linalg.norm(centres[key] - _moved(then[1:4], stood[body]), axis=1)
        for number in np.argsort(away, kind="stable")[:SEVERAL].tolist():
            leaf = free[key][number]
            if id(leaf) in taken or not alike(_at(leaf, body, known, stood), then):
                continue
            taken.add(id(leaf))
            pose = _pose(leaf, body, stood)
            tree.leaves["geom", geom.name] = replace(
                leaf, kind="geom", name=geom.name, role=geom.role, body=body, pose=pose
            )
            break
    tree.strangers = [leaf for leaf in tree.strangers if id(leaf) not in taken]


SEVERAL = 8
"""Nodes about one point that are looked at: there may be copies of one thing, and things around one centre."""


def pieces(surfaces: Surfaces, mesh: int) -> list[tuple[Any, Any]]:
    """Positions (n, 3) and faces (m, 3) of each primitive of a mesh that has triangles."""
    primitives = surfaces.meshes[mesh].children("primitives")
    found = [surfaces.arrays(primitive, f"mesh/{mesh}") for primitive in primitives]
    return [(arrays.positions, arrays.faces) for arrays in found if arrays is not None and len(arrays.faces)]


def _lost(tree: Tree, inside: Inside) -> Iterator[tuple[str, Geom, bool]]:
    """Body and geom of those that were shown and have no node; whether theirs was not in the scene that is seen."""
    for body in inside.scene.bodies.values():
        for geom in body.geoms:
            known = len(inside.measures.get(geom.name, ())) == MEASURES
            if known and ("geom", geom.name) not in tree.leaves:
                yield body.name, geom, geom.role not in Role.SEEN


def _stood(tree: Tree, inside: Inside) -> dict[str, Pose]:
    """The poses in the model of all bodies, those that have no node as the graph has them."""
    scene = inside.scene
    dofs = scene.dofs()
    values = {name: value for name, value in inside.values.items() if name in dofs}
    return {**forward(scene, configuration(scene, values)), **tree.bodies, WORLD: Pose()}


def _pose(leaf: Leaf, body: str, stood: dict[str, Pose]) -> Pose:
    return compose(invert(stood[body]), compose(stood[leaf.body], leaf.pose))


def _at(leaf: Leaf, body: str, known: dict[int, Moments], stood: dict[str, Pose]) -> list[float]:
    assert leaf.mesh is not None
    return known[leaf.mesh].at(_pose(leaf, body, stood), leaf.scale)


def _moved(point: Any, pose: Pose) -> tuple[float, float, float]:
    x, y, z = point
    return compose(pose, Pose((x, y, z))).pos
