"""What Gazebo calls the collisions of a URDF, which sensors of contact name: libsdformat makes what fixed joints hold a
part of the link that it hangs on, and calls each by its link (parser_urdf.cc, ReduceFixedJoints, CreateCollision)."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from converters.source.gazebo import KEPT, TRUE
from converters.source.tree import Element, fragment, serialise
from converters.urdf.insertion import text_of
from ir.scene import Scene
from ir.types import WORLD, Block, Extra, Geom, Role, Sensor

LUMP = "_fixed_joint_lump__"


def heard(sensor: Sensor, names: Mapping[str, str]) -> Sensor:
    """The sensor with what it says of collisions said by other names, those that there are of what it names."""
    return replace(sensor, extras=tuple(_heard(extra, names) for extra in sensor.extras))


def _heard(extra: Extra, names: Mapping[str, str]) -> Extra:
    element = fragment(extra.text) if extra.path.startswith("contact[") else Element("")
    named = [item for item in element.below() if item.tag == "collision" and item.own_text() in names]
    for item in named:
        item.content = [names[item.own_text()]]
    return replace(extra, text=serialise(element)) if named else extra


def called(scene: Scene) -> Mapping[str, Mapping[str, str]]:
    """Link -> what Gazebo calls each of its collisions -> the name of that geom."""
    held = _held(scene)
    lumped = {name for names in held.values() for name in names}
    found: dict[str, dict[str, str]] = {}
    for root in scene.bodies:
        stack, count = [] if root in lumped else [root], 0
        while stack:
            link = stack.pop()
            stack += reversed(held.get(link, ()))
            names = found[link] = {}
            for geom in scene.body(link).geoms:
                if geom.role in Role.COLLIDING:
                    names[_called(geom, link, root, count)] = geom.name
                    count += 1
    return found


def _called(geom: Geom, link: str, root: str, index: int) -> str:
    """What does not begin as the name of the root is taken for a part of another link."""
    name = (geom.name if geom.label is None else geom.label) or link
    return f"{'' if name.startswith(root) else root + LUMP}{name}_collision{f'_{index}' if index else ''}"


def _held(scene: Scene) -> dict[str, list[str]]:
    """Link -> those that fixed joints make a part of it, by the names of the joints: urdfdom has them in that order."""
    blocks: Mapping[str, Block] = scene.tables["block"]
    kept = {block.target for block in blocks.values() if block.dialect == "gazebo" and any(map(_keeps, block.extras))}
    found: dict[str, list[str]] = {}
    for joint in sorted(scene.joints.values(), key=lambda joint: joint.name):
        if not joint.dofs and not joint.closes_loop and joint.parent != WORLD and joint.name not in kept:
            found.setdefault(joint.parent, []).append(joint.child)
    return found


def _keeps(extra: Extra) -> bool:
    return any(item.tag in KEPT and text_of(item).lower() in TRUE for item in fragment(extra.text).elements())
