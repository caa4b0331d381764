"""Requirements of MuJoCo 4 for assets, custom data and <statistic> beyond its schema (measured)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping

from converters.mjcf.document.bounds import broken_off_lists, reads_mesh_file, unreadable_heights, unreadable_image
from converters.mjcf.document.defaults import Resolved
from converters.mjcf.document.faults import BOTH, COUNT, MISSING, NAME, REFUSED, SIZE, MjcfFault
from converters.mjcf.tables import FACES
from converters.source.text import counted, first, words
from ir.bounds import ABOVE

PARAMS: Mapping[str, tuple[int, ...]] = {
    **dict.fromkeys(("sphere", "hemisphere"), (1,)),
    **dict.fromkeys(("cone", "plate"), (2,)),
    **dict.fromkeys(("grid", "box", "cylinder", "ellipsoid"), (6, 7)),
    **dict.fromkeys(("square", "disc"), (6,)),
    "supersphere": (3,),
    "supertorus": (4,),
    "wedge": (5,),
}
"""Builtin mesh -> the numbers of parameters that it may have."""
LEAST = math.ulp(0.0)
"""Lower bound of a number that must be above 0."""
RANGES: Mapping[str, tuple[tuple[float, float], ...]] = {
    "sphere": ((0.0, 4.0),),
    "hemisphere": ((0.0, 10.0),),
    "cone": ((3.0, math.inf), (0.0, 1.0)),
    "supersphere": ((3.0, math.inf), (0.0, math.inf), (0.0, math.inf)),
    "supertorus": ((3.0, math.inf), (LEAST, 1.0), (LEAST, math.inf), (LEAST, math.inf)),
    "wedge": ((1.0, math.inf), (1.0, math.inf), (LEAST, 180.0), (LEAST, 90.0), (0.0, 1.0)),
    "plate": ((1.0, math.inf), (1.0, math.inf)),
}
"""Builtin mesh -> minimum and maximum of each of its parameters."""
COUNTS: Mapping[str, int] = {"wedge": 2, "plate": 2}
"""How many leading parameters (1 by default) are counts, whose fractional part MuJoCo drops."""
ORDINALS = ("first", "second", "third", "fourth", "fifth")
SHORTEST = 1e-14
"""Minimum length of a quaternion."""
CORNERS = 4
"""Minimum number of vertices of a mesh."""
MOST = 12
"""Maximum number of grid cells of an image for the sides of a cube."""
OBJECTS = frozenset(
    [
        *("body", "xbody", "joint", "dof", "geom", "site", "camera", "light", "flex", "mesh", "skin", "hfield"),
        *("texture", "material", "pair", "exclude", "equality", "tendon", "actuator", "sensor", "numeric", "text"),
        *("tuple", "key", "plugin", "frame"),
    ]
)
"""Object types that a tuple may reference."""


def _statistic_faults(element: Resolved) -> Iterator[MjcfFault]:
    extent = counted(element.look("extent"))
    if extent and extent[0] <= 0.0:
        yield MjcfFault(REFUSED, "extent", "the extent must be above 0")


def _name_faults(element: Resolved) -> Iterator[MjcfFault]:
    if not element.look("name") and not element.look("file"):
        yield MjcfFault(MISSING, "", "it needs a name")


def _height_field_faults(element: Resolved) -> Iterator[MjcfFault]:
    yield from _name_faults(element)
    size = element.look("size")
    if size is None:
        yield MjcfFault(MISSING, "", "it needs a size")
    if name := unreadable_heights(element.node.attrs):
        yield MjcfFault(REFUSED, name, "height field files are PNG or MuJoCo's own format")
    if any(map(ABOVE.broken, counted(size)[3:])):
        yield MjcfFault(SIZE, "size", "the base of a height field must be above 0")
    rows, columns = (first(element.look(name)) for name in ("nrow", "ncol"))
    heights = len(words(element.look("elevation") or ""))
    if not element.look("file") and min(rows, columns) < 2.0:
        yield MjcfFault(MISSING, "", "a height field needs a file, or at least two rows and columns")
    elif heights and heights != rows * columns:
        yield MjcfFault(COUNT, "elevation", f"it takes {rows * columns:g} numbers, not {heights}")


def _mesh_faults(element: Resolved) -> Iterator[MjcfFault]:
    yield from _name_faults(element)
    for name, said in broken_off_lists(element.node.attrs):
        yield MjcfFault(COUNT, name, said)
    turn = counted(element.look("refquat"))
    if turn and math.hypot(*turn) < SHORTEST:
        yield MjcfFault(REFUSED, "refquat", "it has no direction")
    flat = sum(factor == 0.0 for factor in counted(element.look("scale")))
    if flat > (element.look("inertia") == "shell"):
        yield MjcfFault(REFUSED, "scale", f"a mesh of no {'volume' if flat == 1 else 'area'} has no inertia")
    file, builtin = element.look("file"), element.look("builtin") or "none"
    if not reads_mesh_file(element.node.attrs) and not any(each.tag == "plugin" for each in element.node.elements()):
        yield MjcfFault(REFUSED, "file", "the name of a mesh file must end in .stl, .obj or .msh")
    for name in ("vertex", "face"):
        if file and element.look(name):
            yield MjcfFault(BOTH, name, f"both file and {name} are given")
    if builtin != "none":
        yield from _parameter_faults(element, builtin)
    elif not file and element.look("plugin") is None and not list(element.node.elements()):
        yield from _corner_faults(element)


def _parameter_faults(element: Resolved, builtin: str) -> Iterator[MjcfFault]:
    known = PARAMS.get(builtin, ())
    found = counted(element.look("params"))
    if known and len(found) not in known:
        wanted = " or ".join(map(str, known))
        name = "params" if element.look("params") is not None else ""
        yield MjcfFault(COUNT if found else MISSING, name, f"a {builtin} has {wanted} params, not {len(found)}")
        return
    for index, (value, (least, most)) in enumerate(zip(found, RANGES.get(builtin, ()), strict=False)):
        number = float(int(value)) if index < COUNTS.get(builtin, 1) and math.isfinite(value) else value
        if not least <= number <= most:
            low = "above 0" if least == LEAST else f"at least {least:g}"
            said = f"{low} and at most {most:g}" if most < math.inf else low
            yield MjcfFault(REFUSED, "params", f"the {ORDINALS[index]} one of a {builtin} must be {said}")


def _corner_faults(element: Resolved) -> Iterator[MjcfFault]:
    count = len(words(element.look("vertex") or "")) // 3
    if count < CORNERS:
        yield MjcfFault(MISSING, "", f"a mesh needs a file, or at least {CORNERS} corners")
        return
    used = counted(element.look("face"))
    if used and not 0.0 <= min(used) <= max(used) < count:
        yield MjcfFault(REFUSED, "face", f"it names corners from 0 to {count - 1}")
    seen = len(words(element.look("texcoord") or "")) // 2
    if seen and seen != count:
        yield MjcfFault(COUNT, "texcoord", f"it takes {2 * count} numbers, not {2 * seen}")


def _texture_faults(element: Resolved) -> Iterator[MjcfFault]:
    kind, builtin = element.look("type") or "cube", element.look("builtin") or "none"
    if kind != "skybox":
        yield from _name_faults(element)
    if name := unreadable_image(element.node.attrs):
        yield MjcfFault(REFUSED, name, "a texture file must be PNG or KTX")
    grid = counted(element.look("gridsize")) or (1.0, 1.0)
    if kind != "2d" and element.look("file") and len(grid) == 2 and not (min(grid) > 0.0 and grid[0] * grid[1] <= MOST):
        yield MjcfFault(REFUSED, "gridsize", f"an image has 1 to {MOST} places for the sides of a cube")
    layout = element.look("gridlayout")
    if layout is not None and len(grid) == 2 and len(layout) != grid[0] * grid[1]:
        yield MjcfFault(COUNT, "gridlayout", f"it has {grid[0] * grid[1]:g} letters, as many as gridsize has places")
    if builtin == "none":
        if not any(element.look(name) for name in ("file", *FACES)):
            yield MjcfFault(MISSING, "", "a texture needs a file, or builtin")
        return
    if first(element.look("nchannel"), 3.0) != 3.0:
        yield MjcfFault(REFUSED, "nchannel", "a generated texture has 3 channels")
    if element.look("embed") == "false":
        yield MjcfFault(REFUSED, "embed", "a generated texture must be kept in the model")
    if element.look("file") is not None:
        return
    for name in ("width", "height") if kind == "2d" else ("width",):
        if first(element.look(name)) <= 0.0:
            yield MjcfFault(MISSING, "", f"a generated texture needs a {name}")


def _material_faults(element: Resolved) -> Iterator[MjcfFault]:
    yield from _name_faults(element)
    if element.look("texture") is not None and any(each.tag == "layer" for each in element.node.elements()):
        yield MjcfFault(BOTH, "texture", "both texture and a layer are given")


def _layer_faults(element: Resolved) -> Iterator[MjcfFault]:
    yield from _needed_faults(element, "texture", "role")


def _needed_faults(element: Resolved, *names: str) -> Iterator[MjcfFault]:
    for name in names:
        if name not in element.node.attrs:
            yield MjcfFault(MISSING, "", f"it needs {name}")


def _numeric_faults(element: Resolved) -> Iterator[MjcfFault]:
    yield from _needed_faults(element, "name")
    text, size = element.look("data") or "", element.look("size")
    if counted(text) == () and text.strip():
        yield MjcfFault(REFUSED, "data", "the data must be numbers")
    if size is None:
        if not text.strip():
            yield MjcfFault(MISSING, "", "it needs data, or a size")
        return
    (count, *others) = counted(size) or (0.0, 0.0)
    if others or count <= 0.0 or not count.is_integer():
        yield MjcfFault(REFUSED, "size", "the size must be a whole number above 0")
    elif len(words(text)) > count:
        yield MjcfFault(COUNT, "data", f"it takes {count:g} numbers at most, not {len(words(text))}")


def _text_faults(element: Resolved) -> Iterator[MjcfFault]:
    yield from _needed_faults(element, "name")
    if not element.look("data"):
        yield MjcfFault(REFUSED, "data", "a text must not be empty")


def _tuple_faults(element: Resolved) -> Iterator[MjcfFault]:
    yield from _needed_faults(element, "name")
    if not any(each.tag == "element" for each in element.node.elements()):
        yield MjcfFault(MISSING, "", "a tuple needs at least one element")


def _tuple_element_faults(element: Resolved) -> Iterator[MjcfFault]:
    yield from _needed_faults(element, "objtype", "objname")
    kind, name, number = (element.look(each) for each in ("objtype", "objname", "prm"))
    if kind is not None and kind not in OBJECTS:
        yield MjcfFault(REFUSED, "objtype", "elements of a tuple must be of an object type that MuJoCo knows")
    if name == "":
        yield MjcfFault(NAME, "objname", "it must name an object")
    if number is not None and number.strip() and len(counted(number)) != 1:
        yield MjcfFault(COUNT, "prm", "it takes 1 number")


ALONE: Mapping[str, Callable[[Resolved], Iterator[MjcfFault]]] = {
    "statistic": _statistic_faults,
    "asset/hfield": _height_field_faults,
    "asset/mesh": _mesh_faults,
    "asset/texture": _texture_faults,
    "asset/material": _material_faults,
    "asset/material/layer": _layer_faults,
    "custom/numeric": _numeric_faults,
    "custom/text": _text_faults,
    "custom/tuple": _tuple_faults,
    "custom/tuple/element": _tuple_element_faults,
}
"""Path of an element -> requirements that are specific to it."""
