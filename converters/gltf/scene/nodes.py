"""The forest of nodes: who hangs on whom, and where each stands once scales and shears are told from poses.

A body has a rigid pose, a node of glTF any affine transform. So every node is taken apart into the pose of a frame in
that of the node above, and what is left: the linear map between the coordinates of the node and that frame. It goes
down the tree and ends in the meshes; no vertex is touched, and no rotation is made up (glTF 2.0, 3.5).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from converters.context import Context
from converters.gltf.data.accessors import Accessors
from converters.gltf.data.extensions import INSTANCES, extension
from converters.source.json import JsonObject
from converters.source.text import six_digits
from ir.arrays import Floats, np
from ir.pose import from_matrix, matrix, normalise
from ir.types import IDENTITY, ONES, Pose, Quat, Vec3

FAR = 1e15
"""Metres, and factors, beyond which nothing can be computed with."""
UNIT = 1e-4
"""How far the square of a quaternion may be from one without a word: single precision, and some generosity."""
LONG, LENGTH = "gltf/not-unit", "a rotation is a unit quaternion"
SHEAR = 1e-6
"""Share of the largest factor below which what is off the diagonal is rounding of single precision."""
UP = Pose(rot=(0.5**0.5, 0.5**0.5, 0.0, 0.0))
"""Coordinates of glTF, with y up, in those of the graph, with z up."""


class Linear(Struct, frozen=True, eq=False):
    """What a transform is besides a pose: factors along the axes and, where those do not say it all, the whole matrix.

    With a matrix the factors are not used.
    """

    scale: Vec3 = ONES
    matrix: Floats | None = None

    def of(self, v: Vec3) -> Vec3:
        """The vector v of the node in the frame that has its pose."""
        if self.matrix is None:
            return (self.scale[0] * v[0], self.scale[1] * v[1], self.scale[2] * v[2])
        x, y, z = (self.matrix @ v).tolist()
        return (x, y, z)

    def text(self) -> str:
        """The matrix row by row, for an asset that is to be changed by it."""
        assert self.matrix is not None
        return " ".join(repr(value) for value in self.matrix.ravel().tolist())


PLAIN = Linear()


class LocalTransform(Struct, frozen=True):
    """The transform of a node: translation, rotation w x y z, and what is left, in the axes of the rotated frame."""

    pos: Vec3 = (0.0, 0.0, 0.0)
    rot: Quat = (1.0, 0.0, 0.0, 0.0)
    linear: Linear = PLAIN


def forest(nodes: Sequence[JsonObject]) -> list[int | None]:
    """The parent of each node, which is not reading any of them.

    Refuses a child that is not there, has two parents, or is its own ancestor.
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


def children(nodes: Sequence[JsonObject], number: int, parents: Sequence[int | None]) -> list[int]:
    """The children of a node that hang on it in the forest."""
    return [child for child in indices(nodes[number], "children", len(nodes)) if parents[child] == number]


def scene_number(root: JsonObject, scenes: int) -> int:
    """The number of the scene that is seen, of so many. Refuses one that is not there (3.5.1)."""
    return root.index("scene", scenes) or 0


def scene_roots(scene: JsonObject, nodes: Sequence[JsonObject], parents: Sequence[int | None]) -> list[int]:
    """The nodes that a scene names, each once. Refuses one that it names twice, and one that hangs on another (3.5.1:
    they are roots)."""
    named = indices(scene, "nodes", len(nodes))
    found = [*dict.fromkeys(named)]
    if len(found) != len(named):
        scene.refuse("nodes", "names a node twice")
    for top in found:
        if parents[top] is not None:
            scene.refuse("nodes", f"names node {top}, which is a child of node {parents[top]}")
    return [top for top in found if parents[top] is None]


def indices(node: JsonObject, key: str, size: int) -> list[int]:
    """An array of references into a table of that size, empty when absent. Raises InputError."""
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


def local_transform(node: JsonObject, where: str, context: Context) -> LocalTransform:
    """The transform of a node. Raises InputError for what is none: no rotation, no affine matrix."""
    values = node.vector("matrix", 16)
    if values is not None:
        return node.attempt(split, node, values) or LocalTransform()
    x, y, z = node.vector("translation", 3) or (0.0, 0.0, 0.0)
    sx, sy, sz = node.vector("scale", 3) or ONES
    rotation = node.vector("rotation", 4)
    turn = unit(node, rotation, where, context) if rotation is not None else (1.0, 0.0, 0.0, 0.0)
    scale = (sx, sy, sz)
    return LocalTransform((x, y, z), turn, PLAIN if scale == ONES else Linear(scale))


def unit(node: JsonObject, rotation: Sequence[float], where: str, context: Context) -> Quat:
    """A rotation x y z w of a node as w x y z, of length one; tells of another length. Refuses zeros."""
    qx, qy, qz, qw = rotation
    square = qx * qx + qy * qy + qz * qz + qw * qw
    if not any(rotation):
        node.refuse("rotation" if "rotation" in node else None, "is zero: no rotation")
        square, qw = 1.0, 1.0
    elif not 0.0 < square < float("inf"):  # a direction all the same
        largest = max(map(abs, rotation))
        qx, qy, qz, qw = (value / largest for value in rotation)
    if abs(square - 1.0) > UNIT:
        context.note(LONG, where, LENGTH, node.place(), before=six_digits(rotation))
    return normalise((qw, qx, qy, qz))


def split(node: JsonObject, values: Sequence[float]) -> LocalTransform:
    """The columns of a matrix as rotation and what is left: factors along its axes, unless it shears. Raises InputError
    for one that is not affine."""
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
    """The pose of a node in the frame of the node above it, and what is left there; above is what was left here."""
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
    """Factors where the matrix is no more than that."""
    diagonal = np.diag(whole)
    off = np.abs(whole - np.diag(diagonal)).max()
    if off <= SHEAR * np.abs(whole).max():
        x, y, z = diagonal.tolist()
        return Linear((x, y, z))
    return Linear(matrix=whole)


def affine_matrix(places: Iterable[LocalTransform]) -> Any:
    """(4, 4) matrix of transforms, the outermost first."""
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
"""Instances of one node: each is a geom of its own here."""


def instances(node: JsonObject, accessors: Accessors, context: Context) -> Iterable[LocalTransform]:
    """Where the mesh of a node stands, in the coordinates of the node: once, right there, unless the node says more.

    Raises InputError for transforms that are none, and for more of them than anybody needs.
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
    node: JsonObject, columns: dict[str, Floats], count: int, context: Context
) -> Iterator[LocalTransform]:
    for number in range(count):
        row: dict[str, list[float]] = {key: values[number].tolist() for key, values in columns.items()}
        x, y, z = row.get("TRANSLATION", (0.0, 0.0, 0.0))
        scale = row.get("SCALE", ())
        turn = unit(node, row["ROTATION"], f"instance/{number}", context) if "ROTATION" in row else None
        linear = Linear((scale[0], scale[1], scale[2])) if scale and scale != [1.0, 1.0, 1.0] else PLAIN
        yield LocalTransform((x, y, z), turn or (1.0, 0.0, 0.0, 0.0), linear)
