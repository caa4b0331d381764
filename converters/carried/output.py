"""An output is read back: what it lacks is found and put into it where other programs do not look (carried data).

carried.restore applies that when the output is read again."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from converters.assets.shown import ALONE
from converters.carried.addressed import Plan, ReadBack, alone, astray
from converters.carried.asked import asked
from converters.carried.called import called
from converters.carried.chains import elsewhere
from converters.carried.libraries import discoloured
from converters.carried.meshed import misshapen
from converters.carried.painted import mispainted, unused
from converters.carried.pieces import amiss, misseen
from converters.carried.rereading import reread
from converters.carried.restore import unpacked
from converters.carried.solid import misshaped
from converters.context import Context, Faults, InputError, Ledger, Motion, Note, Output
from converters.format import Format, Ran
from converters.registry import marked
from converters.report.audit import Comparison, made_by, within
from converters.source.carried import CHANGED, summed
from converters.source.parsing import release
from ir.brought import unseen, written
from ir.compound import CHAIN
from ir.diff import Difference, compare, differences, reordered
from ir.folds import RENAMED, Folds, fold, looks, renamed
from ir.gathering import gathered
from ir.grounds import loose
from ir.patches import beside, derived, made, together
from ir.plain import as_json, to_plain
from ir.scene import Origins, Scene
from ir.seals import seals
from ir.types import WORLD, Entity, Material, Mesh


class Written(NamedTuple):
    """An output; the scene that it is held against; that scene as the passes made it for the format (fitted, steps)."""

    scene: Scene
    fitted: Scene
    steps: tuple[Ran, ...]
    output: Output
    opened: Ledger
    """What was read of mesh files on the way."""


class Audited(NamedTuple):
    """An output with its carried data in it; how it differs from the scene; and what its own reader notes of it."""

    output: Output
    compared: Comparison
    notes: Sequence[Note] = ()


def audited(made: Written, to: Format, context: Context, understood: Callable[[Scene], Scene]) -> Audited:
    """Read an output back, put what it lacks into it, and read it once more, as anybody will find it.

    understood makes of a scene of the output what the format of the source takes from it. Without an audit
    (--no-audit) the second reading is left out, and carried data is taken at its word.
    """
    scene, fitted, steps, output, opened = made
    names = to.fits.material_names
    again, reading = _found(output, to, context, scene, strict=context.options.audit)
    notes = reading.notes
    whole = fold(again, output.folds)
    paints = fitted.materials.keys() - scene.materials.keys()
    painted = {geom.name for geom in fitted.geoms() if geom.material in paints} if paints else set[str]()
    native, patch, folded = compared(scene, again, whole, output.folds, names, painted=painted)
    native += _beyond(made, to, context, again, folded, reading)
    changed = {place[:2] for place in made_by(steps)}
    unmade = compared(fitted, again, whole, output.folds, names, changed)[0] if changed else []
    patch |= _sums(patch, scene, folded, to)
    patch |= _pairs(patch, folded, {**fitted.origins, **output.origins}, steps)
    patch |= _files(scene, again, whole, output, to)
    patch |= _notation(patch, scene, to)
    if patch and to.carry is not None and context.options.carry:
        output = to.carry(output, summed(patch))
    still = _unplayed(output, reading.motions, scene)
    native += still
    if not context.options.audit:
        return Audited(output, Comparison(native=native, lasting=still, unmade=unmade), notes)
    native += _recounted(fitted, again, to)
    if reading.shown is not None:
        native += reading.shown(fitted, opened, context.looks, output.motions)
    drafted = _drafted(fitted, reading.drafted(fitted), reading.draft) if reading.drafted is not None else []
    bare = to.carry is not None and not context.options.carry
    if not patch or bare:  # what was read back is what will be found
        read = _as_written(again, output.folds, looks(scene, whole, names, painted), understood) if bare else None
        said = _said(scene, read, native, steps) if read is not None else {}
        parts = [each for lost in said.values() for each in lost]
        lasting = [*(each for each in native if each.path not in said), *parts]
        found = Comparison(native=native, lasting=lasting, unmade=unmade, said=said.keys(), drafted=drafted)
        return Audited(output, found, notes)
    promised = to.carry is not None or bool(again.carried)
    same = to.carry is None and not output.folds  # the bytes that were read above
    first = (again, reading) if same else None
    del again, whole, folded  # as large as what is read now
    restored, reading = first or _found(output, to, context, scene, strict=False)
    damaged = [each for each in map(_damaged, reading.notes) if each is not None]
    _, restored, _ = unpacked(restored)
    lasting = [*damaged, *differences(scene, restored), *_recounted(scene, restored, to), *still]
    found = Comparison(native=native, lasting=lasting, unmade=unmade, drafted=drafted, promised=promised)
    return Audited(output, found, notes)


def _beyond(
    made: Written, to: Format, context: Context, again: Scene, folded: Scene, reading: Context
) -> Iterator[Difference]:
    """What others miss that the comparison of two scenes does not show: in the parts of what was written as several
    things, at addresses, in files, and in how those look; and what is there for nobody.

    again is the scene as it was read (reading), folded the same with all folds made.
    """
    scene, fitted, _, output, opened = made
    for name in output.folds.get(WORLD, {}).get(WORLD, ()):
        yield from _holding(again, name)
    back = ReadBack(fitted, again, output.folds, Plan(output.files, reading.folder), opened, context.looks)
    yield from amiss(back)
    yield from elsewhere(fitted, folded, output.folds.get(CHAIN, {}))
    yield from misseen(back, output.origins)
    yield from astray(back, reading.notes, context)
    if to.looks != ALONE:
        yield from alone(back)
    yield from misshapen(back)
    yield from misshaped(scene, back)
    if to.looks == ALONE:
        yield from mispainted(back, output.notes)
        yield from unused(back)
    else:
        yield from discoloured(back)


def _found(output: Output, to: Format, context: Context, scene: Scene, *, strict: bool) -> tuple[Scene, Context]:
    """The scene that anybody finds in an output, and the context that its reader has filled (strict: as for reread).
    Raises InputError where nobody can read it."""
    reading, read = reread(output, to, context, scene, Faults(), strict)
    found = read()
    release(reading.documents)
    return found, reading


def _recounted(scene: Scene, found: Scene, to: Format) -> list[Difference]:
    """Where what programs count, of this format or of that of the scene, stands in another order."""
    source = marked(scene.notation)
    counts = to.fits.counts or (source is not None and source.fits.counts)
    return reordered(scene, found) if counts else []


def _damaged(note: Note) -> Difference | None:
    """The difference that tells that what was put into an output is not what is read there; None for any other note."""
    told = note.rule == CHANGED and note.where == "document"
    return Difference(("document", "carried"), "carried", "different", "whole", "damaged", None) if told else None


def _unplayed(output: Output, found: Sequence[Motion], scene: Scene) -> list[Difference]:
    """Motions that an output was to play and does not."""
    if not output.motions:
        return []
    from converters.carried.motions import unplayed

    return unplayed(output.motions, found, scene)


def _drafted(fitted: Scene, seen: Scene, draft: str) -> list[Difference]:
    """What programs miss of the scene that was written that know the draft in an output, and so see this one."""
    return [
        Difference(each.path, f"{draft}.{each.field}", each.kind, each.before, each.after, each.source)
        for each in differences(fitted, seen)
    ]


def _as_written(
    again: Scene, folds: Folds, nameless: Mapping[str, list[str]], understood: Callable[[Scene], Scene]
) -> Callable[[], Scene]:
    """What the format of the source takes from an output, with all folds made: its texts say the names that things have
    there, and Gazebo calls collisions by the links of a chain, each part of a geom by its own."""
    given = {kind: group for kind in (*RENAMED, CHAIN, "geom") if (group := folds.get(kind))}
    rest = {kind: group for kind, group in folds.items() if kind not in given}
    return lambda: fold(understood(fold(again, rest)), {**given, "material": nameless})


def _said(
    scene: Scene, found: Callable[[], Scene], native: Sequence[Difference], steps: Sequence[Ran]
) -> dict[tuple[str, ...], list[Difference]]:
    """Where any other program misses something that a pass moved elsewhere in the output (Pass.moves), and the format
    of the source would take it from there: for each such place what is missing even then.

    native is what is missed, found what that format takes from the output. What it takes there from something else that
    was moved is missed nowhere: a place of the model that was that of a joint.
    """
    causes = [step for step in steps if step.cause.moves and not step.cause.action]
    moved = {each.path for step in causes for each in step.differences if each.kind != "extra"}
    places = {each.path for each in native if within(each.path, moved)}
    if not places:
        return {}
    seen = found()
    blocks = {"/".join(each.path) for step in causes for each in step.differences if each.kind == "extra"}
    told = (at for at, ends in seen.origins.items() if len(at) > 1 and {"/".join(end) for end in ends} <= blocks)
    others = {(*at[0].split("/", 1), *at[1:]) for at in told}
    lost = [each for each in differences(scene, seen) if each.kind != "extra" and not within(each.path, others)]
    paths = {each.path for each in lost}
    return {
        place: [each for each in lost if within(each.path, {place})] for place in places if not within(place, paths)
    }


def _sums(patch: Mapping[str, str], scene: Scene, folded: Scene, to: Format) -> dict[str, str]:
    """Where the scene came from another format: checksums of all that was written, by which edits are known later; and
    what earlier edits brought, where nothing in the document shows it."""
    if not patch or marked(scene.notation) in (None, to):
        return {}
    known = {"brought": as_json(found)} if (found := unseen(scene, folded)) else {}
    return {"written": as_json(written(folded, scene.brought))} | known


def _notation(patch: Mapping[str, str], scene: Scene, to: Format) -> dict[str, str]:
    """The notation of the scene, where other programs that save the document take away the mark of its format."""
    fades = to.fits.mark_fades and to.fits.mark in scene.notation
    if not fades or all(key.startswith("asset/") for key in patch):
        return {}
    return {"scene": as_json({**json.loads(patch.get("scene", "{}")), "notation": [scene.notation]})}


def _pairs(patch: Mapping[str, str], folded: Scene, origins: Origins, steps: Sequence[Ran]) -> dict[str, str]:
    """Which places of a patch count only together with others, or with something in the document (carried.edits).

    folded is the scene of the document with its folds made; origins says what was made of what.
    """
    moved = [group for step in steps for group in step.moved]
    whole = [group for step in steps for group in step.whole]
    groups = {"moved": made(origins, moved), "together": [*whole, *together(patch)]}
    found: dict[str, Sequence[object] | Mapping[str, object]] = {
        key: [known for group in each if (known := [place for place in group if place[0] in patch])]
        for key, each in groups.items()
    }
    found |= {"derived": derived(origins, folded, patch), "beside": beside(patch, folded)}
    found |= {"asked": asked(steps, patch)}
    return {key: as_json(value) for key, value in found.items() if value}


def compared(
    scene: Scene,
    again: Scene,
    whole: Scene,
    folds: Folds,
    named: bool = True,
    among: Container[tuple[str, ...]] | None = None,
    painted: Container[str] = (),
) -> tuple[list[Difference], dict[str, str], Scene]:
    """What any other program misses in an output; the patch that turns what was read into the scene; and what was read,
    with all folds made, to which that patch applies.

    again is the scene as it was read, and whole the same with the folds made of what the writer had to spell as several
    things. named tells whether the format has names for materials, painted which geoms passes gave other materials.
    With among only these entities are compared (ir.diff.differences), and no patch is made.
    """
    from converters.carried.chains import chained

    nameless = looks(scene, whole, named, painted)
    folded = fold(whole, {"material": nameless})
    native, patch = compare(scene, folded) if among is None else (differences(scene, folded, among), {})
    if folds.get(CHAIN):  # others see the chain, and in it what its joints lack
        inside = [each for each in native if each.field.startswith("joint.dofs.")]
        others = fold(again, {kind: group for kind, group in folds.items() if kind != CHAIN})
        native = differences(scene, fold(others, {"material": nameless}))
        seen = {each.path for each in native}
        native += [each for each in inside if each.path not in seen]
        native = [*chained(native, differences(scene, folded), scene, again, folds[CHAIN])]
    native = [each for each in native if not _same_file(each, scene)]
    native += [_nameless(scene.materials[name]) for name in renamed(nameless, scene, whole)]
    native += called(scene, again, folds) if among is None else ()
    if among is None:
        made = dict(folds) | ({"material": nameless} if nameless else {})
        found = {"folds": made, "seals": seals(again, folds), "loose": loose(scene, native)}
        patch |= {key: as_json(value) for key, value in found.items() if value}
    return native, patch, folded


def _nameless(material: Material) -> Difference:
    """The difference that tells that other programs do not see the name of a material."""
    return Difference(
        ("material", material.name, "name"), "material.name", "absent", material.name, None, material.source
    )


def _same_file(difference: Difference, scene: Scene) -> bool:
    """Whether two assets differ only in their name, or in how the address of one file is written: other programs know
    the file alone."""
    if difference.field not in ("body.geoms.shape.asset", "material.texture"):
        return False
    from converters.assets import inside

    assets = [scene.assets.get(str(name)) for name in (difference.before, difference.after)]
    plain = [to_plain(replace(known, name="", label=None, uri=inside.leads(known))) for known in assets if known]
    return len(plain) == 2 and plain[0] == plain[1]


def _holding(again: Scene, name: str) -> list[Difference]:
    """The differences that tell that other programs see a body where things stand in the world itself."""
    if name not in again.bodies:  # the output does not have it: that is a difference like any other
        return []
    body, joint = again.body(name), again.joint_of(name)
    held: list[tuple[str, str, Entity]] = [("body", name, body)]
    held += [("joint", joint.name, joint)] if joint is not None else []
    return [Difference((kind, named), kind, "extra", None, entity, None) for kind, named, entity in held]


def _files(scene: Scene, again: Scene, whole: Scene, output: Output, to: Format) -> dict[str, str]:
    """Where the files of assets lie, and their stamps, for the patch (again, whole: see compared)."""
    places = _places(scene, whole, output)
    found = {"places": places, "stamps": _stamps(scene, again, output, to, places) if to.carry else {}}
    return {key: as_json(value) for key, value in found.items() if value}


def _places(scene: Scene, again: Scene, output: Output) -> dict[str, str]:
    """Asset -> its file beside the output, where the document does not name that file, or names another in its stead.

    Of something inside another file (an image, a mesh that nothing shows, plain bytes): the file that was made of it.
    Of a mesh that became one with another: the file that was made of that.
    """
    from converters.assets import inside

    merged = _merged(scene, again, output)

    beside = {str(file) if isinstance(file, Path) else file: place for place, file in reversed([*output.files.items()])}
    found: dict[str, str] = {}
    for asset in scene.assets.values():
        place = beside.get(os.path.abspath(asset.file), merged.get(asset.name)) if asset.file else None
        if place is None and asset.file and inside.part_of(asset):
            with suppress(InputError):  # who wanted to write it has told
                exact = inside.original(asset) if inside.BYTES in asset.uri else None
                if exact is not None and asset.kind != "model":  # a document names others by how they lay to it
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


def _merged(scene: Scene, again: Scene, output: Output) -> dict[str, str]:
    """Mesh that is no asset of the output -> the file beside that which its geoms show there: that of another one, of
    the same content."""
    from converters.assets.stamps import stamp

    meshes = [asset for asset in scene.assets.values() if asset.kind == "mesh" and asset.file]
    gone = {asset.name: asset for asset in meshes if asset.name not in again.assets}
    found: dict[str, str] = {}
    called = _called(output) if gone else {}
    shown = {(body.name, geom.name): geom.shape for body in again.bodies.values() for geom in body.geoms if gone}
    for body in scene.bodies.values() if gone else ():
        for geom in body.geoms:
            mine, theirs = geom.shape, shown.get((body.name, geom.name))
            if not isinstance(mine, Mesh) or not isinstance(theirs, Mesh) or mine.asset not in gone:
                continue
            own, other = gone[mine.asset].file, scene.assets.get(theirs.asset)
            if mine.asset not in found and own and other is not None and other.file:
                with suppress(OSError):  # who wanted to write it has told
                    if own == other.file or stamp(own) == stamp(other.file):
                        found[mine.asset] = _place(again.assets[theirs.asset].uri, called)
    return {name: place for name, place in found.items() if place}


def _stamps(scene: Scene, again: Scene, output: Output, to: Format, places: Mapping[str, str]) -> dict[str, str]:
    """Asset -> the stamp of its file, where that is not in the output as it is, and those of what stands for it: in the
    document, or, of what is inside another file, at its place beside that."""
    from converters.assets.inside import part_of
    from converters.assets.stamps import stamp, stamps

    split = {name for name, parts in output.folds.get("asset", {}).items() if len(parts) > 1}
    made = _made(scene, again, output) if marked(scene.notation) is not to else {}
    for name, place in places.items():
        if part_of(scene.assets[name]) or (name not in again.assets and not isinstance(output.files[place], Path)):
            made.setdefault(name, [stamp(output.files[place])])
    assets = scene.assets.values()
    found = stamps(asset for asset in assets if asset.name in split | made.keys() or asset.name not in again.assets)
    return {name: " ".join((found.get(name, ""), *made.get(name, ()))) for name in found | made}


def _made(scene: Scene, again: Scene, output: Output) -> dict[str, list[str]]:
    """Asset -> the stamps of the files in the output that were made of its own ("": of none), or are the same without
    what that needs beside it (the material library of an OBJ). Those that the scene lacks were made, too."""
    from converters.assets.beside import companions
    from converters.assets.inside import part_of
    from converters.assets.stamps import stamp

    taken = {str(file) for file in output.files.values() if isinstance(file, Path)}
    called = _called(output)
    folds = output.folds.get("asset", {})
    parts = {part for group in folds.values() for part in group}
    whose: dict[str, str | None] = {
        asset.name: asset.file for asset in scene.assets.values() if asset.file and not part_of(asset)
    }
    filed = {asset.name for asset in scene.assets.values() if asset.file or asset.uri}  # others stand in the document
    whose |= dict.fromkeys(name for name in again.assets if name not in filed | parts)
    found: dict[str, list[str]] = {}
    for name, file in whose.items():
        places = [_place(again.assets[part].uri, called) for part in folds.get(name, [name]) if part in again.assets]
        held = output.files.get(places[0]) if len(places) == 1 else None
        copied = file is not None and str(held) == os.path.abspath(file) and taken.issuperset(companions(file))
        if any(places) and not copied:
            with suppress(OSError):  # whoever puts it there tells
                found[name] = [stamp(output.files[place]) if place else "" for place in places]
    return found


def _called(output: Output) -> dict[str, list[str]]:
    """Name of a file -> the files beside an output that are called so."""
    return gathered((place.rpartition("/")[2], place) for place in output.files)


def _place(uri: str, called: Mapping[str, Sequence[str]]) -> str:
    """Which of the files beside an output, by their names, an address in it leads to; "" for none."""
    alike = (place for place in called.get(uri.rpartition("/")[2], ()) if f"/{place}".endswith(f"/{uri}"))
    return min(alike, key=len, default="")
