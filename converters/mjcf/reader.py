"""MJCF -> scene."""

from __future__ import annotations

from dataclasses import replace

from converters.context import Context
from converters.mjcf.actuators import read_actuators
from converters.mjcf.bodytree import read_bodies
from converters.mjcf.compiler import Settings, read_settings
from converters.mjcf.constraints import read_constraints
from converters.mjcf.contacts import read_contacts
from converters.mjcf.defaults import Defaults, Resolved
from converters.mjcf.keyframes import read_keyframes
from converters.mjcf.sensors import read_sensors
from converters.mjcf.settings import read_option
from converters.mjcf.tables import TEXT_PREFIX
from converters.mjcf.tendons import read_tendons
from converters.source.xml import Node, parse
from ir.names import unique
from ir.scene import Scene
from ir.types import Asset, Dof, Material, Mimic, Parameters


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
    read_option(root.children("option"), scene)
    read_contacts(root.children("contact"), scene, defaults)
    read_tendons(root.children("tendon"), scene, defaults, settings.autolimits)
    mimics = read_constraints(root.children("equality"), scene, defaults)
    read_actuators(root.children("actuator"), scene, defaults, settings.autolimits)
    read_sensors(root.children("sensor"), scene)
    read_keyframes(root.children("keyframe"), scene)
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
