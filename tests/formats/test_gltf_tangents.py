"""Meshes with a normal map have tangents (glTF 2.0, 3.7.2.1); without, each program makes its own (Khronos warns)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import trimesh
from PIL import Image

from converters.context import Options, ReaderContext
from converters.convert import convert
from converters.gltf.scene.meshes import open_container
from tests.files import saved
from tests.formats.gltf_arm import back
from tests.oracles.in_khronos import complaints, khronos_reads

BUMPY = """<mujoco><asset><texture name="n" type="2d" file="n.png"/><texture name="c" type="2d" file="c.png"/>
<material name="m"><layer role="rgb" texture="c"/><layer role="normal" texture="n"/></material>
<material name="even"><layer role="rgb" texture="c"/></material>
<mesh name="sharp" file="sharp.obj"/><mesh name="round" file="round.obj"/></asset><worldbody>
<geom type="box" size="1 1 1" material="m"/><geom type="sphere" size="1" material="m"/>
<geom type="mesh" mesh="sharp" material="m"/><geom type="mesh" mesh="round" material="m"/>
<geom type="mesh" mesh="round" material="even"/><geom type="sphere" size="2" material="even"/>
</worldbody></mujoco>"""
# a roof: its right half shows the left half of the image once more, mirrored
ROOF = """v -1 -1 0\nv -1 1 0\nv 0 -1 1\nv 0 1 1\nv 1 -1 0\nv 1 1 0
vt 0 0\nvt 0 1\nvt 1 0\nvt 1 1
{}f 1/1{0} 3/3{1} 4/4{1}\nf 1/1{0} 4/4{1} 2/2{0}\nf 3/3{1} 5/1{2} 6/2{2}\nf 3/3{1} 6/2{2} 4/4{1}
"""


@pytest.fixture
def bumpy(tmp_path: Path) -> Path:
    Image.new("RGB", (4, 4), (128, 128, 255)).save(tmp_path / "n.png")
    Image.new("RGB", (4, 4), (200, 10, 25)).save(tmp_path / "c.png")
    sharp, smooth = ROOF.replace("{}", "", 1), ROOF.replace("{}", "vn -1 0 1\nvn 0 0 1\nvn 1 0 1\n", 1)
    (tmp_path / "sharp.obj").write_text(sharp.format("", "", ""))
    (tmp_path / "round.obj").write_text(smooth.format("/1", "/2", "/3"))
    return saved(tmp_path / "bumpy.xml", BUMPY)


@pytest.mark.parametrize("compress", ["none", "quantize", "draco"])
def test_what_shows_an_image_of_normals_has_tangents_along_its_image(bumpy: Path, compress: str):
    target = bumpy.with_name("bumpy.glb")
    convert(bumpy, target, options=Options(compress=compress))
    assert complaints(khronos_reads([target])[0]) == []
    content = open_container(target.read_bytes(), ReaderContext(file=str(target), folder=target.parent))
    primitives = [each for mesh in content.surfaces.meshes for each in mesh.children("primitives")]
    assert [("TANGENT" in each.members["attributes"]) for each in primitives] == [True] * 4 + [False] * 2
    if compress == "draco":
        return
    for primitive in primitives[:4]:
        attributes = primitive.members["attributes"]
        points, normals, uvs, tangents = (
            content.accessors.array(attributes[name]) for name in ("POSITION", "NORMAL", "TEXCOORD_0", "TANGENT")
        )
        faces = content.accessors.array(primitive.members["indices"]).reshape(-1, 3)
        along, hand = tangents[:, :3], tangents[:, 3:]
        assert np.linalg.norm(along, axis=1) == pytest.approx(1.0, abs=1e-3)
        assert np.einsum("ij,ij->i", along, normals) == pytest.approx(0.0, abs=1e-3)
        upwards = np.cross(normals, along) * hand
        for face in faces:
            corners, flat = points[face], uvs[face]
            sides, steps = corners[1:] - corners[0], flat[1:] - flat[0]
            if abs(np.linalg.det(steps)) < 1e-9 or np.linalg.norm(np.cross(*sides)) < 1e-9:
                continue  # a face that is none, or shows a line of the image
            right, down = np.linalg.solve(steps, sides)  # where u and v grow on this face
            assert (along[face] @ right > 0).all()
            assert (upwards[face] @ down < 0).all()


def test_tangents_are_no_edit_and_the_way_back_is_the_source(bumpy: Path):
    convert(bumpy, bumpy.with_name("bumpy.glb"))
    report = convert(bumpy.with_name("bumpy.glb"), bumpy.with_name("back.xml"))
    assert not [finding for finding in report.findings if finding.rule.startswith("gltf/edited")]
    assert bumpy.with_name("back.xml").read_bytes() == _written(bumpy)
    assert back(bumpy.with_name("back.xml")).nmesh == 2
    assert len(trimesh.load(bumpy.with_name("bumpy.glb")).geometry) == 6


def _written(path: Path) -> bytes:
    convert(path, path.with_name("same.xml"))
    return path.with_name("same.xml").read_bytes()
