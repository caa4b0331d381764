"""Names that others give to nodes of our documents become those of links, joints and the rest; references follow."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import mujoco
import pytest
import trimesh
from lxml import etree

from converters.context import Options
from converters.convert import convert, load
from tests.corpus.edits import MADE
from tests.files import saved
from tests.formats.gltf_arm import back, by_name, edited, told
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.in_sdformat import sdformat_reads
from tests.oracles.mjcf_against_mjcf import differences
from tests.reports import explained, of_rule

ROBOT = """<robot name="r"><link name="base"/>
<link name="hand"><visual><geometry><box size="1 1 1"/></geometry></visual>
<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
<link name="finger"/>
<joint name="turn" type="revolute"><parent link="base"/><child link="hand"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
<joint name="bend" type="revolute"><parent link="hand"/><child link="finger"/><mimic joint="turn"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>"""
SRDF = """<robot name="r"><group name="all"><chain base_link="base" tip_link="hand"/></group>
<group_state name="home" group="all"><joint name="turn" value="0.5"/></group_state>
<disable_collisions link1="base" link2="hand" reason="Adjacent"/></robot>"""


def rename(document: dict[str, Any], names: dict[str, str]) -> None:
    for node in document["nodes"]:
        node["name"] = names.get(node["name"], node["name"])


def names(model: mujoco.MjModel, kind: mujoco.mjtObj, count: int) -> list[str]:
    return [mujoco.mj_id2name(model, kind, each) for each in range(count)]


def test_a_renamed_node_renames_what_it_stands_for(arm: Path):
    new = {"upper": "forearm", "bar": "rod", "tip": "end", "eye": "look", "lamp": "sun"}
    changed = edited(
        arm, lambda document: rename(document, new | {"turn/parent": "elbow", "turn/child": "elbow/child"})
    )
    found = told(changed, arm.with_name("back.xml"))
    assert set(found) == {"body/forearm", "geom/rod", "frame/end", "camera/look", "light/sun", "joint/elbow"}
    assert (found["body/forearm"].before, found["body/forearm"].after) == ("upper", "forearm")
    model = back(arm.with_name("back.xml"))
    assert names(model, mujoco.mjtObj.mjOBJ_BODY, model.nbody) == ["world", "base", "forearm"]
    assert names(model, mujoco.mjtObj.mjOBJ_GEOM, model.ngeom) == ["plate", "rod"]
    assert model.jnt(int(model.actuator_trnid[0, 0])).name == "elbow"
    assert model.site(int(model.sensor_objid[0])).name == "end"
    assert (model.cam(0).name, model.light(0).name) == ("look", "sun")
    assert model.jnt_range[0] == pytest.approx([-1, 2])


def test_all_that_refers_to_a_link_or_a_joint_follows(tmp_path: Path):
    (tmp_path / "r.urdf").write_text(ROBOT)
    (tmp_path / "r.srdf").write_text(SRDF)
    convert(tmp_path / "r.urdf", tmp_path / "r.gltf", options=Options(srdf=tmp_path / "r.srdf"))
    new = {"hand": "gripper", "turn/parent": "wrist/parent", "turn/child": "wrist/child"}
    assert set(told(edited(tmp_path / "r.gltf", lambda document: rename(document, new)), tmp_path / "back.urdf")) == {
        "body/gripper",
        "joint/wrist",
    }
    robot = etree.parse(tmp_path / "back.urdf").getroot()
    assert [link.get("name") for link in robot.findall("link")] == ["base", "gripper", "finger"]
    assert [
        (each.get("name"), each.find("parent").get("link"), each.find("child").get("link"))
        for each in robot.findall("joint")
    ] == [("wrist", "base", "gripper"), ("bend", "gripper", "finger")]
    assert robot.find("joint/mimic").get("joint") == "wrist"
    semantics = etree.parse(tmp_path / "back.srdf").getroot()
    assert semantics.find("group/chain").get("tip_link") == "gripper"
    assert semantics.find("group_state/joint").get("name") == "wrist"
    assert semantics.find("disable_collisions").get("link2") == "gripper"
    explained(convert(tmp_path / "edited.gltf", tmp_path / "back.xml"))
    exclude = etree.parse(tmp_path / "back.xml").find("contact/exclude")
    assert dict(exclude.attrib) == {"body1": "base", "body2": "gripper"}


POINTING = """<mujoco model="m"><worldbody><light mode="targetbody" target="b"/><body name="a">
<joint name="j" range="-1 1"/><geom name="g" size=".1"/><site name="s"/><camera mode="targetbody" target="b"/>
<body name="b" pos="0 0 1"><joint/><geom size=".1"/><site name="t"/><body><joint/><geom size=".1"/></body></body></body>
</worldbody><tendon><spatial><site site="s"/><site site="t"/></spatial><fixed name="f"><joint joint="j" coef="1"/>
</fixed></tendon><equality><connect site1="s" site2="t"/><joint joint1="j" polycoef="0 1 0 0 0"/>
<connect body1="a" body2="b" anchor="0 0 0"/></equality><actuator><motor joint="j"/>
<general site="t" refsite="s" gear="1 0 0 0 0 0"/><general cranksite="s" slidersite="t" cranklength="1"/>
<motor tendon="f"/></actuator><sensor><jointpos joint="j"/>
<framepos objtype="site" objname="t" reftype="site" refname="s"/><distance geom1="g" body2="b"/><touch site="t"/>
<framepos objtype="body" objname="b"/></sensor><contact><exclude body1="a" body2="b"/></contact></mujoco>"""


@pytest.mark.parametrize("old", ["a", "b", "g", "s", "t"])
def test_what_names_a_thing_in_words_of_mujoco_follows_and_what_has_no_name_gets_none(old: str, tmp_path: Path):
    convert(saved(tmp_path / "m.xml", POINTING), tmp_path / "m.gltf")
    report = convert(
        edited(tmp_path / "m.gltf", lambda document: rename(document, {old: "new"})), tmp_path / "back.xml"
    )
    assert [(finding.rule, finding.after) for finding in report.findings] == [("gltf/edited", "new")]
    (tmp_path / "wanted.xml").write_text(re.sub(f'(?<!joint)="{old}"', '="new"', POINTING))
    wanted, found = back(tmp_path / "wanted.xml"), back(tmp_path / "back.xml")
    assert {part: texts for part, texts in differences(wanted, found, rollout=False) if texts} == {}


def test_the_name_of_a_joint_stands_in_the_extras_of_its_body_too(tmp_path: Path):
    convert(saved(tmp_path / "r.urdf", ROBOT), tmp_path / "r.gltf")

    def change(document: dict[str, Any]) -> None:
        by_name(document, "finger")["extras"]["kinegraph_joint"] = "curl"

    assert set(told(edited(tmp_path / "r.gltf", change), tmp_path / "back.urdf")) == {"joint/curl"}
    joints = etree.parse(tmp_path / "back.urdf").getroot().findall("joint")
    assert [joint.get("name") for joint in joints] == ["turn", "curl"]


@pytest.mark.parametrize(
    ("new", "reason"),
    [
        ({"upper": "base"}, "another thing has that name"),
        ({"upper": "world"}, "another thing has that name"),
        ({"upper": ""}, "no name any more"),
        ({"plate": "plate.001"}, "programs derive such a name"),
        ({"turn/parent": "elbow", "turn/child": "knee"}, "different names"),
    ],
)
def test_a_name_that_cannot_be_or_that_nobody_gave_does_not_count(arm: Path, new: dict[str, str], reason: str):
    def change(document: dict[str, Any]) -> None:
        old = next(iter(new))
        if len(new) == 1:  # the first node of the two scenes
            by_name(document, old)["name"] = new[old]
        else:
            rename(document, new)

    (found,) = told(edited(arm, change), arm.with_name("back.xml")).values()
    assert found.action == "dropped"
    assert reason in found.reason
    convert(arm, arm.with_name("same.xml"))
    assert arm.with_name("back.xml").read_bytes() == arm.with_name("same.xml").read_bytes()


def test_names_that_were_exchanged_are_exchanged(arm: Path):
    told(edited(arm, lambda document: rename(document, {"upper": "base", "base": "upper"})), arm.with_name("back.xml"))
    model = back(arm.with_name("back.xml"))
    assert names(model, mujoco.mjtObj.mjOBJ_BODY, model.nbody) == ["world", "upper", "base"]
    assert model.jnt_bodyid[0] == model.body("base").id


def test_a_link_of_a_nested_model_stays_in_it(tmp_path: Path):
    convert(MADE / "feature_sdf_nested.sdf", tmp_path / "nested.gltf")
    new = {"gripper::palm": "hull"}
    changed = edited(tmp_path / "nested.gltf", lambda document: rename(document, new))
    assert set(told(changed, tmp_path / "back.sdf")) == {"body/gripper::hull"}
    assert sdformat_reads(tmp_path / "back.sdf")["errors"] == []
    root = etree.parse(tmp_path / "back.sdf").getroot()
    assert root.find("model/model[@name='gripper']/link").get("name") == "hull"
    assert root.find("model").get("canonical_link") == root.findtext("model/joint/child") == "gripper::hull"
    elsewhere = edited(tmp_path / "nested.gltf", lambda document: rename(document, {"gripper::palm": "arm::palm"}))
    assert [each.action for each in told(elsewhere, tmp_path / "back.sdf").values()] == ["dropped"]


def test_a_motion_follows_its_joint(arm: Path, tmp_path: Path):
    (tmp_path / "motion.csv").write_text("time,turn\n0,0\n1,1\n")
    convert(tmp_path / "arm.xml", arm, options=Options(trajectory=(str(tmp_path / "motion.csv"),)))
    new = {"turn/parent": "elbow/parent", "turn/child": "elbow/child"}
    told(edited(arm, lambda document: rename(document, new)), tmp_path / "again.gltf")
    (clip,) = json.loads((tmp_path / "again.gltf").read_bytes())["animations"]
    assert len(clip["channels"]) == 1


def test_who_keeps_its_name_is_in_the_way_of_who_wants_it(tmp_path: Path):
    """Each link is given the name of the next one, and the last one a name that is taken."""
    count = 500
    links = "".join(f'<link name="l{n}"/>' for n in range(count + 1))
    joints = "".join(
        f'<joint name="j{n}" type="fixed"><parent link="l{n}"/><child link="l{n + 1}"/></joint>' for n in range(count)
    )
    (tmp_path / "r.urdf").write_text(f'<robot name="r">{links}{joints}</robot>')
    convert(tmp_path / "r.urdf", tmp_path / "r.gltf")

    def change(document: dict[str, Any]) -> None:
        rename(document, {f"l{n}": f"l{n + 1}" for n in range(count)})

    found = told(edited(tmp_path / "r.gltf", change), tmp_path / "back.urdf")
    assert {each.action.value for each in found.values()} == {"dropped"} and len(found) == count
    convert(tmp_path / "r.gltf", tmp_path / "same.urdf")
    assert (tmp_path / "back.urdf").read_bytes() == (tmp_path / "same.urdf").read_bytes()


@pytest.mark.parametrize("target", ["out.xml", "out.sdf", "out.urdf", "out.glb"])
def test_a_renamed_material_is_called_so(tmp_path: Path, target: str) -> None:
    source = tmp_path / "arm.urdf"
    source.write_text(
        '<robot name="r"><material name="paint"><color rgba="1 0 0 1"/></material><link name="a"><visual>'
        '<geometry><box size="1 1 1"/></geometry><material name="paint"/></visual></link></robot>'
    )
    convert(source, tmp_path / "arm.gltf")

    def change(document: dict[str, Any]) -> None:
        document["materials"][0]["name"] = "lacquer"
        document["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"] = [0, 1, 0, 1]

    path = edited(tmp_path / "arm.gltf", change)
    report = convert(path, tmp_path / target)
    explained(report)
    found = {each.where: each for each in of_rule(report, "gltf/edited")}
    assert {key: each.action for key, each in found.items()} == {
        "material/lacquer": "derived",
        "material/paint": "derived",
    }
    scene = load(tmp_path / target).scene
    assert [*scene.materials] == ["lacquer"] and scene.materials["lacquer"].rgba == (0.0, 1.0, 0.0, 1.0)
    assert [geom.material for geom in scene.geoms()] == ["lacquer"]


def test_a_material_that_is_named_as_another_one_keeps_its_name_and_leaves_that_alone(tmp_path: Path) -> None:
    paints = "".join(f'<material name="{name}"><color rgba="{rgba}"/></material>' for name, rgba in PAINTS.items())
    looks = "".join(
        f'<visual><geometry><box size="1 1 1"/></geometry><material name="{name}"/></visual>' for name in PAINTS
    )
    source = saved(tmp_path / "arm.urdf", f'<robot name="r">{paints}<link name="a">{looks}</link></robot>')
    convert(source, tmp_path / "arm.gltf")

    def change(document: dict[str, Any]) -> None:
        first, second = document["materials"]
        first["name"] = second["name"]

    path = edited(tmp_path / "arm.gltf", change)
    found = told(path, tmp_path / "out.urdf")
    assert {key: (each.action, each.before, each.after) for key, each in found.items()} == {
        "material/red": ("dropped", "red", "blue")
    }
    scene = load(path).scene
    assert {
        name: " ".join(f"{value:g}" for value in look.rgba or ()) for name, look in scene.materials.items()
    } == PAINTS


PAINTS = {"red": "1 0 0 1", "blue": "0 0 1 1"}


def test_a_document_of_any_name_has_its_meshes(tmp_path: Path) -> None:
    """A VRM is a GLB; files made from such a document do not belong to it."""
    saved(tmp_path / "box.stl", trimesh.creation.box().export(file_type="stl"))
    saved(tmp_path / "r.urdf", ROBOT.replace('<box size="1 1 1"/>', '<mesh filename="box.stl"/>'))
    explained(convert(tmp_path / "r.urdf", tmp_path / "r.glb"))
    for name in ("r.vrm", "r.png"):
        source = saved(tmp_path / "others" / name, (tmp_path / "r.glb").read_bytes())
        folder = tmp_path / name.replace(".", "_")
        for suffix in ("xml", "urdf"):
            report = explained(convert(source, folder / f"out.{suffix}"))
            assert not of_rule(report, "assets/unreadable")
        report = explained(convert(folder / "out.urdf", folder / "again.xml"))
        assert not of_rule(report, "assets/unreadable")
        assert mujoco_model(folder / "again.xml").nmesh == 1
