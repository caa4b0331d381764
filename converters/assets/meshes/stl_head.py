"""Binary STL by its first bytes and its size. The size decides: many binary files begin with the word solid."""

from __future__ import annotations

import struct

HEADER, RECORD = 84, 50
"""Bytes before the first face, which end with the number of faces, and of each face."""


def declared_faces(head: bytes) -> int:
    """How many faces a file with these first 84 bytes says that it has; 0 for a shorter one."""
    return int(struct.unpack_from("<I", head, HEADER - 4)[0]) if len(head) >= HEADER else 0


def binary_faces(head: bytes, size: int) -> int | None:
    """How many faces a file of this size with these first 84 bytes has if it is binary STL, else None."""
    count = declared_faces(head)
    return count if size == HEADER + RECORD * count else None


def truncated(head: bytes, size: int) -> str:
    """Why a file is no binary STL whose faces are all there; "" where it may be one."""
    count = declared_faces(head)
    if count and size >= HEADER + RECORD * count:
        return ""
    return f"not an STL file, or a truncated one ({size} bytes, {count} faces declared)"
