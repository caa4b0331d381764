"""Further requirements of an SDFormat reader and writer: reversed joints, more loops, frames, screws, files."""

from __future__ import annotations

import math
import shutil
import struct
import zlib
from pathlib import Path

import mujoco
import numpy as np
import pytest

from converters.assets.meshes.files import load
from converters.context import Options
from converters.convert import convert
from tests.formats.sdf_text import (
    axis,
    codes,
    converted,
    faults,
    in_mjcf,
    in_urdf,
    joint,
    limit,
    link,
    matrix,
    put,
    rules,
    same_motion,
    sdf,
    seen,
    xml,
)
from tests.oracles.in_mujoco import VISUAL, geoms, mujoco_model
from tests.oracles.in_urdfdom import check_urdf
from tests.reports import explained, of_rule


def words(path: Path, where: str) -> list[str]:
    """Return what an XPath finds, as text."""
    found = xml(path).xpath(where)
    assert isinstance(found, list)
    return [str(item) for item in found]


STAND = joint("stand", "world", "base", "", "fixed")
INWARDS = {
    "base": link("base", "0 0 0.5 0 0 0")
    + link("arm", "0.3 0 1.5 0 0 0")
    + STAND
    + joint("k", "arm", "base", "<pose>0.1 0 0.4 0 0 0</pose>" + axis("0 1 0", limit(-1, 2))),
    "middle": link("base", "0 0 0.5 0.1 0.2 0.3")
    + link("mid", "1 0 0 0 0 0.4")
    + link("arm", "2 0.3 0 0.5 0 0")
    + STAND
    + joint("j", "base", "mid")
    + joint("k", "arm", "mid", "<pose>0.1 0 0 0 0.3 0</pose>" + axis("0 1 0", limit(-1, 2))),
}


@pytest.mark.parametrize(("case", "child"), [("base", "base"), ("middle", "mid")])
def test_11_a_joint_that_leads_to_the_base_is_turned_round(case: str, child: str, tmp_path: Path) -> None:
    source = put(tmp_path, sdf(INWARDS[case]))
    said = seen(source)
    hinge = said["joints"]["k"]
    at, arm = matrix(hinge["pose"]), matrix(said["links"]["arm"]["pose"])
    q = {"k": 0.7}
    back_turn = np.zeros(4)
    mujoco.mju_axisAngle2Quat(back_turn, np.array([0.0, 1.0, 0.0]), -q["k"])
    expected = at @ matrix([0, 0, 0, *back_turn]) @ np.linalg.inv(at) @ arm
    for target, poses in (("out.urdf", in_urdf), ("out.xml", in_mjcf)):
        report, path = converted(tmp_path, source, target)
        assert poses(path, {})["arm"] == pytest.approx(arm, abs=1e-12)
        assert poses(path, q)["arm"] == pytest.approx(expected, abs=1e-12)
        assert "loops/turned" in rules(report)
        _, back = converted(tmp_path, path, f"back_{target}.sdf")
        again = seen(back)["joints"]["k"]
        assert (again["parent"], again["child"], again["type"]) == ("arm", child, "revolute")
        assert again["pose"] == pytest.approx(hinge["pose"], abs=1e-12)
        (found,) = again["axes"]
        assert (found["lower"], found["upper"]) == (-1, 2)
        assert found["xyz"] == pytest.approx([0, 1, 0], abs=1e-12)
    _, mjcf = converted(tmp_path, source, "out.xml")
    turned = mujoco_model(mjcf).joint("k")
    assert turned.range == pytest.approx([-1, 2])
    assert case != "base" or turned.axis == pytest.approx([0, -1, 0], abs=1e-12)


def test_07_a_frame_is_a_link_of_urdf(tmp_path: Path) -> None:
    frames = '<frame name="f" attached_to="b"><pose>1 0 0 0 0 0.2</pose></frame>\n'
    frames += '<frame name="g" attached_to="b"><pose relative_to="a">1 0 0 0 0 0</pose></frame>\n'
    source = put(tmp_path, sdf(link("a") + link("b", "1 2 3 0 0 1.5") + frames + joint("j", "a", "b")))
    expected = seen(source)["frames"]
    _, urdf = converted(tmp_path, source, "out.urdf")
    still, turned = in_urdf(urdf, {}), in_urdf(urdf, {"j": 0.7})
    for name in ("f", "g"):
        assert still[name] == pytest.approx(matrix(expected[name]["pose"]), abs=1e-12)
        assert turned[name] == pytest.approx(turned["b"] @ np.linalg.inv(still["b"]) @ still[name], abs=1e-12)


def test_09_poses_that_hang_on_each_other_are_told_once(tmp_path: Path) -> None:
    frames = "".join(
        f'<frame name="{name}"><pose relative_to="{other}">0 0 1 0 0 0</pose></frame>\n'
        for name, other in (("p", "q"), ("q", "p"))
    )
    source = put(tmp_path, sdf(link("a") + link("b", "0 0 1 0 0 0") + frames + joint("j", "a", "b")))
    assert codes(source)
    report, mjcf = converted(tmp_path, source, "out.xml")
    assert faults(report) == ["sdf/pose-relative-to-cycle"]
    assert in_mjcf(mjcf, {})["b"][:3, 3] == pytest.approx([0, 0, 1])


def test_23_a_triangle_is_cut_in_one_place(tmp_path: Path) -> None:
    corners = STAND + link("base") + link("left", "0 0 1 0 0 0") + link("right", "1 0 0.5 0 0 0")
    sides = joint("j1", "base", "left", axis("0 1 0")) + joint("j2", "left", "right", axis("0 1 0"))
    sides += joint("j3", "base", "right", '<pose relative_to="base">0.8 0 0 0 0 0</pose>' + axis("0 1 0"))
    source = put(tmp_path, sdf(corners + sides))
    report, urdf = converted(tmp_path, source, "out.urdf")
    assert check_urdf(urdf) is None
    moving = set(words(urdf, "joint[@type='continuous']/@name"))
    (cut,) = {"j1", "j2", "j3"} - moving
    assert [finding for finding in report.findings if cut in finding.where]
    _, mjcf = converted(tmp_path, source, "out.xml")
    model = mujoco_model(mjcf)
    assert model.neq >= 1
    data = mujoco.MjData(model)
    for _ in range(300):
        mujoco.mj_step(model, data)
    for name, at in (("left", [0, 0, 1]), ("right", [1, 0, 0.5])):  # three bars are a rigid frame
        assert data.body(name).xpos == pytest.approx(at, abs=1e-2)
    _, again = converted(tmp_path, source, "again.sdf")
    assert seen(again)["joints"] == seen(source)["joints"]


def test_25_a_screw_advances_as_it_turns(tmp_path: Path) -> None:
    inner = axis("0 0 1") + "<screw_thread_pitch>0.5</screw_thread_pitch>"
    body = STAND + link("base") + link("b", "0 0 1 0 0 0") + joint("j", "base", "b", inner, "screw")
    _, mjcf = converted(tmp_path, sdf(body, "1.10"), "out.xml")
    model = mujoco_model(mjcf)
    kinds = {int(kind) for kind in model.jnt_type}
    assert kinds == {int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE)}
    assert model.neq == 1
    first, second = int(model.eq_obj1id[0]), int(model.eq_obj2id[0])
    slope = 0.5 / (2 * math.pi)
    leads = model.jnt_type[second] == mujoco.mjtJoint.mjJNT_HINGE
    assert model.eq_data[0][1] == pytest.approx(slope if leads else 1 / slope)
    data = mujoco.MjData(model)
    data.qpos[model.jnt_qposadr[first if not leads else second]] = 1.0
    data.qpos[model.jnt_qposadr[second if not leads else first]] = slope
    mujoco.mj_kinematics(model, data)
    assert data.body("b").xpos == pytest.approx([0, 0, 1 + slope], abs=1e-12)
    assert data.body("b").xmat.reshape(3, 3)[1, 0] == pytest.approx(math.sin(1.0))


def test_29_the_frame_of_a_merged_model(tmp_path: Path) -> None:
    put(tmp_path, sdf(link("a", "0 1 0 0 0 0"), "1.9").replace('name="m"', 'name="arm"'), "arm.sdf")
    include = '<include merge="true"><uri>arm.sdf</uri><pose>0 0 7 0 0 0.5</pose></include>\n'
    proxy = "_merged__arm__model__"
    more = link("tool", "1 0 0 0 0 0", relative_to=proxy) + joint("k", "a", "tool", axis("1 0 0"))
    source = put(tmp_path, sdf(link("base") + include + more))
    expected = seen(source, tmp_path)["links"]
    assert expected["tool"]["pose"][2] == 7
    for target, poses in (("out.urdf", in_urdf), ("out.xml", in_mjcf)):
        _, path = converted(tmp_path, source, target)
        found = poses(path, {})
        inside = np.linalg.inv(matrix(expected["a"]["pose"])) @ matrix(expected["tool"]["pose"])
        assert np.linalg.inv(found["a"]) @ found["tool"] == pytest.approx(inside, abs=1e-12)


def test_29_models_in_a_merged_model_stand_on_its_frame(tmp_path: Path) -> None:
    tip = '<model name="tip"><pose>0 0 1 0 0 0</pose>' + link("t") + "</model>"
    put(tmp_path, sdf(link("part", "0 0 3 0 0 0"), "1.9").replace('name="m"', 'name="whole"'), "part.sdf")
    deep = '<include><uri>part.sdf</uri></include><include merge="true"><name>n</name><uri>part.sdf</uri></include>'
    put(tmp_path, sdf(link("a") + tip + deep, "1.9").replace('name="m"', 'name="arm"'), "arm.sdf")
    include = '<include merge="true"><uri>arm.sdf</uri><pose>0 0 7 0.5 0 0</pose></include>'
    source = put(tmp_path, sdf(link("base") + include))
    expected = {name: link["pose"] for name, link in seen(source, tmp_path)["links"].items()}
    turned = [math.cos(0.25), math.sin(0.25), 0, 0]
    three = [0, -3 * math.sin(0.5), 7 + 3 * math.cos(0.5), *turned]
    assert expected["whole::part"] == expected["part"] == pytest.approx(three)
    _, path = converted(tmp_path, source, "out.xml")
    found = in_mjcf(path, {})
    assert expected.keys() == {"base", "a", "tip::t", "whole::part", "part"}
    for name, pose in expected.items():
        assert found[name] == pytest.approx(matrix(pose), abs=1e-12)


def collada() -> str:
    """Return two tetrahedra, each in a node of its own name."""
    corners = {
        "one": ((1, 0, 0), (3, 0, 0), (1, 1, 0), (1, 0, 5)),
        "two": ((9, 9, 9), (10, 9, 9), (9, 10, 9), (9, 9, 10)),
    }
    shapes, nodes = [], []
    for name, points in corners.items():
        text = " ".join(str(value) for point in points for value in point)
        shapes.append(
            f'<geometry id="{name}" name="{name}"><mesh><source id="{name}-p">'
            f'<float_array id="{name}-a" count="12">{text}</float_array><technique_common>'
            f'<accessor source="#{name}-a" count="4" stride="3"><param name="X" type="float"/>'
            '<param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>'
            f'<vertices id="{name}-v"><input semantic="POSITION" source="#{name}-p"/></vertices>'
            f'<triangles count="4"><input semantic="VERTEX" source="#{name}-v" offset="0"/>'
            "<p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles></mesh></geometry>"
        )
        nodes.append(f'<node id="{name}-n" name="{name}"><instance_geometry url="#{name}"/></node>')
    return (
        '<?xml version="1.0"?>\n<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">'
        '<asset><unit name="meter" meter="1"/><up_axis>Z_UP</up_axis></asset>'
        f"<library_geometries>{''.join(shapes)}</library_geometries>"
        f'<library_visual_scenes><visual_scene id="s">{"".join(nodes)}</visual_scene></library_visual_scenes>'
        '<scene><instance_visual_scene url="#s"/></scene></COLLADA>\n'
    )


def mesh(name: str, uri: str, inner: str = "") -> str:
    return f'<visual name="{name}"><geometry><mesh><uri>{uri}</uri>{inner}</mesh></geometry></visual>\n'


def grey(path: Path, rows: list[list[int]]) -> None:
    """Write an 8-bit grey PNG."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 0, 0, 0, 0)
    body = zlib.compress(b"".join(b"\0" + bytes(row) for row in rows))
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b""))


@pytest.mark.parametrize("case", sorted(INWARDS))
def test_11_drake_moves_it_alike(case: str, tmp_path: Path) -> None:
    source = put(tmp_path, sdf(INWARDS[case]))
    same_motion(tmp_path, source, ["k"] if case == "base" else ["j", "k"])


def test_36_an_absolute_path_and_two_parts_in_one_file(tmp_path: Path, made: Path) -> None:
    shutil.copy(made / "meshes" / "tetrahedron.stl", tmp_path / "a.stl")
    put(tmp_path, collada(), "two.dae")
    source = put(tmp_path, sdf(link("a", inner=mesh("v0", f"file://{tmp_path}/a.stl") + mesh("v1", "two.dae"))))
    _, mjcf = converted(tmp_path, source, "out/out.xml")
    model = mujoco_model(mjcf)
    found = [geom.points for geom in geoms(model, model.body("a").id, VISUAL)]
    assert len(found[0]) == 4
    whole = np.vstack(found[1:])
    assert whole.min(axis=0) == pytest.approx([1, 0, 0], abs=1e-6)
    assert whole.max(axis=0) == pytest.approx([10, 10, 10], abs=1e-6)
    _, urdf = converted(tmp_path, source, "out/out.urdf")
    for name in words(urdf, "//mesh/@filename"):
        assert (tmp_path / "out" / name).is_file() or Path(name.removeprefix("file://")).is_file()


def test_36_a_part_of_a_mesh_comes_back(tmp_path: Path) -> None:
    put(tmp_path, collada(), "two.dae")
    part = "<submesh><name>one</name><center>true</center></submesh>"
    source = put(tmp_path, sdf(link("a", inner=mesh("v", "two.dae", part))))
    _, again = converted(tmp_path, source, "again.sdf")
    assert words(again, "//submesh/name/text()") == ["one"]
    assert words(again, "//submesh/center/text()") == ["true"]
    assert seen(again)["links"]["a"]["visuals"] == 1


def test_an_inertia_computed_from_a_mesh_is_still_computed_elsewhere(tmp_path: Path) -> None:
    put(tmp_path, collada(), "two.dae")
    inner = '<inertial auto="true"/>' + mesh("v", "two.dae").replace("visual", "collision")
    source = put(tmp_path, sdf(link("a", inner=inner), "1.11"))
    for again in (converted(tmp_path, source, "again.sdf")[1], converted(tmp_path, source, "there/again.sdf")[1]):
        assert words(again, "//inertial/@auto") == ["true"]
        assert words(again, "//inertial/*") == []
    _, urdf = converted(tmp_path, source, "out.urdf")
    assert float(words(urdf, "//mass/@value")[0]) == pytest.approx(1000 * (10 + 1) / 6)


def test_what_the_engine_works_out_from_other_triangles_is_told(tmp_path: Path) -> None:
    corners = "v 100.1 0 0\nv 200.2 0.3 0\nv 300.3 0 0.3\nv -600.6 -0.3 -0.3\n"
    put(tmp_path, corners + "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n", "tetra.obj")
    inner = '<inertial auto="true"/>' + mesh("c", "tetra.obj").replace("visual", "collision")
    converted(tmp_path, put(tmp_path, sdf(link("a", inner=inner), "1.11")), "there/single.glb")
    (tmp_path / "tetra.obj").unlink()
    report, again = converted(tmp_path, tmp_path / "there" / "single.glb", "there/again.sdf")
    assert words(again, "//inertial/@auto") == ["true"]
    told = {finding.where for finding in of_rule(report, "sdf/auto-inertia")}
    assert told and told <= {f"body/a.inertial.{part}" for part in ("mass", "tensor", "pose")}
    assert not of_rule(report, "sdf/world-inertia")


@pytest.mark.parametrize("target", ["urdf", "xml", "glb"])
def test_a_part_that_the_mesh_file_does_not_have_is_told(target: str, tmp_path: Path) -> None:
    put(tmp_path, collada(), "two.dae")
    both = "".join(mesh(name, "two.dae", f"<submesh><name>{name}</name></submesh>") for name in ("one", "none"))
    source = put(tmp_path, sdf(link("a", inner=both)))
    report, out = converted(tmp_path, source, f"out/out.{target}")
    found = of_rule(report, "sdf/no-such-submesh")
    assert [(finding.before, finding.count) for finding in found] == [("none", 1)]
    if target == "xml":
        model = mujoco_model(out)
        assert len(geoms(model, model.body("a").id, VISUAL)) == 1 + 2  # the whole has two parts
    _, back = converted(tmp_path, out, "again.sdf")
    assert words(back, "//submesh/name/text()") == ["one", "none"]


@pytest.mark.parametrize("centre", [False, True])
def test_36_a_part_of_a_mesh_is_a_mesh_of_its_own_elsewhere(centre: bool, tmp_path: Path) -> None:
    put(tmp_path, collada(), "two.dae")
    part = f"<submesh><name>one</name><center>{str(centre).lower()}</center></submesh><scale>2 1 1</scale>"
    source = put(tmp_path, sdf(link("a", inner=mesh("v", "two.dae", part))))
    low, high = np.array([1.0, 0, 0]), np.array([3.0, 1, 5])
    expected = (low - (low + high) / 2, (high - low) / 2) if centre else (low, high)
    _, mjcf = converted(tmp_path, source, "out/out.xml")
    model = mujoco_model(mjcf)
    (found,) = [geom.points for geom in geoms(model, model.body("a").id, VISUAL)]
    _, urdf = converted(tmp_path, source, "out/out.urdf")
    (name,) = words(urdf, "//mesh/@filename")
    vertices = np.vstack([piece.vertices for piece in load(tmp_path / "out" / name).parts]) * (2, 1, 1)
    for points in (found, vertices):
        assert points.min(axis=0) == pytest.approx(expected[0] * (2, 1, 1), abs=1e-6)
        assert points.max(axis=0) == pytest.approx(expected[1] * (2, 1, 1), abs=1e-6)
    for other in (mjcf, urdf):
        _, back = converted(tmp_path, other, "again.sdf")
        assert words(back, "//submesh/name/text()") == ["one"]
        assert words(back, "//mesh/scale/text()") == ["2 1 1"]


@pytest.mark.parametrize(
    ("body", "held"),
    [
        (link("a") + link("b") + joint("j", "a", "b"), []),
        (link("a", "0 0 1 0 0 0"), ["a_free"]),
        (link("a") + link("b"), ["a_free", "b_free"]),
        ("<static>true</static>" + link("a"), ["a_weld"]),
    ],
)
def test_a_free_root_at_the_origin_is_the_root_of_the_urdf(body: str, held: list[str], tmp_path: Path) -> None:
    source = put(tmp_path, sdf(body))
    report, urdf = converted(tmp_path, source, "out.urdf")
    assert words(urdf, "//joint[parent/@link='world']/@name") == held
    assert ("world" in words(urdf, "//link/@name")) == bool(held)
    assert ("joints/free-root" in rules(report)) == (not held)
    _, again = converted(tmp_path, urdf, "again.sdf")
    assert words(again, "//joint/@name") == words(source, "//joint/@name")
    assert words(again, "//link/@name") == words(source, "//link/@name")


def test_a_model_that_a_block_places_is_missed_nowhere_though_another_block_speaks_of_it(tmp_path: Path) -> None:
    source = put(tmp_path, sdf("<self_collide>true</self_collide>" + link("a", "0 0 1 1.5 -0.7 0.2")))
    convert(source, tmp_path / "r.urdf")
    report = explained(convert(tmp_path / "r.urdf", tmp_path / "open.urdf", options=Options(base="open", carry=False)))
    assert {"base/place", "contacts/gazebo-block"} <= rules(report)
    _, again = converted(tmp_path, tmp_path / "open.urdf", "again.sdf")
    (pose,) = words(again, "//model/pose/text()")
    assert [float(each) for each in pose.split()] == pytest.approx([0, 0, 1, 1.5, -0.7, 0.2])
    assert words(again, "//self_collide/text()") == ["true"]


def test_37_a_heightmap_is_a_height_field_or_a_mesh(tmp_path: Path) -> None:
    rows = [[40, 80, 120, 160, 200]] * 4 + [[250] * 5]
    grey(tmp_path / "hills.png", rows)
    shape = "<geometry><heightmap><uri>hills.png</uri><size>8 4 2</size><pos>0 0 0</pos></heightmap></geometry>"
    inner = f'<visual name="v">{shape}</visual><collision name="c">{shape}</collision>'
    source = put(tmp_path, sdf("<static>true</static>" + link("a", inner=inner)))
    _, mjcf = converted(tmp_path, source, "out/out.xml")
    model = mujoco_model(mjcf)
    assert model.hfield_size[0, :3] == pytest.approx([4, 2, 2 * 210 / 250])
    assert model.geom_pos[:, 2] == pytest.approx([2 * 40 / 250] * 2)
    heights = model.hfield_data.reshape(5, 5) * model.hfield_size[0, 2] + model.geom_pos[0, 2]
    assert heights == pytest.approx(np.array(rows[::-1]) * 2 / 250, abs=1e-6)  # the far side is the top of the image
    _, urdf = converted(tmp_path, source, "out/out.urdf")
    names = set(words(urdf, "//mesh/@filename"))
    assert len(names) == 1
    vertices = np.vstack([piece.vertices for piece in load(tmp_path / "out" / names.pop()).parts])
    assert vertices.min(axis=0) == pytest.approx([-4, -2, 0], abs=1e-6)
    assert vertices.max(axis=0) == pytest.approx([4, 2, 2 * 210 / 250], abs=1e-6)
    assert words(urdf, "//visual/origin/@xyz") == ["0 0 0.32"]
    for path in (source, mjcf, urdf):
        _, again = converted(tmp_path, path, "again.sdf")
        assert words(again, "//heightmap/size/text()") == ["8 4 2"] * 2
        assert words(again, "//visual/pose/text()") == []
