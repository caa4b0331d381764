"""MJCF -> scene."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from converters.context import Context
from converters.mjcf.bodytree import read_bodies
from converters.mjcf.compiler import Settings, read_settings
from converters.mjcf.defaults import Defaults, Resolved
from converters.mjcf.tables import PHYSICS, TEXT_PREFIX
from converters.source.xml import Node, parse
from ir.names import unique
from ir.pose import normalise
from ir.scene import Scene
from ir.types import (
    WORLD,
    Actuator,
    Asset,
    Connect,
    Constraint,
    ContactRule,
    Couple,
    Dof,
    Material,
    Mimic,
    Parameters,
    Physics,
    Pose,
    Quat,
    Vec2,
    Vec3,
    WeldTo,
)

EQUALITY = ("solref", "solimp")
"""Solver settings of an equality, kept as they are written."""


def read(data: bytes, context: Context) -> Scene:
    """Raises InputError for what is no MJCF."""
    root = parse(data, context, "mjcf", "mujoco").root
    settings = read_settings(root)
    defaults = Defaults(root)
    scene = Scene(root.get("model") or "")
    for section in root.children("custom"):
        _read_carried(section, scene)
    for section in root.children("asset"):
        _read_assets(section, scene, settings, defaults, context)
    read_bodies(root, scene, settings, defaults)
    option = root.child("option")
    if option is not None:
        _read_option(option, scene)
    for section in root.children("contact"):
        _read_contacts(section, scene)
    mimics: dict[str, Mimic] = {}
    for section in root.children("equality"):
        _read_equalities(section, scene, defaults, mimics)
    for section in root.children("actuator"):
        _read_actuators(section, scene, defaults)
    extras = root.rest()
    if mimics:
        joints = [
            replace(joint, dofs=tuple([_following(dof, mimics) for dof in joint.dofs])) if joint.dofs else joint
            for joint in scene.joints.values()
        ]
        carried = scene.carried
        scene = scene.evolve(joints=joints)
        scene.carried = carried
    scene.extras = extras
    return scene


def _following(dof: Dof, mimics: dict[str, Mimic]) -> Dof:
    mimic = mimics.get(dof.name)
    return replace(dof, mimic=mimic) if mimic is not None else dof


def _read_carried(section: Node, scene: Scene) -> None:
    for node in section.elements():
        if node.tag == "text" and node.attrs.get("name", "").startswith(TEXT_PREFIX):
            text = node.visit()
            scene.carried[text.need("name").removeprefix(TEXT_PREFIX)] = text.need("data")


def _read_assets(section: Node, scene: Scene, settings: Settings, defaults: Defaults, context: Context) -> None:
    taken = {(asset.kind, asset.label or name) for name, asset in scene.assets.items()}
    materials: list[Node] = []
    for node in section.children("mesh", "texture", "material"):
        if node.tag == "material":
            materials.append(node)
            continue
        element = defaults.of(node)
        directory = settings.meshdir if node.tag == "mesh" else settings.texturedir
        file = element.get("file")
        uri = f"{directory}/{file}" if file is not None and directory else file or ""
        authored = node.get("name") or _stem(uri)
        if (node.tag, authored) in taken:
            raise node.fail(f"two elements <{node.tag}> are named {authored!r}")
        taken.add((node.tag, authored))
        name = unique(authored, scene.assets)  # a mesh and a texture may share a name in MJCF
        found, rule = context.find(uri) if uri else (None, "")
        if node.tag == "texture":
            kind = element.get("type") or "cube"
            parameters: Parameters = () if kind == "2d" else (("type", kind),)
        else:
            element.get("scale")  # belongs to the geoms that use the mesh: bodytree asks again
            parameters = _parameters(element, ("inertia",))
        scene.add(
            "asset",
            Asset(
                name=name,
                label=authored if authored != name else None,
                uri=uri,
                kind=node.tag,
                file=found,
                rule=rule,
                parameters=parameters,
                source=node.source,
                extras=node.rest(),
            ),
        )
    for node in materials:
        _read_material(defaults.of(node), scene)


def _stem(uri: str) -> str:
    return uri.rpartition("/")[2].rpartition(".")[0]


def _parameters(element: Resolved, names: tuple[str, ...]) -> Parameters:
    values = ((name, element.get(name)) for name in names)
    return tuple((name, value) for name, value in values if value is not None)


def _read_material(element: Resolved, scene: Scene) -> None:
    node = element.node
    name, texture = node.need("name"), element.get("texture")
    if name in scene.materials:
        raise node.fail(f"two elements <material> are named {name!r}")
    if texture is not None:
        named = (
            key for key, asset in scene.assets.items() if asset.kind == "texture" and (asset.label or key) == texture
        )
        found = next(named, None)
        if found is None:
            raise node.fail(f"<material> names the texture {texture!r}, which does not exist")
        texture = found
    rgba = element.quadruple("rgba")
    scene.add(
        "material",
        Material(
            name=name,
            rgba=rgba,
            texture=texture,
            shininess=element.number("shininess"),
            reflectance=element.number("reflectance"),
            metallic=element.number("metallic"),
            roughness=element.number("roughness"),
            source=element.node.source,
            extras=element.node.rest(),
        ),
    )


def _read_contacts(section: Node, scene: Scene) -> None:
    for node in section.children("exclude"):
        first, second = node.need("body1"), node.need("body2")
        for body in (first, second):
            if body not in scene.graph:
                raise node.fail(f"<exclude> names the body {body!r}, which does not exist")
        name = unique(node.get("name") or f"exclude_{first}_{second}", scene.tables["contact"])
        scene.add("contact", ContactRule(name=name, first=first, second=second, source=node.source, extras=node.rest()))


def _read_option(node: Node, scene: Scene) -> None:
    """Gravity and the like; solver settings are left over."""
    gravity, magnetic, wind = (node.vector(name, 3) for name in ("gravity", "magnetic", "wind"))
    scene.add(
        "physics",
        Physics(
            name=PHYSICS,
            gravity=cast("Vec3", gravity) if gravity else Physics(name="").gravity,
            timestep=node.number("timestep"),
            magnetic=cast("Vec3", magnetic) if magnetic else None,
            wind=cast("Vec3", wind) if wind else None,
            source=node.source,
            extras=node.rest(),
        ),
    )


def _read_tie(node: Node, scene: Scene, defaults: Defaults) -> bool:
    """A connect or weld of two bodies. False: of sites, or where the simulator finds the pose; it stays as it is."""
    relative = node.attrs.get("relpose", "").split()
    if "body1" not in node.attrs or (node.tag == "weld" and (len(relative) != 7 or not any(map(float, relative[3:])))):
        return False
    element = defaults.of(node.visit())
    element = Resolved(node, defaults.classes[element.class_name].get("equality", []), element.class_name)
    first, second = node.need("body1"), node.get("body2") or WORLD
    for body in (first, second):
        if body not in scene.graph:
            raise node.fail(f"<{node.tag}> names the body {body!r}, which does not exist")
    anchor = cast("Vec3", node.vector("anchor", 3) or (0.0, 0.0, 0.0))
    if node.tag == "connect":
        spec: Connect | WeldTo = Connect(anchor=anchor)
    else:
        x, y, z, *quat = node.vector("relpose", 7) or ()
        pose = Pose((x, y, z), normalise(cast("Quat", tuple(quat))))
        scale = node.number("torquescale")
        spec = WeldTo(pose=pose, anchor=anchor, torque_scale=1.0 if scale is None else scale)
    scene.add_constraint(
        Constraint(
            name=unique(node.get("name") or f"{node.tag}_{first}_{second}", scene.constraints),
            parent=first,
            child=second,
            spec=spec,
            active=element.flag("active") is not False,
            parameters=_parameters(element, EQUALITY),
            source=node.source,
            extras=node.rest(),
        )
    )
    return True


def _read_equalities(section: Node, scene: Scene, defaults: Defaults, mimics: dict[str, Mimic]) -> None:
    """A linear coupling of two joints is a mimic; any other stays a constraint."""
    dofs = scene.dofs()
    for node in section.elements():
        if node.tag in ("connect", "weld"):
            _read_tie(node, scene, defaults)
            continue
        if node.tag != "joint":
            continue
        element = defaults.of(node.visit())
        element = Resolved(node, defaults.classes[element.class_name].get("equality", []), element.class_name)
        first, second = node.need("joint1"), node.get("joint2")
        for joint in (first, second):
            if joint is not None and joint not in dofs:
                raise node.fail(f"<joint> names the joint {joint!r}, which does not exist")
        given = element.vector("polycoef") or ()
        coefficients = (*given, *(0.0, 1.0, 0.0, 0.0, 0.0)[len(given) :])
        parameters = _parameters(element, EQUALITY)
        active = element.flag("active") is not False
        name = node.get("name")
        linear = second is not None and not any(coefficients[2:]) and active and name is None and first not in mimics
        if linear:
            assert second is not None
            zero, reference = dofs[first][1].zero, dofs[second][1].zero
            offset = coefficients[0] + zero - coefficients[1] * reference
            mimics[first] = Mimic(dof=second, multiplier=coefficients[1], offset=offset, parameters=parameters)
            continue
        parent = dofs[first][0].child
        scene.add_constraint(
            Constraint(
                name=unique(name or f"couple_{first}", scene.constraints),
                parent=parent,
                child=dofs[second][0].child if second is not None else parent,
                spec=Couple(first=first, second=second, coefficients=coefficients),
                active=active,
                parameters=parameters,
                source=node.source,
                extras=node.rest(),
            )
        )


def _read_actuators(section: Node, scene: Scene, defaults: Defaults) -> None:
    dofs = scene.dofs()
    for node in section.elements():
        if node.tag not in ("motor", "position", "velocity") or "joint" not in node.attrs:
            continue  # what drives no single joint has no neutral meaning yet and is kept as it stands
        element = defaults.of(node.visit())
        joint = node.need("joint")
        if joint not in dofs:
            raise node.fail(f"<{node.tag}> names the joint {joint!r}, which does not exist")
        gains = Resolved(node, [each for each in element.defaults if each.tag == node.tag], element.class_name)
        gear = element.vector("gear")
        scene.add(
            "actuator",
            Actuator(
                name=unique(node.get("name") or f"{node.tag}_{joint}", scene.tables["actuator"]),
                kind=node.tag,
                dof=joint,
                gear=gear or (1.0,),
                kp=gains.number("kp"),
                kv=gains.number("kv"),
                control_range=_pair(element, "ctrlrange"),
                force_range=_pair(element, "forcerange"),
                source=node.source,
                extras=node.rest(),
            ),
        )


def _pair(element: Resolved, name: str) -> Vec2 | None:
    values = element.vector(name, 2)
    return (values[0], values[1]) if values is not None else None
