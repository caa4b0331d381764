"""Other values for the content of a document: changed numbers, and other keywords and names that are valid there."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from random import Random

from converters.mjcf.document.schema import keywords

COLOURS = ("rgba", "rgb", "ambient", "diffuse", "specular", "emissive", "background")
TRUTHS = {"true": "false", "false": "true", "True": "false", "False": "true"}
TRUE_OR_FALSE = """
static self_collide gravity kinematic cast_shadows use_parent_model_frame provide_feedback always_on visualize shadows
must_be_base_link allow_auto_disable double_sided lighting enable_wind split_impulse use_patch_radius merge degrees
implicit_spring_damper cfm_damping collide_without_contact use_terrain_paging fullscreen light_on auto
"""
"""SDF elements with 1 or 0 that mean true or false."""
DIRECTIONS = ("axis", "axisangle", "dir", "normal", "quat", "quat_xyzw", "zaxis")
WORDS = """
revolute prismatic fixed floating planar ball universal screw
pyramid_model cone_model box_model
ode bullet dart simbody
quick world
point spot directional
none gaussian gaussian_quantized
linear exponential exponential2
L_INT8 R8G8B8 B8G8R8 BAYER_RGGB8 L_INT16 R_FLOAT32
box cylinder sphere point
uniform volume
parent child sensor
parent_to_child child_to_parent
EARTH_WGS84 MOON_SCS CUSTOM_SURFACE
adiabatic
ENU NED NWU CUSTOM GRAV_UP GRAV_DOWN
tangent_space object_space
effort position velocity
hardware_interface/EffortJointInterface hardware_interface/PositionJointInterface EffortJointInterface
"""
"""Keywords that can replace each other, one group per line; those of MJCF: converters/mjcf/document/keywords.txt."""


@cache
def _alternatives(name: str) -> tuple[frozenset[str], ...]:
    """Return sets of keywords that may replace each other in an attribute or element."""
    groups = [frozenset(line.split()) for line in WORDS.splitlines() if line.strip()]
    known = (words.get(name) for words in keywords().values())
    return (*groups, *dict.fromkeys(allowed for found in known if found for allowed in found[:1]))


def different(value: str, name: str, dice: Random, others: Iterable[str] = ()) -> str:
    """Return another value of the same kind: one number changed, another valid keyword, the name of another item of its
    kind (others), or a longer text."""
    changed = _moved(value, name, dice)
    if changed != value.rstrip() + "_m" or dice.random() < 0.25:
        return changed
    words = {word for group in _alternatives(name) if value.strip() in group for word in group}
    choice = sorted({*words, *(words or others)} - {value, value.strip()})
    return dice.choice(choice) if choice else changed


def _moved(value: str, name: str, dice: Random) -> str:
    if value.strip() in ("0", "1") and name in TRUE_OR_FALSE.split():
        return "1" if value.strip() == "0" else "0"
    words = value.split()
    try:
        values = [float(word) for word in words]
    except ValueError:
        values = []
    if not values:
        return TRUTHS.get(value.strip(), value.rstrip() + "_m")
    index = dice.randrange(len(values))
    if name in DIRECTIONS and len(values) >= 3 and sum(map(bool, values[:3])) == 1:  # another length would be the same
        index = values.index(0.0)
    moved = values[index] * 0.5 + 0.125 if name in COLOURS else values[index] * 1.5 + 0.25
    if moved == values[index]:
        moved += 0.0625
    whole = len(words) == 1 and words[index].lstrip("+-").isdigit()
    words[index] = repr(int(values[index]) + 2 if whole else moved)
    return " ".join(words)
