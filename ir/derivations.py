"""What passes made of other things (Scene.origins): which of it was edited in a document, and which parts of the patch
that restores the originals do not count any more."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ir.addresses import Names, exists, self_and_enclosing, value_at
from ir.diff import Patch
from ir.patches import INERTIAL, PlaceGroup, brings
from ir.plain import Plain, fingerprint, has_fingerprint
from ir.scene import Address, Scene


class Derivation(NamedTuple):
    """Things that a pass made of others."""

    made: Sequence[Address]
    made_of: Sequence[Address]
    """The parts of the patch that restore what they were made of."""
    checks: Sequence[Plain]
    """The fingerprint of each thing that was made (ir.plain.fingerprint)."""

    def edited(self, scene: Scene) -> bool:
        """Whether any of the things in the scene is not as it was made."""
        pairs = zip(self.made, self.checks, strict=True)
        return not all(has_fingerprint(value_at(scene, each), check) for each, check in pairs)


def derived_places(
    origins: Mapping[Address, tuple[Address, ...]], written: Scene, carried: Mapping[str, str]
) -> list[Derivation]:
    """Things made of something else (Scene.origins) that are in the output."""
    patches: dict[str, Patch] = {}
    groups: dict[tuple[Address, ...], list[Address]] = {}
    names: Names = {}
    for address in origins:
        found = []
        ends = [*_ends(address, origins)]
        for first, *path in ends:
            if first in carried and first not in patches:
                patches[first] = json.loads(carried[first])
            if first in patches and brings(patches[first], path):
                found.append((first, *path))
        if (found or _of_silence(address, ends, origins)) and exists(written, address, names):
            groups.setdefault(tuple(found), []).append(address)
    for made_of, addresses in groups.items():
        if _weighs(addresses, made_of):
            addresses += sorted(_inertials(written).difference(addresses))
    return [
        Derivation(addresses, [*made_of], [fingerprint(value_at(written, address, names)) for address in addresses])
        for made_of, addresses in groups.items()
    ]


def _weighs(addresses: Sequence[Sequence[str]], made_of: Iterable[Sequence[str]]) -> bool:
    """Whether inertias follow from what a source says of all bodies: then that is also said of those without one."""
    return [*addresses[0][1:]] == [INERTIAL] and any(origin[0] == "scene" for origin in made_of)


def _inertials(scene: Scene) -> set[Address]:
    return {(f"body/{name}", INERTIAL) for name, body in scene.bodies.items() if body.inertial is not None}


def _of_silence(address: Address, ends: Iterable[Address], origins: Mapping[Address, tuple[Address, ...]]) -> bool:
    """Whether something was made of a default of the source: directly or, as a part of a thing, by way of others."""
    return not origins[address] or (len(address) > 1 and all(end in origins for end in ends if not origins.get(end)))


def groups_with_origins(
    origins: Mapping[Address, tuple[Address, ...]], groups: Sequence[PlaceGroup]
) -> list[PlaceGroup]:
    """Groups of places, each extended by what was made of things there, directly or indirectly, by what those were made
    of, and by what else was made of the same; groups with a common place are merged."""
    found = [list(group) for group in groups]
    at = {tuple(place): number for number, group in enumerate(groups) for place in group}
    grounds = {end: at[address] for address, ends in origins.items() if address in at for end in ends if end not in at}
    for end, number in grounds.items():
        found[number].append(end)
    at |= grounds
    for address in origins if at else ():
        for number in sorted({at[end] for end in _ends(address, origins) if end in at} - {at.get(address)}):
            found[number].append(address)
    ways: list[PlaceGroup] = [list(dict.fromkeys(map(tuple, group))) for group in found if group]
    if len(set().union(*ways)) == sum(map(len, ways)):
        return ways
    import networkx as nx  # imported here because most conversions do not need it

    graph: nx.Graph[Address] = nx.Graph()
    for way in ways:
        nx.add_path(graph, way)
    order = {place: number for number, place in enumerate(graph)}
    return [sorted(places, key=order.__getitem__) for places in nx.connected_components(graph)]


def _ends(address: Address, origins: Mapping[Address, tuple[Address, ...]]) -> Iterator[Address]:
    """Everything that something was made of, directly or indirectly."""
    waiting, seen = [address], {address}
    while waiting:
        for origin in origins.get(waiting.pop(), ()):
            if origin not in seen:
                seen.add(origin)
                waiting.append(origin)
                yield origin


def overtaken(
    scene: Scene, groups: Sequence[Derivation], stale: Collection[Address] = ()
) -> tuple[list[Address], list[Address]]:
    """(parts of the patch that are not valid any more, those of them that would restore something), since a derived
    thing was edited, deleted, or is kept because something else depends on it, or since its original does not come back
    (stale: the addresses). Other things made of the same originals stay as they are in the document."""
    gone = {
        origin: None
        for group in groups
        if any(_stands_on(address, stale) for address in group.made)
        or (_weighs(group.made, group.made_of) and _inertials(scene).difference(group.made))
        or any(where in stale for origin in group.made_of for where in self_and_enclosing(origin))
        or group.edited(scene)
        for origin in group.made_of
    }
    silent = {*denied(scene, groups)}
    kept = [
        each
        for made, made_of, _ in groups
        if not gone.keys().isdisjoint(made_of)
        or (not made_of and any(len(each) > 2 and each in silent for each in made))
        for each in made
    ]
    return [*gone, *kept], [*gone]


def _stands_on(address: Address, stale: Collection[Address]) -> bool:
    """Whether an address is stale; an inertia is stale if a geom is from which it was computed."""
    if address in stale:
        return True
    key, *inside = address
    return inside == [INERTIAL] and any(each[:2] == (key, "geoms") for each in stale)


def denied(scene: Scene, groups: Iterable[Derivation]) -> Iterator[Address]:
    """Things derived from defaults that were changed although their owner still exists: the default does not apply to
    the document."""
    for made, made_of, checks in groups:
        for address, check in zip(made, checks, strict=True) if not made_of else ():
            holder = address[:-2]  # for masks, the geom
            if not has_fingerprint(value_at(scene, address), check) and (not holder or exists(scene, holder)):
                yield address
