"""The uri to write for each file of a scene, and the files that go beside the output."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from converters.assets import inside, solids
from converters.assets.shown import brings_looks, covered, without_looks
from converters.context import Context
from ir.names import unique
from ir.scene import Scene
from ir.types import Asset, Material, Mesh

SIDES = frozenset({".mtl", ".png", ".jpg", ".jpeg", ".tga", ".bmp", ".gif", ".tif", ".tiff", ".dds"})
"""Suffixes of the files that a mesh may bring along."""
NAMED = {
    ".obj": re.compile(rb"^\s*mtllib[ \t]+(.+?)\s*$", re.MULTILINE),
    ".mtl": re.compile(rb"^\s*(?:map_\w+|bump|norm|disp|decal|refl)[ \t]+(?:.*[ \t])?(\S+)\s*$", re.MULTILINE),
    ".dae": re.compile(rb"<init_from>\s*([^<]+?)\s*</init_from>"),
}
"""Suffix -> where a file of that kind names others."""
PICTURES = frozenset({"texture", "heightmap"})
"""Kinds of assets that documents of any format name as image files."""
LARGEST = 1 << 28
"""Bytes; a larger file is not searched for names."""


def stem_of(uri: str, kind: str) -> str:
    """The name of an asset: the stem of its file, for people to read."""
    return PurePosixPath(uri.replace("\\", "/").rstrip("/")).stem or kind


class Files:
    """The uri to write for each asset, the files that go beside the output, and the names that reading will give."""

    def __init__(
        self, scene: Scene, context: Context, native: bool, collected: bool = False, shows_files: bool = False
    ) -> None:
        """native: the scene came from this format. collected: every file goes beside the output, wherever it lies.

        shows_files: readers of the target show what a mesh file says of looks, whatever the document says.
        """
        self.assets: Mapping[str, Asset] = scene.assets
        self.copies: dict[str, bytes | Path] = {}
        """Path below the folder of the output -> file to copy there."""
        self._uris: dict[str, str] = {}
        self._used: dict[tuple[str, str], str] = {}
        self.folder = context.asset_folder if context.target is not None else ""
        """Where files may be made; "" where nothing is written."""
        if context.target is not None:
            taken: set[str] = set()
            self._images(taken, collected)
            beside = native and context.target.parent == context.folder
            moved = {
                asset.name: Path(os.path.abspath(asset.file))  # noqa: PTH100  # links stay as they are
                for asset in scene.assets.values()
                if asset.file
                and not inside.part_of(asset)
                and (collected or _moves(asset, context, context.target.parent, beside))
            }
            plain = self._plain(scene, context) if shows_files and not native else {}
            moved |= plain
            if moved:
                self._place(moved, context, context.target.parent, frozenset(plain.values()))
            self._meshes(scene, taken)

    def _plain(self, scene: Scene, context: Context) -> dict[str, Path]:
        """Files of meshes that are to be written without their own looks, by asset; a note where that cannot be."""
        found: dict[str, Path] = {}
        over = covered(scene, context.looks)
        bringing = {file for file in over if brings_looks(Path(file))}
        for asset in self.assets.values():
            if asset.file not in bringing or inside.part_of(asset):
                continue
            if over[asset.file] and asset.file.lower().endswith(".obj") and context.options.meshes != "reference":
                found[asset.name] = Path(os.path.abspath(asset.file))  # noqa: PTH100  # links stay as they are
            else:
                reason = "the mesh file has looks of its own, which readers of the target show; in the source those of "
                context.note(
                    "assets/own-looks",
                    f"asset/{asset.name}",
                    before="looks of the model",
                    after=f"looks of {Path(asset.file).name}",
                    reason=f"{reason}the model show, where it gives some",
                    action="approximated",
                    source=asset.source,
                )
        return found

    def _place(self, moved: Mapping[str, Path], context: Context, base: Path, plain: frozenset[Path]) -> None:
        """Refer to the files where they lie, or copy them with what they bring along, in the same arrangement.

        plain: those that are copied without their looks.
        """
        if context.options.meshes == "reference":
            self._uris |= {name: os.path.relpath(path, base).replace(os.sep, "/") for name, path in moved.items()}
            return
        sides = {side for path in set(moved.values()) - plain for side in _sides(path)}
        root = os.path.commonpath([path.parent for path in (*moved.values(), *sides)])
        places = {
            path: f"{context.asset_folder}/{path.relative_to(root).as_posix()}" for path in (*moved.values(), *sides)
        }
        for path in plain:  # never where the file itself may lie, for the source or for another output
            stem, suffix = os.path.splitext(places[path])  # noqa: PTH122
            places[path] = unique(f"{stem}_plain", {os.path.splitext(each)[0] for each in places.values()}) + suffix  # noqa: PTH122
        self.copies |= {place: without_looks(path) if path in plain else path for path, place in places.items()}
        shared: dict[Path, dict[str, str]] = {}
        for name, path in moved.items():
            stem = stem_of(self.assets[name].uri, "")
            known = shared.setdefault(path, {})
            if stem not in known:
                known[stem] = self._again(path, places[path], stem) if known else places[path]
            self._uris[name] = known[stem]

    def _images(self, taken: set[str], collected: bool) -> None:
        """Make files of images that lie inside other files: textures, and where all are collected height fields."""
        for asset in self.assets.values():
            if asset.kind != "mesh" and (collected or asset.kind in PICTURES) and inside.part_of(asset):
                data, suffix = inside.image_file(asset)
                self._uris[asset.name] = place = inside.free(f"{self.folder}/{asset.name}", suffix, taken)
                self.copies[place] = data

    def _meshes(self, scene: Scene, taken: set[str]) -> None:
        """Make files of meshes that lie inside other files; each has the look of the first geom that shows it."""
        looks: dict[str, Material | None] = {}
        for body in scene.bodies.values():
            for geom in body.geoms:
                if isinstance(geom.shape, Mesh):
                    looks[geom.shape.asset] = looks.get(geom.shape.asset) or scene.materials.get(geom.material or "")
        for name, look in looks.items():
            asset = self.assets[name]
            if inside.part_of(asset):
                self._uris[name] = place = inside.free(f"{self.folder}/{name}", ".obj", taken)
                texture = look.texture if look is not None else None
                picture = "" if texture is None else self._uris.get(texture, self.assets[texture].uri)
                if picture and "://" not in picture:
                    picture = posixpath.relpath(picture, self.folder)
                self.copies |= inside.obj_files(asset, look, picture, place)

    def _again(self, path: Path, place: str, stem: str) -> str:
        """A copy of its own for an asset of another name: files that an earlier conversion made one are two again."""
        folder, taken = place.rpartition("/")[0], {os.path.splitext(other)[0] for other in self.copies}  # noqa: PTH122
        tidy = re.sub(r"[^A-Za-z0-9._-]+", "_", stem).strip("._-")[:100] or path.stem
        own = unique(f"{folder}/{tidy}", taken) + path.suffix
        self.copies[own] = self.copies[place]
        return own

    def address(self, name: str) -> str:
        """What leads to the file of an asset; "" when it is none."""
        return self._uris.get(name, self.assets[name].uri)

    def uri(self, name: str) -> str:
        """What to write for an asset; "" when it is no file."""
        uri = self.address(name)
        if uri:
            self._used.setdefault((self.assets[name].kind, uri), name)
        return uri

    def instead(self, name: str, uri: str) -> str:
        """Another uri that is written for an asset: it stands for it where the document names the asset nowhere else,
        and takes the name that reading gives it in any case."""
        key = (self.assets[name].kind, uri)
        self._used.setdefault(key, "" if name in self._used.values() else name)
        return uri

    def made(self, name: str) -> str:
        """The uri of a solid that stands for a shape, its file made once; reading gives it a name of its own."""
        place = f"{self.folder}/{unique(name, self.assets)}.obj"
        while self.copies.get(place) not in (None, solids.obj(name)):
            place = f"{place.removesuffix('.obj')}_solid.obj"
        self.copies[place] = solids.obj(name)
        self._used.setdefault(("mesh", place), "")
        return place

    def folds(self) -> dict[str, list[str]]:
        """Names that the document cannot show, as parts of which reading makes the asset again (Output.folds)."""
        taken: set[str] = set()
        folds: dict[str, list[str]] = {}
        for (kind, uri), name in self._used.items():
            key = unique(stem_of(uri, kind), taken)
            taken.add(key)
            if name and key != name:
                folds.setdefault(name, [key])
        return folds


def _moves(asset: Asset, context: Context, base: Path, beside: bool) -> bool:
    """Whether the author's text would not lead to the file from the output. beside: that is where the source lies."""
    assert asset.file is not None
    if context.options.meshes == "copy":
        return True
    if not asset.uri or "://" in asset.uri or (beside and asset.rule != "relative"):
        return False
    return os.path.abspath(base / asset.uri) != os.path.abspath(asset.file)  # noqa: PTH100


def _sides(path: Path) -> Iterator[Path]:
    """The files that a mesh names, as far as they lie in its folder or beside it: material libraries and images."""
    pattern = NAMED.get(path.suffix.lower())
    if pattern is None or path.stat().st_size > LARGEST:
        return
    around = os.path.realpath(path.parent.parent)
    for text in dict.fromkeys(pattern.findall(path.read_bytes())):
        name = unquote(text.decode("utf-8", "replace")).replace("\\", "/").removeprefix("file://")
        side = Path(os.path.abspath(path.parent / name))  # noqa: PTH100
        inside = os.path.realpath(side).startswith(around + os.sep)
        if inside and side.suffix.lower() in SIDES and side.is_relative_to(path.parent.parent) and side.is_file():
            yield side
            if side.suffix.lower() in NAMED and side != path:
                yield from _sides(side)


def brought(file: str) -> Iterator[str]:
    """The files that a file brings along; none where it cannot be read."""
    with suppress(OSError):
        yield from map(str, _sides(Path(file)))
