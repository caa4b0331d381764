"""<material> of a visual, in both directions. Colours are display values; the graph's colour is the diffuse one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from converters.sdf.document.loading import SdfLoading
from converters.sdf.document.values import boolean, colour, in_attributes, put, put_colour, real, scalar, text
from converters.sdf.parts.ogre import material_of_script
from converters.source.tree import Element
from converters.source.xml import Node
from ir.types import WHITE, Extra, Map, Material, Vec4

BLACK: Vec4 = (0.0, 0.0, 0.0, 1.0)
UNSAID = ("", "__default__")
"""Values of a script that mean nothing; libsdformat writes the second one for a missing value."""
METAL = (("metalness", "metallic"), ("roughness", "roughness"))
MAPS = (
    ("roughness_map", "roughness"),
    ("metalness_map", "metallic"),
    ("ambient_occlusion_map", "occlusion"),
    ("normal_map", "normal"),
    ("emissive_map", "emissive"),
)
"""Children of <metal> that are images, and their roles in the graph."""
HALF = 0.5
"""The default of metalness and roughness in <metal> (metal.sdf)."""
SPECULAR = "material[1]/pbr[1]/specular[1]"
"""Path of the extras of <specular>; if a visual has some, its albedo map is written there."""
COLOURS = ("specular", "emissive")


def read_material(visual: Node, name: str, where: str, loading: SdfLoading) -> str | None:
    """Return the key of the material of a visual; None if it has none, or only a script that is not available."""
    node = visual.child("material")
    if node is None:
        return None
    scripted, ambient, diffuse = _script_named(node), colour(node, "ambient"), colour(node, "diffuse")
    # an output gives both colours or none, for programs that read no scripts: a script then adds nothing
    asked = scripted is not None and not (loading.context.again and (ambient or diffuse))
    # colours that are not given are black (libsdformat, Material)
    ambient = ambient or (BLACK if diffuse is not None and not asked else None)
    rgba = diffuse or (ambient if asked else None)
    material = Material(
        name=name,
        rgba=rgba,
        ambient=ambient if ambient != rgba else None,
        specular=colour(node, "specular"),
        emissive=colour(node, "emissive"),
        shininess=scalar(node, "shininess"),
        double_sided=boolean(node, "double_sided", False),
        source=node.source,
    )
    shader = node.peek("shader")  # shaders are not evaluated: it stays unread
    if shader is not None and shader.attrs.get("type", "").startswith("normal_map") and _has_no_name(shader):
        reason = "a shader with a normal map needs a <normal_map>"
        loading.fault("ELEMENT_MISSING", where, reason, shader.source)
    material = _with_pbr(node, material, loading)
    if scripted and asked:
        material = _with_script(*scripted, material, where, loading)
    if material == Material(name=name) and scripted:
        return None  # its look is unknown here
    if material.rgba is None and material.texture is None and not asked:
        reason = "a material without <diffuse> is black"
        loading.context.note("sdf/material-black", where, reason, node.source, action="noted", severity="note")
        material = replace(material, rgba=BLACK)
    return loading.material(material)


def _has_no_name(shader: Node) -> bool:
    image = shader.peek("normal_map")
    return image is None or not image.own_text()


def _with_pbr(node: Node, material: Material, loading: SdfLoading) -> Material:
    """Read metalness and roughness, and the albedo map of either workflow; maps of <specular> remain as extras."""
    pbr = node.child("pbr")
    flow = (pbr.child("metal") or pbr.child("specular")) if pbr is not None else None
    if flow is None:
        return material
    uri = text(flow, "albedo_map")
    if uri:
        material = replace(material, texture=loading.asset(uri, "texture", flow))
    if flow.tag == "metal":
        said: dict[str, Any] = {field: real(flow, tag, HALF) for tag, field in METAL}
        material = replace(material, **said, maps=tuple(_maps_of_metal(flow, loading)))
    return material


def _maps_of_metal(metal: Node, loading: SdfLoading) -> Iterator[Map]:
    """Yield the images other than the colour; a normal map in object space remains as an extra."""
    for tag, role in MAPS:
        item = metal.peek(tag)
        if item is None or item.attrs.get("type", "tangent") != "tangent" or not item.own_text():
            continue
        uri = text(metal, tag)
        assert uri
        yield Map(role=role, texture=loading.asset(uri, "texture", metal))


def _script_named(node: Node) -> tuple[Node, list[str], str] | None:
    """Return the element that names an OGRE script, the URIs of the script, and the name of the material; in SDF 1.0 a
    material without a URI. None if there is no script."""
    script = node.peek("script")
    if script is None:
        name = node.attrs.get("script", "") if in_attributes(node) else ""
        return (node, [], name) if name not in UNSAID else None
    uris = [uri for item in script.findall("uri") if (uri := item.own_text()) not in UNSAID]
    name = next((item.own_text() for item in script.findall("name")), script.attrs.get("name", ""))
    return script, uris, name


def _with_script(
    script: Node, uris: list[str], name: str, material: Material, where: str, loading: SdfLoading
) -> Material:
    """Apply the OGRE script to what the document does not set. The script itself remains as an extra, to be kept."""
    said = name or script.own_text()  # text of a script without a name
    if script.tag == "script" and (not uris or name in UNSAID):
        reason = "a material script needs a <uri> and a <name>"
        loading.fault("ELEMENT_INVALID", where, reason, script.source, before=said)
    folder = Path(script.document.file).parent
    found = material_of_script(name, [file for uri in uris for file in loading.files(uri, folder, ".material")])
    if found is None:
        reason = (
            "no available script has a material of this name: its colour is not known here; the script is still named"
        )
        loading.context.note("sdf/material-script", where, reason, script.source, before=said, action="noted")
        return material
    if material.rgba is None:
        material = replace(material, rgba=found.diffuse or found.ambient)
    if found.texture and material.texture is None:
        texture = _texture_of_script(uris, found.texture, folder, loading)
        if texture is not None:
            material = replace(material, texture=loading.asset(texture, "texture", script))
    for field in COLOURS:
        if getattr(material, field) is None and getattr(found, field) is not None:
            material = replace(material, **{field: getattr(found, field)})
    return material


def _texture_of_script(uris: list[str], name: str, folder: Path, loading: SdfLoading) -> str | None:
    """Return the URI of an image named in a script, in one of the folders that the material lists; None if not
    found."""
    for uri in uris:
        base = uri.rpartition("/")[0] if uri.endswith(".material") else uri.rstrip("/")
        for candidate in (f"{base}/{name}", f"{base.rpartition('/')[0]}/textures/{name}"):
            if loading.file(candidate, folder) is not None:
                return candidate
    return None


def write_material(
    visual: Element, material: Material | None, uri: str, extras: Iterable[Extra], maps: Mapping[str, str]
) -> None:
    """Append <material>; uri is the URI of the texture, "" for none, maps those of its other images by role, extras the
    extras of the geom."""
    if material is None:
        return
    element = Element("material")
    rgba = material.rgba or (WHITE if uri or material.texture else None)
    for field, value in (("ambient", material.ambient or rgba), ("diffuse", rgba)):
        if value is not None:
            put_colour(element, field, value)
    for field in COLOURS:
        if getattr(material, field) is not None:
            put_colour(element, field, getattr(material, field))
    if material.shininess is not None:
        put(element, "shininess", material.shininess)
    if material.double_sided:
        put(element, "double_sided", True)
    metal = [(tag, value) for tag, field in METAL if (value := getattr(material, field)) is not None]
    if uri and not metal and any(extra.path.startswith(SPECULAR) for extra in extras):
        put(element.add("pbr").add("specular"), "albedo_map", uri)
    elif uri or metal or maps:
        flow = element.add("pbr").add("metal")
        if uri:
            put(flow, "albedo_map", uri)
        for tag, value in metal if material.metallic is not None else [("metalness", 0.0), *metal]:  # default 0.5
            put(flow, tag, value)
        for tag, role in MAPS:
            if role in maps:
                put(flow, tag, maps[role])
    if element.content:  # an empty <material> would be black
        visual.content.append(element)
