"""Attached models: the inertia settings of their own compiler, and their keyframes, against MuJoCo."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import trimesh
from PIL import Image

from converters.convert import convert, read
from ir.dynamics import total_mass
from tests.files import saved
from tests.oracles.in_mujoco import body_tensor, mujoco_model
from tests.oracles.mjcf_against_mjcf import differences
from tests.reports import explained, of_rule

CHILD = """<mujoco model="child"><compiler {}/><worldbody>
<body name="c"><freejoint/><geom size=".1" group="1"/><geom size=".05" pos=".2 0 0" group="3"/>
 <inertial pos="0 0 0" mass="2" diaginertia=".1 .2 .3"/>
 <body name="d" pos="0 0 1"><joint/><geom size=".1 .2 .3" type="box" group="2" pos=".1 0 0"/><geom size=".2" group="4"/>
 </body></body></worldbody></mujoco>"""
PARENT = """<mujoco model="parent"><compiler {}/><asset><model name="child" file="child.xml"/></asset><worldbody>
<body name="p"><joint/><geom size=".3" group="0"/><inertial pos="0 0 0" mass="3" diaginertia=".1 .1 .1"/></body>
<body name="q"><joint/><geom size=".1" group="2"/></body>
<frame pos="0 0 3"><attach model="child" prefix="x_" body="c"/></frame></worldbody></mujoco>"""
SETTINGS = (
    'inertiafromgeom="true"',
    'inertiagrouprange="2 3"',
    'boundmass="5"',
    'boundinertia="1"',
    'boundmass="200" boundinertia="2"',
    'settotalmass="10"',
)


@pytest.mark.parametrize("target", ["urdf", "sdf"])
@pytest.mark.parametrize("owner", ["child", "parent", "both"])
@pytest.mark.parametrize("said", SETTINGS)
def test_each_body_has_the_inertia_that_its_own_model_asks_for(
    said: str, owner: str, target: str, tmp_path: Path
) -> None:
    (tmp_path / "child.xml").write_text(CHILD.format(said if owner != "parent" else ""))
    source = saved(tmp_path / "parent.xml", PARENT.format(said if owner != "child" else ""))
    model = mujoco_model(source)
    convert(source, tmp_path / f"out.{target}")
    scene = read(tmp_path / f"out.{target}")
    convert(tmp_path / f"out.{target}", tmp_path / "plain.xml")
    back = mujoco_model(tmp_path / "plain.xml")
    assert np.allclose(back.body_mass, model.body_mass, rtol=1e-9)
    document = (tmp_path / f"out.{target}").read_text().replace("kinegraph:", "other:")
    bare = read(saved(tmp_path / f"other.{target}", document))  # as any other tool has it
    assert total_mass(bare) == pytest.approx(model.body_mass.sum(), rel=1e-9)
    for index in range(1, model.nbody):
        inertial = bare.body(model.body(index).name).inertial
        assert inertial is not None
        assert inertial.mass == pytest.approx(model.body_mass[index], rel=1e-9)
        assert np.allclose(sum(inertial.tensor[:3]), np.trace(body_tensor(model, index)), rtol=1e-9)
    assert len(scene.bodies) == model.nbody


KEYS = """<mujoco model="child"><worldbody><body name="e"><joint name="ej"/><geom size=".1"/></body>
<body name="c" pos="0 0 1"><freejoint name="cf"/><geom size=".1"/><body><joint/><geom size=".1"/></body></body>
<body name="mo" mocap="true"><geom size=".1"/></body></worldbody>
<actuator><motor name="ea" joint="ej"/><motor name="fa" joint="cf" gear="1 0 0 0 0 0"/></actuator>
<keyframe><key name="k" time="3" qpos=".5 1 2 3 1 0 0 0 .7" ctrl="4 5" mpos="1 2 3"/>
<key name="rest" qpos="0 0 0 1 1 0 0 0 0"/><key qvel="1 2 3 4 5 6 7 8"/></keyframe></mujoco>"""
HOLDER = """<mujoco model="parent"><asset><model name="child" file="child.xml"/></asset><worldbody>
<body name="p"><joint name="pj"/><geom size=".3"/></body><frame pos="0 0 3"><attach model="child" prefix="x_" {0}/>
</frame><attach model="child" prefix="y_" {0}/></worldbody><actuator><motor name="pa" joint="pj"/></actuator>
<keyframe><key name="home" ctrl="{1}" time="2"/></keyframe></mujoco>"""


@pytest.mark.parametrize("what", ["", 'body="c"'])
@pytest.mark.parametrize("through", ["", "urdf", "sdf"])
def test_keyframes_of_attached_models_are_there(what: str, through: str, tmp_path: Path) -> None:
    """In the graph by name, and in MuJoCo as vectors, after every conversion."""
    (tmp_path / "child.xml").write_text(KEYS)
    source = saved(tmp_path / "parent.xml", HOLDER.format(what, "1 2 3" if what else "1 2 3 4 5"))
    expected = mujoco_model(source)
    keys = read(source).tables["keyframe"]
    named = [expected.key(index).name for index in range(expected.nkey)]
    assert list(keys)[:3] == named[:3] == ["home", "x_k", "x_rest"]
    middle = source
    if through:
        middle = tmp_path / through / f"model.{through}"
        convert(source, middle)
    convert(middle, tmp_path / "back" / "model.xml")
    found = mujoco_model(tmp_path / "back" / "model.xml")
    assert [found.key(index).name for index in range(found.nkey)] == named
    for array in ("key_time", "key_qpos", "key_qvel", "key_ctrl", "key_mpos", "key_mquat"):
        assert np.array_equal(getattr(found, array), getattr(expected, array)), array


def test_a_limit_of_an_attached_model_holds_where_the_model_itself_needs_it_said(tmp_path: Path) -> None:
    """Without the file of the model, which is missing at the place of the URDF."""
    (tmp_path / "child.xml").write_text(
        '<mujoco model="child"><worldbody><body name="x"><joint name="k"/><geom size=".1"/></body></worldbody>'
        '<actuator><intvelocity joint="k" actrange="-1 1"/></actuator></mujoco>'
    )
    source, there, back = tmp_path / "parent.xml", tmp_path / "there.urdf", tmp_path / "far" / "back" / "model.xml"
    source.write_text(
        '<mujoco><compiler autolimits="false"/><asset><model name="child" file="child.xml"/></asset><worldbody>'
        '<attach model="child" body="x" prefix="p_"/></worldbody></mujoco>'
    )
    convert(source, there)
    expected = mujoco_model(source)
    back.parent.mkdir(parents=True)
    there = there.rename(back.parent.parent / "there.urdf")
    (tmp_path / "child.xml").unlink()
    convert(there, back)
    found = mujoco_model(back)
    assert found.actuator_actlimited.tolist() == expected.actuator_actlimited.tolist() == [True]


NESTED = {
    "grand.xml": """<mujoco><asset><material name="red" rgba="1 0 0 1"/></asset><worldbody><body name="hand">
        <joint name="hj"/><geom size=".1" material="red"/></body></worldbody></mujoco>""",
    "parts/child.xml": """<mujoco><asset><model name="g" file="../grand.xml"/></asset><worldbody><body name="stand">
        <geom size=".1" material="g_red"/><attach model="g" body="hand" prefix="g_"/></body></worldbody>
        <keyframe><key name="up" qpos=".5"/></keyframe></mujoco>""",
    "parts/top.xml": """<mujoco model="t"><asset><model name="c" file="child.xml"/></asset><worldbody>
        <geom size=".1" material="c_g_red"/><attach model="c" body="stand" prefix="c_"/><body name="ball"><freejoint/>
        <geom size=".1"/></body></worldbody><contact><exclude body1="ball" body2="c_g_hand"/></contact></mujoco>""",
}


@pytest.mark.parametrize("through", ["", "urdf", "sdf", "glb"])
def test_what_is_attached_inside_is_named_outside(through: str, tmp_path: Path) -> None:
    """Bodies in a contact, a material of a geom defined earlier; the files are in two folders."""
    for name, text in NESTED.items():
        (tmp_path / "a" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "a" / name).write_text(text)
    source = tmp_path / "a" / "parts" / "top.xml"
    expected = mujoco_model(source)
    middle = source
    if through:
        middle = tmp_path / "b" / f"model.{through}"
        convert(source, middle)
    convert(middle, tmp_path / "c" / "back.xml")
    convert(tmp_path / "c" / "back.xml", tmp_path / "d" / "back.xml")
    assert (tmp_path / "d" / "back.xml").read_bytes() == (tmp_path / "c" / "back.xml").read_bytes()
    assert mujoco_model(tmp_path / "d" / "back.xml").nbody == expected.nbody
    found = mujoco_model(tmp_path / "c" / "back.xml")
    assert np.array_equal(found.key_qpos, expected.key_qpos)
    assert [found.body(index).name for index in range(found.nbody)] == ["world", "c_stand", "c_g_hand", "ball"]
    shown = [found.mat_rgba[index].tolist() for index in found.geom_matid if index >= 0]
    assert shown == [expected.mat_rgba[index].tolist() for index in expected.geom_matid if index >= 0]
    assert np.array_equal(found.exclude_signature, expected.exclude_signature)


@pytest.mark.parametrize("actuator", ['<motor name="drive" joint="j"/>', '<motor joint="j"/>'])
def test_keyframes_of_replicated_models_are_those_of_the_first_copy(actuator: str, tmp_path: Path) -> None:
    (tmp_path / "child.xml").write_text(
        f"""<mujoco><worldbody><body name="arm"><joint name="j"/><geom size=".1"/></body></worldbody>
        <actuator><motor joint="j" gear="2"/>{actuator}</actuator>
        <keyframe><key name="up" qpos="0.7" qvel="2" ctrl="0.1 0.3"/></keyframe></mujoco>"""
    )
    source = tmp_path / "parent.xml"
    source.write_text(
        """<mujoco><asset><model name="child" file="child.xml"/></asset><worldbody><replicate count="2" offset="1 0 0">
        <attach model="child" body="arm" prefix="p_"/></replicate></worldbody></mujoco>"""
    )
    model = mujoco_model(source)
    key = read(source).tables["keyframe"]["p_up"]
    joints = [model.joint(number).name for number in range(model.njnt)]
    values, speeds = dict(key.positions), dict(key.velocities)
    assert [values.get(name, (0.0,))[0] for name in joints] == model.key_qpos[0].tolist() == [0.7, 0.0]
    assert [speeds.get(name, (0.0,))[0] for name in joints] == model.key_qvel[0].tolist()
    driven = [read(source).tables["actuator"][name].dof for name, _ in key.controls]
    assert driven == ["p_j0", "p_j0"]
    assert sorted(value for _, (value,) in key.controls) == sorted(model.key_ctrl[0][model.key_ctrl[0] != 0].tolist())


def test_a_model_that_attaches_another_is_written_the_same_again(tmp_path: Path) -> None:
    (tmp_path / "source").mkdir()
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "child.xml").write_text(KEYS)
    source = tmp_path / "source" / "parent.xml"
    source.write_text(HOLDER.format("", "1 2 3 4 5").replace("child.xml", "../parts/child.xml"))
    options = {"resource_paths": (tmp_path,)}
    from converters.context import Options

    convert(source, tmp_path / "once" / "model.xml", options=Options(**options))
    convert(tmp_path / "once" / "model.xml", tmp_path / "twice" / "model.xml")
    assert "<attach" in (tmp_path / "once" / "model.xml").read_text()
    assert (tmp_path / "once" / "model.xml").read_bytes() == (tmp_path / "twice" / "model.xml").read_bytes()


WORLDLY = """<mujoco model="c"><worldbody><body name="other"><geom name="og" size=".1"/></body>
<body name="tool" pos="0 0 .3"><joint name="tj"/><geom name="tg" size=".1"/><site name="s"/></body></worldbody>
<contact><exclude body1="world" body2="tool"/></contact>
<equality><connect body1="tool" body2="world" anchor="0 0 .1"/><weld body1="tool" body2="other"/></equality><sensor>
<framepos objtype="body" objname="tool" reftype="body" refname="world"/><subtreecom body="world"/>
<framepos objtype="xbody" objname="world"/><framepos objtype="body" objname="other"/>
<framepos objtype="site" objname="s" reftype="geom" refname="og"/><distance geom1="tg" body2="world" cutoff="1"/>
</sensor></mujoco>"""


@pytest.mark.parametrize("what", ["", 'body="tool"'])
@pytest.mark.parametrize("through", ["urdf", "sdf", "glb"])
def test_what_an_attached_model_says_of_the_world_is_about_the_one_world(
    through: str, what: str, tmp_path: Path
) -> None:
    """MuJoCo omits references to objects that are not attached with it."""
    (tmp_path / "child.xml").write_text(WORLDLY)
    source = tmp_path / "parent.xml"
    source.write_text(
        '<mujoco model="p"><asset><model name="c" file="child.xml"/></asset><worldbody><body name="arm" pos="0 0 1">'
        f'<geom size=".05"/><joint/><attach model="c" {what} prefix="L_"/></body></worldbody></mujoco>'
    )
    convert(source, tmp_path / f"out.{through}")
    convert(tmp_path / f"out.{through}", tmp_path / "back" / "parent.xml")
    models = [mujoco_model(tmp_path / each) for each in ("parent.xml", "back/parent.xml")]
    assert models[0].nexclude == 1
    assert models[0].neq == (1 if what else 2)
    for field in (
        *("exclude_signature", "eq_type", "eq_obj1id", "eq_obj2id", "sensor_type", "sensor_objid", "sensor_refid"),
        *("sensor_objtype", "sensor_reftype"),
    ):
        assert getattr(models[0], field).tolist() == getattr(models[1], field).tolist(), field


def test_an_exclusion_from_the_world_is_told_where_it_cannot_be_said(tmp_path: Path) -> None:
    (tmp_path / "child.xml").write_text(WORLDLY)
    source = tmp_path / "parent.xml"
    source.write_text(
        '<mujoco model="p"><asset><model name="c" file="child.xml"/></asset><worldbody><body name="arm" pos="0 0 1">'
        '<geom size=".05"/><joint/><attach model="c" body="tool" prefix="L_"/></body></worldbody></mujoco>'
    )
    found = convert(source, tmp_path / "out.sdf").findings
    assert any(finding.where.startswith("contact/") and finding.action == "carried" for finding in found)
    assert not [finding for finding in found if finding.action == "unexplained"]


def test_a_glb_holds_attached_models_with_their_files(tmp_path: Path) -> None:
    """Nested models in two folders; a mesh, an image and numbers that only the inner model defines."""
    for name, text in NESTED.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    box, image = tmp_path / "grand" / "box.stl", tmp_path / "grand" / "map.png"
    box.parent.mkdir()
    trimesh.creation.box().export(box)
    Image.new("RGB", (2, 2), (255, 0, 0)).save(image)
    grand = NESTED["grand.xml"].replace(
        '<material name="red"',
        '<mesh file="box.stl"/><texture name="t" type="2d" file="map.png"/><material texture="t" name="red"',
    )
    grand = grand.replace("<asset>", '<compiler assetdir="grand"/><custom><numeric name="n" data="3"/></custom><asset>')
    grand = grand.replace('<geom size=".1" material="red"/>', '<geom type="mesh" mesh="box" material="red"/>')
    (tmp_path / "grand.xml").write_text(grand)
    more = '<asset><mesh file="../grand/box.stl"/></asset></mujoco>'
    top = NESTED["parts/top.xml"].replace("</mujoco>", more)
    (tmp_path / "parts" / "top.xml").write_text(top)
    there, back = tmp_path / "there" / "model.glb", tmp_path / "back" / "model.xml"
    source = tmp_path / "parts" / "top.xml"
    expected = mujoco_model(source)
    assert expected.nnumeric == 1
    explained(convert(source, there))
    for name in (*NESTED, "grand/box.stl", "grand/map.png"):
        (tmp_path / name).unlink()
    report = explained(convert(there, back))
    assert not of_rule(report, "assets/missing")
    assert "<attach" in back.read_text()
    found = mujoco_model(back)
    assert not [text for _, texts in differences(expected, found, rollout=False) for text in texts]
    assert found.numeric_data.tolist() == [3]
    assert found.tex_data.tolist() == expected.tex_data.tolist()


def test_an_attached_model_that_lies_beside_an_sdf_without_its_files_is_not_attached(tmp_path: Path) -> None:
    """GLB to SDF to MJCF: SDF has no place for the files that the inner document names."""
    shown = '<worldbody><body name="z"><geom type="mesh" mesh="t"/></body></worldbody>'
    inner = f'<asset><mesh name="t" file="../t.stl"/></asset>{shown}'
    (tmp_path / "in" / "sub").mkdir(parents=True)
    (tmp_path / "in" / "sub" / "k.xml").write_text(f'<mujoco model="k">{inner}</mujoco>')
    trimesh.creation.box().export(tmp_path / "in" / "t.stl")
    source = tmp_path / "in" / "m.xml"
    attached = '<body name="h"><attach model="k" body="z" prefix="p_"/></body>'
    source.write_text(
        f'<mujoco><asset><model name="k" file="sub/k.xml"/></asset><worldbody>{attached}</worldbody></mujoco>'
    )
    expected = mujoco_model(source)
    there, on, back = tmp_path / "there" / "m.glb", tmp_path / "on" / "m.sdf", tmp_path / "back" / "m.xml"
    convert(source, there)
    source.parent.rename(tmp_path / "gone")
    convert(there, on)
    there.unlink()
    explained(convert(on, back))
    found = mujoco_model(back)
    assert (found.nbody, found.ngeom, found.nmesh) == (expected.nbody, expected.ngeom, expected.nmesh)


@pytest.mark.parametrize("through", ["urdf", "sdf", "glb"])
def test_a_sensor_reads_as_many_corners_as_the_file_of_its_mesh_has(through: str, tmp_path: Path) -> None:
    """Each corner of a box has three normals."""
    corners = "".join(f"v {x} {y} {z}\nvn {x} {y} {z}\n" for x in (-1, 1) for y in (-1, 1) for z in (-1, 1))
    (tmp_path / "a.obj").write_text(corners + "vn 1 0 0\nf 1//1 2//2 4//4\nf 1//9 4//9 3//9\nf 5//5 6//6 8//8\n")
    source, there, back = tmp_path / "in.xml", tmp_path / "t" / f"m.{through}", tmp_path / "back" / "out.xml"
    source.write_text(
        '<mujoco><asset><mesh name="a" file="a.obj"/></asset><worldbody><body><joint/><geom name="g" size=".1"/>'
        '<geom type="mesh" mesh="a"/></body></worldbody><sensor><tactile geom="g" mesh="a"/></sensor></mujoco>'
    )
    expected = mujoco_model(source).nsensordata
    convert(source, there)
    (tmp_path / "a.obj").rename(tmp_path / "other.obj")
    convert(there, back)
    assert mujoco_model(back).nsensordata == expected


@pytest.mark.parametrize("way", ["xml", "urdf", "sdf", "glb"])
def test_what_an_attached_model_includes_comes_along(way: str, tmp_path: Path) -> None:
    """It is named relative to the model that includes it, and carried without an absolute path of this machine."""
    here = tmp_path / "here" / "parts" / "more"
    here.mkdir(parents=True)
    (here / "looks.xml").write_text('<x><asset><material name="m" rgba="0 1 0 1"/></asset></x>')
    (here.parent / "part.xml").write_text("""<mujoco><include file="more/looks.xml"/><worldbody><body name="x">
      <joint name="j"/><geom size=".1" material="m"/></body></worldbody></mujoco>""")
    source = tmp_path / "here" / "model.xml"
    source.write_text("""<mujoco><asset><model name="part" file="parts/part.xml"/></asset>
      <worldbody><attach model="part" body="x" prefix="p_"/></worldbody></mujoco>""")
    there, back = tmp_path / "there" / f"model.{way}", tmp_path / "back" / "model.xml"
    explained(convert(source, there))
    if way != "glb":
        assert str(tmp_path) not in there.read_text()
    (tmp_path / "here").rename(tmp_path / "gone")
    explained(convert(there, back))
    before, after = (mujoco_model(path) for path in (tmp_path / "gone" / "model.xml", back))
    assert [found for _, texts in differences(before, after, rollout=False) for found in texts] == []


@pytest.mark.parametrize("gone", [True, False])
def test_a_body_weighs_what_its_own_compiler_says_where_its_model_is_attached_no_more(
    tmp_path: Path, gone: bool
) -> None:
    """The file of the model is missing, or another mass was edited, so that everything is written out."""
    (tmp_path / "child.xml").write_text(CHILD.format('inertiafromgeom="true"'))
    source = saved(tmp_path / "parent.xml", PARENT.format(""))
    wanted = mujoco_model(source).body_mass.copy()
    convert(source, tmp_path / "out.urdf")
    if gone:
        (tmp_path / "child.xml").unlink()
    else:
        document = (tmp_path / "out.urdf").read_text()
        assert document.count('<mass value="3"/>') == 1
        (tmp_path / "out.urdf").write_text(document.replace('<mass value="3"/>', '<mass value="5"/>'))
        wanted[1] = 5
    explained(convert(tmp_path / "out.urdf", tmp_path / "back.xml"))
    assert np.allclose(mujoco_model(tmp_path / "back.xml").body_mass, wanted, rtol=1e-9)
