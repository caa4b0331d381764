"""The report of one model of a batch: JSON, HTML, a picture and optionally a page that shows the model."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from msgspec.structs import replace

from converters.batch.plan import BatchSettings, Entry, Job
from converters.batch.store import Store
from converters.registry import formats
from converters.version import __version__
from ir.types import Role

if TYPE_CHECKING:
    from converters.reading import Reading
    from converters.report.model import Report

MODELS = "models"
"""Folder of the reports of single models."""
PAGE = ".view.html"
"""Suffix of a page; it cannot be that of a report, because no model ends in .view."""
COLLISIONS = ".collision.png"
"""Suffix of a picture of the collision geometry, used where there is no visual geometry."""
PICTURE = (320, 240)
"""Pixels."""
_FAILURE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{model}</title>
<style>:root {{ color-scheme: light dark; }} body {{ font: 15px/1.55 system-ui, sans-serif; margin: 2rem auto;
 max-width: 60rem; padding: 0 1rem; overflow-wrap: anywhere; }} p {{ font-family: ui-monospace, monospace; }}</style>
</head><body><h1>{model}: not converted</h1><p>{message}</p><footer>kinegraph {version}</footer></body></html>
"""


def save(job: Job, report: Report, reading: Reading, settings: BatchSettings, store: Store) -> dict[str, str]:
    """Write the report of a model as JSON and HTML, with a picture: path below the report's folder -> digest."""
    from converters.report.document import json as as_json
    from converters.report.page import html

    forms = {".json": as_json(report).encode("utf-8", "backslashreplace"), ".html": encoded(html(report))}
    picture = _picture(reading, job, settings)
    if picture is not None:
        forms[COLLISIONS if _unseen(reading) else ".png"] = picture
    page = _shown(reading, report) if settings.pages else None
    if page is not None:
        forms[PAGE] = page
    return _put_files(job.model, forms, settings, store)


def reported(entry: Entry, settings: BatchSettings) -> Entry:
    """Return the entry of a failed model, with its reports added if they are wanted and can be written."""
    if not settings.report:
        return entry
    told = {"schema_version": 1, "tool": {"name": "kinegraph", "version": __version__}}
    told |= {"source": {"path": entry["model"]}, "error": entry["message"]}
    words = {name: escape(text) for name, text in (("model", entry["model"]), ("message", entry["message"]))}
    page = _FAILURE.format(version=escape(__version__), **words)
    with suppress(OSError):  # the journal and the table report the failure anyway
        forms = {".json": dumped(told), ".html": encoded(page)}
        entry["reports"] = _put_files(entry["model"], forms, settings, Store(settings.report_stage))
    return entry


def _put_files(model: str, forms: dict[str, bytes], settings: BatchSettings, store: Store) -> dict[str, str]:
    store.stage.mkdir(parents=True, exist_ok=True)
    names = {f"{MODELS}/{model}{suffix}": data for suffix, data in forms.items()}
    return {name: store.replace(Path(settings.report, name), data) for name, data in names.items()}


def _picture(reading: Reading, job: Job, settings: BatchSettings) -> bytes | None:
    """Return the model as PNG if a png format is installed, else None. A failing picture does not fail the model."""
    from converters.convert import make

    drawn = formats().get("png")
    if drawn is None or drawn.write is None:
        return None
    with suppress(Exception):
        path = Path(settings.report, MODELS, f"{job.model}.png")
        show = "collision" if _unseen(reading) else settings.options.show
        options = replace(settings.options, size=PICTURE, show=show)
        return make(reading, path, target="png", options=options, packaged=False).output.document
    return None


def _unseen(reading: Reading) -> bool:
    """Whether a model has collision shapes and no visible ones: its picture then shows the collision shapes."""
    roles = {geom.role for geom in reading.scene.geoms() if geom.shape is not None}
    return Role.COLLISION in roles and not roles.intersection(Role.SEEN)


def _shown(reading: Reading, report: Report) -> bytes | None:
    """Return the page of the model, or None. A failing page does not fail the model either."""
    from converters.viewer.view import shown

    with suppress(Exception):
        return encoded(shown(reading, report))
    return None


def encoded(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")


def dumped(plain: object) -> bytes:
    return encoded(f"{json.dumps(plain, indent=2, ensure_ascii=False)}\n")


def flat(plain: object) -> bytes:
    """Return JSON on one line, without a newline."""
    return encoded(json.dumps(plain, ensure_ascii=False))


def link(path: str, base: str) -> str:
    """Return a path as a relative reference for a page in the folder base; names need not be valid text."""
    return quote(os.fsencode(os.path.relpath(path, base)))
