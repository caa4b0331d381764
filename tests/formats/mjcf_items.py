"""Every element and attribute of MJCF: the schema that MuJoCo prints, and the few that it expands before that."""

from __future__ import annotations

import re
from collections.abc import Iterator

import mujoco

from converters.mjcf.relations.actuators import OWN
from converters.mjcf.relations.sensors import TARGETS
from converters.source.tree import Element, fragment, serialise
from tests.formats.coverage import Placed, Setting, attributes

BASE = """<mujoco model="m">
  <default/>
  <asset>
    <mesh name="mesh" file="m.stl"/>
    <mesh name="mesh2" file="m2.stl"/>
    <texture name="tex" type="2d" file="t.png"/>
    <material name="mat" rgba="0.1 0.2 0.3 1"/>
  </asset>
  <worldbody>
    <body name="b" euler="10 20 30">
      <inertial pos="0 0 0" mass="1" diaginertia="1 2 2.5"/>
      <joint name="j" range="10 20"/>
      <geom name="g" type="box" size="1 2 3"/>
      <site name="s"/>
      <site name="s2"/>
      <camera name="cam"/>
      <light name="li"/>
      <body name="c"><joint name="k"/><geom name="h" type="mesh" mesh="mesh"/></body>
    </body>
    <body name="d"><geom name="gd" size="1"/></body>
  </worldbody>
  <contact><pair name="pa" geom1="g" geom2="h"/></contact>
  <tendon>
    <spatial name="ten2"><site site="s"/><geom geom="g"/><site site="s2"/></spatial>
    <fixed name="ten"><joint joint="j" coef="1"/></fixed>
  </tendon>
  <equality><joint name="e" joint1="j" joint2="k"/></equality>
  <actuator>
    <motor name="mo" joint="j"/><position name="po" joint="j"/><velocity name="ve" joint="j"/>
  </actuator>
</mujoco>"""

ALONE = ("asset", "custom", "deformable", "extension", "option", "size", "statistic", "visual", "worldbody")
UNUSED = {
    **dict.fromkeys(ALONE, ("tendon", "contact", "equality", "actuator")),
    **dict.fromkeys(("sensor", "actuator"), ("contact", "equality")),
}
"""Maps the section of an item to the sections it does not depend on, which are omitted so that reading is faster."""
NEEDS = {
    "site": {"site": "s"},
    "joint": {"joint": "j"},
    "tendon": {"tendon": "ten"},
    "actuator": {"actuator": "mo"},
    "body": {"body": "b"},
    "objname": {"objtype": "body", "objname": "b"},
}
"""Maps the attribute by which a sensor references what it measures to the attributes it needs."""
COUNTED = {
    "1 1": "camera/@focal camera/@focalpixel camera/@principal camera/@principalpixel material/@texrepeat "
    "muscle/@timeconst texture/@gridsize",
    "1 2": "general/@actrange general/@ffrange general/@velrange intvelocity/@actrange muscle/@range pid/@ffrange "
    "pid/@posrange pid/@velrange",
    "1 1 1": "cylinder/@bias light/@ambient texture/@markrgb texture/@rgb1 texture/@rgb2",
}
"""Values of attributes in defaults that take more than one number."""
ORIENTATION = frozenset({"quat", "axisangle", "euler", "xyaxes", "zaxis"})
SETTING = Setting(
    values={f"default/{item}": value for value, items in COUNTED.items() for item in items.split()}
    | {
        "compiler/@angle": "radian",
        "compiler/@autolimits": "false",
        "compiler/@eulerseq": "zyx",
        "compiler/@meshdir": "meshes",
        "compiler/@texturedir": "textures",
        "compiler/@assetdir": "assets",
        "@pos": "1 2 3",
        "@quat": "0 1 0 0",
        "@axisangle": "1 0 0 30",
        "@euler": "15 25 35",
        "@xyaxes": "0 1 0 -1 0 0",
        "@zaxis": "1 0 0",
        "@childclass": "sub",
        "@class": "sub",
        "default/@class": "main",
        "@rgba": "0.1 0.2 0.3 0.4",
        "@axis": "1 0 0",
        "joint/@type": "slide",
        "joint/@range": "0.1 0.2",
        "joint/@limited": "false",
        "@actuatorfrcrange": "-5 5",
        "@springdamper": "0.1 1",
        "geom/@type": "ellipsoid",
        "geom/@size": "2 3 4",
        "geom/@fromto": "0 0 0 1 0 0",
        "geom/@contype": "2",
        "geom/@conaffinity": "2",
        "geom/@friction": "0.5",
        "geom/@density": "500",
        "geom/@mass": "2",
        "geom/@material": "mat",
        "geom/@mesh": "mesh",
        "geom/@condim": "4",
        "geom/@solref": "0.01 1",
        "geom/@solimp": "0.8 0.9 0.01",
        "inertial/@mass": "2",
        "inertial/@diaginertia": "2 2 2",
        "inertial/@fullinertia": "1 1 1 0.1 0 0",
        "mesh/@scale": "2 2 2",
        "frame/@scale": "2",
        "frame/@scaling": "geometry",
        "frame/@massscale": "3",
        "mesh/@inertia": "shell",
        "mesh/@file": "other.stl",
        "texture/@file": "other.png",
        "texture/@type": "cube",
        "default/texture/@type": "2d",
        "inertial/@quat": "1 1 0 0",
        "@builtin": "checker",
        "material/@texture": "tex",
        "equality/joint/@joint1": "k",
        "equality/joint/@joint2": "j",
        "equality/joint/@polycoef": "0.5 2 0 0 0",
        "@active": "false",
        "@polycoef": "0.5 2 0 0 0",
        "exclude/@body1": "c",
        "exclude/@body2": "b",
        "@ctrlrange": "-1 1",
        "@posrange": "-1 1",
        "@forcerange": "-2 2",
        "@gear": "5",
        "@kp": "20",
        "@kv": "2",
        "motor/@joint": "k",
        "position/@joint": "k",
        "velocity/@joint": "k",
        "@name": "given",
        "@file": "other.bin",
        "text/@data": "words",
        "mujoco/@model": "other",
        "@objtype": "xbody",
        "@objname": "c",
        "@joint": "k",
        "@jointinparent": "k",
        "@tendon": "ten2",
        "@site": "s2",
        "@refsite": "s2",
        "@slidersite": "s2",
        "@cranksite": "s2",
        "@sidesite": "s2",
        "@body": "c",
        "@actuator": "po",
        "@body1": "c",
        "@body2": "world",
        "@site1": "s2",
        "@site2": "s",
        "@anchor": "1 2 3",
        "@relpose": "1 2 3 1 0 0 0",
        "@torquescale": "2",
        "@tendon1": "ten2",
        "@tendon2": "ten",
        "@geom1": "h",
        "@geom2": "g",
        "spatial/geom/@geom": "h",
        "@coef": "2",
        "@ctrllimited": "false",
        "@forcelimited": "false",
        "@limited": "false",
        "tendon/@range": "0.1 0.2",
        "spatial/@range": "0.1 0.2",
        "fixed/@range": "0.1 0.2",
        "key/@qpos": "0.5 0.6",
        "key/@qvel": "0.5 0.6",
        "key/@ctrl": "0.5 0.6 0.7",
        "@resolution": "640 480",
        "@sensorsize": "0.1 0.1",
        "@projection": "orthographic",
        "@mode": "track",
        "@dir": "1 0 0",
        "@diffuse": "0.1 0.2 0.3",
        "light/@specular": "0.1 0.2 0.3",
        "@attenuation": "1 1 0",
        "@castshadow": "false",
        "@directional": "true",
        "light/@type": "point",
        "@gravity": "0 0 -1",
        "@magnetic": "1 2 3",
        "@wind": "1 2 3",
        "flag/@gravity": "disable",
        "replicate/@count": "3",
        "attach/@body": "b",
        "attach/@frame": "f",
        "@gainprm": "3",
        "attach/@prefix": "q_",
        "replicate/@offset": "1 0 0",
        "site/@fromto": "0 0 0 1 0 0",
        "hfield/@size": "1 1 1 1",
        "compiler/@coordinate": "local",
        "compiler/@strippath": "true",
    },
    needs={
        "exclude": {"body1": "b", "body2": "c"},
        "contact/pair": {"geom1": "g", "geom2": "h"},
        "body/joint": {"name": "j"},
        "text": {"name": "t", "data": "d"},
        "numeric": {"name": "n", "data": "1"},
        "default/default": {"class": "sub"},
        "body/replicate": {"count": "2"},
        "body/attach": {"body": "c", "prefix": "p_"},
        "mujoco/include": {"file": "other.xml"},
        "equality/connect": {"body1": "b", "body2": "c", "anchor": "0 0 0"},
        "equality/weld": {"body1": "b", "body2": "c"},
        "equality/tendon": {"tendon1": "ten", "tendon2": "ten2"},
        "actuator/adhesion": {"body": "b"},
        **{f"actuator/{kind}": {"joint": "j"} for kind in OWN if kind not in ("adhesion",)},
        **{f"sensor/{kind}": NEEDS[attribute] for kind, attribute in TARGETS.items() if attribute},
    },
    rivals=(
        ORIENTATION,
        frozenset({"diaginertia", "fullinertia"}),
        frozenset({"body", "frame"}),
        frozenset({"joint", "jointinparent", "tendon", "site", "cranksite", "body"}),
    ),
    alone={"body/freejoint": ("joint",)},
)

APART = [
    *attributes("mujoco/include", ["file"]),
    *attributes("mujoco/worldbody/frame", ["name", "childclass", "pos", "scale", "scaling", "massscale", *ORIENTATION]),
    *attributes("mujoco/worldbody/body/replicate", ["count", "sep", "offset", "euler"]),
    *attributes("mujoco/worldbody/body/composite", ["prefix", "type", "count", "offset", "initial", "curve", "size"]),
    *(f"mujoco/worldbody/body/joint/@type={kind}" for kind in ("hinge", "slide", "ball", "free")),
    *(
        f"mujoco/worldbody/body/geom/@type={kind}"
        for kind in ("plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf")
    ),
]
"""Elements that MuJoCo expands before it checks its schema, and values of attributes that select a kind."""

LINE = re.compile(r"( *)(\S+) \(.\) *(.*)")
KIND: dict[str, dict[str, str]] = {
    "joint": {"damping": "3"},
    "geom": {"friction": "0.3"},
    "site": {"pos": "1 1 1"},
    "mesh": {"scale": "3 3 3"},
    "texture": {"type": "2d"},
    "material": {"shininess": "0.3"},
    "motor": {"gear": "3"},
    "position": {"kp": "3"},
    "velocity": {"kv": "3"},
    "equality": {"solref": "0.03 1"},
}
"""What the default class `sub` sets for each kind of element."""
ACTUATORS = frozenset({"general", "motor", "position", "velocity"})
REFERENCES = frozenset({"name", "class", "file", "mesh", "joint", "joint1", "joint2", "body1", "body2"})
REFERENCES |= {"geom", "geom1", "geom2", "site"}


def items() -> list[str]:
    """Return all paths, sorted and without duplicates; bodies are below the worldbody."""
    found = ["mujoco/worldbody", *APART]
    above: list[str] = []
    for line in mujoco.mj_printSchema(False, True).splitlines():
        match = LINE.match(line)
        if match is not None:
            tag = match[2].replace("(world)body", "worldbody/body")
            above[len(match[1]) // 3 :] = [tag]
            found.append("/".join(above))
        words = match[3] if match is not None else line
        found += [f"{'/'.join(above)}/@{word}" for word in words.split()]
    return sorted({*found})


def placed(path: str) -> Placed:
    """Return the base model with the item in it."""
    return SETTING.placed(_base(path), path)


def without(path: str) -> str:
    """Return the document with the attribute as in the base, or without it; its element stays."""
    return SETTING.placed(_base(path), path.rpartition("/@")[0]).text


def _base(path: str) -> str:
    """Return the base model in which the item has a meaning; for a default, its elements lose their own attributes."""
    base = fragment(BASE)
    steps = path.partition("=")[0].split("/")
    body, attribute = _inside(base, "worldbody", "body"), steps[-1]
    if steps[1:2] == ["default"] and len(steps) > 2:
        _silence(base, steps[2], attribute)
        if attribute == "@mesh" and steps[2] == "geom":
            _inside(body, "geom").attrs["type"] = "mesh"
        return serialise(base)
    if attribute in ("@class", "@childclass") and steps[1] != "default":
        for element in _all(base):
            inherited = KIND.get(element.tag, {})
            element.attrs = {name: value for name, value in element.attrs.items() if name not in inherited}
        sub = _inside(base, "default").add("default", {"class": "sub"})
        for tag, attrs in KIND.items():
            sub.add(tag, attrs)
    unused = UNUSED.get(steps[1], ()) if len(steps) > 2 else ()
    base.content = [item for item in base.content if not _is(item, *unused)]
    if "freejoint" in steps or path.endswith("body/joint/@name"):
        base.content = [item for item in base.content if not _is(item, "equality", "actuator", "tendon")]
    if path.endswith("mesh/@name"):
        _inside(body, "body").content.clear()
        base.content = [item for item in base.content if not _is(item, "equality", "actuator", "contact")]
    if attribute == "@strippath":
        _inside(base, "asset", "mesh").attrs["file"] = "folder/m.stl"
    if path.endswith(("body/geom/@name", "body/site/@name")):
        base.content = [item for item in base.content if not _is(item, "tendon", "contact")]
    world = _inside(base, "worldbody")
    if "frame" in steps:
        frame = world.add("frame", {"scale": "2"} if attribute == "@scaling" else {})
        inside = frame.add("body")
        inside.add("joint", {"damping": "1"})
        inside.add("geom", {"size": "1", "mass": "1"})
    if "replicate" in steps:
        body.add("replicate", {"count": "2"}).add("geom", {"name": "copy", "size": "1"})
    if attribute == "@frame":
        world.content.insert(0, fragment('<frame name="f"><body><geom size="1"/></body></frame>'))
    if attribute in ("@site1", "@site2"):
        _inside(base, "equality").add(steps[-2], {"site1": "s", "site2": "s2"})
    if "geom" in steps[-2:] and "body" in steps:
        _suit_geom(body, attribute, path.endswith("type=mesh"))
    return serialise(base)


def _silence(base: Element, kind: str, attribute: str) -> None:
    """Remove the attributes, except references, of the elements a default applies to; with limited, range stays."""
    kept = ({*REFERENCES, "range"} if attribute == "@limited" else REFERENCES) - {attribute[1:]}
    for element in _all(base):
        if (
            element.tag == kind
            or (element.tag in ACTUATORS and kind in ACTUATORS)
            or (kind == "equality" and element.tag == "joint")
        ):
            element.attrs = {name: value for name, value in element.attrs.items() if name in kept}


def _suit_geom(body: Element, attribute: str, mesh: bool) -> None:
    """Give the geom of the body the attributes that make `attribute` meaningful; with mesh, it becomes a mesh geom."""
    geom = _inside(body, "geom")
    if attribute == "@mesh":
        geom.attrs |= {"type": "mesh", "mesh": "mesh2"}
    if mesh:
        geom.attrs["mesh"] = "mesh"
    if attribute == "@fromto":
        geom.attrs["type"] = "capsule"
    if attribute in ("@mass", "@density"):
        body.content.remove(_inside(body, "inertial"))


def _all(root: Element) -> Iterator[Element]:
    yield root
    for item in root.content:
        if isinstance(item, Element):
            yield from _all(item)


def _is(item: object, *tags: str) -> bool:
    return isinstance(item, Element) and item.tag in tags


def _inside(element: Element, *tags: str) -> Element:
    for tag in tags:
        found = element.find(tag)
        assert found is not None
        element = found
    return element
