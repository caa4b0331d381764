"""Items of a document as JSON, without what is absent or at its default."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from msgspec.structs import fields

from ir.types import NotFiniteError


def text(value: Any) -> bytes:
    """The document as compact JSON. Raises NotFiniteError where a number in it is not finite."""
    try:
        return json.dumps(plain(value), separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()
    except ValueError as error:  # RFC 8259, 6: neither inf nor nan
        raise NotFiniteError("a number that is not finite cannot be written to a file") from error


def plain(value: Any) -> Any:
    """An item of a document, or a list of such; values of extensions and extras stay as they are."""
    if isinstance(value, (str, int, float, dict)):
        return value
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    found, cls = {}, value.__class__
    for name, default in _defaults(cls):
        member = getattr(value, name)
        if member is None or member == default or (isinstance(member, (list, dict)) and not member):
            continue
        found[name] = plain(member)
    return found


@cache
def _defaults(cls: type) -> tuple[tuple[str, Any], ...]:
    return tuple((each.name, each.default) for each in fields(cls))
