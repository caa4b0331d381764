"""The reports of a batch: one a model, written by whoever converts it, and all of them merged at the end."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field
from msgspec.structs import replace

from converters.batch.entries import CONVERTED, FAILED, LOSSES, code, losses
from converters.batch.plan import Job, Settings
from converters.batch.store import Store
from converters.version import __version__
from ir.types import Role

if TYPE_CHECKING:
    from converters.batch.find import Found
    from converters.batch.journal import Entry, Journal
    from converters.convert import Reading
    from converters.report.model import Report

MODELS = "models"
"""Folder of the single reports."""
MERGED = "report.json"
PAGE = ".view.html"
"""Ends the name of a page; no model ends in .view, so it is no name of a report."""
COLLISIONS = ".collision.png"
"""Ends the name of a picture of what collides, where there is nothing else to be seen."""
PICTURE = (320, 240)
"""Pixels."""
SKIPPED, WAITING = "skipped", "not reached"

_FAILURE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{model}</title>
<style>:root {{ color-scheme: light dark; }} body {{ font: 15px/1.55 system-ui, sans-serif; margin: 2rem auto;
 max-width: 60rem; padding: 0 1rem; overflow-wrap: anywhere; }} p {{ font-family: ui-monospace, monospace; }}</style>
</head><body><h1>{model}: not converted</h1><p>{message}</p><footer>kinegraph {version}</footer></body></html>
"""


def save(job: Job, report: Report, reading: Reading, settings: Settings, store: Store) -> dict[str, str]:
    """Write the report of a model as JSON and HTML, and a picture of it: path below the report's folder -> digest."""
    from converters.report.document import json as as_json
    from converters.report.page import html

    forms = {".json": as_json(report).encode("utf-8", "backslashreplace"), ".html": _page(html(report))}
    picture = _picture(reading, job, settings)
    if picture is not None:
        forms[COLLISIONS if _unseen(reading) else ".png"] = picture
    page = _shown(reading, report) if settings.pages else None
    if page is not None:
        forms[PAGE] = page
    return _put(job.model, forms, settings, store)


def save_failure(entry: Entry, settings: Settings, store: Store) -> dict[str, str]:
    """The same for a model that was not converted."""
    told = {"schema_version": 1, "tool": {"name": "kinegraph", "version": __version__}}
    told |= {"source": {"path": entry["model"]}, "error": entry["message"]}
    words = {name: escape(text) for name, text in (("model", entry["model"]), ("message", entry["message"]))}
    page = _FAILURE.format(version=escape(__version__), **words)
    return _put(entry["model"], {".json": _dumped(told), ".html": _page(page)}, settings, store)


def _page(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")


def _dumped(plain: object, indent: int | None = 2) -> bytes:
    return (json.dumps(plain, indent=indent, ensure_ascii=False) + "\n").encode("utf-8", "backslashreplace")


def _open(plain: dict[str, Any], indent: int | None = 2) -> bytes:
    """A JSON object without its closing brace, to which more members are appended."""
    return _dumped(plain, indent).rstrip().removesuffix(b"}").rstrip()


def _put(model: str, forms: dict[str, bytes], settings: Settings, store: Store) -> dict[str, str]:
    assert settings.report is not None
    store.stage.mkdir(parents=True, exist_ok=True)
    names = {f"{MODELS}/{model}{suffix}": data for suffix, data in forms.items()}
    return {name: store.replace(Path(settings.report, name), data) for name, data in names.items()}


def _picture(reading: Reading, job: Job, settings: Settings) -> bytes | None:
    """The model as PNG, where a format of that name is installed. A picture that fails is no loss of the model."""
    from converters.convert import make
    from converters.registry import formats

    drawn = formats().get("png")
    if drawn is None or drawn.write is None:
        return None
    assert settings.report is not None
    with suppress(Exception):
        path = Path(settings.report, MODELS, f"{job.model}.png")
        show = "collision" if _unseen(reading) else settings.options.show
        options = replace(settings.options, size=PICTURE, show=show)
        return make(reading, path, target="png", options=options, packaged=False).output.document
    return None


def _unseen(reading: Reading) -> bool:
    """Whether a model has collision shapes and nothing to see: then its picture shows the collision shapes."""
    roles = {geom.role for body in reading.scene.bodies.values() for geom in body.geoms if geom.shape is not None}
    return Role.COLLISION in roles and not roles.intersection(Role.SEEN)


def _shown(reading: Reading, report: Report) -> bytes | None:
    """The page of the model. One that cannot be made is no loss of the model either."""
    from converters.viewer.view import shown

    with suppress(Exception):
        return _page(shown(reading, report))
    return None


# ---------------------------------------------------------------------------------------- all of them


class Totals(Struct):
    """A batch in numbers. found == converted + failed + skipped + waiting."""

    found: int = 0
    converted: int = 0
    unchanged: int = 0
    with_losses: int = 0
    failed: int = 0
    skipped: int = 0
    waiting: int = 0
    code: int = 0
    """The largest exit code of any model."""
    actions: Counter[str] = field(default_factory=Counter)
    rules: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    """(action, rule) -> findings, models."""
    causes: dict[str, list[str]] = field(default_factory=dict)
    """What failures had in common -> how many (as text), and the first model."""


def tally(rows: Iterator[tuple[str, Entry | None, str]], fail_on: str | None) -> Totals:
    """Count what rows gives."""
    totals = Totals()
    counts: Counter[str] = Counter()
    for model, entry, why in rows:
        totals.found += 1
        if entry is None:
            totals.skipped += bool(why)
            totals.waiting += not why
            continue
        totals.code = max(totals.code, code(entry, fail_on))
        if entry["status"] == FAILED:
            totals.failed += 1
            counts[entry["cause"]] += 1
            totals.causes.setdefault(entry["cause"], ["", model])
            continue
        totals.converted += 1
        totals.with_losses += losses(entry) > 0
        totals.actions.update({action: entry["totals"][action] for action in LOSSES})
        for action, rule, count in entry["rules"]:
            both = totals.rules.setdefault((action, rule), [0, 0])
            both[0] += count
            both[1] += 1
    totals.causes = {why: [str(count), totals.causes[why][1]] for why, count in _ranked(counts)}
    return totals


def _ranked(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def rows(planned: list[Job], parts: list[Found], journal: Journal) -> Iterator[tuple[str, Entry | None, str]]:
    """Every model that was found, in order: its path, its entry, and why it was skipped. One entry is in memory."""
    why = {item.model: item.part for item in parts}
    for model in sorted([*why, *(job.model for job in planned)]):
        yield (model, None, why[model]) if model in why else (model, journal.get(model), "")


def merge(settings: Settings, planned: list[Job], parts: list[Found], journal: Journal, totals: Totals) -> None:
    """Write report.json, report.sarif and index.html into the folder of the report. Raises OSError."""
    from converters.batch.gallery import gallery
    from converters.batch.sarif import Merged

    assert settings.report is not None
    stage, folder = settings.report_stage, Path(settings.report)
    stage.mkdir(parents=True, exist_ok=True)
    with (stage / MERGED).open("wb") as file, Merged(stage / "report.sarif") as merged:
        head = {"schema_version": 1, "tool": {"name": "kinegraph", "version": __version__}, "totals": numbers(totals)}
        file.write(_open(head) + b',\n"models": [')
        comma = b"\n"
        for model, entry, why in rows(planned, parts, journal):
            text = _single(model, entry, settings)
            file.write(comma + _member(model, entry, why, text))
            comma = b",\n"
            merged.add(model, entry, text)
        file.write(b"\n]}\n")
    with (stage / "index.html").open("wb") as file:
        for piece in gallery(settings, rows(planned, parts, journal), totals):
            file.write(_page(piece))
    for name in (MERGED, "report.sarif", "index.html"):
        (stage / name).replace(folder / name)


def numbers(totals: Totals) -> dict[str, Any]:
    """The totals for machines: nothing in them depends on how often the batch was taken up again."""
    names = ("found", "converted", "with_losses", "failed", "skipped")
    plain = {name: getattr(totals, name) for name in names} | {action: totals.actions[action] for action in LOSSES}
    causes = [{"cause": why, "count": int(count), "first": model} for why, (count, model) in totals.causes.items()]
    ruled = sorted(totals.rules.items(), key=lambda item: (-item[1][1], item[0]))
    rules = [{"action": a, "rule": r, "count": found, "models": models} for (a, r), (found, models) in ruled]
    return plain | {"causes": causes, "rules": rules}


def _single(model: str, entry: Entry | None, settings: Settings) -> bytes:
    """The report of a model as it was written."""
    assert settings.report is not None
    if entry is None or entry["status"] != CONVERTED:
        return b""
    try:
        return Path(settings.report, MODELS, f"{model}.json").read_bytes()
    except OSError:
        return b""


def _member(model: str, entry: Entry | None, why: str, text: bytes) -> bytes:
    if entry is None:
        told = {"model": model, "status": SKIPPED if why else WAITING} | ({"reason": why} if why else {})
        return _dumped(told, None).rstrip()
    told = {"model": model, "status": entry["status"]}
    if entry["status"] == FAILED:
        return _dumped(told | {"cause": entry["cause"], "message": entry["message"]}, None).rstrip()
    told |= {"target": entry["target"]}
    return _open(told, None) + b', "report": ' + (text.strip() or b"null") + b"}"


def link(path: str, base: str) -> str:
    """A path as a relative reference for a page in the folder base; names need not be text."""
    from urllib.parse import quote

    return quote(os.fsencode(os.path.relpath(path, base)))
