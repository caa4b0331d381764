"""The reports of a batch as one static page, usable offline: a card per model, losses by rule, filters."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path
from urllib.parse import quote

from converters.batch.entries import CONVERTED, FAILED, LOSSES, losses, not_found
from converters.batch.gallery_page import FOOT, HEAD, SCRIPT, STYLE
from converters.batch.plan import BatchSettings, Entry
from converters.batch.single import COLLISIONS, MODELS, PAGE, link
from converters.batch.totals import Totals, commonest, reasons
from converters.report.safe import printable
from converters.version import __version__

MERGED = "report.json"
"""The file beside the page with the reports of all models."""
SKIPPED, WAITING = "skipped", "not reached"
SHOWN = (*LOSSES, "derived", "repaired")
"""Actions counted on a card."""
MESSAGE = 300
"""Most characters of a failure message on a card."""


def gallery(settings: BatchSettings, rows: Iterable[tuple[str, Entry | None, str]], totals: Totals) -> Iterator[str]:
    """Yield the page in pieces; all text from a model or its name is escaped."""
    title = Path(settings.source_url or settings.source).name or "models"
    yield HEAD.format(
        title=_escaped(title),
        to=_escaped(settings.to),
        policy=_policy(),
        style=STYLE,
        bar=_bar(totals),
        keys=_keys(totals),
        rules=_rules(totals),
        causes=_causes(totals),
    )
    for model, entry, why in rows:
        yield _card(model, entry, why, settings)
    yield FOOT.format(version=_escaped(__version__), merged=MERGED, script=SCRIPT)


def _policy() -> str:
    """Return the content security policy: only this script, and only images beside the page."""
    from converters.viewer.page import digest  # imported on use: it belongs to the viewer of models

    return f"default-src 'none'; img-src 'self' file:; style-src 'unsafe-inline'; script-src '{digest(SCRIPT)}'"


def _statuses(totals: Totals) -> list[tuple[str, int]]:
    clean = totals.converted - totals.with_losses
    return [
        ("clean", clean),
        ("losses", totals.with_losses),
        ("failed", totals.failed),
        (SKIPPED, totals.skipped),
        ("waiting", totals.waiting),
    ]


def _bar(totals: Totals) -> str:
    spans = [f'<i class="{name}" style="flex:{count}"></i>' for name, count in _statuses(totals) if count]
    return "".join(spans)


def _keys(totals: Totals) -> str:
    words = {"clean": "without losses", "losses": "with losses", "failed": "failed", "waiting": WAITING}
    return "".join(
        f'<label class="{name}"><input type="checkbox" name="status" value="{name}"'
        f"{'' if name == SKIPPED else ' checked'}><b>{count}</b> {words.get(name, name)}</label>"
        for name, count in _statuses(totals)
        if count
    )


def _rules(totals: Totals) -> str:
    """Return the rules, most common first; a click filters for the models with findings of one."""
    return "".join(
        f'<tr tabindex="0" data-rule="{_escaped(rule)}"><td><em class="{_escaped(action)}">{_escaped(action)}</em></td>'
        f"<td><code>{_escaped(rule)}</code></td><td>{models}</td><td>{found}</td></tr>"
        for (action, rule), (found, models) in commonest(totals)
        if action not in ("ignored", "noted")
    )


def _causes(totals: Totals) -> str:
    listed = "".join(f"<tr><td>{count}</td><td>{_escaped(why)}</td></tr>" for count, why in reasons(totals))
    head = f"Why {totals.failed} failed"
    return (
        f'<details><summary>{head}</summary><div class="scroll"><table>{listed}</table></div></details>'
        if listed
        else ""
    )


def _card(model: str, entry: Entry | None, why: str, settings: BatchSettings) -> str:
    folder, _, name = model.rpartition("/")
    if entry is None:
        status, rules, content = (SKIPPED if why else "waiting"), "", f'<p class="why">{_escaped(why or WAITING)}</p>'
        links = ""
    elif entry["status"] == FAILED:
        place = entry["message"].removeprefix(f"{model}:")
        message = f"line {place}" if place[:1].isdigit() else place
        message = message if len(message) <= MESSAGE else f"{message[:MESSAGE]}…"
        status, rules, content = "failed", "", f'<p class="why">{_escaped(message)}</p>'
        links = _links(model, entry, settings)
    else:
        status = "losses" if losses(entry) else "clean"
        rules = " ".join(dict.fromkeys(rule for _, rule, _ in entry["rules"]))
        content = _counts(entry)
        links = _links(model, entry, settings)
    ends = f"<small>{_escaped(entry['from'])} → {_escaped(entry['to'])}</small>" if entry and "from" in entry else ""
    return (
        f'<article class="{status}" data-rules=" {_escaped(rules)} ">{_image(entry, model, settings)}'
        f'<div><h3 title="{_escaped(model)}">{_escaped(name)}</h3><p class="folder">{_escaped(folder) or "."}</p>'
        f"{ends}{content}<nav>{links}</nav></div></article>\n"
    )


def _image(entry: Entry | None, model: str, settings: BatchSettings) -> str:
    for suffix, said in ((".png", ""), (COLLISIONS, "collision geometry: there is no other")):
        picture = f"{MODELS}/{model}{suffix}"
        if entry is not None and picture in entry["reports"]:
            image = f'<img src="{_escaped(_beside(picture, settings))}" alt="{said}" loading="lazy">'
            return f"<figure>{image}{f'<figcaption>{said}</figcaption>' if said else ''}</figure>"
    return '<figure class="none"></figure>'


def _counts(entry: Entry) -> str:
    counts = [(action, entry["totals"][action]) for action in SHOWN if entry["totals"][action]]
    said = "".join(f'<em class="{action}">{count} {action}</em>' for action, count in counts)
    absent = f'<em class="dropped">{not_found(entry)}</em>' if not_found(entry) else ""
    return f'<p class="counts">{said or "<em>nothing lost</em>"}{absent}</p>'


def _links(model: str, entry: Entry, settings: BatchSettings) -> str:
    forms = (("look at it", PAGE), ("report", ".html"), ("JSON", ".json"))
    found = [(form, f"{MODELS}/{model}{suffix}") for form, suffix in forms]
    links = [f'<a href="{_escaped(_beside(at, settings))}">{form}</a>' for form, at in found if at in entry["reports"]]
    if entry["status"] == CONVERTED:
        href = _output(entry["target"], settings)
        links.insert(0, f'<a href="{_escaped(href)}">output</a>')
    return "".join(links)


def _output(target: str, settings: BatchSettings) -> str:
    if settings.target_url:
        return f"{settings.target_url.rstrip('/')}/{quote(target)}"
    return link(os.path.join(settings.target, target), settings.report)


def _beside(name: str, settings: BatchSettings) -> str:
    return link(os.path.join(settings.report, name), settings.report)


def _escaped(value: str) -> str:
    return escape(printable(value))
