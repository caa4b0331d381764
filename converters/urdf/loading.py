"""What a reading of one URDF document knows so far: the scene being built, names given out, and spellings."""

from __future__ import annotations

from msgspec import Struct, field

from converters.context import Context
from converters.source.xml import Node
from converters.urdf.tables import CHILD_ORDER
from ir.names import Spares
from ir.scene import Scene
from ir.types import Extra


class UrdfLoading(Struct):
    """Passed to every function that reads a part of the document."""

    context: Context
    scene: Scene
    version: tuple[int, int]
    geoms: Spares = field(default_factory=lambda: Spares(()))
    """Names of geoms given out so far."""
    assets: dict[tuple[str, str], str] = field(default_factory=dict)
    """(kind, uri) -> key in the asset table."""
    meshdir: str = ""
    """Where MuJoCo looks for meshes (its block in the document)."""
    names: dict[str, Spares] = field(default_factory=dict)
    """Kind of a table -> the names in it."""
    spelling: dict[str, str] = field(default_factory=dict)
    rotors: dict[str, float] = field(default_factory=dict)
    """Joint -> inertia of its rotor, as the joint feels it."""


def leftovers(node: Node) -> tuple[Extra, ...]:
    """The leftovers of an element in the order in which it will be written: the same when read again."""
    extras = node.rest()
    return extras if len(extras) < 2 else tuple(sorted(extras, key=_rank))


def _rank(extra: Extra) -> int:
    path = extra.path
    if path[0] == "@":
        return -1
    return CHILD_ORDER.get(path[: path.find("[")], len(CHILD_ORDER))
