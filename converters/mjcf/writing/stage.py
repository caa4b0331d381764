"""A scene that includes the model, as the Menagerie has for each robot: floor, light and sky around it."""

from __future__ import annotations

from converters.context import WriterContext
from converters.mjcf.assets.elements import asset_name
from converters.mjcf.tables import SPELLING
from converters.passes.contacts import masks, masks_meet
from converters.source.tree import Element, document
from ir.names import unique
from ir.scene import Scene

SUFFIX = "_scene.xml"
"""Appended to the name of the output, as for its assets and its SRDF: a plain scene.xml may belong to another robot."""
GREY = "0.2 0.3 0.4"
USUAL = 1
"""Both masks of a geom of MuJoCo, where nothing else is said."""
EVERY = 0x7FFFFFFF


def stage(scene: Scene, context: WriterContext) -> dict[str, bytes]:
    """Return the scene file by its place next to the output; nothing unless requested.

    Its names do not occur in the model, and the floor gives attributes that classes of the model could override.
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
    mask = str(_mask_of_floor(scene))
    shape = {"type": "plane", "size": "0 0 0.05", "material": plane}
    world.add("geom", {"name": floor, **shape, "contype": mask, "conaffinity": mask, "group": "0"})
    return {f"{context.target.stem}{SUFFIX}": document(root)}


def _mask_of_floor(scene: Scene) -> int:
    """Both masks of the floor: those of MuJoCo, to which an MJCF is fitted; but in Gazebo the ground collides with all
    categories, so all bits where a geom of another source would fall through."""
    usual = (USUAL, USUAL)
    meets = all(masks_meet(masks([geom]), usual) for geom in scene.geoms() if geom.collides)
    return USUAL if meets or SPELLING in scene.notation else EVERY
