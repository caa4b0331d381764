"""`kinegraph compare`: where two models differ."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click

from converters.commands.ending import CONVERTED, FOUND, say_json
from converters.commands.options import ANY_PATH, POSITIVE, Command, Count, choice, option, reading, settled


@click.command(cls=Command)
@click.argument("first", metavar="A", type=ANY_PATH)
@click.argument("second", metavar="B", type=ANY_PATH)
@reading
@option(
    "--tolerance", "By how much numbers may differ, as a share of them.", type=POSITIVE, default=1e-9, show_default=True
)
@option(
    "--samples",
    "Random configurations that are compared.",
    metavar="N",
    type=Count(1, 1000),
    default=10,
    show_default=True,
)
@choice("--engine", "Let this engine read both (pip install 'kinegraph[engines]').", "mujoco", "pinocchio", "drake")
@option(
    "--native",
    "Read both as other programs do: without what an earlier conversion carried in them for the way back.",
    "carried",
    is_flag=True,
    flag_value=False,
    default=True,
)
@option("--model", "Only this one of several models, in A and in B.", metavar="NAME")
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
    """Print where the models A and B differ, and by how much.

    Exit codes: 0 they are the same robot; 1 they differ; 2 one of them cannot be read.
    """
    from converters.present import check_present
    from converters.registry import model_document

    first, second = model_document(first), model_document(second)
    check_present(first)
    check_present(second)
    import converters

    converters.guard()
    from converters.comparing import (
        ASPECTS,
        NOT_COMPARED,
        compare as unlike,
        compare_in,
        looked_at,
        notes_of_readings,
        passed_over,
    )
    from converters.comparing.show import document, show, titles
    from converters.reading import load
    from converters.report.safe import printable

    asked: dict[str, Any] = {"source": source, "options": settled(settings), "tolerance": tolerance}
    told: list[str] = []
    look = (
        partial(compare_in, engine)
        if engine
        else partial(unlike, hear=lambda both: told.extend(notes_of_readings(both)))
    )
    aspects, left = (looked_at(engine), passed_over(engine)) if engine else (ASPECTS, NOT_COMPARED)
    found = look(first, second, samples=samples, **asked)
    if engine and asked["options"].arguments:
        both = [load(path, source=source, options=asked["options"]) for path in (first, second)]
        told += [line for line in notes_of_readings(both) if line.startswith("--arg")]
    if as_json:
        say_json(document(found, str(first), str(second), tolerance, aspects, left))
    else:
        show(found, *titles(first, second), aspects, [*left])
    for line in told:
        click.echo(printable(line), err=True)
    return FOUND if found else CONVERTED
