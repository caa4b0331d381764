"""Each kind of actuator expressed as <general>, and the reverse: in a default class MuJoCo stores every kind as a
<general>."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from converters.source.text import counted, numbers, plain_numbers, words
from converters.source.xml import Node


class Said(NamedTuple):
    """The text of an attribute, and its origin: elements and their attributes."""

    text: str
    givers: tuple[tuple[Node, str], ...] = ()


Texts = Mapping[str, Said]


# ------------------------------------------------------------------------------------- in the words of <general>

FIXED = Said("fixed")
ONE, NOTHING = Said("1"), Said("0")


def made(text: str, *of: Said | None) -> Said:
    """A text that was worked out of others, with all that gave these."""
    return Said(text, tuple(giver for said in of if said is not None for giver in said.givers))


def minus(said: Said) -> str:
    """The numbers of a text with the other sign; the text itself where it holds none."""
    values = plain_numbers(said.text)
    return numbers(-value for value in values) if values else said.text


def servo(own: Texts) -> dict[str, Said]:
    """Return gain and bias with position and velocity feedback; a positive third bias term is the damping ratio."""
    kp, kv, ratio = own.get("kp", ONE), own.get("kv", NOTHING), own.get("dampratio")
    damping = ratio.text if ratio is not None else minus(kv)
    found = {
        "gaintype": FIXED,
        "gainprm": kp,
        "biastype": Said("affine"),
        "biasprm": made(f"0 {minus(kp)} {damping}", kp, kv, ratio),
    }
    return found | ({"inheritrange": own["inheritrange"]} if "inheritrange" in own else {})


def motor(own: Texts) -> Texts:
    """A gain of 1 (mjs_setToMotor)."""
    return {"gaintype": FIXED, "gainprm": ONE, "biastype": Said("none"), "biasprm": NOTHING, "dyntype": Said("none")}


def position(own: Texts) -> Texts:
    """A servo of a position, filtered where it has a time constant (mjs_setToPosition)."""
    lag = own.get("timeconst", NOTHING)
    filtered = bool(plain_numbers(lag.text)) and plain_numbers(lag.text) != (0.0,)
    dynamics = {"dyntype": made("filterexact", lag) if filtered else Said("none")}
    dynamics |= {"dynprm": lag} if "timeconst" in own else {}
    return servo(own) | dynamics | {"input": Said("pos")}


def velocity(own: Texts) -> Texts:
    """A gain, and a bias that takes the velocity back (mjs_setToVelocity)."""
    kv = own.get("kv", ONE)
    return {
        **motor(own),
        "gainprm": kv,
        "biastype": Said("affine"),
        "biasprm": made(f"0 0 {minus(kv)}", kv),
        "input": Said("vel"),
    }


def intvelocity(own: Texts) -> Texts:
    """A servo whose activation is the integral of what it is told (mjs_setToIntVelocity)."""
    return servo(own) | {"dyntype": Said("integrator"), "input": Said("vel")}


def damper(own: Texts) -> Texts:
    """A gain of -kv times the velocity (mjs_setToDamper)."""
    kv = own.get("kv", NOTHING)
    return {**motor(own), "gaintype": Said("affine"), "gainprm": made(f"0 0 {minus(kv)}", kv)}


def cylinder(own: Texts) -> Texts:
    """A gain of the area, which a diameter gives as well, filtered (mjs_setToCylinder)."""
    area, width = own.get("area", ONE), own.get("diameter")
    values = plain_numbers(width.text) if width is not None else None
    if values:
        area = made(numbers((math.pi / 4 * values[0] ** 2,)), width)
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
"""Parameters of the gain of a muscle, in order, with their defaults."""


def muscle(own: Texts) -> Texts:
    """Gain and bias of the numbers of MUSCLE (mjs_setToMuscle)."""
    gain = [own.get(name, Said(text)) for name, text in MUSCLE.items()]
    lag = [own.get("timeconst", Said("0.01 0.04")), own.get("tausmooth", NOTHING)]
    force = made(" ".join(said.text for said in gain), *gain)
    kind = Said("muscle")
    return {
        "gaintype": kind,
        "gainprm": force,
        "biastype": kind,
        "biasprm": force,
        "dyntype": kind,
        "dynprm": made(" ".join(said.text for said in lag), *lag),
    }


def adhesion(own: Texts) -> Texts:
    """A gain alone (mjs_setToAdhesion)."""
    return {**motor(own), "gainprm": own.get("gain", ONE)}


def pid(own: Texts) -> Texts:
    """Return the integral gain with its clamp, if not zero, and a bias with feedback of position and velocity; the
    integral and a rate-limited setpoint have an activation each."""
    integral, slew = own.get("ki", NOTHING), own.get("slewmax", NOTHING)
    states = [bool(any(counted(said.text))) for said in (integral, slew)]
    bound = own.get("imax", NOTHING) if states[0] else NOTHING
    found = servo(own) | {
        "gaintype": Said("pid"),
        "gainprm": integral,
        "dyntype": made("pid" if any(states) else "none", integral, slew),
        "dynprm": made(f"{bound.text} {slew.text}", bound, slew),
        "input": own.get("input", Said("pos vel")),
    }
    return found | ({"actdim": made(str(sum(states)), integral, slew)} if any(states) else {})


def orientation(own: Texts) -> Texts:
    """A servo of three angles at a site."""
    kind = Said("so3")
    found = servo(own) | {"gaintype": kind, "biastype": kind, "dyntype": Said("none")}
    return found | ({"input": own["input"]} if "input" in own else {})


# ------------------------------------------------------------------------------------------ and read from these


def number_at(general: Texts, name: str, place: int, sign: str = "") -> Said | None:
    """Return one number of a vector as text."""
    said = general.get(name)
    found = words(said.text)[place : place + 1] if said is not None else []
    if said is None or not found:
        return None
    return made(minus(Said(found[0])) if sign else found[0], said)


def kept(**found: Said | None) -> dict[str, Said]:
    """What is said among these."""
    return {name: said for name, said in found.items() if said is not None}


def from_servo(general: Texts) -> dict[str, Said]:
    """kp and kv; above zero the bias of the velocity is the ratio of damping."""
    damping = number_at(general, "biasprm", 2)
    values = plain_numbers(damping.text) if damping is not None else None
    found = kept(kp=number_at(general, "gainprm", 0), inheritrange=general.get("inheritrange"))
    if values and values[0] > 0:
        return found | kept(dampratio=damping)
    return found | (kept(kv=number_at(general, "biasprm", 2, "-")) if values and values[0] else {})


def from_position(general: Texts) -> Texts:
    """As from_servo, with the time constant of a filter."""
    dynamics = general.get("dyntype")
    filtered = dynamics is not None and dynamics.text == "filterexact"
    return from_servo(general) | ({"timeconst": number_at(general, "dynprm", 0) or ONE} if filtered else {})


def from_cylinder(general: Texts) -> Texts:
    """The area, three numbers of a bias, and a time constant."""
    bias = general.get("biasprm")
    first = made(" ".join([*words(bias.text), "0", "0"][:3]), bias) if bias is not None else None
    return kept(area=number_at(general, "gainprm", 0), bias=first, timeconst=number_at(general, "dynprm", 0))


def from_muscle(general: Texts) -> Texts:
    """The numbers of MUSCLE, of which the first two are the range, and the time constants."""
    force, lag = general.get("gainprm"), general.get("dynprm")
    names = ("range", "range", *(name for name in MUSCLE if name != "range"))
    found: dict[str, Said] = {}
    for said, called in ((force, names), (lag, ("timeconst", "timeconst", "tausmooth"))):
        for name, text in zip(called, words(said.text) if said is not None else (), strict=False):
            found[name] = made(f"{found[name].text} {text}" if name in found else text, said)
    return found


def from_pid(general: Texts) -> Texts:
    """Return a PID; the integral gain and its clamp are 1 if not given, the position gain is 0."""
    bound = number_at(general, "dynprm", 0) or ONE
    return {
        **from_servo(general),
        "kp": number_at(general, "biasprm", 1, "-") or NOTHING,
        "ki": number_at(general, "gainprm", 0) or ONE,
        "imax": bound,
        **kept(slewmax=number_at(general, "dynprm", 1), input=general.get("input")),
    }


def from_orientation(general: Texts) -> Texts:
    """As from_servo, without a range of its own."""
    return {name: said for name, said in from_servo(general).items() if name != "inheritrange"} | kept(
        input=general.get("input")
    )
