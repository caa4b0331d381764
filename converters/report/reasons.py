"""The conditions of rows (converters.format.Loss.when), which decide whether their reason is that of a difference.

Each function here is a condition, or returns one. Nothing is known of a thing that is not in the source: then the
address decides.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Mapping, Sequence

from converters.facts import Facts
from converters.report.ignored import LOOSE as LOOSE
from ir.addresses import without_positions
from ir.diff import Difference
from ir.gathering import gathered
from ir.kinematics import COORDINATES, followers, rest
from ir.pose import rotate
from ir.scene import Address
from ir.shapes import HEIGHT_KINDS, sizeless
from ir.types import (
    SCALAR,
    WORLD,
    Actuator,
    Block,
    Box,
    Capsule,
    Cylinder,
    Dof,
    DofKind,
    Ellipsoid,
    Extra,
    Geom,
    Joint,
    Mimic,
    Role,
    Shape,
    Sphere,
    Surface,
)

Asked = Callable[[Difference, Facts], bool]

PLAIN = (Box, Sphere, Cylinder, Capsule, Ellipsoid)
"""Shapes that every format for simulators has, in some version."""
CLOSE = 1e-8
"""Relative tolerance: as large as rounding errors, smaller than any change of units."""


def joint_of(difference: Difference, facts: Facts) -> Joint | None:
    """The joint of the source that a difference is about; None if there is none, as for a loop that a pass reversed."""
    kind, name, *_ = difference.path
    joint = facts.scene.joints.get(name)
    return joint if joint is not None and kind == ("loop" if joint.closes_loop else "joint") else None


def of_joint(holds: Callable[[Joint], bool]) -> Asked:
    """The condition that this is true of the joint."""

    def asked(difference: Difference, facts: Facts) -> bool:
        joint = joint_of(difference, facts)
        return joint is None or holds(joint)

    return asked


def dofs_of(difference: Difference, joint: Joint) -> tuple[Dof, ...]:
    """The degrees of freedom that a difference of a joint is about: none if the joint of the source has fewer; all of
    them if it is about the joint as a whole."""
    _, _, *inner = difference.path
    if inner[:1] == ["dofs"] and len(inner) > 1 and inner[1].isdecimal():
        return joint.dofs[int(inner[1]) :][:1]
    return joint.dofs


def of_dof(holds: Callable[[Dof], bool]) -> Asked:
    """The condition that this is true of the degree of freedom, or of any for a difference of the joint as a whole."""

    def asked(difference: Difference, facts: Facts) -> bool:
        joint = joint_of(difference, facts)
        if joint is None:
            return True
        dofs = dofs_of(difference, joint)
        return any(map(holds, dofs)) or (bool(joint.dofs) and not dofs)

    return asked


def loose(dof: Dof) -> bool:
    """Whether a degree of freedom is a ball or free: it has several coordinates."""
    return dof.kind in COORDINATES


is_ball_or_free = of_dof(loose)
"""Whether the degree of freedom is a ball or free."""


IDLE = {DofKind.BALL: {"ref", "springref"}, DofKind.FREE: {"ref", "springref", "range", "limited"}}
"""Kind of a dof -> attributes without effect in MuJoCo (converters.report.ignored.LOOSE)."""


def have_no_effect(difference: Difference, facts: Facts) -> bool:
    """Whether all parameters of the degree of freedom are without effect."""
    joint = joint_of(difference, facts)
    dofs = dofs_of(difference, joint) if joint is not None else ()
    return bool(dofs) and all(name in IDLE.get(dof.kind, ()) for dof in dofs for name, _ in dof.parameters)


def geom_of(difference: Difference, facts: Facts) -> Geom | None:
    """The geom of the source that a difference is about."""
    _, body, *inner = difference.path
    return facts.geoms.get((body, inner[1])) if len(inner) > 1 else None


def has_another_shape(difference: Difference, facts: Facts) -> bool:
    """Whether the geom has another shape in the output."""
    return (*difference.path[:4], "shape") in facts.lost


def surface_of(difference: Difference, facts: Facts) -> Surface | None:
    """The surface of the geom that was written."""
    _, body, _, name, *_ = difference.path
    geom = facts.written.get((body, name))
    return geom.surface if geom is not None else None


def of_geom(holds: Callable[[Geom], bool]) -> Asked:
    """The condition that this is true of the geom."""

    def asked(difference: Difference, facts: Facts) -> bool:
        geom = geom_of(difference, facts)
        return geom is None or holds(geom)

    return asked


def of_some_geom(holds: Callable[[Geom], bool]) -> Asked:
    """The condition that this is true of a geom of the body."""

    def asked(difference: Difference, facts: Facts) -> bool:
        body = facts.scene.bodies.get(difference.path[1])
        return body is None or facts.some(body, holds)

    return asked


def before(holds: Callable[[float], bool]) -> Asked:
    """The condition that the source has a number of which this is true."""
    return lambda difference, _: isinstance(difference.before, (int, float)) and holds(difference.before)


def no_such(*kinds: type[Shape]) -> Asked:
    """The condition that the shape (the fitted one of a geom that is fitted to a mesh) is none of these."""
    return lambda difference, _: not isinstance(difference.before, kinds)


def after(*values: object) -> Asked:
    """The condition that the output has one of these values."""
    return lambda difference, _: difference.after in values


def settings(*names: str) -> Asked:
    """The condition that all parameters of the output there have one of these names (ir.types.Parameters)."""
    return lambda difference, _: all(name in names for name, _ in difference.after)


def any_of(*asked: Asked) -> Asked:
    """The condition that one of these is true."""
    return lambda difference, facts: any(each(difference, facts) for each in asked)


def all_of(*asked: Asked) -> Asked:
    """The condition that all of these are true."""
    return lambda difference, facts: all(each(difference, facts) for each in asked)


def zero(difference: Difference, _: Facts) -> bool:
    """Whether the source says 0, or a direction of zeros."""
    return difference.before in (0, (0, 0, 0))


def unset_in_source(difference: Difference, _: Facts) -> bool:
    """Whether the source does not set it."""
    return not difference.before


def of_scene(holds: Callable[[Facts], bool]) -> Asked:
    """The condition that this is true of the scenes as a whole."""
    return lambda _, facts: facts.once(holds)


def joins_new_link(difference: Difference, facts: Facts) -> bool:
    """Whether a joint of the output holds a link that the source does not have, or is attached to one."""
    joint = difference.after
    return isinstance(joint, Joint) and not {joint.parent, joint.child} <= facts.scene.bodies.keys()


def foreign_to(form: str) -> Asked:
    """The condition that a block of the source is in the dialect of another format."""
    return lambda difference, _: (
        isinstance(difference.before, Block) and all(extra.format != form for extra in difference.before.extras)
    )


def only_renumbered(difference: Difference, facts: Facts) -> bool:
    """Whether the same thing has another position among those of its kind."""
    there, extra = (_gained_words, difference.before) if difference.after is None else (_lost_words, difference.after)
    found = facts.once(there).get((*difference.path[:-1], without_positions(difference.path[-1])), ())
    return extra.text in found


def _lost_words(facts: Facts) -> Mapping[Address, list[str]]:
    return _words(facts.lost)


def _gained_words(facts: Facts) -> Mapping[Address, list[str]]:
    return _words(facts.gained)


def _words(things: Mapping[Address, object]) -> Mapping[Address, list[str]]:
    """Address of a thing and path of an extra of it, without positions -> the texts of such extras."""
    return gathered(
        ((*path[:-1], without_positions(path[-1])), each.text)
        for path, each in things.items()
        if isinstance(each, Extra)
    )


def edited(_: Difference, facts: Facts) -> bool:
    """Whether the document was edited since it was made of another: passes do not fit everything new."""
    return bool(facts.scene.brought)


def same_joint_positions(difference: Difference, facts: Facts) -> bool:
    """Whether two states give each joint the same position, but for rounding: a joint that one of them does not name is
    there as the model is drawn (at 0, if the zero of a joint is part of its pose), or is no joint of the tree that is
    written."""
    ours, theirs = dict(difference.before), dict(difference.after)
    dofs = facts.once(_written_dofs)
    return all(
        same_state(ours[name], theirs[name])
        if name in ours and name in theirs
        else name not in dofs or _drawn(*dofs[name], ours.get(name) or theirs[name])
        for name in ours.keys() | theirs.keys()
    )


def _written_dofs(facts: Facts) -> Mapping[str, tuple[Joint, Dof]]:
    return {name: each for name, each in facts.fitted.dofs().items() if not each[0].closes_loop}


def _drawn(joint: Joint, dof: Dof, value: Sequence[float]) -> bool:
    """Whether the coordinate of a dof is that of the drawn model."""
    return _alike(value, rest(joint, dof)) or _alike(value, (0.0,))


def same_state(ours: Sequence[float], theirs: Sequence[float]) -> bool:
    """Whether two coordinates are the same; of quaternions q and -q are equal."""
    turned = (*ours[:-4], *(-value for value in ours[-4:]))
    return _alike(ours, theirs) or (len(ours) > 1 and _alike(turned, theirs))


def _alike(ours: Sequence[float], theirs: Sequence[float], least: float = 1.0) -> bool:
    scale = max((least, *map(abs, ours)))
    return len(ours) == len(theirs) and all(abs(a - b) <= CLOSE * scale for a, b in zip(ours, theirs, strict=True))


def joint_named_after_axis(difference: Difference, facts: Facts) -> bool:
    """Whether a joint of one axis has the name of that axis."""
    joint = facts.scene.joints.get(str(difference.before))
    return joint is not None and [dof.name for dof in joint.dofs] == [difference.after]


def is_world(difference: Difference, _: Facts) -> bool:
    """Whether it is about the world and no other body."""
    return difference.path[1] == WORLD


def rounded(difference: Difference, _: Facts) -> bool:
    """Whether the numbers are those of the source but for rounding."""
    ours, theirs = (each if isinstance(each, tuple) else (each,) for each in (difference.before, difference.after))
    return all(isinstance(each, (int, float)) for each in (*ours, *theirs)) and _alike(ours, theirs, 0.0)


def both_height_field_images(difference: Difference, _: Facts) -> bool:
    """Whether both are images of heights, as two formats call them."""
    return {difference.before, difference.after} == {*HEIGHT_KINDS}


def same_direction(difference: Difference, _: Facts) -> bool:
    """Whether both look along the same axis."""
    ours, theirs = (rotate(rot, (0.0, 0.0, -1.0)) for rot in (difference.before, difference.after))
    return math.dist(ours, theirs) < CLOSE


def shaped(*kinds: type[Shape | None]) -> Asked:
    """The condition that the geom is one of these shapes."""
    return of_geom(lambda geom: isinstance(geom.shape, kinds))


def unlike(*kinds: type[Shape]) -> Asked:
    """The condition that the geom has another shape than all of these, or an unknown one."""
    return of_geom(lambda geom: not isinstance(geom.shape, kinds))


def in_role(*roles: str) -> Asked:
    """The condition that the geom has one of these roles."""
    return of_geom(lambda geom: geom.role in roles)


def has_no_drivable_target(difference: Difference, facts: Facts) -> bool:
    """Whether an actuator drives no suitable degree of freedom of the source, nor anything else that exists."""
    actuator = difference.before
    if not isinstance(actuator, Actuator):
        return True
    if actuator.dof is None:
        return actuator.target not in facts.once(_drivable)
    driven = facts.dofs.get(actuator.dof)
    return driven is None or driven[1].kind not in SCALAR


def _drivable(facts: Facts) -> Container[str | None]:
    """Names of things other than joints that an actuator may drive."""
    scene = facts.fitted
    return scene.tables["tendon"].keys() | scene.frames().keys() | scene.bodies.keys()


def untouched(geom: Geom) -> bool:
    """Whether nothing collides with it, or contacts have no effect."""
    surface = geom.surface
    return surface is not None and (surface.contactless or (surface.category, surface.collide) == (0, 0))


def cannot_follow_leader(difference: Difference, facts: Facts) -> bool:
    """Whether there is no joint to follow, or it is the joint itself in the end."""
    mimic = difference.before
    if mimic is None:
        return False
    leader = facts.dofs[mimic.dof][1] if isinstance(mimic, Mimic) and mimic.dof in facts.dofs else None
    alone = of_dof(lambda dof: dof.kind not in SCALAR or dof.name not in facts.once(_led))(difference, facts)
    return alone or leader is None or leader.kind not in SCALAR


def _led(facts: Facts) -> Container[str]:
    return followers(facts.scene)


def inherited_range_missing(difference: Difference, facts: Facts) -> bool:
    """Whether an actuator takes its range from a joint without one."""
    actuator = difference.before
    if not isinstance(actuator, Actuator) or not any(name == "inheritrange" for name, _ in actuator.parameters):
        return False
    dof = facts.dofs[actuator.dof][1] if actuator.dof is not None and actuator.dof in facts.dofs else None
    return dof is not None and (dof.lower is None or dof.upper is None)


has_several_dofs = of_joint(lambda joint: len(joint.dofs) > 1)
"""Whether the joint has several degrees of freedom."""
neither_visual_nor_collision = of_geom(lambda geom: not (geom.seen or geom.collides))
"""Whether the geom is neither visual nor collision."""


def mask_cut_to_16_bits(difference: Difference, _: Facts) -> bool:
    """Whether a mask is what the 16 bits of Gazebo leave of the other."""
    return bool(difference.before & 0xFFFF == difference.after)


visual_only, collision_only = in_role(Role.VISUAL), in_role(Role.COLLISION)
"""Whether the geom is only a visual, or only a collision."""
size_too_small = of_geom(lambda geom: sizeless(geom.shape))
"""Whether a size of the geom is too small to be valid."""
