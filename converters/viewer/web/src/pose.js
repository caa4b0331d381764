// Rigid motions as plain numbers, as ir/pose.py has them.

/** @typedef {import('./types').Vec3} Vec3 @typedef {import('./types').Quat} Quat @typedef {import('./types').Pose} Pose */

/** @type {Pose} */
export const IDENTITY = { pos: [0, 0, 0], rot: [1, 0, 0, 0] };

/** @param {Quat} a @param {Quat} b @returns {Quat} */
export const multiply = ([aw, ax, ay, az], [bw, bx, by, bz]) => [
  aw * bw - ax * bx - ay * by - az * bz,
  aw * bx + ax * bw + ay * bz - az * by,
  aw * by - ax * bz + ay * bw + az * bx,
  aw * bz + ax * by - ay * bx + az * bw,
];

/** @param {number[]} q @returns {Quat} a unit quaternion; no rotation where q has no direction */
export function normalise(q) {
  const length = Math.hypot(...q);
  if (!(length > 0 && length < Infinity)) return [1, 0, 0, 0];
  return [q[0] / length, q[1] / length, q[2] / length, q[3] / length];
}

/** @param {Quat} q @param {Vec3} v @returns {Vec3} */
export function rotate([w, x, y, z], [vx, vy, vz]) {
  const tx = 2 * (y * vz - z * vy), ty = 2 * (z * vx - x * vz), tz = 2 * (x * vy - y * vx);
  return [vx + w * tx + y * tz - z * ty, vy + w * ty + z * tx - x * tz, vz + w * tz + x * ty - y * tx];
}

/** @param {Vec3} a @param {Vec3} b @returns {Vec3} */
export const sum = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];

/** @param {Vec3} v @param {number} factor @returns {Vec3} */
export const times = (v, factor) => [v[0] * factor, v[1] * factor, v[2] * factor];

/** @param {Pose} a @param {Pose} b given in the frame of a @returns {Pose} */
export const compose = (a, b) => ({ pos: sum(a.pos, rotate(a.rot, b.pos)), rot: multiply(a.rot, b.rot) });

/** @param {Pose} a @param {Vec3} point @returns {Vec3} */
export const placed = (a, point) => sum(a.pos, rotate(a.rot, point));

/** @param {Vec3} axis a unit vector @param {number} angle @returns {Quat} */
export function fromAxisAngle(axis, angle) {
  const s = Math.sin(angle / 2);
  return [Math.cos(angle / 2), axis[0] * s, axis[1] * s, axis[2] * s];
}

/** Fixed-axis roll, pitch, yaw. @param {number[]} rpy @returns {Quat} */
export function fromRpy([roll, pitch, yaw]) {
  const turns = [fromAxisAngle([0, 0, 1], yaw), fromAxisAngle([0, 1, 0], pitch), fromAxisAngle([1, 0, 0], roll)];
  return multiply(multiply(turns[0], turns[1]), turns[2]);
}

/** @param {Quat} q @returns {Vec3} roll, pitch, yaw */
export function toRpy([w, x, y, z]) {
  const sine = Math.min(1, Math.max(-1, 2 * (w * y - z * x)));
  if (Math.abs(sine) > 1 - 1e-12) return [0, Math.asin(sine), -2 * Math.sign(sine) * Math.atan2(x, w)];
  return [
    Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)),
    Math.asin(sine),
    Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)),
  ];
}
