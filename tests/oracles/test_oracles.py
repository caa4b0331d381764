"""The oracles themselves: they accept what is right and detect each planted fault."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from lxml import etree

from tests.files import saved
from tests.oracles import mesh_files, plain_urdf, recount, sdf_elements
from tests.oracles.in_sdformat import sdformat_reads
from tests.oracles.in_urdfdom import check_urdf
from tests.oracles.server import DiedError, Server, serve
from tests.oracles.urdf_against_mjcf import compare
from tests.oracles.urdf_elements import differences
from tests.oracles.verdict import FAILED, Verdicts

URDF = """<robot name="arm">
  <link name="base"><inertial><mass value="1"/>
    <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
  <link name="upper">
    <inertial><origin xyz="0 0 .1"/><mass value="2"/>
      <inertia ixx="0.3" ixy="0.1" ixz="0" iyy="0.3" iyz="0" izz="0.25"/></inertial>
    <visual><origin rpy="0 0 0.5"/><geometry><box size="1 2 3"/></geometry>
      <material name="red"><color rgba="1 0 0 1"/></material></visual>
  </link>
  <link name="tool"/>
  <joint name="lift" type="prismatic"><origin xyz="0 0 1"/><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="2" effort="5" velocity="1"/><dynamics damping="0.5" friction="0.25"/></joint>
  <joint name="mount" type="fixed"><origin xyz="0.5 0 0"/><parent link="upper"/><child link="tool"/></joint>
</robot>
"""
MJCF = """<mujoco><compiler angle="radian"/><worldbody><body name="base">
  <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
  <body name="upper" pos="0 0 1">
    <inertial pos="0 0 .1" mass="2" fullinertia="0.3 0.3 0.25 0.1 0 0"/>
    <joint name="lift" type="slide" axis="0 1 0" range="-1 2" actuatorfrcrange="-5 5"
      damping="0.5" frictionloss="0.25"/>
    <geom type="box" size="0.5 1 1.5" euler="0 0 0.5" rgba="1 0 0 1" group="2" contype="0" conaffinity="0"/>
    <body name="tool" pos="0.5 0 0"/>
  </body>
</body></worldbody></mujoco>
"""


def faults(folder: Path, mjcf: str) -> set[str]:
    (folder / "arm.urdf").write_text(URDF)
    (folder / "arm.xml").write_text(mjcf)
    verdicts = Verdicts()
    compare(folder / "arm.urdf", folder / "arm.xml", verdicts, lambda place, exact=False: False)
    return {name for name, verdict in verdicts.criteria.items() if verdict["verdict"] == FAILED}


def test_a_right_mjcf_has_no_faults(tmp_path: Path):
    assert faults(tmp_path, MJCF) == set()


@pytest.mark.parametrize(
    ("right", "wrong", "criteria"),
    [
        ("<worldbody>", "<worldbody><nonsense/>", {"loads"}),
        ('<body name="tool"', '<body name="other"', {"links"}),
        ('pos="0 0 1"', 'pos="0 0 1.00001"', {"poses"}),
        ('pos="0.5 0 0"', 'pos="0.5 1e-8 0"', {"poses"}),
        ('axis="0 1 0"', 'axis="1 0 0"', {"poses"}),
        ('axis="0 1 0"', 'axis="0 -1 0"', {"poses"}),
        ('range="-1 2"', 'range="-1 2.00001"', {"limits"}),
        ('range="-1 2"', 'range="-1 2" limited="false"', {"limits"}),
        ('actuatorfrcrange="-5 5"', 'actuatorfrcrange="-5 6"', {"limits"}),
        ('damping="0.5"', 'damping="0.6"', {"limits"}),
        ('frictionloss="0.25"', "", {"limits"}),
        ('mass="2"', 'mass="2.0000001"', {"inertia", "mass", "matrix"}),
        ('pos="0 0 .1"', 'pos="0 0 .11"', {"inertia"}),
        ("0.25 0.1 0 0", "0.25 -0.1 0 0", {"inertia"}),
        ('euler="0 0 0.5"', 'euler="0 0 0.51"', {"visuals"}),
        ('size="0.5 1 1.5"', 'size="1 2 3"', {"visuals"}),
        ('rgba="1 0 0 1"', 'rgba="1 0 0.01 1"', {"visuals"}),
        ('group="2"', 'group="1"', {"visuals"}),
    ],
)
def test_each_fault_is_named(right: str, wrong: str, criteria: set[str], tmp_path: Path):
    assert right in MJCF
    assert faults(tmp_path, MJCF.replace(right, wrong)) == criteria


@pytest.mark.parametrize(
    ("right", "wrong", "path"),
    [
        ('mass value="2"', 'mass value="2.0000000000000004"', "/robot/link[2]/inertial[1]/mass[1]/@value"),
        ('<link name="tool"/>', "", "/robot/link[3]"),
        ('rpy="0 0 0.5"', "", "/robot/link[2]/visual[1]/origin[1]/@rpy"),
        ('<link name="tool"/>', '<link name="tool"><visual/></link>', "/robot/link[3]"),
        ('type="fixed"', 'type="fixed" more="1"', "/robot/joint[2]"),
    ],
)
def test_a_urdf_that_says_something_else_is_told_apart(right: str, wrong: str, path: str, tmp_path: Path):
    (tmp_path / "a.urdf").write_text(URDF)
    (tmp_path / "b.urdf").write_text(URDF.replace(right, wrong))
    assert [difference.path for difference in differences(tmp_path / "a.urdf", tmp_path / "b.urdf")] == [path]


def test_defaults_and_other_spellings_say_the_same(tmp_path: Path):
    (tmp_path / "a.urdf").write_text(URDF)
    spelled = URDF.replace('"0 0 .1"', '"0.0 0  1e-1" rpy="0 0 0"').replace("\n", "\n\n")
    (tmp_path / "b.urdf").write_text(spelled)
    assert list(differences(tmp_path / "a.urdf", tmp_path / "b.urdf")) == []


def test_items_are_elements_attributes_and_texts(tmp_path: Path):
    (tmp_path / "a.urdf").write_text('<a x="1" y="2">text<!-- not counted --><b> </b>tail<c z=""/></a>')
    assert recount.items(tmp_path / "a.urdf") == 3 + 3 + 2


def test_places_resolve_by_position_only():
    root = etree.fromstring('<robot><link/><link name="x"><visual/></link><p:q xmlns:p="u" p:r="1">t</p:q></robot>')
    good = ("/robot", "/robot/link[2]/@name", "/robot/link[2]/visual[1]", "/robot/p:q[1]/@p:r", "/robot/p:q[1]/text()")
    assert [recount.resolve(root, path) for path in good] == [None] * len(good)
    for bad in ("robot", "/robot/link[3]", "/robot/link[1]/@name", "/robot/q[1]", "/robot/link[1]/text()", "/other"):
        assert recount.resolve(root, bad) is not None


def test_check_urdf_complains_although_it_ends_well(tmp_path: Path):
    good, bad = tmp_path / "good.urdf", tmp_path / "bad.urdf"
    good.write_text(URDF)
    bad.write_text(URDF.replace('<box size="1 2 3"/>', ""))
    assert check_urdf(good) is None
    assert "Geometry tag contains no child element" in (check_urdf(bad) or "")


def test_meshes_are_counted_in_every_format(tmp_path: Path):
    from tests.corpus.mutation import _dae, _obj, _stl

    for suffix, writer in (("stl", _stl), ("obj", _obj), ("dae", _dae)):
        path = saved(tmp_path / f"tetrahedron.{suffix}", writer(2.0))
        read = mesh_files.read(path)
        assert (read.problem, read.triangles) == (None, 4)
        assert read.points is not None
        assert read.points.max(0).tolist() == [2, 2, 2]


def test_a_mesh_is_found_where_its_package_says(tmp_path: Path):
    (tmp_path / "pack" / "meshes").mkdir(parents=True)
    (tmp_path / "pack" / "urdf").mkdir()
    mesh = saved(tmp_path / "pack" / "meshes" / "a.stl", b"")
    robot = tmp_path / "pack" / "urdf" / "a.urdf"
    for uri in ("package://pack/meshes/a.stl", "../meshes/a.stl", "package://other/meshes/a.stl"):
        assert (plain_urdf.find(uri, robot) or robot).resolve() == mesh
    assert plain_urdf.find("package://pack/meshes/b.stl", robot) is None


def test_the_death_of_a_child_is_one_answer_and_the_next_works():
    with Server("tests.oracles.test_oracles") as server:
        assert server.ask("echo", value=1) == 1
        with pytest.raises(DiedError, match="SIGABRT"):
            server.ask("die")
        assert server.ask("echo", value=2) == 2
        with pytest.raises(RuntimeError, match="ValueError: wrong"):
            server.ask("complain")
        with pytest.raises(DiedError, match="no answer"):
            server.ask("hang", timeout=0.2)
        assert server.ask("echo", value=3) == 3


def _complain() -> None:
    raise ValueError("wrong")


def _hang() -> None:
    import time

    time.sleep(60)


if __name__ == "__main__":
    serve({"echo": lambda value: value, "die": os.abort, "complain": _complain, "hang": _hang})


SDF = """<sdf version="1.9"><model name="m"><link name="a"><pose>1 2 3 0 0 0</pose><q:x xmlns:q="urn:q" y="1.0"/></link>
<joint name="j" type="revolute"><parent>world</parent><child>a</child><axis><xyz>0 0 2</xyz></axis></joint>
</model></sdf>
"""


def test_libsdformat_tells_poses_axes_and_faults(tmp_path: Path):
    found = sdformat_reads(saved(tmp_path / "m.sdf", SDF))
    assert found["errors"] == []
    assert found["links"]["a"]["pose"] == [1, 2, 3, 1, 0, 0, 0]
    assert found["joints"]["j"]["type"] == "revolute"
    assert found["joints"]["j"]["axes"][0]["xyz"] == [0, 0, 1]
    (tmp_path / "m.sdf").write_text(SDF.replace("<parent>world", "<parent>QQQ"))
    assert 20 in {error["code"] for error in sdformat_reads(tmp_path / "m.sdf")["errors"]}


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("1 2 3", "1 2 3.0000001"),
        ('y="1.0"', 'y="2"'),
        ('y="1.0"', ""),
        ("<parent>world</parent><child>a</child>", "<child>a</child><parent>world</parent>"),
        ("<axis><xyz>0 0 2</xyz></axis>", ""),
        ("</joint>", "<axis2/></joint>"),
        ('type="revolute"', 'type="revolute" z="1"'),
    ],
)
def test_each_change_of_an_sdf_is_found(right: str, wrong: str, tmp_path: Path):
    assert right in SDF
    (tmp_path / "a.sdf").write_text(SDF.replace("1 2 3", "1.0 2e0 3"))
    (tmp_path / "b.sdf").write_text(SDF)
    assert list(sdf_elements.differences(tmp_path / "a.sdf", tmp_path / "b.sdf")) == []
    (tmp_path / "b.sdf").write_text(SDF.replace(right, wrong))
    assert len(list(sdf_elements.differences(tmp_path / "a.sdf", tmp_path / "b.sdf"))) == 1
