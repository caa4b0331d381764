"""Mass, centre and inertia tensor of shapes and closed meshes; sums, principal axes, and which tensors are physically
possible.

Formulas of solids: any table of moments of inertia (Meriam & Kraige, Dynamics, appendix D). Polygon and tetrahedron
integrals are the exact polynomial ones (Tonon, Explicit exact formulas for the 3-D tetrahedron inertia tensor, 2004).
Products of inertia are tensor entries: I_xy = -integral of x y dm.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from ir.arrays import Floats, Ints, np
from ir.pose import body_tensor, from_rows, multiply
from ir.types import (
    Box,
    Capsule,
    Cone,
    Cylinder,
    Ellipsoid,
    Inertial,
    NotFiniteError,
    Polyline,
    Pose,
    Quat,
    Shape,
    Sphere,
    Tensor,
    Vec2,
    Vec3,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


# -------------------------------------------------------------------------------------------------------------- shapes


def of_shape(shape: Shape, density: float = 1000.0) -> Inertial | None:
    """The inertia of a homogeneous solid in the frame of its geom; density in kg/m^3, sizes in metres, the tensor in kg
    m^2.

    None for a shape without a volume of its own: planes, height fields, meshes (of_mesh needs their vertices), and
    shapes whose volume is zero. The pose of the result is a pure translation to the centre of mass.
    """
    whole, centre, tensor = _unit(shape)
    if not whole > 0.0:
        return None
    mass = whole * density
    xx, yy, zz, xy, xz, yz = tensor
    return Inertial(
        mass=mass, tensor=(mass * xx, mass * yy, mass * zz, mass * xy, mass * xz, mass * yz), pose=Pose(centre)
    )


def _unit(shape: Shape) -> tuple[float, Vec3, Tensor]:
    """Volume, centre of mass, and the tensor about it for a mass of 1 kg."""
    middle = (0.0, 0.0, 0.0)
    match shape:
        case Box(size=(x, y, z)):
            return x * y * z, middle, _diagonal((y * y + z * z) / 12, (x * x + z * z) / 12, (x * x + y * y) / 12)
        case Sphere(radius=r):
            return 4 / 3 * math.pi * r * r * r, middle, _diagonal(0.4 * r * r, 0.4 * r * r, 0.4 * r * r)
        case Cylinder(radius=r, length=h):
            across = (3 * r * r + h * h) / 12
            return math.pi * r * r * h, middle, _diagonal(across, across, r * r / 2)
        case Ellipsoid(radii=(a, b, c)):
            return (
                4 / 3 * math.pi * a * b * c,
                middle,
                _diagonal((b * b + c * c) / 5, (a * a + c * c) / 5, (a * a + b * b) / 5),
            )
        case Cone(radius=r, length=h):
            across = 0.15 * r * r + 0.0375 * h * h
            return math.pi * r * r * h / 3, (0.0, 0.0, -h / 4), _diagonal(across, across, 0.3 * r * r)
        case Capsule(radius=r, length=h):
            return _capsule(r, h)
        case Polyline(points=points, height=height):
            return _extrusion(points, height)
    return 0.0, middle, _diagonal(0.0, 0.0, 0.0)


def _diagonal(a: float, b: float, c: float) -> Tensor:
    return (a, b, c, 0.0, 0.0, 0.0)


def _capsule(r: float, h: float) -> tuple[float, Vec3, Tensor]:
    """A cylinder with a hemisphere at each end, whose own centre is 3r/8 above its base."""
    total = math.pi * r * r * (h + 4 / 3 * r)
    if not total > 0.0:
        return 0.0, (0.0, 0.0, 0.0), _diagonal(0.0, 0.0, 0.0)
    caps = 4 * r / (4 * r + 3 * h)
    tube = 1.0 - caps
    along = tube * r * r / 2 + caps * 0.4 * r * r
    across = tube * (3 * r * r + h * h) / 12 + caps * (0.4 * r * r + h * (2 * h + 3 * r) / 8)
    return total, (0.0, 0.0, 0.0), _diagonal(across, across, along)


def _extrusion(points: Sequence[Vec2], height: float) -> tuple[float, Vec3, Tensor]:
    """A simple polygon (convex or not, either direction, closed or not by a repeated point) from z = 0 to z = height.

    Green's theorem over the edges, about the first point: far from the origin nothing cancels.
    """
    nothing = 0.0, (0.0, 0.0, 0.0), _diagonal(0.0, 0.0, 0.0)
    if len(points) < 3:
        return nothing
    x0, y0 = points[0]
    local = [(x - x0, y - y0) for x, y in points]
    area, sx, sy = 0.0, 0.0, 0.0
    for (ax, ay), (bx, by) in zip(local, local[1:] + local[:1], strict=True):
        cross = ax * by - bx * ay
        area, sx, sy = area + cross / 2, sx + cross * (ax + bx) / 6, sy + cross * (ay + by) / 6
    if area == 0.0 or not height > 0.0:
        return nothing
    cx, cy = sx / area, sy / area
    xx, yy, xy = 0.0, 0.0, 0.0
    centred = [(x - cx, y - cy) for x, y in local]
    for (ax, ay), (bx, by) in zip(centred, centred[1:] + centred[:1], strict=True):
        cross = (ax * by - bx * ay) / area
        xx += cross * (ax * ax + ax * bx + bx * bx) / 12
        yy += cross * (ay * ay + ay * by + by * by) / 12
        xy += cross * (ax * by + 2 * ax * ay + 2 * bx * by + bx * ay) / 24
    zz = height * height / 12
    return abs(area) * height, (x0 + cx, y0 + cy, height / 2), (yy + zz, xx + zz, xx + yy, -xy, 0.0, 0.0)


# -------------------------------------------------------------------------------------------------------------- meshes


def of_mesh(
    vertices: ArrayLike, faces: ArrayLike, scale: Vec3 = (1.0, 1.0, 1.0), density: float = 1000.0
) -> Inertial | None:
    """The inertia of the solid inside a closed triangle mesh: vertices (n, 3) in file units, faces (m, 3) indices,
    scale to metres along each axis.

    The sum over signed tetrahedra from a common point is exact for every shape: concave, hollow, in several parts; a
    mirroring scale or a mesh turned inside out gives the same mass. None if the sum is meaningless: the mesh is open,
    its faces disagree about the outside, or it encloses no volume. The caller decides whether the convex hull is used
    instead. Raises IndexError for a face with an invalid vertex index.
    """
    points = np.asarray(vertices, dtype=np.float64).reshape(-1, 3) * np.asarray(scale, dtype=np.float64)
    triangles = np.asarray(faces, dtype=np.int64).reshape(-1, 3)
    if len(triangles) < 4 or not np.isfinite(points).all() or not is_closed(points, triangles):
        return None
    used = points[triangles]
    middle = (used.min(axis=(0, 1)) + used.max(axis=(0, 1))) / 2
    corners = used - middle
    weights, sums = _tetrahedra(corners)
    whole = float(weights.sum())
    extent = float(np.ptp(corners, axis=(0, 1)).max())
    if not abs(whole) / 6 > 1e-12 * extent * extent * extent:
        return None
    centre = (weights @ sums) / (4 * whole)
    corners = corners - centre
    weights, sums = _tetrahedra(corners)
    second = second_moments(corners, sums, weights) / (20 * whole)  # mean of x x^T over the solid
    mass = abs(whole) / 6 * density
    at = (middle + centre).tolist()
    return Inertial(mass=mass, tensor=tensor_of(mass * second), pose=Pose((at[0], at[1], at[2])))


def second_moments(corners: Floats, sums: Floats, weights: Floats) -> Floats:
    """(3, 3) the weighted sum over triangles (m, 3, 3) of s s^T, and of c c^T for each of their corners.

    sums: those of the corners of each triangle (m, 3). Over 12 areas it is the integral of x x^T over the triangles,
    over 20 volumes that over the tetrahedra between them and the origin.
    """
    second: Floats = (sums * weights[:, None]).T @ sums
    for corner in range(3):
        second += (corners[:, corner] * weights[:, None]).T @ corners[:, corner]
    return second


def tensor_of(second: Floats) -> Tensor:
    """The inertia tensor of the integral of x x^T (3, 3) over a mass."""
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = second.tolist()
    return (yy + zz, xx + zz, xx + yy, -xy, -xz, -yz)


def of_hull(vertices: ArrayLike, scale: Vec3 = (1.0, 1.0, 1.0), density: float = 1000.0) -> Inertial | None:
    """The inertia of the convex hull of points (n, 3), used for a mesh that is not closed. None if they are coplanar,
    or too many (ir.hull)."""
    from ir.hull import hull

    points = np.unique(np.asarray(vertices, dtype=np.float64).reshape(-1, 3), axis=0)
    faces = hull(points)
    return of_mesh(points, faces, scale, density) if len(faces) else None


def _tetrahedra(corners: Floats) -> tuple[Floats, Floats]:
    """Six times the signed volume (m,) and the sum of the corners (m, 3) of the tetrahedra from the origin over faces
    (m, 3, 3)."""
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    return np.einsum("ij,ij->i", a, np.cross(b, c)), a + b + c


def is_closed(vertices: ArrayLike, faces: ArrayLike) -> bool:
    """Whether every edge is traversed equally often in both directions: no hole, and one outside.

    Vertices at the same position count as one (STL files repeat them for each face), and faces that are degenerate to a
    line do not count.
    """
    triangles = np.asarray(faces, dtype=np.int64).reshape(-1, 3)
    if _balanced(triangles):
        return True
    points = np.asarray(vertices, dtype=np.float64).reshape(-1, 3)
    _, merged = np.unique(points + 0.0, axis=0, return_inverse=True)
    return _balanced(merged.reshape(-1)[triangles])


def _balanced(triangles: Ints) -> bool:
    start, end = triangles.reshape(-1), np.roll(triangles, -1, axis=1).reshape(-1)
    real = start != end
    start, end = start[real], end[real]
    if len(start) == 0:
        return False
    count = int(triangles.max()) + 1
    keys = np.minimum(start, end) * count + np.maximum(start, end)
    _, edge = np.unique(keys, return_inverse=True)
    return not np.bincount(edge.reshape(-1), weights=np.where(start < end, 1.0, -1.0)).any()


# ---------------------------------------------------------------------------------------------------------------- sums


def combine(inertials: Iterable[Inertial]) -> Inertial:
    """The inertia of bodies fixed together, all given in one frame; the result is about their common centre, in the
    axes of that frame.

    A single one is returned as it is. Raises ValueError for an empty sequence. Parallel axis theorem; without any mass
    the centre is the origin.
    """
    parts = list(inertials)
    if not parts:
        raise ValueError("no inertia to combine")
    if len(parts) == 1:
        return parts[0]
    mass = math.fsum(part.mass for part in parts)
    centre = (0.0, 0.0, 0.0)
    if mass != 0.0:
        x, y, z = (math.fsum(part.mass * part.pose.pos[axis] for part in parts) / mass for axis in range(3))
        centre = (x, y, z)
    rows = [_shifted(part, centre) for part in parts]
    xx, yy, zz, xy, xz, yz = (math.fsum(column) for column in zip(*rows, strict=True))
    extras = tuple([extra for part in parts for extra in part.extras])
    return Inertial(mass=mass, tensor=(xx, yy, zz, xy, xz, yz), pose=Pose(centre), extras=extras)


def _shifted(part: Inertial, about: Vec3) -> Tensor:
    """The tensor about another point, in the axes of the frame."""
    xx, yy, zz, xy, xz, yz = body_tensor(part)
    x, y, z = (part.pose.pos[axis] - about[axis] for axis in range(3))
    m = part.mass
    return (
        xx + m * (y * y + z * z),
        yy + m * (x * x + z * z),
        zz + m * (x * x + y * y),
        xy - m * x * y,
        xz - m * x * z,
        yz - m * y * z,
    )


# ------------------------------------------------------------------------------------------------------ principal axes


@lru_cache(maxsize=4096)
def principal(tensor: Tensor) -> tuple[Quat, Vec3]:
    """The rotation from the principal axes to those of the tensor, and the moments along them: R diag(moments) R^T =
    tensor.

    Cyclic Jacobi rotations (Golub & Van Loan, Matrix Computations, 8.5), each of at most 45 degrees: the axes keep
    their order as far as they can, and are right-handed. A tensor that is diagonal already comes back untouched, with
    no rotation. Raises NotFiniteError for a tensor that is not finite.
    """
    if not all(map(math.isfinite, tensor)):
        raise NotFiniteError(f"tensor is not finite: {tensor}")
    xx, yy, zz, xy, xz, yz = tensor
    if xy == 0.0 and xz == 0.0 and yz == 0.0:
        return (1.0, 0.0, 0.0, 0.0), (xx, yy, zz)
    largest = max(map(abs, tensor))
    a = [[v / largest for v in row] for row in ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))]
    v = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    for _ in range(30):
        if all(abs(a[p][q]) < 1e-40 for p, q in ((0, 1), (0, 2), (1, 2))):
            break
        for p, q in ((0, 1), (0, 2), (1, 2)):
            _turn(a, v, p, q)
    return from_rows(v), (a[0][0] * largest, a[1][1] * largest, a[2][2] * largest)


def _turn(a: list[list[float]], v: list[list[float]], p: int, q: int) -> None:
    """Rotate in the plane of axes p and q so that a[p][q] vanishes."""
    if a[p][q] == 0.0:
        return
    theta = (a[q][q] - a[p][p]) / (2 * a[p][q])
    t = math.copysign(1.0, theta) / (abs(theta) + math.hypot(theta, 1.0))
    c = 1.0 / math.hypot(t, 1.0)
    s = t * c
    change = t * a[p][q]
    a[p][p] -= change
    a[q][q] += change
    a[p][q] = a[q][p] = 0.0
    r = 3 - p - q
    first, second = a[r][p], a[r][q]
    a[r][p] = a[p][r] = c * first - s * second
    a[r][q] = a[q][r] = s * first + c * second
    for row in v:
        row[p], row[q] = c * row[p] - s * row[q], s * row[p] + c * row[q]


# ------------------------------------------------------------------------------------------------------------- validity


def bounded(inertial: Inertial, mass: float, moment: float, balance: bool) -> Inertial:
    """The inertia with at least this mass (kg) and this principal moment (kg m^2), as MuJoCo's compiler computes it.

    balance: three equal moments replace physically impossible ones.
    """
    axes, moments = principal(inertial.tensor)
    raised = [max(each, moment) for each in moments]
    a, b, c = sorted(raised)
    if balance and a + b < c:
        raised = [sum(raised) / 3] * 3
    if inertial.mass >= mass and raised == list(moments):
        return inertial
    pose = Pose(inertial.pose.pos, multiply(inertial.pose.rot, axes))
    tensor: Tensor = (raised[0], raised[1], raised[2], 0.0, 0.0, 0.0)
    return Inertial(mass=max(inertial.mass, mass), tensor=tensor, pose=pose, extras=inertial.extras)


def triangle_defect(tensor: Tensor) -> float:
    """By how much the largest principal moment exceeds the sum of the other two, relative to the largest; <= 0 for a
    physically possible tensor."""
    a, b, c = sorted(principal(tensor)[1])
    return (c - a - b) / c if c > 0.0 else 0.0


def valid(tensor: Tensor) -> bool:
    """Whether a mass distribution can have this tensor: no negative moment and the triangle inequality, both up to a
    millionth of the largest."""
    a, b, c = sorted(principal(tensor)[1])
    tolerance = 1e-6 * max(abs(a), abs(c))
    return a >= -tolerance and c - a - b <= tolerance
