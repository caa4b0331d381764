"""PNG: a picture of the model, rendered with numpy only, so that it needs no graphics hardware or library.

writer.py  from a scene to the picture
stage.py   what is shown: pieces of geoms, and their placement
looks.py   the colour and the image of each piece
camera.py  the camera
ground.py  the grid under the model
paint.py   visibility, lighting and transparency
raster.py  rasterisation of triangles
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
