"""Triangles, extent and colours of a DAE file, read with lxml, independently of the product."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote

import numpy as np
from lxml import etree

from tests.oracles.mesh_file import Colour, MeshFile, touched

FACES = ("triangles", "polylist", "polygons", "trifans", "tristrips")


class Collada:
    """One document. Names are compared without namespaces."""

    def __init__(self, path: Path) -> None:
        self.path = path
        parser = etree.XMLParser(huge_tree=True, resolve_entities=False, no_network=True)
        self.root = etree.parse(str(path), parser).getroot()
        for element in self.root.iter(etree.Element):
            element.tag = element.tag.rpartition("}")[2]
        self.named = {element.get("id"): element for element in self.root.iter(etree.Element) if element.get("id")}
        unit = self.root.find("asset/unit")
        self.unit = float(unit.get("meter", 1)) if unit is not None else 1.0
        self.triangles = 0
        self.points: list[np.ndarray] = []
        self.colours: dict[Colour, None] = {}
        self.textured = False

    def read(self) -> MeshFile:
        scene = self.target(self.root.find("scene/instance_visual_scene"))
        if scene is None:
            return MeshFile(problem=f"{self.path.name}: no scene")
        for node in scene.findall("node"):
            self.node(node, np.eye(4))
        return MeshFile(
            triangles=self.triangles,
            points=np.vstack(self.points) * self.unit if self.points else np.zeros((0, 3)),
            colours=tuple(self.colours),
            textured=self.textured,
        )

    def target(self, element: etree._Element | None, key: str = "url") -> etree._Element | None:
        return self.named.get((element.get(key) or "").lstrip("#")) if element is not None else None

    # ---------------------------------------------------------------- scene

    def node(self, node: etree._Element, above: np.ndarray) -> None:
        at = above
        for step in node:
            at = at @ _transform(step)
        for child in node:
            if child.tag == "node":
                self.node(child, at)
            elif child.tag == "instance_node" and (other := self.target(child)) is not None:
                self.node(other, at)
            elif child.tag == "instance_geometry" and (geometry := self.target(child)) is not None:
                materials = {
                    item.get("symbol"): self.target(item, "target") for item in child.iter("instance_material")
                }
                for mesh in geometry.findall("mesh"):
                    self.mesh(mesh, at, materials)

    def mesh(self, mesh: etree._Element, at: np.ndarray, materials: dict[str | None, etree._Element | None]) -> None:
        for primitive in mesh:
            if primitive.tag not in FACES:
                continue
            corners, count = self.corners(primitive)
            if not count:
                continue
            positions = self.positions(mesh, primitive)
            used = touched(positions, corners)
            self.points.append(used @ at[:3, :3].T + at[:3, 3])
            self.triangles += count
            self.material(materials.get(primitive.get("material")))

    def positions(self, mesh: etree._Element, primitive: etree._Element) -> np.ndarray:
        vertices = self.target(_input(primitive, "VERTEX"), "source")
        source = self.target(_input(vertices, "POSITION"), "source") if vertices is not None else None
        assert source is not None, "no positions"
        values = np.fromstring(source.findtext("float_array") or "", sep=" ")
        accessor = source.find("technique_common/accessor")
        stride = int(accessor.get("stride", 3)) if accessor is not None else 3
        return values[: len(values) // stride * stride].reshape(-1, stride)[:, :3]

    def corners(self, primitive: etree._Element) -> tuple[np.ndarray, int]:
        """Return indices of the positions at the corners of all polygons, and the number of triangles."""
        inputs = primitive.findall("input")
        width = 1 + max(int(item.get("offset", 0)) for item in inputs)
        vertex = _input(primitive, "VERTEX")
        offset = int(vertex.get("offset", 0)) if vertex is not None else 0
        found, count = [np.zeros(0, int)], 0
        for lump in primitive.iter("p"):
            indices = np.fromstring(lump.text or "", int, sep=" ")[offset::width]
            sizes = np.array([len(indices)])
            if primitive.tag == "polylist":
                ends = np.cumsum(np.fromstring(primitive.findtext("vcount") or "", int, sep=" "))
                sizes = np.diff([0, *ends[:-1], len(indices)])
            elif primitive.tag == "triangles":
                sizes = np.full(len(indices) // 3, 3)
            found.append(indices[: sizes.sum()])
            count += int(np.maximum(sizes - 2, 0).sum())
        return np.concatenate(found), count

    # ---------------------------------------------------------------- looks

    def material(self, material: etree._Element | None) -> None:
        effect = self.target(material.find("instance_effect")) if material is not None else None
        diffuse = next(effect.iter("diffuse"), None) if effect is not None else None
        if effect is None or diffuse is None:
            return
        texture = diffuse.find("texture")
        if texture is not None:
            image = self.image(effect, texture.get("texture", ""))
            self.textured = self.textured or (image is not None and image.is_file())
        elif (text := diffuse.findtext("color")) is not None:
            self.colours[tuple(float(value) for value in text.split()[:3])] = None

    def image(self, effect: etree._Element, name: str) -> Path | None:
        """sampler -> surface -> image -> file; some exporters name the image directly."""
        for _ in range(2):
            parameter = next((item for item in effect.iter("newparam") if item.get("sid") == name), None)
            if parameter is not None:
                name = (parameter.findtext(".//source") or parameter.findtext(".//init_from") or "").strip()
        image = self.named.get(name)
        uri = image.findtext(".//init_from") if image is not None else None
        return self.path.parent / unquote(uri.strip()) if uri else None


def _input(element: etree._Element, semantic: str) -> etree._Element | None:
    return next((item for item in element.findall("input") if item.get("semantic") == semantic), None)


def _transform(step: etree._Element) -> np.ndarray:
    """Return the matrix of one transformation of a node; identity for all other elements."""
    matrix = np.eye(4)
    if step.tag not in ("matrix", "translate", "scale", "rotate"):
        return matrix
    values = np.array((step.text or "").split(), dtype=float)
    if step.tag == "matrix":
        return values.reshape(4, 4)
    if step.tag == "translate":
        matrix[:3, 3] = values
    elif step.tag == "scale":
        matrix[:3, :3] = np.diag(values)
    else:
        x, y, z = values[:3] / np.linalg.norm(values[:3])
        cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        angle = np.radians(values[3])
        matrix[:3, :3] = np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
    return matrix
