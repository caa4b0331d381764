"""Why a difference may remain when the target is SDFormat: reasons alone, the differences are computed."""

from __future__ import annotations

from converters.format import Loss, renamed
from converters.report.reasons import (
    PLAIN,
    after,
    any_of,
    before,
    between,
    edited,
    in_role,
    of_dof,
    of_geom,
    of_joint,
    of_other_role,
    of_world,
    recounted,
    same_direction,
    same_file,
    several,
    sizeless,
    unfound,
    unlike,
    unsaid,
)
from converters.sdf.reasons import (
    as_length,
    automatic,
    colourless,
    endless,
    held_twice,
    loose,
    massless,
    moved_to_zero,
    nameless_joint,
    nameless_plugin,
    of_other_kind,
    of_other_version,
    of_other_words,
    older_than,
    parallel,
    recomputed,
    same_friction,
    seen_and_touched,
    touched_otherwise,
    unbounded,
    unfollowable,
    weightless,
    without_words,
)
from converters.sdf.table_losses import OF_TABLES
from converters.sdf.tables import Version
from ir.types import Box, Cylinder, Mesh, Plane, Role, Sphere

CUSTOM = "SDFormat has no place for it"
FOREIGN = "not converted: SDFormat has nothing that is known to mean this"
HULLS: Version = (1, 11)
DENSITIES: Version = (1, 11)
"""The first versions that know the words."""
BOUNDLESS = 1e15
"""From this on a bound of a joint is none to readers of SDFormat."""


LOSSES = (
    Loss(
        "* underflow",
        "sdf/subnormal",
        "too small for a normal double, or in a colour for one of single precision, for which libsdformat refuses the "
        "document: 0",
    ),
    renamed("sdf"),
    Loss("scene.name", "sdf/name", "a model needs a name", "note", when=unsaid),
    Loss(
        "block.extras.sdf",
        "sdf/plugin-name",
        "before SDF 1.10 a plugin needs a name: that of its file",
        "note",
        when=nameless_plugin,
    ),
    Loss(
        "body.lights.extras.sdf/spot/falloff extra, physics.extras.sdf/@name extra, physics.extras.sdf/@type extra",
        "sdf/required",
        "SDFormat requires it",
        "note",
    ),
    Loss("scene.extras.sdf/include*", "sdf/include", "an <include> that brings nothing is kept as it stands", "note"),
    Loss("*.extras.sdf", "sdf/recounted", "another that stands before it is said elsewhere", "note", when=recounted),
    Loss("*.extras.sdf extra", "sdf/older", "an older version says it elsewhere", "note", when=of_other_version),
    Loss(
        "*.extras.sdf absent",
        "sdf/version",
        "not written: newer than the version that is written (see --sdf-version; before 1.10 a plugin in it needs a "
        "name) or said elsewhere in it, about a visual or a collision that the geom no longer is, or behind the text "
        "that counts",
        when=of_other_words,
    ),
    Loss(
        "asset.extras.mjcf",
        "sdf/foreign-element",
        "SDFormat has no such words about an asset: what MuJoCo makes of them is in a file where it is geometry or an "
        "image",
    ),
    Loss(
        "body.geoms.extras.urdf/drake:proximity_properties",
        "sdf/drake-contact",
        "Drake's words for a contact: the friction that they say is that of the collision, where nothing else gives it "
        "one; the rest of them is not converted to SDFormat",
    ),
    Loss(
        "*.extras.urdf* absent, *.extras.mjcf* absent, *.extras.gltf* absent, *.extras.srdf* absent, "
        "*.extras.sdf:* absent",
        "sdf/foreign-element",
        FOREIGN,
    ),
    Loss(
        "body extra",
        "sdf/dummy-link",
        "a link between the parts of a joint that SDFormat does not have, or one that holds what stands in the world",
        "note",
        when=weightless,
    ),
    Loss(
        "body.inertial extra",
        "sdf/massless",
        "a link without mass; said as 0 kg, since silence would be 1 kg",
        when=massless,
    ),
    Loss("body.surface*", "sdf/body-surface", "no collision lacks one, and a link as a whole has none"),
    Loss(
        "body.cameras absent",
        "sdf/camera",
        "a camera of SDFormat is a sensor: it sees in perspective, at least 0.1 rad across unless a lens says "
        "otherwise (since 1.6, in pixels), and follows no target",
    ),
    Loss(
        "body.frames absent, body.frames extra",
        "sdf/frame-version",
        "frames beside links came with SDF 1.7; in 1.7 one on a link of a model inside stands in there "
        "(see --sdf-version)",
        when=older_than((1, 8)),
    ),
    Loss("body.kinematic", "sdf/kinematic", FOREIGN),
    Loss(
        "body.self_collide", "sdf/world", "whether links collide with each other is said of a model, not of the world"
    ),
    Loss("body.gravity", "sdf/gravity", "gravity acts on a link or it does not"),
    Loss("body.scope", "sdf/scope", "the model that holds it", "note"),
    Loss("body absent", "sdf/body", "it is in another model here, or has another name", when=edited),
    Loss("body.inertial", "sdf/world-inertia", "the world has no mass in SDFormat", when=of_world),
    Loss(
        "body.inertial.extras.sdf*",
        "sdf/auto-numbers",
        "the engine works the inertia out: what is said of it is heard by none",
        "note",
        when=automatic,
    ),
    Loss(
        "body.inertial.mass, body.inertial.tensor, body.inertial.pose",
        "sdf/auto-inertia",
        "worked out by the engine from the shapes as they are written here",
        when=automatic,
    ),
    Loss("body.*_damping", "sdf/velocity-decay", CUSTOM),
    Loss(
        "body.geoms extra",
        "sdf/geom-twice",
        "one thing is seen and collides: two elements in SDFormat",
        "note",
        when=seen_and_touched,
    ),
    Loss(
        "body.geoms absent",
        "sdf/geom",
        "not written: its file was not found, its shape is not known, or SDFormat has no such role",
        when=any_of(unlike(*PLAIN, Mesh), of_other_role, of_geom(sizeless), unfound),
    ),
    Loss(
        "body.geoms.role",
        "sdf/geom-twice",
        "one thing is seen and collides: two elements in SDFormat",
        "note",
        "derived",
        of_geom(touched_otherwise),
    ),
    Loss(
        "body.geoms.shape.hull absent",
        "sdf/hull",
        "this version cannot say that the hull is meant",
        when=older_than(HULLS),
    ),
    Loss("body.geoms.shape.fit", "sdf/fit", "only MJCF fits a shape to a mesh: SDFormat shows the mesh itself"),
    Loss("body.geoms.shape.base", "sdf/height-field", "a height field has no base in SDFormat"),
    Loss(
        "body.geoms.shape.asset",
        "sdf/mesh-file",
        "the mesh has another file here, and so another name: what collides is an OBJ",
        "note",
        "derived",
        lambda difference, held: difference.after not in held.scene.assets,
    ),
    Loss(
        "body.geoms.shape.asset",
        "sdf/mesh-file",
        "a mesh of SDFormat is a file: two of the source that are in one are the same here",
        "note",
        when=same_file,
    ),
    Loss("body.geoms.shape.size", "sdf/plane", "a plane of SDFormat has a size", when=endless),
    Loss(
        "body.geoms.shape.bounded",
        "sdf/plane-end",
        "a plane of SDFormat collides without end: its size is for the eye alone",
        action="approximated",
    ),
    Loss(
        "body.geoms.shape.normal",
        "sdf/plane-normal",
        "the normal of a plane is a direction: its length is 1",
        "note",
        when=parallel,
    ),
    Loss("body.geoms.shape.spacing", "sdf/plane", "a plane of SDFormat has no grid"),
    Loss(
        "body.geoms.shape different",
        "sdf/shape",
        "this version of SDFormat has no such shape: a mesh stands for it, for a capsule a cylinder and two spheres "
        "(see --sdf-version)",
        when=unlike(Box, Sphere, Cylinder, Mesh, Plane),
    ),
    Loss(
        "body.geoms.material absent",
        "sdf/material-absent",
        "collisions have no material in SDFormat, and there is no colour behind a name",
        "note",
        when=any_of(in_role(Role.COLLISION), colourless),
    ),
    Loss(
        "body.geoms.surface.torsional*, body.geoms.surface.patch_radius",
        "sdf/torsional",
        "torsional friction is a length here; SDFormat has a coefficient and the radius of the patch that touches",
        "note",
        when=as_length,
    ),
    Loss(
        "body.geoms.surface.combine",
        "sdf/friction-combine",
        "engines of Gazebo take the smaller friction of two surfaces, and SDFormat has no word for another rule",
        action="approximated",
    ),
    Loss(
        "body.geoms.surface.parameters",
        "sdf/contact-solver",
        "MuJoCo's own terms: which of two geoms decides (priority), what rubs (condim), where a contact begins "
        "(margin, gap), how hard it is (solref, solimp: accelerations, which match the forces of SDFormat for one "
        "mass only)",
    ),
    Loss(
        "body.geoms.surface.mu2 extra",
        "sdf/friction",
        "friction has two directions in SDFormat: both are said",
        "note",
        when=same_friction,
    ),
    Loss("body.geoms.surface*", "sdf/surface", "a visual has no contacts in SDFormat", when=in_role(Role.VISUAL)),
    Loss(
        "body.geoms.surface absent",
        "sdf/surface",
        "SDFormat's contact model has no such property",
        when=without_words,
    ),
    Loss(
        "body.geoms.surface.category different, body.geoms.surface.collide different",
        "sdf/surface",
        "a mask of SDFormat has 16 bits",
        when=lambda difference, _: difference.before & 0xFFFF == difference.after,
    ),
    Loss("body.geoms.surface.contactless absent", "sdf/surface", "SDFormat's contact model has no such property"),
    Loss("body.geoms.mass", "sdf/geom-mass", "a geom has no mass of its own in SDFormat"),
    Loss(
        "body.geoms.density absent",
        "sdf/geom-density",
        "what is only seen has no density in SDFormat",
        when=in_role(Role.VISUAL),
    ),
    Loss(
        "body.geoms.density absent",
        "sdf/geom-density",
        "densities came with SDF 1.11 (see --sdf-version)",
        when=older_than(DENSITIES),
    ),
    Loss("body.geoms.group", "sdf/geom-group", "SDFormat has no groups"),
    Loss(
        "body.geoms.transparency absent",
        "sdf/transparency",
        "what only collides is not seen in SDFormat, nor seen through",
    ),
    Loss("body.geoms.name", "sdf/name", "SDFormat wants another name", when=edited),
    Loss("body.lights.inner extra", "sdf/light", "a cone has both its angles in SDFormat", "note"),
    Loss(
        "body.lights.kind",
        "sdf/light-kind",
        "lights of SDFormat are points, spots and suns: a sun stands for one that is an image",
        when=of_other_kind,
    ),
    Loss(
        "body.lights.parameters*",
        "sdf/light",
        "a light of SDFormat follows no body, turns to none, and has no image and no words of MuJoCo for its bulb and "
        "its cone",
    ),
    Loss(
        "body.lights.range extra",
        "sdf/light",
        "SDFormat wants to know how far a light reaches: its default",
        "note",
        when=after(10.0),
    ),
    Loss(
        "body.lights.pose.rot",
        "sdf/light-direction",
        "a light of SDFormat has a direction, and no turn about it",
        "note",
        when=same_direction,
    ),
    Loss("body.lights*", "sdf/light", "a light of SDFormat has no such property", when=edited),
    Loss(
        "joint.name",
        "sdf/name",
        "joints of SDFormat share their names with links and frames, and roots have none",
        when=nameless_joint,
    ),
    Loss(
        "joint.name, joint.dofs.name, loop.dofs.name",
        "sdf/name",
        "SDFormat names joints, not their axes; a joint of one axis has the name of that axis",
        when=any_of(several, of_joint(lambda joint: any(dof.name != joint.name for dof in joint.dofs)), nameless_joint),
    ),
    Loss(
        "joint.dofs.lower, joint.dofs.upper",
        "sdf/limits",
        "a ball joint has no limits in SDFormat, nor has a link that nothing holds; a number from 1e15 on means none "
        "there, and no reader takes a lower limit above the upper one",
        when=any_of(of_dof(unbounded), before(lambda value: abs(value) >= BOUNDLESS)),
    ),
    Loss("joint.dofs.mimic.parameters", "sdf/mimic-solver", "how hard MuJoCo's solver holds one joint to another"),
    Loss(
        "joint.dofs.mimic*",
        "sdf/mimic",
        "a joint follows one of its own model, or of one inside it, and does so since SDF 1.11 (see --sdf-version)",
        when=unfollowable,
    ),
    Loss("joint.dofs.soft*, loop.dofs.soft*", "sdf/soft-limits", "SDFormat has no safety_controller"),
    Loss(
        "joint.dofs.stop*",
        "sdf/stop",
        "what brakes a joint in a bound grows with the depth in SDFormat (<dissipation>, as Simbody reads it), and a "
        "ball joint has no bounds",
    ),
    Loss("joint.dofs.calibration*", "sdf/calibration", "SDFormat has no calibration switches"),
    Loss(
        "joint.dofs.acceleration, joint.dofs.deceleration",
        "sdf/acceleration-limit",
        "SDFormat has no limit of joint acceleration",
    ),
    Loss("joint.dofs.jerk", "sdf/acceleration-limit", "SDFormat has no limit of joint jerk"),
    Loss("joint.dofs.armature", "sdf/armature", "SDFormat has no armature; Drake has, of joints of one axis"),
    Loss(
        "joint.dofs.effort, joint.dofs.velocity",
        "sdf/effort",
        "a ball joint has no such limit in SDFormat, nor has a link that nothing holds; a number from 1e15 on or below "
        "0 means none there",
        when=any_of(of_dof(loose), before(lambda value: not 0.0 <= value < BOUNDLESS)),
    ),
    Loss("joint.dofs.parameters*", "sdf/joint-parameters", CUSTOM),
    Loss(
        "joint.dofs.damping, joint.dofs.friction, joint.dofs.stiffness, joint.dofs.spring_reference",
        "sdf/joint-dynamics",
        "of the dynamics of a ball joint SDFormat's readers know its damping alone, and a link that nothing holds has "
        "none",
        when=of_dof(loose),
    ),
    Loss(
        "joint.dofs.zero, joint.dofs.anchor, joint.pose*, loop.dofs.zero, loop.dofs.anchor, loop.pose*",
        "sdf/joint-zero",
        "a link of SDFormat stands where its joint is at zero, and in a chain of joints that makes the motions of one "
        "it stands in the link before it",
        when=moved_to_zero,
    ),
    Loss(
        "joint.pose*, loop.pose*",
        "sdf/frames",
        "SDFormat says where a link stands in its model: where that is in another link is computed, and rounded",
        "note",
        when=recomputed,
    ),
    Loss(
        "joint.dofs*",
        "sdf/joint-chain",
        "SDFormat has no such joint: a chain of joints makes the same motions",
        when=any_of(several, of_dof(loose)),
    ),
    Loss(
        "body.geoms.shape.centred",
        "sdf/centred",
        "SDFormat centres a part of a mesh file, by its name, and no whole file",
    ),
    Loss("joint.mount.pos", "sdf/joint-frame", "the frame of a joint that turns stands where it turns", "note"),
    Loss(
        "joint.mount",
        "sdf/joint-chain",
        "the joints of a chain have frames of their own, in place of that of the one",
        "note",
        when=any_of(several, of_dof(loose)),
    ),
    Loss(
        "joint.parent",
        "sdf/joint-chain",
        "the last joint of a chain that makes the same motions",
        when=any_of(several, of_dof(loose)),
    ),
    Loss(
        "joint extra",
        "sdf/joint-chain",
        "one of a chain of joints that makes the motions of one, or what holds the model of what stands in the world",
        "note",
        when=between,
    ),
    Loss(
        "joint.dofs*, joint.name, joint.parent, joint.pose*, loop absent",
        "sdf/loop",
        "two joints hold one link: SDFormat does not say which of them closes a loop, and another is taken to",
        "note",
        when=held_twice,
    ),
    Loss("loop*", "sdf/loop", CUSTOM, when=edited),
    Loss("*.dofs.pitch", "sdf/screw-pitch", "a pitch per turn is not always one per radian to the last bit", "note"),
    *OF_TABLES,
)


def losses() -> tuple[Loss, ...]:
    return LOSSES
