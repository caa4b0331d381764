"""A scene for a model, as the Menagerie has beside each robot: floor, light and sky around the model, included."""

from __future__ import annotations

from converters.context import Context
from converters.mjcf.assets.elements import asset_name
from converters.source.tree import Element, document
from ir.names import unique
from ir.scene import Scene

SUFFIX = "_scene.xml"
"""Behind the name of the output, as that of its assets and its SRDF: a scene.xml may be of another robot."""
GREY = "0.2 0.3 0.4"


def stage(scene: Scene, context: Context) -> dict[str, bytes]:
    """The file that sets up the model, by its place beside the output; none unless the user asks for it.

    Its names are none of the model, and the floor says itself what classes of the model could say otherwise.
    """
    if not context.options.scene or context.target is None:
        return {}
    geoms = {geom.name for geom in scene.geoms()}
    floor = unique("floor", geoms)
    plane = unique("groundplane", {*scene.materials, *scene.assets, *map(asset_name, scene.assets.values())})
    root = Element("mujoco", {"model": f"{scene.name} scene".strip()})
    root.add("include", {"file": context.target.name})
    visual = root.add("visual")
    visual.add("headlight", {"ambient": "0.3 0.3 0.3", "diffuse": "0.6 0.6 0.6", "specular": "0 0 0"})
    visual.add("rgba", {"haze": "0.15 0.25 0.35 1"})
    asset = root.add("asset")
    if not any(dict(each.parameters).get("type") == "skybox" for each in scene.assets.values()):
        sky = {"type": "skybox", "builtin": "gradient", "rgb1": "0.3 0.5 0.7", "rgb2": "0 0 0"}
        asset.add("texture", {"name": unique("skybox", scene.assets), **sky, "width": "512", "height": "3072"})
    squares = {"builtin": "checker", "mark": "edge", "rgb1": GREY, "rgb2": "0.1 0.2 0.3", "markrgb": "0.8 0.8 0.8"}
    asset.add("texture", {"name": plane, "type": "2d", **squares, "width": "300", "height": "300"})
    look = {"texture": plane, "texuniform": "true", "texrepeat": "5 5", "reflectance": "0.2"}
    asset.add("material", {"name": plane, **look})
    world = root.add("worldbody")
    world.add("light", {"pos": "0 0 1.5", "dir": "0 0 -1", "type": "directional"})
    shape = {"type": "plane", "size": "0 0 0.05", "material": plane}
    world.add("geom", {"name": floor, **shape, "contype": "1", "conaffinity": "1", "group": "0"})
    return {f"{context.target.stem}{SUFFIX}": document(root)}
