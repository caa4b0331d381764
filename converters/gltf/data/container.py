"""GLB and .gltf containers: the JSON document and its buffers, validated before use.

glTF 2.0, 4.4 (GLB) and 3.6.1 (buffers).
"""

from __future__ import annotations

import base64
import binascii
import os
import stat
import struct
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import unquote, unquote_to_bytes

from msgspec import Struct

from converters.context import InputError, ReaderContext
from converters.gltf.data.extensions import UPGRADE, check_required, check_version
from converters.source.json import JsonDocument, JsonObject
from converters.source.json_parsing import parse
from ir.types import Source

MAGIC = b"glTF"
JSON_CHUNK = 0x4E4F534A
BIN_CHUNK = 0x004E4942
MAX_BUFFERS = 2 * 1024**3
"""Limit on the total bytes of all buffers."""
PADDING = 3
"""Maximum number of padding bytes after the buffer of a GLB."""
EMPTY = "data:application/octet-stream;base64,"
BUFFER_TYPES = ("application/octet-stream", "application/gltf-buffer")


LOST = memoryview(b"")
"""Placeholder for an invalid buffer while errors are collected; every valid buffer has at least one byte."""


class Container(Struct, frozen=True):
    """A document and its buffers, in document order."""

    document: JsonDocument
    buffers: Sequence[memoryview]


def unpack(data: bytes, context: ReaderContext) -> Container:
    """Read a GLB or a .gltf with all its buffers.

    Raises InputError for a malformed container, an unknown version or required extension, buffers shorter than
    declared, and URIs that lead out of the folder of the file or to the network.
    """
    text, binary, length = _json_and_buffer(chunks(data, context)) if data[:4] == MAGIC else (data, None, len(data))
    document = parse(text, context, "gltf")
    if length < len(data):
        slack(document.root, length, len(data), context, "chunks of other types, or bytes behind all chunks (4.4)")
    check_version(document.root)
    check_required(document.root)
    buffers: list[memoryview] = []
    total = 0
    asked = {
        number for view in document.root.children("bufferViews") if type(number := view.members.get("buffer")) is int
    }
    for number, node in enumerate(document.root.children("buffers")):
        if _says_it_is_empty(node) and number not in asked:
            slack(node, 0, 0, context, "an empty buffer that nothing uses; one has a byte at least (3.6.1, 5.10.2)")
            node.raw("byteLength")
            node.raw("uri")
            buffers.append(LOST)
            continue
        buffer = node.attempt(_buffer, node, number, MAX_BUFFERS - total, binary, context) or LOST
        total += len(buffer)
        buffers.append(buffer)
    return Container(document, buffers)


def chunks(data: bytes, context: ReaderContext) -> list[tuple[int, memoryview]]:
    """Return the chunks of a GLB with their types; the first one is JSON. Raises InputError if the GLB is malformed."""
    place = Source(context.file, 1, "/")
    if len(data) < 20:
        raise InputError("the GLB is cut off inside its header", place)
    _, version, total = struct.unpack_from("<4sII", data)
    if version != 2:
        advice = f": {UPGRADE}" if version == 1 else ""
        raise InputError(f"the GLB has version {version}; only version 2 is known{advice}", place)
    if total > len(data):
        raise InputError(f"the GLB is cut off: {len(data)} of {total} bytes are there", place)
    found: list[tuple[int, memoryview]] = []
    at, view = 12, memoryview(data)
    while at + 8 <= total:
        length, kind = struct.unpack_from("<II", data, at)
        if length > total - at - 8:
            raise InputError(f"chunk {len(found)} of the GLB declares {length} bytes, {total - at - 8} are left", place)
        found.append((kind, view[at + 8 : at + 8 + length]))
        at += 8 + length + (-length) % 4
    if not found or found[0][0] != JSON_CHUNK:
        raise InputError("the first chunk of the GLB is not JSON", place)
    return found


def _json_and_buffer(found: Sequence[tuple[int, memoryview]]) -> tuple[bytes, memoryview | None, int]:
    """Return the JSON and the buffer of a GLB, and the bytes that the header and these two chunks occupy.

    Chunks of other types are ignored, as 4.4.3 requires.
    """
    binary = found[1][1] if len(found) > 1 and found[1][0] == BIN_CHUNK else None
    used = found[: 1 if binary is None else 2]
    return bytes(found[0][1]), binary, 12 + sum(8 + len(part) + (-len(part)) % 4 for _, part in used)


def _buffer(node: JsonObject, number: int, most: int, binary: memoryview | None, context: ReaderContext) -> memoryview:
    length = node.given("byteLength", node.integer("byteLength", low=1))
    if length is None:
        raise node.fail("byteLength", "is missing")
    if length > most:
        raise node.fail("byteLength", f"makes the buffers larger than the limit of {MAX_BUFFERS} bytes")
    uri = node.given("uri", node.text("uri"))
    data: bytes | memoryview
    if uri is not None:
        data = fetch(node, uri, BUFFER_TYPES, context)
    elif number == 0 and binary is not None:
        data = binary
    else:
        raise node.fail("uri", "is missing, and there is no binary chunk for this buffer")
    if len(data) < length:
        raise node.fail("byteLength", f"declares {length} bytes, but there are {len(data)}")
    if len(data) - length > (PADDING if uri is None else 0):
        slack(node, length, len(data), context)
    return memoryview(data)[:length]


def _says_it_is_empty(node: JsonObject) -> bool:
    """Whether a buffer is declared empty, as some programs write for a model without meshes."""
    return node.members.get("byteLength") in (None, 0) and node.members.get("uri") in (None, "", EMPTY)


def slack(
    node: JsonObject, said: int, real: int, context: ReaderContext, reason: str = "bytes that nothing uses"
) -> None:
    """Note how many bytes are without use where a byteLength differs from the number of those present, or used."""
    context.note(
        "gltf/slack",
        "scene",
        reason,
        node.place("byteLength" if "byteLength" in node else None),
        before=f"{abs(said - real)} of {max(said, real)}",
        action="ignored",
        severity="note",
    )


def fetch(node: JsonObject, uri: str, types: Sequence[str], context: ReaderContext) -> bytes:
    """Return the content of a uri of the document: inline data of one of these media types, or a file in its folder.

    Raises InputError, naming this member of node, for anything else.
    """
    if uri[:5].lower() == "data:":
        return _inline_data(node, uri, types)
    return _file_content(node, uri, context)


def _inline_data(node: JsonObject, uri: str, types: Sequence[str]) -> bytes:
    head, comma, body = uri[5:].partition(",")
    media, *options = head.split(";")
    if not comma or options[-1:] != ["base64"]:
        raise node.fail("uri", "is a data URI that is not base64")
    if media.strip().lower() not in types:
        raise node.fail("uri", f"is a data URI of type {media!r}; expected is one of {', '.join(types)}")
    try:
        return base64.b64decode(body, validate=True)
    except (binascii.Error, ValueError):
        raise node.fail("uri", "is a data URI with broken base64") from None


def _file_content(node: JsonObject, uri: str, context: ReaderContext) -> bytes:
    """Return a file that the document references, which must be in its folder. Raises InputError."""
    beside = context.beside.get(unquote(uri))
    if isinstance(beside, bytes):
        return beside
    path = inside(node, uri, context.folder)
    try:
        info = path.stat()
        if not stat.S_ISREG(info.st_mode):
            raise node.fail("uri", f"names {uri!r}, which is no file")
        if info.st_size > MAX_BUFFERS:
            raise node.fail("uri", f"names {uri!r}, which is larger than the limit of {MAX_BUFFERS} bytes")
        return path.read_bytes()
    except OSError as error:
        raise node.fail("uri", f"names {uri!r}, which cannot be read: {error.strerror or error}") from None


def inside(node: JsonObject, uri: str, folder: Path) -> Path:
    """Return the path of a relative uri, percent-decoded once.

    Raises InputError for a scheme, an absolute path, a backslash, a NUL, and a path that leads out of the folder, also
    by symbolic links (glTF 2.0, 2.8: only relative paths are portable).
    """
    raw = unquote_to_bytes(uri)
    try:
        name = raw.decode("utf-8")
    except UnicodeDecodeError:
        raise node.fail("uri", f"names {uri!r}, which is not UTF-8") from None
    head = uri.split("/", 1)[0]
    if ":" in head or name.startswith(("/", "\\")) or "\\" in name or "\0" in name or not name:
        raise node.fail("uri", f"names {uri!r}; only relative paths inside the folder of the model are read")
    base = Path(os.path.realpath(folder))
    path = Path(os.path.realpath(base / name))  # Path.resolve raises RuntimeError for links in a circle
    if not path.is_relative_to(base):
        raise node.fail("uri", f"names {uri!r}, which leads out of the folder of the model")
    return path


def pack(document: bytes, binary: Sequence[bytes]) -> bytes:
    """Return a GLB of a JSON document and its single buffer, given in pieces; both chunks are padded to four bytes."""
    text = document + b" " * (-len(document) % 4)
    size = sum(map(len, binary))
    padding = bytes(-size % 4)
    length = 12 + 8 + len(text) + (8 + size + len(padding) if size else 0)
    head = struct.pack("<4sIIII", MAGIC, 2, length, len(text), JSON_CHUNK)
    if not size:
        return head + text
    return b"".join([head, text, struct.pack("<II", size + len(padding), BIN_CHUNK), *binary, padding])
