"""The frames of a document: their poses, and the bodies they are attached to.

Two graphs over the same vertices. In the pose graph the parent of a frame is the frame that its pose is relative to; in
the attachment graph it is what the frame moves with, up to a link or the world. A vertex is the path of its scope and
its name: arm::tip, arm::__model__.
"""

from __future__ import annotations

import math
from itertools import chain

from msgspec import Struct

from converters.sdf.document.loading import SdfLoading
from converters.sdf.document.values import in_attributes, raw_pose
from converters.sdf.models.merged import came_merged
from converters.sdf.models.models import MODEL, Item, Model, all_models
from converters.source.xml import Node
from ir.pose import compose, invert
from ir.scopes import DELIMITER, join
from ir.types import IDENTITY, WORLD, Pose, Source

DECIMALS = 15
"""Decimals of a length in metres that distinguish two doubles near 1."""
FARTHEST = 64
"""The most steps to search for a common ancestor frame of two others, to keep the numbers of the source exact."""


OUTSIDE = " inside a model; that of the world is meant"


def means_world(model: Model, name: str) -> bool:
    """Whether a name means the world although the scope has no such frame, as inside models (libsdformat)."""
    return name == WORLD and model.base != WORLD


class Edge(Struct, frozen=True):
    """The parent of a vertex in the pose graph (None if it does not exist), and the pose in it."""

    reference: str | None
    pose: Pose
    source: Source | None = None


class Frames:
    """All frames of a document. Frames that depend on an error have no pose (None); each error is noted once."""

    def __init__(self, root: Model, loading: SdfLoading) -> None:
        self.loading = loading
        self.links: dict[str, tuple[Model, str]] = {}
        """Vertex of a link -> its model and its name there."""
        self._edges: dict[str, Edge] = {}
        self._attached: dict[str, tuple[str | None, Source | None]] = {}
        self._placements: dict[str, str] = {}
        self._circles: set[tuple[str, frozenset[str]]] = set()
        """Circles already noted."""
        self._placing: dict[str, None] = {}
        """Vertices whose placement frames are being resolved, outermost first."""
        self._poses: dict[str, Pose | None] = {WORLD: IDENTITY}
        self._bodies: dict[str, str | None] = {WORLD: WORLD}
        self._joints: dict[tuple[str, str], str] = {}
        self._unscoped = {model.name: model for model in root.models if model.own}
        models = list(all_models(root))
        self._vertices = {WORLD}
        for model in models:
            self._declare_names(model)
        for model in models:
            self._hang_model(model)
            self._hang_content(model)

    def _declare_names(self, model: Model) -> None:
        vertices = self._vertices
        vertices.add(model.origin)
        for name in model.links:
            vertices.add(join(model.path, name))
            self.links[join(model.path, name)] = (model, name)
        vertices.update(join(model.path, name) for name in (*model.frames, *model.proxies))
        for name in model.joints:
            vertex = join(model.path, name)
            if vertex in vertices:  # before 1.7, a joint may have the name of a link
                vertex = f"{vertex}_joint"
            self._joints[(model.path, name)] = vertex
            vertices.add(vertex)

    # ---------------------------------------------------------------- names

    def vertex(self, model: Model, name: str, base: str = MODEL) -> str | None:
        """Return the vertex that a name refers to in the scope of a model; None if there is none."""
        if name in ("", MODEL):
            return join(model.path, base) if base not in (MODEL, WORLD) else model.origin
        if name == WORLD:
            return WORLD
        full = join(model.path, name)
        if full in self._vertices:
            return full
        if model.base == WORLD:
            start, _, rest = name.partition(DELIMITER)
            if rest and start in self._unscoped:
                return self.vertex(self._unscoped[start], rest)
        inner = join(full, MODEL)
        if inner in self._vertices:
            return inner
        return self._joints.get((model.path, name))

    def joint_vertex(self, model: Model, name: str) -> str:
        """The vertex of the frame of a joint of a model."""
        return self._joints[(model.path, name)]

    # ---------------------------------------------------------------- building

    def _hang_model(self, model: Model) -> None:
        if model.base == WORLD:
            return
        scope = model.parent
        source = model.node.source if model.node is not None else None
        placing = model.placing.source if model.placing is not None else source
        if scope is None:
            reference: str | None = WORLD
            if model.relative_to and placing is not None:
                reason = "the pose of a top-level model cannot be relative to anything"
                self.loading.fault("ATTRIBUTE_INVALID", "scene", reason, placing, before=model.relative_to)
        else:
            reference = self._known_vertex(scope, model.relative_to, f"scope/{model.path}", placing, model.beneath)
        self._edges[model.origin] = Edge(reference, model.pose, placing)
        self._put_model_frame(model.origin, model, model.placement, f"scope/{model.path}", placing)
        held = WORLD if model.static else self._vertex_of_canonical(model, model, MODEL, source)
        self._attached[model.origin] = (held, source)

    def _put_model_frame(self, origin: str, scope: Model, placement: str, where: str, source: Source | None) -> None:
        """Store the placement frame, which the pose of a model places instead of the model frame."""
        placed = self.vertex(scope, placement) if placement and not means_world(scope, placement) else None
        if placed is not None:
            self._placements[origin] = placed
        elif placement and source is not None:
            reason = f"there is no frame {placement!r} to place"
            self.loading.fault("MODEL_PLACEMENT_FRAME_INVALID", where, reason, source)

    def _vertex_of_canonical(self, model: Model, scope: Model, base: str, source: Source | None) -> str | None:
        """Return what a model frame moves with: its canonical link (libsdformat 12 allows any frame), else its first
        link, else that of a nested model.

        scope contains the contents of the model, identified by their base: the model itself, or the one it is merged
        into.
        """
        if model.canonical:
            vertex = self.vertex(scope, model.canonical)
            if vertex is not None and vertex != WORLD:
                return vertex
            if source is not None:
                reason = f"there is no link or frame {model.canonical!r}"
                self.loading.fault("MODEL_CANONICAL_LINK_INVALID", f"scope/{model.path}", reason, source)
        own = (name for name, item in scope.links.items() if scope is model or came_merged(scope, item.base, base))
        inside = (each for each in scope.models if scope is model or came_merged(scope, each.beneath, base))
        nested = (join(each.path, name) for outer in inside for each in all_models(outer) for name in each.links)
        return next(chain((join(scope.path, name) for name in own), nested), WORLD if scope is model else scope.origin)

    def _hang_content(self, model: Model) -> None:
        for name, item in model.links.items():
            self._hang(model, item, join(model.path, name), item.base, f"body/{join(model.path, name)}")
        for name, item in model.frames.items():
            vertex = join(model.path, name)
            where = f"frame/{vertex}"
            attached = item.node.get("attached_to") or ""
            holder = self.vertex(model, attached, item.base)
            if holder is None or means_world(model, attached):
                reason = f"there is no frame {attached!r} to attach it to{OUTSIDE if holder else ''}"
                self.loading.fault("FRAME_ATTACHED_TO_INVALID", where, reason, item.node.source, before=attached)
            self._attached[vertex] = (holder, item.node.source)
            self._hang(model, item, vertex, attached or item.base, where)
        for proxy, merged in model.proxies.items():
            node = merged.placing or merged.node
            source = node.source if node is not None else None
            own = merged.node.source if merged.node is not None else None
            vertex = join(model.path, proxy)
            reference = self._known_vertex(model, merged.relative_to, f"frame/{vertex}", source, merged.beneath)
            self._edges[vertex] = Edge(reference, merged.pose, source)
            self._put_model_frame(vertex, model, merged.placement, f"frame/{vertex}", source)
            self._attached[vertex] = (self._vertex_of_canonical(merged, model, proxy, own), source)
        for name, item in model.joints.items():
            vertex = self._joints[(model.path, name)]
            child = joint_end(item.node, "child")
            holder = self.vertex(model, child, item.base) if child and child != WORLD else None
            self._attached[vertex] = (holder, item.node.source)
            if holder is not None:
                self._hang(model, item, vertex, child, f"joint/{join(model.path, name)}")
            else:
                self._edges[vertex] = Edge(None, IDENTITY, item.node.source)

    def _hang(self, model: Model, item: Item, vertex: str, default: str, where: str) -> None:
        pose, name = raw_pose(item.node, item.version)
        if name:
            reference = self._known_vertex(model, name, where, _source_of_pose(item.node), item.base)
        else:
            reference = (
                self.vertex(model, default, item.base) if default != item.base else self._base_vertex(model, item.base)
            )
        self._edges[vertex] = Edge(reference, pose, item.node.source)

    def _base_vertex(self, model: Model, base: str) -> str:
        return model.origin if base in (MODEL, WORLD) else join(model.path, base)

    def _known_vertex(self, model: Model, name: str, where: str, source: Source | None, base: str) -> str | None:
        found = self.vertex(model, name, base)
        if (found is None or means_world(model, name)) and source is not None:
            reason = f"its pose is relative to {name!r}, but there is no such frame{OUTSIDE if found else ''}"
            self.loading.fault("POSE_RELATIVE_TO_INVALID", where, reason, source, before=name)
        return found

    # ---------------------------------------------------------------- answers

    def pose(self, vertex: str) -> Pose | None:
        """Return the pose of a frame in the world; None if it depends on an error."""
        path: dict[str, None] = {}
        at: str | None = vertex
        while at is not None and at not in self._poses:
            if at in path:
                self._tell_cycle("POSE_RELATIVE_TO_CYCLE", list(path), at, self._edges[at].source)
                at = None
                break
            path[at] = None
            at = self._edges[at].reference
        found = self._poses[at] if at is not None else None
        for step in reversed(path):
            own = self._pose_in_reference(step)
            found = compose(found, own) if found is not None and own is not None else None
            self._poses[step] = found
        return found

    def _pose_in_reference(self, vertex: str) -> Pose | None:
        """Return the pose of a vertex in its reference; for a model, so that its placement frame has the given pose."""
        pose = self._edges[vertex].pose
        frame = self._placements.get(vertex)
        if frame is None:
            return pose
        if vertex in self._placing:
            self._tell_cycle("POSE_RELATIVE_TO_CYCLE", list(self._placing), vertex, self._edges[vertex].source)
            return None
        self._placing[vertex] = None
        inside = self._pose_of_placement_frame(vertex, frame)
        del self._placing[vertex]
        return compose(pose, invert(inside)) if inside is not None else None

    def _pose_of_placement_frame(self, vertex: str, frame: str) -> Pose | None:
        """Return the pose of a placement frame in its vertex; None if the vertex is not an ancestor of it."""
        inside, at, seen = IDENTITY, frame, {frame}
        while at != vertex:
            edge = self._edges.get(at)
            own = self._pose_in_reference(at) if edge is not None else None
            if edge is None or edge.reference is None or own is None or edge.reference in seen:
                return None
            inside, at = compose(own, inside), edge.reference
            seen.add(at)
        return inside

    def body(self, vertex: str) -> str | None:
        """Return the link (or the world) that a frame moves with; None if it depends on an error."""
        path: dict[str, None] = {}
        at: str | None = vertex
        while at is not None and at not in self._bodies and at not in self.links:
            if at in path:
                self._tell_cycle("FRAME_ATTACHED_TO_CYCLE", list(path), at, self._attached[at][1])
                at = None
                break
            path[at] = None
            at = self._attached[at][0]
        found = at if at in self.links else self._bodies[at] if at is not None else None
        for step in path:
            self._bodies[step] = found
        return found

    def _tell_cycle(self, code: str, path: list[str], first: str, source: Source | None) -> None:
        circle = path[path.index(first) :]
        known = (code, frozenset(circle))
        if source is not None and known not in self._circles:
            self._circles.add(known)
            names = " -> ".join([*circle, first])
            self.loading.fault(code, f"frame/{min(circle)}", f"frames refer to each other in a circle: {names}", source)

    def between(self, vertex: str, reference: str) -> Pose | None:
        """Return the pose of a vertex in the frame of another one."""
        if vertex == reference:
            return IDENTITY
        edge = self._edges.get(vertex)
        if edge is not None and edge.reference == reference and vertex not in self._placements:
            return edge.pose
        base, pose = self.pose(reference), self.pose(vertex)
        if base is None or pose is None:
            return None
        a, b = self._poses_in_common_frame(reference, vertex) or (base, pose)
        return _relative_pose(a, b) if a != IDENTITY else b

    def _poses_in_common_frame(self, *vertices: str) -> list[Pose] | None:
        """Return the poses of two vertices, both valid, in their nearest common ancestor: the source's numbers stay
        exact, wherever in the world the model is. None if it is more than FARTHEST steps away."""
        poses, at = [IDENTITY, IDENTITY], list(vertices)
        passed: list[dict[str, Pose]] = [{vertex: IDENTITY} for vertex in vertices]
        turn = 0
        for _ in range(FARTHEST):
            if at[0] == at[1]:
                return poses
            other = passed[1 - turn].get(at[turn])
            if other is not None:
                poses[1 - turn] = other
                return poses
            turn = 1 - turn if at[1 - turn] != WORLD else turn
            edge, own = self._edges[at[turn]], self._pose_in_reference(at[turn])
            assert edge.reference is not None and own is not None
            poses[turn] = compose(own, poses[turn])
            at[turn] = edge.reference
            passed[turn][at[turn]] = poses[turn]
        return None

    def local(self, model: Model, item: Item, node: Node, owner: str, where: str, base: Pose = IDENTITY) -> Pose | None:
        """Return the pose of an element relative to `base`, a pose in the frame `owner`; its own pose may be given in
        any frame of the scope."""
        pose, name = raw_pose(node, item.version)
        if not name:
            return pose
        reference = self._known_vertex(model, name, where, _source_of_pose(node), item.base)
        if reference is None:
            return None
        seen = self.between(reference, owner)
        return compose(invert(base), compose(seen, pose)) if seen is not None else None


def _source_of_pose(node: Node) -> Source | None:
    """Return where the pose of an element is given, which may be in another document than the element."""
    item = node.peek("pose") or node.peek("origin")
    return node.source if item is None else item.source


def joint_end(node: Node, tag: str) -> str:
    """Return the frame that the <parent> or <child> of a joint names: its text, or its attribute link in SDF 1.0."""
    child = node.child(tag)
    if child is None:
        return ""
    return child.text() or (in_attributes(child) and child.get("link")) or ""


def _relative_pose(a: Pose, b: Pose) -> Pose:
    """Return the pose of b in frame a without trailing digits from rounding: 0.2 between 0.3 and 0.5, not 7e-17 more.
    It leads from a to b as exactly as the unrounded one."""
    found = compose(invert(a), b)
    digits = DECIMALS - math.frexp(max(1.0, *map(abs, (*a.pos, *b.pos))))[1] * 3 // 10
    x, y, z = (round(value, digits) for value in found.pos)
    neat = Pose((x, y, z), found.rot)
    return neat if _gap_between(a, neat, b) <= _gap_between(a, found, b) else found


def _gap_between(a: Pose, between: Pose, b: Pose) -> float:
    """Return the largest coordinate error of b's position as reached from a, in metres."""
    return max(abs(reached - meant) for reached, meant in zip(compose(a, between).pos, b.pos, strict=True))
