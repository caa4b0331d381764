"""Kinds of actuator and their default classes: a class has one actuator, and each kind says the law of <general> in
words of its own (MuJoCo 4, Modeling, Actuator shortcuts)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from converters.mjcf.document.attributes import PARTIAL
from converters.mjcf.document.defaults import MAIN, Resolved
from converters.source.text import numbers, plain_numbers, words
from converters.source.xml import Node

SHARED = frozenset(
    [
        *("ctrllimited", "ctrlrange", "forcelimited", "forcerange", "actlimited", "actrange", "gear", "group", "user"),
        *("armature", "damping", "delay", "interp", "nsample", "cranklength", "lengthrange", "jointinparent"),
    ]
)
"""Attributes that an actuator takes from a default of any kind."""
OWN: Mapping[str, tuple[str, ...]] = {
    tag: tuple(names.split())
    for tag, names in (
        (
            "general",
            "actdim actearly biasprm biastype dynprm dyntype gainprm gaintype ffrange inheritrange input velrange",
        ),
        ("motor", ""),
        ("position", "kp kv dampratio timeconst inheritrange"),
        ("velocity", "kv"),
        ("intvelocity", "kp kv dampratio inheritrange"),
        ("orientation", "kp kv dampratio input"),
        ("pid", "kp ki kv dampratio ffrange imax inheritrange input posrange slewmax velrange"),
        ("damper", "kv"),
        ("cylinder", "area bias diameter timeconst"),
        ("muscle", "force fpmax fvmax lmax lmin range scale tausmooth timeconst vmax"),
        ("adhesion", "gain"),
        ("dcmotor", "cogging controller inductance input lugre motorconst nominal resistance saturation thermal"),
        ("plugin", "actdim actearly dynprm dyntype plugin instance"),
    )
}
"""Kind of actuator -> its own attributes."""
LAWS = ("general", "plugin")
"""Kinds that say the law itself."""
EITHER = (frozenset(("kv", "dampratio")), frozenset(("area", "diameter")))
"""Attributes that are two words for one thing: who says one does not inherit the other."""


class Said(NamedTuple):
    """The text of an attribute, and where it comes from: elements and their attributes."""

    text: str
    givers: tuple[tuple[Node, str], ...] = ()


Texts = Mapping[str, Said]


class Law(NamedTuple):
    """The actuator of a class, or one that stands in the model."""

    tag: str
    own: Texts
    """What it says in the words of its kind."""
    general: Texts | None
    """The same in those of <general>; None where that has no words for it."""


def law(element: Resolved) -> Law:
    """What an actuator is by what it says itself and by what its class says to one of its kind, unmarked."""
    return _next(element.node, _classes(element))


def mark(said: Said) -> str:
    """The text, read wherever it comes from."""
    for node, name in said.givers:
        node.get(name)
    return said.text


def _classes(element: Resolved) -> list[Law]:
    """The actuators of the class of an element and of those around it, nearest first."""
    found: list[tuple[str, Law]] = []
    for node in reversed(element.defaults):
        nested = node.parent is not None and node.parent.parent is not None and node.parent.parent.tag == "default"
        name = node.parent.attrs.get("class", MAIN) if nested and node.parent is not None else MAIN
        made = _next(node, [each for _, each in reversed(found)])
        if found and found[-1][0] == name:
            found.pop()
        found.append((name, made))
    return [each for _, each in reversed(found)]


def _next(node: Node, classes: Sequence[Law]) -> Law:
    attrs = {name: Said(text, ((node, name),)) for name, text in node.attrs.items() if name in OWN[node.tag]}
    if node.tag not in LAWS:
        own = _over(attrs, _inherited(node.tag, classes))
        return Law(node.tag, own, GENERAL[node.tag](own) if node.tag in GENERAL else None)
    nearest = classes[0] if classes else Law(node.tag, {}, {})
    if nearest.general is None and not attrs:
        return nearest
    base = nearest.general or {}
    if "gaintype" in attrs and attrs["gaintype"].text != base.get("gaintype", FIXED).text:
        base = {name: said for name, said in base.items() if name != "input"}
    return Law("general", {}, _over(attrs, base))


def _over(attrs: Texts, base: Texts) -> Texts:
    """What is said, and what is inherited where nothing is; a short vector with the tail of the one below it."""
    hidden = {name for pair in EITHER if pair & attrs.keys() for name in pair}
    found = {name: said for name, said in base.items() if name not in hidden}
    for name, said in attrs.items():
        below = base.get(name)
        tail = words(below.text)[len(words(said.text)) :] if below is not None and name in PARTIAL else []
        whole = Said(" ".join([said.text, *tail]), (*said.givers, *(below.givers if below is not None else ())))
        found[name] = whole if tail else said
    return found


def _inherited(tag: str, classes: Sequence[Law]) -> Texts:
    """From the nearest class whose actuator is of this kind, or is a <general> with the gain of this kind."""
    for each in classes:
        if each.tag == tag:
            return each.own
        if each.tag == "general" and tag in SHORT and each.general is not None:
            gain, read = SHORT[tag]
            if each.general.get("gaintype", FIXED).text == gain:
                return read(each.general)
    return {}


# ------------------------------------------------------------------------------------- in the words of <general>

FIXED = Said("fixed")
ONE, NOTHING = Said("1"), Said("0")


def _made(text: str, *of: Said | None) -> Said:
    return Said(text, tuple(giver for said in of if said is not None for giver in said.givers))


def _minus(said: Said) -> str:
    values = plain_numbers(said.text)
    return numbers(-value for value in values) if values else said.text


def _servo(own: Texts) -> dict[str, Said]:
    """A gain, and a bias that takes position and velocity back; above zero the ratio of damping stands there."""
    kp, kv, ratio = own.get("kp", ONE), own.get("kv", NOTHING), own.get("dampratio")
    damping = ratio.text if ratio is not None else _minus(kv)
    found = {
        "gaintype": FIXED,
        "gainprm": kp,
        "biastype": Said("affine"),
        "biasprm": _made(f"0 {_minus(kp)} {damping}", kp, kv, ratio),
    }
    return found | ({"inheritrange": own["inheritrange"]} if "inheritrange" in own else {})


def _motor(own: Texts) -> Texts:
    return {"gaintype": FIXED, "gainprm": ONE, "biastype": Said("none"), "biasprm": NOTHING, "dyntype": Said("none")}


def _position(own: Texts) -> Texts:
    lag = own.get("timeconst", NOTHING)
    filtered = bool(plain_numbers(lag.text)) and plain_numbers(lag.text) != (0.0,)
    dynamics = {"dyntype": _made("filterexact", lag), "dynprm": lag} if filtered else {"dyntype": Said("none")}
    return _servo(own) | dynamics | {"input": Said("pos")}


def _velocity(own: Texts) -> Texts:
    kv = own.get("kv", ONE)
    return {
        **_motor(own),
        "gainprm": kv,
        "biastype": Said("affine"),
        "biasprm": _made(f"0 0 {_minus(kv)}", kv),
        "input": Said("vel"),
    }


def _intvelocity(own: Texts) -> Texts:
    return _servo(own) | {"dyntype": Said("integrator"), "input": Said("vel")}


def _damper(own: Texts) -> Texts:
    kv = own.get("kv", NOTHING)
    return {**_motor(own), "gaintype": Said("affine"), "gainprm": _made(f"0 0 {_minus(kv)}", kv)}


def _cylinder(own: Texts) -> Texts:
    area, width = own.get("area", ONE), own.get("diameter")
    values = plain_numbers(width.text) if width is not None else None
    if values:
        area = _made(numbers((math.pi / 4 * values[0] ** 2,)), width)
    return {
        "gaintype": FIXED,
        "gainprm": area,
        "biastype": Said("affine"),
        "biasprm": own.get("bias", NOTHING),
        "dyntype": Said("filter"),
        "dynprm": own.get("timeconst", ONE),
        "input": Said("pressure"),
    }


MUSCLE = {"range": "0.75 1.05", "force": "-1", "scale": "200", "lmin": "0.5", "lmax": "1.6", "vmax": "1.5"}
MUSCLE |= {"fpmax": "1.3", "fvmax": "1.2"}
"""Numbers of the gain of a muscle, in order, and what they are where nothing is said."""


def _muscle(own: Texts) -> Texts:
    gain = [own.get(name, Said(text)) for name, text in MUSCLE.items()]
    lag = [own.get("timeconst", Said("0.01 0.04")), own.get("tausmooth", NOTHING)]
    force = _made(" ".join(said.text for said in gain), *gain)
    kind = Said("muscle")
    return {
        "gaintype": kind,
        "gainprm": force,
        "biastype": kind,
        "biasprm": force,
        "dyntype": kind,
        "dynprm": _made(" ".join(said.text for said in lag), *lag),
    }


def _adhesion(own: Texts) -> Texts:
    return {**_motor(own), "gainprm": own.get("gain", ONE)}


GENERAL: Mapping[str, Callable[[Texts], Texts]] = {
    "motor": _motor,
    "position": _position,
    "velocity": _velocity,
    "intvelocity": _intvelocity,
    "damper": _damper,
    "cylinder": _cylinder,
    "muscle": _muscle,
    "adhesion": _adhesion,
}
"""Kind -> its attributes as those of <general>."""


# ------------------------------------------------------------------------------------------ and read from these


def _at(general: Texts, name: str, place: int, sign: str = "") -> Said | None:
    """One number of a vector, as a text."""
    said = general.get(name)
    found = words(said.text)[place : place + 1] if said is not None else []
    if said is None or not found:
        return None
    return _made(_minus(Said(found[0])) if sign else found[0], said)


def _kept(**found: Said | None) -> dict[str, Said]:
    return {name: said for name, said in found.items() if said is not None}


def _from_servo(general: Texts) -> dict[str, Said]:
    damping = _at(general, "biasprm", 2)
    values = plain_numbers(damping.text) if damping is not None else None
    found = _kept(kp=_at(general, "gainprm", 0), inheritrange=general.get("inheritrange"))
    if values and values[0] > 0:
        return found | _kept(dampratio=damping)
    return found | (_kept(kv=_at(general, "biasprm", 2, "-")) if values and values[0] else {})


def _from_position(general: Texts) -> Texts:
    dynamics = general.get("dyntype")
    filtered = dynamics is not None and dynamics.text == "filterexact"
    return _from_servo(general) | (_kept(timeconst=_at(general, "dynprm", 0)) if filtered else {})


def _from_cylinder(general: Texts) -> Texts:
    bias = general.get("biasprm")
    first = _made(" ".join(words(bias.text)[:3]), bias) if bias is not None else None
    return _kept(area=_at(general, "gainprm", 0), bias=first, timeconst=_at(general, "dynprm", 0))


def _from_muscle(general: Texts) -> Texts:
    force, lag = general.get("gainprm"), general.get("dynprm")
    names = ("range", "range", *(name for name in MUSCLE if name != "range"))
    found: dict[str, Said] = {}
    for said, called in ((force, names), (lag, ("timeconst", "timeconst", "tausmooth"))):
        for name, text in zip(called, words(said.text) if said is not None else (), strict=False):
            found[name] = _made(f"{found[name].text} {text}" if name in found else text, said)
    return found


SHORT: Mapping[str, tuple[str, Callable[[Texts], Texts]]] = {
    "position": ("fixed", _from_position),
    "intvelocity": ("fixed", _from_servo),
    "velocity": ("fixed", lambda general: _kept(kv=_at(general, "gainprm", 0))),
    "damper": ("affine", lambda general: _kept(kv=_at(general, "gainprm", 2, "-"))),
    "cylinder": ("fixed", _from_cylinder),
    "muscle": ("muscle", _from_muscle),
    "adhesion": ("fixed", lambda general: _kept(gain=_at(general, "gainprm", 0))),
}
"""Kind -> the gain of a <general> that it takes its attributes from, and how."""
