"""Content that was not understood: in a URDF duplicate, misplaced, unexpanded xacro, or of no known dialect; in an SDF
anything not in SDFormat."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from converters.report.ignored import reason_of_ignored
from converters.source.text import BLANK, NUMBER, closest_word
from converters.source.tree import fragment, step
from converters.source.xml import Below, Node
from converters.urdf.tables import ROLES
from converters.validating.model import Breach, CheckedModel
from converters.validating.notes import EXTRAS, rule_of
from converters.validating.rules import ERROR, WARNING
from converters.validating.words import known, unknown
from ir.addresses import without_positions
from ir.refs import extras
from ir.scene import Scene
from ir.types import Extra, Geom, Inertial

SHAPES = ("box", "cylinder", "sphere", "capsule", "mesh", "cone", "plane")
SINGLE = (
    *("origin", "inertial", "mass", "inertia", "geometry", "material", "axis", "limit", "mimic", "dynamics"),
    *("safety_controller", "calibration", "parent", "child", "color", "texture", "type"),
)
"""Elements that may occur only once in each place."""
KNOWN = (*SINGLE, *SHAPES, "visual", "collision")
"""Elements that URDF uses anywhere."""
NEEDED = {"limit": ("effort", "velocity"), "safety_controller": ("k_velocity",), "mimic": ("joint",)}
"""Attributes that urdfdom requires of an element on a joint of any type."""
NUMBERS = {
    "limit": ("lower", "upper", "effort", "velocity"),
    "safety_controller": ("soft_lower_limit", "soft_upper_limit", "k_position", "k_velocity"),
    "calibration": ("rising", "falling"),
    "dynamics": ("damping", "friction"),
    "mimic": ("multiplier", "offset"),
}
"""Attributes that urdfdom parses as numbers, refusing the file if they are not."""
ATTRIBUTES = (
    *("name", "type", "link", "joint", "value", "filename", "scale", "size", "radius", "length", "rgba", "xyz", "rpy"),
    *("ixx", "ixy", "ixz", "iyy", "iyz", "izz", *(name for names in NUMBERS.values() for name in names)),
)
"""Attributes that URDF uses anywhere."""
USELESS = ("LIMIT-FIXED", "LIMIT-CONT", "MIMIC-USELESS")
"""Rules about elements without an effect on a joint of that type."""
HEARD = ("MAT-RGBA", "XML-MISPLACED", "XML-UNKNOWN")
"""Rules not applied to an element about which its reader has already added a note."""
BARE = ("XML-MISPLACED",)
"""Rules not applied to the shape in a <geometry> about which its reader has already added a note."""
LEGACY = ("property", "include", "macro", "arg", "if", "unless")
"""xacro of 2010, without a prefix."""

_SHAPE = re.compile(r"geometry\[\d+\]/[a-z_]+\[\d+\]\Z")


def check(model: CheckedModel) -> Iterator[Breach]:
    told = {note.source.at for note in model.reading.context.notes if note.source is not None}
    told |= {each.node for each in told if isinstance(each, Below)}
    unknown: dict[str, Breach] = {}
    counts: Counter[str] = Counter()
    for path, owner, extra in extras(model.scene):
        if extra.format != model.format:
            continue
        kind = path[0]
        where = ".".join(["/".join(path[:2]), *path[2:-1]]) if kind != "scene" else kind
        at = extra.source.at if extra.source is not None else None
        heard = at in told
        bare = extra.path.startswith("geometry[") and isinstance(at, Node) and at.parent in told
        for breach in _breaches(where, owner, extra):
            if breach.rule in (HEARD if heard else BARE if bare else ()):
                continue  # the reader has examined it and reported what is wrong
            if breach.rule != "XML-UNKNOWN":
                yield breach
                continue
            key = f"{kind}/{without_positions(breach.where.removeprefix(where))}"
            unknown.setdefault(key, breach)
            counts[key] += 1
    yield from (replace(breach, count=counts[key]) for key, breach in unknown.items())
    if model.format == "urdf":
        yield from _kinds(model.scene)


def _kinds(scene: Scene) -> Iterator[Breach]:
    """Yield breaches for geoms of a custom kind (`collision_checking`) spelt similarly to visual or collision."""
    for body in scene.bodies.values():
        for geom in body.geoms:
            if geom.role in ROLES.values() or (close := closest_word(geom.role, ROLES)) is None:
                continue
            message = f"<{geom.role}> is neither visual nor collision: it is a shape for programs of its own"
            hint = f"(<{close}> {'is drawn' if close == 'visual' else 'collides'})"
            where = f"body/{body.name}.geoms.{geom.name}"
            yield Breach(
                rule="XML-UNKNOWN", where=where, message=f"{message} {hint}", source=geom.source, severity=WARNING
            )


def _breaches(where: str, owner: object, extra: Extra) -> Iterator[Breach]:
    if extra.format == "sdf":
        for path, message, source in unknown(extra):
            yield Breach(rule="XML-UNKNOWN", where=f"{where}.{path}", message=message, source=source)
    elif extra.format == "urdf" and extra.path and (breach := _breach(where, owner, extra)) is not None:
        yield breach


def _breach(where: str, owner: object, extra: Extra) -> Breach | None:
    tag, position = step(extra.path.rpartition("/")[2])
    said = _classed(where, owner, extra, tag, position)
    if said is None:
        return None
    rule, message = said
    severity = WARNING if rule == "XML-UNKNOWN" and _meant(tag) else ""
    if rule in USELESS and (why := _refused(extra, tag)):
        severity, message = ERROR, f"{message}, and {why} urdfdom refuses the file"
    return Breach(rule=rule, where=f"{where}.{extra.path}", message=message, source=extra.source, severity=severity)


def _refused(extra: Extra, tag: str) -> str:
    """Return why urdfdom refuses a file for an element without an effect on its joint; "" where it does not."""
    attrs = {tag[1:]: extra.text} if tag.startswith("@") else fragment(extra.text).attrs
    counted = (tag[1:],) if tag.startswith("@") else NUMBERS.get(tag, ())
    missing = [name for name in NEEDED.get(tag, ()) if name not in attrs]
    if missing:
        return f"without {' and '.join(missing)}"
    if tag == "dynamics" and attrs.keys().isdisjoint(counted):
        return "without damping and friction"
    wrong = [f"{name}={attrs[name]!r}" for name in counted if not NUMBER.match(attrs.get(name, "0").strip(BLANK))]
    return f"since {' and '.join(wrong)} is no number" if wrong else ""


def rule_of_extra(where: str, owner: object, extra: Extra) -> str:
    """Return the rule that a leftover breaks; "" for none."""
    if extra.format == "sdf" and isinstance(owner, Geom) and _SHAPE.match(extra.path):
        return "GEOM-COUNT"  # reported by the reader of SDF
    if isinstance(owner, Scene) and extra.format == "urdf" and extra.path.startswith("material["):
        return "MAT-DUP" if extra.text.startswith("<material name=") else "MAT-NONAME"
    breach = _breach(where, owner, extra) if extra.format == "urdf" and extra.path else None
    return breach.rule if breach is not None else ""


def _classed(where: str, owner: object, extra: Extra, tag: str, position: int) -> tuple[str, str] | None:
    """Return the rule and the message; None where there is nothing to report."""
    shown = tag if tag.startswith("@") else f"<{tag}>"
    if extra.rule:
        return _meaningless(extra)
    if (xacro := _unexpanded(where, extra, tag, shown)) is not None:
        return xacro
    if where == "scene" and tag == "material":
        return None if extra.text.startswith("<material name=") else ("MAT-NONAME", "a global material has no name")
    if isinstance(owner, Inertial) and tag in ("@iyx", "@izx", "@izy"):
        return _symmetric(owner, extra, tag)
    if tag == "material" and position == 1 and isinstance(owner, Geom):
        if "name" not in fragment(extra.text).attrs:
            return "MAT-NONAME", "a <material> without a name"
        return "MAT-EMPTYNAME", "a <material> without a name, a colour or a texture has no effect"
    if tag == "text()":
        place = "where only elements are read" if position == 1 else "behind the one that is read"
        return "XML-UNKNOWN", f"text {place}"
    if (again := _again(owner, extra, tag, position)) is not None:
        return again
    if known(owner, extra.path):
        return None
    if tag == "color" and isinstance(owner, Geom) and extra.path.startswith("material["):
        return "MAT-RGBA", "a <color> without a colour"
    if tag in KNOWN:
        return "XML-MISPLACED", f"<{tag}> is not read in this place"
    return "XML-UNKNOWN", f"{shown} is of no dialect known here{_meant(tag)}"


def _unexpanded(where: str, extra: Extra, tag: str, shown: str) -> tuple[str, str] | None:
    if "xacro:" in extra.path or extra.text.startswith("<xacro:") or "${" in extra.text or "$(arg" in extra.text:
        return "XACRO-LEFT", f"{shown} is unexpanded xacro"
    if where == "scene" and tag in LEGACY:
        return "XACRO-LEGACY", f"<{tag}> without the prefix xacro: is not expanded"
    return None


def _again(owner: object, extra: Extra, tag: str, position: int) -> tuple[str, str] | None:
    """Return the rule and the message for a duplicate of an element that may occur only once; None for any other."""
    if tag in SHAPES and extra.path.startswith("geometry[") and getattr(owner, "shape", None) is not None:
        return "GEOM-COUNT", f"<{tag}> is the second shape of this geometry: only the first is read"
    if tag in SINGLE and position > 1:
        return "XML-DUP", f"<{tag}> appears here {position} times: the first is used (MuJoCo refuses the model)"
    return None


def _meant(tag: str) -> str:
    """Return a hint at the element or attribute that was probably meant; for an attribute that is used elsewhere, the
    element of that name."""
    if tag.startswith("@") and tag[1:] in ATTRIBUTES:
        return f" (<{tag[1:]}> is)" if tag[1:] in KNOWN else ""
    if tag.startswith("@"):
        close = closest_word(tag[1:], ATTRIBUTES)
        return f" (@{close} is)" if close else ""
    close = closest_word(tag, (*KNOWN, "link", "joint"))
    return f" (<{close}> is)" if close else ""


def _meaningless(extra: Extra) -> tuple[str, str] | None:
    """Return the rule and the message for content without a meaning in its place; None where it breaks no rule."""
    rule = rule_of(EXTRAS, extra.rule, extra.path, start=True)
    return None if rule == "" else (rule or "XML-UNKNOWN", reason_of_ignored(extra))


def _symmetric(inertial: Inertial, extra: Extra, tag: str) -> tuple[str, str] | None:
    """Return a breach unless an entry below the diagonal equals the one above it; such entries are allowed."""
    above = inertial.tensor[{"@iyx": 3, "@izx": 4, "@izy": 5}[tag]]
    try:
        same = float(extra.text) == above
    except ValueError:
        same = False
    return None if same else ("INERTIA-SYM", f"{tag[1:]} is {extra.text}, its mirror image {above:g}")
