"""URDF, versions 1.0 to 1.2, with common dialects."""

import re

from converters.comments import without_comments
from converters.format import Fits, Format
from converters.registry import lazy

CAMERA_ROT = (0.0, 1.0, 0.0, 0.0)
"""A URDF camera looks along z with y down, the graph's along -z with y up."""
_DIRECTIVE = re.compile(rb"<xacro:(?:include|macro|property|arg)[\s>]")
"""Elements that never remain after expansion. Calls of unknown macros often do, in what is otherwise URDF."""


def _claims(head: bytes) -> bool:
    return b"<robot" in head and not (b"<xacro:" in head and _DIRECTIVE.search(without_comments(head)))


FORMAT = Format(
    name="urdf",
    title="URDF (ROS)",
    suffixes=(".urdf",),
    claims=_claims,
    read=lazy("converters.urdf.reader", "read"),
    write=lazy("converters.urdf.writer", "write"),
    carry=lazy("converters.source.carried", "carry"),
    losses=lazy("converters.report.rows", "losses", "urdf"),
    passes=lazy("converters.urdf.interpret", "passes"),
    older=lazy("converters.srdf.writer", "passes"),
    srdf=True,
    asks=frozenset({"find_srdf", "urdfdom_materials"}),
    fits=Fits(
        slide_anchors=False,
        options=frozenset(
            {
                "missing_inertia",
                "density",
                "total_mass",
                "carry",
                "find_srdf",
                "meshes=copy",
                "meshes=reference",
                "ros_package",
                "separator",
                "sites",
                "urdf_version",
                "base=open",
            }
        ),
        open_root=True,
        blocks="urdf",
        says=lazy("converters.urdf.dialects", "says_all_of_sensor"),
        camera_rot=CAMERA_ROT,
        combine="minimum",
        light_factors=True,
        mark="urdf_version",
        free_inside_tree=True,
        screws=False,
        balls=False,
        planes=False,
        transmissions=True,
        frames=False,
        loop_joints=False,
        single=lazy("converters.urdf.writer", "moving_alone"),
        meshed=lazy("converters.assets.solids", "whole"),
    ),
)
