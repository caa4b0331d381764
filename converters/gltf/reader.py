"""A document that somebody else wrote -> Scene: nodes as bodies, meshes and images as parts of the file (README).

Of a document that does say how its bodies move (rigid), the joints and masses are those it says.
"""

from __future__ import annotations

from converters.context import Context
from converters.gltf.accessors import Accessors
from converters.gltf.container import unpack
from converters.gltf.linkage import build
from converters.gltf.looks import Looks
from converters.gltf.rigid import Rigid
from converters.gltf.scenes import Stage
from converters.gltf.surfaces import Surfaces
from converters.source.json import Node
from ir.scene import Scene

VERSION = "gltf_version"
"""Key of the notation of a scene that was read from glTF."""


def read(data: bytes, context: Context) -> Scene:
    """The default scene of a GLB or a .gltf, z up. Raises InputError for what is broken, unsafe, or needs more.

    Whatever has no place in the graph stays with its owner as an extra, verbatim.
    """
    container = unpack(data, context)
    root = container.document.root
    scene = Scene("")
    scene.notation.update(_notation(root))
    surfaces = Surfaces(root, Accessors(root, container.buffers), context)
    rigid = Rigid(root)
    stage = Stage(root, scene, context, surfaces, Looks(root, scene, context), rigid)
    stage.walk()
    rigid.add_colliders(stage)
    build(stage)
    for view in root.children("bufferViews"):
        view.ignore("target", "gltf/usage-hint")
    scene.extras = root.rest()
    return scene


def _notation(root: Node) -> dict[str, str]:
    """Version and author of the document. Raises InputError for a version that is not known."""
    asset = root.child("asset")
    version = asset.text("version") if asset is not None else None
    if asset is None or version is None:
        raise root.fail("asset", "must say the version of glTF")
    least = asset.text("minVersion")
    if not version.startswith("2.") or (least is not None and least not in ("2.0", "2.1")):
        raise asset.fail("version", f"is {version}{f', at least {least}' if least else ''}; known are 2.0 and 2.1")
    generator = asset.text("generator")
    return {VERSION: version} | ({"generator": generator} if generator is not None else {})
