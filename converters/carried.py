"""Carried data: what an output cannot hold is found by reading it back, and put where other programs do not look.

It is applied when the output is read again."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from converters.context import Context, InputError, Output
from converters.registry import Format, Step, marked
from ir.diff import Difference
from ir.plain import as_json, to_plain
from ir.scene import Address, Scene
from ir.types import WORLD, Asset, Entity, Material, Source

if TYPE_CHECKING:
    from ir.folds import Folds

Origins = Mapping[Address, tuple[Address, ...]]


# ------------------------------------------------------------------------------------------------------------- writing


class Audited(NamedTuple):
    """An output with what it carries. native: what any tool misses in it; lasting: what is missing for good (None: not
    audited); unmade: what any tool misses of a scene that was made to fit."""

    output: Output
    native: list[Difference]
    lasting: list[Difference] | None
    unmade: list[Difference]


def audited(
    scene: Scene, fitted: Scene, steps: Sequence[Step], output: Output, to: Format, context: Context
) -> Audited:
    """Read the output back, put what it lacks into it, and read it again as anybody will find it.

    fitted is the scene as it was written, and steps led to it.
    """
    from ir.brought import written
    from ir.diff import differences
    from ir.folds import fold

    names = to.fits.material_names
    again = _again(output, to, context, scene)
    whole = fold(again, output.folds)
    native, patch, folded = compared(scene, again, whole, output.folds, names)
    native += [each for name in output.folds.get(WORLD, {}).get(WORLD, ()) for each in _holding(again, name)]
    moving = any(step.moved or step.cause.silent for step in steps)
    unmade = compared(fitted, again, whole, output.folds, names, patching=False)[0] if moving else []
    if patch and marked(scene.notation) not in (None, to):
        patch["written"] = as_json(written(folded, scene.brought))
    patch |= _pairs(patch, folded, {**fitted.origins, **output.origins}, steps)
    if places := _places(scene, whole, output):
        patch["places"] = as_json(places)
    if to.carry is not None and (stamps := _stamps(scene, again, output)):
        patch["stamps"] = as_json(stamps)
    if to.fits.mark_fades and to.fits.mark in scene.notation and any(not key.startswith("asset/") for key in patch):
        patch["scene"] = as_json({**json.loads(patch.get("scene", "{}")), "notation": [scene.notation]})
    if patch and to.carry is not None and context.options.carry:
        output = to.carry(output, patch)
    if not context.options.audit:
        return Audited(output, native, None, unmade)
    bare = to.carry is not None and not context.options.carry
    if not patch or bare:  # what was read back is what will be found
        return Audited(output, native, native, unmade)
    same = to.carry is None and not output.folds  # the bytes that were read above
    _, restored, _ = unpacked(again if same else _again(output, to, context, scene))
    return Audited(output, native, differences(scene, restored), unmade)


def _pairs(patch: Mapping[str, str], folded: Scene, origins: Origins, steps: Sequence[Step]) -> dict[str, str]:
    """Which places of a patch count together with which others, and with what in the document (converters.edited).

    folded is the document as whoever reads it will have it, with its folds made; origins what was made of what.
    """
    from ir.patches import beside, derived, made, together

    moved = [group for step in steps for group in step.moved]
    whole = [group for step in steps for group in step.whole]
    groups = {"moved": made(origins, moved), "together": [*whole, *together(patch)]}
    found: dict[str, Sequence[object]] = {
        key: [known for group in each if (known := [place for place in group if place[0] in patch])]
        for key, each in groups.items()
    }
    found |= {"derived": derived(origins, folded, patch), "beside": beside(patch, folded)}
    return {key: as_json(value) for key, value in found.items() if value}


def compared(
    scene: Scene, again: Scene, whole: Scene, folds: Folds, named: bool = True, patching: bool = True
) -> tuple[list[Difference], dict[str, str], Scene]:
    """What any tool misses in an output, the patch that makes what is read there into the scene, and what it is made
    of: what was read, with all its folds made.

    again is the output as it is read, whole the same with its folds made: folds is what its writer had to spell as
    several things. named: its format has names for materials. patching: whether the patch is asked for.
    """
    from converters.chained import chained
    from ir.compound import CHAIN
    from ir.diff import compare, differences
    from ir.folds import fold, looks, unnamed
    from ir.grounds import loose
    from ir.seals import seals

    nameless = looks(scene, whole, named)
    folded = fold(whole, {"material": nameless})
    native, patch = compare(scene, folded) if patching else (differences(scene, folded), {})
    if folds.get(CHAIN):  # others see the chain, and in it what its joints lack
        inside = [each for each in native if each.field.startswith("joint.dofs.")]
        others = fold(again, {kind: group for kind, group in folds.items() if kind != CHAIN})
        native = differences(scene, fold(others, {"material": nameless}))
        seen = {each.path for each in native}
        native += [each for each in inside if each.path not in seen]
        native = [*chained(native, differences(scene, folded), scene, again, folds[CHAIN])]
    native = [each for each in native if not _same_file(each, scene)]
    native += [_nameless(scene.materials[name]) for name in nameless if not unnamed(name, scene, whole)]
    if patching:
        made = dict(folds) | ({"material": nameless} if nameless else {})
        found = {"folds": made, "seals": seals(again, folds), "loose": loose(scene, native)}
        patch |= {key: as_json(value) for key, value in found.items() if value}
    return native, patch, folded


def _nameless(material: Material) -> Difference:
    """The difference that tells of a material whose name other programs do not see."""
    return Difference(
        ("material", material.name, "name"), "material.name", "absent", material.name, None, material.source
    )


def _same_file(difference: Difference, scene: Scene) -> bool:
    """Whether all that differs is by which of two names of one file a mesh or an image goes: others know files, and no
    names."""
    if difference.field not in ("body.geoms.shape.asset", "material.texture"):
        return False
    assets = [scene.assets.get(str(name)) for name in (difference.before, difference.after)]
    plain = [to_plain(replace(asset, name="", label=None)) for asset in assets if asset is not None]
    return len(plain) == 2 and plain[0] == plain[1]


def _holding(again: Scene, name: str) -> list[Difference]:
    """That other programs see a body which holds what stands in the world itself."""
    body, joint = again.body(name), again.joint_of(name)
    held: list[tuple[str, str, Entity]] = [("body", name, body)]
    held += [("joint", joint.name, joint)] if joint is not None else []
    return [Difference((kind, named), kind, "extra", None, entity, None) for kind, named, entity in held]


def _places(scene: Scene, again: Scene, output: Output) -> dict[str, str]:
    """Where the files of assets lie that the document does not name, or names another in their stead; of an image
    inside another file, the file that was made of it."""
    from converters.assets import inside
    from converters.assets.beside import PICTURES

    beside = {str(file) if isinstance(file, Path) else file: place for place, file in reversed([*output.files.items()])}
    found: dict[str, str] = {}
    for asset in scene.assets.values():
        place = beside.get(os.path.abspath(asset.file)) if asset.file else None  # noqa: PTH100
        if place is None and asset.file and asset.kind in PICTURES and inside.part_of(asset):
            with suppress(InputError):  # who wanted to write it has told
                place = beside.get(inside.image_file(asset)[0])
        written = again.assets.get(asset.name)
        if place is not None and (written is None or not written.uri.endswith(place)):
            found[asset.name] = place
    return found


def _stamps(scene: Scene, again: Scene, output: Output) -> dict[str, str]:
    """Stamps of the files that whoever reads the output looks for by their addresses: no file of it stands for them."""
    from converters.assets.stamps import stamps

    split = {name for name, parts in output.folds.get("asset", {}).items() if len(parts) > 1}
    assets = scene.assets.values()
    return stamps(asset for asset in assets if asset.name in split or asset.name not in again.assets)


def _again(output: Output, to: Format, context: Context, scene: Scene) -> Scene:
    """The output of a scene as this program reads it, without looking for its assets."""
    assert to.read is not None
    assert context.target is not None
    again = Context(
        file=str(context.target),
        folder=context.target.parent,
        find_model=context.find_model,
        beside=output.files,
        written=True,
        bare=not context.options.audit,
        again=to.fits.mark not in scene.notation,
    )
    return to.read(output.document, again)


# ------------------------------------------------------------------------------------------------------------- reading


ORIGINAL = "carried/original-file"
SPLIT = "the mesh was split for this format, and {} (see --package)"
NOT_FOUND = "its file is not found from here"
OTHER = "the file that is found at its address is another one than was converted"


class _Files(Struct):
    """How the files of assets are looked for. places: where an earlier conversion put them; stamps: of those that it
    read; others: assets at whose address another file was found."""

    context: Context
    places: dict[str, str]
    stamps: dict[str, str]
    others: set[str] = field(default_factory=set)

    def original(self, asset: Asset) -> tuple[str | None, str]:
        """The file at the address of an asset, and the rule that found it. Another file of that name is none."""
        from converters.assets.stamps import stamp

        file, rule = self.context.find(asset.uri)
        with suppress(OSError):  # what cannot be read is not known to be the file
            if file is None or self.stamps.get(asset.name) in (None, stamp(file)):
                return file, rule
        self.others.add(asset.name)
        return None, OTHER

    def why(self, name: str) -> str:
        """Why an asset has no file."""
        return OTHER if name in self.others else NOT_FOUND


def restored(scene: Scene, context: Context, place: Source, form: Format) -> Scene:
    """Apply what an earlier conversion carried in the document, which is of the format form.

    What has been edited since is left as it is, with a note. Where a mesh was split and its original is not found, the
    scene has its address, and context.spare is the scene that has the parts.
    """
    from converters.damaged import WRONG, damage
    from converters.edited import set_aside, unsaid
    from ir.brought import brought, order

    if not scene.carried:
        return scene
    native, whole = scene, dict(scene.carried)
    try:
        for text in native.carried.values():
            _writable(text)
        parts = dict(json.loads(native.carried.pop("parts", "{}")))
        places, stamps = (
            {name: str(value) for name, value in json.loads(native.carried.pop(key, "{}")).items()}
            for key in ("places", "stamps")
        )
        files, known = _Files(context, places, stamps), str(json.loads(native.carried.pop("written", '""')))
        edits = {str(key): bool(new) for key, new in json.loads(native.carried.pop("brought", "{}")).items()}
        folded, scene, stale = unpacked(native)
        derived = json.loads(native.carried.get("derived", "[]"))
        left, own = set_aside(native, folded, scene, stale)
        if left:
            folded, scene, _ = unpacked(native, left)
            native.carried = left
        scene = unsaid(scene, folded, derived, form.fits.masks)
        scene.brought = brought(folded, known) | dict.fromkeys(own, True) | edits
        if scene.brought:
            context.order, context.document = order(native), folded
        scene = _declaring(scene, native) if scene.brought else scene
        split = _split(native)
        assets = _files(scene, folded, files)
        lost = {name: split[name] for name, asset in assets.items() if name in split and asset.file is None}
        if lost:
            folded, spare, _ = unpacked(native, _unfolded(native, lost))
            context.spare = spare.evolve(tables={"asset": _files(spare, folded, files).values()})
    except WRONG as error:
        raise damage(whole, lambda some: unpacked(native, some), context.pieces, place) from error
    for name in lost:
        before, where = assets[name].uri, f"asset/{name}"
        reason = SPLIT.format(files.why(name))
        context.note(ORIGINAL, where, before=before, action="ignored", reason=reason, source=place)
    for name, asset in assets.items():
        assets[name] = _inside(asset, parts.get(name), files.why(name), context, place)
    for asset in assets.values():
        if asset.file is None and asset.name not in native.assets:
            context.missing(asset.name, asset.uri, asset.rule, place)
    scene = scene.evolve(tables={"asset": assets.values()})
    for where in stale:
        reason = "the file was edited after it was converted: the edit counts, what was carried for this place does not"
        context.note("carried/stale", where, reason=reason, source=place)
    return scene


def _declaring(scene: Scene, native: Scene) -> Scene:
    """The scene with the prefixes (xmlns) that the document declares for what an edit brought."""
    from ir.brought import said

    new = {key: uri for key, uri in native.notation.items() if key.startswith(XMLNS) and key not in scene.notation}
    used = said(scene, [f"{key.removeprefix(XMLNS)}:" for key in new]) if new else []
    for prefix in used:
        key = f"{XMLNS}{prefix[:-1]}"
        scene.notation[key] = new[key]
    return scene


XMLNS = "xmlns:"


def _writable(text: str) -> None:
    """Raise ValueError where a text, or one inside of it, has half a character (RFC 8259, 8.2)."""
    text.encode()
    if "\\u" in text:
        as_json(json.loads(text)).encode()


def _files(scene: Scene, folded: Scene, files: _Files) -> dict[str, Asset]:
    """The assets with their original addresses and files."""
    return {name: _sought(asset, folded.assets.get(name), files) for name, asset in scene.assets.items()}


def _split(scene: Scene) -> dict[str, list[str]]:
    """Assets that were written as several, whose files are all there (one for all is that of the asset: ir.folds)."""
    folds = json.loads(scene.carried.get("folds", "{}")).get("asset", {})
    there = {name for name, asset in scene.assets.items() if asset.file is not None}
    return {name: parts for name, parts in folds.items() if len(parts) > 1 and there.issuperset(parts)}


def _unfolded(scene: Scene, split: Mapping[str, list[str]]) -> dict[str, str]:
    """What a scene carries but for these assets and all that shows them: there the document stays as it is."""
    from ir.types import Mesh

    carried, folds = dict(scene.carried), json.loads(scene.carried["folds"])
    wholes = {part: whole for whole, parts in folds.get("geom", {}).items() for part in parts}
    homes = dict.fromkeys(folds.get(WORLD, {}).get(WORLD, ()), WORLD)
    own = {part for parts in split.values() for part in parts}
    looks: set[str | None] = set()
    for body in scene.bodies.values():
        shown = [geom for geom in body.geoms if isinstance(geom.shape, Mesh) and geom.shape.asset in own]
        looks |= {geom.material for geom in shown}
        key, names = f"body/{homes.get(body.name, body.name)}", {wholes.get(geom.name, geom.name) for geom in shown}
        patch = json.loads(carried.get(key, "{}"))
        if names and isinstance(patch, dict) and isinstance(patch.get("geoms"), dict):
            patch["geoms"] = {name: inner for name, inner in patch["geoms"].items() if name not in names}
            carried[key] = as_json(patch)
        for name in names & folds.get("geom", {}).keys():
            del folds["geom"][name]
    textures = {material.texture for name, material in scene.materials.items() if name in looks}
    for kind, kept in (("material", looks), ("asset", own | textures | split.keys())):
        for name in kept:
            carried.pop(f"{kind}/{name}", None)
    folds["asset"] = {name: parts for name, parts in folds["asset"].items() if name not in split}
    return carried | {"folds": as_json(folds)}


def unpacked(scene: Scene, carried: Mapping[str, str] | None = None) -> tuple[Scene, Scene, list[str]]:
    """The scene with its folds made, the same with the patch applied as well, and where the patch no longer fits.

    carried is what is applied, where that is not all that the scene carries.
    """
    from ir.diff import restore
    from ir.folds import fold
    from ir.grounds import ungrounded
    from ir.patches import without
    from ir.seals import broken

    carried = dict(scene.carried if carried is None else carried)
    for key in ("parts", "places", "stamps", "moved", "together", "beside", "derived", "written"):
        carried.pop(key, None)
    folds, sealed, known = (json.loads(carried.pop(key, "{}")) for key in ("folds", "seals", "loose"))
    gone = broken(scene, folds, sealed, _shaped(carried) if folds.get("geom") else {})
    if gone:
        folds = {
            kind: {whole: parts for whole, parts in group.items() if f"{kind}/{whole}" not in gone}
            for kind, group in folds.items()
        }
        carried = without(carried, _of_wholes(gone))
    folded = fold(scene, folds)
    stale = list(gone.values())
    while True:
        result, edited = restore(folded, carried)
        places = ungrounded(result, folded, carried, known, edited)
        if not places:
            return folded, result, list(dict.fromkeys(stale + edited))
        stale += [".".join(place) for place in places]
        carried = without(carried, places)


def _shaped(carried: Mapping[str, str]) -> dict[str, str]:
    """Geoms of which a patch knows the shape, and where: the start of their addresses."""
    found: dict[str, str] = {}
    for key, text in carried.items():
        patch = json.loads(text) if key.startswith("body/") and '"shape"' in text else None
        geoms = patch.get("geoms") if isinstance(patch, dict) else None
        for name, inner in geoms.items() if isinstance(geoms, dict) else ():
            if isinstance(inner, dict) and "shape" in inner:
                found[name] = f"{key}.geoms."
    return found


def _of_wholes(gone: Mapping[str, str]) -> Iterator[tuple[str, ...]]:
    """The places of a patch that are about what is several things now."""
    for key, where in gone.items():
        kind, _, name = key.partition("/")
        yield (where.removesuffix(f".geoms.{name}"), "geoms", name) if kind == "geom" else (where,)


def _sought(asset: Asset, written: Asset | None, files: _Files) -> Asset:
    """An asset has its original address back.

    Its file is where the earlier conversion put it, be it that the document names it or not, else where that leads.
    """
    if not asset.uri:
        return replace(asset, file=None, rule="")  # it stands in the document and needs none
    if written is not None and asset.uri == written.uri:
        return asset
    place = files.places.get(asset.name)
    file, rule = files.context.find(place) if place else (None, "")
    if file is None and asset.file is not None:
        return asset
    if file is None:
        file, rule = files.original(asset)
    if written is None:
        return replace(asset, file=file, rule=rule)
    return replace(asset, file=file or written.file, rule=rule if file else written.rule)


def _inside(asset: Asset, part: Sequence[str] | None, why: str, context: Context, place: Source) -> Asset:
    """An asset whose file is not found (why), but which the document holds as a part of itself: its address there, and
    the matrix that it goes through ("": none).

    One without an address stands in the graph with all its numbers and needs no file.
    """
    from converters.assets.inside import LINEAR, LOOKS

    if part is None or asset.file is not None or not asset.uri:
        return asset
    selector, linear = part
    said = [(LOOKS, "own")] if selector.startswith("#/meshes/") else []
    said += [(LINEAR, linear)] if linear else []
    said = [each for each in said if each not in asset.parameters]
    reason = f"{why}: what the document holds of it stands for it (see --package)"
    uri = f"{Path(context.file).name}{selector}"
    if uri != asset.uri:  # else it was put into the document itself
        context.note("carried/inside", f"asset/{asset.name}", before=asset.uri, after=uri, reason=reason, source=place)
    label = PurePosixPath(asset.uri).stem if asset.label == "" else asset.label  # its name was that of its file
    return replace(asset, uri=uri, label=label, file=context.file, rule="inside", parameters=(*asset.parameters, *said))
