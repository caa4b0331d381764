"""The state of reading one URDF document: the scene being built, names in use, and spellings."""

from __future__ import annotations

from msgspec import Struct, field

from converters.context import ReaderContext
from converters.source.xml import Node
from converters.urdf.tables import CHILD_ORDER
from ir.names import Spares
from ir.scene import Scene
from ir.types import Extra


class UrdfLoading(Struct):
    """The state of a reading, passed to every function that reads a part of the document."""

    context: ReaderContext
    scene: Scene
    version: tuple[int, int]
    geoms: Spares = field(default_factory=lambda: Spares(()))
    """Names of geoms in use."""
    assets: dict[tuple[str, str], str] = field(default_factory=dict)
    """(kind, URI) -> key in the asset table."""
    meshdir: str = ""
    """The folder where MuJoCo looks for meshes (from its block in the document)."""
    names: dict[str, Spares] = field(default_factory=dict)
    """Kind of a table -> the names in it."""
    spelling: dict[str, str] = field(default_factory=dict)
    rotors: dict[str, float] = field(default_factory=dict)
    """Joint -> reflected inertia of its rotor."""


def leftovers(node: Node) -> tuple[Extra, ...]:
    """Return the unread content of an element in the order of writing, so that reading it again gives the same."""
    extras = node.rest()
    return extras if len(extras) < 2 else tuple(sorted(extras, key=_rank))


def _rank(extra: Extra) -> int:
    path = extra.path
    if path[0] == "@":
        return -1
    return CHILD_ORDER.get(path[: path.find("[")], len(CHILD_ORDER))
