"""Uses of the accessors and views of a glTF: the number types allowed for each use, their alignment, and conflicting
uses. Clauses are those of the specification."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from converters.gltf.data.binary import INDICES, VERTICES
from converters.gltf.data.extensions import QUANTISED
from converters.gltf.data.raw import Members, member, members
from converters.validating.gltf_strict import Fault, layout, object_at, objects, whole

CORNER, INDEX, BONE, TIME, VALUE, IMAGE, PART = (
    "corners",
    "indices",
    "bones",
    "times",
    "moved values",
    "an image",
    "sparse",
)
LETTERS = {5120: "b", 5121: "B", 5122: "h", 5123: "H", 5125: "I", 5126: "f"}
"""componentType as in the module struct; a trailing ! means normalised."""
COLOURS = "f,B!,H!"
ATTRIBUTES: Mapping[str, str] = {
    "POSITION": "VEC3:f",
    "NORMAL": "VEC3:f",
    "TANGENT": "VEC4:f",
    "TEXCOORD": f"VEC2:{COLOURS}",
    "COLOR": f"VEC3:{COLOURS} VEC4:{COLOURS}",
    "JOINTS": "VEC4:B,H",
    "WEIGHTS": f"VEC4:{COLOURS}",
}
"""3.7.2.1: type:components."""
SMALL: Mapping[str, str] = {
    "POSITION": "VEC3:b,b!,B,B!,h,h!,H,H!",
    "NORMAL": "VEC3:b!,h!",
    "TANGENT": "VEC4:b!,h!",
    "TEXCOORD": "VEC2:b,b!,B,h,h!,H",
}
"""Types added by KHR_mesh_quantization."""
DELTAS: Mapping[str, str] = {
    "POSITION": "VEC3:f",
    "NORMAL": "VEC3:f",
    "TANGENT": "VEC3:f",
    "TEXCOORD": f"VEC2:{COLOURS},b!,h!",
    "COLOR": f"VEC3:{COLOURS},b!,h! VEC4:{COLOURS},b!,h!",
}
"""3.7.2.2: types of morph targets."""
SMALL_DELTAS: Mapping[str, str] = {
    "POSITION": "VEC3:b,b!,h,h!",
    "NORMAL": "VEC3:b!,h!",
    "TANGENT": "VEC3:b!,h!",
    "TEXCOORD": "VEC2:b,h",
}
PATHS: Mapping[str, str] = {
    "translation": "VEC3:f",
    "rotation": "VEC4:f,b!,B!,h!,H!",
    "scale": "VEC3:f",
    "weights": "SCALAR:f,b!,B!,h!,H!",
}
"""3.11: types of animated values, by the path of a channel."""
PLACES, TIMES, BONES = "SCALAR:B,H,I", "SCALAR:f", "MAT4:f"


class Use(NamedTuple):
    """An accessor, where it is referenced, its use, and its allowed types."""

    place: str
    key: str
    number: object
    kind: str
    forms: str


def uses(document: Members) -> Iterator[Use]:
    """Yield the uses of all accessors with a meaning in core glTF, in document order."""
    words = document.get("extensionsUsed")
    small = isinstance(words, list) and QUANTISED in words
    for mesh, owner in objects(document, "meshes"):
        for place, primitive in objects(owner, "primitives", mesh):
            yield from _of_primitive(place, primitive, small)
    for place, skin in objects(document, "skins"):
        if "inverseBindMatrices" in skin:
            yield Use(place, "inverseBindMatrices", skin["inverseBindMatrices"], BONE, BONES)
    for place, animation in objects(document, "animations"):
        yield from _of_animation(place, animation)


def _of_primitive(place: str, primitive: Members, small: bool) -> Iterator[Use]:
    """small: quantised types are also allowed."""
    sides = [(f"{place}/attributes", members(primitive.get("attributes")), ATTRIBUTES, SMALL)]
    sides += [(where, target, DELTAS, SMALL_DELTAS) for where, target in objects(primitive, "targets", place)]
    for where, attributes, core, more in sides:
        for name, number in attributes.items():
            kind = name.partition("_")[0]
            yield Use(where, name, number, CORNER, f"{core.get(kind, '')} {more.get(kind, '') * small}".strip())
    if "indices" in primitive:
        yield Use(place, "indices", primitive["indices"], INDEX, PLACES)


def _of_animation(place: str, animation: Members) -> Iterator[Use]:
    for where, sampler in objects(animation, "samplers", place):
        yield Use(where, "input", sampler.get("input"), TIME, TIMES)
        yield Use(where, "output", sampler.get("output"), VALUE, "")
    for where, channel in objects(animation, "channels", place):
        path = member(channel, "target", "path")
        forms = PATHS.get(path, "") if isinstance(path, str) else ""
        yield Use(
            where, "sampler", object_at(animation, "samplers", channel.get("sampler")).get("output"), VALUE, forms
        )


def faults(document: Members) -> Iterator[Fault]:
    """Yield the faults of this kind; any part of the document may have the wrong type. Linear in the document."""
    found = [use for use in uses(document) if object_at(document, "accessors", use.number)]
    yield from _forms(document, found)
    yield from _two(document, found)
    yield from _strides(document, found)


def _forms(document: Members, found: Sequence[Use]) -> Iterator[Fault]:
    for use in found:
        accessor = object_at(document, "accessors", use.number)
        letter = LETTERS.get(whole(accessor.get("componentType")))
        letter = f"{letter}{'!' * (accessor.get('normalized') is True)}"
        forms = (each.partition(":") for each in use.forms.split())
        taken = [letter for form, _, letters in forms if form == accessor.get("type") for letter in letters.split(",")]
        if use.forms and letter not in taken:
            yield Fault(use.place, use.key, "has to be of another type")


def _two(document: Members, found: Sequence[Use]) -> Iterator[Fault]:
    """3.6.2: an accessor, and a view, has only one use."""
    first: dict[object, str] = {}
    held: dict[object, tuple[str, object]] = {}
    for use in found:
        if first.setdefault(use.number, use.kind) != use.kind:
            yield Fault(use.place, use.key, f"is used for {first[use.number]} elsewhere: an accessor has one use")
        view = object_at(document, "accessors", use.number).get("bufferView")
        kind = use.kind if use.kind in (CORNER, INDEX, BONE) else PART
        yield from _view_faults(document, use.place, use.key, view, kind, held)
    for place, accessor in objects(document, "accessors"):
        for key in ("indices", "values"):
            view = member(accessor, "sparse", key, "bufferView")
            yield from _view_faults(document, f"{place}/sparse/{key}", "bufferView", view, PART, held)
    for place, image in objects(document, "images"):
        yield from _view_faults(document, place, "bufferView", image.get("bufferView"), IMAGE, held)


TARGETS = {CORNER: VERTICES, INDEX: INDICES}


def _view_faults(
    document: Members, place: str, key: str, number: object, kind: str, held: dict[object, tuple[str, object]]
) -> Iterator[Fault]:
    view = object_at(document, "bufferViews", number)
    if not view:
        return
    target = view.get("target", TARGETS.get(kind))
    other, _ = held.setdefault(number, (kind, target))
    if kind != CORNER and "byteStride" in view:
        yield Fault(place, key, "is in a buffer view with a byteStride, which only vertices have")
    if target != TARGETS.get(kind):
        yield Fault(place, key, f"lies in a buffer view whose target is {target}, which is not for {kind}")
    elif other != kind:
        yield Fault(place, key, f"lies in a buffer view that holds {other}, too")


def _strides(document: Members, found: Sequence[Use]) -> Iterator[Fault]:
    """3.6.2.4."""
    corners: dict[object, set[object]] = {}
    for use in found:
        accessor = object_at(document, "accessors", use.number)
        number = accessor.get("bufferView")
        view = object_at(document, "bufferViews", number)
        if not view or use.kind != CORNER:
            continue
        laid = layout(accessor)
        if laid is None:
            continue
        (rows, columns), component = laid
        size = rows * columns * component
        if (whole(view.get("byteStride")) or size) % 4 or whole(accessor.get("byteOffset")) % 4:
            yield Fault(use.place, use.key, "has corners that do not begin at multiples of four bytes")
        others = corners.setdefault(number, set())
        others.add(use.number)
        if len(others) > 1 and "byteStride" not in view:
            yield Fault(
                use.place, use.key, "shares a buffer view without byteStride: views of several accessors say it"
            )
