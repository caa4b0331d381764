"""The document of a scene in plain spelling, and the differences in its author's spelling."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping

from msgspec.structs import replace

from converters.mjcf.assets.elements import asset_name, faces, sizes_in_use, stem
from converters.mjcf.assets.shading import painted_over
from converters.mjcf.bodies.geoms import GREY
from converters.mjcf.document.attributes import pose_attributes
from converters.mjcf.document.files import author_document
from converters.mjcf.document.loading import Part
from converters.mjcf.relations.sections import write_relations
from converters.mjcf.tables import ASSETS, FACE, FLEX, FORMAT, GROUPS, INCLUDED, SPELLING
from converters.mjcf.writing.bodies import (
    shape_attributes,
    surface_attributes,
    weight_attributes,
    without_orientations,
    write_body,
    write_joints,
    write_leaves,
)
from converters.mjcf.writing.materials import write_material
from converters.mjcf.writing.silence import Named
from converters.source.spelling import DEEPEST, spell
from converters.source.text import numbers
from converters.source.tree import Element, restore
from ir.refs import entities, references
from ir.scene import Scene
from ir.shapes import HEIGHT_KINDS
from ir.types import WORLD, Body, Extra, Geom, HeightField, Material, Mesh, Role

UNSCALED = ("scale", (1.0, 1.0, 1.0))
TREES = ("worldbody", "asset", "deformable")
ROLES = (Role.VISUAL, Role.COLLISION, Role.BOTH)


Spell = Callable[[Element, Element, Mapping[Element, Iterable[str]]], str]
CONTAINERS = ("frame", "replicate")


def spelling(scene: Scene, part: Part, spell: Spell = spell) -> str:
    """Return notes on where the author's document differs from what would be written for its scene.

    Return "" for a tree deeper than that of any robot: notes repeat the path of their element, with quadratic cost.
    """
    source = author_document(part)
    if _is_deeper(source, DEEPEST):
        return ""
    scene.notation.setdefault(SPELLING, "")  # what is measured is then named as in MJCF (sensors.is_native)
    written = render(scene)
    return spell(source, written, _steps_of_containers(source, written))


def _steps_of_containers(source: Element, written: Element) -> dict[Element, dict[str, None]]:
    """Return, for each <frame> and <replicate>, the steps (source.spelling) of the named elements that are written
    instead; names of copies have a number suffix."""
    copies: dict[tuple[str, str], list[str]] = {}
    for item in written.below():
        name = item.attrs.get("name", "")
        for end in range(len(name.rstrip("0123456789")), len(name)):
            copies.setdefault((item.tag, name[:end]), []).append(f"{item.tag}@{name}")
    found: dict[Element, dict[str, None]] = {}
    for top in source.below():
        inside = [(top, False)] if top.tag in CONTAINERS else []
        for item, copied in inside:
            name = item.attrs.get("name", "")
            if item.tag in CONTAINERS:
                inside += [(each, copied or item.tag == "replicate") for each in item.elements()]
            elif name:
                steps = copies.get((item.tag, name), ()) if copied else [f"{item.tag}@{name}"]
                found.setdefault(top, {}).update(dict.fromkeys(steps))
    return found


def _is_deeper(root: Element, most: int) -> bool:
    level = [root]
    for _ in range(most):
        level = [item for element in level for item in element.elements()]
        if not level:
            return False
    return True


def render(scene: Scene) -> Element:
    """Return the document in plain spelling: radians, quaternions, no classes (their values are on the elements), and
    no reliance on defaults."""
    root = Element("mujoco", {"model": scene.name} if scene.name else {})
    root.add("compiler", {"angle": "radian"})
    roles = {geom.role for geom in scene.geoms()} - set(ROLES)
    if roles:
        top = root.add("default")
        for role in sorted(roles):
            top.add("default", {"class": role})
    _write_assets(root, scene)
    bodies = _write_bodies(root, scene)
    write_relations(root, scene, bodies, "")
    restore(root, [extra for extra in scene.extras if not extra.path.startswith("default[")], FORMAT)
    _remove_made_names(root, scene)
    return root


def _write_assets(root: Element, scene: Scene) -> None:
    section, deformable = Element("asset"), Element("deformable")
    shown, sides = sizes_in_use(scene), faces(scene)
    for name, asset in scene.assets.items():
        if asset.kind in (FACE, FLEX) or any(key == INCLUDED for key, _ in asset.parameters):
            continue
        attrs = {"name": asset_name(asset)}
        if asset.kind == "texture" and not any(key == "type" for key, _ in asset.parameters):
            attrs["type"] = "2d"
        attrs |= {"file": asset.uri} if asset.uri else {}
        word, size = shown.get(name, UNSCALED)
        if (word, size) != UNSCALED:
            attrs[word] = numbers(size)
        if asset.kind == "texture":
            attrs |= sides.get(name, {})
        home, _, tag = asset.kind.rpartition("/")
        tag = "hfield" if tag in HEIGHT_KINDS else tag
        attrs |= dict(asset.parameters)
        if tag == "hfield" and "size" not in attrs and all(extra.path != "@size" for extra in asset.extras):
            continue  # not used any more, and MuJoCo requires a size
        element = (deformable if home else section).add(tag, attrs)
        restore(element, asset.extras, FORMAT)
    own = _materials_of_colours(scene) - {geom.material for geom in scene.geoms() if not geom.inline}
    for material in scene.materials.values():
        if material.name not in own:
            texture = scene.image_of(material)
            named = asset_name(texture) if texture is not None else None
            write_material(section, replace(material, texture=named))
    root.content += [each for each in (section, deformable) if each.content]


def _write_bodies(root: Element, scene: Scene) -> dict[str, Element]:
    world = root.add("worldbody")
    painted = _materials_of_colours(scene)
    elements: dict[str, Element] = {WORLD: world}
    frames: set[str] = set()
    for joint, body in scene.walk():
        element = world
        if body.name != WORLD:
            element = write_body(elements[joint.parent if joint is not None else WORLD], body, joint, None)
            elements[body.name] = element
        if joint is not None:
            write_joints(element, joint)
        for geom in body.geoms:
            _write_geom(element, geom, scene, body, painted)
        write_leaves(element, body)
    for name, element in elements.items():  # leftover elements may follow child bodies
        restore(element, [extra for extra in scene.body(name).extras if not _was_copied(extra, frames)], FORMAT)
    return elements


def _was_copied(extra: Extra, frames: set[str]) -> bool:
    """Whether an extra was in a <replicate>, which is expanded, or is the name of a frame that exists already: all
    copies of a body share its extras."""
    path = extra.path
    if "replicate[" in path:
        return True
    named = path.endswith("/@name") and path.rpartition("/")[0].rpartition("/")[2].startswith("frame[")
    again = named and extra.text in frames
    if named:
        frames.add(extra.text)
    return again


def _write_geom(element: Element, geom: Geom, scene: Scene, body: Body, painted: Collection[str]) -> None:
    attrs = {"name": geom.name}
    if geom.role not in ROLES:
        attrs["class"] = geom.role
    match geom.shape:
        case Mesh(asset=name, fit=fit):
            attrs |= {"type": fit or "mesh", "mesh": asset_name(scene.assets[name])}
        case HeightField(asset=name):
            attrs |= {"type": "hfield", "hfield": asset_name(scene.assets[name])}
        case None:
            pass
        case shape:
            attrs |= shape_attributes(shape)
    attrs |= pose_attributes(geom.pose)
    if geom.material is not None:
        alone = geom.inline and geom.material in painted
        attrs |= _material_attributes(scene.materials[geom.material]) if alone else {"material": geom.material}
    attrs |= weight_attributes(geom)
    if geom.density is None and geom.mass is None and body.inertial is None and body.name != WORLD:
        attrs["density"] = "0"
    if geom.role not in Role.COLLIDING:
        attrs |= {"contype": "0", "conaffinity": "0"}
    group = GROUPS.get(geom.role, GROUPS[""])
    if group and geom.group is None:
        attrs["group"] = str(group)
    restore(element.add("geom", attrs | surface_attributes(geom)), without_orientations(geom.extras), FORMAT)


def _materials_of_colours(scene: Scene) -> set[str]:
    """Return materials that are only the colour of a geom over another material, or over none. One derived from such a
    material for a transparent geom is excluded if a reader, which numbers them, would confuse the two."""
    own = dict.fromkeys(geom.material or "" for _, body in scene.walk() for geom in body.geoms if geom.inline)
    found: set[str] = set()
    for name in own:
        material = scene.materials.get(name)
        if material is not None and material.label is not None and material.rgba not in (None, GREY):
            base = scene.materials.get(material.label)
            stands = not material.label if base is None else base.name not in own
            taken = material.veil != 1.0 and f"{material.label or 'rgba'}_{len(found)}" in own
            if stands and not taken and material == painted_over(base, name, material.rgba or GREY):
                found.add(name)
    return found


def _material_attributes(material: Material) -> dict[str, str]:
    attrs = {"material": material.label} if material.label else {}
    return attrs | {"rgba": numbers(material.rgba or (0.5, 0.5, 0.5, 1.0))}


def _remove_made_names(root: Element, scene: Scene) -> None:
    """Remove generated names again, unless they are referenced or a reader would now generate other ones."""
    made = _made_up_names(scene)
    if not made:
        return
    bare, kept = _nameless_elements(root, made, _names_in_use(scene))
    counts: Counter[str] = Counter()
    for element, kind, name in bare:
        start = _stem_of_made_name(name)
        if kind not in ASSETS and start != kind:  # counted as in Loading.name
            while (kind, f"{start}_{counts[start]}") in kept:
                counts[start] += 1
            if name != f"{start}_{counts[start]}":
                kept.add((kind, name))
                continue
            counts[start] += 1
        del element.attrs["name"]


def _made_up_names(scene: Scene) -> set[Named]:
    """Return kinds and names of what the author did not name."""
    made: set[Named] = set()
    for body in scene.bodies.values():
        inside = {"body": [body], "geom": body.geoms, "site": body.frames, "camera": body.cameras, "light": body.lights}
        made |= {(kind, item.name) for kind, items in inside.items() for item in items if item.label == ""}
    made |= {("joint", dof.name) for joint in scene.joints.values() for dof in joint.dofs if dof.label == ""}
    # label equal to the name: the name of a file that was not found (carried.files)
    nameless = (asset for asset in scene.assets.values() if asset.label in ("", asset.name))
    return made | {(asset.kind.rpartition("/")[2], asset_name(asset)) for asset in nameless}


def _nameless_elements(
    root: Element, made: set[Named], used: set[str]
) -> tuple[list[tuple[Element, str, str]], set[Named]]:
    """Return elements that may omit their name, with kind and name, in document order; and all other names."""
    bare: list[tuple[Element, str, str]] = []
    kept: set[Named] = set()
    stack = [(item, WORLD) for item in reversed(root.elements()) if item.tag in TREES]
    while stack:
        element, parent = stack.pop()
        kind = "joint" if element.tag == "freejoint" else element.tag
        name = element.attrs.get("name", "")
        stems = (kind, f"{parent}_{kind}", *((f"{parent}_free",) if kind == "joint" else ()))
        # MuJoCo gives an asset without a name that of its file (XML reference, asset)
        file = element.attrs.get("file", "") if kind in ASSETS else ""
        free = (
            not file or stem(file) == name if kind in ASSETS else name not in used and _stem_of_made_name(name) in stems
        )
        if (kind, name) in made and free:
            bare.append((element, kind, name))
        else:
            kept.add((kind, name))
        below = name if kind == "body" else parent
        stack.extend((item, below) for item in reversed(element.elements()))
    return bare, kept


def _stem_of_made_name(name: str) -> str:
    """Return the stem of a generated name, which ends in a number; "" for any other name."""
    stem, _, number = name.rpartition("_")
    return stem if number.isdigit() else ""


def _names_in_use(scene: Scene) -> set[str]:
    """Return names that are referenced from outside the tree, and those of dofs that follow others or are followed."""
    outside = (entity for kind, entity in entities(scene) if kind not in ("body", "joint"))
    dofs = (dof for joint in scene.joints.values() for dof in joint.dofs)
    return {reference.name for entity in outside for reference in references(entity)} | {
        name for dof in dofs if dof.mimic is not None for name in (dof.name, dof.mimic.dof)
    }
