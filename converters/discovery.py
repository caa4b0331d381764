"""Which files of a folder are models: by suffix, by the root element of XML, and by who includes whom.

Folders that are links are not entered, as by git and find, so that circular links do no harm. Hidden folders are
ignored. Parts of models (an included MJCF or xacro, a glTF used as a mesh) are found, and marked as parts; so are
folders that another batch has written.
"""

from __future__ import annotations

import html
import os
import re
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from converters.comments import COMMENT
from converters.context import InputError, Options
from converters.not_models import first_bytes
from converters.registry import HEAD, formats, model_document
from converters.source.parsing import FRAGMENT

CONFIG = "model.config"
HIDDEN = ".kinegraph"
"""Folder in the output of a batch with the journal, the lock and, while it runs, its working files."""
SKIPPED = frozenset({"__pycache__", "node_modules"})
SRDF = ".srdf.xacro"
"""Suffix of a xacro that is no model; an SRDF that is no xacro has a suffix of its own."""
LARGEST = 1 << 27
"""Largest size in bytes of a document that is searched for includes."""

_NOISE = re.compile(COMMENT + rb"|<\?.*?(?:\?>|\Z)", re.DOTALL)
_ROOT = re.compile(rb"<([A-Za-z_][\w.:-]*)")
_INCLUDE = re.compile(rb"""<include\s[^<>]*?file\s*=\s*("[^"]*"|'[^']*')""", re.DOTALL)
_XACRO_INCLUDE = re.compile(rb"""<(?:xacro:)?include\s[^<>]*?filename\s*=\s*("[^"]*"|'[^']*')""", re.DOTALL)
_XACRO_MACRO = re.compile(rb"<xacro:macro\b.*?(?:(</xacro:macro\s*>)|\Z)", re.DOTALL)
_XACRO_CONTENT = re.compile(
    rb"<(?:link|joint|gazebo|xacro:(?!macro|property|arg|include|if|unless|robot)[\w.-]+)[\s/>]", re.DOTALL
)
_VALUE = re.compile(rb"""["'>]([^"'<>]+)""")
"""A quoted text or the content of an element, as a whole: a search that may begin anywhere in it is quadratic."""
_GLTF = (".gltf", ".glb")
_LISTED = re.compile(rb"<sdf\b[^<>]*>([^<]+)</sdf>")


class Found(Struct, frozen=True):
    """A model by its document, relative to the folder that was searched, with / between names.

    packaged: it is in a folder that is the model as a whole. part: why it is not a model of its own. refused: why it
    cannot be read.
    """

    model: str
    packaged: bool = False
    part: str = ""
    refused: str = ""


def find(
    root: Path,
    *,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    origin: str | None = None,
    options: Options | None = None,
    without: Iterable[Path] = (),
) -> list[Found]:
    """Every model below root, sorted; include and exclude are globs of relative paths or names.

    origin: only models of that format. without: folders of outputs. A folder that cannot be read is in the list,
    refused. Raises OSError when root itself cannot be read.
    """
    passed = {os.path.realpath(folder) for folder in without}
    found: dict[str, Found] = {}
    for folder, names in _walk(root, passed, found, exclude):
        found |= {item.model: item for item in _of_folder(root, folder, names) if _wanted(item.model, include, exclude)}
    kinds = {model: _kind(root / model) for model, item in found.items() if not (item.refused or item.part)}
    if origin is not None:
        suffixes = formats()[origin].suffixes if origin in formats() else ()
        kept = {model for model, kind in kinds.items() if kind == origin or PurePosixPath(model).suffix in suffixes}
        found = {model: item for model, item in found.items() if model in kept or item.refused}
    parts = _parts(root, {model: kinds[model] for model in found if model in kinds}, options or Options())
    return [replace(item, part=parts.get(model, item.part)) for model, item in sorted(found.items())]


def _walk(
    root: Path, passed: set[str], found: dict[str, Found], exclude: Sequence[str]
) -> Iterator[tuple[str, list[str]]]:
    """(folder relative to root, "" or ending in /; names of its files), in order."""
    waiting = [""]
    while waiting:
        folder = waiting.pop()
        try:
            with os.scandir(root / folder) as entries:
                listed = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            if not folder:
                raise
            found[folder] = Found(folder, refused=f"the folder cannot be read: {error.strerror}")
            continue
        if folder and any(entry.name == HIDDEN for entry in listed):
            found[folder] = Found(folder, part="it holds what a batch has written")
            continue
        below = [
            f"{folder}{entry.name}/"
            for entry in listed
            if entry.is_dir(follow_symlinks=False)
            and not entry.name.startswith(".")
            and entry.name not in SKIPPED
            and not _matches(f"{folder}{entry.name}", exclude)
            and not (passed and os.path.realpath(entry.path) in passed)
        ]
        waiting += reversed(below)
        yield folder, [entry.name for entry in listed if not _is_folder(entry)]


def _is_folder(entry: os.DirEntry[str]) -> bool:
    """Whether a name leads to a folder, directly or by links."""
    try:
        return entry.is_dir()
    except OSError:  # e.g. a link to itself
        return False


def _of_folder(root: Path, folder: str, names: list[str]) -> Iterator[Found]:
    suffixes = {suffix for each in formats().values() if each.read is not None for suffix in each.suffixes}
    document, versions = "", set[str]()
    if CONFIG in names:
        document, versions = yield from _packaged(root, folder)
    for name in names:
        path = f"{folder}{name}"
        suffix = PurePosixPath(name).suffix.lower()
        if suffix not in suffixes or name == document:
            continue
        if suffix == ".xml":
            tag = _root(root / path)
            if tag == FRAGMENT:
                yield Found(path, part=f"it is a part for other files (<{FRAGMENT}>)")
            elif _claimed(tag) or _is_empty(root / path):
                yield Found(path)
        elif name.lower().endswith(SRDF):
            yield Found(path, part="it is the SRDF of a robot, and goes with its URDF")
        elif name in versions:
            yield Found(path, part=f"it is another version of {folder}{document}")
        else:
            yield Found(path)


def _packaged(root: Path, folder: str) -> Generator[Found, None, tuple[str, set[str]]]:
    """The model of a folder with a model.config. Returns its file, and all that the manifest lists as versions of it;
    nothing if the folder has none."""
    model = f"{folder}{CONFIG}"
    document, versions = "", set[str]()
    try:
        path = model_document(root / model)
        if path.is_relative_to(root / folder) and path.name != CONFIG:
            document = path.relative_to(root / folder).as_posix()
            yield Found(f"{folder}{document}", packaged=True)
            versions = {os.fsdecode(name.strip()) for name in _LISTED.findall((root / model).read_bytes())}
    except InputError as error:
        yield Found(model, packaged=True, refused=str(error))
    except OSError as error:
        yield Found(model, packaged=True, refused=f"{model}: {error.strerror or error}")
    return document, versions


def _root(path: Path) -> str:
    """Name of the root element, "" when there is none or the file cannot be read."""
    head = first_bytes(path, HEAD) if os.path.isfile(path) else b""  # opening a pipe would block
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        head = head.decode("utf-16", "replace").encode()
    match = _ROOT.search(_NOISE.sub(b"", head))
    return match[1].decode("ascii", "replace") if match else ""


def _is_empty(path: Path) -> bool:
    """Whether a file is empty: no root tells that it is something else, and a model may have lost its content."""
    return os.path.isfile(path) and not os.path.getsize(path)


def _claimed(tag: str) -> bool:
    return bool(tag) and any(each.read and each.claims(f"<{tag}>".encode()) for each in formats().values())


def _kind(path: Path) -> str:
    """The group of files that may include each other: xacro, the format that claims the root element, or the suffix."""
    suffix = path.suffix.lower()
    tag = _root(path) if suffix in (".xml", ".mjcf", ".urdf") else ""
    claiming = [name for name, each in formats().items() if tag and each.claims(f"<{tag}>".encode())]
    return claiming[0] if claiming else next((n for n, each in formats().items() if suffix in each.suffixes), suffix)


def _wanted(model: str, include: Sequence[str], exclude: Sequence[str]) -> bool:
    return (not include or _matches(model, include)) and not _matches(model, exclude)


def _matches(path: str, patterns: Sequence[str]) -> bool:
    """Whether a pattern matches: one with / the whole relative path, any other the name."""
    name = path.rpartition("/")[2]
    return any(fnmatchcase(path if "/" in pattern else name, pattern.removeprefix("./")) for pattern in patterns)


# ------------------------------------------------------------------------------------------- parts


def _parts(root: Path, kinds: Mapping[str, str], options: Options) -> dict[str, str]:
    """Parts of models -> why they are parts, with the model that uses them."""
    parts: dict[str, str] = {}
    for kind, look in (("mjcf", _mjcf_includes), ("xacro", _xacro_includes)):
        named = {model: look(root, model, options) for model, its in kinds.items() if its == kind}
        if kind == "xacro":  # what a xacro includes may be a URDF of materials only, not a robot
            others = {other for each in named.values() for other in each if kinds.get(other) == "urdf"}
            named |= {other: [] for other in others if not _XACRO_CONTENT.search(_document_text(root / other))}
        parts |= _reached({model: [other for other in others if other in named] for model, others in named.items()})
        if kind == "xacro":
            parts |= {
                model: "it only defines what others use" for model in named if _only_defines(root / model)
            } | parts
    return _meshes(root, kinds, options) | parts


def _meshes(root: Path, kinds: Mapping[str, str], options: Options) -> dict[str, str]:
    """Documents of glTF that other models use as meshes -> a text that names the first of these."""
    meshes = {model for model, kind in kinds.items() if kind == "gltf"}
    parts: dict[str, str] = {}
    for model in kinds if meshes else ():
        for used in _resolved(root, model, _VALUE, options, _GLTF) if model not in meshes else ():
            if used in meshes:
                parts.setdefault(used, f"it is a mesh of {model}")
    return parts


def _reached(named: Mapping[str, list[str]]) -> dict[str, str]:
    """Included files -> who includes them. Files that only include each other are no parts: reading them reports it."""
    included = {other for model, others in named.items() for other in others if other != model}
    parts: dict[str, str] = {}
    for top in sorted(set(named) - included):
        waiting = [top]
        while waiting:
            model = waiting.pop()
            for other in named[model]:
                if other not in parts and other != top:
                    parts[other] = f"it is included by {model}"
                    waiting.append(other)
    return parts


def _document_text(path: Path) -> bytes:
    try:
        fit = path.is_file() and path.stat().st_size <= LARGEST
        return _NOISE.sub(b"", path.read_bytes()) if fit else b""
    except OSError:
        return b""


def _mjcf_includes(root: Path, model: str, options: Options) -> list[str]:
    """Files that a document includes, relative to the root."""
    folder = PurePosixPath(model).parent
    names = [html.unescape(os.fsdecode(match[1:-1])) for match in _INCLUDE.findall(_document_text(root / model))]
    return [os.path.normpath(folder / name.replace("\\", "/")) for name in names]


def _xacro_includes(root: Path, model: str, options: Options) -> list[str]:
    return list(_resolved(root, model, _XACRO_INCLUDE, options))


def _resolved(
    root: Path, model: str, pattern: re.Pattern[bytes], options: Options, suffixes: tuple[str, ...] = ("",)
) -> Iterator[str]:
    """Addresses in a document that end in one of the suffixes and lead to files below root, relative to it."""
    from converters.assets.resolve import Resolver

    found = (
        os.fsdecode(match.group(1)).strip("\"' \t\r\n") for match in pattern.finditer(_document_text(root / model))
    )
    names = dict.fromkeys(name for name in found if name.lower().endswith(suffixes))
    if not names:
        return
    find: Callable[[str], tuple[str | None, str]] = Resolver(root / model, options).find
    for name in names:
        path, _ = find(html.unescape(name.replace("$(dirname)/", "")))
        if path is not None and Path(path).is_relative_to(root):
            yield Path(path).relative_to(root).as_posix()


def _only_defines(path: Path) -> bool:
    text = _document_text(path)
    rest = _XACRO_MACRO.sub(lambda macro: b"" if macro[1] else macro[0], text)
    return bool(text) and not _XACRO_CONTENT.search(rest) and (rest != text or not _XACRO_INCLUDE.search(rest))
