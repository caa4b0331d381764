"""A format for tests: the first line of a file says what happens to the process that reads it."""

from __future__ import annotations

import ctypes
import os
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING

from converters.format import Format
from converters.registry import format_named

if TYPE_CHECKING:
    from converters.context import ReaderContext
    from ir.scene import Scene


def read(data: bytes, context: ReaderContext) -> Scene:
    """Do what the first line says; the rest is URDF, with a root element that no other format claims."""
    first, _, rest = data.partition(b"\n")
    word, *arguments = first.decode().split()
    if word == "crash" or (word == "crash-once" and _first(arguments[0])):
        os.kill(os.getpid(), signal.SIGKILL)
    if word == "segfault":
        ctypes.string_at(0)
    if word == "hang" or (word == "hang-once" and _first(arguments[0])):
        while True:
            time.sleep(0.01)
    if word == "eat":
        eaten = []
        while True:
            eaten.append(bytearray(1 << 24))
    if word == "vanish":
        Path(context.file).unlink()
        Path(context.file).read_bytes()
    if word == "slow":
        time.sleep(float(arguments[0]))
    if word == "bug":
        raise AssertionError("this is a defect")
    reader = format_named("urdf").read
    assert reader is not None
    return reader(rest.replace(b"<bot", b"<robot").replace(b"</bot", b"</robot"), context)


def _first(mark: str) -> bool:
    known = Path(mark).exists()
    Path(mark).touch()
    return not known


FORMAT = Format(name="faulty", title="Files that do harm", suffixes=(".faulty",), claims=lambda head: False, read=read)
