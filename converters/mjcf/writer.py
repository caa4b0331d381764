"""MJCF writer, with the layout of MuJoCo Menagerie models.

That is: classes for visual and collision, quaternions, explicit inertia.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from converters.context import Output, WriterContext
from converters.mjcf.assets.elements import size_of
from converters.mjcf.relations.actuators import tell_drives
from converters.mjcf.relations.sections import write_relations
from converters.mjcf.tables import FORMAT, GROUPS, MAPPED, SPELLING, TEXT_PREFIX
from converters.mjcf.writing.bodies import write_body, write_geoms, write_joints, write_leaves
from converters.mjcf.writing.classes import factor_into_classes
from converters.mjcf.writing.materials import WrittenLooks, looks, write_material
from converters.mjcf.writing.stage import stage
from converters.source.text import numbers
from converters.source.tree import Element, appended, attribute, document, restore
from ir.scene import Scene
from ir.types import IDENTITY, WORLD, Asset, Body, Extra, Role


def write(scene: Scene, context: WriterContext) -> Output:
    """Return the document, its assets in a folder next to it, and the folds of meshes written to several files."""
    if SPELLING in scene.notation:
        from converters.mjcf.native import write_native

        output = write_native(scene, context)
        return replace(output, files={**output.files, **stage(scene, context)})
    if context.source not in ("", FORMAT):
        tell_drives(scene, context)
    look = looks(scene, context)
    root = Element("mujoco", {"model": scene.name})
    folder = "" if context.options.meshes == "reference" else context.asset_folder
    directories = {"meshdir": folder, "texturedir": folder} if look.files and folder else {}
    root.add("compiler", {"angle": "radian", "autolimits": "true", **directories})
    _write_defaults(root, scene, look)
    _write_assets(root, scene, look, f"{folder}/" if folder else "")
    bodies = _write_bodies(root, scene, look)
    folds = write_relations(root, scene, bodies, context.source, look.folds)
    factor_into_classes(root)
    restore(root, [extra for extra in scene.extras if not _is_of_class(extra)], FORMAT)
    for element in root.below():
        if "quat" in element.attrs:
            _set_upright(element)
    root.content.sort(key=_rank_of_item)
    files = {**look.files, **stage(scene, context)}
    return Output(document=document(root), files=files, folds=folds, notes=look.notes)


ORDER = (
    *("compiler", "option", "size", "visual", "statistic", "extension", "default", "asset", "worldbody", "deformable"),
    *("contact", "tendon", "equality", "actuator", "sensor", "keyframe"),
)
"""Order of sections as in the Menagerie; other elements come last. The order has no effect in MuJoCo."""


DUST = 2.0**-53
"""Components of a unit quaternion below this are hidden by the rounding of the others."""


def _set_upright(element: Element) -> None:
    """Write the rotation in canonical form: its first nonzero number is positive, and rounding errors are zero."""
    text = element.attrs["quat"]
    parts = text.split()
    if len(parts) != 4 or not (text.startswith(("-", "0")) or "e-" in text):
        return
    w, x, y, z = (0.0 if -DUST < part < DUST else part for part in map(float, parts))
    upright = (-w, -x, -y, -z) if (w or x or y or z) < 0.0 else (w, x, y, z)
    if upright == IDENTITY.rot:
        del element.attrs["quat"]
    else:
        element.attrs["quat"] = numbers(upright)


def _rank_of_item(item: object) -> int:
    tag = item.tag if isinstance(item, Element) else ""
    return ORDER.index(tag) if tag in ORDER else len(ORDER)


def _is_of_class(extra: Extra) -> bool:
    """Whether this belongs to a default class that is no longer written, or is an attribute that no element needed."""
    *steps, last = extra.path.split("/")
    if not steps or not steps[0].startswith("default["):
        return False
    if "default[" in "/".join((*steps[1:], last)):
        return True
    if len(steps) < 2 or not last.startswith("@"):
        return False
    return last[1:] in MAPPED.get(steps[-1].partition("[")[0], ())


def carry(output: Output, carried: Mapping[str, str]) -> Output:
    """Write carried data into <custom><text>, one text per entity: valid in MuJoCo, without effect."""
    texts = [
        f"    <text name={attribute(TEXT_PREFIX + key)} data={attribute(value)}/>\n" for key, value in carried.items()
    ]
    return replace(output, document=appended(output.document, ["  <custom>\n", *texts, "  </custom>\n"]))


def _class_name(scene: Scene) -> str:
    """Return the class that all elements of the robot share."""
    name = scene.name or "robot"
    roles = {geom.role for geom in scene.geoms()}
    return f"{name}_model" if name in {"main", *roles} else name


def _write_defaults(root: Element, scene: Scene, look: WrittenLooks) -> None:
    """Write a class for each role. Inertia is explicit, so no geom has mass; visual and custom geoms do not collide."""
    roles = {geom.role for geom in scene.geoms() if look.parts(geom)}
    if not roles:
        return
    robot = root.add("default").add("default", {"class": _class_name(scene)})
    robot.add("geom", {"density": "0"})
    for role in sorted(roles - {Role.BOTH}, key=lambda role: (GROUPS.get(role, 9), role)):
        masks = {} if role == Role.COLLISION else {"contype": "0", "conaffinity": "0"}
        group = GROUPS.get(role, GROUPS[""])
        robot.add("default", {"class": role}).add("geom", {**masks, "group": str(group)})


def _write_assets(root: Element, scene: Scene, look: WrittenLooks, start: str) -> None:
    asset = Element("asset")
    for name, file in look.textures.items():
        known = scene.assets.get(name, Asset(name=name, uri=""))
        said = {"name": name, "type": "2d", "file": file.removeprefix(start), **dict(known.parameters)}
        extras = [extra for extra in known.extras if extra.path != "@content_type"]  # implied by the file name
        restore(asset.add("texture", said), extras, FORMAT)
    for material in look.materials.values():
        write_material(asset, material)
    for mesh in look.meshes.values():
        attrs = {"name": mesh.name, "file": mesh.file.removeprefix(start)}
        if mesh.scale != (1.0, 1.0, 1.0):
            attrs["scale"] = numbers(mesh.scale)
        asset.add("mesh", attrs | dict(mesh.parameters))
    for shape, name in look.fields.items():
        word, size = size_of(shape)
        attrs = {"name": name, "file": look.placed[shape.asset].removeprefix(start), word: numbers(size)}
        asset.add("hfield", attrs)
    if asset.content:
        root.content.append(asset)


def _write_bodies(root: Element, scene: Scene, look: WrittenLooks) -> dict[str, Element]:
    """Write the bodies and return their elements, by name."""
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
    return elements


def _write_contents(element: Element, body: Body, look: WrittenLooks, robot: str | None) -> None:
    """Write the content of a body. Elements of the world have no childclass and name the robot's class themselves."""
    write_geoms(element, body, look, robot)
    write_leaves(element, body)
