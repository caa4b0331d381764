"""Why MJCF cannot hold something: reasons alone, the differences are computed."""

from __future__ import annotations

from converters.format import Loss, renamed, unframed
from converters.mjcf.bodies.views import CUTOFF
from converters.mjcf.reasons import (
    DEFAULTS,
    adrift,
    flat_part,
    in_offset,
    meets_nothing,
    nameless,
    near_sensors,
    odd_light,
    one_sided,
    own_colours,
    silent,
    twisted,
    unsaid_contact,
    usual_surface,
    with_another_file,
)
from converters.mjcf.table_losses import FOREIGN, OF_TABLES
from converters.mjcf.tables import FAR
from converters.passes.keys import WORDED
from converters.report.reasons import (
    PLAIN,
    after,
    any_of,
    before,
    edited,
    empty,
    in_role,
    no_such,
    of_dof,
    of_geom,
    of_joint,
    of_world,
    recounted,
    reshaped,
    rounded,
    same_direction,
    settings,
    sizeless,
    unfound,
    unled,
    unlike,
    untouched,
)
from ir.types import Mesh, Plane, Role

DEGREES = "an angle in degrees, which differs in the last digit"


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
        "scene.extras.mjcf/compiler*",
        "mjcf/compiler",
        "how MuJoCo reads a document, and where it looks for files: the output has settings of its own",
        "note",
    ),
    Loss(
        "scene.extras.mjcf/default*", "mjcf/class", "a class of what is written alike, for others to build on", "note"
    ),
    Loss(
        WORDED,
        "mjcf/state",
        "where joints start, or are, in words of SDFormat: a keyframe says it here, as far as all that it says is "
        "positions and velocities of joints and places of models",
    ),
    Loss(
        "*.extras.urdf* absent, *.extras.sdf* absent, *.extras.gltf* absent, *.extras.srdf* absent",
        "mjcf/foreign-element",
        FOREIGN,
    ),
    Loss(
        "*.extras.mjcf:attached absent",
        "mjcf/attached",
        "a model that is attached says it of itself alone: what it brings is written out in its place",
        "note",
    ),
    Loss(
        "*.extras.mjcf",
        "mjcf/asset-place",
        "the file was put beside the output and is named there",
        "note",
        "derived",
        with_another_file,
    ),
    Loss("*.extras.mjcf", "mjcf/recounted", "another that stands before it is said elsewhere", "note", when=recounted),
    Loss("*.extras.*", "mjcf/foreign-element", FOREIGN, when=edited),
    Loss(
        "joint.name",
        "mjcf/joint-name",
        "MJCF names single degrees of freedom: a fixed joint has no name, nor has a joint of several axes, or one that "
        "is called as an axis of another",
        "note",
        "carried",
        when=nameless,
    ),
    Loss(
        "joint.name different",
        "mjcf/joint-name",
        "MJCF has one name for a joint of one axis: that of the axis",
        "note",
        "carried",
        of_joint(lambda joint: [dof.name for dof in joint.dofs] != [joint.name]),
    ),
    Loss("joint.dofs.velocity absent", "mjcf/velocity-limit", "MJCF has no limit of joint velocity"),
    Loss("joint.dofs.*eleration absent", "mjcf/acceleration-limit", "MJCF has no limit of joint acceleration"),
    Loss("joint.dofs.jerk absent", "mjcf/acceleration-limit", "MJCF has no limit of joint jerk"),
    Loss(
        "joint.dofs.stop absent",
        "mjcf/stop",
        "MuJoCo says how hard a bound is as an acceleration (solreflimit), which is a force for one inertia only: here "
        "it is as hard as usual",
    ),
    Loss("joint.dofs.soft absent", "mjcf/soft-limits", "MJCF has no soft limits (safety_controller)"),
    Loss("joint.dofs.calibration absent", "mjcf/calibration", "MJCF has no calibration switches"),
    Loss(
        "joint.dofs.effort",
        "mjcf/effort",
        "only a limit above 0 is one to MuJoCo (0 would mean none), so it is not written",
        when=before(lambda value: value <= 0.0),
    ),
    Loss(
        "joint.dofs.lower, joint.dofs.upper",
        "mjcf/empty-range",
        "MuJoCo takes a range without width as no limit, refuses one whose lower end is above the upper, and an end "
        f"from {FAR:.0e} on stands for none",
        when=any_of(before(lambda value: abs(value) >= FAR), of_dof(empty)),
    ),
    Loss(
        "joint.dofs.parameters extra",
        "mjcf/joint-spelling",
        "how MJCF says the joint, or a range of no width",
        "note",
        when=settings("range", "limited"),
    ),
    Loss(
        "joint.dofs.mimic",
        "mjcf/mimic",
        "the joint to follow is not there, is the joint itself, does not move along one axis, or follows in turn",
        when=unled,
    ),
    Loss(
        "joint.dofs.mimic.offset, joint.dofs.mimic.reference",
        "mjcf/mimic-reference",
        "the reference of the leader is part of the offset",
        "note",
        when=in_offset,
    ),
    Loss(
        "joint.dofs.mimic.multiplier, joint.dofs.mimic.offset",
        "mjcf/mimic-digits",
        "what the equation says of the follower, which differs in the last digit",
        "note",
        when=rounded,
    ),
    Loss("joint.dofs", "mjcf/joint-kind", "MuJoCo has hinge, slide, ball and free joints only", when=edited),
    Loss("joint.dofs.pitch absent", "mjcf/pitch", "MuJoCo has no screws, and nothing else has a pitch"),
    Loss("body.geoms.shape.base", "mjcf/height-field-base", "MuJoCo wants something below a height field", "note"),
    Loss("body.geoms.shape.asset", "mjcf/mesh-file", "the mesh has another name in the output", "note"),
    Loss(
        "body.geoms.shape.submesh absent, body.geoms.shape.centred absent",
        "mjcf/submesh",
        "the whole file is shown: MuJoCo knows no part by name",
    ),
    Loss(
        "body.geoms.shape",
        "mjcf/shape",
        "MuJoCo has no such shape, or refuses it for this use; the nearest one is used",
        when=no_such(*PLAIN, Plane),
    ),
    Loss(
        "body.geoms.shape.bounded",
        "mjcf/plane-end",
        "a plane of MuJoCo collides without end: its size is for the eye alone",
        action="approximated",
    ),
    Loss("body.geoms.pose*", "mjcf/shape", "the shape that stands for it has another pose", when=reshaped),
    Loss(
        "body.geoms.material",
        "mjcf/own-colours",
        "the mesh file has colours of its own: RViz shows them always, and Gazebo where the model says none",
        "note",
        when=own_colours,
    ),
    Loss(
        "body.geoms.material different",
        "mjcf/mesh-material",
        "a material made for the look of one part of a mesh file, or of one geom",
        "note",
        when=edited,
    ),
    Loss("body.geoms.density absent", "mjcf/density", "inertia is explicit here: densities of geoms say nothing"),
    Loss(
        "body.geoms.density extra, material.metallic extra, material.roughness extra, material.reflectance extra",
        "mjcf/silence",
        "a class of the document says something else: what MuJoCo takes for said where nothing is",
        "note",
        when=silent,
    ),
    Loss("body.geoms.surface extra", "mjcf/surface", "the default of MuJoCo", "note", when=usual_surface),
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
        when=unsaid_contact,
    ),
    Loss(
        "body.geoms.surface.torsional extra",
        "mjcf/torsional",
        "torsional friction of MuJoCo is a length: 3 pi / 16 of the coefficient times the radius of the patch",
        "note",
        when=twisted,
    ),
    Loss(
        "body.geoms.surface.torsional_coefficient absent, body.geoms.surface.patch_radius absent",
        "mjcf/torsional",
        "MuJoCo has one number, a length: 3 pi / 16 of coefficient and radius of the patch, where both are said",
    ),
    Loss("body.geoms.surface.* extra", "mjcf/surface", "the default of MuJoCo", "note", when=after(*DEFAULTS.values())),
    Loss(
        "body.geoms.surface.combine absent",
        "mjcf/friction-combine",
        "MuJoCo takes the larger friction of two geoms, or that of the geom of higher priority, and has no other rule",
        action="approximated",
    ),
    Loss(
        "body.geoms.surface.stiffness absent, body.geoms.surface.damping absent",
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
        "body.geoms.surface.mu2 absent, body.geoms.surface.fdir1 absent, body.geoms.surface.slip* absent, "
        "body.geoms.surface.restitution absent, body.geoms.surface.m*_* absent, body.geoms.surface.extras.* absent",
        "mjcf/surface",
        "MuJoCo's contact model has no such property",
    ),
    Loss(
        "body.geoms.surface.category absent, body.geoms.surface.collide absent",
        "mjcf/surface",
        "the default of MuJoCo",
        "note",
        when=any_of(
            of_geom(lambda geom: geom.role not in Role.COLLIDING or untouched(geom)),
            meets_nothing,
            before(lambda value: value == 1),
        ),
    ),
    Loss(
        "body.geoms extra",
        "mjcf/flat-part",
        "a flat part of a collision mesh has no hull in MuJoCo; a thin box stands for it",
        when=flat_part,
    ),
    Loss(
        "body.geoms absent",
        "mjcf/geom-not-written",
        "its mesh file was not found, its shape is not known, or MuJoCo does not take it here",
        when=any_of(unlike(*PLAIN, Mesh, Plane), of_geom(sizeless), unfound, adrift),
    ),
    Loss(
        "body.inertial.tensor",
        "mjcf/planar-inertia",
        "MuJoCo allows no moment larger than the sum of the others, not by rounding either",
        "note",
        when=rounded,
    ),
    Loss("body.inertial", "mjcf/world-inertia", "the world has no mass in MJCF", when=of_world),
    Loss(
        "body.surface absent", "mjcf/surface", "no geom that collides lacks one, and a body as a whole has none in MJCF"
    ),
    Loss(
        "body.self_collide absent",
        "mjcf/self-collide",
        "MJCF has no such switch: bodies collide unless masks and pairs say otherwise",
    ),
    Loss("body.*_damping absent", "mjcf/body-damping", "MJCF has no damping of a body"),
    Loss(
        "body.kinematic absent",
        "mjcf/kinematic",
        "what MuJoCo moves without forces (mocap) hangs on the world, by no joint",
    ),
    Loss("body.frames extra", "mjcf/sensor-site", "a sensor of MuJoCo stands at a site", "note", when=near_sensors),
    Loss(
        "body.cameras.span extra",
        "mjcf/camera-span",
        "an orthographic camera of MuJoCo sees 45 m of the height where it does not say",
        "note",
    ),
    Loss("body.cameras.fov_y", "mjcf/camera-angle", DEGREES, "note", when=rounded),
    Loss(
        "body.cameras.sensor_size extra",
        "mjcf/camera-sensor",
        "MuJoCo wants the size of the sensor behind a lens in metres; nobody says it, and pixels are a micrometre wide",
        "note",
    ),
    Loss(
        "body.cameras.aspect, body.cameras.principal",
        "mjcf/camera-lens",
        "numbers of a lens in pixels, which differ in the last digit",
        "note",
        when=rounded,
    ),
    Loss(
        "body.cameras.near absent, body.cameras.far absent",
        "mjcf/camera-clip",
        "the planes that clip a view are those of the whole model in MuJoCo",
    ),
    Loss(
        "body.cameras.width absent, body.cameras.height absent, body.cameras.aspect extra",
        "mjcf/camera-size",
        "MuJoCo counts the pixels of an image across and up (resolution), or not at all",
        when=one_sided,
    ),
    Loss("body.cameras.pixel_format absent", "mjcf/camera-format", "MuJoCo's cameras do not say what their pixels are"),
    Loss(
        "body.cameras.parameters absent, body.lights.parameters absent",
        "mjcf/view-target",
        "MuJoCo has nothing that follows what is not there",
    ),
    Loss(
        "body.lights.kind",
        "mjcf/light-kind",
        "MuJoCo has no such light; one that shines every way stands for it",
        when=odd_light,
    ),
    Loss("body.lights.inner absent", "mjcf/light-cone", "a light of MuJoCo has one angle, at which it ends"),
    Loss(
        "body.gravity different",
        "mjcf/gravity",
        "MuJoCo says how much of its weight a body lacks (gravcomp): what acts is what is left of 1, rounded as 1 is",
        "note",
        when=rounded,
    ),
    Loss("body.gravity", "mjcf/world-gravity", "the world of MuJoCo does not move by its weight", when=of_world),
    Loss("body.lights.outer extra", "mjcf/light-cone", "the default of MuJoCo", "note", when=after(CUTOFF)),
    Loss("body.lights.outer", "mjcf/light-cone", DEGREES, "note", when=rounded),
    Loss(
        "body.geoms.shape.hull",
        "mjcf/hull",
        "MuJoCo collides with the convex hull of a mesh",
        "note",
        when=in_role(*Role.COLLIDING),
    ),
    Loss(
        "body.geoms.shape.hull absent",
        "mjcf/hull",
        "MuJoCo shows a mesh itself, and not its hull",
        "note",
        when=in_role(Role.VISUAL),
    ),
    Loss(
        "body.geoms.role, body.geoms.group",
        "mjcf/no-contact",
        "a geom that meets nothing is one that is only seen in MuJoCo",
        "note",
        when=any_of(of_geom(untouched), meets_nothing),
    ),
    Loss(
        "body.lights.pose.rot",
        "mjcf/light-direction",
        "a light of MuJoCo has a direction, and no turn about it",
        "note",
        when=same_direction,
    ),
    Loss("body.scope absent", "mjcf/scope", "MJCF has no nested models"),
    *OF_TABLES,
)


def losses() -> tuple[Loss, ...]:
    return LOSSES
