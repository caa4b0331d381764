"""Scene: the graph of bodies, joints and constraints, and the tables beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any

from ir.types import (
    WORLD,
    Actuator,
    Approximation,
    Asset,
    Block,
    Body,
    BodyPair,
    Constraint,
    ContactRule,
    Dof,
    Edge,
    EndEffector,
    Entity,
    Extra,
    Frame,
    Geom,
    Group,
    Hardware,
    Joint,
    Keyframe,
    Material,
    Mesh,
    Physics,
    Scope,
    Sensor,
    Shape,
    Tendon,
    Transmission,
)

if TYPE_CHECKING:
    import networkx as nx

TABLES: Mapping[str, type[Entity]] = {
    "material": Material,
    "asset": Asset,
    "actuator": Actuator,
    "transmission": Transmission,
    "hardware": Hardware,
    "sensor": Sensor,
    "tendon": Tendon,
    "contact": ContactRule,
    "keyframe": Keyframe,
    "physics": Physics,
    "group": Group,
    "end_effector": EndEffector,
    "approximation": Approximation,
    "scope": Scope,
    "block": Block,
}
"""Kind of entity -> its type, for everything that is not a node or an edge."""

Address = tuple[str, ...]
"""The place of something in the patch of a scene (ir.diff): kind and key of an entity (joint/elbow: the key of a tree
joint is its child), then the names that lead to a part of it."""

Origins = dict[Address, tuple[Address, ...]]
"""Things that a pass made -> what it made them of (Scene.origins)."""


def address(joint: Joint, dof: Dof | None = None) -> Address:
    """The address of a joint, or of one of its dofs."""
    own = f"loop/{joint.name}" if joint.closes_loop else f"joint/{joint.child}"
    return (own,) if dof is None else (own, "dofs", str(joint.dofs.index(dof)))


class Scene:
    """A model or a world.

    Bodies are nodes, joints and constraints keyed edges parent -> child; insertion order is document order. The node
    `world` always exists; its body payload contains what is fixed to the inertial frame. Nodes and edges are kept by
    name; `graph` is the networkx graph of them. Change a scene with `evolve`, which shares every payload that does not
    change; the add_* methods are for building one.
    """

    def __init__(self, name: str, *, extras: tuple[Extra, ...] = (), notation: Mapping[str, str] | None = None) -> None:
        self.name = name
        self.extras = extras
        self.notation = dict(notation or {})
        """How the source spelled the model as a whole (its version, the order of its parts).

        It is never compared, but carried.
        """
        self.carried: dict[str, str] = {}
        """Data that an earlier conversion put into the document for the way back, not yet applied (ir.restore)."""
        self.origins: Mapping[Address, tuple[Address, ...]] = {}
        """Things that a pass made -> what it made them of. Editing or deleting the former in a document applies to the
        latter. An empty tuple: a default of the source was written out, and deleting it means the opposite."""
        self.brought: Mapping[str, bool] = {}
        """Keys (Address) of entities that an edit brought into a document that an earlier conversion wrote; True if
        there was no such thing before, or a pass had made it and it is not undone any more (ir.brought). Looks that
        override those of a mesh file (converters.assets.shown) are among them."""
        self.bodies: dict[str, Body] = {WORLD: Body(name=WORLD)}
        """In document order, the world last."""
        self.joints: dict[str, Joint] = {}
        self.constraints: dict[str, Constraint] = {}
        self.tables: dict[str, dict[str, Any]] = {kind: {} for kind in TABLES}
        self._joint_of: dict[str, str] = {}
        self._below: dict[str, list[Joint]] = {}
        self._graph: nx.MultiDiGraph[str] | None = None
        self._degrees: Counter[str] | None = None

    # ---------------------------------------------------------------- building

    def add_body(self, body: Body) -> None:
        """Raises ValueError for a taken name (only the body of the world may be added once more, to fill it)."""
        world = self.bodies[WORLD]
        if body.name in self.bodies and (body.name != WORLD or world != Body(name=WORLD)):
            raise ValueError(f"two bodies named {body.name!r}")
        del self.bodies[WORLD]  # keeps it last
        self.bodies[body.name] = body
        self.bodies.setdefault(WORLD, world)
        self._graph = None

    def add_joint(self, joint: Joint) -> None:
        """Raises ValueError for a taken name, a missing body, or a second parent that is not marked closes_loop."""
        if joint.name in self.joints:
            raise ValueError(f"two joints named {joint.name!r}")
        for end in (joint.parent, joint.child):
            if end not in self.bodies:
                raise ValueError(f"joint {joint.name!r} names the body {end!r}, which does not exist")
        if not joint.closes_loop:
            if joint.child in self._joint_of:
                raise ValueError(
                    f"body {joint.child!r} has two parents: {self._joint_of[joint.child]!r}, {joint.name!r}"
                )
            self._joint_of[joint.child] = joint.name
            self._below.setdefault(joint.parent, []).append(joint)
        self.joints[joint.name] = joint
        self._graph = self._degrees = None

    def add_constraint(self, constraint: Constraint) -> None:
        """Raises ValueError for a taken name."""
        if constraint.name in self.constraints:
            raise ValueError(f"two constraints named {constraint.name!r}")
        self.constraints[constraint.name] = constraint
        self._graph = self._degrees = None

    def add(self, kind: str, entity: Entity) -> None:
        """Put an entity into a table of TABLES; raises ValueError for a taken name."""
        table = self.tables[kind]
        if entity.name in table:
            raise ValueError(f"two entities named {entity.name!r} among {kind}")
        table[entity.name] = entity

    # ---------------------------------------------------------------- looking

    @property
    def graph(self) -> nx.MultiDiGraph[str]:
        """The scene as a networkx graph, made when it is first used, so that networkx is only imported then.

        Nodes are the names of the bodies and have `body`, edges parent -> child have `joint` (the key is its name) or
        `constraint` ("constraint " and its name). It is frozen: a scene changes by evolve and add_*.
        """
        if self._graph is None:
            import networkx as nx

            graph: nx.MultiDiGraph[str] = nx.MultiDiGraph(name=self.name)
            graph.add_nodes_from((name, {"body": body}) for name, body in self.bodies.items())
            for name, joint in self.joints.items():
                graph.add_edge(joint.parent, joint.child, key=name, joint=joint)
            for name, constraint in self.constraints.items():
                graph.add_edge(constraint.parent, constraint.child, key=f"constraint {name}", constraint=constraint)
            nx.freeze(graph)
            self._graph = graph
        return self._graph

    def body(self, name: str) -> Body:
        """Raises KeyError if there is no body of that name."""
        return self.bodies[name]

    def frames(self) -> dict[str, tuple[Body, Frame]]:
        """Every named frame of a body by name, with its body."""
        return {frame.name: (body, frame) for body in self.bodies.values() for frame in body.frames}

    def geoms(self) -> Iterator[Geom]:
        """The shapes of all bodies, in document order, those of the world last."""
        return chain.from_iterable(body.geoms for body in self.bodies.values())

    @property
    def materials(self) -> Mapping[str, Material]:
        return self.tables["material"]

    @property
    def assets(self) -> Mapping[str, Asset]:
        return self.tables["asset"]

    def mesh_of(self, shape: Shape | None) -> Asset | None:
        """The asset of a mesh shape; None for other shapes, and if there is none of its name."""
        return self.assets.get(shape.asset) if isinstance(shape, Mesh) else None

    def look_of(self, geom: Geom) -> Material | None:
        """The material of a geom; None if it has none, or there is none of its name."""
        return self.materials.get(geom.material) if geom.material is not None else None

    def image_of(self, look: Material) -> Asset | None:
        """The image of a material; None if it has none, or there is none of its name."""
        return self.assets.get(look.texture) if look.texture is not None else None

    def homes(self) -> dict[str, str]:
        """Geom -> its body."""
        return {geom.name: body.name for body in self.bodies.values() for geom in body.geoms}

    def joined(self) -> set[BodyPair]:
        """The two bodies of each joint."""
        return {joint.pair for joint in self.joints.values()}

    @property
    def loops(self) -> Mapping[str, Joint]:
        """The joints that close a loop, by name; all others make the tree."""
        return {name: joint for name, joint in self.joints.items() if joint.closes_loop}

    def joint_of(self, body: str) -> Joint | None:
        """The tree joint whose child is this body."""
        name = self._joint_of.get(body)
        return self.joints[name] if name is not None else None

    def child_joints(self, body: str) -> Iterator[Joint]:
        """Tree joints that leave this body, in document order."""
        return iter(self._below.get(body, ()))

    def degree(self, body: str) -> int:
        """The number of joints and constraints that begin or end at a body."""
        if self._degrees is None:
            edges: tuple[Edge, ...] = (*self.joints.values(), *self.constraints.values())
            self._degrees = Counter(end for edge in edges for end in (edge.parent, edge.child))
        return self._degrees[body]

    def tree(self) -> nx.MultiDiGraph[str]:
        """View of the graph with tree joints only."""

        def keep(parent: str, child: str, key: object) -> bool:
            return self._joint_of.get(child) == key

        import networkx as nx

        view: nx.MultiDiGraph[str] = nx.subgraph_view(self.graph, filter_edge=keep)
        return view

    def roots(self) -> list[str]:
        """Bodies without a tree joint, except the world: their base is unspecified."""
        return [name for name in self.bodies if name != WORLD and name not in self._joint_of]

    def walk(self) -> Iterator[tuple[Joint | None, Body]]:
        """Every body after its parent, depth first in document order, with the joint that holds it.

        The joint is None for a root without one, and for the world. Iterative: a chain of ten thousand links is a real
        input.
        """
        bodies, below = self.bodies, self._below
        yield None, bodies[WORLD]
        stack: list[tuple[Joint | None, str]] = [(None, root) for root in reversed(self.roots())]
        stack += [(joint, joint.child) for joint in reversed(below.get(WORLD, ()))]
        while stack:
            held, name = stack.pop()
            yield held, bodies[name]
            stack += [(joint, joint.child) for joint in reversed(below.get(name, ()))]

    def dofs(self) -> dict[str, tuple[Joint, Dof]]:
        """Every degree of freedom by name, with its joint."""
        return {dof.name: (joint, dof) for joint in self.joints.values() for dof in joint.dofs}

    # ---------------------------------------------------------------- changing

    def evolve(
        self,
        *,
        bodies: Iterable[Body] | None = None,
        joints: Iterable[Joint] | None = None,
        constraints: Iterable[Constraint] | None = None,
        tables: Mapping[str, Iterable[Entity]] | None = None,
        name: str | None = None,
        extras: tuple[Extra, ...] | None = None,
        notation: Mapping[str, str] | None = None,
        origins: Mapping[Address, tuple[Address, ...]] | None = None,
    ) -> Scene:
        """A new scene in which the given collections replace the old ones whole; payloads are shared.

        origins are added to the present ones. Raises ValueError as the add_* methods do.
        """
        scene = Scene(
            self.name if name is None else name,
            extras=self.extras if extras is None else extras,
            notation=self.notation if notation is None else notation,
        )
        scene.origins = self.origins if origins is None else {**self.origins, **origins}
        scene.brought, scene.carried = self.brought, dict(self.carried)
        for body in self.bodies.values() if bodies is None else bodies:
            scene.add_body(body)
        for joint in self.joints.values() if joints is None else joints:
            scene.add_joint(joint)
        for constraint in self.constraints.values() if constraints is None else constraints:
            scene.add_constraint(constraint)
        for kind, table in self.tables.items():
            if tables is not None and kind in tables:
                for entity in tables[kind]:
                    scene.add(kind, entity)
            else:
                scene.tables[kind] = dict(table)
        return scene

    # ---------------------------------------------------------------- values

    def __eq__(self, other: object) -> bool:  # no __hash__, because a scene can be built step by step
        if not isinstance(other, Scene):
            return NotImplemented
        return (
            self.name == other.name
            and self.extras == other.extras
            and self.bodies == other.bodies
            and self.joints == other.joints
            and self.constraints == other.constraints
            and self.tables == other.tables
        )

    def __repr__(self) -> str:
        tables = {kind: list(table) for kind, table in self.tables.items() if table}
        return f"Scene({self.name!r}, bodies={list(self.bodies)}, joints={list(self.joints)}, tables={tables})"
