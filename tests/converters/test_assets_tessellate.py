"""Shapes as triangles: closed, oriented outwards, on the surface, with the normals of the shape."""

from __future__ import annotations

import math
import tracemalloc
from time import process_time

import numpy as np
import pytest
import trimesh

from converters.assets import tessellate as tessellation
from converters.assets.surfaces import on_surface
from converters.assets.tessellate import ENDLESS, FINEST, Tessellation, tessellate, triangles
from ir.inertia import of_shape
from ir.types import Box, Capsule, Cone, Cylinder, Ellipsoid, Geom, HeightField, Mesh, Plane, Polyline, Shape, Sphere

ANGLE = ((0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (1.0, 1.0), (1.0, 2.0), (0.0, 2.0))
SOLIDS: list[Shape] = [
    Box(size=(1.0, 2.0, 3.0)),
    Sphere(radius=0.5),
    Ellipsoid(radii=(0.1, 0.2, 0.3)),
    Cylinder(radius=0.2, length=0.7),
    Cone(radius=0.2, length=0.5),
    Capsule(radius=0.1, length=0.3),
    Capsule(radius=0.1, length=0.0),
    Polyline(points=ANGLE, height=0.5),
    Polyline(points=tuple(reversed(ANGLE)), height=0.5),
    Polyline(points=(*ANGLE, ANGLE[0]), height=0.5),
]

DOWNWARDS = [Polyline(points=points, height=-0.5) for points in (ANGLE, tuple(reversed(ANGLE)))]
"""Polylines with a negative height, which are drawn although they are not solids."""


def welded(surface: Tessellation) -> trimesh.Trimesh:
    """Merge vertices at the same position."""
    _, first, number = np.unique(np.round(surface.vertices, 9), axis=0, return_index=True, return_inverse=True)
    return trimesh.Trimesh(surface.vertices[first], number.ravel()[surface.faces], process=False)


def volume(shape: Shape) -> float:
    """Return the exact volume in cubic metres."""
    solid = of_shape(shape, density=1.0)
    return 0.0 if solid is None else solid.mass


@pytest.mark.parametrize("shape", SOLIDS, ids=lambda shape: type(shape).__name__)
def test_a_solid_is_closed_and_has_the_volume_of_the_shape(shape: Shape) -> None:
    mesh = welded(tessellate(shape))
    assert mesh.is_watertight
    assert mesh.is_winding_consistent
    assert mesh.area_faces.min() > 0
    assert 0 < mesh.volume <= volume(shape) * (1 + 1e-12), "corners lie on the shape and faces inside"
    assert mesh.volume == pytest.approx(volume(shape), rel=0.01)


@pytest.mark.parametrize("shape", [*SOLIDS, *DOWNWARDS], ids=lambda shape: type(shape).__name__)
def test_normals_are_unit_and_look_where_their_faces_look(shape: Shape) -> None:
    surface = tessellate(shape)
    assert welded(surface).volume > 0, "outwards"
    assert np.linalg.norm(surface.normals, axis=1) == pytest.approx(1.0)
    corners = surface.vertices[surface.faces]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    agreement = np.einsum("ikj,ij->ik", surface.normals[surface.faces], across)
    assert agreement.min() > 0.9, "flat at edges: no normal is shared over one"


@pytest.mark.parametrize("shape", SOLIDS, ids=lambda shape: type(shape).__name__)
def test_every_corner_has_a_place_on_an_image(shape: Shape) -> None:
    surface = tessellate(shape)
    assert surface.uvs is not None
    assert surface.uvs.shape == (len(surface.vertices), 2)
    assert surface.uvs.min() >= 0.0
    assert surface.uvs.max() <= 1.0


def test_normals_of_round_shapes_are_exact() -> None:
    ball = tessellate(Sphere(radius=2.0))
    assert ball.normals == pytest.approx(ball.vertices / 2.0)
    radii = np.array((0.1, 0.2, 0.3))
    egg = tessellate(Ellipsoid(radii=(0.1, 0.2, 0.3)))
    gradient = egg.vertices / radii**2
    assert egg.normals == pytest.approx(gradient / np.linalg.norm(gradient, axis=1, keepdims=True))
    assert np.linalg.norm(egg.vertices / radii, axis=1) == pytest.approx(1.0)
    cone = tessellate(Cone(radius=0.3, length=0.4))
    side = cone.normals[:, 2] > -0.5
    assert cone.normals[side, 2] == pytest.approx(0.6), "a slope of 3 to 4"


def test_the_extents_of_a_capsule_and_a_cylinder_are_along_z() -> None:
    capsule = tessellate(Capsule(radius=0.1, length=0.3)).vertices
    assert capsule.max(axis=0) == pytest.approx((0.1, 0.1, 0.25))
    cylinder = tessellate(Cylinder(radius=0.1, length=0.3)).vertices
    assert np.ptp(cylinder, axis=0) == pytest.approx((0.2, 0.2, 0.3))
    cone = tessellate(Cone(radius=0.1, length=0.3)).vertices
    assert cone[np.argmax(cone[:, 2])] == pytest.approx((0.0, 0.0, 0.15))


@pytest.mark.parametrize("density", [0, 3, 7, 12, 100])
def test_density_is_the_number_of_corners_around(density: int) -> None:
    surface = tessellate(Cylinder(radius=1.0, length=1.0), density)
    rim = np.unique(np.round(surface.vertices[surface.vertices[:, 2] > 0], 9), axis=0)
    assert len(rim) == max(density, 3) + 1
    assert welded(tessellate(Sphere(radius=1.0), density)).is_watertight
    assert welded(tessellate(Capsule(radius=1.0, length=1.0), density)).is_watertight


def test_images_stand_upright_on_the_sides_of_a_box() -> None:
    surface = tessellate(Box(size=(2.0, 2.0, 2.0)))
    assert surface.uvs is not None
    for face in surface.faces:
        corners, uvs = surface.vertices[face], surface.uvs[face]
        normal = surface.normals[face[0]]
        if abs(normal[2]) < 0.5:
            assert uvs[:, 1] == pytest.approx((corners[:, 2] + 1) / 2), "v goes up"
            right = np.cross((0.0, 0.0, 1.0), normal)
            assert uvs[:, 0] == pytest.approx((corners @ right + 1) / 2), "u goes right, as seen from outside"


def test_a_plane_is_a_square_with_its_normal() -> None:
    surface = tessellate(Plane(normal=(0.0, 2.0, 0.0), size=(3.0, 1.0)))
    assert surface.normals == pytest.approx(np.tile((0.0, 1.0, 0.0), (4, 1)))
    assert sorted(np.ptp(surface.vertices, axis=0)) == pytest.approx([0.0, 1.0, 3.0])
    endless = tessellate(Plane())
    assert np.ptp(endless.vertices, axis=0) == pytest.approx((ENDLESS, ENDLESS, 0.0))
    corners = endless.vertices[endless.faces]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert (across[:, 2] > 0).all()


def test_outlines_that_are_no_polygons_are_no_crash() -> None:
    assert len(tessellate(Polyline(points=(), height=1.0)).faces) == 0
    assert len(tessellate(Polyline(points=((0.0, 0.0), (1.0, 0.0)), height=1.0)).faces) == 0
    crossed = tessellate(Polyline(points=((0.0, 0.0), (1.0, 1.0), (1.0, 0.0), (0.0, 1.0)), height=1.0))
    assert np.isfinite(crossed.normals).all()
    star = [(math.cos(i * 0.7) * (1 + i % 2), math.sin(i * 0.7) * (1 + i % 2)) for i in range(9)]
    assert welded(tessellate(Polyline(points=tuple(star), height=1.0))).is_watertight


def test_a_comb_is_cut_into_ears_of_the_right_area() -> None:
    teeth = [(float(i), 0.0 if i % 2 else 5.0) for i in range(41)]
    outline = ((0.0, -1.0), (40.0, -1.0), *reversed(teeth))
    shape = Polyline(points=outline, height=1.0)
    assert welded(tessellate(shape)).volume == pytest.approx(volume(shape))


def test_a_long_spiral_is_cut_into_ears_in_time() -> None:
    turns = np.linspace(5.0, 60.0, 2000)
    inner, outer = (np.column_stack([r * np.cos(turns), r * np.sin(turns)]) for r in (turns - 3.0, turns))
    outline = tuple(map(tuple, np.concatenate([outer, inner[::-1]]).tolist()))
    started = process_time()
    corners = np.array(outline)[np.array(triangles(outline))]
    assert process_time() - started < 10
    sides = corners[:, 1:] - corners[:, :1]
    areas = (sides[:, 0, 0] * sides[:, 1, 1] - sides[:, 0, 1] * sides[:, 1, 0]) / 2
    assert len(areas) == len(outline) - 2 and areas.sum() == pytest.approx(abs(areas).sum())
    assert areas.sum() == pytest.approx(volume(Polyline(points=outline, height=1.0)))


def test_only_corners_near_an_ear_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []
    plain = tessellation._within
    monkeypatch.setattr(tessellation, "_within", lambda *some: looked.append(len(some[-1])) or plain(*some))
    costs = []
    for count in (400, 1600):
        looked.clear()
        teeth = [(float(at), 2.0 + at % 3) for at in range(count)]
        triangles([(0.0, 0.0), (count - 1.0, 0.0), *reversed(teeth)])
        costs.append(sum(looked))
    assert costs[1] < 6 * costs[0]


def test_a_height_field_rises_where_its_grid_does() -> None:
    grid = np.zeros((3, 5))
    grid[0, 4] = 1.0
    surface = tessellate(HeightField(asset="a", size=(4.0, 2.0, 0.5)), heights=grid)
    top = surface.vertices[np.argmax(surface.vertices[:, 2])]
    assert top == pytest.approx((2.0, -1.0, 0.5)), "rows from -y, columns from -x"
    assert len(surface.faces) == 2 * 2 * 4
    assert np.linalg.norm(surface.normals, axis=1) == pytest.approx(1.0)
    based = tessellate(HeightField(asset="a", size=(4.0, 2.0, 0.5), base=0.25), heights=grid)
    assert based.vertices[:, 2].min() == -0.25
    flat = tessellate(HeightField(asset="a", size=(4.0, 2.0, 0.5)))
    assert np.ptp(flat.vertices, axis=0) == pytest.approx((4.0, 2.0, 0.0))


def test_the_normals_of_a_slope_are_those_of_the_slope() -> None:
    grid = np.tile(np.linspace(0.0, 1.0, 7), (4, 1))
    surface = tessellate(HeightField(asset="a", size=(4.0, 2.0, 3.0)), heights=grid)
    assert surface.normals == pytest.approx(np.tile((-0.6, 0.0, 0.8), (28, 1)))


def test_a_fine_height_field_is_drawn_with_fewer_points() -> None:
    surface = tessellate(HeightField(asset="a", size=(1.0, 1.0, 1.0)), heights=np.zeros((3000, 3)))
    assert len(surface.vertices) <= 2 * FINEST


def test_the_triangles_of_a_mesh_are_in_its_file() -> None:
    with pytest.raises(ValueError, match="in its file"):
        tessellate(Mesh(asset="a"))


def test_a_polyline_of_many_corners_is_held_against_its_triangles_in_little_memory() -> None:
    corners = [(math.cos(angle), math.sin(angle)) for angle in np.linspace(0.0, 6.28, 3000).tolist()]
    shape = Polyline(points=tuple(corners), height=1.0)
    geom = Geom(name="g", role="visual", shape=shape)
    points = tessellate(shape).vertices
    tracemalloc.start()
    assert on_surface(geom, points)
    assert not on_surface(geom, points * 1.001) and not on_surface(geom, points[points[:, 0] < 0.9])
    assert tracemalloc.get_traced_memory()[1] < 64 << 20
    tracemalloc.stop()
