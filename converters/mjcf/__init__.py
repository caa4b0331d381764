"""MJCF, the model format of MuJoCo 4 (2.x and 3.x spellings are read as well)."""

from converters.registry import Fits, Format, lazy

FORMAT = Format(
    name="mjcf",
    title="MJCF (MuJoCo)",
    suffixes=(".xml", ".mjcf"),
    claims=lambda head: b"<mujoco" in head,
    read=lazy("converters.mjcf.reader", "read"),
    write=lazy("converters.mjcf.writer", "write"),
    carry=lazy("converters.mjcf.writer", "carry"),
    passes=lazy("converters.mjcf.interpret", "passes"),
    losses=lazy("converters.mjcf.tables", "losses"),
    looks="model alone",
    fits=Fits(
        mark="mjcf:spelling",
        mark_fades=True,
        needs_inertia=True,
        screws=False,
        plane_normals=False,
        needs_base="fixed",
        parent_child_collide=True,
        empty_range_is_unlimited=True,
        actuators=True,
        sensors_see=False,
        simulator_terms=True,
        loop_joints=False,
        wrench_sites=True,
        moved_without_joint=True,
        constraints=True,
        bodies_collide=True,
        worlds=True,
        contact_dimensions=True,
        height_fields=True,
        half_sizes=True,
        meshed=lazy("converters.assets.solids", "convex"),
    ),
)
