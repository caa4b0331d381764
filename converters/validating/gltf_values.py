"""What glTF forbids in the numbers of its arrays. Clauses are those of the specification."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator, Sequence
from contextlib import suppress

from converters.assets.textures import MEDIA
from converters.gltf.data.accessors import COMPONENTS, Accessors
from converters.gltf.data.raw import Members, listed, member, members
from converters.source.json import JsonObject
from converters.validating.gltf_strict import UNIT, Fault, object_at, objects, whole
from converters.validating.gltf_uses import BONE, CORNER, INDEX, TIME, VALUE, Use, uses
from ir.arrays import Array, column_bounds, np

DIRECTION = 0.0067
"""Tolerance for the length of a direction: the error of one stored in single bytes."""
ROUNDING = 2e-7
"""Tolerance per weight of a vertex."""


def faults(root: JsonObject, accessors: Accessors) -> Iterator[Fault]:
    """Yield the faults in arrays with a meaning in core glTF. Unreadable arrays are recorded as faults of the
    accessors' document. Linear in the document and its buffers."""
    document, skinned = root.members, dict[int, int]()
    for _, node in objects(document, "nodes"):
        joints = listed(object_at(document, "skins", node.get("skin")).get("joints"))
        mesh, count = whole(node.get("mesh")), len(joints)
        if count:
            skinned[mesh] = min(count, skinned.get(mesh, count))
    told: set[tuple[object, str]] = set()
    for use in uses(document):
        values = _array(document, accessors, use.number)
        if values is None:
            continue
        if (use.number, "") not in told:
            told.add((use.number, ""))
            yield from _bounds(document, int(str(use.number)), values)
        for what in _wrong(document, accessors, use, values, skinned):
            if (use.number, what) not in told:
                told.add((use.number, what))
                yield Fault(use.place, use.key, what)
    yield from _images(root, accessors)


def _array(document: Members, accessors: Accessors, number: object) -> Array | None:
    """Return the array; None for an accessor without data of its own: a compressed one, or zeros."""
    accessor = object_at(document, "accessors", number)
    if type(number) is not int or not ("bufferView" in accessor or "sparse" in accessor):
        return None
    node = accessors.nodes[number]
    return node.attempt(accessors.array, number)


def _bounds(document: Members, number: int, values: Array) -> Iterator[Fault]:
    """3.6.2.5: bounds of the stored values, normalised or not, in single precision."""
    accessor = object_at(document, "accessors", number)
    kind = np.dtype(COMPONENTS[accessor["componentType"]])
    scale = float(np.iinfo(kind).max) if kind.kind != "f" and accessor.get("normalized") is True else 1.0
    for key, found in zip(("min", "max"), column_bounds(values), strict=True):
        said = accessor.get(key)
        numbers = [each for each in listed(said) if type(each) in (int, float)]
        if len(numbers) != len(found) or said != numbers:
            continue
        stored = np.rint(found * scale) if scale != 1.0 else found
        meant = np.array(numbers, np.float64)
        with np.errstate(over="ignore"):
            meant = meant.astype(kind).astype(np.float64) if kind.kind == "f" else meant
        if not np.array_equal(meant, stored) and not (scale != 1.0 and np.abs(meant - stored).max() <= 1):
            yield Fault(f"/accessors/{number}", key, "is not that of the values")


def _wrong(document: Members, accessors: Accessors, use: Use, values: Array, skinned: dict[int, int]) -> Iterator[str]:
    if use.kind == TIME:
        yield from _times(values)
    elif use.kind == BONE and values.shape[1] == 16:
        if bool(np.any(values[:, 3::4] != (0, 0, 0, 1))):
            yield "has a matrix whose last row is not 0 0 0 1 (3.7.3.1)"
    elif use.kind == VALUE and use.forms.startswith("VEC4"):
        yield from _turns(document, use, values)
    elif use.kind == INDEX:
        yield from _indices(document, use, values)
    elif use.kind == CORNER:
        yield from _corners(document, accessors, use, values, skinned)


def _times(values: Array) -> Iterator[str]:
    if values.min() < 0:
        yield "has a time before 0 (3.11)"
    if bool(np.any(np.diff(values[:, 0]) <= 0)):
        yield "has times that do not increase (3.11)"


def _turns(document: Members, use: Use, values: Array) -> Iterator[str]:
    """Check the rotations of a channel; those of a spline are between tangents."""
    animation = document["animations"][int(use.place.split("/")[2])]
    channel = animation["channels"][int(use.place.split("/")[4])]
    if object_at(animation, "samplers", channel.get("sampler")).get("interpolation") == "CUBICSPLINE":
        values = values[1::3]
    if values.shape[1] == 4 and _off(values, UNIT):
        yield "leads to values that are no unit quaternions (3.11)"


def _off(vectors: Array, most: float) -> bool:
    return bool(np.any(np.abs(np.linalg.norm(vectors, axis=1) - 1) > most))


def _primitive(document: Members, use: Use) -> Members:
    _, _, mesh, _, number, *_ = use.place.split("/")
    return members(document["meshes"][int(mesh)]["primitives"][int(number)])


def _indices(document: Members, use: Use, values: Array) -> Iterator[str]:
    """3.7.2.1."""
    corners = member(_primitive(document, use), "attributes", "POSITION")
    count = object_at(document, "accessors", corners).get("count")
    if values.dtype.kind != "u":
        return
    if int(values.max()) == np.iinfo(values.dtype).max:
        yield "has the largest index of its kind, which begins another strip"
    elif isinstance(count, int) and int(values.max()) >= count:
        yield f"has the index {int(values.max())}, and there are {count} corners"


def _corners(
    document: Members, accessors: Accessors, use: Use, values: Array, skinned: dict[int, int]
) -> Iterator[str]:
    """3.7.2.1 and, for joints and weights, 3.7.3.3. Morph targets are not checked."""
    kind, _, number = use.key.partition("_")
    if not use.place.endswith("/attributes"):
        return
    if kind in ("NORMAL", "TANGENT") and values.shape[1] >= 3 and _off(values[:, :3], DIRECTION):
        yield "has directions that are not of length 1"
    if kind == "TANGENT" and values.shape[1] == 4 and bool(np.any(np.abs(values[:, 3]) != 1)):
        yield "has a side that is neither 1 nor -1"
    if kind == "COLOR" and (values.min() < 0 or values.max() > 1):
        yield "has a colour beyond 0 and 1"
    if kind == "JOINTS" and values.dtype.kind == "u":
        yield from _joints(document, accessors, use, values, skinned)
    if kind == "WEIGHTS" and number == "0":
        yield from _weights(document, accessors, use)


def _all(document: Members, accessors: Accessors, use: Use, kind: str) -> Sequence[Array]:
    """Return the arrays of one kind, in order."""
    attributes = members(_primitive(document, use), "attributes")
    names = sorted((name for name in attributes if name.startswith(kind)), key=len)
    arrays = (_array(document, accessors, attributes[name]) for name in names)
    return [array for array in arrays if array is not None]


def _joints(document: Members, accessors: Accessors, use: Use, values: Array, skinned: dict[int, int]) -> Iterator[str]:
    count = skinned.get(int(use.place.split("/")[2]))
    if count is not None and int(values.max()) >= count:
        yield f"has the joint {int(values.max())}, and a skin has {count}"
    joints, weights = (_all(document, accessors, use, kind) for kind in ("JOINTS", "WEIGHTS"))
    if use.key != "JOINTS_0" or len(joints) != len(weights) or len({*map(np.shape, (*joints, *weights))}) != 1:
        return
    named = np.concatenate(joints, axis=1).astype(np.int64)
    named = np.where(np.concatenate(weights, axis=1) != 0, named, -1 - np.arange(named.shape[1]))
    if bool(np.any(np.diff(np.sort(named, axis=1), axis=1) == 0)):
        yield "names a joint twice for one corner"


def _weights(document: Members, accessors: Accessors, use: Use) -> Iterator[str]:
    weights = _all(document, accessors, use, "WEIGHTS")
    if len({len(each) for each in weights}) != 1:
        return
    whole_sum = np.concatenate(weights, axis=1)
    if whole_sum.min() < 0:
        yield "has a weight below 0"
    some = (whole_sum != 0).sum(axis=1)
    small = object_at(document, "accessors", use.number).get("componentType") != 5126
    most = 1e-9 if small else ROUNDING * some
    if bool(np.any(np.abs(whole_sum.sum(axis=1) - 1) > most)):
        yield "has weights that do not come to 1"


def _images(root: JsonObject, accessors: Accessors) -> Iterator[Fault]:
    """3.8.3: the media type of embedded images, which is declared in one place or two."""
    document = root.members
    for place, image in objects(document, "images"):
        view, uri = image.get("bufferView"), image.get("uri")
        said = {"mimeType": image.get("mimeType")}
        begins = b""
        if isinstance(uri, str) and uri.startswith("data:"):
            head, _, body = uri.partition(",")
            said["uri"] = head.removeprefix("data:").partition(";")[0]
            with suppress(ValueError):
                begins = b64decode(body[:16])
        elif type(view) is int and object_at(document, "bufferViews", view):
            begins = bytes((root.attempt(accessors.view, view) or b"")[:8])
        real = next((kind for kind, magic in MEDIA.items() if begins.startswith(magic)), None)
        for key, kind in said.items():
            if real is not None and kind is not None and kind != real:
                yield Fault(place, key, f"is {kind}, and the image is {real}")
