"""SDFormat 1.0 to 1.12 (Gazebo, Drake); written as 1.6 to 1.12."""

from converters.registry import Fits, Format, lazy

FORMAT = Format(
    name="sdf",
    title="SDFormat (Gazebo)",
    suffixes=(".sdf", ".world"),
    claims=lambda head: b"<sdf" in head or (b"<gazebo" in head and b"<robot" not in head),
    read=lazy("converters.sdf.reader", "read"),
    write=lazy("converters.sdf.writer", "write"),
    carry=lazy("converters.sdf.writer", "carry"),
    knows=lazy("converters.sdf.vocabulary", "knows"),
    folder="model.sdf",
    looks="model",
    alone=lazy("converters.sdf.interpret", "alone"),
    enter=lazy("converters.sdf.package", "enter"),
    losses=lazy("converters.sdf.tables", "losses"),
    passes=lazy("converters.sdf.interpret", "passes"),
    older=lazy("converters.sdf.between", "passes"),
    blocks=lazy("converters.sdf.blocks", "passes"),
    fits=Fits(
        mark="sdf:version",
        material_names=False,
        possible_inertia=True,
        needs_base="floating",
        simulator_terms=True,
        gazebo="sdf",
        worlds=True,
        bodies_collide=False,
        names_are_shared=True,
        spare=lazy("converters.sdf.values", "spare_name"),
        empty_links_are_frames=lambda options: (options.sdf_version or "").strip() != "1.6",
        transparency=True,
        mimics=lazy("converters.sdf.versions", "mimics"),
        height_fields=True,
        kinematic_links=True,
    ),
)
