"""Why other tools do not see in glTF what the graph holds: reasons alone, the differences are computed."""

from __future__ import annotations

from converters.format import Loss, renamed, unframed
from converters.gltf.reasons import (
    a_kilogram,
    beside,
    beyond,
    clamped,
    compressed,
    dark,
    empty,
    held_roles,
    in_place,
    jointed,
    of_another_kind,
    of_file,
    of_no_name,
    of_silence,
    packed,
    physical,
    plain,
    shade,
    side_by_side,
    unattached,
    unnamed,
    unseen,
    weighs,
    white,
    wide,
)
from converters.report.reasons import all_of, any_of, of_dof, of_joint
from ir.inertia import principal

_INSIDE = "the copy of the robot in the file's extras holds it"
TRIANGLES = (
    "glTF shows triangles: the shape itself is in the copy of the robot in the file's extras, and a collider of "
    "physics, where there is physics"
)
LOOK = (
    "glTF needs a whole material for all that is seen: metalness and roughness where the source is silent, and "
    "materials of their own for looks from mesh files, for what is see-through, and for meshes without texture "
    "coordinates"
)
SIDE_BY_SIDE = (
    "the nodes of bodies stand side by side (--hierarchy flat): the joints of physics say who holds whom, and "
    f"{_INSIDE}"
)
POSE = (
    "a node stands where the pose of its joint puts it (--pose, else the keyframe as_drawn, else zero or the "
    "nearest limit; --hierarchy flat: in the world), and a mesh of --compress quantize in the middle of its "
    "numbers; the last bit may differ"
)


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
        "body.geoms.shape different, body.geoms.shape.hull absent, body.geoms.shape.fit absent, "
        "body.geoms.shape.submesh absent, body.geoms.shape.centred absent",
        "gltf/triangles",
        TRIANGLES,
        "note",
    ),
    Loss("body.geoms.shape absent", "gltf/triangles", TRIANGLES, "note", when=empty),
    Loss("body.geoms.shape.scale", "gltf/triangles", TRIANGLES, "note", when=compressed),
    Loss(
        "asset absent",
        "gltf/embedded",
        "glTF holds what is shown of a mesh or an image under a name of its own: only the file's extras still name "
        "the original",
        "note",
    ),
    Loss("asset extra", "gltf/embedded", "a mesh or an image inside the file, under a name of its own", "note"),
    Loss("asset.*", "gltf/asset", f"how the source says a mesh or an image; {_INSIDE}", "note"),
    Loss(
        "material.texture absent, material.maps absent, material.maps.* absent, material.repeat absent",
        "gltf/texture",
        "glTF lays images out by texture coordinates: not shown is what goes around a cube, is on a mesh without "
        "coordinates or that nothing shows, has no file or image, or has no part in a material of glTF",
    ),
    Loss(
        "material.maps different",
        "gltf/texture",
        "roughness and metal of glTF are two channels of one image",
        "note",
        when=packed,
    ),
    Loss(
        "material.maps different",
        "gltf/texture",
        "a material of glTF has no image of opacity, which is the alpha of that of its colour; roughness and metal are "
        "two channels of one image",
        when=held_roles,
    ),
    Loss("material extra", "gltf/look", LOOK, "note", "derived"),
    Loss("material.* extra", "gltf/look", LOOK, "note", "derived", of_silence),
    Loss("body.geoms.material extra, body.geoms.material different", "gltf/look", LOOK, "note", "derived", of_no_name),
    Loss(
        "material.rgba different, material.emissive different, body.lights.diffuse different",
        "gltf/colour",
        "colours of glTF are linear, between 0 and 1, and go through single numbers of the screen and back; how far "
        "one sees through a geom is the alpha of its material",
        "note",
        when=shade,
    ),
    Loss(
        "material.rgba extra",
        "gltf/colour",
        "what has no colour is white, and as clear as its geom is",
        "note",
        when=white,
    ),
    Loss(
        "material.rgba, material.emissive, material.metallic, material.roughness, material.double_sided, "
        "material.parameters, material.maps*, material.texture different",
        "gltf/own-looks",
        "a mesh file that has looks of its own keeps them",
        "note",
        when=of_file,
    ),
    Loss(
        "material absent",
        "gltf/material",
        "not written: nothing that is seen uses it, or the mesh file has looks of its own",
        "note",
    ),
    Loss("body.geoms.material absent", "gltf/material", "there is nothing to be seen of it", "note", when=unseen),
    Loss(
        "material.extras.* absent",
        "gltf/words",
        f"looks that formats have in common are shown, and not what only the source format says: {_INSIDE}",
        "note",
    ),
    Loss(
        "material.metallic different, material.roughness different",
        "gltf/metal-range",
        "metal and roughness of glTF are between 0 and 1",
        when=clamped,
    ),
    Loss(
        "material.ambient absent, material.specular absent, material.shininess absent, material.reflectance absent, "
        "material.parameters absent, material.name absent",
        "gltf/shading",
        "materials of glTF have a colour, metal, roughness, emission and images, and none of the older words for shine",
    ),
    Loss(
        "material.emissive absent", "gltf/shading", "a material that emits nothing does not say so", "note", when=dark
    ),
    Loss("scene.name extra", "gltf/names", "a node has one name", "note"),
    Loss("joint.pose*", "gltf/pose", POSE, "note"),
    Loss("body.geoms.pose*", "gltf/pose", POSE, "note", when=any_of(in_place, compressed)),
    Loss("body.frames.pose*, body.cameras.pose*, body.lights.pose*", "gltf/pose", POSE, "note", when=in_place),
    Loss("joint.parent", "gltf/flat", SIDE_BY_SIDE, "note", "carried", beside),
    Loss("order.body", "gltf/flat", SIDE_BY_SIDE, "note", "carried", side_by_side),
    Loss(
        "joint.name",
        "gltf/joint-name",
        "nodes have the names of bodies, and of joints that have frames in the physics of the file (--physics); any "
        "other joint is a node inside another, without a name",
        "note",
        "carried",
        unnamed,
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
        "draft-omi.body.geoms.surface* absent, draft-omi.body.geoms.surface extra",
        "gltf/omi-contact",
        f"OMI_physics_body says nothing of friction and bounce: each engine has its own; {_INSIDE}",
    ),
    Loss(
        "draft-omi.contact extra",
        "gltf/omi-contact",
        "OMI_physics_body says nothing of what may touch what: bodies that a joint holds do not, and all others do; "
        f"{_INSIDE}",
        action="approximated",
    ),
    Loss(
        "draft-omi.body.geoms.shape.bounded extra",
        "gltf/omi-plane",
        "OMI_physics_shape has no plane without an end: what collides are the triangles that are shown of it",
        action="approximated",
    ),
    Loss(
        "draft-omi.body.inertial extra, draft-omi.body.inertial.mass",
        "gltf/omi-mass",
        "in OMI_physics_body a body that says no mass weighs a kilogram",
        action="approximated",
        when=a_kilogram,
    ),
    Loss(
        "draft-omi.body.inertial.tensor",
        "gltf/omi-mass",
        "OMI_physics_body knows no moment that is infinite: where one is 0, engines work all of them out",
        action="approximated",
        when=lambda difference, _: min(principal(difference.before)[1]) <= 0.0,
    ),
    Loss(
        "draft*.joint.dofs, draft*.loop.dofs, draft*.joint.dofs.kind, draft*.loop.dofs.kind",
        "gltf/no-draft",
        "the physics of glTF has no joint of axes that are neither equal nor at right angles, that do not meet, "
        "that turn as they slide, or that turn or slide twice along one line, and none of a ball or a free joint "
        "beside others: engines that read it hold the body by nothing",
        action="approximated",
        when=unattached,
    ),
    Loss(
        "draft*.joint.dofs.stop*, draft*.loop.dofs.stop*",
        "gltf/stop",
        "what brakes a joint in a bound of the physics of glTF grows with the speed alone",
        action="approximated",
        when=of_dof(lambda dof: dof.stop is not None and dof.stop.dissipation != 0.0),
    ),
    Loss(
        "draft*.joint.dofs.lower absent, draft*.joint.dofs.upper absent, draft*.loop.dofs.lower absent, "
        "draft*.loop.dofs.upper absent",
        "gltf/turns",
        "engines that read the physics of glTF know where a joint stands, and not after how many turns: bounds "
        "that are further apart than a whole turn are none",
        action="approximated",
        when=of_dof(wide),
    ),
    Loss(
        "joint.dofs absent",
        "gltf/joint",
        "it stands in the physics of the file (--physics), all of it: who knows that has the joint, and nobody else",
        "note",
        when=all_of(physical, of_joint(lambda joint: jointed(joint) and all(map(plain, joint.dofs)))),
    ),
    Loss(
        "joint.dofs absent",
        "gltf/joint",
        "its axes, bounds, springs and dampers stand in the physics of the file (--physics); what else it says (most "
        f"force and speed, friction, armature, whom it follows, bounds beyond a turn) does not: {_INSIDE}",
        when=all_of(physical, of_joint(jointed)),
    ),
    Loss(
        "joint.dofs absent, joint.extras.* absent, joint.frame absent, joint.passive absent, joint.properties absent",
        "gltf/joint",
        f"glTF has no joints, and the physics of the file (--physics) none that says this: {_INSIDE}",
    ),
    Loss("loop absent, constraint absent", "gltf/loop", "the nodes of glTF are a tree, and nothing couples them"),
    Loss(
        "body.inertial",
        "gltf/inertia",
        "it stands in the physics of the file (--physics), all of it: who knows that has the mass, and nobody else",
        "note",
        when=all_of(physical, weighs),
    ),
    Loss(
        "body.inertial absent, body.geoms.mass absent, body.geoms.density absent",
        "gltf/inertia",
        f"glTF has no masses; its physics (--physics) has those of bodies, and moments above 0: {_INSIDE}",
    ),
    Loss(
        "body.geoms.surface absent, body.surface absent, body.self_collide absent, contact absent",
        "gltf/contact",
        "glTF has no contacts; its physics (--physics khr) has friction and filters",
    ),
    Loss(
        "body.lights*",
        "gltf/light-kind",
        "lights of glTF are points, spots and suns: for one of another kind (an image) stands a node that shines not",
        when=of_another_kind,
    ),
    Loss(
        "body.lights.intensity",
        "gltf/light-off",
        "lights of glTF have no switch, and shine by nothing less than 0: one that is off has the intensity 0",
        when=beyond,
    ),
    Loss(
        "body.cameras.aspect absent",
        "gltf/camera-pixels",
        "a camera of glTF says the shape of its view (aspectRatio), and not that of its pixels",
        "note",
    ),
    Loss(
        "body.cameras.principal absent",
        "gltf/camera-axis",
        "a camera of glTF looks through the middle of its image: it sees as much, and turned to no side",
        action="approximated",
    ),
    Loss(
        "body.cameras.width absent, body.cameras.height absent, body.cameras.pixel_format absent, "
        "body.cameras.parameters absent, body.cameras.sensor_size absent, body.cameras.extras.* absent, "
        "body.lights.ambient absent, body.lights.specular absent, body.lights.attenuation absent, "
        "body.lights.cast_shadows absent, body.lights.range absent, body.lights.inner absent, "
        "body.lights.outer absent, body.lights.parameters absent, body.lights.extras.* absent",
        "gltf/looks",
        "a camera or light of glTF has no such property",
        "note",
    ),
    Loss(
        "body.cameras.near, body.cameras.far, body.cameras.span, body.cameras.fov_y, body.lights.inner, "
        "body.lights.outer",
        "gltf/view-range",
        "a camera of glTF sees from a distance on, and less than half a turn; a spot light has both its angles, at "
        "most a quarter of a turn",
        "note",
        when=beyond,
    ),
    Loss(
        "body.geoms.transparency absent",
        "gltf/transparency",
        "what of a geom is seen through is the alpha of its material in glTF",
        "note",
    ),
    Loss("body.geoms.group absent", "gltf/group", "glTF has no groups of nodes to show and hide", "note"),
    Loss(
        "body.scope absent, scope absent", "gltf/scope", "glTF has no nested models: the names of nodes hold the path"
    ),
    Loss(
        "body.gravity absent, body.kinematic absent, body.linear_damping absent, body.angular_damping absent, "
        "body.extras.* absent, body.geoms.extras.* absent, body.frames.extras.* absent",
        "gltf/body",
        f"nodes of glTF have a name and a place, and no other words for a link, a site or a geom: {_INSIDE}",
    ),
    Loss(
        "actuator absent",
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
        "transmission absent, hardware absent, sensor absent, tendon absent, keyframe absent, group absent, "
        "end_effector absent, approximation absent, physics absent, block absent",
        "gltf/simulation",
        "glTF is about what is seen",
    ),
    Loss(
        "*.extras.sdf/*drake:joint",
        "gltf/drake-joint",
        f"a joint that only Drake reads in SDFormat is no joint here: {_INSIDE}",
    ),
    Loss("*.extras.* absent", "gltf/foreign", f"what only the source format knows is not written: {_INSIDE}"),
)


def losses() -> tuple[Loss, ...]:
    return LOSSES
