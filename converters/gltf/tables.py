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
        "meshes and images are inside the file under names of its own; what nothing shows is in the graph inside alone",
        "asset absent",
        "asset extra",
        severity="note",
    ),
    *_rows("gltf/asset", f"how the source says a mesh or an image; {_INSIDE}", "asset*", severity="note"),
    *_rows(
        "gltf/texture",
        "glTF lays images out by texture coordinates: not shown is what goes around a cube, is on a mesh without "
        "coordinates or that nothing shows, has no file or image, or has no part in a material of glTF",
        "material.texture*",
        "material.maps*",
        "material.repeat*",
    ),
    *_rows(
        "gltf/look",
        "glTF has looks for every thing that is seen: how metallic, rough and open it is where the source is silent, "
        "and materials of their own for what mesh files bring along, what is see-through or has no coordinates",
        "material extra",
        "material.* extra",
        "body.geoms.material extra",
        "body.geoms.material different",
        severity="note",
        action="derived",
    ),
    *_rows(
        "gltf/colour",
        "colours of glTF are linear, between 0 and 1, and go through single numbers of the screen and back",
        "material.rgba different",
        "material.emissive different",
        severity="note",
    ),
    *_rows(
        "gltf/material",
        "nothing that is seen bears it, or the mesh file has looks of its own",
        "material absent",
        "body.geoms.material absent",
        severity="note",
    ),
    *_rows(
        "gltf/words",
        f"how the source format says it; what glTF has of it is shown, and {_INSIDE}",
        "material.extras*",
        severity="note",
    ),
    *_rows(
        "gltf/shading",
        "materials of glTF have a colour, metal, roughness, emission and images, and none of the older words for shine",
        "material*",
    ),
    *_rows("gltf/names", "a node has one name", "*.label", "scene.name", severity="note"),
    *_rows(
        "gltf/pose",
        "a node stands where its joint puts it as that stands (--pose, the keyframe as_drawn, else zero or the nearest "
        "limit), its numbers rounded in the last bit",
        "joint.pose*",
        "body.geoms.pose*",
        "body.frames.pose*",
        "body.cameras.pose*",
        "body.lights.pose*",
        severity="note",
    ),
    *_rows(
        "gltf/joint-name",
        "nodes have the names of bodies, and of joints that have frames in KHR_physics_rigid_bodies, a draft; any "
        "other joint is a node inside another, without a name",
        "joint.name",
        severity="note",
        action="carried",
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
        severity="note",
    ),
    *_rows(
        "gltf/transparency",
        "what of a geom is seen through is the alpha of its material in glTF",
        "body.geoms.transparency",
        severity="note",
    ),
    *_rows("gltf/group", "nodes are in no groups that are shown and hidden", "body.geoms.group", severity="note"),
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
