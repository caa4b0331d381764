// One model in three.js: a group for each body, with its geoms in it.
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

/** @typedef {import('./state.js').Standing} Standing @typedef {import('./types').Look} Look */

const COLLIDES = 0x2a9d8f;
const OTHER = 0xe07a2f;
const CHOSEN = 0x3b82f6;

/**
 * @param {Standing} standing @param {ArrayBuffer} glb @param {boolean} second whether it is the model to compare with
 */
export async function createRobot(standing, glb, second) {
  const gltf = await new GLTFLoader().parseAsync(glb, '');
  const root = new THREE.Group();
  /** @type {Map<string, {body: number, role: string, plane: boolean}>} */
  const geoms = new Map();
  const groups = standing.model.bodies.map((body, index) => {
    for (const geom of body.geoms) geoms.set(geom.name, { body: index, role: geom.role, plane: geom.shape.startsWith('plane') });
    const group = new THREE.Group();
    group.name = body.name;
    group.matrixAutoUpdate = false;
    group.userData.body = body.name;
    root.add(group);
    return group;
  });
  /** @type {{object: THREE.Object3D, role: string, body: number, plane: boolean, meshes: THREE.Mesh[]}[]} */
  const parts = [];
  for (const object of [...gltf.scene.children]) {
    const geom = geoms.get(object.userData.geom);
    if (!geom) continue;
    /** @type {THREE.Mesh[]} */
    const meshes = [];
    object.traverse((each) => {
      if (each instanceof THREE.Mesh) {
        each.userData.own = each.material;
        meshes.push(each);
      }
    });
    groups[geom.body].add(object);
    parts.push({ object, meshes, ...geom });
  }
  /** @type {Map<string, THREE.Material>} */
  const dyes = new Map();

  /** A material of the look: what the model says, or a dye of ours; each made once. @param {THREE.Material} own @param {string} dye @param {number} opacity */
  function painted(own, dye, opacity) {
    if (!dye && opacity === 1) return own;
    const key = `${dye === 'chosen' || !dye ? own.uuid : ''} ${dye} ${opacity}`;
    let made = dyes.get(key);
    if (!made) {
      if (dye === 'collides' || dye === 'other') {
        made = new THREE.MeshStandardMaterial({ color: dye === 'other' ? OTHER : COLLIDES, roughness: 0.7 });
        // Behind the other model where both have the same surface: only what differs shows.
        if (dye === 'other') Object.assign(made, { polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 8 });
      } else {
        made = own.clone();
        if (dye) {
          const glowing = /** @type {THREE.MeshStandardMaterial} */ (made);
          glowing.emissive?.setHex(CHOSEN);
          glowing.emissiveIntensity = 0.55;
        }
      }
      if (opacity < 1) Object.assign(made, { transparent: true, depthWrite: false, opacity: (dye === 'chosen' || !dye ? own.opacity : 1) * opacity });
      dyes.set(key, made);
    }
    return made;
  }

  /** Bodies that some coordinate moves. @type {Set<number>} */
  const moving = new Set();
  for (const [number, body] of standing.model.order) {
    const joint = standing.model.joints[number];
    if (joint && (joint.dofs.length || moving.has(joint.parent))) moving.add(body);
  }

  return {
    root,
    moving,
    groups,
    parts,
    standing,
    move() {
      const matrix = new THREE.Matrix4();
      const turn = new THREE.Quaternion();
      const one = new THREE.Vector3(1, 1, 1);
      standing.poses.forEach(({ pos, rot: [w, x, y, z] }, body) => {
        matrix.compose(new THREE.Vector3(...pos), turn.set(x, y, z, w), one);
        groups[body].matrix.copy(matrix);
      });
      root.updateMatrixWorld(true);
    },
    /** @param {Look} look @param {string} selected name of a body @param {boolean} overlaid */
    dress(look, selected, overlaid) {
      for (const { object, role, body, meshes } of parts) {
        const seen = role !== 'collision';
        object.visible = look.role === 'both' || (look.role === 'visual' ? seen && !isHidden(role) : !seen || role === 'both');
        const ghost = second && overlaid;
        const chosen = selected !== '' && standing.model.bodies[body].name === selected;
        const dye = chosen ? 'chosen' : ghost ? 'other' : !seen ? 'collides' : '';
        const opacity = look.opacity * (ghost || (!seen && look.role === 'both') ? 0.45 : 1);
        for (const mesh of meshes) {
          const own = mesh.userData.own;
          mesh.material = Array.isArray(own) ? own.map((each) => painted(each, dye, opacity)) : painted(own, dye, opacity);
        }
      }
    },
  };
}

/** Roles of an engine's own are no visuals. @param {string} role */
const isHidden = (role) => role !== 'visual' && role !== 'both';

/** @typedef {Awaited<ReturnType<typeof createRobot>>} Robot */
