"""GLB and .gltf as mesh files, whole or in part. Coordinates are unchanged: readers of scenes convert from y up."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

from msgspec import Struct

from converters.assets.folders import SIZE_LIMIT
from converters.assets.inside import MARK
from converters.assets.meshes.parts import MeshFile, MeshPart, PartMaterial, mesh_file
from converters.context import InputError, ReaderContext
from converters.gltf.data.accessors import Accessors
from converters.gltf.data.container import unpack
from converters.gltf.scene.materials import PACKED, SceneMaterials, image_bytes
from converters.gltf.scene.nodes import affine_matrix, forest, indices, instances, local_transform
from converters.gltf.scene.primitives import Surfaces, part as made
from converters.source.json import JsonObject
from ir.arrays import Floats
from ir.scene import Scene
from ir.types import WHITE

MOST = 50_000_000
"""Maximum number of triangles of a file, counting each use of a mesh by a node."""


class Opened(Struct, frozen=True, eq=False):
    """A document with the readers of its arrays."""

    root: JsonObject
    accessors: Accessors
    surfaces: Surfaces
    context: ReaderContext


def open_container(data: bytes, context: ReaderContext) -> Opened:
    """Raises InputError for a broken container."""
    container = unpack(data, context)
    root = container.document.root
    accessors = Accessors(root, container.buffers)
    return Opened(root, accessors, Surfaces(root, accessors, context), context)


@contextmanager
def _errors_name_file() -> Iterator[None]:
    """Put the file name into the message of errors raised inside: the source of mesh file errors is not printed."""
    try:
        yield
    except InputError as error:
        raise InputError(str(error)) from None


@_errors_name_file()
def load(path: Path, data: bytes) -> MeshFile:
    """Return every mesh of the default scene, posed by its nodes. Raises InputError."""
    content = open_container(data, ReaderContext(file=str(path), folder=path.parent))
    looks = SceneMaterials(content.root, Scene(""), content.context, content.accessors)
    parts: list[MeshPart] = []
    morphing = False
    count = 0
    for name, mesh, matrix in _shown_meshes(content):
        for number, primitive in enumerate(content.surfaces.meshes[mesh].children("primitives")):
            arrays = content.surfaces.arrays(primitive, f"mesh {mesh}")
            if arrays is None or not len(arrays.faces):
                continue
            count += len(arrays.faces)
            if count > MOST:
                raise InputError(f"{path}: there are more than {MOST} triangles")
            morphing |= bool(primitive.members.get("targets"))
            several = len(content.surfaces.meshes[mesh].children("primitives")) > 1
            parts.append(
                made(
                    arrays,
                    f"{name}_{number}" if several else name,
                    matrix,
                    _look_of_primitive(looks, primitive, content),
                )
            )
    lost = [note.reason for note in content.context.notes if note.action in ("ignored", "dropped")]
    lost += [name for name in ("animations", "skins", "cameras") if content.root.members.get(name)]
    lost += ["morph targets"] if morphing else []
    return mesh_file(parts, path, lost, _untold_looks(looks))


@_errors_name_file()
def part(path: Path, selector: str, linear: Floats | None, looked: bool = False) -> MeshFile:
    """Return one mesh (`meshes/3`) or primitive (`meshes/3/primitives/0`) in its frame; looked: with its materials."""
    content = _opened_once(path)
    kind, mesh, primitive = _selected(path, selector)
    if kind != "meshes" or mesh >= len(content.surfaces.meshes):
        raise InputError(f"{path}: there is no {selector}")
    node = content.surfaces.meshes[mesh]
    found = node.children("primitives")
    if primitive is not None and primitive >= len(found):
        raise InputError(f"{path}: there is no {selector}")
    name = node.text("name") or f"mesh_{mesh}"
    looks = SceneMaterials(content.root, Scene(""), content.context, content.accessors)
    parts = []
    for each in found if primitive is None else [found[primitive]]:
        arrays = content.surfaces.arrays(each, selector)
        if arrays is not None and len(arrays.faces):
            parts.append(made(arrays, name, linear, _look_of_primitive(looks, each, content) if looked else None))
    return mesh_file(parts, path, ())


@_errors_name_file()
def image(path: Path, selector: str) -> bytes:
    """Return the bytes of an image (`images/2`) of the file. Raises InputError."""
    content = _opened_once(path)
    kind, index, _ = _selected(path, selector)
    if kind != "images":
        raise InputError(f"{path}: there is no {selector}")
    return image_bytes(content.root, content.accessors, index, content.context)


def _selected(path: Path, selector: str) -> tuple[str, int, int | None]:
    words = selector.split("/")
    numbers = words[1::2]
    if (
        len(words) not in (2, 4)
        or not all(word.isdecimal() for word in numbers)
        or words[2:3] not in ([], ["primitives"])
    ):
        raise InputError(f"{path}: {selector!r} is no part of a glTF file")
    return words[0], int(numbers[0]), int(numbers[1]) if len(numbers) > 1 else None


def _opened_once(path: Path) -> Opened:
    """Return the file, opened once for many parts unless it has changed."""
    try:
        state = path.stat()
    except OSError as error:
        raise InputError(f"{path}: the file cannot be read: {error.strerror or error}") from None
    if state.st_size > SIZE_LIMIT:
        raise InputError(f"{path}: the file is larger than {SIZE_LIMIT >> 30} GiB")
    return _open(path, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=2)
def _open(path: Path, changed: int, size: int) -> Opened:
    """Open the file; changed and size only distinguish versions of its content in the cache."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: the file cannot be read: {error.strerror or error}") from None
    return open_container(data, ReaderContext(file=str(path), folder=path.parent))


def _shown_meshes(content: Opened) -> Iterator[tuple[str, int, Any]]:
    """Yield name, mesh and world matrix of every node of the default scene that has a mesh, parents first."""
    root = content.root
    nodes = root.children("nodes")
    parents = forest(nodes)
    scenes = root.children("scenes")
    chosen = root.index("scene", len(scenes)) or 0
    tops = (
        indices(scenes[chosen], "nodes", len(nodes))
        if scenes
        else [number for number, parent in enumerate(parents) if parent is None]
    )
    stack = [(top, None) for top in reversed(tops)]
    if not nodes:
        yield from ((mesh.text("name") or f"mesh_{n}", n, None) for n, mesh in enumerate(content.surfaces.meshes))
    while stack:
        number, above = stack.pop()
        node = nodes[number]
        matrix = affine_matrix([local_transform(node, f"node {number}", content.context)])
        whole = matrix if above is None else above @ matrix
        mesh = node.index("mesh", len(content.surfaces.meshes))
        if mesh is not None:
            for each in instances(node, content.accessors, content.context):
                yield node.text("name") or f"node_{number}", mesh, whole @ affine_matrix([each])
        stack += [(child, whole) for child in reversed(indices(node, "children", len(nodes)))]


def _untold_looks(looks: SceneMaterials) -> list[str]:
    """Return what materials have that mesh parts do not: images other than that of the colour, and extensions."""
    found: list[str] = []
    for look in looks.scene.materials.values():
        roles = [role for each in look.maps for role in (("occlusion", PACKED) if each.role == "orm" else (each.role,))]
        said = [*(f"{role}Texture" for role in roles), *(extra.path for extra in look.extras)]
        found += [f"{each} of material {look.label or look.name!r}" for each in said]
    return found


def _look_of_primitive(looks: SceneMaterials, primitive: JsonObject, content: Opened) -> PartMaterial | None:
    name = looks.of(primitive)
    if name is None:
        return None
    look = looks.scene.materials[name]
    texture: Path | None = None
    data: bytes | None = None
    if look.texture is not None:
        asset = looks.scene.assets[look.texture]
        selector = asset.uri.partition(MARK)[2]
        if selector:
            index = int(selector.rpartition("/")[2])
            data = image_bytes(content.root, content.accessors, index, content.context)
        elif asset.file is not None:
            texture = Path(asset.file)
    glow = look.emissive
    shaped = any(each.role in (PACKED, "orm") for each in look.maps)
    shaped |= any("metallicRoughnessTexture" in extra.path for extra in look.extras)
    return PartMaterial(
        name=look.label or look.name,
        rgba=look.rgba or WHITE,
        texture=texture,
        image=data,
        emissive=None if glow is None or not any(glow[:3]) else glow[:3],
        metallic=None if shaped else look.metallic,
        roughness=None if shaped else look.roughness,
        double_sided=look.double_sided,
    )
