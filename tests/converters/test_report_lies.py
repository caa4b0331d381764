"""A writer that omits a file, or whose output differs from the scene, is detected."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from PIL import Image

from converters import convert
from converters.context import Options, Output
from converters.gltf.writing.animation import animations
from converters.gltf.writing.physics import PhysicsTables
from converters.posing import Clip
from ir.pose import compose
from ir.types import IDENTITY, ONES, Pose
from tests.converters.lying import MESH, TWO, lying, lying_beside, lying_with, rules, unexplained
from tests.files import saved
from tests.reports import explained


@pytest.mark.parametrize("target", ["sdf", "urdf", "mjcf"])
def test_a_file_that_a_writer_forgets_is_told(target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "two.obj").write_text(TWO)
    (tmp_path / "r.urdf").write_text(MESH)
    lying_with(lambda output: replace(output, files={}), target, monkeypatch)
    report = convert(tmp_path / "r.urdf", tmp_path / "away" / "out", target=target)
    assert "beside.asset" in rules(report)


BOX = """<robot name="m"><link name="a"><visual name="v"><geometry><box size="1 1 1"/></geometry>
  <material name="wood"><texture filename="wood.png"/></material></visual></link></robot>
"""


@pytest.mark.parametrize("target", ["mjcf", "sdf", "urdf"])
def test_the_copy_of_another_image_is_told(target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for name in ("wood.png", "other.png"):
        Image.new("RGB", (2, 2), "red" if name == "wood.png" else "blue").save(tmp_path / name)
    explained(convert(saved(tmp_path / "r.urdf", BOX), tmp_path / "right" / "out", target=target))
    lying_with(
        lambda output: replace(output, files=dict.fromkeys(output.files, tmp_path / "other.png")), target, monkeypatch
    )
    report = convert(tmp_path / "r.urdf", tmp_path / "away" / "out", target=target)
    assert unexplained(report) == {("unexplained/beside.content", "wood.png")}


PLY = """ply
format ascii 1.0
element vertex 4
property float x
property float y
property float z
element face 4
property list uchar int vertex_indices
end_header
0 0 0
1 0 0
0 1 0
0 0 1
3 0 2 1
3 0 1 3
3 0 3 2
3 1 2 3
"""
LIBRARY = "newmtl m\nKd 1 0 0\nmap_Kd image.png\n"


@pytest.mark.parametrize("target", ["sdf", "urdf"])
@pytest.mark.parametrize("forgotten", ["two.mtl", "image.png"])
def test_what_a_mesh_needs_beside_it_and_a_writer_forgets_is_told(
    target: str, forgotten: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "two.obj").write_text(f"mtllib two.mtl\n{TWO.replace('o a', 'usemtl m')}")
    (tmp_path / "two.mtl").write_text(LIBRARY)
    (tmp_path / "image.png").write_bytes(b"\x89PNG")
    explained(convert(saved(tmp_path / "r.urdf", MESH), tmp_path / "right" / "out", target=target))

    def forget(output: Output) -> Output:
        return replace(output, files={name: each for name, each in output.files.items() if forgotten not in name})

    lying_with(forget, target, monkeypatch)
    report = convert(tmp_path / "r.urdf", tmp_path / "away" / "out", target=target)
    assert {rule for rule, name in unexplained(report) if forgotten in name} == {"unexplained/beside.asset"}


@pytest.mark.parametrize("target", ["sdf", "urdf", "mjcf"])
def test_a_file_that_nobody_finds_is_no_fault_of_a_writer(target: str, tmp_path: Path):
    explained(convert(saved(tmp_path / "r.urdf", MESH), tmp_path / "away" / "out", target=target))


@pytest.mark.parametrize("target", ["mjcf", "sdf"])
@pytest.mark.parametrize(
    ("written", "wrong"),
    [(rb"v 1 0 0", b"v 0 1 0"), (rb"f 1 3 2\n", b""), (rb"f 1 3 2\n", b"f 1 2 3\n"), (rb"v (\S+) (\S+)", rb"v \2 \1")],
)
def test_a_mesh_file_that_a_writer_makes_otherwise_is_told(
    target: str, written: bytes, wrong: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "two.ply").write_text(PLY)
    (tmp_path / "r.urdf").write_text(MESH.replace("visual", "collision").replace("two.obj", "two.ply"))
    explained(convert(tmp_path / "r.urdf", tmp_path / "right" / "out", target=target))
    lying_beside("", written, wrong, target, monkeypatch)
    report = convert(tmp_path / "r.urdf", tmp_path / "away" / "out", target=target)
    assert ("unexplained/beside.content", "two.ply") in unexplained(report)


@pytest.mark.parametrize("target", ["mjcf", "sdf", "urdf"])
def test_the_copy_of_another_mesh_is_told(target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "two.obj").write_text(TWO.replace("o b\n", ""))
    (tmp_path / "other.obj").write_text(TWO.replace("o b\n", "").replace("v 1 0 0", "v 2 0 0"))
    (tmp_path / "r.urdf").write_text(MESH)
    lying_with(
        lambda output: replace(output, files=dict.fromkeys(output.files, tmp_path / "other.obj")), target, monkeypatch
    )
    report = convert(tmp_path / "r.urdf", tmp_path / "away" / "out", target=target)
    assert unexplained(report) == {("unexplained/beside.content", "two.obj")}


ROBOT = """<mujoco><worldbody><light name="lamp" pos="0 0 3" dir="0 0 -1" diffuse="0.2 0.4 0.6" cutoff="30"/>
  <body name="a" pos="0 0 1"><joint name="j" axis="0 1 0" pos="0 0 0.1"/>
    <geom name="box" size="0.1 0.2 0.3" type="box"/>
    <camera name="eye" pos="0 0 2" fovy="60"/>
    <body name="b" pos="0.5 0 0"><joint name="k" axis="0 0 1"/><geom name="ball" size="0.1"/></body></body></worldbody>
  <keyframe><key name="up" qpos="0.5 0.3"/></keyframe></mujoco>
"""


def half(writer: Callable[..., Any], *names: str) -> Callable[..., Any]:
    """Return the function with one number of its result halved."""

    def halved(*args: Any) -> Any:
        made = writer(*args)
        owner = made
        for name in names[:-1]:
            owner = owner[name] if isinstance(owner, dict) else getattr(owner, name)
        value = owner[names[-1]] if isinstance(owner, dict) else getattr(owner, names[-1])
        other = [each / 2 for each in value] if isinstance(value, list) else value / 2
        if isinstance(owner, dict):
            owner[names[-1]] = other
        else:
            setattr(owner, names[-1], other)
        return made

    return halved


@pytest.mark.parametrize("target", ["glb", "gltf"])
@pytest.mark.parametrize(
    ("place", "wrong", "address"),
    [
        ("converters.gltf.scene.layout.placement", lambda *_: IDENTITY, "body.pose"),
        ("converters.gltf.writing.geometry.unit_of", lambda shape: (shape, (2.0, 2.0, 2.0)), "body.geoms.shape"),
        ("converters.gltf.writing.geometry.unit_of", lambda shape: (None, ONES), "body.geoms.shape"),
        ("converters.gltf.writing.builder.camera", ("perspective", "yfov"), "body.cameras.fov_y"),
        ("converters.gltf.writing.builder.light", ("color",), "body.lights.diffuse"),
        ("converters.gltf.writing.builder.light", ("spot", "outerConeAngle"), "body.lights.outer"),
        ("converters.gltf.writing.builder.light", lambda lamp: None, "body.lights.light"),
    ],
)
def test_what_a_document_of_gltf_shows_otherwise_is_told(
    target: str, place: str, wrong: Any, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    explained(convert(saved(tmp_path / "r.xml", ROBOT), tmp_path / f"right.{target}"))
    if isinstance(wrong, tuple):
        module, _, name = place.rpartition(".")
        wrong = half(getattr(__import__(module, fromlist=[name]), name), *wrong)
    monkeypatch.setattr(place, wrong)
    report = convert(tmp_path / "r.xml", tmp_path / f"wrong.{target}")
    assert f"shown.{address}" in rules(report)


@pytest.mark.parametrize(
    ("written", "wrong", "address"),
    [
        (r'(<sensor name="eye".*?<pose[^>]*>\S+ \S+ )2 ', r"\g<1>1 ", "pose"),
        (r"_fov>[^<]*", "_fov>0.5", "fov_y"),
        (r"<width>\d+", "<width>100", "width"),
        (r'(<sensor name="eye".*?</sensor>)(.*?<link name="b">)', r"\2\1", "body"),
    ],
)
def test_a_camera_that_is_a_sensor_is_held_against_it(
    written: str, wrong: str, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "r.xml").write_text(ROBOT.replace('fovy="60"', 'fovy="60" resolution="640 480"'))
    explained(convert(tmp_path / "r.xml", tmp_path / "right.sdf"))
    lying(written, wrong, "sdf", monkeypatch)
    report = convert(tmp_path / "r.xml", tmp_path / "wrong.sdf")
    assert f"beside.cameras.{address}" in rules(report)


def test_a_material_library_of_another_colour_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "two.obj").write_text(TWO)
    look = '<material name="red"><color rgba="0.8 0.1 0.2 1"/></material></visual>'
    (tmp_path / "r.urdf").write_text(MESH.replace("</visual>", look))
    convert(tmp_path / "r.urdf", tmp_path / "there" / "r.glb")
    for name in ("two.obj", "r.urdf"):
        (tmp_path / name).unlink()
    explained(convert(tmp_path / "there" / "r.glb", tmp_path / "right" / "out", target="urdf"))
    monkeypatch.setattr("converters.assets.inside.library", lambda *_: b"newmtl red\nKd 0.1 0.8 0.2\n")
    report = convert(tmp_path / "there" / "r.glb", tmp_path / "away" / "out", target="urdf")
    assert "beside.colour" in rules(report)


WELDED = """<mujoco><worldbody><body name="a"><freejoint/><geom size="0.1"/></body>
  <body name="b" pos="1 0 0"><freejoint/><geom size="0.1"/></body></worldbody>
  <equality><weld name="w" body1="a" body2="b" relpose="1 0 0 1 0 0 0"/>
  <connect name="c" body1="a" body2="b" anchor="0.5 0 0"/></equality></mujoco>
"""


@pytest.mark.parametrize(
    ("wrong", "address"),
    [
        (lambda held, first, second: (held, compose(first, Pose((0.1, 0.0, 0.0))), second), {"pose", "anchor"}),
        (lambda held, first, second: (0, first, second), {"locked"}),
        (lambda *_: None, {"tie"}),
    ],
)
def test_a_weld_of_physics_that_is_written_otherwise_is_told(
    wrong: Any, address: set[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    explained(convert(saved(tmp_path / "r.xml", WELDED), tmp_path / "right.glb"))
    held = PhysicsTables.held

    def lying(self: PhysicsTables, each: Any, poses: Any) -> Any:
        found = held(self, each, poses)
        return found and wrong(*found)

    monkeypatch.setattr(PhysicsTables, "held", lying)
    report = convert(tmp_path / "r.xml", tmp_path / "wrong.glb")
    assert address <= {rule.rpartition(".")[2] for rule in rules(report)}


@pytest.mark.parametrize("share", [0.5, 0.0])
def test_a_keyframe_that_is_played_otherwise_is_told(share: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def slowed(clip: Clip) -> Clip:
        return replace(clip, positions={name: share * track for name, track in clip.positions.items()})

    def wrong(clips: Sequence[Clip], *rest: Any) -> Any:
        return animations([*map(slowed, clips)], *rest)

    explained(convert(saved(tmp_path / "r.xml", ROBOT), tmp_path / "right.glb"))
    monkeypatch.setattr("converters.gltf.writer.animations", wrong)
    report = convert(tmp_path / "r.xml", tmp_path / "wrong.glb")
    told = {"motion.tracks" if share else "motion", "shown.motion"}
    assert rules(report) == told


@pytest.mark.parametrize("compress", ["none", "quantize"])
@pytest.mark.parametrize(
    "wrong",
    [
        lambda piece: replace(piece, faces=piece.faces[:, ::-1]),
        lambda piece: replace(piece, faces=piece.faces[1:]),
        lambda piece: replace(piece, positions=piece.positions[:, [1, 0, 2]]),
        lambda piece: replace(piece, positions=piece.positions * 2),
    ],
)
def test_other_triangles_in_gltf_than_in_the_mesh_file_are_told(
    compress: Any, wrong: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    from converters.gltf.writing.geometry import _from_part

    (tmp_path / "two.obj").write_text(TWO)
    (tmp_path / "r.urdf").write_text(MESH)
    options = Options(compress=compress)
    explained(convert(tmp_path / "r.urdf", tmp_path / "right.glb", options=options))
    monkeypatch.setattr("converters.gltf.writing.geometry._from_part", lambda part: wrong(_from_part(part)))
    report = convert(tmp_path / "r.urdf", tmp_path / "wrong.glb", options=options)
    assert rules(report) == {"shown.body.geoms.triangles"}
