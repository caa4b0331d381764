"""The counts of inspect, and where it stops. Judged by lxml."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from lxml import etree

from converters.context import InputError
from converters.convert import convert
from converters.inspection import document, show, totals
from tests.files import saved
from tests.oracles.in_mujoco import mujoco_model

INERTIA = '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'


def test_extras_are_counted_wherever_they_stand(tmp_path: Path):
    inertial = f'<inertial foo="1"><bar/><mass value="1"/>{INERTIA}</inertial>'
    visual = '<visual><foo/><geometry><box size="1 1 1"><foo/></box></geometry></visual>'
    joint = (
        '<joint name="j" type="revolute"><foo/><parent link="a"/><child link="b"/><axis xyz="0 0 1" bar="1"/>'
        '<limit lower="-1" upper="1" effort="1" velocity="1" bar="2"/></joint>'
    )
    source = tmp_path / "r.urdf"
    source.write_text(f'<robot name="r"><foo/><link name="a">{inertial}{visual}</link><link name="b"/>{joint}</robot>')
    found = document(source)
    tree = etree.parse(source)

    def foreign(place: str) -> int:
        return int(
            tree.xpath(f"count({place}//foo) + count({place}//bar) + count({place}//@foo) + count({place}//@bar)")
        )

    assert [body["extras"] for body in found["bodies"]] == [foreign("//link[1]"), foreign("//link[2]")] == [4, 0]
    assert found["joints"][0]["extras"] == foreign("//joint") == 3
    assert found["counts"]["extras"] == foreign("/robot") == 8


def test_masses_that_are_no_number_together_are_told(tmp_path: Path):
    links = "".join(
        f'<link name="{name}"><inertial><mass value="1e308"/>{INERTIA}</inertial></link>' for name in ("a", "b")
    )
    joint = '<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>'
    source = saved(tmp_path / "r.urdf", f'<robot name="r">{links}{joint}</robot>')
    with pytest.raises(InputError, match="weigh more together than a number can be"):
        document(source)


def test_bodies_that_weigh_what_their_shapes_do_weigh_what_mujoco_makes_of_them(tmp_path: Path):
    source = tmp_path / "m.xml"
    (tmp_path / "corners.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 2\n")
    wedge = '<mesh name="wedge" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/><mesh name="corners" file="corners.obj"/>'
    wedge = f"<asset>{wedge}</asset>"
    inner = (
        '<body name="b"><geom type="mesh" mesh="wedge" density="70"/><geom type="box" size=".1 .2 .3" mass="2"/></body>'
    )
    said = f'<inertial pos="0 0 0" mass="3" diaginertia="1 1 1"/><geom size="1"/>{inner}'
    free = f'<body name="a"><freejoint/>{said}</body><body name="c"><geom size=".1"/></body>'
    free += '<body name="d"><geom type="mesh" mesh="corners"/></body>'
    free += '<body name="e"><geom type="box" mesh="corners"/></body>'
    world = f'<geom type="plane" size="1 1 1"/>{free}'
    source.write_text(f'<mujoco><compiler settotalmass="9"/>{wedge}<worldbody>{world}</worldbody></mujoco>')
    model = mujoco_model(source)
    found = {body["name"]: body for body in document(source)["bodies"]}
    for name in "abcde":
        assert found[name]["mass_from_shapes"] == (name != "a")
        assert found[name]["mass"] == pytest.approx(model.body(name).mass[0], rel=1e-9)
        assert found[name]["centre"] == pytest.approx(model.body(name).ipos, abs=1e-9)
    assert not found["world"]["mass_from_shapes"] and found["world"]["mass"] is None


def test_what_a_body_weighs_is_not_known_where_one_of_its_meshes_is_missing(tmp_path: Path):
    geoms = '<geom type="mesh" mesh="lost"/><geom type="box" size=".1 .2 .3" mass="2"/>'
    asset = '<asset><mesh name="lost" file="lost.stl"/></asset>'
    (tmp_path / "m.xml").write_text(f'<mujoco>{asset}<worldbody><body name="b">{geoms}</body></worldbody></mujoco>')
    (body,) = [each for each in document(tmp_path / "m.xml")["bodies"] if each["name"] == "b"]
    assert (body["mass"], body["mass_from_shapes"]) == (None, True)


def test_a_follower_is_told_as_it_moves_also_where_its_leader_counts_from_elsewhere(tmp_path: Path):
    """SDFormat: q = multiplier * (leader - reference) + offset."""
    link = '<link name="{0}"/>'
    ends = "<parent>{1}</parent><child>{2}</child>"
    joint = f'<joint name="{{0}}" type="revolute">{ends}<axis><xyz>0 0 1</xyz>{{3}}</axis></joint>'
    mimic = '<mimic joint="lead"><multiplier>2</multiplier><offset>0.5</offset><reference>0.25</reference></mimic>'
    joints = joint.format("lead", "a", "b", "") + joint.format("follow", "b", "c", mimic)
    links = "".join(map(link.format, "abc"))
    (tmp_path / "m.sdf").write_text(f'<sdf version="1.11"><model name="m">{links}{joints}</model></sdf>')
    follower = document(tmp_path / "m.sdf")["joints"][1]["dofs"][0]
    assert follower["mimic"] == {"dof": "lead", "multiplier": 2.0, "offset": 0.0}


def test_a_mesh_is_not_missing_where_the_parts_that_were_made_of_it_are_there(tmp_path: Path):
    face = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf -4 -2 -3\nf -4 -3 -1\nf -4 -1 -2\nf -3 -2 -1\n"
    (tmp_path / "m.obj").write_text(f"o a\n{face}o b\n{face}")
    mesh = '<visual><geometry><mesh filename="m.obj"/></geometry></visual>'
    (tmp_path / "r.urdf").write_text(f'<robot name="r"><link name="a">{mesh}</link></robot>')
    convert(tmp_path / "r.urdf", tmp_path / "out" / "r.xml")
    (tmp_path / "m.obj").unlink()
    found = document(tmp_path / "out" / "r.xml")
    (asset,) = found["assets"]
    assert (asset["uri"], asset["resolved"], len(asset["parts"])) == ("m.obj", False, 2)
    assert found["counts"]["missing_assets"] == 0
    assert totals(found)[0] == "shown by the parts made of them: 1 mesh not found from here (--package)"
    (tmp_path / "out" / "r_assets" / "m_0.obj").unlink()
    found = document(tmp_path / "out" / "r.xml")
    assert found["counts"]["missing_assets"] > 0 and totals(found)[0].startswith("missing mesh: ")


def test_a_file_that_several_things_name_is_missing_once(tmp_path: Path):
    meshes = "".join(f'<mesh name="{name}" file="box.obj"/>' for name in "abc")
    (tmp_path / "r.xml").write_text(f'<mujoco><asset>{meshes}<mesh file="ball.obj"/></asset></mujoco>')
    found = document(tmp_path / "r.xml")
    assert found["counts"]["missing_assets"] == 4
    assert totals(found)[:2] == ["missing mesh: box.obj (3 times)", "missing mesh: ball.obj"]


def test_a_model_without_a_name_is_shown_by_that_of_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "r.xml").write_text("<mujoco><worldbody/></mujoco>")
    shown = Terminal()
    monkeypatch.setattr("sys.stdout", shown)
    show(document(tmp_path / "r.xml"))
    assert "r.xml (mjcf)" in shown.getvalue()


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def test_the_limits_of_a_joint_are_there_in_a_narrow_terminal(made: Path, monkeypatch: pytest.MonkeyPatch):
    """A line that is wider than the terminal is wrapped, and not cut."""
    shown = Terminal()
    monkeypatch.setattr("sys.stdout", shown)
    monkeypatch.setenv("COLUMNS", "30")
    show(document(made / "feature_joint_dynamics.urdf"))
    assert "[-2, 2] rad" in shown.getvalue()
