"""Children of <gazebo> blocks in URDF, and the places in SDFormat to which they go (sdformat, parser_urdf.cc)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from converters.source.text import so_many_numbers
from converters.source.tree import Element

COLLISION = {
    "mu1": "surface/friction/ode/mu",
    "mu2": "surface/friction/ode/mu2",
    "fdir1": "surface/friction/ode/fdir1",
    "kp": "surface/contact/ode/kp",
    "kd": "surface/contact/ode/kd",
    "maxVel": "surface/contact/ode/max_vel",
    "minDepth": "surface/contact/ode/min_depth",
    "laserRetro": "laser_retro",
    "maxContacts": "max_contacts",
}
"""Child of a block about a link -> its place in each <collision> of that link."""
LINK = {
    "selfCollide": ("self_collide",),
    "self_collide": ("self_collide",),
    "gravity": ("gravity",),
    "turnGravityOff": ("gravity",),
    "dampingFactor": ("velocity_decay/linear", "velocity_decay/angular"),
}
"""Child of a block about a link -> its places in it."""
JOINT = {
    "provideFeedback": ("physics/provide_feedback",),
    "implicitSpringDamper": ("physics/ode/implicit_spring_damper", "physics/ode/cfm_damping"),
    "cfmDamping": ("physics/ode/implicit_spring_damper", "physics/ode/cfm_damping"),
    "fudgeFactor": ("physics/ode/fudge_factor",),
    "stopCfm": ("physics/ode/limit/cfm",),
    "stopErp": ("physics/ode/limit/erp",),
    "springReference": ("axis/dynamics/spring_reference",),
    "springStiffness": ("axis/dynamics/spring_stiffness",),
}
"""Child of a block about a joint -> its places in it, without the second one of provide_feedback, under <ode>: the
schema has none there since 1.5, and Drake refuses it."""
FLAGS = frozenset(
    {"selfCollide", "self_collide", "gravity", "provideFeedback", "implicitSpringDamper", "cfmDamping", "static"}
)
FIGURES = frozenset({*COLLISION, *JOINT, "dampingFactor"} - {*FLAGS, "fdir1"})
"""Children whose text libsdformat takes for a number, wherever they are."""
KEPT = frozenset({"disableFixedJointLumping", "preserveFixedJoint"})
"""Children of a block about a fixed joint that prevent its links from being merged."""
NOISES = {"rate": "angular_velocity", "accel": "linear_acceleration"}
"""Child of the single <noise> of an <imu> until SDFormat 1.5 -> the place of the noise of each axis since 1.5."""
TRUE = frozenset({"true", "yes", "1"})
FALSE = frozenset({"false", "no", "0"})
"""The value of turnGravityOff with which gravity stays; any other turns it off, as a flag is off unless it is TRUE."""
COPIED = frozenset({"gravity", "pose", "self_collide", "velocity_decay"})
"""Those elements that libsdformat copies verbatim: it reads the first of several, and its own elements for the same
place (the last of several) precede all of them."""
MIMIC = re.compile("mimic_?joint", re.IGNORECASE)
"""Part of the file names of plugins that let a joint follow another, after that of roboticsgroup_gazebo_plugins."""


SCRIPT = "file://media/materials/scripts/gazebo.material"
"""Where the materials Gazebo/* are."""


def text_of(element: Element) -> str:
    """The value of a child of a block, in either spelling: its attribute value or its text."""
    return (element.attrs.get("value") or element.own_text()).strip()


def mimics(element: Element) -> Iterator[tuple[str, str, float, float]]:
    """(follower, leader, multiplier, offset) of the mimic plugins among an element and its children.

    In that plugin the position of the follower is that of the leader times the multiplier (1), plus the offset (0).
    """
    for item in (element, *(child for child in element.content if isinstance(child, Element))):
        if item.tag == "plugin" and MIMIC.search(item.attrs.get("filename", "")):
            words = [_child_text(item, tag) for tag in ("mimicJoint", "joint")]
            figures = [_child_text(item, tag) for tag in ("multiplier", "offset")]
            values = factor_and_offset(*figures)
            if values is not None and words[0] is not None and words[1] is not None:
                yield words[0], words[1], *values


def factor_and_offset(factor: str | None, offset: str | None) -> tuple[float, float] | None:
    """Both as numbers, with the defaults 1 and 0; None if one is invalid."""
    values = so_many_numbers(f"{factor or 1} {offset or 0}", 2)
    return None if values is None else (values[0], values[1])


def _child_text(element: Element, tag: str) -> str | None:
    found = element.find(tag)
    return None if found is None else found.own_text().strip()


def noise_of_each_axis(imu: Element) -> Element:
    """<imu> with its single noise written for each axis that has none (1_5.convert of libsdformat)."""
    noise = imu.find("noise")
    said = {item.tag: item for item in noise.elements()} if noise is not None else {}
    odd = noise is None or len(said) < len(noise.content) or noise.attrs.keys() - {"type"}
    if odd or noise is None or any(item.attrs for item in said.values()) or not said.keys() <= {"type", *NOISES}:
        return imu
    made = imu.copy()
    del made.content[imu.content.index(noise)]  # of several the first is used, and the others stay
    kind = said["type"].own_text() if "type" in said else noise.attrs.get("type", "gaussian")
    for tag, place in NOISES.items():
        for axis in "xyz" if tag in said else "":
            owner = made.find(place) or made.add(place)
            each = owner.find(axis) or owner.add(axis)
            each = each.find("noise") or each.add("noise", {"type": kind})
            new = said[tag].copy().content
            each.content += [item for item in new if not isinstance(item, Element) or each.find(item.tag) is None]
    return made
