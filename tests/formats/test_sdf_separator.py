"""--separator: the names of nested models in URDF, and the way back."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

import converters
from converters.context import InputError, Options
from tests.formats.sdf_text import converted, in_urdf, joint, link, put, xml
from tests.oracles.sdf_elements import differences
from tests.reports import explained

DEEP = f"""<sdf version="1.9"><model name="m">{link("arm_tool")}<model name="arm">{link("tool")}
<model name="hand"><frame name="tip"><pose>0 0 1 0 0 0</pose></frame>{link("palm")}{link("finger")}
{joint("j", "palm", "finger")}</model></model>
{joint("up", "arm_tool", "arm::tool")}{joint("on", "arm::tool", "arm::hand::palm", "", "fixed")}</model></sdf>"""

BODIES = ("arm::hand::palm", "arm::hand::finger", "arm::tool")


@pytest.mark.parametrize("separator", ["_", "/", "__", "-"])
def test_30_names_of_nested_models_are_joined_as_asked_for(separator: str, tmp_path: Path) -> None:
    source = put(tmp_path, DEEP)
    report, urdf = converted(tmp_path, source, "out.urdf", Options(separator=separator))
    joined = {name.replace("::", separator) for name in ("arm::hand::palm", "arm::hand::finger", "arm::hand::tip")}
    tool = "arm_tool_1" if separator == "_" else f"arm{separator}tool"
    assert set(xml(urdf).xpath("/robot/link/@name")) == joined | {"arm_tool", tool}
    assert f"arm{separator}hand{separator}j" in xml(urdf).xpath("/robot/joint/@name")
    told = {each.where: (each.before, each.after) for each in report.findings if each.rule == "urdf/separator"}
    links = {f"body/{name}.name": (name, name.replace("::", separator)) for name in BODIES}
    links["body/arm::tool.name"] = "arm::tool", tool
    joints = {"joint/arm::hand::j.name": ("arm::hand::j", f"arm{separator}hand{separator}j")}
    assert told == links | joints
    assert in_urdf(urdf, {"up": 0.5}).keys() >= joined
    _, again = converted(tmp_path, urdf, "again.sdf")
    assert [*differences(source, again)] == []


@pytest.mark.parametrize("separator", ["", " ", "a b", "<", "x" * 17, "\udcff"])
def test_a_separator_that_cannot_be_in_a_name_is_refused(separator: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--separator"):
        converters.convert(put(tmp_path, DEEP), tmp_path / "out.urdf", options=Options(separator=separator))


@pytest.mark.parametrize("inner", ["l", "l 1", "a &amp; 'b'", "&lt;l=1&gt;"])
def test_blocks_of_what_got_another_name_have_a_reason_and_come_back(inner: str, tmp_path: Path) -> None:
    """A <gazebo> block is named by its reference."""
    rubbing = "<surface><friction><ode><mu>0.7</mu></ode></friction></surface>"
    sphere = f"<geometry><sphere><radius>1</radius></sphere></geometry>{rubbing}"
    collides = "".join(
        f'<model name="{name}"><link name="{inner}"><collision name="c">{sphere}</collision></link></model>'
        for name in "bc"
    )
    source = put(tmp_path, f'<sdf version="1.9"><model name="m">{link(f"b_{inner}")}{collides}</model></sdf>')
    report, urdf = converted(tmp_path, source, "out.urdf", Options(separator="_"))
    explained(report)
    called = unescape(inner)
    assert set(xml(urdf).xpath("/robot/gazebo/@reference")) == {f"b_{called}_1", f"c_{called}"}
    _, again = converted(tmp_path, urdf, "again.sdf")
    assert [*differences(source, again)] == []


MASS = "<inertial><mass>%d</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>"
UNLIKE = f"""<sdf version="1.9"><model name="m"><link name="base">{MASS % 5}</link><model name="arm">
<link name="upper"><pose>0 0 1 0 0 0</pose>{MASS % 2}</link><link name="lower"><pose>0 0 2 0 0 0</pose>{MASS % 1}</link>
<joint name="elbow" type="revolute"><pose>0 0 -0.2 0 0 0</pose><parent>upper</parent><child>lower</child>
<axis><xyz>0 1 0</xyz></axis></joint></model>{joint("shoulder", "base", "arm::upper")}</model></sdf>"""


@pytest.mark.parametrize("separator", ["::", "_", "/"])
def test_links_that_are_known_by_what_they_weigh_have_the_names_of_their_author_again(
    separator: str, tmp_path: Path
) -> None:
    """The joined names are not taken as renamings; a prefix that is added to all of them is."""
    source = put(tmp_path, UNLIKE)
    _, urdf = converted(tmp_path, source, "out.urdf", Options(separator=separator))
    report, again = converted(tmp_path, urdf, "again.sdf")
    explained(report)
    assert [*differences(source, again)] == []
    text = urdf.read_text()
    for name in (f"arm{separator}upper", f"arm{separator}lower", "base"):
        text = re.sub(f'( name| link)="{re.escape(name)}"', rf'\1="left_{name}"', text)
    urdf.write_text(text)
    report, edited = converted(tmp_path, urdf, "edited.sdf")
    explained(report)
    there = "_" if separator == "::" else separator
    assert xml(edited).xpath("/sdf/model/link/@name") == ["left_base"]
    assert xml(edited).xpath("/sdf/model/model[@name='arm']/link/@name") == [
        f"left_arm{there}upper",
        f"left_arm{there}lower",
    ]


def test_what_a_sensor_of_contact_names_is_heard_where_nothing_is_carried(tmp_path: Path) -> None:
    """Gazebo names a collision with its link, by the name in the document."""
    collision = '<collision name="c"><geometry><sphere><radius>1</radius></sphere></geometry></collision>'
    sensor = '<sensor name="s" type="contact"><contact><collision>c</collision></contact></sensor>'
    model = f'<model name="m"><link name="l">{collision}{sensor}</link></model>'
    source = put(tmp_path, f'<sdf version="1.9"><world name="w">{model}</world></sdf>')
    report, urdf = converted(tmp_path, source, "out.urdf", Options(separator="_", carry=False))
    explained(report)
    assert xml(urdf).xpath("/robot/gazebo/sensor/contact/collision/text()") == ["m_l_fixed_joint_lump__c_collision"]
