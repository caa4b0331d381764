"""Words not used by the readers here: those that other tools write in a URDF, which are no finding, because they are
kept and reported on conversion; and those that SDFormat does not have, which libsdformat copies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from converters.sdf.document.vocabulary import knew
from converters.source.xml import Below, Node
from ir.addresses import without_positions
from ir.scene import Scene
from ir.types import (
    Body,
    Channel,
    Extra,
    Geom,
    Hardware,
    Interface,
    Joint,
    Material,
    Sensor,
    Source,
    Transmission,
    TransmissionEnd,
)

_GEARS = "drake:gear_ratio drake:rotor_inertia drake:controller_gains motorTorqueConstant"

WORDS: Mapping[type, frozenset[str]] = MappingProxyType(
    {
        owner: frozenset(words.split())
        for owner, words in {
            # Isaac, Drake; soft bodies of Bullet
            Scene: "@xsi:schemaLocation @xsi:noNamespaceSchemaLocation loop_joint fixed_frame frame force_element "
            "cable collision_filter_group deformable map",
            # PR2, Bullet, Gazebo's habits
            Body: "@type @concave verbose gravity audio_source contact contact/lateral_friction "
            "contact/rolling_friction contact/spinning_friction contact/restitution contact/inertia_scaling "
            "contact/contact_cfm contact/contact_erp contact/stiffness contact/damping contact/friction_anchor",
            # Bullet, ROS of 2009, Drake
            Geom: "@group @mask @concave verbose geometry/@name contact_coefficients material/specular "
            "material/drake:diffuse_map drake:proximity_properties drake:illustration_properties "
            "drake:perception_properties drake:accepting_renderer geometry/drake:declare_convex",
            Material: "specular drake:diffuse_map",
            # Valkyrie, Robonaut 2, Isaac, Drake
            Joint: "controller_gains traits anchor joint_properties dynamics/@D dynamics/@K dynamics/@mu_coulomb "
            "dynamics/@mu_viscous dynamics/@coulomb_window "
            "limit/@k_velocity limit/@current limit/@gear_velocity limit/@command_effort "
            "limit/@drake:acceleration calibration/@reference_position @dont_collapse",
            # ROS, PR2, Drake
            Transmission: f"robotNamespace leftActuator rightActuator flexJoint rollJoint gap_joint passive_joint "
            f"use_simulated_gripper_joint simulated_actuated_joint compensator {_GEARS}",
            TransmissionEnd: f"role offset mechanicalReduction hardwareInterface node api child {_GEARS}",
            # ros2_control
            Hardware: "@rw_rate @is_async @thread_priority hardware/param hardware/group hardware/properties "
            "transmission",
            Channel: "@mimic param",
            Interface: "@data_type @size limits param",
            # Isaac, Valkyrie
            Sensor: "ray @isaac_sim_config api node port sensor_number imuTransform",
        }.items()
    }
)
"""Owner -> paths of known leftovers below its element, without positions; their content belongs to the same dialect."""


def known(owner: object, path: str) -> bool:
    """Whether a leftover at this path in a URDF belongs to a known dialect."""
    return without_positions(path) in WORDS.get(type(owner), ())


GAZEBO = frozenset({("sensor", "gz_frame_id"), ("sensor", "ignition_frame_id")})
"""Words that Gazebo uses, and SDFormat does not have."""
OPEN = ("plugin", "auto_inertia_params")
"""Elements with arbitrary content."""


def unknown(extra: Extra) -> Iterator[tuple[str, str, Source | None]]:
    """Yield the parts of a leftover that SDFormat does not have: path below its owner, message, source."""
    at = extra.source.at if extra.source is not None else None
    if extra.rule:
        return
    if isinstance(at, Below):
        if at.step.startswith("text()"):
            why = "where only elements are read" if at.step == "text()" else "behind the text that is read"
            yield extra.path, f"text in <{at.node.tag}>, {why}", extra.source
        elif not _has(at.node.tag, at.step):
            yield extra.path, f"<{at.node.tag}> has no attribute {at.step[1:]!r} in SDFormat", extra.source
    elif isinstance(at, Node) and at.parent is not None:
        yield from _inside(at, at.parent.tag, extra.path)


def _inside(top: Node, parent: str, path: str) -> Iterator[tuple[str, str, Source | None]]:
    stack = [(top, parent, path)]
    while stack:
        node, parent, path = stack.pop()
        if not _has(parent, node.tag):
            yield path, f"<{parent}> allows no <{node.tag}> in SDFormat", node.source
        elif node.tag not in OPEN and ":" not in node.tag:
            for name in node.attrs:
                if not _has(node.tag, f"@{name}"):
                    message = f"<{node.tag}> has no attribute {name!r} in SDFormat"
                    yield f"{path}/@{name}".lstrip("/"), message, node.place(name)
            below = [(item, node.tag, f"{path}/{item.tag}[{item.position}]".lstrip("/")) for item in node.elements()]
            stack += reversed(below)


def _has(tag: str, word: str) -> bool:
    """Whether SDFormat has this child or attribute; words with a prefix are declared extensions."""
    return ":" in word or ":" in tag or tag in OPEN or (tag, word) in GAZEBO or knew(tag, word)
