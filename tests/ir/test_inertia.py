"""Mass properties of shapes and meshes against MuJoCo, trimesh and scipy; sums and principal axes against numpy."""

from __future__ import annotations

import math
from collections.abc import Callable

import mujoco
import numpy as np
import pytest
import trimesh
from hypothesis import given, settings, strategies as st
from scipy import integrate

from ir.inertia import combine, is_closed, of_hull, of_mesh, of_shape, principal, triangle_defect, valid
from ir.pose import matrix
from ir.types import (
    Box,
    Capsule,
    Cone,
    Cylinder,
    Ellipsoid,
    HeightField,
    Inertial,
    Mesh,
    Plane,
    Polyline,
    Pose,
    Shape,
    Sphere,
    Tensor,
)
from tests.ir.engines import full, symmetric
from tests.strategies import LENGTH, NUMBER, inertials, solids, vectors

FAST = settings(max_examples=50)

MJCF: tuple[tuple[Shape, str], ...] = (
    (Box(size=(0.2, 0.6, 1.4)), 'type="box" size="0.1 0.3 0.7"'),
    (Sphere(radius=0.3), 'type="sphere" size="0.3"'),
    (Cylinder(radius=0.3, length=1.4), 'type="cylinder" size="0.3 0.7"'),
    (Capsule(radius=0.3, length=1.4), 'type="capsule" size="0.3 0.7"'),
    (Ellipsoid(radii=(0.1, 0.3, 0.7)), 'type="ellipsoid" size="0.1 0.3 0.7"'),
)

STAR = ((0.3, 0.1), (1.0, -0.2), (0.7, 0.4), (1.5, 0.9), (0.6, 0.8), (0.2, 1.6))


def same(ours: Inertial, mass: float, centre: np.ndarray, tensor: np.ndarray, tolerance: float) -> None:
    assert ours.mass == pytest.approx(mass, rel=tolerance)
    assert np.abs(np.array(ours.pose.pos) - centre).max() < tolerance * (1 + np.abs(centre).max())
    assert np.abs(full(ours) - tensor).max() < tolerance * np.abs(tensor).max()


@pytest.mark.parametrize(("shape", "attributes"), MJCF)
def test_a_shape_weighs_what_it_weighs_in_mujoco(shape: Shape, attributes: str):
    xml = f'<mujoco><worldbody><body><freejoint/><geom density="800" {attributes}/></body></worldbody></mujoco>'
    model = mujoco.MjModel.from_xml_string(xml)
    ours = of_shape(shape, 800.0)
    assert ours is not None
    assert ours.mass == pytest.approx(model.body_mass[1], rel=1e-14)
    assert sorted(ours.tensor[:3]) == pytest.approx(sorted(model.body_inertia[1]), rel=1e-14)
    axes = np.empty(9)
    mujoco.mju_quat2Mat(axes, model.body_iquat[1])
    turned = axes.reshape(3, 3) @ np.diag(model.body_inertia[1]) @ axes.reshape(3, 3).T
    assert np.abs(turned - full(ours)).max() < 1e-12 * np.abs(turned).max()


def lathe(radius: Callable[[float], float], low: float, high: float) -> tuple[float, float, float, float]:
    """Return volume, height of the centre, and the moments across (about the centre) and along the axis of a solid of
    revolution."""

    def over(f: Callable[[float], float]) -> float:
        return integrate.quad(f, low, high, epsabs=1e-14, epsrel=1e-13, limit=500)[0]

    whole = over(lambda z: math.pi * radius(z) ** 2)
    centre = over(lambda z: math.pi * radius(z) ** 2 * z) / whole
    across = over(lambda z: math.pi * radius(z) ** 2 * (radius(z) ** 2 / 4 + (z - centre) ** 2))
    return whole, centre, across, over(lambda z: math.pi * radius(z) ** 4 / 2)


def capsule(z: float) -> float:
    return math.sqrt(max(0.3**2 - max(abs(z) - 0.7, 0.0) ** 2, 0.0))


@pytest.mark.parametrize(
    ("shape", "radius", "half"),
    [
        (Cone(radius=0.3, length=1.4), lambda z: 0.3 * (0.7 - z) / 1.4, 0.7),
        (Capsule(radius=0.3, length=1.4), capsule, 1.0),
        (Cylinder(radius=0.3, length=1.4), lambda z: 0.3, 0.7),
        (Ellipsoid(radii=(0.3, 0.3, 0.7)), lambda z: 0.3 * math.sqrt(max(1 - (z / 0.7) ** 2, 0.0)), 0.7),
    ],
)
def test_a_solid_of_revolution_is_the_integral_of_its_discs(
    shape: Shape, radius: Callable[[float], float], half: float
):
    whole, centre, across, along = lathe(radius, -half, half)
    ours = of_shape(shape, 1.0)
    assert ours is not None
    same(ours, whole, np.array([0.0, 0.0, centre]), np.diag([across, across, along]), 1e-8)


def prism(points: tuple[tuple[float, float], ...], height: float) -> tuple[np.ndarray, np.ndarray]:
    """Return vertices and faces over a polygon, triangulated from its first corner; signed areas handle concave
    ones."""
    n = len(points)
    vertices = np.array([(x, y, z) for z in (0.0, height) for x, y in points])
    faces = [face for i in range(1, n - 1) for face in ((0, i + 1, i), (n, n + i, n + i + 1))]
    for i in range(n):
        j = (i + 1) % n
        faces += [(i, j, n + j), (i, n + j, n + i)]
    return vertices, np.array(faces)


@pytest.mark.parametrize("points", [STAR, STAR[::-1], (*STAR, STAR[0])])
def test_an_extruded_concave_polygon_is_the_mesh_of_its_walls(points: tuple[tuple[float, float], ...]):
    ours = of_shape(Polyline(points=points, height=0.4), 800.0)
    mesh = of_mesh(*prism(STAR, 0.4), density=800.0)
    assert ours is not None
    assert mesh is not None
    same(ours, mesh.mass, np.array(mesh.pose.pos), full(mesh), 1e-13)


@FAST
@given(solids())
def test_every_solid_could_be_real(shape: Shape):
    inertial = of_shape(shape)
    assert inertial is not None
    assert valid(inertial.tensor)


@pytest.mark.parametrize(
    "shape",
    [
        Plane(),
        Mesh(asset="a"),
        HeightField(asset="a", size=(1.0, 1.0, 1.0)),
        Box(size=(0.0, 1.0, 1.0)),
        Capsule(radius=0.0, length=1.0),
        Polyline(points=((0.0, 0.0), (1.0, 1.0)), height=1.0),
        Polyline(points=((0.0, 0.0), (1.0, 1.0), (2.0, 2.0)), height=1.0),
    ],
)
def test_what_encloses_nothing_weighs_nothing(shape: Shape):
    assert of_shape(shape) is None


# -------------------------------------------------------------------------------------------------------------- meshes


def torus() -> trimesh.Trimesh:
    return trimesh.creation.torus(1.0, 0.3)


@pytest.mark.parametrize("mesh", [trimesh.creation.icosphere(), torus(), trimesh.creation.annulus(0.2, 0.5, 1.0)])
def test_a_mesh_weighs_what_it_weighs_in_trimesh(mesh: trimesh.Trimesh):
    mesh.apply_transform(trimesh.transformations.rotation_matrix(0.7, (1.0, 2.0, 3.0), (0.4, 0.5, 0.6)))
    mesh.density = 800.0
    ours = of_mesh(mesh.vertices, mesh.faces, density=800.0)
    assert ours is not None
    same(ours, mesh.mass, mesh.center_mass, mesh.moment_inertia, 1e-10)


@FAST
@given(vectors(LENGTH), st.tuples(*[st.sampled_from([-1.0, 1.0])] * 3), vectors())
def test_a_scaled_and_mirrored_box_mesh_is_a_box(
    size: tuple[float, float, float], signs: tuple[float, ...], at: tuple[float, ...]
):
    box = trimesh.creation.box((1.0, 1.0, 1.0))
    scale = (size[0] * signs[0], size[1] * signs[1], size[2] * signs[2])
    ours = of_mesh(box.vertices + at, box.faces, scale)
    shape = of_shape(Box(size=size))
    assert ours is not None
    assert shape is not None
    same(ours, shape.mass, np.array(scale) * at, full(shape), 1e-9)


def test_a_mesh_turned_inside_out_weighs_the_same():
    mesh = torus()
    ours, theirs = of_mesh(mesh.vertices, mesh.faces[:, ::-1]), of_mesh(mesh.vertices, mesh.faces)
    assert ours is not None
    assert theirs is not None
    same(ours, theirs.mass, np.array(theirs.pose.pos), full(theirs), 1e-14)


def test_a_mesh_that_repeats_its_vertices_is_closed():
    mesh = torus()
    soup = mesh.vertices[mesh.faces].reshape(-1, 3)
    faces = np.arange(len(soup)).reshape(-1, 3)
    assert is_closed(soup, faces)
    once, twice = of_mesh(mesh.vertices, mesh.faces), of_mesh(soup, faces)
    assert once is not None
    assert once == twice


def test_a_hollow_mesh_lacks_its_hollow():
    outside, inside = trimesh.creation.box((1.0, 1.0, 1.0)), trimesh.creation.box((0.5, 0.5, 0.5))
    vertices = np.vstack([outside.vertices, inside.vertices])
    faces = np.vstack([outside.faces, inside.faces[:, ::-1] + len(outside.vertices)])
    ours = of_mesh(vertices, faces, density=1.0)
    assert ours is not None
    tensor = np.eye(3) * (1.0 / 6 - 0.125 * 0.25 / 6)
    same(ours, 0.875, np.zeros(3), tensor, 1e-14)


def test_a_mesh_far_from_its_origin_keeps_its_tensor():
    box = trimesh.creation.box((0.1, 0.2, 0.3))
    ours = of_mesh(box.vertices + np.array([1000.0, -1000.0, 500.0]), box.faces)
    shape = of_shape(Box(size=(0.1, 0.2, 0.3)))
    assert ours is not None
    assert shape is not None
    assert np.abs(full(ours) - full(shape)).max() < 1e-9 * shape.tensor[0]


def test_an_open_mesh_has_no_mass():
    mesh = torus()
    assert not is_closed(mesh.vertices, mesh.faces[1:])
    assert of_mesh(mesh.vertices, mesh.faces[1:]) is None


def test_a_mesh_whose_faces_disagree_has_no_mass():
    mesh = torus()
    faces = mesh.faces.copy()
    faces[0] = faces[0, ::-1]
    assert of_mesh(mesh.vertices, faces) is None


def test_a_flat_or_empty_mesh_has_no_mass():
    square = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 1.0, 0.0), (0.0, 1.0, 0.0)]
    assert of_mesh(square, [(0, 1, 2), (0, 2, 3), (0, 2, 1), (0, 3, 2)]) is None
    assert of_mesh(np.zeros((0, 3)), np.zeros((0, 3))) is None


# ---------------------------------------------------------------------------------------------------------------- sums


def test_two_halves_make_a_whole_box():
    half = of_shape(Box(size=(0.5, 1.0, 2.0)))
    whole = of_shape(Box(size=(1.0, 1.0, 2.0)))
    assert half is not None
    assert whole is not None
    parts = [Inertial(mass=half.mass, tensor=half.tensor, pose=Pose((x, 0.0, 0.0))) for x in (0.25, 0.75)]
    same(combine(parts), whole.mass, np.array([0.5, 0.0, 0.0]), full(whole), 1e-14)


@FAST
@given(st.lists(inertials(), min_size=2, max_size=5))
def test_a_sum_has_the_spatial_inertia_of_its_parts(parts: list[Inertial]):
    import pinocchio as pin

    total = combine(parts)
    whole = sum((pin.Inertia(p.mass, np.array(p.pose.pos), full(p)) for p in parts), pin.Inertia.Zero())
    same(total, whole.mass, whole.lever, whole.inertia, 1e-11)


@given(inertials())
def test_one_alone_is_its_own_sum(inertial: Inertial):
    assert combine([inertial]) is inertial


def test_nothing_has_no_sum():
    with pytest.raises(ValueError, match="no inertia"):
        combine([])


def test_parts_without_mass_keep_their_tensors():
    part = Inertial(mass=0.0, tensor=(1.0, 2.0, 2.5, 0.0, 0.0, 0.0), pose=Pose((1.0, 0.0, 0.0)))
    assert combine([part, part]) == Inertial(mass=0.0, tensor=(2.0, 4.0, 5.0, 0.0, 0.0, 0.0))


# ------------------------------------------------------------------------------------------------------ principal axes


@settings(max_examples=300)
@given(st.tuples(*[NUMBER] * 6), st.sampled_from([1e-9, 1.0, 1e9]))
def test_principal_axes_give_the_tensor_back(tensor: Tensor, scale: float):
    tensor = tuple(scale * entry for entry in tensor)
    rotation, moments = principal(tensor)
    r = matrix(rotation)
    largest = max(map(abs, tensor))
    assert np.abs(r @ np.diag(moments) @ r.T - symmetric(tensor)).max() <= 3e-15 * largest
    assert np.linalg.det(r) == pytest.approx(1.0)
    expected = np.linalg.eigvalsh(symmetric(tensor))
    assert np.abs(np.sort(moments) - expected).max() <= 1e-14 * largest  # both are rounded


@given(st.tuples(NUMBER, NUMBER, NUMBER))
def test_a_diagonal_tensor_is_not_touched(moments: tuple[float, float, float]):
    assert principal((*moments, 0.0, 0.0, 0.0)) == ((1.0, 0.0, 0.0, 0.0), moments)


@pytest.mark.parametrize("product", [1e-300, 1e-20, 1e-9, 1e-3])
def test_a_small_product_turns_the_axes_a_little(product: float):
    rotation, moments = principal((1.0, 2.0, 2.5, product, 0.0, 0.0))
    assert rotation[0] > 0.99
    assert moments == pytest.approx((1.0, 2.0, 2.5), abs=1e-5)
    assert rotation[3] == pytest.approx(math.sin(math.atan2(-2 * product, 1.0) / 4), rel=1e-3)


def test_a_tensor_that_is_not_finite_is_refused():
    with pytest.raises(ValueError, match="not finite"):
        principal((1.0, 1.0, math.nan, 0.0, 0.0, 0.0))


def test_the_triangle_defect_is_the_excess_of_the_largest_moment():
    assert triangle_defect((1.0, 1.0, 4.0, 0.0, 0.0, 0.0)) == 0.5
    assert triangle_defect((2.0, 2.0, 4.0, 0.0, 0.0, 0.0)) == 0.0
    assert triangle_defect((0.0, 0.0, 0.0, 0.0, 0.0, 0.0)) == 0.0


@pytest.mark.parametrize(
    ("tensor", "real"),
    [
        ((1.0, 1.0, 1.0, 0.0, 0.0, 0.0), True),
        ((1.0, 1.0, 2.0 + 1e-10, 0.0, 0.0, 0.0), True),
        ((1.0, 1.0, 2.1, 0.0, 0.0, 0.0), False),
        ((-0.1, 1.0, 1.0, 0.0, 0.0, 0.0), False),
        ((1.0, 1.0, 1.0, 1.1, 0.0, 0.0), False),
        ((0.0, 0.0, 0.0, 0.0, 0.0, 0.0), True),
    ],
)
def test_valid_tells_what_a_body_can_have(tensor: Tensor, real: bool):
    assert valid(tensor) is real


def test_the_hull_of_points_weighs_what_the_solid_does():
    """A box by its corners and some points inside; flat points have no volume."""
    corners = [(x, y, z) for x in (-0.5, 0.5) for y in (-1.0, 1.0) for z in (0.0, 3.0)]
    made = of_hull([*corners, (0.0, 0.0, 1.0), (0.1, 0.2, 2.0), corners[0]], density=2.0)
    box = of_shape(Box(size=(1.0, 2.0, 3.0)), 2.0)
    assert made is not None and box is not None
    assert made.mass == pytest.approx(box.mass)
    assert made.tensor == pytest.approx(box.tensor)
    assert made.pose.pos == pytest.approx((0.0, 0.0, 1.5))
    assert of_hull([(x, y, 0.0) for x in range(3) for y in range(3)]) is None


@pytest.mark.parametrize("noise", [0.0, 1e-15, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-8])
@pytest.mark.parametrize("kind", ["box", "cylinder", "rails"])
def test_the_hull_of_points_that_lie_nearly_in_planes_and_on_lines_is_theirs(noise: float, kind: str) -> None:
    """As points of a rotated or single-precision mesh: the volume must not be a multiple, nor take minutes."""
    ends, turns = np.linspace(-0.1, 0.1, 8), np.linspace(0, 2 * np.pi, 48, endpoint=False)
    made = {
        "box": [(x, y, z) for x in ends for y in ends for z in ends if 0.1 in (abs(x), abs(y), abs(z))],
        "cylinder": [(0.1 * np.cos(turn), 0.1 * np.sin(turn), z) for z in ends for turn in turns],
        "rails": [(x, y, z) for x in np.linspace(-0.1, 0.1, 80) for y in (-0.1, 0.1) for z in (-0.1, 0.1)],
    }[kind]
    points = np.array(made)
    volume = {"box": 0.008, "rails": 0.008, "cylinder": 0.2 * 0.01 * 24 * np.sin(2 * np.pi / 48)}[kind]
    for seed in range(4):
        moved = points + noise * np.random.default_rng(seed).normal(size=points.shape)
        found = of_hull(moved, density=1.0)
        assert found is not None and found.mass == pytest.approx(volume, rel=max(1e-9, 100 * noise))


def test_fewer_points_than_a_solid_has_corners_have_no_hull_and_faces_of_one_corner_close_nothing():
    assert of_hull([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)]) is None
    assert not is_closed([(0.0, 0.0, 0.0)], [(0, 0, 0)] * 4)
