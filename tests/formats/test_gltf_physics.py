"""Bodies and colliders of three drafts of physics in glTF."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest

from converters.context import ReaderContext
from converters.convert import convert, read as load
from converters.gltf.data.container import unpack
from converters.gltf.foreign.document import read
from ir.inertia import principal
from ir.kinematics import forward
from ir.pose import compose, invert, rotate
from ir.types import Box, Capsule, Cone, Cylinder, DofKind, Ellipsoid, Mesh, Plane, Sphere
from tests.files import saved
from tests.formats.gltf_bodies import BODIES, HINGE, SHAPES, body, one, pendulum, world
from tests.formats.gltf_made import Made, left, noted, scene_of
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.plain_gltf import plain_gltf
from tests.reports import complete, explained, of_rule


def compact(value: dict[str, Any]) -> str:
    return json.dumps(value, separators=(",", ":"))


# motions


def test_a_motion_is_a_body_that_floats_with_its_mass():
    made = world()
    turn = [0, 0, math.sin(0.1), math.cos(0.1)]
    motion = {
        "mass": 3,
        "centerOfMass": [0, 1, 0],
        "inertiaDiagonal": [1, 2, 3],
        "inertiaOrientation": turn,
        "gravityFactor": 0.5,
    }
    made.scene(body(made, {"motion": motion}, name="ball", translation=[0, 2, 0]))
    scene = scene_of(made)
    assert list(scene.bodies) == ["ball", "world"], "nothing stands still: there is no body for the scene"
    joint, dof = one(scene, "ball")
    assert (joint.parent, dof.kind) == ("world", DofKind.FREE)
    assert joint.pose.pos == pytest.approx((0, 0, 2))
    ball = scene.body("ball")
    assert (ball.inertial.mass, ball.inertial.pose.pos, ball.gravity) == (3.0, (0.0, 1.0, 0.0), 0.5)
    assert ball.inertial.pose.rot == pytest.approx((math.cos(0.1), 0, 0, math.sin(0.1)))
    assert sorted(principal(ball.inertial.tensor)[1]) == [1.0, 2.0, 3.0]


def test_what_stands_still_is_fixed_to_the_world():
    made = world({"type": "plane"})
    floor = body(made, {"collider": {"geometry": {"shape": 0}}}, name="floor")
    made.scene(floor, body(made, {"motion": {"mass": 1, "inertiaDiagonal": [1, 1, 1]}}, name="box"))
    scene = scene_of(made)
    assert [(joint.parent, joint.child, len(joint.dofs)) for joint in scene.joints.values()] == [
        ("world", "model", 0),
        ("model", "floor", 0),
        ("world", "box", 1),
    ]


def test_descendants_are_part_of_a_body_unless_they_move_themselves():
    made = world({"type": "sphere"})
    shape = {"collider": {"geometry": {"shape": 0}}}
    part = body(made, shape, name="part", translation=[1, 0, 0])
    own = body(made, {"motion": {}}, name="own", translation=[0, 1, 0])
    made.scene(body(made, {"motion": {}}, name="whole", children=[part, own], translation=[0, 0, 1]))
    scene = scene_of(made)
    assert [(geom.name, geom.pose.pos) for geom in scene.body("whole").geoms] == [("part_collision", (1.0, 0.0, 0.0))]
    joint, dof = one(scene, "own")
    assert (joint.parent, dof.kind) == ("world", DofKind.FREE)
    assert joint.pose.pos == pytest.approx((0, -1, 1))


def test_infinite_mass_is_kinematic_and_zero_of_omi_is_to_be_computed():
    made = world()
    made.scene(body(made, {"motion": {"mass": 0, "inertiaDiagonal": [0, 0, 0]}}, name="a"))
    scene = scene_of(made)
    assert scene.body("a").kinematic
    assert scene.body("a").inertial is None
    made = Made()
    said = {"motion": {"type": "dynamic", "mass": 2, "inertiaDiagonal": [0, 0, 0]}, "collider": {"shape": 0}}
    made.root["extensions"] = {"OMI_physics_shape": {"shapes": [{"type": "box", "box": {"size": [1, 1, 1]}}]}}
    made.scene(made.node(name="a", extensions={"OMI_physics_body": said}))
    scene, notes = noted(made)
    assert [note.rule for note in notes] == ["gltf/inertia"]
    assert scene.body("a").inertial.tensor[:3] == pytest.approx((1 / 3,) * 3)


@pytest.mark.parametrize(
    ("moments", "expected"),
    [([0, 0, 0], [2e6] * 3), ([1, 0, 1], [1, 2, 1]), ([1, 0, 0], [1, 2e6, 2e6]), ([1, 2, 3], [1, 2, 3])],
)
def test_a_moment_of_zero_is_infinite_in_khr(tmp_path: Path, moments: list[float], expected: list[float]):
    made = world({"type": "box"})
    said = {"motion": {"mass": 2, "inertiaDiagonal": moments}, "collider": {"geometry": {"shape": 0}}}
    made.scene(body(made, said, name="a"))
    (tmp_path / "a.glb").write_bytes(made.glb())
    for target in ("a.urdf", "a.sdf", "a.xml"):
        report = complete(convert(tmp_path / "a.glb", tmp_path / target))
        told = [each.action for each in of_rule(report, "gltf/inertia")]
        assert told == (["approximated"] if 0 in moments else [])
    model = mujoco_model(tmp_path / "a.xml")
    assert sorted(model.body("a").inertia) == pytest.approx(sorted(expected))
    data = mujoco.MjData(model)
    data.body("a").xfrc_applied[3:] = 1  # N m
    while data.time < 1:
        mujoco.mj_step(model, data)
    assert data.qvel[2] == pytest.approx(-9.81, rel=1e-2)
    if not any(moments):
        assert np.abs(data.qvel[3:]).max() < 1e-6


# colliders


@pytest.mark.parametrize(
    ("entry", "scale", "expected", "up"),
    [
        ({"type": "box", "box": {"size": [1, 2, 3]}}, [2, 1, -1], Box(size=(2.0, 2.0, 3.0)), "z"),
        ({"type": "box"}, None, Box(size=(1.0, 1.0, 1.0)), "z"),
        ({"type": "sphere", "sphere": {"radius": 2}}, [3, 3, 3], Sphere(radius=6.0), "z"),
        ({"type": "sphere"}, None, Sphere(radius=0.5), "z"),
        ({"type": "sphere", "sphere": {"radius": 1}}, [1, 2, 3], Ellipsoid(radii=(1.0, 2.0, 3.0)), "z"),
        (
            {"type": "cylinder", "cylinder": {"height": 2, "radiusTop": 1, "radiusBottom": 1}},
            [2, 3, 2],
            Cylinder(radius=2.0, length=6.0),
            "y",
        ),
        ({"type": "cylinder"}, None, Cylinder(radius=0.25, length=0.5), "y"),
        (
            {"type": "cylinder", "cylinder": {"height": 2, "radiusTop": 0, "radiusBottom": 1}},
            None,
            Cone(radius=1.0, length=2.0),
            "y",
        ),
        (
            {"type": "cylinder", "cylinder": {"height": 2, "radiusTop": 1, "radiusBottom": 0}},
            None,
            Cone(radius=1.0, length=2.0),
            "-y",
        ),
        ({"type": "capsule"}, None, Capsule(radius=0.25, length=0.5), "y"),
        ({"type": "plane", "plane": {"sizeX": 2, "sizeZ": 3}}, None, Plane(size=(2.0, 3.0), bounded=True), "y"),
    ],
    ids=str,
)
@pytest.mark.parametrize("at_root", [False, True])
def test_shapes(entry: dict[str, Any], scale: list[float] | None, expected: object, up: str, at_root: bool):
    made = world(entry)
    if at_root:  # as glTF 2.1 has it
        made.root["shapes"] = made.root.pop("extensions")[SHAPES]["shapes"]
    members = {"scale": scale} if scale else {}
    made.scene(body(made, {"motion": {}, "collider": {"geometry": {"shape": 0}}}, name="it", **members))
    (geom,) = scene_of(made).body("it").geoms
    assert (geom.role, geom.shape) == ("collision", expected)
    axis = {"z": (0, 0, 1), "y": (0, 1, 0), "-y": (0, -1, 0)}[up]
    assert rotate(geom.pose.rot, (0.0, 0.0, 1.0)) == pytest.approx(axis)


def test_a_shape_that_tapers_is_told():
    made = world({"type": "cylinder", "cylinder": {"radiusTop": 1, "radiusBottom": 2}})
    made.scene(body(made, {"collider": {"geometry": {"shape": 0}}}, name="it"))
    _, notes = noted(made)
    assert [(note.rule, note.action) for note in notes] == [("gltf/shape", "approximated")]


@pytest.mark.parametrize("target", ["urdf", "sdf", "xml"])
@pytest.mark.parametrize("parent", [False, True])
def test_a_collider_of_an_unknown_shape_is_told_and_comes_back(tmp_path: Path, target: str, parent: bool):
    entry = {"type": "torus", "torus": {"radiusInner": 0.25}}
    rubber = {"dynamicFriction": 0.5}
    made = world(entry, physicsMaterials=[rubber])
    collider = {"geometry": {"shape": 0}, "physicsMaterial": 0}
    leaf = body(made, {"collider": collider}, name="it", mesh=made.mesh())
    made.scene(made.node(name="base", children=[leaf]) if parent else leaf)
    there = convert(saved(tmp_path / "robot.glb", made.glb()), tmp_path / f"robot.{target}")
    told = [finding for finding in there.findings if finding.action == "carried"]
    assert any("torus" in finding.before for finding in told)
    complete(there)
    convert(tmp_path / f"robot.{target}", tmp_path / "back.glb")
    inside = plain_gltf(tmp_path / "back.glb").document["scenes"][0]["extras"]["kinegraph"]
    assert json.loads(inside)["graph"]["scene"]["extras"] == [
        [
            {"format": "gltf", "path": f"extensions/{BODIES}", "text": compact({"physicsMaterials": [rubber]})},
            {"format": "gltf", "path": f"extensions/{SHAPES}/shapes/0", "text": compact(entry)},
        ]
    ]
    left_of = {each["path"]: each["text"] for each in json.loads(inside)["graph"]["body/it"][0]["extras"]}
    assert left_of == {f"extensions/{BODIES}/collider": compact(collider)}


@pytest.mark.parametrize("draft", ["2026", "2025", "omi"])
def test_a_mesh_collides_in_every_draft(draft: str):
    made = Made()
    mesh = made.mesh()
    if draft == "omi":
        shapes = [{"type": "convex", "convex": {"mesh": mesh}}]
        made.root["extensions"] = {"OMI_physics_shape": {"shapes": shapes}}
        said: dict[str, Any] = {"OMI_physics_body": {"motion": {"type": "dynamic"}, "collider": {"shape": 0}}}
    else:
        geometry = {"convexHull": True, "mesh": mesh} if draft == "2026" else {"convexHull": True, "node": 0}
        said = {BODIES: {"motion": {"mass": 1, "inertiaDiagonal": [1, 1, 1]}, "collider": {"geometry": geometry}}}
    made.scene(made.node(name="it", mesh=mesh, extensions=said, scale=[2, 2, 2]))
    scene, _ = noted(made)
    seen, touched = scene.body("it").geoms
    assert (seen.role, touched.role) == ("visual", "collision")
    assert touched.shape == Mesh(asset="mesh_0", scale=(2.0, 2.0, 2.0), hull=True)
    assert scene.body("it").inertial.mass == 1.0


def test_capsules_of_omi_count_their_caps():
    made = Made(extensions={"OMI_physics_shape": {"shapes": [{"type": "capsule", "capsule": {"radius": 0.5}}]}})
    made.scene(made.node(name="it", extensions={"OMI_physics_body": {"collider": {"shape": 0}}}))
    assert scene_of(made).body("it").geoms[0].shape == Capsule(radius=0.5, length=1.0)


@pytest.mark.parametrize(("height", "told"), [(1.0, []), (0.75, ["0.75 1"])])
def test_a_capsule_without_a_middle_is_a_sphere(height: float, told: list[str]):
    """MuJoCo accepts no capsule of length 0; one that is shorter than its caps cannot exist."""
    said = {"type": "capsule", "capsule": {"radius": 0.5, "height": height}}
    made = Made(extensions={"OMI_physics_shape": {"shapes": [said]}})
    made.scene(made.node(name="it", extensions={"OMI_physics_body": {"collider": {"shape": 0}}}))
    scene, notes = noted(made)
    assert scene.body("it").geoms[0].shape == Sphere(radius=0.5)
    assert [f"{each.before} {each.after}" for each in notes if each.rule == "gltf/shape"] == told


def test_materials_and_filters():
    made = world(
        {"type": "sphere"},
        physicsMaterials=[
            {"dynamicFriction": 0.5, "staticFriction": 0.7, "restitution": 0.25, "frictionCombine": "minimum"}
        ],
        collisionFilters=[
            {"collisionSystems": ["a"], "collideWithSystems": ["b"]},
            {"collisionSystems": ["b"], "notCollideWithSystems": ["b"]},
        ],
    )
    for number, name in enumerate("ab"):
        collider = {"geometry": {"shape": 0}, "physicsMaterial": 0, "collisionFilter": number}
        body(made, {"motion": {}, "collider": collider}, name=name)
    made.scene(0, 1)
    scene, notes = noted(made)
    places = [note.source.path for note in notes if note.source is not None and note.rule == "gltf/system-names"]
    assert places == [f"/extensions/{BODIES}/collisionFilters/{number}" for number in range(2)]
    assert {note.rule for note in notes} == {"gltf/system-names", "gltf/mass"}
    a, b = (scene.body(name).geoms[0].surface for name in "ab")
    assert (a.mu, a.restitution, a.combine) == (0.5, 0.25, "minimum")
    assert (a.category, a.collide, b.category, b.collide) == (1, 2, 2, 1)
    assert json.loads(scene.notation["collisionFilters"]) == made.root["extensions"][BODIES]["collisionFilters"]
    assert set(left(scene)) == {f"extensions/{BODIES}/physicsMaterials/0/staticFriction"}


def test_a_system_that_no_collider_is_of_is_told():
    """A misspelt system excludes nothing; the masks are the same with and without it."""
    filters = [{"collisionSystems": ["a"], "notCollideWithSystems": ["a", "aa"]}, {"collideWithSystems": ["a"]}]
    made = world({"type": "sphere"}, collisionFilters=filters)
    for number, name in enumerate("ab"):
        collider = {"geometry": {"shape": 0}, "collisionFilter": number}
        body(made, {"motion": {}, "collider": collider}, name=name)
    made.scene(0, 1)
    _, notes = noted(made)
    (note,) = [note for note in notes if note.rule == "gltf/filter"]
    assert note.before == "aa" and note.source is not None
    assert note.source.path == f"/extensions/{BODIES}/collisionFilters/0/notCollideWithSystems"


@pytest.mark.parametrize(
    ("said", "told"),
    [({"dynamicFriction": 1}, 1), ({"dynamicFriction": 0.6}, 0), ({"dynamicFriction": 1, "staticFriction": 1}, 0)],
)
def test_a_friction_at_rest_that_goes_without_saying_is_told(tmp_path: Path, said: dict[str, float], told: int):
    made = world({"type": "sphere"}, physicsMaterials=[said])
    for name in "ab":
        body(made, {"motion": {}, "collider": {"geometry": {"shape": 0}, "physicsMaterial": 0}}, name=name)
    made.scene(0, 1)
    report = explained(convert(saved(tmp_path / "m.glb", made.glb()), tmp_path / "m.urdf"))
    found = of_rule(report, "gltf/friction")
    assert [each.action for each in found] == ["approximated"] * told, "once for each material"


def test_triggers_and_velocities_are_kept():
    made = world({"type": "sphere"})
    said = {"motion": {"linearVelocity": [1, 0, 0]}, "trigger": {"geometry": {"shape": 0}}}
    made.scene(body(made, said, name="it"))
    assert set(left(scene_of(made))) == {
        f"it:extensions/{BODIES}/motion/linearVelocity",
        f"it:extensions/{BODIES}/trigger",
        "extensions",
    }


# joints


# drives


# what is written is what is read; engines


ARM = """<robot name="arm">
  <link name="base"><collision><geometry><box size="1 1 0.2"/></geometry></collision></link>
  <link name="upper"><inertial><origin xyz="0 0 0.5" rpy="0.1 0.2 0.3"/><mass value="2"/>
    <inertia ixx="1" iyy="2" izz="2.5" ixy="0.1" ixz="0.2" iyz="0.3"/></inertial>
    <collision><origin xyz="0 0 0.5" rpy="0 1 0"/>
      <geometry><cylinder radius="0.1" length="1"/></geometry></collision></link>
  <link name="lower"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><sphere radius="0.3"/></geometry></collision></link>
  <link name="tool"><inertial><mass value="0.5"/>
    <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><origin xyz="0 0 0.1" rpy="1 2 3"/>
    <axis xyz="0 0.6 0.8"/><limit lower="-1" upper="2" effort="5" velocity="1"/><dynamics damping="0.25"/></joint>
  <joint name="elbow" type="continuous"><parent link="upper"/><child link="lower"/>
    <origin xyz="0.5 0 1"/><axis xyz="0 1 0"/></joint>
  <joint name="slider" type="prismatic"><parent link="lower"/><child link="tool"/><origin xyz="0 0 1" rpy="0 0.5 0"/>
    <axis xyz="1 0 0"/><limit lower="0" upper="0.5" effort="5" velocity="1"/></joint>
</robot>"""


def test_what_the_writer_says_to_physics_engines_is_what_the_reader_hears(tmp_path: Path):
    source, target = tmp_path / "arm.urdf", tmp_path / "arm.glb"
    source.write_text(ARM)
    convert(source, target)
    context = ReaderContext(file=str(target), folder=tmp_path)
    heard, said = read(unpack(target.read_bytes(), context), context), load(source)
    assert {note.rule for note in context.notes} == {"gltf/unread"}, "of the scene that shows what collides"
    at = {"shoulder": 0.7, "elbow": -2.0, "slider": 0.25}
    there = {dof.name: at[name] for name in at for dof in heard.joint_of(said.joints[name].child).dofs}
    ours, theirs = forward(said, at), forward(heard, there)
    for name in ("upper", "lower", "tool"):
        a, b = (compose(invert(poses["base"]), poses[name]) for poses in (ours, theirs))
        assert a.pos == pytest.approx(b.pos, abs=1e-12)
        assert abs(np.dot(a.rot, b.rot)) == pytest.approx(1.0)
        written, found = said.body(name), heard.body(name)
        assert found.inertial.mass == written.inertial.mass
        shapes = [{type(geom.shape) for geom in each.geoms if geom.role == "collision"} for each in (written, found)]
        assert shapes[0] == shapes[1]
    _, dof = one(heard, "upper")
    assert (dof.lower, dof.upper, dof.damping) == (-1.0, 2.0, 0.25)


def test_mujoco_swings_a_pendulum_of_gltf_with_its_period(tmp_path: Path):
    made = pendulum({"limits": HINGE})
    source = saved(tmp_path / "swing.glb", made.glb())
    convert(source, tmp_path / "swing.xml")
    model = mujoco_model(tmp_path / "swing.xml")
    model.opt.timestep = 1e-3
    state = mujoco.MjData(model)
    state.qpos[0] = 0.01
    crossings = []
    while len(crossings) < 3:
        before = state.qpos[0]
        mujoco.mj_step(model, state)
        if before > 0 >= state.qpos[0] or before < 0 <= state.qpos[0]:
            crossings.append(state.time)
    inertia, torque = 1.0 + 2.0 * 1.0**2, 2.0 * 9.81 * 1.0
    assert crossings[2] - crossings[0] == pytest.approx(2 * math.pi * math.sqrt(inertia / torque), rel=0.01)


# moments that are not given


CORNERS = np.array([[0, 0, 0], [0.3, 0, 0], [0, 0.5, 0], [0, 0, 0.7], [0.2, 0.3, 0.6]], np.float32)


def mesh_of(made: Made, faces: list[list[int]]) -> int:
    """Add a mesh of CORNERS and return its number."""
    indices = made.array(np.array(faces, np.uint32).reshape(-1))
    primitive = {
        "attributes": {"POSITION": made.array(CORNERS, min=[0, 0, 0], max=CORNERS.max(axis=0).tolist())},
        "indices": indices,
    }
    made.root.setdefault("meshes", []).append({"primitives": [primitive]})
    return len(made.root["meshes"]) - 1


@pytest.mark.parametrize("omi", [False, True])
@pytest.mark.parametrize("scale", [(1.0, 1.0, 1.0), (2.0, 1.0, -0.5)])
def test_moments_of_a_mesh_are_those_that_mujoco_works_out(omi: bool, scale: tuple[float, ...]):
    made = Made()
    mesh = mesh_of(made, [[0, 2, 1], [0, 1, 3]])
    if omi:
        made.root["extensions"] = {"OMI_physics_shape": {"shapes": [{"type": "convex", "convex": {"mesh": mesh}}]}}
        motion = {"type": "dynamic", "mass": 2, "inertiaDiagonal": [0, 0, 0]}
        said: dict[str, Any] = {"OMI_physics_body": {"motion": motion, "collider": {"shape": 0}}}
    else:
        geometry = {"mesh": mesh, "convexHull": True}
        said = {BODIES: {"motion": {"mass": 2}, "collider": {"geometry": geometry}}}
    made.scene(made.node(name="it", extensions=said, scale=list(scale)))
    scene, notes = noted(made)
    assert [note.rule for note in notes if note.rule == "gltf/inertia"] == ["gltf/inertia"]
    inertial = scene.body("it").inertial
    points = " ".join(f"{value:.9g}" for value in (CORNERS * scale).ravel())
    model = mujoco.MjModel.from_xml_string(
        f"""<mujoco><compiler balanceinertia="false"/><asset><mesh name="m" vertex="{points}" inertia="convex"/></asset>
        <worldbody><body><freejoint/><geom type="mesh" mesh="m" mass="2"/></body></worldbody></mujoco>"""
    )
    assert inertial.mass == 2
    assert inertial.pose.pos == pytest.approx(tuple(model.body_ipos[1]), abs=1e-6)
    assert sorted(principal(inertial.tensor)[1]) == pytest.approx(sorted(model.body_inertia[1]), rel=1e-5)


def test_what_collides_below_a_body_weighs_as_its_part():
    made = Made()
    geometry = {"mesh": mesh_of(made, [[0, 2, 1], [0, 1, 3]]), "convexHull": True}
    turn = [math.sin(0.25), 0, 0, math.cos(0.25)]
    hull = body(made, {"collider": {"geometry": geometry}}, name="hull", rotation=turn)
    leaning = made.node(name="leaning", scale=[1.0, 2.0, 3.0], translation=[0.5, 0, 1], children=[hull])
    still = body(made, {"collider": {"geometry": geometry}, "motion": {"mass": 7}}, name="apart", translation=[9, 9, 9])
    made.scene(body(made, {"motion": {"mass": 2}}, name="it", children=[leaning, still]))
    turned = np.array([[1, 0, 0], [0, math.cos(0.5), -math.sin(0.5)], [0, math.sin(0.5), math.cos(0.5)]])
    corners = CORNERS @ (np.diag([1.0, 2.0, 3.0]) @ turned).T + [0.5, 0, 1]
    model = mujoco.MjModel.from_xml_string(
        f"""<mujoco><compiler balanceinertia="false"/><asset>
        <mesh name="m" vertex="{" ".join(f"{value:.17g}" for value in corners.ravel())}" inertia="convex"/></asset>
        <worldbody><body><freejoint/><geom type="mesh" mesh="m" mass="2"/></body></worldbody></mujoco>"""
    )
    inertial = noted(made)[0].body("it").inertial
    assert (inertial.mass, inertial.pose.pos) == (2, pytest.approx(tuple(model.body_ipos[1]), abs=1e-6))
    assert sorted(principal(inertial.tensor)[1]) == pytest.approx(sorted(model.body_inertia[1]), rel=1e-5)


def test_moments_that_nothing_gives_are_told():
    made = Made()
    mesh = mesh_of(made, [[0, 2, 1]])
    made.root["extensions"] = {SHAPES: {"shapes": [{"type": "plane"}]}}
    flat = body(made, {"motion": {"mass": 2}, "collider": {"geometry": {"shape": 0}}}, name="flat")
    free = body(made, {"motion": {}, "collider": {"geometry": {"mesh": mesh, "convexHull": True}}}, name="free")
    made.scene(flat, free)
    scene, notes = noted(made)
    assert [(note.rule, note.where, note.action) for note in notes] == [
        ("gltf/inertia", "body/flat.inertial", "derived"),
        ("gltf/mass", "body/free.inertial", "approximated"),
    ]
    assert scene.body("flat").inertial.tensor == (0.0,) * 6
    assert scene.body("free").inertial is None
