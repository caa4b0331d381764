"""What the specification of glTF 2.0 forbids and readers tolerate: contradictory members, textures without coordinates,
names of attributes, empty lists. Clauses are those of the specification."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import hypot, pi
from typing import NamedTuple

from converters.gltf.data.accessors import COMPONENTS, TYPES
from converters.gltf.data.extensions import LIGHTS, numbered
from converters.gltf.data.raw import Members, listed, members

ATTRIBUTE = re.compile(r"(POSITION|NORMAL|TANGENT|(TEXCOORD|COLOR|JOINTS|WEIGHTS)_(0|[1-9]\d*)|_.*)", re.DOTALL)
"""3.7.2.1."""
UNIT = 0.0077
"""Tolerance for the length of a quaternion: the error of one stored in single bytes."""
SHEAR = 1e-5
"""Largest cosine between axes considered perpendicular."""
VARIANTS = "KHR_materials_variants"
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
"""Table -> lists of its objects that must be omitted rather than empty (minItems of the schema)."""
ANGLES = {"innerConeAngle": 0.0, "outerConeAngle": pi / 4}
"""Angles of a spot light and their defaults."""
TEXTURES = ("baseColorTexture", "metallicRoughnessTexture", "normalTexture", "occlusionTexture", "emissiveTexture")


class Fault(NamedTuple):
    """Place of a faulty member, and what is wrong with it."""

    pointer: str
    key: str | None
    said: str


def faults(document: Members) -> Iterator[Fault]:
    """Yield the faults of this kind; any part of the document may have the wrong type. Linear in the document."""
    yield from _empty(document)
    yield from _asset(document)
    for key, check in (("images", _image), ("cameras", _camera)):
        for place, each in objects(document, key):
            yield from check(place, each)
    lights = members(document, "extensions", LIGHTS)
    for place, lamp in objects(lights, "lights", f"/extensions/{LIGHTS}"):
        yield from _lamp(place, lamp)
    inside = (("meshes", _mesh), ("nodes", _node), ("accessors", _accessor), ("bufferViews", _view))
    for key, look in inside:
        for place, each in objects(document, key):
            yield from look(place, each, document)


def objects(owner: Members, key: str, place: str = "") -> Iterator[tuple[str, Members]]:
    for number, each in enumerate(listed(owner.get(key))):
        if isinstance(each, dict):
            yield f"{place}/{key}/{number}", each


def object_at(document: Members, key: str, index: object) -> Members:
    """Return an object of a table; an empty one where there is none."""
    return members(numbered(listed(document.get(key)), index))


def morphs(mesh: Members) -> int:
    """Return the number of morph targets of a mesh's first primitive."""
    first = next(iter(listed(mesh.get("primitives"))), None)
    return len(listed(first, "targets"))


def _empty(document: Members) -> Iterator[Fault]:
    for table, lists in FILLED.items():
        for place, owner in objects(document, table) if table else [("", document)]:
            for key in lists:
                if owner.get(key) == []:
                    yield Fault(place, key, "is empty: it is left out then (5)")


def _asset(document: Members) -> Iterator[Fault]:
    asset = members(document.get("asset"))
    version, least = (_version(asset.get(key)) for key in ("version", "minVersion"))
    if version is not None and least is not None and least > version:
        yield Fault("/asset", "minVersion", "is above version (3.2)")
    for key in ("extensionsUsed", "extensionsRequired"):
        for name in _twice(document.get(key)):
            yield Fault("", key, f"names {name!r} twice (3.12)")


def _version(text: object) -> tuple[int, ...] | None:
    return tuple(map(int, text.split("."))) if isinstance(text, str) and re.fullmatch(r"\d+\.\d+", text) else None


def _number(value: object) -> bool:
    return type(value) in (int, float)


def _twice(names: object) -> Iterable[str]:
    counts = Counter(name for name in listed(names) if isinstance(name, str))
    return [name for name, count in counts.items() if count > 1]


def _image(place: str, image: Members) -> Iterator[Fault]:
    if "uri" in image and "bufferView" in image:
        yield Fault(place, "uri", "is given beside bufferView: an image has one of them (3.8.3)")
    elif "uri" not in image and "bufferView" not in image:
        yield Fault(place, None, "has neither uri nor bufferView (3.8.3)")
    if "bufferView" in image and "mimeType" not in image:
        yield Fault(place, None, "has a bufferView and no mimeType (3.8.3)")


def _camera(place: str, camera: Members) -> Iterator[Fault]:
    """3.10."""
    kind = camera.get("type")
    lens = members(camera.get(kind)) if isinstance(kind, str) else {}
    if "perspective" in camera and "orthographic" in camera:
        yield Fault(place, "perspective", "is given beside orthographic: a camera has one of them")
    elif kind in LENSES and kind not in camera:
        yield Fault(place, "type", f"is {kind}, and there is no such member")
    if kind == "perspective" and lens.get("znear") == 0:
        yield Fault(f"{place}/{kind}", "znear", "must be above 0")
    near, far = lens.get("znear"), lens.get("zfar")
    if isinstance(near, (int, float)) and isinstance(far, (int, float)) and far <= near:
        yield Fault(f"{place}/{kind}", "zfar", "has to be above znear")
    for key in ("xmag", "ymag"):
        if kind == "orthographic" and lens.get(key) == 0:
            yield Fault(f"{place}/{kind}", key, "must not be 0")


def _lamp(place: str, lamp: Members) -> Iterator[Fault]:
    inner, outer = (members(lamp.get("spot")).get(key, usual) for key, usual in ANGLES.items())
    if _number(inner) and _number(outer) and outer <= inner:
        yield Fault(f"{place}/spot", "outerConeAngle", "has to be above innerConeAngle (KHR_lights_punctual)")


def _mesh(place: str, mesh: Members, document: Members) -> Iterator[Fault]:
    counts = set()
    for where, primitive in objects(mesh, "primitives", place):
        yield from _variants(where, primitive)
        counts.add(len(listed(primitive.get("targets"))))
        attributes = members(primitive.get("attributes"))
        yield from _attributes(f"{where}/attributes", attributes)
        for place_of, target in objects(primitive, "targets", where):
            yield from _target(place_of, target, attributes)
        yield from _counts(where, primitive, document)
        yield from _coordinates(where, primitive, attributes, document)
    if len(counts) > 1:
        yield Fault(place, "primitives", "have different numbers of morph targets (3.7.2.2)")
    yield from _weights(place, mesh, max(counts, default=0))


def _variants(place: str, primitive: Members) -> Iterator[Fault]:
    """KHR_materials_variants: each variant has one material."""
    extension = members(primitive, "extensions", VARIANTS)
    seen: set[int] = set()
    for where, mapping in objects(extension, "mappings", f"{place}/extensions/{VARIANTS}"):
        for each in listed(mapping.get("variants")):
            if isinstance(each, int) and each in seen:
                yield Fault(where, "variants", f"name {each}, which has a material already")
            seen |= {each} if isinstance(each, int) else set()


def _weights(place: str, owner: Members, count: int) -> Iterator[Fault]:
    weights = listed(owner.get("weights"))
    if weights and len(weights) != count:
        yield Fault(place, "weights", f"are {len(weights)}, and there are {count} morph targets (3.7.2.2)")


def _attributes(place: str, attributes: Members) -> Iterator[Fault]:
    """3.7.2.1: attributes of one kind are numbered from 0 without gaps."""
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
    """3.7.2.2: morph targets may only modify existing attributes."""
    if not target:
        yield Fault(place, None, "is empty: a morph target changes something")
    for name in target:
        if ATTRIBUTE.fullmatch(name) is None:
            yield Fault(place, name, "is no attribute of glTF; those of an application begin with _")
        elif name not in attributes:
            yield Fault(place, name, f"is added to a {name} that the triangles have not")


def _counts(place: str, primitive: Members, document: Members) -> Iterator[Fault]:
    """3.7.2.1: all attributes have the same number of vertices."""
    attributes = members(primitive.get("attributes"))
    count = object_at(document, "accessors", attributes.get("POSITION")).get("count")
    for where, each in ((f"{place}/attributes", attributes), *objects(primitive, "targets", place)):
        for name, index in each.items():
            accessor = object_at(document, "accessors", index)
            other = accessor.get("count", count)
            if other != count:
                yield Fault(where, name, f"is of {other} corners, and there are {count}")


def _coordinates(place: str, primitive: Members, attributes: Members, document: Members) -> Iterator[Fault]:
    """3.9.1: the set of texture coordinates used by a texture of the material exists."""
    material = object_at(document, "materials", primitive.get("material"))
    looks = members(material.get("pbrMetallicRoughness")) | material
    for key in TEXTURES:
        texture = looks.get(key)
        number = texture.get("texCoord", 0) if isinstance(texture, dict) else None
        transform = members(texture, "extensions", "KHR_texture_transform")
        number = transform.get("texCoord", number)
        if isinstance(number, int) and f"TEXCOORD_{number}" not in attributes:
            yield Fault(place, "material", f"has a {key} that needs TEXCOORD_{number}, which the triangles have not")


def _node(place: str, node: Members, document: Members) -> Iterator[Fault]:
    """3.5."""
    yield from _turned(place, node)
    mesh = object_at(document, "meshes", node.get("mesh"))
    for key in ("skin", "weights"):
        if key in node and "mesh" not in node:
            yield Fault(place, key, "is given where there is no mesh")
    bare = [each for _, each in objects(mesh, "primitives") if "JOINTS_0" not in members(each.get("attributes"))]
    if "skin" in node and bare:
        yield Fault(place, "skin", "is given where triangles have no JOINTS_0 (3.7.3.3)")
    if mesh:
        yield from _weights(place, node, morphs(mesh))


def _turned(place: str, node: Members) -> Iterator[Fault]:
    """3.5.3: a unit quaternion, and a matrix that is a rotation with scales along its own axes."""
    rotation, matrix = (_numbers(node.get(key), count) for key, count in (("rotation", 4), ("matrix", 16)))
    if rotation and abs(hypot(*rotation) - 1) > UNIT:
        yield Fault(place, "rotation", "is no unit quaternion")
    if matrix and not _apart(matrix):
        yield Fault(place, "matrix", "is no translation, rotation and scale: it shears, flattens, or is not affine")


def _numbers(value: object, count: int) -> list[float]:
    """Return the numbers; an empty list unless there are exactly that many."""
    found = listed(value)
    return [float(each) for each in found] if len(found) == count and all(map(_number, found)) else []


def _apart(matrix: Sequence[float]) -> bool:
    """Whether the columns of a matrix are perpendicular, and none is zero."""
    columns = [matrix[start : start + 3] for start in (0, 4, 8)]
    lengths = [hypot(*column) for column in columns]
    if matrix[3::4] != [0, 0, 0, 1] or min(lengths) == 0:
        return False
    pairs = ((0, 1), (0, 2), (1, 2))
    across = (
        sum(x * y for x, y in zip(columns[a], columns[b], strict=True)) / lengths[a] / lengths[b] for a, b in pairs
    )
    return all(abs(each) <= SHEAR for each in across)


def _accessor(place: str, accessor: Members, document: Members) -> Iterator[Fault]:
    """3.6.2.4 and 3.6.2.5, including accessors that are not read here."""
    if "byteOffset" in accessor and "bufferView" not in accessor:
        yield Fault(place, "byteOffset", "is given where there is no bufferView")
    laid = layout(accessor)
    if laid is None:
        return
    shape, size = laid
    width = shape[0] * shape[1]
    for key in ("min", "max"):
        if isinstance(accessor.get(key), list) and len(accessor[key]) != width:
            yield Fault(place, key, f"has {len(accessor[key])} numbers, and {accessor['type']} has {width}")
    view = object_at(document, "bufferViews", accessor.get("bufferView"))
    column = shape[0] * size
    element = column if shape[1] == 1 else (column + -column % 4) * shape[1]
    stride, count = whole(view.get("byteStride")) or element, whole(accessor.get("count"))
    last = column if shape[1] == 1 else element - -column % 4
    if view and whole(accessor.get("byteOffset")) + stride * (count - 1) + last > whole(view.get("byteLength")):
        yield Fault(place, "count", "reaches beyond its buffer view")


def layout(accessor: Members) -> tuple[tuple[int, int], int] | None:
    """Return rows and columns of an element, and the bytes of a component; None for an unknown type."""
    shape, kind = TYPES.get(str(accessor.get("type"))), COMPONENTS.get(whole(accessor.get("componentType")))
    return None if shape is None or kind is None else (shape, int(kind[-1]))


def whole(value: object) -> int:
    return value if type(value) is int else 0


def _view(place: str, view: Members, document: Members) -> Iterator[Fault]:
    buffer = object_at(document, "buffers", view.get("buffer"))
    end = sum(whole(view.get(key)) for key in ("byteOffset", "byteLength"))
    if buffer and end > whole(buffer.get("byteLength")):
        yield Fault(place, "byteLength", "reaches beyond its buffer (3.6.1)")
