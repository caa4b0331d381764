"""Checks of what other programs rely on in a document of ours, though our reader does not: location, extent and type of
arrays, and what is listed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from converters.assets.textures import MEDIA
from converters.gltf.data.accessors import COMPONENTS, TYPES, Accessors
from converters.gltf.data.extensions import BODIES, DRACO, INSTANCES, LIGHTS, OMI_BODIES, OMI_JOINTS
from converters.gltf.scene.layout import KIND
from ir.arrays import column_bounds, np
from ir.diff import Said

WIDTHS = {"POSITION": {"VEC3"}, "NORMAL": {"VEC3"}, "TANGENT": {"VEC4"}, "TEXCOORD_0": {"VEC2"}}
WIDTHS |= {"COLOR_0": {"VEC3", "VEC4"}}
VERTICES, CORNERS = 34962, 34963
"""Values of bufferView.target (3.6.2.4)."""
SOME = 64
"""Number of rows of normals and tangents that are checked."""
MANY = 128
"""Number of tables after which only bounds are checked: an error in one occurs in many."""
LONG = 1e-3
"""Tolerance for the length of normals, tangents and rotations, which should be 1."""
SIZES = {code: int(kind[2:]) for code, kind in COMPONENTS.items()}
ACTING = {"geom": "mesh", "camera": "camera", "light": LIGHTS}
ACTING |= {"body": "motion", "collider": "collider", "joint": "joint"}
"""Kind of a node (ours.marks) -> the only visible or physical content that it may have."""
WRONG = (IndexError, KeyError, TypeError, ValueError)


class Storage:
    """The tables of a document; accessors: its arrays."""

    def __init__(self, members: Mapping[str, Any], accessors: Accessors, buffers: Sequence[memoryview]) -> None:
        self.members = members
        self.buffers = buffers
        self.array = accessors.written
        self.accessors, self.views = members.get("accessors", []), members.get("bufferViews", [])
        self.seen: set[object] = set()

    def faults(self) -> Iterator[Said]:
        """Yield (JSON pointer, expected, found)."""
        checks = {
            "bufferViews": self._faults_of_view,
            "accessors": self._faults_of_accessor,
            "meshes": self._faults_of_mesh,
            "images": self._faults_of_image,
        }
        checks |= {
            "materials": self._faults_of_material,
            "animations": self._faults_of_animation,
            "nodes": self._faults_of_node,
        }
        yield from self._faults_of_head()
        for table, check in checks.items():
            for number, each in enumerate(self.members.get(table, ())):
                try:
                    found = [*check(each)]
                except WRONG as error:
                    found = [("", "what can be read", f"{type(error).__name__} {error}")]
                yield from ((f"/{table}/{number}{place}", meant, said) for place, meant, said in found)

    def _faults_of_head(self) -> Iterator[Said]:
        version = self.members.get("asset", {}).get("version")
        if version != "2.0":
            yield "/asset/version", "2.0", version
        if self.members.get("scene") != 0:
            yield "/scene", 0, self.members.get("scene")
        listed = self.members.get("extensionsUsed", [])
        used = set(_extensions_said(self.members))
        if not used <= {*listed}:
            yield "/extensionsUsed", " ".join(sorted(used)), " ".join(listed)
        if not {*self.members.get("extensionsRequired", [])} <= {*listed}:
            yield "/extensionsRequired", listed, self.members["extensionsRequired"]

    def _faults_of_node(self, node: Mapping[str, Any]) -> Iterator[Said]:
        said, kind = node.get("extensions", {}), node.get("extras", {}).get(KIND, "")
        acting = [key for key in ("mesh", "skin", "camera") if key in node]
        acting += [key for key in (LIGHTS, INSTANCES) if key in said] + ["joint"] * (OMI_JOINTS in said)
        acting += [key for name in (BODIES, OMI_BODIES) for key in said.get(name, ())]
        yield from ((f"/{key}", "no such thing", kind) for key in acting if key != ACTING.get(kind))

    def _faults_of_view(self, view: Mapping[str, Any]) -> Iterator[Said]:
        begins, length, most = view.get("byteOffset", 0), view["byteLength"], len(self.buffers[view["buffer"]])
        if begins < 0 or length < 1 or begins + length > most:
            yield "/byteLength", most - begins, length
        stride = view.get("byteStride", 4)
        if stride % 4 or not 4 <= stride <= 252:
            yield "/byteStride", "a multiple of 4", stride

    def _faults_of_accessor(self, said: Mapping[str, Any]) -> Iterator[Said]:
        size, (rows, columns) = SIZES[said["componentType"]], TYPES[said["type"]]
        if said["count"] < 1:
            yield "/count", "1 or more", said["count"]
        if "bufferView" not in said:
            return
        view = self.views[said["bufferView"]]
        element = rows * columns * size
        stride, begins = view.get("byteStride", element), said.get("byteOffset", 0)
        if stride < element or begins + stride * (said["count"] - 1) + element > view["byteLength"]:
            yield "/count", view["byteLength"] // max(stride, 1), said["count"]
        if (begins + view.get("byteOffset", 0)) % size or stride % size:
            yield "/byteOffset", f"a multiple of {size}", begins

    def _faults_of_mesh(self, mesh: Mapping[str, Any]) -> Iterator[Said]:
        for number, primitive in enumerate(mesh["primitives"]):
            found = self._faults_of_primitive(primitive)
            yield from ((f"/primitives/{number}{place}", meant, said) for place, meant, said in found)

    def _faults_of_primitive(self, primitive: Mapping[str, Any]) -> Iterator[Said]:
        attributes, packed = primitive["attributes"], DRACO in primitive.get("extensions", {})
        count = self.accessors[attributes["POSITION"]]["count"]
        if primitive.get("mode", 4) != 4:
            yield "/mode", 4, primitive["mode"]
        if not 0 <= primitive.get("material", 0) < max(len(self.members.get("materials", ())), 1):
            yield "/material", "one that is there", primitive["material"]
        for name, number in attributes.items():
            said = self.accessors[number]
            if said["count"] != count or said["type"] not in WIDTHS.get(name, said["type"]):
                yield f"/attributes/{name}", count, said["count"]
            if packed or (name, number) in self.seen:
                continue
            self.seen.add((name, number))
            found = self._faults_of_attribute(name, number, said)
            yield from ((f"/attributes/{name}{place}", meant, there) for place, meant, there in found)
        corners, key = self.accessors[primitive["indices"]], (primitive["indices"], count)
        if corners["type"] != "SCALAR" or corners["componentType"] not in (5123, 5125) or corners["count"] % 3:
            yield "/indices", "triangles", corners["type"]
        elif not packed and key not in self.seen:
            self.seen.add(key)
            highest = int(self.array(primitive["indices"]).max())
            if highest >= count:
                yield "/indices", f"below {count}", highest
            if self.views[corners["bufferView"]].get("target", CORNERS) != CORNERS:
                yield "/indices", CORNERS, self.views[corners["bufferView"]]["target"]

    def _faults_of_attribute(self, name: str, number: int, said: Mapping[str, Any]) -> Iterator[Said]:
        values = self.array(number)
        if self.views[said["bufferView"]].get("target", VERTICES) != VERTICES:
            yield "", VERTICES, self.views[said["bufferView"]]["target"]
        if said.get("normalized", False) != (values.dtype.kind != "f"):
            yield "", f"normalized {values.dtype.kind != 'f'}", said.get("normalized", False)
        if name == "POSITION":
            yield from _faults_of_bounds(values, said)
        elif len(self.seen) > MANY:
            return
        elif name in ("NORMAL", "TANGENT"):
            whole = 1.0 if values.dtype.kind == "f" else float(np.iinfo(values.dtype).max)
            x, y, z = values[:: max(len(values) // SOME, 1), :3].T.astype(np.float64)
            away = float(np.abs(np.sqrt(x * x + y * y + z * z) / whole - 1.0).max())
            if not away <= LONG:
                yield "", "of length 1", 1.0 + away
        elif values.dtype.kind == "f" and not bool(np.isfinite(values[:: max(len(values) // SOME, 1)]).all()):
            yield "", "finite numbers", "others"

    def _faults_of_image(self, image: Mapping[str, Any]) -> Iterator[Said]:
        if "bufferView" not in image:
            if not image.get("uri"):
                yield "", "an image", None
            return
        view = self.views[image["bufferView"]]
        begins = view.get("byteOffset", 0)
        if not bytes(self.buffers[view["buffer"]][begins : begins + 8]).startswith(MEDIA[image["mimeType"]]):
            yield "/mimeType", "that of the image", image["mimeType"]

    def _faults_of_material(self, look: Mapping[str, Any]) -> Iterator[Said]:
        pbr, textures = look.get("pbrMetallicRoughness", {}), self.members.get("textures", ())
        mode, alpha = look.get("alphaMode", "OPAQUE"), pbr.get("baseColorFactor", (1.0,) * 4)[3]
        if mode not in ("OPAQUE", "MASK", "BLEND") or (mode == "OPAQUE" and alpha < 1.0):
            yield "/alphaMode", "BLEND", mode
        for key in ("metallicFactor", "roughnessFactor"):
            if not 0.0 <= pbr.get(key, 1.0) <= 1.0:
                yield f"/{key}", "0 to 1", pbr[key]
        for key, info in (*pbr.items(), *look.items()):
            if key.endswith("Texture"):
                image = textures[info["index"]]["source"]
                if not 0 <= image < len(self.members["images"]) or info.get("texCoord", 0) != 0:
                    yield f"/{key}", "one that is there", info

    def _faults_of_animation(self, animation: Mapping[str, Any]) -> Iterator[Said]:
        for number, sampler in enumerate(animation["samplers"]):
            times, values = self.array(sampler["input"]), self.array(sampler["output"])
            said = self.accessors[sampler["input"]]
            place = f"/samplers/{number}"
            if sampler.get("interpolation", "LINEAR") != "LINEAR":
                yield f"{place}/interpolation", "LINEAR", sampler["interpolation"]
            if len(times) != len(values) or times[0] < 0.0 or bool((np.diff(times[:, 0]) <= 0.0).any()):
                yield f"{place}/input", "times that grow", len(values)
            yield from (
                (f"{place}/input{where}", meant, there) for where, meant, there in _faults_of_bounds(times, said)
            )
            if values.shape[1] == 4 and float(np.abs(np.linalg.norm(values, axis=1) - 1.0).max()) > LONG:
                yield f"{place}/output", "rotations", "others"


def _faults_of_bounds(values: Any, said: Mapping[str, Any]) -> Iterator[Said]:
    for key, found in zip(("min", "max"), column_bounds(values), strict=True):
        if said.get(key) != found.tolist():
            yield f"/{key}", found.tolist(), said.get(key)


def _extensions_said(members: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names of the extensions that the objects of a document use."""
    primitives = (one for mesh in members.get("meshes", ()) for one in mesh.get("primitives", ()))
    looks = members.get("materials", ())
    colours = [each.get("pbrMetallicRoughness", {}) for each in looks]
    images = (info for each in (*looks, *colours) for info in each.values() if isinstance(info, dict))
    for each in (members, *members.get("nodes", ()), *primitives, *looks, *images, *members.get("textures", ())):
        yield from each.get("extensions", ())
