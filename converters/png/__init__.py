"""PNG: a picture of the model, drawn here with numpy alone, so that every machine can make one.

writer.py  from a scene to the picture
stage.py   what is shown: pieces of geoms, and where they are
looks.py   the colour and the image of each piece
camera.py  where the picture is taken from
ground.py  the grid under the model
paint.py   what covers what, and what is seen through
raster.py  triangles onto pixels
"""

from converters.format import Fits, Format
from converters.registry import lazy

FORMAT = Format(
    name="png",
    title="PNG (a picture)",
    suffixes=(".png",),
    claims=lambda head: head.startswith(b"\x89PNG"),
    write=lazy("converters.png.writer", "write"),
    fits=Fits(
        options=frozenset({"show", "size", "view"}),
        free_inside_tree=True,
        actuators=True,
        simulator_terms=True,
        constraints=True,
        transparency=True,
        submeshes=True,
        height_fields=True,
    ),
    picture=True,
)
