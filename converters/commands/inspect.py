"""`kinegraph inspect`: the contents of a model."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click

from converters.chains.sequence import DIALECTS
from converters.commands.ending import say_json
from converters.commands.options import ANY_PATH, Command, ends, option, posing, reading, settled


@click.command(cls=Command)
@click.argument("src", type=ANY_PATH)
@reading
@option("--kinematics", "Print chains instead: elementary transforms and Denavit-Hartenberg rows.", is_flag=True)
@option(
    "--tip",
    "Print the chain to this link or frame (MJCF: site), not the tree; --kinematics without it: to all leaves.",
    "tips",
    metavar="LINK",
    multiple=True,
)
@option(
    "--ets", "Print chains instead, spelt as Robotics Toolbox does, or for a paper.", type=click.Choice(tuple(DIALECTS))
)
@posing
@option("--model", "Only this one of several models.", metavar="NAME")
@option("--svg", "Also draw the tree into this file.", "drawn", metavar="FILE.svg", type=ANY_PATH)
@click.option("--json", "as_json", is_flag=True, help="One stable JSON document.")
def inspect(
    src: Path,
    source: str | None,
    kinematics: bool,
    tips: tuple[str, ...],
    ets: str | None,
    drawn: Path | None,
    as_json: bool,
    **settings: Any,
) -> None:
    """Print the tree of links and joints of the model SRC with masses, limits and counts, or a chain of it."""
    from converters.destination import check, save
    from converters.present import check_present
    from converters.registry import model_document

    src = model_document(src)
    check_present(src)
    if drawn is not None:
        check(src, drawn)
        ends(drawn, "--svg", ".svg")
    import converters

    converters.guard()
    if drawn is not None:
        from converters.drawing import svg

        save(drawn, svg(converters.read(src, source=source, options=settled(settings))))
    found: Any
    if kinematics or tips or ets or settings["pose"] or settings["pose_name"]:
        from converters.chains.describe import described, show as shown

        chains = described(src, tips, source=source, options=settled(settings), ets=ets)
        found, print_ = {"schema_version": 1, "chains": chains}, partial(shown, chains)
    else:
        from converters.inspection import document, show

        found = document(src, source=source, options=settled(settings))
        print_ = partial(show, found)
    if as_json:
        say_json(found)
    else:
        print_()
