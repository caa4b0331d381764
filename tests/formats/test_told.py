"""What comes back only through carried data is reported, because other programs do not see it.

Judged by lxml and MuJoCo's compiled model.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree
from PIL import Image

from converters.context import Options
from converters.convert import convert, write
from converters.reading import read
from converters.report.model import Action, Report
from tests.files import saved
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.in_sdformat import sdformat_reads
from tests.reports import explained, of_rule

WORLD = """<sdf version="1.10"><world name="w">
<physics name="quick" type="dart"><max_step_size>0.002</max_step_size></physics>
<model name="m">
<link name="a"><inertial><mass>1</mass></inertial>{collision}</link>
<link name="b"><inertial><mass>1</mass></inertial>{collision}</link>
<joint name="j" type="{kind}"><parent>a</parent><child>b</child>
<pose>{pose}</pose>
{axis}</joint>
</model></world></sdf>"""
COLLISION = '<collision name="c"><geometry><sphere><radius>0.1</radius></sphere></geometry></collision>'
AXIS = "<axis><xyz>0 0 1</xyz></axis>"
POSE_LINE = 7
TARGETS = ("urdf", "glb", "xml")


def converted(folder: Path, target: str, kind: str = "fixed", pose: str = "0 0 0 0 0 0") -> Report:
    text = WORLD.format(collision=COLLISION, kind=kind, pose=pose, axis="" if kind == "fixed" else AXIS)
    (folder / "w.sdf").write_text(text)
    return convert(folder / "w.sdf", folder / f"w.{target}", target="mjcf" if target == "xml" else None)


def lines(report: Report, rule: str) -> list[int]:
    found = [each for each in report.findings if each.rule.endswith(rule)]
    assert all(each.action is Action.CARRIED for each in found)
    return [place.line for each in found for place in each.sources]


@pytest.mark.parametrize("target", TARGETS)
def test_a_second_thing_of_a_name_is_told_with_the_name_that_it_has_now(tmp_path: Path, target: str):
    report = converted(tmp_path, target)
    told = [each for each in report.findings if each.rule.endswith("/renamed")]
    if target == "urdf":  # two links may each have a collision of that name
        assert told == []
        return
    assert [(each.where, each.before, each.after) for each in told] == [("body/m::b.geoms.c_1.name", "c", "c_1")]
    assert [place.line for each in told for place in each.sources] == [5]
    if target == "xml":
        assert (
            mujoco_model(tmp_path / "w.xml").geom("c_1").bodyid[0] == mujoco_model(tmp_path / "w.xml").body("m::b").id
        )


def test_the_name_and_type_of_the_physics_of_a_world_are_told(tmp_path: Path):
    report = converted(tmp_path, "xml")
    assert {each.before for each in report.findings if each.where.startswith("physics/")} == {"quick", "dart"}
    assert mujoco_model(tmp_path / "w.xml").opt.timestep == 0.002
    convert(tmp_path / "w.xml", tmp_path / "back.sdf")
    (physics,) = etree.parse(str(tmp_path / "back.sdf")).getroot().iter("physics")
    assert dict(physics.attrib) == {"name": "quick", "type": "dart"}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    ("kind", "pose"),
    [
        ("fixed", "0 0 0 0.1 0.2 0.3"),
        ("fixed", "0 0 0.5 0 0 0"),
        ("revolute", "0 0 0 0 0 0.3"),
        ("prismatic", "0.5 0 0 0 0 0"),
    ],
)
def test_what_a_frame_of_a_joint_says_beyond_the_motion_is_told(tmp_path: Path, target: str, kind: str, pose: str):
    report = converted(tmp_path, target, kind, pose)
    assert lines(report, "/joint-frame") == [POSE_LINE]
    convert(tmp_path / f"w.{target}", tmp_path / "back.sdf")
    assert etree.parse(str(tmp_path / "back.sdf")).getroot().findtext(".//joint/pose") == pose


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("pose", ["0 0 0 0 0 0", "0.1 0.2 0.3 0 0 0"])
def test_a_frame_of_a_hinge_that_says_where_it_is_is_converted(tmp_path: Path, target: str, pose: str):
    assert lines(converted(tmp_path, target, "revolute", pose), "/joint-frame") == []


@pytest.mark.parametrize("kind", ["revolute", "prismatic", "fixed"])
def test_libsdformat_finds_the_frame_and_the_axis_where_no_spelling_is_remembered(tmp_path: Path, kind: str):
    converted(tmp_path, "urdf", kind, "0.1 0.2 0.3 0.4 0.5 0.6")
    source, plain = tmp_path / "w.sdf", tmp_path / "plain.sdf"
    scene = read(source)
    write(scene.evolve(notation={"sdf:top": scene.notation["sdf:top"]}), plain)
    theirs, ours = (sdformat_reads(path)["joints"]["m::j"] for path in (source, plain))
    assert ours["pose"] == pytest.approx(theirs["pose"], abs=1e-12)
    for here, there in zip(ours["axes"], theirs["axes"], strict=True):
        assert here["xyz"] == pytest.approx(there["xyz"], abs=1e-12)
    if kind != "fixed":
        assert etree.parse(str(plain)).getroot().find(".//joint/axis/xyz").get("expressed_in") == "b"


def test_a_joint_that_was_moved_elsewhere_keeps_the_turn_of_its_frame(tmp_path: Path):
    converted(tmp_path, "xml", "revolute", "0 0 0 0 0 0.3")
    root = etree.parse(str(tmp_path / "w.xml")).getroot()
    (hinge,) = root.iter("joint")
    hinge.set("pos", "0.1 0 0")
    convert(saved(tmp_path / "w.xml", etree.tostring(root)), tmp_path / "back.sdf")
    assert etree.parse(str(tmp_path / "back.sdf")).getroot().findtext(".//joint/pose") == "0.1 0 0 0 0 0.3"


INCLUDED = '<sdf version="1.9"><model name="k"><link name="b"/></model></sdf>'


@pytest.mark.parametrize("merge", ["", ' merge="true"'])
@pytest.mark.parametrize(
    ("inner", "rule"),
    [
        ("<placement_frame>nobody</placement_frame>", "sdf/model-placement-frame-invalid"),
        ('<pose relative_to="nobody"/>', "sdf/pose-relative-to-invalid"),
        ("<namespace>ns</namespace>", "mjcf/scope"),
    ],
)
def test_what_an_include_says_is_told_where_it_stands(tmp_path: Path, merge: str, inner: str, rule: str):
    if merge and rule == "mjcf/scope":
        return  # its words are those of the model around it
    (tmp_path / "inner.sdf").write_text(INCLUDED)
    pose = "" if "<pose" in inner else "<pose>1 0 0 0 0 0</pose>"
    include = f"<include{merge}><uri>inner.sdf</uri>{pose}{inner}</include>"
    source = tmp_path / "source.sdf"
    source.write_text(f'<sdf version="1.9"><model name="m"><link name="a"/>{include}</model></sdf>')
    report = convert(source, tmp_path / "out.xml", options=Options(carry=False))
    places = [place.path for found in of_rule(report, rule) for place in found.sources if place.file == str(source)]
    assert any("/include[1]" in place for place in places)
    if rule != "mjcf/scope":
        assert sdformat_reads(source)["errors"]


def test_a_light_that_is_an_image_is_told_as_that(tmp_path: Path) -> None:
    Image.new("RGB", (2, 2)).save(tmp_path / "sky.png")
    light = '<light name="l" type="image" texture="sky" intensity="3" diffuse="1 0 0"/>'
    image = '<asset><texture name="sky" type="2d" file="sky.png"/></asset>'
    (tmp_path / "a.xml").write_text(f"<mujoco>{image}<worldbody>{light}<geom size='.1'/></worldbody></mujoco>")
    report = explained(convert(tmp_path / "a.xml", tmp_path / "a.glb"))
    said = {finding.rule for finding in report.findings if ".lights." in finding.where}
    assert said == {"gltf/light-kind"}
    report = explained(convert(tmp_path / "a.xml", tmp_path / "a.sdf"))
    (kind,) = of_rule(report, "sdf/light-kind")
    assert (kind.before, kind.after) == ("image", "directional")


@pytest.mark.parametrize(("metal", "shown"), [("-0.5", "0"), ("7", "1")])
def test_a_metal_beyond_what_gltf_has_is_told_as_that(tmp_path: Path, metal: str, shown: str) -> None:
    material = f'<asset><material name="m" metallic="{metal}" roughness="{metal}"/></asset>'
    (tmp_path / "a.xml").write_text(f'<mujoco>{material}<worldbody><geom size=".1" material="m"/></worldbody></mujoco>')
    report = explained(convert(tmp_path / "a.xml", tmp_path / "a.glb"))
    assert {(each.where, each.after) for each in of_rule(report, "gltf/metal-range")} == {
        ("material/m.metallic", shown),
        ("material/m.roughness", shown),
    }


def test_an_output_that_lost_the_mark_of_its_ground_is_told_as_that(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    body = '<body><joint name="j"/><geom size="0.1"/></body>'
    (tmp_path / "a.xml").write_text(f"<mujoco><worldbody><geom type='box' size='1 1 1'/>{body}</worldbody></mujoco>")
    monkeypatch.setattr("converters.sdf.writing.models.BARE", "kinegraph:bear")
    report = convert(tmp_path / "a.xml", tmp_path / "a.sdf")
    assert {each.where for each in report.findings if "ground" in each.where} == {
        "body/ground::ground",
        "joint/ground::ground_weld",
        "scope/ground",
        "scope/ground.extras.@kinegraph:bear",
    }
