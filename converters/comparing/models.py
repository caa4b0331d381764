"""Two models of any formats, compared in the terms of the graph.

What a format leaves to its engine (inertia from geoms, shapes fitted to meshes) is computed first, as for a conversion.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from converters.comparing.contacts import contacts
from converters.comparing.difference import TOLERANCE, Unlike, differing_numbers, each_once, one_sided, pose_numbers
from converters.comparing.looks import Split, colours, shapes
from converters.comparing.relations import constraints, rules
from converters.context import Options
from converters.reading import Reading, bodies_collide, interpreted, load, origin, with_files
from ir.arrays import Floats, np
from ir.dynamics import Momenta, Still, still
from ir.kinematics import random_configuration
from ir.pose import body_tensor, cross
from ir.scene import Scene
from ir.types import SCALAR, WORLD, Dof, DofKind, Joint

SAMPLES = 10
"""Number of random configurations."""


def compare(
    first: str | Path,
    second: str | Path,
    *,
    source: str | None = None,
    options: Options | None = None,
    tolerance: float = TOLERANCE,
    samples: int = SAMPLES,
    hear: Callable[[Sequence[Reading]], None] = lambda readings: None,
) -> list[Unlike]:
    """Where two model files differ by more than the tolerance; source names the format of both, if it must be given.

    A mesh that an earlier conversion split, and whose original is not found, is taken by its address or by its parts,
    whichever the other model has. hear is called with both, as they were read. Raises InputError for one that cannot be
    read.
    """
    ours, theirs = (load(path, source=source, options=options) for path in (first, second))
    hear((ours, theirs))
    found = list(_between(ours, theirs, tolerance, samples))
    if found and (ours.restored.spare is not None or theirs.restored.spare is not None):
        found = min(found, list(_between(with_files(ours), with_files(theirs), tolerance, samples)), key=len)
    return found


def _between(ours: Reading, theirs: Reading, tolerance: float, samples: int) -> Iterator[Unlike]:
    a, b = (interpreted(each, everything=True) for each in (ours, theirs))
    yield from differences(a, b, tolerance, samples, (ours.restored.split, theirs.restored.split))
    found = [*rules(a, b)] if origin(ours).name == origin(theirs).name else []
    yield from found or contacts(a, b, bodies_collide(ours), bodies_collide(theirs))


def differences(
    a: Scene, b: Scene, tolerance: float = TOLERANCE, samples: int = SAMPLES, split: tuple[Split, Split] = ({}, {})
) -> Iterator[Unlike]:
    """Where two scenes differ, aspect by aspect (difference.ASPECTS).

    Bodies and dofs are matched by name. Poses, mass matrix and gravity torques are compared for common bodies and dofs,
    at random configurations within the limits of the first. split are the parts of meshes whose own files are not
    found. Contacts are left to the functions that know the formats.
    """
    yield from _structure(a, b)
    ours, theirs = a.dofs(), b.dofs()
    common = {name: (ours[name], theirs[name]) for name in ours if name in theirs}
    yield from _joints(common, tolerance)
    yield from _limits(common, tolerance)
    yield from each_once(_motion(a, b, tolerance, samples))
    yield from _frames(a, b, tolerance)
    yield from _masses(a, b, tolerance)
    yield from constraints(a, b, tolerance)
    yield from shapes(a, b, tolerance, split)
    yield from colours(a, b, tolerance)


# ---------------------------------------------------------------------------------------------------------- structure


def _structure(a: Scene, b: Scene) -> Iterator[Unlike]:
    yield from one_sided("structure", a.bodies, b.bodies, "body")
    yield from one_sided("structure", a.dofs(), b.dofs(), "joint")
    others = b.bodies
    for name in a.bodies:
        if name in others and name != WORLD:
            ours, theirs = (_parent(scene, name) for scene in (a, b))
            if ours != theirs:
                yield Unlike("structure", f"body/{name}", f"below {ours}", f"below {theirs}")


def _parent(scene: Scene, name: str) -> str:
    joint = scene.joint_of(name)
    return joint.parent if joint is not None else WORLD


DofPairs = Mapping[str, tuple[tuple[Joint, Dof], tuple[Joint, Dof]]]


def _joints(common: DofPairs, tolerance: float) -> Iterator[Unlike]:
    for name, ((ours, dof), (theirs, other)) in common.items():
        where = f"joint/{name}"
        if dof.kind is not other.kind:
            yield Unlike("joints", f"{where}.kind", str(dof.kind), str(other.kind))
            continue
        if ours.child != theirs.child:
            yield Unlike("joints", f"{where}.child", ours.child, theirs.child)
        if dof.kind is DofKind.FREE:  # compare the pose at rest; coordinates only tell how it moves
            yield from pose_numbers("joints", where, ours.pose, theirs.pose, tolerance)
        if dof.kind in SCALAR and dof.lower is not None and dof.lower == dof.upper:
            yield from _axes(where, dof, other, tolerance)
        if (dof.mimic is None) != (other.mimic is None) or (
            dof.mimic is not None and other.mimic is not None and dof.mimic.dof != other.mimic.dof
        ):
            yield Unlike("joints", f"{where}.mimic", _leader(dof), _leader(other))
        elif dof.mimic is not None and other.mimic is not None:
            rows = [(each.multiplier, each.constant) for each in (dof.mimic, other.mimic)]
            yield from differing_numbers("joints", f"{where}.mimic", rows[0], rows[1], tolerance)
        for field in ("damping", "friction", "armature", "stiffness", "spring_reference"):
            row = ((getattr(dof, field),), (getattr(other, field),))
            yield from differing_numbers("joints", f"{where}.{field}", *row, tolerance)
        if dof.stop != other.stop:
            yield from _stops(where, dof, other, tolerance)


def _axes(where: str, ours: Dof, theirs: Dof, tolerance: float) -> Iterator[Unlike]:
    """The axes of a joint that its limits lock, which no configuration shows, although they matter if the limits are
    widened or the force along the axis is read."""
    yield from differing_numbers("joints", f"{where}.axis", ours.axis, theirs.axis, tolerance)
    if ours.kind is not DofKind.SLIDE:  # a slide's anchor may be anywhere, that of a hinge anywhere on its axis
        x, y, z = (one - other for one, other in zip(ours.anchor, theirs.anchor, strict=True))
        aside = cross((x, y, z), ours.axis)
        yield from differing_numbers("joints", f"{where}.anchor", aside, (0.0, 0.0, 0.0), tolerance, 1.0)


def _stops(where: str, ours: Dof, theirs: Dof, tolerance: float) -> Iterator[Unlike]:
    """The compliance of the limits."""
    if ours.stop is None or theirs.stop is None:
        first, second = ("none" if each.stop is None else each.stop.stiffness for each in (ours, theirs))
        yield Unlike("joints", f"{where}.stop", first, second)
        return
    for field in ("stiffness", "damping", "dissipation"):
        row = (getattr(ours.stop, field),), (getattr(theirs.stop, field),)
        yield from differing_numbers("joints", f"{where}.stop.{field}", *row, tolerance)


def _leader(dof: Dof) -> str:
    return dof.mimic.dof if dof.mimic is not None else "none"


def _limits(common: DofPairs, tolerance: float) -> Iterator[Unlike]:
    for name, ((_, dof), (_, other)) in common.items():
        for field in ("lower", "upper", "effort", "velocity"):
            ours, theirs = getattr(dof, field), getattr(other, field)
            if ours is None or theirs is None:
                if ours is not theirs:
                    yield Unlike("limits", f"joint/{name}.{field}", _or_none_text(ours), _or_none_text(theirs))
            else:
                yield from differing_numbers("limits", f"joint/{name}.{field}", (ours,), (theirs,), tolerance)


def _or_none_text(value: float | None) -> str | float:
    return "none" if value is None else value


# ------------------------------------------------------------------------------------------------------------- motion


def _motion(a: Scene, b: Scene, tolerance: float, samples: int) -> Iterator[Unlike]:
    """Poses of bodies, mass matrix and gravity torques at random configurations."""
    ours, theirs = a.dofs(), b.dofs()
    alike = {name for name in ours if name in theirs and theirs[name][1].kind is ours[name][1].kind}
    for seed in range(samples):
        asked = {name: value for name, value in random_configuration(a, seed).items() if name in alike}
        one, other = (still(scene, asked) for scene in (a, b))
        yield from _poses(one, other, tolerance)
        yield from _dynamics(one, other, tolerance)


def _poses(a: Still, b: Still, tolerance: float) -> Iterator[Unlike]:
    for name, pose in a.poses.items():
        other = b.poses.get(name)
        if other is not None:
            yield from pose_numbers("poses", f"body/{name}", pose, other, tolerance)


def _frames(a: Scene, b: Scene, tolerance: float) -> Iterator[Unlike]:
    """Frames and sites of a body that both have."""
    others = b.bodies
    for name, body in a.bodies.items():
        theirs = {frame.name: frame.pose for frame in others[name].frames} if name in others else {}
        for frame in body.frames:
            if frame.name in theirs:
                yield from pose_numbers("poses", f"body/{name}.{frame.name}", frame.pose, theirs[frame.name], tolerance)


def _dynamics(a: Still, b: Still, tolerance: float) -> Iterator[Unlike]:
    places = [{name: place for place, name in enumerate(each.names)} for each in (a, b)]
    common = [name for name in a.names if name in places[1]]
    rows, others = ([each[name] for name in common] for each in places)
    if not common:
        return
    matrices = _among(a.momenta, rows), _among(b.momenta, others)
    yield from dynamics(common, matrices, (a.torques[rows], b.torques[others]), tolerance)


class Columns(NamedTuple):
    """A symmetric matrix (n, n), requested by columns, so that one of many coordinates need not be in memory as a
    whole."""

    diagonal: Floats
    column: Callable[[int], Floats]
    """Entries before the diagonal are ignored."""


def dynamics(
    names: list[str], matrices: tuple[Columns, Columns], torques: tuple[Floats, Floats], tolerance: float
) -> Iterator[Unlike]:
    """Where two mass matrices (n, n) and two torques against gravity (n,) differ; names are those of the coordinates.

    tolerance is relative: to the root of the product of the two diagonal entries of a row and a column; to the largest
    torque.
    """
    ours, theirs = matrices
    scale = np.sqrt(np.maximum(np.abs(ours.diagonal), np.abs(theirs.diagonal)))
    for row, name in enumerate(names):
        first, second = ours.column(row)[row:], theirs.column(row)[row:]
        unlike = np.flatnonzero(first != second)  # most entries of a tree are 0 in both: compute only those that differ
        share = np.abs(first[unlike] - second[unlike]) / np.maximum(scale[row] * scale[row + unlike], 1e-300)
        for column in unlike[share > tolerance]:
            where = f"joint/{name}" + (f", joint/{names[row + column]}" if column else "")
            one, other = float(first[column]), float(second[column])
            yield Unlike("mass matrix", where, one, other, abs(one - other))
    first, second = torques
    size = max(float(np.abs(first).max()), float(np.abs(second).max()), 1e-12)
    for index in np.flatnonzero(np.abs(first - second) > tolerance * size):
        one, other = float(first[index]), float(second[index])
        yield Unlike("gravity torques", f"joint/{names[index]}", one, other, abs(one - other))


def _among(momenta: Momenta, places: list[int]) -> Columns:
    """The matrix at these rows and columns. Where these are all, nobody stands before whom it moves with."""
    if places == [*range(len(momenta.end))]:
        return Columns(momenta.diagonal(), momenta.below)
    chosen = np.array(places)
    return Columns(momenta.diagonal()[chosen], lambda row: momenta.column(places[row])[chosen])


# ------------------------------------------------------------------------------------------------------------- masses


def _masses(a: Scene, b: Scene, tolerance: float) -> Iterator[Unlike]:
    others = b.bodies
    for name, body in a.bodies.items():
        other = others.get(name)
        if other is None or name == WORLD:
            continue
        ours, theirs = body.inertial, other.inertial
        weights = tuple((each.mass,) if each is not None else (0.0,) for each in (ours, theirs))
        yield from differing_numbers("masses", f"body/{name}.mass", weights[0], weights[1], tolerance)
        yield from differing_numbers("masses", f"body/{name}.gravity", (body.gravity,), (other.gravity,), tolerance)
        for field in ("linear_damping", "angular_damping"):
            one, two = (getattr(each, field) or 0.0 for each in (body, other))
            yield from differing_numbers("masses", f"body/{name}.{field}", (one,), (two,), tolerance)
        if body.kinematic != other.kinematic:
            yield Unlike("masses", f"body/{name}.kinematic", body.kinematic, other.kinematic)
        if ours is None or theirs is None:
            continue
        if ours.mass or theirs.mass:
            yield from differing_numbers(
                "masses", f"body/{name}.centre", ours.pose.pos, theirs.pose.pos, tolerance, 1e-3
            )
        yield from differing_numbers(
            "inertias", f"body/{name}.inertia", body_tensor(ours), body_tensor(theirs), tolerance
        )
