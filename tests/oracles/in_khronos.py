"""glTF as the validator of Khronos reads it."""

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
"""What the validator may remark: it knows no extension for physics, nodes of frames are empty, and images and triangles
are as the source has them."""


def khronos_reads(paths: Iterable[Path]) -> list[dict[str, Any]]:
    """For each file {"errors", "warnings", "messages": [{"code", "message", "severity", "pointer"}]}."""
    program = installed(Path(__file__).parent / "khronos") / "validate.js"
    return asked(program, (str(path.absolute()) for path in paths))


def complaints(answer: dict[str, Any]) -> list[str]:
    """What is an error, a warning, or a remark that nobody expects."""
    return [
        f"{message['code']} {message.get('pointer', '')}: {message['message'][:160]}"
        for message in answer["messages"]
        if message["severity"] < 2 or message["code"] not in ALLOWED
    ]
