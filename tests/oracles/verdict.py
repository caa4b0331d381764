"""The results of a check of one model, by criterion, as plain data that can be passed between processes."""

from __future__ import annotations

from typing import Any, Protocol

GOOD, EXCUSED, FAILED = "good", "excused", "failed"
KEPT = 12
"""Maximum number of messages kept per criterion."""


class Naming(Protocol):
    """Whether a report names a place of the source: that very place, or (not exact) something inside or around it."""

    def __call__(self, place: str, exact: bool = False) -> bool: ...


class Verdicts:
    """good unless excused or failed. Excused: there was nothing to compare (or not all of it), and why."""

    def __init__(self) -> None:
        self.criteria: dict[str, dict[str, Any]] = {}

    def good(self, criterion: str) -> None:
        self._of(criterion)

    def excuse(self, criterion: str, why: str) -> None:
        verdict = self._of(criterion)
        if verdict["verdict"] == GOOD:
            verdict["verdict"] = EXCUSED
        _keep(verdict["excuses"], why)

    def fail(self, criterion: str, why: str) -> None:
        verdict = self._of(criterion)
        verdict["verdict"] = FAILED
        _keep(verdict["failures"], why)

    def failed(self, criterion: str) -> bool:
        return criterion in self.criteria and self.criteria[criterion]["verdict"] == FAILED

    def _of(self, criterion: str) -> dict[str, Any]:
        return self.criteria.setdefault(criterion, {"verdict": GOOD, "excuses": [], "failures": []})


def _keep(messages: list[str], message: str) -> None:
    if len(messages) < KEPT and message not in messages:
        messages.append(message)
    elif len(messages) == KEPT:
        messages.append("...")
