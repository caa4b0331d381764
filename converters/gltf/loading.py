"""Reading a document: one of ours by the graph inside, any other as a scene."""

from __future__ import annotations

from converters.context import Context
from converters.gltf import own, whole
from converters.gltf.container import unpack
from ir.scene import Scene


def read(data: bytes, context: Context) -> Scene:
    """The scene of a GLB or a .gltf. Raises InputError for what is broken, unsafe, or needs an unknown extension."""
    container = unpack(data, context)
    blob = whole.find(container.document.root.members)
    if blob is not None:
        return own.read(container, blob, context)
    from converters.gltf.reader import read as read_scene

    return read_scene(container, context)
