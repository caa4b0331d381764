"""Relations between bodies beside the tree: constraints, joints that close loops, and contact rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from converters.comparing.difference import METRE, Unlike, differing_numbers, one_sided, pose_numbers
from converters.comparing.looks import pairs
from ir.base import Value, slots
from ir.scene import Scene
from ir.types import BodyPair, Constraint, Edge, Joint, Pose, Surface

MEET_ALL = frozenset({(None, None), (1, 1), (0xFFFF, 0xFFFF)})
"""Masks with which a geom collides with every other default one: none, those of MJCF, those of SDFormat."""


def constraints(a: Scene, b: Scene, tolerance: float) -> Iterator[Unlike]:
    """Differences by name: kind, ends, numbers, whether it is active; for a joint that closes a loop pose and axes."""
    yield from one_sided("constraints", a.constraints, b.constraints, "constraint")
    for name, ours in a.constraints.items():
        theirs = b.constraints.get(name)
        if theirs is not None:
            yield from _constraint(f"constraint/{name}", ours, theirs, tolerance)
    loops, others = a.loops, b.loops
    yield from one_sided("constraints", loops, others, "loop")
    for name, joint in loops.items():
        if name in others:
            yield from _loop(f"loop/{name}", joint, others[name], tolerance)


def _constraint(where: str, ours: Constraint, theirs: Constraint, tolerance: float) -> Iterator[Unlike]:
    kinds = [type(each.spec).__name__.lower() for each in (ours, theirs)]
    if kinds[0] != kinds[1]:
        yield Unlike("constraints", f"{where}.kind", kinds[0], kinds[1])
        return
    yield from _words(where, "ends", _ends(ours), _ends(theirs))
    yield from _words(where, "active", ours.active, theirs.active)
    yield from _values(where, ours.spec, theirs.spec, tolerance)


def _ends(edge: Edge) -> str:
    return f"{edge.parent}, {edge.child}"


def _values(where: str, ours: Value, theirs: Value, tolerance: float) -> Iterator[Unlike]:
    for slot in slots(type(ours)):
        one, other = getattr(ours, slot.name), getattr(theirs, slot.name)
        place = f"{where}.{slot.name}"
        if isinstance(one, Pose):
            yield from pose_numbers("constraints", place, one, other, tolerance)
        elif isinstance(one, tuple):
            size = max(len(one), len(other))
            rows = [(*each, *[0.0] * (size - len(each))) for each in (one, other)]
            unit = METRE if slot.name in ("anchor", "first", "second") else 0.0
            yield from differing_numbers("constraints", place, rows[0], rows[1], tolerance, unit, (one, other))
        elif isinstance(one, float):
            yield from differing_numbers("constraints", place, (one,), (other,), tolerance)
        else:
            yield from _words(where, slot.name, one, other)


def _words(where: str, part: str, one: object, other: object) -> Iterator[Unlike]:
    if one != other:
        one, other = ("none" if each is None else each for each in (one, other))
        yield Unlike("constraints", f"{where}.{part}", one, other)


def _loop(where: str, ours: Joint, theirs: Joint, tolerance: float) -> Iterator[Unlike]:
    yield from _words(where, "ends", _ends(ours), _ends(theirs))
    yield from pose_numbers("constraints", where, ours.pose, theirs.pose, tolerance)
    for dof, other in zip(ours.dofs, theirs.dofs, strict=False):
        for part in ("axis", "anchor"):
            one, two = getattr(dof, part), getattr(other, part)
            yield from differing_numbers("constraints", f"{where}.{part}", one, two, tolerance, METRE)


# ----------------------------------------------------------------------------------------------------------- contacts


def rules(a: Scene, b: Scene) -> Iterator[Unlike]:
    """Contact rules of two scenes of one format: excluded or requested pairs, masks, and self-collision of models.

    Across formats these have different meanings, and masks of geoms that only one of the two has tell nothing:
    comparing.contacts compares their effect.
    """
    for word in ("never", "asked for", "may"):
        yield from _rules(word, _named_pairs(a, word), _named_pairs(b, word))
    others = b.bodies
    for name, body in a.bodies.items():
        if name in others and bool(body.self_collide) != bool(others[name].self_collide):
            yield Unlike("contacts", f"body/{name}.self_collide", bool(body.self_collide), not body.self_collide)
    for where, ours, theirs in pairs(a, b):
        if ours is not None and theirs is not None:
            one, other = _masks(ours.surface), _masks(theirs.surface)
            if one != other and not {one, other} <= MEET_ALL:
                yield Unlike("contacts", f"{where}.masks", str(one), str(other))


def _rules(word: str, ours: Mapping[frozenset[str], str], theirs: Mapping[frozenset[str], str]) -> Iterator[Unlike]:
    for pair, where in ours.items():
        if pair not in theirs:
            yield Unlike("contacts", f"contact/{where}", word, "no rule")
    for pair, where in theirs.items():
        if pair not in ours:
            yield Unlike("contacts", f"contact/{where}", "no rule", word)


def _named_pairs(scene: Scene, word: str) -> dict[BodyPair, str]:
    return {
        rule.pair: f"{rule.first}, {rule.second or 'all others'}"
        for rule in scene.tables["contact"].values()
        if word == ("asked for" if rule.include else "may" if rule.allow else "never")
    }


def _masks(surface: Surface | None) -> tuple[int | None, int | None]:
    return (None, None) if surface is None else (surface.category, surface.collide)
