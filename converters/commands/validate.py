"""`kinegraph validate`: what is wrong with a model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from converters.commands.ending import FAILED, failed
from converters.commands.options import ANY_PATH, Command, choice, option, settled, validating

if TYPE_CHECKING:
    from converters.validating import Verdict


@click.command(cls=Command)
@click.argument("src", type=ANY_PATH)
@click.option(
    "--format",
    "form",
    type=click.Choice(("text", "json", "sarif")),
    default="text",
    help="Lines for people, or one document for programs.",
)
@option(
    "--fix",
    "Write SRC into this file, with what can be repaired without changing the model; add --fix all to repair the rest.",
    "fixes",
    metavar="OUT|all",
    multiple=True,
)
@choice("--engine", "Ask this engine, too (pip install 'kinegraph[engines]').", "mujoco", "pinocchio", "drake")
@validating
def validate(
    src: Path, source: str | None, form: str, engine: str | None, fixes: tuple[str, ...], **settings: Any
) -> int:
    """Tell everything that is wrong with the model SRC by the rules of its format, and repair it on request.

    An engine is asked about SRC as it is: MuJoCo about MJCF, Pinocchio about URDF, Drake about SDFormat.

    Exit codes: 0 nothing but infos; 1 errors or warnings (with --fix: left in the file written); 2 unreadable.
    """
    from converters.destination import check
    from converters.present import check_present
    from converters.registry import model_document

    places = [Path(each) for each in fixes if each != "all"]
    if len(places) > 1 or (fixes and not places):
        message = "name one file to write" if places else "name a file to write as well: --fix all --fix OUT"
        raise click.BadParameter(message, param_hint="--fix")
    src = model_document(src)
    check_present(src)
    for place in places:
        check(src, place)
    import converters

    converters.guard()
    from converters.context import InputError
    from converters.validating import validate as judged
    from converters.validating.fixing import repair
    from converters.validating.show import show, text

    options = settled(settings)
    verdict = judged(src, source=source, options=options)
    if engine is not None:
        verdict = _asked(engine, src, verdict)
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
        failed(refused)
    return verdict.exit_code if fixed is None else fixed.after.exit_code


def _asked(engine: str, src: Path, verdict: Verdict) -> Verdict:
    """The verdict with the objections of an engine to the model."""
    from msgspec.structs import replace

    from converters.comparing import refusal
    from converters.validating.model import Breach

    read = verdict.reading  # for a xacro, the verdict is about its expansion
    said = refusal(engine, src, verdict.format if read is None else read.format.name, read)
    if not said:
        return verdict
    breach = Breach(rule="ENGINE", where="document", message=f"{engine}: {said}")
    return replace(verdict, breaches=(breach, *verdict.breaches))
