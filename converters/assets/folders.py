"""File system lookups of the resolver: ancestors, package names, bounded descent, case-insensitive names."""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, islice
from pathlib import Path

from converters.comments import without_comments
from ir.gathering import gathered

ENTRIES = 5_000
"""Most entries read from one folder, and most folders visited by a descent: a model may be in a home directory."""
FEW, NAMES = 500, 20_000
"""Most folders, and most names in them, among which a file is searched for to tell where it is."""
SOURCES, DEEPEST = "src", 6
"""Name of the source folder of a workspace, and number of levels below it in which packages are searched."""
SIZE_LIMIT = 1 << 30
"""Bytes; a larger mesh file is refused."""
IGNORED = frozenset({"COLCON_IGNORE", "AMENT_IGNORE", "CATKIN_IGNORE"})
MANIFESTS = frozenset({"package.xml", "manifest.xml"})
PREFIX_PATHS = ("AMENT_PREFIX_PATH", "CMAKE_PREFIX_PATH", "COLCON_PREFIX_PATH")
FOLDER_PATHS = ("GZ_SIM_RESOURCE_PATH", "IGN_GAZEBO_RESOURCE_PATH", "SDF_PATH", "GAZEBO_MODEL_PATH")

Folded = Mapping[str, Sequence[str]]
"""Names in a folder, keyed by their case-folded form or by their stem."""

_NAME = re.compile(rb"<name\b[^<>]*>([^<]+)</name>")
_SKIPPED = frozenset({".git", ".hg", ".svn", "node_modules", "__pycache__", "build", "log"})


def ancestors(folder: Path) -> list[Path]:
    """Return the folder and its ancestors, nearest first, up to a version-control root; without the file system root,
    except for a folder that is the root itself."""
    found = []
    for path in (folder, *folder.parents):
        if path == path.parent:
            break
        found.append(path)
        if (path / ".git").exists():
            break
    return found or [folder]


@lru_cache(maxsize=4096)
def package_name(folder: Path) -> str | None:
    """Return the package name in package.xml (for manifest.xml: the folder's own name); None where there is neither."""
    try:
        with (folder / "package.xml").open("rb") as file:
            match = _NAME.search(without_comments(file.read(1 << 18)))
        if match is not None and match[1].strip():
            return match[1].strip().decode("utf-8", "replace")
    except OSError:
        pass
    return folder.name if (folder / "manifest.xml").is_file() else None


@lru_cache(maxsize=4096)
def workspace(folder: Path) -> tuple[Path, ...]:
    """Return the source and build folders to which files in a folder may be linked if colcon installed it with
    --symlink-install; () for any other folder. A source or build folder that is itself a link is ignored."""
    installed = (each for each in ancestors(folder) if (each / ".colcon_install_layout").is_file())
    spaces = [each.parent / name for each in installed for name in ("src", "build")]
    return tuple(each for each in spaces if each.is_dir() and not each.is_symlink())


def workspaces(folder: Path) -> list[Path]:
    """Return the ancestors that are source folders of a ROS workspace (named src), nearest first."""
    return [path for path in folder.parents if path.name == SOURCES and len(path.parts) > 2]


@lru_cache(maxsize=64)
def packages(base: Path) -> Mapping[str, tuple[Path, ...]]:
    """Return the packages below a folder by name, as colcon finds them: none nested in another package, none below an
    ignore marker."""
    found: dict[str, tuple[Path, ...]] = {}
    waiting, budget = deque([(base, 0)]), ENTRIES
    while waiting and budget > 0:
        folder, depth = waiting.popleft()
        names = children(folder)
        budget -= 1
        if not IGNORED.isdisjoint(names):
            continue
        name = package_name(folder) if not MANIFESTS.isdisjoint(names) else None
        if name is not None:
            found[name] = (*found.get(name, ()), folder)
        elif depth < DEEPEST:
            inner = (path for path in subfolders(folder) if not path.name.startswith(".") and path.name not in _SKIPPED)
            waiting.extend((path, depth + 1) for path in inner)
    return found


def real_file(path: str, linked: bool, known: dict[str, str]) -> str:
    """Return the realpath of a file, resolving each folder only once. linked: the file itself is a link."""
    folder, _, name = path.rpartition("/")
    if linked or not folder or name in ("", ".", ".."):
        return os.path.realpath(path)
    return f"{real_folder(folder, known)}/{name}"


def real_folder(folder: str, known: dict[str, str]) -> str:
    """The real path of a folder, looked up once (known)."""
    if folder not in known:
        known[folder] = os.path.realpath(folder)
    return known[folder]


def instead(folder: str, name: str, kind: Callable[[str], str], known: dict[str, Folded]) -> str:
    """Return what a folder has in place of a missing file: something else of its name, or a file of the same stem and
    kind (computed from the suffix); "" where there is nothing. known caches the content of folders, by stem."""
    path = f"{folder}/{name}"
    if os.path.isdir(path):
        return f"{path} is a folder"
    if os.path.lexists(path) and not os.path.isfile(path):
        return f"{path} is {'no regular file' if os.path.exists(path) else 'a link that leads nowhere'}"
    if folder not in known:
        names = os.listdir(folder) if os.access(folder, os.R_OK) else []
        known[folder] = gathered((os.path.splitext(each)[0], each) for each in names)
    stem, suffix = os.path.splitext(name)
    alike = known[folder].get(stem, ())
    beside = sorted(each for each in alike if kind(os.path.splitext(each)[1]) == kind(suffix))
    return f"{folder} has {beside[0]}" if beside else ""


def children(folder: Path) -> list[str]:
    """Return the names in a folder, sorted, at most ENTRIES of them; none when it cannot be read."""
    try:
        with os.scandir(folder) as entries:
            return sorted(entry.name for entry, _ in zip(entries, range(ENTRIES), strict=False))
    except OSError:
        return []


def subfolders(folder: Path) -> list[Path]:
    """Return the direct subfolders, sorted, without links."""
    try:
        with os.scandir(folder) as entries:
            some = [entry for entry, _ in zip(entries, range(ENTRIES), strict=False)]
            return sorted(Path(entry.path) for entry in some if entry.is_dir(follow_symlinks=False))
    except OSError:
        return []


def descend(folder: Path, depth: int) -> Iterator[Mapping[str, list[Path]]]:
    """Yield the folders below by name, level by level; ends after `depth` levels or ENTRIES folders in all."""
    level = deque([folder])
    budget = ENTRIES
    for _ in range(depth):
        below: list[Path] = []
        while level and budget > 0:
            names = [path for path in subfolders(level.popleft()) if path.name not in _SKIPPED]
            budget -= len(names)
            below += names
        if not below:
            return
        yield gathered((path.name, path) for path in below)
        level.extend(below)


def files_below(folder: Path, levels: Iterable[Mapping[str, list[Path]]]) -> Mapping[str, Sequence[Path]]:
    """Return file name -> the folders with such a file: of a folder and those below it (descend), as far as FEW folders
    and NAMES names go."""
    below = (path for level in levels for paths in level.values() for path in paths)
    there = ((name, path) for path in islice(chain([folder], below), FEW) for name in children(path))
    return gathered(islice(there, NAMES))


def any_case(folder: Path, parts: tuple[str, ...], known: dict[Path, Folded] | None = None) -> list[Path]:
    """Return every existing path below folder that equals parts except for case. known caches the content of the
    folders on the way, so that each is read once."""
    known = {} if known is None else known
    level = [folder]
    for part in parts:
        wanted = part.casefold()
        level = [path / name for path in level for name in _folded(path, known).get(wanted, ())]
    return level


def _folded(folder: Path, known: dict[Path, Folded]) -> Folded:
    if folder not in known:
        known[folder] = gathered((name.casefold(), name) for name in children(folder))
    return known[folder]


def search_paths(environ: Mapping[str, str]) -> dict[str, tuple[Path, ...]]:
    """Return the absolute folders of every search variable that is set, in their order."""
    found = {}
    for name in ("ROS_PACKAGE_PATH", *PREFIX_PATHS, *FOLDER_PATHS):
        texts = environ.get(name, "").split(os.pathsep)
        paths = [Path(os.path.normpath(text)) for text in texts if text.startswith("/")]
        if paths:
            found[name] = tuple(path for path in paths if path != path.parent)
    return found


def package_folders(variable: str, bases: tuple[Path, ...], package: str) -> Iterator[Path]:
    """Yield the folders where a search variable may have a package, following that variable's own layout."""
    for base in bases:
        if variable in PREFIX_PATHS:
            yield base / "share" / package
            yield base / package / "share" / package
        else:
            yield base / package
            if base.name == package or package_name(base) == package:
                yield base
        if variable == "ROS_PACKAGE_PATH":
            yield from (path for path in subfolders(base) if package_name(path) == package)
            yield from (path / package for path in subfolders(base))
