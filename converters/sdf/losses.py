"""Why a difference may remain when the target is SDFormat: reasons alone, the differences are computed."""

from __future__ import annotations

from collections.abc import Iterable

from converters.format import Held, Loss, renamed
from converters.passes.actuators import INTERFACES
from converters.report.reasons import (
    PLAIN,
    any_of,
    before,
    in_role,
    of_dof,
    of_geom,
    of_other_role,
    of_some_geom,
    of_world,
    several,
    shaped,
    sizeless,
    unlike,
)
from converters.sdf.tables import SPELLING
from ir.diff import Difference
from ir.types import ORIGIN, Actuator, Box, Cylinder, Dof, DofKind, Geom, Plane, Role, Sphere

CUSTOM = "SDFormat has no place for it"
PAIRS = (
    "SDFormat knows no pairs: the two links of a joint never collide there, and other pairs that would are said by "
    "bits of their geoms, where nothing else gives these and 16 bits do"
)
FOREIGN = "not converted: SDFormat has nothing that is known to mean this"
BOUNDLESS = 1e15
"""From this on a bound of a joint is none to readers of SDFormat."""


def _loose(dof: Dof) -> bool:
    """Whether it is a motion of which SDFormat says no more than what it is, or has no joint for."""
    return dof.kind in (DofKind.BALL, DofKind.FREE)


def _unbounded(dof: Dof) -> bool:
    """Whether no reader takes the bounds that it has."""
    return _loose(dof) or (dof.lower is not None and dof.upper is not None and dof.lower > dof.upper)


def _automatic(_: Difference, held: Held) -> bool:
    """Whether the author leaves inertias to the engine (inertial/@auto, which is spelling: the graph has numbers)."""
    return '"auto"' in held.scene.notation.get(SPELLING, "")


def _colourless(difference: Difference, held: Held) -> bool:
    """Whether a material says nothing that a visual of SDFormat could show."""
    material = held.scene.materials.get(str(difference.before))
    return material is None or (material.rgba is None and material.texture is None)


@of_some_geom
def _second(geom: Geom) -> bool:
    """Whether a link has a geom that is seen and collides, which is two in SDFormat."""
    return geom.role == Role.BOTH


def _after_another(difference: Difference, held: Held) -> bool:
    """Whether another motor or servo of its joint, which comes before it, has the system of Gazebo."""
    own = difference.before
    if not isinstance(own, Actuator) or own.dof is None or own.kind not in INTERFACES:
        return False
    drives: Iterable[Actuator] = held.scene.tables["actuator"].values()
    first = next((each for each in drives if each.dof == own.dof and each.kind in INTERFACES and each.gear[0]), own)
    return first.name != own.name


LOSSES = (
    Loss(
        "* underflow",
        "sdf/subnormal",
        "too small for a normal double, or in a colour for one of single precision, for which libsdformat refuses the "
        "document: 0",
    ),
    renamed("sdf"),
    Loss("scene.name", "sdf/name", "a model needs a name", "note"),
    Loss("block.extras.sdf", "sdf/plugin-name", "before SDF 1.10 a plugin needs a name: that of its file", "note"),
    Loss("*.extras.sdf extra", "sdf/required", "SDFormat requires it, or an older version says it elsewhere", "note"),
    Loss(
        "*.extras.sdf",
        "sdf/version",
        "not written: newer than the version that is written (see --sdf-version; before 1.10 a plugin in it needs a "
        "name) or said elsewhere in it, about a visual or a collision that the geom no longer is, or behind the text "
        "that counts",
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
    Loss("*.extras.*", "sdf/foreign-element", FOREIGN),
    Loss(
        "body extra",
        "sdf/dummy-link",
        "a link between the parts of a joint that SDFormat does not have, or one that holds what stands in the world",
        "note",
    ),
    Loss("body.inertial extra", "sdf/massless", "a link without mass; said as 0 kg, since silence would be 1 kg"),
    Loss("body.surface*", "sdf/body-surface", "no collision lacks one, and a link as a whole has none"),
    Loss(
        "body.cameras*",
        "sdf/camera",
        "a camera of SDFormat is a sensor: it sees in perspective, at least 0.1 rad across unless a lens says "
        "otherwise (since 1.6, in pixels), and follows no target",
    ),
    Loss(
        "body.frames absent, body.frames extra",
        "sdf/frame-version",
        "frames beside links came with SDF 1.7; in 1.7 one on a link of a model inside stands in there "
        "(see --sdf-version)",
    ),
    Loss("body.kinematic", "sdf/kinematic", FOREIGN),
    Loss(
        "body.self_collide", "sdf/world", "whether links collide with each other is said of a model, not of the world"
    ),
    Loss("body.gravity", "sdf/gravity", "gravity acts on a link or it does not"),
    Loss("body.scope", "sdf/scope", "the model that holds it", "note"),
    Loss("body.inertial", "sdf/world-inertia", "the world has no mass in SDFormat", when=of_world),
    Loss(
        "body.inertial.*",
        "sdf/auto-inertia",
        "worked out by the engine from the shapes as they are written here",
        when=_automatic,
    ),
    Loss("body.*_damping", "sdf/velocity-decay", CUSTOM),
    Loss(
        "body.geoms extra",
        "sdf/geom-twice",
        "one thing is seen and collides: two elements in SDFormat",
        "note",
        when=_second,
    ),
    Loss(
        "body.geoms absent",
        "sdf/geom",
        "not written: its file was not found, its shape is not known, or SDFormat has no such role",
        when=any_of(unlike(*PLAIN), of_other_role, of_geom(sizeless)),
    ),
    Loss(
        "body.geoms.role",
        "sdf/geom-twice",
        "one thing is seen and collides: two elements in SDFormat",
        "note",
        "derived",
    ),
    Loss("body.geoms.name", "sdf/name", "SDFormat wants another name"),
    Loss("body.geoms.shape.hull", "sdf/hull", "this version cannot say that the hull is meant"),
    Loss("body.geoms.shape.fit", "sdf/fit", "only MJCF fits a shape to a mesh: SDFormat shows the mesh itself"),
    Loss("body.geoms.shape.base", "sdf/height-field", "a height field has no base in SDFormat"),
    Loss(
        "body.geoms.shape.asset",
        "sdf/mesh-file",
        "the mesh has another file here, and so another name: what collides is an OBJ",
        "note",
        "derived",
    ),
    Loss("body.geoms.shape.size", "sdf/plane", "a plane of SDFormat has a size", when=shaped(Plane)),
    Loss(
        "body.geoms.shape.bounded",
        "sdf/plane-end",
        "a plane of SDFormat collides without end: its size is for the eye alone",
        action="approximated",
    ),
    Loss(
        "body.geoms.shape.normal", "sdf/plane-normal", "the normal of a plane is a direction: its length is 1", "note"
    ),
    Loss("body.geoms.shape.spacing", "sdf/plane", "a plane of SDFormat has no grid"),
    Loss(
        "body.geoms.shape",
        "sdf/shape",
        "this version of SDFormat has no such shape: a mesh stands for it, for a capsule a cylinder and two spheres "
        "(see --sdf-version)",
        when=unlike(Box, Sphere, Cylinder),
    ),
    Loss(
        "body.geoms.material absent",
        "sdf/material-absent",
        "collisions have no material in SDFormat, and there is no colour behind a name",
        "note",
        when=any_of(in_role(Role.COLLISION), _colourless),
    ),
    Loss(
        "body.geoms.surface.torsional*, body.geoms.surface.patch_radius",
        "sdf/torsional",
        "torsional friction is a length here; SDFormat has a coefficient and the radius of the patch that touches",
        "note",
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
        "body.geoms.surface.mu2 extra", "sdf/friction", "friction has two directions in SDFormat: both are said", "note"
    ),
    Loss("body.geoms.surface*", "sdf/surface", "a visual has no contacts in SDFormat", when=in_role(Role.VISUAL)),
    Loss(
        "body.geoms.surface absent, body.geoms.surface.category, body.geoms.surface.collide, "
        "body.geoms.surface.contactless, body.geoms.surface.extras*",
        "sdf/surface",
        "SDFormat's contact model has no such property",
    ),
    Loss("body.geoms.mass", "sdf/geom-mass", "a geom has no mass of its own in SDFormat"),
    Loss("body.geoms.density", "sdf/geom-density", "densities came with SDF 1.11 (see --sdf-version)"),
    Loss("body.geoms.group", "sdf/geom-group", "SDFormat has no groups"),
    Loss("body.geoms.transparency", "sdf/transparency", "what only collides is not seen in SDFormat, nor seen through"),
    Loss("body.lights.inner", "sdf/light", "a cone has both its angles in SDFormat", "note"),
    Loss(
        "body.lights.kind",
        "sdf/light-kind",
        "lights of SDFormat are points, spots and suns: a sun stands for one that is an image",
    ),
    Loss(
        "body.lights.parameters*",
        "sdf/light",
        "a light of SDFormat follows no body, turns to none, and has no image and no words of MuJoCo for its bulb and "
        "its cone",
    ),
    Loss("body.lights.range extra", "sdf/light", "SDFormat wants to know how far a light reaches: its default", "note"),
    Loss("body.lights*", "sdf/light", "a light of SDFormat has no such property"),
    Loss("body absent", "sdf/body", CUSTOM),
    Loss("joint.name", "sdf/name", "joints of SDFormat share their names with links and frames, and roots have none"),
    Loss("joint.dofs.name", "sdf/name", "SDFormat names joints, not their axes"),
    Loss(
        "joint.dofs.lower, joint.dofs.upper",
        "sdf/limits",
        "a ball joint has no limits in SDFormat, a number from 1e15 on means none there, and no reader takes a lower "
        "limit above the upper one",
        when=any_of(of_dof(_unbounded), before(lambda value: abs(value) >= BOUNDLESS)),
    ),
    Loss("joint.dofs.mimic.parameters", "sdf/mimic-solver", "how hard MuJoCo's solver holds one joint to another"),
    Loss(
        "joint.dofs.mimic*",
        "sdf/mimic",
        "a joint follows one of its own model, or of one inside it, and does so since SDF 1.11 (see --sdf-version)",
    ),
    Loss("joint.dofs.soft*", "sdf/soft-limits", "SDFormat has no safety_controller"),
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
        "a ball joint has no such limit in SDFormat, and a number from 1e15 on or below 0 means none there",
        when=any_of(of_dof(_loose), before(lambda value: not 0.0 <= value < BOUNDLESS)),
    ),
    Loss("joint.dofs.parameters*", "sdf/joint-parameters", CUSTOM),
    Loss(
        "joint.dofs.damping, joint.dofs.friction, joint.dofs.stiffness, joint.dofs.spring_reference",
        "sdf/joint-dynamics",
        "of the dynamics of a ball joint SDFormat's readers know its damping alone",
        when=of_dof(_loose),
    ),
    Loss(
        "joint.dofs.zero, joint.dofs.anchor, joint.pose*",
        "sdf/joint-zero",
        "a link of SDFormat stands where its joint is at zero, and in a chain of joints that makes the motions of one "
        "it stands in the link before it",
        when=any_of(several, of_dof(lambda dof: _loose(dof) or dof.zero != 0.0 or dof.anchor != ORIGIN)),
    ),
    Loss(
        "joint.dofs*",
        "sdf/joint-chain",
        "SDFormat has no such joint: a chain of joints makes the same motions",
        when=any_of(several, of_dof(_loose)),
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
    ),
    Loss(
        "joint.parent",
        "sdf/joint-chain",
        "the last joint of a chain that makes the same motions",
        when=any_of(several, of_dof(_loose)),
    ),
    Loss(
        "joint extra",
        "sdf/joint-chain",
        "one of a chain of joints that makes the motions of one, or what holds the model of what stands in the world",
        "note",
    ),
    Loss("loop*", "sdf/loop", CUSTOM),
    Loss(
        "constraint*",
        "sdf/constraint",
        "SDFormat has no equations. A joint stands for an active connect or weld that holds as the model is drawn, "
        "between two links that hang on joints (no mocap); from 1.11 on (see --sdf-version) a mimic stands for a "
        "linear coupling of two joints. This is neither, or not in this version",
    ),
    Loss("material.name", "sdf/material-name", "materials have no names in SDFormat", "note"),
    Loss(
        "material.rgba different",
        "sdf/material-colour",
        "what bears it has another colour in SDFormat (<gazebo> says so)",
    ),
    Loss(
        "material.texture",
        "sdf/texture",
        "a texture of SDFormat is an image file laid out by texture coordinates: none without a file, and none around "
        "a cube",
    ),
    Loss(
        "material.* extra",
        "sdf/material-plain",
        "what a material of SDFormat says where the source is silent: white, no metal, half rough",
        "note",
    ),
    Loss(
        "material absent, material extra",
        "sdf/material-name",
        "materials have no names in SDFormat: each geom says its own",
        "note",
    ),
    Loss("material.double_sided", "sdf/material-version", "SDFormat knows surfaces seen from both sides since 1.7"),
    Loss("material.shininess", "sdf/material-version", "SDFormat knows the exponent of shininess since 1.7"),
    Loss("material*", "sdf/material", "SDFormat's material has no such property"),
    Loss("asset.uri", "sdf/asset-place", "the file was put beside the output and is named there", "note", "derived"),
    Loss("asset.kind", "sdf/asset-kind", "used in another way in the output", "note"),
    Loss("asset.parameters*", "sdf/asset-parameters", CUSTOM),
    Loss(
        "asset absent",
        "sdf/asset-not-written",
        "the file was not found, nothing in the output uses it, or it is there under another name",
    ),
    Loss(
        "asset extra",
        "sdf/collision-mesh",
        "made for a shape that this version lacks, or for collisions in a format that every simulator reads",
        "note",
    ),
    Loss(
        "actuator absent",
        "sdf/second-actuator",
        "systems of Gazebo that command one joint overwrite each other: the first actuator of the joint has one, and "
        "this is another",
        when=_after_another,
    ),
    Loss("actuator*", "sdf/actuator", CUSTOM),
    Loss("transmission*", "sdf/transmission", CUSTOM),
    Loss("hardware*", "sdf/hardware", CUSTOM),
    Loss("sensor extra", "sdf/camera", "a camera of SDFormat is a sensor", "note"),
    Loss(
        "sensor absent",
        "sdf/sensor",
        "SDFormat, or the version that is written (see --sdf-version), has no sensor of this kind, or none in this "
        "place: the world has none, and forces are measured at fixed joints and joints of one axis only",
    ),
    Loss(
        "sensor.camera.pixel_format",
        "sdf/pixels",
        "pixels have words of their own in SDFormat, and those of a camera that does not say them are R8G8B8",
        "note",
        "derived",
    ),
    Loss("sensor*", "sdf/sensor", "sensors differ between the formats"),
    Loss("tendon*", "sdf/tendon", CUSTOM),
    Loss("contact*", "sdf/contact", PAIRS),
    Loss("keyframe*", "sdf/keyframe", FOREIGN),
    Loss("group*, end_effector*, approximation*, joint.frame, joint.passive, joint.properties", "sdf/planning", CUSTOM),
    Loss("physics extra", "sdf/world-settings", "a world of SDFormat has settings of its own", "note"),
    Loss("physics*", "sdf/physics", FOREIGN),
    Loss("scope*", "sdf/scope", "models of SDFormat", "note"),
    Loss("block*", "sdf/simulator-block", CUSTOM),
)


def losses() -> tuple[Loss, ...]:
    return LOSSES
