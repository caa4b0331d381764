"""<joint>, in both directions: the axis is in the joint frame, which is that of the child at position zero."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, cast

from converters.faults import sure
from converters.source.text import BLANK, NUMBER, number, number_fault, numbers, parse_number, turn_of
from converters.source.tree import Element, restore
from converters.source.xml import Node
from converters.urdf.loading import UrdfLoading, leftovers
from converters.urdf.poses import read_origin, same_axis, write_origin
from converters.urdf.tables import (
    CALIBRATION,
    DRAKE_RATE,
    FORMAT,
    JOINT_TYPES,
    RATED,
    RATES,
    SUFFIXES,
    UNKNOWN,
    UNLIMITED,
    WITH_LIMITS,
    WITHOUT_AXIS,
)
from ir.pose import direction, from_z_to, rotate
from ir.types import IDENTITY, Calibration, Dof, DofKind, Joint, Mimic, SoftLimits, Vec3

X: Vec3 = (1.0, 0.0, 0.0)
Y: Vec3 = (0.0, 1.0, 0.0)
SILENT = "silent"
"""Spelling of an axis that is not given."""


def read_joint(node: Node, parent: str, child: str, loading: UrdfLoading) -> Joint:
    """Read a joint between two bodies, given by their names in the graph."""
    name = node.need("name")
    word = node.attempt(node.need, "type") or ("revolute" if "limit" in node.tags() else "fixed")
    if word not in JOINT_TYPES:
        known = next((known for known in JOINT_TYPES if known == word.strip(BLANK).lower()), None)
        if known is None:
            message = f"joint {name!r} has the unknown type {word!r}; known are {', '.join(JOINT_TYPES)}"
            node.refuse(message, "JOINT-TYPE")
            known = "revolute" if "limit" in node.tags() else "fixed"
        else:
            reason = "joint types are written in lower case, without white space"
            loading.context.note(
                "urdf/joint-type", f"joint/{name}", reason, node.place("type"), before=word, after=known
            )
        word = known
    if node.tag != "joint" or word in ("ball", "spherical", "universal", "screw"):
        loading.spelling[f"joint/{name}"] = f"{node.tag} {word}"
    pose = node.attempt(read_origin, node, loading, f"joint/{name}.pose") or IDENTITY
    dofs = node.attempt(_read_dofs, node, name, word, loading) or ()
    return Joint(
        name=name, parent=parent, child=child, pose=pose, dofs=dofs, source=node.source, extras=leftovers(node)
    )


def _read_dofs(node: Node, name: str, word: str, loading: UrdfLoading) -> tuple[Dof, ...]:
    kinds = JOINT_TYPES[word]
    if word in WITHOUT_AXIS:
        node.ignore("axis", f"urdf/{word}-joint")
    if word not in WITH_LIMITS:
        for tag in ("limit", "mimic", "safety_controller", "calibration"):
            node.ignore(tag, f"urdf/{word}-joint")
    if not kinds:
        node.ignore("dynamics", "urdf/fixed-joint")
        return ()
    kind, *others = kinds
    nothing = (0.0,) * len(kinds), 0.0
    damping, friction = node.attempt(_read_dynamics, node, name, len(kinds), loading) or nothing
    if others:
        axes = _axes_of_joint(word, X if word in WITHOUT_AXIS else _read_axis(node, name, loading))
        return tuple(
            Dof(name=f"{name}{suffix}", kind=kind, axis=axis, damping=damping[place], friction=friction)
            for place, (suffix, kind, axis) in enumerate(zip(SUFFIXES[word], kinds, axes, strict=True))
        )
    values: dict[str, Any] = {"damping": damping[0], "friction": friction, "armature": loading.rotors.get(name, 0.0)}
    if word not in WITHOUT_AXIS:
        values["axis"] = _read_axis(node, name, loading)
    if word in WITH_LIMITS:
        values |= _read_limit(node, name, word, loading)
        values["mimic"] = node.attempt(_read_mimic, node, name, loading)
        values["soft"] = _read_safety(node, name, loading)
        values["calibration"] = _read_calibration(node)
    if word == "screw":
        pitch = node.child("drake:screw_thread_pitch")
        if pitch is None or "value" not in pitch.attrs:
            raise node.fail(f"screw joint {name!r} needs <drake:screw_thread_pitch value>", "XML-REQUIRED")
        values["pitch"] = sure(pitch.number("value")) / (2 * math.pi)
    return (Dof(name=name, kind=kind, **values),)


def _axes_of_joint(word: str, axis: Vec3) -> tuple[Vec3, ...]:
    """Return the axes of a joint with several dofs: two normal to the axis, and it; x and y for Drake's universal
    joint."""
    if word == "universal":
        return (X, Y)
    turn = from_z_to(axis)
    return (rotate(turn, X), rotate(turn, Y), axis)


def _read_axis(node: Node, name: str, loading: UrdfLoading) -> Vec3:
    axis = node.child("axis")
    if axis is None:
        loading.spelling[f"joint/{name}/axis"] = SILENT
        return X
    xyz = cast("Vec3 | None", axis.vector("xyz", 3))
    if xyz is None and "xyz" in axis.attrs:
        return X
    if xyz is None:
        loading.context.note(
            "urdf/axis", f"joint/{name}.dofs.0.axis", "an axis without xyz is the default", axis.source, after="1 0 0"
        )
        return X
    length = math.hypot(*xyz)
    if length < 1e-8:
        message = f"joint {name!r} has the axis {numbers(xyz)}, which has no direction"
        axis.refuse(message, "JOINT-AXIS-ZERO")
        return X
    known = direction(xyz)
    if known == xyz:
        return xyz
    loading.spelling[f"joint/{name}/axis"] = numbers(xyz)
    loading.context.note(
        "urdf/axis",
        f"joint/{name}.dofs.0.axis",
        "the axis is scaled to a unit vector",
        axis.place("xyz"),
        before=numbers(xyz),
        after=numbers(known),
        severity="note" if abs(length - 1.0) < 1e-3 else "warning",
    )
    return known


def _read_dynamics(node: Node, name: str, count: int, loading: UrdfLoading) -> tuple[tuple[float, ...], float]:
    """Return the damping of each dof (Drake: as many numbers as dofs), and the friction."""
    dynamics = node.child("dynamics")
    if dynamics is None:
        return (0.0,) * count, 0.0
    if not dynamics.attrs and not dynamics.content:
        reason = "an empty <dynamics> means no damping and no friction"
        loading.context.note("urdf/dynamics", f"joint/{name}.dofs", reason, dynamics.source, action="noted")
    damping = dynamics.vector("damping") if count > 1 else None
    if damping is None or len(damping) == 1:
        damping = (dynamics.number("damping") or 0.0,) * count
    elif len(damping) != count:
        message = f"<dynamics damping> of joint {name!r} needs 1 or {count} numbers, not {len(damping)}"
        dynamics.refuse(message, "NUM-COUNT")
        damping = (0.0,) * count
    friction = dynamics.number("friction") or 0.0
    if not any(damping) and not friction:
        loading.spelling[f"joint/{name}/dynamics"] = "written"
    return damping, friction


def _read_limit(node: Node, name: str, word: str, loading: UrdfLoading) -> dict[str, Any]:
    """Read limits and rates. URDF 1.0: a missing lower or upper is 0; a missing <limit> means no limit."""
    limit = node.child("limit")
    where = f"joint/{name}.dofs.0"
    if limit is None:
        if word in ("revolute", "prismatic"):
            loading.context.note(
                "urdf/limit-missing", where, f"a {word} joint without <limit> is unlimited", node.source
            )
        return {}
    values = _read_bounds(limit, where, word, loading)
    for rate in ZERO:
        if rate in limit.attrs:
            values[rate] = _finite_bound(limit, rate, 1.0, where, loading)
        elif loading.version < RATED and word in ("revolute", "prismatic"):
            loading.context.note(
                "urdf/limit-missing", f"{where}.{rate}", f"{rate} is not given, so it is not known", limit.source
            )
        if values.get(rate) == 0.0:
            place = limit.place(rate)
            loading.context.note(f"urdf/zero-{rate}", f"{where}.{rate}", ZERO[rate], place, before="0", action="noted")
    if loading.version >= RATED:
        values |= {rate: limit.number(rate) for rate in RATES if rate in limit.attrs}
    else:
        for rate in RATES:
            limit.ignore(f"@{rate}", "urdf/limit-version")
    if "acceleration" not in values and DRAKE_RATE in limit.attrs:
        values["acceleration"] = limit.number(DRAKE_RATE)
        loading.spelling[f"joint/{name}/acceleration"] = DRAKE_RATE
    return values


ZERO = {
    "effort": "an effort limit of zero, often meant as unknown: in Gazebo nothing can drive this joint, MuJoCo "
    "sets no limit",
    "velocity": "a velocity limit of zero, often meant as unknown: in Gazebo (DART) this joint cannot move; MuJoCo "
    "and Drake do not limit velocity",
}
"""Limit -> how readers interpret a zero."""


def _read_bounds(limit: Node, where: str, word: str, loading: UrdfLoading) -> dict[str, float | None]:
    if word == "continuous":
        for side in BOUNDS:
            limit.ignore(f"@{side}", "urdf/continuous-limit")
        return {}
    if word == "screw" and limit.attrs.keys().isdisjoint(BOUNDS):
        return {}
    values: dict[str, float | None] = {}
    for side, sign in BOUNDS.items():
        if side in limit.attrs:
            values[side] = _finite_bound(limit, side, sign, where, loading)
        else:
            values[side] = 0.0
            reason = f"{side} is not given: the default is 0"
            loading.context.note("urdf/limit-missing", f"{where}.{side}", reason, limit.source, after="0")
    return values


BOUNDS = {"lower": -1.0, "upper": 1.0}
"""Attribute of a limit -> the sign of the infinity that means unlimited."""


def _finite_bound(limit: Node, name: str, sign: float, where: str, loading: UrdfLoading) -> float | None:
    """Parse a limit; inf and numbers that overflow mean unlimited."""
    text = (limit.get(name) or "").strip(BLANK)
    try:
        return parse_number(text)
    except ValueError as error:
        word = text.lower().lstrip("+-")
        endless = word in ("inf", "infinity") or bool(NUMBER.match(text))
        if not endless or text.startswith("-") != (sign < 0):
            limit.wrong(name, f"<limit {name}>: {error}", number_fault(text))
            return None
    reason = "not a number of URDF: unlimited"
    loading.context.note("urdf/limit-infinite", f"{where}.{name}", reason, limit.place(name), before=text)
    return None


def _read_mimic(node: Node, name: str, loading: UrdfLoading) -> Mimic | None:
    """Read <mimic>; None if it names no joint, which urdfdom accepts: it remains as an extra."""
    mimic = node.peek("mimic")
    if mimic is None:
        return None
    if mimic.attrs.get("joint") == "":
        reason = "it names no joint to follow: this joint moves by itself"
        loading.context.note("urdf/mimic", f"joint/{name}.mimic", reason, mimic.source, action="noted")
        return None
    node.child("mimic")
    multiplier, offset = mimic.number("multiplier"), mimic.number("offset")
    return Mimic(dof=mimic.need("joint"), multiplier=1.0 if multiplier is None else multiplier, offset=offset or 0.0)


def _read_safety(node: Node, name: str, loading: UrdfLoading) -> SoftLimits | None:
    safety = node.child("safety_controller")
    if safety is None:
        return None
    gain = safety.number("k_velocity")
    if "k_velocity" not in safety.attrs:
        where = f"joint/{name}.dofs.0.soft"
        loading.context.note(
            "urdf/safety-controller", where, "k_velocity is not given: the default is 0", safety.source, after="0"
        )
    return SoftLimits(
        k_velocity=gain or 0.0,
        k_position=safety.number("k_position") or 0.0,
        lower=safety.number("soft_lower_limit") or 0.0,
        upper=safety.number("soft_upper_limit") or 0.0,
    )


def _read_calibration(node: Node) -> Calibration | None:
    calibration = node.child("calibration")
    if calibration is None:
        return None
    return Calibration(**{field: calibration.number(name) for name, field in CALIBRATION.items()})


# -------------------------------------------------------------------------------------------------------------- writing


def write_joint(
    joint: Joint, names: Mapping[str, str], spelling: Mapping[str, str], version: tuple[int, int]
) -> Element:
    """Return the element of a joint; names maps bodies to links with another name."""
    tag, word = _tag_and_type(joint, spelling)
    element = Element(tag, {"name": joint.name, "type": word})
    write_origin(element, joint.pose, joint.extras)
    element.add("parent", {"link": names.get(joint.parent, joint.parent)})
    element.add("child", {"link": names.get(joint.child, joint.child)})
    if joint.dofs:
        keys = ((tag, f"joint/{joint.name}/{tag}") for tag in ("axis", "dynamics", "acceleration"))
        said = {tag: spelling[key] for tag, key in keys if key in spelling}
        _write_dofs(element, word, joint.dofs, version, said)
    restore(element, joint.extras, FORMAT)
    return element


def _tag_and_type(joint: Joint, spelling: Mapping[str, str]) -> tuple[str, str]:
    """Return tag and type: those of the source if they still fit the dofs, else the simplest type."""
    word = word_of(joint.dofs) or "floating"
    tag, _, said = spelling.get(f"joint/{joint.name}", "").partition(" ")
    if said and (said == word or {said, word} <= {"ball", "spherical"} or {said, word} <= {"revolute", "continuous"}):
        return tag, word if word in WITH_LIMITS else said
    return ("drake:joint" if word in ("ball", "universal", "screw") else "joint"), word


def word_of(dofs: tuple[Dof, ...]) -> str | None:
    """Return the type of the single joint with these dofs, None if there is no such type."""
    kinds = tuple(dof.kind for dof in dofs)
    if kinds == (DofKind.HINGE,):
        return "continuous" if dofs[0].lower is None and dofs[0].upper is None else "revolute"
    if len(dofs) > 1:
        for word in SUFFIXES:
            if kinds == JOINT_TYPES[word] and _axes_agree(dofs, _axes_of_joint(word, dofs[-1].axis)):
                return word
        return None
    words = {DofKind.SLIDE: "prismatic", DofKind.FREE: "floating", DofKind.BALL: "ball", DofKind.SCREW: "screw"}
    return words[kinds[0]] if kinds else "fixed"


def _axes_agree(dofs: tuple[Dof, ...], axes: tuple[Vec3, ...]) -> bool:
    return all(math.dist(dof.axis, axis) < 1e-9 for dof, axis in zip(dofs, axes, strict=True))


def _write_dofs(
    element: Element, word: str, dofs: tuple[Dof, ...], version: tuple[int, int], spelled: Mapping[str, str]
) -> None:
    """Append the dofs. spelled: the axis as written in the source, or omitted; <dynamics> with zeros; a limit with
    Drake's acceleration."""
    dof = dofs[-1]
    said = spelled.get("axis", "")
    if word not in WITHOUT_AXIS and not (said == SILENT and dof.axis == X):
        element.add("axis", {"xyz": said if same_axis(said, dof.axis) else numbers(dof.axis)})
    if word in WITH_LIMITS and dof.calibration is not None:
        values = {name: getattr(dof.calibration, field) for name, field in CALIBRATION.items()}
        element.add("calibration", {name: number(value) for name, value in values.items() if value is not None})
    damping = tuple(dof.damping for dof in dofs)
    if any(damping) or dof.friction or "dynamics" in spelled:
        text = number(damping[0]) if len(set(damping)) == 1 else numbers(damping)
        element.add("dynamics", {"damping": text, "friction": number(dof.friction)})
    if word in WITH_LIMITS:
        _write_limit(element, word, dof, version, "acceleration" in spelled)
        _write_others(element, dof.mimic, dof.soft)
    if word == "screw":
        element.add("drake:screw_thread_pitch", {"value": number(turn_of(dof.pitch or 0.0))})


def _write_others(element: Element, mimic: Mimic | None, soft: SoftLimits | None) -> None:
    """Append <mimic> and <safety_controller>, which only a joint with limits has."""
    if mimic is not None:
        values = {"multiplier": mimic.multiplier, "offset": mimic.constant}
        element.add("mimic", {"joint": mimic.dof, **{name: number(value) for name, value in values.items()}})
    if soft is not None:
        values = {
            "soft_lower_limit": soft.lower,
            "soft_upper_limit": soft.upper,
            "k_position": soft.k_position,
            "k_velocity": soft.k_velocity,
        }
        element.add("safety_controller", {name: number(value) for name, value in values.items()})


def _write_limit(element: Element, word: str, dof: Dof, version: tuple[int, int], drake: bool) -> None:
    """Append <limit> with all of lower, upper, effort and velocity: readers up to 1.1 require them. Drake has its own
    attribute for acceleration in any version, and does not know that of URDF 1.2."""
    bounds = (dof.lower, dof.upper)
    rates = (dof.effort, dof.velocity)
    more = [getattr(dof, rate) for rate in RATES]
    if word == "continuous":
        bounds = (None, None)
    if word not in ("revolute", "prismatic") and all(value is None for value in (*bounds, *rates, *more)):
        return
    attrs: dict[str, str] = {}
    if word in ("revolute", "prismatic") or bounds != (None, None):
        attrs["lower"] = number(-UNLIMITED if bounds[0] is None else bounds[0])
        attrs["upper"] = number(UNLIMITED if bounds[1] is None else bounds[1])
    for name, value in zip(("effort", "velocity"), rates, strict=True):
        if value is not None or version < RATED:
            attrs[name] = number(UNKNOWN if value is None else value)
    if version >= RATED:
        attrs |= {name: number(value) for name, value in zip(RATES, more, strict=True) if value is not None}
    if dof.acceleration is not None and (drake or version < RATED):
        attrs.pop("acceleration", None)
        attrs[DRAKE_RATE] = number(dof.acceleration)
    element.add("limit", attrs)
