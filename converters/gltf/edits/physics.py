"""Edited physics of a document of ours: masses, shapes, friction, limits and drives.

The physics of the document is read as from any other program (foreign.physics), and so is what would be written for the
embedded graph (writing.physics). Where the two differ, the document takes precedence; equal values keep all digits of
the graph.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set as AbstractSet
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from converters.context import ReaderContext
from converters.gltf.data.extensions import BODIES, SHAPES, extension, numbered, table
from converters.gltf.edits.baseline import PLACE, Editor, hanging_nodes
from converters.gltf.edits.drives import as_number, edited_drive, edited_limits
from converters.gltf.edits.filters import edited_filters
from converters.gltf.foreign.limits import axis_limits
from converters.gltf.foreign.physics import KHR, RigidMotion, motion_of, shape_of
from converters.gltf.ours.graph import OUTER, RULE, TREE, nearly_equal, part_of
from converters.gltf.ours.marks import Leaf
from converters.gltf.scene.forms import FORMS
from converters.gltf.scene.nodes import PLAIN
from converters.gltf.scene.positions import pose_text, same_pose
from converters.gltf.writing.physics import PhysicsTables, attached
from converters.passes.friction import WORDS
from converters.source.json import JsonObject
from ir.kinematics import moving_bodies
from ir.plain import as_json, to_plain
from ir.pose import compose, invert
from ir.scene import Scene
from ir.types import WORLD, Actuator, Body, Dof, Geom, Inertial, Joint, Mesh, Plane, Pose, Role, Surface

SIZED = "the node of the collider was scaled, too: a physics shape has a size of its own, and its scale is ignored"


class _PhysicsEdits(Struct):
    """Both readings: of the whole embedded graph (that of the editor is what is left of it), and of the document.

    written: entries that may be explained, with a function that gives the entry for the changed graph. gone: number of
    collider nodes that were removed.
    """

    scene: Scene
    editor: Editor
    physics: PhysicsTables
    moving: set[str]
    actuators: dict[str, Actuator] = field(default_factory=dict)
    written: list[tuple[JsonObject, Callable[[PhysicsTables], Any]]] = field(default_factory=list)
    gone: int = 0
    stays: AbstractSet[str] = frozenset()
    """Bodies whose colliders stay (_bodies_of_unclear_colliders)."""

    def entry(self, name: str, key: str, number: Any) -> JsonObject | None:
        """Return an entry of a table of an extension."""
        return numbered(table(self.editor.root, name, key), number)


def edited_physics(scene: Scene, drawn: Scene, editor: Editor) -> Scene:
    """Return the scene with the physics of the document where it differs from what would be written for the graph.

    scene is the embedded graph, drawn the same with the poses and triangles of the document. Raises InputError for
    invalid physics.
    """
    root, inside = editor.root, editor.inside
    if extension(root, BODIES) is None and any(key.startswith(f"{OUTER}{BODIES}/") for key in inside.digests):
        return drawn  # the physics tables were removed from the document
    _check_references(root, editor.context)
    form = FORMS[inside.physics]
    work = _PhysicsEdits(scene, editor, PhysicsTables(scene, form), moving_bodies(scene))
    work.stays = _bodies_of_unclear_colliders(work)
    bodies = [_edited_body(work, body) for body in drawn.bodies.values()]
    joints = [_edited_joint(work, joint) for joint in drawn.joints.values()]
    made = drawn.evolve(bodies=bodies, joints=joints)
    if work.actuators:
        made = made.evolve(tables={"actuator": ({**made.tables["actuator"]} | work.actuators).values()})
    made = edited_filters(scene, made, editor)
    if work.gone and len(root.children("nodes")) + work.gone == len(inside.digests.get("nodes", "").split()):
        editor.explained.add("nodes")
    after = PhysicsTables(made, form) if work.written else work.physics
    editor.explained |= {
        part_of(entry)
        for entry, write in work.written
        if nearly_equal(
            {key: said for key, said in entry.members.items() if said != []}, write(after)
        )  # an empty list is the same as none
    }
    return made


def _check_references(root: JsonObject, context: ReaderContext) -> None:
    """Raises InputError for an index that is out of range. Programs that renumber nodes do not update the indices in
    extensions: an invalid connectedNode is noted, and the graph determines which bodies a joint connects."""
    tables = {key: len(table(root, BODIES, key)) for key in ("physicsJoints", "physicsMaterials", "collisionFilters")}
    nodes, meshes = len(root.children("nodes")), len(root.children("meshes"))
    shapes = len(table(root, SHAPES, "shapes"))
    for node in root.children("nodes"):
        collider, joint = extension(node, BODIES, "collider"), extension(node, BODIES, "joint")
        if collider is not None:
            geometry = collider.child("geometry") or collider
            geometry.index("shape", shapes)
            geometry.index("mesh", meshes)
            collider.index("physicsMaterial", tables["physicsMaterials"])
            collider.index("collisionFilter", tables["collisionFilters"])
        if joint is not None:
            joint.index("joint", tables["physicsJoints"])
            number = joint.members.get("connectedNode")
            if type(number) is int and number >= nodes:
                reason = "refers to a node that is not there: nodes were renumbered; the joint is taken from the graph"
                context.note(RULE, "scene", reason, joint.place(), before=str(number), action="ignored")
            else:
                joint.index("connectedNode", nodes)


# -------------------------------------------------------------------------------------------------------------- masses


def _edited_body(work: _PhysicsEdits, body: Body) -> Body:
    worked = (_edited_geom(work, body, geom) for geom in body.geoms)
    geoms = tuple([geom for geom in worked if geom is not None])
    lighter = len(geoms) < len(body.geoms)
    if lighter or any(new is not old for new, old in zip(geoms, body.geoms, strict=True)):
        body = replace(body, geoms=geoms)
    node = work.editor.tree.nodes.get(body.name)
    own = work.scene.body(body.name) if body.name in work.scene.bodies else None
    if node is None or own is None or not (lighter or work.editor.touched(node)):
        return body
    said, fitted = extension(node, BODIES, "motion"), work.editor.inside.said.get(f"body/{body.name}")
    written = work.physics.motion(own, own.name in work.moving) if fitted is None else fitted
    if said is None or written is None or (nearly_equal(said.members, written) and not lighter):
        return body
    then = motion_of(JsonObject(written, node.document, said.pointer), KHR)
    made = _with_motion(body, motion_of(said, KHR), then, lighter)
    if nearly_equal(said.members, written):  # a geom is gone, but the document declares the same mass
        return made
    if made == body:
        return body
    reason = "what the body weighs, or how it moves, was changed"
    before, after = _differing_members(written, said.members), _differing_members(said.members, written)
    whole = nearly_equal(said.members, _motion_written_anew(work, written, body, made))
    parts = (node, (f"extensions/{BODIES}/motion",) if whole else ())
    work.editor.tell(f"body/{body.name}.inertial", before, after, reason, (said, ()), parts)
    return made


def _motion_written_anew(work: _PhysicsEdits, written: Mapping[str, Any], body: Body, made: Body) -> dict[str, Any]:
    """Return what was written, updated by the changed motion: a pass may have given the body what the graph lacks."""
    then, now = (work.physics.motion(each, each.name in work.moving) or {} for each in (body, made))
    kept = {key: value for key, value in written.items() if nearly_equal(then.get(key), now.get(key))}
    return kept | {key: value for key, value in now.items() if not nearly_equal(then.get(key), value)}


def _differing_members(members: Mapping[str, Any], others: Mapping[str, Any]) -> str:
    """Return the members that differ from the others, as text."""
    return ", ".join(f"{key}: {value}" for key, value in members.items() if not nearly_equal(value, others.get(key)))


def _with_motion(body: Body, now: RigidMotion, then: RigidMotion, lighter: bool) -> Body:
    """Return the body with the changed parts of its motion. A mass that was removed or added changes nothing.

    lighter: geoms are gone, which may have determined its mass; removing a collider does not change it.
    """
    inertial = fitted = body.inertial
    if inertial is None and then.mass is not None and then.moments is not None:
        a, b, c = then.moments
        place = Pose(then.centre or (0.0, 0.0, 0.0), then.axes)
        inertial = fitted = Inertial(mass=then.mass, tensor=(a, b, c, 0.0, 0.0, 0.0), pose=place)
    if inertial is not None and now.mass is not None and then.mass is not None:
        centre = now.centre or (0.0, 0.0, 0.0)
        if not nearly_equal(now.mass, then.mass):
            inertial = replace(inertial, mass=now.mass)
        if not nearly_equal(centre, then.centre or (0.0, 0.0, 0.0)):
            inertial = replace(inertial, pose=Pose(centre, inertial.pose.rot))
        if now.moments is not None and not (
            nearly_equal(now.moments, then.moments) and nearly_equal(now.axes, then.axes)
        ):
            a, b, c = now.moments
            inertial = replace(inertial, tensor=(a, b, c, 0.0, 0.0, 0.0), pose=Pose(inertial.pose.pos, now.axes))
    if inertial == fitted and not lighter:
        inertial = body.inertial
    kinematic = now.kinematic if then.kinematic == body.kinematic else body.kinematic
    gravity = body.gravity if nearly_equal(now.gravity, then.gravity) else now.gravity
    return replace(body, inertial=inertial, kinematic=kinematic, gravity=gravity)


# -------------------------------------------------------------------------------------------------------------- shapes


def _edited_geom(work: _PhysicsEdits, body: Body, geom: Geom) -> Geom | None:
    editor = work.editor
    leaf = editor.tree.leaves.get(("collider", geom.name))
    before = work.scene.body(body.name).geoms if body.name in work.scene.bodies else ()
    own = next((each for each in before if each.name == geom.name), None)
    said = extension(leaf.node, BODIES, "collider") if leaf is not None else None
    if own is None:
        return geom
    if leaf is None or said is None:
        return _without_collider(work, body, geom, leaf)
    where, geometry = f"geom/{geom.name}", said.child("geometry") or said
    shape = work.entry(SHAPES, "shapes", geometry.members.get("shape"))
    material = work.entry(BODIES, "physicsMaterials", said.members.get("physicsMaterial"))
    if not editor.touched(leaf.node, shape, material):
        return geom
    found = work.physics.collider(work.scene.body(body.name), own, lambda: 0)
    if found is None:
        return geom
    written, pose = found
    number = written["geometry"].get("shape")
    if shape is not None and number is not None and own.shape == geom.shape:
        geom = _with_shape(work, geom, shape, work.physics.shapes[number], where)
        if leaf.body == body.name and own.pose == geom.pose and not same_pose(leaf.pose, pose):
            reason = "the node of the collider was moved"
            editor.tell(where, pose_text(pose), pose_text(leaf.pose), reason, (leaf.node, PLACE))
            if not nearly_equal(leaf.scale, (1.0, 1.0, 1.0)):
                scale = f"scale: {' '.join(map(repr, leaf.scale))}"
                editor.tell(where, "scale: 1 1 1", scale, SIZED, (leaf.node, ()), action="dropped")
            geom = replace(geom, pose=compose(leaf.pose, compose(invert(pose), geom.pose)))
    if isinstance(geom.shape, Mesh) and own.shape == geom.shape and "shape" not in geometry:
        hull = geometry.boolean("convexHull")
        if hull != geom.shape.hull:
            reason, part = "whether the hull of the mesh collides was changed", "collider/geometry/convexHull"
            parts = (leaf.node, (f"extensions/{BODIES}/{part}",))
            editor.tell(where, str(geom.shape.hull), str(hull), reason, parts)
            geom = replace(geom, shape=replace(geom.shape, hull=hull))
    index, rubbing = written.get("physicsMaterial"), editor.inside.said.get(where)
    if rubbing is None:
        rubbing = work.physics.materials[index] if index is not None else {}
    return _with_surface(work, body, geom, material, rubbing, said)


def _without_collider(work: _PhysicsEdits, body: Body, geom: Geom, leaf: Leaf | None) -> Geom | None:
    """Return the geom without its collider if that was removed; a visible geom stays visible."""
    editor = work.editor
    there = geom.name in editor.inside.measures or work.physics.entry_of(geom.shape) is not None
    collided = geom.collides and there
    if not collided or body.name in work.stays:
        return geom
    node = leaf.node if leaf is not None else editor.tree.nodes.get(body.name) or editor.tree.roots[0]
    if leaf is not None and not editor.touched(node):
        return geom
    seen = Role.VISUAL if geom.role == Role.BOTH else ""
    parts = [(node, (f"extensions/{BODIES}",))] if leaf is not None else [*hanging_nodes(node), TREE]
    editor.tell(f"geom/{geom.name}", geom.role, seen, "the collider of the geom was taken out", *parts)
    work.gone += leaf is None
    return replace(geom, role=Role.VISUAL) if seen else None


def _bodies_of_unclear_colliders(work: _PhysicsEdits) -> set[str]:
    """Return the bodies whose colliders may still exist: all if no node has physics, since programs without it remove
    all of it; else those without a displayed node, and those with a collider whose geom is unknown."""
    bodies = {*work.scene.bodies}
    if not any(extension(node, BODIES) is not None for node in work.editor.root.children("nodes")):
        return bodies
    tree = work.editor.tree
    known = {geom.name for geom in work.scene.geoms()}
    others = [leaf for (kind, name), leaf in tree.leaves.items() if kind == "collider" and name not in known]
    others += [leaf for leaf in tree.strangers if extension(leaf.node, BODIES, "collider") is not None]
    return (bodies - tree.seen - {WORLD}) | {leaf.body for leaf in others}


def _with_shape(work: _PhysicsEdits, geom: Geom, entry: JsonObject, written: Mapping[str, Any], where: str) -> Geom:
    """Return the geom with the shape from the table, if it has changed."""
    if not work.editor.touched(entry) and nearly_equal(entry.members, written):
        return geom
    now, turn = shape_of(entry, KHR, PLAIN, work.editor.context, where)
    before = JsonObject(dict(written), entry.document, entry.pointer)
    then, upright = shape_of(before, KHR, PLAIN, work.editor.context, where)
    if now is None or then is None or nearly_equal(to_plain(now), to_plain(then)):
        return geom
    reason = "the shape of the collider was changed"
    work.editor.tell(where, as_json(dict(written)), as_json(entry.members), reason, (entry, ()))
    if isinstance(now, Plane) and isinstance(geom.shape, Plane):
        now = replace(geom.shape, size=now.size, bounded=now.bounded)
    made = replace(geom, shape=now)
    if type(now) is not type(geom.shape):
        made = replace(made, pose=compose(compose(geom.pose, invert(upright)), turn))
    work.written.append((entry, lambda physics: physics.entry_of(made.shape)))
    return made


def _with_surface(
    work: _PhysicsEdits, body: Body, geom: Geom, entry: JsonObject | None, written: Mapping[str, Any], said: JsonObject
) -> Geom:
    """Return the geom with the friction and the restitution of the document."""
    now = entry.members if entry is not None else {}
    if nearly_equal(now, written):
        return geom
    surface = geom.surface or body.surface or Surface()
    friction, bounce = (as_number(now.get(key)) for key in ("dynamicFriction", "restitution"))
    usual = KHR.friction if friction is None else friction
    if not nearly_equal(usual, written.get("dynamicFriction", KHR.friction)):
        surface = replace(surface, mu=usual)
    if not nearly_equal(bounce, written.get("restitution")):
        surface = replace(surface, restitution=bounce)
    word = now.get("frictionCombine") if now.get("frictionCombine") in WORDS else None
    if word != written.get("frictionCombine"):
        surface = replace(surface, combine=word)
    if surface == (geom.surface or body.surface or Surface()):
        return geom
    reason, node = "contact properties of the collider were changed", part_of(said).partition("/extensions/")[0]
    parts = ((entry or said, ()), f"{node}/extensions/{BODIES}/collider/physicsMaterial")
    work.editor.tell(
        f"geom/{geom.name}", _differing_members(written, now), _differing_members(now, written), reason, *parts
    )
    if entry is not None:
        made: dict[str, Any] = {} if friction is None else {"staticFriction": friction, "dynamicFriction": friction}
        made |= {} if word is None else {"frictionCombine": word}
        made |= {} if bounce is None else {"restitution": bounce}
        work.written.append((entry, lambda physics: made))
    return replace(geom, surface=surface)


# -------------------------------------------------------------------------------------------------------------- joints


def _edited_joint(work: _PhysicsEdits, joint: Joint) -> Joint:
    node = work.editor.tree.ties.get(joint.name)
    own = work.scene.joints.get(joint.name)
    tie = extension(node, BODIES, "joint")
    if node is None or own is None or tie is None or joint.closes_loop:
        return joint
    entry = work.entry(BODIES, "physicsJoints", tie.members.get("joint"))
    if entry is None or not work.editor.touched(node, entry):
        return joint
    found, frame = work.physics.joint(own), attached(own.dofs)
    if found is None or frame is None:
        return joint
    written = work.editor.inside.said.get(f"joint/{joint.name}") or work.physics.joints[found[0]]
    if nearly_equal(entry.members, written):
        return joint
    then = JsonObject(written, entry.document, entry.pointer)
    kept = dict(work.actuators)
    dofs = edited_limits(joint.dofs, frame[1], axis_limits(entry), axis_limits(then))
    dofs = tuple([_with_drive(work, dof, axis, entry, then) for dof, axis in zip(dofs, frame[1], strict=True)])
    if dofs == joint.dofs and kept == work.actuators:
        return joint
    made = replace(joint, dofs=dofs)
    pairs: list[tuple[Dof | Actuator, Dof | Actuator]] = [*zip(joint.dofs, dofs, strict=True)]
    drives = work.scene.tables["actuator"]
    pairs += [(drives[name], drive) for name, drive in work.actuators.items() if drive is not kept.get(name)]
    before, after = ([to_plain(pair[side]) for pair in pairs] for side in (0, 1))
    work.editor.tell(
        f"joint/{joint.name}", _differences_text(before, after), _differences_text(after, before), CHANGED, (entry, ())
    )
    work.written.append((entry, lambda physics: physics.joints[number[0]] if (number := physics.joint(made)) else None))
    return made


def _differences_text(entities: Sequence[Mapping[str, Any]], others: Sequence[Mapping[str, Any]]) -> str:
    return "; ".join(
        text for one, other in zip(entities, others, strict=True) if (text := _differing_members(one, other))
    )


CHANGED = "limits or drives of the joint were changed"


def _with_drive(work: _PhysicsEdits, dof: Dof, axis: int, now: JsonObject, then: JsonObject) -> Dof:
    servo = work.physics.servo(dof.name)
    held = work.actuators.get(servo.name, servo) if servo is not None else None
    made, drive = edited_drive(dof, held, axis, now, then)
    if drive is not None and drive != held:
        work.actuators[drive.name] = drive
    return made
