"""Cube map images: what other formats show instead, judged by the pixels that MuJoCo compiles."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import trimesh
from lxml import etree
from PIL import Image

from converters.context import Options
from converters.convert import convert
from converters.report.model import exit_code
from tests.files import saved
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.plain_gltf import plain_gltf
from tests.reports import of_rule

SIDES = ("right", "left", "up", "down", "front", "back")
PLAIN = 'width="32" height="32" rgb1=".8 .6 .4" rgb2=".1 .2 .9"'
TEXTURES = {
    "flat": f'builtin="flat" {PLAIN}',
    "checker": f'type="cube" builtin="checker" {PLAIN}',
    "gradient": f'builtin="gradient" {PLAIN}',
    "silent": 'builtin="checker" width="16" height="16"',
    "file": 'file="up.png"',
    "sides": " ".join(f'file{side}="{side}.png"' for side in SIDES),
}
TINT = (0.5, 1.0, 0.25)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    chance = np.random.default_rng(3)
    for side in SIDES:
        pixels = chance.integers(0, 256, (8, 8, 1)) * chance.random(3)
        Image.fromarray(pixels.astype(np.uint8)).save(tmp_path / f"{side}.png")
    assets = "".join(
        f'<texture name="{name}" {words}/><material name="{name}" texture="{name}"/>'
        f'<material name="{name}_red" texture="{name}" rgba="{" ".join(map(str, TINT))} .5"/>'
        for name, words in TEXTURES.items()
    )
    geoms = "".join(
        f'<geom size=".1" pos="{place} 0 0" material="{name}"/>'
        f'<geom size=".1" pos="{place} 1 0" material="{name}_red"/>'
        for place, name in enumerate(TEXTURES)
    )
    text = f'<mujoco model="m"><asset>{assets}</asset><worldbody><body name="b">{geoms}</body></worldbody></mujoco>'
    return saved(tmp_path / "m.xml", text)


def compiled(model: Path, name: str) -> np.ndarray:
    """Return the mean of all pixels of a texture in MuJoCo."""
    found = mujoco_model(model)
    texture = found.tex(name)
    start, count = int(texture.adr[0]), int(texture.height[0] * texture.width[0])
    mean: np.ndarray = found.tex_data[start : start + 3 * count].reshape(-1, 3).mean(axis=0) / 255
    return mean


def test_the_mean_of_what_mujoco_compiles_is_the_colour_in_urdf_and_gltf(model: Path, tmp_path: Path):
    report = convert(model, tmp_path / "out" / "m.urdf")
    convert(model, tmp_path / "out" / "m.glb")
    written = etree.parse(str(tmp_path / "out" / "m.urdf")).getroot()
    urdf = {each.get("name"): each.find("color").get("rgba") for each in written.iterfind("material")}
    gltf = {each["name"]: each for each in plain_gltf(tmp_path / "out" / "m.glb").document["materials"]}
    for name in TEXTURES:
        mean = compiled(model, name)
        for label, colour in ((name, (*mean, 1.0)), (f"{name}_red", (*mean * TINT, 0.5))):
            assert np.allclose([*map(float, urdf[label].split())], colour, atol=0.006), label
            shown = gltf[label]["pbrMetallicRoughness"]["baseColorFactor"]
            lit = np.where(np.array(shown[:3]) <= 0.0031308, 12.92 * np.array(shown[:3]), 0.0)
            lit = np.where(lit > 0, lit, 1.055 * np.array(shown[:3]) ** (1 / 2.4) - 0.055)
            assert np.allclose([*lit, shown[3]], colour, atol=0.006), label
    found = of_rule(report, "mjcf/cube")
    assert {each.action for each in found} == {"approximated"}
    assert sum(each.count for each in found) == 2 * len(TEXTURES)


def test_the_images_come_back(model: Path, tmp_path: Path):
    for target in ("urdf", "sdf", "glb"):
        folder = tmp_path / target
        convert(model, folder / f"m.{target}")
        report = convert(folder / f"m.{target}", folder / "back.xml")
        assert exit_code(report) == 0, target
        back = etree.parse(str(folder / "back.xml")).getroot()
        found = {each.get("name"): each.get("rgba") for each in back.iter("material")}
        tint = " ".join(f"{value:g}" for value in TINT)
        assert found == dict.fromkeys(TEXTURES) | {f"{name}_red": f"{tint} 0.5" for name in TEXTURES}
        assert {each.get("name") for each in back.iter("texture")} == {*TEXTURES}
        for name in TEXTURES:
            assert np.allclose(compiled(folder / "back.xml", name), compiled(model, name)), (target, name)


def test_a_picture_shows_the_mean(model: Path, tmp_path: Path):
    convert(model, tmp_path / "m.png", options=Options(size=(64, 64)))
    with Image.open(tmp_path / "m.png") as picture:
        pixels = np.asarray(picture.convert("RGB")).reshape(-1, 3).astype(int)
    spread = pixels.max(axis=1) - pixels.min(axis=1)
    assert (spread > 30).any()  # all would be grey without it


def test_a_file_that_is_not_there_stays_a_file(tmp_path: Path):
    model = tmp_path / "m.xml"
    model.write_text(
        '<mujoco><asset><texture name="t" file="no.png"/><material name="t" texture="t"/></asset><worldbody>'
        '<body name="b"><geom size=".1" material="t"/></body></worldbody></mujoco>'
    )
    report = convert(model, tmp_path / "m.urdf")
    written = etree.parse(str(tmp_path / "m.urdf")).getroot()
    assert written.find("material/texture").get("filename") == "no.png" and written.find("material/color") is None
    assert "mjcf/cube" not in {each.rule for each in report.findings}
    assert exit_code(report) == 0


@pytest.mark.parametrize("kind", ["stl", "inline", "laid out", "shared"])
def test_an_image_on_a_mesh_without_coordinates_is_its_mean(tmp_path: Path, kind: str):
    trimesh.creation.box().export(tmp_path / "box.stl")
    Image.fromarray(np.full((4, 4, 3), (200, 100, 50), np.uint8)).save(tmp_path / "t.png")
    corners = "0 0 0 1 0 0 0 1 0 0 0 1"
    mesh = {
        "stl": '<mesh name="m" file="box.stl"/>',
        "inline": f'<mesh name="m" vertex="{corners}"/>',
        "laid out": f'<mesh name="m" vertex="{corners}" face="0 2 1 0 1 3 0 3 2 1 2 3" texcoord="0 0 1 0 0 1 1 1"/>',
        "shared": '<mesh name="m" file="box.stl"/>',
    }[kind]
    more = '<geom type="box" size="1 1 1" material="t"/>' if kind == "shared" else ""
    (tmp_path / "m.xml").write_text(
        f'<mujoco><asset>{mesh}<texture name="t" type="2d" file="t.png"/><material name="t" texture="t"/></asset>'
        f'<worldbody><body name="b"><geom type="mesh" mesh="m" material="t"/>{more}</body></worldbody></mujoco>'
    )
    mujoco_model(tmp_path / "m.xml")
    report = convert(tmp_path / "m.xml", tmp_path / "out" / "m.glb")
    (look,) = [each for each in plain_gltf(tmp_path / "out" / "m.glb").document["materials"] if each["name"] == "t"]
    colour = look["pbrMetallicRoughness"].get("baseColorFactor", [1.0] * 4)[:3]
    tinted = kind in ("stl", "inline")
    expected = [((value / 255 + 0.055) / 1.055) ** 2.4 for value in (200, 100, 50)] if tinted else [1.0, 1.0, 1.0]
    assert np.allclose(colour, expected, atol=1e-3)
    assert ("mjcf/cube" in {each.rule for each in report.findings}) == tinted
    assert exit_code(convert(tmp_path / "out" / "m.glb", tmp_path / "back" / "m.xml")) == 0
    back = etree.parse(str(tmp_path / "back" / "m.xml")).getroot().find("asset/material")
    assert (back.get("rgba"), back.get("texture")) == (None, "t")


def test_sides_in_a_section_of_its_author_lie_where_it_says(
    model: Path, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
):
    """The section stays as the author wrote it, with its paths."""
    here = '<texture name="sides"'
    path = saved(tmp_path / "n.xml", model.read_text().replace(here, f"</asset><asset>{here}"))
    far = tmp_path_factory.mktemp("far")
    for name in ("m.sdf", "m.glb", "m.urdf", "m.xml"):
        made = far / name.partition(".")[2] / name
        report = convert(path, made)
        assert exit_code(report) == 0 and not of_rule(report, "mjcf/renamed"), name
        path = made
    assert np.allclose(compiled(path, "sides"), compiled(model, "sides"))
