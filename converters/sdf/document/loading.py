"""What a reading of one SDF document knows so far: the scene being built, names given out, and findings."""

from __future__ import annotations

import os
from collections.abc import Container
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from converters.assets.beside import stem_of
from converters.assets.folders import children
from converters.context import Context
from converters.source.tree import Element
from converters.source.xml import Document, Node
from ir.names import Spares
from ir.scene import Scene
from ir.types import Asset, Material, Source


class Included(Struct):
    """The top element of an included file, its version, and the files that led there."""

    node: Node
    version: tuple[int, int]
    files: tuple[str, ...]
    settled: bool = False
    """Whether the element already says what the include says of it."""


class SdfLoading(Struct):
    """Passed to every function that reads a part of the document."""

    context: Context
    scene: Scene
    names: dict[str, Spares] = field(default_factory=dict)
    """Names given out so far: those of geoms and lights (part), and of each table."""
    included: list[Document] = field(default_factory=list)
    """Documents that the first one includes."""
    size: int = 0
    """Bytes of all of them."""
    models: dict[tuple[str, Path], tuple[Path | None, str]] = field(default_factory=dict)
    """What an <include> names, and the folder of its document -> what model_file says of that."""
    brought: dict[Node, Included | None] = field(default_factory=dict)
    """<include> -> what it brings."""
    claimed: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    """Names of elements of a tag in the scope of a path, which a world and a model that it was made around share."""
    bare: dict[Element, set[Node]] = field(default_factory=dict)
    """Worlds, and the models in them whose names are those of the world itself."""
    _again: dict[str, int] = field(default_factory=dict)
    _assets: dict[tuple[str, str, str], str] = field(default_factory=dict)
    _materials: dict[Material, str] = field(default_factory=dict)

    def fault(
        self, code: str, where: str, reason: str, source: Source, before: str = "", action: str = "ignored"
    ) -> None:
        """Tell a fault by the name that libsdformat gives it; the rest of the model goes on."""
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
        """A name that nothing else of this kind has in the scene."""
        return self.names.setdefault(kind, Spares()).of(wanted)

    def again(self, name: str, taken: Container[str]) -> str:
        """A free name for the second of its name."""
        number = self._again.get(name, 1)
        while f"{name}_{number}" in taken:
            number += 1
        self._again[name] = number + 1
        return f"{name}_{number}"

    def asset(self, uri: str, kind: str, node: Node) -> str:
        """The key of the asset with this uri, made when it is new: the stem of the file name, for people to read."""
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
        """The file of a uri that stands in a document of that folder: beside the document, else as for any model."""
        if "://" not in uri and uri and folder != self.context.folder:
            beside, why = self.context.find(str((folder / uri).absolute()))
            if beside is not None or not why:  # nobody looks
                return beside, why and "relative"
        return self.context.find(uri)

    def mesh_file(self, name: str) -> tuple[Path, bytes | None] | None:
        """The file of an asset, and its content if it is about to be written; None where it is not at hand."""
        asset = self.scene.assets[name]
        if asset.file is not None:
            return Path(asset.file), None
        new = self.context.beside.get(asset.uri)
        if isinstance(new, bytes):
            return Path(asset.uri), new
        found = new or self.file(asset.uri, self.context.folder)
        return None if found is None else (found, None)

    def file(self, uri: str, folder: Path) -> Path | None:
        """The file that a uri means in a document of that folder; None where nothing is found."""
        found = self.context.find_model(uri)[0] if "://" in uri else None
        place = self._place(uri, folder) if found is None else None
        return Path(found) if found is not None else self.at(place) if place is not None else None

    def files(self, uri: str, folder: Path, suffix: str) -> list[Path]:
        """The file that a uri means, or those with a suffix in the folder that it means."""
        file = self.file(uri, folder)
        place = self._place(uri, folder) if file is None else None
        paths = [place / name for name in children(place) if name.endswith(suffix)] if place is not None else []
        return [file] if file is not None else [found for path in paths if (found := self.at(path)) is not None]

    def at(self, path: Path) -> Path | None:
        """The file of that path, if it lies in the folders of the model: what the resolver refuses is never opened."""
        place = os.path.normpath(path.absolute())
        return Path(place) if self.context.find_model(place)[0] == place else None

    def _place(self, uri: str, folder: Path) -> Path | None:
        """Where a uri leads, whatever may be there: beside the document, or beside the model.config of a model://."""
        if "://" not in uri:
            return folder / uri if uri else None
        scheme, _, path = uri.partition("://")
        name, _, inner = path.partition("/")
        config = self.context.find_model(f"{scheme}://{name}/model.config")[0]
        return Path(config).parent / inner if config is not None and ".." not in inner.split("/") else None

    def material(self, material: Material) -> str:
        """The key of a material that looks so; the first one gives the name."""
        look = replace(material, name="")
        if look not in self._materials:
            name = self._materials[look] = self.name(material.name, "material")
            self.scene.tables["material"][name] = replace(material, name=name)
        return self._materials[look]
