"""An output is read back and compared with the scene that it was made of: what other programs miss, and what is missing
even when the data that it carries (converters.carried) is applied."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from converters.assets import inside
from converters.assets.shown import ALONE
from converters.audit.addresses import dead_addresses, lost_companions
from converters.audit.cameras import wrong_cameras
from converters.audit.chains import misplaced_chains, with_chains
from converters.audit.files import wrong_files
from converters.audit.hollow import unmarked_meshes
from converters.audit.names import changed_names
from converters.audit.obj_looks import wrong_obj_looks
from converters.audit.part_looks import unused, wrong_part_looks
from converters.audit.parts import wrong_parts
from converters.audit.readback import OutputFiles, ReadBack, read_back
from converters.audit.solids import wrong_solids
from converters.carried import patch as carried
from converters.carried.output_files import file_places
from converters.carried.restore import apply_carried
from converters.context import Ledger, Motion, Note, Output, ReaderContext, WriterContext
from converters.faults import Faults
from converters.format import Format, Ran
from converters.registry import marked_format
from converters.report.findings import Comparison, is_within, made_by
from converters.source.carried import CHANGED, with_checksum
from converters.source.parsing import release
from ir.compound import CHAIN
from ir.diff import Difference, compare, differences, reordered
from ir.folds import RENAMED, fold, material_folds, renamed_materials
from ir.grounds import dangling_references
from ir.plain import as_json, to_plain
from ir.scene import Scene
from ir.seals import Folds, seals
from ir.types import WORLD, Entity, Material


class Written(NamedTuple):
    """An output and what it was made of."""

    scene: Scene
    """The scene that the output is held against."""
    fitted: Scene
    """That scene as the passes made it for the format (steps): what was written."""
    steps: tuple[Ran, ...]
    output: Output
    opened: Ledger
    """What was seen of the mesh files that were opened on the way."""


class Audited(NamedTuple):
    """An output with its carried data in it; how it differs from the scene; the notes of its reader."""

    output: Output
    compared: Comparison
    notes: Sequence[Note] = ()


def audit_output(made: Written, to: Format, context: WriterContext, understood: Callable[[Scene], Scene]) -> Audited:
    """Read an output back, put what it lacks into it as carried data, and read it once more.

    understood gives what the format of the source makes of a scene that was read from the output. Without an audit
    (--no-audit) carried data is assumed to come back, and files and looks to be those that were written: what only
    defects of a writer cause is not looked for. Raises InputError for an output that its own reader refuses.
    """
    scene, fitted, _, output, opened = made
    audited, carries = context.options.audit, context.options.carry
    again, reading = _read(output, to, context, scene, strict=audited)
    found, patch = _first_comparison(made, to, context, again, reading)
    notes = reading.notes
    if patch and carries and to.carry is not None:
        output = to.carry(output, with_checksum(patch))
    motions = _missing_motions(output, reading.motions, scene)
    if not audited:
        return Audited(output, replace(found, native=[*found.native, *motions], lasting=motions), notes)
    check = reading.check
    shown = check.shown(fitted, opened, context.looks, output.motions) if check is not None else ()
    seen = check.drafted(fitted) if check is not None and check.drafted is not None else None
    drafted = _drafted(fitted, seen, check.draft) if check is not None and seen is not None else ()
    native = [*found.native, *motions, *_reordered(fitted, again, to), *shown]
    found = replace(found, native=native, drafted=drafted)
    if to.carry is not None and not carries:
        return Audited(output, _without_carried(found, made, to, again, understood), notes)
    if not patch:  # without a patch, nothing is restored: the first reading is final
        return Audited(output, replace(found, lasting=native), notes)
    promised = to.carry is not None or bool(again.carried)
    first = (again, reading) if to.carry is None and not output.folds else None  # same bytes as read above
    del again  # frees memory: the scene read next is as large
    restored, reading = first or _read(output, to, context, scene, strict=False)
    lasting = [*_not_restored(scene, restored, reading, to), *motions]
    return Audited(output, replace(found, lasting=lasting, promised=promised), notes)


def _first_comparison(
    made: Written, to: Format, context: WriterContext, again: Scene, reading: ReaderContext
) -> tuple[Comparison, dict[str, str]]:
    """(what other programs miss in an output that was read (again, reading); what it is to carry: the patch that undoes
    that, of which only the keys are made for a format that carries nothing)."""
    scene, fitted, steps, output, _ = made
    names, folds, patching = to.fits.material_names, output.folds, to.carry is not None
    whole = fold(again, folds)
    native, patch, folded = compared(scene, again, whole, folds, names, painted=_painted(made), patching=patching)
    native += _beyond_the_graph(made, to, context, again, folded, reading)
    changed = {place[:2] for place in made_by(steps)}
    unmade = compared(fitted, again, whole, folds, names, changed)[0] if changed else []
    if patching:
        patch |= carried.checksums(patch, scene, folded, to)
        patch |= carried.groups(patch, folded, {**fitted.origins, **output.origins}, steps)
    patch |= file_places(scene, again, whole, output, to)
    if patching:
        patch |= carried.notation(patch, scene, folded, to)
    return Comparison(native=native, unmade=unmade), patch


def _painted(made: Written) -> set[str]:
    """Geoms to which passes gave materials that the scene does not have."""
    paints = made.fitted.materials.keys() - made.scene.materials.keys()
    return {geom.name for geom in made.fitted.geoms() if geom.material in paints} if paints else set()


def _not_restored(scene: Scene, again: Scene, reading: ReaderContext, to: Format) -> list[Difference]:
    """What is missing in an output that was read with its carried data (again, reading), once that is applied."""
    damaged = [each for each in map(_damaged, reading.notes) if each is not None]
    _, restored, _ = apply_carried(again)
    return [*damaged, *differences(scene, restored), *_reordered(scene, restored, to)]


def _read(
    output: Output, to: Format, context: WriterContext, scene: Scene, *, strict: bool
) -> tuple[Scene, ReaderContext]:
    """The scene in an output, and the context that its reader has filled (strict: see read_back)."""
    reading, read = read_back(output, to, context, scene, Faults(), strict)
    found = read()
    release(reading.documents)
    return found, reading


def compared(
    scene: Scene,
    again: Scene,
    whole: Scene,
    folds: Folds,
    named: bool = True,
    among: Container[tuple[str, ...]] | None = None,
    painted: Container[str] = (),
    patching: bool = True,
) -> tuple[list[Difference], dict[str, str], Scene]:
    """(what other programs miss in an output; the patch that turns what was read into the scene; what was read, with
    all folds made, to which that patch applies).

    again is the scene as it was read, and whole the same with the folds made of what the writer had to write as several
    things. named: whether the format has names for materials; painted: geoms to which passes gave other materials. With
    among only these entities are compared (ir.diff.differences), and no patch is made. Without patching the texts of
    the patch are empty.
    """
    nameless = material_folds(scene, whole, named, painted)
    folded = fold(whole, {"material": nameless})
    native, patch = compare(scene, folded, patching) if among is None else (differences(scene, folded, among), {})
    if folds.get(CHAIN):  # compare the unfolded chain, as other programs see it, and add differences of its dofs
        inside = [each for each in native if each.field.startswith("joint.dofs.")]
        others = fold(again, {kind: group for kind, group in folds.items() if kind != CHAIN})
        native = differences(scene, fold(others, {"material": nameless}))
        seen = {each.path for each in native}
        native += [each for each in inside if each.path not in seen]
        native = [*with_chains(native, differences(scene, folded), scene, again, folds[CHAIN])]
    native = [each for each in native if not _same_file(each, scene)]
    native += [_nameless(scene.materials[name]) for name in renamed_materials(nameless, scene, whole)]
    native += changed_names(scene, again, folds) if among is None else ()
    if among is None:
        found: dict[str, object] = {"folds": dict(folds) | ({"material": nameless} if nameless else {})}
        if patching:
            found |= {"seals": seals(again, folds), "loose": dangling_references(scene, native)}
        patch |= {key: as_json(value) for key, value in found.items() if value}
    return native, patch, folded


def _nameless(material: Material) -> Difference:
    """The difference for a material whose name other programs do not see."""
    return Difference(
        ("material", material.name, "name"), "material.name", "absent", material.name, None, material.source
    )


def _same_file(difference: Difference, scene: Scene) -> bool:
    """Whether two assets differ only in their name, or in the spelling of the address of one file: other programs see
    the file alone."""
    if difference.field not in ("body.geoms.shape.asset", "material.texture"):
        return False
    assets = [scene.assets.get(str(name)) for name in (difference.before, difference.after)]
    plain = [to_plain(replace(known, name="", label=None, uri=inside.leads(known))) for known in assets if known]
    return len(plain) == 2 and plain[0] == plain[1]


def _beyond_the_graph(
    made: Written, to: Format, context: WriterContext, again: Scene, folded: Scene, reading: ReaderContext
) -> Iterator[Difference]:
    """Differences that the comparison of two scenes does not show: in the parts of what was written as several things,
    in addresses, files and looks, and in things that nothing refers to.

    again is the scene as it was read (reading), folded the same with all folds made.
    """
    scene, fitted, _, output, opened = made
    for name in output.folds.get(WORLD, {}).get(WORLD, ()):
        yield from _body_of_world(again, name)
    back = ReadBack(fitted, again, output.folds, OutputFiles(output.files, reading.folder), opened, context.looks)
    yield from wrong_parts(back)
    yield from misplaced_chains(fitted, folded, output.folds.get(CHAIN, {}))
    if not context.options.audit:  # what follows finds only defects of a writer
        return
    yield from wrong_cameras(back, output.origins)
    yield from dead_addresses(back, reading.notes, context)
    if to.looks != ALONE:
        yield from lost_companions(back)
    yield from wrong_files(back)
    yield from wrong_solids(scene, back)
    if to.fits.seen_mesh is not None and reading.again:  # a document of the format itself has its own parameters
        yield from unmarked_meshes(back, to.fits.seen_mesh, to.fits.least_mesh)
    if to.looks == ALONE:
        yield from wrong_part_looks(back, output.notes)
        yield from unused(back)
    else:
        yield from wrong_obj_looks(back)


def _body_of_world(again: Scene, name: str) -> list[Difference]:
    """The differences for a body that was written for geoms of the world itself: other programs see it as a body."""
    if name not in again.bodies:  # missing in the output: reported as an ordinary difference
        return []
    body, joint = again.body(name), again.joint_of(name)
    held: list[tuple[str, str, Entity]] = [("body", name, body)]
    held += [("joint", joint.name, joint)] if joint is not None else []
    return [Difference((kind, named), kind, "extra", None, entity, None) for kind, named, entity in held]


def _reordered(scene: Scene, found: Scene, to: Format) -> list[Difference]:
    """Entities in another order, if programs of this format, or of that of the scene, number them by their order."""
    source = marked_format(scene.notation)
    counts = to.fits.counts or (source is not None and source.fits.counts)
    return reordered(scene, found) if counts else []


def _damaged(note: Note) -> Difference | None:
    """The difference for carried data that does not come back as it was written; None for any other note."""
    told = note.rule == CHANGED and note.where == "document"
    return Difference(("document", "carried"), "carried", "different", "whole", "damaged", None) if told else None


def _missing_motions(output: Output, found: Sequence[Motion], scene: Scene) -> list[Difference]:
    """Motions that an output was to play and does not play, or plays otherwise."""
    if not output.motions:
        return []
    from converters.audit.motions import missing_motions

    return missing_motions(output.motions, found, scene)


def _drafted(fitted: Scene, seen: Scene, draft: str) -> list[Difference]:
    """What programs miss of the scene that was written (fitted) that read the draft extensions of an output, and so see
    this scene (seen)."""
    return [
        Difference(each.path, f"{draft}.{each.field}", each.kind, each.before, each.after, each.source)
        for each in differences(fitted, seen)
    ]


# ------------------------------------------------------------------------------------------ outputs that carry nothing


def _without_carried(
    found: Comparison, made: Written, to: Format, again: Scene, understood: Callable[[Scene], Scene]
) -> Comparison:
    """The comparison for an output without carried data (--no-carry): what other programs miss is lost for good, but
    for what the output says elsewhere."""
    folds = made.output.folds
    nameless = material_folds(made.scene, fold(again, folds), to.fits.material_names, _painted(made))
    read = _as_written(again, folds, nameless, understood)
    said = _said_elsewhere(made.scene, read, found.native, made.steps)
    missing = [each for lost in said.values() for each in lost]
    lasting = [*(each for each in found.native if each.path not in said), *missing]
    return replace(found, lasting=lasting, said=said.keys())


def _as_written(
    again: Scene, folds: Folds, nameless: Mapping[str, list[str]], understood: Callable[[Scene], Scene]
) -> Callable[[], Scene]:
    """What the format of the source takes from an output, with all folds made: its texts say the names that things have
    there, and Gazebo calls collisions by the links of a chain, each part of a geom by its own."""
    given = {kind: group for kind in (*RENAMED, CHAIN, "geom") if (group := folds.get(kind))}
    rest = {kind: group for kind, group in folds.items() if kind not in given}
    return lambda: fold(understood(fold(again, rest)), {**given, "material": nameless})


def _said_elsewhere(
    scene: Scene, found: Callable[[], Scene], native: Sequence[Difference], steps: Sequence[Ran]
) -> dict[tuple[str, ...], list[Difference]]:
    """Places that any other program misses (native), since a pass moved them elsewhere in the output (Pass.moves), and
    that the format of the source would take from there: for each what is missing even then.

    found gives what that format takes from the output. What it takes there from something else that was moved is missed
    nowhere: a place of the model that was that of a joint.
    """
    causes = [step for step in steps if step.cause.moves and not step.cause.action]
    moved = {each.path for step in causes for each in step.differences if each.kind != "extra"}
    places = {each.path for each in native if is_within(each.path, moved)}
    if not places:
        return {}
    seen = found()
    blocks = {"/".join(each.path) for step in causes for each in step.differences if each.kind == "extra"}
    told = (at for at, ends in seen.origins.items() if len(at) > 1 and {"/".join(end) for end in ends} <= blocks)
    others = {(*at[0].split("/", 1), *at[1:]) for at in told}
    lost = [each for each in differences(scene, seen) if each.kind != "extra" and not is_within(each.path, others)]
    paths = {each.path for each in lost}
    return {
        place: [each for each in lost if is_within(each.path, {place})]
        for place in places
        if not is_within(place, paths)
    }
