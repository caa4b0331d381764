"""The type and the range of the value of each element of SDFormat 1.12: libsdformat refuses a file that breaks them
anywhere.

Values that the reader uses are checked by the reader itself (values). This module checks the other values, which are
kept as written, and the ranges of all.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from functools import cache

from converters.context import ReaderContext
from converters.sdf.document.demands import INVALID, SdfFault, described
from converters.sdf.document.vocabulary import needs
from converters.source.text import NUMBER
from converters.source.tree import Element
from converters.source.xml import Node

KINDS = """
boolean: @enabled @fullscreen allow_auto_disable always_on auto_start cast_shadows cfm_damping
    collide_without_contact double_sided emitting enable_metrics enable_orientation enable_wind grid
    implicit_spring_damper inherit_yaw interpolate_x kinematic light_on lighting link/gravity loop must_be_base_link
    must_be_loop_joint origin_visual provide_feedback scale_to_hfov self_collide shadows split_impulse static
    submesh/center thread_position_correction triggered use_dynamic_moi_rescaling use_model_frame use_patch_radius
    use_terrain_paging visualize
whole: @id anti_aliasing attach_steps cols detach_steps env_texture_size granularity image/threshold image/width
    island_threads iters layer max_contacts model_count precon_iters rows
unsigned: @uv_set category_bitmask collide_bitmask collide_without_contact_bitmask iterations max_convex_hulls
    min_contact_count samples sampling visibility_flags visibility_mask voxel_resolution
real: @tension accuracy angle angular animation/scale aspect_ratio axis2_state/acceleration axis2_state/velocity
    axis_state/acceleration axis_state/velocity bias_mean bias_stddev bone_attachment bounce bounce/threshold c1 c2 c3
    cfm clouds/direction coefficient constant contact_max_correcting_vel contact_surface_layer cutoff_angle cx cy
    damping delay_start density dissipation duration dynamic_bias_correlation_time dynamic_bias_stddev
    dynamic_friction effort elastic_modulus elevation end erp f fade_dist falloff far far_clip flesh_mass_fraction fov
    frequency friction friction2 fudge_factor fx fy gain gearbox_ratio heading_deg horizontal_fov humidity
    image/height image/scale inner_angle intensity ixx ixy ixz iyy iyz izz k1 k2 k3 kd kp laser_retro latitude_deg
    length lifetime limit/velocity linear longitude_deg lower mass max max_angle max_dist max_force max_frequency
    max_step_size max_transient_velocity max_vel max_velocity mean mean_size min min_angle min_depth min_dist
    min_frequency min_height min_step_size min_velocity mu mu2 multiplier near near_clip ode/velocity offset
    outer_angle override_impact_capture_velocity override_stiction_transition_velocity p1 p2 p_cx p_cy p_fx p_fy
    particle_scatter_ratio patch_radius pitch plastic_coef_restitution plastic_impact_velocity poissons_ratio
    polyline/height position power pp pq pr precision pressure qq qr quadratic radius range rate real_time_factor
    real_time_update_rate reference reference_altitude render_order resolution restitution_coefficient road/width
    rolling_friction rr s scale_rate screw_thread_pitch sensitivity shininess skin/scale slip slip1 slip2 soft_cfm
    soft_erp sor speed split_impulse_penetration_threshold spring_reference spring_stiffness start static_friction
    stddev stiffness sunrise sunset surface_axis_equatorial surface_axis_polar surface_radius temperature
    temperature_gradient texture/size thread_pitch time transparency tx ty update_rate upper viscous_friction voltage
    xp xq xr xx xy xz yp yq yr yy yz zp zq zr zz
pair: distortion/center plane/size polyline/point
triple: angular_acceleration angular_velocity box/size custom_rpy fdir1 force grav_dir_x heightmap/size
    light/direction linear_acceleration linear_velocity magnetic_field mesh/scale model_state/scale
    particle_emitter/size particle_size plane/normal pos radii road/point step torque world/gravity xyz
colour: ambient background color color_end color_start emissive light/diffuse material/diffuse specular
pose: link_state/acceleration link_state/velocity pose wrench
time: real_time sim_time wall_time
"""
"""Type -> elements and @attributes; with the parent element where the same name also has another type."""
RANGES = """
0 inf: bullet/friction bullet/friction2 clip/near clouds/speed fog/density fog/end fog/start noise/bias_stddev
    noise/dynamic_bias_stddev noise/stddev ode/mu ode/mu2 particle_emitter/max_velocity particle_emitter/min_velocity
    particle_emitter/rate particle_emitter/scale_rate torsional/coefficient torsional/patch_radius
    torsional/surface_radius
0 1: bounce/restitution_coefficient clouds/humidity clouds/mean_size trajectory/@tension
0 3.141592653: lens/cutoff_angle
0 3.1456: clouds/direction
0.1 6.283186: camera/horizontal_fov
0.1 inf: clip/far
4 2048: lens/env_texture_size
-inf inf: camera/noise/stddev lidar/noise/stddev ray/noise/stddev
"""
"""Minimum and maximum given by the specification -> the elements and @attributes they apply to, with their parent."""
INTEGERS = (-(2**31), 2**31 - 1)
"""The range of whole numbers without a range of their own."""
WORDS = {"true", "false", "1", "0"}
SIZES = {"pair": (2, 2), "triple": (3, 3), "colour": (3, 4), "pose": (6, 7)}
"""Minimum and maximum count of numbers. libsdformat ignores additional numbers after a pair or a triple."""
LOOSE = ("pair", "triple")
SAID = {
    "boolean": "neither true nor false (write 1, 0, true or false)",
    "whole": "not a whole number",
    "unsigned": "not a whole number",
    "real": "not a number",
    "pair": "not two numbers",
    "triple": "not three numbers",
    "colour": "not three or four numbers from 0 to 1",
    "pose": "not six numbers",
    "time": "not two whole numbers, seconds and nanoseconds",
}
STARTS = {
    "real": re.compile(r"[+-]?(\d+\.?\d*(e[+-]?\d+)?|\.\d+(e[+-]?\d+)?|inf|nan)", re.IGNORECASE | re.ASCII),
    "whole": re.compile(r"[+-]?\d+", re.ASCII),
    "unsigned": re.compile(r"[+-]?\d+", re.ASCII),
    "time": re.compile(r"[+-]?\d+\s+[+-]?\d", re.ASCII),
}
"""Other text may follow the number."""
KNOWN = (1, 9)
"""The newest version that libsdformat 12 knows: it copies elements of newer versions unchecked."""
LATER = frozenset(
    (
        "camera/triggered",
        "image/anti_aliasing",
        "lidar/visibility_mask",
        "light/visualize",
        *(f"projection/{name}" for name in ("p_cx", "p_cy", "p_fx", "p_fy", "tx", "ty")),
        "projector/visibility_flags",
        "ray/visibility_mask",
    )
)
"""Elements that were added to the descriptions of versions up to 1.9 after libsdformat 12."""
MODEL_FRAME = (1, 4)
"""The last version in which axes are in the model frame by default; up to 1.6 they can be."""
LAST = (1, 6)


def note_mistaken_values(root: Node, version: tuple[int, int], context: ReaderContext) -> None:
    """Note values that libsdformat refuses in a document that was read: those left unread, and those out of range."""
    if context.strict:
        told = {note.source for note in context.notes if note.severity == "error"}
        found = [fault.note() for fault in _faults_of_values(root, version)]
        context.notes += [
            note
            for note in found
            if note.source is not None and note.source not in told and not context.faults.stands_at(note.source)
        ]


def _faults_of_values(root: Node, version: tuple[int, int]) -> Iterator[SdfFault]:
    for node, owner in described(root, KNOWN):
        if isinstance(node, Node):
            why = _fault_of_value(node, owner)
            if why:
                yield SdfFault(node, INVALID, why)
        if node.tag in ("axis", "axis2") and owner == "joint" and version <= LAST and not _has_child(node, "xyz"):
            words = [each.own_text() for each in node.findall("use_parent_model_frame")]
            if next((word.lower() in ("1", "true") for word in words), version <= MODEL_FRAME):
                yield SdfFault(node, INVALID, f"<{node.tag}> is in the frame of the model and has no <xyz>")


def _fault_of_value(node: Node, owner: str) -> str:
    """Return why libsdformat refuses the text or an attribute of an element; "" if it does not."""
    text, kind = node.own_text(), kind_of(owner, node.tag)
    if not text and not node.visited and needs(owner, node.tag):
        return f"<{node.tag}> is empty and needs a value"
    if text and kind and f"{owner}/{node.tag}" not in LATER:
        if not node.visited and not is_value_of_kind(kind, text):
            return f"{text!r} is {SAID[kind]}"
        above = node.parent.parent.tag if node.parent is not None and node.parent.parent is not None else ""
        if why := out_of_range(f"{above}/{owner}/{node.tag}", kind, text):
            return why
    for name, value in node.attrs.items():
        kind = kind_of(node.tag, f"@{name}")
        if kind and not is_value_of_kind(kind, value):
            return f"@{name}: {value!r} is {SAID[kind]}"
        if kind and (why := out_of_range(f"{owner}/{node.tag}/@{name}", kind, value)):
            return f"@{name}: {why}"
    return ""


def out_of_range(path: str, kind: str, text: str) -> str:
    """Return why a value of type `kind` is out of the range of the element or @attribute at path; "" if it is in range.
    path: the last three steps."""
    ranges = _ranges()
    known = ranges.get(path) or ranges.get(path.partition("/")[2]) or (INTEGERS if kind == "whole" else None)
    start = STARTS[kind].match(text) if known is not None and kind in STARTS else None
    if known is None or start is None:
        return ""
    least, most = known
    if not (float(start[0]) < least or float(start[0]) > most):
        return ""
    bounds = f"at least {least:g}" if math.isinf(most) else f"from {least:.10g} to {most:.10g}"
    return f"{text!r} is out of range: it is {bounds}"


def kind_of(owner: str, tag: str) -> str:
    """Return the type of an element; "" for text, for elements with children, and for unknown elements."""
    kinds = _kinds()
    return kinds.get(f"{owner}/{tag}") or kinds.get(tag, "")


def is_value_of_kind(kind: str, text: str) -> bool:
    """Whether a non-empty text is a valid value of type `kind` for libsdformat."""
    if kind == "boolean":
        return text.lower() in WORDS
    if kind in STARTS:
        found = STARTS[kind].match(text)
        if found is None:
            return kind != "time" and text.lower() in WORDS
        return kind != "real" or math.isfinite(float(found[0])) or found[0].lower()[-3:] in ("inf", "nan")
    least, most = SIZES[kind]
    words = text.split()
    words = words[:most] if kind in LOOSE else words
    if not least <= len(words) <= most or not all(map(NUMBER.match, words)):
        return False
    return kind != "colour" or all(0.0 <= float(word) <= 1.0 for word in words)


def _has_child(node: Element, name: str) -> bool:
    """Whether node has a child of that name, or the attribute used for it in 1.0."""
    return name in node.attrs or any(item.tag == name for item in node.elements())


@cache
def _kinds() -> dict[str, str]:
    return {name: kind for kind, names in _rows_of_table(KINDS) for name in names}


@cache
def _ranges() -> dict[str, tuple[float, float]]:
    return {
        name: (float(least), float(most))
        for ends, names in _rows_of_table(RANGES)
        for least, most in [ends.split()]
        for name in names
    }


def _rows_of_table(table: str) -> Iterator[tuple[str, list[str]]]:
    for row in table.replace("\n    ", " ").strip().splitlines():
        head, _, names = row.partition(":")
        yield head, names.split()
