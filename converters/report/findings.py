"""Findings: every difference between a scene and what is read back of its output, with its reason: the pass that caused
it, or a row of losses.txt."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence, Set
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from converters.context import MESH_LOOK, Note, Options
from converters.facts import Facts
from converters.format import Loss, Pass, Ran
from converters.report.ignored import reason_of_ignored
from converters.report.model import Action, Finding, Severity
from converters.report.values import show
from ir.addresses import without_positions
from ir.diff import Difference
from ir.plain import extras_in
from ir.refs import extras
from ir.scene import Address, Scene
from ir.types import Entity, Extra, Joint, Source

UNEXPLAINED = "no rule explains this difference: please report it"
LEAST = 2.0**-126
"""The smallest normal number of single precision: some formats cannot hold a smaller one."""
BESIDE = "beside."
"""Prefix of fields that no scene has: parts of what was written as several things, files, and their looks."""
GRAVER = (Action.REPAIRED, Action.APPROXIMATED)
"""What a pass did to a value that is reported even if a later pass adapts the result to the target."""
UNDERFLOW = "underflow"
"""Kind of a difference, in the rows of losses.txt, in which only numbers below LEAST became 0."""


class Comparison(Struct, frozen=True, kw_only=True):
    """The differences between an output and the scene that it was made of (converters.audit.output)."""

    native: Sequence[Difference] = ()
    """What other programs, which do not read carried data, miss in the output."""
    lasting: Sequence[Difference] = ()
    """What is missing even when the carried data of the output is applied."""
    unmade: Sequence[Difference] = ()
    """What other programs miss of the scene as the passes made it, in the entities that passes changed. What a pass
    moved, and is missing at its new place, is lost; anything else that is missing there needs a reason."""
    said: Container[Address] = ()
    """Addresses of native at which nothing is lost: the output expresses the same elsewhere, in terms of its format."""
    promised: bool = False
    """Whether the output carries all of the scene: then anything that does not come back is unexplained."""
    drafted: Sequence[Difference] = ()
    """What programs miss that read the draft extensions of the output (physics in glTF)."""


def findings(
    scene: Scene,
    found: Comparison,
    steps: Sequence[Ran] = (),
    losses: tuple[Loss, ...] = (),
    notes: Iterable[Note] = (),
    fitted: Scene | None = None,
    options: Options | None = None,
) -> tuple[Finding, ...]:
    """Every finding of a conversion, merged and sorted.

    Each difference gets its reason from the pass that made it (steps), else from the table of the target (losses), and
    is unexplained if there is neither. notes are reported as they are. fitted is the scene as the passes made it.
    """
    remaining = {difference.path: difference for difference in found.lasting}
    lost, unmade = _missing_by_address(found.native), _missing_by_address(found.unmade)
    notes = [*notes]
    noted = {note.where for note in notes if note.action == Action.DROPPED and note.rule != MESH_LOOK}
    gained = {each.path: each.after for each in (*found.unmade, *found.native) if each.kind != "absent"}
    rows = _LossRows(losses, Facts(scene, fitted, options, {**lost, **unmade}, noted, gained))
    gone = {path: before for path, before in lost.items() if path[-1] != "shape"}
    of_made = _LossRows(losses, Facts(fitted or scene, fitted, options, {**gone, **unmade}, noted, gained))
    promised = found.promised and not scene.brought  # passes do not fit everything that an edit added
    unkept = {each.path for each in found.lasting if promised and not each.field.startswith("motion")}
    seen = {difference.path for difference in found.native}
    ignored = (
        _ignored_finding(extra, where, kept=not is_within((*where, extra.path), seen))
        for where, _, extra in extras(scene)
        if extra.rule and (*where, extra.path) not in seen
    )
    return merge(
        [
            *_native_losses(found, remaining, steps, rows, unkept),
            *_not_restored(remaining, seen, rows, unkept),
            *_unread_extras(found.native, fitted or scene, rows),
            *_lost_moves(found.unmade, steps, of_made, bool(remaining)),
            *_reported_changes(steps, seen),
            *(_finding(each, rows.find(each), each.path in remaining) for each in found.drafted),
            *ignored,
            *(_note_finding(note, scene) for note in notes),
        ]
    )


def _missing_by_address(found: Iterable[Difference]) -> dict[Address, object]:
    """Address -> what is missing there, including shapes that were replaced."""
    return {each.path: each.before for each in found if each.kind == "absent" or each.field == "body.geoms.shape"}


def _native_losses(
    found: Comparison, remaining: Container[Address], steps: Iterable[Ran], rows: _LossRows, unkept: Container[Address]
) -> Iterator[Finding]:
    """A finding for each native difference: a pass caused it, or a row explains it. What a pass made is located at its
    origin. unkept: addresses of carried data that does not come back."""
    done = _changes_by_address(steps)
    done |= {_joint_key(made): (cause, made) for cause, made in [*done.values()] if isinstance(made, Joint)}
    for difference in found.native:
        cause, made = _cause_of(difference, done)
        for each, by_pass in _portions(_located(difference, made), made):
            why = (by_pass and cause) or rows.find(each) if each.path not in unkept else None
            yield _finding(each, why, each.path in remaining, each.path in found.said)


def _portions(difference: Difference, made: object) -> Iterator[tuple[Difference, bool]]:
    """The difference, and whether a pass caused it; where the pass took away only some parameters, those and the others
    that are missing, which the pass left (made)."""
    before, after = difference.before, difference.after
    partly = difference.field.endswith(".parameters") and all(isinstance(each, tuple) for each in (before, made, after))
    rest = tuple([each for each in made if each not in after]) if partly and isinstance(made, tuple) else ()
    if rest:
        yield replace(difference, before=rest), False
        before = tuple([each for each in before if each not in rest])
    if before or not rest:
        yield replace(difference, before=before), True


def _changes_by_address(steps: Iterable[Ran]) -> dict[Address, tuple[Pass, object]]:
    """Address -> the last pass that changed something there (or one before it that changed a value more: GRAVER), and
    the new value. Addresses of a joint that a pass renamed are those of the source."""
    done: dict[Address, tuple[Pass, object]] = {}
    called: dict[str, str] = {}
    for step in steps:
        for difference in step.differences:
            kind, name, *inner = difference.path
            at = (kind, called.get(name, name), *inner) if kind == "joint" else difference.path
            cause, _ = done.get(at, (step.cause, None))
            adjusted = difference.kind == "different" and step.cause.action == Action.DERIVED
            done[at] = cause if adjusted and cause.action in GRAVER else step.cause, difference.after
        named = [each for each in step.differences if each.field == "joint.name" and isinstance(each.after, str)]
        called |= {each.after: called.get(each.path[1], each.path[1]) for each in named}
    return done


def _not_restored(
    remaining: Mapping[Address, Difference], seen: Set[Address], rows: _LossRows, unkept: Container[Address]
) -> Iterator[Finding]:
    """A finding for each difference that appears only once carried data is applied (not in seen). A row may explain it
    if it is a part of something that is carried; else it is unexplained."""
    lost = seen & remaining.keys()
    for path, difference in remaining.items():
        if path not in seen and not is_within(path, lost):
            known = is_within(path, seen) and path not in unkept
            yield _finding(difference, rows.find(difference) if known else None, True)


def _unread_extras(native: Iterable[Difference], fitted: Scene, rows: _LossRows) -> Iterator[Finding]:
    """Unknown elements inside of things that only the output has: a writer must not write what its own reader does not
    read. Elements that the author wrote are exempt."""
    made = [each for each in native if each.kind == "extra" and isinstance(each.after, Entity) and rows.find(each)]
    there = [(each, where, extra) for each in made for where, _, extra in extras_in(each.after)]
    known = {(extra.format, extra.text) for *_, extra in extras(fitted)} if there else set()
    for each, where, extra in there:
        if (extra.format, extra.text) not in known:
            field = ".".join((each.field, *_fields_of(where, each.after), extra.format))
            found = Difference((*each.path, *where, extra.path), field, "extra", None, extra, each.source)
            yield _finding(found, rows.find(found), False)


def _fields_of(path: Address, value: Any) -> Iterator[str]:
    """The steps of a path in a payload that are fields, not names or positions of things in them."""
    for step in path:
        if isinstance(value, tuple):
            value = next(each for index, each in enumerate(value) if step in (str(index), getattr(each, "name", None)))
        else:
            yield step
            value = getattr(value, step)


def _lost_moves(unmade: Iterable[Difference], steps: Iterable[Ran], rows: _LossRows, lost: bool) -> Iterator[Finding]:
    """Findings for what a pass moved, or made, and the output does not have, or has with another value, unless a row of
    the target explains that the format cannot hold it, or expresses it in another way. rows look at the scene as the
    passes made it; lost: whether anything does not come back."""
    moved, made = moved_to(steps), made_by(steps)
    for difference in unmade:
        if not is_within(difference.path, made):
            continue
        why = rows.find(difference)
        other = difference.kind == "different" and why is not None and why.when is None and why.action != Action.DERIVED
        if why is None or other or is_within(difference.path, moved):
            yield _finding(difference, why, lost)


def _reported_changes(steps: Iterable[Ran], seen: Set[Address]) -> Iterator[Finding]:
    """Findings for changes by passes that are always reported (Pass.told), except where a loss of the same place is
    reported already (seen)."""
    for step in steps:
        for difference in step.differences if step.cause.told else ():
            if not is_within(difference.path, seen):
                yield _finding(_located(difference, difference.after), step.cause, False)


def _located(difference: Difference, made: object) -> Difference:
    """The difference with the source of what a pass made there, where it has none."""
    if difference.source is not None or not isinstance(made, Entity):
        return difference
    return replace(difference, source=made.source)


def moved_to(steps: Iterable[Ran]) -> set[Address]:
    """Addresses to which passes moved something, or that they changed silently (Pass.silent): a loss there counts."""
    return made_by(step for step in steps if step.moved or step.cause.silent)


def made_by(steps: Iterable[Ran]) -> set[Address]:
    """Addresses that passes made or changed."""
    return {difference.path for step in steps for difference in step.differences if difference.kind != "absent"}


def is_within(path: Address, places: Container[Address]) -> bool:
    """Whether an address is one of these, or lies below one."""
    return any(path[:length] in places for length in range(2, len(path) + 1))


def _cause_of(difference: Difference, done: Mapping[Address, tuple[Pass, object]]) -> tuple[Pass | None, object]:
    """The last pass that changed the address of a difference, or one above it, and what it made there. A joint is
    identified by the body that it holds: a later pass may rename it, and in some formats welds have no names. No pass
    is the cause of what differs beside the scene (converters.audit), which is compared with what the passes made."""
    path, made = difference.path, difference.after
    if difference.field.startswith(BESIDE):
        return None, None
    for length in range(len(path), 1, -1):
        if path[:length] in done:
            return done[path[:length]]
    return done.get(_joint_key(made), (None, None)) if isinstance(made, Joint) else (None, None)


def _joint_key(joint: Joint) -> Address:
    return "joint of", joint.child


class _LossRows:
    """The rows of a format's table, looked up once for each field."""

    def __init__(self, losses: tuple[Loss, ...], facts: Facts) -> None:
        self.rows = [(pattern, loss) for loss in losses for pattern in loss.patterns()]
        self.facts = facts
        self.known: dict[str, list[Loss]] = {}

    def find(self, difference: Difference) -> Loss | None:
        """The row that explains a difference: the first without a condition, or whose condition holds; None if there is
        none. In an edited document the first row of the address is used then, since passes do not fit everything that
        an edit brought."""
        rows = self._addressed(difference)
        usual = rows[0] if rows and self.facts.scene.brought else None
        return next((row for row in rows if row.when is None or row.when(difference, self.facts)), usual)

    def _addressed(self, difference: Difference) -> list[Loss]:
        """The rows whose pattern matches a difference, up to the first without a condition."""
        plain: tuple[str, ...] = (f"{difference.field} {difference.kind}", difference.field)
        if _underflows(difference):
            plain = (f"{difference.field} {UNDERFLOW}", *plain)
        aspect = _aspect(difference)
        tagged = (f"{aspect} {difference.kind}", aspect) if ".extras." in difference.field else ()
        key = " ".join((plain[0], *tagged))
        if key not in self.known:
            self.known[key] = []
            for pattern, loss in self.rows:
                if pattern in (wanted := tagged if "/" in pattern else plain) or (
                    "*" in pattern and any(_matches(field, pattern) for field in wanted)
                ):
                    self.known[key].append(loss)
                    if loss.when is None:
                        break
        return self.known[key]


def _underflows(difference: Difference) -> bool:
    """Whether the values differ only in numbers that are too small for the format and became 0."""
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
    return f"{difference.field}/{without_positions(difference.path[-1])}"


def _matches(field: str, pattern: str) -> bool:
    """Whether a field matches a pattern, in which * stands for any text."""
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
    extra = difference.before if isinstance(difference.before, Extra) and difference.before.rule else None
    if why is None:
        action, severity, reason = Action.UNEXPLAINED, Severity.ERROR, UNEXPLAINED
    else:
        severity, reason = Severity(why.severity), reason_of_ignored(extra) if extra else why.reason
        moves = isinstance(why, Pass) and why.moves  # moved content missing in the output is a finding of its own
        kept = (action is Action.DROPPED and not moves) or (lasting and why.action == Action.CARRIED)
        kept |= action is Action.APPROXIMATED and moves  # another value is reported as such
        made = difference.kind == "extra" and isinstance(difference.after, Entity)
        kept |= made and why.action == Action.APPROXIMATED  # new, so it approximates no earlier value
        if why.action and not kept:
            action = Action(why.action)
    return Finding(
        rule=extra.rule if extra else why.rule if why else f"unexplained/{difference.field}",
        action=action,
        severity=Severity.NOTE if extra and severity is Severity.WARNING else severity,
        where=difference.where,
        aspect=_aspect(difference).replace(".dofs.", "."),  # a joint and its only dof share one name
        before=show(difference.before),
        after=show(difference.after),
        reason=reason,
        sources=(*_places(difference.source), *_other_documents(difference)),
    )


def _other_documents(difference: Difference) -> Iterator[Source]:
    """Places in other documents that belong to an entity that is gone, as the <include> in a world that brought a
    model."""
    entity = difference.before
    if isinstance(entity, Entity) and difference.source is not None:
        places = (extra.source for extra in entity.extras)
        yield from (place for place in places if place is not None and place.file != difference.source.file)


def _ignored_finding(extra: Extra, where: tuple[str, ...], kept: bool) -> Finding:
    """The finding for an element without effect in the source. kept: it is in the output as it stood."""
    reason = reason_of_ignored(extra)
    return Finding(
        rule=extra.rule,
        action=Action.IGNORED,
        severity=Severity.NOTE,
        where=".".join(["/".join(where[:2]), *where[2:]]),
        before=show(extra),
        after=show(extra) if kept else "",
        reason=f"{reason}; kept as it is" if kept else reason,
        sources=(extra.source,) if extra.source else (),
    )


def _note_finding(note: Note, scene: Scene) -> Finding:
    """The finding for a note. A note of a writer, which has no place in the source, gets that of its entity."""
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
    """A place, and the other places that contribute to the thing (default classes)."""
    return (source, *source.others) if source is not None else ()


def _sort_key(finding: Finding) -> tuple[bool, list[tuple[str, int, tuple[int, str]]], str]:
    """The key that sorts findings in reading order: the first place of a finding."""
    return not finding.sources, [_order(place) for place in finding.sources[:1]], finding.where


def _order(place: Source) -> tuple[str, int, tuple[int, str]]:
    return place.file, place.line, place.turn


def merge(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Equal findings become one with a count; sorted by rule, action and address.

    Findings are equal when they say the same of the same aspect: a width that is 64 and a height that is 64 are two.
    """
    groups: dict[tuple[str, ...], list[Finding]] = {}
    for each in findings:
        key = (each.rule, each.action, each.severity, each.reason, each.aspect, each.before, each.after)
        groups.setdefault(key, []).append(each)
    merged = []
    for group in groups.values():
        if len(group) == 1 and len(group[0].sources) < 2:
            merged += group
            continue
        first = min(group, key=_sort_key)
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
