"""The form of a report by its file name. Every form is a function Report -> str in a module of its own."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from converters.report.model import Report

FORMS = {
    ".json": ("converters.report.document", "json"),
    ".md": ("converters.report.markdown", "markdown"),
    ".html": ("converters.report.page", "html"),
    ".sarif": ("converters.report.sarif", "sarif"),
}
"""Suffix -> module and function."""


def renderer(path: str) -> Callable[[Report], str]:
    """The function for a report file, by its suffix. Raises ValueError, with a message for the user, for others."""
    suffix = PurePath(path).suffix.lower()
    if suffix not in FORMS:
        raise ValueError(f"{path!r}: a report file ends in {', '.join(FORMS)}")
    module, name = FORMS[suffix]
    render: Callable[[Report], str] = getattr(import_module(module), name)
    return render
