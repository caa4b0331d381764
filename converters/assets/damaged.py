"""Mesh files that nobody can read, as far as their first bytes and their size tell.

A writer that copies a file, or names it where it lies, does not read it. What can be known without that is told.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable
from pathlib import Path

from converters.assets import inside
from converters.assets.meshes.stl_head import binary_faces, truncated
from converters.context import Context
from converters.not_models import stand_in
from ir.types import Asset

HEAD = 512
"""Bytes that are looked at."""
MARKS = (b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")
"""Byte order marks: of UTF-16, in which a document says no letter as one byte, and of UTF-8."""
BEGINS = {".dae": (b"<", "an XML document"), ".gltf": (b"{", "a JSON document"), ".ply": (b"ply", "a PLY file")}
"""Suffix -> how such a file begins, and what it is."""
FACES = {
    ".obj": re.compile(rb"[\n\r][ \t]*f[o \t]"),
    ".stl": re.compile(rb"facet", re.IGNORECASE),
    ".ply": re.compile(rb"element\s+(face|tristrips)\s+[1-9]"),
}
"""Suffix of files that may be words -> what one has that has a face."""
FACELESS, MOST = "the mesh has no faces", 1 << 24
"""Bytes of a file beyond which nobody looks for one."""


def tell_damaged(assets: Iterable[Asset], context: Context) -> None:
    """Note the mesh files that cannot be what their names say; whoever reads the output meets them there."""
    for asset in assets:
        if asset.kind != "mesh" or asset.file is None or inside.part_of(asset):
            continue
        path = Path(asset.file)
        try:
            with path.open("rb", buffering=0) as file:
                suffix, head, size = path.suffix.lower(), file.read(HEAD), path.stat().st_size
                reason = damage(suffix, head, size)
                if not reason and suffix in FACES and size <= MOST and (suffix == ".ply" or b"\0" not in head):
                    reason = "" if FACES[suffix].search(head + file.readall()) else FACELESS
        except OSError as error:
            reason = error.strerror or str(error)
        if reason:
            where, before = f"asset/{asset.name}", path.name
            reason = f"this mesh file cannot be read, but the output still refers to it: {reason}"
            context.note("assets/damaged", where, reason, asset.source, before=before, action="noted")


def damage(suffix: str, head: bytes, size: int) -> str:
    """Why a file of a suffix with these first bytes and this size is none of its kind; "" where nothing tells."""
    if said := stand_in(head):
        return f"it {said}"
    if suffix == ".stl" and binary_faces(head, size) == 0:
        return FACELESS
    if suffix == ".stl" and (b"\0" in head or head.lstrip()[:5].lower() != b"solid"):  # binary ones begin so, too
        return truncated(head, size)
    if suffix == ".glb":
        magic, _, length = struct.unpack_from("<4sII", head) if len(head) >= 12 else (b"", 0, 0)
        if magic != b"glTF":
            return "it does not begin as a GLB (glTF 2.0, 4.4.2)"
        return f"it is truncated ({size} bytes, {length} declared)" if length > size else ""
    if suffix == ".obj" and b"\0" in head and not head.startswith(MARKS):
        return "it is not a text file, as an OBJ must be"
    if suffix in BEGINS and not head.startswith(MARKS):
        begins, kind = BEGINS[suffix]
        return "" if head.lstrip().startswith(begins) else f"it does not begin as {kind}"
    return ""
