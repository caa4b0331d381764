"""Documents without Kinegraph's carried data, as other programs see them."""

from __future__ import annotations

import re
from pathlib import Path

from tests.files import saved

DECLARED = ' xmlns:kinegraph="https://kinegraph.dev/carried"'


def bare(path: Path) -> Path:
    """Write the URDF, SDF or MJCF without its carried data next to it, and return that path."""
    text = re.sub(r'\s*<(kinegraph:carried|text name="kinegraph:)[^>]*/>', "", path.read_text())
    return saved(path.with_name(f"bare_{path.name}"), text.replace(DECLARED, ""))
