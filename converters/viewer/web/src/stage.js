// The picture: camera, lights, grid, picking; drawn when something has changed and not otherwise.
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { byId, element } from './dom.js';
import { createOverlays } from './overlays.js';

/** @typedef {import('./state.js').State} State @typedef {import('./robot.js').Robot} Robot */

THREE.Object3D.DEFAULT_UP.set(0, 0, 1);
const FOV = 40;

/** @param {State} state */
export function createStage(state) {
  const canvas = /** @type {HTMLCanvasElement} */ (byId('canvas'));
  const renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
  renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
  const scene = new THREE.Scene();
  const camera = new THREE.PerspectiveCamera(FOV, 1, 0.01, 1000);
  const sky = new THREE.HemisphereLight(0xffffff, 0x8a8f98, 1.6);
  sky.position.set(0, 0, 1);
  const lamp = new THREE.DirectionalLight(0xffffff, 1.8);
  lamp.position.set(-0.5, 0.9, 0.6);
  camera.add(lamp);
  scene.add(camera, sky);
  const controls = new OrbitControls(camera, canvas);
  controls.addEventListener('change', () => draw());

  /** @type {{robot: Robot, overlays: ReturnType<typeof createOverlays>}[]} */
  const shown = [];
  /** @type {THREE.GridHelper | undefined} */
  let grid;
  let size = 1;
  let waiting = false;

  function draw() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      const away = camera.position.distanceTo(controls.target);
      camera.near = Math.max(away / 1000, 1e-4);
      camera.far = away + size * 50;
      camera.updateProjectionMatrix();
      renderer.render(scene, camera);
    });
  }

  function move() {
    for (const { robot, overlays } of shown) {
      robot.move();
      overlays.draw(state.look, state.selected, size);
    }
    draw();
  }

  function dress() {
    const { look } = state;
    const second = shown[1]?.robot;
    if (second) second.root.position.set(0, look.beside ? -width(shown[0].robot) * 1.15 : 0, 0);
    for (const { robot } of shown) robot.dress(look, state.selected, second !== undefined && !look.beside);
    if (grid) grid.visible = look.grid;
    scene.background = new THREE.Color(getComputedStyle(document.documentElement).getPropertyValue('--stage').trim());
    move();
  }

  /** How far a model reaches to the sides. @param {Robot} robot */
  function width(robot) {
    const box = bounds([robot], true);
    return Math.max(box.max.y - box.min.y, box.max.x - box.min.x, 0.2);
  }

  /** The box around what is seen of models. Planes, and surroundings much larger than what moves, count where there is nothing else.
   * @param {Robot[]} robots @param {boolean} [local] */
  function bounds(robots, local = false) {
    /** @type {{box: THREE.Box3, moves: boolean, plane: boolean}[]} */
    const found = [];
    for (const { parts, moving, root } of robots) {
      for (const { object, body, meshes, plane } of parts) {
        if (!object.visible) continue;
        for (const mesh of meshes) {
          if (!mesh.geometry.boundingBox) mesh.geometry.computeBoundingBox();
          const box = /** @type {THREE.Box3} */ (mesh.geometry.boundingBox).clone().applyMatrix4(mesh.matrixWorld);
          if (local) box.translate(root.position.clone().negate());
          if (Number.isFinite(box.min.x + box.max.x)) found.push({ box, moves: moving.has(body), plane });
        }
      }
    }
    const solid = found.filter(({ plane }) => !plane);
    const heart = around(solid.filter(({ moves }) => moves));
    const limit = heart.isEmpty() ? Infinity : 4 * length(heart);
    const framed = around(solid.filter(({ box, moves }) => moves || length(box) <= limit));
    const whole = framed.isEmpty() ? around(found) : framed;
    if (!whole.isEmpty()) return whole;
    for (const { standing } of robots) for (const { pos } of standing.poses) whole.expandByPoint(new THREE.Vector3(...pos));
    return whole.isEmpty() ? whole.set(new THREE.Vector3(-0.5, -0.5, 0), new THREE.Vector3(0.5, 0.5, 0.5)) : whole.expandByScalar(0.05);
  }

  /** @param {{box: THREE.Box3}[]} boxes */
  const around = (boxes) => boxes.reduce((whole, { box }) => whole.union(box), new THREE.Box3());
  /** @param {THREE.Box3} box */
  const length = (box) => box.getSize(new THREE.Vector3()).length();

  function fit() {
    camera.fov = FOV;
    const box = bounds(shown.map(({ robot }) => robot));
    const sphere = box.getBoundingSphere(new THREE.Sphere());
    size = Math.max(sphere.radius * 2, 1e-3);
    const narrow = Math.min(1, camera.aspect);
    const away = (sphere.radius / Math.sin((FOV * Math.PI) / 360) / narrow) * 1.02;
    camera.position.copy(sphere.center).add(new THREE.Vector3(0.82, -0.62, 0.42).normalize().multiplyScalar(away));
    controls.target.copy(sphere.center);
    controls.update();
    lay(box);
    move();
  }

  /** A grid in steps of 1, 2 or 5 below the model. @param {THREE.Box3} box */
  function lay(box) {
    grid?.removeFromParent();
    grid?.dispose();
    const step = [1, 2, 5, 10].map((each) => each * 10 ** Math.floor(Math.log10(size / 4))).find((each) => each >= size / 10) ?? 1;
    const cells = 20;
    grid = new THREE.GridHelper(step * cells, cells, 0x7d8794, 0x9aa3ad);
    /** @type {THREE.Material} */ (grid.material).transparent = true;
    /** @type {THREE.Material} */ (grid.material).opacity = 0.35;
    grid.rotation.x = Math.PI / 2;
    const floor = Math.abs(box.min.z) < size * 0.6 ? Math.min(0, box.min.z) : box.min.z;
    grid.position.set(0, 0, floor);
    if (!box.containsPoint(new THREE.Vector3(0, 0, box.min.z))) {
      /** @param {number} a @param {number} b */
      const middle = (a, b) => Math.round((a + b) / 2 / step) * step;
      grid.position.set(middle(box.min.x, box.max.x), middle(box.min.y, box.max.y), floor);
    }
    grid.visible = state.look.grid;
    grid.raycast = () => undefined;
    scene.add(grid);
    byId('scale').textContent = `z up · grid ${step >= 1 ? `${step} m` : step >= 0.01 ? `${+(step * 100).toPrecision(3)} cm` : `${+(step * 1000).toPrecision(3)} mm`}`;
  }

  function resize() {
    const { clientWidth, clientHeight } = /** @type {HTMLElement} */ (canvas.parentElement);
    renderer.setSize(clientWidth, clientHeight, false);
    camera.aspect = clientWidth / Math.max(clientHeight, 1);
    camera.updateProjectionMatrix();
    draw();
  }

  /** The body below a point of the canvas, "" for none. @param {number} x @param {number} y in pixels of the page */
  function pick(x, y) {
    const { left, top, width: wide, height } = canvas.getBoundingClientRect();
    const ray = new THREE.Raycaster();
    ray.setFromCamera(new THREE.Vector2(((x - left) / wide) * 2 - 1, 1 - ((y - top) / height) * 2), camera);
    const hits = ray.intersectObjects(shown.map(({ robot }) => robot.root), true);
    for (const { object } of hits) {
      /** @type {THREE.Object3D | null} */
      let each = object;
      let seen = true;
      while (each && each.userData.body === undefined) {
        seen &&= each.visible;
        each = each.parent;
      }
      if (each && seen) return String(each.userData.body);
    }
    return '';
  }

  /** @type {[number, number]} */
  let pressed = [0, 0];
  canvas.addEventListener('pointerdown', (event) => (pressed = [event.clientX, event.clientY]));
  canvas.addEventListener('pointerup', ({ clientX, clientY, button }) => {
    if (button === 0 && Math.hypot(clientX - pressed[0], clientY - pressed[1]) < 4) state.select(pick(clientX, clientY));
  });
  canvas.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !press(event.key, event.shiftKey)) return;
    event.preventDefault();
    controls.update();
    draw();
  });

  /** Arrows turn the camera, with shift they move it, + and - go nearer and farther, f shows everything. @param {string} key @param {boolean} shift */
  function press(key, shift) {
    const arm = camera.position.clone().sub(controls.target);
    const polar = new THREE.Spherical().setFromVector3(new THREE.Vector3(arm.x, arm.z, -arm.y));
    const [x, y] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[key] ?? [0, 0];
    if (key === 'f' || key === 'Home') fit();
    else if (key === 'Escape') state.select('');
    else if (key === '+' || key === '=') polar.radius *= 0.85;
    else if (key === '-') polar.radius /= 0.85;
    else if (!x && !y) return false;
    else if (shift) {
      const right = new THREE.Vector3().setFromMatrixColumn(camera.matrix, 0), up = new THREE.Vector3().setFromMatrixColumn(camera.matrix, 1);
      const step = right.multiplyScalar(x * polar.radius * 0.05).add(up.multiplyScalar(y * polar.radius * 0.05));
      controls.target.add(step);
    } else {
      polar.theta += x * 0.1;
      polar.phi -= y * 0.1;
    }
    polar.makeSafe();
    if (key === 'f' || key === 'Home') return true;
    const turned = new THREE.Vector3().setFromSpherical(polar);
    camera.position.copy(controls.target).add(new THREE.Vector3(turned.x, -turned.z, turned.y));
    return true;
  }

  new ResizeObserver(resize).observe(/** @type {HTMLElement} */ (canvas.parentElement));
  resize();

  return {
    /** @param {Robot[]} robots */
    show(robots) {
      for (const robot of robots) {
        scene.add(robot.root);
        shown.push({ robot, overlays: createOverlays(robot.root, robot.standing) });
      }
      move();
      dress();
      fit();
      state.on('pose', move);
      state.on('look', dress);
      state.on('select', dress);
    },
    fit,
    pick,
    robots: () => shown.map(({ robot }) => robot),
    /** Look from a point at another one, z up. @param {[number, number, number]} from @param {[number, number, number]} to in metres @param {number} fov of the height, in degrees */
    look(from, to, fov) {
      camera.fov = fov;
      camera.position.set(...from);
      controls.target.set(...to);
      controls.update();
      draw();
    },
    triangles: () => renderer.info.render.triangles,
    /** Resolves when what was asked for so far is on the screen. */
    drawn: () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    /** The picture as a file to keep. @param {string} name */
    save(name) {
      renderer.render(scene, camera);
      canvas.toBlob((blob) => {
        if (!blob) return;
        const url = URL.createObjectURL(blob);
        element('a', { href: url, download: name }).click();
        setTimeout(() => URL.revokeObjectURL(url), 10_000);
      });
    },
  };
}
/** @typedef {ReturnType<typeof createStage>} Stage */
