"""What a document of ours says, by member: whatever else an item says that somebody changed came from him, and does not
count, also where notes speak of the rest of the item."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from converters.gltf.data.extensions import BODIES, DRACO, LIGHTS, SHAPES, STRENGTH, TRANSFORM
from converters.gltf.ours.canonical import DEFAULTS
from converters.gltf.ours.graph import EXTRAS, OUTER
from converters.gltf.ours.marks import mark
from converters.gltf.scene.layout import JOINT, KIND, NAME, ROLE
from converters.source.figures import escaped
from converters.source.json import Node

Grammar = Mapping[str, Any]
"""Member -> what there may be in it (None: anything)."""


def _of(*names: str, **inner: Any) -> dict[str, Any]:
    return dict.fromkeys(names) | inner


MARKED = _of("name", "children", "translation", "rotation", "matrix", extras=_of(KIND, NAME, ROLE, JOINT, EXTRAS))
"""Of a node. A joint may be said by any that stands for something: of those that were added notes speak."""
MOTION = _of("mass", "centerOfMass", "inertiaDiagonal", "inertiaOrientation", "isKinematic", "gravityFactor")
COLLIDER = _of("physicsMaterial", "collisionFilter", geometry=_of("shape", "mesh", "convexHull"))
TIED = _of("joint", "connectedNode", "enableCollision")
HELD = {BODIES: {"joint": TIED}}
IMAGE = _of("index", "texCoord", "scale", "strength", extensions={TRANSFORM: _of("offset", "rotation", "scale")})
PARTS: dict[str, Grammar] = {
    "model": _of("scale"),
    "body": {"extensions": {BODIES: {"motion": MOTION, "joint": TIED}}},
    "geom": _of("mesh", "scale", extensions=HELD),
    "frame": {"extensions": HELD},
    "collider": _of("scale", extensions={BODIES: {"collider": COLLIDER, "joint": TIED}}),
    "joint": {"extensions": HELD},
    "camera": _of("camera", extensions=HELD),
    "light": {"extensions": {LIGHTS: _of("light"), **HELD}},
}
"""What nodes say besides, by what they are."""
SURFACE = _of("POSITION", "NORMAL", "TANGENT", "TEXCOORD_0", "COLOR_0")
PRIMITIVE = _of("indices", "material", "mode", attributes=SURFACE, extensions=_of(DRACO))
COLOUR = _of("baseColorFactor", "metallicFactor", "roughnessFactor")
COLOUR |= _of(baseColorTexture=IMAGE, metallicRoughnessTexture=IMAGE)
LOOK = _of("name", "emissiveFactor", "alphaMode", "alphaCutoff", "doubleSided", pbrMetallicRoughness=COLOUR)
LOOK |= _of(normalTexture=IMAGE, occlusionTexture=IMAGE, emissiveTexture=IMAGE, extensions={STRENGTH: None})
ROUND = _of("height", "radius", "radiusTop", "radiusBottom")
SHAPE = _of("type", box=_of("size"), sphere=ROUND, cylinder=ROUND, capsule=ROUND, plane=_of("sizeX", "sizeZ"))
LIMIT = _of("min", "max", "linearAxes", "angularAxes")
DRIVE = _of("type", "mode", "axis", "maxForce", "positionTarget", "stiffness", "velocityTarget", "damping")
RUB = _of("staticFriction", "dynamicFriction", "restitution", "frictionCombine")
LENS = _of("aspectRatio", "yfov", "znear", "zfar", "xmag", "ymag")
ITEMS: dict[str, Grammar] = {
    "scenes": _of("name", "nodes", extras=_of(EXTRAS)),
    "meshes": _of("name", primitives=PRIMITIVE),
    "materials": LOOK,
    "cameras": _of("name", "type", perspective=LENS, orthographic=LENS),
    f"{OUTER}{LIGHTS}/lights": _of("name", "type", "color", "intensity", "range", "spot"),
    f"{OUTER}{SHAPES}/shapes": SHAPE,
    f"{OUTER}{BODIES}/physicsJoints": {"limits": LIMIT, "drives": DRIVE},
    f"{OUTER}{BODIES}/physicsMaterials": RUB,
}
"""What items say, by their sections."""


def beside(node: Node, section: str) -> Iterator[str]:
    """Pointers to what an item of a section says that no document of ours says there, from the item on. A node without
    marks is somebody else's: of that other notes speak."""
    if section == "nodes":
        kind, _ = mark(node)
        if kind:
            yield from _beside(node.members, MARKED | dict(PARTS.get(kind, {})))
    elif section in ITEMS:
        yield from _beside(node.members, ITEMS[section])


def _beside(value: Any, grammar: Grammar | None) -> Iterator[str]:
    if grammar is None:
        return
    if isinstance(value, list):
        for number, each in enumerate(value):
            yield from (f"/{number}{rest}" for rest in _beside(each, grammar))
    for key, inner in value.items() if isinstance(value, dict) else ():
        if inner in DEFAULTS.get(key, ()):
            continue
        if key not in grammar:
            yield f"/{escaped(key)}"
        else:
            yield from (f"/{escaped(key)}{rest}" for rest in _beside(inner, grammar[key]))
