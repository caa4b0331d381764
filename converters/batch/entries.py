"""The journal entry of one model, and how a failure is worded and counted."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping

from converters.batch.plan import BatchSettings, Entry, Job
from converters.report.model import MISSING, Report, code_of
from converters.version import __version__
from ir.names import so_many
from ir.types import Source

CONVERTED, FAILED = "converted", "failed"
LOSSES = ("unexplained", "dropped", "approximated", "carried")
HERE = "$SRC/"
"""Prefix of a path below the source folder, which may be located elsewhere in the next run."""

LONGEST = 2000
"""Most characters of a message that are searched for its cause."""

_PLACE = re.compile(r"^(?P<file>\S[^:\n]*):(?P<line>\d+)(?::\d+)?: ")
_PATH = re.compile(r"(?<![\w.$~-])(?:[\w.$~-]*/)+[^\s,;:)'\"]*")
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"|`[^`]*`|‘[^’]*’")
_FILE = re.compile(r"^[^\s:]+\.\w+(?=: )")
_NUMBER = re.compile(r"(?<!\w)[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?")


def failure(job: Job, settings: BatchSettings, message: str) -> Entry:
    """Return the entry of a model that was not converted."""
    told = relative(" ".join(message.split()), settings)
    return {
        "model": job.model,
        "status": FAILED,
        "target": job.target,
        "options": settings.digest(),
        "tool": __version__,
        "message": told,
        "cause": cause(told),
        "reports": {},
    }


def success(
    job: Job,
    settings: BatchSettings,
    report: Report,
    inputs: Mapping[str, str],
    answers: Mapping[str, str | None],
    outputs: Mapping[str, str],
) -> Entry:
    """Return the entry of a model that was converted. inputs and outputs are path -> digest."""
    rules: Counter[tuple[str, str]] = Counter()
    for finding in report.findings:
        rules[finding.action.value, finding.rule] += finding.count
    return {
        "model": job.model,
        "status": CONVERTED,
        "target": job.target,
        "options": settings.digest(),
        "tool": __version__,
        "from": report.source.format,
        "to": report.target.format,
        "inputs": dict(inputs),
        "answers": dict(answers),
        "outputs": dict(outputs),
        "totals": report.totals(),
        "rules": [[action, rule, count] for (action, rule), count in sorted(rules.items())],
        "reports": {},
    }


def cause(message: str) -> str:
    """Return a message without the parts specific to one model; failures are counted by it."""
    text = _FILE.sub("", _PLACE.sub("", message[:LONGEST], count=1), count=1).removeprefix(": ")
    text = _PATH.sub("…", _QUOTED.sub("…", text))
    return _NUMBER.sub("N", text)[:160].strip()


def blamed(entry: Entry) -> tuple[Source, ...]:
    """Return the source location with which the message of a failure begins, if any."""
    place = _PLACE.match(entry["message"].replace(HERE, ""))
    return (Source(place["file"], int(place["line"]), "/"),) if place else ()


def losses(entry: Entry) -> int:
    """Return the number of places with losses of any kind."""
    return sum(entry["totals"][action] for action in LOSSES) if entry["status"] == CONVERTED else 0


def missing(entry: Entry) -> int:
    """Return the number of files of the model that were not found."""
    return sum(count for _, rule, count in entry["rules"] if rule in MISSING) if entry["status"] == CONVERTED else 0


def absent(entry: Entry) -> Iterator[str]:
    """Yield the package named by the address of each file that was not found, where it names one."""
    gone = {uri: None for uri, file in entry["answers"].items() if file is None}
    for uri in gone:
        scheme, _, path = uri.partition("://")
        folder, _, name = uri.rpartition("/")
        inside = name == "model.config" and folder in gone  # for an included model, its folder is looked up as well
        if scheme in ("package", "model") and path and not inside:
            yield path.partition("/")[0]


def outcome(entry: Entry) -> str:
    """Return a summary of the losses of a converted model and of its missing files, with counts."""
    lost = ", ".join(f"{entry['totals'][action]} {action}" for action in LOSSES if entry["totals"][action])
    return "; ".join(filter(None, (lost or "nothing lost", not_found(entry))))


def not_found(entry: Entry) -> str:
    """How many files of a model were not found, as a phrase; "" where all were."""
    count = missing(entry)
    return f"{so_many(count, 'files')} not found" if count else ""


def code(entry: Entry, fail_on: str | None) -> int:
    """Return the exit code that `kinegraph convert` would have for it."""
    if entry["status"] == FAILED:
        return 2
    return code_of(entry["totals"], {rule for _, rule, _ in entry["rules"]}, fail_on)


def relative(text: str, settings: BatchSettings) -> str:
    """Return a text in which files in the batch's folders are named relative to these."""
    for folder in (settings.target, settings.source):
        if folder in text:
            text = re.sub(rf"(?<![\w./~-]){re.escape(folder)}/", "", text)
            text = re.sub(rf"(?<![\w./~-]){re.escape(folder)}(?![\w/.-])", ".", text)
    return text


def noted_path(path: str, settings: BatchSettings) -> str:
    """Return a path as it is written to the journal."""
    return f"{HERE}{path[len(settings.source) + 1 :]}" if path.startswith(f"{settings.source}/") else path


def meant_path(path: str, settings: BatchSettings) -> str:
    """Return the path that a path in the journal means."""
    return os.path.join(settings.source, path[len(HERE) :]) if path.startswith(HERE) else path
