"""What old versions spell differently, compared with the results of libsdformat's scripts (1_0.convert to
1_5.convert)."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree

from converters import read
from converters.comparing import compare
from converters.context import Options
from tests.formats.sdf_text import converted, link, number, put, sdf, seen, xml
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.in_sdformat import descriptions, sdformat_expands, sdformat_reads

FIRST = """<gazebo version="1.0"><world name="w">
<physics type="ode"><gravity xyz="0 0 -3"/><ode><solver dt="0.004"/></ode></physics>
<light name="L" type="spot" cast_shadows="true"><origin pose="0 0 5 0 0 0"/><diffuse rgba="1 0.5 0 1"/>
<specular rgba=".2 .2 .2 1"/><direction xyz="0 1 -1"/><spot inner_angle="0.2" outer_angle="0.4"/>
<attenuation range="20" linear="0.1" constant="0.2" quadratic="0.3"/></light>
<model name="m" static="false"><origin pose="0 0 1 0 0 0"/>
<link name="a" gravity="0" self_collide="1"><origin pose="0 0 0 0 0 0.5"/>
<inertial mass="2.0"><origin pose="0.1 0 0 0 0 0"/>
<inertia ixx="1" iyy="2" izz="2" ixy="0.1" ixz="0" iyz="0"/></inertial>
<collision name="c"><origin pose="0 0 0.5 0 0 0"/><geometry><cylinder radius="0.2" length="0.5"/></geometry>
<surface><friction><ode mu="0.5" mu2="0.6" fdir1="1 0 0"/></friction>
<bounce restitution_coefficient="0.3"/></surface>
</collision>
<visual name="v" transparency="0.5"><geometry><plane normal="0 1 0"/></geometry>
<material><ambient rgba="1 0 0 1"/><diffuse rgba="0 1 0 1"/><specular rgba="0 0 1 1"/><emissive rgba="0 0 .5 1"/>
</material></visual>
<sensor name="cam" type="camera" update_rate="20"><origin pose="0 0 1 0 0 0"/>
<camera><horizontal_fov angle="1.2"/><image width="100" height="50" format="R8G8B8"/></camera></sensor>
</link>
<link name="b"><origin pose="1 0 0 0 0 0.7"/></link>
<joint name="j" type="universal"><origin pose="0 0 0.1 0 0 0"/><parent link="a"/><child link="b"/>
<axis xyz="1 0 0"><limit lower="-1" upper="1" effort="5" velocity="2"/><dynamics damping="0.1" friction="0.2"/></axis>
<axis2 xyz="0 1 0"><limit lower="-2" upper="2"/></axis2></joint>
</model></world></gazebo>
"""
DAMPED = """<gazebo version="1.0"><model name="m"><link name="a">
<damping><linear>0.3</linear><angular>0.4</angular></damping></link></model></gazebo>
"""
SENSING = """<gazebo version="1.0"><model name="m"><link name="a">
<sensor name="s" type="ray" always_on="1" visualize="1">
<origin pose="1 0 0 0 0 0"/><ray><scan><horizontal samples="4" resolution="1" min_angle="-1" max_angle="1"/>
<vertical samples="2" resolution="1" min_angle="0" max_angle="1"/></scan><range min="0.1" max="9" resolution="0.01"/>
</ray></sensor><collision name="c" laser_retro="5"><geometry><sphere radius="1"/></geometry><surface>
<bounce restitution_coefficient="0.5" threshold="3"/><friction><ode mu="1" slip1="0.5"/></friction>
<contact><ode soft_cfm="0.1" soft_erp="0.2" kp="1000"/></contact></surface></collision>
<visual name="v" cast_shadows="0" laser_retro="7"><geometry><sphere radius="1"/></geometry></visual></link>
<gripper name="g"><grasp_check detach_steps="40" attach_steps="20" min_contact_count="2"/><gripper_link>a</gripper_link>
<palm_link>a</palm_link></gripper></model></gazebo>
"""
SHOWN = """<gazebo version="1.0"><world name="w"><scene><ambient rgba="1 0 0 1"/><background rgba="0 1 0 1"/>
<shadows enabled="0"/><fog rgba="1 1 0 1" type="linear" start="1" end="9" density="0.5"/></scene>
<model name="m"><link name="a"/></model></world></gazebo>
"""


def second(text: str) -> str:
    """Return the document in version 1.2, by libsdformat's script."""
    script = etree.parse(descriptions() / "1.2/1_0.convert", etree.XMLParser(remove_comments=True)).getroot()
    root = etree.fromstring(text)
    renamed(root, script)
    root.set("version", "1.2")
    return etree.tostring(root, encoding="unicode")


def renamed(element: etree._Element, script: etree._Element) -> None:
    for rule in script:
        source, target = rule.find("from"), rule.find("to")
        if rule.tag == "convert":
            for child in element.findall(rule.get("name", "")):
                renamed(child, rule)
        elif source is not None and target is not None and target.get("element"):
            held = element.findall(source.get("element", "")) if source.get("element") else [element]
            for child in held:
                word = source.get("attribute", "")
                if word and word in child.attrib:
                    inside = child if child is not element else etree.SubElement(element, "new")
                    inside.tag, inside.text = target.get("element", ""), child.attrib.pop(word)
                elif not word and child is not element:
                    child.tag = target.get("element", "")


@pytest.mark.parametrize("target", ["urdf", "xml", "sdf"])
@pytest.mark.parametrize("first", [FIRST, DAMPED, SHOWN], ids=["a world", "damped", "shown"])
def test_the_first_version_says_in_attributes_what_the_next_one_says_in_elements(
    tmp_path: Path, first: str, target: str
):
    said = {"first": first, "second": second(first)}
    assert said["second"] != first
    plain = Options(carry=False, sdf_version="1.9")
    for name, text in said.items():
        converted(tmp_path / name, put(tmp_path / name, text), f"out.{target}", plain)
    ours, theirs = ((tmp_path / name / f"out.{target}").read_text() for name in said)
    assert ours == theirs
    assert compare(tmp_path / "first" / "source.sdf", tmp_path / "second" / "source.sdf") == []


@pytest.mark.parametrize("first", [SENSING, SHOWN], ids=["sensing", "shown"])
def test_what_no_field_holds_is_that_of_the_next_version_too(tmp_path: Path, first: str):
    found = []
    for name, text in {"first": first, "second": second(first)}.items():
        source = put(tmp_path / name, text)
        report, path = converted(tmp_path / name, source, "out.sdf", Options(sdf_version="1.9"))
        assert {each.action for each in report.findings if each.rule == "sdf/version"} <= {"carried"}
        assert not sdformat_reads(path)["errors"]
        document = etree.parse(path).getroot()
        for carried in document.findall("{*}carried"):
            document.remove(carried)
        found.append(sorted(said(document, "")))
        _, back = converted(tmp_path / name, path, "back.sdf")
        assert read(back) == read(source)
    assert found[0] == found[1]


def said(element: etree._Element, way: str) -> list[tuple[str, str, str]]:
    """Return the path, attributes and text of each element."""
    own = (way, str(sorted(element.attrib.items())), (element.text or "").strip())
    return [own, *(each for child in element for each in said(child, f"{way}/{child.tag}"))]


def test_axes_and_places_of_the_first_version_are_those_that_libsdformat_makes_of_them(tmp_path: Path):
    judged = put(tmp_path, second(FIRST).replace("gazebo", "sdf"), "judged.sdf")
    _, path = converted(tmp_path, FIRST, "out.sdf", Options(sdf_version="1.9"))
    theirs, ours = seen(judged), seen(path)
    assert {name: each["pose"] for name, each in ours["links"].items()} == {
        name: pytest.approx(each["pose"]) for name, each in theirs["links"].items()
    }
    (name, joint), (_, written) = next(iter(theirs["joints"].items())), next(iter(ours["joints"].items()))
    assert (name, written["pose"]) == ("m::j", pytest.approx(joint["pose"]))
    for mine, axis in zip(written["axes"], joint["axes"], strict=True):
        assert mine["xyz"] == pytest.approx(axis["xyz"])
        assert (mine["lower"], mine["upper"], mine["damping"]) == (axis["lower"], axis["upper"], axis["damping"])


def test_a_script_of_the_first_version_is_an_attribute(tmp_path: Path):
    material = '<material script="Gazebo/Red"/>'
    inner = f'<visual name="v"><geometry><sphere radius="1"/></geometry>{material}</visual>'
    _, path = converted(
        tmp_path, f'<gazebo version="1.0"><model name="m">{link("a", inner=inner)}</model></gazebo>', "o.urdf"
    )
    assert [each.get("rgba") for each in xml(path).iter("color")] == ["1 0 0 1"]


def test_a_script_of_the_first_version_is_one_of_gazebo_in_a_newer_one(tmp_path: Path):
    """A newer version also names the file of a script, otherwise libsdformat refuses the document."""
    shape = '<geometry><sphere radius="1"/></geometry><material script="Gazebo/WoodPallet"/>'
    inner = f'<visual name="v">{shape}</visual>'
    source = put(tmp_path, f'<gazebo version="1.0"><model name="m">{link("a", inner=inner)}</model></gazebo>')
    _, path = converted(tmp_path, source, "o.sdf", Options(sdf_version="1.9"))
    assert not sdformat_reads(path)["errors"]
    assert xml(path).findtext(".//script/name") == "Gazebo/WoodPallet"
    _, back = converted(tmp_path, path, "back.sdf")
    assert xml(back).xpath("//material/@script") == ["Gazebo/WoodPallet"]


@pytest.mark.parametrize("version", ["1.2", "1.4", "1.9"])
def test_attributes_of_later_versions_hold_no_values(tmp_path: Path, version: str):
    """As in libsdformat, which ignores them."""
    inner = '<inertial mass="5"/><collision name="c"><geometry><box size="2 2 2"/></geometry></collision>'
    source = put(tmp_path, sdf(link("a", inner=inner), version))
    report, path = converted(tmp_path, source, "out.urdf")
    assert sdformat_reads(source)["links"]["a"]["mass"] == 1
    assert [each.get("value") for each in xml(path).findall("link/inertial/mass")] == ["1"]
    assert [each.get("size") for each in xml(path).iter("box")] == ["1 1 1"]
    assert {each.where.rpartition(".")[2] for each in report.findings if each.rule == "urdf/foreign"} >= {"@mass"}


@pytest.mark.parametrize("step", ["<ode><solver><dt>0.004</dt></solver></ode>", "<bullet><dt>0.004</dt></bullet>"])
@pytest.mark.parametrize(("version", "expected"), [("1.2", 0.004), ("1.3", 0.004), ("1.4", 0.001)])
def test_the_time_step_stood_in_the_engine_until_1_3(tmp_path: Path, step: str, version: str, expected: float):
    physics = f'<physics type="ode"><update_rate>250</update_rate>{step}</physics>'
    source = put(
        tmp_path, f'<sdf version="{version}"><world name="w">{physics}<model name="m">{link("a")}</model></world></sdf>'
    )
    theirs = etree.fromstring(sdformat_expands(source)["document"])
    assert number(theirs.find("world/physics/max_step_size")) == expected
    _, path = converted(tmp_path, source, "out.xml")
    assert mujoco_model(path).opt.timestep == expected


RATE = "<rate><mean>0.1</mean><stddev>0.2</stddev></rate>"
NOISE = f"<noise><type>gaussian</type>{RATE}<accel><stddev>0.5</stddev></accel></noise>"


@pytest.mark.parametrize(("version", "expected"), [("1.4", [0.5, 0.2]), ("1.5", [0.5, 0.2]), ("1.6", [None, None])])
def test_all_axes_of_an_imu_had_one_noise_until_1_5(tmp_path: Path, version: str, expected: list[float | None]):
    inner = f'<sensor name="s" type="imu"><imu>{NOISE}</imu></sensor>'
    source = put(tmp_path, sdf(link("a", inner=inner), version))
    _, path = converted(tmp_path, source, "out.xml")
    said = [each.get("noise") for tag in ("accelerometer", "gyro") for each in xml(path).findall(f"sensor/{tag}")]
    assert [float(text) if text else None for text in said] == expected
    _, back = converted(tmp_path, path, "back.sdf")
    assert read(back) == read(source)


def test_a_noise_of_another_kind_is_none_of_mujoco_and_is_told(tmp_path: Path):
    inner = f'<sensor name="s" type="imu"><imu>{NOISE.replace("gaussian", "gaussian_quantized")}</imu></sensor>'
    report, path = converted(tmp_path, put(tmp_path, sdf(link("a", inner=inner), "1.5")), "out.xml")
    assert not [each for each in xml(path).iterfind("sensor/*") if each.get("noise")]
    assert any("stddev" in each.where or "noise" in each.where for each in report.findings)


@pytest.mark.parametrize(("version", "expected"), [("1.3", 0.004), ("1.4", None)])
def test_the_time_step_of_a_profile_that_does_not_count_stood_in_the_engine_too(
    tmp_path: Path, version: str, expected: float | None
):
    first = '<physics name="p" type="ode"/>'
    other = '<physics name="q" type="ode"><ode><solver><dt>0.004</dt></solver></ode></physics>'
    model = f'<model name="m">{link("a")}</model>'
    source = put(tmp_path, f'<sdf version="{version}"><world name="w">{first}{other}{model}</world></sdf>')
    assert [each.timestep for each in read(source).tables["physics"].values()] == [None, expected]


def test_a_newer_version_has_that_noise_at_each_axis(tmp_path: Path):
    inner = f'<sensor name="s" type="imu"><imu>{NOISE}</imu></sensor>'
    source = put(tmp_path, sdf(link("a", inner=inner), "1.5"))
    _, path = converted(tmp_path, source, "new.sdf", Options(sdf_version="1.9"))
    ours, theirs = noises(xml(path)), noises(etree.fromstring(sdformat_expands(source)["document"]))
    assert ours == theirs and len(ours) == 9


def noises(root: etree._Element) -> set[tuple[str, str, str, float]]:
    """Return (quantity, axis, noise parameter, value) of an IMU."""
    return {
        (quantity, axis, str(each.tag), number(each))
        for quantity in ("linear_acceleration", "angular_velocity")
        for axis in "xyz"
        for each in root.findall(f".//imu/{quantity}/{axis}/noise/*")
        if number(each)
    }
