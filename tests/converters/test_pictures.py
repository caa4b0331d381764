"""Images that are compared by what they show."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from converters.assets.pictures import same
from converters.convert import convert
from converters.gltf.writing.images import image
from tests.reports import explained

NOTES = b"\xff\xe1" + (5002).to_bytes(2, "big") + b"n" * 5000


def jpeg(colour: str, profile: bytes | None = b"p" * 3000) -> bytes:
    """Return a JPEG with more metadata than image."""
    out = BytesIO()
    Image.new("RGB", (8, 8), colour).save(out, "JPEG", **({"icc_profile": profile} if profile else {}))
    data = out.getvalue()
    return data[:2] + NOTES + data[2:]


def test_metadata_of_a_jpeg_shows_nothing() -> None:
    whole = jpeg("red")
    plain, _ = image(whole, "red.jpg")
    assert len(plain) == len(whole) - 3000 - 18
    assert same(plain, whole)
    assert same(whole, plain)
    assert same(jpeg("red", None), whole)
    assert not same(jpeg("blue"), whole)
    assert not same(plain[:-20], whole)
    assert same(whole[:3], whole[:2] + NOTES + b"\xff")  # cut off within a marker


@pytest.mark.parametrize("target", ["robot.glb", "robot.xml", "robot.sdf"])
def test_a_small_image_with_large_metadata_is_the_same_in_an_output(tmp_path: Path, target: str) -> None:
    (tmp_path / "red.jpg").write_bytes(jpeg("red"))
    (tmp_path / "red.mtl").write_text("newmtl red\nKd 1 1 1\nmap_Kd red.jpg\n")
    face = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nusemtl red\nf 1/1 2/2 3/3\n"
    (tmp_path / "red.obj").write_text("mtllib red.mtl\n" + face)
    mesh = '<visual><geometry><mesh filename="red.obj"/></geometry></visual>'
    (tmp_path / "robot.urdf").write_text(f'<robot name="r"><link name="a">{mesh}</link></robot>')
    explained(convert(tmp_path / "robot.urdf", tmp_path / "out" / target))
