"""The tree of bodies against MuJoCo: what it compiles is what is read, written again, and meant in URDF."""

from __future__ import annotations

import struct
from pathlib import Path

import mujoco
import numpy as np
import pytest

from converters.context import InputError
from converters.convert import convert, read
from converters.mjcf.interpret import passes
from converters.reading import loaded
from converters.registry import Fits, Target
from converters.report.model import Action
from ir.kinematics import forward
from ir.pose import body_tensor, matrix
from ir.scene import Scene
from ir.types import WORLD, DofKind, Mesh, Sphere
from tests.oracles.in_mujoco import matrix as rotation, mujoco_model
from tests.oracles.in_pinocchio import configuration, pinocchio_model

ARRAYS = (
    *(
        "body_pos",
        "body_quat",
        "body_mass",
        "body_inertia",
        "body_ipos",
        "body_iquat",
        "body_parentid",
        "body_gravcomp",
    ),
    *("jnt_type", "jnt_pos", "jnt_axis", "jnt_range", "jnt_limited", "jnt_stiffness", "dof_damping", "dof_armature"),
    *("dof_frictionloss", "qpos0", "qpos_spring", "jnt_actfrcrange", "jnt_solref", "jnt_margin"),
    *("geom_type", "geom_size", "geom_pos", "geom_quat", "geom_contype", "geom_conaffinity", "geom_friction"),
    *("geom_condim", "geom_group", "geom_rgba", "geom_solref", "geom_margin", "geom_matid", "site_pos", "site_quat"),
    *("site_size", "site_type", "mesh_vert", "mesh_face", "actuator_trnid", "actuator_gainprm", "exclude_signature"),
)


def saved(folder: Path, text: str, **others: str) -> Path:
    """The main file, with the files beside it: name__sub stands for sub/name."""
    for name, content in others.items():
        path = folder / ("/".join(reversed(name.split("__"))) + ".xml")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    main = folder / "in.xml"
    main.write_text(text)
    return main


def ordered(scene: Scene) -> list[str]:
    return [body.name for _, body in scene.walk()]


def meant(scene: Scene) -> Scene:
    """The scene as other formats get it."""
    for each in passes():
        scene = each.apply(scene, Target(fits=Fits(), load=loaded))
    return scene


def check_poses(path: Path, scene: Scene) -> None:
    """Bodies, geoms and sites at ten random configurations."""
    model = mujoco_model(path)
    data = mujoco.MjData(model)
    names = ordered(scene)
    assert len(names) == model.nbody
    dofs = [dof for joint, _ in scene.walk() if joint is not None for dof in joint.dofs]
    dice = np.random.default_rng(1)
    for _ in range(10):
        data.qpos[:] = dice.normal(size=model.nq)
        mujoco.mj_normalizeQuat(model, data.qpos)
        mujoco.mj_kinematics(model, data)
        values, at = {}, 0
        for dof in dofs:
            size = {DofKind.FREE: 7, DofKind.BALL: 4}.get(dof.kind, 1)
            values[dof.name] = tuple(data.qpos[at : at + size].tolist())
            at += size
        assert at == model.nq
        poses = forward(scene, values)
        for index, name in enumerate(names):
            assert np.allclose(poses[name].pos, data.xpos[index], atol=1e-9)
            assert np.allclose(matrix(poses[name].rot), data.xmat[index].reshape(3, 3), atol=1e-9)
    for index, name in enumerate(names):
        body = scene.body(name)
        sites = [site for site in range(model.nsite) if model.site_bodyid[site] == index]
        for frame, site in zip(body.frames, sites, strict=True):
            assert np.allclose(frame.pose.pos, model.site_pos[site], atol=1e-9)
            assert np.allclose(matrix(frame.pose.rot), rotation(model.site_quat[site]), atol=1e-9)


def check_inertia(path: Path, scene: Scene, tolerance: float = 1e-9) -> None:
    model = mujoco_model(path)
    scene = meant(scene)
    for index, name in enumerate(ordered(scene)):
        inertial = scene.body(name).inertial
        if name == WORLD or (inertial is None and model.body_mass[index] == 0):
            continue
        assert inertial is not None
        assert inertial.mass == pytest.approx(model.body_mass[index], rel=tolerance)
        assert np.allclose(inertial.pose.pos, model.body_ipos[index], atol=tolerance)
        axes = rotation(model.body_iquat[index])
        tensor = axes @ np.diag(model.body_inertia[index]) @ axes.T
        xx, yy, zz, xy, xz, yz = body_tensor(inertial)
        found = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        assert np.allclose(found, tensor, atol=tolerance * np.abs(tensor).max())


def check_again(path: Path, folder: Path) -> str:
    """MJCF of MJCF in another folder compiles to the same model, and so does the plain spelling; gives the text."""
    target = folder / "again" / "out.xml"
    target.parent.mkdir()
    report = convert(path, target)
    assert report.total(Action.UNEXPLAINED) == report.total(Action.DROPPED) == 0
    one, other = mujoco_model(path), mujoco_model(target)
    for name in ("nbody", "nq", "nv", "ngeom", "nsite", "nu", "nmesh", "nexclude"):
        assert getattr(one, name) == getattr(other, name), name
    for kind, count in ((mujoco.mjtObj.mjOBJ_BODY, one.nbody), (mujoco.mjtObj.mjOBJ_JOINT, one.njnt)):
        for index in range(count):
            assert mujoco.mj_id2name(one, kind, index) == mujoco.mj_id2name(other, kind, index)
    for name in ARRAYS:
        assert np.allclose(getattr(one, name), getattr(other, name), rtol=1e-9, atol=1e-12), name
    return target.read_text()


def check(folder: Path, text: str, **others: str) -> Scene:
    path = saved(folder, text, **others)
    scene = read(path)
    check_poses(path, scene)
    check_inertia(path, scene)
    check_again(path, folder)
    check_plain(path, scene, folder)
    return scene


def check_plain(path: Path, scene: Scene, folder: Path) -> None:
    """Without the notes on how it was spelled the scene still means the same."""
    from converters.mjcf.writing.rendering import render
    from converters.source.tree import document

    plain = path.with_name("plain.xml")
    plain.write_bytes(document(render(scene)))
    one, other = mujoco_model(path), mujoco_model(plain)
    for model in (one, other):  # MuJoCo leaves a range in degrees where it limits nothing
        model.jnt_range[model.jnt_limited == 0] = 0
    for name in ARRAYS:
        if name not in ("body_inertia", "body_iquat"):  # whose axes may change places
            assert np.allclose(getattr(one, name), getattr(other, name), rtol=1e-9, atol=1e-9), name
    check_inertia(plain, scene)


def body(inner: str, outer: str = "") -> str:
    return f"<mujoco>{outer}<worldbody><body name='b' pos='1 2 3'>{inner}</body></worldbody></mujoco>"


# --------------------------------------------------------------------------------------------------- compiler, classes


@pytest.mark.parametrize("sequence", ["xyz", "XYZ", "zyx", "Xyz"])
def test_angles_follow_the_sequence_and_are_no_roll_pitch_yaw(sequence: str, tmp_path: Path):
    scene = check(tmp_path, body("<geom size='1' pos='1 0 0' euler='10 20 30'/>", f"<compiler eulerseq='{sequence}'/>"))
    assert scene.body("b").geoms[0].pose.rot[0] < 1


def test_the_last_compiler_counts_also_when_it_is_included(tmp_path: Path):
    text = """<mujoco><compiler angle="degree"/><include file="sub/late.xml"/><worldbody><body name="b">
      <joint name="j" range="-1 1"/><geom size="1"/></body></worldbody></mujoco>"""
    scene = check(tmp_path, text, late__sub='<mujocoinclude><compiler angle="radian"/></mujocoinclude>')
    assert scene.joints["j"].dofs[0].upper == 1.0


def test_classes_nest_and_frames_hand_them_on(tmp_path: Path):
    text = """<mujoco><default><default class="sub"><geom size=".2"/><site pos="1 0 0" size=".3"/></default>
        <geom size=".1" friction=".5 .01" solimp=".8 .9"/><joint damping="3" solreflimit=".01 1" margin=".1"/></default>
      <default><geom size=".3"/></default>
      <worldbody><body name="b" childclass="sub"><joint name="j" solreflimit=".02"/><geom/><geom class="main"/><site/>
        <body name="c"><geom friction=".7"/></body></body>
        <frame childclass="sub"><geom/></frame><geom/></worldbody></mujoco>"""
    scene = check(tmp_path, text)
    radii = [geom.shape.radius for name in ("b", "c", WORLD) for geom in scene.body(name).geoms]
    assert radii == [0.2, 0.3, 0.2, 0.2, 0.3]
    assert scene.body("c").geoms[0].surface.torsional == 0.01


def test_the_orientation_of_an_element_wins_over_another_form_of_its_default(tmp_path: Path):
    text = body("<geom size='1 2 3' type='box' quat='0 1 0 0'/>", "<default><geom euler='10 20 30'/></default>")
    assert check(tmp_path, text).body("b").geoms[0].pose.rot == (0.0, 1.0, 0.0, 0.0)


def test_a_limit_needs_autolimits_or_to_be_said(tmp_path: Path):
    inner = "<geom size='1'/><joint name='h' range='-90 90' limited='{}'/><joint name='s' type='slide' range='-2 2'/>"
    scene = check(tmp_path, body(inner.format("false")))
    hinge, slide = scene.joints["joint_b"].dofs
    assert (hinge.lower, slide.lower) == (None, -2.0)


# ------------------------------------------------------------------------------------------------ frames, copies, files


def test_frames_around_everything(tmp_path: Path):
    text = body(
        """<frame pos="1 0 0" euler="10 20 30"><frame name="f" pos="0 2 0" axisangle="0 1 0 40" childclass="main">
        <joint name="j" axis="1 0 0" pos="0 0 .5"/><inertial pos=".1 0 0" mass="2" diaginertia="1 2 2.5"/>
        <geom type="box" size=".1 .2 .3" pos="0 0 1"/><site name="s" zaxis="1 0 0"/>
        <body name="c" pos="0 0 3"><freejoint/><geom size="1"/></body></frame></frame>""".replace("<freejoint/>", "")
    )
    check(tmp_path, text)


def test_copies_are_counted_named_and_driven(tmp_path: Path):
    text = """<mujoco><worldbody><replicate count="12" sep="-" offset="1 0 0" euler="0 0 30">
        <body name="b" pos="0 0 1"><joint name="j"/><geom name="g" size=".1"/><geom size=".1"/></body></replicate>
      </worldbody><actuator><motor name="m" joint="j" gear="5"/></actuator></mujoco>"""
    scene = check(tmp_path, text)
    names = [f"b-{number:02}" for number in range(12)]
    assert list(scene.bodies) == [*names, WORLD]
    assert [actuator.dof for actuator in scene.tables["actuator"].values()] == [
        f"j-{number:02}" for number in range(12)
    ]


def test_copies_of_copies(tmp_path: Path):
    text = """<mujoco><worldbody><replicate count="2" offset="1 0 0" sep="-">
      <replicate count="2" offset="0 1 0" sep="+">
      <body name="r"><joint name="j"/><geom size=".1"/></body></replicate></replicate></worldbody></mujoco>"""
    assert list(check(tmp_path, text).bodies)[:-1] == ["r+0-0", "r+1-0", "r+0-1", "r+1-1"]


ARM = """<mujoco model="arm"><compiler angle="radian"/><default><geom size=".1"/></default>
  <worldbody><body name="base" euler="0.1 0.2 0.3"><joint name="j" range="-1 1"/><geom/></body></worldbody>
  <actuator><position name="p" joint="j" kp="7"/></actuator></mujoco>"""


def test_a_model_is_attached_twice_with_its_own_angles(tmp_path: Path):
    text = """<mujoco><asset><model name="arm" file="sub/arm.xml"/></asset><worldbody>
      <frame euler="0 0 90"><attach model="arm" body="base" prefix="l_"/></frame>
      <body name="b" pos="1 0 0"><geom size="1"/><attach model="arm" body="base" prefix="r_"/></body>
      </worldbody></mujoco>"""
    path = saved(tmp_path, text, arm__sub=ARM)
    scene = read(path)
    check_poses(path, scene)
    check_again(path, tmp_path)
    assert list(scene.tables["actuator"]) == ["l_p", "r_p"]


def test_what_is_attached_and_not_found_is_told(tmp_path: Path):
    text = body('<geom size="1"/><attach model="none" body="c" prefix="p_"/>')
    report = convert(saved(tmp_path, text), tmp_path / "out.xml")
    assert "mjcf/attach-missing" in {finding.rule for finding in report.findings}
    assert "<attach" in (tmp_path / "out.xml").read_text()


def test_an_include_in_a_folder_finds_its_files(tmp_path: Path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "m.stl").write_bytes(stl())
    text = '<mujoco><include file="sub/part.xml"/></mujoco>'
    part = """<mujocoinclude><compiler meshdir="."/><asset><mesh name="m" file="m.stl"/></asset><worldbody>
      <body name="b">
      <joint/><geom type="mesh" mesh="m"/></body></worldbody></mujocoinclude>"""
    scene = check(tmp_path, text, part__sub=part)
    assert scene.body("b").source.file.endswith("part.xml")
    assert scene.body("b").source.path == "/mujocoinclude/worldbody[1]/body[1]"


def test_each_file_is_included_once(tmp_path: Path):
    path = saved(tmp_path, '<mujoco><include file="a.xml"/></mujoco>', a='<x>\n<include file="a.xml"/></x>')
    with pytest.raises(InputError, match=r"a\.xml:2: .*once"):
        read(path)


def test_nothing_above_the_folders_of_the_model_is_included(tmp_path: Path):
    (tmp_path / "secret.xml").write_text("<x><worldbody><geom size='1'/></worldbody></x>")
    folder = tmp_path / "a" / "b" / "c"
    folder.mkdir(parents=True)
    report = convert(saved(folder, '<mujoco><include file="../../../secret.xml"/></mujoco>'), folder / "out.xml")
    assert "mjcf/include-missing" in {finding.rule for finding in report.findings}


# ------------------------------------------------------------------------------------------------------------- joints


CHAIN = """<mujoco><compiler angle="radian"/><worldbody><body name="b" pos="1 2 3" euler=".1 .2 .3">
  <joint name="x" type="slide" axis="1 0 0" ref=".3"/><joint name="y" axis="0 1 0" pos="0 .2 .1" ref=".4"/>
  <joint name="z" axis="1 0 1" pos=".5 0 0"/><geom size=".1 .2 .3" type="box"/>
  <body name="c" pos="0 0 1"><joint name="w" axis="0 1 0" pos=".1 0 .2"/><geom size=".1"/></body></body>
  </worldbody></mujoco>"""


def test_several_joints_of_a_body_with_anchors_and_references(tmp_path: Path):
    scene = check(tmp_path, CHAIN)
    assert [dof.name for dof in scene.joint_of("b").dofs] == ["x", "y", "z"]
    convert(tmp_path / "in.xml", tmp_path / "out.urdf")
    urdf, model = pinocchio_model(tmp_path / "out.urdf"), mujoco_model(tmp_path / "in.xml")
    data, there = mujoco.MjData(model), urdf.createData()
    import pinocchio as pin

    dice = np.random.default_rng(2)
    for _ in range(20):
        data.qpos[:] = dice.normal(size=model.nq)
        mujoco.mj_kinematics(model, data)
        q = configuration(urdf, {name: (float(data.joint(name).qpos[0]),) for name in "xyzw"})
        pin.framesForwardKinematics(urdf, there, q)
        for name in "bc":
            pose = there.oMf[urdf.getFrameId(name)]
            assert np.allclose(pose.translation, data.body(name).xpos, atol=1e-9)
            assert np.allclose(pose.rotation, data.body(name).xmat.reshape(3, 3), atol=1e-9)
    report = convert(tmp_path / "out.urdf", tmp_path / "back.xml")
    assert report.total(Action.UNEXPLAINED) == 0
    assert read(tmp_path / "out.urdf") == scene
    assert np.allclose(mujoco_model(tmp_path / "back.xml").body_pos, model.body_pos)


def test_free_joints_take_defaults_only_where_they_are_joints(tmp_path: Path):
    text = """<mujoco><default><joint damping="3"/></default><worldbody>
      <body name="a"><freejoint name="f"/><geom size="1"/></body>
      <body name="b"><joint name="g" type="free"/><geom size="1"/></body>
      <body name="c"><joint name="h" type="ball" range="0 90" pos=".1 .2 .3"/><geom size="1"/></body>
      </worldbody></mujoco>"""
    scene = check(tmp_path, text)
    assert [scene.joint_of(name).dofs[0].damping for name in "abc"] == [0.0, 3.0, 3.0]


def test_a_ball_in_urdf_is_told(tmp_path: Path):
    path = saved(tmp_path, body("<joint name='j' type='ball'/><geom size='1'/>"))
    report = convert(path, tmp_path / "out.urdf")
    assert any(finding.where.startswith("joint/j") for finding in report.findings)
    assert 'type="fixed"' not in (tmp_path / "out.urdf").read_text().replace("world", "")
    assert read(tmp_path / "out.urdf") == read(path)


# ------------------------------------------------------------------------------------------------------ geoms, inertia


@pytest.mark.parametrize("shell", ["false", "true"])
@pytest.mark.parametrize(
    "shape",
    ["sphere", "capsule", "cylinder", "box", pytest.param("ellipsoid", id="ellipsoid")],
)
def test_inertia_of_a_single_geom(shape: str, shell: str, tmp_path: Path):
    geom = f"<geom type='{shape}' size='.1 .25 .37' pos='.1 .2 .3' euler='10 20 30' shellinertia='{shell}'/>"
    path = saved(tmp_path, body(geom))
    check_inertia(path, read(path), 1e-6 if (shape, shell) == ("ellipsoid", "true") else 1e-9)


@pytest.mark.parametrize(
    "compiler",
    [
        "",
        'inertiagrouprange="3 3"',
        'boundmass="2000" boundinertia="500"',
        'inertiafromgeom="true"',
        'settotalmass="10"',
        'balanceinertia="true"',
    ],
)
def test_settings_of_the_compiler_about_mass(compiler: str, tmp_path: Path):
    inner = """<geom size=".3" group="2" contype="0" conaffinity="0"/><geom size=".3" group="3"/>
      <geom type="box" size=".1 .2 .3" pos="0 0 1" mass="7" density="1" group="3"/>
      <body name="c"><inertial pos="0 0 0" mass="1" diaginertia="1 1 2"/><geom size=".2" group="3"/></body>"""
    path = saved(tmp_path, body(inner, f"<compiler {compiler}/>"))
    check_inertia(path, read(path))
    check_again(path, tmp_path)


@pytest.mark.parametrize("inner", ["", '<geom size=".1" mass="0" pos="0 0 1"/>'])
def test_a_body_of_no_mass_that_is_given_some_has_it_where_mujoco_has_it(inner: str, tmp_path: Path):
    """Not at its origin: the numbers of its place in the body above are taken for the centre."""
    empty = f'<geom size=".1"/><body name="empty" pos=".1 .2 .3" euler="0 30 0">{inner}</body>'
    path = saved(tmp_path, body(empty, '<compiler boundmass="1e-3" boundinertia="1e-5"/>'))
    check_inertia(path, read(path))
    check_again(path, tmp_path)


def test_the_order_of_a_full_inertia(tmp_path: Path):
    scene = check(tmp_path, body("<inertial pos='1 2 3' mass='2' fullinertia='3 4 5 .1 .2 .3'/><geom size='1'/>"))
    assert scene.body("b").inertial.tensor == (3.0, 4.0, 5.0, 0.1, 0.2, 0.3)


PRISM = np.array([[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]], dtype=float)


def stl(height: float = 1.0) -> bytes:
    """An L-shaped prism off the origin."""
    faces = []
    for a, b, c in ((0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 5)):
        faces.append([(*PRISM[a], 0), (*PRISM[c], 0), (*PRISM[b], 0)])
        faces.append([(*PRISM[a], height), (*PRISM[b], height), (*PRISM[c], height)])
    for first, second in zip(PRISM, np.roll(PRISM, -1, axis=0), strict=True):
        faces.append([(*first, 0), (*second, 0), (*second, height)])
        faces.append([(*first, 0), (*second, height), (*first, height)])
    rows = [struct.pack("<12fH", 0, 0, 0, *np.array(face, dtype=float).ravel(), 0) for face in faces]
    return b"\0" * 80 + struct.pack("<I", len(faces)) + b"".join(rows)


@pytest.mark.parametrize("mode", ["legacy", "convex", "exact", "shell"])
def test_inertia_of_a_mesh(mode: str, tmp_path: Path):
    (tmp_path / "m.stl").write_bytes(stl())
    asset = f"<asset><mesh name='m' file='m.stl' inertia='{mode}' scale='1 2 .5'/></asset>"
    path = saved(tmp_path, body("<joint/><geom type='mesh' mesh='m' pos='.1 .2 .3' euler='10 20 30'/>", asset))
    check_inertia(path, read(path), 1e-7)
    check_again(path, tmp_path)


@pytest.mark.parametrize(
    "asset", ['refpos="1 2 3"', 'refquat="1 1 0 0"', 'refpos="1 2 3" refquat="1 2 3 4" scale="2 2 2"']
)
def test_a_mesh_that_its_asset_moves_stands_there_in_urdf(asset: str, tmp_path: Path):
    (tmp_path / "m.stl").write_bytes(stl())
    path = saved(
        tmp_path,
        body(
            "<joint/><geom type='mesh' mesh='m' pos='.1 .2 .3' euler='10 20 30'/>",
            f"<asset><mesh name='m' file='m.stl' {asset}/></asset>",
        ),
    )
    model = mujoco_model(path)
    (geom,) = meant(read(path)).body("b").geoms
    assert isinstance(geom.shape, Mesh)
    corners = np.array([[x, y, z] for x, y in PRISM for z in (0.0, 1.0)]) * geom.shape.scale
    found = corners @ matrix(geom.pose.rot).T + np.array(geom.pose.pos)
    there = model.mesh_vert @ rotation(model.geom_quat[0]).T + model.geom_pos[0]
    for corner in there:
        assert np.linalg.norm(found - corner, axis=1).min() < 1e-6
    assert convert(path, tmp_path / "out.urdf").total(Action.UNEXPLAINED) == 0
    assert read(tmp_path / "out.urdf") == read(path)


@pytest.mark.parametrize("aabb", ["false", "true"])
@pytest.mark.parametrize("kind", ["", "sphere", "capsule", "cylinder", "ellipsoid", "box"])
def test_a_shape_is_fitted_to_a_mesh(kind: str, aabb: str, tmp_path: Path):
    (tmp_path / "m.stl").write_bytes(stl(3.0))
    outer = f"<compiler fitaabb='{aabb}'/><asset><mesh name='m' file='m.stl'/></asset>"
    said = f"type='{kind}'" if kind else ""
    path = saved(tmp_path, body(f"<geom {said} mesh='m' pos='.1 .2 .3' size='9 9 9' fitscale='.9'/>", outer))
    model = mujoco_model(path)
    scene = read(path)
    shape = meant(scene).body("b").geoms[0].shape
    assert not isinstance(shape, Mesh)
    if isinstance(shape, Sphere):
        assert shape.radius == pytest.approx(model.geom_size[0][0], rel=1e-6)
    check_inertia(path, scene, 1e-6)
    check_again(path, tmp_path)


def test_inline_meshes_and_height_fields_come_back(tmp_path: Path):
    outer = """<asset><mesh name="tet" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
      <hfield name="h" nrow="2" ncol="2" size="1 1 1 .1" elevation="0 1 2 3"/>
      <mesh name="ball" builtin="sphere" params="2"/></asset>"""
    inner = "<geom type='mesh' mesh='tet'/><body name='c'><geom type='mesh' mesh='ball'/></body>"
    text = body(inner, outer).replace("<worldbody>", "<worldbody><geom type='hfield' hfield='h'/>")
    path = saved(tmp_path, text)
    check_again(path, tmp_path)
    assert read(path).body(WORLD).geoms[0].shape.size == (2.0, 2.0, 1.0)


def test_unnamed_things_stay_unnamed(tmp_path: Path):
    text = """<mujoco><worldbody><body><joint/><geom size="1"/><site/><body name="world_body_1"><joint/><geom size="1"/>
      </body></body><body><freejoint/><geom size="1"/></body></worldbody></mujoco>"""
    scene = check(tmp_path, text)
    assert len(set(scene.bodies)) == 4
    again = (tmp_path / "again" / "out.xml").read_text()
    assert again.count("name=") == 1


def test_several_trees_and_a_floor_lose_nothing(tmp_path: Path):
    text = """<mujoco><worldbody><geom name="floor" type="plane" size="1 1 .1"/>
      <body name="a"><freejoint/><geom size="1"/></body><body name="b" pos="3 0 0"><joint/><geom size="1"/></body>
      </worldbody></mujoco>"""
    path = saved(tmp_path, text)
    for target in ("out.urdf", "out.sdf"):
        report = convert(path, tmp_path / target)
        assert report.total(Action.UNEXPLAINED) == 0
        assert read(tmp_path / target) == read(path)


def test_what_newer_and_older_versions_say_is_kept(tmp_path: Path):
    text = body(
        "<geom size='1' brandnew='3'/><composite type='grid' count='2 2 1' spacing='.1'><geom size='.01'/></composite>",
        "<option collision='dynamic' apirate='50'/>",
    )
    report = convert(saved(tmp_path, text), tmp_path / "out.xml")
    assert report.total(Action.DROPPED) == report.total(Action.UNEXPLAINED) == 0
    again = (tmp_path / "out.xml").read_text()
    assert all(word in again for word in ("brandnew", "<composite", 'collision="dynamic"'))
    assert "apirate" not in again
    told = {finding.rule: finding for finding in report.findings}
    assert set(told) == {"mjcf/unknown", "mjcf/removed", "mjcf/old-spelling"}
    assert {finding.before for finding in report.findings if finding.rule == "mjcf/removed"} == {
        "<composite>",
        "<option collision='dynamic'>",
    }


def test_the_file_comes_back_as_it_was_and_the_second_time_too(tmp_path: Path):
    text = """<mujoco model="m">
  <compiler angle="degree" eulerseq="XYZ"/>
  <default>
    <default class="big">
      <geom size="2" rgba="1 0 0 1"/>
    </default>
  </default>
  <worldbody>
    <light pos="0 0 3"/>
    <frame pos="0 0 1" euler="0 90 0">
      <body name="a" childclass="big">
        <joint name="j" range="-90 90"/>
        <geom/>
      </body>
    </frame>
  </worldbody>
</mujoco>
"""
    path = saved(tmp_path, text)
    convert(path, tmp_path / "one.xml")
    convert(tmp_path / "one.xml", tmp_path / "two.xml")
    assert (tmp_path / "one.xml").read_text().partition("\n")[2] == text
    assert (tmp_path / "two.xml").read_text() == (tmp_path / "one.xml").read_text()


def test_an_edit_on_the_way_wins(tmp_path: Path):
    text = """<mujoco><compiler angle="degree"/><default><joint damping="2"/></default><worldbody>
      <frame euler="0 0 90"><body name="a"><joint name="j" range="-90 90"/><geom size="1"/></body></frame>
      </worldbody></mujoco>"""
    path = saved(tmp_path, text)
    convert(path, tmp_path / "out.urdf")
    urdf = (tmp_path / "out.urdf").read_text()
    assert "1.5707963267948966" in urdf
    (tmp_path / "out.urdf").write_text(urdf.replace('upper="1.5707963267948966"', 'upper="1"'))
    convert(tmp_path / "out.urdf", tmp_path / "back.xml")
    joint = mujoco_model(tmp_path / "back.xml").joint("j")
    assert joint.range[1] == pytest.approx(1.0) and joint.damping[0] == 2.0
    assert np.allclose(mujoco_model(tmp_path / "back.xml").body_quat, mujoco_model(path).body_quat)


@pytest.mark.parametrize(
    "inner",
    [
        "<replicate count='-1'><geom size='1'/></replicate>",
        "<replicate count='2.5'><geom size='1'/></replicate>",
        "<replicate count='2 3'><geom size='1'/></replicate>",
        "<replicate count=''><geom size='1'/></replicate>",
        "<body name='c'><attach body='c' prefix='p'/></body>",
        "<geom size='1' quat='1 0 0 0' euler='0 0 0'/>",
        "<frame quat='0 0 0 0'><geom size='1'/></frame>",
        "<geom type='mesh'/>",
        "<frame childclass='none'><geom size='1'/></frame>",
    ],
)
def test_what_cannot_be_is_refused_with_its_line(inner: str, tmp_path: Path):
    path = saved(tmp_path, body(f"\n{inner}"))
    with pytest.raises(InputError, match=r"in\.xml:2: "):
        read(path)


def test_copies_of_copies_do_not_fill_the_memory(tmp_path: Path):
    bomb = "<replicate count='100000'><replicate count='100000'><geom size='1'/></replicate></replicate>"
    with pytest.raises(InputError, match="more than"):
        read(saved(tmp_path, body(bomb)))


def test_what_the_file_says_itself_is_no_copy(tmp_path: Path):
    path = saved(tmp_path, body("<x/>" * 50_100))
    assert len(read(path).bodies["b"].extras) == 50_100


@pytest.mark.parametrize("inner", ["<geom size='1e200'/>", "<geom size='1' pos='0 0 1e300'/>"])
def test_numbers_that_nobody_can_compute_with_are_refused(inner: str, tmp_path: Path):
    with pytest.raises(InputError, match=r"in\.xml:\d+: "):
        read(saved(tmp_path, body(inner)))
