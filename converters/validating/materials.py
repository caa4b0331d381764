"""Materials: what readers do not tell of them already."""

from __future__ import annotations

from collections.abc import Iterator

from converters.validating.model import Breach, Model


def check(model: Model) -> Iterator[Breach]:
    if model.format != "urdf":
        return
    for name, material in model.scene.materials.items():
        if material.label == "" and material.source is not None:
            message = "a material named '' is shared with no other visual"
            yield Breach(rule="MAT-EMPTYNAME", where=f"material/{name}", message=message, source=material.source)
