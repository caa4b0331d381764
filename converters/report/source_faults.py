"""What is wrong with a source: told once, for all formats, whatever becomes of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from msgspec.structs import replace

from converters.context import Note
from converters.report.values import show
from ir.addresses import value_at_text
from ir.bounds import out_of_bounds
from ir.scene import Scene

RULE = "model/out-of-bounds"
STALE = "carried/stale"


def unrepaired(notes: Iterable[Note], again: Iterable[Note]) -> Iterator[Note]:
    """The notes of a source, where what a reader replaced stands in the output as it did (again: the notes of reading
    that): it was not repaired, and nothing came after it."""
    still = {(note.rule, note.where, note.before) for note in again}
    for note in notes:
        stays = note.action == "repaired" and (note.rule, note.where, note.before) in still
        yield replace(note, action="noted", after="") if stays else note


def output_faults(notes: Collection[Note], again: Iterable[Note], asked: bool = False) -> Iterator[Note]:
    """What the reader of an output repairs, or knows to be refused by others (again: the notes of reading it), and not
    so in the source (notes): a writer has written what other programs take otherwise, or not at all. asked: a version
    was asked for, which is not that of these programs."""
    known = {(note.rule, note.before) for note in notes}
    refused = {note.rule for note in notes if note.severity == "error"}  # in the words of the source, of whatever form
    for note in again:
        repaired = note.action == "repaired" and (note.rule, note.before) not in known
        if repaired or (note.severity == "error" and not asked and note.rule not in refused):
            yield replace(note, rule=f"unexplained/{note.rule}", action="unexplained", severity="error")


def remade_from_edits(notes: Iterable[Note], made: Scene) -> Iterator[Note]:
    """The notes of a source, where what no longer counts of what it carries was made anew of an edit (made: the scene
    that was written): it is not gone."""
    for note in notes:
        back = note.rule == STALE and note.action == "dropped" and value_at_text(made, note.where) not in (None, (), "")
        yield replace(note, action="repaired") if back else note


def impossible_numbers(scene: Scene, notes: Iterable[Note]) -> Iterator[Note]:
    """A note for each number that nothing can have (ir.bounds); but where the reader has told (notes) that something is
    wrong, in its words."""
    told = {
        (each.source.file, each.source.line) for each in notes if each.source is not None and each.severity == "error"
    }
    for where, value, said, source, grave in out_of_bounds(scene):
        if source is None or (source.file, source.line) not in told:
            yield Note(
                rule=RULE,
                where=where,
                before=show(value),
                reason=f"{said}: kept as it is where the target can express it",
                action="noted",
                severity="error" if grave else "warning",
                source=source,
            )
