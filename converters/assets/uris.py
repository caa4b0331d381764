"""Parsing of uris as they occur in URDF, SDFormat and MJCF."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from converters.assets import fuel

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):")
_FIND = re.compile(r"\$\(\s*find(?:-pkg-share)?\s+([^)\s]+)\s*\)[/\\]*(.*)", re.DOTALL)
_DRIVE = re.compile(r"/*[A-Za-z]:[/\\]")


class UnresolvedError(Exception):
    """Its message is the reason why no file was found."""


class ParsedUri(NamedTuple):
    """A parsed uri. package is None for plain paths, and where it has no name; parts has no empty, `.` or inner `..`
    components."""

    package: str | None
    parts: tuple[str, ...]
    absolute: bool = False
    foreign: bool = False
    hint: str = ""


def references(uri: str) -> Iterator[ParsedUri]:
    """Yield the interpretations of a uri, likeliest first: percent-decoded or literal, backslashes as separators."""
    text = uri.strip()
    if not text or "\0" in text:
        raise UnresolvedError("the file name is empty" if not text else "the file name has a NUL character")
    scheme = _SCHEME.match(text)
    name = scheme[1].lower() if scheme else ""
    if name in ("http", "https", "ftp"):
        way = "gz fuel download puts it where it is found" if fuel.is_fuel(text) else "name the local file"
        raise UnresolvedError(f"{text!r} is on the network and is never fetched; download it: {way}")
    if name == "data":
        raise UnresolvedError("data: is not the name of a file")
    if name not in ("", "package", "model", "file"):
        raise UnresolvedError(f"the scheme {name}: of {text!r} is not known; known are package, model and file")
    rest = text[scheme.end() :] if scheme else text
    tidy = [unquote(rest), rest] if scheme else [rest, unquote(rest)]
    slashed = [(path, "") for path in dict.fromkeys(tidy)]
    slashed += [(path.replace("\\", "/"), "-with-backslashes") for path, _ in slashed if "\\" in path]
    for path, hint in slashed:
        yield _reference(name, path, hint, uri)


def package_folders(found: Iterable[tuple[str, str | None]]) -> dict[str, Path]:
    """Return the folders of the packages and models that addresses name, by the file to which each address leads."""
    folders: dict[str, Path] = {}
    for uri, file in found:
        scheme, _, path = uri.partition("://")
        name, _, inner = path.partition("/")
        if scheme in ("package", "model") and name and inner and file and file.endswith(f"/{inner}"):
            folders.setdefault(name, Path(file.removesuffix(f"/{inner}")))
    return folders


def _reference(scheme: str, path: str, hint: str, uri: str) -> ParsedUri:
    found = _FIND.match(path.removeprefix("//") if scheme == "file" else path)
    if found is not None:
        path, scheme = f"{found[1]}/{found[2]}", "package"
    if scheme in ("package", "model"):
        parts = _normal(path)
        if not parts or parts[0] == "..":
            raise UnresolvedError(f"{uri!r} leaves the package with `..`" if parts else f"{uri!r} names no package")
        if path.startswith("///"):
            return ParsedUri(None, parts, hint=hint)
        return ParsedUri(parts[0], parts[1:], hint=hint)
    if scheme == "file":
        path = path.removeprefix("//")
        path = path.removeprefix("localhost") if path.startswith("localhost/") else path
    if _DRIVE.match(path):
        parts = _normal(_DRIVE.sub("", path.replace("\\", "/"), count=1))
        return ParsedUri(None, tuple(part for part in parts if part != ".."), absolute=True, foreign=True)
    absolute = path.startswith("/")
    parts = _normal(path)
    return ParsedUri(None, tuple(part for part in parts if part != "..") if absolute else parts, absolute, hint=hint)


def _normal(path: str) -> tuple[str, ...]:
    """Return the components without empty ones and `.`; `..` is resolved lexically, unaffected by links."""
    parts: list[str] = []
    for part in path.split("/"):
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return tuple(parts)
