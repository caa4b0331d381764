"""Documents without what Kinegraph carries in them, as other programs see them."""

from __future__ import annotations

import re
from pathlib import Path

DECLARED = ' xmlns:kinegraph="https://kinegraph.dev/carried"'


def bare(path: Path) -> Path:
    """The URDF, SDF or MJCF without what it carries, beside it."""
    text = re.sub(r'\s*<(kinegraph:carried|text name="kinegraph:)[^>]*/>', "", path.read_text())
    found = path.with_name(f"bare_{path.name}")
    found.write_text(text.replace(DECLARED, ""))
    return found
