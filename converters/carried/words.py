"""Blocks for a simulator that are carried, in which the words change that an edit of the document changed.

What a pass put into the document of such a block stands there and is edited there (moved, ir.patches). The block of the
format that has such blocks is made of what the document says once before the edit and once after it: what differs
between these two is changed in the author's block. It counts where the block then says just what the document says.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from msgspec.structs import replace

from converters.passes.cameras import moved, seen
from converters.registry import Format, Pass, Target, formats, marked
from converters.source.text import numbers
from converters.source.tree import Element, fragment, serialise
from ir.base import Value, slots
from ir.diff import differences
from ir.patches import above, at
from ir.plain import Plain, as_json, is_known, known, to_plain
from ir.restore import restore
from ir.scene import Scene
from ir.types import Camera

Place = tuple[str, ...]
MOST = 3
"""Fields of one thing that are tried together."""
Unpack = Callable[[Mapping[str, str]], Scene]
"""The scene of a document, with what is carried."""


def followed(
    native: Scene, folded: Scene, restored: Scene, stale: Iterable[str], unpack: Unpack, form: Format
) -> dict[str, str]:
    """What a scene carries, with blocks that follow edits of what was made of them; as it is where none can.

    folded, restored: as for converters.carried.edits.set_aside. form: the format of the document.
    """
    carried, told = dict(native.carried), {*stale}
    origin = marked(restored.notation)
    if not told or origin is None or not origin.fits.blocks:
        return carried
    gazebo = next((each for each in formats().values() if each.fits.gazebo), form)
    made = [[*addresses, *made_of] for addresses, made_of, _ in json.loads(carried.get("derived", "[]"))]
    for group in [*json.loads(carried.get("moved", "[]")), *made]:
        edited = [tuple(place) for place in group if ".".join(place) in told]
        blocks = [place[0] for place in group if _whole_block(place, carried)]
        if not edited or not blocks or not _alone(edited, group, told):
            continue
        into = gazebo if all(_dialect(key, carried) == "gazebo" for key in blocks) else form
        if all(at(folded, place) is not None for place in edited):
            carried = _follow(carried, blocks, edited, folded, origin, into, unpack) or carried
    return carried


def _whole_block(place: Sequence[str], carried: Mapping[str, str]) -> bool:
    if len(place) != 1 or not place[0].startswith("block/"):
        return False
    patch = json.loads(carried.get(place[0], "0"))
    return isinstance(patch, list) and isinstance(patch[0], dict) and len(patch[0].get("extras", ())) == 1


def _dialect(key: str, carried: Mapping[str, str]) -> str:
    return str(json.loads(carried[key])[0].get("dialect", ""))


def _alone(edited: Sequence[Place], group: Iterable[Sequence[str]], told: set[str]) -> bool:
    """Whether nothing else of a group was edited, nor anything around or inside of what was."""
    names = {".".join(place) for place in edited}
    others = told - names
    around = {where for place in group for where in above(".".join(place))}
    return others.isdisjoint(around) and names.isdisjoint(where for other in others for where in above(other))


def _follow(
    carried: Mapping[str, str],
    blocks: Sequence[str],
    edited: Sequence[Place],
    folded: Scene,
    origin: Format,
    into: Format,
    unpack: Unpack,
) -> dict[str, str] | None:
    """What is carried with blocks that say what the document says; None where they cannot."""
    kept, checks = _known_as(carried, {place: known(at(folded, place)) for place in edited})
    if len(checks) < len(edited):
        return None
    there, back = Target(fits=into.fits), Target(fits=origin.fits)
    before = _moved(unpack(kept), origin.passes(), there)
    patch: dict[str, Any] = {}
    words: list[Change] = []
    for place, check in checks.items():
        edit = _as_edited(place, before, folded, check)
        if edit is None:
            return None
        where, own, value = edit
        _put(patch, where, [to_plain(value), known(own)])
        words += _fields(own, value)
    after, wrong = restore(before, {key: as_json(each) for key, each in patch.items()})
    if wrong:
        return None
    changes = [*_changes(*(_blocks(_moved(scene, into.passes(), back)) for scene in (before, after)))] or words
    found = {key: json.loads(kept[key]) for key in blocks}
    texts = {key: fragment(each[0]["extras"][0]["text"]) for key, each in found.items()}
    if not changes or not all(_change(texts.values(), change) for change in changes):
        return None
    for key, each in found.items():
        each[0]["extras"][0]["text"] = serialise(texts[key])
    kept |= {key: as_json(each) for key, each in found.items()}
    said = _moved(unpack(kept), origin.passes(), there)
    return None if differences(after, said) else kept


def _moved(scene: Scene, passes: Iterable[Pass], target: Target) -> Scene:
    for each in passes:
        if each.moves and each.wanted(target):
            scene = each.apply(scene, target)
    return scene


def _known_as(carried: Mapping[str, str], values: Mapping[Place, Plain]) -> tuple[dict[str, str], dict[Place, Plain]]:
    """What is carried, where what it takes away at these places is known as it is now, and as what it was known."""
    kept, checks = dict(carried), {}
    for place, now in values.items():
        whole = json.loads(kept.get(place[0], "0"))
        patch = whole
        for name in place[1:]:
            patch = patch.get(name) if isinstance(patch, dict) else None
        if isinstance(patch, list) and len(patch) == 2:
            checks[place], patch[1] = patch[1], now
            kept[place[0]] = as_json(whole)
    derived = json.loads(kept.get("derived", "[]"))
    for addresses, _, known_as in derived:
        known_as[:] = [values.get(tuple(place), check) for place, check in zip(addresses, known_as, strict=True)]
    return (kept | {"derived": as_json(derived)} if derived else kept), checks


def _as_edited(place: Place, before: Scene, folded: Scene, check: Plain) -> tuple[Place, Any, Any] | None:
    """Where a scene says what was edited at a place of the document, what it says, and what it is to say."""
    own, now = at(before, place), at(folded, place)
    if own is None and isinstance(now, Camera):  # that of a sensor, where none of the target sees
        body = place[0].partition("/")[2]
        for sensor in before.tables["sensor"].values():
            camera = seen(sensor, sensor.camera, now.name) if sensor.camera and sensor.body == body else None
            value = _edited(camera, now, check) if camera else None
            if value is not None:
                return (f"sensor/{sensor.name}",), sensor, moved(sensor, sensor.camera, value)
    value = _edited(own, now, check) if own is not None else None
    return (place, own, value) if value is not None else None


def _edited(own: Any, now: Any, check: Plain) -> Any:
    """A value with those fields of what the document says now that were edited; what it said before is known by a
    checksum. None where no fields are these: a document may say less than the block, and in other terms."""
    if not isinstance(own, Value) or type(own) is not type(now):
        return now
    fields = [slot.name for slot in slots(type(own)) if getattr(own, slot.name) != getattr(now, slot.name)]
    for count in range(1, min(len(fields), MOST) + 1):
        for some in combinations(fields, count):
            if is_known(replace(now, **{name: getattr(own, name) for name in some}), check):
                return replace(own, **{name: getattr(now, name) for name in some})
    return None


def _put(patch: dict[str, Any], place: Place, value: Any) -> None:
    *steps, last = place
    for step in steps:
        patch = patch.setdefault(step, {})
    patch[last] = value


# --------------------------------------------------------------------------------------------------------------- blocks


def _blocks(scene: Scene) -> dict[str, Element]:
    """The blocks that are made of a scene, by what they are about."""
    return {
        block.target: fragment(block.extras[0].text)
        for block in scene.tables["block"].values()
        if block.dialect == "gazebo" and block.extras
    }


Change = tuple[tuple[str, ...], str | None, str | None]
"""Steps from a block down, the text there, and the one to come (None: there is no such element)."""


def _changes(before: Mapping[str, Element], after: Mapping[str, Element]) -> Iterator[Change]:
    for target in dict.fromkeys((*before, *after)):
        old, new = (dict(_leaves(each[target])) if target in each else {} for each in (before, after))
        for path in dict.fromkeys((*old, *new)):
            if old.get(path) != new.get(path):
                yield path, old.get(path), new.get(path)


def _fields(own: Any, now: Any) -> Iterator[Change]:
    """What differs between two payloads, where a field is called as the word that says it."""
    for slot in slots(type(own)) if isinstance(own, Value) else ():
        old, new = (_said(getattr(each, slot.name)) for each in (own, now))
        if old != new and old and new:
            yield (f"{slot.name}  1",), old, new


def _said(value: Any) -> str:
    values = value if isinstance(value, tuple) else (value,)
    plain = bool(values) and all(type(each) in (int, float) for each in values)
    return numbers(values) if plain else value if isinstance(value, str) else ""


def _leaves(block: Element) -> Iterator[tuple[tuple[str, ...], str]]:
    """Each attribute and text of an element, by its steps (_steps)."""
    stack: list[tuple[Element, tuple[str, ...]]] = [(block, ())]
    while stack:
        element, path = stack.pop()
        for name, value in element.attrs.items():
            yield (*path, f"@{name}"), value
        if element.own_text():
            yield path, element.own_text()
        stack += [(child, (*path, step)) for step, child in _steps(element)]


def _steps(element: Element) -> Iterator[tuple[str, Element]]:
    """The children by their tags, names, and turns among those of one tag and name."""
    turns: dict[str, int] = {}
    for child in element.elements():
        step = f"{child.tag} {child.attrs.get('name', '')}"
        turns[step] = turns.get(step, 0) + 1
        yield f"{step} {turns[step]}", child


def _change(blocks: Iterable[Element], change: Change) -> bool:
    """Change the word of the blocks that a change is about; False where none is found."""
    path, old, new = change
    *above_it, last = path if path and path[-1].startswith("@") else (*path, "")
    name = last.removeprefix("@")
    blocks = [*blocks]
    for block in blocks:
        way = _way(block, above_it)
        if old is None and new is not None and way:
            _add(way, above_it, name, new)
            return True
        if len(way) > len(above_it) and _put_word(way, name, old, new):
            return True
    if old is None:
        return False
    tag = _plain(above_it[-1].partition(" ")[0] if above_it else name)
    places = [(way, each) for block in blocks for way, each in _words(block) if _means(way[-1], each, old)]
    called = [(way, each) for way, each in places if tag in (_plain(way[-1].tag), _plain(each))]
    if new is None:  # what the block leaves to a default is not there to be taken away
        return not called or _put_word(*called[0], old, new)
    places = called or places
    return bool(places) and _put_word(*places[0], old, new)


def _way(block: Element, steps: Sequence[str]) -> list[Element]:
    """The elements from a block down, as far as there are some of these steps."""
    way = [block]
    for step in steps:
        tag, name, turn = step.split(" ")[0], step.partition(" ")[2].rpartition(" ")[0], int(step.rpartition(" ")[2])
        alike = [each for each in way[-1].elements() if each.tag == tag]
        named = [each for each in alike if each.attrs.get("name", "") == name]
        found = named[turn - 1 : turn] or (alike if len(alike) == 1 and "name" not in alike[0].attrs else [])
        if not found:
            break
        way.append(found[0])
    return way


def _add(way: list[Element], steps: Sequence[str], name: str, text: str) -> None:
    owner = way[-1]
    for step in steps[len(way) - 1 :]:
        tag, own = step.split(" ")[0], step.partition(" ")[2].rpartition(" ")[0]
        owner = owner.add(tag, {"name": own} if own else {})
    if name:
        owner.attrs[name] = text
    else:
        owner.content.append(text)


def _words(block: Element) -> Iterator[tuple[list[Element], str]]:
    """The way to each text ("") and attribute in a block."""
    stack = [[block]]
    while stack:
        way = stack.pop()
        yield from ((way, name) for name in ("", *way[-1].attrs))
        stack += [[*way, child] for child in reversed(way[-1].elements())]


def _put_word(way: Sequence[Element], name: str, old: str | None, new: str | None) -> bool:
    """Put a text or an attribute; numbers of it that are the same stay as they are written. None takes it away."""
    element = way[-1]
    if not name and not element.own_text():
        if "value" not in element.attrs:
            return False
        name = "value"
    if new is None:
        if name and name != "value":
            element.attrs.pop(name, None)
        elif len(way) > 1:
            way[-2].content.remove(element)
        return bool(name) or len(way) > 1
    if name and name not in element.attrs:
        return False
    said = element.attrs[name] if name else element.own_text()
    text = _mixed(said, old or "", new)
    if name:
        element.attrs[name] = text
    else:
        index = next(index for index, each in enumerate(element.content) if type(each) is str)
        element.content[index] = text
    return True


def _mixed(said: str, old: str, new: str) -> str:
    own, before, after = said.split(), old.split(), new.split()
    if not len(own) == len(before) == len(after):
        return new
    return " ".join(a if b == c else c for a, b, c in zip(own, before, after, strict=True))


def _means(element: Element, name: str, text: str) -> bool:
    said = element.attrs[name] if name else element.own_text()
    return bool(said) and _value(said) == _value(text)


def _value(text: str) -> object:
    words = [{"true": "1", "false": "0"}.get(word.lower(), word) for word in text.split()]
    try:
        return [float(word) for word in words]
    except ValueError:
        return words


def _plain(tag: str) -> str:
    return tag.replace("_", "").lower()
