// A slider and a number for each coordinate that moves.
import { byId, element, longList, rule, short } from './dom.js';
import { follows, reach, size } from './kinematics.js';
import { fromRpy, toRpy } from './pose.js';

/**
 * @typedef {import('./state.js').State} State @typedef {import('./types').Dof} Dof
 * @typedef {{name: string, part: number, dof: Dof, joint: import('./types').Joint, leads: boolean, title: string}} Row
 */

const PARTS = { ball: ['roll', 'pitch', 'yaw'], free: ['x', 'y', 'z', 'roll', 'pitch', 'yaw'] };

/** @param {State} state */
export function createJoints(state) {
  const rows = state.standing.flatMap(({ dofs: all, model }, which) =>
    [...all].flatMap(([name, { dof, joint }]) => {
      if (joint.loop || (which > 0 && state.standing[0].dofs.has(name))) return [];
      const parts = PARTS[/** @type {'ball' | 'free'} */ (dof.kind)] ?? [''];
      const from = which > 0 ? ` (${model.file})` : '';
      return parts.map((word, part) => ({
        name, part, dof, joint, leads: !follows(all, dof), title: `${name}${word && ` ${word}`}${from}`,
      }));
    }),
  );
  /** @type {Map<Row, () => void>} */
  let live = new Map();
  const place = byId('joints');
  const list = longList(place, row);
  const search = byId('joint-search');
  search.addEventListener('input', filter);

  function filter() {
    live = new Map();
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = rows.filter(({ title }) => words.every((/** @type {string} */ word) => title.toLowerCase().includes(word)));
    list.show(found);
    byId('joint-count').textContent = found.length === rows.length ? String(rows.length) : `${found.length} of ${rows.length}`;
    byId('no-joints').hidden = rows.length > 0;
  }

  /** @param {Row} of @returns {boolean} whether it is an angle */
  const turns = ({ dof, part }) => dof.kind !== 'slide' && !(dof.kind === 'free' && part < 3);
  /** @param {Row} of */
  const unit = (of) => (turns(of) ? (state.look.degrees ? '°' : 'rad') : 'm');
  /** @param {Row} of */
  const factor = (of) => (turns(of) && state.look.degrees ? 180 / Math.PI : 1);

  /** @param {Row} of @returns {number} */
  function read({ name, part, dof }) {
    const value = state.value(name);
    if (size(dof) === 1) return value[0];
    const first = size(dof) - 4;
    return part < first ? value[part] : toRpy(/** @type {any} */ (value.slice(first)))[part - first];
  }

  /** @param {Row} of @param {number} number */
  function write({ name, part, dof }, number) {
    if (!Number.isFinite(number)) return;
    const value = [...state.value(name)];
    const first = size(dof) - 4;
    if (size(dof) === 1) value[0] = number;
    else if (part < first) value[part] = number;
    else {
      const angles = toRpy(/** @type {any} */ (value.slice(first)));
      angles[part - first] = number;
      value.splice(first, 4, ...fromRpy(angles));
    }
    state.set({ [name]: value });
  }

  /** Where a coordinate stood when the page opened. @param {Row} of */
  const home = ({ name, part }) => state.owner(name)?.model.start[name][part] ?? 0;

  /** @param {Row} of @returns {[number, number]} */
  function ends(of) {
    if (size(of.dof) === 1) return reach(of.dof);
    return turns(of) ? (of.title.endsWith('pitch') ? [-Math.PI / 2, Math.PI / 2] : [-Math.PI, Math.PI]) : [Math.min(-2, home(of) - 2), Math.max(2, home(of) + 2)];
  }

  /** @param {Row} of */
  function row(of) {
    const { dof, leads, title, joint } = of;
    const scale = factor(of);
    let [lower, upper] = ends(of);
    if (!leads) [lower, upper] = [Math.min(lower, read(of)), Math.max(upper, read(of))];
    const bounded = size(dof) === 1 && (dof.lower !== null || dof.upper !== null);
    const [least, most] = leads ? [dof.lower ?? -Infinity, dof.upper ?? Infinity] : [lower, upper];
    const said = `${short(lower * scale)} to ${short(upper * scale)} ${unit(of)}`;
    const inert = leads ? {} : { disabled: true };
    const slider = element('input', {
      type: 'range', min: String(lower * scale), max: String(upper * scale), step: 'any', ...inert,
      'aria-label': `${title}, ${said}`, 'data-dof': of.name, 'data-part': of.part,
      oninput: () => write(of, slider.valueAsNumber / scale),
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 }[event.key];
        if (!step || !leads) return;
        event.preventDefault();
        const stride = ((upper - lower) / 100) * (event.shiftKey ? 0.1 : 1);
        write(of, Math.min(upper, Math.max(lower, read(of) + step * stride)));
      },
    });
    const field = element('input', {
      type: 'number', step: 'any', ...inert, 'aria-label': `${title} in ${turns(of) && state.look.degrees ? 'degrees' : unit(of)}`,
      'data-number': of.name, onchange: () => write(of, field.valueAsNumber / scale),
    });
    const note = leads
      ? bounded
        ? `${dof.lower === null ? '−∞' : short(dof.lower * scale)} … ${dof.upper === null ? '∞' : short(dof.upper * scale)}`
        : dof.kind === 'hinge' || dof.kind === 'slide' || dof.kind === 'screw' ? 'no limits' : dof.kind
      : dof.mimic ? `= ${rule(dof.mimic, scale)}` : '';
    const made = element(
      'li', { className: leads ? 'joint' : 'joint follower' },
      element('button', { type: 'button', className: 'name', title: `Select what ${title} moves`, onclick: () => select(joint) }, title),
      element('span', { className: 'limits' }, note),
      slider, field, element('span', { className: 'unit', 'aria-hidden': 'true' }, unit(of)),
    );
    const refresh = () => {
      const value = read(of) * scale;
      slider.value = String(value);
      slider.setAttribute('aria-valuetext', `${short(value)} ${unit(of)}`);
      if (document.activeElement !== field) field.value = short(value);
      made.classList.toggle('outside', bounded && (read(of) < least - 1e-9 || read(of) > most + 1e-9));
    };
    live.set(of, refresh);
    refresh();
    return made;
  }

  /** @param {import('./types').Joint} joint */
  function select(joint) {
    for (const { model } of state.standing) {
      if (model.joints.includes(joint)) state.select(model.bodies[joint.child].name);
    }
  }

  let degrees = state.look.degrees;
  state.on('pose', () => {
    for (const refresh of live.values()) refresh();
  });
  state.on('look', () => {
    if (degrees !== state.look.degrees) filter();
    degrees = state.look.degrees;
  });
  filter();
}
