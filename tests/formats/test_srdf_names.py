"""Every name in a written SRDF exists in the URDF next to it."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree
from msgspec.structs import replace

from converters import convert, read, write
from converters.choices import Base
from converters.context import Options
from ir.types import SCALAR, ContactRule, EndEffector, Group, Keyframe
from tests.files import saved
from tests.reports import complete, of_rule

LINKS = {"link", "link1", "link2", "base_link", "tip_link", "child_link", "parent_link"}


def strangers(urdf: Path) -> set[tuple[str, str]]:
    """Return (tag, name) of references in an SRDF to names that neither it nor the URDF has."""
    robot, srdf = etree.parse(urdf).getroot(), etree.parse(urdf.with_suffix(".srdf")).getroot()
    joints = {each.get("name") for each in (*robot.iterfind("joint"), *srdf.iterfind("virtual_joint"))}
    links = {each.get("name") for each in robot.iterfind("link")}
    groups = {each.get("name") for each in srdf.iterfind("group")}
    found: list[tuple[str, str, set[str]]] = []
    for item in srdf.iterdescendants(etree.Element):
        found += [(item.tag, value, links) for word, value in item.items() if word in LINKS]
        found += [(item.tag, value, groups) for word, value in item.items() if word in ("group", "parent_group")]
        name = item.get("name", item.get("joint_name"))
        inside = item.getparent() is not srdf
        if item.tag in ("passive_joint", "joint_property") or (inside and item.tag == "joint"):
            found.append((item.tag, name, joints))
        elif inside and item.tag in ("link", "group"):
            found.append((item.tag, name, links if item.tag == "link" else groups))
    return {(tag, name) for tag, name, known in found if name not in known}


AXIS = "<axis><xyz>1 0 0</xyz></axis>"
AXES = f"{AXIS}<axis2><xyz>0 1 0</xyz></axis2>"
KINDS = (
    ("u", "universal", AXES),
    ("ball", "ball", ""),
    ("screw", "screw", f"{AXIS}<screw_thread_pitch>.1</screw_thread_pitch>"),
    ("hinge", "revolute", AXIS),
    ("w", "fixed", ""),
    ("two", "revolute2", AXES),
)
LOOP = f'<joint name="loop" type="revolute"><parent>a</parent><child>g</child>{AXIS}</joint>'


def robot(folder: Path) -> Path:
    """A chain of all types of joints, with another path to its end: the last joint of the chain closes a loop."""
    ball = '<collision name="c"><geometry><sphere><radius>.1</radius></sphere></geometry></collision>'
    links = "".join(
        f'<link name="{name}"><pose>0 0 {at} 0 0 0</pose>{ball}</link>' for at, name in enumerate("abcdefg")
    )
    joints = "".join(
        f'<joint name="{name}" type="{kind}"><parent>{ends[0]}</parent><child>{ends[1]}</child>{said}</joint>'
        for (name, kind, said), ends in zip(KINDS, ("ab", "bc", "cd", "de", "ef", "fg"), strict=True)
    )
    return saved(folder / "r.sdf", f'<sdf version="1.9"><model name="r">{links}{joints}{LOOP}</model></sdf>')


@pytest.mark.parametrize("separator", ["::", "_"])
def test_a_joint_that_is_a_chain_is_named_by_its_parts(tmp_path: Path, separator: str) -> None:
    scene = read(robot(tmp_path))
    joints = [replace(each, passive=True, properties=(("k", "1"),)) for each in scene.joints.values()]
    dofs = [dof for joint in joints for dof in joint.dofs if not joint.closes_loop]
    scene = scene.evolve(
        joints=joints,
        tables={
            "group": [
                Group(name="all", joints=tuple(scene.joints), bodies=("b",), chains=(("a", "g"),)),
                Group(name="outer", groups=("all",), joints=("ball",)),
            ],
            "keyframe": [
                Keyframe(
                    name="k",
                    group="all",
                    dofs=tuple(dof.name for dof in dofs),
                    positions=tuple((dof.name, (0.1,)) for dof in dofs if dof.kind in SCALAR),
                )
            ],
            "end_effector": [EndEffector(name="e", parent="g", group="all")],
            "contact": [ContactRule(name="r", first="a", second="c"), ContactRule(name="s", first="b", second="")],
        },
    )
    out = tmp_path / "out" / "r.urdf"
    report = complete(write(scene, out, options=Options(separator=separator)))
    assert strangers(out) == set()
    named = [each.get("name") for each in etree.parse(out.with_suffix(".srdf")).xpath("group[@name='all']/joint")]
    assert named[:6] == ["u", "u_axis2", "ball_RX", "ball_RY", "ball_RZ", "screw"] and "two" not in named
    assert len(of_rule(report, "urdf/group-joints")) == 2
    back = read(out)
    assert [group.joints for group in back.tables["group"].values()] == [tuple(scene.joints), ("ball",)]
    assert all(joint.passive and joint.properties == (("k", "1"),) for joint in back.joints.values())


@pytest.mark.parametrize("base", ["keep", "fixed", "floating", "open"])
def test_the_world_is_a_link_where_the_urdf_has_one(tmp_path: Path, base: Base) -> None:
    (tmp_path / "r.xml").write_text(
        """<mujoco><worldbody><body name="a"><freejoint/><geom size=".1"/><body name="b"><joint name="x"/>
        <joint name="y" axis="0 1 0"/><geom size=".1"/><body name="c"><joint/><geom size=".1"/></body></body></body>
        </worldbody><contact><exclude body1="world" body2="b"/><exclude body1="a" body2="c"/></contact></mujoco>"""
    )
    report = complete(convert(tmp_path / "r.xml", tmp_path / "r.urdf", options=Options(base=base)))
    assert strangers(tmp_path / "r.urdf") == set()
    held = base in ("fixed", "floating")
    assert len(etree.parse(tmp_path / "r.srdf").findall("disable_collisions")) == 1 + held
    assert bool(of_rule(report, "urdf/contact")) is not held
    convert(tmp_path / "r.urdf", tmp_path / "back.xml")
    assert 'body1="world" body2="b"' in (tmp_path / "back.xml").read_text()
