"""Two documents that together contain every item of glTF (gltf_items): one of visible items, one of moving bodies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from converters.validating.gltf_schema import EXTENDED
from tests.formats.gltf_bodies import LOCKED, body, world
from tests.formats.gltf_made import Made
from tests.validating.gltf_rich import Document, N, rich

NAMED = "accessors animations buffers bufferViews cameras images materials meshes samplers scenes skins textures"
VALUES: dict[str, Any] = {"part": 0.5, "amount": 2.5, "more": 3.5, "index": 1.2, "ior": 1.4, "number": 0.75}
VALUES |= {"{info}": {"index": 0, "texCoord": 0}, "{normal}": {"index": 0, "texCoord": 0, "scale": 0.5}}
"""Maps the kind of a member of a material extension to a value that is not the default."""
UNUSUAL = ("KHR_materials_unlit", "KHR_materials_pbrSpecularGlossiness")
"""Extensions that exclude others."""


def seen() -> Document:
    """Return a document with all items that can be seen."""
    document = rich()
    document["extensionsRequired"] = ["KHR_texture_transform"]
    document["asset"] |= {"copyright": "nobody's", "generator": "by hand", "minVersion": "2.0"}
    for table in NAMED.split():
        document[table][0]["name"] = f"one of {table}"
    document["scenes"][0]["nodes"].append(8)  # the camera of the second scene
    document["bufferViews"][N["positions"]]["byteStride"] = 12
    sparse = document["accessors"][N["sparse"]]["sparse"]
    for part in (document["accessors"][N["positions"]], sparse["indices"], sparse["values"]):
        part["byteOffset"] = 0
    look, flat = document["materials"]
    surface = look["pbrMetallicRoughness"]
    surface |= {"metallicFactor": 0.25, "roughnessFactor": 0.75, "baseColorFactor": [1, 0.5, 0.25, 0.75]}
    textures = [look[f"{word}Texture"] for word in ("normal", "occlusion", "emissive")]
    for texture in (*textures, surface["metallicRoughnessTexture"], surface["baseColorTexture"]):
        texture["texCoord"] = 0
    look["normalTexture"]["scale"] = 0.5
    moved = {"offset": [0.5, 0.25], "scale": [2, 4], "rotation": 0.5, "texCoord": 0}
    surface["baseColorTexture"]["extensions"]["KHR_texture_transform"] = moved
    for key, text in EXTENDED.items():
        owner, _, name = key.partition(":")
        if owner == "material":
            place = flat if name in UNUSUAL else look
            place["extensions"] = place.get("extensions", {}) | {name: dict(_valued(text))}
            document["extensionsUsed"].append(name)
    document["nodes"][5]["extensions"] = {"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": N["moves"]}}}
    plain = {name: value for name, value in look.items() if name not in ("extensions", "name")}
    document["materials"].append(plain | {"pbrMetallicRoughness": surface | {"baseColorTexture": {"index": 1}}})
    (placed,) = document["meshes"][2]["primitives"]
    placed["attributes"]["TEXCOORD_0"], placed["material"] = N["places"], len(document["materials"]) - 1
    document["extensionsUsed"] = sorted({*document["extensionsUsed"], "EXT_mesh_gpu_instancing"})
    variants = document["meshes"][0]["primitives"][0]["extensions"]["KHR_materials_variants"]
    variants["mappings"][0]["name"] = "worn"
    document["extensions"]["KHR_lights_punctual"]["lights"][0] |= {"name": "spot", "range": 4, "intensity": 3}
    return document


def _valued(text: str) -> Iterator[tuple[str, Any]]:
    for member in text.split():
        name, _, kind = member.partition(":")
        inner, _, many = kind.lstrip("[").partition("]")
        yield name, [VALUES[inner] / (1 + number) for number in range(int(many))] if many else VALUES[inner]


def held() -> Made:
    """A stand, a rotating arm and a sliding cart, with everything that the physics drafts can express."""
    fingers = {"collisionSystems": ["arm"], "collideWithSystems": ["ground", "cart"]}
    surface = {"staticFriction": 0.8, "dynamicFriction": 0.4, "restitution": 0.2}
    surface |= {"frictionCombine": "maximum", "restitutionCombine": "multiply"}
    stop = {"linearAxes": [0, 1, 2], "min": 0, "max": 0}
    turning = {"angularAxes": [0], "min": -1, "max": 2, "stiffness": 50, "damping": 3}
    spring = {"type": "angular", "mode": "force", "axis": 0, "maxForce": 9}
    spring |= {"positionTarget": 0.5, "stiffness": 7, "velocityTarget": 0.25, "damping": 0.5}
    sliding = {"linearAxes": [1, 2], **LOCKED}
    hinge = {"limits": [stop, {"angularAxes": [1, 2], **LOCKED}, turning], "drives": [spring]}
    slide = {"limits": [sliding, {"angularAxes": [0, 1, 2], **LOCKED}]}
    made = world(
        {"type": "box", "box": {"size": [0.2, 0.4, 0.6]}},
        {"type": "sphere", "sphere": {"radius": 0.3}},
        {"type": "capsule", "capsule": {"height": 0.7, "radiusBottom": 0.2, "radiusTop": 0.2}},
        {"type": "cylinder", "cylinder": {"height": 0.7, "radiusBottom": 0.4, "radiusTop": 0.1}},
        {"type": "plane", "plane": {"sizeX": 4, "sizeZ": 3}},
        physicsJoints=[hinge, slide],
        physicsMaterials=[surface],
        collisionFilters=[fingers, {"collisionSystems": ["cart"], "notCollideWithSystems": ["arm"]}],
    )
    mesh = made.mesh()
    motion = {"mass": 2, "centerOfMass": [0, 0.1, 0], "inertiaDiagonal": [1, 2, 3]}
    motion |= {"inertiaOrientation": [0.6, 0, 0, 0.8], "gravityFactor": 0}
    shape = {"geometry": {"shape": 0}, "physicsMaterial": 0, "collisionFilter": 0}
    pin = made.node(name="pin", translation=[0, 1, 0])
    hull = body(made, {"collider": {"geometry": {"mesh": mesh, "convexHull": True}}}, name="hull")
    pill = body(made, {"collider": {"geometry": {"shape": 2}, "collisionFilter": 1}}, name="pill")
    arm = body(made, {"motion": motion, "collider": shape}, name="arm", children=[pin, hull, pill])
    thrown = {"mass": 1, "linearVelocity": [1, 0, 0], "angularVelocity": [0, 1, 0]}
    cart = body(made, {"motion": thrown, "collider": {"geometry": {"shape": 1}}}, name="cart")
    lift = body(made, {"motion": {"isKinematic": True}, "collider": {"geometry": {"shape": 0}}}, name="lift")
    others = [
        body(made, {"joint": {"joint": 0, "connectedNode": pin, "enableCollision": True}}, name="swing"),
        body(made, {"joint": {"joint": 1, "connectedNode": cart}}, name="rail"),
        body(made, {"collider": {"geometry": {"shape": 3}}}, name="post"),
        body(made, {"collider": {"geometry": {"shape": 4}}}, name="floor"),
        body(made, {"trigger": {"geometry": {"shape": 1}, "collisionFilter": 0}}, name="gate"),
        body(made, {"trigger": {"geometry": {"mesh": mesh, "convexHull": True}}}, name="room"),
    ]
    others.append(body(made, {"trigger": {"nodes": others[-2:]}}, name="house"))
    made.scene(arm, cart, lift, *others)
    return made
