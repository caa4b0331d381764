"""URDFs that a world or a model of SDFormat includes, judged by libsdformat, MuJoCo and lxml."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest
from lxml import etree

from converters import convert, read
from converters.context import InputError
from converters.validating.run import validate
from ir.kinematics import forward
from tests.files import saved
from tests.formats.sdf_text import put, seen
from tests.oracles.in_mujoco import mujoco_model
from tests.reports import complete, of_rule

RULE = "sdf/included-format"
MASS = '<inertial><mass value="2"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
LIMIT = '<limit effort="3" velocity="4" lower="-1" upper="1"/>'
ARM = f"""<robot name="arm">
<link name="base">{MASS}<visual><geometry><box size="1 2 3"/></geometry>
<material name=""><color rgba="0.1 0.1 0.1 1"/></material></visual></link>
<link name="upper">{MASS}</link>
<link name="finger">{MASS}</link>
<joint name="turn" type="revolute"><origin xyz="0 0 1" rpy="0 0.5 0"/><parent link="base"/><child link="upper"/>
<axis xyz="0 1 0"/>{LIMIT}<safety_controller k_velocity="5"/></joint>
<joint name="follow" type="revolute"><origin xyz="0.5 0 0"/><parent link="upper"/><child link="finger"/>
<axis xyz="0 0 2"/>{LIMIT}<mimic joint="turn" multiplier="2"/></joint>
<gazebo reference="upper"><sensor name="imu" type="imu"/></gazebo>
<gazebo reference="base"><material>Gazebo/Green</material></gazebo>
<custom_tool/>
</robot>"""
WORLD = '<sdf version="1.10"><world name="w">{}<model name="m"><link name="a"/></model></world></sdf>'
NAMED = "<include><uri>arm.urdf</uri><name>left</name><pose>1 2 3 0.1 0.2 0.3</pose></include>"
INCLUDES = {
    "named and placed": NAMED,
    "as it is": "<include><uri>arm.urdf</uri></include>",
    "by a frame of it": "<include><uri>arm.urdf</uri><placement_frame>upper</placement_frame>"
    "<pose>0 0 9 0 0 0</pose></include>",
    "twice": NAMED + "<include><uri>arm.urdf</uri><name>right</name></include>",
    "and held": NAMED + '<joint name="tie" type="fixed"><parent>left::upper</parent><child>m::a</child></joint>',
    "in a model": f'<model name="cell"><link name="floor"/>{NAMED}</model>',
}


@pytest.fixture
def arm(tmp_path: Path) -> Path:
    return put(tmp_path, ARM, "arm.urdf")


@pytest.mark.parametrize("include", INCLUDES.values(), ids=INCLUDES)
def test_it_is_what_libsdformat_makes_of_it(include: str, arm: Path, tmp_path: Path) -> None:
    source = put(tmp_path, WORLD.format(include))
    scene, theirs = read(source), seen(source)
    assert set(theirs["links"]) == set(scene.bodies) - {"world"}
    poses = forward(scene)
    for name, link in theirs["links"].items():
        np.testing.assert_allclose(poses[name].pos, link["pose"][:3], rtol=0, atol=1e-9)
        ours = np.abs(np.array(poses[name].rot))  # the same turn, whichever of the two signs
        np.testing.assert_allclose(ours, np.abs(link["pose"][3:]), rtol=0, atol=1e-9)
        inertial = scene.body(name).inertial
        assert inertial is not None and inertial.mass == link["mass"]
    moving = {name: joint for name, joint in scene.joints.items() if name in theirs["joints"]}
    assert set(moving) == set(theirs["joints"]) and moving
    for name, joint in moving.items():
        for dof, axis in zip(joint.dofs, theirs["joints"][name]["axes"], strict=True):
            np.testing.assert_allclose(dof.axis, axis["xyz"], rtol=0, atol=1e-9)
            assert (dof.lower, dof.upper) == (axis["lower"], axis["upper"])


@pytest.mark.parametrize("include", INCLUDES.values(), ids=INCLUDES)
@pytest.mark.parametrize("suffix", ["xml", "urdf", "glb"])
def test_the_include_comes_back(include: str, suffix: str, arm: Path, tmp_path: Path) -> None:
    source = put(tmp_path, WORLD.format(include))
    complete(convert(source, tmp_path / f"out.{suffix}"))
    for back, start in (("back.sdf", tmp_path / f"out.{suffix}"), ("again.sdf", source)):
        convert(start, tmp_path / back)
        texts = [etree.canonicalize(path.read_text(), strip_text=True) for path in (source, tmp_path / back)]
        assert texts[0] == texts[1]


def test_mujoco_moves_what_it_says(arm: Path, tmp_path: Path) -> None:
    convert(put(tmp_path, WORLD.format(NAMED)), tmp_path / "out.xml")
    model = mujoco_model(tmp_path / "out.xml")
    assert model.body("left::finger").mass == 2
    assert tuple(model.joint("left::turn").range) == (-1, 1)
    (tie,) = range(model.neq)
    assert model.eq_type[tie] == mujoco.mjtEq.mjEQ_JOINT and model.eq_data[tie][1] == 2
    assert [model.joint(int(joint[tie])).name for joint in (model.eq_obj1id, model.eq_obj2id)] == [
        "left::follow",
        "left::turn",
    ]


def test_what_sdformat_does_not_say_of_it_is_told_at_its_lines(arm: Path, tmp_path: Path) -> None:
    source = put(tmp_path, WORLD.format(NAMED))
    report = complete(convert(source, tmp_path / "out.xml"))
    told = {found.where: found for found in of_rule(report, RULE) if found.action == "ignored"}
    soft, custom = told["joint/turn.dofs.0.soft"], told["scene/extras.custom_tool[1]"]
    assert [(each.file, each.line) for each in soft.sources] == [(str(arm), 6)]
    assert "k_velocity" in soft.before and "sdf/soft-limits" in soft.reason
    assert custom.before == "<custom_tool/>"
    scene = read(source)
    assert scene.joints["left::turn"].source is not None and scene.joints["left::turn"].source.line == 6
    assert [sensor.body for sensor in scene.tables["sensor"].values()] == ["left::upper"]
    counted = sum(_items(path) for path in (source, arm))
    assert report.source_items == counted == report.read + report.ignored + report.unread
    assert str(arm) in report.source.files
    assert {found.rule for found in convert(source, tmp_path / "out.sdf").findings} == {"sdf/inertial-default"}


@pytest.mark.parametrize("include", INCLUDES.values(), ids=INCLUDES)
@pytest.mark.parametrize("suffix", ["xml", "urdf", "glb"])
def test_places_in_it_are_elements_of_the_urdf(include: str, suffix: str, tmp_path: Path) -> None:
    plugin = '<gazebo><plugin name="p" filename="libp.so"/></gazebo>'
    arm = put(
        tmp_path, '<?xml version="1.0"?>\n' + ARM.replace("<custom_tool/>", f"<custom_tool/>\n{plugin}"), "arm.urdf"
    )
    report = convert(put(tmp_path, WORLD.format(include)), tmp_path / f"out.{suffix}")
    places = [place for found in report.findings for place in found.sources if place.file == str(arm)]
    root = etree.parse(arm)
    lines = {place.path: [each.sourceline for each in root.xpath(place.path.partition("/@")[0])] for place in places}
    assert lines == {place.path: [place.line] for place in places}
    assert {"/robot", "/robot/link[1]", "/robot/gazebo[3]"} <= lines.keys()


def _items(path: Path) -> int:
    """Return the number of elements, attributes and pieces of text, by lxml."""
    elements = [each for each in etree.parse(path).iter() if isinstance(each.tag, str)]
    texts = [text for each in elements for text in (each.text, each.tail) if text and text.strip()]
    return len(elements) + sum(len(each.attrib) for each in elements) + len(texts)


def test_it_comes_along_into_a_folder_where_nobody_finds_it(arm: Path, tmp_path: Path) -> None:
    source = put(tmp_path, WORLD.format(NAMED))
    (tmp_path / "away").mkdir()
    convert(source, tmp_path / "away/out.sdf")
    arm.unlink()
    theirs = seen(tmp_path / "away/out.sdf")
    assert {"left::base", "left::upper", "left::finger"} <= set(theirs["links"])


def test_its_meshes_are_found_beside_it(arm: Path, tmp_path: Path, made: Path) -> None:
    saved(tmp_path / "part" / "body.stl", (made / "meshes" / "tetrahedron.stl").read_bytes())
    geometry = '<geometry><mesh filename="{}"/></geometry>'
    texts = [f"<visual>{geometry.format(uri)}</visual>" for uri in ("body.stl", "package://part/body.stl", "gone.stl")]
    put(tmp_path / "part", f'<robot name="r"><link name="b">{MASS}{"".join(texts)}</link></robot>', "r.urdf")
    source = put(tmp_path, WORLD.format("<include><uri>part/r.urdf</uri></include>"))
    report = complete(convert(source, tmp_path / "out.xml"))
    model = mujoco_model(tmp_path / "out.xml")
    assert [model.geom(geom).type for geom in range(model.ngeom)] == [mujoco.mjtGeom.mjGEOM_MESH] * 2
    assert [found.before for found in of_rule(report, "assets/missing")] == ["gone.stl"]


def test_an_include_may_change_it(arm: Path, tmp_path: Path) -> None:
    change = '<experimental:params><link element_id="upper" action="modify"><inertial><mass>7</mass></inertial></link>'
    text = NAMED.replace("</include>", f"{change}</experimental:params></include>")
    source = put(tmp_path, WORLD.format(text))
    inertial = read(source).body("left::upper").inertial
    assert inertial is not None and inertial.mass == 7


def test_another_format_is_told_and_a_broken_urdf_named(arm: Path, tmp_path: Path) -> None:
    source = put(tmp_path, WORLD.format(NAMED))
    arm.write_text('<mujoco model="x"/>')
    (told,) = of_rule(complete(convert(source, tmp_path / "out.xml")), RULE)
    assert told.where == "include/arm.urdf" and "neither SDFormat nor URDF" in told.reason
    arm.write_text(ARM.replace('<child link="upper"/>', '<child link="nobody"/>'))
    with pytest.raises(InputError, match=r"nobody") as error:
        convert(source, tmp_path / "out.xml")
    assert error.value.source is not None and error.value.source.file == str(arm) and error.value.source.line == 6


def test_carried_data_in_it_is_left_aside_and_told(arm: Path, tmp_path: Path) -> None:
    convert(
        put(
            tmp_path,
            '<mujoco model="x"><worldbody><body name="b"><freejoint/><geom size="1"/><site name="s"/>'
            "</body></worldbody><actuator/></mujoco>",
            "x.xml",
        ),
        arm,
    )
    report = complete(convert(put(tmp_path, WORLD.format(NAMED)), tmp_path / "out.xml"))
    assert any("an earlier conversion carried" in found.reason for found in of_rule(report, RULE))


def test_validate_finds_what_is_wrong_in_it(arm: Path, tmp_path: Path) -> None:
    arm.write_text(ARM.replace('<parent link="base"/>', '<parent link="nobody"/>', 1))
    found = validate(put(tmp_path, WORLD.format(NAMED)))
    assert any("nobody" in each.message for each in found.breaches)
