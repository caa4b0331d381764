"""Scenes that a program builds and no source contains: loops that are open in the initial pose, coordinates of loops,
models without links, other spellings. Each is written to every format with a reason for every loss."""

from __future__ import annotations

from pathlib import Path

import mujoco
import pytest
from lxml import etree
from msgspec.structs import replace

from converters import InputError, convert, read, write
from converters.context import Options
from ir.scene import Scene
from ir.types import (
    WORLD,
    Actuator,
    Body,
    Box,
    Camera,
    Constraint,
    Couple,
    Dof,
    DofKind,
    Extra,
    Geom,
    Inertial,
    Joint,
    Keyframe,
    Material,
    Mimic,
    Pose,
    Role,
    Scope,
    Sensor,
    Surface,
    Tendon,
    TendonPoint,
)
from tests.converters.test_true_reasons import PNG
from tests.files import saved
from tests.formats.sdf_links import TETRAHEDRON
from tests.oracles.in_sdformat import sdformat_reads
from tests.reports import explained, of_rule

TARGETS = ("urdf", "sdf", "xml", "glb")
SOLID = Inertial(mass=1.0, tensor=(0.1, 0.1, 0.1, 0.0, 0.0, 0.0))


def hinge(name: str, **values: object) -> Dof:
    return replace(Dof(name=name, kind=DofKind.HINGE), **values)


def chain(*names: str) -> Scene:
    """Return links above each other on hinges q1, q2 ..., the first of them fixed to the world."""
    scene = Scene("r")
    for number, name in enumerate(names):
        scene.add_body(Body(name=name, inertial=SOLID))
        pose = Pose((0.0, 0.0, 0.3))
        dofs = (hinge(f"q{number}", axis=(0.0, 1.0, 0.0)),) if number else ()
        scene.add_joint(
            Joint(name=f"j{number}", parent=names[number - 1] if number else WORLD, child=name, pose=pose, dofs=dofs)
        )
    return scene


def closed(pose: Pose, *dofs: Dof) -> Scene:
    """Return three links, the first of which is connected to the last by a loop joint."""
    scene = chain("a", "b", "c")
    scene.add_joint(Joint(name="tie", parent="c", child="a", pose=pose, dofs=dofs, closes_loop=True))
    return scene


def counted() -> Scene:
    """Return a scene that references the loop coordinate q in every possible way."""
    scene = closed(Pose((0.0, 0.0, -0.6)), hinge("q", axis=(0.0, 1.0, 0.0)))
    points = (TendonPoint(kind="joint", target="q1", value=1.0), TendonPoint(kind="joint", target="q", value=2.0))
    scene.add("tendon", Tendon(name="sum", kind="fixed", points=points))
    scene.add("tendon", Tendon(name="own", kind="fixed", points=points[:1]))
    scene.add("actuator", Actuator(name="motor", kind="motor", dof="q"))
    scene.add("sensor", Sensor(name="angle", kind="joint_position", target="q"))
    scene.add("keyframe", Keyframe(name="both", positions=(("q1", (0.5,)), ("q", (0.3,)))))
    scene.add("keyframe", Keyframe(name="only", positions=(("q", (0.3,)),), controls=(("motor", (1.0,)),)))
    spec = Couple(first="q", coefficients=(0.1, 0.0, 0.0, 0.0, 0.0))
    scene.add_constraint(Constraint(name="still", parent="a", child="a", spec=spec))
    return scene


@pytest.mark.parametrize("target", TARGETS)
def test_what_speaks_of_the_coordinate_of_a_loop_is_told_where_it_has_no_place(tmp_path: Path, target: str):
    scene, out = counted(), tmp_path / f"r.{target}"
    report = explained(write(scene, out))
    if target in ("urdf", "xml"):
        told = {finding.where for finding in of_rule(report, "loops/coordinate")}
        assert {"tendon/sum", "actuator/motor", "sensor/angle", "keyframe/only", "constraint/still"} <= told
        assert "tendon/own" not in told
    if target == "xml":
        model = mujoco.MjModel.from_xml_path(str(out))
        assert (model.neq, model.nu, model.ntendon, model.nkey) == (2, 0, 1, 1)
    back = read(out)
    assert (back.tables["tendon"], back.tables["actuator"]) == (scene.tables["tendon"], scene.tables["actuator"])
    assert back.constraints == scene.constraints


def test_a_loop_that_is_open_as_the_model_is_drawn_is_closed_in_sdf_and_told(tmp_path: Path):
    scene = closed(Pose((0.1, 0.0, -0.6)), hinge("tie"))
    report = explained(write(scene, tmp_path / "r.sdf"))
    assert {finding.where for finding in of_rule(report, "sdf/loop-open")} == {"loop/tie.pose.pos"}
    assert sdformat_reads(tmp_path / "r.sdf")["errors"] == []
    assert read(tmp_path / "r.sdf").joints["tie"].pose.pos == (0.1, 0.0, -0.6)


def test_which_of_two_joints_of_a_link_closes_a_loop_is_told_where_sdf_takes_the_other(tmp_path: Path):
    scene = Scene("r")
    for name in ("a", "b", "c"):
        scene.add_body(Body(name=name, inertial=SOLID))
    scene.add_joint(Joint(name="held", parent="b", child="c", mount=Pose((0.0, 0.1, 0.0))))
    scene.add_joint(Joint(name="tie", parent="a", child="c", dofs=(hinge("tie"),), closes_loop=True))
    report = explained(write(scene, tmp_path / "r.sdf"))
    assert "loop/held" in {finding.where for finding in of_rule(report, "sdf/loop")}
    assert {name: joint.closes_loop for name, joint in read(tmp_path / "r.sdf").joints.items()} == {
        "held": False,
        "tie": True,
    }


def test_another_root_of_a_ring_is_told_where_sdf_takes_one(tmp_path: Path):
    scene = Scene("r")
    for name, scope in (("a", "arm"), ("b", "")):
        scene.add_body(Body(name=name, inertial=SOLID, scope=scope))
    scene.add("scope", Scope(name="arm"))
    scene.add_joint(Joint(name="held", parent="a", child="b"))
    scene.add_joint(Joint(name="tie", parent="b", child="a", dofs=(hinge("tie"),), closes_loop=True))
    report = explained(write(scene, tmp_path / "r.sdf"))
    assert "joint/held.dofs" in {finding.where for finding in of_rule(report, "sdf/loop")}


@pytest.mark.parametrize("motion", [(), ("only=FILE",)])
def test_a_motion_of_a_loop_alone_moves_no_node(tmp_path: Path, motion: tuple[str, ...]):
    table = saved(tmp_path / "m.csv", "time,q\n0,0\n1,0.5\n")
    options = Options(trajectory=tuple(each.replace("FILE", str(table)) for each in motion))
    report = explained(write(counted(), tmp_path / "r.glb", options=options))
    told = {finding.where for finding in of_rule(report, "gltf/motion")}
    assert told == {"motion/pose:both.q", *(["motion/only"] if motion else [])}


@pytest.mark.parametrize("target", TARGETS)
def test_a_model_without_a_link_is_none_in_sdf(tmp_path: Path, target: str):
    scene = chain("a", "b")
    scene = scene.evolve(
        bodies=[replace(body, scope="arm") if body.name == "b" else body for body in scene.bodies.values()]
    )
    for name, parent in (("arm", ""), ("arm::hand", "arm"), ("arm::hand::finger", "arm::hand")):
        scene.add("scope", Scope(name=name, parent=parent, pose=Pose((1.0, 0.0, 0.0))))
    report = explained(write(scene, tmp_path / f"r.{target}"))
    if target == "sdf":
        told = {finding.where for finding in of_rule(report, "sdf/empty-model")}
        assert told == {"scope/arm::hand", "scope/arm::hand::finger"}
        assert sdformat_reads(tmp_path / "r.sdf")["errors"] == []
    assert read(tmp_path / f"r.{target}").tables["scope"] == scene.tables["scope"]


def test_an_empty_model_in_a_static_one_says_that_it_is_static(tmp_path: Path):
    scene = Scene("r")
    scene.add_body(Body(name="a", inertial=SOLID, scope="arm"))
    for name, parent in (("arm", ""), ("arm::hand", "arm")):
        scene.add("scope", Scope(name=name, parent=parent, static=True))
    explained(write(scene, tmp_path / "r.sdf"))
    assert sdformat_reads(tmp_path / "r.sdf")["errors"] == []


def test_an_empty_model_stays_static_where_the_others_are_let_go(tmp_path: Path):
    still = "<static>true</static>"
    inner = f'<link name="a"/><model name="n">{still}</model>'
    (tmp_path / "r.sdf").write_text(f'<sdf version="1.9"><model name="m">{still}{inner}</model></sdf>')
    explained(convert(tmp_path / "r.sdf", tmp_path / "s.sdf", options=Options(base="floating")))
    models = etree.parse(tmp_path / "s.sdf").iter("model")
    assert {model.get("name"): model.findtext("static") for model in models} == {"m": None, "n": "true"}


@pytest.mark.parametrize("said", ["", "<static>false</static>"])
def test_an_empty_model_in_a_static_one_that_does_not_say_so_is_refused(tmp_path: Path, said: str):
    inner = f'<link name="a"/><model name="n">{said}</model>'
    (tmp_path / "r.sdf").write_text(f'<sdf version="1.9"><model name="m"><static>true</static>{inner}</model></sdf>')
    assert sdformat_reads(tmp_path / "r.sdf")["errors"] != []
    with pytest.raises(InputError, match="only a static model may be empty"):
        read(tmp_path / "r.sdf")


@pytest.mark.parametrize("version", ["1.6", "1.9", "1.10"])
def test_a_screw_without_a_pitch_turns(tmp_path: Path, version: str):
    scene = Scene("r")
    scene.add_body(Body(name="a", inertial=SOLID))
    scene.add_body(Body(name="b", inertial=SOLID))
    dof = Dof(name="q", kind=DofKind.SCREW, pitch=0.0)
    scene.add_joint(Joint(name="q", parent="a", child="b", dofs=(dof,)))
    report = explained(write(scene, tmp_path / "r.sdf", options=Options(sdf_version=version)))
    older = version != "1.10"
    assert ("revolute" in (tmp_path / "r.sdf").read_text() or "continuous" in (tmp_path / "r.sdf").read_text()) is older
    assert bool(of_rule(report, "sdf/screw-flat")) is older
    assert read(tmp_path / "r.sdf").joints["q"].dofs[0].kind is DofKind.SCREW


def test_of_a_root_that_floats_by_choice_and_hangs_on_another_tree_nothing_goes_on(tmp_path: Path):
    scene = Scene("r")
    for name in ("a", "b", "c"):
        scene.add_body(Body(name=name, inertial=SOLID))
    scene.add_joint(Joint(name="weld", parent="b", child="c"))
    scene.add_joint(Joint(name="tie", parent="c", child="a", dofs=(hinge("q"),), closes_loop=True))
    explained(write(scene, tmp_path / "r.xml", options=Options(base="floating")))
    explained(convert(tmp_path / "r.xml", tmp_path / "r.glb"))


def test_a_root_that_floats_by_choice_and_that_a_loop_holds_elsewhere_comes_back(tmp_path: Path):
    scene = chain("a")
    scene.add_body(Body(name="b", inertial=SOLID))
    scene.add_joint(Joint(name="tie", parent="a", child="b", dofs=(hinge("q"),), closes_loop=True))
    explained(write(scene, tmp_path / "r.xml", options=Options(base="floating")))
    for source, target in (("r.xml", "r.sdf"), ("r.sdf", "s.xml"), ("s.xml", "r.urdf"), ("r.sdf", "r.glb")):
        explained(convert(tmp_path / source, tmp_path / target))


def test_what_follows_an_axis_of_a_universal_joint_follows_it_under_the_name_that_sdf_has(tmp_path: Path):
    scene = chain("a", "b", "c")
    twice = (hinge("q1", axis=(0.0, 1.0, 0.0)), hinge("p1", axis=(1.0, 0.0, 0.0)))
    scene = scene.evolve(
        joints=[
            replace(each, dofs=twice)
            if each.name == "j1"
            else replace(each, dofs=tuple(replace(dof, mimic=Mimic(dof="p1")) for dof in each.dofs))
            for each in scene.joints.values()
        ]
    )
    explained(write(scene, tmp_path / "r.xml"))
    report = explained(convert(tmp_path / "r.xml", tmp_path / "r.sdf"))
    assert read(tmp_path / "r.sdf").joints["j2"].dofs[0].mimic == Mimic(dof="p1")
    assert "joint/j2.dofs.0.mimic.dof" in {finding.where for finding in of_rule(report, "sdf/name")}


def test_the_aspect_of_a_lens_differs_in_the_last_digit(tmp_path: Path):
    scene = chain("a")
    camera = Camera(name="eye", fov_y=0.480199, aspect=0.060354)
    scene.add("sensor", Sensor(name="s", kind="camera", body="a", camera=camera))
    explained(write(scene, tmp_path / "r.sdf"))


def test_a_joint_of_one_axis_of_another_name_keeps_its_frame(tmp_path: Path):
    mount = Pose((0.1, 0.2, 0.0), (0.6, 0.8, 0.0, 0.0))
    scene = chain("a", "b")
    scene = scene.evolve(joints=[replace(each, mount=mount if each.dofs else None) for each in scene.joints.values()])
    report = explained(write(scene, tmp_path / "r.sdf"))
    assert [finding.where for finding in report.findings if "mount" in finding.where] == ["joint/j1.mount.pos"]


@pytest.mark.parametrize("target", TARGETS)
def test_a_sensor_at_a_joint_of_one_axis_of_another_name_stays_there(tmp_path: Path, target: str):
    scene = chain("a", "b")
    scene.add("sensor", Sensor(name="s", kind="force_torque", body="b", target="j1"))
    explained(write(scene, tmp_path / f"r.{target}"))
    assert read(tmp_path / f"r.{target}").tables["sensor"] == scene.tables["sensor"]
    if target == "sdf":
        assert etree.parse(tmp_path / "r.sdf").find(".//joint[@name='q1']/sensor") is not None


def test_the_slide_of_a_screw_follows_its_turn_from_wherever_the_model_is_drawn(tmp_path: Path):
    scene = chain("a", "b")
    screw = Dof(name="s", kind=DofKind.SCREW, pitch=0.02, zero=0.7)
    scene = scene.evolve(
        joints=[replace(joint, dofs=(hinge("h"), screw)) if joint.dofs else joint for joint in scene.joints.values()]
    )
    for target in TARGETS:
        explained(write(scene, tmp_path / f"r.{target}"))


def test_a_joint_that_moves_too_little_to_tell_moves_what_it_carries(tmp_path: Path):
    scene = chain("a", "b", "c")
    pose = Pose((2.0, 0.0, 0.0))
    scene = scene.evolve(joints=[replace(joint, pose=pose) for joint in scene.joints.values()])
    scene.add("keyframe", Keyframe(name="k", positions=(("q1", (1.9e-5,)), ("q2", (0.5,)))))
    explained(write(scene, tmp_path / "r.glb"))


def test_a_free_joint_inside_the_tree_that_a_loop_takes_the_place_of(tmp_path: Path):
    scene = Scene("r")
    for name in ("a", "b", "c"):
        scene.add_body(Body(name=name, inertial=SOLID))
    free = Dof(name="f", kind=DofKind.FREE)
    scene.add_joint(Joint(name="loose", parent=WORLD, child="b", dofs=(replace(free, name="g"),)))
    scene.add_joint(Joint(name="inner", parent="b", child="c", dofs=(free,)))
    scene.add_joint(Joint(name="tie", parent="c", child="a", closes_loop=True))
    explained(write(scene, tmp_path / "r.xml"))


@pytest.mark.parametrize("text", ["<note a='1'/>", "<note a='1'></note>", ' <note  a="1" />'])
def test_words_that_a_program_puts_into_a_scene_are_those_that_a_reader_would_keep(tmp_path: Path, text: str):
    scene = Scene("r")
    extra = Extra(format="urdf", path="note[1]", text=text)
    scene.add_body(Body(name="a", extras=(extra,)))
    assert write(scene, tmp_path / "r.urdf").findings == ()
    assert read(tmp_path / "r.urdf").bodies["a"].extras == (replace(extra, text='<note a="1"/>'),)


@pytest.mark.parametrize(
    ("path", "text", "said"),
    [
        ("note[1]", "<note", "an extra at 'note.1.': '<note' is no element"),
        ("a[1]", "<b/>", "an extra at 'a.1.' is a <b>"),
    ],
)
def test_words_that_are_none_are_refused(tmp_path: Path, path: str, text: str, said: str):
    scene = Scene("r", extras=(Extra(format="urdf", path=path, text=text),))
    with pytest.raises(InputError, match=said):
        write(scene, tmp_path / "r.urdf")


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    "joints",
    [
        "<freejoint name='f'/><freejoint name='g'/>",
        "<joint/><freejoint/>",
        "<joint axis='0 1 0'/><freejoint/>",
        "<freejoint/><joint axis='0 1 0'/>",
    ],
)
def test_a_second_joint_of_a_body_that_floats_is_none_of_an_axis(tmp_path: Path, joints: str, target: str):
    body = f'<body name="a">{joints}<geom size=".1"/></body>'
    (tmp_path / "s.xml").write_text(f"<mujoco><worldbody>{body}</worldbody></mujoco>")
    explained(convert(tmp_path / "s.xml", tmp_path / f"r.{target}"))


def test_a_plane_of_a_body_that_is_let_go_is_none_in_mujoco(tmp_path: Path):
    floor = '<geom name="floor" type="plane" size="1 1 .1" contype="0" conaffinity="0"/>'
    body = f'<body name="a"><geom size=".1"/>{floor}</body>'
    (tmp_path / "s.xml").write_text(f"<mujoco><worldbody>{body}</worldbody></mujoco>")
    report = explained(convert(tmp_path / "s.xml", tmp_path / "r.xml", options=Options(base="floating")))
    assert [finding.where for finding in of_rule(report, "mjcf/geom-not-written")] == ["body/a.geoms.floor"]
    mujoco.MjModel.from_xml_path(str(tmp_path / "r.xml"))


@pytest.mark.parametrize("depth", [2, 260])
def test_a_free_joint_inside_the_tree_stays_in_the_document_of_its_author(tmp_path: Path, depth: int):
    bodies = "<body><joint/><geom size='.1'/>" * depth + "<body><freejoint/><geom size='.1'/></body>"
    (tmp_path / "s.xml").write_text(f"<mujoco><worldbody>{bodies}{'</body>' * depth}</worldbody></mujoco>")
    explained(convert(tmp_path / "s.xml", tmp_path / "r.xml"))
    assert "<freejoint" in (tmp_path / "r.xml").read_text()


@pytest.mark.parametrize("version", ["1.6", "1.7", "1.8"])
def test_links_of_a_model_that_stands_nowhere_are_none_in_an_older_version(tmp_path: Path, version: str):
    nowhere = '<model name="n"><pose relative_to="nothing">1 0 0 0 0 0</pose><link name="a"/></model>'
    world = f'<world name="w">{nowhere}<model name="m"><link name="a"/></model></world>'
    (tmp_path / "s.sdf").write_text(f'<sdf version="1.8">{world}</sdf>')
    explained(convert(tmp_path / "s.sdf", tmp_path / "r.sdf", options=Options(sdf_version=version)))
    assert "n::a" not in read(tmp_path / "r.sdf").bodies


@pytest.mark.parametrize("order", ["ab", "ba"])
def test_heights_without_an_image_beside_those_of_an_image_that_moves(tmp_path: Path, order: str):
    image = tmp_path / "source" / "heightmap.png"
    image.parent.mkdir()
    image.write_bytes(PNG)
    said = {"a": "<heightmap><size>1 1 1</size></heightmap>", "b": "<heightmap><uri>heightmap.png</uri></heightmap>"}
    seen = "".join(f'<visual name="{each}"><geometry>{said[each]}</geometry></visual>' for each in order)
    (image.parent / "s.sdf").write_text(
        f'<sdf version="1.9"><model name="m"><link name="l">{seen}</link></model></sdf>'
    )
    explained(convert(image.parent / "s.sdf", tmp_path / "r.sdf"))
    assert [geom.shape for geom in read(tmp_path / "r.sdf").geoms()] == [
        geom.shape for geom in read(image.parent / "s.sdf").geoms()
    ]


def test_two_meshes_of_an_mjcf_that_are_one_file_are_one_in_urdf(tmp_path: Path):
    (tmp_path / "solid.obj").write_text(TETRAHEDRON)
    meshes = '<mesh name="one" file="solid.obj"/><mesh name="solid" file="solid.obj" inertia="shell"/>'
    bodies = "".join(f'<body><geom type="mesh" mesh="{name}"/></body>' for name in ("one", "solid"))
    (tmp_path / "r.xml").write_text(f"<mujoco><asset>{meshes}</asset><worldbody>{bodies}</worldbody></mujoco>")
    explained(convert(tmp_path / "r.xml", tmp_path / "r.urdf"))


def test_an_ambient_colour_that_is_the_diffuse_one_is_told_as_that(tmp_path: Path):
    scene = Scene("r")
    scene.add("material", Material(name="m", rgba=(1.0, 0.5, 0.0, 1.0), ambient=(1.0, 0.5, 0.0, 1.0)))
    geom = Geom(name="g", role=Role.VISUAL, shape=Box(size=(1.0, 1.0, 1.0)), material="m")
    scene.add_body(Body(name="a", inertial=SOLID, geoms=(geom,)))
    report = explained(write(scene, tmp_path / "r.sdf"))
    assert [finding.where for finding in of_rule(report, "sdf/material-colour")] == ["material/m.ambient"]


@pytest.mark.parametrize("role", [Role.VISUAL, Role.COLLISION, "collision_checking"])
def test_masks_of_what_is_only_seen_make_it_touch_nothing(tmp_path: Path, role: str):
    scene = Scene("r")
    surface = Surface(category=3, collide=5)
    geom = Geom(name="g", role=role, shape=Box(size=(1.0, 1.0, 1.0)), surface=surface)
    scene.add_body(Body(name="a", inertial=SOLID, geoms=(geom,)))
    explained(write(scene, tmp_path / "r.xml"))
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "r.xml"))
    assert (*model.geom_contype, *model.geom_conaffinity) == ((3, 5) if role == Role.COLLISION else (0, 0))


def test_a_light_that_is_an_area_has_its_reason_in_the_gazebo_block_of_a_urdf(tmp_path: Path):
    text = '<sdf version="1.9"><model name="m"><link name="l"><light name="s" type="spot"/></link></model></sdf>'
    (tmp_path / "m.sdf").write_text(text)
    spot = read(tmp_path / "m.sdf")
    body = spot.bodies["l"]
    area = replace(body, lights=(replace(body.lights[0], kind="area"),))
    scene = spot.evolve(bodies=[area if each is body else each for each in spot.bodies.values()])
    report = write(scene, tmp_path / "m.urdf", options=Options(carry=False))
    assert [each.rule for each in report.findings if each.where.endswith(".kind")] == ["urdf/light-kind"]
