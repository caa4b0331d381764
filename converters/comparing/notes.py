"""Notes about two readings that are no differences: options without effect, missing files, names that they do not
share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from converters.context import Note
from converters.reading import Reading
from converters.report.model import MISSING, UNASKED
from ir.types import WORLD


def notes_of_readings(readings: Sequence[Reading]) -> Iterator[str]:
    """A line for each argument (--arg) that has no effect on either model, one for each model with missing files, and
    one for models without a common body."""
    for name in dict.fromkeys(name for each in readings for name in each.context.options.arguments):
        refused = [[note.reason for note in _notes_of_rules(each, UNASKED) if note.before == name] for each in readings]
        if all(refused):
            yield f"--arg {name}: {max(reason for reasons in refused for reason in reasons)}"
    for path, each in {one.context.file: one for one in readings}.items():
        lost = {note.before: note for note in _notes_of_rules(each, *MISSING)}
        if lost:
            more = f" and {len(lost) - 1} more" if len(lost) > 1 else ""
            yield f"{path}: files that are not found are compared by their address: {next(iter(lost))}{more}"
    bodies = [each.scene.bodies.keys() - {WORLD} for each in readings]
    if all(bodies) and not set.intersection(*bodies):
        yield "no body has the same name in both: of bodies and joints nothing but the names is compared"


def _notes_of_rules(reading: Reading, *rules: str) -> list[Note]:
    return [note for note in reading.context.notes if note.rule in rules]
