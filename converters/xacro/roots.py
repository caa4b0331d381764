"""Folders whose files the expansion of a xacro may open, and the packages that it names."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import IO, Any

from converters.comments import without_comments
from converters.context import Options
from converters.xacro import safe

BYTES = 64 << 20
"""Maximum size of a file that is opened, and of an expanded document."""
_FIND = re.compile(rb"\$\(find\s+([\w.-]+)\s*\)")


class Roots:
    """Folders whose files may be opened, and the packages found so far."""

    def __init__(self, order: dict[str, Any], data: bytes) -> None:
        from converters.assets.resolve import Resolver

        packages = {name: Path(path) for name, path in order["packages"].items()}
        options = Options(packages=packages, resource_paths=tuple(map(Path, order["resources"])))
        self.resolver = Resolver(Path(order["file"]), options, os.environ)
        self.found: dict[str, str] = {}
        found = self.resolver
        known = [found.folder, found.root, *found.packages.values(), *found.resources, *found.sources]
        self.folders = {os.path.realpath(folder) for folder in known}
        self.looking = False
        self.opened: dict[str, None] = {}
        self.data = data

    def package(self, name: str) -> str:
        """Return the folder of a package, for $(find). Raises RefusedError if it is not found."""
        if name not in self.found:
            folder, why = self._looked_up(name)
            if folder is None:
                raise safe.RefusedError(f"{why}{self._others(name)}")
            self.found[name] = str(folder)
            self.folders.add(os.path.realpath(folder))
        return self.found[name]

    def _looked_up(self, name: str) -> tuple[Path | None, str]:
        self.looking = True
        try:
            return self.resolver.package(name)
        finally:
            self.looking = False

    def _others(self, name: str) -> str:
        """Return the end of a message that a package is not found: other packages named in the files read so far that
        are not found either."""
        texts = [self.data, *(Path(path).read_bytes() for path in self.opened)]
        named = dict.fromkeys(found.decode() for text in texts for found in _FIND.findall(without_comments(text)))
        absent = [each for each in named if each != name and self._looked_up(each)[0] is None]
        return (
            f"; further packages are not found: {' '.join(f'--package {each}=DIR' for each in absent)}"
            if absent
            else ""
        )

    def holds(self, path: str) -> bool:
        real = os.path.realpath(path)
        return any(real == folder or real.startswith(folder.rstrip("/") + "/") for folder in self.folders)

    def open(self, path: str, *rest: Any) -> IO[Any]:
        """Replaces open where xacro opens includes and YAML."""
        if not self.holds(path):
            real = os.path.realpath(path)
            leads = "lies" if real == os.path.abspath(path) else f"leads to {real},"
            raise safe.RefusedError(
                f"{path} {leads} outside the folders of the model ({self.resolver.root}); "
                f"allow it with --resource-path {self.resolver.holding(real)}"
            )
        if Path(path).exists() and (not Path(path).is_file() or Path(path).stat().st_size > BYTES):
            raise safe.RefusedError(f"{path} is no file of at most {BYTES >> 20} MiB")
        try:
            stream: IO[Any] = open(path, *rest)  # noqa: SIM115
        except FileNotFoundError as error:
            error.add_note(self._guessed(path))
            raise
        self.opened[os.path.abspath(path)] = None
        return stream

    def _guessed(self, path: str) -> str:
        """Return the end of a message that a file is missing: the folder assumed for its package, unless it was
        given."""
        for name, folder in self.found.items():
            if path.startswith(f"{folder}/") and name not in self.resolver.packages:
                told = f"if another folder is, name it with --package {name}=DIR"
                return f"; {folder} was taken for the package {name!r}: {told}"
        return ""

    def watch(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Audit hook: refuses access to the system even if an expression escapes its restrictions."""
        if event == "open" and isinstance(arguments[0], str) and not self.looking:
            path, mode = arguments[0], arguments[1] or "r"
            library = path.endswith((".py", ".pyc")) and path.startswith(tuple(folder for folder in sys.path if folder))
            if any(letter in mode for letter in "wax+") or not (library or self.holds(path)):
                raise PermissionError(f"{path} must not be opened")
        if event.startswith(
            ("subprocess.", "os.system", "os.exec", "os.fork", "os.posix_spawn", "os.spawn", "socket.")
        ):
            raise PermissionError(f"{event} is refused")
        if event.startswith(("os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "ctypes.")):
            raise PermissionError(f"{event} is refused")
