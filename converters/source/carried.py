"""Carried data as elements of a prefix of their own, which all readers of URDF and SDFormat pass over."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from converters.context import Context, Output
from converters.source.parsing import NAMESPACE, PREFIX
from converters.source.tree import appended, attribute
from converters.source.xml import Node
from ir.scene import Scene

CARRIED = "kinegraph:carried"


def carry(output: Output, carried: Mapping[str, str]) -> Output:
    """Append carried data at the end of the document (converters.format.Format.carry)."""
    lines = [f"  <{CARRIED} key={attribute(key)} value={attribute(value)}/>\n" for key, value in carried.items()]
    return replace(output, document=appended(output.document, lines, f'{PREFIX}="{NAMESPACE}"'))


def read_carried(root: Node, scene: Scene, context: Context) -> None:
    """Fill Scene.carried, and where each piece of it stands."""

    def read(node: Node) -> None:
        scene.carried[node.need("key")] = node.need("value")
        context.pieces[node.need("key")] = node.source

    for node in root.children(CARRIED):
        node.attempt(read, node)
