// What is shown just now: coordinates by dof, what is selected, how it looks. Changes are told to who listens.
import { configuration, dofs, follows, forward, size } from './kinematics.js';

/**
 * @typedef {import('./types').Model} Model @typedef {import('./types').Look} Look @typedef {import('./types').Values} Values
 * @typedef {{model: Model, dofs: ReturnType<typeof dofs>, values: Map<string, number[]>, poses: import('./types').Pose[]}} Standing
 * @typedef {'pose' | 'select' | 'look'} Event
 */

/** @param {Model[]} models @param {Look} look */
export function createState(models, look) {
  /** @type {Map<string, number[]>} */
  const given = new Map();
  /** @type {Standing[]} */
  const standing = models.map((model) => ({ model, dofs: dofs(model), values: new Map(), poses: [] }));
  /** @type {Record<Event, (() => void)[]>} */
  const listeners = { pose: [], select: [], look: [] };
  /** @param {Event} event */
  const tell = (event) => {
    for (const each of listeners[event]) each();
  };

  const state = {
    standing,
    look,
    /** The name of the selected body, "" where none is. */
    selected: '',
    /** @param {Event} event @param {() => void} listener */
    on(event, listener) {
      listeners[event].push(listener);
    },
    /** @param {string} name of a dof, of whichever model has it */
    owner(name) {
      return standing.find((each) => each.dofs.has(name));
    },
    /** @param {string} name @returns {number[]} */
    value(name) {
      return state.owner(name)?.values.get(name) ?? [0];
    },
    /** Move dofs that lead; others, and values that are no coordinates, are passed over. @param {Values} values */
    set(values) {
      for (const [name, value] of Object.entries(values)) {
        const owner = state.owner(name);
        const dof = owner?.dofs.get(name)?.dof;
        if (!owner || !dof || follows(owner.dofs, dof)) continue;
        if (value.length === size(dof) && value.every(Number.isFinite)) given.set(name, value);
      }
      update();
    },
    reset() {
      given.clear();
      update();
    },
    /** Coordinates that differ from those the page opened with. @returns {Values} */
    changed() {
      /** @type {Values} */
      const found = {};
      for (const [name, value] of given) {
        const start = state.owner(name)?.model.start[name];
        if (start && value.some((number, index) => number !== start[index])) found[name] = value;
      }
      return found;
    },
    /** Coordinates of every dof that leads, in the order of the model. @returns {Values} */
    leading() {
      /** @type {Values} */
      const found = {};
      for (const { dofs: all, values } of standing) {
        for (const [name, { dof, joint }] of all) {
          if (!follows(all, dof) && !joint.loop && !(name in found)) found[name] = /** @type {number[]} */ (values.get(name));
        }
      }
      return found;
    },
    /** @param {string} body */
    select(body) {
      state.selected = body;
      tell('select');
    },
    /** @param {Partial<Look>} change */
    see(change) {
      Object.assign(look, change);
      tell('look');
    },
  };

  function update() {
    for (const each of standing) {
      each.values = configuration(each.model, each.dofs, (name) => given.get(name));
      each.poses = forward(each.model, each.values);
    }
    tell('pose');
  }
  update();
  return state;
}
/** @typedef {ReturnType<typeof createState>} State */
