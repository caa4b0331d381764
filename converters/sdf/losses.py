"""Why a difference may remain when the target is SDFormat: reasons alone, the differences are computed."""

from __future__ import annotations

from types import NoneType

from converters.format import Loss, renamed
from converters.report.reasons import (
    after,
    any_of,
    edited,
    in_role,
    no_such,
    of_geom,
    of_other_role,
    of_world,
    recounted,
    same_direction,
    same_file,
    shaped,
    sixteen_bits,
    sizeless,
    unfound,
    unsaid,
)
from converters.sdf.joint_losses import OF_JOINTS
from converters.sdf.reasons import (
    as_it_collides,
    as_length,
    as_sensor,
    as_wide,
    automatic,
    colourless,
    endless,
    fewer,
    in_other_file,
    massless,
    nameless_plugin,
    of_other_kind,
    of_other_words,
    older_than,
    parallel,
    said_in_other_version,
    seen_and_touched,
    touched_otherwise,
    weightless,
    without_words,
)
from converters.sdf.table_losses import CUSTOM, FOREIGN, OF_TABLES
from converters.sdf.tables import DENSITIES, HULLS
from ir.types import Box, Cylinder, Mesh, Plane, Role, Sphere

LAMP = (
    "a light of SDFormat follows no body, turns to none, and has no image and no words of MuJoCo for its bulb and "
    "its cone"
)


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
    Loss("*.extras.sdf extra", "sdf/older", "an older version says it elsewhere", "note", when=said_in_other_version),
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
    Loss("body.surface absent", "sdf/body-surface", "no collision lacks one, and a link as a whole has none"),
    Loss(
        "body.cameras absent",
        "sdf/camera",
        "a camera of SDFormat is a sensor: it sees in perspective, at least 0.1 rad across unless a lens says "
        "otherwise (since 1.6, in pixels), and follows no target",
        when=as_sensor,
    ),
    Loss(
        "body.frames absent, body.frames extra",
        "sdf/frame-version",
        "frames beside links came with SDF 1.7; in 1.7 one on a link of a model inside stands in there "
        "(see --sdf-version)",
        when=older_than((1, 8)),
    ),
    Loss("body.kinematic absent", "sdf/kinematic", FOREIGN),
    Loss("body.self_collide absent", "sdf/world", "whether links collide with each other is said of a model"),
    Loss("body.gravity absent", "sdf/gravity", "gravity acts on a link or it does not"),
    Loss("body.scope absent", "sdf/scope", "the model that holds it", "note"),
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
    Loss("body.*_damping absent", "sdf/velocity-decay", CUSTOM),
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
        when=any_of(shaped(NoneType), of_other_role, of_geom(sizeless), unfound),
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
    Loss("body.geoms.shape.fit absent", "sdf/fit", "only MJCF fits a shape to a mesh: SDFormat shows the mesh itself"),
    Loss("body.geoms.shape.base absent", "sdf/height-field", "a height field has no base in SDFormat"),
    Loss(
        "body.geoms.shape.asset",
        "sdf/mesh-file",
        "the mesh has another file here, and so another name: what collides is an OBJ",
        "note",
        "derived",
        in_other_file,
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
    Loss("body.geoms.shape.spacing absent", "sdf/plane", "a plane of SDFormat has no grid"),
    Loss(
        "body.geoms.shape different",
        "sdf/shape",
        "this version of SDFormat has no such shape: a mesh stands for it, for a capsule a cylinder and two spheres "
        "(see --sdf-version)",
        when=no_such(Box, Sphere, Cylinder, Mesh, Plane),
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
        "body.geoms.surface.combine absent",
        "sdf/friction-combine",
        "engines of Gazebo take the smaller friction of two surfaces, and SDFormat has no word for another rule",
        action="approximated",
    ),
    Loss(
        "body.geoms.surface.parameters absent",
        "sdf/contact-solver",
        "MuJoCo's own terms: which of two geoms decides (priority), what rubs (condim), where a contact begins "
        "(margin, gap), how hard it is (solref, solimp: accelerations, which match the forces of SDFormat for one "
        "mass only)",
    ),
    Loss("body.geoms.surface*", "sdf/surface", "a visual has no contacts in SDFormat", when=in_role(Role.VISUAL)),
    Loss(
        "body.geoms.surface absent", "sdf/surface", "SDFormat's contact model has no such property", when=without_words
    ),
    Loss(
        "body.geoms.surface.category different, body.geoms.surface.collide different",
        "sdf/surface",
        "a mask of SDFormat has 16 bits",
        when=sixteen_bits,
    ),
    Loss(
        "body.geoms.surface.category extra",
        "sdf/surface",
        "what collides is of the category that it collides with, where SDFormat says no other",
        "note",
        when=as_it_collides,
    ),
    Loss("body.geoms.surface.contactless absent", "sdf/surface", "SDFormat's contact model has no such property"),
    Loss("body.geoms.mass absent", "sdf/geom-mass", "a geom has no mass of its own in SDFormat"),
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
    Loss("body.geoms.group absent", "sdf/geom-group", "SDFormat has no groups"),
    Loss(
        "body.geoms.transparency absent",
        "sdf/transparency",
        "what only collides is not seen in SDFormat, nor seen through",
    ),
    Loss("body.geoms.name", "sdf/name", "SDFormat wants another name", when=edited),
    Loss(
        "body.lights.intensity absent",
        "sdf/light-version",
        "SDFormat knows how strong a light is since 1.8 (see --sdf-version)",
        when=older_than((1, 8)),
    ),
    Loss(
        "body.lights.inner extra, body.lights.outer extra",
        "sdf/light",
        "a cone has both its angles in SDFormat",
        "note",
        when=as_wide,
    ),
    Loss(
        "body.lights.kind",
        "sdf/light-kind",
        "lights of SDFormat are points, spots and suns: a sun stands for one that is an image",
        when=of_other_kind,
    ),
    Loss("body.lights.parameters absent", "sdf/light", LAMP),
    Loss("body.lights.parameters different", "sdf/light", LAMP, when=fewer),
    Loss(
        "body.lights.attenuation extra",
        "sdf/light",
        "how a light of SDFormat fades, where nothing but its reach is said",
        "note",
        when=after((1.0, 1.0, 0.0)),
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
        "body.geoms.shape.centred absent",
        "sdf/centred",
        "SDFormat centres a part of a mesh file, by its name, and no whole file",
    ),
    *OF_JOINTS,
    *OF_TABLES,
)


def losses() -> tuple[Loss, ...]:
    return LOSSES
