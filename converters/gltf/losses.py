"""Why other tools do not see in glTF what the graph holds: reasons alone, the differences are computed."""

from __future__ import annotations

import math

from converters.format import Held, Loss, renamed, unframed
from converters.gltf.scene.views import KINDS
from converters.gltf.writing.physics import attached
from converters.report.reasons import all_of, of_dof, of_joint
from ir.diff import Difference
from ir.inertia import principal
from ir.pose import body_tensor
from ir.types import Dof, DofKind, Joint

_INSIDE = "the copy of the robot in the file's extras holds it"
ALONE = (
    *("effort", "velocity", "acceleration", "deceleration", "jerk", "friction", "armature", "pitch"),
    *("mimic", "soft", "calibration", "parameters"),
)
"""What a dof may say and an axis of the draft has no word for."""


def _wide(dof: Dof) -> bool:
    """Whether it turns further than once."""
    bounded = dof.lower is not None and dof.upper is not None and dof.upper - dof.lower > math.tau
    return bounded and dof.kind is not DofKind.SLIDE


def _physical(_: Difference, held: Held) -> bool:
    """Whether there is physics in the file."""
    return held.options.physics != "none"


def _plain(dof: Dof) -> bool:
    """Whether it says nothing that the draft has no word for."""
    return not any(getattr(dof, name) for name in ALONE) and not _wide(dof)


def _jointed(joint: Joint) -> bool:
    """Whether the draft has a joint of that kind."""
    return bool(joint.dofs) and not joint.free and attached(joint.dofs) is not None


def _weighs(difference: Difference, held: Held) -> bool:
    """Whether the draft has all of what a body weighs: moments of 0 are infinite there."""
    body = held.scene.bodies.get(difference.path[1])
    if body is None or body.inertial is None or not body.inertial.mass > 0:
        return False
    return min(principal(body_tensor(body.inertial))[1]) > 0


def _of_another_kind(difference: Difference, held: Held) -> bool:
    """Whether glTF has no light of that kind."""
    _, body, *inner = difference.path
    lights = held.scene.bodies[body].lights if body in held.scene.bodies else ()
    return any(light.name == inner[1] and light.kind not in KINDS for light in lights if inner[1:])


LOSSES = (
    renamed("gltf"),
    unframed("gltf"),
    Loss(
        "body.geoms.shape.asset different",
        "gltf/mesh",
        "the triangles of the mesh file are inside the output under a name of their own, in single precision or as "
        "--compress stores them; a corner with several normals or texture coordinates is several",
        "note",
        "derived",
    ),
    Loss(
        "body.geoms.shape*",
        "gltf/triangles",
        "glTF shows triangles: the shape itself is in the copy of the robot in the file's extras, and a collider of "
        "physics, where there is physics",
        "note",
    ),
    Loss(
        "asset absent",
        "gltf/embedded",
        "glTF holds what is shown of a mesh or an image under a name of its own: only the file's extras still name "
        "the original",
        "note",
    ),
    Loss("asset extra", "gltf/embedded", "a mesh or an image inside the file, under a name of its own", "note"),
    Loss("asset*", "gltf/asset", f"how the source says a mesh or an image; {_INSIDE}", "note"),
    Loss(
        "material.texture*, material.maps*, material.repeat*",
        "gltf/texture",
        "glTF lays images out by texture coordinates: not shown is what goes around a cube, is on a mesh without "
        "coordinates or that nothing shows, has no file or image, or has no part in a material of glTF",
    ),
    Loss(
        "material extra, material.* extra, body.geoms.material extra, body.geoms.material different",
        "gltf/look",
        "glTF needs a whole material for all that is seen: metalness and roughness where the source is silent, and "
        "materials of their own for looks from mesh files, for what is see-through, and for meshes without texture "
        "coordinates",
        "note",
        "derived",
    ),
    Loss(
        "material.rgba different, material.emissive different",
        "gltf/colour",
        "colours of glTF are linear, between 0 and 1, and go through single numbers of the screen and back; a mesh "
        "file that has colours keeps them",
        "note",
    ),
    Loss(
        "material absent, body.geoms.material absent",
        "gltf/material",
        "not written: nothing that is seen uses it, or the mesh file has looks of its own",
        "note",
    ),
    Loss(
        "material.extras*",
        "gltf/words",
        f"looks that formats have in common are shown, and not what only the source format says: {_INSIDE}",
        "note",
    ),
    Loss(
        "material.metallic different, material.roughness different",
        "gltf/metal-range",
        "metal and roughness of glTF are between 0 and 1",
    ),
    Loss(
        "material*",
        "gltf/shading",
        "materials of glTF have a colour, metal, roughness, emission and images, and none of the older words for shine",
    ),
    Loss("scene.name", "gltf/names", "a node has one name", "note"),
    Loss(
        "joint.pose*, body.geoms.pose*, body.frames.pose*, body.cameras.pose*, body.lights.pose*",
        "gltf/pose",
        "a node stands where the pose of its joint puts it (--pose, else the keyframe as_drawn, else zero or the "
        "nearest limit; --hierarchy flat: in the world), and a mesh of --compress quantize in the middle of its "
        "numbers; the last bit may differ",
        "note",
    ),
    Loss(
        "joint.parent",
        "gltf/flat",
        "the nodes of bodies stand side by side (--hierarchy flat): the joints of physics say who holds whom, and "
        f"{_INSIDE}",
        "note",
        "carried",
    ),
    Loss(
        "joint.name",
        "gltf/joint-name",
        "nodes have the names of bodies, and of joints that have frames in the physics of the file (--physics); any "
        "other joint is a node inside another, without a name",
        "note",
        "carried",
    ),
    Loss(
        "draft-none*",
        "gltf/no-physics",
        "the file has no extension for physics (--physics none): nothing in it moves by forces, weighs or collides; "
        f"{_INSIDE}",
        "note",
        "carried",
    ),
    Loss(
        "draft-omi.body.geoms.surface*",
        "gltf/omi-contact",
        f"OMI_physics_body says nothing of friction and bounce: each engine has its own; {_INSIDE}",
    ),
    Loss(
        "draft-omi.contact*",
        "gltf/omi-contact",
        "OMI_physics_body says nothing of what may touch what: bodies that a joint holds do not, and all others do; "
        f"{_INSIDE}",
        action="approximated",
    ),
    Loss(
        "draft-omi.body.geoms.shape.bounded",
        "gltf/omi-plane",
        "OMI_physics_shape has no plane without an end: what collides are the triangles that are shown of it",
        action="approximated",
    ),
    Loss(
        "draft-omi.body.inertial*",
        "gltf/omi-mass",
        "in OMI_physics_body a body that says no mass weighs a kilogram",
        action="approximated",
    ),
    Loss(
        "draft*.joint.dofs, draft*.loop.dofs, draft*.joint.dofs.kind, draft*.loop.dofs.kind",
        "gltf/no-draft",
        "the physics of glTF has no joint of axes that are neither equal nor at right angles, that do not meet, "
        "that turn as they slide, or that turn or slide twice along one line, and none of a ball beside others: "
        "engines that read it hold the body by nothing",
        action="approximated",
        when=of_joint(lambda joint: attached(joint.dofs) is None),
    ),
    Loss(
        "draft*.joint.dofs.stop*, draft*.loop.dofs.stop*",
        "gltf/stop",
        "what brakes a joint in a bound of the physics of glTF grows with the speed alone",
        action="approximated",
    ),
    Loss(
        "draft*.joint.dofs.lower absent, draft*.joint.dofs.upper absent, draft*.loop.dofs.lower absent, "
        "draft*.loop.dofs.upper absent",
        "gltf/turns",
        "engines that read the physics of glTF know where a joint stands, and not after how many turns: bounds "
        "that are further apart than a whole turn are none",
        action="approximated",
        when=of_dof(_wide),
    ),
    Loss(
        "joint.dofs*",
        "gltf/joint",
        "it stands in the physics of the file (--physics), all of it: who knows that has the joint, and nobody else",
        "note",
        when=all_of(_physical, of_joint(lambda joint: _jointed(joint) and all(map(_plain, joint.dofs)))),
    ),
    Loss(
        "joint.dofs*",
        "gltf/joint",
        "its axes, bounds, springs and dampers stand in the physics of the file (--physics); what else it says (most "
        f"force and speed, friction, armature, whom it follows, bounds beyond a turn) does not: {_INSIDE}",
        when=all_of(_physical, of_joint(_jointed)),
    ),
    Loss(
        "joint*",
        "gltf/joint",
        f"glTF has no joints, and the physics of the file (--physics) none that says this: {_INSIDE}",
    ),
    Loss("loop*, constraint*", "gltf/loop", "the nodes of glTF are a tree, and nothing couples them"),
    Loss(
        "body.inertial",
        "gltf/inertia",
        "it stands in the physics of the file (--physics), all of it: who knows that has the mass, and nobody else",
        "note",
        when=all_of(_physical, _weighs),
    ),
    Loss(
        "body.inertial*, body.geoms.mass, body.geoms.density",
        "gltf/inertia",
        f"glTF has no masses; its physics (--physics) has those of bodies, and moments above 0: {_INSIDE}",
    ),
    Loss(
        "body.geoms.surface*, body.surface*, body.self_collide, contact*",
        "gltf/contact",
        "glTF has no contacts; its physics (--physics khr) has friction and filters",
    ),
    Loss(
        "body.lights*",
        "gltf/light-kind",
        "lights of glTF are points, spots and suns: for one of another kind (an image) stands a node that shines not",
        when=_of_another_kind,
    ),
    Loss(
        "body.lights.intensity",
        "gltf/light-off",
        "lights of glTF have no switch, and shine by nothing less than 0: one that is off has the intensity 0",
    ),
    Loss(
        "body.cameras.aspect",
        "gltf/camera-pixels",
        "a camera of glTF says the shape of its view (aspectRatio), and not that of its pixels",
        "note",
    ),
    Loss(
        "body.cameras.principal*",
        "gltf/camera-axis",
        "a camera of glTF looks through the middle of its image: it sees as much, and turned to no side",
        action="approximated",
    ),
    Loss("body.cameras*, body.lights*", "gltf/looks", "a camera or light of glTF has no such property", "note"),
    Loss(
        "body.geoms.transparency",
        "gltf/transparency",
        "what of a geom is seen through is the alpha of its material in glTF",
        "note",
    ),
    Loss("body.geoms.group", "gltf/group", "glTF has no groups of nodes to show and hide", "note"),
    Loss("body.scope, scope*", "gltf/scope", "glTF has no nested models: the names of nodes hold the path"),
    Loss(
        "body*",
        "gltf/body",
        f"nodes of glTF have a name and a place, and no other words for a link, a site or a geom: {_INSIDE}",
    ),
    Loss(
        "actuator*",
        "gltf/actuator",
        "glTF has no actuators; its physics (--physics) has one drive for each axis, in which "
        "the spring of the joint and its servo are one",
    ),
    Loss(
        "motion.still, motion.loop, motion.unread",
        "gltf/motion",
        "an animation of glTF moves nodes: a motion in which no joint moves is none, and a joint that closes a loop "
        "has no node to be moved; where axes of a joint fall together, nobody can tell any more how it was moved",
    ),
    Loss(
        "transmission*, hardware*, sensor*, tendon*, keyframe*, group*, end_effector*, approximation*, "
        "physics*, block*",
        "gltf/simulation",
        "glTF is about what is seen",
    ),
    Loss(
        "*.extras.sdf/*drake:joint",
        "gltf/drake-joint",
        f"a joint that only Drake reads in SDFormat is no joint here: {_INSIDE}",
    ),
    Loss("*.extras*", "gltf/foreign", f"what only the source format knows is not written: {_INSIDE}"),
)


def losses() -> tuple[Loss, ...]:
    return LOSSES
