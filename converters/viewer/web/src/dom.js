// Elements without markup: what a model says is only ever text.

/**
 * @param {string} tag @param {Record<string, any>} [settings] properties; names with a dash or `role` are attributes, on… are listeners
 * @param {...(Node | string)} children @returns {any}
 */
export function element(tag, settings = {}, ...children) {
  /** @type {any} */
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(settings)) {
    if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
    else if (name.includes('-') || name === 'role' || name === 'for') made.setAttribute(name, String(value));
    else made[name] = value;
  }
  made.append(...children);
  return made;
}

/** The element of the template with this id. @param {string} id @returns {any} */
export function byId(id) {
  return document.getElementById(id);
}

/** Said to everybody, screen readers included. @param {string} text */
export function say(text) {
  byId('status').textContent = text;
}

const PAGE = 250;

/**
 * A list of which a part is shown at a time: ten thousand rows would take a browser seconds.
 * @template T
 * @param {HTMLElement} place @param {(item: T) => Node} row
 * @returns {{show: (items: T[]) => void, reveal: (item: T) => void}}
 */
export function longList(place, row) {
  /** @type {T[]} */
  let items = [];
  let shown = 0;
  const more = element('button', { type: 'button', className: 'more', onclick: () => grow(shown + PAGE) });
  /** @param {number} wanted */
  const grow = (wanted) => {
    more.remove();
    const end = Math.min(items.length, wanted);
    place.append(...items.slice(shown, end).map(row));
    shown = end;
    if (shown < items.length) {
      more.textContent = `Show more (${items.length - shown})`;
      place.after(more);
    }
  };
  return {
    show(all) {
      items = all;
      shown = 0;
      place.replaceChildren();
      grow(PAGE);
    },
    reveal(item) {
      const index = items.indexOf(item);
      if (index >= shown) grow(index + 20);
    },
  };
}

/** Six digits are for eyes. @param {number} value */
export const short = (value) => String(Number(value.toPrecision(6)));

/** What a follower does, as text; scale: of what it counts in. @param {import('./types').Mimic} mimic */
export const rule = ({ dof, multiplier, offset, reference }, scale = 1) => {
  const shift = (offset - multiplier * reference) * scale;
  return `${short(multiplier)} × ${dof}${shift ? ` ${shift < 0 ? '−' : '+'} ${short(Math.abs(shift))}` : ''}`;
};
