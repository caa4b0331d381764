"""Why a difference may remain when the target is URDF: reasons alone, the differences are computed."""

from __future__ import annotations

from types import NoneType

from converters.format import Loss, renamed, unframed
from converters.passes.compound import LINK
from converters.passes.keys import WORDED
from converters.report.reasons import (
    after,
    any_of,
    between,
    foreign_to,
    in_role,
    no_such,
    of_axis,
    of_dof,
    of_geom,
    reshaped,
    rounded,
    same_direction,
    same_file,
    several,
    shaped,
    sixteen_bits,
    sizeless,
    stated,
    unfound,
    unsaid,
)
from converters.urdf.reasons import (
    OWN,
    alone_in_rule,
    bare,
    between_joints,
    by_file,
    chained,
    chained_within,
    foreign_frame,
    imageless,
    loose,
    paired,
    pathless,
    placeless,
    placeless_sensor,
    said_before,
    said_elsewhere,
    some_odd,
    unlisted,
    unmimicked,
    unpaired,
)
from converters.urdf.tables import UNKNOWN, UNLIMITED
from ir.types import WHITE, HeightField, Mesh, Polyline, Role

_NO_PLACE = "URDF has no place for this"
USED = "URDF names a file where it is used, and nothing else about it"
WHOLE = "a URDF geometry is a box, cylinder, sphere, capsule or whole mesh"
PARTS = "a geom that URDF cannot hold as one is written as several"
SPLIT = (
    "a URDF joint has one axis, through the origin of its child link, and one name (or is planar or floating): any "
    "other joint becomes a chain of joints"
)


LOSSES = (
    renamed("urdf"),
    unframed("urdf"),
    Loss(
        "joint.dofs.lower extra, joint.dofs.upper extra, joint.dofs.effort extra, joint.dofs.velocity extra",
        "urdf/limit-sentinel",
        "URDF up to 1.1 requires lower, upper, effort and velocity, and no reader takes inf: a huge number means none",
        "note",
        "derived",
        after(UNLIMITED, -UNLIMITED, UNKNOWN),
    ),
    Loss(
        "joint.dofs.lower, joint.dofs.upper, joint.dofs.effort, joint.dofs.velocity",
        "urdf/joint-limits",
        "URDF has limits on joints of one degree of freedom only",
        when=of_dof(loose),
    ),
    Loss(
        "joint.dofs.acceleration absent, joint.dofs.deceleration absent, joint.dofs.jerk absent",
        "urdf/version",
        "acceleration, deceleration and jerk limits need URDF 1.2 (--urdf-version 1.2)",
    ),
    Loss(
        "joint.dofs.armature absent, joint.dofs.stiffness absent, joint.dofs.spring_reference absent, "
        "joint.dofs.parameters absent",
        "urdf/joint-dynamics",
        "a URDF joint has damping and friction, but no spring or settings of an engine; its drive has a rotor inertia",
    ),
    Loss(
        "joint.dofs.damping, joint.dofs.friction",
        "urdf/joint-dynamics",
        "URDF has damping and friction on joints of one degree of freedom only",
        when=of_dof(loose),
    ),
    Loss("joint.dofs.stop absent", "urdf/stop", "the bounds of a URDF joint are hard"),
    Loss(
        "joint.dofs.zero, joint.dofs.anchor, joint.pose*",
        "urdf/joint-zero",
        "the zero of a URDF joint is its <origin>, and its axis goes through the origin of the child link",
        when=chained,
    ),
    Loss(
        "joint.dofs.mimic*",
        "urdf/joint-mimic",
        "URDF's mimic is multiplier and offset on a joint of one degree of freedom",
        when=unmimicked,
    ),
    Loss(
        "joint.dofs.soft*, joint.dofs.calibration*",
        "urdf/joint-limits",
        "URDF has safety controllers and calibration on joints of one degree of freedom only",
        when=any_of(several, of_dof(loose)),
    ),
    Loss(
        "body extra",
        "urdf/chain-link",
        f"a link of {LINK.mass:g} kg between the parts of a joint that a URDF has as a chain: libsdformat leaves out a "
        "link of less than 1e-6 kg, and all that hangs on it, unless a fixed joint adds to it; give Gazebo the SDF "
        "instead",
        when=between_joints,
    ),
    Loss("joint extra", "urdf/joint-split", SPLIT, when=between),
    Loss(
        "joint absent, joint different, joint.extras.urdf absent, joint.dofs, joint.dofs.name, joint.dofs.kind, "
        "joint.dofs.axis, joint.parent, joint.name, joint.passive, joint.properties",
        "urdf/joint-split",
        SPLIT,
        when=chained,
    ),
    Loss(
        "group.joints",
        "urdf/group-joints",
        "a group of SRDF names joints of the URDF: of a joint that is a chain there all of them, and none that closes "
        "a loop",
        when=chained_within,
    ),
    Loss(
        "joint.dofs.pitch",
        "urdf/screw-pitch",
        "a pitch per turn is not always one per radian to the last bit",
        "note",
        when=rounded,
    ),
    Loss("loop absent", "urdf/loop", "URDF is a tree: it has no place for a joint that closes a loop"),
    Loss(
        "constraint absent",
        "urdf/constraint",
        "URDF is a tree without equations: a mimic says that a joint follows another one in proportion, and nothing "
        "says what else holds or ties joints and links",
    ),
    Loss(
        "body.geoms.mass absent, body.geoms.density absent",
        "urdf/inertial",
        "a URDF link has its inertia in <inertial> and nowhere else",
    ),
    Loss(
        "body.cameras absent, body.lights absent, body.lights.parameters absent",
        "urdf/camera-light",
        "URDF has no cameras or lights; a <gazebo> block has some, but none of the world, no parallel views and no "
        "images",
    ),
    Loss(
        "body.lights.kind",
        "urdf/light-kind",
        "lights of a <gazebo> block are points, spots and suns: a sun stands for one that is an image or an area",
        when=lambda difference, _: difference.before not in ("point", "spot", "directional"),
    ),
    Loss(
        "body.lights.pose.rot",
        "urdf/light-direction",
        "a light of a <gazebo> block has a direction, and no turn about it",
        "note",
        when=same_direction,
    ),
    Loss(
        "body.frames absent",
        "urdf/frame",
        "a named frame needs a link of its own in URDF, which --sites links makes",
        when=foreign_frame,
    ),
    Loss(
        "body.gravity absent, body.kinematic absent, body.self_collide absent, body.linear_damping absent, "
        "body.angular_damping absent",
        "urdf/body",
        "a URDF link is inertia and geometry alone",
    ),
    Loss(
        "body.geoms.surface absent, body.geoms.surface.* absent, body.surface absent, body.surface.* absent",
        "urdf/surface",
        f"{_NO_PLACE}: contact properties; a <gazebo> block says the friction that all collisions of a link share, "
        "and of two such frictions Gazebo takes the smaller one",
    ),
    Loss(
        "body.geoms.surface.category different, body.geoms.surface.collide different",
        "urdf/surface",
        "a mask in a <gazebo> block has 16 bits, and some of them say which bodies do not collide",
        when=any_of(sixteen_bits, bare),
    ),
    Loss("body.geoms.group absent", "urdf/geom-group", f"{_NO_PLACE}: display groups", "note"),
    Loss(
        "body.geoms.material absent",
        "urdf/geom-material",
        "a URDF collision has no material, and what is written as several visuals has one of each, and none as a whole",
        "note",
        when=any_of(reshaped, of_geom(lambda geom: geom.role not in Role.SEEN)),
    ),
    Loss(
        "body.geoms.extras.urdf/material*",
        "urdf/no-material",
        "the first <material> of a visual is what it looks like: one that says nothing gives way to the look that the "
        "geom has, and what is said in one goes with it",
        "note",
    ),
    Loss(
        "body.geoms.shape",
        "urdf/substitute",
        "URDF has no such shape (a capsule since 1.1 only, see --urdf-version): simpler shapes or a mesh stand for it",
        "note",
        when=no_such(*OWN),
    ),
    Loss("body.geoms.shape.asset", "urdf/asset", USED, "note", when=any_of(by_file, same_file)),
    Loss(
        "body.geoms.shape.submesh, body.geoms.shape.centred, body.geoms.shape.fit",
        "urdf/shape",
        WHOLE,
        when=shaped(Mesh),
    ),
    Loss("body.geoms.shape.hull", "urdf/shape", WHOLE, when=in_role(Role.VISUAL)),
    Loss(
        "body.geoms absent",
        "urdf/geom",
        "not written: its file was not found, its shape is not known, or URDF has no such shape",
        when=any_of(shaped(NoneType, HeightField, Polyline), of_geom(sizeless), unfound),
    ),
    Loss("body.geoms.pose*", "urdf/geom", PARTS, when=reshaped),
    Loss(
        "material.texture absent",
        "urdf/texture",
        "a texture of URDF is the path of one image: one around a cube, or that is in no file, is none",
        when=pathless,
    ),
    Loss(
        "material.texture different",
        "urdf/texture",
        "a texture of URDF is the path of one image, whatever is made of it",
        "note",
        when=same_file,
    ),
    Loss(
        "material absent",
        "urdf/material-place",
        "a definition of URDF has a name and a colour, or stands at a visual",
        when=placeless,
    ),
    Loss(
        "material.extras.urdf absent",
        "urdf/material-place",
        "a <material> without colour and texture defines nothing, and so has nothing else",
    ),
    Loss(
        "material.ambient absent, material.specular absent, material.emissive absent, material.maps absent, "
        "material.repeat absent, material.metallic absent, material.roughness absent, material.shininess absent, "
        "material.reflectance absent, material.double_sided absent, material.parameters absent",
        "urdf/material",
        "a URDF material is a colour and a texture",
    ),
    Loss(
        "material.rgba extra",
        "urdf/material-white",
        "a URDF material has a colour or a texture in a file: white leaves the looks to what draws them",
        "note",
        "derived",
        after(WHITE),
    ),
    Loss("asset.uri", "urdf/asset-path", "the file is named by its path from the output", "note", "derived"),
    Loss(
        "called.body, called.joint, called.dof, called.frame",
        "urdf/separator",
        "the names of nested models are joined as was asked for (--separator)",
        "note",
        "derived",
    ),
    Loss(
        "called.geom",
        "urdf/gazebo-name",
        "what a <gazebo> block says of the visuals or collisions of a link is to libsdformat about those alone whose "
        "names begin with that of the link",
        "note",
        "derived",
    ),
    Loss("scene.name", "urdf/robot-name", "a URDF robot needs a name: that of the file", "note", "derived", unsaid),
    Loss("asset absent", "urdf/asset", USED, when=unlisted),
    Loss("asset.extras.* absent, asset.parameters absent, asset.kind", "urdf/asset", USED),
    Loss("asset extra", "urdf/asset", "a mesh made for a shape that URDF does not have", "note", when=some_odd),
    Loss(
        "actuator absent",
        "urdf/actuator",
        "URDF has no actuators; transmissions and ros2_control name motors and servos of one joint, but no gains",
    ),
    Loss("tendon absent", "urdf/tendon", f"{_NO_PLACE}: tendons"),
    Loss(
        "contact extra, contact absent",
        "urdf/contact-name",
        "pairs of links that never touch stand in SRDF, where they have no names",
        "note",
        when=paired,
    ),
    Loss(
        "contact absent",
        "urdf/contact",
        "SRDF has pairs of links of the URDF that never touch, and nothing about pairs of geoms; a root "
        "that nothing holds has no link for the world below it",
        when=unpaired,
    ),
    Loss(
        "contact.reason absent, contact.extras.srdf extra",
        "urdf/contact-reason",
        "SRDF gives reasons for pairs of links, and for nothing else",
        "note",
        when=alone_in_rule,
    ),
    Loss(
        "keyframe.dofs extra",
        "urdf/keyframe-joints",
        "a state of SRDF names the joints that it is about: all that move",
        "note",
        "derived",
    ),
    Loss(
        "keyframe.positions",
        "urdf/keyframe-zero",
        "a state of SRDF says where each joint of the tree stands, also one that is as drawn but not at 0, "
        "and where one that floats is from its <origin>",
        when=stated,
    ),
    Loss(
        "keyframe.time absent, keyframe.velocities absent, keyframe.controls absent, keyframe.activations absent, "
        "keyframe.poses absent, keyframe.parameters absent",
        "urdf/keyframe",
        "a named state of SRDF is positions of joints of one tree",
    ),
    Loss("joint.frame absent", "urdf/virtual", "the frame of a virtual joint stands in SRDF (--no-srdf: in none)"),
    Loss("physics absent", "urdf/physics", "URDF is a robot alone: the settings of a world have no place"),
    Loss(
        "body.scope absent, scope absent",
        "urdf/scope",
        "URDF has no nested models, and says nothing of a model as a whole: the names of links and joints hold the "
        "path of a nested one (--separator names them otherwise)",
    ),
    Loss(
        "sensor absent",
        "urdf/sensor-target",
        "a sensor of URDF or Gazebo is a device on a link, or measures force at a joint that moves along or about one "
        "axis, or not; this one measures something else, or elsewhere",
        when=placeless_sensor,
    ),
    Loss(
        "sensor.kind, sensor.body, sensor.target, sensor.pose*, sensor.rate",
        "urdf/sensor-device",
        "a <gazebo> block has one device for what sensors of MuJoCo measure",
        "note",
        when=placeless_sensor,
    ),
    Loss("sensor.target", "urdf/joint-split", "a joint of one axis has the name of that axis", "note", when=of_axis),
    Loss(
        "sensor.target absent, sensor.frame absent, sensor.reaction absent, sensor.noise absent, "
        "sensor.parameters absent, sensor.camera.orthographic absent, sensor.camera.span absent, "
        "sensor.camera.aspect absent, sensor.camera.principal absent, sensor.camera.sensor_size absent, "
        "sensor.camera.parameters absent",
        "urdf/sensor",
        "a URDF sensor is a name, a place and a rate; a camera has a size in pixels, an angle and planes that clip it",
    ),
    Loss("sensor.camera absent", "urdf/sensor", "an image of URDF has a size in pixels", when=imageless),
    Loss("sensor.camera.fov_y", "urdf/camera-angle", "an angle across, which is rounded", "note", when=rounded),
    Loss(
        "block.extras*",
        "urdf/block-place",
        "the block is about something that has another name or place here: its link, a collision (to Gazebo, whose "
        "sensor of contact names it), or the folder in which MuJoCo looks for meshes",
        when=said_elsewhere,
    ),
    Loss("block extra", "urdf/block-place", "what it is about has another name here", "note", when=said_before),
    Loss(
        "block absent", "urdf/block", "a plugin or block for one simulator of another format", when=foreign_to("urdf")
    ),
    Loss(
        "*.extras.sdf/*drake:joint",
        "urdf/drake-joint",
        "a joint that only Drake reads in SDFormat is not converted: what no other joint holds moves freely",
    ),
    Loss(
        WORDED,
        "urdf/state",
        "where joints start, or are, in words of SDFormat: a state of the SRDF says it here, as far as all that it "
        "says is positions and velocities of joints and places of models",
    ),
    Loss(
        "*.extras.mjcf* absent, *.extras.sdf* absent, *.extras.gltf absent, *.extras.srdf absent",
        "urdf/foreign",
        "known to the source format only: URDF has no place for it",
    ),
)


def losses() -> tuple[Loss, ...]:
    return LOSSES
