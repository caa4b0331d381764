"""Carried blocks for a simulator, changed as the document was edited.

What a pass moved from such a block into the document is edited there (moved, ir.patches). The block of the original
format is made of the document before the edit and after it: the difference between these two is applied to the author's
block. The result is used if it means exactly what the document says.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import combinations, product
from typing import Any, NamedTuple

from msgspec.structs import replace

from converters.carried.block_words import WordChange, apply_change, changes, of_fields
from converters.carried.pieces import derivations, entry, piece
from converters.format import Format, Pass, Target
from converters.passes.names import in_texts
from converters.passes.sensors import body_camera, moved_camera
from converters.registry import formats, marked_format
from converters.source.tree import Element, fragment, serialise
from ir.addresses import self_and_enclosing, value_at
from ir.base import Value, slots
from ir.diff import differences
from ir.patches import patch_at
from ir.plain import Plain, as_json, fingerprint, has_fingerprint, to_plain
from ir.refs import Renames
from ir.restore import restore
from ir.scene import Address, Scene
from ir.types import REQUIRED, Block, Camera, Surface

MOST = 3
"""Largest number of fields of one thing that are tried together."""
Unpack = Callable[[Mapping[str, str]], Scene]
"""The scene of a document, with the carried data applied."""


def follow_block_edits(
    native: Scene, folded: Scene, restored: Scene, stale: Iterable[Address], unpack: Unpack, form: Format
) -> dict[str, str]:
    """The carried data of a scene, with blocks that follow edits; unchanged if none can.

    folded, restored: as for converters.carried.edits.set_aside. form: the format of the document.
    """
    carried, told = dict(native.carried), {*stale}
    origin = marked_format(restored.notation)
    if not told or origin is None or not origin.fits.blocks:
        return carried
    gazebo = next((each for each in formats().values() if each.fits.gazebo), form)
    made = [[*each.made, *each.made_of] for each in derivations(carried)]
    for group in [*piece(carried, "moved"), *made]:
        edited = [tuple(place) for place in group if tuple(place) in told]
        blocks = [place[0] for place in group if _whole_block(place, carried)]
        if not edited or not blocks or not _only_edit(edited, group, told):
            continue
        into = gazebo if all(_dialect(key, carried) == "gazebo" for key in blocks) else form
        trip = _Trip(origin, into, unpack)
        if all(value_at(folded, place) is not None for place in edited):
            ways = (_followed_edit(carried, blocks, edited, folded, trip, both) for both in (True, False))
            carried = next(filter(None, ways), carried)
    return carried


def _whole_block(place: Sequence[str], carried: Mapping[str, str]) -> bool:
    if len(place) != 1 or not place[0].startswith("block/"):
        return False
    patch = entry(carried, place[0])
    return isinstance(patch, list) and isinstance(patch[0], dict) and len(patch[0].get("extras", ())) == 1


def _dialect(key: str, carried: Mapping[str, str]) -> str:
    return str(entry(carried, key)[0].get("dialect", ""))


def _only_edit(edited: Sequence[Address], group: Iterable[Sequence[str]], told: set[Address]) -> bool:
    """Whether nothing else of a group was edited, nor anything around or inside of the edited place."""
    names = {*edited}
    others = told - names
    around = {where for place in group for where in self_and_enclosing(place)}
    return others.isdisjoint(around) and names.isdisjoint(
        where for other in others for where in self_and_enclosing(other)
    )


class _Trip(NamedTuple):
    """The conversion from the format of the blocks into that of the document, which is unpacked there, and back."""

    origin: Format
    into: Format
    unpack: Unpack

    def there(self, carried: Mapping[str, str]) -> Scene:
        """What is carried, as the document has it."""
        return _moved(self.unpack(carried), self.origin.passes(), Target(fits=self.into.fits))

    def back(self, scene: Scene) -> Scene:
        return _moved(scene, self.into.passes(), Target(fits=self.origin.fits))


def _followed_edit(
    carried: Mapping[str, str], blocks: Sequence[str], edited: Sequence[Address], folded: Scene, trip: _Trip, both: bool
) -> dict[str, str] | None:
    """The carried data with blocks that mean what the document says; None if that is not possible.

    both: a friction that the document has once applies along and across; else the author only gave the one along.
    """
    kept, checks = _known_as(carried, {place: fingerprint(value_at(folded, place)) for place in edited})
    if len(checks) < len(edited):
        return None
    before = trip.there(kept)
    patch: dict[str, Any] = {}
    named: list[WordChange] = []
    for place, check in checks.items():
        edit = _as_edited(place, before, folded, check, both)
        if edit is None:
            return None
        where, old, new = edit
        _put_into_patch(patch, where, [to_plain(new), fingerprint(old)])
        named += of_fields(old, new)
    after, wrong = restore(before, {key: as_json(each) for key, each in patch.items()})
    if wrong:
        return None
    made = [_blocks(trip.back(scene)) for scene in (before, after)]
    wanted = [*changes(*made)] or named
    own = {key: entry(kept, key) for key in blocks}
    texts = {key: fragment(each[0]["extras"][0]["text"]) for key, each in own.items()}
    if not wanted or not all(apply_change([*texts.values()], change) for change in wanted):
        return None
    for key, each in own.items():
        each[0]["extras"][0]["text"] = serialise(texts[key])
    kept |= {key: as_json(each) for key, each in own.items()}
    return None if differences(after, trip.there(kept)) else kept


def _moved(scene: Scene, passes: Iterable[Pass], target: Target) -> Scene:
    for each in passes:
        if each.moves and each.wanted(target):
            scene = each.apply(scene, target)
    return scene


def _blocks(scene: Scene) -> dict[str, Element]:
    """The blocks that are made of a scene, by their subjects."""
    return {
        block.target: fragment(block.extras[0].text)
        for block in scene.tables["block"].values()
        if block.dialect == "gazebo" and block.extras
    }


def _known_as(
    carried: Mapping[str, str], values: Mapping[Address, Plain]
) -> tuple[dict[str, str], dict[Address, Plain]]:
    """(the carried data with the present fingerprints of the values that it replaces or removes at these places; the
    old fingerprints)."""
    kept, checks = dict(carried), {}
    for place, now in values.items():
        whole = entry(kept, place[0])
        patch = patch_at(whole, place[1:])
        if isinstance(patch, list) and len(patch) == 2:
            checks[place], patch[1] = patch[1], now
            kept[place[0]] = as_json(whole)
    derived = [
        each._replace(checks=[values.get(*pair) for pair in zip(each.made, each.checks, strict=True)])
        for each in derivations(kept)
    ]
    return (kept | {"derived": as_json(derived)} if derived else kept), checks


def _as_edited(
    place: Address, before: Scene, folded: Scene, check: Plain, both: bool
) -> tuple[Address, Any, Any] | None:
    """The address at which a scene has what was edited at a place of the document, its value, and the wanted value."""
    own, now = value_at(before, place), value_at(folded, place)
    if isinstance(own, Block) and isinstance(now, Block):  # its text uses the joint names of the document
        there = _renamed_joints(before, folded)
        value = _with_edited_fields(in_texts(before, there)(own), now, check, both)
        back = {kind: {new: old for old, new in names.items()} for kind, names in there.items()}
        return (place, own, in_texts(folded, back)(value)) if value is not None else None
    if own is None and isinstance(now, Camera):  # camera of a sensor, where sensors of the target have none
        body = place[0].partition("/")[2]
        for sensor in before.tables["sensor"].values():
            camera = body_camera(sensor, sensor.camera, now.name) if sensor.camera and sensor.body == body else None
            value = _with_edited_fields(camera, now, check, both) if camera else None
            if value is not None:
                return (f"sensor/{sensor.name}",), sensor, moved_camera(sensor, sensor.camera, value)
    value = _with_edited_fields(own, now, check, both) if own is not None else None
    return (place, own, value) if value is not None else None


def _renamed_joints(before: Scene, folded: Scene) -> Renames:
    """Joints that have another name in a document."""
    held = ((joint.name, folded.joint_of(joint.child)) for joint in before.joints.values() if not joint.closes_loop)
    return {"joint": {name: joint.name for name, joint in held if joint is not None and joint.name != name}}


def _with_edited_fields(own: Any, now: Any, check: Plain, both: bool) -> Any:
    """A value with the edited fields of the document; their old values are known by a checksum. None if no fields
    match: a document may contain less than the block, and in other terms."""
    if not isinstance(own, Value) or type(own) is not type(now):
        return now
    fields = [slot for slot in slots(type(own)) if getattr(own, slot.name) != getattr(now, slot.name)]
    for count in range(1, min(len(fields), MOST) + 1):
        for some in combinations(fields, count):
            names = [slot.name for slot in some]
            for then in product(*({getattr(own, slot.name), slot.default} - {REQUIRED} for slot in some)):
                if has_fingerprint(replace(now, **dict(zip(names, then, strict=True))), check):
                    value = replace(own, **{name: getattr(now, name) for name in names})
                    return _with_both_frictions(value, now, names) if both else value
    return None


def _with_both_frictions(value: Any, now: Any, names: Collection[str]) -> Any:
    """A value in which an edited friction is that of both directions of the author, if the document has only one."""
    both = isinstance(value, Surface) and "mu" in names and now.mu2 is None and value.mu2 is not None
    return replace(value, mu2=value.mu) if both else value


def _put_into_patch(patch: dict[str, Any], place: Address, value: Any) -> None:
    *steps, last = place
    for step in steps:
        patch = patch.setdefault(step, {})
    patch[last] = value
