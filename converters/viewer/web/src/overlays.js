// Lines over the model: frames of bodies, axes of joints, centres of mass and boxes of inertia. One draw call each.
import * as THREE from 'three';
import { before } from './kinematics.js';
import { compose, placed, rotate, sum, times } from './pose.js';

/** @typedef {import('./state.js').Standing} Standing @typedef {import('./types').Vec3} Vec3 @typedef {import('./types').Pose} Pose */

/** @type {[Vec3, number][]} */
const AXES = [[[1, 0, 0], 0xe5484d], [[0, 1, 0], 0x30a46c], [[0, 0, 1], 0x4f86f7]];
const CORNERS = [-0.5, 0.5].flatMap((x) => [-0.5, 0.5].flatMap((y) => [-0.5, 0.5].map((z) => /** @type {Vec3} */ ([x, y, z]))));
const EDGES = CORNERS.flatMap((a, i) => CORNERS.slice(i + 1).filter((b) => a.filter((v, k) => v !== b[k]).length === 1).map((b) => [a, b]));

/** Lines that are drawn anew at every pose. @param {THREE.Object3D} parent */
function sketch(parent) {
  const material = new THREE.LineBasicMaterial({ vertexColors: true, depthTest: false, transparent: true });
  const drawn = new THREE.LineSegments(new THREE.BufferGeometry(), material);
  drawn.frustumCulled = false;
  drawn.renderOrder = 10;
  drawn.raycast = () => undefined;
  parent.add(drawn);
  /** @type {number[]} */
  let points = [];
  /** @type {number[]} */
  let colours = [];
  return {
    /** @param {Vec3} a @param {Vec3} b @param {number} colour */
    line(a, b, colour) {
      const { r, g, b: blue } = new THREE.Color(colour);
      points.push(...a, ...b);
      colours.push(r, g, blue, r, g, blue);
    },
    done() {
      drawn.geometry.dispose();
      drawn.geometry = new THREE.BufferGeometry();
      drawn.geometry.setAttribute('position', new THREE.Float32BufferAttribute(points, 3));
      drawn.geometry.setAttribute('color', new THREE.Float32BufferAttribute(colours, 3));
      drawn.visible = points.length > 0;
      points = [];
      colours = [];
    },
  };
}

/** @param {THREE.Object3D} parent @param {Standing} standing */
export function createOverlays(parent, standing) {
  const pen = sketch(parent);
  const { model } = standing;

  /** @param {Pose} pose @param {number} length */
  const frame = (pose, length) => {
    for (const [axis, colour] of AXES) pen.line(pose.pos, placed(pose, times(axis, length)), colour);
  };
  /** @param {import('./types').Joint} joint @param {number} length */
  const axes = (joint, length) => {
    for (const dof of joint.dofs) {
      if (dof.kind === 'ball' || dof.kind === 'free') continue;
      const pose = before(joint, dof, standing.poses[joint.parent], standing.values);
      const middle = placed(pose, dof.anchor), along = times(rotate(pose.rot, dof.axis), length);
      const tip = sum(middle, along);
      pen.line(sum(middle, times(along, -1)), tip, 0xf5a524);
      for (const side of /** @type {Vec3[]} */ ([[1, 0, 0], [0, 1, 0], [0, 0, 1]])) {
        pen.line(tip, sum(sum(middle, times(along, 0.8)), times(rotate(pose.rot, side), length * 0.08)), 0xf5a524);
      }
    }
  };

  return {
    /** @param {import('./types').Look} look @param {string} selected @param {number} size of the model, metres */
    draw(look, selected, size) {
      model.bodies.forEach((body, index) => {
        const chosen = selected !== '' && body.name === selected;
        const pose = standing.poses[index];
        if (look.frames || chosen) frame(pose, size * (chosen ? 0.1 : 0.05));
        if (!body.inertial) return;
        const centre = compose(pose, body.inertial);
        if (look.masses || chosen) {
          for (const [axis] of AXES) pen.line(sum(centre.pos, times(axis, size * 0.015)), sum(centre.pos, times(axis, size * -0.015)), 0xff4fd8);
        }
        const { box } = body.inertial;
        if (box && (look.inertias || chosen)) {
          const turned = { pos: centre.pos, rot: compose(pose, { pos: [0, 0, 0], rot: box.rotation }).rot };
          /** @param {Vec3} corner @returns {Vec3} */
          const at = ([x, y, z]) => placed(turned, [x * box.size[0], y * box.size[1], z * box.size[2]]);
          for (const [a, b] of EDGES) pen.line(at(a), at(b), 0xb36bff);
        }
      });
      for (const joint of model.joints) {
        const chosen = selected !== '' && model.bodies[joint.child].name === selected;
        if ((look.axes || chosen) && standing.poses[joint.parent]) axes(joint, size * (chosen ? 0.15 : 0.08));
      }
      pen.done();
    },
  };
}
