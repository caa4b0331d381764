"""Content of a document of ours, compared with the scene that was written: poses of bodies, triangles, cameras and
lights. The reasons of losses explain what glTF cannot represent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from converters.assets.inside import key
from converters.assets.surfaces import half_extents
from converters.context import Ledger, Motion, Sample
from converters.gltf.audit.animations import wrong_motions
from converters.gltf.audit.joints import falling_bodies, wrong_joints
from converters.gltf.audit.materials import ShownMaterials
from converters.gltf.audit.storage import Storage
from converters.gltf.audit.triangles import (
    AS_IT_IS,
    NEAR,
    Drawing,
    Placement,
    corners_of,
    is_closed,
    lies_on_shape,
    mesh_fault,
)
from converters.gltf.data.extensions import BODIES, extension, table
from converters.gltf.ours.marks import Leaf, Tree
from converters.gltf.scene.views import KINDS, camera_of, lamp_of, read_camera, read_light, switched_off
from converters.source.json import JsonObject
from ir.arrays import np
from ir.diff import Difference, Said
from ir.kinematics import Coordinate, forward
from ir.optics import FLAT
from ir.pose import compose, invert, same_pose
from ir.scene import Scene
from ir.types import (
    WORLD,
    Body,
    Box,
    Camera,
    Capsule,
    Cone,
    Connect,
    Constraint,
    Cylinder,
    Ellipsoid,
    Entity,
    Geom,
    Joint,
    Light,
    Mesh,
    Plane,
    Polyline,
    Pose,
    Role,
    Sphere,
    WeldTo,
)

SHAPED = (Box, Sphere, Ellipsoid, Cylinder, Capsule, Cone, Plane, Polyline)
CLOSELY = 32
"""Number of primitives whose normals, texture coordinates and colours are checked, too: an error in one occurs in
many."""
LARGEST = 1e32
"""Limit in metres for the vertices checked: the range of single precision ends at 3e38."""


class DocumentAudit(Struct):
    """A document of ours that was just written."""

    root: JsonObject
    drawing: Drawing
    tree: Tree
    values: Mapping[str, Coordinate]
    """The configuration that its nodes show."""
    storage: Storage
    beside: Mapping[str, bytes | Path]
    touch: bool
    """Whether the form of its physics can express what may touch."""
    _odd: dict[object, str] = field(default_factory=dict)
    _closed: dict[int, bool] = field(default_factory=dict)
    _closely: int = CLOSELY

    def differences(
        self, scene: Scene, ledger: Ledger, looks: str, motions: Sequence[Motion] = ()
    ) -> Iterator[Difference]:
        """Yield the differences from the scene; ledger: what was read of mesh files; looks: which looks take
        precedence; motions: those to be played."""
        for place, before, after in self.storage.faults():
            yield Difference(("document", place), "shown.document", "different", before, after, None)
        for leaf in self.tree.strangers:
            yield Difference(("document", leaf.name), "shown.document", "different", None, "a node of nothing", None)
        worn = ShownMaterials(self.root.members, self.drawing.accessors, self.beside, scene, looks)
        for asset, before, after in worn.image_differences():
            yield Difference(("asset", asset, "image"), "shown.asset.image", "different", before, after, None)
        poses = forward(scene, self.values)
        for body in scene.bodies.values():
            if body.name != WORLD:
                yield from _as_differences(("body", body.name), body, self._pose_differences(body, poses[body.name]))
            for geom in body.geoms:
                path, said = (
                    ("body", body.name, "geoms", geom.name),
                    self._geom_differences(geom, body, scene, ledger, worn),
                )
                yield from _as_differences(path, geom, said)
            for view in body.cameras:
                yield from _as_differences(
                    ("body", body.name, "cameras", view.name), view, self._camera_differences(view, body)
                )
            for lamp in body.lights:
                yield from _as_differences(
                    ("body", body.name, "lights", lamp.name), lamp, self._light_differences(lamp, body)
                )

        name = scene.name or "robot"
        for title, view in zip((name, "collision"), self.root.members.get("scenes", ()), strict=False):
            if view.get("name") != title:
                yield Difference(("document", title), "shown.document", "different", title, view.get("name"), None)
        for motion, (moved, before, after) in wrong_motions(
            self.root, self.drawing.accessors, self.tree, scene, self.values, motions
        ):
            yield Difference(("motion", motion, moved), "shown.motion", "different", before, after, None)
        if BODIES in self.root.members.get("extensionsUsed", ()):
            yield from self._physics_differences(scene, ledger)
        rest = forward(scene) if scene.constraints else {}
        for each in scene.constraints.values():
            yield from _as_differences(("constraint", each.name), each, self._constraint_differences(each, scene, rest))

    def _physics_differences(self, scene: Scene, ledger: Ledger) -> Iterator[Difference]:
        """Yield differences in the physics of a document, as engines read it, beyond what audit.physics compares."""
        for edge, said in wrong_joints(self.root, self.tree, scene, self.touch):
            kind = "joint" if isinstance(edge, Joint) else "constraint"
            yield from _as_differences((kind, edge.name), edge, iter([said]))
        for name in falling_bodies(self.tree, scene):
            yield from _as_differences(("body", name), scene.body(name), iter([("still", True, False)]))
        for body in scene.bodies.values():
            for geom in body.geoms:
                if geom.role in Role.COLLIDING:
                    yield from _as_differences(
                        ("body", body.name, "geoms", geom.name), geom, self._collider_differences(geom, scene, ledger)
                    )

    def _collider_differences(self, geom: Geom, scene: Scene, ledger: Ledger) -> Iterator[Said]:
        """Yield a difference if the triangles by which a geom collides are not its own."""
        leaf = self.tree.leaves.get(("collider", geom.name))
        geometry = extension(leaf.node, BODIES, "collider", "geometry") if leaf is not None else None
        mesh = geometry.members.get("mesh") if geometry is not None else None
        if leaf is None or mesh is None:
            return
        leaf, shape = replace(leaf, mesh=mesh), geom.shape
        if isinstance(shape, Mesh):
            if self._mesh_fault(geom, shape, leaf, scene, ledger):
                yield "collider", shape, self._count_text(leaf)
        elif isinstance(shape, (Ellipsoid, Cone)) and not self._shows_shape(geom, leaf):
            yield "collider", shape, self._count_text(leaf)

    def _constraint_differences(self, each: Constraint, scene: Scene, rest: Mapping[str, Pose]) -> Iterator[Said]:
        """Yield differences in the physics of a constraint that connects two bodies."""
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
        if isinstance(spec, WeldTo) and not same_pose(compose(above, invert(below)), spec.pose, NEAR):
            yield "pose", spec.pose, compose(above, invert(below))
        if isinstance(spec, Connect):
            first, second = compose(rest[each.parent], above), compose(rest[each.child], below)
            if not (
                same_pose(above, Pose(spec.anchor, above.rot), NEAR)
                and same_pose(first, Pose(second.pos, first.rot), NEAR)
            ):
                yield "anchor", spec.anchor, above.pos
        locked = _locked_axes(table(self.root, BODIES, "physicsJoints"), tie)
        if locked != ({0, 1, 2}, {0, 1, 2} if isinstance(spec, WeldTo) else set()):
            yield "locked", each.name, str(locked)

    def _pose_differences(self, body: Body, pose: Pose) -> Iterator[Said]:
        found, node = self.tree.bodies.get(body.name), self.tree.nodes.get(body.name)
        if node is not None and node.members.get("name") != body.name:
            yield "name", body.name, node.members.get("name")
        for there in (found, self.tree.again.get(body.name, pose)):
            if there is None or not same_pose(there, pose, NEAR):
                yield "pose", pose, there

    def _leaf(self, kind: str, item: Geom | Camera | Light, body: Body) -> Leaf | None:
        leaf = self.tree.leaves.get((kind, item.name))
        return leaf if leaf is not None and leaf.body == body.name else None

    # --------------------------------------------------------------------------------------------------- triangles

    def _geom_differences(
        self, geom: Geom, body: Body, scene: Scene, ledger: Ledger, worn: ShownMaterials
    ) -> Iterator[Said]:
        leaf, second = self._leaf("geom", geom, body), self.tree.second.get(geom.name)
        if leaf is None:
            yield "node", geom, None
            return
        if second is not None and not _show_the_same(leaf, second):
            yield "second", leaf.pose, second.pose
        if leaf.node.members.get("name") != geom.name:
            yield "name", geom.name, leaf.node.members.get("name")
        shape = geom.shape
        if isinstance(shape, Mesh):
            if odd := self._mesh_fault(geom, shape, leaf, scene, ledger):
                triangles = sum(each.triangles for each in samples_of(shape, scene, ledger))
                yield odd, str(triangles), self._count_text(leaf)
        elif isinstance(shape, SHAPED) and not self._shows_shape(geom, leaf):
            yield "shape", shape, self._count_text(leaf)
        if leaf.mesh is not None:
            samples = samples_of(shape, scene, ledger) if isinstance(shape, Mesh) else []
            if samples or not isinstance(shape, Mesh):
                yield from worn.differences(geom, leaf.mesh, samples)

    def _count_text(self, leaf: Leaf) -> str:
        pieces = self.drawing.pieces(leaf.mesh) if leaf.mesh is not None else ()
        return " + ".join(str(len(piece.faces)) for piece in pieces) + " triangles, or others" if pieces else "nothing"

    def _mesh_fault(self, geom: Geom, shape: Mesh, leaf: Leaf, scene: Scene, ledger: Ledger) -> str:
        """What a node shows otherwise than a geom does of a mesh file, as far as that was read (mesh_fault)."""
        still = leaf.scale == shape.scale and same_pose(leaf.pose, geom.pose, NEAR)
        known = (leaf.mesh, shape.asset, shape.submesh, shape.centred, "" if still else geom.name)
        if known not in self._odd:
            here, there = Placement(leaf.pose, leaf.scale), Placement(geom.pose, shape.scale)
            here, there = (AS_IT_IS, AS_IT_IS) if still else (here, there)
            samples = samples_of(shape, scene, ledger)
            shown = self.drawing.pieces(leaf.mesh) if leaf.mesh is not None else []
            self._odd[known] = mesh_fault(shown, here, there, samples, self._closely > 0) if samples else ""
            self._closely -= len(samples)
        return self._odd[known]

    def _shows_shape(self, geom: Geom, leaf: Leaf) -> bool:
        """Whether a node shows a shape as it is (lies_on_shape)."""
        if not all(1e-30 < each < 1e30 for each in half_extents(geom)) and not isinstance(geom.shape, Plane):
            return True
        if leaf.mesh is None:
            return False
        known = (leaf.mesh, geom.shape, leaf.scale, "" if same_pose(leaf.pose, geom.pose, NEAR) else geom.name)
        if known not in self._odd:
            pieces = self.drawing.pieces(leaf.mesh)
            good = lies_on_shape(geom, Placement(leaf.pose, leaf.scale), pieces)
            if good and not isinstance(geom.shape, (Plane, Polyline)):
                if leaf.mesh not in self._closed:
                    self._closed[leaf.mesh] = is_closed(pieces)
                good = self._closed[leaf.mesh]
            self._odd[known] = "" if good else "shape"
        return not self._odd[known]

    # ------------------------------------------------------------------------------------------- cameras and lights

    def _camera_differences(self, view: Camera, body: Body) -> Iterator[Said]:
        leaf = self._leaf("camera", view, body)
        entry = camera_of(leaf.node, self.root) if leaf is not None else None
        if leaf is None or entry is None:
            yield "camera", view, None
            return
        there = read_camera(entry, view.name, None, leaf.pose)
        if not same_pose(there.pose, view.pose, NEAR):
            yield "pose", view.pose, there.pose
        if there.orthographic != view.orthographic:
            yield "orthographic", view.orthographic, there.orthographic
        elif view.orthographic:
            yield from _number_difference(view, there, "span", (0.0, np.inf))
        else:
            yield from _number_difference(view, there, "fov_y", (0.0, FLAT))
        yield from _number_difference(view, there, "near", (0.0, np.inf))
        yield from _number_difference(view, there, "far", (max(there.near or 0.0, 0.0), np.inf))

    def _light_differences(self, lamp: Light, body: Body) -> Iterator[Said]:
        leaf = self._leaf("light", lamp, body)
        entry = lamp_of(leaf.node, self.root) if leaf is not None else None
        if leaf is None or (entry is None and lamp.kind in KINDS):
            yield "light", lamp, None
        elif entry is not None:
            there = read_light(entry, lamp.name, None, leaf.pose)
            if not same_pose(there.pose, lamp.pose, NEAR):
                yield "pose", lamp.pose, there.pose
            if there.kind != lamp.kind:
                yield "kind", lamp.kind, there.kind
            clear = all(0.0 <= each <= 1.0 for each in lamp.diffuse)
            if clear and not np.allclose(there.diffuse, lamp.diffuse, rtol=0, atol=1e-5):
                yield "diffuse", lamp.diffuse, there.diffuse
            if not switched_off(lamp):
                yield from _number_difference(lamp, there, "intensity", (0.0, np.inf))
            if lamp.kind != "directional":
                yield from _number_difference(lamp, there, "range", (0.0, np.inf))
            if lamp.kind == "spot":
                yield from _number_difference(lamp, there, "outer", (1e-3, np.pi / 2))
                yield from _number_difference(lamp, there, "inner", (0.0, there.outer or 0.0))


def _locked_axes(entries: Sequence[JsonObject], tie: JsonObject) -> tuple[set[int], set[int]]:
    """Return the axes along and about which a physics joint does not move."""
    number = tie.index("joint", len(entries))
    limits = [each.members for each in entries[number].children("limits")] if number is not None else []
    still = [each for each in limits if each.get("min") == each.get("max") == 0]
    along, about = ({axis for each in still for axis in each.get(f"{kind}Axes", ())} for kind in ("linear", "angular"))
    return along, about


def _show_the_same(leaf: Leaf, other: Leaf) -> bool:
    """Whether two nodes show the same at the same place."""
    seen, again = ((each.body, each.node.members.get("name")) for each in (leaf, other))
    return (
        seen == again
        and same_pose(leaf.pose, other.pose, NEAR)
        and leaf.scale == other.scale
        and leaf.mesh == other.mesh
    )


def _as_differences(path: tuple[str, ...], item: Entity, said: Iterator[Said]) -> Iterator[Difference]:
    kinds = ".".join(["shown", path[0], *path[2::2]])
    for name, before, after in said:
        yield Difference((*path, name), f"{kinds}.{name}", "different", before, after, item.source)


def _number_difference(item: Any, there: Any, name: str, sense: tuple[float, float]) -> Iterator[Said]:
    """Yield a number that is within its valid range and differs in the document."""
    own, found = getattr(item, name), getattr(there, name)
    if own is not None and sense[0] < own < sense[1] and (found is None or abs(found - own) > NEAR * abs(own)):
        yield name, own, found


def samples_of(shape: Mesh, scene: Scene, ledger: Ledger) -> list[Sample]:
    """Return the samples read of the mesh file that a geom shows; empty if unknown, or if some exceed single
    precision."""
    asset = scene.assets.get(shape.asset)
    samples = ledger.get((asset.file, key(asset)), ()) if asset is not None and asset.file and not shape.centred else ()
    if shape.submesh is not None:
        samples = tuple(each for each in samples if each.name == shape.submesh) or samples
    beyond = not all(shape.scale) or any(corners_of(each).reach > LARGEST for each in samples)
    return [] if beyond else [each for each in samples if each.triangles]
