"""The reports of all models of a batch merged: one JSON file, one SARIF file, one page."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any

from converters.batch.entries import CONVERTED, FAILED, blamed
from converters.batch.gallery import MERGED, SKIPPED, WAITING, gallery
from converters.batch.plan import BatchSettings, Entry, Job
from converters.batch.single import MODELS, dumped, encoded, flat
from converters.batch.totals import Totals, numbers
from converters.discovery import Found
from converters.report.model import Action, Finding, Severity
from converters.report.sarif import SCHEMA, described, result
from converters.version import __version__
from ir.types import Source

if TYPE_CHECKING:
    from converters.batch.journal import Journal


def rows(planned: list[Job], parts: list[Found], journal: Journal) -> Iterator[tuple[str, Entry | None, str]]:
    """Yield every model that was found, in order: path, entry, and why it was skipped. One entry is in memory."""
    why = {item.model: item.part for item in parts}
    for model in sorted([*why, *(job.model for job in planned)]):
        yield (model, None, why[model]) if model in why else (model, journal.get(model), "")


def merge(settings: BatchSettings, planned: list[Job], parts: list[Found], journal: Journal, totals: Totals) -> None:
    """Write report.json, report.sarif and index.html to the folder of the report. Raises OSError."""
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
    """Return a JSON object without its closing brace, so that more members can be appended."""
    return plain.rstrip().removesuffix(b"}").rstrip()


def _single(model: str, entry: Entry | None, settings: BatchSettings) -> bytes:
    """Return the report of a model as written; b"" if there is none."""
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


REFUSED = "batch/not-converted"


class Merged:
    """The findings of all models as one SARIF file, streamed to disk (only the rules are kept in memory) and written
    when the block ends without an error."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rules: dict[str, dict[Action, Finding]] = {}
        """Rule -> one finding for each of its actions, from which the description of the rule is made."""
        self._results: IO[bytes] = tempfile.TemporaryFile(dir=path.parent)  # noqa: SIM115

    def __enter__(self) -> Merged:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        with self._results:
            if error is None:
                self._write()

    def add(self, model: str, entry: Entry | None, text: bytes) -> None:
        """Add the report of a model, as JSON, or the failure in its entry."""
        if text:
            for plain in json.loads(text)["findings"]:
                self._add(_finding(plain), model)
        elif entry is not None and entry["status"] == FAILED:
            failed = Finding(
                rule=REFUSED,
                action=Action.UNEXPLAINED,
                severity=Severity.ERROR,
                where="document",
                reason="the model could not be converted",
                sources=blamed(entry),
            )
            self._add(failed, model, {"text": entry["message"]})

    def _add(self, finding: Finding, model: str, message: dict[str, str] | None = None) -> None:
        self.rules.setdefault(finding.rule, {}).setdefault(finding.action, finding)
        plain = result(finding, list(self.rules).index(finding.rule), model)
        if message is not None:
            plain |= {"message": message, "properties": {"action": "failed"}}
        comma = b",\n" if self._results.tell() else b""
        self._results.write(comma + flat(plain))

    def _write(self) -> None:
        rules = [described(rule, list(found.values())) for rule, found in self.rules.items()]
        driver = {"name": "kinegraph", "version": __version__, "rules": rules}
        head = flat({"$schema": SCHEMA, "version": "2.1.0"}).removesuffix(b"}")
        with self.path.open("wb") as file:
            file.write(head + b', "runs": [{"tool": ' + flat({"driver": driver}))
            file.write(b', "columnKind": "unicodeCodePoints", "results": [\n')
            self._results.seek(0)
            shutil.copyfileobj(self._results, file)
            file.write(b"\n]}]}\n")


def _finding(plain: dict[str, Any]) -> Finding:
    """Return the finding that converters.report.document has serialised."""
    named = {name: value for name, value in plain.items() if name not in ("action", "severity", "sources")}
    places = tuple(Source(place["file"], place["line"], place["path"]) for place in plain["sources"])
    return Finding(**named, action=Action(plain["action"]), severity=Severity(plain["severity"]), sources=places)
