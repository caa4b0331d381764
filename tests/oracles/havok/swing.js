// Loads each GLB named on a line of the input into Babylon.js, builds the bodies and joints of its
// KHR_physics_rigid_bodies in Havok, lets it move, and answers where the bodies are at every step.
//
// Babylon reads the document and composes its nodes. Its releases hold no reader of the extension: the one here goes by
// the text of the extension and knows nothing of who wrote the file.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { NullEngine } from "@babylonjs/core/Engines/nullEngine.js";
import { LoadAssetContainerAsync } from "@babylonjs/core/Loading/sceneLoader.js";
import { Matrix, Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector.js";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode.js";
import { Logger } from "@babylonjs/core/Misc/logger.js";
import { HavokPlugin } from "@babylonjs/core/Physics/v2/Plugins/havokPlugin.js";
import {
  PhysicsActivationControl,
  PhysicsConstraintAxis,
  PhysicsMotionType,
} from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin.js";
import { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody.js";
import { Physics6DoFConstraint } from "@babylonjs/core/Physics/v2/physicsConstraint.js";
import {
  PhysicsShapeBox,
  PhysicsShapeCapsule,
  PhysicsShapeContainer,
  PhysicsShapeCylinder,
  PhysicsShapeSphere,
} from "@babylonjs/core/Physics/v2/physicsShape.js";
import "@babylonjs/core/Physics/joinedPhysicsEngineComponent.js";
import "@babylonjs/core/Physics/v2/physicsEngineComponent.js";
import { Scene } from "@babylonjs/core/scene.js";
import { registerGLTFExtension } from "@babylonjs/loaders/glTF/2.0/glTFLoaderExtensionRegistry.js";
import "@babylonjs/loaders/glTF/2.0/index.js";
import HavokPhysics from "@babylonjs/havok";

const BODIES = "KHR_physics_rigid_bodies";
const SHAPES = "KHR_implicit_shapes";
const LINEAR = [PhysicsConstraintAxis.LINEAR_X, PhysicsConstraintAxis.LINEAR_Y, PhysicsConstraintAxis.LINEAR_Z];
const ANGULAR = [PhysicsConstraintAxis.ANGULAR_X, PhysicsConstraintAxis.ANGULAR_Y, PhysicsConstraintAxis.ANGULAR_Z];
const UP = new Vector3(0, 1, 0);

let found = null;

class Collector {
  constructor(loader) {
    this.name = BODIES;
    this.enabled = true;
    this.loader = loader;
  }

  dispose() {
    this.loader = null;
  }

  loadNodeAsync(context, node, assign) {
    return this.loader.loadNodeAsync(context, node, (made) => {
      found.nodes.push({ index: node.index, said: node.extensions?.[BODIES] ?? {}, extras: node.extras ?? {}, made });
      found.document = this.loader.gltf;
      assign(made);
    });
  }
}

const vector = (values) => Vector3.FromArray(values);
const turn = ([x, y, z, w]) => new Quaternion(x, y, z, w);

/** The nearest node upwards that has a motion; null is the world. */
function bodyOf(entry, all) {
  for (let node = entry.made; node; node = node.parent) {
    const here = all.find((each) => each.made === node);
    if (here?.said.motion) return here;
  }
  return null;
}

/** The transform of a node in the frame of a body, as position and rotation. */
function within(entry, body) {
  const world = entry.made.computeWorldMatrix(true);
  const frame = body ? body.made.computeWorldMatrix(true) : Matrix.Identity();
  const position = new Vector3();
  const rotation = new Quaternion();
  world.multiply(Matrix.Invert(frame)).decompose(new Vector3(), rotation, position);
  return { position, rotation };
}

/** The shape of a collider; null for triangles, which nothing touches in these tests. */
function shapeOf(entry, document, scene) {
  const number = entry.said.collider.geometry.shape;
  if (number === undefined) return null;
  const shape = document.extensions[SHAPES].shapes[number];
  const none = Vector3.Zero();
  const straight = Quaternion.Identity();
  if (shape.type === "box") return new PhysicsShapeBox(none, straight, vector(shape.box.size), scene);
  if (shape.type === "sphere") return new PhysicsShapeSphere(none, shape.sphere.radius, scene);
  const { height, radiusTop } = shape[shape.type];
  const half = UP.scale(height / 2);
  if (shape.type === "capsule") return new PhysicsShapeCapsule(half.negate(), half, radiusTop, scene);
  if (shape.type === "cylinder") return new PhysicsShapeCylinder(half.negate(), half, radiusTop, scene);
  throw new Error(`no shape ${shape.type}`);
}

function makeBody(entry, all, document, scene) {
  const { motion } = entry.said;
  const body = new PhysicsBody(
    entry.made,
    motion.isKinematic ? PhysicsMotionType.ANIMATED : PhysicsMotionType.DYNAMIC,
    false,
    scene,
  );
  const whole = new PhysicsShapeContainer(scene);
  for (const each of all) {
    if (each.said.collider && bodyOf(each, all) === entry) {
      const shape = shapeOf(each, document, scene);
      const { position, rotation } = within(each, entry);
      if (shape) whole.addChild(shape, position, rotation);
    }
  }
  body.shape = whole;
  body.setMassProperties({
    mass: motion.mass,
    centerOfMass: vector(motion.centerOfMass ?? [0, 0, 0]),
    inertia: motion.inertiaDiagonal && vector(motion.inertiaDiagonal).scale(1 / motion.mass), // Havok's is that of 1 kg
    inertiaOrientation: turn(motion.inertiaOrientation ?? [0, 0, 0, 1]),
  });
  body.setGravityFactor(motion.gravityFactor ?? 1);
  body.setLinearDamping(0);
  body.setAngularDamping(0);
  scene.getPhysicsEngine().getPhysicsPlugin().setActivationControl(body, PhysicsActivationControl.ALWAYS_ACTIVE);
  return body;
}

function makeJoint(entry, all, bodies, ground, document, scene) {
  const { joint, connectedNode, enableCollision } = entry.said.joint;
  const other = all.find((each) => each.index === connectedNode);
  const ends = [entry, other].map((each) => ({ body: bodyOf(each, all), ...within(each, bodyOf(each, all)) }));
  const across = ({ rotation }, axis) => axis.applyRotationQuaternion(rotation);
  const limits = [];
  for (const limit of document.extensions[BODIES].physicsJoints[joint].limits ?? []) {
    const axes = [
      ...(limit.linearAxes ?? []).map((axis) => LINEAR[axis]),
      ...(limit.angularAxes ?? []).map((axis) => ANGULAR[axis]),
    ];
    limits.push(...axes.map((axis) => ({ axis, minLimit: limit.min, maxLimit: limit.max })));
  }
  const constraint = new Physics6DoFConstraint(
    {
      pivotA: ends[0].position,
      pivotB: ends[1].position,
      axisA: across(ends[0], Vector3.Right()),
      axisB: across(ends[1], Vector3.Right()),
      perpAxisA: across(ends[0], Vector3.Up()),
      perpAxisB: across(ends[1], Vector3.Up()),
      collision: enableCollision ?? false,
    },
    limits,
    scene,
  );
  const [first, second] = ends.map(({ body }) => (body ? bodies.get(body) : ground));
  first.addConstraint(second, constraint);
}

async function answer({ file, seconds, step }, havok) {
  const engine = new NullEngine();
  const scene = new Scene(engine);
  scene.useRightHandedSystem = true;
  found = { nodes: [], document: null };
  const container = await LoadAssetContainerAsync(readFileSync(file), scene, { pluginExtension: ".glb" });
  container.addAllToScene();
  const plugin = new HavokPlugin(false, havok);
  scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);
  plugin.setTimeStep(step); // enablePhysics sets one of its own
  const { nodes: all, document } = found;
  const moving = all.filter((each) => each.said.motion);
  const bodies = new Map(moving.map((each) => [each, makeBody(each, all, document, scene)]));
  const ground = new PhysicsBody(new TransformNode("ground", scene), PhysicsMotionType.STATIC, false, scene);
  for (const each of all) if (each.said.joint) makeJoint(each, all, bodies, ground, document, scene);
  const track = Object.fromEntries(moving.map((each) => [each.extras.kinegraph_name ?? each.made.name, []]));
  for (let time = 0; time < seconds; time += step) {
    plugin.executeStep(step, [...bodies.values(), ground]);
    for (const [each, body] of bodies) {
      const [, [position, rotation]] = havok.HP_Body_GetQTransform(body._pluginData.hpBodyId);
      track[each.extras.kinegraph_name ?? each.made.name].push([...position, ...rotation]);
    }
  }
  engine.dispose();
  return { bodies: track };
}

registerGLTFExtension(BODIES, true, (loader) => new Collector(loader));
const wasmBinary = readFileSync(new URL("node_modules/@babylonjs/havok/lib/esm/HavokPhysics.wasm", import.meta.url));
Logger.LogLevels = Logger.NoneLogLevel;
const havok = await HavokPhysics({ wasmBinary });
for await (const line of createInterface({ input: process.stdin })) {
  if (line) process.stdout.write(`${JSON.stringify(await answer(JSON.parse(line), havok))}\n`);
}
