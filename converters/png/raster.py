"""Rasterisation of triangles with numpy only: rows of triangles, then pixels of rows, whole arrays at a time.

A pixel belongs to a triangle if its centre does. The closest triangle is found with a single integer array: closeness
in the upper bits, triangle index in the lower ones, so that a maximum determines both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ir.arrays import Flags, Floats, Ints, Keys, np

BITS = 24
"""Bits of a key for the index of a triangle in its batch; the other 40 are for its closeness."""
MOST = (1 << BITS) - 2
_NUMBER = np.uint64((1 << BITS) - 1)
_DEPTHS = float((1 << (64 - BITS)) - 2)

ROWS = 1 << 18
PIXELS = 1 << 20
"""Rows and pixels that are processed at once, to stay in the caches."""
EDGE = 1e-9
"""Pixels by which spans are widened, so that rounding leaves no gap between neighbours."""
OVERDRAWN = 16
"""Ratio of the triangles' bounding boxes to the picture above which they are drawn by tile, the nearest first."""
TILE = 64
CHUNK = 16
"""Pixels along a tile edge; triangles in a tile after which the remaining ones are first culled."""
ROUNDING = 1e-12
"""Relative tolerance by which bounds are widened, much larger than the rounding errors of drawing."""


class Spans(NamedTuple):
    """Runs of pixels: triangle index, row, first column and length (k,) each."""

    triangle: Ints
    row: Ints
    first: Ints
    length: Ints


class Pixels(NamedTuple):
    """Pixels of triangles: triangle index, place row * width + column, and column (k,) each."""

    triangle: Ints
    place: Ints
    column: Ints


class Window(NamedTuple):
    """Part of a picture: its first column and row, and those after its last."""

    left: int
    top: int
    right: int
    bottom: int


class Triangles(NamedTuple):
    """Screen triangles: index plus one (m,), corners (m, 3, 2), closeness (m, 3) at these and its gradient (m, 2)."""

    number: Keys
    corners: Floats
    closeness: Floats
    gradient: Floats

    def some(self, chosen: Ints | slice) -> Triangles:
        return Triangles(self.number[chosen], self.corners[chosen], self.closeness[chosen], self.gradient[chosen])


class Layer(NamedTuple):
    """The keys to draw into, (h, w) or (h * w,); only what is less close than below and closer than above is drawn."""

    keys: Keys
    below: Keys | None
    above: Keys | None

    def each(self, part: Callable[[Keys], Keys]) -> Layer:
        """Return the layer of a part, or in another shape, sharing its memory."""
        bounds = (None if keys is None else part(keys) for keys in self[1:])
        return Layer(part(self.keys), *bounds)


def spans(corners: Floats, window: Window, width: int) -> Iterator[Spans]:
    """Yield the pixels of screen triangles (m, 3, 2) of either orientation, as runs in the rows of a window of the
    picture.

    Triangles and rows outside the window are omitted, but a run begins and ends where it does in the whole picture.
    """
    x, y = corners[..., 0], corners[..., 1]
    (left, right), (upper, lower) = _range(x), _range(y)
    top = np.ceil(np.clip(upper, window.top, window.bottom) - 0.5).astype(np.int64)
    bottom = np.floor(np.clip(lower, window.top - 1.0, window.bottom) - 0.5).astype(np.int64)
    out = (right < window.left) | (left > window.right)
    counts = np.where(out, 0, np.maximum(np.minimum(bottom, window.bottom - 1) - top + 1, 0))
    some = np.flatnonzero(counts)
    for part in _batches(counts[some], ROWS):
        chosen = some[part]
        yield _spans(corners[chosen], chosen, top[chosen], counts[chosen], width)


def _batches(counts: Ints, most: int) -> Iterator[slice]:
    """Yield consecutive slices of a table whose counts add up to at most `most`, each with at least one row."""
    total = np.cumsum(counts)
    start = 0
    while start < len(counts):
        before = int(total[start - 1]) if start else 0
        stop = max(int(np.searchsorted(total, before + most, side="right")), start + 1)
        yield slice(start, stop)
        start = stop


def _range(values: Floats) -> tuple[Floats, Floats]:
    """Return minimum and maximum (m,) of three values (m, 3), because numpy's own are slow along short rows."""
    a, b, c = values[:, 0], values[:, 1], values[:, 2]
    return np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c)


def _spans(corners: Floats, number: Ints, top: Ints, counts: Ints, width: int) -> Spans:
    """Return the rows of triangles clipped by their three edges."""
    which = np.repeat(np.arange(len(counts)), counts)
    row = np.arange(len(which)) - np.repeat(np.cumsum(counts) - counts, counts) + top[which]
    low, high = np.full(len(which), 0.0), np.full(len(which), float(width))
    one, two, three = corners[:, 0], corners[:, 1], corners[:, 2]
    sign = np.sign(_cross(two - one, three - one))
    centre = row + 0.5
    for a, b in ((one, two), (two, three), (three, one)):
        rise = (b[:, 1] - a[:, 1]) * sign
        slope = np.divide(b[:, 0] - a[:, 0], b[:, 1] - a[:, 1], out=np.zeros(len(a)), where=rise != 0)
        cut = a[which, 0] + slope[which] * (centre - a[which, 1])
        side = rise[which]
        np.minimum(high, cut, out=high, where=side > 0)
        np.maximum(low, cut, out=low, where=side < 0)
        flat = side == 0
        if flat.any():  # a level edge limits the rows, which are counted already; a triangle without area has no pixels
            high[flat & (sign[which] == 0)] = -1.0
    first = np.ceil(low - (0.5 + EDGE)).astype(np.int64)
    count = np.minimum(np.floor(high - (0.5 - EDGE)).astype(np.int64), width - 1) - first + 1
    kept = np.flatnonzero(count > 0)
    return Spans(number[which[kept]], row[kept], first[kept], count[kept])


def draw(
    keys: Keys, corners: Floats, closeness: Floats, width: int, *, below: Keys | None = None, above: Keys | None = None
) -> None:
    """Draw screen triangles (m, 3, 2) with the closeness (m, 3) of their corners into keys (h * w,), in place.

    Where a triangle is closest, its index plus one is entered. below and above (h * w,) limit what is drawn: only what
    is closer than above and less close than below.
    """
    assert len(corners) <= MOST
    layer = Layer(keys, below, above).each(lambda each: each.reshape(-1, width))
    numbers = np.arange(1, len(corners) + 1, dtype=np.uint64)
    triangles = Triangles(numbers, corners, closeness, _gradient(corners, closeness))
    height = len(keys) // width
    left, right = _range(np.clip(corners[..., 0], 0, width))
    upper, lower = _range(np.clip(corners[..., 1], 0, height))
    if ((right - left) * (lower - upper)).sum() < OVERDRAWN * len(keys):
        _enter(layer, triangles, Window(0, 0, width, height))
        return

    for y in range(0, height, TILE):
        row = np.flatnonzero((upper <= y + TILE) & (lower >= y))
        for x in range(0, width, TILE):
            within = row[(left[row] <= x + TILE) & (right[row] >= x)]
            tile = Window(x, y, min(x + TILE, width), min(y + TILE, height))
            _enter_nearest(layer, triangles.some(within), tile)


def _enter_nearest(layer: Layer, triangles: Triangles, tile: Window) -> None:
    """Draw triangles into a tile, the nearest first, until all others are hidden there."""
    lowest, highest = _range(triangles.closeness)
    least, most = (key_of(np.clip(each, lowest, highest)) for each in _reach(triangles, tile, (0.0, 0.0)))
    order = np.lexsort((triangles.number, most))[::-1]
    keys, below, above = layer.each(lambda each: each[tile.top : tile.bottom, tile.left : tile.right])
    chunk = CHUNK
    while len(order):
        behind = keys if above is None else np.maximum(keys, above)
        slope = triangles.gradient[order[0]]
        _, reach = _reach(triangles.some(order), tile, slope)
        left = ((behind >> np.uint64(BITS)).astype(np.float64) - 1.0) / _DEPTHS - _rise(slope, tile)
        free = (behind < (most[order[0]] | _NUMBER)) & (left <= reach.max())
        if below is not None:
            free &= below > least[order].min()
        if not free.any():
            return
        order = order[(most[order] | triangles.number[order] > behind[free].min()) & (reach >= left[free].min())]
        order = order[_touching(triangles.corners[order], free, tile)]
        _enter(layer, triangles.some(order[:chunk]), _around(free, tile))
        order = order[chunk:]
        chunk *= 2


def _rise(slope: Floats, tile: Window) -> Floats:
    """Return (h, w) by how much a plane of that slope (2,) rises from the picture's corner to pixels of a tile."""
    x, y = np.arange(tile.left, tile.right) + 0.5, np.arange(tile.top, tile.bottom) + 0.5
    found: Floats = slope[1] * y[:, None] + slope[0] * x
    return found


def _reach(triangles: Triangles, tile: Window, slope: Sequence[float] | Floats) -> tuple[Floats, Floats]:
    """Return minimum and maximum closeness (m,) of triangles in a tile relative to a plane of that slope (2,) through
    the corner of the picture: nearly coplanar surfaces are distinguished only relative to a plane of similar slope."""
    least = most = triangles.closeness[:, 0]
    for axis, (low, high) in enumerate(((tile.left, tile.right), (tile.top, tile.bottom))):
        steep, origin = triangles.gradient[:, axis], triangles.corners[:, 0, axis]
        one, two = (steep * (edge - origin) - slope[axis] * edge for edge in (low, high))
        slack = ROUNDING * (1.0 + np.abs(steep) * (np.abs(origin) + high)) + 10 * EDGE * np.abs(steep)
        least, most = least + np.minimum(one, two) - slack, most + np.maximum(one, two) + slack
    return np.nan_to_num(least, nan=-np.inf), np.nan_to_num(most, nan=np.inf)


def _around(free: Flags, tile: Window) -> Window:
    """Return the window around some pixels (h, w) of a tile."""
    (top, *_, bottom), (left, *_, right) = (np.flatnonzero(free.any(axis=axis)).repeat(2) for axis in (1, 0))
    return Window(tile.left + int(left), tile.top + int(top), tile.left + int(right) + 1, tile.top + int(bottom) + 1)


def _touching(corners: Floats, free: Flags, tile: Window) -> Flags:
    """Whether triangles (m, 3, 2) may cover any free pixel (h, w) of a tile: no edge separates them from all."""
    rows = np.flatnonzero(free.any(axis=1))
    first, last = free[rows].argmax(axis=1), free.shape[1] - 1 - free[rows, ::-1].argmax(axis=1)
    x = np.concatenate([first, last]) + (tile.left + 0.5)
    y = np.concatenate([rows, rows]) + (tile.top + 0.5)
    area = _cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    touching = np.ones(len(corners), dtype=np.bool_)
    for corner in range(3):
        at = corners[:, corner]
        edge = (corners[:, (corner + 1) % 3] - at) * np.sign(area)[:, None]
        inside = (np.outer(edge[:, 0], y) - np.outer(edge[:, 1], x)).max(axis=1) - _cross(edge, at)
        slack = (10 * EDGE + ROUNDING * np.abs(at).sum(axis=1)) * np.abs(edge).sum(axis=1)
        touching &= ~(inside < -slack)
    return touching


def _cross(one: Floats, two: Floats) -> Floats:
    """Return the cross products (m,) of vectors (m, 2), by row."""
    found: Floats = one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0]
    return found


def _enter(layer: Layer, triangles: Triangles, window: Window) -> None:
    """Draw the pixels of triangles within a window."""
    _, corners, closeness, gradient = triangles
    width = layer.keys.shape[1]
    keys, below, above = layer.each(np.ravel)
    lowest, highest = _range(closeness)
    for run in spans(corners, window, width):
        t = run.triangle
        start = closeness[t, 0] + gradient[t, 0] * (run.first + 0.5 - corners[t, 0, 0])
        start += gradient[t, 1] * (run.row + 0.5 - corners[t, 0, 1])
        least, most = lowest[t], highest[t]
        begin = run.row * width + run.first
        skipped = np.maximum(window.left - run.first, 0)
        length = np.maximum(np.minimum(run.length, window.right - run.first) - skipped, 0)
        for part in _batches(length, PIXELS):
            count = length[part]
            which = np.repeat(np.arange(part.start, part.stop), count)
            step = np.arange(len(which)) - np.repeat(np.cumsum(count) - count - skipped[part], count)
            index = begin[which] + step
            close = start[which] + gradient[t[which], 0] * step
            np.clip(close, least[which], most[which], out=close)
            key = key_of(close)
            if below is not None and above is not None:
                inside = np.flatnonzero((key < below[index]) & (key > above[index]))
                index, key, which = index[inside], key[inside], which[inside]
            np.maximum.at(keys, index, key | triangles.number[t[which]])


def _gradient(corners: Floats, values: Floats) -> Floats:
    """Return the change (m, 2) of values at the corners per pixel to the right and down; 0 without area."""
    a, b = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    u, v = values[:, 1] - values[:, 0], values[:, 2] - values[:, 0]
    area = _cross(a, b)
    some = np.abs(area) > 1e-300
    safe = np.where(some, area, 1.0)
    found = np.stack([(u * b[:, 1] - v * a[:, 1]) / safe, (v * a[:, 0] - u * b[:, 0]) / safe], axis=1)
    found[~some] = 0.0
    return found


def winners(keys: Keys, width: int) -> Iterator[Pixels]:
    """Yield the pixels won by triangles of the last batch, removing their indices from the keys."""
    for start in range(0, len(keys), PIXELS):
        some = keys[start : start + PIXELS]
        place = np.flatnonzero(some & _NUMBER)
        if len(place):
            triangle = (some[place] & _NUMBER).astype(np.int64) - 1
            some[place] &= ~_NUMBER
            place += start
            yield Pixels(triangle, place, place % width)


def key_of(closeness: Floats) -> Keys:
    """Return keys without a triangle, for surfaces that are not made of triangles."""
    return (closeness * _DEPTHS).astype(np.uint64) + np.uint64(1) << np.uint64(BITS)


def weights(corners: Floats, pixels: Pixels, width: int) -> Floats:
    """Return the barycentric weights (k, 3) of the corners in each pixel, within [0, 1]."""
    some = corners[pixels.triangle]
    point = np.stack([pixels.column + 0.5, pixels.place // width + 0.5], axis=1)
    a, b, p = some[:, 1] - some[:, 0], some[:, 2] - some[:, 0], point - some[:, 0]
    area = _cross(a, b)
    area = np.where(np.abs(area) > 1e-300, area, 1.0)
    second = np.clip(_cross(p, b) / area, 0.0, 1.0)
    third = np.clip(_cross(a, p) / area, 0.0, 1.0 - second)
    return np.stack([1.0 - second - third, second, third], axis=1)


def clipped(seen: Floats, others: tuple[Floats, ...], near: float) -> tuple[Floats, tuple[Floats, ...]]:
    """Clip triangles (m, 3, 3) in camera coordinates at depth near, interpolating values (m, 3, k) at their corners."""
    inside = seen[:, :, 2] >= near
    count = inside.sum(axis=1)
    if bool((count == 3).all()):
        return seen, others
    arrays = (seen, *others)
    pieces = [tuple(array[count == 3] for array in arrays)]
    for many, lone in ((1, True), (2, False)):
        chosen = np.flatnonzero(count == many)
        if not len(chosen):
            continue
        turn = (np.argmax(inside[chosen] == lone, axis=1)[:, None] + np.arange(3)) % 3
        moved = [np.take_along_axis(array[chosen], turn[..., None], axis=1) for array in arrays]
        depth = moved[0][:, :, 2]
        share = [(near - depth[:, 0]) / (depth[:, other] - depth[:, 0]) for other in (1, 2)]
        first, last = (
            [each[:, 0] + (each[:, other] - each[:, 0]) * share[other - 1][:, None] for each in moved]
            for other in (1, 2)
        )
        corners = [each.swapaxes(0, 1) for each in moved]
        if lone:
            pieces.append(
                tuple(np.stack(each, axis=1) for each in zip([c[0] for c in corners], first, last, strict=True))
            )
        else:
            pieces.append(tuple(np.stack([f, c[1], c[2]], axis=1) for f, c in zip(first, corners, strict=True)))
            pieces.append(tuple(np.stack([f, c[2], e], axis=1) for f, c, e in zip(first, corners, last, strict=True)))
    whole = [np.concatenate(each) for each in zip(*pieces, strict=True)]
    return whole[0], tuple(whole[1:])
