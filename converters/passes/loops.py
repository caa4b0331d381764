"""Joints that close loops.

If only the direction of joints makes a loop, they are reversed. Any other loop becomes an equation for a target without
joints that close loops, and an equation becomes such a joint for a target without equations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from converters.format import Pass, Target
from ir.kinematics import COORDINATES, poses_as_drawn
from ir.mapping import map_table
from ir.names import Spares
from ir.pose import add, anchor_of, compose, dof_in_frame, invert, joint_frame, rotate, scale, transform
from ir.refs import declarations, declared, entities, references, resolve
from ir.removal import without
from ir.scene import Origins, Scene, address
from ir.types import WORLD, Body, Connect, Constraint, Couple, Dof, DofKind, Frame, Joint, Keyframe, Pose, Vec3, WeldTo

MEETING = 1e-6
"""Tolerance in metres of two points that coincide as the model is drawn."""
ARM = 0.1
"""Metres between the two points that hold the axis of a hinge."""


def reverse(joint: Joint) -> Joint:
    """The same joint from its child to its parent: q means the same motion, about the opposite axis; coordinates that
    are a pose or a rotation change (returned).

    The inverse of pose M1(q1) M2(q2) is pose^-1 times the motions of M2 and M1 expressed in the frame of the old
    parent, reversed.
    """
    dofs = tuple(dof_in_frame(dof, joint.pose, -1.0) for dof in reversed(joint.dofs))
    mount = joint.mount
    if mount is not None:
        mount = compose(Pose(scale(anchor_of(dofs), -1.0)), compose(joint.pose, joint_frame(joint)))
    return replace(
        joint,
        parent=joint.child,
        child=joint.parent,
        pose=invert(joint.pose),
        dofs=dofs,
        closes_loop=False,
        mount=mount,
    )


def returned(joint: Joint, dof: Dof, value: tuple[float, ...]) -> tuple[float, ...]:
    """The coordinates of a dof of the reversed joint that correspond to value of the joint.

    A rotation q of the child, expressed in the frame of the old parent and reversed, is pose q^-1 pose^-1.
    """
    if dof.kind not in COORDINATES or len(value) != COORDINATES[dof.kind]:
        return value
    if dof.kind is DofKind.BALL:
        w, x, y, z = value
        return (w, *rotate(joint.pose.rot, (-x, -y, -z)))
    px, py, pz, w, x, y, z = value
    there = invert(Pose((px, py, pz), (w, x, y, z)))
    return (*there.pos, *there.rot)


def _turn_trees_round(scene: Scene, _: Target) -> Scene:
    """Attach a tree whose root is free or has no joint to the joint that closes a loop with it, with its own joints
    reversed."""
    joints = dict(scene.joints)
    gone: list[Joint] = []
    done: list[Joint] = []
    holding = {joint.child: joint.name for joint in joints.values() if not joint.closes_loop}
    for loop in scene.loops.values():
        path, free = _path_to_root(loop.parent, joints, holding)
        root = path[-1]
        if not free or loop.child in (*path, WORLD) or root == _path_to_root(loop.child, joints, holding)[0][-1]:
            continue
        if root in holding:
            gone.append(joints.pop(holding.pop(root)))
        for joint in (*(joints[holding.pop(body)] for body in path[:-1]), loop):
            done.append(joint)
            turned = reverse(joint)
            joints[turned.name] = turned
            holding[turned.child] = turned.name
    if not done:
        return scene
    ways: dict[str, list[tuple[Joint, Dof]]] = {}
    for joint in done:
        for dof in joint.dofs:
            ways.setdefault(dof.name, []).append((joint, dof))
    scene = without(scene, {(each.kind, each.name) for joint in gone for each in declarations(joint)})
    scene = map_table(scene, "keyframe", lambda key: _keyframe_of_turned(key, ways))
    moved = {dof.name: joint.child for joint in joints.values() for dof in joint.dofs if dof.name in ways}
    constraints = [_between_turned(each, moved) for each in scene.constraints.values()]
    return scene.evolve(joints=list(joints.values()), constraints=constraints)


def _between_turned(each: Constraint, moved: Mapping[str, str]) -> Constraint:
    """A coupling is between the bodies that its joints move. moved: dof -> the child of its reversed joint."""
    spec = each.spec
    if not isinstance(spec, Couple) or spec.of != "dof" or not moved.keys() & {spec.first, spec.second}:
        return each
    parent = moved.get(spec.first, each.parent)
    return replace(each, parent=parent, child=moved.get(spec.second, each.child) if spec.second else parent)


def hung_roots(scene: Scene, target: Target) -> set[str]:
    """Free roots that are no roots after the reversal: a joint from the outside in attaches them to another tree."""
    turned = _turn_trees_round(scene, target)
    return {joint.child for joint in scene.child_joints(WORLD)} - {joint.child for joint in turned.child_joints(WORLD)}


def _keyframe_of_turned(key: Keyframe, ways: Mapping[str, Sequence[tuple[Joint, Dof]]]) -> Keyframe:
    """The state in the coordinates of reversed joints; ways: each dof before each of its reversals."""
    positions = []
    for name, value in key.positions:
        for joint, dof in ways.get(name, ()):
            value = returned(joint, dof, value)
        positions.append((name, value))
    return replace(key, positions=tuple(positions)) if tuple(positions) != key.positions else key


def _path_to_root(body: str, joints: dict[str, Joint], holding: dict[str, str]) -> tuple[list[str], bool]:
    """The bodies from one up to its root, and whether that root is free (or unspecified)."""
    path = [body]
    while path[-1] in holding:
        joint = joints[holding[path[-1]]]
        if joint.parent == WORLD:
            return path, joint.free
        path.append(joint.parent)
    return path, body != WORLD


TURNED_ROUND = Pass(
    rule="loops/turned",
    reason="the joint points from the outside in: reversed it makes the same motions, and the target needs a tree",
    severity="note",
    wanted=lambda target: not target.fits.loop_joints,
    apply=_turn_trees_round,
    whole=True,
)


def _without_coordinates(scene: Scene, _: Target) -> Scene:
    """The scene without references to coordinates of a joint that closes a loop."""
    counted = {("dof", dof.name) for joint in scene.loops.values() for dof in joint.dofs}
    if not counted:
        return scene
    names = declared(scene)
    spoken = (each for _, entity in entities(scene) for each in references(entity))
    return (
        without(scene, counted)
        if any((resolve(names, each.kind, each.name), each.name) in counted for each in spoken)
        else scene
    )


NO_COORDINATE = Pass(
    rule="loops/coordinate",
    reason="the joints of the target are a tree: a joint that closes a loop has no coordinate there, so "
    "nothing can set, drive, measure or combine its position",
    wanted=lambda target: not target.fits.loop_joints,
    apply=_without_coordinates,
    lacking=True,
)


def _equations(scene: Scene, _: Target) -> Scene:
    """Joints that close loops become the constraints that hold their two bodies together.

    A common point of both bodies that does not coincide as the model is drawn becomes a frame on each of them.
    """
    loops = scene.loops.values()
    if not loops:
        return scene
    spares, poses, points = Spares(scene.constraints), poses_as_drawn(scene), _Points(scene)
    made: list[Constraint] = []
    done = set()
    origins: Origins = {}
    for joint in loops:
        specs = _specs(joint)
        done |= {joint.name} if specs else set()
        for spec, point in specs:
            name = spares.of(joint.name)
            origins["constraint/" + name,] = (address(joint),)
            held = Constraint(name=name, parent=joint.parent, child=joint.child, spec=spec, source=joint.source)
            made.append(points.tied(held, point, poses) if point is not None else held)
    if not made:
        return scene
    return scene.evolve(
        bodies=points.bodies(scene) if points.more else None,
        joints=[joint for joint in scene.joints.values() if joint.name not in done],
        constraints=[*scene.constraints.values(), *made],
        origins=origins,
    )


class _Points:
    """Frames for the ends of equations, by body (more)."""

    def __init__(self, scene: Scene) -> None:
        self.names = Spares(scene.frames())
        self.more: dict[str, list[Frame]] = {}

    def tied(self, held: Constraint, point: Vec3, poses: Mapping[str, Pose]) -> Constraint:
        """The equation between a point of the child and the anchor in the parent."""
        assert isinstance(held.spec, Connect)
        ends = ((held.parent, held.spec.anchor), (held.child, point))
        one, other = (transform(poses[body], place) for body, place in ends)
        if all(abs(a - b) <= MEETING for a, b in zip(one, other, strict=True)):
            return held
        found = []
        for number, (body, place) in enumerate(ends, 1):
            name = self.names.of(f"{held.name}_{number}")
            self.more.setdefault(body, []).append(Frame(name=name, pose=Pose(place)))
            found.append((f"site{number}", name))
        return replace(held, parameters=tuple(found))

    def bodies(self, scene: Scene) -> list[Body]:
        """All bodies, with the new frames."""
        found = scene.bodies.values()
        return [replace(body, frames=(*body.frames, *self.more.get(body.name, ()))) for body in found]


def _specs(joint: Joint) -> list[tuple[Connect | WeldTo, Vec3 | None]]:
    """The constraints that hold the two bodies as a joint does, each with its point on the child; none if equations
    cannot (a slide, several axes)."""
    kinds = [dof.kind for dof in joint.dofs]
    if not kinds:
        return [(WeldTo(pose=joint.pose), None)]
    if kinds not in ([DofKind.BALL], [DofKind.HINGE]):
        return []
    dof = joint.dofs[0]
    points = [dof.anchor] if dof.kind is DofKind.BALL else [dof.anchor, add(dof.anchor, scale(dof.axis, ARM))]
    return [(Connect(anchor=transform(joint.pose, point)), point) for point in points]


EQUATIONS = Pass(
    rule="loops/equation",
    reason="the joints of the target are a tree: equality constraints replace the joint that closes the loop",
    severity="note",
    wanted=lambda target: not target.fits.loop_joints and target.fits.constraints,
    apply=_equations,
    lacking=True,
)


CLOSE = 1e-9
"""Metres, or components of a unit quaternion: tolerance of two poses that coincide."""


def _joints(scene: Scene, target: Target) -> Scene:
    """Equations that hold two bodies together, as joints that close a loop.

    A connect becomes a ball joint at the point that the bodies share as the model is drawn, a weld a fixed joint in
    their relative pose as drawn.
    """
    if not any(isinstance(each.spec, (Connect, WeldTo)) for each in scene.constraints.values()):
        return scene
    written = target.fits.single(scene)
    order = _breadth(written)
    poses = poses_as_drawn(scene)
    spares = Spares((*scene.joints, *scene.dofs()))
    made: list[Joint] = []
    kept: list[Constraint] = []
    for each in scene.constraints.values():
        ends = _ends(each, written, order)
        joint = _loop(each, ends, poses, scene) if ends is not None else None
        if joint is None:
            kept.append(each)
        else:
            name = spares.of(joint.name)
            made.append(replace(joint, name=name, dofs=tuple(replace(dof, name=name) for dof in joint.dofs)))
    return scene.evolve(joints=[*scene.joints.values(), *made], constraints=kept) if made else scene


def _breadth(scene: Scene) -> dict[str, int]:
    """Body -> its position in a breadth-first walk from the world and from each root that is free."""
    found: dict[str, int] = {WORLD: 0}
    free = [joint.child for joint in scene.child_joints(WORLD) if joint.free]
    for start in (WORLD, *free, *scene.roots()):
        found.setdefault(start, len(found))
        waiting = [start]
        for body in waiting:
            for joint in scene.child_joints(body):
                if not joint.free:
                    found.setdefault(joint.child, len(found))
                    waiting.append(joint.child)
    return found


def _ends(each: Constraint, scene: Scene, order: dict[str, int]) -> tuple[str, str] | None:
    """Parent and child of the joint, in an order such that a breadth-first walk over the joints finds those of the tree
    first; None if no joint of the target is equivalent."""
    bodies = [scene.body(name) for name in (each.parent, each.child)]
    if any(body.kinematic for body in bodies):  # moved from outside, by no joint
        return None
    if each.parent == each.child or not each.active or bodies[0].scope != bodies[1].scope:
        return None
    for parent, child in ((each.parent, each.child), (each.child, each.parent)):
        holding = scene.joint_of(child)
        if holding is not None and not holding.free and order[holding.parent] <= order[parent]:
            return parent, child
    return None


def _loop(each: Constraint, ends: tuple[str, str], poses: dict[str, Pose], scene: Scene) -> Joint | None:
    parent, child = ends
    between = compose(invert(poses[each.parent]), poses[each.child])
    pose = between if parent == each.parent else invert(between)
    dofs: tuple[Dof, ...] = ()
    if isinstance(each.spec, Connect):
        if not _met(each, poses, scene):
            return None
        point = each.spec.anchor
        anchor = transform(invert(between), point) if child == each.child else point
        dofs = (Dof(name=each.name, kind=DofKind.BALL, anchor=anchor),)
    elif not isinstance(each.spec, WeldTo) or not _same_pose(each.spec.pose, between):
        return None
    return Joint(name=each.name, parent=parent, child=child, pose=pose, dofs=dofs, closes_loop=True, source=each.source)


def _met(each: Constraint, poses: dict[str, Pose], scene: Scene) -> bool:
    """Whether two sites that an equation connects coincide as the model is drawn."""
    names = [dict(each.parameters).get(f"site{which}") for which in (1, 2)]
    sites = [
        compose(poses[body], frame.pose).pos
        for body, name in zip((each.parent, each.child), names, strict=True)
        for frame in scene.body(body).frames
        if frame.name == name
    ]
    return len(sites) < len(names) or all(abs(a - b) <= CLOSE for a, b in zip(*sites, strict=True))


def _same_pose(one: Pose, other: Pose) -> bool:
    turned = sum(a * b for a, b in zip(one.rot, other.rot, strict=True))
    moved = max(abs(a - b) for a, b in zip(one.pos, other.pos, strict=True))
    return moved <= CLOSE and abs(abs(turned) - 1) <= CLOSE


FROM_EQUATIONS = Pass(
    rule="loops/joint",
    reason="the target closes loops by joints: a ball joint for a point that two bodies share, a fixed joint "
    "for a weld; they are rigid, while an equality constraint is compliant (solref, solimp), and the "
    "two bodies of a joint do not collide",
    severity="note",
    wanted=lambda target: target.fits.loop_joints and not target.fits.constraints,
    apply=_joints,
    lacking=True,
    moves=True,
)
