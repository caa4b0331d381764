"""Sensors of MuJoCo that are one device in a document: an edit of its rate applies to each of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from converters.carried.pieces import derivations, entry
from converters.source.text import number
from ir.addresses import value_at
from ir.derivations import Derivation
from ir.plain import as_json, fingerprint, from_plain, has_fingerprint, to_plain
from ir.scene import Address, Scene
from ir.seals import INTERVAL, interval, rate
from ir.types import Sensor


def follow_rate_edits(carried: Mapping[str, str], folded: Scene) -> dict[str, str]:
    """The carried data of a document, with the rate of the device in the document (folded) for all sensors that the
    device was made of, if nothing else of it was edited."""
    kept = dict(carried)
    derived = derivations(kept)
    for index, (made, made_of, checks) in enumerate(derived):
        device = value_at(folded, made[0]) if len(made) == len(made[0]) == 1 else None
        parts = _parts(made_of, kept) if isinstance(device, Sensor) and not has_fingerprint(device, checks[0]) else {}
        rates = {rate(part) for part in parts.values()}
        if (
            not isinstance(device, Sensor)
            or len(rates) != 1
            or not has_fingerprint(replace(device, rate=rates.pop()), checks[0])
        ):
            continue
        timed = {key: _timed(part, device.rate) for key, part in parts.items()}
        if all(rate(part) == device.rate for part in timed.values()):
            check = fingerprint(device)
            derived[index] = Derivation(made, made_of, [check])
            kept |= {key: as_json([to_plain(part)]) for key, part in timed.items()}
            kept |= {made[0][0]: as_json([None, check]), "derived": as_json(derived)}
    return kept


def _parts(made_of: Sequence[Address], carried: Mapping[str, str]) -> dict[str, Sensor]:
    """The sensors that come back as a whole, by their keys; none if anything else does."""
    found: dict[str, Sensor] = {}
    for key, *inside in made_of:
        patch = entry(carried, key)
        if inside or not key.startswith("sensor/") or not isinstance(patch, list) or not isinstance(patch[0], dict):
            return {}
        found[key] = from_plain(Sensor, patch[0])
    return found


def _timed(part: Sensor, wanted: float | None) -> Sensor:
    """The sensor with this rate in Hz (None: at every step); the phase of its interval stays."""
    said = dict(part.parameters)
    word, samples = INTERVAL
    period = interval(wanted)
    if period is None:
        said.pop(word, None)
    else:
        said[word] = " ".join([number(period), *said.get(word, "").split()[1:]])
        said.setdefault(samples, "1")
    return replace(part, parameters=tuple(said.items()))
