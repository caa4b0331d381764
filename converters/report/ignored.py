"""The reasons for what readers ignore: elements without effect in the format of the source (ir.types.Extra.rule)."""

from __future__ import annotations

from collections.abc import Mapping

from ir.addresses import without_positions
from ir.types import Extra

MEANINGLESS = "it has no meaning at this place of the source format"
"""The reason where a rule has none of its own, as that of a format in another package."""
LOOSE = (
    "in MuJoCo a ball or free joint has no reference position (ref, springref), and a free joint no limits (range, "
    "limited): they have no effect"
)
"""The reason for such parameters of a dof."""
REASONS: Mapping[str, str] = {
    "gltf/compressed": "the compressed geometry tells this itself: it has no effect here",
    "gltf/generator": "it names the program that wrote the source, and has no effect on the model",
    "gltf/overridden": "it has no effect: an extension of the source (KHR_texture_transform) sets another value",
    "gltf/usage-hint": "a hint for graphics programs, which has no effect on the model",
    "sdf/ball-joint": "a ball joint turns about any axis without limits: {} has no effect",
    "sdf/fixed-joint": "a fixed joint does not move: its {} has no effect",
    "sdf/lens": "it has no effect: the lens of the camera (in pixels) says otherwise",
    "sdf/pose-frame": "since version 1.7 SDFormat has relative_to instead, and does not read it",
    "sdf/projection": "it has no effect: the projection of the lens is given as well",
    "sdf/second-axis": "a joint of this type has one axis: {} has no effect",
    "urdf/ball-joint": "a ball joint turns about any axis without limits, and follows no other joint: {} has no effect",
    "urdf/collision-material": "a collision is not drawn: {} has no effect",
    "urdf/continuous-limit": "a continuous joint turns without limits: its {} limit has no effect, except in Drake",
    "urdf/empty-texture": "a texture without a file name has no effect",
    "urdf/fixed-joint": "a fixed joint does not move: its {} has no effect",
    "urdf/floating-joint": "a floating joint moves in every direction without limits, and follows no other joint: {} "
    "has no effect",
    "urdf/limit-version": "URDF has limits of acceleration, deceleration and jerk since version 1.2, and the source "
    "names an older one or none: readers ignore {}",
    "urdf/link-origin": "a link of URDF has no <origin> of its own: it is placed by the joint that holds it",
    "urdf/link-type": "a link of URDF has no type: readers ignore it",
    "urdf/planar-joint": "a planar joint of URDF has no limits, and follows no other joint: {} has no effect",
    "urdf/quaternion-version": "URDF has quaternions since version 1.1, and the source names an older one or none: "
    "readers ignore {}",
    "urdf/spherical-joint": "a spherical joint turns about any axis without limits, and follows no other joint: {} has "
    "no effect",
    "urdf/universal-joint": "a universal joint turns about the x and y axes without limits, and follows no other "
    "joint: {} has no effect",
}
"""Rule -> its reason; {} stands for the element (<axis>) or attribute (lower)."""


def reason_of_ignored(extra: Extra) -> str:
    """The reason why an element or attribute that was put under a rule has no effect."""
    tag = without_positions(extra.path).rpartition("/")[2]
    return REASONS.get(extra.rule, MEANINGLESS).format(tag[1:] if tag.startswith("@") else f"<{tag}>")
