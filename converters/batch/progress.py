"""Terminal output of a batch: a progress bar or a line per model while it runs, and a table at the end."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Protocol

from converters.batch.entries import CONVERTED, LOSSES, outcome
from converters.batch.plan import Entry, Job
from converters.batch.totals import Totals, reasons
from converters.discovery import Found
from converters.paths import short_way
from converters.report.model import LOOKS
from converters.report.safe import printable

CAUSES = 15
"""Most causes listed in the table; the reports list all."""
PACKAGES = 5
"""Most packages listed among those whose files were not found."""
WIDTH = 110


class Told(Protocol):
    """Called for each finished model with its job, its result in one word, and its entry."""

    def __call__(self, job: Job, word: str, entry: Entry | None) -> None: ...


@contextmanager
def progress_shown(total: int, folder: str) -> Iterator[Told]:
    """Show a progress bar on a terminal, else print a line per model. folder is that of the models, "" for a URL."""
    if not sys.stderr.isatty():
        count = 0

        def say(job: Job, word: str, entry: Entry | None) -> None:
            nonlocal count
            count += 1
            print(_line(job, word, entry, folder, f"{count}/{total}"), file=sys.stderr, flush=True)

        yield say
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=Console(stderr=True)) as progress:
        bar = progress.add_task("", total=total)

        def move(job: Job, word: str, entry: Entry | None) -> None:
            if word == "failed":
                progress.console.print(
                    _line(job, word, entry, folder), style="red", markup=False, highlight=False, soft_wrap=True
                )
            progress.update(bar, advance=1, description=escape(_short(job.model)))

        yield move


def _line(job: Job, word: str, entry: Entry | None, folder: str, at: str = "") -> str:
    """Return a model and its result; for a failure, with a source location relative to the current folder."""
    head = f"[{at}] {word} {job.model}" if at else f"{word} {job.model}"
    if entry is None:
        return printable(head)
    if entry["status"] != CONVERTED:
        message = entry["message"]
        if not message.startswith(f"{job.model}:"):
            return printable(f"{head}: {message}")
        file = short_way(os.path.join(folder, job.model), os.curdir) if folder else job.model
        return printable(f"{head.removesuffix(job.model)}{file}{message[len(job.model) :]}")
    return printable(f"{head} -> {job.target}: {outcome(entry)}")


def _short(text: str) -> str:
    text = printable(text)
    return text if len(text) <= 60 else f"…{text[-59:]}"


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 1]}…"


def table(totals: Totals) -> str:
    """Return the final table of a batch: the results of all models found, and the causes of failures."""
    rows: list[tuple[str, int | str, str]] = [("found", totals.found, "")]
    again = f"{totals.unchanged} of them unchanged since the last run" if totals.unchanged else ""
    rows += [("converted", totals.converted, again)]
    rows += [("  without losses", totals.converted - totals.with_losses, "")]
    lost = ", ".join(f"{totals.actions[action]} {action}" for action in LOSSES if totals.actions[action])
    rows += [("  with losses", totals.with_losses, lost)]
    where = f"say where with {'--package NAME=DIR or ' if totals.packages else ''}--resource-path DIR"
    beside = totals.rules.get(("noted", LOOKS), [0])[0]
    rows += [("files not found", totals.missing, where if totals.missing > beside else "")] if totals.missing else []
    rows += [("", beside, "of them wanted beside the mesh that names them")] if beside else []
    rows += [("", count, printable(f"--package {name}=DIR")) for name, count in totals.packages.most_common(PACKAGES)]
    rows += [("failed", totals.failed, "")]
    rows += [("", count, printable(why)) for count, why in reasons(totals)[:CAUSES]]
    if len(totals.causes) > CAUSES:
        rows.append(("", 0, f"… and {len(totals.causes) - CAUSES} other causes"))
    rows += [("skipped", totals.skipped, "parts of other models, outputs of a batch" if totals.skipped else "")]
    rows += [("not reached", totals.waiting, "run again with --resume")] if totals.waiting else []
    if totals.left:
        rows.append(("left over", len(totals.left), "outputs of models that are gone; delete what you do not need"))
        rows += [("", "", printable(f"{target}  ({model})")) for model, target in list(totals.left.items())[:CAUSES]]
    if len(totals.left) > CAUSES:
        rows.append(("", "", f"… and {len(totals.left) - CAUSES} others"))
    return "\n".join(
        f"{name:<18}{count or ('' if not name else 0):>7}  {_cut(note, WIDTH)}".rstrip() for name, count, note in rows
    )


def outlook(planned: list[Job], parts: list[Found], states: Mapping[str, str], left: Mapping[str, str]) -> str:
    """Return the table of --dry-run: every model, what would be done with it, and its output; left are remaining
    outputs of models that no longer exist."""
    lines = [
        (states.get(job.model, "convert"), job.model, job.target if not job.refused else job.refused) for job in planned
    ]
    lines += [("skip", item.model, item.part) for item in parts]
    lines += [("gone", model, f"{target} is left of it") for model, target in left.items()]
    lines.sort(key=lambda each: each[1])
    cells = [tuple(map(printable, each)) for each in lines]
    first = max((len(state) for state, _, _ in cells), default=0)
    second = min(max((len(model) for _, model, _ in cells), default=0), 70)
    return "\n".join(f"{state:<{first}}  {model:<{second}}  {target}" for state, model, target in cells)
