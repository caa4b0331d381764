"""Solids used instead of shapes that a target lacks: closed, oriented outwards, on the surface of the shape."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from converters.assets.meshes.files import load
from converters.assets.solids import obj, solid
from ir.inertia import of_mesh
from ir.types import Box, Cone, Ellipsoid
from tests.files import saved


@pytest.mark.parametrize("shape", [Ellipsoid(radii=(1.0, 2.0, 3.0)), Cone(radius=0.5, length=2.0)])
def test_a_solid_has_the_bounds_of_the_shape(shape: Ellipsoid | Cone, tmp_path: Path) -> None:
    found = solid(shape)
    assert found is not None
    name, scale = found
    path = saved(tmp_path / f"{name}.obj", obj(name))
    (part,) = load(path).parts
    points = part.vertices * np.array(scale)
    expected = (1.0, 2.0, 3.0) if isinstance(shape, Ellipsoid) else (0.5, 0.5, 1.0)
    assert points.max(axis=0) == pytest.approx(expected)
    assert points.min(axis=0) == pytest.approx([-value for value in expected])
    inertial = of_mesh(part.vertices, part.faces, scale, 1.0)
    assert inertial is not None
    exact = 4 / 3 * np.pi * 6 if isinstance(shape, Ellipsoid) else np.pi * 0.25 * 2 / 3
    assert inertial.mass == pytest.approx(exact, rel=0.01)


def test_other_shapes_need_none() -> None:
    assert solid(Box(size=(1.0, 1.0, 1.0))) is None
