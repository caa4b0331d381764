"""COLLADA geometry: node transforms baked parent * child, unit applied, up axis ignored (as RViz and Gazebo do).

Read with lxml and numpy: pycollada drops a whole geometry when an image of its material is misnamed, keeps numbers as
float32 and stops at input that a recovering XML parser reads. It remains the reference in the tests. Materials are in
collada_looks, transforms of nodes in collada_steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from converters.assets.meshes.collada_looks import ColladaMaterials, Identities
from converters.assets.meshes.collada_steps import STEPS, transform
from converters.assets.meshes.numerals import numbers, whole_numbers
from converters.assets.meshes.parts import MENDED, UP, MeshFile, MeshPart, compact, dyes, fan, mesh_file, plainly, strip
from converters.context import InputError
from ir.arrays import Floats, Ints, np

_Table = tuple[Floats, Ints] | tuple[None, None]

NODES = 20_000
FACES = 20_000_000
"""Most nodes and faces that one file may expand to by instancing."""

_POLYGONS = frozenset({"triangles", "polylist", "polygons", "tristrips", "trifans"})
_LINES = {"lines": "lines", "linestrips": "lines"}
_IDLE = {"instance_light": "lights", "instance_camera": "cameras"}
ANIMATIONS = "animations"
BESIDE = {"NORMAL": "the normals", "TEXCOORD": "the texture coordinates", "COLOR": "the colours"}
"""What inputs other than positions are."""


class _Instance(NamedTuple):
    """A geometry instance with its transform and the element that binds its materials and texture coordinate sets."""

    geometry: Any
    name: str
    matrix: Floats
    binding: Any


class _Input(NamedTuple):
    semantic: str
    source: str
    offset: int
    set: int


_Groups = dict[tuple[str | None, tuple[_Input, ...]], Ints]
"""(Material symbol, inputs) -> triangles (m, 3, stride)."""


class _Collada(NamedTuple):
    """State of a file while its geometries are read.

    unit: of lengths, in metres; lost: descriptions of omitted content; sources: the rows of each <source> that was
    read.
    """

    identities: Identities
    looks: ColladaMaterials
    unit: float
    lost: list[str]
    sources: dict[str, Floats]
    groups: dict[Any, _Groups]
    """Primitives of each <mesh>, which several nodes may instance."""

    def rows(self, item: _Input, width: int) -> Floats:
        """Return the rows of an input's <source> through its accessor; width: row width where there is no accessor."""
        name = item.source.removeprefix("#")
        if name not in self.sources:
            element = self.identities.get(name, "source")
            if element is None:
                raise ValueError(f"the source {name!r} is missing")
            accessor = element.find("technique_common/accessor")
            array = element.find("float_array")
            named = None if accessor is None else accessor.get("source", "").removeprefix("#")
            if array is None and accessor is not None:
                array = self.identities.target(accessor, "source")
            elif array is not None and named is not None and named != array.get("id", ""):
                self.lost.append(
                    f"the array {named!r}, which source {name!r} does not have{MENDED} {array.get('id')!r}"
                )
            values = numbers(None if array is None else array.text)
            stride = int(accessor.get("stride", "1")) if accessor is not None else width
            start = int(accessor.get("offset", "0")) if accessor is not None else 0
            if stride < 1 or start < 0:
                raise ValueError(f"accessor of {name!r} has stride {stride}, offset {start}")
            rows, over = divmod(len(values) - start, stride)
            if over:
                self.lost.append(f"{over} numbers of source {name!r} beyond those of whole rows")
            self.sources[name] = values[start : start + rows * stride].reshape(rows, stride)
        return self.sources[name]

    def beside(
        self,
        triangles: Ints,
        item: _Input | None,
        stride: int,
        shaped: Callable[[Floats], Floats],
        made: Callable[[Floats], Floats | None] = lambda table: table,
    ) -> _Table:
        """Return the table made from an input's rows, and the row index of each corner. Broken normals, texture
        coordinates and colours are omitted, and noted, rather than refused."""
        if item is None:
            return None, None
        rows = shaped(self.rows(item, stride))
        try:
            used, corners = compact(rows, triangles[:, :, item.offset])
        except IndexError:
            self.looks.lost.append(
                f"{BESIDE[item.semantic]} {item.source!r}, which have fewer rows than the faces name"
            )
            return None, None
        if not np.isfinite(used).all():
            self.looks.lost.append(f"{BESIDE[item.semantic]} {item.source!r}, which are not all finite numbers")
            return None, None
        table = made(used)
        return (None, None) if table is None else (table, corners)


def load(path: Path, data: bytes) -> MeshFile:
    """Read a COLLADA file. Raises InputError for what is not COLLADA, declares a DTD, or expands beyond the limits."""
    lost, unlit = list[str](), list[str]()
    root = _root(path, data, lost)
    unit = _unit(root, lost)
    identities = Identities(root)
    document = _Collada(identities, ColladaMaterials(root, identities, path.parent, unlit), unit, lost, {}, {})
    parts: list[MeshPart] = []
    faces = 0
    try:
        for instance in _instances(root, identities, path, lost):
            added = _parts(instance, document)
            parts += added
            faces += sum(len(part.faces) for part in added)
            if faces > FACES:
                raise InputError(f"{path}: the scene unfolds to more than {FACES} faces")
    except (ValueError, IndexError, KeyError) as error:
        raise InputError(f"{path}: this DAE cannot be read: {error}") from None
    if root.find("library_animations/animation") is not None:
        lost.append(ANIMATIONS)
    if (root.findtext("asset/up_axis") or "").strip() in ("X_UP", "Y_UP"):
        lost.append(UP)
    return mesh_file(parts, path, lost, unlit, (*_IDLE.values(), ANIMATIONS, UP))


def _lxml_message(error: Exception) -> str:
    """Return the message of lxml without its placeholder for a file name."""
    return str(getattr(error, "msg", error))


def _root(path: Path, data: bytes, lost: list[str]) -> Any:
    """Return the root with local names only. A recovering parse reads what is not well-formed, and lost records it."""
    from lxml import etree

    def parse(recover: bool) -> Any:
        parser = etree.XMLParser(
            resolve_entities=False,
            no_network=True,
            load_dtd=False,
            huge_tree=True,
            remove_comments=True,
            remove_pis=True,
            recover=recover,
        )
        return etree.fromstring(data, parser)

    try:
        root = parse(False)
    except (etree.XMLSyntaxError, ValueError) as error:
        try:
            root = parse(True)
        except (etree.XMLSyntaxError, ValueError):
            root = None
        if root is None:
            raise InputError(f"{path}: not XML: {_lxml_message(error)}") from None
        lost.append(f"what a strict XML parser stops at ({_lxml_message(error)})")
    if root.getroottree().docinfo.internalDTD is not None:
        raise InputError(f"{path}: a document type declaration is not accepted")
    for element in root.iter("*"):
        name = element.tag.rpartition("}")[2]
        if ":" not in name:  # the recovering parser keeps names with a colon, but lxml does not let them be assigned
            element.tag = name
    if root.tag != "COLLADA":
        raise InputError(f"{path}: the root element is {root.tag!r}, not COLLADA")
    return root


def _unit(root: Any, lost: list[str]) -> float:
    text = root.findtext("asset/unit") if root.find("asset/unit") is None else root.find("asset/unit").get("meter", "1")
    try:
        unit = float(text or 1)
    except ValueError:
        unit = 0.0
    if not 0 < unit < float("inf"):
        lost.append(f"the unit {text!r}, which is not a length{MENDED} metres")
        return 1.0
    return unit


# ---------------------------------------------------------------------------------------------- scene


def _shown(root: Any, identities: Identities, lost: list[str]) -> Any:
    """Return the scene that the file instances, else its first scene; None if it has none."""
    link = root.find("scene/instance_visual_scene")
    scene, first = identities.target(link), root.find("library_visual_scenes/visual_scene")
    if scene is None and link is not None and first is not None:
        lost.append(f"the scene {link.get('url')!r}, which the file does not have{MENDED} {first.get('id')!r}")
    return first if scene is None else scene


def _instances(root: Any, identities: Identities, path: Path, lost: list[str]) -> Iterator[_Instance]:
    """Yield every geometry of the scene with its transform. Iterative, because nodes may be nested to any depth."""
    scene = _shown(root, identities, lost)
    if scene is None:
        lost.append("a scene, which the file does not have; its geometries are placed at the origin")
        for geometry in root.iterfind("library_geometries/geometry"):
            yield _Instance(geometry, geometry.get("name") or geometry.get("id", ""), np.eye(4), None)
        return
    nothing: frozenset[Any] = frozenset()
    stack = [(node, np.eye(4), "", nothing) for node in reversed(scene.findall("node"))]
    visited = 0
    while stack:
        node, above, inherited, inside = stack.pop()
        visited += 1
        if visited > NODES:
            raise InputError(f"{path}: the scene unfolds to more than {NODES} nodes")
        name = node.get("name") or node.get("id") or inherited
        matrix = above
        below = []
        for child in node:
            if child.tag in STEPS:
                matrix = matrix @ transform(child, lost)
            elif child.tag == "node":
                below.append((child, name, inside))
            elif child.tag == "instance_node":
                target = identities.target(child)
                if target is None:
                    lost.append(f"a node {child.get('url')!r}, which the file does not have")
                    continue
                if target in inside:
                    raise InputError(f"{path}: node {target.get('id')!r} instances itself")
                below.append((target, name, inside | {target}))
            elif child.tag in _IDLE:
                lost.append(_IDLE[child.tag])
            elif child.tag == "skew":
                lost.append(f"the skew of node {name!r}")
            elif child.tag in ("instance_geometry", "instance_controller"):
                geometry, bound = _geometry(child, identities, lost)
                if geometry is not None:
                    called = name or geometry.get("name") or geometry.get("id", "")
                    yield _Instance(geometry, called, matrix if bound is None else matrix @ bound, child)
        stack += [(child, matrix, name, chain) for child, name, chain in reversed(below)]


def _geometry(link: Any, identities: Identities, lost: list[str]) -> tuple[Any, Floats | None]:
    """Return the instanced geometry (for a skin or morph: its base geometry); None where it is missing.

    Also return the transform of a skin's bind shape as (4, 4) (COLLADA 1.4.1, 5: <bind_shape_matrix>), else None.
    """
    geometry, bound = identities.target(link), None
    if link.tag == "instance_controller" and geometry is not None:
        lost.append("skins and morphs; the bind shape is used")
        bent, told = geometry.find("*"), geometry.find("skin/bind_shape_matrix")
        bound = None if told is None else numbers(told.text).reshape(4, 4)
        geometry = None if bent is None else identities.get(bent.get("source") or "", "geometry")
    if geometry is None:
        lost.append(f"a geometry {link.get('url')!r}, which the file does not have")
    return geometry, bound


# ------------------------------------------------------------------------------------------- geometry


def _parts(instance: _Instance, document: _Collada) -> list[MeshPart]:
    """Return one part per material; primitives of the same material with the same inputs are joined."""
    mesh = instance.geometry.find("mesh")
    if mesh is None:
        document.lost.append(f"geometry {instance.name!r}, which is not a mesh")
        return []
    groups = document.groups.get(mesh)
    if groups is None:
        groups = document.groups[mesh] = _groups(mesh, document.lost)
    return [
        plainly(_part(instance, inputs, triangles, symbol, document), document.looks.lost)
        for (symbol, inputs), triangles in groups.items()
    ]


def _groups(mesh: Any, lost: list[str]) -> _Groups:
    """Return the primitives of a mesh as triangles (m, 3, stride)."""
    groups: dict[tuple[str | None, tuple[_Input, ...]], list[Ints]] = {}
    for primitive in mesh:
        if primitive.tag in _LINES:
            lost.append(_LINES[primitive.tag])
        elif primitive.tag in _POLYGONS:
            inputs = tuple(_inputs(primitive, mesh, lost))
            stride = max((item.offset for item in inputs), default=0) + 1
            triangles = _triangles(primitive, stride, lost)
            if len(triangles):
                groups.setdefault((primitive.get("material"), inputs), []).append(triangles)
    return {key: np.concatenate(lists) if len(lists) > 1 else lists[0] for key, lists in groups.items()}


def _inputs(primitive: Any, mesh: Any, lost: list[str]) -> Iterator[_Input]:
    """Yield the inputs of a primitive, replacing VERTEX by the inputs of <vertices>: a mesh has one such element."""
    own = mesh.find("vertices")
    for item in primitive.iterfind("input"):
        offset, number = int(item.get("offset", "0")), int(item.get("set", "0"))
        if offset < 0:
            raise ValueError(f"an input has offset {offset}")
        if item.get("semantic") == "VERTEX":
            named, known = item.get("source", ""), "" if own is None else own.get("id", "")
            if own is not None and named.removeprefix("#") != known:
                lost.append(f"the vertices {named!r}, which the mesh does not have{MENDED} {known!r}")
            for inner in mesh.iterfind("vertices/input"):
                yield _Input(inner.get("semantic", ""), inner.get("source", ""), offset, int(inner.get("set", "0")))
        else:
            yield _Input(item.get("semantic", ""), item.get("source", ""), offset, number)


def _triangles(primitive: Any, stride: int, lost: list[str]) -> Ints:
    """Return the index rows of a primitive as triangles (m, 3, stride)."""
    said = [whole_numbers(item.text) for item in primitive.iterfind("p")]
    lists = [values[: len(values) // stride * stride].reshape(-1, stride) for values in said]
    corners = lists[0] if len(lists) == 1 else np.concatenate([np.zeros((0, stride), dtype=np.int64), *lists])
    counts = _corners(primitive, lists, len(corners))
    used, holes = int(counts.sum()), len(primitive.findall("ph"))
    short = int((counts < 3).sum())
    spare = sum(map(len, said)) - used * stride
    promised = primitive.get("count", "0").strip()
    missing = int(promised) - len(counts) - holes if promised.isdecimal() else 0
    lost += [
        f"{number} {what}"
        for number, what in (
            (0 if missing > 0 else spare, f"indices of <{primitive.tag}> beyond those of whole faces"),
            (short, "faces with fewer than three corners"),
            (missing, f"faces that <{primitive.tag}> declares without enough indices"),
            (holes, "polygons with holes"),
        )
        if number > 0
    ]
    if primitive.tag != "tristrips":
        return fan(corners[:used], counts)
    return np.concatenate([np.zeros((0, 3, stride), dtype=np.int64), *map(strip, lists)])


def _corners(primitive: Any, lists: list[Ints], corners: int) -> Ints:
    """Return the number of corners of each face or strip of a primitive."""
    if primitive.tag == "triangles":
        return np.full(corners // 3, 3, dtype=np.int64)
    if primitive.tag != "polylist":
        return np.array([len(values) for values in lists], dtype=np.int64)
    counts = whole_numbers(primitive.findtext("vcount"))
    if int(counts.sum()) > corners:
        raise ValueError("a polylist has fewer indices than its vcount promises")
    return counts


def _part(
    instance: _Instance, inputs: tuple[_Input, ...], triangles: Ints, symbol: str | None, document: _Collada
) -> MeshPart:
    """Return the part with these triangles (m, 3, stride) of one material, transformed and in metres."""
    material, texture_set = document.looks.bound(symbol, instance.binding)
    position = _first(inputs, "POSITION")
    if position is None:
        raise ValueError(f"geometry {instance.name!r} has no positions")
    rotation, offset = instance.matrix[:3, :3], instance.matrix[:3, 3]
    if np.linalg.det(rotation) < 0:
        triangles = triangles[:, ::-1]
    points, faces = compact(_wide(document.rows(position, 3), 3), triangles[:, :, position.offset])
    plain = np.array_equal(instance.matrix, np.eye(4)) and document.unit == 1

    beside = partial(document.beside, triangles)
    normals, normal_faces = beside(
        _first(inputs, "NORMAL"), 3, lambda rows: _wide(rows, 3), lambda table: _turned(table, rotation)
    )
    uvs, uv_faces = beside(_first(inputs, "TEXCOORD", texture_set), 2, lambda rows: _wide(rows, 2))
    colours, colour_faces = beside(_first(inputs, "COLOR"), 3, lambda rows: rows[:, :4], dyes)
    return MeshPart(
        name=instance.name,
        vertices=points if plain else (points @ rotation.T + offset) * document.unit,
        faces=faces,
        normals=normals,
        normal_faces=normal_faces,
        uvs=uvs,
        uv_faces=uv_faces,
        colours=colours,
        colour_faces=colour_faces,
        material=material,
    )


def _first(inputs: tuple[_Input, ...], semantic: str, number: int | None = None) -> _Input | None:
    """Return the first input of a semantic, preferring the one of that set; None if there is none."""
    found = [item for item in inputs if item.semantic == semantic]
    return next((item for item in found if item.set == number), found[0] if found else None)


def _wide(table: Floats, width: int) -> Floats:
    """Return rows of a given width, truncated or padded with zeros."""
    if table.shape[1] < width:
        return np.hstack([table, np.zeros((len(table), width - table.shape[1]))])
    return table[:, :width]


def _turned(normals: Floats, rotation: Floats) -> Floats | None:
    """Return unit normals under a linear map (its inverse transpose); None where the map is singular."""
    if np.array_equal(rotation, np.eye(3)):
        return normals
    try:
        turned: Floats = normals @ np.linalg.inv(rotation)
    except np.linalg.LinAlgError:
        return None
    if not np.isfinite(turned).all():
        return None
    x, y, z = np.square(turned).T  # numpy is slow along short rows
    lengths = np.sqrt(x + y + z)
    return turned / np.where(lengths > 0, lengths, 1.0)[:, None]
