"""Values of the graph as text for people."""

from __future__ import annotations

import json
import re
from zlib import crc32

from ir.plain import to_plain
from ir.types import Block, Entity, Extra, Value

LONGEST = 4000
"""Characters of a value that are shown; a longer one is cut, with its length and its checksum."""
_WORDS = re.compile(r"(?<=[a-z])(?=[A-Z])")


def show(value: object) -> str:
    """A value as text for people."""
    if value is None:
        return ""
    if isinstance(value, Extra):
        text = value.text
    elif isinstance(value, float):
        text = _number(value)
    elif isinstance(value, tuple) and all(isinstance(item, (float, int)) for item in value):
        text = " ".join(map(_number, value))
    elif isinstance(value, Block) and value.extras:
        text = value.extras[0].text
    elif isinstance(value, Entity) and value.name:
        text = f"{_kind(value)} {value.name}" + (f" with {_insides(value)}" if value.extras else "")
    elif isinstance(value, (Value, tuple)):
        plain = to_plain(value)
        if isinstance(value, Entity) and not value.name:  # the scope of the whole model
            del plain["name"]
        text = json.dumps(plain, ensure_ascii=False) if plain or not isinstance(value, Entity) else _kind(value)
    else:
        text = str(value)
    if len(text) <= LONGEST:
        return text
    return f"{text[:LONGEST]}… ({len(text)} characters, crc32 {crc32(text.encode(errors='surrogatepass')):08x})"


def _insides(value: Entity) -> str:
    """Elements of its own, and then the fields, for which these may be the only words."""
    own = [f"{extra.path} {extra.text}".strip() for extra in value.extras]
    fields = {key: item for key, item in to_plain(value).items() if key not in ("name", "extras", "source")}
    return "; ".join([*own, json.dumps(fields, ensure_ascii=False)] if fields else own)


def _kind(value: object) -> str:
    return _WORDS.sub(" ", type(value).__name__).lower()


def _number(value: float) -> str:
    return repr(float(value)).removesuffix(".0")
