"""Scenes to render, and pictures of them."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image

from converters.context import Options, WriterContext
from converters.png.camera import Viewpoint, framed
from converters.png.looks import LookTable
from converters.png.stage import Stage, framing
from converters.png.writer import write
from ir.kinematics import forward
from ir.scene import Scene
from ir.types import WORLD, Asset, Body, Geom, Material, Pose, Role, Shape

RED, GREEN, BLUE = (1.0, 0.0, 0.0, 1.0), (0.0, 1.0, 0.0, 1.0), (0.0, 0.0, 1.0, 1.0)


Colour = tuple[float, float, float, float]


def geom(shape: Shape, colour: Colour = RED, pos: tuple[float, float, float] = (0.0, 0.0, 0.0), **rest: object) -> Geom:
    name = f"g{colour}{pos}{shape}"[:200]
    return Geom(
        **(
            {"name": name, "role": Role.VISUAL, "shape": shape, "pose": Pose(pos), "material": json.dumps(colour)}
            | rest
        )
    )


def scene_of(*geoms: Geom, world: tuple[Geom, ...] = (), assets: tuple[Asset, ...] = ()) -> Scene:
    scene = Scene("s")
    scene.add_body(Body(name=WORLD, geoms=world))
    scene.add_body(Body(name="b", geoms=geoms))
    for colour in dict.fromkeys(each.material for each in (*geoms, *world) if each.material):
        scene.add("material", Material(name=colour, rgba=tuple(json.loads(colour))))
    for asset in assets:
        scene.add("asset", asset)
    return scene


def shot(scene: Scene, *, notes: list[str] | None = None, **options: object) -> np.ndarray:
    """Return the picture as an array (h, w, 3) with values in [0, 1]."""
    settings = Options(**({"size": (200, 200), "view": "front"} | options))
    context = WriterContext(file="s", folder=Path(), options=settings)
    picture = Image.open(BytesIO(write(scene, context).document))
    assert picture.format == "PNG"
    assert picture.size == settings.size
    if notes is not None:
        notes += [note.rule for note in context.notes]
    return np.asarray(picture.convert("RGB")) / 255.0


def reddish(picture: np.ndarray, channel: int = 0) -> np.ndarray:
    """Return where one colour channel is far above the others."""
    others = np.delete(picture, channel, axis=2).max(axis=2)
    return picture[..., channel] - others > 0.2


def staged(scene: Scene, view: str, width: int, height: int) -> tuple[Stage, Viewpoint]:
    context = WriterContext(file="", folder=Path(), options=Options(view=view))
    stage = Stage(scene, context, LookTable(scene, context))
    return stage, framed(framing(stage.things(forward(scene))), view, width, height)
