"""The report as one self-contained HTML page: no external resource, light and dark, values side by side."""

from __future__ import annotations

from html import escape

from converters.report.document import nearer
from converters.report.model import MEANINGS, Action, Finding, Report
from converters.report.safe import printable
from converters.report.text import groups
from ir.gathering import gathered

PLACES = 200
"""Largest number of source places in one finding; the JSON form has all."""


def html(report: Report) -> str:
    """The page. Everything that comes from a model is escaped."""
    title = f"{_escaped(report.source.title)} → {_escaped(report.target.path)}"
    sections = gathered((action, _rule(rule, findings)) for (action, rule), findings in groups(nearer(report)))
    body = [_section(action, report.total(action), rules) for action, rules in sections.items()]
    return _PAGE.format(
        title=title,
        summary=_summary(report),
        sections="\n".join(body) or '<p class="good">Nothing was lost: every item of the source is in the output.</p>',
        files=_files(report),
        version=_escaped(report.version),
        style=_STYLE,
        script=_SCRIPT,
    )


def _summary(report: Report) -> str:
    totals = {action: report.total(action) for action in MEANINGS}
    whole = sum(totals.values())
    shown = [(action, count) for action, count in totals.items() if count]
    bar = "".join(
        f'<span style="flex:{count};background:var(--{action.value})" title="{count} {action.value}"></span>'
        for action, count in shown
    )
    keys = "".join(
        f'<li><a href="#{action.value}"><i style="background:var(--{action.value})"></i>'
        f"<b>{count}</b> {action.value}</a></li>"
        for action, count in shown
    )
    counted = (
        f"{report.source_items} items in the source: {report.read} read, "
        f"{report.ignored} ignored by the format itself, {report.unread} not understood."
    )
    audit = (
        "" if report.audited else '<p class="bad">The output was not audited: what is listed here was not proved.</p>'
    )
    graph = f'<div class="bar" role="img" aria-label="{whole} findings">{bar}</div>'
    return f'{graph}<ul class="keys">{keys}</ul><p>{counted}</p>{audit}'


def _section(action: Action, count: int, rules: list[str]) -> str:
    return (
        f'<section id="{action.value}"><h2 style="border-color:var(--{action.value})">{action.value.capitalize()} '
        f"<small>{count}</small></h2><p>{MEANINGS[action]}</p>{''.join(rules)}</section>"
    )


def _rule(rule: str, findings: list[Finding]) -> str:
    head = "".join(f"<th>{name}</th>" for name in ("where", "before", "after", "source"))
    tables = "".join(
        f"<p>{_escaped(reason)}</p>"
        f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'
        for reason in dict.fromkeys(finding.reason for finding in findings)
        for rows in ["\n".join(_row(finding) for finding in findings if finding.reason == reason)]
    )
    count = sum(finding.count for finding in findings)
    return f"<article><h3>{_escaped(rule)} <small>{count}</small></h3>{tables}</article>"


def _row(finding: Finding) -> str:
    count = f" <small>×{finding.count}</small>" if finding.count > 1 else ""
    return (
        f'<tr class="{finding.severity.value}"><td><code>{_escaped(finding.where)}</code>{count}</td>'
        f"<td>{_value(finding.before)}</td><td>{_value(finding.after)}</td><td>{_places(finding)}</td></tr>"
    )


def _value(value: str) -> str:
    return f"<pre>{_escaped(value, keep=chr(10))}</pre>" if value else '<span class="none">—</span>'


def _places(finding: Finding) -> str:
    """A single place as it is, several in a foldable list."""
    found = finding.sources
    lines = [
        f"<code>{_escaped(f'{place.file}:{place.line}')}</code> <code class=path>{_escaped(place.path)}</code>"
        for place in found[:PLACES]
    ]
    if len(found) > PLACES:
        lines.append(f"… and {len(found) - PLACES} more")
    if len(lines) < 2:
        return "".join(lines)
    head = f"{lines[0].partition('</code> ')[0]}</code> and {len(found) - 1} more"
    return f"<details><summary>{head}</summary>{'<br>'.join(lines)}</details>"


def _files(report: Report) -> str:
    """Every file that was read or written."""
    sides = []
    for name, end in (("read", report.source), ("written", report.target)):
        items = "".join(f"<li><code>{_escaped(path)}</code></li>" for path in end.files)
        count = f"{len(end.files)} file{'s' * (len(end.files) != 1)} {name} ({_escaped(end.format)})"
        sides.append(f"<details><summary>{count}</summary><ul>{items}</ul></details>")
    return "".join(sides)


def _escaped(value: str, keep: str = "") -> str:
    return escape("".join(char if char in keep else printable(char) for char in value)) if value else ""


_STYLE = """
:root { color-scheme: light dark; --bg:#fbfbfa; --fg:#1d2126; --soft:#66707b; --line:#dfe3e6;
 --card:#fff; --code:#f1f3f4;
 --unexplained:#8e24aa; --dropped:#d33a2f; --approximated:#dd8a00;
 --carried:#2778c4; --derived:#1f9d7a; --repaired:#6a8f00; --ignored:#98a2ac; --noted:#8a7fb0; }
@media (prefers-color-scheme: dark) { :root {
 --bg:#14171a; --fg:#e4e7ea; --soft:#98a2ac; --line:#2c3238; --card:#1b1f23; --code:#252b31;
 --unexplained:#ce79e6; --dropped:#f0685d; --approximated:#f0ad3c;
 --carried:#62a8e8; --derived:#4cc7a3; --repaired:#a3c844; --ignored:#77818b; --noted:#a99fd0; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 2rem 1.25rem 4rem; background: var(--bg); color: var(--fg);
 font: 15px/1.55 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0 0 1rem; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 2.5rem 0 .25rem; padding-left: .65rem; border-left: .3rem solid; }
h3 { font-size: .95rem; margin: 0; font-family: ui-monospace, monospace; }
small { color: var(--soft); font-weight: normal; }
p { margin: .3rem 0 .8rem; color: var(--soft); }
a { color: inherit; text-decoration: none; } a:hover { text-decoration: underline; }
.bar { display: flex; gap: 2px; height: 1.1rem; border-radius: .55rem; overflow: hidden; background: var(--line); }
.bar span { min-width: 4px; }
.keys { display: flex; flex-wrap: wrap; gap: .4rem 1.4rem; list-style: none; padding: 0; margin: .8rem 0; }
.keys i { display: inline-block; width: .7rem; height: .7rem; border-radius: .2rem; margin-right: .4rem; }
.good { color: var(--derived); } .bad { color: var(--dropped); }
input { width: 100%; padding: .55rem .8rem; margin: .5rem 0 0; font: inherit; color: inherit; background: var(--card);
 border: 1px solid var(--line); border-radius: .5rem; }
article { background: var(--card); border: 1px solid var(--line); border-radius: .6rem;
 padding: .9rem 1rem; margin: .8rem 0; }
.wide { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; table-layout: fixed; min-width: 44rem; }
th { text-align: left; font-weight: 600; font-size: .8rem; color: var(--soft); padding: .2rem .5rem; }
td { vertical-align: top; padding: .4rem .5rem; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
tr.error td:first-child { box-shadow: inset 3px 0 var(--unexplained); }
code, pre { font: 12.5px/1.5 ui-monospace, monospace; }
pre { margin: 0; padding: .25rem .45rem; white-space: pre-wrap; background: var(--code); border-radius: .3rem; }
.path, .none { color: var(--soft); }
summary { cursor: pointer; } details ul { margin: .3rem 0; }
footer { margin-top: 3rem; color: var(--soft); }
[hidden] { display: none !important; }
"""

_SCRIPT = """
const box = document.getElementById('filter');
box.addEventListener('input', () => {
  const words = box.value.toLowerCase().split(/\\s+/).filter(Boolean);
  for (const section of document.querySelectorAll('section')) {
    for (const article of section.querySelectorAll('article')) {
      const head = section.id + ' ' + article.querySelector('h3').textContent.toLowerCase();
      for (const row of article.querySelectorAll('tbody tr')) {
        const text = head + ' ' + row.textContent.toLowerCase();
        row.hidden = !words.every(word => text.includes(word));
      }
      article.hidden = !article.querySelector('tbody tr:not([hidden])');
    }
    section.hidden = !section.querySelector('article:not([hidden])');
  }
});
"""

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<h1>{title}</h1>
{summary}
<input id="filter" type="search" placeholder="Filter: a rule, a joint, a value …" aria-label="Filter the findings">
{sections}
<footer>{files}kinegraph {version}</footer>
<script>{script}</script>
</body>
</html>
"""
