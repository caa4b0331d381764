"""Scene -> URDF that every common reader accepts: single spaces, no inf, all limits, joints in schema order."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping

from converters.assets.beside import AssetFiles
from converters.assets.packaged import package
from converters.context import Note, Output, WriterContext
from converters.format import Fits
from converters.passes.compound import without_compound_joints
from converters.passes.joints import parted_joints
from converters.source.rotors import unheard_rotors, unlike_driven
from converters.source.tree import Element, declarations, declare_rest, document, fragment, restore
from converters.srdf import beside
from converters.urdf.control import rotors_of, write_hardware, write_transmission
from converters.urdf.dialects import FRAME_ROLES, dangling_names, write_block, write_frame, write_sensor
from converters.urdf.geoms import Shapes
from converters.urdf.joints import word_of, write_joint
from converters.urdf.links import write_link
from converters.urdf.lumps import name_as_gazebo
from converters.urdf.materials import Palette
from converters.urdf.separate import with_separator
from converters.urdf.tables import CAPSULES, FORMAT, KINDS, ORDER, RATED, SPELLING, VERSION, WORLD_LINK
from ir.compound import CHAIN, chains
from ir.scene import Scene
from ir.types import WORLD, Block, Body, Dof

ElementsByKind = dict[str, list[Element]]


def _is_joint(dofs: tuple[Dof, ...], native: bool) -> bool:
    """Whether one joint can have these axes; several only if the source has them, as most readers do not know these."""
    return word_of(dofs) is not None and (native or len(dofs) < 2)


def moving_alone(scene: Scene) -> Scene:
    """Return the scene with a chain for each joint with several axes. Bodies attached by a fixed joint are left as they
    are: most readers merge them into the parent, or have their own rule for them."""
    native = VERSION in scene.notation
    parts = scene if native else parted_joints(scene, Fits(screws=False, balls=False))
    return without_compound_joints(parts, lambda dofs: _is_joint(dofs, native), anchors=True)


def write(scene: Scene, context: WriterContext) -> Output:
    """Return the document, and the folds of what URDF has to split. The source's version is kept, else it is 1.0."""
    notation = scene.notation
    native = VERSION in notation
    scene, renamed = with_separator(scene, context.options.separator)
    if not scene.name:
        scene = scene.evolve(name=context.target.stem if context.target else "robot")
    whole = scene
    single = beside.split(scene, context)
    scene = without_compound_joints(single, lambda dofs: _is_joint(dofs, native))
    text = context.options.urdf_version or notation.get(VERSION, "")
    version = _version(text)
    spelling: Mapping[str, str] = json.loads(notation.get(SPELLING, "{}"))
    names = {body.name: body.label for body in scene.bodies.values() if native and body.label and not body.scope}
    files = AssetFiles(scene, context, native, shows_files=True, package=package(context))
    kept = context.options.urdf_version is None
    heard = {} if native else _parts_in_blocks(scene)
    capsules, sized = version >= CAPSULES, version >= RATED and not kept
    shapes = Shapes(Palette(scene, files), files, spelling, native, scene.brought, capsules, kept, sized, heard)
    parts = _parts(scene, shapes, names, version)
    root = _robot(scene, parts, text, native and not context.spare)
    folds = {**renamed, "geom": shapes.folds, "asset": files.folds()}
    folds[CHAIN] = chains(single, scene)
    return Output(
        document=document(root),
        files=files.copies | beside.write(whole, scene, native, context),
        folds={kind: found for kind, found in folds.items() if found},
        notes=(
            *_note_lost_references(scene, parts),
            *(() if native else _note_floating(scene)),
            *unheard_rotors(scene, rotors_of(scene).values(), FORMAT),
            *unlike_driven(scene, (context.original or whole).joints.values(), context.source, FORMAT),
        ),
    )


def _parts_in_blocks(scene: Scene) -> dict[str, set[str]]:
    """Return body -> the parts of its link, by tag, that <gazebo> blocks refer to."""
    blocks: Mapping[str, Block] = scene.tables["block"]
    if not blocks:
        return {}
    from converters.urdf.skeleton import role_of

    found: dict[str, set[str]] = {}
    for block in blocks.values():
        if block.dialect == "gazebo" and block.target in scene.bodies:
            tags = (item.tag for extra in block.extras for item in fragment(extra.text).elements())
            found.setdefault(block.target, set()).update(filter(None, map(role_of, tags)))
    return found


def _parts(scene: Scene, shapes: Shapes, names: Mapping[str, str], version: tuple[int, int]) -> ElementsByKind:
    """Return the elements below <robot>; names maps bodies to links with another name."""
    native, spelling = shapes.native, shapes.spelling
    bodies = _bodies(scene)
    parts: ElementsByKind = {kind: [] for kind in KINDS}
    parts["material"] = shapes.palette.write_globals()
    parts["link"] = [write_link(body, names.get(body.name, body.name), shapes) for body in bodies]
    shapes.palette.finish()
    parts["joint"] = [
        write_joint(joint, names, spelling, version) for joint in scene.joints.values() if not joint.closes_loop
    ]
    rotors = {name: joint.dofs[0].armature for name, joint in rotors_of(scene).items()}
    parts["transmission"] = [
        write_transmission(item, spelling.get(f"transmission/{item.name}", ""), rotors.get(item.name), native)
        for item in scene.tables["transmission"].values()
    ]
    parts["ros2_control"] = [write_hardware(item, native) for item in scene.tables["hardware"].values()]
    parts["sensor"] = [
        write_sensor(item, spelling, names, native)
        for item in scene.tables["sensor"].values()
        if native or item.body is not None
    ]
    parts["frame"] = _frames(bodies, names, native)
    blocks = (write_block(block, shapes.files.moved("mesh")) for block in scene.tables["block"].values())
    parts["block"] = [block for block in blocks if block is not None]
    if not native:
        name_as_gazebo(parts, shapes.collisions)
    return parts


def _robot(scene: Scene, parts: ElementsByKind, version: str, authored: bool) -> Element:
    """Return the root with these parts; version is the text to be written ("": none). authored: everything in it is
    from the source."""
    notation = scene.notation
    root = Element("robot", {"name": scene.name})
    if version:
        root.attrs["version"] = version
    root.attrs |= declarations(notation, VERSION in notation)
    root.content.extend(_in_order(parts, notation.get(ORDER, "")))
    restore(root, scene.extras, FORMAT)
    if scene.brought or not authored:
        declare_rest(root, authored)
    return root


def _frames(bodies: Iterable[Body], names: Mapping[str, str], native: bool) -> list[Element]:
    """Return the frames that dialects of URDF have elements for."""
    roles = set(FRAME_ROLES.values())
    return [
        write_frame(frame, names.get(body.name, body.name), native)
        for body in bodies
        for frame in body.frames
        if frame.role in roles
    ]


def _note_lost_references(scene: Scene, parts: ElementsByKind) -> Iterator[Note]:
    """Note broken references in blocks, which are kept as text: the targets may have been removed or renamed."""
    known = {kind: {item.attrs.get("name", "") for item in parts[kind]} for kind in ("link", "frame", "joint")}
    known["link"].add(WORLD)
    known["frame"] |= known["link"]
    reason = "nothing in the document has the name to which a Drake element refers, and Drake refuses the document"
    for block in scene.tables["block"].values():
        for name in dict.fromkeys(dangling_names(block, known)):
            where = f"block/{block.name}"
            yield Note(
                rule="urdf/lost-name", where=where, before=name, reason=reason, action="noted", source=block.source
            )


def _note_floating(scene: Scene) -> Iterator[Note]:
    """Note floating joints. Measured with libsdformat 12."""
    reason = "Gazebo ignores a floating joint, and refuses the document for the links below it (--base open makes a "
    reason += "robot that is the only one in it the root)"
    for joint in scene.joints.values():
        if joint.free:
            where = f"joint/{joint.name}"
            yield Note(rule="urdf/floating-joint", where=where, reason=reason, action="noted", source=joint.source)


def _version(text: str) -> tuple[int, int]:
    """Parse a version as given: a newer one than known (tables.version_of) is written as the newest."""
    major, _, minor = text.strip().partition(".")
    return (int(major), int(minor)) if major.isdecimal() and minor.isdecimal() else (1, 0)


def _bodies(scene: Scene) -> list[Body]:
    """Return the bodies to be written as links: also the world, if something is attached to it or it was declared."""
    bodies = list(scene.bodies.values())
    world = bodies.pop()
    place = scene.notation.get(WORLD_LINK)
    used = next(scene.child_joints(WORLD), None) is not None
    if place is not None or used or world != Body(name=WORLD) or not bodies:
        bodies.insert(int(place or 0), world)
    return bodies


def _in_order(parts: ElementsByKind, order: str) -> Iterator[Element]:
    """Yield all elements by kind, or alternating as in the source; new ones come last in their kind."""
    runs = [(letter, int(count)) for letter, count in re.findall(r"([a-z])(\d+)", order)]
    queues = {KINDS[kind]: iter(elements) for kind, elements in parts.items()}
    totals = {KINDS[kind]: len(elements) for kind, elements in parts.items()}
    last = {letter: place for place, (letter, _) in enumerate(runs)}
    counted = dict.fromkeys(totals, 0)
    for letter, count in runs:
        counted[letter] += count
    for place, (letter, count) in enumerate(runs):
        count += totals[letter] - counted[letter] if last[letter] == place else 0
        for _ in range(count):
            element = next(queues[letter], None)
            if element is not None:
                yield element
    for queue in queues.values():
        yield from queue
