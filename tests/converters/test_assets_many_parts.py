"""Mesh files of very many parts."""

from pathlib import Path

import numpy as np

from converters.assets.meshes.files import load
from tests.files import saved


def test_each_group_of_many_has_its_own_vertices(tmp_path: Path) -> None:
    """Groups that recur, whose faces use far fewer vertices than the file has."""
    corners = np.random.default_rng(0).integers(0, 900, (600, 3))
    points = np.arange(900.0)[:, None] * [1, 2, 3]
    lines = [f"v {x} {y} {z}" for x, y, z in points.tolist()]
    lines += [f"g part{n % 200}\nf {a + 1} {b + 1} {c + 1}" for n, (a, b, c) in enumerate(corners.tolist())]
    path = saved(tmp_path / "a.obj", "\n".join(lines))
    parts = load(path).parts
    assert [part.name for part in parts] == [f"part{n}" for n in range(200)]
    for n, part in enumerate(parts):
        assert np.array_equal(part.vertices[part.faces], points[corners[n::200]])
        assert np.array_equal(part.vertices, points[np.unique(corners[n::200])])
