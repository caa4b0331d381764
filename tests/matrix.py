"""python -m tests.matrix: the support matrix in README.md, from the measured coverage and from conversions.

Reading is taken from tests/golden/coverage_*.txt. Writing is measured on made models: a feature is mapped if the
output, as any other tool reads it, differs in none of the fields of the feature; otherwise it is what the report says.
"""

from __future__ import annotations

from collections import Counter
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import converters
from converters.context import ReaderContext
from converters.format import Format
from converters.gltf.reader import read as gltf_read
from converters.registry import format_named
from converters.report.findings import Comparison, findings
from converters.report.model import Action
from ir.diff import Difference, compare
from tests.corpus.mutation import without_extras
from tests.corpus.mutation_gltf import closed, opened
from tests.formats import mjcf_items, sdf_items, urdf_items
from tests.formats.coverage import CARRIED, MAPPED, Trip, read as scene_of, recorded, trip

ROOT = Path(__file__).parents[1]
MADE = ROOT / "corpus" / "made"
README = ROOT / "README.md"
START, END = "<!-- matrix -->", "<!-- /matrix -->"
FORMATS = {"urdf": "URDF", "sdf": "SDF", "mjcf": "MJCF", "gltf": "glTF"}
COLUMNS = [f"{title} {what}" for title in FORMATS.values() for what in ("read", "write")]
NONE = "–"
PHYSICS = "in physics"

Row = tuple[str, str, str, str, str]
"""Feature; paths of URDF; of MJCF; a made model, or the path of an item, that has it; its fields in the graph."""

BODY = "mujoco/worldbody/body"
JOINT = "robot/joint/@type="
ROWS: tuple[Row, ...] = (
    ("links, bodies", "robot/link robot/link/@name", f"{BODY} {BODY}/@*", "feature_empty_link.urdf", "body body.name"),
    ("inertia", "robot/link/inertial*", f"{BODY}/inertial*", "feature_rotated_inertial.urdf", "body.inertial*"),
    (
        "visuals",
        "robot/link/visual robot/link/visual/@name robot/link/visual/origin*",
        f"{BODY}/geom {BODY}/geom/@*",
        "feature_materials.urdf",
        "body.geoms*",
    ),
    (
        "collisions",
        "robot/link/collision robot/link/collision/@name robot/link/collision/origin*",
        f"{BODY}/geom/@con* {BODY}/geom/@group",
        "feature_wheeled.urdf",
        "body.geoms*",
    ),
    (
        "custom roles (`collision_checking`)",
        "robot/link/collision_checking*",
        "",
        "robot/link/collision_checking",
        "body.geoms.role",
    ),
    (
        "box, sphere, cylinder",
        "*/geometry/box* */geometry/sphere* */geometry/cylinder*",
        "*/geom/@type=box */geom/@type=sphere */geom/@type=cylinder",
        "feature_shapes.urdf",
        "body.geoms.shape*",
    ),
    ("capsule", "*/geometry/capsule*", "*/geom/@type=capsule", "feature_capsule_1_1.urdf", "body.geoms.shape*"),
    (
        "ellipsoid",
        "*ellipsoid*",
        "*/geom/@type=ellipsoid",
        "sdf/model/link/collision/geometry/ellipsoid",
        "body.geoms.shape*",
    ),
    (
        "mesh",
        "*/geometry/mesh*",
        "*/asset/mesh* */geom/@type=mesh",
        "feature_mesh_tetrahedron.urdf",
        "body.geoms body.geoms.shape*",
    ),
    (
        "materials",
        "robot/material robot/material/@name */material/color*",
        "*/asset/material*",
        "feature_materials.urdf",
        "material material.color material.maps* material.texture",
    ),
    (
        "textures",
        "*/material/texture*",
        "*/asset/texture*",
        "robot/link/visual/material/texture/@filename",
        "material.texture",
    ),
    ("fixed joint", f"{JOINT}fixed", "", f"{JOINT}fixed", "joint joint.pose"),
    (
        "revolute, continuous",
        f"{JOINT}revolute {JOINT}continuous",
        "*/joint/@type=hinge",
        "robot/joint/@type=revolute",
        "joint joint.dofs joint.dofs.kind joint.dofs.axis",
    ),
    (
        "prismatic",
        f"{JOINT}prismatic",
        "*/joint/@type=slide",
        "robot/joint/@type=prismatic",
        "joint joint.dofs joint.dofs.kind joint.dofs.axis",
    ),
    (
        "floating",
        f"{JOINT}floating",
        "*/joint/@type=free *body/freejoint",
        "feature_mjcf_scene.xml",
        "joint joint.dofs joint.dofs.kind",
    ),
    ("planar", f"{JOINT}planar", "", "feature_planar2.urdf", "joint joint.dofs joint.dofs.kind joint.dofs.axis"),
    ("ball", f"{JOINT}ball", "*/joint/@type=ball", "robot/joint/@type=ball", "joint joint.dofs joint.dofs.kind"),
    ("universal", f"{JOINT}universal", "", "robot/joint/@type=universal", "joint joint.dofs joint.dofs.kind"),
    (
        "screw",
        f"{JOINT}screw robot/joint/drake:screw*",
        "",
        "robot/joint/@type=screw",
        "joint joint.dofs joint.dofs.kind joint.dofs.pitch",
    ),
    (
        "several joints on a body",
        "",
        f"{BODY}/joint",
        "feature_mjcf_multi_joint.xml",
        "joint joint.dofs joint.dofs.kind",
    ),
    (
        "position limits",
        "*/limit/@lower */limit/@upper",
        f"{BODY}/joint/@range {BODY}/joint/@limited",
        "feature_limits_1_2.urdf",
        "joint.dofs.lower joint.dofs.upper",
    ),
    ("effort limit", "*/limit/@effort", f"{BODY}/joint/@actuatorfrc*", "feature_limits_1_2.urdf", "joint.dofs.effort"),
    ("velocity limit", "*/limit/@velocity", "", "feature_limits_1_2.urdf", "joint.dofs.velocity"),
    (
        "acceleration, jerk limits",
        "*/limit/@*acceleration */limit/@deceleration */limit/@jerk",
        "",
        "feature_limits_1_2.urdf",
        "joint.dofs.acceleration joint.dofs.deceleration joint.dofs.jerk",
    ),
    (
        "mimic, coupled joints",
        "robot/joint/mimic*",
        "mujoco/equality/joint*",
        "feature_mimic_chain.urdf",
        "joint.dofs.mimic*",
    ),
    (
        "damping",
        "robot/joint/dynamics robot/joint/dynamics/@damping",
        f"{BODY}/joint/@damping",
        "feature_joint_dynamics.urdf",
        "joint.dofs.damping",
    ),
    (
        "friction of joints",
        "robot/joint/dynamics/@friction",
        f"{BODY}/joint/@frictionloss",
        "feature_joint_dynamics.urdf",
        "joint.dofs.friction",
    ),
    (
        "armature, springs",
        "",
        f"{BODY}/joint/@armature {BODY}/joint/@stiffness {BODY}/joint/@spring*",
        "mujoco/worldbody/body/joint/@armature",
        "joint.dofs.armature",
    ),
    (
        "safety controller",
        "robot/joint/safety_controller*",
        "",
        "robot/joint/safety_controller/@k_position",
        "joint.dofs.soft*",
    ),
    ("calibration", "robot/joint/calibration*", "", "robot/joint/calibration/@rising", "joint.dofs.calibration*"),
    ("transmissions", "robot/transmission*", "", "feature_transmission_ros1.urdf", "transmission*"),
    ("ros2_control", "robot/ros2_control*", "", "feature_ros2_control.urdf", "hardware*"),
    (
        "actuators: motor, position, velocity",
        "",
        "*/actuator/motor* */actuator/position* */actuator/velocity*",
        "feature_mjcf_actuators.xml",
        "actuator*",
    ),
    (
        "other actuators",
        "",
        "*/actuator/general* */actuator/pid* */actuator/muscle* */actuator/cylinder*",
        "mujoco/actuator/general/@joint",
        "*.extras*",
    ),
    ("sensors", "robot/sensor*", "mujoco/sensor*", "feature_urdf_sensor.urdf", "sensor*"),
    ("gazebo blocks", "robot/gazebo*", "", "feature_gazebo_sensors.urdf", "block*"),
    ("Bullet contact", "robot/link/contact*", "", "feature_bullet.urdf", "body.surface*"),
    ("Drake tags", "*drake:*", "", "feature_drake.urdf", "block* *.extras*"),
    (
        "named frames, sites",
        "robot/frame* robot/fixed_frame*",
        f"{BODY}/site*",
        "feature_mjcf_actuators.xml",
        "body.frames*",
    ),
    ("contact exclusions", "", "*/contact/exclude*", "feature_mjcf_equality.xml", "contact*"),
    ("default classes", "", "mujoco/default*", "feature_mjcf_defaults.xml", "joint.dofs.damping"),
    (
        "other equalities",
        "",
        "*/equality/connect* */equality/weld* */equality/tendon*",
        "mujoco/equality/weld",
        "*.extras*",
    ),
    (
        "tendons, deformables, keyframes",
        "",
        "mujoco/tendon* mujoco/deformable* mujoco/keyframe*",
        "mujoco/tendon",
        "*.extras*",
    ),
    ("cameras, lights", "", f"{BODY}/camera* {BODY}/light*", "feature_mjcf_scene.xml", "body.extras*"),
    (
        "simulation settings",
        "",
        "mujoco/option* mujoco/visual* mujoco/size* mujoco/statistic*",
        "feature_mjcf_scene.xml",
        "scene.extras*",
    ),
    ("worlds, nested models, includes", "", "", "sdf/model/include", "scope* body.scope"),
    ("static, self_collide, gravity, velocity_decay", "", "", "sdf/model/link/velocity_decay/linear", "body.*_damping"),
    ("surface: friction, contact, bitmasks", "", "", "sdf/model/link/collision/surface/friction/ode/mu", "body.geoms*"),
    ("cone, plane, height field, polyline", "", "", "sdf/model/link/visual/geometry/cone", "body.geoms.shape*"),
    ("plugins", "", "", "sdf/model/plugin", "block*"),
    ("actors, particles, projectors, audio, batteries", "", "", "sdf/model/link/battery", "body.extras*"),
)

MODEL = "sdf/model"
LINK = f"{MODEL}/link"
JOINTS = f"{MODEL}/joint"
AXIS = f"{MODEL}/joint/axis"
SHAPES = f"{LINK}/*/geometry"
SDF_READS = {
    "links, bodies": f"{LINK} {LINK}/@name {LINK}/pose*",
    "inertia": f"{LINK}/inertial*",
    "visuals": f"{LINK}/visual {LINK}/visual/@name {LINK}/visual/pose*",
    "collisions": f"{LINK}/collision {LINK}/collision/@name {LINK}/collision/pose*",
    "box, sphere, cylinder": f"{SHAPES}/box* {SHAPES}/sphere* {SHAPES}/cylinder*",
    "capsule": f"{SHAPES}/capsule*",
    "ellipsoid": f"{SHAPES}/ellipsoid*",
    "mesh": f"{SHAPES}/mesh*",
    "materials": f"{LINK}/visual/material*",
    "textures": f"{LINK}/visual/material/pbr/metal/albedo_map",
    "revolute, continuous": f"{JOINTS} {JOINTS}/@* {JOINTS}/parent {JOINTS}/child {AXIS} {AXIS}/xyz*",
    **dict.fromkeys(("fixed joint", "prismatic", "ball"), f"{JOINTS}/@type"),
    "universal": "sdf/model/joint/axis2*",
    "screw": "sdf/model/joint/*thread_pitch",
    "position limits": f"{AXIS}/limit/lower {AXIS}/limit/upper",
    "effort limit": f"{AXIS}/limit/effort",
    "velocity limit": f"{AXIS}/limit/velocity",
    "mimic, coupled joints": f"{AXIS}/mimic* {MODEL}/joint/gearbox*",
    "damping": f"{AXIS}/dynamics/damping",
    "friction of joints": f"{AXIS}/dynamics/friction",
    "armature, springs": f"{AXIS}/dynamics/spring*",
    "sensors": f"{LINK}/sensor {LINK}/sensor/* {MODEL}/joint/sensor",
    "named frames, sites": f"{MODEL}/frame*",
    "cameras, lights": f"{LINK}/sensor/camera* {LINK}/light*",
    "simulation settings": " ".join(
        f"sdf/world/{name}" for name in ("gravity", "magnetic_field", "wind*", "physics*", "scene*")
    ),
    "worlds, nested models, includes": " ".join(
        ["sdf/world", "sdf/world/include", MODEL, *(f"{MODEL}/{name}" for name in ("@*", "pose", "model", "include*"))]
    ),
    "static, self_collide, gravity, velocity_decay": " ".join(
        [f"{MODEL}/static", f"{MODEL}/self_collide", f"{LINK}/gravity", f"{LINK}/velocity_decay*"]
    ),
    "surface: friction, contact, bitmasks": f"{LINK}/collision/surface*",
    "cone, plane, height field, polyline": f"{SHAPES}/cone* {SHAPES}/plane* {SHAPES}/heightmap* {SHAPES}/polyline*",
    "plugins": "sdf/*plugin*",
    "actors, particles, projectors, audio, batteries": " ".join(
        ["sdf/*actor*", *(f"{LINK}/{name}*" for name in ("particle", "projector", "audio", "battery"))]
    ),
}
"""Maps a feature to paths of SDFormat."""
MOVES, TABLE = "nodes/extensions/KHR_physics_rigid_bodies", "extensions/KHR_physics_rigid_bodies"
TIES, LIT = f"{TABLE}/physicsJoints", "extensions/KHR_lights_punctual*"
ROUND = "extensions/KHR_implicit_shapes/shapes"
AXES = f"{TIES}/limits {TIES}/limits/*Axes"
GLTF_READS = {
    "links, bodies": "scene scenes nodes nodes/name nodes/children nodes/translation nodes/rotation nodes/matrix",
    "inertia": f"{MOVES}/motion/mass {MOVES}/motion/centerOfMass {MOVES}/motion/inertia*",
    "visuals": "nodes/mesh nodes/scale meshes",
    "collisions": f"{MOVES}/collider*",
    "box, sphere, cylinder": f"{ROUND}/type {ROUND}/box* {ROUND}/sphere* {ROUND}/cylinder*",
    "capsule": f"{ROUND}/capsule*",
    "mesh": "meshes* accessors* bufferViews* buffers*",
    "materials": "materials*",
    "textures": "textures* images* samplers*",
    "fixed joint": f"{MOVES}/joint {MOVES}/joint/joint {MOVES}/joint/connectedNode {TIES}",
    **dict.fromkeys(("revolute, continuous", "prismatic", "planar", "ball", "universal"), AXES),
    "floating": f"{MOVES}/motion",
    "several joints on a body": AXES,
    "position limits": f"{TIES}/limits/min {TIES}/limits/max",
    "damping": f"{TIES}/drives/damping",
    "armature, springs": f"{TIES}/drives/stiffness {TIES}/drives/positionTarget",
    "actuators: motor, position, velocity": f"{TIES}/drives*",
    "contact exclusions": f"{TABLE}/collisionFilters* {MOVES}/joint/enableCollision",
    "tendons, deformables, keyframes": "skins* animations*",
    "cameras, lights": f"cameras* nodes/camera {LIT} nodes/{LIT}",
    "surface: friction, contact, bitmasks": f"{TABLE}/physicsMaterials* {TABLE}/collisionFilters*",
    "cone, plane, height field, polyline": f"{ROUND}/plane*",
}
"""Maps a feature to paths of glTF."""


def block() -> str:
    """Return the table, between its markers."""
    lines = [f"| | {' | '.join(COLUMNS)} |", "|---" * (len(COLUMNS) + 1) + "|"]
    for feature, urdf, mjcf, model, fields in ROWS:
        paths = (urdf, SDF_READS.get(feature, ""), mjcf, GLTF_READS.get(feature, ""))
        cells: tuple[str, ...] = ()
        for name, patterns in zip(FORMATS, paths, strict=True):
            reading = read(name, patterns)
            cells += (reading, written(format_named(name), model, fields, reading))
        lines.append(f"| {feature} | {' | '.join(cells)} |")
    totals = [
        f"{title}: {', '.join(f'{count} {kind}' for kind, count in sorted(_totals(name)))}"
        for name, title in FORMATS.items()
    ]
    text = (
        f"Elements, attributes and members of the schemas, each read and written back in a test ({'; '.join(totals)})."
    )
    text += f" What URDF holds for Gazebo alone stands in its `<gazebo>` blocks. *{PHYSICS}*: for programs that know"
    text += " KHR_physics_rigid_bodies; carried for all others."
    return "\n".join([START, text, "", *lines, END])


def _totals(name: str) -> list[tuple[str, int]]:
    return list(Counter(recorded(name).values()).items())


def read(name: str, patterns: str) -> str:
    """Return the class of the elements and attributes with these paths."""
    found = [kind for path, kind in recorded(name).items() if any(fnmatchcase(path, each) for each in patterns.split())]
    assert found or not patterns, f"nothing in coverage_{name}.txt is {patterns}"
    if not found:
        return NONE
    mapped = found.count(MAPPED)
    return MAPPED if mapped == len(found) else f"{mapped} of {len(found)} mapped" if mapped else CARRIED


def written(to: Format, model: str, fields: str, reading: str) -> str:
    """Return the worst that the report says about these fields: mapped, if it says nothing."""
    if not model:
        return NONE
    done = _trip(model, to.name)
    chosen = [each for each in done.native if any(_about(each, field) for field in fields.split())]
    chosen = [each for each in chosen if each.kind != "extra"]
    moved = {each.path for step in done.steps if step.moved for each in step.differences}
    if chosen and all(each.path in moved for each in chosen):
        return MAPPED  # it stands elsewhere
    added = [each for each in done.native if each.kind == "extra"]  # what the output has more explains some losses
    compared = Comparison(native=[*chosen, *added], lasting=[each for each in done.lasting if each in chosen])
    places = {each.where for each in chosen}
    found = findings(done.scene, compared, done.steps, to.losses(), fitted=done.fitted)
    actions = {each.action for each in found if each.where in places}
    for action in (Action.UNEXPLAINED, Action.DROPPED, Action.APPROXIMATED, Action.CARRIED):
        if action in actions:
            return PHYSICS if action == Action.CARRIED and in_physics(done, fields) else action.value
    return CARRIED if reading == CARRIED else MAPPED


def in_physics(done: Trip, fields: str) -> bool:
    """Whether a reader that knows physics, but not Kinegraph's data, finds all of these fields in a glTF."""
    if done.output.document[:4] != b"glTF":
        return False
    document, rest = opened(done.output.document)
    bare = closed(without_extras(document, ours=True), rest)
    again = gltf_read(bare, ReaderContext(file="out.glb", folder=Path("/nowhere"), beside=done.output.files))
    found = [each for each in compare(done.scene, again)[0] if each.kind != "extra"]
    return not any(_about(each, field) for each in found for field in fields.split())


@cache
def _about(difference: Difference, field: str) -> bool:
    """Whether a difference is about the field, or about its container if that is missing."""
    above = difference.kind == "absent" and field.startswith(f"{difference.field}.")
    return above or fnmatchcase(difference.field, field)


def _trip(model: str, to: str) -> Trip:
    if model.startswith("sdf/"):
        return _sdf_trip(model, to)
    source = format_named("urdf" if model.endswith(".urdf") or model.startswith("robot/") else "mjcf")
    if "/" not in model:
        return trip(converters.read(MADE / model, source=source.name), format_named(to), source)
    items = urdf_items if source.name == "urdf" else mjcf_items
    return trip(scene_of(items.placed(model).text, source, _find)[0], format_named(to), source)


def _sdf_trip(path: str, to: str) -> Trip:
    with TemporaryDirectory() as folder:
        place = sdf_items.Place(Path(folder))
        scene, _ = place.read(sdf_items.placed(path).text.encode(), format_named("sdf"))
        return sdf_items.through(place, scene, format_named(to))


def _find(uri: str) -> tuple[str | None, str]:
    """Return a picture for any texture."""
    return (str(ROOT / "corpus" / "robots.png") if uri.endswith(".png") else None), ""


def updated(text: str) -> str:
    """Return the README with the current table; missing markers are added at its end."""
    if START not in text:
        text = f"{text.rstrip()}\n\n## Support matrix\n\n{START}\n{END}\n"
    head, _, rest = text.partition(START)
    return head + block() + rest.partition(END)[2]


if __name__ == "__main__":
    README.write_text(updated(README.read_text()))
