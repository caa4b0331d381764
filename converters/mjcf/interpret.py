"""Passes that express in the graph what MJCF leaves to its compiler, for conversion to another format."""

from __future__ import annotations

from converters.format import Pass
from converters.mjcf.meaning.armatures import ARMATURES, DAMPERS
from converters.mjcf.meaning.cubemaps import AROUND
from converters.mjcf.meaning.drives import EFFORT, PLAIN
from converters.mjcf.meaning.flags import FLAGS
from converters.mjcf.meaning.friction import FRICTION
from converters.mjcf.meaning.heightfields import FIELDS
from converters.mjcf.meaning.inertia import CUT, INERTIA
from converters.mjcf.meaning.look_at import AIMED
from converters.mjcf.meaning.materials import GLOSS, LOOKS, PLAIN_GREY
from converters.mjcf.meaning.sensors import CONTACTS, DEVICE, FAN, MOVED, RAYS, TOUCHED
from converters.mjcf.meaning.shapes import HEIGHTS, IMAGES, SHAPES
from converters.mjcf.meaning.springs import DAMPED, SPRINGS
from converters.mjcf.tables import FORMAT, PHYSICS
from converters.passes.contacts import default_masks, default_self_collision
from converters.passes.fields import worldwide
from converters.passes.followers import EQUATIONS_HAVE_NO_DIRECTION
from converters.passes.friction import MAXIMUM, friction_rule, larger
from converters.passes.looks import default_attenuation
from converters.passes.still import freed
from converters.passes.welded import PARENTS, SAID
from converters.registry import format_named

MOCAP = Pass(
    rule="mjcf/mocap",
    reason="a body that MuJoCo moves without forces (mocap) has no joint; here it is free and kinematic",
    severity="note",
    wanted=lambda target: target.fits.kinematic_links,
    apply=freed,
)


def passes() -> tuple[Pass, ...]:
    """Return the passes in the order in which they run."""
    own = format_named(FORMAT).fits
    return (
        CUT,
        INERTIA,
        ARMATURES,
        SPRINGS,
        DAMPED,
        DAMPERS,
        FLAGS,
        IMAGES,
        HEIGHTS,
        SHAPES,
        FIELDS,
        LOOKS,
        AROUND,
        PLAIN_GREY,
        GLOSS,
        default_attenuation((1.0, 0.0, 0.0), None, "mjcf/default-attenuation"),
        MOCAP,
        PLAIN,
        EFFORT,
        EQUATIONS_HAVE_NO_DIRECTION,
        FRICTION,
        *friction_rule(
            "mjcf/friction-combine",
            "MuJoCo takes the larger friction of two geoms, or that of the geom of higher priority",
            larger,
            MAXIMUM,
        ),
        default_masks(1, 1, "mjcf/default-masks"),
        default_self_collision("mjcf/self-collide"),
        SAID,
        PARENTS,
        AIMED,
        MOVED,
        DEVICE,
        TOUCHED,
        CONTACTS,
        FAN,
        RAYS,
        *worldwide(own, PHYSICS, True, "mjcf"),
    )
