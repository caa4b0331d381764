"""A URDF as lxml reads it: the minimum that a conversion must contain. Shares no code with the product."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

import numpy as np
from lxml import etree

NAN = float("nan")
SHAPES = ("box", "sphere", "cylinder", "capsule", "mesh")


def parse(path: Path) -> etree._Element:
    """Return the root of a document, parsed strictly and, if that fails, leniently, as real parsers do."""
    options = {"resolve_entities": False, "no_network": True, "huge_tree": True}
    data = path.read_bytes().lstrip()
    try:
        return etree.fromstring(data, etree.XMLParser(**options))
    except etree.XMLSyntaxError:
        root = etree.fromstring(data, etree.XMLParser(recover=True, **options))
        if root is None:
            raise
        return root


def written_name(element: etree._Element) -> str:
    """Return prefix:local as written in the file."""
    local = str(element.tag).rpartition("}")[2]
    return f"{element.prefix}:{local}" if element.prefix else local


def written_attributes(element: etree._Element) -> dict[str, str]:
    """Return the attributes by the names in the file."""
    prefixes = {uri: prefix for prefix, uri in element.nsmap.items() if prefix}
    named = {}
    for key, value in element.attrib.items():
        uri, _, local = str(key).rpartition("}")
        prefix = "xml" if uri.endswith("/XML/1998/namespace") else prefixes.get(uri[1:], "?")
        named[f"{prefix}:{local}" if uri else local] = str(value)
    return named


def elements(element: etree._Element, name: str | None = None) -> list[etree._Element]:
    return [child for child in element if isinstance(child.tag, str) and (name is None or written_name(child) == name)]


def first(element: etree._Element | None, name: str) -> etree._Element | None:
    return next(iter(elements(element, name)), None) if element is not None else None


def numbers(element: etree._Element | None, name: str, default: tuple[float, ...]) -> tuple[float, ...]:
    """Return the numbers of an attribute, the default if it is missing, NaN if it is invalid."""
    text = element.get(name) if element is not None else None
    if text is None:
        return default
    try:
        values = tuple(float(token) for token in text.split())
    except ValueError:
        values = ()
    return values if len(values) == len(default) else (NAN,) * len(default)


def rotation(rpy: tuple[float, ...]) -> np.ndarray:
    (sr, sp, sy), (cr, cp, cy) = np.sin(rpy), np.cos(rpy)
    return np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )


def pose(element: etree._Element | None) -> np.ndarray:
    """Return the 4x4 matrix of an <origin>."""
    matrix = np.eye(4)
    if element is not None:
        matrix[:3, :3] = rotation(numbers(element, "rpy", (0.0, 0.0, 0.0)))
        matrix[:3, 3] = numbers(element, "xyz", (0.0, 0.0, 0.0))
    return matrix


def gazebo_place(path: Path) -> np.ndarray:
    """Return the 4x4 pose that a <gazebo> block gives the model in the world."""
    matrix = np.eye(4)
    for text in parse(path).xpath("gazebo[not(@reference)]/pose/text()"):
        words = tuple(float(word) for word in text.split())
        matrix[:3, :3], matrix[:3, 3] = rotation(words[3:]), words[:3]
    return matrix


@dataclass(frozen=True)
class Shape:
    """A visual or collision element. file: path of its mesh. colours, textured: its appearance by the URDF itself."""

    link: str
    place: str
    kind: str
    size: tuple[float, ...]
    pose: np.ndarray
    uri: str = ""
    file: Path | None = None
    colours: tuple[tuple[float, ...], ...] = ()
    textured: bool = False

    @property
    def exists(self) -> bool:
        if self.kind == "mesh":
            return self.file is not None
        return self.kind in SHAPES and all(value > 0 for value in self.size)


@dataclass(frozen=True)
class Link:
    name: str
    mass: float | None = None
    com: np.ndarray = field(default_factory=lambda: np.zeros(3))
    tensor: np.ndarray = field(default_factory=lambda: np.zeros((3, 3)))
    """In the axes of the link, about the centre of mass."""
    visuals: tuple[Shape, ...] = ()
    collisions: tuple[Shape, ...] = ()

    @property
    def invalid(self) -> str | None:
        """Why no engine can use this inertia, wherever it is; None if it is that of a body or a point."""
        if self.mass is None:
            return None
        if not np.isfinite(self.tensor).all() or not np.isfinite(self.com).all() or not math.isfinite(self.mass):
            return "inertia that is no number"
        if self.mass < 0:
            return f"mass {self.mass:g}"
        low, middle, high = np.linalg.eigvalsh(self.tensor)
        if low < -1e-14 * abs(high):
            return f"inertia with eigenvalue {low:.3g}"
        if low + middle < high * (1 - 1e-10):
            return f"inertia that breaks the triangle inequality by {1 - (low + middle) / high:.1e}"
        return None

    @property
    def solid(self) -> bool:
        """Whether it can move by itself in an engine that inverts inertia."""
        if self.mass is None or self.invalid is not None:
            return False
        return self.mass >= 1e-15 and float(np.linalg.eigvalsh(self.tensor)[0]) >= 1e-15


@dataclass(frozen=True)
class Joint:
    name: str
    kind: str
    parent: str
    child: str
    axis: tuple[float, ...]
    lower: float | None
    upper: float | None
    effort: float | None
    damping: float
    friction: float
    mimic: bool
    place: str

    @property
    def fixed(self) -> bool:
        return self.kind == "fixed"


@dataclass(frozen=True)
class Robot:
    path: Path
    name: str
    links: dict[str, Link]
    joints: dict[str, Joint]

    @property
    def roots(self) -> list[str]:
        children = {joint.child for joint in self.joints.values()}
        return [name for name in self.links if name not in children]

    def rigid(self, link: str) -> list[str]:
        """Return a link and all that is welded below it."""
        children: dict[str, list[str]] = {}
        for joint in self.joints.values():
            if joint.fixed:
                children.setdefault(joint.parent, []).append(joint.child)
        found, stack = [], [link]
        while stack:
            name = stack.pop()
            if name not in found:
                found.append(name)
                stack += children.get(name, [])
        return found

    def moving(self) -> dict[str, list[str]]:
        """Return moving joint -> the links that move as one with its child."""
        return {joint.name: self.rigid(joint.child) for joint in self.joints.values() if not joint.fixed}


def load(path: Path) -> Robot:
    root = parse(path)
    colours = _materials(root)
    links = {}
    for index, element in enumerate(elements(root, "link"), 1):
        place = f"/robot/link[{index}]"
        name = element.get("name", "")
        mass, com, tensor = _inertial(first(element, "inertial"))
        links[name] = Link(
            name=name,
            mass=mass,
            com=com,
            tensor=tensor,
            visuals=tuple(_shapes(element, "visual", name, place, path, colours)),
            collisions=tuple(_shapes(element, "collision", name, place, path, {})),
        )
    joints = {}
    for index, element in enumerate(elements(root, "joint"), 1):
        joint = _joint(element, f"/robot/joint[{index}]")
        joints[joint.name] = joint
    return Robot(path=path, name=root.get("name", ""), links=links, joints=joints)


def _inertial(element: etree._Element | None) -> tuple[float | None, np.ndarray, np.ndarray]:
    if element is None or first(element, "mass") is None:
        return None, np.zeros(3), np.zeros((3, 3))
    (mass,) = numbers(first(element, "mass"), "value", (NAN,))
    at = pose(first(element, "origin"))
    inertia = first(element, "inertia")
    xx, xy, xz, yy, yz, zz = (numbers(inertia, name, (NAN,))[0] for name in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz"))
    tensor = at[:3, :3] @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ at[:3, :3].T
    return mass, at[:3, 3], tensor


def _joint(element: etree._Element, place: str) -> Joint:
    limit, dynamics = first(element, "limit"), first(element, "dynamics")
    axis = np.array(numbers(first(element, "axis"), "xyz", (1.0, 0.0, 0.0)))
    length = float(np.linalg.norm(axis))
    return Joint(
        name=element.get("name", ""),
        kind=element.get("type", ""),
        parent=(first(element, "parent") if first(element, "parent") is not None else element).get("link", ""),
        child=(first(element, "child") if first(element, "child") is not None else element).get("link", ""),
        axis=tuple(axis / length) if length else tuple(axis),
        lower=numbers(limit, "lower", (0.0,))[0] if limit is not None else None,
        upper=numbers(limit, "upper", (0.0,))[0] if limit is not None else None,
        effort=numbers(limit, "effort", (0.0,))[0] if limit is not None else None,
        damping=numbers(dynamics, "damping", (0.0,))[0],
        friction=numbers(dynamics, "friction", (0.0,))[0],
        mimic=first(element, "mimic") is not None,
        place=place,
    )


def _materials(root: etree._Element) -> dict[str, list[etree._Element]]:
    """Return every definition of a material by name, global ones first: readers disagree which of several is used."""
    found: dict[str, list[etree._Element]] = {}
    inline = [
        material
        for link in elements(root, "link")
        for visual in elements(link, "visual")
        for material in elements(visual, "material")
    ]
    for element in [*elements(root, "material"), *inline]:
        if element.get("name") and (first(element, "color") is not None or first(element, "texture") is not None):
            found.setdefault(element.get("name", ""), []).append(element)
    return found


def _shapes(
    link: etree._Element, tag: str, name: str, place: str, path: Path, materials: dict[str, list[etree._Element]]
) -> Iterator[Shape]:
    for index, element in enumerate(elements(link, tag), 1):
        geometry = first(element, "geometry")
        shape = next(iter(elements(geometry)), None) if geometry is not None else None
        kind = written_name(shape) if shape is not None else "nothing"
        size: tuple[float, ...] = ()
        uri, file = "", None
        if kind == "box":
            size = numbers(shape, "size", (NAN,) * 3)
        elif kind == "sphere":
            size = numbers(shape, "radius", (NAN,))
        elif kind in ("cylinder", "capsule"):
            size = (*numbers(shape, "radius", (NAN,)), *numbers(shape, "length", (NAN,)))
        elif kind == "mesh":
            size = numbers(shape, "scale", (1.0, 1.0, 1.0))
            uri = shape.get("filename", "") if shape is not None else ""
            file = find(uri, path)
        colours, textured = _colours(first(element, "material"), materials)
        yield Shape(
            link=name,
            place=f"{place}/{tag}[{index}]",
            kind=kind,
            size=size,
            pose=pose(first(element, "origin")),
            uri=uri,
            file=file,
            colours=colours,
            textured=textured,
        )


def _colours(
    material: etree._Element | None, materials: dict[str, list[etree._Element]]
) -> tuple[tuple[tuple[float, ...], ...], bool]:
    """Return every colour that some reader would give this visual, and whether it has a texture."""
    if material is None:
        return (), False
    definitions = [material] if first(material, "color") is not None or first(material, "texture") is not None else []
    definitions += materials.get(material.get("name", ""), [])
    colours = []
    for definition in definitions:
        rgba = numbers(first(definition, "color"), "rgba", (NAN,) * 4)
        if all(0 <= value <= 1 for value in rgba):
            colours.append(rgba)
    textured = bool(definitions) and first(definitions[0], "texture") is not None
    return tuple(dict.fromkeys(colours)), textured


def find(uri: str, path: Path) -> Path | None:
    """Return the file of a URI: next to the model, in a folder of the package's name, below an ancestor."""
    scheme, separator, rest = uri.partition("://")
    if not uri or (separator and scheme not in ("package", "model", "file")):
        return None
    if scheme == "file" and separator:  # `file://meshes/a.stl` has a host where its author meant a folder
        uri, separator = unquote(rest), ""
    rest = unquote(rest) if separator and "%" in rest else rest
    folder = path.parent
    ancestors = [folder, *folder.parents][:8]
    if not separator:
        return next((found for ancestor in ancestors[:4] if (found := _file(ancestor / uri))), None)
    rest = rest.lstrip("/")
    package, _, inner = rest.partition("/")
    for ancestor in ancestors:
        if ancestor.name == package and (found := _file(ancestor / inner)):
            return found
        if found := _file(ancestor / package / inner):
            return found
    for ancestor in ancestors[:5]:
        if found := _file(ancestor / inner):
            return found
    below = [hit for hit in folder.parent.glob(f"*/*/{rest}") if hit.is_file()]
    return below[0] if len(below) == 1 else None


def _file(path: Path) -> Path | None:
    try:
        return path if path.is_file() else None
    except OSError:
        return None
