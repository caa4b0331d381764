"""The findings of all models as one SARIF file, written as they come: only the rules are kept in memory."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from converters.batch.entries import FAILED
from converters.batch.plan import Entry
from converters.batch.single import flat
from converters.report.model import Action, Finding, Severity
from converters.report.sarif import SCHEMA, described, result
from converters.version import __version__
from ir.types import Source

REFUSED = "batch/not-converted"


class Merged:
    """Writes the file when the block ends without an error."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rules: dict[str, dict[Action, Finding]] = {}
        """Rule -> a finding for each action it has: what the description of a rule is made of."""
        self._results: IO[bytes] = tempfile.TemporaryFile(dir=path.parent)  # noqa: SIM115

    def __enter__(self) -> Merged:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        with self._results:
            if error is None:
                self._write()

    def add(self, model: str, entry: Entry | None, text: bytes) -> None:
        """Take the report of a model, as JSON, or the failure that its entry tells of."""
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
    """What converters.report.document has written of a finding."""
    named = {name: value for name, value in plain.items() if name not in ("action", "severity", "sources")}
    places = tuple(Source(place["file"], place["line"], place["path"]) for place in plain["sources"])
    return Finding(**named, action=Action(plain["action"]), severity=Severity(plain["severity"]), sources=places)
