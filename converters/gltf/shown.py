"""What a document of ours shows, held against the scene that was written: where bodies stand, which triangles there
are, what cameras see and how lights shine. The reasons of losses are about what glTF cannot show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from msgspec import Struct, field

from converters.assets.inside import key
from converters.assets.meshes.sampled import places
from converters.context import Ledger, Sample
from converters.gltf.data.accessors import Accessors
from converters.gltf.data.extensions import BODIES, DRACO, extension, table
from converters.gltf.ours.marks import Leaf, Tree
from converters.gltf.scene.views import KINDS, camera_of, lamp_of, off, read_camera, read_light
from converters.gltf.worn import Wear
from converters.source.json import JsonObject
from ir.diff import Difference
from ir.kinematics import forward
from ir.optics import FLAT
from ir.pose import compose, invert, matrix
from ir.scene import Scene
from ir.types import (
    IDENTITY,
    ONES,
    WORLD,
    Body,
    Box,
    Camera,
    Capsule,
    Connect,
    Constraint,
    Cylinder,
    Ellipsoid,
    Entity,
    Geom,
    Light,
    Mesh,
    Pose,
    Role,
    Sphere,
    Vec3,
    WeldTo,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ir.kinematics import Coordinate

NEAR = 1e-6
"""Share of the largest coordinate by which places may differ that are the same, and steps of single precision."""
STEP = 1.0 / 32767
"""Of what --compress quantize stores, in extents of a mesh."""
LARGEST = 1e32
"""Metres, of the corners that are looked at: others may reach further, and single precision ends at 3e38."""


class Stand(NamedTuple):
    """How a mesh stands on its body."""

    pose: Pose
    scale: Vec3

    def of(self, points: NDArray[Any]) -> NDArray[Any]:
        """Points (…, 3) of the mesh, on the body."""
        return points if self is AS_IT_IS else points * self.scale @ matrix(self.pose.rot).T + self.pose.pos

    def back(self, points: NDArray[Any]) -> NDArray[Any]:
        """Points (…, 3) on the body, in the frame of the mesh before it is scaled."""
        return (points - self.pose.pos) @ matrix(self.pose.rot) / self.scale


AS_IT_IS = Stand(IDENTITY, ONES)
"""Where two stand alike it need not be gone through."""


class Shown(Struct):
    """A document of ours that was just written."""

    root: JsonObject
    accessors: Accessors
    tree: Tree
    values: Mapping[str, Coordinate]
    """The configuration that its nodes show."""
    rule: str
    """Whose looks show where a mesh file has some."""
    _same: dict[object, bool] = field(default_factory=dict)

    def differences(self, scene: Scene, ledger: Ledger) -> Iterator[Difference]:
        """Where it shows otherwise what is in the scene; ledger: what was read of mesh files."""
        poses = forward(scene, self.values)
        wear = Wear(self.root, scene, self.rule)
        for body in scene.bodies.values():
            if body.name != WORLD:
                yield from _of(("body", body.name), body, self._stands(body, poses[body.name]))
            for geom in body.geoms:
                path, said = ("body", body.name, "geoms", geom.name), self._seen(geom, body, scene, ledger)
                yield from _of(path, geom, said)
                yield from _of(path, geom, self._worn(geom, body, wear, ledger))
            for view in body.cameras:
                yield from _of(("body", body.name, "cameras", view.name), view, self._viewed(view, body))
            for lamp in body.lights:
                yield from _of(("body", body.name, "lights", lamp.name), lamp, self._lit(lamp, body))

        rest = forward(scene) if scene.constraints else {}
        for each in scene.constraints.values():
            yield from _of(("constraint", each.name), each, self._ties(each, scene, rest))

    def _ties(self, each: Constraint, scene: Scene, rest: Mapping[str, Pose]) -> Iterator[tuple[str, object, object]]:
        """What the physics of a document says otherwise of a constraint that holds two bodies together."""
        spec, bodies = each.spec, {each.parent, each.child}
        physical = BODIES in self.root.members.get("extensionsUsed", ())
        named = each.active and physical and each.name not in scene.joints and bodies <= {WORLD, *self.tree.bodies}
        if not named or not isinstance(spec, (WeldTo, Connect)) or len(bodies) < 2:
            return
        ends = {leaf.body: leaf.pose for leaf in self.tree.ends.get(each.name, ())}
        tie = extension(self.tree.ties.get(each.name), BODIES, "joint")
        if tie is None or ends.keys() != bodies:
            yield "tie", f"{each.parent} {each.child}", " ".join(sorted(ends))
            return
        above, below = ends[each.parent], ends[each.child]
        if isinstance(spec, WeldTo) and not _placed(compose(above, invert(below)), spec.pose):
            yield "pose", spec.pose, compose(above, invert(below))
        if isinstance(spec, Connect):
            first, second = compose(rest[each.parent], above), compose(rest[each.child], below)
            if not (_placed(above, Pose(spec.anchor, above.rot)) and _placed(first, Pose(second.pos, first.rot))):
                yield "anchor", spec.anchor, above.pos
        locked = _locked(table(self.root, BODIES, "physicsJoints"), tie)
        if locked != ({0, 1, 2}, {0, 1, 2} if isinstance(spec, WeldTo) else set()):
            yield "locked", each.name, str(locked)

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
            if not self._meshed(geom, shape, leaf, scene, ledger):
                triangles = sum(each.triangles for each in _samples(shape, scene, ledger))
                yield "triangles", str(triangles), self._count(leaf)
        elif isinstance(shape, (Box, Sphere, Ellipsoid, Cylinder, Capsule)) and not self._shaped(geom, leaf):
            yield "shape", shape, self._count(leaf)

    def _worn(self, geom: Geom, body: Body, wear: Wear, ledger: Ledger) -> Iterator[tuple[str, object, object]]:
        leaf = self._leaf("geom", geom, body)
        if leaf is not None and leaf.mesh is not None and geom.role in Role.SEEN:
            samples = _samples(geom.shape, wear.scene, ledger) if isinstance(geom.shape, Mesh) else None
            yield from wear.differences(geom, leaf.mesh, samples)

    def _count(self, leaf: Leaf) -> str:
        stored = self._stored(leaf.mesh) if leaf.mesh is not None else None
        return " + ".join(str(len(faces)) for _, faces in stored) + " triangles, or others" if stored else "nothing"

    def _stored(self, mesh: int) -> list[tuple[NDArray[Any], NDArray[Any]]] | None:
        """Positions (n, 3) and faces (m, 3) of each primitive as they stand in the file; none where they are no such
        arrays. None where Draco compresses them."""
        array = self.accessors.written
        said = [each.members for each in self.root.children("meshes")[mesh].children("primitives")]
        if any(DRACO in each.get("extensions", {}) for each in said):
            return None
        try:
            return [(array(each["attributes"]["POSITION"]), array(each["indices"]).reshape(-1, 3)) for each in said]
        except (IndexError, KeyError, TypeError, ValueError):
            return []

    def _meshed(self, geom: Geom, shape: Mesh, leaf: Leaf, scene: Scene, ledger: Ledger) -> bool:
        """Whether a node shows what a geom does of a mesh file, as far as that was read."""
        still = leaf.scale == shape.scale and _placed(leaf.pose, geom.pose)
        known = (leaf.mesh, shape.asset, shape.submesh, shape.centred, "" if still else geom.name)
        if known not in self._same:
            here, there = Stand(leaf.pose, leaf.scale), Stand(geom.pose, shape.scale)
            here, there = (AS_IT_IS, AS_IT_IS) if still else (here, there)
            samples = _samples(shape, scene, ledger)
            self._same[known] = not samples or (leaf.mesh is not None and self._alike(leaf.mesh, here, there, samples))
        return self._same[known]

    def _alike(self, mesh: int, here: Stand, there: Stand, samples: Sequence[Sample]) -> bool:
        """Whether the triangles of a mesh, which stands here, are those of a mesh file, which stands there."""
        stored = self._stored(mesh)
        if stored is None:
            return True
        if [len(faces) for _, faces in stored] != [each.triangles for each in samples]:
            return False
        for (points, faces), sample in zip(stored, samples, strict=True):
            some = faces[places(sample.triangles)]
            if points.shape[1] != len("xyz") or some.max() >= len(points):
                return False
            ours, theirs = here.of(_whole(points[some])), there.of(sample.corners)
            near = NEAR * (np.abs(theirs).max() + max(map(abs, there.pose.pos)))
            if points.dtype.kind == "i":
                near += STEP * max(map(abs, here.scale))
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
        known = (leaf.mesh, geom.shape, leaf.scale, "" if _placed(leaf.pose, geom.pose) else geom.name)
        if known not in self._same:
            here, there = Stand(leaf.pose, leaf.scale), Stand(geom.pose, ONES)
            stored = self._stored(leaf.mesh)
            corners = [there.back(here.of(_whole(points))) for points, _ in stored or ()]
            self._same[known] = stored is None or (len(corners) > 0 and all(_on(geom, each) for each in corners))
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


def _locked(entries: Sequence[JsonObject], tie: JsonObject) -> tuple[set[int], set[int]]:
    """The axes along and about which a joint of physics does not move."""
    number = tie.index("joint", len(entries))
    limits = [each.members for each in entries[number].children("limits")] if number is not None else []
    still = [each for each in limits if each.get("min") == each.get("max") == 0]
    along, about = ({axis for each in still for axis in each.get(f"{kind}Axes", ())} for kind in ("linear", "angular"))
    return along, about


def _of(path: tuple[str, ...], item: Entity, said: Iterator[tuple[str, object, object]]) -> Iterator[Difference]:
    kinds = ".".join(["shown", path[0], *path[2::2]])
    for name, before, after in said:
        yield Difference((*path, name), f"{kinds}.{name}", "different", before, after, item.source)


def _placed(one: Pose, other: Pose) -> bool:
    if one == other:
        return True
    near = NEAR * max(1.0, *map(abs, other.pos))
    turned = abs(abs(sum(a * b for a, b in zip(one.rot, other.rot, strict=True))) - 1.0)
    return all(abs(a - b) <= near for a, b in zip(one.pos, other.pos, strict=True)) and turned <= NEAR**2


def _numbers(item: Any, there: Any, name: str, sense: tuple[float, float]) -> Iterator[tuple[str, object, object]]:
    """A number that makes sense between two bounds, where there is another one."""
    own, found = getattr(item, name), getattr(there, name)
    if own is not None and sense[0] < own < sense[1] and (found is None or abs(found - own) > NEAR * abs(own)):
        yield name, own, found


def _samples(shape: Mesh, scene: Scene, ledger: Ledger) -> list[Sample]:
    """What was read of what a geom shows of a mesh file; nothing where nobody knows, or some of it is beyond single
    precision."""
    asset = scene.assets.get(shape.asset)
    samples = ledger.get((asset.file, key(asset)), ()) if asset is not None and asset.file and not shape.centred else ()
    if shape.submesh is not None:
        samples = tuple(each for each in samples if each.name == shape.submesh) or samples
    beyond = not all(shape.scale) or any(each.reach > LARGEST for each in samples)
    return [] if beyond else [each for each in samples if each.triangles]


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
    return bool(away.max() <= max(far, 4 * STEP * max(least) / min(least))) and all(bool(each.all()) for each in sides)
