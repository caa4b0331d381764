"""Joints that an equation couples, for a target that knows mimic joints and no equations."""

from __future__ import annotations

from collections.abc import Mapping

from converters.format import Pass, Target
from converters.passes.followers import followed, leads
from ir.kinematics import mimics
from ir.scene import Origins, Scene, address
from ir.types import SCALAR, Constraint, Couple, Dof, Joint, Mimic


def _apply(scene: Scene, _: Target) -> Scene:
    dofs = scene.dofs()
    known = mimics(scene)
    made: dict[str, Mimic] = {}
    kept = []
    origins: Origins = {}
    for constraint in scene.constraints.values():
        mimic = _mimic(constraint, dofs, known)
        if mimic is None:
            kept.append(constraint)
        else:
            assert isinstance(constraint.spec, Couple)
            first = constraint.spec.first
            known[first] = made[first] = mimic
            origins[*address(*dofs[first]), "mimic"] = (("constraint/" + constraint.name,),)
    return followed(scene, made).evolve(constraints=kept, origins=origins) if made else scene


def _mimic(constraint: Constraint, dofs: Mapping[str, tuple[Joint, Dof]], known: Mapping[str, Mimic]) -> Mimic | None:
    """The mimic that says the same as an equation; None where it is not linear or active, or closes a circle."""
    spec = constraint.spec
    if not isinstance(spec, Couple) or spec.of != "dof" or spec.second is None or not constraint.active:
        return None
    if spec.first in known or any(spec.coefficients[2:]):
        return None
    pair = [dofs[name][1] for name in (spec.first, spec.second) if name in dofs]  # a ball is split by now
    if len(pair) < 2 or any(dof.kind not in SCALAR for dof in pair):
        return None
    if leads(spec.first, spec.second, known):
        return None
    follower, leader = pair
    multiplier = spec.coefficients[1]
    return Mimic(
        dof=spec.second, multiplier=multiplier, offset=spec.coefficients[0] + follower.zero - multiplier * leader.zero
    )


PASS = Pass(
    rule="couples/mimic",
    reason="the equation couples two joints linearly: in the target one follows the other",
    severity="note",
    wanted=lambda target: not target.fits.constraints and target.fits.mimics(target.options),
    apply=_apply,
)
