"""Conversions to pictures: the report, missing files, poses, every format."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from converters.context import InputError, Options
from converters.convert import convert, read
from converters.report.model import Report
from ir.scene import Scene
from ir.types import Asset, Body, Box, Dof, DofKind, HeightField, Joint, Material, Mesh, Role, Sphere
from tests.corpus.mutation import without_extras
from tests.files import saved
from tests.formats.png_scenes import BLUE, RED, geom, reddish, scene_of, shot, staged
from tests.reports import of_rule


def rules(report: Report) -> dict[str, str]:
    return {finding.rule: finding.before for finding in report.findings if finding.rule.startswith("picture/")}


def test_the_report_says_that_a_picture_holds_no_model(made: Path, tmp_path: Path) -> None:
    report = convert(made / "feature_wheeled.urdf", tmp_path / "w.png")
    (finding,) = of_rule(report, "picture/no-model")
    assert finding.action == "dropped"
    scene = read(made / "feature_wheeled.urdf")
    assert finding.before.startswith(f"body: {len(scene.bodies) - 1}, joint: {len(scene.joints)}")
    assert not report.audited
    assert report.total(finding.action) == 1
    assert report.total(type(finding.action)("unexplained")) == 0
    assert report.target.files == (str(tmp_path / "w.png"),)
    with Image.open(tmp_path / "w.png") as picture:
        assert picture.size == (800, 600)


@pytest.mark.parametrize("name", ["feature_shapes.urdf", "feature_sdf_shapes.sdf", "feature_mjcf_scene.xml"])
def test_every_format_can_be_seen_and_gives_the_same_bytes_again(made: Path, tmp_path: Path, name: str) -> None:
    options = Options(size=(120, 90))
    for target in ("a.png", "b.png"):
        convert(made / name, tmp_path / target, options=options)
    data = (tmp_path / "a.png").read_bytes()
    assert data == (tmp_path / "b.png").read_bytes()
    assert len(np.unique(np.asarray(Image.open(BytesIO(data))).reshape(-1, 3), axis=0)) > 50


def test_a_pose_moves_what_is_seen() -> None:
    scene = Scene("arm")
    scene.add_body(Body(name="a", geoms=(geom(Box(size=(0.5, 0.5, 0.5)), BLUE),)))
    scene.add_body(Body(name="b", geoms=(geom(Box(size=(0.1, 0.1, 1.0)), RED, (0.0, 0.0, 1.0)),)))
    for colour in (RED, BLUE):
        scene.add("material", Material(name=json.dumps(colour), rgba=colour))
    hinge = Dof(name="j", kind=DofKind.HINGE, axis=(1.0, 0.0, 0.0), lower=-2.0, upper=2.0)
    scene.add_joint(Joint(name="j", parent="a", child="b", dofs=(hinge,)))
    up, aside = shot(scene), shot(scene, pose=("j=90deg",))
    for picture, towards in ((up, (-1, 0)), (aside, (0, -1))):
        offset = np.argwhere(reddish(picture)).mean(axis=0) - np.argwhere(reddish(picture, 2)).mean(axis=0)
        assert offset / np.linalg.norm(offset) == pytest.approx(towards, abs=0.05)
    with pytest.raises(InputError, match="outside the limits"):
        shot(scene, pose=("j=3",))
    notes: list[str] = []
    shot(scene, pose=("j=3",), clamp=True, trajectory=("sweep",), notes=notes)
    assert sorted(notes) == ["pose/clamped", "pose/motion"]


def test_a_mesh_that_is_missing_is_said_once_and_leaves_the_rest(made: Path, tmp_path: Path) -> None:
    report = convert(made / "feature_mesh_missing.urdf", tmp_path / "m.png", options=Options(size=(60, 40)))
    assert "picture/not-drawn" in rules(report)
    broken = saved(tmp_path / "broken.stl", b"solid nothing")
    notes: list[str] = []
    asset = Asset(name="m", uri="broken.stl", file=str(broken))
    some = [geom(Mesh(asset="m"), pos=(0.0, 0.0, float(z))) for z in range(3)]
    picture = shot(scene_of(*some, geom(Box(size=(1.0, 1.0, 1.0))), assets=(asset,)), notes=notes)
    assert notes == ["picture/not-drawn"]
    assert reddish(picture)[100, 100]


def test_beyond_a_bound_boxes_stand_for_what_has_too_many_triangles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Instances add nothing to a file, but each of their triangles to the picture."""
    first, second = (geom(Sphere(radius=0.5), pos=(0.0, y, 0.0)) for y in (-1.0, 1.0))
    notes: list[str] = []
    whole = shot(scene_of(first, second), notes=notes)
    assert notes == []
    monkeypatch.setattr("converters.png.stage.MOST", 100)
    boxed = shot(scene_of(first, second), notes=notes)
    assert notes == ["picture/boxes"]
    assert (boxed[:, :100] == whole[:, :100]).all(), "the first is drawn as it is"
    assert reddish(boxed[:, 100:]).sum() > 1.2 * reddish(whole[:, 100:]).sum(), "the square around a circle"
    framed = [np.flatnonzero(reddish(picture[:, 100:]).any(axis=0)) for picture in (boxed, whole)]
    assert abs(framed[0][-1] - framed[1][-1]) <= 3


def test_nothing_to_see_is_a_picture_and_a_note() -> None:
    notes: list[str] = []
    picture = shot(scene_of(), view="iso", notes=notes)
    assert notes == ["picture/empty"]
    assert picture.shape == (200, 200, 3)
    hidden = scene_of(geom(Box(size=(1.0, 1.0, 1.0)), role=Role.COLLISION))
    shot(hidden, notes=notes)
    assert notes == ["picture/empty", "picture/empty"]
    assert reddish(shot(hidden, show="collision")).any()
    assert reddish(shot(hidden, show="both")).any()


UNKNOWN = """<sdf version="1.9"><model name="m"><link name="a"><visual name="u"><geometry><blob/></geometry></visual>
<visual name="none"><geometry><empty/></geometry></visual><visual name="v"><geometry><sphere><radius>1</radius></sphere>
</geometry></visual></link></model></sdf>"""
PLUGIN = """<mujoco><extension><plugin plugin="mujoco.sdf.bolt"><instance name="i"/></plugin></extension>
<asset><mesh name="m"><plugin instance="i"/></mesh></asset><worldbody><body name="a"><geom size="1"/>
<geom name="u" type="sdf" mesh="m"><plugin instance="i"/></geom></body></worldbody></mujoco>"""


@pytest.mark.parametrize(("name", "text"), [("m.sdf", UNKNOWN), ("m.xml", PLUGIN)])
def test_a_shape_that_is_not_known_is_not_drawn_and_that_is_told(name: str, text: str, tmp_path: Path) -> None:
    report = convert(saved(tmp_path / name, text), tmp_path / "m.png", options=Options(size=(60, 40)))
    told = [each.where for each in report.findings if each.rule == "picture/not-drawn"]
    assert told == ["body/a.geoms.u"]


def test_a_height_field_is_drawn_from_its_image_or_flat(tmp_path: Path) -> None:
    grid = np.zeros((20, 20), dtype=np.uint8)
    grid[:10, 10:] = 200
    Image.fromarray(grid).save(tmp_path / "h.png")
    field = geom(HeightField(asset="h", size=(1.0, 1.0, 1.0)))
    good = Asset(name="h", uri="h.png", kind="heightmap", file=str(tmp_path / "h.png"))
    scene = scene_of(field, assets=(good,))
    assert reddish(shot(scene, view="left")).sum() > 100 * 80
    (piece,) = staged(scene, "iso", 10, 10)[0].pieces(field)
    high = piece.vertices[piece.vertices[:, 2] == 1.0]
    assert high.min(axis=0)[:2].min() > 0, "the upper right quarter of the image is that of +x and +y"
    assert len(high) == 100
    notes: list[str] = []
    shot(scene_of(field, assets=(Asset(name="h", uri="h.png", kind="heightmap"),)), notes=notes)
    assert notes == ["picture/not-drawn"]


def test_numbers_that_are_beyond_sight_are_no_crash() -> None:
    for size, pos in ((1e-300, 0.0), (1e150, 0.0), (1.0, 1e150), (0.0, 0.0)):
        scene = scene_of(geom(Box(size=(size, size, size)), pos=(pos, 0.0, 0.0)), geom(Sphere(radius=size)))
        for view in ("iso", "front"):
            assert shot(scene, view=view, size=(20, 20)).shape == (20, 20, 3)


def test_a_picture_cannot_be_read(tmp_path: Path) -> None:
    Image.new("RGB", (2, 2)).save(tmp_path / "a.png")
    with pytest.raises(InputError, match="can be written but not read"):
        convert(tmp_path / "a.png", tmp_path / "a.urdf")


def test_an_image_stands_side_by_side_as_often_as_the_material_says(tmp_path: Path) -> None:
    """A GLB gives it in KHR_texture_transform, without use of the embedded graph."""
    shots: dict[str, np.ndarray] = {}
    for repeat in ("1 1", "4 2"):
        (tmp_path / "m.xml").write_text(
            '<mujoco><asset><texture name="t" type="2d" builtin="checker" width="16" height="16" rgb1="1 0 0" '
            'rgb2="0 0 1"/>'
            f'<material name="m" texture="t" texrepeat="{repeat}"/></asset><worldbody>'
            '<geom type="box" size=".1 .2 .3" material="m"/></worldbody></mujoco>'
        )
        convert(tmp_path / "m.xml", tmp_path / "m.gltf")
        bare = without_extras(json.loads((tmp_path / "m.gltf").read_text()))
        (tmp_path / "bare.gltf").write_text(json.dumps(bare))
        for name in ("m.xml", "bare.gltf"):
            convert(tmp_path / name, tmp_path / "m.png", options=Options(size=(200, 150)))
            with Image.open(tmp_path / "m.png") as picture:
                shots[f"{name} {repeat}"] = np.asarray(picture.convert("RGB")).astype(float)
    for repeat in ("1 1", "4 2"):
        assert np.abs(shots[f"m.xml {repeat}"] - shots[f"bare.gltf {repeat}"]).mean() < 1
    assert np.abs(shots["m.xml 1 1"] - shots["m.xml 4 2"]).mean() > 5
