"""Scene -> PNG: one picture of the model at rest, or in the pose of --pose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from io import BytesIO

from converters.assets.tessellate import ENDLESS
from converters.context import Output, WriterContext
from converters.png.camera import framed
from converters.png.ground import Ground
from converters.png.looks import LookTable
from converters.png.paint import Drawn, paint
from converters.png.stage import Stage, Thing, box, framing
from converters.posing import note_lost_motions, positions
from ir.arrays import Bytes, Floats, np
from ir.kinematics import forward
from ir.pose import from_z_to, matrix
from ir.scene import Scene
from ir.types import Plane

FINE = 2
"""Each pixel is the mean of FINE by FINE samples."""
BAND = 1 << 22
"""Samples that are painted at once: a larger picture is made of bands."""
LARGE = 6.0
"""Multiples of the model's radius from which on a horizontal plane is the ground and has no edges."""


def write(scene: Scene, context: WriterContext) -> Output:
    """Return the picture, of Options.size pixels from Options.view, of the geometry given by Options.show.

    Geoms that are not drawn, because a file is missing or cannot be read, are noted in the context. Raises InputError
    for a pose that the model cannot take.
    """
    options = context.options
    note_lost_motions(scene, context)
    stage = Stage(scene, context, LookTable(scene, context))
    things = stage.things(forward(scene, positions(scene, context)))
    points = framing(things)
    if not len(points) and not any(isinstance(thing.geom.shape, Plane) for thing in things):
        context.note(
            "picture/empty",
            "document",
            f"the model has nothing that can be drawn as {options.show} geometry; see --show",
            before=_there(scene),
            action="dropped",
        )
    width, height = options.size
    camera = framed(points, options.view, width * FINE, height * FINE)
    floor, others = _ground(things, points, stage)
    rows = max(BAND // (width * FINE * FINE), 1)
    bands = [camera.band(top * FINE, rows * FINE) for top in range(0, height, rows)]
    picture = np.concatenate([_mean(paint(drawn(others, stage, floor), band, floor)) for band in bands])
    return Output(document=_encoded(picture))


def _there(scene: Scene) -> str:
    roles = Counter(geom.role for geom in scene.geoms())
    return ", ".join(f"{role}: {count}" for role, count in sorted(roles.items())) or "no geometry"


def _ground(things: Sequence[Thing], points: Floats, stage: Stage) -> tuple[Ground | None, list[Thing]]:
    """Return the ground under the model, and all other things: a large horizontal plane is it, else a grid."""
    if not len(points):
        points = np.array([(-0.5, -0.5, 0.0), (0.5, 0.5, 0.0)])
    low, high = points.min(axis=0), points.max(axis=0)
    middle, radius = (low + high) / 2, max(float(np.linalg.norm(high - low)) / 2, 1e-6)
    for thing in things:
        shape = thing.geom.shape
        if not isinstance(shape, Plane):
            continue
        normal = thing.linear @ np.array(shape.normal)
        wide = all(size == 0 or size >= LARGE * radius for size in shape.size)
        if wide and normal[2] > 0.999 * np.linalg.norm(normal):
            look = stage.looks.of(thing.geom, None, True)
            shade = np.ones(4) if look.image is None else look.image.mean(axis=(0, 1)) / 255.0
            red, green, blue, alpha = (np.array(look.rgba) * shade).tolist()
            floor = Ground(float(thing.offset[2]), (middle[0], middle[1]), radius, (red, green, blue, alpha))
            return floor, [other for other in things if other is not thing]
    return Ground(float(low[2]), (middle[0], middle[1]), radius), list(things)


def drawn(things: Sequence[Thing], stage: Stage, floor: Ground | None) -> Iterator[Drawn]:
    """Yield the pieces of things in the form that paint takes."""
    for thing in things:
        geom, linear = thing.geom, thing.linear
        if isinstance(geom.shape, Plane) and floor is not None and not all(geom.shape.size):
            linear = linear @ _endless(geom.shape, LARGE * floor.radius)
        for piece in stage.pieces(geom):
            shown = box(piece) if thing.boxed else piece
            yield shown, stage.look(geom, shown), linear, thing.offset


def _endless(plane: Plane, reach: float) -> Floats:
    """Return the linear map (3, 3) that extends the infinite directions of a plane to this distance on either side."""
    turn = matrix(from_z_to(plane.normal)) if any(plane.normal) else np.eye(3)
    grown = [1.0 if size else 2 * reach / ENDLESS for size in plane.size]
    found: Floats = turn @ np.diag([*grown, 1.0]) @ turn.T
    return found


def _mean(picture: Bytes) -> Bytes:
    """Return pixels that are each the mean of the finer ones."""
    height, width = picture.shape[0] // FINE, picture.shape[1] // FINE
    total = picture.reshape(height, FINE, width, FINE, 3).sum(axis=(1, 3), dtype=np.uint32)
    found: Bytes = ((total + FINE * FINE // 2) // (FINE * FINE)).astype(np.uint8)
    return found


def _encoded(picture: Bytes) -> bytes:
    from PIL import Image

    out = BytesIO()
    Image.fromarray(picture).save(out, "PNG", compress_level=6)
    return out.getvalue()
