"""Files that tests write."""

from __future__ import annotations

from pathlib import Path


def saved(path: Path, content: str | bytes) -> Path:
    """The file, which has this content from now on; its folder is made where there is none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path
