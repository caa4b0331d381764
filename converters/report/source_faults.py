"""What is wrong with a source: reported once, for all formats, whatever becomes of it."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator

from msgspec.structs import replace

from converters.context import Note
from converters.report.values import show
from ir.addresses import value_at_text
from ir.bounds import out_of_bounds
from ir.scene import Scene

RULE = "model/out-of-bounds"
STALE = "carried/stale"
KEPT = "kept as it is where the target can express it"


def unrepaired(notes: Iterable[Note], again: Iterable[Note]) -> Iterator[Note]:
    """The notes of a source; a repair is not told as one if the output still has the original value (again: the notes
    of reading the output)."""
    still = {(note.rule, note.where, note.before) for note in again}
    for note in notes:
        stays = note.action == "repaired" and (note.rule, note.where, note.before) in still
        yield replace(note, action="noted", after="") if stays else note


def output_faults(notes: Collection[Note], again: Iterable[Note], asked: bool) -> Iterator[Note]:
    """Faults of an output that its reader repairs, or knows to be refused by others (again: the notes of reading it),
    and that are not in the source (notes): other programs misread, or do not accept, what the writer wrote. asked: the
    user asked for a version, which is not that of these programs."""
    known = {(note.rule, note.before) for note in notes}
    refused = {note.rule for note in notes if note.severity == "error"}  # by rule only: its wording may differ
    for note in again:
        repaired = note.action == "repaired" and (note.rule, note.before) not in known
        if repaired or (note.severity == "error" and not asked and note.rule not in refused):
            yield replace(note, rule=f"unexplained/{note.rule}", action="unexplained", severity="error")


def remade_from_edits(notes: Iterable[Note], made: Scene) -> Iterator[Note]:
    """The notes of a source; carried data that an edit invalidated is repaired, not dropped, if it was made again from
    the edit (made: the scene that was written)."""
    for note in notes:
        back = note.rule == STALE and note.action == "dropped" and value_at_text(made, note.where) not in (None, (), "")
        yield replace(note, action="repaired") if back else note


def impossible_numbers(scene: Scene, notes: Iterable[Note], repaired: Container[str]) -> Iterator[Note]:
    """A note for each impossible number (ir.bounds), unless the reader has noted a fault there already (notes).

    repaired: addresses of what the output has in a repaired form."""
    told = {
        (each.source.file, each.source.line) for each in notes if each.source is not None and each.severity == "error"
    }
    for where, value, said, source, grave in out_of_bounds(scene):
        if source is None or (source.file, source.line) not in told:
            fate = "the output has a repaired one" if where in repaired else KEPT
            yield Note(
                rule=RULE,
                where=where,
                before=show(value),
                reason=f"{said}: {fate}",
                action="noted",
                severity="error" if grave else "warning",
                source=source,
            )
