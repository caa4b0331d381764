"""The state of reading one SDF document: the scene being built, names in use, and findings."""

from __future__ import annotations

import os
from collections.abc import Container
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from converters.assets.beside import stem_of
from converters.assets.folders import children
from converters.context import ReaderContext
from converters.source.tree import Element
from converters.source.xml import Document, Node
from ir.names import Spares
from ir.scene import Scene
from ir.types import Asset, Material, Source


class Included(Struct):
    """The top element of an included file, its version, and the chain of files that led to it."""

    node: Node
    version: tuple[int, int]
    files: tuple[str, ...]
    settled: bool = False
    """Whether the overrides of the <include> have already been applied to the element."""


class SdfLoading(Struct):
    """The state of a reading, passed to every function that reads a part of the document."""

    context: ReaderContext
    scene: Scene
    names: dict[str, Spares] = field(default_factory=dict)
    """Names in use, per kind: those of geoms and lights, and those of each table."""
    included: list[Document] = field(default_factory=list)
    """Documents included by the main one, directly or indirectly."""
    size: int = 0
    """Total size of the included documents in bytes."""
    models: dict[tuple[str, Path], tuple[Path | None, str]] = field(default_factory=dict)
    """(URI of an <include>, folder of its document) -> result of model_file."""
    brought: dict[Node, Included | None] = field(default_factory=dict)
    """<include> -> the included element; None if it was not found."""
    claimed: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    """(tag, path of a scope) -> names of elements there; shared by a world and the model that it was made around."""
    bare: dict[Element, set[Node]] = field(default_factory=dict)
    """World -> models in it whose contents use the names of the world itself."""
    _again: dict[str, int] = field(default_factory=dict)
    _assets: dict[tuple[str, str, str], str] = field(default_factory=dict)
    _materials: dict[Material, str] = field(default_factory=dict)

    def fault(
        self, code: str, where: str, reason: str, source: Source, before: str = "", action: str = "ignored"
    ) -> None:
        """Note an error under the name of its libsdformat error code; the rest of the model is still read."""
        self.context.note(
            f"sdf/{code.lower().replace('_', '-')}",
            where,
            f"{reason} ({code})",
            source,
            before=before,
            action=action,
            severity="error",
        )

    def name(self, wanted: str, kind: str = "geom") -> str:
        """Return a name that is unique among those of this kind in the scene."""
        return self.names.setdefault(kind, Spares()).of(wanted)

    def again(self, name: str, taken: Container[str]) -> str:
        """Return a free name for a duplicate of name."""
        number = self._again.get(name, 1)
        while f"{name}_{number}" in taken:
            number += 1
        self._again[name] = number + 1
        return f"{name}_{number}"

    def asset(self, uri: str, kind: str, node: Node) -> str:
        """Return the key of the asset with this URI, creating it if new; the key is the stem of the file name."""
        folder = str(Path(node.document.file).parent)
        key = (kind, uri, "" if "://" in uri else folder)
        if key not in self._assets:
            table = self.scene.tables["asset"]
            name = self._assets[key] = self.name(stem_of(uri, kind), "asset")
            file, rule = self.find(uri, Path(folder))
            if file is None:
                self.context.missing(name, uri, rule, node.source)
            table[name] = Asset(name=name, uri=uri, kind=kind, file=file, rule=rule, source=node.source)
        return self._assets[key]

    def find(self, uri: str, folder: Path) -> tuple[str | None, str]:
        """Return the file for a URI in a document in folder: relative to that folder, else by the usual search."""
        if "://" not in uri and uri and folder != self.context.folder:
            beside, why = self.context.find(str((folder / uri).absolute()))
            if beside is not None or not why:  # an empty reason means that no search takes place
                return beside, why and "relative"
        return self.context.find(uri)

    def mesh_file(self, name: str) -> tuple[Path, bytes | None] | None:
        """Return the file of an asset, with its content if it is still to be written; None if it is not available."""
        asset = self.scene.assets[name]
        if asset.file is not None:
            return Path(asset.file), None
        new = self.context.beside.get(asset.uri)
        if isinstance(new, bytes):
            return Path(asset.uri), new
        found = new or self.file(asset.uri, self.context.folder)
        return None if found is None else (found, None)

    def file(self, uri: str, folder: Path) -> Path | None:
        """Return the file that a URI refers to in a document in folder; None if it is not found."""
        found = self.context.find_model(uri)[0] if "://" in uri else None
        place = self._place(uri, folder) if found is None else None
        return Path(found) if found is not None else self.at(place) if place is not None else None

    def files(self, uri: str, folder: Path, suffix: str) -> list[Path]:
        """Return the file that a URI refers to, or the files with the suffix in the folder that it refers to."""
        file = self.file(uri, folder)
        place = self._place(uri, folder) if file is None else None
        paths = [place / name for name in children(place) if name.endswith(suffix)] if place is not None else []
        return [file] if file is not None else [found for path in paths if (found := self.at(path)) is not None]

    def at(self, path: Path) -> Path | None:
        """Return path if it lies in the model's folders, else None: files that the resolver refuses stay unopened."""
        place = os.path.normpath(path.absolute())
        return Path(place) if self.context.find_model(place)[0] == place else None

    def _place(self, uri: str, folder: Path) -> Path | None:
        """Return the path of a URI, existing or not: relative to the document, or to a model:// URI's model.config."""
        if "://" not in uri:
            return folder / uri if uri else None
        scheme, _, path = uri.partition("://")
        name, _, inner = path.partition("/")
        config = self.context.find_model(f"{scheme}://{name}/model.config")[0]
        return Path(config).parent / inner if config is not None and ".." not in inner.split("/") else None

    def material(self, material: Material) -> str:
        """Return the key of a material with this look; the first such material gives the name."""
        look = replace(material, name="")
        if look not in self._materials:
            name = self._materials[look] = self.name(material.name, "material")
            self.scene.tables["material"][name] = replace(material, name=name)
        return self._materials[look]
