"""What both SDF and MJCF can express, with equivalent numbers; the rest is in the report."""

from __future__ import annotations

import math
from pathlib import Path

import mujoco
import numpy as np
import pytest

import converters
from converters.report.model import Report
from tests.formats.sdf_text import axis, converted, joint, link, number, put, sdf, seen, xml
from tests.oracles import in_mujoco, sdf_elements, urdf_elements
from tests.oracles.in_mujoco import at_rest, drawn, mujoco_model
from tests.reports import of_rule


def there(folder: Path, text: str) -> tuple[Report, mujoco.MjModel]:
    """Return the report of SDF -> MJCF and MuJoCo's model; check that the SDF comes back element by element."""
    source = put(folder, text)
    report, path = converted(folder, source, "there.xml")
    _, back = converted(folder, path, "back.sdf")
    assert list(sdf_elements.differences(source, back)) == []
    return report, in_mujoco.mujoco_model(path)


def told(report: Report, *rules: str) -> set[tuple[str, str, str]]:
    """Return rule, action and reason of the findings of some rules."""
    return {(each.rule, each.action, each.reason) for each in report.findings if each.rule in rules}


def actions(report: Report, rule: str) -> set[str]:
    return {action for _, action, _ in told(report, rule)}


def surface(inner: str, name: str = "c") -> str:
    shape = "<geometry><sphere><radius>0.1</radius></sphere></geometry>"
    return f'<collision name="{name}">{shape}<surface>{inner}</surface></collision>'


SENSING = "<contact><collide_without_contact>true</collide_without_contact></contact>"


def test_what_collides_without_contact_stops_nothing_in_mujoco(tmp_path: Path) -> None:
    links = link("a", "0 0 1 0 0 0", surface(SENSING)) + link("b", "0 0 1.1 0 0 0", surface("", "d"))
    report, model = there(tmp_path, sdf(f"{links}<self_collide>true</self_collide>"))
    assert (model.geom("c").contype, model.geom("c").conaffinity) == (0, 0)
    data = at_rest(model)
    assert data.ncon == 0
    assert actions(report, "mjcf/no-contact") == {"approximated", "derived"}
    assert "unless it says otherwise" not in {reason for _, _, reason in told(report, "mjcf/surface")}


# -------------------------------------------------------------------------------------------------------------- sensors

INERTIAL = (
    "<inertial><pose>{at} 0 0 0</pose><mass>2</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>"
)
TURNED = math.pi / 2


def wrench(name: str, frame: str, direction: str, pose: str = "") -> str:
    said = f"<frame>{frame}</frame><measure_direction>{direction}</measure_direction>"
    return f'<sensor name="{name}" type="force_torque">{pose}<force_torque>{said}</force_torque></sensor>'


def measured(model: mujoco.MjModel, name: str) -> np.ndarray:
    """Return force and torque of a sensor at rest."""
    data = at_rest(model)
    return np.concatenate([data.sensor(f"{name}_force").data, data.sensor(f"{name}_torque").data])


def held(kind: str, sensors: str, pose: str = "", parent: str = "base", child: str = "tip") -> str:
    """Return a link of 2 kg, its mass 0.5 m off its origin, rotated about y; a joint about the vertical attaches it."""
    return sdf(
        link("base", inner=INERTIAL.format(at="0 0 0"))
        + link("tip", f"0 0 1 0 {TURNED} 0", INERTIAL.format(at="0 0.5 0"))
        + joint("w", "world", "base", "", "fixed")
        + joint("j", parent, child, pose + axis(AXES[child] if kind == "revolute" else "0 0 1") + sensors, kind)
    )


AXES = {"tip": "-1 0 0", "base": "0 0 1"}
"""The vertical in the frame of each possible child."""
WEIGHT = 2 * 9.81


@pytest.mark.parametrize("kind", ["fixed", "revolute"])
def test_a_wrench_is_measured_in_the_axes_that_its_sensor_names(kind: str, tmp_path: Path) -> None:
    """By the definition in forcetorque.sdf: what the parent exerts on the child carries its weight."""
    sensors = (
        wrench("child", "child", "child_to_parent")
        + wrench("parent", "parent", "parent_to_child")
        + wrench("own", "sensor", "parent_to_child", f"<pose>0 0 0 0 0 {TURNED}</pose>")
    )
    report, model = there(tmp_path, held(kind, sensors))
    up, lever = np.array([0, 0, WEIGHT]), np.array([0, 0.5, 0])
    expected = np.concatenate([up, np.cross(lever, up)])  # in the axes of the base
    child = in_mujoco.matrix(model.body("tip").quat).T
    turn = np.array([[0, 1, 0], [-1, 0, 0], [0, 0, 1]])
    for name, rotation in (("child", child), ("parent", np.eye(3)), ("own", turn @ child)):
        assert measured(model, name) == pytest.approx(np.kron(np.eye(2), rotation) @ expected, abs=1e-9), name
    signs = {(each.where, each.before, each.after) for each in of_rule(report, "sensors/sign")}
    assert signs == {("sensor/child.reaction", "True", "False")}
    turning = {each.where for each in of_rule(report, "sensors/turning-axes")}
    assert (turning != set()) == (kind == "revolute")
    assert all(where.startswith("sensor/parent.") for where in turning)


@pytest.mark.parametrize("kind", ["fixed", "prismatic", "revolute"])
def test_a_torque_is_about_the_origin_of_the_joint(kind: str, tmp_path: Path) -> None:
    sensors = wrench("far", "parent", "parent_to_child", "<pose>0.1 0.2 0.3 0 0 0</pose>")
    _, model = there(tmp_path, held(kind, sensors, "<pose>0 0.2 0 0 0 0</pose>"))
    assert measured(model, "far") == pytest.approx([0, 0, WEIGHT, 0.3 * WEIGHT, 0, 0], abs=1e-9)


def test_a_joint_that_leads_inwards_measures_the_other_way_round(tmp_path: Path) -> None:
    """The base is the author's child: what it exerts on the tip carries the weight of the tip."""
    sensors = wrench("s", "child", "child_to_parent")
    report, model = there(tmp_path, held("revolute", sensors, "<pose>0 0 1 0 0 0</pose>", "tip", "base"))
    assert measured(model, "s")[:3] == pytest.approx([0, 0, WEIGHT], abs=1e-9)
    assert actions(report, "sensors/sign") == set()
    sensors = wrench("s", "child", "parent_to_child")
    report, model = there(tmp_path, held("revolute", sensors, "<pose>0 0 1 0 0 0</pose>", "tip", "base"))
    assert measured(model, "s")[:3] == pytest.approx([0, 0, WEIGHT], abs=1e-9), "and not what the tip does to the base"
    assert actions(report, "sensors/sign") == {"approximated"}


def test_a_wrench_is_in_the_axes_of_the_child_in_any_version(tmp_path: Path) -> None:
    """libsdformat also reads SDF 1.4 like this, although its description names the parent."""
    sensor = '<sensor name="s" type="force_torque"/>'
    frames = {}
    for version in ("1.4", "1.5"):
        text = held("fixed", sensor).replace('version="1.9"', f'version="{version}"')
        frames[version] = converters.read(put(tmp_path, text)).tables["sensor"]["s"].frame
    assert frames == {"1.4": "child", "1.5": "child"}


# ---------------------------------------------------------------------------------------------------------------- looks


def visual(look: str) -> str:
    return f'<visual name="v"><geometry><box><size>1 1 1</size></box></geometry><material>{look}</material></visual>'


@pytest.mark.parametrize(
    ("look", "expected", "told_of"),
    [
        ("<shininess>32</shininess>", {"shininess": 0.25}, set()),
        ("<shininess>300</shininess>", {"shininess": 1.0}, {"shininess"}),
        ("<specular>0.3 0.3 0.3 1</specular>", {"specular": 0.3}, set()),
        ("<specular>0.3 0.6 0.9 1</specular>", {"specular": 0.6}, {"specular"}),
        ("<emissive>0.1 0.2 0.3 1</emissive>", {"emission": 0.5}, set()),
        ("<emissive>0 0 0 1</emissive>", {"emission": 0.0}, set()),
        ("<emissive>0.6 0.2 0.1 1</emissive>", {"emission": 0.75}, {"emissive"}),
    ],
)
def test_a_highlight_and_a_glow_are_numbers_in_mujoco(
    look: str, expected: dict[str, float], told_of: set[str], tmp_path: Path
) -> None:
    """A shininess of 1 is an exponent of 128; emission is a fraction of the material's colour."""
    colours = "<ambient>0.2 0.4 0.6 1</ambient><diffuse>0.2 0.4 0.6 1</diffuse>"
    report, model = there(tmp_path, sdf(link("a", inner=visual(colours + look))))
    found = model.mat(int(model.geom("v").matid[0]))
    for name, value in expected.items():
        assert float(getattr(found, name)[0]) == pytest.approx(value, abs=1e-6)
    losses = {(each.where.rpartition(".")[2], each.action) for each in of_rule(report, "mjcf/material")}
    assert losses == {(name, "approximated") for name in told_of}


def test_a_material_of_mujoco_shines_in_gazebo(tmp_path: Path) -> None:
    text = """<mujoco><asset><material name="m" rgba="0.2 0.4 0.6 1" specular="0.3" shininess="0.7" emission="0.5"/>
    </asset><worldbody><body><geom size="1" material="m"/><geom name="g" size="1" material="m" rgba="1 0 0 1"/></body>
    </worldbody></mujoco>"""
    source = put(tmp_path, text, "source.xml")
    report, path = converted(tmp_path, source, "there.sdf")
    look, painted = xml(path).iterfind(".//visual/material")
    assert [look.findtext(tag) for tag in ("specular", "emissive")] == ["0.3 0.3 0.3 1", "0.1 0.2 0.3 1"]
    assert painted.findtext("emissive") == "0.5 0 0 1"
    assert number(look.find("shininess")) == 0.7 * 128
    assert seen(path)
    assert "sdf/material" not in {each.rule for each in report.findings}
    assert not [each for each in report.findings if "material" in each.where and each.rule == "sdf/foreign-element"]
    _, back = converted(tmp_path, path, "back.xml")
    assert list(sdf_elements.differences(source, back)) == []


# ------------------------------------------------------------------------------------------------------ contact, motion

TWISTED = "<friction><torsional><coefficient>{}</coefficient><patch_radius>{}</patch_radius>{}</torsional></friction>"


def test_torsional_friction_is_a_length_in_mujoco(tmp_path: Path) -> None:
    report, model = there(tmp_path, sdf(link("a", inner=surface(TWISTED.format(1, 0.01, "")))))
    assert model.geom("c").friction == pytest.approx([1, 3 * math.pi / 16 * 0.01, 0])
    assert model.geom("c").condim == 4
    assert actions(report, "mjcf/torsional") == {"carried", "derived"}
    _, model = there(
        tmp_path, sdf(link("a", inner=surface(TWISTED.format(1, 0.01, "<use_patch_radius>0</use_patch_radius>"))))
    )
    assert model.geom("c").friction == pytest.approx([1, 0.005, 0.0001])
    assert model.geom("c").condim == 3


PLAIN = '<collision name="d"><geometry><sphere><radius>0.1</radius></sphere></geometry></collision>'


def touching(model: mujoco.MjModel) -> dict[tuple[str, str], tuple[int, list[float]]]:
    """Return geoms in contact -> dimension of the contact, and friction: two tangential, torsional, two rolling."""
    data = at_rest(model)
    found = [data.contact[each] for each in range(data.ncon)]
    names = [tuple(sorted(model.geom(int(geom)).name for geom in each.geom)) for each in found]
    return {(a, b): (int(each.dim), each.friction.tolist()) for (a, b), each in zip(names, found, strict=True)}


def test_mujoco_lets_torsional_friction_act_between_those_that_have_it_and_others(tmp_path: Path) -> None:
    links = (
        link("a", "0 0 0 0 0 0", surface(TWISTED.format(0.5, 0.1, "")))
        + link("b", "0 0 0.19 0 0 0", PLAIN)
        + link("e", "0 0 0.38 0 0 0", PLAIN.replace('"d"', '"f"'))
        + link(
            "g",
            "5 0 0 0 0 0",
            surface("<friction><bullet><rolling_friction>0.03</rolling_friction></bullet></friction>", "h"),
        )
        + link("i", "5 0 0.19 0 0 0", PLAIN.replace('"d"', '"k"'))
    )
    text = sdf(links).replace("<link", "<self_collide>true</self_collide><link", 1)
    report, model = there(tmp_path, text)
    twist, least = 3 * math.pi / 16 * 0.05, 1e-5
    contacts = touching(model)
    assert {pair: dim for pair, (dim, _) in contacts.items()} == {("c", "d"): 4, ("d", "f"): 3, ("h", "k"): 6}
    assert contacts["c", "d"][1] == pytest.approx([1, 1, twist, least, least])
    assert contacts["h", "k"][1] == pytest.approx([1, 1, least, 0.03, 0.03])  # no friction is less than that
    assert actions(report, "contacts/condim") == {"derived"}


def spun(model: mujoco.MjModel) -> float:
    """Return the angular speed of the second of two balls after half a second on the first, starting at 1 rad/s."""
    data = mujoco.MjData(model)
    data.joint("b_free").qvel[5] = 1.0
    while data.time < 0.5:
        mujoco.mj_step(model, data)
    return float(data.joint("b_free").qvel[5])


def test_a_ball_that_turns_on_the_spot_slows_down_where_the_source_has_torsional_friction(tmp_path: Path) -> None:
    fixed = '<joint name="w" type="fixed"><parent>world</parent><child>a</child></joint>'
    mass = "<inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>"
    left = {}
    for coefficient in (0, 1):
        ground = f'<collision name="p"><geometry><plane/></geometry><surface>{TWISTED}</surface></collision>'
        links = link("a", inner=ground.format(coefficient, 0.1, "")) + link("b", "0 0 0.1 0 0 0", mass + PLAIN)
        _, model = there(tmp_path, sdf(f"<self_collide>true</self_collide>{links}{fixed}"))
        left[coefficient] = spun(model)
    torque = 3 * math.pi / 16 * 0.1 * 9.81  # of the weight, on 1 kg m^2
    assert left[0] == pytest.approx(1, abs=1e-3)
    assert left[1] == pytest.approx(1 - torque * 0.5, abs=0.03)


def test_a_plain_model_says_nothing_of_dimensions(tmp_path: Path) -> None:
    _, model = there(tmp_path, sdf(link("a", inner=surface("<friction><ode><mu>0.5</mu></ode></friction>"))))
    text = (tmp_path / "there.xml").read_text().partition("<custom>")[0]
    assert "condim" not in text
    assert 'friction="0.5"' in text
    assert model.geom("c").friction == pytest.approx([0.5, 0.005, 0.0001])


def test_friction_of_a_bullet_urdf_acts_in_mujoco(tmp_path: Path) -> None:
    contact = '<contact><spinning_friction value="0.02"/></contact>'
    ball = '<collision><geometry><sphere radius="0.1"/></geometry></collision>'
    mass = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    text = f'<robot name="r"><link name="a">{{}}{ball}{mass}</link></robot>'
    for said, condim, friction in ((contact, 4, [1, 0.02, 0]), ("", 3, [1, 0.005, 0.0001])):
        source = put(tmp_path, text.format(said), "source.urdf")
        _, path = converted(tmp_path, source, "there.xml")
        geom = in_mujoco.mujoco_model(path).geom("a_collision_0")
        assert (int(geom.condim[0]), geom.friction.tolist()) == (condim, friction)
        _, back = converted(tmp_path, path, "back.urdf")
        assert list(urdf_elements.differences(source, back)) == []


DIMENSIONS = """<mujoco><default><geom friction="0.7 0.02 0.03"/></default><worldbody><body>
  <geom name="three" size="1"/><geom name="one" size="1" condim="1"/><geom name="four" size="1" condim="4"/>
  <geom name="six" size="1" condim="6"/></body>
  <body><geom name="seen" size="1" contype="0" conaffinity="0"/></body></worldbody></mujoco>"""


def test_friction_that_does_not_act_in_mujoco_acts_nowhere(tmp_path: Path) -> None:
    source = put(tmp_path, DIMENSIONS, "source.xml")
    report, path = converted(tmp_path, source, "there.sdf")
    assert seen(path)
    found = {}
    for each in xml(path).iter("collision"):
        twist, roll = each.find(".//torsional/patch_radius"), each.find(".//rolling_friction")
        found[each.get("name")] = [None if item is None else number(item) for item in (twist, roll)]
    radius = pytest.approx(0.02 * 16 / (3 * math.pi))
    assert found == {"three": [None, None], "one": [None, None], "four": [radius, None], "six": [radius, 0.03]}
    assert told(report, "mjcf/condim") and actions(report, "mjcf/condim") == {"carried"}
    _, back = converted(tmp_path, path, "back.xml")
    assert list(sdf_elements.differences(source, back)) == []


@pytest.mark.parametrize(("other", "rubs"), [("1", [0.0, 0.0]), ("3", [0.7, 0.7])])
def test_nothing_rubs_where_every_contact_has_one_dimension(tmp_path: Path, other: str, rubs: list[float]) -> None:
    text = f"""<mujoco><default><geom friction="0.7" condim="1"/></default><worldbody><geom type="plane" size="1 1 1"/>
      <body pos="0 0 .09"><freejoint/><geom name="ball" size=".1" condim="{other}"/></body></worldbody></mujoco>"""
    source = put(tmp_path, text, "source.xml")
    _, data = drawn(source)
    assert [contact.dim for contact in data.contact] == [int(other)]
    _, path = converted(tmp_path, source, "there.sdf")
    assert seen(path)
    assert [number(each) for each in xml(path).iter("mu")] == rubs
    _, back = converted(tmp_path, path, "back.xml")
    assert list(sdf_elements.differences(source, back)) == []


def test_friction_that_mujoco_has_by_itself_is_said(tmp_path: Path) -> None:
    source = put(tmp_path, DIMENSIONS.replace('friction="0.7 0.02 0.03"', ""), "source.xml")
    report, path = converted(tmp_path, source, "there.sdf")
    twists = {each.get("name"): each.find(".//patch_radius") for each in xml(path).iter("collision")}
    assert {name for name, twist in twists.items() if twist is not None} == {"four", "six"}
    assert number(twists["four"]) == pytest.approx(0.005 * 16 / (3 * math.pi))
    assert [number(each) for each in xml(path).iter("rolling_friction")] == [0.0001]
    assert actions(report, "mjcf/condim") == {"derived"}
    _, back = converted(tmp_path, path, "back.xml")
    assert list(sdf_elements.differences(source, back)) == []


def test_torsional_friction_of_mujoco_is_that_of_a_patch(tmp_path: Path) -> None:
    source = put(
        tmp_path,
        '<mujoco><worldbody><body><geom name="g" size="1" group="3" condim="4" friction="0.7 0.02"/></body></worldbody>'
        "</mujoco>",
        "s.xml",
    )
    report, path = converted(tmp_path, source, "there.sdf")
    twist = xml(path).find(".//torsional")
    assert twist is not None
    found = number(twist.find("coefficient")) * number(twist.find("patch_radius")) * 3 * math.pi / 16
    assert found == pytest.approx(0.02, rel=1e-15)
    assert seen(path)
    assert actions(report, "sdf/torsional") == {"carried", "derived"}
    _, back = converted(tmp_path, path, "back.xml")
    assert list(sdf_elements.differences(source, back)) == []
    back.write_text(back.read_text().replace("0.7 0.02", "0.7 0.03"))
    _, path = converted(tmp_path, back, "edited.sdf")
    assert number(xml(path).find(".//torsional/patch_radius")) == pytest.approx(0.03 * 16 / (3 * math.pi))


def test_stiffness_of_a_contact_is_told_with_a_true_reason(tmp_path: Path) -> None:
    inner = "<friction><ode><mu>1</mu></ode></friction><contact><ode><kp>1e6</kp><kd>10</kd></ode></contact>"
    report, model = there(tmp_path, sdf(link("a", inner=surface(inner))))
    assert model.geom("c").solref == pytest.approx([0.02, 1])
    ((_, action, reason),) = told(report, "mjcf/contact-force")
    assert action == "carried"
    assert reason.startswith("not converted: MuJoCo's solref sets accelerations")
    assert actions(report, "mjcf/surface") == set()


def test_a_kinematic_link_is_one_that_mujoco_does_not_move(tmp_path: Path) -> None:
    report, model = there(tmp_path, sdf(link("a", "0 0 1 0 0 0", f"<kinematic>true</kinematic>{surface('')}")))
    assert (model.nmocap, model.nv, int(model.body("a").mocapid[0])) == (1, 0, 0)
    assert model.body("a").pos == pytest.approx([0, 0, 1])
    assert actions(report, "kinematic/held") == {"carried"}
    assert actions(report, "mjcf/kinematic") == set()


def test_a_body_that_mujoco_does_not_move_is_a_kinematic_link(tmp_path: Path) -> None:
    text = """<mujoco><worldbody>
    <body name="h" mocap="true" pos="0 0 1"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
    <body name="f"><joint name="j"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body></body></worldbody>
    <keyframe><key name="k" qpos="0.5" mpos="1 2 3"/></keyframe></mujoco>"""
    source = put(tmp_path, text, "source.xml")
    report, path = converted(tmp_path, source, "there.sdf")
    assert seen(path)["links"]["h"]["pose"] == pytest.approx([0, 0, 1, 1, 0, 0, 0])
    assert [each.text for each in xml(path).iterfind("model/link/kinematic")] == ["true"]
    assert [each.get("name") for each in xml(path).iterfind("model/joint")] == ["j"]
    assert "sdf/foreign-element" not in {each.rule for each in report.findings}
    _, back = converted(tmp_path, path, "back.xml")
    assert list(sdf_elements.differences(source, back)) == []


def noisy(*deviations: float) -> str:
    return "".join(
        f'<{axis}><noise type="gaussian"><mean>0.1</mean><stddev>{value}</stddev></noise></{axis}>'
        for axis, value in zip("xyz", deviations, strict=True)
    )


def test_the_noise_of_a_sensor_is_that_of_its_parts(tmp_path: Path) -> None:
    imu = (
        f"<imu><angular_velocity>{noisy(0.2, 0.2, 0.2)}</angular_velocity>"
        f"<linear_acceleration>{noisy(0.5, 0.5, 0.6)}</linear_acceleration></imu>"
    )
    sensors = (
        f'<sensor name="s" type="imu">{imu}</sensor>'
        f'<sensor name="m" type="magnetometer"><magnetometer>{noisy(0.3, 0.3, 0.3)}</magnetometer></sensor>'
        '<sensor name="h" type="altimeter"/><sensor name="g" type="gps"/>'
    )
    text = sdf(link("a", "0 0 1 0 0 0", sensors))
    report, model = there(tmp_path, text)
    kinds = {model.sensor(number).name: model.sensor(number) for number in range(model.nsensor)}
    noise = {name: float(found.noise[0]) for name, found in kinds.items() if found.noise[0]}
    assert noise == {"s_gyro": 0.2, "m": 0.3}
    assert sorted(kinds) == ["g_framepos", "h_framepos", "m", "s_accelerometer", "s_framequat", "s_gyro"]
    assert {each.where for each in of_rule(report, "mjcf/sensor")} == {"sensor/g", "sensor/h"}
    assert all("not converted" in reason for _, _, reason in told(report, "mjcf/foreign-element"))
    edited = tmp_path / "there.xml"
    edited.write_text(edited.read_text().replace('noise="0.2"', 'noise="0.4"'))
    _, path = converted(tmp_path, edited, "edited.sdf")
    assert [each.text for each in xml(path).iterfind(".//angular_velocity/*/noise/stddev")] == ["0.4"] * 3


@pytest.mark.parametrize("first", ['<light name="a" type="point"/>', '<light type="point"/>'])
def test_a_light_without_a_name_is_known_by_the_one_that_it_got(tmp_path: Path, first: str):
    """libsdformat refuses it, but files of SDF 1.4 contain such lights. MuJoCo would number the unnamed ones."""
    lights = first + '<light type="point"><diffuse>1 0 0 1</diffuse></light>'
    text = f'<sdf version="1.4"><world name="w">{lights}<model name="m">{link("l", inner=lights)}</model></world></sdf>'
    _, path = converted(tmp_path, text, "out.xml")
    model = mujoco_model(path)
    names = [model.light(index).name for index in range(model.nlight)]
    assert len(set(names)) == 4 and {"world_light_1", "m::l_light_1"} <= set(names)
    _, back = converted(tmp_path, path, "back.sdf")
    found, said = ([light.get("name") for light in xml(it).iter("light")] for it in (back, tmp_path / "source.sdf"))
    assert found == said
