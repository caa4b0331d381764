"""The command kinegraph. No logic here; whatever a command needs is imported inside it, so that --help is quick."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from converters.commands.options import ANY_PATH, POSITIVE, choice, converting, in_bytes, option, reading, validating

if TYPE_CHECKING:
    from converters.context import Options
    from converters.report.model import Report

CONVERTED, FOUND, FAILED, UNEXPLAINED, INTERRUPTED = 0, 1, 2, 3, 130
"""Exit codes: converted; the same with findings at or above --fail-on; not converted; a defect of ours; Ctrl-C."""
LONGEST = 400
"""Characters of a message: a model may hold a word of a million letters."""


def entry() -> None:
    """The process of a command: main, in a life too short for looking for garbage, at its end least of all."""
    gc.disable()
    try:
        main()
    finally:
        gc.freeze()


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command and exit. Every failure is one message on stderr, never a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a file name need not be text
    sys.exit(_run(arguments))


def _run(arguments: Sequence[str] | None) -> int:
    from converters.context import InputError
    from converters.failures import sentence

    expected = (InputError, ImportError, MemoryError, RecursionError, UnicodeDecodeError)
    try:
        code = kinegraph.main(arguments, prog_name="kinegraph", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else CONVERTED
    except click.ClickException as error:
        error.show()
        return FAILED
    except (click.Abort, KeyboardInterrupt):
        _failed("interrupted")
        return INTERRUPTED
    except OSError as error:
        _silence()
        return _failed(sentence(error))
    except Exception as error:  # the last line before a traceback: a defect is told as one
        if sys.flags.dev_mode and not isinstance(error, expected):
            raise
        return _failed(sentence(error))


def _failed(message: str) -> int:
    from converters.report.safe import printable

    text = printable(" ".join(message.split()))
    if len(text) > LONGEST:
        text = f"{text[: LONGEST - 100]} … {text[-90:]}"
    click.echo(f"kinegraph: {text}", err=True)
    return FAILED


def _silence() -> None:
    """What is still in the buffer of a full or closed stdout must not fail a second time when the interpreter ends."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(package_name="kinegraph", message="%(prog)s %(version)s")
def kinegraph() -> None:
    """Convert robot models between formats, and say what was lost on the way.

    \b
    Exit codes: 0 converted; 1 converted, with findings at or above --fail-on;
    2 not converted; 3 converted, with a difference that no rule explains.
    """


@kinegraph.command()
@click.argument("src", type=ANY_PATH)
@click.argument("dst", type=ANY_PATH)
@option("--to", "Format of DST, when its suffix does not tell.", "target", metavar="F")
@option(
    "--report",
    "Also write the report: .json .md .html .sarif.",
    metavar="FILE",
    type=click.Path(readable=False, path_type=Path),
)
@converting
def convert(
    src: Path,
    dst: Path,
    source: str | None,
    target: str | None,
    report: Path | None,
    fail_on: str | None,
    strict: bool,
    no_audit: bool,
    **settings: Any,
) -> int:
    """Convert the model SRC into the file DST, and report on stderr what was lost."""
    from converters.destination import check, places, save
    from converters.report.render import FORMS

    if report and report.suffix.lower() not in FORMS:
        raise click.BadParameter(f"{str(report)!r}: a report file ends in {', '.join(FORMS)}", param_hint="--report")
    src, place = places(src, dst, target)
    check(src, place, report)
    import converters

    converters.guard()
    from converters.report.model import exit_code
    from converters.report.render import renderer

    options = _options(settings | {"audit": not no_audit})
    outcome = converters.convert(src, dst, source=source, target=target, options=options)
    if report:
        save(report, renderer(str(report))(outcome))
    _tell(outcome, report)
    return exit_code(outcome, _level(fail_on, strict))


@kinegraph.command()
@click.argument("src", metavar="SRC_DIR")
@click.argument("dst", metavar="DST_DIR")
@option("--to", "Format of all outputs.", "target", metavar="F", required=True)
@option("--jobs", "Processes that convert; as many as there are cores.", metavar="N", type=click.IntRange(1))
@option("--timeout", "Seconds that one model may take.", metavar="S", type=POSITIVE, default=600, show_default=True)
@option("--max-memory", "What one process may hold, such as 512M or 4G.", metavar="SIZE", callback=in_bytes)
@option("--include", "Only models of this name or path.", metavar="GLOB", multiple=True)
@option("--exclude", "No models and folders of this name or path.", metavar="GLOB", multiple=True)
@option("--resume", "Convert what is missing or has changed since the last batch.", is_flag=True)
@option("--dry-run", "Say what would be done, and do nothing.", is_flag=True)
@option("--report", "Write reports, an index of them and pictures into this folder.", metavar="DIR")
@option("--pages", "With --report: also a page that shows each model, as `view` makes it.", is_flag=True)
@option("--scheduler", "Run on the Dask cluster at this address, as tcp://host:8786.", metavar="ADDRESS")
@converting
def batch(
    src: str,
    dst: str,
    target: str,
    source: str | None,
    max_memory: int | None,
    fail_on: str | None,
    strict: bool,
    no_audit: bool,
    **settings: Any,
) -> int:
    """Convert every model below SRC_DIR into DST_DIR, each in the place it has; both may be URLs (s3://bucket/...)."""
    from converters.batch.run import Wanted, batch as run

    whole = {name: settings.pop(name) for name in ("report", "pages", "resume", "timeout")}
    ours = {name: settings.pop(name) for name in ("jobs", "include", "exclude", "dry_run", "scheduler")}
    options = _options(settings | {"audit": not no_audit})
    wanted = Wanted(**ours, fail_on=_level(fail_on, strict))
    code, table = run(src, dst, target, origin=source, options=options, memory=max_memory, wanted=wanted, **whole)
    click.echo(table)
    return code


def _level(fail_on: str | None, strict: bool) -> str | None:
    return "approximated" if strict and fail_on != "carried" else fail_on


def _options(settings: dict[str, Any]) -> Options:
    from converters.context import Options

    return Options(**settings)


def _tell(report: Report, details: Path | None) -> None:
    """The text form on stderr, with the kind of loss in colour where that is a terminal."""
    from converters.report.text import text

    colours = {"unexplained": "red", "dropped": "red", "approximated": "yellow", "carried": "cyan"}
    for line in text(report, str(details) if details else None).splitlines():
        head, colon, rest = line.partition(":")
        styled = click.style(head, fg=colours[head], bold=True) if colon and head in colours else head
        click.echo(f"{styled}{colon}{rest}", err=True)


@kinegraph.command()
@click.argument("src", type=ANY_PATH)
@reading
@option("--kinematics", "Instead: chains to links as elementary transforms and Denavit-Hartenberg rows.", is_flag=True)
@option(
    "--tip", "The chain to this link alone; without it, those to every leaf.", "tips", metavar="LINK", multiple=True
)
@option("--svg", "Also draw the tree into this file.", "drawn", metavar="FILE.svg", type=ANY_PATH)
@click.option("--json", "as_json", is_flag=True, help="One stable JSON document.")
def inspect(
    src: Path,
    source: str | None,
    kinematics: bool,
    tips: tuple[str, ...],
    drawn: Path | None,
    as_json: bool,
    **settings: Any,
) -> None:
    """Print the tree of bodies and joints of the model SRC, with masses, limits and counts."""
    from converters.destination import check, present, save
    from converters.registry import entered

    src = entered(src)
    present(src)
    if drawn is not None:
        check(src, drawn, None)
    import converters

    converters.guard()
    if drawn is not None:
        from converters.drawing import svg

        save(drawn, svg(converters.read(src, source=source, options=_options(settings))))
    found: Any
    if kinematics or tips:
        from converters.chains import described, show as shown

        chains = described(src, tips, source=source, options=_options(settings))
        found, print_ = {"schema_version": 1, "chains": chains}, partial(shown, chains)
    else:
        from converters.inspection import document, show

        found = document(src, source=source, options=_options(settings))
        print_ = partial(show, found)
    if as_json:
        from json import dumps

        click.echo(dumps(found, indent=2, ensure_ascii=False))
    else:
        print_()


@kinegraph.command()
@click.argument("src", type=ANY_PATH)
@click.option(
    "--format",
    "form",
    type=click.Choice(("text", "json", "sarif")),
    default="text",
    help="Lines for people, or one document.",
)
@option(
    "--fix",
    "Write SRC with what can be repaired safely into this file; with --fix all as well, whatever can be repaired.",
    "fixes",
    metavar="OUT|all",
    multiple=True,
)
@validating
def validate(
    src: Path,
    source: str | None,
    form: str,
    fixes: tuple[str, ...],
    **settings: Any,
) -> int:
    """Hold the model SRC against the rules of its format; exit 0 where only infos are found, 1 for errors and warnings.

    \b
    With --fix the exit code is that of the file written. 2 is for a file of which nothing can be read.
    """
    from converters.destination import check, present
    from converters.registry import entered

    places = [Path(each) for each in fixes if each != "all"]
    if len(places) > 1 or (fixes and not places):
        message = "name one file to write" if places else "name a file to write as well: --fix all --fix OUT"
        raise click.BadParameter(message, param_hint="--fix")
    src = entered(src)
    present(src)
    for place in places:
        check(src, place, None)
    import converters

    converters.guard()
    from converters.context import InputError
    from converters.validating import validate as judged
    from converters.validating.fixing import repair
    from converters.validating.show import show, text

    options = _options(settings)
    verdict = judged(src, source=source, options=options)
    fixed, refused = None, ""
    if places and verdict.exit_code != FAILED:
        try:
            fixed = repair(verdict, places[0], everything="all" in fixes, options=options)
        except InputError as error:
            refused = str(error)
    if form == "text":
        show(verdict, fixed)
    else:
        click.echo(text(form, verdict, fixed), nl=False)
    if refused:
        _failed(refused)
    return verdict.exit_code if fixed is None else fixed.after.exit_code


@kinegraph.command()
@click.argument("first", metavar="A", type=ANY_PATH)
@click.argument("second", metavar="B", type=ANY_PATH)
@reading
@option("--tolerance", "Share of a number by which it may be off.", type=POSITIVE, default=1e-9, show_default=True)
@option("--samples", "Random configurations.", metavar="N", type=click.IntRange(1, 1000), default=10, show_default=True)
@choice("--engine", "Let this engine read both (kinegraph[engines]).", None, "mujoco", "pinocchio", "drake")
@click.option("--json", "as_json", is_flag=True, help="One stable JSON document.")
def compare(
    first: Path,
    second: Path,
    source: str | None,
    tolerance: float,
    samples: int,
    engine: str | None,
    as_json: bool,
    **settings: Any,
) -> int:
    """Say where the models A and B differ, and by how much; exit 0 where they do not, else 1."""
    from converters.destination import present
    from converters.registry import entered

    first, second = entered(first), entered(second)
    present(first)
    present(second)
    import converters

    converters.guard()
    from converters.comparing import compare as unlike, compare_in
    from converters.comparing.show import document, show

    asked: dict[str, Any] = {"source": source, "options": _options(settings), "tolerance": tolerance}
    look = partial(compare_in, engine) if engine else unlike
    found = look(first, second, samples=samples, **asked)
    if as_json:
        from json import dumps

        click.echo(dumps(document(found, str(first), str(second), tolerance), indent=2, ensure_ascii=False))
    else:
        show(found, first.name, second.name)
    return FOUND if found else CONVERTED


@kinegraph.command()
@click.argument("src", type=ANY_PATH)
@option(
    "-o", "The page; SRC.html in the current folder where not given.", "--output", "out", metavar="FILE", type=ANY_PATH
)
@option("--compare", "Show this model too, and where it differs.", "other", metavar="OTHER", type=ANY_PATH)
@option("--to", "Report what a conversion into this format would lose.", "target", metavar="F")
@option("--pose", "The pose to open with, as for convert.", metavar="POSE", multiple=True)
@option("--clamp", "Move positions outside the limits to the nearest limit.", is_flag=True)
@option("--trajectory", "A motion to play, as for convert.", metavar="MOTION", multiple=True)
@choice("--quality", "Pixels of images: 512, 1024, 2048 or as they are.", "medium", "low", "medium", "high", "full")
@option("--model", "The one model of several.", metavar="NAME")
@option("--open", "Open the page in a browser.", "opened", is_flag=True)
@reading
def view(
    src: Path,
    out: Path | None,
    source: str | None,
    other: Path | None,
    target: str | None,
    quality: str,
    opened: bool,
    **settings: Any,
) -> None:
    """Write one HTML page that shows the model SRC and moves its joints; it needs no network and no server."""
    from converters.destination import check, save
    from converters.registry import entered

    src, out = entered(src), out or Path(f"{src.stem}.html")
    for each in (src, entered(other) if other else src):
        check(each, out, None)
    import converters

    converters.guard()
    from converters.viewer import view as made

    text, advice = made(src, source=source, options=_options(settings), other=other, target=target, quality=quality)
    save(out, text)
    click.echo(f"{src} -> {out} ({out.stat().st_size / 1e6:.1f} MB{advice})", err=True)
    if opened:
        click.launch(str(out))


@kinegraph.command()
@click.option("--json", "as_json", is_flag=True, help="One stable JSON document.")
def formats(as_json: bool) -> None:
    """List the formats that can be read and written."""
    from converters.registry import formats as known

    if as_json:
        from json import dumps

        rows = [
            {
                "name": item.name,
                "title": item.title,
                "suffixes": list(item.suffixes),
                "reads": item.read is not None,
                "writes": item.write is not None,
            }
            for item in known().values()
        ]
        click.echo(dumps({"schema_version": 1, "formats": rows}, indent=2, ensure_ascii=False))
        return
    cells = [("name", "title", "suffixes", "reads", "writes")]
    cells += [
        (item.name, item.title, " ".join(item.suffixes), "yes" if item.read else "no", "yes" if item.write else "no")
        for item in known().values()
    ]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for line in cells:
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())
