"""Folds: several things that a format needed to express one, turned into that one again; and names that it changed."""

from __future__ import annotations

import math
from collections.abc import Collection, Container, Iterable, Mapping, Sequence, Set
from typing import Any

from msgspec.structs import replace

from ir.compound import CHAIN, join_chains
from ir.gathering import gathered
from ir.names import may_come_of
from ir.plain import Plain, fingerprint, has_fingerprint, to_plain, without_mesh_offset
from ir.rays import RAY, lidar_of, site_of
from ir.refs import declared, rename, visited
from ir.scene import Scene
from ir.scenery import body_as_world
from ir.seals import SENSOR, Folds, agree, contact_body, differing_fields, rate, visible_shape, wholes
from ir.types import WORLD, Asset, Body, Frame, Geom, HeightField, Material, Mesh, Role, Sensor

RENAMED = ("body", "joint", "dof", "frame", "block")


def fold(scene: Scene, folds: Folds) -> Scene:
    """Turn what was written as several things into one again, and give materials their original names.

    Incomplete folds are left alone, and so become visible. An asset that was written as several files has none of them
    as its file; one that was named several times, at different scales, still has its file.
    """
    scene = join_chains(scene, folds[CHAIN]) if folds.get(CHAIN) else scene
    scene = _fold_sensors(fold_names(_fold_parts(scene, folds), folds), folds)
    for name in folds.get(WORLD, {}).get(WORLD, ()):
        scene = body_as_world(scene, name)
    return _fold_looks(scene, folds["material"]) if folds.get("material") else scene


def _fold_parts(scene: Scene, folds: Folds) -> Scene:
    geoms = wholes(folds, "geom")
    assets = wholes(folds, "asset")
    if not geoms and not assets:
        return scene
    shapes = (geom.shape for geom in scene.geoms() if geom.name in geoms)
    split = {shape.asset for shape in shapes if isinstance(shape, Mesh)}
    table = _fold_assets(scene.assets, folds, split)
    bodies = []
    for body in scene.bodies.values():
        own = _fold_geoms(body.geoms, geoms, folds.get("geom", {}), assets)
        bodies.append(replace(body, geoms=own) if own is not body.geoms else body)
    materials = [
        visited(item, lambda place, name: assets.get(name, name) if place.kind == "asset" else name)
        for item in scene.materials.values()
    ]
    there = {geom.name for body in bodies for geom in body.geoms}
    sensors = [_felt_whole(sensor, geoms, there) for sensor in scene.tables["sensor"].values()]
    return scene.evolve(bodies=bodies, tables={"asset": table, "material": materials, "sensor": sensors})


def _felt_whole(sensor: Sensor, whole_of: Mapping[str, str], there: Container[str]) -> Sensor:
    """The sensor with whole geoms in place of their parts."""
    found = (name if (whole := whole_of.get(name)) is None or whole not in there else whole for name in sensor.touching)
    return replace(sensor, touching=tuple(dict.fromkeys(found))) if sensor.touching else sensor


def _fold_assets(table: Mapping[str, Asset], folds: Folds, split: Set[str]) -> list[Asset]:
    """Merge assets of which all parts are present. split: assets that are parts of one mesh, which has another file."""
    groups, whole_of = folds.get("asset", {}), wholes(folds, "asset")
    there = {whole for whole, parts in groups.items() if all(part in table for part in parts)}
    folded: dict[str, Asset] = {}
    for name, asset in table.items():
        whole = whole_of.get(name)
        if whole is None or whole not in there:
            folded[name] = asset
        elif whole not in folded:
            parts = groups[whole]
            alike = split.isdisjoint(parts) and all(table[part].file == asset.file for part in parts)
            file, rule = (asset.file, asset.rule) if len(parts) == 1 or alike else (None, "")
            folded[whole] = replace(asset, name=whole, file=file, rule=rule)
    return [*folded.values()]


def fold_names(scene: Scene, folds: Folds) -> Scene:
    """Restore original names, except of things that were renamed since."""
    for kind in RENAMED:
        names = declared(scene).get(kind, set()) if folds.get(kind) else set()
        back = {part: whole for part, whole in wholes(folds, kind).items() if part in names and whole not in names}
        if back:
            scene = rename(scene, kind, back)
    return scene


def _fold_sensors(scene: Scene, folds: Folds) -> Scene:
    """Merge sensors at one frame (which is removed), or of the contacts of one body, into the sensor that they are
    parts of. A frame with a name of its own stays: an edit gave it that name."""
    groups = {kind: group for kind, group in folds.items() if kind.startswith(SENSOR)}
    if not groups:
        return scene
    table: dict[str, Sensor] = dict(scene.tables["sensor"])
    homes = scene.frames()
    owners = scene.homes()
    made: dict[str, Sensor] = {}
    sites: set[str] = set()
    gone: set[str] = set()
    for kind, group in groups.items():
        for whole, names in group.items():
            parts = [table[name] for name in names if name in table]
            if len(parts) < len(names) or (whole in table and whole not in names):
                continue
            found = _whole(scene, homes, owners, parts)
            if found is None:
                continue
            deviations = without_trailing_zeros(map(noise_deviation, parts[: 1 if found.scan is not None else None]))
            named = replace(found, name=whole, kind=kind.removeprefix(SENSOR))
            made[names[0]] = replace(named, rate=_shared_rate(parts), noise=deviations)
            gone |= {*names}
            about = {*map(site_of, parts)}
            marks = {name.rpartition(RAY)[0] for name in about} if found.scan is not None else about
            sites |= {*about, *marks} if all(may_come_of(name, whole) for name in marks) else set()
    if not made:
        return scene
    left = [made.get(name, sensor) for name, sensor in table.items() if name in made or name not in gone]
    bare = sites - {sensor.target for sensor in left}
    return scene.evolve(bodies=[_without(body, bare) for body in scene.bodies.values()], tables={"sensor": left})


def _whole(
    scene: Scene, frames: Mapping[str, tuple[Body, Frame]], owners: Mapping[str, str], parts: Sequence[Sensor]
) -> Sensor | None:
    """The common subject of sensors that are one: the contacts of a body, the rays of a lidar, or all measurements at
    one frame; None if they have none. frames, owners: frames of the scene with their bodies, and the bodies of its
    geoms."""
    touching = contact_body(scene, owners, parts)
    if touching is not None:
        return Sensor(name="", kind="", body=touching[0], touching=touching[1])
    scan = lidar_of(frames, parts)
    if scan is not None:
        return Sensor(name="", kind="", body=scan[0], pose=scan[1], scan=scan[2])
    sites = {part.target for part in parts}
    home = frames.get(sites.pop() or "") if len(sites) == 1 else None
    return Sensor(name="", kind="", body=home[0].name, pose=home[1].pose) if home is not None else None


def _without(body: Body, frames: Set[str]) -> Body:
    left = tuple(frame for frame in body.frames if frame.name not in frames)
    return body if len(left) == len(body.frames) else replace(body, frames=left)


def noise_deviation(part: Sensor) -> float:
    """The standard deviation in an attribute of a sensor; 0 if there is none, or it is invalid."""
    try:
        found = float(dict(part.parameters).get("noise", 0.0))
    except ValueError:
        return 0.0
    return found if 0 < found < math.inf else 0.0


def _shared_rate(parts: Sequence[Sensor]) -> float | None:
    rates = {rate(part) for part in parts}
    return rates.pop() if len(rates) == 1 else None


def without_trailing_zeros(deviations: Iterable[float]) -> tuple[float, ...]:
    """The numbers without trailing zeros (Sensor.noise)."""
    found = list(deviations)
    while found and not found[-1]:
        found.pop()
    return tuple(found)


def _fold_geoms(
    geoms: tuple[Geom, ...], whole_of: Mapping[str, str], groups: Mapping[str, list[str]], assets: Mapping[str, str]
) -> tuple[Geom, ...]:
    files = (Mesh, HeightField)
    if not any(
        geom.name in whole_of or (isinstance(geom.shape, files) and geom.shape.asset in assets) for geom in geoms
    ):
        return geoms
    present = {geom.name for geom in geoms}
    asked = {whole_of[name] for name in present if name in whole_of}
    there = {whole for whole in asked if present.issuperset(groups[whole])}
    result: dict[str, list[Geom]] = {}
    for geom in geoms:
        whole = whole_of.get(geom.name)
        name = whole if whole is not None and whole in there else geom.name
        shape = geom.shape
        if isinstance(shape, files) and shape.asset in assets:
            geom = replace(geom, shape=replace(shape, asset=assets[shape.asset]))
        result.setdefault(name, []).append(geom)
    return tuple(_one(parts, name) for name, parts in result.items())


def _one(parts: list[Geom], name: str) -> Geom:
    """The first part, with common properties of the others, and the extras of each.

    A mesh whose parts have looks of their own gets no look. Whether the convex hull of a mesh collides is taken from
    the colliding part. A visual and a collision become one geom if they have the same shapes in the same places.
    """
    first = parts[0]
    if len(parts) == 1:
        return first if first.name == name else replace(first, name=name)
    changes: dict[str, Any] = {"name": name}
    for slot, values in differing_fields(parts):
        if slot.name == "extras":
            changes[slot.name] = tuple({(each.format, each.path): each for value in values for each in value}.values())
        elif agree(parts, slot.name, values, slot.default):
            changes[slot.name] = next(value for value in values if value != slot.default)
        elif slot.name == "material":
            changes[slot.name] = None
    if isinstance(first.shape, Mesh):
        hull = any(isinstance(part.shape, Mesh) and part.shape.hull for part in parts)
        changes["shape"] = replace(first.shape, hull=hull)
    visual, solid = (_places(parts, role) for role in (Role.VISUAL, Role.COLLISION))
    if len(visual) + len(solid) == len(parts) and _alike(visual, solid):
        changes["role"] = Role.BOTH
    return replace(first, **changes)


def _places(parts: list[Geom], role: str) -> list[Plain]:
    return [
        to_plain((visible_shape(part.shape), replace(without_mesh_offset(part.pose), rpy=None)))
        for part in parts
        if part.role == role
    ]


def _alike(these: list[Plain], those: list[Plain]) -> bool:
    """Whether shapes are the same in the same places, apart from lost digits (ir.seals)."""
    return these == those or has_fingerprint(these, fingerprint(those)) or has_fingerprint(those, fingerprint(these))


def material_folds(
    scene: Scene, again: Scene, named: bool = True, painted: Container[str] = ()
) -> dict[str, list[str]]:
    """Materials of scene whose names are missing in again, or made up for others there -> the geoms that show them
    there.

    If a format has no names for materials (named is False), a reader makes some up, and materials are identified by the
    geoms that show them. painted: names of geoms to which passes gave other materials: if the geoms of a material look
    different in again, these are left out.
    """
    there = _shown(again)
    found = gathered(
        (geom.material, geom.name)
        for geom in scene.geoms()
        if geom.material is not None and geom.name in there and not (named and geom.name in painted)
    )
    for name, geoms in found.items() if painted else ():
        if common_look([again.materials[there[geom]] for geom in geoms]) is None:
            found[name] = [geom for geom in geoms if geom not in painted]
    return {
        name: geoms
        for name, geoms in found.items()
        if geoms
        if name not in again.materials
        or (
            (not named or (_made_up(name, scene) and _made_up(name, again)))
            and any(there[geom] != name for geom in geoms)
        )
    }


def renamed_materials(names: Collection[str], scene: Scene, again: Scene) -> list[str]:
    """Those material names that were changed here, or there, and differ from the author's."""
    there = _shown(again)
    lost = {name for name in names if not _made_up(name, scene)}
    for geom in scene.geoms() if len(lost) < len(names) else ():
        name, other = geom.material, there.get(geom.name)
        if name is None or name not in names or other is None or _made_up(other, again):
            continue
        if other != scene.materials[name].label:
            lost.add(name)
    return [name for name in names if name in lost]


def _made_up(name: str, scene: Scene) -> bool:
    return name in scene.materials and scene.materials[name].label is not None


def _shown(scene: Scene) -> dict[str, str]:
    """Geom -> its material; of two geoms of one name (a visual and a collision in SDFormat) the one with a material."""
    return {geom.name: geom.material for geom in scene.geoms() if geom.material}


def _named(geom: Geom, names: Mapping[str, str]) -> Geom:
    return geom if geom.material is None else replace(geom, material=names.get(geom.name, geom.material))


def common_look(materials: Sequence[Material]) -> Material | None:
    """The common value of all of these apart from their names; None if they differ, or there are none."""
    looks = [replace(material, name="", label=None) for material in materials]
    return looks[0] if looks and all(look == looks[0] for look in looks[1:]) else None


def _fold_looks(scene: Scene, groups: Mapping[str, list[str]]) -> Scene:
    """Give materials their original names; geoms of one name that look different are left alone, and so visible."""
    shown = _shown(scene)
    groups = {whole: [geom for geom in geoms if geom in shown] for whole, geoms in groups.items()}
    looks = {whole: common_look([scene.materials[shown[geom]] for geom in geoms]) for whole, geoms in groups.items()}
    made = {whole: replace(look, name=whole) for whole, look in looks.items() if look is not None}
    while True:
        named = {geom: whole for whole in made for geom in groups[whole]}
        left = {geom.material for geom in scene.geoms() if geom.name not in named}
        gone = {shown[geom] for geom in named} - left
        taken = made.keys() & (scene.materials.keys() - gone)  # names in use by materials that stay
        if not taken:
            break
        made = {whole: material for whole, material in made.items() if whole not in taken}
    if not named:
        return scene
    bodies = [replace(body, geoms=tuple(_named(geom, named) for geom in body.geoms)) for body in scene.bodies.values()]
    kept = [material for name, material in scene.materials.items() if name not in gone]
    return scene.evolve(bodies=bodies, tables={"material": [*kept, *made.values()]})
