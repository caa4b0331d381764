"""`kinegraph batch`: a whole folder."""

from __future__ import annotations

from typing import Any

import click

from converters.commands.options import (
    ANY_NAME,
    POSITIVE,
    WRITABLE,
    WRITTEN,
    Command,
    Count,
    converting,
    in_bytes,
    level,
    option,
    settled,
)
from converters.context import InputError

LACKING = ("fcntl", "resource")
"""Modules of Python that do not exist on Windows, and that batch needs for locks and limits."""


@click.command(cls=Command)
@click.argument("src", metavar="SRC_DIR", type=ANY_NAME)
@click.argument("dst", metavar="DST_DIR", type=ANY_NAME)
@option(
    "--to",
    f"Format of all outputs: {WRITTEN}; or their suffix: world, glb, .gltf.",
    "target",
    metavar="F",
    type=WRITABLE,
)
@option("--jobs", "Processes that convert; as many as there are cores.", metavar="N", type=Count(1))
@option("--timeout", "Seconds that one model may take.", metavar="S", type=POSITIVE, default=600, show_default=True)
@option("--max-memory", "What one process may hold, such as 512M or 4G.", metavar="SIZE", callback=in_bytes)
@option("--include", "Only models of this name or path.", metavar="GLOB", multiple=True)
@option("--exclude", "No models and folders of this name or path.", metavar="GLOB", multiple=True)
@option("--resume", "Convert what is missing or has changed since the last batch.", is_flag=True)
@option("--dry-run", "Say what would be done, and do nothing.", is_flag=True)
@option("--report", "Write reports into this folder, with an index.html of all models and pictures.", metavar="DIR")
@option("--pages", "With --report: also a page that shows each model, as `view` makes it.", is_flag=True)
@option("--scheduler", "Run on the Dask cluster at this address, as tcp://host:8786.", metavar="ADDRESS")
@converting
def batch(
    src: str,
    dst: str,
    target: str | None,
    source: str | None,
    max_memory: int | None,
    fail_on: str | None,
    strict: bool,
    no_audit: bool,
    **settings: Any,
) -> int:
    """Convert every model below SRC_DIR into DST_DIR, keeping the folder structure; both may be URLs (s3://bucket/...).

    The exit code is the largest that `kinegraph convert` would have for any of the models.
    """
    if target is None:
        raise click.UsageError(f"say what to convert to, with --to {WRITTEN}")
    try:
        from converters.batch.run import Wanted, batch as run
    except ModuleNotFoundError as error:
        if error.name not in LACKING:
            raise
        raise InputError("batch does not run on Windows: use it in WSL, or convert the models one by one") from error

    ours = {name: settings.pop(name) for name in Wanted.__struct_fields__ if name in settings}
    options = settled(settings | {"audit": not no_audit})
    wanted = Wanted(**ours, origin=source, memory=max_memory, fail_on=level(fail_on, strict))
    try:
        code, table = run(src, dst, target, options, wanted)
    except OSError as error:
        if error.filename is None:  # a full disk gives an error without a file name
            raise type(error)(error.errno, error.strerror, dst) from error
        raise
    click.echo(table)
    if wanted.report and not wanted.dry_run:
        click.echo(f"report: {wanted.report.rstrip('/')}/index.html")
    return code
