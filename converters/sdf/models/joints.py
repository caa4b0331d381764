"""<joint>, in both directions: axes and anchors of the graph are the joint frame in the child link."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from converters.passes.compound import without_compound_joints
from converters.sdf.document.kinds import MODEL_FRAME
from converters.sdf.document.loading import SdfLoading
from converters.sdf.document.values import INFINITE, boolean, bound, finite, parse, put, real, refuse, scalar, triple
from converters.sdf.models.ends import AXES, Link
from converters.sdf.models.following import Leaders, read_drake, read_mimic
from converters.sdf.models.frames import OUTSIDE, Frames, means_world
from converters.sdf.models.models import MODEL
from converters.sdf.tables import FORMAT, FRAMES
from converters.source.rotors import GEAR, ROTOR, reflected_inertia, says_rotor
from converters.source.text import numbers, so_many_numbers, words
from converters.source.tree import Element
from converters.source.xml import Node
from ir.kinematics import COORDINATES
from ir.pose import anchor_of, conjugate, direction, dot, rotate, rotation_gap, subtract
from ir.scene import Scene
from ir.types import IDENTITY, ORIGIN, UP, Dof, DofKind, Joint, Pose, Stop, Vec3

PAIRS = ("universal", "revolute2")
"""Types with two axes through one point."""
BOUNDS = ("lower", "upper", "effort", "velocity")
HARD = Stop(stiffness=1e8, dissipation=1.0)
"""Default stiffness and dissipation of limits (limit.sdf)."""
SECOND = "_axis2"
"""Suffix of the second degree of freedom of a joint."""
IDLE = {"fixed": "sdf/fixed-joint", "ball": "sdf/ball-joint"}
"""Type -> the rule for an axis without effect; "sdf/second-axis" for others."""
DEFAULT_PITCH = 1.0
"""Default pitch of a screw, in metres per turn."""
PARENT_FRAME = "use_parent_model_frame"
SHORTEST = 1e-6
"""A shorter axis has no direction, and libsdformat refuses the file (gz::math::equal of its length and 0)."""
LEAST = 1e-12
"""Metres, and quaternion components: smaller differences between computed frames are rounding."""


def axis_called(joint: str, index: int) -> str:
    """Return the dof name of the first or second axis of a joint."""
    return joint if index == 0 else f"{joint}{SECOND}"


def read_dofs(link: Link, frames: Frames, leaders: Leaders, loading: SdfLoading) -> tuple[Dof, ...]:
    """Return the degrees of freedom of a joint. leaders: the dofs that they may follow."""
    kinds = AXES[link.kind]
    armature = _armature(link.item.node, len(kinds) == 1 and kinds[0] not in COORDINATES)
    found = []
    for index, kind in enumerate(kinds):
        name = axis_called(link.path, index)
        tag = "axis" if index == 0 else "axis2"
        axis = link.item.node.child(tag)
        if kind is DofKind.BALL:
            found.append(
                Dof(name=name, kind=kind, anchor=_without_rounding(link.frame.pos), damping=_damping_of_ball(axis))
            )
            if axis is not None:
                axis.ignore("xyz", "sdf/ball-joint")
                axis.ignore("limit", "sdf/ball-joint")
            continue
        direction = _unit_axis(link, axis, frames, loading)
        if direction is None:
            return ()
        if axis is None:
            reason = (
                f"the joint has no <{tag}>, for which libsdformat creates no axis and Drake refuses the model: read "
                "as 0 0 1, the default of <xyz>"
            )
            where = f"joint/{link.path}.dofs.{index}.axis"
            loading.context.note("sdf/no-axis", where, reason, link.item.node.source, after=numbers(UP))
        anchor = ORIGIN if kind is DofKind.SLIDE else _without_rounding(link.frame.pos)
        values = _fields_of_axis(axis, link, loading) if axis is not None else {}
        if kind is DofKind.SCREW:
            values["pitch"] = _pitch(link.item.node)
        if axis is not None:
            values["mimic"] = read_mimic(axis, link, name, leaders, loading)
        if len(kinds) == 1:
            values["mimic"] = read_drake(link, name, values.get("mimic"), leaders, loading)
        found.append(Dof(name=name, kind=kind, axis=direction, anchor=anchor, **values, armature=armature))
    _check_idle(link, 0 if DofKind.BALL in kinds else len(kinds), frames, loading)
    return tuple(found)


def _check_idle(link: Link, used: int, frames: Frames, loading: SdfLoading) -> None:
    """Axes that the joint type does not use, behind the used ones, stay unread. Note errors of libsdformat in them."""
    for tag in ("axis", "axis2")[used:]:
        if link.kind != "ball" or tag != "axis":  # the damping of a ball joint stands there
            link.item.node.ignore(tag, IDLE.get(link.kind, "sdf/second-axis"))
        axis = link.item.node.peek(tag)
        xyz = axis.peek("xyz") if axis is not None else None
        said = so_many_numbers(xyz.own_text(), 3) if xyz is not None else None
        if xyz is None:
            continue
        where, reference = f"joint/{link.path}", xyz.attrs.get("expressed_in", "")
        if said is not None and math.hypot(*said) < SHORTEST:
            reason = f"the axis {said} has no direction; the joint does not rotate about it here"
            loading.fault("ELEMENT_INVALID", where, reason, xyz.source)
        vertex = frames.vertex(link.model, reference, link.item.base)
        if reference and link.item.version >= FRAMES and (vertex is None or means_world(link.model, reference)):
            reason = (
                f"an axis is expressed in {reference!r}, but there is no such frame; the joint does not rotate about "
                "it here"
            )
            loading.fault("JOINT_AXIS_EXPRESSED_IN_INVALID", where, reason, xyz.source, before=reference)


def _damping_of_ball(axis: Node | None) -> float:
    """Return the damping of a ball joint in any direction: all that readers of SDF use of its <axis> (Drake)."""
    dynamics = axis.child("dynamics") if axis is not None else None
    return real(dynamics, "damping", 0.0) if dynamics is not None else 0.0


def mount_of(link: Link, dofs: tuple[Dof, ...]) -> Pose | None:
    """Return the joint frame relative to the frame given by the dofs; None if they differ only by rounding."""
    anchor = anchor_of(dofs)
    pos = subtract(link.frame.pos, anchor)
    if max(math.dist(pos, ORIGIN), rotation_gap(link.frame.rot, IDENTITY.rot)) <= LEAST:
        return None
    return replace(link.frame, pos=_without_rounding(pos))


def _without_rounding(pos: Vec3) -> Vec3:
    return ORIGIN if all(abs(value) < 1e-15 for value in pos) else pos


def _unit_axis(link: Link, axis: Node | None, frames: Frames, loading: SdfLoading) -> Vec3 | None:
    """Return the unit axis in the child link; None, with an error noted, for an axis without direction."""
    node = link.item.node
    where = f"joint/{link.path}"
    xyz = triple(axis, "xyz", UP) if axis is not None else UP
    length = math.hypot(*xyz)
    if not SHORTEST <= length < math.inf:
        reason = f"the axis {xyz} has no direction; the joint is read as a fixed one"
        loading.fault("ELEMENT_INVALID", where, reason, node.source)
        return None
    known = direction(xyz)
    if axis is not None and abs(length - 1) > 1e-6:
        loading.context.note(
            "sdf/axis-length",
            f"{where}.dofs.{int(axis.tag != 'axis')}.axis",
            "the axis is scaled to length one",
            (axis.peek("xyz") or axis).source,
            before=numbers(xyz),
            after=numbers(known),
            severity="note",
        )
    xyz = known
    reference = _frame_of_axis(axis, link.item.version) if axis is not None else ""
    if not reference:
        return rotate(link.frame.rot, xyz)
    vertex = frames.vertex(link.model, reference, link.item.base)
    seen = frames.between(vertex, link.child) if vertex is not None else None
    if seen is None or means_world(link.model, reference):
        reason = f"its axis is expressed in {reference!r}, but there is no such frame{OUTSIDE if seen else ''}"
        loading.fault("JOINT_AXIS_EXPRESSED_IN_INVALID", where, reason, node.source, before=reference)
    return rotate(link.frame.rot if seen is None else seen.rot, xyz)


def _frame_of_axis(axis: Node, version: tuple[int, int]) -> str:
    """Return the frame an axis is expressed in, "" for the joint frame. Up to 1.6 use_parent_model_frame selects the
    model frame, and up to 1.4 it defaults to true; a frame named beside it is used where it is false."""
    xyz = axis.child("xyz")
    named = (xyz.get("expressed_in") or "") if xyz is not None else ""
    if version >= FRAMES:
        return named
    said = axis.child(PARENT_FRAME) is not None
    return MODEL if (boolean(axis, PARENT_FRAME, False) if said else version <= MODEL_FRAME) else named


def _bounds_of_position(limit: Node, where: str, loading: SdfLoading) -> dict[str, float | None]:
    """Return the position limits, None for an infinite one; an error is noted if it is infinite on the wrong side."""
    found: dict[str, float | None] = {}
    for tag, side in (("lower", -1.0), ("upper", 1.0)):
        value = bound(limit, tag)
        found[tag] = value if value is not None and abs(value) < INFINITE else None
        if value is not None and value * side <= -INFINITE:
            reason = f"no position is {'above' if side < 0 else 'below'} such a limit: read as no limit"
            loading.fault("ELEMENT_INVALID", where, reason, limit.source, before=f"{tag} {value:g}")
    return found


ZERO = {
    "effort": "an effort limit of zero: nothing can drive this joint",
    "velocity": "a velocity limit of zero: in Gazebo (DART) this joint cannot move",
}
"""Limit -> the effect of a zero."""


def _fields_of_axis(axis: Node, link: Link, loading: SdfLoading) -> dict[str, Any]:
    values: dict[str, Any] = {}
    limit = axis.child("limit")
    if limit is not None:
        if link.kind != "continuous":  # a continuous joint turns without end, whatever its limits are
            values |= _bounds_of_position(limit, f"joint/{link.path}", loading)
        for tag in ZERO:
            value = finite(limit, tag)
            values[tag] = value if value is not None and value >= 0 else None
            if value == 0:
                reason = f"{ZERO[tag]}; unlimited would be -1, or no element"
                loading.context.note(
                    f"sdf/zero-{tag}", f"joint/{link.path}", reason, limit.source, before="0", action="noted"
                )
        given = {tag: value for tag in ("stiffness", "dissipation") if (value := finite(limit, tag)) is not None}
        stop = replace(HARD, **given)
        values["stop"] = stop if stop != HARD else None
        acceleration = finite(limit, "drake:acceleration")
        if acceleration is not None:
            values["acceleration"] = acceleration
    dynamics = axis.child("dynamics")
    if dynamics is not None:
        for tag, field in (
            ("damping", "damping"),
            ("friction", "friction"),
            ("spring_stiffness", "stiffness"),
            ("spring_reference", "spring_reference"),
        ):
            values[field] = real(dynamics, tag, 0.0)
    return values


def _pitch(node: Node) -> float:
    """Metres per radian: screw_thread_pitch is metres per turn, thread_pitch -radians per metre (until 1.9)."""
    turn = scalar(node, "screw_thread_pitch")
    if turn is None:
        old = scalar(node, "thread_pitch")
        turn = -2 * math.pi / old if old else DEFAULT_PITCH
        if math.isinf(turn):
            refuse(node, "thread_pitch", f"{old} is too small for a pitch")
            turn = DEFAULT_PITCH
    return turn / (2 * math.pi)


def _armature(node: Node, alone: bool) -> float:
    """Return the armature from Drake's rotor inertia and gear ratio, used in joints with one driven dof (alone).

    An inertia without a gear is the armature itself, and is written again (write_armature). One with a gear, or in
    other joints, stays unread: other readers of SDF do not know it.
    """
    found: dict[str, list[tuple[Node, float]]] = {ROTOR: [], GEAR: []}
    for item in node.elements():
        if item.tag in found:
            given = words(item.own_text())
            found[item.tag].append((item, (parse(item, item.tag, given[0]) if given else None) or 0.0))
    rotors, gears = found[ROTOR], found[GEAR]
    armature = reflected_inertia(rotors[0][1], gears[0][1] if gears else 1.0) if rotors else 0.0
    if not math.isfinite(armature):
        node.refuse("the inertia of the rotor, seen through its gear, is not finite (ELEMENT_INVALID)")
        return 0.0
    if alone and armature and len(rotors) == 1 and not gears:
        rotors[0][0].visit().text()
    return armature if alone else 0.0


def has_rotor(joint: Joint) -> bool:
    """Whether a single-axis joint has an armature, and its extras give no rotor inertia."""
    alone = len(joint.dofs) == 1 and joint.dofs[0].kind not in COORDINATES
    return alone and bool(joint.dofs[0].armature) and not says_rotor(joint.extras, FORMAT)


def write_armature(element: Element, joint: Joint) -> None:
    """Write the armature of a joint with has_rotor, as Drake reads it."""
    if has_rotor(joint):
        put(element, ROTOR, joint.dofs[0].armature)


def leaders_of(links: Iterable[Link]) -> Leaders:
    """Return the dofs that others may follow."""
    return {
        (link.path, "axis" if index == 0 else "axis2"): axis_called(link.path, index)
        for link in links
        for index, kind in enumerate(AXES[link.kind])
        if kind is not DofKind.BALL
    }


def turned_by(links: Iterable[Link], dofs: Mapping[str, Dof]) -> dict[frozenset[str], str]:
    """Return the first joint between each pair of bodies that is not a ball: the joint that a gearbox acts on."""
    found: dict[frozenset[str], str] = {}
    for link in links:
        if link.path in dofs and dofs[link.path].kind is not DofKind.BALL:
            found.setdefault(frozenset((link.parent, link.child)), link.path)
    return found


# -------------------------------------------------------------------------------------------------------------- writing


def write_axis(joint: Element, tag: str, dof: Dof, frame: Pose, child: str, version: tuple[int, int]) -> Element:
    """Append and return <axis> or <axis2>. frame is the frame of the joint in the child."""
    axis = joint.add(tag)
    if frame.rot == IDENTITY.rot or version < FRAMES:
        put(axis, "xyz", rotate(conjugate(frame.rot), dof.axis))
    else:
        put(axis, "xyz", dof.axis).attrs["expressed_in"] = child
    names = BOUNDS[2:] if dof.crossed else BOUNDS  # no reader of SDF accepts such a range
    bounds = [(name, value) for name in names if (value := getattr(dof, name)) is not None]
    if dof.stop is not None:
        bounds += [("stiffness", dof.stop.stiffness), ("dissipation", dof.stop.dissipation)]
    if bounds:
        limit = axis.add("limit")
        for name, value in bounds:
            put(limit, name, value)
    dynamics = [
        (name, value)
        for name, value in (
            ("damping", dof.damping),
            ("friction", dof.friction),
            ("spring_reference", dof.spring_reference),
            ("spring_stiffness", dof.stiffness),
        )
        if value
    ]
    if dynamics:
        element = axis.add("dynamics")
        for name, value in dynamics:
            put(element, name, value)
    return axis


def with_sdf_joints(scene: Scene, oblique: bool = False) -> Scene:
    """Return the scene with only joints that SDFormat has. oblique: as for type_of."""
    return without_compound_joints(scene, lambda dofs: type_of(dofs, oblique) is not None, anchors=True, shared=True)


def type_of(dofs: tuple[Dof, ...], oblique: bool, said: str | None = None) -> str | None:
    """Return the joint type with these degrees of freedom; None if SDFormat has none.

    oblique: also accept two axes through one point at any angle, as a revolute2, which few readers support. said: the
    type given in the source, which takes precedence for two axes.
    """
    kinds = tuple(dof.kind for dof in dofs)
    if kinds == (DofKind.HINGE,):
        return "continuous" if dofs[0].lower is None and dofs[0].upper is None else "revolute"
    if kinds == (DofKind.HINGE, DofKind.HINGE):
        straight = abs(dot(dofs[0].axis, dofs[1].axis)) < 1e-9
        if dofs[0].anchor != dofs[1].anchor:
            return None
        return said or ("universal" if straight else "revolute2" if oblique else None)
    return {(): "fixed", (DofKind.SLIDE,): "prismatic", (DofKind.BALL,): "ball", (DofKind.SCREW,): "screw"}.get(kinds)
