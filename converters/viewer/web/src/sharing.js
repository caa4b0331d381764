// The pose as text: JSON, arguments of a command line, and the fragment of an address.
import { byId, element, say } from './dom.js';

/** @typedef {import('./state.js').State} State @typedef {import('./types').Values} Values */

/** @param {Values} values */
export const asJson = (values) =>
  JSON.stringify(Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.length === 1 ? value[0] : value])), null, 1);

/** For a POSIX shell. @param {Values} values */
export const asArguments = (values) =>
  Object.entries(values).map(([name, value]) => `--pose '${`${name}=${value.join(' ')}`.replaceAll("'", `'\\''`)}'`).join(' ');

/** @param {Values} values */
export const asFragment = (values) =>
  Object.entries(values).map(([name, value]) => `${encodeURIComponent(name)}=${value.join(',')}`).join('&');

/** What is no pair of a name and numbers says nothing. @param {string} text @returns {Values} */
export function fromFragment(text) {
  /** @type {Values} */
  const values = {};
  for (const pair of text.replace(/^#/, '').split('&')) {
    const at = pair.lastIndexOf('=');
    const numbers = pair.slice(at + 1).split(',').map(Number);
    if (at <= 0 || pair.length === at + 1 || !numbers.every(Number.isFinite)) continue;
    try {
      values[decodeURIComponent(pair.slice(0, at))] = numbers;
    } catch {
      // What is no text names no joint.
    }
  }
  return values;
}

/** @param {string} text @param {string} what */
async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = element('textarea', { value: text, className: 'unseen', 'aria-hidden': 'true' });
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
  say(`Copied ${what}`);
}

/** @param {State} state */
export function createSharing(state) {
  let own = '';
  const read = () => {
    if (location.hash.slice(1) === own) return;
    const values = fromFragment(location.hash);
    if (!Object.keys(values).length && !own) return;
    state.reset();
    state.set(values);
  };
  /** @type {number | undefined} */
  let waiting;
  const write = () => {
    waiting = undefined;
    own = asFragment(state.changed());
    if (own !== location.hash.slice(1)) history.replaceState(null, '', own ? `#${own}` : location.href.split('#')[0]);
  };
  read();
  window.addEventListener('hashchange', read);
  state.on('pose', () => {
    if (waiting === undefined) waiting = window.setTimeout(write, 250);
  });
  byId('copy-json').addEventListener('click', () => copy(asJson(state.leading()), 'the pose as JSON'));
  byId('copy-arguments').addEventListener('click', () => copy(asArguments(state.leading()), 'the pose as arguments'));
  byId('copy-link').addEventListener('click', () => {
    write();
    copy(location.href, 'the address with this pose');
  });
}
