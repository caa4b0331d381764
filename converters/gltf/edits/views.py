"""What others have changed of the frames, cameras and lights of a document of ours."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set as AbstractSet
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from converters.gltf.data.plain import plain
from converters.gltf.ours.graph import TREE, close, part_of
from converters.gltf.ours.marks import Tree
from converters.gltf.scene.positions import pose_text, same
from converters.gltf.scene.views import ACTIVE, KINDS, camera, lamp_of, light, off, read_camera, read_light
from converters.source.json import Node
from ir.plain import as_json, to_plain
from ir.pose import compose, invert
from ir.scene import Address, Scene
from ir.types import Body, Camera, Frame, Light, Sensor

Item = TypeVar("Item", bound=Frame | Camera | Light)
Tell = Callable[..., None]
"""where, before, after, reason, and the parts of the document that are explained."""
OPTICS = ("fov_y", "near", "far", "orthographic", "span")
SHINE = ("kind", "diffuse", "intensity", "range", "inner", "outer")


class Views(Struct):
    """Both sides. made: cameras that passes made, and what of. changed: parts that are not what they were."""

    scene: Scene
    root: Node
    tree: Tree
    made: Sequence[tuple[Address, Sequence[Address]]]
    tell: Tell
    changed: AbstractSet[str]

    def bodies(self, bodies: Sequence[Body]) -> list[Body]:
        """The bodies with their frames, cameras and lights as the document has them.

        A frame without a node stays: some tools take out all nodes that show nothing.
        """
        found = []
        for body in bodies:
            frames = tuple(self._placed("frame", frame, body.name) for frame in body.frames)
            views = (view for view in body.cameras if self._stays("camera", view.name, body.name))
            lamps = (
                lamp for lamp in body.lights if lamp.kind not in KINDS or self._stays("light", lamp.name, body.name)
            )
            cameras = tuple(self._seeing(self._placed("camera", view, body.name)) for view in views)
            lights = tuple(self._shining(self._placed("light", lamp, body.name)) for lamp in lamps)
            found.append(replace(body, frames=frames, cameras=cameras, lights=lights))
        return found

    def sensors(self) -> list[Sensor]:
        """The sensors as the cameras show them that were made of some. One whose camera is gone is not taken out here:
        it is what that camera was made of (own)."""
        sensors = dict(self.scene.tables["sensor"])
        for address, ends in self.made:
            body, name = address[0].removeprefix("body/"), address[-1]
            sensor = sensors.get(ends[0][0].removeprefix("sensor/"))
            if not self._stays("camera", name, body) or sensor is None or sensor.camera is None:
                continue
            lens = sensor.camera.pose
            view = replace(sensor.camera, name=name, pose=compose(sensor.pose, lens))
            now = self._seeing(self._placed("camera", view, body))
            if now != view:
                pose = sensor.pose if now.pose == view.pose else compose(now.pose, invert(lens))
                camera = replace(now, name=sensor.camera.name, pose=lens)
                sensors[sensor.name] = replace(sensor, pose=pose, camera=camera)
        return list(sensors.values())

    def _stays(self, kind: str, name: str, body: str) -> bool:
        if (kind, name) in self.tree.leaves:
            return True
        above = self.tree.nodes.get(body)
        places = [above] if above is not None else self.tree.roots
        self.tell(f"{kind}/{name}", kind, "", f"the node of the {kind} was taken out", *places, TREE)
        return False

    def _placed(self, kind: str, item: Item, body: str) -> Item:
        leaf = self.tree.leaves.get((kind, item.name))
        if leaf is None or leaf.body != body or same(leaf.pose, item.pose):
            return item
        reason = f"the node of the {kind} was moved"
        self.tell(f"{kind}/{item.name}", pose_text(item.pose), pose_text(leaf.pose), reason, leaf.node)
        return replace(item, pose=leaf.pose)

    def _seeing(self, view: Camera) -> Camera:
        """The camera with the optics of the document, where they are not what was written."""
        cameras = self.root.children("cameras")
        number = self.tree.leaves["camera", view.name].node.index("camera", len(cameras))
        if number is None or part_of(cameras[number]) not in self.changed:
            return view
        entry = cameras[number]
        written = Node(plain(camera(view)), self.root.document, entry.pointer)
        now, then = (read_camera(each, view.name, None, view.pose) for each in (entry, written))
        return _changed(view, now, then, OPTICS, entry, self.tell)

    def _shining(self, lamp: Light) -> Light:
        leaf = self.tree.leaves.get(("light", lamp.name))
        entry, written = lamp_of(leaf.node, self.root) if leaf is not None else None, light(lamp)
        if entry is None or written is None or part_of(entry) not in self.changed:
            return lamp
        nodes = (entry, Node(written, self.root.document, entry.pointer))
        now, then = (read_light(each, lamp.name, None, lamp.pose) for each in nodes)
        made = _changed(lamp, now, then, SHINE, entry, self.tell)
        if off(lamp) and made.intensity != lamp.intensity:  # whoever makes it bright wants it to shine
            made = replace(made, parameters=tuple(each for each in made.parameters if each[0] != ACTIVE))
        return made


def _changed(item: Item, now: Item, then: Item, keys: Sequence[str], node: Node, tell: Tell) -> Item:
    """The item with what is not what it was among these fields."""
    new: dict[str, Any] = {}
    for key in keys:
        value, before = getattr(now, key), getattr(then, key)
        if not close(to_plain(value), to_plain(before)):
            new[key] = value
    if not new:
        return item
    before, after = (as_json({key: to_plain(getattr(each, key)) for key in new}) for each in (then, now))
    kind = type(item).__name__.lower()
    tell(f"{kind}/{item.name}", before, after, f"the {kind} was changed", node)
    return replace(item, **new)
