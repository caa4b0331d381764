"""Read and write <equality>: constraints between bodies, joints and tendons outside the tree."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property
from typing import NamedTuple, cast

from msgspec.structs import replace

from converters.mjcf.document.attributes import (
    ElementNames,
    Things,
    inherited,
    name_attribute,
    name_reference,
    put,
    settings,
)
from converters.mjcf.document.copies import named_parameters
from converters.mjcf.document.defaults import Defaults, Resolved
from converters.mjcf.document.flexible import ties_soft
from converters.mjcf.relations.grounds import SectionElements
from converters.source.text import numbers
from converters.source.tree import Element
from converters.source.xml import Node
from ir.kinematics import forward
from ir.pose import compose, invert, normalise
from ir.scene import Scene
from ir.types import SCALAR, WORLD, Connect, Constraint, Couple, Mimic, Parameters, Pose, Quat, Source, Vec3, WeldTo

SETTINGS = ("solref", "solimp")
"""Solver settings, kept as written."""
FREE = "auto"
"""Marks a relpose that the simulator takes from the model as it is drawn."""
COUPLED = ("joint", "tendon")
BASE = (0.0, 1.0, 0.0, 0.0, 0.0)


class _Constrained:
    """Lookups for reading constraints, computed once; reading does not change them."""

    def __init__(self, scene: Scene, there: Things) -> None:
        self.scene, self.there = scene, there
        self.dofs = scene.dofs()
        self.sites = scene.frames()

    @cached_property
    def poses(self) -> Mapping[str, Pose]:
        """Poses of all bodies in the world, as the model is drawn."""
        return forward(self.scene)


class Followed(NamedTuple):
    """The mimic of a joint, and its source."""

    mimic: Mimic
    source: Source


def read_constraints(
    section: Node,
    scene: Scene,
    defaults: Defaults,
    there: Things,
    flexible: Collection[str],
    mimics: dict[str, Followed],
) -> None:
    """Add the constraints to the scene, and couplings that are mimics to mimics, by the name of the follower, after
    those of earlier sections. Constraints of a flexible body (flexible.flexcomp_names) are kept as written.

    Mimics are written first and in joint order, and the order of constraints affects results: only couplings in that
    order, and without a name, become mimics.
    """
    leaders = {name: each.mimic.dof for name, each in mimics.items()}
    known = _Constrained(scene, there)
    order = {name: place for place, name in enumerate(known.dofs)}
    names = ElementNames([section], scene.constraints)
    others = bool(scene.constraints)
    for node in section.elements():
        if node.tag not in ("connect", "weld", *COUPLED) or ties_soft(node, flexible):
            others = True
            continue
        element = inherited(defaults, node.visit(), "equality")
        active = element.flag("active") is not False
        parameters = settings(element, SETTINGS)
        if node.tag in COUPLED:
            spec = node.attempt(_read_couple, node, known)
            if spec is None:
                continue
            last = next(reversed(mimics), None)
            ordered = not others and (last is None or order[last] < order.get(spec.first, -1))
            nameless = active and not node.attrs.get("name")
            if ordered and nameless and _is_plain_following(spec, known, leaders):
                assert spec.second is not None
                leaders[spec.first] = spec.second
                mimics[spec.first] = Followed(_mimic(spec, known, parameters), element.source)
                continue
            parent, child = _end_names(spec, known)
            name, label = names.of(node, f"couple_{spec.first}")
            constraint = Constraint(name=name, label=label, parent=parent, child=child, spec=spec)
        else:
            tie = node.attempt(_read_tie, node, known, names)
            if tie is None:
                continue
            constraint = tie
        others = True
        parameters = (*constraint.parameters, *parameters)
        naming, rest = named_parameters(parameters), node.rest()
        said = replace(constraint, active=active, parameters=parameters, naming=naming)
        scene.add_constraint(replace(said, source=element.source, extras=rest))


def _read_couple(node: Node, known: _Constrained) -> Couple:
    given = Resolved(node, [], "").vector("polycoef") or ()
    if len(given) > len(BASE):
        node.refuse(f"<{node.tag} polycoef> takes 5 numbers at most, not {len(given)}", "NUM-COUNT")
        given = BASE
    first = name_reference(node, f"{node.tag}1", known.there, node.tag)
    second = name_reference(node, f"{node.tag}2", known.there, node.tag) if node.get(f"{node.tag}2") else None
    coefficients = (*given, *BASE[len(given) :])
    return Couple(first=first, second=second, coefficients=coefficients, of="dof" if node.tag == "joint" else "tendon")


def _is_plain_following(spec: Couple, known: _Constrained, leaders: dict[str, str]) -> bool:
    """Whether a coupling only makes one joint follow another, without a cycle.

    leaders: for each follower a joint that it follows, perhaps indirectly; updated to the farthest one.
    """
    if spec.of != "dof" or spec.second is None or any(spec.coefficients[2:]) or spec.first in leaders:
        return False
    if any(known.dofs[name][1].kind not in SCALAR for name in (spec.first, spec.second)):
        return False
    followed, way = spec.second, []
    while followed in leaders:
        way.append(followed)
        followed = leaders[followed]
    leaders.update(dict.fromkeys(way, followed))
    return followed != spec.first


def _mimic(spec: Couple, known: _Constrained, parameters: Parameters) -> Mimic:
    assert spec.second is not None
    zero, reference_ = known.dofs[spec.first][1].zero, known.dofs[spec.second][1].zero
    offset = spec.coefficients[0] + zero - spec.coefficients[1] * reference_
    return Mimic(dof=spec.second, multiplier=spec.coefficients[1], offset=offset, parameters=parameters)


def _end_names(spec: Couple, known: _Constrained) -> tuple[str, str]:
    if spec.of != "dof":
        return WORLD, WORLD
    parent = known.dofs[spec.first][0].child
    return parent, known.dofs[spec.second][0].child if spec.second is not None else parent


def _read_tie(node: Node, known: _Constrained, names: ElementNames) -> Constraint:
    """Read a connect or weld, of two bodies or two sites."""
    scale = node.number("torquescale") if node.tag == "weld" else None
    anchor = cast("Vec3", node.vector("anchor", 3) or (0.0, 0.0, 0.0))
    parameters: Parameters = ()
    if "site1" in node.attrs:
        one, two = (name_reference(node, f"site{which}", known.there, "site") for which in (1, 2))
        (parent, here), (child, there) = known.sites[one], known.sites[two]
        first, second = parent.name, child.name
        parameters = (("site1", one), ("site2", two))
        pose, anchor = compose(here.pose, invert(there.pose)), here.pose.pos if node.tag == "connect" else anchor
    else:
        first = name_reference(node, "body1", known.there, "body")
        second = name_reference(node, "body2", known.there, "body") if node.get("body2") else WORLD
        pose = Pose()
        if node.tag == "weld":
            relative = node.vector("relpose", 7)
            if relative is not None and any(relative[3:]):
                pose = Pose(cast("Vec3", relative[:3]), normalise(cast("Quat", relative[3:])))
            else:
                pose, parameters = compose(invert(known.poses[first]), known.poses[second]), (("relpose", FREE),)
    name, label = names.of(node, f"{node.tag}_{first}_{second}")
    spec: Connect | WeldTo = Connect(anchor=anchor)
    if node.tag == "weld":
        spec = WeldTo(pose=pose, anchor=anchor, torque_scale=1.0 if scale is None else scale)
    return Constraint(name=name, label=label, parent=first, child=second, spec=spec, parameters=parameters)


def write_constraints(scene: Scene) -> SectionElements:
    """Yield the elements of <equality>. A follower is joint1: q1 = offset + multiplier (q2 - reference)."""
    dofs = scene.dofs()
    for dof in (dof for joint, _ in scene.walk() if joint is not None for dof in joint.dofs):
        name, mimic = dof.name, dof.mimic
        if mimic is None or mimic.dof not in dofs or mimic.dof == name:
            continue
        leader = dofs[mimic.dof][1]
        offset = mimic.offset - dof.zero + mimic.multiplier * (leader.zero - mimic.reference)
        attrs = {"joint1": name, "joint2": mimic.dof, "polycoef": numbers((offset, mimic.multiplier, 0, 0, 0))}
        yield Element("joint", attrs | dict(mimic.parameters)), None, ""
    for constraint in scene.constraints.values():
        spec = constraint.spec
        if isinstance(spec, Couple):
            (tag, attrs), stem = _couple_attributes(constraint, spec), f"couple_{spec.first}"
        else:
            tag, attrs = _tie_attributes(constraint, spec)
            stem = f"{tag}_{constraint.parent}_{constraint.child}"
        if not constraint.active:
            attrs["active"] = "false"
        attrs |= {name: text for name, text in constraint.parameters if (name, text) != ("relpose", FREE)}
        yield Element(tag, attrs), constraint, stem


def _couple_attributes(constraint: Constraint, spec: Couple) -> tuple[str, dict[str, str]]:
    tag = "joint" if spec.of == "dof" else "tendon"
    attrs = name_attribute(constraint) | {f"{tag}1": spec.first}
    if spec.second is not None:
        attrs[f"{tag}2"] = spec.second
    put(attrs, "polycoef", spec.coefficients, BASE)
    return tag, attrs


def _tie_attributes(constraint: Constraint, spec: Connect | WeldTo) -> tuple[str, dict[str, str]]:
    attrs, kept = name_attribute(constraint), dict(constraint.parameters)
    tag = "connect" if isinstance(spec, Connect) else "weld"
    if "site1" not in kept:
        attrs["body1"] = constraint.parent
        if constraint.child != WORLD:
            attrs["body2"] = constraint.child
        if isinstance(spec, Connect):
            attrs["anchor"] = numbers(spec.anchor)
        elif kept.get("relpose") != FREE:
            attrs["relpose"] = numbers((*spec.pose.pos, *spec.pose.rot))
    if isinstance(spec, WeldTo):
        put(attrs, "anchor", spec.anchor, (0.0, 0.0, 0.0))
        put(attrs, "torquescale", spec.torque_scale, 1.0)
    return tag, attrs
