"""Change one member of a real glTF: the output must change, or the report must name the place."""

from __future__ import annotations

import json
import random
import shutil
import struct
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from converters.context import Options
from tests.corpus.mutation import SUFFIXES, Output, bad, convert_bytes, judge, sampled

JSON = b"JSON"
LONG = 200
"""Length from which a text is data: a buffer or an image as a URI, or the embedded graph."""


@dataclass(frozen=True)
class Member:
    """A member of an object, or an item of an array. path is its JSON pointer."""

    holder: Any
    key: Any
    path: str

    @property
    def value(self) -> Any:
        return self.holder[self.key]

    def put(self, value: Any) -> None:
        self.holder[self.key] = value


def mutate_gltf(path: str, target: str = "mjcf", limit: int | None = None, seed: int = 0) -> dict[str, Any]:
    """Return counts of outcomes, and each silent loss and crash. limit: number of members, of all kinds
    (mutation.sampled); None: all."""
    outcomes: Counter[str] = Counter()
    silent: list[str] = []
    with changing(path, target) as (document, _, converted):
        baseline = converted()
        if isinstance(baseline, str):
            return {"outcomes": {"not converted": 1}, "silent": [], "places": 0}
        chosen = sampled(members(document), limit, seed)
        for number, member in enumerate(chosen):
            value = member.value
            member.put(different(value, random.Random(seed * 1_000_003 + number)))
            found = judge(member.path, baseline, converted(), root=0)
            outcomes[found.partition(":")[0]] += 1
            if bad(found):
                silent.append(f"{found}: {member.path} {str(value)[:60]!r} -> {str(member.value)[:60]!r}")
            member.put(value)
    return {"outcomes": dict(outcomes), "silent": silent, "places": len(chosen)}


@contextmanager
def changing(path: str, target: str) -> Iterator[tuple[Any, Path, Callable[[], Output | str]]]:
    """Yield a document to change, its file, and a function that converts its current state (convert_bytes)."""
    with tempfile.TemporaryDirectory(prefix="kinegraph-mutation-") as folder:
        source = Path(folder) / "source" / Path(path).name
        shutil.copytree(Path(path).parent, source.parent, symlinks=True)
        document, rest = opened(Path(path).read_bytes())
        written = Path(folder) / "out" / f"robot{SUFFIXES[target]}"

        def converted() -> Output | str:
            return convert_bytes(closed(document, rest), source, source, written, Options())

        yield document, source, converted


def everything(document: Any) -> Iterator[Member]:
    """Yield every member and item, including nested ones."""
    stack: list[tuple[Any, str]] = [(document, "")]
    while stack:
        holder, path = stack.pop()
        for key, value in list(holder.items() if isinstance(holder, dict) else enumerate(holder)):
            if not (isinstance(value, str) and len(value) > LONG):
                step = f"{path}/{str(key).replace('~', '~0').replace('/', '~1')}"
                yield Member(holder, key, step)
                stack += [(value, step)] if isinstance(value, (dict, list)) else []


def members(document: Any) -> Iterator[Member]:
    """Yield every value that is not a container."""
    return (member for member in everything(document) if not isinstance(member.value, (dict, list)))


def different(value: Any, random: random.Random) -> Any:
    """Return another value of the same type."""
    match value:
        case bool():
            return not value
        case int():
            return value + random.choice((1, 2))
        case float():
            return value * 0.5 + 0.125 if value != 0.25 else 0.5
        case None:
            return 1
        case _:
            return f"{value}_m"


def opened(data: bytes) -> tuple[Any, bytes | None]:
    """Return the JSON of a document, and the chunks after it (None: it is a JSON file)."""
    if data[:4] != b"glTF":
        return json.loads(data), None
    (size,) = struct.unpack_from("<I", data, 12)
    return json.loads(data[20 : 20 + size]), data[20 + size :]


def closed(document: Any, rest: bytes | None) -> bytes:
    text = json.dumps(document).encode()
    if rest is None:
        return text
    text += b" " * (-len(text) % 4)
    return b"glTF" + struct.pack("<III", 2, 20 + len(text) + len(rest), len(text)) + JSON + text + rest
