"""Bodies that are welded to each other collide as one in MuJoCo: it filters parent and child by such groups, while
other formats only exclude the two bodies of a joint.

mj_filterBodyPair: two bodies of one group never collide, nor do those of a group and of its parent group, unless the
parent is welded to the world, or the flag filterparent is off.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

from msgspec import Struct
from msgspec.structs import replace

from converters.format import Pass, Target
from converters.passes.contacts import MOST_PAIRS, both_collide, collides, masks, masks_meet, with_exclusions
from ir.names import unique
from ir.scene import Scene
from ir.types import WORLD, Body, ContactRule, Joint, Physics

Pair = tuple[str, str]


class _Groups(Struct):
    """Solid bodies by the top body of their group of welds, and the joints between the groups."""

    members: dict[str, list[str]]
    top: dict[str, str]
    moving: list[Joint]
    standing: list[Joint]
    """Those whose parent is in a group that is welded to the world."""

    @classmethod
    def of(cls, scene: Scene) -> _Groups:
        top = {WORLD: WORLD}
        members: dict[str, list[str]] = {}
        moving: list[Joint] = []
        standing: list[Joint] = []
        for joint, body in scene.walk():
            welded = joint is not None and not joint.dofs
            top[body.name] = top[joint.parent] if welded and joint is not None else body.name
            if collides(body):
                members.setdefault(top[body.name], []).append(body.name)
            if joint is not None and joint.dofs and joint.parent != WORLD:
                (standing if top[joint.parent] == WORLD else moving).append(joint)
        return cls(members, top, moving, standing)

    def next(self) -> Iterator[Pair]:
        """Pairs of a moving group and of its child group, except for those of a joint."""
        for joint in self.moving:
            ends = (self.members.get(self.top[joint.parent], ()), self.members.get(joint.child, ()))
            yield from (pair for pair in product(*ends) if pair != (joint.parent, joint.child))

    def within(self) -> Iterator[Pair]:
        """Pairs within one moving group."""
        for top, names in self.members.items():
            if top != WORLD:
                yield from combinations(names, 2)

    def few(self) -> bool:
        inner = sum(len(names) ** 2 for top, names in self.members.items() if top != WORLD)
        ends = ((self.top[joint.parent], joint.child) for joint in self.moving)
        outer = (len(self.members.get(one, ())) * len(self.members.get(other, ())) for one, other in ends)
        return inner + sum(outer) <= MOST_PAIRS


def _left(scene: Scene, pairs: Iterator[Pair]) -> Iterator[Pair]:
    """Those pairs that their masks let collide, and that no rule mentions."""
    owners = scene.homes()
    told = {
        frozenset((owners.get(rule.first, rule.first), owners.get(rule.second, rule.second)))
        for rule in scene.tables["contact"].values()
    }
    met = {name: masks(body.geoms) for name, body in scene.bodies.items()}
    for first, second in pairs:
        if masks_meet(met[first], met[second]) and frozenset((first, second)) not in told:
            yield first, second


def _with_rules_of_welds(scene: Scene, target: Target) -> Scene:
    """The scene with a rule for each pair that MuJoCo excludes and that no joint connects."""
    groups = _Groups.of(scene)
    if not groups.few():
        return scene
    joined = scene.joined()
    pairs = groups.within() if parents_touch(scene) else (*groups.within(), *groups.next())
    apart = [pair for pair in _left(scene, iter(pairs)) if frozenset(pair) not in joined]
    return with_exclusions(scene, apart, "welded")


FLAG = "flag/filterparent"
"""Parameter of the physics of MJCF."""


def parents_touch(scene: Scene) -> bool:
    """Whether the two bodies of a joint collide (filterparent is off)."""
    return any((FLAG, "disable") in each.parameters for each in scene.tables["physics"].values())


SAID = Pass(
    rule="mjcf/weld-groups",
    reason="bodies that are welded to each other, or to the two bodies of a joint, never collide in MuJoCo; "
    "elsewhere this is so only for the two bodies of a joint, and other pairs have to be excluded one "
    "by one",
    severity="note",
    wanted=lambda target: not target.fits.parent_child_collide,
    apply=_with_rules_of_welds,
    silent=True,
)


def _kept(scene: Scene, _: Target) -> Scene:
    """The scene with a rule for the two bodies of each joint that MuJoCo lets collide."""
    groups = _Groups.of(scene)
    joints = (*groups.standing, *groups.moving) if parents_touch(scene) else groups.standing
    ends = ((joint.parent, joint.child) for joint in joints)
    solids = (pair for pair in ends if both_collide(scene, pair))
    table: dict[str, ContactRule] = dict(scene.tables["contact"])
    for first, second in list(_left(scene, solids)):
        name = unique(f"touch_{first}_{second}", table)
        table[name] = ContactRule(name=name, first=first, second=second, allow=True, source=scene.body(second).source)
    return scene.evolve(tables={"contact": table.values()}) if len(table) > len(scene.tables["contact"]) else scene


PARENTS = Pass(
    rule="mjcf/touching-parent",
    reason="MuJoCo excludes contacts between the two bodies of a joint only where the parent can move and "
    "filterparent is on: here they collide",
    wanted=lambda target: not target.fits.parent_child_collide and target.fits.bodies_collide is not None,
    apply=_kept,
    silent=True,
)


def _touching(one: Body, other: Body) -> bool:
    """Whether they collide in the source: both must set self-collision, and belong to different models or have it
    on."""
    known = one.self_collide is not None and other.self_collide is not None
    return known and bool(one.scope != other.scope or one.self_collide or other.self_collide)


def _free(scene: Scene, _: Target) -> Scene:
    """The scene in which parents and children collide, except for those that a joint connects."""
    if all(body.self_collide is None for body in scene.bodies.values()):
        return scene
    groups = _Groups.of(scene)

    def touching(pairs: Iterator[Pair]) -> Iterator[Pair]:
        return (pair for pair in pairs if _touching(*map(scene.body, pair)))

    if parents_touch(scene) or next(_left(scene, touching(groups.next())), None) is None:
        return scene
    ends = ((joint.parent, joint.child) for joint in groups.moving)
    joined = [pair for pair in touching(ends) if both_collide(scene, pair)]
    table: dict[str, Physics] = dict(scene.tables["physics"])
    world = table.get("physics", Physics(name="physics"))
    table["physics"] = replace(world, parameters=(*world.parameters, (FLAG, "disable")))
    return with_exclusions(scene.evolve(tables={"physics": table.values()}), joined, "adjacent")


FREE = Pass(
    rule="contacts/weld-groups",
    reason="in the source only the two bodies of a joint do not collide, in MuJoCo bodies that are welded to "
    "these do not either: here parents and children collide (filterparent), and the joined pairs are "
    "excluded",
    severity="note",
    wanted=lambda target: target.fits.parent_child_collide,
    apply=_free,
)
