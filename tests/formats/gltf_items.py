"""Every member of glTF: from the schema in the trimesh wheel, ratified extensions, and the drafts of physics.

A path consists of member names only: nodes/mesh is the mesh of any node. extensions and extras, which all objects may
have, are not items; Draco and images in formats other than PNG and JPEG, which need a decoder, have their own tests.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from io import BytesIO
from typing import Any
from zipfile import ZipFile

from converters.source.json import JsonObject
from converters.validating.gltf_schema import EXTENDED
from tests.formats.coverage import CARRIED, MAPPED, MEANINGLESS

Schema = dict[str, Any]
BODIES, SHAPES = "extensions/KHR_physics_rigid_bodies", "extensions/KHR_implicit_shapes/shapes"
GEOMETRY = "geometry geometry/shape geometry/mesh geometry/convexHull collisionFilter"
PHYSICS = {
    f"nodes/{BODIES}/motion": "isKinematic mass centerOfMass inertiaDiagonal inertiaOrientation linearVelocity "
    "angularVelocity gravityFactor",
    f"nodes/{BODIES}/collider": f"{GEOMETRY} physicsMaterial",
    f"nodes/{BODIES}/trigger": f"{GEOMETRY} nodes",
    f"nodes/{BODIES}/joint": "joint connectedNode enableCollision",
    f"{BODIES}/physicsMaterials": "staticFriction dynamicFriction restitution frictionCombine restitutionCombine",
    f"{BODIES}/collisionFilters": "collisionSystems collideWithSystems notCollideWithSystems",
    f"{BODIES}/physicsJoints/limits": "linearAxes angularAxes min max stiffness damping",
    f"{BODIES}/physicsJoints/drives": "type mode axis maxForce positionTarget velocityTarget stiffness damping",
    SHAPES: "type box/size sphere/radius capsule/height capsule/radiusBottom capsule/radiusTop cylinder/height "
    "cylinder/radiusBottom cylinder/radiusTop plane/sizeX plane/sizeZ",
}
"""Members of the physics drafts of January 2026, by the objects that have them."""
OWNERS = {
    "": "",
    "node": "nodes",
    "material": "materials",
    "primitive": "meshes/primitives",
    "info": "materials/pbrMetallicRoughness/baseColorTexture",
}
"""Maps objects in the table of extensions to their paths."""
RANK = (MEANINGLESS, CARRIED, MAPPED)
DECODED = ("KHR_draco_mesh_compression", "KHR_texture_basisu", "EXT_texture_webp")


def items() -> list[str]:
    return sorted({*_schema(), *_extended(), *_physics()})


def _schema() -> Iterator[str]:
    """Yield the members of the core specification."""
    content = files("trimesh").joinpath("resources/schema/gltf2.schema.zip").read_bytes()
    with ZipFile(BytesIO(content)) as archive:
        names = [name for name in archive.namelist() if name.endswith(".json")]
        schemas = {name.rpartition("/")[2]: json.loads(archive.read(name)) for name in names}

    def members(schema: Schema, path: str) -> Iterator[str]:
        for base in schema.get("allOf", ()):
            yield from members(schemas.get(base.get("$ref"), {}), path)
        for name, said in schema.get("properties", {}).items():
            if name in ("extensions", "extras"):
                continue
            yield f"{path}{name}"
            while "items" in said:
                said = said["items"]
            for each in (said, *said.get("allOf", ())):
                yield from members(schemas.get(each.get("$ref"), {}), f"{path}{name}/")

    return members(schemas["glTF.schema.json"], "")


def _extended() -> Iterator[str]:
    """Yield the members of ratified extensions whose owner is in OWNERS, and the members below them."""
    for key, text in EXTENDED.items():
        owner, colon, name = key.partition(":")
        if colon and owner in OWNERS and name not in DECODED:
            yield from _named(text, f"{OWNERS[owner]}/extensions/{name}".lstrip("/"))


def _named(text: str, path: str) -> Iterator[str]:
    yield path
    for member in text.split():
        name, _, kind = member.partition(":")
        inner = kind.strip("[]+").strip("{}")
        found = f"{path}/{name.rstrip('!')}"
        yield from _named(EXTENDED[inner], found) if "{" in kind and inner in EXTENDED else (found,)


def _physics() -> Iterator[str]:
    for owner, text in PHYSICS.items():
        yield owner
        yield from (f"{owner}/{name}" for name in text.split())


def account(root: JsonObject) -> dict[str, str]:
    """Return, for each path, the class that the account of the document gives it after reading."""
    return best(dict([said]) for said in _accounted(root, ""))


def best(accounts: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """Return, for each path, the highest class in any of the accounts."""
    found: dict[str, str] = {}
    for path, kind in (said for account in accounts for said in account.items()):
        found[path] = max(found.get(path, kind), kind, key=RANK.index)
    return found


def _accounted(owner: JsonObject, path: str) -> Iterator[tuple[str, str]]:
    for key, value in owner.members.items():
        place, inside = f"{path}{key}", owner.known.get(key)
        kind = MAPPED if key in owner.asked else MEANINGLESS if owner.rules.get(key) else CARRIED
        yield place, kind
        if key not in owner.asked or inside is None:
            yield from ((each, kind) for each in named(value, f"{place}/"))
        else:
            for each in [inside] if isinstance(inside, JsonObject) else inside:
                yield from _accounted(each, f"{place}/")


def named(value: Any, path: str = "") -> Iterator[str]:
    """Yield the paths of the members of a value, at any depth."""
    if isinstance(value, list):
        for item in value:
            yield from named(item, path)
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield f"{path}{key}"
            yield from named(inner, f"{path}{key}/")
