"""Conditions of the loss rows of MJCF (converters.format.Loss.when)."""

from __future__ import annotations

import math
import re
from collections.abc import Container, Mapping

from converters.assets.inside import PARAMETERS
from converters.assets.shown import may_have_looks, meshes_without_shown_looks
from converters.facts import Facts
from converters.mjcf.assets.shading import EXPONENT
from converters.mjcf.bodies.geoms import GREY
from converters.mjcf.bodies.views import CUTOFF, KINDS
from converters.mjcf.document.files import DIRECTORIES
from converters.mjcf.document.flexible import before_soft
from converters.mjcf.relations.actuators import activation_count
from converters.mjcf.relations.shortcuts import OWN
from converters.mjcf.tables import FAR, FORMAT, PHYSICS, SPELLING
from converters.mjcf.writing.silence import SILENCE
from converters.passes.keys import WORDED as WORDED
from converters.registry import marked_format
from converters.report.file_reasons import nowhere, unfound, unused
from converters.report.reasons import (
    CLOSE,
    PLAIN,
    after,
    all_of,
    before,
    geom_of,
    in_role,
    joint_of,
    no_such,
    of_dof,
    of_geom,
    of_joint,
    of_some_geom,
    same_joint_positions,
    settings,
    surface_of,
    unlike,
    untouched,
)
from converters.report.value_reasons import other_than
from ir.diff import Difference
from ir.kinematics import still_bodies
from ir.types import SCALAR, TWIST, WHITE, WORLD, Actuator, Asset, Box, Couple, DofKind, Extra, Geom, Mesh, Plane, Role

MASKS = ("category", "collide")
DEFAULTS: Mapping[str, float] = {"mu": 1.0, "torsional": 0.005, "rolling": 0.0001, "category": 1, "collide": 1}
"""Fields of a surface that a geom of MuJoCo always has."""

ONE = (*SCALAR, DofKind.BALL)
"""Kinds of dofs that are one joint in MJCF on any body."""
FILE = r' file="[^"]*"'
SHELL = {("inertia", "shell"), ("type", "2d")}
"""Parameters of files that are generated for shapes and materials."""


def surface_all_default(difference: Difference, _: Facts) -> bool:
    """Whether a surface equals the defaults of a geom."""
    said = difference.after
    return all(getattr(said, name, None) in (None, value) for name, value in DEFAULTS.items())


def mujoco_default_value(difference: Difference, facts: Facts) -> bool:
    """Whether a number is the default of MuJoCo. In a body without an inertial a missing density is 0, because the
    default would add mass."""
    name = difference.path[-1]
    if name != "density":
        return bool(difference.after == float(SILENCE["material"][name]))
    body = facts.fitted.bodies[difference.path[1]]
    weightless = body.name != WORLD and body.inertial is None
    return not weightless and bool(difference.after == float(SILENCE["geom"][name]))


def from_coefficient_and_radius(difference: Difference, facts: Facts) -> bool:
    """Whether it equals the friction that the source gives by a coefficient and a patch radius."""
    surface = surface_of(difference, facts)
    if surface is None or surface.torsional_coefficient is None or surface.patch_radius is None:
        return False
    return math.isclose(difference.after, TWIST * surface.torsional_coefficient * surface.patch_radius)


def box_beside_colliding_mesh(difference: Difference, facts: Facts) -> bool:
    """Whether it is a box, and a mesh of its body collides."""
    return isinstance(difference.after.shape, Box) and of_some_geom(colliding_mesh)(difference, facts)


def colliding_mesh(geom: Geom) -> bool:
    """Whether a geom collides as a mesh."""
    return geom.collides and isinstance(geom.shape, Mesh)


def plane_on_moving_body(difference: Difference, facts: Facts) -> bool:
    """Whether a plane is on a moving body."""
    shape = getattr(geom_of(difference, facts), "shape", None)
    return isinstance(shape, Plane) and difference.path[1] not in facts.once(_bodies_at_rest)


def _bodies_at_rest(facts: Facts) -> Container[str]:
    return still_bodies(facts.fitted)


def shows_looks_of_mesh_file(difference: Difference, facts: Facts) -> bool:
    """Whether a geom uses a mesh file with materials that are visible in the source, and no material of the source
    instead."""
    geom = geom_of(difference, facts)
    asset = facts.scene.mesh_of(geom.shape) if geom is not None else None
    if asset is None or difference.after in facts.scene.materials or asset.name in facts.once(_meshes_of_hidden_looks):
        return False
    return may_have_looks(asset)


def _meshes_of_hidden_looks(facts: Facts) -> Container[str]:
    form = marked_format(facts.scene.notation)
    return meshes_without_shown_looks(facts.scene, form.looks) if form is not None else ()


def only_shell_size_or_2d(difference: Difference, _: Facts) -> bool:
    """Whether the output only says of a file that a mesh is a shell, the size of a height field, or that an image is
    2d."""
    return all(name == "size" or (name, text) in SHELL for name, text in difference.after)


def only_part_parameters_lost(difference: Difference, _: Facts) -> bool:
    """Whether the output only lacks parameters of files inside other files, and has only that a mesh is a shell
    instead."""
    ours, theirs = difference.before or (), difference.after or ()
    lost, gained = ({*one} - {*other} for one, other in ((ours, theirs), (theirs, ours)))
    return all(name in PARAMETERS for name, _ in lost) and gained <= SHELL


def is_search_folder(difference: Difference, _: Facts) -> bool:
    """Whether it is a folder in which a compiler searches for files: they are next to the output."""
    return str(difference.path[-1]).rpartition("/@")[2] in DIRECTORIES


def asset_not_in_source(difference: Difference, facts: Facts) -> bool:
    """Whether the output references an asset that the source does not have."""
    return difference.after not in facts.scene.assets


def target_does_not_exist(difference: Difference, facts: Facts) -> bool:
    """Whether a camera or light has a target that does not exist."""
    target = dict(difference.before).get("target")
    return target is not None and target not in facts.fitted.bodies


def is_uv_mapped_texture(difference: Difference, _: Facts) -> bool:
    """Whether what the output has besides is an image that is laid out by texture coordinates."""
    extra = difference.after
    return isinstance(extra, Asset) and extra.kind == "texture" and not extra.parameters


def model_uses_shape_files(difference: Difference, facts: Facts) -> bool:
    """Whether a geom has a shape that is in a file."""
    return bool(facts.shaped)


def only_file_differs(difference: Difference, facts: Facts) -> bool:
    """Whether an element differs from the source only in its file."""
    ours, theirs = facts.lost.get(difference.path), difference.after
    if not isinstance(ours, Extra) or re.search(FILE, ours.text) is None:
        return False
    return not isinstance(theirs, Extra) or re.sub(FILE, "", ours.text) == re.sub(FILE, "", theirs.text)


def fixed_compound_or_name_taken(difference: Difference, facts: Facts) -> bool:
    """Whether a joint has no or several joints in MJCF, or shares its name with a dof of another joint."""
    joint = joint_of(difference, facts)
    if joint is not None and joint.name in facts.dofs and facts.dofs[joint.name][0] is not joint:
        return True
    written = facts.fitted.joint_of(joint.child) if joint is not None else None
    return any(each is None or len(each.dofs) != 1 or each.dofs[0].kind not in ONE for each in (joint, written))


def width_or_height_missing(difference: Difference, facts: Facts) -> bool:
    """Whether a camera gives only one side of its image size."""
    cameras = {camera.name: camera for camera in facts.fitted.body(difference.path[1]).cameras}
    camera = cameras.get(difference.path[3])
    return camera is not None and (camera.width is None or camera.height is None)


def image_of_one_pixel(difference: Difference, facts: Facts) -> bool:
    """Whether the image of a camera is one pixel wide and high."""
    cameras = {camera.name: camera for camera in facts.fitted.body(difference.path[1]).cameras}
    camera = cameras.get(difference.path[3])
    return camera is not None and (camera.width, camera.height) == (1, 1)


def file_not_found_or_unused(difference: Difference, facts: Facts) -> bool:
    """Whether the file of an asset was not found, or nothing in the output uses it."""
    asset = difference.before
    return not _inline(asset) and (nowhere(asset, facts) or unused(difference, facts))


def texture_file_not_found(difference: Difference, facts: Facts) -> bool:
    """Whether a texture has no file that was found and can be read."""
    asset = facts.scene.assets.get(difference.before)
    return asset is None or (nowhere(asset, facts) and not _inline(asset))


def _inline(asset: Asset) -> bool:
    """Whether an asset needs no file: inline numbers, or an image that the compiler generates."""
    return not (asset.uri or asset.made) and any(extra.format == FORMAT for extra in asset.extras)


def _written_out(difference: Difference, facts: Facts) -> bool:
    """Whether a geom uses a mesh whose numbers are in the document itself."""
    geom = geom_of(difference, facts)
    asset = facts.scene.mesh_of(geom.shape) if geom is not None else None
    return asset is not None and _inline(asset)


def is_mean_of_rgb(difference: Difference, _: Facts) -> bool:
    """Whether it is the mean of the colour channels of the source."""
    ours, theirs = difference.before, difference.after
    if ours is None or theirs is None:
        return False
    return all(math.isclose(sum(ours[:3]) / 3, each, abs_tol=CLOSE) for each in theirs[:3])


def emission_as_colour_share(difference: Difference, facts: Facts) -> bool:
    """Whether it is a fraction of the material's colour, and that of the source is not, or has an alpha."""
    ours, theirs = difference.before, difference.after
    material = facts.fitted.materials.get(difference.path[1])
    if ours is None or material is None:
        return False
    own = (material.rgba or WHITE)[:3]
    glow = theirs[:3] if theirs is not None else (0.0, 0.0, 0.0)
    share = sum(ours[:3]) / sum(own) if any(own) else 0.0
    return all(math.isclose(share * one, other, abs_tol=CLOSE) for one, other in zip(own, glow, strict=True))


def common_values_equal(difference: Difference, _: Facts) -> bool:
    """Whether both keyframes have the same values for common names."""
    ours, theirs = dict(difference.before), dict(difference.after)
    return all(ours[name] == theirs[name] for name in ours.keys() & theirs.keys())


def same_known_joint_positions(difference: Difference, facts: Facts) -> bool:
    """Whether two keyframes have the same joint positions; those of joints after a <flexcomp> are not known."""
    return same_joint_positions(difference, facts) or (
        before_soft(facts.fitted) is not None and common_values_equal(difference, facts)
    )


def lost_values_zero_or_unused(difference: Difference, facts: Facts) -> bool:
    """Whether both keyframes agree, and values that the output lacks are 0 or belong to a missing actuator."""
    ours, theirs = dict(difference.before), dict(difference.after)
    left = [(name, values) for name, values in ours.items() if name not in theirs]
    gone = (not any(values) or ("actuator", name) in facts.lost for name, values in left)
    return common_values_equal(difference, facts) and all(gone)


def lost_actuators_stateless(difference: Difference, facts: Facts) -> bool:
    """Whether both keyframes agree, and missing values belong to actuators without a state of their own."""
    actuators: Mapping[str, Actuator] = facts.fitted.tables["actuator"]
    left = dict(difference.before).keys() - dict(difference.after).keys()
    return common_values_equal(difference, facts) and not any(
        activation_count(actuators[name]) for name in left if name in actuators
    )


def same_friction_both_ways(difference: Difference, facts: Facts) -> bool:
    """Whether a geom rubs as much in one direction as in the other."""
    surface = surface_of(difference, facts)
    return surface is not None and surface.mu == difference.before


def self_collide_preserved(difference: Difference, facts: Facts) -> bool:
    """Whether a body collides with those of its model, as it does in MuJoCo, or passes have made what keeps it apart
    from one of them."""
    return difference.before is True or difference.path[1] in facts.once(_kept_apart)


def _kept_apart(facts: Facts) -> set[str]:
    rules = (rule for rule in facts.fitted.tables["contact"].values() if rule.reason == "self_collide")
    masked = {path[1] for path in facts.gained if path[0] == "body" and path[-1] in ("surface", *MASKS)}
    return masked.union(*(rule.pair for rule in rules))


def only_default_or_unsupported(difference: Difference, facts: Facts) -> bool:
    """Whether a surface contains only MuJoCo's defaults, or values that MJCF cannot express; on a geom that does not
    collide, collision masks have no effect."""
    geom = geom_of(difference, facts)
    said = surface_of(difference, facts)
    if geom is None or said is None or untouched(geom):
        return True
    usual = {name: value for name, value in DEFAULTS.items() if geom.collides or name not in MASKS}
    return not said.parameters and all(getattr(said, name) in (None, value) for name, value in usual.items())


def has_no_mujoco_parameters(difference: Difference, _: Facts) -> bool:
    """Whether nothing of a surface, or of a part of one, is said in words of MuJoCo."""
    return difference.path[-1] != "parameters" and not getattr(difference.before, "parameters", ())


def kind_has_no_such_gain(difference: Difference, facts: Facts) -> bool:
    """Whether MuJoCo's actuators of this kind have no such gain."""
    _, name, gain = difference.path
    actuator = facts.fitted.tables["actuator"].get(name)
    return actuator is None or gain not in OWN.get(actuator.kind, ())


def limited_at_one_end(difference: Difference, facts: Facts) -> bool:
    """Whether a tendon has a limit at only one end."""
    tendon = facts.fitted.tables["tendon"].get(difference.path[1])
    return tendon is not None and (tendon.lower is None) != (tendon.upper is None)


def other_physics_settings(difference: Difference, _: Facts) -> bool:
    """Whether these are settings other than those that MuJoCo has."""
    return difference.path[1] != PHYSICS


def reordered(difference: Difference, _: Facts) -> bool:
    """Whether the same names are in another order."""
    return sorted(difference.before) == sorted(difference.after)


def rule_about_all_or_exemption(difference: Difference, _: Facts) -> bool:
    """Whether a rule concerns a body and all others, or exempts a pair from such a rule."""
    rule = difference.before
    return not rule.second or rule.allow


def coupling_replaces_mimic(difference: Difference, facts: Facts) -> bool:
    """Whether a constraint couples a joint that follows another in the source, but not in the output."""
    spec = difference.after.spec
    if not isinstance(spec, Couple) or spec.first not in facts.dofs:
        return False
    joint, dof = facts.dofs[spec.first]
    kind = "loop" if joint.closes_loop else "joint"
    return dof.mimic is not None and (kind, joint.name, "dofs", str(joint.dofs.index(dof)), "mimic") in facts.lost


def reference_in_offset(difference: Difference, facts: Facts) -> bool:
    """Whether the output includes the reference of a mimic (of the source, or made by a pass) in its offset."""
    _, name, _, place, *_, field = difference.path
    joints = (scene.joints.get(name) for scene in (facts.scene, facts.fitted))
    mimics = [dof.mimic for joint in joints if joint is not None for dof in joint.dofs[int(place) :][:1]]
    return any(
        mimic is not None
        and mimic.reference != 0.0
        and math.isclose(difference.after, 0.0 if field == "reference" else mimic.constant, abs_tol=CLOSE)
        for mimic in mimics
    )


def written_without_contacts(difference: Difference, facts: Facts) -> bool:
    """Whether a geom was written without contacts because its whole body has none."""
    geom = facts.written.get((difference.path[1], difference.path[3]))
    return geom is not None and untouched(geom)


def actuator_kind_unsupported(difference: Difference, _: Facts) -> bool:
    """Whether an actuator is of no kind that MuJoCo has."""
    return difference.before.kind not in OWN


def general_as_motor(difference: Difference, _: Facts) -> bool:
    """Whether a <general> is written as the motor that it is."""
    return (difference.before, difference.after) == ("general", "motor")


def geom_of_pair_lost(difference: Difference, facts: Facts) -> bool:
    """Whether a geom of a pair is missing from the output, or changed."""
    rule, gone = difference.before, facts.once(_geoms_not_written)
    return rule.include and (rule.first in gone or rule.second in gone)


def _geoms_not_written(facts: Facts) -> Container[str]:
    """Return geoms that are missing from the output, or changed."""
    return {path[3] for path in facts.lost if path[0] == "body" and path[2:3] == ("geoms",) and len(path) > 3}


def couples_same_bodies(difference: Difference, facts: Facts) -> bool:
    """Whether it is a coupling between the same bodies."""
    own = facts.fitted.constraints.get(difference.path[1])
    return own is not None and isinstance(own.spec, Couple) and difference.after in (own.parent, own.child)


not_named_as_its_one_axis = of_joint(lambda joint: [dof.name for dof in joint.dofs] != [joint.name])
"""Whether a joint has another name than its dof, or several dofs."""
not_positive = before(lambda value: value <= 0.0)
means_no_limit = before(lambda value: abs(value) >= FAR)
"""Whether a limit is so large that it means none."""
of_ball_or_free_joint = of_dof(lambda dof: dof.kind in (DofKind.BALL, DofKind.FREE))
"""Whether the dof has neither one angle nor one length."""
empty_or_point_range = of_dof(lambda dof: dof.range[0] >= dof.range[1])
"""Whether the range of the dof contains at most one position."""
only_range_settings = settings("range", "limited")
"""Whether the output only gives a range, and whether it limits."""
not_a_mujoco_primitive = no_such(*PLAIN, Plane)
"""Whether MuJoCo has no such shape, apart from meshes."""
file_not_found = all_of(lambda difference, facts: not _written_out(difference, facts), unfound(SPELLING))
shape_unsupported = unlike(*PLAIN, Mesh, Plane)
"""Whether the geom has a shape that MuJoCo lacks."""
surface_value_default = after(*DEFAULTS.values())
light_kind_unsupported = other_than(*KINDS)
default_cutoff = after(CUTOFF)
default_gloss = after(GREY, EXPONENT / 2)
"""Whether the output gives MuJoCo's default gloss of a material."""
shininess_out_of_range = before(lambda value: not 0.0 <= value <= EXPONENT)
mask_is_first_bit = before(lambda value: value == 1)
collides = in_role(*Role.COLLIDING)
collides_with_nothing = of_geom(lambda geom: not geom.collides or untouched(geom))
"""Whether nothing touches the geom."""
contacts_disabled = of_geom(untouched)
"""Whether the source disables contacts of the geom."""


def for_mujoco(difference: Difference, _: Facts) -> bool:
    """The block is for MuJoCo."""
    return getattr(difference.before, "dialect", "") == "mujoco"
