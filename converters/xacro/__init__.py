"""xacro, the macro language of ROS: the expanded document is read in the format that it then has.

reader.py expands a document in a child process and reads the result. child.py is that process: its limits, and the
source of each element. roots.py has the folders that it may open files in, and packages. safe.py defines what an
expression may contain.
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
