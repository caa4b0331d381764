"""Requirements 27 to 40 of an SDFormat reader and writer: composition, names, files, unknown elements."""

from __future__ import annotations

import math
import shutil
from pathlib import Path

import numpy as np
import pytest

import converters
from converters.context import InputError, Options
from converters.report.model import Action
from tests.formats.sdf_text import (
    BOX,
    axis,
    codes,
    converted,
    faults,
    in_mjcf,
    in_urdf,
    joint,
    link,
    matrix,
    put,
    rules,
    same_motion,
    sdf,
    seen,
    xml,
)
from tests.oracles.in_mujoco import COLLISION, VISUAL, drawn, geoms, mujoco_model
from tests.oracles.sdf_elements import differences

PAIR = link("a") + link("b", "0 0 1 0 0 0")
ARM = f"""<sdf version="1.9">
<model name="arm">
<pose>1 2 3 0 0 0</pose>
{PAIR}{joint("j", "a", "b")}
</model>
</sdf>
"""


def world(body: str, version: str = "1.10") -> str:
    return f'<sdf version="{version}">\n<world name="w">\n{body}\n</world>\n</sdf>\n'


def test_27_the_world_as_an_end_of_a_joint(tmp_path: Path):
    inner = joint("stand", "world", "a", "", "fixed") + joint("j", "a", "b")
    source = put(tmp_path, sdf(PAIR + inner))
    assert seen(source)["joints"]["stand"]["parent"] == "world"
    same_motion(tmp_path, source, ["j"])
    _, mjcf = converted(tmp_path, source, "out.xml")
    assert mujoco_model(mjcf).nv == 1

    models = (
        f'<model name="m">{PAIR}{joint("j", "a", "b")}</model>\n<model name="n">{link("c", "0 0 2 0 0 0")}</model>\n'
    )
    between = joint("weld", "m::b", "n::c", "", "fixed")
    _, mjcf = converted(tmp_path, world(models + between), "between.xml")
    model = mujoco_model(mjcf)
    assert model.body(int(model.body("n::c").parentid[0])).name == "m::b"
    assert in_mjcf(mjcf, {})["n::c"][:3, 3] == pytest.approx([0, 0, 2])

    report, mjcf = converted(tmp_path, world(models + joint("no", "m::b", "world", "", "fixed")), "child.xml")
    assert faults(report) == ["sdf/joint-child-link-invalid"]
    assert set(in_mjcf(mjcf, {})) == {"world", "m::a", "m::b", "n::c"}


@pytest.mark.parametrize(
    ("said", "name", "position"),
    [
        ("", "arm", (1, 2, 3)),
        ("<name>other</name>", "other", (1, 2, 3)),
        ("<pose>5 0 0 0 0 0</pose>", "arm", (5, 0, 0)),
        ("<name>other</name><pose>5 0 0 0 0 0</pose>", "other", (5, 0, 0)),
    ],
)
def test_28_include(said: str, name: str, position: tuple[int, ...], tmp_path: Path):
    put(tmp_path, ARM, "arm.sdf")
    source = put(tmp_path, world(f"<include><uri>arm.sdf</uri>{said}</include>", "1.9"))
    expected = seen(source, tmp_path)["links"]
    assert expected[f"{name}::a"]["pose"][:3] == list(position)
    _, mjcf = converted(tmp_path, source, "out.xml")
    found = in_mjcf(mjcf, {})
    assert found.keys() - {"world"} == expected.keys()
    for link_name, said_link in expected.items():
        assert found[link_name] == pytest.approx(matrix(said_link["pose"]), abs=1e-12)


def test_28_two_includes_without_names(tmp_path: Path):
    put(tmp_path, ARM, "arm.sdf")
    source = put(tmp_path, world("<include><uri>arm.sdf</uri></include>\n" * 2, "1.9"))
    assert 2 in codes(source, tmp_path)
    with pytest.raises(InputError, match="DUPLICATE_NAME") as caught:
        converters.read(source)
    assert caught.value.source is not None and caught.value.source.line == 4


def test_29_a_merged_model(tmp_path: Path):
    put(tmp_path, ARM.replace('name="arm">', 'name="arm">\n<static>true</static>'), "arm.sdf")
    include = '<include merge="true"><uri>arm.sdf</uri><pose>0 0 7 0 0 0</pose></include>\n'
    more = link("tool", "0 0 2 0 0 0", relative_to="b") + joint("k", "b", "tool", axis("1 0 0"))
    source = put(tmp_path, sdf(link("base") + include + more))
    expected = seen(source, tmp_path)
    report, mjcf = converted(tmp_path, source, "out.xml")
    found = in_mjcf(mjcf, {})
    for name in ("base", "a", "b", "tool"):
        assert found[name] == pytest.approx(matrix(expected["links"][name]["pose"]), abs=1e-12)
    assert found["tool"][:3, 3] == pytest.approx([0, 0, 10])
    assert {"j", "k"} == set(expected["joints"])
    assert "sdf/merged-model" in rules(report)


TOOL = f'<model name="tool"><pose>0 0 0.5 0 0 1</pose>{link("tip", "0 0 0.25 0 0 0")}</model>'
GRIP = joint("grip", "hand", "tool::tip", axis("0 1 0"))
NESTED = f'<model name="arm"><pose>1 0 0 0 0 0</pose>{link("hand")}{TOOL}{GRIP}</model>\n'


def test_30_names_that_lead_into_nested_models(tmp_path: Path):
    more = '<frame name="f" attached_to="arm::tool::tip"><pose>0 0 1 0 0 0</pose></frame>\n'
    more += link("end", "0 1 0 0 0 0", relative_to="arm::tool::tip") + joint(
        "k", "arm::tool::tip", "end", axis("1 0 0")
    )
    source = put(tmp_path, sdf(NESTED + more))
    expected = seen(source)
    assert expected["joints"]["arm::grip"]["child"] == "arm::tool::tip"
    for target, poses in (("out.urdf", in_urdf), ("out.xml", in_mjcf)):
        _, path = converted(tmp_path, source, target)
        found = poses(path, {})
        by_end = {name.split("::")[-1].split("_")[-1].split("/")[-1]: pose for name, pose in found.items()}
        for name in ("arm::hand", "arm::tool::tip", "end"):
            assert by_end[name.split("::")[-1]] == pytest.approx(matrix(expected["links"][name]["pose"]), abs=1e-12)
        _, back = converted(tmp_path, path, f"back_{target}.sdf")
        assert seen(back)["links"].keys() == expected["links"].keys()
        assert seen(back)["joints"].keys() == expected["joints"].keys()


def test_30_a_name_does_not_lead_upwards(tmp_path: Path):
    inner = f'<model name="arm">{link("hand", "0 0 1 0 0 0", relative_to="base")}{link("good")}</model>\n'
    source = put(tmp_path, sdf(link("base") + inner))
    assert 25 in codes(source)
    report, mjcf = converted(tmp_path, source, "out.xml")
    assert faults(report) == ["sdf/pose-relative-to-invalid"]
    assert in_mjcf(mjcf, {}).keys() == {"world", "base", "arm::good"}


def test_31_flattened_names(tmp_path: Path):
    flat = link("base") + link("sub::link", "0 0 1 0 0 0") + joint("j", "base", "sub::link")
    source = put(tmp_path, sdf(flat, "1.7"))
    assert seen(source)["links"].keys() == {"base", "sub::link"}
    report, mjcf = converted(tmp_path, source, "out.xml")
    assert faults(report) == []
    assert in_mjcf(mjcf, {"j": 0.5})["sub::link"][:3, 3] == pytest.approx([0, 0, 1])
    source = put(tmp_path, sdf(flat, "1.8"))
    assert 3 in codes(source)
    with pytest.raises(InputError, match="RESERVED_NAME") as caught:
        converters.read(source)
    assert caught.value.source is not None and caught.value.source.line == 4


def test_32_the_newest_version_of_a_model_is_taken(tmp_path: Path):
    versions = ("1.2", "1.4", "1.9", "1.99")
    listed = "".join(f'<sdf version="{version}">model-{version}.sdf</sdf>' for version in versions)
    put(tmp_path, f"<model><name>part</name>{listed}</model>", "part/model.config")
    for version in versions:
        put(tmp_path, sdf(link(f"from_{version}"), version), f"part/model-{version}.sdf")
    source = put(tmp_path, world("<include><uri>model://part</uri></include>", "1.9"))
    _, mjcf = converted(tmp_path, source, "out.xml", Options(resource_paths=(tmp_path,)))
    assert in_mjcf(mjcf, {}).keys() == {"world", "m::from_1.9"}


def test_32_files_that_include_each_other(tmp_path: Path):
    put(tmp_path, sdf("<include><uri>b.sdf</uri></include>"), "a.sdf")
    put(tmp_path, sdf("<include><uri>a.sdf</uri></include>"), "b.sdf")
    with pytest.raises(InputError, match="circle") as caught:
        converters.read(tmp_path / "a.sdf")
    assert caught.value.source is not None
    assert (Path(caught.value.source.file).name, caught.value.source.line) == ("b.sdf", 3)


def test_33_prefixes_and_comments_that_xml_forbids(tmp_path: Path):
    text = (
        "<!-- QQQ -->\n" + '<?xml version="1.0"?>\n' + sdf(link("a", inner='<drake:QQQ drake:b="1"/><!-- a <!-- b -->'))
    )
    source = put(tmp_path, text)
    report, mjcf = converted(tmp_path, source, "out.xml")
    assert in_mjcf(mjcf, {}).keys() == {"world", "a"}
    assert [finding for finding in report.findings if finding.rule.startswith(("xml/", "sdf/"))]
    source = put(tmp_path, sdf("<link name=a/>"))
    assert codes(source)
    with pytest.raises(InputError) as caught:
        converters.read(source)
    assert caught.value.source is not None and caught.value.source.line == 3


def test_34_what_nobody_understands_comes_back(tmp_path: Path):
    body = """<link name="a" QQQ="7" q:x="8" xmlns:q="https://q.invalid">
  <q:thing b="2" a="1">some <q:text/> words</q:thing>
  <unknown><deep>1.50 text</deep></unknown>
</link>
<plugin name="p" filename="libp.so"><any attr="x">9.000<pose>1 2</pose></any></plugin>"""
    source = put(tmp_path, sdf(body))
    report, again = converted(tmp_path, source, "again.sdf")
    assert list(differences(source, again)) == []
    assert [finding for finding in report.findings if finding.action in (Action.DROPPED, Action.APPROXIMATED)] == []
    for target in ("out.urdf", "out.xml"):
        report, path = converted(tmp_path, source, target)
        carried = {
            place.path for finding in report.findings for place in finding.sources if finding.action == "carried"
        }
        assert {
            "/sdf/model[1]/link[1]/q:thing[1]",
            "/sdf/model[1]/link[1]/unknown[1]",
            "/sdf/model[1]/plugin[1]",
        } <= carried
        _, back = converted(tmp_path, path, f"back_{target}.sdf")
        assert list(differences(source, back)) == []


def test_35_the_same_names_in_several_places(tmp_path: Path):
    collision = f'<collision name="v">{BOX}</collision>'
    first, second = (f'<visual name="v"><pose>{x} 0 0 0 0 0</pose>{BOX}</visual>{collision}' for x in (1, 2))
    body = link("a", inner=first) + link("b", "0 0 1 0 0 0", second) + joint("a", "a", "b")
    source = put(tmp_path, sdf(body, "1.6"))
    _, mjcf = converted(tmp_path, source, "out.xml")
    model = mujoco_model(mjcf)
    names = [model.geom(index).name for index in range(model.ngeom)]
    assert len(set(names)) == 4
    assert geoms(model, model.body("b").id, VISUAL)[0].pose[0, 3] == 2
    assert len(geoms(model, model.body("b").id, COLLISION)) == 1
    for target in ("out.xml", "out.urdf"):
        _, path = converted(tmp_path, source, target)
        _, back = converted(tmp_path, path, f"back_{target}.sdf")
        assert xml(back).xpath("//link/*/@name") == ["v"] * 4
        assert xml(back).xpath("//joint/@name") == ["a"]


def test_36_meshes(tmp_path: Path, made: Path):
    stl = made / "meshes" / "tetrahedron.stl"
    for place in ("part/meshes/a.stl", "beside.stl"):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(stl, tmp_path / place)
    put(tmp_path, "<model><name>part</name></model>", "part/model.config")
    put(tmp_path, "<package><name>part</name></package>", "part/package.xml")
    uris = ["model://part/meshes/a.stl", "package://part/meshes/a.stl", "beside.stl", "model://QQQ/none.stl"]
    scales = ["1 1 1", "2 2 2", "1 1 -1", "1 1 1"]
    shapes = "".join(
        f'<visual name="v{index}"><geometry><mesh><uri>{uri}</uri><scale>{scale}</scale></mesh></geometry></visual>\n'
        for index, (uri, scale) in enumerate(zip(uris, scales, strict=True))
    )
    source = put(tmp_path, sdf(link("a", inner=shapes)))
    options = Options(resource_paths=(tmp_path,))
    report, mjcf = converted(tmp_path, source, "out/out.xml", options)
    missing = [place.path for finding in report.findings if "written" in finding.rule for place in finding.sources]
    assert {path.split("/geometry")[0] for path in missing} == {"/sdf/model[1]/link[1]/visual[4]"}
    model = mujoco_model(mjcf)
    assert model.nmesh == 3
    found = geoms(model, model.body("a").id, VISUAL)
    extents = [tuple(np.ptp(geom.points, axis=0)) for geom in found]
    assert extents[1] == pytest.approx(np.array(extents[0]) * 2)
    assert np.sort(found[2].points[:, 2]) == pytest.approx(np.sort(-found[0].points[:, 2]), abs=1e-7)
    _, urdf = converted(tmp_path, source, "out/out.urdf", options)
    assert xml(urdf).xpath("//mesh/@scale")[:2] == ["2 2 2", "1 1 -1"]


def test_37_shapes(tmp_path: Path):
    said = {
        "plane": "<plane><normal>0 1 0</normal><size>2 3</size></plane>",
        "capsule": "<capsule><radius>0.5</radius><length>2</length></capsule>",
        "ellipsoid": "<ellipsoid><radii>1 2 3</radii></ellipsoid>",
        "cylinder": "<cylinder><radius>0.5</radius><length>2</length></cylinder>",
        "box": "<box><size>1 2 3</size></box>",
        "sphere": "<sphere><radius>0.5</radius></sphere>",
    }
    inner = "".join(f'<visual name="{name}"><geometry>{shape}</geometry></visual>\n' for name, shape in said.items())
    source = put(tmp_path, sdf("<static>true</static>" + link("a", inner=inner)))
    assert seen(source)["links"]["a"]["visuals"] == len(said)
    _, mjcf = converted(tmp_path, source, "out.xml")
    model = mujoco_model(mjcf)
    found = {geom.kind: geom for geom in geoms(model, model.body("a").id, VISUAL)}
    assert found.keys() == said.keys()
    assert found["plane"].pose[:3, 2] == pytest.approx([0, 1, 0], abs=1e-12)
    assert sorted(found["plane"].size[:2]) == [1, 1.5]
    assert found["capsule"].size[:2] == (0.5, 1)
    assert found["ellipsoid"].size == (1, 2, 3)
    assert found["cylinder"].size[:2] == (0.5, 1)
    assert found["box"].size == (0.5, 1, 1.5)
    assert found["sphere"].size[0] == 0.5
    report, urdf = converted(tmp_path, source, "out.urdf")
    assert len(xml(urdf).xpath("//box | //sphere | //cylinder | //mesh | //capsule")) >= 3
    assert [finding.rule for finding in report.findings if "plane" in finding.where] == ["shapes/slab"] * 3


def test_37_a_cone_and_a_prism(tmp_path: Path):
    cone = "<cone><radius>1</radius><length>2</length></cone>"
    prism = "<polyline><point>0 0</point><point>2 0</point><point>0 2</point><height>3</height></polyline>"
    inner = "".join(f'<visual name="v{len(shape)}"><geometry>{shape}</geometry></visual>\n' for shape in (cone, prism))
    for target in ("out.xml", "out.urdf"):
        report, _ = converted(tmp_path, sdf(link("a", inner=inner), "1.11"), target)
        places = {place.path for finding in report.findings for place in finding.sources}
        assert any(place.startswith("/sdf/model[1]/link[1]/visual[1]") for place in places)
        assert any(place.startswith("/sdf/model[1]/link[1]/visual[2]") for place in places)
    report, again = converted(tmp_path, sdf(link("a", inner=inner), "1.11"), "again.sdf")
    assert len(xml(again).xpath("//cone | //polyline")) == 2


URDF = """<robot name="r">
<link name="base"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
<collision name="QQQ"><geometry><mesh filename="a.stl" scale="0.00123456789 1 1"/></geometry></collision></link>
<link name="leaf"/><link name="mid"/><link name="end"><inertial><mass value="2"/>
<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
<link name="drone"><inertial><mass value="1"/>
<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
<joint name="j" type="fixed"><origin xyz="0.1 0.2 0.3"/><parent link="base"/><child link="leaf"/></joint>
<joint name="k" type="fixed"><parent link="base"/><child link="mid"/></joint>
<joint name="l" type="revolute"><parent link="mid"/><child link="end"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="1" effort="5" velocity="1"/></joint>
<joint name="f" type="floating"><origin xyz="0 0 4"/><parent link="base"/><child link="drone"/></joint>
<gazebo reference="base"><mu1>0.25</mu1><selfCollide>true</selfCollide></gazebo>
</robot>
"""


def test_38_urdf_becomes_sdf(tmp_path: Path, made: Path):
    shutil.copy(made / "meshes" / "tetrahedron.stl", tmp_path / "a.stl")
    source = put(tmp_path, URDF, "robot.urdf")
    _, path = converted(tmp_path, source, "out/robot.sdf")
    found = seen(path)
    assert {"base", "mid", "end", "drone"} <= found["links"].keys()
    assert "leaf" in found["links"].keys() | found["frames"].keys()
    assert {name: found["joints"][name]["type"] for name in ("k", "l")} == {"k": "fixed", "l": "revolute"}
    leaf = (found["links"] | found["frames"])["leaf"]
    assert leaf["pose"] == pytest.approx([0.1, 0.2, 0.3, 1, 0, 0, 0], abs=1e-15)
    assert found["links"]["drone"]["pose"][:3] == [0, 0, 4]
    root = xml(path)
    (collision,) = root.xpath("//link[@name='base']/collision")
    assert collision.get("name") == "QQQ"
    assert float(collision.findtext("surface/friction/ode/mu")) == 0.25
    assert [float(word) for word in collision.findtext("geometry/mesh/scale").split()] == [0.00123456789, 1, 1]


@pytest.mark.parametrize("rgba", ["0.8 0.4 0.2 1", "1 1 1 0.5", "0.123456789 0 1 1"])
def test_39_a_colour_does_not_drift(rgba: str, tmp_path: Path):
    text = f"""<robot name="r"><link name="a"><visual><geometry><box size="1 1 1"/></geometry>
<material name="m"><color rgba="{rgba}"/></material></visual></link></robot>"""
    path = put(tmp_path, text, "robot.urdf")
    for turn in range(3):
        _, sdf_path = converted(tmp_path, path, f"turn{turn}.sdf")
        diffuse = xml(sdf_path).findtext(".//material/diffuse")
        assert diffuse is not None
        assert [float(word) for word in diffuse.split()] == [float(word) for word in rgba.split()]
        _, path = converted(tmp_path, sdf_path, f"turn{turn}.urdf")
    assert xml(path).xpath("//color/@rgba") == [rgba]


def test_39_the_colours_of_ogre_and_metal(tmp_path: Path):
    script = "<script><uri>file://media/materials/scripts/gazebo.material</uri><name>Gazebo/Red</name></script>"
    inner = f'<visual name="v">{BOX}<material>{script}</material></visual>'
    source = put(tmp_path, sdf(link("a", inner=inner)))
    assert seen(source)["links"]["a"]["visuals"] == 1
    _, mjcf = converted(tmp_path, source, "out.xml")
    model = mujoco_model(mjcf)
    assert geoms(model, model.body("a").id, VISUAL)[0].rgba[:3] == pytest.approx((1, 0, 0))
    _, urdf = converted(tmp_path, source, "out.urdf")
    (rgba,) = xml(urdf).xpath("//visual/material/color/@rgba | //material/color/@rgba")[:1]
    assert [float(word) for word in str(rgba).split()][:3] == [1, 0, 0]


def test_40_a_camera_and_a_spot(tmp_path: Path):
    camera = """<sensor name="eye" type="camera"><pose>0.1 0 0 0 0 0.5</pose>
<camera><horizontal_fov>1.0</horizontal_fov><image><width>320</width><height>240</height></image></camera></sensor>"""
    light = """<light name="lamp" type="spot"><pose>0 0 2 0 0 0</pose><direction>0 1 0</direction>
<spot><inner_angle>0.5</inner_angle><outer_angle>1.0</outer_angle><falloff>1</falloff></spot></light>"""
    source = put(tmp_path, sdf(link("a", "0 0 1 0 0 0", camera + light)))
    assert seen(source)["links"]["a"]["sensors"] == 1
    _, mjcf = converted(tmp_path, source, "out.xml")
    model, data = drawn(mjcf)
    assert (model.ncam, model.nlight) == (1, 1)
    view = data.cam_xmat[0].reshape(3, 3)
    assert -view[:, 2] == pytest.approx([math.cos(0.5), math.sin(0.5), 0], abs=1e-12)
    assert view[:, 1] == pytest.approx([0, 0, 1], abs=1e-12)
    assert data.cam_xpos[0] == pytest.approx([0.1, 0, 1])
    assert model.cam_fovy[0] == pytest.approx(math.degrees(2 * math.atan(math.tan(0.5) * 240 / 320)))
    assert data.light_xdir[0] == pytest.approx([0, 1, 0], abs=1e-12)
    assert model.light_cutoff[0] == pytest.approx(math.degrees(0.5))
