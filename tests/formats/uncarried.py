"""Documents without what Kinegraph carries in them, as other programs see them."""

from __future__ import annotations

import re
from pathlib import Path

from tests.files import saved

DECLARED = ' xmlns:kinegraph="https://kinegraph.dev/carried"'


def bare(path: Path) -> Path:
    """The URDF, SDF or MJCF without what it carries, beside it."""
    text = re.sub(r'\s*<(kinegraph:carried|text name="kinegraph:)[^>]*/>', "", path.read_text())
    return saved(path.with_name(f"bare_{path.name}"), text.replace(DECLARED, ""))
