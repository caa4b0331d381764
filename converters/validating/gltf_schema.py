"""Members of glTF with a wrong type, out of range, or missing, including those not read here: skins, morph targets,
animations. Objects and members are those of the schema (glTF 2.0, 5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import pi
from typing import Any

from converters.gltf.data.raw import Members, listed, members
from converters.validating.gltf_strict import Fault

Types = tuple[type, ...]
NUMBER: Types = (int, float)
WORDS: Mapping[str, tuple[Types, float | None, float | None]] = {
    "whole": ((int,), 0, None),
    "count": ((int,), 1, None),
    "number": (NUMBER, None, None),
    "part": (NUMBER, 0, 1),
    "side": (NUMBER, -1, 1),
    "amount": (NUMBER, 0, None),
    "more": (NUMBER, 0, None),
    "index": (NUMBER, 1, None),
    "ior": (NUMBER, 0, None),
    "inner": (NUMBER, 0, pi / 2),
    "outer": (NUMBER, 0, pi / 2),
    "text": ((str,), None, None),
    "truth": ((bool,), None, None),
    "object": ((dict,), None, None),
}
"""Kind of a member -> its allowed types, and its minimum and maximum."""
ABOVE = ("more", "outer")
"""Kinds whose minimum is exclusive."""
WORDING: Mapping[Types, str] = {
    (int,): "a whole number",
    (int, float): "a number",
    (str,): "text",
    (bool,): "true or false",
    (dict,): "an object",
}
TEXTURE = "index!:textures texCoord:whole"
SCHEMA = {
    "": "asset!:{asset} scene:scenes scenes:[{scene}] nodes:[{node}] meshes:[{mesh}] materials:[{material}] "
    "textures:[{texture}] images:[{image}] samplers:[{filter}] cameras:[{camera}] skins:[{skin}] "
    "animations:[{animation}] accessors:[{accessor}] bufferViews:[{view}] buffers:[{buffer}] "
    "extensionsUsed:[text] extensionsRequired:[text]",
    "asset": "version!:text minVersion:text generator:text copyright:text",
    "scene": "nodes:[nodes] name:text",
    "node": "camera:cameras mesh:meshes skin:skins children:[nodes] matrix:[number]16 rotation:[side]4 "
    "scale:[number]3 translation:[number]3 weights:[number] name:text",
    "mesh": "primitives!:[{primitive}] weights:[number] name:text",
    "primitive": "attributes!:<accessors> indices:accessors material:materials mode:whole targets:[<accessors>]",
    "material": "name:text pbrMetallicRoughness:{pbr} normalTexture:{normal} occlusionTexture:{occlusion} "
    "emissiveTexture:{info} emissiveFactor:[part]3 alphaMode:text alphaCutoff:amount doubleSided:truth",
    "pbr": "baseColorFactor:[part]4 baseColorTexture:{info} metallicFactor:part roughnessFactor:part "
    "metallicRoughnessTexture:{info}",
    "info": TEXTURE,
    "normal": f"{TEXTURE} scale:number",
    "occlusion": f"{TEXTURE} strength:part",
    "texture": "sampler:samplers source:images name:text",
    "image": "uri:text mimeType:text bufferView:bufferViews name:text",
    "filter": "magFilter:whole minFilter:whole wrapS:whole wrapT:whole name:text",
    "camera": "type!:text perspective:{perspective} orthographic:{orthographic} name:text",
    "perspective": "aspectRatio:more yfov!:more zfar:more znear!:more",
    "orthographic": "xmag!:number ymag!:number zfar!:more znear!:amount",
    "skin": "inverseBindMatrices:accessors skeleton:nodes joints!:[nodes] name:text",
    "animation": "channels!:[{channel}] samplers!:[{sampler}] name:text",
    "channel": "sampler!:whole target!:{target}",
    "target": "node:nodes path!:text",
    "sampler": "input!:accessors output!:accessors interpolation:text",
    "accessor": "bufferView:bufferViews byteOffset:whole componentType!:whole normalized:truth count!:count type!:text "
    "max:[number] min:[number] sparse:{sparse} name:text",
    "sparse": "count!:count indices!:{places} values!:{values}",
    "places": "bufferView!:bufferViews byteOffset:whole componentType!:whole",
    "values": "bufferView!:bufferViews byteOffset:whole",
    "view": "buffer!:buffers byteOffset:whole byteLength!:count byteStride:count target:whole name:text",
    "buffer": "uri:text byteLength!:count name:text",
}
"""Object -> its members with their kinds: {object}, <members of any name>, [list] with its length, a table (an index
into it), or a word; members with a ! are required, and lists with a + must not be empty."""
EXTENDED = {
    ":KHR_lights_punctual": "lights!:[{lamp}]+",
    "lamp": "type!:text color:[part]3 intensity:amount range:more spot:{spot} name:text",
    "spot": "innerConeAngle:inner outerConeAngle:outer",
    "node:KHR_lights_punctual": "light!:lights",
    "node:EXT_mesh_gpu_instancing": "attributes!:<accessors>",
    "primitive:KHR_draco_mesh_compression": "bufferView!:bufferViews attributes!:<whole>",
    ":KHR_materials_variants": "variants!:[{variant}]+",
    "variant": "name!:text",
    "primitive:KHR_materials_variants": "mappings!:[{mapping}]+",
    "mapping": "material!:materials variants!:[variants]+ name:text",
    "texture:KHR_texture_basisu": "source:images",
    "texture:EXT_texture_webp": "source:images",
    **{
        f"{each}:KHR_texture_transform": "offset:[number]2 rotation:number scale:[number]2 texCoord:whole"
        for each in ("info", "normal", "occlusion")
    },
    "material:KHR_materials_unlit": "",
    "material:KHR_materials_emissive_strength": "emissiveStrength:amount",
    "material:KHR_materials_ior": "ior:ior",
    "material:KHR_materials_dispersion": "dispersion:amount",
    "material:KHR_materials_clearcoat": "clearcoatFactor:part clearcoatTexture:{info} clearcoatRoughnessFactor:part "
    "clearcoatRoughnessTexture:{info} clearcoatNormalTexture:{normal}",
    "material:KHR_materials_transmission": "transmissionFactor:part transmissionTexture:{info}",
    "material:KHR_materials_volume": "thicknessFactor:amount thicknessTexture:{info} attenuationDistance:more "
    "attenuationColor:[part]3",
    "material:KHR_materials_specular": "specularFactor:part specularTexture:{info} specularColorFactor:[amount]3 "
    "specularColorTexture:{info}",
    "material:KHR_materials_sheen": "sheenColorFactor:[part]3 sheenColorTexture:{info} sheenRoughnessFactor:part "
    "sheenRoughnessTexture:{info}",
    "material:KHR_materials_iridescence": "iridescenceFactor:part iridescenceTexture:{info} iridescenceIor:index "
    "iridescenceThicknessMinimum:amount iridescenceThicknessMaximum:amount iridescenceThicknessTexture:{info}",
    "material:KHR_materials_anisotropy": "anisotropyStrength:part anisotropyRotation:number anisotropyTexture:{info}",
    "material:KHR_materials_pbrSpecularGlossiness": "diffuseFactor:[part]4 diffuseTexture:{info} "
    "specularFactor:[part]3 glossinessFactor:part specularGlossinessTexture:{info}",
}
"""The same for ratified extensions: object:extension, and the objects inside them."""
TABLES = (("KHR_lights_punctual", "lights"), ("KHR_materials_variants", "variants"))
"""Tables in extensions of the document."""
MEMBERS = {
    name: [
        (key.rstrip("!"), kind, key.endswith("!")) for key, _, kind in (each.partition(":") for each in text.split())
    ]
    for name, text in (SCHEMA | EXTENDED).items()
}

PLACED = {key for name in EXTENDED if (key := name.partition(":")[2])}
EXTENSIONS = ("extensions", "<object>", False)
"""A member of every object."""


def faults(document: Members) -> Iterator[Fault]:
    """Yield the faults of this kind; any part of the document may have the wrong type. Linear in the document."""
    sizes = {key: len(value) for key, value in document.items() if isinstance(value, list)}
    for name, key in TABLES:
        sizes[key] = len(listed(document, "extensions", name, key))
    yield from _object("", "", document, sizes)


def _object(name: str, place: str, owner: Members, sizes: dict[str, int]) -> Iterator[Fault]:
    for key, kind, needed in (*MEMBERS[name], EXTENSIONS):
        if key in owner:
            yield from _value(kind, place, key, owner[key], sizes)
        elif needed:
            yield Fault(place, None, f"has no {key} (5)")
    for key, extension in members(owner.get("extensions")).items():
        if key in PLACED and f"{name}:{key}" not in MEMBERS:
            yield Fault(f"{place}/extensions", key, "is an extension of other objects")
        elif key in PLACED and isinstance(extension, dict):
            yield from _object(f"{name}:{key}", f"{place}/extensions/{key}", extension, sizes)


def _value(kind: str, place: str, key: str, value: Any, sizes: dict[str, int]) -> Iterator[Fault]:
    inner, at = kind[1:-1], f"{place}/{key.replace('~', '~0').replace('/', '~1')}"
    if kind[0] == "[":
        inner, _, many = kind[1:].rpartition("]")
        for number, each in enumerate(listed(value)):
            yield from _value(inner, at, str(number), each, sizes)
        least, most = (1, None) if many == "+" else (int(many), int(many)) if many else (0, None)
        fits = isinstance(value, list) and least <= len(value) and (most is None or len(value) <= most)
        said = (
            "" if fits else f"has to be a list{f' of {least} or more' if many == '+' else many and f' of {many}'} (5)"
        )
    elif kind[0] in "{<":
        if isinstance(value, dict) and kind[0] == "{":
            yield from _object(inner, at, value, sizes)
        elif isinstance(value, dict):
            for name, each in value.items():
                yield from _value(inner, at, name, each, sizes)
        said = "" if isinstance(value, dict) else "has to be an object (5)"
    else:
        said = _fault_of_value(kind, value, sizes)
    if said:
        yield Fault(place, key, said)


def _fault_of_value(kind: str, value: Any, sizes: dict[str, int]) -> str:
    """Return what is wrong with a value that is neither a list nor an object; "" where it is valid."""
    types, least, most = WORDS.get(kind, ((int,), None, None))
    if types == (int,) and isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
        return f"has to be {WORDING[types]} (5)"
    number = value if isinstance(value, (int, float)) else 0
    if kind not in WORDS and not 0 <= number < sizes.get(kind, 0):
        return f"refers to {number}, and there are {sizes.get(kind, 0)} {kind} (5)"
    if least is not None and (number < least or (kind in ABOVE and number == least)):
        return f"is {'not above' if kind in ABOVE else 'below'} {least} (5)"
    if kind == "ior" and 0 < number < 1:
        return "is neither 0 nor 1 or more (KHR_materials_ior)"
    return f"is above {most:.6g} (5)" if most is not None and number > most else ""
