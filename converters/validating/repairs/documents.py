"""Duplicate, misplaced or missing content: leftovers, versions, addresses, materials."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from converters.sdf.tables import SPELLING as SDF_SPELLING
from converters.source.spelling import without_notes
from converters.source.text import plain_numbers
from converters.urdf.tables import GLOBALS, SPELLING, VERSION
from converters.validating.geometry import unsaid_materials
from converters.validating.leftovers import rule_of_extra
from converters.validating.meshes import CASELESS, guessed
from converters.validating.repairs.job import RepairJob
from ir.mapping import map_bodies, map_joints, map_table
from ir.scene import Scene
from ir.types import Asset, Body, Material

GREY = (0.5, 0.5, 0.5, 1.0)
SURPLUS = (
    *("XML-DUP", "GEOM-COUNT", "JOINT-AXIS-USELESS", "LIMIT-FIXED", "MIMIC-USELESS"),
    *("MAT-COLLISION", "MAT-DUP", "MAT-NONAME", "MAT-RGBA", "MAT-TEXTURE"),
)


def without_surplus(scene: Scene, job: RepairJob) -> Scene:
    """Remove duplicate content, and content without a meaning in its place."""
    return without_extras(scene, SURPLUS)


def without_extras(scene: Scene, rules: tuple[str, ...]) -> Scene:
    """Return the scene without the leftovers that break these rules."""

    def cleaned(owner: Any) -> Any:
        kept = tuple(extra for extra in owner.extras if rule_of_extra("", owner, extra) not in rules)
        return owner if len(kept) == len(owner.extras) else replace(owner, extras=kept)

    def body(old: Body) -> Body:
        inertial = cleaned(old.inertial) if old.inertial is not None else None
        geoms = tuple(cleaned(geom) for geom in old.geoms)
        new: Body = cleaned(old)
        if inertial is old.inertial and all(a is b for a, b in zip(geoms, old.geoms, strict=True)):
            return new
        return replace(new, inertial=inertial, geoms=geoms)

    kept = tuple(extra for extra in scene.extras if rule_of_extra("scene", scene, extra) not in rules)
    scene = map_joints(map_bodies(scene, body), cleaned)
    scene = map_table(scene, "material", cleaned)
    return scene if len(kept) == len(scene.extras) else scene.evolve(extras=kept)


def version(scene: Scene, job: RepairJob) -> Scene:
    """Remove an invalid version."""
    return scene.evolve(notation={**scene.notation, VERSION: ""})


def unit_axes(scene: Scene, job: RepairJob) -> Scene:
    """Discard the original spelling of axes, so that the normalised axes of the graph are written."""
    notation = dict(scene.notation)
    if SPELLING in notation:
        said = json.loads(notation.pop(SPELLING))
        rest = {key: text for key, text in said.items() if plain_numbers(text) is None}
        notation |= {SPELLING: json.dumps(rest, ensure_ascii=False)} if rest else {}
    if SDF_SPELLING in notation:
        axes = {("axis", "xyz"), ("axis2", "xyz")}
        notation[SDF_SPELLING] = without_notes(notation[SDF_SPELLING], lambda note: note.path[-2:] in axes)
    return scene.evolve(notation=notation)


def addresses(scene: Scene, job: RepairJob) -> Scene:
    """Copy files that were found by guessing beside the output, and reference them by path."""

    def sure(asset: Asset) -> Asset:
        found = asset.file and (guessed(asset.rule) or asset.rule.endswith(CASELESS))
        return replace(asset, uri=Path(asset.file).name, rule="relative") if asset.file and found else asset

    return map_table(scene, "asset", sure)


def materials(scene: Scene, job: RepairJob) -> Scene:
    """Give undefined materials a colour, and give materials with the same name the unique names of the graph."""
    labels = [material.name if material.label is None else material.label for material in scene.materials.values()]
    changed: dict[str, Material] = {}
    undefined = []
    for material in unsaid_materials(scene):
        said = tuple(extra for extra in material.extras if not extra.path.startswith(("color[", "texture[")))
        changed[material.name] = replace(material, rgba=GREY, extras=said)
    for material in scene.materials.values():
        if material.name in changed:
            continue
        if material.label and labels.count(material.label) > 1:
            changed[material.name] = replace(material, label=None)
        elif material.rgba is None and material.texture is None and material.source and _is_used(scene, material.name):
            changed[material.name] = replace(material, rgba=GREY)
            undefined.append(material.name)
    if not changed:
        return scene
    notation = dict(scene.notation)
    if GLOBALS in notation:
        notation[GLOBALS] = json.dumps([*json.loads(notation[GLOBALS]), *undefined], ensure_ascii=False)
    materials = [changed.get(name, old) for name, old in scene.materials.items()]
    return scene.evolve(tables={"material": materials}, notation=notation)


def _is_used(scene: Scene, material: str) -> bool:
    return any(geom.material == material and not geom.inline for geom in scene.geoms())
