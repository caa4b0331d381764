"""The reports of all models of a batch merged: one JSON file, one SARIF file, one page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from converters.batch.entries import CONVERTED, FAILED
from converters.batch.find import Found
from converters.batch.gallery import MERGED, SKIPPED, WAITING, gallery
from converters.batch.plan import BatchSettings, Entry, Job
from converters.batch.sarif import Merged
from converters.batch.single import MODELS, dumped, encoded, flat
from converters.batch.totals import Totals, numbers
from converters.version import __version__

if TYPE_CHECKING:
    from converters.batch.journal import Journal


def rows(planned: list[Job], parts: list[Found], journal: Journal) -> Iterator[tuple[str, Entry | None, str]]:
    """Every model that was found, in order: its path, its entry, and why it was skipped. One entry is in memory."""
    why = {item.model: item.part for item in parts}
    for model in sorted([*why, *(job.model for job in planned)]):
        yield (model, None, why[model]) if model in why else (model, journal.get(model), "")


def merge(settings: BatchSettings, planned: list[Job], parts: list[Found], journal: Journal, totals: Totals) -> None:
    """Write report.json, report.sarif and index.html into the folder of the report. Raises OSError."""
    stage, folder = settings.report_stage, Path(settings.report)
    stage.mkdir(parents=True, exist_ok=True)
    with (stage / MERGED).open("wb") as file, Merged(stage / "report.sarif") as merged:
        head = {"schema_version": 1, "tool": {"name": "kinegraph", "version": __version__}, "totals": numbers(totals)}
        file.write(_open(dumped(head)) + b',\n"models": [')
        comma = b"\n"
        for model, entry, why in rows(planned, parts, journal):
            text = _single(model, entry, settings)
            file.write(comma + _member(model, entry, why, text))
            comma = b",\n"
            merged.add(model, entry, text)
        file.write(b"\n]}\n")
    with (stage / "index.html").open("wb") as file:
        for piece in gallery(settings, rows(planned, parts, journal), totals):
            file.write(encoded(piece))
    for name in (MERGED, "report.sarif", "index.html"):
        (stage / name).replace(folder / name)


def _open(plain: bytes) -> bytes:
    """A JSON object without its closing brace, to which more members are appended."""
    return plain.rstrip().removesuffix(b"}").rstrip()


def _single(model: str, entry: Entry | None, settings: BatchSettings) -> bytes:
    """The report of a model as it was written."""
    if entry is None or entry["status"] != CONVERTED:
        return b""
    try:
        return Path(settings.report, MODELS, f"{model}.json").read_bytes()
    except OSError:
        return b""


def _member(model: str, entry: Entry | None, why: str, text: bytes) -> bytes:
    if entry is None:
        told = {"model": model, "status": SKIPPED if why else WAITING} | ({"reason": why} if why else {})
        return flat(told)
    told = {"model": model, "status": entry["status"]}
    if entry["status"] == FAILED:
        return flat(told | {"cause": entry["cause"], "message": entry["message"]})
    told |= {"target": entry["target"]}
    return _open(flat(told)) + b', "report": ' + (text.strip() or b"null") + b"}"
