"""<dcmotor> expressed as <general>, and the reverse: the former gives data sheet values, the latter constants of the
equations (MuJoCo 4, XML reference, actuator/dcmotor)."""

from __future__ import annotations

import math

from converters.mjcf.relations.laws import Said, Texts, kept, made
from converters.source.text import numbers, plain_numbers

SIZES = {"motorconst": 2, "nominal": 3, "resistance": 1, "inductance": 2, "saturation": 3}
SIZES |= {"thermal": 6, "cogging": 3, "controller": 6, "lugre": 5}
"""Attribute -> how many numbers it has; missing ones are 0."""


def dcmotor(own: Texts) -> Texts:
    """Gain: resistance, constant, its change with temperature, controller. Bias: cogging, friction. Dynamics: lags."""
    constant, resistance = electric(own)
    (inductance, lag), (*_, rate) = values(own, "inductance"), values(own, "saturation")
    warmth, capacity, slowness, change, reference, ambient = values(own, "thermal")
    gain, integral, damping, slew, bound, voltage = values(own, "controller")
    bristle = values(own, "lugre")
    if not bristle[0]:
        bristle = (0.0,) * len(bristle)
    lag = inductance / resistance if inductance and resistance else lag
    if slowness and warmth:
        capacity = slowness / warmth
    elif slowness and capacity:
        warmth = slowness / capacity
    states = (bool(lag), bool(capacity), bool(bristle[0]), bool(slew), bool(integral))
    kind, givers = Said("dcmotor"), tuple(own.values())
    found = {
        "gaintype": kind,
        "gainprm": made(numbers((resistance, constant, change, reference, gain, integral, damping, voltage)), *givers),
        "biastype": kind,
        "biasprm": made(numbers((*values(own, "cogging"), *bristle[2:])), *givers),
        "dyntype": kind,
        "dynprm": made(numbers((lag, rate, warmth, capacity, ambient, *bristle[:2], slew, bound)), *givers),
        "actearly": Said("true"),
        "actlimited": Said("false"),
        "actdim": made(str(sum(states)), *givers),
        "saturation": made(numbers((torque(own), 0.0, rate)), *givers),  # the force range of other motors
    }
    return found | kept(input=own.get("input"))


def from_dcmotor(general: Texts) -> Texts:
    """Return what a class of motors gives to one with own attributes: constants and lags, not data sheet values."""
    gain, bias, lags = (
        (*values, *base[len(values) :])
        for values, base in (
            (plain_numbers(general[name].text) if name in general else (), (first, *(0.0,) * 9))
            for name, first in (("gainprm", 1.0), ("biasprm", 0.0), ("dynprm", 1.0))
        )
        if values is not None
    )
    givers = tuple(general.values())
    said = {
        "resistance": gain[:1],
        "motorconst": gain[1:2],
        "inductance": (0.0, lags[0]),
        "thermal": (*lags[2:4], 0.0, *gain[2:4], lags[4]),
        "cogging": bias[:3],
        "lugre": (*lags[5:7], *bias[3:6]),
        "controller": (*gain[4:7], *lags[7:9], gain[7]),
    }
    rate = Said(numbers((0.0, 0.0, lags[1])))
    return {name: made(numbers(values), *givers) for name, values in said.items()} | kept(
        saturation=general.get("saturation", rate), input=general.get("input")
    )


def torque(own: Texts) -> float:
    """Return the maximum torque set by the saturation, in newton metres; 0 if not given."""
    most, current, _ = values(own, "saturation")
    return most or electric(own)[0] * current


def electric(own: Texts) -> tuple[float, float]:
    """Return the motor constant and the resistance of the coil; 0 if not given."""
    (forward, back), (voltage, stall, speed) = values(own, "motorconst"), values(own, "nominal")
    (resistance,) = values(own, "resistance")
    if not back and speed:
        back = voltage / speed
    constant = math.sqrt(forward * back) if forward > 0 and back > 0 else max(forward, back)
    if not resistance and stall:
        resistance = constant * voltage / stall
    return constant, resistance


def values(own: Texts, name: str) -> tuple[float, ...]:
    """The numbers of an attribute of <dcmotor>, zeros where nothing is said."""
    found = plain_numbers(own[name].text) if name in own else None
    return (*(found or ()), *(0.0,) * SIZES[name])[: SIZES[name]]
