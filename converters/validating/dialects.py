"""What tools beside ROS say in a URDF, and nobody reads here: known words are no finding, since they are kept and told
when the model is converted."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ir.addresses import unplaced
from ir.scene import Scene
from ir.types import Body, Channel, Geom, Hardware, Interface, Joint, Material, Sensor, Transmission, TransmissionEnd

_GEARS = "drake:gear_ratio drake:rotor_inertia drake:controller_gains motorTorqueConstant"

WORDS: Mapping[type, frozenset[str]] = MappingProxyType(
    {
        owner: frozenset(words.split())
        for owner, words in {
            # Isaac and Drake; of Bullet the soft bodies
            Scene: "loop_joint fixed_frame frame force_element cable collision_filter_group deformable",
            # PR2, Bullet, Gazebo's habits
            Body: "@type @concave gravity audio_source contact contact/lateral_friction contact/rolling_friction "
            "contact/spinning_friction contact/restitution contact/inertia_scaling contact/contact_cfm "
            "contact/contact_erp contact/stiffness contact/damping contact/friction_anchor",
            # Bullet, ROS of 2009, Drake
            Geom: "@group @mask @concave verbose contact_coefficients material/specular material/drake:diffuse_map "
            "drake:proximity_properties drake:illustration_properties drake:perception_properties "
            "geometry/drake:declare_convex",
            Material: "specular drake:diffuse_map",
            # Valkyrie, Robonaut 2, Isaac, Drake
            Joint: "controller_gains traits anchor joint_properties dynamics/@D dynamics/@K dynamics/@mu_coulomb "
            "dynamics/@mu_viscous limit/@k_velocity limit/@current limit/@gear_velocity limit/@command_effort "
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
            Sensor: "@isaac_sim_config api node port sensor_number imuTransform",
        }.items()
    }
)
"""Owner -> paths below its element that are left over, without positions; what is below them belongs to the same
dialect."""


def known(owner: object, path: str) -> bool:
    """Whether what is left over there is a word of some dialect."""
    return unplaced(path) in WORDS.get(type(owner), ())
