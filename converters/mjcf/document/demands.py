"""Requirements of MuJoCo 4 beyond its schema (measured): it refuses models that violate them, which findings report."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from pathlib import PurePosixPath

from converters.context import ReaderContext
from converters.mjcf.document.asset_demands import ALONE
from converters.mjcf.document.attributes import inherited
from converters.mjcf.document.bounds import MEANT, WRITTEN, beyond_bounds, misspelt
from converters.mjcf.document.defaults import MAIN, Defaults, Resolved
from converters.mjcf.document.dialect import INHERITED, LEFT, LIMITED
from converters.mjcf.document.faults import BOTH, COUNT, MISSING, NAME, RANGE, REFUSED, SIZE, MjcfFault, note_fault
from converters.mjcf.document.schema import inner, places
from converters.source.text import counted, first, words
from converters.source.xml import Node
from ir.bounds import ABOVE
from ir.names import with_article

TARGETS = ("joint", "jointinparent", "tendon", "site", "slidersite", "cranksite", "body")
"""Transmission attributes of an actuator."""
ANY_OF: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "equality/connect": (("site1", "site2"), ("body1", "anchor")),
    "equality/weld": (("site1", "site2"), ("body1",)),
    "tendon/fixed/joint": (("coef",),),
}
"""Path of an element -> alternative sets of required attributes."""
APART: Mapping[str, tuple[tuple[str, str], ...]] = {
    "attach": (("body", "frame"),),
    "camera": (("fovy", "sensorsize"),),
    "inertial": tuple(("fullinertia", form) for form in ("quat", "axisangle", "euler", "xyaxes", "zaxis")),
    "mesh": (("builtin", "file"), ("builtin", "vertex")),
    "size": (("memory", "njmax"), ("memory", "nstack")),
    **dict.fromkeys(("position", "intvelocity", "orientation", "pid"), (("kv", "dampratio"),)),
}
"""Element -> pairs of mutually exclusive attributes."""
REPEATED = tuple((f"{kind}1", f"{kind}2") for kind in ("body", "joint", "tendon", "site"))
"""Attributes of an equality constraint that reference two objects."""
OWN: Mapping[str, str] = {
    "body": "nuser_body",
    **{f"body/{tag}": f"nuser_{tag}" for tag in ("geom", "site")},
    "body/joint": "nuser_jnt",
    "body/camera": "nuser_cam",
    **dict.fromkeys(("tendon/spatial", "tendon/fixed"), "nuser_tendon"),
    **{f"{section}/": f"nuser_{section}" for section in ("actuator", "sensor")},
}
"""Path of an element, or its section -> the attribute of <size> that limits its user data."""
TAKEN: Mapping[str, tuple[str, ...]] = {
    "position": ("ctrlrange",),
    "pid": ("ctrlrange", "posrange"),
    "intvelocity": ("actrange",),
}
"""Servo -> ranges that it gives explicitly or takes by inheritrange."""
LENS = ("focal", "focalpixel", "principal", "principalpixel")
SIZES: Mapping[str, int] = {"sphere": 1, "capsule": 2, "cylinder": 2, "ellipsoid": 3, "box": 3, "plane": 3}
"""Number of sizes of a geom; with fromto one is enough."""
PLACED = ("geom", "site")
SPANNED = ("capsule", "cylinder", "box", "ellipsoid")
"""Shapes that accept fromto."""
SHOWN: Mapping[str, tuple[str, ...]] = {
    "site": ("material", "mesh"),
    "spatial": ("material",),
    "geom": ("hfield", "mesh"),
    "light": ("texture",),
    "layer": ("texture",),
}
"""Elements -> kinds of assets whose names are checked here, because their readers leave that to the viewer."""
SEEN = ("body/geom", "body/site", "body/camera", "body/light", "contact/pair", "asset/material/layer")
"""Paths of elements that are checked with their defaults, in addition to those with limits."""


def note_refused(root: Node, defaults: Defaults, autolimits: bool, context: ReaderContext) -> None:
    """Report what MuJoCo refuses in a document although each of its words is valid. It is kept as written."""
    if not context.strict:
        return
    assets, room, integrator = _asset_names(root), _user_sizes(root), _integrator(root)
    frames: set[str] = set()
    stack = [(root, ".", MAIN, "")]  # the section is "body" inside a body, and "worldbody" directly in the world
    while stack:
        node, path, childclass, section = stack.pop()
        alone = ALONE[path](defaults.of(node)) if path in ALONE else ()
        soft = _soft_faults(node, integrator) if node.tag in ("elasticity", "edge") else ()
        for fault in (
            *_structure_faults(node, path, section),
            *alone,
            *_count_faults(node, path),
            *_user_faults(node, path, room),
            *soft,
        ):
            _note(node, fault, context)
        if node.tag == "frame" and (name := node.attrs.get("name")):
            if name in frames:
                _note(node, MjcfFault(REFUSED, "name", "another frame has that name"), context)
            frames.add(name)
        kind = "joint" if path == "body/joint" else section if path.count("/") == 1 else ""
        if path in SEEN or kind in LIMITED:
            known = kind in INHERITED
            element = inherited(defaults, node, INHERITED[kind]) if known else defaults.of(node, childclass)
            for fault in _resolved_faults(element, kind, autolimits, assets):
                _note(node, fault, context)
        given = node.attrs.get("childclass", childclass)
        childclass = given if given in defaults.classes else childclass
        for child in node.elements():
            below = inner(path, child.tag)
            passed = path == "." and child.tag in LEFT
            if below in places() and not passed:
                within = "body" if child.tag == "body" else section or child.tag
                stack.append((child, below, childclass, within))


def _note(node: Node, fault: MjcfFault, context: ReaderContext) -> None:
    rule, name, said = fault
    text = node.attrs.get(name)
    before = f"<{node.tag} {name}={text!r}>" if text is not None else f"<{node.tag}>"
    place = node.place(name) if text is not None else node.source
    note_fault(context, rule, "document", said, place, before)


def _asset_names(root: Node) -> Collection[tuple[str, str]] | None:
    """Return kinds and names of assets; None if an attached model may add others."""
    assets = [node for section in root.findall("asset") for node in section.elements()]
    if any(node.tag == "model" for node in assets):
        return None
    return {(node.tag, node.attrs.get("name") or PurePosixPath(node.attrs.get("file", "")).stem) for node in assets}


def _user_sizes(root: Node) -> Mapping[str, float]:
    """Return the number of user values per kind if <size> sets it; the last value is used."""
    said = {name: text for node in root.findall("size") for name, text in node.attrs.items()}
    found = {name: first(said[name], -1.0) for name in OWN.values() if name in said}
    return {name: count for name, count in found.items() if count >= 0.0}


def _integrator(root: Node) -> str:
    """Return the integrator of the last <option> that sets it, Euler by default."""
    said = [node.attrs["integrator"] for node in root.findall("option") if "integrator" in node.attrs]
    return said[-1] if said else "Euler"


def _soft_faults(node: Node, integrator: str) -> Iterator[MjcfFault]:
    """Yield what an integrator does not support of a flexible body; nothing if it may be rigid, because its vertices
    belong to one body, or is pinned by whole ranges."""
    holder = node.parent
    if holder is None or holder.attrs.get("rigid") == "true" or len({*words(holder.attrs.get("body", "a b"))}) == 1:
        return
    if any(pin.attrs.keys() - {"id"} for pin in holder.findall("pin")):
        return
    bent = holder.attrs.get("dim", "2") != "2" or node.attrs.get("elastic2d", "none") != "none"
    if integrator in ("implicit", "implicitfast") and bent and first(node.attrs.get("young")) > 0.0:
        yield MjcfFault(
            REFUSED, "young", f"the integrator {integrator} does not support elasticity: Euler and discrete do"
        )
    for name in ("stiffness", "damping") if integrator == "discrete" and node.tag == "edge" else ():
        if first(node.attrs.get(name)) > 0.0:
            yield MjcfFault(REFUSED, name, "the integrator discrete does not support springs or dampers along edges")


def _user_faults(node: Node, path: str, room: Mapping[str, float]) -> Iterator[MjcfFault]:
    if not room or "user" not in node.attrs:
        return
    most = room.get(OWN.get(path) or OWN.get(f"{path.partition('/')[0]}/", ""))
    count = len(words(node.attrs["user"]))
    if most is not None and count > most:
        yield MjcfFault(COUNT, "user", f"at most {most:g} numbers are allowed, as <size> says, not {count}")


def _structure_faults(node: Node, path: str, section: str) -> Iterator[MjcfFault]:
    """Yield required and forbidden content that does not depend on defaults."""
    ways = ANY_OF.get(path)
    if path.startswith("actuator/") and path.count("/") == 1:
        ways = tuple((name,) for name in TARGETS)
    if ways and not any(all(name in node.attrs for name in way) for way in ways):
        wanted = " or ".join(" and ".join(way) for way in ways)
        yield MjcfFault(MISSING, "", f"it needs {wanted}")
    if section == "worldbody" and path in ("body/joint", "body/freejoint", "body/inertial"):
        yield MjcfFault(REFUSED, "", f"the world cannot have a <{node.tag}>")
    if path in ("body/joint", "body/freejoint", "body/flexcomp"):
        yield from _replicate_faults(node)
    if path == "body" and _hangs_on_joint(node, section):
        yield MjcfFault(
            REFUSED, "", "a body that is moved without forces (mocap) must be a child of the world without joints"
        )
    for each in TAKEN.get(node.tag, ()):
        if each in node.attrs and first(node.attrs.get("inheritrange")) > 0.0:
            yield MjcfFault(
                BOTH, "inheritrange", f"{each} is given, and inheritrange takes the range of what the actuator acts on"
            )
    for one, other in APART.get(node.tag, ()):
        if one in node.attrs and other in node.attrs:
            yield MjcfFault(BOTH, other, f"both {one} and {other} are given")
    for one, other in REPEATED if path.startswith("equality/") else ():
        if node.attrs.get(one) is not None and node.attrs.get(one) == node.attrs.get(other):
            yield MjcfFault(REFUSED, other, f"it connects two things, and names {node.attrs[one]!r} twice")
    beyond = beyond_bounds(WRITTEN, node.tag, node.attrs.get) if path.partition("/")[0] != "sensor" else []
    for name, said in (*beyond, *misspelt(node.tag, node.attrs)):
        yield MjcfFault(RANGE if name == "ctrlrange" else REFUSED, name, said)


def _replicate_faults(node: Node) -> Iterator[MjcfFault]:
    """Yield faults of a joint or <flexcomp> directly in a <replicate>, and of a <flexcomp> in a body without a name."""
    holder = node.parent
    while holder is not None and holder.tag == "frame":
        holder = holder.parent
    if holder is not None and holder.tag == "replicate":
        yield MjcfFault(REFUSED, "", f"a <{node.tag}> must be in a body, not in a <replicate>")
    elif holder is not None and holder.tag == "body" and node.tag == "flexcomp" and not holder.attrs.get("name"):
        yield MjcfFault(REFUSED, "", "the parent body of a <flexcomp> needs a name")


def _hangs_on_joint(node: Node, section: str) -> bool:
    """Whether this is a mocap body with a joint, or a body other than the world that contains a mocap body."""
    mocap = node.attrs.get("mocap") == "true"
    held = [each for each in node.elements() if section == "body" and each.tag == "body"]
    return any(each.attrs.get("mocap") == "true" for each in held) or (
        mocap and any(each.tag in ("joint", "freejoint") for each in node.elements())
    )


def _count_faults(node: Node, path: str) -> Iterator[MjcfFault]:
    if path.startswith("default/"):
        return
    figures = places()[path].figures
    for name in sorted(figures.keys() & node.attrs.keys()):
        count = len(words(node.attrs[name]))
        if count and (wanted := figures[name].wanted(count)):
            yield MjcfFault(COUNT, name, f"it takes {wanted} numbers, not {count}")


def _resolved_faults(
    element: Resolved, kind: str, autolimits: bool, assets: Collection[tuple[str, str]] | None
) -> Iterator[MjcfFault]:
    """Yield the faults of an element with its defaults."""
    tag = element.node.tag
    shape = element.look("type") or ("hinge" if kind == "joint" else "sphere")
    if tag in PLACED:
        yield from _placement_faults(element, shape)
    if tag == "geom":
        yield from _geom_faults(element, shape)
    if kind == "joint" and shape == "free" and any(counted(element.look("springyield"))):
        yield MjcfFault(REFUSED, "springyield", "a free joint cannot have springyield")
    if tag == "camera":
        sensor = all(each > 0 for each in counted(element.look("sensorsize")) or (0.0,))
        if not sensor and any(map(any, _lens_numbers(element))):
            yield MjcfFault(MISSING, "", "a camera with a focal length or a principal point needs a sensorsize")
        if sensor and any(each <= 0 for each in counted(element.look("resolution"))):
            yield MjcfFault(REFUSED, "resolution", "with a sensorsize it must be above 0")
    for name, said in beyond_bounds(MEANT, tag, element.look):
        yield MjcfFault(REFUSED, name, said)
    if assets is not None:
        yield from _asset_faults(element, assets)
    for name, flag in LIMITED.get(kind, {}).items() if shape != "free" else ():
        yield from _range_faults(element, name, flag, shape == "ball", autolimits)


def _placement_faults(element: Resolved, shape: str) -> Iterator[MjcfFault]:
    """Yield faults in the position and size of a geom or site."""
    if element.look("fromto") is not None:
        if any(counted(element.look("pos"))):  # MuJoCo treats zeros as not given (user_objects.cc)
            yield MjcfFault(BOTH, "fromto", "both pos and fromto are given")
        if shape not in SPANNED:
            said = f"a geom between two points is one of {', '.join(SPANNED)}, not {with_article(shape)}"
            yield MjcfFault(REFUSED, "fromto", said)
        elif element.node.tag == "geom" and element.look("mesh"):
            yield MjcfFault(REFUSED, "fromto", "a geom fitted to a mesh cannot have fromto")
    yield from _size_faults(element, shape)


def _geom_faults(element: Resolved, shape: str) -> Iterator[MjcfFault]:
    if shape in SIZES and element.look("mesh") is None:
        needed = 1 if element.look("fromto") is not None else SIZES[shape]
        given = len(words(element.merged("size") or ""))
        if given < needed:
            yield MjcfFault(SIZE, "size", f"{with_article(shape)} has {needed} sizes here, not {given}")
    if shape == "hfield" and not element.look("hfield"):
        yield MjcfFault(MISSING, "", "it needs hfield")
    if shape == "hfield" and element.look("mesh"):
        yield MjcfFault(REFUSED, "mesh", "a height field cannot be fitted to a mesh")
    if shape == "mesh" and element.look("shellinertia") == "true":
        yield MjcfFault(
            REFUSED, "shellinertia", "whether a mesh is a shell is set by the attribute inertia of the <mesh> asset"
        )


def _asset_faults(element: Resolved, assets: Collection[tuple[str, str]]) -> Iterator[MjcfFault]:
    """Yield references to missing assets, and to height fields by geoms of other types."""
    for kind in SHOWN.get(element.node.tag, ()):
        name = element.look(kind) or ""
        if name and (kind, name) not in assets:
            yield MjcfFault(NAME, kind, f"the {kind} {name!r} does not exist")
        elif name and kind == "hfield" and (shape := element.look("type") or "sphere") != "hfield":
            yield MjcfFault(REFUSED, kind, f"a height field is shown by a geom of type hfield, not of type {shape}")


def _lens_numbers(element: Resolved) -> Iterator[tuple[float, ...]]:
    return (counted(element.look(name)) for name in LENS)


def _size_faults(element: Resolved, shape: str) -> Iterator[MjcfFault]:
    """Yield sizes that are not above 0: for a plane only the third one matters, with fromto only the first."""
    tag = element.node.tag
    if tag not in PLACED or shape not in SIZES or element.look("mesh") is not None:
        return
    needed = 1 if element.look("fromto") is not None else SIZES[shape]
    given: list[str] = []
    for node in element.nodes:  # not marked as read: the size of a site may be kept as an extra
        given += words(node.attrs.get("size", ""))[len(given) :]
    sizes = counted(" ".join(given[:needed]))
    bad = next(filter(ABOVE.broken, sizes[2 * (shape == "plane") :]), None)
    if bad is not None:
        what = f"a {tag} that is {with_article(shape)}"
        yield MjcfFault(SIZE, "size", f"every size of {what} must be above 0: one is {bad:g}")


def _range_faults(element: Resolved, name: str, flag: str, ball: bool, autolimits: bool) -> Iterator[MjcfFault]:
    said, bounds = element.look(flag), counted(element.look(name)) or (0.0, 0.0)
    if len(bounds) != 2:
        return  # reported elsewhere as a wrong number of values
    low, high = bounds
    if ball:
        limited = said == "true" or (said in (None, "auto") and autolimits and low < high)
        if name == "range" and limited and low != 0.0:
            yield MjcfFault(RANGE, name, "the range of a ball begins at 0")
    elif said == "true" and not low < high and not counted(element.look("inheritrange")):
        shown = f"the range {low:g} {high:g} is no limit" if element.look(name) else f"there is no {name}"
        yield MjcfFault(RANGE, name, f"{flag} asks for a limit, and {shown}")
