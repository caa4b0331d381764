"""--model: one of several models is converted, for every target, judged by libsdformat, MuJoCo and lxml."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from converters import convert, read
from converters.context import InputError, Options
from converters.report.model import Report, exit_code
from tests.formats.sdf_text import codes, converted, in_mjcf, matrix, put, seen, xml
from tests.oracles.in_mujoco import mujoco_model
from tests.reports import of_rule

LOOK = "<material><diffuse>{} 1</diffuse></material>"
SHOWN = f'<visual name="v"><geometry><box><size>1 1 {{}}</size></box></geometry>{LOOK}</visual>'
INNER = f'<model name="n"><pose>0 0 3 0 0 .5</pose><link name="c">{SHOWN.format(3, "0 0 1")}</link></model>'
BOX = f"""<sdf version="1.9"><model name="boxm"><allow_auto_disable>false</allow_auto_disable>
<link name="b">{SHOWN.format(2, "0 1 0")}</link>{INNER}
<joint name="bn" type="fixed"><parent>b</parent><child>n::c</child></joint></model></sdf>"""
ARM = f"""<model name="arm"><pose relative_to="place">0 0 1 0 0 0</pose><link name="a">{SHOWN.format(1, "1 0 0")}
<sensor name="s" type="imu"/></link><link name="tip"><pose>0 0 1 0 0 0</pose></link>
<joint name="j" type="revolute"><parent>a</parent><child>tip</child><axis><xyz>0 1 0</xyz></axis></joint>
<frame name="f" attached_to="tip"/><plugin name="own" filename="libown.so"/></model>"""
WORLD = f"""<sdf version="1.9"><world name="lab"><gravity>0 0 -1.6</gravity>
<frame name="place"><pose>5 0 0 0 0 0</pose></frame>
<include><uri>model://box</uri><pose>0 7 0 0 0 0</pose></include>
<include><uri>model://box</uri><name>second</name></include>
{ARM}<plugin name="whole" filename="libwhole.so"/><light name="sun" type="directional"/></world></sdf>"""


@pytest.fixture
def world(tmp_path: Path) -> Path:
    put(tmp_path, BOX, "models/box/model.sdf")
    put(tmp_path, '<model><name>box</name><sdf version="1.9">model.sdf</sdf></model>', "models/box/model.config")
    return put(tmp_path, WORLD)


def alone(world: Path, name: str, model: str) -> tuple[Report, Path]:
    options = Options(model=model, resource_paths=(world.parent / "models",))
    report, path = converted(world.parent, world, name, options)
    told = of_rule(report, "models/chosen")
    assert len(told) == 1
    assert told[0].count >= 5
    assert model not in told[0].reason.partition("; left out: ")[2].split(", ")
    return report, path


@pytest.mark.parametrize(
    ("model", "own", "links", "at"),
    [
        ("arm", "arm", {"a", "tip"}, (5, 0, 1)),
        ("boxm", "boxm", {"b", "n::c"}, (0, 7, 0)),
        ("second", "second", {"b", "n::c"}, (0, 0, 0)),
        ("boxm::n", "n", {"c"}, (0, 7, 3)),
    ],
)
def test_a_model_of_a_world_stands_alone_where_it_stood(
    model: str, own: str, links: set[str], at: tuple[float, ...], world: Path
) -> None:
    _, out = alone(world, "out.sdf", model)
    found = seen(out)
    assert set(found["links"]) == links
    assert np.allclose(found["links"][min(links)]["pose"][:3], at)
    assert xml(out).xpath("/sdf/*[not(contains(name(), ':'))]/@name") == [own]
    _, urdf = alone(world, "out.urdf", model)
    robot = xml(urdf)
    assert robot.get("name") == own
    assert set(robot.xpath("link/@name")) - {"world", "f"} == links
    assert robot.xpath("//visual/@name") == (["v", "v"] if len(links) > 1 and model != "arm" else ["v"])
    _, mjcf = alone(world, "out.xml", model)
    assert mujoco_model(mjcf).opt.gravity[2] == -1.6
    poses = in_mjcf(mjcf, {})
    for name, one in found["links"].items():
        assert np.allclose(poses[name], matrix(one["pose"]), atol=1e-12)


def test_what_is_of_the_model_alone_stays_with_it(world: Path) -> None:
    _, urdf = alone(world, "out.urdf", "arm")
    robot = xml(urdf)
    assert robot.xpath("gazebo//plugin/@name") == ["own"]
    assert robot.xpath("gazebo[@reference='a']/sensor/@name") == ["s"]
    assert robot.xpath("//material/color/@rgba") == ["1 0 0 1"]
    assert "boxm" not in urdf.read_text()
    _, box = alone(world, "box.sdf", "boxm")
    assert xml(box).xpath("/sdf/model/allow_auto_disable/text()") == ["false"]
    assert xml(box).xpath("//joint/child/text()") == ["n::c"]
    _, inner = alone(world, "inner.sdf", "boxm::n")
    assert xml(inner).xpath("//joint") == []


@pytest.mark.parametrize("target", ["urdf", "xml", "glb"])
def test_the_way_back_is_the_model_alone(target: str, world: Path, tmp_path: Path) -> None:
    _, direct = alone(world, "direct.sdf", "arm")
    _, there = alone(world, f"there.{target}", "arm")
    convert(there, tmp_path / "back.sdf")
    assert (tmp_path / "back.sdf").read_bytes() == direct.read_bytes()


def test_a_model_of_a_world_that_was_converted_whole(world: Path, tmp_path: Path) -> None:
    convert(world, tmp_path / "whole.urdf", options=Options(resource_paths=(tmp_path / "models",)))
    convert(tmp_path / "whole.urdf", tmp_path / "arm.sdf", options=Options(model="arm"))
    assert set(seen(tmp_path / "arm.sdf")["links"]) == {"a", "tip"}


def test_the_second_world_and_a_nested_model_of_a_model_file(tmp_path: Path) -> None:
    model = '<model name="{0}"><link name="{0}"/></model>'
    worlds = "".join(f'<world name="w{name}">{model.format(name)}</world>' for name in "ab")
    path = put(tmp_path, f'<sdf version="1.9">{worlds}</sdf>')
    assert list(read(path, options=Options(model="b")).bodies) == ["b", "world"]
    convert(path, tmp_path / "b.sdf", options=Options(model="b"))
    assert list(seen(tmp_path / "b.sdf")["links"]) == ["b"]
    nested = put(tmp_path, BOX, "box.sdf")
    convert(nested, tmp_path / "n.sdf", options=Options(model="n"))
    assert list(seen(tmp_path / "n.sdf")["links"]) == ["c"]


def test_a_name_that_nothing_has_is_told_with_all_that_can_be_chosen(world: Path, tmp_path: Path) -> None:
    paths = (tmp_path / "models",)
    with pytest.raises(InputError, match="there are lab, boxm, boxm::n, second, second::n, arm"):
        convert(world, tmp_path / "out.urdf", options=Options(model="nix", resource_paths=paths))
    assert codes(world, *paths) == set()


TREES = """<mujoco model="two"><option gravity="0 0 -3"/><asset><material name="red" rgba="1 0 0 1"/>
<material name="blue" rgba="0 0 1 1"/></asset><worldbody><geom name="floor" type="plane" size="1 1 1" material="blue"/>
<body name="a" pos="1 0 0"><freejoint name="fa"/><geom name="ga" size=".1" material="red"/>
<body name="a2"><joint name="ja"/><geom size=".1"/><site name="sa"/></body></body>
<body name="b" pos="2 0 0"><joint name="jb"/><geom name="gb" size=".1" material="blue"/></body></worldbody>
<equality><joint joint1="ja" joint2="jb"/></equality>
<actuator><motor name="ma" joint="ja"/><motor name="mb" joint="jb"/></actuator>
<sensor><jointpos joint="ja"/><actuatorpos actuator="mb"/></sensor>
<keyframe><key name="k" qpos="0 0 1 1 0 0 0 .5 .3" ctrl="1 2"/></keyframe></mujoco>"""


@pytest.mark.parametrize("way", ["xml", "glb"])
def test_a_tree_of_mjcf_stands_alone(way: str, tmp_path: Path) -> None:
    path = put(tmp_path, TREES, "two.xml")
    if way == "glb":
        convert(path, tmp_path / "two.glb")
        path = tmp_path / "two.glb"
    report, out = converted(tmp_path, path, "a.xml", Options(model="a"))
    model = mujoco_model(out)
    assert [model.body(index).name for index in range(model.nbody)] == ["world", "a", "a2"]
    assert (model.ngeom, model.nu, model.neq, model.nsensor, model.nmat) == (2, 1, 0, 1, 1)
    assert np.allclose(model.key_qpos, [[0, 0, 1, 1, 0, 0, 0, 0.5]])
    assert xml(out).get("model") == "a"
    (told,) = of_rule(report, "models/chosen")
    assert told.count == 8
    assert told.reason == "not part of the model that was asked for (--model); left out: b"
    with pytest.raises(InputError, match="there are two, a, b"):
        convert(path, tmp_path / "out.urdf", options=Options(model="c"))


def test_a_model_that_is_named_as_its_world_stands_alone(tmp_path: Path) -> None:
    models = "".join(f'<model name="{name}"><link name="l_{name}"/></model>' for name in ("arm", "table"))
    path = put(tmp_path, f'<sdf version="1.9"><world name="arm">{models}</world></sdf>')
    convert(path, tmp_path / "arm.xml", options=Options(model="arm"))
    model = mujoco_model(tmp_path / "arm.xml")
    assert [model.body(index).name for index in range(model.nbody)] == ["world", "l_arm"]
    convert(path, tmp_path / "arm.urdf", options=Options(model="arm"))
    assert [link.get("name") for link in xml(tmp_path / "arm.urdf").findall("link")] == ["l_arm"]


def test_a_tree_that_is_named_as_its_document_stands_alone(tmp_path: Path) -> None:
    path = put(tmp_path, TREES.replace('model="two"', 'model="a"'), "two.xml")
    convert(path, tmp_path / "a.xml", options=Options(model="a"))
    model = mujoco_model(tmp_path / "a.xml")
    assert [model.body(index).name for index in range(model.nbody)] == ["world", "a", "a2"]
    convert(path, tmp_path / "all.xml")
    assert mujoco_model(tmp_path / "all.xml").nbody == 4


def test_a_model_that_another_held_is_free_though_its_joint_has_the_name_for_that(tmp_path: Path) -> None:
    moving = (
        '<joint name="a_free" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint>'
    )
    held = '<joint name="h" type="fixed"><parent>n::x</parent><child>m::a</child></joint>'
    models = f"""<model name="m"><link name="a"/><link name="b"/>{moving}</model>
    <model name="n"><pose>1 2 3 0 0 0</pose><link name="x"/></model>"""
    path = put(tmp_path, f'<sdf version="1.10"><world name="w">{models}{held}</world></sdf>')
    convert(path, tmp_path / "m.xml", options=Options(model="m"))
    model = mujoco_model(tmp_path / "m.xml")
    assert [model.joint(index).name for index in range(model.njnt)] == ["a_free_1", "a_free"]


DEEP = """<sdf version="1.9"><model name="top" canonical_link="m::n::c"><link name="base"/>
<frame name="of_top" attached_to="m::n::c"/>
<model name="m"><pose>1 0 0 0 0 0</pose><frame name="of_m" attached_to="n::c"/>
<model name="n"><pose>0 2 0 0 0 0</pose><link name="c"/><frame name="own"/>
<model name="o"><pose>0 0 3 0 0 0</pose><link name="d"/></model>
<joint name="j" type="revolute"><parent>c</parent><child>o::d</child><axis><xyz>0 1 0</xyz></axis></joint>
</model></model></model></sdf>"""


@pytest.mark.parametrize(
    ("model", "links", "frames"),
    [("m", {"n::c", "n::o::d"}, ["of_m", "own"]), ("m::n", {"c", "o::d"}, ["own"]), ("m::n::o", {"d"}, [])],
)
def test_a_model_deep_inside_of_another_takes_nothing_of_those_around_it(
    model: str, links: set[str], frames: list[str], tmp_path: Path
) -> None:
    source = put(tmp_path, DEEP)
    for name in ("out.sdf", "out.urdf", "out.xml"):
        converted(tmp_path, source, name, Options(model=model))
    found = seen(tmp_path / "out.sdf")
    assert set(found["links"]) == links
    for link, one in found["links"].items():
        assert np.allclose(one["pose"][:3], (1, 2, 3 if link.endswith("d") else 0))
    assert xml(tmp_path / "out.sdf").xpath("//frame/@name") == frames
    assert set(read(tmp_path / "out.urdf").bodies) - {"world"} == links
    assert mujoco_model(tmp_path / "out.xml").nbody == 1 + len(links)


def test_what_is_wrong_with_other_models_is_not_told_of_the_chosen_one(tmp_path: Path) -> None:
    """A mesh that is missing in another model does not affect the exit code."""
    mesh = "<geometry><mesh><uri>nix.stl</uri></mesh></geometry>"
    models = f"""<model name="m.bad"><link name="a"><visual name="v">{mesh}</visual></link></model>
    <model name="good"><link name="a"><inertial><mass>1</mass></inertial></link></model>"""
    (tmp_path / "w.sdf").write_text(f'<sdf version="1.9"><world name="w">{models}</world></sdf>')
    rules = {}
    for name in ("good", "m.bad"):
        report = convert(tmp_path / "w.sdf", tmp_path / f"{name}.urdf", options=Options(model=name))
        rules[name] = {each.rule for each in report.findings}
        assert report.missing() == (name == "m.bad") == exit_code(report, "dropped")
    assert not rules["good"] & {"assets/missing", "sdf/inertial-default"}
    assert rules["m.bad"] >= {"assets/missing", "sdf/inertial-default"}


TABLE = """<robot name="arm"><link name="world"><visual name="table"><geometry><box size="1 1 1"/></geometry>
<material name="red"><color rgba="1 0 0 1"/></material></visual></link><link name="base"/><link name="tip"/>
<joint name="w" type="fixed"><parent link="world"/><child link="base"/><origin xyz="0 0 1"/></joint>
<joint name="j" type="revolute"><parent link="base"/><child link="tip"/><limit effort="3" velocity="2"/>
<safety_controller k_velocity="3"/></joint></robot>"""
BROUGHT = """<plugin name="physics" filename="libphysics.so"/><light name="sun" type="point"/>
<frame name="place"/><custom>x</custom>
<frame name="far" attached_to="arm::tip"/>
<joint name="hold" type="fixed"><parent>desk::d</parent><child>arm::base</child></joint>
<model name="desk"><link name="d"/><model name="n"><link name="y"/></model></model>"""


@pytest.mark.parametrize("carry", [True, False])
def test_a_model_that_a_world_was_made_around_stands_alone(carry: bool, tmp_path: Path) -> None:
    source = put(tmp_path, TABLE, "table.urdf")
    convert(source, tmp_path / "table.sdf", options=Options(carry=carry))
    report, out = converted(tmp_path, tmp_path / "table.sdf", "arm.urdf", Options(model="arm"))
    assert xml(out).get("name") == "arm"
    assert xml(out).xpath("//visual | //material") == []
    assert xml(out).xpath("//joint[@name='w']/origin/@xyz") == ["0 0 1"]
    assert bool(xml(out).xpath("//safety_controller")) == carry
    (told,) = of_rule(report, "models/chosen")
    assert told.where.startswith("body/world.geoms" if carry else "joint/ground_weld")
    convert(tmp_path / "table.sdf", tmp_path / "alone.sdf", options=Options(model="arm"))
    assert [each.tag for each in xml(tmp_path / "alone.sdf") if "carried" not in each.tag] == ["model"]
    assert seen(tmp_path / "alone.sdf")["errors"] == []


def test_what_was_brought_into_a_world_that_was_made_around_a_model_is_left_out(tmp_path: Path) -> None:
    convert(put(tmp_path, TABLE.replace('name="w"', 'name="w2"'), "table.urdf"), tmp_path / "table.sdf")
    text = (tmp_path / "table.sdf").read_text().replace('version="1.9"', 'version="1.10"')
    text = text.replace('<world name="arm">', f'<world name="lab">{BROUGHT}')
    lab = put(tmp_path, text, "lab.sdf")
    report, out = converted(tmp_path, lab, "arm.urdf", Options(model="arm"))
    assert set(xml(out).xpath("link/@name")) == {"world", "base", "tip"}
    assert xml(out).xpath("//plugin") == []
    assert xml(out).get("name") == "arm"
    (told,) = of_rule(report, "models/chosen")
    assert told.reason.endswith("; left out: desk")
    report, out = converted(tmp_path, lab, "desk.urdf", Options(model="desk"))
    assert set(xml(out).xpath("link/@name")) == {"world", "d", "n::y"}
    (told,) = of_rule(report, "models/chosen")
    assert told.reason.endswith("; left out: arm")
    with pytest.raises(InputError, match="named 'nix'; there are lab, arm, ground, desk, desk::n"):
        read(lab, options=Options(model="nix"))


def test_a_world_that_was_made_around_a_model_knows_it_by_its_name(tmp_path: Path) -> None:
    """libsdformat has the path of the model where names in the graph have none."""
    start, _, end = TABLE.partition('<joint name="w"')
    convert(put(tmp_path, start + end[end.index("<joint") :], "t.urdf"), tmp_path / "t.sdf")
    text = (tmp_path / "t.sdf").read_text().replace('version="1.9"', 'version="1.10"')
    lab = put(tmp_path, text.replace('<world name="arm">', f'<world name="lab">{BROUGHT}'), "lab.sdf")
    report, out = converted(tmp_path, lab, "lab.xml")
    model = mujoco_model(out)
    parents = {model.body(index).name: model.body(model.body_parentid[index]).name for index in range(model.nbody)}
    assert parents["base"] == "desk::d"
    assert model.body(model.site_bodyid[model.site("far").id]).name == "tip"
    (told,) = of_rule(report, "sdf/model-name")
    assert (told.before, told.after) == ("arm", "lab")


@pytest.mark.parametrize("carry", [True, False])
def test_what_stands_in_a_world_made_here_is_a_model_of_its_own(carry: bool, tmp_path: Path) -> None:
    source = put(tmp_path, TABLE, "table.urdf")
    convert(source, tmp_path / "table.sdf", options=Options(carry=carry))
    for name in ("out.urdf", "out.xml", "out.sdf"):
        report, out = converted(tmp_path, tmp_path / "table.sdf", name, Options(model="ground"))
        (told,) = of_rule(report, "models/chosen")
        assert told.reason.endswith("left out: arm")
        if name == "out.urdf":
            assert xml(out).get("name") == "ground"
            assert xml(out).xpath("//joint/child/@link") == ["ground"]
            assert xml(out).xpath("//link[@name='ground']/visual//box/@size") == ["1 1 1"]
            assert xml(out).xpath("//color/@rgba") == ["1 0 0 1"]
        elif name == "out.xml":
            assert mujoco_model(out).ngeom == 1
        else:
            assert set(seen(out)["links"]) == {"ground"}
    with pytest.raises(InputError, match="named 'no'; there are arm, ground"):
        convert(tmp_path / "table.sdf", tmp_path / "no.urdf", options=Options(model="no"))
