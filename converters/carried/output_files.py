"""The places of asset files beside an output, and the stamps by which they are recognised when it is read again
(carried.files)."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from converters.context import InputError, Output
from converters.format import Format
from converters.registry import marked_format
from ir.gathering import gathered
from ir.plain import as_json
from ir.scene import Scene
from ir.types import Mesh


def file_places(scene: Scene, again: Scene, whole: Scene, output: Output, to: Format) -> dict[str, str]:
    """The places and stamps of asset files, for the patch (again, whole: see compared)."""
    places = _unnamed_files(scene, whole, output)
    found = {"places": places, "stamps": _stamps_of_files(scene, again, output, to, places) if to.carry else {}}
    return {key: as_json(value) for key, value in found.items() if value}


def _unnamed_files(scene: Scene, again: Scene, output: Output) -> dict[str, str]:
    """Asset -> its file beside the output, if the document does not name that file, or names another one instead.

    For something inside another file (an image, a mesh that nothing shows, plain bytes): the file that was made of it.
    For a mesh that became one with another: the file that was made of that.
    """
    from converters.assets import inside

    merged = _files_of_merged_meshes(scene, again, output)

    beside = {str(file) if isinstance(file, Path) else file: place for place, file in reversed([*output.files.items()])}
    found: dict[str, str] = {}
    for asset in scene.assets.values():
        place = beside.get(os.path.abspath(asset.file), merged.get(asset.name)) if asset.file else None
        if place is None and asset.file and inside.part_of(asset):
            with suppress(InputError):  # reported when writing it failed
                exact = inside.original(asset) if inside.BYTES in asset.uri else None
                if exact is not None and asset.kind != "model":  # a model refers to other files by relative paths
                    place = beside.get(exact[1])
                elif asset.kind != "mesh" and exact is None:
                    place = beside.get(inside.image_file(asset)[0])
                elif asset.kind == "mesh" and asset.name not in again.assets:
                    made = inside.obj_files(asset, inside.mesh(asset), None, "", "")
                    place = beside.get(made[""])
        written = again.assets.get(asset.name)
        if place is not None and (written is None or not os.path.normpath(written.uri).endswith(place)):
            found[asset.name] = place
    return found


def _files_of_merged_meshes(scene: Scene, again: Scene, output: Output) -> dict[str, str]:
    """Mesh that is no asset of the output -> the file that its geoms show there: that of another mesh with the same
    content."""
    from converters.assets.stamps import stamp

    meshes = [asset for asset in scene.assets.values() if asset.kind == "mesh" and asset.file]
    gone = {asset.name: asset for asset in meshes if asset.name not in again.assets}
    if not gone:
        return {}
    found: dict[str, str] = {}
    called = _files_by_name(output)
    shown = {(body.name, geom.name): geom.shape for body in again.bodies.values() for geom in body.geoms}
    for mine, theirs in (
        (geom.shape, shown.get((body.name, geom.name))) for body in scene.bodies.values() for geom in body.geoms
    ):
        if not isinstance(mine, Mesh) or not isinstance(theirs, Mesh) or mine.asset not in gone or mine.asset in found:
            continue
        own, other = gone[mine.asset].file, scene.assets.get(theirs.asset)
        if own and other is not None and other.file:
            with suppress(OSError):  # reported when writing it failed
                if own == other.file or stamp(own) == stamp(other.file):
                    found[mine.asset] = _place_of_address(again.assets[theirs.asset].uri, called)
    return {name: place for name, place in found.items() if place}


def _stamps_of_files(
    scene: Scene, again: Scene, output: Output, to: Format, places: Mapping[str, str]
) -> dict[str, str]:
    """Asset -> the stamp of its file, if that is not in the output as it is, and those of its replacements: in the
    document, or, for something inside another file, at its place beside that."""
    from converters.assets.inside import part_of
    from converters.assets.stamps import stamp, stamps

    split = {name for name, parts in output.folds.get("asset", {}).items() if len(parts) > 1}
    made = _stamps_of_made_files(scene, again, output) if marked_format(scene.notation) is not to else {}
    for name, place in places.items():
        if part_of(scene.assets[name]) or (name not in again.assets and not isinstance(output.files[place], Path)):
            made.setdefault(name, [stamp(output.files[place])])
    assets = scene.assets.values()
    found = stamps(asset for asset in assets if asset.name in split | made.keys() or asset.name not in again.assets)
    return {name: " ".join((found.get(name, ""), *made.get(name, ()))) for name in found | made}


def _stamps_of_made_files(scene: Scene, again: Scene, output: Output) -> dict[str, list[str]]:
    """Asset -> the stamps of the files in the output that were made of its own ("": none), or are the same without
    files that it needs beside it (the material library of an OBJ). Those that the scene lacks were made, too."""
    from converters.assets.beside import companions
    from converters.assets.inside import part_of
    from converters.assets.stamps import stamp

    taken = {str(file) for file in output.files.values() if isinstance(file, Path)}
    called = _files_by_name(output)
    folds = output.folds.get("asset", {})
    parts = {part for group in folds.values() for part in group}
    whose: dict[str, str | None] = {
        asset.name: asset.file for asset in scene.assets.values() if asset.file and not part_of(asset)
    }
    filed = {asset.name for asset in scene.assets.values() if asset.file or asset.uri}  # others are in the document
    whose |= dict.fromkeys(name for name in again.assets if name not in filed | parts)
    found: dict[str, list[str]] = {}
    for name, file in whose.items():
        places = [
            _place_of_address(again.assets[part].uri, called)
            for part in folds.get(name, [name])
            if part in again.assets
        ]
        held = output.files.get(places[0]) if len(places) == 1 else None
        copy = file if file and isinstance(held, Path) and str(held) == os.path.abspath(file) else None
        copied = copy is not None and taken.issuperset(companions(copy))
        if any(places) and not copied:
            with suppress(OSError):  # reported where it is written
                found[name] = [stamp(output.files[place]) if place else "" for place in places]
    return found


def _files_by_name(output: Output) -> dict[str, list[str]]:
    """File name -> the files beside an output with this name."""
    return gathered((place.rpartition("/")[2], place) for place in output.files)


def _place_of_address(uri: str, called: Mapping[str, Sequence[str]]) -> str:
    """The file beside an output to which an address in it leads; "" for none."""
    alike = (place for place in called.get(uri.rpartition("/")[2], ()) if f"/{place}".endswith(f"/{uri}"))
    return min(alike, key=len, default="")
