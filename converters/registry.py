"""Formats are found by name, by suffix or by the first bytes of a file; those of other packages through the entry-point
group kinegraph.formats."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Literal

from msgspec.structs import replace

from converters.context import InputError, Reader, Writer
from converters.format import Format, Pass
from converters.not_models import READ, WRITTEN, unknown

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint, EntryPoints

GROUP = "kinegraph.formats"
OWN = ("gltf", "mjcf", "png", "sdf", "urdf", "xacro")
"""The formats of this distribution: FORMAT of the package of that name."""
HEAD = 65536
"""Bytes of a file that are read to detect its format."""
ENDS = tuple(filter(None, (os.sep, os.altsep)))
"""Characters at the end of the name of a folder."""


def lazy(module: str, name: str, *first: object) -> Callable[..., Any]:
    """A function that imports its module when it is first called, so that importing the record of a format is cheap.
    first: its first arguments."""

    def call(*arguments: object) -> Any:
        return getattr(import_module(module), name)(*first, *arguments)

    return call


@cache
def formats() -> Mapping[str, Format]:
    """Every known format by name. Raises ValueError when two installed packages offer the same name, and ImportError
    for one that cannot be loaded."""
    found: dict[str, Format] = {}
    for entry in sorted(_entries(), key=lambda entry: entry.name):
        if entry.name in found:
            raise ValueError(f"two installed packages offer the format {entry.name!r}; the second is {entry.value}")
        found[entry.name] = _loaded(entry)
    return found


@cache
def _own() -> Mapping[str, Format]:
    """The formats of this distribution: looking through all that is installed takes longer than most conversions."""
    return {name: import_module(f"converters.{name}").FORMAT for name in OWN}


def _entries() -> EntryPoints:
    from importlib.metadata import entry_points  # imports parsers of mail and archives: 5 % of a small conversion

    return entry_points(group=GROUP)


def _loaded(entry: EntryPoint) -> Format:
    try:
        found: Format = entry.load()
    except Exception as error:  # a foreign package can raise anything on import
        owner = f" of the package {entry.dist.name}" if entry.dist is not None else ""
        what = f"{type(error).__name__}: {error}"
        raise ImportError(f"the format {entry.name!r}{owner} cannot be loaded ({entry.value}): {what}") from error
    return found


def guest_format(modules: Iterable[str]) -> str:
    """The format of another package to which one of these modules belongs; "" if there is none."""
    tops = {module.partition(".")[0] for module in modules}
    others = (entry for entry in _entries() if entry.name not in OWN)
    return next((entry.name for entry in others if entry.module.partition(".")[0] in tops), "")


def model_document(path: Path) -> Path:
    """The document of a model folder, or of its model.config; any other path unchanged."""
    if path.is_dir() or path.suffix == ".config":
        return next((found for each in formats().values() if (found := each.enter(path)) is not None), path)
    return path


def output_title(src: Path) -> str:
    """The name for a file that is made of a model: that of the model file, or of its model folder."""
    folders = {each.folder for each in _own().values() if each.folder}
    return (src.name in folders and src.absolute().parent.name) or stem(src.name)


def stem(name: str) -> str:
    """The name of a model file without its suffixes: robot of robot.urdf.xacro."""
    path = PurePath(name.removesuffix(".xacro"))
    return path.stem if path.suffix in (".urdf", PurePath(name).suffix) else path.name


def marked_format(notation: Mapping[str, str]) -> Format | None:
    """The format that a scene came from, by the mark in its notation (Fits.mark); None if there is none."""
    return next((each for each in _own().values() if each.fits.mark and each.fits.mark in notation), None)


def block_passes(target: Format) -> tuple[Pass, ...]:
    """The passes of all formats that write into the <gazebo> blocks of a target; none if it has no blocks."""
    return tuple(each for known in _own().values() for each in known.blocks()) if target.fits.blocks else ()


def format_named(name: str, able: Literal["read", "write"] | None = None) -> Format:
    """The format of that name, or of that suffix, which then comes first of its suffixes.

    glb is the format gltf that writes .glb, .gltf the same that writes .gltf. Raises InputError, which lists the
    formats that can be read or written and names what may be meant.
    """
    if not isinstance(name, str):
        raise InputError(f"a format is named by a text, as 'urdf', and not by {name!r}")
    word = name.lower()
    found = _own().get(word) or formats().get(name) or _ending(f".{word.removeprefix('.')}")
    if found is None:
        from difflib import get_close_matches

        known = [each for each, form in formats().items() if able is None or getattr(form, able) is not None]
        stranger = (READ if able == "read" else WRITTEN).get(f".{word.removeprefix('.')}")
        if stranger is not None:
            raise InputError(f"{name!r} {stranger}")
        titles = (each for each in known if word in formats()[each].title.lower())
        alike = [*titles, *get_close_matches(word, known, n=1)]
        hint = f"; did you mean {alike[0]}?" if alike else ""
        raise InputError(f"unknown format {name!r}; known are {', '.join(known)}{hint}")
    if able == "read":
        readable(found)
    if able == "write":
        writable(found)
    return found


def _ending(suffix: str) -> Format | None:
    """The format with this suffix, as one that writes it (without its model folder, which needs the first suffix); or
    None."""
    found = format_by_suffix(Path(f"_{suffix}"))
    if found is None or found.suffixes[0] == suffix:
        return found
    return replace(found, suffixes=tuple(dict.fromkeys((suffix, *found.suffixes))), folder="")


def readable(form: Format) -> Reader:
    """The reader of a format. Raises InputError if it has none."""
    if form.read is None:
        raise InputError(f"{form.title} can be written but not read")
    return form.read


def writable(form: Format) -> Writer:
    """The writer of a format. Raises InputError if it has none, or if its output can be neither read back nor seen."""
    if form.write is None or (form.read is None and not form.picture):
        able = (each.name for each in formats().values() if each.write is not None)
        raise InputError(f"{form.title} can be read but not written; what can be written is {', '.join(able)}")
    return form.write


def detect(path: str, head: bytes | None = None) -> Format:
    """The format of a file by its suffix, then by its first bytes.

    head holds these bytes; it is None for a file that is still to be written.
    """
    found = _detect(_own(), path, head) or _detect(formats(), path, head)
    unknown(path, head, found is not None, found is not None and found.name not in _own())
    if found is None:
        rows = (each for each in formats().values() if (each.read if head is not None else each.write) is not None)
        known = ", ".join(f"{suffix} ({each.name})" for each in rows for suffix in each.suffixes)
        if head is None and (path.endswith(ENDS) or Path(path).is_dir()):
            raise InputError(f"{path}: is a folder; name a file for the output, or say the format with --to")
        do = "say it with --from" if head is not None else "end the name in one of these, or say it with --to"
        raise InputError(f"{path}: cannot tell the format; known suffixes are {known}: {do}")
    return found


def format_by_suffix(path: Path) -> Format | None:
    """The format of files with such a suffix; None if there is none."""
    return _detect(_own(), str(path), None) or _detect(formats(), str(path), None)


def _detect(known: Mapping[str, Format], path: str, head: bytes | None) -> Format | None:
    suffix = PurePath(path).suffix.lower()
    fitting = [each for each in known.values() if suffix in each.suffixes]
    likely = fitting[0] if fitting else None
    if head is None:
        return likely
    claiming = (each for each in (*fitting, *known.values()) if each.claims(head))
    return next(claiming, likely)  # a suffix proves little: .xml may be any of them
