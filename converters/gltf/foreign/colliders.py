"""Colliders of documents from other programs, as geoms of their bodies."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from converters.gltf.data.extensions import BODIES, extension
from converters.gltf.foreign.bodies import GltfLoading
from converters.gltf.foreign.filters import REACHES, SYSTEMS, Filter, Masks, masks_of
from converters.gltf.foreign.physics import shape_of, sizes_of
from ir.pose import compose
from ir.types import Geom, Role, Surface

ASIDE = (
    "the mesh of the collider belongs to a node outside the scene: it is placed at the node of the "
    "collider, with the scale of that node"
)
RESTING = (
    "this material has no staticFriction, whose default is 0.6: the graph has one friction coefficient, "
    "and takes the given one"
)
NAMELESS = (
    "collision filters become masks in other formats: the names of the collision systems are only kept for the way back"
)
FOLDED = "a collider whose node has a scale of zero in every direction is disabled"
NOBODY = "no collider belongs to this collision system, so filters that name it have no effect"


def add_colliders(loading: GltfLoading) -> None:
    """Add every collider to its body. Refuses filters that masks cannot express."""
    rigid = loading.rigid
    masks = masks_of(collider.rule for _, collider in rigid.colliders.values()) if rigid.filters else {}
    if masks is None:
        owner = extension(loading.root, BODIES) or loading.root
        owner.refuse("collisionFilters", f"let more than {SYSTEMS} kinds of colliders touch each other, or not")
    systems = {word for _, collider in rigid.colliders.values() for word in collider.rule.own or ()}
    for entry in rigid.filters.values():
        source = entry.source
        loading.context.note("gltf/system-names", "scene", NAMELESS, source, action="noted", severity="note")
        for key in REACHES:
            said = entry.members.get(key)
            alone = [str(word) for word in said if str(word) not in systems] if isinstance(said, list) else []
            if alone:
                before, source = ", ".join(alone), entry.place(key)
                loading.context.note("gltf/filter", "scene", NOBODY, source, before=before, action="ignored")
    for material in loading.rigid.unsaid.values():
        loading.context.note("gltf/friction", "scene", RESTING, material.source, action="approximated")
    for number in loading.rigid.colliders:
        loading.nodes[number].attempt(_add_collider, number, loading, masks or {})


def _add_collider(number: int, loading: GltfLoading, masks: Mapping[Filter, Masks]) -> None:
    dialect, collider = loading.rigid.colliders[number]
    place = loading.places[number]
    node = loading.nodes[number]
    draft = loading.drafts[place.body]
    authored = node.text("name")
    made: list[Geom] = []
    mesh = collider.mesh
    if collider.other is not None:
        there = loading.places.get(collider.other)
        mesh = loading.nodes[collider.other].index("mesh", len(loading.surfaces.meshes))
        if mesh is None:
            raise node.fail("extensions", f"names node {collider.other}, which has no mesh")
        if there is None:
            loading.context.note("gltf/shape", f"body/{place.body}", ASIDE, node.source, action="approximated")
        elif there.body == place.body:
            place = there
    if max(sizes_of(place.linear)) == 0.0:
        loading.context.note("gltf/shape", f"body/{place.body}", FOLDED, node.source, action="ignored", severity="note")
    elif mesh is not None:
        made = loading.shapes(mesh, place, Role.COLLISION, authored, collider.hull)
    elif collider.shape is not None:
        where = f"body/{place.body}"
        shape, turn = shape_of(collider.shape, dialect, place.linear, loading.context, where)
        if shape is not None:
            name = loading.unique("geom", f"{authored or draft.name}_{Role.COLLISION}")
            pose = compose(place.pose, turn)
            made = [Geom(name=name, role=Role.COLLISION, shape=shape, pose=pose, source=node.source)]
    surface = collider.surface
    if collider.rule in masks:
        category, collide = masks[collider.rule]
        surface = replace(surface or Surface(), category=category, collide=collide)
    made = [replace(geom, surface=surface) for geom in made]
    if draft.node != number and made:
        made[-1] = replace(made[-1], extras=node.rest())
    draft.geoms += made
