"""Models of Gazebo Fuel that `gz` has downloaded before: the local folder of a Fuel address."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import unquote

CACHES = ("GZ_FUEL_CACHE_PATH", "IGN_FUEL_CACHE_PATH")
_HOMES = (".gz/fuel", ".ignition/fuel")
_ADDRESS = re.compile(
    r"(?:https?|fuel)://(?P<server>[^/]+)/(?:\d+\.\d+/)?(?P<owner>[^/]+)/models/(?P<name>[^/]+)"
    r"(?:/(?P<version>\d+|tip)(?=/|$))?(?:/files(?=/|$))?(?:/(?P<file>.*))?",
    re.IGNORECASE,
)


def is_fuel(uri: str) -> bool:
    """Whether an address is that of a Fuel model, or of a file in one."""
    return _ADDRESS.fullmatch(uri) is not None


def cached(uri: str, environ: Mapping[str, str]) -> Iterator[tuple[Path, tuple[str, ...]]]:
    """Yield the cached folders of the model at an address, newest version first, and the path of the file in it (() if
    none is named).

    The cache stores them as SERVER/OWNER/models/NAME/VERSION, in lower case.
    """
    match = _ADDRESS.fullmatch(uri)
    if match is None:
        return
    names = [unquote(match[part]).lower() for part in ("server", "owner", "name")]
    file = tuple(part for part in unquote(match["file"] or "").split("/") if part not in ("", "."))
    if any("/" in part or part.startswith(".") or "\0" in part for part in names) or ".." in file:
        return
    server, owner, name = names
    for cache in _caches(environ):
        model = cache / server / owner / "models" / name
        for version in sorted(_versions(model), reverse=True):
            if (match["version"] or "tip").lower() in ("tip", str(version)):
                yield model / str(version), file


def _caches(environ: Mapping[str, str]) -> Iterator[Path]:
    said = [Path(environ[name]) for name in CACHES if environ.get(name, "").startswith("/")]
    home = environ.get("HOME", "")
    yield from said or [Path(home, folder) for folder in _HOMES if home.startswith("/")]


def _versions(model: Path) -> list[int]:
    try:
        return [int(entry.name) for entry in model.iterdir() if entry.name.isdecimal()]
    except OSError:
        return []
