"""What is in the world itself, which some formats attach to a body that does not move."""

from __future__ import annotations

from msgspec.structs import replace

from ir.names import unique
from ir.pose import compose
from ir.refs import entities, references
from ir.scene import Scene
from ir.types import IDENTITY, WORLD, Body, Inertial, Joint, Sensor

MASSLESS = Inertial(mass=0.0, tensor=(0.0, 0.0, 0.0, 0.0, 0.0, 0.0))


def held(scene: Scene, name: str) -> tuple[Body, Joint] | None:
    """The body of that name and its weld to the world, if it exists only for its geoms, cameras and sensors."""
    joint = scene.joint_of(name)
    if joint is None or joint.parent != WORLD or joint.dofs or next(scene.child_joints(name), None) is not None:
        return None
    body = scene.body(name)
    bare = Body(name=name, scope=body.scope, extras=body.extras, geoms=body.geoms, cameras=body.cameras)
    said = replace(body, inertial=None, self_collide=None)
    if said != bare or body.extras or (body.inertial is not None and body.inertial != MASSLESS):
        return None
    for _, entity in entities(scene):
        if entity is joint or (isinstance(entity, Sensor) and entity.body == name and entity.target is None):
            continue
        if any("body" in kind and each == name for _, kind, each in references(entity)):
            return None
    return body, joint


def body_as_world(scene: Scene, name: str) -> Scene:
    """The scene with the contents of such a body moved into the world itself; the same scene if there is none."""
    found = held(scene, name)
    if found is None:
        return scene
    body, joint = found
    world = scene.body(WORLD)
    geoms, cameras = body.geoms, body.cameras
    if joint.pose != IDENTITY:
        geoms = tuple(replace(geom, pose=compose(joint.pose, geom.pose)) for geom in geoms)
        cameras = tuple(replace(camera, pose=compose(joint.pose, camera.pose)) for camera in cameras)
    filled = replace(world, geoms=(*world.geoms, *geoms), cameras=(*world.cameras, *cameras))
    sensors: list[Sensor] = [
        replace(each, body=WORLD, pose=compose(joint.pose, each.pose)) if each.body == name else each
        for each in scene.tables["sensor"].values()
    ]
    return scene.evolve(
        tables={"sensor": sensors},
        bodies=[filled if each is world else each for each in scene.bodies.values() if each is not body],
        joints=[each for each in scene.joints.values() if each is not joint],
    )


def world_as_body(scene: Scene, name: str) -> Scene:
    """The scene with the contents of the world itself moved into a body of that name, which is welded to it: the
    inverse of body_as_world."""
    world = scene.body(WORLD)
    body = Body(name=name, inertial=MASSLESS, geoms=world.geoms, cameras=world.cameras)
    sensors: list[Sensor] = [
        replace(each, body=name) if each.body == WORLD and each.target is None else each
        for each in scene.tables["sensor"].values()
    ]
    bare = replace(world, geoms=(), cameras=())
    return scene.evolve(
        tables={"sensor": sensors},
        bodies=[*(bare if each is world else each for each in scene.bodies.values()), body],
        joints=[*scene.joints.values(), Joint(name=unique(f"{name}_weld", scene.joints), parent=WORLD, child=name)],
    )
