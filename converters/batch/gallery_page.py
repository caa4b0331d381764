"""The fixed parts of the page: head, style, script, foot."""

STYLE = """
:root { color-scheme: light dark; --bg:#f6f7f8; --fg:#1d2126; --soft:#66707b; --line:#dfe3e6; --card:#fff;
 --picture:#eceff2; --clean:#1f9d7a; --losses:#dd8a00; --failed:#d33a2f; --skipped:#98a2ac;
 --unexplained:#8e24aa; --dropped:#d33a2f; --approximated:#b87300; --carried:#2778c4; --derived:#1f8a6c;
 --repaired:#5d7d00; }
@media (prefers-color-scheme: dark) { :root { --bg:#14171a; --fg:#e4e7ea; --soft:#98a2ac; --line:#2c3238;
 --card:#1b1f23; --picture:#23282d; --clean:#4cc7a3; --losses:#f0ad3c; --failed:#f0685d; --skipped:#77818b;
 --unexplained:#ce79e6; --dropped:#f0685d; --approximated:#f0ad3c; --carried:#62a8e8; --derived:#4cc7a3;
 --repaired:#a3c844; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 96rem; padding: 1.6rem 1.4rem 4rem; background: var(--bg); color: var(--fg);
 font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0 0 .9rem; overflow-wrap: anywhere; } h1 small { font-weight: normal; }
small, .folder, .why { color: var(--soft); }
.bar { display: flex; gap: 2px; height: .9rem; border-radius: .45rem; overflow: hidden; }
.bar i { min-width: 4px; background: var(--skipped); }
.bar .clean { background: var(--clean); } .bar .losses { background: var(--losses); }
.bar .failed { background: var(--failed); }
.keys { display: flex; flex-wrap: wrap; gap: .3rem 1.4rem; margin: .8rem 0; border: 0; padding: 0; }
label { cursor: pointer; } label input { margin: 0 .4rem 0 0; accent-color: var(--skipped); }
label.clean input { accent-color: var(--clean); } label.losses input { accent-color: var(--losses); }
label.failed input { accent-color: var(--failed); }
.tools { display: flex; flex-wrap: wrap; gap: .6rem; position: sticky; top: 0; z-index: 1; padding: .6rem 0;
 background: var(--bg); align-items: center; }
.tools input { flex: 1 1 18rem; } .tools input, select, button { padding: .5rem .8rem; font: inherit; color: inherit;
 background: var(--card); border: 1px solid var(--line); border-radius: .5rem; }
#rule { display: none; cursor: pointer; } #rule.on { display: inline-block; border-color: var(--carried); }
details { margin: .2rem 0 .6rem; } summary { cursor: pointer; color: var(--soft); }
.scroll { max-height: 20rem; overflow: auto; }
table { border-collapse: collapse; margin: .5rem 0; } td, th { padding: .15rem .8rem .15rem 0; text-align: left;
 vertical-align: top; overflow-wrap: anywhere; } th { color: var(--soft); font-weight: 600; font-size: .8rem; }
tr[data-rule] { cursor: pointer; } tr[data-rule]:hover code, tr[data-rule]:focus code { text-decoration: underline; }
code { font: 13px ui-monospace, monospace; } em { font-style: normal; color: var(--soft); }
em.unexplained { color: var(--unexplained); } em.dropped { color: var(--dropped); }
em.approximated { color: var(--approximated); } em.carried { color: var(--carried); }
em.derived { color: var(--derived); } em.repaired { color: var(--repaired); }
main { display: grid; grid-template-columns: repeat(auto-fill, minmax(15.5rem, 1fr)); gap: .9rem; }
article { display: flex; flex-direction: column; background: var(--card); border: 1px solid var(--line);
 border-top: 3px solid var(--skipped); border-radius: .6rem; overflow: hidden; content-visibility: auto;
 contain-intrinsic-size: auto 19rem; }
article.clean { border-top-color: var(--clean); } article.losses { border-top-color: var(--losses); }
article.failed { border-top-color: var(--failed); }
article > div { display: flex; flex-direction: column; flex: 1; padding: .6rem .8rem .7rem; min-width: 0; }
figure { margin: 0; aspect-ratio: 4 / 3; background: var(--picture); overflow: hidden; }
figure { position: relative; }
figcaption { position: absolute; left: .5rem; bottom: .3rem; font-size: .75rem; color: var(--soft); }
figure.none { aspect-ratio: auto; height: .3rem; }
img { width: 100%; height: 100%; object-fit: contain; display: block; }
h3 { margin: 0; font-size: .95rem; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
article p { margin: 0; } .folder { font-size: .8rem; overflow-wrap: anywhere; }
.why { font-size: .85rem; overflow-wrap: anywhere; margin-top: .3rem; } article.failed .why { color: var(--failed); }
.counts { display: flex; flex-wrap: wrap; gap: .1rem .7rem; font-size: .85rem; }
nav { display: flex; gap: .9rem; margin-top: auto; padding-top: .5rem; font-size: .85rem; }
a { color: var(--carried); text-decoration: none; } a:hover { text-decoration: underline; }
footer { margin-top: 2.5rem; color: var(--soft); }
[hidden] { display: none !important; }
"""

SCRIPT = """
const box = document.getElementById('filter'), chip = document.getElementById('rule');
const order = document.getElementById('order'), main = document.querySelector('main');
const cards = [...main.children].map((card, place) => ({ card, place, text: card.textContent.toLowerCase() +
  card.querySelector('h3').title.toLowerCase() + card.dataset.rules.toLowerCase(),
  lost: [...card.querySelectorAll('.counts em')].reduce((sum, each) => sum + (parseInt(each.textContent) || 0), 0) }));
let rule = '';
function show() {
  const words = box.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const wanted = new Set([...document.querySelectorAll('[name=status]:checked')].map(each => each.value));
  let shown = 0;
  for (const { card, text } of cards) {
    card.hidden = !(wanted.has(card.className) && words.every(word => text.includes(word))
      && (!rule || card.dataset.rules.includes(' ' + rule + ' ')));
    shown += !card.hidden;
  }
  document.getElementById('shown').textContent = shown + ' of ' + cards.length;
  chip.textContent = rule + ' ×';
  chip.classList.toggle('on', !!rule);
}
function sort() {
  const first = { failed: 0, losses: 1, clean: 2 };
  const keys = { name: each => each.place, lost: each => -each.lost,
    status: each => first[each.card.className] ?? 3 };
  const key = keys[order.value];
  main.append(...[...cards].sort((a, b) => key(a) - key(b) || a.place - b.place).map(each => each.card));
}
function pick(row) { rule = rule === row.dataset.rule ? '' : row.dataset.rule; show(); }
for (const row of document.querySelectorAll('tr[data-rule]')) {
  row.addEventListener('click', () => pick(row));
  row.addEventListener('keydown', event => { if (event.key === 'Enter') pick(row); });
}
chip.addEventListener('click', () => { rule = ''; show(); });
box.addEventListener('input', show);
order.addEventListener('change', sort);
for (const each of document.querySelectorAll('[name=status]')) each.addEventListener('change', show);
show();
"""

HEAD = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{title} → {to}</title>
<style>{style}</style>
</head>
<body>
<h1>{title} <small>→ {to}</small></h1>
<div class="bar">{bar}</div>
<fieldset class="keys">{keys}</fieldset>
{causes}
<details><summary>What was lost, by rule</summary><div class="scroll"><table><thead><tr>
<th>what</th><th>rule</th><th>models</th><th>places</th></tr></thead><tbody>{rules}</tbody></table></div></details>
<div class="tools"><input id="filter" type="search" aria-label="Filter the models"
 placeholder="Filter: a name, a folder, a rule, a message …"><select id="order" aria-label="Order">
<option value="name">by name</option><option value="status">failures first</option>
<option value="lost">most findings first</option></select><button id="rule" type="button"></button>
<small id="shown"></small></div>
<main>
"""

FOOT = """</main>
<footer><a href="{merged}">all reports as JSON</a> · <a href="report.sarif">SARIF</a> · kinegraph {version}</footer>
<script>{script}</script>
</body>
</html>
"""
