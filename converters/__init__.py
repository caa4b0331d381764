"""Kinegraph: convert robot models between URDF, SDFormat, MJCF and glTF, with a computed loss report.

`convert(src, dst)` is the whole program; `read` and `write` are its halves. All names load on first use, because
the graph needs networkx and `kinegraph --help` should not wait for it.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING

from converters.version import __version__ as __version__

if TYPE_CHECKING:
    from converters.convert import convert as convert, formats as formats, read as read, write as write

__all__ = ["convert", "formats", "read", "write"]


def __getattr__(name: str) -> object:
    """The public functions, imported when somebody asks for one of them."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    guard()
    return getattr(importlib.import_module("converters.convert"), name)


def __dir__() -> list[str]:
    return [*__all__, "guard"]


def guard() -> None:
    """Raise one clear ImportError when another distribution owns the top-level name `ir` (PyPI has such a project)."""
    try:
        from ir import Scene as Scene
    except Exception as error:  # whatever a stranger's package raises on import
        raise ImportError(
            "kinegraph needs its own 'ir' package, and another one is in the way; "
            "install kinegraph in an environment of its own (uv tool install kinegraph, pipx install kinegraph)"
        ) from error


class _Package(ModuleType):
    """The import system binds a submodule to its name in the package; `converters.convert` stays the function."""

    def __setattr__(self, name: str, value: object) -> None:
        super().__setattr__(name, value.convert if name == "convert" and isinstance(value, ModuleType) else value)


sys.modules[__name__].__class__ = _Package
