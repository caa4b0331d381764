"""Joints that a target cannot hold as they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from converters.format import Fits, Pass, Target
from ir.kinematics import coordinate_size
from ir.mapping import added, map_dofs
from ir.names import Spares
from ir.pose import compose, conjugate, invert, normalise, to_rpy
from ir.scene import Origins, Scene, address
from ir.types import ORIGIN, WORLD, Constraint, Couple, Dof, DofKind, Joint, Keyframe, Mimic, Pose, Vec3

AXES = (("TX", (1.0, 0.0, 0.0)), ("TY", (0.0, 1.0, 0.0)), ("TZ", (0.0, 0.0, 1.0)))


DofParts = Mapping[str, tuple[Dof, ...]]
"""Name of a dof -> the dofs that make its motions: itself, if nothing is to be done."""


def _split_free(scene: Scene, _: Target) -> Scene:
    """A free joint inside the tree, or after another one of its body, becomes three slides and a ball: the same motions
    in other coordinates."""
    spares = Spares((*scene.joints, *scene.dofs()))
    inside = (dof for joint in scene.joints.values() for dof in joint.dofs[int(joint.parent == WORLD) :])
    free = [dof for dof in inside if dof.kind is DofKind.FREE]
    return _split_dofs(scene, {dof.name: _three_slides_and_ball(dof, spares) for dof in free})


def _three_slides_and_ball(dof: Dof, spares: Spares) -> tuple[Dof, ...]:
    like = Dof(name="", kind=DofKind.SLIDE, damping=dof.damping, friction=dof.friction)
    slides = [replace(like, name=spares.of(f"{dof.name}_{suffix}"), axis=axis) for suffix, axis in AXES]
    return (*slides, replace(like, name=spares.of(f"{dof.name}_R"), kind=DofKind.BALL))


def _split_dofs(scene: Scene, parts: DofParts) -> Scene:
    """The scene with dofs replaced by their parts, and with states in the coordinates of the parts."""
    split = {name for name, made in parts.items() if len(made) > 1}
    if not split:
        return scene
    changed = {
        joint.name: replace(joint, dofs=tuple(part for dof in joint.dofs for part in parts.get(dof.name, (dof,))))
        for joint in scene.joints.values()
        if not split.isdisjoint(dof.name for dof in joint.dofs)
    }
    dofs = scene.dofs()
    whole = {name: (*dofs[name], parts[name]) for name in split}
    keys = [_split_key(key, whole) for key in scene.tables["keyframe"].values()]
    joints = [changed.get(joint.name, joint) for joint in scene.joints.values()]
    return scene.evolve(joints=joints, tables={"keyframe": keys})


FREE = Pass(
    rule="joints/free-inside-tree",
    reason="the target allows a free joint only for children of the world; three slides and a ball make the "
    "same motions",
    wanted=lambda target: not target.fits.free_inside_tree,
    apply=_split_free,
)


def _lock(scene: Scene, _: Target) -> Scene:
    """A range of zero width holds the joint in place; engines that ignore such a range need an equation instead."""
    spares = Spares(scene.constraints)
    locks: list[Constraint] = []
    origins: Origins = {}
    for joint in scene.joints.values():
        for dof in joint.dofs:
            if dof.lower is not None and dof.lower == dof.upper and dof.mimic is None:
                locks.append(_locked(joint, dof, spares.of(f"lock_{dof.name}")))
                at = address(joint, dof)
                origins["constraint/" + locks[-1].name,] = ((*at, "lower"), (*at, "upper"))
    return added(scene, "constraint", locks, origins)


def _locked(joint: Joint, dof: Dof, name: str) -> Constraint:
    assert dof.lower is not None
    spec = Couple(first=dof.name, coefficients=(dof.lower - dof.zero, 1.0, 0.0, 0.0, 0.0))
    return Constraint(name=name, parent=joint.child, child=joint.child, spec=spec)


def parted_joints(scene: Scene, fits: Fits) -> Scene:
    """The scene with joints that the target has: a screw becomes a hinge, and a slide along it that follows by the
    pitch; a ball becomes three hinges."""
    return _split_dofs(scene, simple(scene, fits))


def _split_key(key: Keyframe, whole: Mapping[str, tuple[Joint, Dof, tuple[Dof, ...]]]) -> Keyframe:
    """The state in the coordinates of parts; whole: joint, dof and parts of each dof that is split."""
    positions: list[tuple[str, tuple[float, ...]]] = []
    for name, value in key.positions:
        joint, dof, made = whole.get(name, (None, None, ()))
        if joint is None or dof is None or len(value) != coordinate_size(dof):
            positions.append((name, value))
        else:
            positions += zip((part.name for part in made), _coordinates(joint, dof, value), strict=True)
    names = {name: [part.name for part in made] for name, (_, _, made) in whole.items()}
    dofs = tuple(name for dof in key.dofs for name in names.get(dof, [dof]))
    return replace(key, positions=tuple(positions), dofs=dofs)


def _coordinates(joint: Joint, dof: Dof, value: Sequence[float]) -> list[tuple[float, ...]]:
    """The coordinates of the parts of a dof: of a free one relative to its rest pose; of a ball three angles; of a
    screw with its slide."""
    if dof.kind is DofKind.FREE:
        px, py, pz, w, x, y, z = value
        there = compose(invert(joint.pose), Pose((px, py, pz), (w, x, y, z)))
        return [*((part,) for part in there.pos), there.rot]
    if dof.kind is DofKind.BALL:
        return [(angle,) for angle in _angles(value)]
    return [(value[0],), ((dof.pitch or 0.0) * (value[0] - dof.zero),)]


def _angles(value: Sequence[float]) -> Vec3:
    """The angles of Rx(a) Ry(b) Rz(c): the inverse rotates about fixed axes by the negative angles (ir.pose.to_rpy)."""
    w, x, y, z = value
    a, b, c = to_rpy(conjugate(normalise((w, x, y, z))))
    return (-a, -b, -c)


def _compound(dof: Dof, fits: Fits) -> bool:
    return (dof.kind is DofKind.SCREW and not fits.screws) or (dof.kind is DofKind.BALL and not fits.balls)


def simple(scene: Scene, fits: Fits) -> DofParts:
    """The dofs of the target that make the motions of each dof: itself, if the target has it."""
    spares = Spares((*scene.joints, *scene.dofs()))
    return {name: _simple(dof, fits, spares) for name, (_, dof) in scene.dofs().items()}


def _simple(dof: Dof, fits: Fits, spares: Spares) -> tuple[Dof, ...]:
    if not _compound(dof, fits):
        return (dof,)
    if dof.kind is DofKind.SCREW:
        turn = replace(dof, kind=DofKind.HINGE, pitch=None)
        pitch = dof.pitch or 0.0
        mimic = Mimic(dof=dof.name, multiplier=pitch, offset=-pitch * dof.zero)
        name = spares.of(f"{dof.name}_T")
        return (turn, Dof(name=name, kind=DofKind.SLIDE, axis=dof.axis, anchor=dof.anchor, mimic=mimic))
    like = replace(dof, kind=DofKind.HINGE, lower=None, upper=None, zero=0.0, parameters=())
    return tuple(replace(like, name=spares.of(f"{dof.name}_{suffix}"), axis=axis) for suffix, axis in TURNS)


TURNS = (("RX", (1.0, 0.0, 0.0)), ("RY", (0.0, 1.0, 0.0)), ("RZ", (0.0, 0.0, 1.0)))
"""In this order they reach every orientation: R = Rx(a) Ry(b) Rz(c)."""


def _without_slide_anchors(scene: Scene, _: Target) -> Scene:
    def bare(dof: Dof) -> Dof:
        return replace(dof, anchor=ORIGIN) if dof.kind is DofKind.SLIDE and dof.anchor != ORIGIN else dof

    return map_dofs(scene, bare)


NOWHERE = Pass(
    rule="joints/slide-anchor",
    reason="the motion of a slide does not depend on where its axis lies: the target does not say where",
    severity="note",
    wanted=lambda target: not target.fits.slide_anchors,
    apply=_without_slide_anchors,
)

COMPOUND = Pass(
    rule="joints/compound",
    reason="expressed by joints that the target has: a screw by a hinge and a slide that follows it; a ball by "
    "three hinges, none of which has the limit of the ball, and each of which has its damping, friction and spring, "
    "which act alike only near zero",
    wanted=lambda target: not (target.fits.screws and target.fits.balls),
    apply=lambda scene, target: parted_joints(scene, target.fits),
    silent=True,
)

LOCKED = Pass(
    rule="joints/empty-range",
    reason="lower and upper limit are equal, which the target takes as unlimited, so an equality constraint "
    "holds the joint there",
    severity="note",
    wanted=lambda target: target.fits.empty_range_is_unlimited,
    apply=_lock,
)
