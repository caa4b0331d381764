"""What an output cannot hold, and carries: found by reading it back, put into it, and applied when it is read again."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from converters.context import Context, InputError, Output
from converters.registry import Format
from ir.diff import Difference
from ir.scene import Scene
from ir.types import Asset, Material, Source

if TYPE_CHECKING:
    from ir.folds import Folds


# ------------------------------------------------------------------------------------------------------------- writing


def audited(
    scene: Scene, output: Output, to: Format, context: Context
) -> tuple[Output, list[Difference], list[Difference] | None]:
    """Read the output back, put what it lacks into it, and read it again as anybody will find it.

    Returns the output, what any tool misses in it, and what is missing for good (None: not audited).
    """
    from ir.diff import differences
    from ir.folds import fold

    again = _again(output, to, context, scene)
    whole = fold(again, output.folds)
    native, patch = compared(scene, whole, output.folds)
    places = _places(scene, whole, output)
    if places:
        patch["places"] = _compact(places)
    if to.fits.mark_fades and to.fits.mark in scene.notation and any(not key.startswith("asset/") for key in patch):
        patch["scene"] = _compact({**json.loads(patch.get("scene", "{}")), "notation": [scene.notation]})
    if patch and to.carry is not None:
        output = to.carry(output, patch)
    if not context.options.audit:
        return output, native, None
    if not patch:  # what was read back is what will be found
        return output, native, native
    same = to.carry is None and not output.folds  # the bytes that were read above
    _, restored, _ = unpacked(again if same else _again(output, to, context, scene))
    return output, native, differences(scene, restored)


def compared(scene: Scene, whole: Scene, folds: Folds) -> tuple[list[Difference], dict[str, str]]:
    """What any tool misses in an output, and the patch that makes what is read there into the scene.

    whole is the output as it is read, with its folds made: folds is what its writer had to spell as several things.
    """
    from ir.diff import compare
    from ir.folds import fold, looks

    nameless = looks(scene, whole)
    native, patch = compare(scene, fold(whole, {"material": nameless}))
    native += [_nameless(scene.materials[name]) for name in nameless]
    made = dict(folds) | ({"material": nameless} if nameless else {})
    if made:
        patch["folds"] = _compact(made)
    return native, patch


def _compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _nameless(material: Material) -> Difference:
    """That other programs do not see how a material is called."""
    return Difference(
        ("material", material.name, "name"), "material.name", "absent", material.name, None, material.source
    )


def _places(scene: Scene, again: Scene, output: Output) -> dict[str, str]:
    """Where the files of assets lie that the document does not name, or names another in their stead."""
    beside = {str(file): place for place, file in reversed([*output.files.items()]) if isinstance(file, Path)}
    found: dict[str, str] = {}
    for asset in scene.assets.values():
        place = beside.get(os.path.abspath(asset.file)) if asset.file else None  # noqa: PTH100
        written = again.assets.get(asset.name)
        if place is not None and (written is None or not written.uri.endswith(place)):
            found[asset.name] = place
    return found


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


def restored(scene: Scene, context: Context, place: Source) -> Scene:
    """Apply what an earlier conversion carried in the document.

    What has been edited since is left as it is, with a note.
    """
    if not scene.carried:
        return scene
    native = scene
    try:
        parts = dict(json.loads(native.carried.pop("parts", "{}")))
        places = {name: str(place) for name, place in json.loads(native.carried.pop("places", "{}")).items()}
        folded, scene, stale = unpacked(scene)
    except (ValueError, TypeError, KeyError, IndexError, AttributeError) as error:
        message = f"the carried data of an earlier conversion is damaged ({error}); take it out or undo the edit"
        raise InputError(message, place) from error
    assets = [
        _sought(asset, folded.assets.get(name), places.get(name), context) for name, asset in scene.assets.items()
    ]
    assets = [_inside(asset, parts.get(asset.name), context, place) for asset in assets]
    for asset in assets:
        part = native.assets.get(asset.name)
        if asset.uri and asset.file is None and part is not None and part.file is not None:
            reason = "the mesh was split for this format, and its original file is not found from here: see --package"
            where = f"asset/{asset.name}"
            context.note(
                "carried/original-file", where, before=asset.uri, action="dropped", reason=reason, source=place
            )
        elif asset.file is None and part is None:
            context.missing(asset.name, asset.uri, asset.rule, place)
    scene = scene.evolve(tables={"asset": assets})
    for where in stale:
        reason = "the file was edited after it was converted: the edit counts, what was carried for this place does not"
        context.note("carried/stale", where, reason=reason, source=place)
    return scene


def unpacked(scene: Scene) -> tuple[Scene, Scene, list[str]]:
    """The scene with its folds made, the same with the patch applied as well, and where the patch no longer fits."""
    from ir.diff import restore
    from ir.folds import fold

    carried = dict(scene.carried)
    for key in ("parts", "places"):
        carried.pop(key, None)
    folded = fold(scene, json.loads(carried.pop("folds", "{}")))
    return (folded, *restore(folded, carried))


def _sought(asset: Asset, written: Asset | None, place: str | None, context: Context) -> Asset:
    """An asset has its original address back.

    Its file is where that leads, else where the earlier conversion put it: place, where the document does not name
    that file.
    """
    if not asset.uri:
        return replace(asset, file=None, rule="")  # it stands in the document and needs none
    if written is not None and asset.uri == written.uri:
        return asset
    file, rule = context.find(place) if place else (None, "")
    if file is None and asset.file is not None:
        return asset
    if file is None:
        file, rule = context.find(asset.uri)
    if written is None:
        return replace(asset, file=file, rule=rule)
    return replace(asset, file=file or written.file, rule=rule if file else written.rule)


def _inside(asset: Asset, part: str | None, context: Context, place: Source) -> Asset:
    """An asset whose file is not found, but which the document holds as a part of itself."""
    from converters.assets.inside import LOOKS

    if part is None or asset.file is not None:
        return asset
    reason = "the file is not found from here: what the document holds of it stands for it (see --package)"
    uri = f"{Path(context.file).name}{part}"
    context.note("carried/inside", f"asset/{asset.name}", before=asset.uri, after=uri, reason=reason, source=place)
    return replace(asset, uri=uri, file=context.file, rule="inside", parameters=(*asset.parameters, (LOOKS, "own")))
