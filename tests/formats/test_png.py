"""Pictures against what geometry predicts, and against ray casts of MuJoCo."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import mujoco
import numpy as np
import pytest
from PIL import Image

from converters.context import Options, WriterContext
from converters.convert import convert, read
from converters.png import writer
from converters.png.camera import MARGIN, TOWARDS, framed
from converters.png.ground import Ground
from converters.png.looks import LookTable
from converters.png.paint import LAYERS, paint
from converters.png.stage import Stage, _extremes, framing
from converters.png.writer import drawn
from ir.kinematics import forward
from ir.scene import Scene
from ir.types import Asset, Body, Box, Mesh, Plane, Role, Sphere
from tests.formats.png_scenes import BLUE, GREEN, RED, geom, reddish, scene_of, shot, staged
from tests.oracles.in_mujoco import at_rest, mujoco_model

# ------------------------------------------------------------------------------------------------ what covers what


@pytest.mark.parametrize(("view", "across", "up"), [("front", 2.0, 3.0), ("left", 1.0, 3.0), ("top", 2.0, 1.0)])
@pytest.mark.parametrize("size", [(200, 200), (300, 120)])
def test_a_box_covers_the_pixels_of_its_outline(view: str, across: float, up: float, size: tuple[int, int]) -> None:
    mask = reddish(shot(scene_of(geom(Box(size=(1.0, 2.0, 3.0)), pos=(5.0, -3.0, 7.0))), view=view, size=size))
    scale = (1 - 2 * MARGIN) * min(size[0] / across, size[1] / up)
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    assert (rows[0] + rows[-1] + 1) / 2 == pytest.approx(size[1] / 2, abs=1)
    assert (columns[0] + columns[-1] + 1) / 2 == pytest.approx(size[0] / 2, abs=1)
    assert len(rows) == pytest.approx(up * scale, abs=1.5)
    assert len(columns) == pytest.approx(across * scale, abs=1.5)
    assert mask.sum() == len(rows) * len(columns), "a full rectangle"


@pytest.mark.parametrize(
    ("view", "right", "up"),
    [
        ("front", (0, 1, 0), (0, 0, 1)),
        ("back", (0, -1, 0), (0, 0, 1)),
        ("left", (-1, 0, 0), (0, 0, 1)),
        ("right", (1, 0, 0), (0, 0, 1)),
        ("top", (0, -1, 0), (1, 0, 0)),
    ],
)
def test_views_show_the_sides_that_they_name(view: str, right: tuple[int, ...], up: tuple[int, ...]) -> None:
    """The robot looks along +x and has +y to its left: from the front +y is on the right of the picture."""
    small = Box(size=(0.2, 0.2, 0.2))
    scene = scene_of(
        geom(small),
        geom(small, GREEN, tuple(float(value) for value in right)),
        geom(small, BLUE, tuple(float(value) for value in up)),
    )
    picture = shot(scene, view=view)
    middle = [np.argwhere(reddish(picture, channel)).mean(axis=0) for channel in range(3)]
    assert middle[1][1] - middle[0][1] > 50, "to the right"
    assert middle[1][0] == pytest.approx(middle[0][0], abs=1)
    assert middle[0][0] - middle[2][0] > 50, "up"
    assert middle[2][1] == pytest.approx(middle[0][1], abs=1)


def test_what_is_in_front_hides_what_is_behind() -> None:
    near, far = geom(Box(size=(0.1, 1.0, 1.0)), RED, (2.0, 0.0, 0.0)), geom(Box(size=(0.1, 2.0, 2.0)), BLUE)
    for geoms in ((near, far), (far, near)):
        front, back = shot(scene_of(*geoms)), shot(scene_of(*geoms), view="back")
        assert reddish(front)[100, 100]
        assert reddish(front, 2)[100, 30]
        assert not reddish(back).any()
        assert reddish(back, 2)[100, 100]


def test_a_sphere_is_round_and_lit_from_above() -> None:
    picture = shot(scene_of(geom(Sphere(radius=0.3))))
    mask = reddish(picture)
    radius = (1 - 2 * MARGIN) * 100
    assert mask.sum() == pytest.approx(np.pi * radius**2, rel=0.01)
    assert picture[40, 100, 0] > picture[160, 100, 0] + 0.2
    across = picture[100, 20:180, 0]
    assert np.abs(np.diff(across)).max() < 0.05, "no facets"


def test_one_sees_through_what_lets_light_through() -> None:
    wall = geom(Box(size=(0.1, 2.0, 2.0)), BLUE)
    glass = geom(Box(size=(0.1, 1.0, 1.0)), (1.0, 0.0, 0.0, 0.25), (1.0, 0.0, 0.0))
    opaque = geom(Box(size=(0.1, 1.0, 1.0)), RED, (1.0, 0.0, 0.0))
    alone, solid = shot(scene_of(wall))[100, 100], shot(scene_of(opaque, wall))[100, 100]
    for geoms in ((wall, glass), (glass, wall)):
        mixed = shot(scene_of(*geoms))[100, 100]
        assert mixed == pytest.approx(0.25 * solid + 0.75 * alone, abs=0.01)
    faded = geom(Box(size=(0.1, 1.0, 1.0)), RED, (1.0, 0.0, 0.0), transparency=0.75)
    assert shot(scene_of(wall, faded))[100, 100] == pytest.approx(0.25 * solid + 0.75 * alone, abs=0.01)
    behind = geom(Box(size=(0.1, 1.0, 1.0)), (1.0, 0.0, 0.0, 0.25), (-1.0, 0.0, 0.0))
    assert shot(scene_of(wall, behind))[100, 100] == pytest.approx(alone, abs=0.005)
    nothing = geom(Box(size=(0.1, 1.0, 1.0)), (1.0, 0.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    assert shot(scene_of(wall, nothing))[100, 100] == pytest.approx(alone, abs=0.005)


@pytest.mark.parametrize("count", [3, LAYERS])
def test_layers_are_put_over_each_other_in_their_order(count: int) -> None:
    """Glass panes facing the camera; the picture is the textbook result, whatever their order."""
    sheets = [
        geom(Box(size=(0.01, 1.0, 1.0)), (*np.eye(3)[number % 3].tolist(), 0.4), (float(number), 0.0, 0.0))
        for number in range(count)
    ]
    wall = geom(Box(size=(0.01, 1.0, 1.0)), (1.0, 1.0, 1.0, 1.0), (-1.0, 0.0, 0.0))
    lit = shot(scene_of(wall), size=(60, 60))[30, 30]
    single = [
        shot(scene_of(geom(Box(size=(0.01, 1.0, 1.0)), (*np.eye(3)[n].tolist(), 1.0))), size=(60, 60))[30, 30]
        for n in range(3)
    ]
    expected = lit
    for number in range(count):
        expected = 0.6 * expected + 0.4 * single[number % 3]
    dice = np.random.default_rng(5)
    for _ in range(2):
        some = [sheets[index] for index in dice.permutation(count)]
        assert shot(scene_of(*some, wall), size=(60, 60))[30, 30] == pytest.approx(expected, abs=0.015)


# ------------------------------------------------------------------------------------------------------------- meshes


SQUARE = """mtllib m.mtl
v 0 -1 -1\nv 0 1 -1\nv 0 1 1\nv 0 -1 1
vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1
usemtl painted
f 1/1 2/2 3/3
f 1/1 3/3 4/4
"""


@pytest.fixture
def square(tmp_path: Path) -> Asset:
    """A textured square facing +x: red and green above, blue and white below."""
    (tmp_path / "m.obj").write_text(SQUARE)
    (tmp_path / "m.mtl").write_text("newmtl painted\nKd 1 1 1\nmap_Kd t.png\n")
    pixels = np.array([[(255, 0, 0), (0, 255, 0)], [(0, 0, 255), (255, 255, 255)]], dtype=np.uint8)
    Image.fromarray(pixels.repeat(50, axis=0).repeat(50, axis=1)).save(tmp_path / "t.png")
    return Asset(name="m", uri="m.obj", file=str(tmp_path / "m.obj"))


def test_images_land_the_right_way_up(square: Asset) -> None:
    picture = shot(scene_of(geom(Mesh(asset="m")), assets=(square,)))
    assert reddish(picture)[60, 60]
    assert reddish(picture, 1)[60, 140]
    assert reddish(picture, 2)[140, 60]
    assert np.ptp(picture[140, 140]) < 0.05
    mirrored = shot(scene_of(geom(Mesh(asset="m", scale=(1.0, -1.0, 1.0))), assets=(square,)))
    assert reddish(mirrored)[60, 140]
    back = shot(scene_of(geom(Mesh(asset="m")), assets=(square,)), view="back")
    assert reddish(back)[60, 140], "a sheet has two sides"


def test_images_lie_in_perspective(square: Asset) -> None:
    """Seen at an angle, the middle of the image is at the middle of the square, not halfway across."""
    scene = scene_of(geom(Mesh(asset="m")), assets=(square,))
    picture = shot(scene, view="iso", size=(400, 400))
    stage, camera = staged(scene, "iso", 400, 400)
    place = camera.screen(camera.seen(np.array([[0.0, 0.04, 0.04], [0.0, -0.04, 0.04], [0.0, -0.04, -0.04]])))
    column, row = np.round(place - 0.5).astype(int).T
    assert reddish(picture, 1)[row[0], column[0]]
    assert reddish(picture)[row[1], column[1]]
    assert reddish(picture, 2)[row[2], column[2]]
    assert stage.pieces(scene.body("b").geoms[0])


def test_images_with_holes_show_what_is_behind(square: Asset, tmp_path: Path) -> None:
    holes = np.zeros((2, 2, 4), dtype=np.uint8)
    holes[0, 0] = (255, 0, 0, 255)
    Image.fromarray(holes.repeat(50, axis=0).repeat(50, axis=1)).save(tmp_path / "t.png")
    wall = geom(Box(size=(0.1, 2.0, 2.0)), BLUE, (-1.0, 0.0, 0.0))
    picture = shot(scene_of(geom(Mesh(asset="m")), wall, assets=(square,)))
    assert reddish(picture)[60, 60]
    assert reddish(picture, 2)[60, 140]
    assert reddish(picture, 2)[140, 140]


CUBE = [(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]
SIDES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]


def test_a_mirrored_mesh_keeps_its_outside(tmp_path: Path) -> None:
    """Only front faces of glass are drawn, so a mesh turned inside out would show its inside."""
    lines = [f"v {x} {y} {z + y / 4}" for x, y, z in CUBE]
    lines += ["f " + " ".join(str(index + 1) for index in side) for side in SIDES]
    (tmp_path / "cube.obj").write_text("\n".join(lines))
    asset = Asset(name="m", uri="cube.obj", file=str(tmp_path / "cube.obj"))
    glass = (1.0, 0.2, 0.2, 0.6)
    pictures = [
        shot(scene_of(geom(Mesh(asset="m", scale=scale), glass), assets=(asset,)), view="iso")
        for scale in ((1.0, 1.0, 1.0), (-1.0, 1.0, 1.0))
    ]
    assert np.abs(pictures[0] - pictures[1]).max() < 0.02, "the cube is its own mirror image along x"
    upside = shot(scene_of(geom(Mesh(asset="m", scale=(-1.0, -1.0, -1.0)), glass), assets=(asset,)), view="iso")
    solid = shot(scene_of(geom(Mesh(asset="m", scale=(-1.0, -1.0, -1.0))), assets=(asset,)), view="iso")
    brightest = [
        np.argwhere(each[..., 0] - each[..., 2] > 0.9 * (each[..., 0] - each[..., 2]).max()) for each in (upside, solid)
    ]
    assert brightest[0].mean(axis=0) == pytest.approx(brightest[1].mean(axis=0), abs=15)


def test_the_colour_of_a_mesh_file_wins_and_collisions_have_none_of_it(square: Asset) -> None:
    both = geom(Mesh(asset="m"), BLUE, role=Role.COLLISION)
    picture = shot(scene_of(both, assets=(square,)), show="collision")
    assert reddish(picture, 2)[60, 60]
    plain = geom(Mesh(asset="m"), BLUE, role=Role.COLLISION, material=None)
    orange = shot(scene_of(plain, assets=(square,)), show="collision")[60, 60]
    assert orange[0] > orange[1] > orange[2]


@pytest.mark.parametrize(("role", "material", "seen"), [("visual", BLUE, True), ("collision", None, False)])
@pytest.mark.parametrize("view", ["top", "iso"])
def test_colours_of_vertices_show_where_the_looks_of_the_file_do(
    tmp_path: Path, role: str, material: object, seen: bool, view: str
) -> None:
    """As trimesh writes them: green to the left, red to the right, and no material."""
    corners = [(x, y, 255 * (x < 0), 255 * (x > 0)) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    lines = [f"v {x} {y} 0 {red / 255} {green / 255} 0" for x, y, green, red in corners]
    (tmp_path / "m.obj").write_text("\n".join([*lines, "f 1 2 3 4"]))
    asset = Asset(name="m", uri="m.obj", file=str(tmp_path / "m.obj"))
    part = geom(Mesh(asset="m"), BLUE, role=role, **({} if material else {"material": None}))
    picture = shot(scene_of(part, assets=(asset,)), view=view, show=role)
    assert bool(reddish(picture, 1).any()) is seen
    if seen and view == "top":
        left, right = np.argwhere(reddish(picture, 1)).mean(axis=0), np.argwhere(reddish(picture, 0)).mean(axis=0)
        assert abs(left - right).max() > 60


def test_a_texture_that_is_missing_or_broken_is_said(square: Asset, tmp_path: Path) -> None:
    (tmp_path / "t.png").write_bytes(b"\x89PNG\r\n\x1a\nbroken")
    notes: list[str] = []
    picture = shot(scene_of(geom(Mesh(asset="m")), assets=(square,)), notes=notes)
    assert notes == ["picture/texture"]
    assert np.ptp(picture[60, 60]) < 0.05, "white, as the material says"


# ------------------------------------------------------------------------------------------------ framing and ground


@pytest.mark.parametrize("view", list(TOWARDS))
@pytest.mark.parametrize("size", [(300, 200), (100, 400)])
def test_everything_is_in_the_picture_and_fills_it(view: str, size: tuple[int, int]) -> None:
    dice = np.random.default_rng(6)
    for spread in ((1.0, 1.0, 1.0), (10.0, 0.1, 0.1), (0.1, 0.2, 5.0), (1e-4, 1e-4, 1e-4), (1e4, 1e4, 10.0)):
        points = dice.normal(size=(50, 3)) * spread + (3.0, -2.0, 1.0)
        camera = framed(points, view, *size)
        seen = camera.seen(points)
        if camera.perspective:
            assert seen[:, 2].min() > camera.near
        shares = np.abs(camera.screen(seen) / size * 2 - 1)
        assert shares.max() <= 1 - 2 * MARGIN + 1e-6
        if min(spread) > 1e-3 * max(spread):
            assert shares.max() == pytest.approx(1 - 2 * MARGIN, abs=1e-6)


def test_a_point_and_nothing_can_be_framed() -> None:
    for points in (np.zeros((1, 3)), np.zeros((0, 3))):
        for view in TOWARDS:
            camera = framed(points, view, 100, 100)
            assert np.isfinite(camera.screen(camera.seen(np.array([[0.01, 0.02, 0.0]])))).all()


def test_planes_and_surroundings_are_not_framed() -> None:
    box = geom(Box(size=(1.0, 1.0, 1.0)), pos=(0.0, 0.0, 0.5))
    alone = framing(staged_things(scene_of(box)))
    ground = geom(Plane(), GREEN)
    hall = geom(Box(size=(200.0, 200.0, 0.1)), BLUE, (0.0, 0.0, -1.0))
    table = geom(Box(size=(2.0, 2.0, 0.1)), BLUE, (0.0, 0.0, -1.0))
    assert framing(staged_things(scene_of(box, world=(ground, hall)))) == pytest.approx(alone)
    assert len(framing(staged_things(scene_of(box, world=(table,))))) > len(alone)
    assert len(framing(staged_things(scene_of(world=(hall,))))) == 8, "a world of its own is all there is to see"


def staged_things(scene: Scene) -> list:
    context = WriterContext(file="", folder=Path(), options=Options())
    return Stage(scene, context, LookTable(scene, context)).things(forward(scene))


def test_a_plane_is_the_ground_and_has_its_colour() -> None:
    box = geom(Box(size=(1.0, 1.0, 1.0)), pos=(0.0, 0.0, 0.5))
    picture = shot(scene_of(box, world=(geom(Plane(), GREEN),)), view="iso")
    assert reddish(picture, 1)[170:, :].mean() > 0.9
    sunk = shot(scene_of(geom(Box(size=(1.0, 1.0, 1.0))), world=(geom(Plane(), GREEN),)), view="iso")
    assert reddish(sunk).sum() < 0.8 * reddish(picture).sum(), "the ground hides what is below it"


def test_ground_that_has_an_image_has_the_mean_of_its_colours(tmp_path: Path) -> None:
    """The checkered floor of most scenes of MuJoCo, whose material says no colour."""
    checker = '<texture name="t" type="2d" builtin="checker" rgb1="0 .8 0" rgb2="0 .4 0" width="8" height="8"/>'
    floor = (
        f'{checker}<material name="m" texture="t"/></asset><worldbody><geom type="plane" size="0 0 1" material="m"/>'
    )
    source = tmp_path / "scene.xml"
    source.write_text(
        f'<mujoco><asset>{floor}<geom size=".05" pos="0 0 1"/><geom size=".05" pos="0 0 .05"/></worldbody></mujoco>'
    )
    convert(source, tmp_path / "scene.png", options=Options(size=(200, 200)))
    below = np.asarray(Image.open(tmp_path / "scene.png").convert("RGB"))[190, 100] / 255.0
    assert below == pytest.approx([0.0, 0.6, 0.0], abs=0.12)


def test_a_grid_says_how_large_a_model_is() -> None:
    assert [Ground(0.0, (0.0, 0.0), radius).spacing for radius in (0.8, 1.0, 3.5, 31.0, 0.02)] == pytest.approx(
        [0.5, 0.5, 2.0, 20.0, 0.01]
    )
    camera = framed(np.array([(-1.0, -1.0, 0.0), (1.0, 1.0, 0.0)]), "top", 200, 200)
    picture = paint([], camera, Ground(0.0, (0.0, 0.0), 1.0)).astype(float)
    plain = paint([], camera, None).astype(float)
    lines = np.flatnonzero(np.abs(picture - plain).max(axis=2)[88, :] > 20)
    expected = 100 + np.arange(-2, 3) * 0.5 * (1 - 2 * MARGIN) * 100
    groups = np.split(lines, np.flatnonzero(np.diff(lines) > 1) + 1)
    assert [float(group.mean()) + 0.5 for group in groups] == pytest.approx(expected.tolist(), abs=1.1)


@pytest.mark.parametrize("view", ["iso", "left"])
def test_a_large_picture_is_made_of_bands_that_fit(monkeypatch: pytest.MonkeyPatch, view: str) -> None:
    glass = geom(Sphere(radius=0.6), (0.2, 0.3, 0.9, 0.5), (0.3, 0.0, 1.0))
    box = geom(Box(size=(1.0, 1.0, 1.0)), pos=(0.0, 0.0, 0.5))
    scene = scene_of(box, glass, world=(geom(Plane(), GREEN),))
    whole = shot(scene, view=view, size=(90, 77))
    for band in (1, 90 * 4 * 10, 90 * 4 * 76):
        monkeypatch.setattr(writer, "BAND", band)
        assert np.abs(shot(scene, view=view, size=(90, 77)) - whole).max() <= 1 / 255


def test_ground_seen_from_its_edge_is_nothing() -> None:
    camera = framed(np.array([(-1.0, -1.0, 0.0), (1.0, 1.0, 1.0)]), "front", 100, 100)
    assert (paint([], camera, Ground(0.0, (0.0, 0.0), 1.0)) == paint([], camera, None)).all()


def test_what_reaches_behind_the_camera_is_cut() -> None:
    box = geom(Box(size=(1.0, 1.0, 1.0)), pos=(0.0, 0.0, 0.5))
    tilted = Plane(normal=(-0.1, 0.0, 1.0), size=(0.0, 0.0))
    picture = shot(scene_of(box, world=(geom(tilted, GREEN, (0.0, 0.0, -0.2)),)), view="iso")
    assert reddish(picture).any()
    assert reddish(picture, 1)[199].all(), "the foreground is all plane"


# ---------------------------------------------------------------------------------------------------- MuJoCo's rays


@pytest.mark.parametrize(
    "name", ["feature_mjcf_scene.xml", "feature_mjcf_defaults.xml", "feature_mjcf_multi_joint.xml"]
)
@pytest.mark.parametrize("view", ["iso", "left"])
def test_the_rays_of_mujoco_hit_what_is_drawn(made: Path, name: str, view: str) -> None:
    """A MuJoCo ray through each pixel: the outline is the same, and so is the part in front."""
    scene = read(made / name)
    scene = scene.evolve(
        bodies=[
            Body(name=body.name, geoms=tuple(each for each in body.geoms if not isinstance(each.shape, Plane)))
            for body in scene.bodies.values()
        ]
    )
    width, height = 120, 90
    stage, camera = staged(scene, view, width, height)
    things = stage.things(forward(scene))
    assert things
    mine = (paint(drawn(things, stage, None), camera, None) != paint([], camera, None)).any(axis=2)
    model = mujoco_model(made / name)
    data = at_rest(model)
    model.geom_group[:] = np.where(model.geom_type == mujoco.mjtGeom.mjGEOM_PLANE, 5, 0)
    shown = {thing.geom.name for thing in things}
    for index in range(model.ngeom):
        if model.geom(index).name and model.geom(index).name not in shown:
            model.geom_group[index] = 5
    groups = np.array([1, 1, 1, 1, 1, 0], dtype=np.uint8)
    origin, direction = (np.broadcast_to(each, (height, width, 3)) for each in camera.rays(slice(None)))
    theirs = np.zeros((height, width), dtype=bool)
    start = -camera.reach if not camera.perspective else 0.0
    hit = np.zeros(1, dtype=np.int32)
    for row in range(height):
        for column in range(width):
            way = direction[row, column] / np.linalg.norm(direction[row, column])
            begin = origin[row, column] + (-50.0 * way if start else 0.0)
            theirs[row, column] = mujoco.mj_ray(model, data, begin, way, groups, 1, -1, hit) >= 0
    assert theirs.any()
    assert (mine & theirs).sum() / (mine | theirs).sum() > 0.95


@pytest.mark.parametrize(("along", "across"), [(0.0, 1.0), (1.0, 0.0), (0.0, 0.0)])
@pytest.mark.parametrize("normal", [(0.0, 0.0, 1.0), (1.0, 0.0, 0.0)])
def test_a_plane_is_endless_where_that_of_mujoco_is(
    along: float, across: float, normal: tuple[float, float, float]
) -> None:
    plane = geom(Plane(normal=normal, size=(2 * along, 2 * across)), GREEN)
    ball = geom(Sphere(radius=3.0))
    stage = staged(scene_of(ball, world=(plane,)), "iso", 10, 10)[0]
    things = [thing for thing in stage.things(forward(stage.scene)) if thing.geom is plane]
    ((piece, _, linear, _),) = drawn(things, stage, Ground(-3.0, (0.0, 0.0), 3.0))
    said = f'type="plane" size="{along} {across} .1" zaxis="{normal[0]} {normal[1]} {normal[2]}"'
    model = mujoco.MjModel.from_xml_string(f"<mujoco><worldbody><geom {said}/></worldbody></mujoco>")
    data = at_rest(model)
    axes = data.geom_xmat[0].reshape(3, 3)
    corners = piece.vertices @ linear.T @ axes
    for column, (axis, size) in enumerate(zip(axes.T[:2], (along, across), strict=True)):
        reach = float(abs(corners[:, column]).max())
        for at in (0.99 * reach, 1.01 * reach):
            hit = mujoco.mj_ray(model, data, at * axis + axes[:, 2], -axes[:, 2], None, 1, -1, np.zeros(1, np.int32))
            assert (hit >= 0) is (size == 0 or at < reach)
        assert size > 0 or reach == pytest.approx(writer.LARGE * 3.0)


def test_what_bounds_a_mesh_takes_less_memory_than_the_mesh() -> None:
    vertices = np.random.default_rng(1).uniform(-1, 1, (100_000, 3))
    tracemalloc.start()
    found = _extremes(vertices)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < vertices.nbytes
    assert np.array_equal(np.ptp(found, axis=0), np.ptp(vertices, axis=0))
