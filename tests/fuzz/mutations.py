"""Documents damaged on purpose: by their structure (values, elements, members), and by their bytes.

XML is split into tokens and not parsed, so that the result need not be well-formed.
"""

from __future__ import annotations

import copy
import json
import random
import re
import struct
from collections.abc import Callable, Sequence
from typing import Any

TOKEN = re.compile(rb"<!--.*?-->|<\?.*?\?>|<!\[CDATA\[.*?\]\]>|<[^>]*>|[^<]+|<", re.DOTALL)
ATTRIBUTE = re.compile(rb"""([A-Za-z_][\w:.-]*)\s*=\s*("[^"]*"|'[^']*')""")
NUMBER = re.compile(rb"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
NASTY: tuple[bytes, ...] = (
    *(b"", b" ", b"0", b"-1", b"1", b"2", b"-0.0", b"1e308", b"-1e308", b"1e400", b"1e-320", b"5e-324", b"1e16"),
    *(b"nan", b"inf", b"-inf", b"0x10", b"1_0", b"1,2,3", b"1 2", b"0 0 0", b"0 0 0 0", b"1 2 3 4 5 6 7", b"1e200 0 0"),
    *(
        b"true",
        b"false",
        b"world",
        b"/",
        b"..",
        b"../../etc/passwd",
        b"a::b",
        b"::",
        b"__model__",
        b"file:///etc/passwd",
    ),
    *(b"package://x/y.stl", b"model://m", b"http://localhost/x", b"data:,x", "ÿ\u2028\U0001f916".encode(), b"\xff\xfe"),
    *("\u0661\u00a02".encode(), b"&amp;&lt;&#9;", b"&#0;", b"&x;", b"${1/0}", b"$(arg x)", b"$(find x)", b"a" * 3000),
    *(b"999999999999999999999", b"1e9", b"3.141592653589793", b"-3.15", b"fixed", b"free", b"ball", b"mesh", b"auto"),
    *(b"local", b"degree", b"zyx", b"[1]", b"1 nan 3", b"0 0 1", b"1e-12 0 0", b"1.0.0", b"1.12", b"99.9"),
)
VALUES: tuple[Any, ...] = (
    *(None, -1, 0, 1, 99, 2**31, 2**63, 2**70, 1.5, 1e308, 1e-320, float("nan"), float("inf"), True, False, "", "x"),
    *(
        [],
        {},
        [0],
        [[]],
        [{}],
        {"a": 1},
        [1, 2, 3],
        [0, 0, 0, 0],
        [1e200] * 3,
        [0] * 16,
        "../../etc/passwd",
        "a" * 3000,
    ),
    *("data:;base64,AAAA", "data:application/octet-stream;base64,!!", "\ud800", "\u2028\U0001f916", "BLEND", "SCALAR"),
)
DEEP = (20, 200, 2000, 20_000)


def mutated(data: bytes, form: str, others: Sequence[bytes], dice: random.Random) -> bytes:
    """Return the document after one to four mutations; others provide pieces."""
    for _ in range(dice.choice((1, 1, 1, 2, 2, 3, 4))):
        if dice.random() < 0.1:
            data = dice.choice(BYTES)(data, dice)
        elif form == "gltf":
            data = _gltf(data, dice)
        else:
            data = _xml(data, dice.choice(others), dice)
    return data


# ---------------------------------------------------------------------------------------------------------------- XML


def _xml(data: bytes, other: bytes, dice: random.Random) -> bytes:
    tokens = TOKEN.findall(data)
    if not tokens:
        return data
    if dice.random() < 0.55:
        return b"".join(_values(tokens, dice))
    spans = _spans(tokens)
    if not spans:
        return data
    start, end = dice.choice(spans)
    piece = tokens[start:end]
    rest = tokens[:start] + tokens[end:]
    inside = [index for index, token in enumerate(tokens) if _opens(token)]
    place = dice.choice(inside) + 1 if inside else 1
    what = dice.randrange(9)
    if what == 0:
        return b"".join(rest)
    if what == 1:
        return b"".join(tokens[:end] + piece + tokens[end:])
    if what == 2:
        return b"".join(tokens[:place] + piece + tokens[place:])
    if what == 3:
        spot = min(place, len(rest))
        return b"".join(rest[:spot] + piece + rest[spot:])
    if what == 4:
        lent = TOKEN.findall(other)
        found = _spans(lent)
        first, last = dice.choice(found) if found else (0, 0)
        return b"".join(tokens[:place] + lent[first:last] + tokens[place:])
    if what == 5:
        depth = dice.choice(DEEP)
        name = _name(tokens[start])
        return b"".join([*tokens[:start], b"<%s>" % name * depth, *piece, b"</%s>" % name * depth, *tokens[end:]])
    if what == 6:
        count = dice.choice((3, 30, 300))
        return b"".join(tokens[:end] + piece * count + tokens[end:]) if len(b"".join(piece)) * count < 400_000 else data
    if what == 7:
        names = sorted({_name(token) for token in tokens if _opens(token)})
        old, new = _name(tokens[start]), dice.choice(names or [b"x"])
        piece[0] = piece[0].replace(b"<" + old, b"<" + new, 1)
        piece[-1] = piece[-1].replace(b"</" + old, b"</" + new, 1)
        return b"".join(tokens[:start] + piece + tokens[end:])
    first, last = dice.choice(spans)
    if first >= end:
        return b"".join(tokens[:start] + tokens[first:last] + tokens[end:first] + piece + tokens[last:])
    return b"".join(rest)


def _values(tokens: list[bytes], dice: random.Random) -> list[bytes]:
    """Change, remove, duplicate or rename one attribute or text."""
    valued = [index for index, token in enumerate(tokens) if ATTRIBUTE.search(token) or _says(token)]
    if not valued:
        return tokens
    index = dice.choice(valued)
    token = tokens[index]
    if _says(token):
        tokens[index] = _other(token, tokens, dice)
        return tokens
    match = dice.choice(list(ATTRIBUTE.finditer(token)))
    what = dice.randrange(12)
    if what == 0:
        changed = b""
    elif what == 1:
        changed = match[0] + b" " + match[0]
    elif what == 2:
        names = [found[1] for each in tokens for found in ATTRIBUTE.finditer(each)]
        changed = dice.choice(names) + b"=" + match[2]
    else:
        quote = match[2][:1]
        changed = match[1] + b"=" + quote + _other(match[2][1:-1], tokens, dice).replace(quote, b"") + quote
    tokens[index] = token[: match.start()] + changed + token[match.end() :]
    return tokens


def _other(value: bytes, tokens: list[bytes], dice: random.Random) -> bytes:
    """Return another value: a nasty one, one from elsewhere in the document, or this one with a number changed."""
    numbers = list(NUMBER.finditer(value))
    if numbers and dice.random() < 0.5:
        match = dice.choice(numbers)
        return value[: match.start()] + dice.choice(NASTY) + value[match.end() :]
    if dice.random() < 0.4:
        found = [match[2][1:-1] for token in tokens for match in ATTRIBUTE.finditer(token)]
        return dice.choice(found) if found else value
    return dice.choice(NASTY)


def _says(token: bytes) -> bool:
    return not token.startswith(b"<") and bool(token.strip())


def _opens(token: bytes) -> bool:
    return token.startswith(b"<") and token[1:2] not in b"/!?" and not token.endswith(b"/>")


def _name(token: bytes) -> bytes:
    match = re.match(rb"</?([^\s/>]+)", token)
    return match[1] if match else b"x"


def _spans(tokens: list[bytes]) -> list[tuple[int, int]]:
    """Return the elements below the root, as ranges of tokens."""
    found, open_ = [], []
    for index, token in enumerate(tokens):
        if not token.startswith(b"<") or token[1:2] in b"!?":
            continue
        if token.startswith(b"</"):
            if open_:
                found.append((open_.pop(), index + 1))
        elif token.endswith(b"/>"):
            found.append((index, index + 1))
        else:
            open_.append(index)
    return [span for span in found if len(found) == 1 or span != found[-1]]


# --------------------------------------------------------------------------------------------------------------- glTF


def _gltf(data: bytes, dice: random.Random) -> bytes:
    """Mutate the JSON of a .gltf, or of the first chunk of a .glb; what is no longer JSON loses bytes."""
    binary = data[:4] == b"glTF" and len(data) > 20
    size = struct.unpack_from("<I", data, 12)[0] if binary else 0
    text = data[20 : 20 + size] if binary else data
    try:
        changed = json.dumps(_member(json.loads(text), dice)).encode()
    except (ValueError, RecursionError):  # copies of copies of what was nested lie too deep for Python
        return dice.choice(BYTES)(data, dice)
    if not binary:
        return changed
    changed += b" " * (-len(changed) % 4)
    rest = data[20 + size :]
    return struct.pack("<4sIII4s", b"glTF", 2, 20 + len(changed) + len(rest), len(changed), b"JSON") + changed + rest


def _member(root: Any, dice: random.Random) -> Any:
    places: list[tuple[Any, Any]] = []
    stack = [root]
    while stack:
        each = stack.pop()
        keys = list(each) if isinstance(each, dict) else list(range(len(each))) if isinstance(each, list) else []
        for key in keys:
            places.append((each, key))
            stack.append(each[key])
    if not places:
        return root
    owner, key = dice.choice(places)
    what = dice.randrange(8)
    if what == 0:
        del owner[key]
    elif what == 1:
        other, name = dice.choice(places)
        owner[key] = copy.deepcopy(other[name])
    elif what == 2 and isinstance(owner, list):
        owner.insert(key, copy.deepcopy(owner[key]))
    elif what == 3 and isinstance(owner, dict):
        names = [name for _, name in places if isinstance(name, str)]
        owner[dice.choice(names)] = copy.deepcopy(owner[key])
    elif what == 4 and isinstance(owner[key], (int, float)):
        owner[key] = owner[key] + dice.choice((-1, 1, 2, 0.5, 1e30))
    elif what == 5:
        for _ in range(dice.choice((5, 50, 500))):
            owner[key] = [owner[key]] if dice.random() < 0.5 else {"extras": owner[key]}
    else:
        owner[key] = dice.choice(VALUES)
    return root


# -------------------------------------------------------------------------------------------------------------- bytes


def _flipped(data: bytes, dice: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(dice.choice((1, 1, 3, 20))):
        if changed:
            changed[dice.randrange(len(changed))] = dice.randrange(256)
    return bytes(changed)


def _cut(data: bytes, dice: random.Random) -> bytes:
    start, end = sorted((dice.randrange(len(data) + 1), dice.randrange(len(data) + 1)))
    return dice.choice((data[:start], data[start:], data[:start] + data[end:], data[:end] + data[start:]))


def _inserted(data: bytes, dice: random.Random) -> bytes:
    place = dice.randrange(len(data) + 1)
    return (
        data[:place] + dice.choice((*NASTY, b"<", b">", b'"', b"<!--", b"]]>", b"<![CDATA[", b"<?x?>")) + data[place:]
    )


def _encoded(data: bytes, dice: random.Random) -> bytes:
    code = dice.choice(("utf-16", "utf-16-be", "utf-8-sig", "utf-32", "utf-7"))
    return data.decode("utf-8", "replace").encode(code)


BYTES: tuple[Callable[[bytes, random.Random], bytes], ...] = (_flipped, _cut, _inserted, _encoded)
