"""URDF, versions 1.0 to 1.2, with the dialects that robots use."""

from converters.registry import Fits, Format, lazy

FORMAT = Format(
    name="urdf",
    title="URDF (ROS)",
    suffixes=(".urdf",),
    claims=lambda head: b"<robot" in head,
    read=lazy("converters.urdf.reader", "read"),
    write=lazy("converters.urdf.writer", "write"),
    carry=lazy("converters.urdf.writer", "carry"),
    losses=lazy("converters.urdf.tables", "losses"),
    passes=lazy("converters.urdf.interpret", "passes"),
    srdf=True,
    fits=Fits(
        open_root=True,
        blocks="urdf",
        mark="urdf_version",
        free_inside_tree=True,
        screws=False,
        balls=False,
        planes=False,
        transmissions=True,
        frames=False,
        loop_joints=False,
        meshed=lazy("converters.assets.solids", "whole"),
    ),
)
