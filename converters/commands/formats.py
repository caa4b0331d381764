"""`kinegraph formats`: what can be read and written."""

from __future__ import annotations

import click

from converters.commands.ending import say_json


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One stable JSON document.")
def formats(as_json: bool) -> None:
    """List the formats that can be read and written."""
    from converters.registry import formats as known

    if as_json:
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
        say_json({"schema_version": 1, "formats": rows})
        return
    cells = [("name", "title", "suffixes", "reads", "writes")]
    cells += [
        (item.name, item.title, " ".join(item.suffixes), "yes" if item.read else "no", "yes" if item.write else "no")
        for item in known().values()
    ]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for line in cells:
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())
