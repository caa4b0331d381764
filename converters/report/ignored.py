"""The reasons for what readers ignore: elements without effect in the format of the source (ir.types.Extra.rule)."""

from __future__ import annotations

from collections.abc import Mapping

MEANINGLESS = "it has no meaning at this place of the source format"
"""The reason where a rule has none of its own."""
REASONS: Mapping[str, str] = {
    "gltf/compressed": "the compressed geometry tells this itself: it has no effect here",
    "gltf/generator": "it names the program that wrote the source, and has no effect on the model",
    "gltf/overridden": "it has no effect: an extension of the source (KHR_texture_transform) sets another value",
    "gltf/usage-hint": "a hint for graphics programs, which has no effect on the model",
    "sdf/lens": "it has no effect: the lens of the camera (in pixels) says otherwise",
    "sdf/pose-frame": "since version 1.7 SDFormat has relative_to instead, and does not read it",
    "sdf/projection": "it has no effect: the projection of the lens is given as well",
    "urdf/empty-texture": "a texture without a file name has no effect",
    "urdf/limit-version": "URDF has this limit since version 1.2, and the source names an older one or none: readers "
    "ignore it",
    "urdf/link-origin": "a link of URDF has no <origin> of its own: it is placed by the joint that holds it",
    "urdf/quaternion-version": "URDF has quaternions since version 1.1, and the source names an older one or none: "
    "readers ignore it",
}
"""Rule -> its reason."""


def reason_of_ignored(rule: str) -> str:
    """The reason why an element that was put under a rule has no effect."""
    return REASONS.get(rule, MEANINGLESS)
