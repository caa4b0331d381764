"""Assets of an MJCF model: meshes, height fields, textures and materials. Files are located but not opened."""

from __future__ import annotations

from msgspec.structs import replace

from converters.mjcf.assets.shading import read_gloss
from converters.mjcf.document.defaults import Resolved
from converters.mjcf.document.loading import MjcfLoading, Part
from converters.mjcf.tables import ASSETS, CONTENT, FACE, FACES, FLEX
from converters.source.xml import Node
from ir.mapping import added, map_geoms
from ir.names import unique
from ir.scene import Scene
from ir.types import Asset, Geom, HeightField, Material, Mesh, Parameters

THICKNESS = 0.01
"""Base thickness in metres of a height field without one: MuJoCo requires it to be positive."""
SizeWord = tuple[str, tuple[float, ...]]
"""An attribute of an asset and its numbers."""


def read_assets(loading: MjcfLoading, part: Part) -> None:
    """Read every <asset> of a part. Raises InputError for duplicate names and references to missing textures."""
    materials: list[Node] = []  # they may refer to textures of a later section
    for section in part.root.children("asset", "deformable"):
        for node in section.elements():
            if node.tag == "material":
                materials.append(node.visit())
            elif node.tag in ASSETS:
                kind = "" if section.tag == "asset" else f"{section.tag}/"
                node.attempt(_read_file, loading, part, node.visit(), kind)
    for node in materials:
        node.attempt(_read_material, loading, part, node)


def _read_file(loading: MjcfLoading, part: Part, node: Node, section: str) -> None:
    element = part.defaults.of(node)
    file = element.get("file")
    uri = file or ""
    given = node.get("name")
    authored = given or stem(uri)
    if authored and (node.tag, authored) in part.names:
        node.refuse(f"two elements <{node.tag}> are named {authored!r}", "NAME-DUP")
        authored = given = node.attrs["name"] = unique(authored, {name for _, name in part.names})
    scene = loading.scene
    whole = f"{part.prefix}{authored}"
    name = unique(whole or node.tag, scene.assets)  # a mesh and a texture may share a name in MJCF
    part.names.setdefault((node.tag, authored), name)
    if node.attrs.get("content_type") == CONTENT.get(uri.rpartition(".")[2].lower(), ""):
        node.get("content_type")  # implied by the suffix, and saved by MuJoCo
    label = "" if not given and not part.prefix else whole if whole != name else None
    found, rule = _found_and_how(loading, node, name, uri)
    parameters: Parameters
    sides = [(side, text) for side in FACES if node.tag == "texture" and (text := node.get(side))]
    if node.tag == "texture":
        kind = element.get("type") or "cube"
        parameters = () if kind == "2d" else (("type", kind),)
    else:
        parameters = element.texts(ASSETS[node.tag])
    if node.tag == "mesh" and (scale := element.triple("scale")) is not None:
        part.scales[authored] = scale
    if node.tag == "hfield" and (size := element.quadruple("size")) is not None:
        part.fields[authored] = size
    scene.add(
        "asset",
        Asset(
            name=name,
            label=label,
            uri=uri,
            kind=f"{section}{node.tag}",
            file=found,
            rule=rule,
            parameters=parameters,
            source=element.source,
            extras=element.leftover(loading.rest(node)),
        ),
    )
    for side, uri in sides:
        _add_side_of_cube(loading, node, name, side, uri)


def read_flexible(loading: MjcfLoading, part: Part) -> None:
    """Add the files of every <flexcomp> of a part as assets, so that they are copied; the elements are not read."""
    known = {asset.uri for asset in loading.scene.assets.values() if asset.kind == FLEX}
    for node in part.root.below():
        uri = node.attrs.get("file") if node.tag == FLEX else None
        if uri and uri not in known:
            known.add(uri)
            name = unique(stem(uri), loading.scene.assets)
            file, rule = _found_and_how(loading, node, name, uri)
            loading.scene.add("asset", Asset(name=name, uri=uri, kind=FLEX, file=file, rule=rule, source=node.source))


def _add_side_of_cube(loading: MjcfLoading, node: Node, texture: str, side: str, uri: str) -> None:
    """Add the image of one side of a cube texture as a separate asset."""
    name = unique(f"{texture}/{side}", loading.scene.assets)
    file, rule = _found_and_how(loading, node, name, uri)
    said = (("texture", texture), ("side", side))
    made = Asset(name=name, uri=uri, kind=FACE, file=file, rule=rule, parameters=said, source=node.source)
    loading.scene.add("asset", made)


def _found_and_how(loading: MjcfLoading, node: Node, name: str, uri: str) -> tuple[str | None, str]:
    """Return the path of a file and the rule that found it; add a finding if it is missing."""
    found, rule = loading.context.find(uri) if uri else (None, "")
    if found is None:
        loading.context.missing(name, uri, rule, node.source)
    return found, rule


def faces(scene: Scene) -> dict[str, dict[str, str]]:
    """Return, for each texture, the attributes that name an image for one side each."""
    found: dict[str, dict[str, str]] = {}
    for asset in scene.assets.values():
        if asset.kind == FACE:
            said = dict(asset.parameters)
            found.setdefault(said.get("texture", ""), {})[said.get("side", FACES[0])] = asset.uri
    return found


def settle_sizes(scene: Scene) -> None:
    """Remove the scale of a mesh and the size of a height field from assets that geoms use, because the geoms contain
    them; unused assets keep them."""
    table = scene.tables["asset"]
    for name, (word, _) in sizes_in_use(scene).items():
        asset = table[name]
        if any(key == word for key, _ in asset.parameters):
            table[name] = replace(asset, parameters=tuple(item for item in asset.parameters if item[0] != word))


def sizes_in_use(scene: Scene) -> dict[str, SizeWord]:
    """Return the size with which the first geom uses each asset."""
    found: dict[str, SizeWord] = {}
    for geom in scene.geoms():
        if isinstance(geom.shape, Mesh | HeightField):
            found.setdefault(geom.shape.asset, size_of(geom.shape))
    return found


def size_of(shape: Mesh | HeightField) -> SizeWord:
    """Return the attribute that sets the size of the geoms of an asset (half sizes and base thickness for hfields)."""
    if isinstance(shape, Mesh):
        return "scale", shape.scale
    x, y, z = shape.size
    return "size", (x / 2, y / 2, z, shape.base or THICKNESS)


def of_one_size(scene: Scene) -> tuple[Scene, dict[str, list[str]]]:
    """Split a mesh or height field that geoms use at several sizes into one asset for each, because MJCF sets the size
    on the asset; also return the fold of that (ir.folds)."""
    first = sizes_in_use(scene)
    made: dict[tuple[str, SizeWord], Asset] = {}
    taken = set(scene.assets)

    def own(geom: Geom) -> Geom:
        shape = geom.shape
        if not isinstance(shape, Mesh | HeightField) or (size := size_of(shape)) == first[shape.asset]:
            return geom
        key = shape.asset, size
        if key not in made:
            asset = scene.assets[shape.asset]
            made[key] = replace(asset, name=unique(f"{asset.name}_1", taken), label=None)
            taken.add(made[key].name)
        return replace(geom, shape=replace(shape, asset=made[key].name))

    scene = map_geoms(scene, own)
    folds: dict[str, list[str]] = {}
    for (name, _), asset in made.items():
        folds.setdefault(name, [name]).append(asset.name)
    return added(scene, "asset", made.values()), folds


def stem(uri: str) -> str:
    """Return the name of an asset that has none: the stem of its file name."""
    return uri.rpartition("/")[2].rpartition(".")[0]


def asset_name(asset: Asset) -> str:
    """Return the name of an asset in MJCF."""
    return asset.label or (stem(asset.uri) if asset.label == "" else "") or asset.name


def _read_material(loading: MjcfLoading, part: Part, node: Node) -> None:
    element = part.defaults.of(node)
    name = f"{part.prefix}{node.need('name')}"
    if name in loading.scene.materials:
        node.refuse(f"two elements <material> are named {name!r}", "NAME-DUP")
        name = unique(name, loading.scene.materials)
        node.attrs["name"] = name.removeprefix(part.prefix)
    texture = pick(element, "texture", part)
    part.names.setdefault(("material", node.attrs["name"]), name)
    numbers = [element.number(each) for each in ("specular", "emission", "shininess")]
    material = Material(
        name=name,
        rgba=element.quadruple("rgba"),
        texture=texture,
        reflectance=element.number("reflectance"),
        metallic=element.number("metallic"),
        roughness=element.number("roughness"),
        source=element.source,
        extras=element.leftover(loading.rest(node)),
    )
    loading.scene.add("material", read_gloss(material, *numbers))


def pick(element: Resolved, kind: str, part: Part) -> str | None:
    """Return the name in the scene of a referenced asset, or None; "" references nothing, and overrides a default.

    Refuses references to missing assets.
    """
    name = element.get(kind)
    if not name:
        return None
    found = part.names.get((kind, name))
    if found is None:
        node = element.giver(kind)
        node.refuse(f"<{node.tag}> names the {kind} {name!r}, which does not exist", "REF-MISSING")
    return found
