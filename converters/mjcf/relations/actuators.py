"""Read and write <actuator>: every kind and every transmission. No value here is in degrees."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from converters.context import Context
from converters.mjcf.document.attributes import (
    ElementNames,
    Things,
    completed_vector,
    limiting,
    name_attribute,
    name_reference,
    put,
    range_attributes,
    target_attribute,
)
from converters.mjcf.document.copies import named_parameters
from converters.mjcf.document.defaults import Resolved
from converters.mjcf.document.loading import Part
from converters.mjcf.document.schema import attributes
from converters.mjcf.relations.grounds import SectionElements
from converters.mjcf.relations.laws import Texts
from converters.mjcf.relations.motors import torque
from converters.mjcf.relations.shortcuts import LAWS, OWN, SHARED, Law, law, mark
from converters.source.text import plain_numbers, so_many_numbers, words
from converters.source.tree import Element
from converters.source.xml import Node
from ir.scene import Scene
from ir.types import SCALAR, Actuator, Parameters, Vec2

WITHOUT: Mapping[str, frozenset[str]] = {tag: SHARED - attributes(f"actuator/{tag}") for tag in OWN}
"""Kind of actuator -> shared attributes that its element cannot have, but its class can give."""
ALWAYS = ("damper", "adhesion")
"""Kinds whose control is always limited."""
INERT = frozenset([*((tag, "ctrllimited") for tag in ALWAYS), ("dcmotor", "actrange"), ("dcmotor", "actlimited")])
"""Kind of actuator, and an attribute that has no effect if its class gives it."""
ALIASES: Mapping[str, tuple[str, ...]] = {"ctrlrange": ("posrange", "ctrlrange")}
"""Range -> the attributes that give it; the first one takes precedence."""
INPUTS = ("velrange", "ffrange")
"""Ranges of inputs, which a default of any kind gives to the kinds that accept them."""
TRANSMISSIONS = {
    "joint": ("joint", "joint"),
    "jointinparent": ("jointinparent", "joint"),
    "tendon": ("tendon", "tendon"),
    "cranksite": ("slidercrank", "site"),
    "site": ("site", "site"),
    "body": ("body", "body"),
}
"""Attribute -> transmission, kind of object that it references."""
RANGES = {"position": "ctrlrange", "pid": "ctrlrange", "intvelocity": "actrange"}
"""Kind of servo -> its range that `inheritrange` takes from the joint; if both are given, the nearer one is used."""
GAINS = {"position": "kp", "velocity": "kv", "intvelocity": "kp", "damper": "kv"}
"""Kind of servo -> its gain, whose default in MuJoCo is 1."""
GAIN = (
    "the source has no gain for this servo: MuJoCo's default of 1 is not tuned for this robot and "
    "rarely moves it; set kp or kv of the actuator"
)
NONE = (
    "no actuators: the source has no motor or servo that is known here (of plugins, controllers of "
    "gz-sim); add <actuator> to the output, or <transmission> or <ros2_control> to a URDF and convert "
    "it again"
)
SERVOS: Mapping[tuple[str, str], tuple[str, str]] = {
    ("", "none"): ("motor", ""),
    ("pos", "affine"): ("position", "kp"),
    ("vel", "affine"): ("velocity", "kv"),
}
"""Input and bias type of a <general> -> the servo that it may be, and the name of its gain."""
BESIDE = ("slidersite", "refsite")
FORCES = ("forcerange", "forcelimited")
KEEPING = {"position": ("timeconst",), "pid": ("slewmax", "ki")}
STATES = {"motor": 0, "velocity": 0, "damper": 0, "adhesion": 0}
STATES |= {"intvelocity": 1, "cylinder": 1, "muscle": 1}
DIGITS = 6
"""Maximum number of digits of actdim; MuJoCo has no memory for more."""
DYNAMICS = {"none": 0, "integrator": 1, "filter": 1, "filterexact": 1, "muscle": 1}


def read_actuator(node: Node, names: ElementNames, part: Part, there: Things) -> Actuator:
    """Read an actuator of any kind; its kind is the shortcut that describes most of it."""
    autolimits = part.settings.autolimits
    element = part.defaults.of(node)
    attribute = target_attribute(node)
    transmission, kind = TRANSMISSIONS.get(attribute, ("none", ""))
    target = node.attempt(name_reference, node, attribute, there, kind) if attribute else None
    control, loose = _control_range(element, autolimits)
    meant = law(element)
    word = meant.tag if node.tag == "general" else node.tag
    saturated = word == "dcmotor" and torque(meant.own) > 0.0 and _saturated(element)
    others = [name for name in WITHOUT.get(word, ()) if not (saturated and name in FORCES)]
    if any(_class_says_beyond(element, name, transmission) for name in others):
        word = "general"
    force, free = (None, ()) if saturated and word == "dcmotor" else _force_range(element, word, autolimits)
    gains: Mapping[str, float | None] = {name: _gain_of(element, word, meant, name) for name in ("kp", "kv")}
    gear = completed_vector(element, "gear")
    taken = {"ctrlrange", "posrange", "ctrllimited", "forcerange", "forcelimited", "gear", "kp", "kv", attribute}
    if word in RANGES and _nearest_range_attribute(_with_shared_defaults(element, RANGES[word]), RANGES[word]):
        if node.tag == "general" and _inherits_range(meant.own):
            control, loose = None, ()
        else:
            taken.add("inheritrange")
    taken |= {
        name for name in SHARED if name not in meant.general and _with_shared_defaults(element, name).look(name) is None
    }
    if transmission != "slidercrank" and "cranklength" not in node.attrs:
        taken.add("cranklength")  # from a class: the element itself could not give it
    parameters = (*loose, *free, *_other_parameters(element, word, meant, taken))
    said = dict(parameters)
    if not autolimits and "actrange" in said and said.get("actlimited", "auto") == "auto":
        parameters += (("actlimited", "false"),)  # written explicitly, as for other ranges
    if word == "general" and transmission != "body":
        word, gains, parameters = _shortcut(parameters)
    name, label = names.of(node, f"{word}_{target}" if target else word)
    return Actuator(
        name=name,
        label=label,
        kind=word,
        transmission=transmission,
        dof=target if kind == "joint" else None,
        target=target if kind != "joint" else None,
        gear=(element.parsed("gear", gear) if gear else None) or (1.0,),
        kp=gains.get("kp"),
        kv=gains.get("kv"),
        control_range=control,
        force_range=force,
        parameters=parameters,
        naming=named_parameters(parameters),
        source=element.source,
        extras=node.rest(),
    )


def _with_shared_defaults(element: Resolved, name: str) -> Resolved:
    """Return the element with only those defaults that apply to a shared attribute. A nearer default overrides them if
    it takes the range of the joint (inheritrange), limits forces by its saturation, or defines the activation again."""
    for count, node in enumerate(element.nodes):
        follows = RANGES.get(node.tag) == name and node.attrs.get("inheritrange", "0") != "0"
        if name == "actlimited" and node.tag not in LAWS:
            return Resolved(element.node, element.defaults[: max(0, count - 1)], element.class_name)
        if follows or (name in FORCES and _saturates(node)):
            return Resolved(element.node, element.defaults[:count], element.class_name)
    return element


def _saturates(node: Node) -> bool:
    return node.tag == "dcmotor" and "saturation" in node.attrs


def _saturated(element: Resolved) -> bool:
    """Whether a motor gets its saturation from itself or a class of its kind, with no <general> in between, which has
    only the resulting force range."""
    return next((_saturates(node) for node in element.nodes if node.tag in LAWS or _saturates(node)), False)


def _nearest_range_attribute(element: Resolved, name: str) -> str:
    """Return the attribute with which the nearest node gives a range; "" if none does."""
    return next((each for node in element.nodes for each in ALIASES.get(name, (name,)) if each in node.attrs), "")


def _control_range(element: Resolved, autolimits: bool) -> tuple[Vec2 | None, Parameters]:
    seen = _with_shared_defaults(element, "ctrlrange")
    values = seen.span(_nearest_range_attribute(seen, "ctrlrange") or "ctrlrange")
    for node in element.nodes:
        if node.tag in ALWAYS:
            return limiting("ctrlrange", values, True)
        if "ctrllimited" in node.attrs:
            break
    return limiting("ctrlrange", values, element.flag("ctrllimited"), autolimits)


def _force_range(element: Resolved, kind: str, autolimits: bool) -> tuple[Vec2 | None, Parameters]:
    """Return the force range; a motor gives its saturation itself, which is also the default of other kinds."""
    nearer = _with_shared_defaults(element, "forcerange")
    for count, node in enumerate(element.defaults):
        if kind != "dcmotor" and _saturates(node) and nearer.look("forcerange") is None:
            most = torque(law(Resolved(node, element.defaults[count + 1 :], element.class_name)).own)
            if most > 0.0:
                return limiting("forcerange", (-most, most), nearer.flag("forcelimited"))
            break
    return range_attributes(nearer, "forcerange", autolimits)


def _class_says_beyond(element: Resolved, name: str, transmission: str) -> bool:
    """Whether its class gives an effective value that an element of this kind cannot have."""
    inert = (element.node.tag, name) in INERT or (name == "cranklength" and transmission != "slidercrank")
    return not inert and _with_shared_defaults(element, name).look(name) not in (None, "auto")


def _inherits_range(own: Texts) -> bool:
    """Whether the range is that of the joint; a <general> that gives both does not use its own."""
    return "inheritrange" in own and own["inheritrange"].text.strip() != "0"


def _gain_of(element: Resolved, kind: str, meant: Law, name: str) -> float | None:
    if kind in LAWS or name not in meant.own:
        return None
    values = element.parsed(name, mark(meant.own[name]))
    if values is not None and len(values) != 1:
        element.wrong(name, f"={meant.own[name].text!r}> needs 1 numbers, not {len(values)}", "NUM-COUNT")
        return None
    return values[0] if values else None


def _other_parameters(element: Resolved, kind: str, meant: Law, taken: Collection[str]) -> Parameters:
    """Return the other parameters, in order of the element and its defaults; those from a law of another kind last.

    The law of a <general> is in its own attributes, that of a shortcut in those of the shortcut.
    """
    own = meant.general if kind in LAWS else meant.own
    found: dict[str, str] = {}
    for name in dict.fromkeys([*element.names, *own]):
        if name in taken or name in WITHOUT.get(
            kind, ()
        ):  # what of these counts makes it a <general> (_class_says_beyond)
            continue
        if name in OWN[kind] and name in own and name not in INPUTS:
            found[name] = mark(own[name])
        elif (name in SHARED or name in BESIDE or (name in INPUTS and name in OWN[kind])) and (
            value := completed_vector(element, name)
        ) is not None:
            found[name] = value
        elif kind in LAWS and name in SHARED and name in own:
            found[name] = mark(own[name])
    return tuple(found.items())


def _shortcut(parameters: Parameters) -> tuple[str, Mapping[str, float | None], Parameters]:
    """Return kind, gains and remaining parameters of a <general> that is a motor or servo as MuJoCo's compiler writes
    it, which saves all of them as <general>; "general" and all its parameters otherwise."""
    law = {name: text for name, text in parameters if name in OWN["general"]}
    rest = tuple(each for each in parameters if each[0] not in law)
    plain = {"gaintype": "fixed", "dyntype": "none"}
    word, own = SERVOS.get((law.pop("input", ""), law.pop("biastype", "none")), ("general", ""))
    gains, terms = plain_numbers(law.pop("gainprm", "1")), plain_numbers(law.pop("biasprm", "0"))
    taken = any(name in WITHOUT.get(word, ()) for name, _ in rest)
    if (
        word == "general"
        or taken
        or not gains
        or terms is None
        or any(plain.get(name) != text for name, text in law.items())
    ):
        return "general", {}, parameters
    said = any(name == "gainprm" for name, _ in parameters)
    gain, terms = gains[0], (*terms, 0.0, 0.0, 0.0)[: max(3, len(terms))]
    damping = -terms[2] if word == "position" else 0.0
    meant = {"motor": (0.0, 0.0, 0.0), "position": (0.0, -gain, -damping), "velocity": (0.0, 0.0, -gain)}[word]
    if any(gains[1:]) or terms != meant or gain <= 0.0 or damping < 0.0 or (word == "motor" and gain != 1.0):
        return "general", {}, parameters
    found = {own: gain} if said and own else {}
    return word, (found | {"kv": damping} if damping else found), rest


def write_actuators(scene: Scene) -> SectionElements:
    """Yield the elements of <actuator>; the audit reports neutral kinds without a joint, which are omitted."""
    for actuator in scene.tables["actuator"].values():
        placed = actuator.dof is not None or actuator.target is not None or actuator.transmission == "none"
        if actuator.kind not in OWN or not placed:
            continue
        attrs = name_attribute(actuator)
        attribute = next((name for name, (word, _) in TRANSMISSIONS.items() if word == actuator.transmission), None)
        target = actuator.dof if actuator.dof is not None else actuator.target
        if attribute is not None and target is not None:
            attrs[attribute] = target
        put(attrs, "gear", actuator.gear, (1.0,))
        for name, gain in (("kp", actuator.kp), ("kv", actuator.kv)):
            if name in OWN[actuator.kind]:
                put(attrs, name, gain)
        put(attrs, "ctrlrange", actuator.control_range)
        put(attrs, "forcerange", actuator.force_range)
        attrs |= dict(actuator.parameters)
        for name in WITHOUT.get(actuator.kind, ()):
            attrs.pop(name, None)
        stem = f"{actuator.kind}_{target}" if target else actuator.kind
        yield Element(actuator.kind, attrs), actuator, stem


def tell_drives(scene: Scene, context: Context) -> None:
    """Report what a simulation of a model from another format needs and the model lacks: actuators and gains."""
    table = scene.tables["actuator"]
    movable = [dof for _, dof in scene.dofs().values() if dof.kind in SCALAR]
    if not table and any(dof.mimic is None for dof in movable):
        before = f"joints that nothing drives: {len(movable)}"
        context.note("actuators/none", "document", NONE, before=before, action="noted", severity="note")
    for actuator in table.values():
        gain = GAINS.get(actuator.kind)
        if gain is not None and getattr(actuator, gain) is None and gain not in dict(actuator.parameters):
            where = f"actuator/{actuator.name}.{gain}"
            source = actuator.source
            context.note("actuators/gain", where, GAIN, source, after="1", action="derived", severity="note")


def activation_count(actuator: Actuator) -> int | None:
    """Return the number of activations; None if only MuJoCo knows it."""
    parameters = dict(actuator.parameters)
    if "actdim" in parameters:
        given = parameters["actdim"]
        return int(given) if given.isdigit() and len(given) <= DIGITS else None
    if actuator.kind in KEEPING:
        return sum(activation_flags(actuator).values())
    if actuator.kind == "general":
        return DYNAMICS.get(parameters.get("dyntype", "none"))
    return STATES.get(actuator.kind)


def activation_flags(actuator: Actuator) -> dict[str, bool]:
    """Return the attributes of a servo that add an activation each, in order, and whether they do."""
    parameters = dict(actuator.parameters)
    said = {name: so_many_numbers(parameters.get(name, "0"), 1) or (0.0,) for name in KEEPING[actuator.kind]}
    return {name: value > 0.0 for name, (value,) in said.items()}


def control_count(actuator: Actuator) -> int | None:
    """Return the number of controls; None if only MuJoCo knows it."""
    parameters = dict(actuator.parameters)
    usual = {"pid": "pos vel", "dcmotor": "voltage"}.get(actuator.kind)
    if usual is not None:
        return len(set(words(parameters.get("input", usual))) - {"none"})
    if actuator.kind == "orientation":
        return 4 if parameters.get("input") == "quat" else 3
    known = actuator.kind != "plugin" and parameters.get("gaintype", "fixed") in ("fixed", "affine", "muscle", "user")
    return 1 if known else None
