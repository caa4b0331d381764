"""Comments of XML in the bytes of a file, before anything is parsed."""

from __future__ import annotations

import re

COMMENT = rb"<!--.*?(?:-->|\Z)"
"""A comment; one that does not end extends to the end of the file. Without that, each of many such beginnings would be
followed to the end of the file in vain."""
_COMMENT = re.compile(COMMENT, re.DOTALL)


def without_comments(data: bytes) -> bytes:
    """XML without its comments."""
    return _COMMENT.sub(b"", data)
