"""glTF -> Scene: one of ours by the graph inside, any other as a scene of nodes."""

from __future__ import annotations

from msgspec.structs import replace

from converters.context import Context
from converters.gltf import own, whole
from converters.gltf.container import unpack
from converters.gltf.extensions import check_said
from ir.scene import Scene


def read(data: bytes, context: Context) -> Scene:
    """The scene of a GLB or a .gltf. Raises InputError for what is broken, unsafe, or needs an unknown extension."""
    container = unpack(data, context)
    check_said(container.document.root)
    blob = whole.find(container.document.root.members)
    mine = own.read(container, blob, context) if blob is not None else None
    if mine is not None and not context.faults.found:
        return mine
    from converters.gltf.foreign import read as read_scene

    if mine is None:
        return read_scene(container, context)
    read_scene(container, replace(context, notes=[]))  # for the faults: others look at all of it
    return mine
