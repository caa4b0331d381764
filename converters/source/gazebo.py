"""Words of <gazebo> blocks in URDF, and the places in SDFormat that they stand for (sdformat, parser_urdf.cc)."""

from __future__ import annotations

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
schema has had none there since 1.5, and Drake refuses it."""
FLAGS = frozenset({"selfCollide", "self_collide", "gravity", "provideFeedback", "implicitSpringDamper", "cfmDamping"})
TRUE = frozenset({"true", "yes", "1"})
