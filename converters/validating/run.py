"""Check a model against all rules that apply to its format."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from converters.context import InputError, Options
from converters.faults import Faults
from converters.mjcf.document.flexible import flexcomp_names, is_soft
from converters.reading import Reading, document, interpreted, load, origin as home
from converters.registry import HEAD, detect, format_named, formats, marked_format
from converters.validating import (
    gazebo,
    geometry,
    gltf,
    inertia,
    joints,
    leftovers,
    markup,
    meshes,
    mjcf,
    notes,
    transmissions,
    tree,
)
from converters.validating.following import Following
from converters.validating.model import Breach, CheckedModel
from converters.validating.rules import ERROR, INFO, NONE, TABLE, WARNING
from converters.validating.solids import Solids
from ir.check import Problem, problems

CHECKS = (
    notes.check,
    markup.check,
    leftovers.check,
    mjcf.check,
    gltf.check,
    tree.check,
    joints.check,
    inertia.check,
    geometry.check,
    meshes.check,
    transmissions.check,
    gazebo.check,
)
SEVERITIES = (ERROR, WARNING, INFO)
CLEAN, FOUND, UNREADABLE = 0, 1, 2


class Verdict(Struct, frozen=True, kw_only=True):
    """All breaches of a model, the worst first. reading is None where nothing could be read.

    complete: the whole document was checked, not only up to a fault that stopped its reader. following: further
    breaches that may be consequences of the listed ones. more: number of faults beyond those listed, for a document
    with too many.
    """

    path: str
    format: str
    breaches: tuple[Breach, ...]
    reading: Reading | None = None
    complete: bool = True
    following: tuple[Breach, ...] = ()
    more: int = 0

    @property
    def exit_code(self) -> int:
        """0: no errors and no warnings; 1: some; 2: nothing of the model can be read."""
        if self.reading is None and any(TABLE[breach.rule].unreadable for breach in self.breaches):
            return UNREADABLE
        return FOUND if any(severity(breach) != INFO for breach in self.breaches) else CLEAN


def severity(breach: Breach) -> str:
    """How grave a breach is: as it says itself, else as its rule says."""
    return breach.severity or TABLE[breach.rule].severity


def fix(breach: Breach) -> str:
    """Return how a breach can be repaired: safe, opt-in or none."""
    return breach.fix or TABLE[breach.rule].fix


def validate(src: str | Path, *, source: str | None = None, options: Options | None = None) -> Verdict:
    """Check a model file against the rules of its format. Raises InputError where there is no such file or format."""
    path = Path(src)
    data = document(path)
    origin = format_named(source, "read") if source else detect(str(path), data[:HEAD])
    faults = Faults(gathered=True)
    reading, complete = _gathered(path, source, options, faults)
    refused = [notes.of_error(error, origin.name) for error in faults.found]
    found = [*refused]
    name = origin.name
    if reading is not None:
        model = modelled(_as_others_read(reading, path, source, options), data)
        name = model.format
        found += [breach for check in CHECKS for breach in check(model)]
    follows = Following(faults, found)
    following = [breach for breach in found if follows.has(breach)] if follows else []
    told = [follows.marked(breach) for breach in found if not follows.has(breach)] if follows else found
    if all(severity(breach) != ERROR for breach in told):
        told, following = found, []

    included = _included(reading, name)

    def kept(breaches: list[Breach]) -> list[Breach]:
        held = (each if each in refused else _remaining_breach(each, name, included) for each in breaches)
        return [each for each in held if each is not None]

    return Verdict(
        path=str(path),
        format=name,
        breaches=ordered(kept(told)),
        reading=reading,
        complete=complete,
        following=ordered(kept(following)),
        more=faults.more,
    )


def _gathered(path: Path, source: str | None, options: Options | None, faults: Faults) -> tuple[Reading | None, bool]:
    """Return what can be read of a document, collecting all its faults; and whether its reader reached the end."""
    with suppress(InputError):
        return load(path, source=source, options=options), True
    try:
        return load(path, source=source, options=options, faults=faults), True
    except InputError as error:
        faults.refuse(error)
        return None, False


def _included(reading: Reading | None, name: str) -> Mapping[str, str]:
    """Return the included documents of other formats and their formats: an SDF may include a URDF."""
    documents = reading.context.documents if reading is not None else ()
    return {each.file: each.format for each in documents if each.format != name and each.format in formats()}


def _remaining_breach(breach: Breach, name: str, included: Mapping[str, str]) -> Breach | None:
    """Return a breach if its rule applies to the format, or to the format of the included document that it is in, which
    repairing the model does not repair; else None."""
    row = TABLE[breach.rule]
    there = included.get(breach.source.file) if breach.source is not None else None
    if there in row.formats:
        return replace(breach, fix=NONE)
    return breach if row.unreadable or name in row.formats else None


def _as_others_read(reading: Reading, path: Path, source: str | None, options: Options | None) -> Reading:
    """Return the reading without the data that an earlier conversion stored in the document, as the engines of its
    format see it, but with the notes about that data."""
    if home(reading).name == reading.format.name and not reading.scene.carried:
        return reading
    with suppress(InputError):  # faults of the document are reported elsewhere
        plain = load(path, source=source, options=replace(options or Options(), carried=False))
        return replace(plain, context=replace(plain.context, notes=reading.context.notes))
    return reading


def _is_soft(problem: Problem, made: Collection[str]) -> bool:
    """Whether a problem is about bodies or joints generated by a <flexcomp>, which are not in the graph."""
    return bool(made) and any(is_soft(kind, problem.name, made) for kind in ("body", "joint"))


def modelled(reading: Reading, data: bytes) -> CheckedModel:
    """What the rules look at: the model, its problems, and what it weighs where silence has been interpreted."""
    name = reading.format.name
    if name == "xacro":
        expanded = marked_format(reading.scene.notation)
        name = expanded.name if expanded is not None else "urdf"
    physical = reading.scene
    if name == "mjcf":
        with suppress(InputError):  # mesh faults are reported where meshes are checked
            physical = interpreted(reading)
    made = flexcomp_names(physical) if name == "mjcf" else ()
    return CheckedModel(
        reading=reading,
        format=name,
        data=data,
        problems=tuple(each for each in problems(physical) if not _is_soft(each, made)),
        physical=physical,
        solids=Solids(reading.scene),
    )


def ordered(breaches: list[Breach]) -> tuple[Breach, ...]:
    """Sort breaches, worst first, then by place and rule, without duplicates."""

    def key(breach: Breach) -> tuple[int, str, int, str, str, str]:
        place = breach.source
        file, line = (place.file, place.line) if place is not None else ("", 0)
        return SEVERITIES.index(severity(breach)), file, line, breach.rule, breach.where, breach.message

    unique = {key(breach): breach for breach in breaches}
    return tuple(unique[each] for each in sorted(unique))
