// Motions that the page was given: play, pause, scrub.
import { byId, element, short } from './dom.js';
import { between } from './kinematics.js';

/** @typedef {import('./state.js').State} State @typedef {import('./types').Motion} Motion @typedef {import('./types').Values} Values */

/** Coordinates at a time of a motion. @param {State} state @param {Motion} motion @param {number} time @returns {Values} */
export function sampled(state, motion, time) {
  const { times, tracks } = motion;
  let low = 0, high = times.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle;
  }
  const span = times[high] - times[low];
  const share = span > 0 ? Math.min(1, Math.max(0, (time - times[low]) / span)) : 0;
  /** @type {Values} */
  const values = {};
  for (const [name, track] of Object.entries(tracks)) {
    const dof = state.owner(name)?.dofs.get(name)?.dof;
    if (dof) values[name] = track.length === 1 ? track[0] : between(dof, track[low], track[high], share);
  }
  return values;
}

/** @param {State} state */
export function createMotion(state) {
  const { motions } = state.standing[0].model;
  byId('motion-panel').hidden = motions.length === 0;
  if (!motions.length) return;
  const choice = byId('motion'), scrub = byId('scrub'), play = byId('play'), clock = byId('clock'), speed = byId('speed');
  choice.append(...motions.map(({ name }, index) => element('option', { value: String(index) }, name)));
  let motion = motions[0];
  let time = 0;
  let running = false;
  let last = 0;

  /** @param {number} now */
  function go(now) {
    time = now;
    scrub.value = String(now);
    clock.textContent = `${short(now - motion.times[0])} / ${short(end() - motion.times[0])} s`;
    state.set(sampled(state, motion, now));
  }
  const end = () => motion.times[motion.times.length - 1];

  /** @param {number} now milliseconds */
  function tick(now) {
    if (!running) return;
    const next = time + ((now - last) / 1000) * Number(speed.value);
    last = now;
    go(next > end() ? motion.times[0] : next);
    requestAnimationFrame(tick);
  }
  /** @param {boolean} wanted */
  function run(wanted) {
    running = wanted;
    play.textContent = wanted ? 'Pause' : 'Play';
    if (!wanted) return;
    last = performance.now();
    requestAnimationFrame(tick);
  }
  function choose() {
    motion = motions[Number(choice.value)];
    scrub.min = String(motion.times[0]);
    scrub.max = String(end());
    go(motion.times[0]);
  }
  choice.addEventListener('change', choose);
  scrub.addEventListener('input', () => {
    run(false);
    go(scrub.valueAsNumber);
  });
  play.addEventListener('click', () => run(!running));
  motion = motions[0];
  scrub.min = String(motion.times[0]);
  scrub.max = String(end());
  scrub.value = scrub.min;
  clock.textContent = `0 / ${short(end() - motion.times[0])} s`;
}
