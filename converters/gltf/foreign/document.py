"""A document from another program -> Scene: nodes as bodies, meshes and images as parts of the file (README).

If a document declares how its bodies move (physics), the joints and masses are taken from there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from converters.context import ReaderContext
from converters.gltf.data.accessors import Accessors
from converters.gltf.data.container import Container, slack
from converters.gltf.data.extensions import MARK, READ
from converters.gltf.data.raw import members, objects
from converters.gltf.foreign.bodies import GltfLoading
from converters.gltf.foreign.colliders import add_colliders
from converters.gltf.foreign.joints import build_tree
from converters.gltf.foreign.physics import Rigid
from converters.gltf.scene.materials import SceneMaterials
from converters.gltf.scene.primitives import Surfaces
from converters.source.json import JsonObject
from ir.scene import Scene
from ir.types import WORLD

STILL = (
    "glTF has no joints, and this file contains no physics that tells how its nodes move "
    "(KHR_physics_rigid_bodies, OMI_physics_joint): each node is fixed to its parent; add joints "
    "in a URDF made of it, or the physics here; --missing-inertia geometry computes masses from the "
    "shapes, and kinegraph validate URDF --fix NEW --fix all adds collisions"
)

UNREAD = (
    "data that the graph cannot hold (of skins, animations, morph targets, additional vertex attributes "
    "or unknown extensions): only what refers to it is kept"
)


def read(container: Container, context: ReaderContext) -> Scene:
    """Return the default scene of a document, z up. Raises InputError for broken, unsafe or unsupported files.

    Whatever has no place in the graph stays with its owner as an extra, verbatim.
    """
    root = container.document.root
    scene = Scene("")
    scene.notation.update(_notation(root))
    accessors = Accessors(root, container.buffers)
    surfaces = Surfaces(root, accessors, context)
    rigid = Rigid(root)
    loading = GltfLoading(root, scene, context, surfaces, SceneMaterials(root, scene, context, accessors), rigid)
    loading.walk()
    add_colliders(loading)
    build_tree(loading)
    _tell_still(scene, root, context)
    if rigid.filters:
        said = [entry.members for entry in rigid.filters.values()]
        scene.notation["collisionFilters"] = json.dumps(said, ensure_ascii=False)
    views = root.children("bufferViews")
    for view in views:
        view.ignore("target", "gltf/usage-hint")
    for number, end in accessors.used.items():
        length = views[number].integer("byteLength") or 0
        if length > end:
            slack(views[number], length, end, context)
    for (node, key), (rule, reason) in accessors.odd.items():
        context.note(rule, "scene", reason, node.place(key), before=str(node.members.get(key)))
    _tell_unread(root, accessors, views, context)
    _check_buffers(root, views, context)
    scene.extras = root.rest()
    return scene


def _tell_still(scene: Scene, root: JsonObject, context: ReaderContext) -> None:
    """Note that none of several visible links can move, though those of other formats usually can."""
    links = sum(1 for body in scene.bodies.values() if body.geoms and body.name != WORLD)
    if links > 1 and not scene.dofs():
        context.note(
            "gltf/no-joints",
            "document",
            STILL,
            root.place("nodes"),
            before=f"links that cannot move: {links}",
            action="noted",
            severity="note",
            elsewhere=True,
        )


def _tell_unread(root: JsonObject, accessors: Accessors, views: list[JsonObject], context: ReaderContext) -> None:
    """Note accessors and views that are not used. Whatever refers to them is kept as an extra, but the data are not:
    those of skins, animations, morph targets, and of attributes and extensions without a place in the graph."""
    named = {number for node in accessors.nodes for number in _views_of(node)}
    passed = [node for number, node in enumerate(accessors.nodes) if number not in accessors.read and _views_of(node)]
    passed += [view for number, view in enumerate(views) if number not in accessors.used and number not in named]
    owners = (
        {f"/accessors/{number}": f", of {owner}" for number, owner in _owners_of_accessors(root.members)}
        if passed
        else {}
    )
    for node in passed:
        before = f"{node.pointer}{owners.get(node.pointer, '')}"
        context.note("gltf/unread", "scene", UNREAD, node.place(), before=before, action="dropped")


def _owners_of_accessors(document: Mapping[str, Any]) -> Iterator[tuple[Any, str]]:
    """Yield accessors that animations, skins and meshes refer to, with a description; some or all may be unread."""
    for number, animation in objects(document, "animations"):
        called = f"animation {animation.get('name', number)!r}"
        for _, sampler in objects(animation, "samplers"):
            yield from ((sampler.get(key), called) for key in ("input", "output"))
    for number, skin in objects(document, "skins"):
        yield skin.get("inverseBindMatrices"), f"skin {skin.get('name', number)!r}"
    for number, mesh in objects(document, "meshes"):
        called = f"mesh {mesh.get('name', number)!r}"
        for _, primitive in objects(mesh, "primitives"):
            yield from ((index, f"{key} of {called}") for key, index in members(primitive, "attributes").items())
            for _, target in objects(primitive, "targets"):
                yield from ((index, f"a morph target of {called}") for index in target.values())


def _views_of(accessor: JsonObject) -> set[int]:
    """Return the buffer views of an accessor, without reporting errors."""
    said = accessor.members
    parts = (said, members(said, "sparse", "indices"), members(said, "sparse", "values"))
    return {part["bufferView"] for part in parts if type(part.get("bufferView")) is int}


def _check_buffers(root: JsonObject, views: list[JsonObject], context: ReaderContext) -> None:
    """Note buffers that are longer than all their views, read or not."""
    buffers = root.children("buffers")
    ends = [0] * len(buffers)
    for view in views:
        number, start, length = (view.members.get(key, 0) for key in ("buffer", "byteOffset", "byteLength"))
        if all(type(value) is int for value in (number, start, length)) and 0 <= number < len(ends):
            ends[number] = max(ends[number], start + length)
    for buffer, end in zip(buffers, ends, strict=True):
        length = buffer.integer("byteLength") or 0
        if length > end:
            slack(buffer, length, end, context)


def _notation(root: JsonObject) -> dict[str, str]:
    """Return the version of the document as notation.

    Declared extensions count as read if all are known: otherwise the list stays with the document, and is reported.
    """
    asset = root.child("asset")
    if asset is None:
        return {}
    asset.ignore("generator", "gltf/generator")
    for key in ("extensionsUsed", "extensionsRequired"):
        if READ.issuperset(root.members.get(key) or ()):
            root.raw(key)
    words = {MARK: "version", "gltf_min_version": "minVersion"}
    return {key: text for key, word in words.items() if (text := asset.text(word)) is not None}
