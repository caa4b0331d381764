"""Why other tools do not see in glTF what the graph holds: reasons alone, the differences are computed."""

from __future__ import annotations

from converters.registry import Loss

_INSIDE = "the graph inside the file holds it"


def _rows(rule: str, reason: str, *fields: str, severity: str = "warning", action: str = "") -> tuple[Loss, ...]:
    return tuple(Loss(field=field, rule=rule, reason=reason, severity=severity, action=action) for field in fields)


LOSSES: tuple[Loss, ...] = (
    *_rows(
        "gltf/triangles",
        "glTF shows triangles; what shape they stand for is known to the graph inside, and to physics as a collider",
        "body.geoms.shape*",
        severity="note",
    ),
    *_rows(
        "gltf/embedded",
        "meshes, images and their looks are inside the file",
        "asset",
        "asset*",
        "body.geoms.material*",
        "material",
        "material*",
        severity="note",
        action="derived",
    ),
    *_rows("gltf/names", "a node has one name", "*.label", "scene.name", severity="note"),
    *_rows(
        "gltf/pose",
        "a node stands where the configuration puts it, to the last bit of its numbers",
        "joint.pose*",
        "body.geoms.pose*",
        "body.frames.pose*",
        "body.cameras.pose*",
        "body.lights.pose*",
        severity="note",
    ),
    *_rows(
        "gltf/joint",
        "nodes have transforms and no joints; KHR_physics_rigid_bodies, a draft, knows some of them",
        "joint",
        "joint*",
    ),
    *_rows("gltf/loop", "nodes are a tree", "loop*", "constraint*"),
    *_rows(
        "gltf/inertia",
        "nodes weigh nothing; KHR_physics_rigid_bodies, a draft, knows the mass",
        "body.inertial*",
        "body.geoms.mass",
        "body.geoms.density",
    ),
    *_rows(
        "gltf/contact",
        "how things touch is no matter of glTF; KHR_physics_rigid_bodies, a draft, knows friction and filters",
        "body.geoms.surface*",
        "body.surface*",
        "body.self_collide",
        "contact*",
    ),
    *_rows(
        "gltf/looks",
        "cameras and lights of glTF have no more than this",
        "body.cameras*",
        "body.lights*",
        "body.geoms.transparency",
        "body.geoms.group",
        severity="note",
    ),
    *_rows("gltf/body", "a node is a place in a tree", "body.*", "body"),
    *_rows(
        "gltf/actuator",
        "glTF has no actuators; KHR_physics_rigid_bodies, a draft, has one drive an axis: the spring of the joint and "
        "what holds it at a position or a velocity, together",
        "actuator*",
    ),
    *_rows(
        "gltf/simulation",
        "glTF is about what is seen",
        "transmission*",
        "hardware*",
        "sensor*",
        "tendon*",
        "keyframe*",
        "group*",
        "end_effector*",
        "approximation*",
        "joint.frame",
        "joint.passive",
        "joint.properties",
        "physics*",
        "scope*",
        "block*",
    ),
    *_rows("gltf/foreign", f"what only the source format knows has no place in a node: {_INSIDE}", "*.extras*"),
)


def losses() -> tuple[Loss, ...]:
    return LOSSES
