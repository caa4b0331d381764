"""A glTF that programs render, simulate or play differently is detected, although the embedded graph is right."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from PIL import Image

from converters import convert
from converters.context import InputError, Options, Output
from converters.gltf.writing import animation, encoding, geometry
from converters.posing import Clip
from tests.converters.lying import Change, lying_about, lying_with, rules
from tests.converters.test_report_lies import PLY
from tests.files import saved
from tests.reports import explained

LOOKS = """<robot name="m"><link name="a">
  <visual name="two"><geometry><mesh filename="two.obj"/></geometry></visual>
  <visual name="dyed"><origin xyz="2 0 0"/><geometry><mesh filename="dyed.ply"/></geometry></visual>
  <visual name="wooden"><origin xyz="0 2 0"/><geometry><box size="1 2 3"/></geometry>
    <material name="wood"><color rgba="0.9 0.8 0.7 0.5"/><texture filename="one.png"/></material></visual>
</link></robot>
"""
TWO = """mtllib two.mtl
v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1
vt 0 0\nvt 0.3 0.1\nvt 0.2 0.6\nvt 0.9 0.8
vn -1 0 0\nvn 0 -1 0\nvn 0 0 -1\nvn 0.6 0.8 0
usemtl one\nf 1/1/3 3/3/3 2/2/3\nf 1/1/2 2/2/2 4/4/2
usemtl other\nf 1/1/1 4/4/1 3/3/1\nf 2/2/4 3/3/4 4/4/4
"""
LIBRARY = "newmtl one\nKd 0.8 0.6 0.4\nmap_Kd one.png\nnewmtl other\nKd 0.2 0.3 0.4\nmap_Kd other.png\n"
BYTES = "".join(f"property uchar {name}\n" for name in ("red", "green", "blue"))
DYED = PLY.replace("property float z\n", f"property float z\n{BYTES}")
for corner, colour in (("0 0 0", "250 120 20"), ("1 0 0", "10 120 220"), ("0 1 0", "90 20 120"), ("0 0 1", "0 220 80")):
    DYED = DYED.replace(f"\n{corner}\n", f"\n{corner} {colour}\n")


@pytest.fixture
def robot(tmp_path: Path) -> Path:
    (tmp_path / "two.obj").write_text(TWO)
    (tmp_path / "two.mtl").write_text(LIBRARY)
    (tmp_path / "dyed.ply").write_text(DYED)
    noise = np.random.default_rng(7)
    for name in ("one", "other"):
        Image.fromarray(noise.integers(0, 255, (8, 8, 3), dtype=np.uint8)).save(tmp_path / f"{name}.png")
    return saved(tmp_path / "r.urdf", LOOKS)


def addresses(report: Any) -> set[str]:
    return {rule.removeprefix("shown.") for rule in rules(report)}


def swapped(table: str, key: str) -> Change:
    """Return a change that exchanges a member between the first two entries of a table that have it."""

    def change(document: dict[str, Any]) -> None:
        one, other = [each for each in document[table] if key in each][:2]
        one[key], other[key] = other[key], one[key]

    return change


def said(value: Any, *keys: Any) -> Change:
    """Return a change that sets a member; None removes it."""

    def change(document: Any) -> None:
        for key in keys[:-1]:
            document = document[key]
        if value is None:
            del document[keys[-1]]
        else:
            assert document.get(keys[-1]) != value
            document[keys[-1]] = value

    return change


unit, downwards, tints = geometry._unit, geometry._uvs_from_above, geometry._vertex_colours


@pytest.mark.parametrize("compress", ["none", "quantize", "draco"])
@pytest.mark.parametrize(
    ("name", "wrong", "address"),
    [
        ("_uvs_from_above", lambda uvs: uvs[:, :2].astype(np.float32), "body.geoms.uvs"),
        ("_uvs_from_above", lambda uvs: downwards(uvs) + np.float32(0.05), "body.geoms.uvs"),
        ("_uvs_from_above", lambda uvs: downwards(uvs)[:, ::-1].copy(), "body.geoms.uvs"),
        ("_unit", lambda normals: -unit(normals), "body.geoms.normals"),
        ("_unit", lambda normals: unit(normals)[:, [1, 2, 0]].copy(), "body.geoms.normals"),
        ("_vertex_colours", lambda colours: colours[:, :3].astype(np.float32), "body.geoms.colours"),
        ("_vertex_colours", lambda colours: tints(colours)[:, ::-1].copy(), "body.geoms.colours"),
    ],
)
def test_surfaces_that_look_otherwise_are_told(
    compress: Any, name: str, wrong: Any, address: str, robot: Path, monkeypatch: pytest.MonkeyPatch
):
    options = Options(compress=compress)
    explained(convert(robot, robot.with_name("right.glb"), options=options))
    monkeypatch.setattr(geometry, name, wrong)
    found = addresses(convert(robot, robot.with_name("wrong.glb"), options=options))
    assert (compress == "draco" and name == "_vertex_colours") or address in found


@pytest.mark.parametrize("factor", [2.0, 0.0])
def test_normals_that_are_not_of_length_one_are_told(factor: float, robot: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(geometry, "_unit", lambda normals: unit(normals) * np.float32(factor))
    monkeypatch.setattr(geometry, "_with_normals_of_faces", lambda normals, *_: normals)
    found = addresses(convert(robot, robot.with_name("wrong.glb")))
    assert {"document", "body.geoms.normals"} <= found


@pytest.mark.parametrize("target", ["glb", "gltf"])
@pytest.mark.parametrize("wrong", ["other", "cut"])
def test_an_image_that_is_another_one_is_told(target: str, wrong: str, robot: Path, monkeypatch: pytest.MonkeyPatch):
    def lying(picture: Any, _: str) -> tuple[bytes, str]:
        data = (robot.with_name("other.png") if wrong == "other" else Path(picture)).read_bytes()
        return (data if wrong == "other" else data[: len(data) * 2 // 3]), "image/png"

    monkeypatch.setattr("converters.gltf.writing.materials.image", lying)
    monkeypatch.setattr("converters.gltf.writing.materials.see_through", lambda *_: False)
    found = addresses(convert(robot, robot.with_name(f"wrong.{target}")))
    assert {"body.geoms.texture", "asset.image"} <= found


def test_an_image_without_its_colour_profile_is_the_same(robot: Path):
    for name in ("one.png", "other.png"):
        with Image.open(robot.with_name(name)) as picture:
            picture.save(robot.with_name(name), icc_profile=b"\0" * 128)
    explained(convert(robot, robot.with_name("right.glb")))


PBR = "pbrMetallicRoughness"


@pytest.mark.parametrize(
    ("change", "address"),
    [
        (swapped("images", "bufferView"), "body.geoms.texture"),
        (swapped("textures", "source"), "body.geoms.texture"),
        (said([0.5, 0.5, 0.5, 1.0], "materials", 0, PBR, "baseColorFactor"), "body.geoms.rgba"),
        (said("OPAQUE", "materials", -1, "alphaMode"), "body.geoms.alpha_mode"),
        (said(1.0, "materials", 0, PBR, "metallicFactor"), "body.geoms.metallic"),
        (said(None, "materials", -1, PBR, "metallicFactor"), "body.geoms.metallic"),
        (said(None, "materials", 0, PBR, "roughnessFactor"), "body.geoms.roughness"),
        (said(False, "materials", 0, "doubleSided"), "body.geoms.double_sided"),
        (said(None, "materials", 0, PBR, "baseColorTexture"), "body.geoms.texture"),
        (said(None, "meshes", 1, "primitives", 0, "attributes", "COLOR_0"), "body.geoms.colours"),
        (said(None, "meshes", 0, "primitives", 0, "attributes", "NORMAL"), "body.geoms.normals"),
        (said("image/jpeg", "images", 0, "mimeType"), "document"),
        (said([0.0, 0.0, 0.0], "accessors", 0, "max"), "document"),
        (said(None, "accessors", 0, "min"), "document"),
        (said(2, "accessors", 0, "count"), "document"),
        (said(6, "bufferViews", 0, "byteStride"), "document"),
        (said(4, "bufferViews", 0, "byteLength"), "document"),
        (said(34963, "bufferViews", 0, "target"), "document"),
        (said("robot", "scenes", 0, "name"), "document"),
        (said("other", "nodes", 1, "name"), "body.name"),
    ],
)
def test_a_document_that_says_otherwise_is_told(change: Change, address: str, robot: Path, monkeypatch: Any):
    lying_about(change, monkeypatch)
    assert address in addresses(convert(robot, robot.with_name("wrong.glb")))


def test_a_document_without_its_buffer_breaks_no_process(tmp_path: Path):
    """Reading an array in an empty buffer would read foreign memory."""
    ball = '<robot name="m"><link name="a"><visual><geometry><sphere radius="1"/></geometry></visual></link></robot>'
    convert(saved(tmp_path / "r.urdf", ball), tmp_path / "whole.glb")
    data = (tmp_path / "whole.glb").read_bytes()
    end = 20 + int.from_bytes(data[12:16], "little")
    document = json.loads(data[20:end]) | {"buffers": []}
    for accessor in document["accessors"]:
        accessor["count"] *= 4000
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    sizes = (2, 20 + len(text) + len(data) - end, len(text))
    head = b"glTF" + b"".join(size.to_bytes(4, "little") for size in sizes) + b"JSON"
    (tmp_path / "broken.glb").write_bytes(head + text + data[end:])
    with pytest.raises(InputError):
        convert(tmp_path / "broken.glb", tmp_path / "out.urdf")


def test_a_corner_beyond_the_end_is_told(robot: Path, monkeypatch: pytest.MonkeyPatch):
    array = encoding.Binary.array

    def lying(self: Any, values: Any, target: int | None = None, **more: Any) -> int:
        return array(self, values + 9 if target == encoding.INDICES else values, target, **more)

    monkeypatch.setattr(encoding.Binary, "array", lying)
    assert "document" in addresses(convert(robot, robot.with_name("wrong.glb")))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda piece: replace(piece, faces=piece.faces[:, ::-1]),
        lambda piece: replace(piece, positions=piece.positions[:, [1, 0, 2]] * np.float32(0.9)),
        lambda piece: replace(piece, positions=piece.positions * np.float32(2)),
    ],
)
def test_other_triangles_in_draco_are_told(wrong: Any, robot: Path, monkeypatch: pytest.MonkeyPatch):
    own = geometry._from_part
    monkeypatch.setattr(geometry, "_from_part", lambda part: wrong(own(part)))
    found = addresses(convert(robot, robot.with_name("wrong.glb"), options=Options(compress="draco")))
    assert "body.geoms.triangles" in found


def test_a_step_that_is_not_the_nearest_is_told(robot: Path, monkeypatch: pytest.MonkeyPatch):
    robot.with_name("two.obj").write_text(TWO.replace("v 0 0 1", "v 0.3141 0.2718 1"))
    explained(convert(robot, robot.with_name("right.glb"), options=Options(compress="quantize")))
    monkeypatch.setattr(encoding.np, "rint", np.ceil)
    found = addresses(convert(robot, robot.with_name("wrong.glb"), options=Options(compress="quantize")))
    assert "body.geoms.triangles" in found


def test_what_is_changed_after_its_digests_were_made_is_told(robot: Path, monkeypatch: pytest.MonkeyPatch):
    def change(output: Output) -> Output:
        return replace(output, document=output.document.replace(b'"wood"', b'"good"', 1))

    lying_with(change, "gltf", monkeypatch)
    assert "document" in addresses(convert(robot, robot.with_name("wrong.glb")))


# ------------------------------------------------------------------------------------------------- physics, motions

DRIVEN = """<mujoco><compiler angle="radian"/><worldbody><geom name="floor" type="plane" size="2 2 0.1"/>
  <body name="a" pos="0 0 1"><joint name="j" axis="0 1 0" range="-1 2" limited="true" damping="0.3" stiffness="2"/>
    <geom name="box" size="0.1 0.2 0.3" type="box" contype="2" conaffinity="2"/>
    <body name="b" pos="0.5 0 0"><joint name="k" type="slide" axis="0 0 1"/><geom name="ball" size="0.1 0.2 0.1"
      type="ellipsoid" friction="0.7"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body></body>
  <body name="c" pos="2 0 1"><geom name="still" size="0.2"/></body>
  <body name="d" pos="3 0 1"><freejoint/><geom name="free" size="0.2"/></body></worldbody>
  <equality><weld name="w" body1="a" body2="d"/></equality>
  <actuator><position name="pj" joint="j" kp="20" kv="1" forcerange="-5 5"/><velocity name="vk" joint="k" kv="3"/>
  </actuator><keyframe><key name="up" qpos="0.5 0.05 3 0 1 1 0 0 0"/></keyframe></mujoco>
"""
RIGID = "KHR_physics_rigid_bodies"


def of_nodes(wrong: Any, *keys: str, where: Callable[[dict[str, Any]], bool] = lambda _: True) -> Change:
    """Return a change of a physics member of the first node that has it; wrong: a function of its value."""

    def change(document: dict[str, Any]) -> None:
        for node in document["nodes"]:
            holder = node.get("extensions", {}).get(RIGID, {})
            for key in keys[:-1]:
                holder = holder.get(key, {})
            if keys[-1] in holder and where(node):
                holder[keys[-1]] = wrong(holder[keys[-1]])
                return
        raise AssertionError(keys)

    return change


def of_drives(wrong: Any, key: str) -> Change:
    def change(document: dict[str, Any]) -> None:
        drives = [each for joint in document["extensions"][RIGID]["physicsJoints"] for each in joint.get("drives", ())]
        drive = next(each for each in drives if key in each)
        drive[key] = wrong(drive[key])

    return change


def moved_again(document: dict[str, Any]) -> None:
    """Move a body in the second scene."""
    nodes = document["nodes"]
    below = [*document["scenes"][1]["nodes"]]
    for number in below:
        below += nodes[number].get("children", ())
    body = next(nodes[n] for n in below if nodes[n]["name"] == "c")
    body["translation"] = [0.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("change", "address"),
    [
        (of_drives(lambda _: "acceleration", "mode"), "joint.drive_mode"),
        (of_drives(lambda axis: axis + 1, "axis"), "joint.drives"),
        (of_drives(lambda target: -1.0 - target, "positionTarget"), "joint.drive_positionTarget"),
        (of_drives(lambda target: target + 1.0, "velocityTarget"), "joint.drive_velocityTarget"),
        (of_drives(lambda force: 2 * force, "maxForce"), "joint.drive_maxForce"),
        (of_nodes(lambda number: number + 1, "joint", "connectedNode"), "joint.ends"),
        (of_nodes(lambda _: False, "joint", "enableCollision"), "constraint.touch"),
        (of_nodes(lambda _: False, "motion", "isKinematic"), "body.still"),
        (of_nodes(lambda mesh: mesh - 1, "collider", "geometry", "mesh"), "body.geoms.collider"),
        (moved_again, "body.pose"),
        (said(0.0, "animations", 0, "samplers", 0, "output"), "motion"),
        (swapped("scenes", "name"), "document"),
    ],
)
def test_physics_that_engines_are_told_otherwise_is_told(
    change: Change, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    explained(convert(saved(tmp_path / "r.xml", DRIVEN), tmp_path / "right.glb"))
    lying_about(change, monkeypatch)
    assert address in addresses(convert(tmp_path / "r.xml", tmp_path / "wrong.glb"))


def test_a_collider_without_its_friction_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "r.xml").write_text(DRIVEN)

    def change(document: dict[str, Any]) -> None:
        node = next(each for each in document["nodes"] if each["name"] == "ball/collider")
        del node["extensions"][RIGID]["collider"]["physicsMaterial"]

    right = convert(tmp_path / "r.xml", tmp_path / "right.glb")
    lying_about(change, monkeypatch)
    wrong = convert(tmp_path / "r.xml", tmp_path / "wrong.glb")
    told = [{each.where for each in report.findings} for report in (right, wrong)]
    assert "body/b.geoms.ball.surface.mu" in told[1] - told[0]


@pytest.mark.parametrize(
    "wrong",
    [
        lambda clip: replace(clip, times=clip.times * 2),
        lambda clip: replace(clip, times=clip.times + 0.5),
        lambda clip: replace(clip, positions={name: track[::-1] for name, track in clip.positions.items()}),
    ],
)
def test_a_motion_that_is_played_otherwise_is_told(wrong: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def lying(clips: Sequence[Clip], *rest: Any) -> Any:
        return animation.animations([*map(wrong, clips)], *rest)

    (tmp_path / "r.xml").write_text(DRIVEN)
    (tmp_path / "m.csv").write_text("time,j,k\n0,0,0\n1,0.5,0.1\n2,0.2,0.3\n")
    options = Options(trajectory=[str(tmp_path / "m.csv")])
    explained(convert(tmp_path / "r.xml", tmp_path / "right.glb", options=options))
    monkeypatch.setattr("converters.gltf.writer.animations", lying)
    assert "motion" in addresses(convert(tmp_path / "r.xml", tmp_path / "wrong.glb", options=options))
