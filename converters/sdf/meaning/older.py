"""Features that some versions of SDFormat lack: joints between the models of a world and screws without a pitch
(//world/joint and screw_thread_pitch are new in 1.10), and equal names of siblings (allowed up to 1.6)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from converters.context import Options
from converters.format import Pass, Target
from converters.passes import names
from converters.sdf.document.values import KEEPING, PARTING, spare_name, unreserved
from converters.sdf.document.vocabulary import since
from converters.sdf.tables import FORMAT, PITCHES, TOP
from converters.sdf.writing.versions import same_version, written_version
from ir.kinematics import poses_as_drawn, still_bodies
from ir.mapping import map_dofs
from ir.names import Spares
from ir.pose import compose
from ir.refs import rename
from ir.scene import Scene
from ir.scopes import DELIMITER, join
from ir.types import WORLD, Dof, DofKind, Joint


def _joints_of_world(scene: Scene, options: Options) -> Iterator[Joint]:
    """Yield the joints that are children of the world, if the requested version does not allow them."""
    wanted = options.sdf_version
    if scene.notation.get(TOP) != WORLD or same_version(wanted, scene):
        return
    if written_version(wanted, scene) >= since(WORLD, "joint"):
        return
    for joint in scene.joints.values():
        if DELIMITER not in joint.name and scene.body(joint.child).scope:
            yield joint


def _with_models_held_by_world(scene: Scene, target: Target) -> Scene:
    """Convert a joint that attaches a model to an immovable body to a joint to the world, inside that model."""
    poses, still = poses_as_drawn(scene), still_bodies(scene)
    held = [joint for joint in _joints_of_world(scene, target.options) if joint.parent in still]
    spares = Spares(scene.joints)
    called = {joint.name: spares.of(join(scene.body(joint.child).scope, joint.name)) for joint in held}
    dofs = {dof.name: dof.name.replace(joint.name, called[joint.name], 1) for joint in held for dof in joint.dofs}
    scene = rename(rename(scene, "joint", called), "dof", dofs)
    moved = {
        called[joint.name]: {"label": joint.name, "parent": WORLD, "pose": compose(poses[joint.parent], joint.pose)}
        for joint in held
    }
    return scene.evolve(joints=[replace(each, **moved.get(each.name, {})) for each in scene.joints.values()])


def _with_models_released(scene: Scene, target: Target) -> Scene:
    gone = {joint.name: joint for joint in _joints_of_world(scene, target.options)}
    if not gone:
        return scene
    poses = poses_as_drawn(scene)
    kept = [joint for joint in scene.joints.values() if joint.name not in gone]
    spares = Spares(joint.name for joint in kept)
    for joint in gone.values():
        if not joint.closes_loop:
            name = spares.of(f"{joint.child}_free")
            dof = Dof(name=name, kind=DofKind.FREE)
            kept.append(Joint(name=name, parent=WORLD, child=joint.child, pose=poses[joint.child], dofs=(dof,)))
    return scene.evolve(joints=kept)


HOLD = Pass(
    rule="sdf/world-joint",
    reason="worlds have joints since SDF 1.10: this one connects the model to something that never moves, and "
    "becomes a joint of the model to the world",
    wanted=lambda target: target.options.sdf_version is not None,
    apply=_with_models_held_by_world,
    asked=True,
)

RELEASE = Pass(
    rule="sdf/joint-between-models",
    reason="worlds have joints since SDF 1.10: in an older version nothing connects these two models (see "
    "--sdf-version)",
    wanted=lambda target: target.options.sdf_version is not None,
    apply=_with_models_released,
    asked=True,
)


def _with_distinct_names(scene: Scene, target: Target) -> Scene:
    """Make names of models, links, joints and frames unique among siblings and not reserved (libsdformat, since 1.7;
    since 1.8 also without `::`, the separator of nested models)."""
    wanted = target.options.sdf_version
    version = written_version(wanted, scene)
    if same_version(wanted, scene) or version < KEEPING:
        return scene
    return names.fitted(scene, spare_name if version >= PARTING else unreserved, (FORMAT,))


NAMES = Pass(
    rule="sdf/shared-name",
    reason="since SDF 1.7 links, joints and frames of a model share one name space, in which duplicates and "
    "reserved names are errors; since 1.8 names must not contain ::",
    wanted=lambda target: target.options.sdf_version is not None,
    apply=_with_distinct_names,
    asked=True,
)


def _with_screws_as_hinges(scene: Scene, target: Target) -> Scene:
    """Convert screws without a pitch to hinges."""
    if written_version(target.options.sdf_version, scene) >= PITCHES:
        return scene

    def turning(dof: Dof) -> Dof:
        flat = dof.kind is DofKind.SCREW and not dof.pitch
        return replace(dof, kind=DofKind.HINGE, pitch=None) if flat else dof

    return map_dofs(scene, turning)


FLAT = Pass(
    rule="sdf/screw-flat",
    reason="before SDF 1.10 the pitch of a screw is its angle per metre (see --sdf-version): one that does not "
    "move along its axis becomes a revolute joint",
    severity="note",
    apply=_with_screws_as_hinges,
    asked=True,
)


def passes() -> tuple[Pass, ...]:
    return (HOLD, RELEASE, NAMES, FLAT)
