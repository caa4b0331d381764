"""Files that tests write."""

from __future__ import annotations

from pathlib import Path


def saved(path: Path, content: str | bytes) -> Path:
    """Write the content to the file, creating its folder if needed, and return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path
