"""glTF 2.0 (.glb and .gltf): posed, animated, physical, with the whole graph inside."""

from converters.registry import Fits, Format, lazy

FORMAT = Format(
    name="gltf",
    title="glTF 2.0 (web, graphics)",
    suffixes=(".glb", ".gltf"),
    claims=lambda head: head[:4] == b"glTF" or (head.lstrip()[:1] == b"{" and b'"asset"' in head),
    read=lazy("converters.gltf.reader", "read"),
    write=lazy("converters.gltf.writer", "write"),
    losses=lazy("converters.gltf.tables", "losses"),
    passes=lazy("converters.gltf.interpret", "passes"),
    fits=Fits(
        options=frozenset({"missing_inertia", "density", "total_mass", "compress", "segments"}),
        constraints=True,
        simulator_terms=True,
        sensors_see=False,
        bodies_collide=True,
        combine="",
        transparency=True,
        submeshes=True,
        height_fields=True,
        one_file=True,
        physical_looks=True,
        bright=frozenset({"emissive"}),
    ),
    poses=True,
)
