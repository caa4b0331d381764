"""How commands end: exit codes, the one-line message of a failure, and JSON on stdout."""

from __future__ import annotations

from typing import Any

import click

CONVERTED, FOUND, FAILED, UNEXPLAINED, INTERRUPTED = 0, 1, 2, 3, 130
"""Exit codes: converted; the same with findings at or above --fail-on; not converted; a defect of ours; Ctrl-C."""
LONGEST = 400
"""Characters of a message: a model may contain a word of a million letters."""


def failed(message: str) -> int:
    """Print an error on stderr, in one line; returns the exit code."""
    from converters.report.safe import printable

    text = printable(" ".join(message.split()))
    if len(text) > LONGEST:
        text = f"{text[: LONGEST - 100]} … {text[-90:]}"
    click.echo(f"kinegraph: {text}", err=True)
    return FAILED


def say_json(document: Any) -> None:
    """Print the form for programs: one stable JSON document."""
    from json import dumps

    click.echo(dumps(document, indent=2, ensure_ascii=False))
