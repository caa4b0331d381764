"""Rotors and their gears in elements of Drake: URDF and SDFormat have none of their own; and which joints Drake
drives."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from converters.context import Note
from converters.registry import marked_format
from converters.source.text import BLANK, number, parse_number, words
from converters.source.tree import Element, fragment, serialise
from ir.base import Extra
from ir.kinematics import COORDINATES
from ir.mapping import map_table
from ir.scene import Scene, address
from ir.types import Joint, Transmission

ROTOR, GEAR = "drake:rotor_inertia", "drake:gear_ratio"
SIMPLE = "SimpleTransmission"
SPEAKERS = ("urdf", "sdf")
"""Formats with these elements."""
UNLIKE_DRIVEN = {
    "sdf": "the source has no motor of this joint (Drake ignores plugins of Gazebo); in SDFormat Drake adds an "
    "actuator to every joint whose effort limit is not 0",
    "urdf": "in SDFormat Drake adds an actuator to every joint whose effort limit is not 0, in URDF only to "
    "joints with a <transmission>",
}


def reflected_inertia(rotor: float, ratio: float) -> float:
    """The inertia (kg m², or kg) of a rotor reflected through its gear, which is added to that of a joint."""
    return rotor * ratio * ratio


def drives(scene: Scene) -> Mapping[str, Transmission]:
    """Joint -> its last simple transmission, which Drake uses."""
    return {
        item.joints[0].name: item
        for item in scene.tables["transmission"].values()
        if SIMPLE in item.kind and len(item.joints) == len(item.actuators) == 1
    }


def says_rotor(extras: Iterable[Extra], dialect: str) -> bool:
    """Whether an author gives a rotor, or its gear, in elements that the reader of the format left as they are."""
    paths = (extra.path for extra in extras if extra.format == dialect)
    return any(path.partition("[")[0] in (ROTOR, GEAR) and "/" not in path for path in paths)


def unheard_rotors(scene: Scene, joints: Iterable[Joint], form: str) -> Iterator[Note]:
    """A note for each of these joints whose armature a document of this format gives as a rotor; not if the source gave
    it in the same elements: there other programs ignored it, too."""
    source = marked_format(scene.notation)
    if source is not None and source.name in SPEAKERS:
        return
    reason = "the inertia of a rotor is a word of Drake: MuJoCo, Pinocchio and Gazebo pass over it, and have the joint "
    reason += "without it"
    for joint in joints:
        where, said = f"joint/{joint.name}.dofs.0.armature", number(joint.dofs[0].armature)
        yield Note(
            rule=f"{form}/rotor",
            where=where,
            before=said,
            reason=reason,
            action="noted",
            severity="note",
            source=joint.source,
        )


def unlike_driven(scene: Scene, joints: Iterable[Joint], source: str, form: str) -> Iterator[Note]:
    """A note for each of these joints that has no motor of its own, and that Drake drives in one of two formats only:
    in SDFormat (joints: as they are there) every joint whose effort limit is not 0 (measured, Drake 1.58). source: the
    format of the document that was read, which may have been made of another one."""
    home = marked_format(scene.notation)
    said = {source, home.name if home is not None else source}
    if "sdf" in said if form == "sdf" else said != {"sdf"}:
        return
    motors = {actuator.dof for actuator in scene.tables["actuator"].values()}
    motors |= {end.name for item in scene.tables["transmission"].values() for end in item.joints}
    systems = scene.tables["hardware"].values()
    motors |= {channel.name for system in systems for channel in system.channels if channel.commands}
    for joint in joints:
        dof = joint.dofs[0] if len(joint.dofs) == 1 and not joint.closes_loop else None
        if dof is not None and dof.kind not in COORDINATES and dof.effort != 0 and dof.name not in motors:
            yield Note(
                rule=f"{form}/drake-actuator",
                where=f"joint/{joint.name}.dofs.0.effort",
                before="" if dof.effort is None else number(dof.effort),
                reason=UNLIKE_DRIVEN[form],
                action="noted",
                severity="note",
                source=joint.source,
            )


def edited_armatures(scene: Scene) -> Scene:
    """The scene with rotor inertias of the author changed so that they result, through their gears, in the armatures
    that an edit gave to the joints; the gears stay. Impossible changes are left out: a gear of 0, or one without a
    rotor."""
    edited = {
        joint.dofs[0].name: joint
        for joint in scene.joints.values()
        if len(joint.dofs) == 1 and joint.dofs[0].kind not in COORDINATES and address(joint)[0] in scene.brought
    }
    driven = drives(scene) if edited else {}
    ends = {}
    for name, joint in edited.items():
        if name in driven:
            (end,) = driven[name].actuators
            extras = _turned(end.extras, joint.dofs[0].armature)
            if extras is not None:
                ends[driven[name].name] = replace(end, extras=extras)
    own = {joint.name: _turned(joint.extras, joint.dofs[0].armature) for joint in edited.values()}
    if any(extras is not None for extras in own.values()):
        joints = scene.joints.values()
        scene = scene.evolve(
            joints=[each if (new := own.get(each.name)) is None else replace(each, extras=new) for each in joints]
        )
    return map_table(
        scene, "transmission", lambda each: replace(each, actuators=(ends[each.name],)) if each.name in ends else each
    )


def _turned(extras: Sequence[Extra], armature: float) -> tuple[Extra, ...] | None:
    """Extras with another rotor inertia, which their gear turns into this armature; None if it does so, or cannot."""
    found: dict[str, tuple[int, Element]] = {}
    for place, extra in enumerate(extras):
        tag = extra.path.partition("[")[0]
        if tag in (ROTOR, GEAR) and "/" not in extra.path and tag not in found:
            found[tag] = place, fragment(extra.text)
    if ROTOR not in found:
        return None
    place, rotor = found[ROTOR]
    try:
        inertia, ratio = _figure(rotor), _figure(found[GEAR][1]) if GEAR in found else 1.0
    except ValueError:
        return None  # Drake ignores it
    if reflected_inertia(inertia, ratio) == armature or not ratio or not math.isfinite(armature / ratio / ratio):
        return None
    text = number(armature / ratio / ratio)
    if "value" in rotor.attrs:
        rotor.attrs["value"] = text
    else:
        rotor.content[:] = [text, *rotor.elements()]
    changed = replace(extras[place], text=serialise(rotor))
    return (*extras[:place], changed, *extras[place + 1 :])


def _figure(element: Element) -> float:
    """The number in an element, as its value in URDF or as its first word in SDFormat. Raises ValueError."""
    said = element.attrs["value"].strip(BLANK) if "value" in element.attrs else element.own_text()
    return parse_number(words(said)[0]) if said else 0.0
