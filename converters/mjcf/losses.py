"""Why MJCF cannot hold something: reasons alone, the differences are computed."""

from __future__ import annotations

from collections.abc import Mapping

from converters.format import Held, Loss, renamed, unframed
from converters.mjcf.tables import FAR
from converters.passes.keys import WORDED
from converters.report.reasons import (
    PLAIN,
    after,
    any_of,
    before,
    empty,
    idle,
    in_role,
    of_dof,
    of_geom,
    of_world,
    rounded,
    sizeless,
    unled,
    unlike,
    unranged,
    untouched,
)
from ir.diff import Difference
from ir.types import Box, Role

DEGREES = "an angle in degrees, which differs in the last digit"
CUSTOM = "MJCF has no place for it"
DRIVEN = "actuators say what is driven, and by what gear; MJCF has no place for the element itself"
FOREIGN = "not converted: MJCF has nothing that is known to mean this"


DEFAULTS: Mapping[str, float] = {"mu": 1.0, "torsional": 0.005, "rolling": 0.0001, "category": 1, "collide": 1}
"""Fields of a surface that a geom of MuJoCo always has."""


def _usual(difference: Difference, _: Held) -> bool:
    """Whether a surface is that of a geom of which nothing is said."""
    said = difference.after
    return all(getattr(said, name, None) in (None, value) for name, value in DEFAULTS.items())


LOSSES = (
    renamed("mjcf"),
    unframed("mjcf"),
    Loss(
        "joint.extras.sdf/drake:rotor_inertia, joint.extras.sdf/drake:gear_ratio",
        "mjcf/drake-rotor",
        "Drake's words for a rotor and its gear: MJCF has the inertia that they give the joint, its armature",
        "note",
    ),
    Loss(
        "body.geoms.extras.sdf/drake:proximity_properties, body.geoms.extras.urdf/drake:proximity_properties",
        "mjcf/drake-contact",
        "Drake's words for a contact: the friction that they say is that of the geom, where nothing else gives it one; "
        "the rest of them is not converted to MJCF",
    ),
    Loss(
        "*.extras.sdf/*drake:joint",
        "mjcf/drake-joint",
        "a joint that only Drake reads in SDFormat is not converted: what no other joint holds moves freely",
    ),
    Loss(
        "scene.extras.mjcf/default*@class extra",
        "mjcf/class",
        "a class of what is written alike, for others to build on",
        "note",
    ),
    Loss(
        WORDED,
        "mjcf/state",
        "where joints start, or are, in words of SDFormat: a keyframe says it here, as far as all that it says is "
        "positions and velocities of joints and places of models",
    ),
    Loss("*.extras.*", "mjcf/foreign-element", FOREIGN),
    Loss(
        "joint.name",
        "mjcf/joint-name",
        "MJCF names single degrees of freedom: a fixed joint has no name, nor has a joint of several axes",
        "note",
        "carried",
    ),
    Loss("joint.dofs.velocity", "mjcf/velocity-limit", "MJCF has no limit of joint velocity"),
    Loss("joint.dofs.*eleration", "mjcf/acceleration-limit", "MJCF has no limit of joint acceleration"),
    Loss("joint.dofs.jerk", "mjcf/acceleration-limit", "MJCF has no limit of joint jerk"),
    Loss(
        "joint.dofs.stop*",
        "mjcf/stop",
        "MuJoCo says how hard a bound is as an acceleration (solreflimit), which is a force for one inertia only: here "
        "it is as hard as usual",
    ),
    Loss("joint.dofs.soft", "mjcf/soft-limits", "MJCF has no soft limits (safety_controller)"),
    Loss("joint.dofs.calibration", "mjcf/calibration", "MJCF has no calibration switches"),
    Loss(
        "joint.dofs.effort",
        "mjcf/effort",
        "only a limit above 0 is one to MuJoCo (0 would mean none), so it is not written",
        when=before(lambda value: value <= 0.0),
    ),
    Loss("physics extra", "mjcf/physics", CUSTOM),
    Loss(
        "joint.dofs.lower, joint.dofs.upper",
        "mjcf/empty-range",
        "MuJoCo takes a range without width as no limit, refuses one whose lower end is above the upper, and an end "
        f"from {FAR:.0e} on stands for none",
        when=any_of(before(lambda value: abs(value) >= FAR), of_dof(empty)),
    ),
    Loss(
        "joint.dofs.parameters extra", "mjcf/joint-spelling", "how MJCF says the joint, or a range of no width", "note"
    ),
    Loss(
        "joint.dofs.mimic",
        "mjcf/mimic",
        "the joint to follow has no degree of freedom in MJCF, or follows in turn",
        when=unled,
    ),
    Loss(
        "joint.dofs.mimic.offset, joint.dofs.mimic.reference",
        "mjcf/mimic-reference",
        "the reference of the leader is part of the offset",
        "note",
        when=of_dof(lambda dof: dof.mimic is not None and dof.mimic.reference != 0.0),
    ),
    Loss(
        "joint.dofs.mimic.multiplier, joint.dofs.mimic.offset",
        "mjcf/mimic-digits",
        "what the equation says of the follower, which differs in the last digit",
        "note",
        when=rounded,
    ),
    Loss("joint.dofs.pitch", "mjcf/pitch", "MuJoCo has no screws, and nothing else has a pitch"),
    Loss("joint.dofs", "mjcf/joint-kind", "MuJoCo has hinge, slide, ball and free joints only"),
    Loss("body.geoms.shape.base", "mjcf/height-field-base", "MuJoCo wants something below a height field", "note"),
    Loss("body.geoms.shape.asset", "mjcf/mesh-file", "the mesh has another name in the output", "note"),
    Loss(
        "body.geoms.shape.submesh, body.geoms.shape.centred",
        "mjcf/submesh",
        "the whole file is shown: MuJoCo knows no part by name",
    ),
    Loss(
        "body.geoms.shape",
        "mjcf/shape",
        "MuJoCo has no such shape, or refuses it for this use; the nearest one is used",
        when=unlike(*PLAIN),
    ),
    Loss("body.geoms.shape.size", "mjcf/shape", "the size differs", when=unlike(*PLAIN)),
    Loss(
        "body.geoms.shape.bounded",
        "mjcf/plane-end",
        "a plane of MuJoCo collides without end: its size is for the eye alone",
        action="approximated",
    ),
    Loss("body.geoms.pose*", "mjcf/shape", "the shape that stands for it has another pose", when=unlike(*PLAIN)),
    Loss(
        "body.geoms.material",
        "mjcf/own-colours",
        "the mesh file has colours of its own: RViz shows them always, and Gazebo where the model says none",
        "note",
        when=unlike(*PLAIN),
    ),
    Loss(
        "body.geoms.material different",
        "mjcf/mesh-material",
        "a material made for the look of one part of a mesh file, or of one geom",
        "note",
        when=lambda difference, held: difference.after not in held.scene.materials,
    ),
    Loss("body.geoms.density", "mjcf/density", "inertia is explicit here: densities of geoms say nothing"),
    Loss("body.geoms.surface extra", "mjcf/surface", "the default of MuJoCo", "note", when=_usual),
    Loss(
        "body.geoms.surface.contactless",
        "mjcf/no-contact",
        "a geom that is touched and not stopped is one that meets nothing in MuJoCo",
        "note",
    ),
    Loss(
        "body.geoms.surface absent",
        "mjcf/surface",
        "a geom of MuJoCo cannot say any of this, or it is the default of MuJoCo",
    ),
    Loss(
        "body.geoms.surface.torsional extra",
        "mjcf/torsional",
        "torsional friction of MuJoCo is a length: 3 pi / 16 of the coefficient times the radius of the patch",
        "note",
    ),
    Loss(
        "body.geoms.surface.torsional_coefficient, body.geoms.surface.patch_radius",
        "mjcf/torsional",
        "MuJoCo has one number, a length: 3 pi / 16 of coefficient and radius of the patch, where both are said",
    ),
    Loss("body.geoms.surface.* extra", "mjcf/surface", "the default of MuJoCo", "note", when=after(*DEFAULTS.values())),
    Loss(
        "body.geoms.surface.combine",
        "mjcf/friction-combine",
        "MuJoCo takes the larger friction of two geoms, or that of the geom of higher priority, and has no other rule",
        action="approximated",
    ),
    Loss(
        "body.geoms.surface.stiffness, body.geoms.surface.damping",
        "mjcf/contact-force",
        "not converted: MuJoCo's solref sets accelerations; stiffness and damping as forces say the same for one mass "
        "only, and which bodies meet is not known",
    ),
    Loss(
        "body.geoms.surface.mu, body.geoms.surface.torsional, body.geoms.surface.rolling, "
        "body.geoms.surface.parameters",
        "mjcf/surface",
        "a geom that is only seen says nothing of contacts in MuJoCo",
        when=in_role(Role.VISUAL),
    ),
    Loss(
        "body.geoms.surface.mu2, body.geoms.surface.fdir1, body.geoms.surface.slip*, "
        "body.geoms.surface.restitution, body.geoms.surface.m*_*, body.geoms.surface.category absent, "
        "body.geoms.surface.collide absent, body.geoms.surface.extras*",
        "mjcf/surface",
        "MuJoCo's contact model has no such property",
    ),
    Loss(
        "body.geoms extra",
        "mjcf/flat-part",
        "a flat part of a collision mesh has no hull in MuJoCo; a thin box stands for it",
        when=lambda difference, _: isinstance(getattr(difference.after, "shape", None), Box),
    ),
    Loss(
        "body.geoms absent",
        "mjcf/geom-not-written",
        "its mesh file was not found, its shape is not known, or MuJoCo does not take it here",
        when=any_of(unlike(*PLAIN), of_geom(sizeless)),
    ),
    Loss(
        "body.inertial.tensor",
        "mjcf/planar-inertia",
        "MuJoCo allows no moment larger than the sum of the others, not by rounding either",
        "note",
        when=rounded,
    ),
    Loss("body.inertial", "mjcf/world-inertia", "the world has no mass in MJCF", when=of_world),
    Loss("body.surface*", "mjcf/surface", "no geom that collides lacks one, and a body as a whole has none in MJCF"),
    Loss(
        "body.self_collide",
        "mjcf/self-collide",
        "MJCF has no such switch: bodies collide unless masks and pairs say otherwise",
    ),
    Loss("body.*_damping", "mjcf/body-damping", "MJCF has no damping of a body"),
    Loss(
        "body.kinematic", "mjcf/kinematic", "what MuJoCo moves without forces (mocap) hangs on the world, by no joint"
    ),
    Loss("body.frames extra", "mjcf/sensor-site", "a sensor of MuJoCo stands at a site", "note"),
    Loss(
        "body.cameras.span",
        "mjcf/camera-span",
        "an orthographic camera of MuJoCo sees 45 m of the height where it does not say",
        "note",
    ),
    Loss("body.cameras.fov_y", "mjcf/camera-angle", DEGREES, "note", when=rounded),
    Loss(
        "body.cameras.sensor_size",
        "mjcf/camera-sensor",
        "MuJoCo wants the size of the sensor behind a lens in metres; nobody says it, and pixels are a micrometre wide",
        "note",
    ),
    Loss(
        "body.cameras.aspect, body.cameras.principal",
        "mjcf/camera-lens",
        "numbers of a lens in pixels, which differ in the last digit",
        "note",
    ),
    Loss(
        "body.cameras.near, body.cameras.far",
        "mjcf/camera-clip",
        "the planes that clip a view are those of the whole model in MuJoCo",
    ),
    Loss(
        "body.cameras.width, body.cameras.height",
        "mjcf/camera-size",
        "MuJoCo counts the pixels of an image across and up (resolution), or not at all",
    ),
    Loss("body.cameras.pixel_format", "mjcf/camera-format", "MuJoCo's cameras do not say what their pixels are"),
    Loss(
        "body.cameras.parameters, body.lights.parameters",
        "mjcf/view-target",
        "MuJoCo has nothing that follows what is not there",
    ),
    Loss("body.lights.kind", "mjcf/light-kind", "MuJoCo has no such light; one that shines every way stands for it"),
    Loss("body.lights.inner", "mjcf/light-cone", "a light of MuJoCo has one angle, at which it ends"),
    Loss(
        "body.gravity different",
        "mjcf/gravity",
        "MuJoCo says how much of its weight a body lacks (gravcomp): what acts is what is left of 1, rounded as 1 is",
        "note",
        when=rounded,
    ),
    Loss("body.gravity", "mjcf/world-gravity", "the world of MuJoCo does not move by its weight", when=of_world),
    Loss("body.lights.outer extra", "mjcf/light-cone", "the default of MuJoCo", "note"),
    Loss("body.lights.outer", "mjcf/light-cone", DEGREES, "note", when=rounded),
    Loss("body.geoms.shape.hull", "mjcf/hull", "MuJoCo collides with the convex hull of a mesh", "note"),
    Loss(
        "body.geoms.role, body.geoms.group",
        "mjcf/no-contact",
        "a geom that meets nothing is one that is only seen in MuJoCo",
        "note",
        when=of_geom(untouched),
    ),
    Loss(
        "body.lights.pose*", "mjcf/light-direction", "a light of MuJoCo has a direction, and no turn about it", "note"
    ),
    Loss("body.scope", "mjcf/scope", "MJCF has no nested models"),
    Loss("asset.uri", "mjcf/asset-place", "the file was put beside the output and is named there", "note", "derived"),
    Loss(
        "asset.parameters extra",
        "mjcf/shell",
        "what MuJoCo needs beside a file: inertia='shell' for a mesh that is only seen (it may be flat or open) or "
        "encloses hardly any volume, and the size of a height field",
        "note",
    ),
    Loss(
        "asset.parameters absent",
        "mjcf/part-of-file",
        "how a mesh lies inside another file, and that its looks are its own, is said by what is made of it",
        "note",
    ),
    Loss(
        "asset.parameters",
        "mjcf/part-of-file",
        "how a mesh lies inside another file, and that its looks are its own, is said by what is made of it; "
        "inertia='shell' lets MuJoCo take a mesh that is only seen and may be flat, or that encloses hardly any volume",
        "note",
    ),
    Loss("asset.kind", "mjcf/height-field-file", "the image of a height field", "note"),
    Loss("asset absent", "mjcf/asset-not-written", "the file was not found, or nothing in the output uses it"),
    Loss("asset extra", "mjcf/mesh-texture", "a texture that a mesh file brings along", "note"),
    Loss("material.texture", "mjcf/texture", "the file of the texture was not found"),
    Loss(
        "material extra",
        "mjcf/mesh-material",
        "a material made for the look of one part of a mesh file, or of one geom",
        "note",
    ),
    Loss(
        "material.ambient, material.double_sided, material.parameters",
        "mjcf/material",
        "MuJoCo's material has no such property",
    ),
    Loss("material.specular", "mjcf/material", "MuJoCo's specular is one number for red, green and blue: their mean"),
    Loss(
        "material.emissive",
        "mjcf/material",
        "MuJoCo's emission is a share of the colour of the material itself: the nearest one, and of black none",
    ),
    Loss("material.shininess", "mjcf/material", "the exponent of a highlight is between 0 and 128 in MuJoCo"),
    Loss("material.maps", "mjcf/material", "MuJoCo draws no image of a material but that of its colour"),
    Loss("material.repeat", "mjcf/material", "images that another format repeats are laid out once"),
    Loss(
        "actuator absent",
        "mjcf/actuator-range",
        "not converted: its range is that of its joint (inheritrange), which has none",
        when=unranged,
    ),
    Loss(
        "actuator absent",
        "mjcf/actuator",
        "not converted: it drives no hinge or slide, or nothing that is left",
        when=idle,
    ),
    Loss("actuator.kp, actuator.kv", "mjcf/gain", "MuJoCo's actuators of this kind have no such gain"),
    Loss("transmission absent", "mjcf/transmission", DRIVEN),
    Loss("hardware absent", "mjcf/hardware", DRIVEN),
    Loss("sensor extra", "mjcf/sensor-parts", "what other formats call one sensor is several in MuJoCo", "note"),
    Loss(
        "sensor absent",
        "mjcf/sensor",
        "no sensor of MuJoCo gives the same, or what it measures is not there; the nearest ones stand in its place "
        "where there are any",
    ),
    Loss(
        "sensor.rate",
        "mjcf/sensor-rate",
        "a sensor of MuJoCo measures at every step, until 3.5 without exception",
    ),
    Loss(
        "sensor.body, sensor.target",
        "mjcf/sensor-joint",
        "a sensor of MuJoCo stands on the body behind the joint",
        "note",
    ),
    Loss(
        "sensor.reaction",
        "mjcf/sensor-sign",
        "MuJoCo's sensors of force and torque give what the parent does to the child: the same with the other sign",
        action="approximated",
    ),
    Loss(
        "block absent",
        "mjcf/simulator-block",
        "a plugin or block for one simulator: only what MuJoCo has words for is converted",
    ),
    Loss("scope absent", "mjcf/scope", "MJCF has no nested models, and says nothing of a model as a whole"),
    Loss("keyframe.dofs", "mjcf/keyframe-joints", "MuJoCo's keyframes are about all joints", "note"),
    Loss("keyframe.group", "mjcf/keyframe-group", "MuJoCo's keyframes are about all joints", "note"),
    Loss(
        "keyframe.positions, keyframe.velocities",
        "mjcf/keyframe-whole",
        "MuJoCo's keyframes are vectors about all joints; of those behind a <flexcomp> only MuJoCo knows the place",
        "note",
    ),
    Loss(
        "keyframe.activations",
        "mjcf/keyframe-activations",
        "MuJoCo's keyframes have the activations of actuators that have some",
    ),
    Loss(
        "keyframe.poses",
        "mjcf/keyframe-poses",
        "MuJoCo's keyframes have the poses of bodies that are moved without forces (mocap)",
    ),
    Loss("keyframe.controls", "mjcf/keyframe-whole", "MuJoCo's keyframes are about all actuators", "note"),
    Loss("tendon absent", "mjcf/tendon", CUSTOM),
    Loss("tendon.lower, tendon.upper", "mjcf/tendon-range", "MuJoCo bounds a tendon at both ends, or not at all"),
    Loss("physics absent, physics.parameters", "mjcf/physics", FOREIGN),
    Loss("contact absent", "mjcf/contact-rule", "MuJoCo excludes pair by pair: what is left out of all is all pairs"),
    Loss(
        "group absent, end_effector absent, approximation absent, joint.frame, joint.passive, joint.properties",
        "mjcf/planning",
        CUSTOM,
    ),
    Loss("contact.reason", "mjcf/contact-reason", "MJCF excludes a pair of bodies without giving a reason", "note"),
    Loss("contact.surface*", "mjcf/contact-surface", CUSTOM),
    Loss("constraint absent", "mjcf/constraint", CUSTOM),
    Loss("constraint extra", "mjcf/mimic", "of joints that follow each other one is a plain coupling", "note"),
    Loss(
        "constraint.parent, constraint.child",
        "mjcf/coupling",
        "a coupling names joints; the bodies are those that they move",
        "note",
    ),
    Loss("loop absent", "mjcf/loop", "MuJoCo's tree has no loops; kept for the way back"),
)


def losses() -> tuple[Loss, ...]:
    return LOSSES
