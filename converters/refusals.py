"""The place in a source of what an output cannot hold: its own reader tells the place in the output, and the reason."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from converters.audit.readback import read_back
from converters.context import Counted, InputError, Output, ReaderContext, WriterContext
from converters.faults import Faults
from converters.format import Format
from ir.refs import KINDS, entities
from ir.scene import Scene
from ir.types import Body, Entity, Source

FAR = 15.0
"""Powers of ten from 1 that no quantity of a robot reaches: such a number is at fault if one made of it is refused."""
NEAR = 1e-9
"""Powers of ten by which two numbers may differ to be taken for the same."""

Far = tuple[float, Source]
"""The power of ten of a number, and its place."""


def refusal(
    error: InputError, output: Output, fitted: Scene, to: Format, context: WriterContext, sources: Iterable[Counted]
) -> InputError:
    """The error for a refused output, at the place at fault in the sources (documents): an output that its own reader
    refuses is not written, so a place in it would not help.

    That is the number furthest from 1 if such a number is refused, else the origin of the thing. fitted is the scene as
    it was written.
    """
    reading, again = _gathered(output, to, context, fitted)
    place = next((each.source for each in reading.faults.found), None) or error.source
    made = _origin_in_source(place, again, fitted, output) if place is not None and again is not None else None
    own = [power for power, _ in _far(reading.documents, place)] if place is not None else []
    message = f"{to.title} cannot hold this model; reading back what would be written fails: {error.message}"
    blamed = _blamed(max(own, key=abs), sources, made) if own else None
    return InputError(message, blamed or made or Source(context.file, 1, "/"))


def overflow_refusal(error: ValueError, to: Format, context: WriterContext, sources: Iterable[Counted]) -> InputError:
    """The error for what cannot be written since it exceeds the range of a file, at the number from which it comes."""
    message = f"{to.title} cannot hold this model: {error}: it is made of numbers that are too large"
    return InputError(message, _blamed(FAR, sources, None) or Source(context.file, 1, "/"))


def _gathered(output: Output, to: Format, context: WriterContext, fitted: Scene) -> tuple[ReaderContext, Scene | None]:
    """The output read as far as possible, and the context with its faults."""
    faults = Faults(gathered=True)
    reading, read = read_back(output, to, context, fitted, faults)
    try:
        return reading, read()
    except InputError as error:
        faults.refuse(error)
        return reading, None


def _origin_in_source(place: Source, again: Scene, fitted: Scene, output: Output) -> Source | None:
    """The place in the source of the thing at a place of the output."""
    things: dict[int, tuple[str, str]] = {}
    for kind, each in _things(again):
        if each.source is not None:  # the free joint of a link has the source of the link, which comes first
            things.setdefault(id(_node(each.source)), (kind, each.name))
    wholes = {(kind, part): whole for kind, group in output.folds.items() for whole in group for part in group[whole]}
    known = {(kind, each.name): each.source for kind, each in _things(fitted)}
    node = _node(place)
    while node is not None:
        kind, name = things.get(id(node), ("", ""))
        found = known.get((kind, wholes.get((kind, name), name)))
        if found is not None:
            return found
        node = getattr(node, "parent", None)
    return None


def _node(place: Source) -> object:
    """The element of a place, which may be an attribute or a text of it."""
    return getattr(place.at, "node", place.at)


def _things(scene: Scene) -> Iterator[tuple[str, Entity]]:
    """All entities of a scene, including the parts of bodies."""
    for kind, entity in entities(scene):
        yield kind, entity
        if isinstance(entity, Body):
            for inner in (*entity.geoms, *entity.frames, *entity.cameras, *entity.lights):
                yield KINDS[type(inner)], inner


def _far(documents: Iterable[Counted], within: Source | None = None) -> Iterator[Far]:
    """The numbers of documents, or of a place in them, that are far from 1."""
    for document in documents:
        for place, values in document.numbers():
            powers = [math.log10(abs(value)) for value in values if value]
            power = max(powers, key=abs, default=0.0)
            if abs(power) >= FAR and (within is None or _inside(place, within)):
                yield power, place


def _inside(place: Source, other: Source) -> bool:
    return place.file == other.file and f"{place.path}/".startswith(f"{other.path.rstrip('/')}/")


def _blamed(power: float, sources: Iterable[Counted], made: Source | None) -> Source | None:
    """The number furthest on the same side of 1 at the place at fault, else that very number, else of all."""
    far = [each for each in _far(sources) if (each[0] > 0) == (power > 0)]
    inside = [each for each in far if made is not None and _inside(each[1], made)]
    same = [each for each in far if abs(each[0] - power) < NEAR]
    return max(inside or same or far, key=lambda each: abs(each[0]), default=(0.0, None))[1]
