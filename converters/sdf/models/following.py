"""Joints that follow others: <mimic> of SDF 1.11, and the drake:mimic element, which only Drake reads."""

from __future__ import annotations

import math
from collections.abc import Mapping

from msgspec.structs import replace

from converters.sdf.document.loading import SdfLoading
from converters.sdf.document.values import put, real
from converters.sdf.models.ends import Link
from converters.sdf.tables import FORMAT
from converters.source.text import number, parse_number
from converters.source.tree import Element
from converters.source.xml import Node
from ir.kinematics import rings
from ir.scopes import DELIMITER, join
from ir.types import Dof, Joint, Mimic

WORD = "drake:mimic"
VALUES = (("multiplier", 1.0), ("offset", 0.0), ("reference", 0.0))

Leaders = Mapping[tuple[str, str], str]
"""(path of a joint, axis tag) -> the dof that another one may follow there."""


def read_mimic(axis: Node, link: Link, own: str, leaders: Leaders, loading: SdfLoading) -> Mimic | None:
    """SDF 1.11: follower = multiplier * (leader - reference) + offset. None if <mimic> is missing or invalid."""
    node = axis.child("mimic")
    if node is None:
        return None
    where = f"joint/{link.path}"
    named = node.get("joint") or ""
    leader = leaders.get((join(link.model.path, named), node.get("axis") or "axis"))
    if leader is None or leader == own:
        reason = f"it follows {named!r}, " + ("which is itself" if leader == own else "but there is no such axis")
        loading.fault("JOINT_AXIS_MIMIC_INVALID", where, reason, node.source, before=named)
        return None
    multiplier, offset, reference = (real(node, tag, default) for tag, default in VALUES)
    if not math.isfinite(offset - multiplier * reference):
        node.refuse("<mimic>: its numbers are too large to follow by (ELEMENT_INVALID)")
        return None
    return Mimic(dof=leader, multiplier=multiplier, offset=offset, reference=reference)


def read_drake(link: Link, own: str, said: Mimic | None, leaders: Leaders, loading: SdfLoading) -> Mimic | None:
    """Return what a single-axis joint follows: <mimic> if given, else drake:mimic (ParseMimic in Drake's
    detail_sdf_parser.cc), except when an output of ours is read back.

    Drake reads only its own element, the first of a joint, and fails if a number is missing or the model has no such
    joint: such an element, and one that contradicts <mimic>, is left unread, with a note.
    """
    node = link.item.node.peek(WORD)
    leader = leaders.get((join(link.model.path, node.attrs.get("joint", "")), "axis")) if node is not None else None
    if node is None:
        return said
    try:
        multiplier, offset = (parse_number(node.attrs[name].strip()) for name in ("multiplier", "offset"))
    except (KeyError, ValueError):
        multiplier = offset = math.nan
    wrong = ""
    if leader is None or leader == own or (leader, "axis2") in leaders:
        wrong = f"Drake refuses it: it follows {node.attrs.get('joint', '')!r}, which is no other joint of one axis"
    elif not (math.isfinite(multiplier) and math.isfinite(offset)):
        wrong = "Drake refuses it: multiplier and offset have to be numbers"
    found = Mimic(dof=leader or "", multiplier=multiplier, offset=offset)
    if not wrong and said is not None and _without_reference(said) != found:
        wrong = "Drake uses it, and it differs from <mimic>, which is used here"
    if wrong:
        where, reason = f"joint/{link.path}", f"<{WORD}> is not read: {wrong}"
        loading.context.note("sdf/drake-mimic", where, reason, node.source, action="noted", severity="warning")
        return said
    node.visit()
    for name in ("joint", "multiplier", "offset"):
        node.get(name)
    return said or (None if loading.context.again else found)


def _without_reference(mimic: Mimic) -> Mimic:
    """Return the mimic with its reference folded into the offset."""
    return Mimic(dof=mimic.dof, multiplier=mimic.multiplier, offset=mimic.constant)


def without_cycles(dofs: dict[str, tuple[Dof, Node]], loading: SdfLoading) -> dict[str, Dof]:
    """Return the dofs, without the mimic of those that follow each other in a circle."""
    found = {name: dof for name, (dof, _) in dofs.items()}
    leaders = {name: dof.mimic.dof for name, dof in found.items() if dof.mimic is not None}
    places = {name: place for place, name in enumerate(dofs)}
    for ring in rings(leaders):
        start = ring.index(min(ring, key=places.__getitem__))  # the first one in the file
        name = ring[start]
        reason = f"joints follow each other in a circle: {' -> '.join([*ring[start:], *ring[:start], name])}"
        loading.fault("JOINT_AXIS_MIMIC_INVALID", f"joint/{name}", reason, dofs[name][1].source)
        found[name] = replace(found[name], mimic=None)
    return found


# -------------------------------------------------------------------------------------------------------------- writing


def write_mimic(axis: Element, mimic: Mimic, leader: str, place: str) -> None:
    """Append <mimic>. leader: the name of the followed joint in the model; place: its axis."""
    element = axis.add("mimic", {"joint": leader, "axis": place})
    for name, _ in VALUES:
        put(element, name, getattr(mimic, name))


def write_drake(element: Element, joint: Joint, leader: str) -> None:
    """Append drake:mimic to the <joint> of a single-axis joint, unless the source has one there. leader: its name in
    the model; Drake does not find a joint of another model."""
    said = any(extra.format == FORMAT and extra.path.startswith(f"{WORD}[") for extra in joint.extras)
    mimic = joint.dofs[0].mimic
    if mimic is None or said or DELIMITER in leader:
        return
    plain = _without_reference(mimic)
    element.add(WORD, {"joint": leader, "multiplier": number(plain.multiplier), "offset": number(plain.offset)})
