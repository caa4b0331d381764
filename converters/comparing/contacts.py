"""Which bodies of two models can collide: by models, masks and pairs, each by the rules of its format.

The two bodies of a joint, and bodies that are welded to each other, are left out: every engine has its own rule for
them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement

from msgspec import Struct

from converters.comparing.difference import Unlike
from converters.passes.contacts import collides, masks
from ir.gathering import gathered
from ir.scene import Scene
from ir.types import WORLD, Body, BodyPair, ContactRule

TOUCH, PASS = "touch", "pass through each other"

Key = tuple[str, bool | None, int, int]
"""Model, whether its bodies collide (None: not known), the category of a body, and those with which it collides."""


def contacts(a: Scene, b: Scene, ours: bool | None, theirs: bool | None) -> Iterator[Unlike]:
    """Pairs of bodies that can collide in only one of the models, each body once. Both scenes are interpreted.

    ours, theirs: whether bodies of one model collide by default (converters.reading.bodies_collide).
    """
    sides = _Side.of(a, ours), _Side.of(b, theirs)
    theirs_of = sides[1].keys
    groups = gathered(((key, theirs_of[name]), name) for name, key in sides[0].keys.items() if name in theirs_of)
    told: set[str] = set()
    named = {pair for side in sides for pair in (*side.apart, *side.together, *side.freed)}
    pairs = [*_by_group(groups, sides, named), *(tuple(sorted(pair)) for pair in named if len(pair) == 2)]
    for first, second in pairs:
        if any(name not in side.keys for name in (first, second) for side in sides) or {first, second} <= told:
            continue
        found = [side.meet(first, second) for side in sides]
        if None not in found and found[0] != found[1] and not any(side.near(first, second) for side in sides):
            told |= {first, second}
            one, other = (TOUCH if meets else PASS for meets in found)
            yield Unlike("contacts", f"body/{first}, body/{second}", one, other)


def _by_group(
    groups: dict[tuple[Key, Key], list[str]], sides: tuple[_Side, _Side], named: set[BodyPair]
) -> Iterator[tuple[str, str]]:
    """A pair for each body of two groups that collide in one model only: bodies of one group are alike in both."""
    for one, other in combinations_with_replacement(groups, 2):
        if _meet(one[0], other[0]) is _meet(one[1], other[1]):
            continue
        for first in groups[one]:
            for second in groups[other]:
                near = any(side.near(first, second) for side in sides)
                if first != second and not near and frozenset((first, second)) not in named:
                    yield first, second
                    break


def _meet(a: Key, b: Key) -> bool | None:
    """In one model two bodies collide if one of them collides with the others (self_collide, link.sdf)."""
    if not (a[2] & b[3] or b[2] & a[3]):
        return False
    if a[0] != b[0]:
        return True
    return True if a[1] or b[1] else None if a[1] is None or b[1] is None else False


class _Side(Struct):
    """The contact rules of one of the two scenes."""

    keys: dict[str, Key]
    apart: set[BodyPair]
    together: set[BodyPair]
    freed: set[BodyPair]
    """Pairs to which a rule about one of the two bodies does not apply."""
    welded: dict[str, str]
    """Body -> the top body of its group of welds."""
    joined: set[BodyPair]
    """Bodies with a joint between them."""

    @classmethod
    def of(cls, scene: Scene, silent: bool | None) -> _Side:
        """silent: whether bodies of one model collide by default; None: not known."""
        rules: list[ContactRule] = list(scene.tables["contact"].values())
        alone = {rule.first for rule in rules if not rule.second and not rule.include}
        keys = {
            name: (*_model(body, scene, silent), *((0, 0) if name in alone else masks(body.geoms)))
            for name, body in scene.bodies.items()
            if name != WORLD and collides(body)
        }
        owners = scene.homes()
        named = [rule for rule in rules if rule.second]
        return cls(
            keys=keys,
            apart={rule.pair for rule in named if rule.apart},
            together={frozenset(owners.get(geom, "") for geom in rule.pair) for rule in named if rule.include},
            freed={rule.pair for rule in named if rule.allow},
            welded=_welded(scene),
            joined=scene.joined(),
        )

    def meet(self, first: str, second: str) -> bool | None:
        """Whether two bodies can collide; None if that is not known."""
        pair = frozenset((first, second))
        if pair in self.freed:
            return None
        return pair in self.together or (pair not in self.apart and _meet(self.keys[first], self.keys[second]))

    def near(self, first: str, second: str) -> bool:
        """Whether two bodies have a joint between them, or are welded to each other."""
        top = self.welded.get(first, first) == self.welded.get(second, second)
        return top or frozenset((first, second)) in self.joined


def _welded(scene: Scene) -> dict[str, str]:
    """Body -> the top body of its group of welds; bodies welded to the world do not form one group."""
    tops: dict[str, str] = {}
    for joint, body in scene.walk():
        held = joint is not None and not joint.dofs and joint.parent != WORLD
        tops[body.name] = tops[joint.parent] if held and joint is not None else body.name
    return tops


def _model(body: Body, scene: Scene, silent: bool | None) -> tuple[str, bool | None]:
    scope = scene.tables["scope"].get(body.scope)
    said = (body.self_collide, scope.self_collide if scope is not None else None, silent)
    return body.scope, next((value for value in said if value is not None), None)
