// The links, each below the one that carries it; arrows go through them as through any tree.
import { byId, element, longList } from './dom.js';

/** @typedef {import('./state.js').State} State @typedef {{name: string, depth: number, joint: string, missing: boolean}} Item */

const DEEPEST = 24;

/** @param {State} state */
export function createTree(state) {
  const { model } = state.standing[0];
  /** @type {number[]} */
  const depths = [];
  /** @type {Item[]} */
  const items = [];
  for (const [number, body] of model.order) {
    const joint = number < 0 ? undefined : model.joints[number];
    depths[body] = joint ? depths[joint.parent] + 1 : 0;
    const { name, geoms } = model.bodies[body];
    if (name === 'world' && !geoms.length) depths[body] = -1;
    else items.push({ name, depth: Math.max(0, depths[body]), joint: joint?.name ?? '', missing: geoms.some((each) => each.missing) });
  }
  const known = new Set(items.map((item) => item.name));
  for (const { model: other } of state.standing.slice(1)) {
    for (const { name } of other.bodies) if (!known.has(name) && name !== 'world') items.push({ name, depth: 0, joint: `only in ${other.file}`, missing: false });
  }
  const place = byId('links');
  const search = byId('link-search');
  /** @type {Map<string, HTMLElement>} */
  let rows = new Map();
  /** @type {Item[]} */
  let found = items;
  const list = longList(place, (/** @type {Item} */ item) => {
    const row = element(
      'li',
      {
        role: 'treeitem', tabIndex: -1, 'aria-level': item.depth + 1, 'aria-selected': item.name === state.selected, title: item.joint && `held by ${item.joint}`,
        onclick: () => state.select(item.name === state.selected ? '' : item.name),
        onkeydown: (/** @type {KeyboardEvent} */ event) => press(event, item),
      },
      element('span', { className: 'link' }, item.name),
      element('span', { className: 'by' }, item.missing ? 'mesh missing' : item.joint),
    );
    row.style.setProperty('--depth', String(Math.min(item.depth, DEEPEST)));
    rows.set(item.name, row);
    return row;
  });

  /** @param {KeyboardEvent} event @param {Item} item */
  function press(event, item) {
    const at = found.indexOf(item);
    const above = found.slice(0, at).reverse().find((each) => each.depth < item.depth);
    const inside = found[at + 1]?.depth > item.depth ? found[at + 1] : undefined;
    /** @type {Record<string, Item | undefined>} */
    const moves = { ArrowDown: found[at + 1], ArrowUp: found[at - 1], Home: found[0], End: found[found.length - 1], ArrowLeft: above, ArrowRight: inside };
    if (event.key === 'Enter' || event.key === ' ') state.select(item.name);
    else if (event.key === 'Escape') state.select('');
    else if (!(event.key in moves)) return;
    else if (moves[event.key]) focus(/** @type {Item} */ (moves[event.key]), true);
    event.preventDefault();
  }

  /** Let the tab key come to one row. @param {Item} item @param {boolean} now */
  function focus(item, now) {
    list.reveal(item);
    for (const row of rows.values()) row.tabIndex = -1;
    const row = rows.get(item.name);
    if (!row) return;
    row.tabIndex = 0;
    if (now) row.focus();
  }

  function filter() {
    rows = new Map();
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    found = items.filter(({ name, joint }) => words.every((/** @type {string} */ word) => `${name} ${joint}`.toLowerCase().includes(word)));
    list.show(found);
    byId('link-count').textContent = found.length === items.length ? String(items.length) : `${found.length} of ${items.length}`;
    if (found.length) focus(found[0], false);
    byId('no-links').hidden = found.length > 0;
  }

  search.addEventListener('input', filter);
  state.on('select', () => {
    const item = found.find((each) => each.name === state.selected);
    if (item) {
      focus(item, false);
      rows.get(item.name)?.scrollIntoView({ block: 'nearest' });
    }
    for (const [name, row] of rows) row.setAttribute('aria-selected', String(name === state.selected));
  });
  filter();
}
