"""Transmissions of all dialects and <ros2_control>, in both directions."""

from __future__ import annotations

import math
from collections.abc import Iterable

from converters.source.rotors import GEAR, ROTOR, SIMPLE, drives, reflected_inertia, says_rotor
from converters.source.text import BLANK, number, parse_number
from converters.source.tree import Element, restore
from converters.source.xml import Node
from converters.urdf.loading import UrdfLoading, leftovers
from converters.urdf.tables import FORMAT, JOINT_TYPES
from ir.names import Spares, label_of
from ir.scene import Scene
from ir.types import SCALAR, Channel, Entity, Hardware, Interface, Joint, Source, Transmission, TransmissionEnd

CHANNELS = ("joint", "sensor", "gpio")
NO_NUMBER = "urdf/no-number"
BOUNDS = {"min": "minimum", "max": "maximum", "initial_value": "initial"}


def table_name(node: Node, kind: str, loading: UrdfLoading) -> tuple[str, str | None]:
    """Return (name, label) of an entity of a table: the authored name if it is still free."""
    authored = node.get("name")
    spares = loading.names.setdefault(kind, Spares())
    name = spares.of(authored or f"{kind}_{len(loading.scene.tables[kind]) + 1}")
    return name, label_of(name, authored)


def written_name(entity: Entity, native: bool) -> dict[str, str]:
    """Return the name attribute. It is omitted if the source gave none and was URDF as well; otherwise a generated name
    is written."""
    name = entity.name if entity.label is None or not (native or entity.label) else entity.label
    return {"name": name} if name else {}


def _child_text(node: Node, tag: str) -> str | None:
    """Return the text of the first child of that name, marking it as read."""
    item = node.child(tag)
    return item.text() if item is not None else None


def _child_number(node: Node, tag: str, where: str, loading: UrdfLoading) -> float | None:
    """Return the text of the first child of that name as a number; an invalid one stays unread, with a note."""
    item = node.peek(tag)
    if item is None:
        return None
    value = _parsed(item, where, loading)
    if value is not None:
        item.visit()
    return value


def _parsed(item: Node, where: str, loading: UrdfLoading) -> float | None:
    value = _number_or_note(item.own_text(), item.source, where, loading)
    if value is not None:
        item.text()
    return value


def _number_or_note(text: str, place: Source, where: str, loading: UrdfLoading) -> float | None:
    """Parse a number; None, with a note, if it is invalid: most readers ignore it, so the model is kept."""
    try:
        return parse_number(text)
    except ValueError as error:
        reason = f"{error}; it is ignored and kept as it is"
        loading.context.note(NO_NUMBER, where, reason, place, before=text, action="ignored")
        return None


def _add_text(parent: Element, tag: str, text: str | None, attrs: dict[str, str] | None = None) -> None:
    if text is not None:
        element = parent.add(tag, attrs)
        if text:
            element.content.append(text)


# -------------------------------------------------------------------------------------------------------- transmissions


def read_transmission(node: Node, loading: UrdfLoading) -> None:
    """Read the forms of ROS 1 (<type>), PR2 (@type) and vendors; what only one of them has remains as an extra."""
    node.visit()
    name, label = table_name(node, "transmission", loading)
    kind = _child_text(node, "type")
    if kind is None:
        kind = node.get("type")
        if kind is not None:
            loading.spelling[f"transmission/{name}"] = "@type"
    where = f"transmission/{name}"
    joints, actuators = (
        tuple(_read_end(item, where, loading) for item in node.elements() if _is_tag(item, tag))
        for tag in ("joint", "actuator")
    )
    loading.scene.tables["transmission"][name] = Transmission(
        name=name,
        label=label,
        kind=kind or "",
        joints=joints,
        actuators=actuators,
        reduction=_child_number(node, "mechanicalReduction", where, loading),
        source=node.source,
        extras=leftovers(node),
    )


def _read_end(node: Node, where: str, loading: UrdfLoading) -> TransmissionEnd:
    node.visit()
    return TransmissionEnd(
        name=node.need("name"),
        interfaces=tuple(item.text() for item in node.children("hardwareInterface")),
        role=_child_text(node, "role"),
        reduction=_child_number(node, "mechanicalReduction", where, loading),
        offset=_child_number(node, "offset", where, loading),
        extras=leftovers(node),
    )


def rotors(nodes: Iterable[Node], joints: Iterable[Node], loading: UrdfLoading) -> dict[str, float]:
    """Return joint -> reflected inertia of its rotor, from its last simple transmission, which is the one that Drake
    uses.

    For a single-axis joint, a rotor without a gear is the armature itself, and is written again (rotors_of). Other
    rotors stay unread, because other readers of URDF ignore them. Invalid numbers give nothing; an infinite inertia is
    refused.
    """
    found: dict[str, tuple[float, Node]] = {}
    for node in nodes:
        said = node.peek("type")
        kind = said.own_text() if said is not None else node.attrs.get("type", "")
        ends = {tag: node.findall(tag) for tag in ("joint", "actuator")}
        if SIMPLE not in kind or any(len(each) != 1 for each in ends.values()):
            continue
        (joint,), (actuator,) = ends["joint"], ends["actuator"]
        where = f"transmission/{node.attrs.get('name', '')}"
        ratio = _value(actuator, GEAR, 1.0, where, loading)
        rotor = _value(actuator, ROTOR, 0.0, where, loading)
        inertia = reflected_inertia(rotor, ratio) if rotor is not None and ratio is not None else 0.0
        if not math.isfinite(inertia):
            actuator.refuse("the inertia of the rotor, seen through its gear, is not finite", "NUM-NONFINITE")
        elif name := joint.attrs.get("name", ""):
            found[name] = inertia, actuator
    for name in {
        node.attrs.get("name", "") for node in joints if _is_scalar(node.attrs.get("type", ""))
    } & found.keys():
        inertia, actuator = found[name]
        said_here = [item for item in actuator.elements() if item.tag in (ROTOR, GEAR)]
        if inertia and len(said_here) == 1:
            said_here[0].visit().get("value")
    return {name: inertia for name, (inertia, _) in found.items()}


def _is_scalar(word: str) -> bool:
    kinds = JOINT_TYPES.get(word.strip(BLANK).lower(), ())
    return len(kinds) == 1 and kinds[0] in SCALAR


def rotors_of(scene: Scene) -> dict[str, Joint]:
    """Return transmission -> its single-axis joint with an armature, if it is the last drive of that joint and gives no
    rotor."""
    joints = {
        joint.dofs[0].name: joint
        for joint in scene.joints.values()
        if len(joint.dofs) == 1 and joint.dofs[0].kind in SCALAR and joint.dofs[0].armature
    }
    last = ((joint, item) for joint, item in drives(scene).items() if not says_rotor(item.actuators[0].extras, FORMAT))
    return {item.name: joints[joint] for joint, item in last if joint in joints}


def _value(node: Node, tag: str, default: float, where: str, loading: UrdfLoading) -> float | None:
    """Return the number in <tag value>, the default if there is no such element; None if it is not a number."""
    item = node.peek(tag)
    if item is None:
        return default
    return _number_or_note(item.attrs.get("value", "").strip(BLANK), item.place("value"), where, loading)


def write_transmission(transmission: Transmission, spelled: str, rotor: float | None, native: bool) -> Element:
    """Return the <transmission>. spelled is "@type" if the class was given as an attribute. rotor: from rotors_of."""
    element = Element("transmission", written_name(transmission, native))
    if spelled == "@type":
        element.attrs["type"] = transmission.kind
    elif transmission.kind:
        _add_text(element, "type", transmission.kind)
    for tag, ends in (("joint", transmission.joints), ("actuator", transmission.actuators)):
        for end in ends:
            _write_end(element.add(tag, {"name": end.name}), end, rotor if tag == "actuator" else None)
    if transmission.reduction is not None:
        _add_text(element, "mechanicalReduction", number(transmission.reduction))
    restore(element, transmission.extras, FORMAT)
    return element


def _write_end(element: Element, end: TransmissionEnd, rotor: float | None) -> None:
    for interface in end.interfaces:
        _add_text(element, "hardwareInterface", interface)
    _add_text(element, "role", end.role)
    if end.offset is not None:
        _add_text(element, "offset", number(end.offset))
    if end.reduction is not None:
        _add_text(element, "mechanicalReduction", number(end.reduction))
    if rotor is not None:
        element.add(ROTOR, {"value": number(rotor)})
    restore(element, end.extras, FORMAT)


# --------------------------------------------------------------------------------------------------------- ros2_control


def read_hardware(node: Node, loading: UrdfLoading) -> None:
    """Read a <ros2_control> system into the table of hardware."""
    node.visit()
    name, label = table_name(node, "hardware", loading)
    plugin = None
    for item in node.elements():
        if item.tag == "hardware" and "plugin" in item.tags():
            plugin = _child_text(item.visit(), "plugin")
            break
    where = f"hardware/{name}"
    channels = tuple(
        _read_channel(item, where, loading) for item in node.elements() if item.tag in CHANNELS and item.get("name")
    )
    loading.scene.tables["hardware"][name] = Hardware(
        name=name,
        label=label,
        kind=node.get("type") or "",
        plugin=plugin,
        channels=channels,
        source=node.source,
        extras=leftovers(node),
    )


def _read_channel(node: Node, where: str, loading: UrdfLoading) -> Channel:
    node.visit()
    limited = _has_limits(node)
    commands, states = (
        tuple(_read_interface(item, where, loading, limited) for item in node.elements() if _is_tag(item, tag))
        for tag in ("command_interface", "state_interface")
    )
    return Channel(name=node.need("name"), kind=node.tag, commands=commands, states=states, extras=leftovers(node))


def _is_tag(item: Node, tag: str) -> bool:
    return item.tag == tag and bool(item.get("name"))


def _has_limits(node: Node) -> bool:
    """Whether the limits are used: ros2_control ignores them beside <limits enable="false">."""
    return not any(item.tag == "limits" and item.attrs.get("enable", "").lower() == "false" for item in node.elements())


def _read_interface(node: Node, where: str, loading: UrdfLoading, limited: bool) -> Interface:
    node.visit()
    values: dict[str, float] = {}
    limited = limited and _has_limits(node)
    for item in node.elements():
        field = BOUNDS.get(item.attrs.get("name", "")) if item.tag == "param" else None
        if field is not None and field not in values and (limited or field == "initial"):
            value = _parsed(item, where, loading)
            if value is not None:
                item.visit().get("name")
                values[field] = value
    return Interface(name=node.need("name"), extras=leftovers(node), **values)


def write_hardware(hardware: Hardware, native: bool) -> Element:
    """Return the <ros2_control> of a system; native: the scene was read from a URDF."""
    element = Element("ros2_control", written_name(hardware, native))
    if hardware.kind:
        element.attrs["type"] = hardware.kind
    if hardware.plugin is not None:
        _add_text(element.add("hardware"), "plugin", hardware.plugin)
    for channel in hardware.channels:
        part = element.add(channel.kind, {"name": channel.name})
        for tag, interfaces in (("command_interface", channel.commands), ("state_interface", channel.states)):
            for interface in interfaces:
                _write_interface(part.add(tag, {"name": interface.name}), interface)
        restore(part, channel.extras, FORMAT)
    restore(element, hardware.extras, FORMAT)
    return element


def _write_interface(element: Element, interface: Interface) -> None:
    for name, field in BOUNDS.items():
        value = getattr(interface, field)
        if value is not None:
            _add_text(element, "param", number(value), {"name": name})
    restore(element, interface.extras, FORMAT)
