"""Bodies that others removed from a document of Kinegraph are gone with their joints and all references to them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from converters.context import Options
from converters.convert import convert
from tests.corpus.edits import MADE
from tests.files import saved
from tests.formats.gltf_arm import as_gltf, back, edited, told
from tests.oracles.in_sdformat import sdformat_reads

BOX = 'type="box" size=".1 .1 .1"'
CHAIN = f"""<mujoco model="chain"><asset><material name="red" rgba="1 0 0 1"/></asset><worldbody>
<body name="base"><geom name="g0" {BOX}/><body name="one" pos="0 0 1"><joint name="j1"/><geom name="g1" {BOX}/>
<body name="two" pos="0 0 1"><joint name="j2"/><geom name="g2" {BOX} material="red"/><site name="tip"/></body>
</body></body></worldbody><contact><exclude body1="one" body2="two"/><exclude body1="base" body2="one"/></contact>
<equality><joint joint1="j1" joint2="j2"/></equality>
<tendon><fixed name="rope"><joint joint="j1" coef="1"/><joint joint="j2" coef="1"/></fixed></tendon>
<actuator><motor name="m1" joint="j1"/><motor name="m2" joint="j2"/>
<motor name="m3" tendon="rope"/></actuator>
<sensor><jointpos name="p1" joint="j1"/><jointpos name="p2" joint="j2"/>
<framepos name="at" objtype="site" objname="tip"/></sensor>
<keyframe><key name="home" qpos="0.1 0.2" ctrl="1 2 3"/></keyframe></mujoco>"""
LINK = '<visual><geometry><box size="1 1 1"/></geometry></visual>'
TURN = '<axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/>'
ROBOT = f"""<robot name="r"><link name="base">{LINK}</link><link name="left">{LINK}</link>
<link name="right">{LINK}</link><link name="tip"/>
<joint name="l" type="revolute"><parent link="base"/><child link="left"/>{TURN}</joint>
<joint name="r" type="revolute"><parent link="base"/><child link="right"/>{TURN}<mimic joint="l"/></joint>
<joint name="end" type="fixed"><parent link="left"/><child link="tip"/></joint>
<ros2_control name="c" type="system"><hardware><plugin>p</plugin></hardware>
<joint name="l"><command_interface name="position"/></joint><joint name="r"><state_interface name="position"/></joint>
</ros2_control></robot>"""
SRDF = """<robot name="r"><group name="both"><joint name="l"/><joint name="r"/></group>
<group name="one"><joint name="l"/></group>
<group_state name="home" group="both"><joint name="l" value="0.5"/><joint name="r" value="0.5"/></group_state>
<disable_collisions link1="base" link2="left" reason="Adjacent"/>
<disable_collisions link1="base" link2="right" reason="Adjacent"/></robot>"""


@pytest.fixture
def chain(tmp_path: Path) -> Path:
    return as_gltf(CHAIN, tmp_path / "chain.gltf")


def taking(name: str, hung_above: bool = False) -> Callable[[dict[str, Any]], None]:
    """Return a change that removes the nodes of a body, with its children or with these attached to its parent."""

    def change(document: dict[str, Any]) -> None:
        nodes = document["nodes"]
        own = {number for number, each in enumerate(nodes) if each["extras"]["kinegraph_name"] == name}
        for number in {each for each in own if nodes[each]["extras"]["kinegraph_kind"] == "body"}:
            above = next(each for each in nodes if number in each.get("children", ()))
            below = nodes[number].pop("children", []) if hung_above else []
            above["children"] = [each for each in above["children"] if each != number] + below
            if not above["children"]:
                del above["children"]

    return change


def test_a_leaf_is_gone_with_all_that_speaks_of_it(chain: Path):
    found = told(edited(chain, taking("two")), chain.with_name("back.xml"))
    assert {"body/two", "actuator/m2", "actuator/m3", "contact/exclude_one_two", "tendon/rope", "material/red"} < set(
        found
    )
    assert {"sensor/p2", "sensor/at"} < set(found)
    assert "scene" not in found
    model = back(chain.with_name("back.xml"))
    assert (model.nbody, model.njnt, model.ngeom, model.nsite, model.neq, model.ntendon) == (3, 1, 2, 0, 0, 0)
    assert [model.actuator(each).name for each in range(model.nu)] == ["m1"]
    assert [model.sensor(each).name for each in range(model.nsensor)] == ["p1"]
    assert (model.nexclude, model.nmat) == (1, 0)
    assert (model.key_qpos.tolist(), model.key_ctrl.tolist()) == ([[0.1]], [[1]])


def test_what_hangs_on_a_body_goes_with_it(chain: Path):
    found = told(edited(chain, taking("one")), chain.with_name("back.xml"))
    assert {"body/one", "body/two", "keyframe/home", "contact/exclude_base_one"} < set(found)
    model = back(chain.with_name("back.xml"))
    assert (model.nbody, model.njnt, model.ngeom, model.nu, model.nsensor, model.nkey) == (2, 0, 1, 0, 0, 0)


def test_the_scene_that_is_seen_counts(chain: Path):
    """A modelling program shows one scene: deleting a body there leaves its node in the second scene."""

    def change(document: dict[str, Any]) -> None:
        number = next(n for n, each in enumerate(document["nodes"]) if each["name"] == "two")
        above = next(each for each in document["nodes"] if number in each.get("children", ()))
        above["children"].remove(number)

    assert "body/two" in told(edited(chain, change), chain.with_name("back.xml"))
    assert back(chain.with_name("back.xml")).nbody == 3


@pytest.mark.parametrize(
    ("change", "names"), [(taking("one", hung_above=True), "one"), (taking("base"), "base, one, two")]
)
def test_bodies_stay_where_nobody_says_what_holds_the_others_or_nothing_would_be_left(
    chain: Path, change: Callable[[dict[str, Any]], None], names: str
):
    found = told(edited(chain, change), chain.with_name("back.xml"))
    assert (found["body"].before, found["body"].action) == (names, "dropped")
    assert ("it is not known what would hold" in found["body"].reason) == (names == "one")
    assert back(chain.with_name("back.xml")).nbody == 4


def test_bodies_stay_where_their_meshes_may_have_been_joined(chain: Path):
    def change(document: dict[str, Any]) -> None:
        taking("two")(document)
        document["nodes"].append({"name": "joined", "mesh": 0})
        next(each for each in document["nodes"] if each["name"] == "one")["children"].append(len(document["nodes"]) - 1)

    assert told(edited(chain, change), chain.with_name("back.xml"))["body"].before == "two"
    assert back(chain.with_name("back.xml")).nbody == 4


def test_a_link_of_a_robot_is_gone_from_all_its_documents(tmp_path: Path):
    """With the frame at its end, which is not visible; lists of several items keep the others."""
    (tmp_path / "r.urdf").write_text(ROBOT)
    (tmp_path / "r.srdf").write_text(SRDF)
    convert(tmp_path / "r.urdf", tmp_path / "r.gltf", options=Options(srdf=tmp_path / "r.srdf"))
    found = told(edited(tmp_path / "r.gltf", taking("left")), tmp_path / "back.urdf")
    assert {"body/left", "body/tip", "joint/r", "group/one", "group/both", "hardware/c"} < set(found)
    robot = etree.parse(tmp_path / "back.urdf").getroot()
    assert [each.get("name") for each in robot.findall("link")] == ["base", "right"]
    assert [each.get("name") for each in robot.findall("joint")] == ["r"]
    assert robot.find("joint/mimic") is None
    assert [each.get("name") for each in robot.findall("ros2_control/joint")] == ["r"]
    semantics = etree.parse(tmp_path / "back.srdf").getroot()
    assert [(each.get("name"), [one.get("name") for one in each]) for each in semantics.findall("group")] == [
        ("both", ["r"])
    ]
    assert [each.get("name") for each in semantics.findall("group_state/joint")] == ["r"]
    assert [each.get("link2") for each in semantics.findall("disable_collisions")] == ["right"]


def test_a_frame_at_the_end_that_a_program_took_out_stays(tmp_path: Path):
    convert(saved(tmp_path / "r.urdf", ROBOT), tmp_path / "r.gltf")
    assert set(told(edited(tmp_path / "r.gltf", taking("tip")), tmp_path / "back.urdf")) == {"body"}
    assert etree.parse(tmp_path / "back.urdf").find("link[@name='tip']") is not None


def test_a_nested_model_without_a_link_is_gone(tmp_path: Path):
    source = (MADE / "feature_sdf_nested.sdf").read_text()
    shown = '<visual name="v"><geometry><box><size>1 1 1</size></box></geometry></visual></link>'
    for name in ("arm", "tip", "palm"):
        source = source.replace(f'<link name="{name}"/>', f'<link name="{name}">{shown}')
    (tmp_path / "nested.sdf").write_text(source.replace('gripper::palm"', 'arm"'))
    convert(tmp_path / "nested.sdf", tmp_path / "nested.gltf")
    assert "body/gripper::palm" in told(
        edited(tmp_path / "nested.gltf", taking("gripper::palm")), tmp_path / "back.sdf"
    )
    assert sdformat_reads(tmp_path / "back.sdf")["errors"] == []
    root = etree.parse(tmp_path / "back.sdf").getroot()
    assert [each.get("name") for each in root.iter("model", "link")] == ["robot", "arm"]
