"""Options without effect on a conversion: formats tell which options concern them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from converters.context import USUAL, Note, Options
from converters.format import Format, Ran
from converters.registry import formats
from converters.report.model import IDLE

RULE = IDLE[0]
FLAGS = {"carry": "--no-carry", "find_srdf": "--no-srdf"}
"""Options that have another name on the command line -> that name."""


def idle_options(
    options: Options, source: Format, target: Format, steps: Iterable[Ran], unnamed: bool
) -> Iterator[Note]:
    """A note for each option that the user has set, and that changes nothing here. unnamed: the target shows the
    requested pose without a name."""
    given = {name for name in Options.__struct_fields__ if getattr(options, name) != getattr(USUAL, name)}
    acting = {name for name in given if f"{name}={getattr(options, name)}" in target.fits.options | source.asks}
    for name in sorted(given - source.asks - target.fits.options - acting - {"arguments"}):  # reported while reading
        if ways := _ways(name, f"{name}={getattr(options, name)}"):
            yield _note(name, options, f"it only acts when {' or '.join(ways)}, and does nothing here")
    weighed = (step for step in steps if any(each.field in MASSES for each in step.differences))
    ran = frozenset[str]().union(*(step.cause.acts for step in weighed))
    for name in sorted(given & ACTING & target.fits.options - ran):
        yield _note(name, options, WEIGHTLESS)
    if options.clamp and not options.posed and not options.trajectory:
        yield _note("clamp", options, "it only acts with --pose, --pose-name and --trajectory, and does nothing here")
    if unnamed:
        yield _note("pose_name", options, f"{target.title} shows the pose of --pose, which has no name there")


ACTING = frozenset({"density", "total_mass"})
"""Options for which a pass (Pass.acts) does something, if there is anything to change."""
MASSES = ("body.inertial", "body.inertial.mass")
"""Fields in which a pass that acts by these options makes its changes."""
WEIGHTLESS = "it only acts where --missing-inertia geometry gives a mass to something; here nothing needed one"


def _ways(name: str, valued: str) -> list[str]:
    """What an option acts on, or does with its value."""
    readers = [each.title for each in formats().values() if {name, valued} & each.asks]
    writers = [each.title for each in formats().values() if {name, valued} & each.fits.options]
    return [f"{way} {', '.join(titles)}" for way, titles in (("reading", readers), ("writing", writers)) if titles]


def _note(name: str, options: Options, reason: str) -> Note:
    flag = FLAGS.get(name) or f"--{name.replace('_', '-')}"
    before = f"{flag} {_shown(getattr(options, name))}".rstrip()
    return Note(rule=RULE, where="document", before=before, reason=reason, action="noted", severity="note")


def _shown(value: object) -> str:
    """A value as on the command line; flags have none."""
    if isinstance(value, bool):
        return ""
    if isinstance(value, tuple):
        return "x".join(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)
