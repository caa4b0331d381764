"""Triangles onto pixels with numpy alone: rows of triangles, then pixels of rows, whole arrays at a time.

A pixel belongs to a triangle when its centre does. What is closest is found in a single array of whole numbers: the
closeness in the upper bits, the triangle in the lower ones, so that a maximum settles both.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy import float64, int64, uint64
    from numpy.typing import NDArray

    Floats = NDArray[float64]
    Ints = NDArray[int64]
    Keys = NDArray[uint64]

BITS = 24
"""Of a key, for the number of a triangle in its batch; the other 40 are for its closeness."""
MOST = (1 << BITS) - 2
_NUMBER = np.uint64((1 << BITS) - 1)
_DEPTHS = float((1 << (64 - BITS)) - 2)

ROWS = 1 << 18
PIXELS = 1 << 20
"""Rows and pixels that are looked at in one go: they stay in the caches."""
EDGE = 1e-9
"""Pixels by which spans are widened, so that rounding leaves no gap between neighbours."""


class Spans(NamedTuple):
    """Runs of pixels: number of the triangle, row, first column and length (k,) each."""

    triangle: Ints
    row: Ints
    first: Ints
    length: Ints


class Pixels(NamedTuple):
    """Pixels of triangles: number of the triangle, place row * width + column, and column (k,) each."""

    triangle: Ints
    place: Ints
    column: Ints


def spans(corners: Floats, width: int, height: int) -> Iterator[Spans]:
    """The pixels of screen triangles (m, 3, 2), either way round, as runs within the picture."""
    x, y = corners[..., 0], corners[..., 1]
    (left, right), (upper, lower) = _range(x), _range(y)
    top = np.ceil(np.clip(upper, 0.0, height) - 0.5).astype(np.int64)
    bottom = np.floor(np.clip(lower, -1.0, height) - 0.5).astype(np.int64)
    out = (right < 0) | (left > width)
    counts = np.where(out, 0, np.maximum(np.minimum(bottom, height - 1) - top + 1, 0))
    some = np.flatnonzero(counts)
    for part in _batches(counts[some], ROWS):
        chosen = some[part]
        yield _spans(corners[chosen], chosen, top[chosen], counts[chosen], width)


def _batches(counts: Ints, most: int) -> Iterator[slice]:
    """Parts of a table, one after the other, whose counts come to no more than most; at least one row each."""
    total = np.cumsum(counts)
    start = 0
    while start < len(counts):
        before = int(total[start - 1]) if start else 0
        stop = max(int(np.searchsorted(total, before + most, side="right")), start + 1)
        yield slice(start, stop)
        start = stop


def _range(values: Floats) -> tuple[Floats, Floats]:
    """Least and greatest (m,) of three (m, 3): numpy's own are slow along short rows."""
    a, b, c = values[:, 0], values[:, 1], values[:, 2]
    return np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c)


def _spans(corners: Floats, number: Ints, top: Ints, counts: Ints, width: int) -> Spans:
    """Rows of some triangles cut by their three edges."""
    which = np.repeat(np.arange(len(counts)), counts)
    row = np.arange(len(which)) - np.repeat(np.cumsum(counts) - counts, counts) + top[which]
    low, high = np.full(len(which), 0.0), np.full(len(which), float(width))
    one, two, three = corners[:, 0], corners[:, 1], corners[:, 2]
    area = (two[:, 0] - one[:, 0]) * (three[:, 1] - one[:, 1]) - (two[:, 1] - one[:, 1]) * (three[:, 0] - one[:, 0])
    sign = np.sign(area)
    centre = row + 0.5
    for a, b in ((one, two), (two, three), (three, one)):
        rise = (b[:, 1] - a[:, 1]) * sign
        slope = np.divide(b[:, 0] - a[:, 0], b[:, 1] - a[:, 1], out=np.zeros(len(a)), where=rise != 0)
        cut = a[which, 0] + slope[which] * (centre - a[which, 1])
        side = rise[which]
        np.minimum(high, cut, out=high, where=side > 0)
        np.maximum(low, cut, out=low, where=side < 0)
        flat = side == 0
        if flat.any():  # a level edge bounds the rows, which have been counted; a triangle without area has no pixels
            high[flat & (sign[which] == 0)] = -1.0
    first = np.ceil(low - (0.5 + EDGE)).astype(np.int64)
    count = np.minimum(np.floor(high - (0.5 - EDGE)).astype(np.int64), width - 1) - first + 1
    kept = np.flatnonzero(count > 0)
    return Spans(number[which[kept]], row[kept], first[kept], count[kept])


def draw(
    keys: Keys,
    corners: Floats,
    closeness: Floats,
    width: int,
    *,
    below: Keys | None = None,
    above: Keys | None = None,
) -> None:
    """Enter screen triangles (m, 3, 2) with the closeness (m, 3) of their corners into keys (h * w,), in place.

    Entered are the number of the triangle plus one where it is closest. below and above (h * w,) bound what is drawn:
    only what is closer than above and less close than below.
    """
    assert len(corners) <= MOST
    height = len(keys) // width
    gradient = _gradient(corners, closeness)
    lowest, highest = _range(closeness)
    for run in spans(corners, width, height):
        t = run.triangle
        start = closeness[t, 0] + gradient[t, 0] * (run.first + 0.5 - corners[t, 0, 0])
        start += gradient[t, 1] * (run.row + 0.5 - corners[t, 0, 1])
        least, most = lowest[t], highest[t]
        begin = run.row * width + run.first
        for part in _batches(run.length, PIXELS):
            count = run.length[part]
            which = np.repeat(np.arange(part.start, part.stop), count)
            step = np.arange(len(which)) - np.repeat(np.cumsum(count) - count, count)
            index = begin[which] + step
            close = start[which] + gradient[t[which], 0] * step
            np.clip(close, least[which], most[which], out=close)
            key = (close * _DEPTHS).astype(np.uint64) + np.uint64(1) << np.uint64(BITS)
            if below is not None and above is not None:
                inside = np.flatnonzero((key < below[index]) & (key > above[index]))
                index, key, which = index[inside], key[inside], which[inside]
            np.maximum.at(keys, index, key | (t[which] + 1).astype(np.uint64))


def _gradient(corners: Floats, values: Floats) -> Floats:
    """Change (m, 2) of values at the corners for a pixel to the right and for one down; none without area."""
    a, b = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    u, v = values[:, 1] - values[:, 0], values[:, 2] - values[:, 0]
    area = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    some = np.abs(area) > 1e-300
    safe = np.where(some, area, 1.0)
    found = np.stack([(u * b[:, 1] - v * a[:, 1]) / safe, (v * a[:, 0] - u * b[:, 0]) / safe], axis=1)
    found[~some] = 0.0
    return found


def winners(keys: Keys, width: int) -> Iterator[Pixels]:
    """The pixels that triangles of the last batch have won; their numbers are taken out of the keys."""
    for start in range(0, len(keys), PIXELS):
        some = keys[start : start + PIXELS]
        place = np.flatnonzero(some & _NUMBER)
        if len(place):
            triangle = (some[place] & _NUMBER).astype(np.int64) - 1
            some[place] &= ~_NUMBER
            place += start
            yield Pixels(triangle, place, place % width)


def key_of(closeness: Floats) -> Keys:
    """Keys without a triangle, for surfaces that are no triangles."""
    return (closeness * _DEPTHS).astype(np.uint64) + np.uint64(1) << np.uint64(BITS)


def weights(corners: Floats, pixels: Pixels, width: int) -> Floats:
    """Shares (k, 3) of the corners in each pixel; within [0, 1]."""
    some = corners[pixels.triangle]
    point = np.stack([pixels.column + 0.5, pixels.place // width + 0.5], axis=1)
    a, b, p = some[:, 1] - some[:, 0], some[:, 2] - some[:, 0], point - some[:, 0]
    area = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    area = np.where(np.abs(area) > 1e-300, area, 1.0)
    second = np.clip((p[:, 0] * b[:, 1] - p[:, 1] * b[:, 0]) / area, 0.0, 1.0)
    third = np.clip((a[:, 0] * p[:, 1] - a[:, 1] * p[:, 0]) / area, 0.0, 1.0 - second)
    return np.stack([1.0 - second - third, second, third], axis=1)


def clipped(seen: Floats, others: tuple[Floats, ...], near: float) -> tuple[Floats, tuple[Floats, ...]]:
    """Triangles (m, 3, 3) in camera coordinates cut at depth near, with values (m, 3, k) at their corners."""
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
