"""The <compiler> settings that change the meaning of numbers, and the five ways to write an orientation."""

from __future__ import annotations

import math
from collections.abc import Callable

from msgspec import Struct, field

from converters.mjcf.document.defaults import Resolved
from converters.source.text import inverse_text
from converters.source.xml import Node
from ir.arrays import np
from ir.pose import dot, from_axis_angle, from_matrix, from_z_to, multiply, normalise, unit as exactly
from ir.types import Pose, Quat, Vec3


class CompilerSettings(Struct, frozen=True, kw_only=True):
    """Compile-time settings of the whole model; the last of several compiler elements wins, attribute by attribute."""

    degrees: bool = True
    eulerseq: str = "xyz"
    autolimits: bool = True
    meshdir: str = ""
    texturedir: str = ""
    strippath: bool = False
    from_geoms: bool = False
    """Whether inertia is inferred from geoms and <inertial> is ignored."""
    used: set[str] = field(default_factory=set)
    """Attributes that the model depends on. The others have no effect and are kept as written."""

    def angle(self, value: float) -> float:
        """Return an angle of the file in radians."""
        self.used.add("angle")
        return math.radians(value) if self.degrees else value


def to_degrees(angle: float) -> float:
    """Return the shortest number of degrees that reads as this angle (radians), or the closest to it."""
    return inverse_text(math.radians, angle, math.degrees(angle))


READ = ("angle", "eulerseq", "autolimits", "assetdir", "meshdir", "texturedir", "strippath")
"""Attributes that change the meaning of other elements, and are not needed once those are read."""


INERTIAL = ("inertiafromgeom", "inertiagrouprange", "boundmass", "boundinertia", "balanceinertia", "fitaabb")
"""Attributes of an attached model about its own bodies. settotalmass applies to the whole, and only that sets it."""


def inertial_settings(root: Node) -> dict[str, str]:
    """Return the attributes of <compiler> about inertia, without marking them as read: they remain extras."""
    nodes = root.findall("compiler")
    return {name: value for node in nodes for name, value in node.attrs.items() if name in INERTIAL}


def aligns_free(root: Node) -> bool:
    """Whether MuJoCo aligns free bodies with their inertia by default."""
    said = [node.attrs["alignfree"] for node in root.findall("compiler") if "alignfree" in node.attrs]
    return said[-1:] == ["true"]


def read_settings(root: Node) -> CompilerSettings:
    """Return the settings of all <compiler> elements of a document; the last value is used. Refuses invalid words."""
    values: dict[str, str] = {}
    for node in root.children("compiler"):
        for name in (*READ, "inertiafromgeom"):
            value = node.attrs.get(name)
            if value is not None:
                values |= dict.fromkeys(("meshdir", "texturedir") if name == "assetdir" else (name,), value)
        if node.attrs.get("coordinate", "local") != "local":
            message = "was removed from MJCF: load and save the file in MuJoCo 2.3.3 or older"
            node.wrong("coordinate", f"<compiler coordinate='global'> {message}")
        if len(sequence := values.get("eulerseq", "xyz")) != 3 or set(sequence.lower()) - set("xyz"):
            message = f"<compiler eulerseq={sequence!r}> must be three letters of x, y, z, X, Y, Z"
            node.wrong("eulerseq", message, "MJCF-KEYWORD")
            values.pop("eulerseq")
    return CompilerSettings(
        degrees=values.get("angle", "degree") != "radian",
        eulerseq=values.get("eulerseq", "xyz"),
        autolimits=values.get("autolimits", "true") == "true",
        meshdir=values.get("meshdir", ""),
        texturedir=values.get("texturedir", ""),
        strippath=values.get("strippath") == "true",
        from_geoms=values.get("inertiafromgeom") == "true",
    )


USUAL = {"angle": "radian", "autolimits": "true"}
"""Attributes that every written document has, whether it depends on them or not."""


def mark_used(root: Node, settings: CompilerSettings) -> None:
    """Mark as read the attributes that the model depended on, and those that the writer sets to the same value."""
    nodes = root.children("compiler")
    used = set(settings.used)
    for name in used & {"meshdir", "texturedir"}:
        last = next((node for node in reversed(nodes) if {name, "assetdir"} & node.attrs.keys()), None)
        if last is not None and name not in last.attrs:
            last.get("assetdir")
    for node in nodes:
        said = node.attrs
        if said.get("meshdir") == said.get("texturedir") and used & {"meshdir", "texturedir"}:
            used |= {"meshdir", "texturedir"}
        for name in used | {name for name, value in USUAL.items() if said.get(name) == value}:
            node.get(name)


def read_pose(element: Resolved, settings: CompilerSettings) -> Pose:
    """Return the pose given by pos and any form of orientation."""
    return Pose(element.triple("pos") or (0.0, 0.0, 0.0), read_orientation(element, settings))


def read_orientation(element: Resolved, settings: CompilerSettings) -> Quat:
    """Return the unit quaternion of the element; its own form overrides any form in a default (MuJoCo 3.16)."""
    source = next((node for node in element.nodes if not SIZES.keys().isdisjoint(node.attrs)), None)
    if source is None:
        return (1.0, 0.0, 0.0, 0.0)
    given = [name for name in FORMS if name in source.attrs]
    if len(given) > 1:
        source.refuse(f"<{source.tag}> has several orientations: {' and '.join(given)}", "XML-ONE-OF")
    values = Resolved(source, [], element.class_name).vector(given[0], SIZES[given[0]])
    turn = source.attempt(_orientation_of_form, source, given[0], values, settings) if values is not None else None
    return turn or (1.0, 0.0, 0.0, 0.0)


def _orientation_of_form(source: Node, form: str, values: tuple[float, ...], settings: CompilerSettings) -> Quat:
    match form:
        case "quat":
            w, x, y, z = values
            try:
                return normalise((w, x, y, z))
            except ValueError:
                raise source.fail(f"<{source.tag} quat> is zero", "ROT-ZERO") from None
        case "axisangle":
            x, y, z, angle = values
            return from_axis_angle(unit(source, form, (x, y, z)), settings.angle(angle))
        case "euler":
            x, y, z = values
            return from_euler((x, y, z), settings)
        case "xyaxes":
            return _from_axes(source, values)
    x, y, z = values
    return from_z_to(unit(source, form, (x, y, z)))


SIZES = {"quat": 4, "axisangle": 4, "euler": 3, "xyaxes": 6, "zaxis": 3}
FORMS = tuple(SIZES)
"""Ways to write an orientation; SIZES gives how many numbers each takes."""


def from_euler(angles: Vec3, settings: CompilerSettings) -> Quat:
    """Return the rotation of Euler angles: lower-case letters are axes of the moving frame, upper-case fixed axes."""
    settings.used.add("eulerseq")
    result: Quat = (1.0, 0.0, 0.0, 0.0)
    for letter, angle in zip(settings.eulerseq, angles, strict=True):
        axis = [0.0, 0.0, 0.0]
        axis["xyz".index(letter.lower())] = 1.0
        turn = from_axis_angle((axis[0], axis[1], axis[2]), settings.angle(angle))
        result = multiply(result, turn) if letter.islower() else multiply(turn, result)
    return result


SHORTEST = 1e-7
NOWHERE = f"has no direction: it is shorter than {SHORTEST}"
"""Message for any direction vector that MuJoCo considers too short, except quaternions."""


def unit(node: Node, name: str, vector: Vec3, made: Callable[[Vec3], Vec3] = exactly) -> Vec3:
    """Return the direction of a vector, as `made` finds it (ir.pose); unit vectors are unchanged. Raises InputError."""
    square = dot(vector, vector)
    if abs(square - 1.0) < 2e-15:
        return vector
    if square < SHORTEST**2:
        raise node.fail(f"<{node.tag} {name}> {NOWHERE}", "ROT-ZERO")
    return made(vector)


def _from_axes(node: Node, values: tuple[float, ...]) -> Quat:
    x = np.array(unit(node, "xyaxes", (values[0], values[1], values[2])))
    across = np.array(values[3:]) - x * float(np.dot(x, values[3:]))
    y = np.array(unit(node, "xyaxes", (float(across[0]), float(across[1]), float(across[2]))))
    return from_matrix(np.stack([x, y, np.cross(x, y)], axis=1))
