"""The layout of an MJCF document for those who maintain it by hand. Its meaning is judged by MuJoCo."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from lxml import etree

from converters.convert import convert
from tests.oracles.in_mujoco import mujoco_model
from tests.reports import explained

INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
MENAGERIE = (
    *("compiler", "option", "size", "visual", "statistic", "extension", "default", "asset", "worldbody", "contact"),
    *("tendon", "equality", "actuator", "sensor", "keyframe", "custom"),
)
OBJ = """mtllib parts.mtl
v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1
usemtl red\nf 1 2 3\nf 1 4 2
usemtl blue\nf 1 3 4\nf 2 4 3
"""


def _robot(joints: str, *, inside: str = "") -> str:
    """Return a star of links: joints are lines of 'name|content of the joint'."""
    text = f'<robot name="r"><link name="base">{INERTIAL}{inside}</link>'
    for line in joints.splitlines():
        name, _, said = line.strip().partition("|")
        text += (
            f'<link name="{name}_link">{INERTIAL}<collision><geometry><sphere radius=".1"/></geometry></collision>'
            f'</link><joint name="{name}" type="revolute"><parent link="base"/><child link="{name}_link"/>{said}'
            "</joint>"
        )
    return text + "</robot>"


def _converted(text: str, folder: Path) -> Path:
    source, out = folder / "in.urdf", folder / "out.xml"
    source.write_text(text)
    explained(convert(source, out))
    return out


LIMIT = '<limit lower="{0}" upper="{1}" effort="2" velocity="1"/>'
ONE, TWO = LIMIT.format(-1, 1), LIMIT.format(-2, 2)
OTHER = f'other|{TWO}<axis xyz="0 1 0"/>'


@pytest.mark.parametrize(
    ("names", "called"),
    [
        (("arm_left_3_joint", "arm_right_3_joint"), "arm_3_joint"),
        (("FR_hip_joint", "RL_hip_joint"), "hip_joint"),
        (("LHipPitch", "RHipPitch"), "HipPitch"),
        (("a", "b"), "joints"),
        (("wrist_1", "wrist_2"), "wrist"),
    ],
)
def test_joints_of_one_kind_are_a_class_by_the_words_of_their_names(
    names: tuple[str, str], called: str, tmp_path: Path
) -> None:
    out = _converted(_robot("\n".join([*(f"{name}|{ONE}" for name in names), OTHER])), tmp_path)
    for name in names:
        (joint,) = etree.parse(out).iterfind(f".//joint[@name='{name}']")
        assert dict(joint.attrib) == {"name": name, "class": called}
    model = mujoco_model(out)
    assert [model.joint(name).range.tolist() for name in (*names, "other")] == [[-1, 1], [-1, 1], [-2, 2]]


def test_what_all_joints_have_stands_in_the_class_of_the_robot(tmp_path: Path) -> None:
    damped = '<dynamics damping="0.5" friction="0"/>'
    out = _converted(_robot("\n".join(f"j{k}|{damped}{limit}" for k, limit in enumerate((ONE, TWO)))), tmp_path)
    root = etree.parse(out)
    assert [dict(each.attrib) for each in root.iterfind("./default/default/joint")] == [
        {"axis": "1 0 0", "damping": "0.5", "actuatorfrcrange": "-2 2"}
    ]
    model = mujoco_model(out)
    assert model.dof_damping.tolist() == [0.5, 0.5]
    assert model.jnt_actfrcrange.tolist() == [[-2, 2], [-2, 2]]


def test_sections_stand_in_the_order_of_the_menagerie(tmp_path: Path) -> None:
    source, out = tmp_path / "in.sdf", tmp_path / "out.xml"
    source.write_text(
        '<sdf version="1.11"><world name="w"><gravity>0 0 -3</gravity><model name="m"><link name="a"><inertial/>'
        '<sensor name="i" type="imu"/></link><link name="b"><inertial/></link>'
        '<joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>1 0 0</xyz></axis></joint>'
        "</model></world></sdf>"
    )
    explained(convert(source, out))
    tags = [each.tag for each in etree.parse(out).getroot()]
    assert "option" in tags
    assert "sensor" in tags
    assert tags == [tag for tag in MENAGERIE if tag in tags]


def test_the_commonest_type_is_that_of_the_class(tmp_path: Path) -> None:
    box = '<visual><geometry><box size="1 1 1"/></geometry></visual>'
    out = _converted(
        _robot("", inside=box * 3 + box.replace("box size", "sphere radius").replace("1 1 1", "1")), tmp_path
    )
    root = etree.parse(out)
    assert [each.get("type") for each in root.iterfind(".//default[@class='visual']/geom")] == ["box"]
    assert [each.get("type") for each in root.iterfind(".//body/geom")] == [None, None, None, "sphere"]
    assert sorted(mujoco_model(out).geom_type.tolist()) == [2, 6, 6, 6]


def test_surfaces_of_one_kind_are_a_class(tmp_path: Path) -> None:
    text = _robot(f"left_foot|{ONE}\nright_foot|{TWO}\nhead|{ONE}")
    block = '<gazebo reference="{}_foot_link"><mu1>0.7</mu1><mu2>0.7</mu2></gazebo>'
    blocks = block.format("left") + block.format("right")
    out = _converted(text.replace("</robot>", blocks + "</robot>"), tmp_path)
    root = etree.parse(out)
    classes = [each.get("class") for each in root.iterfind(".//body/geom")]
    assert classes == ["foot_link_collision", "foot_link_collision", "collision"]
    model = mujoco_model(out)
    assert np.allclose(model.geom_friction[:, 0], [0.7, 0.7, 1.0])
    assert model.geom_group.tolist() == [3, 3, 3]


@pytest.mark.parametrize(("rpy", "quat"), [("3.141592653589793 0 0", "0 1 0 0"), ("0 0 4", None), ("0 1e-17 0", "")])
def test_a_rotation_is_written_as_people_do(rpy: str, quat: str | None, tmp_path: Path) -> None:
    visual = f'<visual><origin rpy="{rpy}"/><geometry><box size="1 1 1"/></geometry></visual>'
    out = _converted(_robot("", inside=visual), tmp_path)
    (geom,) = etree.parse(out).iterfind(".//body/geom")
    if quat is not None:
        assert geom.get("quat", "") == quat
    assert float(geom.get("quat", "1").split()[0]) >= 0.0


def test_parts_of_a_mesh_are_called_by_their_number_and_equal_looks_are_one(tmp_path: Path) -> None:
    (tmp_path / "parts.obj").write_text(OBJ)
    (tmp_path / "parts.mtl").write_text("newmtl red\nKd 1 0 0\nnewmtl blue\nKd 0 0 1\n")
    (tmp_path / "more.obj").write_text(OBJ.replace("parts.mtl", "more.mtl").replace("red", "rot"))
    (tmp_path / "more.mtl").write_text("newmtl rot\nKa 1 1 0\nKd 1 0 0\nnewmtl blue\nKd 0 0 1\n")
    visual = '<visual><geometry><mesh filename="{}.obj"/></geometry></visual>'
    visuals = visual.format("parts") + visual.format("more")
    out = _converted(_robot("", inside=visuals), tmp_path)
    root = etree.parse(out)
    assert [each.get("name") for each in root.iterfind("./asset/mesh")] == ["parts_0", "parts_1", "more_0", "more_1"]
    assert [each.get("name") for each in root.iterfind("./asset/material")] == ["parts_red", "parts_blue"]
    model = mujoco_model(out)
    assert model.mat_rgba[model.geom_matid].tolist() == [[1, 0, 0, 1], [0, 0, 1, 1]] * 2


def test_places_between_links_have_no_digits_that_only_rounding_made(tmp_path: Path) -> None:
    """Without them, the links are placed as exactly as with them."""
    heights = [(0.3, 0.5), (0.39, 0.5), (0.86, 1.0), (0.1, 0.10000000000000003), (12.3, 12.4)]
    links = "".join(
        f'<link name="{name}{k}"><pose>0 {k} {z} 0 0 0</pose><inertial/></link>'
        for k, pair in enumerate(heights)
        for name, z in zip("pc", pair, strict=True)
    )
    joints = "".join(
        f'<joint name="j{k}" type="revolute"><parent>p{k}</parent><child>c{k}</child><axis/></joint>'
        for k in range(len(heights))
    )
    source, out = tmp_path / "in.sdf", tmp_path / "out.xml"
    source.write_text(f'<sdf version="1.9"><model name="m"><static>true</static>{links}{joints}</model></sdf>')
    convert(source, out)
    found = [etree.parse(out).find(f".//body[@name='c{k}']") for k in range(len(heights))]
    written = [float(each.get("pos", "").split()[2]) for each in found if each is not None]
    assert written == [0.2, 0.11, 0.14, 0.10000000000000003 - 0.1, 0.1]
    model = mujoco_model(out)
    assert [model.body(f"c{k}").pos[2] + model.body(f"p{k}").pos[2] for k in range(5)] == [b for _, b in heights]
