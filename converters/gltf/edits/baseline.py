"""What the edits of a document of ours are read from: the graph inside, the document as it is now, and what notes have
explained so far."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from msgspec import Struct, field

from converters.assets.inside import LOOKS
from converters.context import Context
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
"""What a note explains: an item, also by its name (graph.changes), or members of one."""
POSE = ("translation", "rotation", "matrix")
PLACE = (*POSE, "scale")
"""Members of a node that say where it stands, and how large what it shows is."""
SHAPES = ("meshes", "accessors", "bufferViews", "buffers", BYTES)
"""Sections that say what triangles there are."""


class Editor(Struct):
    """A document of ours that others have edited, and the graph inside (scene). changed: its parts that are not what
    they were. altered: by which members these differ. explained: parts, or members of them, of which notes speak."""

    scene: Scene
    inside: Inside
    root: JsonObject
    tree: Tree
    surfaces: Surfaces
    context: Context
    changed: AbstractSet[str]
    altered: Altered
    palette: SceneMaterials
    """Its scene has the materials and assets of the graph, and what of the document comes to them."""
    meshes: dict[tuple[str, bool], str] = field(default_factory=dict)
    """Assets of what geoms now show of the document, by its place there, with its looks or without."""
    geom_names: set[str] = field(default_factory=set)
    """Names that geoms have."""
    added_materials: dict[str, str] = field(default_factory=dict)
    """Materials of the document that were none of the graph and are now, with their names there."""
    explained: set[str] = field(default_factory=set)
    shown_positions: Values = field(default_factory=dict)
    """Coordinates of all dofs that the nodes show; one that was written as several stands at its rest."""
    has_colliders: bool = False
    """Whether anything is there of what is not seen: some tools drop the second scene as a whole."""

    moved: dict[str, tuple[float, ...]] = field(default_factory=dict)
    """Coordinates of dofs along which bodies were moved."""
    drawn: dict[str, tuple[float, ...]] = field(default_factory=dict)
    """Those that the keyframe AS_DRAWN gives already."""
    materials: dict[str, JsonObject] = field(default_factory=dict)
    """Materials of the document by name; those of the graph that somebody has renamed by the one that they had."""
    former_names: dict[str, str] = field(default_factory=dict)
    """The names that these had, by pointer."""
    transparencies: dict[str, float] = field(default_factory=dict)
    """How much is seen through the first geom that bears a material."""

    def __post_init__(self) -> None:
        dofs = self.scene.dofs()
        stored = {name: value for name, value in self.inside.positions.items() if name in dofs}
        self.shown_positions = configuration(self.scene, stored)
        drawn = self.scene.tables["keyframe"].get(AS_DRAWN)
        self.drawn = dict(drawn.positions) if drawn is not None else {}
        self._find_materials()
        for geom in self.scene.geoms():
            self.geom_names.add(geom.name)
            if geom.material is not None and geom.role in Role.SEEN:
                self.transparencies.setdefault(geom.material, geom.transparency)
        self.has_colliders = any(
            leaf.kind == "geom" and leaf.role not in Role.SEEN for leaf in self.tree.leaves.values()
        )

    def _find_materials(self) -> None:
        """Find the materials by name: one that was renamed is the one that it was, and no other one."""
        nodes = [*reversed(self.root.children("materials"))]
        others = [node for node in nodes if self.differs(node, "name")]
        kept = [node for node in nodes if not self.differs(node, "name")]
        self.materials = {node.text("name") or "": node for node in (*others, *kept)}
        lost = (
            {short_digest(name): name for name in self.scene.materials if name not in self.materials} if others else {}
        )
        for node in others:
            then = (self.altered.get(part_of(node)) or {}).get("name", "")
            old = lost.pop(then, None)
            if old is not None:
                self.materials[old], self.former_names[node.pointer] = node, old

    def tell(
        self, where: str, before: str, after: str, reason: str, *parts: Explained, action: str = "derived"
    ) -> None:
        """Note an edit; parts are what of the document it explains."""
        nodes = [part if isinstance(part, JsonObject) else part[0] for part in parts if not isinstance(part, str)]
        self.explained |= {said for part in parts for said in _part_names(part)}
        source = nodes[0].source if nodes else None
        self.context.note(RULE, where, reason, source, before=before, after=after, action=action)

    def touched(self, *nodes: JsonObject | None) -> bool:
        """Whether any of these items is not what it was."""
        return any(node is not None and part_of(node) in self.changed for node in nodes)

    def material_name(self, node: JsonObject) -> str:
        """The name that a material has, or had in the graph."""
        return self.former_names.get(node.pointer) or node.text("name") or ""

    def is_new(self, node: JsonObject) -> bool:
        """Whether an item is new."""
        known = self.altered.get(part_of(node))
        return known is not None and not known

    def differs(self, node: JsonObject, member: str) -> bool:
        """Whether an item says anything else of a member than it did, as far as anybody knows."""
        return any(f"{key}/".startswith(f"{member}/") for key in self.altered.get(part_of(node)) or ())

    def embedded(self, leaf: Leaf, part: str, *, looks: bool = False) -> Mesh:
        """A mesh inside the document that a leaf shows, or a primitive of it, as an asset; looks: as it looks there."""
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
    """Nodes of which a note says only that other ones hang on them."""
    return [*((node, ()) for node in nodes), *(f"{TREE}/{part_of(node).rpartition('/')[2]}" for node in nodes)]


def palette_of(scene: Scene, root: JsonObject, context: Context, surfaces: Surfaces) -> SceneMaterials:
    """The materials of a document as those of a scene that has the materials and assets of the graph already."""
    known = Scene("").evolve(tables={kind: scene.tables[kind].values() for kind in ("material", "asset")})
    return SceneMaterials(root, known, context, surfaces.accessors, inner=True)
