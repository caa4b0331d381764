"""How a robot is connected to the world.

A root that its source leaves open is welded or floats, as the target or the user says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from msgspec.structs import replace

from converters.context import Options
from converters.format import Pass, Target
from converters.passes.loops import hung_roots
from ir.kinematics import moving_bodies
from ir.mapping import added, map_joints, map_table
from ir.names import Spares, block_name, unique
from ir.pose import pose_rpy
from ir.refs import declarations, entities, references
from ir.removal import without
from ir.scene import Origins, Scene
from ir.scopes import DELIMITER, within
from ir.types import IDENTITY, WORLD, Block, Body, Dof, DofKind, Extra, Geom, HeightField, Joint, Keyframe, Plane, Scope

OPENED = "open"
"""The --base for which a freely moving root has no joint."""


def _weld_root(scene: Scene, target: Target) -> Scene:
    """Joints from the world to each root that has none, at the pose of the whole model."""
    floating = _way_of_root(target) == "floating"
    spares = Spares((*scene.joints, *scene.dofs()))
    pose = scene.tables["scope"].get("", Scope(name="")).pose
    made = []
    for root in scene.roots():
        name = spares.of(f"{root}_free" if floating else f"weld_{root}")
        dofs, source = _float_root(name) if floating else (), scene.body(root).source
        made.append(Joint(name=name, parent=WORLD, child=root, pose=pose, dofs=dofs, source=source))
    return added(scene, "joint", made)


def _float_root(name: str) -> tuple[Dof]:
    return (Dof(name=name, kind=DofKind.FREE),)


def _way_of_root(target: Target) -> str | None:
    """fixed or floating, as the user asks, else as readers of the target expect; None if nothing has to be written."""
    return target.options.base if _option_of_base(target.options) else target.fits.needs_base


def _option_of_base(options: Options) -> str:
    return "base" if options.base in ("fixed", "floating") else ""


def _choice_of(way: str, said: str, asked: bool) -> Pass:
    """The pass that connects roots to the world in this way if the target expects it, or (asked) the user asks."""
    return Pass(
        rule="base/chosen",
        reason=f"the source does not say how its root is connected to the world: {said}",
        severity="note",
        wanted=lambda target: _way_of_root(target) == way and bool(_option_of_base(target.options)) is asked,
        apply=_weld_root,
        asked=True,
        told=True,
        chosen=_option_of_base,
    )


FIXED = _choice_of(
    "fixed", "it is fixed to the world (--base floating: for robots that walk, drive or fly)", asked=False
)
FLOATING = _choice_of("floating", "it moves freely (--base fixed: for robots that are bolted down)", asked=False)
AS_ASKED = _choice_of("floating", "it moves freely, as --base asks", asked=True)
CHOICES = (FIXED, FLOATING, _choice_of("fixed", "it is fixed to the world, as --base asks", asked=True), AS_ASKED)


def _turn_roots_over(scene: Scene, target: Target) -> Scene:
    """Roots that the source welds to the world are freed, or free ones welded. References to the motion of a welded
    root are removed, and a floating model is not static. Bodies that are moved without forces (mocap) stay so, and so
    does the ground."""
    floating = target.options.base == "floating"
    none = {body.name for body in scene.bodies.values() if body.kinematic}
    none |= _ground_roots(scene) if floating else hung_roots(scene, target)
    roots = (joint for joint in scene.child_joints(WORLD) if joint.child not in none)
    changed = [joint for joint in roots if (not joint.dofs if floating else joint.free)]
    if not changed:
        return scene
    spares = Spares(scene.dofs())
    dofs = {joint.name: _float_root(spares.of(_name_of_free_joint(joint))) if floating else () for joint in changed}
    scene = without(scene, {("dof", dof.name) for joint in changed for dof in joint.dofs})
    if floating:
        scene = _without_static(scene)
    return map_joints(scene, lambda joint: replace(joint, dofs=dofs[joint.name]) if joint.name in dofs else joint)


def _name_of_free_joint(joint: Joint) -> str:
    """The name of the dof of a freed root: that of its joint, unless that is named after its weld."""
    return f"{joint.child}_free" if joint.name == f"weld_{joint.child}" else joint.name


def _ground_roots(scene: Scene) -> set[str]:
    """Roots that are the ground: they, or bodies welded to them, have infinite planes or height fields."""
    moving, found, root = moving_bodies(scene), set[str](), WORLD
    for joint, body in scene.walk():
        root = body.name if joint is None or joint.parent == WORLD else root
        if body.name not in moving and any(map(_endless, body.geoms)):
            found.add(root)
    return found - {WORLD}


def _endless(geom: Geom) -> bool:
    return isinstance(geom.shape, Plane | HeightField) and geom.collides


def afloat(scene: Scene) -> set[str]:
    """Models of which no part is static any more when the roots that the world holds float: the models of these roots,
    the enclosing ones, and the nested ones."""
    scopes = scene.tables["scope"]

    def around(name: str) -> Iterator[str]:
        while name in scopes:
            yield name
            name = scopes[name].parent if name else DELIMITER

    ground = _ground_roots(scene)
    welded = (joint.child for joint in scene.child_joints(WORLD) if not joint.dofs)
    held = {scene.body(name).scope for name in welded if name not in ground}
    outer = {each for name in held for each in around(name)}
    return {name for name in scopes if not outer.isdisjoint(around(name))}


def _without_static(scene: Scene) -> Scene:
    """The scene in which floating models are not static. A model without bodies keeps that property."""
    scopes, paths = scene.tables["scope"], {body.scope for body in scene.bodies.values()}
    loose = {name for name in afloat(scene) if any(within(path, name) for path in paths)}
    if not any(scopes[name].static for name in loose):
        return scene
    changed = (replace(scope, static=False) if name in loose else scope for name, scope in scopes.items())
    return scene.evolve(tables={"scope": [*changed]})


ASKED = Pass(
    rule="base/asked",
    reason="the source says how its root is connected to the world, and --base asks for something else",
    severity="note",
    wanted=lambda target: bool(_option_of_base(target.options)),
    apply=_turn_roots_over,
    asked=True,
    told=True,
    chosen=_option_of_base,
)


def _robot(scene: Scene, target: Target) -> Joint | None:
    """The joint of the only tree in the world, if it moves freely there. Without --base open only if it rests at the
    origin of an empty world, and nothing refers to it: then nothing else needs to be said about it."""
    held = list(scene.child_joints(WORLD))
    if len(held) != 1 or not held[0].free or any(WORLD in joint.pair for joint in scene.loops.values()):
        return None
    (joint,) = held
    plain = Joint(name=joint.name, parent=WORLD, child=joint.child, dofs=_float_root(joint.name))
    if target.options.base == OPENED:
        return joint
    if replace(joint, label=None, source=None) != plain or scene.body(WORLD) != Body(name=WORLD):
        return None
    others = (entity for _, entity in entities(scene) if entity is not joint)
    return None if any(each.name == joint.name for entity in others for each in references(entity)) else joint


def _bare(scene: Scene, target: Target) -> Scene:
    world = scene.body(WORLD)
    if _robot(scene, target) is None or world == Body(name=WORLD):
        return scene
    return without(scene, {(each.kind, each.name) for each in declarations(world)})


def _placed(scene: Scene, target: Target) -> Scene:
    """Write the initial pose of the robot into a <gazebo> block.

    States without a position of the robot mean its rest position: they get it, if other states have one.
    """
    joint = _robot(scene, target)
    if joint is None or joint.pose == IDENTITY:
        return scene
    place = " ".join(repr(each + 0.0).removesuffix(".0") for each in (*joint.pose.pos, *pose_rpy(joint.pose)))
    block = gazebo_block(scene, target, f"<pose>{place}</pose>")
    origins: Origins = {(f"block/{block.name}",): ((f"joint/{joint.child}", "pose"),)}
    scene = added(scene, "block", [block], origins)
    if _says_root(scene, joint):
        rest = (joint.dofs[0].name, (*joint.pose.pos, *joint.pose.rot))
        scene = map_table(scene, "keyframe", lambda key: _resting(key, rest))
    return map_joints(scene, lambda each: replace(each, pose=IDENTITY) if each is joint else each)


def gazebo_block(scene: Scene, target: Target, words: str) -> Block:
    """A <gazebo> block of a URDF about the whole model with this content (XML) and a unique name."""
    extra = Extra(format=target.fits.blocks, path="", text=f"<gazebo>{words}</gazebo>")
    return Block(name=unique(block_name("gazebo"), scene.tables["block"]), dialect="gazebo", extras=(extra,))


def _says_root(scene: Scene, joint: Joint) -> bool:
    """Whether a state refers to the dof of this joint, which moves the robot freely."""
    keys: Iterable[Keyframe] = scene.tables["keyframe"].values()
    return any(each.name == joint.dofs[0].name for key in keys for each in references(key))


def _resting(key: Keyframe, rest: tuple[str, tuple[float, ...]]) -> Keyframe:
    silent = rest[0] not in dict(key.positions) and (not key.dofs or rest[0] in key.dofs)
    return replace(key, positions=(rest, *key.positions)) if silent else key


def _open(scene: Scene, target: Target) -> Scene:
    """Remove the joint of the robot or, if states contain its position, replace it by a virtual joint beside the
    model."""
    joint = _robot(scene, target)
    if joint is None:
        return scene
    if not _says_root(scene, joint):
        return scene.evolve(joints=[each for each in scene.joints.values() if each is not joint])
    name = joint.dofs[0].name
    virtual = replace(joint, name=name, frame=WORLD, dofs=_float_root(name))
    return map_joints(scene, lambda each: virtual if each is joint else each)


def _open_pass(rule: str, reason: str, apply: Callable[[Scene, Target], Scene], moves: bool = False) -> Pass:
    """A pass about a freely moving robot, for a target whose roots are left open."""
    return Pass(
        rule=rule,
        reason=reason,
        severity="note",
        wanted=lambda target: target.fits.open_root and target.options.base in ("keep", OPENED),
        apply=apply,
        moves=moves,
    )


OPEN = (
    _open_pass(
        "base/surroundings",
        "a document of the target has one root, which is that of a freely moving robot here: what belongs "
        "to the world around it (geometry, frames, cameras, lights) cannot be written",
        _bare,
    ),
    _open_pass(
        "base/place",
        "the initial pose of a freely moving robot: it is written into a <gazebo> block",
        _placed,
        moves=True,
    ),
    _open_pass(
        "joints/free-root",
        "readers of the target take a root without a joint as free; many of them refuse a floating joint",
        _open,
    ),
)
