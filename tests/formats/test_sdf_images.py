"""The <image> shape: boxes where an image is dark."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.formats.sdf_text import converted, link, put, rules, sdf, xml
from tests.oracles.in_mujoco import drawn
from tests.oracles.sdf_elements import differences

SHAPE = "<image><uri>map.png</uri><scale>0.5</scale><threshold>100</threshold><height>2</height></image>"


def model(folder: Path, pixels: np.ndarray, shape: str = SHAPE) -> Path:
    Image.fromarray(pixels.astype(np.uint8)).save(folder / "map.png")
    pose = "<pose>1 0 0 0 0 0</pose>"
    inner = f'<visual name="v">{pose}<geometry>{shape}</geometry></visual>'
    return put(folder, sdf(link("a", inner=inner + inner.replace("visual", "collision").replace('"v"', '"c"'))))


def walls() -> np.ndarray:
    """Return an image 4 wide, 3 high: an L in the lower left corner, a pixel in the upper right one, a grey one."""
    pixels = np.full((3, 4), 255)
    pixels[:, 0] = 0
    pixels[2, :3] = 100
    pixels[0, 3] = 30
    pixels[1, 2] = 101
    return pixels


@pytest.mark.parametrize("suffix", ["urdf", "xml"])
def test_a_point_is_inside_where_the_pixel_is_dark(suffix: str, tmp_path: Path) -> None:
    source = model(tmp_path, walls())
    report, path = converted(tmp_path, source, f"out.{suffix}")
    assert "sdf/image" in rules(report)
    scene, data = drawn(path)
    boxes = np.flatnonzero(scene.geom_contype)
    solid = walls()[::-1] <= 100
    for row in range(3):
        for column in range(4):
            point = np.array([1 + (column + 0.5) * 0.5, (row + 0.5) * 0.5, 1.999])
            inside = [
                np.abs(data.geom_xmat[index].reshape(3, 3).T @ (point - data.geom_xpos[index]))
                <= scene.geom_size[index]
                for index in boxes
            ]
            assert any(each.all() for each in inside) == solid[row, column], (row, column)
    assert data.geom_xpos[boxes, 2] - scene.geom_size[boxes, 2] == pytest.approx(0)
    assert data.geom_xpos[boxes, 2] + scene.geom_size[boxes, 2] == pytest.approx(2)


@pytest.mark.parametrize("suffix", ["urdf", "xml", "glb"])
def test_the_way_back_is_the_image(suffix: str, tmp_path: Path) -> None:
    source = model(tmp_path, walls())
    _, there = converted(tmp_path, source, f"out.{suffix}")
    _, again = converted(tmp_path, there, "again.sdf")
    assert [*differences(source, again)] == []


def test_an_image_of_many_boxes_is_one_mesh(tmp_path: Path) -> None:
    pixels = np.indices((40, 40)).sum(axis=0) % 2 * 255
    _, path = converted(tmp_path, model(tmp_path, pixels), "out.urdf")
    (visual,) = xml(path).findall("link/visual/geometry/mesh")
    text = (tmp_path / str(visual.get("filename"))).read_text().splitlines()
    points = np.array([line.split()[1:4] for line in text if line.startswith("v ")], float)
    assert sum(line.startswith("f ") for line in text) == 800 * 12
    assert (points.min(axis=0), points.max(axis=0)) == (pytest.approx([0, 0, 0]), pytest.approx([20, 20, 2]))


@pytest.mark.parametrize(
    "shape", ["<image/>", SHAPE.replace("map", "none"), SHAPE.replace("0.5", "-1"), SHAPE.replace("100", "x")]
)
def test_what_cannot_be_made_is_kept_and_told(shape: str, tmp_path: Path) -> None:
    source = model(tmp_path, walls(), shape)
    report, path = converted(tmp_path, source, "out.urdf")
    assert xml(path).findall("link/visual") == []
    assert any("geoms" in finding.where for finding in report.findings if finding.action == "carried")
    _, again = converted(tmp_path, path, "again.sdf")
    assert [*differences(source, again)] == []
