"""The picture: opaque triangles, the ground under them, then transparent ones, layer by layer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct, field

from converters.png.camera import Viewpoint
from converters.png.ground import Ground, paint_ground
from converters.png.looks import Look, sampled
from converters.png.raster import Pixels, clipped, draw, weights, winners
from converters.png.stage import BEYOND, Piece
from ir.arrays import Bytes, Floats, Ints, Keys, np

BATCH = 1 << 17
"""Triangles that are drawn at once."""
LAYERS = 8
"""Most layers of transparent surfaces that are distinguished."""

ABOVE = np.array((0.93, 0.945, 0.96))
BELOW = np.array((0.72, 0.755, 0.79))
"""The background, at the upper edge and at the lower one."""

AMBIENT = 0.4
KEY, FILL = 0.58, 0.2
SHEEN = 0.08
"""Added regardless of the surface's colour, so that the shape of black surfaces is visible too."""
_TOWARDS = np.array([(-0.5, 0.75, -0.85), (0.85, 0.15, -0.6)])
_LIGHTS = _TOWARDS / np.linalg.norm(_TOWARDS, axis=1, keepdims=True)
"""Directions to the key and the fill light, as right, up and away from the camera, which they follow."""

Drawn = tuple[Piece, Look, Floats, Floats]
"""A piece, its look, and the linear map (3, 3) and offset (3,) to the world frame."""


class Batch(Struct):
    """Triangles in camera coordinates (m, 3, 3), the light (m, 3) and the tints (m, 3, 3) at their corners, and the
    index of their looks."""

    seen: list[Floats] = field(default_factory=list)
    light: list[Floats] = field(default_factory=list)
    uvs: list[Floats] = field(default_factory=list)
    tints: list[Floats] = field(default_factory=list)
    number: list[Floats] = field(default_factory=list)
    looks: list[Look] = field(default_factory=list)
    count: int = 0


class ScreenBatch(Struct, frozen=True, eq=False):
    """A batch on the screen: corners (m, 3, 2), closeness, light (m, 3), uvs (m, 3, 2), tints (m, 3, 3; None if no look
    has any), looks and their indices."""

    corners: Floats
    closeness: Floats
    light: Floats
    uvs: Floats
    tints: Floats | None
    number: Ints
    looks: list[Look]


def paint(things: Iterable[Drawn], camera: Viewpoint, floor: Ground | None) -> Bytes:
    """Return the picture (h, w, 3) of things, in display colours."""
    width, height = camera.width, camera.height
    colours = np.empty((height * width, 3), dtype=np.uint8)
    shade = ((np.arange(height) + 0.5 + camera.top) / (camera.whole or height))[:, None]
    colours[:] = np.repeat(_bytes(ABOVE * (1 - shade) + BELOW * shade), width, axis=0)
    keys: Keys = np.zeros(height * width, dtype=np.uint64)
    through: list[Drawn] = []
    for sheet in sheets(_split(things, through), camera):
        draw(keys, sheet.corners, sheet.closeness, width)
        for won in winners(keys, width):
            colours[won.place] = _bytes(_colours(sheet, won, camera)[:, :3])
    if floor is not None:
        paint_ground(colours, keys, camera, floor)
    if through:
        _blend(colours, keys, list(sheets(through, camera)), camera)
    return colours.reshape(height, width, 3)


def _split(things: Iterable[Drawn], through: list[Drawn]) -> Iterator[Drawn]:
    """Yield the opaque things in order; transparent ones are appended to `through`."""
    for thing in things:
        look = thing[1]
        if not look.blended:
            yield thing
        elif look.rgba[3] > 0:
            through.append(thing)


def sheets(things: Iterable[Drawn], camera: Viewpoint) -> Iterator[ScreenBatch]:
    """Yield things on the screen, in batches."""
    batch = Batch()
    for piece, look, linear, offset in things:
        turn = camera.axes @ linear
        points = piece.vertices @ turn.T + camera.axes @ (offset - camera.eye)
        points[~(np.abs(points) < BEYOND).all(axis=1)] = np.nan
        for start in range(0, len(piece.faces), BATCH):
            _enter(batch, piece, points, slice(start, start + BATCH), look, turn, camera)
            if batch.count >= BATCH:
                yield from _sheet(batch, camera)
                batch = Batch()
    yield from _sheet(batch, camera)


def _enter(
    batch: Batch, piece: Piece, points: Floats, part: slice, look: Look, turn: Floats, camera: Viewpoint
) -> None:
    """Add a part of a piece to a batch, with its light. turn (3, 3) and points (n, 3) lead to the camera."""
    seen = points[piece.faces[part]]
    across = np.cross(seen[:, 1] - seen[:, 0], seen[:, 2] - seen[:, 0])
    if np.linalg.det(turn) < 0:  # a mirror reverses the winding, and so front and back
        across = -across
    away = np.einsum("ij,ij->i", across, seen[:, 0]) > 0 if camera.perspective else across[:, 2] > 0
    normals = across[:, None, :]
    if piece.normals is not None:
        normals = piece.normals[part] @ _cofactors(turn).T
        inward = np.einsum("ikj,ij->ik", normals, across) < 0
        normals = np.where(inward[..., None], -normals, normals)
    normals = np.where(away[:, None, None], -normals, normals)
    length = np.sqrt(np.einsum("ikj,ikj->ik", normals, normals))[..., None]
    facing = normals / np.where(length > 0, length, 1.0) @ _LIGHTS.T
    light = AMBIENT + np.maximum(facing, 0.0) @ (KEY, FILL)
    light = np.broadcast_to(np.minimum(light, 1.0), (len(seen), 3))
    uvs = piece.uvs[part] if piece.uvs is not None and look.image is not None else np.zeros((len(seen), 3, 2))
    tints = piece.tints[part] if piece.tints is not None and look.dyed else np.broadcast_to(1.0, (len(seen), 3, 3))
    if look.blended and not look.double_sided:
        kept = ~away
        seen, light, uvs, tints = seen[kept], light[kept], uvs[kept], tints[kept]
    if np.isnan(points).any():
        near = ~np.isnan(seen).any(axis=(1, 2))
        seen, light, uvs, tints = seen[near], light[near], uvs[near], tints[near]
    batch.seen.append(seen)
    batch.light.append(light)
    batch.uvs.append(uvs)
    batch.tints.append(tints)
    batch.number.append(np.full(len(seen), float(len(batch.looks))))
    batch.looks.append(look)
    batch.count += len(seen)


def _cofactors(linear: Floats) -> Floats:
    """Return the map of normals under a linear map (3, 3), which keeps them facing outwards even if it mirrors."""
    found: Floats = np.stack([np.cross(linear[:, i - 2], linear[:, i - 1]) for i in range(3)], axis=1)
    return -found if np.linalg.det(linear) < 0 else found


def _sheet(batch: Batch, camera: Viewpoint) -> Iterator[ScreenBatch]:
    if not batch.count:
        return
    seen, light = np.concatenate(batch.seen), np.concatenate(batch.light)
    number, uvs = np.concatenate(batch.number), np.concatenate(batch.uvs)
    tints = [np.concatenate(batch.tints)] if any(look.dyed for look in batch.looks) else []
    if camera.perspective:
        spread = np.broadcast_to(number[:, None, None], (len(number), 3, 1))
        seen, (lit, uvs, spread, *tints) = clipped(seen, (light[..., None], uvs, spread, *tints), camera.near)
        light, number = lit[..., 0], spread[:, 0, 0]
    numbers, dyed = np.rint(number).astype(np.int64), tints[0] if tints else None
    yield ScreenBatch(camera.screen(seen), camera.closeness(seen[..., 2]), light, uvs, dyed, numbers, batch.looks)


def _colours(sheet: ScreenBatch, won: Pixels, camera: Viewpoint) -> Floats:
    """Return display colours and alpha (k, 4) of the pixels won by the triangles of a batch."""
    share = weights(sheet.corners, won, camera.width)
    light = np.einsum("ij,ij->i", sheet.light[won.triangle], share)
    number = sheet.number[won.triangle]
    table = np.array([look.rgba for look in sheet.looks])
    found: Floats = table[number]
    if sheet.tints is not None:
        found[:, :3] *= np.einsum("ijk,ij->ik", sheet.tints[won.triangle], share)
    for look_number, look in enumerate(sheet.looks):
        if look.image is None:
            continue
        some = np.flatnonzero(number == look_number)
        if len(some):
            triangle = won.triangle[some]
            weight = share[some] * (sheet.closeness[triangle] if camera.perspective else 1.0)
            weight = weight / np.maximum(weight.sum(axis=1, keepdims=True), 1e-300)
            found[some] *= sampled(look.image, np.einsum("ijk,ij->ik", sheet.uvs[triangle], weight), look.repeat)
    found[:, :3] = found[:, :3] * light[:, None] + SHEEN * (light[:, None] - AMBIENT)
    if any(any(look.glow) for look in sheet.looks):
        found[:, :3] += np.array([look.glow for look in sheet.looks])[number]
    return found


def _blend(colours: Bytes, keys: Keys, transparent: list[ScreenBatch], camera: Viewpoint) -> None:
    """Blend transparent things over the picture: the nearest layer first, then the one behind it, and so on."""
    count = len(keys)
    light, left = np.zeros((count, 3), dtype=np.float32), np.ones(count, dtype=np.float32)
    below: Keys = np.full(count, np.iinfo(np.uint64).max, dtype=np.uint64)
    for _ in range(LAYERS):
        layer: Keys = np.zeros(count, dtype=np.uint64)
        rgba = np.zeros((count, 4), dtype=np.float32)
        for sheet in transparent:
            draw(layer, sheet.corners, sheet.closeness, camera.width, below=below, above=keys)
            for won in winners(layer, camera.width):
                rgba[won.place] = _colours(sheet, won, camera)
        hit = np.flatnonzero(layer)
        if not len(hit):
            break
        alpha = np.clip(rgba[hit, 3], 0.0, 1.0)
        light[hit] += (left[hit] * alpha)[:, None] * np.clip(rgba[hit, :3], 0.0, 1.0)
        left[hit] *= 1.0 - alpha
        below[:] = 0
        below[hit] = layer[hit]
    seen = np.flatnonzero(left < 1.0)
    colours[seen] = _bytes(light[seen] + left[seen, None] * (colours[seen] / np.float32(255)))


def _bytes(colours: Floats) -> Bytes:
    return np.clip(colours * 255.0 + 0.5, 0.0, 255.0).astype(np.uint8)
