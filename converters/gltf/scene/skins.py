"""The pose of a mesh with a skin: it is determined by its joints (glTF 2.0, 3.7.3.3), not by its own node."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from msgspec.structs import replace

from converters.context import ReaderContext
from converters.gltf.data.accessors import Accessors
from converters.gltf.data.raw import listed
from converters.gltf.scene.nodes import LocalTransform, affine_matrix, forest, local_transform, split
from converters.source.json import JsonObject
from ir.arrays import Array, np

NEAR = 1e-5
"""Tolerance for the disagreement of joints, as a share of the largest number of a transform."""
LEAST = 1e-30
"""Smallest determinant of a node matrix that is treated as invertible."""


class Skins:
    """The skins of a document. They stay unread, because nothing here deforms a mesh."""

    def __init__(self, root: JsonObject, accessors: Accessors, context: ReaderContext) -> None:
        self.nodes = root.children("nodes")
        self.accessors = accessors
        self.context = replace(context, notes=[])  # transforms are reported where nodes are traversed
        said = root.members.get("skins")
        self.skins: list[Any] = said if isinstance(said, list) else []
        self._bound: dict[int, Array | None] = {}
        self._worlds: dict[int | None, Array] = {}

    @cached_property
    def parents(self) -> list[int | None]:
        """The parent of each node (nodes.forest)."""
        return forest(self.nodes)

    def bound(self, node: JsonObject) -> LocalTransform | None:
        """Return the transform of the mesh of a skinned node in the coordinates of the node, in its undeformed state.

        None if its joints do not move all of it alike, or the skin has no joints.
        """
        number = node.members.get("skin")
        if type(number) is not int or not 0 <= number < len(self.skins):
            return None
        with np.errstate(all="ignore"):  # non-finite results are refused below
            if number not in self._bound:
                before = set(self.accessors.read)
                self._bound[number] = self._moved(self.skins[number])
                self.accessors.read.intersection_update(before)
            moved, own = self._bound[number], self._world(int(node.pointer.split("/")[2]))
            if moved is None or not LEAST < abs(np.linalg.det(own)) < 1 / LEAST:
                return None
            step = np.linalg.inv(own) @ moved
        if not np.isfinite(step).all():
            return None
        return LocalTransform() if np.abs(step - np.eye(4)).max() <= NEAR else split(node, step.T.ravel().tolist())

    def _moved(self, skin: Any) -> Array | None:
        """Return the (4, 4) matrix by which the joints of a skin place its mesh in the scene; None if they disagree, or
        are invalid."""
        joints = listed(skin, "joints")
        if not joints:
            return None
        if any(type(each) is not int or not 0 <= each < len(self.nodes) for each in joints):
            return None
        inverse = self._inverse(skin.get("inverseBindMatrices"), len(joints))
        if inverse is None:
            return None
        moved: Array = np.array([self._world(each) for each in joints]) @ inverse
        return moved[0] if np.abs(moved - moved[0]).max() <= NEAR * np.abs(moved[0]).max() else None

    def _inverse(self, index: Any, count: int) -> Array | None:
        """Return the (count, 4, 4) inverse bind matrices, the identity if the skin has none."""
        if index is None:
            return np.broadcast_to(np.eye(4), (count, 4, 4))
        if type(index) is not int or not 0 <= index < len(self.accessors.nodes):
            return None
        values = self.accessors.array(index)
        if values.shape[1] != 16 or len(values) < count:
            return None
        return values[:count].astype(np.float64).reshape(count, 4, 4).transpose(0, 2, 1)

    def _world(self, number: int) -> Array:
        """Return the (4, 4) matrix of a node in the scene, computed once."""
        chain: list[int] = []
        at: int | None = number
        while at is not None and at not in self._worlds:
            chain.append(at)
            at = self.parents[at]
        whole = np.eye(4) if at is None else self._worlds[at]
        for each in reversed(chain):
            whole = self._worlds[each] = whole @ affine_matrix([local_transform(self.nodes[each], "", self.context)])
        return whole
