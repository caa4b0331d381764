"""Kinegraph: convert robot models between URDF, SDFormat, MJCF and glTF, with a computed loss report.

`convert(src, dst, options=Options(...))` is the whole program and returns a `Report`; `read` returns a scene
(ir.Scene), `write` takes one. What cannot be converted raises `InputError`. All names are imported on first use, so
that `kinegraph --help` waits for none of them.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING

from converters.version import __version__ as __version__

if TYPE_CHECKING:
    from converters.context import InputError as InputError, Options as Options
    from converters.convert import convert as convert, write as write
    from converters.reading import read as read
    from converters.registry import formats as formats
    from converters.report.model import Report as Report

HOMES = {
    "InputError": "converters.context",
    "Options": "converters.context",
    "Report": "converters.report.model",
    "convert": "converters.convert",
    "formats": "converters.registry",
    "read": "converters.reading",
    "write": "converters.convert",
}
__all__ = ["InputError", "Options", "Report", "convert", "formats", "read", "write"]


def __getattr__(name: str) -> object:
    """The public names, imported on first use."""
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    guard()
    return getattr(importlib.import_module(HOMES[name]), name)


def __dir__() -> list[str]:
    return [*__all__, "guard"]


def guard() -> None:
    """Raise one clear ImportError when another distribution owns the top-level name `ir` (PyPI has such a project)."""
    try:
        from ir import Scene as Scene
    except Exception as error:  # another package named ir can raise anything on import
        raise ImportError(
            "kinegraph needs its own 'ir' package, and another one is in the way; "
            "install kinegraph in an environment of its own (in its clone: uv tool install ., or pipx install .)"
        ) from error


class _Package(ModuleType):
    """The import system binds a submodule to its name in the package; `converters.convert` stays the function."""

    def __setattr__(self, name: str, value: object) -> None:
        super().__setattr__(name, value.convert if name == "convert" and isinstance(value, ModuleType) else value)


sys.modules[__name__].__class__ = _Package
