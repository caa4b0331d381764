"""Detect unreadable mesh files from their first bytes and their size.

A writer that copies or references a file does not read it, so only what can be found without reading it is reported.
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
"""Number of leading bytes to inspect."""
MARKS = (b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")
"""Byte order marks: those of UTF-16, in which no character is a single byte, and that of UTF-8."""
BEGINS = {".dae": (b"<", "an XML document"), ".gltf": (b"{", "a JSON document"), ".ply": (b"ply", "a PLY file")}
"""Suffix -> how such a file begins, and what it is called."""
FACES = {
    ".obj": re.compile(rb"[\n\r][ \t]*f[o \t]"),
    ".stl": re.compile(rb"facet", re.IGNORECASE),
    ".ply": re.compile(rb"element\s+(face|tristrips)\s+[1-9]"),
}
"""Suffix of file types that may be text -> pattern found in every such file that has a face."""
FACELESS, MOST = "the mesh has no faces", 1 << 24
"""File size in bytes above which faces are not searched for."""


def tell_damaged(assets: Iterable[Asset], context: Context) -> None:
    """Note the mesh files that cannot be of the type of their suffix and that the output still references."""
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
    """Return why a file with these first bytes and this size is not of its suffix's type; "" if no reason is found."""
    if said := stand_in(head):
        return f"it {said}"
    if suffix == ".stl" and binary_faces(head, size) == 0:
        return FACELESS
    if suffix == ".stl" and (b"\0" in head or head.lstrip()[:5].lower() != b"solid"):  # binary files may begin so, too
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
