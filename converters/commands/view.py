"""`kinegraph view`: a page that shows a model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from converters.commands.options import (
    ANY_PATH,
    WRITABLE,
    WRITTEN,
    Command,
    choice,
    ends,
    option,
    posing,
    reading,
    settled,
)


@click.command(cls=Command)
@click.argument("src", type=ANY_PATH)
@option(
    "-o",
    "The page to write (default: SRC.html in the current folder).",
    "--output",
    "out",
    metavar="FILE",
    type=ANY_PATH,
)
@option("--compare", "Show this model too, and where it differs.", "other", metavar="OTHER", type=ANY_PATH)
@option("--to", f"Show what a conversion into this format would lose: {WRITTEN}.", "target", metavar="F", type=WRITABLE)
@posing
@option("--trajectory", "A motion to play, as for convert.", metavar="MOTION", multiple=True)
@choice(
    "--quality", "Pixels of images: 512, 1024, 2048 or as they are.", "low", "medium", "high", "full", default="medium"
)
@option("--model", "Only this one of several models.", metavar="NAME")
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
    from converters.registry import model_document, output_title

    src, out = model_document(src), out or Path(f"{output_title(src)}.html")
    for each in (src, model_document(other) if other else src):
        check(each, out)
    ends(out, "--output", ".html", ".htm")
    import converters

    converters.guard()
    from converters.report.safe import printable
    from converters.viewer import view as made

    text, advice = made(src, source=source, options=settled(settings), other=other, target=target, quality=quality)
    save(out, text)
    click.echo(printable(f"{src} -> {out} ({out.stat().st_size / 1e6:.1f} MB{advice})"), err=True)
    if opened:
        click.launch(str(out))
