"""The forms in which we write physics into a document, one row of FORMS each.

All other code writes, reads and compares the newest one, KHR_physics_rigid_bodies as of January 2026: `say` converts a
whole document from that to the form, `hear` back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from converters.gltf.data.extensions import BODIES, OMI_BODIES, OMI_JOINTS, OMI_SHAPES, SHAPES, numbered
from converters.gltf.data.raw import listed, member, members
from converters.gltf.scene.layout import KIND, NAME
from ir.types import Box, Capsule, Cone, Cylinder, Ellipsoid, Mesh, Plane, Shape, Sphere

Document = dict[str, Any]
Spoken = Callable[[Document], Document]


def _as_it_is(document: Document) -> Document:
    return document


class Form(Struct, frozen=True, kw_only=True):
    """What a form can express.

    draft: prefix of the addresses of what its readers lack, in rows of tables. shapes: others collide by their
    triangles. touch: friction, restitution, and what may touch what. friction: of a collider without one; None if
    engine-specific. absent: there is no physics at all.
    """

    draft: str = "draft"
    shapes: tuple[type[Shape], ...] = (Box, Sphere, Cylinder, Capsule, Cone, Plane)
    touch: bool = True
    friction: float | None = 0.6
    absent: bool = False
    say: Spoken = _as_it_is
    hear: Spoken = _as_it_is


def collides_as_hull(shape: Shape | None) -> bool:
    """Whether a shape that collides by its triangles does so by their hull."""
    return isinstance(shape, (Ellipsoid, Cone)) or (isinstance(shape, Mesh) and shape.hull)


def _with_nodes(document: Document, made: Callable[[Document, Document], Document]) -> Document:
    """Return the document with changed node extensions: made(node, its extensions)."""
    nodes = listed(document, "nodes")
    changed = [
        node | {"extensions": made(node, members(node, "extensions"))} if members(node, "extensions") else node
        for node in nodes
    ]
    return document | ({"nodes": changed} if nodes else {})


def _with_geometry(document: Document, made: Callable[[Document, Document], Document]) -> Document:
    """Return the document with changed geometries of its colliders: made(node, geometry)."""

    def changed(node: Document, said: Document) -> Document:
        collider = members(said, BODIES, "collider")
        if not members(collider, "geometry"):
            return said
        return said | {BODIES: said[BODIES] | {"collider": collider | {"geometry": made(node, collider["geometry"])}}}

    return _with_nodes(document, changed)


# ------------------------------------------------------------------------------------------- before January 2026


def _by_node(document: Document) -> Document:
    """Make colliders refer to a node instead of a mesh: the one that shows the same geom, at the pose of the
    collider."""
    shown: dict[str, int] = {}
    for number, node in enumerate(listed(document, "nodes")):
        if node["extras"].get(KIND) == "geom":
            shown.setdefault(node["extras"][NAME], number)

    def named(node: Document, geometry: Document) -> Document:
        kept = {key: value for key, value in geometry.items() if key != "mesh"}
        return kept | ({"node": shown[node["extras"][NAME]]} if "mesh" in geometry else {})

    return _with_geometry(document, named)


def _by_mesh(document: Document) -> Document:
    nodes = listed(document, "nodes")

    def found(_: Document, geometry: Document) -> Document:
        mesh = member(numbered(nodes, geometry.get("node")), "mesh")
        if mesh is None:
            return geometry
        return {key: value for key, value in geometry.items() if key != "node"} | {"mesh": mesh}

    return _with_geometry(document, found)


# ------------------------------------------------------------------------------------------------------------ OMI


def _to_omi(document: Document) -> Document:
    """Convert to OMI_physics_body, _shape and _joint: a mesh is a shape, the height of a capsule includes its caps, a
    motion has a type."""
    shapes = [_to_omi_shape(each) for each in listed(document, "extensions", SHAPES, "shapes")]
    numbers: dict[tuple[str, int], int] = {}

    def number(geometry: Document) -> int:
        if "shape" in geometry:
            return int(geometry["shape"])
        kind, mesh = "convex" if geometry.get("convexHull") else "trimesh", geometry["mesh"]
        if (kind, mesh) not in numbers:
            shapes.append({"type": kind, kind: {"mesh": mesh}})
            numbers[kind, mesh] = len(shapes) - 1
        return numbers[kind, mesh]

    def said(_: Document, extensions: Document) -> Document:
        own = dict(extensions.get(BODIES, {}))
        body: Document = {}
        if "motion" in own:
            motion = dict(own["motion"])
            body["motion"] = {"type": "kinematic" if motion.pop("isKinematic", False) else "dynamic"} | motion
        if "collider" in own:
            body["collider"] = {"shape": number(own["collider"]["geometry"])}
        found = {OMI_BODIES: body, OMI_JOINTS: own.get("joint")}
        return _without(extensions, BODIES) | {name: each for name, each in found.items() if each}

    made = _with_nodes(document, said)
    joints = listed(document, "extensions", BODIES, "physicsJoints")
    tables = {
        OMI_SHAPES: {"shapes": shapes} if shapes else {},
        OMI_BODIES: {},
        OMI_JOINTS: {"physicsJoints": joints} if joints else {},
    }
    return _renamed(made, (SHAPES, BODIES), tables, OMI_BODIES)


def _to_omi_shape(entry: Document) -> Document:
    kind = entry["type"]
    said = dict(entry[kind])
    if "radiusTop" in said:
        said["radius"] = said.pop("radiusTop")
        del said["radiusBottom"]
    if kind == "capsule":
        said["height"] += 2 * said["radius"]
    return {"type": kind, kind: said}


def _from_omi(document: Document) -> Document:
    shapes = listed(document, "extensions", OMI_SHAPES, "shapes")
    meshes = [_mesh_of(each) for each in shapes]
    kept = [number for number, geometry in enumerate(meshes) if not geometry]
    places = {number: place for place, number in enumerate(kept)}

    def geometry(number: Any) -> Document:
        mesh = numbered(meshes, number)
        return {"shape": number} if mesh is None else mesh or {"shape": places[number]}

    def heard(_: Document, extensions: Document) -> Document:
        said, joint = dict(members(extensions, OMI_BODIES)), members(extensions, OMI_JOINTS)
        if "motion" in said:
            said["motion"] = _from_omi_motion(members(said, "motion"))
        if "collider" in said:
            collider = members(said, "collider")
            said["collider"] = _without(collider, "shape") | {"geometry": geometry(collider.get("shape"))}
        said |= {"joint": joint} if joint else {}
        return _without(extensions, OMI_BODIES, OMI_JOINTS) | ({BODIES: said} if said else {})

    made = _with_nodes(document, heard)
    joints = listed(document, "extensions", OMI_JOINTS, "physicsJoints")
    entries = [_from_omi_shape(shapes[number]) for number in kept]
    tables = {SHAPES: {"shapes": entries} if entries else {}, BODIES: {"physicsJoints": joints} if joints else {}}
    return _renamed(made, (OMI_SHAPES, OMI_BODIES, OMI_JOINTS), tables, BODIES)


def _mesh_of(entry: Any) -> Document:
    """Return the geometry of a shape that is a mesh; an empty one for any other."""
    kind = member(entry, "type")
    if kind not in ("convex", "trimesh"):
        return {}
    return {"mesh": member(entry, kind, "mesh")} | ({"convexHull": True} if kind == "convex" else {})


def _from_omi_motion(motion: Document) -> Document:
    """In OMI, a mass that is not given is 1 kg, and a mass or moments of zero are to be computed."""
    said: Document = {"mass": 1.0} | _without(motion, "type")
    silent = [key for key, zero in (("mass", 0), ("inertiaDiagonal", [0, 0, 0])) if said.get(key) == zero]
    still = {"isKinematic": True} if motion.get("type") in ("kinematic", "static") else {}
    return still | _without(said, *silent)


def _from_omi_shape(entry: Any) -> Any:
    kind = member(entry, "type")
    if kind not in ("capsule", "cylinder"):
        return entry
    said: Document = {"height": 2.0} | members(entry, kind)
    radius = said.pop("radius", 0.5)
    said = {"radiusBottom": radius, "radiusTop": radius} | said
    numbers = [said[key] for key in ("height", "radiusBottom", "radiusTop")]
    if kind == "capsule" and all(map(_is_number, numbers)):
        said["height"] = max(numbers[0] - 2 * max(numbers[1:]), 0.0)
    return entry | {kind: said}


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _without(value: Document, *keys: str) -> Document:
    return {key: each for key, each in value.items() if key not in keys}


def _renamed(document: Document, gone: tuple[str, ...], tables: Mapping[str, Document], bodies: str) -> Document:
    """Return the document with these tables instead of those in gone. bodies: the node extension of rigid bodies."""
    used = document.get("extensionsUsed")
    held = any(bodies in members(node, "extensions") for node in listed(document, "nodes"))
    named = [name for name, table in tables.items() if table or (held and name == bodies)]
    kept = {name: table for name, table in tables.items() if table}
    extensions = _without(members(document, "extensions"), *gone) | kept
    made = _without(document, "extensions", "extensionsUsed")
    if isinstance(used, list) or named:
        others = [name for name in used if name not in gone] if isinstance(used, list) else []
        made["extensionsUsed"] = [*others, *named]
    return made | ({"extensions": extensions} if extensions else {})


FORMS: Mapping[str, Form] = MappingProxyType(
    {
        "khr": Form(),
        "khr-2025": Form(say=_by_node, hear=_by_mesh),
        "omi": Form(
            draft="draft-omi",
            shapes=(Box, Sphere, Cylinder, Capsule),
            touch=False,
            friction=None,
            say=_to_omi,
            hear=_from_omi,
        ),
        "none": Form(draft="draft-none", touch=False, friction=None, absent=True),
    }
)
"""Forms by the values of Options.physics."""
