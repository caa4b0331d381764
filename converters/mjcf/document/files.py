"""File references of an MJCF document: full addresses in the graph, compiler directories in the document."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import TypeVar

from msgspec.structs import replace

from converters.assets import inside
from converters.assets.arranged import arranged, distinct_places
from converters.assets.textures import png
from converters.context import InputError, ReaderContext, WriterContext
from converters.mjcf.document.loading import Part
from converters.mjcf.tables import FACE, FACES, TEXT_PREFIX
from converters.paths import absolute, way_to
from converters.source.tree import Element
from converters.source.xml import Node
from ir.scene import Scene
from ir.shapes import HEIGHT_KINDS
from ir.types import Asset, Mesh

E = TypeVar("E", bound=Element)

FILES: Mapping[str, tuple[str, ...]] = {
    "mesh": ("file",),
    "hfield": ("file",),
    "skin": ("file",),
    "flexcomp": ("file",),
    "texture": ("file", *FACES),
    "model": ("file",),
}
"""Elements that reference files, and the attributes with which they do."""
Meant = tuple[str, str, str]
"""The address of a file, and the name and kind of the object that uses it."""
THERE = ("relative", "absolute", "")
"""Rules of addresses where a file exists or will exist."""
DIRECTORIES = ("meshdir", "texturedir", "assetdir", "strippath")


def name_files(part: Part, context: ReaderContext) -> None:
    """Replace every file reference of a document by its full address relative to the model, which includes the
    directories of the compiler."""
    attached = False
    for node, name, file in _file_attributes(part.root):
        node.attrs[name] = _uri(part, context, node, file.replace("\\", "/"))
        attached |= node.tag == "model"
    if attached:  # strippath also applies to attached models, which stay as they are
        part.settings.used.discard("strippath")


def _uri(part: Part, context: ReaderContext, node: Node, file: str) -> str:
    """Return the address of a file. The directory of the compiler is prepended to its name (MuJoCo: user_objects.cc);
    files of an included document may also be next to it, without the directory."""
    settings = part.settings
    if settings.strippath and node.tag != "model":
        settings.used.add("strippath")
        file = file.rpartition("/")[2]
    if file.startswith("/"):
        return file
    if node.tag != "model":
        settings.used.add("texturedir" if node.tag == "texture" else "meshdir")
    directory = {"texture": settings.texturedir, "model": ""}.get(node.tag, settings.meshdir).replace("\\", "/")
    whole = f"{directory.rstrip('/')}/{file}" if directory.strip("/") else file
    uri = whole if whole.startswith("/") else f"{part.folder}{whole}"
    if node.document is part.root.document or context.find(uri)[1] in THERE:
        return uri
    beside = Path(node.document.file).parent / file
    relative = f"{part.folder}{way_to(beside, Path(part.root.document.file).parent)}"
    return relative if context.find(relative)[1] in THERE else uri


def author_document(part: Part) -> Element:
    """Return a copy of the author's document, with includes expanded, without directories and carried content."""
    top = Element(part.root.tag, dict(part.root.attrs))
    stack: list[tuple[Element, Element]] = [(part.root, top)]
    while stack:
        old, new = stack.pop()
        for item in old.content:
            if not isinstance(item, Node):
                new.content.append(item)
                continue
            if (item.tag == "include" and item.visited) or _is_carried_data(item):
                continue
            child = new.add(item.tag, dict(item.attrs))
            if item.tag == "compiler":
                child.attrs = {
                    name: value
                    for name, value in item.attrs.items()
                    if name not in DIRECTORIES or not item.has_read(name)
                }
            stack.append((item, child))
    return top


def _is_carried_data(node: Node) -> bool:
    """Whether this contains only content that an earlier conversion carried."""
    items = node.elements() if node.tag == "custom" else [node]
    return bool(items) and all(
        each.tag == "text" and each.attrs.get("name", "").startswith(TEXT_PREFIX) for each in items
    )


def extracted_files(scene: Scene, context: WriterContext) -> tuple[Scene, dict[str, bytes]]:
    """Extract meshes and images that are part of another file as separate OBJ and PNG files, and embedded files
    unchanged: return the scene that references them, and their contents by address."""
    made: dict[str, bytes] = {}
    if context.target is None:
        return scene, made
    table: dict[str, Asset] = {}
    exact = _files_kept_exactly(scene, context)
    taken = {str(PurePosixPath(address).with_suffix("")).lower() for address, _ in exact.values()}
    seen = _only_seen(scene)
    for name, asset in scene.assets.items():
        own = asset.made and f"asset/{name}" not in scene.brought  # its numbers are in the document
        if name in exact:
            address, data = exact[name]
            made[address] = data
            said = tuple(item for item in asset.parameters if item[0] not in inside.PARAMETERS)
            asset = replace(asset, uri=address, file=None, parameters=said)
        elif inside.BYTES in asset.uri and inside.part_of(asset):
            asset = replace(asset, file=None)  # reported where it was looked for
        elif asset.file is not None and not own and inside.part_of(asset):
            image = asset.kind.endswith("texture") or asset.kind in (FACE, *HEIGHT_KINDS)
            place = inside.free(name, ".png" if image else ".obj", taken)
            try:
                made |= {place: _image_file(asset)} if image else _mesh_file(asset, place, context)
            except InputError as error:
                where = f"asset/{name}"
                context.note("assets/unreadable", where, error.message, before=asset.uri, action="dropped")
            else:
                said = tuple(item for item in asset.parameters if item[0] not in inside.PARAMETERS)
                if name in seen and not image:
                    said = (*said, ("inertia", "shell"))  # a visual mesh may be flat, or open
                extras = tuple(each for each in asset.extras if each.path != "@content_type")  # implied by the suffix
                asset = replace(asset, uri=place, file=None, parameters=said, extras=extras)
        table[name] = inside.alone(asset)
    changed = any(table[name] is not asset for name, asset in scene.assets.items())
    return (scene.evolve(tables={"asset": table.values()}) if changed else scene), made


def _files_kept_exactly(scene: Scene, context: WriterContext) -> dict[str, tuple[str, bytes]]:
    """Return the addresses and bytes of files that are embedded unchanged in another one."""
    found: dict[str, tuple[str, bytes]] = {}
    for name, asset in scene.assets.items():
        try:
            if (original := inside.original(asset)) is not None:
                found[name] = original
        except InputError as error:
            context.note("assets/unreadable", f"asset/{name}", error.message, before=asset.uri, action="dropped")
    return found


def _mesh_file(asset: Asset, place: str, context: WriterContext) -> dict[str, bytes]:
    content = inside.mesh(asset)
    context.notes += inside.untold(asset, content)
    return inside.obj_files(asset, content, None, "", place)


def _only_seen(scene: Scene) -> set[str]:
    """Return assets that an edit added and no colliding geom uses."""
    added = {name for name in scene.assets if scene.brought.get(f"asset/{name}")}
    geoms = scene.geoms() if added else ()
    return added - {geom.shape.asset for geom in geoms if isinstance(geom.shape, Mesh) and geom.collides}


def _image_file(asset: Asset) -> bytes:
    data, suffix = inside.image_file(asset)
    made = data if suffix == ".png" else png(data, asset.name)
    assert isinstance(made, bytes)
    return made


def relocate(root: Element, scene: Scene, made: Mapping[str, bytes], context: WriterContext) -> dict[str, bytes | Path]:
    """Rewrite every file reference in place for the output; return the files to copy there.

    The files keep their arrangement, below the asset folder; if the output is next to its source they are not copied,
    as long as they are within reach. made: files that do not exist yet, by address.
    """
    if context.target is None:
        return {}
    named = list(_file_attributes(root))
    sources = _sources(named, scene, context)
    more = [absolute(asset.file) for asset in scene.assets.values() if asset.file]
    paths = list(dict.fromkeys([*sources.values(), *more]))
    attached = any(element.tag == "model" for element, _, _ in named)
    places, stay = _paths_beside_output(paths, context.target, context, attached)
    files: dict[str, bytes | Path] = {} if stay else {place: path for path, place in places.items()}
    beside = laid_out(made, context)
    files |= {beside[uri]: data for uri, data in made.items()}
    for element, name, uri in named:
        if uri in made:
            element.attrs[name] = beside[uri]
        elif (meant := _asset_of_attribute(element, name, uri)) in sources:
            element.attrs[name] = places[sources[meant]]
    _set_directories(root, named)
    return files


def laid_out(addresses: Collection[str], context: WriterContext) -> dict[str, str]:
    """Return the places of these addresses next to the output: in the same arrangement, below the asset folder."""
    tidy = {address: posixpath.normpath(address) for address in addresses}
    above = max((place.split("/").count("..") for place in tidy.values()), default=0)
    start = "/".join([context.asset_folder, *["in"] * above])
    return {address: posixpath.normpath(f"{start}/{place}") for address, place in tidy.items()}


def _paths_beside_output(
    paths: Sequence[Path], target: Path, context: WriterContext, attached: bool
) -> tuple[dict[Path, str], bool]:
    """Return how the output at target references each file, and whether the files stay where they are. attached: some
    are models, which reference other files by relative addresses."""
    base = absolute(target.parent)
    places = {path: way_to(path, base) for path in paths}
    beside = base == absolute(context.folder) and context.options.meshes != "copy"
    within_reach = beside and all(context.find(place)[0] is not None for place in places.values())
    if not paths or within_reach or context.options.meshes == "reference":
        return places, True
    alone: dict[Path, list[Path]] = {path: [] for path in paths}
    laid = arranged(alone) if attached else {path: place for place, path in distinct_places(alone).items()}
    return {path: f"{context.asset_folder}/{place}" for path, place in laid.items()}, False


def _file_attributes(root: E) -> Iterator[tuple[E, str, str]]:
    """Yield every element that references a file, with the attribute and its value."""
    for element in root.below():
        for name in FILES.get(element.tag, ()):
            uri = element.attrs.get(name)
            if uri:
                yield element, name, uri


def _sources(named: Iterable[tuple[Element, str, str]], scene: Scene, context: WriterContext) -> dict[Meant, Path]:
    """Return the file of each object in a document: that of its asset, of which several may share an address (parts of
    a missing file, each with a copy); otherwise that of the asset with the same name and kind, for old addresses in the
    author's text; otherwise the file at the address."""
    known: dict[str, dict[str, str]] = {}
    alike: dict[tuple[str, str], str] = {}
    for asset in scene.assets.values():
        if asset.file:
            called = asset.label or asset.name
            known.setdefault(asset.uri, {}).setdefault(called, asset.file)
            alike.setdefault((called, asset.kind), asset.file)
    found: dict[Meant, Path] = {}
    for element, name, uri in named:
        meant = _asset_of_attribute(element, name, uri)
        if meant not in found:
            own = known.get(uri, {})
            file = own.get(meant[1]) or next(iter(own.values()), None) or alike.get(meant[1:]) or context.find(uri)[0]
            if file is not None:
                found[meant] = absolute(file)
    return found


def _asset_of_attribute(element: Element, attribute: str, uri: str) -> Meant:
    """Return the object whose file an attribute gives; each side of a cube is a separate one (assets.elements)."""
    if attribute in FACES:
        return uri, f"{element.attrs.get('name', element.tag)}/{attribute}", FACE
    return uri, element.attrs.get("name", PurePosixPath(uri).stem), element.tag


def _set_directories(root: Element, named: list[tuple[Element, str, str]]) -> None:
    """Set meshdir to the common folder of all meshes, texturedir to that of textures. Directories that the author gave
    do not apply to these files and are removed."""
    shared: dict[str, str] = {}
    compilers = root.findall("compiler")
    attached = any(each.tag == "model" for each, _, _ in named)
    for compiler in compilers if any(each.tag != "model" for each, _, _ in named) else ():
        compiler.attrs = {
            name: value
            for name, value in compiler.attrs.items()
            if name not in DIRECTORIES or (name == "strippath" and attached)
        }
    for directory, mine in (("meshdir", True), ("texturedir", False)):
        items = [(each, name) for each, name, _ in named if each.tag != "model" and (each.tag != "texture") is mine]
        paths = [PurePosixPath(each.attrs[name]) for each, name in items]
        if not paths or any(path.is_absolute() or ".." in path.parts for path in paths):
            continue
        folder = os.path.commonpath([path.parent for path in paths]) if len(paths) > 1 else str(paths[0].parent)
        if folder in ("", "."):
            continue
        shared[directory] = folder.replace(os.sep, "/")
        for (each, name), path in zip(items, paths, strict=True):
            each.attrs[name] = path.relative_to(folder).as_posix()
    if shared:
        if not compilers:
            compilers = [Element("compiler")]
            root.content.insert(0, compilers[0])
        compilers[-1].attrs |= shared  # the last <compiler> takes precedence
