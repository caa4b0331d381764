"""The rasteriser against triangles that are evaluated pixel by pixel."""

from __future__ import annotations

import numpy as np
import pytest

from converters.png import raster
from converters.png.raster import Window, clipped, draw, key_of, spans, weights, winners

WIDTH, HEIGHT = 40, 30


def covered(corners: np.ndarray) -> set[tuple[int, int, int]]:
    """Return (triangle, row, column) of all pixels that spans gives."""
    found: list[tuple[int, int, int]] = []
    for run in spans(corners, Window(0, 0, WIDTH, HEIGHT), WIDTH):
        for triangle, row, first, length in zip(run.triangle, run.row, run.first, run.length, strict=True):
            found += [(int(triangle), int(row), int(column)) for column in range(first, first + length)]
    assert len(found) == len(set(found)), "a pixel twice"
    return set(found)


def side(a: np.ndarray, b: np.ndarray, point: tuple[float, float]) -> float:
    return float((b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]))


def inside(triangle: np.ndarray, row: int, column: int) -> tuple[bool, float]:
    """Return whether the centre of a pixel is in a triangle, and its margin (as an area)."""
    a, b, c = triangle
    point = (column + 0.5, row + 0.5)
    sides = [side(a, b, point), side(b, c, point), side(c, a, point)]
    area = side(a, b, c)
    signed = [value * np.sign(area) for value in sides]
    return min(signed) >= 0 and area != 0, min(abs(value) for value in signed)


@pytest.mark.parametrize("reach", [3.0, 40.0, 400.0])
def test_a_triangle_has_the_pixels_whose_centres_it_holds(reach: float) -> None:
    dice = np.random.default_rng(int(reach))
    middle = dice.uniform((-5, -5), (WIDTH + 5, HEIGHT + 5), size=(60, 1, 2))
    corners = middle + dice.uniform(-reach, reach, size=(60, 3, 2))
    corners[::7] = np.round(corners[::7])
    found = covered(corners)
    for number, triangle in enumerate(corners):
        for row in range(HEIGHT):
            for column in range(WIDTH):
                expected, doubt = inside(triangle, row, column)
                if doubt > 1e-6:
                    assert ((number, row, column) in found) == expected
    assert all(0 <= row < HEIGHT and 0 <= column < WIDTH for _, row, column in found)


def test_triangles_without_area_have_no_pixels() -> None:
    point, line, level = [(5.5, 5.5)] * 3, [(1, 1), (20, 9), (10.5, 5)], [(1.0, 4.5), (20.0, 4.5), (7.0, 4.5)]
    assert covered(np.array([point, line, level], dtype=float)) == set()


def test_neighbours_leave_no_gap() -> None:
    dice = np.random.default_rng(1)
    edge = np.linspace(-1.0, 41.0, 12)
    x, y = np.meshgrid(edge, edge)
    x[1:-1, 1:-1] += dice.uniform(-1.5, 1.5, size=(10, 10))
    y[1:-1, 1:-1] += dice.uniform(-1.5, 1.5, size=(10, 10))
    points = np.stack([x, y], axis=-1)
    a, b, c, d = points[:-1, :-1], points[:-1, 1:], points[1:, 1:], points[1:, :-1]
    corners = np.concatenate([np.stack([a, b, c], axis=2), np.stack([a, c, d], axis=2)]).reshape(-1, 3, 2)
    pixels = {(row, column) for _, row, column in covered(corners)}
    assert len(pixels) == WIDTH * HEIGHT


def test_chunks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    dice = np.random.default_rng(2)
    corners = dice.uniform(0, 40, size=(80, 3, 2))
    closeness = dice.uniform(0.1, 0.9, size=(80, 3))

    def drawn() -> np.ndarray:
        keys = np.zeros(WIDTH * HEIGHT, dtype=np.uint64)
        draw(keys, corners, closeness, WIDTH)
        return keys

    whole = drawn()
    monkeypatch.setattr(raster, "ROWS", 7)
    monkeypatch.setattr(raster, "PIXELS", 13)
    assert (drawn() == whole).all()


@pytest.mark.parametrize("bounded", [False, True])
@pytest.mark.parametrize("kind", ["any", "stacked", "crossing", "equal", "slivers", "far"])
def test_what_is_drawn_tile_by_tile_is_what_is_drawn_at_once(
    kind: str, bounded: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    dice = np.random.default_rng(5)
    corners, closeness = dice.uniform(-10, 50, size=(300, 3, 2)), dice.uniform(0.1, 0.9, size=(300, 3))
    step = np.linspace(0.0, 1.0, 300)[:, None]
    if kind in ("stacked", "crossing", "equal"):
        corners[:] = corners[0] + (0.0 if kind == "equal" else step[..., None] * 3)
        closeness[:] = closeness[0] + step * {"stacked": 0.01, "crossing": 0.0, "equal": 0.0}[kind]
        closeness[:, 0] += 0.1 * step[:, 0] if kind == "crossing" else 0.0
    elif kind == "slivers":
        corners[:, 2] = corners[:, 1] + dice.uniform(-1e-7, 1e-7, size=(300, 2))
    elif kind == "far":
        corners *= 10.0 ** dice.uniform(0, 9, size=(300, 1, 1))
    limits = [key_of(dice.uniform(low, low + 0.4, WIDTH * HEIGHT)) for low in (0.5, 0.0)] if bounded else [None, None]

    def drawn(overdrawn: float) -> np.ndarray:
        monkeypatch.setattr(raster, "OVERDRAWN", overdrawn)
        keys = np.zeros(WIDTH * HEIGHT, dtype=np.uint64)
        draw(keys, corners, closeness, WIDTH, below=limits[0], above=limits[1])
        return keys

    monkeypatch.setattr(raster, "TILE", 8)
    monkeypatch.setattr(raster, "CHUNK", 3)
    assert (drawn(0.0) == drawn(1e300)).all()


def test_what_lies_behind_is_hardly_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = []
    real = raster.key_of
    monkeypatch.setattr(raster, "key_of", lambda values: looked.append(values.size) or real(values))
    corners = np.repeat(np.array([[(-100.0, -100.0), (900.0, -100.0), (-100.0, 900.0)]]), 1000, axis=0)
    closeness = np.array((0.2, 0.4, 0.3)) + np.linspace(0.0, 0.1, 1000)[:, None]
    keys = np.zeros(200 * 200, dtype=np.uint64)
    draw(keys, corners, closeness, 200)
    assert (keys & np.uint64((1 << raster.BITS) - 1) == 1000).all()
    assert sum(looked) < 0.05 * len(corners) * len(keys)


def test_the_closest_wins_and_the_order_does_not_matter() -> None:
    dice = np.random.default_rng(3)
    corners = dice.uniform(-10, 50, size=(30, 3, 2))
    closeness = dice.uniform(0.1, 0.9, size=(30, 3))
    best = np.full((HEIGHT, WIDTH), -1.0)
    who = np.full((HEIGHT, WIDTH), -1)
    for number, row, column in covered(corners):
        a, b, c = corners[number]
        point = (column + 0.5, row + 0.5)
        share = np.array([side(b, c, point), side(c, a, point), side(a, b, point)]) / side(a, b, c)
        value = float(share @ closeness[number])
        if value > best[row, column]:
            best[row, column], who[row, column] = value, number
    for order in (np.arange(30), np.arange(30)[::-1]):
        keys = np.zeros(WIDTH * HEIGHT, dtype=np.uint64)
        for part in np.array_split(order, 3):
            draw(keys, corners[part], closeness[part], WIDTH)
            for won in winners(keys, WIDTH):
                shares = weights(corners[part], won, WIDTH)
                assert shares.sum(axis=1) == pytest.approx(1.0)
                assert shares.min() >= 0.0
        depth = (keys >> np.uint64(raster.BITS)).astype(float).reshape(HEIGHT, WIDTH) / raster._DEPTHS
        assert depth == pytest.approx(np.where(who >= 0, best, 0.0), abs=1e-9)


def test_what_is_drawn_can_be_bounded_on_both_sides() -> None:
    whole = np.array([[(-1.0, -1.0), (200.0, -1.0), (-1.0, 200.0)]])
    far, near = (key_of(np.full(WIDTH * HEIGHT, value)) for value in (0.2, 0.6))
    for value, count in ((0.1, 0), (0.4, WIDTH * HEIGHT), (0.7, 0)):
        keys = np.zeros(WIDTH * HEIGHT, dtype=np.uint64)
        draw(keys, whole, np.full((1, 3), value), WIDTH, below=near, above=far)
        assert np.count_nonzero(keys) == count


def test_triangles_are_cut_at_the_nearest_plane() -> None:
    """The rest has the area and the centre that the plane leaves, and values stay linear."""
    dice = np.random.default_rng(4)
    seen = dice.uniform(-1, 1, size=(200, 3, 3))
    left, (values,) = clipped(seen, (seen @ np.array([[2.0], [3.0], [-1.0]]),), 0.25)
    assert left[..., 2].min() >= 0.25 - 1e-12
    assert values == pytest.approx(left @ np.array([[2.0], [3.0], [-1.0]]))

    def areas(triangles: np.ndarray) -> np.ndarray:
        return np.linalg.norm(np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]), axis=1)

    import trimesh

    total = 0.0
    for triangle in seen:
        cut = trimesh.intersections.slice_faces_plane(
            triangle, np.array([[0, 1, 2]]), np.array((0.0, 0.0, 1.0)), np.array((0.0, 0.0, 0.25))
        )
        total += areas(cut[0][cut[1]]).sum() if len(cut[1]) else 0.0
    assert areas(left).sum() == pytest.approx(total)
    normal = np.cross(seen[:, 1] - seen[:, 0], seen[:, 2] - seen[:, 0])[:, 2]
    after = np.cross(left[:, 1] - left[:, 0], left[:, 2] - left[:, 0])[:, 2]
    assert {round(float(abs(value)), 6) >= 0 for value in after} == {True}
    assert (after > 0).any()
    assert (normal > 0).any()
    same, _ = clipped(np.abs(seen) + 1.0, (seen,), 0.5)
    assert same == pytest.approx(np.abs(seen) + 1.0)
