"""The defaults of SDFormat, made explicit in the graph when a scene is converted to another format."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain

from msgspec.structs import replace

from converters.format import Pass, Target
from converters.passes.contacts import default_masks
from converters.passes.controllers import Drive, controller_drives
from converters.passes.fields import worldwide
from converters.passes.filters import FilterGroup, group_exclusions
from converters.passes.followers import Follower, controller_followers
from converters.passes.friction import ACROSS, MINIMUM, MULTIPLY, drake_friction, friction_rule, smaller
from converters.passes.looks import default_attenuation, default_highlight
from converters.passes.still import STATIC
from converters.registry import format_named
from converters.sdf.meaning.states import STATES, extras_of_models
from converters.sdf.models.world import DEFAULT
from converters.sdf.tables import FORMAT, JOINTS, TOP, TYPES, VERSION
from converters.source.controllers import drives
from converters.source.drake import GROUP, filter_group, friction, servo
from converters.source.gazebo import mimics
from converters.source.tree import fragment
from ir.scene import Origins, Scene, address
from ir.scopes import DELIMITER, bare, join
from ir.types import WORLD, Block, Body, Joint, Mimic, Physics, Scope

FADING = default_attenuation((1.0, 1.0, 0.0), 10.0, "sdf/default-attenuation")
DULL = default_highlight(0.0, None, "sdf/default-gloss", "a material of SDFormat without <specular> has no highlight")
WORLDWIDE = worldwide(format_named(FORMAT).fits, DEFAULT, False, "sdf")
EVERY = 0xFFFF
"""The default masks of a collision: every category, colliding with all of them."""


def _without_self_collision(scene: Scene, _: Target) -> Scene:
    """Set self_collide: bodies of a model do not collide with each other unless the model or the link enables it."""
    scopes: dict[str, Scope] = scene.tables["scope"]

    def said(body: Body) -> Body:
        if body.name == WORLD or body.self_collide:
            return body
        scope = scopes.get(body.scope)
        return replace(body, self_collide=bool(scope is not None and scope.self_collide))

    changed = [said(body) for body in scene.bodies.values()]
    if all(new == old for new, old in zip(changed, scene.bodies.values(), strict=True)):
        return scene
    rest = [replace(scope, self_collide=None) for scope in scopes.values()]
    origins: Origins = {(f"body/{body.name}", "self_collide"): () for body in changed if body.self_collide is False}
    tables = {"scope": [scope for scope in rest if scope != Scope(name="")]}
    return scene.evolve(bodies=changed, tables=tables, origins=origins)


SELF_COLLIDE = Pass(
    rule="sdf/self-collide",
    reason="links of a model do not collide with each other in SDFormat, unless self_collide is set",
    severity="note",
    wanted=lambda target: target.fits.bodies_collide is True,
    apply=_without_self_collision,
)


def _bullet_word(scene: Scene) -> str:
    """The combining rule of Bullet, if the physics profile in use selects that engine."""
    world: Physics | None = scene.tables["physics"].get(DEFAULT)
    bullet = world is not None and any((each.path, each.text) == ("@type", "bullet") for each in world.extras)
    return MULTIPLY if bullet and smaller(scene) else ""


BULLET = friction_rule(
    "sdf/friction-bullet",
    "the physics engine of the world is Bullet, which uses the product of two frictions",
    _bullet_word,
)
COMBINING = friction_rule(
    "sdf/friction-combine", "Gazebo's engines use the smaller friction of two surfaces", smaller, MINIMUM
)


def _followers_by_plugins(scene: Scene, _: Target) -> Iterator[Follower]:
    """Yield the followers declared by mimic plugins of models; joint names are relative to the model."""
    block: Block
    for block in scene.tables["block"].values():
        if block.dialect != FORMAT or not block.extras or block.target in scene.bodies:
            continue
        for follower, leader, multiplier, offset in mimics(fragment(block.extras[0].text)):
            mimic = Mimic(dof=join(block.target, leader), multiplier=multiplier, offset=offset)
            yield Follower(join(block.target, follower), mimic, (f"block/{block.name}",))


FOLLOWERS = controller_followers(_followers_by_plugins)


def _drives_of_systems(scene: Scene) -> Iterator[Drive]:
    """Yield what plugins of models drive, with joint names relative to the model; and Drake's actuators."""
    block: Block
    singles: dict[str, list[Joint]] = {}
    for held in scene.joints.values():
        if len(held.dofs) == 1:
            singles.setdefault(held.name.rpartition(DELIMITER)[0], []).append(held)
    for block in scene.tables["block"].values():
        if block.dialect == FORMAT and block.extras and block.target not in scene.bodies:
            names = (bare(each.name, block.target) for each in singles.get(block.target, ()))
            for joint, axis, actuator in drives(fragment(block.extras[0].text), names):
                found = scene.joints.get(join(block.target, joint))
                if found is not None and axis < len(found.dofs):
                    yield Drive(found.dofs[axis].name, actuator, (f"block/{block.name}",))
    for held in chain.from_iterable(singles.values()):
        servant = servo(held.extras, held.dofs[0])
        if servant is not None:
            yield Drive(held.dofs[0].name, servant, (*address(held), "extras"))


CONTROLLERS = controller_drives(_drives_of_systems)
FRICTION = drake_friction(friction)


def _filter_groups(scene: Scene) -> Iterator[FilterGroup]:
    """Yield Drake's collision filter groups, which belong to models; names are relative to the model."""
    for model, extra, said in extras_of_models(scene):
        if extra.format == FORMAT and extra.path.rpartition("/")[2].startswith(GROUP):
            group = filter_group(fragment(extra.text))
            if group is not None:
                name, *lists = group
                members, within, ignored = (tuple(join(model, each) for each in names) for names in lists)
                yield FilterGroup(join(model, name), members, within, ignored, said)


FILTERS = group_exclusions(_filter_groups)


def alone(scene: Scene, path: str) -> Scene:
    """Return a model of a world (or of a model) as the document, without notation about the rest of the source.

    Extras of the model's element become extras of the document's model (reader.parse_scene).
    """
    kept = {key: value for key, value in scene.notation.items() if key == VERSION or key.partition(":")[0] == "xmlns"}
    joints = json.loads(scene.notation.get(JOINTS, "[]"))
    if joints:
        kept[JOINTS] = json.dumps([name.removeprefix(path) for name in joints])
    if words := json.loads(scene.notation.get(TYPES, "{}")):
        kept[TYPES] = json.dumps({name.removeprefix(path): word for name, word in words.items()})
    own = scene.tables["scope"].get("", Scope(name=""))
    extras = tuple(replace(extra, path=f"model[1]/{extra.path}") for extra in own.extras if extra.format == FORMAT)
    own = replace(own, extras=())
    scopes = [scope for name, scope in scene.tables["scope"].items() if name]
    scopes = [own, *scopes] if own != Scope(name="") else scopes
    return scene.evolve(extras=extras, notation={**kept, TOP: "model"}, tables={"scope": scopes})


def passes() -> tuple[Pass, ...]:
    from converters.sdf.meaning.gazebo import BLOCKS
    from converters.sdf.meaning.images import IMAGES
    from converters.sdf.meaning.meshes import FIELDS, PIECES, WHOLES

    masks = default_masks(EVERY, EVERY, "sdf/default-masks")
    return (
        STATIC,
        FOLLOWERS,
        CONTROLLERS,
        STATES,
        ACROSS,
        *FRICTION,
        FILTERS,
        BLOCKS,
        masks,
        SELF_COLLIDE,
        FADING,
        DULL,
        *WORLDWIDE,
        WHOLES,
        PIECES,
        FIELDS,
        IMAGES,
        *BULLET,
        *COMBINING,
    )
