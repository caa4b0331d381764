"""What a document of ours shows, held against the scene that was written: where bodies stand, which triangles there
are, what cameras see and how lights shine. The reasons of losses are about what glTF cannot show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct, field

from converters.assets.inside import key
from converters.assets.meshes.sampled import places
from converters.context import Ledger, Sample
from converters.gltf.data.accessors import Accessors
from converters.gltf.data.extensions import DRACO, extension
from converters.gltf.ours.marks import Leaf, Tree
from converters.gltf.scene.views import KINDS, camera_of, lamp_of, off, read_camera, read_light
from converters.source.json import JsonObject
from ir.diff import Difference
from ir.kinematics import forward
from ir.optics import FLAT
from ir.pose import matrix
from ir.scene import Scene
from ir.types import (
    WORLD,
    Body,
    Box,
    Camera,
    Capsule,
    Cylinder,
    Ellipsoid,
    Entity,
    Geom,
    Light,
    Mesh,
    Pose,
    Sphere,
    Vec3,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ir.kinematics import Coordinate

NEAR = 1e-6
"""Share of the largest coordinate by which places may differ that are the same, and steps of single precision."""
STEP = 1.0 / 32767
"""Of what --compress quantize stores, in extents of a mesh."""
LARGEST = float(np.finfo(np.float32).max)


class Shown(Struct):
    """A document of ours that was just written."""

    root: JsonObject
    accessors: Accessors
    tree: Tree
    values: Mapping[str, Coordinate]
    """The configuration that its nodes show."""
    _same: dict[object, bool] = field(default_factory=dict)

    def differences(self, scene: Scene, ledger: Ledger) -> Iterator[Difference]:
        """Where it shows otherwise what is in the scene; ledger: what was read of mesh files."""
        poses = forward(scene, self.values)
        for body in scene.bodies.values():
            if body.name != WORLD:
                yield from _of(("body", body.name), body, self._stands(body, poses[body.name]))
            for geom in body.geoms:
                path, said = ("body", body.name, "geoms", geom.name), self._seen(geom, body, scene, ledger)
                yield from _of(path, geom, said)
            for view in body.cameras:
                yield from _of(("body", body.name, "cameras", view.name), view, self._viewed(view, body))
            for lamp in body.lights:
                yield from _of(("body", body.name, "lights", lamp.name), lamp, self._lit(lamp, body))

    def _stands(self, body: Body, pose: Pose) -> Iterator[tuple[str, object, object]]:
        found = self.tree.bodies.get(body.name)
        if found is None or not _placed(found, pose):
            yield "pose", pose, found

    def _leaf(self, kind: str, item: Geom | Camera | Light, body: Body) -> Leaf | None:
        leaf = self.tree.leaves.get((kind, item.name))
        return leaf if leaf is not None and leaf.body == body.name else None

    # --------------------------------------------------------------------------------------------------- triangles

    def _seen(self, geom: Geom, body: Body, scene: Scene, ledger: Ledger) -> Iterator[tuple[str, object, object]]:
        leaf = self._leaf("geom", geom, body)
        if leaf is None:
            yield "node", geom, None
            return
        shape = geom.shape
        if isinstance(shape, Mesh):
            samples = _samples(shape, scene, ledger)
            if samples and not self._meshed(geom, shape, leaf, samples):
                yield "triangles", f"{sum(each.triangles for each in samples)}", self._count(leaf)
        elif isinstance(shape, (Box, Sphere, Ellipsoid, Cylinder, Capsule)) and not self._shaped(geom, leaf):
            yield "shape", shape, self._count(leaf)

    def _count(self, leaf: Leaf) -> str:
        stored = [] if leaf.mesh is None else self._stored(leaf.mesh)
        return " + ".join(f"{len(faces) // 3}" for _, faces in stored) + " triangles, or others"

    def _stored(self, mesh: int) -> list[tuple[NDArray[Any], NDArray[Any]]]:
        """Positions (n, 3) and corners (m,) of each primitive as they stand in the file; nothing of those that Draco
        compresses."""
        found = []
        nodes = self.accessors.nodes
        for each in self.root.children("meshes")[mesh].children("primitives"):
            attributes, corners = each.child("attributes"), each.index("indices", len(nodes))
            points = attributes.index("POSITION", len(nodes)) if attributes is not None else None
            if points is not None and corners is not None and extension(each, DRACO) is None:
                found.append((self.accessors.stored(nodes[points]), self.accessors.stored(nodes[corners])[:, 0]))
        return found

    def _meshed(self, geom: Geom, shape: Mesh, leaf: Leaf, samples: Sequence[Sample]) -> bool:
        """Whether a node shows what a geom does of a mesh file."""
        if leaf.mesh is None:
            return False
        still = geom.pose == leaf.pose and shape.scale == leaf.scale
        known = (leaf.mesh, shape.asset, shape.submesh, *(() if still else (geom.name,)))
        if known not in self._same:
            self._same[known] = self._alike(geom, shape, leaf, samples)
        return self._same[known]

    def _alike(self, geom: Geom, shape: Mesh, leaf: Leaf, samples: Sequence[Sample]) -> bool:
        assert leaf.mesh is not None
        stored = self._stored(leaf.mesh)
        if len(stored) < len(self.root.children("meshes")[leaf.mesh].children("primitives")):
            return True
        if len(stored) != len(samples):
            return False
        for (points, corners), sample in zip(stored, samples, strict=True):
            if len(corners) != 3 * sample.triangles:
                return False
            some = _whole(points[corners.reshape(-1, 3)[places(sample.triangles)].astype(np.int64)])
            scaled = sample.corners * shape.scale
            ours, theirs = _at(leaf.pose, some * leaf.scale), _at(geom.pose, scaled)
            near = NEAR * (np.abs(scaled).max() + np.abs(theirs).max())
            if points.dtype.kind == "i":
                near += STEP * max(map(abs, leaf.scale))
            if np.abs(ours - theirs).max() > near:
                return False
        return True

    def _shaped(self, geom: Geom, leaf: Leaf) -> bool:
        """Whether all corners that a node shows lie on the surface of a shape, on every side of its middle."""
        size = _sizes(geom)
        if not all(1e-30 < each < 1e30 for each in size):
            return True
        if leaf.mesh is None:
            return False
        known = (leaf.mesh, geom.shape, leaf.scale, geom.pose == leaf.pose or geom.name)
        if known not in self._same:
            corners = (_at(leaf.pose, _whole(points) * leaf.scale) for points, _ in self._stored(leaf.mesh))
            self._same[known] = all(_on(geom, _back(geom.pose, each)) for each in corners)
        return self._same[known]

    # ------------------------------------------------------------------------------------------- cameras and lights

    def _viewed(self, view: Camera, body: Body) -> Iterator[tuple[str, object, object]]:
        leaf = self._leaf("camera", view, body)
        entry = camera_of(leaf.node, self.root) if leaf is not None else None
        if leaf is None or entry is None:
            yield "camera", view, None
            return
        there = read_camera(entry, view.name, None, leaf.pose)
        if not _placed(there.pose, view.pose):
            yield "pose", view.pose, there.pose
        if there.orthographic != view.orthographic:
            yield "orthographic", view.orthographic, there.orthographic
        elif view.orthographic:
            yield from _numbers(view, there, "span", (0.0, np.inf))
        else:
            yield from _numbers(view, there, "fov_y", (0.0, FLAT))
        yield from _numbers(view, there, "near", (0.0, np.inf))
        yield from _numbers(view, there, "far", (max(there.near or 0.0, 0.0), np.inf))

    def _lit(self, lamp: Light, body: Body) -> Iterator[tuple[str, object, object]]:
        leaf = self._leaf("light", lamp, body)
        entry = lamp_of(leaf.node, self.root) if leaf is not None else None
        if leaf is None or (entry is None and lamp.kind in KINDS):
            yield "light", lamp, None
        elif entry is not None:
            there = read_light(entry, lamp.name, None, leaf.pose)
            if not _placed(there.pose, lamp.pose):
                yield "pose", lamp.pose, there.pose
            if there.kind != lamp.kind:
                yield "kind", lamp.kind, there.kind
            clear = all(0.0 <= each <= 1.0 for each in lamp.diffuse)
            if clear and not np.allclose(there.diffuse, lamp.diffuse, rtol=0, atol=1e-5):
                yield "diffuse", lamp.diffuse, there.diffuse
            if not off(lamp):
                yield from _numbers(lamp, there, "intensity", (0.0, np.inf))
            if lamp.kind != "directional":
                yield from _numbers(lamp, there, "range", (0.0, np.inf))
            if lamp.kind == "spot":
                yield from _numbers(lamp, there, "outer", (1e-3, np.pi / 2))
                yield from _numbers(lamp, there, "inner", (0.0, there.outer or 0.0))


def _of(path: tuple[str, ...], item: Entity, said: Iterator[tuple[str, object, object]]) -> Iterator[Difference]:
    kinds = ".".join(["shown", path[0], *path[2::2]])
    for name, before, after in said:
        yield Difference((*path, name), f"{kinds}.{name}", "different", before, after, item.source)


def _placed(one: Pose, other: Pose) -> bool:
    near = NEAR * max(1.0, *map(abs, other.pos))
    turned = abs(abs(sum(a * b for a, b in zip(one.rot, other.rot, strict=True))) - 1.0)
    return all(abs(a - b) <= near for a, b in zip(one.pos, other.pos, strict=True)) and turned <= NEAR**2


def _numbers(item: Any, there: Any, name: str, sense: tuple[float, float]) -> Iterator[tuple[str, object, object]]:
    """A number that makes sense between two bounds, where there is another one."""
    own, found = getattr(item, name), getattr(there, name)
    if own is not None and sense[0] < own < sense[1] and (found is None or abs(found - own) > NEAR * abs(own)):
        yield name, own, found


def _samples(shape: Mesh, scene: Scene, ledger: Ledger) -> list[Sample]:
    """What was read of what a geom shows of a mesh file; nothing where nobody knows, or it is beyond single
    precision."""
    asset = scene.assets.get(shape.asset)
    samples = ledger.get((asset.file, key(asset)), ()) if asset is not None and asset.file and not shape.centred else ()
    if shape.submesh is not None:
        samples = tuple(each for each in samples if each.name == shape.submesh) or samples
    shown = [each for each in samples if each.triangles]
    return shown if all(np.abs(each.corners).max() < LARGEST / 1e6 for each in shown) and all(shape.scale) else []


def _at(pose: Pose, points: NDArray[Any]) -> NDArray[Any]:
    return points @ matrix(pose.rot).T + pose.pos


def _back(pose: Pose, points: NDArray[Any]) -> NDArray[Any]:
    return (points - pose.pos) @ matrix(pose.rot)


def _whole(points: NDArray[Any]) -> NDArray[Any]:
    return points.astype(np.float64) * (STEP if points.dtype.kind == "i" else 1.0)


def _sizes(geom: Geom) -> Vec3:
    """Half of how large a shape is along x, y and z."""
    match geom.shape:
        case Box(size=(x, y, z)):
            return x / 2, y / 2, z / 2
        case Sphere(radius=r):
            return r, r, r
        case Ellipsoid(radii=radii):
            return radii
        case Cylinder(radius=r, length=length):
            return r, r, length / 2
        case Capsule(radius=r, length=length):
            return r, r, length / 2 + r
    return 0.0, 0.0, 0.0


def _on(geom: Geom, points: NDArray[Any]) -> bool:
    """Whether points (n, 3) in the frame of a geom lie on its surface, or in it at the ends of a cylinder, on both
    sides of its middle."""
    shares = np.abs(points) / _sizes(geom)
    match geom.shape:
        case Box():
            away = np.abs(shares.max(axis=1) - 1.0)
        case Cylinder():
            away = np.abs(np.maximum(np.hypot(shares[:, 0], shares[:, 1]), shares[:, 2]) - 1.0)
        case Capsule(radius=r, length=length):
            along = np.maximum(np.abs(points[:, 2]) - length / 2, 0.0)
            away = np.abs(np.sqrt(points[:, 0] ** 2 + points[:, 1] ** 2 + along**2) / r - 1.0)
        case _:
            away = np.abs(np.sqrt((shares**2).sum(axis=1)) - 1.0)
    least = _sizes(geom)
    far = NEAR * 10 * (1.0 + max(map(abs, geom.pose.pos), default=0.0) / min(least)) * max(least) / min(least)
    sides = points.min(axis=0) < 0.0, points.max(axis=0) > 0.0
    return bool(away.max() <= max(far, 4 * STEP)) and all(bool(each.all()) for each in sides)
