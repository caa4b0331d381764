"""xacro, the macro language of ROS: what a document expands to is read as the format that it then is.

reader.py  a document expanded by a child process, and read
child.py   that process: what it may do, and where each element comes from
roots.py   folders that it may open files of, and packages
safe.py    what an expression may say
"""

from converters.format import Format
from converters.registry import lazy

FORMAT = Format(
    name="xacro",
    title="xacro (ROS)",
    suffixes=(".xacro",),
    claims=lambda head: b"<robot" in head or b"xacro" in head,
    read=lazy("converters.xacro.reader", "read"),
    expand=lazy("converters.xacro.reader", "expanded"),
    srdf=True,
    asks=frozenset({"arguments", "find_srdf", "urdfdom_materials"}),
)
