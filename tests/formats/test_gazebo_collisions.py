"""Contact sensors in <gazebo> blocks use Gazebo's names of collisions, which merges links joined by fixed joints: in an
SDF they name the collisions that exist there, and from an SDF those that Gazebo has."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree

from converters.convert import convert
from tests.files import saved
from tests.oracles.in_sdformat import sdformat_expands, sdformat_reads
from tests.reports import comes_back, explained

INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
LINKS = {
    "leg": ("", "", "shin", "shin", "leg_shin"),
    "foot": ("", "sole"),
    "toe": ("toe_collision", ""),
    "legend": ("",),
    "arm": ("arm_collision",),
    "hand": ("",),
}
"""Maps a link to the names of its collisions, "" for unnamed ones."""
JOINTS = """<joint name="z" type="fixed"><parent link="leg"/><child link="foot"/></joint>
<joint name="a" type="fixed"><parent link="leg"/><child link="legend"/></joint>
<joint name="b" type="fixed"><parent link="foot"/><child link="toe"/></joint>
<joint name="c" type="continuous"><parent link="toe"/><child link="arm"/></joint>
<joint name="d" type="fixed"><parent link="arm"/><child link="hand"/></joint>"""


def robot(path: Path, kept: str, sensors: str = "") -> Path:
    """Write the robot; each collision has a unique radius, by which it is recognised."""
    links, count = "", 0
    for name, collisions in LINKS.items():
        parts = ""
        for called in collisions:
            count += 1
            own = f' name="{called}"' if called else ""
            parts += f'<collision{own}><geometry><sphere radius="{count}"/></geometry></collision>'
        links += f'<link name="{name}">{INERTIAL}{parts}</link>\n'
    return saved(path, f'<robot name="r">{links}{JOINTS}{kept}{sensors}</robot>')


def radii(root: etree._Element) -> dict[tuple[str, str], float]:
    """Return (link, collision) -> its radius."""
    return {
        (link.get("name", ""), part.get("name", "")): float(part.findtext(".//radius", ""))
        for link in root.iter("link")
        for part in link.findall("collision")
    }


@pytest.mark.parametrize(
    "kept",
    [
        "",
        '<gazebo reference="d"><preserveFixedJoint>true</preserveFixedJoint></gazebo>',
        '<gazebo reference="z"><disableFixedJointLumping>1</disableFixedJointLumping></gazebo>',
    ],
)
def test_sensors_of_contact_name_collisions_of_the_sdf(tmp_path: Path, kept: str) -> None:
    theirs = etree.fromstring(sdformat_expands(robot(tmp_path / "bare.urdf", kept))["document"].encode())
    gazebo = {radius: name for (_, name), radius in radii(theirs).items()}
    ours = robot(tmp_path / "bare.urdf", kept)
    convert(ours, tmp_path / "bare.sdf")
    wanted = radii(etree.parse(tmp_path / "bare.sdf").getroot())
    assert sorted(gazebo) == sorted(wanted.values())

    sensors = "".join(
        f'<gazebo reference="{link}"><sensor name="s{radius:g}" type="contact"><contact>'
        f"<collision>{gazebo[radius]}</collision></contact></sensor></gazebo>"
        for (link, _), radius in wanted.items()
    )
    source = robot(tmp_path / "r.urdf", kept, sensors)
    explained(convert(source, tmp_path / "r.sdf"))
    assert not sdformat_reads(tmp_path / "r.sdf")["errors"]
    root = etree.parse(tmp_path / "r.sdf").getroot()
    named = {
        (link.get("name"), each.findtext(".//collision"))
        for link in root.iter("link")
        for each in link.findall("sensor")
    }
    assert named == set(wanted)
    comes_back(source, tmp_path / "r.sdf")


SURFACE = "<surface><friction><ode><mu>0.5</mu><mu2>0.5</mu2></ode></friction></surface>"
"""Set for all collisions of a link in its block: their names then start with the name of the link."""
AXIS = "<axis><xyz>0 0 1</xyz></axis>"


def test_sensors_of_contact_of_an_sdf_name_collisions_as_gazebo_does(tmp_path: Path) -> None:
    links, joints, count = "", "", 0
    for name, collisions, surface in (("leg", "ab", ""), ("foot", "ac", SURFACE), ("arm", "a", ""), ("hand", "a", "")):
        parts = ""
        for called in collisions:
            count += 1
            shape = f"<geometry><sphere><radius>{count}</radius></sphere></geometry>"
            parts += f'<collision name="{called}">{shape}{surface}</collision><sensor name="s{count}" type="contact">'
            parts += f"<update_rate>5</update_rate><contact><collision>{called}</collision></contact></sensor>"
        links += f'<link name="{name}"><inertial><mass>1</mass></inertial>{parts}</link>'
    for parent, child, kind in (("leg", "foot", "fixed"), ("leg", "arm", "revolute"), ("arm", "hand", "fixed")):
        ends = f"<parent>{parent}</parent><child>{child}</child>{AXIS if kind == 'revolute' else ''}"
        joints += f'<joint name="{child}_joint" type="{kind}">{ends}</joint>'
    (tmp_path / "a.sdf").write_text(f'<sdf version="1.9"><model name="m">{links}{joints}</model></sdf>')
    explained(convert(tmp_path / "a.sdf", tmp_path / "b.urdf"))
    theirs = etree.fromstring(sdformat_expands(tmp_path / "b.urdf")["document"].encode())
    known = radii(theirs)
    named = {
        each.get("name"): known[link.get("name", ""), each.findtext(".//collision", "")]
        for link in theirs.iter("link")
        for each in link.findall("sensor")
    }
    assert named == {f"s{number}": number for number in range(1, count + 1)}
    comes_back(tmp_path / "a.sdf", tmp_path / "b.urdf")

    edited = (tmp_path / "b.urdf").read_text().replace("<update_rate>5<", "<update_rate>7<")
    convert(saved(tmp_path / "b.urdf", edited), tmp_path / "c.sdf")
    ours = etree.parse(tmp_path / "c.sdf").getroot()
    rates = [each.findtext("update_rate") for each in ours.iter("sensor")]
    assert rates == ["7"] * count
    known = radii(ours)
    for link in ours.iter("link"):
        for each in link.findall("sensor"):
            assert f"s{known[link.get('name', ''), each.findtext('.//collision', '')]:g}" == each.get("name")
