"""Images of more than 8 bits, or of many pixels: heights as in MuJoCo, colours as Pillow reads the files."""

from __future__ import annotations

import json
from base64 import b64decode
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from converters.assets.heights import open_image
from converters.assets.textures import png
from converters.convert import convert
from tests.files import saved
from tests.oracles.in_mujoco import mujoco_model
from tests.reports import explained, of_rule

RAMP = np.tile(np.linspace(0, 1, 17), (17, 1))
DEEP = {
    "sixteen.tif": np.round(RAMP * 65535).astype(np.uint16),
    "sixteen.png": np.round(RAMP * 65535).astype(np.uint16),
    "shares.tif": RAMP.astype(np.float32),
    "metres.tif": (RAMP * 3000 - 500).astype(np.float32),
    "whole.tif": np.round(RAMP * 2**30 - 2**29).astype(np.int32),
}
FIELD = """<sdf version="1.9"><model name="m"><static>true</static><link name="a"><collision name="c"><geometry>
<heightmap><uri>{}</uri><size>4 4 1</size></heightmap></geometry></collision></link></model></sdf>"""
BOX = """<sdf version="1.9"><model name="m"><link name="a"><visual name="v">
<geometry><box><size>1 1 1</size></box></geometry>
<material><pbr><metal><albedo_map>{}</albedo_map></metal></pbr></material></visual></link></model></sdf>"""


@pytest.fixture(params=DEEP)
def image(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / str(request.param)
    Image.fromarray(DEEP[path.name]).save(path)
    return path


def test_heights_are_those_of_the_image(image: Path, tmp_path: Path) -> None:
    (tmp_path / "field.sdf").write_text(FIELD.format(image.name))
    explained(convert(tmp_path / "field.sdf", tmp_path / "to" / "field.xml"))
    model = mujoco_model(tmp_path / "to" / "field.xml")
    assert model.hfield_data.reshape(17, 17) == pytest.approx(RAMP, abs=1 / 255)


@pytest.mark.parametrize("suffix", [".xml", ".gltf"])
def test_colours_are_those_of_the_image(image: Path, suffix: str, tmp_path: Path) -> None:
    (tmp_path / "box.sdf").write_text(BOX.format(image.name))
    explained(convert(tmp_path / "box.sdf", tmp_path / "to" / f"box{suffix}"))
    (written,) = (tmp_path / "to").glob("**/*.png") if suffix == ".xml" else [_embedded(tmp_path / "to" / "box.gltf")]
    with Image.open(written) as picture:
        numbers = np.asarray(picture)
    grey = numbers[..., 0] if numbers.ndim == 3 else numbers
    assert grey / np.iinfo(grey.dtype).max == pytest.approx(RAMP, abs=1 / 255)


def _embedded(path: Path) -> BytesIO:
    document = json.loads(path.read_text())
    (picture,) = document["images"]
    if "uri" in picture:
        return BytesIO((path.parent / picture["uri"]).read_bytes())
    view = document["bufferViews"][picture["bufferView"]]
    data = b64decode(document["buffers"][view["buffer"]]["uri"].partition(",")[2])
    start = view.get("byteOffset", 0)
    return BytesIO(data[start : start + view["byteLength"]])


def test_pictures_are_drawn_with_all_shades(image: Path) -> None:
    pixels = open_image(image, image.name, "RGBA", 64)
    assert pixels[..., 0] / 255 == pytest.approx(RAMP, abs=1 / 255)
    assert (pixels[..., 3] == 255).all()


def test_the_transparent_shade_of_sixteen_bits_is_transparent(tmp_path: Path) -> None:
    Image.fromarray(DEEP["sixteen.png"]).save(tmp_path / "t.png", transparency=int(DEEP["sixteen.png"][0, 3]))
    assert np.flatnonzero(open_image(tmp_path / "t.png", "t", "RGBA", 64)[0, :, 3] == 0).tolist() == [3]


def test_fractions_that_are_no_numbers_are_black(tmp_path: Path) -> None:
    numbers = np.array([[np.nan, 0.5], [1.0, np.inf]], dtype=np.float32)
    Image.fromarray(numbers).save(tmp_path / "t.tif")
    made = png(tmp_path / "t.tif", "t")
    assert isinstance(made, bytes)
    with Image.open(BytesIO(made)) as picture:
        assert np.asarray(picture).tolist() == [[0, 32768], [65535, 65535]]


def test_a_field_whose_square_would_be_too_large_is_copied_and_told(tmp_path: Path) -> None:
    Image.fromarray(np.tile(np.array([0, 255], np.uint8), (2, 20000))).save(tmp_path / "f.png")
    field = '<asset><hfield name="f" file="f.png" size="1 1 1 .1"/></asset>'
    text = f'<mujoco>{field}<worldbody><geom type="hfield" hfield="f"/></worldbody></mujoco>'
    report = explained(convert(saved(tmp_path / "m.xml", text), tmp_path / "to" / "m.sdf"))
    assert "65537 x 65537 heights" in of_rule(report, "assets/unreadable")[0].reason
    assert (tmp_path / "to" / "m_assets" / "f.png").read_bytes() == (tmp_path / "f.png").read_bytes()
