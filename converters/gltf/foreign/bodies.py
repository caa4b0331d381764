"""The default scene of a document as bodies: poses, and the tree of fixed attachments.

A node that has children, or a name and something to show, is a body, welded to its parent node; other leaves are geoms,
frames, cameras and lights of the body above. So the author's tree becomes the tree of links.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import PurePath

from msgspec import Struct, field
from msgspec.structs import replace

from converters.assets.inside import LINEAR
from converters.context import ReaderContext
from converters.gltf.data.extensions import VISIBILITY, extension
from converters.gltf.foreign.physics import Rigid
from converters.gltf.scene.materials import SceneMaterials
from converters.gltf.scene.nodes import (
    FAR,
    PLAIN,
    UP,
    Linear,
    LocalTransform,
    children,
    forest,
    instances,
    local_transform,
    pose_below,
    scene_number,
    scene_roots,
    with_ancestors,
)
from converters.gltf.scene.primitives import COLOURS, Arrays, Surfaces
from converters.gltf.scene.skins import Skins
from converters.gltf.scene.views import ITEM, camera_of, lamp_of, read_camera, read_light
from converters.source.json import JsonObject
from converters.source.xml import joined_source
from ir.names import Spares, label_of, unique
from ir.plain import as_json
from ir.pose import compose
from ir.scene import Scene
from ir.types import IDENTITY, WORLD, Asset, Body, Camera, Extra, Frame, Geom, Light, Mesh, Pose, Role, Source

SHARED, ROW = 10_000, 12
"""Limit on the geoms of a scene, in addition to one per node and one per ROW bytes of buffers (no instance has fewer):
nodes may share instances, and meshes with many primitives, so a small file could ask for any number."""
ROOT = "root"
"""Name of the body of the scene itself if the scene has no name."""


class Draft(Struct, kw_only=True):
    """A body under construction. pose is relative to the parent body; node is None for the body of the scene itself."""

    name: str
    above: str | None
    pose: Pose
    label: str | None = None
    node: int | None = None
    source: Source | None = None
    extras: tuple[Extra, ...] = ()
    geoms: list[Geom] = field(default_factory=list)
    frames: list[Frame] = field(default_factory=list)
    cameras: list[Camera] = field(default_factory=list)
    lights: list[Light] = field(default_factory=list)

    def body(self) -> Body:
        """The draft as a body of the graph."""
        return Body(
            name=self.name,
            label=self.label,
            source=self.source,
            extras=self.extras,
            geoms=tuple(self.geoms),
            frames=tuple(self.frames),
            cameras=tuple(self.cameras),
            lights=tuple(self.lights),
        )


class Attachment(Struct, frozen=True):
    """Where a node is attached: its body, its pose in that body, and the linear rest of its transform.

    moving: physics moves it, or an ancestor, as a rigid body. hidden: it and its descendants are not visible.
    """

    body: str
    pose: Pose
    linear: Linear
    moving: bool = False
    hidden: bool = False


class GltfLoading(Struct):
    """Passed to every function that reads a part of a document of others. rigid reads what physics says of each node as
    it is met."""

    root: JsonObject
    scene: Scene
    context: ReaderContext
    surfaces: Surfaces
    looks: SceneMaterials
    rigid: Rigid
    nodes: list[JsonObject] = field(default_factory=list)
    drafts: dict[str, Draft] = field(default_factory=dict)
    places: dict[int, Attachment] = field(default_factory=dict)
    _sized: set[int] = field(default_factory=set)
    """Nodes that show a mesh, or have a shape."""
    _scaled: list[int] = field(default_factory=list)
    _seen: set[int] = field(default_factory=set)
    """Nodes that show a mesh."""
    _hidden: list[tuple[int, JsonObject]] = field(default_factory=list)
    """Nodes that hide their subtree, and the object that declares it."""
    _framed: dict[int, int] = field(default_factory=dict)
    """Node that is a frame -> its position among those of its body."""
    _assets: dict[tuple[bytes, str], str] = field(default_factory=dict)
    _pieces: dict[tuple[int, str], list[tuple[str, str | None]]] = field(default_factory=dict)
    _names: dict[str, Spares] = field(default_factory=dict)
    _skins: Skins | None = None
    _parts: int = 0
    """Number of parts shown so far."""

    def __post_init__(self) -> None:
        self.nodes = self.root.children("nodes")

    # ---------------------------------------------------------------- walking

    def walk(self) -> None:
        """Make a draft of every body of the default scene. Refuses nodes that do not form a forest."""
        parents = forest(self.nodes)
        scenes = self.root.children("scenes")
        chosen = scene_number(self.root, len(scenes))
        named = ""
        if scenes:
            roots = scene_roots(scenes[chosen], self.nodes, parents)
            named = scenes[chosen].text("name") or ""
        else:
            roots = [number for number, parent in enumerate(parents) if parent is None]
        self.scene.name = named or PurePath(self.context.file).stem or ROOT
        taken = {name for node in self.nodes if isinstance(name := node.members.get("name"), str)}
        root = unique(self.scene.name if self.scene.name not in taken else ROOT, {WORLD} | taken)
        self._names["body"] = Spares((WORLD, root))
        self.drafts[root] = Draft(name=root, above=None, pose=IDENTITY)
        start = Attachment(root, UP, PLAIN)
        stack = [(top, start) for top in reversed(roots)]
        while stack:
            number, above = stack.pop()
            place = self._visit(number, above)
            self.places[number] = place
            stack += [(child, place) for child in reversed(children(self.nodes, number, parents))]
        self._keep_scales(parents)

    def _keep_scales(self, parents: Sequence[int | None]) -> None:
        """Keep as extras what a body cannot express: a scale that no mesh or shape below uses (though it may affect
        positions), and the hiding of nodes that show nothing."""
        sized, seen = with_ancestors(self._sized, parents), with_ancestors(self._seen, parents)
        left = []
        for number in self._scaled:
            if number not in sized:
                node = self.nodes[number]
                left.append((number, node.unused("matrix" if "matrix" in node else "scale")))
        for number, said in self._hidden:
            if number not in seen:
                left.append((number, replace(said.unused("visible"), path=f"extensions/{VISIBILITY}/visible")))
        for number, extra in left:
            draft = self.drafts[self.places[number].body]
            if number in self._framed:
                frame = draft.frames[self._framed[number]]
                draft.frames[self._framed[number]] = replace(frame, extras=(*frame.extras, extra))
            else:
                draft.extras += (extra,)

    def _visit(self, number: int, above: Attachment) -> Attachment:
        node = self.nodes[number]
        authored = node.text("name")
        mesh = node.index("mesh", len(self.surfaces.meshes))
        parent = bool(node.raw("children"))
        touches = self.rigid.touches(node)
        shows = mesh is not None or touches
        node.attempt(self.rigid.read, number, node)
        own = local_transform(node, f"body/{authored or f'node_{number}'}", self.context)
        if own.linear is not PLAIN:
            self._scaled.append(number)
        step, linear = pose_below(above.linear, own)
        pose = compose(above.pose, step) if above.pose != IDENTITY else step
        if not all(abs(value) < FAR for value in (*pose.pos, *linear.scale)):
            node.refuse(None, f"is placed, or scaled, beyond {FAR:g}")
            pose, linear = IDENTITY, PLAIN
        moving = self.rigid.moves(node)
        said = extension(node, VISIBILITY)
        hidden = above.hidden or (said is not None and not said.boolean("visible", True))
        if hidden and not above.hidden and said is not None:
            self._hidden.append((number, said))
        if parent or moving or (shows and authored and not above.moving):
            draft = self._draft(number, node, authored, above.body, pose)
            place = Attachment(draft.name, IDENTITY, linear, moving or above.moving, hidden)
            self._note_felt(number, self._mesh(mesh, node, place, authored), touches)
            self._views(number, node, place, authored)
            draft.extras = node.rest()
            return place
        place = Attachment(above.body, pose, linear, above.moving, hidden)
        draft = self.drafts[above.body]
        made = self._mesh(mesh, node, place, authored)
        self._note_felt(number, made, touches)
        views = self._views(number, node, place, authored, alone=not made and not touches)
        if touches:
            return place  # the collider gets the remaining members of the node
        if made:
            self._add_extras(draft, node.rest())
        elif not views:
            name, label = self._name_and_label("frame", authored, number)
            self._framed[number] = len(draft.frames)
            draft.frames.append(Frame(name=name, label=label, pose=pose, source=node.source, extras=node.rest()))
        return place

    def _note_felt(self, number: int, shown: int, touches: bool) -> None:
        """Record the nodes that use the scale of themselves and their ancestors, and those that show a mesh."""
        if shown or touches:
            self._sized.add(number)
        if shown:
            self._seen.add(number)

    def _draft(self, number: int, node: JsonObject, authored: str | None, above: str, pose: Pose) -> Draft:
        name, label = self._name_and_label("body", authored, number)
        draft = Draft(name=name, label=label, above=above, pose=pose, node=number, source=node.source)
        self.drafts[name] = draft
        return draft

    def _name_and_label(self, kind: str, authored: str | None, number: int) -> tuple[str, str | None]:
        """Return the name and the label of a thing made from a node."""
        name = self.unique(kind, authored or f"node_{number}")
        return name, label_of(name, authored)

    @staticmethod
    def _add_extras(draft: Draft, extras: tuple[Extra, ...]) -> None:
        """Attach the unread members of a leaf to the last geom made from it, if any, otherwise to the body."""
        if draft.geoms and not draft.geoms[-1].extras:
            draft.geoms[-1] = replace(draft.geoms[-1], extras=extras)
        else:
            draft.extras += extras

    def unique(self, kind: str, name: str) -> str:
        """Reserve and return a name that nothing of this kind has yet."""
        if kind not in self._names:
            self._names[kind] = Spares()
        return self._names[kind].of(name)

    # ---------------------------------------------------------------- meshes

    def _mesh(self, mesh: int | None, node: JsonObject, place: Attachment, authored: str | None) -> int:
        if mesh is None:
            return 0
        bone: LocalTransform | None = None
        if "skin" in node:
            if self._skins is None:
                self._skins = Skins(self.root, self.surfaces.accessors, self.context)
            bone = node.attempt(self._skins.bound, node)
            how = "its node is placed" if bone is None else "it is bound"
            reason = f"the mesh is read as {how}; the bones that deform it are kept, not applied"
            where = f"body/{place.body}"
            self.context.note("gltf/skin", where, reason, node.place("skin"), action="approximated")
        shown = self.surfaces.meshes[mesh]
        bends = any("targets" in each.members for each in shown.children("primitives"))
        if bends and node.members.get("weights") not in (None, shown.members.get("weights")):
            reason = "morph weights of a node are kept, not applied"
            where = f"body/{place.body}"
            self.context.note("gltf/morph", where, reason, node.place("weights"), action="approximated")
        geoms = node.attempt(self._instances, node, mesh, place, authored, bone) or []
        self.drafts[place.body].geoms += geoms
        return len(geoms)

    def _instances(
        self, node: JsonObject, mesh: int, place: Attachment, authored: str | None, bone: LocalTransform | None
    ) -> list[Geom]:
        made = []
        for each in [bone] if bone is not None else instances(node, self.surfaces.accessors, self.context):
            step, linear = pose_below(place.linear, each)
            there = replace(place, pose=compose(place.pose, step), linear=linear)
            made += self.shapes(mesh, there, Role.VISUAL, authored)
        return made

    def shapes(self, mesh: int, place: Attachment, role: str, authored: str | None, hull: bool = False) -> list[Geom]:
        """Return the geoms of a mesh at a place, one per primitive."""
        linear = place.linear.text() if place.linear.matrix is not None else ""
        key = (mesh, linear)
        if key not in self._pieces:
            self._pieces[key] = list(self._primitives(mesh, linear, role))
        node = self.surfaces.meshes[mesh]
        pieces = self._pieces[key]
        self._parts += len(pieces)
        most = SHARED + len(self.nodes) + self.surfaces.accessors.size // ROW
        if self._parts > most:
            raise node.fail("primitives", f"are shown so often that the scene has more than {most} parts")
        stem = authored or node.text("name") or f"mesh_{mesh}"
        geoms = []
        for number, (asset, material) in enumerate(pieces):
            wanted = stem if len(pieces) == 1 else f"{stem}_{number}"
            geoms.append(
                Geom(
                    name=self.unique("geom", wanted if role == Role.VISUAL else f"{wanted}_{role}"),
                    role=role,
                    shape=Mesh(asset=asset, scale=(1.0, 1.0, 1.0) if linear else place.linear.scale, hull=hull),
                    pose=place.pose,
                    material=material if role == Role.VISUAL else None,
                    transparency=1.0 if place.hidden and role == Role.VISUAL else 0.0,
                    source=node.source,
                )
            )
        return geoms

    def _primitives(self, mesh: int, linear: str, role: str) -> Iterable[tuple[str, str | None]]:
        """Yield asset and material of each primitive that has triangles; equal triangles share an asset.

        Primitives that only collide have no material; it remains with their triangles.
        """
        node = self.surfaces.meshes[mesh]
        primitives = node.children("primitives")
        if not primitives:
            node.refuse("primitives", "is missing or empty")
        stem = node.members.get("name") or f"mesh_{mesh}"
        for number, primitive in enumerate(primitives):
            arrays = primitive.attempt(self.surfaces.arrays, primitive, f"asset/{stem}")
            material = primitive.attempt(self.looks.of, primitive) if role == Role.VISUAL else None
            if arrays is None or not len(arrays.faces):
                continue
            yield self._asset(arrays, node, primitive, f"meshes/{mesh}/primitives/{number}", linear), material

    def _asset(self, arrays: Arrays, mesh: JsonObject, primitive: JsonObject, part: str, linear: str) -> str:
        key = (self.surfaces.key(arrays), linear)
        found = self._assets.get(key)
        extras = () if primitive.rested else primitive.rest()  # it may be read again, with another linear map
        table = self.scene.tables["asset"]
        if found is None:
            stem = mesh.text("name") or "_".join(part.split("/")[:2]).replace("meshes", "mesh")
            found = self._assets[key] = self.looks.unique("asset", stem)
            self.scene.add(
                "asset",
                Asset(
                    name=found,
                    uri=self.looks.address(part),
                    file=self.context.file,
                    rule="inside",
                    parameters=((LINEAR, linear),) if linear else (),
                    source=primitive.source if arrays.colours is None else _source_of_colours(primitive, self.root),
                    extras=extras,
                ),
            )
        elif extras:
            table[found] = replace(table[found], extras=(*table[found].extras, *extras))
        return found

    # ---------------------------------------------------------------- cameras and lights

    def _views(
        self, number: int, node: JsonObject, place: Attachment, authored: str | None, *, alone: bool = False
    ) -> list[Camera | Light]:
        """Return the camera and light of a node. alone: nothing else is made of it, and they get its unread members."""
        draft = self.drafts[place.body]
        stem = authored or f"node_{number}"
        made: list[Camera | Light] = []
        camera = camera_of(node, self.root)
        if camera is not None:
            name = self.unique("camera", stem)
            label = None if name == authored else stem
            view = camera.attempt(read_camera, camera, name, label, place.pose)
            made += [replace(view, extras=_words(camera))] if view is not None else []
        lamp = lamp_of(node, self.root)
        if lamp is not None:
            name = self.unique("light", stem)
            light = lamp.attempt(read_light, lamp, name, None if name == authored else stem, place.pose)
            made += [replace(light, extras=_words(lamp))] if light is not None else []
        if made and alone:
            made[0] = replace(made[0], extras=(*node.rest(), *made[0].extras))
        draft.cameras += [each for each in made if isinstance(each, Camera)]
        draft.lights += [each for each in made if isinstance(each, Light)]
        return made


def _words(entry: JsonObject) -> tuple[Extra, ...]:
    """Return the extras of a camera or light entry, which several nodes may share."""
    said = entry.raw("extras")
    path, source = f"{ITEM}extras", entry.place("extras")
    return () if said is None else (Extra(format="gltf", path=path, text=as_json(said), source=source),)


def _source_of_colours(primitive: JsonObject, root: JsonObject) -> Source:
    """Source of a primitive with vertex colours, including those of their accessor and view: a reader that drops the
    colours reports all of these."""
    attributes = primitive.child("attributes")
    accessors, views = root.children("accessors"), root.children("bufferViews")
    number = attributes.index(COLOURS, len(accessors)) if attributes is not None else None
    if number is None:
        return primitive.source
    view = accessors[number].index("bufferView", len(views))
    return joined_source(
        primitive.source, accessors[number].source, *([views[view].source] if view is not None else [])
    )
