"""Data of bodies and joints in <gazebo> blocks and Bullet contact tags of a URDF, as fields of the graph."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from converters.format import Pass, Target
from converters.passes.friction import across, friction_rule, smaller
from converters.passes.still import held
from converters.source.gazebo import COLLISION, JOINT, LINK
from converters.source.tree import Element, serialise
from converters.urdf.insertion import Insertion, meaning_of_blocks
from converters.urdf.skeleton import PARTS
from ir.base import Value, slots
from ir.gathering import gathered
from ir.mapping import map_bodies, map_joints
from ir.names import Spares, unique
from ir.pose import compose
from ir.scene import Address, Origins, Scene, address
from ir.types import (
    IDENTITY,
    WHITE,
    WORLD,
    Block,
    Body,
    Dof,
    Entity,
    Extra,
    Geom,
    Joint,
    Material,
    Scope,
    Sensor,
    Source,
    Surface,
)

V = TypeVar("V", bound=Value)

SAID: dict[type[Value], tuple[str, ...]] = {
    Body: ("frames", "lights", "gravity", "kinematic", "self_collide", "linear_damping", "angular_damping", "extras"),
    Geom: ("surface", "transparency", "extras"),
    Joint: ("extras",),
    Dof: ("stiffness", "spring_reference"),
    Surface: Surface.__struct_fields__,
}
"""Fields that blocks can set."""
FIELDS = frozenset(
    {*COLLISION, *LINK, *JOINT, *PARTS}
    | {"gravity", "kinematic", "material", "pose", "self_collide", "static", "velocity_decay"}
)
"""Children of blocks that become fields of the graph, without a record of their origin."""
WHOLE = frozenset({"pose", "self_collide", "static"})
"""Children of blocks about the model that are fields of it."""
LAST = 99
"""Position of a child element after all others."""


def _say_blocks(scene: Scene, target: Target) -> Scene:
    """Convert <gazebo> blocks. For a target that has everything Gazebo knows they are converted entirely; otherwise
    they stay, and their data of bodies, joints and sensors are copied to fields of the graph."""
    blocks = _blocks(scene)
    found = _meaning(scene, blocks, target)
    changed = _Takeover(scene, found, target).made() if found is not None else scene
    if found is not None and not target.fits.gazebo:
        changed = changed.evolve(origins=_fields_said_by_blocks(scene, changed, blocks))
        own: Scope = found.scene.tables["scope"].get("", Scope(name=""))
        changed = held(changed, target, whole=True) if own.static else changed
    return map_bodies(changed, _with_surface)


def _place_robot(scene: Scene, target: Target) -> Scene:
    """Place the robot where the <pose> in a <gazebo> block about the model says. In a target that leaves roots open
    only what is connected to the world moves."""
    blocks = _blocks(scene)
    whole = [block for block in blocks if not block.target and "<pose" in block.extras[0].text]
    found = _meaning(scene, blocks, target) if whole else None
    pose = found.scene.tables["scope"].get("", Scope(name="")).pose if found is not None else IDENTITY
    if found is None or pose == IDENTITY:
        return scene
    said = _blocks_with(found, ("pose",))
    held = {joint.name: joint for joint in scene.child_joints(WORLD)}
    origins: Origins = {(*address(joint), "pose"): said for joint in held.values()}
    if target.fits.needs_base is not None:
        first = scene.tables["block"][said[0][0].partition("/")[2]]
        own = replace(scene.tables["scope"].get("", Scope(name="", source=first.source)), pose=pose)
        scene = scene.evolve(tables={"scope": ({**scene.tables["scope"], "": own}).values()})
        origins |= {("scope/",): said, ("scope/", "pose"): said}
    placed = map_joints(
        scene, lambda joint: replace(joint, pose=compose(pose, joint.pose)) if joint.name in held else joint
    )
    return placed.evolve(origins=origins)


def _blocks(scene: Scene) -> list[Block]:
    """Return the <gazebo> blocks that stand in the robot itself."""
    blocks: Iterable[Block] = scene.tables["block"].values()
    return [block for block in blocks if block.dialect == "gazebo" and block.extras and not block.extras[0].path]


def _meaning(scene: Scene, blocks: Sequence[Block], target: Target) -> Insertion | None:
    framed = target.fits.frame_ids(target.options)
    return meaning_of_blocks(scene, blocks, bool(target.fits.gazebo), framed) if blocks else None


def _blocks_with(found: Insertion, tags: Collection[str]) -> tuple[Address, ...]:
    """Return the blocks about the model that have such children."""
    units = (unit for unit in found.units if unit.element.tag in tags and not unit.block.target)
    return tuple((f"block/{name}",) for name in dict.fromkeys(unit.block.name for unit in units))


def _fields_said_by_blocks(scene: Scene, changed: Scene, blocks: Iterable[Block]) -> Origins:
    """Return field of a body or joint -> the remaining blocks that set it."""
    about = gathered((block.target, (f"block/{block.name}",)) for block in blocks)
    found: Origins = {}
    for name in about:
        places: list[tuple[Address, Value, Value]] = []
        if name in scene.bodies:
            own, now = scene.body(name), changed.body(name)
            places.append(((f"body/{name}",), own, now))
            places += [((f"body/{name}", "geoms", a.name), a, b) for a, b in zip(own.geoms, now.geoms, strict=True)]
        if name in scene.joints:
            joint, made = scene.joints[name], changed.joints[name]
            places += [(address(joint, a), a, b) for a, b in zip(joint.dofs, made.dofs, strict=True)]
        for place, before, after in places:
            fields = (each for each in SAID[type(before)] if getattr(before, each) != getattr(after, each))
            found |= {(*place, each): tuple(about[name]) for each in fields}
    return found


def _with_surface(body: Body) -> Body:
    """Copy the surface of a body to each of its collision geoms that has none: readers look for it there."""
    bare = [geom.collides and geom.surface is None for geom in body.geoms]
    if body.surface is None or not any(bare):
        return body
    geoms = [
        replace(geom, surface=body.surface) if needs else geom for geom, needs in zip(body.geoms, bare, strict=True)
    ]
    return replace(body, geoms=tuple(geoms), surface=None)


class _Takeover:
    """A scene with the data of its blocks applied."""

    def __init__(self, scene: Scene, found: Insertion, target: Target) -> None:
        self.scene = scene
        self.found = found
        self.gazebo = target.fits.gazebo
        """Format of the extras that the target accepts, "" for none."""
        self.find = target.find
        self.tables: dict[str, dict[str, Any]] = {
            kind: dict(scene.tables[kind]) for kind in ("sensor", "material", "asset", "block", "scope")
        }
        self.bodies = {WORLD: WORLD} | {name: body for body, name in found.links.items()}
        self.joints = {name: joint for joint, name in found.joints.items()}
        spares = Spares(scene.bodies)
        self.bodies |= {name: spares.of(name) for name in found.scene.bodies if name not in self.bodies}
        self.used: set[int] = set()
        """Units (by index) that something in the scene was made from."""
        self.looks: dict[str, str] = {}
        """Material of the blocks -> its name in the scene."""
        self.origins: Origins = {}
        self.geoms = dict(self._stand_ins())
        """Geom of the blocks' model -> the scene's geom that it represents."""

    def made(self) -> Scene:
        scene, found = self.scene, self.found
        bodies = [self._body(body) for body in scene.bodies.values()]
        bodies += self._more()
        joints = [self._joint(joint) for joint in scene.joints.values()]
        joints += self._further(Spares(scene.joints))
        for sensor in found.scene.tables["sensor"].values():
            self._sensor(sensor)
        extras = scene.extras
        if self.gazebo:
            for block in found.scene.tables["block"].values():
                target = self.bodies.get(block.target) or self.joints.get(block.target, "")
                self._add("block", replace(self._home(block), target=target))
            extras = self._joined(extras, found.scene.extras)
            self._leave_blocks()
        scope = self._scope() if self.gazebo else Scope(name="", pose=self._scope().pose)
        if scope != Scope(name=""):
            self.tables["scope"][""] = self._home(scope)
            self.origins[("scope/",)] = _blocks_with(found, WHOLE)
        tables = {kind: table.values() for kind, table in self.tables.items()}
        return scene.evolve(bodies=bodies, joints=joints, tables=tables, extras=extras, origins=self.origins)

    def _stand_ins(self) -> Iterator[tuple[str, str]]:
        for own, name in self.found.links.items():
            geoms = self.scene.body(own).geoms
            for index, now in zip(self.found.parts[own], self.found.scene.body(name).geoms, strict=False):
                yield now.name, geoms[index].name

    # ------------------------------------------------------------------------------------------------------- entities

    def _body(self, body: Body) -> Body:
        name = self.found.links.get(body.name)
        own = self._scope()
        collides = own.self_collide if body.name != WORLD and body.self_collide is None else None
        if name is None:
            return replace(body, self_collide=collides) if collides is not None and not self.gazebo else body
        now = self.found.scene.body(name)
        geoms = list(body.geoms)
        for index, part in zip(self.found.parts[body.name], now.geoms, strict=True):
            geoms[index] = self._geom(geoms[index], part)
        rest = self._overlaid(body, now)
        if rest.self_collide is None and collides is not None and not self.gazebo:
            rest = replace(rest, self_collide=collides)
        return rest if tuple(geoms) == body.geoms else replace(rest, geoms=tuple(geoms))

    def _geom(self, own: Geom, now: Geom) -> Geom:
        look = self.found.scene.materials.get(now.material or "")
        if look is not None and (self.gazebo or own.material is None):
            mine = self.scene.materials.get(own.material or "")
            plain = Material(name=look.name, rgba=(mine.rgba or WHITE) if mine is not None else None)
            if replace(look, extras=()) != plain:
                own = replace(own, material=self._material(look))
        return self._overlaid(own, now)

    def _more(self) -> Iterator[Body]:
        """Yield the bodies that are defined only in blocks."""
        known = {WORLD, *self.found.links.values()}
        for body in self.found.scene.bodies.values():
            if body.name not in known:
                looks = [*map(self.found.scene.look_of, body.geoms)]
                made = replace(self._home(body), name=self.bodies[body.name])
                geoms = (
                    replace(geom, material=self._material(look) if look is not None else None)
                    for geom, look in zip(made.geoms, looks, strict=True)
                )
                self._made_of((f"body/{made.name}",), body)
                yield replace(made, geoms=tuple(geoms))

    def _joint(self, joint: Joint) -> Joint:
        name = self.found.joints.get(joint.name)
        if name is None:
            return joint
        now = self.found.scene.joints[name]
        dofs = joint.dofs
        if len(dofs) == len(now.dofs) == 1:
            dofs = (self._overlaid(dofs[0], now.dofs[0]),)
        rest = self._overlaid(joint, now)
        return rest if dofs == joint.dofs else replace(rest, dofs=dofs)

    def _further(self, spares: Spares) -> list[Joint]:
        """Return the joints that are defined only in blocks, and the welds of a static model."""
        made: list[Joint] = []
        held: dict[str, str] = {}
        known = set(self.found.joints.values())
        new = set(self.bodies.values()) - self.scene.bodies.keys()
        for joint in self.found.scene.joints.values():
            parent, child = self.bodies[joint.parent], self.bodies[joint.child]
            said = joint.source.at if joint.source is not None else None
            own = isinstance(said, Element) and said.tag == "joint"
            if joint.name in known or not (own or child in new):
                continue  # made by the reader to place a root
            holds = child not in held and self.scene.joint_of(child) is None and not self._below(parent, child, held)
            held.setdefault(child, parent)
            nameless = holds and not joint.dofs and not self.gazebo  # like a weld to the world where bodies nest
            name = spares.of(f"weld_{child}" if nameless else joint.name)
            dofs = tuple(replace(dof, name=dof.name.replace(joint.name, name, 1)) for dof in joint.dofs)
            placed = replace(self._home(joint), name=name, dofs=dofs, closes_loop=not holds)
            made.append(replace(placed, parent=parent, child=child))
            self._made_of(address(made[-1]), joint)
        if self._scope().static:
            for root in self.scene.roots():
                if root in held:
                    continue
                name = f"{root}_weld" if self.gazebo else f"weld_{root}"  # given by <static>, or by nesting in MJCF
                made.append(Joint(name=spares.of(name), parent=WORLD, child=root, pose=self._scope().pose))
        return made

    def _below(self, name: str, root: str, held: Mapping[str, str]) -> bool:
        """Whether a body is the root or a descendant of it. held: child -> parent of joints added so far."""
        while name not in (root, WORLD):
            joint = self.scene.joint_of(name) if name in self.scene.bodies else None
            above = joint.parent if joint is not None else held.get(name)
            if above is None:
                return False
            name = above
        return name == root

    def _scope(self) -> Scope:
        own: Scope = self.found.scene.tables["scope"].get("", Scope(name=""))
        return own

    def _sensor(self, sensor: Sensor) -> None:
        """Add a sensor; it replaces a <sensor> outside blocks with the same name, kind and parent, as it has more
        data."""
        target = self.joints.get(sensor.target) if sensor.target is not None else None
        geoms = tuple(self.geoms.get(name, name) for name in sensor.touching)
        made = replace(self._home(sensor), body=self.bodies.get(sensor.body or ""), target=target, touching=geoms)
        table = self.tables["sensor"]
        same = [each for each in table.values() if self._known_as(each) == self._known_as(made)]
        if same and same[0].kind == made.kind and same[0].name in self.scene.tables["sensor"]:
            table[same[0].name] = replace(made, name=same[0].name, extras=(*same[0].extras, *made.extras))
        else:
            self._made_of((f"sensor/{self._add('sensor', made)}",), sensor)

    def _known_as(self, sensor: Sensor) -> tuple[str, str | None]:
        """Return the name of a sensor and what it is attached to; names are unique there."""
        return sensor.label or sensor.name, sensor.target if sensor.target in self.scene.joints else sensor.body

    def _material(self, look: Material) -> str:
        """Return the key in the scene of a material of the blocks."""
        if look.name not in self.looks:
            made = self._home(look)
            if look.texture is not None:
                image = self._home(self.found.scene.assets[look.texture])
                file, rule = self.find(image.uri)
                made = replace(made, texture=self._add("asset", replace(image, file=file, rule=rule if file else "")))
            self.looks[look.name] = self._add("material", made)
        return self.looks[look.name]

    def _add(self, kind: str, entity: Entity) -> str:
        name = unique(entity.name, self.tables[kind])
        self.tables[kind][name] = replace(entity, name=name)
        return name

    def _leave_blocks(self) -> None:
        """Keep what was not converted in a block of its own: the target decides what becomes of it."""
        blocks = self.tables["block"]
        lost = {
            number
            for number, unit in enumerate(self.found.units)
            if number not in self.used and unit.element.tag not in FIELDS
        }
        for name, element in self.found.left(lost).items():
            block = blocks.pop(name)
            if element is not None:
                extra = replace(block.extras[0], text=serialise(element))
                self._add("block", replace(block, name=f"{name}_rest", extras=(extra,)))

    # --------------------------------------------------------------------------------------------------------- values

    def _overlaid(self, own: V, now: Value) -> V:
        """Return own with the values that the blocks set, i.e. those that differ from the defaults."""
        changes: dict[str, Any] = {}
        for slot in slots(type(now)):
            value = getattr(now, slot.name)
            if slot.name not in SAID[type(now)] or value == slot.default:
                continue
            mine = getattr(own, slot.name)
            if slot.name == "extras":
                changes["extras"] = self._joined(mine, value) if self.gazebo else mine
            elif isinstance(value, tuple) and isinstance(value[0], Entity):
                changes[slot.name] = (*mine, *map(self._home, value))
            elif isinstance(value, Surface):
                surface = self._overlaid(mine or Surface(), value)
                changes[slot.name] = across(surface) if self.gazebo else surface
            else:
                changes[slot.name] = value
        return replace(own, **changes) if changes else own

    def _joined(self, own: tuple[Extra, ...], more: Iterable[Extra]) -> tuple[Extra, ...]:
        """Return both; of two extras at one path the first."""
        taken = {(extra.format, extra.path) for extra in own}
        new = [self._home(extra) for extra in more if (extra.format, extra.path) not in taken]
        return (*own, *(replace(extra, index=LAST) for extra in new))

    def _source(self, inside: Source) -> Source | None:
        """Return the source of the block that something comes from."""
        if not inside.file:
            return None
        self.used.add(int(inside.file))
        return self.found.units[int(inside.file)].block.source

    def _made_of(self, place: Address, inside: Entity) -> None:
        """Record the block that a new entity comes from."""
        if inside.source is not None and inside.source.file:
            self.origins[place] = ((f"block/{self.found.units[int(inside.source.file)].block.name}",),)

    def _home(self, value: V) -> V:
        """Return the value with the block it comes from as its source, recursively."""
        changes: dict[str, Any] = {}
        for slot in slots(type(value)):
            part = getattr(value, slot.name)
            if isinstance(part, Source):
                changes[slot.name] = self._source(part)
            elif isinstance(part, Value):
                changes[slot.name] = self._home(part)
            elif isinstance(part, tuple) and part and isinstance(part[0], Value):
                changes[slot.name] = tuple(map(self._home, part))
        return replace(value, **changes) if changes else value


PLACED = Pass(
    rule="gazebo/pose",
    reason="the <pose> in a <gazebo> block about the whole robot: Gazebo places the robot there, other programs that "
    "read the URDF do not; in the output its root is there",
    severity="note",
    action="derived",
    wanted=lambda target: target.fits.simulator_terms,
    apply=_place_robot,
    told=True,
)
GAZEBO = Pass(
    rule="gazebo/interpreted",
    reason="set in a <gazebo> block or a contact tag of the source; written in the target's own form",
    severity="note",
    action="derived",
    wanted=lambda target: target.fits.simulator_terms,
    apply=_say_blocks,
    moves=True,
)


def _combining_word(scene: Scene) -> str:
    """Return Gazebo's friction combining rule, if friction was set in <gazebo> blocks."""
    told = any(
        place[-1] == "surface" and any(each[0].startswith("block/") for each in made)
        for place, made in scene.origins.items()
    )
    return smaller(scene) if told else ""


COMBINING = friction_rule(
    "gazebo/friction-combine",
    "friction set in <gazebo> blocks: Gazebo's engines use the smaller of two",
    _combining_word,
)
