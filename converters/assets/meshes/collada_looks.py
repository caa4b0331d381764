"""COLLADA materials: effects, their images, and the opacity modes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from converters.assets.meshes.parts import (
    ABSENT,
    MENDED,
    PartMaterial,
    as_number,
    bounded,
    opaque,
    side_files,
    surrounding,
)
from ir.types import WHITE, Vec4

_SHADERS = ("phong", "lambert", "blinn", "constant")
_MAPPED = ("ambient", "emission", "specular", "reflective")
"""Channels whose images are not used."""
_GREY: Vec4 = (0.8, 0.8, 0.8, 1.0)


class Identities:
    """The elements of a document by id, with a separate namespace per tag, as in other readers, because exporters give
    the same id to elements of different kinds (Autodesk's to a scene and its node)."""

    def __init__(self, root: Any) -> None:
        self._all: dict[tuple[str, str], Any] = {}
        for element in root.iter("*"):
            if name := element.get("id"):
                self._all[element.tag, name] = self._all["", name] = element

    def get(self, name: str, kind: str = "") -> Any:
        """Return the element with an id and a tag ("" for any), or None. name may be a fragment (#name)."""
        return self._all.get((kind, name.removeprefix("#")))

    def target(self, link: Any, attribute: str = "url") -> Any:
        """Return the target of an <instance_KIND>, or of another element's attribute; None if missing."""
        kind = link.tag.removeprefix("instance_") if link is not None and link.tag.startswith("instance_") else ""
        return None if link is None else self.get(link.get(attribute) or "", kind)


class ColladaMaterials:
    """Materials of one document, each read once. lost collects descriptions of what the parts do not represent."""

    def __init__(self, root: Any, identities: Identities, folder: Path, lost: list[str]) -> None:
        self._root = root
        self._identities = identities
        self._find = side_files(folder)
        self.lost = lost
        self._read: dict[str, tuple[PartMaterial | None, str]] = {}

    def bound(self, symbol: str | None, binding: Any) -> tuple[PartMaterial | None, int | None]:
        """Return the material that an instance binds to a symbol, and the texture coordinate set of its texture."""
        if symbol is None:
            return None, None
        links = [] if binding is None else list(binding.iterfind("bind_material/technique_common/instance_material"))
        link = next((item for item in links if item.get("symbol") == symbol), None)
        target = symbol if link is None else (link.get("target") or "").removeprefix("#")
        if target not in self._read:
            self._read[target] = self._material(target)
        material, coordinates = self._read[target]
        for item in () if link is None else link.iterfind("bind_vertex_input"):
            if item.get("semantic") == coordinates and (item.get("input_set") or "").isdigit():
                return material, int(item.get("input_set"))
        return material, None

    def _material(self, target: str) -> tuple[PartMaterial | None, str]:
        """Return the material with that id, and the name of its texture's coordinates ("" without a texture)."""
        element = self._identities.get(target, "material")
        effect, shader = self._effect(element)
        if element is None or shader is None:
            self.lost.append(f"material {target!r}, which the file does not define")
            return None, ""
        name = element.get("name") or target
        if next(effect.iter("bump"), None) is not None:
            self.lost.append(f"the bump map of material {name!r}")
        channel = shader.find("diffuse")
        if channel is None and shader.tag == "constant":
            channel = shader.find("emission")
        texture, coordinates = self._texture(channel, effect, name)
        if texture is not None:
            colour = WHITE
        else:
            colour = self._colour(channel, effect, name) or (_GREY if channel is None else WHITE)
        ambient, emission, specular = (
            self._colour(shader.find(word), effect, name) for word in ("ambient", "emission", "specular")
        )
        self._tell_unheld(shader, channel, effect, name)
        glow = emission is not None and any(emission[:3]) and shader.tag != "constant"
        return PartMaterial(
            name=name,
            rgba=(*colour[:3], opaque(self._alpha(shader, effect, name), name, self.lost)),
            texture=texture,
            ambient=surrounding(ambient[:3] if ambient is not None else None, colour[:3]),
            emissive=emission[:3] if emission is not None and glow else None,
            specular=specular[:3] if specular is not None else None,
            shininess=self._factor(shader, "shininess", name),
            double_sided=any((item.text or "").strip() in ("1", "true") for item in effect.iter("double_sided")),
        ), coordinates

    def _effect(self, material: Any) -> tuple[Any, Any]:
        """Return the effect of a material and its shader in the common profile, each None if not defined."""
        effect = None if material is None else self._identities.target(material.find("instance_effect"))
        technique = None if effect is None else effect.find("profile_COMMON/technique")
        shader = None if technique is None else next((item for item in technique if item.tag in _SHADERS), None)
        return effect, shader

    def _tell_unheld(self, shader: Any, channel: Any, effect: Any, name: str) -> None:
        """Record reflections, and images on channels other than the colour's, for which PartMaterial has no field."""
        mirrored = self._colour(shader.find("reflective"), effect, name)
        if mirrored is not None and any(mirrored[:3]) and self._factor(shader, "reflectivity", name):
            self.lost.append(f"what material {name!r} reflects")
        for other in shader:
            image = other.find("texture") if other.tag in _MAPPED and other is not channel else None
            if image is not None and not (other.tag == "ambient" and _same_image(image, channel)):
                self.lost.append(f"the {other.tag} map of material {name!r}")

    def _colour(self, channel: Any, effect: Any, name: str) -> Vec4 | None:
        """Return the colour of a channel, direct or by parameter, clamped to [0, 1]; None if there is none."""
        if channel is None:
            return None
        text = channel.findtext("color")
        link = channel.find("param")
        if text is None and link is not None:
            parameter = self._parameter(effect, link.get("ref"))
            text = None if parameter is None else parameter.findtext("float4") or parameter.findtext("float3")
        values = [as_number(word) for word in (text or "").split()]
        known = [value for value in values if value is not None]
        if len(known) != len(values) or len(known) not in (3, 4):
            if text:
                self.lost.append(f"{channel.tag} {text.strip()} of material {name!r}, which is not a colour")
            return None
        alpha = min(max(known[3], 0.0), 1.0) if len(known) > 3 else 1.0
        return *bounded(*known[:3], name=name, lost=self.lost), alpha

    def _factor(self, shader: Any, word: str, name: str) -> float | None:
        """Return the number of a channel; None if there is none."""
        text = shader.findtext(f"{word}/float")
        value = as_number(text)
        if text is not None and value is None:
            self.lost.append(f"{word} {text.strip()} of material {name!r}, which is not a number")
        return value

    def _alpha(self, shader: Any, effect: Any, name: str) -> float:
        """Return the opacity by the four modes of COLLADA 1.4.1 (7.1.3, transparent); 1 if not given."""
        channel = shader.find("transparent")
        factor = self._factor(shader, "transparency", name)
        if channel is None and factor is None:
            return 1.0
        if channel is not None and channel.find("texture") is not None:
            self.lost.append(f"the opacity map of material {name!r}")
            return 1.0
        red, green, blue, alpha = self._colour(channel, effect, name) or WHITE
        factor = 1.0 if factor is None else factor
        mode = "A_ONE" if channel is None else channel.get("opaque", "A_ONE")
        luminance = 0.212671 * red + 0.715160 * green + 0.072169 * blue
        modes = {
            "RGB_ZERO": 1.0 - luminance * factor,
            "A_ZERO": 1.0 - alpha * factor,
            "RGB_ONE": luminance * factor,
            "A_ONE": alpha * factor,
        }
        if mode not in modes:
            self.lost.append(f"opaque {mode!r} of material {name!r}, which is no mode{MENDED} A_ONE")
        return modes.get(mode, alpha * factor)

    # --------------------------------------------------------------------------------------- textures

    def _texture(self, channel: Any, effect: Any, name: str) -> tuple[Path | None, str]:
        """Return the image of a channel and the name of its texture coordinates."""
        element = None if channel is None else channel.find("texture")
        if element is None:
            return None, ""
        image = self._image(effect, element.get("texture") or "")
        uri = None if image is None else (image.findtext("init_from/ref") or image.findtext("init_from") or "").strip()
        found = (self._find(unquote(uri)) or self._find(uri)) if uri else None
        if found is None:
            self.lost.append(f"texture {uri or element.get('texture')!r} of material {name!r}{ABSENT}")
        return found, element.get("texcoord") or ""

    def _image(self, effect: Any, name: str) -> Any:
        """Resolve sampler -> surface -> image; exporters may name the image directly, or alter its id."""
        for _ in range(2):
            parameter = self._parameter(effect, name)
            if parameter is None:
                break
            link = next(
                (item for tag in ("sampler2D/source", "surface/init_from") for item in parameter.iterfind(tag)), None
            )
            instance = parameter.find("sampler2D/instance_image")
            if instance is not None:
                name = (instance.get("url") or "").removeprefix("#")
            elif link is not None:
                name = (link.text or "").strip()
        element = self._identities.get(name, "image")
        if element is not None:
            return element
        wanted = _plain(name)
        images = self._root.iterfind("library_images/image")
        return next(
            (item for item in images if wanted in (_plain(item.get("id") or ""), _plain(item.get("name") or ""))), None
        )

    @staticmethod
    def _parameter(effect: Any, name: str | None) -> Any:
        return next((item for item in effect.iter("newparam") if item.get("sid") == name), None)


def _same_image(image: Any, channel: Any) -> bool:
    """Whether a channel uses the same image: an ambient map is then reproduced by the colour itself."""
    shown = None if channel is None else channel.find("texture")
    return shown is not None and shown.get("texture") == image.get("texture")


def _plain(name: str) -> str:
    return re.sub(r"[^0-9a-z]+", "_", name.lower())
