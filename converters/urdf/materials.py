"""Materials and textures, in both directions: definitions under <robot>, inline ones in a visual, and references."""

from __future__ import annotations

import json
from typing import cast

from converters.assets.beside import AssetFiles
from converters.faults import sure
from converters.source.text import numbers, parse_numbers
from converters.source.tree import Element, restore
from converters.source.xml import Node
from converters.urdf.files import asset_key
from converters.urdf.loading import UrdfLoading
from converters.urdf.tables import FORMAT, GLOBALS, VERSION
from ir.names import Spares
from ir.scene import Scene
from ir.types import WHITE, Geom, Material, Source, Vec4

Definition = tuple[Vec4 | None, str | None]
"""Colour and key of the texture: definitions are equal if these are."""


class Materials:
    """The material table while a document is read, and the meaning of each name in the document."""

    def __init__(self, loading: UrdfLoading) -> None:
        self.loading = loading
        self.table: dict[str, Material] = loading.scene.tables["material"]
        self.keys: dict[str, str] = {}
        """Name in the document -> key of its first definition (which may still follow)."""
        self.variants: dict[tuple[str, Definition], str] = {}
        """Later definitions of a name with another value; the name is "" for anonymous ones."""
        self.undefined: dict[str, tuple[Source, str]] = {}
        self.taken = Spares()
        """Keys in use, including those whose definition still follows."""
        self.globals: list[str] = []
        self.inlined: set[str] = set()

    # ---------------------------------------------------------------- reading

    def read_global(self, node: Node) -> None:
        """Read a <material> of <robot>. One without a name, or with a duplicate one, remains as an extra."""
        name = node.get("name")
        if not name:
            return
        counts = name not in self.keys
        value = self._value(node, f"material/{name}", counts) or (None, None)
        if not counts:
            same = value == _definition_of(self.table[self.keys[name]])
            reason = "a second definition of this name; the first one is used" + (
                "" if same else ", although they differ"
            )
            self.loading.context.note("urdf/material-duplicate", f"material/{name}", reason, node.source)
            return
        node.visit()
        self.keys[name] = self.taken.of(name, 2)
        self._define(name, value, node)
        self.globals.append(name)

    def read_inline(self, geom: Node, where: str) -> tuple[str | None, bool]:
        """Return the key of the material of a visual, and whether it is defined there."""
        node = geom.peek("material")
        if node is None:
            return None, False
        name = node.get("name")
        value = self._value(node, where)
        if value is None:
            if not name:
                return None, False  # <material name=""/> declares nothing and stays an extra of the visual
            node.visit()
            if name not in self.keys:
                self.keys[name] = self.taken.of(name, 2)
            if self.keys[name] not in self.table:
                self.undefined.setdefault(name, (node.source, where))
            return self.keys[name], False
        node.visit()
        if name is None:
            self.loading.context.note(
                "urdf/material-name", where, "materials without a name are not shared", node.source
            )
        key = self._named(name, value, node, where) if name else self._variant("", value, node, "anonymous")
        self.inlined.add(key)
        return key, True

    def _named(self, name: str, value: Definition, node: Node, where: str) -> str:
        key = self.keys.get(name)
        if key is None:
            key = self.keys[name] = self.taken.of(name, 2)
        if key not in self.table:
            self.undefined.pop(name, None)
            self._define(key, value, node, None if key == name else name)
            return key
        if _definition_of(self.table[key]) == value:
            return key
        if self.loading.context.options.urdfdom_materials:
            reason = "defined before with another value; the first definition is used (--urdfdom-materials)"
            self.loading.context.note("urdf/material-conflict", where, reason, node.source, before=name)
            return key
        if (name, value) not in self.variants:
            reason = "defined before with another value; readers disagree: here each visual keeps its own"
            self.loading.context.note("urdf/material-conflict", where, reason, node.source, before=name)
        return self._variant(name, value, node, name)

    def _variant(self, name: str, value: Definition, node: Node, stem: str) -> str:
        key = self.variants.get((name, value))
        if key is None:
            key = self.taken.of(stem, 2)
            self.variants[(name, value)] = key
            self._define(key, value, node, name)
        return key

    def _define(self, key: str, value: Definition, node: Node, label: str | None = None) -> None:
        rgba, texture = value
        self.table[key] = Material(
            name=key, label=label, rgba=rgba, texture=texture, source=node.source, extras=node.rest()
        )

    def _value(self, node: Node, where: str, counts: bool = True) -> Definition | None:
        """Return colour and texture of a definition, None if it has neither (a reference). counts: False for a
        definition that is not used, whose image then becomes no asset: its URI is returned."""
        rgba: Vec4 | None = None
        texture: str | None = None
        for item in node.elements():
            if item.tag == "color" and rgba is None and ("rgba" in item.attrs or "rgb" in item.attrs):
                rgba = self._colour(item, "rgba" if "rgba" in item.attrs else "rgb", where)
                item.visited = rgba is not None  # an invalid colour stays as it is
            elif item.tag == "texture" and texture is None and item.get("filename"):
                uri = item.visit().need("filename")
                known = self.loading.assets.get(("texture", uri), uri)
                texture = asset_key(self.loading, uri, "texture", item.source) if counts else known
            elif item.tag == "texture" and item.attrs.get("filename") == "":  # written by the SolidWorks exporter
                node.ignore("texture", "urdf/empty-texture")
        if rgba is None and "rgba" in node.attrs:
            rgba = self._colour(node, "rgba", where)
        return None if rgba is None and texture is None else (rgba, texture)

    def _colour(self, node: Node, name: str, where: str) -> Vec4 | None:
        """Return the colour in an attribute, with a note if other readers interpret it differently or ignore it."""
        text = node.get(name) or ""
        rgba, plain = _colour_of_text(text)
        if not plain or name != "rgba" or node.tag == "material":
            reason = "a colour is <color rgba> with four numbers from 0 to 1"
            after = numbers(rgba) if rgba else "no colour"
            self.loading.context.note("urdf/colour", where, reason, node.place(name), before=text, after=after)
        return rgba

    def finish(self, notation: dict[str, str]) -> None:
        """Create undefined materials, and record which are global if the geoms do not determine it."""
        for name, (source, where) in self.undefined.items():
            key = self.keys[name]
            self.loading.context.note(
                "urdf/material-undefined",
                where,
                "no material of this name is defined, so it has no colour",
                source,
                before=name,
                action="noted",
            )
            self.table[key] = Material(name=key, label=None if key == name else name, source=source)
        if any(name in self.inlined or _definition_of(self.table[name]) == (None, None) for name in self.globals):
            notation[GLOBALS] = json.dumps(self.globals, ensure_ascii=False)


def _colour_of_text(text: str) -> tuple[Vec4 | None, bool]:
    """Return the colour in a text, and whether it is exactly that. Except for four numbers it is opaque, a scale of 255
    is converted, the rest clamped to [0, 1]; an invalid one is None, as in urdfdom, which accepts the robot."""
    try:
        values = parse_numbers(text)
    except ValueError:
        return None, False
    if len(values) < 3:
        return None, False
    red, green, blue, alpha = (*values[:3], values[3] if len(values) == 4 else 1.0)
    if max(red, green, blue) > 2.0:
        red, green, blue, alpha = red / 255, green / 255, blue / 255, alpha / 255 if alpha > 1.0 else alpha
    rgba = cast("Vec4", tuple(min(max(value, 0.0), 1.0) for value in (red, green, blue, alpha)))
    return rgba, rgba == values


def _definition_of(material: Material) -> Definition:
    return material.rgba, material.texture


# -------------------------------------------------------------------------------------------------------------- writing


class Palette:
    """The materials of a scene for a writer: which are global, and which definitions have been written."""

    def __init__(self, scene: Scene, files: AssetFiles) -> None:
        self.materials = scene.materials
        self.files = files
        self.native = VERSION in scene.notation
        self.shared: set[str] = set()
        self.first: dict[str, str] = {}
        """Name in the document -> the first of the materials with that name."""
        inlined = {geom.material for geom in scene.geoms() if geom.inline}
        if GLOBALS in scene.notation:
            names = [name for name in json.loads(scene.notation[GLOBALS]) if name in self.materials]
        else:
            names = [
                name
                for name, item in self.materials.items()
                if name not in inlined and (item.rgba or item.texture or not self.native) and self._name(item)
            ]
        shown = [geom.material for geom in scene.geoms() if geom.material]
        for name in (*names, *shown) if self.native else ():
            self.first.setdefault(self.materials[name].label or name, name)
        self.globals = names
        self.shared = set(names)
        self.written: set[str] = set()
        self.named: dict[str, Element] = {}
        """Material that a geom only refers to -> the first element that does."""

    def write_globals(self) -> list[Element]:
        """Return the <material> elements of the robot itself."""
        return [self._define(Element("material"), self.materials[name], True) for name in self.globals]

    def write_inline(self, visual: Element, geom: Geom) -> bool:
        """Append the material of a geom: a definition if it was one, else its name. Returns whether it is a definition
        that nothing specific to this geom was added to."""
        if geom.material is None:
            return False
        material = self.materials[geom.material]
        element = visual.add("material")
        if geom.inline or material.label == "":
            first = geom.material not in self.written
            (self._define if first else self._fill)(element, material)
            return first or not geom.inline
        element.attrs["name"] = self._name(material)
        self.named.setdefault(geom.material, element)
        return False

    def finish(self) -> None:
        """Define materials at their first reference if the geom that defined them was not written. That <material> then
        contains the definition only."""
        for name, element in self.named.items():
            material = self.materials[name]
            if name not in self.written and _definition_of(material) != (None, None):
                element.content.clear()
                self._define(element, material)

    def _define(self, element: Element, material: Material, shared: bool = False) -> Element:
        self._fill(element, material)
        if (
            element.content or shared
        ):  # an element without content is only a reference, and its extras belong to the visual
            restore(element, material.extras, FORMAT)
        self.written.add(material.name)
        return element

    def _fill(self, element: Element, material: Material) -> None:
        element.attrs["name"] = self._name(material)
        if material.rgba is not None:
            element.add("color", {"rgba": numbers(material.rgba)})
        uri = self.files.uri(material.texture) if material.texture is not None else ""
        if uri:
            element.add("texture", {"filename": uri})
        elif material.rgba is None and not self.native:  # urdfdom and Drake refuse an empty material
            element.add("color", {"rgba": numbers(WHITE)})

    def _name(self, material: Material) -> str:
        """Return the source's name of a material, unless another material is the first of that name. A material without
        a name gets one if it has no value, because <material name=""/> is not a material."""
        label = material.label
        if not self.native or label is None or (not label and _definition_of(material) == (None, None)):
            return material.name
        first = self.first.get(label, label)
        second = material.name in self.shared and first != material.name
        return label if first == label and not second else material.name


def parse_scale(node: Node) -> tuple[float, ...] | None:
    """Return the scale of a mesh: three numbers or more, or one for all axes (as Bullet accepts it)."""
    text = node.get("scale")
    if text is None:
        return None
    values = sure(node.vector("scale"))
    if len(values) in (0, 2):
        raise node.fail(f"<mesh scale={text!r}> needs 3 numbers, not {len(values)}", "NUM-COUNT")
    return values
