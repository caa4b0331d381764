"""Carried actuators, changed as the transmissions and ros2_control joints that were made of them were edited.

The drive before the edit is made of the carried actuator; the differences from it are applied to the actuator, value by
value, including its name, and its command with the gains that it has for that. What an actuator has no field for (a
plugin, the name of a class) stays as it is in the document. Another joint is another drive, and nothing here follows
it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from converters.carried.pieces import derivations
from converters.passes.actuators import actuator_of, bounds_of, command_of, gear_of, kind_of, transmitted
from ir.addresses import value_at
from ir.derivations import Derivation
from ir.plain import as_json, fingerprint, has_fingerprint, to_plain
from ir.scene import Address, Scene
from ir.types import Actuator, Channel, Interface, Transmission

TABLES = ("transmission", "hardware")
GAINS = {"kp": ("position",), "kv": ("position", "velocity")}
"""Gain -> the kinds of actuators that have it."""


def follow_drive_edits(
    native: Scene, folded: Scene, restored: Scene, new: Collection[str]
) -> tuple[dict[str, str], dict[str, str], list[Address]]:
    """(the carried data of a scene, with actuators that follow edits, unchanged if none can; the new names of renamed
    actuators; the addresses of gains that are not used any more).

    folded, restored: as for converters.carried.edits.set_aside. new: keys of what an edit brought.
    """
    carried = dict(native.carried)
    derived = derivations(carried)
    removed = {key for key, text in carried.items() if key.partition("/")[0] in TABLES and text.startswith("[null")}
    edited = [number for number, group in enumerate(derived) if _is_drive(group, removed) and group.edited(folded)]
    names: dict[str, str] = {}
    lost: list[Address] = []
    if not edited:
        return carried, names, lost
    table: dict[str, Actuator] = dict(restored.tables["actuator"])
    apart = removed.union(new)
    before = _document_without_drives(folded, restored, apart, table)
    followed: dict[int, list[Address]] = {}
    for number in edited:
        group = derived[number]
        name = group.made_of[0][0].partition("/")[2]
        there = _places_now(group, before, folded, {*new} - removed)
        drive = _retuned(table[name], group, there, before, folded, restored) if name in table else None
        if drive is None or (drive.name != name and drive.name in table):
            continue
        carried[f"actuator/{name}"] = as_json([to_plain(replace(drive, name=name))])
        lost += [
            (f"actuator/{name}", gain) for gain in GAINS if _has_gain(table[name], gain) and not _has_gain(drive, gain)
        ]
        names |= {name: drive.name} if drive.name != name else {}
        table = {own: drive if own == name else each for own, each in table.items()}
        followed[number] = there
    if followed:
        places = {address[0] for number in followed for address in derived[number].made}
        _set_aside_made_drives(carried, folded, _document_without_drives(folded, restored, apart, table), places)
        for number, there in followed.items():
            made = [address for address in there if address and address[0] in carried]
            checks = [fingerprint(value_at(folded, address)) for address in made]
            derived[number] = Derivation(made, derived[number].made_of, checks)
        carried["derived"] = as_json([group for group in derived if group.made])
    return carried, names, lost


def _set_aside_made_drives(carried: dict[str, str], folded: Scene, after: Scene, places: Iterable[str]) -> None:
    """Update the carried data after the actuators have changed: what was made of them (places) is removed on the way
    back if the document contains no more than what the changed actuators make (after), and is kept otherwise."""
    for place in places:
        now, said = value_at(folded, (place,)), value_at(after, (place,))
        if said is not None and has_fingerprint(now, fingerprint(said)):
            carried[place] = as_json([None, fingerprint(now)])
        else:  # removed, or it declares more than the actuators do
            del carried[place]


def _has_gain(actuator: Actuator, gain: str) -> bool:
    return getattr(actuator, gain) is not None


def _is_drive(group: Derivation, removed: Collection[str]) -> bool:
    """Whether it represents one actuator, and is removed on the way back."""
    made, made_of, _ = group
    own = len(made_of) == 1 and len(made_of[0]) == 1 and made_of[0][0].startswith("actuator/")
    return own and all(address[0] in removed and address[2:3] == address[2:] for address in made)


def _document_without_drives(
    folded: Scene, restored: Scene, apart: Collection[str], actuators: Mapping[str, Actuator]
) -> Scene:
    """The document with what these actuators make, and without the entities in apart."""
    tables: dict[str, Any] = {
        kind: [item for name, item in restored.tables[kind].items() if f"{kind}/{name}" not in apart] for kind in TABLES
    }
    return transmitted(folded.evolve(tables=tables | {"actuator": actuators.values()}))


def _places_now(group: Derivation, before: Scene, folded: Scene, new: Collection[str]) -> list[Address]:
    """The present address of each thing that was made, which may be renamed; () if it is gone."""
    return [
        address if value_at(folded, address) is not None else _address_now(address, before, folded, new)
        for address in group.made
    ]


def _address_now(address: Address, before: Scene, folded: Scene, new: Collection[str]) -> Address:
    kind, then = address[0].partition("/")[0], value_at(before, address)
    for name in folded.tables[kind]:
        place = (f"{kind}/{name}", *address[1:])
        now = value_at(folded, place) if place[0] in new else None
        if now is not None and (
            not isinstance(then, Transmission) or _identity_of_drive(now) == _identity_of_drive(then)
        ):
            return place
    return ()


def _retuned(
    actuator: Actuator, group: Derivation, there: Sequence[Address], before: Scene, folded: Scene, restored: Scene
) -> Actuator | None:
    """The actuator with the values of the document; None if it is another one, or none."""
    gear, name = actuator.gear[0], actuator.name
    commands: tuple[Interface, Interface] | None = None
    kinds: set[str] = set()
    for address, place, check in zip(group.made, there, group.checks, strict=True):
        then, now = value_at(before, address), value_at(folded, place) if place else None
        if now is None and isinstance(then, Channel) and any(there):
            continue
        if then is None or now is None or not has_fingerprint(then, check):
            return None
        if isinstance(now, Transmission):
            if (
                not isinstance(then, Transmission)
                or _joints_driven(now) != _joints_driven(then)
                or len(now.actuators) != 1
            ):
                return None
            gear = gear_of(now) if gear_of(now) != gear_of(then) else gear
            name = now.actuators[0].name
            kinds |= {_kind(now)} - {_kind(then)}
        elif isinstance(now, Channel) and isinstance(then, Channel) and now.commands:
            commands = (command_of(then.commands), command_of(now.commands))
            kinds |= {kind_of([each.name for each in now.commands])} - {actuator.kind}
        else:
            return None
    if len(kinds) > 1 or not name:
        return None
    tuned: Actuator | None = replace(actuator, name=name)
    if kinds:
        tuned = _commanded(replace(actuator, name=name), kinds.pop(), gear, commands, restored)
    elif commands is not None:
        tuned = _within_limits_now(replace(actuator, name=name), gear, *commands)
    return replace(tuned, gear=(gear, *actuator.gear[1:])) if tuned is not None else None


def _commanded(
    actuator: Actuator, kind: str, gear: float, commands: tuple[Interface, Interface] | None, restored: Scene
) -> Actuator | None:
    """The actuator with another command: with the gains that it has for it, within the present bounds of the command.
    None if an engine has parameters of its own for it, which may not fit another command."""
    found = restored.dofs().get(actuator.dof or "")
    if found is None or actuator.parameters or actuator.extras:
        return None
    said = [command for command in (commands or ())[1:] if kind_of([command.name]) == kind]
    fresh = actuator_of(actuator.name, found[1], kind, gear, bounds_of(said) if said else None)
    gains = {gain: getattr(actuator, gain) if kind in known_to else None for gain, known_to in GAINS.items()}
    return replace(actuator, kind=kind, control_range=fresh.control_range, **gains)


def _within_limits_now(actuator: Actuator, gear: float, then: Interface, now: Interface) -> Actuator | None:
    """The actuator, commanded on its own side of the gear, within the present bounds of the command of the joint."""
    before, after = ((each.minimum, each.maximum) for each in (then, now))
    own, same = actuator.control_range, gear == actuator.gear[0]
    if before == after and (same or own is None):
        return actuator
    if after == (None, None):
        return replace(actuator, control_range=None) if before != after else actuator
    low, high = after
    if low is None or high is None or not low < high:
        return None
    order = (0, 1) if gear > 0.0 else (1, 0)
    ends = [end / gear if actuator.kind == "motor" else end * gear for end in (low, high)]
    kept = [own is not None and same and before[index] == after[index] for index in order]
    found = [own[place] if own and kept[place] else ends[index] for place, index in enumerate(order)]
    return replace(actuator, control_range=(found[0], found[1]))


def _identity_of_drive(transmission: Transmission) -> tuple[object, ...]:
    """The identity of a drive: what it drives, its name, and its command."""
    return _joints_driven(transmission), [end.name for end in transmission.actuators], _kind(transmission)


def _joints_driven(transmission: Transmission) -> list[str]:
    return [end.name for end in transmission.joints]


def _kind(transmission: Transmission) -> str:
    ends = (*transmission.joints, *transmission.actuators)
    return kind_of([word for end in ends for word in end.interfaces])
