"""The state from which edits of a document of ours are read: the embedded graph, the document as it is now, and the
changes that notes have explained so far."""

from __future__ import annotations

from collections.abc import Mapping, Set as AbstractSet
from functools import cached_property

from msgspec import Struct, field

from converters.assets.inside import LOOKS
from converters.context import ReaderContext
from converters.gltf.ours.graph import BYTES, RULE, TREE, Inside, part_of, short_digest
from converters.gltf.ours.marks import Leaf, Tree
from converters.gltf.ours.members import Altered
from converters.gltf.scene.layout import Values
from converters.gltf.scene.materials import SceneMaterials
from converters.gltf.scene.primitives import Surfaces
from converters.posing import AS_DRAWN
from converters.source.json import JsonObject
from ir.kinematics import configuration
from ir.names import unique
from ir.scene import Scene
from ir.types import Asset, Mesh, Role

Explained = JsonObject | str | tuple[JsonObject, tuple[str, ...]]
"""What a note explains: an item, possibly by its part name (graph.changes), or members of an item."""
POSE = ("translation", "rotation", "matrix")
PLACE = (*POSE, "scale")
"""Members of a node that give its pose, and the scale of what it shows."""
SHAPES = ("meshes", "accessors", "bufferViews", "buffers", BYTES)
"""Sections that define triangles."""


class Editor(Struct, dict=True):
    """An edited document of ours, and the embedded graph (scene). changed: its changed parts. altered: the members in
    which these differ."""

    scene: Scene
    inside: Inside
    root: JsonObject
    tree: Tree
    surfaces: Surfaces
    context: ReaderContext
    changed: AbstractSet[str]
    altered: Altered
    palette: SceneMaterials
    """Its scene has the materials and assets of the graph, plus those added from the document."""

    # gathered while the edits are applied
    explained: set[str] = field(default_factory=set)
    """Changed parts, or members of them, that notes explain."""
    moved: dict[str, tuple[float, ...]] = field(default_factory=dict)
    """Coordinates of dofs along which bodies were moved."""
    meshes: dict[tuple[str, bool], str] = field(default_factory=dict)
    """Assets of document meshes that geoms show now, by location and whether they have their own looks."""
    added_materials: dict[str, str] = field(default_factory=dict)
    """Materials of the document that were added to the graph: name in the document -> name in the graph."""
    geom_names: set[str] = field(default_factory=set)
    """Names that geoms have."""

    def __post_init__(self) -> None:
        self.geom_names |= {geom.name for geom in self.scene.geoms()}

    @cached_property
    def shown_positions(self) -> Values:
        """Coordinates of all dofs that the nodes show; a dof written in several configurations is at its rest value."""
        dofs = self.scene.dofs()
        stored = {name: value for name, value in self.inside.positions.items() if name in dofs}
        return configuration(self.scene, stored)

    @cached_property
    def drawn(self) -> dict[str, tuple[float, ...]]:
        """Coordinates that the keyframe AS_DRAWN already has."""
        drawn = self.scene.tables["keyframe"].get(AS_DRAWN)
        return dict(drawn.positions) if drawn is not None else {}

    @cached_property
    def has_colliders(self) -> bool:
        """Whether any node of an invisible geom is present: some tools drop the second scene as a whole."""
        return any(leaf.kind == "geom" and leaf.role not in Role.SEEN for leaf in self.tree.leaves.values())

    @cached_property
    def transparencies(self) -> Mapping[str, float]:
        """The transparency of the first geom with each material."""
        shown = [geom for geom in self.scene.geoms() if geom.material is not None and geom.seen]
        return {str(geom.material): geom.transparency for geom in reversed(shown)}

    @cached_property
    def former_names(self) -> Mapping[str, str]:
        """The former names of renamed materials, by pointer."""
        nodes = [*reversed(self.root.children("materials"))]
        others = [node for node in nodes if self.differs(node, "name")]
        if not others:
            return {}
        there = {node.text("name") or "" for node in nodes}
        lost = {short_digest(name): name for name in self.scene.materials if name not in there}
        found: dict[str, str] = {}
        for node in others:
            old = lost.pop((self.altered.get(part_of(node)) or {}).get("name", ""), None)
            if old is not None:
                found[node.pointer] = old
        return found

    @cached_property
    def materials(self) -> Mapping[str, JsonObject]:
        """Materials of the document by name; renamed materials of the graph by their former name."""
        nodes = [*reversed(self.root.children("materials"))]
        nodes.sort(key=lambda node: not self.differs(node, "name"))  # those that kept their names win
        found = {node.text("name") or "": node for node in nodes}
        return found | {self.former_names[node.pointer]: node for node in nodes if node.pointer in self.former_names}

    def tell(
        self, where: str, before: str, after: str, reason: str, *parts: Explained, action: str = "derived"
    ) -> None:
        """Note an edit; parts are the changes of the document that it explains."""
        nodes = [part if isinstance(part, JsonObject) else part[0] for part in parts if not isinstance(part, str)]
        self.explained |= {said for part in parts for said in _part_names(part)}
        source = nodes[0].source if nodes else None
        self.context.note(RULE, where, reason, source, before=before, after=after, action=action)

    def touched(self, *nodes: JsonObject | None) -> bool:
        """Whether any of these items has changed."""
        return any(node is not None and part_of(node) in self.changed for node in nodes)

    def material_name(self, node: JsonObject) -> str:
        """Return the name of a material, or its former name in the graph if it was renamed."""
        return self.former_names.get(node.pointer) or node.text("name") or ""

    def is_new(self, node: JsonObject) -> bool:
        """Whether an item is new."""
        known = self.altered.get(part_of(node))
        return known is not None and not known

    def differs(self, node: JsonObject, member: str) -> bool:
        """Whether a member of an item is known to have changed."""
        return any(f"{key}/".startswith(f"{member}/") for key in self.altered.get(part_of(node)) or ())

    def embedded(self, leaf: Leaf, part: str, *, looks: bool = False) -> Mesh:
        """Return a document mesh that a leaf shows, or a primitive of it, and add its asset; looks: with its looks."""
        if (part, looks) not in self.meshes:
            assets = self.palette.scene
            number = int(part.split("/")[1])
            name = unique(self.root.children("meshes")[number].text("name") or "mesh", assets.assets)
            parameters = ((LOOKS, "own"),) if looks else ()
            uri = self.palette.address(part)
            assets.add("asset", Asset(name=name, uri=uri, file=self.context.file, parameters=parameters))
            self.meshes[part, looks] = name
        return Mesh(asset=self.meshes[part, looks], scale=leaf.scale)


def _part_names(part: Explained) -> list[str]:
    if isinstance(part, str):
        return [part]
    return [part_of(part)] if isinstance(part, JsonObject) else [f"{part_of(part[0])}/{member}" for member in part[1]]


def hanging_nodes(*nodes: JsonObject) -> list[Explained]:
    """Explain only that the children of these nodes have changed."""
    return [*((node, ()) for node in nodes), *(f"{TREE}/{part_of(node).rpartition('/')[2]}" for node in nodes)]


def palette_of(scene: Scene, root: JsonObject, context: ReaderContext, surfaces: Surfaces) -> SceneMaterials:
    """Return the materials of a document, starting from a scene with the materials and assets of the graph."""
    known = Scene("").evolve(tables={kind: scene.tables[kind].values() for kind in ("material", "asset")})
    return SceneMaterials(root, known, context, surfaces.accessors, inner=True)
