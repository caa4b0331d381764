"""Pictures against what geometry says must be on them, and against the rays of MuJoCo."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path

import mujoco
import numpy as np
import pytest
from PIL import Image

from converters.context import Context, InputError, Options
from converters.convert import convert, read
from converters.png import writer
from converters.png.camera import MARGIN, TOWARDS, Camera, framed
from converters.png.ground import Ground
from converters.png.looks import Looks
from converters.png.paint import LAYERS, paint
from converters.png.stage import Stage, framing
from converters.png.writer import drawn, write
from converters.report.model import Report
from ir.kinematics import forward
from ir.scene import Scene
from ir.types import (
    WORLD,
    Asset,
    Body,
    Box,
    Dof,
    DofKind,
    Geom,
    HeightField,
    Joint,
    Material,
    Mesh,
    Plane,
    Pose,
    Role,
    Shape,
    Sphere,
)

RED, GREEN, BLUE = (1.0, 0.0, 0.0, 1.0), (0.0, 1.0, 0.0, 1.0), (0.0, 0.0, 1.0, 1.0)
Colour = tuple[float, float, float, float]


def geom(shape: Shape, colour: Colour = RED, pos: tuple[float, float, float] = (0.0, 0.0, 0.0), **rest: object) -> Geom:
    name = f"g{colour}{pos}{shape}"[:200]
    return Geom(
        **(
            {"name": name, "role": Role.VISUAL, "shape": shape, "pose": Pose(pos), "material": json.dumps(colour)}
            | rest
        )
    )


def scene_of(*geoms: Geom, world: tuple[Geom, ...] = (), assets: tuple[Asset, ...] = ()) -> Scene:
    scene = Scene("s")
    scene.add_body(Body(name=WORLD, geoms=world))
    scene.add_body(Body(name="b", geoms=geoms))
    for colour in dict.fromkeys(each.material for each in (*geoms, *world) if each.material):
        scene.add("material", Material(name=colour, rgba=tuple(json.loads(colour))))
    for asset in assets:
        scene.add("asset", asset)
    return scene


def shot(scene: Scene, *, notes: list[str] | None = None, **options: object) -> np.ndarray:
    """The picture as (h, w, 3) of numbers in [0, 1]."""
    settings = Options(**({"size": (200, 200), "view": "front"} | options))
    context = Context(file="s", folder=Path(), options=settings)
    picture = Image.open(BytesIO(write(scene, context).document))
    assert picture.format == "PNG"
    assert picture.size == settings.size
    if notes is not None:
        notes += [note.rule for note in context.notes]
    return np.asarray(picture.convert("RGB")) / 255.0


def reddish(picture: np.ndarray, channel: int = 0) -> np.ndarray:
    """Where one colour stands far above the others."""
    others = np.delete(picture, channel, axis=2).max(axis=2)
    return picture[..., channel] - others > 0.2


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
    """Sheets of glass that face the camera; the picture is that of the textbook, whatever order they come in."""
    sheets = [
        geom(
            Box(size=(0.01, 1.0, 1.0)),
            (*np.eye(3)[number % 3].tolist(), 0.4),
            (float(number), 0.0, 0.0),
        )
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
    """A square that looks along +x, with an image: red and green above, blue and white below."""
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
    """Seen at an angle, the middle of the image is where the middle of the square is, not half way across."""
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
    """Of glass only the sides that face the camera are drawn, so a mesh turned inside out would show its inside."""
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


# ------------------------------------------------------------------------------------------------ framing and ground


def staged(scene: Scene, view: str, width: int, height: int) -> tuple[Stage, Camera]:
    context = Context(file="", folder=Path(), options=Options(view=view))
    stage = Stage(scene, context, Looks(scene, context))
    return stage, framed(framing(stage.things(forward(scene))), view, width, height)


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
    context = Context(file="", folder=Path(), options=Options())
    return Stage(scene, context, Looks(scene, context)).things(forward(scene))


def test_a_plane_is_the_ground_and_has_its_colour() -> None:
    box = geom(Box(size=(1.0, 1.0, 1.0)), pos=(0.0, 0.0, 0.5))
    picture = shot(scene_of(box, world=(geom(Plane(), GREEN),)), view="iso")
    assert reddish(picture, 1)[170:, :].mean() > 0.9
    sunk = shot(scene_of(geom(Box(size=(1.0, 1.0, 1.0))), world=(geom(Plane(), GREEN),)), view="iso")
    assert reddish(sunk).sum() < 0.8 * reddish(picture).sum(), "the ground hides what is below it"


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
    """A ray of MuJoCo through each pixel: the outline is the same, and so is what is in front."""
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
    model = mujoco.MjModel.from_xml_path(str(made / name))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
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
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    axes = data.geom_xmat[0].reshape(3, 3)
    corners = piece.vertices @ linear.T @ axes
    for column, (axis, size) in enumerate(zip(axes.T[:2], (along, across), strict=True)):
        reach = float(abs(corners[:, column]).max())
        for at in (0.99 * reach, 1.01 * reach):
            hit = mujoco.mj_ray(model, data, at * axis + axes[:, 2], -axes[:, 2], None, 1, -1, np.zeros(1, np.int32))
            assert (hit >= 0) is (size == 0 or at < reach)
        assert size > 0 or reach == pytest.approx(writer.LARGE * 3.0)


# ------------------------------------------------------------------------------------------------- whole conversion


def rules(report: Report) -> dict[str, str]:
    return {finding.rule: finding.before for finding in report.findings if finding.rule.startswith("picture/")}


def test_the_report_says_that_a_picture_holds_no_model(made: Path, tmp_path: Path) -> None:
    report = convert(made / "feature_wheeled.urdf", tmp_path / "w.png")
    (finding,) = [each for each in report.findings if each.rule == "picture/no-model"]
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
    broken = tmp_path / "broken.stl"
    broken.write_bytes(b"solid nothing")
    notes: list[str] = []
    asset = Asset(name="m", uri="broken.stl", file=str(broken))
    some = [geom(Mesh(asset="m"), pos=(0.0, 0.0, float(z))) for z in range(3)]
    picture = shot(scene_of(*some, geom(Box(size=(1.0, 1.0, 1.0))), assets=(asset,)), notes=notes)
    assert notes == ["picture/not-drawn"]
    assert reddish(picture)[100, 100]


def test_a_texture_that_is_missing_or_broken_is_said(square: Asset, tmp_path: Path) -> None:
    (tmp_path / "t.png").write_bytes(b"\x89PNG\r\n\x1a\nbroken")
    notes: list[str] = []
    picture = shot(scene_of(geom(Mesh(asset="m")), assets=(square,)), notes=notes)
    assert notes == ["picture/texture"]
    assert np.ptp(picture[60, 60]) < 0.05, "white, as the material says"


def test_nothing_to_see_is_a_picture_and_a_note(tmp_path: Path) -> None:
    notes: list[str] = []
    picture = shot(scene_of(), view="iso", notes=notes)
    assert notes == ["picture/empty"]
    assert picture.shape == (200, 200, 3)
    hidden = scene_of(geom(Box(size=(1.0, 1.0, 1.0)), role=Role.COLLISION))
    shot(hidden, notes=notes)
    assert notes == ["picture/empty", "picture/empty"]
    assert reddish(shot(hidden, show="collision")).any()
    assert reddish(shot(hidden, show="both")).any()


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
