"""MJCF, the model format of MuJoCo 4 (2.x and 3.x spellings are read as well)."""

from converters.format import Fits, Format
from converters.registry import lazy

SMALLEST_VOLUME = 1e-13
"""Cubic metres of the bounding box of a mesh: MuJoCo refuses one of 1e-15, unless it is a shell (measured, 4.0.0)."""

FORMAT = Format(
    name="mjcf",
    title="MJCF (MuJoCo)",
    suffixes=(".xml", ".mjcf"),
    claims=lambda head: b"<mujoco" in head,
    read=lazy("converters.mjcf.reader", "read"),
    write=lazy("converters.mjcf.writer", "write"),
    carry=lazy("converters.mjcf.writer", "carry"),
    passes=lazy("converters.mjcf.interpret", "passes"),
    older=lazy("converters.mjcf.meaning.as_drawn", "passes"),
    losses=lazy("converters.report.rows", "losses", "mjcf"),
    looks="model alone",
    fits=Fits(
        options=frozenset(
            {"missing_inertia", "density", "total_mass", "carry", "meshes=copy", "meshes=reference", "scene"}
        ),
        mark="mjcf:spelling",
        counts=True,
        mark_fades=True,
        needs_inertia=True,
        screws=False,
        plane_normals=False,
        needs_base="fixed",
        parent_child_collide=True,
        empty_range_is_unlimited=True,
        actuators=True,
        held=lazy("converters.mjcf.meaning.drives", "holding_control"),
        sensors_see=False,
        simulator_terms=True,
        loop_joints=False,
        wrench_sites=True,
        moved_without_joint=True,
        constraints=True,
        bodies_collide=True,
        combine="maximum",
        masks=(1, 1),
        worlds=True,
        magnetic=(0.0, -0.5, 0.0),
        timestep=0.002,
        highlight=0.5,
        bright=frozenset({"rgba", "ambient", "specular", "emissive", "diffuse"}),
        contact_dimensions=True,
        height_fields=True,
        half_sizes=True,
        meshed=lazy("converters.assets.solids", "convex"),
        seen_mesh=("inertia", "shell"),
        least_mesh=SMALLEST_VOLUME,
        joined=lazy("converters.assets.inside", "as_one"),
    ),
)
