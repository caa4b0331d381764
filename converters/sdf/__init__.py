"""SDFormat 1.0 to 1.12 (Gazebo, Drake); written as 1.6 to 1.12."""

from math import inf

from converters.format import Fits, Format, SizeLimit
from converters.registry import lazy
from converters.source.files import MAX_ELEMENTS

FORMAT = Format(
    name="sdf",
    title="SDFormat (Gazebo)",
    suffixes=(".sdf", ".world"),
    claims=lambda head: b"<sdf" in head or (b"<gazebo" in head and b"<robot" not in head.lower()),
    read=lazy("converters.sdf.reader", "read"),
    write=lazy("converters.sdf.writer", "write"),
    carry=lazy("converters.source.carried", "carry"),
    knows=lazy("converters.sdf.document.vocabulary", "knows"),
    folder="model.sdf",
    looks="model",
    alone=lazy("converters.sdf.interpret", "alone"),
    enter=lazy("converters.sdf.include.package", "model_document"),
    losses=lazy("converters.sdf.losses", "losses"),
    passes=lazy("converters.sdf.interpret", "passes"),
    older=lazy("converters.sdf.meaning.older", "passes"),
    blocks=lazy("converters.sdf.meaning.gazebo", "passes"),
    size_limit=SizeLimit(MAX_ELEMENTS, "elements", body=1, inertial=9, moving=5, geom=3),
    fits=Fits(
        slide_anchors=False,
        options=frozenset(
            {"missing_inertia", "density", "total_mass", "carry", "meshes=copy", "meshes=reference", "sdf_version"}
        ),
        mark="sdf:version",
        material_names=False,
        covers=True,
        accepts_inertia=lazy("converters.sdf.parts.moments", "accepts"),
        needs_base="floating",
        static=True,
        simulator_terms=True,
        gazebo="sdf",
        worlds=True,
        magnetic=(5.5645e-6, 22.8758e-6, -42.3884e-6),
        timestep=0.001,
        highlight=0.0,
        bodies_collide=False,
        combine="minimum",
        light_factors=True,
        across=1.0,
        surfaces=(
            *((name, inf) for name in ("mu", "mu2", "torsional", "torsional_coefficient", "patch_radius")),
            ("restitution", 1.0),
        ),
        names_are_shared=True,
        spare=lazy("converters.sdf.document.values", "spare_name"),
        empty_links_are_frames=lambda options: (options.sdf_version or "").strip() != "1.6",
        transparency=True,
        images_apart=True,
        single=lazy("converters.sdf.models.joints", "with_sdf_joints"),
        mimics=lazy("converters.sdf.writing.versions", "knows_mimic"),
        frame_ids=lazy("converters.sdf.writing.versions", "knows_frame_id"),
        height_fields=True,
        kinematic_links=True,
    ),
)
