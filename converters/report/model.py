"""Findings and the report they add up to. The report is plain data; renderers are functions of it."""

from __future__ import annotations

from collections.abc import Mapping, Set
from enum import StrEnum
from pathlib import Path

from msgspec import Struct, field

from converters.registry import lazy
from ir.types import Source

_text, _total = lazy("converters.report.text", "text"), lazy("converters.report.text", "total")
_renderer = lazy("converters.report.render", "renderer")


class Action(StrEnum):
    """What happened to a part of the source."""

    IGNORED = "ignored"
    "The source format ignores it, so it has no effect."
    NOTED = "noted"
    """For information only: a file that is not found, a wrong value that is kept, an option without effect, a
    noteworthy fact (no joint is driven)."""
    DERIVED = "derived"
    """Made for the target: added, or expressed in its terms."""
    REPAIRED = "repaired"
    """An invalid or questionable source value was replaced."""
    CARRIED = "carried"
    """Other tools do not see it; it comes back when the output is read here."""
    APPROXIMATED = "approximated"
    """Present in the target with another value."""
    DROPPED = "dropped"
    """Gone."""
    UNEXPLAINED = "unexplained"
    """A difference that no rule explains: a defect of this program."""

    @classmethod
    def _missing_(cls, value: object) -> Action | None:
        raise ValueError(f"{value!r} is no word of a report: these are {', '.join(cls)}")


class Severity(StrEnum):
    NOTE = "note"
    WARNING = "warning"
    ERROR = "error"


class Finding(Struct, frozen=True, kw_only=True):
    """One loss, or several alike (count).

    where is the neutral address of the first; aspect is the same without names (joint.velocity,
    asset.extras.mjcf/@height), which all of them share (of a note ""). sources lists every place in the input: the
    things themselves in reading order, then other places that contribute to them (default classes).
    """

    rule: str
    action: Action
    severity: Severity
    where: str
    aspect: str = ""
    before: str = ""
    after: str = ""
    reason: str = ""
    count: int = 1
    sources: tuple[Source, ...] = ()


class End(Struct, frozen=True, kw_only=True):
    """One side of a conversion: its main file, format and every file that belongs to it."""

    path: str
    format: str
    files: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The path, or a title for people if there is none (converters.write)."""
        return self.path or "a scene"


class Report(Struct, frozen=True, kw_only=True):
    """The outcome of one conversion. source_items == read + ignored + unread (converters.source).

    str(report) is the text of the command line, report.save("loss.html") writes all of it.
    """

    version: str
    source: End
    target: End
    source_items: int = 0
    read: int = 0
    ignored: int = 0
    unread: int = 0
    audited: bool = True
    findings: tuple[Finding, ...] = field(default_factory=tuple)

    def __str__(self) -> str:
        return str(_text(self, "")).rstrip()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {_total(self, '')}>"

    def save(self, path: str | Path) -> None:
        """Write it, whole or not at all, in the form of the suffix: .html, .md, .json or .sarif. Its folder is made if
        missing.

        Raises ValueError for another suffix, OSError when the file cannot be written; then the old file is unchanged.
        """
        from tempfile import TemporaryDirectory

        content = _renderer(str(path))(self).encode("utf-8", "backslashreplace")
        place = Path(path)
        place.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=".", suffix=".part", dir=place.parent) as work:
            made = Path(work) / place.name
            made.write_bytes(content)
            made.replace(place)

    def total(self, action: Action | str) -> int:
        """The number of places in the source (or added values) with this action. Raises ValueError for another word."""
        wanted = Action(action)
        return sum(finding.count for finding in self.findings if finding.action is wanted)

    def missing(self) -> int:
        """The number of files of the source that were not found."""
        return sum(finding.count for finding in self.findings if finding.rule in MISSING)

    def idle(self) -> int:
        """The number of options without effect."""
        return sum(finding.count for finding in self.findings if finding.rule in IDLE)

    def totals(self) -> dict[str, int]:
        """Every count of the report, in the order of the JSON form."""
        counts = {name: getattr(self, name) for name in ("source_items", "read", "ignored", "unread")}
        actions = (
            Action.APPROXIMATED,
            Action.CARRIED,
            Action.DROPPED,
            Action.DERIVED,
            Action.REPAIRED,
            Action.UNEXPLAINED,
        )
        return counts | {action.value: self.total(action) for action in actions}


MEANINGS = {
    Action.UNEXPLAINED: "A difference that no rule explains: a defect of kinegraph.",
    Action.DROPPED: "Gone from the output.",
    Action.APPROXIMATED: "In the output with another value.",
    Action.CARRIED: "Kept in the output where other tools do not look; comes back when the output is converted again.",
    Action.DERIVED: "Made for the target: added because the target needs it, or expressed in its terms.",
    Action.REPAIRED: "An invalid or questionable value of the source was replaced.",
    Action.IGNORED: "The source format ignores it, so it has no effect.",
    Action.NOTED: "For information only: a file was not found, a value is wrong and stays as it is, an option has no "
    "effect, or it is worth knowing.",
}
"""The meaning of the actions."""
INCLUDED = "sdf/uri-lookup"
"""Rule of a model that another one includes, and that was not found."""
LOOKS = "assets/missing-look"
"""Rule of a file that a mesh refers to for its looks, and that was not found beside the mesh."""
MISSING = ("assets/missing", LOOKS, "carried/original-file", INCLUDED)
"""Rules of files that nobody found."""
UNASKED = "xacro/argument"
"""Rule of an argument (--arg) that a xacro does not declare."""
IDLE = ("options/idle", UNASKED)
"""Rules of options without effect."""
LEVELS = (Action.CARRIED, Action.APPROXIMATED, Action.DROPPED)
"""The levels of --fail-on, mildest first."""


def exit_code(report: Report, fail_on: str | None = None) -> int:
    """0 converted; 1 findings at or above fail_on; 3 an unexplained difference.

    A file that is not found is lost for readers of the output: it counts at every level.
    """
    return code_of(report.totals(), {finding.rule for finding in report.findings}, fail_on)


def code_of(totals: Mapping[str, int], rules: Set[str], fail_on: str | None) -> int:
    """The exit code of a report with these totals (Report.totals) and findings of these rules."""
    if totals[Action.UNEXPLAINED.value]:
        return 3
    if fail_on is None:
        return 0
    watched = LEVELS[LEVELS.index(Action(fail_on)) :]
    return 1 if any(totals[action.value] for action in watched) or not rules.isdisjoint(MISSING) else 0
