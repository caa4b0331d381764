"""The document under construction: the nodes, meshes and tables that a scene becomes, piece by piece."""

from __future__ import annotations

from functools import partial
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace
from pygltflib import Camera, Mesh, Primitive

from converters.assets.shown import shows_vertex_colours
from converters.gltf.data.binary import Binary
from converters.gltf.data.extensions import BODIES, CHILD, LIGHTS, PARENT
from converters.gltf.ours.graph import KEPT
from converters.gltf.scene.layout import ROLE, Layout, put_pose
from converters.gltf.scene.primitives import COLOURS
from converters.gltf.scene.views import camera, light
from converters.gltf.writing.encoding import Encoded, Encoder, plain as plain_arrays
from converters.gltf.writing.geometry import Finish, Geometry, Moments, moments
from converters.gltf.writing.materials import MaterialTable
from converters.gltf.writing.physics import PhysicsTables, is_own_body
from converters.gltf.writing.tangents import with_tangents
from ir.kinematics import forward
from ir.pose import compose
from ir.scene import Scene
from ir.shapes import HEIGHT_KINDS
from ir.types import WORLD, Body, Constraint, Geom, HeightField, Joint, Mesh as MeshShape, Pose, Role, Vec3


class StoredMesh(Struct, frozen=True):
    """Pieces that are stored: the data kept of them when their triangles are in the buffer."""

    encoded: Encoded
    finishes: tuple[Finish, ...]
    moments: Moments


class GltfBuilder(Struct):
    """The document under construction. For the embedded graph: measures of the pieces of a geom; worn, their looks."""

    scene: Scene
    geometry: Geometry
    materials: MaterialTable
    binary: Binary
    physics: PhysicsTables
    moving: set[str]
    layout: Layout = field(default_factory=Layout)
    meshes: list[Mesh] = field(default_factory=list)
    cameras: list[Camera] = field(default_factory=list)
    lights: list[dict[str, Any]] = field(default_factory=list)
    measures: dict[str, list[float]] = field(default_factory=dict)
    worn: dict[str, tuple[int, ...]] = field(default_factory=dict)
    node_of: dict[str, int] = field(default_factory=dict)
    encode: Encoder = plain_arrays
    _models: dict[object, StoredMesh | None] = field(default_factory=dict)
    _meshes: dict[object, int] = field(default_factory=dict)
    _bumpy: dict[object, list[Geom]] = field(default_factory=dict)
    """Geoms by model key, if these may need tangents."""
    _dyed: set[object] | None = None
    """Model keys of geoms that show vertex colours, once computed."""

    def __post_init__(self) -> None:
        looks = self.scene.materials.items()
        rough = {name for name, look in looks if any(each.role == "normal" for each in look.maps)}
        for geom in self.scene.geoms() if rough else ():
            if geom.material in rough:
                self._bumpy.setdefault(self.geometry.key(geom)[0], []).append(geom)

    def leaves(self, seen: bool, body_name: str, node: int) -> None:
        """Add to a body its visible geoms, frames, cameras and lights; otherwise all geoms that are not just visual."""
        body = self.scene.body(body_name)
        for geom in body.geoms:
            if geom.role == Role.BOTH or (geom.role == Role.VISUAL) == seen:
                self._geom(geom, node)
        if not seen:
            return
        self.node_of[body_name] = node
        if not self.physics.form.absent:
            self._touch(body, node)
        for frame in body.frames:
            self.layout.add("frame", frame.name, frame.name, frame.pose, node)
        for view in body.cameras:
            self.cameras.append(camera(view))
            number = len(self.cameras) - 1
            self.layout.add("camera", view.name, view.name, view.pose, node, camera=number)
        for lamp in body.lights:
            entry = light(lamp)
            extensions = {}
            if entry is not None:
                self.lights.append(entry)
                extensions = {LIGHTS: {"light": len(self.lights) - 1}}
            self.layout.add("light", lamp.name, lamp.name, lamp.pose, node, extensions=extensions)

    def _touch(self, body: Body, node: int) -> None:
        """Add the physics of a body, except its joint."""
        moves = body.name in self.moving
        motion = self.physics.motion(body, moves) if body.name != WORLD else None
        if motion is not None and is_own_body(self.scene, body.name):
            self.layout.nodes[node].extensions[BODIES] = {"motion": motion}
        for geom in body.geoms:
            if not geom.collides:
                continue
            found = self.physics.collider(body, geom, partial(self._mesh, geom))
            if found is not None:
                collider, pose = found
                label = f"{geom.name}/collider"
                extensions = {BODIES: {"collider": collider}}
                leaf = self.layout.add("collider", geom.name, label, pose, node, extensions=extensions)
                if "mesh" in collider["geometry"]:
                    self._fit(leaf, geom, pose)

    def join(self) -> None:
        """Add pairs of attachment frames for joints, and for constraints of similar effect."""
        physics = self.physics
        edges: list[tuple[Joint | Constraint, tuple[int, Pose, Pose] | None]]
        edges = [(joint, physics.joint(joint)) for joint in self.scene.joints.values() if self._joined(joint)]
        rest = forward(self.scene) if self.scene.constraints else {}
        edges += [(each, physics.held(each, rest)) for each in self.scene.constraints.values() if each.active]
        for edge, found in edges:
            if found is not None and edge.parent in self.node_of and edge.child in self.node_of:
                number, first, second = found
                other = self.layout.add("joint", edge.name, edge.name + CHILD, second, self.node_of[edge.child])
                tied: dict[str, Any] = {"joint": number, "connectedNode": other}
                extensions = {BODIES: {"joint": tied | ({"enableCollision": True} if physics.touch(edge) else {})}}
                self.layout.add(
                    "joint", edge.name, edge.name + PARENT, first, self.node_of[edge.parent], extensions=extensions
                )

    def _joined(self, joint: Joint) -> bool:
        """Whether both ends are bodies of their own for a physics engine."""
        return joint.child in self.moving and "motion" in self.layout.nodes[self.node_of[joint.child]].extensions.get(
            BODIES, {}
        )

    def _geom(self, geom: Geom, parent: int) -> None:
        mesh = self._mesh(geom)
        extras = {ROLE: geom.role}
        node = self.layout.add("geom", geom.name, geom.name, geom.pose, parent, mesh=mesh, extras=extras)
        if mesh is not None:
            self._fit(node, geom, geom.pose)

    def _model(self, geom: Geom) -> tuple[object, StoredMesh | None, Vec3]:
        """Return the model of a geom, stored once: its key, the model, and the scale that makes it the shape."""
        key, scale = self.geometry.key(geom)
        if key not in self._models:
            worn = self._bumpy.get(key, ())
            pieces = [
                with_tangents(piece) if any(self.materials.bumpy(each, piece.finish) for each in worn) else piece
                for piece in self.geometry.pieces(geom)
            ]
            if any(piece.colours is not None for piece in pieces) and not self._tinted(key):
                pieces = [replace(piece, colours=None) for piece in pieces]
            self._models[key] = (
                StoredMesh(
                    self.encode(pieces, self.binary),
                    tuple(piece.finish for piece in pieces),
                    moments((piece.positions, piece.faces) for piece in pieces),
                )
                if pieces
                else None
            )
        model = self._models[key]
        if model is not None and isinstance(geom.shape, MeshShape):
            self.geometry.tell_rounded(geom.shape.asset, model.encoded.off)
        return key, model, scale

    def _tinted(self, key: object) -> bool:
        """Whether a geom with this model key shows vertex colours."""
        if self._dyed is None:
            rule, geoms = self.geometry.context.looks, self.scene.geoms()
            self._dyed = {self.geometry.key(geom)[0] for geom in geoms if shows_vertex_colours(geom, self.scene, rule)}
        return key in self._dyed

    def _mesh(self, geom: Geom) -> int | None:
        """Return the mesh of a geom with its looks: arrays are shared by all looks."""
        key, model, _ = self._model(geom)
        if model is None:
            return None
        looks = tuple(self.materials.of(geom, finish) for finish in model.finishes)
        self.worn[geom.name] = looks
        if isinstance(geom.shape, HeightField):
            self.materials.keep(geom.shape.asset, exact=True)
        if (key, looks) not in self._meshes:
            self._meshes[key, looks] = self._add(model.finishes[0].name, model.encoded, looks)
        return self._meshes[key, looks]

    def _add(self, name: str, encoded: Encoded, looks: tuple[int, ...]) -> int:
        """Add a mesh and return its index."""
        primitives = []
        for stored, look in zip(encoded.primitives, looks, strict=True):
            bumpy = self.materials.materials[look].normalTexture is not None
            idle = {"TANGENT": not bumpy, COLOURS: look not in self.materials.dyed}
            primitives.append(
                Primitive(
                    attributes={key: number for key, number in stored.attributes.items() if not idle.get(key)},
                    indices=stored.indices,
                    material=look,
                    extensions=dict(stored.extensions),
                )
            )
        self.meshes.append(Mesh(name=name, primitives=primitives))
        return len(self.meshes) - 1

    def keep(self) -> set[str]:
        """Embed meshes and images that nothing shows, so that the model can be recovered completely from this file.
        Return the assets whose files are neither."""
        left: set[str] = set()
        shapes = (geom.shape for geom in self.scene.geoms())
        worn = {shape.asset for shape in shapes if isinstance(shape, MeshShape)}
        for name, asset in self.scene.assets.items():
            if asset.file is None or asset.made or name in worn or name in self.materials.shown:
                continue
            mesh, exact = asset.kind.rpartition("/")[2] == "mesh", asset.kind in HEIGHT_KINDS
            if not (self._keep_mesh(name) if mesh else self.materials.keep(name, exact)):
                left.add(name)
        return left

    def _keep_mesh(self, name: str) -> bool:
        """Embed a mesh unencoded, because no node could declare an encoding. Return whether it is embedded."""
        geom = Geom(name=f"{KEPT}{name}", role=Role.VISUAL, shape=MeshShape(asset=name))
        pieces = self.geometry.pieces(geom)
        if pieces:
            looks = tuple(self.materials.of(geom, piece.finish) for piece in pieces)
            self._add(geom.name, plain_arrays(pieces, self.binary), looks)
        return bool(pieces)

    def _fit(self, node: int, geom: Geom, pose: Pose) -> None:
        """Set the scale of a geom's node, including the offset and factor of its mesh encoding; measure the geom."""
        _, model, scale = self._model(geom)
        assert model is not None
        if geom.name not in self.measures:
            self.measures[geom.name] = model.moments.at(geom.pose, scale)
        encoded = model.encoded
        x, y, z = (a * b for a, b in zip(encoded.offset, scale, strict=True))
        if encoded.offset != (0.0, 0.0, 0.0):
            put_pose(self.layout.nodes[node], compose(pose, Pose((x, y, z))))
        if (size := [encoded.factor * value for value in scale]) != [1.0, 1.0, 1.0]:
            self.layout.nodes[node].scale = size
