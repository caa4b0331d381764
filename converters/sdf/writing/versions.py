"""The version in which a scene is written; elements newer than the requested version are left out.

What libsdformat of that version would refuse or ignore is then missing in the output, where the audit finds it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from converters.context import InputError, Options
from converters.sdf.document.vocabulary import FREE, knows, since
from converters.sdf.parts.shapes import SINCE
from converters.sdf.tables import (
    DEFAULT_VERSION,
    FRAMES,
    MIMICS,
    NAMELESS,
    NEWEST,
    OLDEST_WRITTEN,
    SPELLING,
    VERSION,
    Version,
    version_of,
    version_text,
)
from converters.source.gazebo import SCRIPT, noise_of_each_axis
from converters.source.text import numbers, parse_number
from converters.source.tree import Element, is_element
from ir.kinematics import mimics as followed
from ir.names import Spares
from ir.pose import normalise, to_rpy
from ir.scene import Scene

ONE_NOISE: Version = (1, 5)
"""The last version in which all axes of an IMU can share one noise."""
ELEMENTS: Version = (1, 2)
"""The first version whose values are elements instead of attributes."""
WORDS = ("angle", "enabled", "pose", "rgba", "xyz")
"""Attributes of the first version that are the text of their element since the next."""
CALLED = {("fog", "rgba"): "color", ("heightmap", "origin"): "pos"}
"""(element, attribute) of the first version -> the element in the next one, if it has another name."""
TYPED = frozenset({"sensor"})
"""Elements some of whose types are newer than the element."""
TURNED = ("degrees", "rotation_format")
"""Attributes of a pose that give the units or format of its rotation."""


def written_version(wanted: str | None, scene: Scene) -> Version:
    """Return the requested version; else that of the source from 1.7 on; else 1.9, or the version that has the features
    of the scene: joints that follow others, sensors. Raises InputError.

    An old file may include a newer one: then the version is the one that has its shapes.
    """
    found = version_of(wanted or scene.notation.get(VERSION))
    if wanted is None:
        found = found if found is not None and FRAMES <= found <= NEWEST else DEFAULT_VERSION
        if VERSION not in scene.notation:
            kinds = (since("sensor", f"={sensor.kind}") for sensor in scene.tables["sensor"].values())
            return max((MIMICS if followed(scene) else DEFAULT_VERSION, *kinds))
        shapes = (type(geom.shape) for body in scene.bodies.values() for geom in body.geoms)
        return max((found, *(SINCE.get(shape, found) for shape in shapes)))
    if found is None or not OLDEST_WRITTEN <= found <= NEWEST:
        raise InputError(
            f"--sdf-version {wanted}: versions {version_text(OLDEST_WRITTEN)} to {version_text(NEWEST)} are written"
        )
    return found


def knows_mimic(options: Options) -> bool:
    """Whether a scene of another format is written in a version with <mimic>. Raises InputError."""
    return options.sdf_version is None or written_version(options.sdf_version, Scene("")) >= MIMICS


def knows_frame_id(options: Options) -> bool:
    """Whether that version has <frame_id> of a sensor, which is new in the newest one. Raises InputError."""
    return options.sdf_version is not None and written_version(options.sdf_version, Scene("")) >= NEWEST


def same_version(wanted: str | None, scene: Scene) -> bool:
    """Whether a scene of SDF is written in the version that it was read in."""
    return wanted is None or wanted.strip() == scene.notation.get(VERSION, "").strip()


def same_words(wanted: str | None, scene: Scene) -> bool:
    """Whether the source's spelling can be used in the requested version: old spelling has other rules, and included
    files keep their version."""
    own = version_text(written_version(None, scene))
    plain = "<include>" not in scene.notation.get(SPELLING, "")
    return same_version(wanted, scene) or (plain and scene.notation.get(VERSION, "").strip() == own)


def fit_to_version(root: Element, version: Version) -> Element:
    """Remove what is newer than a version, and convert poses, names and noises to it. Returns the document."""
    stack = [root]
    while stack:
        owner = stack.pop()
        if version > ONE_NOISE and owner.find("imu") is not None:
            owner.content = [noise_of_each_axis(item) if is_element(item, "imu") else item for item in owner.content]
        below = owner.elements()
        newer = [item for item in below if not _is_known(item, owner, version)]
        if newer:
            gone = set(map(id, newer))
            owner.content = [item for item in owner.content if id(item) not in gone]
        if version < NAMELESS:
            _name_plugins(below)
        for item in below:
            if item.tag == "pose" and version < since("pose", "@degrees"):
                _as_radians(item)
            if item.tag == "pose" and version < FRAMES:
                item.attrs.pop("frame", None)  # the newer version gave it no meaning, older ones do
            for name in [name for name in item.attrs if since(item.tag, f"@{name}") > version]:
                del item.attrs[name]
            if item.content and item.tag not in FREE and ":" not in item.tag:
                stack.append(item)
    return root


def in_elements(root: Element, scene: Scene) -> Element:
    """Convert attributes of a document read as 1.0 to the elements of later versions (1_0.convert of libsdformat).
    Returns the document."""
    version = version_of(scene.notation.get(VERSION))
    if version is None or version >= ELEMENTS:
        return root
    stack = [root]
    while stack:
        owner = stack.pop()
        if owner.tag in FREE or ":" in owner.tag:
            continue
        for name, text in list(owner.attrs.items()):
            child = CALLED.get((owner.tag, name), name)
            if not knows(owner.tag, f"@{name}") and knows(owner.tag, child) and owner.find(child) is None:
                del owner.attrs[name]
                made = owner.add(child)
                if child == "script":  # in 1.0 only the name, of a material in any script
                    made.add("uri").content.append(SCRIPT)
                    made = made.add("name")
                made.content.append(text)
        for item in owner.elements():
            item.tag = "pose" if item.tag == "origin" and knows(owner.tag, "pose") else item.tag
            word = next((name for name in WORDS if name in item.attrs and not knows(item.tag, f"@{name}")), None)
            if word is not None and not item.content and (item.tag, word) not in CALLED:
                item.content.append(item.attrs.pop(word))
            stack.append(item)
    return root


def _name_plugins(siblings: Iterable[Element]) -> None:
    plugins = [item for item in siblings if item.tag == "plugin"]
    spares = Spares(item.attrs.get("name", "") for item in plugins)
    for item in plugins:
        if "name" not in item.attrs:
            item.attrs = {"name": spares.of(item.attrs.get("filename") or item.tag), **item.attrs}


def _is_known(item: Element, owner: Element, version: Version) -> bool:
    typed = item.tag not in TYPED or since(item.tag, f"={item.attrs.get('type')}") <= version
    return typed and since(owner.tag, item.tag) <= version and not (version < FRAMES and _names_its_frame(item))


def _names_its_frame(item: Element) -> bool:
    """Whether the pose of an element names its frame: versions without named frames get poses as numbers for what is
    written here, and an extra kept with such a frame would have a wrong pose without it."""
    pose = item.find("pose")
    return pose is not None and bool(pose.attrs.get("relative_to"))


def _as_radians(pose: Element) -> None:
    """Convert degrees and quaternions to angles in radians, which every version has; an invalid pose stays."""
    if not any(name in pose.attrs for name in TURNED):
        return
    try:
        values = [parse_number(word) for word in pose.own_text().split()]
        place, turn = values[:3], values[3:]
        if len(turn) == 4:
            x, y, z, w = turn
            turn = [*to_rpy(normalise((w, x, y, z)))]
        elif pose.attrs.get("degrees", "").strip().lower() in ("1", "true"):
            turn = [math.radians(angle) for angle in turn]
    except ValueError:
        return
    pose.content = [numbers((*place, *turn))]
