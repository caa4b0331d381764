// The page: reads what it was given, builds every part, and ties them to one state.
import { createDetails } from './details.js';
import { byId, element, say } from './dom.js';
import { createFindings } from './findings.js';
import { createJoints } from './joints.js';
import { random } from './kinematics.js';
import { createMotion } from './motion.js';
import { data as given, meshes } from './payload.js';
import { createRobot } from './robot.js';
import { createSharing } from './sharing.js';
import { createStage } from './stage.js';
import { createState } from './state.js';
import { createTree } from './tree.js';

/** @typedef {import('./types').Look} Look */

const SWITCHES = /** @type {const} */ (['frames', 'axes', 'masses', 'inertias', 'grid', 'degrees', 'beside']);

/** @param {import('./state.js').State} state @param {import('./stage.js').Stage | undefined} stage */
function createBar(state, stage) {
  const { look } = state;
  byId('role').addEventListener('change', () => state.see({ role: byId('role').value }));
  byId('opacity').addEventListener('input', () => state.see({ opacity: byId('opacity').valueAsNumber }));
  for (const name of SWITCHES) {
    const box = byId(name);
    box.checked = look[name];
    box.addEventListener('change', () => state.see({ [name]: box.checked }));
  }
  byId('beside-label').hidden = state.standing.length < 2;
  byId('beside').addEventListener('change', () => stage?.fit());
  const dress = () => (document.documentElement.dataset.theme = look.dark ? 'dark' : 'light');
  byId('theme').addEventListener('click', () => {
    look.dark = !look.dark;
    dress();
    state.see({});
  });
  dress();
  byId('reset').addEventListener('click', () => state.reset());
  byId('random').addEventListener('click', () => {
    for (const each of [...state.standing].reverse()) state.set(random(each.dofs));
  });
  byId('fit').addEventListener('click', () => stage?.fit());
  byId('screenshot').addEventListener('click', () => stage?.save(`${state.standing[0].model.name || 'robot'}.png`));
  const { poses } = state.standing[0].model;
  const choice = byId('pose');
  byId('pose-label').hidden = poses.length === 0;
  choice.append(...poses.map(({ name }, index) => element('option', { value: String(index) }, name)));
  choice.addEventListener('change', () => {
    if (choice.value !== '') state.set(poses[Number(choice.value)].values);
  });
}

async function main() {
  const data = given();
  const glbs = meshes();
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  const state = createState(data.models, {
    role: 'visual', opacity: 1, frames: false, axes: false, masses: false, inertias: false, grid: true, degrees: true, dark, beside: false,
  });
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  const [first, second] = data.models;
  byId('name').textContent = first.name || first.file;
  byId('file').textContent = second ? `${first.file} compared with ${second.file}` : `${first.file} (${first.format})`;
  /** @type {import('./stage.js').Stage | undefined} */
  let stage;
  try {
    stage = createStage(state);
  } catch (error) {
    byId('trouble').textContent = `This browser shows no 3D graphics: ${error instanceof Error ? error.message : error}`;
  }
  createBar(state, stage);
  createTree(state);
  createJoints(state);
  createDetails(state);
  createFindings(state, data);
  createMotion(state);
  createSharing(state);
  const missing = data.models.flatMap((model) => model.bodies).flatMap((body) => body.geoms).filter((geom) => geom.missing).length;
  if (missing) byId('trouble').textContent = `${missing} mesh${missing > 1 ? 'es were' : ' was'} not found: see the links marked “mesh missing”.`;
  if (first.bodies.every((body) => !body.geoms.length)) byId('trouble').textContent = 'This model has no geometry: its frames and axes are shown.';
  /** @type {import('./robot.js').Robot[]} */
  const robots = [];
  if (stage) {
    for (const [index, glb] of glbs.entries()) robots.push(await createRobot(state.standing[index], await glb, index > 0));
    if (!robots[0].parts.length) {
      for (const name of ['frames', 'axes']) byId(name).checked = true;
      state.see({ frames: true, axes: true });
    } else if (!robots[0].parts.some(({ role }) => role !== 'collision')) {
      byId('role').value = 'collision';
      state.see({ role: 'collision' });
    }
    stage.show(robots);
    await stage.drawn();
  }
  byId('loading').hidden = true;
  // For whoever drives the page from a script, tests included.
  Object.assign(window, {
    kinegraph: {
      state,
      stage,
      /** Column-major matrices of the bodies of a model as they are drawn. @param {number} which */
      worlds: (which = 0) => Object.fromEntries(robots[which].groups.map((group) => [group.name, [...group.matrixWorld.elements]])),
      ready: performance.now(),
    },
  });
}

main().catch((error) => {
  say('The page cannot show this model');
  byId('loading').textContent = `The page cannot show this model: ${error instanceof Error ? error.message : error}`;
  throw error;
});
