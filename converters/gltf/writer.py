"""Scene -> glTF: one posed node per body, y up; visible geoms in scene 0, collision geoms in a second one."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Collection, Mapping
from functools import partial
from typing import Any
from urllib.parse import quote

from msgspec import Struct, field
from msgspec.structs import replace
from pygltflib import GLTF2, Animation, Asset, Buffer, Camera, Mesh, Primitive, Scene as View

from converters.assets.shown import shows_vertex_colours
from converters.assets.stamps import stamps
from converters.assets.traits import untold
from converters.context import InputError, Output, WriterContext
from converters.gltf.data.binary import Binary
from converters.gltf.data.container import EMPTY, pack
from converters.gltf.data.extensions import BODIES, CHILD, LIGHTS, PARENT
from converters.gltf.data.plain import plain, text
from converters.gltf.ours import words
from converters.gltf.ours.canonical import Canonical, meanings
from converters.gltf.ours.files import files_inside
from converters.gltf.ours.graph import EXTRAS, KEPT, Dye, Inside, digests, embedded
from converters.gltf.ours.members import members as members_of
from converters.gltf.scene.forms import FORMS
from converters.gltf.scene.layout import ROLE, Layout, Values, needs_split, put_pose, with_ancestors
from converters.gltf.scene.primitives import COLOURS
from converters.gltf.scene.views import camera, light
from converters.gltf.writing.animation import animations, moving_tracks, with_straight_ways
from converters.gltf.writing.encoding import ENCODERS, Encoded, Encoder, plain as plain_arrays
from converters.gltf.writing.geometry import Finish, Geometry, Moments, moments
from converters.gltf.writing.materials import MaterialTable
from converters.gltf.writing.physics import PhysicsTables, is_own_body
from converters.gltf.writing.tangents import with_tangents
from converters.posing import clips, moves_bodies, named_poses, positions
from converters.posing.keyframe import PREFIX
from converters.report.rows import losses
from ir.kinematics import circles, forward, moving_bodies
from ir.pose import compose, invert
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


def write(scene: Scene, context: WriterContext) -> Output:
    """Write the document, as GLB, or as .gltf with buffer and images next to it or embedded.

    Raises InputError for a pose or a trajectory that the scene cannot take.
    """
    _refuse_circles(scene)
    values = positions(scene, context)
    moves = clips(scene, context)
    held = named_poses(scene, context)
    binary_form = context.suffix != ".gltf"
    whole = binary_form or context.options.meshes == "embed"
    binary = Binary()
    encode, extension = ENCODERS[context.options.compress]
    builder = GltfBuilder(
        scene,
        Geometry(scene, context),
        MaterialTable(scene, context, binary, whole),
        binary,
        PhysicsTables(scene, FORMS[context.options.physics]),
        moving_bodies(scene),
        encode=encode,
    )
    shown = (*moves, *held)
    moving = {name for clip in shown for name in clip.positions}
    split = {joint.name for name, (joint, _) in scene.dofs().items() if name in moving and needs_split(joint)}
    flat = context.options.hierarchy == "flat"
    beside = {name for name in scene.bodies if flat and (name not in builder.moving or is_own_body(scene, name))}
    views = _scenes_to_show(builder, values, split, beside)
    if flat:
        shown = (*(with_straight_ways(clip, builder.layout.moving, scene) for clip in moves), *held)
    left = builder.keep()
    brought = [(scene.assets[asset], own, held) for (asset, own), held in builder.materials.brought.items()]
    context.notes += untold(brought, losses("gltf"))
    played = animations(shown, builder.layout.moving, scene, values, binary)
    document = _document(builder, views, [each for each in played if each.channels], extension)
    kept = files_inside(context.original or scene, left)
    output = _output_of_document(document, builder, values, context, binary_form, whole, kept)
    asked = [moving_tracks(clip, values) for clip in shown]
    asked = [each for each in asked if moves_bodies(each.tracks, scene) or not each.name.startswith(PREFIX)]
    return replace(output, motions=asked)


def _document(builder: GltfBuilder, views: list[View], animations: list[Animation], encoded: str) -> GLTF2:
    """The JSON of what was built; encoded: the extension that its meshes need ("": none)."""
    document = GLTF2(
        asset=Asset(version="2.0", generator="kinegraph"),
        scene=0,
        scenes=views,
        nodes=builder.layout.nodes,
        meshes=builder.meshes,
        materials=builder.materials.materials,
        textures=builder.materials.textures,
        images=builder.materials.images,
        cameras=builder.cameras,
        animations=animations,
        accessors=builder.binary.accessors,
        bufferViews=builder.binary.views,
    )
    if builder.lights:
        document.extensions[LIGHTS] = {"lights": builder.lights}
        document.extensionsUsed.append(LIGHTS)
    if any(BODIES in node.extensions for node in document.nodes):
        tables = builder.physics.tables()
        document.extensions |= {name: table for name, table in tables.items() if table}
        document.extensionsUsed += tables
    document.extensionsUsed += sorted(builder.materials.used)
    if encoded and builder.meshes:
        document.extensionsUsed.append(encoded)
        document.extensionsRequired.append(encoded)
    return document


def _scenes_to_show(
    builder: GltfBuilder, values: Values, split: Collection[str], beside: Collection[str]
) -> list[View]:
    """Return the displayed scene, and the collision scene if there are collision geoms."""
    scene, layout = builder.scene, builder.layout
    name = scene.name or "robot"
    seen = layout.root(name)
    layout.moving = layout.tree(scene, values, seen, partial(builder.leaves, True), split=split, beside=beside)
    if not builder.physics.form.absent:
        builder.join()
    views = [View(name=name, nodes=[seen])]
    bodies = [body.name for body in scene.bodies.values() if any(geom.role != Role.VISUAL for geom in body.geoms)]
    if bodies:
        root = layout.root(name)
        layout.tree(scene, values, root, partial(builder.leaves, False), with_ancestors(scene, bodies), beside=beside)
        views.append(View(name="collision", nodes=[root]))
    return views


def _refuse_circles(scene: Scene) -> None:
    """Raises InputError for joints that mimic each other in a cycle, whose positions are undefined. A joint that mimics
    itself is treated as independent."""
    for members in (each for each in circles(scene) if len(each) > 1):
        message = f"the joints {' and '.join(map(repr, members))} follow each other in a circle"
        raise InputError(message, scene.dofs()[members[0]][0].source)


def _materials_of_geoms(builder: GltfBuilder, scene: Scene) -> tuple[dict[str, list[str]], dict[str, Dye]]:
    """Return the materials of geoms that differ from those in the graph, and the data of these that the graph lacks."""
    written = builder.materials.written
    worn: dict[str, list[str]] = {}
    dyes: dict[str, Dye] = {}
    for geom in scene.geoms():
        found = [written[number] for number in builder.worn.get(geom.name, ())]
        if any(dye.look.name != geom.material or dye.of != geom.material for dye in found):
            worn[geom.name] = [dye.look.name for dye in found]
            for dye in found:
                known = dye.of is None or dye.of in scene.materials
                if dye.of != dye.look.name or not known:
                    dyes[dye.look.name] = dye if known else Dye("", dye.look)
    return worn, dyes


def _shifts_of_passes(fitted: Scene, scene: Scene) -> dict[str, Pose | None]:
    """Return Inside.shifts: mesh files that passes moved or replaced."""
    if fitted is scene:
        return {}
    geoms = {geom.name: geom for geom in fitted.geoms()}
    found: dict[str, Pose | None] = {}
    for geom in scene.geoms():
        shown = geoms.get(geom.name)
        if shown is None or not isinstance(geom.shape, MeshShape):
            continue
        if shown.shape not in (geom.shape, replace(geom.shape, fit="")):
            found[geom.name] = None
        elif shown.pose != geom.pose:
            found[geom.name] = compose(invert(geom.pose), shown.pose)
    return found


def _graph_inside(
    builder: GltfBuilder, values: Values, context: WriterContext, heard: dict[str, Any], kept: Mapping[str, str]
) -> Inside:
    """Return the graph to embed, with the data that reveal edits: heard is the document as it is read."""
    scene, fitted = context.original or builder.scene, builder.scene.materials
    work = Canonical(heard, builder.binary.contents.__getitem__)
    worn, dyes = _materials_of_geoms(builder, scene)
    return Inside(
        scene=scene,
        positions=values,
        measures=builder.measures,
        digests=digests(heard, builder.binary.chunks),
        stamps=stamps(scene.assets.values()),
        made=[(address, ends) for address, ends in builder.scene.origins.items() if address[1:2] == ("cameras",)],
        said=builder.physics.fitted(scene, builder.moving),
        worn=worn,
        dyes=dyes,
        shifts=_shifts_of_passes(builder.scene, scene),
        meant=meanings(work),
        members=members_of(work),
        asked=context.asked,
        looks={name: fitted[name] for name, look in scene.materials.items() if fitted.get(name, look) != look},
        files=kept,
        physics=context.options.physics,
    )


def _output_of_document(
    document: GLTF2,
    builder: GltfBuilder,
    values: Values,
    context: WriterContext,
    binary_form: bool,
    whole: bool,
    kept: Mapping[str, str],
) -> Output:
    """Return the output files, with the graph and the kept files embedded. whole: nothing lies next to the document."""
    binary = builder.binary
    files: dict[str, bytes] = dict(builder.materials.files)
    if binary.size:
        document.buffers = [Buffer(byteLength=binary.size)]
        if not whole:
            beside = f"{context.asset_folder}/buffer.bin"
            document.buffers[0].uri = quote(beside)
            files[beside] = b"".join(binary.chunks)
        elif not binary_form:
            document.buffers[0].uri = EMPTY + b64encode(b"".join(binary.chunks)).decode("ascii")
    members = plain(document) | {"scene": 0}
    words.write(members, builder.scene, [dye.look.extras for dye in builder.materials.written])
    form = builder.physics.form
    members = form.say(members)
    heard = form.hear(members)
    inside = _graph_inside(builder, values, context, heard, kept)
    blob = embedded(inside)
    for holder in (members["scenes"][0], members["nodes"][members["scenes"][0]["nodes"][0]]):
        holder.setdefault("extras", {})[EXTRAS] = blob
    data = text(members)
    return Output(document=pack(data, binary.chunks) if binary_form else data, files=files)
