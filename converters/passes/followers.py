"""Joints that follow others: by their controllers, for targets without these; or by an equation that couples them, for
a target with mimic joints and without equations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from converters.format import Pass, Target
from ir.kinematics import mimics
from ir.mapping import map_dofs
from ir.scene import Address, Origins, Scene, address
from ir.types import SCALAR, Constraint, Couple, Dof, Joint, Mimic


class Follower(Struct, frozen=True):
    """A dof that a controller lets follow another one, and the place of that."""

    dof: str
    mimic: Mimic
    said: Address


Followers = Callable[[Scene, Target], Iterable[Follower]]


def controller_followers(said: Followers) -> Pass:
    """The pass that lets joints without a mimic follow as their controllers do."""

    def apply(scene: Scene, target: Target) -> Scene:
        return _follow(scene, said(scene, target))

    return Pass(
        rule="mimic/interpreted",
        reason="ros2_control, or Gazebo's mimic plugin, lets this joint follow another one; written in the "
        "target's own form",
        severity="note",
        action="derived",
        apply=apply,
    )


def _follow(scene: Scene, said: Iterable[Follower]) -> Scene:
    """The first statement about a joint is used, unless it closes a cycle or is about other than hinges and slides."""
    said = list(said)
    if not said:
        return scene
    dofs = scene.dofs()
    known = mimics(scene)
    made: dict[str, Mimic] = {}
    origins: Origins = {}
    for follower in said:
        name, mimic = follower.dof, follower.mimic
        ends = [dofs[each] for each in (name, mimic.dof) if each in dofs]
        if len(ends) < 2 or any(dof.kind not in SCALAR for _, dof in ends):
            continue
        if name not in known and not leads(name, mimic.dof, known):
            known[name] = made[name] = mimic
        if made.get(name) == mimic:
            joint, dof = ends[0]
            place = (*address(joint, dof), "mimic")
            origins[place] = (*origins.get(place, ()), follower.said)
    if not made:
        return scene
    return followed(scene, made).evolve(origins=origins)


def followed(scene: Scene, made: Mapping[str, Mimic]) -> Scene:
    """The scene in which these dofs follow others, by name."""
    return map_dofs(scene, lambda dof: replace(dof, mimic=made[dof.name]) if dof.name in made else dof)


def leads(name: str, leader: str, mimics: Mapping[str, Mimic]) -> bool:
    """Whether a leader follows a dof itself, directly or by way of others, or leads into a cycle."""
    seen = {name}
    while leader not in seen and leader in mimics:
        seen.add(leader)
        leader = mimics[leader].dof
    return leader in seen


def _coupled(scene: Scene, _: Target) -> Scene:
    """An equation has no direction, while a mimic has: the second joint follows the first if that is the only one of
    the two with a drive, or if the first already follows another joint. Between two followers, their leaders are
    coupled: with one free joint for each group of coupled joints, all others are linear functions of it."""
    dofs = scene.dofs()
    known = mimics(scene)
    driven = {each.dof for each in scene.tables["actuator"].values()}
    made: dict[str, Mimic] = {}
    kept = []
    origins: Origins = {}
    for constraint in scene.constraints.values():
        ways = _mimics_of(constraint, dofs)
        if len(ways) > 1 and driven.intersection(ways) == {next(iter(ways))}:
            ways = dict(reversed(ways.items()))
        if ways and ways.keys() <= known.keys():
            ways = dict(_led(name, mimic, known) for name, mimic in ways.items())
        free = (name for name, mimic in ways.items() if name not in known and not leads(name, mimic.dof, known))
        follower = next(free, None)
        if follower is None:
            kept.append(constraint)
        else:
            known[follower] = made[follower] = ways[follower]
            origins[*address(*dofs[follower]), "mimic"] = (("constraint/" + constraint.name,),)
    return followed(scene, made).evolve(constraints=kept, origins=origins) if made else scene


def _led(name: str, mimic: Mimic, known: Mapping[str, Mimic]) -> tuple[str, Mimic]:
    """The first leader of a follower, and the mimic of that leader by which the follower has this mimic as well. The
    name of a follower itself if there is none: a multiplier is 0, or the leaders form a cycle."""
    leader, multiplier, offset, seen = name, 1.0, 0.0, {name}
    while leader in known:  # name = multiplier * leader + offset
        step = known[leader]
        multiplier, offset, leader = multiplier * step.multiplier, multiplier * step.offset + offset, step.dof
        if leader in seen or not multiplier:
            return name, mimic
        seen.add(leader)
    return leader, replace(mimic, multiplier=mimic.multiplier / multiplier, offset=(mimic.offset - offset) / multiplier)


def _mimics_of(constraint: Constraint, dofs: Mapping[str, tuple[Joint, Dof]]) -> dict[str, Mimic]:
    """Follower -> the mimic that is equivalent to an equation, for each joint of it that can follow the other, the
    first one of the equation first; empty if it is not linear or not active."""
    spec = constraint.spec
    if not isinstance(spec, Couple) or spec.of != "dof" or spec.second is None or not constraint.active:
        return {}
    pair = [dofs[name][1] for name in (spec.first, spec.second) if name in dofs]  # ball joints are split already
    if any(spec.coefficients[2:]) or len(pair) < 2 or any(dof.kind not in SCALAR for dof in pair):
        return {}
    first, second = pair
    multiplier = spec.coefficients[1]
    offset = spec.coefficients[0] + first.zero - multiplier * second.zero
    found = {spec.first: Mimic(dof=spec.second, multiplier=multiplier, offset=offset)}
    if multiplier:
        found[spec.second] = turned(found[spec.first], spec.first)
    return found


def _turn_to_drives(scene: Scene, _: Target) -> Scene:
    """Let the other joint follow where the only drive of the two is that of the follower."""
    dofs = scene.dofs()
    known = mimics(scene)
    driven = {each.dof for each in scene.tables["actuator"].values()}
    origins: Origins = {}
    for name, mimic in [*known.items()]:
        turns = mimic.dof in dofs and mimic.dof not in known and mimic.multiplier
        if turns and name in driven and mimic.dof not in driven:
            known[mimic.dof] = turned(known.pop(name), name)
            before = (*address(*dofs[name]), "mimic")
            origins[*address(*dofs[mimic.dof]), "mimic"] = (before,)
    if not origins:
        return scene
    return map_dofs(scene, lambda dof: replace(dof, mimic=known.get(dof.name))).evolve(origins=origins)


def turned(mimic: Mimic, follower: str) -> Mimic:
    """The mimic by which the leader of this one follows its follower. The multiplier must not be 0."""
    return replace(mimic, dof=follower, multiplier=1.0 / mimic.multiplier, offset=-mimic.offset / mimic.multiplier)


EQUATIONS_HAVE_NO_DIRECTION = Pass(
    rule="couples/driven",
    reason="an equality constraint holds both joints alike: of the two the one with the actuator leads in the target",
    severity="note",
    action="derived",
    wanted=lambda target: not target.fits.constraints and target.fits.mimics(target.options),
    apply=_turn_to_drives,
    moves=True,
)
COUPLED = Pass(
    rule="couples/mimic",
    reason="the equality constraint couples two joints linearly: in the target one joint follows the other, or, where "
    "both follow others already, the joint that leads the one",
    severity="note",
    wanted=lambda target: not target.fits.constraints and target.fits.mimics(target.options),
    apply=_coupled,
)
