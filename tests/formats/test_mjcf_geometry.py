"""Meshes and height fields without a file, in other formats: compared with what MuJoCo makes of them."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest
import trimesh
from lxml import etree
from PIL import Image

from converters.assets.meshes.files import load
from converters.convert import convert, read
from ir.kinematics import forward
from ir.pose import compose, matrix
from ir.types import Mesh
from tests.files import saved
from tests.formats.uncarried import bare
from tests.ir.engines import full
from tests.oracles.in_mujoco import at_rest, body_tensor, mujoco_model
from tests.reports import explained, of_rule

CORNERS = "0 0 0 1 0 0 0 1 0 0 0 1"


def model(asset: str, geom: str) -> str:
    body = f'<body name="b" pos="1 2 3" euler="10 20 30"><joint/><geom name="g" {geom} pos=".1 .2 .3"/></body>'
    return f"<mujoco><asset>{asset}</asset><worldbody>{body}</worldbody></mujoco>"


MESHES = {
    "corners": f'vertex="{CORNERS}"',
    "corners and faces": f'vertex="{CORNERS}" face="0 2 1 0 1 3 0 3 2 1 2 3"',
    "a sphere": 'builtin="sphere" params="2"',
    "the coarsest sphere": 'builtin="sphere" params="0"',
    "half a sphere": 'builtin="hemisphere" params="3"',
    "a cone": 'builtin="cone" params="6 0"',
    "a cone of parts of a corner": 'builtin="cone" params="6.9 .5"',
    "a quarter of a ball": 'builtin="wedge" params="4 5 60 90 0"',
    "a truncated cone": 'builtin="cone" params="5 .4"',
    "a prism": 'builtin="cone" params="7 1"',
    "a superellipsoid": 'builtin="supersphere" params="7 .5 .7"',
    "a hollow superellipsoid": 'builtin="supersphere" params="9 1.5 2.5"',
    "a ring": 'builtin="supertorus" params="9 .3 .5 .7"',
    "a grid": 'builtin="grid" params="3 2 4 .5 1 .2"',
    "a box": 'builtin="box" params="3 2 4 .5 1 .2"',
    "a cylinder": 'builtin="cylinder" params="6 4 3 .3 .3 1"',
    "a ball of a box": 'builtin="ellipsoid" params="3 4 5 .5 1 .2"',
    "a part of a sphere": 'builtin="wedge" params="4 5 60 30 0"',
    "a part of a sphere that is finer in the middle": 'builtin="wedge" params="5 4 100 20 .7"',
    "an open box": 'builtin="box" params="3 4 2 .5 .7 1 2"',
    "a box that is open, but weighed as what it holds": 'builtin="box" params="3 4 2 .5 .7 1 2" inertia="exact"',
    "an open can": 'builtin="cylinder" params="4 4 3 .5 .5 .3 2"',
    "an open bowl": 'builtin="ellipsoid" params="4 3 5 .5 1 .3 2" inertia="shell"',
    "scaled": f'vertex="{CORNERS}" scale="1 2 -3"',
    "moved": f'vertex="{CORNERS}" refpos="1 2 3" scale="1 2 3"',
    "turned": f'vertex="{CORNERS}" refpos="1 2 3" refquat="1 .3 .2 .1" scale="2 2 2"',
    "turned and stretched": f'vertex="{CORNERS}" refpos="1 2 3" refquat="1 .3 .2 .1" scale="1 2 3"',
    "a stretched sphere": 'builtin="sphere" params="1" refquat="1 .3 .2 .1" scale="1 2 3"',
}


@pytest.mark.parametrize("target", ["urdf", "sdf"])
@pytest.mark.parametrize("what", MESHES)
def test_a_mesh_without_a_file_becomes_one(what: str, target: str, tmp_path: Path) -> None:
    text = model(f'<mesh name="m" {MESHES[what]}/>', 'type="mesh" mesh="m"')
    convert(saved(tmp_path / "model.xml", text), tmp_path / f"out.{target}")
    compiled = mujoco.MjModel.from_xml_string(text)
    data = at_rest(compiled)
    theirs = data.geom_xpos[0] + compiled.mesh_vert @ data.geom_xmat[0].reshape(3, 3).T
    ours = seen(tmp_path / f"out.{target}")
    near = np.linalg.norm(theirs[None] - ours[:, None], axis=-1).min(axis=1)
    assert near.max() < 1e-6
    inertial = read(bare(tmp_path / f"out.{target}")).body("b").inertial
    assert inertial is not None
    assert inertial.mass == pytest.approx(compiled.body_mass[1], rel=1e-6)  # the vertices of MuJoCo are single
    assert np.allclose(full(inertial), body_tensor(compiled, 1), rtol=0, atol=1e-5 * inertial.mass)
    convert(tmp_path / f"out.{target}", tmp_path / "back.xml")
    again = mujoco_model(tmp_path / "back.xml")
    assert np.array_equal(again.mesh_vert, compiled.mesh_vert)
    assert np.array_equal(again.body_inertia, compiled.body_inertia)


def seen(path: Path) -> np.ndarray:
    """Return the corners of the mesh of body b in the world."""
    scene = read(bare(path))
    (geom, *_) = scene.body("b").geoms
    assert isinstance(geom.shape, Mesh)
    file = scene.assets[geom.shape.asset].file
    assert file is not None
    points = np.concatenate([part.vertices for part in load(Path(file)).parts]) * geom.shape.scale
    at = compose(forward(scene)["b"], geom.pose)
    return points @ np.array(matrix(at.rot)).T + at.pos


@pytest.mark.parametrize(("rows", "columns"), [(3, 4), (5, 5), (2, 17)])
def test_a_height_field_without_a_file_becomes_an_image(rows: int, columns: int, tmp_path: Path) -> None:
    heights = np.random.default_rng(1).uniform(-2, 3, (rows, columns))
    numbers = " ".join(map(repr, heights.ravel().tolist()))
    field = f'<hfield name="h" nrow="{rows}" ncol="{columns}" size="3 2 1 .1" elevation="{numbers}"/>'
    text = model(field, 'size="1"').replace("<body", '<geom type="hfield" hfield="h"/><body')
    report = convert(saved(tmp_path / "model.xml", text), tmp_path / "out.sdf")
    (told,) = of_rule(report, "mjcf/heights")
    assert (told.action, told.before, told.sources[0].line) == ("approximated", numbers, 1)
    (reason,) = {each.reason for each in of_rule(report, "sdf/foreign-element")}
    assert "in the file" in reason
    assert not of_rule(convert(tmp_path / "model.xml", tmp_path / "same.xml"), "mjcf/heights")
    for target, rule in (("glb", "gltf/triangles"), ("urdf", "mjcf/height-field")):
        told = of_rule(explained(convert(tmp_path / "model.xml", tmp_path / f"out.{target}")), rule)
        assert [each.where.rpartition(".")[2] for each in told if each.action == "approximated"][:1] == ["shape"]
    element = etree.parse(tmp_path / "out.sdf").getroot().find(".//collision/geometry/heightmap")
    assert [float(word) for word in element.findtext("size").split()] == [6, 4, 1]
    pixels = np.asarray(Image.open(tmp_path / element.findtext("uri"))).astype(float) / 65535
    side = 2 ** int(np.ceil(np.log2(max(rows, columns) - 1))) + 1
    assert pixels.shape == (side, side)
    compiled = mujoco.MjModel.from_xml_string(text)
    theirs = compiled.hfield_data.reshape(rows, columns)[::-1]  # of MuJoCo the near side comes first
    if side - 1 in (rows - 1, columns - 1) and (side - 1) % (rows - 1) == 0 == (side - 1) % (columns - 1):
        assert np.abs(pixels[:: (side - 1) // (rows - 1), :: (side - 1) // (columns - 1)] - theirs).max() < 1e-4
    assert np.allclose(pixels[[0, 0, -1, -1], [0, -1, 0, -1]], theirs[[0, 0, -1, -1], [0, -1, 0, -1]], atol=1e-4)
    convert(tmp_path / "out.sdf", tmp_path / "back.xml")
    again = mujoco_model(tmp_path / "back.xml")
    assert np.array_equal(again.hfield_data, compiled.hfield_data)


def test_heights_that_an_image_holds_as_they_are_are_not_told_as_approximated(tmp_path: Path) -> None:
    shades = np.random.default_rng(4).integers(0, 65536, (5, 5))
    shades[0, :2] = 0, 65535
    field = '<hfield name="h" nrow="5" ncol="5" size="3 2 1 .1" elevation="{}"/>'
    for grid, count in ((shades, 0), (shades * 1.0001 + 3, 0), (shades[:4], 1), (shades**2, 1), (shades[:4] * 0, 0)):
        text = model(field.format(" ".join(map(str, grid.ravel()))), 'size="1"')
        text = text.replace('nrow="5"', f'nrow="{len(grid)}"')
        (tmp_path / "model.xml").write_text(text.replace("<body", '<geom type="hfield" hfield="h"/><body'))
        report = explained(convert(tmp_path / "model.xml", tmp_path / "out.sdf"))
        assert [each.action for each in of_rule(report, "mjcf/heights")] == ["approximated"] * count
        uri = etree.parse(tmp_path / "out.sdf").getroot().findtext(".//collision/geometry/heightmap/uri")
        compiled = mujoco_model(tmp_path / "model.xml")
        if not count and len(grid) == 5:
            pixels = np.asarray(Image.open(tmp_path / uri)).astype(float) / 65535
            assert np.abs(pixels[::-1].ravel() - compiled.hfield_data).max() < 2e-7
        convert(tmp_path / "out.sdf", tmp_path / "back.xml")
        again = mujoco_model(tmp_path / "back.xml")
        assert np.array_equal(again.hfield_data, compiled.hfield_data)


def test_a_height_field_of_the_format_of_mujoco(tmp_path: Path) -> None:
    heights = np.random.default_rng(2).uniform(0, 1, (3, 3)).astype("<f4")
    (tmp_path / "h.bin").write_bytes(np.array([3, 3], "<i4").tobytes() + heights.tobytes())
    text = model('<hfield name="h" file="h.bin" size="3 2 1 .1"/>', 'size="1"')
    (tmp_path / "model.xml").write_text(text.replace("<body", '<geom type="hfield" hfield="h"/><body'))
    convert(tmp_path / "model.xml", tmp_path / "out.sdf")
    pixels = np.asarray(Image.open(tmp_path / "out_assets" / "h_image.png")).astype(float) / 65535
    compiled = mujoco_model(tmp_path / "model.xml")
    assert np.abs(pixels[::-1] - compiled.hfield_data.reshape(3, 3)).max() < 1e-4
    (told,) = of_rule(convert(tmp_path / "model.xml", tmp_path / "out.glb"), "gltf/height-image")
    assert (told.action, told.before) == ("approximated", "h.bin")
    convert(tmp_path / "out.glb", tmp_path / "back.xml")
    again = mujoco_model(tmp_path / "back.xml")
    assert np.array_equal(again.hfield_data, compiled.hfield_data), "beside the file it is the file"
    (tmp_path / "h.bin").unlink()
    report = convert(tmp_path / "out.glb", tmp_path / "far.xml")
    assert [each.before for each in of_rule(report, "carried/inside")] == ["h.bin"]
    again = mujoco_model(tmp_path / "far.xml")
    assert np.abs(again.hfield_data - compiled.hfield_data).max() < 1 / 255, "and else an image of 8 bits to MuJoCo"


BAD = {
    "no such shape": 'builtin="QQQ" params="1"',
    "too fine": 'builtin="supersphere" params="1000000 1 1"',
    "too few": 'builtin="sphere"',
    "half a corner": 'vertex="0 0 0 1"',
    "a face of nothing": f'vertex="{CORNERS}" face="0 1 9"',
    "not a number": 'vertex="nan 0 0 1 0 0 0 1 0 0 0 1"',
    "all in a plane": 'vertex="0 0 0 1 0 0 0 1 0 1 1 0"',
}


@pytest.mark.parametrize("what", BAD)
def test_a_mesh_that_cannot_be_made_is_told(what: str, tmp_path: Path) -> None:
    (tmp_path / "model.xml").write_text(model(f'<mesh name="m" {BAD[what]}/>', 'type="mesh" mesh="m"'))
    report = convert(tmp_path / "model.xml", tmp_path / "out.urdf")
    assert any(finding.where == "body/b.geoms.g" for finding in report.findings)
    assert etree.parse(tmp_path / "out.urdf").getroot().find(".//mesh") is None


@pytest.mark.parametrize(
    "what",
    [
        'builtin="square" params="4 3 1 1 .5 2"',
        'builtin="grid" params="3 2 1 .5 1 1 2"',
        'builtin="disc" params="5 4 1 .5 1 .3"',
        'builtin="disc" params="4 4 1 .5 1 1" inertia="shell"',
        'builtin="plate" params="3 4"',
    ],
)
def test_a_flat_mesh_by_name_has_the_triangles_that_the_compiler_gives_it(what: str, tmp_path: Path) -> None:
    text = model(f'<mesh name="m" {what}/>', 'type="mesh" mesh="m" contype="0" conaffinity="0"')
    text = text.replace("<mujoco>", '<mujoco><compiler balanceinertia="true"/>')
    convert(saved(tmp_path / "model.xml", text), tmp_path / "out.urdf")
    compiled = mujoco.MjModel.from_xml_string(text)
    data = at_rest(compiled)
    theirs = data.geom_xpos[0] + compiled.mesh_vert @ data.geom_xmat[0].reshape(3, 3).T
    ours = seen(tmp_path / "out.urdf")
    assert len(ours) == len(theirs)
    assert np.linalg.norm(theirs[None] - ours[:, None], axis=-1).min(axis=1).max() < 1e-6
    inertial = read(bare(tmp_path / "out.urdf")).body("b").inertial
    assert inertial is not None
    assert inertial.mass == pytest.approx(compiled.body_mass[1], rel=1e-6)


def test_an_obj_of_corners_alone_is_their_hull(tmp_path: Path):
    """MuJoCo accepts it; Drake and glTF need the faces."""
    (tmp_path / "corners.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nv .1 .1 .1\n")
    source = tmp_path / "m.xml"
    source.write_text(
        "<mujoco><asset><mesh name='m' file='corners.obj'/></asset>"
        "<worldbody><body name='b'><freejoint/><geom type='mesh' mesh='m'/></body></worldbody></mujoco>"
    )
    for suffix in ("sdf", "urdf", "glb"):
        convert(source, tmp_path / f"out.{suffix}")
    assert len(trimesh.load_mesh(tmp_path / "out_assets" / "m.obj").faces) == 4
    assert len(trimesh.load_scene(tmp_path / "out.glb").to_geometry().faces) % 4 == 0
    mass = float(etree.parse(tmp_path / "out.sdf").findtext(".//mass"))
    assert mass == pytest.approx(mujoco_model(source).body_mass[1], rel=1e-9)
