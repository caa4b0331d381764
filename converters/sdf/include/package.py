"""Model folders: a model.config that lists SDF files, next to the files of the model."""

from __future__ import annotations

from pathlib import Path

from converters.context import InputError, ReaderContext, WriterContext
from converters.sdf.tables import FORMAT, NEWEST, OLDEST, Version, version_of, version_text
from converters.source.parsing import parse
from converters.source.tree import Element, document, fragment, is_element
from ir.scene import Scene
from ir.types import Source

CONFIG = "model.config"


def model_document(path: Path) -> Path | None:
    """Return the SDF file of a model folder or of its model.config; None for any other folder or file.

    Raises InputError if the model.config is not XML, or lists no file that is there.
    """
    config = path / CONFIG if path.is_dir() else path
    if config.name != CONFIG or not config.is_file():
        return None
    found = newest_document(config)
    if found is None:
        raise InputError("it lists no model file that is there (<sdf>)", Source(str(config), 1, "/"))
    return found


def write_config(scene: Scene, context: WriterContext, version: Version) -> bytes:
    """Return the model.config of a folder to be written: a copy of the source's, if the source is in such a folder."""
    assert context.target is not None
    entry = Element("sdf", {"version": version_text(version)})
    entry.content.append(context.target.name)
    known = _config_beside(Path(context.file))
    if known is not None:
        first = next(index for index, item in enumerate(known.content) if is_element(item, "sdf"))
        rest = [item for item in known.content if not is_element(item, "sdf")]
        known.content = [*rest[:first], entry, *rest[first:]]
        return document(known)
    root = Element("model")
    said = {"name": scene.name or context.target.parent.name, "version": "1.0"}
    for tag, text in said.items():
        root.add(tag).content.append(text)
    root.content.append(entry)
    root.add("description").content.append(f"Converted from {Path(context.file).name}")
    return document(root)


def _config_beside(source: Path) -> Element | None:
    """Return the model.config (author, description) next to a file if it lists that file and can be read."""
    config = source.parent / CONFIG
    if not config.is_file():
        return None
    try:
        root = parse(config.read_bytes(), ReaderContext(file=str(config), folder=config.parent), FORMAT).root
    except (OSError, InputError):
        return None
    if all(item.text() != source.name for item in root.children("sdf")):
        return None
    return fragment(root.whole().text)


def newest_document(config: Path) -> Path | None:
    """Return the SDF file of the highest known version listed in a model.config; None if it lists none.

    Raises InputError if the model.config is not XML.
    """
    context = ReaderContext(file=str(config), folder=config.parent)
    try:
        root = parse(config.read_bytes(), context, FORMAT).root
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", Source(str(config), 1, "/")) from error
    best: tuple[Version, Path] | None = None
    for item in root.children("sdf"):
        version = version_of(item.get("version")) or OLDEST
        path = config.parent / item.text()
        if item.text() and version <= NEWEST and (best is None or version > best[0]) and _has_file(config.parent, path):
            best = (version, path)
    return best[1] if best is not None else None


def _has_file(folder: Path, path: Path) -> bool:
    """Whether the folder contains that file; False also for names too long for the file system."""
    try:
        return path.is_file() and path.resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError):
        return False
