"""glTF as the Khronos validator reads it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.oracles.node import asked, installed

ALLOWED = frozenset(
    {
        "UNSUPPORTED_EXTENSION",
        "UNUSED_OBJECT",
        "NODE_EMPTY",
        "IMAGE_NPOT_DIMENSIONS",
        "ACCESSOR_INDEX_TRIANGLE_DEGENERATE",
    }
)
"""Remarks that are allowed: the validator knows no physics extension, nodes of frames are empty, and images and
triangles are those of the source."""


def khronos_reads(paths: Iterable[Path]) -> list[dict[str, Any]]:
    """Return for each file {"errors", "warnings", "messages": [{"code", "message", "severity", "pointer"}]}."""
    program = installed(Path(__file__).parent / "khronos") / "validate.js"
    return asked(program, (str(path.absolute()) for path in paths))


def complaints(answer: dict[str, Any]) -> list[str]:
    """Return errors, warnings, and unexpected remarks."""
    return [
        f"{message['code']} {message.get('pointer', '')}: {message['message'][:160]}"
        for message in answer["messages"]
        if message["severity"] < 2 or message["code"] not in ALLOWED
    ]
