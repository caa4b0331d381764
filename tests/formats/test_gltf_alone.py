"""A GLB without its mesh files (sent to another person): it looks as before in every format."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from converters.assets.meshes.files import MeshPart, load
from converters.convert import convert
from tests.files import saved
from tests.formats.gltf_arm import back
from tests.oracles.in_mujoco import mujoco_model
from tests.reports import explained

BOX = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt 0 0\nvt 1 0\nvt 0 1\n"
PAINTED = f"mtllib two.mtl\n{BOX}usemtl flag\nf 1/1 3/3 2/2\nf 1/1 2/2 4/3\nusemtl dark blue\nf 1 4 3\nf 2 3 4\n"
COLOURS = {"red": "1 0 0 1", "blue": "0 0 1 1"}


def visual(name: str, mesh: str, material: str = "", kind: str = "visual") -> str:
    return f'<{kind} name="{name}"><geometry><mesh filename="{mesh}"/></geometry>{material}</{kind}>'


def alone(folder: Path, shapes: str, suffix: str = ".urdf") -> Path:
    """Write a GLB of a link with these shapes into another folder than the files that it was made of."""
    (folder / "from").mkdir()
    (folder / "from" / "plain.obj").write_text(BOX + "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    (folder / "from" / "two.obj").write_text(PAINTED)
    (folder / "from" / "two.mtl").write_text("newmtl flag\nKd 1 1 1\nmap_Kd flag.png\nnewmtl dark blue\nKd 0 0 0.4\n")
    Image.new("RGB", (2, 2), (200, 10, 25)).save(folder / "from" / "flag.png")
    convert(saved(folder / "from" / f"r{suffix}", shapes), folder / "from" / "r.glb")
    (folder / "r.glb").write_bytes((folder / "from" / "r.glb").read_bytes())
    for path in (folder / "from").iterdir():
        path.unlink()
    return folder / "r.glb"


def corners_of(part: MeshPart) -> tuple[list[list[float]], list[list[float]]]:
    """Return the points of all corners, and their texture coordinates."""
    assert part.uvs is not None and part.uv_faces is not None
    return part.vertices[part.faces.ravel()].tolist(), part.uvs[part.uv_faces.ravel()].tolist()


def test_what_has_colours_of_the_model_keeps_each_its_own(tmp_path: Path):
    looks = {name: f'<material name="{name}"><color rgba="{rgba}"/></material>' for name, rgba in COLOURS.items()}
    shapes = "".join(visual(name, "plain.obj", look) for name, look in looks.items()) + visual("bare", "plain.obj")
    source = alone(tmp_path, f'<robot name="r"><link name="l">{shapes}</link></robot>')
    for target in ("r.xml", "r.urdf", "r.gltf"):
        explained(convert(source, tmp_path / target))
    model = back(tmp_path / "r.xml")
    shown = {model.geom(number).name: int(model.geom_matid[number]) for number in range(model.ngeom)}
    assert {name: -1 if number < 0 else model.mat(number).name for name, number in shown.items()} == {
        "red": "red", "blue": "blue", "bare": -1,
    }  # fmt: skip
    assert load(tmp_path / "r_assets" / "plain.obj").parts[0].material is None  # else RViz would show that on all
    document = json.loads((tmp_path / "r.gltf").read_bytes())
    given = {
        node["name"]: document["materials"][document["meshes"][node["mesh"]]["primitives"][0]["material"]]["name"]
        for node in document["nodes"]
        if "mesh" in node
    }
    assert given == {"red": "red", "blue": "blue", "bare": "plain"}


def test_what_also_collides_does_not_look_like_what_collides(tmp_path: Path):
    mesh = "<geometry><mesh><uri>two.obj</uri></mesh></geometry>"
    link = f'<collision name="c">{mesh}</collision><visual name="v">{mesh}</visual>'
    shapes = f'<sdf version="1.9"><model name="r"><link name="l">{link}</link></model></sdf>'
    source = alone(tmp_path, shapes, ".sdf")
    convert(source, tmp_path / "r.xml")
    model = back(tmp_path / "r.xml")
    seen = {model.mat(int(number)).name: model.mat_rgba[number].tolist() for number in model.geom_matid if number >= 0}
    assert sorted(rgba for rgba in seen.values()) == [
        pytest.approx([0, 0, 0.4, 1], abs=1e-3), [1, 1, 1, 1],
    ]  # fmt: skip


@pytest.mark.parametrize("suffix", [".urdf", ".sdf"])
def test_a_mesh_keeps_the_colours_and_images_of_its_file(tmp_path: Path, suffix: str):
    source = alone(tmp_path, f'<robot name="r"><link name="l">{visual("v", "two.obj")}</link></robot>')
    report = explained(convert(source, tmp_path / f"r{suffix}"))
    assert not [each for each in report.findings if each.action in ("dropped", "approximated")]
    (mesh,) = (tmp_path / "r_assets").glob("*.obj")
    parts = {part.material.name: part for part in load(mesh).parts if part.material is not None}
    assert {name: len(part.faces) for name, part in parts.items()} == {"flag": 2, "dark_blue": 2}
    assert parts["dark_blue"].material.rgba == pytest.approx((0, 0, 0.4, 1), abs=1e-3)
    picture = parts["flag"].material.texture
    assert picture is not None
    with Image.open(picture) as image:
        assert image.getpixel((0, 0)) == (200, 10, 25)
    flag = parts["flag"]
    corners = {(*point, *uv) for point, uv in zip(*corners_of(flag), strict=True)}
    assert corners == {(0, 0, 0, 0, 0), (0, 1, 0, 0, 1), (1, 0, 0, 1, 0), (0, 0, 1, 0, 1)}
    explained(convert(tmp_path / f"r{suffix}", tmp_path / "again.xml"))
    assert mujoco_model(tmp_path / "again.xml").ntex == 1


@pytest.mark.parametrize("suffix", [".gltf", ".sdf"])
def test_what_mjcf_shows_of_a_mesh_file_shows_in_the_next_format(tmp_path: Path, suffix: str):
    """The URDF gives white; the file, whose materials are shown, gives an image and a colour."""
    white = '<material name="white"><color rgba="1 1 1 1"/></material>'
    (tmp_path / "flag.obj").write_text(PAINTED.partition("usemtl dark")[0])
    (tmp_path / "two.mtl").write_text("newmtl flag\nKd 1 0.5 1\nmap_Kd flag.png\n")
    Image.new("RGB", (2, 2), (200, 10, 25)).save(tmp_path / "flag.png")
    (tmp_path / "r.urdf").write_text(f'<robot name="r"><link name="l">{visual("v", "flag.obj", white)}</link></robot>')
    convert(tmp_path / "r.urdf", tmp_path / "r.xml")
    target = tmp_path / f"r{suffix}"
    explained(convert(tmp_path / "r.xml", target))
    convert(target, tmp_path / "again.xml")
    assert back(tmp_path / "again.xml").ntex == 1
    convert(tmp_path / "r.xml", tmp_path / "same.urdf")
    assert '<material name="white">' in (tmp_path / "same.urdf").read_text()
