"""Why MJCF cannot hold something of the tables of a scene: assets, materials, actuators, sensors, rules ..."""

from __future__ import annotations

from converters.format import Loss
from converters.mjcf.assets.shading import EXPONENT
from converters.mjcf.reasons import (
    agreeing,
    as_motor,
    as_shell,
    at_joint,
    at_rest,
    coupled,
    drawn,
    feeling,
    following,
    gainless,
    glowing_share,
    grey,
    half_bounded,
    inactive,
    marked_off,
    near_sensors,
    of_all,
    of_no_kind,
    one_of_several,
    reordered,
    same_rays,
    some_mesh,
    unmeasured,
    unmet,
    untextured,
    unwritten,
)
from converters.report.reasons import after, before, edited, idle, unranged

CUSTOM = "MJCF has no place for it"
FOREIGN = "not converted: MJCF has nothing that is known to mean this"
GREY = (0.5, 0.5, 0.5, 1.0)
DRIVEN = "actuators say what is driven, and by what gear; MJCF has no place for the element itself"

OF_TABLES = (
    Loss("asset.uri", "mjcf/asset-place", "the file was put beside the output and is named there", "note", "derived"),
    Loss(
        "asset.parameters extra",
        "mjcf/shell",
        "what MuJoCo needs beside a file: inertia='shell' for a mesh that is only seen (it may be flat or open) or "
        "encloses hardly any volume, and the size of a height field",
        "note",
        when=as_shell,
    ),
    Loss(
        "asset.parameters absent",
        "mjcf/part-of-file",
        "how a mesh lies inside another file, and that its looks are its own, is said by what is made of it",
        "note",
        when=marked_off,
    ),
    Loss(
        "asset.parameters",
        "mjcf/part-of-file",
        "how a mesh lies inside another file, and that its looks are its own, is said by what is made of it; "
        "inertia='shell' lets MuJoCo take a mesh that is only seen and may be flat, or that encloses hardly any volume",
        "note",
        when=marked_off,
    ),
    Loss(
        "asset.extras.mjcf/@content_type",
        "mjcf/content-type",
        "the file beside the output is another one, whose type its name says",
        "note",
    ),
    Loss("asset.kind", "mjcf/height-field-file", "the image of a height field", "note"),
    Loss(
        "asset absent",
        "mjcf/asset-not-written",
        "the file was not found, or nothing in the output uses it",
        when=unwritten,
    ),
    Loss("asset extra", "mjcf/mesh-texture", "a texture that a mesh file brings along", "note", when=some_mesh),
    Loss("material.texture", "mjcf/texture", "the file of the texture was not found", when=untextured),
    Loss(
        "material extra",
        "mjcf/mesh-material",
        "a material made for the look of one part of a mesh file, or of one geom",
        "note",
        when=some_mesh,
    ),
    Loss(
        "material.ambient absent, material.double_sided absent, material.parameters absent",
        "mjcf/material",
        "MuJoCo's material has no such property",
    ),
    Loss(
        "material.specular extra, material.shininess extra",
        "mjcf/material",
        "the default of MuJoCo",
        "note",
        when=after(GREY, EXPONENT / 2),
    ),
    Loss(
        "material.specular",
        "mjcf/material",
        "MuJoCo's specular is one number for red, green and blue: their mean",
        when=grey,
    ),
    Loss(
        "material.emissive",
        "mjcf/material",
        "MuJoCo's emission is a share of the colour of the material itself: the nearest one, and of black none",
        when=glowing_share,
    ),
    Loss(
        "material.shininess",
        "mjcf/material",
        "the exponent of a highlight is between 0 and 128 in MuJoCo",
        when=before(lambda value: not 0.0 <= value <= EXPONENT),
    ),
    Loss(
        "material.maps absent, material.maps.* absent",
        "mjcf/material",
        "MuJoCo draws no image of a material but that of its colour",
    ),
    Loss("material.repeat absent", "mjcf/material", "images that another format repeats are laid out once"),
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
    Loss("actuator absent", "mjcf/actuator", "MuJoCo has no actuator of this kind", when=of_no_kind),
    Loss(
        "actuator.kind",
        "mjcf/actuator-kind",
        "a <general> of which no gain is said does what a motor does",
        "note",
        when=as_motor,
    ),
    Loss("transmission absent", "mjcf/transmission", DRIVEN),
    Loss("hardware absent", "mjcf/hardware", DRIVEN),
    Loss(
        "sensor extra",
        "mjcf/sensor-parts",
        "what other formats call one sensor is several in MuJoCo",
        "note",
        when=near_sensors,
    ),
    Loss(
        "sensor absent",
        "mjcf/sensor",
        "no sensor of MuJoCo gives the same, or what it measures is not there; the nearest ones stand in its place "
        "where there are any",
        when=unmeasured,
    ),
    Loss(
        "sensor.rate absent",
        "mjcf/sensor-rate",
        "a sensor of MuJoCo measures at every step, until 3.5 without exception",
    ),
    Loss("sensor.pose*", "mjcf/contact-place", "a sensor of contact stands nowhere in MuJoCo", "note", when=feeling),
    Loss(
        "sensor.scan.angles, sensor.scan.tilts",
        "mjcf/ray-angle",
        "MuJoCo has a site for each ray: angles of those differ in the last digits, or by whole turns, and one that is "
        "alone has none",
        "note",
        when=same_rays,
        action="approximated",
    ),
    Loss("sensor.scan.near absent", "mjcf/ray-range", "a rangefinder of MuJoCo measures what is near, too"),
    Loss(
        "sensor.body, sensor.target",
        "mjcf/sensor-joint",
        "a sensor of MuJoCo stands on the body behind the joint",
        "note",
        when=at_joint,
    ),
    Loss(
        "sensor.reaction absent",
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
    Loss("keyframe.dofs absent", "mjcf/keyframe-joints", "MuJoCo's keyframes are about all joints", "note"),
    Loss("keyframe.group absent", "mjcf/keyframe-group", "MuJoCo's keyframes are about all joints", "note"),
    Loss(
        "keyframe.positions",
        "mjcf/keyframe-whole",
        "MuJoCo's keyframes are vectors about all joints; of those behind a <flexcomp> only MuJoCo knows the place",
        "note",
        when=drawn,
    ),
    Loss(
        "keyframe.velocities",
        "mjcf/keyframe-whole",
        "MuJoCo's keyframes are vectors about all joints; of those behind a <flexcomp> only MuJoCo knows the place",
        "note",
        when=at_rest,
    ),
    Loss(
        "keyframe.activations",
        "mjcf/keyframe-activations",
        "MuJoCo's keyframes have the activations of actuators that have some",
        when=inactive,
    ),
    Loss(
        "keyframe.poses",
        "mjcf/keyframe-poses",
        "MuJoCo's keyframes have the poses of bodies that are moved without forces (mocap)",
        when=agreeing,
    ),
    Loss(
        "keyframe.controls", "mjcf/keyframe-whole", "MuJoCo's keyframes are about all actuators", "note", when=at_rest
    ),
    Loss(
        "tendon.lower, tendon.upper",
        "mjcf/tendon-range",
        "MuJoCo bounds a tendon at both ends, or not at all",
        when=half_bounded,
    ),
    Loss("physics absent", "mjcf/physics", "MuJoCo has one set of settings", when=one_of_several),
    Loss("physics.parameters", "mjcf/physics", "said in another order", "note", when=reordered),
    Loss("physics*", "mjcf/physics", FOREIGN, when=edited),
    Loss("tendon absent", "mjcf/tendon", "what it goes along, or pulls, is not there", when=edited),
    Loss("constraint absent", "mjcf/constraint", "what it holds is not there", when=edited),
    Loss("contact.surface*", "mjcf/contact-surface", CUSTOM, when=edited),
    Loss("actuator.kp, actuator.kv", "mjcf/gain", "MuJoCo's actuators of this kind have no such gain", when=gainless),
    Loss(
        "contact absent",
        "mjcf/contact-rule",
        "MuJoCo excludes pair by pair: what is left out of all is all pairs",
        when=of_all,
    ),
    Loss(
        "group absent, end_effector absent, approximation absent, joint.frame absent, joint.passive absent, "
        "joint.properties absent",
        "mjcf/planning",
        CUSTOM,
    ),
    Loss(
        "contact.reason absent", "mjcf/contact-reason", "MJCF excludes a pair of bodies without giving a reason", "note"
    ),
    Loss("contact absent", "mjcf/contact-rule", "one of the two geoms is not in the output", when=unmet),
    Loss(
        "contact.surface absent, contact.surface.* absent",
        "mjcf/contact-rule",
        "what happens where two geoms meet is said of each of them; of the pair MuJoCo has words of its own",
    ),
    Loss(
        "constraint extra",
        "mjcf/mimic",
        "of joints that follow each other one is a plain coupling",
        "note",
        when=following,
    ),
    Loss(
        "constraint.parent, constraint.child",
        "mjcf/coupling",
        "a coupling names joints; the bodies are those that they move",
        "note",
        when=coupled,
    ),
    Loss("loop absent", "mjcf/loop", "MuJoCo's tree has no loops; kept for the way back"),
)
