"""The joints of a glTF scene: welds along the tree of nodes, and a joint wherever physics connects two bodies.

A joint of KHR_physics_rigid_bodies locks, limits and drives the six ways in which the frame of its connected node moves
in that of its own node. Those left free become the dofs of a joint of the graph: slides along the axes of the first
frame, then hinges about x, y and z, each as turned by those before it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from converters.gltf.data.extensions import CHILD, PARENT
from converters.gltf.foreign.bodies import Draft, GltfLoading
from converters.gltf.foreign.inertia import colliders, with_motion
from converters.gltf.foreign.limits import TOGETHER, AxisLimit, axis_limits
from converters.gltf.foreign.physics import Rigid, Tie
from converters.gltf.scene.positions import coordinates
from converters.posing import AS_DRAWN
from converters.source.json import JsonObject
from ir.kinematics import placement
from ir.names import Spares, unique
from ir.pose import compose, dof_in_frame, from_axis_angle, invert, rotation_gap
from ir.types import AXES, IDENTITY, WORLD, Actuator, Body, ContactRule, Dof, DofKind, Joint, Keyframe, Pose, Source

STILL = 1e-5
"""Tolerance in metres and radians for a joint drawn at its zero: single precision."""
APART = 1e-4
"""Tolerance in metres and quaternion components for a mismatch of the two frames of a joint."""


class BoundTie(Struct, kw_only=True):
    """A tie with both ends: bodies of the graph, and the frames in them."""

    tie: Tie
    parent: str
    child: str
    frame_a: Pose
    frame_b: Pose
    slides: list[AxisLimit]
    turns: list[AxisLimit]


class Linkage(Struct):
    """The joint tree under construction.

    cluster: by body, the top body of its rigid cluster (None: the world), and its pose in the frame of that body.
    """

    loading: GltfLoading
    rigid: Rigid
    joints: list[Joint] = field(default_factory=list)
    names: Spares = field(default_factory=Spares)
    dofs: Spares = field(default_factory=Spares)
    cluster: dict[str, tuple[str | None, Pose]] = field(default_factory=dict)
    world: dict[str, Pose] = field(default_factory=dict)
    drawn: list[tuple[str, tuple[float, ...]]] = field(default_factory=list)
    controls: list[tuple[str, tuple[float, ...]]] = field(default_factory=list)
    touching: dict[tuple[str, str], Source | None] = field(default_factory=dict)
    """Pairs of bodies that may collide although a joint connects them -> where this is declared."""

    def __post_init__(self) -> None:
        dynamic = self.rigid.dynamic
        for name, draft in self.loading.drafts.items():
            above = draft.above
            self.world[name] = draft.pose if above is None else compose(self.world[above], draft.pose)
            if draft.node in dynamic:
                self.cluster[name] = (name, IDENTITY)
            elif above is None:
                self.cluster[name] = (None, IDENTITY)
            else:
                top, pose = self.cluster[above]
                self.cluster[name] = (top, compose(pose, draft.pose))

    def weld(self, parent: str, draft: Draft, pose: Pose) -> None:
        """Hold the body of a draft on its parent, at a pose in the frame of that."""
        name = self.names.of(f"{draft.name}_joint")
        self.joints.append(Joint(name=name, parent=parent, child=draft.name, pose=pose, source=draft.source))


def build_tree(loading: GltfLoading) -> None:
    """Add the bodies and joints of a document to its scene."""
    linkage = Linkage(loading, loading.rigid)
    edges = [edge for tie in loading.rigid.ties if (edge := _bound_tie(linkage, tie)) is not None]
    tree = _tree_of_ties(linkage, edges)
    _add_bodies(linkage, tree)
    for name, draft in loading.drafts.items():
        if linkage.cluster[name][0] == name:
            _hold_body(linkage, name, tree.get(name))
        elif draft.above is not None:
            linkage.weld(draft.above, draft, draft.pose)
        elif loading.rigid.motions and name in loading.scene.bodies:
            linkage.weld(WORLD, draft, IDENTITY)
    used = {id(edge) for edge, _ in tree.values()}
    for edge in edges:
        if id(edge) not in used:
            linkage.joints.append(replace(joint_of(linkage, edge, edge.child, IDENTITY, True), closes_loop=True))
    for joint in linkage.joints:
        loading.scene.add_joint(joint)
    for (first, second), source in linkage.touching.items():
        name = f"allow_{first}_{second}"
        loading.scene.add("contact", ContactRule(name=name, first=first, second=second, allow=True, source=source))
    if linkage.drawn or linkage.controls:
        positions, controls = tuple(linkage.drawn), tuple(linkage.controls)
        loading.scene.add("keyframe", Keyframe(name=AS_DRAWN, positions=positions, controls=controls))


def _add_bodies(linkage: Linkage, tree: Mapping[str, tuple[BoundTie, bool]]) -> None:
    """Add all bodies except, if something moves, an empty root to which nothing is attached."""
    loading = linkage.loading
    root = next(iter(loading.drafts))
    held = {draft.above for draft in loading.drafts.values() if linkage.cluster[draft.name][0] != draft.name}
    held |= {edge.parent if forward else edge.child for edge, forward in tree.values()}
    solid = colliders(loading) if loading.rigid.motions else {}
    for name, draft in loading.drafts.items():
        body = with_motion(draft.body(), draft.node, solid.get(name, ()), loading)
        if not (name == root and loading.rigid.motions and name not in held and body == Body(name=name)):
            loading.scene.add_body(body)


# --------------------------------------------------------------------------------------------------------- the tree


def _bound_tie(linkage: Linkage, tie: Tie) -> BoundTie | None:
    """Return the two ends of a joint; None, with a note, if it connects nothing or leaves everything free."""
    loading = linkage.loading
    node = loading.nodes[tie.node]
    a, b = loading.places[tie.node], loading.places.get(tie.other)
    slides: list[AxisLimit] = []
    turns: list[AxisLimit] = []
    reason = ""
    if b is None:
        reason = f"it names node {tie.other}, which is not in the scene"
    elif linkage.cluster[a.body][0] == linkage.cluster[b.body][0]:
        still = linkage.cluster[a.body][0] is None
        reason = "both its bodies are static" if still else "it connects a body to itself"
    else:  # read only here, so that the limits of a joint that connects nothing stay unread
        slides, turns = axis_limits(tie.joint)
        reason = "it restricts no motion" if all(way == AxisLimit() for way in (*slides, *turns)) else ""
    if b is None or reason:
        where = f"body/{a.body}"
        ends = f"{a.body} to {b.body if b is not None else f'node {tie.other}'}"
        loading.context.note("gltf/joint", where, f"a joint: {reason}", node.source, before=ends, action="ignored")
        return None
    return BoundTie(tie=tie, parent=a.body, child=b.body, frame_a=a.pose, frame_b=b.pose, slides=slides, turns=turns)


def _tree_of_ties(linkage: Linkage, edges: Sequence[BoundTie]) -> dict[str, tuple[BoundTie, bool]]:
    """By top body, the joint that holds it, and whether it is its connected node. The rest of the joints close loops.

    The tree grows from the world, then from bodies that no joint connects to another; along joints as long as there are
    any, then against one, or along one that ties a body which the tree of nodes hangs elsewhere, by a joint.
    """
    top = {id(edge): (linkage.cluster[edge.parent][0], linkage.cluster[edge.child][0]) for edge in edges}
    leaving: dict[str | None, list[tuple[BoundTie, bool]]] = {}
    last: dict[str | None, list[tuple[BoundTie, bool]]] = {}
    drafts = linkage.loading.drafts.values()
    above = {draft.name: linkage.cluster[draft.above][0] for draft in drafts if draft.above is not None}
    nested = {b for a, b in top.values() if b in above and above[b] == a}
    for edge in edges:
        a, b = top[id(edge)]
        if b in nested and above[b] != a:
            last.setdefault(a, []).append((edge, True))
        else:
            leaving.setdefault(a, []).append((edge, True))
        last.setdefault(b, []).append((edge, False))
    tops = [name for name, (cluster, _) in linkage.cluster.items() if cluster == name]
    arriving = {b for _, b in top.values()}
    starts: list[str | None] = [None, *(name for name in tops if name not in arriving), *tops]
    seen: set[str | None] = set()
    held: dict[str, tuple[BoundTie, bool]] = {}
    for start in starts:
        if start in seen:
            continue
        seen.add(start)
        queue = [start]
        ahead = behind = 0
        while behind < len(queue):
            growing = ahead < len(queue)
            at = queue[ahead if growing else behind]
            ahead, behind = (ahead + 1, behind) if growing else (ahead, behind + 1)
            for edge, forward in (leaving if growing else last).get(at, ()):
                other = top[id(edge)][1 if forward else 0]
                if other not in seen and other is not None:
                    seen.add(other)
                    held[other] = (edge, forward)
                    queue.append(other)
    return held


def _hold_body(linkage: Linkage, name: str, found: tuple[BoundTie, bool] | None) -> None:
    """Add the joint of a moving body; without one it floats."""
    draft = linkage.loading.drafts[name]
    if found is None:
        joint = linkage.names.of(f"{name}_joint")
        dof = Dof(name=linkage.dofs.of(joint), kind=DofKind.FREE)
        pose = linkage.world[name]
        linkage.joints.append(Joint(name=joint, parent=WORLD, child=name, pose=pose, dofs=(dof,), source=draft.source))
        return
    edge, forward = found
    inside = linkage.cluster[edge.child if forward else edge.parent][1]
    joint_ = joint_of(linkage, edge, name, inside, forward)
    linkage.joints.append(joint_)
    _note_drawn(linkage, joint_)


def joint_of(linkage: Linkage, edge: BoundTie, child: str, inside: Pose, forward: bool) -> Joint:
    """Return the edge as a joint to a child; inside is the pose, in the child, of the body that has the frame.

    Backwards, the inverse motion is described: the dofs in reverse order, about the opposite axes.
    """
    loading = linkage.loading
    node = loading.nodes[edge.tie.node]
    name = linkage.names.of(edge.tie.joint.text("name") or _node_name(loading, edge.tie) or f"{child}_joint")
    near, far = (edge.frame_a, edge.frame_b) if forward else (edge.frame_b, edge.frame_a)
    frame = compose(inside, far)
    offset = _offset_of_frames(edge)
    pose = compose(compose(near, offset if forward else invert(offset)), invert(frame))
    sign = 1.0 if forward else -1.0
    dofs = _free_dofs(edge, name, linkage.dofs)
    exact = {TOGETHER} if any(dof.kind is DofKind.BALL for dof in dofs) else set[str]()
    shared = {reason for way in edge.slides if way.locked is None for reason in way.shared}
    shared |= {reason for way in edge.turns if way.locked is None for reason in way.shared - exact}
    for reason in sorted(shared):
        source = edge.tie.joint.source
        loading.context.note("gltf/limit", f"joint/{name}", reason, source, action="approximated")
    dofs = [dof_in_frame(dof, frame, sign) for dof in dofs]
    if not forward:
        dofs.reverse()
    parent = edge.parent if forward else edge.child
    if edge.tie.collide:
        linkage.touching.setdefault((parent, child), node.source)
    dofs = [_with_drive(dof, edge, linkage) for dof in dofs]
    return Joint(name=name, parent=parent, child=child, pose=pose, dofs=tuple(dofs), source=node.source)


def _node_name(loading: GltfLoading, tie: Tie) -> str | None:
    """Return the name of the node that declares a joint; if both ends have the suffixes we write, their common stem."""
    name, other = (loading.nodes[number].text("name") for number in (tie.node, tie.other))
    stem = (name or "").removesuffix(PARENT)
    return stem if stem and other == stem + CHILD else name


# ---------------------------------------------------------------------------------------------- limits and drives


def _offset_of_frames(edge: BoundTie) -> Pose:
    """Pose of the second frame in the first with all coordinates at zero, or at their locked values."""
    x, y, z = (way.locked or 0.0 for way in edge.slides)
    pose = Pose((x, y, z))
    for axis, way in zip(AXES, edge.turns, strict=True):
        if way.locked:
            pose = compose(pose, Pose(rot=from_axis_angle(axis, way.locked)))
    return pose


def _free_dofs(edge: BoundTie, name: str, names: Spares) -> list[Dof]:
    """Return the free dofs, along the axes of the first frame; names provides unused dof names."""
    slides = [(DofKind.SLIDE, axis, way) for axis, way in enumerate(edge.slides) if way.locked is None]
    turns = [(DofKind.HINGE, axis, way) for axis, way in enumerate(edge.turns) if way.locked is None]
    ball = _as_ball([way for _, _, way in turns])
    if ball is not None:
        found = [*(_dof_of_axis(kind, axis, way) for kind, axis, way in slides), ball]
    else:
        found = [_dof_of_axis(kind, axis, way) for kind, axis, way in (*slides, *turns)]
    if len(found) == 1:
        return [replace(found[0], name=names.of(name))]
    return [replace(dof, name=names.of(f"{name}_{index}")) for index, dof in enumerate(found)]


def _as_ball(turns: Sequence[AxisLimit]) -> Dof | None:
    """Return three free turns as one ball dof, if possible. It has a single bound, on the angle between the frames: the
    turns must share one symmetric limit, or have none."""
    if len(turns) != 3 or any(way.spring for way in turns):
        return None
    ((lower, upper), *others) = {(way.lower, way.upper) for way in turns}
    if others:
        return None
    if upper is None:
        return Dof(name="", kind=DofKind.BALL) if lower is None else None
    if all(TOGETHER in way.shared for way in turns) and lower == -upper and upper > 0:
        return Dof(name="", kind=DofKind.BALL, lower=0.0, upper=upper, stop=turns[0].stop)
    return None


def _dof_of_axis(kind: DofKind, axis: int, way: AxisLimit) -> Dof:
    stiffness, damping, rest = way.spring or (0.0, 0.0, 0.0)
    return Dof(
        name="",
        kind=kind,
        axis=AXES[axis],
        lower=way.lower,
        upper=way.upper,
        stop=way.stop,
        stiffness=stiffness,
        damping=damping,
        spring_reference=rest,
        parameters=(("axis", str(axis)),),
    )


def _with_drive(dof: Dof, edge: BoundTie, linkage: Linkage) -> Dof:
    """Return the dof with its drive: a spring and damper if the drive only holds it in place, otherwise an actuator."""
    parameters = dict(dof.parameters)
    axis = parameters.pop("axis", None)
    dof = replace(dof, parameters=tuple(parameters.items()))
    if axis is None:
        return _ball_with_drive(dof, edge)
    word = "linear" if dof.kind is DofKind.SLIDE else "angular"
    for drive in edge.tie.joint.children("drives"):
        if drive.members.get("type") == word and drive.members.get("axis") == int(axis):
            dof = _with_spring_or_actuator(drive, dof, linkage)
    return dof


def _ball_with_drive(dof: Dof, edge: BoundTie) -> Dof:
    """Return a ball dof with the spring and damper that act equally about all axes; others cannot be expressed."""
    drives = [each for each in edge.tie.joint.children("drives") if each.members.get("type") == "angular"]
    said = [{key: value for key, value in each.members.items() if key != "axis" and value != 0} for each in drives]
    alike = sorted(str(each.members.get("axis")) for each in drives) == ["0", "1", "2"] and said[1:] == said[:-1]
    if not alike or said[0].keys() - {"stiffness", "damping"} != {"type", "mode"} or said[0]["mode"] != "force":
        return dof
    read = []
    for drive in drives:
        for key in ("type", "axis", "mode", "positionTarget", "velocityTarget"):
            drive.raw(key)
        read.append([positive(drive, key) or 0.0 for key in ("stiffness", "damping")])
    stiffness, damping = read[0]
    return replace(dof, stiffness=stiffness, damping=damping)


def _with_spring_or_actuator(drive: JsonObject, dof: Dof, linkage: Linkage) -> Dof:
    drive.raw("type")
    drive.raw("axis")
    forceful = drive.members.get("mode", "force") == "force"
    if forceful:
        drive.raw("mode")  # an acceleration is not in the graph, so it stays unread
    strength, stiffness, damping = (positive(drive, key) for key in ("maxForce", "stiffness", "damping"))
    kind = "position" if stiffness else "velocity"
    place = _target_of_drive(drive, "positionTarget", kind == "position")
    speed = _target_of_drive(drive, "velocityTarget", kind == "velocity")
    if strength is None and forceful and not speed:
        return replace(
            dof,
            damping=dof.damping + (damping or 0.0),
            stiffness=dof.stiffness + (stiffness or 0.0),
            spring_reference=place if stiffness and place is not None else dof.spring_reference,
        )
    actuators = linkage.loading.scene.tables["actuator"]
    name = unique(f"{dof.name}_drive", actuators)
    linkage.loading.scene.add(
        "actuator",
        Actuator(
            name=name,
            kind=kind,
            dof=dof.name,
            kp=stiffness if kind == "position" else None,
            kv=damping or 0.0,  # the default of the draft is 0
            force_range=(-strength, strength) if strength is not None else None,
            source=drive.source,
        ),
    )
    target = place if kind == "position" else speed
    if target:
        linkage.controls.append((name, (target,)))
    return replace(dof, effort=strength)


def positive(drive: JsonObject, key: str) -> float | None:
    """Return a non-negative number of a drive (according to its schema). Raises InputError."""
    value = drive.number(key)
    if value is not None and value < 0:
        drive.refuse(key, "must not be below 0")
        return None
    return value


def _target_of_drive(drive: JsonObject, key: str, meant: bool) -> float | None:
    """Return the target of a drive; leave it unread if an actuator of its kind cannot express it."""
    return drive.number(key) if meant or not drive.members.get(key) else None


# ------------------------------------------------------------------------------------------------ as it is drawn


def _note_drawn(linkage: Linkage, joint: Joint) -> None:
    """Record the position at which the nodes are drawn; note if the joint does not permit it."""
    world = linkage.world
    drawn = compose(invert(world[joint.parent]), world[joint.child])
    values = coordinates(joint, drawn)
    reached = placement(joint, values)
    gap = max(abs(a - b) for a, b in zip(reached.pos, drawn.pos, strict=True))
    if gap > APART or rotation_gap(reached.rot, drawn.rot) > APART:
        reason = "the nodes are in positions that the joint does not allow; here the joint is used"
        where = f"joint/{joint.name}.pose"
        for source in (joint.source, *_sources_between(linkage, joint)):
            linkage.loading.context.note("gltf/joint-apart", where, reason, source, action="approximated")
        return
    for name, value in values.items():
        rest = (1.0, 0.0, 0.0, 0.0) if len(value) == 4 else (0.0,)
        if max(abs(a - b) for a, b in zip(value, rest, strict=True)) > STILL:
            linkage.drawn.append((name, value))


def _sources_between(linkage: Linkage, joint: Joint) -> list[Source | None]:
    """Return the sources of the nodes that determine the relative pose of the two bodies of a joint."""
    drafts = linkage.loading.drafts
    ways: list[dict[str, None]] = []
    for end in (joint.parent, joint.child):
        way: dict[str, None] = {}
        at: str | None = end
        while at is not None and at in drafts:
            way[at] = None
            at = drafts[at].above
        ways.append(way)
    return [drafts[name].source for way, other in (ways, ways[::-1]) for name in way if name not in other]
