"""Scene -> glTF: one posed node per body, y up; visible geoms in scene 0, collision geoms in a second one."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Collection, Mapping
from functools import partial
from typing import Any
from urllib.parse import quote

from msgspec.structs import replace
from pygltflib import GLTF2, Animation, Asset, Buffer, Scene as View

from converters.assets.stamps import stamps
from converters.assets.traits import untold
from converters.context import InputError, Output, WriterContext
from converters.gltf.data.binary import Binary
from converters.gltf.data.container import EMPTY, pack
from converters.gltf.data.extensions import BODIES, LIGHTS
from converters.gltf.data.plain import plain, text
from converters.gltf.ours import words
from converters.gltf.ours.canonical import Canonical, meanings
from converters.gltf.ours.files import files_inside
from converters.gltf.ours.graph import EXTRAS, Dye, Inside, digests, embedded
from converters.gltf.ours.members import members as members_of
from converters.gltf.scene.forms import FORMS
from converters.gltf.scene.layout import Values, needs_split, with_ancestors
from converters.gltf.writing.animation import animations, moving_tracks, with_straight_ways
from converters.gltf.writing.builder import GltfBuilder
from converters.gltf.writing.encoding import ENCODERS
from converters.gltf.writing.geometry import Geometry
from converters.gltf.writing.materials import MaterialTable
from converters.gltf.writing.physics import PhysicsTables, is_own_body
from converters.posing import clips, moves_bodies, named_poses, positions
from converters.posing.keyframe import PREFIX
from converters.report.rows import losses
from ir.kinematics import circles, moving_bodies
from ir.pose import compose, invert
from ir.scene import Scene
from ir.types import Mesh as MeshShape, Pose, Role


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
