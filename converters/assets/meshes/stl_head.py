"""Binary STL by its first bytes and its size. The size decides, because many binary files begin with the word solid."""

from __future__ import annotations

import struct

HEADER, RECORD = 84, 50
"""Bytes of the header, which ends with the number of faces, and of each face."""


def declared_faces(head: bytes) -> int:
    """Return the number of faces declared in a file's first 84 bytes; 0 for a shorter file."""
    return int(struct.unpack_from("<I", head, HEADER - 4)[0]) if len(head) >= HEADER else 0


def binary_faces(head: bytes, size: int) -> int | None:
    """Return the number of faces if a file of this size with these first 84 bytes is binary STL, else None."""
    count = declared_faces(head)
    return count if size == HEADER + RECORD * count else None


def truncated(head: bytes, size: int) -> str:
    """Return why a file is not a complete binary STL; "" where it may be one."""
    count = declared_faces(head)
    if count and size >= HEADER + RECORD * count:
        return ""
    return f"not an STL file, or a truncated one ({size} bytes, {count} faces declared)"
