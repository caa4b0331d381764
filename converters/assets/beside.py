"""The uri to write for each file of a scene, and the files that are written beside the output."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import unquote

from msgspec.structs import replace

from converters.assets import inside, solids
from converters.assets.alien import alien_as_obj, is_alien, tell_alien
from converters.assets.arranged import distinct_places
from converters.assets.beside_notes import tell_far, tell_own, tell_veiled
from converters.assets.damaged import tell_damaged
from converters.assets.meshes.parts import Finder, side_files
from converters.assets.shown import brings_looks, covered_files, without_looks
from converters.context import InputError, WriterContext
from converters.paths import absolute, way_to
from ir.names import Spares, unique
from ir.scene import Scene
from ir.types import Asset, Mesh

if TYPE_CHECKING:
    from converters.assets.packaged import Package

SIDES = frozenset({".mtl", ".png", ".jpg", ".jpeg", ".tga", ".bmp", ".gif", ".tif", ".tiff", ".dds"})
"""Suffixes of the companion files that a mesh may reference."""
NAMED = {
    ".obj": re.compile(rb"^[ \t]*mtllib[ \t]([^\r\n]*)", re.MULTILINE),
    ".mtl": re.compile(rb"^[ \t]*(?:map_\w+|bump|norm|disp|decal|refl)[ \t]([^\r\n]*)", re.MULTILINE | re.IGNORECASE),
    ".dae": re.compile(rb"<(?:init_from|ref)(?:\s[^<>]*)?>([^<]*)</"),
}
"""Suffix -> pattern of the references to other files in a file of that kind."""
PICTURES = frozenset({"texture", "heightmap"})
"""Kinds of assets that documents of any format reference as image files."""
_UNBOUND = re.compile(rb"<(?:\w+:)?(?:triangles|polylist|polygons|trifans|tristrips)\b(?![^<>]*\bmaterial\s*=)")
"""A primitive of a DAE that names no material."""
_USED, _DEFINED = (re.compile(rb"^[ \t]*%s[ \t]([^\r\n]*)" % word, re.MULTILINE) for word in (b"usemtl", b"newmtl"))
"""Where an OBJ uses a material, and where one of its libraries defines one."""
_FACE = re.compile(rb"^[ \t]*f[ \t]", re.MULTILINE)
LARGEST = 1 << 28
"""Bytes; a larger file is not searched for references."""


def stem_of(uri: str, kind: str) -> str:
    """Return the readable name of an asset: the stem of its file."""
    return PurePosixPath(uri.replace("\\", "/").rstrip("/")).stem or kind


def _stem(place: str) -> str:
    return os.path.splitext(place)[0].lower()


class AssetFiles:
    """The uri to write for each asset, the files beside the output, and the names that assets get when it is read."""

    def __init__(
        self,
        scene: Scene,
        context: WriterContext,
        native: bool,
        collected: bool = False,
        shows_files: bool = False,
        package: Package | None = None,
    ) -> None:
        """native: the scene came from this format. collected: every file goes beside the output, wherever it is.

        shows_files: readers of the target show the materials of a mesh file, whatever the document declares. package:
        the package whose name is used in addresses.
        """
        self._package = package
        self.assets: Mapping[str, Asset] = scene.assets
        self._empty = [asset.name for asset in scene.assets.values() if native and not asset.uri]
        """Names of assets without an address, which reading generates as well."""
        self.copies: dict[str, bytes | Path] = {}
        """Path relative to the output folder -> file to copy there, or its content."""
        self.taken: set[str] = set()
        """Places in use, without suffixes and in lower case (inside.free)."""
        self._uris: dict[str, str] = {}
        self._used: dict[tuple[str, str], str] = {}
        self._pictures: dict[Path, str] = {}  # copies of images, for material libraries
        self.folder = context.asset_folder if context.target is not None else ""
        """Folder in which files may be made; "" where nothing is written."""
        if context.target is not None:
            self._settle(scene, context, native, collected, shows_files)

    def _settle(self, scene: Scene, context: WriterContext, native: bool, collected: bool, shows_files: bool) -> None:
        """Decide where each file will be: there, beside the output, or converted; and note what programs will miss."""
        assert context.target is not None
        folder = context.target.parent
        converts = not native and context.options.meshes != "reference"
        if not native and not converts:
            tell_alien(scene.assets.values(), context)
        moved = self._moved(context, native, collected, converts)
        over = covered_files(scene, context.looks) if shows_files and (scene.brought or not native) else {}
        plain = self._plain(over, context)
        if shows_files and not native:
            tell_veiled(scene, context)
        moved |= plain
        tell_damaged(scene.assets.values(), context)
        staying = [asset for asset in scene.assets.values() if asset.name not in moved]
        if folder != context.folder and context.folder != Path():
            tell_far(staying, context)
        if self._package is not None:
            self._uris |= self._package.held(staying)
        if moved:
            self._place(moved, context, folder, frozenset(plain.values()), converts)
        addresses = (self._uris.get(name, asset.uri) for name, asset in self.assets.items())
        self.taken |= {_stem(place) for place in (*self.copies, *addresses)}
        self._images(collected, context)
        self._meshes(scene, context, over)

    def _moved(self, context: WriterContext, native: bool, collected: bool, converts: bool) -> dict[str, Path]:
        """Return the files that will be elsewhere than now, by asset."""
        assert context.target is not None
        folder = context.target.parent
        beside = native and folder == context.folder
        return {
            asset.name: absolute(asset.file)
            for asset in self.assets.values()
            if asset.file
            and not inside.part_of(asset)
            and (
                collected
                or (converts and is_alien(asset.file))
                or _moves(asset, context, folder, beside, self._package)
            )
        }

    def _plain(self, over: Mapping[str, bool], context: WriterContext) -> dict[str, Path]:
        """Return files of meshes to write without their own materials, by asset; note where this is impossible."""
        found: dict[str, Path] = {}
        files = {asset.file for asset in self.assets.values() if asset.file in over and not inside.part_of(asset)}
        bringing = {file for file in files if file and brings_looks(Path(file))}
        for asset in self.assets.values():
            if asset.file not in bringing or inside.part_of(asset):
                continue
            if over[asset.file] and asset.file.lower().endswith(".obj") and context.options.meshes != "reference":
                found[asset.name] = absolute(asset.file)
            else:
                tell_own(asset, context)
        return found

    def _place(
        self, moved: Mapping[str, Path], context: WriterContext, base: Path, plain: frozenset[Path], converts: bool
    ) -> None:
        """Reference the files in place, or copy them with their companion files, keeping their relative placement.

        plain: the files that are copied without their materials. converts: those that only MuJoCo reads are not copied.
        """
        if context.options.meshes == "reference":
            self._uris |= {name: way_to(path, base) for name, path in moved.items()}
            return
        sides = {path: [*_sides(path)] for path in sorted(set(moved.values()) - plain)}
        laid = distinct_places({path: sides.get(path, []) for path in moved.values()})
        lies = {f"{context.asset_folder}/{place}": path for place, path in laid.items()}
        places = {path: place for place, path in reversed(lies.items())}
        staying = {os.path.abspath(each.file) for each in self.assets.values() if each.file and each.name not in moved}
        for path in sorted(plain):
            place = PurePosixPath(places[path])
            if os.path.abspath(base / place) in staying | {str(path)}:  # never over its own or another asset's file
                lying = (*(os.path.abspath(base / each) for each in places.values()), *staying)
                own = os.path.abspath(base / place.with_name(f"{place.stem}_plain"))
                own = unique(own, {os.path.splitext(each)[0] for each in lying})
                places[path] = str(place.with_name(f"{Path(own).name}{place.suffix}"))
        self.copies |= {place: path for place, path in lies.items() if path not in plain}
        self.copies |= {places[path]: without_looks(path) for path in sorted(plain)}
        if converts:
            self._convert(moved, places, context)
        self.taken |= set(map(_stem, self.copies))
        for path, name in {path: name for name, path in moved.items() if name in context.worn}.items():
            self._wear(self.assets[name], path, places[path], context)
        shared: dict[Path, dict[str, str]] = {}
        for name, path in moved.items():
            stem = stem_of(self.assets[name].uri, "")
            known = shared.setdefault(path, {})
            if stem not in known:
                known[stem] = self._again(path, places[path], stem) if known else places[path]
            self._uris[name] = known[stem]

    def _convert(self, moved: Mapping[str, Path], places: dict[Path, str], context: WriterContext) -> None:
        """Write meshes in a format that only MuJoCo reads as OBJ; an unreadable one is copied."""
        there = {each.casefold() for each in self.copies}
        for path, name in {path: name for name, path in moved.items() if is_alien(path.name)}.items():
            place = f"{os.path.splitext(places[path])[0]}.obj"
            while place.casefold() in there:
                place = f"{place.removesuffix('.obj')}_msh.obj"
            content = alien_as_obj(self.assets[name], path, place, context)
            if content is not None:
                del self.copies[places[path]]
                places[path], self.copies[place] = place, content
                there.add(place.casefold())

    def _wear(self, asset: Asset, path: Path, place: str, context: WriterContext) -> None:
        """Write a material library beside the copy of an OBJ that lost its materials, with those of the document."""
        look, image = context.worn[asset.name]
        called, start = "_".join(look.name.split()), os.path.splitext(place)[0]
        picture = ""
        if image is not None and image.file and not inside.part_of(image):
            picture = inside.free(f"{start}_look", Path(image.file).suffix, self.taken)
            self.copies[picture] = absolute(image.file)
        library = inside.free(f"{start}_look", ".mtl", self.taken)
        self.copies[library] = inside.library(called, look, posixpath.basename(picture))
        head = f"mtllib {posixpath.basename(library)}\nusemtl {called}\n"
        self.copies[place] = head.encode() + without_looks(path)
        context.note(
            "assets/own-looks",
            f"asset/{asset.name}",
            "the mesh file of the source had looks of its own, and this one has none: it gets those of the document",
            asset.source,
            before=path.name,
            after=posixpath.basename(library),
            action="derived",
            severity="note",
        )

    def _images(self, collected: bool, context: WriterContext) -> None:
        """Write embedded assets other than meshes to files: images, and assets of which only the bytes are embedded.
        One whose bytes are damaged keeps its address and gets no file."""
        referred = context.options.meshes == "reference" and not collected
        for asset in [*self.assets.values()]:
            wanted = asset.kind not in ("mesh", "model") and (asset.kind in PICTURES or not referred)
            if wanted and inside.part_of(asset):
                try:
                    exact = inside.original(asset) if inside.BYTES in asset.uri else None  # not a known image format
                    data, suffix = (exact[1], posixpath.splitext(exact[0])[1]) if exact else inside.image_file(asset)
                except InputError as error:
                    self._unreadable(asset, error, context)
                    continue
                self._uris[asset.name] = place = inside.free(f"{self.folder}/{asset.name}", suffix, self.taken)
                self.copies[place] = data

    def _unreadable(self, asset: Asset, error: InputError, context: WriterContext) -> None:
        """Note why an embedded asset is not written beside the output."""
        context.note("assets/unreadable", f"asset/{asset.name}", error.message, before=asset.uri, action="dropped")
        self.assets = {**self.assets, asset.name: inside.alone(replace(asset, file=None))}

    def _meshes(self, scene: Scene, context: WriterContext, over: Mapping[str, bool]) -> None:
        """Write embedded meshes to files, with their own materials or the one material of all geoms that show them.
        over: the files over which other materials are shown (shown.covered_files). A mesh that no geom shows is kept
        for the way back only and gets no material."""
        assert context.target is not None
        base = context.target.parent
        held = () if context.options.meshes == "reference" else self.assets.values()
        worn: dict[str, set[str | None]] = {each.name: set() for each in held if each.kind == "mesh"}
        shown: set[str] = set()
        for geom in scene.geoms():
            if isinstance(geom.shape, Mesh):
                seen = {geom.material} if geom.seen else set[str | None]()
                worn.setdefault(geom.shape.asset, set()).update(seen)
                shown.add(geom.shape.asset)
        for name, materials in worn.items():
            asset = self.assets[name]
            look = scene.materials.get(next(iter(materials)) or "") if len(materials) == 1 else None
            if not inside.part_of(asset):
                continue
            try:
                content = inside.mesh(asset)
            except InputError as error:
                self._unreadable(asset, error, context)
                continue
            self._uris[name] = place = inside.free(f"{self.folder}/{name}", ".obj", self.taken)
            context.notes += inside.untold(asset, content)
            if name not in shown:
                self.copies |= inside.obj_files(asset, content, None, "", place)
            elif inside.LOOKS in dict(asset.parameters) and not over.get(name):
                if name in over:
                    tell_own(asset, context)
                from converters.assets.painted import painted_files

                self.copies |= painted_files(asset, content, place, self.taken)
            else:
                texture = look.texture if look is not None else None
                picture = self._image_of(texture) if texture is not None else ""
                if picture and "://" not in picture:
                    picture = way_to(base / picture, base / self.folder)
                self.copies |= inside.obj_files(asset, content, look, picture, place)

    def _image_of(self, texture: str) -> str:
        """Return the address of a texture's image; "" where it is embedded and unreadable. An image with a file and an
        address of ROS or Gazebo is copied, because a material library can reference files only."""
        asset = self.assets[texture]
        address = self._uris.get(texture, "" if inside.MARK in asset.uri else asset.uri)
        if "://" not in address or asset.file is None or inside.part_of(asset):
            return address
        file = absolute(asset.file)
        own = self._pictures.get(file) or inside.free(f"{self.folder}/{asset.name}", file.suffix, self.taken)
        self.copies[own], self._pictures[file] = file, own
        return own

    def _again(self, path: Path, place: str, stem: str) -> str:
        """Copy a file again for an asset of another name: files merged by an earlier conversion are split again."""
        own = inside.free(f"{place.rpartition('/')[0]}/{stem}", path.suffix, self.taken)
        self.copies[own] = self.copies[place]
        return own

    def address(self, name: str) -> str:
        """Return the address of an asset's file; "" when it has none."""
        if name not in self._uris:
            return self.assets[name].uri
        return self._named(self._uris[name])

    def _named(self, uri: str) -> str:
        """Return the address that the document uses for a file beside it."""
        return uri if self._package is None else self._package.address(uri)

    def uri(self, name: str) -> str:
        """Return the uri to write for an asset, marking it as used; "" when it has no file."""
        uri = self.address(name)
        if uri:
            self._used.setdefault((self.assets[name].kind, uri), name)
        return uri

    def instead(self, name: str, uri: str) -> str:
        """Register another uri that is written instead of an asset's own. It represents the asset where the document
        references the asset nowhere else, and in any case takes the name that reading gives to it."""
        key = (self.assets[name].kind, uri)
        self._used.setdefault(key, "" if name in self._used.values() else name)
        return uri

    def made(self, name: str) -> str:
        """Return the uri of the mesh that replaces a shape, its file made once; reading generates a name for it."""
        place = f"{self.folder}/{unique(name, self.assets)}.obj"
        while self.copies.get(place) not in (None, solids.obj(name)):
            place = f"{place.removesuffix('.obj')}_solid.obj"
        self.copies[place] = solids.obj(name)
        self._used.setdefault(("mesh", self._named(place)), "")
        return self._named(place)

    def moved(self, kind: str = "") -> bool:
        """Whether the address of any asset (of a kind) differs from the one in the source."""
        return any(self.address(name) != asset.uri for name, asset in self.assets.items() if kind in ("", asset.kind))

    def folds(self) -> dict[str, list[str]]:
        """Return asset names that the document cannot express -> the names that reading gives (Output.folds)."""
        spares = Spares(self._empty)
        folds: dict[str, list[str]] = {}
        for (kind, uri), name in self._used.items():
            key = spares.of(stem_of(uri, kind))
            if name and key != name:
                folds.setdefault(name, [key])
        return folds


def _moves(asset: Asset, context: WriterContext, base: Path, beside: bool, package: Package | None) -> bool:
    """Whether the source's uri would not lead to the file from the output. beside: both are in the same folder."""
    assert asset.file is not None
    if context.options.meshes == "copy":
        return True
    if package is not None and not package.says(asset.uri):
        return not package.holds(asset.file)
    if not asset.uri or "://" in asset.uri or (beside and asset.rule != "relative"):
        return False
    return os.path.abspath(base / asset.uri) != os.path.abspath(asset.file)


def _sides(path: Path) -> Iterator[Path]:
    """Yield the files that a mesh references, if they are in its package, its folder or beside it: material libraries
    and images, located as readers of the mesh locate them."""
    if path.suffix.lower() not in NAMED or path.stat().st_size > LARGEST:
        return
    find = side_files(path.parent, above=1)
    for name in dict.fromkeys(named_files(path.suffix.lower(), path.read_bytes(), find)):
        side = find(name) if PurePosixPath(name).suffix.lower() in SIDES else None
        if side is not None:
            yield side
            if side.suffix.lower() == ".mtl" and path.suffix.lower() == ".obj":
                yield from _sides(side)


def named_files(kind: str, data: bytes, find: Finder) -> Iterator[str]:
    """Yield the files named in a file of this kind (a suffix in NAMED); find decides which words form one name."""
    from html import unescape

    from converters.assets.meshes.mtl import file_names, image_name

    for found in dict.fromkeys(_libraries(data) if kind == ".obj" else NAMED[kind].findall(data)):
        text = found.decode("utf-8", "replace").strip()
        if kind == ".obj":
            yield from file_names(text, find)
        elif kind == ".mtl":
            yield image_name(text)
        else:
            yield from (unquote(unescape(text)), unescape(text))


def _libraries(data: bytes) -> Iterator[bytes]:
    """Yield the arguments of the mtllib lines of an OBJ, looking at no other line."""
    at = data.find(b"mtllib")
    while at >= 0:
        line = NAMED[".obj"].match(data, data.rfind(b"\n", 0, at) + 1)
        if line is not None:
            yield line[1]
        end = data.find(b"\n", at)
        at = data.find(b"mtllib", end) if end >= 0 else -1


def companions(file: str) -> Iterator[str]:
    """Yield the companion files that a file references; none where it cannot be read."""
    with suppress(OSError):
        yield from map(str, _sides(Path(file)))


def gives_looks(file: str) -> bool:
    """Whether a mesh file gives materials to its parts: those in it or, for an OBJ, those in its library."""
    path = Path(file)
    with suppress(OSError):
        library = path.suffix.lower() != ".obj" or any(side.lower().endswith(".mtl") for side in companions(file))
        return library and brings_looks(path)
    return False


def looking_in_parts(file: str) -> bool:
    """Whether a mesh file gives materials to only some of its parts, as far as its text shows without reading its
    geometry."""
    if not gives_looks(file):
        return False
    path = Path(file)
    with suppress(OSError):
        if path.suffix.lower() != ".obj":
            return path.suffix.lower() == ".dae" and _UNBOUND.search(path.read_bytes()) is not None
        data = path.read_bytes()
        libraries = [Path(each).read_bytes() for each in companions(file) if each.lower().endswith(".mtl")]
        used = {match[1].strip() for match in _USED.finditer(data)}
        return bool(used - {match[1].strip() for each in libraries for match in _DEFINED.finditer(each)}) or (
            (face := _FACE.search(data)) is not None and _USED.search(data, 0, face.start()) is None
        )
    return False
