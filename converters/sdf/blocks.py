"""What Gazebo alone knows of a model, as the <gazebo> blocks of a URDF; converters.urdf.gazebo is the way back."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

from msgspec.structs import replace

from converters.context import Options
from converters.passes.contacts import solid
from converters.registry import Fits, Load, Loss, Pass
from converters.sdf.include import FORMAT
from converters.sdf.lights import write_light
from converters.sdf.package import NEWEST
from converters.sdf.sensors import KNOWN, write_sensor
from converters.sdf.surface import sayable, write_surface
from converters.sdf.tables import TOP
from converters.sdf.values import put
from converters.sdf.write_models import joint_frame, restored, write_motion
from converters.source.gazebo import COLLISION, JOINT
from converters.source.tree import Element, fragment, serialise
from ir.names import unique
from ir.pose import compose, invert
from ir.scene import Scene
from ir.types import WORLD, Block, Body, Extra, Geom, Joint, Role, Scope, Sensor

SPRINGS = (("springReference", "spring_reference"), ("springStiffness", "stiffness"))
LEFT = ("inertial", "pose")
"""Children of a link that a block cannot say."""


class _Held:
    """Sensors and plugins by the body or joint that holds them; what a block says is taken out."""

    def __init__(self, scene: Scene) -> None:
        self.sensors = dict(scene.tables["sensor"])
        self.blocks = dict(scene.tables["block"])
        self._sensors: dict[str, list[Sensor]] = {}
        self._blocks: dict[str, list[Block]] = {}
        for sensor in self.sensors.values():
            holder = sensor.target if sensor.target in scene.joints else sensor.body
            if sensor.kind in KNOWN and holder is not None:
                self._sensors.setdefault(holder, []).append(sensor)
        for block in self.blocks.values():
            if block.dialect == FORMAT:
                self._blocks.setdefault(block.target, []).append(block)

    def sensors_of(self, name: str) -> Iterable[Sensor]:
        for sensor in self._sensors.get(name, ()):
            del self.sensors[sensor.name]
            yield sensor

    def plugins_of(self, name: str) -> Iterable[Element]:
        for block in self._blocks.get(name, ()):
            del self.blocks[block.name]
            yield from (fragment(extra.text) for extra in block.extras)


def _apply(scene: Scene, fits: Fits, options: Options, load: Load) -> Scene:
    scene = _as_one_model(scene)
    held = _Held(scene)
    made: list[tuple[str, Element]] = []

    def block(target: str) -> Element:
        element = Element("gazebo", {"reference": target} if target else {})
        made.append((target, element))
        return element

    bodies = [_body(body, block(body.name), held) if body.name != WORLD else body for body in scene.bodies.values()]
    joints = [_joint(joint, block(joint.name), held) for joint in scene.joints.values()]
    if scene.notation.get(TOP) == "model":
        block("").content += held.plugins_of("")
    blocks = held.blocks
    for target, element in made:
        if element.content:
            name = unique(f"gazebo_{len(blocks) + 1}", blocks)
            extra = Extra(format=fits.blocks, path="", text=serialise(element))
            blocks[name] = Block(name=name, dialect="gazebo", target=target, extras=(extra,))
    if blocks == scene.tables["block"]:
        return scene
    tables = {"block": blocks.values(), "sensor": held.sensors.values()}
    return scene.evolve(bodies=bodies, joints=joints, tables=tables)


def _as_one_model(scene: Scene) -> Scene:
    """What models inside say of their links, said of the whole where they agree, else of each link: a URDF is one."""
    scopes: dict[str, Scope] = dict(scene.tables["scope"])
    inner = [name for name in scopes if name and scopes[name].self_collide]
    if not inner:
        return scene
    bodies = list(scene.bodies.values())
    if {body.scope for body in bodies if body.name != WORLD and solid(body)} <= set(inner):
        return scene.evolve(
            tables={"scope": ({"": replace(scopes.pop("", WHOLE), self_collide=True)} | scopes).values()}
        )
    return scene.evolve(
        bodies=[
            replace(body, self_collide=True) if body.scope in inner and body.self_collide is None else body
            for body in bodies
        ]
    )


WHOLE = Scope(name="")


def _body(body: Body, block: Element, held: _Held) -> Body:
    """The body without what the block takes over."""
    write_motion(block, body)
    geoms = _collisions(body.geoms, block)
    for light in body.lights:
        write_light(block, light, light.label or light.name, NEWEST)
        restored(block, light.extras)
    for sensor in held.sensors_of(body.name):
        write_sensor(block, sensor, sensor.label or sensor.name, NEWEST)
        restored(block, sensor.extras)
    block.content += held.plugins_of(body.name)
    kept = []
    for extra in body.extras:
        element = _whole(extra)
        if element is None or element.tag in LEFT:
            kept.append(extra)
        else:
            block.content.append(element)
    return replace(
        body,
        geoms=geoms,
        lights=(),
        gravity=1.0,
        self_collide=None,
        kinematic=False,
        linear_damping=None,
        angular_damping=None,
        extras=tuple(kept),
    )


def _whole(extra: Extra) -> Element | None:
    """The child of the entity's own element that an extra is; None for anything else."""
    return fragment(extra.text) if extra.format == FORMAT and CHILD.fullmatch(extra.path) else None


def _collisions(geoms: tuple[Geom, ...], block: Element) -> tuple[Geom, ...]:
    """The geoms without the surface that all collisions of the body share: a block says one for all of them."""
    roles = (Role.COLLISION, Role.BOTH)
    parts = [geom for geom in geoms if geom.role in roles]
    if not parts or not sayable(parts[0].surface):
        return geoms
    if any(geom.surface != parts[0].surface or _said(geom) != _said(parts[0]) for geom in parts):
        return geoms
    collision = Element("collision")
    write_surface(collision, parts[0].surface, native=True)
    collision.content += [fragment(text) for text in _said(parts[0])]
    for word, path in COLLISION.items():
        _word(collision, block, word, (path,))
    if collision.content:
        block.content.append(collision)
    return tuple(
        replace(geom, surface=None, extras=tuple(extra for extra in geom.extras if extra.text not in _said(geom)))
        if geom.role in roles
        else geom
        for geom in geoms
    )


def _said(geom: Geom) -> list[str]:
    """What stands in a collision beside its surface, and words of blocks say."""
    return [extra.text for extra in geom.extras if extra.format == FORMAT and extra.path in SINGLE]


CHILD = re.compile(r"[^/@]+\[\d+\]")
SINGLE = frozenset(f"{path}[1]" for path in COLLISION.values() if "/" not in path)


def _word(owner: Element, block: Element, word: str, paths: tuple[str, ...]) -> None:
    """Say by one word of blocks what stands at all these places of an element, and take it away there."""
    ways = [way for path in paths if (way := _way(owner, path)) is not None]
    texts = {str(way[-1].content[0]) for way in ways}
    if len(ways) < len(paths) or len(texts) > 1:
        return
    block.add(word).content.append(texts.pop())
    for way in ways:
        for above, item in reversed([*pairwise(way)]):
            if item is way[-1] or not item.content:
                above.content.remove(item)


def _way(owner: Element, path: str) -> list[Element] | None:
    """The elements from the owner down to one that is nothing but a text; None where there is none."""
    way = [owner]
    for step in path.split("/"):
        item = way[-1].find(step)
        if item is None or item.attrs:
            return None
        way.append(item)
    content = way[-1].content
    return way if len(content) == 1 and isinstance(content[0], str) else None


def _joint(joint: Joint, block: Element, held: _Held) -> Joint:
    """The joint without what the block takes over."""
    kept = []
    for extra in joint.extras:
        words = Element("gazebo")
        holder = Element("joint")
        element = _whole(extra)
        if element is not None:
            holder.content.append(element)
            for word, paths in JOINT.items():
                _word(holder, words, word, paths)
        if element is None or holder.content:
            kept.append(extra)
        else:
            block.content += words.content
    dofs = joint.dofs
    if len(dofs) == 1:
        for word, field in SPRINGS:
            if getattr(dofs[0], field):
                put(block, word, getattr(dofs[0], field))
        dofs = (replace(dofs[0], stiffness=0.0, spring_reference=0.0),)
    for sensor in held.sensors_of(joint.name):
        inside = compose(invert(joint_frame(joint.dofs)), sensor.pose)
        write_sensor(block, replace(sensor, pose=inside), sensor.label or sensor.name, NEWEST)
        restored(block, sensor.extras)
    block.content += held.plugins_of(joint.name)
    return replace(joint, dofs=dofs, extras=tuple(kept))


BLOCKS = Pass(
    loss=Loss(
        field="block",
        rule="sdf/gazebo-block",
        reason="said in a <gazebo> block, which Gazebo and this program read; other readers of the target pass over it",
    ),
    wanted=lambda fits, options: bool(fits.blocks),
    apply=_apply,
    moves=True,
)
