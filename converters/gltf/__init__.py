"""glTF 2.0 (.glb and .gltf) with poses, animations and physics, and with the whole graph embedded."""

from converters.format import Fits, Format, SizeLimit
from converters.registry import lazy
from converters.source.files import MAX_BYTES

_WORDS = (b'"asset"', b'"scenes"', b'"nodes"')


def _claims(head: bytes) -> bool:
    """Also accepts a document without "asset". XML is not excluded: the embedded graph may contain it."""
    return head[:4] == b"glTF" or (head.lstrip()[:1] == b"{" and any(word in head for word in _WORDS))


FORMAT = Format(
    name="gltf",
    title="glTF 2.0 (web, graphics)",
    suffixes=(".glb", ".gltf"),
    claims=_claims,
    read=lazy("converters.gltf.reader", "read"),
    write=lazy("converters.gltf.writer", "write"),
    losses=lazy("converters.report.rows", "losses", "gltf"),
    passes=lazy("converters.gltf.interpret", "passes"),
    size_limit=SizeLimit(MAX_BYTES, "bytes of JSON", body=250, inertial=250, moving=250, geom=500),
    fits=Fits(
        options=frozenset(
            {"missing_inertia", "density", "total_mass", "compress", "segments", "physics", "hierarchy", "meshes=embed"}
        ),
        mark="gltf_version",
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
