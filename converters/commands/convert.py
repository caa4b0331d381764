"""`kinegraph convert`: one model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from converters.commands.options import (
    ANY_NAME,
    ANY_PATH,
    WRITABLE,
    WRITTEN,
    Command,
    converting,
    level,
    option,
    settled,
)

if TYPE_CHECKING:
    from converters.report.model import Report


@click.command(cls=Command)
@click.argument("src", type=ANY_PATH)
@click.argument("dst", type=ANY_NAME)
@option("--to", f"Format of DST, where its suffix does not tell: {WRITTEN}.", "target", metavar="F", type=WRITABLE)
@option(
    "--report",
    "Also write the report: a file that ends in .html, .md, .json or .sarif.",
    "reports",
    metavar="FILE",
    multiple=True,
    type=ANY_PATH,
)
@option("--quiet", "Print only the last line of the report, which adds it up.", "-q", is_flag=True)
@converting
def convert(
    src: Path,
    dst: str,
    source: str | None,
    target: str | None,
    reports: tuple[Path, ...],
    quiet: bool,
    fail_on: str | None,
    strict: bool,
    no_audit: bool,
    **settings: Any,
) -> int:
    """Convert the model SRC into the file DST, or into the folder DST/, and report on stderr what was lost.

    \b
    Words of the report:
    dropped       gone
    approximated  in DST with another value
    carried       not seen by other programs; comes back when DST is converted
    derived       made for the target
    repaired      an invalid value was replaced
    ignored       has no effect in the source either
    noted         worth knowing; nothing becomes of it

    \b
    Exit codes: 0 converted; 1 converted, with losses at or above --fail-on;
    2 not converted, or the report not written;
    3 converted, with a difference that no rule explains: a bug.
    """
    from converters.commands.ending import failed
    from converters.destination import check, places, save
    from converters.failures import sentence
    from converters.report.render import FORMS

    for report in reports:
        if report.suffix.lower() not in FORMS:
            raise click.BadParameter(
                f"{str(report)!r}: a report file ends in {', '.join(FORMS)}", param_hint="--report"
            )
    src, place = places(src, dst, target)
    check(src, place, reports)
    import converters

    converters.guard()
    from converters.report.model import exit_code
    from converters.report.render import renderer

    options = settled(settings | {"audit": not no_audit})
    outcome = converters.convert(src, dst, source=source, target=target, options=options)
    try:
        for report in reports:
            save(report, renderer(str(report))(outcome))
    except OSError as error:
        _tell(outcome, None, quiet)
        return failed(f"{place} is written, and its report is not: {sentence(error)}")
    _tell(outcome, reports[0] if reports else None, quiet)
    return exit_code(outcome, level(fail_on, strict))


def _tell(report: Report, details: Path | None, quiet: bool) -> None:
    """The text form on stderr, with the kind of loss in colour if it is a terminal."""
    from converters.report.text import text, total

    colours = {"unexplained": "red", "dropped": "red", "approximated": "yellow", "carried": "cyan"}
    form = total if quiet else text
    for line in form(report, str(details) if details else None).splitlines():
        head, colon, rest = line.partition(":")
        styled = click.style(head, fg=colours[head], bold=True) if colon and head in colours else head
        click.echo(f"{styled}{colon}{rest}", err=True)
