"""MuJoCo's requirements for bodies and relations: reported where it refuses a model."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import trimesh
from PIL import Image

from converters.validating import validate
from converters.validating.fixing import repair
from tests.files import saved
from tests.oracles.in_mujoco import mujoco_model
from tests.validating import demands_of_bodies as bodies, demands_of_relations as relations
from tests.validating.by_mujoco import errors, refused, taken


@pytest.mark.parametrize(("rule", "text"), [*bodies.REFUSED, *relations.REFUSED])
def test_what_mujoco_refuses_is_told_once(rule: str, text: str, tmp_path: Path) -> None:
    assert refused(text, tmp_path) == [rule]


@pytest.mark.parametrize("text", [*bodies.TAKEN, *relations.TAKEN])
def test_what_mujoco_takes_is_no_error(text: str, tmp_path: Path) -> None:
    assert taken(text, tmp_path) == []


@pytest.mark.parametrize("inertia", ["", 'inertia="exact"', 'inertia="shell"'])
@pytest.mark.parametrize("scale", [1e-3, 1e-4, 1e-5, 1e-6])
def test_a_mesh_of_almost_no_volume_is_told(scale: float, inertia: str, tmp_path: Path) -> None:
    corners, sides = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1", "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4"
    (tmp_path / "m.obj").write_text(f"{corners}\n{sides}\n")
    asset = f'<asset><mesh name="m" file="m.obj" scale="{scale} {scale} {scale}" {inertia}/></asset>'
    assert len(_judged(f'{asset}<worldbody><geom type="mesh" mesh="m"/></worldbody>', tmp_path)) <= 1


@pytest.mark.parametrize(
    "mesh",
    [
        'file="flat.obj" inertia="shell"',
        'vertex="0 0 0 1 0 0 0 1 0 1 1 0" face="0 1 2 1 3 2" inertia="shell"',
        'builtin="plate" params="2 2"',
        'vertex="0 0 0 1 0 0 0 1 0 1 1 1e-9" face="0 1 2 1 3 2" inertia="shell"',
    ],
)
@pytest.mark.parametrize("geom", ["", 'contype="0"', 'contype="0" conaffinity="0"'])
def test_a_flat_mesh_that_collides_is_told(mesh: str, geom: str, tmp_path: Path) -> None:
    (tmp_path / "flat.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n")
    worn = f'<body><geom size=".1"/><geom type="mesh" mesh="m" {geom}/></body>'
    asset = f'<asset><mesh name="m" {mesh}/></asset>'
    assert len(_judged(f"{asset}<worldbody>{worn}</worldbody>", tmp_path)) <= 1


@pytest.mark.parametrize(
    "asset",
    [
        *(f'<mesh file="m.{suffix}"/>' for suffix in ("stl", "STL", "obj", "ply", "off", "bin")),
        '<mesh file="m"/>',
        '<mesh file="m.bin" content_type="model/stl"/>',
        '<mesh file="m.stl" content_type="model/obj"/>',
        *(f'<hfield file="h.{suffix}" size="1 1 1 1"/>' for suffix in ("png", "jpg", "bin")),
        '<hfield file="h.png" content_type="image/jpeg" size="1 1 1 1"/>',
        '<hfield file="p.bin" content_type="image/png" size="1 1 1 1"/>',
    ],
)
def test_a_file_that_mujoco_has_no_reader_for_is_told(asset: str, tmp_path: Path) -> None:
    box = trimesh.creation.box()
    for suffix in ("stl", "STL", "bin", "ply", "off", "obj"):
        data = box.export(file_type="stl" if suffix == "bin" else suffix.lower())
        (tmp_path / f"m.{suffix}").write_bytes(data if isinstance(data, bytes) else data.encode())
    (tmp_path / "m").write_bytes((tmp_path / "m.stl").read_bytes())
    image = Image.new("L", (4, 4))
    image.save(tmp_path / "h.png")
    image.save(tmp_path / "h.jpg")
    image.save(tmp_path / "p.bin", format="png")
    (tmp_path / "h.bin").write_bytes(np.array([2, 2], "i4").tobytes() + np.array([0, 1, 0, 1], "f4").tobytes())
    _judged(f"<asset>{asset}</asset>", tmp_path)


@pytest.mark.parametrize("size", [(4, 4), (4, 5), (12, 4), (4, 12), (16, 12)])
@pytest.mark.parametrize(
    "said",
    [
        "file",
        'type="skybox" file',
        'type="2d" file',
        "fileright",
        'gridsize="1 3" gridlayout="RFU" file',
        'gridsize="3 4" gridlayout=".U..LFRB.D.." file',
        'gridsize="0 1" file',
        'gridsize="4 4" file',
        'type="2d" gridsize="0 0" file',
        'gridsize="4 4" fileright',
    ],
)
def test_an_image_around_a_cube_has_square_sides(said: str, size: tuple[int, int], tmp_path: Path) -> None:
    Image.new("RGB", size).save(tmp_path / "t.png")
    _judged(f'<asset><texture name="t" {said}="t.png"/></asset>', tmp_path)


SIDES = {"closed": "0 2 1 0 1 3 0 3 2 1 2 3", "inwards": "0 1 2 0 3 1 0 2 3 1 3 2", "flat": "0 1 2 0 2 1", "hull": ""}
CORNERS = {
    "apart": "0 0 0 1 0 0 0 1 0 0 0 1",
    "in a plane": "0 0 0 1 0 0 0 1 0 1 1 0",
    "in a line": "0 0 0 1 0 0 2 0 0 3 0 0",
}


@pytest.mark.parametrize("inertia", ["legacy", "exact", "convex", "shell"])
@pytest.mark.parametrize("scale", [1.0, 1e-3, 1e-5, 1e-7, 1e-9])
@pytest.mark.parametrize("sides", SIDES)
@pytest.mark.parametrize("corners", CORNERS)
def test_a_mesh_of_numbers_that_mujoco_refuses_is_told(
    corners: str, sides: str, scale: float, inertia: str, tmp_path: Path
) -> None:
    said = f'vertex="{CORNERS[corners]}" face="{SIDES[sides]}" inertia="{inertia}"'.replace(' face=""', "")
    asset = f'<asset><mesh name="m" {said} scale="{scale} {scale} {scale}"/></asset>'
    _judged(f'{asset}<worldbody><geom type="mesh" mesh="m" contype="0" conaffinity="0"/></worldbody>', tmp_path)


@pytest.mark.parametrize("around", ["<joint/>{}", "{}", "<joint/>{}<body><geom size='.1'/></body>"])
@pytest.mark.parametrize("compiler", ["", '<compiler boundinertia="1e-9"/>', '<compiler inertiafromgeom="true"/>'])
@pytest.mark.parametrize(
    "inside",
    [
        '<geom size="1e-3"/>',
        '<geom size="1e-4"/>',
        '<geom type="capsule" size="1e-6 .01"/>',
        '<geom type="box" size="1e-4 1 1"/>',
        '<geom size="1e-4" density="1e9"/>',
        '<geom type="mesh" mesh="m"/>',
        '<geom size=".1"/><inertial pos="0 0 0" mass="1e-16" diaginertia="1 1 1"/>',
        '<geom size="1e-5"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>',
    ],
)
def test_a_body_that_is_too_small_to_move_is_told(inside: str, compiler: str, around: str, tmp_path: Path) -> None:
    mesh = f'<asset><mesh name="m" vertex="{CORNERS["apart"]}" scale="1e-4 1e-4 1e-4"/></asset>'
    _judged(f"{compiler}{mesh}<worldbody><body>{around.format(inside)}</body></worldbody>", tmp_path)


@pytest.mark.parametrize("compiler", ["", '<compiler balanceinertia="true"/>', '<compiler boundinertia="1.5"/>'])
@pytest.mark.parametrize("joint", ["<joint/>", ""])
@pytest.mark.parametrize(
    "moments",
    [
        'diaginertia="1 1 2"',
        'diaginertia="1 1 2.0000000001"',
        'diaginertia="1 1 2.000000000000001"',
        'diaginertia="0.1 0.2 0.30000000000000004"',
        'diaginertia="0.1 0.2 0.3" euler="10 20 30"',
        'diaginertia="3.0000001e-5 1e-5 2e-5" euler="10 20 30"',
        'fullinertia="1 1 2.0000000001 0 0 0"',
        'fullinertia="1.5 1.5 2.00000001 .5 0 0"',
        'fullinertia="1.5 1.5 1.9 .5 0 0"',
    ],
)
def test_mujoco_allows_no_moment_above_the_sum_of_the_others(
    moments: str, joint: str, compiler: str, tmp_path: Path
) -> None:
    path = tmp_path / "in.xml"
    inertial = f'<inertial pos="0 0 0" mass="1" {moments}/>'
    path.write_text(f"<mujoco>{compiler}<worldbody><body>{joint}{inertial}</body></worldbody></mujoco>")
    try:
        mujoco_model(path)
    except ValueError:
        assert errors(path) in (["MJCF-INVALID"], ["INERTIA-TRI"])
    else:
        assert errors(path) == []


def _judged(inside: str, folder: Path) -> list[str]:
    """Return the errors of a model; check that there are some if MuJoCo refuses it, and none if it takes it."""
    path = saved(folder / "in.xml", f"<mujoco>{inside}</mujoco>")
    found = errors(path)
    try:
        mujoco_model(path)
    except ValueError:
        assert "MJCF-INVALID" in found
    else:
        assert found == []
    return found


@pytest.mark.parametrize(
    ("folder", "name", "rule"), [("x/assets", "b.stl", "MESH-HEUR"), ("assets", "B.STL", "MESH-CASE")]
)
def test_a_mesh_that_lies_elsewhere_than_mujoco_looks_is_told_and_mended(
    tmp_path: Path, folder: str, name: str, rule: str
) -> None:
    trimesh.creation.box().export(tmp_path / "b.stl")
    asset = f'<compiler meshdir="{folder}"/><asset><mesh name="b" file="{name}"/></asset>'
    path = saved(tmp_path / "in.xml", f'<mujoco>{asset}<worldbody><geom type="mesh" mesh="b"/></worldbody></mujoco>')
    (tmp_path / "assets").mkdir()
    (tmp_path / "b.stl").rename(tmp_path / "assets" / "b.stl")
    with pytest.raises(ValueError, match=rf"{folder}/{name}"):
        mujoco_model(path)
    assert errors(path) == [rule]
    fixed = repair(validate(path), tmp_path / "out" / "in.xml")
    mujoco_model(Path(fixed.files[0]))
    assert errors(Path(fixed.files[0])) == []
