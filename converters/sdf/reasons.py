"""Conditions on values, used by the rows of SDFormat (converters.format.Loss.when)."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path, PurePath
from types import NoneType

from msgspec.structs import replace

from converters.context import InputError, ReaderContext
from converters.facts import Facts
from converters.passes.actuators import INTERFACES
from converters.passes.compound import LINK
from converters.passes.fields import worldly
from converters.registry import format_named
from converters.report.file_reasons import files, nowhere, unfound, unused
from converters.report.reasons import (
    CLOSE,
    Asked,
    after,
    before,
    foreign_to,
    geom_of,
    loose,
    no_such,
    of_geom,
    of_scene,
    of_some_geom,
    shaped,
    surface_of,
)
from converters.report.value_reasons import other_than
from converters.sdf.document.vocabulary import knows
from converters.sdf.parts.lights import ACTIVE, KINDS as LIGHTS
from converters.sdf.parts.materials import BLACK, MAPS
from converters.sdf.parts.ogre import BUILTIN
from converters.sdf.parts.sensors import PIXELS, pixels
from converters.sdf.parts.surface import MASKS, NUMBERS, twisting
from converters.sdf.tables import DENSITIES, FRAMES, HULLS, MIMICS, SPELLING, TOP, VERSION, Version, version_text
from converters.sdf.writing.versions import written_version
from converters.source.gazebo import COLLISION, FIGURES, text_of
from converters.source.text import NUMBER
from converters.source.tree import Element, fragment, serialise
from ir.diff import Difference
from ir.gathering import gathered
from ir.pose import unit
from ir.scopes import within
from ir.types import (
    WHITE,
    Actuator,
    Asset,
    Block,
    Box,
    Cylinder,
    Extra,
    Geom,
    Mesh,
    Physics,
    Plane,
    Role,
    Scope,
    Sphere,
)

WORDS = (*NUMBERS, *MASKS, "fdir1", "torsional")
"""Fields of a surface that SDFormat has elements for."""


PEERS = frozenset({"frame", "gripper", "include", "joint", "link", "model"})
PLACED = {"attached_to", "relative_to"}
"""Elements, and attributes, that refer to other parts of their model."""


def some_inertia_is_auto(_: Difference, facts: Facts) -> bool:
    """Whether an inertia is left to the engine (inertial/@auto, part of the spelling: the graph has the numbers)."""
    return '"auto"' in facts.scene.notation.get(SPELLING, "")


def has_no_colour_or_image(difference: Difference, facts: Facts) -> bool:
    """Whether a material has nothing that a visual of SDFormat could show."""
    material = facts.scene.materials.get(str(difference.before))
    return material is None or (material.rgba is None and material.texture is None)


def colour_of_gazebo_material(difference: Difference, facts: Facts) -> bool:
    """Whether a geom with that material names one of Gazebo's with that colour."""
    bearers = (geom for geom in facts.fitted.geoms() if geom.material == difference.path[1])
    texts = (extra.text for geom in bearers for extra in geom.extras if extra.format == "sdf")
    return any(name in text for text in texts for name in facts.once(_gazebo_names).get(difference.after, ()))


def colour_of_other_material(difference: Difference, facts: Facts) -> bool:
    """Whether a geom with that material is written with another one, set by a <gazebo> block, that has the colour."""
    _, name, field = difference.path
    bearers = (facts.written.get(place) for place, geom in facts.geoms.items() if geom.material == name)
    looks = (facts.fitted.materials.get(geom.material or "") for geom in bearers if geom is not None)
    return any(getattr(look, field) == difference.after for look in looks if look is not None and look.name != name)


def _gazebo_names(_: Facts) -> Mapping[object, list[str]]:
    """Return, for each colour, the Gazebo materials that have it, as <name> elements."""
    return gathered((script.diffuse, f"<name>{name}</name>") for name, script in BUILTIN.items())


@of_some_geom
def some_geom_visual_and_collision(geom: Geom) -> bool:
    """Whether a link has a geom that is both visual and collision, which is two in SDFormat."""
    return geom.role == Role.BOTH


def older_than(first: Version) -> Asked:
    """Whether the version to be written is older than first."""
    return lambda _, facts: written_version(facts.options.sdf_version, facts.fitted) < first


def plugin_has_no_name(difference: Difference, facts: Facts) -> bool:
    """Whether a plugin has no name in the source."""
    block = difference.before or facts.lost.get(difference.path)
    return isinstance(block, Extra) and " name=" not in block.text.partition(">")[0]


def link_has_negligible_mass(difference: Difference, _: Facts) -> bool:
    """Whether a link has no mass, or no significant one."""
    inertial = difference.after.inertial
    return inertial in (None, LINK) or (inertial.mass == 0.0 and not any(inertial.tensor))


def only_states_zero_mass(difference: Difference, _: Facts) -> bool:
    """Whether the output only states that a link has zero mass."""
    said = difference.after
    return said.mass == 0.0 and not any(said.tensor) and not said.extras


def parallel(difference: Difference, _: Facts) -> bool:
    """Whether two directions are the same."""
    return math.dist(unit(difference.before), unit(difference.after)) < CLOSE


def equivalent_to_length(difference: Difference, facts: Facts) -> bool:
    """Whether the source gives torsional friction as a length, and the output its equivalent."""
    surface, geom, (*place, name) = surface_of(difference, facts), geom_of(difference, facts), difference.path
    if surface is None or surface.torsional is None:
        return False
    own, meant = geom.surface if geom is not None else None, twisting(surface)
    return all(
        getattr(meant, each) == facts.gained.get(path, None if path in facts.lost else getattr(own, each, None))
        for each in (("torsional_coefficient", "patch_radius") if name == "torsional" else (name,))
        for path in [(*place, each)]
    )


def only_light_switch_kept(difference: Difference, _: Facts) -> bool:
    """Whether all that is said of a light, but whether it shines, is not there, and nothing else is."""
    return set(difference.after or ()) == {each for each in difference.before if each[0] == ACTIVE}


def equals_other_cone_angle(difference: Difference, facts: Facts) -> bool:
    """Whether one angle of a cone equals the other one."""
    lights = facts.fitted.bodies[difference.path[1]].lights
    return any(each.name == difference.path[3] and difference.after in (each.inner, each.outer) for each in lights)


def category_equals_collide_mask(difference: Difference, facts: Facts) -> bool:
    """Whether a category equals the geom's collide mask."""
    surface = surface_of(difference, facts)
    return surface is not None and surface.collide is not None and difference.after == surface.collide & 0xFFFF


def no_element_for_surface(difference: Difference, facts: Facts) -> bool:
    """Whether a surface has nothing that SDFormat has elements for."""
    surface = surface_of(difference, facts)
    if surface is None:
        return True
    return not surface.contactless and all(getattr(surface, name) is None for name in WORDS)


def empty(difference: Difference, facts: Facts) -> bool:
    """Whether a model contains no link."""
    return not any(within(body.scope, difference.path[1]) for body in facts.fitted.bodies.values())


def same_as_diffuse(difference: Difference, facts: Facts) -> bool:
    """Whether a colour equals the diffuse one of its material."""
    material = facts.fitted.materials.get(difference.path[1])
    return material is not None and material.rgba == difference.before


def inside_static_model(difference: Difference, facts: Facts) -> bool:
    """Whether a model around this one is static."""
    scopes: Mapping[str, Scope] = facts.fitted.tables["scope"]
    name = difference.path[1]
    around = (scope for path, scope in scopes.items() if path != name and within(name, path))
    return bool(difference.after) and any(scope.static for scope in around)


def static_or_without_properties(difference: Difference, facts: Facts) -> bool:
    """Whether a model is static, or has no property that the version can express."""
    scope: Scope = replace(difference.before, label=None, source=None)
    if older_than(FRAMES)(difference, facts):
        scope = replace(scope, canonical=None)
    return scope.static or scope == Scope(name=scope.name)


def only_gravity_written(difference: Difference, facts: Facts) -> bool:
    """Whether only gravity was written, as the graph's default differs from that of SDFormat."""
    said = replace(difference.after, name="", label=None, source=None)
    return not facts.fitted.tables["physics"] and said == Physics(name="")


def block_has_invalid_sdf(difference: Difference, facts: Facts) -> bool:
    """Whether a <gazebo> block of a URDF contains something that the reader of SDFormat refuses."""
    block = difference.before
    if not isinstance(block, Block):
        return False
    kind = "model" if not block.target else "link" if block.target in facts.scene.bodies else "joint"
    return any(_is_refused(child, kind) for child in _elements_of_block(block) if not _is_strange(child))


def block_has_unknown_elements(difference: Difference, _: Facts) -> bool:
    """Whether it is the rest of a <gazebo> block, with elements that SDFormat does not have."""
    block = difference.before
    return isinstance(block, Block) and any(map(_is_strange, _elements_of_block(block)))


def _elements_of_block(block: Block) -> Iterator[Element]:
    """Yield the elements of a <gazebo> block."""
    for extra in block.extras if block.dialect == "gazebo" else ():
        if not extra.path:
            yield from fragment(extra.text).elements()


def _is_strange(child: Element) -> bool:
    """Whether an element has only its name and content unknown to SDFormat: all else in it has been converted."""
    stack, strange = [child] if ":" not in child.tag else [], False
    while stack:
        each = stack.pop()
        names = [name for name in each.attrs if name != "name"]
        known = [item for item in each.elements() if knows(each.tag, item.tag)]
        if text_of(each) or any(knows(each.tag, f"@{name}") for name in names):
            return False
        strange = strange or bool(names) or len(known) < len([*each.elements()])
        stack += known
    return strange


def _is_refused(child: Element, kind: str) -> bool:
    """Whether a child of a block about a thing of that kind is refused: an invalid number, one out of range, or an
    invalid part of that thing. References to other parts of the robot are assumed to be valid."""
    if child.tag in FIGURES:
        text, place = text_of(child), COLLISION.get(child.tag, "") if kind == "link" else ""
        if not NUMBER.match(text) or not place:
            return not NUMBER.match(text)
        inner = child = Element(Role.COLLISION)
        for tag in place.split("/"):
            inner = inner.add(tag)
        inner.content.append(text)
    if not knows(kind, child.tag) or child.tag in PEERS or any(PLACED & each.attrs.keys() for each in child.below()):
        return False
    if child.tag in (Role.VISUAL, Role.COLLISION):
        child = child.copy()
        child.attrs["name"] = child.tag
        child.add("geometry").add("sphere").add("radius").content.append("1")
    root = Element("sdf", {"version": version_text(MIMICS)})
    owners = {"model": root.add("model", {"name": "gazebo"})}
    owners["link"] = owners["model"].add("link", {"name": "link"})
    owners["joint"] = owners["model"].add("joint", {"name": "joint", "type": "fixed"})
    for end, name in (("parent", "world"), ("child", "link")):
        owners["joint"].add(end).content.append(name)
    owners[kind].content.append(child)
    reader = format_named("sdf").read
    assert reader is not None
    context = ReaderContext(file="gazebo", folder=Path(), again=True)
    try:
        reader(serialise(root).encode(), context)
    except InputError:
        return True
    return any(note.severity == "error" for note in context.notes)


def same_pixel_format(difference: Difference, _: Facts) -> bool:
    """Whether a pixel format is that of the source, under its name in SDFormat."""
    return bool(difference.after == pixels(difference.before or PIXELS))


def missing_unused_or_renamed(difference: Difference, facts: Facts) -> bool:
    """Whether an asset has no file, is not used in the output, or appears there under the name of its file or of
    another asset with that file."""
    asset = difference.before
    if nowhere(asset, facts) or unused(difference, facts):
        return True
    shared = asset.file is not None and facts.once(files)[asset.file] > 1
    return shared or any(_of_file(asset, stem) for stem in facts.once(_made_files))


def _made_files(facts: Facts) -> Collection[str]:
    """Return the stems of the files of assets that only the output has."""
    return {PurePath(each.uri).stem for each in facts.gained.values() if isinstance(each, Asset)}


def has_new_file_named_after_it(difference: Difference, facts: Facts) -> bool:
    """Whether a mesh has a file that the source does not have, named after the mesh."""
    ours, theirs = facts.fitted.assets.get(difference.before), facts.gained.get(("asset", difference.after))
    return ours is not None and isinstance(theirs, Asset) and bool(theirs.uri) and _of_file(ours, difference.after)


def _of_file(ours: Asset, stem: str) -> bool:
    """Whether the stem of a file may be derived from an asset: NAME, NAME_collision, NAME_1."""
    names = {PurePath(each).stem for each in (ours.name, ours.uri, ours.file or "")} - {""}
    return any(f"{stem}_".startswith(f"{name}_") for name in names)


def has_unknown_non_sdf_shape(difference: Difference, facts: Facts) -> bool:
    """Whether a geom has no known shape and the source is not SDFormat, whose unknown shapes are kept."""
    return VERSION not in facts.fitted.notation and shaped(NoneType)(difference, facts)


@of_geom
def visual_and_collision_mesh(geom: Geom) -> bool:
    """Whether a geom is both visual and collision and has a mesh, whose two files may differ."""
    return geom.role == Role.BOTH and isinstance(geom.shape, Mesh)


def joint_already_driven(difference: Difference, facts: Facts) -> bool:
    """Whether an earlier motor or servo of the same joint has the Gazebo system."""
    own = difference.before
    if not isinstance(own, Actuator) or own.dof is None or own.kind not in INTERFACES:
        return False
    return facts.once(_first_drives).get(own.dof, own.name) != own.name


def _first_drives(facts: Facts) -> Mapping[str, str]:
    """Return, for each dof, the first motor or servo that drives it."""
    drives: Iterable[Actuator] = facts.scene.tables["actuator"].values()
    found: dict[str, str] = {}
    for each in drives:
        if each.dof is not None and each.kind in INTERFACES and each.gear[0]:
            found.setdefault(each.dof, each.name)
    return found


def plane_is_infinite(difference: Difference, facts: Facts) -> bool:
    """Whether it is a plane, infinite in some direction, with unchanged size in the others."""
    geom, sizes = geom_of(difference, facts), (difference.before or (0.0, 0.0), difference.after)
    plane = geom is None or isinstance(geom.shape, Plane)
    return plane and None not in sizes and all(ours in (0.0, theirs) for ours, theirs in zip(*sizes, strict=True))


def model_without_world(_: Difference, facts: Facts) -> bool:
    """Whether the document is a model, in no world: that of a folder is one if nothing but settings is of the world."""
    if facts.fitted.notation.get(TOP) == "model":
        return True
    settings = {("physics", name) for name in facts.fitted.tables["physics"]}
    return (
        not worldly(facts.fitted, False)
        and settings <= facts.lost.keys()
        and not any(where[0] == "physics" for where in facts.gained)
    )


def material_has_image_or_role(difference: Difference, facts: Facts) -> bool:
    """Whether the material has that image or role."""
    material = facts.fitted.materials.get(difference.path[1])
    maps = material.maps if material is not None else ()
    return any(difference.after in (each.role, each.texture) for each in maps)


def only_unsupported_roles_lost(difference: Difference, _: Facts) -> bool:
    """Whether a material lacks only images whose roles SDFormat does not have."""
    roles = {role for _, role in MAPS}
    return tuple(difference.after or ()) == tuple(each for each in difference.before if each.role in roles)


def has_no_look_or_no_visual(difference: Difference, facts: Facts) -> bool:
    """Whether a material has no colour and no image, or no visual of the output has it, at least under the name that
    the material's name is derived from."""
    material = difference.before
    plain = material.rgba is None and material.texture is None
    return plain or all(
        place in facts.lost or (place[1], place[3]) not in facts.geoms for place in facts.shown.get(material.name, ())
    )


@of_scene
def some_geom_has_new_material(facts: Facts) -> bool:
    """Whether a geom is written with a material that it does not have in the source."""
    return any(geom.material != getattr(facts.geoms.get(key), "material", None) for key, geom in facts.written.items())


def order_kept_per_parent(difference: Difference, facts: Facts) -> bool:
    """Whether bodies with a joint in SDFormat keep their order among those with the same parent. The order of the
    others depends on models and includes."""

    def among(name: str) -> tuple[object, ...]:
        joint = facts.fitted.joint_of(name)
        return (name,) if joint is None or any(map(loose, joint.dofs)) else (joint.parent,)

    return kept(difference, among)


def kept(difference: Difference, among: Callable[[str], tuple[object, ...]]) -> bool:
    """Whether reordered names keep their relative order within each group."""
    before, after = (gathered((among(name), name) for name in names) for names in (difference.before, difference.after))
    return before == after


before_1_7, version_lacks_hulls, version_lacks_densities, before_1_8 = map(
    older_than, (FRAMES, HULLS, DENSITIES, (1, 8))
)
"""Whether the version to be written is older than the first one with frames, hulls or densities, or than 1.8."""
not_part_of_mesh_file = of_geom(lambda geom: not (isinstance(geom.shape, Mesh) and geom.shape.submesh))
file_not_found = unfound(VERSION)
shape_not_in_sdf_1_6 = no_such(Box, Sphere, Cylinder, Mesh, Plane)
"""Whether SDFormat 1.6 has no such shape."""
default_colour, default_metalness, default_roughness = after(WHITE, BLACK), after(0.0), after(0.5)
default_attenuation, default_light_range = after((1.0, 1.0, 0.0)), after(10.0)
"""Whether the output has SDFormat's default."""
light_kind_unsupported = other_than(*LIGHTS)
partial_gravity = before(lambda value: value != 0.0)
kind_is_custom = after("custom")
block_of_other_format = foreign_to("sdf")
"""Whether a block is for another format."""
