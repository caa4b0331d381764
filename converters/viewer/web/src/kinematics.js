// Where every body is, exactly as ir/kinematics.py says:
// X(child) = X(parent) * joint.pose * M1(q1 - zero1) * M2(q2 - zero2) ...; a free dof replaces the pose.
import { IDENTITY, compose, fromAxisAngle, normalise, rotate, sum, times } from './pose.js';

/**
 * @typedef {import('./types').Model} Model @typedef {import('./types').Dof} Dof @typedef {import('./types').Joint} Joint
 * @typedef {import('./types').Pose} Pose @typedef {import('./types').Values} Values
 */

/** Numbers in the coordinate of a dof. @param {Dof} dof */
export const size = (dof) => ({ ball: 4, free: 7 }[/** @type {string} */ (dof.kind)] ?? 1);

/** @param {Model} model @returns {Map<string, {dof: Dof, joint: Joint}>} */
export function dofs(model) {
  const found = new Map();
  for (const joint of model.joints) for (const dof of joint.dofs) found.set(dof.name, { dof, joint });
  return found;
}

/** Whether a dof follows another one that is there. @param {Map<string, {dof: Dof}>} all @param {Dof} dof */
export const follows = (all, dof) => dof.mimic !== undefined && all.has(dof.mimic.dof);

/**
 * Coordinates of every dof: those given, others as the page opened, followers following.
 * @param {Model} model @param {Map<string, {dof: Dof, joint: Joint}>} all @param {(name: string) => number[] | undefined} given
 * @returns {Map<string, number[]>}
 */
export function configuration(model, all, given) {
  /** @type {Map<string, number[]>} */
  const values = new Map();
  for (const [name, { dof }] of all) {
    if (follows(all, dof)) continue;
    const value = given(name);
    values.set(name, value?.length === size(dof) ? value : model.start[name]);
  }
  for (const name of all.keys()) follow(name, all, values);
  return values;
}

/** @param {string} name @param {Map<string, {dof: Dof}>} all @param {Map<string, number[]>} values */
function follow(name, all, values) {
  /** @type {Dof[]} */
  const chain = [];
  while (!values.has(name)) {
    const dof = /** @type {{dof: Dof}} */ (all.get(name)).dof;
    if (!dof.mimic || chain.includes(dof)) return;
    chain.push(dof);
    name = dof.mimic.dof;
  }
  for (const dof of chain.reverse()) {
    const { dof: leader, multiplier, reference, offset } = /** @type {import('./types').Mimic} */ (dof.mimic);
    values.set(dof.name, [multiplier * (/** @type {number[]} */ (values.get(leader))[0] - reference) + offset]);
  }
}

/** @param {Model} model @param {Map<string, number[]>} values from configuration @returns {Pose[]} in the world, by number of body */
export function forward(model, values) {
  /** @type {Pose[]} */
  const poses = [];
  for (const [number, body] of model.order) {
    if (number < 0) {
      poses[body] = IDENTITY;
      continue;
    }
    const joint = model.joints[number];
    const parent = poses[joint.parent];
    let pose = compose(parent, joint);
    for (const dof of joint.dofs) {
      pose = compose(dof.kind === 'free' ? parent : pose, motion(dof, values.get(dof.name) ?? model.start[dof.name]));
    }
    poses[body] = { pos: pose.pos, rot: normalise(pose.rot) };
  }
  return poses;
}

/** M(q - zero) in the frame of the child. @param {Dof} dof @param {number[]} value @returns {Pose} */
export function motion(dof, value) {
  if (dof.kind === 'free') return { pos: [value[0], value[1], value[2]], rot: normalise(value.slice(3)) };
  if (dof.kind === 'ball') return about(dof.anchor, normalise(value));
  const amount = value[0] - dof.zero;
  if (dof.kind === 'slide') return { pos: times(dof.axis, amount), rot: [1, 0, 0, 0] };
  const turn = about(dof.anchor, fromAxisAngle(dof.axis, amount));
  if (dof.kind === 'screw') turn.pos = sum(turn.pos, times(dof.axis, amount * dof.pitch));
  return turn;
}

/** @param {import('./types').Vec3} anchor @param {import('./types').Quat} rot @returns {Pose} */
const about = (anchor, rot) => ({ pos: sum(anchor, times(rotate(rot, anchor), -1)), rot });

/** The frame in which the axis of a dof of a joint stands just now. @param {Joint} joint @param {Dof} dof @param {Pose} parent @param {Map<string, number[]>} values @returns {Pose} */
export function before(joint, dof, parent, values) {
  let pose = compose(parent, joint);
  for (const each of joint.dofs) {
    if (each === dof) break;
    pose = compose(each.kind === 'free' ? parent : pose, motion(each, /** @type {number[]} */ (values.get(each.name))));
  }
  return pose;
}

/** Between limits that are none, in radians or metres (FAR of the graph). */
const FAR = 1e4;

/** Where a slider of one number ends: the limits, else what random_configuration of the graph takes. @param {Dof} dof @returns {[number, number]} */
export function reach(dof) {
  const half = dof.kind === 'slide' ? 1 : Math.PI;
  const none = dof.lower === null || dof.upper === null ? dof.lower === dof.upper : dof.upper - dof.lower > FAR;
  if (none) return [dof.zero - half, dof.zero + half];
  const lower = dof.lower ?? /** @type {number} */ (dof.upper) - 2 * half;
  return [lower, dof.upper ?? lower + 2 * half];
}

/** A configuration within the limits. @param {Map<string, {dof: Dof}>} all @returns {Values} */
export function random(all) {
  /** @type {Values} */
  const values = {};
  const signed = () => 2 * Math.random() - 1;
  for (const [name, { dof }] of all) {
    if (follows(all, dof) || dof.kind === 'free') continue;
    const [lower, upper] = reach(dof);
    values[name] = dof.kind === 'ball' ? normalise([1, signed(), signed(), signed()]) : [lower + Math.random() * (upper - lower)];
  }
  return values;
}

/** Between two coordinates of a dof. @param {Dof} dof @param {number[]} a @param {number[]} b @param {number} share */
export function between(dof, a, b, share) {
  const mixed = a.map((value, index) => value + share * (b[index] - value));
  if (size(dof) === 1) return mixed;
  const first = size(dof) - 4;
  const agree = a.slice(first).reduce((total, value, index) => total + value * b[first + index], 0) < 0 ? -1 : 1;
  const turn = a.slice(first).map((value, index) => (1 - share) * value + share * agree * b[first + index]);
  return [...mixed.slice(0, first), ...normalise(turn)];
}

