"""Material libraries that a writer generates for the meshes of a GLB: wrong content is reported."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from converters import convert
from tests.converters.lying import lying, lying_beside, rules
from tests.files import saved
from tests.formats.gltf_made import Made
from tests.reports import explained


@pytest.fixture
def foreign(tmp_path: Path) -> Path:
    """Write a mesh with two materials, one emissive and one with an image."""
    made, image = Made(), BytesIO()
    Image.new("RGB", (4, 4), (200, 30, 10)).save(image, "PNG")
    made.add("images", {"bufferView": made.view(image.getvalue()), "mimeType": "image/png"})
    made.add("textures", {"source": 0})
    pbr: list[dict[str, Any]] = [{"baseColorFactor": [1, 0, 0, 0.5]}, {"baseColorTexture": {"index": 0}}]
    made.add(
        "materials",
        {"name": "red", "alphaMode": "BLEND", "pbrMetallicRoughness": pbr[0], "emissiveFactor": [0.2, 0.3, 0.1]},
    )
    made.add("materials", {"name": "wood", "pbrMetallicRoughness": pbr[1]})
    flat = made.array(np.array([[0, 0], [1, 0], [0, 1], [1, 1]], dtype=np.float32))
    wooden = made.primitive(material=1, attributes={"TEXCOORD_0": flat})
    made.scene(made.node(name="part", mesh=made.mesh(made.primitive(material=0), wooden)))
    return saved(tmp_path / "f.glb", made.glb())


@pytest.mark.parametrize("target", ["urdf", "sdf"])
@pytest.mark.parametrize(
    ("suffix", "pattern", "wrong"),
    [
        (".mtl", rb"Kd 1 0 0", b"Kd 1 0 1"),
        (".mtl", rb"\nd 0.5", b"\nd 1"),
        (".mtl", rb"\nKe [^\n]*", b""),
        (".mtl", rb"\nKe \S+", b"\nKe 1"),
        (".mtl", rb"map_Kd [^\n]*", b""),
        (".mtl", rb"newmtl red", b"newmtl rad"),
        (".obj", rb"usemtl red", b"usemtl wood"),
        (".obj", rb"usemtl [^\n]*\n", b""),
        (".obj", rb"mtllib [^\n]*\n", b""),
    ],
)
def test_a_library_that_says_otherwise_is_told(
    target: str, suffix: str, pattern: bytes, wrong: bytes, foreign: Path, monkeypatch: pytest.MonkeyPatch
):
    explained(convert(foreign, foreign.parent / "right" / "out", target=target))
    lying_beside(suffix, pattern, wrong, target, monkeypatch)
    assert "beside.colour" in rules(convert(foreign, foreign.parent / "wrong" / "out", target=target))


def test_the_image_of_a_mesh_file_that_lies_around_a_cube_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    Image.new("RGB", (2, 2), "red").save(tmp_path / "one.png")
    saved(tmp_path / "look.mtl", "newmtl wood\nmap_Kd one.png\n")
    quad = "mtllib look.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nusemtl wood\nf 1/1 2/2 3/3\n"
    saved(tmp_path / "quad.obj", quad)
    visual = '<visual><geometry><mesh filename="quad.obj"/></geometry></visual>'
    source = saved(tmp_path / "r.urdf", f'<robot name="r"><link name="l">{visual}</link></robot>')
    explained(convert(source, tmp_path / "right" / "out", target="mjcf"))
    lying(' type="2d"', "", "mjcf", monkeypatch)
    assert "asset" in rules(convert(source, tmp_path / "wrong" / "out", target="mjcf"))


@pytest.mark.parametrize("target", ["urdf", "sdf"])
def test_an_image_that_nobody_can_read_is_named_again_and_shows_nothing(target: str, tmp_path: Path):
    """An empty texture file, as of files that were never fetched, comes back through a GLB in another folder."""
    quad = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nf 1/1 2/2 3/3\n"
    saved(tmp_path / "there" / "quad.obj", quad)
    saved(tmp_path / "there" / "none.png", b"")
    look = "<material><pbr><metal><albedo_map>none.png</albedo_map></metal></pbr></material>"
    shape = "<geometry><mesh><uri>quad.obj</uri></mesh></geometry>"
    link = f'<link name="l"><visual name="v">{shape}{look}</visual></link>'
    text = f'<sdf version="1.9"><model name="m">{link}</model></sdf>'
    convert(saved(tmp_path / "there" / "m.sdf", text), tmp_path / "m.glb")
    for name in ("quad.obj", "none.png"):
        (tmp_path / "there" / name).unlink()
    explained(convert(tmp_path / "m.glb", tmp_path / f"back.{target}"))
