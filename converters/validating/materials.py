"""Materials: what readers do not tell of them already."""

from __future__ import annotations

import json
from collections.abc import Iterator

from converters.urdf.tables import GLOBALS
from converters.validating.model import Breach, CheckedModel, broken
from ir.scene import Scene
from ir.types import Material


def check(model: CheckedModel) -> Iterator[Breach]:
    if model.format != "urdf":
        return
    for material in model.scene.materials.values():
        if material.label == "" and material.source is not None:
            message = "a material named '' is shared with no other visual"
            yield broken("MAT-EMPTYNAME", "material", material, message)
    for material in empty(model.scene):
        yield broken("MAT-NOVALUE", "material", material, "it says neither a colour nor a texture")


def empty(scene: Scene) -> list[Material]:
    """Materials that <robot> defines as nothing."""
    found = (scene.materials[name] for name in json.loads(scene.notation.get(GLOBALS, "[]")) if name in scene.materials)
    return [material for material in found if material.rgba is None and material.texture is None]
