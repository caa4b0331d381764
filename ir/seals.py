"""Whether several things of a document still are what was written for one.

Properties that the parts of a fold (ir.folds) share are free: changing them in all parts changes the one. Properties
that they do not share are sealed by what was read back when the file was written (ir.plain.fingerprint): if they have
changed, or a part is gone, no fold is made, and the parts are used as they are.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any

from msgspec.structs import replace

from ir import compound
from ir.compound import CHAIN
from ir.gathering import gathered
from ir.plain import Plain, carried_fields, fingerprint, has_fingerprint, to_plain, without_mesh_offset
from ir.rays import REACH, lidar_of
from ir.scene import Address, Scene
from ir.types import WORLD, Asset, Block, Body, Frame, Geom, Joint, Mark, Mesh, Sensor, Shape, Slot

Folds = Mapping[str, Mapping[str, list[str]]]
"""body, joint, dof, frame: the name in the graph -> the name in the document. geom, asset: one in the graph -> the
parts as which it is written. material: its name -> geoms that show it. sensor/KIND: a sensor of that kind -> the
sensors at a frame of its own as which it is written. world: the world -> a body with the contents of the world. chain:
a body -> the links of the chain of joints as which its joint is written (ir.compound)."""
SENSOR = "sensor/"
INTERVAL = ("interval", "nsample")
"""Parameters of a sensor: seconds between measurements, and how many are kept; without the latter the former has no
effect."""
TOUCHING = ("body1", "geom1")
"""Parameters of a contact sensor: whose contacts it measures, of all colliding geoms of a body, or of one."""
OWN = ("role", "shape", "pose", "extras")
"""What every part of a geom has for itself, even at the default: an extra may or may not be about the visual."""


def seals(scene: Scene, folds: Folds) -> dict[str, Plain]:
    """KIND/WHOLE -> the fingerprint of what its parts do not share, of every fold that is more than a renaming."""
    wanted = [*_sealed(folds)]
    if not wanted:
        return {}
    parts = _FoldParts(scene, folds)
    found = ((key, parts.sealed(key, names)) for key, names in wanted)
    return {key: fingerprint(sealed) for key, sealed in found if sealed is not None}


def broken_folds(
    scene: Scene, folds: Folds, sealed: Mapping[str, Plain], shaped: Mapping[str, str]
) -> dict[str, Address]:
    """Folds that must not be made, as KIND/WHOLE -> the address of the whole: parts of them are missing, or differ from
    what was written.

    shaped: geoms of which a patch has the shape -> the key of their body there; it does not apply in another body. If a
    mesh was split, all geoms that show it are split as well. A whole of which nothing is left is not included.
    """
    if not sealed:
        return {}
    parts = _FoldParts(scene, folds)
    found: dict[str, Address] = {}
    for key, names in _sealed(folds):
        if key not in sealed or not parts.there(key, names):
            continue
        where = parts.address(key, names)
        home = shaped.get(key.removeprefix("geom/"), where[0]) if key.startswith("geom/") else where[0]
        said = parts.sealed(key, names)
        if said is None or not has_fingerprint(said, sealed[key]) or where[0] != home:
            found[key] = where
    users = _users(folds, parts)
    waiting = [*found]
    while waiting:
        kind, _, name = waiting.pop().partition("/")
        beside = {asset for asset, geoms in users.items() if name in geoms} if kind == "geom" else set()
        around = users.get(name, set()) if kind == "asset" else set()
        for key in [f"asset/{each}" for each in sorted(beside)] + [f"geom/{each}" for each in sorted(around)]:
            if key not in found:
                found[key] = parts.address(key, folds[key.partition("/")[0]][key.partition("/")[2]])
                waiting.append(key)
    return found


def _users(folds: Folds, parts: _FoldParts) -> dict[str, set[str]]:
    """Assets that were split, with the folded geoms that show them."""
    whole_of = {part: name for name, names in folds.get("asset", {}).items() if parts.split(names) for part in names}
    users: dict[str, set[str]] = {}
    for name, names in folds.get("geom", {}).items() if whole_of else ():
        for asset in {whole_of[each] for each in parts.assets(names) if each in whole_of}:
            users.setdefault(asset, set()).add(name)
    return users


def _sealed(folds: Folds) -> Iterator[tuple[str, list[str]]]:
    for kind, group in folds.items():
        if kind in ("geom", "asset", CHAIN) or kind.startswith(SENSOR):
            for whole, names in group.items():
                if len(names) > 1 or kind not in ("geom", "asset"):
                    yield f"{kind}/{whole}", names


def wholes(folds: Folds, kind: str) -> dict[str, str]:
    """The parts of one kind, each with its whole."""
    return {part: whole for whole, parts in folds.get(kind, {}).items() for part in parts}


class _FoldParts:
    """The parts of folds as they are in a scene."""

    def __init__(self, scene: Scene, folds: Folds) -> None:
        self.scene = scene
        homes = wholes(folds, "body")
        homes |= dict.fromkeys(folds.get(WORLD, {}).get(WORLD, ()), WORLD)
        self.geoms = {
            geom.name: (homes.get(body.name, body.name), geom) for body in scene.bodies.values() for geom in body.geoms
        }
        self.homes = scene.homes()
        self.placed = scene.frames()
        self.referred = compound.referred(scene) if folds.get(CHAIN) else set()
        blocks: Iterable[Block] = scene.tables["block"].values() if folds.get(CHAIN) else ()
        self.blocks = gathered((block.target, block) for block in blocks)

    def _table(self, key: str) -> Mapping[str, Any]:
        if key.startswith("geom/"):
            return self.geoms
        if key.startswith(CHAIN):
            return self.scene.bodies
        return self.scene.assets if key.startswith("asset/") else self.scene.tables["sensor"]

    def there(self, key: str, names: Iterable[str]) -> bool:
        table = self._table(key)
        return any(name in table for name in names)

    def complete(self, key: str, names: Iterable[str]) -> bool:
        table = self._table(key)
        if not all(name in table for name in names):
            return False
        if key.startswith(CHAIN):
            return self._chain(key, names) is not None
        if key.startswith("geom/"):
            return len({self.geoms[name][0] for name in names}) == 1
        if not key.startswith(SENSOR) or self._site(names) is not None:
            return True
        parts = [self.scene.tables["sensor"][name] for name in names]
        return contact_body(self.scene, self.homes, parts) is not None or lidar_of(self.placed, parts) is not None

    def address(self, key: str, names: Iterable[str]) -> Address:
        kind, _, whole = key.partition("/")
        if kind == "geom":
            body = next((self.geoms[name][0] for name in names if name in self.geoms), "")
            return f"body/{body}", "geoms", whole
        if kind == CHAIN:
            return (f"joint/{whole}",)
        return (f"sensor/{whole.partition('/')[2]}" if kind == "sensor" else key,)

    def split(self, names: Sequence[str]) -> bool:
        """Whether an asset is several files, and not one file that is named several times at different scales."""
        return len({self.scene.assets[name].uri if name in self.scene.assets else None for name in names}) > 1

    def assets(self, names: Iterable[str]) -> set[str]:
        """The assets that these geoms show."""
        shapes = [self.geoms[name][1].shape for name in names if name in self.geoms]
        return {shape.asset for shape in shapes if isinstance(shape, Mesh)}

    def _site(self, names: Iterable[str]) -> Frame | None:
        targets = {self.scene.tables["sensor"][name].target for name in names}
        return self.placed.get(targets.pop() or "", (None, None))[1] if len(targets) == 1 else None

    def _blocks(self, joints: Iterable[str]) -> list[str]:
        """Statements of simulator blocks about joints."""
        return [extra.text for joint in joints for block in self.blocks.get(joint, ()) for extra in block.extras]

    def _chain(self, key: str, names: Iterable[str]) -> list[Joint] | None:
        return compound.chain_joints(self.scene, key.partition("/")[2], names)

    def sealed(self, key: str, names: Sequence[str]) -> Plain:
        """The properties that the parts do not share; None if parts are missing."""
        if not self.complete(key, names):
            return None
        if key.startswith(CHAIN):
            joints = self._chain(key, names) or []
            kinds = [[dof.kind for dof in joint.dofs] for joint in joints]
            named = [*names, *(joint.name for joint in joints[:-1])]
            left: Any = [
                kinds,
                to_plain(compound.surplus(self.scene, joints)),
                sorted(self.referred.intersection(named)),
            ]
            if sum(map(len, kinds)) > 1 and (said := self._blocks(joint.name for joint in joints)):
                left.append(said)
        elif key.startswith("geom/"):
            left = self._unshared([self.geoms[name][1] for name in names])
        elif key.startswith("asset/"):
            left = [_own(self.scene.assets[name]) for name in names]
        else:
            parts = [self.scene.tables["sensor"][name] for name in names]
            free = ("noise", REACH, *TOUCHING, *(INTERVAL if _is_rate(parts) else ()))
            left = [_own(self._site(names)), *(_own(part, free) for part in parts)]
        return left

    def _unshared(self, geoms: Sequence[Geom]) -> dict[str, Any]:
        geoms = [replace(geom, pose=without_mesh_offset(geom.pose)) for geom in geoms]
        left: dict[str, Any] = {
            slot.name: [to_plain(value) for value in values]
            for slot, values in differing_fields(geoms)
            if not agree(geoms, slot.name, values, slot.default)
        }
        if "shape" in left and len({visible_shape(geom.shape) for geom in geoms}) == 1:
            left["shape"] = [isinstance(geom.shape, Mesh) and geom.shape.hull for geom in geoms]
        if "material" in left:
            looks = [self.scene.materials.get(name) for name in left["material"]]
            left["looks"] = [to_plain(look) for look in looks]
        return left


_SLOTS = tuple(slot for slot in carried_fields(Geom) if slot.mark is not Mark.NOTATION and slot.name != "name")
_VALUES = attrgetter(*(slot.name for slot in _SLOTS))


def differing_fields(geoms: Sequence[Geom]) -> Iterator[tuple[Slot, tuple[Any, ...]]]:
    """The fields in which the parts of a geom differ, with the value of each part."""
    first, *others = columns = [_VALUES(geom) for geom in geoms]
    if any(other != first for other in others):
        for slot, values in zip(_SLOTS, zip(*columns, strict=True), strict=True):
            if any(value != values[0] for value in values):
                yield slot, values


def agree(geoms: Sequence[Geom], name: str, values: Sequence[Any], default: Any) -> bool:
    """Whether the parts of a geom that differ in a field still agree: it is no property of each part, and all parts of
    some roles have the same value (a visual has no friction, and a collision no colour)."""
    if name in OWN:
        return False
    saying = [value for value in values if value != default]
    roles = {geom.role for geom, value in zip(geoms, values, strict=True) if value != default}
    return all(value == saying[0] for value in saying) and sum(geom.role in roles for geom in geoms) == len(saying)


def visible_shape(shape: Shape | None) -> Shape | None:
    """A shape as a visual, without how it collides."""
    return replace(shape, hull=False) if isinstance(shape, Mesh) else shape


def colliding(body: Body) -> tuple[str, ...]:
    """The colliding geoms of a body, in their order."""
    return tuple(geom.name for geom in body.geoms if geom.collides)


def contact_body(scene: Scene, homes: Mapping[str, str], parts: Sequence[Sensor]) -> tuple[str, tuple[str, ...]] | None:
    """The body, and its geoms, whose contacts these sensors measure together; None if they are not such sensors, or
    belong to several bodies. homes: the body of each geom."""
    said = [(name, text) for part in parts for name, text in part.parameters if name in TOUCHING]
    if len(said) != len(parts) or any(part.kind != "contact" for part in parts):
        return None
    if [name for name, _ in said] == ["body1"]:
        body = scene.bodies.get(said[0][1])
        return (body.name, colliding(body)) if body is not None else None
    found = {homes.get(text) if name == "geom1" else None for name, text in said}
    home = found.pop() if len(found) == 1 else None
    return (home, tuple(text for _, text in said)) if home is not None else None


def rate(part: Sensor) -> float | None:
    """The rate in Hz of a sensor with an interval; None: it measures at every step."""
    try:
        period, samples = (float((dict(part.parameters).get(name, "").split() or ["0"])[0]) for name in INTERVAL)
    except ValueError:
        return None
    found = 1 / period if period > 0.0 and samples > 0.0 else math.inf
    return float(f"{found:.15g}") if 0.0 < found < math.inf else None


def interval(rate: float | None) -> float | None:
    """The seconds between measurements; None for a rate of None, and if the interval is not finite."""
    period = 1 / rate if rate else math.inf
    return period if 0.0 < period < math.inf else None


def _is_rate(parts: Sequence[Sensor]) -> bool:
    """Whether the intervals of sensors only express the rate of the one sensor that they are parts of."""
    said = [[dict(part.parameters).get(name, "") for name in INTERVAL] for part in parts]
    return len({rate(part) for part in parts} - {None}) == 1 and all(
        interval.split()[1:] in ([], ["0"]) and samples == "1" for interval, samples in said
    )


def _own(entity: Sensor | Asset | Frame | None, free: Collection[str] = ()) -> dict[str, Any]:
    """The sealed properties of a part: all but its name, its target, free parameters, and the pose of a frame."""
    if isinstance(entity, Sensor):
        rest = tuple((name, text) for name, text in entity.parameters if name not in free)
        entity = replace(entity, parameters=rest, target=None)
    if isinstance(entity, Frame):
        entity = type(entity)(name="", extras=entity.extras)
    plain: dict[str, Any] = to_plain(replace(entity, name="", label=None)) if entity is not None else {}
    return plain
