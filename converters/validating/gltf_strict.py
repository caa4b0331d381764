"""What the specification of glTF 2.0 rules out and readers get by with: members that contradict each other, textures
without coordinates, names of attributes, empty lists. Clauses are those of the specification."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from converters.gltf.data.accessors import COMPONENTS, TYPES
from converters.gltf.data.binary import INDICES, VERTICES

Members = dict[str, Any]

SMALL = (5120, 5122)
ATTRIBUTE = re.compile(r"(POSITION|NORMAL|TANGENT|(TEXCOORD|COLOR|JOINTS|WEIGHTS)_(0|[1-9]\d*)|_.*)", re.DOTALL)
"""3.7.2.1."""
FORMATS: dict[str, tuple[tuple[str, ...], tuple[int, ...]]] = {
    "TANGENT": (("VEC3", "VEC4"), (5126, *SMALL)),
    "COLOR": (("VEC3", "VEC4"), (5126, 5121, 5123)),
    "JOINTS": (("VEC4",), (5121, 5123)),
    "WEIGHTS": (("VEC4",), (5126, 5121, 5123)),
}
"""Of attributes that nothing here looks at. KHR_mesh_quantization allows small numbers for tangents."""
LENSES = ("perspective", "orthographic")
FILLED = {
    "": (
        *("accessors", "animations", "buffers", "bufferViews", "cameras", "images", "materials", "meshes", "nodes"),
        *("samplers", "scenes", "skins", "textures", "extensionsUsed", "extensionsRequired"),
    ),
    "nodes": ("children", "weights"),
    "scenes": ("nodes",),
    "meshes": ("primitives", "weights"),
    "skins": ("joints",),
    "animations": ("channels", "samplers"),
}
"""Table -> lists of its objects that are left out rather than empty (minItems of the schema)."""
TEXTURES = ("baseColorTexture", "metallicRoughnessTexture", "normalTexture", "occlusionTexture", "emissiveTexture")


class Fault(NamedTuple):
    """Where a member stands that must not, and what is wrong with it."""

    pointer: str
    key: str | None
    said: str


def faults(document: Members) -> Iterator[Fault]:
    """Everything of this kind in a document, of which any part may be of the wrong type. Linear in the document."""
    yield from _empty(document)
    yield from _asset(document)
    for place, image in _objects(document, "images"):
        if "uri" in image and "bufferView" in image:
            yield Fault(place, "uri", "stands beside bufferView: an image has one of them (3.8.3)")
    for place, camera in _objects(document, "cameras"):
        yield from _camera(place, camera)
    for place, mesh in _objects(document, "meshes"):
        yield from _mesh(place, mesh, document)
    for place, node in _objects(document, "nodes"):
        yield from _node(place, node, document)
    for place, skin in _objects(document, "skins"):
        yield from _skin(place, skin, document)
    for place, accessor in _objects(document, "accessors"):
        yield from _accessor(place, accessor, document)
    for place, view in _objects(document, "bufferViews"):
        buffer = _at(document, "buffers", view.get("buffer"))
        if buffer and sum(_whole(view.get(key)) for key in ("byteOffset", "byteLength")) > _whole(
            buffer.get("byteLength")
        ):
            yield Fault(place, "byteLength", "reaches beyond its buffer (3.6.1)")
    for place, animation in _objects(document, "animations"):
        yield from _animation(place, animation, document)


def _objects(owner: Members, key: str, place: str = "") -> Iterator[tuple[str, Members]]:
    table = owner.get(key)
    for number, each in enumerate(table if isinstance(table, list) else ()):
        if isinstance(each, dict):
            yield f"{place}/{key}/{number}", each


def _at(document: Members, key: str, index: object) -> Members:
    """An object of a table; an empty one where there is none."""
    table = document.get(key)
    if not isinstance(table, list) or not isinstance(index, int) or not 0 <= index < len(table):
        return {}
    return table[index] if isinstance(table[index], dict) else {}


def _dict(value: object) -> Members:
    return value if isinstance(value, dict) else {}


def _empty(document: Members) -> Iterator[Fault]:
    for table, lists in FILLED.items():
        for place, owner in _objects(document, table) if table else [("", document)]:
            for key in lists:
                if owner.get(key) == []:
                    yield Fault(place, key, "is empty: it is left out then (5)")


def _asset(document: Members) -> Iterator[Fault]:
    asset = _dict(document.get("asset"))
    version, least = (_version(asset.get(key)) for key in ("version", "minVersion"))
    if version is not None and least is not None and least > version:
        yield Fault("/asset", "minVersion", "is above version (3.2)")
    for key in ("extensionsUsed", "extensionsRequired"):
        for name in _twice(document.get(key)):
            yield Fault("", key, f"names {name!r} twice (3.12)")


def _version(text: object) -> tuple[int, ...] | None:
    return tuple(map(int, text.split("."))) if isinstance(text, str) and re.fullmatch(r"\d+\.\d+", text) else None


def _twice(names: object) -> Iterable[str]:
    counts = Counter(name for name in (names if isinstance(names, list) else ()) if isinstance(name, str))
    return [name for name, count in counts.items() if count > 1]


def _camera(place: str, camera: Members) -> Iterator[Fault]:
    """3.10."""
    kind = camera.get("type")
    lens = _dict(camera.get(kind)) if isinstance(kind, str) else {}
    if "perspective" in camera and "orthographic" in camera:
        yield Fault(place, "perspective", "stands beside orthographic: a camera has one of them")
    elif kind in LENSES and kind not in camera:
        yield Fault(place, "type", f"says {kind}, and there is no such member")
    if kind == "perspective" and lens.get("znear") == 0:
        yield Fault(f"{place}/{kind}", "znear", "must be above 0")
    near, far = lens.get("znear"), lens.get("zfar")
    if isinstance(near, (int, float)) and isinstance(far, (int, float)) and far <= near:
        yield Fault(f"{place}/{kind}", "zfar", "has to be above znear")
    for key in ("xmag", "ymag"):
        if kind == "orthographic" and lens.get(key) == 0:
            yield Fault(f"{place}/{kind}", key, "must not be 0")


def _mesh(place: str, mesh: Members, document: Members) -> Iterator[Fault]:
    counts = set()
    for where, primitive in _objects(mesh, "primitives", place):
        targets = primitive.get("targets")
        counts.add(len(targets) if isinstance(targets, list) else 0)
        attributes = _dict(primitive.get("attributes"))
        yield from _attributes(f"{where}/attributes", attributes)
        for place_of, target in _objects(primitive, "targets", where):
            yield from _target(place_of, target, attributes)
        yield from _counts(where, primitive, document)
        yield from _uses(where, primitive, document)
        yield from _coordinates(where, primitive, attributes, document)
    if len(counts) > 1:
        yield Fault(place, "primitives", "have different numbers of morph targets (3.7.2.2)")
    yield from _weights(place, mesh, max(counts, default=0))


def _weights(place: str, owner: Members, count: int) -> Iterator[Fault]:
    weights = owner.get("weights")
    if isinstance(weights, list) and weights and len(weights) != count:
        yield Fault(place, "weights", f"are {len(weights)}, and there are {count} morph targets (3.7.2.2)")


def _attributes(place: str, attributes: Members) -> Iterator[Fault]:
    """3.7.2.1: the numbers of attributes of one kind begin at 0 and leave none out."""
    if not attributes:
        yield Fault(place, None, "is empty: triangles have a POSITION at least")
    numbers: dict[str, set[int]] = {"JOINTS": set(), "WEIGHTS": set()}
    for name in attributes:
        found = ATTRIBUTE.fullmatch(name)
        if found is None:
            yield Fault(place, name, "is no attribute of glTF; those of an application begin with _")
        elif found[2]:
            numbers.setdefault(found[2], set()).add(int(found[3]))
    for kind, known in numbers.items():
        if known and max(known) != len(known) - 1:
            yield Fault(place, f"{kind}_{max(known)}", f"leaves out a {kind} before it")
    if len(numbers["JOINTS"]) != len(numbers["WEIGHTS"]):
        yield Fault(place, None, "has JOINTS without WEIGHTS, or the other way round")


def _target(place: str, target: Members, attributes: Members) -> Iterator[Fault]:
    """3.7.2.2: what is added to attributes that are there."""
    if not target:
        yield Fault(place, None, "is empty: a morph target changes something")
    for name in target:
        if ATTRIBUTE.fullmatch(name) is None:
            yield Fault(place, name, "is no attribute of glTF; those of an application begin with _")
        elif name not in attributes:
            yield Fault(place, name, f"is added to a {name} that the triangles have not")


def _counts(place: str, primitive: Members, document: Members) -> Iterator[Fault]:
    """3.7.2.1: all attributes are of the same corners, and numbers of the types that the table there gives."""
    attributes = _dict(primitive.get("attributes"))
    count = _at(document, "accessors", attributes.get("POSITION")).get("count")
    for where, each in ((f"{place}/attributes", attributes), *_objects(primitive, "targets", place)):
        for name, index in each.items():
            accessor = _at(document, "accessors", index)
            other = accessor.get("count", count)
            shapes, kinds = FORMATS.get(name.partition("_")[0], ((), ()))
            if accessor and shapes and not (accessor.get("type") in shapes and accessor.get("componentType") in kinds):
                yield Fault(where, name, "has to be of another type")
            if other != count:
                yield Fault(where, name, f"is of {other} corners, and there are {count}")


def _uses(place: str, primitive: Members, document: Members) -> Iterator[Fault]:
    """3.6.2.2: a view that says what it is for holds nothing else."""
    uses = [(f"{place}/attributes", each, VERTICES) for each in _dict(primitive.get("attributes")).items()]
    for where, (name, index), target in (*uses, (place, ("indices", primitive.get("indices")), INDICES)):
        view = _at(document, "bufferViews", _at(document, "accessors", index).get("bufferView"))
        if view.get("target", target) != target:
            yield Fault(where, name, f"lies in a buffer view whose target is {view['target']}, not {target}")


def _coordinates(place: str, primitive: Members, attributes: Members, document: Members) -> Iterator[Fault]:
    """3.9.1: the set of coordinates that a texture of the material is laid out on."""
    material = _at(document, "materials", primitive.get("material"))
    looks = _dict(material.get("pbrMetallicRoughness")) | material
    for key in TEXTURES:
        texture = looks.get(key)
        number = texture.get("texCoord", 0) if isinstance(texture, dict) else None
        transform = _dict(_dict(_dict(texture).get("extensions")).get("KHR_texture_transform"))
        number = transform.get("texCoord", number)
        if isinstance(number, int) and f"TEXCOORD_{number}" not in attributes:
            yield Fault(place, "material", f"has a {key} that needs TEXCOORD_{number}, which the triangles have not")


def _node(place: str, node: Members, document: Members) -> Iterator[Fault]:
    """3.5."""
    mesh = _at(document, "meshes", node.get("mesh"))
    for key in ("skin", "weights"):
        if key in node and "mesh" not in node:
            yield Fault(place, key, "stands where there is no mesh")
    primitives = mesh.get("primitives")
    bare = [each for _, each in _objects(mesh, "primitives") if "JOINTS_0" not in _dict(each.get("attributes"))]
    if "skin" in node and bare:
        yield Fault(place, "skin", "stands where triangles have no JOINTS_0 (3.7.3.3)")
    first = primitives[0] if isinstance(primitives, list) and primitives else {}
    targets = _dict(first).get("targets")
    if mesh:
        yield from _weights(place, node, len(targets) if isinstance(targets, list) else 0)


def _skin(place: str, skin: Members, document: Members) -> Iterator[Fault]:
    """3.7.3.1."""
    joints = skin.get("joints")
    matrices = _at(document, "accessors", skin.get("inverseBindMatrices"))
    if isinstance(joints, list) and len({*map(repr, joints)}) < len(joints):
        yield Fault(place, "joints", "names a node twice")
    if matrices and (matrices.get("type"), matrices.get("componentType")) != ("MAT4", 5126):
        yield Fault(place, "inverseBindMatrices", "have to be MAT4 of floats")
    elif matrices and isinstance(joints, list) and _whole(matrices.get("count")) < len(joints):
        yield Fault(place, "inverseBindMatrices", f"are {matrices.get('count')}, and there are {len(joints)} joints")


def _accessor(place: str, accessor: Members, document: Members) -> Iterator[Fault]:
    """3.6.2.4 and 3.6.2.5, also of accessors that nothing here looks at."""
    shape, kind = TYPES.get(str(accessor.get("type"))), COMPONENTS.get(_whole(accessor.get("componentType")))
    if shape is None or kind is None:
        return
    size, width = int(kind[-1]), shape[0] * shape[1]
    for key in ("min", "max"):
        if isinstance(accessor.get(key), list) and len(accessor[key]) != width:
            yield Fault(place, key, f"has {len(accessor[key])} numbers, and {accessor['type']} has {width}")
    view = _at(document, "bufferViews", accessor.get("bufferView"))
    column = shape[0] * size
    element = column if shape[1] == 1 else (column + -column % 4) * shape[1]
    stride, count = _whole(view.get("byteStride")) or element, _whole(accessor.get("count"))
    last = column if shape[1] == 1 else element - -column % 4
    if view and _whole(accessor.get("byteOffset")) + stride * (count - 1) + last > _whole(view.get("byteLength")):
        yield Fault(place, "count", "reaches beyond its buffer view")


def _whole(value: object) -> int:
    return value if type(value) is int else 0


def _animation(place: str, animation: Members, document: Members) -> Iterator[Fault]:
    """3.11."""
    seen: set[tuple[int, str]] = set()
    for where, channel in _objects(animation, "channels", place):
        target = _dict(channel.get("target"))
        node, path = target.get("node"), target.get("path")
        if not isinstance(node, int) or not isinstance(path, str):
            continue
        if (node, path) in seen:
            yield Fault(f"{where}/target", "path", "is that of another channel, too")
        seen.add((node, path))
        if "matrix" in _at(document, "nodes", node) and path != "weights":
            yield Fault(f"{where}/target", "node", "has a matrix, and nothing else of it can move")
    for where, sampler in _objects(animation, "samplers", place):
        times = _at(document, "accessors", sampler.get("input"))
        missing = [key for key in ("min", "max") if key not in times]
        if times and missing:
            yield Fault(where, "input", f"has no {' and no '.join(missing)}: times say how long they are")
