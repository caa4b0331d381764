"""Resolve a uri to a file, without ROS or Gazebo: a bounded, ordered cascade; every result names its rule.

The order and the bounds were measured on 9 072 references of 322 real URDFs (first hit wins): --package, package.xml,
environment, --resource-path, relative, --resource-path without leading folders, ancestor of that name, sibling of an
ancestor, package dropped, leading folders trimmed, descendant of that name, then the folder rules once more regardless
of case. A package.xml in another clone of the same workspace takes precedence over the guesses.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from converters.assets import fuel, inside
from converters.assets.folders import (
    FOLDER_PATHS,
    PREFIX_PATHS,
    SIZE_LIMIT,
    Folded,
    ancestors,
    any_case,
    descend,
    files_below,
    instead,
    package_folders,
    package_name,
    packages,
    real_file,
    real_folder,
    search_paths,
    subfolders,
    workspace,
    workspaces,
)
from converters.assets.uris import ParsedUri, UnresolvedError, references
from converters.context import USUAL, Options

PROJECT = (".git", "pyproject.toml", "setup.py")
"""Entries that mark the root folder of a project that is not a ROS package."""
AMBIGUOUS = "is ambiguous"
"""Marks the message about a package that was found more than once."""
OTHER = "; name another folder with --package {}=DIR"

_XACRO = re.compile(r"\$[({]")


class Candidate(NamedTuple):
    """A candidate path, the folder it must not leave, and the rule that proposed it."""

    path: str
    root: Path
    rule: str


def _is_of_its_folder(reference: ParsedUri, place: Candidate) -> bool:
    """Every Gazebo model has a model.config: one is accepted only in a folder of the requested name."""
    if reference.parts[-1:] != ("model.config",) or place.rule in ("package-option", "package-xml"):
        return True
    named = (reference.package, *reference.parts)[-2] or ""
    return not named or Path(place.path).parent.name.casefold() == named.casefold()


class Resolver:
    """Finds files for one model. source is its file; environ is read for search paths only (pass {} to ignore it)."""

    def __init__(self, source: Path, options: Options | None = None, environ: Mapping[str, str] | None = None) -> None:
        self.options = options = options or USUAL
        self.model = source
        self.folder = Path(os.path.normpath(source.absolute())).parent
        self.above = ancestors(self.folder)
        self.packages = {name: Path(os.path.normpath(Path(path).absolute())) for name, path in options.packages.items()}
        self.resources = tuple(Path(os.path.normpath(Path(path).absolute())) for path in options.resource_paths)
        self.environ = os.environ if environ is None else environ
        self.search = search_paths(self.environ)
        self.root = self._package_root()
        prefixes = (base for name in PREFIX_PATHS for base in self.search.get(name, ()))
        self.sources = tuple(dict.fromkeys(place for base in (self.folder, *prefixes) for place in workspace(base)))
        """Folders of colcon workspaces to which installed links may lead."""
        self._learnt: dict[str, tuple[Path, str]] = {}
        self.answers: dict[str, tuple[str | None, str]] = {}
        """The result of find for each uri so far."""
        self._real: dict[str, str] = {}
        self._folders: dict[Path, Folded] = {}
        self._stems: dict[str, Folded] = {}
        self._files: dict[Path, Mapping[str, Sequence[Path]]] = {}
        self._descents: dict[Path, tuple[list[Mapping[str, list[Path]]], Iterator[Mapping[str, list[Path]]]]] = {}

    def find(self, uri: str) -> tuple[str | None, str]:
        """Return (absolute path of the existing regular file, rule that found it), or (None, reason as a sentence)."""
        if uri not in self.answers:
            try:
                self.answers[uri] = self._part(uri) if inside.MARK in uri else self._find(uri)
            except UnresolvedError as refusal:
                found = self.linked.find(uri) if self.linked is not None else (None, "")
                self.answers[uri] = found if found[0] is not None else (None, str(refusal))
            except (OSError, ValueError) as error:
                self.answers[uri] = (None, f"{uri!r} cannot be looked up: {error}")
        return self.answers[uri]

    @cached_property
    def linked(self) -> Resolver | None:
        """The resolver for the model's real folder, if that is reached by a link: systems resolve `..` from there."""
        real = os.path.realpath(self.folder)
        return Resolver(Path(real, self.model.name), self.options, self.environ) if real != str(self.folder) else None

    def package(self, name: str) -> tuple[Path | None, str]:
        """Return (folder of the package, rule that found it), or (None, a sentence that gives the reason)."""
        if not name or name in (".", "..") or "/" in name:
            return None, f"{name!r} is no name of a package"
        found = self._package(name)
        if found is None and self.linked is not None and (behind := self.linked.package(name))[0] is not None:
            return behind
        if found is None:
            return None, f"package {name!r} was not found {self._tried(ParsedUri(name, ()))}"
        if found[1].startswith("ancestor"):
            self._learnt.setdefault(name, found)
        return found

    def _package(self, name: str) -> tuple[Path, str] | None:
        """Return the folder of a package and the rule that found it; None where there is none."""
        for place in self._named(ParsedUri(name, ())):
            bare = place.rule == "resource-path" and name not in (place.root.name, package_name(place.root))
            if not bare and os.path.isdir(place.path):
                return Path(place.path), place.rule
        named = [(folder, "ancestor-name") for folder in self.above if folder.name == name]
        beside = ((folder, "ancestor-sibling") for folder in self._siblings(name) if folder.is_dir())
        return next(iter((*named, *beside)), None) if name not in self.packages else None

    def _part(self, uri: str) -> tuple[str | None, str]:
        """Find the file that an embedded asset is in; never the model itself, even if it now has that file's name."""
        base = inside.file_of(uri)
        found, rule = self._find(base or uri)
        if base and found is not None and os.path.realpath(found) == os.path.realpath(self.model):
            raise UnresolvedError(f"{uri!r} is a part of another file of this name, not of the model itself")
        return found, rule

    # ------------------------------------------------------------------------------------ the cascade

    def _find(self, uri: str) -> tuple[str | None, str]:
        outside: list[str] = []
        for folder, parts in fuel.cached(uri.strip(), self.environ):
            kept = self._accept(Candidate(_join(folder, parts), folder, "fuel-cache"), outside)
            if kept is not None:
                return kept, "fuel-cache"
        readings = list(references(uri))
        for places in (self._named, self._nearby, self._below, self._any_case):
            for reference in readings:
                for place in places(reference):
                    found = self._accept(place, outside) if _is_of_its_folder(reference, place) else None
                    if found is not None:
                        self._learn(reference, place)
                        return found, place.rule + reference.hint
        if outside:
            raise UnresolvedError(
                f"it leads to {outside[0]}, outside the folders of the model ({self.root}); "
                f"allow it with --resource-path {self.holding(outside[0])}"
            )
        raise UnresolvedError(f"the file was not found {self._tried(readings[0])}{self._suggestion(readings[0])}")

    def _named(self, reference: ParsedUri) -> Iterator[Candidate]:
        """Yield places given by the user, a manifest or the environment, and the path as written."""
        package, parts = reference.package, reference.parts
        if package is None:
            if reference.absolute and not reference.foreign:
                yield Candidate(_join(Path("/"), parts), self.root, "absolute")
            elif not reference.absolute:
                yield Candidate(_join(self.folder, parts), self.root, "relative")
                for base, rule in (*((path, "resource-path") for path in self.resources), *self.search_folders()):
                    yield Candidate(_join(base, parts), base, rule)
            return
        if package in self.packages:
            yield Candidate(_join(self.packages[package], parts), self.packages[package], "package-option")
            return
        if package in self._learnt:
            folder, rule = self._learnt[package]
            yield Candidate(_join(folder, parts), folder, rule)
        for folder in self._manifests(package):
            yield Candidate(_join(folder, parts), folder, "package-xml")
        for variable, bases in self.search.items():
            for folder in package_folders(variable, bases, package):
                yield Candidate(_join(folder, parts), folder, f"environment-{variable}")
        for base in self.resources:
            own = (base,) if base.name == package or package_name(base) == package else ()
            for folder in (*own, base / package, base / "share" / package, base):
                yield Candidate(_join(folder, parts), folder, "resource-path")
        beside = self._beside(package)
        if len(beside) == 1:
            yield Candidate(_join(beside[0], parts), beside[0], "workspace")

    def _beside(self, package: str) -> tuple[Path, ...]:
        """Return the packages of that name in the workspace: those in the clone of the model, else all."""
        for base in workspaces(self.folder):
            found = packages(base).get(package, ())
            own = tuple(folder for folder in found if folder.is_relative_to(self.above[-1]))
            if found:
                return own or found
        return ()

    def _nearby(self, reference: ParsedUri) -> Iterator[Candidate]:
        """Yield guesses from the names of the folders above the model."""
        if reference.package in self.packages:
            return
        yield from (Candidate(_join(base, parts), base, rule) for base, parts, rule in self._guesses(reference))

    def _guesses(self, reference: ParsedUri) -> Iterator[tuple[Path, tuple[str, ...], str]]:
        package, parts = reference.package, reference.parts
        inner = [parts[first:] for first in range(1, len(parts)) if parts[first] != ".."]
        yield from ((base, rest, "resource-path-trimmed") for rest in inner for base in self.resources)
        if not parts or parts[0] == "..":
            return
        if package is not None:
            yield from ((folder, parts, "ancestor-name") for folder in self.above if folder.name == package)
            yield from ((folder, parts, "ancestor-sibling") for folder in self._siblings(package))
        if not reference.absolute:
            yield from ((folder, parts, "package-dropped" if package else "ancestor") for folder in self.above[:4])
        for first in range(1, len(parts) - 1):
            yield from ((folder, parts[first:], "trimmed") for folder in self.above[:5])
        if reference.foreign:
            near = [folder / name for folder in self.above[:2] for name in (".", "meshes", "mesh", "textures")]
            yield from ((folder, parts[-1:], "basename") for folder in near)

    def _siblings(self, package: str) -> Iterator[Path]:
        """Yield folders of that name beside the model's ancestors, also as colcon nests packages on installation."""
        for folder in self.above[:7]:
            yield folder / package / "share" / package
            yield folder / package

    def _below(self, reference: ParsedUri) -> Iterator[Candidate]:
        """Yield a folder with the name of the package anywhere below the model's folder or the two folders above it."""
        package, parts = reference.package, reference.parts
        if package is None or package in self.packages or not parts:
            return
        for folder in self.above[:3]:
            if folder != self.folder and len(folder.parts) < 3:
                return
            for level in self._levels(folder):
                hits = [below for below in level.get(package, ()) if os.path.isfile(_join(below, parts))]
                if len(hits) > 1:
                    raise UnresolvedError(
                        f"package {package!r} {AMBIGUOUS}: {_listed(hits)}; choose with --package {package}=DIR"
                    )
                if hits:
                    yield Candidate(_join(hits[0], parts), hits[0], "descendant")

    def _levels(self, folder: Path) -> Iterator[Mapping[str, list[Path]]]:
        """Yield the levels of descend, scanning each only once, because there may be thousands of folders."""
        known, more = self._descents.setdefault(folder, ([], descend(folder, 5)))
        yield from known
        for level in more:
            known.append(level)
            yield level

    def _any_case(self, reference: ParsedUri) -> Iterator[Candidate]:
        """Apply the folder rules regardless of case."""
        package, parts = reference.package, reference.parts
        if package in self.packages:
            return
        up = parts.count("..")
        start = Path(_join(self.folder, parts[:up]))
        guesses = [(folder, parts, "package-xml") for folder in self._manifests(package)] if package else []
        if package is None and not reference.absolute and _below(str(start), str(self.root)):
            guesses.append((start, parts[up:], "relative"))
        if package is not None:
            wanted = package.casefold()
            guesses += [(folder, parts, "ancestor-name") for folder in self.above if folder.name.casefold() == wanted]
            guesses += [(folder, (package, *parts), "ancestor-sibling") for folder in self.above[:7]]
        guesses += [
            guess for guess in self._guesses(reference) if guess[2] not in ("ancestor-name", "ancestor-sibling")
        ]
        for base, wanted_parts, rule in guesses:
            hits = any_case(base, wanted_parts, self._folders) if os.path.isdir(base) else []
            if len(hits) > 1:
                raise UnresolvedError(f"several files differ from the name only in case: {_listed(hits)}")
            for hit in hits:
                yield Candidate(str(hit), base, f"{rule}-ignoring-case")

    # ----------------------------------------------------------------------------------------- safety

    def _accept(self, place: Candidate, outside: list[str]) -> str | None:
        """Return the path if it is a regular file inside the candidate's folder or an allowed root, else None."""
        try:
            info = os.lstat(place.path)
            linked = stat.S_ISLNK(info.st_mode)
            if linked:
                info = os.stat(place.path)
        except (OSError, ValueError):
            return None
        if not stat.S_ISREG(info.st_mode):
            return None
        real = real_file(place.path, linked, self._real)
        if not any(_below(real, real_folder(str(root), self._real)) for root in self._roots(place)):
            outside.append(real)
            return None
        if info.st_size > SIZE_LIMIT:
            raise UnresolvedError(f"{place.path} is larger than {SIZE_LIMIT >> 30} GiB")
        return place.path

    def _roots(self, place: Candidate) -> Iterator[Path]:
        yield place.root
        yield self.root
        yield from self.packages.values()
        yield from self.resources
        yield from self.sources
        yield from (folder for folder, _ in self._learnt.values())
        yield from (base for bases in self.search.values() for base in bases)

    def _package_root(self) -> Path:
        """Return the ROS package that contains the model; else the root of its project or Python package, and at least
        the parent folder."""
        for folder in self.above:
            if package_name(folder) is not None:
                return folder
        project = next((folder for folder in self.above if any((folder / mark).exists() for mark in PROJECT)), None)
        python = [folder for folder in self.above if (folder / "__init__.py").is_file()]
        known = [*self.above[:2], *python, *((project,) if project is not None else ())]
        return self.above[max(map(self.above.index, known))]

    # ---------------------------------------------------------------------------------------- details

    def holding(self, place: str) -> str:
        """Return the common folder of the model and a place, or that of the place where they share none."""
        own = os.path.dirname(place)
        with suppress(ValueError):  # paths on different drives have no common folder
            shared = os.path.commonpath([str(self.folder), own])
            return shared if len(Path(shared).parts) > 2 else own
        return own

    def _manifests(self, package: str) -> Iterator[Path]:
        """Yield ancestors whose manifest has this name, then packages beside the nearest package."""
        own = [folder for folder in self.above if package_name(folder) is not None]
        yield from (folder for folder in own if package_name(folder) == package)
        for folder in own[:1]:
            if folder != self.above[-1] or not (folder / ".git").exists():
                yield from (beside for beside in subfolders(folder.parent) if package_name(beside) == package)

    def search_folders(self) -> list[tuple[Path, str]]:
        """Folders from the environment against which Gazebo resolves plain paths."""
        return [(base, f"environment-{name}") for name in FOLDER_PATHS for base in self.search.get(name, ())]

    def _learn(self, reference: ParsedUri, place: Candidate) -> None:
        package, parts = reference.package, reference.parts
        if package is not None and place.path == _join(place.root, parts):
            self._learnt.setdefault(package, (place.root, place.rule))

    def _tried(self, reference: ParsedUri) -> str:
        package, parts = reference.package, reference.parts
        if package in self.packages:
            base = self.packages[package]
            near = (base / package, base / "share" / package, *ancestors(base)[1:4])
            better = next((folder for folder in near if parts and os.path.isfile(_join(folder, parts))), None)
            hint = f"; {better} has it: --package {package}={better}" if better is not None else OTHER.format(package)
            what = f"the folder of package {package!r}" if base.is_dir() else "which is no folder"
            return f"in {base}, {what}{hint}"
        if package is not None:
            told = f"--package {package}=DIR{f' (the folder with {parts[0]}/ in it)' if len(parts) > 1 else ''}"
            found = self._package(package) if parts else None
            if found is not None:
                place = f"in {found[0]}, which is package {package!r} by the rule {found[1]}"
                return f"{place}, nor elsewhere around the model{OTHER.format(package)}"
            beside = self._beside(package)
            if len(beside) > 1:
                return f"since package {package!r} {AMBIGUOUS}: {_listed([*beside])}; choose with {told}"
            by = "by package.xml, search paths or folders named so around the model"
            return f"{f'and no package {package!r} either, ' if parts else ''}{by}: say where it is with {told}"
        if _XACRO.search("/".join(reference.parts)):
            return "since its name is unexpanded xacro: read the document with --from xacro"
        return "around the model; name a folder to look in with --resource-path DIR"

    def _suggestion(self, reference: ParsedUri) -> str:
        """Suggest what a folder has instead of the file; another suffix of its kind is suggested, but never used."""
        from converters.assets.meshes.files import kind

        guesses = self._guesses(reference) if reference.parts and "." in reference.parts[-1] else ()
        for folder in filter(os.path.isdir, dict.fromkeys(_join(base, parts[:-1]) for base, parts, _ in guesses)):
            if there := instead(folder, reference.parts[-1], kind, self._stems):
                return f"; {there}"
        return self._elsewhere(reference)

    def _elsewhere(self, reference: ParsedUri) -> str:
        """Name the only file of that name in another folder of the package. It may not be the one: it is not used."""
        found = self._package(reference.package) if reference.package is not None else (self.root, "")
        if found is None or not reference.parts:
            return ""
        base = found[0]
        if base not in self._files:
            self._files[base] = files_below(base, self._levels(base))
        there = self._files[base].get(reference.parts[-1], ())
        return f"; a file of that name is in {there[0]}: correct the address if it is meant" if len(there) == 1 else ""


def _join(base: Path, parts: tuple[str, ...]) -> str:
    """Return a path as text, because making a Path for each candidate costs more than checking it."""
    return os.path.normpath(os.path.join(base, *parts))


def _listed(paths: list[Path]) -> str:
    return ", ".join(str(path) for path in sorted(paths)[:4]) + (" ..." if len(paths) > 4 else "")


def _below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder if folder.endswith(os.sep) else folder + os.sep)
