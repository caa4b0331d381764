"""A contact sensor measures the same collisions in every simulator."""

from __future__ import annotations

import re
from pathlib import Path

import mujoco
import numpy as np
import pytest
from lxml import etree
from msgspec.structs import replace

from converters.context import Options
from converters.convert import convert, read, write
from tests.converters.lying import lying, unexplained
from tests.formats.sdf_text import converted, joint, link, put, sdf, seen, xml
from tests.formats.uncarried import bare
from tests.oracles import in_mujoco, sdf_elements
from tests.oracles.in_sdformat import sdformat_expands
from tests.reports import explained, of_rule

INERTIA = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
ROBOT = f"""<robot name="r"><link name="hip">{INERTIA}</link>
  <link name="foot">{INERTIA}<collision><geometry><sphere radius="0.1"/></geometry></collision>
  <collision><origin xyz="0.3 0 0"/><geometry><sphere radius="0.2"/></geometry></collision></link>
  <joint name="j" type="prismatic"><parent link="hip"/><child link="foot"/><axis xyz="0 0 1"/>
  <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <gazebo reference="foot"><sensor name="bumper" type="contact"><update_rate>50</update_rate>
  <contact>NAMED</contact></sensor></gazebo></robot>
"""
NAMES = ("foot_collision", "foot_collision_1")
"""Names that libsdformat gives the collisions of the foot."""
SPHERE = '<collision name="{}"><geometry><sphere><radius>{}</radius></sphere></geometry></collision>'
MODEL = """<mujoco model="m"><worldbody><geom name="floor" type="plane" size="5 5 .1"/>
  <body name="a" pos="0 0 .09"><freejoint/><geom name="g" size=".1"/><geom name="h" size=".12" pos=".5 0 0"/>
  <site name="skin" size="9"/><site name="tip" size=".12"/></body>
  <body name="b" pos="3 0 .1"><freejoint/><geom name="k" type="capsule" size=".11 .2"/></body></worldbody>
  <sensor><touch name="all" site="skin"/><touch name="some" site="tip"/><contact name="one" geom1="h" num="3"/>
  <contact name="body" body1="b" data="force" reduce="netforce"/><contact name="two" geom1="g" geom2="floor"/>
  <contact name="floor" geom1="floor"/></sensor></mujoco>
"""


def felt(path: Path) -> dict[str, list[float]]:
    """Return, by name of each MuJoCo contact sensor, the radii of the geoms whose contacts it measures."""
    model = in_mujoco.mujoco_model(path)
    geoms = [geom for geom in map(model.geom, range(model.ngeom)) if geom.contype[0] or geom.conaffinity[0]]
    found = {}
    for index in np.flatnonzero(model.sensor_type == mujoco.mjtSensor.mjSENS_CONTACT):
        sensor = model.sensor(index)
        body = sensor.objtype[0] != mujoco.mjtObj.mjOBJ_GEOM
        ours = [geom.size[0] for geom in geoms if (geom.bodyid[0] if body else geom.id) == sensor.objid[0]]
        found[sensor.name] = sorted(ours)
    return found


@pytest.mark.parametrize("count", [1, 2])
def test_mujoco_feels_what_a_bumper_of_gazebo_does(count: int, tmp_path: Path) -> None:
    named = "".join(f"<collision>{name}</collision>" for name in NAMES[:count])
    source = put(tmp_path, ROBOT.replace("NAMED", named), "robot.urdf")
    theirs = etree.fromstring(sdformat_expands(source)["document"].encode())
    assert {each.get("name") for each in theirs.iterfind(".//link/collision")} == {*NAMES}
    _, path = converted(tmp_path, source, "robot.xml")
    assert felt(path) == {"bumper": [0.1, 0.2][:count]}
    _, back = converted(tmp_path, path, "back.urdf")
    assert read(back) == read(source)


def test_a_bumper_measures_the_weight_of_what_stands_on_it(tmp_path: Path) -> None:
    ground = '<collision name="c"><geometry><plane><size>9 9</size></plane></geometry></collision>'
    ball = "<inertial><mass>2</mass></inertial>" + SPHERE.format("c", 0.1)
    sensor = '<sensor name="s" type="contact"><contact><collision>c</collision></contact></sensor>'
    world = f'<model name="ground"><static>true</static>{link("plane", inner=ground)}</model>'
    world += f'<model name="ball"><pose>0 0 0.1 0 0 0</pose>{link("l", inner=ball + sensor)}</model>'
    source = put(tmp_path, f'<sdf version="1.9"><world name="w"><gravity>0 0 -10</gravity>{world}</world></sdf>')
    _, path = converted(tmp_path, source, "w.xml")
    model = in_mujoco.mujoco_model(path)
    data = mujoco.MjData(model)
    for _ in range(2000):
        mujoco.mj_step(model, data)
    found, *wrench = data.sensor("s").data[:4]
    assert (found, wrench) == (1, pytest.approx([20, 0, 0], abs=1e-3))


def test_the_collisions_of_a_sensor_come_back_and_follow_their_names(tmp_path: Path) -> None:
    def sensor(*names: str) -> str:
        inner = "".join(f"<collision>{name}</collision>" for name in names)
        return f'<sensor name="s{len(names)}" type="contact"><contact>{inner}<topic>/t</topic></contact></sensor>'

    model = link(
        "a",
        inner=sensor("p") + "".join(SPHERE.format(*each) for each in (("p", 1), ("q", 2), ("r", 3))) + sensor("q", "r"),
    )
    model += link("b", inner=SPHERE.format("p", 4) + sensor("p")) + joint("j", "a", "b")
    source = put(tmp_path, sdf(model))
    for target in ("xml", "urdf", "glb", "sdf"):
        _, path = converted(tmp_path, source, f"there.{target}")
        _, back = converted(tmp_path, path, "back.sdf")
        assert list(sdf_elements.differences(source, back)) == []
    _, path = converted(tmp_path, source, "there.xml")
    assert felt(path) == {"s1": [1], "s1_1": [4], "s2_q": [2], "s2_r": [3]}
    for word in ('name="q"', 'geom1="q"'):
        path.write_text(path.read_text().replace(word, word.replace('"q"', '"toe"'), 1))
    report = convert(path, tmp_path / "edited.sdf")
    explained(report)
    names = [[each.text for each in of] for of in xml(tmp_path / "edited.sdf").iterfind(".//sensor/contact")]
    assert names == [["p", "/t"], ["toe", "r", "/t"], ["p", "/t"]]


@pytest.mark.parametrize("target", ["sdf", "urdf"])
def test_gazebo_feels_what_mujoco_does(target: str, tmp_path: Path) -> None:
    source = put(tmp_path, MODEL, "m.xml")
    report, path = converted(tmp_path, source, f"m.{target}")
    if target == "sdf":
        seen(path)
        assert {each.where.partition(".")[0] for each in of_rule(report, "mjcf/touch")} == {"sensor/all", "sensor/some"}
        assert {each.where for each in of_rule(report, "sdf/sensor")} == {"sensor/two", "sensor/floor"}
    _, back = converted(tmp_path, bare(path), "plain.xml")
    capsule = [0.11] * (3 if target == "urdf" else 1)  # a cylinder and two spheres
    assert felt(back) == {"all": [0.1, 0.12], "some": [0.1, 0.12], "one": [0.12], "body": capsule}
    _, same = converted(tmp_path, path, "same.xml")
    assert read(same) == read(source)


def test_a_name_that_no_collision_has_stays_as_it_is(tmp_path: Path) -> None:
    inner = '<sensor name="s" type="contact"><contact><collision>x</collision></contact></sensor>'
    source = put(tmp_path, sdf(link("a", inner=inner)))
    report, path = converted(tmp_path, source, "there.xml")
    assert felt(path) == {}
    assert [each.where for each in of_rule(report, "mjcf/sensor")] == ["sensor/s"]
    _, back = converted(tmp_path, path, "back.sdf")
    assert re.findall("<collision>(.*)</collision>", back.read_text()) == ["x"]


@pytest.mark.parametrize(
    ("target", "old", "new"),
    [
        ("mjcf", r'<contact name="t" [^>]*/>', ""),
        ("mjcf", r'geom1="q"', 'geom1="p"'),
        ("mjcf", r'body1="b"', 'body1="a"'),
        ("sdf", "<collision>q</collision>", ""),
        ("sdf", "<collision>q</collision>", "<collision>p</collision>"),
        ("urdf", "__q_collision_1</collision>", "__p_collision</collision>"),
        ("urdf", r"<collision>\w*q_collision_1</collision>", ""),
    ],
)
def test_a_sensor_that_a_writer_forgets_or_has_feel_something_else_is_heard(
    target: str, old: str, new: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    feels = '<sensor name="{}" type="contact"><contact><collision>{}</collision></contact></sensor>'
    parts = "".join(SPHERE.format(*each) for each in (("p", 1), ("q", 2)))
    model = link("a", inner=parts + feels.format("s", "q"))
    model += link("b", inner=SPHERE.format("p", 4) + feels.format("t", "p")) + joint("j", "a", "b")
    source = put(tmp_path, sdf(model))
    explained(convert(source, tmp_path / "right" / "out", target=target))

    lying(old, new, target, monkeypatch)
    report = convert(source, tmp_path / "away" / "out", target=target)
    assert unexplained(report)


@pytest.mark.parametrize("target", ["xml", "sdf", "urdf", "glb"])
def test_a_sensor_of_collisions_that_are_not_there_has_its_reasons(target: str, tmp_path: Path) -> None:
    """A mesh whose file is missing, geoms that were removed from the scene, and a geom that is only visual."""
    lost = '<collision name="m"><geometry><mesh><uri>away.stl</uri></mesh></geometry></collision>'
    feels = (
        '<sensor name="s" type="contact"><contact><collision>m</collision><collision>p</collision></contact></sensor>'
    )
    source = put(tmp_path, sdf(link("a", inner=lost + SPHERE.format("p", 1) + feels)))
    first = put(tmp_path, ROBOT.replace("NAMED", f"<collision>{NAMES[0]}</collision>"), "robot.urdf")
    gone = first.read_text().replace('<sphere radius="0.1"/>', '<mesh filename="away.stl"/>')
    for each in (source, put(tmp_path, gone, "gone.urdf")):
        explained(convert(each, tmp_path / f"out.{target}"))
    scene = read(source)
    seen_only = [replace(geom, role="visual") for geom in scene.body("a").geoms]
    for geoms in (scene.body("a").geoms, (), tuple(seen_only)):
        bodies = [replace(body, geoms=geoms if body.name == "a" else ()) for body in scene.bodies.values()]
        explained(write(scene.evolve(bodies=bodies), tmp_path / f"built.{target}"))


@pytest.mark.parametrize("carry", [True, False])
@pytest.mark.parametrize("names", [("c",), ("c", "c_cap1", "c_cap2")])
def test_what_gazebo_calls_the_collisions_of_a_lumped_link_is_understood(
    names: tuple[str, ...], carry: bool, tmp_path: Path
) -> None:
    """The joint is not at its link's origin: URDF has a link in between. Parts of a capsule are named."""
    named = "".join(f"<collision>{name}</collision>" for name in names)
    parts = "".join(SPHERE.format(name, 0.1) for name in names)
    foot = link("b", inner=f'{parts}<sensor name="s" type="contact"><contact>{named}</contact></sensor>')
    away = "<pose>1 0 0 0 0 0</pose><axis><xyz>0 0 1</xyz></axis>"
    source = put(tmp_path, sdf(link("a") + foot + joint("j", "a", "b", away)))
    _, path = converted(tmp_path, source, "m.urdf", Options(carry=carry))
    assert "j_link_fixed_joint_lump__c_collision" in path.read_text()
    _, again = converted(tmp_path, path, "again.urdf", Options(carry=False))
    _, back = converted(tmp_path, bare(again), "m.xml")
    assert felt(back) == {"s": [0.1] * len(names)}


@pytest.mark.parametrize("options", [Options(carry=False), Options(carry=False, urdf_version="1.2")])
def test_a_capsule_that_is_also_seen_under_its_name_is_felt_whole(options: Options, tmp_path: Path) -> None:
    shape = "<geometry><capsule><radius>0.1</radius><length>1</length></capsule></geometry>"
    parts = f'<visual name="c">{shape}</visual><collision name="c">{shape}</collision>'
    feels = '<sensor name="s" type="contact"><contact><collision>c</collision></contact></sensor>'
    source = put(tmp_path, sdf(link("b", inner=parts + feels)))
    report, path = converted(tmp_path, source, "m.urdf", options)
    assert not of_rule(report, "urdf/sensor")
    names = [part.get("name") for part in xml(path).iter("collision") if part.get("name")]
    assert names == (["c"] if options.urdf_version else ["c", "c_cap1", "c_cap2"])
