"""What <gazebo> blocks and Bullet contact tags of a URDF say about bodies and joints, in the terms of the graph."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from converters.context import Options
from converters.registry import Fits, Load, Loss, Pass
from converters.source.text import number, parse_number
from converters.source.tree import Element, fragment, serialise
from ir.scene import Scene
from ir.types import WORLD, Block, Body, Extra, Joint, Role, Surface

SURFACE = {
    "mu1": "mu",
    "mu2": "mu2",
    "kp": "stiffness",
    "kd": "damping",
    "minDepth": "min_depth",
    "maxVel": "max_velocity",
}
"""Child of a <gazebo reference="link"> -> field of a surface (sdformat's parser_urdf, ReduceSDFExtension)."""
SPRING = {"springStiffness": "stiffness", "springReference": "spring_reference"}
ENGINE = {
    "provideFeedback": ("provide_feedback",),
    "implicitSpringDamper": ("ode/implicit_spring_damper", "ode/cfm_damping"),
    "fudgeFactor": ("ode/fudge_factor",),
    "stopCfm": ("ode/limit/cfm",),
    "stopErp": ("ode/limit/erp",),
}
"""Child of a <gazebo reference="joint"> -> places in the <physics> of an SDF joint (sdformat's parser_urdf, without the
second place of provide_feedback, under <ode>: the schema has had none there since 1.5, and Drake refuses it)."""
FLAGS = frozenset({"provideFeedback", "implicitSpringDamper"})
LAST = 99
"""Position of a child element behind all others."""
TRUE = frozenset({"true", "yes", "1"})


def _apply(scene: Scene, fits: Fits, options: Options, load: Load) -> Scene:
    bodies: dict[str, Body] = {}
    joints: dict[str, Joint] = {}
    whole: bool | None = None
    block: Block
    for block in scene.tables["block"].values():
        if block.dialect != "gazebo" or not block.extras:
            continue
        element = fragment(block.extras[0].text)
        if block.target in scene.graph:
            bodies[block.target] = _about_body(element, bodies.get(block.target, scene.body(block.target)))
        elif block.target in scene.joints:
            joints[block.target] = _about_joint(element, joints.get(block.target, scene.joints[block.target]))
        elif not block.target and (collides := _collides(element)) is not None:
            whole = collides if whole is None else whole
    for body in scene.bodies.values():
        now = bodies.get(body.name, body)
        if whole is not None and now.self_collide is None and body.name != WORLD:
            bodies[body.name] = replace(now, self_collide=whole)
        if body.surface is not None:
            bodies[body.name] = _with_surface(bodies.get(body.name, body), body.surface)
    if all(bodies[name] == scene.body(name) for name in bodies) and all(
        joints[name] == scene.joints[name] for name in joints
    ):
        return scene
    return scene.evolve(
        bodies=[bodies.get(body.name, body) for body in scene.bodies.values()],
        joints=[joints.get(joint.name, joint) for joint in scene.joints.values()],
    )


def _numbers(element: Element, names: dict[str, str]) -> dict[str, float]:
    """The first number that each tag gives; what is no number says nothing here and stays in the block."""
    found: dict[str, float] = {}
    for child in element.content:
        if isinstance(child, Element) and child.tag in names and names[child.tag] not in found:
            try:
                found[names[child.tag]] = parse_number(_text(child))
            except ValueError:
                continue
    return found


def _text(element: Element) -> str:
    return element.attrs.get("value") or "".join(part for part in element.content if isinstance(part, str)).strip()


def _flag(element: Element, tag: str) -> bool | None:
    child = element.find(tag)
    return None if child is None else _text(child).lower() in TRUE


def _about_body(element: Element, body: Body) -> Body:
    if _flag(element, "turnGravityOff") or _flag(element, "gravity") is False:
        body = replace(body, gravity=0.0)
    collides = _collides(element)
    if collides is not None:
        body = replace(body, self_collide=collides)
    values: dict[str, Any] = {**_numbers(element, SURFACE)}
    return _with_surface(body, Surface(**values)) if values else body


def _collides(element: Element) -> bool | None:
    """What a block says of collisions of a model with itself, in either spelling."""
    said = _flag(element, "selfCollide")
    return said if said is not None else _flag(element, "self_collide")


def _with_surface(body: Body, surface: Surface) -> Body:
    """A surface of the body is that of each of its collision geoms that has none of its own."""
    geoms = tuple(
        replace(geom, surface=surface) if geom.role in (Role.COLLISION, Role.BOTH) and geom.surface is None else geom
        for geom in body.geoms
    )
    return replace(body, geoms=geoms)


def _about_joint(element: Element, joint: Joint) -> Joint:
    values: dict[str, Any] = {**_numbers(element, SPRING)}
    if not values or len(joint.dofs) != 1:
        return joint
    return replace(joint, dofs=(replace(joint.dofs[0], **values),))


PASS = Pass(
    loss=Loss(
        field="body",
        rule="gazebo/interpreted",
        reason="said in a <gazebo> block or a contact tag of the source; given to the target in its own terms",
        severity="note",
    ),
    wanted=lambda fits, options: fits.simulator_terms,
    apply=_apply,
)


def _engine(scene: Scene, fits: Fits, options: Options, load: Load) -> Scene:
    """What is meant for Gazebo's engine, in its own element; that of a joint which brings one along stays."""
    made: dict[str, Element] = {}
    block: Block
    for block in scene.tables["block"].values():
        if block.dialect != "gazebo" or not block.extras or block.target not in scene.joints:
            continue
        element = fragment(block.extras[0].text)
        numbers = _numbers(element, {tag: tag for tag in ENGINE.keys() - FLAGS})
        for tag, places in ENGINE.items():
            flag = _flag(element, tag) if tag in FLAGS else None
            if flag is None and tag not in numbers:
                continue
            text = number(numbers[tag]) if flag is None else str(flag).lower()
            for place in places:
                _put(made.setdefault(block.target, Element("physics")), place.split("/"), text)
    joints = []
    for joint in scene.joints.values():
        own = any(extra.format == fits.gazebo and extra.path.startswith("physics") for extra in joint.extras)
        if joint.name in made and not own:
            text = serialise(made[joint.name])
            extra = Extra(format=fits.gazebo, path="physics[1]", text=text, index=LAST, source=joint.source)
            joint = replace(joint, extras=(*joint.extras, extra))
        joints.append(joint)
    same = all(now is old for now, old in zip(joints, scene.joints.values(), strict=True))
    return scene if same else scene.evolve(joints=joints)


def _put(element: Element, path: list[str], text: str) -> None:
    """Say it there, in the stead of what an earlier block has said."""
    for step in path:
        element = element.find(step) or element.add(step)
    element.content[:] = [text]


ENGINES = Pass(
    loss=Loss(
        field="joint",
        rule="gazebo/engine",
        reason="said in a <gazebo> block of the source, for the engine of Gazebo: it stands where Gazebo looks for it",
        severity="note",
    ),
    wanted=lambda fits, options: bool(fits.gazebo),
    apply=_engine,
)


def passes() -> tuple[Pass, ...]:
    return (PASS, ENGINES)
