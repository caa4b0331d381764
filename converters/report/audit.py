"""Loss is the difference between the graph that was written and what a reader finds in the output."""

from __future__ import annotations

import json
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence, Set
from zlib import crc32

from msgspec.structs import replace

from converters.context import Note
from converters.format import Loss, Pass, Ran
from converters.report.model import Action, Finding, Severity
from ir.addresses import unplaced
from ir.diff import Difference
from ir.plain import to_plain
from ir.refs import extras
from ir.scene import Address, Scene
from ir.types import Block, Entity, Extra, Joint, Source, Value

LONGEST = 4000
"""Characters of a value that a finding has; of a longer one also how long it is, and a sum by which to know it."""
MEANINGLESS = "it has no meaning in the source format, in this place"
"""Why what bears a rule of its reader (ir.types.Extra.rule) is nowhere else."""
UNEXPLAINED = "no rule explains this difference: please report it"
LEAST = 2.0**-126
"""The least normal number of single precision: a format may have no room for less."""
UNDERFLOW = "underflow"
"""The kind of a difference (in the rows of tables) that is none but for numbers that a format has no room for."""


def findings(
    scene: Scene,
    native: Iterable[Difference],
    lasting: Iterable[Difference],
    steps: Sequence[Ran],
    losses: tuple[Loss, ...],
    notes: Iterable[Note],
    unmade: Iterable[Difference] = (),
    said: Container[Address] = (),
    drafted: Iterable[Difference] = (),
) -> tuple[Finding, ...]:
    """Every loss of a conversion, merged and sorted.

    native are the differences of the output, as any tool sees it, from the scene. lasting are those that remain when
    carried data is applied (not audited, carried data is taken at its word). unmade are the differences of
    the output from the scene that was made to fit, of entities in which a pass made something: where it did, what no
    row explains is told, and where it moved something there, all of them, since they are losses as well. said are
    places of native that the output says elsewhere in words of its format. drafted are differences for programs that
    know the drafts in the output, of what others miss in it.
    """
    remaining = {difference.path: difference for difference in lasting}
    rows = _LossRows(losses, scene)
    native = list(native)
    seen = {difference.path for difference in native}
    ignored = (
        _ignored(extra, where, kept=not _below((*where, extra.path), seen))
        for where, _, extra in extras(scene)
        if extra.rule and (*where, extra.path) not in seen
    )
    return merge(
        [
            *_missed(native, remaining, steps, rows, said),
            *_unrestored(remaining, seen, rows),
            *_displaced(unmade, steps, rows, bool(remaining)),
            *_changed(steps, seen),
            *(_finding(each, rows.find(each), each.path in remaining) for each in drafted),
            *ignored,
            *(_noted(note, scene) for note in notes),
        ]
    )


def _missed(
    native: Iterable[Difference],
    remaining: Container[Address],
    steps: Iterable[Ran],
    rows: _LossRows,
    said: Container[Address],
) -> Iterator[Finding]:
    """What any tool misses in the output: the doing of a pass, or what the format has no place for. What a pass made
    stands where that does of which it was made."""
    done = {difference.path: (step.cause, difference.after) for step in steps for difference in step.differences}
    done |= {_holding(made): (cause, made) for cause, made in [*done.values()] if isinstance(made, Joint)}
    for difference in native:
        cause, made = _doing(difference, done)
        if difference.source is None and isinstance(made, Entity):
            difference = replace(difference, source=made.source)
        why = cause or rows.find(difference)
        yield _finding(difference, why, difference.path in remaining, difference.path in said)


def _unrestored(remaining: Mapping[Address, Difference], seen: Set[Address], rows: _LossRows) -> Iterator[Finding]:
    """What nobody misses at first (seen) and carried data does not restore: either a part of what is kept otherwise,
    or nothing can explain it."""
    lost = seen & remaining.keys()
    for path, difference in remaining.items():
        if path not in seen and not _below(path, lost):
            yield _finding(difference, rows.find(difference) if _below(path, seen) else None, True)


def _displaced(unmade: Iterable[Difference], steps: Iterable[Ran], rows: _LossRows, lost: bool) -> Iterator[Finding]:
    """What is not where a pass moved it, and what else of that which passes made no reason explains; lost: carried data
    does not restore all."""
    moved, made = moved_to(steps), made_by(steps)
    for difference in unmade:
        if difference.path in made or _below(difference.path, made):
            why = rows.find(difference)
            if why is None or difference.path in moved or _below(difference.path, moved):
                yield _finding(difference, why, lost)


def _changed(steps: Iterable[Ran], seen: Set[Address]) -> Iterator[Finding]:
    """What passes did that tell of it, where no loss (seen) tells of the same place."""
    for step in steps:
        for difference in step.differences if step.cause.told else ():
            if difference.path not in seen and not _below(difference.path, seen):
                yield _finding(difference, step.cause, False)


def moved_to(steps: Iterable[Ran]) -> set[Address]:
    """Places that passes moved to, or changed in silence: what is lost there is a loss like any other."""
    return made_by(step for step in steps if step.moved or step.cause.silent)


def made_by(steps: Iterable[Ran]) -> set[Address]:
    """Places that passes made or changed."""
    return {difference.path for step in steps for difference in step.differences if difference.kind != "absent"}


def _below(path: Address, seen: Set[Address]) -> bool:
    return any(path[:length] in seen for length in range(2, len(path)))


def _doing(difference: Difference, done: Mapping[Address, tuple[Pass, object]]) -> tuple[Pass | None, object]:
    """The pass that a difference is due to, and what it made there; of an entity what it made last. A joint goes by the
    body that it holds: a later pass, or a format in which welds have no names, calls it otherwise."""
    path, made = difference.path, difference.after
    for length in range(len(path), 1, -1):
        if path[:length] in done:
            return done[path[:length]]
    return done.get(_holding(made), (None, None)) if isinstance(made, Joint) else (None, None)


def _holding(joint: Joint) -> Address:
    return "joint of", joint.child


class _LossRows:
    """The rows of a format's table, looked up once for each field."""

    def __init__(self, losses: tuple[Loss, ...], scene: Scene) -> None:
        self.rows = [(pattern, loss) for loss in losses for pattern in loss.patterns()]
        self.scene = scene
        self.known: dict[str, list[Loss]] = {}

    def find(self, difference: Difference) -> Loss | None:
        rows = self._addressed(difference)
        return next((row for row in rows if row.when is None or row.when(difference, self.scene)), None)

    def _addressed(self, difference: Difference) -> list[Loss]:
        """The rows for the address of a difference, up to the first that asks for no more."""
        plain: tuple[str, ...] = (f"{difference.field} {difference.kind}", difference.field)
        if _underflows(difference):
            plain = (f"{difference.field} {UNDERFLOW}", *plain)
        tagged = (_aspect(difference),) if ".extras." in difference.field else ()
        key = " ".join((plain[0], *tagged))
        if key not in self.known:
            self.known[key] = []
            for pattern, loss in self.rows:
                if pattern in (wanted := tagged if "/" in pattern else plain) or (
                    "*" in pattern and any(_fits(field, pattern) for field in wanted)
                ):
                    self.known[key].append(loss)
                    if loss.when is None:
                        break
        return self.known[key]


def _underflows(difference: Difference) -> bool:
    """Whether nothing else is different than that numbers too small for a format are 0."""
    before, after = (each if isinstance(each, tuple) else (each,) for each in (difference.before, difference.after))
    if not all(isinstance(each, (float, int)) for each in (*before, *after)):
        return False
    return len(before) == len(after) and all(
        one == other or (abs(one) < LEAST and other == 0.0) for one, other in zip(before, after, strict=True)
    )


def _aspect(difference: Difference) -> str:
    """The address without names; of an extra with its element, without positions: joint.extras.sdf/physics/ode."""
    if ".extras." not in difference.field:
        return difference.field
    return f"{difference.field}/{unplaced(difference.path[-1])}"


def _fits(field: str, pattern: str) -> bool:
    """Whether an address is of a pattern, in which * stands for any text."""
    first, *inner, last = pattern.split("*")
    if not field.startswith(first):
        return False
    at = len(first)
    for part in inner:
        at = field.find(part, at) + len(part)
        if at < len(part):
            return False
    return field.endswith(last) and len(field) - len(last) >= at


def _finding(difference: Difference, why: Loss | Pass | None, lasting: bool, said: bool = False) -> Finding:
    if difference.kind == "extra" or said:
        action = Action.DERIVED
    elif difference.kind == "absent":
        action = Action.DROPPED if lasting else Action.CARRIED
    else:
        action = Action.APPROXIMATED
    rule = difference.before.rule if isinstance(difference.before, Extra) else ""
    if why is None:
        action, severity, reason = Action.UNEXPLAINED, Severity.ERROR, UNEXPLAINED
    else:
        severity, reason = Severity(why.severity), MEANINGLESS if rule else why.reason
        moves = isinstance(why, Pass) and why.moves  # what of the moved is not in the output is a finding of its own
        kept = (action is Action.DROPPED and not moves) or (lasting and why.action == Action.CARRIED)
        kept |= action is Action.APPROXIMATED and moves  # another value is told as such
        made = difference.kind == "extra" and isinstance(difference.after, Entity)
        kept |= made and why.action == Action.APPROXIMATED  # there was nothing that it could be another value of
        if why.action and not kept:
            action = Action(why.action)
    return Finding(
        rule=rule or (why.rule if why else f"unexplained/{difference.field}"),
        action=action,
        severity=Severity.NOTE if rule and severity is Severity.WARNING else severity,
        where=difference.where,
        aspect=_aspect(difference).replace(".dofs.", "."),  # a joint and its only dof have one name
        before=show(difference.before),
        after=show(difference.after),
        reason=reason,
        sources=(*_places(difference.source), *_said_elsewhere(difference)),
    )


def _said_elsewhere(difference: Difference) -> Iterator[Source]:
    """Where another document says something of an entity that is gone (an <include> of the model that it brings)."""
    entity = difference.before
    if isinstance(entity, Entity) and difference.source is not None:
        places = (extra.source for extra in entity.extras)
        yield from (place for place in places if place is not None and place.file != difference.source.file)


def _ignored(extra: Extra, where: tuple[str, ...], kept: bool) -> Finding:
    """What has no meaning, and no loss of its own. kept: what it belongs to is in the output, and so is it."""
    return Finding(
        rule=extra.rule,
        action=Action.IGNORED,
        severity=Severity.NOTE,
        where=".".join(["/".join(where[:2]), *where[2:]]),
        before=show(extra),
        after=show(extra) if kept else "",
        reason=f"{MEANINGLESS}; kept as it stands" if kept else MEANINGLESS,
        sources=(extra.source,) if extra.source else (),
    )


def _noted(note: Note, scene: Scene) -> Finding:
    """What a note says: of an entity that a writer knows by its name alone, at the place where the source has it."""
    kind, _, name = note.where.partition("/")
    entity = scene.tables.get(kind, {}).get(name)
    source = note.source or (entity.source if entity is not None else None)
    return Finding(
        rule=note.rule,
        action=Action(note.action),
        severity=Severity(note.severity),
        where=note.where,
        before=note.before,
        after=note.after,
        reason=note.reason,
        sources=_places(source),
    )


def _places(source: Source | None) -> tuple[Source, ...]:
    """Where something stands, and what else says something of it."""
    return (source, *source.others) if source is not None else ()


def show(value: object) -> str:
    """A value as a person reads it."""
    if value is None:
        return ""
    if isinstance(value, Extra):
        text = value.text
    elif isinstance(value, float):
        text = _number(value)
    elif isinstance(value, tuple) and all(isinstance(item, (float, int)) for item in value):
        text = " ".join(map(_number, value))
    elif isinstance(value, Block) and value.extras:
        text = value.extras[0].text
    elif isinstance(value, Entity) and value.name and not value.extras:
        text = f"{_WORDS.sub(' ', type(value).__name__).lower()} {value.name}"
    elif isinstance(value, (Value, tuple)):
        text = json.dumps(to_plain(value), ensure_ascii=False)
    else:
        text = str(value)
    if len(text) <= LONGEST:
        return text
    return f"{text[:LONGEST]}… ({len(text)} characters, crc32 {crc32(text.encode(errors='surrogatepass')):08x})"


def _number(value: float) -> str:
    return repr(float(value)).removesuffix(".0")


_WORDS = re.compile(r"(?<=[a-z])(?=[A-Z])")


def _first(finding: Finding) -> tuple[bool, list[tuple[str, int, tuple[int, str]]], str]:
    """The key that sorts findings in reading order: the first place of a finding."""
    return not finding.sources, [_order(place) for place in finding.sources[:1]], finding.where


def _order(place: Source) -> tuple[str, int, tuple[int, str]]:
    return place.file, place.line, place.turn


def merge(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Equal findings become one with a count; sorted by rule, action and address. A width of 64 is no height of 64."""
    groups: dict[tuple[str, ...], list[Finding]] = {}
    for each in findings:
        key = (each.rule, each.action, each.severity, each.reason, each.aspect, each.before, each.after)
        groups.setdefault(key, []).append(each)
    merged = []
    for group in groups.values():
        if len(group) == 1 and len(group[0].sources) < 2:
            merged += group
            continue
        first = min(group, key=_first)
        places = {_order(place): place for finding in group for place in finding.sources[:1]}
        others = {_order(place): place for finding in group for place in finding.sources[1:]}
        sources = [
            *(places[key] for key in sorted(places)),
            *(others[key] for key in sorted(others.keys() - places.keys())),
        ]
        count = sum(finding.count for finding in group)
        merged.append(replace(first, count=count, sources=tuple(sources)))
    return tuple(
        sorted(merged, key=lambda finding: (finding.rule, finding.action, finding.where, finding.before, finding.after))
    )
