"""What an SDF sets for Gazebo is in <gazebo> blocks of a URDF, and edits of either reach the other."""

from pathlib import Path

import pytest
from lxml import etree

from converters.convert import convert, read
from tests.corpus.urdf_sdf_checks import sensors_and_plugins
from tests.files import saved
from tests.formats.test_urdf_gazebo import IMU, ROBOT, robot
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.in_sdformat import sdformat_expands
from tests.reports import comes_back, complete, of_rule

WORDS = """<sdf version="1.9"><model name="m"><link name="base"><inertial><mass>1</mass></inertial><gravity>0</gravity>
<kinematic>true</kinematic><self_collide>true</self_collide><velocity_decay><linear>0.25</linear></velocity_decay>
%s%s<light name="lamp" type="point"><pose>0 0 1 0 0 0</pose><diffuse>1 0.5 0.25 1</diffuse></light>
<sensor name="imu" type="imu"><always_on>1</always_on><imu><angular_velocity><x><noise type="gaussian"><mean>0</mean>
<stddev>2e-4</stddev></noise></x></angular_velocity></imu></sensor>
<sensor name="eye" type="camera"><pose>0 0 1 0 0 0</pose><camera><horizontal_fov>1</horizontal_fov></camera></sensor>
</link><link name="arm"><pose>1 0 0 0 0 0</pose><inertial><mass>1</mass></inertial></link>
<joint name="j" type="revolute"><parent>base</parent><child>arm</child><axis><xyz>0 0 1</xyz>
<dynamics><spring_stiffness>3</spring_stiffness><spring_reference>0.5</spring_reference></dynamics></axis>
<physics><ode><limit><cfm>0.125</cfm></limit></ode></physics><sensor name="ft" type="force_torque"/></joint>
<plugin name="p" filename="libp.so"><a b="1">x</a></plugin></model></sdf>"""


COLLISION = """<collision name="c%s"><geometry><box><size>1 1 1</size></box></geometry><laser_retro>5</laser_retro>
<surface><friction><ode><mu>0.5</mu><mu2>0.25</mu2></ode></friction>
<bounce><restitution_coefficient>%s</restitution_coefficient></bounce></surface></collision>"""


SAID = ("mu", "mu2", "restitution_coefficient", "laser_retro", "kinematic", "linear", "stddev", "cfm")
SPRING = ("spring_stiffness", "spring_reference")


def bare(path: Path) -> Path:
    """Write the document as another tool would, without carried data, and return its path."""
    tree = etree.parse(path)
    for carried in tree.getroot().findall("{*}carried"):
        tree.getroot().remove(carried)
    tree.write(path.with_stem("bare"))
    return path.with_stem("bare")


def words(document: etree._Element) -> dict[str, set[str]]:
    found = {tag: {str(float(_plain(each.text))) for each in document.iter(tag)} for tag in (*SAID, *SPRING)}
    return found | {"lamps": {str(each.get("name")) for each in document.iter("light")}}


def _plain(text: str) -> str:
    return {"true": "1", "false": "0"}.get(text, text)


def test_what_gazebo_knows_of_an_sdf_stands_in_blocks_of_the_urdf(tmp_path: Path):
    """libsdformat and Kinegraph find it there, without any carried data."""
    source = saved(tmp_path / "robot.sdf", WORDS % (COLLISION % (1, 0.75), COLLISION % (2, 0.75)))
    report = convert(source, tmp_path / "robot.urdf")
    told = [finding.where for finding in of_rule(report, "sdf/gazebo-block")]
    assert {"sensor/imu", "sensor/eye", "sensor/ft", "block/p", "body/base.gravity"} <= set(told)
    assert {"block/gazebo", "block/gazebo_base", "block/gazebo_j"} <= set(told)
    assert all(finding.sources for finding in report.findings if finding.rule == "sdf/gazebo-block")
    convert(bare(tmp_path / "robot.urdf"), tmp_path / "again.sdf")
    again, first = etree.parse(bare(tmp_path / "again.sdf")).getroot(), etree.parse(source).getroot()
    theirs = etree.fromstring(sdformat_expands(tmp_path / "robot.urdf")["document"].encode())
    for made in (again, theirs):
        assert sensors_and_plugins(etree.tostring(made)) == sensors_and_plugins(etree.tostring(first))
        assert made.find(".//plugin/a").get("b") == "1"
        assert {_plain(each.text) for each in made.iterfind(".//link[@name='base']/gravity")} == {"0"}
    assert words(again) == words(first)
    surfaces = ("mu", "mu2", "restitution_coefficient", "laser_retro")
    assert [words(theirs)[word] for word in surfaces] == [words(first)[word] for word in surfaces]
    convert(tmp_path / "robot.urdf", tmp_path / "back.sdf")
    assert read(tmp_path / "back.sdf") == read(source)


def test_surfaces_that_differ_within_a_link_are_told_and_not_said_for_all(tmp_path: Path):
    """A block applies to all collisions of its link: it gives the friction they share, not their different bounce."""
    source = saved(tmp_path / "robot.sdf", WORDS % (COLLISION % (1, 0.75), COLLISION % (2, 0.5)))
    report = convert(source, tmp_path / "robot.urdf")
    assert sum(finding.count for finding in of_rule(report, "urdf/surface")) == 2
    blocks = etree.parse(tmp_path / "robot.urdf").findall("gazebo[@reference='base']")
    assert [mu.text for block in blocks for mu in block.iterfind("mu1")] == ["0.5"]
    assert not any(block.findall(".//restitution_coefficient") for block in blocks)
    convert(tmp_path / "robot.urdf", tmp_path / "back.sdf")
    assert read(tmp_path / "back.sdf") == read(source)


BLOCKS = f"""<gazebo reference="base">{IMU % ""}<mu1>0.25</mu1></gazebo>
<gazebo><plugin name="p" filename="libp.so"/></gazebo>"""


@pytest.mark.parametrize(
    ("before", "after", "there", "gone"),
    [
        ("<update_rate>50</update_rate>", "<update_rate>75</update_rate>", ["75", "0.25", "libp.so"], ["50"]),
        ("<mu>0.25</mu>", "<mu>0.75</mu>", ["50", "<mu1>0.75", "libp.so"], ["<mu1>0.25"]),
        ('<plugin name="p" filename="libp.so"/>', "", ["50", "0.25"], ["libp.so"]),
    ],
)
def test_an_edit_of_the_sdf_reaches_the_block(
    tmp_path: Path, before: str, after: str, there: list[str], gone: list[str]
):
    """Carried data comes back as edited, but not where the element it belongs to was removed."""
    target = tmp_path / "robot.sdf"
    convert(robot(tmp_path, BLOCKS), target)
    text = target.read_text()
    document, carried, rest = text.partition("<kinegraph:carried")
    assert before in document
    target.write_text(document.replace(before, after) + carried + rest)
    report = convert(target, tmp_path / "back.urdf")
    found = etree.parse(bare(tmp_path / "back.urdf"))
    said = " ".join(etree.tostring(each).decode() for each in found.iter("gazebo"))
    assert all(word in said for word in there) and not any(word in said for word in gone)
    assert bool(of_rule(report, "carried/stale")) == (not after)


def test_an_edit_of_a_block_reaches_the_sdf(tmp_path: Path):
    source, target = tmp_path / "robot.sdf", tmp_path / "robot.urdf"
    source.write_text(WORDS % (COLLISION % (1, 0.75), COLLISION % (2, 0.75)))
    convert(source, target)
    document, carried, rest = target.read_text().partition("<kinegraph:carried")
    assert "<mu1>0.5</mu1>" in document
    target.write_text(document.replace("<mu1>0.5</mu1>", "<mu1>0.625</mu1>") + carried + rest)
    convert(target, tmp_path / "back.sdf")
    found = etree.parse(bare(tmp_path / "back.sdf"))
    assert [each.text for each in found.iter("mu")] == ["0.625", "0.625"]
    assert len(found.findall(".//sensor")) == 3 and len(found.findall(".//plugin")) == 1


OTHERS = """<sdf version="1.6"><model name="m"><link name="base"><collision name="base_collision"><geometry><sphere>
<radius>1</radius></sphere></geometry><surface><friction><ode><mu>0.5</mu></ode><torsional><coefficient>0.5</coefficient>
<patch_radius>0.02</patch_radius></torsional><bullet><friction>0.4</friction></bullet></friction>
<contact><ode><soft_cfm>0.1</soft_cfm><soft_erp>0.3</soft_erp></ode></contact></surface></collision>
<visual name="v"><cast_shadows>0</cast_shadows><laser_retro>0.7</laser_retro>
<geometry><sphere><radius>1</radius></sphere></geometry></visual>
<visual name="w"><cast_shadows>0</cast_shadows><laser_retro>0.7</laser_retro>
<geometry><sphere><radius>2</radius></sphere></geometry></visual><light name="s" type="spot"><spot>
<inner_angle>0.2</inner_angle><outer_angle>0.5</outer_angle><falloff>1</falloff></spot></light></link><link name="arm"/>
<joint name="j" type="revolute"><parent>base</parent><child>arm</child><axis><xyz>0 0 1</xyz></axis><physics><ode>
<limit><cfm>0.125</cfm><erp>0.25</erp></limit><provide_feedback>true</provide_feedback>%s</ode></physics></joint></model></sdf>"""


REST = ("soft_cfm", "soft_erp", "patch_radius", "coefficient", "laser_retro", "falloff", "cfm", "erp")


@pytest.mark.parametrize("more", ["", "<max_force>3</max_force>"])
def test_what_no_field_holds_stands_in_blocks_as_well(tmp_path: Path, more: str):
    """Only what a block cannot express is reported as having no place."""
    source, target = tmp_path / "robot.sdf", tmp_path / "robot.urdf"
    source.write_text(OTHERS % more)
    report = convert(source, target)
    foreign = of_rule(report, "urdf/foreign")
    assert [finding.before for finding in foreign] == ([f"<physics><ode>{more}</ode></physics>"] if more else [])
    joint = sdformat_expands(target)["document"].partition("<joint")[2]
    theirs = etree.fromstring(f"<joint{joint.partition('</joint>')[0]}</joint>")
    said = [theirs.findtext(f"physics/{place}") for place in ("ode/limit/cfm", "ode/limit/erp", "provide_feedback")]
    assert said == ["0.125", "0.25", "true"]
    assert sdformat_expands(target)["document"].count("<falloff>") == 1
    convert(bare(target), tmp_path / "again.sdf")
    again, first = etree.parse(bare(tmp_path / "again.sdf")), etree.parse(source)
    for tag in REST:
        assert [float(each.text) for each in again.iter(tag)] == [float(each.text) for each in first.iter(tag)], tag
    assert [each.text for each in again.iterfind(".//visual/cast_shadows")] == ["0", "0"]
    assert again.findtext(".//bullet/friction") == "0.4"
    convert(target, tmp_path / "back.sdf")
    assert read(tmp_path / "back.sdf") == read(source)


def test_a_surface_with_what_no_specification_knows_keeps_the_rest_in_the_block(tmp_path: Path):
    source, target = tmp_path / "robot.sdf", tmp_path / "robot.urdf"
    source.write_text((OTHERS % "").replace("<soft_cfm>0.1</soft_cfm>", "<own:word>2</own:word>"))
    report = convert(source, target)
    (foreign,) = of_rule(report, "urdf/foreign")
    assert "own:word" in foreign.before
    block = etree.parse(target).find("gazebo[@reference='base']")
    assert block is not None
    assert (block.findtext("mu1"), block.findtext(".//soft_erp")) == ("0.5", "0.3")
    convert(target, tmp_path / "back.sdf")
    assert read(tmp_path / "back.sdf") == read(source)


def test_what_a_contact_tag_says_is_told_number_by_number(tmp_path: Path):
    """Bullet's contact belongs to the link and applies to its collisions; MuJoCo uses only the friction."""
    words = {"lateral_friction": 0.7, "stiffness": 300.0, "damping": 10.0, "restitution": 0.4}
    contact = "".join(f'<{word} value="{value}"/>' for word, value in words.items())
    source = tmp_path / "robot.urdf"
    source.write_text((ROBOT % "").replace("</collision></link>", f"</collision><contact>{contact}</contact></link>"))
    report = complete(convert(source, tmp_path / "robot.xml"))
    model = mujoco_model(tmp_path / "robot.xml")
    assert model.geom_friction[model.geom_contype != 0][:, 0].tolist() == [0.7]
    told = {
        finding.where.rpartition(".")[2]: (finding.rule, finding.before)
        for finding in report.findings
        if finding.action == "carried" and ".surface." in finding.where
    }
    assert {name: before for name, (_, before) in told.items()} == {
        "stiffness": "300",
        "damping": "10",
        "restitution": "0.4",
    }
    assert {rule for rule, _ in told.values()} == {"mjcf/contact-force", "mjcf/surface"}
    comes_back(source, tmp_path / "robot.xml")
