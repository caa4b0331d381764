"""Edited frames, cameras and lights of a document of ours."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from converters.gltf.data.extensions import INSTANCES, LIGHTS
from converters.gltf.data.plain import plain
from converters.gltf.data.raw import members
from converters.gltf.edits.baseline import POSE, Editor, Explained, hanging_nodes
from converters.gltf.ours.graph import EXTRAS, OUTER, TREE, nearly_equal, part_of
from converters.gltf.ours.marks import Leaf, Tree
from converters.gltf.scene.positions import pose_text, same_pose
from converters.gltf.scene.views import ACTIVE, KINDS, camera, lamp_of, light, read_camera, read_light, switched_off
from converters.source.json import JsonObject
from converters.source.pointers import escaped
from ir.names import unique
from ir.plain import as_json, to_plain
from ir.pose import compose, invert
from ir.refs import declared
from ir.scene import Address
from ir.types import WORLD, Body, Camera, Extra, Frame, Light, Sensor, Source

ItemT = TypeVar("ItemT", bound=Frame | Camera | Light)
Fields = Mapping[str, tuple[str, ...]]
SHOWN = ("mesh", "name", "children", "matrix", "translation", "rotation", "scale", "extensions", "extras")
"""Members of nodes that define what is shown and where, and those that contain other data."""
VIEWED = ("camera", f"extensions/{LIGHTS}")
"""What cameras and lights are made of (members_besides)."""
OPTICS = {
    "fov_y": ("perspective/yfov",),
    "near": ("perspective/znear", "orthographic/znear"),
    "far": ("perspective/zfar", "orthographic/zfar"),
    "orthographic": ("type",),
    "span": ("orthographic/ymag",),
}
"""Fields that are read of cameras, and the members that define them; likewise for lights below."""
VIEWS = ("camera", "light", "frame")
SHINE = {
    "kind": ("type",),
    "diffuse": ("color",),
    "intensity": ("intensity",),
    "range": ("range",),
    "inner": ("spot/innerConeAngle",),
    "outer": ("spot/outerConeAngle",),
}


class ViewEdits(Struct):
    """Edits of frames, cameras and lights. made: cameras that passes created, with their origins."""

    editor: Editor
    made: Sequence[tuple[Address, Sequence[Address]]]
    more: dict[str, dict[str, list[Any]]] = field(default_factory=dict)
    """Things that were added to bodies, by the field that contains them."""

    def bodies(self, bodies: Sequence[Body]) -> list[Body]:
        """Return the bodies with their frames, cameras and lights as in the document.

        A frame without a node is kept: some tools remove all nodes that show nothing.
        """
        found = []
        for body in bodies:
            frames = tuple(self._with_pose("frame", frame, body.name) for frame in body.frames)
            views = (view for view in body.cameras if self._has_node("camera", view.name, body.name))
            lamps = (
                lamp for lamp in body.lights if lamp.kind not in KINDS or self._has_node("light", lamp.name, body.name)
            )
            cameras = tuple(self._with_optics(self._with_pose("camera", view, body.name)) for view in views)
            lights = tuple(self._with_light(self._with_pose("light", lamp, body.name)) for lamp in lamps)
            found.append(replace(body, frames=frames, cameras=cameras, lights=lights))
        return [
            replace(body, **{key: (*getattr(body, key), *items) for key, items in self.more.get(body.name, {}).items()})
            for body in found
        ]

    def added(self) -> None:
        """Collect added cameras, lights and frames."""
        taken = {kind: {*names} for kind, names in declared(self.editor.scene).items() if kind in VIEWS}
        for leaf in self.editor.tree.strangers:
            for kind in (
                added_views(leaf, self.editor.tree, self.editor.root) if leaf.body in self.editor.scene.bodies else ()
            ):
                name = unique(leaf.name or kind, taken[kind])
                item = self._read_added(kind, name, leaf)
                if item is not None:
                    taken[kind].add(name)
                    self.more.setdefault(leaf.body, {}).setdefault(f"{kind}s", []).append(item)

    def _read_added(self, kind: str, name: str, leaf: Leaf) -> Frame | Camera | Light | None:
        """Return the thing that an added node represents; it is noted."""
        label = None if leaf.name else ""
        item: Frame | Camera | Light | None = Frame(name=name, label=label, pose=leaf.pose)
        parts: list[Explained] = [leaf.node, TREE, "nodes"]
        number = leaf.node.index("camera", len(self.editor.root.children("cameras"))) if kind == "camera" else None
        if number is not None:
            entry = self.editor.root.children("cameras")[number]
            item = entry.attempt(read_camera, entry, name, label, leaf.pose)
            parts += [entry if self.editor.is_new(entry) else (entry, ()), "cameras"]
        lamp = lamp_of(leaf.node, self.editor.root) if kind == "light" else None
        if lamp is not None:
            item = lamp.attempt(read_light, lamp, name, label, leaf.pose)
            parts += [lamp if self.editor.is_new(lamp) else (lamp, ()), f"{OUTER}{LIGHTS}/lights"]
        if item is not None:
            where = "the world" if leaf.body == WORLD else f"the body {leaf.body!r}"
            self.editor.tell(f"{kind}/{name}", "", kind, f"a {kind} was added to {where}", *parts)
            if leaf.mesh is None:  # otherwise the rest of the node belongs to the mesh
                item = replace(item, extras=(*item.extras, *extras_besides(leaf.node, VIEWED)))
        return item

    def sensors(self) -> list[Sensor]:
        """Return the sensors, updated from the cameras that were created from them. A sensor whose camera is gone is
        not removed here: it is only the origin of that camera."""
        sensors = dict(self.editor.scene.tables["sensor"])
        for address, ends in self.made:
            body, name = address[0].removeprefix("body/"), address[-1]
            sensor = sensors.get(ends[0][0].removeprefix("sensor/"))
            if not self._has_node("camera", name, body) or sensor is None or sensor.camera is None:
                continue
            lens = sensor.camera.pose
            view = replace(sensor.camera, name=name, pose=compose(sensor.pose, lens))
            now = self._with_optics(self._with_pose("camera", view, body))
            if now != view:
                pose = sensor.pose if now.pose == view.pose else compose(now.pose, invert(lens))
                camera = replace(now, name=sensor.camera.name, pose=lens)
                sensors[sensor.name] = replace(sensor, pose=pose, camera=camera)
        return list(sensors.values())

    def _has_node(self, kind: str, name: str, body: str) -> bool:
        if (kind, name) in self.editor.tree.leaves:
            return True
        node = self.editor.tree.nodes.get(body)
        places = hanging_nodes(*([node] if node is not None else self.editor.tree.roots))
        self.editor.tell(f"{kind}/{name}", kind, "", f"the node of the {kind} was taken out", *places, TREE)
        return False

    def _with_pose(self, kind: str, item: ItemT, body: str) -> ItemT:
        leaf = self.editor.tree.leaves.get((kind, item.name))
        if leaf is None or leaf.body != body or same_pose(leaf.pose, item.pose) or self._stands_as_written(leaf):
            return item
        reason = f"the node of the {kind} was moved"
        before, after = pose_text(item.pose), pose_text(leaf.pose)
        self.editor.tell(f"{kind}/{item.name}", before, after, reason, (leaf.node, POSE))
        return replace(item, pose=leaf.pose)

    def _stands_as_written(self, leaf: Leaf) -> bool:
        """Whether a node is unchanged and still below the node of its body: a camera or light that tracks a body is
        written as it looks in the shown configuration, so its pose may differ from that in the graph."""
        part = part_of(leaf.node)
        holder = self.editor.tree.nodes.get(leaf.body)
        holders = [holder] if holder is not None else self.editor.tree.roots
        hung = [number for node in holders for number in node.members.get("children", ())]
        return part not in self.editor.changed and int(part.rpartition("/")[2]) in hung

    def _with_optics(self, view: Camera) -> Camera:
        """Return the camera with the optics of the document, where they differ from what was written."""
        cameras = self.editor.root.children("cameras")
        node = self.editor.tree.leaves["camera", view.name].node
        number = node.index("camera", len(cameras))
        if number is None or not self.editor.touched(node, cameras[number]):
            return view
        entry = cameras[number]
        written = JsonObject(plain(camera(view)), self.editor.root.document, entry.pointer)
        now, then = (read_camera(each, view.name, None, view.pose) for each in (entry, written))
        return _with_changed_fields(view, now, then, OPTICS, entry, self.editor)

    def _with_light(self, lamp: Light) -> Light:
        leaf = self.editor.tree.leaves.get(("light", lamp.name))
        entry, written = lamp_of(leaf.node, self.editor.root) if leaf is not None else None, light(lamp)
        if leaf is None or entry is None or written is None or not self.editor.touched(leaf.node, entry):
            return lamp
        nodes = (entry, JsonObject(written, self.editor.root.document, entry.pointer))
        now, then = (read_light(each, lamp.name, None, lamp.pose) for each in nodes)
        made = _with_changed_fields(lamp, now, then, SHINE, entry, self.editor)
        if switched_off(lamp) and made.intensity != lamp.intensity:  # a light made bright is meant to be on
            made = replace(made, parameters=tuple(each for each in made.parameters if each[0] != ACTIVE))
        return made


def members_besides(node: JsonObject) -> list[str]:
    """Return the members of a node other than its mesh and pose; our marks are those of the node it was copied from."""
    return [
        *(key for key in node.members if key not in SHOWN),
        *(f"extensions/{key}" for key in members(node.members, "extensions") if key != INSTANCES),
        *(f"extras/{key}" for key in members(node.members, "extras") if not key.startswith(EXTRAS)),
    ]


def extras_besides(node: JsonObject, told: Collection[str]) -> tuple[Extra, ...]:
    """What a node that was added says besides (members_besides), but for what was made of it (told)."""
    found = []
    for path in members_besides(node):
        if path in told:
            continue
        holder, _, key = path.partition("/")
        inner = holder if holder in ("extensions", "extras") and path != holder else ""
        value = node.members[inner][key] if inner else node.members[path]
        place = f"{inner}/{escaped(key)}" if inner else escaped(path)
        source = Source(node.source.file, node.source.line, f"{node.pointer}/{place}")
        found.append(Extra(format=node.document.format, path=place, text=as_json(value), source=source))
    return tuple(found)


def added_views(leaf: Leaf, tree: Tree, root: JsonObject) -> tuple[str, ...]:
    """Return what an added node is in addition to a mesh: a camera, a light, or, by its name only, a frame.

    Some programs put the lens of one of our cameras on a child node: that is the camera we already have.
    """
    if leaf.apart:
        return ()
    bare = [each for (kind, _), each in tree.leaves.items() if kind in VIEWS[:2] and each.body == leaf.body]
    if any(not _has_camera_or_light(each.node) and each.pose.pos == leaf.pose.pos for each in bare):
        return ()
    found = [*(["camera"] if "camera" in leaf.node else []), *(["light"] if lamp_of(leaf.node, root) else [])]
    if found or leaf.mesh is not None or not leaf.name or leaf.kind not in ("", "frame"):
        return tuple(found)
    others = {*leaf.node.members} & {"children", "extensions", "skin", "weights"}
    return () if others or "skins" in root else ("frame",)


def _has_camera_or_light(node: JsonObject) -> bool:
    """Whether a node has a camera or a light itself."""
    return "camera" in node or LIGHTS in members(node.members, "extensions")


def _with_changed_fields(item: ItemT, now: ItemT, then: ItemT, keys: Fields, node: JsonObject, editor: Editor) -> ItemT:
    """Return the item with those of these fields that have changed."""
    new: dict[str, Any] = {}
    for key in keys:
        value, before = getattr(now, key), getattr(then, key)
        if not nearly_equal(to_plain(value), to_plain(before)):
            new[key] = value
    if not new:
        return item
    before, after = (as_json({key: to_plain(getattr(each, key)) for key in new}) for each in (then, now))
    kind = type(item).__name__.lower()
    said = tuple(member for key in new for member in keys[key])
    editor.tell(f"{kind}/{item.name}", before, after, f"the {kind} was changed", (node, said))
    return replace(item, **new)
