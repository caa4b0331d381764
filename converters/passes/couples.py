"""Joints that an equation couples, for a target that knows mimic joints and no equations."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from converters.registry import Pass, Target
from ir.scene import Address, Scene, address
from ir.types import Constraint, Couple, Dof, DofKind, Joint, Mimic


def _apply(scene: Scene, _: Target) -> Scene:
    dofs = scene.dofs()
    mimics = {name: dof.mimic for name, (_, dof) in dofs.items() if dof.mimic is not None}
    known = len(mimics)
    kept = []
    origins: dict[Address, tuple[Address, ...]] = {}
    for constraint in scene.constraints.values():
        mimic = _mimic(constraint, dofs, mimics)
        if mimic is None:
            kept.append(constraint)
        else:
            assert isinstance(constraint.spec, Couple)
            first = constraint.spec.first
            mimics[first] = mimic
            joint = dofs[first][0]
            index = [dof.name for dof in joint.dofs].index(first)
            origins[*address(joint), "dofs", str(index), "mimic"] = (("constraint/" + constraint.name,),)
    if len(mimics) == known:
        return scene
    joints = [
        replace(joint, dofs=tuple(replace(dof, mimic=mimics.get(dof.name)) for dof in joint.dofs))
        if any(dof.name in mimics and dof.mimic is None for dof in joint.dofs)
        else joint
        for joint in scene.joints.values()
    ]
    return scene.evolve(joints=joints, constraints=kept, origins=origins)


def _mimic(constraint: Constraint, dofs: Mapping[str, tuple[Joint, Dof]], mimics: Mapping[str, Mimic]) -> Mimic | None:
    """The mimic that says the same as an equation; None where it is not linear or active, or closes a circle."""
    spec = constraint.spec
    if not isinstance(spec, Couple) or spec.of != "dof" or spec.second is None or not constraint.active:
        return None
    if spec.first in mimics or any(spec.coefficients[2:]):
        return None
    pair = [dofs[name][1] for name in (spec.first, spec.second) if name in dofs]  # a ball is split by now
    if len(pair) < 2 or any(dof.kind not in (DofKind.HINGE, DofKind.SLIDE) for dof in pair):
        return None
    follower, leader = pair
    above, seen = spec.second, {spec.first}
    while above not in seen and above in mimics:
        seen.add(above)
        above = mimics[above].dof
    if above in seen:
        return None
    multiplier = spec.coefficients[1]
    return Mimic(
        dof=spec.second,
        multiplier=multiplier,
        offset=spec.coefficients[0] + follower.zero - multiplier * leader.zero,
    )


PASS = Pass(
    rule="couples/mimic",
    reason="the equation couples two joints linearly: in the target one follows the other",
    severity="note",
    wanted=lambda target: not target.fits.constraints and target.fits.mimics(target.options),
    apply=_apply,
)
