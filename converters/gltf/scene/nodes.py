"""The forest of nodes, and their poses after separating scales and shears.

A body has a rigid pose, a glTF node any affine transform. So every node is decomposed into the pose of a frame in that
of its parent, and the rest: the linear map between the coordinates of the node and that frame. It is passed down the
tree and ends in the meshes; no vertex is changed, and no rotation is made up (glTF 2.0, 3.5).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from converters.context import ReaderContext
from converters.gltf.data.accessors import Accessors
from converters.gltf.data.extensions import INSTANCES, extension
from converters.source.json import JsonObject
from converters.source.text import six_digits
from ir.arrays import Floats, np
from ir.pose import from_matrix, matrix, normalise
from ir.types import IDENTITY, ONES, Pose, Quat, Vec3

FAR = 1e15
"""Largest usable position in metres, and factor."""
UNIT = 1e-4
"""Tolerance for the squared norm of a quaternion before a note is made: single precision with a generous margin."""
LONG, LENGTH = "gltf/not-unit", "a rotation is a unit quaternion"
SHEAR = 1e-6
"""Off-diagonal values below this share of the largest factor are rounding of single precision."""
UP = Pose(rot=(0.5**0.5, 0.5**0.5, 0.0, 0.0))
"""Transform from glTF coordinates (y up) to those of the graph (z up)."""


class Linear(Struct, frozen=True, eq=False):
    """What a transform has besides a pose: factors along the axes or, if these are not sufficient, the whole matrix.

    If there is a matrix, the factors are not used.
    """

    scale: Vec3 = ONES
    matrix: Floats | None = None

    def of(self, v: Vec3) -> Vec3:
        """Transform the vector v of the node to the frame of its pose."""
        if self.matrix is None:
            return (self.scale[0] * v[0], self.scale[1] * v[1], self.scale[2] * v[2])
        x, y, z = (self.matrix @ v).tolist()
        return (x, y, z)

    def text(self) -> str:
        """Return the matrix row by row as text, for an asset to which it is to be applied."""
        assert self.matrix is not None
        return " ".join(repr(value) for value in self.matrix.ravel().tolist())


PLAIN = Linear()


class LocalTransform(Struct, frozen=True):
    """The transform of a node: translation, rotation w x y z, and the linear rest, in the axes of the rotated frame."""

    pos: Vec3 = (0.0, 0.0, 0.0)
    rot: Quat = (1.0, 0.0, 0.0, 0.0)
    linear: Linear = PLAIN


def forest(nodes: Sequence[JsonObject]) -> list[int | None]:
    """Return the parent of each node, without marking anything as read.

    Refuses a child that does not exist, has two parents, or is its own ancestor.
    """
    parents: list[int | None] = [None] * len(nodes)
    for number, node in enumerate(nodes):
        for child in _references(node, "children", node.members.get("children"), len(nodes)):
            if parents[child] is not None or child == number:
                what = "is its own child" if child == number else f"is the child of node {parents[child]}, too"
                node.refuse("children", f"names node {child}, which {what}; nodes are a forest")
                continue
            parents[child] = number
    done: set[int] = set()
    for number in range(len(nodes)):
        path: set[int] = set()
        at: int | None = number
        while at is not None and at not in done and at not in path:
            path.add(at)
            at = parents[at]
        if at is not None and at in path:
            nodes[at].refuse("children", f"leads back to node {at}: nodes in a cycle")
            parents[at] = None
        done |= path
    return parents


def with_ancestors(numbers: Iterable[int | None], parents: Sequence[int | None]) -> set[int]:
    """Return these nodes (None: no node) and all their ancestors."""
    found: set[int] = set()
    for at in numbers:
        while at is not None and at not in found:
            found.add(at)
            at = parents[at]
    return found


def children(nodes: Sequence[JsonObject], number: int, parents: Sequence[int | None]) -> list[int]:
    """Return the children of a node that it has in the forest."""
    return [child for child in indices(nodes[number], "children", len(nodes)) if parents[child] == number]


def scene_number(root: JsonObject, scenes: int) -> int:
    """Return the index of the default scene, out of that many. Refuses an invalid one (3.5.1)."""
    return root.index("scene", scenes) or 0


def scene_roots(scene: JsonObject, nodes: Sequence[JsonObject], parents: Sequence[int | None]) -> list[int]:
    """Return the root nodes of a scene, each once. Refuses nodes listed twice, and nodes with a parent (3.5.1: they
    must be roots)."""
    named = indices(scene, "nodes", len(nodes))
    found = [*dict.fromkeys(named)]
    if len(found) != len(named):
        scene.refuse("nodes", "names a node twice")
    for top in found:
        if parents[top] is not None:
            scene.refuse("nodes", f"names node {top}, which is a child of node {parents[top]}")
    return [top for top in found if parents[top] is None]


def indices(node: JsonObject, key: str, size: int) -> list[int]:
    """Return an array of references into a table of that size, empty if absent. Raises InputError."""
    return _references(node, key, node.raw(key), size)


def _references(node: JsonObject, key: str, values: Any, size: int) -> list[int]:
    if values is None:
        return []
    if not isinstance(values, list):
        node.refuse(key, "must be an array of whole numbers")
        return []
    odd = [value for value in values if type(value) is not int or not 0 <= value < size]
    for value in odd:
        node.refuse(key, f"holds {value!r}; it must refer to one of {size}")
    return [value for value in values if type(value) is int and 0 <= value < size] if odd else values


def local_transform(node: JsonObject, where: str, context: ReaderContext) -> LocalTransform:
    """Return the transform of a node. Raises InputError for a zero rotation or a matrix that is not affine."""
    values = node.vector("matrix", 16)
    if values is not None:
        return node.attempt(split, node, values) or LocalTransform()
    x, y, z = node.vector("translation", 3) or (0.0, 0.0, 0.0)
    sx, sy, sz = node.vector("scale", 3) or ONES
    rotation = node.vector("rotation", 4)
    turn = unit(node, rotation, where, context) if rotation is not None else (1.0, 0.0, 0.0, 0.0)
    scale = (sx, sy, sz)
    return LocalTransform((x, y, z), turn, PLAIN if scale == ONES else Linear(scale))


def unit(node: JsonObject, rotation: Sequence[float], where: str, context: ReaderContext) -> Quat:
    """Return a rotation x y z w of a node as a unit quaternion w x y z; notes any other norm. Refuses zeros."""
    qx, qy, qz, qw = rotation
    square = qx * qx + qy * qy + qz * qz + qw * qw
    if not any(rotation):
        node.refuse("rotation" if "rotation" in node else None, "is zero: no rotation")
        square, qw = 1.0, 1.0
    elif not 0.0 < square < float("inf"):  # the square under- or overflows, but the direction is known
        largest = max(map(abs, rotation))
        qx, qy, qz, qw = (value / largest for value in rotation)
    if abs(square - 1.0) > UNIT:
        context.note(LONG, where, LENGTH, node.place(), before=six_digits(rotation))
    return normalise((qw, qx, qy, qz))


def split(node: JsonObject, values: Sequence[float]) -> LocalTransform:
    """Split a matrix into translation, rotation and the rest: factors along its axes unless it shears. Raises
    InputError if it is not affine."""
    if any(abs(values[place] - wanted) > 1e-6 for place, wanted in ((3, 0.0), (7, 0.0), (11, 0.0), (15, 1.0))):
        raise node.fail("matrix", "is not affine: its last row is not 0 0 0 1")
    if max(map(abs, values)) > FAR:
        raise node.fail("matrix", f"holds a number beyond {FAR:g}")
    whole = np.array(values).reshape(4, 4).T
    pos: Vec3 = (values[12], values[13], values[14])
    inner = whole[:3, :3]
    lengths = np.linalg.norm(inner, axis=0)
    gram = inner.T @ inner
    across = np.abs(gram - np.diag(np.diag(gram))).max(initial=0.0)
    if lengths.min() > 0 and across <= SHEAR * lengths.min() * lengths.max():
        if np.linalg.det(inner) < 0:
            lengths = lengths * (-1.0, 1.0, 1.0)
        turn = from_matrix(inner / lengths)
        sx, sy, sz = lengths.tolist()
        near = max(abs(sx - 1.0), abs(sy - 1.0), abs(sz - 1.0)) < 1e-9
        return LocalTransform(pos, turn, PLAIN if near else Linear((sx, sy, sz)))
    left, _, right = np.linalg.svd(inner)
    turned = left @ right
    if np.linalg.det(turned) < 0:
        left[:, 2] = -left[:, 2]
        turned = left @ right
    return LocalTransform(pos, from_matrix(turned), _simplest_linear(turned.T @ inner))


def pose_below(above: Linear, inner: LocalTransform) -> tuple[Pose, Linear]:
    """Return the pose of a node in the frame of its parent, and its linear rest; above is that of the parent."""
    if above is PLAIN and inner.linear is PLAIN:
        return (Pose(inner.pos, inner.rot) if inner != LocalTransform() else IDENTITY), PLAIN
    pose = Pose(above.of(inner.pos), inner.rot)
    a, b = above, inner.linear
    if a.matrix is None and b.matrix is None and (a.scale[0] == a.scale[1] == a.scale[2] or inner.rot[1:] == (0, 0, 0)):
        return pose, Linear((a.scale[0] * b.scale[0], a.scale[1] * b.scale[1], a.scale[2] * b.scale[2]))
    turn = matrix(inner.rot)
    return pose, _simplest_linear(turn.T @ _as_matrix(a) @ turn @ _as_matrix(b))


def _as_matrix(linear: Linear) -> Floats:
    return np.diag(linear.scale) if linear.matrix is None else linear.matrix


def _simplest_linear(whole: Floats) -> Linear:
    """Return only the factors if the matrix is diagonal."""
    diagonal = np.diag(whole)
    off = np.abs(whole - np.diag(diagonal)).max()
    if off <= SHEAR * np.abs(whole).max():
        x, y, z = diagonal.tolist()
        return Linear((x, y, z))
    return Linear(matrix=whole)


def affine_matrix(places: Iterable[LocalTransform]) -> Any:
    """Return the (4, 4) matrix of a chain of transforms, the outermost first."""
    whole = np.eye(4)
    for place in places:
        step = np.eye(4)
        step[:3, :3] = matrix(place.rot) @ _as_matrix(place.linear)
        step[:3, 3] = place.pos
        whole = whole @ step
    return whole


# ---------------------------------------------------------------------------------------------- EXT_mesh_gpu_instancing

WIDTHS = {"TRANSLATION": 3, "ROTATION": 4, "SCALE": 3}
MOST = 100_000
"""Maximum number of instances of one node: each becomes a geom."""


def instances(node: JsonObject, accessors: Accessors, context: ReaderContext) -> Iterable[LocalTransform]:
    """Return the transforms of the mesh instances of a node, in its coordinates: a single identity if it declares none.

    Raises InputError for invalid transforms, and for too many of them.
    """
    attributes = extension(node, INSTANCES, "attributes")
    if attributes is None:
        return [LocalTransform()]
    size = len(accessors.nodes)
    numbers = {key: index for key in WIDTHS if (index := attributes.index(key, size)) is not None}
    columns = {}
    for key, index in numbers.items():
        values = accessors.array(index)
        if values.shape[1] != WIDTHS[key]:
            raise attributes.fail(key, f"must have {WIDTHS[key]} numbers for each instance")
        columns[key] = values
    counts = {len(values) for values in columns.values()}
    if len(counts) > 1:
        raise attributes.fail(None, f"has {' and '.join(map(str, sorted(counts)))} instances at once")
    if not counts:
        return [LocalTransform()]
    (count,) = counts
    if count > MOST:
        raise attributes.fail(None, f"asks for {count} instances; at most {MOST} are read")
    return _instance_transforms(node, columns, count, context)


def _instance_transforms(
    node: JsonObject, columns: dict[str, Floats], count: int, context: ReaderContext
) -> Iterator[LocalTransform]:
    for number in range(count):
        row: dict[str, list[float]] = {key: values[number].tolist() for key, values in columns.items()}
        x, y, z = row.get("TRANSLATION", (0.0, 0.0, 0.0))
        scale = row.get("SCALE", ())
        turn = unit(node, row["ROTATION"], f"instance/{number}", context) if "ROTATION" in row else None
        linear = Linear((scale[0], scale[1], scale[2])) if scale and scale != [1.0, 1.0, 1.0] else PLAIN
        yield LocalTransform((x, y, z), turn or (1.0, 0.0, 0.0, 0.0), linear)
