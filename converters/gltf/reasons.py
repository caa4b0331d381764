"""Conditions that the loss rows of glTF place on values (converters.format.Loss.when)."""

from __future__ import annotations

import math

from msgspec.structs import astuple

from converters.facts import Facts
from converters.gltf.scene.materials import MAPS, PACKED as ONE
from converters.gltf.scene.views import FAR, KINDS, NEAR, switched_off
from converters.gltf.writing.materials import APART, silence_of
from converters.gltf.writing.physics import attached
from converters.report.reasons import geom_of, joint_of, of_dof, of_joint
from ir.diff import Difference
from ir.inertia import principal
from ir.names import may_come_of
from ir.optics import FLAT
from ir.pose import body_tensor, rotation_gap
from ir.types import WHITE, WORLD, Camera, Dof, DofKind, Geom, Inertial, Joint, Light, Mesh, Polyline

PACKED = (ONE, "orm", *APART)
"""Roles of roughness and metalness images."""
FURTHEST = 1e38
"""Metres; the range of single precision ends at about 3e38."""
SHADE = 1e-6
"""Relative tolerance for equal colours and positions."""
ALONE = (
    *("effort", "velocity", "acceleration", "deceleration", "jerk", "friction", "armature", "pitch"),
    *("mimic", "soft", "calibration", "parameters"),
)
"""Fields of a dof that an axis of the draft extension cannot express."""


def wide(dof: Dof) -> bool:
    """Whether the dof can turn by more than one revolution."""
    bounded = dof.lower is not None and dof.upper is not None and dof.upper - dof.lower > math.tau
    return bounded and dof.kind is not DofKind.SLIDE


def physics_written(_: Difference, facts: Facts) -> bool:
    """Whether the file contains physics."""
    return facts.options.physics != "none"


def plain(dof: Dof) -> bool:
    """Whether the draft extension can express all that the dof declares."""
    return not any(getattr(dof, name) for name in ALONE) and not wide(dof)


def jointed(joint: Joint) -> bool:
    """Whether the draft extension has a joint of this kind."""
    return bool(joint.dofs) and not joint.free and attached(joint.dofs) is not None


def joint_axes_unsupported(difference: Difference, facts: Facts) -> bool:
    """Whether the physics extension has no joint for the fitted version of this one."""
    joint = facts.fitted.joints.get(difference.path[1])
    return joint is None or attached(joint.dofs) is None


def physics_expresses_inertia(difference: Difference, facts: Facts) -> bool:
    """Whether the draft extension can express all mass properties of a body: moments of 0 mean infinite there."""
    body = facts.scene.bodies.get(difference.path[1])
    if body is None or body.inertial is None or not body.inertial.mass > 0:
        return False
    return min(principal(body_tensor(body.inertial))[1]) > 0


def mass_defaults_to_1_kg(difference: Difference, _: Facts) -> bool:
    """Whether a body without a mass gets the default of OMI_physics_body (1 kg)."""
    ours, theirs = difference.before, difference.after
    silent = ours is None or ours <= 0.0
    return silent and bool((theirs.mass if isinstance(theirs, Inertial) else theirs) == 1.0)


def light_kind_unsupported(difference: Difference, facts: Facts) -> bool:
    """Whether glTF has no light of this kind."""
    _, body, *inner = difference.path
    lights = facts.scene.bodies[body].lights if body in facts.scene.bodies else ()
    return any(light.name == inner[1] and light.kind not in KINDS for light in lights if inner[1:])


# ------------------------------------------------------------------------------------------------------- triangles


def _is_in_file(shape: object, facts: Facts) -> bool:
    """Whether a shape is a mesh from a file of its own."""
    asset = facts.scene.assets.get(shape.asset) if isinstance(shape, Mesh) else None
    return asset is not None and not asset.made


def empty(difference: Difference, facts: Facts) -> bool:
    """Whether a geom has nothing visible: its file is missing or has no triangles, or a size is 0 or exceeds single
    precision."""
    geom = geom_of(difference, facts)
    if geom is None or geom.shape is None or isinstance(geom.shape, Mesh):
        return True
    if isinstance(geom.shape, Polyline):
        from converters.assets.tessellate import tessellate

        if not len(tessellate(geom.shape, 0).faces):
            return True
    return _is_flat(geom) or _is_far(astuple(geom.shape))


def _is_flat(geom: Geom) -> bool:
    sizes = (getattr(geom.shape, name, 1.0) for name in ("size", "radii", "radius", "length"))
    return any((min(map(abs, size)) if isinstance(size, tuple) else size) == 0.0 for size in sizes)


def _is_far(said: object) -> bool:
    return any(map(_is_far, said)) if isinstance(said, tuple) else isinstance(said, float) and abs(said) > FURTHEST


def compressed(_: Difference, facts: Facts) -> bool:
    """Whether vertices are quantised relative to the extent of the mesh, and nodes restore their positions."""
    return facts.options.compress != "none"


def flat_and_below_root(difference: Difference, facts: Facts) -> bool:
    """Whether the node of a body is below the root (--hierarchy flat)."""
    return hierarchy_is_flat(difference, facts) and difference.after == WORLD


def hierarchy_is_flat(_: Difference, facts: Facts) -> bool:
    """Whether no body node is below another one (--hierarchy flat)."""
    return facts.options.hierarchy == "flat"


def joint_has_no_own_node(difference: Difference, facts: Facts) -> bool:
    """Whether a joint is expressed only by nesting one node in another, which has no name."""
    joint = joint_of(difference, facts)
    return joint is None or may_come_of(difference.after, f"weld_{joint.child}")


def same_pose(difference: Difference, _: Facts) -> bool:
    """Whether a pose equals that of the source up to rounding."""
    ours, theirs = difference.before, difference.after
    if difference.path[-1] == "rot":
        return rotation_gap(ours, theirs) <= SHADE
    return bool(math.dist(ours, theirs) <= SHADE * max(1.0, *map(abs, ours)))


# ----------------------------------------------------------------------------------------------------------- looks


def material_not_in_source(difference: Difference, facts: Facts) -> bool:
    """Whether the material of a geom is not one of the source: a default, the look of a mesh file, or a variant for
    transparency or for missing texture coordinates."""
    return difference.after not in facts.scene.materials


def has_nothing_to_draw(difference: Difference, facts: Facts) -> bool:
    """Whether nothing of a geom can have a material."""
    geom = geom_of(difference, facts)
    return geom is None or geom.shape is None or (*difference.path[:-1], "shape") in facts.lost


def shown_on_mesh_file(difference: Difference, facts: Facts) -> bool:
    """Whether a geom with this material shows a mesh file, whose looks may override it; which looks do so, and whether
    they match the file, is checked in converters.gltf.audit.materials."""
    geoms = (facts.written[body, name] for _, body, _, name in facts.shown.get(difference.path[1], ()))
    return any(_is_in_file(geom.shape, facts) for geom in geoms)


def nearest_gltf_colour(difference: Difference, facts: Facts) -> bool:
    """Whether a colour is the nearest one in glTF, and its alpha fits the geoms that use the material."""
    ours, theirs = difference.before, difference.after
    most = math.inf if difference.path[-1] == "emissive" else 1.0
    near = [min(max(value, 0.0), most) for value in ours[:3]]
    same = all(abs(one - other) <= SHADE * max(1.0, one) for one, other in zip(near, theirs[:3], strict=True))
    clear = difference.path[-1] != "rgba" or any(
        _close(theirs[3], each) for each in _alphas_of_geoms(difference, facts)
    )
    return same and clear


def white(difference: Difference, _: Facts) -> bool:
    """Whether a colour that the source does not give is white, whatever its alpha."""
    return bool(difference.after[:3] == (1.0, 1.0, 1.0))


def _alphas_of_geoms(difference: Difference, facts: Facts) -> list[float]:
    """The alpha values that a material has on its geoms, as written."""
    name, alpha = difference.path[1], difference.before[3]
    veils = {geom.transparency for geom in facts.written.values() if geom.material == name} | {0.0}
    return [min(max(alpha * (1.0 - veil), 0.0), 1.0) for veil in veils]


def _close(one: float, other: float) -> bool:
    return abs(one - other) <= SHADE


def clamped(difference: Difference, _: Facts) -> bool:
    """Whether a value is the original one, clamped to [0, 1]."""
    return _close(difference.after, min(max(difference.before, 0.0), 1.0))


def lit_by_image(difference: Difference, facts: Facts) -> bool:
    """Whether the emission of a material is given by an image only."""
    material = facts.fitted.materials.get(difference.path[1])
    maps = material.maps if material is not None else ()
    return difference.after == WHITE and any(each.role == "emissive" for each in maps)


def only_metal_roughness_differ(difference: Difference, _: Facts) -> bool:
    """Whether the images of a material are those of the source, except those of roughness and metalness."""
    others = {(each.role, each.texture) for each in difference.before if each.role not in APART}
    return others == {(each.role, each.texture) for each in difference.after if each.role not in PACKED}


def images_of_known_roles_kept(difference: Difference, _: Facts) -> bool:
    """Like only_metal_roughness_differ, but also disregards images of roles that glTF does not have."""
    kept = {(each.role, each.texture) for each in difference.before if each.role in MAPS}
    there = {(each.role, each.texture) for each in difference.after}
    return kept == {(role, texture) for role, texture in there if (role, texture) in kept or role not in PACKED}


def default_where_unset(difference: Difference, facts: Facts) -> bool:
    """Whether a value is the one written to glTF where the source gives none: double-sided if the geom is not a solid,
    alpha blending if an image is transparent, factors of 1 where images exist."""
    silent = silence_of(facts.fitted)
    usual = {
        "rgba": (WHITE,),
        "metallic": (silent.metallic, 1.0),
        "roughness": (silent.roughness, 1.0),
        "double_sided": (True,),
        "parameters": ((("alphaMode", "BLEND"),),),
    }
    return difference.after in usual.get(difference.path[-1], ()) or lit_by_image(difference, facts)


# ---------------------------------------------------------------------------------------------- cameras and lights


def has_no_valid_gltf_value(difference: Difference, facts: Facts) -> bool:
    """Whether a camera or light has no value here that glTF can express, and the output has the expected default."""
    body, name = facts.fitted.bodies.get(difference.path[1]), difference.path[3]
    cameras, lights = (body.cameras, body.lights) if body is not None else ((), ())
    of_view = (_camera_beyond(each, difference) for each in cameras if each.name == name)
    of_lamp = (_light_beyond(each, difference) for each in lights if each.name == name)
    return any((*of_view, *of_lamp))


def _camera_beyond(camera: Camera, difference: Difference) -> bool:
    before, found = difference.before, difference.after
    near = camera.near if camera.near is not None and camera.near > 0.0 else NEAR
    match difference.path[-1]:
        case "near":
            return (before is None or before <= 0.0) and bool(found == NEAR)
        case "far":
            return (before is None or before <= near) and found in (None, max(FAR, 2 * near))
        case "span":
            return (before is None or before <= 0.0) and bool(found == 2.0)
        case "fov_y":
            return not 0.0 < before < FLAT
    return False


def _light_beyond(light: Light, difference: Difference) -> bool:
    before, found = difference.before, difference.after or 0.0
    outer = min(max(light.outer if light.outer is not None else math.pi / 4, 1e-3), math.pi / 2)
    match difference.path[-1]:
        case "intensity":
            return (switched_off(light) or (before is not None and before < 0.0)) and bool(found == 0.0)
        case "outer":
            return before != outer and _close(found, outer)
        case "inner":
            return (before is None or before >= outer * 0.999) and _close(found, min(before or 0.0, outer * 0.999))
    return False


# ------------------------------------------------------------------------------------------------------------ physics

range_exceeds_one_turn = of_dof(wide)
"""Whether the dof can turn by more than one revolution."""
stop_has_dissipation = of_dof(lambda dof: dof.stop is not None and dof.stop.dissipation != 0.0)
"""Whether the stop at the limits dissipates energy."""
has_physics_joint = of_joint(jointed)
"""Whether the draft extension has a joint of this kind."""
physics_joint_expresses_all = of_joint(lambda joint: jointed(joint) and all(map(plain, joint.dofs)))
"""Whether the draft extension has a joint of this kind that expresses all that the joint declares."""


def has_zero_moment_of_inertia(difference: Difference, _: Facts) -> bool:
    """Whether a moment of inertia is 0, which means infinite in the draft extension."""
    return min(principal(difference.before)[1]) <= 0.0
