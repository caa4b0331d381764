"""Data that only Gazebo knows, written as the <gazebo> blocks of a URDF; converters.urdf.gazebo is the inverse."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise

from msgspec.structs import replace

from converters.format import Fits, Pass, Target
from converters.passes.bitmasks import BLOCK_PASSES
from converters.passes.contacts import collides, colliding_as, with_surface
from converters.passes.joints import simple
from converters.sdf.document.values import put
from converters.sdf.document.vocabulary import knows
from converters.sdf.parts.lights import KINDS as LIGHTS, write_light
from converters.sdf.parts.sensors import KNOWN, write_sensor, write_view
from converters.sdf.parts.surface import writable_surface, write_surface
from converters.sdf.tables import FORMAT, NEWEST, TOP
from converters.sdf.writing.models import write_motion
from converters.sdf.writing.versions import fit_to_version, in_elements
from converters.source.gazebo import COLLISION, JOINT
from converters.source.tree import Element, fragment, restore, serialise
from ir.gathering import gathered
from ir.names import Spares, block_name
from ir.pose import compose, invert, joint_frame
from ir.scene import Origins, Scene, address
from ir.types import WORLD, Block, Body, Dof, DofKind, Extra, Geom, Joint, Role, Scope, Sensor, Surface

SPRINGS = (("springReference", "spring_reference"), ("springStiffness", "stiffness"))
OLD = (("provideFeedback", ("physics/ode/provide_feedback",)),)
"""Names for paths that SDFormat had up to 1.6."""
LEFT = ("inertial", "pose")
"""Children of a link that a block cannot express."""


class _Holders:
    """Sensors and plugins by the body or joint they are attached to; those taken over by a block are removed."""

    def __init__(self, scene: Scene, fits: Fits) -> None:
        simpler = simple(scene, fits)
        self.parts = {
            joint.name: tuple(part for dof in joint.dofs for part in simpler[dof.name])
            for joint in scene.joints.values()
        }
        """Joint name -> the joints (dofs) that the target makes of it; several form a chain (passes.compound)."""
        self.places = {joint.name: joint.source for joint in scene.joints.values()}
        self.places |= {part.name: joint.source for joint in scene.joints.values() for part in self.parts[joint.name]}
        self.places |= {body.name: body.source for body in scene.bodies.values()}
        """Name of a possible target of a block -> its location in the source."""
        self.sensors = dict(scene.tables["sensor"])
        self.blocks = dict(scene.tables["block"])
        self._sensors: dict[tuple[str, str | None], list[Sensor]] = {}
        self._blocks: dict[str, list[Block]] = {}
        own = fits.mark in scene.notation
        for sensor in self.sensors.values():
            if own and fits.says(sensor) and not scene.brought.get(f"sensor/{sensor.name}"):
                continue  # the author's own: its <sensor> element can express edits, too
            jointed = sensor.target in scene.joints
            holder = ("joint", sensor.target) if jointed else ("body", sensor.body)
            unclear = jointed and sensor.target in scene.bodies  # a name of both a joint and a link means the link
            if jointed and sensor.frame == "parent":  # in a chain, the parent is an intermediate link
                unclear = unclear or len(self.parts[sensor.target]) > 1
            if sensor.kind in KNOWN and sensor.body is not None and not unclear:
                self._sensors.setdefault(holder, []).append(sensor)
        self._called = {geom.name: geom.label or geom.name for geom in scene.geoms()}
        self.made: list[tuple[str, Element]] = []
        """The blocks, each with the name of its target."""
        for block in self.blocks.values():
            if block.dialect == FORMAT:
                self.places.setdefault(block.target, block.source)
                self._blocks.setdefault(block.target, []).append(block)

    def block(self, target: str) -> Element:
        """Add a block for a body or a joint, or for the model (target "")."""
        element = Element("gazebo", {"reference": target} if target else {})
        self.made.append((target, element))
        return element

    def sensors_of(self, holder: Body | Joint) -> Iterable[Sensor]:
        """Remove and yield the sensors of a body or joint; the two may share a name."""
        for sensor in self._sensors.pop(("joint" if isinstance(holder, Joint) else "body", holder.name), ()):
            del self.sensors[sensor.name]
            yield sensor

    def write(self, parent: Element, sensor: Sensor, name: str) -> None:
        """Append <sensor>."""
        write_sensor(parent, sensor, name, NEWEST, filter(None, map(self._called.get, sensor.touching)))

    def plugins_of(self, name: str) -> Iterable[Element]:
        for block in self._blocks.pop(name, ()):
            del self.blocks[block.name]
            yield from (fragment(extra.text) for extra in block.extras)


def _with_blocks_of_bodies(scene: Scene, target: Target) -> Scene:
    scene = _with_settings_of_models(scene)
    held = _Holders(scene, target.fits)
    bodies = [_body_into_block(body, held) if body.name != WORLD else body for body in scene.bodies.values()]
    joints = [_joint_into_block(joint, held) for joint in scene.joints.values()]
    if scene.notation.get(TOP, "model") == "model":  # what an edit brings stands in the model of another document
        held.block("").content += held.plugins_of("")
    return _with_blocks(scene, held, bodies, joints, target.fits.blocks)


def _with_blocks(scene: Scene, held: _Holders, bodies: Iterable[Body], joints: Iterable[Joint], form: str) -> Scene:
    """Return the scene with the non-empty blocks, named as a reader will name them and located at their targets, and
    without the data that they now contain."""
    names: dict[str, str] = {}
    spares = Spares(held.blocks)
    for target, element in held.made:
        if element.content:
            name = names[target] = spares.of(block_name("gazebo", target))
            extra = Extra(format=form, path="", text=serialise(fit_to_version(in_elements(element, scene), NEWEST)))
            place = held.places.get(target)
            held.blocks[name] = Block(name=name, dialect="gazebo", target=target, source=place, extras=(extra,))
    if held.blocks == scene.tables["block"]:
        return scene
    tables = {"block": held.blocks.values(), "sensor": held.sensors.values()}
    return scene.evolve(bodies=bodies, joints=joints, tables=tables, origins=_origins_of_blocks(scene, held, names))


def _origins_of_blocks(scene: Scene, held: _Holders, names: Mapping[str, str]) -> Origins:
    """Return the addresses of the data in each block of a joint with several parts: these are reported together, as
    nothing has the names of the parts yet. names: target -> name of its block."""
    sensors = gathered((sensor.target, (f"sensor/{sensor.name}",)) for sensor in scene.tables["sensor"].values())
    found: Origins = {}
    for joint in scene.joints.values():
        parts = held.parts[joint.name]
        places = [
            (*address(joint, dof), field)
            for dof in joint.dofs
            for _, field in SPRINGS
            if len(parts) > 1 and getattr(dof, field)
        ]
        places += sensors.get(joint.name, []) if len(parts) > 1 else []
        found |= {(f"block/{names[part.name]}",): tuple(places) for part in parts if places and part.name in names}
    return found


def _with_blocks_of_others(scene: Scene, target: Target) -> Scene:
    """Move into blocks what any other format gives and Gazebo knows. Only links and joints of a URDF can have blocks,
    not its world."""
    held = _Holders(scene, target.fits)
    bodies = []
    for body in scene.bodies.values():
        if body.name != WORLD:
            own = held.block(body.name)
            body = _views_into_block(
                _masks_into_block(_friction_into_block(_motion_into_block(body, own), own), own), own, held
            )
        bodies.append(body)
    joints = [_drive_into_block(joint, held)[0] for joint in scene.joints.values()]
    return _with_blocks(scene, held, bodies, joints, target.fits.blocks)


def _drive_into_block(joint: Joint, held: _Holders) -> tuple[Joint, Sequence[Element]]:
    """Return the joint without the drive data moved to blocks, and its blocks; a joint with several parts has one per
    part and none as a whole."""
    parts = held.parts[joint.name]
    blocks = [held.block(part.name) for part in parts] or [held.block(joint.name)]
    joint = _springs_into_blocks(joint, parts, blocks)
    _sensors_into_block(joint, blocks[-1], held)
    return joint, blocks


def _motion_into_block(body: Body, block: Element) -> Body:
    """Return the body without the motion data moved to the block, which cannot express a fraction of gravity."""
    write_motion(block, body)
    return replace(
        body, gravity=body.gravity or 1.0, self_collide=None, kinematic=False, linear_damping=None, angular_damping=None
    )


def _friction_into_block(body: Body, block: Element) -> Body:
    """Return the body without friction shared by all its collisions. In a block mu2 does not default to mu1."""
    parts = [geom for geom in body.geoms if geom.collides]
    found = {(surface.mu, surface.mu2, surface.fdir1) for geom in parts if (surface := geom.surface or Surface())}
    along, across, direction = found.pop() if len(found) == 1 else (None, None, None)
    if along is None:
        return body
    put(block, "mu1", along)
    put(block, "mu2", along if across is None else across)
    if direction is not None:
        put(block, "fdir1", direction)
    return replace(body, geoms=tuple(_without_friction(geom) if geom.collides else geom for geom in body.geoms))


def _masks_into_block(body: Body, block: Element) -> Body:
    """Return the body without the masks that all its collisions share."""
    parts = [geom for geom in body.geoms if geom.collides]
    found = {(surface.category, surface.collide) for geom in parts if (surface := geom.surface or Surface())}
    category, collide = found.pop() if len(found) == 1 else (None, None)
    if category is None and collide is None:
        return body
    write_surface(block.add("collision"), Surface(category=category, collide=collide))
    return colliding_as(body, None, None)


def _without_friction(geom: Geom) -> Geom:
    return with_surface(geom, replace(geom.surface or Surface(), mu=None, mu2=None, fdir1=None))


def _springs_into_blocks(joint: Joint, parts: Sequence[Dof], blocks: Sequence[Element]) -> Joint:
    """Return the joint without the springs moved to the blocks of its parts; nothing changes if a part is free."""
    if any(part.kind is DofKind.FREE for part in parts):
        return joint
    for part, block in zip(parts, blocks, strict=False):
        for word, field in SPRINGS:
            if getattr(part, field):
                put(block, word, getattr(part, field))
    return replace(joint, dofs=tuple(replace(dof, stiffness=0.0, spring_reference=0.0) for dof in joint.dofs))


def _views_into_block(body: Body, block: Element, held: _Holders) -> Body:
    """Return the body without the cameras and lights moved to the block."""
    spares = Spares()
    for light in body.lights:
        if light.kind in LIGHTS:
            write_light(block, light, light.label or light.name, NEWEST)
    for sensor in held.sensors_of(body):
        held.write(block, sensor, spares.of(sensor.label or sensor.name))
    for camera in body.cameras:
        if not camera.orthographic:
            write_view(block, spares.of(camera.label or camera.name), camera, NEWEST)
    if not block.content:
        return body
    return replace(
        body,
        lights=tuple(light for light in body.lights if light.kind not in LIGHTS),
        cameras=tuple(camera for camera in body.cameras if camera.orthographic),
    )


def _sensors_into_block(joint: Joint, block: Element, held: _Holders) -> None:
    """Move the joint's sensors to the block. libsdformat lumps a fixed joint unless preserveFixedJoint is set."""
    kept = bool(joint.dofs) or joint.parent == WORLD
    for sensor in held.sensors_of(joint):
        if not kept:
            put(block, "preserveFixedJoint", True)
            kept = True
        inside = compose(invert(joint_frame(joint)), sensor.pose)
        held.write(block, replace(sensor, pose=inside), sensor.label or sensor.name)


def _with_settings_of_models(scene: Scene) -> Scene:
    """Move self_collide of nested models to the whole model if all agree, else to each link: a URDF is one model."""
    scopes: dict[str, Scope] = dict(scene.tables["scope"])
    inner = [name for name in scopes if name and scopes[name].self_collide]
    if not inner:
        return scene
    bodies = list(scene.bodies.values())
    if {body.scope for body in bodies if body.name != WORLD and collides(body)} <= set(inner):
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


def _body_into_block(body: Body, held: _Holders) -> Body:
    """Return the body without the data moved to its block."""
    block = held.block(body.name)
    body = _motion_into_block(body, block)
    geoms = _visual_words_into_block(_surface_into_block(body.geoms, block), block)
    for light in body.lights:
        write_light(block, light, light.label or light.name, NEWEST)
    for sensor in held.sensors_of(body):
        held.write(block, sensor, sensor.label or sensor.name)
    block.content += held.plugins_of(body.name)
    kept = []
    for extra in body.extras:
        element = _element_of_extra(extra)
        if element is None or element.tag in LEFT:
            kept.append(extra)
        else:
            block.content.append(element)
    return replace(body, geoms=geoms, lights=(), extras=tuple(kept))


def _element_of_extra(extra: Extra) -> Element | None:
    """Return the extra as an element, if it is a whole child of the entity's own element; else None."""
    return fragment(extra.text) if extra.format == FORMAT and CHILD.fullmatch(extra.path) else None


def _surface_into_block(geoms: tuple[Geom, ...], block: Element) -> tuple[Geom, ...]:
    """Return the geoms without the surface that all collisions share: a block gives one surface for all of them."""
    parts = [geom for geom in geoms if geom.collides]
    if not parts or not writable_surface(parts[0].surface) or any(geom.surface != parts[0].surface for geom in parts):
        return geoms
    said = _shared_rest(parts, "collision", lambda path: path in SINGLE or path.startswith("surface[1]/"))
    if said is None:
        return geoms
    collision = Element("collision")
    write_surface(collision, parts[0].surface)
    restore(collision, said, FORMAT)
    for word, path in COLLISION.items():
        _word_into_block(collision, block, word, (path,))
    if collision.content:
        block.content.append(collision)
    return tuple(replace(_without_extras(geom, said), surface=None) if geom.collides else geom for geom in geoms)


def _visual_words_into_block(geoms: tuple[Geom, ...], block: Element) -> tuple[Geom, ...]:
    """Return the geoms without the extras that all visuals of the body share, except for their appearance."""
    parts = [geom for geom in geoms if geom.role == Role.VISUAL]
    said = (
        _shared_rest(parts, "visual", lambda path: bool(CHILD.fullmatch(path)) and path not in LOOKS) if parts else None
    )
    if not said:
        return geoms
    restore(block.add("visual"), said, FORMAT)
    return tuple(_without_extras(geom, said) if geom.role == Role.VISUAL else geom for geom in geoms)


def _shared_rest(parts: list[Geom], tag: str, wanted: Callable[[str], bool]) -> list[Extra] | None:
    """Return the extras that all these elements share; None if they differ."""
    found = [
        [extra for extra in geom.extras if extra.format == FORMAT and wanted(extra.path) and _is_all_known(tag, extra)]
        for geom in parts
    ]
    first = {(extra.path, extra.text) for extra in found[0]}
    return found[0] if all({(extra.path, extra.text) for extra in each} == first for each in found) else None


def _is_all_known(tag: str, extra: Extra) -> bool:
    """Whether the specification knows every element and attribute in an extra."""
    *above, last = [tag, *(step.partition("[")[0] for step in extra.path.split("/"))]
    steps = zip(above, (*above[1:], last), strict=True)
    if last.startswith(("@", "text()")) or not all(knows(owner, name) for owner, name in steps):
        return False
    return all(
        all(knows(each.tag, f"@{name}") for name in each.attrs)
        and all(knows(each.tag, item.tag) for item in each.elements())
        for each in fragment(extra.text).below()
    )


def _without_extras(geom: Geom, said: list[Extra]) -> Geom:
    places = {extra.path for extra in said}
    return replace(geom, extras=tuple(extra for extra in geom.extras if extra.path not in places))


LOOKS = ("geometry[1]", "material[1]", "pose[1]", "transparency[1]")
CHILD = re.compile(r"[^/@]+\[\d+\]")
SINGLE = frozenset(f"{path}[1]" for path in COLLISION.values() if "/" not in path)


def _word_into_block(owner: Element, block: Element, word: str, paths: tuple[str, ...]) -> None:
    """Replace equal texts at all these paths of an element by one element of the block."""
    ways = [way for path in paths if (way := _elements_on_path(owner, path)) is not None]
    texts = {str(way[-1].content[0]) for way in ways}
    if len(ways) < len(paths) or len(texts) > 1:
        return
    block.add(word).content.append(texts.pop())
    for way in ways:
        for above, item in reversed([*pairwise(way)]):
            if item is way[-1] or not item.content:
                above.content.remove(item)


def _elements_on_path(owner: Element, path: str) -> list[Element] | None:
    """Return the elements from the owner down to one that contains only text; None if the path has none."""
    way = [owner]
    for step in path.split("/"):
        item = way[-1].find(step)
        if item is None or item.attrs:
            return None
        way.append(item)
    content = way[-1].content
    return way if len(content) == 1 and isinstance(content[0], str) else None


def _joint_into_block(joint: Joint, held: _Holders) -> Joint:
    """Return the joint without the data moved to blocks."""
    joint, blocks = _drive_into_block(joint, held)
    if len(blocks) > 1:
        return joint
    kept = []
    for extra in joint.extras:
        holder = Element("joint")
        element = _element_of_extra(extra)
        if element is not None:
            holder.content.append(element)
            before = len(blocks[0].content)
            for word, paths in (*JOINT.items(), *OLD):
                if blocks[0].find(word) is None:
                    _word_into_block(holder, blocks[0], word, paths)
            if len(blocks[0].content) > before and holder.content:
                extra = replace(extra, text=serialise(element))
        if element is None or holder.content:
            kept.append(extra)
    blocks[0].content += held.plugins_of(joint.name)
    return replace(joint, extras=tuple(kept))


BLOCKS = Pass(
    rule="sdf/gazebo-block",
    reason="written into a <gazebo> block, which Gazebo and Kinegraph read; other readers of the target ignore it",
    wanted=lambda target: bool(target.fits.blocks),
    apply=_with_blocks_of_bodies,
    moves=True,
)

OTHERS = Pass(
    rule="sdf/gazebo-words",
    reason="written into a <gazebo> block, as far as SDFormat can express it (no camera tracks a target, and no "
    "light has an intensity in candela); readers of the target other than Gazebo and Kinegraph ignore it",
    wanted=lambda target: bool(target.fits.blocks),
    apply=_with_blocks_of_others,
    moves=True,
)


def passes() -> tuple[Pass, ...]:
    """Return the passes for data of any other format that URDF lacks and Gazebo knows."""
    return (*BLOCK_PASSES, OTHERS)
