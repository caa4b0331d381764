"""Scene -> MJCF, laid out as the models of the MuJoCo Menagerie.

That is: classes for visual and collision, quaternions, explicit inertia.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from converters.context import Context, Output
from converters.mjcf.bodies import write_body, write_frames, write_geoms, write_joints
from converters.mjcf.materials import Look, looks
from converters.mjcf.tables import GROUPS, MAPPED, PHYSICS, TEXT_PREFIX
from converters.source.text import number, numbers
from converters.source.tree import Element, attribute, document, restore
from ir.scene import Scene
from ir.types import (
    WORLD,
    Body,
    Connect,
    Constraint,
    ContactRule,
    Couple,
    Extra,
    Material,
    Physics,
    Role,
    WeldTo,
)

FORMAT = "mjcf"


def write(scene: Scene, context: Context) -> Output:
    """The document, its assets in a folder beside it, and the folds of meshes that MuJoCo wants in several files."""
    look = looks(scene, context)
    root = Element("mujoco", {"model": scene.name})
    folder = context.asset_folder
    directories = {"meshdir": folder, "texturedir": folder} if look.files else {}
    root.add("compiler", {"angle": "radian", "autolimits": "true", **directories})
    _write_option(root, scene)
    _write_defaults(root, scene, look)
    _write_assets(root, scene, look, folder)
    _write_bodies(root, scene, look)
    _write_contacts(root, scene)
    _write_equalities(root, scene)
    _write_actuators(root, scene)
    restore(root, [extra for extra in scene.extras if not _resolved(extra)], FORMAT)
    return Output(document=document(root), files=look.files, folds=look.folds, notes=look.notes)


def _resolved(extra: Extra) -> bool:
    """Whether this is of a default class that is not there any more, or an attribute of one that no element needed."""
    *steps, last = extra.path.split("/")
    if not steps or not steps[0].startswith("default["):
        return False
    if "default[" in "/".join((*steps[1:], last)):
        return True
    if len(steps) < 2 or not last.startswith("@"):
        return False
    return last[1:] in MAPPED.get(steps[-1].partition("[")[0], ())


def carry(output: Output, carried: Mapping[str, str]) -> Output:
    """Put carried data into <custom><text>, one text an entity: legal for MuJoCo, and without effect."""
    body, end, rest = output.document.decode().rpartition("</mujoco>")
    texts = "".join(
        f"    <text name={attribute(TEXT_PREFIX + key)} data={attribute(value)}/>\n" for key, value in carried.items()
    )
    return replace(output, document=f"{body}  <custom>\n{texts}  </custom>\n{end}{rest}".encode())


def _class_name(scene: Scene) -> str:
    """The class that all elements of the robot share."""
    name = scene.name or "robot"
    roles = {geom.role for body in scene.bodies.values() for geom in body.geoms}
    return f"{name}_model" if name in {"main", *roles} else name


def _write_defaults(root: Element, scene: Scene, look: Look) -> None:
    """Each role has a class. Inertia is explicit, so no geom has mass; visual and custom geoms collide with nothing."""
    roles = {geom.role for body in scene.bodies.values() for geom in body.geoms if look.parts(geom)}
    if not roles:
        return
    robot = root.add("default").add("default", {"class": _class_name(scene)})
    robot.add("geom", {"density": "0"})
    for role in sorted(roles - {Role.BOTH}, key=lambda role: (GROUPS.get(role, 9), role)):
        masks = {} if role == Role.COLLISION else {"contype": "0", "conaffinity": "0"}
        group = GROUPS.get(role, GROUPS[""])
        robot.add("default", {"class": role}).add("geom", {**masks, "group": str(group)})


def _write_assets(root: Element, scene: Scene, look: Look, folder: str) -> None:
    asset = Element("asset")
    for name, file in look.textures.items():
        parameters = dict(scene.assets[name].parameters) if name in scene.assets else {}
        asset.add("texture", {"name": name, "type": "2d", "file": file.removeprefix(f"{folder}/")} | parameters)
    for material in look.materials.values():
        _write_material(asset, material)
    for mesh in look.meshes.values():
        attrs = {"name": mesh.name, "file": mesh.file.removeprefix(f"{folder}/")}
        if mesh.scale != (1.0, 1.0, 1.0):
            attrs["scale"] = numbers(mesh.scale)
        asset.add("mesh", attrs | dict(mesh.parameters))
    if asset.content:
        root.content.append(asset)


def _write_material(asset: Element, material: Material) -> None:
    attrs = {"name": material.name}
    if material.texture is not None:
        attrs["texture"] = material.texture
    if material.rgba is not None:
        attrs["rgba"] = numbers(material.rgba)
    for name in ("shininess", "reflectance", "metallic", "roughness"):
        value = getattr(material, name)
        if value is not None:
            attrs[name] = number(value)
    restore(asset.add("material", attrs), material.extras, FORMAT)


def _write_bodies(root: Element, scene: Scene, look: Look) -> None:
    world = root.add("worldbody")
    elements: dict[str, Element] = {WORLD: world}
    robot = _class_name(scene) if root.find("default") else None
    for joint, body in scene.walk():
        if body.name == WORLD:
            _write_contents(world, body, look, robot)
            continue
        parent = joint.parent if joint is not None else WORLD
        element = write_body(elements[parent], body, joint, robot if parent == WORLD else None)
        elements[body.name] = element
        if joint is not None:
            write_joints(element, joint)
        _write_contents(element, body, look, None)
        restore(element, body.extras, FORMAT)


def _write_contents(element: Element, body: Body, look: Look, robot: str | None) -> None:
    """Geoms and sites; those of the world have no childclass above them and name the class of the robot themselves."""
    write_geoms(element, body, look, robot)
    write_frames(element, body)


def _write_option(root: Element, scene: Scene) -> None:
    physics = scene.tables["physics"].get(PHYSICS)
    if physics is None:
        return
    attrs = {"gravity": numbers(physics.gravity)} if physics.gravity != Physics(name="").gravity else {}
    if physics.timestep is not None:
        attrs["timestep"] = number(physics.timestep)
    for name in ("magnetic", "wind"):
        value = getattr(physics, name)
        if value is not None:
            attrs[name] = numbers(value)
    restore(root.add("option", attrs), physics.extras, FORMAT)


def _write_contacts(root: Element, scene: Scene) -> None:
    rules: list[ContactRule] = [rule for rule in scene.tables["contact"].values() if not rule.include]
    if rules:
        contact = root.add("contact")
        for rule in rules:
            contact.add("exclude", {"body1": rule.first, "body2": rule.second})


def _write_equalities(root: Element, scene: Scene) -> None:
    """A follower is joint1: q1 = offset + multiplier (q2 - reference)."""
    equality = Element("equality")
    dofs = scene.dofs()
    for name, (joint, dof) in dofs.items():
        mimic = dof.mimic
        if mimic is None or mimic.dof not in dofs or mimic.dof == name:
            continue
        if joint.closes_loop or dofs[mimic.dof][0].closes_loop:
            continue  # it is not written, so nothing can name it
        leader = dofs[mimic.dof][1]
        offset = mimic.offset - dof.zero + mimic.multiplier * (leader.zero - mimic.reference)
        attrs = {"joint1": name, "joint2": mimic.dof, "polycoef": numbers((offset, mimic.multiplier, 0, 0, 0))}
        equality.add("joint", attrs | dict(mimic.parameters))
    for constraint in scene.constraints.values():
        if isinstance(constraint.spec, (Connect, WeldTo)):
            _write_tie(equality, constraint, constraint.spec)
        elif isinstance(constraint.spec, Couple):
            attrs = {"name": constraint.name, "joint1": constraint.spec.first}
            if constraint.spec.second is not None:
                attrs["joint2"] = constraint.spec.second
            if not constraint.active:
                attrs["active"] = "false"
            attrs["polycoef"] = numbers(constraint.spec.coefficients)
            restore(equality.add("joint", attrs | dict(constraint.parameters)), constraint.extras, FORMAT)
    if equality.content:
        root.content.append(equality)


def _write_tie(equality: Element, constraint: Constraint, spec: Connect | WeldTo) -> None:
    attrs = {"name": constraint.name, "body1": constraint.parent, "body2": constraint.child}
    if not constraint.active:
        attrs["active"] = "false"
    if isinstance(spec, Connect) or spec.anchor != (0.0, 0.0, 0.0):
        attrs["anchor"] = numbers(spec.anchor)
    if isinstance(spec, WeldTo):
        attrs["relpose"] = numbers((*spec.pose.pos, *spec.pose.rot))
        if spec.torque_scale != 1.0:
            attrs["torquescale"] = number(spec.torque_scale)
    tag = "connect" if isinstance(spec, Connect) else "weld"
    restore(equality.add(tag, attrs | dict(constraint.parameters)), constraint.extras, FORMAT)


def _write_actuators(root: Element, scene: Scene) -> None:
    element = Element("actuator")
    for actuator in scene.tables["actuator"].values():
        if actuator.kind not in ("motor", "position", "velocity") or actuator.dof is None:
            continue
        attrs = {"name": actuator.name, "joint": actuator.dof}
        if actuator.gear != (1.0,):
            attrs["gear"] = numbers(actuator.gear)
        for name, value in (("kp", actuator.kp), ("kv", actuator.kv)):
            if value is not None:
                attrs[name] = number(value)
        for name, limits in (("ctrlrange", actuator.control_range), ("forcerange", actuator.force_range)):
            if limits is not None:
                attrs[name] = numbers(limits)
        restore(element.add(actuator.kind, attrs | dict(actuator.parameters)), actuator.extras, FORMAT)
    if element.content:
        root.content.append(element)
